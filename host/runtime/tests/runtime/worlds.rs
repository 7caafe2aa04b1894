//! Components of another world than the contract's.

use crate::guest::{Guest, contract_text, of_world};
use crate::host::ask;
use holdpoint_core::ports::Failure;

const FULL: &str = "world vocabulary { export types; export classifier; }";

/// A component that follows the contract's text with one change.
fn changed(old: &str, new: &str) -> Vec<u8> {
    let text = contract_text();
    assert_eq!(text.matches(old).count(), 1, "{old}");
    of_world(Guest::default().module(), &format!("{}\n{FULL}", text.replace(old, new)))
}

#[track_caller]
fn refused(component: Vec<u8>, note: &str) {
    let (answer, degraded) = ask(component);
    assert_eq!(answer, Err(Failure::Unavailable));
    assert!(matches!(degraded.as_slice(), [one] if one.contains(note)), "{degraded:?}");
}

/// Types are compared when an instance is made, so there is nothing to note before.
#[track_caller]
fn never_asked(component: Vec<u8>) {
    assert_eq!(ask(component), (Err(Failure::Unavailable), vec![]));
}

#[test]
fn the_contract_itself_is_taken_in_this_form() {
    let text = format!("{}\n{FULL}", contract_text());
    // It traps when it is asked, so it was linked.
    assert_eq!(ask(of_world(Guest::default().module(), &text)), (Err(Failure::Trapped), vec![]));
}

#[test]
fn types_that_only_use_brings_in_are_an_import() {
    let text = format!("{}\nworld vocabulary {{ export classifier; }}", contract_text());
    let component = of_world(Guest::default().module(), &text);
    refused(component, "it imports `holdpoint:vocabulary/types@0.1.0`");
}

#[test]
fn an_import_is_refused_by_name() {
    let text = format!(
        "{}\ninterface clock {{ now: func() -> u64; }}\nworld vocabulary {{ import clock; export types; export classifier; }}",
        contract_text()
    );
    let classify = "(drop (call $now)) unreachable";
    // An import must stand before everything else, so this module is written out.
    let module = wat::parse_str(format!(
        "(module
            (import \"holdpoint:vocabulary/clock@0.1.0\" \"now\" (func $now (result i64)))
            (memory (export \"memory\") 1)
            (func (export \"cabi_realloc\") (param i32 i32 i32 i32) (result i32) (i32.const 0))
            (func (export \"holdpoint:vocabulary/classifier@0.1.0#classify\") (param i32) (result i32) {classify}))"
    ))
    .unwrap();
    refused(of_world(module, &text), "it imports `holdpoint:vocabulary/clock@0.1.0`");
}

#[test]
fn another_version_of_the_contract_is_refused() {
    let text = contract_text().replace("0.1.0", "0.2.0");
    let module = wat::parse_str(
        "(module
            (memory (export \"memory\") 1)
            (func (export \"cabi_realloc\") (param i32 i32 i32 i32) (result i32) (i32.const 0))
            (func (export \"holdpoint:vocabulary/classifier@0.2.0#classify\") (param i32) (result i32) unreachable))",
    )
    .unwrap();
    refused(of_world(module, &format!("{text}\n{FULL}")), "contract");
}

#[test]
fn a_component_without_the_exports_is_refused() {
    let module = wat::parse_str("(module (func (export \"run\")))").unwrap();
    refused(of_world(module, "package a:b; world w { export run: func(); }"), "contract");
    let types = format!("{}\nworld vocabulary {{ export types; }}", contract_text());
    refused(of_world(wat::parse_str("(module)").unwrap(), &types), "contract");
}

#[test]
fn a_contract_whose_words_stand_elsewhere_is_never_asked() {
    never_asked(changed("enum effect { none, reversible,", "enum effect { reversible, none,"));
    never_asked(changed("selection, all-in-parent, parent,", "selection, parent, all-in-parent,"));
}

#[test]
fn a_contract_with_a_word_more_or_less_is_refused() {
    never_asked(changed("nothing,\n        unknown,", "nothing,\n        unknown,\n        allow,"));
    never_asked(changed("enum word-kind { exact, glob, dynamic }", "enum word-kind { exact, glob }"));
    never_asked(changed("        not-idempotent,\n", ""));
}

#[test]
fn a_contract_with_other_fields_is_refused() {
    never_asked(changed("record slice { start: u32, end: u32 }", "record slice { end: u32, start: u32 }"));
    never_asked(changed(
        "record obligation { kind: obligation-kind, amount: u64 }",
        "record obligation { kind: obligation-kind, amount: s64 }",
    ));
    never_asked(changed(
        "record doubt { reason: reason, origin: span }",
        "record doubt { reason: reason, origin: slice }",
    ));
}

#[test]
fn another_function_is_refused() {
    let function = "classify: func(request: request) -> finding;";
    let module = |signature: &str| {
        wat::parse_str(format!(
            "(module
                (memory (export \"memory\") 1)
                (func (export \"cabi_realloc\") (param i32 i32 i32 i32) (result i32) (i32.const 0))
                (func (export \"holdpoint:vocabulary/classifier@0.1.0#classify\") {signature} unreachable))"
        ))
        .unwrap()
    };
    let other = |signature: &str, new: &str| {
        let text = contract_text().replace(function, new);
        of_world(module(signature), &format!("{text}\n{FULL}"))
    };
    never_asked(other("(param i32 i32) (result i32)", "classify: func(request: string) -> finding;"));
    never_asked(other("(param i32) (result i32)", "classify: func(request: request) -> string;"));
    never_asked(other("(param i32)", "classify: func(request: request);"));
    never_asked(other("(param i32) (result i32)", "classify: func(request: request) -> result<finding>;"));
}

#[test]
fn names_of_parameters_decide_nothing_but_more_parameters_are_refused() {
    let text =
        contract_text().replace("classify: func(request: request)", "classify: func(request: request, more: u32)");
    let module = wat::parse_str(
        "(module
            (memory (export \"memory\") 1)
            (func (export \"cabi_realloc\") (param i32 i32 i32 i32) (result i32) (i32.const 0))
            (func (export \"holdpoint:vocabulary/classifier@0.1.0#classify\") (param i32) (result i32) unreachable))",
    )
    .unwrap();
    never_asked(of_world(module, &format!("{text}\n{FULL}")));
}
