//! Tools as judges: a command runs for real in a folder of its own, and what it changed there must be among what
//! Holdpoint said it would change. Saying too much is a question of comfort; saying too little is a hole.

pub mod folder;
pub mod told;
