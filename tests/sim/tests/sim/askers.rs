//! Eight processes that ask, answer, claim, withdraw, freeze, thaw and are killed over one state folder. Afterwards no yes
//! was used twice, no action is without its line, every chain verifies, and every question can still be answered.
//!
//! The short run is a test. `HOLDPOINT_SIM_SECONDS=600 cargo nextest run -p holdpoint-tests-sim --no-capture askers` is the
//! long one.

use crate::process::{Process, seed, spin};
use holdpoint::{CapabilitySnapshot, Holdpoint, Surroundings, Uncounted};
use holdpoint_core::approval::Via;
use holdpoint_core::asking::Strength;
use holdpoint_core::authorize::Recorded;
use holdpoint_store::{
    Answered, Answerer, Approvals, Decisions, Holds, Kept, QUESTION_MS, Says, StateFolder, Stream, verify,
};
use holdpoint_tests_sim::agent::{Removals, call, caller, claims, now_ms};
use holdpoint_tests_sim::seeded::Seeded;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const PROCESSES: usize = 8;
/// How long the short run takes, in seconds.
const SECONDS: u64 = 8;
/// How long one state folder is used: reading it takes longer the more there is in it.
const FOLDER_SECONDS: u64 = 20;
/// What a process tells at most before it is killed.
const TOLD_BEFORE_KILL_MAX: u64 = 12;
const SPINS_MAX: u64 = 400_000;

/// What all runs together came to.
#[derive(Debug, Default)]
struct Figures {
    kills: usize,
    decisions: usize,
    asked: usize,
    answered: usize,
    withdrawn: usize,
    freezes: usize,
    acted: usize,
    consented: usize,
    expired: usize,
    left: usize,
    cut_short: usize,
}

fn start(state: &Path, tag: &str, seeded: &mut Seeded) -> Process {
    let mut command = Command::new(env!("CARGO_BIN_EXE_asker"));
    let mut process = Process::start(command.arg(state).arg(tag).arg(seeded.number().to_string()));
    process.go();
    process
}

/// Every line of a stream, read without the reader under test.
fn lines(state: &Path, stream: Stream) -> Vec<Value> {
    let Ok(files) = std::fs::read_dir(state.join("audit").join(stream.folder_name())) else { return Vec::new() };
    let mut days: Vec<_> = files.map(|file| file.unwrap().path()).filter(|path| path.extension().is_some()).collect();
    days.sort();
    let text: String = days.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let whole = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
    whole.map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn text<'a>(value: &'a Value, member: &str) -> &'a str {
    value[member].as_str().unwrap_or_default()
}

/// Runs processes and kills them one after the other, until the time is over. Returns what they told.
fn run(state: &Path, until: Instant, seeded: &mut Seeded, figures: &mut Figures) -> Vec<String> {
    let mut count = 0;
    let mut next = |seeded: &mut Seeded| {
        count += 1;
        start(state, &format!("p{count}"), seeded)
    };
    let mut processes: Vec<Process> = (0..PROCESSES).map(|_| next(seeded)).collect();
    let mut told = Vec::new();
    while Instant::now() < until {
        let index = usize::try_from(seeded.below(PROCESSES as u64)).unwrap();
        let mut process = std::mem::replace(&mut processes[index], next(seeded));
        process.read_acknowledged(seeded.below(TOLD_BEFORE_KILL_MAX));
        spin(seeded.below(SPINS_MAX));
        told.extend(process.kill());
        figures.kills += 1;
    }
    for process in processes {
        told.extend(process.kill());
        figures.kills += 1;
    }
    told
}

/// What happened to each question, in the order of its stream.
fn histories(state: &Path) -> BTreeMap<String, Vec<Value>> {
    let mut histories: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for line in lines(state, Stream::Approvals) {
        histories.entry(text(&line, "id").to_owned()).or_default().push(line);
    }
    histories
}

/// A question is asked once, answered at most once, and then taken or withdrawn at most once. Returns which call took it.
fn taken_by(id: &str, history: &[Value], what: &str) -> Option<String> {
    let mut state = "new";
    let mut taken = None;
    for line in history {
        state = match (state, text(line, "kind")) {
            ("new", "question") => "waiting",
            ("waiting", "answer") if text(line, "answer") == "deny" => "over",
            ("waiting", "answer") => "allowed",
            ("waiting" | "allowed", "withdrawn") => "over",
            ("allowed", "redeemed") => {
                taken = Some(text(line, "correlation_id").to_owned());
                "over"
            }
            (state, kind) => panic!("{what}: {id}: `{kind}` of a question that is {state}: {history:#?}"),
        };
    }
    taken
}

