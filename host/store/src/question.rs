//! A question and what became of it, as lines and as values.

use crate::approvals::{Answerer, Says};
use crate::plan_steps::PlanStep;
use crate::transition::count_of;
use holdpoint_core::approval::{Attestation, Binding, Challenge, Consent, Redeemed, Via, is_claimable};
use holdpoint_core::asking::Strength;
use holdpoint_core::authorize::Judged;
use holdpoint_core::digest::Digest;
use holdpoint_core::journal::Line;
use holdpoint_core::json::Json;
use holdpoint_core::plan::Plan;
use holdpoint_core::words::Word;
use holdpoint_core::{refusal, report};
use serde_json::Value;

/// The kinds of its lines.
pub(crate) const QUESTION: &str = "question";
pub(crate) const ANSWER: &str = "answer";
pub(crate) const REDEEMED: &str = "redeemed";
pub(crate) const WITHDRAWN: &str = "withdrawn";
pub(crate) const TAKEN_BACK: &str = "taken-back";
/// The answers.
const ALLOW: &str = "allow";
const DENY: &str = "deny";
const ATTEST: &str = "attest";
/// Longest action that a question can be about, in bytes. Whoever answers has to see all of it.
pub const ACTION_BYTES_MAX: usize = 64 << 10;
/// What stands as the tool of a plan.
const PLAN: &str = "plan";
/// Digits of a question's name. It is the start of the digest of what was asked and when.
const ID_DIGITS: usize = 16;

/// How a question stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Nobody has answered.
    Waiting,
    /// Somebody said yes, or claimed that somebody had, and the call has not been made again.
    Allowed(Answerer, u64, Option<Attestation>),
    /// Somebody said no.
    Denied(Answerer),
    /// The yes was given out.
    Redeemed,
    /// The run that asked has ended or was cancelled.
    Withdrawn,
}

/// A question as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Its name.
    pub id: String,
    /// What a yes to it covers.
    pub binding: Digest,
    /// How strong the answer has to be.
    pub strength: Strength,
    /// Who wants to do it.
    pub principal: String,
    /// In which run.
    pub run: String,
    /// The server and the tool.
    pub tool: String,
    /// Everything the call holds, as canonical JSON with everything visible.
    pub action: String,
    /// The resource that the leading reason is about; what has to be typed where a name is wanted.
    pub resource: String,
    /// Why it is asked: one sentence for each reason.
    pub reasons: Vec<String>,
    /// Whether a claim can answer it, where an operator accepts claims.
    pub is_claimable: bool,
    /// The decision that it belongs to.
    pub correlation_id: String,
    /// When it was asked, in milliseconds since the Unix epoch.
    pub asked_ms: u64,
    /// When its time is over.
    pub expires_ms: u64,
    /// The steps of a plan, in their order; empty where one action is asked about.
    pub steps: Vec<PlanStep>,
    /// How many of them were taken.
    pub taken: usize,
    /// How it stands.
    pub standing: Standing,
}

/// Something that happens to a question.
pub(crate) enum Step {
    Asked(Box<Kept>),
    Answered {
        says: Says,
        who: Answerer,
        at_ms: u64,
    },
    Redeemed,
    Withdrawn,
    /// Not of a question: an action that waits was taken back, by whom.
    TakenBack(String),
}

impl Kept {
    /// Whether somebody can still answer.
    pub fn is_waiting(&self, now_ms: u64) -> bool {
        self.standing == Standing::Waiting && now_ms < self.expires_ms
    }

    /// Whether it can still let a call through, now or after an answer.
    pub fn is_open(&self, now_ms: u64) -> bool {
        matches!(self.standing, Standing::Waiting | Standing::Allowed(..)) && now_ms < self.expires_ms
    }

    /// Whether somebody said no.
    pub fn is_denied(&self) -> bool {
        matches!(self.standing, Standing::Denied(_))
    }

