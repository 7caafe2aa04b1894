//! chmod and chattr: a mode such as `-w` looks like an option, and a mode can give rights to whoever runs the file.

use holdpoint_guest::{Effect, Escapes, Finding, Operation, Segment, Traits, WordKind};

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
    let walked = generic::start(&mut report, call, &args);
    generic::operands(&mut report, call, &walked);
    let mut finding = report.finish();
    if call.program.name == "chmod" && walked.operands().first().is_some_and(|mode| gives_owner(*mode)) {
        finding.operations.iter_mut().for_each(mend);
    }
    let gives = call.program.name == "chmod"
        && (walked.has_any(&["--reference"])
            || walked.operands().first().is_some_and(|mode| mode.is_uncertain())
            || call.args.iter().any(|arg| sets_user(*arg)));
    if gives { privileged(finding) } else { finding }
}

/// `u+w`, `u+rwX`: gives a file to whoever owns it, who could take the right anyway.
fn gives_owner(mode: Arg<'_>) -> bool {
    let rights = mode.known().and_then(|mode| mode.strip_prefix("u+"));
    rights.is_some_and(|rights| !rights.is_empty() && rights.chars().all(|letter| "rwX".contains(letter)))
}

/// A project can do with such rights on a folder of its own. Elsewhere there are files whose owner must not write.
fn mend(operation: &mut Operation) {
    let is_own = |target: &Segment| {
        let is_relative = !target.name.starts_with(['/', '~']) && !target.name.split('/').any(|part| part == "..");
        is_relative && target.certainty != WordKind::Dynamic
    };
    if operation.target.last().is_some_and(is_own) {
        operation.effect = operation.effect.min(Effect::Reversible);
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

/// Whether a mode sets the set-user or set-group bit, or may do so because it is not known.
pub(crate) fn may_set_user(mode: Arg<'_>) -> bool {
    mode.is_uncertain() || sets_user(mode)
}

/// Whether a word that may be a mode sets the set-user or set-group bit.
fn sets_user(arg: Arg<'_>) -> bool {
    arg.known().is_some_and(|text| text.split(',').any(part_sets_user))
}

/// `4755`, `u+s`, `=4755`, and `Dg+s` as rsync writes it for folders.
fn part_sets_user(text: &str) -> bool {
    let part = text.trim_start_matches(['D', 'F']);
    let digits = part.trim_start_matches(['u', 'g', 'o', 'a']).trim_start_matches(['+', '=']);
    let octal = !digits.is_empty() && digits.chars().all(|letter| letter.is_digit(8));
    let digits = digits.trim_start_matches('0');
    // Of four digits, a leading 1 is the sticky bit alone.
    let special = octal && digits.len() > 3 && (digits.len() > 4 || !digits.starts_with('1'));
    let symbolic = part.contains(['+', '=', '-'])
        && part.contains('s')
        && part.chars().all(|letter| "rwxXstugoa+-=".contains(letter));
    special || symbolic
}
