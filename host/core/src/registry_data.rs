//! The core's own toggles, put together from data.

use crate::registry::{CapShape, Category, Declaration, Reauth, Registry, SafetyToggle, ToggleState, Unfit};
use crate::registry_agent::AGENT_TOGGLES;
use crate::registry_reach::REACH_TOGGLES;
use crate::toggle::ToggleKey;
use crate::words::Word;
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// A toggle of the core, with what differs between them.
pub(crate) struct Own {
    pub(crate) key: ToggleKey,
    pub(crate) label: &'static str,
    pub(crate) category: Category,
    pub(crate) description: &'static str,
    pub(crate) warning: [&'static str; 5],
    pub(crate) phrase: &'static str,
    pub(crate) reauth: Reauth,
    pub(crate) cooldown_s: u32,
    pub(crate) cap: Option<CapShape>,
    pub(crate) invariants: &'static [&'static str],
}

/// The registry of the core's own toggles.
pub fn own_registry() -> Result<Registry, Unfit> {
    let toggles: Result<Vec<SafetyToggle>, Unfit> =
        AGENT_TOGGLES.iter().chain(REACH_TOGGLES).map(|own| SafetyToggle::new(declaration(own))).collect();
    Registry::new(toggles?)
}

fn declaration(own: &Own) -> Declaration {
    Declaration {
        key: Cow::Borrowed(own.key.as_str()),
        label: Cow::Borrowed(own.label),
        category: own.category,
        default_state: ToggleState::Restrictive,
        description: Cow::Borrowed(own.description),
        warning: own.warning.iter().map(|bullet| Cow::Borrowed(*bullet)).collect(),
        phrase: Cow::Borrowed(own.phrase),
        reauth: own.reauth,
        cooldown_s: own.cooldown_s,
        cap: own.cap.clone(),
        gate: None,
        invariants: own.invariants.iter().map(|name| Cow::Borrowed(*name)).collect(),
    }
}
