//! Guards of the frozen core, in seconds and without wasmtime: what it may know, what it says, how it is written, and
//! that none of it changed unseen.
//!
//! Every guard names file and line, and says what to do. Snapshots are rewritten with
//! `UPDATE_EXPECT=1 cargo test -p holdpoint-tests-frozen` and then read, not accepted.

#[cfg(test)]
mod api_lines;
#[cfg(test)]
mod api_tree;
#[cfg(test)]
mod arrows;
#[cfg(test)]
mod bans;
#[cfg(test)]
mod compile_fail;
#[cfg(test)]
mod contract;
#[cfg(test)]
mod digest;
#[cfg(test)]
mod expect;
#[cfg(test)]
mod fixtures;
#[cfg(test)]
mod grant_cases;
#[cfg(test)]
mod grant_reading;
#[cfg(test)]
mod grants;
#[cfg(test)]
mod hours;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod licences;
#[cfg(test)]
mod manifests;
#[cfg(test)]
mod matrix;
#[cfg(test)]
mod metadata;
#[cfg(test)]
mod model;
#[cfg(test)]
mod owners;
#[cfg(test)]
mod paper;
#[cfg(test)]
mod public_api;
#[cfg(test)]
mod purity;
#[cfg(test)]
mod rust_text;
#[cfg(test)]
mod safety;
#[cfg(test)]
mod tidy;
#[cfg(test)]
mod tree;
mod violations;
