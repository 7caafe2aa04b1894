//! Wrappers that change how a command is scheduled, timed, repeated or recorded, and nothing about what it does.

use holdpoint_guest::{Effect, Operation, Reason, Segment, TargetKind, Verb, Word, WorkingDir};

use super::options::{Parsed, Table, parse};
use super::{Run, on_file};
use crate::out::Out;

const NONE: Table = Table { flags: "", valued: "", optional: "", long_flags: &["help", "version"], long_valued: &[] };

const TIMEOUT: Table = Table {
    flags: "fpv",
    valued: "ks",
    optional: "",
    long_flags: &["foreground", "help", "preserve-status", "verbose", "version"],
    long_valued: &["kill-after", "signal"],
};

const NICE: Table = Table { valued: "n", long_valued: &["adjustment"], ..NONE };

const SETSID: Table = Table { flags: "cfwhV", long_flags: &["ctty", "fork", "help", "version", "wait"], ..NONE };

const STDBUF: Table = Table { valued: "ioe", long_valued: &["error", "input", "output"], ..NONE };

const IONICE: Table = Table {
    flags: "thV",
    valued: "cnpPu",
    optional: "",
    long_flags: &["help", "ignore", "version"],
    long_valued: &["class", "classdata", "pgid", "pid", "uid"],
};

const CHRT: Table = Table {
    flags: "abdefimoprvRhV",
    valued: "TPD",
    optional: "",
    long_flags: &[
        "all-tasks",
        "batch",
        "deadline",
        "fifo",
        "help",
        "idle",
        "max",
        "other",
        "pid",
        "reset-on-fork",
        "rr",
        "verbose",
        "version",
    ],
    long_valued: &["sched-deadline", "sched-period", "sched-runtime"],
};

const TASKSET: Table =
    Table { flags: "acphV", long_flags: &["all-tasks", "cpu-list", "help", "pid", "version"], ..NONE };

const TIME: Table = Table {
    flags: "apqvV",
    valued: "of",
    optional: "",
    long_flags: &["append", "help", "portability", "quiet", "verbose", "version"],
    long_valued: &["format", "output"],
};

const WATCH: Table = Table {
    flags: "bcCegprtwxhv",
    valued: "nqs",
    optional: "d",
    long_flags: &[
        "beep",
        "chgexit",
        "color",
        "differences",
        "errexit",
        "exec",
        "help",
        "no-color",
        "no-linewrap",
        "no-rerun",
        "no-title",
        "no-wrap",
        "precise",
        "version",
    ],
    long_valued: &["equexit", "interval", "shotsdir"],
};

const FLOCK: Table = Table {
    flags: "eFnosuxhV",
    valued: "wEc",
    optional: "",
    long_flags: &["close", "exclusive", "help", "no-fork", "nb", "nonblock", "shared", "unlock", "verbose", "version"],
    long_valued: &["command", "conflict-exit-code", "timeout", "wait"],
};

const SCRIPT: Table = Table {
    flags: "aefqhV",
    valued: "BcEImoOT",
    optional: "t",
    long_flags: &["append", "flush", "force", "help", "quiet", "return", "timing", "version"],
    long_valued: &["command", "echo", "log-in", "log-io", "log-out", "log-timing", "logging-format", "output-limit"],
};

/// Options of `script` that name a file which is written.
const RECORDS: &[&str] = &["O", "I", "B", "T", "t", "log-in", "log-io", "log-out", "log-timing", "timing"];

/// Reads the options; `None` if the answer is complete already.
fn options<'w>(run: &Run<'w>, table: &Table, out: &mut Out) -> Option<Parsed<'w>> {
    let parsed = parse(table, run.words, out)?;
    if parsed.has(&["help", "version", "h", "V"]) {
        run.nothing(out);
        return None;
    }
    Some(parsed)
}

/// Skips the operand before the command.
fn after_one(words: &[Word]) -> &[Word] {
    words.get(1..).unwrap_or_default()
}

/// `timeout DURATION COMMAND`.
pub(crate) fn timeout(run: &Run<'_>, out: &mut Out) {
    let Some(parsed) = options(run, &TIMEOUT, out) else {
        return;
    };
    match parsed.operands.first() {
        Some(duration) if duration.is_exact() => run.inner(after_one(parsed.operands), out),
        // An unknown word may be several, and then the command is another.
        Some(duration) => out.doubt(Reason::DynamicWord, duration.origin),
        None => out.doubt(Reason::MalformedArgument, run.origin),
    }
}

