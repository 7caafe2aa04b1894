//! A journal line that nobody bounded.

use holdpoint_core::journal::Line;
use holdpoint_core::json::Json;

fn main() {
    let _ = Line { members: Json::Object(Vec::new()) };
}
