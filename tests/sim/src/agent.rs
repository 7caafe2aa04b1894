//! An agent of the tests: one tool, `note`, that writes a file of the workspace or removes it for good.

use holdpoint::{Call, Caller, Claim, Claims};
use holdpoint_core::action::{Action, Fact};
use holdpoint_core::approval::Attesting;
use holdpoint_core::asking::Channel;
use holdpoint_core::assess::Route;
use holdpoint_core::finding::{Declared, Finding};
use holdpoint_core::grant::Loosened;
use holdpoint_core::json::Json;
use holdpoint_core::judge::Standing;
use holdpoint_core::level::Level;
use holdpoint_core::operation::{Access, Certainty, Effect, Operation, Scope, Segment, Span, TargetKind, Traits, Verb};
use holdpoint_core::paths::AbsPath;
use holdpoint_core::ports::{Classifier, Failure};
use holdpoint_core::posture::{Freeze, Posture};
use holdpoint_core::proof::Proof;
use holdpoint_core::run::Run;
use holdpoint_core::scene::Scene;
use holdpoint_core::words::WordSet;
use std::time::{SystemTime, UNIX_EPOCH};

/// Tells what `note` does.
#[derive(Clone, Copy, Debug)]
pub struct Removals;

impl Classifier for Removals {
    fn classify(&self, _vocabulary: usize, action: &Action, _facts: &[Fact]) -> Result<Finding, Failure> {
        let Action::Tool(tool) = action else { return Err(Failure::Unavailable) };
        let text = |key: &str| tool.arguments.get(key).and_then(Json::as_text).unwrap_or_default().to_owned();
        let (verb, effect) = match text("do").as_str() {
            "write" => (Verb::Update, Effect::Reversible),
            _ => (Verb::Delete, Effect::Irreversible),
        };
        let operation = Operation {
            verb,
            native: "note".to_owned(),
            target: vec![Segment { kind: TargetKind::File, name: text("file"), certainty: Certainty::Exact }],
            access: Access::Write,
            effect,
            scope: Scope::One,
            traits: Traits::EMPTY,
            origin: Span { part: 0, start: 0, end: 0 },
        };
        Ok(Finding { operations: vec![operation], ..Finding::default() })
    }
}

/// Who claims `note`.
pub fn claims() -> Claims {
    let file = Some(TargetKind::File);
    Claims::new([Claim {
        label: "notes 0.1.0".to_owned(),
        programs: Vec::new(),
        languages: Vec::new(),
        tools: vec![(String::new(), "note".to_owned())],
        declared: Declared::new([(Verb::Update, file), (Verb::Delete, file)]),
        route: Route::Direct,
    }])
}

/// A call of it: `write` or `remove`, and a file.
pub fn call(what: &str, file: &str) -> Call {
    let arguments = Json::object([("do", Json::text(what)), ("file", Json::text(file))]);
    Call { server: String::new(), tool: "note".to_owned(), arguments }
}

/// The agent in a run, where nobody can be asked over its own way in, and where claims are accepted.
pub fn caller(run: &str, freeze: Option<Freeze>) -> Caller {
    let workspace = AbsPath::parse("/work");
    Caller {
        principal: "embed:sim".to_owned(),
        standing: Standing {
            level: Level::Guarded,
            loosened: Loosened::NONE,
            declared: Vec::new(),
            denied: WordSet::EMPTY,
            honours: WordSet::EMPTY,
            rungs: Vec::new(),
            posture: Posture { freeze, ..Posture::FREE },
            advice: Vec::new(),
            scene: Scene { cwd: workspace.clone(), workspace: workspace.into_iter().collect(), ..Scene::default() },
            run: Run::default(),
            proof: Proof::of_host(),
        },
        channel: Channel::Nobody,
        run: run.to_owned(),
        call: String::new(),
        attesting: Attesting::Accepted,
        hypothetical: Vec::new(),
    }
}

/// Milliseconds since the Unix epoch: several processes have to agree on them.
pub fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
