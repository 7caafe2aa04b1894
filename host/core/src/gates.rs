//! What each toggle gates while it is restrictive: a predicate over operations, and what it says to them. No toggle gates
//! nothing.

use crate::action::Action;
use crate::assess::{Assessed, Assessment, Route};
use crate::judge::Standing;
use crate::operation::{Certainty, Effect, Operation, Segment, TargetKind, Trait, Verb};
use crate::paths::Place;
use crate::places;
use crate::run::{AUTONOMOUS_OPERATIONS_MAX, Driver, Gesture, Mode, Run, Session, Stop, TestStatus};
use crate::scene::Scene;
use crate::toggle::ToggleKey;
use crate::verdict::{About, Decision, Reason, Rule};
use crate::words::Word;
use alloc::string::String;
use alloc::vec::Vec;

/// What the restrictive toggles say about everything in an assessment.
pub fn gates(assessment: &Assessment, standing: &Standing) -> Vec<Reason> {
    let mut reasons = Vec::new();
    for key in ToggleKey::ALL.iter().copied().filter(|key| !standing.permissive.contains(*key)) {
        let said = |about, detail: &'static str| Reason {
            rule: Rule::Toggle(key),
            decision: while_restrictive(key),
            about,
            detail: detail.into(),
        };
        reasons.extend(call_gate(key, assessment, &standing.run).map(|detail| said(About::Call, detail)));
        for (index, assessed) in assessment.operations().iter().enumerate() {
            let gated = operation_gate(key, assessed, assessment, standing);
            reasons.extend(gated.map(|detail| said(About::Operation(index), detail)));
        }
        if key == ToggleKey::ShellAllowDestructiveFlags {
            reasons.extend(unknowns(assessment));
        }
    }
    reasons
}

/// What a toggle says to what it gates.
pub fn while_restrictive(key: ToggleKey) -> Decision {
    match key {
        ToggleKey::EmailAutoSend
        | ToggleKey::EmailRecipientAllowlist
        | ToggleKey::CodeAutoCommit
        | ToggleKey::CodeAutoPush
        | ToggleKey::SelfmodAutoApply
        | ToggleKey::ShellAllowDestructiveFlags
        | ToggleKey::ShellAllowOutsideWorkspace
        | ToggleKey::NetAllowOutbound
        | ToggleKey::NetAllowBrowserAutoActions
        | ToggleKey::MemoryPersistEverything
        | ToggleKey::VaultAutoGrantCapabilities => Decision::Ask,
        ToggleKey::CodeAllowCorePatch
        | ToggleKey::ToolsBypassCatalogGate
        | ToggleKey::AgentBypassPlanMode
        | ToggleKey::TestsAllowRedCommit
        | ToggleKey::SelfmodEnabled
        | ToggleKey::SelfmodKillSwitch
        | ToggleKey::DreamsWriteDuringActiveSession
        | ToggleKey::AutonomousRaiseDailyOpCap
        | ToggleKey::VoiceAlwaysListening => Decision::Deny,
    }
}

/// A command that is not understood may do what a destructive one does.
fn unknowns(assessment: &Assessment) -> impl Iterator<Item = Reason> {
    let through_shell = |node: usize| assessment.node(node).is_some_and(|node| node.route == Route::Shell);
    assessment.unknowns().iter().enumerate().filter(move |(_, unknown)| through_shell(unknown.node)).map(
        |(index, unknown)| Reason {
            rule: Rule::Toggle(ToggleKey::ShellAllowDestructiveFlags),
            decision: Decision::Ask,
            about: About::Unknown(index),
            detail: alloc::format!("part of the command is not understood ({})", unknown.cause.as_str()),
        },
    )
}

