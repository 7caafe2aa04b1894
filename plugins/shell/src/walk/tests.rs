//! Whole lines come down to their operations, whatever stands around the commands.

use crate::classify;
use crate::testing::{bash, show, source};

/// Compares the finding for a command with lines.
fn check(command: &str, expected: &[&str]) {
    assert_eq!(show(&classify(&bash(command))), expected.join("\n"), "{command}");
}

/// The programs that a command starts.
fn programs(command: &str, expected: &[&str]) {
    let text = show(&classify(&bash(command)));
    let found: Vec<&str> = text.lines().filter(|line| line.starts_with("->") || line.starts_with("doubt")).collect();
    assert_eq!(found, expected, "{command}");
}

const NOTHING_CD: &str = "Verb::Nothing[cd] Effect::None";

#[test]
fn every_command_of_a_text_counts() {
    programs("a; b && c || d & e\nf", &["-> a", "-> b", "-> c", "-> d", "-> e", "-> f"]);
    programs("if a; then b; elif c; then d; else e; fi", &["-> a", "-> b", "-> c", "-> d", "-> e"]);
    programs(
        "for i in $(a); do b; done; while c; do d; done; until e; do f; done",
        &["-> a", "-> b", "-> c", "-> d", "-> e", "-> f"],
    );
    programs(
        "case $(a) in x) b;; *) c;; esac; { d; }; (e); ! f; time g",
        &["-> a", "-> b", "-> c", "-> d", "-> e", "-> f", "-> g"],
    );
    programs(
        "f() { a; }; f; coproc b; echo \"$(c)\" `d` <(e)",
        &["-> a <external", "-> b <external", "-> c", "-> d", "-> e"],
    );
    let many: Vec<String> = (0..80).map(|index| format!("c{index}")).collect();
    let lines: Vec<String> = many.iter().map(|name| format!("-> {name}")).collect();
    programs(&many.join(";"), &lines.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn a_pipeline_says_where_input_comes_from() {
    programs("a | b | c", &["-> a", "-> b <#0", "-> c <#1"]);
    programs("(a; b) | c", &["-> a", "-> b", "-> c <external"]);
    programs("a < f; b <<< 'x y'; c <<'E'\nt $x\nE\n", &["-> a <f", "-> b <text \"x y\\n\"", "-> c <text \"t $x\\n\""]);
    programs("a <<E\nt $x\nE\n", &["-> a <?"]);
    programs("echo x | bash", &["-> bash <external"]);
    programs("a </dev/null", &["-> a <empty"]);
}

#[test]
fn the_folder_is_followed() {
    programs("cd /a && b && c", &["-> b @/a", "-> c @/a"]);
    programs("cd a; b", &["-> b @a", "-> b"]);
    programs("cd a && cd ../b && c; d", &["-> c @b", "-> d @b", "-> d", "-> d @a"]);
    programs("cd a || exit; b", &["-> b @a"]);
    programs("set -e\ncd a\nb", &["-> b @a"]);
    programs("set -e; { cd a; b; } && c", &["-> b @a", "-> b", "-> c @a", "-> c"]);
    programs("set -e; if cd a; b; then c; fi", &["-> b @a", "-> b", "-> c @a", "-> c"]);
    programs("set -e; d=$(cd a; e)", &["-> e @a", "-> e"]);
    programs("(cd a && b); c", &["-> b @a", "-> c"]);
    programs("cd \"$x\" && b; c", &["-> b @?", "-> c @?", "-> c"]);
    programs("cd - && b; cd && c", &["-> b @?", "-> c @/home/u"]);
    programs("while a; do cd ..; done; b", &["-> a @?", "-> b @?"]);
    programs("if a; then cd b; fi; c", &["-> a", "-> c @b", "-> c"]);
    programs("CDPATH=/x; cd a && b", &["-> CDPATH=/x b @?"]);
    check(
        "cd a && echo > f",
        &[NOTHING_CD, "Verb::Update[>] TargetKind::File a/f Effect::Reversible", "Verb::Nothing[echo] Effect::None"],
    );
    check(
        "cd $x && echo > f",
        &[NOTHING_CD, "Verb::Update[>] TargetKind::File ?:f Effect::Reversible", "Verb::Nothing[echo] Effect::None"],
    );
}

#[test]
fn redirections_are_operations() {
    check("> a", &["Verb::Update[>] TargetKind::File a Effect::Reversible"]);
    check(">> a 2>&1", &["Verb::Patch[>>] TargetKind::File a Effect::Reversible"]);
    check("a &> /dev/null", &["Verb::Nothing[&>] Effect::None", "-> a"]);
    check("a >& b", &["Verb::Update[>&] TargetKind::File b Effect::Reversible", "-> a"]);
    check("a <> b", &["Verb::Update[<>] TargetKind::File b Effect::Reversible", "-> a <b"]);
    check("a > *.c", &["Verb::Update[>] TargetKind::File *:*.c Effect::Reversible Scope::Selection", "-> a"]);
    check("a > \"$x\"", &["Verb::Update[>] TargetKind::File ?:\"$x\" Effect::Reversible Scope::Unknown", "-> a"]);
    check(
        "cat < /dev/tcp/h.test/80",
        &[
            "Verb::Connect[<] TargetKind::Host h.test Effect::Irreversible Traits(NETWORK | EXTERNAL_CONTENT)",
            "-> cat <external",
        ],
    );
}

#[test]
fn variables_reach_programs() {
    check("A=1 b", &["Verb::Configure[=] TargetKind::Environment A Effect::None", "-> A=1 b"]);
    check(
        "export PAGER='sh -c id'; git branch",
        &[
            "Verb::Configure[export] TargetKind::Environment PAGER Effect::Unknown",
            "Verb::Configure[export] TargetKind::ShellState  Effect::None",
            "-> PAGER=\"sh -c id\" git branch",
            "escapes Escapes(ENV)",
        ],
    );
    check(
        "PAGER=cat git log",
        &["Verb::Configure[=] TargetKind::Environment PAGER Effect::None", "-> PAGER=cat git log"],
    );
    programs("D=/x; rm -rf \"$D/y\" $D", &["-> rm -rf /x/y /x"]);
    programs("D=/x; D=/; rm $D", &["-> rm ?:$D"]);
    programs("if a; then D=/x; fi; rm $D", &["-> a", "-> rm ?:$D"]);
    programs("(D=/x); rm $D", &["-> rm ?:$D"]);
    programs("rm $D; D=/x", &["-> rm ?:$D"]);
    programs("D=/x; eval $'D\\x3d/'; rm $D", &["-> rm ?:$D"]);
    programs("IFS=/; D=a/b; rm $D \"$D\"", &["-> rm ?:$D a/b"]);
    programs("HOME=/x; rm ~", &["-> HOME=/x rm ?:~"]);
}

#[test]
fn a_loop_over_known_words_is_walked_for_each() {
    programs("for f in a 'b c'; do rm \"$f\"; done", &["-> rm a", "-> rm \"b c\""]);
    programs("for f in *.o; do rm \"x/$f\"; done", &["-> rm *:x/*.o"]);
    programs("for f in a $x; do rm \"$f\"; done", &["-> rm ?:\"$f\""]);
    programs("for f in a b; do f=/; rm \"$f\"; done", &["-> rm ?:\"$f\""]);
}

#[test]
fn functions_and_aliases_change_what_names_mean() {
    programs("f() { rm \"$1\"; }; f x", &["-> rm ?:\"$1\" <external"]);
    programs("rm() { :; }; rm x; command rm y", &["-> rm y"]);
    programs("if a; then rm() { :; }; fi; rm x", &["-> a", "-> rm x"]);
    programs("(rm() { :; }); rm x", &["-> rm x"]);
    programs("rm() { :; }; unset rm; rm x", &["-> rm x"]);
    programs("alias l='rm x'; l", &["-> l", "doubt Reason::UnsupportedSyntax"]);
    let bomb = "Verb::Create[fork-bomb] TargetKind::Process b Effect::Irreversible Scope::Root";
    for text in ["b(){ b|b& };b", "b() { b & b; }; b", "b() { echo $(b); }"] {
        assert!(show(&classify(&bash(text))).contains(bomb), "{text}");
    }
    assert!(!show(&classify(&bash("b() { b; }"))).contains(bomb));
}

#[test]
fn what_is_not_understood_is_a_doubt() {
    for text in [
        "$x y",
        "*.sh",
        "echo ${x@P}",
        "echo `echo \\`a\\``",
        "cat <<E\n$\\\n(a)\nE",
        "echo $((a[$(b)]))",
        "[[ -v 'a[$(b)]' ]]",
        "declare -n a=b",
        "ls !(a)",
        "if",
        "a )",
        "a &; b",
        "echo \u{202e}",
        "x='a[$(b)]'; ((x))",
        "read x; echo $((x))",
        "eval \"$x\"",
        "trap \"$x\" EXIT",
        "export $x",
        "find . ( -name a )",
        "echo ${ a; }",
        "unset \"$x\"",
        "mapfile -C a b",
        "hash -p a b",
        "enable -f a b",
        "shopt -s extglob",
        "set -o posix",
        "bind -x a",
        "let $x",
        "printf -v 'a[0]' b",
        "a=1 {x..y} \"",
        "echo \"${x:-`a`}\"",
    ] {
        let text_found = show(&classify(&bash(text)));
        assert!(text_found.contains("doubt"), "{text}\n{text_found}");
    }
}

#[test]
fn common_texts_are_understood() {
    for text in [
        "cd /a && npm test 2>&1 | tail -20",
        "i=0; while [ $i -lt 3 ]; do i=$((i+1)); done",
        "n=$(wc -l < f); echo $((n + 1))",
        "set -euo pipefail; trap 'rm -f t' EXIT; make",
        "[[ \"$x\" =~ ^[0-9]+$ ]] && echo y",
        "echo \"a \\\"$x\\\" \\$y\"",
        "arr=(a b); for x in \"${arr[@]}\"; do echo \"$x\"; done",
        "echo ${x%.*} ${x##*/} ${x/a/b} ${#x} ${x:-d}",
        "git commit -m \"$(cat <<'EOF'\nFix it's `x`\nEOF\n)\"",
        "python3 - <<'EOF'\nprint(\"$x\")\nEOF",
        "cat <<-E\n\ta\n\tE",
        "find . -name '*.c' -print0 | xargs -0 grep -l x",
        "diff <(sort a) <(sort b)",
        "echo $(( $(date +%s) - 5 ))",
        "while IFS= read -r -d $'\\0' f; do echo \"$f\"; done",
        "command -v git >/dev/null || exit 1",
        "! grep -q x f",
        "case \"$1\" in a|b) echo;; *) exit 1;; esac",
        "cd $(dirname $(dirname $(which a))) && ls",
        "a & wait $!",
    ] {
        let found = show(&classify(&bash(text)));
        assert!(!found.contains("doubt"), "{text}\n{found}");
    }
}

#[test]
fn a_posix_text_has_no_constructs_of_bash() {
    for text in
        ["a &> b", "[[ a ]]", "cat <(a)", "echo $'a'", "echo {a,b}", "((1))", "a <<< b", "function f { a; }", "x=(a)"]
    {
        assert!(show(&classify(&source("sh", text))).contains("doubt"), "{text}");
    }
    assert_eq!(
        show(&classify(&source("sh", "a | b > c"))),
        "Verb::Update[>] TargetKind::File c Effect::Reversible\n-> a\n-> b <#0"
    );
    assert_eq!(show(&classify(&source("fish", "a"))), "doubt Reason::UnknownLanguage");
}

#[test]
fn a_missing_fact_is_asked_for_and_then_doubted() {
    let mut request = bash("rm ~/x");
    request.facts.clear();
    assert!(show(&classify(&request)).contains("needs FactKind::HomeDirectory"));
    request = bash("rm ~/x");
    request.facts[0].answer.clear();
    assert!(show(&classify(&request)).contains("doubt Reason::MissingFact"));
}

#[test]
fn places_point_into_the_text() {
    let text = "a; x=1 rm -rf \"b\" > c";
    let found = classify(&bash(text));
    let slice =
        |span: holdpoint_guest::Span| text.get(span.start as usize..span.end as usize).expect("a place in the text");
    let rm = &found.delegates[1];
    assert_eq!((rm.origin.part, slice(rm.origin)), (1, "rm -rf \"b\""));
    let holdpoint_guest::Action::Program(invocation) = &rm.action else { panic!("a program") };
    let words: Vec<&str> = invocation.argv.iter().map(|word| slice(word.origin)).collect();
    assert_eq!(words, ["rm", "-rf", "\"b\""]);
    assert!(found.operations.iter().any(|operation| slice(operation.origin) == "> c"));
}
