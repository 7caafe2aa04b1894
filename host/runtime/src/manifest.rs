//! What a vocabulary says of itself, read from a section of its file without running anything.

use crate::manifest_escape::{self, EscapeEntry};
use crate::manifest_rung::{self, RungEntry};
use crate::manifest_toggle::{self, ToggleEntry};
use holdpoint_core::call::is_name;
use holdpoint_core::finding::Declared;
use holdpoint_core::kinds;
use holdpoint_core::operation::ObligationKind;
use holdpoint_core::registry::{Registry, Unfit, own_registry};
use holdpoint_core::rungs::Rung;
use holdpoint_core::words::Word;
use serde::{Deserialize, Serialize};

/// The name of the custom section that holds the manifest.
pub const SECTION: &str = "holdpoint:vocabulary";
/// Most bytes of a manifest.
const MANIFEST_BYTES_MAX: usize = 256 << 10;
/// Most routes of one kind.
const ROUTES_MAX: usize = 4_096;
/// Longest name, and longest version.
const NAME_BYTES_MAX: usize = 64;
/// Longest summary.
const SUMMARY_BYTES_MAX: usize = 200;

/// Languages that are shells: an action that comes through a vocabulary claiming one arrives through a shell.
const SHELL_LANGUAGES: &[&str] = &["bash", "sh"];

/// A tool that a vocabulary claims.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolRoute {
    /// The server; empty for a tool of the agent host itself.
    pub server: String,
    /// The tool.
    pub name: String,
    /// What calls of this tool lead to at most: some of the vocabulary's actions. Where nothing is said, all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actions: Option<Vec<String>>,
}

/// What a vocabulary claims to know. Every list is sorted and without repetition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Routes {
    /// Programs by name.
    #[serde(default)]
    pub programs: Vec<String>,
    /// Languages by name.
    #[serde(default)]
    pub languages: Vec<String>,
    /// Tools by server and name.
    #[serde(default)]
    pub tools: Vec<ToolRoute>,
}

/// Limits that a vocabulary sets itself, below the host's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnLimits {
    /// Fuel of one classification.
    pub fuel: u64,
}

/// The manifest of a vocabulary, as `vocabulary.toml` has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Its name: lowercase letters, digits and hyphens.
    pub name: String,
    /// Its version, for people.
    pub version: String,
    /// Its release number, which only grows.
    pub release: u64,
    /// One line about it.
    pub summary: String,
    /// The contract it is built for.
    pub contract: String,
    /// Pairs of verb and kind of target that it may report; kind `none` for an operation without target.
    pub actions: Vec<String>,
    /// Obligations that it may report.
    #[serde(default)]
    pub obligations: Vec<String>,
    /// Ways out that its findings may name, each with an example.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub escapes: Vec<EscapeEntry>,
    /// Toggles of its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub toggles: Vec<ToggleEntry>,
    /// What levels say to its operations, beyond the default.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rungs: Vec<RungEntry>,
    /// What it claims to know.
    pub routes: Routes,
    /// Its own limits.
    pub limits: OwnLimits,
}

/// Why a manifest is not taken.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ManifestError {
    /// The component has no manifest, or more than one.
    #[error("the component holds {0} manifests, not one")]
    Count(usize),
    /// It cannot be read.
    #[error("the manifest cannot be read: {0}")]
    Unreadable(String),
    /// It says something that cannot be.
    #[error("the manifest's `{field}` {problem}")]
    Wrong {
        /// Where.
        field: &'static str,
        /// What is wrong.
        problem: String,
    },
}

impl Manifest {
    /// Reads the manifest from a component.
    pub fn of_component(component: &[u8]) -> Result<Manifest, ManifestError> {
        let mut found = Vec::new();
        for payload in wasmparser::Parser::new(0).parse_all(component) {
            let payload = payload.map_err(|error| ManifestError::Unreadable(error.message().to_owned()))?;
            if let wasmparser::Payload::CustomSection(section) = payload
                && section.name() == SECTION
            {
                found.push(section.data());
            }
        }
        match found.as_slice() {
            [one] => Manifest::of_json(one),
            other => Err(ManifestError::Count(other.len())),
        }
    }

    /// Reads a manifest from JSON and checks it.
    pub fn of_json(json: &[u8]) -> Result<Manifest, ManifestError> {
        if json.len() > MANIFEST_BYTES_MAX {
            return Err(wrong("size", format!("is over {MANIFEST_BYTES_MAX} bytes")));
        }
        let manifest: Manifest =
            serde_json::from_slice(json).map_err(|error| ManifestError::Unreadable(error.to_string()))?;
        manifest.check()?;
        Ok(manifest)
    }

    /// Checks everything that the shape does not.
    pub fn check(&self) -> Result<(), ManifestError> {
        self.problems().into_iter().next().map_or(Ok(()), Err)
    }

    /// Everything that is wrong beyond the shape, in the order of the members.
    pub fn problems(&self) -> Vec<ManifestError> {
        let simple = |name: &str| {
            let fine = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
            !name.is_empty() && name.len() <= NAME_BYTES_MAX && name.bytes().all(fine)
        };
        let other = format!("is `{}`, this host speaks {}", self.contract, holdpoint_signing::CONTRACT);
        let checks = [
            simple(&self.name)
                .then_some(())
                .ok_or_else(|| wrong("name", "must be lowercase letters, digits and hyphens".to_owned())),
            (self.contract == holdpoint_signing::CONTRACT).then_some(()).ok_or_else(|| wrong("contract", other)),
            (self.limits.fuel != 0).then_some(()).ok_or_else(|| wrong("limits.fuel", "is zero".to_owned())),
            line("version", &self.version, NAME_BYTES_MAX),
            line("summary", &self.summary, SUMMARY_BYTES_MAX),
            routes("routes.programs", &self.routes.programs, |program| is_name(program)),
            routes("routes.languages", &self.routes.languages, |language| is_name(language)),
            tools(&self.routes.tools),
            self.declared().map(|_| ()),
            own_registry().map_or(Ok(()), |registry| self.toggles_in(registry).map(|_| ())),
            self.rungs().map(|_| ()),
        ];
        checks.into_iter().filter_map(Result::err).collect()
    }

