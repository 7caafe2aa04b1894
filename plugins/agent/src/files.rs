//! Files and folders as arguments name them.

use holdpoint_guest::{
    Effect, FactKind, Finding, JsonKind, JsonValue, Operation, Reason, Request, Scope, Segment, Span, TargetKind, Verb,
    Word, WordKind,
};

use crate::tools::{Role, Tool};

/// Adds what a tool does to one path.
pub(crate) fn at(finding: Finding, tool: &Tool, role: Role, path: &str, span: Span, request: &Request) -> Finding {
    let (verb, effect, scope) = match role {
        Role::Read => (Verb::Get, Effect::None, Scope::One),
        Role::ReadTree => (Verb::Get, Effect::None, Scope::AllInParent),
        Role::List => (Verb::List, Effect::None, Scope::One),
        Role::Create => (Verb::Create, Effect::Reversible, Scope::One),
        Role::Update => (Verb::Update, Effect::Reversible, Scope::One),
        Role::Caption | Role::Pattern | Role::Url | Role::Query | Role::Shell => {
            return finding.with_doubt(Reason::MalformedArgument, span);
        }
    };
    let name = named(path, WordKind::Exact, span, request);
    finding.with_operation(Operation::new(verb, tool.name, effect, span).reaching(scope).on(name))
}

/// Adds the listing of names that fit a pattern, below the folder that another argument names.
pub(crate) fn pattern(
    finding: Finding,
    tool: &Tool,
    pattern: &str,
    root: JsonValue<'_>,
    span: Span,
    request: &Request,
) -> Finding {
    let folder = match root.get("path") {
        None => None,
        Some(value) if value.kind() == JsonKind::Null => None,
        Some(value) => match value.as_str() {
            Some(folder) => Some(folder).filter(|folder| !folder.is_empty()),
            None => return finding.with_doubt(Reason::MalformedArgument, value.span()),
        },
    };
    // Braces are alternatives to the host and plain characters to the core, so what is in front of them is all that counts.
    let pattern = pattern.split('{').next().map_or(pattern, |start| if start == pattern { pattern } else { start });
    let open = if pattern.ends_with('*') || pattern.is_empty() { "" } else { "*" };
    let whole = match folder {
        Some(folder) if !pattern.starts_with('/') => {
            format!("{}/{pattern}{open}", escaped(folder.trim_end_matches('/')))
        }
        Some(_) | None => format!("{pattern}{open}"),
    };
    let name = named(&whole, WordKind::Glob, span, request);
    let lists = Operation::new(Verb::List, tool.name, Effect::None, span).reaching(Scope::AllInParent);
    finding.with_operation(lists.on(name))
}

/// The file of exactly this path.
pub(crate) fn plain(path: &str, span: Span, request: &Request) -> Segment {
    named(path, WordKind::Exact, span, request)
}

/// A path; one under the home of the user is followed there where the home is known.
fn named(path: &str, kind: WordKind, span: Span, request: &Request) -> Segment {
    let word = |text: String, kind| Word { kind, text, origin: span };
    let home = request.fact(FactKind::HomeDirectory);
    let word = match (path.strip_prefix('~'), home) {
        (None, _) => word(path.to_owned(), kind),
        (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with('/') => word(format!("{home}{rest}"), kind),
        (Some(_), _) => word(path.to_owned(), WordKind::Dynamic),
    };
    Segment::named(TargetKind::File, &word)
}

/// A folder's name within a pattern.
fn escaped(folder: &str) -> String {
    let mut text = String::with_capacity(folder.len());
    for character in folder.chars() {
        if "*?[]\\".contains(character) {
            text.push('\\');
        }
        text.push(character);
    }
    text
}
