//! Builtins are judged by what they do to the shell and its surroundings.

use super::BUILTINS;
use crate::classify;
use crate::testing::{bash, show};

fn check(command: &str, expected: &str) {
    assert_eq!(show(&classify(&bash(command))), expected, "{command}");
}

#[test]
fn the_table_is_sorted() {
    assert!(BUILTINS.iter().map(|(name, _)| name).is_sorted());
}

#[test]
fn builtins_that_only_look_do_nothing() {
    for (command, name) in [
        ("echo a", "echo"),
        (": x", ":"),
        ("[ -f a ]", "["),
        ("pwd", "pwd"),
        ("type ls", "type"),
        ("command -v a", "command"),
    ] {
        check(command, &format!("Verb::Nothing[{name}] Effect::None"));
    }
}

#[test]
fn kill_ends_processes() {
    check(
        "kill -9 12 %1",
        "Verb::Delete[kill] TargetKind::Process 12 Effect::Irreversible\nVerb::Delete[kill] TargetKind::Process %1 Effect::Irreversible",
    );
    check("kill -TERM -- -1", "Verb::Delete[kill] TargetKind::Process -1 Effect::Irreversible Scope::Root");
    check("kill -s KILL $x", "Verb::Delete[kill] TargetKind::Process ?:$x Effect::Irreversible Scope::Unknown");
    check("kill -0 5", "Verb::Get[kill] TargetKind::Process ?: Effect::None");
    check("kill -l", "Verb::Get[kill] TargetKind::Process ?: Effect::None");
    check("kill -9 -1", "Verb::Delete[kill] TargetKind::Process -1 Effect::Irreversible Scope::Root");
}

#[test]
fn code_in_arguments_is_code() {
    check("eval 'rm x' '; ls'", "-> rm x\n-> ls");
    check("trap 'rm x' EXIT", "Verb::Configure[trap] TargetKind::ShellState  Effect::None\n-> rm x");
    check("trap - EXIT", "Verb::Configure[trap] TargetKind::ShellState  Effect::None");
    check(". ./a.sh", "Verb::Exec[.] TargetKind::Code ./a.sh Effect::Unknown Traits(RUNS_CODE)");
    check(
        "cd d && source a",
        "Verb::Nothing[cd] Effect::None\nVerb::Exec[source] TargetKind::Code d/a Effect::Unknown Traits(RUNS_CODE)",
    );
    check("exec -a n rm x", "-> rm x");
    check("X=1 command rm x", "Verb::Configure[=] TargetKind::Environment X Effect::None\n-> X=1 rm x");
    check("builtin echo a", "Verb::Nothing[echo] Effect::None");
    check("builtin ls", "doubt Reason::UnknownProgram");
}

#[test]
fn variables_set_by_builtins_are_reported() {
    check("read -r a", "Verb::Configure[read] TargetKind::Environment a Effect::None");
    check(
        "read -p 'x? ' PATH",
        "Verb::Configure[read] TargetKind::Environment PATH Effect::Unknown\nescapes Escapes(ENV)",
    );
    check("printf -v a b", "Verb::Configure[printf] TargetKind::Environment a Effect::None");
    check(
        "unset LD_PRELOAD",
        "Verb::Configure[unset] TargetKind::Environment LD_PRELOAD Effect::Unknown\nVerb::Configure[unset] TargetKind::ShellState  Effect::None\nescapes Escapes(ENV)",
    );
    check(
        "command export A=1",
        "Verb::Configure[export] TargetKind::Environment A Effect::None\nVerb::Configure[export] TargetKind::ShellState  Effect::None",
    );
}

#[test]
fn settings_that_change_the_grammar_are_doubts() {
    for command in
        ["set -o posix", "shopt -s extglob", "shopt -s expand_aliases", "enable -n echo", "set +B", "hash -p a b"]
    {
        assert!(show(&classify(&bash(command))).contains("doubt"), "{command}");
    }
    for command in
        ["set -euo pipefail", "shopt -s nullglob globstar", "shopt extglob", "set -x", "umask 022", "history", "wait"]
    {
        assert!(!show(&classify(&bash(command))).contains("doubt"), "{command}");
    }
}
