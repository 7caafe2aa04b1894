//! Judges whole corpora with the built command. The corpora lie beside the repository and are never copied into it: rows
//! are named here by the digest of their text.

use holdpoint_tests_e2e::{Failed, Scene};
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// Digits of the digest that name a row.
const ROW_DIGITS: usize = 12;

/// The folder of the corpora: `HOLDPOINT_CORPORA`, else beside the repository. `None`, after one line that says so, if
/// there is none.
pub fn corpora() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora");
    let folder = std::env::var_os("HOLDPOINT_CORPORA").map_or_else(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    holdpoint_tests_e2e::say("corpora: not found, skipped");
    None
}

/// A row of a corpus with verdicts.
#[derive(Clone, Debug, Deserialize)]
pub struct Row {
    /// Whose opinion it is.
    #[serde(default)]
    pub source: String,
    /// The shell line.
    pub command: String,
    /// The opinion.
    #[serde(default)]
    pub expected: String,
}

/// Reads a file of JSON lines.
pub fn json_lines<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<Vec<T>, Failed> {
    let text = std::fs::read_to_string(path)?;
    Ok(text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
}

/// The name of a row.
pub fn row_name(command: &str) -> String {
    hex::encode(Sha256::digest(command)).chars().take(ROW_DIGITS).collect()
}

/// What the gate answered about a line.
#[derive(Clone, Debug)]
pub struct Answer {
    /// allow, ask or deny.
    pub decision: String,
    /// The rule that spoke first.
    pub rule: String,
    /// Why something was not understood.
    pub unknown: Vec<String>,
    /// Verb, native word and effect of the operations that have one.
    pub effects: Vec<String>,
}

impl Answer {
    fn of(value: &Value) -> Answer {
        let text = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
        let list = |key: &str| value[key].as_array().cloned().unwrap_or_default();
        let effect = |operation: &Value| {
            let effect = text(operation, "effect");
            let described = format!("{} {} {effect}", text(operation, "verb"), text(operation, "native"));
            (effect != "none").then_some(described)
        };
        Answer {
            decision: text(value, "decision"),
            rule: text(value, "rule"),
            unknown: list("unknown").iter().map(|unknown| text(unknown, "cause")).collect(),
            effects: list("operations").iter().filter_map(effect).collect(),
        }
    }

    /// How severe the answer is.
    pub fn severity(&self) -> Result<u8, Failed> {
        match self.decision.as_str() {
            "allow" => Ok(0),
            "ask" => Ok(1),
            "deny" => Ok(2),
            other => Err(format!("no decision: {other}").into()),
        }
    }

    /// Whether the line is one that bash itself would not take, or that was not read to its end.
    pub fn is_unread(&self) -> bool {
        let causes = ["parser-error", "parser-disagreement", "unsupported-syntax", "over-bound"];
        self.unknown.iter().any(|cause| causes.contains(&cause.as_str()))
    }
}

/// Asks about all lines with one batch.
pub fn ask(scene: &Scene, lines: &[String], arguments: &[&str]) -> Result<Vec<Answer>, Failed> {
    let call =
        |line: &String| serde_json::json!({ "tool": "Bash", "arguments": { "command": line } }).to_string() + "\n";
    let batch: String = lines.iter().map(call).collect();
    let words: Vec<&str> = ["check", "--json", "--batch", "-"].iter().chain(arguments).copied().collect();
    let ran = scene.run_with(&words, batch.as_bytes())?;
    if ran.code != Some(0) {
        return Err(format!("the batch ended with {:?}: {}", ran.code, ran.stderr).into());
    }
    let answer = |line: &str| Ok::<_, Failed>(Answer::of(&serde_json::from_str(line)?));
    let answers: Vec<Answer> = ran.stdout.lines().map(answer).collect::<Result<_, _>>()?;
    if answers.len() == lines.len() { Ok(answers) } else { Err("a line was not answered".into()) }
}

/// Differences from other people's opinions, each judged once, by kind.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Judged {
    /// Rows that a source wants stopped and that are allowed.
    pub allowed: Vec<AllowedKind>,
    /// Rows that a source wants allowed and that are stopped.
    pub stopped: Vec<StoppedKind>,
    /// Rows of the failure lists whose right answer depends on a context that the row names.
    pub failures: Vec<FailureRow>,
}

/// Rows that may be allowed, and why the label is wrong for this gate.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AllowedKind {
    /// The kind.
    pub kind: String,
    /// Why the label is wrong.
    pub reason: String,
    /// The rows by name.
    pub rows: Vec<String>,
}

/// Answers that may be stopped, and whether that is right.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoppedKind {
    /// What the answer starts with: the first cause of an unknown, or the first effect.
    pub starts: String,
    /// `right`, `wrong` (to be mended) or `out of scope`.
    pub judgement: String,
    /// Why.
    pub reason: String,
}

/// A row that is not tested as it stands.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FailureRow {
    /// Its id.
    pub id: String,
    /// Why.
    pub reason: String,
}

/// The committed list.
pub fn judged() -> Result<Judged, Failed> {
    Ok(toml::from_str(&std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("judged.toml"))?)?)
}
