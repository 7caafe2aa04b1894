//! Finds the option that an abbreviated long name stands for. It must never choose between options that differ.

use crate::table::{Opt, Program, Role};

/// The option that getopt_long takes `name` for: an exact match, or the only one that starts so. Several that agree in
/// everything but their names count as one.
pub(crate) fn resolve_long(program: &'static Program, name: &str) -> Option<&'static Opt> {
    if let Some(option) = program.option(name) {
        return Some(option);
    }
    // Nothing but dashes starts every long option.
    if name.len() <= 2 {
        return None;
    }
    let start = program.options.partition_point(|option| option.name < name);
    let mut candidates = program.options.iter().skip(start).take_while(|option| option.name.starts_with(name));
    let first = candidates.next()?;
    candidates.all(|other| other.takes == first.takes && same_role(first.role, other.role)).then_some(first)
}

/// Whether two options mean the same, so that an abbreviation of both is clear.
fn same_role(one: Role, other: Role) -> bool {
    match (one, other) {
        (Role::Flag, Role::Flag)
        | (Role::Recursive, Role::Recursive)
        | (Role::Text, Role::Text)
        | (Role::Operate, Role::Operate)
        | (Role::ModeBits, Role::ModeBits)
        | (Role::Prefix, Role::Prefix)
        | (Role::Stem, Role::Stem)
        | (Role::Neighbours, Role::Neighbours)
        | (Role::NamePart, Role::NamePart)
        | (Role::Folders, Role::Folders)
        | (Role::ListFile, Role::ListFile)
        | (Role::HostsFile, Role::HostsFile)
        | (Role::Display, Role::Display)
        | (Role::Account, Role::Account) => true,
        (Role::Act(one), Role::Act(other)) => std::ptr::eq(one, other),
        (Role::Mode(one), Role::Mode(other)) => one == other,
        (Role::Tag(one), Role::Tag(other)) => one == other,
        // Programs to run are reported with the option's own place, which an abbreviation leaves open.
        (
            Role::Flag
            | Role::Recursive
            | Role::Text
            | Role::Act(_)
            | Role::ExecShell
            | Role::ExecProgram
            | Role::ExecOnFiles
            | Role::Folders
            | Role::ListFile
            | Role::HostsFile
            | Role::Display
            | Role::Mode(_)
            | Role::Operate
            | Role::ModeBits
            | Role::Prefix
            | Role::Stem
            | Role::Neighbours
            | Role::NamePart
            | Role::Account
            | Role::Tag(_),
            _,
        ) => false,
    }
}
