//! Loosening as a person does it, at a pseudo-terminal, and everything that is not a person.

use holdpoint_tests_e2e::person::{PASSWORD, Person, set_password};
use holdpoint_tests_e2e::{Failed, Ran, Scene, feed, holdpoint};
use serde_json::{Value, json};
use std::process::Command;

const KEY: &str = "code.auto_push";
const PHRASE: &str = "Push my code without asking";

fn person(scene: &Scene, arguments: &[&str]) -> Result<Person, Failed> {
    Person::at(scene.command(arguments)?)
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
    let shown = scene.run(&["audit", "show", "--stream", "transitions", "--json"])?.stdout;
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
    assert!(scene.run(&["doctor"])?.stdout.contains(&format!("loosened toggles: {KEY}\n")));
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
fn somebody_who_interrupts_changes_nothing() -> Result<(), Failed> {
    let scene = Scene::new()?;
    set_password(&scene)?;
    let mut person = person(&scene, &["toggle", "loosen", KEY])?;
    person.see("phrase: ")?;
    person.types("Push\u{3}")?;
    let (code, screen) = person.leaves()?;
    assert_eq!(code, Some(2), "{screen}");
    assert!(screen.contains("nothing was changed"), "{screen}");
    assert!(transitions(&scene)?.is_empty());
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
    answer(scene, "Bash", &json!({ "command": line }))
}

fn answer(scene: &Scene, tool: &str, input: &Value) -> Result<Value, Failed> {
    let event = json!({
        "hook_event_name": "PreToolUse", "cwd": scene.workspace(), "permission_mode": "default", "tool_name": tool,
        "tool_input": input,
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

fn fetch(scene: &Scene, url: &str) -> Result<Value, Failed> {
    answer(scene, "WebFetch", &json!({ "url": url, "prompt": "p" }))
}

#[test]
fn loosening_mail_meets_every_gate_in_its_order_and_leaves_the_lines_of_the_paper() -> Result<(), Failed> {
    let scene = Scene::new()?;
    set_password(&scene)?;
    let mut person = person(&scene, &["toggle", "loosen", "email.auto_send"])?;
    let gates = ["warning", "password is asked for again", "once every 120 s", "floor.protected-path", "phrase: "];
    gates.iter().try_for_each(|gate| person.see(gate))?;
    person.types("Send my mail without showing me")?;
    person.see("operator's password: ")?;
    person.types(PASSWORD)?;
    person.see("Daily send cap (most mails that agents send without asking in a UTC day) [50]: ")?;
    person.types("20")?;
    let (code, screen) = person.leaves()?;
    assert_eq!(code, Some(0), "{screen}");
    let line = transitions(&scene)?.pop().ok_or("no line")?;
    assert_eq!(line["cap"], json!({ "name": "Daily send cap", "int_value": 20, "list_value": null }), "{line}");
    assert_eq!((&line["result"], &line["reason"]), (&json!("ok"), &json!("loosen")));
    assert!(line["phrase_hash"].as_str().is_some_and(|hash| hash.len() == 64), "{line}");
    let (code, _) = self::person(&scene, &["toggle", "loosen", "email.auto_send"])?.leaves()?;
    let line = transitions(&scene)?.pop().ok_or("no line")?;
    assert_eq!((code, &line["reason"], line.get("cap")), (Some(10), &json!("cooldown"), None), "{line}");
    assert!(scene.run(&["toggle", "list"])?.stdout.contains("at most 20 in a UTC day"));
    assert_eq!(scene.run(&["toggle", "tighten", "email.auto_send"])?.code, Some(0));
    assert_eq!(transitions(&scene)?.pop().ok_or("no line")?["cap"], Value::Null, "tightening clears the limit");
    Ok(())
}

#[test]
fn a_loosening_by_name_and_number_covers_no_more_and_ends_by_itself() -> Result<(), Failed> {
    let scene = Scene::new()?;
    set_password(&scene)?;
    let key = "net.allow_outbound";
    let words = ["toggle", "loosen", key, "--only", "docs.example.org", "--budget", "2"];
    let mut person = person(&scene, &words)?;
    person.see("phrase: ")?;
    person.types("Open the network to agents")?;
    person.see("operator's password: ")?;
    person.types(PASSWORD)?;
    let (code, screen) = person.leaves()?;
    assert_eq!(code, Some(0), "{screen}");
    assert_eq!(fetch(&scene, "https://evil.example.org/")?, "ask", "it was not named");
    assert_eq!(fetch(&scene, "https://docs.example.org/a")?, "allow");
    let listed = scene.run(&["toggle", "list"])?.stdout;
    assert!(listed.contains("only for docs.example.org") && listed.contains("after 2 uses"), "{listed}");
    assert_eq!(fetch(&scene, "https://docs.example.org/b")?, "allow");
    assert_eq!(state(&scene, key)?, "restrictive", "the last use ends it");
    assert_eq!(fetch(&scene, "https://docs.example.org/c")?, "ask");
    let line = transitions(&scene)?.pop().ok_or("no line")?;
    assert_eq!((&line["reason"], &line["to_state"]), (&json!("budget_used_up"), &json!("restrictive")), "{line}");
    let shown = scene.run(&["audit", "show", "--last", "3", "--json"])?.stdout;
    assert!(shown.contains(r#""uses":[{"count":1,"key":"net.allow_outbound"}]"#), "{shown}");
    let verified = scene.run(&["audit", "verify"])?;
    assert!(verified.code == Some(0) && verified.stdout.contains("uses: 2 lines"), "{}", verified.stdout);
    for (words, help) in [(&["--hours", "sometimes"][..], "mon-fri 09:00-17:00"), (&["--budget", "many"], "--budget")] {
        let refused = scene.run(&[&["toggle", "loosen", key], words].concat())?;
        assert!(refused.code == Some(2) && refused.stderr.contains(help), "{}", refused.stderr);
    }
    Ok(())
}

/// A tool of the catalogue with its schema, and two schemas that the called tool may have.
const PINNED: &str = "catalogue=/Read@sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae";
const APPROVED: &str = "schema=sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae";
const CHANGED: &str = "schema=sha256:fcde2b2edba56bf408601fb721fe9b5c338d10ee429ea04fae5511b68fbf8fb9";
/// A call that only one toggle gates, by tool and arguments, with what the host says about the run.
const GATED: &[(&str, &str, &str, &[&str])] = &[
    ("email.auto_send", "email_send", r#"{"subject":"x"}"#, &[]),
    ("email.recipient_allowlist", "email_send", r#"{"to":"bob@example.org"}"#, &[]),
    ("code.auto_commit", "git_commit", r#"{"repo_path":".","message":"x"}"#, &[]),
    ("code.auto_push", "git_push", r#"{"repo_path":".","remote":"origin","branch":"topic"}"#, &[]),
    ("tests.allow_red_commit", "git_commit", r#"{"repo_path":".","message":"x"}"#, &["tests=failing"]),
    ("tests.allow_red_commit", "git_commit", r#"{"repo_path":".","message":"x"}"#, &["tests=unknown"]),
    ("code.allow_core_patch_in_autonomous_loop", "Write", r#"{"file_path":"core/x"}"#, &["driver=autonomous"]),
    ("tools.bypass_catalog_gate", "Read", r#"{"file_path":"a"}"#, &["catalogue=/Bash"]),
    ("tools.bypass_catalog_gate", "Read", r#"{"file_path":"a"}"#, &[PINNED]),
    ("tools.bypass_catalog_gate", "Read", r#"{"file_path":"a"}"#, &[PINNED, CHANGED]),
    ("tools.bypass_catalog_gate", "tool_register", r#"{"tool":"server/tool"}"#, &[]),
    ("agent.bypass_plan_mode", "Write", r#"{"file_path":"a"}"#, &["mode=planning"]),
    ("selfmod.enabled", "selfmod_propose", r#"{"title":"x"}"#, &[]),
    ("selfmod.auto_apply", "selfmod_apply", r#"{"proposal":"x"}"#, &[]),
    ("selfmod.kill_switch", "Read", r#"{"file_path":"a"}"#, &["stop=engaged"]),
    ("shell.allow_destructive_flags", "Bash", r#"{"command":"truncate -s0 a"}"#, &[]),
    ("shell.allow_outside_workspace", "Read", r#"{"file_path":"/srv/a"}"#, &[]),
    ("net.allow_outbound", "WebFetch", r#"{"url":"https://example.org"}"#, &[]),
    ("net.allow_browser_auto_actions", "browser_click", r#"{"element":"Buy"}"#, &[]),
    ("memory.persist_everything", "memory_write", r#"{"kind":"fact"}"#, &[]),
    (
        "dreams.write_during_active_session",
        "memory_write",
        r#"{"kind":"fact"}"#,
        &["driver=background", "session=live", "memory-kind=fact"],
    ),
    ("vault.auto_grant_capabilities", "vault_grant", r#"{"capability":"db"}"#, &[]),
    ("autonomous.raise_daily_op_cap", "Write", r#"{"file_path":"a"}"#, &["driver=autonomous", "operations-today=200"]),
    ("voice.always_listening", "voice_listen", "{}", &[]),
];
#[test]
fn each_toggle_stops_a_real_call_while_restrictive_and_is_silent_once_permissive() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let listed: Value = serde_json::from_str(&scene.run(&["toggle", "list", "--json"])?.stdout)?;
    let keys: Vec<&str> =
        listed["toggles"].as_array().ok_or("no list")?.iter().filter_map(|toggle| toggle["key"].as_str()).collect();
    assert_eq!(keys.len(), 20);
    let core = format!("core-root={}/core", scene.workspace().display());
    let ask = |tool: &str, arguments: &str, context: &[&str], loose: &[&str]| -> Result<Value, Failed> {
        let mut words = vec!["check", "--json", "--level", "unrestricted", "--tool", tool, "--arguments", arguments];
        context.iter().chain([&&*core]).for_each(|setting| words.extend(["--context", setting]));
        loose.iter().for_each(|key| words.extend(["--loosen", key]));
        let ran = scene.run(&words)?;
        serde_json::from_str(&ran.stdout).map_err(|error| format!("{tool}: {error}: {}", ran.stderr).into())
    };
    for (key, tool, arguments, context) in GATED {
        let others: Vec<&str> = keys.iter().copied().filter(|other| other != key).collect();
        let tight = ask(tool, arguments, context, &others)?;
        assert_ne!(tight["decision"], "allow", "{key}: {tight}");
        assert_eq!(tight["rule"], *key, "{tight}");
        assert_eq!(ask(tool, arguments, context, &keys)?["decision"], "allow", "{key}");
    }
    let mut seen: Vec<&str> = GATED.iter().map(|(key, ..)| *key).collect();
    seen.sort_unstable();
    seen.dedup();
    let mut all = keys.clone();
    all.sort_unstable();
    assert_eq!(seen, all, "a toggle without a call that it stops");
    let fits = ask("Read", r#"{"file_path":"a"}"#, &[PINNED, APPROVED], &[])?;
    assert_eq!(fits["decision"], "allow", "the tool is as it was approved: {fits}");
    Ok(())
}

#[test]
fn a_person_overwrites_the_main_branch_of_a_remote_whatever_is_loosened() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let listed: Value = serde_json::from_str(&scene.run(&["toggle", "list", "--json"])?.stdout)?;
    let keys = listed["toggles"].as_array().ok_or("no list")?.iter().filter_map(|toggle| toggle["key"].as_str());
    let keys: Vec<&str> = keys.collect();
    let push = |server: &str, more: &str| -> Result<Value, Failed> {
        let arguments = format!(r#"{{"repo_path":".","remote":"origin",{more}}}"#);
        let mut words = vec!["check", "--json", "--level", "unrestricted", "--server", server, "--tool", "git_push"];
        words.extend(["--arguments", &arguments]);
        keys.iter().for_each(|key| words.extend(["--loosen", key]));
        let ran = scene.run(&words)?;
        serde_json::from_str(&ran.stdout).map_err(|error| format!("{more}: {error}: {}", ran.stderr).into())
    };
    for more in [
        r#""branch":"main","force":true"#,
        r#""branch":"master","force_with_lease":true"#,
        r#""branch":"+main""#,
        r#""branch":":main""#,
        r#""branch":"topic:refs/heads/main","force":true"#,
        r#""branch":"main","delete":true"#,
        r#""force":true"#,
    ] {
        for server in ["", "git"] {
            let answer = push(server, more)?;
            let expected = (&json!("ask"), &json!("force_push_to_main_blocked"));
            assert_eq!((&answer["decision"], &answer["rule"]), expected, "{more}: {answer}");
        }
    }
    for more in [r#""branch":"topic","force":true"#, r#""branch":"main""#] {
        assert_eq!(push("git", more)?["decision"], "allow", "{more}");
    }
    Ok(())
}

#[test]
fn what_is_reserved_for_a_person_is_asked_whatever_is_loosened() -> Result<(), Failed> {
    let scene = Scene::new()?;
    for (tool, rule) in [("grant.submit", "final_human_review_on_grant_submission"), ("pii.export", "pii_export_block")]
    {
        let mut words = vec!["check", "--json", "--level", "unrestricted", "--tool", tool, "--arguments", "{}"];
        ["net.allow_outbound", "shell.allow_outside_workspace"].iter().for_each(|key| words.extend(["--loosen", key]));
        let answer: Value = serde_json::from_str(&scene.run(&words)?.stdout)?;
        assert_eq!((&answer["decision"], &answer["rule"]), (&json!("ask"), &json!(rule)), "{answer}");
    }
    let proposes =
        ["check", "--json", "--tool", "selfmod_propose", "--arguments", r#"{"paths":".claude/settings.json"}"#];
    let answer: Value = serde_json::from_str(&scene.run(&proposes)?.stdout)?;
    assert_eq!(answer["rule"], "floor.protected-path", "a proposal that touches the gate is refused first");
    Ok(())
}

/// Goes through the steps of loosening a toggle.
fn goes_through(scene: &Scene, words: &[&str]) -> Result<(Option<i32>, String), Failed> {
    let mut person = person(scene, words)?;
    person.see("phrase: ")?;
    person.types(PHRASE)?;
    person.see("operator's password: ")?;
    person.types(PASSWORD)?;
    person.leaves()
}

#[test]
fn a_team_closes_a_toggle_at_once_and_only_a_person_lifts_that() -> Result<(), Failed> {
    let scene = Scene::new()?;
    set_password(&scene)?;
    assert_eq!(loosen(&scene, PHRASE, PASSWORD)?.0, Some(0));
    let bound = scene.run(&["toggle", "bound", KEY, "--layer", "team"])?;
    assert_eq!(bound.code, Some(0), "{}", bound.stderr);
    assert_eq!(state(&scene, KEY)?, "restrictive");
    let listed = scene.run(&["toggle", "list"])?.stdout;
    assert!(listed.contains("closed for everybody by the team: set by cli on "), "{listed}");
    let shown: Value = serde_json::from_str(&scene.run(&["toggle", "show", KEY, "--json"])?.stdout)?;
    let words: Vec<Value> = ["layer", "bound"].map(|name| shown["bounds"][1][name].clone()).into();
    assert_eq!(words, ["team", "closed"], "{shown}");
    let (code, screen) = person(&scene, &["toggle", "loosen", "--wait", KEY])?.leaves()?;
    assert_eq!(code, Some(10), "{screen}");
    assert!(screen.contains("(bound)") && screen.contains(&format!("toggle lift {KEY} --layer team")), "{screen}");
    assert!(!screen.contains("phrase: "), "nobody goes through the steps for nothing: {screen}");
    let lift = ["toggle", "lift", KEY, "--layer", "team"];
    let program = scene.run_with(&lift, format!("{PHRASE}\n").as_bytes())?;
    assert_eq!(program.code, Some(10));
    assert!(program.stderr.contains("terminal") && program.stderr.contains("help:"), "{}", program.stderr);
    let (code, screen) = goes_through(&scene, &lift)?;
    assert_eq!(code, Some(0), "{screen}");
    assert_eq!(state(&scene, KEY)?, "permissive");
    let reasons: Vec<Value> = transitions(&scene)?.into_iter().map(|line| line["reason"].clone()).collect();
    assert_eq!(reasons, ["loosen", "bound", "bound", "lift"]);
    assert!(
        scene.run(&["audit", "show", "--stream", "transitions"])?.stdout.contains(&format!("ok {KEY} for the team"))
    );
    Ok(())
}

#[test]
fn a_bound_takes_limits_that_fit_and_none_that_are_wider() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let run = |words: &[&str]| scene.run(&[&["toggle", "bound"], words].concat());
    let mail = &["email.auto_send", "--layer", "organisation"][..];
    for (words, code) in [
        (&["--cap", "20", "--hours", "mon-fri 09:00-17:00"][..], 0),
        (&["--cap", "20", "--hours", "mon 09:00-17:00"], 0),
        (&["--cap", "21", "--hours", "mon 09:00-17:00"], 10),
        (&["--list", "a@b.example"], 10),
        (&["--cap", "20", "--list", "a@b.example"], 2),
    ] {
        assert_eq!(run(&[mail, words].concat())?.code, Some(code), "{words:?}");
    }
    let few = run(&["autonomous.raise_daily_op_cap", "--layer", "team", "--cap", "200"])?;
    assert_eq!(few.code, Some(10));
    assert!(few.stderr.contains("201"), "{}", few.stderr);
    assert_eq!(run(&[KEY, "--layer", "user"])?.code, Some(2));
    for line in [
        "holdpoint toggle bound code.auto_push --layer team",
        "holdpoint toggle lift code.auto_push --layer team",
        "holdpoint toggle keep code.auto_push",
    ] {
        assert_eq!(scene.check(line, &[])?["rule"], "floor.own-level", "{line}");
    }
    Ok(())
}

#[test]
fn a_loosening_is_kept_only_by_going_through_its_steps_again() -> Result<(), Failed> {
    let scene = Scene::new()?;
    set_password(&scene)?;
    let (code, screen) = person(&scene, &["toggle", "keep", KEY])?.leaves()?;
    assert_eq!(code, Some(2), "{screen}");
    assert!(screen.contains("is not loosened"), "{screen}");
    assert_eq!(loosen(&scene, PHRASE, PASSWORD)?.0, Some(0));
    let (code, screen) = person(&scene, &["toggle", "keep", KEY])?.leaves()?;
    assert_eq!(code, Some(10), "{screen}");
    assert!(screen.contains("cooldown"), "{screen}");
    Ok(())
}
