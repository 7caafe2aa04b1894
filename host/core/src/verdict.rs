//! What a judgement says: a decision, the rule that spoke first, and every reason.

use crate::declared::DeclaredKey;
use crate::floor::Invariant;
use crate::operation::Obligation;
use crate::toggle::ToggleKey;
use crate::words::{Word, words};
use alloc::string::String;
use alloc::vec::Vec;

words! {
    /// The answer. Ordered: the greatest is the strictest, and stages combine by maximum.
    Decision { Allow = "allow", Ask = "ask", Deny = "deny" }
}

words! {
    /// What would make a refused call work.
    Remedy { Human = "human", Config = "config", ModifyRequest = "modify-request", Wait = "wait" }
}

/// The rule that a reason comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// The call could not be read.
    Malformed,
    /// The configuration or the state folder is unusable.
    Configuration,
    /// The tool is not among those offered to the agent.
    Unavailable,
    /// A toggle gates the operation.
    Toggle(ToggleKey),
    /// A toggle that a vocabulary declared gates the operation.
    Declared(DeclaredKey),
    /// The principal's level does not reach so far.
    Level,
    /// The caller cannot honour an obligation.
    Obligation,
    /// The floor.
    Floor(Invariant),
    /// A person would have to answer and none can be reached.
    NoPerson,
}

impl Rule {
    /// The name for records.
    pub fn as_str(&self) -> &str {
        match self {
            Rule::Malformed => "request.malformed",
            Rule::Configuration => "gate.configuration",
            Rule::Unavailable => "capability.tool-unavailable",
            Rule::Toggle(key) => key.as_str(),
            Rule::Declared(key) => key.as_str(),
            Rule::Level => "safety.level",
            Rule::Obligation => "obligation.not-honoured",
            Rule::Floor(invariant) => invariant.as_str(),
            Rule::NoPerson => "approval.unreachable",
        }
    }

    /// What would make a call work that this rule refused.
    pub fn remedy(self) -> Remedy {
        match self {
            Rule::Malformed | Rule::Unavailable => Remedy::ModifyRequest,
            Rule::Configuration | Rule::Floor(Invariant::AuditLogging) => Remedy::Config,
            Rule::Toggle(_) | Rule::Declared(_) | Rule::Level | Rule::Obligation | Rule::Floor(_) | Rule::NoPerson => {
                Remedy::Human
            }
        }
    }
}

/// What a reason is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum About {
    /// The call as a whole.
    Call,
    /// The operation with this index in the assessment.
    Operation(usize),
    /// The unknown with this index in the assessment.
    Unknown(usize),
    /// The action with this index in the assessment.
    Node(usize),
}

/// One reason of a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The rule that spoke.
    pub rule: Rule,
    /// What it says.
    pub decision: Decision,
    /// About what.
    pub about: About,
    /// Why, in one sentence written by the core.
    pub detail: String,
}

/// The outcome of judging, before anybody acts on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    decision: Decision,
    reasons: Vec<Reason>,
    obligations: Vec<Obligation>,
}

impl Verdict {
    /// The strictest of the reasons, which stand in the order of the stages. No reason is no objection.
    pub fn new(reasons: Vec<Reason>, obligations: Vec<Obligation>) -> Verdict {
        let decision = reasons.iter().map(|reason| reason.decision).max().unwrap_or(Decision::Allow);
        Verdict { decision, reasons, obligations }
    }

    /// The decision.
    pub fn decision(&self) -> Decision {
        self.decision
    }

    /// The first reason, in the order of the stages, that reached the decision; `None` for an allow.
    pub fn leading(&self) -> Option<&Reason> {
        let reached = |reason: &&Reason| reason.decision == self.decision;
        if self.decision == Decision::Allow { None } else { self.reasons.iter().find(reached) }
    }

    /// Every reason.
    pub fn reasons(&self) -> &[Reason] {
        &self.reasons
    }

    /// What the caller must see to when it goes ahead.
    pub fn obligations(&self) -> &[Obligation] {
        &self.obligations
    }

    /// The same verdict with one more reason at the end.
    pub fn and(mut self, reason: Reason) -> Verdict {
        self.reasons.push(reason);
        Verdict::new(self.reasons, self.obligations)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stricter_decision_is_greater() {
        assert!(Decision::Allow < Decision::Ask && Decision::Ask < Decision::Deny);
    }
}
