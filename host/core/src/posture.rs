//! What an operator holds still: resources that are pinned, a freeze of everything, a session that only reads, and writes
//! that are limited to some verbs. These win over every level and every approval, and nothing in a call reaches them.

use crate::assess::{Assessed, Assessment};
use crate::gates::called;
use crate::judge::Standing;
use crate::level::Criticality;
use crate::operation::{Effect, Operation};
use crate::resource::ResourcePattern;
use crate::verdict::{About, Decision, Reason, Rule};
use crate::words::{Word, words};
use alloc::string::String;
use alloc::vec::Vec;

/// Most pins, and most patterns that say which resources are production.
pub const PATTERNS_MAX: usize = 512;
/// Most verbs that writes are limited to.
pub const WRITE_VERBS_MAX: usize = 256;

words! {
    /// What a session may do at all.
    SessionAccess { Full = "full", ReadOnly = "read-only" }
}

/// A resource that nobody changes through the gate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pin {
    /// What is pinned, with everything below it.
    pub resource: ResourcePattern,
    /// Where the operator wrote it, as `FILE:LINE`.
    pub source: String,
}

/// A stop of every change, until a person ends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Freeze {
    /// Who froze.
    pub by: String,
    /// Why.
    pub why: String,
    /// Since when, in milliseconds after the Unix epoch.
    pub since_ms: u64,
}

/// How much losing some resources matters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weight {
    /// Which resources.
    pub resource: ResourcePattern,
    /// How much.
    pub criticality: Criticality,
    /// Where the operator wrote it, as `FILE:LINE`.
    pub source: String,
}

/// Which changes exist at all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum WriteScope {
    /// All of them.
    #[default]
    All,
    /// Those whose verb, native word or tool is one of these.
    Only(Vec<String>),
}

impl WriteScope {
    /// Whether a word names a change that exists.
    pub fn names(&self, word: &str) -> bool {
        match self {
            WriteScope::All => true,
            WriteScope::Only(words) => words.iter().any(|listed| listed == word),
        }
    }

    /// What exists in both.
    pub fn narrowed(self, other: WriteScope) -> WriteScope {
        match (self, other) {
            (WriteScope::All, scope) | (scope, WriteScope::All) => scope,
            (WriteScope::Only(mut words), other @ WriteScope::Only(_)) => {
                words.retain(|word| other.names(word));
                WriteScope::Only(words)
            }
        }
    }
}

/// Everything an operator holds still.
///
/// Where the configuration cannot be read nobody knows what is pinned, so nothing changes until it can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Posture {
    /// Resources that are pinned.
    pub pins: Vec<Pin>,
    /// The freeze that is in force.
    pub freeze: Option<Freeze>,
    /// What the session may do at all.
    pub session: SessionAccess,
    /// Which changes exist at all.
    pub writes: WriteScope,
    /// Which resources are production and which are not.
    pub weights: Vec<Weight>,
    /// Milliseconds for which every change waits before it happens, so that somebody can take it back; 0 for none.
    pub undo_window_ms: u64,
    /// Why the configuration cannot be read, if it cannot.
    pub unreadable: Option<String>,
}

impl Posture {
    /// Nothing is held still.
    pub const FREE: Posture = Posture {
        pins: Vec::new(),
        freeze: None,
        session: SessionAccess::Full,
        writes: WriteScope::All,
        weights: Vec::new(),
        undo_window_ms: 0,
        unreadable: None,
    };

    /// How much losing what an operation touches matters. Production wins over ordinary wherever both may be meant, and a
    /// resource is ordinary only if it certainly is.
    pub fn criticality(&self, assessed: &Assessed) -> Criticality {
        let says = |weight: &Weight, word| weight.criticality == word;
        let production = |weight: &Weight| says(weight, Criticality::Production) && weight.resource.may_touch(assessed);
        let ordinary =
            |weight: &Weight| says(weight, Criticality::Ordinary) && weight.resource.certainly_covers(assessed);
        if self.weights.iter().any(production) {
            Criticality::Production
        } else if self.weights.iter().any(ordinary) {
            Criticality::Ordinary
        } else {
            Criticality::of(assessed)
        }
    }
}

impl Default for Posture {
    fn default() -> Posture {
        Posture::FREE
    }
}

