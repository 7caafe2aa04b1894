//! A tool call as it is judged, and the digest that binds everything which changes what it does.

use crate::action::{Action, ToolAction};
use crate::digest::Digest;
use crate::json::{Json, JsonError};

/// Longest name of a server, a tool or a principal, in bytes.
pub const NAME_BYTES_MAX: usize = 256;

/// Arguments of the agent host's own tools that only describe a call to the person: changing them does not change what
/// the call does. A server may give the same name to another tool.
const CAPTIONS: &[(&str, &[&str])] = &[("Bash", &["description", "timeout"])];

/// Why a call cannot be judged at all. The caller answers with a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallError {
    /// A name is empty, too long, or holds control characters.
    BadName,
    /// The arguments are not an object.
    NotAnObject,
    /// The arguments break a bound.
    Arguments(JsonError),
}

impl CallError {
    /// What is wrong, in words.
    pub fn text(self) -> &'static str {
        match self {
            CallError::BadName => "a name is empty, longer than 256 bytes, or holds control characters",
            CallError::NotAnObject => "the arguments are not a JSON object",
            CallError::Arguments(JsonError::DuplicateKey) => "two members of one object share a key",
            CallError::Arguments(JsonError::IntegerTooLarge) => "an integer is past 2^53",
            CallError::Arguments(JsonError::NotFinite) => "a number is not finite",
            CallError::Arguments(JsonError::TooDeep) => "the arguments are nested deeper than 64 levels",
            CallError::Arguments(JsonError::TooManyValues) => "the arguments hold more than 16,384 values",
            CallError::Arguments(JsonError::TooMuchText) => "the arguments hold more than 1 MiB of text",
        }
    }
}

/// A tool call within every bound.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCall {
    tool: ToolAction,
    digest: Digest,
}

impl ToolCall {
    /// Checks the bounds of a call. `cwd` is where it would run; it is part of what the call does.
    pub fn new(server: &str, name: &str, arguments: Json, cwd: &str) -> Result<ToolCall, CallError> {
        let server_fine = server.is_empty() || is_name(server);
        if !server_fine || !is_name(name) {
            return Err(CallError::BadName);
        }
        if !matches!(arguments, Json::Object(_)) {
            return Err(CallError::NotAnObject);
        }
        arguments.check_bounds().map_err(CallError::Arguments)?;
        let effective = without_captions(server, name, &arguments).canonical();
        let parts = [server.as_bytes(), name.as_bytes(), effective.as_bytes(), cwd.as_bytes()];
        let digest = Digest::of_parts("holdpoint call 1", &parts);
        Ok(ToolCall { tool: ToolAction { server: server.into(), name: name.into(), arguments }, digest })
    }

    /// The server and tool with their arguments.
    pub fn tool(&self) -> &ToolAction {
        &self.tool
    }

    /// The call as the first action to classify.
    pub fn action(&self) -> Action {
        Action::Tool(self.tool.clone())
    }

    /// The digest over everything that changes what the call does.
    pub fn digest(&self) -> Digest {
        self.digest
    }
}

/// Whether a text can be a name: not empty, bounded, no control characters.
pub fn is_name(text: &str) -> bool {
    !text.is_empty() && text.len() <= NAME_BYTES_MAX && !text.chars().any(char::is_control)
}

fn without_captions(server: &str, tool: &str, arguments: &Json) -> Json {
    let captions =
        CAPTIONS.iter().find(|(name, _)| server.is_empty() && *name == tool).map_or(&[][..], |(_, captions)| captions);
    match arguments {
        Json::Object(members) => {
            let kept = members.iter().filter(|(key, _)| !captions.contains(&key.as_str()));
            Json::Object(kept.cloned().collect())
        }
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::Text(_) | Json::Array(_) => arguments.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;
    use alloc::vec;

    fn bash(members: &[(&str, Json)]) -> ToolCall {
        let members = members.iter().map(|(key, value)| (String::from(*key), value.clone())).collect();
        ToolCall::new("", "Bash", Json::Object(members), "/w").unwrap()
    }

    #[test]
    fn the_digest_covers_what_executes_and_not_the_caption() {
        let plain = bash(&[("command", Json::text("systemctl restart x"))]);
        let captioned = bash(&[
            ("description", Json::text("harmless")),
            ("command", Json::text("systemctl restart x")),
            ("timeout", Json::count(5)),
        ]);
        assert_eq!(plain.digest(), captioned.digest());
        for key in ["run_in_background", "dangerouslyDisableSandbox"] {
            let changed = bash(&[("command", Json::text("systemctl restart x")), (key, Json::Bool(true))]);
            assert_ne!(plain.digest(), changed.digest(), "{key}");
        }
        let elsewhere = ToolCall::new("", "Bash", plain.tool().arguments.clone(), "/v").unwrap();
        assert_ne!(plain.digest(), elsewhere.digest());
    }

    #[test]
    fn a_call_over_a_bound_is_refused_with_its_reason() {
        let empty = || Json::Object(vec![]);
        assert_eq!(ToolCall::new("", "", empty(), "/").map(|_| ()), Err(CallError::BadName));
        assert!(ToolCall::new("", &"n".repeat(NAME_BYTES_MAX), empty(), "/").is_ok());
        assert!(ToolCall::new("", &"n".repeat(NAME_BYTES_MAX + 1), empty(), "/").is_err());
        assert_eq!(ToolCall::new("", "T", Json::Null, "/").map(|_| ()), Err(CallError::NotAnObject));
    }
}
