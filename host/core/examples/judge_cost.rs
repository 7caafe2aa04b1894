//! What judging costs, without wasm: the time from an assessment to a verdict, for calls of one to a hundred operations.
//! Run it with `cargo run --release -p holdpoint-core --example judge_cost`.

#![expect(clippy::disallowed_methods, reason = "measuring needs a clock and arguments")]

use holdpoint_core::action::{Action, SourceText, WorkingDir};
use holdpoint_core::assess::{Assessment, Route};
use holdpoint_core::finding::Finding;
use holdpoint_core::grant::Loosened;
use holdpoint_core::judge::{Standing, judge};
use holdpoint_core::level::Level;
use holdpoint_core::operation::{
    Access, Certainty, Effect, ObligationKind, Operation, Scope, Segment, Span, TargetKind, Traits, Verb,
};
use holdpoint_core::paths::AbsPath;
use holdpoint_core::proof::{Proof, Transport};
use holdpoint_core::run::Run;
use holdpoint_core::scene::Scene;
use holdpoint_core::words::{Word, WordSet};
use std::hint::black_box;
use std::io::Write;
use std::time::Instant;

/// Judgements of each call.
const ROUNDS: usize = 20_000;

fn operation(index: usize) -> Operation {
    let (verb, access, effect) = match index % 3 {
        0 => (Verb::Get, Access::Read, Effect::None),
        1 => (Verb::Update, Access::Write, Effect::Reversible),
        _ => (Verb::Delete, Access::Write, Effect::Irreversible),
    };
    let name = format!("src/module_{index}/file.rs");
    Operation {
        verb,
        native: "cp".to_owned(),
        target: vec![Segment { kind: TargetKind::File, name, certainty: Certainty::Exact }],
        access,
        effect,
        scope: Scope::One,
        traits: Traits::EMPTY,
        origin: Span { part: 0, start: 0, end: 2 },
    }
}

fn standing(path: impl Fn(&str) -> Option<AbsPath>) -> Standing {
    Standing {
        level: Level::Guarded,
        loosened: Loosened::NONE,
        declared: Vec::new(),
        denied: holdpoint_core::toggle::Permissive::EMPTY,
        honours: WordSet::of(ObligationKind::ALL),
        rungs: Vec::new(),
        posture: holdpoint_core::posture::Posture::FREE,
        advice: Vec::new(),
        scene: Scene {
            cwd: path("/home/u/proj"),
            workspace: path("/home/u/proj").into_iter().collect(),
            home: path("/home/u"),
            protected: ["/home/u/.local/state/holdpoint", "/usr/local/bin/holdpoint"]
                .iter()
                .filter_map(|text| path(text))
                .collect(),
        },
        run: Run::default(),
        proof: Proof::of_peer_user(Transport::Hook),
    }
}

fn main() -> std::io::Result<()> {
    let standing = standing(AbsPath::parse);
    let mut out = std::io::stdout().lock();
    writeln!(out, "judge_cost: {ROUNDS} judgements each; the bar is 10 us at the median for an ordinary call")?;
    for operations in [1, 3, 10, 100] {
        let source = SourceText { language: "bash".to_owned(), text: "x".to_owned(), cwd: WorkingDir::Same };
        let mut assessment = Assessment::new(Action::Source(source), AbsPath::parse("/home/u/proj"), Route::Shell);
        let operations: Vec<Operation> = (0..operations).map(operation).collect();
        let count = operations.len();
        assessment.admit(0, Finding { operations, ..Finding::default() });
        let mut times_ns: Vec<u128> = (0..ROUNDS)
            .map(|_| {
                let begun = Instant::now();
                black_box(judge(black_box(&assessment), &standing));
                begun.elapsed().as_nanos()
            })
            .collect();
        times_ns.sort_unstable();
        let at = |part: usize| times_ns.get(ROUNDS * part / 100).copied().unwrap_or_default() as f64 / 1_000.0;
        writeln!(out, "operations={count} p50_us={:.2} p99_us={:.2}", at(50), at(99))?;
    }
    Ok(())
}
