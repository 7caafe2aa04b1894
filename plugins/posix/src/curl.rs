//! curl: fetches by default; a method, data or a file to upload makes it send.
//!
//! It must never take data for harmless because the address looks known: what is sent does not come back.

mod file_url;

use holdpoint_guest::{Finding, Reason, WordKind};

use crate::Call;
use crate::generic;
use crate::report::{Report, Spread, is_this_machine};
use crate::table::{
    ACT_CHANNEL, ACT_CREATE, ACT_CREATE_TREE, ACT_FETCH, ACT_READ, ACT_SEND, ACT_UPLOAD_FILE, ACT_WRITE, Role, Tag,
};
use crate::walk::{Item, Walked};
use crate::words::Arg;

use file_url::Globbing;

/// Methods that only ask.
const ASKING: &[&str] = &["GET", "HEAD", "OPTIONS"];
/// Address schemes that fetch.
const FETCHING: &[&str] = &["ftp", "ftps", "http", "https", "scp", "sftp"];
/// Starts of host names from which curl guesses a scheme that does not fetch, where the address names none.
const GUESSED: &[&str] = &["dict.", "imap.", "ldap.", "pop3.", "smtp."];

/// What the options say.
#[derive(Default)]
struct Said<'a> {
    urls: Vec<Arg<'a>>,
    outputs: Vec<Arg<'a>>,
    folder: Option<Arg<'a>>,
    sends: bool,
    /// Whether every address is saved under its own name.
    remote_name: bool,
    named_by_server: bool,
    /// Whether it goes where an answer sends it.
    follows: bool,
    globbing: Globbing,
    /// Hosts that headers name beside the address: whoever answers there passes the request on to them.
    header_hosts: Vec<Arg<'a>>,
    /// Whether a file says which machine answers for a host.
    rerouted: bool,
}

/// Options with a file that names other machines for hosts. The one of `--hsts` only names hosts to be asked by HTTPS.
const REROUTING: &[&str] = &["--alt-svc"];

/// Options with a header, or a file of headers.
const HEADERS: &[&str] = &["--header", "--proxy-header", "-H"];

/// Reads the command.
pub(crate) fn classify(call: &Call<'_>) -> Finding {
    let mut report = call.report();
    let walked = generic::start(&mut report, call, &call.args);
    let said = read_options(&mut report, &walked);
    for url in &said.urls {
        address(&mut report, *url, &said);
    }
    outputs(&mut report, call, &said);
    report.finish()
}

fn read_options<'a>(report: &mut Report, walked: &Walked<'a>) -> Said<'a> {
    let mut said = Said { urls: walked.operands(), ..Said::default() };
    said.named_by_server = walked.has_any(&["-J", "--remote-header-name"]);
    if walked.has_any(&["-g", "--globoff"]) {
        said.globbing = Globbing::Off;
    }
    said.rerouted = walked.has_any(REROUTING);
    said.follows = walked.has_any(&["-L", "--location", "--location-trusted"]);
    let asks_with_data = walked.has_any(&["-G", "--get"]);
    for item in &walked.items {
        let Item::Option { option, value, at } = *item else {
            continue;
        };
        let Role::Tag(tag) = option.role else { continue };
        match (tag, value) {
            (Tag::Output, _) if matches!(option.name, "-O" | "--remote-name" | "--remote-name-all") => {
                said.remote_name = true
            }
            (Tag::Output, Some(value)) if option.name == "--output-dir" => said.folder = Some(value),
            (Tag::Output, Some(value)) => said.outputs.push(value),
            (Tag::Upload, Some(value)) if matches!(option.name, "-T" | "--upload-file") => {
                said.sends = true;
                report.act(&ACT_UPLOAD_FILE, value, Spread::Single);
            }
            (Tag::Upload, Some(value)) => {
                said.sends = true;
                if option.name != "--form-string" {
                    form(report, value);
                }
            }
            (Tag::Data, Some(value)) => {
                let from_file = data(report, option.name, value);
                said.sends |= from_file || (!asks_with_data && option.name != "--url-query");
            }
            (Tag::Method, Some(value)) => {
                said.sends |= !value.known().is_some_and(|name| ASKING.contains(&name.to_ascii_uppercase().as_str()));
            }
            (Tag::Header, Some(value)) => {
                // Some servers take the method from such a header.
                said.sends |= value.text.to_ascii_lowercase().contains("method-override");
                said.sends |= header(report, option.name, value);
                said.rerouted |= HEADERS.contains(&option.name) && value.text.starts_with('@');
                said.header_hosts.extend(header_host(value));
            }
            (Tag::Header, None) => {}
            // Newer versions read addresses from such a file.
            (Tag::Url, Some(value)) if value.text.starts_with('@') => report.doubt(Reason::DynamicWord, value.span),
            (Tag::Url, Some(value)) => said.urls.push(value),
            _ => report.doubt(Reason::UnsupportedSyntax, at.span),
        }
    }
    said
}

