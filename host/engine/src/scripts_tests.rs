//! What counts as written to run later, and the bounds of looking at it.

use super::*;
use holdpoint_core::action::{ArgWord, SourceText, ToolAction, WorkingDir};
use holdpoint_core::finding::{Delegate, Finding};
use holdpoint_core::operation::{Access, Effect, Operation, Scope, Segment, Span, Traits, Verb};
use holdpoint_core::paths::AbsPath;

const SPAN: Span = Span { part: 0, start: 0, end: 0 };

fn scene() -> Scene {
    let path = |text| AbsPath::parse(text).unwrap();
    Scene { cwd: Some(path("/w")), workspace: vec![path("/w")], home: Some(path("/home/u")), protected: vec![] }
}

fn update(kind: TargetKind, name: &str) -> Operation {
    Operation {
        verb: Verb::Update,
        native: "x".to_owned(),
        target: vec![Segment { kind, name: name.to_owned(), certainty: Certainty::Exact }],
        access: Access::Write,
        effect: Effect::Reversible,
        scope: Scope::One,
        traits: Traits::EMPTY,
        origin: SPAN,
    }
}

/// A tool that changes a file, with these arguments beside its path.
fn edits(path: &str, arguments: &[(&str, &str)]) -> Assessment {
    let named = [("file_path", path)];
    let members = named.iter().chain(arguments);
    let members = members.map(|(key, value)| ((*key).to_owned(), Json::text(*value))).collect();
    let action = ToolAction { server: String::new(), name: "Edit".to_owned(), arguments: Json::Object(members) };
    let mut assessment = Assessment::new(Action::Tool(action), AbsPath::parse("/w"), Route::Direct);
    let operations = vec![update(TargetKind::File, path)];
    assessment.admit(0, Finding { operations, ..Finding::default() });
    assessment
}

/// A shell line that changes something and runs a program.
fn line(text: &str, operation: Option<Operation>, words: &[&str], stdin: Input) -> (Assessment, NodeId) {
    let source = SourceText { language: "bash".to_owned(), text: text.to_owned(), cwd: WorkingDir::Same };
    let mut assessment = Assessment::new(Action::Source(source), AbsPath::parse("/w"), Route::Shell);
    let word = |text: &&str| ArgWord { certainty: Certainty::Exact, text: (*text).to_owned(), origin: SPAN };
    let argv = words.iter().map(word).collect();
    let invocation = Invocation { argv, env: vec![], cwd: WorkingDir::Same, stdin };
    let delegates = vec![Delegate { action: Action::Program(invocation), origin: SPAN }];
    let operations = operation.into_iter().collect();
    let node = assessment.admit(0, Finding { operations, delegates, ..Finding::default() })[0];
    (assessment, node)
}

fn check(assessment: &Assessment, expected: &[&str]) {
    let (found, lost) = find(assessment, &scene());
    assert_eq!(found.iter().map(|later| later.commands.as_str()).collect::<Vec<_>>(), expected);
    assert_eq!(lost, []);
}

#[test]
fn what_is_put_into_a_script_is_read_and_what_is_taken_out_of_it_is_not() {
    check(&edits("x.sh", &[("old_string", "pwd"), ("new_string", "ls")]), &["ls"]);
    check(&edits("/home/u/.bashrc", &[("content", "ls")]), &["ls"]);
    check(&edits("bin/x", &[("content", "#!/bin/sh\nls")]), &["#!/bin/sh\nls"]);
    check(&edits("package.json", &[("content", r#"{"scripts":{"a":"ls"}}"#)]), &["ls"]);
}

#[test]
fn what_is_put_into_any_other_file_is_data() {
    for path in ["README.md", "docs/a.txt", "src/main.rs", "CLAUDE.md", "tests/hooks.ts", "Cargo.toml"] {
        check(&edits(path, &[("content", "holdpoint toggle loosen x")]), &[]);
    }
}

#[test]
fn what_a_line_prints_or_feeds_into_a_script_is_read() {
    let hook = || Some(update(TargetKind::File, ".git/hooks/pre-commit"));
    let cat = |text: &str, operation, fed: Input| line(text, operation, &["cat"], fed).0;
    check(&cat("echo -e 'ls\\npwd' > x", hook(), Input::Empty), &["ls\npwd"]);
    check(&cat("cat > x", hook(), Input::Text("ls\n".to_owned())), &["ls\n"]);
    let schedule = Some(update(TargetKind::Schedule, ""));
    check(&cat("printf '@daily ls\\n' | crontab -", schedule, Input::Empty), &["ls"]);
    let prose = Some(update(TargetKind::File, "notes.md"));
    check(&cat("echo holdpoint toggle > notes.md", prose, Input::Empty), &[]);
    check(&cat("echo ls", None, Input::Empty), &[]);
}

#[test]
fn commands_in_words_are_read_where_nobody_understands_the_program() {
    let unknown = |words: &[&str]| {
        let (mut assessment, node) = line("x", None, words, Input::Empty);
        assessment.fail(node, Cause::NoClaimant);
        assessment
    };
    check(&unknown(&["npx", "-c", "ls -l"]), &["ls -l"]);
    check(&unknown(&["git", "config", "alias.x", "!ls"]), &["ls"]);
    check(&unknown(&["git", "-c", "alias.x=!ls", "x"]), &["alias.x=!ls", "ls"]);
    check(&unknown(&["npm", "pkg", "set", "scripts.a=ls"]), &["ls"]);
    check(&unknown(&["git", "commit", "-m", "holdpoint toggle: say more!"]), &[]);
    check(&line("x", None, &["grep", "-c", "ls"], Input::Empty).0, &[]);
}

#[test]
fn a_script_just_over_its_bound_and_one_text_too_many_are_told() {
    let (found, lost) = find(&edits("x.sh", &[("content", &"x".repeat(SOURCE_BYTES_MAX))]), &scene());
    assert_eq!((found.len(), lost), (1, vec![]));
    let (found, lost) = find(&edits("x.sh", &[("content", &"x".repeat(SOURCE_BYTES_MAX + 1))]), &scene());
    assert_eq!((found.len(), lost), (0, vec![0]));
    let many = |count: usize| {
        let texts: Vec<String> = (0..count).map(|index| format!("ls {index}")).collect();
        let arguments: Vec<(&str, &str)> = texts.iter().map(|text| ("new_string", text.as_str())).collect();
        find(&edits("x.sh", &arguments), &scene())
    };
    assert_eq!((many(TEXTS_MAX).0.len(), many(TEXTS_MAX).1), (TEXTS_MAX, vec![]));
    assert_eq!((many(TEXTS_MAX + 1).0.len(), many(TEXTS_MAX + 1).1), (TEXTS_MAX, vec![0]));
}
