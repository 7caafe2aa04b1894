//! What the core cannot do, and who alone may do what it forbids to others.

use crate::rust_text::{Token, places, tokens};
use crate::tree::{Objections, Source, rust_files};

/// Files that may hold `unsafe`, each with its reason.
const UNSAFE: &[(&str, &str)] = &[
    ("host/runtime/src/cache.rs", "wasmtime cannot check compiled code that it loads"),
    ("plugins/shell/tests/it/main.rs", "counting what a guest allocates takes an allocator, which is unsafe to write"),
];
/// Where a journal may be implemented, besides tests, each with its reason.
const JOURNALS: &[(&str, &str)] = &[
    ("host/store", "the journal that is durable"),
    ("host/cli/src/gate.rs", "hands the lines to the store and nothing else"),
    ("host/engine/examples/embed.rs", "shows embedding without a state folder; the engine may not use the store"),
];
/// The only file that makes the tokens.
const MINT: &str = "host/core/src/authorize.rs";
const TOKENS: &[&str] = &["Authorized", "Committed"];
/// What the core denies to itself beyond the lints of the workspace.
const CORE_DENIES: &[&str] = &[
    "wildcard_enum_match_arm",
    "arithmetic_side_effects",
    "unwrap_used",
    "expect_used",
    "panic",
    "indexing_slicing",
    "string_slice",
];
/// What would let the outside in while compiling.
const COMPILE_TIME_INPUT: &[&str] = &["include", "include_str", "include_bytes", "env", "option_env"];

fn is_test(file: &Source) -> bool {
    file.path.ends_with("_tests.rs") || file.path.split('/').any(|folder| folder == "tests")
}

fn attributes(file: &Source, objections: &mut Objections) {
    let tokens = tokens(&file.text);
    let has = |words: &[&str]| places(&tokens, words).next().is_some();
    if !has(&["#", "!", "[", "no_std", "]"]) {
        objections.at(&file.path, 1, "`#![no_std]` is missing");
    }
    if !has(&["#", "!", "[", "forbid", "(", "unsafe_code", ")", "]"]) {
        objections.at(&file.path, 1, "`#![forbid(unsafe_code)]` is missing");
    }
    let start = places(&tokens, &["#", "!", "[", "deny", "("]).next().unwrap_or(tokens.len());
    let denied: Vec<&str> =
        tokens.iter().skip(start).take_while(|token| token.text != ")").map(|token| token.text.as_str()).collect();
    for lint in CORE_DENIES.iter().filter(|lint| !denied.contains(lint)) {
        objections.at(&file.path, 1, &format!("`clippy::{lint}` is not denied"));
    }
}

fn no_std(file: &Source, objections: &mut Objections) {
    let tokens = tokens(&file.text);
    for index in places(&tokens, &["extern", "crate", "std"]) {
        let behind = ["#", "[", "cfg", "(", "test", ")", "]"];
        let guarded = index >= behind.len() && places(&tokens[index - behind.len()..index], &behind).next().is_some();
        if !guarded {
            objections.at(&file.path, tokens[index].line, "`std` comes in outside of tests");
        }
    }
    for name in COMPILE_TIME_INPUT {
        for index in places(&tokens, &[name, "!"]) {
            objections.at(&file.path, tokens[index].line, &format!("`{name}!` reads something that is not code"));
        }
    }
}

fn no_unsafe(file: &Source, objections: &mut Objections) {
    let tokens = tokens(&file.text);
    let lines: Vec<&str> = file.text.lines().collect();
    for index in places(&tokens, &["unsafe"]) {
        let line = tokens[index].line;
        if !UNSAFE.iter().any(|(path, _)| *path == file.path) {
            objections.at(&file.path, line, "`unsafe` in a file that may not hold any");
        }
        let acts = tokens.get(index + 1).is_some_and(|next| matches!(next.text.as_str(), "{" | "impl"));
        let above = lines[..line - 1].iter().rev().map(|line| line.trim());
        let mut above = above.take_while(|line| line.starts_with("//") || line.starts_with("#["));
        if acts && !above.any(|line| line.starts_with("// SAFETY:")) {
            objections.at(&file.path, line, "`unsafe` without `// SAFETY:` and why it holds");
        }
    }
}

