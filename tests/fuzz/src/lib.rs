//! Fuzz targets: one function for every parser of bytes that come from outside. A target panics where something that
//! must hold does not. The tests of this crate run each over seeded mutations of its examples; `tests/fuzz/run` runs one
//! under libFuzzer for as long as wanted.

mod actions;
mod documents;
mod files;
pub mod mutate;

/// A parser of outside bytes.
pub struct Target {
    /// Its name on the command line.
    pub name: &'static str,
    /// Feeds the parser.
    pub run: fn(&[u8]),
    /// Inputs that reach deep into it.
    pub examples: &'static [&'static str],
}

/// Every target.
pub const TARGETS: &[Target] = &[
    Target { name: "shell-text", run: actions::shell_text, examples: actions::SHELL_TEXTS },
    Target { name: "shell-words", run: actions::shell_words, examples: actions::SHELL_WORDS },
    Target { name: "posix-words", run: actions::posix_words, examples: actions::POSIX_WORDS },
    Target { name: "json", run: documents::json, examples: documents::JSON },
    Target { name: "hook-event", run: documents::hook_event, examples: documents::EVENTS },
    Target { name: "manifest", run: documents::manifest, examples: documents::MANIFESTS },
    Target { name: "envelope", run: documents::envelope, examples: documents::ENVELOPES },
    Target { name: "trust-set", run: documents::trust_set, examples: documents::TRUST_SETS },
    Target { name: "component", run: files::component, examples: files::COMPONENTS },
    Target { name: "journal-line", run: files::journal_line, examples: files::JOURNAL_LINES },
    Target { name: "day", run: files::day, examples: files::DAYS },
    Target { name: "path", run: files::path, examples: files::PATHS },
];

/// The target of this name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// Bytes as text; what is not UTF-8 never reaches these parsers, since their callers refuse it.
fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}
