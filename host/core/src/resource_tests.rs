//! What a pattern covers, and that it errs towards touching and away from covering.

use super::*;
use crate::operation::{Access, Effect, Operation, Span, Traits, Verb};
use alloc::vec;

fn operation(verb: Verb, target: &[(TargetKind, &str, Certainty)], scope: Scope) -> Assessed {
    let segments = target.iter().map(|(kind, name, certainty)| Segment {
        kind: *kind,
        name: (*name).into(),
        certainty: *certainty,
    });
    let file = target.last().filter(|(kind, ..)| *kind == TargetKind::File && target.len() == 1);
    let operation = Operation {
        verb,
        native: "x".into(),
        target: segments.collect(),
        access: Access::Write,
        effect: Effect::Irreversible,
        scope,
        traits: Traits::EMPTY,
        origin: Span { part: 0, start: 0, end: 0 },
    };
    let cwd = AbsPath::parse("/w");
    let place = file.map(|(_, name, certainty)| Place::resolve(name, *certainty, cwd.as_ref()));
    Assessed { node: 0, operation, place }
}

fn file(verb: Verb, name: &str, scope: Scope) -> Assessed {
    let certainty = if name.contains('*') { Certainty::Glob } else { Certainty::Exact };
    operation(verb, &[(TargetKind::File, name, certainty)], scope)
}

fn remote(host: &str, certainty: Certainty) -> Assessed {
    let target = [(TargetKind::Host, host, certainty), (TargetKind::Service, "db", Certainty::Exact)];
    operation(Verb::Update, &target, Scope::One)
}

fn pattern(text: &str) -> ResourcePattern {
    ResourcePattern::parse(text).unwrap()
}

#[test]
fn a_pattern_covers_the_resource_and_everything_below_it() {
    assert!(pattern("host:db.example").may_touch(&remote("db.example", Certainty::Exact)));
    assert!(pattern("host:*.example").may_touch(&remote("DB.example", Certainty::Exact)));
    assert!(!pattern("host:db.example").may_touch(&remote("web.example", Certainty::Exact)));
    assert!(pattern("host:db.example > service:db").may_touch(&remote("db.example", Certainty::Exact)));
    assert!(!pattern("host:db.example > service:web").may_touch(&remote("db.example", Certainty::Exact)));
    assert!(pattern("*:db").may_touch(&remote("db.example", Certainty::Exact)));
}

#[test]
fn what_is_not_certain_may_be_anything_of_its_kind() {
    assert!(pattern("host:db.example").may_touch(&remote("$H", Certainty::Dynamic)));
    assert!(pattern("host:db.example").may_touch(&remote("d*", Certainty::Glob)));
    assert!(!pattern("host:db.example").certainly_covers(&remote("$H", Certainty::Dynamic)));
    assert!(pattern("host:*.example").certainly_covers(&remote("db.example", Certainty::Exact)));
}

#[test]
fn files_are_covered_by_folders_in_any_spelling_and_by_what_is_above_when_it_goes() {
    let prod = pattern("file:/srv/prod");
    assert!(prod.may_touch(&file(Verb::Update, "/srv/./x/../prod/a", Scope::One)));
    assert!(prod.may_touch(&file(Verb::Update, "/srv/*/a", Scope::One)));
    assert!(prod.may_touch(&file(Verb::Update, "/SRV/prod/a", Scope::One)));
    assert!(!prod.may_touch(&file(Verb::Update, "/srv/production", Scope::One)));
    assert!(prod.may_touch(&file(Verb::Delete, "/srv", Scope::AllInParent)));
    assert!(prod.may_touch(&file(Verb::Delete, "/srv", Scope::One)));
    assert!(!prod.may_touch(&file(Verb::Update, "/srv", Scope::One)));
    assert!(!prod.may_touch(&file(Verb::Update, "$X", Scope::One)));
    assert!(prod.certainly_covers(&file(Verb::Update, "/srv/prod/a", Scope::One)));
    assert!(!pattern("file:/srv/*").certainly_covers(&file(Verb::Update, "/srv/a", Scope::One)));
    assert!(!prod.certainly_covers(&file(Verb::Update, "/srv/prod/a", Scope::Root)));
}

