//! Uses of loosened toggles that are counted: a daily cap, a budget, the day of runs without a person. The core says what
//! counts and against which limit; who counts is the [`Meter`](crate::ports::Meter).

use crate::assess::Assessment;
use crate::gates;
use crate::judge::Standing;
use crate::ports::Shortage;
use crate::toggle::{Permissive, ToggleKey};
use crate::words::Word;
use alloc::vec::Vec;

/// What a call takes of a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// The toggle.
    pub key: ToggleKey,
    /// How many.
    pub count: u64,
    /// How many there may be in a UTC day.
    pub daily: Option<u64>,
    /// How many there may be since the toggle was loosened.
    pub budget: Option<Budget>,
}

/// A number of uses from an instant on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// How many.
    pub uses: u64,
    /// From when on they count, in milliseconds since the Unix epoch.
    pub since_ms: u64,
}

/// Milliseconds of a UTC day.
const DAY_MS: u64 = 24 * 60 * 60 * 1_000;
/// Milliseconds after which every use of a loosening asks whether it is still needed.
pub const REVIEW_MS: u64 = 24 * 60 * 60 * 1_000;

/// The toggles whose loosening lets this call through and was made more than [`REVIEW_MS`] ago.
pub fn still_needed(assessment: &Assessment, standing: &Standing, now_ms: u64) -> Vec<ToggleKey> {
    let is_old = |key: &ToggleKey| {
        let grant = standing.loosened.grant(*key);
        grant.is_some_and(|grant| now_ms.saturating_sub(grant.since_ms) > REVIEW_MS)
    };
    ToggleKey::ALL.iter().copied().filter(is_old).filter(|key| rests_on(*key, assessment, standing)).collect()
}

/// Whether the toggle would say something if nobody had loosened it.
fn rests_on(key: ToggleKey, assessment: &Assessment, standing: &Standing) -> bool {
    let restrictive = Standing { loosened: standing.loosened.without(Permissive::EMPTY.with(key)), ..standing.clone() };
    !gates::hits(key, assessment, &restrictive).is_empty()
}

/// The toggles of a shortage that have enough left again on the next UTC day, for the same uses.
pub fn renewed(shortage: Shortage, uses: &[Use]) -> Permissive {
    let Shortage::UsedUp(keys) = shortage else { return Permissive::EMPTY };
    let comes_back = |wanted: &&Use| wanted.budget.is_none() && wanted.daily.is_some_and(|daily| wanted.count <= daily);
    let daily = uses.iter().filter(comes_back).filter(|wanted| keys.contains(wanted.key));
    daily.fold(Permissive::EMPTY, |set, wanted| set.with(wanted.key))
}

/// Seconds until the next UTC day begins, at least one.
pub fn until_next_day_s(now_ms: u64) -> u32 {
    let left_ms = DAY_MS.saturating_sub(now_ms.checked_rem(DAY_MS).unwrap_or(0));
    u32::try_from(left_ms.div_ceil(1_000)).unwrap_or(u32::MAX)
}

/// Everything that has to be counted before the call may happen.
pub fn uses(assessment: &Assessment, standing: &Standing) -> Vec<Use> {
    ToggleKey::ALL.iter().filter_map(|key| use_of(*key, assessment, standing)).collect()
}

fn use_of(key: ToggleKey, assessment: &Assessment, standing: &Standing) -> Option<Use> {
    let grant = standing.loosened.grant(key);
    let budget = grant.and_then(|grant| Some(Budget { uses: grant.terms.budget?, since_ms: grant.since_ms }));
    let (count, daily) = if key == ToggleKey::AutonomousRaiseDailyOpCap {
        (gates::operations_of(assessment, &standing.run), gates::autonomous_limit(standing))
    } else {
        let grant = grant?;
        let mut hits = gates::hits(key, assessment, standing);
        hits.retain(|hit| gates::is_covered(grant, key, hit, assessment));
        (gates::number_of(key, &hits, assessment), grant.daily())
    };
    let is_counted = count > 0 && (daily.is_some() || budget.is_some());
    is_counted.then_some(Use { key, count, daily, budget })
}

#[cfg(test)]
#[path = "uses_tests.rs"]
mod tests;
