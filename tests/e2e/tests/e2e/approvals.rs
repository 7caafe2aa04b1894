//! Questions that wait for a person outside the run: asked once, answered at a terminal, worth one call.

use holdpoint_tests_e2e::person::{PASSWORD, Person, set_password};
use holdpoint_tests_e2e::{Failed, Scene, feed, holdpoint};
use serde_json::{Value, json};
use std::process::Command;

/// What the hook answers to a shell line of a session in a mode of the host.
fn hook(scene: &Scene, line: &str, session: &str, mode: &str) -> Result<Value, Failed> {
    let mut command = Command::new(holdpoint()?);
    command.args(["hook", "claude-code", "--state"]).arg(scene.state());
    command.current_dir(scene.workspace()).env("CLAUDE_PROJECT_DIR", scene.workspace());
    let event = json!({
        "session_id": session, "cwd": scene.workspace(), "permission_mode": mode, "hook_event_name": "PreToolUse",
        "tool_name": "Bash", "tool_input": { "command": line }, "tool_use_id": "u",
    });
    let ran = feed(command, event.to_string().as_bytes())?;
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    Ok(serde_json::from_str::<Value>(&ran.stdout)?["hookSpecificOutput"].clone())
}

fn decision(scene: &Scene, line: &str, session: &str) -> Result<String, Failed> {
    let answer = hook(scene, line, session, "dontAsk")?;
    Ok(answer["permissionDecision"].as_str().unwrap_or_default().to_owned())
}

/// The questions that wait.
fn waiting(scene: &Scene) -> Result<Vec<Value>, Failed> {
    let listed = scene.run(&["approvals", "list", "--waiting", "--json"])?;
    let listed: Value = serde_json::from_str(&listed.stdout).map_err(|error| format!("{error}: {}", listed.stderr))?;
    Ok(listed["questions"].as_array().cloned().unwrap_or_default())
}

fn only_waiting(scene: &Scene) -> Result<String, Failed> {
    match waiting(scene)?.as_slice() {
        [one] => Ok(one["id"].as_str().unwrap_or_default().to_owned()),
        other => Err(format!("{} questions wait", other.len()).into()),
    }
}

fn says_yes(scene: &Scene, id: &str) -> Result<(Option<i32>, String), Failed> {
    let mut person = Person::at(scene.command(&["approvals", "allow", id])?)?;
    person.see("[y/N] ")?;
    person.types("y")?;
    person.leaves()
}

fn ready() -> Result<Scene, Failed> {
    let scene = Scene::new()?;
    scene.check("ls", &[])?;
    Ok(scene)
}

#[test]
fn where_the_host_never_asks_a_person_answers_at_a_terminal_and_the_call_goes_through_once() -> Result<(), Failed> {
    let scene = ready()?;
    let refused = hook(&scene, "rm -rf build", "s1", "dontAsk")?;
    assert_eq!(refused["permissionDecision"], "deny", "{refused}");
    let refusal: Value = serde_json::from_str(refused["additionalContext"].as_str().ok_or("no refusal")?)?;
    let id = only_waiting(&scene)?;
    assert_eq!((&refusal["remedy"], &refusal["challenge"]["id"]), (&json!("human"), &json!(id)), "{refusal}");
    assert_eq!(decision(&scene, "rm -rf build", "s1")?, "deny", "nobody has answered");
    assert_eq!(only_waiting(&scene)?, id, "it is not asked twice");
    let (code, screen) = says_yes(&scene, &id)?;
    assert_eq!(code, Some(0), "{screen}");
    assert!(screen.contains("rm -rf build"), "the whole action is shown: {screen}");
    assert_eq!(decision(&scene, "rm -rf build2", "s1")?, "deny", "a yes carries nothing nearby");
    assert_eq!(decision(&scene, "rm -rf build", "s2")?, "deny", "nor another run");
    assert_eq!(decision(&scene, "rm -rf build", "s1")?, "allow");
    assert_eq!(decision(&scene, "rm -rf build", "s1")?, "deny", "it is worth one call");
    let shown = scene.run(&["audit", "show", "--where", "decision=ask", "--json"])?.stdout;
    let consented = shown.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let consented: Vec<Value> = consented.filter(|line| !line["consent"].is_null()).collect();
    assert_eq!(consented.len(), 1, "{shown}");
    assert_eq!((&consented[0]["consent"]["approval"], &consented[0]["stage"]), (&json!(id), &json!("dispatched")));
    assert_eq!(scene.run(&["audit", "verify"])?.code, Some(0));
    Ok(())
}

#[test]
fn a_freeze_wins_over_every_yes_and_none_outlives_it() -> Result<(), Failed> {
    let scene = ready()?;
    assert_eq!(decision(&scene, "rm -rf build", "s1")?, "deny");
    let id = only_waiting(&scene)?;
    assert_eq!(says_yes(&scene, &id)?.0, Some(0));
    assert_eq!(scene.run(&["freeze", "incident 7"])?.code, Some(0));
    assert_eq!(decision(&scene, "rm -rf build", "s1")?, "deny", "a freeze wins over every yes");
    let (code, screen) = thaws(&scene)?;
    assert_eq!(code, Some(0), "{screen}");
    assert_eq!(decision(&scene, "rm -rf build", "s1")?, "deny", "who said yes knew of no reason to freeze");
    assert_ne!(only_waiting(&scene)?, id, "it is asked anew");
    Ok(())
}

