//! What a toggle is, and the rules that each is built by. A toggle that breaks one cannot exist, whether it is one of the
//! core's own or declared by a vocabulary.

use crate::declared::{DeclaredGate, DeclaredKey, Restrictive};
use crate::floor::Invariant;
use crate::grant::GRANT_USES_MAX;
use crate::words::{Word, words};
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

pub use crate::registry_data::own_registry;
pub use crate::registry_unfit::Unfit;

/// Bullets of a warning: what it does, how it fails at once, how it fails at worst, how wide it reaches, when to leave it.
pub const WARNING_BULLETS: usize = 5;
/// Words that a phrase has at least. A shorter one is typed without being read.
pub const PHRASE_WORDS_MIN: usize = 3;
/// Longest phrase, in bytes.
pub const PHRASE_BYTES_MAX: usize = 120;
/// Longest label, description or bullet, in bytes.
pub const TEXT_BYTES_MAX: usize = 400;
/// Longest key, in bytes.
pub const KEY_BYTES_MAX: usize = 120;
/// Shortest wait between two loosenings of one toggle, in seconds.
pub const COOLDOWN_S_MIN: u32 = 60;
/// Longest wait, in seconds.
pub const COOLDOWN_S_MAX: u32 = 3_600;
/// Most toggles of one registry.
pub const TOGGLES_MAX: usize = 256;

/// Phrases that fit every toggle, so that typing one shows nothing.
const GENERIC_PHRASES: &[&str] =
    &["i understand the risk", "i understand the risks", "yes i am sure", "i agree to this"];

words! {
    /// Whether a toggle gates.
    ToggleState { Restrictive = "restrictive", Permissive = "permissive" }
}

words! {
    /// What a toggle is about, for listings.
    Category {
        Comms = "comms", Code = "code", Fs = "fs", Net = "net", Memory = "memory", Sec = "sec", Input = "input",
    }
}

words! {
    /// Whether the operator's password is asked for again.
    Reauth { NotNeeded = "not-needed", Required = "required" }
}

/// The limit that an operator sets when loosening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CapShape {
    /// A number a UTC day.
    Daily {
        /// What is counted.
        name: Cow<'static, str>,
        /// The least number that loosens anything. A smaller one would be stricter than leaving the toggle as it is.
        least: u64,
        /// What is offered first.
        proposal: u64,
        /// What it means.
        notes: Cow<'static, str>,
    },
    /// A list of names.
    List {
        /// What is listed.
        name: Cow<'static, str>,
        /// What it means.
        notes: Cow<'static, str>,
    },
}

/// Everything a toggle says of itself, before anybody has looked at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// Dotted, in lowercase.
    pub key: Cow<'static, str>,
    /// A few words.
    pub label: Cow<'static, str>,
    /// Where it is listed.
    pub category: Category,
    /// How it starts.
    pub default_state: ToggleState,
    /// One sentence.
    pub description: Cow<'static, str>,
    /// See [`WARNING_BULLETS`].
    pub warning: Vec<Cow<'static, str>>,
    /// What an operator types to loosen it.
    pub phrase: Cow<'static, str>,
    /// Whether the password is asked for again.
    pub reauth: Reauth,
    /// Seconds between two loosenings.
    pub cooldown_s: u32,
    /// The limit that comes with loosening.
    pub cap: Option<CapShape>,
    /// Invariants that hold whatever its state, by name.
    pub invariants: Vec<Cow<'static, str>>,
    /// What it gates, for a toggle of a vocabulary. What the core's own gate stands in `gates`.
    pub gate: Option<DeclaredGate>,
}

/// A toggle that keeps every rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SafetyToggle {
    declaration: Declaration,
    invariants: Vec<Invariant>,
}

impl SafetyToggle {
    /// Checks a declaration.
    pub fn new(declaration: Declaration) -> Result<SafetyToggle, Unfit> {
        if !is_key(&declaration.key) {
            return Err(Unfit::Key);
        }
        let texts = [("label", &declaration.label), ("description", &declaration.description)];
        let bullets = declaration.warning.iter().map(|bullet| ("warning", bullet));
        if let Some((name, _)) = texts.into_iter().chain(bullets).find(|(_, text)| !is_line(text)) {
            return Err(Unfit::Text(name));
        }
        if declaration.warning.len() != WARNING_BULLETS {
            return Err(Unfit::Bullets(declaration.warning.len()));
        }
        if declaration.default_state != ToggleState::Restrictive {
            return Err(Unfit::StartsPermissive);
        }
        if !is_specific(&declaration.phrase) {
            return Err(Unfit::Phrase);
        }
        if !(COOLDOWN_S_MIN..=COOLDOWN_S_MAX).contains(&declaration.cooldown_s) {
            return Err(Unfit::Cooldown(declaration.cooldown_s));
        }
        if let Some(CapShape::Daily { name, notes, .. } | CapShape::List { name, notes }) = &declaration.cap
            && !(is_line(name) && is_line(notes))
        {
            return Err(Unfit::Text("cap"));
        }
        if let Some(CapShape::Daily { least, proposal, .. }) = declaration.cap
            && !(1 <= least && least <= proposal && proposal <= GRANT_USES_MAX)
        {
            return Err(Unfit::Proposal(proposal));
        }
        let invariants = invariants_of(&declaration.invariants)?;
        Ok(SafetyToggle { declaration, invariants })
    }

