//! Wrappers that run a command with other rights or in another view of the system. The change of rights is an operation
//! of its own, and the command is judged as well.

use holdpoint_guest::{
    Binding, Effect, Escapes, Operation, Reason, Segment, TargetKind, Traits, Verb, Word, WorkingDir,
};

use super::options::{Parsed, Table, parse};
use super::{Run, env, on_file};
use crate::out::Out;

const SUDO: Table = Table {
    flags: "ABbEeHiKklNnPSsVv",
    valued: "aCcDghpRrTtUu",
    optional: "",
    long_flags: &[
        "askpass",
        "background",
        "bell",
        "edit",
        "help",
        "list",
        "login",
        "no-update",
        "non-interactive",
        "preserve-env",
        "preserve-groups",
        "remove-timestamp",
        "reset-timestamp",
        "set-home",
        "shell",
        "stdin",
        "validate",
        "version",
    ],
    long_valued: &[
        "auth-type",
        "chdir",
        "chroot",
        "close-from",
        "command-timeout",
        "group",
        "host",
        "login-class",
        "other-user",
        "prompt",
        "role",
        "type",
        "user",
    ],
};

const DOAS: Table = Table { flags: "Lns", valued: "aCu", optional: "", long_flags: &[], long_valued: &[] };

const SU: Table = Table {
    flags: "flmpPThV",
    valued: "cgGsw",
    optional: "",
    long_flags: &["fast", "help", "login", "no-pty", "preserve-environment", "pty", "version"],
    long_valued: &["command", "group", "session-command", "shell", "supp-group", "whitelist-environment"],
};

const CHROOT: Table = Table {
    flags: "",
    valued: "",
    optional: "",
    long_flags: &["help", "skip-chdir", "version"],
    long_valued: &["groups", "userspec"],
};

const UNSHARE: Table = Table {
    flags: "CcfhimnprTUuV",
    valued: "GRSw",
    optional: "",
    long_flags: &[
        "cgroup",
        "fork",
        "help",
        "ipc",
        "keep-caps",
        "kill-child",
        "map-auto",
        "map-current-user",
        "map-root-user",
        "mount",
        "mount-proc",
        "net",
        "pid",
        "time",
        "user",
        "uts",
        "version",
    ],
    long_valued: &[
        "boottime",
        "map-group",
        "map-groups",
        "map-user",
        "map-users",
        "monotonic",
        "propagation",
        "root",
        "setgid",
        "setgroups",
        "setuid",
        "wd",
    ],
};

const NSENTER: Table = Table {
    flags: "aeFhVZ",
    valued: "GSt",
    optional: "CimnprTUuwW",
    long_flags: &[
        "all",
        "cgroup",
        "env",
        "follow-context",
        "help",
        "ipc",
        "mount",
        "net",
        "no-fork",
        "pid",
        "preserve-credentials",
        "root",
        "time",
        "user",
        "uts",
        "version",
        "wd",
        "wdns",
    ],
    long_valued: &["setgid", "setuid", "target"],
};

/// Says that the command runs with the rights of another user.
fn impersonate(run: &Run<'_>, user: Option<&Word>, out: &mut Out) {
    let target = user.map_or(Segment::exact(TargetKind::User, "root"), |user| Segment::named(TargetKind::User, user));
    let operation = Operation::new(Verb::Impersonate, run.name, Effect::Unknown, run.origin)
        .on(target)
        .with_traits(Traits::PRIVILEGE);
    out.operation(operation);
    out.escapes(Escapes::PRIVILEGE);
}

/// `sudo`.
pub(crate) fn sudo(run: &Run<'_>, out: &mut Out) {
    let Some(parsed) = parse(&SUDO, run.words, out) else {
        return;
    };
    if parsed.has(&["help", "version", "V"]) || (parsed.words_only() && parsed.has(&["k", "K", "remove-timestamp"])) {
        return run.nothing(out);
    }
    impersonate(run, parsed.value(&["u", "user"]), out);
    // The command would run on another machine.
    if let Some(host) = parsed.value(&["h", "host"]) {
        out.doubt(Reason::UnknownOption, host.origin);
    }
    if parsed.has(&["e", "edit"]) {
        for file in parsed.operands {
            out.operation(on_file(Verb::Update, run.name, Effect::Reversible, file));
        }
        return;
    }
    let cwd = folder(&parsed, &["D", "chdir"], &["i", "login", "R", "chroot"]);
    let (bindings, command) = assignments(run, parsed.operands, out);
    if !command.is_empty() {
        return run.inner_in(command, cwd, bindings, out);
    }
    if parsed.has(&["i", "s", "login", "shell"]) {
        run.starts_shell(out);
    }
}

