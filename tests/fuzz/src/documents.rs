//! Documents: calls, events of agent hosts, manifests, signatures. What is taken reads back as the same.

use crate::text;
use holdpoint_core::call::ToolCall;
use holdpoint_core::json::Json;
use holdpoint_gateway::{claude_code, json as wire};
use holdpoint_runtime::Manifest;
use holdpoint_signing::{TrustSet, verify};

pub(crate) const JSON: &[&str] = &[
    r#"{"command":"ls \u0041\n","timeout":5,"nested":{"a":[1,2.5,-3e2,true,false,null,"\ud83d\ude00"]}}"#,
    r#"{"a":{"b":{"c":[[[[1]]]]}},"z":9007199254740992,"":""}"#,
];
pub(crate) const EVENTS: &[&str] = &[
    r#"{"session_id":"s","cwd":"/w","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}"#,
    r#"{"hook_event_name":"PreToolUse","tool_name":"mcp__s__t","tool_input":{},"mcp_server":{"name":"s"}}"#,
];
pub(crate) const MANIFESTS: &[&str] = &[
    r#"{"name":"git","version":"1.0.0","release":3,"summary":"s","contract":"holdpoint:vocabulary@0.1.0","actions":["get git-ref"],"obligations":["dry-run"],"routes":{"programs":["git"],"languages":["bash"],"tools":[{"server":"","name":"b"}]},"limits":{"fuel":1000}}"#,
];
pub(crate) const ENVELOPES: &[&str] = &[
    r#"{"payloadType":"application/vnd.in-toto+json","payload":"e30=","signatures":[{"keyid":"ed25519:00","sig":"AAAA"}]}"#,
];
pub(crate) const TRUST_SETS: &[&str] = &[r#"{"keys":[],"thresholds":[]}"#];

pub(crate) fn json(bytes: &[u8]) {
    let Ok(document) = wire::read(bytes) else { return };
    let canonical = document.canonical();
    let again = wire::read(canonical.as_bytes());
    assert_eq!(again.map(|again| again.canonical()), Ok(canonical), "the canonical text is not its own canonical text");
    if let Json::Object(_) = &document {
        let one = ToolCall::new("", "T", document.clone(), "/");
        let other = ToolCall::new("", "T", document, "/");
        assert_eq!(one.map(|call| call.digest()), other.map(|call| call.digest()));
    }
}

pub(crate) fn hook_event(bytes: &[u8]) {
    if let Ok(payload) = claude_code::read(bytes) {
        assert!(matches!(wire::read(bytes), Ok(Json::Object(_))), "an event that is not an object: {payload:?}");
    }
}

pub(crate) fn manifest(bytes: &[u8]) {
    if let Ok(manifest) = Manifest::of_json(bytes) {
        assert_eq!(Manifest::of_json(manifest.to_json().as_bytes()), Ok(manifest));
    }
}

/// Nothing that was not signed by a trusted key is ever verified.
pub(crate) fn envelope(bytes: &[u8]) {
    let (Some(text), Ok(nobody)) = (text(bytes), TrustSet::new(Vec::new(), Vec::new())) else { return };
    assert!(verify(b"component", text, &nobody, 1).is_err());
}

pub(crate) fn trust_set(bytes: &[u8]) {
    let Some(Ok(set)) = text(bytes).map(TrustSet::from_json) else { return };
    let written = set.to_json();
    let again = written.as_deref().map(TrustSet::from_json);
    assert!(matches!(again, Ok(Ok(_))), "a set that was read cannot be read again");
}
