//! How the arguments of a call name whom and what it reaches. It must never leave out an argument that it does not know:
//! whatever the tool makes of it, it may be somebody else that something is sent to.

use holdpoint_guest::{
    Effect, Finding, JsonKind, JsonValue, Operation, Reason, Request, Scope, Segment, Span, TargetKind, Verb,
};

use crate::deeds::{Deed, Member};
use crate::files;

/// Members of an attachment that name its file.
const FILE_NAMES: &[&str] = &["file", "file_path", "filepath", "path"];
/// Members of an attachment that touch nothing.
const ATTACHMENT_CAPTIONS: &[&str] =
    &["cid", "content", "content_id", "content_type", "data", "encoding", "filename", "mime_type", "name", "type"];

/// What a call of such a tool does.
pub(crate) fn judge(deed: &Deed, root: JsonValue<'_>, request: &Request) -> Finding {
    let mut finding = Finding::default().with_operation(main(deed, root));
    let mut subjects = 0_usize;
    for (key, value) in root.children() {
        let key = key.to_lowercase();
        if value.kind() == JsonKind::Null {
            continue;
        }
        if key == deed.subject {
            subjects = subjects.saturating_add(1);
            if subjects > 1 || !value.as_str().is_some_and(is_line) {
                finding = finding.with_doubt(Reason::MalformedArgument, value.span());
            }
            continue;
        }
        let found = deed.members.iter().find(|(names, _)| names.contains(&&*key));
        finding = match found {
            Some((_, member)) => one(finding, deed, *member, value, request),
            None => finding.with_doubt(Reason::MalformedArgument, value.span()),
        };
    }
    match conversation(deed, root) {
        Some(span) if !names_people(&finding) => finding.with_doubt(Reason::MalformedArgument, span),
        Some(_) | None => finding,
    }
}

fn main(deed: &Deed, root: JsonValue<'_>) -> Operation {
    let mut named = root.children().filter(|(key, _)| key.to_lowercase() == deed.subject);
    let subject = named.find_map(|(_, value)| value.as_str()).unwrap_or("");
    let scope = match deed.kind {
        TargetKind::PersonalData => Scope::AllInParent,
        _ => Scope::One,
    };
    let operation = Operation::new(deed.verb, deed.name, deed.effect, Span::WHOLE).with_traits(deed.traits);
    operation.reaching(scope).on(Segment::exact(deed.kind, subject))
}

fn one(finding: Finding, deed: &Deed, member: Member, value: JsonValue<'_>, request: &Request) -> Finding {
    match member {
        Member::Caption | Member::Conversation => finding,
        Member::Line => match value.as_str() {
            Some(text) if is_line(text) => finding,
            Some(_) | None => finding.with_doubt(Reason::MalformedArgument, value.span()),
        },
        Member::People => people(finding, deed, value),
        Member::Changed => written(finding, deed, Verb::Update, value, request),
        Member::Made => written(finding, deed, Verb::Create, value, request),
        Member::Attached => attachments(finding, deed, value, request),
    }
}

/// Reports files that are written. A text with commas may be one name or several.
fn written(mut finding: Finding, deed: &Deed, verb: Verb, value: JsonValue<'_>, request: &Request) -> Finding {
    for (text, span) in texts(value) {
        let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else {
            finding = finding.with_doubt(Reason::MalformedArgument, span);
            continue;
        };
        let parts = text.split([',', ';']).map(str::trim).filter(|part| !part.is_empty() && *part != text);
        for path in std::iter::once(text).chain(parts) {
            let operation = Operation::new(verb, deed.name, Effect::Reversible, span);
            finding = finding.with_operation(operation.on(files::plain(path, span, request)));
        }
    }
    finding
}

/// Everybody that a text with commas between, or a list of such texts, names.
fn people(mut finding: Finding, deed: &Deed, value: JsonValue<'_>) -> Finding {
    for (text, span) in texts(value) {
        let parts = text.unwrap_or("").split([',', ';']).map(str::trim).filter(|part| !part.is_empty());
        for part in parts {
            finding = match address(part) {
                Some(address) => {
                    let operation = Operation::new(deed.verb, deed.name, deed.effect, span).with_traits(deed.traits);
                    finding.with_operation(operation.on(Segment::exact(TargetKind::Recipient, address)))
                }
                None => finding.with_doubt(Reason::MalformedArgument, span),
            };
        }
        if text.is_none() {
            finding = finding.with_doubt(Reason::MalformedArgument, span);
        }
    }
    finding
}

/// The address of `Name <address>`; `None` where it could be read as another one.
fn address(text: &str) -> Option<&str> {
    if !is_line(text) {
        return None;
    }
    let inside = match text.split_once('<') {
        Some((_, rest)) => rest.strip_suffix('>')?.trim(),
        None => text,
    };
    (!inside.is_empty() && !inside.contains(['<', '>'])).then_some(inside)
}

/// Reports the files that go along: paths, or objects that name a path or hold the content itself.
fn attachments(finding: Finding, deed: &Deed, value: JsonValue<'_>, request: &Request) -> Finding {
    let all: Vec<JsonValue<'_>> = match value.kind() {
        JsonKind::Array => value.children().map(|(_, item)| item).collect(),
        _ => vec![value],
    };
    all.into_iter().fold(finding, |finding, item| match item.kind() {
        JsonKind::Object => item.children().fold(finding, |finding, (key, inner)| {
            let key = key.to_lowercase();
            match inner.kind() {
                JsonKind::Null => finding,
                _ if FILE_NAMES.contains(&&*key) => attached(finding, deed, inner, request),
                _ if ATTACHMENT_CAPTIONS.contains(&&*key) => finding,
                _ => finding.with_doubt(Reason::MalformedArgument, inner.span()),
            }
        }),
        _ => attached(finding, deed, item, request),
    })
}

/// Reports the read of one file that goes along. An address is fetched by some tools and refused by others.
fn attached(finding: Finding, deed: &Deed, value: JsonValue<'_>, request: &Request) -> Finding {
    let is_path = |text: &&str| !text.is_empty() && !text.contains("://") && !text.contains(char::is_control);
    match value.as_str().filter(is_path) {
        Some(path) => {
            let reads = Operation::new(Verb::Get, deed.name, Effect::None, value.span());
            finding.with_operation(reads.on(files::plain(path, value.span(), request)))
        }
        None => finding.with_doubt(Reason::MalformedArgument, value.span()),
    }
}

/// A text, or the texts of a list, each with its place; `None` for anything else.
fn texts(value: JsonValue<'_>) -> Vec<(Option<&str>, Span)> {
    match value.kind() {
        JsonKind::Array => value.children().map(|(_, item)| (item.as_str(), item.span())).collect(),
        _ => vec![(value.as_str(), value.span())],
    }
}

/// Where a call names a conversation that something is sent into.
fn conversation(deed: &Deed, root: JsonValue<'_>) -> Option<Span> {
    let is_one = |key: &str| {
        let key = key.to_lowercase();
        deed.members.iter().any(|(names, member)| *member == Member::Conversation && names.contains(&&*key))
    };
    let mut named = root.children().filter(|(key, value)| is_one(key) && value.kind() != JsonKind::Null);
    named.next().map(|(_, value)| value.span())
}

fn names_people(finding: &Finding) -> bool {
    let is_person = |operation: &Operation| operation.target.iter().any(|step| step.kind == TargetKind::Recipient);
    finding.operations.iter().any(is_person)
}

/// Whether a text is no more than one line of a head: behind a break, another line of it would start.
fn is_line(text: &str) -> bool {
    !text.contains(|letter: char| letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}'))
}
