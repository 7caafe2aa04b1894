//! The gate against corpora that nobody here wrote.

mod failures;
mod laws;
mod verdicts;
