//! dc: its language has `!`, which runs a command line.

use holdpoint_guest::{Finding, Input, Reason};

use crate::Call;
use crate::generic;
use crate::input::{self, Given};
use crate::table::{Role, Tag};
use crate::walk::Item;
use crate::words::Arg;

/// Reads the scripts that the command shows.
pub(crate) fn classify(call: &Call<'_>) -> Finding {
    let mut report = call.report();
    let walked = generic::start(&mut report, call, &call.args);
    let mut has_script = false;
    for item in &walked.items {
        match *item {
            Item::Option { option, value: Some(value), .. } => match option.role {
                Role::Tag(Tag::Script) => {
                    has_script = true;
                    if !is_arithmetic(value) {
                        report.unseen_code(value.span);
                    }
                }
                Role::Tag(Tag::ScriptFile) => {
                    has_script = true;
                    report.code_file(value);
                }
                _ => {}
            },
            Item::Operand(arg) => {
                has_script = true;
                report.code_file(arg);
            }
            Item::Option { .. } | Item::Plus(_) => {}
        }
    }
    if !has_script {
        let calculates = matches!(&call.invocation.stdin, Input::Text(text) if !text.contains(['!', '?']));
        match input::given(call) {
            Given::Nothing => {}
            Given::Fed if calculates => {}
            Given::Inherited | Given::Fed => report.doubt(Reason::UnsupportedSyntax, call.own_span),
        }
    }
    report.finish()
}

/// Whether a script can only calculate: `!` runs a command and `?` runs what it reads.
fn is_arithmetic(script: Arg<'_>) -> bool {
    script.known().is_some_and(|text| !text.contains(['!', '?']))
}
