//! `check` and `explain`: decisions, exit codes and the JSON contract.

use holdpoint_tests_e2e::{Failed, Scene};
use serde_json::{Value, json};

fn decision(answer: &Value) -> &str {
    answer["decision"].as_str().unwrap_or("none")
}

fn rule(answer: &Value) -> &str {
    answer["rule"].as_str().unwrap_or("none")
}

#[test]
fn a_decision_has_its_exit_code() -> Result<(), Failed> {
    let scene = Scene::new()?;
    for (line, code) in [("ls", 0), ("rm -rf build", 11), ("rm -rf /", 10)] {
        assert_eq!(scene.run(&["check", line])?.code, Some(code), "{line}");
    }
    assert_eq!(scene.run(&["check"])?.code, Some(2));
    assert_eq!(scene.run(&["check", "--level", "observ", "ls"])?.code, Some(2));
    assert_eq!(scene.run(&["check", "--loosen", "no.such_toggle", "ls"])?.code, Some(2));
    Ok(())
}

#[test]
fn the_json_answer_has_every_member_of_the_contract() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let answer = scene.check("rm -rf /", &[])?;
    for member in ["schema", "decision", "rule", "reasons", "operations", "obligations", "refusal", "correlation_id"] {
        assert!(answer.get(member).is_some(), "{member}");
    }
    let refusal = &answer["refusal"];
    for member in ["decision", "rule", "principal", "action", "resource", "level", "remedy", "retryable", "detail"] {
        assert!(refusal.get(member).is_some(), "{member}");
    }
    assert_eq!(refusal["correlation_id"], answer["correlation_id"]);
    assert_eq!(scene.check("ls", &[])?["refusal"], Value::Null);
    Ok(())
}

#[test]
fn a_batch_answers_every_line_in_order_and_ends_with_zero() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let line = |command: &str| format!("{{\"tool\":\"Bash\",\"arguments\":{{\"command\":\"{command}\"}}}}\n");
    let batch = line("ls")
        + "nonsense\n"
        + &line("rm -rf /")
        + &line("rm -rf build")
        + "{\"tool\":\"Bash\",\"arguments\":{\"command\":\"ls\"},\"level\":\"observe\"}\n";
    let ran = scene.run_with(&["check", "--json", "--batch", "-"], batch.as_bytes())?;
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let answers: Vec<Value> = ran.stdout.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let decisions: Vec<&str> = answers.iter().map(decision).collect();
    assert_eq!(decisions, ["allow", "deny", "deny", "ask", "allow"]);
    assert_eq!(rule(&answers[1]), "request.malformed");
    Ok(())
}

#[test]
fn loosening_is_hypothetical_and_marked_in_the_audit() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let loosen = ["--level", "trusted", "--loosen", "shell.allow_outside_workspace"];
    assert_eq!(decision(&scene.check("touch /tmp/holdpoint-probe", &["--level", "trusted"])?), "ask");
    let loosened = scene.check("touch /tmp/holdpoint-probe", &loosen)?;
    assert_eq!(decision(&loosened), "allow");
    let id = loosened["correlation_id"].as_str().ok_or("no id")?;
    let shown = scene.run(&["audit", "show", "--json", "--id", id])?;
    let line: Value = serde_json::from_str(shown.stdout.trim())?;
    assert_eq!(line["hypothetical"][0], "shell.allow_outside_workspace");
    assert_eq!(decision(&scene.check("touch /tmp/holdpoint-probe", &["--level", "trusted"])?), "ask");
    Ok(())
}

#[test]
fn a_level_of_the_configuration_only_lowers_and_an_unreadable_one_means_observe() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let file = scene.folder().join("config.toml");
    let path = file.to_str().ok_or("not UTF-8")?;
    std::fs::write(&file, "safety.level = \"observe\"\n")?;
    assert_eq!(rule(&scene.check("touch x", &["--config", path, "--level", "trusted"])?), "safety.level");
    std::fs::write(&file, "safety.levle = \"trusted\"\n")?;
    let answer = scene.check("touch x", &["--config", path, "--level", "trusted"])?;
    assert_eq!((decision(&answer), rule(&answer)), ("deny", "gate.configuration"));
    assert_eq!(answer["refusal"]["remedy"], "config");
    assert!(answer["degraded"].to_string().contains("levle"), "{answer}");
    Ok(())
}

#[test]
fn explain_draws_the_reason_under_the_command() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let ran = scene.run(&["explain", "echo hi && rm -rf build"])?;
    assert_eq!(ran.code, Some(11));
    let drawn = "    echo hi && rm -rf build\n                      ^^^^^";
    assert!(ran.stdout.contains(drawn), "{}", ran.stdout);
    assert!(ran.stdout.contains("rm -rf build"), "{}", ran.stdout);
    Ok(())
}

