//! `check` and `explain`: judge without letting anything through.

use crate::args::{CheckArgs, SessionArgs};
use crate::commands::context;
use crate::config::Configured;
use crate::exit::{Exit, Failure};
use crate::gate::{self, Gate, Parts};
use crate::{home, output, render};
use holdpoint::core::approval::Attesting;
use holdpoint::core::asking::Channel;
use holdpoint::core::authorize::Recorded;
use holdpoint::core::json::Json;
use holdpoint::core::judge::Standing;
use holdpoint::core::level::Level;
use holdpoint::core::proof::Proof;
use holdpoint::core::run::Run;
use holdpoint::core::rungs::Rung;
use holdpoint::core::toggle::{Permissive, ToggleKey};
use holdpoint::core::words::{Word, WordSet};
use holdpoint::{Call, Caller, Request};
use holdpoint_core::declared::Restrictive;
use holdpoint_core::registry::Registry;
use holdpoint_gateway::json;
use holdpoint_store::{Counting, StateFolder};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// Most bytes of one line of a batch.
const BATCH_LINE_BYTES_MAX: u64 = json::DOCUMENT_BYTES_MAX as u64;
/// Bytes of a batch that are read at once.
const BATCH_BUFFER_BYTES: usize = 256 << 10;
/// Most decisions that are made durable together.
const BATCH_CHUNK: usize = 256;

/// Judges and answers in a few lines, or as JSON.
pub(crate) fn check(args: &CheckArgs) -> Result<Exit, Failure> {
    match &args.batch {
        Some(file) => batch(args, file),
        None => one(args, render::summary),
    }
}

/// Judges and shows how the answer came about.
pub(crate) fn explain(args: &CheckArgs) -> Result<Exit, Failure> {
    if args.batch.is_some() {
        return Err(Failure::usage("`explain` takes one call", "use `holdpoint check --batch`"));
    }
    one(args, render::explanation)
}

/// What the arguments say about who calls and from where.
struct Defaults {
    server: String,
    tool: String,
    principal: String,
    level: Level,
    configured: Configured,
    session: SessionArgs,
    permissive: Permissive,
    declared: Vec<Restrictive>,
    rungs: Vec<Rung>,
    hypothetical: Vec<String>,
    run: Run,
    proof: Proof,
    cwd: String,
    workspace: String,
    state: StateFolder,
    protected: Vec<PathBuf>,
}

impl Defaults {
    fn of(args: &CheckArgs, parts: &Parts) -> Result<Defaults, Failure> {
        let current = std::env::current_dir()
            .map_err(|error| Failure::usage(format!("the current folder is not known: {error}"), "pass --cwd"))?;
        let folder = |given: &Option<PathBuf>| {
            let path = given.as_ref().map_or_else(|| current.clone(), |given| current.join(given));
            path.to_str().map(str::to_owned).ok_or_else(|| Failure::usage("a folder's name is not UTF-8", ""))
        };
        let (run, proof) = context::told(&args.context)?;
        let registry = parts.registry()?;
        let workspace = folder(&args.workspace)?;
        let named = args.config.as_deref();
        let configured = Configured::read(parts.state.path(), named, Some(Path::new(&workspace)), &registry);
        Ok(Defaults {
            server: args.server.clone(),
            tool: args.tool.clone(),
            principal: args.principal.clone(),
            level: args.level.as_deref().map_or(Ok(gate::GATED_LEVEL), level)?,
            protected: configured.protected(),
            configured,
            session: args.session.clone(),
            permissive: loosened(&args.loosen, &registry)?,
            declared: registry.restrictive(|key| args.loosen.iter().any(|loosened| loosened == key)),
            rungs: parts.rungs()?,
            hypothetical: args.loosen.clone(),
            run,
            proof,
            cwd: folder(&args.cwd)?,
            workspace,
            state: parts.state.clone(),
        })
    }

