//! Commands that nobody here wrote: no panic, every operation declared, and how often there is a doubt.

#![expect(clippy::disallowed_methods, reason = "the corpora are files")]

use std::collections::BTreeMap;
use std::path::PathBuf;

use holdpoint_guest::Finding;

use super::finding;
use crate::table::Program;

/// The folder of the corpora, if it is there.
pub(crate) fn folder() -> Option<PathBuf> {
    let named = std::env::var_os("HOLDPOINT_CORPORA").map(PathBuf::from);
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora");
    let folder = named.unwrap_or(beside);
    let found = folder.is_dir();
    if !found {
        println!("corpora: not found, skipped");
    }
    found.then_some(folder)
}

/// All command lines of the corpora.
fn lines(folder: &std::path::Path) -> Vec<String> {
    let mut all = Vec::new();
    for name in ["nl2bash-commands.jsonl", "tldr-commands.jsonl", "shell-verdicts.jsonl", "dippy-verdicts.jsonl"] {
        let Ok(text) = std::fs::read_to_string(folder.join(name)) else {
            continue;
        };
        for line in text.lines() {
            let value: serde_json::Value = serde_json::from_str(line).expect("a JSON line");
            let command = value.as_str().or_else(|| value["command"].as_str()).expect("a command");
            all.push(command.to_owned());
        }
    }
    all
}

/// The words of a line without shell syntax beyond quotes; patterns are marked. Parts of a pipeline are lines of their own.
pub(crate) fn split(line: &str) -> Vec<Vec<String>> {
    let mut commands = vec![Vec::new()];
    let mut word: Option<String> = None;
    let mut glob = false;
    let mut letters = line.chars().peekable();
    let finish = |word: &mut Option<String>, glob: &mut bool, commands: &mut Vec<Vec<String>>| {
        if let Some(text) = word.take() {
            let text = if *glob { format!("G:{text}") } else { text };
            commands.last_mut().expect("never empty").push(text);
        }
        *glob = false;
    };
    while let Some(letter) = letters.next() {
        match letter {
            ' ' | '\t' => finish(&mut word, &mut glob, &mut commands),
            '\'' => {
                let text = word.get_or_insert_default();
                loop {
                    match letters.next() {
                        Some('\'') => break,
                        Some(letter) => text.push(letter),
                        None => return Vec::new(),
                    }
                }
            }
            '"' => {
                let text = word.get_or_insert_default();
                loop {
                    match letters.next() {
                        Some('"') => break,
                        Some('$' | '`') | None => return Vec::new(),
                        Some('\\') => match letters.next() {
                            Some(escaped @ ('"' | '\\' | '$' | '`')) => text.push(escaped),
                            Some(other) => text.extend(['\\', other]),
                            None => return Vec::new(),
                        },
                        Some(letter) => text.push(letter),
                    }
                }
            }
            '\\' => match letters.next() {
                Some(letter) => word.get_or_insert_default().push(letter),
                None => return Vec::new(),
            },
            '|' => {
                finish(&mut word, &mut glob, &mut commands);
                commands.push(Vec::new());
            }
            '$' | '`' | '&' | ';' | '<' | '>' | '(' | ')' | '\n' | '~' => return Vec::new(),
            '{' if letters.peek() != Some(&'}') => return Vec::new(),
            '#' if word.is_none() => return Vec::new(),
            '*' | '?' | '[' => {
                glob = true;
                word.get_or_insert_default().push(letter);
            }
            letter => word.get_or_insert_default().push(letter),
        }
    }
    finish(&mut word, &mut glob, &mut commands);
    commands.retain(|command| !command.is_empty());
    commands
}

/// Every command of the corpora that this vocabulary claims.
pub(crate) fn claimed() -> Vec<(Vec<String>, Finding)> {
    let Some(folder) = folder() else { return Vec::new() };
    let mut all = Vec::new();
    for line in lines(&folder) {
        for mut command in split(&line) {
            if command.first().is_some_and(|first| first == "sudo") {
                command.remove(0);
            }
            let Some(name) = command.first() else { continue };
            if Program::named(name.rsplit('/').next().unwrap_or(name)).is_none() {
                continue;
            }
            let words: Vec<&str> = command.iter().map(String::as_str).collect();
            let finding = finding(&words);
            all.push((command, finding));
        }
    }
    all
}

#[test]
fn doubts_are_rare() {
    let all = claimed();
    let mut by_program: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut doubtful = 0_usize;
    let dump = std::env::var_os("HOLDPOINT_DUMP_DOUBTS").is_some();
    for (command, finding) in &all {
        let counts = by_program.entry(command[0].clone()).or_default();
        counts.0 += 1;
        if dump {
            let harmless = super::is_harmless(finding);
            let parts = serde_json::json!({ "argv": command, "harmless": harmless, "text": super::render(finding) });
            println!("FINDING {parts}");
        }
        if !finding.doubts.is_empty() {
            counts.1 += 1;
            doubtful += 1;
            if dump {
                println!("DOUBT {} {:?} {}", command[0], finding.doubts[0].reason, command.join(" "));
            }
        }
    }
    let mut worst: Vec<_> = by_program.iter().filter(|(_, counts)| counts.1 > 0).collect();
    worst.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.1));
    let worst: Vec<String> =
        worst.iter().take(25).map(|(name, (all, doubt))| format!("{name} {doubt}/{all}")).collect();
    println!("posix corpora: {} commands, {doubtful} with a doubt; most: {}", all.len(), worst.join(", "));
    // The corpora hold placeholders and mistakes as well, so some doubts are right.
    assert!(doubtful * 20 <= all.len(), "more than one command in twenty has a doubt");
}
