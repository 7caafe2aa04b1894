//! The operator's configuration. What cannot be read makes everybody careful; it never makes anybody less so.

use holdpoint_core::level::Level;
use holdpoint_core::words::Word;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// Levels by principal.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    safety: Safety,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Safety {
    level: Option<String>,
    #[serde(default)]
    principals: BTreeMap<String, Principal>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Principal {
    level: String,
}

/// Which level a principal has.
#[derive(Debug, Default)]
pub(crate) struct Config {
    /// Every entry that applies, by principal; the empty name applies to all.
    levels: Vec<(String, Level)>,
    /// Why the configuration could not be read.
    pub(crate) problem: Option<String>,
}

impl Config {
    /// Reads a file; without one nothing is configured.
    pub(crate) fn read(path: Option<&Path>) -> Config {
        let Some(path) = path else { return Config::default() };
        let text = std::fs::read_to_string(path).map_err(|error| error.to_string());
        match text.and_then(|text| levels(&text)) {
            Ok(levels) => Config { levels, problem: None },
            Err(problem) => {
                Config { levels: Vec::new(), problem: Some(format!("configuration `{}`: {problem}", path.display())) }
            }
        }
    }

    /// The least of the level wanted and every entry that applies to the principal.
    pub(crate) fn level(&self, principal: &str, wanted: Level) -> Level {
        if self.problem.is_some() {
            return Level::Observe;
        }
        let applies = |name: &str| {
            name.is_empty()
                || name == principal
                || principal.strip_prefix(name).is_some_and(|rest| rest.starts_with(':'))
        };
        let configured = self.levels.iter().filter(|(name, _)| applies(name)).map(|(_, level)| *level);
        configured.fold(wanted, Level::min)
    }
}

fn levels(text: &str) -> Result<Vec<(String, Level)>, String> {
    let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
    let level = |name: &str, word: &str| {
        let known = Level::ALL.iter().map(|level| level.as_str()).collect::<Vec<_>>().join(", ");
        let level = Level::from_word(word).ok_or_else(|| format!("level `{word}` is not one of {known}"))?;
        Ok::<_, String>((name.to_owned(), level))
    };
    let general = file.safety.level.iter().map(|word| level("", word));
    let principals = file.safety.principals.iter().map(|(name, principal)| level(name, &principal.level));
    general.chain(principals).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(text: &str) -> Config {
        match levels(text) {
            Ok(levels) => Config { levels, problem: None },
            Err(problem) => Config { levels: Vec::new(), problem: Some(problem) },
        }
    }

    #[test]
    fn the_least_of_all_matching_entries_counts() {
        let config = config("safety.level = \"trusted\"\nsafety.principals.hook.level = \"guarded\"\n");
        assert_eq!(config.level("cli", Level::Unrestricted), Level::Trusted);
        assert_eq!(config.level("hook:codex", Level::Unrestricted), Level::Guarded);
        assert_eq!(config.level("hooked", Level::Unrestricted), Level::Trusted);
        assert_eq!(config.level("hook", Level::Observe), Level::Observe);
    }

    #[test]
    fn what_cannot_be_read_makes_everybody_observe() {
        for text in ["safety.level = \"observ\"", "safety.levle = \"observe\"", "safety = ["] {
            assert_eq!(config(text).level("cli", Level::Unrestricted), Level::Observe, "{text}");
        }
    }
}
