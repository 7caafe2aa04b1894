//! What Holdpoint says that a command would do.

use holdpoint_core::glob::{Reach, paths_meet};
use holdpoint_tests_e2e::{Failed, Scene};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// A link, and the file that it leads to.
pub struct Link {
    name: PathBuf,
    end: PathBuf,
}

impl Link {
    /// The links among these paths, as they lead now.
    pub fn among<'a>(paths: impl Iterator<Item = &'a PathBuf>) -> Vec<Link> {
        let link = |path: &PathBuf| {
            let end = path.canonicalize().ok()?;
            path.is_symlink().then(|| Link { name: path.clone(), end })
        };
        paths.filter_map(link).collect()
    }
}

/// One answer.
pub struct Told(Value);

/// Asks about several commands, each in its own folder.
pub fn ask(scene: &Scene, lines: &[(String, &Path)]) -> Result<Vec<Told>, Failed> {
    let call = |(line, folder): &(String, &Path)| {
        let call = json!({ "tool": "Bash", "arguments": { "command": line }, "cwd": folder });
        call.to_string() + "\n"
    };
    let batch: String = lines.iter().map(call).collect();
    let ran = scene.run_with(&["check", "--json", "--batch", "-"], batch.as_bytes())?;
    let told: Vec<Told> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).map(Told)).collect::<Result<_, _>>()?;
    if told.len() == lines.len() { Ok(told) } else { Err(format!("a line was not answered: {}", ran.stderr).into()) }
}

impl Told {
    /// Whether something is not understood, so that nothing was overlooked.
    pub fn is_unknown(&self) -> bool {
        self.0.get("unknown").and_then(Value::as_array).is_none_or(|unknown| !unknown.is_empty())
    }

    /// Whether a change of this file was foretold, by its name or by that of a link that led to it before. Whoever deletes
    /// a link leaves what it leads to.
    pub fn covers(&self, path: &Path, links: &[Link]) -> bool {
        let through_link = |operation: &Value| {
            text(operation, "verb") != Some("delete")
                && links.iter().any(|link| link.end == path && covers(operation, &link.name))
        };
        self.operations().any(|operation| covers(operation, path) || through_link(operation))
    }

    fn operations(&self) -> impl Iterator<Item = &Value> {
        self.0.get("operations").and_then(Value::as_array).into_iter().flatten()
    }

    /// The operations, for a person.
    pub fn shown(&self) -> String {
        let shown =
            |operation: &Value| ["verb", "scope", "place"].map(|name| text(operation, name).unwrap_or("?")).join(" ");
        self.operations().map(shown).collect::<Vec<_>>().join("; ")
    }
}

fn text<'a>(operation: &'a Value, name: &str) -> Option<&'a str> {
    operation.get(name).and_then(Value::as_str)
}

fn covers(operation: &Value, path: &Path) -> bool {
    let changes = matches!(text(operation, "access"), Some("write" | "permissions"));
    let Some(place) = text(operation, "place").filter(|_| changes) else { return false };
    // A place that is not known may be every place.
    if !place.starts_with('/') {
        return true;
    }
    let below = matches!(text(operation, "scope"), Some("all-in-parent" | "parent" | "root" | "unknown"));
    let names = |text: &str| text.split('/').filter(|name| !name.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    let is_folder = path.is_dir() && !path.is_symlink();
    let (place, path) = (names(place), names(&path.to_string_lossy()));
    let whole = paths_meet(&place, &path, Reach::Itself);
    // A folder that is made on the way to what was foretold is nothing of its own.
    let on_the_way = is_folder && place.len() > path.len() && place.starts_with(&path);
    whole
        || on_the_way
        || (below && (0..path.len()).any(|end| paths_meet(&place, path.get(..end).unwrap_or(&[]), Reach::Itself)))
}
