//! Guests that take what they are not given: time, memory, stack, another call's state.

use crate::abi::{Image, image};
use crate::guest::{Guest, answering, good, guest, manifest, with_manifest};
use crate::host::{Bytes, Host, LIMITS, action_of, ask, ask_with, nothing};
use holdpoint_core::digest::Digest;
use holdpoint_core::ports::{Classifier, Failure};
use holdpoint_runtime::{Compiler, Limits, Sandbox, Vocabularies, Vocabulary};

const ENDLESS: &str = "(loop $again (br $again)) unreachable";

/// Fuel without end, and little time.
const HASTY: Limits = Limits { fuel_max: u64::MAX, deadline_ticks: 5, tick_ms: 2, ..LIMITS };

#[track_caller]
fn fails(component: Vec<u8>, failure: Failure) {
    assert_eq!(ask(component), (Err(failure), vec![]));
}

#[track_caller]
fn never_asked(component: Vec<u8>, note: &str) {
    let (answer, degraded) = ask(component);
    assert_eq!(answer, Err(Failure::Unavailable));
    assert!(!degraded.is_empty() && degraded.iter().all(|each| each.contains(note)), "{degraded:?}");
}

#[test]
fn an_endless_loop_ends_when_its_fuel_does() {
    fails(guest(ENDLESS), Failure::OutOfFuel);
}

#[test]
fn an_endless_loop_with_endless_fuel_ends_at_the_deadline() {
    // The good guest shares the short deadline and may miss it on a busy machine, so only this one is asked.
    let host = Host::with(HASTY, &[guest(ENDLESS)]);
    assert_eq!(host.vocabularies.classify(0, &action_of("ls"), &[]), Err(Failure::Deadline));
}

#[test]
fn instructions_that_do_much_at_once_take_fuel_for_all_of_it() {
    let each = [
        "(memory.fill (i32.const 65536) (i32.const 1) (i32.const 0x180000))",
        "(memory.copy (i32.const 65536) (i32.const 65537) (i32.const 0x180000))",
    ];
    for instruction in each {
        fails(guest(&format!("(loop $again {instruction} (br $again)) unreachable")), Failure::OutOfFuel);
    }
}

#[test]
fn a_vocabulary_that_asks_for_less_fuel_gets_less() {
    let work = "
        (local $left i32)
        (local.set $left (i32.const 10000))
        (loop $again
            (local.set $left (i32.sub (local.get $left) (i32.const 1)))
            (br_if $again (local.get $left)))";
    let Image { bytes, root } = image(&nothing());
    let component = Guest { classify: &format!("{work} (i32.const {root})"), data: &bytes, ..Guest::default() }.build();
    assert_eq!(ask(component.clone()).0, Ok(nothing()));
    let vocabulary = Vocabulary {
        manifest: manifest(1_000),
        digest: Digest::of_file(&component),
        refused: None,
        source: Box::new(Bytes(Ok(component))),
    };
    let frugal = Vocabularies::new(Sandbox::new(LIMITS).unwrap(), None, Compiler::Here, vec![vocabulary]);
    assert_eq!(frugal.classify(0, &action_of("ls"), &[]), Err(Failure::OutOfFuel));
}

#[test]
fn the_functions_around_the_call_are_held_to_the_same_fuel() {
    let realloc = Guest { realloc: ENDLESS, ..Guest::default() };
    fails(realloc.build(), Failure::OutOfFuel);
    let post = |body: &str| {
        let fields =
            format!("(func (export \"cabi_post_holdpoint:vocabulary/classifier@0.1.0#classify\") (param i32) {body})");
        let Image { bytes, root } = image(&nothing());
        Guest { classify: &format!("(i32.const {root})"), fields: &fields, data: &bytes, ..Guest::default() }.build()
    };
    fails(post(ENDLESS), Failure::OutOfFuel);
    fails(post("unreachable"), Failure::Trapped);
    assert_eq!(ask(post("")), (Ok(nothing()), vec![]));
}

#[test]
fn memory_ends_at_its_limit() {
    fails(guest("(drop (memory.grow (i32.const 33))) (i32.const 1024)"), Failure::OverMemory);
    fails(guest("(loop $again (drop (memory.grow (i32.const 1))) (br $again)) unreachable"), Failure::OverMemory);
    fails(guest("(drop (memory.grow (i32.const -1))) (i32.const 1024)"), Failure::OverMemory);
    // A component that starts over the limit is never asked.
    for memory in ["65", "65536"] {
        never_asked(Guest { memory, ..Guest::default() }.build(), "memory");
    }
}

