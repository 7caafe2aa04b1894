//! What an agent wants to do: shell text and words, as the vocabularies read them. Whatever comes in, a finding says
//! something, and its places lie in the text it is about.

use crate::text;
use holdpoint_guest::{
    Action, Fact, FactKind, FactQuery, Finding, Input, Invocation, Request, SourceText, Span, Word, WordKind,
    WorkingDir,
};

pub(crate) const SHELL_TEXTS: &[&str] = &[
    "ls -la | grep x > out 2>&1 && rm -rf \"$HOME/x\" || true",
    "for f in *.txt; do mv \"$f\" \"${f%.txt}.md\"; done",
    "cat <<'EOF' | bash -c 'echo $0' x\nrm -rf /\nEOF\n",
    "a=$(printf '%s' $'\\x2f\\n' | xargs -0 rm) b=([1]=x) ; export PATH=/x:$PATH",
    "f() { local x=\"${1:-$(id)}\"; [[ $x =~ ^a ]] && (( i++ )); }; f",
    "case $x in a|b) eval \"$y\" ;; *) ! time sudo -u bob env A=1 timeout 5 ssh h 'ls' ;; esac &",
    "diff <(sort {a,b}.{1..3}) >(tee x) <<< `echo \\`id\\``",
];
pub(crate) const SHELL_WORDS: &[&str] = &[
    "sudo\0-u\0root\0sh\0-c\0rm -rf x",
    "xargs\0-I{}\0-n1\0rm\0{}",
    "env\0-i\0-S\0A=1 ls\0x",
    "bash\0-lc\0ls $1\0x\0y",
];
pub(crate) const POSIX_WORDS: &[&str] = &[
    "find\0.\0-name\0*.o\0-exec\0rm\0-f\0{}\0+",
    "sed\0-i\0s/a/b/w out\0x",
    "awk\0BEGIN { while ((\"id\" | getline l) > 0) print l > \"x\" }\0f",
    "tar\0--checkpoint-action=exec=sh\0-xzf\0a.tgz\0-C\0/\0",
    "curl\0-sS\0-X\0POST\0-d\0@f\0https://h/p\0-o\0x",
    "rm\0-rf\0--\0/\0*",
];

pub(crate) fn shell_text(bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let source = SourceText { language: "bash".to_owned(), text: text.to_owned(), cwd: WorkingDir::Same };
    answered(holdpoint_plugin_shell::classify, Action::Source(source), &[text]);
}

pub(crate) fn shell_words(bytes: &[u8]) {
    words(holdpoint_plugin_shell::classify, bytes);
}

pub(crate) fn posix_words(bytes: &[u8]) {
    words(holdpoint_plugin_posix::classify, bytes);
}

/// Words between zero bytes; the first byte of each says how much of it is known.
fn words(classify: fn(&Request) -> Finding, bytes: &[u8]) {
    let Some(text) = text(bytes) else { return };
    let texts: Vec<&str> = text.split('\0').collect();
    let word = |(index, text): (usize, &&str)| {
        let kind = match text.as_bytes().first() {
            Some(b'*') => WordKind::Glob,
            Some(b'$') => WordKind::Dynamic,
            Some(_) | None => WordKind::Exact,
        };
        Word { kind, text: (*text).to_owned(), origin: Span::part(index, text) }
    };
    let argv = texts.iter().enumerate().map(word).collect();
    let invocation = Invocation { argv, env: Vec::new(), cwd: WorkingDir::Same, stdin: Input::Inherited };
    answered(classify, Action::Program(invocation), &texts);
}

fn answered(classify: fn(&Request) -> Finding, action: Action, parts: &[&str]) {
    let fact =
        |kind, answer: &str| Fact { query: FactQuery { kind, subject: String::new() }, answer: answer.to_owned() };
    let facts = vec![fact(FactKind::HomeDirectory, "/home/u"), fact(FactKind::WorkingDirectory, "/w")];
    let finding = classify(&Request { action, facts });
    let says_something = !finding.operations.is_empty()
        || !finding.delegates.is_empty()
        || !finding.doubts.is_empty()
        || !finding.facts_needed.is_empty();
    assert!(says_something, "a finding that says nothing");
    let operations = finding.operations.iter().map(|operation| operation.origin);
    let delegates = finding.delegates.iter().map(|delegate| delegate.origin);
    for place in operations.chain(delegates).chain(finding.doubts.iter().map(|doubt| doubt.origin)) {
        let part = parts.get(place.part as usize);
        let inside = part.is_some_and(|part| part.get(place.start as usize..place.end as usize).is_some());
        assert!(inside, "{place:?} is no place of the action");
    }
}
