//! The operator's configuration: what it says, where each thing was said, and everything that is wrong with it.
//!
//! It is read in layers: the system's, the user's and the repository's. What tightens adds up over all of them. What widens
//! counts from the system and the user only: a repository may come from anybody. Where any layer cannot be read, everybody
//! observes and nothing is changed. What is absent: judging, a clock, and a default that lets through more than the file says.

mod bind;
mod checks;
mod edit;
mod entries;
mod files;
mod layers;
mod nearest;
mod problem;
mod reader;
mod sections;
mod text;
mod tree;
mod values;

pub use edit::{Edited, get, set};
pub use files::{File, Files, Presence};
pub use layers::{Decided, Ignored, default_level, load};
pub use problem::Problem;
pub use values::host_of;

use holdpoint_core::level::Level;
use holdpoint_core::paths::AbsPath;
use holdpoint_core::posture::Posture;
use holdpoint_core::run::Listed;
use holdpoint_core::rungs::Rung;
use holdpoint_core::words::{Word, WordSet};
use std::fmt;

/// Most bytes of one file.
pub const FILE_BYTES_MAX: usize = 256 << 10;
/// Most entries for principals in one file.
pub const PRINCIPALS_MAX: usize = 256;
/// Most entries of one list in one file.
pub const LIST_ENTRIES_MAX: usize = 1_024;
/// Longest entry of a list, and longest URL, in bytes.
pub const ENTRY_BYTES_MAX: usize = 1_024;
/// Longest time that a question waits for its answer, in seconds.
pub const WAIT_S_MAX: u32 = 86_400;
/// Longest time that a change can wait before it happens, in seconds. The hosts of hooks wait little longer for an answer.
pub const UNDO_S_MAX: u32 = 5;
/// Most problems that are told of one file.
pub const PROBLEMS_MAX: usize = 100;
/// The name of the user's file in the state folder.
pub const USER_FILE: &str = "config.toml";
/// The name of the repository's file in the workspace.
pub const REPOSITORY_FILE: &str = ".holdpoint.toml";

/// Who wrote a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    /// Whoever administers the machine.
    System,
    /// The user who operates the gate.
    User,
    /// Whoever wrote what the agent works on. It may only tighten.
    Repository,
}

impl fmt::Display for Layer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Layer::System => "system",
            Layer::User => "user",
            Layer::Repository => "repository",
        })
    }
}

/// A value and where it was written, as `FILE:LINE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sourced<T> {
    /// The value.
    pub value: T,
    /// Where.
    pub source: String,
}

/// The level of some principals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelEntry {
    /// Who wrote it.
    pub layer: Layer,
    /// For whom: a principal with every name under it, such as `mcp` for `mcp:claude-code`; `None` for all.
    pub principal: Option<String>,
    /// The highest level they may have.
    pub level: Level,
    /// Where, as `FILE:LINE`.
    pub source: String,
}

/// Lists that an operator keeps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lists {
    /// To whom mail may go without a question.
    pub recipients: Vec<Sourced<String>>,
    /// Kinds of memory that somebody reviewed.
    pub memory_kinds: Vec<Sourced<String>>,
    /// Where the agent's own program lies.
    pub core_roots: Vec<Sourced<AbsPath>>,
    /// The approved tools; `None` where no catalogue is kept.
    pub catalogue: Option<Vec<Sourced<Listed>>>,
}

/// Everything that was configured, over all layers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// Levels, in the order of the layers and files.
    pub levels: Vec<LevelEntry>,
    /// Principals whose claims answer questions.
    pub attestations: Vec<Sourced<String>>,
    /// What is held still. A freeze is no part of the configuration.
    pub posture: Posture,
    /// Rungs beyond the default ones.
    pub rungs: Vec<Rung>,
    /// Toggles that say no instead of asking while they are restrictive, by key.
    pub denied: Vec<Sourced<String>>,
    /// Where the session was limited, as `FILE:LINE`.
    pub session_sources: Vec<String>,
    /// Lists.
    pub lists: Lists,
    /// How long a question waits for its answer, in seconds.
    pub wait_s: Option<Sourced<u32>>,
    /// Where to tell of what happens: URLs.
    pub webhooks: Vec<Sourced<String>>,
    /// Everything that is wrong. Where there is anything, all of it counts as unreadable.
    pub problems: Vec<Problem>,
    /// What a layer tried to loosen, to no effect.
    pub ignored: Vec<Ignored>,
}

impl Config {
    /// The level of a principal that would have `default` if nothing were configured, and what decided it.
    pub fn level(&self, principal: &str, default: Level) -> Level {
        self.decided(principal, default).level
    }

    /// The toggles of the core that are set to deny.
    pub fn denied_toggles(&self) -> holdpoint_core::toggle::Permissive {
        let keys = self.denied.iter().filter_map(|denied| holdpoint_core::toggle::ToggleKey::from_word(&denied.value));
        keys.fold(WordSet::EMPTY, WordSet::with)
    }

    /// Whether a toggle is set to deny.
    pub fn denies(&self, key: &str) -> bool {
        self.denied.iter().any(|denied| denied.value == key)
    }

    /// Whether claims of a principal answer questions.
    pub fn accepts_attestation(&self, principal: &str) -> bool {
        self.problems.is_empty() && self.attestations.iter().any(|entry| is_under(principal, &entry.value))
    }
}

/// Whether a principal is the one that an entry names, or a name under it. What comes behind a colon may be what a caller
/// says of itself, so it can only match more entries.
pub fn is_under(principal: &str, named: &str) -> bool {
    principal == named || principal.strip_prefix(named).is_some_and(|rest| rest.starts_with(':'))
}
