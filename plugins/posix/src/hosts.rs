//! Hosts that stand within words: users of other machines, screens, files that an editor fetches, connections of awk,
//! names that are looked up for a list of sockets.
//!
//! It must never name one host where a word names several.

use holdpoint_guest::{Finding, Reason};

use crate::Call;
use crate::generic;
use crate::report::{Report, Spread};
use crate::table::{ACT_CHANNEL, ACT_QUERY, ACT_USER_READ};
use crate::walk::Item;
use crate::words::Arg;

/// Reports a look at a user, who may be one of another machine. Each further `@` names a machine that passes the
/// question on.
pub(crate) fn account(report: &mut Report, arg: Arg<'_>) {
    let Some(text) = arg.known() else {
        return report.act(&ACT_QUERY, arg, Spread::Single);
    };
    let Some((_, hosts)) = text.split_once('@') else {
        return report.act(&ACT_USER_READ, arg, Spread::Single);
    };
    for host in hosts.split('@') {
        report.act(&ACT_QUERY, Arg { text: host, ..arg }, Spread::Single);
    }
}

/// Reports the machine of a screen such as `host:0`; without a host it is this one.
pub(crate) fn display(report: &mut Report, arg: Arg<'_>) {
    let Some(text) = arg.known() else {
        return report.act(&ACT_CHANNEL, arg, Spread::Single);
    };
    let before = text.rsplit_once(':').map_or(text, |(before, _)| before).trim_end_matches(':');
    let host = before.rsplit_once('/').filter(|_| !before.starts_with('/')).map_or(before, |(_, host)| host);
    if !host.is_empty() && host != "unix" && !host.starts_with('/') {
        report.act(&ACT_CHANNEL, Arg { text: host, ..arg }, Spread::Single);
    }
}

/// Reports a channel to the host that `text` starts with, or to any where that is not plain.
fn channel(report: &mut Report, arg: Arg<'_>, text: &str) {
    let end = text.find(|letter: char| !letter.is_ascii_alphanumeric() && !"-._@".contains(letter));
    let authority = end.map_or(text, |end| text.split_at(end).0);
    match authority.rsplit('@').next().filter(|host| !matches!(*host, "" | "0")) {
        Some(host) => report.act(&ACT_CHANNEL, arg.renamed(host), Spread::Single),
        None => report.unnamed(&ACT_CHANNEL, arg.span),
    }
}

/// Reports the hosts of addresses such as `scp://host/file` anywhere in a word.
pub(crate) fn addresses(report: &mut Report, arg: Arg<'_>) {
    for (at, sign) in arg.text.match_indices("://") {
        let before = arg.text.split_at(at).0;
        let rest = arg.text.split_at(at.saturating_add(sign.len())).1;
        // The name of a user may hold a password.
        let rest = match rest.split(['/', ' ']).next().and_then(|authority| authority.rsplit_once('@')) {
            Some((user, _)) => rest.get(user.len().saturating_add(1)..).unwrap_or(""),
            None => rest,
        };
        if !before.to_ascii_lowercase().ends_with("file") {
            channel(report, arg, rest);
        }
    }
}

/// Reports the hosts of a file such as `/ssh:user@host:/file` or `/ssh:gate|ssh:host:/file`, as Tramp reads them.
pub(crate) fn emacs_file(report: &mut Report, arg: Arg<'_>) {
    let Some(way) = arg.text.strip_prefix('/').and_then(|rest| rest.split('/').next()) else {
        return;
    };
    let colons = way.matches(':').count();
    if colons < 2 && !(colons == 1 && way.contains('@')) {
        return;
    }
    for hop in way.split('|') {
        let mut parts = hop.split(':');
        let first = parts.next().unwrap_or("");
        // Without a host it is this machine, as another user.
        match parts.next().filter(|_| !first.contains('@')).unwrap_or(first) {
            "" => {}
            host => channel(report, arg, host),
        }
    }
}

/// Reports the connections that a word of awk names: files below `/inet`.
pub(crate) fn awk_connections(report: &mut Report, arg: Arg<'_>) {
    for (at, start) in arg.text.match_indices("/inet") {
        let before = arg.text.split_at(at).0.chars().next_back();
        let rest = arg.text.split_at(at.saturating_add(start.len())).1;
        let mut parts = rest.split('/');
        let is_version = parts.next().is_some_and(|version| matches!(version, "" | "4" | "6"));
        let is_way = parts.next().is_some_and(|way| matches!(way, "tcp" | "udp" | "raw"));
        let is_connection = is_version && is_way && before.is_none_or(|letter| !letter.is_ascii_alphanumeric());
        // A text may be put together from parts; a regular expression has no quote in front.
        if !is_connection && before != Some('"') {
            continue;
        }
        match parts.nth(1).filter(|_| is_connection) {
            Some(host) => channel(report, arg, host),
            None => report.unnamed(&ACT_CHANNEL, arg.span),
        }
    }
}

/// ss and lsof: names of hosts in a filter are looked up.
pub(crate) fn sockets(call: &Call<'_>) -> Finding {
    let mut report = call.report();
    let walked = generic::everything(&mut report, call);
    for item in &walked.items {
        let (is_address, arg) = match *item {
            Item::Option { option, value: Some(value), .. } => (option.name == "-i", value),
            Item::Operand(arg) => (true, arg),
            Item::Option { .. } | Item::Plus(_) => continue,
        };
        match (arg.known(), call.program.name) {
            (Some(text), "lsof") if is_address => {
                if let Some((_, host)) = text.split_once('@') {
                    looked_up(&mut report, arg, host);
                }
            }
            (Some(text), _) if is_address => {
                text.split([' ', '(', ')', '=', '!', '<', '>']).for_each(|word| looked_up(&mut report, arg, word));
            }
            _ => {}
        }
    }
    report.finish()
}

/// Reports the look-up of a name. Addresses are none, and words of a filter have no dot.
fn looked_up(report: &mut Report, arg: Arg<'_>, word: &str) {
    let name = word.split([':', '/', ',']).next().unwrap_or(word);
    let is_name = name.contains('.') && name.chars().any(|letter| letter.is_alphabetic());
    if !is_name {
        return;
    }
    if name.chars().all(|letter| letter.is_alphanumeric() || "-._".contains(letter)) {
        report.act(&ACT_QUERY, arg.renamed(name), Spread::Single);
    } else {
        report.doubt(Reason::MalformedArgument, arg.span);
    }
}
