//! The types of the tables and the tables themselves, as the build script wrote them: sorted static data.
//!
//! This module must never compute a table when a call starts.

use holdpoint_guest::{Effect, Scope, TargetKind, Traits, Verb};

/// What a command does, without the word it does it to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Act {
    pub(crate) verb: Verb,
    /// `None`: nothing is done.
    pub(crate) kind: Option<TargetKind>,
    pub(crate) effect: Effect,
    pub(crate) scope: Scope,
    /// In place of a word: `.` is the folder of the repository, `?` is not known.
    pub(crate) name: Option<&'static str>,
    pub(crate) traits: Traits,
}

/// What an option, its value, or an operand means.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Role {
    /// Git knows the option, but nobody said here what it does.
    Unjudged,
    /// Changes nothing that outlives the command.
    Harmless,
    /// Data.
    Text,
    /// A revision, or a path where it looks like one.
    Rev,
    /// Another repository.
    Far,
    /// A command line for a shell.
    Shell,
    /// A command line for a shell that is given more than its words.
    Helper,
    /// A setting, as `name=value`.
    Pair,
    /// A way to merge. One that git does not bring along is a program.
    Strategy,
    /// Does something to what the word names.
    Act(&'static Act),
    /// Chooses another meaning of the operands, by index.
    Mode(usize),
    /// Something only a handler understands.
    Mark(Mark),
}

/// Whether an option has an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Takes {
    Nothing,
    Required,
    /// Only attached: `--color=always`, `-U5`.
    Optional,
}

/// One option under one of its names.
#[derive(Debug)]
pub(crate) struct Opt {
    /// With its dashes; `-#` is any number.
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

/// What happens in any case, what happens without operands, and what operands mean.
#[derive(Debug)]
pub(crate) struct Spec {
    pub(crate) does: &'static [&'static Act],
    pub(crate) bare: &'static [&'static Act],
    pub(crate) operands: &'static [Slot],
}

/// Whether a mode counts beside others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rank {
    Equal,
    /// Nothing else counts beside it.
    Alone,
}

/// A meaning of the operands that options choose.
#[derive(Debug)]
pub(crate) struct Mode {
    pub(crate) spec: Spec,
    pub(crate) rank: Rank,
}

/// Where options may stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    Permute,
    Strict,
}

/// What of a repository may start a program. Ordered.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Runs {
    Nothing,
    /// Its configuration: watchers of files, filters, drivers, pagers.
    Config,
    /// Its hooks as well.
    Hooks,
}

/// One command.
#[derive(Debug)]
pub(crate) struct Command {
    /// `stash/pop` is the second word `pop` of `stash`.
    pub(crate) name: &'static str,
    pub(crate) handler: Handler,
    pub(crate) runs: Runs,
    pub(crate) order: Order,
    pub(crate) spec: Spec,
    pub(crate) modes: &'static [Mode],
    /// Sorted by name.
    pub(crate) options: &'static [Opt],
}

impl Command {
    /// The command of this name.
    pub(crate) fn named(name: &str) -> Option<&'static Command> {
        let found = COMMANDS.binary_search_by(|command| command.name.cmp(name)).ok()?;
        COMMANDS.get(found)
    }

    /// The option of exactly this name.
    pub(crate) fn option(&self, name: &str) -> Option<&'static Opt> {
        let found = self.options.binary_search_by(|option| option.name.cmp(name)).ok()?;
        self.options.get(found)
    }

    /// The long option that git takes `name` for: an exact match, or the only one that starts so.
    pub(crate) fn long(&self, name: &str) -> Option<&'static Opt> {
        if let Some(option) = self.option(name) {
            return Some(option);
        }
        let start = self.options.partition_point(|option| option.name < name);
        let mut candidates = self.options.iter().skip(start).take_while(|option| option.name.starts_with(name));
        let first = candidates.next().filter(|_| name.len() > 2)?;
        candidates.next().is_none().then_some(first)
    }
}

include!(concat!(env!("OUT_DIR"), "/tables.rs"));
