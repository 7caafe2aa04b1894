//! ps: letters without a dash are options of their own, and one of them shows the environment of every process.

use holdpoint_guest::{Finding, WordKind};

use crate::Call;
use crate::generic;
use crate::report::{Report, Spread};
use crate::table::ACT_READ;
use crate::words::Arg;

/// Letters without a dash that take the rest of their word, or the next word.
const WITH_VALUE: &[char] = &['k', 'O', 'o', 'p', 'q', 't', 'U'];
/// The letter without a dash that shows environments.
const ENVIRONMENT: char = 'e';
/// Where the environments of processes are read.
const ENVIRONMENTS: &str = "/proc/*/environ";

/// Reads the command by its table, then the letters without a dash.
pub(crate) fn classify(call: &Call<'_>) -> Finding {
    let mut report = call.report();
    let walked = generic::everything(&mut report, call);
    let mut is_value = false;
    for arg in walked.operands() {
        if std::mem::take(&mut is_value) && !arg.is_uncertain() {
            continue;
        }
        match letters(arg) {
            Letters::ShowEnvironments => environments(&mut report, arg),
            Letters::TakeNext => is_value = true,
            Letters::Plain => {}
        }
    }
    report.finish()
}

/// What a word of letters does.
enum Letters {
    ShowEnvironments,
    TakeNext,
    Plain,
}

fn letters(arg: Arg<'_>) -> Letters {
    if arg.is_uncertain() {
        return Letters::ShowEnvironments;
    }
    match arg.text.find(|letter| letter == ENVIRONMENT || WITH_VALUE.contains(&letter)) {
        None => Letters::Plain,
        Some(at) if arg.text.get(at..).is_some_and(|rest| rest.starts_with(ENVIRONMENT)) => Letters::ShowEnvironments,
        Some(at) if at.saturating_add(1) == arg.text.len() => Letters::TakeNext,
        Some(_) => Letters::Plain,
    }
}

fn environments(report: &mut Report, arg: Arg<'_>) {
    let files = Arg { text: ENVIRONMENTS, kind: WordKind::Glob, span: arg.span };
    report.act(&ACT_READ, files, Spread::Single);
}
