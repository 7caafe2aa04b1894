//! The pipeline with vocabularies and journals of the test's own: bounds of the worklist, facts, tools that do not exist,
//! and a journal that fails.

use holdpoint::core::action::{Action, ArgWord, Fact, FactKind, FactQuery, Input, Invocation, WorkingDir};
use holdpoint::core::asking::Channel;
use holdpoint::core::assess::{Cause, DEPTH_MAX, NODES_MAX, OPERATIONS_MAX, Route};
use holdpoint::core::authorize::{Judged, Recorded};
use holdpoint::core::finding::{DELEGATES_MAX, Declared, Delegate, Finding, OPERATIONS_MAX as FINDING_OPERATIONS_MAX};
use holdpoint::core::grant::{Cap, Grant, Loosened, Terms};
use holdpoint::core::journal::Line;
use holdpoint::core::json::Json;
use holdpoint::core::judge::Standing;
use holdpoint::core::level::Level;
use holdpoint::core::operation::{
    Access, Certainty, Effect, ObligationKind, Operation, Scope, Segment, Span, TargetKind, Traits, Verb,
};
use holdpoint::core::paths::AbsPath;
use holdpoint::core::ports::{Classifier, Failure, Journal, Meter, NotDurable, Settled};
use holdpoint::core::posture::Posture;
use holdpoint::core::proof::Proof;
use holdpoint::core::run::Run;
use holdpoint::core::scene::Scene;
use holdpoint::core::toggle::{Permissive, ToggleKey};
use holdpoint::core::uses::Use;
use holdpoint::core::verdict::Rule;
use holdpoint::core::words::{Word, WordSet};
use holdpoint::{
    ANSWER_BYTES_MAX, CALL_MS_MAX, Call, Caller, CapabilitySnapshot, Claim, Claims, FactProvider, Holdpoint,
    Surroundings, Uncounted,
};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

const SPAN: Span = Span { part: 0, start: 0, end: 0 };

type Answer = fn(&Action, &[Fact]) -> Result<Finding, Failure>;

struct Fake(Answer);

impl Classifier for Fake {
    fn classify(&self, _vocabulary: usize, action: &Action, facts: &[Fact]) -> Result<Finding, Failure> {
        (self.0)(action, facts)
    }
}

#[derive(Clone, Default)]
struct Lines(Arc<Mutex<usize>>);

impl Journal for Lines {
    fn append(&self, lines: &[Line], _at_ms: u64) -> Result<(), NotDurable> {
        let mut count = self.0.lock().map_err(|_| NotDurable { cause: "poisoned".to_owned() })?;
        *count += lines.len();
        Ok(())
    }
}

struct Fails;

impl Journal for Fails {
    fn append(&self, _lines: &[Line], _at_ms: u64) -> Result<(), NotDurable> {
        Err(NotDurable { cause: "no space".to_owned() })
    }
}

struct Still;

impl Surroundings for Still {
    fn now_ms(&self) -> u64 {
        3 * 24 * 60 * 60 * 1_000
    }

    fn correlation_id(&self) -> String {
        "c".to_owned()
    }
}

/// A clock that moves on whenever it is read.
struct Slow(AtomicU64, u64);

impl Surroundings for Slow {
    fn now_ms(&self) -> u64 {
        self.0.fetch_add(self.1, Ordering::Relaxed)
    }

    fn correlation_id(&self) -> String {
        "c".to_owned()
    }
}

