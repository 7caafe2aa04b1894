//! What violates a rule of the floor: predicates, each over a call, one of its actions or one of its operations.

use crate::action::{Action, Input};
use crate::assess::{Assessed, Assessment, Node, NodeId, Script};
use crate::credential::{self, Credential};
use crate::floor::Invariant;
use crate::json::Json;
use crate::judge::Standing;
use crate::operation::{Access, Certainty, Effect, Operation, Scope, Segment, TargetKind, Trait, Verb};
use crate::own_rules;
use crate::paths::{Place, is_windows_system_folder};
use crate::places;
use crate::scene::Scene;
use alloc::string::String;
use alloc::vec::Vec;

/// Branches that a remote is published from.
const MAIN_BRANCHES: &[&str] = &["main", "master"];

/// What an agent does that changes the environment of the gate.
const OTHER_GATE: &str = "it sets a variable that says where the gate or the agent host finds its settings";

/// Why the call as a whole violates the rule, if it does.
pub(crate) fn of_call(invariant: Invariant, assessment: &Assessment, standing: &Standing) -> Option<&'static str> {
    match invariant {
        Invariant::Authentication => {
            let unknown = !standing.proof.is_authenticated() && changes_something(assessment);
            unknown.then_some("nobody knows who sent it, and it changes something")
        }
        Invariant::OwnPage => {
            let foreign = !standing.proof.is_of_own_page() && changes_something(assessment);
            foreign.then_some("it did not come from the console's own page")
        }
        Invariant::SecretScrub => leaks(assessment),
        Invariant::InjectionScan => {
            let heard = !standing.run.unconfirmed_content.is_empty() && changes_something(assessment);
            heard.then_some(
                "content from outside gave orders to the agent, and nobody has confirmed it (`holdpoint content list`)",
            )
        }
        // Whether the decision can be written down shows only afterwards: `record` in `authorize` holds this rule.
        Invariant::AuditLogging => None,
        Invariant::ProtectedPath => own_rules::ends_what_it_looked_up(assessment)
            .then_some("it looks up the gate's own processes and ends what it finds"),
        Invariant::OwnLevel
        | Invariant::FilesystemFormatting
        | Invariant::RawDeviceWrite
        | Invariant::SystemDeletion
        | Invariant::ProcessExhaustion
        | Invariant::MachineHalt
        | Invariant::ForcePush
        | Invariant::GrantSubmission
        | Invariant::PersonalDataExport => None,
    }
}

/// Why an action of the call violates the rule, if it does.
pub(crate) fn of_node(
    invariant: Invariant,
    assessment: &Assessment,
    id: NodeId,
    node: &Node,
    scene: &Scene,
) -> Option<&'static str> {
    match invariant {
        Invariant::OwnLevel => {
            let raises = own_rules::runs_the_gate(&node.action) || own_rules::hands_on_the_gate(assessment, id);
            let raised = raises.then_some("an agent may run only `holdpoint check` and `holdpoint explain`");
            raised.or_else(|| own_rules::brings_own_variable(&node.action).then_some(OTHER_GATE))
        }
        Invariant::ProtectedPath => {
            let hands_on = own_rules::names_own_places(assessment, id, scene);
            let hands_on = hands_on.then_some("it hands a path of the gate's own to something that nobody understands");
            let later =
                || assessment.scripts().iter().any(|script| script.node == id && changes_the_gate(script, scene));
            hands_on.or_else(|| later().then_some("it arranges for commands to run that would change the gate itself"))
        }
        Invariant::FilesystemFormatting
        | Invariant::RawDeviceWrite
        | Invariant::SystemDeletion
        | Invariant::ProcessExhaustion
        | Invariant::MachineHalt
        | Invariant::Authentication
        | Invariant::OwnPage
        | Invariant::SecretScrub
        | Invariant::ForcePush
        | Invariant::InjectionScan
        | Invariant::GrantSubmission
        | Invariant::PersonalDataExport
        | Invariant::AuditLogging => None,
    }
}

/// Whether a script would meet one of the rules about the gate itself if it ran now.
fn changes_the_gate(script: &Script, scene: &Scene) -> bool {
    let does = &script.does;
    let by_node = |(id, node): (usize, &Node)| {
        let says = |invariant| of_node(invariant, does, id, node, scene).is_some();
        says(Invariant::OwnLevel) || says(Invariant::ProtectedPath)
    };
    own_rules::ends_what_it_looked_up(does)
        || does.nodes().iter().enumerate().any(by_node)
        || does.operations().iter().any(|assessed| {
            let says = |invariant| of_operation(invariant, assessed, scene).is_some();
            says(Invariant::OwnLevel) || says(Invariant::ProtectedPath)
        })
}

