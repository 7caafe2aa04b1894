//! Both failure lists: public bypasses of other gates, as tests of this one.

use crate::own_rows;
use crate::rows::{How, Must, ROWS};
use crate::setting::Judge;
use holdpoint_tests_corpora::{Answer, ask, corpora, judged};
use holdpoint_tests_e2e::{Failed, Scene, say};
use std::path::Path;

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

/// The verdicts that a cell names, in order.
fn verdicts(cell: &str) -> Vec<Must> {
    let mut verdicts = Vec::new();
    for word in cell.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-') {
        match (word, verdicts.last_mut()) {
            ("allow", _) => verdicts.push(Must::Allow),
            ("ask", _) => verdicts.push(Must::Ask),
            ("deny", _) => verdicts.push(Must::Deny),
            ("not-allow", _) => verdicts.push(Must::NotAllow),
            ("HARD", Some(last)) => *last = Must::DenyHard,
            _ => {}
        }
    }
    verdicts
}

/// Whether a list says what the file says: one verdict for all inputs, one for each, or one of those that the file lets
/// choose from.
fn agrees(musts: &[Must], cell: &str) -> bool {
    match verdicts(cell).as_slice() {
        [one] => musts.iter().all(|must| must == one),
        all if all.len() == musts.len() => all == musts,
        any => musts.iter().all(|must| any.contains(must)),
    }
}

/// The column of the inputs, and that of the verdicts.
fn columns(id: &str) -> (usize, usize) {
    if id.starts_with("ME-") { (2, 3) } else { (4, 5) }
}

#[test]
fn every_public_failure_of_a_guard_gets_the_verdict_that_it_names() -> Result<(), Failed> {
    let Some(folder) = corpora() else { return Ok(()) };
    let rows = table(&folder.join("guard-failures.md"), &["BL-", "ME-"])?;
    let named: Vec<&str> = rows.iter().map(|row| row.id.as_str()).collect();
    let known: Vec<&str> = ROWS.iter().map(|(id, _)| *id).collect();
    assert_eq!(named, known, "every row of the file stands in the table, and the other way round");
    let judge = Judge::new()?;
    let (mut tested, mut later, mut wrong) = (0, 0, Vec::new());
    for (row, (id, how)) in rows.iter().zip(ROWS) {
        let (input, verdict) = columns(id);
        let input = commands(row.cells.get(input).ok_or("no input")?);
        let verdict = row.cells.get(verdict).ok_or("no verdict")?;
        let (context, musts, reason) = match how {
            How::Lines(context, musts) => (context, musts.to_vec(), None),
            How::Later(context, reason) => (context, vec![Must::NotAllow; input.len()], Some(reason)),
            How::Own => {
                tested += 1;
                let own = own_rows::run(id, &input, verdict).map_err(|error| format!("{id}: {error}"))?;
                wrong.extend(own.iter().map(|wrong| format!("{id}: {wrong}")));
                continue;
            }
            How::Absent(reason) => {
                later += 1;
                say(&format!("{id} is left: {reason}"));
                continue;
            }
        };
        if let Some(reason) = reason {
            later += 1;
            say(&format!("{id} is only never allowed: {reason}"));
        } else if !agrees(&musts, verdict) {
            wrong.push(format!("{id}: the file says {verdict}, the table {musts:?}"));
        }
        if musts.len() != input.len() {
            wrong.push(format!("{id}: {} inputs, {} verdicts", input.len(), musts.len()));
        }
        for (line, must) in input.iter().zip(musts) {
            tested += 1;
            wrong.extend(judge.line(line, *context, must)?.map(|wrong| format!("{id}: {wrong}")));
        }
    }
    say(&format!("guard failures: {tested} tests, {later} rows of parts that are not there"));
    assert!(wrong.is_empty(), "{wrong:#?}");
    Ok(())
}

#[test]
fn the_verdicts_of_a_cell_are_read_as_they_are_written() {
    let cells: [(&str, &[Must]); 5] = [
        ("deny HARD", &[Must::DenyHard]),
        ("deny, deny HARD, not-allow", &[Must::Deny, Must::DenyHard, Must::NotAllow]),
        ("not-allow (first), deny (second)", &[Must::NotAllow, Must::Deny]),
        ("allow (read) or ask, never \"tamper\"", &[Must::Allow, Must::Ask]),
        ("exit 2 with a reason", &[]),
    ];
    for (cell, read) in cells {
        assert_eq!(verdicts(cell), read, "{cell}");
    }
    assert!(agrees(&[Must::Ask; 3], "ask") && !agrees(&[Must::Ask, Must::Deny], "ask"));
    assert!(!agrees(&[Must::Deny], "deny HARD"), "what is HARD is tested as such");
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
