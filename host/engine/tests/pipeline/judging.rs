//! Bounds of the worklist, facts, tools that do not exist, and a journal that fails.

use crate::fakes::*;
use holdpoint::core::action::{Action, Fact, FactKind, FactQuery};
use holdpoint::core::assess::{Cause, DEPTH_MAX, NODES_MAX, OPERATIONS_MAX, Route};
use holdpoint::core::authorize::Recorded;
use holdpoint::core::finding::{DELEGATES_MAX, Declared, Finding, OPERATIONS_MAX as FINDING_OPERATIONS_MAX};
use holdpoint::core::level::Level;
use holdpoint::core::operation::{Access, Certainty, Operation, Segment, TargetKind, Verb};
use holdpoint::core::paths::AbsPath;
use holdpoint::core::ports::{Classifier, Failure};
use holdpoint::{ANSWER_BYTES_MAX, CALL_MS_MAX, CapabilitySnapshot, Claim, Claims, FactProvider, Holdpoint, Uncounted};
use std::sync::atomic::AtomicU64;

#[test]
fn a_vocabulary_that_hands_on_for_ever_ends_at_the_depth_bound() {
    let recorded = decide(|_, _| Ok(Finding { delegates: vec![delegate()], ..Finding::default() }), None);
    assert!(matches!(recorded, Recorded::Pending(_)));
    let judged = recorded.judged();
    assert_eq!(causes(judged), [Cause::OverBound]);
    assert_eq!(judged.assessment.as_ref().map(|known| known.nodes().len()), Some(DEPTH_MAX + 1));
}

#[test]
fn a_vocabulary_that_hands_on_too_much_ends_at_the_bound_of_actions() {
    let recorded =
        decide(|_, _| Ok(Finding { delegates: vec![delegate(); DELEGATES_MAX], ..Finding::default() }), None);
    assert!(matches!(recorded, Recorded::Pending(_)));
    assert_eq!(recorded.judged().assessment.as_ref().map(|known| known.nodes().len()), Some(NODES_MAX));
}

#[test]
fn a_call_that_takes_too_long_is_unknown() {
    let answer: Answer = |action, _| {
        let leaf = matches!(action, Action::Program(_));
        let delegates = if leaf { Vec::new() } else { vec![delegate()] };
        Ok(Finding { operations: vec![nothing()], delegates, ..Finding::default() })
    };
    // The clock moves on once while the first action is asked about; the second is only begun within the bound.
    for (step_ms, expected) in [(CALL_MS_MAX, vec![]), (CALL_MS_MAX + 1, vec![Cause::OverBound])] {
        let gate = Holdpoint::builder()
            .vocabularies(claims(Route::Direct), Fake(answer))
            .journal(Lines::default())
            .meter(Uncounted)
            .surroundings(Slow(AtomicU64::new(0), step_ms))
            .snapshot(CapabilitySnapshot::of_host())
            .build()
            .expect("nothing is missing");
        let judged = gate.rehearse(caller(Level::Unrestricted), call("T"));
        assert_eq!(causes(&judged), expected, "{step_ms}");
    }
}

#[test]
fn an_answer_about_live_state_just_over_its_bound_is_no_answer() {
    struct Long(usize);
    impl FactProvider for Long {
        fn answer(&self, _query: &FactQuery, _cwd: Option<&AbsPath>) -> Option<String> {
            Some("x".repeat(self.0))
        }
    }
    for (bytes, expected) in [(ANSWER_BYTES_MAX, vec![]), (ANSWER_BYTES_MAX + 1, vec![Cause::MissingFact])] {
        let gate = Holdpoint::builder()
            .vocabularies(claims(Route::Direct), Fake(ASKS))
            .journal(Lines::default())
            .meter(Uncounted)
            .surroundings(Still)
            .snapshot(CapabilitySnapshot::of_host())
            .facts(Long(bytes))
            .build()
            .expect("nothing is missing");
        assert_eq!(causes(gate.decide(caller(Level::Unrestricted), call("T")).judged()), expected, "{bytes}");
    }
}

#[test]
fn more_operations_than_the_bound_are_unknown() {
    let recorded = decide(
        |action, _| {
            let leaf = matches!(action, Action::Program(_));
            let operations = vec![nothing(); FINDING_OPERATIONS_MAX];
            let delegates = if leaf { Vec::new() } else { vec![delegate(); 9] };
            Ok(Finding { operations, delegates, ..Finding::default() })
        },
        None,
    );
    assert!(matches!(recorded, Recorded::Pending(_)));
    let known = recorded.judged().assessment.as_ref().map(|known| known.operations().len());
    assert_eq!(known, Some(OPERATIONS_MAX));
}

#[test]
fn every_failure_of_a_vocabulary_is_a_question_at_every_level() {
    let recorded = decide(|_, _| Err(Failure::Trapped), None);
    assert!(matches!(recorded, Recorded::Pending(_)));
    assert_eq!(causes(recorded.judged()), [Cause::Failure(Failure::Trapped)]);
}

const ASKS: Answer = |_, facts| {
    let query = FactQuery { kind: FactKind::PathKind, subject: "x".to_owned() };
    let told = facts.iter().any(|fact| fact.query == query);
    let facts_needed = if told { Vec::new() } else { vec![query] };
    Ok(Finding { operations: vec![nothing()], facts_needed, ..Finding::default() })
};

