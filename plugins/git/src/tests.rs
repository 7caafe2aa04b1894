//! Tests of whole commands: a line in, a short text of the finding out.

mod lines;
mod tables;

use holdpoint_guest::{
    Action, Fact, FactKind, FactQuery, Finding, Input, Invocation, ObligationKind, Operation, Request, Span, Word,
    WordKind, WorkingDir,
};

use crate::classify;

/// What the host says of the repository of a test that does not say otherwise.
const PLAIN: &str = "plain";

/// The finding for words, in a repository of which the host says `repository`. A leading `G:` makes a pattern, `D:` a word
/// that is not known, and `NAME=value` in front of the program a variable.
fn told(words: &[&str], repository: &str) -> Finding {
    let word = |text: &str| match (text.strip_prefix("G:"), text.strip_prefix("D:")) {
        (Some(pattern), _) => Word { kind: WordKind::Glob, text: pattern.to_owned(), origin: Span::WHOLE },
        (None, Some(source)) => Word::dynamic(source, Span::WHOLE),
        (None, None) => Word::exact(text, Span::WHOLE),
    };
    let variables = words.iter().take_while(|word| **word != "git").count();
    let binding = |text: &&str| {
        let (name, value) = text.split_once('=').expect("a variable");
        holdpoint_guest::Binding { name: name.to_owned(), value: word(value) }
    };
    let invocation = Invocation {
        argv: words.iter().skip(variables).map(|text| word(text)).collect(),
        env: words.iter().take(variables).map(binding).collect(),
        cwd: WorkingDir::Same,
        stdin: Input::Inherited,
    };
    let home = FactQuery { kind: FactKind::HomeDirectory, subject: String::new() };
    let mut request = Request {
        action: Action::Program(invocation),
        facts: vec![Fact { query: home, answer: "/home/u".to_owned() }],
    };
    let first = classify(&request);
    if first.facts_needed.is_empty() {
        return first;
    }
    for query in first.facts_needed {
        let answer = match query.kind {
            FactKind::PathKind if query.subject.ends_with(".txt") => "file",
            FactKind::PathKind if query.subject == "." => "folder",
            FactKind::PathKind => "missing",
            _ => repository,
        };
        request.facts.push(Fact { query, answer: answer.to_owned() });
    }
    classify(&request)
}

fn finding(line: &str) -> Finding {
    told(&split(line), PLAIN)
}

/// Splits a line at spaces; `~` stands for one within a word.
fn split(line: &str) -> Vec<&'static str> {
    line.split_whitespace().map(|word| &*word.replace('~', " ").leak()).collect()
}

/// A finding as one line: operations, delegates, obligations, doubts.
fn render(finding: &Finding) -> String {
    let mut parts: Vec<String> = finding.operations.iter().map(operation).collect();
    for delegate in &finding.delegates {
        parts.push(match &delegate.action {
            Action::Program(invocation) => {
                let words: Vec<&str> = invocation.argv.iter().map(|word| &*word.text).collect();
                format!("run {}", words.join(" "))
            }
            Action::Source(source) => format!("bash {}", source.text),
            Action::Tool(_) => "tool".to_owned(),
        });
    }
    for obligation in &finding.obligations {
        parts.push(match obligation.kind {
            ObligationKind::NoRepoConfig => "if no-repo-config".to_owned(),
            ObligationKind::EndOfOptions => "if end-of-options".to_owned(),
            other => format!("if {other:?}"),
        });
    }
    parts.extend(finding.doubts.iter().map(|doubt| format!("doubt {}", short(&format!("{:?}", doubt.reason)))));
    parts.join("; ")
}

/// Verb, effect and target; `*` behind a target for more than one, and `?` for what is not known.
fn operation(operation: &Operation) -> String {
    let names: Vec<String> = operation
        .target
        .iter()
        .map(|step| match (step.certainty, step.name.as_str()) {
            (WordKind::Dynamic, "") => "?".to_owned(),
            (_, name) => name.to_owned(),
        })
        .collect();
    let kind = operation.target.last().map_or(String::new(), |step| format!(" {}", short(&format!("{:?}", step.kind))));
    let effect = match short(&format!("{:?}", operation.effect)) {
        effect if effect == "none" => String::new(),
        effect => format!(" {effect}"),
    };
    let more = if operation.scope == holdpoint_guest::Scope::One { "" } else { "*" };
    let verb = short(&format!("{:?}", operation.verb));
    format!("{verb}{effect}{kind} {}{more}", names.join(" > ")).trim_end().to_owned()
}

/// The last part of a path, with words apart: `Scope::AllInParent` is `all-in-parent`.
fn short(debug: &str) -> String {
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

/// Checks what lines do.
fn lines(cases: &[(&str, &str)]) {
    let told: Vec<(&str, String)> = cases.iter().map(|(line, _)| (*line, render(&finding(line)))).collect();
    let wrong: Vec<String> = cases
        .iter()
        .zip(&told)
        .filter(|((_, expected), (_, told))| expected != told)
        .map(|((line, expected), (_, told))| format!("{line}\n  expected {expected}\n  told     {told}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
