//! A journal line that nobody bounded.

use holdpoint_core::journal::Line;

fn main() {
    let _ = Line { members: String::new() };
}
