//! Killed at any point, the command loses no decision that it has told.

use holdpoint_tests_e2e::{Failed, Scene, holdpoint};
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

/// Rounds of starting and killing.
const KILLS: u64 = 200;
/// Most answers that are read before a kill.
const ANSWERS_MAX: u64 = 9;

/// A sequence that is the same in every run, so that a failure can be repeated.
fn steps(seed: u64) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(seed), |state| Some(state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1)))
        .map(|state| state >> 33)
}

#[test]
fn two_hundred_kills_lose_no_decision_that_was_told() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let mut told = BTreeSet::new();
    for step in steps(20_261_130).take(usize::try_from(KILLS)?) {
        told.extend(killed_after(&scene, step % ANSWERS_MAX)?);
    }
    assert!(told.len() > 100, "only {} decisions were told", told.len());
    let verified = scene.run(&["audit", "verify", "--json"])?;
    assert_eq!(verified.code, Some(0), "{}", verified.stdout);
    let shown = scene.run(&["audit", "show", "--json", "--last", "10000"])?;
    let recorded: BTreeSet<String> = shown.stdout.lines().filter_map(id_of).collect();
    let lost: Vec<_> = told.difference(&recorded).collect();
    assert!(lost.is_empty(), "{lost:?}");
    Ok(())
}

fn id_of(line: &str) -> Option<String> {
    let value: Value = serde_json::from_str(line).ok()?;
    Some(value.get("correlation_id")?.as_str()?.to_owned())
}

/// Feeds calls to a batch and kills it once so many answers have been read. The answers that arrived were told.
fn killed_after(scene: &Scene, answers: u64) -> Result<Vec<String>, Failed> {
    let mut child = Command::new(holdpoint()?)
        .args(["check", "--json", "--batch", "-"])
        .env("HOLDPOINT_HOME", scene.state())
        .current_dir(scene.workspace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut stdin = child.stdin.take().ok_or("no standard input")?;
    let mut output = BufReader::new(child.stdout.take().ok_or("no standard output")?);
    // A reader takes lines one by one, so each answer is told before the next call is sent.
    let mut told = Vec::new();
    for _ in 0..answers {
        stdin.write_all(b"{\"arguments\":{\"command\":\"ls\"}}\n")?;
        stdin.flush()?;
        let mut line = String::new();
        output.read_line(&mut line)?;
        told.push(id_of(&line).ok_or("no answer")?);
    }
    // One more call is under way when the kill comes.
    stdin.write_all(b"{\"arguments\":{\"command\":\"pwd\"}}\n")?;
    child.kill()?;
    child.wait()?;
    told.extend(output.lines().map_while(Result::ok).filter_map(|line| id_of(&line)));
    Ok(told)
}
