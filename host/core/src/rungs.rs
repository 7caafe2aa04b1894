//! Rungs: what each level says to some operations, beyond the default rung. Vocabularies and operators supply them as data;
//! they are joined with the default upward, so they only ever tighten.

use crate::asking::Answer;
use crate::level::{self, Criticality, Level};
use crate::operation::{Effect, Operation, Scope, TargetKind, Verb};
use crate::words::Word;
use alloc::string::String;

/// Most rungs of one vocabulary, and of one configuration.
pub const RUNGS_MAX: usize = 256;

/// What the levels say to the operations that it picks. Every part of the pick holds at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rung {
    /// Only this verb.
    pub verb: Option<Verb>,
    /// Only this native word.
    pub native: Option<String>,
    /// Only where the resource, or a step on the way to it, is of this kind.
    pub kind: Option<TargetKind>,
    /// Only operations of at least this effect.
    pub effect_min: Effect,
    /// Only operations that reach at least so far.
    pub scope_min: Scope,
    /// Only resources that matter at least so much.
    pub criticality_min: Criticality,
    /// What each level says, in the order of the levels.
    pub says: [Answer; 4],
    /// Who supplied it: a vocabulary's name, or `FILE:LINE`.
    pub source: String,
}

/// Two rungs, or one, that would let more through where less should be let through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// A higher level is stricter than a lower one.
    InLevel {
        /// The rung, by its place in the list.
        rung: usize,
        /// The lower level.
        lower: Level,
        /// The higher level, which is stricter.
        higher: Level,
    },
    /// What is riskier is answered more mildly.
    InRisk {
        /// The rung for less risk, by its place in the list.
        less: usize,
        /// The rung for more risk, which is milder.
        more: usize,
        /// The level at which it is.
        level: Level,
    },
    /// There are more than [`RUNGS_MAX`].
    TooMany,
}

impl Rung {
    /// What it says at a level to an operation; `None` where it is not about the operation.
    pub fn answer(
        &self,
        level: Level,
        operation: &Operation,
        effect: Effect,
        criticality: Criticality,
    ) -> Option<Answer> {
        let picked = self.verb.is_none_or(|verb| operation.verb == verb)
            && self.native.as_ref().is_none_or(|native| operation.native == *native)
            && self.kind.is_none_or(|kind| operation.target.iter().any(|step| step.kind == kind))
            && effect >= self.effect_min
            && operation.scope >= self.scope_min
            && criticality >= self.criticality_min;
        if picked { self.at(level) } else { None }
    }

    /// What each level says where only some are told: a level that is left out is answered like the next higher one that is
    /// not, and the default rung alone speaks where there is none.
    pub fn filled(told: [Option<Answer>; 4]) -> [Answer; 4] {
        let mut higher = Answer::Allow;
        let mut says = told.map(|answer| answer.unwrap_or(Answer::Allow));
        for (answer, told) in says.iter_mut().zip(told).rev() {
            higher = told.unwrap_or(higher);
            *answer = higher;
        }
        says
    }

    /// Whether the default rung is at least as strict wherever this one is asked, so that nobody ever hears it.
    pub fn is_never_heard(&self) -> bool {
        let own = |level| Answer::plain(level::rung(level, self.effect_min, self.criticality_min));
        Level::ALL.iter().all(|level| self.at(*level).is_none_or(|answer| answer <= own(*level)))
    }

    fn at(&self, level: Level) -> Option<Answer> {
        let index = Level::ALL.iter().position(|own| *own == level)?;
        self.says.get(index).copied()
    }

    /// Whether everything that `other` picks is picked by this rung as well, at no more risk.
    fn is_milder_pick_than(&self, other: &Rung) -> bool {
        self.verb == other.verb
            && self.native == other.native
            && self.kind == other.kind
            && self.effect_min <= other.effect_min
            && self.scope_min <= other.scope_min
            && self.criticality_min <= other.criticality_min
    }
}

/// Checks that rungs are monotone: a higher level is never stricter, and more risk is never answered more mildly.
pub fn check(rungs: &[Rung]) -> Result<(), Unfit> {
    if rungs.len() > RUNGS_MAX {
        return Err(Unfit::TooMany);
    }
    for (index, rung) in rungs.iter().enumerate() {
        for pair in Level::ALL.windows(2) {
            if let [lower, higher] = pair
                && rung.at(*lower) < rung.at(*higher)
            {
                return Err(Unfit::InLevel { rung: index, lower: *lower, higher: *higher });
            }
        }
    }
    let pairs = rungs.iter().enumerate().flat_map(|less| rungs.iter().enumerate().map(move |more| (less, more)));
    for ((less, milder), (more, riskier)) in pairs.filter(|((less, _), (more, _))| less != more) {
        let level = Level::ALL.iter().find(|level| milder.at(**level) > riskier.at(**level));
        if let Some(level) = level.filter(|_| milder.is_milder_pick_than(riskier)) {
            return Err(Unfit::InRisk { less, more, level: *level });
        }
    }
    Ok(())
}

/// The strictest of the rungs that are about an operation, with the one that says it.
pub fn strictest<'a>(
    rungs: &'a [Rung],
    level: Level,
    operation: &Operation,
    effect: Effect,
    criticality: Criticality,
) -> Option<(Answer, &'a Rung)> {
    let answers = rungs.iter().filter_map(|rung| Some((rung.answer(level, operation, effect, criticality)?, rung)));
    answers.fold(None, |best: Option<(Answer, &Rung)>, (answer, rung)| match best {
        Some((greatest, _)) if greatest >= answer => best,
        Some(_) | None => Some((answer, rung)),
    })
}

#[cfg(test)]
#[path = "rungs_tests.rs"]
mod tests;
