//! Freezes: one for all processes, ended by a person or with its owner, and never by losing the record.

use crate::scratch::{DAY_MS, START_MS, Scratch};
use holdpoint_core::journal::Line;
use holdpoint_core::json::Json;
use holdpoint_core::posture::Freeze;
use holdpoint_store::{Decisions, Frozen, Holds, Owner, Stream, verify};

fn frozen(owner: Option<Owner>) -> Frozen {
    let freeze = Freeze { by: "ana".to_owned(), why: "incident 7".to_owned(), since_ms: START_MS };
    Frozen { freeze, owner }
}

fn in_force(scratch: &Scratch, now_ms: u64) -> Option<Frozen> {
    Holds::of(&scratch.state).frozen(|_| true, now_ms)
}

#[test]
fn a_freeze_holds_without_end_until_somebody_ends_it() {
    let scratch = Scratch::new();
    assert_eq!(in_force(&scratch, START_MS), None);
    assert!(!scratch.file(Stream::Holds, "").exists(), "looking makes nothing");
    Holds::of(&scratch.state).freeze(&frozen(None), START_MS).unwrap();
    for now_ms in [START_MS, START_MS + DAY_MS, START_MS + 1_000 * DAY_MS] {
        assert_eq!(in_force(&scratch, now_ms), Some(frozen(None)));
    }
    Holds::of(&scratch.state).thaw("ana", "over", START_MS + DAY_MS).unwrap();
    assert_eq!(in_force(&scratch, START_MS + DAY_MS), None);
    assert!(verify(&scratch.state).unwrap().is_intact());
}

#[test]
fn a_freeze_that_belongs_to_a_process_ends_with_it() {
    let scratch = Scratch::new();
    let owner = Owner { pid: 7, started: 99, surroundings: "here".to_owned() };
    let owned = frozen(Some(owner.clone()));
    Holds::of(&scratch.state).freeze(&owned, START_MS).unwrap();
    let holds = Holds::of(&scratch.state);
    assert_eq!(holds.frozen(|one| *one == owner, START_MS), Some(owned));
    assert_eq!(holds.frozen(|_| false, START_MS), None);
}

#[test]
fn losing_the_record_of_a_freeze_is_a_freeze() {
    for damage in ["cut", "garbled", "gone"] {
        let scratch = Scratch::new();
        Holds::of(&scratch.state).thaw("ana", "nothing is wrong", START_MS).unwrap();
        let file = scratch.file(Stream::Holds, "2027-01-15.jsonl");
        let before = std::fs::read(&file).unwrap();
        Holds::of(&scratch.state).freeze(&frozen(None), START_MS + 1).unwrap();
        let line = Line::new(Json::object([("kind", Json::text("decision"))])).unwrap();
        Decisions::of(&scratch.state).append(&[line], START_MS + 2).unwrap();
        match damage {
            "cut" => std::fs::write(&file, &before).unwrap(),
            "garbled" => std::fs::write(&file, [&before[..], b"{}\n"].concat()).unwrap(),
            _ => std::fs::remove_dir_all(scratch.file(Stream::Holds, "")).unwrap(),
        }
        let kept = in_force(&scratch, START_MS + 3).unwrap_or_else(|| panic!("{damage}: thawed"));
        assert_eq!(kept.freeze.by, "holdpoint", "{damage}");
        assert!(kept.freeze.why.contains("cannot be read"), "{damage}: {}", kept.freeze.why);
    }
}
