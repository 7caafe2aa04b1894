//! Toggles that vocabularies declare: a key under the vocabulary's name, and the operations that wait for a person while it
//! is restrictive. They only add to what the core's own toggles say, never take anything from it.

use crate::operation::{Effect, Operation, TargetKind, Verb};
use crate::verdict::Decision;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// Longest key of a declared toggle, in bytes.
pub const DECLARED_KEY_BYTES_MAX: usize = 64;
/// Most actions that one declared toggle gates.
pub const GATED_ACTIONS_MAX: usize = 256;

/// The key of a declared toggle, held in place so that a rule can be copied.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct DeclaredKey {
    bytes: [u8; DECLARED_KEY_BYTES_MAX],
    length: usize,
}

impl DeclaredKey {
    /// The key, if it is short enough.
    pub fn new(key: &str) -> Option<DeclaredKey> {
        let mut bytes = [0; DECLARED_KEY_BYTES_MAX];
        bytes.get_mut(..key.len())?.copy_from_slice(key.as_bytes());
        Some(DeclaredKey { bytes, length: key.len() })
    }

    /// Its text.
    pub fn as_str(&self) -> &str {
        self.bytes.get(..self.length).and_then(|bytes| core::str::from_utf8(bytes).ok()).unwrap_or_default()
    }
}

impl fmt::Debug for DeclaredKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), formatter)
    }
}

/// What a declared toggle gates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredGate {
    /// What it says while it is restrictive.
    pub verdict: Decision,
    /// Operations by what they do to what.
    pub actions: Vec<(Verb, Option<TargetKind>)>,
    /// Only operations of at least this effect.
    pub effect_min: Effect,
}

impl DeclaredGate {
    /// Whether it says anything, and anything but "allow".
    pub fn is_fit(&self) -> bool {
        self.verdict != Decision::Allow && !self.actions.is_empty() && self.actions.len() <= GATED_ACTIONS_MAX
    }

    /// Whether it gates an operation.
    pub fn holds(&self, operation: &Operation) -> bool {
        let is = |(verb, kind): &(Verb, Option<TargetKind>)| operation.verb == *verb && operation.kind() == *kind;
        operation.effect >= self.effect_min && self.actions.iter().any(is)
    }
}

/// A declared toggle that is restrictive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restrictive {
    /// Its key.
    pub key: DeclaredKey,
    /// What it gates.
    pub gate: DeclaredGate,
    /// What it is called.
    pub label: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_just_over_its_bound_cannot_be_made() {
        let longest = "k".repeat(DECLARED_KEY_BYTES_MAX);
        assert_eq!(DeclaredKey::new(&longest).map(|key| String::from(key.as_str())), Some(longest.clone()));
        assert_eq!(DeclaredKey::new(&(longest + "k")), None);
    }

    #[test]
    fn a_gate_that_could_say_nothing_is_unfit() {
        let gate = |verdict, count| DeclaredGate {
            verdict,
            actions: alloc::vec![(Verb::Delete, None); count],
            effect_min: Effect::None,
        };
        assert!(gate(Decision::Ask, 1).is_fit() && gate(Decision::Deny, GATED_ACTIONS_MAX).is_fit());
        assert!(!gate(Decision::Allow, 1).is_fit() && !gate(Decision::Ask, 0).is_fit());
        assert!(!gate(Decision::Ask, GATED_ACTIONS_MAX.saturating_add(1)).is_fit());
    }
}
