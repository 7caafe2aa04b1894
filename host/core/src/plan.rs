//! Plans: several calls that somebody answers as one list. What is bound is every call and their order; a yes lets each of
//! them through once, one after the other, and each is judged again when its turn comes.

use crate::approval::Binding;
use crate::asking::Strength;
use crate::authorize::Judged;
use crate::digest::Digest;
use crate::json::Json;
use crate::refusal::refusal;
use crate::verdict::Decision;
use alloc::string::String;
use alloc::vec::Vec;

/// Most steps of a plan. Whoever answers has to read all of them.
pub const PLAN_STEPS_MAX: usize = 16;

/// What a yes to a plan depends on: the questions of its steps, in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    digest: Digest,
    strength: Strength,
    steps: Vec<Digest>,
}

/// Why a list of calls is no plan that anybody could answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoPlan {
    /// It has no steps, or more than [`PLAN_STEPS_MAX`].
    Length,
    /// The step with this number, from 0, is denied, and no yes changes that.
    Denied(usize),
    /// Its steps are not of one principal in one run.
    SeveralRuns,
    /// Nothing in it asks.
    NothingAsked,
}

impl Plan {
    /// The plan that judged calls make up. Steps that are allowed without anybody's doing are no part of the question.
    pub fn of(steps: &[Judged]) -> Result<Plan, NoPlan> {
        if steps.is_empty() || steps.len() > PLAN_STEPS_MAX {
            return Err(NoPlan::Length);
        }
        if let Some(denied) = steps.iter().position(|step| step.verdict.decision() == Decision::Deny) {
            return Err(NoPlan::Denied(denied));
        }
        let own = |step: &Judged| (step.who.principal.clone(), step.who.run.clone());
        if steps.iter().map(own).collect::<alloc::collections::BTreeSet<_>>().len() > 1 {
            return Err(NoPlan::SeveralRuns);
        }
        let asked: Vec<Binding> = steps.iter().filter_map(Binding::of).collect();
        let strength = asked.iter().map(Binding::strength).max().ok_or(NoPlan::NothingAsked)?;
        let steps: Vec<Digest> = asked.iter().map(Binding::digest).collect();
        let parts: Vec<&[u8]> = steps.iter().map(|step| step.bytes().as_slice()).collect();
        Ok(Plan { digest: Digest::of_parts("holdpoint plan 1", &parts), strength, steps })
    }

    /// The digest over all of it.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// How strong the answer has to be: as the strongest that any step wants.
    pub fn strength(&self) -> Strength {
        self.strength
    }

    /// What the steps bind that ask, in their order.
    pub fn steps(&self) -> &[Digest] {
        &self.steps
    }
}

/// The refusal of a step, with what of its plan has happened by then and how many steps do not happen any more.
/// `null` unless the step is denied.
pub fn refusal_within(judged: &Judged, ran: &[String], skipped: usize) -> Json {
    let Json::Object(mut members) = refusal(judged) else { return Json::Null };
    members.push(("ran".into(), Json::Array(ran.iter().map(|id| Json::text(id.as_str())).collect())));
    members.push(("skipped".into(), Json::count(u64::try_from(skipped).unwrap_or(u64::MAX))));
    Json::Object(members)
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
