//! Processes that are killed while they append: every id they printed is in the journal, and the journal verifies.

use crate::process::{Process, seed, spin};
use holdpoint_store::{StateFolder, Stream, verify};
use holdpoint_tests_sim::seeded::Seeded;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

const ROUNDS: u64 = 200;
/// Rounds that share a state folder, so that a kill also meets what earlier kills left.
const ROUNDS_PER_FOLDER: u64 = 10;
const PROCESSES_MAX: u64 = 3;
const READ_BEFORE_KILL_MAX: u64 = 40;
const SPINS_MAX: u64 = 400_000;
const START_MS: u64 = 1_800_000_000_000;
/// A new day at about every eighth batch.
const STEP_MS: u64 = 11_000_000;

fn start(state: &Path, tag: &str, seeded: &mut Seeded) -> Process {
    let start_ms = START_MS + seeded.below(10) * 86_400_000;
    let arguments = [tag, &start_ms.to_string(), &STEP_MS.to_string(), &seeded.number().to_string()];
    Process::start(Command::new(env!("CARGO_BIN_EXE_appender")).arg(state).args(arguments))
}

/// Every id in the files of a stream, read without the reader under test.
fn ids(state: &Path, stream: Stream, member: &str) -> BTreeSet<String> {
    let folder = state.join("audit").join(stream.folder_name());
    let Ok(files) = std::fs::read_dir(folder) else {
        return BTreeSet::new();
    };
    let days = files.map(|file| file.unwrap().path()).filter(|path| path.extension().is_some());
    days.flat_map(|path| {
        let text = String::from_utf8(std::fs::read(path).unwrap()).unwrap();
        let lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        let id = |line: &str| {
            let value: serde_json::Value = serde_json::from_str(line).unwrap();
            value[member].as_str().unwrap().to_owned()
        };
        lines.map(id).collect::<Vec<String>>()
    })
    .collect()
}

fn check(state: &Path, acknowledged: &[String], what: &str) {
    let verification = verify(&StateFolder::open(state).unwrap()).unwrap();
    assert!(verification.is_intact(), "{what}: {verification:?}");
    let decisions = ids(state, Stream::Decisions, "correlation_id");
    let transitions = ids(state, Stream::Transitions, "actor");
    for id in acknowledged {
        assert!(decisions.contains(id) || transitions.contains(id), "{what}: {id} is lost");
    }
}

fn round(state: &Path, number: u64, seed: u64) -> Vec<String> {
    let mut seeded = Seeded::new(seed.wrapping_add(number));
    // Half of the rounds have one process, the others several at once.
    let processes = 1 + seeded.below(2) * (1 + seeded.below(PROCESSES_MAX - 1));
    let start = |index| start(state, &format!("r{number}p{index}"), &mut seeded);
    let mut appenders: Vec<Process> = (0..processes).map(start).collect();
    let mut acknowledged = Vec::new();
    while let Some(mut appender) = appenders.pop() {
        appender.read_acknowledged(seeded.below(READ_BEFORE_KILL_MAX));
        spin(seeded.below(SPINS_MAX));
        acknowledged.extend(appender.kill());
    }
    acknowledged
}

#[test]
fn two_hundred_kills_lose_no_acknowledged_decision() {
    let seed = seed();
    let mut acknowledged_count = 0;
    let mut torn_count = 0;
    for folder in 0..ROUNDS / ROUNDS_PER_FOLDER {
        let scratch = tempfile::tempdir().unwrap();
        let state = scratch.path().join("state");
        StateFolder::create(&state).unwrap();
        let mut acknowledged = Vec::new();
        for number in 0..ROUNDS_PER_FOLDER {
            let number = folder * ROUNDS_PER_FOLDER + number;
            acknowledged.extend(round(&state, number, seed));
            check(&state, &acknowledged, &format!("seed {seed}, round {number}"));
        }
        let verification = verify(&StateFolder::open(&state).unwrap()).unwrap();
        torn_count += verification.decisions.torn_files.len();
        acknowledged_count += acknowledged.len();
    }
    println!("{acknowledged_count} acknowledged, {torn_count} torn ends moved aside");
    assert!(acknowledged_count > ROUNDS as usize);
}
