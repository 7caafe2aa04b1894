//! `ssh`: connects to another machine and runs a command there. The command is judged as well, so that what is refused
//! here is refused there.

use holdpoint_guest::{Effect, Operation, Reason, Segment, TargetKind, Traits, Verb, Word, WorkingDir};

use super::options::{Given, Table, parse};
use super::{Run, on_file};
use crate::out::Out;

const OPTIONS: Table =
    Table { flags: "46AaCfgKkNnqTtVvXxYy", valued: "BbceIiJlmop", optional: "", long_flags: &[], long_valued: &[] };

/// Settings for `-o` that start no program and open no further connection. Sorted.
const SETTINGS: &[&str] = &[
    "addressfamily",
    "batchmode",
    "checkhostip",
    "ciphers",
    "compression",
    "connectionattempts",
    "connecttimeout",
    "forwardx11",
    "gssapiauthentication",
    "hostkeyalgorithms",
    "identitiesonly",
    "kbdinteractiveauthentication",
    "kexalgorithms",
    "loglevel",
    "macs",
    "numberofpasswordprompts",
    "passwordauthentication",
    "port",
    "preferredauthentications",
    "pubkeyauthentication",
    "requesttty",
    "serveralivecountmax",
    "serveraliveinterval",
    "stricthostkeychecking",
    "tcpkeepalive",
    "user",
];

/// Judges `ssh`.
pub(crate) fn ssh(run: &Run<'_>, out: &mut Out) {
    let Some(first) = parse(&OPTIONS, run.words, out) else {
        return;
    };
    if first.given.iter().any(|given| given.name == "V") {
        return run.nothing(out);
    }
    settings(run, &first.given, out);
    let Some((host, rest)) = first.operands.split_first() else {
        return out.doubt(Reason::MalformedArgument, run.origin);
    };
    // Options may follow the host as well.
    let Some(second) = parse(&OPTIONS, rest, out) else {
        return connect(run, host, out);
    };
    settings(run, &second.given, out);
    connect(run, host, out);
    let stays = first.given.iter().chain(&second.given).any(|given| given.name == "N");
    if stays {
        return;
    }
    let operation = Operation::new(Verb::Exec, run.name, Effect::Unknown, host.origin)
        .on(Segment::named(TargetKind::Host, &name_of(host)))
        .with_traits(Traits::RUNS_CODE | Traits::NETWORK);
    out.operation(operation);
    if !second.operands.is_empty() {
        run.joined_text(second.operands, "bash", WorkingDir::Unknown, out);
    }
}

fn connect(run: &Run<'_>, host: &Word, out: &mut Out) {
    let operation = Operation::new(Verb::Connect, run.name, Effect::None, host.origin)
        .on(Segment::named(TargetKind::Host, &name_of(host)))
        .with_traits(Traits::NETWORK | Traits::EXTERNAL_CONTENT);
    out.operation(operation);
}

/// The machine in `user@host` and `ssh://user@host:port`.
fn name_of(host: &Word) -> Word {
    let text = host
        .text
        .strip_prefix("ssh://")
        .map_or(host.text.as_str(), |rest| rest.split(['/', ':']).next().unwrap_or(rest));
    Word { text: text.rsplit('@').next().unwrap_or(text).to_owned(), ..host.clone() }
}

fn settings(run: &Run<'_>, given: &[Given], out: &mut Out) {
    for given in given {
        let Some(value) = &given.value else { continue };
        match &*given.name {
            "o" => {
                let name = value.known().map(|text| text.split(['=', ' ']).next().unwrap_or("").to_ascii_lowercase());
                let is_nowhere = value.known().is_some_and(|text| text.ends_with("=/dev/null"));
                let is_plain = name.is_some_and(|name| {
                    SETTINGS.binary_search(&&*name).is_ok() || (name == "userknownhostsfile" && is_nowhere)
                });
                if !is_plain {
                    out.doubt(Reason::UnknownOption, value.origin);
                }
            }
            "i" => out.operation(on_file(Verb::Get, run.name, Effect::None, value).with_traits(Traits::SECRET)),
            "I" => out.doubt(Reason::UnknownOption, value.origin),
            "J" => connect(run, value, out),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn settings_are_sorted() {
        assert!(super::SETTINGS.is_sorted());
    }
}
