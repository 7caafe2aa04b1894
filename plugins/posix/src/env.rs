//! Variables set for one command. It must never let a variable through that can make an ordinary tool run code or read
//! its settings elsewhere.

use holdpoint_guest::{Escapes, Finding, Reason};

use crate::Call;

/// Variables that only change how text looks.
const HARMLESS: &[&str] = &[
    "BLOCKSIZE",
    "BLOCK_SIZE",
    "CI",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLUMNS",
    "DEBIAN_FRONTEND",
    "FORCE_COLOR",
    "LANG",
    "LANGUAGE",
    "LINES",
    "LS_COLORS",
    "NO_COLOR",
    "TERM",
    "TIME_STYLE",
    "TZ",
];

/// Parts of names that mark a variable which programs, the loader or the shell act upon.
const ACTED_UPON: &[&str] = &[
    "ALIAS", "BASH", "BROWSER", "CMD", "COMMAND", "CONF", "CURL", "DIR", "DISPLAY", "DYLD", "EDITOR", "ENV", "EXEC",
    "FETCH", "GCONV", "GLIBC", "GREP", "GZIP", "HOME", "HOST", "IFS", "JQ", "LD_", "LESS", "LOAD", "LOCPATH", "MALLOC",
    "MAN", "MORE", "NLS", "NODE", "OPT", "PAGER", "PATH", "PERL", "POSIX", "PREFIX", "PROXY", "PS4", "PYTHON", "RES_",
    "RESOLV", "ROOT", "RSH", "RSYNC", "RUBY", "SED", "SHELL", "SSH", "SSL", "SUDO", "SYSTEMD", "TAPE", "TAR", "TMP",
    "VIM", "VISUAL", "WGET", "XDG", "XZ", "ZSTD",
];

/// Adds a doubt for each variable that may change what the program does.
pub(crate) fn judge(call: &Call<'_>, mut finding: Finding) -> Finding {
    for binding in &call.invocation.env {
        let name = binding.name.as_str();
        let is_plain = name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        let harmless = HARMLESS.contains(&name) || name.starts_with("LC_");
        // Names are compared without case: some programs read `http_proxy`, some `HTTP_PROXY`.
        let upper = name.to_ascii_uppercase();
        if !is_plain || (!harmless && ACTED_UPON.iter().any(|part| upper.contains(part))) {
            finding = finding.with_doubt(Reason::UnsupportedSyntax, call.own_span).with_escapes(Escapes::ENV);
        }
    }
    finding
}
