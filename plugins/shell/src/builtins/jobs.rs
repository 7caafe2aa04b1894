//! Builtins for jobs and signals.

use holdpoint_guest::{Effect, Operation, Reason, Scope, Segment, TargetKind, Verb, Word};

use crate::walk::{Call, Flow, Walker};
use crate::word::is_name;

/// `fg`, `bg`, `disown`, `suspend`: only jobs of this shell.
pub(crate) fn control(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    walker.shell_state(call.name, "", call.origin);
    Flow::same(call.folders)
}

/// `jobs`: lists them; with `-x` it runs a command.
pub(crate) fn jobs(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    for word in call.args {
        let plain = word.known().is_some_and(|text| !text.starts_with('-') || !text.contains('x'));
        if !plain {
            walker.out.doubt(Reason::UnknownOption, word.origin);
        }
    }
    walker.out.operation(Operation::nothing(call.name, call.origin));
    Flow::same(call.folders)
}

/// `wait`: with `-p` it sets a variable.
pub(crate) fn wait(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    let mut words = call.args.iter();
    while let Some(word) = words.next() {
        match word.known() {
            Some("-p") => match words.next() {
                Some(name) => walker.set_by_builtin(call, name),
                None => walker.out.doubt(Reason::MalformedArgument, word.origin),
            },
            Some("-n" | "-f" | "-fn" | "-nf") => {}
            Some(text) if text.starts_with('-') => walker.out.doubt(Reason::UnknownOption, word.origin),
            Some(_) => {}
            None => walker.evaluates_later(word.origin),
        }
    }
    walker.out.operation(Operation::nothing(call.name, call.origin));
    Flow::same(call.folders)
}

/// What a signal does to a process.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Signal {
    /// Asks whether it is there.
    Probes,
    /// Nothing to the first process, which takes any other for an order to stop or restart the machine, or to change
    /// its state.
    Spares,
    Ends,
}

impl Signal {
    fn named(name: &str) -> Signal {
        let upper = name.to_ascii_uppercase();
        match upper.strip_prefix("SIG").unwrap_or(&upper) {
            "0" | "EXIT" => Signal::Probes,
            "CHLD" | "CLD" | "CONT" | "URG" | "WINCH" => Signal::Spares,
            _ => Signal::Ends,
        }
    }
}

/// `kill`: ends processes, unless it only lists signals or probes.
pub(crate) fn kill(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    let (signal, targets) = signal(walker, call);
    if signal == Signal::Probes || targets.is_empty() {
        walker.out.operation(
            Operation::new(Verb::Get, call.name, Effect::None, call.origin).on(Segment::unknown(TargetKind::Process)),
        );
        return Flow::same(call.folders);
    }
    for word in targets {
        let scope = match word.known() {
            Some("-1" | "0") => Scope::Root,
            Some(text) if text.starts_with('-') => Scope::Selection,
            Some(_) => Scope::One,
            None => Scope::Unknown,
        };
        let operation = Operation::new(Verb::Delete, call.name, Effect::Irreversible, word.origin)
            .on(Segment::named(TargetKind::Process, word))
            .reaching(scope);
        walker.out.operation(operation);
        if signal == Signal::Ends && word.known().is_some_and(|text| text.trim().parse::<u64>() == Ok(1)) {
            let stop = Operation::new(Verb::Configure, call.name, Effect::Irreversible, word.origin);
            walker.out.operation(stop.on(Segment::exact(TargetKind::Machine, "")));
        }
    }
    Flow::same(call.folders)
}

/// What the signal does, and the words that name processes.
fn signal<'c>(walker: &mut Walker<'_>, call: &Call<'c>) -> (Signal, &'c [Word]) {
    let Some((first, rest)) = call.args.split_first() else {
        return (Signal::Probes, &[]);
    };
    let Some(text) = first.known() else {
        return (Signal::Ends, call.args);
    };
    match text {
        "-l" | "-L" => (Signal::Probes, &[]),
        "-s" | "-n" => {
            let signal = rest.first().and_then(Word::known).map_or(Signal::Ends, Signal::named);
            unless_another(signal, after_dashes(rest.get(1..).unwrap_or_default()))
        }
        "--" => (Signal::Ends, rest),
        _ if text.starts_with('-') => {
            let plain = text.strip_prefix('-').is_some_and(|name| {
                is_name(name) || name.bytes().all(|byte| byte.is_ascii_digit()) || name.contains('+')
            });
            if !plain {
                walker.out.doubt(Reason::UnknownOption, first.origin);
            }
            let attached = text.trim_start_matches(['-', 's', 'n']);
            let signal = if attached == "0" { Signal::Probes } else { Signal::named(text.trim_start_matches('-')) };
            unless_another(signal, after_dashes(rest))
        }
        _ => (Signal::Ends, call.args),
    }
}

/// A later option may name another signal, which is the one that counts.
fn unless_another(signal: Signal, targets: &[Word]) -> (Signal, &[Word]) {
    let names_one = |word: &Word| match word.known() {
        Some(text) => text.starts_with('-') && !text.bytes().skip(1).all(|byte| byte.is_ascii_digit()),
        None => false,
    };
    (if targets.iter().any(names_one) { Signal::Ends } else { signal }, targets)
}

fn after_dashes(words: &[Word]) -> &[Word] {
    match words.split_first() {
        Some((first, rest)) if first.known() == Some("--") => rest,
        Some(_) | None => words,
    }
}