fn journals(file: &Source, objections: &mut Objections) {
    let tokens = tokens(&file.text);
    for index in places(&tokens, &["Journal", "for"]) {
        let line = tokens[index].line;
        let listed = JOURNALS.iter().any(|(place, _)| file.is_under(&[place]));
        if !listed && !is_test(file) {
            objections.at(&file.path, line, "a journal that is not the store could record nothing and say it did");
        }
    }
}

fn mints(file: &Source, objections: &mut Objections) {
    let tokens = tokens(&file.text);
    let names_a_type = |token: &Token| matches!(token.text.as_str(), "struct" | "impl" | "for" | ">" | "enum");
    for name in TOKENS {
        for index in places(&tokens, &[name, "{"]) {
            let type_position = index > 0 && names_a_type(&tokens[index - 1]);
            if file.path != MINT && !type_position {
                objections.at(&file.path, tokens[index].line, &format!("`{name}` is made outside of {MINT}"));
            }
        }
    }
}

fn hold(check: fn(&Source, &mut Objections), files: &[Source]) -> Objections {
    let mut objections = Objections::default();
    for file in files {
        check(file, &mut objections);
    }
    objections
}

fn core_files() -> Vec<Source> {
    rust_files().into_iter().filter(|file| file.is_under(&["host/core/src"])).collect()
}

#[test]
fn the_core_forbids_itself_what_could_make_it_impure() {
    let root: Vec<Source> = core_files().into_iter().filter(|file| file.path == "host/core/src/lib.rs").collect();
    assert_eq!(root.len(), 1);
    hold(attributes, &root).none_or("these lines make the core a pure function; none of them may go");
}

#[test]
fn the_core_knows_no_std_and_reads_nothing_while_compiling() {
    hold(no_std, &core_files()).none_or("what the core needs to know comes in as a value");
}

#[test]
fn unsafe_stands_only_where_it_is_listed_and_explained() {
    hold(no_unsafe, &rust_files())
        .none_or("find a safe way; a file joins UNSAFE of purity.rs only with a reviewed reason");
}

#[test]
fn only_the_store_implements_a_journal() {
    hold(journals, &rust_files()).none_or("use holdpoint_store::Decisions");
}

#[test]
fn permission_is_made_in_one_file() {
    // The cases that must not compile try exactly this.
    let mut files = rust_files();
    files.retain(|file| !file.is_under(&["tests/frozen/compile-fail"]));
    hold(mints, &files).none_or("go through holdpoint_core::authorize::{authorize, record}");
}

#[test]
fn each_rule_sees_what_it_is_for() {
    type Check = fn(&Source, &mut Objections);
    let cases: [(Check, &str, &str, usize); 12] = [
        (attributes, "host/core/src/lib.rs", "#![no_std]\n#![deny(clippy::panic)]", CORE_DENIES.len()),
        (no_std, "host/core/src/a.rs", "extern crate std;\n#[cfg(test)]\nextern crate std;", 1),
        (no_std, "host/core/src/a.rs", "const A: &str = include_str!(\"a\");", 1),
        (no_unsafe, "host/a.rs", "// SAFETY: no\nunsafe {}", 1),
        (no_unsafe, "host/runtime/src/cache.rs", "// SAFETY: yes\n#[x]\nunsafe {}", 0),
        (no_unsafe, "host/runtime/src/cache.rs", "\nunsafe {}", 1),
        (no_unsafe, "host/a.rs", "// unsafe\n\"unsafe\"; unsafe_code", 0),
        (journals, "host/engine/src/a.rs", "impl<T> ports::Journal for A<T> {}", 1),
        (journals, "host/store/src/a.rs", "impl Journal for A {}", 0),
        (mints, "host/engine/src/a.rs", "let x = Authorized { judged };", 1),
        (mints, "host/engine/src/a.rs", "fn f() -> Committed {}\nimpl Committed {}", 0),
        (mints, MINT, "Committed { judged }", 0),
    ];
    for (check, path, text, expected) in cases {
        assert_eq!(hold(check, &[Source::new(path, text)]).count(), expected, "{path}: {text}");
    }
}
