//! From a verdict to something that may be acted on. This is the only file that makes [`Authorized`] and [`Committed`].
//!
//! INVARIANT (tokens): both have private fields, neither can be cloned, and each is consumed by the step that follows, so
//! a call is let through once and only after its record is on disk.

use crate::approval::{Challenge, Consent};
use crate::asking::Channel;
use crate::assess::Assessment;
use crate::call::ToolCall;
use crate::digest::Digest;
use crate::floor::Invariant;
use crate::level::Level;
use crate::ports::{Journal, NotDurable};
use crate::proof::Transport;
use crate::report;
use crate::toggle::ToggleKey;
use crate::uses::Use;
use crate::verdict::{About, Decision, Reason, Rule, Verdict};
use alloc::string::String;
use alloc::vec::Vec;

/// When a decision was made, and the name under which answer and record can be found again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Shared by the answer and its audit line.
    pub correlation_id: String,
    /// Milliseconds since the Unix epoch.
    pub at_ms: u64,
}

/// Who asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Who {
    /// The principal, as the transport established it.
    pub principal: String,
    /// Its effective level.
    pub level: Level,
    /// The run that the call belongs to, as the transport names it; empty where it names none.
    pub run: String,
    /// The transport's own name for the call; empty where it has none.
    pub call: String,
    /// The way it came in.
    pub via: Transport,
}

/// A judged call with everything that its record needs.
#[derive(Clone, Debug)]
pub struct Judged {
    /// When, and under which name.
    pub stamp: Stamp,
    /// Who asked.
    pub who: Who,
    /// The call, if it could be read.
    pub call: Option<ToolCall>,
    /// What is known about it; `None` if it could not be read.
    pub assessment: Option<Assessment>,
    /// The verdict.
    pub verdict: Verdict,
    /// The vocabularies that were in force, by name and digest.
    pub sources: Vec<String>,
    /// Toggles that were judged as permissive although they are not; empty except for `check --loosen`.
    pub hypothetical: Vec<String>,
    /// What it took of the limits of loosened toggles.
    pub uses: Vec<Use>,
    /// The digest of everything that an operator set and that the verdict rests on.
    pub policy: Digest,
    /// What answers the question that the verdict asks, if anything does.
    pub consent: Option<Consent>,
    /// The question that waits for somebody outside the run.
    pub challenge: Option<Challenge>,
    /// Toggles that it was let through by, and that were loosened so long ago that somebody has to say whether they are
    /// still needed.
    pub still_needed: Vec<ToggleKey>,
}

impl Judged {
    /// A call that cannot be judged: it cannot be read, or the gate cannot work.
    pub fn refused(stamp: Stamp, who: Who, rule: Rule, detail: String) -> Judged {
        let reason = Reason::new(rule, Decision::Deny, About::Call, detail);
        Judged {
            stamp,
            who,
            call: None,
            assessment: None,
            verdict: Verdict::new(alloc::vec![reason], Vec::new()),
            sources: Vec::new(),
            hypothetical: Vec::new(),
            uses: Vec::new(),
            policy: Digest::ZERO,
            consent: None,
            challenge: None,
            still_needed: Vec::new(),
        }
    }

    /// The digest of the call, if it could be read.
    pub fn digest(&self) -> Option<Digest> {
        self.call.as_ref().map(ToolCall::digest)
    }

    fn with_denial(mut self, rule: Rule, detail: String) -> Judged {
        let reason = Reason::new(rule, Decision::Deny, About::Call, detail);
        self.verdict = self.verdict.and(reason);
        self
    }
}

/// What follows from a verdict, not yet recorded. There is no variant for an error.
#[derive(Debug)]
#[must_use = "an outcome that is not recorded has no effect"]
pub enum Outcome {
    /// The call does not happen.
    Denied(Denied),
    /// A person has to answer first.
    Pending(Pending),
    /// The call may happen once its record is durable.
    Authorized(Authorized),
}

/// A refusal.
#[derive(Debug)]
pub struct Denied {
    judged: Judged,
}

/// A question that is waiting for a person.
#[derive(Debug)]
pub struct Pending {
    judged: Judged,
}

/// A call that may happen once its record is durable.
#[derive(Debug)]
#[must_use = "an authorized call has to be recorded before it can happen"]
pub struct Authorized {
    judged: Judged,
}

/// A call whose record is on disk: it may happen, once.
#[derive(Debug)]
#[must_use = "a committed call is waiting to be carried out"]
pub struct Committed {
    judged: Judged,
}

/// An outcome whose record is on disk, except for a denial that could not be recorded either.
#[derive(Debug)]
pub enum Recorded {
    /// The call does not happen.
    Denied(Denied),
    /// A person has to answer first.
    Pending(Pending),
    /// The call may happen.
    Committed(Committed),
}

