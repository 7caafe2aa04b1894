//! Loosening as a person does it, at a pseudo-terminal, and everything that is not a person.

use holdpoint_tests_e2e::person::Person;
use holdpoint_tests_e2e::{Failed, Ran, Scene, feed, holdpoint};
use serde_json::{Value, json};
use std::process::Command;

const PASSWORD: &str = "correct horse battery";
const KEY: &str = "code.auto_push";
const PHRASE: &str = "Push my code without asking";

fn person(scene: &Scene, arguments: &[&str]) -> Result<Person, Failed> {
    Person::at(scene.command(arguments)?)
}

fn set_password(scene: &Scene) -> Result<(), Failed> {
    let mut person = person(scene, &["operator", "set-password"])?;
    person.see("new password: ")?;
    person.types(PASSWORD)?;
    person.see("once more: ")?;
    person.types(PASSWORD)?;
    let (code, screen) = person.leaves()?;
    assert_eq!(code, Some(0), "{screen}");
    assert!(!screen.contains(PASSWORD), "a password is never shown: {screen}");
    Ok(())
}

fn loosen(scene: &Scene, phrase: &str, password: &str) -> Result<(Option<i32>, String), Failed> {
    let mut person = person(scene, &["toggle", "loosen", KEY])?;
    person.see("phrase: ")?;
    person.types(phrase)?;
    if phrase == PHRASE {
        person.see("operator's password: ")?;
        person.types(password)?;
    }
    person.leaves()
}

fn transitions(scene: &Scene) -> Result<Vec<Value>, Failed> {
    let shown = scene.run(&["audit", "show", "--transitions", "--json"])?.stdout;
    shown.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}

fn state(scene: &Scene, key: &str) -> Result<Value, Failed> {
    let shown = scene.run(&["toggle", "show", key, "--json"])?;
    let document: Value = serde_json::from_str(&shown.stdout).map_err(|error| format!("{error}: {}", shown.stderr))?;
    Ok(document["state"].clone())
}

#[test]
fn a_person_loosens_a_toggle_and_leaves_the_lines_of_the_paper() -> Result<(), Failed> {
    let scene = Scene::new()?;
    set_password(&scene)?;
    assert_eq!(state(&scene, KEY)?, "restrictive");
    let (code, screen) = loosen(&scene, PHRASE, PASSWORD)?;
    assert_eq!(code, Some(0), "{screen}");
    for part in ["warning", "  - ", PHRASE, "floor.protected-path"] {
        assert!(screen.contains(part), "{part}: {screen}");
    }
    assert_eq!(state(&scene, KEY)?, "permissive");
    let line = transitions(&scene)?.pop().ok_or("no line")?;
    for (key, value) in [
        ("actor", "cli"),
        ("key", KEY),
        ("from_state", "restrictive"),
        ("to_state", "permissive"),
        ("result", "ok"),
        ("reason", "loosen"),
    ] {
        assert_eq!(line[key], value, "{line}");
    }
    let listed = scene.run(&["toggle", "list"])?.stdout;
    assert!(listed.contains("still needed?"), "{listed}");
    assert_eq!(scene.run(&["toggle", "tighten", KEY])?.code, Some(0));
    assert_eq!(state(&scene, KEY)?, "restrictive");
    assert_eq!(scene.run(&["audit", "verify"])?.code, Some(0));
    Ok(())
}

#[test]
fn every_gate_refuses_and_is_written_down() -> Result<(), Failed> {
    let scene = Scene::new()?;
    set_password(&scene)?;
    let mut hasty = person(&scene, &["toggle", "loosen", KEY])?;
    hasty.see("phrase: ")?;
    hasty.pastes(PHRASE)?;
    assert_eq!(hasty.leaves()?.0, Some(10));
    assert_eq!(loosen(&scene, "push my code", PASSWORD)?.0, Some(10));
    assert_eq!(loosen(&scene, PHRASE, "not the password")?.0, Some(10));
    assert_eq!(loosen(&scene, PHRASE, PASSWORD)?.0, Some(0));
    let (code, screen) = person(&scene, &["toggle", "loosen", KEY])?.leaves()?;
    assert_eq!(code, Some(10));
    assert!(screen.contains("cooldown"), "{screen}");
    let reasons: Vec<Value> = transitions(&scene)?.into_iter().map(|line| line["reason"].clone()).collect();
    assert_eq!(reasons, ["paste_detected", "phrase_mismatch", "reauth_missing", "loosen", "cooldown"]);
    Ok(())
}

#[test]
fn no_program_loosens_a_toggle() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let ran = scene.run_with(&["toggle", "loosen", KEY], format!("{PHRASE}\n").as_bytes())?;
    assert_eq!(ran.code, Some(10));
    assert!(ran.stderr.contains("terminal") && ran.stderr.contains("help:"), "{}", ran.stderr);
    assert_eq!(scene.run_with(&["operator", "set-password"], b"12345678\n12345678\n")?.code, Some(2));
    for line in ["holdpoint toggle loosen code.auto_push", "script -qc 'holdpoint toggle reset' /dev/null"] {
        assert_eq!(scene.check(line, &[])?["rule"], "floor.own-level", "{line}");
    }
    let unknown = scene.run(&["toggle", "show", "code.auto_psuh"])?;
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.stderr.contains(KEY), "{}", unknown.stderr);
    Ok(())
}

fn hook(scene: &Scene, line: &str) -> Result<Value, Failed> {
    let event = json!({
        "hook_event_name": "PreToolUse", "cwd": scene.workspace(), "permission_mode": "default", "tool_name": "Bash",
        "tool_input": { "command": line },
    });
    let mut command = Command::new(holdpoint()?);
    command.args(["hook", "claude-code", "--state"]).arg(scene.state());
    command.current_dir(scene.workspace()).env("CLAUDE_PROJECT_DIR", scene.workspace());
    let ran: Ran = feed(command, event.to_string().as_bytes())?;
    let document: Value = serde_json::from_str(&ran.stdout).map_err(|error| format!("{error}: {}", ran.stderr))?;
    Ok(document["hookSpecificOutput"]["permissionDecision"].clone())
}

#[test]
fn what_a_person_loosened_no_longer_asks_and_reset_brings_it_back() -> Result<(), Failed> {
    let scene = Scene::new()?;
    set_password(&scene)?;
    let line = "cp a.txt /srv/elsewhere/a.txt";
    assert_eq!(hook(&scene, line)?, "ask");
    let mut person = person(&scene, &["toggle", "loosen", "shell.allow_outside_workspace"])?;
    person.see("phrase: ")?;
    person.types("Let agents leave the workspace")?;
    person.see("operator's password: ")?;
    person.types(PASSWORD)?;
    let (code, screen) = person.leaves()?;
    assert_eq!(code, Some(0), "{screen}");
    assert_eq!(hook(&scene, line)?, "allow");
    assert_eq!(hook(&scene, "rm -rf /")?, "deny", "the floor holds");
    let reset = scene.run(&["toggle", "reset"])?;
    assert_eq!((reset.code, reset.stdout.as_str()), (Some(0), "shell.allow_outside_workspace\n"));
    assert_eq!(hook(&scene, line)?, "ask");
    Ok(())
}
