//! Pagers and editors: programs that a person drives, and that can start a shell.
//!
//! It must never treat a command given on the command line as harmless because the program is called a viewer.

use holdpoint_guest::{Finding, ObligationKind, Reason};

use crate::Call;
use crate::generic;
use crate::hosts;
use crate::report::{Report, Spread};
use crate::table::{ACT_READ, Role, Tag};
use crate::walk::Item;
use crate::words::Arg;

/// less, more, man: commands for the pager come as `+cmd` and through some options.
pub(crate) fn page(call: &Call<'_>) -> Finding {
    let mut report = call.report();
    // LESSOPEN, LESS and PAGER name programs that run.
    report.oblige(ObligationKind::CleanEnv);
    let walked = generic::start(&mut report, call, &call.args);
    for item in &walked.items {
        match *item {
            Item::Plus(arg) => pager_command(&mut report, arg.tail(1)),
            Item::Option { option, value: Some(value), .. } => match option.role {
                Role::Tag(Tag::Script) => pager_command(&mut report, value),
                Role::Tag(Tag::ScriptFile) => report.code_file(value),
                _ => {}
            },
            Item::Option { .. } | Item::Operand(_) => {}
        }
    }
    generic::operands(&mut report, call, &walked);
    // A name with a slash is that of a file to format.
    for page in walked.operands().into_iter().filter(|_| call.program.name == "man") {
        if page.text.contains('/') || page.is_uncertain() {
            report.act(&ACT_READ, page, Spread::Single);
        }
    }
    report.finish()
}

/// Movement and search are harmless; everything else a pager understands may run or write something.
fn pager_command(report: &mut Report, arg: Arg<'_>) {
    let Some(text) = arg.known() else {
        return report.doubt(Reason::DynamicWord, arg.span);
    };
    let text = text.strip_prefix('+').unwrap_or(text);
    if let Some(command) = text.strip_prefix('!') {
        return report.source(command, arg.span);
    }
    let moves = text.chars().all(|letter| letter.is_ascii_digit() || "gGFpP%".contains(letter));
    let searches = text.starts_with(['/', '?']) && !text.contains(char::is_control);
    if !moves && !searches {
        report.doubt(Reason::UnsupportedSyntax, arg.span);
    }
}

/// Editors change their operands, and whoever drives them can run anything.
pub(crate) fn edit(call: &Call<'_>) -> Finding {
    let mut report = call.report();
    if matches!(call.args.as_slice(), [only] if matches!(only.known(), Some("--help" | "--version"))) {
        return report.finish();
    }
    generic::whole(&mut report, call, &call.args);
    // Editors open files of other machines by their address.
    for arg in &call.args {
        hosts::addresses(&mut report, *arg);
        if call.program.name.starts_with("emacs") {
            hosts::emacs_file(&mut report, *arg);
        }
    }
    report.unseen_code(call.own_span);
    report.finish()
}
