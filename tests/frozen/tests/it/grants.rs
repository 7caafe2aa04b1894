//! The laws of limited loosenings: what they let through, what they count, and that no limit lets more through than none.

use crate::grant_cases::{NOBODY, Setting, some_setting, some_terms};
use crate::grant_reading::is_let_through;
use holdpoint_core::assess::Assessment;
use holdpoint_core::bound::{Bound, Reach, Within};
use holdpoint_core::gates::gates;
use holdpoint_core::grant::{Cap, Grant, Loosened, Terms, subject};
use holdpoint_core::judge::{Standing, judge};
use holdpoint_core::proof::{Evidence, Proof, Transport};
use holdpoint_core::run::{AUTONOMOUS_OPERATIONS_MAX, Run};
use holdpoint_core::toggle::{Permissive, ToggleKey};
use holdpoint_core::uses::uses;
use holdpoint_core::verdict::{About, Decision, Rule};
use holdpoint_core::words::{Word, WordSet};
use proptest::prelude::*;
use proptest::sample::{Index, select, subsequence};
use std::collections::BTreeSet;

/// Everything that is objected to, without the words it is said in.
type Objections = BTreeSet<(Rule, Decision, String)>;

fn objections(assessment: &Assessment, standing: &Standing) -> Objections {
    let verdict = judge(assessment, standing);
    verdict.reasons().iter().map(|reason| (reason.rule, reason.decision, format!("{:?}", reason.about))).collect()
}

/// Whether everything that is objected to in one standing is objected to in the other. The decision alone would hide most
/// of it behind whatever else is objected to.
fn is_no_looser(assessment: &Assessment, strict: &Standing, loose: &Standing) -> Result<(), TestCaseError> {
    let missing: Vec<_> = objections(assessment, loose).difference(&objections(assessment, strict)).cloned().collect();
    prop_assert!(missing.is_empty(), "only the looser of the two objects to {:?}", missing);
    prop_assert!(judge(assessment, strict).decision() >= judge(assessment, loose).decision());
    Ok(())
}

fn with(standing: &Standing, key: ToggleKey, terms: Terms) -> Standing {
    let loosened = standing.loosened.clone().with(key, Grant { terms, since_ms: 1, within: Within::default() });
    Standing { loosened, ..standing.clone() }
}

/// The same loosening within what a layer above leaves of it.
fn bounded(standing: &Standing, key: ToggleKey, reach: &Reach) -> Standing {
    let bounded = |grant: &Grant, within: &Within| Grant { within: grant.within.meet(within), ..grant.clone() };
    let loosened = match (standing.loosened.grant(key), reach) {
        (Some(grant), Reach::Within(within)) => standing.loosened.clone().with(key, bounded(grant, within)),
        (Some(_) | None, Reach::Nothing) | (None, Reach::Within(_)) => {
            standing.loosened.without(Permissive::EMPTY.with(key))
        }
    };
    Standing { loosened, ..standing.clone() }
}

/// A bound that a toggle can have.
fn some_bound(key: ToggleKey) -> impl Strategy<Value = Bound> {
    let within = some_terms(key).prop_map(|terms| Bound::Within(Terms { budget: None, ..terms }));
    prop_oneof![1 => Just(Bound::Open), 1 => Just(Bound::Closed), 6 => within]
}

/// A key with limits that it can have, and three bounds of it.
fn some_bounded() -> impl Strategy<Value = (ToggleKey, Terms, [Bound; 3])> {
    some_key().prop_flat_map(|key| {
        let bounds = [some_bound(key), some_bound(key), some_bound(key)];
        (Just(key), some_terms(key), bounds)
    })
}

fn without(standing: &Standing, key: ToggleKey) -> Standing {
    Standing { loosened: standing.loosened.without(Permissive::EMPTY.with(key)), ..standing.clone() }
}

/// A key with limits that it can have.
fn some_limited() -> impl Strategy<Value = (ToggleKey, Terms)> {
    some_key().prop_flat_map(|key| (Just(key), some_terms(key)))
}

