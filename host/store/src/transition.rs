//! The record of a change that an operator made or was denied, with the fields of the toggle paper.
//!
//! Must never hold a typed phrase or a password: a phrase is recorded as its hash.

use crate::toggle_states::LAYER;
use holdpoint_core::bound::Layer;
use holdpoint_core::digest::Digest;
use holdpoint_core::json::Json;
use holdpoint_core::report;
use holdpoint_core::words::Word;
use serde_json::Value;

/// Whether a transition took place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransitionResult {
    /// It did.
    Ok,
    /// It did not.
    Denied,
}

impl TransitionResult {
    /// The one spelling.
    pub fn as_str(self) -> &'static str {
        match self {
            TransitionResult::Ok => "ok",
            TransitionResult::Denied => "denied",
        }
    }
}

/// A limit that an operator sets when loosening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cap {
    /// What is limited.
    pub name: String,
    /// A number, if it is one.
    pub int_value: Option<u64>,
    /// A list, if it is one.
    pub list_value: Option<Vec<String>>,
}

/// Limits beyond the one that a toggle requires.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Only these names; empty where it is loosened for all.
    pub only: Vec<String>,
    /// Uses after which it tightens itself.
    pub budget: Option<u64>,
    /// When it holds, as the core writes it.
    pub hours: Option<String>,
}

/// Where a request came from, as far as the transport knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Requester {
    /// The address.
    pub ip: Option<String>,
    /// The program.
    pub user_agent: Option<String>,
}

/// One change, made or denied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// Milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// Who asked for it.
    pub actor: String,
    /// What it is about: the key of a toggle, or `plugin:NAME`.
    pub key: String,
    /// The layer whose bound it is about; `None` for what users loosen themselves.
    pub layer: Option<Layer>,
    /// The state before: `restrictive`, `permissive`, the word of a bound, or a digest.
    pub from_state: String,
    /// The state asked for.
    pub to_state: String,
    /// Whether it took place.
    pub result: TransitionResult,
    /// Why: `loosen`, `tighten`, `bound`, `lift`, or the reason of a denial.
    pub reason: String,
    /// The limit. Left out of the record of a denial.
    pub cap: Option<Cap>,
    /// Further limits. Left out of the record of a denial, and where there are none.
    pub limits: Limits,
    /// The digest of the phrase that was typed.
    pub phrase_hash: Option<Digest>,
    /// Where the request came from.
    pub requester: Requester,
}

impl Transition {
    /// The members of its line.
    pub(crate) fn members(&self) -> Vec<(String, Json)> {
        let text = |text: &String| Json::text(text.as_str());
        let cap = match self.result {
            TransitionResult::Ok => Some(self.cap.as_ref().map_or(Json::Null, Cap::json)),
            TransitionResult::Denied => None,
        };
        let members = [
            ("ts", Some(report::timestamp(self.at_ms))),
            ("actor", Some(text(&self.actor))),
            ("key", Some(text(&self.key))),
            (LAYER, self.layer.map(|layer| Json::text(layer.as_str()))),
            ("from_state", Some(text(&self.from_state))),
            ("to_state", Some(text(&self.to_state))),
            ("result", Some(Json::text(self.result.as_str()))),
            ("reason", Some(text(&self.reason))),
            ("cap", cap),
            ("only", limit(self.result, (!self.limits.only.is_empty()).then(|| list(&self.limits.only)))),
            ("budget", limit(self.result, self.limits.budget.map(Json::count))),
            ("hours", limit(self.result, self.limits.hours.as_ref().map(text))),
            ("phrase_hash", self.phrase_hash.as_ref().map(|hash| Json::text(hash.hex()))),
            ("ip", self.requester.ip.as_ref().map(text)),
            ("user_agent", self.requester.user_agent.as_ref().map(text)),
        ];
        let present = |(key, value): (&str, Option<Json>)| Some((key.to_owned(), value?));
        members.into_iter().filter_map(present).collect()
    }

    /// Reads a transition back from its line.
    pub fn of_line(line: &Value) -> Option<Transition> {
        let text = |key: &str| line.get(key).and_then(Value::as_str).map(str::to_owned);
        let result = match line.get("result")?.as_str()? {
            "ok" => TransitionResult::Ok,
            "denied" => TransitionResult::Denied,
            _ => return None,
        };
        let cap = match line.get("cap") {
            None | Some(Value::Null) => None,
            Some(cap) => Some(Cap::of_value(cap)?),
        };
        let phrase_hash = match line.get("phrase_hash") {
            None => None,
            Some(hash) => Some(Digest::from_hex(hash.as_str()?)?),
        };
        let layer = match line.get(LAYER) {
            None => None,
            Some(layer) => Some(Layer::from_word(layer.as_str()?)?),
        };
        // Written with milliseconds, so the nearest one is the one that was meant.
        let at_ms = (line.get("ts")?.as_f64()? * 1_000.0).round() as u64;
        Some(Transition {
            at_ms,
            actor: text("actor")?,
            key: text("key")?,
            layer,
            from_state: text("from_state")?,
            to_state: text("to_state")?,
            result,
            reason: text("reason")?,
            cap,
            limits: Limits::of_line(line)?,
            phrase_hash,
            requester: Requester { ip: text("ip"), user_agent: text("user_agent") },
        })
    }
}

/// A denial grants nothing, so its line names no limit.
fn limit(result: TransitionResult, limit: Option<Json>) -> Option<Json> {
    match result {
        TransitionResult::Ok => limit,
        TransitionResult::Denied => None,
    }
}

fn list(names: &[String]) -> Json {
    Json::Array(names.iter().map(|name| Json::text(name.as_str())).collect())
}

/// A count, which is text where it is past 2^53.
pub(crate) fn count_of(value: &Value) -> Option<u64> {
    match value {
        Value::String(text) => text.parse().ok(),
        number => number.as_u64(),
    }
}

pub(crate) fn list_of(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|name| name.as_str().map(str::to_owned)).collect()
}

impl Limits {
    /// A limit that is there and cannot be read is not left out: the line counts for nothing then.
    fn of_line(line: &Value) -> Option<Limits> {
        Some(Limits {
            only: line.get("only").map_or(Some(Vec::new()), list_of)?,
            budget: line.get("budget").map_or(Some(None), |count| count_of(count).map(Some))?,
            hours: line.get("hours").map_or(Some(None), |hours| hours.as_str().map(|text| Some(text.to_owned())))?,
        })
    }
}

impl Cap {
    fn json(&self) -> Json {
        let list = self.list_value.as_ref().map_or(Json::Null, |names| list(names));
        Json::object([
            ("name", Json::text(self.name.as_str())),
            ("int_value", self.int_value.map_or(Json::Null, Json::count)),
            ("list_value", list),
        ])
    }

    fn of_value(cap: &Value) -> Option<Cap> {
        let int_value = match cap.get("int_value")? {
            Value::Null => None,
            count => Some(count_of(count)?),
        };
        let list_value = match cap.get("list_value")? {
            Value::Null => None,
            names => Some(list_of(names)?),
        };
        Some(Cap { name: cap.get("name")?.as_str()?.to_owned(), int_value, list_value })
    }
}
