//! The configuration as a person sets it, and as an agent meets it.

use holdpoint_tests_e2e::{Failed, Scene};
use serde_json::{Value, json};

/// Decision and rule of an answer.
fn said(answer: &Value) -> (&str, &str) {
    let reasons = answer["rule"].as_str().unwrap_or("-");
    (answer["decision"].as_str().unwrap_or("-"), reasons)
}

fn hook(scene: &Scene, more: &[&str], command: &str) -> Result<String, Failed> {
    let event = json!({ "hook_event_name": "PreToolUse", "session_id": "s", "cwd": scene.workspace(),
        "permission_mode": "default", "tool_name": "Bash", "tool_input": { "command": command } });
    let (state, work) = (scene.state(), scene.workspace());
    let (state, work) = (state.to_str().ok_or("not UTF-8")?, work.to_str().ok_or("not UTF-8")?);
    let arguments = [&["hook", "claude-code", "--state", state, "--workspace", work], more].concat();
    let ran = scene.run_with(&arguments, event.to_string().as_bytes())?;
    let answer: Value = serde_json::from_str(&ran.stdout).map_err(|error| format!("{error}: {}", ran.stderr))?;
    let decision = answer["hookSpecificOutput"]["permissionDecision"].as_str().unwrap_or("none");
    Ok(decision.to_owned())
}

#[test]
fn what_is_set_is_read_checked_and_judged_by() -> Result<(), Failed> {
    let scene = Scene::new()?;
    assert_eq!(said(&scene.check("touch x", &[])?).0, "allow");
    assert_eq!(scene.run(&["config", "set", "safety.level", "observe"])?.code, Some(0));
    assert_eq!(scene.run(&["config", "get", "safety.level"])?.stdout, "\"observe\"\n");
    assert_eq!(scene.run(&["config", "check"])?.code, Some(0));
    assert_eq!(said(&scene.check("touch x", &[])?), ("deny", "safety.level"));
    assert_eq!(hook(&scene, &[], "touch x")?, "deny");
    let refused = scene.run(&["config", "set", "safety.level", "observ"])?;
    assert_eq!(refused.code, Some(22));
    assert!(refused.stderr.contains("did you mean `observe`?"), "{}", refused.stderr);
    assert_eq!(scene.run(&["config", "get", "safety.level"])?.stdout, "\"observe\"\n");
    assert_eq!(scene.run(&["config", "get", "safety.principals"])?.code, Some(22));
    Ok(())
}

#[test]
fn everything_that_is_wrong_is_told_with_its_place() -> Result<(), Failed> {
    let scene = Scene::new()?;
    std::fs::write(scene.workspace().join("bad.toml"), "safety.levle = \"observe\"\n[pin]\n")?;
    let ran = scene.run(&["config", "check", "bad.toml"])?;
    assert_eq!(ran.code, Some(22));
    for part in
        ["bad.toml:1:8: there is no key `levle`", "did you mean `level`?", "bad.toml:2:2: there is no key `pin`"]
    {
        assert!(ran.stderr.contains(part), "{part}: {}", ran.stderr);
    }
    let ran = scene.run(&["config", "check", "bad.toml", "--json"])?;
    let document: Value = serde_json::from_str(&ran.stdout)?;
    assert_eq!((ran.code, document["problems"].as_array().map(Vec::len)), (Some(22), Some(2)));
    assert_eq!((&document["problems"][0]["line"], &document["problems"][0]["column"]), (&json!(1), &json!(8)));
    Ok(())
}

#[test]
fn a_repository_tightens_and_what_it_would_loosen_is_told() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let work = scene.workspace().display().to_string();
    let text = format!(
        "pins = [{{ resource = \"file:{work}/keep\" }}]\nsafety.level = \"unrestricted\"\n\
         [toggles]\n\"shell.allow_destructive_flags\" = \"deny\"\n"
    );
    std::fs::write(scene.workspace().join(".holdpoint.toml"), text)?;
    let answer = scene.check("touch keep/x", &[])?;
    assert_eq!(said(&answer), ("deny", "resource.pinned"));
    assert!(answer["degraded"].to_string().contains(".holdpoint.toml:2"), "{answer}");
    assert_eq!(said(&scene.check("touch other", &[])?).0, "allow");
    assert_eq!(said(&scene.check("rm -rf build", &[])?), ("deny", "shell.allow_destructive_flags"));
    assert_eq!(hook(&scene, &[], "touch keep/x")?, "deny");
    // What holds an agent back is not the agent's to take away.
    assert_eq!(said(&scene.check("rm .holdpoint.toml", &[])?), ("deny", "floor.protected-path"));
    std::fs::write(scene.workspace().join(".holdpoint.toml"), "oops")?;
    assert_eq!(said(&scene.check("touch other", &["--level", "unrestricted"])?), ("deny", "gate.configuration"));
    assert_eq!(hook(&scene, &[], "touch other")?, "deny");
    assert_eq!(said(&scene.check("ls", &[])?).0, "allow");
    Ok(())
}

#[test]
fn a_session_that_is_limited_changes_nothing_else() -> Result<(), Failed> {
    let scene = Scene::new()?;
    assert_eq!(said(&scene.check("touch x", &["--read-only"])?), ("deny", "session.read-only"));
    assert_eq!(said(&scene.check("touch x", &["--allow-writes", "send,delete"])?), ("deny", "session.write-scope"));
    assert_eq!(said(&scene.check("touch x", &["--allow-writes", "create,update"])?).0, "allow");
    assert_eq!(said(&scene.check("ls", &["--read-only"])?).0, "allow");
    assert_eq!(hook(&scene, &["--read-only"], "touch x")?, "deny");
    assert_eq!(hook(&scene, &["--allow-writes", "send"], "touch x")?, "deny");
    Ok(())
}

