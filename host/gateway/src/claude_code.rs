//! Claude Code's `PreToolUse` and `PostToolUse` hooks: one JSON object in, one out. Fields as in the types of
//! `@anthropic-ai/claude-agent-sdk` 0.3.332.

use crate::json;
use holdpoint::Call;
use holdpoint_core::asking::Channel;
use holdpoint_core::authorize::{Judged, Recorded};
use holdpoint_core::json::Json;
use holdpoint_core::report;
use holdpoint_core::run::Mode;
use holdpoint_core::verdict::Reason;

/// The event before a call, which is answered with a decision.
pub const EVENT: &str = "PreToolUse";
/// The event behind a call, which tells what it brought in.
const AFTER: &str = "PostToolUse";
/// Modes in which the host puts a question to a person. In every other mode a question is a denial.
const ASKING_MODES: &[&str] = &["default", "acceptEdits", "plan"];

/// The mode in which the host wants a plan and nothing else.
const PLANNING_MODE: &str = "plan";

/// What the host sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Payload {
    /// The proposed call.
    pub call: HookCall,
    /// The folder the call would start in.
    pub cwd: Option<String>,
    /// Whether the host will put a question to a person.
    pub channel: Channel,
    /// What the run is for at the moment.
    pub mode: Mode,
    /// The session, as the host names it; empty where it does not.
    pub session: String,
    /// The host's name for the call; empty where it has none.
    pub call_id: String,
}

impl Default for Payload {
    /// What is known of an event that cannot be read: nothing, and nobody can be asked.
    fn default() -> Payload {
        let call = HookCall { server: String::new(), tool: String::new(), arguments: Json::Null };
        let (session, call_id) = (String::new(), String::new());
        Payload { call, cwd: None, channel: Channel::Nobody, mode: Mode::Working, session, call_id }
    }
}

/// What happened at the host.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A call is proposed.
    Before(Payload),
    /// A call was carried out, and this came back.
    After(Payload, Json),
}

/// A proposed call, by server and tool.
#[derive(Clone, Debug, PartialEq)]
pub struct HookCall {
    /// The server; empty for a tool of the host.
    pub server: String,
    /// The tool.
    pub tool: String,
    /// Its arguments.
    pub arguments: Json,
}

impl From<HookCall> for Call {
    fn from(call: HookCall) -> Call {
        Call { server: call.server, tool: call.tool, arguments: call.arguments }
    }
}

/// Reads what the host sent. Unknown members are left alone: the host may send more than it did.
pub fn read(bytes: &[u8]) -> Result<Event, String> {
    let json = json::read(bytes).map_err(|error| error.to_string())?;
    match json.get("hook_event_name").and_then(Json::as_text) {
        Some(EVENT) => Ok(Event::Before(payload(&json)?)),
        Some(AFTER) => {
            let response = json.get("tool_response").ok_or("`tool_response` is missing")?;
            Ok(Event::After(payload(&json)?, response.clone()))
        }
        Some(other) => Err(format!("the event is `{other}`, this hook answers `{EVENT}` and `{AFTER}`")),
        None => Err("`hook_event_name` is missing or not a string".to_owned()),
    }
}

fn payload(json: &Json) -> Result<Payload, String> {
    let text = |key: &str| json.get(key).and_then(Json::as_text);
    let tool = text("tool_name").ok_or("`tool_name` is missing or not a string")?;
    let arguments = json.get("tool_input").ok_or("`tool_input` is missing")?;
    let server = json.get("mcp_server").and_then(|server| server.get("name")).and_then(Json::as_text);
    let channel = match json.get("permission_mode").map(Json::as_text) {
        None => Channel::HostPrompt,
        Some(Some(mode)) if ASKING_MODES.contains(&mode) => Channel::HostPrompt,
        Some(Some(_)) => Channel::Nobody,
        Some(None) => return Err("`permission_mode` is not a string".to_owned()),
    };
    let mode = if text("permission_mode") == Some(PLANNING_MODE) { Mode::Planning } else { Mode::Working };
    let call = HookCall {
        server: server.unwrap_or_default().to_owned(),
        tool: tool_of(server, tool).to_owned(),
        arguments: arguments.clone(),
    };
    let name = |key: &str| text(key).unwrap_or_default().to_owned();
    let (session, call_id) = (name("session_id"), name("tool_use_id"));
    Ok(Payload { call, cwd: text("cwd").map(str::to_owned), channel, mode, session, call_id })
}

/// The tool's own name. A flat `mcp__server__tool` is split only where the host says which server it is: a name alone
/// can be split in more than one way.
fn tool_of<'a>(server: Option<&str>, tool: &'a str) -> &'a str {
    let own = server.and_then(|server| tool.strip_prefix("mcp__")?.strip_prefix(server)?.strip_prefix("__"));
    own.unwrap_or(tool)
}

/// The answer for the host: one JSON object, to be written with exit code 0.
pub fn answer(recorded: &Recorded) -> String {
    let judged = recorded.judged();
    let decision = match recorded {
        Recorded::Denied(_) => "deny",
        Recorded::Pending(_) => "ask",
        Recorded::Committed(_) => "allow",
    };
    let refusal = report::document(judged).get("refusal").cloned().unwrap_or(Json::Null);
    let mut output = vec![
        ("hookEventName".to_owned(), Json::text(EVENT)),
        ("permissionDecision".to_owned(), Json::text(decision)),
        ("permissionDecisionReason".to_owned(), Json::Text(reason_text(judged))),
    ];
    if refusal != Json::Null {
        output.push(("additionalContext".to_owned(), Json::Text(refusal.canonical())));
    }
    Json::object([("hookSpecificOutput", Json::Object(output))]).canonical()
}