#[test]
fn other_tools_are_unknown_and_therefore_asked() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let ran = scene.run(&["check", "--json", "--tool", "Teleport", "--arguments", "{\"to\":\"moon\"}"])?;
    let answer: Value = serde_json::from_str(&ran.stdout)?;
    assert_eq!((decision(&answer), rule(&answer)), ("ask", "safety.level"));
    Ok(())
}

#[test]
fn the_gate_s_own_files_and_program_are_out_of_reach() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let state = scene.state().display().to_string();
    for line in [
        format!("echo x >> {state}/audit/decisions/x"),
        format!("cp /dev/null {state}/secrets/cache"),
        format!("cd {state} && rm -rf audit"),
        "echo '{}' > .claude/settings.json".to_owned(),
        "cd .claude && tee settings.json".to_owned(),
        "holdpoint plugin remove shell".to_owned(),
        "env HOLDPOINT_HOME=/tmp/x holdpoint audit show".to_owned(),
    ] {
        let loosened = [
            "--level",
            "unrestricted",
            "--loosen",
            "shell.allow_outside_workspace",
            "--loosen",
            "shell.allow_destructive_flags",
        ];
        let answer = scene.check(&line, &loosened)?;
        assert_eq!(decision(&answer), "deny", "{line}: {answer}");
        assert!(rule(&answer).starts_with("floor."), "{line}: {}", rule(&answer));
    }
    Ok(())
}

#[test]
fn a_link_counts_for_what_it_leads_to() -> Result<(), Failed> {
    use std::os::unix::fs::symlink;
    let scene = Scene::new()?;
    let outside = scene.folder().join("outside");
    std::fs::create_dir(&outside)?;
    symlink(&outside, scene.workspace().join("link"))?;
    symlink(scene.state(), scene.workspace().join("gate"))?;
    assert_eq!(scene.check("echo x > link/y", &[])?["rule"], "shell.allow_outside_workspace");
    assert_eq!(scene.check("cat link/y", &[])?["rule"], "shell.allow_outside_workspace");
    assert_eq!(scene.check("echo x > gate/audit/decisions/x", &[])?["rule"], "floor.protected-path");
    assert_eq!(scene.check("cat link/../README.md", &[])?["decision"], "ask", "behind the link, up leads elsewhere");
    assert_eq!(scene.check("cat sub/../README.md", &[])?["decision"], "allow");
    assert_eq!(scene.check("rm link", &["--level", "unrestricted"])?["operations"].as_array().map(Vec::len), Some(1));
    // A workspace that is itself reached over a link is still the workspace.
    symlink(scene.workspace(), scene.folder().join("door"))?;
    let door = scene.folder().join("door");
    let door = door.to_str().ok_or("not UTF-8")?;
    let more = ["--cwd", door, "--workspace", door];
    assert_eq!(scene.check("echo x > a && cat a", &more)?["decision"], "allow");
    assert_eq!(scene.check("echo x > link/y", &more)?["rule"], "shell.allow_outside_workspace");
    Ok(())
}

#[test]
fn what_a_server_says_of_its_tool_only_makes_the_answer_stricter() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let writes = json!({ "file_path": scene.workspace().join("a"), "content": "x" }).to_string();
    let judged = |hints: &str| -> Result<(Value, Value), Failed> {
        let context = format!("annotations={hints}");
        let ran = scene.run(&["check", "--json", "--tool", "Write", "--arguments", &writes, "--context", &context])?;
        let answer: Value = serde_json::from_str(&ran.stdout).map_err(|error| format!("{error}: {}", ran.stderr))?;
        Ok((answer["decision"].clone(), answer["rule"].clone()))
    };
    assert_eq!(judged("{}")?.0, "allow");
    assert_eq!(judged(r#"{"readOnlyHint":true,"destructiveHint":false}"#)?.0, "allow");
    assert_eq!(judged(r#"{"destructiveHint":true}"#)?, ("ask".into(), "safety.level".into()));
    assert_eq!(judged(r#"{"openWorldHint":true}"#)?, ("ask".into(), "net.allow_outbound".into()));
    let unfit = scene.run(&["check", "--tool", "Write", "--arguments", &writes, "--context", "annotations={"])?;
    assert_eq!(unfit.code, Some(2));
    assert!(unfit.stderr.contains("annotations="), "{}", unfit.stderr);
    Ok(())
}
