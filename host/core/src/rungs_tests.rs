//! Rungs pick by thresholds, are joined upward, and are refused with the pair that is not monotone.

use super::*;
use crate::operation::{Access, Certainty, Segment, Span, Traits};
use alloc::vec;

const ASKING: [Answer; 4] = [Answer::Deny, Answer::Password, Answer::Ask, Answer::Allow];

fn rung(verb: Option<Verb>, effect_min: Effect, scope_min: Scope, says: [Answer; 4]) -> Rung {
    Rung {
        verb,
        native: None,
        kind: None,
        effect_min,
        scope_min,
        criticality_min: Criticality::Ordinary,
        says,
        source: "git".into(),
    }
}

fn deletion(scope: Scope) -> Operation {
    Operation {
        verb: Verb::Delete,
        native: "branch -D".into(),
        target: vec![Segment { kind: TargetKind::GitRef, name: "topic".into(), certainty: Certainty::Exact }],
        access: Access::Write,
        effect: Effect::Irreversible,
        scope,
        traits: Traits::EMPTY,
        origin: Span { part: 0, start: 0, end: 0 },
    }
}

fn says(rung: &Rung, level: Level, scope: Scope) -> Option<Answer> {
    rung.answer(level, &deletion(scope), Effect::Irreversible, Criticality::Ordinary)
}

#[test]
fn a_rung_is_about_what_reaches_its_thresholds_and_nothing_less() {
    let wide = rung(Some(Verb::Delete), Effect::Irreversible, Scope::AllInParent, ASKING);
    assert_eq!(says(&wide, Level::Guarded, Scope::AllInParent), Some(Answer::Password));
    assert_eq!(says(&wide, Level::Trusted, Scope::Unknown), Some(Answer::Ask));
    assert_eq!(says(&wide, Level::Guarded, Scope::Selection), None);
    assert_eq!(says(&Rung { verb: Some(Verb::Create), ..wide.clone() }, Level::Guarded, Scope::Root), None);
    assert_eq!(says(&Rung { kind: Some(TargetKind::File), ..wide.clone() }, Level::Guarded, Scope::Root), None);
    assert_eq!(says(&Rung { native: Some("push".into()), ..wide.clone() }, Level::Guarded, Scope::Root), None);
    let production = Rung { criticality_min: Criticality::Production, ..wide };
    assert_eq!(says(&production, Level::Guarded, Scope::Root), None);
}

#[test]
fn the_strictest_of_all_rungs_speaks() {
    let mild = rung(None, Effect::None, Scope::One, [Answer::Ask, Answer::Ask, Answer::Allow, Answer::Allow]);
    let rungs = vec![mild.clone(), rung(Some(Verb::Delete), Effect::None, Scope::One, ASKING), mild];
    let found = strictest(&rungs, Level::Guarded, &deletion(Scope::One), Effect::Irreversible, Criticality::Ordinary);
    assert_eq!(found.map(|(answer, rung)| (answer, rung.verb)), Some((Answer::Password, Some(Verb::Delete))));
    let nothing = strictest(&[], Level::Guarded, &deletion(Scope::One), Effect::Irreversible, Criticality::Ordinary);
    assert_eq!(nothing, None);
}

#[test]
fn a_level_that_is_stricter_than_a_lower_one_is_named() {
    let odd = rung(None, Effect::None, Scope::One, [Answer::Deny, Answer::Ask, Answer::TypeName, Answer::Allow]);
    let error = Unfit::InLevel { rung: 1, lower: Level::Guarded, higher: Level::Trusted };
    assert_eq!(check(&[rung(None, Effect::None, Scope::One, ASKING), odd]), Err(error));
}

#[test]
fn more_risk_that_is_answered_more_mildly_is_named_with_its_pair() {
    let small = rung(Some(Verb::Delete), Effect::Reversible, Scope::One, ASKING);
    let mild = [Answer::Deny, Answer::Ask, Answer::Ask, Answer::Allow];
    let large = rung(Some(Verb::Delete), Effect::Irreversible, Scope::Root, mild);
    let error = Unfit::InRisk { less: 0, more: 1, level: Level::Guarded };
    assert_eq!(check(&[small.clone(), large.clone()]), Err(error));
    // Rungs about different things are not compared.
    assert_eq!(check(&[small, Rung { verb: Some(Verb::Create), ..large }]), Ok(()));
}

#[test]
fn one_rung_too_many_is_refused() {
    let many = |count| vec![rung(None, Effect::None, Scope::One, ASKING); count];
    assert_eq!(check(&many(RUNGS_MAX)), Ok(()));
    assert_eq!(check(&many(RUNGS_MAX + 1)), Err(Unfit::TooMany));
}

#[test]
fn a_level_that_is_left_out_is_answered_like_the_next_higher_one() {
    use Answer::{Allow, Ask, Deny, Password};
    assert_eq!(Rung::filled([None, Some(Password), None, None]), [Password, Password, Allow, Allow]);
    assert_eq!(Rung::filled([Some(Deny), None, Some(Ask), None]), [Deny, Ask, Ask, Allow]);
    assert_eq!(Rung::filled([None; 4]), [Allow; 4]);
    for told in [[None, Some(Password), None, None], [None, None, None, Some(Deny)]] {
        let filled = rung(None, Effect::None, Scope::One, Rung::filled(told));
        assert_eq!(check(&[filled]), Ok(()), "{told:?}");
    }
}

#[test]
fn a_rung_that_the_default_always_outdoes_is_never_heard() {
    let heard = |effect, says| !rung(None, effect, Scope::One, says).is_never_heard();
    let as_the_default = [Answer::Deny, Answer::Ask, Answer::Ask, Answer::Allow];
    assert!(!heard(Effect::Irreversible, as_the_default));
    assert!(heard(Effect::Reversible, as_the_default));
    assert!(heard(Effect::Irreversible, [Answer::Deny, Answer::TypeName, Answer::Ask, Answer::Allow]));
    assert!(!heard(Effect::None, [Answer::Allow; 4]));
}
