//! Measures what an append takes: `append_cost COUNT STATE`. A cold one opens the state folder anew.

#![expect(clippy::disallowed_methods, reason = "measuring needs a clock and arguments")]

use holdpoint_core::journal::Line;
use holdpoint_core::json::Json;
use holdpoint_store::{Decisions, StateFolder};
use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

const AT_MS: u64 = 1_800_000_000_000;
/// About as long as the record of a short command.
const NOTE_BYTES: usize = 1_200;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [count, state] = arguments.as_slice() else {
        return Err("usage: append_cost COUNT STATE".into());
    };
    let folder = StateFolder::create(Path::new(state))?;
    let decisions = Decisions::of(&folder);
    let note = Json::text("n".repeat(NOTE_BYTES));
    let line = Line::new(Json::object([("note", note)])).ok_or("the line is too long")?;
    let lines = std::slice::from_ref(&line);
    let mut warm = Vec::new();
    let mut cold = Vec::new();
    for _ in 0..count.parse()? {
        let start = Instant::now();
        decisions.append(lines, AT_MS).map_err(|failure| failure.cause)?;
        warm.push(start.elapsed());
        let start = Instant::now();
        let folder = StateFolder::open(Path::new(state))?;
        Decisions::of(&folder).append(lines, AT_MS).map_err(|failure| failure.cause)?;
        cold.push(start.elapsed());
    }
    let mut out = std::io::stdout().lock();
    for (name, mut times) in [("open folder", warm), ("cold", cold)] {
        times.sort_unstable();
        let at = |percent: usize| times.get(times.len() * percent / 100).copied().unwrap_or(Duration::ZERO);
        writeln!(out, "{name}: p50 {:?}, p99 {:?}", at(50), at(99))?;
    }
    Ok(())
}
