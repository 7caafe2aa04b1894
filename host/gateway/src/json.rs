//! The one JSON reader for what comes from outside: strict, bounded, and without a second opinion about any document.
//!
//! Refused: duplicate keys, lone surrogates, invalid UTF-8, numbers that other readers would round, too deep or too large
//! documents, and anything after the document.

use holdpoint_core::json::{Json, JsonError, Number};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// Most bytes of one document.
pub const DOCUMENT_BYTES_MAX: usize = 4 << 20;

/// Why bytes are not a document.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ReadError {
    /// Over [`DOCUMENT_BYTES_MAX`].
    #[error("the document is over {DOCUMENT_BYTES_MAX} bytes")]
    TooLarge,
    /// Not JSON as this reader takes it.
    #[error("not JSON: {0}")]
    Syntax(String),
    /// A bound of the core.
    #[error("not acceptable: {0}")]
    Bounds(&'static str),
}

/// Reads one document.
pub fn read(bytes: &[u8]) -> Result<Json, ReadError> {
    if bytes.len() > DOCUMENT_BYTES_MAX {
        return Err(ReadError::TooLarge);
    }
    let Document(json) = serde_json::from_slice(bytes).map_err(|error| ReadError::Syntax(error.to_string()))?;
    json.check_bounds().map_err(|error| ReadError::Bounds(bound_text(error)))?;
    Ok(json)
}

fn bound_text(error: JsonError) -> &'static str {
    match error {
        JsonError::IntegerTooLarge => "an integer is past 2^53",
        JsonError::NotFinite => "a number is not finite",
        JsonError::DuplicateKey => "two members of one object share a key",
        JsonError::TooManyValues => "it holds too many values",
        JsonError::TooDeep => "it is nested too deeply",
        JsonError::TooMuchText => "it holds too much text",
    }
}

struct Document(Json);

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Document, D::Error> {
        deserializer.deserialize_any(DocumentVisitor).map(Document)
    }
}

struct DocumentVisitor;

impl<'de> Visitor<'de> for DocumentVisitor {
    type Value = Json;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Json, E> {
        Number::integer(value).map(Json::Number).map_err(|error| E::custom(bound_text(error)))
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Json, E> {
        let value = i64::try_from(value).map_err(|_| E::custom(bound_text(JsonError::IntegerTooLarge)))?;
        self.visit_i64(value)
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Json, E> {
        Number::float(value).map(Json::Number).map_err(|error| E::custom(bound_text(error)))
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(Json::text(value))
    }

    fn visit_string<E>(self, value: String) -> Result<Json, E> {
        Ok(Json::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json, A::Error> {
        let mut array = Vec::new();
        while let Some(Document(item)) = items.next_element()? {
            array.push(item);
        }
        Ok(Json::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Json, A::Error> {
        let mut object = Vec::new();
        while let Some((key, Document(value))) = members.next_entry::<String, Document>()? {
            object.push((key, value));
        }
        Ok(Json::Object(object))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_read_as_it_stands() {
        let json = read(br#" {"b":[1,-2.5,true,null],"a":"\u00e9"} "#).unwrap();
        assert_eq!(json.canonical(), "{\"a\":\"\u{e9}\",\"b\":[1,-2.5,true,null]}");
    }

    #[test]
    fn documents_that_readers_disagree_about_are_refused() {
        let refused: [&[u8]; 9] = [
            br#"{"a":1,"a":2}"#,
            br#"{"a":1,"\u0061":2}"#,
            br#""\ud800""#,
            b"\"\xff\"",
            b"9007199254740993",
            b"1e999",
            b"{} {}",
            b"\xef\xbb\xbf{}",
            b"",
        ];
        for bytes in refused {
            assert!(read(bytes).is_err(), "{}", String::from_utf8_lossy(bytes));
        }
    }

    #[test]
    fn a_document_just_over_a_bound_is_refused() {
        let nested = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
        assert!(read(nested(64).as_bytes()).is_ok());
        assert_eq!(read(nested(65).as_bytes()), Err(ReadError::Bounds("it is nested too deeply")));
        assert!(matches!(read(nested(10_000).as_bytes()), Err(ReadError::Syntax(_))));
        assert_eq!(read(&vec![b' '; DOCUMENT_BYTES_MAX + 1]), Err(ReadError::TooLarge));
    }
}
