//! Random calls, runs and limited loosenings that have something to do with each other.

use crate::fixtures::{operation, run, segment, standing};
use crate::grant_reading::{FILES, FOLDERS};
use holdpoint_core::action::{Action, SourceText, ToolAction, WorkingDir};
use holdpoint_core::annotations::Annotations;
use holdpoint_core::assess::{Assessment, Cause, Route};
use holdpoint_core::digest::Digest;
use holdpoint_core::finding::Finding;
use holdpoint_core::grant::{Cap, Grant, Loosened, Subject, Terms, subject};
use holdpoint_core::json::Json;
use holdpoint_core::judge::Standing;
use holdpoint_core::level::Level;
use holdpoint_core::operation::{Effect, Operation, Scope, TargetKind, Trait, Traits, Verb};
use holdpoint_core::paths::AbsPath;
use holdpoint_core::proof::{Evidence, Proof, Transport};
use holdpoint_core::registry::{CapShape, Registry, own_registry};
use holdpoint_core::run::{Catalogue, Driver, Gesture, Listed, Mode, Run, Session, Stop, TestStatus};
use holdpoint_core::toggle::{Permissive, ToggleKey};
use holdpoint_core::words::{Word, WordSet};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use std::sync::LazyLock;

/// Names of every kind that nothing in a random call has.
pub(crate) const NOBODY: &[&str] = &["nobody", "/nowhere/at/all", "no/tool"];
/// Names of steps that are no files. The second is the first in other letters; the last two are not known for certain.
const STEPS: &[&str] = &["a", "A", "b", "c", "a*", "$X"];
/// Tools by server and name. The first is of the agent host itself.
const TOOLS: &[(&str, &str)] = &[("", "listed"), ("", "t"), ("s", "t"), ("s", "u")];
/// Schemas that a tool may have.
const SCHEMAS: &[&str] = &["1", "2"];
/// What toggles are about.
const POINTED: &[(Verb, TargetKind)] = &[
    (Verb::Send, TargetKind::Mailbox),
    (Verb::Send, TargetKind::Recipient),
    (Verb::Create, TargetKind::GitCommit),
    (Verb::Update, TargetKind::GitRemote),
    (Verb::Create, TargetKind::SelfModification),
    (Verb::Approve, TargetKind::SelfModification),
    (Verb::Update, TargetKind::BrowserElement),
    (Verb::Create, TargetKind::MemoryEntry),
    (Verb::Grant, TargetKind::VaultCapability),
    (Verb::Use, TargetKind::Microphone),
    (Verb::Update, TargetKind::ToolSchema),
    (Verb::Connect, TargetKind::Host),
    (Verb::Get, TargetKind::File),
    (Verb::Update, TargetKind::File),
    (Verb::Delete, TargetKind::File),
];

static REGISTRY: LazyLock<Registry> = LazyLock::new(|| own_registry().unwrap());

/// A call that runs programs, by what they do.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    root: Action,
    steps: Vec<Step>,
}

#[derive(Clone, Debug)]
struct Step {
    route: Route,
    operations: Vec<Operation>,
    unknowns: usize,
}

/// A call, and whoever makes it.
#[derive(Clone, Debug)]
pub(crate) struct Setting {
    pub(crate) call: Call,
    pub(crate) standing: Standing,
}

impl Call {
    /// What is known about it.
    pub(crate) fn assessment(&self) -> Assessment {
        let mut assessment = Assessment::new(self.root.clone(), AbsPath::parse("/home/u/proj"), Route::Direct);
        for step in &self.steps {
            let node = run(&mut assessment, &["ls"], step.route);
            assessment.admit(node, Finding { operations: step.operations.clone(), ..Finding::default() });
            for _ in 0..step.unknowns {
                assessment.fail(node, Cause::NoClaimant);
            }
        }
        assessment
    }

    /// This call, doing what the other does as well.
    pub(crate) fn and(&self, other: &Call) -> Call {
        Call { root: self.root.clone(), steps: [self.steps.clone(), other.steps.clone()].concat() }
    }

    /// What this call does, called like the other.
    pub(crate) fn under(&self, other: &Call) -> Call {
        Call { root: other.root.clone(), steps: self.steps.clone() }
    }
}

fn some_name(kind: TargetKind) -> BoxedStrategy<&'static str> {
    if matches!(kind, TargetKind::File | TargetKind::Filesystem | TargetKind::Code) {
        select(FILES).prop_map(|(name, _)| name).boxed()
    } else {
        select(STEPS).boxed()
    }
}

fn some_operation() -> impl Strategy<Value = Operation> {
    let any = (select(Verb::ALL), select(TargetKind::ALL));
    let what = prop_oneof![5 => select(POINTED), 1 => any];
    what.prop_flat_map(|(verb, kind)| {
        // A second step of the same kind has to be named as well.
        let other = prop_oneof![Just(kind), select(TargetKind::ALL)];
        let second = option::of(other.prop_flat_map(|kind| (Just(kind), some_name(kind))));
        let network = prop_oneof![3 => Just(Traits::EMPTY), 1 => Just(Traits::of(&[Trait::Network]))];
        let degrees = (select(Effect::ALL), select(Scope::ALL), network);
        (some_name(kind), second, degrees).prop_map(move |(name, second, (effect, scope, traits))| {
            let mut operation = Operation { scope, traits, ..operation(verb, kind, name, effect) };
            operation.target.extend(second.map(|(kind, name)| segment(kind, name)));
            operation
        })
    })
}