/// Why an operation violates the rule, if it does.
pub(crate) fn of_operation(invariant: Invariant, assessed: &Assessed, scene: &Scene) -> Option<&'static str> {
    let operation = &assessed.operation;
    match invariant {
        Invariant::ProtectedPath => {
            // What is sent away is read here, and written elsewhere.
            let here = operation.verb != Verb::Upload;
            let touches = here && operation.writes() && places::touches_gate(assessed, scene);
            let touched = touches.then_some("it changes the gate itself or the file that wires it into the agent host");
            touched
                .or_else(|| own_rules::ends_the_gate(operation).then_some("it ends or changes a process of the gate"))
        }
        Invariant::FilesystemFormatting => formats(assessed).then_some("it makes or wipes a file system"),
        Invariant::RawDeviceWrite => {
            let raw = assessed.place.as_ref().is_some_and(places::is_raw_device);
            (raw && operation.writes()).then_some("it writes to a device directly")
        }
        Invariant::SystemDeletion => {
            let deletes = operation.removes() && deletes_system_folder(assessed, scene);
            deletes.then_some("it deletes /, a home or a folder that the system is made of")
        }
        Invariant::ProcessExhaustion => {
            let unbounded = operation.kind() == Some(TargetKind::Process)
                && operation.verb == Verb::Create
                && operation.scope >= Scope::Root;
            unbounded.then_some("it starts processes without end")
        }
        Invariant::MachineHalt => {
            let halts = operation.kind() == Some(TargetKind::Machine)
                && operation.verb == Verb::Configure
                && operation.effect >= Effect::Irreversible;
            let switch = operation.writes() && assessed.place.as_ref().is_some_and(places::is_machine_switch);
            (halts || switch).then_some("it stops the machine")
        }
        Invariant::ForcePush => overwrites_main(operation).then_some("it overwrites the main branch of a remote"),
        Invariant::GrantSubmission => {
            let submits = about(operation, TargetKind::Application) && operation.writes();
            submits.then_some("it hands in an application, which a person does")
        }
        Invariant::PersonalDataExport => {
            let exports = about(operation, TargetKind::PersonalData) && operation.access > Access::List;
            exports.then_some("it takes out data on many persons")
        }
        Invariant::OwnLevel => own_rules::sets_own_variable(operation).then_some(OTHER_GATE),
        // These look at the call, at its actions, or at the record.
        Invariant::Authentication
        | Invariant::OwnPage
        | Invariant::SecretScrub
        | Invariant::InjectionScan
        | Invariant::AuditLogging => None,
    }
}

/// Whether anything may stay behind. What is not known may leave anything.
fn changes_something(assessment: &Assessment) -> bool {
    let stays = |assessed: &Assessed| assessed.operation.effect != Effect::None;
    !assessment.is_known() || !assessment.unknowns().is_empty() || assessment.operations().iter().any(stays)
}

/// Whether something of the call reaches another machine while its text holds what looks like a credential. The text of
/// every action counts: what one part of a command makes, another may send.
fn leaks(assessment: &Assessment) -> Option<&'static str> {
    let leaves = |assessed: &Assessed| {
        let operation = &assessed.operation;
        let sends = matches!(operation.verb, Verb::Send | Verb::Upload);
        sends || operation.traits.contains(Trait::Network) || about(operation, TargetKind::Mailbox)
    };
    if !assessment.operations().iter().any(leaves) {
        return None;
    }
    let texts: Vec<String> = assessment.nodes().iter().flat_map(|node| texts_of(&node.action)).collect();
    let found = credential::find_in_parts(texts.iter().map(String::as_str));
    found.map(|found| {
        if matches!(found, Credential::NestedTooDeep | Credential::TooLargeToScan) {
            "it sends more than can be searched for credentials"
        } else {
            "what it sends contains what looks like a credential"
        }
    })
}

/// Every text of an action: its parts, its variables and what it is fed.
fn texts_of(action: &Action) -> Vec<String> {
    let mut texts: Vec<String> = action.parts().into_iter().map(Into::into).collect();
    if let Action::Tool(tool) = action {
        texts.extend([tool.server.clone(), tool.name.clone()]);
        texts.extend(keys_of(&tool.arguments));
    }
    if let Action::Program(invocation) = action {
        texts.extend(invocation.env.iter().map(|(_, value)| value.text.clone()));
        if let Input::Text(text) = &invocation.stdin {
            texts.push(text.clone());
        }
    }
    texts
}

/// The keys of every object of a document, each joined with a text it stands for: a token may be cut between the two.
fn keys_of(document: &Json) -> Vec<String> {
    let members = document.in_reading_order().into_iter().filter_map(|value| match value {
        Json::Object(members) => Some(members),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::Text(_) | Json::Array(_) => None,
    });
    members.flatten().map(|(key, value)| alloc::format!("{key}{}", value.as_text().unwrap_or_default())).collect()
}

/// Whether a push takes away what the main branch of a remote has. A name that is not known may be that branch's.
fn overwrites_main(operation: &Operation) -> bool {
    let is_main = |step: &Segment| {
        let name = step.name.rsplit('/').next().unwrap_or_default();
        let known = step.certainty == Certainty::Exact;
        step.kind == TargetKind::GitRef && (!known || MAIN_BRANCHES.iter().any(|main| name.eq_ignore_ascii_case(main)))
    };
    let reaches_main = operation.target.iter().any(is_main) || !about(operation, TargetKind::GitRef);
    about(operation, TargetKind::GitRemote)
        && operation.writes()
        && operation.effect >= Effect::Irreversible
        && reaches_main
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
