//! Variables set for one command. It must never let a variable through that makes git run a program or work elsewhere.

use holdpoint_guest::{Action, Binding, Escapes, Invocation, Reason, Word};

use crate::report::Report;
use crate::settings::{Weight, weigh};

/// Variables of git, and of what it starts, that only change how things look or what is recorded.
const HARMLESS: &[&str] = &[
    "GIT_ADVICE",
    "GIT_AUTHOR_DATE",
    "GIT_AUTHOR_EMAIL",
    "GIT_AUTHOR_NAME",
    "GIT_COMMITTER_DATE",
    "GIT_COMMITTER_EMAIL",
    "GIT_COMMITTER_NAME",
    "GIT_FLUSH",
    "GIT_LITERAL_PATHSPECS",
    "GIT_MERGE_AUTOEDIT",
    "GIT_NO_LAZY_FETCH",
    "GIT_OPTIONAL_LOCKS",
    "GIT_PAGER_IN_USE",
    "GIT_REFLOG_ACTION",
    "GIT_TERMINAL_PROMPT",
    "GIT_PRINT_SHA1_ELLIPSIS",
];
/// Variables whose value is a program, and the setting that says the same.
const PROGRAMS: &[(&str, &str)] = &[
    ("EDITOR", "core.editor"),
    ("GIT_EDITOR", "core.editor"),
    ("GIT_EXTERNAL_DIFF", "diff.external"),
    ("GIT_PAGER", "core.pager"),
    ("GIT_SEQUENCE_EDITOR", "sequence.editor"),
    ("GIT_ASKPASS", "core.askpass"),
    ("PAGER", "core.pager"),
    ("SSH_ASKPASS", "core.askpass"),
    ("VISUAL", "core.editor"),
];
/// Beginnings of the names of variables that act on git, on what it starts, or on every program.
const ACTS: &[&str] = &[
    "ALL_PROXY",
    "BASHOPTS",
    "BASH_",
    "BROWSER",
    "CURL_",
    "DYLD_",
    "EMAIL",
    "ENV",
    "GCONV_",
    "GIT_",
    "GNUPGHOME",
    "GPG_",
    "HOME",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "IFS",
    "LD_",
    "LESS",
    "LV",
    "LOCPATH",
    "MALLOC_",
    "NO_PROXY",
    "PATH",
    "PERL",
    "PREFIX",
    "PYTHON",
    "RUBY",
    "SHELL",
    "SSH_",
    "SSL_",
    "TEMP",
    "TMP",
    "TERMINFO",
    "XDG_",
    "ZDOTDIR",
];

/// Adds a doubt for each variable that may change what the command does.
pub(crate) fn report(invocation: &Invocation, out: &mut Report) {
    for binding in &invocation.env {
        if acts(binding) {
            out.escapes(Escapes::ENV);
            out.doubt(Reason::UnsupportedSyntax, out.own_span());
        }
    }
}

fn acts(binding: &Binding) -> bool {
    let name = binding.name.to_ascii_uppercase();
    if HARMLESS.contains(&name.as_str()) {
        return false;
    }
    match PROGRAMS.iter().find(|(variable, _)| *variable == name) {
        Some((_, key)) => binding.value.known().is_none_or(|value| weigh(key, Some(value)) != Weight::Harmless),
        None => ACTS.iter().any(|start| name.starts_with(start)),
    }
}

/// Hands the variables on to a program that is started; its words show no place of theirs.
pub(crate) fn hand_on(invocation: &Invocation, action: &mut Action, origin: holdpoint_guest::Span) {
    if let Action::Program(started) = action {
        let moved =
            |binding: &Binding| Binding { name: binding.name.clone(), value: Word { origin, ..binding.value.clone() } };
        started.env.extend(invocation.env.iter().map(moved));
    }
}
