//! A journal line that is said to be bounded and is not.

use holdpoint_core::journal::Line;
use holdpoint_core::json::Json;

fn main() {
    let _ = Line::bounded(Json::Object(Vec::new()));
}
