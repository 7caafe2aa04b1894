//! A call that asks, as the pipeline would hand it to the store.

use holdpoint_core::action::Action;
use holdpoint_core::approval::Binding;
use holdpoint_core::asking::Strength;
use holdpoint_core::assess::{Assessment, Route};
use holdpoint_core::authorize::{Judged, Stamp, Who};
use holdpoint_core::call::ToolCall;
use holdpoint_core::digest::Digest;
use holdpoint_core::json::Json;
use holdpoint_core::level::Level;
use holdpoint_core::proof::Transport;
use holdpoint_core::verdict::{About, Decision, Reason, Rule, Verdict};

/// A call of a run that asks with a strength.
pub(crate) fn asking(command: &str, run: &str, strength: Strength, at_ms: u64) -> (Binding, Judged) {
    let call = ToolCall::new("", "Bash", Json::object([("command", Json::text(command))]), "/w").unwrap();
    let action: Action = call.action();
    let reason = Reason::new(Rule::Level, Decision::Ask, About::Call, "it wants a person".to_owned());
    let judged = Judged {
        stamp: Stamp { correlation_id: format!("c-{at_ms}"), at_ms },
        who: Who {
            principal: "hook:x".to_owned(),
            level: Level::Guarded,
            run: run.to_owned(),
            call: String::new(),
            via: Transport::Hook,
        },
        assessment: Some(Assessment::new(action, None, Route::Direct)),
        call: Some(call),
        verdict: Verdict::new(vec![reason.at_least(strength)], Vec::new()),
        sources: Vec::new(),
        hypothetical: Vec::new(),
        uses: Vec::new(),
        still_needed: Vec::new(),
        policy: Digest::ZERO,
        consent: None,
        challenge: None,
    };
    (Binding::of(&judged).unwrap(), judged)
}
