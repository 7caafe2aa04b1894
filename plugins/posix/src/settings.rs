//! Programs that show or change settings of the network, the kernel or services by words: ip, ifconfig, sysctl, iptables.
//!
//! It must never take a command for a look unless its words say so: whatever is not known to look changes something.

use holdpoint_guest::{Finding, Reason, Word, WordKind, WorkingDir};

use crate::Call;
use crate::generic;
use crate::report::{Report, Spread};
use crate::table::{
    ACT_FIREWALL, ACT_NETWORK_SETTING, ACT_SERVICE_READ, ACT_SERVICE_UPDATE, ACT_SETTING, ACT_SETTING_READ, Act, Role,
    Tag,
};
use crate::walk::{Item, walk};
use crate::words::Arg;

/// Words that make a command of these programs a look.
const LOOKS: &[&str] = &[
    "--list", "--list-all", "--list-all-zones", "--list-ports", "--list-rules", "--list-services", "--state", "-L", "-S", "-nL",
    "-nvL", "-vnL", "-h", "--help", "app", "dns", "domain", "general", "get", "help", "info", "list", "lst", "ls", "monitor", "query",
    "show", "sh", "showdump", "statistics", "stats", "status", "version", "--version", "-V",
];
/// Options that go with a look.
const LOOK_OPTIONS: &[&str] = &[
    "--line-numbers", "--numeric", "--verbose", "--wait", "-4", "-6", "-a", "-c", "-d", "-e", "-ee", "-f", "-h", "-n", "-nv", "-nvx", "-o", "-p", "-s",
    "-t", "-v", "-vn", "-vv", "-w", "-x", "--permanent", "-g", "-j", "--json", "--no-pager", "--all",
];
/// Words that can stand beside a look and still change something.
const CHANGES: &[&str] = &[
    "add", "append", "change", "connect", "del", "delete", "disable", "disconnect", "down", "enable", "exec", "flush", "link-local", "modify",
    "off", "on", "reload", "replace", "reset", "restore", "save", "set", "up",
];

/// Reads the command.
pub(crate) fn classify(call: &Call<'_>) -> Finding {
    match call.program.name {
        "ip" => ip(call),
        "sysctl" => sysctl(call),
        "service" => service(call),
        "ifconfig" | "iwconfig" => interface(call),
        "route" | "arp" | "ethtool" | "brctl" => old_tool(call),
        _ => words_only(call),
    }
}

/// `ip [options] object [verb ..]`: no verb is a look.
fn ip(call: &Call<'_>) -> Finding {
    let mut report = call.report();
    let mut walked = walk(call.program, &call.args);
    report.doubts(std::mem::take(&mut walked.doubts));
    for item in &walked.items {
        if let Item::Option { option, value: Some(value), .. } = item
            && matches!(option.role, Role::Tag(Tag::ScriptFile))
        {
            report.code_file(*value);
        }
    }
    let operands = walked.operands();
    if let [object, verb, rest @ ..] = operands.as_slice()
        && matches!(object.known(), Some("netns" | "vrf"))
        && verb.known().is_some_and(|verb| "exec".starts_with(verb) && !verb.is_empty())
    {
        run_in(&mut report, *verb, rest);
        return report.finish();
    }
    let looks = match operands.as_slice() {
        [] => true,
        [object] => object.known().is_some(),
        [_, verb, ..] => verb.known().is_some_and(|verb| LOOKS.contains(&verb)),
    };
    settle(&mut report, call, if looks { &ACT_SETTING_READ } else { &ACT_NETWORK_SETTING }, "network");
    report.finish()
}

/// `ip netns exec NAME program ..` runs the program.
fn run_in(report: &mut Report, verb: Arg<'_>, rest: &[Arg<'_>]) {
    match rest.split_first() {
        Some((name, command)) if name.kind == WordKind::Exact && !command.is_empty() => {
            let word = |arg: &Arg<'_>| Word { kind: arg.kind, text: arg.text.to_owned(), origin: arg.span };
            report.invoke(command.iter().map(word).collect(), WorkingDir::Same, verb.span);
        }
        Some(_) | None => report.doubt(Reason::DynamicWord, verb.span),
    }
}

