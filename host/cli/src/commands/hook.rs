//! `hook claude-code`: one event in, one answer out. Whatever goes wrong here ends with exit code 2 and a reason, which
//! the host reads as "block"; no failure is silent and none is late.

use crate::args::HookArgs;
use crate::commands::content;
use crate::commands::toggle::not_written;
use crate::config::Configured;
use crate::exit::{Exit, Failure};
use crate::gate::{self, Gate, Parts};
use crate::output;
use holdpoint::core::judge::Standing;
use holdpoint::core::outcome::{Became, Execution, Reference};
use holdpoint::core::proof::{Proof, Transport};
use holdpoint::core::run::Run;
use holdpoint::core::words::WordSet;
use holdpoint::{Caller, Request};
use holdpoint_core::json::Json;
use holdpoint_core::registry::Registry;
use holdpoint_gateway::claude_code::{self, Event, Payload};
use holdpoint_store::{Counting, StateFolder, Transitions};
use std::io::Read;
use std::path::Path;
use std::time::Duration;

/// Milliseconds after which the hook gives up. The host waits longer: `hook install` writes its deadline.
pub(crate) const DEADLINE_MS: u64 = 8_000;
/// The principal of this transport.
const PRINCIPAL: &str = "hook:claude-code";

/// Makes a panic read as "block".
pub(crate) fn block_on_panic() {
    std::panic::set_hook(Box::new(|_| block("internal error")));
}

/// Gives up at the deadline, whatever the rest of the program is doing.
fn block_after(deadline: Duration) -> Result<(), Failure> {
    let watch = move || {
        std::thread::sleep(deadline);
        block("no decision before the deadline");
    };
    let started = std::thread::Builder::new().stack_size(64 << 10).spawn(watch);
    started.map(|_| ()).map_err(|error| Failure::internal(format!("the deadline cannot be watched: {error}")))
}

fn block(reason: &str) {
    output::note(&format!("holdpoint: blocked: {reason}"));
    std::process::exit(Exit::Usage as i32);
}

/// Answers one event. Never fails: a failure is an answer.
pub(crate) fn claude_code(args: &HookArgs) -> Exit {
    match block_after(Duration::from_millis(DEADLINE_MS)).and_then(|()| answer(args)) {
        Ok(exit) => exit,
        Err(failure) => {
            output::note(&format!("holdpoint: blocked: {}", output::visible(&failure.what)));
            output::note(&format!("  help: {}", failure.help));
            Exit::Usage
        }
    }
}

fn answer(args: &HookArgs) -> Result<Exit, Failure> {
    output::leads_somewhere()?;
    let mut bytes = Vec::new();
    let most = holdpoint_gateway::json::DOCUMENT_BYTES_MAX as u64;
    let read = std::io::stdin().lock().take(most.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| Failure::internal(format!("standard input: {error}")))?;
    // The folder must be there already: a hook that made a new one would forget every decision and every limit.
    let parts = Parts::load(StateFolder::open(&args.state)?)?;
    match claude_code::read(&bytes) {
        Ok(Event::Before(payload)) => decide(&Hooked::of(args, parts, &payload)?, payload),
        Ok(Event::After(payload, response)) => after(&Hooked::of(args, parts, &payload)?, payload, &response),
        Err(problem) => {
            // What was blocked without a judgement stands in the record as well.
            let nothing = Payload::default();
            let hooked = Hooked::of(args, parts, &nothing)?;
            let unreadable = Request::Unreadable(problem.clone());
            let _ = hooked.gate.holdpoint.decide_all(vec![(hooked.caller(&nothing)?, unreadable)]);
            content::unreadable(hooked.state(), &bytes)?;
            Err(Failure::usage(
                format!("the event cannot be read: {problem}"),
                "is this hook wired to PreToolUse or PostToolUse?",
            ))
        }
    }
}

fn decide(hooked: &Hooked<'_>, payload: Payload) -> Result<Exit, Failure> {
    let mut caller = hooked.caller(&payload)?;
    caller.standing.run.unconfirmed_content = content::unconfirmed(hooked.state(), &payload.session);
    let recorded = hooked.gate.holdpoint.decide(caller, payload.call.clone().into());
    output::answer(&(claude_code::answer(&recorded) + "\n"))?;
    Ok(Exit::Done)
}