struct Told(&'static str);

impl FactProvider for Told {
    fn answer(&self, _query: &FactQuery, _cwd: Option<&AbsPath>) -> Option<String> {
        (!self.0.is_empty()).then(|| self.0.to_owned())
    }
}

fn nothing() -> Operation {
    Operation {
        verb: Verb::Nothing,
        native: "x".to_owned(),
        target: Vec::new(),
        access: Access::List,
        effect: Effect::None,
        scope: Scope::One,
        traits: Traits::EMPTY,
        origin: SPAN,
    }
}

fn delegate() -> Delegate {
    let word = ArgWord { certainty: Certainty::Exact, text: "again".to_owned(), origin: SPAN };
    let invocation = Invocation { argv: vec![word], env: Vec::new(), cwd: WorkingDir::Same, stdin: Input::Empty };
    Delegate { action: Action::Program(invocation), origin: SPAN }
}

fn claims(route: Route) -> Claims {
    Claims::new([Claim {
        label: "fake".to_owned(),
        programs: vec!["again".to_owned()],
        languages: Vec::new(),
        tools: vec![(String::new(), "T".to_owned())],
        declared: Declared::new([(Verb::Nothing, None), (Verb::Exec, Some(TargetKind::Code))]),
        route,
    }])
}

#[expect(clippy::expect_used, reason = "a gate of the test that lacks a part fails the test")]
fn gate(answer: Answer, journal: impl Journal + Send + Sync + 'static, told: Option<&'static str>) -> Holdpoint {
    let builder = Holdpoint::builder()
        .vocabularies(claims(Route::Direct), Fake(answer))
        .journal(journal)
        .meter(Uncounted)
        .surroundings(Still)
        .snapshot(CapabilitySnapshot::of_tools([("", "T")]));
    let builder = match told {
        Some(told) => builder.facts(Told(told)),
        None => builder,
    };
    builder.build().expect("nothing is missing")
}

fn caller(level: Level) -> Caller {
    Caller {
        principal: "test".to_owned(),
        standing: Standing {
            level,
            loosened: WordSet::of(ToggleKey::ALL).into(),
            declared: Vec::new(),
            denied: holdpoint_core::toggle::Permissive::EMPTY,
            honours: WordSet::of(ObligationKind::ALL),
            rungs: Vec::new(),
            posture: Posture::FREE,
            advice: Vec::new(),
            scene: Scene::default(),
            run: Run::default(),
            proof: Proof::of_host(),
        },
        channel: Channel::Terminal,
        run: String::new(),
        call: String::new(),
        attestation: None,
        hypothetical: Vec::new(),
    }
}

fn call(tool: &str) -> Call {
    Call { server: String::new(), tool: tool.to_owned(), arguments: Json::object([]) }
}

fn causes(judged: &Judged) -> Vec<Cause> {
    judged.assessment.iter().flat_map(|known| known.unknowns().iter().map(|unknown| unknown.cause)).collect()
}

fn decide(answer: Answer, told: Option<&'static str>) -> Recorded {
    gate(answer, Lines::default(), told).decide(caller(Level::Unrestricted), call("T"))
}

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

/// Has room for so many uses, and writes down what it was told.
#[derive(Clone, Default)]
struct Room(Arc<Mutex<(u64, Vec<String>)>>);

impl Meter for Room {
    fn reserve(&self, uses: &[Use], reference: &str, _at_ms: u64) -> Result<(), Permissive> {
        let keys = uses.iter().fold(Permissive::EMPTY, |set, wanted| set.with(wanted.key));
        let mut state = self.0.lock().map_err(|_| keys)?;
        let wanted: u64 = uses.iter().map(|wanted| wanted.count).sum();
        state.1.push(format!("{wanted} for {reference}"));
        state.0 = state.0.checked_sub(wanted).ok_or(keys)?;
        Ok(())
    }

    fn settle(&self, reference: &str, settled: Settled, _at_ms: u64) -> Result<(), NotDurable> {
        let mut state = self.0.lock().map_err(|_| NotDurable { cause: "poisoned".to_owned() })?;
        state.1.push(format!("{settled} {reference}"));
        Ok(())
    }
}

/// Decides a call that reaches another machine, with the network loosened for two uses a day.
#[expect(clippy::expect_used, reason = "a gate of the test that lacks a part fails the test")]
fn reaches(room: &Room, journal: impl Journal + Send + Sync + 'static, change: fn(&mut Caller)) -> Recorded {
    let answer: Answer = |_, _| {
        let traits = Traits::of(&[holdpoint::core::operation::Trait::Network]);
        Ok(Finding { operations: vec![Operation { traits, ..nothing() }], ..Finding::default() })
    };
    let gate = Holdpoint::builder()
        .vocabularies(claims(Route::Direct), Fake(answer))
        .journal(journal)
        .meter(room.clone())
        .surroundings(Still)
        .snapshot(CapabilitySnapshot::of_host())
        .build()
        .expect("nothing is missing");
    let mut caller = caller(Level::Unrestricted);
    let terms = Terms { cap: Some(Cap::Daily(2)), ..Terms::default() };
    caller.standing.loosened =
        Loosened::NONE.with(ToggleKey::NetAllowOutbound, Grant { terms, since_ms: 0, ..Grant::default() });
    change(&mut caller);
    gate.decide(caller, call("T"))
}

fn told(room: &Room) -> Vec<String> {
    room.0.lock().map(|state| state.1.clone()).unwrap_or_default()
}

#[test]
fn what_a_call_takes_of_a_limit_is_taken_before_it_happens_and_stands_in_its_record() {
    let room = Room(Arc::new(Mutex::new((1, Vec::new()))));
    let first = reaches(&room, Lines::default(), |_| {});
    assert!(matches!(first, Recorded::Committed(_)), "{first:?}");
    assert_eq!(first.judged().uses.iter().map(|taken| taken.count).collect::<Vec<_>>(), [1]);
    let second = reaches(&room, Lines::default(), |_| {});
    assert!(matches!(second, Recorded::Pending(_)), "{second:?}");
    let rule = second.judged().verdict.leading().map(|reason| reason.rule);
    assert_eq!(rule, Some(Rule::Toggle(ToggleKey::NetAllowOutbound)), "it is judged as if the toggle were restrictive");
    assert!(second.judged().uses.is_empty());
}

#[test]
fn what_is_not_let_through_takes_nothing_or_gives_it_back() {
    let room = Room(Arc::new(Mutex::new((1, Vec::new()))));
    let asked = reaches(&room, Lines::default(), |caller| caller.standing.loosened = Loosened::NONE);
    assert!(matches!(asked, Recorded::Pending(_)) && told(&room).is_empty());
    let lost = reaches(&room, Fails, |_| {});
    assert!(matches!(lost, Recorded::Denied(_)), "{lost:?}");
    let reference = lost.judged().stamp.correlation_id.clone();
    assert_eq!(told(&room), [format!("1 for {reference}"), format!("not-done {reference}")]);
}

#[test]
fn a_host_that_counts_nothing_meets_the_question() {
    assert_eq!(Uncounted.reserve(&[], "x", 0), Err(Permissive::EMPTY));
    let key = ToggleKey::NetAllowOutbound;
    let wanted = Use { key, count: 1, daily: Some(9), budget: None };
    assert_eq!(Uncounted.reserve(&[wanted], "x", 0), Err(Permissive::of(&[key])));
}

#[test]
fn a_decision_asks_whether_the_old_loosening_it_rests_on_is_still_needed() {
    let room = || Room(Arc::new(Mutex::new((9, Vec::new()))));
    let asked = |change: fn(&mut Caller)| reaches(&room(), Lines::default(), change).judged().still_needed.clone();
    let key = ToggleKey::NetAllowOutbound;
    assert_eq!(asked(|_| {}), [key]);
    let supposed: fn(&mut Caller) = |caller| caller.hypothetical = vec!["net.allow_outbound".to_owned()];
    assert_eq!(asked(supposed), [], "nobody loosened it");
    let stopped: fn(&mut Caller) = |caller| caller.standing.loosened = Loosened::NONE;
    assert_eq!(asked(stopped), [], "it was not let through");
}
