//! Commands as their tables describe them. It must never let a mode take away what another option adds.

use holdpoint_guest::{Effect, ObligationKind, Reason};

use crate::parse::{Names, Words};
use crate::place::path_in;
use crate::remote;
use crate::report::Report;
use crate::settings;
use crate::table::{ACT_SEE_PATH, ACT_SEE_TREE, Command, Count, Rank, Role, Slot, Spec};
use crate::words::Arg;

/// Ways to merge that git brings along.
const STRATEGIES: &[&str] = &["octopus", "ort", "ours", "recursive", "resolve", "subtree"];

/// Reports the options and the operands of a command.
pub(crate) fn report(command: &'static Command, words: &Words<'_>, out: &mut Report) {
    options(words, out);
    for spec in specs(command, words) {
        meaning(spec, words, out);
    }
}

/// Reports doubts, and what options do beside the usual.
pub(crate) fn options(words: &Words<'_>, out: &mut Report) {
    for doubt in &words.doubts {
        out.doubt(doubt.reason, doubt.origin);
    }
    if words.names == Names::MayBeOptions {
        out.oblige(ObligationKind::EndOfOptions);
    }
    for given in &words.given {
        match (given.option.role, given.value) {
            (Role::Unjudged | Role::Harmless | Role::Mark(_) | Role::Mode(_), _) => {}
            (Role::Act(act), value) => match value {
                Some(value) => out.act(act, value),
                None => out.fixed(act),
            },
            (Role::Far, Some(value)) => remote::look(value, out),
            (role, Some(value)) => word(role, value, out),
            (_, None) => out.doubt(Reason::MalformedArgument, given.at.span),
        }
    }
}

/// What the operands mean: one meaning, or several where several modes were chosen.
fn specs(command: &'static Command, words: &Words<'_>) -> Vec<&'static Spec> {
    let chosen = words.given.iter().filter_map(|given| match given.option.role {
        Role::Mode(index) => command.modes.get(index),
        _ => None,
    });
    let mut chosen: Vec<_> = chosen.collect();
    if let Some(alone) = chosen.iter().find(|mode| mode.rank == Rank::Alone) {
        return vec![&alone.spec];
    }
    chosen.sort_by_key(|mode| std::ptr::from_ref(*mode).addr());
    chosen.dedup_by(|one, other| std::ptr::eq(*one, *other));
    if chosen.is_empty() { vec![&command.spec] } else { chosen.into_iter().map(|mode| &mode.spec).collect() }
}

/// Reports one meaning of the operands.
pub(crate) fn meaning(spec: &'static Spec, words: &Words<'_>, out: &mut Report) {
    spec.does.iter().for_each(|act| out.fixed(act));
    if words.operands.is_empty() {
        spec.bare.iter().for_each(|act| out.fixed(act));
        let changes = |slot: &Slot| matches!(slot.role, Role::Act(act) if act.effect != Effect::None);
        // What is changed is missing, and git may have a usual one for it.
        if spec.does.is_empty() && spec.bare.is_empty() && spec.operands.first().is_some_and(changes) {
            out.doubt(Reason::MalformedArgument, out.own_span());
        }
    }
    for (index, arg) in words.operands.iter().enumerate() {
        let is_path = words.before_dashes.is_some_and(|before| index >= before);
        match slot(spec.operands, index, words.operands.len()).map(|slot| slot.role) {
            Some(Role::Rev) if is_path => out.act(&ACT_SEE_PATH, *arg),
            Some(role) => word(role, *arg, out),
            None => out.doubt(Reason::MalformedArgument, arg.span),
        }
    }
}

/// The slot of the operand at `index`; one that takes many leaves as many as stand behind it.
fn slot(slots: &'static [Slot], index: usize, operands: usize) -> Option<&'static Slot> {
    let Some(many) = slots.iter().position(|slot| slot.count == Count::Many) else {
        return slots.get(index);
    };
    let behind = slots.len().saturating_sub(many).saturating_sub(1);
    let from_end = operands.saturating_sub(index);
    if index < many {
        slots.get(index)
    } else if from_end <= behind && operands > many {
        slots.get(slots.len().saturating_sub(from_end))
    } else {
        slots.get(many)
    }
}

/// Reports what a word means.
fn word(role: Role, arg: Arg<'_>, out: &mut Report) {
    match role {
        Role::Unjudged => out.doubt(Reason::UnknownOption, arg.span),
        Role::Harmless | Role::Text | Role::Mode(_) | Role::Mark(_) => {}
        Role::Rev => {
            if let Some(path) = path_in(arg) {
                out.act(&ACT_SEE_PATH, path);
            }
        }
        Role::Far => remote::beside(arg, &ACT_SEE_TREE, out),
        Role::Shell => out.shell(arg),
        Role::Helper => out.helper(arg),
        Role::Pair => settings::pair(arg, out),
        Role::Strategy if arg.known().is_some_and(|name| STRATEGIES.contains(&name)) => {}
        Role::Strategy => out.unseen_code(arg.span),
        Role::Act(act) => out.act(act, arg),
    }
}
