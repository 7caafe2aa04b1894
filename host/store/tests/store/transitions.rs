//! Transitions: their record, their anchors, and reading them back.

use crate::scratch::{DAY_MS, START_MS, Scratch, line};
use holdpoint_core::digest::Digest;
use holdpoint_store::{
    Cap, Day, Decisions, Entry, Filter, Limits, Requester, Stream, Transition, TransitionResult, Transitions, anchor,
    read, verify,
};

pub(crate) fn loosened(actor: &str) -> Transition {
    Transition {
        at_ms: 1_746_744_123_456,
        actor: actor.into(),
        key: "email.auto_send".into(),
        layer: None,
        from_state: "restrictive".into(),
        to_state: "permissive".into(),
        result: TransitionResult::Ok,
        reason: "loosen".into(),
        cap: Some(Cap { name: "Daily send cap".into(), int_value: Some(50), list_value: None }),
        limits: Limits::default(),
        phrase_hash: None,
        requester: Requester::default(),
    }
}

pub(crate) fn denied(actor: &str) -> Transition {
    Transition {
        result: TransitionResult::Denied,
        reason: "cooldown".into(),
        phrase_hash: Some(Digest::of_file(b"a phrase")),
        requester: Requester { ip: Some("::1".into()), user_agent: Some("console".into()) },
        ..loosened(actor)
    }
}

fn newest(scratch: &Scratch) -> Entry {
    let entries = read(&scratch.state, Stream::Transitions, &Filter::last(1)).unwrap();
    entries.into_iter().next().unwrap()
}

#[test]
fn a_record_has_the_fields_of_the_paper() {
    let scratch = Scratch::new();
    let transitions = Transitions::of(&scratch.state);
    transitions.append(&[loosened("user@example.com")], START_MS).unwrap();
    let mut value = newest(&scratch).value;
    for member in ["seq", "prev", "frozen", "hash", "anchor"] {
        assert!(value.as_object_mut().unwrap().remove(member).is_some(), "{member}");
    }
    let paper = serde_json::json!({
        "ts": 1_746_744_123.456_f64,
        "actor": "user@example.com",
        "key": "email.auto_send",
        "from_state": "restrictive",
        "to_state": "permissive",
        "result": "ok",
        "reason": "loosen",
        "cap": {"name": "Daily send cap", "int_value": 50, "list_value": null}
    });
    assert_eq!(value, paper);
}

#[test]
fn a_denial_has_no_cap_and_the_phrase_only_as_a_hash() {
    let scratch = Scratch::new();
    let transitions = Transitions::of(&scratch.state);
    transitions.append(&[denied("somebody")], START_MS).unwrap();
    let entry = newest(&scratch);
    assert_eq!(entry.value.get("cap"), None);
    assert_eq!(entry.value["reason"], "cooldown");
    assert_eq!(entry.value["phrase_hash"], Digest::of_file(b"a phrase").hex());
    assert!(!entry.text.contains("a phrase"));
}

#[test]
fn a_transition_reads_back_as_it_was_written() {
    let scratch = Scratch::new();
    let transitions = Transitions::of(&scratch.state);
    let listed = Transition {
        cap: Some(Cap {
            name: "Hosts".into(),
            int_value: Some(u64::MAX),
            list_value: Some(vec!["example.org".into(), "example.com".into()]),
        }),
        ..denied("a")
    };
    let listed = Transition { result: TransitionResult::Ok, ..listed };
    let without_cap = Transition { cap: None, ..denied("c") };
    for transition in [loosened("b"), listed, without_cap] {
        transitions.append(std::slice::from_ref(&transition), START_MS).unwrap();
        assert_eq!(Transition::of_line(&newest(&scratch).value), Some(transition));
    }
    assert_eq!(Transition::of_line(&serde_json::json!({"result": "ok"})), None);
}

#[test]
fn each_transition_names_the_head_of_the_decisions() {
    let scratch = Scratch::new();
    let decisions = Decisions::of(&scratch.state);
    let transitions = Transitions::of(&scratch.state);
    transitions.append(&[loosened("a")], START_MS).unwrap();
    assert_eq!(anchor::of_line(&newest(&scratch).value).unwrap().seq, 0);
    let appended = decisions.append(&[line("one"), line("two")], START_MS).unwrap();
    transitions.append(&[denied("b"), loosened("c")], START_MS).unwrap();
    assert_eq!(anchor::of_line(&newest(&scratch).value), Some(appended.head));
    let verification = verify(&scratch.state).unwrap();
    assert!(verification.is_intact(), "{verification:?}");
    assert_eq!(verification.anchors, 3);
}

#[test]
fn a_transition_that_is_too_long_is_refused_whole() {
    let scratch = Scratch::new();
    let transitions = Transitions::of(&scratch.state);
    let long = loosened(&"x".repeat(300_000));
    let failure = transitions.append(&[loosened("a"), long], START_MS).unwrap_err();
    assert_eq!(failure.cause, "the transition is too long to be written down");
    assert_eq!(verify(&scratch.state).unwrap().transitions.lines, 0);
}

#[test]
fn a_filter_takes_days_members_and_the_newest() {
    let scratch = Scratch::new();
    let transitions = Transitions::of(&scratch.state);
    for day in 0..4 {
        let at_ms = START_MS + day * DAY_MS;
        transitions.append(&[loosened("a"), denied("b"), loosened("c")], at_ms).unwrap();
    }
    let check = |filter: Filter, expected: &[(&str, u64)]| {
        let entries = read(&scratch.state, Stream::Transitions, &filter).unwrap();
        let places: Vec<(&str, u64)> = entries.iter().map(|entry| (entry.file.as_str(), entry.line)).collect();
        assert_eq!(places, expected, "{filter:?}");
    };
    check(Filter::last(0), &[]);
    check(
        Filter::last(4),
        &[("2027-01-17.jsonl", 3), ("2027-01-18.jsonl", 1), ("2027-01-18.jsonl", 2), ("2027-01-18.jsonl", 3)],
    );
    check(
        Filter {
            since: Day::parse("2027-01-16"),
            until: Day::parse("2027-01-17"),
            members: vec![("result".into(), "denied".into())],
            ..Filter::last(10)
        },
        &[("2027-01-16.jsonl", 2), ("2027-01-17.jsonl", 2)],
    );
    check(Filter { members: vec![("key".into(), "code.auto_push".into())], ..Filter::last(10) }, &[]);
    let none = read(&Scratch::new().state, Stream::Decisions, &Filter::last(10)).unwrap();
    assert_eq!(none, []);
}