    /// What it says of itself.
    pub fn declaration(&self) -> &Declaration {
        &self.declaration
    }

    /// The invariants that hold whatever its state.
    pub fn invariants(&self) -> &[Invariant] {
        &self.invariants
    }
}

fn invariants_of(names: &[Cow<'static, str>]) -> Result<Vec<Invariant>, Unfit> {
    if names.is_empty() {
        return Err(Unfit::NoInvariant);
    }
    let known = |name: &Cow<'static, str>| {
        Invariant::from_word(name).ok_or_else(|| Unfit::UnknownInvariant(String::from(&**name)))
    };
    names.iter().map(known).collect()
}

/// Whether a key is two or more names of lowercase letters, digits, `_` and `-` with dots between.
fn is_key(key: &str) -> bool {
    let fine = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || matches!(letter, '_' | '-');
    let part = |part: &str| !part.is_empty() && part.chars().all(fine);
    key.len() <= KEY_BYTES_MAX && key.contains('.') && key.split('.').all(part)
}

fn is_line(text: &str) -> bool {
    !text.trim().is_empty() && text.len() <= TEXT_BYTES_MAX && !text.chars().any(char::is_control)
}

/// Whether a phrase says what it loosens. Only what every keyboard has can be typed again.
fn is_specific(phrase: &str) -> bool {
    let typed =
        phrase.len() <= PHRASE_BYTES_MAX && phrase.chars().all(|letter| letter == ' ' || letter.is_ascii_graphic());
    let trimmed = phrase == phrase.trim();
    let generic = GENERIC_PHRASES.contains(&phrase.to_ascii_lowercase().as_str());
    typed && trimmed && !generic && phrase.split_whitespace().count() >= PHRASE_WORDS_MIN
}

/// Toggles in a stable order, each key once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registry {
    toggles: Vec<SafetyToggle>,
}

impl Registry {
    /// A registry of these toggles.
    pub fn new(toggles: Vec<SafetyToggle>) -> Result<Registry, Unfit> {
        if toggles.len() > TOGGLES_MAX {
            return Err(Unfit::TooMany(toggles.len()));
        }
        for (index, toggle) in toggles.iter().enumerate() {
            let key = &toggle.declaration.key;
            if toggles.iter().take(index).any(|earlier| earlier.declaration.key == *key) {
                return Err(Unfit::Duplicate(String::from(&**key)));
            }
        }
        Ok(Registry { toggles })
    }

    /// This registry and the toggles that a vocabulary declares, all under the vocabulary's name.
    pub fn with_vocabulary(self, name: &str, declared: Vec<Declaration>) -> Result<Registry, Unfit> {
        let mut toggles = self.toggles;
        for declaration in declared {
            let own = declaration.key.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
            if !own || DeclaredKey::new(&declaration.key).is_none() {
                return Err(Unfit::Prefix);
            }
            let gates = declaration.gate.as_ref().is_some_and(DeclaredGate::is_fit);
            if !gates || declaration.cap.is_some() {
                return Err(Unfit::Gate);
            }
            toggles.push(SafetyToggle::new(declaration)?);
        }
        Registry::new(toggles)
    }

    /// All toggles.
    pub fn toggles(&self) -> &[SafetyToggle] {
        &self.toggles
    }

    /// The toggles of vocabularies, as far as they are restrictive.
    pub fn restrictive(&self, is_loosened: impl Fn(&str) -> bool) -> Vec<Restrictive> {
        let restrictive = |toggle: &SafetyToggle| {
            let about = &toggle.declaration;
            let (key, gate) = (DeclaredKey::new(&about.key)?, about.gate.clone()?);
            (!is_loosened(&about.key)).then(|| Restrictive { key, gate, label: String::from(&*about.label) })
        };
        self.toggles.iter().filter_map(restrictive).collect()
    }

    /// The toggle with this key.
    pub fn get(&self, key: &str) -> Option<&SafetyToggle> {
        self.toggles.iter().find(|toggle| toggle.declaration.key == key)
    }
}

#[cfg(test)]
#[path = "registry_tests.rs"]
mod tests;
