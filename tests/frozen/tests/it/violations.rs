//! What violates each rule of the floor, and that nothing lifts it.

use crate::fixtures::{call, operation, run, segment, standing};
use crate::matrix::{about, everything_but, file, runs, shell, update};
use holdpoint_core::asking::Channel;
use holdpoint_core::assess::{Assessment, Cause, Route, Script};
use holdpoint_core::authorize::{Judged, Recorded, Stamp, Who, authorize, record};
use holdpoint_core::finding::Finding;
use holdpoint_core::floor::{Invariant, first_violation};
use holdpoint_core::journal::Line;
use holdpoint_core::judge::{Standing, judge};
use holdpoint_core::level::Level;
use holdpoint_core::operation::{Effect, Operation, Scope, TargetKind, Verb};
use holdpoint_core::ports::{Journal, NotDurable};
use holdpoint_core::proof::{Evidence, Proof, Transport};
use holdpoint_core::registry::{Category, Declaration, Reauth, SafetyToggle, ToggleState, Unfit, own_registry};
use holdpoint_core::run::Run;
use holdpoint_core::toggle::ToggleKey;
use holdpoint_core::verdict::{Rule, Verdict};
use holdpoint_core::words::{Word, WordSet};
use std::borrow::Cow;

/// At least one violation of a rule of the floor.
fn violations_of(invariant: Invariant) -> Vec<(&'static str, Assessment)> {
    let whole = |name: &str| {
        let delete = file(Verb::Delete, name, Effect::Irreversible);
        shell(Operation { scope: Scope::AllInParent, ..delete })
    };
    let lasting = |verb, kind, name: &str| operation(verb, kind, name, Effect::Irreversible);
    match invariant {
        Invariant::ProtectedPath => vec![
            ("write the state", update("/home/u/.local/state/holdpoint/audit")),
            ("replace the binary", update("/usr/local/bin/holdpoint")),
            ("unwire the hook", update(".claude/settings.json")),
            ("delete above the state", whole("/home/u/.local/state")),
            ("end the gate", shell(lasting(Verb::Delete, TargetKind::Process, "holdpoint"))),
            ("hand the state on", unknown(&["tool", "--to=/home/u/.local/state/holdpoint"])),
            ("loosen by a script", writes_script(runs(&["holdpoint", "toggle", "loosen"]))),
        ],
        Invariant::OwnLevel => vec![("loosen a toggle", runs(&["holdpoint", "toggle", "loosen"]))],
        Invariant::FilesystemFormatting => {
            let format = |name| shell(lasting(Verb::Create, TargetKind::Filesystem, name));
            vec![("format a device", format("/dev/sdb1")), ("format something", format("$DISK"))]
        }
        Invariant::RawDeviceWrite => vec![("write a device", update("/dev/sda"))],
        Invariant::SystemDeletion => vec![
            ("delete the root", whole("/")),
            ("delete a home", whole("/home/other")),
            ("delete a system folder", whole("/usr/lib")),
        ],
        Invariant::ProcessExhaustion => {
            let fork = lasting(Verb::Create, TargetKind::Process, "");
            vec![("fork without end", shell(Operation { scope: Scope::Root, ..fork }))]
        }
        Invariant::MachineHalt => {
            vec![("shut down", shell(lasting(Verb::Configure, TargetKind::Machine, "")))]
        }
        Invariant::Authentication | Invariant::OwnPage | Invariant::InjectionScan => {
            vec![("change a file", update("src/main.rs"))]
        }
        Invariant::SecretScrub => vec![("send a credential", sends("key=AKIAIOSFODNN7EXAMPLE"))],
        Invariant::ForcePush => vec![
            ("overwrite main", pushes("main", Effect::Irreversible)),
            ("overwrite some branch", pushes("$BRANCH", Effect::Irreversible)),
        ],
        // It is violated by what happens after the judgement; `every_rule_of_the_floor_is_violated_by_something` has it.
        Invariant::AuditLogging => vec![],
        Invariant::GrantSubmission => vec![("hand in an application", about(Verb::Send, TargetKind::Application))],
        Invariant::PersonalDataExport => vec![("take out data on persons", about(Verb::Get, TargetKind::PersonalData))],
    }
}

/// A program that nobody understands.
fn unknown(argv: &[&str]) -> Assessment {
    let mut assessment = call();
    let node = run(&mut assessment, argv, Route::Shell);
    assessment.fail(node, Cause::NoClaimant);
    assessment
}

/// A file of the workspace that would do this when it runs.
fn writes_script(does: Assessment) -> Assessment {
    let mut assessment = update("x.sh");
    assessment.arrange(Script { node: 0, does });
    assessment
}

/// A program that sends a text.
pub(crate) fn sends(text: &str) -> Assessment {
    let mut assessment = call();
    let node = run(&mut assessment, &["send", text], Route::Direct);
    let connects = operation(Verb::Send, TargetKind::Host, "h", Effect::None);
    assessment.admit(node, Finding { operations: vec![connects], ..Finding::default() });
    assessment
}

pub(crate) fn pushes(branch: &str, effect: Effect) -> Assessment {
    let mut push = operation(Verb::Update, TargetKind::GitRemote, "origin", effect);
    push.target.push(segment(TargetKind::GitRef, branch));
    shell(push)
}