    /// How it stands, in one word.
    pub fn word(&self, now_ms: u64) -> &'static str {
        match &self.standing {
            Standing::Redeemed => "redeemed",
            Standing::Denied(_) => "denied",
            Standing::Withdrawn => "withdrawn",
            Standing::Waiting | Standing::Allowed(..) if now_ms >= self.expires_ms => "expired",
            Standing::Waiting => "waiting",
            Standing::Allowed(_, _, Some(_)) => "attested",
            Standing::Allowed(_, _, None) => "allowed",
        }
    }

    /// Whether this would answer it. Anybody may say no.
    pub(crate) fn takes(&self, says: &Says, strength: Strength) -> bool {
        match says {
            Says::Deny => true,
            Says::Allow => strength >= self.strength,
            Says::Attest(_) => self.is_claimable,
        }
    }

    pub(crate) fn challenge(&self) -> Challenge {
        Challenge { id: self.id.clone(), strength: self.strength, asked_ms: self.asked_ms, expires_ms: self.expires_ms }
    }

    /// What a yes lets through next, and which step of a plan that is.
    fn next(&self) -> Option<(Digest, Option<u32>)> {
        if self.steps.is_empty() {
            return Some((self.binding, None));
        }
        let number = u32::try_from(self.taken.saturating_add(1)).ok()?;
        Some((self.steps.get(self.taken)?.binding, Some(number)))
    }

    /// The answer for what is bound so, if there is one that nobody has taken and whose time is not over.
    pub(crate) fn redeemable(&self, wanted: Digest, at_ms: u64) -> Option<Consent> {
        let Standing::Allowed(who, answered_ms, claim) = &self.standing else { return None };
        let (binding, step) = self.next().filter(|(binding, _)| *binding == wanted)?;
        let redeemed = || Redeemed {
            id: self.id.clone(),
            binding,
            step,
            strength: who.strength,
            by: who.by.clone(),
            via: who.via,
            asked_ms: self.asked_ms,
            answered_ms: *answered_ms,
            expires_ms: self.expires_ms,
        };
        (at_ms < self.expires_ms).then(|| match claim {
            None => Consent::Approved(redeemed()),
            Some(claim) => Consent::Attested { claim: claim.clone(), kept: Some(redeemed()) },
        })
    }

    /// The same after a step. What is over stays over.
    pub(crate) fn after(&self, step: &Step) -> Kept {
        let standing = match (step, &self.standing) {
            (Step::Answered { says: Says::Allow, who, at_ms }, Standing::Waiting) => {
                Standing::Allowed(who.clone(), *at_ms, None)
            }
            (Step::Answered { says: Says::Attest(claim), who, at_ms }, Standing::Waiting) => {
                Standing::Allowed(who.clone(), *at_ms, Some(claim.clone()))
            }
            (Step::Answered { says: Says::Deny, who, .. }, Standing::Waiting) => Standing::Denied(who.clone()),
            (Step::Redeemed, allowed @ Standing::Allowed(..)) => {
                let taken = self.taken.saturating_add(1);
                let standing = if taken < self.steps.len() { allowed.clone() } else { Standing::Redeemed };
                return Kept { taken, standing, ..self.clone() };
            }
            (Step::Withdrawn, Standing::Waiting | Standing::Allowed(..)) => Standing::Withdrawn,
            (Step::Asked(_) | Step::Answered { .. } | Step::Redeemed | Step::Withdrawn | Step::TakenBack(_), other) => {
                other.clone()
            }
        };
        Kept { standing, ..self.clone() }
    }
}

/// A new question with its line; `None` where the action is too long to be shown as a whole.
pub(crate) fn asked(binding: &Binding, judged: &Judged, expires_ms: u64) -> Option<(Kept, Line)> {
    let (tool, action) = called(judged)?;
    let resource = refusal::subject(judged, judged.verdict.leading()?).1;
    let kept = Kept {
        tool,
        action,
        resource,
        reasons: sentences(judged),
        is_claimable: is_claimable(&judged.verdict),
        ..blank(binding.digest(), binding.strength(), judged, expires_ms)
    };
    lined(kept)
}

