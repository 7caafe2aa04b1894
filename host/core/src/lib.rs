//! The judging core of Holdpoint: what a call is, what is known about it, and what follows from that.
//!
//! Everything here is a pure function of its arguments. What is absent, and a test holds it:
//! - no IO, clock, randomness, environment or process: the crate is `no_std`;
//! - no wasm, no plugin code, no wire format of an agent host;
//! - no way from an error to a permission: judging returns an [`authorize::Outcome`], never a `Result`;
//! - no place but [`authorize`] that makes [`authorize::Authorized`] or [`authorize::Committed`].
//!
//! Read [`judge`] first: it is the decision, stage by stage.
#![no_std]
#![forbid(unsafe_code)]
#![deny(
    clippy::wildcard_enum_match_arm,
    clippy::arithmetic_side_effects,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice
)]
extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod action;
pub mod advice;
pub mod annotations;
pub mod approval;
pub mod asking;
pub mod assess;
pub mod authorize;
pub mod bound;
pub mod call;
pub mod credential;
pub mod declared;
pub mod decode;
pub mod digest;
pub mod finding;
pub mod floor;
mod floor_rules;
mod fold;
mod fold_table;
mod gate_rules;
pub mod gates;
pub mod glob;
pub mod grant;
pub mod injection;
pub mod journal;
pub mod json;
pub mod judge;
pub mod kinds;
mod kinds_table;
pub mod level;
pub mod notice;
pub mod operation;
pub mod outcome;
mod own_rules;
pub mod paths;
mod place_lists;
pub mod places;
pub mod plan;
pub mod ports;
pub mod posture;
pub mod proof;
pub mod refusal;
pub mod registry;
mod registry_agent;
mod registry_data;
mod registry_reach;
mod registry_unfit;
pub mod report;
pub mod resource;
pub mod run;
pub mod rungs;
mod runs;
pub mod scene;
pub mod toggle;
pub mod transition;
mod unescape;
pub mod uses;
pub mod verdict;
pub mod words;
