//! Programs that show or change settings of the network, the kernel or services by words: ip, ifconfig, sysctl, iptables.
//!
//! It must never take a command for a look unless its words say so: whatever is not known to look changes something.

use holdpoint_guest::{Finding, Reason, Word, WordKind, WorkingDir};

use crate::Call;
use crate::generic;
use crate::report::{Report, Spread};
use crate::table::{
    ACT_FIREWALL, ACT_NETWORK_SETTING, ACT_QUERY, ACT_SERVICE_READ, ACT_SERVICE_UPDATE, ACT_SETTING, ACT_SETTING_READ,
    Act, Role, Tag,
};
use crate::walk::{Item, walk};
use crate::words::Arg;

/// Verbs that look.
const LOOKS: &[&str] = &[
    "get",
    "help",
    "identify",
    "info",
    "list",
    "list-id",
    "lst",
    "ls",
    "monitor",
    "pids",
    "query",
    "sh",
    "show",
    "showdump",
    "statistics",
    "stats",
    "status",
    "version",
];
/// Options that look.
const LOOK_OPTIONS: &[&str] = &[
    "--check",
    "--help",
    "--list",
    "--list-all",
    "--list-all-zones",
    "--list-rules",
    "--state",
    "--version",
    "-C",
    "-L",
    "-S",
    "-V",
    "-h",
    "-nL",
    "-nvL",
    "-vnL",
];
/// Options that go with a look.
const BESIDE_LOOKS: &[&str] = &[
    "--all",
    "--json",
    "--line-numbers",
    "--no-pager",
    "--numeric",
    "--permanent",
    "--verbose",
    "--wait",
    "-4",
    "-6",
    "-a",
    "-c",
    "-d",
    "-e",
    "-g",
    "-j",
    "-n",
    "-nv",
    "-nvx",
    "-o",
    "-p",
    "-s",
    "-t",
    "-v",
    "-vn",
    "-vv",
    "-w",
    "-x",
];
/// Programs that choose columns with `-f`.
const FIELDS_WITH_F: &[&str] = &["nmcli"];
/// Options that name a file of commands, a program or a file to write to.
const FILE_OPTIONS: &[(&str, &str)] = &[
    ("dhclient", "-cf"),
    ("dhclient", "-lf"),
    ("dhclient", "-pf"),
    ("dhclient", "-sf"),
    ("ifdown", "-i"),
    ("ifdown", "--interfaces"),
    ("ifup", "-i"),
    ("ifup", "--interfaces"),
    ("ip6tables", "--modprobe"),
    ("ip6tables", "-M"),
    ("ipset", "--file"),
    ("ipset", "-f"),
    ("iptables", "--modprobe"),
    ("iptables", "-M"),
    ("nft", "--file"),
    ("nft", "-f"),
    ("nft", "-I"),
    ("rfcomm", "-f"),
    ("tc", "-b"),
    ("wpa_cli", "-a"),
];
/// Verbs of resolvectl that ask other machines about the words after them.
const ASKING: &[&str] = &["openpgp", "query", "service", "tlsa"];
/// Programs that show a summary when they are given nothing.
const SUMMARIES: &[&str] = &["networkctl", "nmcli", "rfcomm", "resolvectl", "ufw"];
/// Programs whose verb comes after an object, as in `nmcli device show`.
const OBJECT_FIRST: &[&str] = &["iw", "nmcli", "tc"];
/// Programs that only have options, as `iptables -L`.
const OPTIONS_ONLY: &[&str] = &["arptables", "ebtables", "firewall-cmd", "ip6tables", "iptables"];

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
        && object.known().is_some_and(|object| starts_one(object, &["netns", "vrf"]))
        && verb.known().is_some_and(|verb| starts_one(verb, &["exec"]))
    {
        // With `-all` the program runs in every name space, and no name stands before it.
        let in_all = walked.has_any(&["-a", "--all", "-all"]);
        let command =
            if in_all { Some(rest) } else { rest.split_first().and_then(|(name, rest)| name.known().map(|_| rest)) };
        run_in(&mut report, *verb, command.unwrap_or_default());
        return report.finish();
    }
    let looks = match operands.as_slice() {
        [] => true,
        [object] => object.known().is_some(),
        [object, ..] if object.known() == Some("monitor") => true,
        // Other objects may take the letter for `set`.
        [object, verb, ..] if verb.known() == Some("s") => {
            object.known().is_some_and(|object| starts_one(object, &["address"]))
        }
        [object, verb, ..] => object.known().is_some() && verb.known().is_some_and(|verb| LOOKS.contains(&verb)),
    };
    settle(&mut report, call, if looks { &ACT_SETTING_READ } else { &ACT_NETWORK_SETTING }, "network");
    report.finish()
}

/// Whether a word is one of these or an abbreviation.
fn starts_one(word: &str, full: &[&str]) -> bool {
    !word.is_empty() && full.iter().any(|full| full.starts_with(word))
}

