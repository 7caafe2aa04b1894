//! Toggles: what an operator may loosen, and what each of them gates while it is restrictive.

use crate::assess::{Assessed, Assessment, Route};
use crate::operation::{Effect, TargetKind, Trait, Verb};
use crate::paths::Place;
use crate::places;
use crate::scene::Scene;
use crate::verdict::{About, Decision, Reason, Rule};
use crate::words::{Word, WordSet, words};
use alloc::string::String;
use alloc::vec::Vec;

words! {
    /// A toggle. All are restrictive unless an operator loosened them.
    ToggleKey {
        CodeAutoCommit = "code.auto_commit",
        CodeAutoPush = "code.auto_push",
        ShellAllowDestructiveFlags = "shell.allow_destructive_flags",
        ShellAllowOutsideWorkspace = "shell.allow_outside_workspace",
        NetAllowOutbound = "net.allow_outbound",
    }
}

/// The toggles that are permissive.
pub type Permissive = WordSet<ToggleKey>;

/// What the restrictive toggles say about everything in an assessment.
pub fn gates(assessment: &Assessment, scene: &Scene, permissive: Permissive) -> Vec<Reason> {
    let mut reasons = Vec::new();
    for key in ToggleKey::ALL.iter().copied().filter(|key| !permissive.contains(*key)) {
        for (index, assessed) in assessment.operations().iter().enumerate() {
            if let Some(detail) = gate(key, assessed, assessment, scene) {
                reasons.push(ask(key, About::Operation(index), detail));
            }
        }
        if key == ToggleKey::ShellAllowDestructiveFlags {
            reasons.extend(unknowns(assessment));
        }
    }
    reasons
}

fn ask(key: ToggleKey, about: About, detail: String) -> Reason {
    Reason { rule: Rule::Toggle(key), decision: Decision::Ask, about, detail }
}

/// A command that is not understood may do what a destructive one does.
fn unknowns(assessment: &Assessment) -> impl Iterator<Item = Reason> {
    let through_shell = |node: usize| assessment.node(node).is_some_and(|node| node.route == Route::Shell);
    assessment.unknowns().iter().enumerate().filter(move |(_, unknown)| through_shell(unknown.node)).map(
        |(index, unknown)| {
            let detail = alloc::format!("part of the command is not understood ({})", unknown.cause.as_str());
            ask(ToggleKey::ShellAllowDestructiveFlags, About::Unknown(index), detail)
        },
    )
}

/// Why the toggle gates the operation, if it does.
fn gate(key: ToggleKey, assessed: &Assessed, assessment: &Assessment, scene: &Scene) -> Option<String> {
    let operation = &assessed.operation;
    match key {
        ToggleKey::CodeAutoCommit => {
            let commits = operation.kind() == Some(TargetKind::GitCommit) && operation.verb == Verb::Create;
            commits.then(|| "it records a commit".into())
        }
        ToggleKey::CodeAutoPush => {
            let pushes = operation.target.iter().any(|segment| segment.kind == TargetKind::GitRemote);
            (pushes && operation.writes()).then(|| "it changes a remote repository".into())
        }
        ToggleKey::ShellAllowDestructiveFlags => {
            let through_shell = assessment.node(assessed.node).is_some_and(|node| node.route == Route::Shell);
            if through_shell { destructive(assessed, scene) } else { None }
        }
        ToggleKey::ShellAllowOutsideWorkspace => {
            assessed.place.as_ref().and_then(|place| outside(assessed, place, scene))
        }
        ToggleKey::NetAllowOutbound => {
            let network = operation.traits.contains(Trait::Network);
            network.then(|| "it reaches another machine".into())
        }
    }
}

fn destructive(assessed: &Assessed, scene: &Scene) -> Option<String> {
    match places::effective_effect(assessed, scene) {
        Effect::None | Effect::Reversible => None,
        Effect::Irreversible => Some("it cannot be undone".into()),
        Effect::Unknown if places::persists(assessed, scene) => {
            Some("it makes something run later or at every start".into())
        }
        Effect::Unknown => Some("what it does cannot be told from the text".into()),
    }
}

fn outside(assessed: &Assessed, place: &Place, scene: &Scene) -> Option<String> {
    if places::is_inert(place) || places::is_in_workspace(place, scene) {
        return None;
    }
    if assessed.operation.writes() {
        Some("it writes outside the workspace".into())
    } else {
        let public = places::is_public(place, assessed.operation.scope);
        (!public).then(|| "it reads a private place outside the workspace".into())
    }
}
