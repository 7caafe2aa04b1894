//! Patterns for resources, as an operator writes them: `namespace:payments`, `file:/srv/prod`, or several steps from the
//! root on, such as `cluster:prod-* > namespace:payments`. A pattern covers what it names and everything below it.

use crate::assess::Assessed;
use crate::glob::{Reach, escape, has_wildcard, matches_everything, names_meet, paths_meet};
use crate::operation::{Certainty, Scope, Segment, TargetKind};
use crate::paths::{AbsPath, Place};
use crate::places::reach;
use crate::words::{Word, words};
use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// Most steps of a pattern.
pub const PATTERN_STEPS_MAX: usize = 8;
/// Longest pattern, in bytes.
pub const PATTERN_BYTES_MAX: usize = 1024;
/// What stands between two steps.
const STEP_BREAK: char = '>';
/// The kind that stands for every kind.
const ANY_KIND: &str = "*";
/// The end of a pattern of names that stands for everything below.
const BELOW: &str = "**";

words! {
    /// Why a text is no pattern for resources.
    PatternError {
        Empty = "a step is empty", TooLong = "it is longer than 1024 bytes", TooDeep = "it has more than 8 steps",
        NoKind = "a step has no kind: write `KIND:NAME`, such as `file:/srv/prod` or `host:*.example.org`",
        UnknownKind = "a step has a kind that does not exist",
        RelativeFile = "a file is not named by an absolute path, so the step can never match",
        BehindFile = "a step stands behind a file, where nothing can lie, so it can never match",
    }
}

/// A pattern for resources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourcePattern {
    steps: Vec<Step>,
}

/// One step of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Step {
    /// `None` for every kind.
    kind: Option<TargetKind>,
    name: String,
}

impl ResourcePattern {
    /// Reads a pattern. What could never match anything is an error.
    pub fn parse(text: &str) -> Result<ResourcePattern, PatternError> {
        if text.len() > PATTERN_BYTES_MAX {
            return Err(PatternError::TooLong);
        }
        let steps: Vec<Step> = text.split(STEP_BREAK).map(|step| Step::parse(step.trim())).collect::<Result<_, _>>()?;
        if steps.len() > PATTERN_STEPS_MAX {
            return Err(PatternError::TooDeep);
        }
        let before_last = steps.len().saturating_sub(1);
        if steps.iter().take(before_last).any(|step| step.kind == Some(TargetKind::File)) {
            return Err(PatternError::BehindFile);
        }
        Ok(ResourcePattern { steps })
    }

    /// Whether an operation may touch what the pattern covers: the resource itself, something below it, or, where the
    /// operation takes everything below its target or removes it, something above it. What is not certain may be anything
    /// of its kind.
    pub fn may_touch(&self, assessed: &Assessed) -> bool {
        let mut wanted = self.steps.iter().peekable();
        for segment in &assessed.operation.target {
            if wanted.next_if(|step| step.may_be(segment, assessed)).is_some() && wanted.peek().is_none() {
                return true;
            }
        }
        self.may_lie_below(assessed)
    }

    /// Whether the operation certainly stays within what the pattern covers.
    pub fn certainly_covers(&self, assessed: &Assessed) -> bool {
        // What goes beyond the target may go beyond what was named.
        if assessed.operation.scope > Scope::AllInParent {
            return false;
        }
        let mut wanted = self.steps.iter().peekable();
        for segment in &assessed.operation.target {
            if wanted.next_if(|step| step.certainly_is(segment, assessed)).is_some() && wanted.peek().is_none() {
                return true;
            }
        }
        false
    }

    /// Whether everything that another pattern covers is certainly covered by this one, so that the other adds nothing.
    pub fn covers(&self, other: &ResourcePattern) -> bool {
        let mut wanted = self.steps.iter().peekable();
        other.steps.iter().any(|step| wanted.next_if(|own| own.covers(step)).is_some() && wanted.peek().is_none())
    }

    /// Whether the operation reaches down to what the pattern names: it takes all of something that can hold it, and no step
    /// of its way is another one than the pattern's.
    fn may_lie_below(&self, assessed: &Assessed) -> bool {
        let target = &assessed.operation.target;
        let takes_all = reach(assessed.operation.scope) == Reach::Below || assessed.operation.removes();
        let agrees = |segment: &Segment| {
            let mut same = self.steps.iter().filter(|step| step.kind == Some(segment.kind));
            same.all(|step| step.may_be(segment, assessed))
        };
        let on_the_way = |segment: &Segment| self.steps.iter().any(|step| step.kind == Some(segment.kind));
        let holds = target.last().is_some_and(|last| can_hold_others(last.kind) || on_the_way(last));
        // A pattern whose last step is of the target's own kind was compared with it already.
        let last_kind = self.steps.last().and_then(|step| step.kind);
        let below = target.last().is_some_and(|last| last_kind != Some(last.kind));
        takes_all && holds && below && target.iter().all(agrees)
    }
}

