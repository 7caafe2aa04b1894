//! The ways out that vocabularies list of their own: each of their examples, through the whole command.

use crate::own::LOOSENED;
use holdpoint_tests_e2e::{Failed, Scene, repository};
use serde_json::Value;

/// Every row of every vocabulary that ships.
fn rows(scene: &Scene) -> Result<Vec<Value>, Failed> {
    let mut rows = Vec::new();
    for name in ["agent", "git", "posix", "shell"] {
        let file = repository().join(format!("plugins/dist/{name}.wasm"));
        let ran = scene.run(&["plugin", "inspect", "--json", file.to_str().ok_or("not UTF-8")?])?;
        let document: Value = serde_json::from_str(&ran.stdout).map_err(|error| format!("{error}: {}", ran.stderr))?;
        rows.extend(document["manifest"]["escapes"].as_array().into_iter().flatten().cloned());
    }
    Ok(rows)
}

#[test]
fn no_way_out_that_a_vocabulary_lists_is_let_through_whatever_is_loosened() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let rows = rows(&scene)?;
    assert!(rows.len() > 10, "only {} are listed", rows.len());
    for row in rows {
        let (kind, example) = (&row["kind"], row["example"].as_str().ok_or("no example")?);
        let answer = scene.check(example, LOOSENED)?;
        assert_ne!(answer["decision"], "allow", "{example}: {answer}");
        let named = answer["escapes"].as_array().is_some_and(|escapes| escapes.contains(kind));
        assert!(named, "{example} is not the example of {kind}: {}", answer["escapes"]);
    }
    Ok(())
}

#[test]
fn no_agent_gives_the_gate_another_environment() -> Result<(), Failed> {
    let scene = Scene::new()?;
    for line in [
        "HOLDPOINT_HOME=/x ls",
        "export HOLDPOINT_HOME=/x",
        "unset HOLDPOINT_HOME",
        "env -u HOLDPOINT_HOME ls",
        "env HOLDPOINT_HOME=/x claude -p hi",
        "read -r CLAUDE_PROJECT_DIR < a",
        "CLAUDE_CONFIG_DIR=/x claude",
        "echo 'HOLDPOINT_HOME=/x claude' | sh",
        "printf -v HOLDPOINT_HOME /x",
        "sudo HOLDPOINT_HOME=/x ls",
    ] {
        let answer = scene.check(line, LOOSENED)?;
        assert_eq!(
            (&answer["decision"], &answer["rule"]),
            (&"deny".into(), &"floor.own-level".into()),
            "{line}: {answer}"
        );
    }
    for line in ["echo $HOLDPOINT_HOME", "env | grep HOLDPOINT_HOME", "test -n \"$CLAUDE_PROJECT_DIR\"", "A=1 ls"] {
        assert_eq!(scene.check(line, LOOSENED)?["decision"], "allow", "{line}");
    }
    Ok(())
}
