//! Links that a pattern, or a write to everything in a folder, passes over: the names in front are not written down, so they
//! are looked up, within a bound. Behind a link the rest of the pattern counts where the link leads.

use crate::classify::{ENTRIES_MAX, Entry, FactProvider};
use crate::links::resolve;
use holdpoint_core::assess::{Assessed, Assessment, NodeId};
use holdpoint_core::glob::{Reach, escape, names_meet};
use holdpoint_core::operation::{Certainty, Operation, Segment};
use holdpoint_core::paths::{AbsPath, Place};
use holdpoint_core::places;

/// The name that stands for any number of names.
const ANY_NAMES: &str = "**";

/// Operations behind links that patterns of the assessment meet, and the actions that write through more than was looked at.
pub(crate) fn through_links(
    assessment: &Assessment,
    facts: &dyn FactProvider,
) -> (Vec<(NodeId, Operation)>, Vec<NodeId>) {
    let (mut further, mut lost) = (Vec::new(), Vec::new());
    for assessed in assessment.operations() {
        let Some((folder, rest)) = looked_through(assessed) else { continue };
        let mut walk = Walk { facts, left: ENTRIES_MAX, complete: true, found: Vec::new() };
        let taking = if assessed.operation.removes() { Taking::Link } else { Taking::Target };
        walk.descend(&folder, &rest, taking);
        further
            .extend(walk.found.iter().filter_map(|(real, rest)| Some((assessed.node, behind(assessed, real, rest)?))));
        if !walk.complete && assessed.operation.writes() {
            lost.push(assessed.node);
        }
    }
    (further, lost)
}

/// The folder in which names have to be looked up, and the names. A pattern of any depth is looked up only for what writes:
/// a reader that goes down does not follow links by itself.
fn looked_through(assessed: &Assessed) -> Option<(AbsPath, Vec<String>)> {
    let changes = assessed.operation.writes() && !assessed.operation.removes();
    match assessed.place.as_ref()? {
        Place::Anywhere => None,
        Place::Pattern { folder, rest } => {
            (changes || !rest.iter().any(|name| name == ANY_NAMES)).then(|| (folder.clone(), rest.clone()))
        }
        Place::Exact(path) => {
            let recursive = places::reach(assessed.operation.scope) == Reach::Below;
            (changes && recursive).then(|| (path.clone(), vec![ANY_NAMES.to_owned()]))
        }
    }
}

/// What an operation works on where its last name is a link.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Taking {
    /// The link itself.
    Link,
    /// What it leads to.
    Target,
}

struct Walk<'a> {
    facts: &'a dyn FactProvider,
    /// Links and folders that may still be looked at.
    left: usize,
    complete: bool,
    found: Vec<(AbsPath, Vec<String>)>,
}

impl Walk<'_> {
    fn descend(&mut self, folder: &AbsPath, rest: &[String], taking: Taking) {
        let Some((first, behind)) = rest.split_first() else { return };
        let any_depth = first == ANY_NAMES;
        let Some(entries) = self.facts.entries(folder) else {
            // What is not there has no links. What cannot be looked at may have some.
            self.complete &= self.facts.links_at(folder) == crate::classify::Links::None;
            return;
        };
        for entry in entries {
            if self.left == 0 {
                self.complete = false;
                return;
            }
            self.left -= 1;
            let (Entry::Link(name) | Entry::Folder(name)) = &entry;
            if !any_depth && !names_meet(first, &escape(name)) {
                continue;
            }
            let Some(path) = folder.join(name) else { continue };
            let onwards = if any_depth { rest } else { behind };
            match entry {
                Entry::Folder(_) => self.descend(&path, onwards, taking),
                // The last name of a removal is taken away itself.
                Entry::Link(_) if taking == Taking::Link && onwards.is_empty() => {}
                Entry::Link(_) => {
                    if let Some(real) = resolve(&path.text(), self.facts) {
                        self.found.push((real, onwards.to_vec()));
                    }
                }
            }
        }
        if any_depth && !behind.is_empty() {
            self.descend(folder, behind, taking);
        }
    }
}

/// The same operation where a link leads.
fn behind(assessed: &Assessed, real: &AbsPath, rest: &[String]) -> Option<Operation> {
    let segment = assessed.operation.target.first()?;
    let names = real.names().iter().map(|name| escape(name)).chain(rest.iter().cloned());
    let (name, certainty) = if rest.is_empty() {
        (real.text(), Certainty::Exact)
    } else {
        (format!("/{}", names.collect::<Vec<_>>().join("/")), Certainty::Glob)
    };
    let mut operation = assessed.operation.clone();
    *operation.target.first_mut()? = Segment { kind: segment.kind, name, certainty };
    Some(operation)
}

#[cfg(test)]
#[path = "patterns_tests.rs"]
mod tests;