/// The only toggle with two lists comes up more often than the others.
fn some_key() -> impl Strategy<Value = ToggleKey> {
    prop_oneof![6 => select(ToggleKey::ALL), 1 => Just(ToggleKey::EmailRecipientAllowlist)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_048))]

    #[test]
    fn a_limited_loosening_lets_through_no_more_than_one_without_limits(
        Setting { call, standing } in some_setting(),
        (key, terms) in some_limited(),
    ) {
        let limited = with(&standing, key, terms);
        is_no_looser(&call.assessment(), &limited, &with(&standing, key, Terms::default()))?;
    }

    #[test]
    fn a_loosening_with_limits_never_tightens(
        Setting { call, standing } in some_setting(),
        (key, terms) in some_limited(),
    ) {
        is_no_looser(&call.assessment(), &without(&standing, key), &with(&standing, key, terms))?;
    }

    #[test]
    fn a_bound_never_loosens_whatever_it_is_added_to(
        Setting { call, standing } in some_setting(),
        (key, terms, [one, other, _]) in some_bounded(),
    ) {
        let assessment = call.assessment();
        for standing in [with(&standing, key, terms), standing] {
            let within = bounded(&standing, key, &one.reach());
            is_no_looser(&assessment, &within, &standing)?;
            is_no_looser(&assessment, &bounded(&within, key, &other.reach()), &within)?;
            is_no_looser(&assessment, &bounded(&standing, key, &Bound::Closed.reach()), &within)?;
        }
    }

    #[test]
    fn bounds_meet_in_any_order_and_twice_is_once((_, _, [one, other, third]) in some_bounded()) {
        let [one, other, third] = [one.reach(), other.reach(), third.reach()];
        prop_assert_eq!(one.meet(&other), other.meet(&one));
        prop_assert_eq!(one.meet(&other).meet(&third), one.meet(&other.meet(&third)));
        prop_assert_eq!(one.meet(&one), one.clone());
        prop_assert_eq!(one.meet(&Bound::Open.reach()), one.clone());
        prop_assert_eq!(one.meet(&Bound::Closed.reach()), Reach::Nothing);
    }

    #[test]
    fn bounds_that_meet_cover_what_each_of_them_covers_and_nothing_else(
        Setting { call, standing } in some_setting(),
        (key, terms, [one, other, _]) in some_bounded(),
    ) {
        let assessment = call.assessment();
        let standing = with(&standing, key, terms);
        let beyond = |reach: &Reach| -> BTreeSet<String> {
            let said = gated(key, &assessment, &bounded(&standing, key, reach));
            said.iter().map(|about| format!("{about:?}")).collect()
        };
        let each: BTreeSet<String> = beyond(&one.reach()).union(&beyond(&other.reach())).cloned().collect();
        prop_assert_eq!(beyond(&one.reach().meet(&other.reach())), each);
    }

    #[test]
    fn a_bound_covers_what_its_names_say_when_they_are_read_by_hand(
        Setting { call, standing } in some_setting(),
        (key, terms, [one, other, _]) in some_bounded(),
    ) {
        // Its number is not a name, and the gate itself compares with it.
        prop_assume!(key != ToggleKey::AutonomousRaiseDailyOpCap);
        let assessment = call.assessment();
        let mut left = gated(key, &assessment, &without(&standing, key));
        let lets_through = |bound: &Bound, about| match bound {
            Bound::Open => true,
            Bound::Within(terms) => is_let_through(key, terms, &assessment, about),
            Bound::Closed => false,
        };
        left.retain(|about| {
            let user = is_let_through(key, &terms, &assessment, *about);
            !(user && lets_through(&one, *about) && lets_through(&other, *about))
        });
        let standing = with(&standing, key, terms);
        let within = bounded(&standing, key, &one.reach().meet(&other.reach()));
        prop_assert_eq!(gated(key, &assessment, &within), left, "{}", key);
    }

    #[test]
    fn what_is_narrower_than_a_bound_lets_through_no_more(
        Setting { call, standing } in some_setting(),
        (key, terms, [one, other, _]) in some_bounded(),
    ) {
        // What is met with the one is not seen to be narrower in every case, but it often is.
        let narrower = if one.reach().is_within(&other.reach(), key.as_str()) { one.reach() } else { one.reach().meet(&other.reach()) };
        prop_assert!(narrower.is_within(&other.reach(), key.as_str()), "{:?} {:?}", narrower, other);
        let standing = with(&standing, key, terms);
        let (strict, loose) = (bounded(&standing, key, &narrower), bounded(&standing, key, &other.reach()));
        is_no_looser(&call.assessment(), &strict, &loose)?;
    }

    #[test]
    fn one_name_less_never_loosens(
        Setting { call, standing } in some_setting(),
        (key, terms) in some_limited(),
        place in any::<Index>(),
    ) {
        let mut fewer = terms.clone();
        // A list of the terms that loses its last name is no list any more; that of the cap is one without names.
        if terms.only.len() > 1 {
            fewer.only.remove(place.index(terms.only.len()));
        }
        if let Some(Cap::List(names)) = &mut fewer.cap && !names.is_empty() {
            names.remove(place.index(names.len()));
        }
        is_no_looser(&call.assessment(), &with(&standing, key, fewer), &with(&standing, key, terms))?;
    }

    #[test]
    fn naming_what_it_is_for_never_loosens(
        Setting { call, standing } in some_setting(),
        (key, terms) in some_limited(),
    ) {
        let named = terms.clone();
        let open = Terms { only: Vec::new(), ..terms };
        is_no_looser(&call.assessment(), &with(&standing, key, named), &with(&standing, key, open))?;
    }

    #[test]
    fn a_lower_cap_or_budget_never_loosens(
        Setting { call, standing } in some_setting(),
        (key, terms) in some_limited(),
        most in 1_u64..400,
        less in 0_u64..400,
    ) {
        let capped = |most| Terms { cap: Some(Cap::Daily(most)), budget: Some(most), ..terms.clone() };
        let lower = with(&standing, key, capped(most.saturating_sub(less)));
        is_no_looser(&call.assessment(), &lower, &with(&standing, key, capped(most)))?;
    }

    #[test]
    fn a_loosening_that_covers_nothing_of_a_call_is_none(
        Setting { call, standing } in some_setting(),
        (key, terms) in some_limited(),
    ) {
        let terms = match key {
            // It has a number and no names; the usual number is as if it were not raised.
            ToggleKey::AutonomousRaiseDailyOpCap => {
                Terms { cap: Some(Cap::Daily(AUTONOMOUS_OPERATIONS_MAX)), ..terms }
            }
            _ => Terms { only: NOBODY.iter().map(|name| (*name).into()).collect(), ..terms },
        };
        let assessment = call.assessment();
        let (covered, restrictive) = (with(&standing, key, terms), without(&standing, key));
        prop_assert_eq!(objections(&assessment, &covered), objections(&assessment, &restrictive));
        let (covered, restrictive) = (judge(&assessment, &covered), judge(&assessment, &restrictive));
        prop_assert_eq!(covered.decision(), restrictive.decision());
        prop_assert_eq!(covered.leading().map(|one| one.rule), restrictive.leading().map(|one| one.rule));
    }

    #[test]
    fn a_loosening_covers_what_its_names_say_when_they_are_read_by_hand(
        Setting { call, standing } in some_setting(),
        (key, terms) in some_limited(),
    ) {
        // Its number is not a name, and the gate itself compares with it.
        prop_assume!(key != ToggleKey::AutonomousRaiseDailyOpCap);
        let assessment = call.assessment();
        let mut left = gated(key, &assessment, &without(&standing, key));
        left.retain(|about| !is_let_through(key, &terms, &assessment, *about));
        prop_assert_eq!(gated(key, &assessment, &with(&standing, key, terms)), left, "{}", key);
    }

    #[test]
    fn what_is_used_up_never_loosens(
        Setting { call, standing } in some_setting(),
        used_up in subsequence(ToggleKey::ALL, 0..=ToggleKey::ALL.len()),
    ) {
        let after = standing.with_used_up(WordSet::of(&used_up));
        is_no_looser(&call.assessment(), &after, &standing)?;
        for key in used_up {
            prop_assert!(after.loosened.grant(key).is_none(), "{}", key);
        }
    }

    #[test]
    fn less_proof_never_loosens(
        Setting { call, standing } in some_setting(),
        transport in select(Transport::ALL),
        (more, fewer) in subsequence(Evidence::ALL, 0..=Evidence::ALL.len())
            .prop_flat_map(|more| { let most = more.len(); (Just(more.clone()), subsequence(more, 0..=most)) }),
    ) {
        let proven = |evidence: &[Evidence]| {
            Standing { proof: Proof { transport, evidence: WordSet::of(evidence) }, ..standing.clone() }
        };
        let assessment = call.assessment();
        is_no_looser(&assessment, &proven(&fewer), &proven(&more))?;
        let unproven = Proof { evidence: WordSet::EMPTY, ..standing.proof };
        is_no_looser(&assessment, &Standing { proof: unproven, ..standing.clone() }, &standing)?;
    }

    #[test]
    fn more_content_that_nobody_confirmed_never_loosens(
        Setting { call, standing } in some_setting(),
        content in proptest::collection::vec("[0-9a-f]{0,4}", 1..3),
    ) {
        let mut unconfirmed_content = standing.run.unconfirmed_content.clone();
        unconfirmed_content.extend(content);
        let run = Run { unconfirmed_content, ..standing.run.clone() };
        is_no_looser(&call.assessment(), &Standing { run, ..standing.clone() }, &standing)?;
    }
}

