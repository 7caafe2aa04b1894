//! Holdpoint for programs that embed it: judge a tool call, write the decision down, let exactly that call through.
//!
//! [`pipeline`] is the map of the product. This crate knows the core and, through the core's ports, nothing else: no
//! wasm, no file, no clock and no wire format. Whoever builds a [`Holdpoint`] hands those in.

mod builder;
mod claims;
mod classify;
mod flux;
mod links;
mod patterns;
pub mod pipeline;
mod plan;
mod recipes;
mod scripts;
mod snapshot;

pub use builder::{BuildError, Builder, Holdpoint, Notifier, Surroundings, Uncounted};
pub use claims::{Claim, Claims};
pub use classify::{ANSWER_BYTES_MAX, CALL_MS_MAX, ENTRIES_MAX, Entry, FactProvider, Links};
pub use holdpoint_core as core;
pub use pipeline::{Call, Caller, Request};
pub use plan::{PlanRun, Proposed, Stopped};
pub use snapshot::CapabilitySnapshot;
