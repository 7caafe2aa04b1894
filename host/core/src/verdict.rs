//! What a judgement says: a decision, the rule that spoke first, and every reason.

use crate::asking::Strength;
use crate::declared::DeclaredKey;
use crate::floor::Invariant;
use crate::operation::{Obligation, ObligationKind};
use crate::toggle::{Permissive, ToggleKey};
use crate::words::{Word, words};
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

words! {
    /// The answer. Ordered: the greatest is the strictest, and stages combine by maximum.
    Decision { Allow = "allow", Ask = "ask", Deny = "deny" }
}

/// What would make a refused call work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// A person has to act.
    Human,
    /// Something that an operator configured is in the way.
    Config,
    /// The action as it is shaped is refused; a narrower one may pass.
    ModifyRequest {
        /// What would pass.
        instead: Cow<'static, str>,
    },
    /// A time has to pass. There is no waiting without an end.
    Wait {
        /// Seconds until it may be tried again.
        retry_after_s: u32,
    },
}

impl Remedy {
    /// The word for records.
    pub fn as_str(&self) -> &'static str {
        match self {
            Remedy::Human => "human",
            Remedy::Config => "config",
            Remedy::ModifyRequest { .. } => "modify-request",
            Remedy::Wait { .. } => "wait",
        }
    }

    /// Whether the same call may pass later without anybody's doing. It follows from the remedy and from nothing else.
    pub fn is_retryable(&self) -> bool {
        self.retry_after_s().is_some()
    }

    /// Seconds until it may be tried again, where waiting is the remedy.
    pub fn retry_after_s(&self) -> Option<u32> {
        match self {
            Remedy::Wait { retry_after_s } => Some(*retry_after_s),
            Remedy::Human | Remedy::Config | Remedy::ModifyRequest { .. } => None,
        }
    }
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
    /// The resource is pinned.
    Pinned,
    /// Everything is frozen.
    Frozen,
    /// The session only reads.
    ReadOnlySession,
    /// The session may change only some things.
    WriteScope,
    /// A toggle gates the operation.
    Toggle(ToggleKey),
    /// A toggle that a vocabulary declared gates the operation.
    Declared(DeclaredKey),
    /// The principal's level does not reach so far.
    Level,
    /// The caller cannot honour an obligation.
    Obligation,
    /// Live state says that it is not the time.
    Advice,
    /// The floor.
    Floor(Invariant),
    /// A person would have to answer and none can be reached.
    NoPerson,
    /// Somebody took the action back before it happened.
    TakenBack,
}

impl Rule {
    /// The name for records.
    pub fn as_str(&self) -> &str {
        match self {
            Rule::Malformed => "request.malformed",
            Rule::Configuration => "gate.configuration",
            Rule::Unavailable => "capability.tool-unavailable",
            Rule::Pinned => "resource.pinned",
            Rule::Frozen => "gate.frozen",
            Rule::ReadOnlySession => "session.read-only",
            Rule::WriteScope => "session.write-scope",
            Rule::Toggle(key) => key.as_str(),
            Rule::Declared(key) => key.as_str(),
            Rule::Level => "safety.level",
            Rule::Obligation => "obligation.not-honoured",
            Rule::Advice => "advice.not-yet",
            Rule::Floor(invariant) => invariant.as_str(),
            Rule::NoPerson => "approval.unreachable",
            Rule::TakenBack => "action.taken-back",
        }
    }

    /// What would make a call work that this rule refused, where nothing more is known.
    pub fn remedy(self) -> Remedy {
        match self {
            Rule::Malformed => Remedy::ModifyRequest { instead: Cow::Borrowed("send a call that can be read") },
            Rule::Unavailable => {
                Remedy::ModifyRequest { instead: Cow::Borrowed("call a tool that exists in this run") }
            }
            Rule::Configuration | Rule::Pinned | Rule::WriteScope | Rule::Floor(Invariant::AuditLogging) => {
                Remedy::Config
            }
            Rule::Frozen
            | Rule::ReadOnlySession
            | Rule::Toggle(_)
            | Rule::Declared(_)
            | Rule::Level
            | Rule::Obligation
            | Rule::Advice
            | Rule::Floor(_)
            | Rule::NoPerson
            | Rule::TakenBack => Remedy::Human,
        }
    }

