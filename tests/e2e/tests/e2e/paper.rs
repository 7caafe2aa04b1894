//! Sections of the paper on protection levels that need the built command: what it says of itself, that no flag skips a
//! question, and that a level does what it prints.

use holdpoint_tests_e2e::{Failed, Scene};
use serde_json::{Value, json};

fn explained(scene: &Scene, principal: &str) -> Result<Value, Failed> {
    let ran = scene.run(&["safety", "explain", "--json", "--principal", principal])?;
    serde_json::from_str(&ran.stdout).map_err(|error| format!("{error}: {}", ran.stderr).into())
}

#[test]
fn principle_1_what_prints_the_levels_says_that_they_are_no_boundary() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let shown = scene.run(&["safety", "explain", "--principal", "mcp:x"])?.stdout;
    let cells = [
        ("whoever holds credentials passes by", "whoever holds credentials can act without holdpoint"),
        ("a name is no identity", "a name that a caller gives itself only adds matches"),
    ];
    for (sentence, part) in cells {
        assert!(shown.contains(part), "{sentence}: {shown}");
    }
    let doctor = scene.run(&["doctor"])?.stdout;
    assert!(doctor.contains("the system's own permissions are the boundary"), "{doctor}");
    Ok(())
}

/// The names behind the headings `Commands:` of a help text.
fn commands(help: &str) -> Vec<String> {
    let listed = help.split("Commands:\n").nth(1).unwrap_or_default();
    let lines = listed.lines().take_while(|line| line.starts_with("  "));
    let named = |line: &str| line.trim_start().split(' ').next().map(str::to_owned);
    lines.filter_map(named).filter(|name| name != "help").collect()
}

/// Every command with its help text.
fn every_help(scene: &Scene, path: &[String], all: &mut Vec<(String, String)>) -> Result<(), Failed> {
    let words: Vec<&str> = path.iter().map(String::as_str).chain(["--help"]).collect();
    let help = scene.run(&words)?.stdout;
    for name in commands(&help) {
        every_help(scene, &[path, &[name]].concat(), all)?;
    }
    all.push((path.join(" "), help));
    Ok(())
}

#[test]
fn principle_2_no_command_has_a_flag_that_answers_a_question_or_skips_one() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let mut all = Vec::new();
    every_help(&scene, &[], &mut all)?;
    assert!(all.len() > 30, "only {} commands were found", all.len());
    let escapes =
        ["yes", "force", "assume", "no-confirm", "no-ask", "no-check", "bypass", "skip", "unsafe", "override"];
    let mut flags = 0;
    for (command, help) in &all {
        for flag in help.split_whitespace().filter_map(|word| word.strip_prefix("--")) {
            flags += 1;
            assert!(!escapes.iter().any(|escape| flag.starts_with(escape)), "`holdpoint {command} --{flag}`");
        }
        assert!(!help.lines().any(|line| line.trim_start().starts_with("-y")), "`holdpoint {command} -y`");
    }
    assert!(flags > 100, "only {flags} flags were found");
    Ok(())
}

#[test]
fn principle_6_a_level_does_what_it_prints() -> Result<(), Failed> {
    let scene = Scene::new()?;
    // One line for each effect, on a resource of the workspace; toggles speak of other things, or are loosened.
    let lines = [("none", "cat a"), ("reversible", "touch a"), ("irreversible", "shred a")];
    for level in ["observe", "guarded", "trusted", "unrestricted"] {
        std::fs::write(scene.state().join("config.toml"), format!("safety.level = \"{level}\"\n"))?;
        let document = explained(&scene, "cli")?;
        let rungs = document["default_rungs"].as_array().ok_or("no rungs")?;
        // What a level cannot give, it does not print either.
        assert_eq!(document["level"], if level == "unrestricted" { "trusted" } else { level });
        for (effect, line) in lines {
            let row = |rung: &&Value| rung["effect"] == effect && rung["criticality"] == "ordinary";
            let printed = &rungs.iter().find(row).ok_or("no such rung")?[level];
            let loose = ["--loosen", "shell.allow_destructive_flags", "--level", level];
            let answer = scene.check(line, &loose)?;
            assert_eq!(&answer["decision"], printed, "`{line}` at {level}: {answer}");
        }
    }
    Ok(())
}

#[test]
fn principle_6_every_preset_is_printed_for_every_way_in() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let defaults =
        [("cli", "trusted"), ("tui", "trusted"), ("hook:codex", "guarded"), ("mcp", "guarded"), ("embed:x", "observe")];
    for (principal, level) in defaults {
        let document = explained(&scene, principal)?;
        assert_eq!(document["level"], level, "{principal}");
        assert_eq!(document["decided_by"], json!("default"), "{principal}");
        let toggles = document["toggles"].as_array().ok_or("no toggles")?;
        assert!(
            toggles.len() >= 20 && toggles.iter().all(|toggle| toggle["while_restrictive"].is_string()),
            "{principal}"
        );
        for rung in document["default_rungs"].as_array().ok_or("no rungs")? {
            for level in ["observe", "guarded", "trusted", "unrestricted"] {
                assert!(rung[level].is_string(), "{principal}: {rung}");
            }
        }
    }
    Ok(())
}
