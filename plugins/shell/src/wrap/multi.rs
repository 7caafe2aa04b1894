//! Programs that are many programs, or that build many commands.

use holdpoint_guest::Reason;

use super::Run;
use crate::out::Out;

/// `busybox APPLET ...` and `toybox APPLET ...`.
pub(crate) fn applet(run: &Run<'_>, out: &mut Out) {
    match run.words.first().map(|word| (word, word.known())) {
        None | Some((_, Some("--help" | "--list" | "--list-full"))) => run.nothing(out),
        Some((word, Some(text))) if text.starts_with('-') => out.doubt(Reason::UnknownOption, word.origin),
        Some(_) => run.inner(run.words, out),
    }
}

/// `parallel`: its templates and profiles are a language of their own.
pub(crate) fn parallel(run: &Run<'_>, out: &mut Out) {
    match run.words {
        [only] if matches!(only.known(), Some("--help" | "--version")) => run.nothing(out),
        _ => out.doubt(Reason::UnsupportedSyntax, run.origin),
    }
}
