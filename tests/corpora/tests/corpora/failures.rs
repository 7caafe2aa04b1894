//! The shell rows of both failure lists: public bypasses of other gates, as tests of this one.

use holdpoint_tests_corpora::{Answer, ask, corpora, judged};
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
    let line_feeds = |text: &str| text.replace('\u{23ce}', "\n");
    // A span that holds a backtick is fenced by two, with a space inside.
    if let Some(span) = cell.strip_prefix("`` ").and_then(|rest| rest.strip_suffix(" ``")) {
        return vec![line_feeds(span)];
    }
    let joined = cell.replace("` newline `", "\n").replace("` then `", "\n");
    joined.split('`').skip(1).step_by(2).map(line_feeds).collect()
}

#[test]
fn public_bypasses_of_guards_do_not_work_here() -> Result<(), Failed> {
    let Some(folder) = corpora() else { return Ok(()) };
    let judged = judged()?;
    let scene = Scene::new()?;
    let (mut tested, mut wrong) = (0, Vec::new());
    let shell = [
        "BL-01", "BL-02", "BL-03", "BL-05", "BL-07", "BL-08", "BL-13", "BL-17", "BL-18", "BL-20", "BL-22", "BL-24",
        "BL-25", "BL-fp4", "ME-",
    ];
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
            wrong.extend(check(&scene, &row.id, command, wanted)?);
            tested += 1;
        }
    }
    say(&format!("guard failures: {tested} commands"));
    assert!(tested > 15, "only {tested} commands were found");
    assert!(wrong.is_empty(), "{wrong:#?}");
    Ok(())
}

/// What is wrong with the answer, if anything is.
fn check(scene: &Scene, id: &str, command: &str, wanted: &str) -> Result<Option<String>, Failed> {
    let level = if wanted.starts_with("deny HARD") { LOOSE } else { &["--level", "guarded"] };
    let answer = one(scene, command, level)?;
    let right = match wanted.split_whitespace().next() {
        Some("deny") => answer.decision == "deny",
        Some("allow") => answer.decision != "deny",
        _ => answer.decision != "allow",
    };
    Ok((!right).then(|| format!("{id}: {command}: wanted {wanted}: {answer:?}")))
}

fn one(scene: &Scene, command: &str, arguments: &[&str]) -> Result<Answer, Failed> {
    let mut answers = ask(scene, &[command.to_owned()], arguments)?;
    answers.pop().ok_or("no answer".into())
}

#[test]
fn shell_lines_that_were_misread_elsewhere_are_read_here() -> Result<(), Failed> {
    let Some(folder) = corpora() else { return Ok(()) };
    let judged = judged()?;
    let scene = Scene::new()?;
    let (mut tested, mut wrong) = (0, Vec::new());
    for row in table(&folder.join("domain-failures.md"), &["shell-"])? {
        if judged.failures.iter().any(|judged| judged.id == row.id) {
            continue;
        }
        let right = row.cells.get(5).ok_or("no classification")?;
        for command in commands(row.cells.get(4).ok_or("no input")?) {
            let worst = ["unknown", "irreversible", "exec"].iter().any(|word| right.contains(word));
            let level = if worst { "guarded" } else { "observe" };
            let answer = one(&scene, &command, &["--level", level])?;
            if answer.decision == "allow" {
                wrong.push(format!("{}: {command}: {right}: {answer:?}", row.id));
            }
            tested += 1;
        }
    }
    say(&format!("domain failures: {tested} commands"));
    assert!(tested > 30, "only {tested} commands were found");
    assert!(wrong.is_empty(), "{wrong:#?}");
    Ok(())
}
