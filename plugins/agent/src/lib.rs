//! The vocabulary of tools that agent hosts bring along: reading and editing files, searching, fetching pages, git, mail,
//! memory, a browser, a vault, and the tools by which a host talks to itself. It must never guess what an argument means: one that is not in the table is a
//! doubt, unless the tool does nothing whatever it is given.

mod deeds;
mod files;
mod git;
mod members;
mod refspec;
mod repository;
mod tools;
mod web;

use holdpoint_guest::{
    Action, Effect, Finding, JsonKind, JsonValue, Operation, Reason, Request, Segment, Span, TargetKind, Verb,
};

use deeds::DEEDS;
use git::{GIT, SERVERS};
use tools::{Arguments, Role, TOOLS, Tool};

/// Says what a call of a tool would do.
pub fn classify(request: &Request) -> Finding {
    let Action::Tool(call) = &request.action else {
        return Finding::doubtful(Reason::UnknownTool, Span::WHOLE);
    };
    let root = call.arguments.root().filter(|root| root.kind() == JsonKind::Object);
    if let Some(tool) = GIT.iter().find(|tool| tool.name == call.name && SERVERS.contains(&&*call.server)) {
        return match root {
            Some(root) => repository::judge(tool, root, request),
            None => Finding::doubtful(Reason::MalformedArgument, Span::WHOLE),
        };
    }
    if !call.server.is_empty() {
        return Finding::doubtful(Reason::UnknownTool, Span::WHOLE);
    }
    let tool = TOOLS.iter().find(|tool| tool.name == call.name);
    let deed = DEEDS.iter().find(|deed| deed.name == call.name);
    match (tool, deed, root) {
        (Some(_), _, None) | (_, Some(_), None) => Finding::doubtful(Reason::MalformedArgument, Span::WHOLE),
        (Some(tool), _, Some(root)) => judge(tool, root, request),
        (None, Some(deed), Some(root)) => members::judge(deed, root, request),
        (None, None, _) => Finding::doubtful(Reason::UnknownTool, Span::WHOLE),
    }
}

fn judge(tool: &Tool, root: JsonValue<'_>, request: &Request) -> Finding {
    let roles = match tool.arguments {
        Arguments::Any => return Finding::default().with_operation(Operation::nothing(tool.name, Span::WHOLE)),
        Arguments::Listed(roles) => roles,
    };
    let mut finding = Finding::default();
    for (key, value) in root.children() {
        let role = roles.iter().find(|(name, _)| *name == key).map(|(_, role)| *role);
        finding = match role {
            Some(role) => argument(finding, tool, role, value, root, request),
            None => finding.with_doubt(Reason::MalformedArgument, value.span()),
        };
    }
    let told = !finding.operations.is_empty() || !finding.doubts.is_empty();
    match tool.without {
        _ if told => finding,
        Some(role) => files::at(finding, tool, role, ".", root.span(), request),
        // What the tool works on is missing.
        None => finding.with_doubt(Reason::MalformedArgument, Span::WHOLE),
    }
}

fn argument(
    finding: Finding,
    tool: &Tool,
    role: Role,
    value: JsonValue<'_>,
    root: JsonValue<'_>,
    request: &Request,
) -> Finding {
    if role == Role::Caption || value.kind() == JsonKind::Null {
        return finding;
    }
    let Some(text) = value.as_str().filter(|text| !text.is_empty()) else {
        return finding.with_doubt(Reason::MalformedArgument, value.span());
    };
    match role {
        Role::Caption => finding,
        Role::Read | Role::ReadTree | Role::List | Role::Create | Role::Update => {
            files::at(finding, tool, role, text, value.span(), request)
        }
        Role::Pattern => files::pattern(finding, tool, text, root, value.span(), request),
        Role::Url => web::fetch(finding, tool, text, value.span()),
        Role::Query => web::search(finding, tool, value.span()),
        Role::Shell => {
            let ends = Operation::new(Verb::Delete, tool.name, Effect::Reversible, value.span());
            finding.with_operation(ends.on(Segment::exact(TargetKind::ShellState, text)))
        }
    }
}

holdpoint_guest::export_vocabulary!(classify);

#[cfg(test)]
mod git_tests;
#[cfg(test)]
mod tests;