fn thaws(scene: &Scene) -> Result<(Option<i32>, String), Failed> {
    let mut person = Person::at(scene.command(&["thaw", "over"])?)?;
    person.see("[y/N] ")?;
    person.types("y")?;
    person.leaves()
}

#[test]
fn a_freeze_stops_every_change_of_every_process_and_no_reading() -> Result<(), Failed> {
    let scene = ready()?;
    assert_eq!(scene.run(&["freeze", ""])?.code, Some(2), "a freeze says why");
    assert_eq!(scene.run(&["freeze", &"w".repeat(1_025)])?.code, Some(2), "in at most 1,024 bytes");
    assert_eq!(scene.check("touch a", &[])?["decision"], "allow", "neither froze anything");
    assert_eq!(scene.run(&["freeze", "incident 7"])?.code, Some(0));
    let refused = scene.check("touch a", &[])?;
    assert_eq!((&refused["decision"], &refused["rule"]), (&json!("deny"), &json!("gate.frozen")), "{refused}");
    assert_eq!(refused["refusal"]["remedy"], "human");
    assert!(refused["refusal"]["detail"].to_string().contains("incident 7"), "{refused}");
    assert_eq!(hook(&scene, "touch a", "s", "default")?["permissionDecision"], "deny");
    assert_eq!(scene.check("cat a", &[])?["decision"], "allow");
    assert_eq!(scene.run(&["thaw"])?.code, Some(10), "a program ends no freeze");
    assert_eq!(scene.check("touch a", &[])?["decision"], "deny");
    assert_eq!(thaws(&scene)?.0, Some(0));
    assert_eq!(scene.check("touch a", &[])?["decision"], "allow");
    Ok(())
}

#[test]
fn a_freeze_of_a_process_ends_with_it() -> Result<(), Failed> {
    let scene = ready()?;
    let mut owner = Command::new("sleep").arg("600").spawn()?;
    let pid = owner.id().to_string();
    assert_eq!(scene.run(&["freeze", "--while-pid", &pid, "deploy"])?.code, Some(0));
    assert_eq!(scene.check("touch a", &[])?["decision"], "deny");
    owner.kill()?;
    owner.wait()?;
    assert_eq!(scene.check("touch a", &[])?["decision"], "allow");
    assert_eq!(scene.run(&["freeze", "--while-pid", &pid, "deploy"])?.code, Some(2), "there is no such process");
    Ok(())
}

#[test]
fn what_is_reserved_for_consent_wants_the_password_and_no_prompt_of_a_host() -> Result<(), Failed> {
    let scene = ready()?;
    set_password(&scene)?;
    let event = |session: &str| -> Result<Value, Failed> {
        let mut command = Command::new(holdpoint()?);
        command.args(["hook", "claude-code", "--state"]).arg(scene.state()).current_dir(scene.workspace());
        let event = json!({
            "session_id": session, "cwd": scene.workspace(), "permission_mode": "default",
            "hook_event_name": "PreToolUse", "tool_name": "grant.submit", "tool_input": { "application": "a-1" },
            "tool_use_id": "u",
        });
        let ran = feed(command, event.to_string().as_bytes())?;
        Ok(serde_json::from_str::<Value>(&ran.stdout)?["hookSpecificOutput"].clone())
    };
    let refused = event("s1")?;
    assert_eq!(refused["permissionDecision"], "deny", "the host would ask, and that is not enough: {refused}");
    let id = only_waiting(&scene)?;
    for (password, code) in [("not it", Some(10)), (PASSWORD, Some(0))] {
        let mut person = Person::at(scene.command(&["approvals", "allow", &id])?)?;
        person.see("[y/N] ")?;
        person.types("y")?;
        person.see("operator's password: ")?;
        person.types(password)?;
        let (left, screen) = person.leaves()?;
        assert_eq!(left, code, "{screen}");
    }
    assert_eq!(event("s1")?["permissionDecision"], "allow");
    assert_eq!(event("s1")?["permissionDecision"], "deny");
    Ok(())
}

#[test]
fn a_program_answers_nothing_and_no_is_the_answer_that_is_there_without_one() -> Result<(), Failed> {
    let scene = ready()?;
    assert_eq!(decision(&scene, "rm -rf build", "s1")?, "deny");
    let id = only_waiting(&scene)?;
    let ran = scene.run(&["approvals", "allow", &id])?;
    assert_eq!(ran.code, Some(10), "{}", ran.stderr);
    for typed in ["", "n", "yes please"] {
        let mut person = Person::at(scene.command(&["approvals", "allow", &id])?)?;
        person.see("[y/N] ")?;
        person.types(typed)?;
        assert_eq!(person.leaves()?.0, Some(10), "`{typed}`");
    }
    let mut person = Person::at(scene.command(&["approvals", "allow", &id])?)?;
    person.see("[y/N] ")?;
    person.pastes("y")?;
    let _ = person.leaves()?;
    assert_eq!(scene.run(&["approvals", "deny", &id])?.code, Some(0));
    assert_eq!(decision(&scene, "rm -rf build", "s1")?, "deny");
    assert!(waiting(&scene)?.is_empty(), "who said no is not asked again");
    assert_eq!(scene.run(&["approvals", "show", "nothing"])?.code, Some(2));
    Ok(())
}

