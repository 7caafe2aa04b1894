//! chmod and chattr: a mode such as `-w` looks like an option, and a mode can give rights to whoever runs the file.

use holdpoint_guest::{Escapes, Finding, Traits, WordKind};

use crate::Call;
use crate::generic;
use crate::words::Arg;

/// Reads the command with the mode marked as an operand.
pub(crate) fn classify(call: &Call<'_>) -> Finding {
    let mut args = call.args.clone();
    let is_mode = if call.program.name == "chattr" { is_attribute_mode } else { is_symbolic_mode };
    let end = args.iter().position(|arg| arg.known() == Some("--")).unwrap_or(args.len());
    if let Some(arg) = args.iter_mut().take(end).find(|arg| arg.known().is_some_and(is_mode)) {
        *arg = arg.renamed("mode");
    }
    let mut report = call.report();
    generic::whole(&mut report, call, &args);
    let finding = report.finish();
    match call.program.name == "chmod" && call.args.iter().any(|arg| sets_user(*arg)) {
        true => privileged(finding),
        false => finding,
    }
}

/// The finding for a file that gives whoever runs it the rights of its owner.
pub(crate) fn privileged(mut finding: Finding) -> Finding {
    for operation in &mut finding.operations {
        operation.traits |= Traits::PRIVILEGE;
    }
    finding.escapes |= Escapes::PRIVILEGE;
    finding
}

/// `-rwx`, `-w,+x`: letters that are no option of chmod.
fn is_symbolic_mode(text: &str) -> bool {
    let Some(mode) = text.strip_prefix('-') else {
        return false;
    };
    !mode.is_empty() && mode.chars().all(|letter| "rwxXstugoa,+-=01234567".contains(letter))
}

/// `-i`, `-R` is an option but `-a` takes an attribute away.
fn is_attribute_mode(text: &str) -> bool {
    let Some(mode) = text.strip_prefix('-') else {
        return false;
    };
    !mode.is_empty() && mode.chars().all(|letter| "aAcCdDeFijmPsStTuxE".contains(letter))
}

/// Whether a mode may set the set-user or set-group bit. Anything that may be a mode counts.
pub(crate) fn sets_user(arg: Arg<'_>) -> bool {
    match arg.kind {
        WordKind::Dynamic => false,
        WordKind::Glob => false,
        WordKind::Exact => {
            let octal = !arg.text.is_empty() && arg.text.chars().all(|letter| letter.is_digit(8));
            let special = arg.text.trim_start_matches('0').len() > 3 && octal && {
                let digits = arg.text.trim_start_matches('0');
                digits.len() > 4 || !digits.starts_with('1')
            };
            let symbolic = arg.text.contains(['+', '=', '-'])
                && arg.text.contains('s')
                && arg.text.chars().all(|letter| "rwxXstugoa,+-=".contains(letter));
            special || symbolic
        }
    }
}
