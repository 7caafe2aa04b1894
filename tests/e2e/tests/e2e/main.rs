//! The built command, as a person or an agent host meets it.

mod audit;
mod bad_input;
mod check;
mod crash;
mod documents;
mod hook;
mod plugin;
