//! What is kept of the transitions says at any later time what all of them say, and no fault makes it say anything looser.

use holdpoint_core::journal::{Head, Line};
use holdpoint_core::json::Json;
use holdpoint_core::registry::{Registry, own_registry};
use holdpoint_core::report;
use holdpoint_store::kept::{KEPT_BACK_MS, KEPT_FROM_LINES, Key};
use holdpoint_store::{Day, ToggleStates, Transitions};
use holdpoint_tests_sim::machine::{Fault, Folder, Machine};
use holdpoint_tests_sim::seeded::Seeded;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use std::io::ErrorKind;
use std::sync::OnceLock;

const DAY_MS: u64 = 86_400_000;
const START_MS: u64 = 1_800_000_000_000;
/// Days on each side of the start in which the times of lines lie.
const DAYS: u64 = 20;
const KEY: Key = Key::Given([7; 32]);

fn registry() -> &'static Registry {
    static REGISTRY: OnceLock<Registry> = OnceLock::new();
    REGISTRY.get_or_init(|| own_registry().unwrap())
}

/// The members of a line.
type Members = Vec<(&'static str, Json)>;

fn some_time() -> impl Strategy<Value = u64> {
    let near = select(vec![0, 1, 7 * DAY_MS - 1, 7 * DAY_MS, 7 * DAY_MS + 1, 8 * DAY_MS]);
    let around = (near, any::<bool>()).prop_map(
        |(off_ms, is_later)| {
            if is_later { START_MS + off_ms } else { START_MS - off_ms }
        },
    );
    prop_oneof![START_MS - DAYS * DAY_MS..START_MS + DAYS * DAY_MS, around]
}

/// A line as this program, another version of it or nobody would write it.
fn some_line() -> impl Strategy<Value = Members> {
    let key = prop_oneof![
        6 => Just(Some("code.auto_push")),
        3 => Just(Some("email.auto_send")),
        1 => Just(Some("other.toggle")),
        1 => Just(Some("")),
    ];
    let layer = prop_oneof![6 => Just(None), 4 => Just(Some("team")), 1 => Just(Some("organisation")), 1 => Just(Some("division"))];
    let words = (
        select(vec!["permissive", "permissive", "restrictive", "open", "closed", "within", "?"]),
        select(vec!["ok", "ok", "ok", "ok", "denied", "?"]),
        select(vec!["loosen", "tighten", "lift", "bound"]),
    );
    let limits = (option::weighted(0.7, 1_u64..100), option::of(select(vec!["mon-fri 09:00-17:00", "never"])));
    (some_time(), key, layer, words, limits).prop_map(|(at_ms, key, layer, (to, result, reason), (cap, hours))| {
        let cap = cap.map(|count| {
            let name = ("name", Json::text("n"));
            Json::object([name, ("int_value", Json::count(count)), ("list_value", Json::Null)])
        });
        let members = [
            ("ts", Some(report::timestamp(at_ms))),
            ("actor", Some(Json::text(at_ms.to_string()))),
            ("key", key.map(Json::text)),
            ("layer", layer.map(Json::text)),
            ("from_state", Some(Json::text("x"))),
            ("to_state", Some(Json::text(to))),
            ("result", Some(Json::text(result))),
            ("reason", Some(Json::text(reason))),
            ("cap", cap),
            ("hours", hours.map(Json::text)),
        ];
        members.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    })
}

/// A machine whose transitions are a long line of no meaning, more of them, and then these.
fn machine(lines: &[Members]) -> Machine {
    let filler = || vec![("note", Json::text("nothing"))];
    let all = (0..KEPT_FROM_LINES).map(|_| filler()).chain(lines.iter().cloned());
    let (mut text, mut head) = (String::new(), Head::START);
    for members in all {
        let members = members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let (line, next) = Line::new(Json::Object(members)).unwrap().seal(head);
        text.push_str(&(line + "\n"));
        head = next;
    }
    let machine = Machine::default();
    machine.folder("transitions").put(&Day::at(START_MS).file_name(), text.as_bytes());
    machine
}

fn transitions(machine: &Machine) -> Transitions<Folder> {
    Transitions::over(machine.folder("transitions"), machine.folder("decisions"))
}

fn walked(machine: &Machine, now_ms: u64) -> ToggleStates {
    transitions(machine).toggles(registry(), now_ms)
}

fn cold(machine: &Machine, now_ms: u64) -> ToggleStates {
    transitions(machine).keeping(KEY).toggles(registry(), now_ms)
}

/// Makes a line wrong that says nothing, so that only what is kept can still be read.
fn damage(machine: &Machine) {
    let (folder, name) = (machine.folder("transitions"), Day::at(START_MS).file_name());
    let mut bytes = folder.bytes(&name).unwrap();
    let place = bytes.windows(7).position(|window| window == b"nothing").unwrap();
    bytes[place] ^= 1;
    folder.put(&name, &bytes);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_024))]

    #[test]
    fn what_is_kept_says_at_any_later_time_what_the_whole_chain_says(
        lines in vec(some_line(), 0..24),
        written_ms in some_time(),
        later in vec(0..2 * DAYS * DAY_MS, 4),
    ) {
        let machine = machine(&lines);
        prop_assert_eq!(cold(&machine, written_ms), walked(&machine, written_ms));
        let times = [0, 1, KEPT_BACK_MS].into_iter().chain(later);
        let times: Vec<u64> = times.map(|later_ms| written_ms - KEPT_BACK_MS + later_ms).collect();
        let expected: Vec<ToggleStates> = times.iter().map(|now_ms| walked(&machine, *now_ms)).collect();
        damage(&machine);
        prop_assert!(walked(&machine, written_ms).problem.is_some());
        let found: Vec<ToggleStates> = times.iter().map(|now_ms| cold(&machine, *now_ms)).collect();
        prop_assert_eq!(found, expected);
    }
}

