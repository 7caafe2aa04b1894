//! Everything an answering component does not need is refused by name.

use super::*;

const MODULE: &str =
    "(core module $m (memory (export \"memory\") 1) (func (export \"run\") (result i32) (i32.const 1)))";
const LIFTED: &str = "
    (core instance $i (instantiate $m))
    (func $run (result u32) (canon lift (core func $i \"run\")))
    (export \"run\" (func $run))";

fn of(fields: &str) -> Result<Proof, ProofError> {
    of_with(&Limits::DEFAULT, fields)
}

fn of_with(limits: &Limits, fields: &str) -> Result<Proof, ProofError> {
    let bytes = wat::parse_str(format!("(component {fields})")).unwrap();
    prove(&bytes, limits)
}

/// A component whose one module holds this.
fn of_module(fields: &str) -> Result<Proof, ProofError> {
    of(&format!("(core module {fields})"))
}

#[track_caller]
fn invalid_for(found: Result<Proof, ProofError>, needle: &str) {
    match found {
        Err(ProofError::Invalid(message)) => assert!(message.contains(needle), "{message}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_plain_component_is_proved_line_by_line() {
    let proof = of(&format!("{MODULE} {LIFTED}")).unwrap();
    let digest = proof.digest();
    let expected = [
        format!("sha256 {digest}"),
        "imports: none".to_owned(),
        "canonical functions: 1 lift, nothing else".to_owned(),
        "start functions: none".to_owned(),
        "core modules: 1, with 1 functions".to_owned(),
        "nested components: 0, types only".to_owned(),
        "memory: 32-bit, not shared".to_owned(),
    ];
    assert_eq!(proof.lines(), expected);
}

#[test]
fn the_digest_is_of_the_whole_file() {
    let mut bytes = wat::parse_str(format!("(component {MODULE})")).unwrap();
    let one = prove(&bytes, &Limits::DEFAULT).unwrap();
    // An empty custom section changes no meaning and another file all the same.
    bytes.extend([0, 2, 1, b'x']);
    let other = prove(&bytes, &Limits::DEFAULT).unwrap();
    assert_ne!(one.digest(), other.digest());
    assert_eq!(one.lines()[1..], other.lines()[1..]);
}

#[test]
fn a_core_module_or_text_is_not_a_component() {
    let module = wat::parse_str("(module)").unwrap();
    assert_eq!(prove(&module, &Limits::DEFAULT), Err(ProofError::NotAComponent));
    for bytes in [b"(component)".as_slice(), b"", b"\0asm", b"\0asm\x0d\0", b"\0asm\xff\0\x01\0", b"\x7fELF"] {
        assert!(matches!(prove(bytes, &Limits::DEFAULT), Err(ProofError::Invalid(_))), "{bytes:?}");
    }
}

#[test]
fn an_import_is_refused_by_name() {
    let import = |name: &str| Err(ProofError::Import(name.to_owned()));
    assert_eq!(of(&format!("(import \"a:b/clock\" (instance)) {MODULE}")), import("a:b/clock"));
    assert_eq!(of(&format!("(import \"read\" (func)) {MODULE}")), import("read"));
    assert_eq!(of(&format!("(import \"c\" (component)) {MODULE}")), import("c"));
    assert_eq!(of("(import \"m\" (core module))"), import("m"));
    // Types only: harmless, and still something from outside.
    assert_eq!(of(&format!("(import \"t\" (type (sub resource))) {MODULE}")), import("t"));
    assert_eq!(of_module("(import \"env\" \"now\" (func))"), import("env.now"));
    assert_eq!(of_module("(import \"env\" \"memory\" (memory 1))"), import("env.memory"));
    assert_eq!(of_module("(import \"\" \"\" (global i32))"), import("."));
}

#[test]
fn a_canonical_built_in_is_refused_by_name() {
    let built_in = |fields: &str, name: &str| match of(&format!("{fields} {MODULE}")) {
        Err(ProofError::BuiltIn(found)) => assert!(found.starts_with(name), "{found}"),
        other => panic!("{name}: {other:?}"),
    };
    let resource = "(type $r (resource (rep i32)))";
    built_in(&format!("{resource} (core func (canon resource.new $r))"), "ResourceNew");
    built_in(&format!("{resource} (core func (canon resource.drop $r))"), "ResourceDrop");
    built_in(&format!("{resource} (core func (canon resource.rep $r))"), "ResourceRep");
    built_in("(core func (canon backpressure.inc))", "BackpressureInc");
    built_in("(core func (canon backpressure.dec))", "BackpressureDec");
    built_in("(core func (canon task.return))", "TaskReturn");
    built_in("(core func (canon task.cancel))", "TaskCancel");
    built_in("(core func (canon context.get i32 0))", "ContextGet");
    built_in("(core func (canon context.set i32 0))", "ContextSet");
    built_in("(core func (canon subtask.drop))", "SubtaskDrop");
    built_in("(core func (canon subtask.cancel))", "SubtaskCancel");
    built_in("(core func (canon waitable-set.new))", "WaitableSetNew");
    built_in("(core func (canon waitable-set.drop))", "WaitableSetDrop");
    built_in("(core func (canon waitable.join))", "WaitableJoin");
    built_in("(core func (canon error-context.drop))", "ErrorContextDrop");
}

#[test]
fn lowering_is_a_built_in_too() {
    // The component lifts its own function and lowers it again: nothing from outside, and still no plain answer.
    let lowered = format!("{MODULE} {LIFTED} (core func (canon lower (func $run)))");
    assert!(matches!(of(&lowered), Err(ProofError::BuiltIn(found)) if found.starts_with("Lower")));
}

#[test]
fn a_start_function_is_refused() {
    assert_eq!(of_module("(func $f) (start $f)"), Err(ProofError::Start));
    let bytes = {
        // The text format has no component start section, so it is put in by hand: function 0, no arguments, no results.
        let mut bytes = wat::parse_str(format!("(component {MODULE} {LIFTED})")).unwrap();
        bytes.extend([9, 3, 0, 0, 0]);
        bytes
    };
    assert_eq!(prove(&bytes, &Limits::DEFAULT), Err(ProofError::Start));
}

#[test]
fn there_is_exactly_one_core_module() {
    assert_eq!(of(""), Err(ProofError::Modules(0)));
    assert_eq!(of("(core module) (core module)"), Err(ProofError::Modules(2)));
    assert_eq!(of(&"(core module)".repeat(9)), Err(ProofError::Modules(9)));
}

#[test]
fn a_nested_component_may_hold_types_and_nothing_else() {
    let nested = |fields: &str| of(&format!("{MODULE} (component {fields})"));
    let shim =
        "(import \"f\" (func $f)) (type $t (enum \"a\" \"b\")) (export $e \"t\" (type $t)) (export \"g\" (func $f))";
    assert!(nested(shim).is_ok());
    assert!(nested("(component (type u8))").is_ok());
    assert_eq!(nested("(core module)"), Err(ProofError::Nested("a core module")));
    assert_eq!(nested("(component (core module))"), Err(ProofError::Nested("a core module")));
    let module = "(import \"m\" (core module $m))";
    assert_eq!(
        nested(&format!("{module} (core instance (instantiate $m))")),
        Err(ProofError::Nested("a core instance"))
    );
    let component = "(import \"c\" (component $c))";
    assert_eq!(nested(&format!("{component} (instance (instantiate $c))")), Err(ProofError::Nested("an instance")));
    let resource = "(import \"r\" (type $r (sub resource)))";
    let built_in = format!("{resource} (core func (canon resource.drop $r))");
    assert_eq!(nested(&built_in), Err(ProofError::Nested("a canonical function")));
    let lowered = "(import \"f\" (func $f)) (core func (canon lower (func $f)))";
    assert_eq!(nested(lowered), Err(ProofError::Nested("a canonical function")));
    let own = "(core instance $i (export \"f\" (func $f)))";
    assert!(matches!(nested(&format!("{lowered} {}", own.replace("$f", "0"))), Err(ProofError::Nested(_))));
}

#[test]
fn nesting_is_bounded() {
    let nested = |depth: usize| of(&format!("{MODULE} {}{}", "(component ".repeat(depth), ")".repeat(depth)));
    assert!(nested(NESTING_MAX - 1).is_ok());
    let over = |found| Err(ProofError::OverBound { what: "nesting of components", found, most: NESTING_MAX });
    assert_eq!(nested(NESTING_MAX), over(NESTING_MAX + 1));
    assert_eq!(nested(50), over(NESTING_MAX + 1));
}

#[test]
fn a_memory_that_is_shared_or_64_bit_is_refused() {
    assert_eq!(of_module("(memory 1 1 shared)"), Err(ProofError::Memory));
    assert_eq!(of_module("(memory i64 1)"), Err(ProofError::Memory));
    assert_eq!(of_module("(memory i64 1 1 shared)"), Err(ProofError::Memory));
    assert!(of_module("(memory 1)").is_ok());
}

#[test]
fn each_proposal_that_is_off_is_refused_by_name() {
    let cases = [
        ("(func (drop (v128.const i64x2 0 0)))", "SIMD support is not enabled"),
        ("(func (param v128))", "SIMD support is not enabled"),
        (
            "(func (param v128) (drop (i8x16.relaxed_swizzle (local.get 0) (local.get 0))))",
            "SIMD support is not enabled",
        ),
        ("(memory 1) (func (drop (i32.atomic.load (i32.const 0))))", "threads support is not enabled"),
        ("(func (atomic.fence))", "threads support is not enabled"),
        ("(tag)", "exceptions proposal not enabled"),
        ("(func (try_table))", "exceptions support is not enabled"),
        ("(func (param exnref))", "exception"),
        ("(func $f return_call $f)", "tail calls support is not enabled"),
        ("(memory 1) (memory 1)", "multiple memories"),
        ("(type $t (func)) (func (param (ref $t)) (call_ref $t (local.get 0)))", "function references"),
        ("(type $t (struct))", "without the gc feature"),
        ("(func (param anyref))", "gc"),
        ("(func (drop (ref.i31 (i32.const 0))))", "gc support is not enabled"),
        ("(type $t (array i8))", "without the gc feature"),
        ("(func (drop (i64.add128 (i64.const 0) (i64.const 0) (i64.const 0) (i64.const 0))) drop)", "wide arithmetic"),
        ("(memory 1 1 (pagesize 1))", "custom page size"),
        ("(table i64 1 funcref)", "64"),
        ("(global i32 (i32.add (i32.const 1) (i32.const 2)))", "constant expression"),
        ("(type $f (func)) (type $c (cont $f))", "stack switching"),
        ("(table shared 1 (ref null (shared func)))", "shared"),
        ("(table 1 funcref (ref.null func))", "function-references proposal"),
    ];
    for (fields, needle) in cases {
        match of_module(fields) {
            Err(ProofError::Invalid(message)) => assert!(message.contains(needle), "{fields}: {message}"),
            other => panic!("{fields}: {other:?}"),
        }
    }
}

#[test]
fn each_component_proposal_that_is_off_is_refused() {
    let with = |fields: &str| of(&format!("{MODULE} {fields}"));
    invalid_for(with("(type (stream u8))"), "async");
    invalid_for(with("(type (future u8))"), "async");
    invalid_for(with("(type (list u8 4))"), "fixed");
    invalid_for(with("(type error-context)"), "error-context");
    invalid_for(with("(type (map string u8))"), "map");
    invalid_for(with("(type (func async))"), "async");
    let lifted = "(core instance $i (instantiate $m)) (func (result u32) (canon lift (core func $i \"run\") async))";
    invalid_for(with(lifted), "async");
}

#[test]
fn what_rust_needs_is_taken() {
    let module = "
        (memory 1) (table 2 funcref) (global (mut i32) (i32.const 0)) (global (export \"g\") (mut i64) (i64.const 0))
        (func (result i32 i32) (i32.const 1) (i32.const 2))
        (func (drop (i32.extend8_s (i32.const 1))) (drop (i32.trunc_sat_f64_s (f64.const 1))))
        (func (memory.copy (i32.const 0) (i32.const 0) (i32.const 0)) (memory.fill (i32.const 0) (i32.const 0) (i32.const 0)))
        (data (i32.const 0) \"a\") (elem (i32.const 0) func 0)";
    assert!(of_module(module).is_ok());
}

#[test]
fn code_that_is_not_valid_is_refused() {
    // The text format does not check types, so the bytes are well formed.
    invalid_for(of_module("(func (result i32) (i64.const 1))"), "type mismatch");
    invalid_for(of_module("(func (call 7))"), "unknown function");
    invalid_for(of_module("(memory 65537)"), "memory size");
    invalid_for(of_module("(func (export \"a\")) (func (export \"a\"))"), "duplicate export");
}

#[test]
fn each_bound_refuses_a_component_just_over_it() {
    let limits = Limits { functions_max: 3, function_bytes_max: 100, ..Limits::DEFAULT };
    let functions = |count: usize| of_with(&limits, &format!("(core module {})", "(func)".repeat(count)));
    assert!(functions(3).is_ok());
    assert_eq!(functions(4), Err(ProofError::OverBound { what: "number of functions", found: 4, most: 3 }));
    // A body is a count of locals, the instructions and their end.
    let body = |nops: usize| of_with(&limits, &format!("(core module (func {}))", "nop ".repeat(nops)));
    assert!(body(98).is_ok());
    assert_eq!(body(99), Err(ProofError::OverBound { what: "largest function in bytes", found: 101, most: 100 }));
    let bytes = wat::parse_str(format!("(component {MODULE})")).unwrap();
    let size = |most| prove(&bytes, &Limits { component_bytes_max: most, ..Limits::DEFAULT });
    assert!(size(bytes.len()).is_ok());
    let over = ProofError::OverBound { what: "size in bytes", found: bytes.len(), most: bytes.len() - 1 };
    assert_eq!(size(bytes.len() - 1), Err(over));
}

#[test]
fn a_section_that_claims_to_be_enormous_is_refused() {
    let header = b"\0asm\x0d\0\x01\0";
    for section in 0..=12 {
        let huge = [header.as_slice(), &[section, 0xff, 0xff, 0xff, 0xff, 0x0f]].concat();
        assert!(prove(&huge, &Limits::DEFAULT).is_err());
        // A count without the items.
        let counted = [header.as_slice(), &[section, 5, 0xff, 0xff, 0xff, 0xff, 0x0f]].concat();
        assert!(prove(&counted, &Limits::DEFAULT).is_err());
    }
}

#[test]
fn every_refusal_says_what_to_do() {
    let all = [
        ProofError::OverBound { what: "size in bytes", found: 2, most: 1 },
        ProofError::Invalid("x".into()),
        ProofError::NotAComponent,
        ProofError::Import("x".into()),
        ProofError::BuiltIn("x".into()),
        ProofError::Start,
        ProofError::Modules(2),
        ProofError::Nested("x"),
        ProofError::Memory,
    ];
    for error in all {
        assert!(!error.help().is_empty() && !error.to_string().is_empty());
    }
}
