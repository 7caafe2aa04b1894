//! Bad input is refused or asked about; it never gets through, and nothing is lost.

use holdpoint_tests_e2e::{Failed, Scene, feed};
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

fn batch(scene: &Scene, line: &[u8]) -> Result<Value, Failed> {
    let ran = scene.run_with(&["check", "--json", "--batch", "-"], line)?;
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let mut answers = ran.stdout.lines();
    let answer = serde_json::from_str(answers.next().ok_or("no answer")?)?;
    assert_eq!(answers.next(), None, "one line, one answer");
    Ok(answer)
}

fn command(line: &str) -> Vec<u8> {
    let call = serde_json::json!({ "tool": "Bash", "arguments": { "command": line } });
    call.to_string().into_bytes()
}

#[test]
fn documents_that_cannot_be_read_are_refused() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let deep = format!("{{\"tool\":\"T\",\"arguments\":{}{}}}", "{\"a\":".repeat(70), "1".to_owned() + &"}".repeat(70));
    let large = serde_json::json!({ "tool": "T", "arguments": { "a": "x".repeat((1 << 20) + 1) } }).to_string();
    let huge = serde_json::json!({ "tool": "T", "arguments": { "a": "x".repeat(5 << 20) } }).to_string();
    let documents: [&[u8]; 9] = [
        b"{\"tool\":\"Bash\",\"arguments\":{\"command\":\"ls\",\"command\":\"ls\"}}",
        b"{\"tool\":\"Bash\",\"arguments\":{\"command\":\"\\ud800\"}}",
        b"{\"tool\":\"Bash\",\"arguments\":{\"command\":\"\xff\"}}",
        b"{\"tool\":\"Bash\",\"arguments\":{\"n\":9007199254740993}}",
        b"{\"tool\":\"Bash\",\"arguments\":[]}",
        b"{\"tool\":\"Bash\",\"arguments\":{},\"more\":1}",
        deep.as_bytes(),
        large.as_bytes(),
        huge.as_bytes(),
    ];
    for document in documents {
        let answer = batch(&scene, document)?;
        let shown = String::from_utf8_lossy(&document[..document.len().min(80)]).into_owned();
        assert_eq!(answer["decision"], "deny", "{shown}");
        assert_eq!(answer["rule"], "request.malformed", "{shown}");
    }
    Ok(())
}

#[test]
fn commands_that_hide_or_overflow_are_never_allowed() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let lines = [
        "ls \u{0}x".to_owned(),
        "\u{feff}ls".to_owned(),
        "ls \u{202e}txt.exe".to_owned(),
        "ls a\u{200b}b".to_owned(),
        format!("echo {}", "a".repeat(1 << 20)),
        "true;".repeat(10_000),
        format!("echo {}x{}", "$(echo ".repeat(200), ")".repeat(200)),
        format!("echo {}", "(".repeat(5_000)),
    ];
    for line in lines {
        let answer = batch(&scene, &command(&line))?;
        let shown: String = line.chars().take(30).collect();
        assert_ne!(answer["decision"], "allow", "{shown:?}");
    }
    Ok(())
}

#[test]
fn a_state_folder_that_others_may_write_is_refused() -> Result<(), Failed> {
    let scene = Scene::new()?;
    std::fs::set_permissions(scene.state(), std::fs::Permissions::from_mode(0o777))?;
    let ran = scene.run(&["check", "ls"])?;
    assert_eq!(ran.code, Some(22), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("help:"), "{}", ran.stderr);
    Ok(())
}

#[test]
fn a_record_that_can_be_neither_read_nor_written_is_a_denial() -> Result<(), Failed> {
    let scene = Scene::new()?;
    // The journal's folder is a file, so nobody can tell which vocabularies decisions named.
    std::fs::write(scene.state().join("audit"), "")?;
    let answer = scene.check("ls", &[])?;
    assert_eq!(answer["decision"], "deny");
    assert_eq!(answer["rule"], "gate.configuration");
    assert!(answer["degraded"].to_string().contains("the trust cannot be used"), "{answer}");
    assert_eq!(answer["refusal"]["remedy"], "config");
    Ok(())
}

