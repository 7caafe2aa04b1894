//! Measurements and rules over public command corpora, which stay beside the repository.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use holdpoint_guest::{Finding, Reason};
use holdpoint_plugin_shell::classify;

use crate::testing;

/// The lines of a corpus file, or `None` if the corpora are not there.
pub(crate) fn lines(file: &str) -> Option<Vec<String>> {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora");
    let folder = std::env::var_os("HOLDPOINT_CORPORA").map_or(beside, PathBuf::from);
    let text = std::fs::read_to_string(folder.join(file)).ok()?;
    let command = |line: &str| {
        let value: serde_json::Value = serde_json::from_str(line).expect("a JSON line");
        value.as_str().or_else(|| value.get("command")?.as_str()).map(str::to_owned)
    };
    Some(text.lines().filter_map(command).collect())
}

pub(crate) fn all() -> Option<Vec<String>> {
    let mut all = Vec::new();
    for file in ["shell-verdicts.jsonl", "dippy-verdicts.jsonl", "nl2bash-commands.jsonl", "tldr-commands.jsonl"] {
        all.extend(lines(file)?);
    }
    Some(all)
}

fn is_doubtful(finding: &Finding) -> bool {
    !finding.doubts.is_empty() || !finding.facts_needed.is_empty()
}

fn bash_accepts(command: &str) -> bool {
    let status = Command::new("bash").args(["-n", "-c", command]).stderr(std::process::Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

#[test]
fn what_bash_rejects_carries_a_doubt() {
    let Some(commands) = all() else { return println!("corpora: not found, skipped") };
    if Command::new("bash").arg("--version").output().is_err() {
        return println!("bash: not found, skipped");
    }
    let clean: Vec<String> =
        commands.into_iter().filter(|command| !is_doubtful(&classify(&testing::bash(command)))).collect();
    let half = clean.len() / 2;
    let check = |part: &[String]| -> Vec<String> {
        part.iter().filter(|command| !bash_accepts(command)).cloned().collect()
    };
    let rejected = std::thread::scope(|scope| {
        let first = scope.spawn(|| check(&clean[..half]));
        let mut rejected = check(&clean[half..]);
        rejected.extend(first.join().expect("the other half"));
        rejected
    });
    println!("corpora: {} lines without a doubt, bash rejects {}", clean.len(), rejected.len());
    assert!(rejected.is_empty(), "{rejected:#?}");
}

#[test]
fn doubt_rates_and_times_are_printed() {
    for file in ["shell-verdicts.jsonl", "dippy-verdicts.jsonl", "nl2bash-commands.jsonl", "tldr-commands.jsonl"] {
        let Some(commands) = lines(file) else { return println!("corpora: not found, skipped") };
        let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
        let mut times: Vec<Duration> = Vec::new();
        let mut bytes: Vec<usize> = Vec::new();
        let mut doubtful = 0;
        let verbose = std::env::var_os("HOLDPOINT_SHOW_DOUBTS").is_some();
        for command in &commands {
            let request = testing::bash(command);
            let before = crate::asked_bytes();
            let start = Instant::now();
            let finding = classify(&request);
            times.push(start.elapsed());
            bytes.push(crate::asked_bytes() - before);
            doubtful += usize::from(is_doubtful(&finding));
            let mut seen: Vec<Reason> = finding.doubts.iter().map(|doubt| doubt.reason).collect();
            seen.dedup();
            for reason in seen {
                *reasons.entry(format!("{reason:?}")).or_default() += 1;
                if verbose {
                    println!("{reason:?}\t{command:?}");
                }
            }
        }
        times.sort_unstable();
        bytes.sort_unstable();
        let at = |share: usize| times[(times.len() - 1) * share / 100];
        println!(
            "{file}: {doubtful} of {} doubtful ({:.1} %), p50 {:?}, p99 {:?}, max {:?}, bytes p50 {} max {}, {reasons:?}",
            commands.len(),
            100.0 * doubtful as f64 / commands.len() as f64,
            at(50),
            at(99),
            at(100),
            bytes[bytes.len() / 2],
            bytes[bytes.len() - 1],
        );
    }
}
