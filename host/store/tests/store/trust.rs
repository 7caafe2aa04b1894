//! The trust: what was said once stays said, and losing the record of it is no record that says nothing.

use crate::scratch::{DAY_MS, FIRST_FILE, START_MS, Scratch, line};
use holdpoint_core::digest::Digest;
use holdpoint_store::trust::{DELEGATIONS_MAX, PUBLISHERS_MAX};
use holdpoint_store::{
    Day, Decisions, Generation, Revocation, Step, Stream, Trust, TrustChange, TrustState, TrustedDocument,
    TrustedPublisher, verify,
};

fn publisher(name: &str) -> TrustedPublisher {
    TrustedPublisher {
        publisher: name.to_owned(),
        keys: vec!["key".to_owned()],
        names: vec!["acme-*".to_owned()],
        distinct_keys: 1,
        not_before_s: 0,
        expires_s: 2_000_000_000,
    }
}

fn change(scratch: &Scratch, at_ms: u64, steps: Vec<Step>) -> TrustChange {
    Trust::of(&scratch.state).change("ana", at_ms, |_| steps).unwrap()
}

fn done(scratch: &Scratch, steps: Vec<Step>) -> TrustState {
    match change(scratch, START_MS, steps) {
        TrustChange::Done(state) => *state,
        TrustChange::Refused(why) => panic!("refused: {why}"),
    }
}

fn refused(scratch: &Scratch, step: Step) -> &'static str {
    match change(scratch, START_MS, vec![step]) {
        TrustChange::Done(state) => panic!("taken: {state:?}"),
        TrustChange::Refused(why) => why,
    }
}

fn floor(name: &str, release: u64) -> Step {
    Step::Floor { name: name.to_owned(), release }
}

fn activated(number: u64, content: &[u8], floors: &[(&str, u64)]) -> Step {
    let generation = Generation { number, digest: Digest::of_file(content) };
    Step::Activated {
        generation,
        floors: floors.iter().map(|(name, release)| ((*name).to_owned(), *release)).collect(),
    }
}

fn document(authority: &str, version: u64) -> Step {
    let digest = Digest::of_file(authority.as_bytes());
    Step::Document(TrustedDocument {
        authority: authority.to_owned(),
        version,
        digest,
        root_keys: vec!["r".to_owned()],
    })
}

#[test]
fn every_step_is_read_back_as_it_was_written() {
    let scratch = Scratch::new();
    assert_eq!(Trust::of(&scratch.state).state().unwrap().active, None);
    assert!(!scratch.file(Stream::Trust, "").exists(), "looking makes nothing");
    let revocations = [
        Revocation::Publisher("mole".to_owned()),
        Revocation::Key("k".to_owned()),
        Revocation::Component("c".to_owned()),
        Revocation::Release("acme-sql".to_owned(), 7),
    ];
    let mut steps = vec![
        Step::Publisher(publisher("acme")),
        document("a", 1),
        Step::Delegated(Digest::of_file(b"delegation")),
        floor("acme-sql", 1 << 60),
        activated(3, b"three", &[("acme-web", 4)]),
    ];
    steps.extend(revocations.iter().cloned().map(Step::Revoked));
    let state = done(&scratch, steps);
    assert_eq!(state, Trust::of(&scratch.state).state().unwrap());
    assert_eq!(state.publishers["acme"], publisher("acme"));
    assert_eq!(state.document.as_ref().map(|document| document.version), Some(1));
    assert_eq!(state.delegations, [Digest::of_file(b"delegation")]);
    assert_eq!((state.floor("acme-sql"), state.floor("acme-web"), state.floor("other")), (1 << 60, 4, 0));
    assert_eq!(state.active.map(|active| active.number), Some(3));
    assert_eq!(state.next_number(), 4);
    assert!(revocations.iter().all(|revocation| state.revoked.contains(revocation)));
    assert!(verify(&scratch.state).unwrap().is_intact());
}

#[test]
fn a_floor_never_goes_down_whatever_raises_it() {
    let scratch = Scratch::new();
    done(&scratch, vec![activated(1, b"one", &[("acme-sql", 5)])]);
    assert_eq!(refused(&scratch, floor("acme-sql", 4)), "lowers a floor");
    assert_eq!(refused(&scratch, activated(2, b"two", &[("acme-sql", 4)])), "lowers a floor");
    assert_eq!(done(&scratch, vec![floor("acme-sql", 5), floor("acme-sql", 6)]).floor("acme-sql"), 6);
    assert_eq!(done(&scratch, vec![activated(2, b"none is left", &[])]).floor("acme-sql"), 6, "it outlives a removal");
}

#[test]
fn what_was_revoked_does_not_come_back_under_its_name() {
    let scratch = Scratch::new();
    done(&scratch, vec![Step::Revoked(Revocation::Publisher("acme".to_owned()))]);
    assert_eq!(refused(&scratch, Step::Publisher(publisher("acme"))), "is about a publisher that was revoked");
}

