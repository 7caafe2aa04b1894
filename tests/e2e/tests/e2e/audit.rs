//! The record: every answer is in it, and a change of any line is seen.

use holdpoint_tests_e2e::{Failed, Scene};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::Stdio;

fn day_file(scene: &Scene) -> Result<PathBuf, Failed> {
    let files = std::fs::read_dir(scene.state().join("audit/decisions"))?;
    let mut files = files.filter_map(|entry| Some(entry.ok()?.path()));
    files.find(|path| path.extension().is_some_and(|extension| extension == "jsonl")).ok_or("no day file".into())
}

#[test]
fn every_answer_is_found_again_by_its_correlation_id() -> Result<(), Failed> {
    let scene = Scene::new()?;
    for line in ["ls", "rm -rf build", "rm -rf /"] {
        let answer = scene.check(line, &[])?;
        let id = answer["correlation_id"].as_str().ok_or("no id")?;
        let shown = scene.run(&["audit", "show", "--json", "--id", id])?;
        let record: Value = serde_json::from_str(shown.stdout.trim())?;
        assert_eq!(record["decision"], answer["decision"]);
        assert_eq!(record["digest"], answer["digest"]);
    }
    Ok(())
}

#[test]
fn the_record_holds_no_arguments() -> Result<(), Failed> {
    let scene = Scene::new()?;
    scene.check("echo hunter2-is-my-password", &[])?;
    let text = std::fs::read_to_string(day_file(&scene)?)?;
    assert!(!text.contains("hunter2"), "{text}");
    Ok(())
}

#[test]
fn a_changed_line_is_named_and_ends_with_its_exit_code() -> Result<(), Failed> {
    let scene = Scene::new()?;
    for _ in 0..3 {
        scene.check("ls", &[])?;
    }
    assert_eq!(scene.run(&["audit", "verify"])?.code, Some(0));
    let file = day_file(&scene)?;
    let text = std::fs::read_to_string(&file)?;
    std::fs::write(&file, text.replacen("allow", "deny!", 1))?;
    let ran = scene.run(&["audit", "verify"])?;
    assert_eq!(ran.code, Some(21));
    assert!(ran.stdout.contains("line 1"), "{}", ran.stdout);
    Ok(())
}

#[test]
fn lines_are_picked_by_what_they_say_and_counted_by_key() -> Result<(), Failed> {
    let scene = Scene::new()?;
    for line in ["ls", "rm -rf build", "rm -rf /", "cat a"] {
        scene.check(line, &[])?;
    }
    let show = |more: &[&str]| -> Result<Vec<Value>, Failed> {
        let ran = scene.run(&[&["audit", "show", "--json"], more].concat())?;
        ran.stdout.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
    };
    assert_eq!(show(&["--where", "decision=deny"])?.len(), 1);
    assert_eq!(show(&["--where", "decision=allow", "--where", "tool=Bash", "--days", "1"])?.len(), 2);
    assert_eq!(show(&["--until", "2020-01-01"])?.len(), 0);
    assert_eq!(scene.run(&["toggle", "tighten", "code.auto_push"])?.code, Some(0));
    assert_eq!(scene.run(&["audit", "count", "code.auto_push"])?.stdout, "code.auto_push: 1 made, 0 denied\n");
    let counted: Value = serde_json::from_str(&scene.run(&["audit", "count", "nothing", "--json"])?.stdout)?;
    assert_eq!((&counted["ok"], &counted["denied"]), (&0.into(), &0.into()));
    for (words, help) in [
        (&["--where", "decison=deny"][..], "decision"),
        (&["--where", "deny"], "members:"),
        (&["--since", "yesterday"], "YYYY-MM-DD"),
        (&["--stream", "other"], "transitions"),
    ] {
        let refused = scene.run(&[&["audit", "show"], words].concat())?;
        assert!(refused.code == Some(2) && refused.stderr.contains(help), "{words:?}: {}", refused.stderr);
    }
    Ok(())
}

#[test]
fn whoever_follows_sees_a_line_as_soon_as_it_is_written() -> Result<(), Failed> {
    let scene = Scene::new()?;
    scene.check("ls", &[])?;
    let mut command = scene.command(&["audit", "show", "--follow", "--json", "--last", "1"])?;
    let mut follower = command.stdout(Stdio::piped()).spawn()?;
    let mut lines = BufReader::new(follower.stdout.take().ok_or("no output")?).lines();
    let mut next = || -> Result<Value, Failed> { Ok(serde_json::from_str(&lines.next().ok_or("no line")??)?) };
    assert_eq!(next()?["decision"], "allow");
    let denied = scene.check("rm -rf /", &[])?;
    assert_eq!(next()?["correlation_id"], denied["correlation_id"]);
    // Nobody reads any more: the next line ends the command.
    drop(lines);
    scene.check("ls", &[])?;
    assert_eq!(follower.wait()?.code(), Some(0));
    Ok(())
}

#[test]
fn an_exported_range_proves_itself_without_the_state_folder() -> Result<(), Failed> {
    let scene = Scene::new()?;
    for line in ["ls", "rm -rf /", "cat a"] {
        scene.check(line, &[])?;
    }
    let document = scene.folder().join("export.jsonl");
    let name = document.to_str().ok_or("no name")?;
    let exported = scene.run(&["audit", "export", "--out", name, "--first", "2"])?;
    assert_eq!(exported.code, Some(0), "{}", exported.stderr);
    let verified = scene.run(&["audit", "verify", "--export", name, "--json"])?;
    let report: Value = serde_json::from_str(&verified.stdout)?;
    assert_eq!((&report["before"]["seq"], &report["after"]["seq"]), (&1.into(), &3.into()), "{report}");
    let whole: Value = serde_json::from_str(&scene.run(&["audit", "verify", "--json"])?.stdout)?;
    assert_eq!(report["after"]["hash"], whole["decisions"]["head"]["hash"]);
    let text = std::fs::read_to_string(&document)?;
    std::fs::write(&document, text.replacen("\"deny\"", "\"allow\"", 1))?;
    let changed = scene.run(&["audit", "verify", "--export", name])?;
    assert!(changed.code == Some(21) && changed.stderr.contains("help:"), "{}", changed.stderr);
    let streamed = scene.run(&["audit", "export", "--out", "-", "--first", "2"])?;
    assert_eq!(streamed.stdout, text);
    let none = scene.run(&["audit", "export", "--out", name, "--first", "9"])?;
    assert!(none.code == Some(21) && none.stderr.contains("help:"), "{}", none.stderr);
    assert!(!scene.folder().join("export.jsonl.part").exists(), "nothing half-done stays");
    Ok(())
}

#[test]
fn what_the_program_was_built_from_stands_in_its_version_in_doctor_and_in_each_file() -> Result<(), Failed> {
    let scene = Scene::new()?;
    scene.check("ls", &[])?;
    scene.check("ls", &[])?;
    let text = std::fs::read_to_string(day_file(&scene)?)?;
    let first: Value = serde_json::from_str(text.lines().next().ok_or("no line")?)?;
    let digest = first["frozen"].as_str().ok_or("no digest")?;
    assert_eq!(text.matches("\"frozen\"").count(), 1, "only the first line of a file names it");
    for words in [&["--version", "--verbose"][..], &["-v", "-V"], &["doctor"]] {
        let told = scene.run(words)?.stdout;
        assert!(told.contains(digest), "{words:?}: {told}");
    }
    assert!(!scene.run(&["--version"])?.stdout.contains(digest));
    Ok(())
}
