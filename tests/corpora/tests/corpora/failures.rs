//! The shell rows of both failure lists: public bypasses of other gates, as tests of this one.

use holdpoint_tests_corpora::{ask, corpora, judged};
use holdpoint_tests_e2e::{Failed, Scene, say};
use std::path::Path;

/// Everything an operator could loosen.
const LOOSE: &[&str] = &[
    "--level",
    "unrestricted",
    "--loosen",
    "net.allow_outbound",
    "--loosen",
    "shell.allow_outside_workspace",
    "--loosen",
    "shell.allow_destructive_flags",
    "--loosen",
    "code.auto_commit",
    "--loosen",
    "code.auto_push",
];

/// One row: its cells.
struct FailureLine {
    id: String,
    cells: Vec<String>,
}

fn table(path: &Path, ids: &[&str]) -> Result<Vec<FailureLine>, Failed> {
    let text = std::fs::read_to_string(path)?;
    let row = |line: &str| {
        // A bar inside a code span is written with a backslash.
        let line = line.replace("\\|", "\u{1}");
        let cells: Vec<String> = line.split('|').map(|cell| cell.trim().replace('\u{1}', "|")).collect();
        let id = cells.get(1)?.clone();
        ids.iter().any(|prefix| id.starts_with(prefix)).then_some(FailureLine { id, cells })
    };
    Ok(text.lines().filter_map(row).collect())
}

/// The code spans of a cell. Spans that the cell joins are one command.
fn commands(cell: &str) -> Vec<String> {
    let joined = cell.replace("` newline `", "\n").replace("` then `", "\n");
    let joined = joined.replace("`` ", "``").replace(" ``", "``");
    let fence = if joined.contains("``") { "``" } else { "`" };
    let spans = joined.split(fence).skip(1).step_by(2);
    spans.map(|span| span.replace('\u{23ce}', "\n")).collect()
}

#[test]
fn public_bypasses_of_guards_do_not_work_here() -> Result<(), Failed> {
    let Some(folder) = corpora() else { return Ok(()) };
    let judged = judged()?;
    let scene = Scene::new()?;
    let mut tested = 0;
    let shell =
        ["BL-01", "BL-02", "BL-03", "BL-05", "BL-07", "BL-08", "BL-13", "BL-17", "BL-18", "BL-2", "BL-fp4", "ME-"];
    for row in table(&folder.join("guard-failures.md"), &shell)? {
        if judged.failures.iter().any(|judged| judged.id == row.id) {
            continue;
        }
        let measured = row.id.starts_with("ME-");
        let (input, verdict) = if measured { (2, 3) } else { (4, 5) };
        let commands = commands(row.cells.get(input).ok_or("no input")?);
        let verdict = row.cells.get(verdict).ok_or("no verdict")?;
        for (index, command) in commands.iter().enumerate() {
            let parts: Vec<&str> = verdict.split([',', '/']).map(str::trim).collect();
            let wanted = if parts.len() == commands.len() { parts[index] } else { verdict.as_str() };
            check(&scene, &row.id, command, wanted)?;
            tested += 1;
        }
    }
    say(&format!("guard failures: {tested} commands"));
    assert!(tested > 15, "only {tested} commands were found");
    Ok(())
}

fn check(scene: &Scene, id: &str, command: &str, wanted: &str) -> Result<(), Failed> {
    let line = [command.to_owned()];
    let guarded = &ask(scene, &line, &["--level", "guarded"])?[0];
    if wanted.starts_with("deny HARD") {
        let loose = &ask(scene, &line, LOOSE)?[0];
        assert_eq!(loose.decision, "deny", "{id}: {command}: {loose:?}");
    } else if wanted.starts_with("deny") {
        assert_eq!(guarded.decision, "deny", "{id}: {command}: {guarded:?}");
    } else if wanted.starts_with("allow") {
        assert_ne!(guarded.decision, "deny", "{id}: {command}: {guarded:?}");
    } else {
        assert_ne!(guarded.decision, "allow", "{id}: {command}: {guarded:?}");
    }
    Ok(())
}

#[test]
fn shell_lines_that_were_misread_elsewhere_are_read_here() -> Result<(), Failed> {
    let Some(folder) = corpora() else { return Ok(()) };
    let judged = judged()?;
    let scene = Scene::new()?;
    let mut tested = 0;
    for row in table(&folder.join("domain-failures.md"), &["shell-"])? {
        if judged.failures.iter().any(|judged| judged.id == row.id) {
            continue;
        }
        let right = row.cells.get(5).ok_or("no classification")?;
        for command in commands(row.cells.get(4).ok_or("no input")?) {
            let line = [command.clone()];
            let worst = ["unknown", "irreversible", "exec"].iter().any(|word| right.contains(word));
            let level = if worst { "guarded" } else { "observe" };
            let answer = &ask(&scene, &line, &["--level", level])?[0];
            assert_ne!(answer.decision, "allow", "{}: {command}: {right}: {answer:?}", row.id);
            tested += 1;
        }
    }
    say(&format!("domain failures: {tested} commands"));
    assert!(tested > 30, "only {tested} commands were found");
    Ok(())
}
