//! What one file says.

use crate::config::{Lists, Sourced};
use holdpoint_core::level::Level;
use holdpoint_core::posture::{Pin, SessionAccess, Weight};
use holdpoint_core::rungs::Rung;

/// What one file says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    /// Levels, by principal; `None` for all.
    pub(crate) levels: Vec<(Option<String>, Sourced<Level>)>,
    /// Principals whose claims answer questions.
    pub(crate) attestations: Vec<Sourced<String>>,
    pub(crate) pins: Vec<Pin>,
    pub(crate) weights: Vec<Weight>,
    pub(crate) rungs: Vec<Rung>,
    pub(crate) session: Option<Sourced<SessionAccess>>,
    pub(crate) writes: Option<Sourced<Vec<String>>>,
    pub(crate) undo_s: Option<Sourced<u32>>,
    /// Toggles that deny while they are restrictive.
    pub(crate) denied: Vec<Sourced<String>>,
    pub(crate) lists: Lists,
    /// Where the catalogue stands, which may be empty.
    pub(crate) catalogue_source: Option<String>,
    pub(crate) wait_s: Option<Sourced<u32>>,
    pub(crate) webhook: Option<Sourced<String>>,
}