/// Whether what is on disk is what must be, whatever was killed.
fn check(state: &Path, told: &[String], kills: usize, what: &str, figures: &mut Figures) {
    let verification = verify(&StateFolder::open(state).unwrap()).unwrap();
    assert!(verification.is_intact(), "{what}: {verification:?}");
    let histories = histories(state);
    let decisions = lines(state, Stream::Decisions);
    let acted: BTreeSet<&str> = told.iter().filter_map(|told| told.strip_prefix("acted ")).collect();
    let went_ahead = |line: &&Value| matches!(text(line, "stage"), "dispatched" | "attested");
    let went_ahead: BTreeMap<&str, &Value> =
        decisions.iter().filter(went_ahead).map(|line| (text(line, "correlation_id"), line)).collect();
    for reference in &acted {
        assert!(went_ahead.contains_key(reference), "{what}: {reference} acted without a line");
    }
    let mut used: BTreeMap<&str, &str> = BTreeMap::new();
    for (reference, line) in &went_ahead {
        if text(line, "decision") != "ask" {
            assert_eq!(text(line, "decision"), "allow", "{what}: {line}");
            continue;
        }
        let consent = &line["consent"];
        let id = consent["approval"].as_str().or_else(|| consent["question"].as_str());
        let id = id.unwrap_or_else(|| panic!("{what}: {reference} went ahead with nobody's answer: {line}"));
        let earlier = used.insert(id, reference);
        assert_eq!(earlier, None, "{what}: {id} was used twice, by {reference} as well");
        let history = histories.get(id).unwrap_or_else(|| panic!("{what}: {id} was never asked"));
        assert_eq!(taken_by(id, history, what).as_deref(), Some(*reference), "{what}: {id} was taken by another call");
        figures.consented += 1;
    }
    let taken = histories.iter().filter(|(id, history)| taken_by(id, history, what).is_some()).count();
    // A process that is killed in between loses the yes that it took, and never more than one.
    assert!(taken - used.len() <= kills, "{what}: {taken} were taken, {} used, {kills} kills", used.len());
    figures.cut_short += taken - used.len();
    let of_kind = |kind: &str| histories.values().flatten().filter(|line| text(line, "kind") == kind).count();
    figures.asked += of_kind("question");
    figures.answered += of_kind("answer");
    figures.withdrawn += of_kind("withdrawn");
    figures.freezes += lines(state, Stream::Holds).iter().filter(|line| text(line, "kind") == "freeze").count();
    figures.decisions += decisions.len();
    figures.acted += went_ahead.len();
}

/// The machine's clock, and names of its own.
struct Names(AtomicU64);

impl Surroundings for Names {
    fn now_ms(&self) -> u64 {
        now_ms()
    }

    fn correlation_id(&self) -> String {
        format!("after-{}", self.0.fetch_add(1, Ordering::Relaxed))
    }
}

/// Every question that is left can be answered, its yes is worth one call, and then nothing is open.
fn answer_what_is_left(state: &Path, what: &str, figures: &mut Figures) {
    let folder = StateFolder::open(state).unwrap();
    let at_ms = now_ms();
    if Holds::of(&folder).frozen(|_| true, at_ms).is_some() {
        Holds::of(&folder).thaw("person", "over", at_ms).unwrap();
    }
    let gate = Holdpoint::builder()
        .vocabularies(claims(), Removals)
        .journal(Decisions::of(&folder))
        .meter(Uncounted)
        .surroundings(Names(AtomicU64::new(0)))
        .approvals(Approvals::of(&folder))
        .snapshot(CapabilitySnapshot::of_tools([("", "note")]))
        .build()
        .unwrap();
    let approvals = Approvals::of(&folder);
    // What ends soon may end in between.
    let at_ms = now_ms();
    let all = approvals.list(at_ms).unwrap();
    figures.expired += all.iter().filter(|kept| kept.word(at_ms) == "expired").count();
    let lasting = |kept: &&Kept| kept.is_open(at_ms) && kept.expires_ms > at_ms + QUESTION_MS / 2;
    for kept in all.iter().filter(lasting) {
        if kept.is_waiting(at_ms) {
            let who = Answerer { by: "person".into(), via: Via::Terminal, strength: Strength::Keypress };
            let answered = approvals.answer(&kept.id, &Says::Allow, &who, now_ms()).unwrap();
            assert!(matches!(answered, Answered::Kept(_)), "{what}: nobody can answer {kept:?}: {answered:?}");
        }
        let action: Value = serde_json::from_str(&kept.action).unwrap();
        let again = || gate.decide(caller(&kept.run, None), call(text(&action, "do"), text(&action, "file")));
        let first = again();
        assert!(matches!(first, Recorded::Committed(_)), "{what}: {kept:?}: {first:?}");
        figures.left += 1;
    }
    let open = approvals.list(at_ms).unwrap().into_iter().filter(|kept| lasting(&kept)).count();
    assert_eq!(open, 0, "{what}: nothing is open after everything was answered");
    assert!(verify(&folder).unwrap().is_intact(), "{what}");
}

#[test]
fn eight_processes_that_are_killed_use_no_yes_twice_and_leave_no_action_without_its_line() {
    let seed = seed();
    let seconds = std::env::var("HOLDPOINT_SIM_SECONDS").map_or(SECONDS, |seconds| seconds.parse().unwrap());
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut seeded = Seeded::new(seed);
    let mut figures = Figures::default();
    let mut folders = 0;
    while Instant::now() < end {
        let scratch = tempfile::tempdir().unwrap();
        let state = scratch.path().join("state");
        StateFolder::create(&state).unwrap();
        let what = format!("seed {seed}, folder {folders}");
        let before = figures.kills;
        let until = end.min(Instant::now() + Duration::from_secs(FOLDER_SECONDS));
        let told = run(&state, until, &mut seeded, &mut figures);
        check(&state, &told, figures.kills - before, &what, &mut figures);
        answer_what_is_left(&state, &what, &mut figures);
        folders += 1;
    }
    println!("{seconds} s, {folders} state folders: {figures:?}");
    for (what, count) in [
        ("asked", figures.asked),
        ("answered", figures.answered),
        ("withdrawn", figures.withdrawn),
        ("frozen", figures.freezes),
        ("went ahead with a yes", figures.consented),
        ("expired", figures.expired),
        ("killed", figures.kills),
    ] {
        assert!(count > 0, "nothing was {what}: {figures:?}");
    }
}
