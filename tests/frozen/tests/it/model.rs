//! A second, naive judge, written from the text of DESIGN.md section 4 and not from the core. It knows no paths: the
//! places of its world carry by hand what the text says about them.

use holdpoint_core::assess::Route;
use holdpoint_core::level::Level;
use holdpoint_core::operation::{Access, Certainty, Effect, ObligationKind, Operation, Scope, TargetKind, Trait, Verb};
use holdpoint_core::toggle::ToggleKey;
use holdpoint_core::verdict::Decision;
use holdpoint_core::words::Word;

/// What the text says about a place, seen from an agent that works in `/home/u/proj`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Is {
    /// Any path at all.
    Anywhere,
    /// In the workspace.
    Inside,
    /// Readable by everybody, and nobody's secret.
    Public,
    /// A device that keeps nothing.
    Inert,
    /// A device written past its file system.
    Device,
    /// The root, a home or a folder the system is made of.
    System,
    /// Names everything in a folder without recursion.
    Whole,
    /// The gate itself or its wiring.
    Gate,
    /// A folder that holds the gate or its wiring.
    AboveGate,
    /// Runs later or at every start.
    RunsLater,
    /// The workspace, a home, or a folder above them: what fills it may bring files that run later.
    AboveWork,
    /// Readable by everybody, but not everything below it.
    AbovePrivate,
    /// A setting of the kernel.
    Kernel,
}

/// The places of the model's world.
pub(crate) const SPOTS: &[(&str, &[Is])] = &[
    ("src/main.rs", &[Is::Inside]),
    (".", &[Is::Inside, Is::AboveWork]),
    ("src/*.rs", &[Is::Inside]),
    ("C:\\", &[Is::Inside, Is::System]),
    (".git/hooks/post-checkout", &[Is::Inside, Is::RunsLater]),
    (".git/index", &[Is::Inside, Is::RunsLater]),
    (".claude/settings.json", &[Is::Inside, Is::RunsLater, Is::Gate]),
    (".claude", &[Is::Inside, Is::RunsLater, Is::AboveGate]),
    ("$X", &[Is::Anywhere]),
    ("/home/u/proj-evil/x", &[]),
    ("/tmp/x", &[]),
    ("/tmp", &[Is::System]),
    ("/usr/include/stdio.h", &[Is::Public, Is::RunsLater]),
    ("/usr/lib", &[Is::Public, Is::System, Is::RunsLater]),
    ("/var/log/syslog", &[Is::Public]),
    ("/proc/self/environ", &[Is::Kernel]),
    ("/etc/shadow", &[Is::RunsLater]),
    ("/home/u/.ssh/id_rsa", &[Is::RunsLater]),
    ("/dev/null", &[Is::Inert]),
    ("/dev/sda", &[Is::Device]),
    ("/dev/shm/x", &[]),
    ("/", &[Is::Public, Is::System, Is::Whole, Is::AboveGate, Is::AboveWork, Is::AbovePrivate]),
    ("/home", &[Is::System, Is::AboveGate, Is::AboveWork]),
    ("..", &[Is::System, Is::AboveGate, Is::AboveWork]),
    ("/home/u/*", &[Is::System, Is::Whole, Is::AboveWork]),
    ("/home/other", &[Is::System]),
    ("/home/u/.local/state", &[Is::AboveGate, Is::RunsLater]),
    ("/home/u/.local/*", &[Is::AboveGate, Is::RunsLater]),
    ("/home/u/.local/state/holdpoint/audit", &[Is::Gate, Is::RunsLater]),
    ("/usr/local/bin/holdpoint", &[Is::Public, Is::Gate, Is::RunsLater]),
];

/// What only the caller works on. Everything else is another machine's, or the whole machine depends on it.
const OWN: &[TargetKind] = &[
    TargetKind::File,
    TargetKind::Environment,
    TargetKind::ShellState,
    TargetKind::Terminal,
    TargetKind::Code,
    TargetKind::GitCommit,
    TargetKind::GitRef,
    TargetKind::MemoryEntry,
];

