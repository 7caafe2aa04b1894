//! Commands that run for real, against what is said about them.

#[cfg(test)]
mod programs;
#[cfg(test)]
mod utilities;
