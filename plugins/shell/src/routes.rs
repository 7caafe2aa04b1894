//! Which requests the host sends here. `vocabulary.toml` repeats these tables, and a test compares.

use crate::walk::Dialect;

/// Languages and the shell that reads each. Sorted.
const LANGUAGES: &[(&str, Dialect)] = &[("bash", Dialect::Bash), ("sh", Dialect::Posix)];

/// Shell tools of agent hosts, all without a server. Sorted.
pub(crate) const TOOLS: &[&str] =
    &["Bash", "exec_command", "execute_command", "run_shell_command", "run_terminal_cmd", "shell"];

/// The shell that reads texts in `language`.
pub(crate) fn dialect(language: &str) -> Option<Dialect> {
    LANGUAGES.iter().find(|(known, _)| *known == language).map(|(_, dialect)| *dialect)
}

#[cfg(test)]
mod tests {
    use super::{LANGUAGES, TOOLS};
    use crate::wrap::PROGRAMS;

    fn names(value: &toml::Value) -> Vec<&str> {
        value.as_array().expect("a list").iter().filter_map(toml::Value::as_str).collect()
    }

    #[test]
    fn the_manifest_routes_what_the_tables_judge() {
        let manifest: toml::Table = include_str!("../vocabulary.toml").parse().expect("a manifest");
        let routes = &manifest["routes"];
        let programs: Vec<&str> = PROGRAMS.iter().map(|(name, _)| *name).collect();
        let languages: Vec<&str> = LANGUAGES.iter().map(|(name, _)| *name).collect();
        assert!(programs.is_sorted() && languages.is_sorted() && TOOLS.is_sorted());
        assert_eq!(names(&routes["programs"]), programs);
        assert_eq!(names(&routes["languages"]), languages);
        let tools = routes["tools"].as_array().expect("a list");
        let tools: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
        assert_eq!(tools, TOOLS);
        assert!(names(&manifest["actions"]).is_sorted());
    }
}