/// The folder that an option names; unknown if one of `elsewhere` is given.
fn folder(parsed: &Parsed<'_>, options: &[&str], elsewhere: &[&str]) -> WorkingDir {
    match parsed.value(options) {
        Some(folder) => folder.known().map_or(WorkingDir::Unknown, |path| WorkingDir::Path(path.to_owned())),
        None if parsed.has(elsewhere) => WorkingDir::Unknown,
        None => WorkingDir::Same,
    }
}

/// `NAME=VALUE` words before the command.
fn assignments<'w>(run: &Run<'_>, words: &'w [Word], out: &mut Out) -> (Vec<Binding>, &'w [Word]) {
    let mut bindings = run.inherited_env();
    let mut rest = words;
    while let Some((first, after)) = rest.split_first()
        && let Some((name, value)) = env::assignment(first)
    {
        env::report(run, &name, value.known(), first, out);
        bindings.push(Binding { name, value });
        rest = after;
    }
    (bindings, rest)
}

/// `doas`.
pub(crate) fn doas(run: &Run<'_>, out: &mut Out) {
    let Some(parsed) = parse(&DOAS, run.words, out) else {
        return;
    };
    impersonate(run, parsed.value(&["u"]), out);
    if parsed.has(&["C"]) {
        return out.doubt(Reason::UnknownOption, run.origin);
    }
    match (parsed.operands.is_empty(), parsed.has(&["s"])) {
        (true, true) => run.starts_shell(out),
        (true, false) => {}
        (false, _) => run.inner(parsed.operands, out),
    }
}

/// `su [USER]`, with options before and after the user.
pub(crate) fn su(run: &Run<'_>, out: &mut Out) {
    let mut words = run.words;
    let mut operands: Vec<&Word> = Vec::new();
    let mut commands: Vec<Word> = Vec::new();
    while !words.is_empty() {
        let Some(parsed) = parse(&SU, words, out) else {
            return impersonate(run, None, out);
        };
        if parsed.has(&["help", "version", "h", "V"]) {
            return run.nothing(out);
        }
        if let Some(shell) = parsed.value(&["s", "shell"])
            && !shell.known().is_some_and(|path| matches!(path, "/bin/sh" | "/bin/bash" | "/usr/bin/bash"))
        {
            out.doubt(Reason::UnknownProgram, shell.origin);
        }
        let texts = parsed.given.iter().filter(|given| matches!(&*given.name, "c" | "command" | "session-command"));
        commands.extend(texts.filter_map(|given| given.value.clone()));
        let Some((first, rest)) = parsed.operands.split_first() else {
            break;
        };
        operands.push(first);
        words = rest;
    }
    let mut names = operands.iter().filter(|word| word.known() != Some("-"));
    impersonate(run, names.next().copied(), out);
    if let Some(word) = names.next() {
        // Further words are arguments of the shell.
        out.doubt(Reason::UnknownOption, word.origin);
    }
    match commands.last() {
        Some(text) => run.shell_text(text, WorkingDir::Unknown, out),
        None => run.starts_shell(out),
    }
}

/// `chroot ROOT COMMAND`.
pub(crate) fn chroot(run: &Run<'_>, out: &mut Out) {
    let Some(parsed) = parse(&CHROOT, run.words, out) else {
        return;
    };
    if parsed.has(&["help", "version"]) {
        return run.nothing(out);
    }
    impersonate(run, None, out);
    match parsed.operands {
        [] => out.doubt(Reason::MalformedArgument, run.origin),
        [root, ..] if !root.is_exact() => out.doubt(Reason::DynamicWord, root.origin),
        [_] => run.starts_shell(out),
        [_, command @ ..] => run.inner_in(command, WorkingDir::Unknown, run.inherited_env(), out),
    }
}

/// `unshare COMMAND`.
pub(crate) fn unshare(run: &Run<'_>, out: &mut Out) {
    let Some(parsed) = parse(&UNSHARE, run.words, out) else {
        return;
    };
    namespaced(run, &parsed, out);
}

/// `nsenter COMMAND`.
pub(crate) fn nsenter(run: &Run<'_>, out: &mut Out) {
    let Some(parsed) = parse(&NSENTER, run.words, out) else {
        return;
    };
    out.escapes(Escapes::CONTAINER_ESCAPE);
    namespaced(run, &parsed, out);
}

fn namespaced(run: &Run<'_>, parsed: &Parsed<'_>, out: &mut Out) {
    if parsed.has(&["help", "version", "h", "V"]) {
        return run.nothing(out);
    }
    impersonate(run, None, out);
    if parsed.operands.is_empty() {
        return run.starts_shell(out);
    }
    let cwd = if run.name == "nsenter" { WorkingDir::Unknown } else { folder(parsed, &["w", "wd"], &["R", "root"]) };
    run.inner_in(parsed.operands, cwd, run.inherited_env(), out);
}
