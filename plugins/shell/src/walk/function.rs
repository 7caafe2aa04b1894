//! Functions. A body is judged where it is defined, with its arguments unknown, so a call adds nothing. A function that
//! starts itself in parallel is a fork bomb.

use holdpoint_guest::{Effect, Operation, Reason, Scope, Segment, Span, TargetKind, Verb};
use shuck_ast::FunctionDef;

use super::{Flow, Stdin, Walker};
use crate::state::{Certainty, Folder, Folders, OnFailure};

/// A function whose body is being walked.
pub(crate) struct Defining {
    name: String,
    /// How many pipelines, substitutions and background commands are open in the body.
    parallel: usize,
}

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
        self.defining.push(Defining { name: name.clone(), parallel: 0 });
        self.sometimes(|walker| walker.isolated(|walker| walker.statement(&function.body, &inside, &Stdin::unseen())));
        self.defining.pop();
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
        if self.defining.iter().any(|defining| defining.name == name) {
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
        let bomb = self.defining.iter().any(|defining| defining.name == name && defining.parallel > 0);
        if bomb {
            let operation = Operation::new(Verb::Create, "fork-bomb", Effect::Irreversible, origin)
                .on(Segment::exact(TargetKind::Process, name))
                .reaching(Scope::Root);
            self.out.operation(operation);
        } else {
            self.out.operation(Operation::nothing(name, origin));
        }
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

    /// What follows runs beside the shell.
    pub(crate) fn enter_parallel(&mut self) {
        if let Some(defining) = self.defining.last_mut() {
            defining.parallel += 1;
        }
    }

    /// The end of what `enter_parallel` began.
    pub(crate) fn leave_parallel(&mut self) {
        if let Some(defining) = self.defining.last_mut() {
            defining.parallel = defining.parallel.saturating_sub(1);
        }
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
