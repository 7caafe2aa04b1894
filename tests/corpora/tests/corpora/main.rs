//! The gate against corpora that nobody here wrote.

#![expect(clippy::indexing_slicing, reason = "a JSON document that lacks a member fails the test")]

mod failures;
mod laws;
mod own_rows;
mod rows;
mod setting;
mod verdicts;
