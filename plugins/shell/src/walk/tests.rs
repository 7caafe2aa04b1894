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
    programs("echo x | bash", &["-> bash <text \"x\\n\""]);
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
fn only_exact_names_of_streams_are_streams() {
    check("> /dev/fd/3", &["Verb::Nothing[>] Effect::None"]);
    for path in ["/dev/fd/../cwd/x", "/proc/self/fd/../cwd/x", "/dev/stdin/x", "/dev/tcp/../../x", "/dev/tcp/h"] {
        check(&format!("> {path}"), &[&format!("Verb::Update[>] TargetKind::File {path} Effect::Reversible")]);
    }
    let connects = "Verb::Connect[>] TargetKind::Host h Effect::Irreversible Traits(NETWORK | EXTERNAL_CONTENT)";
    check("> /dev/tcp/h/80", &[connects]);
    assert!(show(&classify(&source("sh", "> /dev/tcp/h/80"))).contains("TargetKind::File /dev/tcp/h/80"));
}

#[test]
fn what_may_be_left_out_is_not_relied_on() {
    for text in [
        "E=$((1/0)) D=/x\nrm $D",
        ": $((1/0)); D=/x\nrm $D",
        "UID=1 D=/x\nrm $D",
        "readonly E; E=1 D=/x\nrm $D",
        "declare -p D=/x; rm $D",
        "local D=/x; rm $D",
        "D=/x export E; rm $D",
        "D=/x >/n/y; rm $D",
        "{ D=/x; } >/n/y; rm $D",
    ] {
        let found = show(&classify(&bash(text)));
        assert!(found.contains("rm ?:$D"), "{text}\n{found}");
    }
    for text in [
        "cd x || exit --help; rm y",
        "cd x || exit $s; rm y",
        "cd x || exit 1 >/n/y; rm y",
        "cd x || { exit; } >/n/y; rm y",
        "cd x || logout; rm y",
        "cd x || command exit a b; rm y",
        "if a; then set -e; fi; cd x; rm y",
        "set -e 2>/n/y; cd x; rm y",
        "f() { set +e; }; set -e; f; cd x; rm y",
        "set -e; . f; cd x; rm y",
    ] {
        let found = show(&classify(&bash(text)));
        let elsewhere = |line: &str| line == "-> rm y" || line == "-> rm y @?";
        assert!(found.lines().any(elsewhere), "{text}\n{found}");
    }
    for text in ["trap 'cd /' DEBUG; rm y", "set -e; trap 'set +e' DEBUG; cd x; rm y"] {
        assert!(show(&classify(&bash(text))).contains("doubt"), "{text}");
    }
    programs("cd() { a; }; cd x && rm y", &["-> a @? <external", "-> rm y @?"]);
    programs("cd x || exit 1; rm y", &["-> rm y @x"]);
    programs("cd x 2>/dev/null || exit $?; rm y", &["-> rm y @x"]);
    programs("trap 'cd /; rm t' EXIT; rm y", &["-> rm t @/", "-> rm t @?", "-> rm y"]);
}

#[test]
fn a_loop_may_end_anywhere_in_it() {
    for text in [
        "for i in 1; do cd a; break; cd ..; done; rm x",
        "until cd a; do break; done; rm x",
        "while cd a; do cd ..; done; rm x",
        "while :; do cd a || continue; cd ..; done; rm x",
    ] {
        programs(text, &["-> rm x @?"]);
    }
    programs("for i in 1 2; do (cd a && b); done; rm x", &["-> b @a", "-> b @a", "-> rm x"]);
    programs("rm \"$@\"; rm \"$*\"; rm \"\"\"$@\"", &["-> rm", "-> rm \"\"", "-> rm ?:\"\"\"$@\""]);
}

#[test]
fn what_a_function_may_do_to_the_folder_counts_also_if_it_may_not_be_there() {
    programs("if a; then f() { cd b; }; fi; f; rm x", &["-> a", "-> f", "-> rm x", "-> rm x @?"]);
    programs("cd a; cd \"$PWD/b\" && rm x", &["-> rm x @?"]);
    programs("cd a; rm \"$PWD/b\"", &["-> rm /w/a/b @a", "-> rm /w/b"]);
}

#[test]
fn a_word_that_the_shell_expands_twice_is_plain() {
    for text in [": >&'$(a)'", ": >&'`a`'", "x='$(a)'; : >&\"$x\"", "x=$(a); : >&$x", ": >&$(a)", ": >&'a b'"] {
        assert!(show(&classify(&bash(text))).contains("doubt"), "{text}");
    }
    for text in [": >&a", ": >&2", ": 2>&1", "exec {fd}>a; : >&$fd", "coproc a; : >&${COPROC[1]}", ": >&-"] {
        let found = show(&classify(&bash(text)));
        assert!(!found.contains("doubt"), "{text}\n{found}");
    }
}