/// Turns a verdict into what follows from it. A question that the channel cannot answer is a denial.
///
/// What answers the question is looked at here and nowhere else: where the verdict is a denial there is no question.
pub fn authorize(mut judged: Judged, channel: Channel) -> Outcome {
    let consent = judged.consent.take();
    judged.consent = consent.filter(|consent| consent.answers(&judged));
    match (judged.verdict.decision(), judged.verdict.strength()) {
        (Decision::Allow, _) => Outcome::Authorized(Authorized { judged }),
        (Decision::Ask, _) if judged.consent.is_some() => Outcome::Authorized(Authorized { judged }),
        (Decision::Ask, Some(strength)) if channel.answers(strength) => Outcome::Pending(Pending { judged }),
        (Decision::Ask, _) => Outcome::Denied(Denied { judged: unanswered(judged, channel) }),
        (Decision::Deny, _) => Outcome::Denied(Denied { judged }),
    }
}

/// The denial names what would have been asked, for that is what somebody has to answer elsewhere.
fn unanswered(mut judged: Judged, channel: Channel) -> Judged {
    let (about, asked) = judged.verdict.leading().map_or((About::Call, String::new()), |reason| {
        (reason.about, alloc::format!(": {} ({})", reason.detail, reason.rule.as_str()))
    });
    let detail = alloc::format!("{}{asked}", unanswerable(channel));
    judged.verdict = judged.verdict.and(Reason::new(Rule::NoPerson, Decision::Deny, about, detail));
    judged
}

fn unanswerable(channel: Channel) -> &'static str {
    match channel {
        Channel::Nobody => "a person has to confirm this, and nobody can be asked from here",
        Channel::HostPrompt | Channel::Elicitation | Channel::Terminal | Channel::Console => {
            "a person has to confirm this with more than a key, and from here nobody can be asked for that"
        }
    }
}

/// Makes an outcome durable. If that fails, it is a denial.
pub fn record(outcome: Outcome, journal: &dyn Journal) -> Recorded {
    let judged = outcome.judged();
    match journal.append(&[report::line(judged)], judged.stamp.at_ms) {
        Ok(()) => committed(outcome),
        Err(failure) => not_recorded(outcome, &failure),
    }
}

/// Makes outcomes durable, all with one append. If that fails, every one of them is a denial.
pub fn record_all(outcomes: Vec<Outcome>, journal: &dyn Journal) -> Vec<Recorded> {
    let lines: Vec<_> = outcomes.iter().map(|outcome| report::line(outcome.judged())).collect();
    let at_ms = outcomes.iter().map(|outcome| outcome.judged().stamp.at_ms).max().unwrap_or(0);
    match journal.append(&lines, at_ms) {
        Ok(()) => outcomes.into_iter().map(committed).collect(),
        Err(failure) => outcomes.into_iter().map(|outcome| not_recorded(outcome, &failure)).collect(),
    }
}

/// A call whose record is on disk and that somebody took back before it happened. The token is gone.
pub fn take_back(committed: Committed, by: &str) -> Recorded {
    let detail = alloc::format!("{by} took it back before it happened");
    Recorded::Denied(Denied { judged: committed.judged.with_denial(Rule::TakenBack, detail) })
}

fn not_recorded(outcome: Outcome, failure: &NotDurable) -> Recorded {
    let detail = alloc::format!("the decision could not be written down: {}", failure.cause);
    Recorded::Denied(Denied { judged: outcome.into_judged().with_denial(Rule::Floor(Invariant::AuditLogging), detail) })
}

fn committed(outcome: Outcome) -> Recorded {
    match outcome {
        Outcome::Denied(denied) => Recorded::Denied(denied),
        Outcome::Pending(pending) => Recorded::Pending(pending),
        Outcome::Authorized(Authorized { judged }) => Recorded::Committed(Committed { judged }),
    }
}

impl Outcome {
    /// What was judged.
    pub fn judged(&self) -> &Judged {
        match self {
            Outcome::Denied(Denied { judged })
            | Outcome::Pending(Pending { judged })
            | Outcome::Authorized(Authorized { judged }) => judged,
        }
    }

    fn into_judged(self) -> Judged {
        match self {
            Outcome::Denied(Denied { judged })
            | Outcome::Pending(Pending { judged })
            | Outcome::Authorized(Authorized { judged }) => judged,
        }
    }
}

impl Recorded {
    /// What was judged.
    pub fn judged(&self) -> &Judged {
        match self {
            Recorded::Denied(Denied { judged })
            | Recorded::Pending(Pending { judged })
            | Recorded::Committed(Committed { judged }) => judged,
        }
    }
}

impl Committed {
    /// What may happen.
    pub fn judged(&self) -> &Judged {
        &self.judged
    }
}

#[cfg(test)]
#[path = "authorize_tests.rs"]
mod tests;
