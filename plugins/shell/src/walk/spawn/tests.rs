//! Processes without end, and what only looks like them.

use crate::classify;
use crate::testing::{bash, show};

fn explodes(text: &str) -> bool {
    show(&classify(&bash(text))).contains("Verb::Create[fork-bomb] TargetKind::Process")
}

#[test]
fn a_function_that_starts_itself_in_parallel_by_whatever_way_has_no_end() {
    for text in [
        "b(){ b|b& };b",
        "b() { echo hi; b & }; b",
        "b() { sleep 1; sleep 2 && b & }; b",
        "b() { if a; then (b &); fi; }; b",
        "b() { { echo; b; } & b; }; b",
        "b() { eval 'b &'; }; b",
        "f() { g & }; g() { f; }; f",
        "f() { g; }; g() { h; }; h() { echo x; f & }; f",
        "b() { inner() { b; }; inner & }; b",
        "b() { coproc b; }; b",
        "function b { b & }; b",
    ] {
        assert!(explodes(text), "{text}");
    }
    for text in ["b() { b; }; b", "f() { g & }; g() { a; }; f", "f() { a & }; f; f", "ls() { command ls & }; ls"] {
        assert!(!explodes(text), "{text}");
    }
}

#[test]
fn a_loop_that_never_stops_and_leaves_processes_behind_has_no_end() {
    for text in [
        "while true; do a & done",
        "while :; do a & done",
        "while /bin/true; do a & done",
        "until false; do a & done",
        "while ! false; do a & done",
        "while true && :; do a & done",
        "while { a; true; }; do b & done",
        "while [ 1 ]; do a & done",
        "while [[ 1 -eq 1 ]]; do a & done",
        "while ((1)); do a & done",
        "while x=1; do a & done",
        "while echo; do a & done",
        "for ((;;)); do a & done",
        "for ((i=0;;i++)); do a & done",
        "while true; do (a &); done",
        "while true; do if a; then b & fi; done",
        "while true; do for x in 1 2; do a & done; done",
        "while true; do coproc a; done",
        "f() { a & }; while true; do f; done",
        "f() { g; }; g() { a & }; while true; do f; done",
        "f() { while true; do a & done; }; f",
        "while true; do eval 'a &'; done",
        "yes | while read x; do a & done",
        "while read -n1 x; do a & done < /dev/zero",
        "while true; do a & wait $x; done",
    ] {
        assert!(explodes(text), "{text}");
    }
    for text in [
        "for x in a b c; do a & done",
        "for x in a b; do a & done; wait",
        "for f in *; do a \"$f\" & done",
        "for ((i=0; i<10; i++)); do a & done",
        "while read line; do a & done < f",
        "cat f | while read x; do a & done",
        "while true; do a; done &",
        "while true; do a; done",
        "while true; do a & wait; done",
        "while true; do a & sleep 5; done",
        "while sleep 1; do a & done",
        "while [ -f x ]; do a & done",
        "while [ $x -lt 3 ]; do a & done",
        "while ((i++ < 3)); do a & done",
        "while pgrep a; do b & done",
        "while a; do b & done",
        "while true; do f() { a & }; done",
        "f() { a & wait; }; while true; do f; done",
        "a & b & wait",
    ] {
        assert!(!explodes(text), "{text}");
    }
}

#[test]
fn input_without_an_end_for_any_number_of_processes_has_none_either() {
    for text in [
        "yes | xargs -P0 a",
        "yes | xargs -P 0 -n1 a",
        "yes x | cat | xargs --max-procs=0 a",
        "yes | xargs -n1P0 a",
        "yes | xargs -0P0 a",
        "cat /dev/zero | xargs -0 -P0 a",
        "xargs -0 -P0 a < /dev/urandom",
        "xargs -a /dev/zero -P0 a",
        "seq inf | xargs -P100000 a",
        "while true; do echo x; done | xargs -P0 a",
        "yes | parallel -j0 a",
        "yes | nice xargs -P0 a",
    ] {
        assert!(explodes(text), "{text}");
    }
    for text in ["xargs -P4 a", "a | xargs -P0 b", "yes | xargs -P4 a", "yes | head -5 | xargs -P0 a", "yes | rm -i x"]
    {
        assert!(!explodes(text), "{text}");
    }
}
