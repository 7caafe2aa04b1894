//! Advice from live state: not whether something may be done, but whether it should be, yet. A host supplies it; it is
//! joined upward with the policy and can never weaken it.

use crate::assess::Assessment;
use crate::judge::Standing;
use crate::posture::changes;
use crate::resource::ResourcePattern;
use crate::verdict::{About, Decision, Reason, Remedy, Rule};
use alloc::string::String;
use alloc::vec::Vec;

/// Most pieces of advice about one call.
pub const ADVICE_MAX: usize = 64;

/// What a host knows about the time for a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// Changes of which resources it is about.
    pub resource: ResourcePattern,
    /// What it says to them.
    pub says: Caution,
    /// Why, in one sentence of the host's.
    pub detail: String,
}

/// What advice may say. There is no word for going ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caution {
    /// A person should look first.
    Ask,
    /// Not before so many seconds have passed.
    NotBefore {
        /// Seconds from now.
        retry_after_s: u32,
    },
}

/// What the advice about a call says. More than can be looked at is a question.
pub fn advised(assessment: &Assessment, standing: &Standing) -> Vec<Reason> {
    let mut reasons = Vec::new();
    for (index, assessed) in assessment.operations().iter().enumerate().filter(|(_, one)| changes(&one.operation)) {
        for advice in standing.advice.iter().take(ADVICE_MAX).filter(|advice| advice.resource.may_touch(assessed)) {
            reasons.push(reason(advice, About::Operation(index)));
        }
    }
    if standing.advice.len() > ADVICE_MAX {
        let detail = alloc::format!("there is more advice about the call than the {ADVICE_MAX} that are read");
        reasons.push(Reason::new(Rule::Advice, Decision::Ask, About::Call, detail));
    }
    reasons
}

fn reason(advice: &Advice, about: About) -> Reason {
    let detail = alloc::format!("not yet: {}", advice.detail);
    match advice.says {
        Caution::Ask => Reason::new(Rule::Advice, Decision::Ask, about, detail),
        Caution::NotBefore { retry_after_s } => {
            Reason::new(Rule::Advice, Decision::Deny, about, detail).remedied(Remedy::Wait { retry_after_s })
        }
    }
}

#[cfg(test)]
#[path = "advice_tests.rs"]
mod tests;
