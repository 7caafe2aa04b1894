//! Advice asks or delays and never lets anything through, and a delay says how long.

use super::*;
use crate::action::{Action, SourceText, WorkingDir};
use crate::assess::Route;
use crate::finding::Finding;
use crate::grant::Loosened;
use crate::judge::judge;
use crate::level::Level;
use crate::operation::{
    Access, Certainty, Effect, ObligationKind, Operation, Scope, Segment, Span, TargetKind, Traits, Verb,
};
use crate::paths::AbsPath;
use crate::posture::Posture;
use crate::scene::Scene;
use crate::toggle::ToggleKey;
use crate::words::{Word, WordSet};
use alloc::vec;

fn standing(advice: Vec<Advice>) -> Standing {
    let workspace = AbsPath::parse("/w").unwrap();
    Standing {
        level: Level::Unrestricted,
        loosened: Loosened::from(WordSet::of(ToggleKey::ALL)),
        declared: Vec::new(),
        denied: WordSet::EMPTY,
        honours: WordSet::of(ObligationKind::ALL),
        rungs: Vec::new(),
        posture: Posture::FREE,
        advice,
        scene: Scene { cwd: Some(workspace.clone()), workspace: vec![workspace], ..Scene::default() },
        run: crate::run::Run::default(),
        proof: crate::proof::Proof::of_host(),
    }
}

fn touches(name: &str, access: Access, effect: Effect) -> Assessment {
    let source = SourceText { language: "bash".into(), text: String::new(), cwd: WorkingDir::Same };
    let mut assessment = Assessment::new(Action::Source(source), AbsPath::parse("/w"), Route::Direct);
    let operation = Operation {
        verb: if effect == Effect::None { Verb::Get } else { Verb::Update },
        native: "x".into(),
        target: vec![Segment { kind: TargetKind::File, name: name.into(), certainty: Certainty::Exact }],
        access,
        effect,
        scope: Scope::One,
        traits: Traits::EMPTY,
        origin: Span { part: 0, start: 0, end: 0 },
    };
    assessment.admit(0, Finding { operations: vec![operation], ..Finding::default() });
    assessment
}

fn writes(name: &str) -> Assessment {
    touches(name, Access::Write, Effect::Reversible)
}

fn advice(says: Caution) -> Advice {
    let resource = ResourcePattern::parse("file:/w/deploy").unwrap();
    Advice { resource, says, detail: "the canary is still soaking".into() }
}

#[test]
fn advice_is_about_changes_of_what_it_names_and_about_nothing_else() {
    let standing = standing(vec![advice(Caution::Ask)]);
    let leading = judge(&writes("deploy/a"), &standing);
    let reason = leading.leading().unwrap();
    assert_eq!((reason.rule, reason.decision), (Rule::Advice, Decision::Ask));
    assert!(reason.detail.contains("soaking"));
    assert_eq!(judge(&writes("other"), &standing).decision(), Decision::Allow);
    assert_eq!(judge(&touches("deploy/a", Access::Read, Effect::None), &standing).decision(), Decision::Allow);
}

#[test]
fn a_delay_is_a_denial_that_says_how_long() {
    let standing = standing(vec![advice(Caution::Ask), advice(Caution::NotBefore { retry_after_s: 90 })]);
    let verdict = judge(&writes("deploy/a"), &standing);
    let reason = verdict.leading().unwrap();
    assert_eq!((reason.rule, reason.decision), (Rule::Advice, Decision::Deny));
    assert_eq!(reason.remedy, Remedy::Wait { retry_after_s: 90 });
    assert!(reason.remedy.is_retryable());
}

#[test]
fn more_advice_never_makes_an_answer_milder() {
    let cautions = [Caution::Ask, Caution::NotBefore { retry_after_s: 1 }];
    for first in cautions {
        let before = judge(&writes("deploy/a"), &standing(vec![advice(first)])).decision();
        for second in cautions {
            let both = standing(vec![advice(first), advice(second)]);
            assert!(judge(&writes("deploy/a"), &both).decision() >= before);
        }
    }
}

#[test]
fn one_piece_of_advice_too_many_is_a_question() {
    let many = |count| judge(&writes("other"), &standing(vec![advice(Caution::Ask); count])).decision();
    assert_eq!(many(ADVICE_MAX), Decision::Allow);
    assert_eq!(many(ADVICE_MAX + 1), Decision::Ask);
}
