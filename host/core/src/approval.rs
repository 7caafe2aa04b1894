//! Approvals: what a question binds, so that a yes covers exactly one action, once. Judging does not know of them: what is
//! here can turn a question into a go-ahead and can do nothing to a denial.

use crate::asking::Strength;
use crate::authorize::Judged;
use crate::digest::Digest;
use crate::json::Json;
use crate::report;
use crate::verdict::{Decision, Reason, Rule, Verdict};
use crate::words::{Word, words};
use alloc::string::String;
use alloc::vec::Vec;

/// Longest text that somebody gives in place of an answer, in bytes.
pub const CLAIM_BYTES_MAX: usize = 1_024;

/// Everything that a yes depends on. Another argument, path, scope, principal, run, rule or fact is another question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    digest: Digest,
    strength: Strength,
}

impl Binding {
    /// The question that a judged call asks; `None` unless it asks one.
    pub fn of(judged: &Judged) -> Option<Binding> {
        let strength = judged.verdict.strength()?;
        let call = judged.call.as_ref()?.digest();
        let assessment = judged.assessment.as_ref()?;
        let known = report::bound(assessment).canonical();
        let verdict = fingerprint(&judged.verdict);
        let sources = judged.sources.join("\n");
        let parts: [&[u8]; 8] = [
            call.bytes(),
            known.as_bytes(),
            judged.who.principal.as_bytes(),
            judged.who.run.as_bytes(),
            judged.policy.bytes(),
            verdict.as_bytes(),
            sources.as_bytes(),
            strength.as_str().as_bytes(),
        ];
        Some(Binding { digest: Digest::of_parts("holdpoint question 1", &parts), strength })
    }

    /// The digest over all of it.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// How strong the answer has to be.
    pub fn strength(&self) -> Strength {
        self.strength
    }
}

/// Which rules said what about what.
fn fingerprint(verdict: &Verdict) -> String {
    verdict
        .reasons()
        .iter()
        .map(|reason| alloc::format!("{} {} {:?}\n", reason.rule.as_str(), reason.decision, reason.about))
        .collect()
}

words! {
    /// How somebody answered.
    Via {
        /// At a terminal of the operator.
        Terminal = "terminal",
        /// At the operator's console.
        Console = "console",
        /// Over the protocol of the call. It is not known who that was.
        Elicitation = "elicitation",
        /// By the program that embeds the gate.
        Host = "host",
    }
}

/// A yes as its store gave it out. It is given out once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redeemed {
    /// The name of the question.
    pub id: String,
    /// What it covers.
    pub binding: Digest,
    /// How strong the answer was.
    pub strength: Strength,
    /// Who answered.
    pub by: String,
    /// How.
    pub via: Via,
    /// When it was asked, in milliseconds since the Unix epoch.
    pub asked_ms: u64,
    /// When it was answered.
    pub answered_ms: u64,
    /// When it ends.
    pub expires_ms: u64,
}

/// What a principal says instead of asking: that somebody agreed. It is worth something only where an operator said so
/// outside the call, and it is never called an approval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attestation {
    claim: String,
}

impl Attestation {
    /// A claim, if it is one: not empty and within [`CLAIM_BYTES_MAX`].
    pub fn new(claim: &str) -> Option<Attestation> {
        let fit = !claim.trim().is_empty() && claim.len() <= CLAIM_BYTES_MAX;
        fit.then(|| Attestation { claim: claim.into() })
    }

    /// The words of whoever made it.
    pub fn claim(&self) -> &str {
        &self.claim
    }
}

/// What stands in for an answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Consent {
    /// Somebody outside the run said yes to this very action.
    Approved(Redeemed),
    /// The principal claims that somebody did.
    Attested(Attestation),
}

impl Consent {
    /// Whether it answers the question of a judged call. Nothing answers a denial.
    pub fn answers(&self, judged: &Judged) -> bool {
        let Some(binding) = Binding::of(judged).filter(|_| judged.verdict.decision() == Decision::Ask) else {
            return false;
        };
        match self {
            Consent::Approved(redeemed) => {
                redeemed.binding == binding.digest
                    && redeemed.strength >= binding.strength
                    && judged.stamp.at_ms < redeemed.expires_ms
            }
            Consent::Attested(_) => binding.strength == Strength::Keypress && is_level_made(&judged.verdict),
        }
    }

    /// The members of the record.
    pub fn document(&self) -> Json {
        match self {
            Consent::Approved(redeemed) => Json::object([
                ("approval", Json::text(redeemed.id.as_str())),
                ("by", Json::text(redeemed.by.as_str())),
                ("via", Json::text(redeemed.via.as_str())),
                ("latency_ms", Json::count(redeemed.answered_ms.saturating_sub(redeemed.asked_ms))),
            ]),
            Consent::Attested(attestation) => Json::object([("attestation", Json::text(attestation.claim.as_str()))]),
        }
    }
}

/// Whether nothing but a level asks.
fn is_level_made(verdict: &Verdict) -> bool {
    let asking: Vec<&Reason> = verdict.reasons().iter().filter(|reason| reason.decision == Decision::Ask).collect();
    !asking.is_empty() && asking.iter().all(|reason| reason.rule == Rule::Level)
}

/// A question that waits for somebody outside the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenge {
    /// Its name. Knowing it answers nothing.
    pub id: String,
    /// How strong the answer has to be.
    pub strength: Strength,
    /// When it is withdrawn, in milliseconds since the Unix epoch.
    pub expires_ms: u64,
}

#[cfg(test)]
#[path = "approval_tests.rs"]
mod tests;
