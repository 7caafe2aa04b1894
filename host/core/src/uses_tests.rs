//! What counts, and against which limit.

use super::*;
use crate::action::{Action, ToolAction};
use crate::assess::Route;
use crate::finding::Finding;
use crate::grant::{Cap, Grant, Loosened, Terms};
use crate::json::Json;
use crate::judge::judge;
use crate::level::Level;
use crate::operation::{
    Access, Certainty, Effect, ObligationKind, Operation, Scope, Segment, Span, TargetKind, Trait, Traits, Verb,
};
use crate::paths::AbsPath;
use crate::run::{AUTONOMOUS_OPERATIONS_MAX, Catalogue, Driver, Run};
use crate::scene::Scene;
use crate::verdict::Decision;
use crate::words::WordSet;
use alloc::string::String;
use alloc::vec;

fn reaches(hosts: &[&str]) -> Assessment {
    let operation = |host: &&str| Operation {
        verb: Verb::Connect,
        native: "x".into(),
        target: vec![Segment { kind: TargetKind::Host, name: (*host).into(), certainty: Certainty::Exact }],
        access: Access::Read,
        effect: Effect::None,
        scope: Scope::One,
        traits: Traits::of(&[Trait::Network]),
        origin: Span { part: 0, start: 0, end: 0 },
    };
    call(hosts.iter().map(operation).collect())
}

fn writes(count: usize) -> Assessment {
    let operation = Operation {
        verb: Verb::Update,
        native: "x".into(),
        target: vec![Segment { kind: TargetKind::File, name: "a".into(), certainty: Certainty::Exact }],
        access: Access::Write,
        effect: Effect::Reversible,
        scope: Scope::One,
        traits: Traits::EMPTY,
        origin: Span { part: 0, start: 0, end: 0 },
    };
    call(vec![operation; count])
}

fn call(operations: Vec<Operation>) -> Assessment {
    let tool = ToolAction { server: "s".into(), name: "t".into(), arguments: Json::Object(vec![]) };
    let mut assessment = Assessment::new(Action::Tool(tool), AbsPath::parse("/w"), Route::Direct);
    assessment.admit(0, Finding { operations, ..Finding::default() });
    assessment
}

fn standing(loosened: Loosened, run: Run) -> Standing {
    let path = |text| AbsPath::parse(text).unwrap();
    Standing {
        level: Level::Unrestricted,
        loosened,
        declared: Vec::new(),
        denied: crate::toggle::Permissive::EMPTY,
        honours: WordSet::of(ObligationKind::ALL),
        rungs: Vec::new(),
        posture: crate::posture::Posture::FREE,
        advice: Vec::new(),
        scene: Scene { cwd: Some(path("/w")), workspace: vec![path("/w")], home: None, protected: vec![] },
        run,
        proof: crate::proof::Proof::of_host(),
    }
}

fn outbound(terms: Terms) -> Standing {
    let grant = Grant { terms, since_ms: 7, ..Grant::default() };
    standing(Loosened::NONE.with(ToggleKey::NetAllowOutbound, grant), Run::default())
}

fn only(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).into()).collect()
}

#[test]
fn what_no_limit_counts_is_no_use() {
    assert_eq!(uses(&reaches(&["a"]), &outbound(Terms::default())), vec![]);
    assert_eq!(uses(&reaches(&["a"]), &standing(Loosened::NONE, Run::default())), vec![]);
    let budget = Terms { budget: Some(3), ..Terms::default() };
    assert_eq!(uses(&writes(2), &outbound(budget)), vec![], "the toggle gates nothing of it");
}

#[test]
fn each_operation_that_a_toggle_would_have_stopped_is_a_use() {
    let terms = Terms { cap: Some(Cap::Daily(9)), budget: Some(3), ..Terms::default() };
    let budget = Some(Budget { uses: 3, since_ms: 7 });
    let expected = Use { key: ToggleKey::NetAllowOutbound, count: 2, daily: Some(9), budget };
    assert_eq!(uses(&reaches(&["a", "b"]), &outbound(terms)), vec![expected]);
}

