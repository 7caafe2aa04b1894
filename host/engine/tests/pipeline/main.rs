//! The pipeline with vocabularies and journals of the test's own: bounds of the worklist, facts, tools that do not exist,
//! and a journal that fails.

mod answering;
mod counting;
mod fakes;
mod judging;
mod planning;
