//! What surrounds a call: folders the host established. Nothing in it comes from the call.

use crate::paths::AbsPath;
use alloc::vec::Vec;

/// The folders that a judgement depends on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scene {
    /// Where the call starts; `None` if the host does not know.
    pub cwd: Option<AbsPath>,
    /// The folders the agent works in.
    pub workspace: Vec<AbsPath>,
    /// The home folder of the user the call runs as.
    pub home: Option<AbsPath>,
    /// The gate's own binary, state, configuration and trust data. A folder stands for everything in it.
    pub protected: Vec<AbsPath>,
}
