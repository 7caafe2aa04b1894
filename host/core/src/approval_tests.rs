//! A yes covers exactly one question, and nothing covers a denial.

use super::*;
use crate::action::{Fact, FactKind, FactQuery};
use crate::asking::Channel;
use crate::assess::{Assessment, Cause, Route};
use crate::authorize::{Outcome, Stamp, Who, authorize};
use crate::call::ToolCall;
use crate::finding::Finding;
use crate::floor::Invariant;
use crate::level::Level;
use crate::operation::{Access, Certainty, Effect, Operation, Scope, Segment, Span, TargetKind, Traits, Verb};
use crate::proof::Transport;
use crate::toggle::ToggleKey;
use crate::verdict::{About, Reason};
use alloc::vec;
use alloc::vec::Vec;

const NOW_MS: u64 = 1_000;

fn operation(name: &str) -> Operation {
    Operation {
        verb: Verb::Delete,
        native: "rm".into(),
        target: vec![Segment { kind: TargetKind::File, name: name.into(), certainty: Certainty::Exact }],
        access: Access::Write,
        effect: Effect::Irreversible,
        scope: Scope::One,
        traits: Traits::EMPTY,
        origin: Span { part: 0, start: 0, end: 0 },
    }
}

fn assessment(name: &str) -> Assessment {
    let call = call(name);
    let mut assessment = Assessment::new(call.action(), None, Route::Direct);
    assessment.admit(0, Finding { operations: vec![operation(name)], ..Finding::default() });
    assessment
}

fn call(name: &str) -> ToolCall {
    ToolCall::new("", "Bash", Json::object([("command", Json::text(name))]), "/w").unwrap()
}

fn judged(rule: Rule, decision: Decision) -> Judged {
    let reason = Reason::new(rule, decision, About::Operation(0), "because".into());
    Judged {
        stamp: Stamp { correlation_id: "c-1".into(), at_ms: NOW_MS },
        who: Who {
            principal: "hook:x".into(),
            level: Level::Guarded,
            run: "run-1".into(),
            call: "call-1".into(),
            via: Transport::Hook,
        },
        call: Some(call("a")),
        assessment: Some(assessment("a")),
        verdict: Verdict::new(vec![reason], Vec::new()),
        sources: vec!["posix 0.1.0".into()],
        hypothetical: Vec::new(),
        uses: Vec::new(),
        still_needed: Vec::new(),
        policy: Digest::of_file(b"policy"),
        consent: None,
        challenge: None,
    }
}

fn asking() -> Judged {
    judged(Rule::Level, Decision::Ask)
}

fn yes(binding: &Binding) -> Redeemed {
    Redeemed {
        id: "q-1".into(),
        binding: binding.digest(),
        step: None,
        strength: Strength::Password,
        by: "ana".into(),
        via: Via::Terminal,
        asked_ms: 1,
        answered_ms: 2,
        expires_ms: NOW_MS + 1,
    }
}

fn attested(claim: Attestation) -> Consent {
    Consent::Attested { claim, kept: None }
}

fn goes_ahead(judged: Judged, consent: Consent) -> bool {
    let judged = Judged { consent: Some(consent), ..judged };
    matches!(authorize(judged, Channel::Nobody), Outcome::Authorized(_))
}

#[test]
fn a_yes_lets_exactly_its_own_question_through() {
    let binding = Binding::of(&asking()).unwrap();
    assert!(goes_ahead(asking(), Consent::Approved(yes(&binding))));
}

#[test]
fn whatever_changes_the_action_or_who_takes_it_makes_another_question() {
    let own = Binding::of(&asking()).unwrap().digest();
    let mut known_more = assessment("a");
    known_more.fail(0, Cause::NoClaimant);
    let mut told = assessment("a");
    let query = FactQuery { kind: FactKind::TrackedRemote, subject: "main".into() };
    told.told([Fact { query, answer: "origin".into() }]);
    let who = || asking().who;
    let changed = [
        ("argument", Judged { call: Some(call("b")), ..asking() }),
        ("target", Judged { assessment: Some(assessment("b")), ..asking() }),
        ("doubt", Judged { assessment: Some(known_more), ..asking() }),
        ("fact", Judged { assessment: Some(told), ..asking() }),
        ("principal", Judged { who: Who { principal: "hook:y".into(), ..who() }, ..asking() }),
        ("run", Judged { who: Who { run: "run-2".into(), ..who() }, ..asking() }),
        ("policy", Judged { policy: Digest::of_file(b"other"), ..asking() }),
        ("vocabulary", Judged { sources: vec!["posix 0.2.0".into()], ..asking() }),
        ("rule", judged(Rule::Toggle(ToggleKey::NetAllowOutbound), Decision::Ask)),
    ];
    for (what, other) in changed {
        let binding = Binding::of(&other).unwrap();
        assert_ne!(binding.digest(), own, "{what}");
        assert!(!goes_ahead(other, Consent::Approved(yes(&Binding::of(&asking()).unwrap()))), "{what}");
    }
}

