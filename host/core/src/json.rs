//! JSON values as the core sees them, and their canonical text (RFC 8785).
//!
//! Values are made at the rim by a strict reader; here they are only bounded, compared and written. There is no parser.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

/// Most values of one document, the root included.
pub const NODES_MAX: usize = 16_384;
/// Deepest nesting of arrays and objects.
pub const DEPTH_MAX: usize = 64;
/// Most bytes of all keys, strings and numbers together.
pub const TEXT_BYTES_MAX: usize = 1 << 20;
/// Largest integer that every JSON reader represents exactly.
const INTEGER_MAX: u64 = 1 << 53;

/// Why a value cannot be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonError {
    /// An integer that readers would round differently.
    IntegerTooLarge,
    /// A number that is not finite.
    NotFinite,
    /// Two members of an object share a key.
    DuplicateKey,
    /// More than [`NODES_MAX`] values.
    TooManyValues,
    /// Nested deeper than [`DEPTH_MAX`].
    TooDeep,
    /// More than [`TEXT_BYTES_MAX`] bytes of text.
    TooMuchText,
}

/// A finite number in canonical form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number(f64);

impl Number {
    /// An integer, if it is below 2^53 in size.
    pub fn integer(value: i64) -> Result<Number, JsonError> {
        if value.unsigned_abs() > INTEGER_MAX { Err(JsonError::IntegerTooLarge) } else { Ok(Number(value as f64)) }
    }

    /// A finite number; an integral one must be at most 2^53 in size.
    pub fn float(value: f64) -> Result<Number, JsonError> {
        if !value.is_finite() {
            Err(JsonError::NotFinite)
        } else if value.abs() > INTEGER_MAX as f64 {
            Err(JsonError::IntegerTooLarge)
        } else {
            Ok(Number(value))
        }
    }

    /// The ECMAScript text, as RFC 8785 prescribes.
    pub fn text(self) -> String {
        ryu_js::Buffer::new().format_finite(self.0).to_owned()
    }
}

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A finite number.
    Number(Number),
    /// A string.
    Text(String),
    /// An array.
    Array(Vec<Json>),
    /// An object whose keys are distinct; members keep their order.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// A string value.
    pub fn text(text: impl Into<String>) -> Json {
        Json::Text(text.into())
    }

    /// A count; one past 2^53 is written as text rather than rounded.
    pub fn count(count: u64) -> Json {
        match i64::try_from(count).map_err(|_| JsonError::IntegerTooLarge).and_then(Number::integer) {
            Ok(number) => Json::Number(number),
            Err(_) => Json::Text(alloc::format!("{count}")),
        }
    }

    /// An object from members whose keys the caller knows to be distinct.
    pub fn object<const N: usize>(members: [(&str, Json); N]) -> Json {
        Json::Object(members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    }

    /// The member with this key.
    pub fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => members.iter().find(|(name, _)| name == key).map(|(_, value)| value),
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::Text(_) | Json::Array(_) => None,
        }
    }

    /// The text of a string value.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::Array(_) | Json::Object(_) => None,
        }
    }

    /// The value and everything in it, parents before their children, siblings in order.
    pub fn in_reading_order(&self) -> Vec<&Json> {
        let mut values = Vec::new();
        let mut waiting = alloc::vec![self];
        while let Some(value) = waiting.pop() {
            values.push(value);
            match value {
                Json::Null | Json::Bool(_) | Json::Number(_) | Json::Text(_) => {}
                Json::Array(items) => waiting.extend(items.iter().rev()),
                Json::Object(members) => waiting.extend(members.iter().rev().map(|(_, value)| value)),
            }
        }
        values
    }

    /// Checks every bound of a document that comes from outside.
    pub fn check_bounds(&self) -> Result<(), JsonError> {
        Budget { nodes: NODES_MAX, text_bytes: TEXT_BYTES_MAX }.take(self, DEPTH_MAX)
    }

    /// Bytes of all keys and scalars as text.
    pub(crate) fn text_bytes(&self) -> usize {
        let own = |value: &Json| match value {
            Json::Null | Json::Bool(_) | Json::Array(_) => 0,
            Json::Number(number) => number.text().len(),
            Json::Text(text) => text.len(),
            Json::Object(members) => members.iter().map(|(key, _)| key.len()).fold(0, usize::saturating_add),
        };
        self.in_reading_order().into_iter().map(own).fold(0, usize::saturating_add)
    }

    /// The canonical text with everything escaped that a terminal obeys or does not show. It is read back as the same value.
    pub fn visible(&self) -> String {
        let mut out = String::new();
        for character in self.canonical().chars() {
            // Outside of strings canonical text is ASCII, so an escape can stand in place of any of these.
            if is_unseen(character) {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    // Writing to a string cannot fail.
                    let _ = write!(out, "\\u{unit:04x}");
                }
            } else {
                out.push(character);
            }
        }
        out
    }

    /// The canonical text.
    pub fn canonical(&self) -> String {
        let mut out = String::new();
        write_value(self, &mut out);
        out
    }
}

