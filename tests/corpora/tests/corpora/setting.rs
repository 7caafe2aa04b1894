//! What a row is judged in: a state folder and a workspace, what an operator configured, and an agent host's hook.

use crate::rows::{Context, Must};
use holdpoint_tests_e2e::person::Person;
use holdpoint_tests_e2e::{Failed, Ran, Scene, feed, holdpoint};
use serde_json::{Value, json};
use std::process::Command;

/// A scene, and the toggles there are.
pub(crate) struct Judge {
    pub(crate) scene: Scene,
    toggles: Vec<String>,
}

impl Judge {
    pub(crate) fn new() -> Result<Judge, Failed> {
        let scene = Scene::new()?;
        let listed: Value = serde_json::from_str(&scene.run(&["toggle", "list", "--json"])?.stdout)?;
        let keys = listed["toggles"].as_array().ok_or("no toggles")?.iter().filter_map(|toggle| toggle["key"].as_str());
        let toggles: Vec<String> = keys.map(str::to_owned).collect();
        if toggles.len() < 20 {
            return Err(format!("only {} toggles were found", toggles.len()).into());
        }
        Ok(Judge { scene, toggles })
    }

    /// Writes the user's configuration, which has to be one: with an unreadable one every change would be refused.
    pub(crate) fn configure(&self, text: &str) -> Result<(), Failed> {
        self.write(text)?;
        let checked = self.scene.run(&["config", "check"])?;
        if checked.code == Some(0) { Ok(()) } else { Err(format!("{}{}", checked.stdout, checked.stderr).into()) }
    }

    /// Writes it as it is.
    pub(crate) fn write(&self, text: &str) -> Result<(), Failed> {
        Ok(std::fs::write(self.scene.state().join("config.toml"), text)?)
    }

    /// How loose the gate is set for a verdict: what is HARD holds against everything that an operator can loosen, but for
    /// what this operator denies.
    fn loosened(&self, must: Must, config: &str) -> Vec<String> {
        let level = |level: &str| vec!["--level".to_owned(), level.to_owned()];
        if must != Must::DenyHard {
            return level("guarded");
        }
        let loosened = self.toggles.iter().filter(|key| !config.contains(key.as_str()));
        let loosened = loosened.flat_map(|key| ["--loosen".to_owned(), key.clone()]);
        level("unrestricted").into_iter().chain(loosened).collect()
    }

    /// What is wrong with the answer to a call, if anything is. `call` is what `check` takes behind its settings.
    pub(crate) fn call(&self, call: &[&str], context: Context, must: Must) -> Result<Option<String>, Failed> {
        self.configure(context.config)?;
        let loosened = self.loosened(must, context.config);
        let settings = context.arguments.iter().copied().chain(loosened.iter().map(String::as_str));
        let words: Vec<&str> = ["check", "--json"].into_iter().chain(settings).chain(call.iter().copied()).collect();
        let ran = self.scene.run(&words)?;
        let answer: Value = serde_json::from_str(&ran.stdout).map_err(|error| format!("{error}: {}", ran.stderr))?;
        let decision = answer["decision"].as_str().unwrap_or_default();
        let told = || format!("{call:?}: wanted {must:?}: {decision} by {}: {}", answer["rule"], answer["operations"]);
        Ok((!is(decision, must)).then(told))
    }

    /// The same for a shell line.
    pub(crate) fn line(&self, line: &str, context: Context, must: Must) -> Result<Option<String>, Failed> {
        self.call(&["--", line], context, must)
    }

    /// What Claude Code's hook answers to an event in a mode of the host.
    pub(crate) fn hook(&self, event: Value, mode: &str) -> Result<Ran, Failed> {
        let mut command = Command::new(holdpoint()?);
        command.args(["hook", "claude-code", "--state"]).arg(self.scene.state());
        command.current_dir(self.scene.workspace()).env("CLAUDE_PROJECT_DIR", self.scene.workspace());
        let mut whole = json!({
            "session_id": "s1", "cwd": self.scene.workspace(), "permission_mode": mode, "hook_event_name": "PreToolUse",
            "tool_use_id": "u",
        });
        let (Some(whole_members), Value::Object(members)) = (whole.as_object_mut(), event) else {
            return Err("an event is an object".into());
        };
        whole_members.extend(members);
        feed(command, whole.to_string().as_bytes())
    }

    /// The decision of that hook.
    pub(crate) fn hooked(&self, event: Value, mode: &str) -> Result<String, Failed> {
        let ran = self.hook(event, mode)?;
        let answer: Value = serde_json::from_str(&ran.stdout).map_err(|error| format!("{error}: {}", ran.stderr))?;
        Ok(answer["hookSpecificOutput"]["permissionDecision"].as_str().unwrap_or_default().to_owned())
    }

    /// Somebody at a terminal says yes to the only question that waits.
    pub(crate) fn approve(&self) -> Result<(), Failed> {
        let listed = self.scene.run(&["approvals", "list", "--waiting", "--json"])?;
        let listed: Value = serde_json::from_str(&listed.stdout)?;
        let Some([question]) = listed["questions"].as_array().map(Vec::as_slice) else {
            return Err(format!("not one question waits: {listed}").into());
        };
        let id = question["id"].as_str().ok_or("the question has no name")?;
        let mut person = Person::at(self.scene.command(&["approvals", "allow", id])?)?;
        person.see("[y/N] ")?;
        person.types("y")?;
        let (code, screen) = person.leaves()?;
        if code == Some(0) { Ok(()) } else { Err(screen.into()) }
    }
}

/// Whether a decision is what was to be.
pub(crate) fn is(decision: &str, must: Must) -> bool {
    match must {
        Must::Allow => decision == "allow",
        Must::Ask => decision == "ask",
        Must::Deny | Must::DenyHard => decision == "deny",
        Must::NotAllow => matches!(decision, "ask" | "deny"),
    }
}