fn of(pairs: &[(&'static str, &str)]) -> Members {
    let members = pairs.iter().map(|(name, word)| (*name, Json::text(*word)));
    let ts = ("ts", report::timestamp(START_MS));
    [ts, ("actor", Json::text("a")), ("from_state", Json::text("x")), ("result", Json::text("ok"))]
        .into_iter()
        .chain(members)
        .collect()
}

/// A chain with something loosened and something bound.
fn chain() -> Machine {
    let loosened = |key| of(&[("key", key), ("to_state", "permissive"), ("reason", "loosen")]);
    let closed = of(&[("key", "net.allow_outbound"), ("layer", "team"), ("to_state", "closed"), ("reason", "bound")]);
    machine(&[loosened("code.auto_push"), loosened("net.allow_outbound"), closed])
}

/// Reads once more on a healthy machine, and once from what is kept then.
fn recover_and_check(machine: &Machine, what: &str) {
    let expected = walked(machine, START_MS);
    assert_eq!(expected.permissive_keys(), ["code.auto_push"], "{what}");
    for time in ["first", "second"] {
        assert_eq!(cold(machine, START_MS), expected, "{what}: {time}");
    }
}

#[test]
fn a_fault_at_any_operation_of_reading_or_keeping_is_restrictive_or_makes_no_difference() {
    let faults = [
        Fault::Once(ErrorKind::Other),
        Fault::Once(ErrorKind::PermissionDenied),
        Fault::From(ErrorKind::ReadOnlyFilesystem),
        Fault::Short,
        Fault::Stop,
    ];
    // The first reading keeps, the second reads what is kept.
    for readings in 1..=2 {
        let read = |machine: &Machine| (0..readings).map(|_| cold(machine, START_MS)).collect::<Vec<_>>();
        let healthy = chain();
        let expected = read(&healthy);
        let operations = healthy.operations();
        assert!(operations > 8, "{operations}");
        for fault in faults {
            for operation in 0..operations {
                let what = format!("{fault:?} at {operation} of {readings} readings");
                let machine = chain();
                machine.fail_at(operation, fault);
                for (found, expected) in read(&machine).iter().zip(&expected) {
                    let restrictive = found.problem.is_some() && found.permissive_keys().is_empty();
                    assert!(restrictive || found == expected, "{what}: {found:?}");
                }
                machine.heal();
                for seed in 0..4 {
                    recover_and_check(
                        &machine.after_power_loss(&mut Seeded::new(seed)),
                        &format!("{what}, seed {seed}"),
                    );
                }
                recover_and_check(&machine, &what);
            }
        }
    }
}

#[test]
fn reading_what_is_kept_reads_less_the_longer_the_chain_is() {
    let line = || of(&[("key", "code.auto_push"), ("to_state", "restrictive"), ("reason", "tighten")]);
    let read_by_cold = |count: usize| {
        let machine = machine(&vec![line(); count]);
        cold(&machine, START_MS);
        let before = machine.bytes_read();
        cold(&machine, START_MS);
        machine.bytes_read() - before
    };
    let (short, long) = (read_by_cold(100), read_by_cold(2_000));
    assert!(long < short + 512, "{short} bytes behind 100 lines, {long} behind 2000");
}
