//! Vocabularies, journals and clocks of the tests' own.

use holdpoint::core::action::{Action, ArgWord, Fact, FactQuery, Input, Invocation, WorkingDir};
use holdpoint::core::approval::Attesting;
use holdpoint::core::asking::Channel;
use holdpoint::core::assess::{Cause, Route};
use holdpoint::core::authorize::{Judged, Recorded};
use holdpoint::core::finding::{Declared, Delegate, Finding};
use holdpoint::core::journal::Line;
use holdpoint::core::json::Json;
use holdpoint::core::judge::Standing;
use holdpoint::core::level::Level;
use holdpoint::core::operation::{
    Access, Certainty, Effect, ObligationKind, Operation, Scope, Span, TargetKind, Traits, Verb,
};
use holdpoint::core::paths::AbsPath;
use holdpoint::core::ports::{Classifier, Failure, Journal, NotDurable};
use holdpoint::core::posture::Posture;
use holdpoint::core::proof::Proof;
use holdpoint::core::run::Run;
use holdpoint::core::scene::Scene;
use holdpoint::core::toggle::ToggleKey;
use holdpoint::core::words::{Word, WordSet};
use holdpoint::{Call, Caller, CapabilitySnapshot, Claim, Claims, FactProvider, Holdpoint, Surroundings, Uncounted};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

pub(crate) const SPAN: Span = Span { part: 0, start: 0, end: 0 };

pub(crate) type Answer = fn(&Action, &[Fact]) -> Result<Finding, Failure>;

pub(crate) struct Fake(pub(crate) Answer);

impl Classifier for Fake {
    fn classify(&self, _vocabulary: usize, action: &Action, facts: &[Fact]) -> Result<Finding, Failure> {
        (self.0)(action, facts)
    }
}

#[derive(Clone, Default)]
pub(crate) struct Lines(pub(crate) Arc<Mutex<usize>>);

impl Journal for Lines {
    fn append(&self, lines: &[Line], _at_ms: u64) -> Result<(), NotDurable> {
        let mut count = self.0.lock().map_err(|_| NotDurable { cause: "poisoned".to_owned() })?;
        *count += lines.len();
        Ok(())
    }
}

pub(crate) struct Fails;

impl Journal for Fails {
    fn append(&self, _lines: &[Line], _at_ms: u64) -> Result<(), NotDurable> {
        Err(NotDurable { cause: "no space".to_owned() })
    }
}

pub(crate) struct Still;

impl Surroundings for Still {
    fn now_ms(&self) -> u64 {
        3 * 24 * 60 * 60 * 1_000
    }

    fn correlation_id(&self) -> String {
        "c".to_owned()
    }
}

/// A clock that moves on whenever it is read.
pub(crate) struct Slow(pub(crate) AtomicU64, pub(crate) u64);

impl Surroundings for Slow {
    fn now_ms(&self) -> u64 {
        self.0.fetch_add(self.1, Ordering::Relaxed)
    }

    fn correlation_id(&self) -> String {
        "c".to_owned()
    }
}

pub(crate) struct Told(pub(crate) &'static str);

impl FactProvider for Told {
    fn answer(&self, _query: &FactQuery, _cwd: Option<&AbsPath>) -> Option<String> {
        (!self.0.is_empty()).then(|| self.0.to_owned())
    }
}

pub(crate) fn nothing() -> Operation {
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

pub(crate) fn delegate() -> Delegate {
    let word = ArgWord { certainty: Certainty::Exact, text: "again".to_owned(), origin: SPAN };
    let invocation = Invocation { argv: vec![word], env: Vec::new(), cwd: WorkingDir::Same, stdin: Input::Empty };
    Delegate { action: Action::Program(invocation), origin: SPAN }
}

pub(crate) fn claims(route: Route) -> Claims {
    Claims::new([Claim {
        label: "fake".to_owned(),
        programs: vec!["again".to_owned()],
        languages: Vec::new(),
        tools: vec![(String::new(), "T".to_owned())],
        declared: Declared::new([(Verb::Nothing, None), (Verb::Exec, Some(TargetKind::Code))])
            .with_obligations([ObligationKind::UndoWindow]),
        route,
    }])
}

#[expect(clippy::expect_used, reason = "a gate of the test that lacks a part fails the test")]
pub(crate) fn gate(
    answer: Answer,
    journal: impl Journal + Send + Sync + 'static,
    told: Option<&'static str>,
) -> Holdpoint {
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

pub(crate) fn caller(level: Level) -> Caller {
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
        attesting: Attesting::Refused,
        hypothetical: Vec::new(),
    }
}

pub(crate) fn call(tool: &str) -> Call {
    Call { server: String::new(), tool: tool.to_owned(), arguments: Json::object([]) }
}

pub(crate) fn causes(judged: &Judged) -> Vec<Cause> {
    judged.assessment.iter().flat_map(|known| known.unknowns().iter().map(|unknown| unknown.cause)).collect()
}

pub(crate) fn decide(answer: Answer, told: Option<&'static str>) -> Recorded {
    gate(answer, Lines::default(), told).decide(caller(Level::Unrestricted), call("T"))
}
