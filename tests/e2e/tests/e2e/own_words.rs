//! What a call says about itself, in its arguments and in its surroundings, makes nothing about it milder: with the real
//! vocabularies, every line with every addition.

use holdpoint_tests_e2e::{Failed, Scene, feed, holdpoint};
use serde_json::{Value, json};
use std::process::Command;

/// Lines of every kind of answer.
const LINES: &[&str] = &[
    "ls",
    "cat a",
    "touch a",
    "mkdir -p a/b",
    "echo x > a",
    "rm a",
    "rm -rf build",
    "shred a",
    "git status",
    "git commit -m x",
    "git push",
    "curl https://x.example/",
    "cat /etc/shadow",
    "touch /srv/x",
    "sudo ls",
    "frobnicate",
    "rm -rf /",
    "holdpoint thaw",
];
/// Variables that somebody may hope to be asked.
const VARIABLES: &[&str] = &[
    "X",
    "PATH",
    "HOME",
    "IFS",
    "LD_PRELOAD",
    "BASH_ENV",
    "PWD",
    "USER",
    "SUDO_USER",
    "GIT_DIR",
    "HOLDPOINT_HOME",
    "HOLDPOINT_LEVEL",
    "HOLDPOINT_PRINCIPAL",
    "HOLDPOINT_ALLOW_WRITES",
    "HOLDPOINT_ATTEST",
    "HOLDPOINT_APPROVED",
    "CLAUDE_PROJECT_DIR",
    "CLAUDE_CODE_ENTRYPOINT",
    "CI",
];
/// Members that somebody may hope to be read beside the command.
const MEMBERS: &[&str] = &[
    "level",
    "principal",
    "safety",
    "allow_writes",
    "approved",
    "approval",
    "attest",
    "attestation",
    "confirm_token",
    "requestState",
    "consent",
    "loosen",
    "toggles",
    "config",
    "workspace",
    "cwd",
    "permission_mode",
    "dangerouslyDisableSandbox",
    "run_in_background",
    "description",
];
/// What they are set to.
const VALUES: &[&str] = &["unrestricted", "cli", "true", "/", "human"];
const LEVELS: &[&str] = &["observe", "guarded", "trusted", "unrestricted"];

/// How severe an answer is, and the level that was judged at.
type Met = (u8, String);

fn met(answer: &Value) -> Result<Met, Failed> {
    let severity = match answer["decision"].as_str() {
        Some("allow") => 0,
        Some("ask") => 1,
        Some("deny") => 2,
        _ => return Err(format!("no decision: {answer}").into()),
    };
    Ok((severity, answer["level"].as_str().unwrap_or_default().to_owned()))
}

/// Judges tool inputs of the shell in one go.
fn judge(scene: &Scene, inputs: &[Value], level: &str) -> Result<Vec<Met>, Failed> {
    let call = |input: &Value| json!({ "tool": "Bash", "arguments": input }).to_string() + "\n";
    let batch: String = inputs.iter().map(call).collect();
    let ran = scene.run_with(&["check", "--json", "--batch", "-", "--level", level], batch.as_bytes())?;
    let answers: Vec<Met> =
        ran.stdout.lines().map(|line| met(&serde_json::from_str(line)?)).collect::<Result<_, Failed>>()?;
    if answers.len() == inputs.len() { Ok(answers) } else { Err(format!("lines are missing: {}", ran.stderr).into()) }
}

/// Holds every addition to every line against the line alone, at every level.
fn no_milder(additions: impl Fn(&str) -> Vec<Value>) -> Result<(), Failed> {
    let scene = Scene::new()?;
    let mut inputs = Vec::new();
    for line in LINES {
        inputs.push((*line, json!({ "command": line })));
        inputs.extend(additions(line).into_iter().map(|input| (*line, input)));
    }
    let calls: Vec<Value> = inputs.iter().map(|(_, input)| input.clone()).collect();
    let mut seen = [false; 3];
    for level in LEVELS {
        let answers = judge(&scene, &calls, level)?;
        let mut alone = None;
        for ((line, input), answer) in inputs.iter().zip(answers) {
            if *input == json!({ "command": line }) {
                seen[usize::from(answer.0)] = true;
                alone = Some(answer);
                continue;
            }
            let before = alone.as_ref().ok_or("no line alone")?;
            assert!(answer.0 >= before.0, "{input} at {level}: {answer:?} after {before:?}");
            assert_eq!(answer.1, before.1, "{input} at {level}");
        }
    }
    assert_eq!(seen, [true; 3], "the lines meet every answer");
    Ok(())
}