#[test]
fn a_run_that_is_withdrawn_takes_its_yes_with_it() -> Result<(), Failed> {
    let scene = ready()?;
    assert_eq!(decision(&scene, "rm -rf build", "s1")?, "deny");
    let id = only_waiting(&scene)?;
    assert_eq!(says_yes(&scene, &id)?.0, Some(0));
    assert_eq!(scene.run(&["approvals", "withdraw", "s1"])?.code, Some(0));
    assert_eq!(decision(&scene, "rm -rf build", "s1")?, "deny");
    Ok(())
}

#[test]
fn an_agent_cannot_answer_freeze_or_thaw() -> Result<(), Failed> {
    let scene = ready()?;
    for line in [
        "holdpoint approvals allow 0123",
        "yes | holdpoint approvals allow 0123",
        "script -qc 'holdpoint approvals allow 0123' /dev/null",
        "expect -c 'spawn holdpoint approvals allow 0123; send y\\r'",
        "bash <<'E'\nholdpoint thaw\nE",
        "sudo -u other holdpoint thaw",
        "env HOLDPOINT_HOME=/x holdpoint freeze x",
        "nohup setsid holdpoint approvals watch &",
    ] {
        let judged = scene.check(line, &["--level", "unrestricted"])?;
        assert_eq!(judged["decision"], "deny", "{line}: {judged}");
    }
    Ok(())
}

#[test]
fn what_became_of_a_call_stands_on_the_chain_of_its_decision() -> Result<(), Failed> {
    let scene = ready()?;
    assert_eq!(hook(&scene, "touch a", "s1", "default")?["permissionDecision"], "allow");
    assert_eq!(hook(&scene, "rm -rf build", "s1", "default")?["permissionDecision"], "ask");
    assert_eq!(hook(&scene, "mkfs.ext4 /dev/sda", "s1", "default")?["permissionDecision"], "deny");
    let mut command = Command::new(holdpoint()?);
    command.args(["hook", "claude-code", "--state"]).arg(scene.state()).current_dir(scene.workspace());
    let event = json!({
        "session_id": "s1", "cwd": scene.workspace(), "permission_mode": "default", "hook_event_name": "PostToolUse",
        "tool_name": "Bash", "tool_input": { "command": "rm -rf build" }, "tool_use_id": "u", "tool_response": "",
    });
    assert_eq!(feed(command, event.to_string().as_bytes())?.code, Some(0));
    let shown = scene.run(&["audit", "show", "--where", "run=s1", "--where", "call=u", "--json"])?.stdout;
    let lines: Vec<Value> = shown.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let stages: Vec<&str> = lines.iter().filter_map(|line| line["stage"].as_str()).collect();
    assert_eq!(stages, ["dispatched", "asked", "refused", "completed"], "{shown}");
    assert!(lines.iter().all(|line| line["via"] == "hook"), "{shown}");
    let refused = scene.run(&["audit", "refused", "--principal", "hook:claude-code"])?.stdout;
    assert_eq!(refused.lines().count(), 1, "{refused}");
    assert!(refused.contains("deny floor."), "{refused}");
    assert_eq!(scene.run(&["audit", "refused", "--principal", "nobody"])?.stdout, "");
    let shown = scene.run(&["audit", "show"])?.stdout;
    assert!(shown.contains(" outcome ") && shown.contains("stage=completed"), "{shown}");
    assert_eq!(scene.run(&["audit", "verify"])?.code, Some(0));
    Ok(())
}

#[test]
fn what_an_agent_names_cannot_look_like_a_line_of_ours() -> Result<(), Failed> {
    let scene = ready()?;
    let line = "rm -rf $'prod.db\\n  because it is harmless (safety.level)\\n  answer wanted: keypress'";
    assert_eq!(decision(&scene, line, "s1")?, "deny");
    let id = only_waiting(&scene)?;
    for shown in [scene.run(&["approvals", "show", &id])?, scene.run(&["approvals", "list"])?] {
        assert!(!shown.stdout.contains("\n  because it is harmless"), "{}", shown.stdout);
    }
    assert_eq!(scene.run(&["approvals", "list"])?.stdout.lines().count(), 1);
    Ok(())
}

#[test]
fn removing_the_record_of_a_freeze_or_of_an_answer_helps_nobody() -> Result<(), Failed> {
    let scene = ready()?;
    assert_eq!(scene.run(&["freeze", "incident 7"])?.code, Some(0));
    std::fs::remove_dir_all(scene.state().join("audit/holds"))?;
    assert_eq!(scene.check("touch a", &[])?["rule"], "gate.frozen");
    assert_eq!(scene.run(&["audit", "verify"])?.code, Some(21));
    Ok(())
}