#[test]
fn a_caption_does_not_change_the_question() {
    let captioned = Json::object([("command", Json::text("a")), ("description", Json::text("harmless"))]);
    let other = Judged { call: Some(ToolCall::new("", "Bash", captioned, "/w").unwrap()), ..asking() };
    assert_eq!(Binding::of(&other), Binding::of(&asking()));
}

#[test]
fn nothing_answers_a_denial() {
    for rule in [Rule::Pinned, Rule::Frozen, Rule::Configuration, Rule::Level, Rule::Floor(Invariant::SystemDeletion)] {
        let denied = judged(rule, Decision::Deny);
        assert_eq!(Binding::of(&denied), None, "{rule:?}");
        let approved = yes(&Binding::of(&asking()).unwrap());
        assert!(!goes_ahead(denied.clone(), Consent::Approved(approved)), "{rule:?}");
        let claim = Attestation::new("the operator said so").unwrap();
        assert!(!goes_ahead(denied, attested(claim)), "{rule:?}");
    }
}

#[test]
fn a_yes_ends_with_its_time() {
    let binding = Binding::of(&asking()).unwrap();
    let late = Redeemed { expires_ms: NOW_MS, ..yes(&binding) };
    assert!(!goes_ahead(asking(), Consent::Approved(late)));
}

#[test]
fn a_weak_yes_does_not_answer_a_strong_question() {
    let strong = || judged(Rule::Floor(Invariant::ForcePush), Decision::Ask);
    let binding = Binding::of(&strong()).unwrap();
    assert_eq!(binding.strength(), Strength::Password);
    for strength in [Strength::Keypress, Strength::TypeName] {
        assert!(!goes_ahead(strong(), Consent::Approved(Redeemed { strength, ..yes(&binding) })));
    }
    assert!(goes_ahead(strong(), Consent::Approved(yes(&binding))));
}

#[test]
fn an_attestation_answers_what_a_level_asks_and_nothing_else() {
    let claim = || attested(Attestation::new("ana agreed in chat").unwrap());
    assert!(goes_ahead(asking(), claim()));
    for rule in [
        Rule::Toggle(ToggleKey::CodeAutoPush),
        Rule::Obligation,
        Rule::Advice,
        Rule::Floor(Invariant::InjectionScan),
        Rule::Floor(Invariant::PersonalDataExport),
    ] {
        assert!(!goes_ahead(judged(rule, Decision::Ask), claim()), "{rule:?}");
    }
    let mut both = asking();
    let toggle = Rule::Toggle(ToggleKey::NetAllowOutbound);
    both.verdict = both.verdict.and(Reason::new(toggle, Decision::Ask, About::Call, "because".into()));
    assert!(!goes_ahead(both, claim()));
    let mut strong = asking();
    let reason = Reason::new(Rule::Level, Decision::Ask, About::Call, "because".into());
    strong.verdict = strong.verdict.and(reason.at_least(Strength::TypeName));
    assert!(!goes_ahead(strong, claim()));
}

#[test]
fn a_claim_that_was_kept_answers_its_own_question_in_its_time_and_is_never_a_yes() {
    let binding = Binding::of(&asking()).unwrap();
    let kept = || Redeemed { via: Via::Attestation, strength: Strength::Keypress, ..yes(&binding) };
    let claims = |kept| Consent::Attested { claim: Attestation::new("ana agreed").unwrap(), kept: Some(kept) };
    assert!(goes_ahead(asking(), claims(kept())));
    let other = Judged { call: Some(call("b")), ..asking() };
    assert!(!goes_ahead(other, claims(kept())), "another call");
    assert!(!goes_ahead(asking(), claims(Redeemed { expires_ms: NOW_MS, ..kept() })), "too late");
    assert!(!goes_ahead(asking(), Consent::Approved(kept())), "nobody said yes");
}

#[test]
fn a_claim_counts_only_where_claims_are_accepted() {
    let claim = || Attestation::new("ana agreed").unwrap();
    let refused = Attesting::Refused.claiming(Some(claim()));
    assert_eq!(refused, Attesting::Refused, "a call cannot make its own claim count");
    assert!(!attested(claim()).counts_for(&refused));
    for attesting in [Attesting::Accepted, Attesting::Accepted.claiming(Some(claim()))] {
        assert!(attested(claim()).counts_for(&attesting));
    }
    let approved = Consent::Approved(yes(&Binding::of(&asking()).unwrap()));
    assert!(approved.counts_for(&Attesting::Refused));
}

#[test]
fn a_claim_is_neither_empty_nor_over_its_bound() {
    assert_eq!(Attestation::new("  "), None);
    assert!(Attestation::new(&"a".repeat(CLAIM_BYTES_MAX)).is_some());
    assert_eq!(Attestation::new(&"a".repeat(CLAIM_BYTES_MAX + 1)), None);
}
