//! `hook claude-code`: one event in, one answer out. Whatever goes wrong here ends with exit code 2 and a reason, which
//! the host reads as "block"; no failure is silent and none is late.

use crate::args::HookArgs;
use crate::config::Config;
use crate::exit::{Exit, Failure};
use crate::gate::{self, Gate};
use crate::output;
use holdpoint::Caller;
use holdpoint::core::judge::Standing;
use holdpoint::core::toggle::Permissive;
use holdpoint::core::words::WordSet;
use holdpoint_gateway::claude_code;
use holdpoint_store::StateFolder;
use std::io::Read;
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
fn block_at_deadline() -> Result<(), Failure> {
    let watch = || {
        std::thread::sleep(Duration::from_millis(DEADLINE_MS));
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
    match block_at_deadline().and_then(|()| answer(args)) {
        Ok(exit) => exit,
        Err(failure) => {
            output::note(&format!("holdpoint: blocked: {}", output::visible(&failure.what)));
            output::note(&format!("  help: {}", failure.help));
            Exit::Usage
        }
    }
}

fn answer(args: &HookArgs) -> Result<Exit, Failure> {
    let mut bytes = Vec::new();
    let most = holdpoint_gateway::json::DOCUMENT_BYTES_MAX as u64;
    let read = std::io::stdin().lock().take(most.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| Failure::internal(format!("standard input: {error}")))?;
    let payload = claude_code::read(&bytes).map_err(|problem| {
        Failure::usage(format!("the event cannot be read: {problem}"), "is this hook wired to PreToolUse?")
    })?;
    // The folder must be there already: a hook that made a new one would forget every decision and every limit.
    let gate = Gate::open(StateFolder::open(&args.state)?)?;
    let workspace = args.workspace.clone().or_else(|| std::env::var_os("CLAUDE_PROJECT_DIR").map(Into::into));
    let workspace = workspace.as_deref().and_then(|folder| folder.to_str());
    let config = Config::read(args.config.as_deref());
    let caller = Caller {
        principal: PRINCIPAL.to_owned(),
        standing: Standing {
            level: config.level(PRINCIPAL, gate::GATED_LEVEL),
            permissive: Permissive::EMPTY,
            // The host runs the command as it is, so it sees to nothing.
            honours: WordSet::EMPTY,
            scene: gate::scene(&gate.state, args.config.as_deref(), payload.cwd.as_deref(), workspace)?,
        },
        reachable: payload.reachable,
        hypothetical: Permissive::EMPTY,
    };
    let recorded = gate.holdpoint.decide(caller, payload.call.into());
    output::answer(&(claude_code::answer(&recorded) + "\n"))?;
    Ok(Exit::Done)
}
