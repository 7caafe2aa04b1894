//! Why a toggle cannot exist, and how that is said.

use crate::declared::DECLARED_KEY_BYTES_MAX;
use crate::registry::{COOLDOWN_S_MAX, COOLDOWN_S_MIN, PHRASE_WORDS_MIN, TEXT_BYTES_MAX, TOGGLES_MAX, WARNING_BULLETS};
use alloc::string::String;

/// Why a toggle cannot exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// The key is not dotted lowercase.
    Key,
    /// The key of a vocabulary's toggle does not start with the vocabulary's name, or is too long.
    Prefix,
    /// A vocabulary's toggle gates nothing, allows, or wants a limit that nobody would count.
    Gate,
    /// A text is empty, too long or not one line.
    Text(&'static str),
    /// The warning has another number of bullets.
    Bullets(usize),
    /// It would start permissive.
    StartsPermissive,
    /// The phrase is too short, too long, or fits every toggle.
    Phrase,
    /// The cooldown is out of bounds.
    Cooldown(u32),
    /// It proposes a cap that it does not take.
    Proposal(u64),
    /// It names no invariant.
    NoInvariant,
    /// It names an invariant that does not exist.
    UnknownInvariant(String),
    /// Two toggles share a key.
    Duplicate(String),
    /// Too many toggles.
    TooMany(usize),
}

impl Unfit {
    /// What is wrong, in words that follow the place.
    pub fn text(&self) -> String {
        match self {
            Unfit::Key => String::from("has a key that is not dotted lowercase"),
            Unfit::Prefix => alloc::format!(
                "must have a key under the vocabulary's own name, of at most {DECLARED_KEY_BYTES_MAX} bytes"
            ),
            Unfit::Gate => String::from("must gate at least one action, say `ask` or `deny`, and have no cap"),
            Unfit::Text(name) => alloc::format!("needs a `{name}` of one line and at most {TEXT_BYTES_MAX} bytes"),
            Unfit::Bullets(count) => alloc::format!("has {count} bullets in its warning, not {WARNING_BULLETS}"),
            Unfit::StartsPermissive => String::from("would start permissive"),
            Unfit::Phrase => alloc::format!("needs a phrase of its own with at least {PHRASE_WORDS_MIN} words"),
            Unfit::Cooldown(seconds) => {
                alloc::format!(
                    "has a cooldown of {seconds} s, which is not within {COOLDOWN_S_MIN} to {COOLDOWN_S_MAX}"
                )
            }
            Unfit::Proposal(count) => alloc::format!("proposes a cap of {count}, which it does not take"),
            Unfit::NoInvariant => String::from("names no invariant that holds whatever its state"),
            Unfit::UnknownInvariant(name) => alloc::format!("names the invariant `{name}`, which does not exist"),
            Unfit::Duplicate(key) => alloc::format!("repeats the key `{key}`"),
            Unfit::TooMany(count) => alloc::format!("is one of {count} toggles, and at most {TOGGLES_MAX} can be kept"),
        }
    }
}
