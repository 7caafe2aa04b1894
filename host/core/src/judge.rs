//! The decision. [`judge`] is the whole of it: stages in a fixed order, combined by maximum.

use crate::advice::{self, Advice};
use crate::asking::Answer;
use crate::assess::{Assessed, Assessment};
use crate::declared::Restrictive;
use crate::digest::Digest;
use crate::floor;
use crate::gates;
use crate::grant::Loosened;
use crate::level::{Criticality, Level, rung};
use crate::operation::{Effect, Escape, Obligation, ObligationKind, Scope};
use crate::paths::Place;
use crate::places;
use crate::posture::{self, Posture};
use crate::proof::Proof;
use crate::run::Run;
use crate::rungs::{self, Rung};
use crate::scene::Scene;
use crate::toggle::{Permissive, ToggleKey};
use crate::verdict::{About, Decision, Reason, Remedy, Rule, Verdict};
use crate::words::WordSet;
use alloc::borrow::Cow;
use alloc::string::String;
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
    /// The toggles that deny what others ask about, while they are restrictive.
    pub denied: WordSet<ToggleKey>,
    /// The obligations that the caller sees to itself.
    pub honours: WordSet<ObligationKind>,
    /// Rungs beyond the default ones.
    pub rungs: Vec<Rung>,
    /// What the operator holds still, whatever the level.
    pub posture: Posture,
    /// What live state says about the time for a change.
    pub advice: Vec<Advice>,
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

impl Standing {
    /// The digest of everything that an operator or a host set. It differs wherever something differs, and is compared
    /// only with those of the same program.
    pub fn revision(&self) -> Digest {
        let honours = self.honours.iter().collect::<Vec<_>>();
        let set = (&self.level, &self.loosened, &self.declared, self.denied, honours, &self.rungs);
        let held = (&self.posture, &self.advice, &self.scene, self.run.mode, self.run.driver, &self.run.core_roots);
        let text = alloc::format!("{set:?}\n{held:?}");
        Digest::of_parts("holdpoint policy 1", &[text.as_bytes()])
    }
}

/// Judges what is known about a call.
///
/// The verdict is the maximum over all stages. The rule it names is the first, in this order, that reached it.
pub fn judge(assessment: &Assessment, standing: &Standing) -> Verdict {
    let mut reasons = posture::held(assessment, standing);
    reasons.extend(floor::protected_paths(assessment, standing));
    reasons.extend(gates::gates(assessment, standing));
    reasons.extend(rungs(assessment, standing));
    let demanded = demanded(assessment, &standing.posture);
    reasons.extend(obligations(&demanded, standing.honours));
    reasons.extend(advice::advised(assessment, standing));
    reasons.extend(floor::invariants(assessment, standing));
    Verdict::new(reasons, demanded)
}

/// What the vocabularies and the operator want seen to.
fn demanded(assessment: &Assessment, posture: &Posture) -> Vec<Obligation> {
    let mut demanded: Vec<Obligation> = assessment.obligations().collect();
    let changes = assessment.operations().iter().any(|assessed| posture::changes(&assessed.operation));
    if posture.undo_window_ms > 0 && (changes || !assessment.is_known()) {
        demanded.push(Obligation { kind: ObligationKind::UndoWindow, amount: posture.undo_window_ms });
    }
    demanded
}

fn rungs(assessment: &Assessment, standing: &Standing) -> Vec<Reason> {
    let level = standing.level;
    let operations = assessment.operations().iter().enumerate();
    let operations = operations.filter_map(|(index, assessed)| operation_rung(index, assessed, assessment, standing));
    // What is not understood may be what the floor denies, so no level lets it through without a question.
    let unknown = rung(level, Effect::Unknown, Criticality::Ordinary).max(Decision::Ask);
    let unknowns = assessment.unknowns().iter().enumerate().map(|(index, doubt)| {
        let detail = alloc::format!("not understood ({}) at level {level}", doubt.cause.as_str());
        Reason::new(Rule::Level, unknown, About::Unknown(index), detail)
    });
    // Knowing of no operation is not knowing that there is none.
    let nothing = (!assessment.is_known() && assessment.unknowns().is_empty()).then(|| {
        let detail = alloc::format!("nothing is known about the call at level {level}");
        Reason::new(Rule::Level, unknown, About::Call, detail)
    });
    let ways_out = assessment.escapes().iter().filter(|escape| !is_handed_on(*escape)).map(|escape| {
        let detail = alloc::format!("a way out of what the call is meant for ({escape}) at level {level}");
        Reason::new(Rule::Level, unknown, About::Call, detail)
    });
    operations.chain(unknowns).chain(nothing).chain(ways_out).collect()
}