/// `nice [-n N] COMMAND`; alone it prints the niceness.
pub(crate) fn nice(run: &Run<'_>, out: &mut Out) {
    let old = |word: &Word| {
        let digits =
            word.known().and_then(|text| text.strip_prefix('-')).map(|rest| rest.trim_start_matches(['-', '+']));
        digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let words = if run.words.first().is_some_and(old) { after_one(run.words) } else { run.words };
    let Some(parsed) = parse(&NICE, words, out) else {
        return;
    };
    if parsed.operands.is_empty() || parsed.has(&["help", "version"]) {
        return run.nothing(out);
    }
    run.inner(parsed.operands, out);
}

/// `nohup COMMAND`: writes `nohup.out` where the output would go to a terminal.
pub(crate) fn nohup(run: &Run<'_>, out: &mut Out) {
    let Some(parsed) = options(run, &NONE, out) else {
        return;
    };
    out.operation(Operation::new(Verb::Patch, run.name, Effect::Reversible, run.origin).on(Segment::file("nohup.out")));
    run.inner(parsed.operands, out);
}

/// `setsid COMMAND`.
pub(crate) fn setsid(run: &Run<'_>, out: &mut Out) {
    let Some(parsed) = options(run, &SETSID, out) else {
        return;
    };
    run.inner(parsed.operands, out);
}

/// `stdbuf -oL COMMAND`.
pub(crate) fn stdbuf(run: &Run<'_>, out: &mut Out) {
    let Some(parsed) = options(run, &STDBUF, out) else {
        return;
    };
    run.inner(parsed.operands, out);
}

/// Changes how other processes are scheduled.
fn reschedules(run: &Run<'_>, word: Option<&Word>, out: &mut Out) {
    let target = word.map_or(Segment::unknown(TargetKind::Process), |word| Segment::named(TargetKind::Process, word));
    out.operation(Operation::new(Verb::Update, run.name, Effect::Reversible, run.origin).on(target));
}

/// `ionice`.
pub(crate) fn ionice(run: &Run<'_>, out: &mut Out) {
    let Some(parsed) = options(run, &IONICE, out) else {
        return;
    };
    if let Some(process) = parsed.value(&["p", "P", "u", "pid", "pgid", "uid"]) {
        return reschedules(run, Some(process), out);
    }
    if parsed.operands.is_empty() { run.nothing(out) } else { run.inner(parsed.operands, out) }
}

/// `chrt PRIORITY COMMAND`.
pub(crate) fn chrt(run: &Run<'_>, out: &mut Out) {
    let Some(parsed) = options(run, &CHRT, out) else {
        return;
    };
    scheduled(run, &parsed, out);
}

/// `taskset MASK COMMAND`.
pub(crate) fn taskset(run: &Run<'_>, out: &mut Out) {
    let Some(parsed) = options(run, &TASKSET, out) else {
        return;
    };
    scheduled(run, &parsed, out);
}

/// One setting, then a command; with `-p`, a setting and a process, or a process to be shown.
fn scheduled(run: &Run<'_>, parsed: &Parsed<'_>, out: &mut Out) {
    if parsed.has(&["m", "max"]) {
        return run.nothing(out);
    }
    match (parsed.has(&["p", "pid"]), parsed.operands) {
        (true, [_]) => run.nothing(out),
        (true, words) => reschedules(run, words.get(1), out),
        (false, [setting, command @ ..]) if setting.is_exact() => run.inner(command, out),
        (false, _) => out.doubt(Reason::DynamicWord, run.origin),
    }
}

/// `time COMMAND`; with `-o` it writes a file.
pub(crate) fn time(run: &Run<'_>, out: &mut Out) {
    let Some(parsed) = options(run, &TIME, out) else {
        return;
    };
    if let Some(file) = parsed.value(&["o", "output"]) {
        let verb = if parsed.has(&["a", "append"]) { Verb::Patch } else { Verb::Update };
        out.operation(on_file(verb, run.name, Effect::Reversible, file));
    }
    run.inner(parsed.operands, out);
}

/// `watch COMMAND`: the words are joined for a shell, unless `-x` is given.
pub(crate) fn watch(run: &Run<'_>, out: &mut Out) {
    let Some(parsed) = options(run, &WATCH, out) else {
        return;
    };
    if parsed.has(&["x", "exec"]) {
        return run.inner(parsed.operands, out);
    }
    run.joined_text(parsed.operands, "sh", WorkingDir::Same, out);
}

/// `flock FILE COMMAND` and `flock FILE -c TEXT`.
pub(crate) fn flock(run: &Run<'_>, out: &mut Out) {
    let Some(parsed) = options(run, &FLOCK, out) else {
        return;
    };
    let Some((file, command)) = parsed.operands.split_first() else {
        return out.doubt(Reason::MalformedArgument, run.origin);
    };
    if !file.is_exact() {
        return out.doubt(Reason::DynamicWord, file.origin);
    }
    let target = Segment::named(TargetKind::File, file);
    out.operation(Operation::new(Verb::Lock, run.name, Effect::Reversible, file.origin).on(target));
    match command {
        [] => {}
        [option, text] if matches!(option.known(), Some("-c" | "--command")) => {
            run.shell_text(text, WorkingDir::Same, out);
        }
        [option, ..] if option.known().is_some_and(|text| text.starts_with('-')) => {
            out.doubt(Reason::UnknownOption, option.origin);
        }
        _ => run.inner(command, out),
    }
}

/// `script`: records a session into files. Its options may also follow the file; where a word follows the file instead,
/// some systems run it.
pub(crate) fn script(run: &Run<'_>, out: &mut Out) {
    let Some(before) = options(run, &SCRIPT, out) else {
        return;
    };
    let mut given = before.given;
    let (file, rest) = match before.operands.split_first() {
        Some((file, rest)) => (file.clone(), rest),
        None => (Word::exact("typescript", run.origin), before.operands),
    };
    let Some(after) = parse(&SCRIPT, rest, out) else {
        return;
    };
    let words = if after.given.is_empty() { rest } else { after.operands };
    given.extend(after.given);
    let records = given.iter().filter(|given| RECORDS.contains(&&*given.name)).filter_map(|given| given.value.as_ref());
    for file in records.chain([&file]) {
        out.operation(on_file(Verb::Update, run.name, Effect::Reversible, file));
    }
    let text = given.iter().rev().find(|given| matches!(&*given.name, "c" | "command"));
    match text.and_then(|given| given.value.as_ref()) {
        Some(text) => run.shell_text(text, WorkingDir::Same, out),
        None if words.is_empty() => run.starts_shell(out),
        None => {}
    }
    if !words.is_empty() {
        run.inner(words, out);
    }
}