#[test]
fn a_grant_by_name_covers_these_names_and_nothing_else() {
    let standing = outbound(Terms { only: only(&["docs.example"]), budget: Some(3), ..Terms::default() });
    let decide = |assessment: &Assessment| judge(assessment, &standing).decision();
    assert_eq!(decide(&reaches(&["DOCS.example"])), Decision::Allow);
    for hosts in [&["evil.example"][..], &["docs.example", "evil.example"], &["docs.example.evil"], &["docs.exampl?"]] {
        assert_eq!(decide(&reaches(hosts)), Decision::Ask, "{hosts:?}");
    }
    let mut dynamic = reaches(&["docs.example"]).operations().first().unwrap().operation.clone();
    dynamic.target[0].certainty = Certainty::Dynamic;
    assert_eq!(decide(&call(vec![dynamic.clone()])), Decision::Ask);
    dynamic.target.clear();
    assert_eq!(decide(&call(vec![dynamic])), Decision::Ask, "it names nobody");
    assert_eq!(uses(&reaches(&["docs.example", "evil.example"]), &standing)[0].count, 1);
}

#[test]
fn a_grant_by_place_covers_what_lies_below_it() {
    let grant = |names: &[&str]| {
        let terms = Terms { only: only(names), ..Terms::default() };
        standing(
            Loosened::NONE
                .with(ToggleKey::ShellAllowOutsideWorkspace, Grant { terms, since_ms: 0, ..Grant::default() }),
            Run::default(),
        )
    };
    let mut outside = writes(1).operations().first().unwrap().operation.clone();
    outside.target[0].name = "/srv/out/file".into();
    let decide = |names: &[&str]| judge(&call(vec![outside.clone()]), &grant(names)).decision();
    assert_eq!(decide(&["/srv/out"]), Decision::Allow);
    assert_eq!(decide(&["/elsewhere", "/srv/out/file"]), Decision::Allow);
    assert_eq!(decide(&["/srv/ou"]), Decision::Ask);
    assert_eq!(decide(&["/srv/out/file/x"]), Decision::Ask);
}

#[test]
fn a_grant_by_tool_covers_this_tool_of_this_server() {
    let grant = |name: &str| {
        let terms = Terms { only: only(&[name]), ..Terms::default() };
        let loosened =
            Loosened::NONE.with(ToggleKey::ToolsBypassCatalogGate, Grant { terms, since_ms: 0, ..Grant::default() });
        standing(loosened, Run { catalogue: Some(Catalogue::default()), ..Run::default() })
    };
    let decide = |name: &str| judge(&writes(1), &grant(name)).decision();
    assert_eq!(decide("s/t"), Decision::Allow);
    for name in ["s/other", "/t", "other/t", "s/t/u"] {
        assert_eq!(decide(name), Decision::Deny, "{name}");
    }
    let mut edits = writes(1).operations().first().unwrap().operation.clone();
    edits.target[0].kind = TargetKind::ToolSchema;
    assert_eq!(judge(&call(vec![edits]), &grant("s/t")).decision(), Decision::Deny, "what it makes of other tools");
}

#[test]
fn a_mail_is_one_use_to_however_many_people_it_goes() {
    let sends = |kind, name: &str| {
        let mut operation = writes(1).operations().first().unwrap().operation.clone();
        operation.verb = Verb::Send;
        operation.target[0] = Segment { kind, name: name.into(), certainty: Certainty::Exact };
        operation
    };
    let terms = Terms { cap: Some(Cap::Daily(9)), ..Terms::default() };
    let standing = standing(
        Loosened::NONE.with(ToggleKey::EmailAutoSend, Grant { terms, since_ms: 0, ..Grant::default() }),
        Run::default(),
    );
    let people = || [sends(TargetKind::Recipient, "a@x"), sends(TargetKind::Recipient, "b@x")].to_vec();
    let counted = |operations| uses(&call(operations), &standing)[0].count;
    assert_eq!(counted([vec![sends(TargetKind::Mailbox, "me")], people()].concat()), 1);
    assert_eq!(counted(people()), 2, "without a mailbox nobody can tell how many mails it is");
}

