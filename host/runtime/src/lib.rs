//! Runs vocabularies: proves that a component can do nothing but answer, compiles it in a child process, keeps the
//! compiled code, and asks it about actions, each time in a fresh instance under every limit.
//!
//! Absent here: any judgement. A component that cannot be asked, or answers badly, is a [`Failure`] that the core counts
//! as unknown. The linker is empty, so there is nothing a component could call.

#![deny(unsafe_code)]

mod bindings;
mod cache;
mod classify;
mod compile;
mod convert;
mod limits;
mod manifest;
mod manifest_escape;
mod manifest_rung;
mod manifest_toggle;
mod prove;
mod sandbox;
mod vocabularies;

pub use cache::{Cache, CacheError};
pub use compile::{CompileError, Compiler, compile_from_stdin};
pub use holdpoint_core::ports::Failure;
pub use limits::Limits;
pub use manifest::{Manifest, ManifestError, Routes, SECTION, ToolRoute};
pub use manifest_escape::EscapeEntry;
pub use prove::{Proof, ProofError, prove};
pub use sandbox::{Sandbox, SandboxError};
pub use vocabularies::{Source, Vocabularies, Vocabulary};
