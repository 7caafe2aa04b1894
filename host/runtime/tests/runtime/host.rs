//! A host with small limits, a cache to be thrown away and guests from memory.

use crate::abi::Image;
use crate::guest::{Guest, good, manifest};
use holdpoint_core::action::{Action, SourceText, WorkingDir};
use holdpoint_core::digest::Digest;
use holdpoint_core::finding::{Declared, Fault, Finding};
use holdpoint_core::operation::{
    Access, Effect, Escape, ObligationKind, Operation, Scope, Span, TargetKind, Traits, Verb,
};
use holdpoint_core::ports::{Classifier, Failure};
use holdpoint_core::words::Word;
use holdpoint_runtime::{Cache, Compiler, Limits, Sandbox, Source, Vocabularies, Vocabulary};
use std::path::Path;
use tempfile::TempDir;

/// Small, but with a deadline that only a broken limit reaches.
pub(crate) const LIMITS: Limits = Limits {
    component_bytes_max: 1 << 20,
    functions_max: 100,
    function_bytes_max: 16 << 10,
    fuel_max: 50_000_000,
    deadline_ticks: 6_000,
    tick_ms: 10,
    stack_bytes_max: 256 << 10,
    memory_bytes_max: 4 << 20,
    table_elements_max: 1_000,
    answer_bytes_max: 512 << 10,
    compile_cpu_s: 60,
    compile_wall_ms: 60_000,
    compile_bytes_max: 2 << 30,
    artefact_bytes_max: 4 << 20,
    instances_max: 2,
};

pub(crate) const KEY: [u8; 32] = [7; 32];

/// The bytes of a vocabulary, or why there are none.
pub(crate) struct Bytes(pub(crate) Result<Vec<u8>, String>);

impl Source for Bytes {
    fn verified_bytes(&self) -> Result<Vec<u8>, String> {
        self.0.clone()
    }
}

pub(crate) fn vocabulary(component: &[u8]) -> Vocabulary {
    Vocabulary {
        manifest: manifest(u64::MAX),
        digest: Digest::of_file(component),
        refused: None,
        source: Box::new(Bytes(Ok(component.to_vec()))),
    }
}

/// Vocabularies of these components whose compiled code is kept in a folder.
pub(crate) fn vocabularies(folder: &Path, limits: Limits, compiler: Compiler, components: &[Vec<u8>]) -> Vocabularies {
    let cache = Cache::open(folder, KEY).unwrap();
    let members = components.iter().map(|component| vocabulary(component)).collect();
    Vocabularies::new(Sandbox::new(limits).unwrap(), Some(cache), compiler, members)
}

/// A host with the guests of a test, and a good one behind them.
pub(crate) struct Host {
    pub(crate) vocabularies: Vocabularies,
    guests: usize,
    _folder: TempDir,
}

impl Host {
    pub(crate) fn new(components: &[Vec<u8>]) -> Host {
        Host::with(LIMITS, components)
    }

    pub(crate) fn with(limits: Limits, components: &[Vec<u8>]) -> Host {
        let folder = tempfile::tempdir().unwrap();
        let mut all = components.to_vec();
        all.push(good());
        let vocabularies = vocabularies(folder.path(), limits, Compiler::Here, &all);
        Host { vocabularies, guests: components.len(), _folder: folder }
    }

    /// What a guest of the test answers. The good one must answer afterwards.
    pub(crate) fn ask(&self, guest: usize, action: &Action) -> Result<Finding, Failure> {
        let answer = self.vocabularies.classify(guest, action, &[]);
        assert_eq!(self.vocabularies.classify(self.guests, &action_of("ls"), &[]), Ok(nothing()));
        answer
    }
}

/// What this component answers, and what the host notes about it.
pub(crate) fn ask(component: Vec<u8>) -> (Result<Finding, Failure>, Vec<String>) {
    ask_with(LIMITS, component)
}

pub(crate) fn ask_with(limits: Limits, component: Vec<u8>) -> (Result<Finding, Failure>, Vec<String>) {
    let host = Host::with(limits, &[component]);
    (host.ask(0, &action_of("ls")), host.vocabularies.degraded())
}

pub(crate) fn action_of(text: &str) -> Action {
    Action::Source(SourceText { language: "bash".into(), text: text.into(), cwd: WorkingDir::Same })
}

/// That nothing would be done.
pub(crate) fn nothing() -> Finding {
    Finding { operations: vec![operation(Verb::Nothing)], ..Finding::default() }
}

/// An operation without target, about the start of the text.
pub(crate) fn operation(verb: Verb) -> Operation {
    Operation {
        verb,
        native: "true".into(),
        target: vec![],
        access: Access::List,
        effect: Effect::None,
        scope: Scope::One,
        traits: Traits::EMPTY,
        origin: Span { part: 0, start: 0, end: 2 },
    }
}

/// A guest that answers whatever bytes it is sent, so that one compilation serves any number of hostile answers.
pub(crate) struct Puppet(Host);

/// The request's text is the address of the answer and its bytes, all in hexadecimal.
const UNHEX: &str = "
    (local $from i32) (local $end i32) (local $to i32) (local $root i32)
    (local.set $from (i32.load offset=12 (local.get $request)))
    (local.set $end (i32.add (local.get $from) (i32.load offset=16 (local.get $request))))
    (local.set $to (i32.const 1020))
    (loop $more
        (i32.store8 (local.get $to) (i32.or
            (i32.shl (call $digit (i32.load8_u (local.get $from))) (i32.const 4))
            (call $digit (i32.load8_u offset=1 (local.get $from)))))
        (local.set $to (i32.add (local.get $to) (i32.const 1)))
        (local.set $from (i32.add (local.get $from) (i32.const 2)))
        (br_if $more (i32.lt_u (local.get $from) (local.get $end))))
    (i32.load (i32.const 1020))";
const DIGIT: &str = "
    (func $digit (param $letter i32) (result i32)
        (i32.add (i32.and (local.get $letter) (i32.const 15))
            (i32.mul (i32.shr_u (local.get $letter) (i32.const 6)) (i32.const 9))))";

impl Puppet {
    pub(crate) fn new() -> Puppet {
        Puppet(Host::new(&[Guest { classify: UNHEX, fields: DIGIT, ..Guest::default() }.build()]))
    }

    /// What the host makes of these bytes.
    pub(crate) fn answer(&self, image: &Image) -> Result<Finding, Failure> {
        self.0.ask(0, &script(image))
    }

    /// What the core says about the answer.
    pub(crate) fn fault(&self, finding: &Finding) -> Result<(), Fault> {
        let image = crate::abi::image(finding);
        let found = self.answer(&image).unwrap();
        assert_eq!(&found, finding);
        let declared = Declared::new([(Verb::Nothing, None), (Verb::Get, Some(TargetKind::File))])
            .with_obligations(ObligationKind::ALL.iter().copied())
            .with_escapes(Escape::ALL.iter().copied());
        found.check(&script(&image), &declared)
    }
}

fn script(image: &Image) -> Action {
    action_of(&hex::encode([image.root.to_le_bytes().as_slice(), &image.bytes].concat()))
}