/// `sysctl name` reads, `sysctl name=value` and files of settings write.
fn sysctl(call: &Call<'_>) -> Finding {
    let mut report = call.report();
    let walked = generic::start(&mut report, call, &call.args);
    let writes = walked.has_any(&["-w", "--write", "-p", "--load", "--system"]);
    let operands = walked.operands();
    for arg in &operands {
        let (name, assigns) = arg.text.split_once('=').map_or((arg.text, false), |(name, _)| (name, true));
        let act = if assigns || writes || arg.is_uncertain() { &ACT_SETTING } else { &ACT_SETTING_READ };
        report.act(act, Arg { text: name, ..*arg }, Spread::Single);
    }
    if operands.is_empty() {
        settle(&mut report, call, if writes { &ACT_SETTING } else { &ACT_SETTING_READ }, "kernel");
    }
    report.finish()
}

fn service(call: &Call<'_>) -> Finding {
    let mut report = call.report();
    let walked = generic::start(&mut report, call, &call.args);
    match walked.operands().as_slice() {
        [] => generic::operands(&mut report, call, &walked),
        [name, verb, ..] if verb.known() == Some("status") => report.act(&ACT_SERVICE_READ, *name, Spread::Single),
        [name, ..] => report.act(&ACT_SERVICE_UPDATE, *name, Spread::Single),
    }
    report.finish()
}

/// `ifconfig`, `ifconfig -a`, `ifconfig eth0` look; anything more sets.
fn interface(call: &Call<'_>) -> Finding {
    let mut report = call.report();
    let walked = generic::start(&mut report, call, &call.args);
    let operands = walked.operands();
    let looks = operands.len() <= 1 && operands.iter().all(|arg| arg.known().is_some());
    settle(&mut report, call, if looks { &ACT_SETTING_READ } else { &ACT_NETWORK_SETTING }, "network");
    report.finish()
}

/// Tools whose look has options only, or the word `show`.
fn old_tool(call: &Call<'_>) -> Finding {
    let mut report = call.report();
    let looks = match (call.program.name, call.args.as_slice()) {
        (_, []) => true,
        ("brctl", [first, ..]) => first.known().is_some_and(|word| LOOKS.contains(&word)),
        ("ethtool", args) => ethtool_looks(args),
        ("arp", args) => args.iter().all(|arg| {
            arg.known().is_some_and(|word| matches!(word, "-a" | "-n" | "-v" | "-e" | "-an" | "-na" | "-i") || !word.starts_with('-'))
        }),
        (_, args) => args.iter().all(|arg| {
            arg.known().is_some_and(|word| word.starts_with('-') && !word.starts_with("-f"))
        }),
    };
    settle(&mut report, call, if looks { &ACT_SETTING_READ } else { &ACT_NETWORK_SETTING }, "network");
    report.finish()
}

/// Lower-case options of ethtool look, mostly; those that set are upper-case or start tests.
fn ethtool_looks(args: &[Arg<'_>]) -> bool {
    const SHOWS: &[&str] = &["-S", "-T", "-a", "-c", "-g", "-i", "-k", "-l", "-m", "-n", "-x", "--driver", "--statistics", "-h", "--help", "--version"];
    match args {
        [only] => only.known().is_some_and(|word| !word.starts_with('-') || SHOWS.contains(&word)),
        [option, device] => {
            option.known().is_some_and(|word| SHOWS.contains(&word))
                && device.known().is_some_and(|word| !word.starts_with('-'))
        }
        _ => false,
    }
}

/// Tools without a table: a look when the first word that decides is one, and all options go with a look.
fn words_only(call: &Call<'_>) -> Finding {
    let mut report = call.report();
    let mut decided = call.args.is_empty() && !call.program.name.ends_with("restore");
    let mut changes = false;
    for arg in &call.args {
        let Some(word) = arg.known() else {
            changes = true;
            continue;
        };
        if LOOKS.contains(&word) || word.starts_with("--list-") || word.starts_with("--get-") || word.starts_with("--query-") {
            decided = true;
        } else if CHANGES.contains(&word) || (word.starts_with('-') && !LOOK_OPTIONS.contains(&word)) {
            changes = true;
        }
    }
    let firewall = call.program.name.contains("tables")
        || matches!(call.program.name, "ufw" | "firewall-cmd" | "nft" | "ipset" | "iptables-restore");
    let act = match (decided && !changes, firewall) {
        (true, _) => &ACT_SETTING_READ,
        (false, true) => &ACT_FIREWALL,
        (false, false) => &ACT_NETWORK_SETTING,
    };
    settle(&mut report, call, act, if firewall { "firewall" } else { "network" });
    report.finish()
}

fn settle(report: &mut Report, call: &Call<'_>, act: &Act, name: &'static str) {
    report.act(act, Arg { text: name, kind: WordKind::Exact, span: call.own_span }, Spread::Single);
}
