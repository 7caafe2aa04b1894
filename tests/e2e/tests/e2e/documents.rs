//! What the documents promise is what the command does.

use holdpoint_tests_e2e::{Failed, Scene, repository};
use std::path::Path;

/// Most lines of the README.
const README_LINES_MAX: usize = 200;

#[test]
fn demo_shows_an_allow_an_ask_a_deny_and_a_chain_that_verifies() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let ran = scene.run(&["demo"])?;
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    for part in ["allow: ", "ask: ", "deny: ", "the chain verifies"] {
        assert!(ran.stdout.contains(part), "{part}: {}", ran.stdout);
    }
    let readme = std::fs::read_to_string(repository().join("README.md"))?;
    for line in ran.stdout.lines().take_while(|line| !line.starts_with("decisions:")) {
        assert!(readme.contains(line), "the README shows the demo as it is; it lacks: {line}");
    }
    Ok(())
}

#[test]
fn every_command_of_the_readme_works() -> Result<(), Failed> {
    let readme = std::fs::read_to_string(repository().join("README.md"))?;
    assert!(readme.lines().count() <= README_LINES_MAX);
    let scene = Scene::new()?;
    let mut tried = 0;
    for line in readme.lines().filter_map(|line| line.strip_prefix("$ holdpoint ")) {
        let words: Vec<String> = words(line);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let ran = scene.run(&words)?;
        assert!(matches!(ran.code, Some(0 | 10 | 11)), "{line}: {:?} {}", ran.code, ran.stderr);
        tried += 1;
    }
    assert!(tried >= 5, "only {tried} commands were found");
    for line in readme.lines().filter_map(|line| line.strip_prefix("$ bash ")) {
        assert!(repository().join(line).exists(), "{line}");
    }
    Ok(())
}

/// Splits at spaces outside single quotes, which is all the quoting that the README uses.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for character in line.chars() {
        match (character, quoted, words.last_mut()) {
            ('\'', _, _) => quoted = !quoted,
            (' ', false, _) => words.push(String::new()),
            (_, _, Some(word)) => word.push(character),
            (_, _, None) => {}
        }
    }
    words
}

#[test]
fn every_command_has_a_help_text_and_the_list_of_them_is_held() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let help = scene.run(&["--help"])?;
    assert_eq!(help.code, Some(0));
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/e2e/help.txt");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&file, &help.stdout)?;
    }
    assert_eq!(help.stdout, std::fs::read_to_string(&file)?, "UPDATE_EXPECT=1 writes it anew; read the difference");
    for command in [
        "check",
        "explain",
        "config",
        "safety",
        "hook",
        "plugin",
        "trust",
        "key",
        "audit",
        "bench",
        "doctor",
        "completions",
        "man",
        "demo",
    ] {
        assert!(help.stdout.contains(&format!("  {command} ")), "{command}");
        assert_eq!(scene.run(&[command, "--help"])?.code, Some(0), "{command}");
    }
    Ok(())
}

#[test]
fn completions_manual_and_doctor_are_made() -> Result<(), Failed> {
    let scene = Scene::new()?;
    for shell in ["bash", "zsh", "fish"] {
        assert!(scene.run(&["completions", shell])?.stdout.contains("holdpoint"), "{shell}");
    }
    assert!(scene.run(&["man"])?.stdout.contains(".TH holdpoint"));
    assert!(scene.run(&["man", "plugin", "install"])?.stdout.contains("approve"));
    let unknown = scene.run(&["man", "plugin", "instal"])?;
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.stderr.contains("help: commands: build"), "{}", unknown.stderr);
    let doctor = scene.run(&["doctor"])?;
    assert_eq!(doctor.code, Some(0), "{}{}", doctor.stdout, doctor.stderr);
    for part in ["signature holds", "not protected", "floor.system-deletion"] {
        assert!(doctor.stdout.contains(part), "{part}: {}", doctor.stdout);
    }
    Ok(())
}

#[test]
fn bench_measures_and_prints_both_ratios() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let ran = scene.run(&["bench", "--json", "--rounds", "1", "--cold", "2"])?;
    let document: serde_json::Value =
        serde_json::from_str(&ran.stdout).map_err(|error| format!("{error}: {}", ran.stderr))?;
    assert!(document["decision_us"]["p50"].as_f64().is_some_and(|time| time > 0.0));
    assert!(document["cold_ratio"].as_f64().is_some_and(|ratio| ratio > 0.0));
    Ok(())
}