#[test]
fn memory_may_be_used_up_to_its_limit() {
    let Image { bytes, root } = image(&nothing());
    let classify = format!(
        "(drop (memory.grow (i32.const 32))) (i32.store (i32.const 0x3ffffc) (i32.const 1)) (i32.const {root})"
    );
    let component = Guest { classify: &classify, data: &bytes, ..Guest::default() }.build();
    assert_eq!(ask(component), (Ok(nothing()), vec![]));
}

#[test]
fn tables_end_at_their_limit() {
    let grow = |count: &str| {
        let fields = format!(
            "(table $table 1 funcref)
             (func $grow (result i32) (table.grow $table (ref.null func) (i32.const {count})))"
        );
        Guest { classify: "(drop (call $grow)) (i32.const 1024)", fields: &fields, ..Guest::default() }.build()
    };
    fails(grow("1000"), Failure::OverMemory);
    // Fuel is counted for each element before there is one.
    fails(grow("-1"), Failure::OutOfFuel);
    never_asked(Guest { fields: "(table 1001 funcref)", ..Guest::default() }.build(), "table");
    never_asked(
        Guest { fields: "(table 1 funcref) (table 1 funcref) (table 1 funcref)", ..Guest::default() }.build(),
        "tables",
    );
}

#[test]
fn deep_recursion_ends_with_the_stack() {
    let dive = Guest {
        classify: "(call $dive (i64.const 1) (i64.const 2)) (i32.const 1024)",
        fields: "(func $dive (param i64 i64) (call $dive (local.get 1) (local.get 0)) (call $dive (local.get 0) (local.get 1)))",
        ..Guest::default()
    };
    fails(dive.build(), Failure::Trapped);
    let itself = Guest {
        realloc: "(drop (call $classify (i32.const 0))) unreachable",
        classify: "(call $classify (local.get $request))",
        ..Guest::default()
    };
    fails(itself.build(), Failure::Trapped);
}

#[test]
fn every_trap_is_one() {
    let traps = [
        "unreachable",
        "(i32.div_u (i32.const 1) (i32.const 0))",
        "(i32.div_s (i32.const 0x80000000) (i32.const -1))",
        "(i32.trunc_f64_s (f64.const nan))",
        "(i32.load (i32.const -4))",
        "(i32.store (i32.const 0x200000) (i32.const 1)) (i32.const 1024)",
        "(memory.copy (i32.const 0) (i32.const 0x1fffff) (i32.const 2)) (i32.const 1024)",
    ];
    let host = Host::new(&traps.map(guest));
    for (index, trap) in traps.iter().enumerate() {
        assert_eq!(host.ask(index, &action_of("ls")), Err(Failure::Trapped), "{trap}");
    }
    let table = |classify: &str| {
        let fields =
            "(table 2 funcref) (elem (i32.const 0) $other) (func $other) (type $same (func (param i32) (result i32)))";
        Guest { classify, fields, ..Guest::default() }.build()
    };
    for index in [0, 1, 2] {
        let call = format!("(call_indirect (type $same) (i32.const 5) (i32.const {index}))");
        fails(table(&call), Failure::Trapped);
    }
}

#[test]
fn nothing_is_kept_from_one_call_to_the_next() {
    // Whatever the call before left behind would trap this one.
    let probes = "
        (if (global.get $calls) (then unreachable))
        (if (i32.load (i32.const 0x100000)) (then unreachable))
        (if (i32.load (i32.const 4096)) (then unreachable))
        (if (i32.ne (memory.size) (i32.const 32)) (then unreachable))
        (if (i32.ne (table.size $table) (i32.const 1)) (then unreachable))
        (if (i32.eqz (ref.is_null (table.get $table (i32.const 0)))) (then unreachable))
        (global.set $calls (i32.const 1))
        (i32.store (i32.const 0x100000) (i32.const 1))
        (i32.store (i32.const 4096) (i32.const 1))
        (drop (memory.grow (i32.const 1)))
        (drop (table.grow $table (ref.null func) (i32.const 1)))
        (table.set $table (i32.const 0) (ref.func $classify))
        (data.drop $passive)";
    let Image { bytes, root } = image(&nothing());
    let component = Guest {
        classify: &format!(
            "(memory.init $passive (i32.const 0x100010) (i32.const 0) (i32.const 4)) {probes} (i32.const {root})"
        ),
        fields: "(global $calls (mut i32) (i32.const 0)) (table $table 1 funcref) (data $passive \"once\")
                 (elem declare func $classify)",
        data: &bytes,
        ..Guest::default()
    };
    let host = Host::new(&[component.build()]);
    for _ in 0..5 {
        assert_eq!(host.ask(0, &action_of("ls")), Ok(nothing()));
    }
}

