//! The floor: what no toggle, level or configuration lifts. Every action meets every rule of it, and there is no parameter
//! that skips one.

use crate::assess::Assessment;
use crate::floor_rules as rules;
use crate::judge::Standing;
use crate::registry::SafetyToggle;
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
        Authentication = "authentication_required",
        OwnPage = "csrf_and_session_protection",
        SecretScrub = "secret_scrub_block",
        ForcePush = "force_push_to_main_blocked",
        InjectionScan = "prompt_injection_external_content_scan",
        GrantSubmission = "final_human_review_on_grant_submission",
        PersonalDataExport = "pii_export_block",
        AuditLogging = "audit_logging",
    }
}

/// Denials for everything that touches the gate itself.
pub fn protected_paths(assessment: &Assessment, standing: &Standing) -> Vec<Reason> {
    violations(Invariant::ProtectedPath, assessment, standing)
}

/// What every other rule of the floor says.
pub fn invariants(assessment: &Assessment, standing: &Standing) -> Vec<Reason> {
    let others = Invariant::ALL.iter().filter(|invariant| **invariant != Invariant::ProtectedPath);
    others.flat_map(|invariant| violations(*invariant, assessment, standing)).collect()
}

/// The first violation of what a toggle names, in its order; the ones behind it are not looked at. Judging runs all
/// invariants on every call; this is for whoever acts under one toggle and wants to know what holds beneath it.
pub fn first_violation(toggle: &SafetyToggle, assessment: &Assessment, standing: &Standing) -> Option<Reason> {
    let first = |invariant: &Invariant| violations(*invariant, assessment, standing).into_iter().next();
    toggle.invariants().iter().find_map(first)
}

/// Every violation of one rule.
pub fn violations(invariant: Invariant, assessment: &Assessment, standing: &Standing) -> Vec<Reason> {
    // Only so can a test see which rules the runner asks; a build that judges real calls has no such way in.
    #[cfg(test)]
    if let Some(made_up) = fakes::answer(invariant) {
        return made_up;
    }
    let said = |about, detail: String| Reason::new(Rule::Floor(invariant), invariant.decision(), about, detail);
    let call = rules::of_call(invariant, assessment, standing).map(|detail| said(About::Call, detail.into()));
    let nodes = assessment.nodes().iter().enumerate().filter_map(|(index, node)| {
        let detail = rules::of_node(invariant, assessment, index, node, &standing.scene)?;
        Some(said(About::Node(index), detail.into()))
    });
    let operations = assessment.operations().iter().enumerate().filter_map(|(index, assessed)| {
        let detail = rules::of_operation(invariant, assessed, &standing.scene)?;
        Some(said(About::Operation(index), detail.into()))
    });
    call.into_iter().chain(nodes).chain(operations).collect()
}

impl Invariant {
    /// What it says to a violation. Some things are reserved for a person and no more: an approval of exactly this action
    /// lets it through, and nothing else does.
    pub fn decision(self) -> Decision {
        match self {
            Invariant::GrantSubmission
            | Invariant::PersonalDataExport
            | Invariant::ForcePush
            | Invariant::InjectionScan => Decision::Ask,
            Invariant::ProtectedPath
            | Invariant::OwnLevel
            | Invariant::FilesystemFormatting
            | Invariant::RawDeviceWrite
            | Invariant::SystemDeletion
            | Invariant::ProcessExhaustion
            | Invariant::MachineHalt
            | Invariant::Authentication
            | Invariant::OwnPage
            | Invariant::SecretScrub
            | Invariant::AuditLogging => Decision::Deny,
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
            Invariant::Authentication => "whoever changes anything is known, by what counts on the transport",
            Invariant::OwnPage => "a call from a page carries the session and the token of the console",
            Invariant::SecretScrub => "nothing that looks like a credential leaves the machine",
            Invariant::ForcePush => "the main branch of a remote is overwritten by a person, each time",
            Invariant::InjectionScan => "after content that gives orders, a person confirms what has side effects",
            Invariant::GrantSubmission => "an application is handed in by a person, each time",
            Invariant::PersonalDataExport => "data on many persons is taken out by a person, each time",
            Invariant::AuditLogging => "what is not written down does not happen",
        }
    }
}

/// Every rule with its sentence, for `doctor` and the documents.
pub fn rules() -> impl Iterator<Item = (&'static str, &'static str)> {
    Invariant::ALL.iter().map(|invariant| (invariant.as_str(), invariant.summary()))
}

#[cfg(test)]
#[path = "floor_fakes.rs"]
pub(crate) mod fakes;
#[cfg(test)]
#[path = "floor_tests.rs"]
mod tests;
