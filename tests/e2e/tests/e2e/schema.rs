//! Published documents and their schemas: what is told fits, and what no refusal may say does not.

use holdpoint_tests_e2e::{Failed, Scene, feed, holdpoint, repository};
use serde_json::{Value, json};
use std::process::Command;

/// A published schema, compiled.
struct Schema(boon::Schemas, boon::SchemaIndex);

impl Schema {
    fn read(name: &str) -> Result<Schema, Failed> {
        let path = repository().join("schema").join(name);
        let path = path.to_str().ok_or("not UTF-8")?;
        let mut schemas = boon::Schemas::new();
        let index = boon::Compiler::new().compile(path, &mut schemas).map_err(|error| format!("{error:#}"))?;
        Ok(Schema(schemas, index))
    }

    /// What does not fit; empty for what does.
    fn problems(&self, document: &Value) -> String {
        self.0.validate(document, self.1).err().map(|problem| format!("{problem:#}")).unwrap_or_default()
    }
}

/// Refusals with every remedy that a command line can meet, and one with a question.
fn refusals() -> Result<Vec<Value>, Failed> {
    let scene = Scene::new()?;
    let mut refusals = Vec::new();
    for (line, more) in [
        ("rm -rf /", &[][..]),
        ("touch a", &["--level", "observe"]),
        ("some-unknown-program", &["--level", "observe"]),
        ("touch a", &["--context", "mode=planning"]),
    ] {
        refusals.push(scene.check(line, more)?["refusal"].clone());
    }
    assert_eq!(scene.run(&["freeze", "incident 7"])?.code, Some(0));
    refusals.push(scene.check("touch a", &[])?["refusal"].clone());
    let asked = Scene::new()?;
    asked.check("ls", &[])?;
    let mut command = Command::new(holdpoint()?);
    command.args(["hook", "claude-code", "--state"]).arg(asked.state()).current_dir(asked.workspace());
    let event = json!({
        "session_id": "s", "cwd": asked.workspace(), "permission_mode": "dontAsk", "hook_event_name": "PreToolUse",
        "tool_name": "Bash", "tool_input": { "command": "rm -rf build" }, "tool_use_id": "u",
    });
    let answer: Value = serde_json::from_str(&feed(command, event.to_string().as_bytes())?.stdout)?;
    let context = answer["hookSpecificOutput"]["additionalContext"].as_str().ok_or("no refusal")?;
    refusals.push(serde_json::from_str(context)?);
    Ok(refusals)
}

#[test]
fn every_refusal_fits_the_schema_over_every_transport() -> Result<(), Failed> {
    let schema = Schema::read("refusal-1.schema.json")?;
    let refusals = refusals()?;
    for refusal in &refusals {
        assert_eq!(schema.problems(refusal), "", "{refusal}");
    }
    assert!(refusals.iter().any(|refusal| !refusal["challenge"].is_null()), "one of them names a question");
    Ok(())
}

#[test]
fn a_refusal_that_would_make_an_agent_spin_or_give_up_wrongly_does_not_fit() -> Result<(), Failed> {
    let schema = Schema::read("refusal-1.schema.json")?;
    let fits = refusals()?.swap_remove(0);
    let changed = |changes: &[(&str, Value)]| {
        let mut refusal = fits.clone();
        changes.iter().for_each(|(member, value)| refusal[*member] = value.clone());
        refusal
    };
    assert_eq!(schema.problems(&fits), "");
    let wait = [("remedy", json!("wait")), ("retryable", json!(true)), ("retry_after", json!(30))];
    assert_eq!(schema.problems(&changed(&wait)), "");
    let within_a_plan = [("ran", json!(["c-1"])), ("skipped", json!(2))];
    assert_eq!(schema.problems(&changed(&within_a_plan)), "");
    for (what, refusal) in [
        ("half of what became of a plan", changed(&[("ran", json!(["c-1"]))])),
        ("a wait without an end", changed(&[("remedy", json!("wait")), ("retryable", json!(true))])),
        ("a retry that no remedy says", changed(&[("retryable", json!(true))])),
        ("another resource to try", changed(&[("remedy", json!("other-resource"))])),
        ("a change of the request that nobody names", changed(&[("remedy", json!("modify-request"))])),
        ("a member that nobody knows", changed(&[("allow", json!(true))])),
        ("a refusal that allows", changed(&[("decision", json!("allow"))])),
    ] {
        assert_ne!(schema.problems(&refusal), "", "{what} fits");
    }
    Ok(())
}
