//! Crashes of all kinds, from a seed.

#[cfg(test)]
mod askers;
#[cfg(test)]
mod changes;
#[cfg(test)]
mod explain;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod generations;
#[cfg(test)]
mod kept;
#[cfg(test)]
mod kill;
#[cfg(test)]
mod process;
#[cfg(test)]
mod toggles;
