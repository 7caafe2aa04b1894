//! The JSON dialect of this crate: objects are written as objects, keys stand once, nothing unknown is
//! accepted.
//!
//! It must never accept one document in two readings. Duplicate and unknown keys are refused by the derived
//! readers (`deny_unknown_fields`); [`Object`] adds what they lack.

use crate::FormatError;
use crate::limits::REASON_BYTES_MAX;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use std::marker::PhantomData;

/// A value that is written as a JSON object.
///
/// A derived reader also takes an array with the fields in order of declaration. That would be a second
/// spelling which no other tool shows, so every struct on the wire is read through this type.
#[derive(Serialize)]
#[serde(transparent)]
pub(crate) struct Object<T>(pub(crate) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = Object<T>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Object)
    }
}

/// Reads one object that fills `text` from end to end.
pub(crate) fn read<T: DeserializeOwned>(what: &'static str, text: &[u8]) -> Result<T, FormatError> {
    let Object(value) = serde_json::from_slice(text).map_err(|error| json_error(what, &error))?;
    Ok(value)
}

/// Writes without white space, keys in order of declaration.
pub(crate) fn write<T: Serialize>(what: &'static str, value: &T) -> Result<String, FormatError> {
    serde_json::to_string(value).map_err(|error| json_error(what, &error))
}

/// Reads a field that may be absent but, if it stands there, has a value: `null` would be a second way to say
/// "absent".
pub(crate) fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// The reader's reason may quote a hostile input, so it is cut and stripped of everything a terminal could
/// act on.
fn json_error(what: &'static str, error: &serde_json::Error) -> FormatError {
    let printable = |c: char| if c == ' ' || c.is_ascii_graphic() { c } else { '?' };
    let reason = error.to_string().chars().map(printable).take(REASON_BYTES_MAX).collect();
    FormatError::Json { what, reason }
}

/// Lets a type that has one text form be a JSON string.
macro_rules! text_in_json {
    ($name:ident) => {
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}
pub(crate) use text_in_json;
