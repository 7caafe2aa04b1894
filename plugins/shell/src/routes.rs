//! Which requests the host sends here. `vocabulary.toml` repeats these tables, and a test compares.

use crate::walk::Dialect;

/// Languages. Sorted.
pub(crate) const LANGUAGES: &[&str] = &["bash", "sh"];

/// Shell tools of agent hosts, all without a server. Sorted.
pub(crate) const TOOLS: &[&str] =
    &["Bash", "exec_command", "execute_command", "run_shell_command", "run_terminal_cmd", "shell"];

/// The shell that reads texts in `language`.
pub(crate) fn dialect(language: &str) -> Option<Dialect> {
    match language {
        "bash" => Some(Dialect::Bash),
        "sh" => Some(Dialect::Posix),
        _ => None,
    }
}
