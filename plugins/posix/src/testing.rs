//! test and `[`: reads the state of files, except that some operators of the shell's own version evaluate a subscript.

use holdpoint_guest::{Escapes, Finding, Reason, WordKind};

use crate::Call;
use crate::report::Spread;
use crate::table::ACT_STAT;

/// Operators whose operand names a variable; its subscript is evaluated, which can run a command.
const NAME_OPERATORS: &[&str] = &["-v", "-R"];
/// Operators whose operands are numbers.
const NUMBER_OPERATORS: &[&str] = &["-eq", "-ge", "-gt", "-le", "-lt", "-ne"];
/// Operators on one file.
const FILE_OPERATORS: &[&str] = &[
    "-G", "-L", "-N", "-O", "-S", "-a", "-b", "-c", "-d", "-e", "-f", "-g", "-h", "-k", "-p", "-r", "-s", "-u", "-w",
    "-x",
];
/// Operators between two files.
const PAIR_OPERATORS: &[&str] = &["-ef", "-nt", "-ot"];

/// Reads the expression word by word: what matters is next to an operator, whatever the nesting.
pub(crate) fn classify(call: &Call<'_>) -> Finding {
    let mut report = call.report();
    let mut escapes = Escapes::empty();
    for (index, arg) in call.args.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|at| call.args.get(at)).and_then(|arg| arg.known()).unwrap_or("");
        let after = call.args.get(index.saturating_add(1)).and_then(|arg| arg.known()).unwrap_or("");
        let is_number = NUMBER_OPERATORS.contains(&before) || NUMBER_OPERATORS.contains(&after);
        match arg.kind {
            // It may be any words, an operator that evaluates a subscript among them.
            WordKind::Dynamic => report.doubt(Reason::DynamicWord, arg.span),
            WordKind::Glob if arg.may_be_option() => report.doubt(Reason::DynamicWord, arg.span),
            WordKind::Exact | WordKind::Glob if arg.text.contains('[') && arg.text.len() > 1 => {
                if NAME_OPERATORS.contains(&before) || is_number {
                    report.doubt(Reason::UnsupportedSyntax, arg.span);
                    escapes |= Escapes::INTERPRETATION_LAYERS;
                }
            }
            WordKind::Exact | WordKind::Glob => {}
        }
        let is_file = FILE_OPERATORS.contains(&before) && arg.text != "]";
        let is_pair = PAIR_OPERATORS.contains(&before) || PAIR_OPERATORS.contains(&after);
        if (is_file || is_pair) && !arg.text.is_empty() {
            report.act(&ACT_STAT, *arg, Spread::Single);
        }
    }
    report.finish().with_escapes(escapes)
}
