//! The types of the option tables and the tables themselves, as the build script wrote them: sorted static data.
//!
//! This module must never compute a table when a call starts.

use holdpoint_guest::{Access, Effect, ObligationKind, Scope, TargetKind, Traits, Verb};

/// What a word of a command does, without the word.
#[derive(Debug)]
pub(crate) struct Act {
    pub(crate) verb: Verb,
    pub(crate) kind: TargetKind,
    pub(crate) effect: Effect,
    /// `None`: the level that usually goes with the verb.
    pub(crate) access: Option<Access>,
    /// `None`: told by the word.
    pub(crate) scope: Option<Scope>,
    /// A name that replaces the word, for example `clock`.
    pub(crate) name: Option<&'static str>,
    pub(crate) traits: Traits,
    pub(crate) dash: Dash,
}

/// How the word `-` is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dash {
    /// A file of that name.
    File,
    /// Standard input or output.
    Stream,
}

/// What an option, its value, or an operand means.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Role {
    /// Changes nothing that outlives the program.
    Flag,
    /// Makes the operands stand for everything below them.
    Recursive,
    /// Data.
    Text,
    /// Does something to what the word names.
    Act(&'static Act),
    /// A command line for a shell.
    ExecShell,
    /// A program, with arguments split at spaces.
    ExecProgram,
    /// Chooses another meaning of the operands, by index.
    Mode(usize),
    /// Something only the handler of the program understands.
    Tag(Tag),
}

impl Role {
    /// Whether what the role says about a word goes beyond reading.
    pub(crate) fn changes(self) -> bool {
        match self {
            Role::Act(act) => act.effect != Effect::None,
            Role::Flag | Role::Recursive | Role::Text | Role::Mode(_) => false,
            Role::ExecShell | Role::ExecProgram | Role::Tag(_) => true,
        }
    }
}

/// Whether an option has an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Takes {
    Nothing,
    Required,
    /// Only attached: `--color=always`, `-i.bak`.
    Optional,
}

/// One option under one of its names.
#[derive(Debug)]
pub(crate) struct Opt {
    /// With its dashes.
    pub(crate) name: &'static str,
    pub(crate) takes: Takes,
    pub(crate) role: Role,
}

/// How many operands a slot takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Count {
    One,
    Many,
}

/// What operands at one place mean.
#[derive(Debug)]
pub(crate) struct Slot {
    pub(crate) role: Role,
    pub(crate) count: Count,
}

/// Something a program does to a thing that no word names.
#[derive(Debug)]
pub(crate) struct Fixed {
    pub(crate) act: &'static Act,
    pub(crate) name: Option<&'static str>,
}

/// What the operands mean, what happens without any, and what happens in any case.
#[derive(Debug)]
pub(crate) struct Spec {
    pub(crate) operands: &'static [Slot],
    pub(crate) bare: &'static [Fixed],
    pub(crate) always: &'static [Fixed],
}

/// What the operands after a sub-command mean.
#[derive(Debug)]
pub(crate) struct Sub {
    pub(crate) name: &'static str,
    pub(crate) spec: Spec,
}

/// Where options may stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    Permute,
    Strict,
}

/// How a word such as `-5` is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Digits {
    Options,
    Number,
}

/// Whether some option of the program runs code, writes or reaches another machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Danger {
    Harmless,
    Risky,
}

/// One program under one of its names.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) name: &'static str,
    pub(crate) handler: Handler,
    /// Sorted by name.
    pub(crate) options: &'static [Opt],
    pub(crate) spec: Spec,
    pub(crate) modes: &'static [Spec],
    /// Sorted by name.
    pub(crate) subs: &'static [Sub],
    /// Options after which the first operand is no pattern.
    pub(crate) pattern_from: &'static [&'static str],
    pub(crate) order: Order,
    pub(crate) digits: Digits,
    pub(crate) plus: Option<Role>,
    pub(crate) obligations: &'static [ObligationKind],
    pub(crate) danger: Danger,
}

impl Program {
    /// The program of this name.
    pub(crate) fn named(name: &str) -> Option<&'static Program> {
        let found = PROGRAMS.binary_search_by(|program| program.name.cmp(name)).ok()?;
        PROGRAMS.get(found)
    }

    /// The option of exactly this name.
    pub(crate) fn option(&self, name: &str) -> Option<&'static Opt> {
        let found = self.options.binary_search_by(|option| option.name.cmp(name)).ok()?;
        self.options.get(found)
    }

    /// Whether the program changes something when no option says otherwise.
    pub(crate) fn changes(&self) -> bool {
        let fixed = |fixed: &Fixed| fixed.act.effect != Effect::None;
        self.handler != Handler::Table
            || self.spec.operands.iter().any(|slot| slot.role.changes())
            || self.spec.bare.iter().chain(self.spec.always).any(fixed)
    }

    /// The sub-command of this name.
    pub(crate) fn sub(&self, name: &str) -> Option<&'static Sub> {
        let found = self.subs.binary_search_by(|sub| sub.name.cmp(name)).ok()?;
        self.subs.get(found)
    }
}

include!(concat!(env!("OUT_DIR"), "/tables.rs"));