/// The gate's own program.
const OWN_PROGRAM: &str = "holdpoint";

/// Programs of the model's world, and whether a gated principal may run them at all.
pub(crate) const PROGRAMS: &[(&[&str], Decision)] = &[
    (&["ls"], Decision::Allow),
    (&["bash", "holdpoint"], Decision::Allow),
    (&["holdpoint", "check", "x"], Decision::Allow),
    (&["/opt/bin/holdpoint", "explain"], Decision::Allow),
    (&["holdpoint"], Decision::Allow),
    (&["holdpoint", "--version"], Decision::Allow),
    (&["holdpoint", "toggle", "x"], Decision::Deny),
    (&["/opt/bin/holdpoint", "--help", "check"], Decision::Deny),
];

/// A program of a call with everything that is known about it. Indices are into [`PROGRAMS`] and [`SPOTS`].
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) program: usize,
    pub(crate) route: Route,
    pub(crate) operations: Vec<(usize, Operation)>,
    pub(crate) unknowns: usize,
    pub(crate) obligations: Vec<ObligationKind>,
}

/// What the operator lets the principal do.
#[derive(Clone, Debug)]
pub(crate) struct Allowance {
    pub(crate) level: Level,
    pub(crate) permissive: Vec<ToggleKey>,
    /// What the operator set to plain `deny`.
    pub(crate) denied: Vec<ToggleKey>,
    pub(crate) honours: Vec<ObligationKind>,
}

/// The decision as the text has it: the maximum over all stages.
pub(crate) fn decide(parts: &[Part], allowed: &Allowance) -> Decision {
    let restrictive = |key| !allowed.permissive.contains(&key);
    let mut said = vec![Decision::Allow];
    for part in parts {
        said.push(PROGRAMS[part.program].1);
        if part.unknowns > 0 {
            said.push(rung(allowed.level, Effect::Unknown, false).max(Decision::Ask));
            if part.route == Route::Shell && restrictive(ToggleKey::ShellAllowDestructiveFlags) {
                let denied = allowed.denied.contains(&ToggleKey::ShellAllowDestructiveFlags);
                said.push(if denied { Decision::Deny } else { Decision::Ask });
            }
        }
        if part.obligations.iter().any(|kind| !allowed.honours.contains(kind)) {
            said.push(Decision::Ask);
        }
        for (spot, operation) in &part.operations {
            let shared = operation.target.iter().any(|step| !OWN.contains(&step.kind));
            let about_file = operation.target.first().is_some_and(|step| is_file(step.kind));
            let place = about_file.then(|| SPOTS[*spot].1);
            said.push(rung(allowed.level, effect(operation, place), shared));
            if writes(operation) && place.is_some_and(|place| place.contains(&Is::Anywhere)) {
                said.push(Decision::Ask);
            }
            let gated = |key: &ToggleKey| restrictive(*key) && gates(*key, operation, place, part.route);
            let denies =
                [ToggleKey::SelfmodEnabled, ToggleKey::VoiceAlwaysListening, ToggleKey::ToolsBypassCatalogGate];
            said.extend(ToggleKey::ALL.iter().filter(|key| gated(key)).map(|key| {
                if denies.contains(key) || allowed.denied.contains(key) { Decision::Deny } else { Decision::Ask }
            }));
            let reserved = [TargetKind::Application, TargetKind::PersonalData];
            let takes = |kind| {
                (kind == TargetKind::Application && writes(operation))
                    || (kind == TargetKind::PersonalData && operation.access != Access::List)
            };
            if reserved.iter().any(|kind| has(operation, *kind) && takes(*kind)) {
                said.push(Decision::Ask);
            }
            if overwrites_main(operation) {
                said.push(Decision::Ask);
            }
            if violates_floor(operation, place) {
                said.push(Decision::Deny);
            }
        }
    }
    if ends_what_it_looked_up(parts) {
        said.push(Decision::Deny);
    }
    if parts.iter().all(|part| part.operations.is_empty() && part.unknowns == 0) {
        said.push(rung(allowed.level, Effect::Unknown, false).max(Decision::Ask));
    }
    said.into_iter().max().unwrap_or(Decision::Deny)
}