/// `ip netns exec NAME program ..` runs the program.
fn run_in(report: &mut Report, verb: Arg<'_>, command: &[Arg<'_>]) {
    if command.is_empty() {
        return report.doubt(Reason::DynamicWord, verb.span);
    }
    let word = |arg: &Arg<'_>| Word { kind: arg.kind, text: arg.text.to_owned(), origin: arg.span };
    report.invoke(command.iter().map(word).collect(), WorkingDir::Same, verb.span);
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
    let operands = walked.operands();
    // The name is looked up below a folder of scripts, from which it can lead out.
    if let Some(script) = operands.first().filter(|name| name.text.contains('/') || name.text.contains("..")) {
        report.code_file(*script);
    }
    match operands.as_slice() {
        [] => generic::operands(&mut report, call, &walked),
        [name, verb] if verb.known() == Some("status") && !name.is_uncertain() => {
            report.act(&ACT_SERVICE_READ, *name, Spread::Single)
        }
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
            arg.known().is_some_and(|word| {
                matches!(word, "-a" | "-n" | "-v" | "-e" | "-an" | "-na" | "-i") || !word.starts_with('-')
            })
        }),
        (_, args) => {
            args.iter().all(|arg| arg.known().is_some_and(|word| word.starts_with('-') && !word.starts_with("-f")))
        }
    };
    settle(&mut report, call, if looks { &ACT_SETTING_READ } else { &ACT_NETWORK_SETTING }, "network");
    report.finish()
}

/// Lower-case options of ethtool look, mostly; those that set are upper-case or start tests.
fn ethtool_looks(args: &[Arg<'_>]) -> bool {
    const SHOWS: &[&str] = &[
        "-S",
        "-T",
        "-a",
        "-c",
        "-g",
        "-i",
        "-k",
        "-l",
        "-m",
        "-n",
        "-x",
        "--driver",
        "--statistics",
        "-h",
        "--help",
        "--version",
    ];
    match args {
        [only] => only.known().is_some_and(|word| !word.starts_with('-') || SHOWS.contains(&word)),
        [option, device] => {
            option.known().is_some_and(|word| SHOWS.contains(&word))
                && device.known().is_some_and(|word| !word.starts_with('-'))
        }
        _ => false,
    }
}

/// Tools without a table of options: a look when the verb is one and all options go with a look.
fn words_only(call: &Call<'_>) -> Finding {
    let mut report = call.report();
    let name = call.program.name;
    files(&mut report, call);
    if name == "resolvectl" && asks(&mut report, call) {
        return report.finish();
    }
    let firewall = name.contains("tables") || matches!(name, "ufw" | "firewall-cmd" | "nft" | "ipset");
    let act = match (looks(call), firewall) {
        (true, _) => &ACT_SETTING_READ,
        (false, true) => &ACT_FIREWALL,
        (false, false) => &ACT_NETWORK_SETTING,
    };
    settle(&mut report, call, act, if firewall { "firewall" } else { "network" });
    report.finish()
}

/// Files and programs that options name are used as the rest of the command says, which is not followed.
fn files(report: &mut Report, call: &Call<'_>) {
    let names_file = |arg: &&Arg<'_>| {
        FILE_OPTIONS.iter().any(|(program, option)| *program == call.program.name && arg.text.starts_with(option))
    };
    for arg in call.args.iter().filter(names_file) {
        report.doubt(Reason::UnsupportedSyntax, arg.span);
    }
}

/// Reports names that are asked for; whoever answers for them learns of the question.
fn asks(report: &mut Report, call: &Call<'_>) -> bool {
    let Some(at) = call.args.iter().position(|arg| arg.known().is_some_and(|word| ASKING.contains(&word))) else {
        return false;
    };
    for arg in call.args.iter().skip(at.saturating_add(1)).filter(|arg| !arg.text.starts_with('-')) {
        report.act(&ACT_QUERY, *arg, Spread::Single);
    }
    true
}

/// Whether a command of words and options only shows something.
fn looks(call: &Call<'_>) -> bool {
    let name = call.program.name;
    let Some(words) = call.args.iter().map(|arg| arg.known()).collect::<Option<Vec<&str>>>() else {
        return false;
    };
    // These separate commands where a program reads its words as one text.
    if words.iter().any(|word| word.contains([';', '\n'])) {
        return false;
    }
    let mut words = words.into_iter();
    let (mut options, mut verbs) = (Vec::new(), Vec::new());
    while let Some(word) = words.next() {
        if word == "-f" && FIELDS_WITH_F.contains(&name) {
            words.next();
        } else if word.starts_with('-') {
            options.push(word);
        } else {
            verbs.push(word);
        }
    }
    let shows = |option: &&str| {
        LOOK_OPTIONS.contains(option)
            || ["--list-", "--get-", "--query-", "--info-"].iter().any(|start| option.starts_with(start))
    };
    if !options.iter().all(|option| shows(option) || BESIDE_LOOKS.contains(option)) {
        return false;
    }
    if OPTIONS_ONLY.contains(&name) {
        return options.iter().any(shows);
    }
    match verbs.as_slice() {
        [] => SUMMARIES.contains(&name) || options.iter().any(shows),
        ["device" | "dev" | "d", "wifi"] => name == "nmcli",
        ["device" | "dev" | "d", "wifi", verb, ..] => name == "nmcli" && LOOKS.contains(verb),
        [object] if OBJECT_FIRST.contains(&name) => name == "nmcli" || name == "iw" && LOOKS.contains(object),
        [_, "s", ..] if name == "nmcli" => true,
        [_, verb, ..] if OBJECT_FIRST.contains(&name) => LOOKS.contains(verb),
        [verb, ..] => LOOKS.contains(verb),
    }
}

fn settle(report: &mut Report, call: &Call<'_>, act: &Act, name: &'static str) {
    report.act(act, Arg { text: name, kind: WordKind::Exact, span: call.own_span }, Spread::Single);
}
