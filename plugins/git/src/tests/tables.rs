//! The tables and vocabulary.toml agree, and what the lookups rely on holds.

use std::collections::BTreeSet;

use super::short;
use crate::table::{ACTS, COMMANDS};

/// What handlers report that no table names.
const BY_HANDLERS: &[&str] = &["download git-remote", "get git-remote"];

#[test]
fn every_act_is_declared() {
    let value: toml::Table = toml::from_str(include_str!("../../vocabulary.toml")).expect("vocabulary.toml");
    let declared: BTreeSet<String> = value["actions"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|item| item.as_str().expect("a text").to_owned())
        .collect();
    let kind = |act: &crate::table::Act| act.kind.map_or("none".to_owned(), |kind| short(&format!("{kind:?}")));
    let mut acts: BTreeSet<String> =
        ACTS.iter().map(|act| format!("{} {}", short(&format!("{:?}", act.verb)), kind(act))).collect();
    acts.extend(BY_HANDLERS.iter().map(|action| (*action).to_owned()));
    assert_eq!(declared, acts);
}

#[test]
fn tables_are_sorted() {
    assert!(COMMANDS.is_sorted_by_key(|command| command.name));
    for command in COMMANDS {
        assert!(command.options.is_sorted_by_key(|option| option.name), "{}", command.name);
    }
}
