//! Every fault at every operation while toggles are changed and read: what was acknowledged stays, the lines explain every
//! state, and what cannot be read is restrictive.

use crate::explain::{Told, check_cooldowns, check_states};
use holdpoint_core::grant::{Cap, Terms};
use holdpoint_core::journal::Line;
use holdpoint_core::json::Json;
use holdpoint_core::registry::{CapShape, Registry, SafetyToggle, own_registry};
use holdpoint_core::transition::{Loosening, Password, Typing};
use holdpoint_store::verify::verify_storages;
use holdpoint_store::{By, Change, Changed, Day, Decisions, Requester, Stream, Transitions};
use holdpoint_tests_sim::machine::{Fault, Folder, Machine};
use holdpoint_tests_sim::seeded::Seeded;
use std::io::ErrorKind;
use std::sync::OnceLock;

const DAY_MS: u64 = 86_400_000;
const START_MS: u64 = 1_800_000_000_000;
/// Days around the start in which files can be.
const DAYS: u64 = 20;
const TORN_END: &[u8] = b"{\"seq\":3,\"prev\":\"00";
/// The operations of one change and then some.
const CHANGE_OPERATIONS: u64 = 24;

#[derive(Clone, Copy, Debug)]
enum Step {
    /// The toggle with this index.
    Loosen(usize),
    Tighten(usize),
    Reset,
    Decide,
    Minutes(u64),
    NextDay,
    DayBefore,
    Tear,
    NewProcess,
    /// A process that is killed in front of this operation of a loosening.
    DieLoosening(u64, usize),
}

/// Each way into a change: fresh folder, refusal by the wait, torn end, next day, a clock that went back.
const SCRIPT: &[Step] = &[
    Step::Loosen(0),
    Step::Loosen(0),
    Step::Decide,
    Step::Tighten(0),
    Step::Loosen(1),
    Step::Tear,
    Step::Minutes(30),
    Step::Loosen(0),
    Step::Reset,
    Step::NextDay,
    Step::Loosen(2),
    Step::Tear,
    Step::NewProcess,
    Step::NextDay,
    Step::Loosen(0),
    Step::DayBefore,
    Step::Loosen(0),
    Step::Tighten(2),
    Step::Loosen(3),
];

fn registry() -> &'static Registry {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    REGISTRY.get_or_init(|| own_registry().unwrap())
}