#[test]
fn operations_of_a_run_without_a_person_always_count() {
    let alone = || Run { driver: Driver::Autonomous, ..Run::default() };
    let of = |loosened| uses(&writes(2), &standing(loosened, alone()));
    let key = ToggleKey::AutonomousRaiseDailyOpCap;
    let daily = Some(AUTONOMOUS_OPERATIONS_MAX);
    assert_eq!(of(Loosened::NONE), vec![Use { key, count: 2, daily, budget: None }]);
    let raised =
        Grant { terms: Terms { cap: Some(Cap::Daily(1_000)), ..Terms::default() }, since_ms: 0, ..Grant::default() };
    let loosened = || Loosened::NONE.with(key, raised.clone());
    assert_eq!(of(loosened()), vec![Use { key, count: 2, daily: Some(1_000), budget: None }]);
    assert_eq!(uses(&writes(2), &standing(Loosened::NONE, Run::default())), vec![], "a person drives it");
    let told = |operations_today| Run { operations_today, ..alone() };
    let decide = |operations_today| judge(&writes(2), &standing(loosened(), told(operations_today))).decision();
    assert_eq!(decide(998), Decision::Allow);
    assert_eq!(decide(999), Decision::Deny, "raised is not unlimited");
}

#[test]
fn a_call_asks_about_every_old_loosening_that_it_rests_on_and_about_no_other() {
    let old = |key| Loosened::NONE.with(key, Grant::default());
    let asked = |loosened, run, call: &Assessment, now_ms| still_needed(call, &standing(loosened, run), now_ms);
    let net = ToggleKey::NetAllowOutbound;
    let reaches = reaches(&["a.example"]);
    assert_eq!(asked(old(net), Run::default(), &reaches, REVIEW_MS + 1), [net]);
    assert_eq!(asked(old(net), Run::default(), &reaches, REVIEW_MS), [], "it is not old yet");
    assert_eq!(asked(old(net), Run::default(), &writes(1), REVIEW_MS + 1), [], "the toggle has nothing to say to it");
    assert_eq!(asked(Loosened::NONE, Run::default(), &reaches, REVIEW_MS + 1), []);
    let key = ToggleKey::AutonomousRaiseDailyOpCap;
    let told = |operations_today| Run { driver: Driver::Autonomous, operations_today, ..Run::default() };
    let raised = || {
        let terms = Terms { cap: Some(Cap::Daily(1_000)), ..Terms::default() };
        Loosened::NONE.with(key, Grant { terms, ..Grant::default() })
    };
    assert_eq!(asked(raised(), told(AUTONOMOUS_OPERATIONS_MAX), &writes(1), REVIEW_MS + 1), [key]);
    assert_eq!(asked(raised(), told(0), &writes(1), REVIEW_MS + 1), [], "the usual number is enough for it");
}

#[test]
fn a_day_brings_back_what_it_limits_and_nothing_else() {
    let key = ToggleKey::NetAllowOutbound;
    let wanted = |count, daily, budget| Use { key, count, daily, budget };
    let only = Permissive::of(&[key]);
    let comes_back = |wanted| renewed(Shortage::UsedUp(only), &[wanted]) == only;
    assert!(comes_back(wanted(2, Some(2), None)));
    assert!(!comes_back(wanted(3, Some(2), None)), "a day is too short for it");
    assert!(!comes_back(wanted(1, None, Some(Budget { uses: 1, since_ms: 0 }))));
    assert!(!comes_back(wanted(1, Some(2), Some(Budget { uses: 1, since_ms: 0 }))));
    assert_eq!(renewed(Shortage::NotCounted(only), &[wanted(1, Some(2), None)]), Permissive::EMPTY);
}

#[test]
fn the_next_day_is_never_now() {
    let day_ms = 86_400_000;
    for (now_ms, left_s) in [(0, 86_400), (1, 86_400), (1_000, 86_399), (day_ms - 1, 1), (day_ms, 86_400)] {
        assert_eq!(until_next_day_s(now_ms), left_s, "{now_ms}");
    }
    assert!(until_next_day_s(u64::MAX) >= 1);
}
