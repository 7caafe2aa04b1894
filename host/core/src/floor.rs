//! The floor: what is denied whatever the toggles, the level and the configuration say. There is no parameter that skips
//! a rule of this file.

use crate::action::Action;
use crate::assess::{Assessed, Assessment, Node};
use crate::operation::{Access, Certainty, Effect, Operation, Scope, Segment, TargetKind, Verb};
use crate::paths::{Place, is_windows_system_folder};
use crate::places;
use crate::scene::Scene;
use crate::verdict::{About, Decision, Reason, Rule};
use crate::words::{Word, words};
use alloc::string::String;
use alloc::vec::Vec;

words! {
    /// A rule of the floor.
    Invariant {
        ProtectedPath = "floor.protected-path",
        OwnLevel = "floor.own-level",
        FilesystemFormatting = "floor.filesystem-formatting",
        RawDeviceWrite = "floor.raw-device-write",
        SystemDeletion = "floor.system-deletion",
        ProcessExhaustion = "floor.process-exhaustion",
        MachineHalt = "floor.machine-halt",
        GrantSubmission = "final_human_review_on_grant_submission",
        PersonalDataExport = "pii_export_block",
    }
}

/// Sub-commands of the gate's own program that a gated principal may run: they have no effect beyond an audit line.
const OWN_HARMLESS: &[&str] = &["check", "explain"];
/// The gate's own program.
const OWN_PROGRAM: &str = "holdpoint";

/// Denials for everything that touches the gate itself.
pub fn protected_paths(assessment: &Assessment, scene: &Scene) -> Vec<Reason> {
    let touched = |assessed: &Assessed| {
        let hit = assessed.operation.writes() && places::touches_gate(assessed, scene);
        hit.then(|| "it changes the gate itself or the file that wires it into the agent host".into())
    };
    each_operation(assessment, Invariant::ProtectedPath, touched)
}

/// Denials by every other rule of the floor.
pub fn invariants(assessment: &Assessment, scene: &Scene) -> Vec<Reason> {
    let mut reasons = own_level(assessment);
    for invariant in Invariant::ALL.iter().copied() {
        reasons.extend(each_operation(assessment, invariant, |assessed| violation(invariant, assessed, scene)));
    }
    reasons
}

fn violation(invariant: Invariant, assessed: &Assessed, scene: &Scene) -> Option<String> {
    let operation = &assessed.operation;
    match invariant {
        // These two have a stage or a subject of their own.
        Invariant::ProtectedPath | Invariant::OwnLevel => None,
        Invariant::FilesystemFormatting => formats(assessed).then(|| "it makes or wipes a file system".into()),
        Invariant::RawDeviceWrite => {
            let raw = assessed.place.as_ref().is_some_and(places::is_raw_device);
            (raw && operation.writes()).then(|| "it writes to a device directly".into())
        }
        Invariant::SystemDeletion => {
            let deletes = operation.removes() && deletes_system_folder(assessed, scene);
            deletes.then(|| "it deletes /, a home or a folder that the system is made of".into())
        }
        Invariant::ProcessExhaustion => {
            let unbounded = operation.kind() == Some(TargetKind::Process)
                && operation.verb == Verb::Create
                && operation.scope >= Scope::Root;
            unbounded.then(|| "it starts processes without end".into())
        }
        Invariant::MachineHalt => {
            let halts = operation.kind() == Some(TargetKind::Machine)
                && operation.verb == Verb::Configure
                && operation.effect >= Effect::Irreversible;
            let switch = operation.writes() && assessed.place.as_ref().is_some_and(places::is_machine_switch);
            (halts || switch).then(|| "it stops the machine".into())
        }
        Invariant::GrantSubmission => {
            let submits = about(operation, TargetKind::Application) && operation.writes();
            submits.then(|| "it hands in an application, which a person does".into())
        }
        Invariant::PersonalDataExport => {
            let exports = about(operation, TargetKind::PersonalData) && operation.access > Access::List;
            exports.then(|| "it takes out data on many persons".into())
        }
    }
}

fn about(operation: &Operation, kind: TargetKind) -> bool {
    operation.target.iter().any(|step| step.kind == kind)
}

/// Whether the operation makes, repartitions or wipes a file system that is not certainly an ordinary file.
fn formats(assessed: &Assessed) -> bool {
    let on_a_device = match &assessed.place {
        Some(Place::Anywhere) | None => true,
        Some(place @ (Place::Exact(_) | Place::Pattern { .. })) => places::is_raw_device(place),
    };
    assessed.operation.kind() == Some(TargetKind::Filesystem) && assessed.operation.writes() && on_a_device
}