#[test]
fn nothing_of_one_guest_is_seen_by_another() {
    // One slot for all instances, so the second guest runs where the first one was.
    let limits = Limits { instances_max: 1, ..LIMITS };
    let writes = "
        (drop (memory.grow (i32.const 32)))
        (memory.fill (i32.const 0) (i32.const 0xaa) (i32.const 0x400000))
        unreachable";
    let reads = "
        (local $at i32)
        (drop (memory.grow (i32.const 32)))
        (local.set $at (i32.const 0x90000))
        (loop $more
            (if (i64.ne (i64.load (local.get $at)) (i64.const 0)) (then unreachable))
            (local.set $at (i32.add (local.get $at) (i32.const 8)))
            (br_if $more (i32.lt_u (local.get $at) (i32.const 0x400000))))";
    let Image { bytes, root } = image(&nothing());
    let reads = Guest { classify: &format!("{reads} (i32.const {root})"), data: &bytes, ..Guest::default() }.build();
    let host = Host::with(limits, &[guest(writes), reads]);
    for _ in 0..3 {
        assert_eq!(host.ask(0, &action_of("ls")), Err(Failure::Trapped));
        assert_eq!(host.ask(1, &action_of("ls")), Ok(nothing()));
    }
}

#[test]
fn a_host_without_a_free_place_says_that_it_cannot_ask() {
    // Not "the answer was bad": the guest was never asked.
    let component = answering(&nothing());
    let host = Host::with(Limits { instances_max: 0, ..LIMITS }, &[component]);
    assert_eq!(host.vocabularies.classify(0, &action_of("ls"), &[]), Err(Failure::Unavailable));
}

#[test]
fn many_threads_may_ask_at_once() {
    let limits = Limits { instances_max: 4, ..LIMITS };
    let host = Host::with(limits, &[guest(ENDLESS), good(), guest("unreachable")]);
    let ask = |guest: usize| host.vocabularies.classify(guest, &action_of("ls"), &[]);
    std::thread::scope(|scope| {
        let threads = [0, 1, 1, 2].map(|guest| scope.spawn(move || (0..8).map(|_| ask(guest)).collect::<Vec<_>>()));
        let [endless, one, other, traps] = threads.map(|thread| thread.join().unwrap());
        assert!(endless.iter().all(|answer| *answer == Err(Failure::OutOfFuel)));
        assert!(one.iter().chain(&other).all(|answer| *answer == Ok(nothing())));
        assert!(traps.iter().all(|answer| *answer == Err(Failure::Trapped)));
    });
}

#[test]
fn a_vocabulary_that_does_not_exist_is_unavailable() {
    let host = Host::new(&[]);
    assert_eq!(host.vocabularies.classify(7, &action_of("ls"), &[]), Err(Failure::Unavailable));
}

#[test]
fn a_function_at_the_start_is_refused() {
    let start = Guest { fields: "(start $first) (func $first (loop $again (br $again)))", ..Guest::default() };
    let (answer, degraded) = ask(start.build());
    assert_eq!(answer, Err(Failure::Unavailable));
    assert_eq!(degraded, ["vocabulary test: proof: it has a start function"]);
}

#[test]
fn bounds_on_the_code_are_kept_before_it_is_compiled() {
    let refused = |limits: Limits, component: Vec<u8>, expected: &str| {
        let (answer, degraded) = ask_with(limits, component);
        assert_eq!(answer, Err(Failure::Unavailable));
        assert!(degraded.iter().any(|note| note.contains(expected)), "{degraded:?}");
    };
    let many = "(func)".repeat(99);
    refused(LIMITS, Guest { fields: &many, ..Guest::default() }.build(), "number of functions is 101, the most is 100");
    let long = format!("(func {})", "nop ".repeat(17 << 10));
    refused(LIMITS, Guest { fields: &long, ..Guest::default() }.build(), "largest function in bytes");
    let large = Guest { data: &vec![1; 1 << 20], memory: "40", ..Guest::default() };
    refused(LIMITS, large.build(), "size in bytes");
    // The bound on compiled code is the compiler's, and holds without a child as well. The good guest is over it too.
    let host = Host::with(Limits { artefact_bytes_max: 1_000, ..LIMITS }, &[good()]);
    assert_eq!(host.vocabularies.classify(0, &action_of("ls"), &[]), Err(Failure::Unavailable));
    assert_eq!(host.vocabularies.degraded(), ["vocabulary test: compiler: the compiled code is over 1000 bytes"]);
}

#[test]
fn a_manifest_does_not_change_what_a_component_can_do() {
    assert_eq!(ask(with_manifest(good())).0, Ok(nothing()));
}
