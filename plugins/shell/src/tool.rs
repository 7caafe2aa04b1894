//! Shell tools of agent hosts: the command is one argument, the rest are captions and switches.

use holdpoint_guest::{
    Effect, Input, Invocation, JsonKind, JsonValue, Operation, Reason, Request, Segment, Span, TargetKind, ToolCall,
    Traits, Verb, Word, WorkingDir,
};

use crate::out::Out;
use crate::place::Place;
use crate::routes::TOOLS;
use crate::walk::Dialect;
use crate::word::Positional;

/// Arguments that change nothing about what is run. Sorted.
const CAPTIONS: &[&str] = &[
    "description",
    "explanation",
    "is_background",
    "justification",
    "max_output_tokens",
    "run_in_background",
    "timeout",
    "timeout_ms",
    "yield_time_ms",
];

/// Arguments that name the folder in which the command runs. Sorted.
const FOLDERS: &[&str] = &["cwd", "dir_path", "directory", "workdir"];

/// Judges a call of a shell tool.
pub(crate) fn classify(call: &ToolCall, request: &Request, out: &mut Out) {
    if !call.server.is_empty() || TOOLS.binary_search(&&*call.name).is_err() {
        return out.doubt(Reason::UnknownTool, Span::WHOLE);
    }
    let Some(root) = call.arguments.root().filter(|root| root.kind() == JsonKind::Object) else {
        return out.doubt(Reason::MalformedArgument, Span::WHOLE);
    };
    let mut command = None;
    let mut folder = WorkingDir::Same;
    for (key, value) in root.children() {
        match key {
            "command" | "cmd" if command.is_none() => command = Some(value),
            "dangerouslyDisableSandbox" => sandbox(value, out),
            _ if FOLDERS.binary_search(&key).is_ok() => match value.as_str() {
                Some("") => {}
                Some(path) => folder = WorkingDir::Path(path.to_owned()),
                None if value.kind() == JsonKind::Null => {}
                None => out.doubt(Reason::MalformedArgument, value.span()),
            },
            _ if CAPTIONS.binary_search(&key).is_ok() => {}
            _ => out.doubt(Reason::MalformedArgument, value.span()),
        }
    }
    match command {
        Some(command) => run(command, folder, request, out),
        None => out.doubt(Reason::MalformedArgument, Span::WHOLE),
    }
}

fn sandbox(value: JsonValue<'_>, out: &mut Out) {
    match value.as_bool() {
        Some(false) => {}
        Some(true) => out.operation(
            Operation::new(Verb::Configure, "dangerouslyDisableSandbox", Effect::Unknown, value.span())
                .on(Segment::exact(TargetKind::SystemSetting, "sandbox"))
                .with_traits(Traits::PRIVILEGE),
        ),
        None => out.doubt(Reason::MalformedArgument, value.span()),
    }
}

fn run(command: JsonValue<'_>, folder: WorkingDir, request: &Request, out: &mut Out) {
    let span = command.span();
    match command.kind() {
        JsonKind::Text => {
            let text = command.as_str().unwrap_or("");
            match folder {
                WorkingDir::Same => {
                    crate::text(text, Place::Part(span.part), Dialect::Bash, Positional::Empty, request, out);
                }
                // Another folder is a matter for the host, which resolves everything against it.
                WorkingDir::Path(_) | WorkingDir::Unknown => out.source("bash", text, folder, span),
            }
        }
        JsonKind::Array => words(command, folder, out),
        JsonKind::Null | JsonKind::Boolean | JsonKind::Number | JsonKind::Object => {
            out.doubt(Reason::MalformedArgument, span);
        }
    }
}

/// A command given as its words: no shell is involved.
fn words(command: JsonValue<'_>, cwd: WorkingDir, out: &mut Out) {
    let mut argv = Vec::new();
    for (_, element) in command.children() {
        match element.as_str() {
            Some(text) => argv.push(Word::exact(text, element.span())),
            None => return out.doubt(Reason::MalformedArgument, element.span()),
        }
    }
    if argv.is_empty() {
        return out.doubt(Reason::MalformedArgument, command.span());
    }
    out.program(Invocation { argv, env: Vec::new(), cwd, stdin: Input::Inherited }, command.span());
}

#[cfg(test)]
mod tests {
    use super::{CAPTIONS, FOLDERS};
    use crate::classify;
    use crate::testing::{show, show_action, tool};

    #[test]
    fn captions_change_nothing_and_other_arguments_are_doubts() {
        assert!(CAPTIONS.is_sorted() && FOLDERS.is_sorted());
        let found = |arguments: &[(&str, &str)]| show(&classify(&tool(arguments)));
        assert_eq!(found(&[("command", "ls"), ("description", "List")]), "-> ls");
        assert_eq!(found(&[("command", "ls"), ("extra", "x")]), "-> ls\ndoubt Reason::MalformedArgument");
        assert_eq!(found(&[("description", "x")]), "doubt Reason::MalformedArgument");
        assert_eq!(found(&[("command", "ls"), ("dangerouslyDisableSandbox", "false")]), "-> ls");
        assert_eq!(
            found(&[("dangerouslyDisableSandbox", "true"), ("command", "ls")]),
            "Verb::Configure[dangerouslyDisableSandbox] TargetKind::SystemSetting sandbox Effect::Unknown \
             Traits(PRIVILEGE)\n-> ls"
        );
    }

    #[test]
    fn another_folder_is_handed_on() {
        let found = classify(&tool(&[("command", "ls"), ("workdir", "/x")]));
        assert_eq!(found.delegates.iter().map(|one| show_action(&one.action)).collect::<Vec<_>>(), ["-> bash: ls @/x"]);
    }
}