    fn caller(&self, principal: &str, wanted: Level, cwd: &str) -> Result<Caller, Failure> {
        let standing = Standing {
            level: wanted,
            loosened: self.permissive.into(),
            declared: self.declared.clone(),
            denied: WordSet::EMPTY,
            honours: gate::all_obligations(),
            rungs: self.rungs.clone(),
            posture: gate::posture(&self.state),
            advice: Vec::new(),
            scene: gate::scene(&self.state, &self.protected, Some(cwd), Some(&self.workspace))?,
            run: self.run.clone(),
            proof: self.proof,
        };
        Ok(Caller {
            principal: principal.to_owned(),
            standing: self.configured.bind(principal, &self.session, standing),
            channel: Channel::Terminal,
            run: String::new(),
            call: String::new(),
            attesting: Attesting::Refused,
            hypothetical: self.hypothetical.clone(),
        })
    }

    fn degraded(&self, gate: &Gate) -> Vec<String> {
        gate.parts.degraded().into_iter().chain(self.configured.notes()).collect()
    }
}

fn level(word: &str) -> Result<Level, Failure> {
    Level::from_word(word).ok_or_else(|| {
        let known: Vec<&str> = Level::ALL.iter().map(|level| level.as_str()).collect();
        Failure::usage(format!("there is no level `{word}`"), format!("levels: {}", known.join(", ")))
    })
}

/// The toggles that a rehearsal takes for permissive; an unknown one is an error that names them all.
fn loosened(keys: &[String], registry: &Registry) -> Result<Permissive, Failure> {
    keys.iter().try_fold(Permissive::EMPTY, |set, key| {
        let known =
            || registry.toggles().iter().map(|toggle| &*toggle.declaration().key).collect::<Vec<_>>().join(", ");
        match (ToggleKey::from_word(key), registry.get(key)) {
            (Some(key), _) => Ok(set.with(key)),
            (None, Some(_)) => Ok(set),
            (None, None) => Err(Failure::usage(format!("there is no toggle `{key}`"), format!("toggles: {}", known()))),
        }
    })
}

fn one(args: &CheckArgs, human: fn(&Recorded) -> String) -> Result<Exit, Failure> {
    let arguments = match (&args.arguments, &args.line) {
        (Some(text), _) => json::read(text.as_bytes())
            .map_err(|error| Failure::usage(format!("--arguments: {error}"), "pass one JSON object"))?,
        (None, Some(line)) => Json::object([("command", Json::text(line.as_str()))]),
        (None, None) => {
            return Err(Failure::usage("nothing to judge", "pass a shell line, --arguments JSON or --batch FILE"));
        }
    };
    let (gate, defaults) = open(args)?;
    let call = Call { server: args.server.clone(), tool: args.tool.clone(), arguments };
    let caller = defaults.caller(&defaults.principal, defaults.level, &defaults.cwd)?;
    let recorded = gate.holdpoint.decide(caller, call);
    let degraded = defaults.degraded(&gate);
    if args.json {
        output::data(&(render::document(&recorded, &degraded) + "\n"))?;
    } else {
        output::data(&human(&recorded))?;
        degraded.iter().for_each(|text| output::note(&format!("degraded: {}", output::visible_lines(text))));
    }
    Ok(exit(&recorded))
}

fn open(args: &CheckArgs) -> Result<(Gate, Defaults), Failure> {
    let parts = Parts::load(home::open_or_create()?)?;
    let defaults = Defaults::of(args, &parts)?;
    let gate = parts.gate(Counting::Look, &defaults.configured.config)?;
    Ok((gate, defaults))
}

fn exit(recorded: &Recorded) -> Exit {
    match recorded {
        Recorded::Committed(_) => Exit::Done,
        Recorded::Pending(_) => Exit::Asked,
        Recorded::Denied(_) => Exit::Denied,
    }
}