/// `name=@file` and `name=<file` send a file.
fn form(report: &mut Report, value: Arg<'_>) {
    match (value.known(), value.text.find('=')) {
        (Some(text), Some(at)) => {
            let content = text.split_at(at.saturating_add(1)).1;
            if content.starts_with(['@', '<', '(']) {
                let end = content.find(';').unwrap_or(content.len());
                let names = content.split_at(end).0;
                for name in names.trim_start_matches(['@', '<', '(']).split(',') {
                    report.act(&ACT_UPLOAD_FILE, value.renamed(name.trim_matches('"')), Spread::Single);
                }
            }
        }
        (Some(_), None) => {}
        (None, _) => report.doubt(Reason::DynamicWord, value.span),
    }
}

/// `@file` sends a file, except with `--data-raw`. Returns whether one is sent.
fn data(report: &mut Report, option: &str, value: Arg<'_>) -> bool {
    if option == "--data-raw" {
        return false;
    }
    let Some(text) = value.known() else {
        report.doubt(Reason::DynamicWord, value.span);
        return true;
    };
    let name = match option {
        // `name@file` is a file as well, `name=content` is not.
        "--data-urlencode" | "--url-query" => {
            text.split_once('@').filter(|(before, _)| !before.contains('=')).map(|(_, name)| name)
        }
        _ => text.strip_prefix('@'),
    };
    match name {
        None => false,
        Some("-") => true,
        Some(name) => {
            report.act(&ACT_UPLOAD_FILE, value.renamed(name), Spread::Single);
            true
        }
    }
}

/// Headers, cookies and output formats may come from a file. Returns whether the content of one is sent.
fn header(report: &mut Report, option: &str, value: Arg<'_>) -> bool {
    let Some(text) = value.known() else {
        report.doubt(Reason::DynamicWord, value.span);
        return true;
    };
    let formats = matches!(option, "-w" | "--write-out");
    if let Some(name) = text.strip_prefix('@') {
        let act = if formats { &ACT_READ } else { &ACT_UPLOAD_FILE };
        if name != "-" {
            report.act(act, value.renamed(name), Spread::Single);
        }
        return !formats;
    }
    if matches!(option, "-b" | "--cookie") && !text.contains('=') || option == "--etag-compare" {
        if !text.is_empty() {
            report.act(&ACT_READ, value, Spread::Single);
        }
    } else if formats && text.contains("%output{") {
        report.doubt(Reason::UnsupportedSyntax, value.span);
    }
    false
}

