//! Who claims to know an action. Every claimant is asked, and their answers are joined; nobody can shadow anybody.

use holdpoint_core::action::Action;
use holdpoint_core::assess::Route;
use holdpoint_core::finding::Declared;
use holdpoint_core::operation::Certainty;
use holdpoint_core::paths::AbsPath;

/// Folders that only the administrator can write, so a program there is the one its name says.
const SYSTEM_PROGRAM_FOLDERS: &[&str] = &["/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin"];
/// Folders directly under the root whose links only the administrator makes.
const SYSTEM_FOLDERS: &[&str] = &["bin", "sbin", "lib", "lib64", "usr", "etc"];

/// What one vocabulary claims. The lists of names are sorted.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Name and digest, for records.
    pub label: String,
    /// Programs by name.
    pub programs: Vec<String>,
    /// Languages by name.
    pub languages: Vec<String>,
    /// Tools by server and name.
    pub tools: Vec<(String, String)>,
    /// What it may report.
    pub declared: Declared,
    /// How an action arrives that comes through it.
    pub route: Route,
}

/// All claims, by the index of the vocabulary.
#[derive(Clone, Debug, Default)]
pub struct Claims {
    claims: Vec<Claim>,
    stamps: Vec<String>,
}

impl Claims {
    /// These claims. Lists that are not sorted are sorted here, since finding a name relies on it.
    pub fn new(claims: impl IntoIterator<Item = Claim>) -> Claims {
        let sorted = |mut claim: Claim| {
            claim.programs.sort_unstable();
            claim.languages.sort_unstable();
            claim.tools.sort_unstable();
            claim
        };
        Claims { claims: claims.into_iter().map(sorted).collect(), stamps: Vec::new() }
    }

    /// The same with what every decision names besides vocabularies, such as the list they are from.
    pub fn with_stamps(self, stamps: Vec<String>) -> Claims {
        Claims { stamps, ..self }
    }

    /// The vocabularies that claim an action, with their index.
    pub fn of(&self, action: &Action) -> Vec<(usize, &Claim)> {
        let claims = |claim: &Claim| match action {
            Action::Tool(tool) => claim
                .tools
                .binary_search_by(|(server, name)| {
                    (server.as_str(), name.as_str()).cmp(&(tool.server.as_str(), tool.name.as_str()))
                })
                .is_ok(),
            Action::Source(source) => has(&claim.languages, &source.language),
            Action::Program(invocation) => match invocation.argv.first() {
                Some(word) if word.certainty == Certainty::Exact => has(&claim.programs, program_name(&word.text)),
                Some(_) | None => false,
            },
        };
        self.claims.iter().enumerate().filter(|(_, claim)| claims(claim)).collect()
    }

    /// The stamps, and the labels of all vocabularies.
    pub fn labels(&self) -> Vec<String> {
        self.stamps.iter().cloned().chain(self.claims.iter().map(|claim| claim.label.clone())).collect()
    }
}

fn has(names: &[String], name: &str) -> bool {
    names.binary_search_by(|known| known.as_str().cmp(name)).is_ok()
}

/// The name a program is claimed by. A path names the program of that name only in a folder of the system.
fn program_name(word: &str) -> &str {
    let Some((folder, name)) = word.rsplit_once('/') else { return word };
    // Steps back are followed only from a folder of the system: elsewhere a link may lead the way.
    let top = word.trim_start_matches('/').split('/').next().unwrap_or_default();
    let followed = !word.contains("..") || SYSTEM_FOLDERS.contains(&top);
    let system = AbsPath::parse(folder)
        .filter(|_| followed)
        .is_some_and(|folder| SYSTEM_PROGRAM_FOLDERS.contains(&folder.text().as_str()));
    if system && !matches!(name, "" | "." | "..") { name } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_the_program_of_that_name_only_in_a_system_folder() {
        assert_eq!(program_name("cat"), "cat");
        for path in ["/usr/bin/cat", "//usr/bin/cat", "/usr/lib/../bin/cat", "/usr/./bin//cat"] {
            assert_eq!(program_name(path), "cat", "{path}");
        }
        for other in [
            "./cat",
            "/usr/bin/../../tmp/cat",
            "/tmp/cat",
            "/usr/bin/x/cat",
            "bin/cat",
            "/home/l/../../bin/cat",
            "/usr/bin/..",
        ] {
            assert_eq!(program_name(other), other);
        }
    }
}
