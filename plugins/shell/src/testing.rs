//! Requests and a compact text for findings, for unit tests and for the tests of the crate alike. Tests only.

use holdpoint_guest::{
    Action, Fact, FactKind, FactQuery, Finding, Input, Invocation, JsonKind, JsonNode, JsonTree, Operation, Request,
    Scope, Slice, SourceText, Span, ToolCall, Word, WordKind, WorkingDir,
};

fn facts() -> Vec<Fact> {
    let fact = |kind, answer: &str| Fact { query: FactQuery { kind, subject: String::new() }, answer: answer.into() };
    vec![fact(FactKind::HomeDirectory, "/home/u"), fact(FactKind::WorkingDirectory, "/w")]
}

/// A text in a language.
pub(crate) fn source(language: &str, text: &str) -> Request {
    let source = SourceText { language: language.into(), text: text.into(), cwd: WorkingDir::Same };
    Request { action: Action::Source(source), facts: facts() }
}

/// A call of the tool `Bash` with string arguments.
pub(crate) fn tool(arguments: &[(&str, &str)]) -> Request {
    let slice = |start: usize, end: usize| Slice { start: start as u32, end: end as u32 };
    let mut pool = String::new();
    let mut nodes = vec![JsonNode { parent: 0, kind: JsonKind::Object, key: slice(0, 0), value: slice(0, 0) }];
    for (key, value) in arguments {
        let start = pool.len();
        pool.push_str(key);
        let middle = pool.len();
        pool.push_str(value);
        let kind = if matches!(*value, "true" | "false") { JsonKind::Boolean } else { JsonKind::Text };
        nodes.push(JsonNode { parent: 0, kind, key: slice(start, middle), value: slice(middle, pool.len()) });
    }
    let call = ToolCall { server: String::new(), name: "Bash".into(), arguments: JsonTree { nodes, pool } };
    Request { action: Action::Tool(call), facts: facts() }
}

/// A shell tool call with this command.
pub(crate) fn bash(command: &str) -> Request {
    tool(&[("command", command)])
}

/// A program with these words. A leading `*:` makes a word a pattern, `?:` makes it unknown.
pub(crate) fn program(words: &[&str]) -> Request {
    program_with(words, Input::Inherited)
}

/// A program with these words and this input.
pub(crate) fn program_with(words: &[&str], stdin: Input) -> Request {
    let word = |(index, text): (usize, &&str)| {
        let (kind, text) = match (text.strip_prefix("*:"), text.strip_prefix("?:")) {
            (Some(rest), _) => (WordKind::Glob, rest),
            (_, Some(rest)) => (WordKind::Dynamic, rest),
            (None, None) => (WordKind::Exact, *text),
        };
        Word { kind, text: text.to_owned(), origin: Span::part(index, text) }
    };
    let argv = words.iter().enumerate().map(word).collect();
    let invocation = Invocation { argv, env: Vec::new(), cwd: WorkingDir::Same, stdin };
    Request { action: Action::Program(invocation), facts: facts() }
}

/// One line for each part of a finding.
pub(crate) fn show(finding: &Finding) -> String {
    let mut lines: Vec<String> = finding.operations.iter().map(show_operation).collect();
    lines.extend(finding.delegates.iter().map(|delegate| show_action(&delegate.action)));
    lines.extend(finding.facts_needed.iter().map(|query| format!("needs {:?}", query.kind)));
    if !finding.escapes.is_empty() {
        lines.push(format!("escapes {:?}", finding.escapes));
    }
    lines.extend(finding.doubts.iter().map(|doubt| format!("doubt {:?}", doubt.reason)));
    lines.join("\n")
}

fn show_operation(operation: &Operation) -> String {
    let target: Vec<String> = operation
        .target
        .iter()
        .map(|segment| {
            let mark = match segment.certainty {
                WordKind::Exact => "",
                WordKind::Glob => "*:",
                WordKind::Dynamic => "?:",
            };
            format!("{:?} {mark}{}", segment.kind, segment.name)
        })
        .collect();
    let mut line = format!("{:?}[{}]", operation.verb, operation.native);
    if !target.is_empty() {
        line += &format!(" {}", target.join("/"));
    }
    line += &format!(" {:?}", operation.effect);
    if operation.scope != Scope::One {
        line += &format!(" {:?}", operation.scope);
    }
    if !operation.traits.is_empty() {
        line += &format!(" {:?}", operation.traits);
    }
    line
}

fn show_word(word: &Word) -> String {
    match word.kind {
        WordKind::Exact if word.text.is_empty() || word.text.contains([' ', '\n']) => {
            format!("{:?}", word.text)
        }
        WordKind::Exact => word.text.clone(),
        WordKind::Glob => format!("*:{}", word.text),
        WordKind::Dynamic => format!("?:{}", word.text),
    }
}

fn show_folder(folder: &WorkingDir) -> String {
    match folder {
        WorkingDir::Same => String::new(),
        WorkingDir::Path(path) => format!(" @{path}"),
        WorkingDir::Unknown => " @?".to_owned(),
    }
}

/// One line for an action.
pub(crate) fn show_action(action: &Action) -> String {
    match action {
        Action::Program(invocation) => {
            let env: Vec<String> =
                invocation.env.iter().map(|one| format!("{}={} ", one.name, show_word(&one.value))).collect();
            let words: Vec<String> = invocation.argv.iter().map(show_word).collect();
            let stdin = match &invocation.stdin {
                Input::Inherited => String::new(),
                Input::Empty => " <empty".to_owned(),
                Input::Text(text) => format!(" <text {text:?}"),
                Input::File(word) => format!(" <{}", show_word(word)),
                Input::OutputOf(index) => format!(" <#{index}"),
                Input::External => " <external".to_owned(),
                Input::Unknown => " <?".to_owned(),
            };
            format!("-> {}{}{}{stdin}", env.concat(), words.join(" "), show_folder(&invocation.cwd))
        }
        Action::Source(source) => {
            format!("-> {}: {}{}", source.language, source.text, show_folder(&source.cwd))
        }
        Action::Tool(call) => format!("-> tool {}", call.name),
    }
}
