//! The store on a real disk, through its public interface.

#![expect(clippy::disallowed_methods, reason = "many threads write at once")]

#[cfg(test)]
mod append;
#[cfg(test)]
mod approvals;
#[cfg(test)]
mod asking;
#[cfg(test)]
mod bounds;
#[cfg(test)]
mod config;
#[cfg(test)]
mod config_edit;
#[cfg(test)]
mod config_law;
#[cfg(test)]
mod config_layers;
#[cfg(test)]
mod content;
#[cfg(test)]
mod cost;
#[cfg(test)]
mod damage;
#[cfg(test)]
mod export;
#[cfg(test)]
mod follow;
#[cfg(test)]
mod generations;
#[cfg(test)]
mod holds;
#[cfg(test)]
mod kept;
#[cfg(test)]
mod limits;
#[cfg(test)]
mod operator;
#[cfg(test)]
mod plans;
#[cfg(test)]
mod readers;
#[cfg(test)]
mod rollback;
#[cfg(test)]
mod scratch;
#[cfg(test)]
mod secrets;
#[cfg(test)]
mod state_folder;
#[cfg(test)]
mod toggles;
#[cfg(test)]
mod transitions;
#[cfg(test)]
mod trust;
#[cfg(test)]
mod uses;
