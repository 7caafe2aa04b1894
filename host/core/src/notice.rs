//! What somebody outside is told of: that a question waits, or that a claim was taken for an answer.

use crate::approval::Consent;
use crate::authorize::{Judged, Recorded};
use crate::json::Json;
use crate::refusal::{Stage, challenge, shortened, stage, subject};
use crate::report::timestamp;
use crate::words::Word;

/// Version of the document.
const SCHEMA: u64 = 1;

/// What there is to tell of an outcome that is on disk; `None` for nothing. Every member is bounded.
pub fn notice(recorded: &Recorded) -> Option<Json> {
    let judged = recorded.judged();
    let word = match recorded {
        Recorded::Committed(_) if stage(judged) == Stage::Attested => Stage::Attested,
        Recorded::Committed(_) => return None,
        Recorded::Pending(_) | Recorded::Denied(_) if is_new(judged) => Stage::Asked,
        Recorded::Pending(_) | Recorded::Denied(_) => return None,
    };
    Some(document(judged, word))
}

/// Whether this call is the one that asked the question.
fn is_new(judged: &Judged) -> bool {
    judged.challenge.as_ref().is_some_and(|challenge| challenge.asked_ms == judged.stamp.at_ms)
}

fn document(judged: &Judged, word: Stage) -> Json {
    let leading = judged.verdict.leading();
    let (action, resource) = leading.map(|reason| subject(judged, reason)).unwrap_or_default();
    let text = |text: &str| Json::text(shortened(text));
    let consent = judged.consent.as_ref().map_or(Json::Null, Consent::document);
    Json::object([
        ("schema", Json::count(SCHEMA)),
        ("ts", timestamp(judged.stamp.at_ms)),
        ("stage", Json::text(word.as_str())),
        ("principal", text(&judged.who.principal)),
        ("run", text(&judged.who.run)),
        ("level", Json::text(judged.who.level.as_str())),
        ("rule", leading.map_or(Json::Null, |reason| Json::text(reason.rule.as_str()))),
        ("action", text(&action)),
        ("resource", text(&resource)),
        ("consent", consent),
        ("question", challenge(judged)),
        ("correlation_id", text(&judged.stamp.correlation_id)),
    ])
}

#[cfg(test)]
#[path = "notice_tests.rs"]
mod tests;