/// Bits that let the owner read, and nobody write.
fn make_read_only(folder: &Path) -> Result<(), Failed> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            make_read_only(&path)?;
        } else {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o400))?;
        }
    }
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o500))?;
    Ok(())
}

#[test]
fn a_read_only_state_folder_is_a_refusal() -> Result<(), Failed> {
    let scene = Scene::new()?;
    assert_eq!(scene.check("ls", &[])?["decision"], "allow");
    make_read_only(&scene.state())?;
    let mut check = scene.command(&["check", "--json", "ls"])?;
    let mut hook = scene.command(&["hook", "claude-code", "--state"])?;
    hook.arg(scene.state());
    if rustix::process::geteuid().is_root() {
        // Permissions do not bind root, so somebody else runs a copy of the command.
        let copy = scene.folder().join("holdpoint");
        std::fs::copy(holdpoint_tests_e2e::holdpoint()?, &copy)?;
        std::fs::set_permissions(scene.folder(), std::fs::Permissions::from_mode(0o755))?;
        let owned =
            std::process::Command::new("chown").args(["-R", &NOBODY.to_string()]).arg(scene.state()).status()?;
        assert!(owned.success());
        check = as_nobody(&copy, &check);
        hook = as_nobody(&copy, &hook);
    }
    let answer: Value = serde_json::from_str(&feed(check, b"")?.stdout)?;
    // The end of the record is read under a lock, and there can be none.
    assert_eq!((&answer["decision"], &answer["rule"]), (&"deny".into(), &"gate.configuration".into()));
    let event = serde_json::json!({
        "hook_event_name": "PreToolUse", "cwd": scene.workspace(), "tool_name": "Bash", "tool_input": { "command": "ls" },
    });
    let ran = feed(hook, event.to_string().as_bytes())?;
    let denied = ran.stdout.contains("\"deny\"") && ran.stdout.contains("gate.configuration");
    // Nothing can be kept here, so the hook compiles; on a busy machine its deadline comes first, which is a refusal too.
    let late = ran.code == Some(2) && ran.stderr.contains("before the deadline");
    assert!(denied || late, "{ran:?}");
    Ok(())
}

/// A user without rights.
const NOBODY: u32 = 65_534;

fn as_nobody(program: &Path, command: &std::process::Command) -> std::process::Command {
    use std::os::unix::process::CommandExt;
    let mut same = std::process::Command::new(program);
    same.args(command.get_args()).uid(NOBODY).current_dir("/");
    same.envs(command.get_envs().filter_map(|(key, value)| Some((key, value?))));
    same
}

#[test]
fn a_full_disk_is_a_denial_and_loses_nothing() -> Result<(), Failed> {
    let scene = Scene::new()?;
    assert_eq!(scene.check("ls", &[])?["decision"], "allow");
    let before = scene.run(&["audit", "show", "--json"])?.stdout;
    // The journal's files may not grow past what they are: the write fails as on a full disk.
    let mut limited = std::process::Command::new("sh");
    limited
        .args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\" check --json ls"])
        .arg(holdpoint_tests_e2e::holdpoint()?);
    limited.current_dir(scene.workspace()).env("HOLDPOINT_HOME", scene.state());
    limited.stdout(std::process::Stdio::piped());
    let ran = feed(limited, b"")?;
    let answer: Value = serde_json::from_str(&ran.stdout)?;
    assert_eq!((&answer["decision"], &answer["rule"]), (&"deny".into(), &"audit_logging".into()));
    assert_eq!(scene.run(&["audit", "show", "--json"])?.stdout, before);
    assert_eq!(scene.run(&["audit", "verify"])?.code, Some(0));
    Ok(())
}

#[test]
fn damaged_compiled_code_is_made_anew_and_told() -> Result<(), Failed> {
    let scene = Scene::new()?;
    for entry in std::fs::read_dir(scene.state().join("cache"))? {
        let path = entry?.path();
        let mut bytes = std::fs::read(&path)?;
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(&path, bytes)?;
    }
    let answer = scene.check("ls", &[])?;
    assert_eq!(answer["decision"], "allow");
    assert!(answer["degraded"].to_string().contains("damaged"), "{answer}");
    assert_eq!(scene.check("ls", &[])?["degraded"], serde_json::json!([]));
    Ok(())
}