/// Why the toggle gates the call as a whole, if it does.
fn call_gate(key: ToggleKey, assessment: &Assessment, run: &Run) -> Option<&'static str> {
    match key {
        ToggleKey::SelfmodKillSwitch => {
            (run.stop == Stop::Engaged).then_some("the switch that stops every agent is engaged")
        }
        ToggleKey::ToolsBypassCatalogGate => {
            let unlisted = run.catalogue.as_ref().is_some_and(|catalogue| !is_listed(assessment, catalogue));
            unlisted.then_some("the tool is not in the approved catalogue")
        }
        ToggleKey::AutonomousRaiseDailyOpCap => {
            let counted = assessment.operations().iter().filter(|assessed| assessed.operation.effect != Effect::None);
            let after = run.operations_today.saturating_add(counted.count() as u64);
            let past = run.driver != Driver::Person && after > AUTONOMOUS_OPERATIONS_MAX;
            past.then_some("runs without a person have done their operations for today")
        }
        ToggleKey::EmailAutoSend
        | ToggleKey::EmailRecipientAllowlist
        | ToggleKey::CodeAutoCommit
        | ToggleKey::CodeAutoPush
        | ToggleKey::CodeAllowCorePatch
        | ToggleKey::AgentBypassPlanMode
        | ToggleKey::TestsAllowRedCommit
        | ToggleKey::SelfmodEnabled
        | ToggleKey::SelfmodAutoApply
        | ToggleKey::ShellAllowDestructiveFlags
        | ToggleKey::ShellAllowOutsideWorkspace
        | ToggleKey::NetAllowOutbound
        | ToggleKey::NetAllowBrowserAutoActions
        | ToggleKey::MemoryPersistEverything
        | ToggleKey::DreamsWriteDuringActiveSession
        | ToggleKey::VaultAutoGrantCapabilities
        | ToggleKey::VoiceAlwaysListening => None,
    }
}

fn is_listed(assessment: &Assessment, catalogue: &[(String, String)]) -> bool {
    match assessment.node(0).map(|node| &node.action) {
        Some(Action::Tool(tool)) => catalogue.iter().any(|(server, name)| *server == tool.server && *name == tool.name),
        Some(Action::Program(_) | Action::Source(_)) | None => true,
    }
}

/// Why the toggle gates the operation, if it does.
fn operation_gate(
    key: ToggleKey,
    assessed: &Assessed,
    assessment: &Assessment,
    standing: &Standing,
) -> Option<&'static str> {
    let (operation, scene, run) = (&assessed.operation, &standing.scene, &standing.run);
    match key {
        ToggleKey::EmailAutoSend => sends_mail(operation).then_some("it sends mail"),
        ToggleKey::EmailRecipientAllowlist => {
            let other = sends_mail(operation) && operation.target.iter().any(|step| is_other(step, run));
            other.then_some("it sends mail to somebody who is not on the operator's list")
        }
        ToggleKey::CodeAutoCommit => commits(operation).then_some("it records a commit"),
        ToggleKey::CodeAutoPush => pushes(operation).then_some("it changes a remote repository"),
        ToggleKey::CodeAllowCorePatch => {
            let alone = run.driver != Driver::Person && operation.writes();
            (alone && touches(assessed, run)).then_some("it changes the agent's own program while nobody drives it")
        }
        ToggleKey::AgentBypassPlanMode => {
            let acts = operation.writes() && operation.effect != Effect::None;
            (run.mode == Mode::Planning && acts).then_some("the run is planning, and this changes something")
        }
        ToggleKey::TestsAllowRedCommit => {
            let red = matches!(run.tests, Some(TestStatus::Failing | TestStatus::Unknown));
            (red && commits(operation)).then_some("it records a commit although the tests do not pass")
        }
        ToggleKey::SelfmodEnabled => is_about(operation, TargetKind::SelfModification)
            .then_some("it is about a change to the agent's own program"),
        ToggleKey::SelfmodAutoApply => {
            let applies = is_about(operation, TargetKind::SelfModification) && operation.verb != Verb::Create;
            (applies && operation.writes()).then_some("it applies a change to the agent's own program")
        }
        ToggleKey::ShellAllowDestructiveFlags => {
            let through_shell = assessment.node(assessed.node).is_some_and(|node| node.route == Route::Shell);
            if through_shell { destructive(assessed, scene) } else { None }
        }
        ToggleKey::ShellAllowOutsideWorkspace => {
            assessed.place.as_ref().and_then(|place| outside(assessed, place, scene))
        }
        ToggleKey::NetAllowOutbound => {
            operation.traits.contains(Trait::Network).then_some("it reaches another machine")
        }
        ToggleKey::NetAllowBrowserAutoActions => {
            let acts = is_about(operation, TargetKind::BrowserElement) && operation.writes();
            acts.then_some("it acts on a page in the browser")
        }
        ToggleKey::MemoryPersistEverything => {
            let other = operation.target.iter().any(|step| is_unreviewed(step, run)) && keeps(operation);
            other.then_some("it keeps something of a kind that nobody reviewed")
        }
        ToggleKey::DreamsWriteDuringActiveSession => {
            let behind = run.driver == Driver::Background && run.session == Session::Live && operation.writes();
            (behind && is_about(operation, TargetKind::MemoryEntry))
                .then_some("it changes what is remembered behind a session that is going on")
        }
        ToggleKey::VaultAutoGrantCapabilities => {
            let grants = is_about(operation, TargetKind::VaultCapability) && operation.writes();
            grants.then_some("it grants a right of the vault")
        }
        ToggleKey::VoiceAlwaysListening => {
            let listens = is_about(operation, TargetKind::Microphone) && operation.verb != Verb::Delete;
            (listens && run.gesture != Gesture::Held).then_some("it listens while nobody holds the key")
        }
        // These three look at the call as a whole.
        ToggleKey::ToolsBypassCatalogGate | ToggleKey::SelfmodKillSwitch | ToggleKey::AutonomousRaiseDailyOpCap => None,
    }
}

