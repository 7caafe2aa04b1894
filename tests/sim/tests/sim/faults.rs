//! Every fault at every operation, and loss of power at any of them: what was acknowledged stays, and the chain verifies.

use holdpoint_core::journal::Line;
use holdpoint_core::json::Json;
use holdpoint_core::ports::Meter;
use holdpoint_core::registry::{Registry, own_registry};
use holdpoint_core::toggle::ToggleKey;
use holdpoint_core::uses::Use;
use holdpoint_store::read::{Filter, READ_LINES_MAX, read_storage};
use holdpoint_store::storage::Storage;
use holdpoint_store::verify::verify_storages;
use holdpoint_store::{Counting, Decisions, Limits, Requester, Transition, TransitionResult, Transitions, Uses};
use holdpoint_tests_sim::machine::{Fault, Folder, Machine};
use holdpoint_tests_sim::seeded::Seeded;
use proptest::prelude::*;
use std::io::ErrorKind;
use std::sync::OnceLock;

const DAY_MS: u64 = 86_400_000;
const START_MS: u64 = 1_800_000_000_000;

/// The streams of one process, and what it and the ones before it were told to be on disk.
struct Run {
    machine: Machine,
    decisions: Decisions<Folder>,
    transitions: Transitions<Folder>,
    uses: Uses<Folder>,
    acknowledged: Vec<(&'static str, String)>,
    next_id: u64,
    at_ms: u64,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    /// Lines of this many bytes each.
    Decide(&'static [usize]),
    Change,
    /// Takes a use.
    Take,
    NextDay,
    DayBefore,
    NewProcess,
    /// A process that is killed in front of this operation of an append of such lines.
    DieDeciding(u64, &'static [usize]),
    /// The same in front of this operation of a change or of a use.
    DieChanging(u64),
    DieTaking(u64),
    WriteBack,
    /// Bytes without a line feed behind the last line, as a crash leaves them.
    Tear,
    PowerLoss(u64),
}

/// What a crash left of a line.
const TORN_END: &[u8] = b"{\"seq\":7,\"prev\":\"00";
const SMALL: &[usize] = &[40];
const BATCH: &[usize] = &[10, 9_000, 200];
const MANY: &[usize] = &[10; 6];
const LONG: &[usize] = &[20_000];

impl Run {
    fn on(machine: Machine, acknowledged: Vec<(&'static str, String)>, next_id: u64, at_ms: u64) -> Run {
        let transitions = || Transitions::over(machine.folder("transitions"), machine.folder("decisions"));
        Run {
            decisions: Decisions::over(|stream| machine.folder(stream.folder_name())),
            transitions: transitions(),
            uses: Uses::over(machine.folder("uses"), transitions(), Counting::Take),
            machine,
            acknowledged,
            next_id,
            at_ms,
        }
    }

    fn start() -> Run {
        Run::on(Machine::default(), Vec::new(), 0, START_MS)
    }

    fn id(&mut self) -> String {
        self.next_id += 1;
        format!("id-{}", self.next_id)
    }

    fn decide(&mut self, note_bytes: &[usize]) -> bool {
        let ids: Vec<String> = note_bytes.iter().map(|_| self.id()).collect();
        let lines: Vec<Line> = ids.iter().zip(note_bytes).map(|(id, bytes)| line(id, *bytes)).collect();
        let durable = self.decisions.append(&lines, self.at_ms).is_ok();
        if durable {
            self.acknowledged.extend(ids.into_iter().map(|id| ("decisions", id)));
        }
        durable
    }

    fn change(&mut self) -> bool {
        let id = self.id();
        let durable = self.transitions.append(&[transition(&id, self.at_ms)], self.at_ms).is_ok();
        if durable {
            self.acknowledged.push(("transitions", id));
        }
        durable
    }

    fn take(&mut self) -> bool {
        let id = self.id();
        let uses = [Use { key: ToggleKey::EmailAutoSend, count: 1, daily: Some(1_000), budget: None }];
        let durable = self.uses.reserve(&uses, &id, self.at_ms).is_ok();
        if durable {
            self.acknowledged.push(("uses", id));
        }
        durable
    }

    /// Dies in front of an operation of what `begin` does.
    fn die(mut self, operations: u64, begin: impl FnOnce(&mut Run)) -> Run {
        self.machine.fail_at(self.machine.operations() + operations, Fault::Stop);
        begin(&mut self);
        self.machine.heal();
        self.new_process()
    }

    fn new_process(self) -> Run {
        Run::on(self.machine, self.acknowledged, self.next_id, self.at_ms)
    }

    fn after_power_loss(self, seeded: &mut Seeded) -> Run {
        let machine = self.machine.after_power_loss(seeded);
        Run::on(machine, self.acknowledged, self.next_id, self.at_ms)
    }

    fn tear(&self) {
        let folder = self.machine.folder("decisions");
        let newest = (0..60)
            .rev()
            .map(|days| holdpoint_store::Day::at(START_MS - 30 * DAY_MS + days * DAY_MS).file_name())
            .find_map(|name| folder.bytes(&name).map(|bytes| (name, bytes)));
        if let Some((name, mut bytes)) = newest {
            bytes.extend_from_slice(TORN_END);
            folder.put(&name, &bytes);
        }
    }

    fn step(mut self, step: Step) -> Run {
        match step {
            Step::Decide(note_bytes) => {
                self.decide(note_bytes);
            }
            Step::Change => {
                self.change();
            }
            Step::NextDay => self.at_ms += DAY_MS,
            Step::DayBefore => self.at_ms -= DAY_MS,
            Step::NewProcess => return self.new_process(),
            Step::Take => {
                self.take();
            }
            Step::DieDeciding(operations, note_bytes) => {
                return self.die(operations, |run| {
                    run.decide(note_bytes);
                });
            }
            Step::DieChanging(operations) => {
                return self.die(operations, |run| {
                    run.change();
                });
            }
            Step::DieTaking(operations) => {
                return self.die(operations, |run| {
                    run.take();
                });
            }
            Step::WriteBack => self.machine.write_back(),
            Step::Tear => self.tear(),
            Step::PowerLoss(seed) => return self.after_power_loss(&mut Seeded::new(seed)),
        }
        self
    }

    /// A new process on a healthy disk can append, the chain verifies, and nothing acknowledged is lost.
    fn recover_and_check(self, what: &str) {
        self.machine.heal();
        let mut run = self.new_process();
        assert_eq!(run.transitions.toggles(registry(), run.at_ms).problem, None, "{what}: a crash is no rollback");
        assert!(run.take(), "{what}: a crash uses nothing up");
        assert!(run.decide(SMALL), "{what}: no decision after recovery");
        assert!(run.change(), "{what}: no transition after recovery");
        let decisions = run.machine.folder("decisions");
        let transitions = run.machine.folder("transitions");
        let verification = verify_storages(|stream| run.machine.folder(stream.folder_name())).unwrap();
        assert!(verification.is_intact(), "{what}: {verification:?}");
        assert_eq!(verification.decisions.torn_tail, None, "{what}");
        for (stream, member, folder) in [
            ("decisions", "correlation_id", decisions),
            ("transitions", "actor", transitions),
            ("uses", "correlation_id", run.machine.folder("uses")),
        ] {
            let entries = read_storage(&folder, &Filter::last(READ_LINES_MAX)).unwrap();
            let mut written = entries.iter().map(|entry| entry.value[member].as_str().unwrap());
            let acknowledged = run.acknowledged.iter().filter(|(of, _)| *of == stream);
            for (_, id) in acknowledged {
                assert!(written.any(|written| written == id), "{what}: {id} of {stream} is lost");
            }
        }
    }
}

fn registry() -> &'static Registry {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    REGISTRY.get_or_init(|| own_registry().unwrap())
}

fn line(id: &str, note_bytes: usize) -> Line {
    let note = Json::text("n".repeat(note_bytes));
    Line::new(Json::object([("correlation_id", Json::text(id)), ("note", note)])).unwrap()
}

fn transition(id: &str, at_ms: u64) -> Transition {
    Transition {
        at_ms,
        actor: id.into(),
        key: "code.auto_push".into(),
        layer: None,
        from_state: "restrictive".into(),
        to_state: "permissive".into(),
        result: TransitionResult::Ok,
        reason: "loosen".into(),
        cap: None,
        limits: Limits::default(),
        phrase_hash: None,
        requester: Requester::default(),
    }
}

/// Each way into the append: fresh folder, same day, torn end, next day, a clock that went back.
const SCRIPT: &[Step] = &[
    Step::Decide(SMALL),
    Step::Decide(BATCH),
    Step::Take,
    Step::Change,
    Step::Tear,
    Step::Decide(SMALL),
    Step::NextDay,
    Step::Decide(LONG),
    Step::Take,
    Step::Change,
    Step::Tear,
    Step::NewProcess,
    Step::NextDay,
    Step::Decide(SMALL),
    Step::DayBefore,
    Step::Decide(BATCH),
    Step::Change,
];

fn run_script(run: Run) -> Run {
    SCRIPT.iter().fold(run, |run, step| run.step(*step))
}

fn operations_of_script() -> u64 {
    run_script(Run::start()).machine.operations()
}

fn check_every_operation(fault: Fault) {
    for operation in 0..operations_of_script() {
        let run = Run::start();
        run.machine.fail_at(operation, fault);
        run_script(run).recover_and_check(&format!("{fault:?} at {operation}"));
    }
}

#[test]
fn without_faults_every_line_is_acknowledged() {
    let run = run_script(Run::start());
    assert_eq!(run.acknowledged.len(), 15);
    assert!(operations_of_script() > 100);
    run.recover_and_check("no fault");
}

#[test]
fn one_failing_operation_loses_nothing() {
    check_every_operation(Fault::Once(ErrorKind::Other));
    check_every_operation(Fault::Once(ErrorKind::Interrupted));
}

#[test]
fn a_disk_that_is_full_or_read_only_from_some_point_on_loses_nothing() {
    check_every_operation(Fault::From(ErrorKind::StorageFull));
    check_every_operation(Fault::From(ErrorKind::ReadOnlyFilesystem));
}

#[test]
fn a_short_write_loses_nothing() {
    check_every_operation(Fault::Short);
}

#[test]
fn a_loss_of_power_at_any_operation_loses_nothing() {
    for operation in 0..operations_of_script() {
        for seed in 0..12 {
            let run = Run::start();
            run.machine.fail_at(operation, Fault::Stop);
            let run = run_script(run).after_power_loss(&mut Seeded::new(seed));
            run.recover_and_check(&format!("power cut at {operation}, seed {seed}"));
        }
    }
}

#[test]
fn one_failing_operation_and_a_later_loss_of_power_lose_nothing() {
    for operation in 0..operations_of_script() {
        for seed in 0..6 {
            let run = Run::start();
            run.machine.fail_at(operation, Fault::Once(ErrorKind::Other));
            let run = run_script(run).after_power_loss(&mut Seeded::new(seed));
            run.recover_and_check(&format!("failure at {operation}, then power loss, seed {seed}"));
        }
    }
}

/// The operations of one append and then some.
const APPEND_OPERATIONS: u64 = 34;
/// What an append looks at first: the ends of six empty streams. Where that fails, nothing new is named.
const LOOK_OPERATIONS: u64 = 18;
/// The operation of an append that is the sync.
const SYNC_OPERATION: u64 = LOOK_OPERATIONS + 5;

#[test]
fn a_killed_append_and_a_loss_of_power_after_the_next_one_lose_nothing() {
    let followers: [&[Step]; 4] = [
        &[Step::Decide(SMALL)],
        &[Step::Change],
        &[Step::NextDay, Step::Decide(SMALL)],
        &[Step::NextDay, Step::DieDeciding(18, MANY), Step::Change],
    ];
    for operation in 0..APPEND_OPERATIONS {
        for follower in followers {
            for seed in 0..40 {
                let begin = [Step::Decide(SMALL), Step::DieDeciding(operation, MANY)];
                let end = [Step::PowerLoss(seed)];
                let steps = begin.iter().chain(follower).chain(&end);
                let run = steps.fold(Run::start(), |run, step| run.step(*step));
                run.recover_and_check(&format!("killed at {operation}, {follower:?}, seed {seed}"));
            }
        }
    }
}

#[test]
fn a_change_or_a_use_that_was_killed_and_is_named_by_a_decision_outlives_a_loss_of_power() {
    for operation in 0..APPEND_OPERATIONS {
        for killed in [Step::DieChanging(operation), Step::DieTaking(operation)] {
            for seed in 0..40 {
                let begin = [Step::Take, Step::Change, Step::Decide(SMALL)];
                let end = [killed, Step::Decide(SMALL), Step::PowerLoss(seed)];
                let run = begin.iter().chain(&end).fold(Run::start(), |run, step| run.step(*step));
                run.recover_and_check(&format!("{killed:?}, seed {seed}"));
            }
        }
    }
}

#[test]
fn half_a_batch_that_was_taken_back_never_shows_up_behind_the_next_one() {
    for operation in 0..2 * APPEND_OPERATIONS {
        for killed in 0..APPEND_OPERATIONS {
            for seed in 0..8 {
                let run = Run::start();
                run.machine.fail_at(operation, Fault::Short);
                let steps =
                    [Step::Decide(SMALL), Step::Decide(MANY), Step::DieDeciding(killed, SMALL), Step::PowerLoss(seed)];
                let run = steps.iter().fold(run, |run, step| run.step(*step));
                run.recover_and_check(&format!("short at {operation}, killed at {killed}, seed {seed}"));
            }
        }
    }
}

#[test]
fn after_a_failed_sync_a_process_acknowledges_nothing_more() {
    for operation in 0..APPEND_OPERATIONS {
        let mut run = Run::start();
        assert!(run.decide(SMALL));
        let before = run.machine.operations();
        run.machine.fail_at(before + operation, Fault::Once(ErrorKind::Other));
        let failure = run.decisions.append(&[line("a", 10)], run.at_ms);
        let Err(failure) = failure else {
            assert!(!(LOOK_OPERATIONS..=SYNC_OPERATION).contains(&operation), "{operation}");
            continue;
        };
        let second = run.decisions.append(&[line("b", 10)], run.at_ms);
        let synced = !failure.cause.starts_with("the journal did not reach the disk");
        assert_eq!(second.is_ok(), synced, "{operation}: {second:?}");
        assert_eq!(synced, operation != SYNC_OPERATION);
        run.recover_and_check("a failed sync");
    }
}

#[test]
fn a_full_or_read_only_disk_is_named_in_the_cause() {
    for (kind, expected) in [
        (ErrorKind::StorageFull, "no storage space"),
        (ErrorKind::ReadOnlyFilesystem, "read-only filesystem or storage medium"),
    ] {
        let run = Run::start();
        run.machine.fail_at(0, Fault::From(kind));
        let failure = run.decisions.append(&[line("a", 10)], run.at_ms).unwrap_err();
        assert_eq!(failure.cause, format!("cannot lock the journal: {expected}"));
    }
}

#[test]
fn a_torn_end_is_never_lost_while_it_is_moved_aside() {
    for operation in 0..APPEND_OPERATIONS {
        for seed in 0..40 {
            let mut run = Run::start();
            assert!(run.decide(SMALL));
            run.tear();
            run.machine.fail_at(run.machine.operations() + operation, Fault::Stop);
            run.decide(SMALL);
            let run = run.after_power_loss(&mut Seeded::new(seed));
            let folder = run.machine.folder("decisions");
            let names = folder.names().unwrap();
            let kept = names.iter().any(|name| folder.bytes(name).unwrap().ends_with(TORN_END));
            assert!(kept, "cut at {operation}, seed {seed}");
        }
    }
}

/// Seeds that once found something, and are tried first.
const SAVED_SEEDS: &[u64] = &[];

/// A long life of a machine, all of it from one seed; the operations it took tell two lives apart.
fn live(seed: u64) -> u64 {
    let mut seeded = Seeded::new(seed);
    let mut run = Run::start();
    for _ in 0..40 {
        let step = match seeded.below(16) {
            0..5 => Step::Decide(SMALL),
            5 => Step::Decide(MANY),
            6 => Step::Decide(BATCH),
            7 => Step::Change,
            8 => Step::Take,
            9 => Step::NextDay,
            10 => Step::DayBefore,
            11 => Step::DieDeciding(seeded.below(APPEND_OPERATIONS), MANY),
            12 => Step::WriteBack,
            13 => Step::Tear,
            _ => Step::PowerLoss(seeded.number()),
        };
        run = run.step(step);
    }
    let operations = run.machine.operations();
    run.recover_and_check(&format!("seed {seed}"));
    operations
}

#[test]
fn long_lives_lose_nothing_and_repeat_exactly() {
    for seed in SAVED_SEEDS.iter().copied().chain(0..100) {
        assert_eq!(live(seed), live(seed), "seed {seed}");
    }
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        6 => Just(Step::Decide(SMALL)),
        2 => Just(Step::Decide(BATCH)),
        2 => Just(Step::Decide(MANY)),
        2 => (0..APPEND_OPERATIONS).prop_map(|operation| Step::DieDeciding(operation, MANY)),
        1 => (0..APPEND_OPERATIONS).prop_map(|operation| Step::DieDeciding(operation, SMALL)),
        1 => (0..APPEND_OPERATIONS).prop_map(Step::DieChanging),
        1 => (0..APPEND_OPERATIONS).prop_map(Step::DieTaking),
        1 => Just(Step::Take),
        1 => Just(Step::WriteBack),
        1 => Just(Step::Decide(LONG)),
        2 => Just(Step::Change),
        2 => Just(Step::NextDay),
        1 => Just(Step::DayBefore),
        2 => Just(Step::NewProcess),
        1 => Just(Step::Tear),
        3 => any::<u64>().prop_map(Step::PowerLoss),
    ];
    prop::collection::vec(step, 1..30)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases.max(400)))]

    #[test]
    fn any_interleaving_of_appends_crashes_and_new_processes_loses_nothing(steps in steps()) {
        let run = steps.iter().fold(Run::start(), |run, step| run.step(*step));
        run.recover_and_check("random steps");
    }

    #[test]
    fn any_interleaving_with_a_fault_loses_nothing(
        steps in steps(),
        operation in 0..200_u64,
        fault in prop_oneof![Just(Fault::Once(ErrorKind::Other)), Just(Fault::Short)],
        seed: u64,
    ) {
        let run = Run::start();
        run.machine.fail_at(operation, fault);
        let run = steps.iter().fold(run, |run, step| run.step(*step));
        run.after_power_loss(&mut Seeded::new(seed)).recover_and_check("random steps with a fault");
    }
}
