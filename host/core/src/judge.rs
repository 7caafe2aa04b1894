//! The decision. [`judge`] is the whole of it: stages in a fixed order, combined by maximum.

use crate::assess::Assessment;
use crate::declared::Restrictive;
use crate::floor;
use crate::gates;
use crate::grant::Loosened;
use crate::level::{Criticality, Level, rung};
use crate::operation::{Effect, ObligationKind};
use crate::paths::Place;
use crate::places;
use crate::proof::Proof;
use crate::run::Run;
use crate::scene::Scene;
use crate::toggle::{Permissive, ToggleKey};
use crate::verdict::{About, Decision, Reason, Rule, Verdict};
use crate::words::WordSet;
use alloc::vec::Vec;

/// Who asks, and what the operator lets them do. Established outside the call.
#[derive(Clone, Debug)]
pub struct Standing {
    /// The effective level.
    pub level: Level,
    /// The toggles an operator loosened, and how far.
    pub loosened: Loosened,
    /// The toggles of vocabularies that are restrictive.
    pub declared: Vec<Restrictive>,
    /// The obligations that the caller sees to itself.
    pub honours: WordSet<ObligationKind>,
    /// What surrounds the call.
    pub scene: Scene,
    /// The run it belongs to.
    pub run: Run,
    /// What shows who is calling.
    pub proof: Proof,
}

impl Standing {
    /// The same where these toggles have nothing left of their limits.
    pub fn with_used_up(&self, used_up: Permissive) -> Standing {
        let mut run = self.run.clone();
        if used_up.contains(ToggleKey::AutonomousRaiseDailyOpCap) {
            run.operations_today = u64::MAX;
        }
        Standing { loosened: self.loosened.without(used_up), run, ..self.clone() }
    }
}

/// Judges what is known about a call.
///
/// The verdict is the maximum over all stages. The rule it names is the first, in this order, that reached it.
pub fn judge(assessment: &Assessment, standing: &Standing) -> Verdict {
    let mut reasons = floor::protected_paths(assessment, standing);
    reasons.extend(gates::gates(assessment, standing));
    reasons.extend(rungs(assessment, standing));
    reasons.extend(obligations(assessment, standing.honours));
    reasons.extend(floor::invariants(assessment, standing));
    Verdict::new(reasons, assessment.obligations().collect())
}

fn rungs(assessment: &Assessment, standing: &Standing) -> Vec<Reason> {
    let level = standing.level;
    let operations = assessment.operations().iter().enumerate().filter_map(|(index, assessed)| {
        let effect = places::effective_effect(assessed, &standing.scene);
        let decision = rung(level, effect, Criticality::of(assessed));
        // A place that is not known may be one that the floor keeps.
        if assessed.place == Some(Place::Anywhere) && assessed.operation.writes() {
            let detail = alloc::format!("a change at a place that is not known at level {level}");
            return objection(decision.max(Decision::Ask), About::Operation(index), detail);
        }
        let detail = alloc::format!("{} at level {level}", effect_text(effect));
        objection(decision, About::Operation(index), detail)
    });
    // What is not understood may be what the floor denies, so no level lets it through without a question.
    let unknown = rung(level, Effect::Unknown, Criticality::Ordinary).max(Decision::Ask);
    let unknowns = assessment.unknowns().iter().enumerate().filter_map(|(index, doubt)| {
        let detail = alloc::format!("not understood ({}) at level {level}", doubt.cause.as_str());
        objection(unknown, About::Unknown(index), detail)
    });
    // Knowing of no operation is not knowing that there is none.
    let nothing = (!assessment.is_known() && assessment.unknowns().is_empty())
        .then(|| objection(unknown, About::Call, alloc::format!("nothing is known about the call at level {level}")));
    operations.chain(unknowns).chain(nothing.flatten()).collect()
}

fn objection(decision: Decision, about: About, detail: alloc::string::String) -> Option<Reason> {
    (decision != Decision::Allow).then_some(Reason { rule: Rule::Level, decision, about, detail })
}

fn obligations(assessment: &Assessment, honours: WordSet<ObligationKind>) -> impl Iterator<Item = Reason> {
    assessment.obligations().filter(move |obligation| !honours.contains(obligation.kind)).map(|obligation| Reason {
        rule: Rule::Obligation,
        decision: Decision::Ask,
        about: About::Call,
        detail: alloc::format!("the answer holds only with `{}`, which the caller does not see to", obligation.kind),
    })
}

fn effect_text(effect: Effect) -> &'static str {
    match effect {
        Effect::None => "an operation without effect",
        Effect::Reversible => "a reversible operation",
        Effect::Irreversible => "an irreversible operation",
        Effect::Unknown => "an operation of unknown effect",
    }
}

#[cfg(test)]
#[path = "judge_tests.rs"]
mod tests;