/// How often a toggle would object if nobody had loosened it.
fn hits(key: ToggleKey, assessment: &Assessment, standing: &Standing) -> u64 {
    gated(key, assessment, &without(standing, key)).len() as u64
}

/// What a toggle objects to.
fn gated(key: ToggleKey, assessment: &Assessment, standing: &Standing) -> Vec<About> {
    let said = gates(assessment, standing).into_iter().filter(|reason| reason.rule == Rule::Toggle(key));
    said.map(|reason| reason.about).collect()
}

fn count(key: ToggleKey, assessment: &Assessment, standing: &Standing) -> u64 {
    uses(assessment, standing).iter().filter(|one| one.key == key).map(|one| one.count).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_048))]

    #[test]
    fn no_more_uses_are_counted_than_the_call_has_of_what_the_toggle_gates(
        Setting { call, standing } in some_setting(),
        (key, terms) in some_limited(),
    ) {
        let standing = with(&standing, key, terms);
        let assessment = call.assessment();
        for one in uses(&assessment, &standing) {
            let most = match one.key {
                // Its day is counted whether or not it is at its end.
                ToggleKey::AutonomousRaiseDailyOpCap => assessment.operations().len() as u64,
                key => hits(key, &assessment, &standing),
            };
            prop_assert!(0 < one.count && one.count <= most, "{:?}, and {} are gated", one, most);
            prop_assert!(one.daily.is_some() || one.budget.is_some(), "{:?}", one);
        }
    }

    #[test]
    fn what_a_limit_counts_is_what_the_loosening_lets_through(
        Setting { call, standing } in some_setting(),
        (key, terms) in some_limited(),
    ) {
        // Mails are counted by their own rule, and the day of runs without a person has no names.
        prop_assume!(!matches!(key, ToggleKey::EmailAutoSend | ToggleKey::AutonomousRaiseDailyOpCap));
        let limited = with(&standing, key, Terms { budget: terms.budget.or(Some(1)), ..terms });
        let assessment = call.assessment();
        let beyond = gated(key, &assessment, &limited).len() as u64;
        prop_assert_eq!(count(key, &assessment, &limited) + beyond, hits(key, &assessment, &limited));
    }

    #[test]
    fn nothing_is_counted_of_loosenings_without_limits(Setting { call, standing } in some_setting()) {
        let unlimited = Loosened::from(WordSet::of(ToggleKey::ALL));
        prop_assert_eq!(uses(&call.assessment(), &Standing { loosened: unlimited, ..standing.clone() }), vec![]);
        let counted = uses(&call.assessment(), &standing);
        let is_limited = |key: ToggleKey| {
            let grant = standing.loosened.grant(key);
            let restrictive = grant.is_none() && key == ToggleKey::AutonomousRaiseDailyOpCap;
            restrictive || grant.is_some_and(|grant| grant.daily().is_some() || grant.terms.budget.is_some())
        };
        for one in counted {
            prop_assert!(is_limited(one.key), "{:?}", one);
        }
    }

    #[test]
    fn two_calls_in_one_count_no_less_than_each(
        Setting { call, standing } in some_setting(),
        other in crate::grant_cases::some_call(),
        (key, terms) in some_limited(),
    ) {
        let standing = with(&standing, key, terms);
        let joined = call.and(&other).assessment();
        for key in ToggleKey::ALL.iter().copied() {
            for one in [call.assessment(), other.under(&call).assessment()] {
                let (alone, together) = (count(key, &one, &standing), count(key, &joined, &standing));
                // A mail counts once however many receive it. Which of several mails of one action somebody receives is
                // not known, so where its mailbox is counted, those who receive are not, and this holds only of there
                // being any.
                let least = if key == ToggleKey::EmailAutoSend { alone.min(1) } else { alone };
                prop_assert!(together >= least, "{}: {} alone and {} together", key, alone, together);
            }
        }
    }
}

