//! Ways to the gate that name none of its files to a program that is understood: its processes, programs that nobody
//! understands, and commands that are written to run later. Ordinary work beside them goes on.

use holdpoint_tests_e2e::{Failed, Scene};
use serde_json::{Value, json};

/// Everything that a person can loosen about shells.
pub(crate) const LOOSENED: &[&str] = &[
    "--level",
    "unrestricted",
    "--loosen",
    "shell.allow_outside_workspace",
    "--loosen",
    "shell.allow_destructive_flags",
];

fn is_denied(scene: &Scene, line: &str) -> Result<bool, Failed> {
    let answer = scene.check(line, LOOSENED)?;
    let floor = answer["rule"].as_str().is_some_and(|rule| rule.starts_with("floor."));
    Ok(answer["decision"] == "deny" && floor)
}

/// The decision on a call of a tool.
fn call(scene: &Scene, tool: &str, arguments: &Value) -> Result<String, Failed> {
    let ran = scene.run(&["check", "--json", "--tool", tool, "--arguments", &arguments.to_string()])?;
    let answer: Value = serde_json::from_str(&ran.stdout)?;
    Ok(answer["decision"].as_str().ok_or("no decision")?.to_owned())
}

#[test]
fn no_process_of_the_gate_is_ended_by_its_name() -> Result<(), Failed> {
    let scene = Scene::new()?;
    for line in [
        "pkill holdpoint",
        "killall -9 holdpoint",
        "pkill -f 'holdpoint hook'",
        "kill $(pidof holdpoint)",
        "kill -9 $(pgrep -f holdpoint)",
        "pgrep holdpoint | xargs kill",
        "ps aux | grep '[h]oldpoint' | awk '{print $2}' | xargs kill",
        "for p in $(pidof holdpoint); do kill $p; done",
        "systemctl stop holdpoint",
    ] {
        assert!(is_denied(&scene, line)?, "{line}");
    }
    for line in ["pkill node", "kill 1234", "pgrep holdpoint", "ps aux | grep holdpoint", "kill $(pidof node)"] {
        assert!(!is_denied(&scene, line)?, "{line}");
    }
    Ok(())
}

#[test]
fn no_path_of_the_gate_goes_to_a_program_that_nobody_understands() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let state = scene.state().display().to_string();
    for line in [
        format!("npm --prefix={state} ci"),
        format!("tool dir:{state}"),
        format!("tool @{state}/x"),
        format!("cd {state}/.. && tool ./state"),
        format!("python3 -c 'import shutil; shutil.rmtree(\"{state}\")'"),
        format!("python3 - <<'EOF'\nimport shutil\nshutil.rmtree('{state}')\nEOF"),
        format!("npx -c 'rm -rf {state}'"),
        format!("git -c alias.x='!rm -rf {state}' x"),
        "npx -c 'holdpoint toggle loosen email.auto_send'".to_owned(),
        "npx holdpoint toggle loosen email.auto_send".to_owned(),
        "npm pkg set scripts.x='holdpoint toggle reset'".to_owned(),
        "git config alias.x '!holdpoint toggle reset'".to_owned(),
    ] {
        assert!(is_denied(&scene, &line)?, "{line}");
    }
    for line in [
        "make test",
        "npm run build",
        "git commit -m 'holdpoint toggle: say what is missing'",
        "just diff .claude/settings.json",
        "cargo test -p holdpoint-core",
        "npx -c 'echo holdpoint toggle list'",
    ] {
        assert_eq!(scene.check(line, &[])?["decision"], "ask", "{line}");
    }
    Ok(())
}

#[test]
fn commands_that_are_written_to_run_later_do_not_change_the_gate() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let state = scene.state().display().to_string();
    let loosens = "holdpoint toggle loosen email.auto_send";
    for line in [
        format!("echo '{loosens}' >> .git/hooks/pre-commit"),
        format!("printf '#!/bin/sh\\n{loosens}\\n' > run"),
        format!("cat > x.sh <<'EOF'\nif true; then\n  rm -rf {state}\nfi\nEOF"),
        format!("tee Makefile <<'EOF'\nall:\n\t@{loosens}\nEOF"),
        format!("(crontab -l; echo '@daily {loosens}') | crontab -"),
    ] {
        assert!(is_denied(&scene, &line)?, "{line}");
    }
    let write = |path: &str, content: &str| call(&scene, "Write", &json!({ "file_path": path, "content": content }));
    for (path, content) in [
        ("x.sh", format!("#!/bin/bash\nset -e\n{loosens}\n")),
        ("bin/start", format!("#!/bin/sh\n{loosens}\n")),
        ("package.json", json!({ "scripts": { "a": format!("tsc && {loosens}") } }).to_string()),
        ("Makefile", format!("all: x\n\t-{loosens}\n")),
        ("Makefile", format!("clean:\n\trm -rf {state}\n")),
        (".github/workflows/a.yml", format!("jobs:\n  a:\n    steps:\n      - run: {loosens}\n")),
        ("x.sh", "echo '{}' > .claude/settings.json\n".to_owned()),
        ("x.sh", "pkill holdpoint\n".to_owned()),
    ] {
        assert_eq!(write(path, &content)?, "deny", "{path}: {content}");
    }
    let torn = json!({ "file_path": "x.sh", "old_string": "a", "new_string": format!("fi\n{loosens}") });
    assert_eq!(call(&scene, "Edit", &torn)?, "deny");
    Ok(())
}

#[test]
fn text_about_the_gate_is_data() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let state = scene.state().display().to_string();
    let loosens = "holdpoint toggle loosen email.auto_send";
    let write = |path: &str, content: &str| call(&scene, "Write", &json!({ "file_path": path, "content": content }));
    for (path, content) in [
        ("README.md", format!("Run this:\n\n    {loosens}\n    rm -rf {state}\n")),
        ("docs/guide.txt", loosens.to_owned()),
        ("tests/cli.rs", format!("run(\"{loosens}\");")),
        ("x.sh", format!("# A person runs `{loosens}`.\necho '{loosens}'\nls\n")),
        ("x.sh", "holdpoint check 'rm -rf build'\nrm -rf build\n".to_owned()),
        ("Makefile", format!("# {loosens}\nall:\n\t@echo {loosens}\n")),
        ("package.json", json!({ "description": loosens, "scripts": { "a": "tsc" } }).to_string()),
    ] {
        assert_eq!(write(path, &content)?, "allow", "{path}: {content}");
    }
    let taken_out = json!({ "file_path": "x.sh", "old_string": loosens, "new_string": "ls" });
    assert_eq!(call(&scene, "Edit", &taken_out)?, "allow");
    assert_eq!(scene.check(&format!("echo '{loosens}' >> notes.md"), &[])?["decision"], "allow");
    Ok(())
}