#[test]
fn an_agent_neither_configures_nor_looks_at_the_configuration() -> Result<(), Failed> {
    let scene = Scene::new()?;
    for line in [
        "holdpoint config set safety.level unrestricted",
        "holdpoint config check",
        "holdpoint config get safety.level",
        "holdpoint safety explain",
        "npx holdpoint config set safety.level unrestricted",
    ] {
        let answer = scene.check(line, &["--level", "unrestricted"])?;
        assert_eq!(said(&answer), ("deny", "floor.own-level"), "{line}");
    }
    Ok(())
}

#[test]
fn explain_names_the_entry_that_decides_and_every_rule_with_its_place() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let file = scene.state().join("config.toml");
    let text = "safety.level = \"trusted\"\nsafety.principals.mcp.level = \"observe\"\n[[pins]]\nresource = \"host:db1\"\n\
                [[pins]]\nresource = \"host:db2\"\n[[rungs]]\nverb = \"delete\"\ntrusted = \"password\"\n\
                [toggles]\n\"code.auto_push\" = \"deny\"\n";
    std::fs::write(&file, text)?;
    let explained = |more: &[&str]| -> Result<Value, Failed> {
        let ran = scene.run(&[&["safety", "explain", "--json"], more].concat())?;
        Ok(serde_json::from_str(&ran.stdout)?)
    };
    let document = explained(&["--principal", "mcp:x", "--resource", "host:db1 > service:web"])?;
    assert_eq!((&document["level"], &document["default_level"]), (&json!("observe"), &json!("guarded")));
    assert!(document["decided_by"].as_str().is_some_and(|source| source.ends_with("config.toml:2")), "{document}");
    assert_eq!(document["entries"].as_array().map(Vec::len), Some(2));
    let pins = document["held"]["pins"].as_array().ok_or("no pins")?;
    assert!(pins.len() == 1 && pins[0]["source"].as_str().is_some_and(|source| source.ends_with(":3")), "{pins:?}");
    assert_eq!(document["held"]["criticality"], "production");
    assert_eq!(document["rungs"][0]["says"]["guarded"], "password");
    assert_eq!(document["default_rungs"].as_array().map(Vec::len), Some(8));
    let pushes = |toggle: &&Value| toggle["key"] == "code.auto_push";
    let push = document["toggles"].as_array().ok_or("no toggles")?.iter().find(pushes).ok_or("no push")?;
    assert_eq!(push["while_restrictive"], "deny");
    let everything = explained(&["--principal", "mcp:x"])?;
    assert_eq!(everything["held"]["pins"].as_array().map(Vec::len), Some(2));
    let text = scene.run(&["safety", "explain", "--principal", "mcp:x"])?.stdout;
    for part in ["principal mcp:x: level observe", "<- decides", "do not promise equal meaning", "pinned: host:db2"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(scene.run(&["safety", "explain", "--resource", "db1"])?.code, Some(2));
    Ok(())
}

#[test]
fn explain_shows_a_freeze_the_session_and_who_declares_each_toggle() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let explained = |more: &[&str]| -> Result<Value, Failed> {
        let ran = scene.run(&[&["safety", "explain", "--json"], more].concat())?;
        serde_json::from_str(&ran.stdout).map_err(|error| format!("{error}: {}", ran.stderr).into())
    };
    assert_eq!(explained(&[])?["held"]["freeze"], Value::Null, "nothing is frozen");
    let mut owner = std::process::Command::new("sleep").arg("600").spawn()?;
    let pid = owner.id().to_string();
    assert_eq!(scene.run(&["freeze", "--while-pid", &pid, "deploy \u{1b}[2J"])?.code, Some(0));
    let freeze = explained(&[])?["held"]["freeze"].clone();
    assert_eq!((&freeze["by"], &freeze["while_pid"]), (&json!("cli"), &json!(owner.id())), "{freeze}");
    assert!(freeze["since_ms"].as_u64().is_some_and(|since_ms| since_ms > 0), "{freeze}");
    let text = scene.run(&["safety", "explain"])?.stdout;
    assert!(
        text.contains("frozen: everything, by cli since ") && text.contains(&format!("process {pid} ends")),
        "{text}"
    );
    assert!(!text.contains('\u{1b}'), "what is shown cannot draw: {text}");
    owner.kill()?;
    owner.wait()?;
    assert_eq!(explained(&[])?["held"]["freeze"], Value::Null, "it ended with its process");
    assert_eq!(scene.run(&["freeze", "incident 7"])?.code, Some(0));
    let text = scene.run(&["safety", "explain"])?.stdout;
    assert!(text.contains("until a person thaws: incident 7"), "{text}");
    std::fs::write(scene.state().join("config.toml"), "session.allow_writes = [\"update\", \"send\"]\n")?;
    let document = explained(&["--read-only", "--allow-writes=send,delete"])?;
    let held = &document["held"];
    assert_eq!((&held["session"], &held["allow_writes"]), (&json!("read-only"), &json!(["send"])), "{held}");
    let sources = held["session_sources"].as_array().ok_or("no sources")?;
    assert!(sources[0].as_str().is_some_and(|source| source.ends_with("config.toml:1")), "{sources:?}");
    assert_eq!(sources[1], "the command line");
    let toggles = document["toggles"].as_array().ok_or("no toggles")?;
    let core = toggles.iter().filter(|toggle| toggle["declared_by"] == "core").count();
    assert_eq!(core, 20, "the rest is declared by vocabularies: {toggles:?}");
    Ok(())
}
