//! Processes that are killed while they append: every id they printed is in the journal, the journal verifies, and who
//! follows it sees every line once.

use crate::process::{Process, seed, spin};
use holdpoint_core::registry::own_registry;
use holdpoint_store::{Entry, Filter, Follow, StateFolder, Stream, Transitions, verify};
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

/// Every id in the files of a stream, in their order, read without the reader under test.
fn ids(state: &Path, stream: Stream, member: &str) -> Vec<String> {
    let folder = state.join("audit").join(stream.folder_name());
    let Ok(files) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut days: Vec<_> = files.map(|file| file.unwrap().path()).filter(|path| path.extension().is_some()).collect();
    days.sort();
    let days = days.into_iter();
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
    let states = Transitions::of(&StateFolder::open(state).unwrap()).toggles(&own_registry().unwrap(), START_MS);
    assert_eq!(states.problem, None, "{what}: a kill is no rollback");
    let decisions: BTreeSet<String> = ids(state, Stream::Decisions, "correlation_id").into_iter().collect();
    let transitions: BTreeSet<String> = ids(state, Stream::Transitions, "actor").into_iter().collect();
    for id in acknowledged {
        assert!(decisions.contains(id) || transitions.contains(id), "{what}: {id} is lost");
    }
}

/// Somebody who looks at the decisions while they are written, and notes the ids.
struct Watcher {
    follow: Follow,
    ids: Vec<String>,
}

impl Watcher {
    fn of(state: &Path) -> Watcher {
        let folder = StateFolder::open(state).unwrap();
        let (_, follow) = Follow::of(&folder, Stream::Decisions, Filter::last(0)).unwrap();
        Watcher { follow, ids: Vec::new() }
    }

    fn look(&mut self) {
        let id = |entry: Entry| entry.value["correlation_id"].as_str().unwrap().to_owned();
        self.ids.extend(self.follow.poll().unwrap().into_iter().map(id));
    }

    /// It saw every line that is there, once and in order.
    fn check(mut self, state: &Path, what: &str) {
        let written = ids(state, Stream::Decisions, "correlation_id");
        while self.ids.len() < written.len() {
            let before = self.ids.len();
            self.look();
            assert!(self.ids.len() > before, "{what}: lines were passed over");
        }
        assert_eq!(self.ids, written, "{what}");
    }
}

fn round(state: &Path, number: u64, seed: u64, watcher: &mut Watcher) -> Vec<String> {
    let mut seeded = Seeded::new(seed.wrapping_add(number));
    // Half of the rounds have one process, the others several at once.
    let processes = 1 + seeded.below(2) * (1 + seeded.below(PROCESSES_MAX - 1));
    let start = |index| start(state, &format!("r{number}p{index}"), &mut seeded);
    let mut appenders: Vec<Process> = (0..processes).map(start).collect();
    let mut acknowledged = Vec::new();
    while let Some(mut appender) = appenders.pop() {
        appender.read_acknowledged(seeded.below(READ_BEFORE_KILL_MAX));
        watcher.look();
        spin(seeded.below(SPINS_MAX));
        acknowledged.extend(appender.kill());
    }
    acknowledged
}

#[test]
fn two_hundred_kills_lose_no_acknowledged_decision_and_a_follower_sees_each_once() {
    let seed = seed();
    let mut acknowledged_count = 0;
    let mut torn_count = 0;
    let mut use_count = 0;
    for folder in 0..ROUNDS / ROUNDS_PER_FOLDER {
        let scratch = tempfile::tempdir().unwrap();
        let state = scratch.path().join("state");
        StateFolder::create(&state).unwrap();
        let mut acknowledged = Vec::new();
        let mut watcher = Watcher::of(&state);
        for number in 0..ROUNDS_PER_FOLDER {
            let number = folder * ROUNDS_PER_FOLDER + number;
            acknowledged.extend(round(&state, number, seed, &mut watcher));
            check(&state, &acknowledged, &format!("seed {seed}, round {number}"));
        }
        watcher.check(&state, &format!("seed {seed}, folder {folder}"));
        let verification = verify(&StateFolder::open(&state).unwrap()).unwrap();
        use_count += verification.uses.lines;
        torn_count += verification.decisions.torn_files.len();
        acknowledged_count += acknowledged.len();
    }
    assert!(use_count > 0, "uses were taken in between");
    println!("{acknowledged_count} acknowledged, {torn_count} torn ends moved aside");
    assert!(acknowledged_count > ROUNDS as usize);
}