#[test]
fn a_document_is_followed_by_a_newer_one_of_its_authority_only() {
    let scratch = Scratch::new();
    done(&scratch, vec![document("a", 2)]);
    assert_eq!(refused(&scratch, document("a", 2)), "is a document that is not newer");
    assert_eq!(refused(&scratch, document("b", 3)), "is a document of another authority");
    done(&scratch, vec![document("a", 3)]);
}

#[test]
fn a_generation_keeps_its_content_and_can_be_in_force_again() {
    let scratch = Scratch::new();
    done(&scratch, vec![activated(1, b"one", &[]), activated(2, b"two", &[])]);
    assert_eq!(refused(&scratch, activated(1, b"other", &[])), "gives a generation another content");
    let state = done(&scratch, vec![activated(1, b"one", &[])]);
    assert_eq!((state.active.map(|active| active.number), state.next_number()), (Some(1), 3));
    done(&scratch, vec![activated(4, b"four", &[])]);
    assert_eq!(refused(&scratch, activated(3, b"three", &[])), "begins a generation with an old number");
}

#[test]
fn if_one_step_may_not_be_none_is_made() {
    let scratch = Scratch::new();
    done(&scratch, vec![floor("acme-sql", 5)]);
    let steps = vec![Step::Publisher(publisher("acme")), floor("acme-sql", 1)];
    assert_eq!(change(&scratch, START_MS, steps), TrustChange::Refused("lowers a floor"));
    assert!(Trust::of(&scratch.state).state().unwrap().publishers.is_empty());
}

#[test]
fn one_publisher_or_delegation_too_many_is_refused() {
    let scratch = Scratch::new();
    let delegation = |index: usize| Step::Delegated(Digest::of_file(&index.to_be_bytes()));
    let named = |index: usize| Step::Publisher(publisher(&format!("p{index}")));
    done(&scratch, (0..PUBLISHERS_MAX).map(named).chain((0..DELEGATIONS_MAX).map(delegation)).collect());
    assert_eq!(refused(&scratch, named(PUBLISHERS_MAX)), "is one publisher too many");
    assert_eq!(refused(&scratch, delegation(DELEGATIONS_MAX)), "is one delegation too many");
    done(&scratch, vec![named(0)]);
}

#[test]
fn a_clock_that_is_set_back_does_not_bring_a_time_back() {
    let scratch = Scratch::new();
    let later_ms = START_MS + 30 * DAY_MS + 5;
    change(&scratch, later_ms, vec![floor("acme-sql", 1)]);
    change(&scratch, START_MS, vec![floor("acme-sql", 2)]);
    assert_eq!(Trust::of(&scratch.state).state().unwrap().passed_ms, later_ms);
}

#[test]
fn the_time_of_a_decision_has_passed_as_well() {
    let scratch = Scratch::new();
    let later_ms = START_MS + 30 * DAY_MS + 5;
    change(&scratch, START_MS, vec![floor("acme-sql", 1)]);
    Decisions::of(&scratch.state).append(&[line("late")], later_ms).unwrap();
    Decisions::of(&scratch.state).append(&[line("the clock was set back")], START_MS).unwrap();
    let passed_ms = Trust::of(&scratch.state).seen().unwrap().unwrap().passed_ms;
    assert_eq!(passed_ms, later_ms / DAY_MS * DAY_MS, "the day of the newest file");
    assert_eq!(Trust::of(&scratch.state).state().unwrap().passed_ms, passed_ms);
}

#[test]
fn the_start_of_a_day_is_the_first_time_that_is_of_it() {
    for days in (0..3_000_000).step_by(37) {
        let day = Day::at(days * DAY_MS);
        if day < Day::LAST {
            assert_eq!(day.start_ms(), days * DAY_MS);
        }
    }
}

#[test]
fn a_trust_that_is_deleted_cut_or_garbled_is_none_that_says_nothing() {
    for damage in ["cut", "garbled", "gone", "meaningless"] {
        let scratch = Scratch::new();
        done(&scratch, vec![Step::Publisher(publisher("acme"))]);
        let file = scratch.file(Stream::Trust, FIRST_FILE);
        let before = std::fs::read(&file).unwrap();
        done(&scratch, vec![Step::Revoked(Revocation::Publisher("acme".to_owned()))]);
        Decisions::of(&scratch.state).append(&[line("a decision")], START_MS).unwrap();
        assert!(Trust::of(&scratch.state).state().is_ok());
        match damage {
            "cut" => std::fs::write(&file, &before).unwrap(),
            "garbled" => std::fs::write(&file, [&before[..], b"{}\n"].concat()).unwrap(),
            "gone" => std::fs::remove_dir_all(scratch.file(Stream::Trust, "")).unwrap(),
            _ => {
                let (text, _) = line("x").seal(holdpoint_core::journal::Head::START);
                std::fs::write(&file, text + "\n").unwrap();
            }
        }
        let trust = Trust::of(&scratch.state);
        assert!(trust.state().is_err(), "{damage}");
        assert!(!matches!(trust.seen(), Ok(Some(_))), "{damage}: the end is taken for the right one");
        assert!(trust.change("ana", START_MS, |_| vec![floor("a", 1)]).is_err(), "{damage}: written on");
        assert!(!verify(&scratch.state).unwrap().is_intact(), "{damage}");
    }
}
