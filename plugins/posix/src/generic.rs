//! Reads a program by its table alone: what options and operands do follows from their roles.
//!
//! It must never know a program by name.

use holdpoint_guest::{Effect, Finding, ObligationKind, Reason, TargetKind, WordKind};

use crate::Call;
use crate::input;
use crate::report::{Report, Spread};
use crate::table::{Act, Count, Mode, Opt, Rank, Role, Slot, Spec, Tag, Takes, Yields};
use crate::walk::{Item, Walked, walk};
use crate::words::Arg;

/// The finding for a program whose table says everything.
pub(crate) fn classify(call: &Call<'_>) -> Finding {
    let mut report = call.report();
    everything(&mut report, call);
    report.finish()
}

/// Reports everything that the table says about the command.
pub(crate) fn everything<'a>(report: &mut Report, call: &Call<'a>) -> Walked<'a> {
    let walked = start(report, call, &call.args);
    tags(report, &walked);
    operands(report, call, &walked);
    missing(report, call, &walked);
    walked
}

/// Options that need a handler, in a program that has none: scripts are code, the rest is not understood.
fn tags(report: &mut Report, walked: &Walked<'_>) {
    for item in &walked.items {
        let Item::Option { option: Opt { role: Role::Tag(tag), .. }, value, at } = *item else {
            continue;
        };
        match (tag, value) {
            (Tag::ScriptFile, Some(value)) => report.code_file(value),
            (Tag::Script | Tag::ScriptFile, _) => report.unseen_code(at.span),
            _ => report.doubt(Reason::UnsupportedSyntax, at.span),
        }
    }
}

/// A program that changes its operands and was given none may have had them swallowed by an option that another
/// version reads without a value.
fn missing(report: &mut Report, call: &Call<'_>, walked: &Walked<'_>) {
    let spec = &call.program.spec;
    let changes = spec.operands.first().is_some_and(|slot| slot.role.changes());
    if !changes || !spec.bare.is_empty() || !walked.operands().is_empty() || !modes(call, walked).is_empty() {
        return;
    }
    for item in &walked.items {
        if let Item::Option { value: Some(value), at, .. } = item
            && value.span.part != at.span.part
        {
            report.doubt(Reason::MalformedArgument, value.span);
        }
    }
}

/// Reports everything the table says about `args`.
pub(crate) fn whole(report: &mut Report, call: &Call<'_>, args: &[Arg<'_>]) {
    let walked = start(report, call, args);
    operands(report, call, &walked);
}

/// Splits `args` and reports what the values of options do.
pub(crate) fn start<'a>(report: &mut Report, call: &Call<'_>, args: &[Arg<'a>]) -> Walked<'a> {
    let mut walked = walk(call.program, args);
    report.doubts(std::mem::take(&mut walked.doubts));
    if walked.names_may_be_options {
        report.oblige(ObligationKind::EndOfOptions);
    }
    options(report, call, &walked);
    input::commands(report, call, &walked);
    for item in &walked.items {
        if let Item::Option { option, value: Some(value), .. } = item
            && call.program.suffix_from.contains(&option.name)
        {
            report.ending(*value);
        }
    }
    walked
}

/// Reports what the values of options do.
fn options(report: &mut Report, call: &Call<'_>, walked: &Walked<'_>) {
    for item in &walked.items {
        match *item {
            Item::Option { option, value: Some(value), .. } => report.role(option.role, value, Spread::Single),
            Item::Option { option: option @ Opt { role: Role::Act(act), .. }, value: None, at } => {
                without_value(report, act, at, option.takes);
            }
            Item::Option { .. } | Item::Operand(_) => {}
            Item::Plus(arg) => {
                if let Some(role) = call.program.plus {
                    report.role(role, arg, Spread::Single);
                }
            }
        }
    }
}

/// An option that stands for an act and names nothing: a file must have a name or a usual place, other things may be
/// the only ones.
fn without_value(report: &mut Report, act: &Act, at: Arg<'_>, takes: Takes) {
    if act.kind != TargetKind::File {
        report.unnamed(act, at.span);
    } else if act.effect != Effect::None && takes != Takes::Optional {
        report.doubt(Reason::MalformedArgument, at.span);
    }
}

/// Reports what the operands do, under every meaning that the options chose.
pub(crate) fn operands(report: &mut Report, call: &Call<'_>, walked: &Walked<'_>) {
    let spread = if walked.is_recursive() { Spread::Tree } else { Spread::Single };
    let mut operands = walked.operands();
    let modes = modes(call, walked);
    for mode in &modes {
        apply(report, &mode.spec, mode.spec.operands, &operands, spread);
    }
    if !modes.iter().all(|mode| gives_way(mode, walked)) {
        return;
    }
    if !call.program.subs.is_empty() && !operands.is_empty() {
        let first = operands.remove(0);
        match first.known().and_then(|name| call.program.sub(name)) {
            Some(sub) => apply(report, &sub.spec, sub.spec.operands, &operands, spread),
            None => report.doubt(Reason::UnknownOption, first.span),
        }
        return;
    }
    let spec = &call.program.spec;
    let mut slots = spec.operands;
    if walked.has_any(call.program.pattern_from) {
        slots = slots.get(1..).unwrap_or_default();
    }
    apply(report, spec, slots, &operands, spread);
}

/// Whether the usual meaning is back although the mode was chosen.
fn gives_way(mode: &Mode, walked: &Walked<'_>) -> bool {
    let last = |wanted: fn(Role) -> bool| {
        walked.items.iter().rposition(|item| matches!(item, Item::Option { option, .. } if wanted(option.role)))
    };
    let is_mode = |role| matches!(role, Role::Mode(_));
    let operate = last(|role| matches!(role, Role::Operate));
    match mode.yields {
        Yields::Never => false,
        Yields::Always => true,
        Yields::After => operate > last(is_mode),
        Yields::Any => operate.is_some(),
        Yields::Beside => last(|role| !matches!(role, Role::Mode(_))).is_some(),
    }
}

/// The modes that the options choose; none is the usual meaning.
pub(crate) fn modes(call: &Call<'_>, walked: &Walked<'_>) -> Vec<&'static Mode> {
    let also = |(_, mode): &(usize, &Mode)| walked.has_any(mode.also);
    let mut chosen: Vec<usize> = call.program.modes.iter().enumerate().filter(also).map(|(index, _)| index).collect();
    for item in &walked.items {
        if let Item::Option { option: Opt { role: Role::Mode(index), .. }, .. } = item {
            chosen.push(*index);
        }
    }
    chosen.sort_unstable();
    chosen.dedup();
    let mut chosen: Vec<&Mode> = chosen.into_iter().filter_map(|index| call.program.modes.get(index)).collect();
    if chosen.iter().any(|mode| mode.rank == Rank::Alone) {
        chosen.retain(|mode| mode.rank == Rank::Alone);
    }
    chosen
}

