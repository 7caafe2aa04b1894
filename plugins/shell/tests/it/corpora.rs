//! Measurements and rules over public command corpora, which stay beside the repository.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use holdpoint_guest::{Action, Finding, Reason, Request};
use holdpoint_plugin_shell::classify;

use crate::testing;

/// The lines of a corpus file, or `None` if the corpora are not there.
pub(crate) fn lines(file: &str) -> Option<Vec<String>> {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora");
    let folder = std::env::var_os("HOLDPOINT_CORPORA").map_or(beside, PathBuf::from);
    let text = std::fs::read_to_string(folder.join(file)).ok()?;
    let command = |line: &str| {
        let value: serde_json::Value = serde_json::from_str(line).ok()?;
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
    let Some(commands) = all() else {
        return println!("corpora: not found, skipped");
    };
    if Command::new("bash").arg("--version").output().is_err() {
        return println!("bash: not found, skipped");
    }
    let clean: Vec<String> =
        commands.into_iter().filter(|command| !is_doubtful(&classify(&testing::bash(command)))).collect();
    let half = clean.len() / 2;
    let check =
        |part: &[String]| -> Vec<String> { part.iter().filter(|command| !bash_accepts(command)).cloned().collect() };
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
        let Some(commands) = lines(file) else {
            return println!("corpora: not found, skipped");
        };
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

/// `UpperCase` names as the manifest writes them.
fn kebab(debug: &str) -> String {
    let name = debug.rsplit("::").next().unwrap_or(debug);
    let mut out = String::new();
    for character in name.chars() {
        if character.is_uppercase() && !out.is_empty() {
            out.push('-');
        }
        out.extend(character.to_lowercase());
    }
    out
}

/// The actions of a finding and of those delegates that come back to this vocabulary.
fn actions(finding: &Finding, programs: &[String], levels: usize, found: &mut BTreeMap<String, String>, text: &str) {
    for operation in &finding.operations {
        let kind = operation.target.last().map_or("none".to_owned(), |segment| kebab(&format!("{:?}", segment.kind)));
        found.entry(format!("{} {kind}", kebab(&format!("{:?}", operation.verb)))).or_insert_with(|| text.to_owned());
    }
    for delegate in finding.delegates.iter().filter(|_| levels > 0) {
        let ours = match &delegate.action {
            Action::Program(invocation) => invocation.argv.first().is_some_and(|head| programs.contains(&head.text)),
            Action::Source(_) => true,
            Action::Tool(_) => false,
        };
        if ours {
            let request = Request { action: delegate.action.clone(), facts: Vec::new() };
            actions(&classify(&request), programs, levels - 1, found, text);
        }
    }
}

#[test]
fn every_action_is_declared() {
    let manifest: toml::Table = include_str!("../../vocabulary.toml").parse().expect("a manifest");
    let list = |value: &toml::Value| -> Vec<String> {
        value.as_array().expect("a list").iter().filter_map(|one| one.as_str().map(str::to_owned)).collect()
    };
    let (declared, programs) = (list(&manifest["actions"]), list(&manifest["routes"]["programs"]));
    let Some(commands) = all() else {
        return println!("corpora: not found, skipped");
    };
    let mut found = BTreeMap::new();
    for command in &commands {
        actions(&classify(&testing::bash(command)), &programs, 6, &mut found, command);
    }
    println!("actions: {:?}", found.keys().collect::<Vec<_>>());
    for (action, command) in found {
        assert!(declared.contains(&action), "{action} in {command:?}");
    }
}

#[test]
fn wrappers_in_the_corpora_are_understood_mostly() {
    let Some(commands) = all() else {
        return println!("corpora: not found, skipped");
    };
    let manifest: toml::Table = include_str!("../../vocabulary.toml").parse().expect("a manifest");
    let programs: Vec<&str> =
        manifest["routes"]["programs"].as_array().expect("a list").iter().filter_map(toml::Value::as_str).collect();
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let verbose = std::env::var_os("HOLDPOINT_SHOW_DOUBTS").is_some();
    for command in &commands {
        for delegate in classify(&testing::bash(command)).delegates {
            let Action::Program(invocation) = &delegate.action else {
                continue;
            };
            let name = invocation.argv[0].text.clone();
            if !programs.contains(&&*name) {
                continue;
            }
            let finding = classify(&Request { action: delegate.action.clone(), facts: Vec::new() });
            let count = counts.entry(name).or_default();
            count.0 += 1;
            count.1 += usize::from(is_doubtful(&finding));
            if verbose && is_doubtful(&finding) {
                println!("wrapper\t{}\t{:?}", testing::show_action(&delegate.action), finding.doubts);
            }
        }
    }
    println!("wrappers, all and doubtful: {counts:?}");
}
