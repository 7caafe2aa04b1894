//! The operator's password: kept as a hash, and not to be guessed.

use crate::scratch::{START_MS, Scratch};
use holdpoint_store::operator::{
    Attempt, FREE_ATTEMPTS, PASSWORD_BYTES_MAX, PASSWORD_CHARACTERS_MIN, SetError, WAIT_MS_MAX, check_password, is_set,
    set_password,
};
use std::os::unix::fs::PermissionsExt;

const RIGHT: &str = "correct horse battery";

fn check(scratch: &Scratch, password: &str, now_ms: u64) -> Attempt {
    check_password(&scratch.state, password, now_ms).unwrap()
}

#[test]
fn a_password_is_kept_as_an_argon2id_hash_in_a_private_file() {
    let scratch = Scratch::new();
    assert_eq!(check(&scratch, RIGHT, START_MS), Attempt::NotSet);
    assert!(!is_set(&scratch.state).unwrap());
    set_password(&scratch.state, RIGHT).unwrap();
    assert!(is_set(&scratch.state).unwrap());
    assert_eq!(check(&scratch, RIGHT, START_MS), Attempt::Right);
    assert_eq!(check(&scratch, "correct horse batterY", START_MS), Attempt::Wrong);
    let path = scratch.state.path().join("operator/password");
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("$argon2id$") && !text.contains(RIGHT), "{text}");
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o600);
    set_password(&scratch.state, RIGHT).unwrap();
    assert_ne!(std::fs::read_to_string(&path).unwrap(), text, "the salt is fresh");
}

#[test]
fn wrong_attempts_make_the_next_one_wait_longer_and_longer() {
    let scratch = Scratch::new();
    set_password(&scratch.state, RIGHT).unwrap();
    for _ in 0..FREE_ATTEMPTS {
        assert_eq!(check(&scratch, "wrong wrong", START_MS), Attempt::Wrong);
    }
    assert_eq!(check(&scratch, RIGHT, START_MS), Attempt::TooSoon { wait_ms: 1_000 });
    assert_eq!(check(&scratch, RIGHT, START_MS - 60_000), Attempt::TooSoon { wait_ms: 1_000 }, "the clock went back");
    assert_eq!(check(&scratch, "wrong wrong", START_MS + 1_000), Attempt::Wrong);
    assert_eq!(check(&scratch, RIGHT, START_MS + 1_000), Attempt::TooSoon { wait_ms: 2_000 });
    assert_eq!(check(&scratch, RIGHT, START_MS + 3_000), Attempt::Right);
    assert_eq!(check(&scratch, "wrong wrong", START_MS + 3_000), Attempt::Wrong, "a right one clears the count");
    std::fs::write(scratch.state.path().join("operator/attempts"), r#"{"attempts":4000000000,"last_ms":0}"#).unwrap();
    assert_eq!(check(&scratch, RIGHT, 0), Attempt::TooSoon { wait_ms: WAIT_MS_MAX });
}

#[test]
fn a_count_that_cannot_be_read_is_an_error_and_no_free_attempt() {
    let scratch = Scratch::new();
    set_password(&scratch.state, RIGHT).unwrap();
    std::fs::write(scratch.state.path().join("operator/attempts"), "{").unwrap();
    assert!(check_password(&scratch.state, RIGHT, START_MS).is_err());
    std::fs::write(scratch.state.path().join("operator/password"), "not a hash").unwrap();
    std::fs::remove_file(scratch.state.path().join("operator/attempts")).unwrap();
    assert!(check_password(&scratch.state, RIGHT, START_MS).is_err());
}

#[test]
fn a_password_just_outside_its_bounds_is_refused() {
    let scratch = Scratch::new();
    let set = |password: String| set_password(&scratch.state, &password);
    assert!(matches!(set("x".repeat(PASSWORD_CHARACTERS_MIN - 1)), Err(SetError::TooShort)));
    assert!(matches!(set("x".repeat(PASSWORD_BYTES_MAX + 1)), Err(SetError::TooLong)));
    assert!(!is_set(&scratch.state).unwrap());
    set("x".repeat(PASSWORD_BYTES_MAX)).unwrap();
}