#[test]
fn removing_what_stands_above_touches_what_is_pinned_below() {
    let below = pattern("host:db.example > service:db");
    let host = |verb, scope| operation(verb, &[(TargetKind::Host, "db.example", Certainty::Exact)], scope);
    assert!(below.may_touch(&host(Verb::Delete, Scope::One)));
    assert!(below.may_touch(&host(Verb::Update, Scope::AllInParent)));
    assert!(!below.may_touch(&host(Verb::Update, Scope::One)));
    for one_step in ["service:db", "file:/srv"] {
        assert!(pattern(one_step).may_touch(&host(Verb::Delete, Scope::One)), "{one_step} lies in the host");
        assert!(!pattern(one_step).may_touch(&host(Verb::Update, Scope::One)), "{one_step}");
    }
    assert!(!pattern("host:web.example > service:db").may_touch(&host(Verb::Delete, Scope::One)), "another host");
    let deeper = [(TargetKind::Machine, "m", Certainty::Exact), (TargetKind::Host, "db.example", Certainty::Exact)];
    assert!(below.may_touch(&operation(Verb::Delete, &deeper, Scope::One)), "a step more in front changes nothing");
}

#[test]
fn what_could_never_match_is_an_error() {
    for (text, error) in [
        ("", PatternError::Empty),
        ("host:", PatternError::Empty),
        ("host:a > ", PatternError::Empty),
        ("prod", PatternError::NoKind),
        ("hots:a", PatternError::UnknownKind),
        ("file:srv/prod", PatternError::RelativeFile),
        ("file:/srv > host:a", PatternError::BehindFile),
    ] {
        assert_eq!(ResourcePattern::parse(text), Err(error), "{text}");
    }
}

#[test]
fn limits_hold_for_steps_and_bytes() {
    let steps = |count: usize| vec!["host:a"; count].join(" > ");
    assert!(ResourcePattern::parse(&steps(PATTERN_STEPS_MAX)).is_ok());
    assert_eq!(ResourcePattern::parse(&steps(PATTERN_STEPS_MAX + 1)), Err(PatternError::TooDeep));
    let long = |bytes: usize| alloc::format!("host:{}", "a".repeat(bytes - 5));
    assert!(ResourcePattern::parse(&long(PATTERN_BYTES_MAX)).is_ok());
    assert_eq!(ResourcePattern::parse(&long(PATTERN_BYTES_MAX + 1)), Err(PatternError::TooLong));
}

#[test]
fn a_pattern_is_written_as_it_is_read() {
    for text in ["host:*.example > service:db", "*:x", "file:/srv/prod"] {
        assert_eq!(pattern(text).to_string(), text);
    }
}

#[test]
fn a_pattern_covers_another_that_could_add_nothing() {
    let covers =
        |one: &str, other: &str| ResourcePattern::parse(one).unwrap().covers(&ResourcePattern::parse(other).unwrap());
    for (one, other) in [
        ("file:/srv", "file:/srv/prod"),
        ("file:/srv", "file:/SRV"),
        ("file:/", "file:/srv"),
        ("host:prod", "host:prod > service:web"),
        ("host:*", "host:prod"),
        ("*:prod", "service:prod"),
        ("host:a", "machine:m > host:a > service:web"),
    ] {
        assert!(covers(one, other), "{one} {other}");
    }
    for (one, other) in [
        ("file:/srv/prod", "file:/srv"),
        ("file:/srv/prod", "file:/srv/production"),
        ("host:prod > service:web", "host:prod"),
        ("host:prod-*", "host:prod"),
        ("service:prod", "*:prod"),
        ("host:a > service:b", "service:b > host:a"),
    ] {
        assert!(!covers(one, other), "{one} {other}");
    }
}
