//! What is kept of the transitions for cold processes: used only where it holds, and as none wherever it does not.

use crate::scratch::{DAY_MS, FIRST_FILE, START_MS, Scratch, line};
use crate::transitions::denied;
use holdpoint_core::bound::Layer;
use holdpoint_core::grant::Terms;
use holdpoint_core::registry::{Registry, own_registry};
use holdpoint_core::transition::{Loosening, Password, Typing};
use holdpoint_store::kept::{KEPT_BACK_MS, KEPT_BYTES_MAX, KEPT_FROM_LINES};
use holdpoint_store::{By, Change, Decisions, Stream, ToggleStates, Transition, Transitions, verify};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

const KEY: &str = "code.auto_push";
const NET: &str = "net.allow_outbound";

fn registry() -> Registry {
    own_registry().unwrap()
}

fn change(scratch: &Scratch, key: &str, change: &Change, now_ms: u64) {
    let registry = registry();
    let toggle = registry.get(key).unwrap();
    Transitions::of(&scratch.state).change(&registry, toggle, change, &By::default(), now_ms).unwrap();
}

fn loosen(scratch: &Scratch, key: &str, now_ms: u64) {
    let phrase = registry().get(key).unwrap().declaration().phrase.to_string();
    let terms = Terms::default();
    let asked = Loosening { phrase, typing: Typing::Typed, password: Password::Right, terms };
    change(scratch, key, &Change::Loosen(asked), now_ms);
}

/// Denied lines, so many that something is kept.
fn fill(scratch: &Scratch, count: u64) {
    let lines: Vec<Transition> = (0..count).map(|_| denied("d")).collect();
    Transitions::of(&scratch.state).append(&lines, START_MS).unwrap();
}

/// A long chain with a toggle that is loosened and one that a team keeps closed.
fn long() -> Scratch {
    let scratch = Scratch::new();
    fill(&scratch, KEPT_FROM_LINES);
    loosen(&scratch, KEY, START_MS);
    loosen(&scratch, NET, START_MS);
    change(&scratch, NET, &Change::Bound { layer: Layer::Team, terms: Terms::default() }, START_MS);
    scratch
}

fn states(scratch: &Scratch, now_ms: u64) -> ToggleStates {
    Transitions::of(&scratch.state).toggles(&registry(), now_ms)
}

fn walked(scratch: &Scratch, now_ms: u64) -> ToggleStates {
    Transitions::of(&scratch.state).toggles_of_chain(&registry(), now_ms)
}

fn kept(scratch: &Scratch) -> PathBuf {
    scratch.file(Stream::Transitions, "kept")
}

/// Makes a byte of the first line wrong, which only a walk along the chain can see.
fn damage_the_first_line(scratch: &Scratch) {
    let path = scratch.file(Stream::Transitions, FIRST_FILE);
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(path, text.replacen("denied", "dEnied", 1)).unwrap();
}

#[test]
fn a_cold_process_reads_what_is_kept_and_finds_the_same_as_a_walk() {
    let scratch = long();
    let before = states(&scratch, START_MS);
    assert_eq!(before.permissive_keys(), [KEY]);
    assert_eq!(std::fs::metadata(kept(&scratch)).unwrap().permissions().mode() & 0o7777, 0o600);
    assert!(verify(&scratch.state).unwrap().is_intact(), "it is no part of the stream");
    for now_ms in [START_MS - KEPT_BACK_MS, START_MS, START_MS + 6 * DAY_MS, START_MS + 8 * DAY_MS] {
        assert_eq!(states(&scratch, now_ms), walked(&scratch, now_ms), "{now_ms}");
    }
    damage_the_first_line(&scratch);
    assert_eq!(states(&scratch, START_MS), before, "it was not walked along");
    assert!(walked(&scratch, START_MS).problem.is_some());
    let transitions = Transitions::of(&scratch.state);
    let registry = registry();
    let by = By::default();
    let lift =
        Loosening { phrase: String::new(), typing: Typing::Typed, password: Password::Right, terms: Terms::default() };
    let loosened = transitions.change(&registry, registry.get(KEY).unwrap(), &Change::Loosen(lift), &by, START_MS);
    assert!(loosened.is_err(), "a change walks the chain");
}

#[test]
fn a_chain_just_under_the_bound_is_walked_every_time() {
    let scratch = Scratch::new();
    fill(&scratch, KEPT_FROM_LINES - 1);
    states(&scratch, START_MS);
    assert!(!kept(&scratch).exists());
    fill(&scratch, 1);
    states(&scratch, START_MS);
    assert!(kept(&scratch).exists());
}

