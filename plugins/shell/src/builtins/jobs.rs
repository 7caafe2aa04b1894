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

/// `kill`: ends processes, unless it only lists signals or probes.
pub(crate) fn kill(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    let (probes, targets) = signal(walker, call);
    if probes || targets.is_empty() {
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
    }
    Flow::same(call.folders)
}

/// Whether the signal is the one that only probes, and the words that name processes.
fn signal<'c>(walker: &mut Walker<'_>, call: &Call<'c>) -> (bool, &'c [Word]) {
    let Some((first, rest)) = call.args.split_first() else {
        return (true, &[]);
    };
    let Some(text) = first.known() else {
        return (false, call.args);
    };
    match text {
        "-l" | "-L" => (true, &[]),
        "-s" | "-n" => {
            let signal = rest.first().and_then(Word::known);
            let rest = rest.get(1..).unwrap_or_default();
            (matches!(signal, Some("0" | "EXIT")), after_dashes(rest))
        }
        "--" => (false, rest),
        _ if text.starts_with('-') => {
            let name = text.trim_start_matches(['-', 's', 'n']);
            let plain = text.strip_prefix('-').is_some_and(|name| {
                is_name(name) || name.bytes().all(|byte| byte.is_ascii_digit()) || name.contains('+')
            });
            if !plain {
                walker.out.doubt(Reason::UnknownOption, first.origin);
            }
            (name == "0" || text == "-EXIT", after_dashes(rest))
        }
        _ => (false, call.args),
    }
}

fn after_dashes(words: &[Word]) -> &[Word] {
    match words.split_first() {
        Some((first, rest)) if first.known() == Some("--") => rest,
        Some(_) | None => words,
    }
}
