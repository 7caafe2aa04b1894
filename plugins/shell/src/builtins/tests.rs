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
fn a_signal_to_the_first_process_stops_the_machine() {
    for command in [
        "kill 1",
        "kill -9 1",
        "kill -INT 1",
        "kill -s INT 1",
        "kill -n 2 -- 01",
        "kill -SIGRTMIN+4 1",
        "kill -HUP 5 1",
        "kill -s 0 -s KILL 1",
    ] {
        let shown = show(&classify(&bash(command)));
        assert!(
            shown.contains("Verb::Configure[kill] TargetKind::Machine  Effect::Irreversible"),
            "{command}: {shown}"
        );
    }
    for command in ["kill -0 1", "kill -s CHLD 1", "kill -WINCH 1", "kill 11", "kill -1 5", "kill -l 1"] {
        let shown = show(&classify(&bash(command)));
        assert!(!shown.contains("TargetKind::Machine"), "{command}: {shown}");
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
    check("exec -a n rm x", "-> rm x\ndoubt Reason::UnknownProgram");
    check("exec -a rm /bin/rm x", "-> /bin/rm x");
    check("exec -l bash", "doubt Reason::UnknownOption");
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
fn whatever_sets_a_variable_is_judged_by_its_name() {
    for command in [
        "BASH_CMDS[ls]=/x",
        "BASH_ALIASES[ls]=x",
        "select PATH in a; do :; done",
        "for PATH in a; do :; done",
        "read PATH",
        "read -a PATH",
        "mapfile PATH",
        "readarray -t PATH",
        "getopts s PATH",
        "getopts -- s PATH",
        "mapfile PATH x",
        "printf $x PATH y",
        "printf -v PATH x",
        "wait -p PATH",
        "exec {PATH}<f",
        "((PATH=5))",
        "for ((PATH=0; PATH < 3; PATH++)); do :; done",
        "let PATH=5",
        ": $((PATH=1))",
        ": ${PATH:=x}",
        ": ${a[PATH=1]}",
        "[[ PATH=5 -eq 5 ]]",
        "coproc PATH { :; }",
        "unset PATH",
        "export -n PATH",
        "f() { local PATH; }",
    ] {
        let found = show(&classify(&bash(command)));
        let name = if command.contains("PATH") { "PATH" } else { "BASH_" };
        let judged =
            |line: &str| line.contains("TargetKind::Environment") && line.contains(name) && line.contains("Unknown");
        assert!(found.lines().any(judged), "{command}\n{found}");
    }
    for command in ["declare -n x=PATH", "read $x", "exec {a[1]}<f", "alias exit=x", "alias if=x"] {
        assert!(show(&classify(&bash(command))).contains("doubt"), "{command}");
    }
}

#[test]
fn values_that_the_shell_evaluates_are_plain_numbers() {
    for command in [
        "RANDOM='a[$(b)]'",
        "SRANDOM=$x",
        "read OPTIND",
        "printf -v HISTCMD x",
        "for RANDOM in a; do :; done",
        "declare -i x; x=$y",
        "x=$y; declare -i x",
        "declare -i x=$y",
        "f() { local -i x=$1; }",
        "declare -i x='a[$(b)]'",
        "declare -i x; read x",
        "x='a[$(b)]'; trap ': $((x))' EXIT",
        "f() { echo $(($1)); }",
        "set -- a; (($1))",
        "declare -a x='($(b))'",
        "declare -A x=$y",
        "x=(a); declare x=$y",
        "command declare -a x='($(b))'",
        "a=(1 $y); for x in \"${a[@]}\"; do ((x)); done",
        "for x in \"${a[@]}\"; do for y in \"${x[@]}\"; do ((y)); done; done; read -a a",
    ] {
        assert!(show(&classify(&bash(command))).contains("doubt"), "{command}");
    }
    for command in [
        "RANDOM=5",
        "SECONDS=0",
        "OPTIND=1",
        "declare -i x=5; x=$((x + 1))",
        "declare -i x; x=7",
        "i=0; i=$((i+1)); echo ${arr[$i]}",
        "f() { local x=$1; }",
        "declare -a x=(a b)",
        "declare x=$y",
        "declare -i n=$#",
        "a=(1 2); s=0; for x in \"${a[@]}\"; do s=$((s + x)); done",
    ] {
        let found = show(&classify(&bash(command)));
        assert!(!found.contains("doubt"), "{command}\n{found}");
    }
}

#[test]
fn settings_that_change_the_grammar_are_doubts() {
    for command in [
        "set -o posix",
        "shopt -s extglob",
        "shopt -s expand_aliases",
        "enable -n echo",
        "set +B",
        "hash -p a b",
        "shopt -s dotglob",
        "set -o physical",
        "set -k",
    ] {
        assert!(show(&classify(&bash(command))).contains("doubt"), "{command}");
    }
    for command in [
        "shopt -u dotglob",
        "set -euo pipefail",
        "shopt -s nullglob globstar",
        "shopt extglob",
        "set -x",
        "umask 022",
        "history",
        "wait",
    ] {
        assert!(!show(&classify(&bash(command))).contains("doubt"), "{command}");
    }
}

#[test]
fn what_set_makes_the_parameters_is_what_they_are() {
    for (text, command) in [
        ("set -- -rf /; rm $1 $2", "-> rm -rf /"),
        ("set -- a 'b c'; rm \"$@\"", "-> rm a \"b c\""),
        ("set -- a b; rm $*", "-> rm a b"),
        ("set a b; rm x$2", "-> rm xb"),
        ("set -e -- a; rm \"${1}\" \"$2\"", "-> rm a \"\""),
        ("set -- a b; for x in \"$@\"; do rm \"$x\"; done", "-> rm a\n-> rm b"),
    ] {
        let shown = show(&classify(&bash(text)));
        assert!(shown.contains(command) && !shown.contains("doubt"), "{text}\n{shown}");
    }
    for text in [
        "if a; then set -- x; fi; rm \"$1\"",
        "rm \"$1\"; set -- x",
        "set -- x; shift; rm \"$1\"",
        "set -- x; while a; do rm \"$1\"; set -- y; done",
        "(set -- x); rm \"$1\"",
        "set -- x | a; rm \"$1\"",
        "f() { rm \"$1\"; }; set -- x; f y",
        "set -- $y; rm \"$1\"",
        "set -- *; rm \"$1\"",
        "set -- x; eval 'rm \"$1\"'",
    ] {
        let shown = show(&classify(&bash(text)));
        assert!(shown.contains("?:\"$1\"") || shown.contains("doubt"), "{text}\n{shown}");
    }
}