#[test]
fn what_is_kept_of_another_head_or_for_a_later_time_is_written_anew() {
    let scratch = long();
    states(&scratch, START_MS);
    let first = std::fs::read(kept(&scratch)).unwrap();
    change(&scratch, KEY, &Change::Tighten, START_MS + 1);
    assert_eq!(states(&scratch, START_MS + 1).permissive_keys(), [""; 0]);
    let second = std::fs::read(kept(&scratch)).unwrap();
    assert_ne!(first, second);
    std::fs::write(kept(&scratch), &first).unwrap();
    assert_eq!(states(&scratch, START_MS + 1).permissive_keys(), [""; 0], "a file of an earlier head is put back");
    assert_eq!(std::fs::read(kept(&scratch)).unwrap(), second);
    states(&scratch, START_MS - KEPT_BACK_MS);
    assert_ne!(std::fs::read(kept(&scratch)).unwrap(), second, "a clock went back further than the file reaches");
}

#[test]
fn a_change_of_any_byte_of_what_is_kept_changes_nothing() {
    let scratch = long();
    let before = states(&scratch, START_MS);
    let bytes = std::fs::read(kept(&scratch)).unwrap();
    for index in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[index] ^= 1;
        std::fs::write(kept(&scratch), &changed).unwrap();
        assert_eq!(states(&scratch, START_MS), before, "byte {index}");
        assert_eq!(std::fs::read(kept(&scratch)).unwrap(), bytes, "byte {index}: it is written anew");
    }
    for cut in [0, 1, 64, 65, bytes.len() / 2] {
        std::fs::write(kept(&scratch), &bytes[..cut]).unwrap();
        assert_eq!(states(&scratch, START_MS), before, "{cut} bytes");
    }
    std::fs::write(kept(&scratch), vec![b'x'; usize::try_from(KEPT_BYTES_MAX).unwrap() + 1]).unwrap();
    assert_eq!(states(&scratch, START_MS), before, "just over its bound");
}

#[test]
fn what_another_state_folder_kept_is_as_none() {
    let (scratch, other) = (long(), Scratch::new());
    states(&scratch, START_MS);
    let folder = other.state.path().join("audit/transitions");
    std::fs::create_dir_all(&folder).unwrap();
    for name in [FIRST_FILE, "lock", "kept"] {
        let from = scratch.file(Stream::Transitions, name);
        std::fs::copy(&from, folder.join(name)).unwrap();
    }
    damage_the_first_line(&other);
    assert!(states(&other, START_MS).problem.is_some(), "it was made with another key, so the chain is walked");
}

#[test]
fn where_nothing_can_be_kept_the_chain_is_walked() {
    let scratch = long();
    let before = walked(&scratch, START_MS);
    std::fs::create_dir(scratch.file(Stream::Transitions, "kept.new")).unwrap();
    assert_eq!(states(&scratch, START_MS), before);
    std::fs::create_dir(kept(&scratch)).unwrap();
    assert_eq!(states(&scratch, START_MS), before);
    std::fs::remove_dir(kept(&scratch)).unwrap();
    std::os::unix::fs::symlink("/dev/zero", kept(&scratch)).unwrap();
    assert_eq!(states(&scratch, START_MS), before);
}

#[test]
fn decisions_that_name_a_head_which_is_not_near_the_end_are_answered_by_a_walk() {
    let scratch = long();
    let before = states(&scratch, START_MS);
    Decisions::of(&scratch.state).append(&[line("x")], START_MS).unwrap();
    assert_eq!(states(&scratch, START_MS), before, "it names the head that is kept");
    let path = scratch.file(Stream::Transitions, FIRST_FILE);
    let whole = std::fs::read_to_string(&path).unwrap();
    let cut: String = whole.split_inclusive('\n').take(whole.lines().count() - 1).collect();
    std::fs::write(&path, &cut).unwrap();
    assert!(states(&scratch, START_MS).problem.is_some(), "what the decisions name was cut off");
    std::fs::write(&path, whole).unwrap();
    assert_eq!(states(&scratch, START_MS), before, "it is back");
}

#[test]
fn a_file_that_is_made_for_what_was_cut_off_does_not_hide_that_it_was() {
    let scratch = long();
    states(&scratch, START_MS);
    let earlier = std::fs::read(kept(&scratch)).unwrap();
    let path = scratch.file(Stream::Transitions, FIRST_FILE);
    let before = std::fs::read(&path).unwrap();
    change(&scratch, KEY, &Change::Tighten, START_MS + 1);
    Decisions::of(&scratch.state).append(&[line("x")], START_MS + 2).unwrap();
    std::fs::write(&path, before).unwrap();
    std::fs::write(kept(&scratch), earlier).unwrap();
    assert!(states(&scratch, START_MS + 3).problem.is_some(), "the decisions name the tightening");
}
