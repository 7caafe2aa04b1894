//! Which verb, kind, access and native word belong together. Rules speak of kinds, so that an operation that is reported
//! under another kind than its own would pass them by. The tables here say for what rules look at what it must be called;
//! an answer that contradicts them is no answer, and a vocabulary that declares a contradiction is not taken.
//!
//! A row stands here for a predicate that would otherwise miss something, and says for which. What no row names is free.

use crate::operation::{Access, Effect, Operation, TargetKind, Trait, Verb};
use alloc::string::String;

pub use crate::kinds_table::{OF_KINDS, OF_NATIVES, OF_VERBS};

/// What a verb is done to. Everything else contradicts it, a target that is missing or unknown as well.
#[derive(Debug)]
pub struct OfVerb {
    /// The verb.
    pub verb: Verb,
    /// Kinds of the target.
    pub kinds: &'static [TargetKind],
    /// The rule, as a clause.
    pub why: &'static str,
}

/// What is done to a kind. Every other verb contradicts it.
#[derive(Debug)]
pub struct OfKind {
    /// The kind of the target.
    pub kind: TargetKind,
    /// The verbs.
    pub verbs: &'static [Verb],
    /// The rule, as a clause.
    pub why: &'static str,
}

/// Where a text stands in a native word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stands {
    /// It is the word.
    Whole,
    /// It is a part of the word, or the word.
    Part,
}

/// What a native word promises: some operation of this word is about one of these kinds. The others may be about what is
/// touched beside it, such as the file that goes along with a mail.
#[derive(Debug)]
pub struct OfNative {
    /// Small letters and digits; whatever else stands in a word does not count, nor do capitals.
    pub text: &'static str,
    /// Where the text stands.
    pub stands: Stands,
    /// Kinds, of which one is a step of the way to the target.
    pub kinds: &'static [TargetKind],
    /// The rule, as a clause.
    pub why: &'static str,
}

/// Why a verb is not done to a kind; `None` where nothing speaks against it. This is what a manifest is held to.
pub fn of_pair(verb: Verb, kind: Option<TargetKind>) -> Option<&'static str> {
    if verb == Verb::Nothing && kind.is_some() {
        return Some("what does nothing has no target");
    }
    let of_verb = OF_VERBS.iter().find(|row| row.verb == verb);
    let of_kind = OF_KINDS.iter().find(|row| Some(row.kind) == kind);
    let by_verb = of_verb.filter(|row| !kind.is_some_and(|kind| row.kinds.contains(&kind))).map(|row| row.why);
    by_verb.or_else(|| of_kind.filter(|row| !row.verbs.contains(&verb)).map(|row| row.why))
}

/// Why an operation contradicts itself; `None` where it does not.
pub fn of_operation(operation: &Operation) -> Option<&'static str> {
    let about = |kind| operation.target.iter().any(|step| step.kind == kind);
    let network = operation.traits.contains(Trait::Network);
    let local = matches!(operation.verb, Verb::Get | Verb::List | Verb::Configure);
    if let Some(why) = of_pair(operation.verb, operation.kind()) {
        return Some(why);
    }
    if operation.verb == Verb::Nothing && operation.effect != Effect::None {
        return Some("what does nothing leaves nothing behind");
    }
    if operation.access < least_access(operation.verb) {
        return Some("the access is less than the verb needs");
    }
    if about(TargetKind::GitRemote) && !local && !network {
        return Some("a git remote is reached over the network, or only looked up or set here");
    }
    let elsewhere = operation.kind() == Some(TargetKind::GitRef) && network && !about(TargetKind::GitRemote);
    elsewhere.then_some("a branch that is reached over the network is a remote's")
}

/// Why the native words of operations promise something that none of them is about; `None` where they do not. The end of a
/// transaction has the word of a recorded commit, and is told from it by its verb.
pub fn of_natives(operations: &[Operation]) -> Option<&'static str> {
    operations.iter().filter(|operation| operation.verb != Verb::Commit).find_map(|operation| {
        let letters = |character: &char| character.is_ascii_alphanumeric();
        let native: String = operation.native.chars().filter(letters).map(|it| it.to_ascii_lowercase()).collect();
        let promises = |row: &&OfNative| match row.stands {
            Stands::Whole => native == row.text,
            Stands::Part => native.contains(row.text),
        };
        let is_kept = |row: &&OfNative| {
            let same = operations.iter().filter(|other| other.native == operation.native);
            same.flat_map(|other| other.target.iter()).any(|step| row.kinds.contains(&step.kind))
        };
        OF_NATIVES.iter().filter(promises).find(|row| !is_kept(row)).map(|row| row.why)
    })
}

/// The least access that a verb needs. What reads or changes is not hidden behind a smaller word.
fn least_access(verb: Verb) -> Access {
    match verb {
        Verb::Create
        | Verb::Update
        | Verb::Patch
        | Verb::Delete
        | Verb::Deletecollection
        | Verb::Bind
        | Verb::Escalate
        | Verb::Approve
        | Verb::Grant
        | Verb::Revoke
        | Verb::Configure
        | Verb::Upload
        | Verb::Send => Access::Tagging,
        Verb::Get | Verb::Watch | Verb::Use | Verb::Download => Access::Read,
        Verb::List
        | Verb::Impersonate
        | Verb::Sign
        | Verb::Connect
        | Verb::Exec
        | Verb::Begin
        | Verb::Commit
        | Verb::Rollback
        | Verb::Lock
        | Verb::Nothing
        | Verb::Unknown => Access::List,
    }
}

#[cfg(test)]
#[path = "kinds_tests.rs"]
mod tests;
