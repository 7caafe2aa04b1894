//! Links in every way in which they come about, through the hook: before the call, within it, behind a pattern, to nothing.

use holdpoint_tests_e2e::{Failed, Scene, feed, holdpoint};
use serde_json::{Value, json};
use std::os::unix::fs::symlink;
use std::process::Command;

/// What the hook says to a line.
fn decision(scene: &Scene, line: &str) -> Result<String, Failed> {
    let event = json!({
        "hook_event_name": "PreToolUse", "cwd": scene.workspace(), "permission_mode": "default", "tool_name": "Bash",
        "tool_input": { "command": line },
    });
    let mut command = Command::new(holdpoint()?);
    command.args(["hook", "claude-code", "--state"]).arg(scene.state());
    command.current_dir(scene.workspace()).env("CLAUDE_PROJECT_DIR", scene.workspace());
    let ran = feed(command, event.to_string().as_bytes())?;
    let document: Value = serde_json::from_str(&ran.stdout).map_err(|error| format!("{error}: {}", ran.stderr))?;
    Ok(document["hookSpecificOutput"]["permissionDecision"].as_str().unwrap_or_default().to_owned())
}

/// A workspace with links to the gate's wiring, to its state, to a private folder and to nothing.
fn linked() -> Result<Scene, Failed> {
    let scene = Scene::new()?;
    scene.check("ls", &[])?;
    let workspace = scene.workspace();
    for folder in [".claude", "sub", "d", "plain/deep", "out"] {
        std::fs::create_dir_all(workspace.join(folder))?;
    }
    std::fs::write(workspace.join(".claude/settings.json"), "{}")?;
    for file in ["f", "x.tar", "sub/a", "plain/deep/a"] {
        std::fs::write(workspace.join(file), "x")?;
    }
    let private = scene.folder().join("private");
    std::fs::create_dir(&private)?;
    std::fs::write(private.join("id_rsa"), "x")?;
    symlink("../.claude/settings.json", workspace.join("sub/l"))?;
    symlink("../.claude/settings.local.json", workspace.join("sub/n"))?;
    symlink(scene.state(), workspace.join("d/s"))?;
    symlink(&private, workspace.join("d/p"))?;
    Ok(scene)
}

#[test]
fn a_link_that_leads_to_the_gate_is_the_gate_whether_it_is_there_or_not_and_behind_a_pattern_too() -> Result<(), Failed>
{
    let scene = linked()?;
    for line in [
        "echo x > sub/l",
        "echo x > sub/n",
        "tee sub/n < f",
        "dd if=f of=sub/n",
        "cp f d/s/audit/x",
        "cp f d/?/audit/x",
        "tee sub/? < f",
        "tee sub/* < f",
        "tee sub/[l] < f",
        "dd if=f of=sub/[l]",
        "cp f d/s/new/deep/file",
        "rsync -a plain/ d/?/",
    ] {
        assert_eq!(decision(&scene, line)?, "deny", "{line}");
    }
    for line in ["cat d/p/id_rsa", "cat d/?/id_rsa", "cat d/*/id_rsa"] {
        assert_eq!(decision(&scene, line)?, "ask", "{line}");
    }
    Ok(())
}

#[test]
fn what_is_written_where_the_call_itself_may_have_put_a_link_is_not_understood() -> Result<(), Failed> {
    let scene = linked()?;
    for line in [
        "tar xf x.tar -C out && echo x > out/l",
        "mkdir -p new && tar xf x.tar -C new && cp f new/l/y",
        "mv d e; echo x > e/s/x",
        "cp -a sub q && echo x > q/l",
        "rsync -a sub/ q/ && echo x > q/l",
        "mv sub/l q && echo x > q",
        "cp -P sub/l q; tee q < f",
        "ln -s d m; echo x > m/s/x",
        "mkdir -p a/b && ln -s ../../elsewhere a/b/l && mv a/b/l a/l && cp f a/l/audit/x",
        "tar xf x.tar -C out && rm -rf out/l/x",
    ] {
        assert_ne!(decision(&scene, line)?, "allow", "{line}");
    }
    Ok(())
}

#[test]
fn ordinary_work_beside_links_goes_on() -> Result<(), Failed> {
    let scene = linked()?;
    for line in [
        "cp -r plain copy && echo x > copy/deep/b",
        "mkdir -p new/deep && echo x > new/deep/a",
        "tar xf x.tar -C out && cat out/a && ls out",
        "sort f > f.tmp && mv f.tmp f && echo x >> f",
        "tee plain/* < f",
        "cat plain/*/a",
        "sed s/a/b/ plain/deep/?",
        "cp plain/*/a out",
        "mv plain/deep plain/deeper && echo x > plain/deeper/b",
    ] {
        assert_eq!(decision(&scene, line)?, "allow", "{line}");
    }
    Ok(())
}

#[test]
fn a_checkout_of_the_gate_below_the_workspace_keeps_its_frozen_sources() -> Result<(), Failed> {
    let scene = Scene::new()?;
    scene.check("ls", &[])?;
    for folder in ["hp/tests/frozen", "hp/host/core/src", "hp/docs"] {
        std::fs::create_dir_all(scene.workspace().join(folder))?;
    }
    std::fs::write(scene.workspace().join("hp/tests/frozen/FROZEN.sha256"), "")?;
    for line in [
        "echo x > hp/host/core/src/floor.rs",
        "cd hp && echo x > host/core/src/floor.rs",
        "rm hp/tests/frozen/FROZEN.sha256",
        "find hp/host -name floor.rs -exec tee {} +",
    ] {
        assert_eq!(decision(&scene, line)?, "deny", "{line}");
    }
    assert_eq!(decision(&scene, "echo x > hp/docs/a.md")?, "allow");
    Ok(())
}
