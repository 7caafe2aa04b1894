//! A program that embeds Holdpoint: a vocabulary, a journal and a clock of its own, one call that may happen and one that
//! may not. Run it with `cargo run -p holdpoint --example embed`.

#![expect(clippy::disallowed_methods, reason = "an embedding program has a clock of its own")]

use holdpoint::core::action::{Action, Fact};
use holdpoint::core::approval::Attesting;
use holdpoint::core::asking::Channel;
use holdpoint::core::assess::Route;
use holdpoint::core::authorize::Recorded;
use holdpoint::core::finding::{Declared, Finding};
use holdpoint::core::grant::Loosened;
use holdpoint::core::journal::{Head, Line};
use holdpoint::core::json::Json;
use holdpoint::core::judge::Standing;
use holdpoint::core::level::Level;
use holdpoint::core::operation::{
    Access, Certainty, Effect, Operation, Scope, Segment, Span, TargetKind, Traits, Verb,
};
use holdpoint::core::paths::AbsPath;
use holdpoint::core::ports::{Classifier, Failure, Journal, NotDurable};
use holdpoint::core::posture::Posture;
use holdpoint::core::proof::Proof;
use holdpoint::core::run::Run;
use holdpoint::core::scene::Scene;
use holdpoint::core::words::WordSet;
use holdpoint::{Call, Caller, CapabilitySnapshot, Claim, Claims, Holdpoint, Surroundings, Uncounted};
use std::io::Write;
use std::sync::Mutex;
use std::time::{SystemTime, UNIX_EPOCH};

/// Knows one tool: `note` puts a file into the workspace, or removes it.
struct Notes;

impl Classifier for Notes {
    fn classify(&self, _vocabulary: usize, action: &Action, _facts: &[Fact]) -> Result<Finding, Failure> {
        let Action::Tool(tool) = action else { return Err(Failure::Unavailable) };
        let text = |key: &str| tool.arguments.get(key).and_then(Json::as_text).unwrap_or_default().to_owned();
        let (verb, effect) = match text("do").as_str() {
            "write" => (Verb::Update, Effect::Reversible),
            _ => (Verb::Delete, Effect::Irreversible),
        };
        let target = Segment { kind: TargetKind::File, name: text("file"), certainty: Certainty::Exact };
        let operation = Operation {
            verb,
            native: "note".to_owned(),
            target: vec![target],
            access: Access::Write,
            effect,
            scope: Scope::One,
            traits: Traits::EMPTY,
            origin: Span { part: 0, start: 0, end: 0 },
        };
        Ok(Finding { operations: vec![operation], ..Finding::default() })
    }
}

/// Keeps the chain in memory. A real program uses `holdpoint-store`.
struct Memory(Mutex<Head>);

impl Journal for Memory {
    fn append(&self, lines: &[Line], _at_ms: u64) -> Result<(), NotDurable> {
        let mut head = self.0.lock().map_err(|_| NotDurable { cause: "the lock is poisoned".to_owned() })?;
        *head = lines.iter().fold(*head, |head, line| line.seal(head).1);
        Ok(())
    }
}

struct Clock;

impl Surroundings for Clock {
    fn now_ms(&self) -> u64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }

    fn correlation_id(&self) -> String {
        format!("example-{}", self.now_ms())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = Some(TargetKind::File);
    let claim = Claim {
        label: "notes 0.1.0".to_owned(),
        programs: Vec::new(),
        languages: Vec::new(),
        tools: vec![(String::new(), "note".to_owned())],
        declared: Declared::new([(Verb::Update, file), (Verb::Delete, file)]),
        route: Route::Direct,
    };
    let gate = Holdpoint::builder()
        .vocabularies(Claims::new([claim]), Notes)
        .journal(Memory(Mutex::new(Head::START)))
        .meter(Uncounted)
        .surroundings(Clock)
        .snapshot(CapabilitySnapshot::of_tools([("", "note")]))
        .build()?;
    let workspace = AbsPath::parse("/work").ok_or("not an absolute path")?;
    let caller = Caller {
        principal: "embed:example".to_owned(),
        standing: Standing {
            level: Level::Guarded,
            loosened: Loosened::NONE,
            declared: Vec::new(),
            denied: WordSet::EMPTY,
            honours: WordSet::EMPTY,
            rungs: Vec::new(),
            posture: Posture::FREE,
            advice: Vec::new(),
            scene: Scene {
                cwd: Some(workspace.clone()),
                workspace: vec![workspace],
                home: None,
                protected: Vec::new(),
            },
            // The host tells nothing more about the run.
            run: Run::default(),
            proof: Proof::of_host(),
        },
        channel: Channel::Nobody,
        run: String::new(),
        call: String::new(),
        attesting: Attesting::Refused,
        hypothetical: Vec::new(),
    };
    let mut out = std::io::stdout().lock();
    for (tool, what, file) in [("note", "write", "todo.txt"), ("note", "remove", "todo.txt"), ("shell", "write", "x")] {
        let arguments = Json::object([("do", Json::text(what)), ("file", Json::text(file))]);
        let call = Call { server: String::new(), tool: tool.to_owned(), arguments };
        match gate.decide(caller.clone(), call) {
            Recorded::Committed(committed) => {
                writeln!(out, "{tool} {what} {file}: goes ahead as {}", committed.judged().stamp.correlation_id)?;
            }
            Recorded::Pending(_) => writeln!(out, "{tool} {what} {file}: waits for a person")?,
            refused @ Recorded::Denied(_) => {
                let rule = refused.judged().verdict.leading().map_or("", |reason| reason.rule.as_str());
                writeln!(out, "{tool} {what} {file}: refused by {rule}")?;
            }
        }
    }
    Ok(())
}
