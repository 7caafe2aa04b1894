//! jq: some options take two words, and `--args` turns the remaining operands into data.

use holdpoint_guest::{Finding, Reason};

use crate::Call;
use crate::generic;
use crate::report::Spread;
use crate::table::ACT_READ;
use crate::words::Arg;

/// Reads the command with the options of two words taken out.
pub(crate) fn classify(call: &Call<'_>) -> Finding {
    let mut report = call.report();
    let mut args: Vec<Arg<'_>> = Vec::new();
    let mut words = call.args.iter().copied();
    while let Some(arg) = words.next() {
        let option = arg.known().unwrap_or("");
        match option {
            "--arg" | "--argjson" | "--slurpfile" | "--rawfile" | "--argfile" => {
                let (Some(_), Some(value)) = (words.next(), words.next()) else {
                    report.doubt(Reason::MalformedArgument, arg.span);
                    continue;
                };
                if !matches!(option, "--arg" | "--argjson") {
                    report.act(&ACT_READ, value, Spread::Single);
                }
                // An uncertain word may be several, of which the later ones are files.
                if value.is_uncertain() {
                    args.push(value);
                }
            }
            // What follows is data; a filter among it reads no file.
            "--args" | "--jsonargs" => break,
            _ => args.push(arg),
        }
    }
    generic::whole(&mut report, call, &args);
    report.finish()
}