fn is_file(kind: TargetKind) -> bool {
    [TargetKind::File, TargetKind::Filesystem, TargetKind::Code].contains(&kind)
}

fn last(operation: &Operation) -> Option<TargetKind> {
    operation.target.last().map(|step| step.kind)
}

fn has(operation: &Operation, kind: TargetKind) -> bool {
    operation.target.iter().any(|step| step.kind == kind)
}

fn writes(operation: &Operation) -> bool {
    operation.effect != Effect::None || ![Access::List, Access::Read].contains(&operation.access)
}

fn takes_all_below(operation: &Operation) -> bool {
    ![Scope::One, Scope::Selection].contains(&operation.scope)
}

/// Nobody can tell now what something does that runs later.
fn effect(operation: &Operation, place: Option<&[Is]>) -> Effect {
    let removes = [Verb::Delete, Verb::Deletecollection].contains(&operation.verb);
    let fills = |place: &[Is]| takes_all_below(operation) && !removes && place.contains(&Is::AboveWork);
    let listed = writes(operation) && place.is_some_and(|place| place.contains(&Is::RunsLater) || fills(place));
    let runs_later = operation.traits.contains(Trait::Persistence) || listed;
    let is = |label| place.is_some_and(|place| place.contains(&label));
    let anywhere = writes(operation) && is(Is::Anywhere);
    let opens = operation.access == Access::Permissions && is(Is::System);
    let privilege = operation.traits.contains(Trait::Privilege);
    match operation.effect {
        Effect::None => Effect::None,
        _ if runs_later || anywhere || opens || privilege => Effect::Unknown,
        Effect::Reversible if is(Is::Kernel) => Effect::Irreversible,
        own => own,
    }
}

fn rung(level: Level, effect: Effect, shared: bool) -> Decision {
    if effect == Effect::None || level == Level::Unrestricted {
        return Decision::Allow;
    }
    if level == Level::Observe {
        return Decision::Deny;
    }
    let harmless = effect == Effect::Reversible && (level == Level::Trusted || !shared);
    if harmless { Decision::Allow } else { Decision::Ask }
}

fn gates(key: ToggleKey, operation: &Operation, place: Option<&[Is]>, route: Route) -> bool {
    match key {
        ToggleKey::CodeAutoCommit => operation.verb == Verb::Create && last(operation) == Some(TargetKind::GitCommit),
        ToggleKey::CodeAutoPush => {
            writes(operation) && operation.target.iter().any(|step| step.kind == TargetKind::GitRemote)
        }
        ToggleKey::ShellAllowDestructiveFlags => {
            route == Route::Shell && [Effect::Irreversible, Effect::Unknown].contains(&effect(operation, place))
        }
        ToggleKey::ShellAllowOutsideWorkspace => place.is_some_and(|place| {
            let outside = !place.contains(&Is::Inside) && !place.contains(&Is::Inert);
            let public =
                place.contains(&Is::Public) && !(takes_all_below(operation) && place.contains(&Is::AbovePrivate));
            outside && (writes(operation) || !public)
        }),
        ToggleKey::NetAllowOutbound => operation.traits.contains(Trait::Network),
        ToggleKey::EmailAutoSend => {
            operation.verb == Verb::Send
                && (has(operation, TargetKind::Mailbox) || has(operation, TargetKind::Recipient))
        }
        ToggleKey::EmailRecipientAllowlist => operation.verb == Verb::Send && has(operation, TargetKind::Recipient),
        ToggleKey::SelfmodEnabled => has(operation, TargetKind::SelfModification),
        ToggleKey::SelfmodAutoApply => {
            has(operation, TargetKind::SelfModification) && operation.verb != Verb::Create && writes(operation)
        }
        ToggleKey::NetAllowBrowserAutoActions => has(operation, TargetKind::BrowserElement) && writes(operation),
        ToggleKey::MemoryPersistEverything => {
            let removes = [Verb::Delete, Verb::Deletecollection].contains(&operation.verb);
            has(operation, TargetKind::MemoryEntry) && writes(operation) && !removes
        }
        ToggleKey::VaultAutoGrantCapabilities => has(operation, TargetKind::VaultCapability) && writes(operation),
        ToggleKey::VoiceAlwaysListening => has(operation, TargetKind::Microphone) && operation.verb != Verb::Delete,
        // The model's host keeps no catalogue, and yet nobody may rewrite what a tool says of itself.
        ToggleKey::ToolsBypassCatalogGate => has(operation, TargetKind::ToolSchema) && writes(operation),
        // The model's run is a person's, and its host tells nothing more about it.
        ToggleKey::CodeAllowCorePatch
        | ToggleKey::AgentBypassPlanMode
        | ToggleKey::TestsAllowRedCommit
        | ToggleKey::SelfmodKillSwitch
        | ToggleKey::DreamsWriteDuringActiveSession
        | ToggleKey::AutonomousRaiseDailyOpCap => false,
    }
}

