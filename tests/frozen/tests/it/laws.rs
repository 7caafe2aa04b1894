//! The core against its model and against the laws that hold whatever the tables say.

use crate::fixtures::{SPAN, call, operation, run, segment, standing};
use crate::model::{Allowance, PROGRAMS, Part, SPOTS, decide};
use crate::violations::violations;
use holdpoint_core::assess::{Assessment, Cause, Route};
use holdpoint_core::finding::Finding;
use holdpoint_core::judge::{Standing, judge};
use holdpoint_core::level::Level;
use holdpoint_core::operation::{
    Access, Effect, Obligation, ObligationKind, Operation, Scope, TargetKind, Trait, Traits, Verb,
};
use holdpoint_core::toggle::ToggleKey;
use holdpoint_core::verdict::Decision;
use holdpoint_core::words::{Word, WordSet};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select, subsequence};

const ROUTES: &[Route] = &[Route::Direct, Route::Shell];

/// The same case for the core.
fn assessment(parts: &[Part]) -> Assessment {
    let mut assessment = call();
    for part in parts {
        add(&mut assessment, part);
    }
    assessment
}

fn add(assessment: &mut Assessment, part: &Part) {
    let node = run(assessment, PROGRAMS[part.program].0, part.route);
    let finding = Finding {
        operations: part.operations.iter().map(|(_, operation)| operation.clone()).collect(),
        obligations: part.obligations.iter().map(|kind| Obligation { kind: *kind, amount: 0 }).collect(),
        ..Finding::default()
    };
    assessment.admit(node, finding);
    for _ in 0..part.unknowns {
        assessment.fail(node, Cause::NoClaimant);
    }
}

fn decision(parts: &[Part], allowed: &Allowance) -> Decision {
    judge(&assessment(parts), &standing_of(allowed)).decision()
}

fn standing_of(allowed: &Allowance) -> Standing {
    let (honours, denied) = (WordSet::of(&allowed.honours), WordSet::of(&allowed.denied));
    Standing { honours, denied, ..standing(allowed.level, WordSet::of(&allowed.permissive)) }
}

fn some_operation() -> impl Strategy<Value = (usize, Operation)> {
    // Files are what most rules are about, so half of all operations are about one.
    let kind = prop_oneof![Just(TargetKind::File), select(TargetKind::ALL)];
    let target = (kind, 0..SPOTS.len(), proptest::option::of(select(TargetKind::ALL)));
    let degrees = (select(Access::ALL), select(Effect::ALL), select(Scope::ALL));
    let verb = prop_oneof![select(vec![Verb::Get, Verb::Create, Verb::Delete, Verb::Configure]), select(Verb::ALL)];
    let traits = subsequence(Trait::ALL, 0..=2);
    (target, verb, degrees, traits).prop_map(|((kind, spot, second), verb, (access, effect, scope), traits)| {
        let mut operation = operation(verb, kind, SPOTS[spot].0, effect);
        operation.target.extend(second.map(|kind| segment(kind, "x")));
        (spot, Operation { access, scope, traits: Traits::of(&traits), origin: SPAN, ..operation })
    })
}

fn some_part() -> impl Strategy<Value = Part> {
    // Programs that may not be run decide everything, so they come seldom.
    let program = prop_oneof![9 => 0..4_usize, 1 => 0..PROGRAMS.len()];
    let unknowns = prop_oneof![4 => Just(0_usize), 1 => 1..3_usize];
    let obligations = subsequence(ObligationKind::ALL, 0..=2);
    (program, select(ROUTES), vec(some_operation(), 0..4), unknowns, obligations).prop_map(
        |(program, route, operations, unknowns, obligations)| Part {
            program,
            route,
            operations,
            unknowns,
            obligations,
        },
    )
}

fn some_parts() -> impl Strategy<Value = Vec<Part>> {
    vec(some_part(), 0..4)
}

fn some_allowance() -> impl Strategy<Value = Allowance> {
    let honours = prop_oneof![
        3 => Just(ObligationKind::ALL.to_vec()),
        1 => subsequence(ObligationKind::ALL, 0..=ObligationKind::ALL.len()),
    ];
    let permissive = subsequence(ToggleKey::ALL, 0..=ToggleKey::ALL.len());
    let denied = subsequence(ToggleKey::ALL, 0..=2);
    (select(Level::ALL), permissive, denied, honours).prop_map(|(level, permissive, denied, honours)| Allowance {
        level,
        permissive,
        denied,
        honours,
    })
}

