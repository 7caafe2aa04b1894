//! A call changed after its digest was taken.

use holdpoint_core::call::ToolCall;

fn change(mut call: ToolCall) -> ToolCall {
    call.tool.name = "other".into();
    call
}

fn main() {
    let _ = change;
}
