//! What the gates of toggles look at: predicates over one operation.

use crate::assess::Assessed;
use crate::operation::{Certainty, Effect, Operation, Segment, TargetKind, Verb};
use crate::paths::Place;
use crate::places;
use crate::run::Run;
use crate::scene::Scene;
use alloc::string::String;

pub(crate) fn is_about(operation: &Operation, kind: TargetKind) -> bool {
    operation.target.iter().any(|step| step.kind == kind)
}

pub(crate) fn sends_mail(operation: &Operation) -> bool {
    operation.verb == Verb::Send
        && (is_about(operation, TargetKind::Mailbox) || is_about(operation, TargetKind::Recipient))
}

pub(crate) fn commits(operation: &Operation) -> bool {
    operation.kind() == Some(TargetKind::GitCommit) && operation.verb == Verb::Create
}

pub(crate) fn pushes(operation: &Operation) -> bool {
    is_about(operation, TargetKind::GitRemote) && operation.writes()
}

pub(crate) fn rewrites_schema(operation: &Operation) -> bool {
    is_about(operation, TargetKind::ToolSchema) && operation.writes()
}

/// Whether something of it stays. Forgetting is not keeping.
pub(crate) fn keeps(operation: &Operation) -> bool {
    operation.writes() && !operation.removes()
}

/// Whether a step is a recipient whom nobody listed. Addresses are compared without regard to case.
pub(crate) fn is_other(step: &Segment, run: &Run) -> bool {
    step.kind == TargetKind::Recipient && is_not_listed(step, &run.recipients)
}

pub(crate) fn is_unreviewed(step: &Segment, run: &Run) -> bool {
    step.kind == TargetKind::MemoryEntry && is_not_listed(step, &run.memory_kinds)
}

pub(crate) fn is_not_listed(step: &Segment, names: &[String]) -> bool {
    step.certainty != Certainty::Exact || !names.iter().any(|name| name.eq_ignore_ascii_case(&step.name))
}

pub(crate) fn touches(assessed: &Assessed, run: &Run) -> bool {
    let reach = places::reach(assessed.operation.scope);
    let own = |place: &Place| run.core_roots.iter().any(|root| place.may_be_within(root) || place.may_be(root, reach));
    assessed.place.as_ref().is_some_and(|place| *place == Place::Anywhere || own(place))
}

pub(crate) fn destructive(assessed: &Assessed, scene: &Scene) -> Option<&'static str> {
    match places::effective_effect(assessed, scene) {
        Effect::None | Effect::Reversible => None,
        Effect::Irreversible => Some("it cannot be undone"),
        Effect::Unknown if places::persists(assessed, scene) => Some("it makes something run later or at every start"),
        Effect::Unknown => Some("what it does cannot be told from the text"),
    }
}

pub(crate) fn outside(assessed: &Assessed, place: &Place, scene: &Scene) -> Option<&'static str> {
    if places::is_inert(place) || places::is_in_workspace(place, scene) {
        return None;
    }
    if assessed.operation.writes() {
        Some("it writes outside the workspace")
    } else {
        let public = places::is_public(place, assessed.operation.scope);
        (!public).then_some("it reads a private place outside the workspace")
    }
}
