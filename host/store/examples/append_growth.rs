//! Measures whether an append gets dearer as the day's file grows: `append_growth COUNT SCRATCH`.
//!
//! One file has ten lines, the other a million, and appends to the two take turns, so that whatever else the machine does
//! hits both. Prints the medians and their ratio.

#![expect(clippy::disallowed_methods, reason = "measuring needs a clock and arguments")]

use holdpoint_core::journal::Line;
use holdpoint_core::json::Json;
use holdpoint_store::{Decisions, StateFolder};
use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

const AT_MS: u64 = 1_800_000_000_000;
const SMALL_LINES: usize = 10;
const LARGE_LINES: usize = 1_000_000;
/// As much as stays well below the most bytes of one batch.
const BATCH_LINES: usize = 25_000;
/// About as long as the record of a short command.
const NOTE_BYTES: usize = 1_200;

fn filled(state: &Path, line: &Line, count: usize) -> Result<Decisions, Box<dyn Error>> {
    let decisions = Decisions::of(&StateFolder::create(state)?);
    let batch = vec![line.clone(); BATCH_LINES.min(count)];
    let mut left = count;
    while left > 0 {
        let lines = batch.get(..left.min(batch.len())).unwrap_or(&batch);
        decisions.append(lines, AT_MS).map_err(|failure| failure.cause)?;
        left -= lines.len();
    }
    Ok(decisions)
}

fn timed(decisions: &Decisions, line: &Line) -> Result<Duration, Box<dyn Error>> {
    let start = Instant::now();
    decisions.append(std::slice::from_ref(line), AT_MS).map_err(|failure| failure.cause)?;
    Ok(start.elapsed())
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or(Duration::ZERO)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [count, scratch] = arguments.as_slice() else {
        return Err("usage: append_growth COUNT SCRATCH".into());
    };
    let note = Json::text("n".repeat(NOTE_BYTES));
    let line = Line::new(Json::object([("note", note)])).ok_or("the line is too long")?;
    let scratch = Path::new(scratch);
    let large = filled(&scratch.join("large"), &line, LARGE_LINES)?;
    let small = filled(&scratch.join("small"), &line, SMALL_LINES)?;
    let mut small_times = Vec::new();
    let mut large_times = Vec::new();
    for _ in 0..count.parse()? {
        small_times.push(timed(&small, &line)?);
        large_times.push(timed(&large, &line)?);
    }
    let small = median(&mut small_times);
    let large = median(&mut large_times);
    let ratio = large.as_secs_f64() / small.as_secs_f64().max(f64::MIN_POSITIVE);
    let mut out = std::io::stdout().lock();
    writeln!(out, "behind {SMALL_LINES} lines: median {small:?}")?;
    writeln!(out, "behind {LARGE_LINES} lines: median {large:?}")?;
    writeln!(out, "ratio: {ratio:.3}")?;
    Ok(())
}
