//! `undo`: takes back an action that still waits before it happens. One step, since it only stops something.

use crate::approval_args::UndoArgs;
use crate::commands::freeze;
use crate::commands::toggle::not_written;
use crate::exit::{Exit, Failure};
use crate::output::{self, visible};
use crate::{gate, home};
use holdpoint::core::ports::{Undo, Waited};
use holdpoint_core::outcome::OUTCOME;
use holdpoint_core::report::DECISION;
use holdpoint_store::config::UNDO_S_MAX;
use holdpoint_store::{Approvals, Filter, Member, StateFolder, Stream, read};
use serde_json::Value;
use std::time::Duration;

/// Who takes back at a command line.
const ACTOR: &str = "cli";
/// Between two looks.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// How long the gate has to say that it heard.
const HEARD_WITHIN_MS: u64 = 1_000;
/// Newest decisions among which one that waits is looked for.
const DECISIONS: usize = 1_000;

/// The wait of an action, in which `undo` and `freeze` stop it.
pub(crate) struct Window(pub(crate) StateFolder);

impl Undo for Window {
    fn longest_ms(&self) -> u64 {
        u64::from(UNDO_S_MAX) * 1_000
    }

    fn wait(&self, reference: &str, window_ms: u64) -> Waited {
        let until_ms = gate::now_ms().saturating_add(window_ms);
        loop {
            let now_ms = gate::now_ms();
            match Approvals::of(&self.0).taken_back(reference, now_ms) {
                Ok(None) => {}
                Ok(Some(by)) => return Waited::TakenBack(visible(&by)),
                Err(failure) => return Waited::TakenBack(format!("holdpoint ({})", failure.cause)),
            }
            if let Some(frozen) = freeze::in_force(&self.0) {
                return Waited::TakenBack(format!("the freeze of {}", visible(&frozen.freeze.by)));
            }
            if now_ms >= until_ms {
                return Waited::Over;
            }
            std::thread::sleep(LOOK_EVERY.min(Duration::from_millis(until_ms.saturating_sub(now_ms))));
        }
    }
}

/// The wait of what is only judged: there is nothing to wait with.
pub(crate) struct NoWindow;

impl Undo for NoWindow {
    fn longest_ms(&self) -> u64 {
        u64::from(UNDO_S_MAX) * 1_000
    }

    fn wait(&self, _reference: &str, _window_ms: u64) -> Waited {
        Waited::Over
    }
}

/// Takes back the named action, or the newest one that waits.
pub(crate) fn run(args: &UndoArgs) -> Result<Exit, Failure> {
    let state = StateFolder::open(&home::state_path()?)?;
    let Some(reference) = args.correlation_id.clone().or(newest(&state)?) else {
        let help = "`holdpoint audit show` names what was let through; `session.undo_s` lets changes wait";
        return Err(Failure::usage("nothing waits that could be taken back", help));
    };
    let now_ms = gate::now_ms();
    let taken = Approvals::of(&state).take_back(&reference, ACTOR, now_ms);
    taken.map_err(|failure| not_written(&failure.cause))?;
    freeze::mark(&state, "taken-back", now_ms)?;
    if is_heard(&state, &reference)? {
        output::note(&format!("{} was taken back: it did not happen", visible(&reference)));
        return Ok(Exit::Done);
    }
    let what = format!("nobody waits with `{}` any more: it may have happened", visible(&reference));
    Err(Failure::new(Exit::Denied, what, "`holdpoint audit show` says what became of it"))
}

/// The newest decision whose window is open.
fn newest(state: &StateFolder) -> Result<Option<String>, Failure> {
    let filter = Filter::last(DECISIONS).with(Member::Kind, DECISION);
    let now_s = gate::now_ms() as f64 / 1_000.0;
    let answer = read(state, Stream::Decisions, &filter)?;
    let waits = |line: &&Value| {
        let window_s = line.get("undo_window_ms").and_then(Value::as_f64).unwrap_or(0.0) / 1_000.0;
        let since_s = line.get("ts").and_then(Value::as_f64).unwrap_or(0.0);
        let stage = line.get("stage").and_then(Value::as_str);
        window_s > 0.0 && now_s < since_s + window_s && matches!(stage, Some("dispatched" | "attested"))
    };
    let newest = answer.iter().rev().map(|entry| &entry.value).find(waits);
    Ok(newest.and_then(|line| line.get("correlation_id")).and_then(Value::as_str).map(str::to_owned))
}

/// Whether whoever waits with the action writes down that it was taken back.
fn is_heard(state: &StateFolder, reference: &str) -> Result<bool, Failure> {
    let filter = Filter::last(1).with(Member::Kind, OUTCOME).with(Member::CorrelationId, reference);
    let until_ms = gate::now_ms().saturating_add(HEARD_WITHIN_MS);
    loop {
        let told = read(state, Stream::Decisions, &filter)?;
        let undone = |line: &Value| line.get("stage").and_then(Value::as_str) == Some("undone");
        if told.first().is_some_and(|entry| undone(&entry.value)) {
            return Ok(true);
        }
        if gate::now_ms() >= until_ms {
            return Ok(false);
        }
        std::thread::sleep(LOOK_EVERY);
    }
}