/// Whether anything at all is known or known to be unknown. Learning the first thing may loosen, as it should.
fn says_something(parts: &[Part]) -> bool {
    parts.iter().any(|part| !part.operations.is_empty() || part.unknowns > 0)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases.max(1_500)))]

    #[test]
    fn the_core_decides_as_its_model_does(parts in some_parts(), allowed in some_allowance()) {
        prop_assert_eq!(decision(&parts, &allowed), decide(&parts, &allowed));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn one_more_finding_never_loosens(
        parts in some_parts().prop_filter("says something", |parts| says_something(parts)),
        more in some_part(),
        allowed in some_allowance(),
    ) {
        let before = decision(&parts, &allowed);
        let mut after = parts;
        after.push(more);
        prop_assert!(decision(&after, &allowed) >= before);
    }

    #[test]
    fn one_more_unknown_never_loosens(parts in some_parts(), place in any::<Index>(), allowed in some_allowance()) {
        let before = decision(&parts, &allowed);
        let mut assessment = assessment(&parts);
        let node = place.index(assessment.nodes().len());
        assessment.fail(node, Cause::MissingFact);
        prop_assert!(judge(&assessment, &standing_of(&allowed)).decision() >= before);
    }

    #[test]
    fn a_higher_level_never_tightens(parts in some_parts(), allowed in some_allowance()) {
        let at = |level: &Level| decision(&parts, &Allowance { level: *level, ..allowed.clone() });
        for pair in Level::ALL.windows(2) {
            prop_assert!(at(&pair[0]) >= at(&pair[1]), "{:?}", pair);
        }
    }

    #[test]
    fn loosening_a_toggle_never_tightens(parts in some_parts(), allowed in some_allowance(), key in select(ToggleKey::ALL)) {
        let mut looser = allowed.clone();
        looser.permissive.push(key);
        prop_assert!(decision(&parts, &looser) <= decision(&parts, &allowed));
    }

    #[test]
    fn seeing_to_one_more_obligation_never_tightens(
        parts in some_parts(),
        allowed in some_allowance(),
        kind in select(ObligationKind::ALL),
    ) {
        let mut careful = allowed.clone();
        careful.honours.push(kind);
        prop_assert!(decision(&parts, &careful) <= decision(&parts, &allowed));
    }

    #[test]
    fn the_order_of_findings_does_not_matter(
        (parts, shuffled) in some_parts().prop_flat_map(|parts| (Just(parts.clone()), Just(parts).prop_shuffle())),
        allowed in some_allowance(),
    ) {
        prop_assert_eq!(decision(&parts, &allowed), decision(&shuffled, &allowed));
    }

    #[test]
    fn saying_something_twice_does_not_matter(parts in some_parts(), allowed in some_allowance()) {
        let twice = [parts.clone(), parts.clone()].concat();
        prop_assert_eq!(decision(&parts, &allowed), decision(&twice, &allowed));
    }

    #[test]
    fn the_floor_holds_at_every_level_whatever_is_loosened_and_whatever_else_is_said(
        which in any::<Index>(),
        parts in some_parts(),
        allowed in some_allowance(),
    ) {
        let mut case = violations().swap_remove(which.index(violations().len()));
        for part in &parts {
            add(&mut case.assessment, part);
        }
        for permissive in [allowed.permissive.clone(), ToggleKey::ALL.to_vec()] {
            let standing = case.standing(standing_of(&Allowance { permissive, ..allowed.clone() }));
            let decision = judge(&case.assessment, &standing).decision();
            prop_assert!(decision >= case.invariant.decision(), "{}: {}", case.invariant, case.what);
        }
    }
}

/// Every way a single operation on a file can differ that a rule about files looks at.
fn single_operations() -> impl Iterator<Item = Part> {
    let spots = SPOTS.iter().enumerate();
    let verbs = [Verb::Get, Verb::Update, Verb::Delete];
    let shapes = spots.flat_map(move |(spot, (name, _))| verbs.map(|verb| (spot, *name, verb)));
    let degrees = Effect::ALL.iter().flat_map(|effect| [Scope::One, Scope::AllInParent].map(|scope| (*effect, scope)));
    let ways: Vec<(Effect, Scope, Route)> =
        degrees.flat_map(|(effect, scope)| ROUTES.iter().map(move |route| (effect, scope, *route))).collect();
    shapes.flat_map(move |(spot, name, verb)| {
        let part = move |(effect, scope, route)| {
            let operation = Operation { scope, ..operation(verb, TargetKind::File, name, effect) };
            Part { program: 0, route, operations: vec![(spot, operation)], unknowns: 0, obligations: vec![] }
        };
        ways.clone().into_iter().map(part)
    })
}

#[test]
fn the_core_decides_every_single_file_operation_as_its_model_does() {
    let honours = ObligationKind::ALL.to_vec();
    let (none, all) = (Vec::new(), ToggleKey::ALL.to_vec());
    // What a level says is random above and complete in the table; here it must not hide what the other stages say.
    let allowances = [(Level::Trusted, all), (Level::Unrestricted, none)].map(|(level, permissive)| Allowance {
        level,
        permissive,
        denied: Vec::new(),
        honours: honours.clone(),
    });
    let mut count = 0_usize;
    for part in single_operations() {
        let part = [part];
        for allowed in &allowances {
            assert_eq!(decision(&part, allowed), decide(&part, allowed), "{part:?}\n{allowed:?}");
            count += 1;
        }
    }
    assert_eq!(count, SPOTS.len() * 3 * Effect::ALL.len() * 2 * ROUTES.len() * allowances.len());
}
