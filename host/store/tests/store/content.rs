//! Content that gave orders: remembered by digest, cleared once by a person, never by silence.

use crate::scratch::{DAY_MS, START_MS, Scratch};
use holdpoint_store::content::{Content, Heard, UNCONFIRMED_MAX, digest_of};
use holdpoint_store::{Stream, verify};

fn heard(text: &str, session: &str, at_ms: u64) -> Heard {
    let directive = "do-this".to_owned();
    Heard { digest: digest_of(text), session: session.to_owned(), tool: "WebFetch".to_owned(), directive, at_ms }
}

fn digests(content: &Content, session: Option<&str>, now_ms: u64) -> Vec<String> {
    content.unconfirmed(session, now_ms).unwrap().into_iter().map(|heard| heard.digest).collect()
}

#[test]
fn content_is_remembered_for_its_session_and_one_confirmation_clears_it_everywhere() {
    let scratch = Scratch::new();
    let content = Content::of(&scratch.state);
    assert_eq!(content.unconfirmed(Some("a"), START_MS), Ok(vec![]));
    assert!(!scratch.file(Stream::Content, "").exists(), "looking makes nothing");
    let (one, two) = (heard("one", "a", START_MS), heard("two", "a", START_MS));
    for piece in [&one, &two, &heard("one", "b", START_MS)] {
        content.hear(piece).unwrap();
    }
    assert_eq!(content.unconfirmed(Some("a"), START_MS), Ok(vec![one.clone(), two.clone()]));
    content.confirm(std::slice::from_ref(&one.digest), "cli", START_MS + 1).unwrap();
    assert_eq!(digests(&content, Some("a"), START_MS + 1), [two.digest.as_str()]);
    assert!(digests(&content, Some("b"), START_MS + 1).is_empty());
    assert_eq!(digests(&content, None, START_MS + 1), [two.digest]);
    let text = std::fs::read_to_string(scratch.file(Stream::Content, "2027-01-15.jsonl")).unwrap();
    assert!(!text.contains("\"one\""), "the content itself is not kept");
    assert!(verify(&scratch.state).unwrap().is_intact());
}

#[test]
fn content_is_forgotten_after_seven_days_and_a_broken_stream_is_no_silence() {
    let scratch = Scratch::new();
    let content = Content::of(&scratch.state);
    content.hear(&heard("one", "a", START_MS)).unwrap();
    assert_eq!(digests(&content, Some("a"), START_MS + 7 * DAY_MS).len(), 1);
    assert!(digests(&content, Some("a"), START_MS + 9 * DAY_MS).is_empty());
    let file = scratch.file(Stream::Content, "2027-01-15.jsonl");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replacen("heard", "hears", 1)).unwrap();
    assert!(content.unconfirmed(Some("a"), START_MS).is_err());
    assert!(!verify(&scratch.state).unwrap().is_intact());
}

#[test]
fn more_pieces_than_the_bound_are_as_good_as_the_bound() {
    let scratch = Scratch::new();
    let content = Content::of(&scratch.state);
    for index in 0..=UNCONFIRMED_MAX {
        content.hear(&heard(&index.to_string(), "a", START_MS)).unwrap();
    }
    assert_eq!(digests(&content, Some("a"), START_MS).len(), UNCONFIRMED_MAX);
}
