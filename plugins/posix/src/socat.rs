//! socat: joins two channels, each of which its address names: connections, programs, files.
//!
//! It must never take an address for less than code: the options in it change users, folders and files.

use holdpoint_guest::{Finding, Reason};

use crate::Call;
use crate::generic;
use crate::report::{Report, Spread};
use crate::table::ACT_CHANNEL;
use crate::walk::Walked;
use crate::words::Arg;

/// Starts of the types that reach other machines.
const NETWORKS: &[&str] = &[
    "DCCP",
    "DTLS",
    "INET",
    "INTERFACE",
    "IP",
    "OPENSSL",
    "PROXY",
    "SCTP",
    "SOCKET-",
    "SOCKS",
    "SSL",
    "TCP",
    "TUN",
    "UDP",
    "VSOCK",
];
/// Starts of the types that name a machine on the way and the one behind it.
const BY_WAY_OF: &[&str] = &["PROXY", "SOCKS"];
/// Starts of the types whose words are no names of hosts.
const NAMELESS: &[&str] = &["INTERFACE", "SOCKET-", "TUN", "VSOCK"];
/// Parts of the types that wait for whoever comes.
const WAITING: &[&str] = &["LISTEN", "RECV", "SERVER"];

/// Reads the command.
pub(crate) fn classify(call: &Call<'_>) -> Finding {
    let mut report = call.report();
    let walked: Walked<'_> = generic::everything(&mut report, call);
    for arg in walked.operands() {
        match arg.known() {
            // One address for each direction.
            Some(text) => text.split("!!").for_each(|address| one(&mut report, arg, address)),
            None => report.act(&ACT_CHANNEL, arg, Spread::Single),
        }
    }
    report.finish()
}

fn one(report: &mut Report, arg: Arg<'_>, address: &str) {
    let (kind, rest) = address.split_once(':').unwrap_or((address, ""));
    let kind = kind.trim_start().to_ascii_uppercase();
    let rest = rest.split(',').next().unwrap_or(rest);
    match kind.as_str() {
        "EXEC" => report.program(arg.renamed(rest), &[]),
        // socat takes signs away before the shell reads the rest.
        "SYSTEM" | "SHELL" if rest.contains(['\\', '"', '\'', '(', '[', '{']) => {
            report.doubt(Reason::MalformedArgument, arg.span);
        }
        "SYSTEM" | "SHELL" => report.source(rest, arg.span),
        _ if starts_with_any(&kind, NETWORKS) => connection(report, arg, &kind, rest),
        _ => {}
    }
}

fn connection(report: &mut Report, arg: Arg<'_>, kind: &str, rest: &str) {
    let waits = WAITING.iter().any(|part| kind.contains(part)) || kind.ends_with("-L");
    let by_way = starts_with_any(kind, BY_WAY_OF);
    // The numbers of IPv6 addresses have colons of their own.
    if (waits && !by_way) || rest.contains('[') || starts_with_any(kind, NAMELESS) {
        return report.unnamed(&ACT_CHANNEL, arg.span);
    }
    let is_port = |part: &&str| part.is_empty() || part.chars().all(|letter| letter.is_ascii_digit());
    let mut named = false;
    for host in rest.split(':').take(if by_way { usize::MAX } else { 1 }).filter(|part| !is_port(part)) {
        named = true;
        report.act(&ACT_CHANNEL, arg.renamed(host), Spread::Single);
    }
    if !named {
        report.unnamed(&ACT_CHANNEL, arg.span);
    }
}

fn starts_with_any(kind: &str, starts: &[&str]) -> bool {
    starts.iter().any(|start| kind.starts_with(start))
}
