//! Approvals: what a question binds, so that a yes covers exactly one action, once. Judging does not know of them: what is
//! here can turn a question into a go-ahead and can do nothing to a denial.

use crate::asking::Strength;
use crate::authorize::Judged;
use crate::digest::Digest;
use crate::json::Json;
use crate::report;
use crate::verdict::{Decision, Rule, Verdict};
use crate::words::{Word, words};
use alloc::string::String;

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
        /// By a claim that somebody agreed, which is no answer.
        Attestation = "attestation",
    }
}

/// A yes as its store gave it out. It is given out once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redeemed {
    /// The name of the question.
    pub id: String,
    /// What it covers.
    pub binding: Digest,
    /// Which step of a plan that is, counted from 1; `None` where one action was asked about.
    pub step: Option<u32>,
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

/// What claims of a principal are worth. It is set outside every call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Attesting {
    /// Nothing.
    #[default]
    Refused,
    /// They answer what a level asks; this call brings none along.
    Accepted,
    /// They do, and this call brings one along.
    Claimed(Attestation),
}

impl Attesting {
    /// The same for a call that brings a claim along, which changes nothing where claims are refused.
    pub fn claiming(self, attestation: Option<Attestation>) -> Attesting {
        match (self, attestation) {
            (Attesting::Accepted, Some(attestation)) => Attesting::Claimed(attestation),
            (own @ (Attesting::Refused | Attesting::Accepted | Attesting::Claimed(_)), _) => own,
        }
    }
}

/// What stands in for an answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Consent {
    /// Somebody outside the run said yes to this very action.
    Approved(Redeemed),
    /// The principal claims that somebody did, with the call or, if it was kept, to this very question before it.
    Attested {
        /// The claim.
        claim: Attestation,
        /// How it was kept.
        kept: Option<Redeemed>,
    },
}

impl Consent {
    /// Whether it may count for a caller at all. A claim may only where claims of the caller are accepted.
    pub fn counts_for(&self, attesting: &Attesting) -> bool {
        match (self, attesting) {
            (Consent::Approved(_), _) | (Consent::Attested { .. }, Attesting::Accepted | Attesting::Claimed(_)) => true,
            (Consent::Attested { .. }, Attesting::Refused) => false,
        }
    }
}

impl Consent {
    /// Whether it answers the question of a judged call. Nothing answers a denial.
    pub fn answers(&self, judged: &Judged) -> bool {
        let Some(binding) = Binding::of(judged).filter(|_| judged.verdict.decision() == Decision::Ask) else {
            return false;
        };
        let holds = |redeemed: &Redeemed| {
            redeemed.binding == binding.digest
                && redeemed.strength >= binding.strength
                && judged.stamp.at_ms < redeemed.expires_ms
        };
        match self {
            // What was kept of a claim is no yes, whoever hands it over as one.
            Consent::Approved(redeemed) => holds(redeemed) && redeemed.via != Via::Attestation,
            Consent::Attested { kept, .. } => is_claimable(&judged.verdict) && kept.as_ref().is_none_or(holds),
        }
    }

    /// The members of the record.
    pub fn document(&self) -> Json {
        match self {
            Consent::Approved(redeemed) => Json::object([
                ("approval", Json::text(redeemed.id.as_str())),
                ("step", redeemed.step.map_or(Json::Null, |step| Json::count(u64::from(step)))),
                ("by", Json::text(redeemed.by.as_str())),
                ("via", Json::text(redeemed.via.as_str())),
                ("latency_ms", Json::count(redeemed.answered_ms.saturating_sub(redeemed.asked_ms))),
            ]),
            Consent::Attested { claim, kept } => {
                let question = kept.as_ref().map_or(Json::Null, |kept| Json::text(kept.id.as_str()));
                Json::object([("attestation", Json::text(claim.claim.as_str())), ("question", question)])
            }
        }
    }
}

/// Whether a claim could answer what a verdict asks: one key would, and nothing but a level asks.
pub fn is_claimable(verdict: &Verdict) -> bool {
    let mut asking = verdict.reasons().iter().filter(|reason| reason.decision == Decision::Ask);
    verdict.strength() == Some(Strength::Keypress) && asking.all(|reason| reason.rule == Rule::Level)
}

/// A question that waits for somebody outside the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenge {
    /// Its name. Knowing it answers nothing.
    pub id: String,
    /// How strong the answer has to be.
    pub strength: Strength,
    /// When it was asked first, in milliseconds since the Unix epoch.
    pub asked_ms: u64,
    /// When it is withdrawn, in milliseconds since the Unix epoch.
    pub expires_ms: u64,
}

#[cfg(test)]
#[path = "approval_tests.rs"]
mod tests;
