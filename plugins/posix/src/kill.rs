//! Signals: kill, pkill, killall. A signal looks like an option, a process group like a negative number.

use holdpoint_guest::{Finding, Operation, Reason, Scope, Segment, Span, TargetKind, Verb, WordKind};

use crate::Call;
use crate::generic;
use crate::report::Spread;
use crate::table::{ACT_PROCESS_KILL, ACT_PROCESS_READ, ACT_PROCESS_UPDATE, ACT_SHUTDOWN, Program, Role, Tag};
use crate::walk::Item;
use crate::words::Arg;

/// Names of signals, without `SIG`.
const SIGNALS: &[&str] = &[
    "ABRT", "ALRM", "BUS", "CHLD", "CLD", "CONT", "EXIT", "FPE", "HUP", "ILL", "INT", "IO", "IOT", "KILL", "PIPE",
    "POLL", "PROF", "PWR", "QUIT", "SEGV", "STKFLT", "STOP", "SYS", "TERM", "TRAP", "TSTP", "TTIN", "TTOU", "URG",
    "USR1", "USR2", "VTALRM", "WINCH", "XCPU", "XFSZ",
];

/// Signals that end no process that does not ask for them.
const IGNORED: &[&str] = &["CHLD", "URG", "WINCH"];

/// Signals that the first process takes for no order to stop, whatever it is: systemd and sysvinit, manual pages.
const HARMLESS_TO_THE_FIRST: &[&str] = &["CHLD", "CLD", "CONT", "URG", "WINCH"];

/// The process id that stands for every process the caller may signal.
const EVERY_PROCESS: &str = "-1";

/// Reads the command with the signal and negative process ids taken out of the options.
pub(crate) fn classify(call: &Call<'_>) -> Finding {
    let mut report = call.report();
    let mut args = call.args.clone();
    let mut signal = None;
    if let Some(text) = args.first().and_then(|arg| arg.known())
        && let Some(name) = text.strip_prefix('-').filter(|name| is_signal(name))
        && call.program.option(text).is_none_or(|_| name.chars().all(|letter| letter.is_ascii_digit()))
    {
        signal = Some(name);
        args.remove(0);
    }
    // The options end at a process group, because it is the first operand.
    let group = |arg: &Arg<'_>| call.program.name == "kill" && arg.known().is_some_and(is_negative_number);
    let groups = args.split_off(args.iter().position(group).unwrap_or(args.len()));
    // `-l` takes a signal to translate. With anything else the command only complains, and nobody wrote it on purpose.
    for arg in &args {
        let attached = arg.known().and_then(|text| text.strip_prefix("-l")).filter(|name| !name.is_empty());
        if attached.is_some_and(|name| !is_signal(name)) {
            report.doubt(Reason::MalformedArgument, arg.span);
        }
    }
    let walked = generic::start(&mut report, call, &args);
    // The last signal counts for some versions and the first for others, so several are taken for the worst.
    let mut signals: Vec<&str> = signal.into_iter().chain(walked.items.iter().filter_map(chosen_signal)).collect();
    signals.dedup();
    let mut signal = if let [only] = *signals { Some(only) } else { None };
    generic::operands(&mut report, call, &walked);
    if generic::modes(call, &walked).is_empty() {
        groups.iter().for_each(|group| report.act(&ACT_PROCESS_KILL, *group, Spread::Single));
    }
    if walked.operands().is_empty() && call.program.name == "pkill" {
        report.unnamed(&ACT_PROCESS_KILL, call.own_span);
    }
    // A word that is not known may hold another signal.
    if call.args.iter().any(|arg| arg.may_be_option()) {
        signal = None;
    }
    mend(report.finish(), signal, call.program)
}

/// Signal 0 only asks whether a process is there, and some ids stand for more than one process.
fn mend(mut finding: Finding, signal: Option<&str>, program: &'static Program) -> Finding {
    let mut stopping: Vec<Span> = Vec::new();
    for operation in &mut finding.operations {
        if operation.verb != Verb::Delete {
            continue;
        }
        let Some(target) = operation.target.last().filter(|target| target.kind == TargetKind::Process) else {
            continue;
        };
        let stops =
            !signal.is_some_and(|signal| matches!(signal, "0" | "EXIT") || HARMLESS_TO_THE_FIRST.contains(&signal));
        if stops && program.name == "kill" && is_first_process(target) {
            stopping.push(operation.origin);
        }
        if signal.is_some_and(|signal| matches!(signal, "0" | "EXIT")) {
            operation.verb = ACT_PROCESS_READ.verb;
            operation.effect = ACT_PROCESS_READ.effect;
            operation.access = holdpoint_guest::Access::Read;
        } else if signal.is_some_and(|signal| IGNORED.contains(&signal)) {
            operation.verb = ACT_PROCESS_UPDATE.verb;
            operation.effect = ACT_PROCESS_UPDATE.effect;
            operation.access = holdpoint_guest::Access::Write;
        } else if target.name == EVERY_PROCESS {
            operation.scope = Scope::Root;
        } else if target.name.starts_with('-') || target.name == "0" || program.name != "kill" {
            operation.scope = operation.scope.max(Scope::Selection);
        }
    }
    for span in stopping {
        let stop = Operation::new(ACT_SHUTDOWN.verb, program.name, ACT_SHUTDOWN.effect, span);
        finding = finding.with_operation(stop.on(Segment::exact(ACT_SHUTDOWN.kind, "")));
    }
    finding
}

/// Whether a process is the first one, which stops, restarts or changes the state of the machine on a signal.
fn is_first_process(target: &Segment) -> bool {
    target.certainty == WordKind::Exact && target.name.trim().parse::<u64>() == Ok(1)
}

fn chosen_signal<'a>(item: &Item<'a>) -> Option<&'a str> {
    match *item {
        Item::Option { option, value: Some(value), .. } if matches!(option.role, Role::Tag(Tag::Signal)) => {
            value.known().map(|name| name.strip_prefix("SIG").unwrap_or(name))
        }
        Item::Option { .. } | Item::Plus(_) | Item::Operand(_) => None,
    }
}

fn is_signal(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    let bare = upper.strip_prefix("SIG").unwrap_or(&upper);
    let number = !name.is_empty() && name.chars().all(|letter| letter.is_ascii_digit());
    number || SIGNALS.binary_search(&bare).is_ok() || bare.starts_with("RTMIN") || bare.starts_with("RTMAX")
}

fn is_negative_number(text: &str) -> bool {
    text.strip_prefix('-').is_some_and(|digits| !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit()))
}

/// Used by tests: whether the table of signals is sorted, as the search in it needs.
#[cfg(test)]
pub(crate) fn signals_are_sorted() -> bool {
    SIGNALS.is_sorted()
}
