//! Assignments: what they change in the environment of later programs.

use holdpoint_guest::{Binding, Operation, Reason, Span, Word, WordKind};
use shuck_ast::{ArrayElem, Assignment, AssignmentValue, BuiltinCommand};

use super::values::bare_mentions;
use super::{Flow, Reach, Walker};
use crate::limits::ASSIGNMENTS_MAX;
use crate::names::{is_influential, is_special_to_shell};
use crate::state::{Constant, Export, Folder, Folders, From};
use crate::word::{Use, Zone, word_atoms};

/// A variable and its value in one folder.
pub(crate) struct Assigned {
    pub(crate) name: String,
    pub(crate) value: Word,
    pub(crate) origin: Span,
}

impl Walker<'_> {
    /// Walks what assignments run. More than are allowed leave a doubt.
    pub(crate) fn visit_assignments(&mut self, assignments: &[Assignment], folders: &Folders) {
        for assignment in assignments.iter().take(ASSIGNMENTS_MAX) {
            self.visit_assignment(assignment, folders);
        }
        if let Some(next) = assignments.get(ASSIGNMENTS_MAX) {
            self.doubt(Reason::OverBound, next.span);
        }
    }

    /// Walks what an assignment runs, and notes what it means for arithmetic.
    pub(crate) fn visit_assignment(&mut self, assignment: &Assignment, folders: &Folders) {
        self.counters.visit();
        if self.counters.is_exhausted() {
            return self.doubt(Reason::OverBound, assignment.span);
        }
        let name = assignment.target.name.as_str();
        self.visit_target(assignment);
        match &assignment.value {
            AssignmentValue::Scalar(word) => {
                self.visit_word(word, Zone::Bare, folders);
                let atoms = word_atoms(word, self.source, Zone::Bare);
                if !self.is_number_expansion(&word.parts) {
                    self.note_assignment(name, atoms.as_deref());
                }
            }
            AssignmentValue::Compound(array) => {
                self.arithmetic.is_array(name);
                self.only_bash(assignment.span);
                self.cover.range(array.span.start.offset(), array.span.start.offset() + 1);
                self.cover.range(array.span.end.offset().saturating_sub(1), array.span.end.offset());
                for element in &array.elements {
                    self.visit_element(name, element, folders);
                }
            }
        }
    }

    fn visit_target(&mut self, assignment: &Assignment) {
        let target = &assignment.target;
        self.visit_reference(target);
        let end = match &assignment.value {
            AssignmentValue::Scalar(word) if word.span.start.offset() < word.span.end.offset() => word.span.start,
            AssignmentValue::Scalar(_) => assignment.span.end,
            AssignmentValue::Compound(array) => array.span.start,
        };
        self.cover.range(target.name_span.start.offset(), end.offset());
        if target.subscript.is_some() {
            self.arithmetic.is_array(target.name.as_str());
        }
        if target.subscript.is_some() || assignment.append {
            self.only_bash(assignment.span);
        }
    }

    fn visit_element(&mut self, name: &str, element: &ArrayElem, folders: &Folders) {
        let span = element.span();
        match element {
            ArrayElem::Sequential(_) => {}
            ArrayElem::Keyed { key, value } | ArrayElem::KeyedAppend { key, value } => {
                self.visit_subscript(key);
                self.cover.range(span.start.offset().saturating_sub(1), value.span().start.offset());
            }
        }
        let word = &element.value().word;
        self.visit_word(word, Zone::Bare, folders);
        let atoms = word_atoms(word, self.source, Zone::Bare);
        if !self.is_number_expansion(&word.parts) {
            self.note_assignment(name, atoms.as_deref());
        }
    }

    /// The variable that an assignment sets, in one folder.
    pub(crate) fn assigned(&mut self, assignment: &Assignment, folder: &Folder) -> Assigned {
        let origin = self.place.of(assignment.span);
        let simple = assignment.target.subscript.is_none() && !assignment.append;
        let value = match &assignment.value {
            AssignmentValue::Scalar(word) if simple && word.span.start.offset() < word.span.end.offset() => {
                self.value_of(word, folder)
            }
            AssignmentValue::Scalar(word) if simple && word.parts.is_empty() => Word::exact("", origin),
            AssignmentValue::Scalar(_) | AssignmentValue::Compound(_) => {
                let text = assignment.span.slice(self.source);
                let text = text.split_once('=').map_or("", |(_, value)| value);
                if text.is_empty() { Word::exact("", origin) } else { Word::dynamic(text, origin) }
            }
        };
        Assigned { name: assignment.target.name.as_str().to_owned(), value, origin }
    }

    /// Assignments that stand alone: they change the shell, and its exported variables too.
    pub(crate) fn plain_assignments(&mut self, assignments: &[Assignment], folders: &Folders) {
        for assignment in assignments.iter().take(ASSIGNMENTS_MAX) {
            let reached = folders.reached();
            let folder = if let [only] = reached.as_slice() { only.clone() } else { Folder::Unknown };
            let variable = self.assigned(assignment, &folder);
            self.set_variable("=", variable, Export::Declared);
        }
    }

    /// Assignments in front of a command of the shell: what they set is gone after it, or stays, as the shell likes.
    pub(crate) fn passing_assignments(&mut self, assignments: &[Assignment], folders: &Folders) {
        for assignment in assignments.iter().take(ASSIGNMENTS_MAX) {
            let folder = folders.reached().into_iter().next().unwrap_or(Folder::Unknown);
            let variable = self.assigned(assignment, &folder);
            self.bind("=", &variable);
        }
    }

    /// Sets a variable of the shell.
    pub(crate) fn set_variable(&mut self, native: &str, variable: Assigned, export: Export) {
        self.bind(native, &variable);
        let Assigned { name, value, .. } = variable;
        if value.kind != WordKind::Dynamic && self.is_constant(&name) {
            self.counters.rely();
            let Word { text, kind, .. } = value.clone();
            self.state.constants.push(Constant { name: name.clone(), value: text, kind, from: From::Assignment });
        }
        let value = as_variable(&name, value);
        let exported = export == Export::All || self.state.export == Export::All;
        if exported || is_influential(&name) || self.state.env.iter().any(|binding| binding.name == name) {
            self.state.set_env(Binding { name, value });
        }
    }

    /// Whether a variable that is assigned here keeps this value for the rest of the text: the name stands nowhere else
    /// except where it is read, and nothing makes the shell leave the assignment out.
    fn is_constant(&self, name: &str) -> bool {
        self.reach == Reach::Always && !self.arithmetic.may_have_failed() && self.is_set_once(name)
    }

    /// Whether only one place of the text can set a variable.
    pub(crate) fn is_set_once(&self, name: &str) -> bool {
        self.spawning.defining.is_empty()
            && self.counters.is_outermost()
            && !is_influential(name)
            && !is_special_to_shell(name)
            && bare_mentions(self.source, name) == 1
    }

    /// Walks `break`, `continue`, `return` and `exit`.
    pub(crate) fn control(&mut self, builtin: &BuiltinCommand, folders: &Folders) -> Flow {
        let (name, code, extra, assignments, span) = match builtin {
            BuiltinCommand::Break(it) => ("break", &it.depth, &it.extra_args, &it.assignments, it.span),
            BuiltinCommand::Continue(it) => ("continue", &it.depth, &it.extra_args, &it.assignments, it.span),
            BuiltinCommand::Return(it) => ("return", &it.code, &it.extra_args, &it.assignments, it.span),
            BuiltinCommand::Exit(it) => ("exit", &it.code, &it.extra_args, &it.assignments, it.span),
        };
        self.note_name(name);
        self.counters.visit();
        self.cover_first_word(span, name);
        self.visit_assignments(assignments, folders);
        self.passing_assignments(assignments, folders);
        for word in code.iter().chain(extra) {
            self.visit_word(word, Zone::Bare, folders);
        }
        let origin = self.place.of(span);
        self.out.operation(Operation::nothing(name, origin));
        if self.shadowed(name).is_some() {
            return Flow::same(folders);
        }
        let ends = extra.is_empty() && code.as_ref().is_none_or(|code| is_status(code.span.slice(self.source)));
        match builtin {
            BuiltinCommand::Exit(_) if ends => Flow { ok: Folders::none(), failed: Folders::none(), program: None },
            // `exit --help` and `exit 1 2` go on.
            BuiltinCommand::Exit(_)
            | BuiltinCommand::Break(_)
            | BuiltinCommand::Continue(_)
            | BuiltinCommand::Return(_) => Flow::same(folders),
        }
    }

    /// Accounts for the name of a command whose name the parser does not keep as a word.
    fn cover_first_word(&mut self, span: shuck_ast::Span, name: &str) {
        let start = span.start.offset();
        if let Some(at) = self.source.get(start..span.end.offset()).and_then(|raw| raw.find(name)) {
            self.cover.range(start + at, start + at + name.len());
        }
    }

    /// Words of an assignment list as written, for operations that need the words in one folder.
    pub(crate) fn bindings(&mut self, assignments: &[Assignment], folder: &Folder) -> Vec<Binding> {
        let mut env = self.state.env.clone();
        for assignment in assignments.iter().take(ASSIGNMENTS_MAX) {
            let Assigned { name, value, .. } = self.assigned(assignment, folder);
            let value = as_variable(&name, value);
            env.retain(|binding| binding.name != name);
            env.push(Binding { name, value });
        }
        env
    }

    /// The words of one node as used for arguments.
    pub(crate) fn argument(&mut self, node: &shuck_ast::Word, folder: &Folder) -> Vec<Word> {
        self.words_of(node, folder, Use::Argument)
    }
}

/// A value as a program sees it. A pattern says nothing to those who read variables.
fn as_variable(name: &str, value: Word) -> Word {
    match value.kind {
        WordKind::Exact | WordKind::Dynamic => value,
        WordKind::Glob => Word::dynamic(format!("${name}"), value.origin),
    }
}

/// Whether a word surely ends the shell when it is given to `exit`.
fn is_status(text: &str) -> bool {
    matches!(text, "$?" | "\"$?\"") || (!text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()))
}