/// Taking away what a remote has, unless it is certain that it is another branch than the main one.
fn overwrites_main(operation: &Operation) -> bool {
    let refs: Vec<_> = operation.target.iter().filter(|step| step.kind == TargetKind::GitRef).collect();
    let is_main = |name: &str| ["main", "master"].contains(&name.rsplit('/').next().unwrap_or(name));
    let main = refs.is_empty() || refs.iter().any(|step| step.certainty != Certainty::Exact || is_main(&step.name));
    let takes_away = [Effect::Irreversible, Effect::Unknown].contains(&operation.effect);
    has(operation, TargetKind::GitRemote) && writes(operation) && takes_away && main
}

/// Ending processes that are looked up by the name of the gate.
fn ends_what_it_looked_up(parts: &[Part]) -> bool {
    let operations = parts.iter().flat_map(|part| &part.operations).map(|(_, operation)| operation);
    let of_process = operations.filter(|operation| last(operation) == Some(TargetKind::Process)).collect::<Vec<_>>();
    let unnamed = |operation: &&&Operation| operation.target.iter().any(|step| step.certainty == Certainty::Dynamic);
    let ends = of_process.iter().filter(unnamed).any(|operation| writes(operation));
    let looks = of_process.iter().any(|operation| !writes(operation));
    let named = parts.iter().any(|part| PROGRAMS[part.program].0[1..].contains(&OWN_PROGRAM));
    ends && looks && named
}

fn violates_floor(operation: &Operation, place: Option<&[Is]>) -> bool {
    let is_about_file = place.is_some();
    let place = place.unwrap_or(&[]);
    let whole = takes_all_below(operation);
    // What is uploaded is read here.
    let gate =
        operation.verb != Verb::Upload && (place.contains(&Is::Gate) || (whole && place.contains(&Is::AboveGate)));
    let deletes = [Verb::Delete, Verb::Deletecollection].contains(&operation.verb)
        && operation.target.first().is_some_and(|step| step.kind == TargetKind::File);
    let system = place.contains(&Is::System) && (whole || place.contains(&Is::Whole));
    let ordinary_file = is_about_file && !place.contains(&Is::Device) && !place.contains(&Is::Anywhere);
    let formats = last(operation) == Some(TargetKind::Filesystem) && !ordinary_file;
    let endless = last(operation) == Some(TargetKind::Process)
        && operation.verb == Verb::Create
        && [Scope::Root, Scope::Unknown].contains(&operation.scope);
    let halts = last(operation) == Some(TargetKind::Machine)
        && operation.verb == Verb::Configure
        && [Effect::Irreversible, Effect::Unknown].contains(&operation.effect);
    let own_process = operation
        .target
        .iter()
        .any(|step| [TargetKind::Process, TargetKind::Service].contains(&step.kind) && step.name.contains(OWN_PROGRAM));
    let forbidden_to_write = gate || own_process || formats || place.contains(&Is::Device);
    (writes(operation) && forbidden_to_write) || (deletes && system) || endless || halts
}
