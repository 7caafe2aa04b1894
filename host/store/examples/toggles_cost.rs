//! Measures what a cold process needs to know how every toggle stands: `toggles_cost COUNT SCRATCH`.
//!
//! Behind few and many transitions, by a walk along the whole chain and from what is kept of it. The two take turns, so
//! that whatever else the machine does hits both. Prints the medians.

#![expect(clippy::disallowed_methods, reason = "measuring needs a clock and arguments")]

use holdpoint_core::registry::own_registry;
use holdpoint_store::{Limits, Requester, StateFolder, ToggleStates, Transition, TransitionResult, Transitions};
use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

const AT_MS: u64 = 1_800_000_000_000;
const FEW_LINES: usize = 10;
const MANY_LINES: usize = 10_000;

fn tightened() -> Transition {
    Transition {
        at_ms: AT_MS,
        actor: "cli".to_owned(),
        key: "code.auto_push".to_owned(),
        layer: None,
        from_state: "permissive".to_owned(),
        to_state: "restrictive".to_owned(),
        result: TransitionResult::Ok,
        reason: "tighten".to_owned(),
        cap: None,
        limits: Limits::default(),
        phrase_hash: None,
        requester: Requester::default(),
    }
}

fn timed(state: &Path, read: impl Fn(&Transitions) -> ToggleStates) -> Result<Duration, Box<dyn Error>> {
    let start = Instant::now();
    let states = read(&Transitions::of(&StateFolder::open(state)?));
    let elapsed = start.elapsed();
    states.problem.map_or(Ok(elapsed), |problem| Err(problem.into()))
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or(Duration::ZERO)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [count, scratch] = arguments.as_slice() else {
        return Err("usage: toggles_cost COUNT SCRATCH".into());
    };
    let registry = own_registry().map_err(|unfit| unfit.text())?;
    let mut out = std::io::stdout().lock();
    for lines in [FEW_LINES, MANY_LINES] {
        let state = Path::new(scratch).join(lines.to_string());
        let transitions = Transitions::of(&StateFolder::create(&state)?);
        transitions.append(&vec![tightened(); lines], AT_MS).map_err(|failure| failure.cause)?;
        let (mut walked, mut cold) = (Vec::new(), Vec::new());
        timed(&state, |transitions| transitions.toggles(&registry, AT_MS))?;
        for _ in 0..count.parse()? {
            walked.push(timed(&state, |transitions| transitions.toggles_of_chain(&registry, AT_MS))?);
            cold.push(timed(&state, |transitions| transitions.toggles(&registry, AT_MS))?);
        }
        writeln!(out, "{lines} lines: walk {:?}, cold {:?}", median(&mut walked), median(&mut cold))?;
    }
    Ok(())
}