fn is_about(operation: &Operation, kind: TargetKind) -> bool {
    operation.target.iter().any(|step| step.kind == kind)
}

fn sends_mail(operation: &Operation) -> bool {
    operation.verb == Verb::Send
        && (is_about(operation, TargetKind::Mailbox) || is_about(operation, TargetKind::Recipient))
}

fn commits(operation: &Operation) -> bool {
    operation.kind() == Some(TargetKind::GitCommit) && operation.verb == Verb::Create
}

fn pushes(operation: &Operation) -> bool {
    is_about(operation, TargetKind::GitRemote) && operation.writes()
}

/// Whether something of it stays. Forgetting is not keeping.
fn keeps(operation: &Operation) -> bool {
    operation.writes() && !operation.removes()
}

/// Whether a step is a recipient whom nobody listed. Addresses are compared without regard to case.
fn is_other(step: &Segment, run: &Run) -> bool {
    step.kind == TargetKind::Recipient && is_not_listed(step, &run.recipients)
}

fn is_unreviewed(step: &Segment, run: &Run) -> bool {
    step.kind == TargetKind::MemoryEntry && is_not_listed(step, &run.memory_kinds)
}

fn is_not_listed(step: &Segment, names: &[String]) -> bool {
    step.certainty != Certainty::Exact || !names.iter().any(|name| name.eq_ignore_ascii_case(&step.name))
}

fn touches(assessed: &Assessed, run: &Run) -> bool {
    let reach = places::reach(assessed.operation.scope);
    let own = |place: &Place| run.core_roots.iter().any(|root| place.may_be_within(root) || place.may_be(root, reach));
    assessed.place.as_ref().is_some_and(|place| *place == Place::Anywhere || own(place))
}

fn destructive(assessed: &Assessed, scene: &Scene) -> Option<&'static str> {
    match places::effective_effect(assessed, scene) {
        Effect::None | Effect::Reversible => None,
        Effect::Irreversible => Some("it cannot be undone"),
        Effect::Unknown if places::persists(assessed, scene) => Some("it makes something run later or at every start"),
        Effect::Unknown => Some("what it does cannot be told from the text"),
    }
}

fn outside(assessed: &Assessed, place: &Place, scene: &Scene) -> Option<&'static str> {
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

#[cfg(test)]
#[path = "gates_tests.rs"]
mod tests;