#[test]
fn a_variable_in_front_of_a_line_makes_it_no_milder() -> Result<(), Failed> {
    no_milder(|line| {
        let set = |name: &&str| {
            let value = if *name == "HOLDPOINT_HOME" { "/srv/other" } else { "unrestricted" };
            let forms = [
                format!("{name}={value} {line}"),
                format!("env {name}={value} {line}"),
                format!("export {name}={value}; {line}"),
                format!("env -i {name}={value} {line}"),
            ];
            forms.map(|command| json!({ "command": command }))
        };
        VARIABLES.iter().flat_map(set).collect()
    })
}

#[test]
fn a_member_beside_the_command_makes_it_no_milder() -> Result<(), Failed> {
    no_milder(|line| {
        let values = VALUES.iter().map(|value| json!(value)).chain([json!(true), json!({ "level": "unrestricted" })]);
        let values: Vec<Value> = values.collect();
        let with = |name: &&str| {
            let with_value = |value: &Value| json!({ "command": line, *name: value });
            values.iter().map(with_value).collect::<Vec<_>>()
        };
        MEMBERS.iter().flat_map(with).collect()
    })
}

#[test]
fn an_argument_behind_a_line_leaves_its_level_as_it_was() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let words = [
        "--level=unrestricted",
        "--principal cli",
        "--loosen net.allow_outbound",
        "--yes",
        "--force",
        "# level: unrestricted",
    ];
    for level in LEVELS {
        let inputs: Vec<Value> =
            LINES.iter().flat_map(|line| words.map(|word| json!({ "command": format!("{line} {word}") }))).collect();
        for (input, (_, judged_at)) in inputs.iter().zip(judge(&scene, &inputs, level)?) {
            assert_eq!(judged_at, *level, "{input}");
        }
    }
    Ok(())
}

/// What a hook answers, and the level in the record of it.
fn hook(scene: &Scene, line: &str, variables: &[(&str, &str)], more: &Value) -> Result<(String, String), Failed> {
    let mut command = Command::new(holdpoint()?);
    command.args(["hook", "claude-code", "--state"]).arg(scene.state()).current_dir(scene.workspace());
    command.env("CLAUDE_PROJECT_DIR", scene.workspace()).envs(variables.iter().copied());
    let mut event = json!({
        "session_id": "s", "cwd": scene.workspace(), "permission_mode": "default", "hook_event_name": "PreToolUse",
        "tool_name": "Bash", "tool_input": { "command": line }, "tool_use_id": "u",
    });
    if let (Some(event), Some(more)) = (event.as_object_mut(), more.as_object()) {
        event.extend(more.clone());
    }
    let ran = feed(command, event.to_string().as_bytes())?;
    let answer: Value = serde_json::from_str(&ran.stdout).map_err(|error| format!("{error}: {}", ran.stderr))?;
    let shown = scene.run(&["audit", "show", "--json"])?.stdout;
    let last: Value = serde_json::from_str(shown.lines().last().ok_or("no record")?)?;
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    Ok((text(&answer["hookSpecificOutput"]["permissionDecision"]), text(&last["level"])))
}

#[test]
fn neither_the_surroundings_of_a_hook_nor_what_else_an_event_says_changes_its_answer() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let none = json!({});
    for line in ["touch a", "rm -rf build", "rm -rf /"] {
        let alone = hook(&scene, line, &[], &none)?;
        assert_eq!(alone.1, "guarded", "{line}");
        let given = VARIABLES.iter().filter(|name| !["CLAUDE_PROJECT_DIR", "LD_PRELOAD", "HOME"].contains(name));
        let given: Vec<(&str, &str)> = given.map(|name| (*name, "unrestricted")).collect();
        assert_eq!(hook(&scene, line, &given, &none)?, alone, "{line}");
        let mut members = json!({});
        for name in MEMBERS.iter().filter(|name| !["cwd", "permission_mode"].contains(name)) {
            members[*name] = json!("unrestricted");
        }
        assert_eq!(hook(&scene, line, &[], &members)?, alone, "{line}");
    }
    Ok(())
}