#[test]
fn the_random_settings_meet_every_toggle_within_its_limits_and_beyond_them() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    /// Settings that are looked at. Fewer leave the rarest pair out.
    const SETTINGS: usize = 2_000;
    let mut runner = TestRunner::deterministic();
    let (mut covered, mut beyond, mut counted) = (Permissive::EMPTY, Permissive::EMPTY, Permissive::EMPTY);
    for _ in 0..SETTINGS {
        let Setting { call, standing } = some_setting().new_tree(&mut runner).unwrap().current();
        let assessment = call.assessment();
        for (key, grant) in ToggleKey::ALL.iter().filter_map(|key| Some((*key, standing.loosened.grant(*key)?))) {
            let objections = gated(key, &assessment, &standing).len() as u64;
            let limited = grant.terms != Terms::default();
            if limited && objections < hits(key, &assessment, &standing) {
                covered = covered.with(key);
            }
            if limited && objections > 0 {
                beyond = beyond.with(key);
            }
            if count(key, &assessment, &standing) > 0 {
                counted = counted.with(key);
            }
        }
    }
    let all = WordSet::of(ToggleKey::ALL);
    assert_eq!((covered, counted), (all, all));
    // What has neither names nor a number is loosened as a whole, so that nothing is beyond it.
    let has_beyond = |key: &ToggleKey| subject(*key).is_some() || *key == ToggleKey::AutonomousRaiseDailyOpCap;
    let limited: Vec<ToggleKey> = ToggleKey::ALL.iter().copied().filter(has_beyond).collect();
    assert_eq!(beyond, WordSet::of(&limited));
}
