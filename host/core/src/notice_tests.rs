//! Somebody is told of new questions and of claims, and of nothing else.

use super::*;
use crate::approval::{Attestation, Challenge};
use crate::asking::{Channel, Strength};
use crate::authorize::{Stamp, Who, authorize, record};
use crate::digest::Digest;
use crate::journal::Line;
use crate::level::Level;
use crate::ports::{Journal, NotDurable};
use crate::proof::Transport;
use crate::verdict::{About, Decision, Reason, Rule, Verdict};
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

struct Kept(Result<(), NotDurable>);

impl Journal for Kept {
    fn append(&self, _lines: &[Line], _at_ms: u64) -> Result<(), NotDurable> {
        self.0.clone()
    }
}

fn judged(decision: Decision) -> Judged {
    let reason = Reason::new(Rule::Level, decision, About::Call, "because".into());
    let who = Who {
        principal: "p\u{202e}".repeat(400),
        level: Level::Guarded,
        run: "r".into(),
        call: String::new(),
        via: Transport::Hook,
    };
    Judged {
        verdict: Verdict::new(vec![reason], Vec::new()),
        policy: Digest::ZERO,
        ..Judged::refused(Stamp { correlation_id: "c".into(), at_ms: 7 }, who, Rule::Level, String::new())
    }
}

fn asked_at(asked_ms: u64) -> Option<Challenge> {
    Some(Challenge { id: "q".into(), strength: Strength::Keypress, asked_ms, expires_ms: 9 })
}

fn told(judged: Judged, kept: Result<(), NotDurable>) -> Option<Json> {
    notice(&record(authorize(judged, Channel::Nobody), &Kept(kept)))
}

fn stage_of(notice: Option<Json>) -> Option<String> {
    Some(notice?.get("stage")?.as_text()?.into())
}

#[test]
fn a_question_is_told_by_the_call_that_asks_it_first() {
    let asks = |challenge| Judged { challenge, ..judged(Decision::Ask) };
    assert_eq!(stage_of(told(asks(asked_at(7)), Ok(()))).as_deref(), Some("asked"));
    assert_eq!(told(asks(asked_at(6)), Ok(())), None, "it waits already");
    assert_eq!(told(asks(None), Ok(())), None);
    assert_eq!(told(judged(Decision::Deny), Ok(())), None);
}

#[test]
fn a_claim_that_let_something_through_is_told_and_one_that_is_not_on_disk_let_nothing_through() {
    let call = crate::call::ToolCall::new("", "T", Json::object([]), "/w").unwrap();
    let known = crate::assess::Assessment::new(call.action(), None, crate::assess::Route::Direct);
    let claim = Attestation::new("ana agreed").unwrap();
    let attested = || Judged {
        call: Some(call.clone()),
        assessment: Some(known.clone()),
        consent: Some(Consent::Attested { claim: claim.clone(), kept: None }),
        ..judged(Decision::Ask)
    };
    let notice = told(attested(), Ok(())).unwrap();
    assert_eq!(stage_of(Some(notice.clone())).as_deref(), Some("attested"));
    assert_eq!(notice.get("consent").and_then(|consent| consent.get("attestation")), Some(&Json::text("ana agreed")));
    assert!(notice.canonical().len() < 2_048, "every member is bounded");
    let outcome = record(authorize(attested(), Channel::Nobody), &Kept(Err(NotDurable { cause: "no space".into() })));
    assert!(matches!(outcome, Recorded::Denied(_)));
    assert_eq!(super::notice(&outcome), None);
}
