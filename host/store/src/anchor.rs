//! Anchors: each transition names the head of the decisions at that time, so that decisions cannot be cut off unseen.
//!
//! Must never be taken from a line that was not verified.

use holdpoint_core::digest::Digest;
use holdpoint_core::journal::Head;
use holdpoint_core::json::Json;
use serde_json::Value;

const MEMBER: &str = "anchor";

/// The members of a transition, with the head of the decisions.
pub(crate) fn with(members: Vec<(String, Json)>, head: Head) -> Json {
    let anchor = Json::object([("seq", Json::count(head.seq)), ("hash", Json::text(head.hash.hex()))]);
    let anchor = (MEMBER.to_owned(), anchor);
    Json::Object(members.into_iter().chain([anchor]).collect())
}

/// The anchor of a transition's line.
pub fn of_line(line: &Value) -> Option<Head> {
    let anchor = line.get(MEMBER)?;
    let seq = match anchor.get("seq")? {
        Value::Number(number) => number.as_u64()?,
        // A count past 2^53 is written as text.
        Value::String(text) => text.parse().ok()?,
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => return None,
    };
    let hash = Digest::from_hex(anchor.get("hash")?.as_str()?)?;
    Some(Head { seq, hash })
}