/// Answers every line, in order. A line that cannot be read is answered with a refusal like any other.
///
/// Lines that have arrived together are made durable together. Whoever sends one line and waits gets its answer.
fn batch(args: &CheckArgs, file: &Path) -> Result<Exit, Failure> {
    let input: Box<dyn Read> = if file == Path::new("-") {
        Box::new(std::io::stdin())
    } else {
        Box::new(std::fs::File::open(file).map_err(|error| Failure::file(file, &error))?)
    };
    let mut lines = BufReader::with_capacity(BATCH_BUFFER_BYTES, input);
    let (gate, defaults) = open(args)?;
    let mut waiting = Vec::new();
    while let Some(line) = next_line(&mut lines).map_err(|error| Failure::file(file, &error))? {
        if !line.trim_ascii().is_empty() {
            waiting.push(request(&defaults, &line)?);
        }
        let more_has_arrived = lines.buffer().contains(&b'\n');
        if waiting.len() == BATCH_CHUNK || !more_has_arrived {
            answer(&gate, &defaults, std::mem::take(&mut waiting))?;
        }
    }
    answer(&gate, &defaults, waiting)?;
    Ok(Exit::Done)
}

/// The next line without its end; over the bound it is cut just behind it, so that reading it is refused.
fn next_line(lines: &mut impl BufRead) -> std::io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let read = lines.by_ref().take(BATCH_LINE_BYTES_MAX.saturating_add(1)).read_until(b'\n', &mut line)?;
    if read == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
    } else if line.len() as u64 > BATCH_LINE_BYTES_MAX {
        skip_line(lines)?;
    }
    Ok(Some(line))
}

fn skip_line(lines: &mut impl BufRead) -> std::io::Result<()> {
    loop {
        let (used, done) = match lines.fill_buf()? {
            [] => (0, true),
            buffer => match buffer.iter().position(|byte| *byte == b'\n') {
                Some(end) => (end.saturating_add(1), true),
                None => (buffer.len(), false),
            },
        };
        lines.consume(used);
        if done {
            return Ok(());
        }
    }
}

fn answer(gate: &Gate, defaults: &Defaults, waiting: Vec<(Caller, Request)>) -> Result<(), Failure> {
    if waiting.is_empty() {
        return Ok(());
    }
    let recorded = gate.holdpoint.decide_all(waiting);
    let degraded = defaults.degraded(gate);
    let mut text = String::new();
    for recorded in &recorded {
        text.push_str(&render::document(recorded, &degraded));
        text.push('\n');
    }
    output::data(&text)
}

fn request(defaults: &Defaults, line: &[u8]) -> Result<(Caller, Request), Failure> {
    let read = json::read(line).map_err(|error| error.to_string()).and_then(|json| batch_call(defaults, &json));
    let (principal, level, cwd, request) = match read {
        Ok(BatchCall { principal, level, cwd, call }) => (principal, level, cwd, Request::Call(call)),
        Err(problem) => {
            (defaults.principal.clone(), defaults.level, defaults.cwd.clone(), Request::Unreadable(problem))
        }
    };
    Ok((defaults.caller(&principal, level, &cwd)?, request))
}

struct BatchCall {
    principal: String,
    level: Level,
    cwd: String,
    call: Call,
}

/// Members that a line of a batch may have.
const BATCH_MEMBERS: &[&str] = &["tool", "arguments", "server", "principal", "level", "cwd"];

fn batch_call(defaults: &Defaults, json: &Json) -> Result<BatchCall, String> {
    let Json::Object(members) = json else { return Err("a line is not a JSON object".to_owned()) };
    if let Some((unknown, _)) = members.iter().find(|(key, _)| !BATCH_MEMBERS.contains(&key.as_str())) {
        return Err(format!("a line may not have the member `{unknown}`"));
    }
    let text = |key: &str, default: &str| match json.get(key) {
        None => Ok(default.to_owned()),
        Some(Json::Text(text)) => Ok(text.clone()),
        Some(_) => Err(format!("`{key}` is not a string")),
    };
    let level = match json.get("level") {
        None => defaults.level,
        Some(word) => word.as_text().and_then(Level::from_word).ok_or("`level` is not a level")?,
    };
    let call = Call {
        server: text("server", &defaults.server)?,
        tool: text("tool", &defaults.tool)?,
        arguments: json.get("arguments").cloned().ok_or("`arguments` is missing")?,
    };
    Ok(BatchCall { principal: text("principal", &defaults.principal)?, level, cwd: text("cwd", &defaults.cwd)?, call })
}