/// Whether resources of other kinds can lie in one of this kind.
fn can_hold_others(kind: TargetKind) -> bool {
    match kind {
        TargetKind::Machine
        | TargetKind::Host
        | TargetKind::Filesystem
        | TargetKind::Mount
        | TargetKind::User
        | TargetKind::Service
        | TargetKind::GitRemote
        | TargetKind::Mailbox
        | TargetKind::Unknown => true,
        TargetKind::File
        | TargetKind::Process
        | TargetKind::Environment
        | TargetKind::ShellState
        | TargetKind::Terminal
        | TargetKind::Credential
        | TargetKind::Schedule
        | TargetKind::Package
        | TargetKind::SystemSetting
        | TargetKind::Code
        | TargetKind::GitCommit
        | TargetKind::GitRef
        | TargetKind::Recipient
        | TargetKind::MemoryEntry
        | TargetKind::VaultCapability
        | TargetKind::Microphone
        | TargetKind::BrowserElement
        | TargetKind::ToolSchema
        | TargetKind::SelfModification
        | TargetKind::Application
        | TargetKind::PersonalData => false,
    }
}

impl fmt::Display for ResourcePattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.steps.iter().enumerate() {
            let kind = step.kind.map_or(ANY_KIND, Word::as_str);
            write!(formatter, "{}{kind}:{}", if index == 0 { "" } else { " > " }, step.name)?;
        }
        Ok(())
    }
}

impl Step {
    fn parse(text: &str) -> Result<Step, PatternError> {
        if text.is_empty() {
            return Err(PatternError::Empty);
        }
        let (kind, name) = text.split_once(':').ok_or(PatternError::NoKind)?;
        let kind = match kind.trim() {
            ANY_KIND => None,
            word => Some(TargetKind::from_word(word).ok_or(PatternError::UnknownKind)?),
        };
        let name = name.trim();
        if name.is_empty() {
            return Err(PatternError::Empty);
        }
        if kind == Some(TargetKind::File) && !name.starts_with('/') {
            return Err(PatternError::RelativeFile);
        }
        Ok(Step { kind, name: name.to_owned() })
    }

    /// Whether whatever the other step may be lies within this one.
    fn covers(&self, other: &Step) -> bool {
        if self.kind.is_some() && self.kind != other.kind {
            return false;
        }
        if matches_everything(&self.name) || self.name.to_lowercase() == other.name.to_lowercase() {
            return true;
        }
        let same = |(own, other): (&str, &str)| own.to_lowercase() == other.to_lowercase();
        let is_file = self.kind == Some(TargetKind::File);
        is_file
            && self.file_names().count() <= other.file_names().count()
            && self.file_names().zip(other.file_names()).all(same)
    }

    /// Names are compared without regard to case: some resources do not distinguish it.
    fn may_be(&self, segment: &Segment, assessed: &Assessed) -> bool {
        let of_kind = self.kind.is_none_or(|kind| kind == segment.kind || segment.kind == TargetKind::Unknown);
        if !of_kind {
            return false;
        }
        if segment.kind == TargetKind::File && self.name.starts_with('/') {
            return self.may_be_file(segment, assessed);
        }
        match segment.certainty {
            Certainty::Dynamic => true,
            Certainty::Glob => names_meet(&self.name.to_lowercase(), &segment.name.to_lowercase()),
            Certainty::Exact => names_meet(&self.name.to_lowercase(), &escape(&segment.name.to_lowercase())),
        }
    }

    fn may_be_file(&self, segment: &Segment, assessed: &Assessed) -> bool {
        // A file of another machine has no place on this one.
        let elsewhere = || Place::resolve(&segment.name, segment.certainty, None);
        let place = assessed.place.clone().unwrap_or_else(elsewhere);
        let Some(own) = place.pattern() else { return true };
        let own: Vec<String> = own.iter().map(|name| name.to_lowercase()).collect();
        let mut names: Vec<String> = self.file_names().map(|name| name.to_lowercase()).collect();
        let above = paths_meet(&own, &names, reach(assessed.operation.scope))
            || (assessed.operation.removes() && paths_meet(&own, &names, Reach::Below));
        names.push(BELOW.to_string());
        above || paths_meet(&own, &names, Reach::Itself)
    }

    fn file_names(&self) -> impl Iterator<Item = &str> {
        self.name.split('/').filter(|name| !name.is_empty())
    }

    fn certainly_is(&self, segment: &Segment, assessed: &Assessed) -> bool {
        if self.kind.is_some_and(|kind| kind != segment.kind) {
            return false;
        }
        if segment.kind == TargetKind::File {
            let folder = AbsPath::parse(&self.name).filter(|_| !self.file_names().any(has_wildcard));
            return folder.is_some_and(|folder| assessed.place.as_ref().is_some_and(|place| place.is_within(&folder)));
        }
        segment.certainty == Certainty::Exact && names_meet(&self.name, &escape(&segment.name))
    }
}

#[cfg(test)]
#[path = "resource_tests.rs"]
mod tests;