/// What is held still says no, and says why.
pub fn held(assessment: &Assessment, standing: &Standing) -> Vec<Reason> {
    let posture = &standing.posture;
    let mut reasons = Vec::new();
    for (index, assessed) in assessment.operations().iter().enumerate().filter(|(_, one)| changes(&one.operation)) {
        let objections = [
            unreadable(posture).map(|detail| (Rule::Configuration, detail)),
            pinned(posture, assessed),
            frozen(posture).map(|detail| (Rule::Frozen, detail)),
            read_only(posture).map(|detail| (Rule::ReadOnlySession, detail.into())),
            out_of_scope(posture, assessed, assessment),
        ];
        reasons.extend(
            objections.into_iter().flatten().map(|(rule, detail)| denial(rule, About::Operation(index), detail)),
        );
    }
    // What is not understood may change something.
    let stopped = unreadable(posture)
        .map(|detail| (Rule::Configuration, detail))
        .or_else(|| frozen(posture).map(|detail| (Rule::Frozen, detail)))
        .or_else(|| read_only(posture).map(|detail| (Rule::ReadOnlySession, detail.into())))
        .or_else(|| limited(posture).map(|detail| (Rule::WriteScope, detail.into())));
    if let Some((rule, detail)) = stopped {
        let about = (0..assessment.unknowns().len()).map(About::Unknown);
        let nothing_known = !assessment.is_known() && assessment.unknowns().is_empty();
        let about = about.chain(nothing_known.then_some(About::Call));
        reasons.extend(about.map(|about| denial(rule, about, detail.clone())));
    }
    reasons.sort_by_key(|reason| order(reason.rule));
    reasons
}

/// Pins speak first, then a freeze, then what the session was started with.
fn order(rule: Rule) -> u8 {
    match rule {
        Rule::Configuration => 0,
        Rule::Pinned => 1,
        Rule::Frozen => 2,
        Rule::ReadOnlySession => 3,
        Rule::WriteScope => 4,
        Rule::Malformed
        | Rule::Unavailable
        | Rule::Toggle(_)
        | Rule::Declared(_)
        | Rule::Level
        | Rule::Obligation
        | Rule::Advice
        | Rule::Floor(_)
        | Rule::NoPerson
        | Rule::TakenBack => 5,
    }
}

fn denial(rule: Rule, about: About, detail: String) -> Reason {
    Reason::new(rule, Decision::Deny, about, detail)
}

/// Whether an operation changes anything.
pub fn changes(operation: &Operation) -> bool {
    operation.writes() && operation.effect != Effect::None
}

fn pinned(posture: &Posture, assessed: &Assessed) -> Option<(Rule, String)> {
    let pin = posture.pins.iter().find(|pin| pin.resource.may_touch(assessed))?;
    Some((Rule::Pinned, alloc::format!("`{}` is pinned ({}): it is read and never changed", pin.resource, pin.source)))
}

fn unreadable(posture: &Posture) -> Option<String> {
    let problem = posture.unreadable.as_ref()?;
    Some(alloc::format!("the configuration cannot be read, so nothing is changed: {problem}"))
}

fn frozen(posture: &Posture) -> Option<String> {
    let freeze = posture.freeze.as_ref()?;
    Some(alloc::format!("everything is frozen by {}: {}", freeze.by, freeze.why))
}

fn read_only(posture: &Posture) -> Option<&'static str> {
    (posture.session == SessionAccess::ReadOnly).then_some("the session was started to read only")
}

fn limited(posture: &Posture) -> Option<&'static str> {
    let only = matches!(posture.writes, WriteScope::Only(_));
    only.then_some("the session may change only some things, and this is not understood")
}

fn out_of_scope(posture: &Posture, assessed: &Assessed, assessment: &Assessment) -> Option<(Rule, String)> {
    let operation = &assessed.operation;
    let scope = &posture.writes;
    let tool = called(assessment).is_some_and(|tool| scope.names(&tool.name));
    if tool || scope.names(operation.verb.as_str()) || scope.names(&operation.native) {
        return None;
    }
    Some((Rule::WriteScope, alloc::format!("the session may not change anything by `{}`", operation.verb)))
}

#[cfg(test)]
#[path = "posture_tests.rs"]
mod tests;
