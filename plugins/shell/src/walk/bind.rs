//! Every way to give a variable a value ends here, so that the name is judged the same whoever sets it: an assignment, a
//! loop, a builtin, a redirection, an expansion, arithmetic.

use holdpoint_guest::{Effect, Escapes, Operation, Reason, Segment, Span, TargetKind, Verb, Word};

use super::arith::{assigned_names, holds_code, is_number};
use super::{Assigned, Call, Walker};
use crate::names::{is_inert_value, is_influential, is_integer};
use crate::word::is_name;

impl Walker<'_> {
    /// A variable is given a value.
    pub(crate) fn bind(&mut self, native: &str, variable: &Assigned) {
        // The shell evaluates what such a variable is given.
        if is_integer(&variable.name) && !variable.value.known().is_some_and(is_number) {
            self.out.doubt(Reason::UnsupportedSyntax, variable.origin);
        }
        self.arithmetic.sets(&variable.name);
        self.judge_name(native, variable);
    }

    /// Reports that a variable changes: it is set, exported or removed.
    pub(crate) fn judge_name(&mut self, native: &str, variable: &Assigned) {
        let inert = variable.value.known().is_some_and(|value| is_inert_value(&variable.name, value));
        let steers = is_influential(&variable.name) && !inert;
        let effect = if steers { Effect::Unknown } else { Effect::None };
        if steers {
            self.out.escapes(Escapes::ENV);
        }
        let target = Segment::exact(TargetKind::Environment, variable.name.clone());
        self.out.operation(Operation::new(Verb::Configure, native, effect, variable.origin).on(target));
        self.state.rebound.push(variable.name.clone());
        self.state.constants.retain(|constant| constant.name != variable.name);
    }

    /// A construct of the shell sets a variable to a value of its own.
    pub(crate) fn rebind(&mut self, name: &str, span: shuck_ast::Span) {
        let origin = self.place.of(span);
        let value = Word::dynamic(format!("${name}"), origin);
        self.bind("=", &Assigned { name: name.to_owned(), value, origin });
    }

    /// A builtin sets the variable that `name` names, to a value that is not known.
    pub(crate) fn set_by_builtin(&mut self, call: &Call<'_>, name: &Word) {
        match name.known() {
            Some(text) if is_name(text) => {
                self.shows(text);
                self.arithmetic.taint(text);
                // `read -a` and `mapfile` make it an array.
                self.arithmetic.is_array(text);
                let value = Word::dynamic(format!("${text}"), name.origin);
                self.bind(call.name, &Assigned { name: text.to_owned(), value, origin: name.origin });
            }
            Some(_) => self.out.doubt(Reason::UnsupportedSyntax, name.origin),
            None => self.out.doubt(Reason::DynamicWord, name.origin),
        }
    }

    /// Text that the shell evaluates as arithmetic, which may set variables to numbers.
    pub(crate) fn arithmetic_text(&mut self, text: &str, origin: Span) {
        if holds_code(text) {
            self.out.doubt(Reason::UnsupportedSyntax, origin);
        }
        self.arithmetic.evaluates_names(text, origin);
        if !text.bytes().all(|byte| byte.is_ascii_digit()) {
            self.arithmetic.attempts();
        }
        for name in assigned_names(text) {
            self.judge_name("=", &Assigned { name: name.to_owned(), value: Word::dynamic(text, origin), origin });
        }
    }
}
