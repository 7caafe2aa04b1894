//! How every file is written.

use crate::rust_text::{TestModule, Token, bool_parameters, functions, places, test_modules, tokens};
use crate::tree::{Objections, Source, rust_files, text_files};
use std::collections::BTreeSet;

/// Longest function, from `fn` to its closing brace.
const FUNCTION_LINES_MAX: usize = 70;
/// Longest file, without tests.
const FILE_LINES_MAX: usize = 400;
/// Longest file of the core, without tests.
const CORE_FILE_LINES_MAX: usize = 300;

/// What may break a rule: rule, file and reason. An entry that is no longer needed fails too.
const EXCEPTIONS: &[(&str, &str, &str)] =
    &[("bool parameters", "host/gateway/src/json.rs", "serde prescribes the signature of `visit_bool`")];

/// Where functions must not take a bare `bool`: at the call nobody can read what `true` means.
const NO_BOOL: &[&str] = &["host", "guest-sdk", "plugins", "signing"];

/// A Rust file, read once for every rule.
struct RustFile {
    source: Source,
    tokens: Vec<Token>,
    modules: Vec<TestModule>,
    is_test: bool,
}

fn read(sources: Vec<Source>) -> Vec<RustFile> {
    let mut files: Vec<RustFile> = sources.into_iter().map(parse).collect();
    let elsewhere: BTreeSet<String> = files.iter().flat_map(declared_test_files).collect();
    for file in &mut files {
        file.is_test = is_test_path(&file.source.path) || elsewhere.contains(&file.source.path);
    }
    files
}

fn parse(source: Source) -> RustFile {
    let tokens = tokens(&source.text);
    let modules = test_modules(&tokens);
    RustFile { source, tokens, modules, is_test: false }
}

fn is_test_path(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name == "tests.rs" || name.ends_with("_tests.rs") || path.split('/').any(|folder| folder == "tests")
}

/// Where the test modules of a file may lie: next to it, or in the folder of its name.
fn declared_test_files(file: &RustFile) -> Vec<String> {
    let (folder, name) = file.source.path.rsplit_once('/').unwrap_or(("", &file.source.path));
    let own = format!("{folder}/{}", name.trim_end_matches(".rs"));
    let mut found = Vec::new();
    for module in &file.modules {
        if let TestModule::Elsewhere(file) = module {
            found.extend([folder, &own].map(|folder| format!("{folder}/{file}")));
            found.extend([folder, &own].map(|folder| format!("{folder}/{}/mod.rs", file.trim_end_matches(".rs"))));
        }
    }
    found
}

impl RustFile {
    fn is_test_line(&self, line: usize) -> bool {
        let inside = |module: &TestModule| match module {
            TestModule::Here { first, last } => (*first..=*last).contains(&line),
            TestModule::Elsewhere(_) => false,
        };
        self.is_test || self.modules.iter().any(inside)
    }
}

type Rule = fn(&RustFile, &mut Objections);

/// The rules for Rust files, by name.
const RULES: &[(&str, Rule)] = &[
    ("module text", module_text),
    ("file length", file_length),
    ("function length", function_length),
    ("banned words", banned_words),
    ("bool parameters", bools),
];

fn module_text(file: &RustFile, objections: &mut Objections) {
    if !file.source.text.starts_with("//! ") {
        objections.at(&file.source.path, 1, "does not start with `//!` and what the file is for");
    }
}

fn file_length(file: &RustFile, objections: &mut Objections) {
    if file.is_test {
        return;
    }
    let most = if file.source.is_under(&["host/core"]) { CORE_FILE_LINES_MAX } else { FILE_LINES_MAX };
    let code = (1..=file.source.text.lines().count()).filter(|line| !file.is_test_line(*line));
    let code: Vec<usize> = code.collect();
    if let Some(line) = code.get(most) {
        let what = format!("{} lines without tests, and at most {most} are allowed", code.len());
        objections.at(&file.source.path, *line, &what);
    }
}

fn function_length(file: &RustFile, objections: &mut Objections) {
    for function in functions(&file.tokens) {
        let lines = function.last - function.first + 1;
        if lines > FUNCTION_LINES_MAX {
            let what = format!("`fn {}` has {lines} lines, at most {FUNCTION_LINES_MAX} are allowed", function.name);
            objections.at(&file.source.path, function.first, &what);
        }
    }
}

fn banned_words(file: &RustFile, objections: &mut Objections) {
    let everywhere: [(&[&str], &str); 4] = [
        (&["todo", "!"], "`todo!` is left"),
        (&["unimplemented", "!"], "`unimplemented!` is left"),
        (&["[", "allow", "("], "`allow` hides lints for ever; `expect` with a reason does not"),
        (&["[", "ignore"], "a test that is not run proves nothing"),
    ];
    for (words, what) in everywhere {
        for index in places(&file.tokens, words) {
            objections.at(&file.source.path, file.tokens[index].line, what);
        }
    }
    for index in places(&file.tokens, &["thread", ":", ":", "sleep"]) {
        let line = file.tokens[index].line;
        if file.is_test_line(line) {
            objections.at(&file.source.path, line, "a test that sleeps is slow when it passes and luck when it does");
        }
    }
}

fn bools(file: &RustFile, objections: &mut Objections) {
    let lines = bool_parameters(&file.tokens).into_iter().filter(|line| !file.is_test_line(*line));
    for line in lines.filter(|_| file.source.is_under(NO_BOOL)) {
        objections.at(&file.source.path, line, "a `bool` parameter: nobody can read at the call what `true` means");
    }
}

