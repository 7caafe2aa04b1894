//! The record: every answer is in it, and a change of any line is seen.

use holdpoint_tests_e2e::{Failed, Scene};
use serde_json::Value;
use std::path::PathBuf;

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