/// A new question about a plan with its line. No claim answers it, and it has no one resource.
pub(crate) fn planned(plan: &Plan, steps: &[Judged], expires_ms: u64) -> Option<(Kept, Line)> {
    let first = steps.first()?;
    let steps: Vec<PlanStep> = steps.iter().filter_map(PlanStep::of).collect();
    // What is shown has to be what is bound.
    if !steps.iter().map(|step| step.binding).eq(plan.steps().iter().copied()) {
        return None;
    }
    lined(Kept { tool: PLAN.to_owned(), steps, ..blank(plan.digest(), plan.strength(), first, expires_ms) })
}

fn lined(kept: Kept) -> Option<(Kept, Line)> {
    let steps = kept.steps.iter().map(|step| step.action.len());
    if steps.fold(kept.action.len(), usize::saturating_add) > ACTION_BYTES_MAX {
        return None;
    }
    let line = Line::new(document(&kept))?;
    Some((kept, line))
}

fn blank(binding: Digest, strength: Strength, judged: &Judged, expires_ms: u64) -> Kept {
    let name =
        Digest::of_parts("holdpoint question name 1", &[binding.bytes(), judged.stamp.correlation_id.as_bytes()]);
    Kept {
        id: name.hex().chars().take(ID_DIGITS).collect(),
        binding,
        strength,
        principal: judged.who.principal.clone(),
        run: judged.who.run.clone(),
        tool: String::new(),
        action: String::new(),
        resource: String::new(),
        reasons: Vec::new(),
        is_claimable: false,
        correlation_id: judged.stamp.correlation_id.clone(),
        asked_ms: judged.stamp.at_ms,
        expires_ms,
        steps: Vec::new(),
        taken: 0,
        standing: Standing::Waiting,
    }
}

/// The tool that is called, and everything the call holds.
pub(crate) fn called(judged: &Judged) -> Option<(String, String)> {
    let call = judged.call.as_ref()?.tool();
    let tool = if call.server.is_empty() { call.name.clone() } else { format!("{}/{}", call.server, call.name) };
    Some((tool, call.arguments.visible()))
}

/// Why a call is asked about: one sentence for each reason.
pub(crate) fn sentences(judged: &Judged) -> Vec<String> {
    let sentence = |reason: &holdpoint_core::verdict::Reason| {
        let (_, resource) = refusal::subject(judged, reason);
        let about = if resource.is_empty() { String::new() } else { format!(": {resource}") };
        format!("{}{about} ({})", reason.detail, reason.rule.as_str())
    };
    judged.verdict.reasons().iter().take(report::LINE_ITEMS_MAX).map(sentence).collect()
}

fn document(kept: &Kept) -> Json {
    let text = |text: &str| Json::text(text);
    Json::object([
        ("ts", report::timestamp(kept.asked_ms)),
        ("kind", text(QUESTION)),
        ("id", text(&kept.id)),
        ("binding", text(&kept.binding.hex())),
        ("strength", text(kept.strength.as_str())),
        ("actor", text(&kept.principal)),
        ("run", text(&kept.run)),
        ("tool", text(&kept.tool)),
        ("action", text(&kept.action)),
        ("resource", text(&kept.resource)),
        ("reasons", Json::Array(kept.reasons.iter().map(|reason| text(reason)).collect())),
        ("claimable", Json::Bool(kept.is_claimable)),
        ("correlation_id", text(&kept.correlation_id)),
        ("asked_ms", Json::count(kept.asked_ms)),
        ("expires_ms", Json::count(kept.expires_ms)),
        ("steps", Json::Array(kept.steps.iter().map(PlanStep::document).collect())),
    ])
}