pub(crate) fn some_call() -> impl Strategy<Value = Call> {
    let tool = select(TOOLS).prop_map(|(server, name)| {
        Action::Tool(ToolAction { server: server.into(), name: name.into(), arguments: Json::object([]) })
    });
    let source = SourceText { language: "bash".into(), text: "x".into(), cwd: WorkingDir::Same };
    let root = prop_oneof![tool, Just(Action::Source(source))];
    let unknowns = prop_oneof![4 => Just(0_usize), 1 => 1..3_usize];
    let step = (select(vec![Route::Direct, Route::Shell]), vec(some_operation(), 0..4), unknowns)
        .prop_map(|(route, operations, unknowns)| Step { route, operations, unknowns });
    (root, vec(step, 0..4)).prop_map(|(root, steps)| Call { root, steps })
}

fn some_names(names: &'static [&'static str], fewest: usize) -> impl Strategy<Value = Vec<String>> {
    let owned = |names: Vec<&str>| names.into_iter().map(Into::into).collect();
    subsequence(names, fewest..=names.len()).prop_map(owned)
}

/// Names that a loosening of this toggle can be for.
fn some_only(key: ToggleKey) -> BoxedStrategy<Vec<String>> {
    let tool = |(server, name): &(&str, &str)| format!("{server}/{name}");
    match subject(key) {
        Some(Subject::Step(_)) => some_names(STEPS, 0).boxed(),
        Some(Subject::Place) => some_names(FOLDERS, 0).boxed(),
        Some(Subject::Tool) => {
            subsequence(TOOLS, 0..=TOOLS.len()).prop_map(move |tools| tools.iter().map(tool).collect()).boxed()
        }
        None => Just(Vec::new()).boxed(),
    }
}

/// Limits that a toggle can be loosened with, by its declaration.
pub(crate) fn some_terms(key: ToggleKey) -> impl Strategy<Value = Terms> {
    let cap = match &REGISTRY.get(key.as_str()).unwrap().declaration().cap {
        None => Just(None).boxed(),
        Some(CapShape::Daily { least, .. }) => (*least..*least + 400).prop_map(|most| Some(Cap::Daily(most))).boxed(),
        Some(CapShape::List { .. }) => some_names(STEPS, 1).prop_map(|names| Some(Cap::List(names))).boxed(),
    };
    let only = prop_oneof![some_only(key), Just(Vec::new())];
    (cap, only, option::of(1_u64..50)).prop_map(|(cap, only, budget)| Terms { cap, only, budget, hours: None })
}

/// Toggles that are loosened, most of them, so that what one says is not hidden behind what others say.
fn some_loosened() -> impl Strategy<Value = Loosened> {
    let grant = |key: ToggleKey| {
        let terms = prop_oneof![some_terms(key), Just(Terms::default())];
        option::weighted(
            0.8,
            (terms, 0_u64..1_000).prop_map(|(terms, since_ms)| Grant { terms, since_ms, ..Grant::default() }),
        )
    };
    let grants: Vec<_> = ToggleKey::ALL.iter().map(|key| grant(*key)).collect();
    grants.prop_map(|grants| {
        let granted = ToggleKey::ALL.iter().zip(grants).filter_map(|(key, grant)| Some((*key, grant?)));
        granted.fold(Loosened::NONE, |loosened, (key, grant)| loosened.with(key, grant))
    })
}

fn some_catalogue() -> impl Strategy<Value = Option<Catalogue>> {
    let schema = || option::of(select(SCHEMAS).prop_map(|text| Digest::of_file(text.as_bytes())));
    let listed = (select(TOOLS), schema()).prop_map(|((server, tool), schema)| Listed {
        server: server.into(),
        tool: tool.into(),
        schema,
    });
    option::of(vec(listed, 0..6).prop_map(|tools| Catalogue { tools }))
}

fn some_run() -> impl Strategy<Value = Run> {
    let who = (select(Driver::ALL), select(Mode::ALL), select(Session::ALL), select(Gesture::ALL));
    let state = (option::of(select(TestStatus::ALL)), select(Stop::ALL), select(vec![0_u64, 190, 200, 350]));
    let known = (some_names(STEPS, 0), some_names(STEPS, 0), option::of(Just("/home/u/proj/agent")));
    let schema = option::of(select(SCHEMAS).prop_map(|text| Digest::of_file(text.as_bytes())));
    let unconfirmed = prop_oneof![4 => Just(Vec::new()), 1 => Just(vec!["d".to_owned()])];
    (who, state, known, (some_catalogue(), schema), unconfirmed).prop_map(
        |(who, state, known, tools, unconfirmed_content)| {
            let (driver, mode, session, gesture) = who;
            let (tests, stop, operations_today) = state;
            let (recipients, memory_kinds, core) = known;
            let (catalogue, schema) = tools;
            Run {
                mode,
                driver,
                session,
                tests,
                stop,
                gesture,
                operations_today,
                recipients,
                memory_kinds,
                core_roots: core.and_then(AbsPath::parse).into_iter().collect(),
                unconfirmed_content,
                catalogue,
                schema,
                annotations: Annotations::default(),
            }
        },
    )
}

fn some_proof() -> impl Strategy<Value = Proof> {
    let any = (select(Transport::ALL), subsequence(Evidence::ALL, 0..=Evidence::ALL.len()))
        .prop_map(|(transport, evidence)| Proof { transport, evidence: WordSet::of(&evidence) });
    prop_oneof![2 => Just(Proof::of_host()), 1 => any]
}

pub(crate) fn some_setting() -> impl Strategy<Value = Setting> {
    (some_call(), select(Level::ALL), some_loosened(), some_run(), some_proof()).prop_map(
        |(call, level, loosened, run, proof)| {
            let standing = Standing { loosened, run, proof, ..standing(level, Permissive::EMPTY) };
            Setting { call, standing }
        },
    )
}