#[test]
fn a_fact_is_asked_once_and_one_that_nobody_tells_is_unknown() {
    assert!(matches!(decide(ASKS, Some("a file")), Recorded::Committed(_)));
    for untold in [None, Some("")] {
        assert_eq!(causes(decide(ASKS, untold).judged()), [Cause::MissingFact]);
    }
    let insatiable: Answer = |_, facts| {
        let query = FactQuery { kind: FactKind::PathKind, subject: facts.len().to_string() };
        Ok(Finding { operations: vec![nothing()], facts_needed: vec![query], ..Finding::default() })
    };
    assert_eq!(causes(decide(insatiable, Some("x")).judged()), [Cause::MissingFact]);
}

#[test]
fn a_tool_outside_the_snapshot_does_not_exist() {
    let lines = Lines::default();
    let gate = gate(|_, _| Ok(Finding::default()), lines.clone(), None);
    let recorded = gate.decide(caller(Level::Unrestricted), call("Other"));
    let rule = recorded.judged().verdict.leading().map(|reason| reason.rule.as_str());
    assert_eq!(rule, Some("capability.tool-unavailable"));
    assert_eq!(lines.0.lock().map(|count| *count).ok(), Some(1), "a refusal is recorded too");
}

#[test]
fn a_journal_that_fails_turns_an_allow_into_a_denial() {
    let gate = gate(|_, _| Ok(Finding { operations: vec![nothing()], ..Finding::default() }), Fails, None);
    let recorded = gate.decide(caller(Level::Unrestricted), call("T"));
    assert!(matches!(recorded, Recorded::Denied(_)));
}

#[test]
fn what_a_shell_hands_on_arrives_through_a_shell_whoever_asked_for_the_shell() {
    let answer: Answer = |action, _| match action {
        Action::Tool(_) => Ok(Finding { delegates: vec![delegate()], ..Finding::default() }),
        Action::Program(_) | Action::Source(_) => Ok(Finding { operations: vec![nothing()], ..Finding::default() }),
    };
    let gate = Holdpoint::builder()
        .vocabularies(claims(Route::Shell), Fake(answer))
        .journal(Lines::default())
        .meter(Uncounted)
        .surroundings(Still)
        .snapshot(CapabilitySnapshot::of_host())
        .build()
        .expect("nothing is missing");
    let judged = gate.rehearse(caller(Level::Guarded), call("T"));
    let routes: Vec<Route> =
        judged.assessment.iter().flat_map(|known| known.nodes().iter().map(|node| node.route)).collect();
    assert_eq!(routes, [Route::Shell, Route::Shell]);
}

#[test]
fn a_gate_out_of_order_refuses_everything_with_its_reason() {
    let gate = Holdpoint::builder()
        .out_of_order("a record is damaged")
        .vocabularies(claims(Route::Direct), Fake(|_, _| Ok(Finding::default())))
        .journal(Lines::default())
        .meter(Uncounted)
        .surroundings(Still)
        .snapshot(CapabilitySnapshot::of_host())
        .build()
        .expect("nothing is missing");
    let recorded = gate.decide(caller(Level::Unrestricted), call("T"));
    let reason = recorded.judged().verdict.leading().map(|reason| (reason.rule.as_str(), reason.detail.clone()));
    assert_eq!(reason, Some(("gate.configuration", "a record is damaged".to_owned())));
}

#[test]
fn a_file_behind_a_link_counts_under_both_names() {
    struct Links;
    impl FactProvider for Links {
        fn answer(&self, query: &FactQuery, _cwd: Option<&AbsPath>) -> Option<String> {
            (query.kind == FactKind::ResolvedPath).then(|| query.subject.replace("/w/link", "/secret"))
        }
    }
    let touching = |verb, name: &'static str, certainty| {
        let target = vec![Segment { kind: TargetKind::File, name: name.to_owned(), certainty }];
        Operation { verb, target, access: Access::Write, ..nothing() }
    };
    let operations = vec![
        touching(Verb::Get, "/w/link/a", Certainty::Exact),
        touching(Verb::Get, "/w/link/*.txt", Certainty::Glob),
        touching(Verb::Delete, "/w/link", Certainty::Exact),
        touching(Verb::Delete, "/w/link/a", Certainty::Exact),
        touching(Verb::Get, "/w/plain", Certainty::Exact),
        touching(Verb::Get, "/proc/self/x", Certainty::Exact),
    ];
    struct Says(Vec<Operation>);
    impl Classifier for Says {
        fn classify(&self, _: usize, _: &Action, _: &[Fact]) -> Result<Finding, Failure> {
            Ok(Finding { operations: self.0.clone(), ..Finding::default() })
        }
    }
    let file = Some(TargetKind::File);
    let claims = Claims::new([Claim {
        declared: Declared::new([(Verb::Get, file), (Verb::Delete, file)]),
        label: "fake".to_owned(),
        programs: Vec::new(),
        languages: Vec::new(),
        tools: vec![(String::new(), "T".to_owned())],
        route: Route::Direct,
    }]);
    let gate = Holdpoint::builder()
        .vocabularies(claims, Says(operations))
        .journal(Lines::default())
        .meter(Uncounted)
        .surroundings(Still)
        .snapshot(CapabilitySnapshot::of_host())
        .facts(Links)
        .build()
        .expect("nothing is missing");
    let judged = gate.rehearse(caller(Level::Unrestricted), call("T"));
    let names: Vec<String> = judged
        .assessment
        .iter()
        .flat_map(|known| known.operations().iter().skip(6).map(|found| found.operation.target[0].name.clone()))
        .collect();
    assert_eq!(names, ["/secret/a", "/secret/*.txt", "/secret/a"]);
}
