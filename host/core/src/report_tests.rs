//! A journal line holds bounded lists and bounded names, and says how much there was.

use super::*;
use crate::action::{SourceText, WorkingDir};
use crate::assess::{Cause, Route};
use crate::authorize::{Stamp, Who};
use crate::finding::Finding;
use crate::journal::{Head, LINE_BYTES_MAX};
use crate::level::Level;
use crate::operation::{Access, Certainty, Effect, Operation, Scope, Segment, TargetKind, Traits, Verb};
use crate::refusal::NAME_BYTES_MAX;
use crate::verdict::Decision;
use crate::verdict::{Rule, Verdict};
use alloc::string::String;
use alloc::vec;

const ORIGIN: Span = Span { part: 0, start: 0, end: 0 };

fn operation(name: &str) -> Operation {
    Operation {
        verb: Verb::Delete,
        native: name.into(),
        target: vec![Segment { kind: TargetKind::File, name: name.into(), certainty: Certainty::Exact }],
        access: Access::Write,
        effect: Effect::Irreversible,
        scope: Scope::One,
        traits: Traits::EMPTY,
        origin: ORIGIN,
    }
}

fn judged(items: usize, name: &str) -> Judged {
    let source = SourceText { language: "bash".into(), text: String::new(), cwd: WorkingDir::Same };
    let mut assessment = Assessment::new(Action::Source(source), None, Route::Direct);
    assessment.admit(0, Finding { operations: vec![operation(name); items], ..Finding::default() });
    (0..items).for_each(|_| assessment.fail(0, Cause::NoClaimant));
    let reason = |index| Reason::new(Rule::Level, Decision::Ask, About::Operation(index), "because".into());
    Judged {
        stamp: Stamp { correlation_id: name.into(), at_ms: 1_500 },
        who: Who {
            principal: name.into(),
            level: Level::Guarded,
            run: "run".into(),
            call: "call".into(),
            via: crate::proof::Transport::Hook,
        },
        call: None,
        assessment: Some(assessment),
        verdict: Verdict::new((0..items).map(reason).collect(), Vec::new()),
        sources: vec![String::from("v"); items],
        hypothetical: Vec::new(),
        uses: Vec::new(),
        policy: crate::digest::Digest::ZERO,
        consent: None,
        challenge: None,
        still_needed: Vec::new(),
    }
}

fn text_of(judged: &Judged) -> String {
    line(judged).seal(Head::START).0
}

#[test]
fn lists_in_a_line_end_at_their_bound_and_operations_are_counted() {
    let most = text_of(&judged(LINE_ITEMS_MAX, "n"));
    let over = text_of(&judged(LINE_ITEMS_MAX + 1, "n"));
    for (member, text) in
        [("verb", "\"verb\""), ("reasons", "\"rule\":\"safety.level\""), ("unknown", "\"no-vocabulary\"")]
    {
        let count = |line: &str| line.matches(text).count();
        assert_eq!(count(&most), count(&over), "{member}");
        assert!(count(&most) >= LINE_ITEMS_MAX, "{member}: {most}");
    }
    assert!(over.contains(&alloc::format!("\"operation_count\":{}", LINE_ITEMS_MAX + 1)), "{over}");
}

#[test]
fn a_name_just_over_its_bound_is_cut_and_what_was_cut_is_counted() {
    let (fits, over) = ("n".repeat(NAME_BYTES_MAX), "n".repeat(NAME_BYTES_MAX + 1));
    assert_eq!(shortened(&fits), fits);
    assert_eq!(shortened(&over), fits.clone() + "… (1 bytes more)");
    let wide = "\u{e9}".repeat(NAME_BYTES_MAX);
    assert!(shortened(&wide).starts_with(&"\u{e9}".repeat(NAME_BYTES_MAX / 2)));
    assert!(!text_of(&judged(1, &over)).contains(&over));
}

#[test]
fn the_longest_line_there_can_be_is_within_the_bound_of_lines() {
    let text = text_of(&judged(LINE_ITEMS_MAX * 2, &"\u{1}".repeat(64 << 10)));
    assert!(text.len() <= LINE_BYTES_MAX, "{}", text.len());
    assert!(text.contains("\"decision\":\"ask\""), "{text}");
}

#[test]
fn a_line_says_which_loosenings_have_to_be_looked_at_again() {
    use crate::toggle::ToggleKey;
    let still_needed = vec![ToggleKey::CodeAutoPush, ToggleKey::NetAllowOutbound];
    let text = text_of(&Judged { still_needed, ..judged(1, "n") });
    assert!(text.contains("\"still_needed\":[\"code.auto_push\",\"net.allow_outbound\"]"), "{text}");
    assert!(text_of(&judged(1, "n")).contains("\"still_needed\":[]"));
}