/// Notes what a call brought in. Where that fails, the host is told so: what nobody noted cannot be asked about.
fn after(hooked: &Hooked<'_>, payload: Payload, response: &Json) -> Result<Exit, Failure> {
    let judged = hooked.gate.holdpoint.rehearse(hooked.caller(&payload)?, payload.call.clone().into());
    let word = content::heard(hooked.state(), &payload, &judged, response)?;
    let reference =
        Reference { correlation_id: String::new(), call: payload.call_id.clone(), run: payload.session.clone() };
    let via = Transport::Hook;
    let execution = Execution { principal: PRINCIPAL.to_owned(), via, reference, became: Became::Completed };
    hooked.gate.holdpoint.report(&execution).map_err(|failure| not_written(&failure.cause))?;
    output::answer(&(claude_code::noted(word.as_deref()) + "\n"))?;
    Ok(Exit::Done)
}

/// The gate as one event meets it.
struct Hooked<'a> {
    args: &'a HookArgs,
    gate: Gate,
    configured: Configured,
    registry: Registry,
    workspace: Option<String>,
}

impl Hooked<'_> {
    fn of<'a>(args: &'a HookArgs, parts: Parts, payload: &Payload) -> Result<Hooked<'a>, Failure> {
        let workspace = args.workspace.clone().or_else(|| std::env::var_os("CLAUDE_PROJECT_DIR").map(Into::into));
        let workspace = workspace.as_deref().and_then(|folder| folder.to_str()).map(str::to_owned);
        let registry = parts.registry()?;
        // Where the host names no project, what lies where the call starts can still only tighten.
        let project = workspace.as_deref().or(payload.cwd.as_deref()).map(Path::new);
        let configured = Configured::read(parts.state.path(), args.config.as_deref(), project, &registry);
        let gate = parts.gate(Counting::Take, &configured.config)?;
        Ok(Hooked { args, gate, configured, registry, workspace })
    }

    fn state(&self) -> &StateFolder {
        &self.gate.parts.state
    }

    fn caller(&self, payload: &Payload) -> Result<Caller, Failure> {
        let (state, configured, registry) = (self.state(), &self.configured, &self.registry);
        let now_ms = gate::now_ms();
        let toggles = Transitions::of(state).toggles(registry, now_ms);
        let standing = Standing {
            level: gate::GATED_LEVEL,
            loosened: toggles.loosened(now_ms),
            declared: registry.restrictive(|key| toggles.is_loosened(key, now_ms)),
            denied: WordSet::EMPTY,
            // The host runs the command as it is, so it sees to nothing.
            honours: WordSet::EMPTY,
            rungs: self.gate.parts.rungs()?,
            posture: gate::posture(state),
            advice: Vec::new(),
            scene: gate::scene(state, &configured.protected(), payload.cwd.as_deref(), self.workspace.as_deref())?,
            run: Run { mode: payload.mode, ..Run::default() },
            proof: Proof::of_peer_user(Transport::Hook),
        };
        Ok(Caller {
            principal: PRINCIPAL.to_owned(),
            standing: configured.bind(PRINCIPAL, &self.args.session, standing),
            channel: payload.channel,
            run: payload.session.clone(),
            call: payload.call_id.clone(),
            attesting: configured.attesting(PRINCIPAL),
            hypothetical: Vec::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    /// Set in a child of a test, where the failure really happens.
    const CHILD: &str = "HOLDPOINT_TEST_CHILD";

    /// Runs one test of this binary in a process of its own, with an open standard input, to its end.
    fn in_a_child(test: &str) -> (Option<i32>, String) {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "--nocapture", &format!("commands::hook::tests::{test}")]).env(CHILD, "1");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut told = String::new();
        child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
        (child.wait().unwrap().code(), told)
    }

    #[test]
    fn a_panic_reads_as_block() {
        if std::env::var_os(CHILD).is_some() {
            block_on_panic();
            panic!("something that nobody expected");
        }
        let (code, told) = in_a_child("a_panic_reads_as_block");
        assert_eq!(code, Some(2), "{told}");
        assert!(told.contains("holdpoint: blocked: internal error"), "{told}");
    }

    #[test]
    fn a_decision_that_does_not_come_reads_as_block() {
        if std::env::var_os(CHILD).is_some() {
            block_after(Duration::from_millis(50)).unwrap();
            // The parent keeps this end open, so nothing ever arrives.
            let _ = std::io::stdin().read_to_end(&mut Vec::new());
        }
        let (code, told) = in_a_child("a_decision_that_does_not_come_reads_as_block");
        assert_eq!(code, Some(2), "{told}");
        assert!(told.contains("before the deadline"), "{told}");
    }
}
