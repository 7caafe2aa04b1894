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
    /// A program that is given further words, names of files among them.
    ExecOnFiles,
    /// Chooses another meaning of the operands, by index.
    Mode(usize),
    /// Asks for what the program usually does, whatever a mode that yields says.
    Operate,
    /// Permissions for what is made.
    ModeBits,
    /// What the names of the files that are made start with.
    Prefix,
    /// Gives way to a file beside it whose name is the same but for its ending.
    Stem,
    /// Gives way to a file in its folder, under any name.
    Neighbours,
    /// Says what is done with folders: all but two of its values go down into them.
    Folders,
    /// A file that names files, which are read.
    ListFile,
    /// A file that names hosts, which are reached.
    HostsFile,
    /// A screen to show things on, which may be that of another machine.
    Display,
    /// A part of the names of the files that are made.
    NamePart,
    /// A user of this machine, or `user@host`.
    Account,
    /// Something only the handler of the program understands.
    Tag(Tag),
}

impl Role {
    /// Whether what the role says about a word goes beyond reading.
    pub(crate) fn changes(self) -> bool {
        match self {
            Role::Act(act) => act.effect != Effect::None,
            Role::Flag | Role::Recursive | Role::Text | Role::Mode(_) | Role::Operate => false,
            Role::ModeBits | Role::NamePart | Role::Account | Role::Folders | Role::ListFile => false,
            Role::ExecShell | Role::ExecProgram | Role::ExecOnFiles | Role::HostsFile | Role::Display => true,
            Role::Prefix | Role::Stem | Role::Neighbours | Role::Tag(_) => true,
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
    /// The next word, even if letters follow, which are options of their own then.
    Next,
    /// The next words, up to an option or `@`.
    List,
}

/// One option under one of its names.
#[derive(Debug)]
pub(crate) struct Opt {
    /// With its dashes.
    pub(crate) name: &'static str,
    pub(crate) takes: Takes,
    pub(crate) role: Role,
    pub(crate) danger: Danger,
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

/// What brings the usual meaning back beside a mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Yields {
    Never,
    /// An option that asks for the usual meaning and stands after the options of the mode.
    After,
    /// An option that asks for the usual meaning, wherever it stands.
    Any,
    /// Any option but those of modes.
    Beside,
    /// Nothing is needed: the mode comes on top of the usual meaning.
    Always,
}

/// Whether a mode counts beside others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rank {
    Equal,
    /// Other modes mean nothing beside it.
    Alone,
}

/// A meaning of the operands that options choose.
#[derive(Debug)]
pub(crate) struct Mode {
    pub(crate) spec: Spec,
    /// Options that choose it and have a role of their own.
    pub(crate) also: &'static [&'static str],
    pub(crate) rank: Rank,
    pub(crate) yields: Yields,
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

/// Whether a word that starts with `@` names a file of further options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Response {
    No,
    Files,
}

/// What an option, or the worst option of a program, can do when a word turns out to be it. Ordered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Danger {
    /// Changes nothing.
    Harmless,
    /// Changes files.
    Writes,
    /// Runs code, reaches another machine, takes settings from elsewhere, or changes something that is no file.
    Leaves,
}

/// One program under one of its names.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) name: &'static str,
    pub(crate) handler: Handler,
    /// Sorted by name.
    pub(crate) options: &'static [Opt],
    pub(crate) spec: Spec,
    pub(crate) modes: &'static [Mode],
    /// Sorted by name.
    pub(crate) subs: &'static [Sub],
    /// Options after which the first operand is no pattern.
    pub(crate) pattern_from: &'static [&'static str],
    /// Options whose value is an ending for the names of what is written.
    pub(crate) suffix_from: &'static [&'static str],
    /// Options with which it asks on standard input, where an answer can be a command.
    pub(crate) commands_from_input: &'static [&'static str],
    pub(crate) order: Order,
    pub(crate) digits: Digits,
    pub(crate) plus: Option<Role>,
    pub(crate) obligations: &'static [ObligationKind],
    /// Variables it takes options, settings or programs from; a closing `*` stands for any end.
    pub(crate) env: &'static [&'static str],
    pub(crate) response: Response,
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

    /// Whether some operand is changed.
    pub(crate) fn changes_operands(&self) -> bool {
        self.spec.operands.iter().any(|slot| slot.role.changes())
    }

    /// Whether the program changes something when no option says otherwise.
    pub(crate) fn changes(&self) -> bool {
        let fixed = |fixed: &Fixed| fixed.act.effect != Effect::None;
        self.handler != Handler::Table
            || self.changes_operands()
            || self.spec.bare.iter().chain(self.spec.always).any(fixed)
    }

    /// The sub-command of this name.
    pub(crate) fn sub(&self, name: &str) -> Option<&'static Sub> {
        let found = self.subs.binary_search_by(|sub| sub.name.cmp(name)).ok()?;
        self.subs.get(found)
    }
}

include!(concat!(env!("OUT_DIR"), "/tables.rs"));
