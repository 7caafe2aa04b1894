//! The built command, as a person or an agent host meets it.

#![expect(clippy::indexing_slicing, reason = "a JSON document that lacks a member fails the test")]

mod answers;
mod approvals;
#[cfg(test)]
mod audit;
mod bad_input;
mod check;
mod config;
mod crash;
mod documents;
mod escapes;
mod hook;
#[cfg(test)]
mod links;
mod own;
mod own_words;
mod paper;
mod plugin;
mod schema;
mod toggle;
mod trust;