/// Judges every file by one rule. Excepted files must still break it.
fn hold(rule: &str, files: &[RustFile]) -> Objections {
    let (_, check) = RULES.iter().find(|(name, _)| *name == rule).unwrap();
    let mut objections = Objections::default();
    for file in files {
        let mut own = Objections::default();
        let excepted = EXCEPTIONS.iter().any(|(name, path, _)| *name == rule && *path == file.source.path);
        check(file, if excepted { &mut own } else { &mut objections });
        if excepted && own.count() == 0 {
            objections.to(&file.source.path, &format!("needs no exception from `{rule}` any more"));
        }
    }
    objections
}

#[test]
fn every_rust_file_says_first_what_it_is_for() {
    hold("module text", &read(rust_files()))
        .none_or("start the file with `//! What it is for and what it never does.`");
}

#[test]
fn no_file_is_too_long_to_read_at_once() {
    hold("file length", &read(rust_files())).none_or("split the file by subject; move its tests to NAME_tests.rs");
}

#[test]
fn no_function_is_longer_than_a_screen() {
    hold("function length", &read(rust_files())).none_or("keep the branches, and move plain steps to helpers below");
}

#[test]
fn no_rust_file_holds_a_banned_word() {
    hold("banned words", &read(rust_files())).none_or("finish it, use `expect` with a reason, or pass the time in");
}

#[test]
fn no_function_takes_a_bare_bool() {
    hold("bool parameters", &read(rust_files())).none_or("use an enum with two names, or two functions");
}

#[test]
fn no_text_file_names_a_folder_of_somebody_s_machine() {
    let mut objections = Objections::default();
    for file in text_files() {
        machine_paths(&file, &mut objections);
    }
    objections.none_or("use a path relative to the repository, or an invented one such as /srv/project");
}

/// A folder of the machine that this was written on, unless it is only the middle of another path.
fn machine_paths(file: &Source, objections: &mut Objections) {
    for folder in [concat!("/wo", "rk/"), concat!("/ro", "ot/")] {
        for (index, line) in file.text.lines().enumerate() {
            let starts = line.match_indices(folder).any(|(at, _)| {
                let before = line.get(..at).and_then(|before| before.chars().next_back());
                !before.is_some_and(|character| character.is_alphanumeric() || "_-.*)}>".contains(character))
            });
            if starts {
                objections.at(&file.path, index + 1, &format!("names `{folder}`"));
            }
        }
    }
}

#[test]
fn no_line_ends_in_spaces() {
    let mut objections = Objections::default();
    for file in text_files() {
        for (index, line) in file.text.lines().enumerate() {
            if line.ends_with([' ', '\t']) {
                objections.at(&file.path, index + 1, "ends in spaces");
            }
        }
    }
    objections.none_or("cargo fmt removes them from Rust files");
}

#[test]
fn each_rule_sees_what_it_is_for() {
    let long = "fn f() {\n".to_owned() + &"x();\n".repeat(FUNCTION_LINES_MAX) + "}\n";
    let lines = "//! m\n".to_owned() + &"//\n".repeat(FILE_LINES_MAX);
    let tested = lines.replacen("//\n", "#[cfg(test)]\nmod t {\n}\n", 1);
    for (rule, path, text, expected) in [
        ("module text", "host/a.rs", "// m\n", 1),
        ("file length", "host/a.rs", lines.as_str(), 1),
        ("file length", "host/a.rs", tested.as_str(), 0),
        ("file length", "host/a_tests.rs", lines.as_str(), 0),
        ("file length", "tests/e2e/a.rs", lines.as_str(), 0),
        ("function length", "host/a.rs", long.as_str(), 1),
        ("function length", "tests/a.rs", long.as_str(), 1),
        ("banned words", "host/a.rs", "#[allow(x)]\nfn f() { todo!(); unimplemented!() }\n#[ignore = \"\"]", 4),
        ("banned words", "host/a.rs", "#![allow(x)]", 1),
        ("banned words", "host/a.rs", "fn f() { std::thread::sleep(d) }", 0),
        ("banned words", "host/a.rs", "#[cfg(test)]\nmod t { fn f() { thread::sleep(d) } }", 1),
        ("bool parameters", "host/a.rs", "fn f(x: bool) {}", 1),
        ("bool parameters", "host/tests/a.rs", "fn f(x: bool) {}", 0),
    ] {
        let files = read(vec![Source::new(path, text)]);
        assert_eq!(hold(rule, &files).count(), expected, "{rule}: {path}: {text}");
    }
    let declared = read(vec![
        Source::new("host/a.rs", "//! m\n#[cfg(test)]\nmod t;"),
        Source::new("host/a/t.rs", &lines),
        Source::new("host/t.rs", &lines),
        Source::new("host/b/t.rs", &lines),
    ]);
    assert_eq!(hold("file length", &declared).count(), 1);
}

#[test]
fn a_machine_path_is_seen_only_where_one_starts() {
    for (text, expected) in [("see `@`", 1), ("\"@x\"", 1), ("/proc/*@**", 0), ("home@", 0)] {
        let mut objections = Objections::default();
        let text = text.replace('@', concat!("/wo", "rk/"));
        machine_paths(&Source::new("a.md", &text), &mut objections);
        assert_eq!(objections.count(), expected, "{text}");
    }
}
