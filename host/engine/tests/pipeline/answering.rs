//! Answers to questions, claims in their place, waits in which an action can be taken back, and who is told.

use crate::fakes::{Answer, Fake, Still, call, caller, claims, nothing};
use holdpoint::core::approval::{Attestation, Attesting};
use holdpoint::core::asking::Channel;
use holdpoint::core::assess::Route;
use holdpoint::core::authorize::Recorded;
use holdpoint::core::finding::Finding;
use holdpoint::core::journal::{Head, Line};
use holdpoint::core::json::Json;
use holdpoint::core::level::Level;
use holdpoint::core::operation::{Access, Effect, Obligation, ObligationKind, Operation, TargetKind, Verb};
use holdpoint::core::ports::{Journal, NotDurable, Undo, Waited};
use holdpoint::core::verdict::Rule;
use holdpoint::core::words::WordSet;
use holdpoint::{Builder, Caller, CapabilitySnapshot, Holdpoint, Notifier, Uncounted};
use std::sync::{Arc, Mutex};

/// Everything that was written down, told and waited for, in order.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn push(&self, text: String) {
        if let Ok(mut log) = self.0.lock() {
            log.push(text);
        }
    }

    fn all(&self) -> Vec<String> {
        self.0.lock().map(|log| log.clone()).unwrap_or_default()
    }
}

fn member(json: &Json, name: &str) -> String {
    json.get(name).and_then(Json::as_text).unwrap_or_default().to_owned()
}

impl Journal for Log {
    fn append(&self, lines: &[Line], _at_ms: u64) -> Result<(), NotDurable> {
        for line in lines {
            let (text, _) = line.clone().seal(Head::START);
            let stage = text.split("\"stage\":\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or("none");
            self.push(format!("wrote {stage}"));
        }
        Ok(())
    }
}

impl Notifier for Log {
    fn tell(&self, notice: &Json) {
        self.push(format!("told {}", member(notice, "stage")));
    }
}

struct Waits(Log, Waited);

impl Undo for Waits {
    fn longest_ms(&self) -> u64 {
        5_000
    }

    fn wait(&self, reference: &str, window_ms: u64) -> Waited {
        self.0.push(format!("waited {window_ms} for {reference}"));
        self.1.clone()
    }
}

#[expect(clippy::expect_used, reason = "a gate of the test that lacks a part fails the test")]
fn gate(answer: Answer, log: &Log, more: impl FnOnce(Builder) -> Builder) -> Holdpoint {
    let builder = Holdpoint::builder()
        .vocabularies(claims(Route::Direct), Fake(answer))
        .journal(log.clone())
        .meter(Uncounted)
        .surroundings(Still)
        .snapshot(CapabilitySnapshot::of_tools([("", "T")]));
    more(builder).build().expect("nothing is missing")
}

/// Something irreversible, which the level guarded asks about.
fn irreversible() -> Operation {
    let target = holdpoint::core::operation::Segment {
        kind: TargetKind::Code,
        name: "x".to_owned(),
        certainty: holdpoint::core::operation::Certainty::Exact,
    };
    Operation {
        verb: Verb::Exec,
        target: vec![target],
        access: Access::Write,
        effect: Effect::Irreversible,
        ..nothing()
    }
}

const ASKS: Answer = |_, _| Ok(Finding { operations: vec![irreversible()], ..Finding::default() });

fn claiming(attesting: Attesting) -> Caller {
    let claim = Attestation::new("ana agreed");
    Caller { channel: Channel::Nobody, attesting: attesting.claiming(claim), ..caller(Level::Guarded) }
}

#[test]
fn a_claim_lets_through_what_a_level_asks_where_an_operator_accepts_claims_and_somebody_is_told() {
    let log = Log::default();
    let holdpoint = gate(ASKS, &log, |builder| builder.notifier(log.clone()));
    let refused = holdpoint.decide(claiming(Attesting::Refused), call("T"));
    assert!(matches!(refused, Recorded::Denied(_)));
    assert_eq!(log.all(), ["wrote refused"]);
    let attested = holdpoint.decide(claiming(Attesting::Accepted), call("T"));
    assert!(matches!(attested, Recorded::Committed(_)));
    assert_eq!(log.all(), ["wrote refused", "wrote attested", "told attested"]);
}

#[test]
fn a_claim_that_cannot_be_written_down_answers_nothing() {
    let log = Log::default();
    let builder = Holdpoint::builder()
        .vocabularies(claims(Route::Direct), Fake(ASKS))
        .journal(crate::fakes::Fails)
        .meter(Uncounted)
        .surroundings(Still)
        .notifier(log.clone())
        .snapshot(CapabilitySnapshot::of_tools([("", "T")]));
    let recorded = builder.build().map(|gate| gate.decide(claiming(Attesting::Accepted), call("T")));
    assert!(matches!(recorded, Ok(Recorded::Denied(_))));
    assert!(log.all().is_empty(), "nothing happened that could be told");
}

/// A vocabulary that wants its action to wait for so long.
fn waiting(window_ms: u64) -> Answer {
    match window_ms {
        5_000 => |_, _| Ok(wanting(5_000)),
        _ => |_, _| Ok(wanting(5_001)),
    }
}

fn wanting(amount: u64) -> Finding {
    let obligations = vec![Obligation { kind: ObligationKind::UndoWindow, amount }];
    Finding { operations: vec![nothing()], obligations, ..Finding::default() }
}

fn hurried() -> Caller {
    let mut caller = caller(Level::Guarded);
    caller.standing.honours = WordSet::EMPTY;
    caller
}

#[test]
fn an_action_waits_before_it_is_told_and_happens_if_nobody_takes_it_back() {
    let log = Log::default();
    let holdpoint = gate(waiting(5_000), &log, |builder| builder.undo(Waits(log.clone(), Waited::Over)));
    assert!(matches!(holdpoint.decide(hurried(), call("T")), Recorded::Committed(_)));
    assert_eq!(log.all(), ["wrote dispatched", "waited 5000 for c"]);
}

#[test]
fn what_was_taken_back_is_denied_and_stands_in_the_record_as_undone() {
    let log = Log::default();
    let back = Waited::TakenBack("ana".to_owned());
    let holdpoint = gate(waiting(5_000), &log, |builder| builder.undo(Waits(log.clone(), back)));
    let recorded = holdpoint.decide(hurried(), call("T"));
    assert!(matches!(recorded, Recorded::Denied(_)));
    assert_eq!(recorded.judged().verdict.leading().map(|reason| reason.rule), Some(Rule::TakenBack));
    assert_eq!(log.all(), ["wrote dispatched", "waited 5000 for c", "wrote undone"]);
}

#[test]
fn a_wait_that_nobody_sees_to_or_that_is_too_long_is_a_question() {
    let log = Log::default();
    let none = gate(waiting(5_000), &log, |builder| builder);
    let long = gate(waiting(5_001), &log, |builder| builder.undo(Waits(log.clone(), Waited::Over)));
    for holdpoint in [none, long] {
        let recorded = holdpoint.decide(hurried(), call("T"));
        assert_eq!(recorded.judged().verdict.leading().map(|reason| reason.rule), Some(Rule::Obligation));
        assert!(matches!(recorded, Recorded::Pending(_)));
    }
    assert_eq!(log.all(), ["wrote asked", "wrote asked"], "nothing waited");
}
