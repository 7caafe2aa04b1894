//! Hours that no text can say.

use holdpoint_core::grant::Hours;
use holdpoint_core::words::WordSet;

fn main() {
    let _ = Hours { days: WordSet::EMPTY, from_min: 0, to_min: 9_999 };
}
