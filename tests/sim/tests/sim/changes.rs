//! Processes that change toggles in one state folder, many at once or killed in the middle: what they were told is in the
//! journal, and the journal explains every state.

use crate::explain::{Told, check_cooldowns, check_states};
use crate::process::{Process, seed, spin};
use holdpoint_core::registry::own_registry;
use holdpoint_store::{StateFolder, Stream, Transitions, verify};
use holdpoint_tests_sim::seeded::Seeded;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

const START_MS: u64 = 1_800_000_000_000;
const HOUR_MS: u64 = 3_600_000;
const PROCESSES: u64 = 100;
const CHANGES_EACH: u64 = 4;
/// Clocks of processes differ by less than this, as if some had waited long for the lock.
const SKEW_MS: u64 = 2_000;
/// So long that some waits are over at the next change and others are not.
const STEP_MS: u64 = 200_000;
const KILLS: u64 = 200;
/// Kills that share a state folder, so that one also meets what earlier ones left.
const KILLS_PER_FOLDER: u64 = 20;
const PROCESSES_KILLED_MAX: u64 = 3;
const READ_BEFORE_KILL_MAX: u64 = 6;
const SPINS_MAX: u64 = 400_000;
/// A process that nobody kills ends by itself.
const CHANGES_MAX: u64 = 20_000;

fn start(state: &Path, tag: &str, count: u64, start_ms: u64, seeded: &mut Seeded) -> Process {
    let numbers = [count, start_ms, STEP_MS, seeded.number()].map(|number| number.to_string());
    Process::start(Command::new(env!("CARGO_BIN_EXE_changer")).arg(state).arg(tag).args(numbers))
}

/// The whole lines of the transitions, read without the reader under test.
fn told(state: &Path) -> Vec<Told> {
    let folder = state.join("audit").join(Stream::Transitions.folder_name());
    let Ok(files) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut days: Vec<_> = files.map(|file| file.unwrap().path()).filter(|path| path.extension().is_some()).collect();
    days.sort();
    let text: String = days.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    whole.map(|line| Told::of(&serde_json::from_str(line).unwrap())).collect()
}

/// Checks everything, and returns how many lines there are.
fn check(state: &Path, acknowledged: &[String], what: &str) -> usize {
    let registry = own_registry().unwrap();
    let folder = StateFolder::open(state).unwrap();
    let verification = verify(&folder).unwrap();
    assert!(verification.is_intact(), "{what}: {verification:?}");
    let lines = told(state);
    assert_eq!(verification.transitions.lines, lines.len() as u64, "{what}");
    let mut results: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for line in &lines {
        results.entry(&line.actor).or_default().push(&line.result);
    }
    for (id, outcome) in acknowledged.iter().map(|line| line.split_once(' ').unwrap()) {
        assert_eq!(results.get(id), Some(&vec![outcome]), "{what}: {id} is not there once, as it was told");
    }
    assert!(results.values().all(|found| found.len() == 1), "{what}: a change is there twice");
    check_cooldowns(&lines, &registry, what);
    let transitions = Transitions::of(&folder);
    for later_ms in [0, STEP_MS, CHANGES_EACH * STEP_MS, 6 * 86_400_000, 8 * 86_400_000] {
        let now_ms = START_MS + later_ms;
        check_states(&transitions.toggles(&registry, now_ms), &lines, &registry, now_ms, what);
    }
    lines.len()
}

#[test]
fn of_a_hundred_processes_at_once_every_change_is_there_once_and_the_lines_explain_the_state() {
    let scratch = tempfile::tempdir().unwrap();
    let state = scratch.path().join("state");
    StateFolder::create(&state).unwrap();
    let mut seeded = Seeded::new(seed());
    let start = |index| {
        let start_ms = START_MS + seeded.below(SKEW_MS);
        start(&state, &format!("p{index}"), CHANGES_EACH, start_ms, &mut seeded)
    };
    let mut processes: Vec<Process> = (0..PROCESSES).map(start).collect();
    processes.iter_mut().for_each(Process::go);
    let acknowledged: Vec<String> = processes.into_iter().flat_map(Process::finish).collect();
    assert_eq!(acknowledged.len() as u64, PROCESSES * CHANGES_EACH);
    assert_eq!(check(&state, &acknowledged, "a hundred at once"), acknowledged.len(), "nothing else is there");
    let reasons = std::fs::read_to_string(state.join("audit/transitions/2027-01-15.jsonl")).unwrap();
    for reason in ["cooldown", "loosen", "tighten"] {
        assert!(reasons.contains(&format!("\"reason\":\"{reason}\"")), "{reason}");
    }
}

/// Lets some processes change toggles and kills them all; returns what they were told.
fn kill_some(state: &Path, number: u64, processes: u64, seeded: &mut Seeded) -> Vec<String> {
    let start = |index| {
        // Later processes have later clocks, or all would wait for the first loosening, and no day would change.
        let start_ms = START_MS + number % KILLS_PER_FOLDER * HOUR_MS + seeded.below(SKEW_MS);
        start(state, &format!("k{number}p{index}"), CHANGES_MAX, start_ms, seeded)
    };
    let mut killed: Vec<Process> = (0..processes).map(start).collect();
    killed.iter_mut().for_each(Process::go);
    let mut acknowledged = Vec::new();
    while let Some(mut process) = killed.pop() {
        process.read_acknowledged(seeded.below(READ_BEFORE_KILL_MAX));
        spin(seeded.below(SPINS_MAX));
        acknowledged.extend(process.kill());
    }
    acknowledged
}

#[test]
fn two_hundred_kills_lose_no_acknowledged_change_and_leave_no_state_without_its_line() {
    let mut seeded = Seeded::new(seed());
    let mut killed = 0;
    let mut changes = 0;
    while killed < KILLS {
        let scratch = tempfile::tempdir().unwrap();
        let state = scratch.path().join("state");
        StateFolder::create(&state).unwrap();
        let mut acknowledged = Vec::new();
        let folder_end = killed + KILLS_PER_FOLDER;
        while killed < folder_end {
            let processes = 1 + seeded.below(PROCESSES_KILLED_MAX);
            acknowledged.extend(kill_some(&state, killed, processes, &mut seeded));
            killed += processes;
            check(&state, &acknowledged, &format!("kill {killed}"));
        }
        changes += acknowledged.len();
    }
    println!("{killed} kills, {changes} acknowledged changes");
    assert!(changes > KILLS as usize);
}
