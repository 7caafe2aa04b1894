//! Programs that ask on standard input, where an answer can be a command or a name to write to.
//!
//! It must never take an input for harmless that the request does not show.

use holdpoint_guest::{Input, Reason};

use crate::Call;
use crate::report::Report;
use crate::walk::Walked;

/// What a program can be told on standard input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Given {
    /// Nothing: it ends at once.
    Nothing,
    /// Whatever is typed where the command was started, if anybody is there.
    Inherited,
    /// Something that the command feeds to it.
    Fed,
}

/// What the command gives a program to read.
pub(crate) fn given(call: &Call<'_>) -> Given {
    match &call.invocation.stdin {
        Input::Empty => Given::Nothing,
        Input::Text(text) if text.is_empty() => Given::Nothing,
        Input::Inherited => Given::Inherited,
        Input::Text(_) | Input::File(_) | Input::OutputOf(_) | Input::External | Input::Unknown => Given::Fed,
    }
}

/// Reports the commands that a program takes from standard input because of its options.
pub(crate) fn commands(report: &mut Report, call: &Call<'_>, walked: &Walked<'_>) {
    if !walked.has_any(call.program.commands_from_input) {
        return;
    }
    match given(call) {
        Given::Nothing => {}
        Given::Inherited | Given::Fed => {
            report.unseen_code(call.own_span);
            report.doubt(Reason::UnsupportedSyntax, call.own_span);
        }
    }
}