/// The host that a header names; one without a host is only left out of the request.
pub(crate) fn header_host(header: Arg<'_>) -> Option<Arg<'_>> {
    let (name, value) = header.text.split_once(':')?;
    let start = header.text.len().saturating_sub(value.trim_start().len());
    let is_host = header.known().is_some() && name.trim().eq_ignore_ascii_case("host") && !value.trim().is_empty();
    is_host.then(|| Arg { text: value.trim(), ..header.tail(start) })
}

fn address(report: &mut Report, url: Arg<'_>, said: &Said<'_>) {
    if let Some(file) = file_url::path(url, said.globbing) {
        let arg = Arg { text: &file.path, kind: file.kind, span: url.span };
        if said.sends {
            report.act(&ACT_CREATE, arg, Spread::Single);
        }
        return report.act(&ACT_READ, arg, Spread::Single);
    }
    let scheme = url.text.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
    let Some(host) = host_of(url) else {
        return report.doubt(Reason::MalformedArgument, url.span);
    };
    let guessed = host.text.to_ascii_lowercase();
    let fetches = match &scheme {
        Some(scheme) => FETCHING.contains(&scheme.as_str()),
        None => !GUESSED.iter().any(|start| guessed.starts_with(start)),
    };
    // An address that the command does not show may carry anything out.
    let sends = said.sends || url.kind == WordKind::Dynamic;
    let act = match (sends, fetches) {
        (true, _) => &ACT_SEND,
        (false, true) => &ACT_FETCH,
        (false, false) => &ACT_CHANNEL,
    };
    report.act(act, if said.rerouted { host.hidden() } else { host }, Spread::Single);
    for named in &said.header_hosts {
        match host_of(*named) {
            Some(named) => report.act(act, named, Spread::Single),
            None => report.doubt(Reason::MalformedArgument, named.span),
        }
    }
    // The answer may send it on to any other.
    if said.follows && is_this_machine(host) {
        report.unnamed(&ACT_FETCH, url.span);
    }
}

fn outputs(report: &mut Report, call: &Call<'_>, said: &Said<'_>) {
    for output in &said.outputs {
        let joined = said.folder.filter(|_| !output.text.starts_with('/'));
        match joined {
            Some(folder) => report.act(&ACT_CREATE_TREE, folder, Spread::Tree),
            // `#1` stands for what a pattern in the address matched.
            None if output.text.contains('#') => {
                report.act(&ACT_CREATE, Arg { kind: WordKind::Dynamic, ..*output }, Spread::Single);
            }
            None => report.act(&ACT_WRITE, *output, Spread::Single),
        }
    }
    if said.remote_name {
        let here = Arg { text: ".", kind: WordKind::Exact, span: call.own_span };
        for url in &said.urls {
            match (said.named_by_server, said.folder, saved_name(*url)) {
                (false, None, Some(name)) => report.act(&ACT_CREATE, url.renamed(name), Spread::Single),
                _ => report.act(&ACT_CREATE_TREE, said.folder.unwrap_or(here), Spread::Tree),
            }
        }
    }
}

/// The last part of an address's path, under which it is saved. `None` where the name is not sure.
pub(crate) fn saved_name(url: Arg<'_>) -> Option<&str> {
    let plain = url.known()?.split(['#', '?']).next()?;
    let path = plain.split_once("://").map_or(plain, |(_, rest)| rest);
    let name = path.split_once('/')?.1.rsplit('/').next()?;
    let plain = !name.is_empty() && name != ".." && name != "." && !name.contains(['%', '{', '}', '[', ']']);
    plain.then_some(name)
}

/// The host of an address as every reader would see it; `None` where readers could differ.
pub(crate) fn host_of(url: Arg<'_>) -> Option<Arg<'_>> {
    if url.kind == WordKind::Dynamic {
        return Some(url);
    }
    let rest = url.text.split_once("://").map_or(url.text, |(_, rest)| rest);
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let authority = rest.split_at(end).0;
    let host = match authority.rsplit_once('@') {
        // A second `@`, or anything odd before it, is read differently by different programs.
        Some((user, host)) if user.chars().all(|letter| letter.is_ascii_alphanumeric() || ":._-%".contains(letter)) => {
            host
        }
        Some(_) => return None,
        None => authority,
    };
    let host = match host.strip_prefix('[') {
        Some(address) => address.split_once(']')?.0,
        None => host.split_once(':').map_or(
            host,
            |(host, port)| {
                if port.chars().all(|c| c.is_ascii_digit()) { host } else { "" }
            },
        ),
    };
    let plain =
        !host.is_empty() && host.chars().all(|letter| letter.is_ascii_alphanumeric() || "-._:".contains(letter));
    plain.then_some(Arg { text: host, kind: WordKind::Exact, span: url.span })
}
