//! The tables and vocabulary.toml agree, and what the lookups rely on holds.

use std::collections::BTreeSet;

use crate::kill;
use crate::table::{ACTS, Act, PROGRAMS};

use super::{corpora, short};

#[derive(Debug)]
struct Vocabulary {
    actions: BTreeSet<String>,
    programs: Vec<String>,
    obligations: BTreeSet<String>,
}

fn vocabulary() -> Vocabulary {
    let text = include_str!("../../vocabulary.toml");
    let value: toml::Table = toml::from_str(text).expect("vocabulary.toml");
    let strings = |value: &toml::Value| -> Vec<String> {
        value.as_array().expect("a list").iter().map(|item| item.as_str().expect("a text").to_owned()).collect()
    };
    Vocabulary {
        actions: strings(&value["actions"]).into_iter().collect(),
        programs: strings(&value["routes"]["programs"]),
        obligations: strings(&value["obligations"]).into_iter().collect(),
    }
}

fn action_of(act: &Act) -> String {
    format!("{} {}", short(&format!("{:?}", act.verb)), short(&format!("{:?}", act.kind)))
}

/// Acts that no handler reports under another name than the tables do.
fn declared() -> BTreeSet<String> {
    let mut all: BTreeSet<String> = ACTS.iter().map(|act| action_of(act)).collect();
    all.insert("nothing none".to_owned());
    // A temporary file that nobody else has.
    all.insert("create none".to_owned());
    all
}

#[test]
fn routes_are_the_programs_of_the_tables() {
    let names: Vec<&str> = PROGRAMS.iter().map(|program| program.name).collect();
    let routes = vocabulary().programs;
    assert_eq!(routes.iter().map(String::as_str).collect::<Vec<_>>(), names, "\nprograms = {names:?}\n");
}

#[test]
fn every_act_is_declared() {
    let declared = declared();
    assert_eq!(vocabulary().actions, declared, "\nactions = {:?}\n", declared.iter().collect::<Vec<_>>());
}

#[test]
fn what_commands_do_is_declared() {
    let vocabulary = vocabulary();
    for (command, finding) in corpora::claimed() {
        for operation in &finding.operations {
            let kind = operation.target.last().map_or("none".to_owned(), |last| short(&format!("{:?}", last.kind)));
            let action = format!("{} {kind}", short(&format!("{:?}", operation.verb)));
            assert!(vocabulary.actions.contains(&action), "{action}: {command:?}");
        }
        for obligation in &finding.obligations {
            assert!(vocabulary.obligations.contains(&short(&format!("{:?}", obligation.kind))), "{command:?}");
        }
    }
}

#[test]
fn tables_are_sorted() {
    assert!(PROGRAMS.is_sorted_by_key(|program| program.name));
    for program in PROGRAMS {
        assert!(program.options.is_sorted_by_key(|option| option.name), "{}", program.name);
        assert!(program.subs.is_sorted_by_key(|sub| sub.name), "{}", program.name);
    }
    assert!(kill::signals_are_sorted());
}

#[test]
fn variables_are_named_in_upper_case() {
    for name in PROGRAMS.iter().flat_map(|program| program.env) {
        assert_eq!(*name, name.to_ascii_uppercase(), "names are compared so");
    }
}

#[test]
fn wrappers_belong_to_the_shell_vocabulary() {
    let wrappers = [
        "bash",
        "busybox",
        "chroot",
        "chrt",
        "cmd",
        "dash",
        "doas",
        "env",
        "fish",
        "flock",
        "ionice",
        "ksh",
        "nice",
        "nohup",
        "nsenter",
        "parallel",
        "powershell",
        "script",
        "setsid",
        "sh",
        "ssh",
        "stdbuf",
        "strace",
        "su",
        "sudo",
        "taskset",
        "time",
        "timeout",
        "toybox",
        "unshare",
        "watch",
        "xargs",
        "zsh",
    ];
    for name in wrappers {
        assert!(crate::table::Program::named(name).is_none(), "{name}");
    }
}
