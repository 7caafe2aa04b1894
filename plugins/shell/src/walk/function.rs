//! Functions. A body is judged where it is defined, with its arguments unknown, so a call adds nothing.

use holdpoint_guest::{Operation, Reason, Span};
use shuck_ast::FunctionDef;

use super::{Flow, Stdin, Walker};
use crate::state::{Certainty, Folder, Folders, OnFailure};

impl Walker<'_> {
    /// Walks a definition.
    pub(crate) fn function(&mut self, function: &FunctionDef, folders: &Folders) -> Flow {
        if function.uses_function_keyword() {
            self.only_bash(function.span);
        }
        let [entry] = function.header.entries.as_slice() else {
            self.doubt(Reason::UnsupportedSyntax, function.span);
            return Flow::same(folders);
        };
        let Some(name) = entry.static_name.as_ref().map(|name| name.as_str().to_owned()) else {
            self.doubt(Reason::UnsupportedSyntax, function.span);
            return Flow::same(folders);
        };
        self.cover.all(entry.word.span);
        if name != entry.word.span.slice(self.source) || name.contains(['$', '`', '\\', '\'', '"', '/', '=']) {
            self.doubt(Reason::UnsupportedSyntax, entry.word.span);
        }
        let inside = if self.changes_folder() { Folders::only(Folder::Unknown) } else { folders.clone() };
        self.defining(&name, &function.body, |walker| {
            walker.sometimes(|walker| {
                walker.isolated(|walker| walker.statement(&function.body, &inside, &Stdin::unseen()))
            })
        });
        let certainty = self.certainty();
        self.state.functions.push((name.clone(), certainty));
        let origin = self.place.of(function.span);
        self.shell_state("function", &name, origin);
        Flow::same(folders)
    }

    /// Whether the text may change its working folder, as far as a glance tells.
    pub(crate) fn changes_folder(&self) -> bool {
        !self.counters.is_outermost() || ["cd", "pushd", "popd"].iter().any(|name| self.source.contains(name))
    }

    /// Whether a function of this name is in force.
    pub(crate) fn shadowed(&self, name: &str) -> Option<Certainty> {
        if self.spawning.defining.iter().any(|defining| defining.name == name) {
            return Some(Certainty::Certain);
        }
        let mut found = self.state.functions.iter().filter(|(known, _)| known == name).map(|(_, certainty)| *certainty);
        let first = found.next()?;
        let certain = first == Certainty::Certain || found.any(|certainty| certainty == Certainty::Certain);
        Some(if certain { Certainty::Certain } else { Certainty::Possible })
    }

    /// Whether a command may be another one than its name says, also because of what stands further on in a loop.
    pub(crate) fn may_be_replaced(&self, name: &str) -> bool {
        let is_alias = self.state.aliases.iter().any(|alias| alias == name);
        is_alias || self.shadowed(name).is_some() || defines(self.source, name)
    }

    /// A call of a function.
    pub(crate) fn called(&mut self, name: &str, origin: Span, folders: &Folders) -> Flow {
        self.out.operation(Operation::nothing(name, origin));
        // Nor is what it does to the options of the shell.
        if self.source.contains("+e") || self.source.contains("+o") {
            self.state.on_failure = OnFailure::Continue;
        }
        // What a body does to the working folder is not followed.
        if self.changes_folder() {
            let unknown = Folders::only(Folder::Unknown);
            return Flow::same(&folders.or(&unknown).map(|_| Folder::Unknown));
        }
        Flow::same(folders)
    }
}

/// Whether a text seems to define a function of this name somewhere.
fn defines(source: &str, name: &str) -> bool {
    source.match_indices(name).any(|(at, _)| {
        let before = source.get(..at).unwrap_or("");
        let after = source.get(at + name.len()..).unwrap_or("").trim_start();
        after.starts_with('(') || before.trim_end().ends_with("function")
    })
}
