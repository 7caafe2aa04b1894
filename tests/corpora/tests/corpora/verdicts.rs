//! Rows with verdicts: what must stop is stopped, and what is stopped without need is counted and judged by kind.

use holdpoint_tests_corpora::{Answer, Judged, Row, ask, corpora, json_lines, judged, row_name};
use holdpoint_tests_e2e::{Failed, Scene, say};
use std::collections::{BTreeMap, BTreeSet};

/// What the meaning of safe rows needs beyond `trusted`.
const FITTING: &[&str] = &[
    "--level",
    "trusted",
    "--loosen",
    "net.allow_outbound",
    "--loosen",
    "shell.allow_outside_workspace",
    "--loosen",
    "code.auto_commit",
];
const STOP: &[&str] = &["deny", "not-allow", "ask-or-deny"];

fn rows(wanted: impl Fn(&Row) -> bool) -> Result<Option<Vec<Row>>, Failed> {
    let Some(folder) = corpora() else { return Ok(None) };
    let rows: Vec<Row> = json_lines(&folder.join("shell-verdicts.jsonl"))?;
    Ok(Some(rows.into_iter().filter(wanted).collect()))
}

fn answers(rows: &[Row], arguments: &[&str]) -> Result<Vec<Answer>, Failed> {
    let lines: Vec<String> = rows.iter().map(|row| row.command.clone()).collect();
    ask(&Scene::new()?, &lines, arguments)
}

#[test]
fn what_a_source_wants_stopped_is_stopped_or_judged() -> Result<(), Failed> {
    let Some(rows) = rows(|row| STOP.contains(&row.expected.as_str()))? else { return Ok(()) };
    let judged = judged()?;
    let known: BTreeSet<&str> = judged.allowed.iter().flat_map(|kind| kind.rows.iter().map(String::as_str)).collect();
    let answers = answers(&rows, &["--level", "guarded"])?;
    let allowed = rows.iter().zip(&answers).filter(|(_, answer)| answer.decision == "allow");
    let unjudged: Vec<_> =
        allowed.clone().filter(|(row, _)| !known.contains(row_name(&row.command).as_str())).collect();
    say(&format!("must stop: {} rows, {} allowed, all of a judged kind", rows.len(), allowed.count()));
    assert!(unjudged.is_empty(), "dangerous rows are allowed: {unjudged:#?}");
    Ok(())
}

#[test]
fn what_a_source_calls_safe_is_allowed_or_stopped_for_a_judged_reason() -> Result<(), Failed> {
    let safe = |row: &Row| row.expected == "allow" && row.source != "shellfirm";
    let Some(rows) = rows(safe)? else { return Ok(()) };
    let judged = judged()?;
    let answers = answers(&rows, FITTING)?;
    let mut kinds: BTreeMap<&str, u32> = BTreeMap::new();
    let mut unjudged = Vec::new();
    for (row, answer) in rows.iter().zip(&answers).filter(|(_, answer)| answer.decision != "allow") {
        match kind(answer, &judged) {
            Some(kind) => *kinds.entry(kind).or_default() += 1,
            None => unjudged.push((row, answer)),
        }
    }
    print_shares(&rows, &answers)?;
    say(&format!("safe rows stopped, by kind: {kinds:?}"));
    assert!(unjudged.is_empty(), "stopped for a reason that nobody judged: {unjudged:#?}");
    Ok(())
}

/// The kind that an answer belongs to.
fn kind<'a>(answer: &Answer, judged: &'a Judged) -> Option<&'a str> {
    let starts =
        |text: &str| judged.stopped.iter().find(|kind| text.starts_with(&kind.starts)).map(|kind| kind.starts.as_str());
    // A program that nobody claims makes the row out of scope, whatever else is in it.
    if answer.unknown.iter().any(|cause| cause == "no-vocabulary") {
        return starts("no-vocabulary");
    }
    answer.unknown.iter().chain(&answer.effects).find_map(|text| starts(text))
}

fn print_shares(rows: &[Row], answers: &[Answer]) -> Result<(), Failed> {
    #[derive(serde::Deserialize)]
    struct Peer {
        command: String,
        approved: bool,
    }
    let Some(folder) = corpora() else { return Ok(()) };
    let peer: Vec<Peer> = json_lines(&folder.join("peer-safe-chains.jsonl"))?;
    let approved: BTreeSet<&str> = peer.iter().filter(|row| row.approved).map(|row| row.command.as_str()).collect();
    let claimed = |answer: &Answer| !answer.unknown.iter().any(|cause| cause == "no-vocabulary");
    let share = |wanted: &dyn Fn(&Row, &Answer) -> bool| {
        let chosen: Vec<_> = rows.iter().zip(answers).filter(|(row, answer)| wanted(row, answer)).collect();
        let ours = chosen.iter().filter(|(_, answer)| answer.decision == "allow").count();
        let theirs = chosen.iter().filter(|(row, _)| approved.contains(row.command.as_str())).count();
        format!("{} rows, ours {ours}, safe-chains {theirs}", chosen.len())
    };
    say(&format!("safe rows: {}", share(&|_, _| true)));
    say(&format!("safe rows of claimed programs only: {}", share(&|_, answer| claimed(answer))));
    Ok(())
}

#[test]
fn what_matched_no_pattern_of_a_source_is_denied_only_by_the_floor() -> Result<(), Failed> {
    let unflagged = |row: &Row| row.expected == "allow" && row.source == "shellfirm";
    let Some(rows) = rows(unflagged)? else { return Ok(()) };
    let answers = answers(&rows, &["--level", "guarded"])?;
    for (row, answer) in rows.iter().zip(&answers).filter(|(_, answer)| answer.decision == "deny") {
        assert!(answer.rule.starts_with("floor."), "{row:?} {answer:?}");
    }
    Ok(())
}
