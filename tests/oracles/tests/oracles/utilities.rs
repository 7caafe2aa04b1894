//! Ordinary utilities with options drawn by chance, in a folder of their own.

use super::programs::PROGRAMS;
use holdpoint_tests_e2e::{Failed, Scene, say};
use holdpoint_tests_oracles::folder::{Template, changed};
use holdpoint_tests_oracles::told::{Link, ask};
use holdpoint_tests_sim::seeded::Seeded;

/// Commands, unless `HOLDPOINT_ORACLE_COMMANDS` says otherwise.
const COMMANDS: u64 = 600;
/// Commands that are asked about at a time; each has a folder meanwhile.
const BATCH: usize = 200;
/// Most options of one command.
const OPTIONS_MAX: u64 = 3;
/// Most operands of one command.
const OPERANDS_MAX: u64 = 3;
/// Characters that a shell would read; a star is left to it half of the time.
const SHELL_SIGNS: &[char] = &['{', '}', '"', '>', '<', ';', '$', '|', '(', ' '];

/// What came of the commands.
#[derive(Default)]
struct Tally {
    changing: u64,
    unknown: u64,
    changing_unknown: u64,
    overlooked: Vec<String>,
}

fn draw<'a>(list: &'a str, random: &mut Seeded) -> Option<&'a str> {
    let words: Vec<&str> = list.split(' ').filter(|word| !word.is_empty()).collect();
    words.get(usize::try_from(random.below(words.len() as u64)).ok()?).copied()
}

/// A command line. Quotes keep what only looks like shell; patterns stay patterns half of the time.
fn line(random: &mut Seeded) -> String {
    let index = usize::try_from(random.below(PROGRAMS.len() as u64)).unwrap_or(0);
    let (program, options, operands) = PROGRAMS[index];
    let mut words = vec![program.to_owned()];
    let quoted = random.below(2) == 0;
    let mut add = |drawn: Option<&str>| {
        for word in drawn.into_iter().flat_map(|drawn| drawn.split('~')) {
            let special = !word.starts_with('\'') && (word.contains(SHELL_SIGNS) || (quoted && word.contains('*')));
            words.push(if special { format!("'{word}'") } else { word.to_owned() });
        }
    };
    for _ in 0..random.below(OPTIONS_MAX + 1) {
        add(draw(options, random));
    }
    for _ in 0..=random.below(OPERANDS_MAX) {
        add(draw(operands, random));
    }
    words.join(" ")
}

/// Runs commands and compares what they change with what was said before.
fn try_all(lines: &[String], template: &Template, scene: &Scene, tally: &mut Tally) -> Result<(), Failed> {
    let folders = lines.iter().map(|_| template.copy()).collect::<Result<Vec<_>, _>>()?;
    let asked: Vec<_> = lines.iter().cloned().zip(folders.iter().map(|folder| folder.path())).collect();
    let told = ask(scene, &asked)?;
    for ((line, folder), told) in lines.iter().zip(&folders).zip(&told) {
        let before = folder.states()?;
        let links = Link::among(before.keys());
        folder.run(line)?;
        let changes = changed(&before, &folder.states()?);
        tally.changing += u64::from(!changes.is_empty());
        tally.unknown += u64::from(told.is_unknown());
        tally.changing_unknown += u64::from(!changes.is_empty() && told.is_unknown());
        let missed: Vec<_> = changes.iter().filter(|path| !told.is_unknown() && !told.covers(path, &links)).collect();
        if !missed.is_empty() {
            tally.overlooked.push(format!("{line}\n  changed {missed:?}\n  told {}", told.shown()));
        }
    }
    Ok(())
}

#[test]
fn what_a_utility_changes_was_foretold() -> Result<(), Failed> {
    let count =
        std::env::var("HOLDPOINT_ORACLE_COMMANDS").ok().and_then(|count| count.parse().ok()).unwrap_or(COMMANDS);
    let first = std::env::var("HOLDPOINT_ORACLE_FIRST").ok().and_then(|first| first.parse().ok()).unwrap_or(0);
    let lines: Vec<String> = (first..first + count).map(|seed| line(&mut Seeded::new(seed))).collect();
    let (template, scene, mut tally) = (Template::new()?, Scene::new()?, Tally::default());
    for lines in lines.chunks(BATCH) {
        try_all(lines, &template, &scene, &mut tally)?;
    }
    let Tally { changing, unknown, changing_unknown, overlooked } = tally;
    say(&format!(
        "utilities: {count} commands, {unknown} not understood; {changing} changed something, {changing_unknown} of \
         them not understood"
    ));
    assert!(changing > count / 10, "hardly any command did anything");
    assert!(overlooked.is_empty(), "{} overlooked:\n{}", overlooked.len(), overlooked.join("\n"));
    Ok(())
}
