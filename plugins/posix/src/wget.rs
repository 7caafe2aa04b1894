//! wget: fetches into files by default, and can send.

use holdpoint_guest::{Finding, Reason, WordKind};

use crate::Call;
use crate::curl::{header_host, host_of, saved_name};
use crate::generic;
use crate::report::{Report, Spread, is_this_machine};
use crate::table::{ACT_CREATE, ACT_CREATE_TREE, ACT_FETCH, ACT_READ, ACT_SEND, ACT_UPLOAD_FILE, ACT_WRITE, Role, Tag};
use crate::walk::{Item, Walked};
use crate::words::Arg;

/// Options with which the names of what is saved depend on more than the address: on the server, or on folders that are
/// made.
const NAMED_ELSEWHERE: &[&str] = &[
    "--adjust-extension",
    "--content-disposition",
    "--default-page",
    "--force-directories",
    "--protocol-directories",
    "--trust-server-names",
    "-E",
    "-x",
];

/// What the options say.
#[derive(Default)]
struct Said<'a> {
    output: Option<Arg<'a>>,
    folder: Option<Arg<'a>>,
    sends: bool,
    /// Hosts that headers name beside the address.
    header_hosts: Vec<Arg<'a>>,
}

/// Reads the command.
pub(crate) fn classify(call: &Call<'_>) -> Finding {
    let mut report = call.report();
    let walked = generic::start(&mut report, call, &call.args);
    let said = read_options(&mut report, &walked);
    let urls = walked.operands();
    urls.iter().for_each(|url| address(&mut report, *url, &said));
    let writes = !walked.has_any(&["--spider"]) && !urls.is_empty();
    match said.output {
        Some(output) => report.act(&ACT_WRITE, output, Spread::Single),
        None if writes && (walked.is_recursive() || walked.has_any(NAMED_ELSEWHERE)) => {
            report.act(&ACT_CREATE_TREE, folder(call, &said), Spread::Tree)
        }
        None if writes => urls.iter().for_each(|url| saved(&mut report, call, &said, *url)),
        None => {}
    }
    report.finish()
}

fn address(report: &mut Report, url: Arg<'_>, said: &Said<'_>) {
    // An address that the command does not show may carry anything out.
    let act = if said.sends || url.kind == WordKind::Dynamic { &ACT_SEND } else { &ACT_FETCH };
    for named in std::iter::once(url).chain(said.header_hosts.iter().copied()) {
        match host_of(named) {
            Some(host) => {
                report.act(act, host, Spread::Single);
                // It goes where the answer sends it, which may be any other machine.
                if is_this_machine(host) {
                    report.unnamed(&ACT_FETCH, url.span);
                }
            }
            None => report.doubt(Reason::MalformedArgument, named.span),
        }
    }
}

fn read_options<'a>(report: &mut Report, walked: &Walked<'a>) -> Said<'a> {
    let mut said = Said::default();
    for item in &walked.items {
        let Item::Option { option, value, at } = *item else {
            continue;
        };
        if option.name == "--header" {
            said.header_hosts.extend(value.and_then(header_host));
        }
        let Role::Tag(tag) = option.role else { continue };
        match (tag, value) {
            (Tag::Output, Some(value)) => said.output = Some(value),
            (Tag::Directory, Some(value)) => said.folder = Some(value),
            (Tag::Upload, Some(value)) => {
                said.sends = true;
                report.act(&ACT_UPLOAD_FILE, value, Spread::Single);
            }
            (Tag::Data, _) => said.sends = true,
            (Tag::Method, Some(value)) => {
                said.sends |= !value.known().is_some_and(|method| matches!(method, "GET" | "HEAD" | "OPTIONS"));
            }
            // The addresses in the file are not shown.
            (Tag::FilesFrom, Some(value)) => {
                report.act(&ACT_READ, value, Spread::Single);
                report.doubt(Reason::DynamicWord, value.span);
            }
            _ => report.doubt(Reason::UnsupportedSyntax, at.span),
        }
    }
    said
}

fn folder<'a>(call: &Call<'_>, said: &Said<'a>) -> Arg<'a> {
    said.folder.unwrap_or(Arg { text: ".", kind: WordKind::Exact, span: call.own_span })
}

/// The file that an address is saved as: its last part, or something in the folder.
fn saved(report: &mut Report, call: &Call<'_>, said: &Said<'_>, url: Arg<'_>) {
    let folder = folder(call, said);
    // A query becomes part of the name, and an empty name becomes `index.html`.
    let name = saved_name(url).filter(|_| folder.kind == WordKind::Exact && !url.text.contains('?'));
    let Some(name) = name else {
        return report.act(&ACT_CREATE_TREE, folder, Spread::Tree);
    };
    let text = match said.folder {
        Some(folder) => format!("{}/{name}", folder.text.trim_end_matches('/')),
        None => name.to_owned(),
    };
    report.act(&ACT_CREATE, Arg { text: &text, kind: WordKind::Exact, span: url.span }, Spread::Single);
}
