//! Laws that need no label: severity (allow < ask < deny) never falls when a command is wrapped, joined or redirected.

use holdpoint_tests_corpora::{Answer, ask, corpora, json_lines};
use holdpoint_tests_e2e::{Failed, Scene, say};

fn lines() -> Result<Option<Vec<String>>, Failed> {
    let Some(folder) = corpora() else { return Ok(None) };
    let mut lines: Vec<String> = json_lines(&folder.join("nl2bash-commands.jsonl"))?;
    lines.extend(json_lines::<String>(&folder.join("tldr-commands.jsonl"))?);
    Ok(Some(lines))
}

/// A word that bash reads as it is: `'` is the only character that ends single quotes.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// A line that is one simple command from its first word on.
fn starts_with_a_program(line: &str) -> bool {
    let keywords = ["if", "for", "while", "until", "case", "select", "function", "time", "coproc"];
    let first = line.split_whitespace().next().unwrap_or_default();
    let plain = |character: char| character.is_ascii_alphanumeric() || "._/+-".contains(character);
    !first.is_empty() && first.chars().all(plain) && !keywords.contains(&first) && !line.contains("()")
}

struct Law {
    name: &'static str,
    change: fn(&str) -> Option<String>,
    arguments: &'static [&'static str],
}

const LAWS: &[Law] = &[
    Law { name: "a lower level", change: |line| Some(line.to_owned()), arguments: &["--level", "guarded"] },
    Law { name: "bash -c", change: |line| Some(format!("bash -c {}", quoted(line))), arguments: TRUSTED },
    Law {
        name: "twice in a list",
        change: |line| (!line.contains(['#', '\n'])).then(|| format!("{line}; {line}")),
        arguments: TRUSTED,
    },
    Law { name: "after another line", change: |line| Some(format!("true\n{line}")), arguments: TRUSTED },
    Law {
        name: "with a variable set",
        change: |line| starts_with_a_program(line).then(|| format!("env X=1 {line}")),
        arguments: TRUSTED,
    },
    Law {
        name: "into a file",
        change: |line| {
            (!line.contains(['#', '\n', '\\']) && !line.trim_end().ends_with('&')).then(|| format!("{line} > out.txt"))
        },
        arguments: TRUSTED,
    },
    Law {
        name: "under a wrapper",
        change: |line| starts_with_a_program(line).then(|| format!("nice {line}")),
        arguments: TRUSTED,
    },
];

const TRUSTED: &[&str] = &["--level", "trusted"];

#[test]
fn severity_never_falls_under_a_change_that_keeps_the_command() -> Result<(), Failed> {
    let Some(lines) = lines()? else { return Ok(()) };
    let scene = Scene::new()?;
    let before = ask(&scene, &lines, TRUSTED)?;
    let mut fallen = Vec::new();
    for law in LAWS {
        let changed: Vec<(usize, String)> =
            lines.iter().enumerate().filter_map(|(index, line)| Some((index, (law.change)(line)?))).collect();
        let texts: Vec<String> = changed.iter().map(|(_, text)| text.clone()).collect();
        let after = ask(&scene, &texts, law.arguments)?;
        say(&format!("law `{}`: {} lines", law.name, texts.len()));
        for ((index, text), after) in changed.iter().zip(&after) {
            if falls(&before[*index], after)? {
                fallen.push((law.name, text.clone(), before[*index].clone(), after.clone()));
            }
        }
    }
    fallen.truncate(20);
    assert!(fallen.is_empty(), "{fallen:#?}");
    Ok(())
}

/// A line that bash itself does not take, before or after, says nothing about the law: two open quotes close each other.
fn falls(before: &Answer, after: &Answer) -> Result<bool, Failed> {
    Ok(after.severity()? < before.severity()? && !after.is_unread() && !before.is_unread())
}