/// Controls beyond those that canonical text escapes, and characters that change direction, join, or take no room. Source:
/// Unicode 16, general categories Cc and Cf, and the default-ignorable code points that are commonly used to hide text.
fn is_unseen(character: char) -> bool {
    matches!(
        character,
        '\u{7f}'..='\u{9f}'
            | '\u{ad}'
            | '\u{34f}'
            | '\u{600}'..='\u{605}'
            | '\u{61c}'
            | '\u{6dd}'
            | '\u{70f}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

struct Budget {
    nodes: usize,
    text_bytes: usize,
}

impl Budget {
    fn take(&mut self, value: &Json, depth: usize) -> Result<(), JsonError> {
        self.nodes = self.nodes.checked_sub(1).ok_or(JsonError::TooManyValues)?;
        let below = || depth.checked_sub(1).ok_or(JsonError::TooDeep);
        match value {
            Json::Null | Json::Bool(_) => Ok(()),
            Json::Number(number) => self.take_text(&number.text()),
            Json::Text(text) => self.take_text(text),
            Json::Array(items) => {
                let below = below()?;
                items.iter().try_for_each(|item| self.take(item, below))
            }
            Json::Object(members) => {
                let below = below()?;
                let mut keys: Vec<&str> = members.iter().map(|(key, _)| key.as_str()).collect();
                keys.sort_unstable();
                if keys.windows(2).any(|pair| pair.first() == pair.last()) {
                    return Err(JsonError::DuplicateKey);
                }
                members.iter().try_for_each(|(key, value)| {
                    self.take_text(key)?;
                    self.take(value, below)
                })
            }
        }
    }

    fn take_text(&mut self, text: &str) -> Result<(), JsonError> {
        self.text_bytes = self.text_bytes.checked_sub(text.len()).ok_or(JsonError::TooMuchText)?;
        Ok(())
    }
}

fn write_value(value: &Json, out: &mut String) {
    match value {
        Json::Null => out.push_str("null"),
        Json::Bool(true) => out.push_str("true"),
        Json::Bool(false) => out.push_str("false"),
        Json::Number(number) => out.push_str(&number.text()),
        Json::Text(text) => write_text(text, out),
        Json::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_value(item, out);
            }
            out.push(']');
        }
        Json::Object(members) => {
            let mut members: Vec<&(String, Json)> = members.iter().collect();
            members.sort_by(|(left, _), (right, _)| left.encode_utf16().cmp(right.encode_utf16()));
            out.push('{');
            for (index, (key, value)) in members.into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_text(key, out);
                out.push(':');
                write_value(value, out);
            }
            out.push('}');
        }
    }
}

fn write_text(text: &str, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            control if control < ' ' => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{:04x}", u32::from(control));
            }
            plain => out.push(plain),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn number(value: f64) -> Json {
        Json::Number(Number::float(value).unwrap())
    }

    #[test]
    fn canonical_text_follows_rfc_8785() {
        let text = Json::text("\u{20ac}$\u{f}\nA'B\"\\\\\"/");
        assert_eq!(text.canonical(), "\"\u{20ac}$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"");
        let numbers = Json::Array(vec![number(4.5), number(2e-3), number(1e-27), number(-0.0)]);
        assert_eq!(numbers.canonical(), "[4.5,0.002,1e-27,0]");
        // The property sorting example of RFC 8785 section 3.2.3: UTF-16 units, not code points.
        let keys = ["\u{20ac}", "\r", "\u{fb33}", "1", "\u{1f600}", "\u{80}", "\u{f6}"];
        let object = Json::Object(keys.iter().map(|key| ((*key).to_owned(), Json::Null)).collect());
        let sorted = ["\\r", "1", "\u{80}", "\u{f6}", "\u{20ac}", "\u{1f600}", "\u{fb33}"];
        let expected: Vec<String> = sorted.iter().map(|key| alloc::format!("\"{key}\":null")).collect();
        assert_eq!(object.canonical(), alloc::format!("{{{}}}", expected.join(",")));
    }

    #[test]
    fn an_integer_past_two_to_the_53_is_refused() {
        assert!(Number::integer(1 << 53).is_ok());
        assert_eq!(Number::integer((1 << 53) + 1), Err(JsonError::IntegerTooLarge));
        assert_eq!(Number::float(1e300), Err(JsonError::IntegerTooLarge));
        assert_eq!(Number::float(f64::NAN), Err(JsonError::NotFinite));
    }

    #[test]
    fn each_bound_refuses_a_document_just_over_it() {
        let mut deep = Json::Null;
        for _ in 0..DEPTH_MAX {
            deep = Json::Array(vec![deep]);
        }
        assert_eq!(deep.check_bounds(), Ok(()));
        assert_eq!(Json::Array(vec![deep]).check_bounds(), Err(JsonError::TooDeep));
        let wide = |count: usize| Json::Array(vec![Json::Null; count]).check_bounds();
        assert_eq!(wide(NODES_MAX - 1), Ok(()));
        assert_eq!(wide(NODES_MAX), Err(JsonError::TooManyValues));
        let long = |bytes: usize| Json::text("a".repeat(bytes)).check_bounds();
        assert_eq!(long(TEXT_BYTES_MAX), Ok(()));
        assert_eq!(long(TEXT_BYTES_MAX + 1), Err(JsonError::TooMuchText));
        let twice = Json::Object(vec![("a".into(), Json::Null), ("a".into(), Json::Null)]);
        assert_eq!(twice.check_bounds(), Err(JsonError::DuplicateKey));
    }
}