    /// How strong a question of this rule is at least. What is reserved for a person's own consent is never answered by
    /// what a host shows.
    pub fn strength(self) -> Strength {
        match self {
            Rule::Toggle(ToggleKey::EmailRecipientAllowlist) => Strength::TypeName,
            Rule::Floor(_) => Strength::Password,
            Rule::Malformed
            | Rule::Configuration
            | Rule::Unavailable
            | Rule::Pinned
            | Rule::Frozen
            | Rule::ReadOnlySession
            | Rule::WriteScope
            | Rule::Toggle(_)
            | Rule::Declared(_)
            | Rule::Level
            | Rule::Obligation
            | Rule::Advice
            | Rule::NoPerson
            | Rule::TakenBack => Strength::Keypress,
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
    /// How strong the question is, if it is one.
    pub strength: Strength,
    /// What would make the call work, if it is refused.
    pub remedy: Remedy,
}

impl Reason {
    /// A reason with the strength and the remedy of its rule.
    pub fn new(rule: Rule, decision: Decision, about: About, detail: String) -> Reason {
        Reason { rule, decision, about, detail, strength: rule.strength(), remedy: rule.remedy() }
    }

    /// The same with a question that is at least so strong.
    pub fn at_least(self, strength: Strength) -> Reason {
        Reason { strength: self.strength.max(strength), ..self }
    }

    /// The same with another remedy.
    pub fn remedied(self, remedy: Remedy) -> Reason {
        Reason { remedy, ..self }
    }
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

    /// What would make a denied call work; `None` unless it is denied. Waiting is an answer only where it would be enough,
    /// and then until the last time is over.
    pub fn remedy(&self) -> Option<Remedy> {
        if self.decision != Decision::Deny {
            return None;
        }
        let denials = || self.reasons.iter().filter(|reason| reason.decision == Decision::Deny);
        let leading = self.leading().map(|reason| &reason.remedy)?;
        if !leading.is_retryable() {
            return Some(leading.clone());
        }
        let more = denials().map(|reason| &reason.remedy).find(|remedy| !remedy.is_retryable());
        let longest = denials().map(|reason| &reason.remedy).max_by_key(|remedy| remedy.retry_after_s());
        more.or(longest).cloned()
    }

    /// The same where the limits of these toggles come back after so many seconds, without anybody's doing.
    pub fn until_renewed(mut self, keys: Permissive, retry_after_s: u32) -> Verdict {
        for reason in self.reasons.iter_mut().filter(|reason| reason.decision == Decision::Deny) {
            if matches!(reason.rule, Rule::Toggle(key) if keys.contains(key)) {
                reason.remedy = Remedy::Wait { retry_after_s };
            }
        }
        self
    }

    /// How strong the question is: the greatest of all that ask. `None` unless the decision is to ask.
    pub fn strength(&self) -> Option<Strength> {
        let asks = |reason: &&Reason| reason.decision == Decision::Ask;
        let strongest = self.reasons.iter().filter(asks).map(|reason| reason.strength).max();
        if self.decision == Decision::Ask { strongest } else { None }
    }

    /// Milliseconds for which the action has to wait before it happens, so that somebody can take it back; 0 for none.
    pub fn undo_window_ms(&self) -> u64 {
        let windows = self.obligations.iter().filter(|obligation| obligation.kind == ObligationKind::UndoWindow);
        windows.map(|obligation| obligation.amount).max().unwrap_or(0)
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

    fn denied(rule: Rule, remedy: Remedy) -> Reason {
        Reason::new(rule, Decision::Deny, About::Call, String::new()).remedied(remedy)
    }

    #[test]
    fn waiting_is_the_remedy_only_where_it_is_enough() {
        let waits = |retry_after_s| denied(Rule::Advice, Remedy::Wait { retry_after_s });
        let remedy = |reasons| Verdict::new(reasons, Vec::new()).remedy();
        assert_eq!(remedy(alloc::vec![waits(5), waits(60)]), Some(Remedy::Wait { retry_after_s: 60 }));
        assert_eq!(remedy(alloc::vec![waits(5), denied(Rule::Frozen, Remedy::Human)]), Some(Remedy::Human));
        assert_eq!(remedy(alloc::vec![denied(Rule::Pinned, Remedy::Config), waits(5)]), Some(Remedy::Config));
        let asked = Reason::new(Rule::Level, Decision::Ask, About::Call, String::new());
        assert_eq!(remedy(alloc::vec![asked.clone()]), None);
        assert_eq!(remedy(alloc::vec![asked, waits(5)]), Some(Remedy::Wait { retry_after_s: 5 }));
    }

    #[test]
    fn only_the_denials_of_a_used_up_toggle_end_with_its_day() {
        let key = ToggleKey::AutonomousRaiseDailyOpCap;
        let of = |key| denied(Rule::Toggle(key), Remedy::Human);
        let verdict = Verdict::new(alloc::vec![of(key), of(ToggleKey::SelfmodEnabled)], Vec::new());
        let verdict = verdict.until_renewed(Permissive::EMPTY.with(key), 7);
        let waits: Vec<_> = verdict.reasons().iter().map(|reason| reason.remedy.retry_after_s()).collect();
        assert_eq!(waits, [Some(7), None]);
    }
}
