//! A made-up answer in the place of a rule of the floor.

use holdpoint_core::floor::Invariant;
use holdpoint_core::floor::fakes::{Answer, Fakes};

fn main() {
    let _ = Fakes::new(&[(Invariant::ProtectedPath, Answer::Holds)]);
}
