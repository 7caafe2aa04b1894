//! Declarations: `export`, `declare`, `local`, `readonly`, `typeset`.

use holdpoint_guest::{Binding, Reason, Span, Word, WordKind};
use shuck_ast::{Assignment, AssignmentValue, DeclClause, DeclOperand, VarRef};

use super::arith::{is_number, is_plain_number};
use super::{Assigned, Flow, Walker};
use crate::names::is_influential;
use crate::state::{Export, Folder, Folders};
use crate::word::{Zone, is_name, word_atoms};

impl Walker<'_> {
    /// Walks `export`, `declare`, `local`, `readonly` and `typeset` with the parser's reading of their operands.
    pub(crate) fn declaration(&mut self, declaration: &DeclClause, folders: &Folders) -> Flow {
        let native = declaration.variant.as_str();
        self.note_name(native);
        if matches!(native, "declare" | "typeset") {
            self.only_bash(declaration.span);
        }
        self.cover.all(declaration.variant_span);
        self.counters.visit();
        let origin = self.place.of(declaration.span);
        self.visit_assignments(&declaration.assignments, folders);
        self.passing_assignments(&declaration.assignments, folders);
        let mut flags = String::new();
        for operand in &declaration.operands {
            self.operand(native, operand, folders, &mut flags);
        }
        self.shell_state(native, "", origin);
        if self.shadowed(native).is_some() {
            self.doubt(Reason::UnsupportedSyntax, declaration.span);
        }
        Flow::same(folders)
    }

    fn operand(&mut self, native: &str, operand: &DeclOperand, folders: &Folders, flags: &mut String) {
        match operand {
            DeclOperand::Flag(word) => {
                self.visit_word(word, Zone::Bare, folders);
                let word = self.value_of(word, &Folder::Same);
                self.flag(native, &word, flags);
            }
            DeclOperand::Name(reference) => self.declared_name(native, reference, flags),
            DeclOperand::Assignment(assignment) => self.declared_value(native, assignment, folders, flags),
            DeclOperand::Dynamic(word) => {
                self.visit_word(word, Zone::Bare, folders);
                self.doubt(Reason::DynamicWord, word.span);
            }
        }
    }

    /// A name without a value: it is exported, gets properties, or becomes local and thereby unset.
    fn declared_name(&mut self, native: &str, reference: &VarRef, flags: &str) {
        self.cover.all(reference.span);
        self.visit_reference(reference);
        let name = reference.name.as_str().to_owned();
        let origin = self.place.of(reference.span);
        if flags.contains('i') {
            self.arithmetic.evaluates_names(&name, origin);
        }
        if flags.contains(['a', 'A']) {
            self.arithmetic.is_array(&name);
        }
        if native == "readonly" || flags.contains('r') {
            self.arithmetic.is_read_only(&name);
        }
        let prints = flags.contains(['p', 'f', 'F']);
        if native == "export" || flags.contains('x') {
            self.export_name(native, reference, flags);
        } else if !prints && is_influential(&name) {
            let value = Word::dynamic(format!("${name}"), origin);
            self.judge_name(native, &Assigned { name, value, origin });
        }
    }

    fn declared_value(&mut self, native: &str, assignment: &Assignment, folders: &Folders, flags: &str) {
        self.visit_assignment(assignment, folders);
        let mut variable = self.assigned(assignment, &folders.reached().first().cloned().unwrap_or(Folder::Unknown));
        if flags.contains('i') {
            // Whatever else it is given in this text is evaluated too.
            self.arithmetic.evaluates_names(&variable.name, variable.origin);
            self.declared_integer(assignment, &variable.value);
        }
        if matches!(assignment.value, AssignmentValue::Scalar(_)) {
            self.reads_again(native, &variable, flags);
        }
        // The shell changes the value: it calculates, or turns letters into capital or small ones.
        let kept = variable.value.known().is_some_and(|value| is_number(value) && !value.starts_with('0'));
        let changes = flags.contains(['i', 'l', 'u']) && !kept;
        // These only print, and `local` outside of a function does nothing.
        let fails = flags.contains(['p', 'f', 'F']) || native == "local";
        if native == "readonly" || flags.contains('r') {
            self.arithmetic.is_read_only(&variable.name);
        }
        if changes || fails {
            variable.value = Word::dynamic(assignment.span.slice(self.source), variable.origin);
        }
        let exported = native == "export" || flags.contains('x');
        self.set_variable(native, variable, if exported { Export::All } else { Export::Declared });
    }

    /// A declaration of an array reads a value in parentheses again, so that what was quoted in it expands.
    fn reads_again(&mut self, native: &str, variable: &Assigned, flags: &str) {
        let Assigned { name, value, origin } = variable;
        match value.known() {
            _ if native == "export" => {}
            Some(text) if !text.starts_with('(') => {}
            None if !flags.contains(['a', 'A']) => self.arithmetic.reads_again(name, *origin),
            Some(_) | None => self.out.doubt(Reason::UnsupportedSyntax, *origin),
        }
    }

    /// A value that is evaluated as arithmetic when it is stored.
    fn declared_integer(&mut self, assignment: &Assignment, value: &Word) {
        if let Some(text) = value.known() {
            return self.arithmetic_text(text, value.origin);
        }
        let number = match &assignment.value {
            AssignmentValue::Scalar(word) => {
                self.is_number_expansion(&word.parts)
                    || word_atoms(word, self.source, Zone::Bare).is_some_and(|atoms| is_plain_number(&atoms))
            }
            AssignmentValue::Compound(_) => false,
        };
        if !number {
            self.doubt(Reason::UnsupportedSyntax, assignment.span);
        }
    }

    fn flag(&mut self, native: &str, word: &Word, flags: &mut String) {
        let text = word.known().unwrap_or("?");
        let letters = text.strip_prefix(['-', '+']).unwrap_or("?");
        // A reference to another variable makes an assignment set something that is not named here.
        let refers = letters.contains('n') && native != "export";
        if refers || letters.chars().any(|letter| !"aAfFgiIlnprtuxX-".contains(letter)) {
            self.out.doubt(Reason::UnknownOption, word.origin);
        }
        if text.starts_with('-') {
            flags.push_str(letters);
        }
    }

    fn export_name(&mut self, native: &str, reference: &VarRef, flags: &str) {
        let name = reference.name.as_str().to_owned();
        let origin = self.place.of(reference.span);
        let value = match self.state.constants.iter().find(|constant| constant.name == name) {
            Some(constant) if constant.kind == WordKind::Exact => Word::exact(constant.value.clone(), origin),
            Some(_) | None => Word::dynamic(format!("${name}"), origin),
        };
        let constants = self.state.constants.clone();
        self.judge_name(native, &Assigned { name: name.clone(), value: value.clone(), origin });
        self.state.constants = constants;
        if flags.contains('n') {
            return self.state.unset_env(&name);
        }
        self.state.set_env(Binding { name, value });
    }

    /// The same for words that only become a declaration when the command runs (`command export A=b`).
    pub(crate) fn declare_words(&mut self, native: &str, words: &[Word], origin: Span) {
        let mut flags = String::new();
        for word in words {
            let Some(text) = word.known() else {
                self.out.doubt(Reason::DynamicWord, word.origin);
                continue;
            };
            let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
            if text.starts_with(['-', '+']) {
                self.flag(native, word, &mut flags);
            } else if !is_name(name) || flags.contains('i') {
                self.out.doubt(Reason::UnsupportedSyntax, word.origin);
            } else if let Some(value) = value {
                self.shows(name);
                let value = Word::exact(value, word.origin);
                self.arithmetic.taint(name);
                let variable = Assigned { name: name.to_owned(), value, origin: word.origin };
                self.reads_again(native, &variable, &flags);
                self.set_variable(native, variable, Export::All);
            }
        }
        self.shell_state(native, "", origin);
    }
}