/// What has to be told about the caller and the run for a violation to be one.
fn told(invariant: Invariant, standing: Standing) -> Standing {
    let console = |evidence: &[Evidence]| Proof { transport: Transport::Console, evidence: WordSet::of(evidence) };
    match invariant {
        Invariant::Authentication => Standing { proof: console(&[]), ..standing },
        Invariant::OwnPage => Standing { proof: console(&[Evidence::ConsoleSession]), ..standing },
        Invariant::InjectionScan => {
            let run = Run { unconfirmed_content: vec!["digest".into()], ..standing.run.clone() };
            Standing { run, ..standing }
        }
        Invariant::ProtectedPath
        | Invariant::OwnLevel
        | Invariant::FilesystemFormatting
        | Invariant::RawDeviceWrite
        | Invariant::SystemDeletion
        | Invariant::ProcessExhaustion
        | Invariant::MachineHalt
        | Invariant::SecretScrub
        | Invariant::ForcePush
        | Invariant::GrantSubmission
        | Invariant::PersonalDataExport
        | Invariant::AuditLogging => standing,
    }
}

/// A violation of a rule of the floor.
pub(crate) struct Violation {
    pub(crate) invariant: Invariant,
    pub(crate) what: &'static str,
    pub(crate) assessment: Assessment,
}

impl Violation {
    /// The standing in which it is one.
    pub(crate) fn standing(&self, standing: Standing) -> Standing {
        told(self.invariant, standing)
    }
}

/// At least one violation of every rule of the floor that a judgement can see.
pub(crate) fn violations() -> Vec<Violation> {
    let of = |invariant: &Invariant| {
        let invariant = *invariant;
        let violation = move |(what, assessment)| Violation { invariant, what, assessment };
        violations_of(invariant).into_iter().map(violation)
    };
    Invariant::ALL.iter().flat_map(of).collect()
}

/// A journal whose disk is full.
struct Full;

impl Journal for Full {
    fn append(&self, _lines: &[Line], _at_ms: u64) -> Result<(), NotDurable> {
        Err(NotDurable { cause: "no space".into() })
    }
}

#[test]
fn every_rule_of_the_floor_is_violated_by_something() {
    for invariant in Invariant::ALL.iter().copied() {
        let cases: Vec<Violation> = violations().into_iter().filter(|case| case.invariant == invariant).collect();
        assert!(!cases.is_empty() || invariant == Invariant::AuditLogging, "{invariant} has no violation");
        for case in &cases {
            let everything = standing(Level::Unrestricted, everything_but(None));
            let verdict = judge(&case.assessment, &case.standing(everything));
            let said = verdict.reasons().iter().any(|reason| reason.rule == Rule::Floor(invariant));
            assert!(said && verdict.decision() >= invariant.decision(), "{invariant}: {}: {verdict:?}", case.what);
        }
    }
    let recorded = unwritten();
    assert!(matches!(recorded, Recorded::Denied(_)), "what is not written down does not happen: {recorded:?}");
}

/// A toggle that nobody ships, which names one rule.
fn naming(invariant: Invariant) -> Result<SafetyToggle, Unfit> {
    let declaration = Declaration {
        key: Cow::Borrowed("made.up"),
        label: Cow::Borrowed("label"),
        category: Category::Comms,
        default_state: ToggleState::Restrictive,
        description: Cow::Borrowed("description"),
        warning: ["one", "two", "three", "four", "five"].map(Cow::Borrowed).to_vec(),
        phrase: Cow::Borrowed("Open the door wide"),
        reauth: Reauth::NotNeeded,
        cooldown_s: 60,
        cap: None,
        invariants: vec![Cow::Borrowed(invariant.as_str())],
        gate: None,
    };
    SafetyToggle::new(declaration)
}

#[test]
fn each_rule_of_the_floor_stops_what_acts_under_a_toggle_that_names_it() {
    for case in violations() {
        let standing = case.standing(standing(Level::Unrestricted, everything_but(None)));
        let stopped = first_violation(&naming(case.invariant).unwrap(), &case.assessment, &standing);
        let rule = stopped.map(|reason| reason.rule);
        assert_eq!(rule, Some(Rule::Floor(case.invariant)), "{}: {}", case.invariant, case.what);
    }
}

#[test]
fn loosening_a_toggle_disables_none_of_the_rules_that_its_record_names() {
    let registry = own_registry().unwrap();
    let mut met = 0;
    for key in ToggleKey::ALL {
        let toggle = registry.get(key.as_str()).unwrap();
        for case in violations().iter().filter(|case| toggle.invariants().contains(&case.invariant)) {
            let standing = case.standing(standing(Level::Unrestricted, WordSet::of(&[*key])));
            let verdict = judge(&case.assessment, &standing);
            let said = verdict.reasons().iter().any(|reason| reason.rule == Rule::Floor(case.invariant));
            assert!(said && verdict.decision() >= case.invariant.decision(), "{key}: {}", case.what);
            assert!(first_violation(toggle, &case.assessment, &standing).is_some(), "{key}: {}", case.what);
            met += 1;
        }
    }
    assert!(met >= ToggleKey::ALL.len(), "every toggle names a rule that something violates, {met} do");
}

/// What becomes of an allowed call on a full disk.
pub(crate) fn unwritten() -> Recorded {
    let stamp = Stamp { correlation_id: "c".into(), at_ms: 0 };
    let who = Who {
        principal: "p".into(),
        level: Level::Unrestricted,
        run: String::new(),
        call: String::new(),
        via: Transport::CommandLine,
    };
    let mut judged = Judged::refused(stamp, who, Rule::Malformed, String::new());
    judged.verdict = Verdict::new(vec![], vec![]);
    record(authorize(judged, Channel::Terminal), &Full)
}