pub(crate) fn answer_line(kept: &Kept, says: &Says, who: &Answerer, at_ms: u64) -> Option<Line> {
    let (says, claim) = match says {
        Says::Allow => (ALLOW, Json::Null),
        Says::Deny => (DENY, Json::Null),
        Says::Attest(claim) => (ATTEST, Json::text(claim.claim())),
    };
    Line::new(Json::object([
        ("ts", report::timestamp(at_ms)),
        ("kind", Json::text(ANSWER)),
        ("id", Json::text(kept.id.as_str())),
        ("answer", Json::text(says)),
        ("claim", claim),
        ("actor", Json::text(who.by.as_str())),
        ("via", Json::text(who.via.as_str())),
        ("strength", Json::text(who.strength.as_str())),
        ("at_ms", Json::count(at_ms)),
        ("latency_ms", Json::count(at_ms.saturating_sub(kept.asked_ms))),
    ]))
}

pub(crate) fn redeemed_line(id: &str, reference: &str, at_ms: u64) -> Option<Line> {
    Line::new(Json::object([
        ("ts", report::timestamp(at_ms)),
        ("kind", Json::text(REDEEMED)),
        ("id", Json::text(id)),
        ("correlation_id", Json::text(reference)),
    ]))
}

pub(crate) fn withdrawn_line(id: &str, by: &str, at_ms: u64) -> Option<Line> {
    Line::new(Json::object([
        ("ts", report::timestamp(at_ms)),
        ("kind", Json::text(WITHDRAWN)),
        ("id", Json::text(id)),
        ("actor", Json::text(by)),
    ]))
}

pub(crate) fn taken_back_line(reference: &str, by: &str, at_ms: u64) -> Option<Line> {
    Line::new(Json::object([
        ("ts", report::timestamp(at_ms)),
        ("kind", Json::text(TAKEN_BACK)),
        ("id", Json::text(reference)),
        ("actor", Json::text(by)),
    ]))
}

/// What a line says about which question.
pub(crate) fn read(line: &[u8]) -> Option<(String, Step)> {
    let line: Value = serde_json::from_slice(line).ok()?;
    let text = |member: &str| line.get(member).and_then(Value::as_str).map(str::to_owned);
    let id = text("id")?;
    let step = match text("kind")?.as_str() {
        QUESTION => Step::Asked(Box::new(kept_of(&line, id.clone())?)),
        ANSWER => {
            let who = Answerer {
                by: text("actor")?,
                via: Via::from_word(&text("via")?)?,
                strength: Strength::from_word(&text("strength")?)?,
            };
            let says = match text("answer")?.as_str() {
                ALLOW => Says::Allow,
                DENY => Says::Deny,
                ATTEST => Says::Attest(Attestation::new(&text("claim")?)?),
                _ => return None,
            };
            Step::Answered { says, who, at_ms: count_of(line.get("at_ms")?)? }
        }
        REDEEMED => Step::Redeemed,
        WITHDRAWN => Step::Withdrawn,
        TAKEN_BACK => Step::TakenBack(text("actor")?),
        _ => return None,
    };
    Some((id, step))
}

fn kept_of(line: &Value, id: String) -> Option<Kept> {
    let text = |member: &str| line.get(member).and_then(Value::as_str).map(str::to_owned);
    let reasons = line.get("reasons")?.as_array()?.iter().map(|reason| reason.as_str().map(str::to_owned));
    let steps = line.get("steps")?.as_array()?.iter().map(PlanStep::read);
    Some(Kept {
        id,
        binding: Digest::from_hex(&text("binding")?)?,
        strength: Strength::from_word(&text("strength")?)?,
        principal: text("actor")?,
        run: text("run")?,
        tool: text("tool")?,
        action: text("action")?,
        resource: text("resource")?,
        reasons: reasons.collect::<Option<_>>()?,
        is_claimable: line.get("claimable")?.as_bool()?,
        correlation_id: text("correlation_id")?,
        asked_ms: count_of(line.get("asked_ms")?)?,
        expires_ms: count_of(line.get("expires_ms")?)?,
        steps: steps.collect::<Option<_>>()?,
        taken: 0,
        standing: Standing::Waiting,
    })
}
