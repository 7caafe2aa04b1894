//! Every row of the tables catches an operation that contradicts it, and lets through what it is for.

use super::*;
use crate::operation::{Certainty, Scope, Segment, Span, Traits};
use crate::words::Word;
use alloc::vec;
use alloc::vec::Vec;

fn operation(verb: Verb, kinds: &[TargetKind]) -> Operation {
    let step = |kind: &TargetKind| Segment { kind: *kind, name: "a".into(), certainty: Certainty::Exact };
    Operation {
        verb,
        native: "x".into(),
        target: kinds.iter().map(step).collect(),
        access: Access::Write,
        effect: Effect::None,
        scope: Scope::One,
        traits: Traits::EMPTY,
        origin: Span { part: 0, start: 0, end: 0 },
    }
}

fn over_network(operation: Operation) -> Operation {
    Operation { traits: Traits::of(&[Trait::Network]), ..operation }
}

#[test]
fn every_row_of_a_verb_refuses_a_file_nothing_and_the_unknown_and_takes_its_kinds() {
    for row in OF_VERBS {
        for kind in [Some(TargetKind::File), Some(TargetKind::Unknown), None] {
            assert_eq!(of_pair(row.verb, kind), Some(row.why), "{} {kind:?}", row.verb);
        }
        assert_eq!(of_operation(&operation(row.verb, &[TargetKind::File])), Some(row.why));
        assert!(row.kinds.iter().all(|kind| of_pair(row.verb, Some(*kind)).is_none()), "{}", row.verb);
    }
}

#[test]
fn every_row_of_a_kind_refuses_every_other_verb_and_takes_its_own() {
    for row in OF_KINDS {
        for verb in Verb::ALL.iter().copied().filter(|verb| *verb != Verb::Nothing) {
            let refused = of_pair(verb, Some(row.kind)).is_some();
            assert_eq!(refused, !row.verbs.contains(&verb), "{verb} {}", row.kind);
        }
        assert!(of_operation(&over_network(operation(Verb::Unknown, &[row.kind]))).is_some(), "{}", row.kind);
    }
}

#[test]
fn every_native_word_is_about_what_it_promises_however_it_is_written() {
    for row in OF_NATIVES {
        let (start, end) = row.text.split_at(row.text.len() / 2);
        let spellings =
            [row.text.into(), alloc::format!("{start}-{end}"), alloc::format!("{start}_{end}").to_uppercase()];
        for native in spellings {
            let of = |kind| Operation { native: native.clone(), ..operation(Verb::Update, &[kind]) };
            assert_eq!(of_natives(&[of(TargetKind::File)]), Some(row.why), "{native}");
            let nothing = Operation { native: native.clone(), ..operation(Verb::Nothing, &[]) };
            assert_eq!(of_natives(&[nothing]), Some(row.why), "{native} does not do nothing");
            for kind in row.kinds {
                assert_eq!(of_natives(&[of(TargetKind::File), of(*kind)]), None, "{native}: {kind} beside a file");
            }
        }
        let longer = [Operation { native: alloc::format!("my {}", row.text), ..operation(Verb::Get, &[]) }];
        assert_eq!(of_natives(&longer).is_some(), row.stands == Stands::Part, "{}", row.text);
    }
}

#[test]
fn a_promise_is_kept_by_an_operation_of_the_same_word_only() {
    let push = Operation { native: "git_push".into(), ..operation(Verb::Update, &[TargetKind::File]) };
    let other = Operation { native: "git_fetch".into(), ..operation(Verb::Download, &[TargetKind::GitRemote]) };
    assert_eq!(of_natives(&[push.clone(), other]), Some("a push is about a git remote"));
    let on_the_way = Operation { target: operation(Verb::Update, &[TargetKind::GitRemote]).target, ..push };
    assert_eq!(of_natives(&[on_the_way]), None);
}

#[test]
fn the_end_of_a_transaction_is_no_recorded_commit() {
    let native = || String::from("COMMIT");
    let ends = Operation { native: native(), ..operation(Verb::Commit, &[TargetKind::Service]) };
    assert_eq!(of_natives(&[ends]), None);
    let records = Operation { native: native(), ..operation(Verb::Update, &[TargetKind::Service]) };
    assert_eq!(of_natives(&[records]), Some("recording a commit is about a git commit"));
}

#[test]
fn what_does_nothing_has_no_target_and_no_effect() {
    assert_eq!(of_operation(&operation(Verb::Nothing, &[])), None);
    assert!(of_operation(&operation(Verb::Nothing, &[TargetKind::File])).is_some());
    let leaves = Operation { effect: Effect::Reversible, ..operation(Verb::Nothing, &[]) };
    assert!(of_operation(&leaves).is_some());
}

#[test]
fn what_changes_something_is_not_said_to_read_and_what_reads_not_to_list() {
    let with = |verb, access| Operation { access, ..operation(verb, &[TargetKind::File]) };
    for verb in [Verb::Create, Verb::Update, Verb::Patch, Verb::Delete, Verb::Deletecollection, Verb::Configure] {
        assert!(of_operation(&with(verb, Access::Read)).is_some(), "{verb}");
        assert_eq!(of_operation(&with(verb, Access::Tagging)), None, "{verb}");
    }
    for verb in [Verb::Get, Verb::Watch, Verb::Download] {
        assert!(of_operation(&with(verb, Access::List)).is_some(), "{verb}");
        assert_eq!(of_operation(&with(verb, Access::Read)), None, "{verb}");
    }
    assert_eq!(of_operation(&with(Verb::List, Access::List)), None);
}

#[test]
fn a_remote_is_reached_over_the_network_wherever_it_stands_on_the_way() {
    for target in [vec![TargetKind::GitRemote], vec![TargetKind::File, TargetKind::GitRemote, TargetKind::GitRef]] {
        for verb in [Verb::Create, Verb::Update, Verb::Delete, Verb::Download] {
            assert!(of_operation(&operation(verb, &target)).is_some(), "{verb} {target:?}");
            assert_eq!(of_operation(&over_network(operation(verb, &target))), None, "{verb} {target:?}");
        }
        assert_eq!(of_operation(&operation(Verb::Get, &target)), None, "looked up");
    }
    assert_eq!(of_operation(&operation(Verb::Configure, &[TargetKind::GitRemote])), None, "set in this repository");
}

#[test]
fn a_branch_that_is_reached_over_the_network_has_a_remote() {
    let moves = || operation(Verb::Update, &[TargetKind::GitRef]);
    assert_eq!(of_operation(&moves()), None);
    assert!(of_operation(&over_network(moves())).is_some());
}

#[test]
fn no_row_contradicts_another() {
    for row in OF_VERBS {
        for kind in row.kinds {
            let of_kind = OF_KINDS.iter().find(|other| other.kind == *kind);
            assert!(of_kind.is_none_or(|other| other.verbs.contains(&row.verb)), "{} {kind}", row.verb);
        }
    }
    let kinds: Vec<TargetKind> = OF_KINDS.iter().map(|row| row.kind).collect();
    assert!(kinds.iter().all(|kind| kinds.iter().filter(|other| *other == kind).count() == 1), "one row for a kind");
}
