//! Variables set for one command. It must never let a variable through that can make an ordinary tool run code or read
//! its settings elsewhere.
//!
//! Some variables act on every program: the loader, the C library, shells and the interpreters that tools are written in
//! read them. Others are read by one program, whose table names them.

use holdpoint_guest::{Action, Binding, Escapes, Finding, Reason, Word};

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
    "LC_*",
    "LINES",
    "LS_COLORS",
    "NO_COLOR",
    "TERM",
    "TIME_STYLE",
    "TZ",
];

/// Variables that act on every program: on the loader and the C library, on where programs, settings and temporary files
/// are looked for, and on the shells and interpreters that many tools are scripts for.
const ALWAYS_ACT: &[&str] = &[
    "BASHOPTS",
    "BASH_*",
    "CDPATH",
    "DYLD_*",
    "ENV",
    "FPATH",
    "GCONV_*",
    "GETCONF_DIR",
    "GLIBC_*",
    "HOME",
    "HOSTALIASES",
    "IFS",
    "LD_*",
    "LOCALDOMAIN",
    "LOCPATH",
    "MALLOC_*",
    "NIS_PATH",
    "NLSPATH",
    "PATH",
    "PERL*",
    "POSIXLY_CORRECT",
    "PS4",
    "PYTHON*",
    "RESOLV_*",
    "RES_OPTIONS",
    "RUBY*",
    "SHELL",
    "SHELLOPTS",
    "TEMP",
    "TERMCAP",
    "TERMINFO*",
    "TMP",
    "TMPDIR",
    "TMPPREFIX",
    "TZDIR",
    "XDG_*",
    "ZDOTDIR",
];

/// Adds a doubt for each variable that may change what the program does, and hands all of them on to what it starts.
pub(crate) fn judge(call: &Call<'_>, mut finding: Finding) -> Finding {
    let bindings = &call.invocation.env;
    let to_shell = finding.delegates.iter().any(|delegate| match delegate.action {
        Action::Source(_) => true,
        Action::Program(_) | Action::Tool(_) => false,
    });
    for binding in bindings {
        let name = binding.name.as_str();
        let is_plain = name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        let acts = is_any(name, ALWAYS_ACT) || is_any(name, call.program.env);
        // A command line cannot take variables along, so whatever it runs would be judged without them.
        let lost = to_shell && !is_any(name, HARMLESS);
        if !is_plain || acts || lost {
            finding = finding.with_doubt(Reason::UnsupportedSyntax, call.own_span).with_escapes(Escapes::ENV);
        }
    }
    for delegate in &mut finding.delegates {
        if let Action::Program(invocation) = &mut delegate.action {
            invocation.env.extend(bindings.iter().map(|binding| handed_on(call, binding)));
        }
    }
    finding
}

/// The variable for a program that this one starts; its value has no place in this command.
fn handed_on(call: &Call<'_>, binding: &Binding) -> Binding {
    let value = Word { origin: call.own_span, ..binding.value.clone() };
    Binding { name: binding.name.clone(), value }
}

/// Whether a name is one of these. Case does not count: some programs read `http_proxy`, some `HTTP_PROXY`.
fn is_any(name: &str, known: &[&str]) -> bool {
    let upper = name.to_ascii_uppercase();
    known.iter().any(|known| match known.strip_suffix('*') {
        Some(start) => upper.starts_with(start),
        None => upper == *known,
    })
}
