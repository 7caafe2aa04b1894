//! What each toggle gates while it is restrictive: a predicate over operations, and what it says to them. No toggle gates
//! nothing.

use crate::action::{Action, ToolAction};
use crate::assess::{Assessed, Assessment, Route};
use crate::declared::Restrictive;
use crate::gate_rules::{
    commits, destructive, is_about, is_other, is_unreviewed, keeps, outside, pushes, rewrites_schema, sends_mail,
    touches,
};
use crate::grant::Grant;
use crate::judge::Standing;
use crate::operation::{Effect, TargetKind, Trait, Verb};
use crate::run::{AUTONOMOUS_OPERATIONS_MAX, Driver, Gesture, Mode, Run, Session, Stop, TestStatus};
use crate::toggle::ToggleKey;
use crate::verdict::{About, Decision, Reason, Rule};
use crate::words::Word;
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// Something that a toggle gates.
pub(crate) struct Hit {
    pub(crate) about: About,
    detail: Cow<'static, str>,
}

/// What the toggles say about everything in an assessment that no grant covers.
pub fn gates(assessment: &Assessment, standing: &Standing) -> Vec<Reason> {
    let mut reasons = Vec::new();
    for key in ToggleKey::ALL.iter().copied() {
        let grant = standing.loosened.grant(key);
        let verdict = if standing.denied.contains(key) { Decision::Deny } else { while_restrictive(key) };
        for hit in hits(key, assessment, standing) {
            let detail = match grant {
                None => hit.detail.into_owned(),
                Some(grant) if is_covered(grant, key, &hit, assessment) => continue,
                Some(_) => alloc::format!("{}, beyond what the toggle was loosened for", hit.detail),
            };
            reasons.push(Reason::new(Rule::Toggle(key), verdict, hit.about, detail));
        }
    }
    reasons.extend(standing.declared.iter().flat_map(|toggle| declared(toggle, assessment)));
    reasons
}

/// What a toggle of a vocabulary says.
fn declared<'a>(toggle: &'a Restrictive, assessment: &'a Assessment) -> impl Iterator<Item = Reason> + 'a {
    let operations = assessment.operations().iter().enumerate();
    operations.filter(|(_, assessed)| toggle.gate.holds(&assessed.operation)).map(|(index, _)| {
        let detail = alloc::format!("a vocabulary keeps this for a person ({})", toggle.label);
        Reason::new(Rule::Declared(toggle.key), toggle.gate.verdict, About::Operation(index), detail)
    })
}

/// Everything that a toggle gates, loosened or not.
pub(crate) fn hits(key: ToggleKey, assessment: &Assessment, standing: &Standing) -> Vec<Hit> {
    let call = call_gate(key, assessment, standing).map(|detail| Hit { about: About::Call, detail: detail.into() });
    let operations = assessment.operations().iter().enumerate().filter_map(|(index, assessed)| {
        let detail = operation_gate(key, assessed, assessment, standing)?;
        Some(Hit { about: About::Operation(index), detail: detail.into() })
    });
    let mut hits: Vec<Hit> = call.into_iter().chain(operations).collect();
    if key == ToggleKey::ShellAllowDestructiveFlags {
        hits.extend(unknowns(assessment));
    }
    hits
}

/// Whether a grant lets a hit through. What is not understood is covered only by a grant for everything.
pub(crate) fn is_covered(grant: &Grant, key: ToggleKey, hit: &Hit, assessment: &Assessment) -> bool {
    if key == ToggleKey::AutonomousRaiseDailyOpCap {
        // The number that it was raised to is what the gate itself compares with.
        return false;
    }
    grant.is_for_all()
        || match hit.about {
            About::Operation(index) => {
                assessment.operations().get(index).is_some_and(|assessed| grant.names(key, assessed))
            }
            About::Call => called(assessment).is_some_and(|tool| grant.names_tool(&tool.server, &tool.name)),
            About::Unknown(_) | About::Node(_) => false,
        }
}

/// How many uses of a toggle these are. A mail is one, to however many people an action sends it.
pub(crate) fn number_of(key: ToggleKey, hits: &[Hit], assessment: &Assessment) -> u64 {
    if key != ToggleKey::EmailAutoSend {
        return hits.len() as u64;
    }
    let operations = || {
        hits.iter().filter_map(|hit| match hit.about {
            About::Operation(index) => assessment.operations().get(index),
            About::Call | About::Unknown(_) | About::Node(_) => None,
        })
    };
    let from_mailbox = |assessed: &&Assessed| is_about(&assessed.operation, TargetKind::Mailbox);
    let mails = operations().filter(from_mailbox).count();
    let has_mailbox = |node| operations().filter(from_mailbox).any(|assessed| assessed.node == node);
    let others = operations().filter(|assessed| !from_mailbox(assessed) && !has_mailbox(assessed.node)).count();
    mails.saturating_add(others) as u64
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
fn unknowns(assessment: &Assessment) -> impl Iterator<Item = Hit> {
    let through_shell = |node: usize| assessment.node(node).is_some_and(|node| node.route == Route::Shell);
    let unknowns = assessment.unknowns().iter().enumerate();
    unknowns.filter(move |(_, unknown)| through_shell(unknown.node)).map(|(index, unknown)| Hit {
        about: About::Unknown(index),
        detail: alloc::format!("part of the command is not understood ({})", unknown.cause.as_str()).into(),
    })
}

/// Why the toggle gates the call as a whole, if it does.
fn call_gate(key: ToggleKey, assessment: &Assessment, standing: &Standing) -> Option<&'static str> {
    let run = &standing.run;
    match key {
        ToggleKey::SelfmodKillSwitch => {
            (run.stop == Stop::Engaged).then_some("the switch that stops every agent is engaged")
        }
        ToggleKey::ToolsBypassCatalogGate => {
            let (catalogue, tool) = (run.catalogue.as_ref()?, called(assessment)?);
            catalogue.objection(&tool.server, &tool.name, run.schema.as_ref())
        }
        ToggleKey::AutonomousRaiseDailyOpCap => {
            let after = run.operations_today.saturating_add(operations_of(assessment, run));
            let past = autonomous_limit(standing).is_some_and(|limit| run.driver != Driver::Person && after > limit);
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

/// Operations of a run without a person that count against its day.
pub(crate) fn operations_of(assessment: &Assessment, run: &Run) -> u64 {
    let counted = assessment.operations().iter().filter(|assessed| assessed.operation.effect != Effect::None);
    if run.driver == Driver::Person { 0 } else { counted.count() as u64 }
}

/// How many operations runs without a person may do in a day; `None` where nothing limits them.
pub(crate) fn autonomous_limit(standing: &Standing) -> Option<u64> {
    let grant = standing.loosened.grant(ToggleKey::AutonomousRaiseDailyOpCap);
    grant.map_or(Some(AUTONOMOUS_OPERATIONS_MAX), Grant::daily)
}

pub(crate) fn called(assessment: &Assessment) -> Option<&ToolAction> {
    match assessment.node(0).map(|node| &node.action) {
        Some(Action::Tool(tool)) => Some(tool),
        Some(Action::Program(_) | Action::Source(_)) | None => None,
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
        ToggleKey::ToolsBypassCatalogGate => rewrites_schema(operation).then_some("it changes what a tool claims"),
        // These two look at the call as a whole.
        ToggleKey::SelfmodKillSwitch | ToggleKey::AutonomousRaiseDailyOpCap => None,
    }
}

#[cfg(test)]
#[path = "gates_tests.rs"]
mod tests;