/// Whether what a way out leads to is part of the call: a command line that is handed on is judged as one. Every other way
/// out leads to where nobody follows it.
fn is_handed_on(escape: Escape) -> bool {
    match escape {
        Escape::OsCommand => true,
        Escape::Argument
        | Escape::Sql
        | Escape::Env
        | Escape::Path
        | Escape::Symlink
        | Escape::InterpretationLayers
        | Escape::Encoding
        | Escape::Homoglyph
        | Escape::Ssrf
        | Escape::ContainerEscape
        | Escape::Privilege
        | Escape::ConfigPersistence
        | Escape::Resolution
        | Escape::Transaction => false,
    }
}

/// What the level says to one operation; `None` where it lets it through.
fn operation_rung(index: usize, assessed: &Assessed, assessment: &Assessment, standing: &Standing) -> Option<Reason> {
    let level = standing.level;
    let effect = places::effective_effect(assessed, &standing.scene);
    // A place that is not known may be one that the floor keeps.
    let nowhere_known = assessed.place == Some(Place::Anywhere) && assessed.operation.writes();
    let (mut answer, source) = level_answer(assessed, effect, standing);
    if nowhere_known {
        answer = answer.max(Answer::Ask);
    }
    let what = if nowhere_known { "a change at a place that is not known" } else { effect_text(effect) };
    let by = source.map_or_else(String::new, |source| alloc::format!(" ({source})"));
    let detail = alloc::format!("{what} at level {level}{by}");
    let decision = answer.decision();
    let reason = Reason::new(Rule::Level, decision, About::Operation(index), detail).at_least(answer.strength());
    match decision {
        Decision::Allow => None,
        Decision::Ask => Some(reason),
        Decision::Deny => Some(narrowed(reason, assessed, effect, assessment, standing)),
    }
}

/// What the default rung and every other rung say together, and whose rung it was if not the default's.
fn level_answer<'a>(assessed: &Assessed, effect: Effect, standing: &'a Standing) -> (Answer, Option<&'a str>) {
    let criticality = standing.posture.criticality(assessed);
    let own = Answer::plain(rung(standing.level, effect, criticality));
    match rungs::strictest(&standing.rungs, standing.level, &assessed.operation, effect, criticality) {
        Some((answer, rung)) if answer > own => (answer, Some(rung.source.as_str())),
        Some(_) | None => (own, None),
    }
}

/// The same reason, which says what would pass if less of the same kind would.
fn narrowed(
    reason: Reason,
    assessed: &Assessed,
    effect: Effect,
    assessment: &Assessment,
    standing: &Standing,
) -> Reason {
    if assessed.operation.scope == Scope::One {
        return reason;
    }
    let mut one = assessed.clone();
    one.operation.scope = Scope::One;
    if level_answer(&one, effect, standing).0 == Answer::Deny {
        return reason;
    }
    let by_condition = assessment.obligations().any(|obligation| obligation.kind == ObligationKind::WhereClause);
    let instead = match assessed.operation.kind() {
        Some(_) if by_condition => Cow::Borrowed("add a WHERE clause"),
        Some(kind) => Cow::Owned(alloc::format!("name one {kind}")),
        None => Cow::Borrowed("name one resource"),
    };
    reason.remedied(Remedy::ModifyRequest { instead })
}

fn obligations(demanded: &[Obligation], honours: WordSet<ObligationKind>) -> impl Iterator<Item = Reason> {
    demanded.iter().filter(move |obligation| !honours.contains(obligation.kind)).map(|obligation| {
        let detail =
            alloc::format!("the answer holds only with `{}`, which the caller does not see to", obligation.kind);
        Reason::new(Rule::Obligation, Decision::Ask, About::Call, detail)
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
