//! The crate from outside: attacks, limits, laws and the documented bytes.

mod attacks;
mod authority;
mod documented;
mod laws;
mod limits;
mod support;
mod time_and_names;
