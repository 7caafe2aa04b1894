//! dd: operands are `name=value`.

use holdpoint_guest::{Finding, Reason};

use crate::Call;
use crate::copy;
use crate::report::Spread;
use crate::table::{ACT_CREATE, ACT_DESTROY, ACT_READ};
use crate::words::Arg;

/// Operands that only say how much and how.
const INERT: &[&str] =
    &["bs", "cbs", "conv", "count", "ibs", "iflag", "iseek", "obs", "oflag", "oseek", "seek", "skip", "status"];

/// Reads the operands.
pub(crate) fn classify(call: &Call<'_>) -> Finding {
    let mut report = call.report();
    let is_source = |arg: &&Arg<'_>| arg.text.starts_with("if=");
    let is_emptied = call.args.iter().filter(is_source).any(|arg| copy::is_void(arg.tail("if=".len())));
    for arg in &call.args {
        if arg.may_be_option() {
            report.doubt(Reason::DynamicWord, arg.span);
            continue;
        }
        let Some(at) = arg.text.find('=') else {
            if !matches!(arg.text, "--help" | "--version" | "--") {
                report.doubt(Reason::MalformedArgument, arg.span);
            }
            continue;
        };
        let name = arg.text.split_at(at).0;
        let value = arg.tail(at.saturating_add(1));
        match name {
            "if" => report.act(&ACT_READ, value, Spread::Single),
            "of" => {
                report.act(&ACT_CREATE, value, Spread::Single);
                if is_emptied {
                    report.act(&ACT_DESTROY, value, Spread::Single);
                }
            }
            _ if INERT.contains(&name) => {}
            _ => report.doubt(Reason::UnknownOption, arg.span),
        }
    }
    report.finish()
}