/// Whether a deletion takes a system folder as a whole.
fn deletes_system_folder(assessed: &Assessed, scene: &Scene) -> bool {
    let Some(Segment { kind: TargetKind::File, name, certainty }) = assessed.operation.target.first() else {
        return false;
    };
    let recursive = match assessed.operation.scope {
        Scope::One | Scope::Selection => false,
        Scope::AllInParent | Scope::Parent | Scope::Root | Scope::Unknown => true,
    };
    if recursive && *certainty != Certainty::Dynamic && is_windows_system_folder(name) {
        return true;
    }
    let Some(place) = &assessed.place else { return false };
    let whole = place.whole_folder().map(|folder| Place::Exact(folder.clone()));
    let is_root = matches!(&whole, Some(Place::Exact(path)) if path.names().is_empty());
    let emptied = matches!(place, Place::Pattern { .. }).then_some(whole).flatten();
    let taken = recursive || is_root;
    let system = |place: &Place| places::may_be_system_folder(place, scene);
    let in_workspace = places::is_in_workspace(place, scene);
    emptied.is_some_and(|folder| !in_workspace && system(&folder)) || (taken && system(place))
}

/// Running the gate's own program could answer its own questions, so only harmless sub-commands are left.
fn own_level(assessment: &Assessment) -> Vec<Reason> {
    let raises = |(index, node): (usize, &Node)| {
        let Action::Program(invocation) = &node.action else {
            return None;
        };
        let (program, words) = invocation.argv.split_first()?;
        let own = program.text.rsplit('/').next() == Some(OWN_PROGRAM);
        let harmless = words
            .first()
            .is_some_and(|word| word.certainty == Certainty::Exact && OWN_HARMLESS.contains(&word.text.as_str()));
        (own && !harmless).then(|| Reason {
            rule: Rule::Floor(Invariant::OwnLevel),
            decision: Decision::Deny,
            about: About::Node(index),
            detail: "an agent may run only `holdpoint check` and `holdpoint explain`".into(),
        })
    };
    assessment.nodes().iter().enumerate().filter_map(raises).collect()
}

fn each_operation(
    assessment: &Assessment,
    invariant: Invariant,
    violation: impl Fn(&Assessed) -> Option<String>,
) -> Vec<Reason> {
    let reason = |(index, assessed)| {
        violation(assessed).map(|detail| Reason {
            rule: Rule::Floor(invariant),
            decision: invariant.decision(),
            about: About::Operation(index),
            detail,
        })
    };
    assessment.operations().iter().enumerate().filter_map(reason).collect()
}

impl Invariant {
    /// What it says to a violation. Some things are reserved for a person and no more: an approval of exactly this action
    /// lets it through, and nothing else does.
    pub fn decision(self) -> Decision {
        match self {
            Invariant::GrantSubmission | Invariant::PersonalDataExport => Decision::Ask,
            Invariant::ProtectedPath
            | Invariant::OwnLevel
            | Invariant::FilesystemFormatting
            | Invariant::RawDeviceWrite
            | Invariant::SystemDeletion
            | Invariant::ProcessExhaustion
            | Invariant::MachineHalt => Decision::Deny,
        }
    }

    /// The sentence for the list of rules.
    pub fn summary(self) -> &'static str {
        match self {
            Invariant::ProtectedPath => "the gate's own files and its wiring into agent hosts are never written",
            Invariant::OwnLevel => "an agent never answers its own questions or raises its own level",
            Invariant::FilesystemFormatting => "no file system is made, repartitioned or wiped",
            Invariant::RawDeviceWrite => "no device is written directly",
            Invariant::SystemDeletion => "neither /, a home nor a system folder is deleted",
            Invariant::ProcessExhaustion => "no process multiplies without end",
            Invariant::MachineHalt => "the machine is not shut down or restarted",
            Invariant::GrantSubmission => "an application is handed in by a person, each time",
            Invariant::PersonalDataExport => "data on many persons is taken out by a person, each time",
        }
    }
}

/// Every rule with its sentence, for `doctor` and the documents.
pub fn rules() -> impl Iterator<Item = (&'static str, &'static str)> {
    Invariant::ALL.iter().map(|invariant| (invariant.as_str(), invariant.summary()))
}
