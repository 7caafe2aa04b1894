//! scp and rsync: files go to another machine or come from it, as the operands say.

use holdpoint_guest::{Finding, Reason, WordKind};

use crate::Call;
use crate::arrive::{arrive, below, folder};
use crate::generic;
use crate::report::{Report, Spread};
use crate::table::{ACT_CREATE, ACT_DELETE, ACT_FETCH, ACT_READ, ACT_SEND, ACT_UPLOAD_FILE, Act, Opt, Role, Tag};
use crate::walk::{Item, Walked};
use crate::words::Arg;

/// Options that write down what is done, and beside it a script that does it again.
const BATCHES: &[&str] = &["--only-write-batch", "--write-batch"];

/// Reads the command.
pub(crate) fn classify(call: &Call<'_>) -> Finding {
    let mut report = call.report();
    let walked = generic::start(&mut report, call, &call.args);
    for item in &walked.items {
        if let Item::Option { option, value: Some(value), .. } = *item
            && BATCHES.contains(&option.name)
        {
            let text = format!("{}.sh", value.text);
            report.act(&ACT_CREATE, Arg { text: &text, ..value }, Spread::Single);
        }
        let Item::Option { option: Opt { role: Role::Tag(tag), .. }, value, at } = *item else {
            continue;
        };
        // Alone the remote shell has no host, so it cannot be handed on.
        let is_odd_shell = *tag == Tag::RemoteShell && !value.and_then(Arg::known).is_some_and(is_plain_shell);
        if *tag == Tag::Config || is_odd_shell {
            report.doubt(Reason::UnsupportedSyntax, at.span);
        }
    }
    let mut operands = walked.operands();
    match operands.pop() {
        None if walked.has_any(&["--help", "--version", "-V", "-h"]) => {}
        None => report.doubt(Reason::MalformedArgument, call.own_span),
        Some(last) if operands.is_empty() => source(&mut report, last, Spread::Tree, &ACT_READ),
        Some(last) => transfer(&mut report, call, &walked, &operands, last),
    }
    report.finish()
}

fn transfer(report: &mut Report, call: &Call<'_>, walked: &Walked<'_>, sources: &[Arg<'_>], destination: Arg<'_>) {
    let spread = if walked.is_recursive() || sources.len() > 1 { Spread::Tree } else { Spread::Single };
    let dry = has_tag(walked, Tag::DryRun);
    let uploads = remote_host(destination).is_some();
    for arg in sources {
        source(report, *arg, spread, if uploads && !dry { &ACT_UPLOAD_FILE } else { &ACT_READ });
        if has_tag(walked, Tag::RemoveSource) && !dry {
            match remote_host(*arg) {
                Some(host) => report.act(&ACT_SEND, host, Spread::Single),
                None => report.act(&ACT_DELETE, *arg, spread),
            }
        }
    }
    if dry {
        return source(report, destination, spread, &ACT_READ);
    }
    match remote_host(destination) {
        Some(host) => report.act(&ACT_SEND, host, Spread::Single),
        None if destination.kind == WordKind::Exact && is_odd(destination.text) => {
            report.doubt(Reason::MalformedArgument, destination.span);
        }
        None => {
            lands(report, call, walked, sources, destination);
            if has_tag(walked, Tag::DeleteExtra) {
                report.act(&ACT_DELETE, destination, Spread::Tree);
            }
        }
    }
    // Without a known destination the files may leave for anywhere.
    if destination.kind == WordKind::Dynamic {
        report.doubt(Reason::DynamicWord, call.own_span);
    }
}

/// Reports what is made here. With rsync a closing slash stands for the content of a folder.
fn lands(report: &mut Report, call: &Call<'_>, walked: &Walked<'_>, sources: &[Arg<'_>], destination: Arg<'_>) {
    let spread = if walked.is_recursive() { Spread::Tree } else { Spread::Single };
    let keeps_folders = call.program.name == "rsync"
        && (walked.has_any(&["-R", "--relative"]) || sources.iter().any(|source| source.text.ends_with('/')));
    let names: Vec<Arg<'_>> = sources.iter().map(|source| arriving(*source)).collect();
    if keeps_folders {
        for name in names.iter().filter(|_| walked.has_any(&["-R", "--relative"])) {
            below(report, destination, *name);
        }
        return report.act(&ACT_CREATE, destination, Spread::Tree);
    }
    let before = report.len();
    arrive(report, &names, destination, folder(destination, sources.len()), spread);
    if call.program.name == "rsync" && walked.has_any(&["-b", "--backup"]) {
        report.backups(before);
    }
}

/// A source without its host. Signs that the other side's shell may expand leave the name open.
fn arriving(source: Arg<'_>) -> Arg<'_> {
    let Some(colon) = source.text.find(':').filter(|_| remote_host(source).is_some()) else {
        return source;
    };
    let path = source.text.split_at(colon.saturating_add(1)).1;
    let open = path.contains(['*', '?', '[', '$', '`', '~', '\\', '{', ' ']);
    Arg { text: path, kind: if open { WordKind::Dynamic } else { source.kind }, ..source }
}

/// Reports what happens to a local source: it is read, or read and sent.
fn source(report: &mut Report, arg: Arg<'_>, spread: Spread, local: &Act) {
    match remote_host(arg) {
        Some(host) => report.act(&ACT_FETCH, host, Spread::Single),
        None => report.act(local, arg, spread),
    }
}

fn has_tag(walked: &Walked<'_>, tag: Tag) -> bool {
    let is = |option: &Opt| matches!(option.role, Role::Tag(own) if own == tag);
    walked.items.iter().any(|item| matches!(item, Item::Option { option, .. } if is(option)))
}

/// The host of `user@host:path`, `host::module` or `scheme://host/path`.
pub(crate) fn remote_host(arg: Arg<'_>) -> Option<Arg<'_>> {
    if arg.kind == WordKind::Dynamic {
        return None;
    }
    if let Some((scheme, rest)) = arg.text.split_once("://")
        && !scheme.contains('/')
    {
        let end = rest.find('/').unwrap_or(rest.len());
        return Some(bare_host(arg, rest.split_at(end).0));
    }
    let colon = arg.text.find(':')?;
    let before = arg.text.split_at(colon).0;
    (!before.is_empty() && !before.contains('/')).then(|| bare_host(arg, before))
}

fn bare_host<'a>(arg: Arg<'a>, text: &'a str) -> Arg<'a> {
    let host = text.rsplit('@').next().unwrap_or(text);
    Arg { text: host, kind: arg.kind, span: arg.span }
}

/// Whether a local path has a colon first, which some versions read as a host.
fn is_odd(text: &str) -> bool {
    text.starts_with(':')
}

/// Whether a remote shell is ssh with options that only say how to reach the host.
fn is_plain_shell(text: &str) -> bool {
    let mut words = text.split_whitespace();
    if words.next() != Some("ssh") {
        return false;
    }
    while let Some(word) = words.next() {
        let ok = match word {
            "-4" | "-6" | "-q" | "-C" | "-T" | "-x" => true,
            "-p" | "-l" | "-i" => words.next().is_some_and(|value| !value.starts_with('-')),
            _ => word.strip_prefix("-p").is_some_and(|port| port.chars().all(|digit| digit.is_ascii_digit())),
        };
        if !ok {
            return false;
        }
    }
    true
}