fn apply(report: &mut Report, spec: &'static Spec, slots: &'static [Slot], operands: &[Arg<'_>], spread: Spread) {
    spec.always.iter().for_each(|fixed| report.fixed(fixed));
    // A word that is not known may stand for no word at all.
    let sure = operands.iter().filter(|arg| arg.kind != WordKind::Dynamic).count();
    let names_something = sure > slots.iter().take_while(|slot| is_inert(slot)).count();
    if !names_something {
        spec.bare.iter().for_each(|fixed| report.fixed(fixed));
        here_by_default(report, spec, slots, spread);
    }
    // Only the inert places are filled: what the command is to change is missing, or stands where it is not seen.
    let (filled, open) = slots.split_at(operands.len().min(slots.len()));
    if let (Some(last), true) = (operands.last(), open.iter().any(|slot| slot.role.changes()))
        && filled.iter().all(|slot| matches!(slot.role, Role::Text))
    {
        report.doubt(Reason::MalformedArgument, last.span);
    }
    for (index, arg) in operands.iter().enumerate() {
        let mut placed = false;
        for slot in slots_of(slots, operands, index) {
            placed = true;
            report.role(slot.role, *arg, spread);
        }
        if !placed {
            report.doubt(Reason::MalformedArgument, arg.span);
        }
    }
}

fn is_inert(slot: &Slot) -> bool {
    matches!(slot.role, Role::Text) && slot.count == Count::One
}

/// Programs that read below their operands read below the working folder when they have none.
fn here_by_default(report: &mut Report, spec: &'static Spec, slots: &'static [Slot], spread: Spread) {
    let Some(Role::Act(act)) = slots.last().map(|slot| slot.role) else {
        return;
    };
    if spread == Spread::Tree && spec.bare.is_empty() && act.kind == TargetKind::File && act.effect == Effect::None {
        let span = report.own_span();
        report.act(act, Arg { text: ".", kind: WordKind::Exact, span }, Spread::Tree);
    }
}

/// The slots that operand `index` may fall into. An uncertain word may be many words or none, so it and what follows
/// may also fall into the places after the one its position suggests.
fn slots_of(slots: &'static [Slot], operands: &[Arg<'_>], index: usize) -> Vec<&'static Slot> {
    let many = slots.iter().position(|slot| slot.count == Count::Many);
    let suffix = many.map_or(0, |at| slots.len().saturating_sub(at).saturating_sub(1));
    let from_end = operands.len().saturating_sub(index);
    let place = match many {
        // The operand is one of the last, which the closing slots claim.
        Some(_) if from_end <= suffix => slots.len().saturating_sub(from_end),
        Some(at) => index.min(at),
        None => index,
    };
    let shifted = operands.iter().take(index.saturating_add(1)).any(|arg| arg.is_uncertain());
    let only_uncertain_follow = operands.iter().skip(index.saturating_add(1)).all(|arg| arg.is_uncertain());
    let suffix_start = slots.len().saturating_sub(suffix);
    let fits = |at: usize| at == place || (shifted && at > place && (at < suffix_start || only_uncertain_follow));
    slots.iter().enumerate().filter(|(at, _)| fits(*at)).map(|(_, slot)| slot).collect()
}
