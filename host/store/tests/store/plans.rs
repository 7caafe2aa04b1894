//! Plans: one yes for a list, given out step by step in its order.

use crate::asking::asking;
use crate::scratch::{START_MS, Scratch};
use holdpoint_core::approval::{Consent, Via};
use holdpoint_core::asking::Strength;
use holdpoint_core::authorize::Judged;
use holdpoint_core::plan::Plan;
use holdpoint_core::ports::Approvals as _;
use holdpoint_store::question::ACTION_BYTES_MAX;
use holdpoint_store::{Answered, Answerer, Approvals, Says, Stream, verify};

fn steps(commands: &[&str]) -> Vec<Judged> {
    commands.iter().map(|command| asking(command, "run-1", Strength::Keypress, START_MS).1).collect()
}

fn open(scratch: &Scratch, commands: &[&str]) -> Option<String> {
    let steps = steps(commands);
    Approvals::of(&scratch.state).open_plan(&Plan::of(&steps).unwrap(), &steps).map(|challenge| challenge.id)
}

fn allow(scratch: &Scratch, id: &str) {
    let who = Answerer { by: "ana".to_owned(), via: Via::Terminal, strength: Strength::Keypress };
    let answered = Approvals::of(&scratch.state).answer(id, &Says::Allow, &who, START_MS + 1);
    assert!(matches!(answered, Ok(Answered::Kept(_))), "{answered:?}");
}

/// Which step of a plan the yes is for that this call gets.
fn redeem(scratch: &Scratch, command: &str, run: &str) -> Option<Option<u32>> {
    let (binding, _) = asking(command, run, Strength::Keypress, START_MS);
    match Approvals::of(&scratch.state).redeem(&binding, "c-9", START_MS + 2)? {
        Consent::Approved(redeemed) => Some(redeemed.step),
        Consent::Attested { .. } => None,
    }
}

fn word(scratch: &Scratch) -> &'static str {
    Approvals::of(&scratch.state).list(START_MS + 2).unwrap()[0].word(START_MS + 2)
}

#[test]
fn each_step_is_let_through_once_in_its_order() {
    let scratch = Scratch::new();
    let id = open(&scratch, &["a", "b", "a"]).unwrap();
    assert_eq!(open(&scratch, &["a", "b", "a"]), Some(id.clone()), "it is not asked twice");
    assert_eq!(redeem(&scratch, "a", "run-1"), None, "nobody has answered");
    allow(&scratch, &id);
    assert_eq!(redeem(&scratch, "b", "run-1"), None, "its turn has not come");
    assert_eq!(redeem(&scratch, "a", "run-2"), None, "another run has no part in it");
    assert_eq!(redeem(&scratch, "a", "run-1"), Some(Some(1)));
    assert_eq!(redeem(&scratch, "a", "run-1"), None, "the third is not the second");
    assert_eq!(word(&scratch), "allowed");
    assert_eq!(redeem(&scratch, "b", "run-1"), Some(Some(2)));
    assert_eq!(redeem(&scratch, "a", "run-1"), Some(Some(3)));
    assert_eq!(word(&scratch), "redeemed");
    assert_eq!(redeem(&scratch, "a", "run-1"), None);
    assert!(verify(&scratch.state).unwrap().is_intact());
}

#[test]
fn what_is_withdrawn_between_steps_stops_the_rest() {
    let scratch = Scratch::new();
    let id = open(&scratch, &["a", "b"]).unwrap();
    allow(&scratch, &id);
    assert_eq!(redeem(&scratch, "a", "run-1"), Some(Some(1)));
    let withdrawn = Approvals::of(&scratch.state).withdraw(None, "freeze", START_MS + 2).unwrap();
    assert_eq!(withdrawn, [id]);
    assert_eq!(redeem(&scratch, "b", "run-1"), None);
}

#[test]
fn of_many_that_want_the_same_step_at_once_one_gets_it() {
    let scratch = Scratch::new();
    let id = open(&scratch, &["a", "b"]).unwrap();
    allow(&scratch, &id);
    let got = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(|| redeem(&scratch, "a", "run-1"))).collect();
        threads.into_iter().filter_map(|thread| thread.join().unwrap()).count()
    });
    assert_eq!(got, 1);
}

#[test]
fn a_claim_answers_no_plan() {
    let scratch = Scratch::new();
    open(&scratch, &["a", "b"]).unwrap();
    let kept = &Approvals::of(&scratch.state).list(START_MS + 1).unwrap()[0];
    assert!(!kept.is_claimable);
    assert_eq!(
        kept.steps.iter().map(|step| step.action.as_str()).collect::<Vec<_>>(),
        [r#"{"command":"a"}"#, r#"{"command":"b"}"#]
    );
}

#[test]
fn a_plan_that_is_too_long_to_be_read_is_not_asked() {
    let scratch = Scratch::new();
    let own = r#"{"command":""}"#.len();
    let half = "x".repeat(ACTION_BYTES_MAX / 2 - own);
    let more = format!("{half}x");
    assert!(open(&scratch, &[&half, &more]).is_none(), "one byte too many");
    assert!(
        !scratch.file(Stream::Approvals, "").exists()
            || Approvals::of(&scratch.state).list(START_MS).unwrap().is_empty()
    );
    assert!(open(&scratch, &[&half, &half]).is_some());
}

#[test]
fn steps_that_are_not_those_of_the_plan_are_not_shown_as_it() {
    let scratch = Scratch::new();
    let plan = Plan::of(&steps(&["a", "b"])).unwrap();
    assert!(Approvals::of(&scratch.state).open_plan(&plan, &steps(&["a", "c"])).is_none());
}
