//! What must survive a crash: the state folder, the audit streams in it, secrets that are made once, and the configuration.
//!
//! An append returns only when its lines are on disk. What is absent:
//! - no clock: the time of an append is an argument;
//! - no judging: lines arrive finished, and only readers look into them: `verify`, `read`, `follow`, `export`, `toggles`;
//! - no path from outside below the state folder: everything in it is reached by descriptor, never through a symlink. Only
//!   the files of [`config`] lie where their owners put them.
//!
//! Read [`chain`] first: it is the one way in which bytes are added to a stream.
#![forbid(unsafe_code)]

pub mod anchor;
pub mod approvals;
pub mod chain;
pub mod config;
pub mod content;
pub mod day;
pub mod disk;
pub mod document;
pub mod error;
pub mod export;
mod filter;
pub mod folder;
pub mod follow;
pub mod generations;
mod heads;
pub mod holds;
pub mod kept;
mod lines;
pub mod operator;
mod plan_steps;
mod private;
pub mod question;
pub mod read;
pub mod secret;
pub mod storage;
pub mod streams;
mod tail;
mod toggle_lines;
mod toggle_states;
pub mod toggles;
pub mod transition;
pub mod trust;
mod trust_lines;
pub mod uses;
pub mod verify;

pub use approvals::{Answered, Answerer, Approvals, QUESTION_MS, Says};
pub use chain::{Appended, Repair, frozen_digest};
pub use content::{Content, Heard};
pub use day::Day;
pub use document::{ExportReport, verify_export};
pub use error::StoreError;
pub use export::{Range, export};
pub use folder::StateFolder;
pub use follow::Follow;
pub use generations::{Current, Generations, Refused};
pub use holds::{Frozen, Holds, Owner};
pub use plan_steps::PlanStep;
pub use question::Kept;
pub use read::{Answer, Counts, Cut, Entry, Filter, Member};
pub use read::{answer, count_for, read, read_day, tail, tail_recent_days};
pub use secret::secret;
pub use streams::{Decisions, Stream, Transitions};
pub use toggles::{By, Change, Changed, LayerBound, ToggleStates};
pub use transition::{Cap, Limits, Requester, Transition, TransitionResult};
pub use trust::{Seen, Trust, TrustChange, TrustState};
pub use trust_lines::{Generation, Revocation, Step, TrustedDocument, TrustedPublisher};
pub use uses::{Counting, Uses};
pub use verify::{Verification, verify};
