//! Seeded faults for the audit streams: a machine whose disk loses what was not synced, fails where a test says so, and
//! can be cut off at any operation.
//!
//! Must never be used by anything but tests. What it does not model: pages of one write that reach the disk out of
//! order, and a disk that loses what it acknowledged.
#![forbid(unsafe_code)]

pub mod agent;
pub mod machine;
pub mod seeded;
