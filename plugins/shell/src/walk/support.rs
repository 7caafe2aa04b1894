//! What builtins need from the walk.

use holdpoint_guest::{Invocation, Reason, Span, Word};

use super::values::mentions_bare;
use super::{Call, Flow, Walker};
use crate::names::is_special_to_shell;
use crate::state::{Certainty, OnFailure};
use crate::word::is_name;

impl Walker<'_> {
    /// A word that is not known may be evaluated here as the name of a variable.
    pub(crate) fn evaluates_later(&mut self, origin: Span) {
        self.arithmetic.evaluates_data(origin);
    }

    /// `set -e` counts only where it surely runs, `set +e` wherever it may.
    pub(crate) fn ends_on_failure(&mut self, wanted: OnFailure) {
        match (wanted, self.certainty()) {
            (OnFailure::Exit, Certainty::Possible) => {}
            (OnFailure::Exit, Certainty::Certain) | (OnFailure::Continue, _) => self.state.on_failure = wanted,
        }
    }

    /// A word of `test` that is not known. Without quotes it may become several, `-v` with a subscript among them.
    pub(crate) fn may_be_operator(&mut self, word: &Word) {
        match word.text.strip_prefix('$').filter(|name| is_name(name)) {
            Some(name) => self.arithmetic.evaluates_names(name, word.origin),
            None => self.arithmetic.evaluates_data(word.origin),
        }
    }

    /// Notes a variable whose name stands nowhere in the text as it is: then nothing is constant.
    pub(crate) fn shows(&mut self, name: &str) {
        if !is_special_to_shell(name) && !mentions_bare(self.source, name) {
            self.counters.hide();
        }
    }

    /// The same for text that may assign to any variable.
    pub(crate) fn shows_text(&mut self, text: &str) {
        if !self.source.contains(text) {
            self.counters.hide();
        }
    }

    /// Where `cd` without an operand goes.
    pub(crate) fn home_word(&mut self, origin: Span) -> Option<String> {
        let home = self.home(origin)?;
        Some(home.to_owned())
    }

    /// Whether `cd` may look for a relative folder elsewhere.
    pub(crate) fn searches_folders(&self, target: &str) -> bool {
        let searched = !target.starts_with('/') && !target.starts_with('.');
        let is_set = self.state.rebound.iter().any(|name| name == "CDPATH") || mentions_bare(self.source, "CDPATH");
        searched && is_set
    }

    /// Runs words as a program, whatever functions and builtins there are.
    pub(crate) fn run_program(&mut self, words: &[Word], call: &Call<'_>) -> Flow {
        if words.first().is_some_and(|head| head.known().is_none_or(str::is_empty)) {
            self.out.doubt(Reason::DynamicWord, call.origin);
            return Flow::same(call.folders);
        }
        let mut program = None;
        for (index, folder) in call.folders.reached().into_iter().enumerate() {
            let invocation = Invocation {
                argv: words.to_vec(),
                env: call.env.to_vec(),
                cwd: folder.working_dir(),
                stdin: call.stdin.input(index),
            };
            let place = self.out.program(invocation, call.origin);
            program = if index == 0 { place } else { program.filter(|_| place.is_some()) };
        }
        Flow { program, ..Flow::same(call.folders) }
    }
}
