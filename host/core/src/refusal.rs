//! What a refusal says to whoever was refused, and how far an action got: the parts of a report that an agent acts on.

use crate::approval::Consent;
use crate::assess::NodeId;
use crate::authorize::Judged;
use crate::json::Json;
use crate::verdict::{About, Decision, Reason, Remedy};
use crate::words::{Word, words};
use alloc::string::String;

/// Longest name in a journal line, in bytes; the rest is cut and counted.
pub(crate) const NAME_BYTES_MAX: usize = 160;

words! {
    /// How far an action got with its decision. What became of it afterwards is an outcome.
    Stage {
        /// It may happen.
        Dispatched = "dispatched",
        /// It may happen because its principal claims that somebody agreed.
        Attested = "attested",
        /// Somebody is asked.
        Asked = "asked",
        /// It does not happen.
        Refused = "refused",
    }
}

/// What the line of a judged call says.
pub(crate) fn stage(judged: &Judged) -> Stage {
    match (judged.verdict.decision(), &judged.consent) {
        (Decision::Deny, _) => Stage::Refused,
        (Decision::Ask, None) => Stage::Asked,
        (Decision::Ask, Some(Consent::Attested { .. })) => Stage::Attested,
        (Decision::Ask, Some(Consent::Approved(_))) | (Decision::Allow, _) => Stage::Dispatched,
    }
}

pub(crate) fn remedy(judged: &Judged) -> Json {
    judged.verdict.remedy().map_or(Json::Null, |remedy| Json::text(remedy.as_str()))
}

pub(crate) fn challenge(judged: &Judged) -> Json {
    judged.challenge.as_ref().map_or(Json::Null, |waiting| {
        Json::object([
            ("id", Json::text(waiting.id.as_str())),
            ("strength", Json::text(waiting.strength.as_str())),
            ("expires_ms", Json::count(waiting.expires_ms)),
        ])
    })
}

/// The refusal document; `null` unless the call is denied.
pub(crate) fn refusal(judged: &Judged) -> Json {
    let (Some(reason), Some(remedy)) = (judged.verdict.leading(), judged.verdict.remedy()) else {
        return Json::Null;
    };
    let (action, resource) = subject(judged, reason);
    let (retry_after_s, instead) = match &remedy {
        Remedy::Wait { retry_after_s } => (Json::count(u64::from(*retry_after_s)), Json::Null),
        Remedy::ModifyRequest { instead } => (Json::Null, Json::text(instead.as_ref())),
        Remedy::Human | Remedy::Config => (Json::Null, Json::Null),
    };
    Json::object([
        ("decision", Json::text(Decision::Deny.as_str())),
        ("rule", Json::text(reason.rule.as_str())),
        ("principal", Json::text(judged.who.principal.as_str())),
        ("action", Json::text(action)),
        ("resource", Json::text(resource)),
        ("level", Json::text(judged.who.level.as_str())),
        ("remedy", Json::text(remedy.as_str())),
        ("retryable", Json::Bool(remedy.is_retryable())),
        ("retry_after", retry_after_s),
        ("instead", instead),
        ("challenge", challenge(judged)),
        ("detail", Json::text(reason.detail.as_str())),
        ("correlation_id", Json::text(judged.stamp.correlation_id.as_str())),
    ])
}

/// The action and the resource that a reason is about.
pub fn subject(judged: &Judged, reason: &Reason) -> (String, String) {
    let Some(assessment) = &judged.assessment else {
        return ("call".into(), String::new());
    };
    let summary = |node: NodeId| {
        let text = assessment.node(node).map(|node| node.action.summary());
        text.map_or_else(String::new, |text| shortened(&text))
    };
    match reason.about {
        About::Call => (summary(0), String::new()),
        About::Node(node) => (summary(node), String::new()),
        About::Unknown(index) => {
            let node = assessment.unknowns().get(index).map_or(0, |unknown| unknown.node);
            (summary(node), String::new())
        }
        About::Operation(index) => assessment.operations().get(index).map_or_else(Default::default, |assessed| {
            let operation = &assessed.operation;
            let name = operation.target.last().map_or("", |segment| segment.name.as_str());
            (operation.native.clone(), shortened(name))
        }),
    }
}

/// A name cut to a bounded length, with what was cut counted.
pub(crate) fn shortened(text: &str) -> String {
    if text.len() <= NAME_BYTES_MAX {
        return text.into();
    }
    let end = (0..=NAME_BYTES_MAX).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    let kept = text.get(..end).unwrap_or("");
    alloc::format!("{kept}… ({} bytes more)", text.len().saturating_sub(end))
}