/// Every text of a document, names of members included, one a line.
pub fn texts(document: &Json) -> String {
    match document {
        Json::Text(text) => text.clone(),
        Json::Array(items) => items.iter().map(|item| texts(item) + "\n").collect(),
        Json::Object(members) => members.iter().map(|(key, value)| format!("{key}\n{}\n", texts(value))).collect(),
        Json::Null | Json::Bool(_) | Json::Number(_) => String::new(),
    }
}

/// The answer to what a call brought in: nothing, or a word for the agent.
pub fn noted(word: Option<&str>) -> String {
    let output =
        word.map(|word| Json::object([("hookEventName", Json::text(AFTER)), ("additionalContext", Json::text(word))]));
    Json::Object(output.map(|output| ("hookSpecificOutput".to_owned(), output)).into_iter().collect()).canonical()
}

/// One line about the leading reason, written by the core, with the name that finds the audit line.
fn reason_text(judged: &Judged) -> String {
    let id = &judged.stamp.correlation_id;
    match judged.verdict.leading() {
        Some(Reason { rule, detail, .. }) => {
            format!("holdpoint {}: {detail} [{id}]", rule.as_str())
        }
        None => format!("holdpoint: no objection [{id}]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAYLOAD: &str = r#"{"session_id":"s","transcript_path":"/t","cwd":"/w","permission_mode":"default",
        "hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls","description":"List"},
        "tool_use_id":"u","something_new":1}"#;

    fn before(text: &str) -> Payload {
        match read(text.as_bytes()) {
            Ok(Event::Before(payload)) => payload,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_payload_of_the_host_is_read() {
        let payload = before(PAYLOAD);
        assert_eq!((payload.call.server.as_str(), payload.call.tool.as_str()), ("", "Bash"));
        assert_eq!(payload.call.arguments.get("command").and_then(Json::as_text), Some("ls"));
        assert_eq!((payload.cwd.as_deref(), payload.channel), (Some("/w"), Channel::HostPrompt));
    }

    #[test]
    fn in_a_mode_that_never_asks_nobody_is_reachable() {
        for mode in ["bypassPermissions", "dontAsk", "auto", "a mode of next year"] {
            let payload = before(&PAYLOAD.replace("\"default\"", &format!("\"{mode}\"")));
            assert_eq!(payload.channel, Channel::Nobody, "{mode}");
        }
    }

    #[test]
    fn the_mode_of_planning_is_told() {
        let mode = |mode: &str| before(&PAYLOAD.replace("\"default\"", &format!("\"{mode}\""))).mode;
        assert_eq!((mode("plan"), mode("default")), (Mode::Planning, Mode::Working));
    }

    #[test]
    fn a_flat_name_is_split_only_by_the_server_that_the_host_names() {
        let named = |name: &str, server: &str| {
            let text = PAYLOAD.replace("\"Bash\"", &format!("\"{name}\"{server}"));
            let call = before(&text).call;
            (call.server, call.tool)
        };
        let pair = |server: &str, tool: &str| (server.to_owned(), tool.to_owned());
        let server = r#","mcp_server":{"name":"my_server","source":"user"}"#;
        assert_eq!(named("mcp__my_server__delete", server), pair("my_server", "delete"));
        assert_eq!(named("mcp__my_server__delete", ""), pair("", "mcp__my_server__delete"));
        assert_eq!(named("mcp__other__delete", server), pair("my_server", "mcp__other__delete"));
    }

    #[test]
    fn anything_else_is_an_error_with_its_reason() {
        for (text, part) in [
            ("{}", "hook_event_name"),
            (r#"{"hook_event_name":"SessionStart"}"#, "SessionStart"),
            (r#"{"hook_event_name":"PostToolUse","tool_name":"T","tool_input":{}}"#, "tool_response"),
            (r#"{"hook_event_name":"PreToolUse"}"#, "tool_name"),
            (r#"{"hook_event_name":"PreToolUse","tool_name":"Bash"}"#, "tool_input"),
            (
                r#"{"hook_event_name":"PreToolUse","tool_name":"T","tool_input":{},"permission_mode":1}"#,
                "permission_mode",
            ),
            (r#"{"hook_event_name":"PreToolUse","hook_event_name":"PreToolUse"}"#, "share a key"),
            ("nonsense", "not JSON"),
        ] {
            let error = read(text.as_bytes()).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn what_a_call_brought_in_comes_with_the_call_and_all_of_its_texts_are_read() {
        let text = PAYLOAD
            .replace("PreToolUse", "PostToolUse")
            .replace("\"something_new\":1", r#""tool_response":{"a":["one",{"b\nc":"two"}],"n":1,"x":null}"#);
        let Ok(Event::After(payload, response)) = read(text.as_bytes()) else { panic!("not read") };
        assert_eq!((payload.session.as_str(), payload.call_id.as_str()), ("s", "u"));
        let lines = texts(&response);
        assert_eq!(lines.split_whitespace().collect::<Vec<_>>(), ["a", "one", "b", "c", "two", "n", "x"]);
        assert_eq!(noted(None), "{}");
        assert!(noted(Some("word")).contains(r#""hookEventName":"PostToolUse""#));
    }
}
