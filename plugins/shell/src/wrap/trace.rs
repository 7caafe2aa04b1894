//! `strace` and `ltrace`: run a command and record what it does, or look into a running process.

use holdpoint_guest::{Effect, Operation, Reason, Segment, TargetKind, Verb};

use super::options::{Parsed, Table, parse};
use super::{Run, on_file, unseen_code};
use crate::out::Out;

const STRACE: Table = Table {
    flags: "AcCdDfFhiknNqrtTvVwxyYzZ",
    valued: "abeEIoOpPsSuUX",
    optional: "",
    long_flags: &[
        "absolute-timestamps",
        "daemonize",
        "decode-fds",
        "debug",
        "follow-forks",
        "help",
        "instruction-pointer",
        "no-abbrev",
        "output-append-mode",
        "output-separately",
        "quiet",
        "relative-timestamps",
        "seccomp-bpf",
        "stack-traces",
        "successful-only",
        "failed-only",
        "summary",
        "summary-only",
        "summary-wall-clock",
        "syscall-number",
        "syscall-times",
        "version",
        "failing-only",
    ],
    long_valued: &[
        "attach",
        "columns",
        "env",
        "output",
        "string-limit",
        "summary-columns",
        "summary-sort-by",
        "trace",
        "trace-path",
        "user",
    ],
};

const LTRACE: Table = Table {
    flags: "bcCfhiLrStTV",
    valued: "aADelnopsuwx",
    optional: "",
    long_flags: &["demangle", "help", "indent", "no-signals", "version"],
    long_valued: &["align", "library", "output", "where"],
};

/// `strace`.
pub(crate) fn strace(run: &Run<'_>, out: &mut Out) {
    let Some(parsed) = parse(&STRACE, run.words, out) else {
        return;
    };
    traced(run, &parsed, out);
}

/// `ltrace`.
pub(crate) fn ltrace(run: &Run<'_>, out: &mut Out) {
    let Some(parsed) = parse(&LTRACE, run.words, out) else {
        return;
    };
    traced(run, &parsed, out);
}

fn traced(run: &Run<'_>, parsed: &Parsed<'_>, out: &mut Out) {
    if parsed.has(&["help", "version", "h", "V"]) {
        return run.nothing(out);
    }
    for given in &parsed.given {
        let Some(value) = &given.value else { continue };
        match &*given.name {
            // A file, or a program that receives the record.
            "o" | "output" if value.text.starts_with(['|', '!']) => {
                unseen_code(run.name, Segment::named(TargetKind::Code, value), value.origin, out);
            }
            "o" | "output" => out.operation(on_file(Verb::Update, run.name, Effect::Reversible, value)),
            "p" | "attach" => {
                let target = Segment::named(TargetKind::Process, value);
                out.operation(Operation::new(Verb::Update, run.name, Effect::Reversible, value.origin).on(target));
            }
            // Tampering with calls, other users and other environments change what the command does.
            "u" | "user" | "E" | "env" => out.doubt(Reason::UnknownOption, value.origin),
            "e" | "trace" if value.known().is_none_or(|text| text.contains("inject") || text.contains("fault")) => {
                out.doubt(Reason::UnknownOption, value.origin);
            }
            _ => {}
        }
    }
    if !parsed.operands.is_empty() {
        run.inner(parsed.operands, out);
    }
}