#[test]
fn a_command_that_is_replaced_prints_what_it_likes() {
    programs("rm $(pwd)/x", &["-> rm /w/x"]);
    programs("pwd() { a; }; rm $(pwd)/x", &["-> a <external", "-> rm ?:$(pwd)/x"]);
    programs("while b; do rm $(pwd)/x; function pwd { a; }; done", &["-> b", "-> rm ?:$(pwd)/x", "-> a <external"]);
}

#[test]
fn text_that_stands_in_the_line_reaches_the_program_behind_the_pipe() {
    programs("echo -n a b | sh", &["-> sh <text \"a b\""]);
    programs("printf '%s\\n' a b | sh", &["-> sh <text \"a\\nb\\n\""]);
    programs("printf 'a\\n' | sh", &["-> sh <text \"a\\n\""]);
    programs("cat <<E | sh\na\nE", &["-> cat <text \"a\\n\"", "-> sh <text \"a\\n\""]);
    for text in [
        "echo $x | sh",
        "echo * | sh",
        "echo 'a\\tb' | sh",
        "printf %5d 1 | sh",
        "echo a >f | sh",
        "(echo a; b) | sh",
        "echo() { b; }; echo a | sh",
        "if c; then echo() { b; }; fi; echo a | sh",
        "echo $(echo a) | sh",
    ] {
        let found = show(&classify(&bash(text)));
        assert!(found.contains("-> sh <external"), "{text}\n{found}");
    }
}

#[test]
fn a_process_substitution_is_a_stream_and_a_command() {
    programs("diff <(a) <(b)", &["-> a", "-> b", "-> diff /dev/fd/63 /dev/fd/63"]);
    programs("tee >(sh)", &["-> sh <external", "-> tee /dev/fd/63"]);
    check(
        ". <(a)",
        &["Verb::Exec[.] TargetKind::Code ?: Effect::Unknown Traits(EXTERNAL_CONTENT | RUNS_CODE)", "-> a"],
    );
}

#[test]
fn values_are_followed_through_plain_changes() {
    programs("rm ${HOME%/}/x ~root", &["-> rm /home/u/x /root"]);
    programs("D=a.txt; rm ${D%.txt}.md ${D##*.} ${D:-b}", &["-> rm a.md txt a.txt"]);
    programs("rm ${x:-/etc}", &["-> rm ?:${x:-/etc}", "-> rm /etc"]);
    programs("for f in *.jpeg; do mv \"$f\" \"${f%.jpeg}.jpg\"; done", &["-> mv *:*.jpeg *:*.jpg"]);
    programs("for f in d/*.c; do rm \"o/${f##*/}\"; done", &["-> rm *:o/*.c"]);
    programs("declare -u D=a; rm $D", &["-> rm ?:$D"]);
    programs("D=a; : ${D:=b}; rm $D", &["-> rm ?:$D"]);
    programs("for i in 1 2; do rm \"$1\"; set -- /etc; done", &["-> rm ?:\"$1\"", "-> rm ?:\"$1\""]);
    let found = show(&classify(&bash("> ${x:-/etc/passwd}")));
    assert!(found.contains("TargetKind::File /etc/passwd"), "{found}");
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
    for text in [
        "a &> b",
        "[[ a ]]",
        "cat <(a)",
        "echo $'a'",
        "echo {a,b}",
        "((1))",
        "a <<< b",
        "function f { a; }",
        "x=(a)",
        "declare x=a",
        "typeset x",
    ] {
        assert!(show(&classify(&source("sh", text))).contains("doubt"), "{text}");
    }
    assert_eq!(
        show(&classify(&source("sh", "a | b > c"))),
        "Verb::Update[>] TargetKind::File c Effect::Reversible\n-> a\n-> b <#0"
    );
    assert_eq!(show(&classify(&source("sh", "rm a=~/b ~+ ~/c"))), "-> rm ?:a=~/b ?:~+ /home/u/c");
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

#[test]
fn a_subshell_that_looks_like_arithmetic_is_a_doubt_wherever_it_stands() {
    for text in ["$(((1)) && rm x)", "${x-$(((1)) && rm x)}", "\"${x-\"$(((1)) && rm x)\"}\"", "${x/a/$(((1)); rm x)}"]
    {
        assert!(show(&classify(&source("bash", &format!("echo {text}")))).contains("doubt"), "{text}");
    }
    for text in ["$(((1) + 2))", "${x-$((1 + (2)))}"] {
        assert!(!show(&classify(&source("bash", &format!("echo {text}")))).contains("doubt"), "{text}");
    }
}
