//! Laws that hold for all texts.

use holdpoint_guest::{Action, Finding, Input, Request, Span};
use holdpoint_plugin_shell::classify;
use proptest::prelude::*;

use crate::testing;

/// Commands that leave the state of the shell alone.
const COMMANDS: &[&str] = &[
    "ls -l",
    "rm -rf x",
    "cat a | grep b",
    "echo hi > out",
    "(cd d && make)",
    "for i in 1 2; do echo $i; done",
    "if [ -f a ]; then rm a; fi",
    "x=1 make",
    "echo $(id)",
    "git commit -m 'a b'",
    "curl -s u | sh",
    "$x y",
    "a &",
    "cat <<< b",
    "[[ -n $y ]] && z",
    "test -v 'a[0]'",
    "kill 1",
    "echo \"$((1 + 2))\"",
    "find . -name '*.c' -delete",
    "! grep -q a b",
    "tee f < /dev/null",
    "echo `date`",
    "case $x in a) b;; esac",
];

/// What a finding says, without places.
fn said(finding: &Finding) -> Vec<String> {
    let text = testing::show(finding);
    // Indices of delegates count from the start of a text.
    text.lines().map(|line| line.split(" <#").next().unwrap_or(line).to_owned()).collect()
}

fn word() -> impl Strategy<Value = String> {
    "[a-zA-Z0-9_./-]{1,8}"
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_list_does_at_least_what_its_commands_do(
        first in proptest::sample::select(COMMANDS),
        second in proptest::sample::select(COMMANDS),
        between in proptest::sample::select(&["; ", "\n", " && ", " || "][..]),
    ) {
        let between = if first.ends_with('&') { " " } else { between };
        let all = said(&classify(&testing::bash(&format!("{first}{between}{second}"))));
        for part in [first, second] {
            for line in said(&classify(&testing::bash(part))) {
                prop_assert!(all.contains(&line), "{line} of {part:?} is missing in {all:?}");
            }
        }
    }

    #[test]
    fn quoting_a_literal_word_changes_nothing(words in proptest::collection::vec(word(), 1..5)) {
        let plain = words.join(" ");
        // A word that is reserved or that starts an assignment means something else with quotes.
        prop_assume!(!words[0].starts_with('-'));
        let expected = classify(&testing::bash(&plain));
        prop_assume!(expected.doubts.is_empty() && !expected.delegates.is_empty());
        for quote in ["'", "\""] {
            let quoted: Vec<String> = words.iter().map(|word| format!("{quote}{word}{quote}")).collect();
            let found = classify(&testing::bash(&quoted.join(" ")));
            prop_assert_eq!(testing::show(&found), testing::show(&expected));
        }
    }

    #[test]
    fn a_text_for_a_shell_is_handed_on(text in "[a-z][a-z ;|&<>$()'\"{}-]{0,30}") {
        let found = classify(&testing::program(&["bash", "-c", &text]));
        prop_assert_eq!(testing::show(&found), format!("-> bash: {text}"));
    }

    #[test]
    fn no_text_is_too_strange(text in "[a-zP ;|&<>$()'\"{}`\\\\\n\t#!*?\\[\\]=:@~-]{0,60}") {
        let found = classify(&testing::bash(&text));
        let says = found.operations.len() + found.delegates.len() + found.doubts.len() + found.facts_needed.len();
        prop_assert!(says > 0, "{text:?}");
        prop_assert_eq!(strays(&found, &["", &text]), Vec::<Span>::new(), "{:?}", text);
    }

    #[test]
    fn every_span_lies_in_what_was_asked(
        wrappers in proptest::collection::vec(proptest::sample::select(WRAPPERS), 0..4),
        before in proptest::sample::select(BEFORE),
        command in proptest::sample::select(WRAPPED),
        redirection in proptest::sample::select(REDIRECTIONS),
    ) {
        let text = wrappers.iter().fold(command.to_owned(), |inner, wrapper| wrapper.replace('%', &inner));
        let text = before.replace('%', &text) + redirection;
        check_spans(&testing::source("bash", &text), 0)?;
        check_spans(&testing::source("sh", &text), 0)?;
    }
}

/// What runs a command; `%` is the command.
const WRAPPERS: &[&str] = &[
    "timeout 5 %",
    "env %",
    "env A=1 %",
    "env -S 'nice %'",
    "nice -n 5 %",
    "nohup %",
    "setsid -w %",
    "stdbuf -oL %",
    "command %",
    "exec %",
    "busybox %",
    "flock l %",
    "time %",
    "command time -o t %",
    "sudo -n B=2 %",
    "xargs %",
    "xargs -0 -I{} %",
    "strace -o t %",
    "watch -x %",
    "ssh h %",
    "script log %",
    "eval %",
];

const WRAPPED: &[&str] = &[
    "ls",
    "sh",
    "bash -s a",
    "sh -c 'ls; cat'",
    "bash -c 'rm x < y'",
    "sh a.sh",
    "bash /dev/stdin",
    "sudo -s",
    "su",
    "script -c ls out",
    "xargs rm",
    "cat \"a\u{e9}\"",
    "find . -print0",
    "$x",
];

const BEFORE: &[&str] = &[
    "%",
    "export A=b C=\"$c\"; %",
    "A=\"$a\" %",
    "cd d && %",
    "cat f | %",
    "echo 'ls x' | %",
    "find d -type f -print0 | %",
    "for i in *.c; do %; done",
    "echo \"$(%)\"",
    "d=$(mktemp -d); %",
];

