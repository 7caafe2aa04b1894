//! A machine, a principal and operations to judge.

use holdpoint_core::action::{Action, ArgWord, Input, Invocation, SourceText, WorkingDir};
use holdpoint_core::assess::{Assessment, Route};
use holdpoint_core::finding::{Delegate, Finding};
use holdpoint_core::judge::Standing;
use holdpoint_core::level::Level;
use holdpoint_core::operation::{
    Access, Certainty, Effect, ObligationKind, Operation, Scope, Segment, Span, TargetKind, Traits, Verb,
};
use holdpoint_core::paths::AbsPath;
use holdpoint_core::posture::Posture;
use holdpoint_core::proof::Proof;
use holdpoint_core::run::Run;
use holdpoint_core::scene::Scene;
use holdpoint_core::toggle::Permissive;
use holdpoint_core::words::{Word, WordSet};

/// Nowhere in particular.
pub(crate) const SPAN: Span = Span { part: 0, start: 0, end: 0 };

fn path(text: &str) -> AbsPath {
    AbsPath::parse(text).unwrap()
}

/// A principal who works in `/home/u/proj`, and a gate that keeps its state in the home folder.
pub(crate) fn standing(level: Level, permissive: Permissive) -> Standing {
    Standing {
        level,
        loosened: permissive.into(),
        declared: Vec::new(),
        denied: holdpoint_core::toggle::Permissive::EMPTY,
        honours: WordSet::of(ObligationKind::ALL),
        rungs: Vec::new(),
        posture: Posture::FREE,
        advice: Vec::new(),
        scene: Scene {
            cwd: Some(path("/home/u/proj")),
            workspace: vec![path("/home/u/proj")],
            home: Some(path("/home/u")),
            protected: vec![path("/home/u/.local/state/holdpoint"), path("/usr/local/bin/holdpoint")],
        },
        run: Run::default(),
        proof: Proof::of_host(),
    }
}

/// A call of which nothing is known yet.
pub(crate) fn call() -> Assessment {
    let source = SourceText { language: "bash".into(), text: "x".into(), cwd: WorkingDir::Same };
    Assessment::new(Action::Source(source), Some(path("/home/u/proj")), Route::Direct)
}

/// A program that the call runs; returns where it stands in the assessment.
pub(crate) fn run(assessment: &mut Assessment, argv: &[&str], route: Route) -> usize {
    let word = |text: &&str| ArgWord { certainty: Certainty::Exact, text: (*text).into(), origin: SPAN };
    let invocation = Invocation {
        argv: argv.iter().map(word).collect(),
        env: Vec::new(),
        cwd: WorkingDir::Same,
        stdin: Input::Inherited,
    };
    let delegate = Delegate { action: Action::Program(invocation), origin: SPAN };
    let finding = Finding { delegates: vec![delegate], ..Finding::default() };
    let node = assessment.admit(0, finding)[0];
    if route == Route::Shell {
        assessment.through_shell(node);
    }
    node
}

/// One step of the way to a resource.
pub(crate) fn segment(kind: TargetKind, name: &str) -> Segment {
    let certainty = if name.contains('*') {
        Certainty::Glob
    } else if name.starts_with('$') {
        Certainty::Dynamic
    } else {
        Certainty::Exact
    };
    Segment { kind, name: name.into(), certainty }
}

/// An operation on one resource, which writes unless its verb only looks.
pub(crate) fn operation(verb: Verb, kind: TargetKind, name: &str, effect: Effect) -> Operation {
    let looks = matches!(verb, Verb::Get | Verb::List | Verb::Watch | Verb::Nothing);
    Operation {
        verb,
        native: "x".into(),
        target: vec![segment(kind, name)],
        access: if looks { Access::Read } else { Access::Write },
        effect,
        scope: Scope::One,
        traits: Traits::EMPTY,
        origin: SPAN,
    }
}
