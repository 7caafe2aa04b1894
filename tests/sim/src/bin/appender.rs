//! A process to be killed: appends numbered decisions, and now and then a transition or a use, to a state folder, and prints
//! each id once its append has returned.
//!
//! Arguments: the state folder, a tag, the first instant in milliseconds, the step from batch to batch, a seed.

use holdpoint_core::journal::Line;
use holdpoint_core::json::Json;
use holdpoint_core::ports::Meter;
use holdpoint_core::toggle::ToggleKey;
use holdpoint_core::uses::Use;
use holdpoint_store::{
    Counting, Decisions, Limits, Requester, StateFolder, Transition, TransitionResult, Transitions, Uses,
};
use holdpoint_tests_sim::seeded::Seeded;
use std::error::Error;
use std::io::Write;
use std::path::Path;

/// A process that nobody kills ends by itself.
const BATCHES_MAX: u64 = 20_000;
/// So long that a kill can fall into the write.
const LONG_NOTE_BYTES: usize = 200_000;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [state, tag, start_ms, step_ms, seed] = arguments.as_slice() else {
        return Err("usage: appender STATE TAG START_MS STEP_MS SEED".into());
    };
    let folder = StateFolder::open(Path::new(state))?;
    let decisions = Decisions::of(&folder);
    let transitions = Transitions::of(&folder);
    let uses = Uses::of(&folder, Counting::Take);
    let mut seeded = Seeded::new(seed.parse()?);
    let mut at_ms: u64 = start_ms.parse()?;
    let step_ms: u64 = step_ms.parse()?;
    let mut out = std::io::stdout().lock();
    for batch in 0..BATCHES_MAX {
        let ids: Vec<String> = (0..=seeded.below(3)).map(|index| format!("{tag}-{batch}-{index}")).collect();
        let failed = |failure: holdpoint_core::ports::NotDurable| failure.cause;
        if seeded.below(8) == 0 {
            let changes: Vec<Transition> = ids.iter().map(|id| transition(id, at_ms)).collect();
            transitions.append(&changes, at_ms).map_err(failed)?;
        } else {
            if seeded.below(4) == 0 {
                uses.reserve(&[mail()], tag, at_ms).map_err(|_| "the uses cannot be counted")?;
            }
            let note_bytes = match seeded.below(8) {
                0 => LONG_NOTE_BYTES,
                _ => 300,
            };
            let lines: Option<Vec<Line>> = ids.iter().map(|id| decision(id, note_bytes)).collect();
            decisions.append(&lines.ok_or("a line is too long")?, at_ms).map_err(failed)?;
        }
        for id in ids {
            writeln!(out, "{id}")?;
        }
        out.flush()?;
        at_ms = at_ms.saturating_add(step_ms);
    }
    Ok(())
}

fn decision(id: &str, note_bytes: usize) -> Option<Line> {
    Line::new(Json::object([("correlation_id", Json::text(id)), ("note", Json::text("n".repeat(note_bytes)))]))
}

fn mail() -> Use {
    Use { key: ToggleKey::EmailAutoSend, count: 1, daily: Some(u64::MAX), budget: None }
}

fn transition(id: &str, at_ms: u64) -> Transition {
    Transition {
        at_ms,
        actor: id.to_owned(),
        key: "net.allow_outbound".into(),
        layer: None,
        from_state: "permissive".into(),
        to_state: "restrictive".into(),
        result: TransitionResult::Ok,
        reason: "tighten".into(),
        cap: None,
        limits: Limits::default(),
        phrase_hash: None,
        requester: Requester::default(),
    }
}