    /// A registry with the vocabulary's toggles besides those it has.
    pub fn toggles_in(&self, registry: Registry) -> Result<Registry, ManifestError> {
        let declaration = |toggle: &ToggleEntry| {
            let problem = |problem| wrong("toggles", format!("holds `{}`, which {problem}", toggle.key));
            toggle.declaration(&self.actions).map_err(problem)
        };
        self.toggles.iter().try_fold(registry, |registry, toggle| {
            let problem = |unfit: Unfit| wrong("toggles", format!("holds `{}`, which {}", toggle.key, unfit.text()));
            registry.with_vocabulary(&self.name, vec![declaration(toggle)?]).map_err(problem)
        })
    }

    /// What levels say to its operations, beyond the default.
    pub fn rungs(&self) -> Result<Vec<Rung>, ManifestError> {
        manifest_rung::rungs(&self.name, &self.rungs, &self.actions).map_err(|problem| wrong("rungs", problem))
    }

    /// The operations that the vocabulary may report.
    pub fn declared(&self) -> Result<Declared, ManifestError> {
        let pairs = self.actions.iter().map(|action| {
            manifest_toggle::action(action)
                .ok_or_else(|| wrong("actions", format!("holds `{action}`, which is not a verb and a kind")))
        });
        let obligations = self.obligations.iter().map(|word| {
            let unknown = || wrong("obligations", format!("holds `{word}`, which is not an obligation"));
            ObligationKind::from_word(word).ok_or_else(unknown)
        });
        let pairs = pairs.collect::<Result<Vec<_>, _>>()?;
        for (action, (verb, kind)) in self.actions.iter().zip(&pairs) {
            if let Some(why) = kinds::of_pair(*verb, *kind) {
                return Err(wrong("actions", format!("holds `{action}`, which cannot be: {why}")));
            }
        }
        let declared = Declared::new(pairs);
        let declared = declared.with_obligations(obligations.collect::<Result<Vec<_>, _>>()?);
        let declared = declared.with_escapes(manifest_escape::kinds(&self.escapes)?);
        self.routes.tools.iter().try_fold(declared, |declared, tool| self.with_tool(declared, tool))
    }

    fn with_tool(&self, declared: Declared, tool: &ToolRoute) -> Result<Declared, ManifestError> {
        let Some(actions) = &tool.actions else { return Ok(declared) };
        let pair = |action: &String| {
            let known = self.actions.contains(action).then(|| manifest_toggle::action(action)).flatten();
            let problem = || format!("gives `{}` the action `{action}`, which the vocabulary does not have", tool.name);
            known.ok_or_else(|| wrong("routes.tools", problem()))
        };
        let pairs = actions.iter().map(pair).collect::<Result<Vec<_>, _>>()?;
        if pairs.is_empty() {
            return Err(wrong("routes.tools", format!("gives `{}` no action at all", tool.name)));
        }
        Ok(declared.with_tool(&tool.server, &tool.name, pairs))
    }

    /// The manifest as canonical JSON, the form that is embedded and signed.
    pub fn to_json(&self) -> String {
        // serde_json writes members in the order of the fields, and the type holds nothing it could refuse.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Whether actions of this vocabulary arrive through a shell.
    pub fn is_shell(&self) -> bool {
        self.routes.languages.iter().any(|language| SHELL_LANGUAGES.contains(&language.as_str()))
    }
}

fn wrong(field: &'static str, problem: String) -> ManifestError {
    ManifestError::Wrong { field, problem }
}

/// One line that can be shown to a person as it is.
fn line(field: &'static str, text: &str, bytes_max: usize) -> Result<(), ManifestError> {
    let fine = !text.is_empty() && text.len() <= bytes_max && !text.chars().any(char::is_control);
    let problem = || format!("must be one line of 1 to {bytes_max} bytes");
    if fine { Ok(()) } else { Err(wrong(field, problem())) }
}

fn routes<T: Ord>(field: &'static str, routes: &[T], named: impl Fn(&T) -> bool) -> Result<(), ManifestError> {
    if routes.len() > ROUTES_MAX {
        return Err(wrong(field, format!("holds over {ROUTES_MAX} routes")));
    }
    if !routes.iter().all(named) {
        return Err(wrong(field, "holds a name that is empty, too long, or has control characters".to_owned()));
    }
    if routes.windows(2).all(|pair| pair.first() < pair.last()) { Ok(()) } else { Err(unsorted(field)) }
}

fn tools(tools: &[ToolRoute]) -> Result<(), ManifestError> {
    let field = "routes.tools";
    routes(field, tools, |tool| is_name(&tool.name) && (tool.server.is_empty() || is_name(&tool.server)))?;
    // A tool that stands there twice, with different actions, would be two.
    let named = |tool: &ToolRoute| (tool.server.clone(), tool.name.clone());
    let ascend = tools.windows(2).all(|pair| pair.first().map(named) < pair.last().map(named));
    if ascend { Ok(()) } else { Err(unsorted(field)) }
}

fn unsorted(field: &'static str) -> ManifestError {
    wrong(field, "is not sorted, or repeats a route".to_owned())
}

#[cfg(test)]
#[path = "manifest_tests.rs"]
mod tests;
