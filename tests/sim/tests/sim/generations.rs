//! An install that is cut off anywhere leaves the generation before it or the one after it, with everything that it names.

use holdpoint_core::digest::Digest;
use holdpoint_store::kept::Key;
use holdpoint_store::{Current, Generations, Step, Trust, TrustChange};
use holdpoint_tests_sim::machine::{Fault, Folder, Machine};
use holdpoint_tests_sim::seeded::Seeded;
use std::io::ErrorKind;

const START_MS: u64 = 1_800_000_000_000;
const SEEDS: u64 = 8;

fn generations(machine: &Machine) -> Generations<Folder> {
    Generations::over(machine.folder("generations"), Key::Given([7; 32]))
}

fn trust(machine: &Machine) -> Trust<Folder> {
    Trust::over(machine.folder("trust"), machine.folder("decisions"))
}

/// Everything an install writes, in its order. The index names its component.
fn install(machine: &Machine, number: u64) -> Result<(), String> {
    let (generations, trust) = (generations(machine), trust(machine));
    let failed = |failure: holdpoint_core::ports::NotDurable| failure.cause;
    let _lock = generations.lock().map_err(failed)?;
    let component = generations.put_blob(format!("component {number}").as_bytes()).map_err(failed)?;
    let generation = generations.put(number, component.hex().as_bytes()).map_err(failed)?;
    let step = Step::Activated { generation, floors: vec![("acme".to_owned(), number)] };
    match trust.change("ana", START_MS, |_| vec![step]).map_err(failed)? {
        TrustChange::Done(state) => {
            let (head, passed_ms) = (state.head, state.passed_ms);
            generations.keep(&Current {
                head,
                generation: state.active,
                refused: vec![],
                passed_ms,
                until_ms: START_MS,
            });
            Ok(())
        }
        TrustChange::Refused(why) => Err(why.to_owned()),
    }
}

/// The number of the generation in force. Whatever it names has to be there.
fn in_force(machine: &Machine) -> u64 {
    let state = trust(machine).state().unwrap();
    let active = state.active.unwrap();
    let index = generations(machine).index(&active).unwrap().expect("the index in force is not whole");
    let component = Digest::from_hex(std::str::from_utf8(&index).unwrap()).unwrap();
    let bytes = generations(machine).blob(&component).unwrap().expect("a component in force is not whole");
    assert_eq!(bytes, format!("component {}", active.number).into_bytes(), "a mixture");
    assert_eq!(state.floor("acme"), active.number, "the floor of another generation");
    let kept = generations(machine).current().filter(|kept| kept.head == state.head);
    assert!(kept.is_none_or(|kept| kept.generation == Some(active)), "what is kept says another generation");
    active.number
}

#[test]
fn a_crash_at_any_point_leaves_the_old_generation_or_the_new_one() {
    let fresh = || {
        let machine = Machine::default();
        install(&machine, 1).unwrap();
        machine
    };
    let measured = fresh();
    let before = measured.operations();
    install(&measured, 2).unwrap();
    let operations = before..measured.operations();
    assert!(operations.clone().count() > 20, "the faults have nothing to hit");
    let mut left = [0_u32; 2];
    for operation in operations {
        for seed in 0..SEEDS {
            for fault in [Fault::Stop, Fault::Short, Fault::Once(ErrorKind::StorageFull), Fault::From(ErrorKind::Other)]
            {
                let machine = fresh();
                machine.fail_at(operation, fault);
                let told = install(&machine, 2);
                machine.heal();
                let after = machine.after_power_loss(&mut Seeded::new(seed));
                let number = in_force(&after);
                assert!(told.is_err() || number == 2, "{operation} {fault:?}: told that it is in force, and it is not");
                left[usize::from(number == 2)] += 1;
                install(&after, 3).unwrap_or_else(|cause| panic!("{operation} {fault:?}: stuck: {cause}"));
                assert_eq!(in_force(&after), 3);
            }
        }
    }
    assert!(left[0] > 0 && left[1] > 0, "{left:?}");
}
