//! Toggles that a manifest declares, as `vocabulary.toml` has them.

use holdpoint_core::declared::DeclaredGate;
use holdpoint_core::operation::{Effect, TargetKind, Verb};
use holdpoint_core::registry::{Declaration, ToggleState};
use holdpoint_core::verdict::Decision;
use holdpoint_core::words::Word;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A toggle of a vocabulary. It starts restrictive, and loosening it is the same ceremony as for the core's own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToggleEntry {
    /// Dotted, in lowercase, under the vocabulary's name.
    pub key: String,
    /// A few words.
    pub label: String,
    /// Where it is listed: one of the core's categories.
    pub category: String,
    /// One sentence.
    pub description: String,
    /// Five bullets: what it does, how it fails at once, how it fails at worst, how wide it reaches, when to leave it.
    pub warning: Vec<String>,
    /// What an operator types to loosen it.
    pub phrase: String,
    /// `required` or `not-needed`: whether the password is asked for again.
    pub reauth: String,
    /// Seconds between two loosenings.
    pub cooldown_s: u32,
    /// Pairs of verb and kind of target that it gates, each among the vocabulary's own actions.
    pub gates: Vec<String>,
    /// The least effect that it gates.
    #[serde(default = "least_effect")]
    pub effect: String,
    /// `ask` or `deny`, while it is restrictive.
    pub verdict: String,
    /// Invariants of the core that hold whatever its state.
    pub invariants: Vec<String>,
}

fn least_effect() -> String {
    Effect::Reversible.as_str().to_owned()
}

impl ToggleEntry {
    /// What the core checks and keeps, or what is wrong.
    pub fn declaration(&self, actions: &[String]) -> Result<Declaration, String> {
        let owned = |text: &String| Cow::Owned(text.clone());
        let gate = DeclaredGate {
            verdict: word::<Decision>("verdict", &self.verdict)?,
            actions: self.gates.iter().map(|gate| gated(gate, actions)).collect::<Result<_, _>>()?,
            effect_min: word("effect", &self.effect)?,
        };
        Ok(Declaration {
            key: owned(&self.key),
            label: owned(&self.label),
            category: word("category", &self.category)?,
            default_state: ToggleState::Restrictive,
            description: owned(&self.description),
            warning: self.warning.iter().map(owned).collect(),
            phrase: owned(&self.phrase),
            reauth: word("reauth", &self.reauth)?,
            cooldown_s: self.cooldown_s,
            cap: None,
            invariants: self.invariants.iter().map(owned).collect(),
            gate: Some(gate),
        })
    }
}

/// A vocabulary can keep back what it reports itself, and nothing of anybody else's.
fn gated(gate: &str, actions: &[String]) -> Result<(Verb, Option<TargetKind>), String> {
    let known = actions.iter().any(|action| action == gate);
    let pair = action(gate).filter(|_| known);
    pair.ok_or_else(|| format!("gates `{gate}`, which is not among the vocabulary's actions"))
}

/// A verb and a kind of target, as manifests write them.
pub(crate) fn action(text: &str) -> Option<(Verb, Option<TargetKind>)> {
    let (verb, kind) = text.split_once(' ')?;
    let kind = if kind == "none" { None } else { Some(TargetKind::from_word(kind)?) };
    Some((Verb::from_word(verb)?, kind))
}

pub(crate) fn word<T: Word>(field: &str, text: &str) -> Result<T, String> {
    let known = || T::ALL.iter().map(|word| word.as_str()).collect::<Vec<_>>().join(", ");
    T::from_word(text).ok_or_else(|| format!("has the {field} `{text}`; known: {}", known()))
}
