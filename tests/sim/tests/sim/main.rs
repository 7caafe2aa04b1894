//! Crashes of all kinds, from a seed.

#[cfg(test)]
mod faults;
#[cfg(test)]
mod kill;