struct Life {
    registry: &'static Registry,
    machine: Machine,
    transitions: Transitions<Folder>,
    /// Who was told that a change is written down, and what became of it.
    acknowledged: Vec<(String, &'static str)>,
    next_id: u64,
    at_ms: u64,
}

/// The limit that the toggle requires.
fn terms(toggle: &SafetyToggle) -> Terms {
    let cap = toggle.declaration().cap.as_ref().map(|shape| match shape {
        CapShape::Daily { .. } => Cap::Daily(3),
        CapShape::List { .. } => Cap::List(vec!["a@b.example".to_owned()]),
    });
    Terms { cap, ..Terms::default() }
}

impl Life {
    fn on(machine: Machine, acknowledged: Vec<(String, &'static str)>, next_id: u64, at_ms: u64) -> Life {
        let transitions = Transitions::over(machine.folder("transitions"), machine.folder("decisions"));
        Life { registry: registry(), machine, transitions, acknowledged, next_id, at_ms }
    }

    fn start() -> Life {
        Life::on(Machine::default(), Vec::new(), 0, START_MS)
    }

    fn new_process(self) -> Life {
        Life::on(self.machine, self.acknowledged, self.next_id, self.at_ms)
    }

    fn after_power_loss(self, seeded: &mut Seeded) -> Life {
        let machine = self.machine.after_power_loss(seeded);
        Life::on(machine, self.acknowledged, self.next_id, self.at_ms)
    }

    fn by(&mut self) -> By {
        self.next_id += 1;
        By { actor: format!("id-{}", self.next_id), requester: Requester::default() }
    }

    fn change(&mut self, index: usize, change: impl Fn(&SafetyToggle) -> Change) -> Option<Changed> {
        let by = self.by();
        let toggle = &self.registry.toggles()[index];
        let change = change(toggle);
        let changed = self.transitions.change(self.registry, toggle, &change, &by, self.at_ms).ok()?;
        let result = if matches!(changed, Changed::Done(_)) { "ok" } else { "denied" };
        self.acknowledged.push((by.actor, result));
        Some(changed)
    }

    fn loosen(&mut self, index: usize) -> Option<Changed> {
        self.change(index, |toggle| {
            let phrase = toggle.declaration().phrase.to_string();
            let terms = terms(toggle);
            Change::Loosen(Loosening { phrase, typing: Typing::Typed, password: Password::Right, terms })
        })
    }

    fn tighten(&mut self, index: usize) -> Option<Changed> {
        self.change(index, |_| Change::Tighten)
    }

    fn reset(&mut self) {
        let by = self.by();
        if let Ok(keys) = self.transitions.reset(self.registry, &by, self.at_ms) {
            self.acknowledged.extend(keys.iter().map(|_| (by.actor.clone(), "ok")));
        }
    }

    fn decide(&self) {
        let line = Line::new(Json::object([("note", Json::text("decided"))])).unwrap();
        // Whether it fails does not matter: only what a transition anchors counts.
        let folder = |stream: Stream| self.machine.folder(stream.folder_name());
        let _ = Decisions::over(folder).append(&[line], self.at_ms);
    }

    /// The daily files of the transitions, the oldest first.
    fn files(&self) -> Vec<(String, Vec<u8>)> {
        let folder = self.machine.folder("transitions");
        let days = (0..DAYS).map(|day| Day::at(START_MS + day * DAY_MS - DAYS / 2 * DAY_MS).file_name());
        days.filter_map(|name| folder.bytes(&name).map(|bytes| (name, bytes))).collect()
    }

    fn tear(&self) {
        if let Some((name, bytes)) = self.files().pop() {
            self.machine.folder("transitions").put(&name, &[&bytes, TORN_END].concat());
        }
    }

    /// The whole lines that a reader would find now.
    fn told(&self) -> Vec<Told> {
        let bytes: Vec<Vec<u8>> = self.files().into_iter().map(|(_, bytes)| bytes).collect();
        let lines = bytes.iter().flat_map(|bytes| bytes.split_inclusive(|byte| *byte == b'\n'));
        let whole = lines.filter(|line| line.ends_with(b"\n"));
        whole.map(|line| Told::of(&serde_json::from_slice(line).unwrap())).collect()
    }

    /// The states are what the lines say, or everything is restrictive and somebody is told why.
    fn check_state(&self, what: &str) -> Readable {
        let states = self.transitions.toggles(self.registry, self.at_ms);
        if states.problem.is_some() {
            assert_eq!(states.permissive_keys().len(), 0, "{what}");
            return Readable::No;
        }
        check_states(&states, &self.told(), self.registry, self.at_ms, what);
        Readable::Yes
    }

    fn step(mut self, step: Step) -> Life {
        match step {
            Step::Loosen(index) => drop(self.loosen(index)),
            Step::Tighten(index) => drop(self.tighten(index)),
            Step::Reset => self.reset(),
            Step::Decide => self.decide(),
            Step::Minutes(minutes) => self.at_ms += minutes * 60_000,
            Step::NextDay => self.at_ms += DAY_MS,
            Step::DayBefore => self.at_ms -= DAY_MS,
            Step::Tear => self.tear(),
            Step::NewProcess => self = self.new_process(),
            Step::DieLoosening(operations, index) => {
                self.machine.fail_at(self.machine.operations() + operations, Fault::Stop);
                drop(self.loosen(index));
                self.machine.heal();
                self = self.new_process();
            }
        }
        self.check_state(&format!("behind {step:?}"));
        self
    }

    fn run(self, steps: &[Step]) -> Life {
        steps.iter().fold(self, |life, step| life.step(*step))
    }

    /// A new process on a healthy disk can change toggles, and everything that was told is explained.
    fn recover_and_check(self, what: &str) {
        self.machine.heal();
        let mut life = self.new_process();
        assert_eq!(life.check_state(what), Readable::Yes, "{what}: a crash is no damage");
        life.at_ms += 2 * DAY_MS;
        assert!(matches!(life.loosen(0), Some(Changed::Done(_))), "{what}: no loosening after recovery");
        assert!(matches!(life.tighten(1), Some(Changed::Done(_))), "{what}: no tightening after recovery");
        let verification = verify_storages(|stream| life.machine.folder(stream.folder_name())).unwrap();
        assert!(verification.is_intact(), "{what}: {verification:?}");
        assert_eq!(life.check_state(what), Readable::Yes, "{what}");
        let lines = life.told();
        check_cooldowns(&lines, life.registry, what);
        let mut written = lines.iter();
        for (actor, result) in &life.acknowledged {
            let found = written.any(|line| line.actor == *actor && line.result == *result);
            assert!(found, "{what}: {actor} is lost");
            let times = |of: &str| lines.iter().filter(|line| line.actor == of).count();
            let told = life.acknowledged.iter().filter(|(of, _)| of == actor).count();
            assert_eq!(times(actor), told, "{what}: {actor}");
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Readable {
    Yes,
    No,
}

fn operations_of_script() -> u64 {
    Life::start().run(SCRIPT).machine.operations()
}

fn check_every_operation(fault: Fault) {
    for operation in 0..operations_of_script() {
        let life = Life::start();
        life.machine.fail_at(operation, fault);
        life.run(SCRIPT).recover_and_check(&format!("{fault:?} at {operation}"));
    }
}

#[test]
fn without_faults_every_change_is_acknowledged() {
    let life = Life::start().run(SCRIPT);
    let results: Vec<&str> = life.acknowledged.iter().map(|(_, result)| *result).collect();
    let denied = results.iter().filter(|result| **result == "denied").count();
    assert_eq!((results.len(), denied), (12, 2), "{results:?}");
    assert!(operations_of_script() > 200);
    life.recover_and_check("no fault");
}

#[test]
fn one_failing_operation_of_a_change_loses_nothing() {
    check_every_operation(Fault::Once(ErrorKind::Other));
    check_every_operation(Fault::Once(ErrorKind::Interrupted));
}

#[test]
fn a_disk_that_fails_from_some_point_of_a_change_on_loses_nothing() {
    check_every_operation(Fault::From(ErrorKind::StorageFull));
    check_every_operation(Fault::From(ErrorKind::ReadOnlyFilesystem));
}

#[test]
fn a_short_write_of_a_change_loses_nothing() {
    check_every_operation(Fault::Short);
}

#[test]
fn a_loss_of_power_at_any_operation_of_a_change_loses_nothing() {
    for operation in 0..operations_of_script() {
        for seed in 0..4 {
            let life = Life::start();
            life.machine.fail_at(operation, Fault::Stop);
            let life = life.run(SCRIPT).after_power_loss(&mut Seeded::new(seed));
            life.recover_and_check(&format!("power cut at {operation}, seed {seed}"));
        }
    }
}

#[test]
fn one_failing_operation_of_a_change_and_a_later_loss_of_power_lose_nothing() {
    for operation in 0..operations_of_script() {
        for seed in 0..2 {
            let life = Life::start();
            life.machine.fail_at(operation, Fault::Once(ErrorKind::Other));
            let life = life.run(SCRIPT).after_power_loss(&mut Seeded::new(seed));
            life.recover_and_check(&format!("failure at {operation}, then power loss, seed {seed}"));
        }
    }
}

#[test]
fn a_killed_change_and_a_loss_of_power_behind_the_next_one_lose_nothing() {
    let followers: [&[Step]; 4] = [
        &[Step::Loosen(0)],
        &[Step::Tighten(0), Step::Reset],
        &[Step::NextDay, Step::Loosen(0)],
        &[Step::NextDay, Step::DieLoosening(11, 0), Step::Loosen(1)],
    ];
    for operation in 0..CHANGE_OPERATIONS {
        for follower in followers {
            for seed in 0..20 {
                let begun = Life::start().run(&[Step::Loosen(1), Step::DieLoosening(operation, 0)]);
                let life = begun.run(follower).after_power_loss(&mut Seeded::new(seed));
                life.recover_and_check(&format!("killed at {operation}, {follower:?}, seed {seed}"));
            }
        }
    }
}

#[test]
fn a_state_that_cannot_be_read_is_restrictive_whatever_operation_fails() {
    let life = Life::start().run(&[Step::Loosen(0), Step::NextDay, Step::Loosen(1)]);
    let loosened = || life.transitions.toggles(life.registry, life.at_ms).permissive_keys().len();
    let before = life.machine.operations();
    assert_eq!(loosened(), 2);
    let operations = life.machine.operations() - before;
    assert!(operations >= 6, "{operations}");
    for kind in [ErrorKind::Other, ErrorKind::PermissionDenied] {
        for operation in 0..operations {
            life.machine.fail_at(life.machine.operations() + operation, Fault::Once(kind));
            assert_eq!(life.check_state(&format!("{kind:?} at {operation}")), Readable::No, "{operation}");
            life.machine.heal();
            assert_eq!(loosened(), 2, "it can be read again");
        }
    }
}

#[test]
fn a_change_of_any_byte_of_the_log_is_restrictive_or_a_torn_end() {
    let life = Life::start().run(&[Step::Loosen(0), Step::Loosen(1)]);
    let (name, bytes) = life.files().pop().unwrap();
    let folder = life.machine.folder("transitions");
    let (last, whole) = bytes.split_last().unwrap();
    for index in 0..whole.len() {
        let mut changed = bytes.clone();
        changed[index] ^= 1;
        folder.put(&name, &changed);
        assert_eq!(life.check_state(&format!("byte {index}")), Readable::No, "byte {index}");
    }
    folder.put(&name, &[whole, &[last ^ 1]].concat());
    assert_eq!(life.check_state("a torn end"), Readable::Yes);
    assert_eq!(life.transitions.toggles(life.registry, life.at_ms).permissive_keys().len(), 1);
}