const REDIRECTIONS: &[&str] = &[
    "",
    " < f",
    " < \"$f\"",
    " < *.txt",
    " 0<> f",
    " <<< 'rm x'",
    " <<< \"$x\"",
    " < <(ls)",
    " <&3",
    " < /dev/null",
    " < /dev/tty",
    " > out 2>&1",
    " <<E\nls\nE\n",
    " <<E\n$x $(ls)\nE\n",
];

/// Checks the spans of a finding and of the findings for what it hands on.
fn check_spans(request: &Request, level: usize) -> Result<(), TestCaseError> {
    let parts: Vec<&str> = match &request.action {
        Action::Source(source) => vec![&source.text],
        Action::Program(invocation) => invocation.argv.iter().map(|word| word.text.as_str()).collect(),
        Action::Tool(_) => Vec::new(),
    };
    let found = classify(request);
    prop_assert_eq!(strays(&found, &parts), Vec::<Span>::new(), "{:?}", request.action);
    let inner = found.delegates.into_iter().filter(|_| level < 6);
    inner.map(|one| Request { action: one.action, facts: Vec::new() }).try_for_each(|one| check_spans(&one, level + 1))
}

/// The spans of a finding that lie outside of the parts of what was asked.
fn strays(found: &Finding, parts: &[&str]) -> Vec<Span> {
    let words = found.delegates.iter().flat_map(|one| match &one.action {
        Action::Program(invocation) => {
            let file = match &invocation.stdin {
                Input::File(word) => Some(word.origin),
                Input::Inherited
                | Input::Empty
                | Input::Text(_)
                | Input::OutputOf(_)
                | Input::External
                | Input::Unknown => None,
            };
            let words = invocation.argv.iter().chain(invocation.env.iter().map(|one| &one.value));
            words.map(|word| word.origin).chain(file).collect()
        }
        Action::Source(_) | Action::Tool(_) => Vec::new(),
    });
    let origins = found.operations.iter().map(|one| one.origin).chain(found.doubts.iter().map(|one| one.origin));
    let origins = origins.chain(found.delegates.iter().map(|one| one.origin));
    let is_stray = |span: &Span| {
        let part = parts.get(span.part as usize);
        part.is_none_or(|text| text.get(span.start as usize..span.end as usize).is_none())
    };
    origins.chain(words).filter(is_stray).collect()
}

#[test]
fn hostile_sizes_end_in_a_doubt() {
    for text in [
        "$(".repeat(30_000),
        "(".repeat(60_000),
        "{ ".repeat(30_000),
        "`".repeat(60_000),
        "a;".repeat(30_000),
        "a|".repeat(30_000),
        "a&&".repeat(20_000),
        "if ".repeat(20_000),
        "! ".repeat(30_000),
        "${x:-".repeat(12_000),
        "{a,".repeat(20_000),
        "[[ ".repeat(20_000),
        "((".repeat(30_000),
        "<<A ".repeat(15_000),
        "\"$(".repeat(20_000),
        "f() ".repeat(15_000),
        "time ".repeat(12_000),
        "coproc ".repeat(9_000),
        "{a,b}".repeat(10_000),
        "x".repeat(70_000),
        "a\n".repeat(30_000),
        "case a in ".repeat(6_000),
        "[[ ! ".repeat(12_000),
        "$((".repeat(20_000),
        "a=(".repeat(20_000),
        "echo {1..99999999999}".to_owned(),
        "a=1 ".repeat(16_000),
        "a=1;".repeat(4_000),
        "a ".repeat(32_000),
        "echo \"".to_owned() + &"$x".repeat(20_000) + "\"",
        "echo ".to_owned() + &"'a'".repeat(20_000),
        "echo $((1+".to_owned() + &"(".repeat(9_000),
        "[[ ".to_owned() + &"( ".repeat(9_000),
        "[[ ".to_owned() + &"! ".repeat(20_000) + "a ]]",
        "echo $((".to_owned() + &"-".repeat(60_000) + "1))",
        "echo $((1".to_owned() + &"+1".repeat(30_000) + "))",
    ] {
        // The stack of a guest is two mebibytes.
        let clock = std::time::Instant::now();
        let found = std::thread::Builder::new()
            .stack_size(2 << 20)
            .spawn({
                let text = text.clone();
                move || classify(&testing::bash(&text))
            })
            .expect("a thread")
            .join()
            .expect("an answer");
        let start: String = text.chars().take(20).collect();
        println!("{:?} for {} bytes of {start:?}", clock.elapsed(), text.len());
        // Braces that never close, sequences and sums are plain words.
        let plain = ["echo {1..", "echo $((", "a=1 ", "a a ", "echo \"$x", "echo 'a'"]
            .iter()
            .any(|prefix| start.starts_with(prefix));
        let unclear = plain || !found.doubts.is_empty();
        assert!(unclear, "{start}");
    }
}

#[test]
fn a_program_given_as_words_needs_no_shell() {
    let found = classify(&testing::program(&["env", "A=1", "ls", "*:x*"]));
    assert!(matches!(found.delegates.first().map(|one| &one.action), Some(Action::Program(_))));
}

#[test]
fn a_long_file_in_a_here_document_fits_a_guest() {
    let line = "    let value = \"text\"; // it's a `comment` with $dollars and (parens)\n";
    let text = format!("cat > src/main.rs <<'EOF'\n{}EOF\nmake test\n", line.repeat(600));
    let before = crate::asked_bytes();
    let found = classify(&testing::bash(&text));
    let bytes = crate::asked_bytes() - before;
    println!("{} bytes of text need {bytes} bytes of memory", text.len());
    assert!(found.doubts.is_empty(), "{:?}", found.doubts);
    assert!(bytes < holdpoint_guest::REGION_BYTES);
}
