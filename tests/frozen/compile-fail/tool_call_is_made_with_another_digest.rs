//! A call that carries the digest of another, under which somebody approved it.

use holdpoint_core::action::ToolAction;
use holdpoint_core::call::ToolCall;
use holdpoint_core::digest::Digest;

fn forge(tool: ToolAction, digest: Digest) -> ToolCall {
    ToolCall { tool, digest }
}

fn main() {
    let _ = forge;
}
