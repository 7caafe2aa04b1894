//! Tests of whole commands: words in, a short text of the finding out.

mod beside;
mod corpora;
mod elsewhere;
mod environment;
mod hidden;
mod laws;
mod programs;
mod reach;
mod tables;

use holdpoint_guest::{Action, Finding, Input, Invocation, Operation, Request, Span, Word, WordKind, WorkingDir};

use crate::classify;

/// A command from words. A leading `G:` makes a pattern, `D:` a word that is not known.
pub(crate) fn finding(words: &[&str]) -> Finding {
    let word = |text: &&str| match (text.strip_prefix("G:"), text.strip_prefix("D:")) {
        (Some(pattern), _) => Word { kind: WordKind::Glob, text: pattern.to_owned(), origin: Span::WHOLE },
        (None, Some(source)) => Word::dynamic(source, Span::WHOLE),
        (None, None) => Word::exact(*text, Span::WHOLE),
    };
    request(words.iter().map(word).collect())
}

/// The finding for a command without environment and input.
pub(crate) fn request(argv: Vec<Word>) -> Finding {
    let invocation = Invocation { argv, env: Vec::new(), cwd: WorkingDir::Same, stdin: Input::Inherited };
    classify(&Request { action: Action::Program(invocation), facts: Vec::new() })
}

/// A finding as one line: operations, delegates, doubts.
pub(crate) fn render(finding: &Finding) -> String {
    let mut parts: Vec<String> = finding.operations.iter().map(operation).collect();
    for delegate in &finding.delegates {
        parts.push(match &delegate.action {
            Action::Program(invocation) => {
                let words: Vec<String> = invocation.argv.iter().map(|word| marked(word.kind, &word.text)).collect();
                let cwd = if invocation.cwd == WorkingDir::Same { "" } else { " somewhere" };
                format!("run {}{cwd}", words.join(" "))
            }
            Action::Source(source) => format!("{} {}", source.language, source.text),
            Action::Tool(_) => "tool".to_owned(),
        });
    }
    parts.extend(finding.doubts.iter().map(|doubt| format!("doubt {}", short(&format!("{:?}", doubt.reason)))));
    parts.join("; ")
}

fn marked(kind: WordKind, text: &str) -> String {
    match kind {
        WordKind::Exact => text.to_owned(),
        WordKind::Glob => format!("G:{text}"),
        WordKind::Dynamic => format!("D:{text}"),
    }
}

fn operation(operation: &Operation) -> String {
    let target = operation.target.last();
    let name = target.map_or(String::new(), |target| format!(" {}", marked(target.certainty, &target.name)));
    let kind = target.map_or(String::new(), |target| format!(" {}", short(&format!("{:?}", target.kind))));
    let scope = match short(&format!("{:?}", operation.scope)).as_str() {
        "one" => String::new(),
        scope => format!(" ({scope})"),
    };
    let effect = short(&format!("{:?}", operation.effect));
    let effect = effect.strip_prefix("effect::").unwrap_or(&effect);
    let effect = if effect == "none" { String::new() } else { format!(" {effect}") };
    format!("{}{kind}{name}{scope}{effect}", short(&format!("{:?}", operation.verb)))
}

/// The last part of a path, with words apart: `Scope::AllInParent` is `all-in-parent`.
pub(crate) fn short(debug: &str) -> String {
    let name = debug.rsplit("::").next().unwrap_or(debug);
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !text.is_empty() {
            text.push('-');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}

/// Splits a line at spaces and quotes and checks what it does.
pub(crate) fn line(command: &str, expected: &str) {
    let mut words = corpora::split(command);
    assert_eq!(words.len(), 1, "{command}");
    let words = words.remove(0);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    check(&words, expected);
}

/// Checks lines.
pub(crate) fn lines(cases: &[(&str, &str)]) {
    for (command, expected) in cases {
        line(command, expected);
    }
}

/// Checks the rendered finding of a command, in any order.
pub(crate) fn check(words: &[&str], expected: &str) {
    let sorted = |text: &str| {
        let mut parts: Vec<String> = text.split("; ").map(str::to_owned).collect();
        parts.sort();
        parts.join("; ")
    };
    assert_eq!(sorted(&render(&finding(words))), sorted(expected), "{words:?}");
}

/// Whether the command is understood and neither changes, sends nor runs anything.
pub(crate) fn is_harmless(finding: &Finding) -> bool {
    finding.doubts.is_empty()
        && finding.delegates.is_empty()
        && finding.operations.iter().all(|operation| operation.effect == holdpoint_guest::Effect::None)
}
