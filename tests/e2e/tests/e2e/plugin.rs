//! From a component to a vocabulary in force, and every way in which it is refused.

use holdpoint_tests_e2e::person::Person;
use holdpoint_tests_e2e::{Failed, Scene, repository};
use serde_json::Value;
use std::path::PathBuf;

/// A shipped component, signed anew with a key of the test.
fn signed(scene: &Scene) -> Result<(PathBuf, String), Failed> {
    let file = scene.folder().join("posix.wasm");
    std::fs::copy(repository().join("plugins/dist/posix.wasm"), &file)?;
    let key = scene.folder().join("secret");
    let made = scene.run(&["key", "new", text(&key)?])?;
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let ran = scene.run(&["plugin", "sign", text(&file)?, "--key", text(&key)?, "--valid-days", "30"])?;
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    Ok((file, made.stdout.trim().to_owned()))
}

fn text(path: &std::path::Path) -> Result<&str, Failed> {
    path.to_str().ok_or("not UTF-8".into())
}

#[test]
fn a_shipped_component_shows_its_proof() -> Result<(), Failed> {
    let scene = Scene::new()?;
    for name in ["agent", "git", "posix", "shell"] {
        let file = repository().join(format!("plugins/dist/{name}.wasm"));
        let ran = scene.run(&["plugin", "inspect", text(&file)?])?;
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert!(ran.stdout.contains("imports: none"), "{}", ran.stdout);
    }
    Ok(())
}

#[test]
fn a_signature_holds_for_its_bytes_and_its_key_only() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let (file, key) = signed(&scene)?;
    assert_eq!(scene.run(&["plugin", "verify", text(&file)?, "--key", &key])?.code, Some(0));
    let other = scene.folder().join("other");
    let other_key = scene.run(&["key", "new", text(&other)?])?.stdout;
    assert_eq!(scene.run(&["plugin", "verify", text(&file)?, "--key", other_key.trim()])?.code, Some(20));
    let mut bytes = std::fs::read(&file)?;
    bytes.push(0);
    std::fs::write(&file, &bytes)?;
    let ran = scene.run(&["plugin", "verify", text(&file)?, "--key", &key])?;
    assert_eq!(ran.code, Some(20));
    assert!(ran.stderr.contains("help:"), "{}", ran.stderr);
    Ok(())
}

#[test]
fn a_secret_key_is_never_written_over_a_file() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let file = scene.folder().join("precious");
    std::fs::write(&file, "precious")?;
    assert_eq!(scene.run(&["key", "new", text(&file)?])?.code, Some(2));
    assert_eq!(std::fs::read_to_string(&file)?, "precious");
    Ok(())
}

#[test]
fn a_name_of_this_binary_cannot_be_taken() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let (file, key) = signed(&scene)?;
    let ran = scene.run(&["plugin", "install", text(&file)?, "--key", &key])?;
    assert_eq!(ran.code, Some(20));
    assert!(ran.stderr.contains("of its own"), "{}", ran.stderr);
    Ok(())
}

#[test]
fn a_component_without_import_section_but_of_another_kind_is_refused() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let file = scene.folder().join("module.wasm");
    std::fs::write(&file, b"\0asm\x01\0\0\0")?;
    let ran = scene.run(&["plugin", "inspect", text(&file)?])?;
    assert_eq!(ran.code, Some(20));
    assert!(ran.stderr.contains("core module"), "{}", ran.stderr);
    Ok(())
}

#[test]
fn only_a_name_can_be_removed_and_only_what_is_installed() -> Result<(), Failed> {
    let scene = Scene::new()?;
    std::fs::write(scene.folder().join("victim.json"), "precious")?;
    for name in ["../../victim", "/etc/passwd", "nothing", ""] {
        assert_eq!(scene.run(&["plugin", "remove", name])?.code, Some(2), "{name}");
    }
    assert!(scene.folder().join("victim.json").exists());
    assert_eq!(
        scene.run(&["audit", "show", "--stream", "transitions"])?.stdout,
        "",
        "nothing was changed, so nothing is written"
    );
    Ok(())
}

#[test]
fn a_vocabulary_of_an_older_layout_refuses_every_call() -> Result<(), Failed> {
    let scene = Scene::new()?;
    std::fs::create_dir(scene.state().join("vocabularies"))?;
    std::fs::write(scene.state().join("vocabularies/other.json"), "{")?;
    let answer = scene.check("ls", &[])?;
    assert_eq!((&answer["decision"], &answer["rule"]), (&"deny".into(), &"gate.configuration".into()));
    assert!(answer["degraded"].to_string().contains("other.json"), "{answer}");
    Ok(())
}

#[test]
fn a_vocabulary_is_built_signed_and_put_in_force_with_the_commands_of_the_readme() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let source = repository().join("tests/e2e/guest");
    let file = scene.workspace().join("greet.wasm");
    let built = scene.run(&["plugin", "build", text(&source)?, "--out", "greet.wasm"])?;
    assert_eq!(built.code, Some(0), "{}", built.stderr);
    let key = scene.run(&["key", "new", "my.secret"])?.stdout;
    assert_eq!(scene.run(&["plugin", "sign", "greet.wasm", "--key", "my.secret"])?.code, Some(0));
    assert_eq!(scene.check("greet world", &[])?["decision"], "ask", "nobody knows the program yet");
    let refused = scene.run(&["plugin", "install", text(&file)?, "--key", key.trim()])?;
    assert_eq!(refused.code, Some(20), "{}", refused.stdout);
    let approve = refused.stderr.split("--approve ").nth(1).ok_or("no hint")?.trim().to_owned();
    let installed = scene.run(&["plugin", "install", text(&file)?, "--key", key.trim(), "--approve", &approve])?;
    assert_eq!(installed.code, Some(0), "{}", installed.stderr);
    assert_eq!(scene.check("greet world", &[])?["decision"], "allow");
    its_own_toggle_gates_like_one_of_the_core(&scene)?;
    assert_eq!(scene.run(&["plugin", "remove", "greet"])?.code, Some(0));
    assert_eq!(scene.check("greet world", &[])?["decision"], "ask");
    let changes = scene.run(&["audit", "show", "--stream", "transitions"])?.stdout;
    assert_eq!(changes.matches("plugin:greet").count(), 2, "{changes}");
    assert_eq!(scene.run(&["audit", "verify"])?.code, Some(0));
    Ok(())
}

fn its_own_toggle_gates_like_one_of_the_core(scene: &Scene) -> Result<(), Failed> {
    let key = "greet.allow_loud";
    let asked = scene.check("greet --loud world", &[])?;
    assert_eq!((&asked["decision"], &asked["rule"]), (&"ask".into(), &key.into()), "{asked}");
    its_own_rung_asks_for_more_at_the_level_that_it_names(scene, key)?;
    assert!(scene.run(&["toggle", "list"])?.stdout.contains(key));
    let shown = scene.run(&["toggle", "show", key])?.stdout;
    assert!(shown.contains("Let agents ring the bell") && shown.contains("audit_logging"), "{shown}");
    assert!(scene.run(&["plugin", "inspect", "greet.wasm"])?.stdout.contains("a toggle of its own: greet.allow_loud"));
    let line = scene.run(&["audit", "show", "--last", "1", "--json"])?.stdout;
    assert!(line.contains(r#""hypothetical":["greet.allow_loud"]"#), "{line}");
    let mut person = Person::at(scene.command(&["toggle", "loosen", key, "--hours", "00:00-24:00"])?)?;
    person.see("phrase: ")?;
    person.types("Let agents ring the bell")?;
    let (code, screen) = person.leaves()?;
    assert_eq!(code, Some(0), "{screen}");
    let state: Value = serde_json::from_str(&scene.run(&["toggle", "show", key, "--json"])?.stdout)?;
    assert_eq!(state["state"], "permissive");
    assert_eq!(scene.run(&["toggle", "reset"])?.stdout, "greet.allow_loud\n");
    Ok(())
}

fn its_own_rung_asks_for_more_at_the_level_that_it_names(scene: &Scene, key: &str) -> Result<(), Failed> {
    let guarded = scene.check("greet --loud world", &["--loosen", key])?;
    assert_eq!((&guarded["decision"], &guarded["rule"]), (&"ask".into(), &"safety.level".into()), "{guarded}");
    assert!(guarded["reasons"].to_string().contains("vocabulary greet"), "{guarded}");
    let explained: Value = serde_json::from_str(&scene.run(&["safety", "explain", "--json"])?.stdout)?;
    let rung = &explained["rungs"][0];
    assert_eq!(
        (&rung["source"], &rung["says"]["guarded"]),
        (&"vocabulary greet".into(), &"type-name".into()),
        "{rung}"
    );
    assert_eq!(scene.check("greet --loud world", &["--loosen", key, "--level", "trusted"])?["decision"], "allow");
    Ok(())
}

/// A rung that lets more through where the risk is greater.
const MILDER: &str = "[[rungs]]\nverb = \"update\"\nkind = \"terminal\"\neffect = \"irreversible\"\nguarded = \"ask\"\ntrusted = \"type-name\"\n";

#[test]
fn rungs_that_are_not_monotone_are_refused_when_a_vocabulary_is_built() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let source = repository().join("tests/e2e/guest/vocabulary.toml");
    let folder = scene.workspace().join("guest");
    std::fs::create_dir(&folder)?;
    std::fs::write(folder.join("vocabulary.toml"), std::fs::read_to_string(source)? + "\n" + MILDER)?;
    let refused = scene.run(&["plugin", "build", text(&folder)?, "--out", "greet.wasm"])?;
    assert_eq!(refused.code, Some(20), "{}", refused.stderr);
    assert!(refused.stderr.contains("number 2 is"), "{}", refused.stderr);
    Ok(())
}

#[test]
fn shipped_components_come_from_these_sources() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let recorded = std::fs::read_to_string(repository().join("plugins/dist/toolchain.txt"))?;
    let present = std::process::Command::new("rustc").arg("-vV").output()?;
    if recorded != String::from_utf8(present.stdout)? || std::env::var_os("HOLDPOINT_GUEST_RUSTC").is_some() {
        // Another compiler makes other bytes. Then the answers to the cases below have to be the same.
        return Ok(());
    }
    for name in ["agent", "git", "posix", "shell"] {
        let out = scene.folder().join(format!("{name}.wasm"));
        let source = repository().join("plugins").join(name).canonicalize()?;
        let built = scene.run(&["plugin", "build", text(&source)?, "--out", text(&out)?])?;
        assert_eq!(built.code, Some(0), "{}", built.stderr);
        let shipped = std::fs::read(repository().join(format!("plugins/dist/{name}.wasm")))?;
        assert!(std::fs::read(&out)? == shipped, "{name}: run plugins/dist/build");
    }
    Ok(())
}

/// What is decided about a case: a shell line, or a call of another tool.
fn answer(scene: &Scene, case: &Value) -> Result<Value, Failed> {
    if let Some(command) = case["command"].as_str() {
        return scene.check(command, &[]);
    }
    let word = |member: &str| case[member].as_str().ok_or(format!("a case has neither a command nor a {member}"));
    let arguments = case["arguments"].to_string();
    let words = ["check", "--json", "--server", word("server")?, "--tool", word("tool")?, "--arguments", &arguments];
    let ran = scene.run(&words)?;
    serde_json::from_str(&ran.stdout).map_err(|error| format!("{case}: {error}: {}", ran.stderr).into())
}

#[test]
fn shipped_components_answer_the_cases_as_recorded() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let file = repository().join("plugins/cases.jsonl");
    let mut lines = Vec::new();
    for line in std::fs::read_to_string(&file)?.lines() {
        let case: serde_json::Value = serde_json::from_str(line)?;
        let answer = answer(&scene, &case)?;
        let operation = |operation: &serde_json::Value| {
            let word = |key: &str| operation[key].as_str().unwrap_or_default().to_owned();
            let target = operation["target"].as_array().and_then(|target| target.last());
            let name = target.and_then(|target| target["name"].as_str()).unwrap_or_default().to_owned();
            [word("verb"), word("native"), word("effect"), word("scope"), name].join(" ")
        };
        let operations = answer["operations"].as_array().ok_or("no operations")?.iter().map(operation);
        let unknown = answer["unknown"].as_array().ok_or("no unknown")?.iter().map(|unknown| unknown["cause"].clone());
        let told = serde_json::json!({
            "decision": answer["decision"], "operations": operations.collect::<Vec<_>>(),
            "unknown": unknown.collect::<Vec<_>>(),
        });
        let mut line = serde_json::Map::new();
        for member in ["arguments", "command", "decision", "operations", "server", "tool", "unknown"] {
            if let Some(value) = told.get(member).or(case.get(member)) {
                line.insert(member.to_owned(), value.clone());
            }
        }
        lines.push(Value::Object(line));
    }
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&file, &text)?;
    }
    assert_eq!(text, std::fs::read_to_string(&file)?, "UPDATE_EXPECT=1 writes it anew; read the difference");
    Ok(())
}

#[test]
fn the_vocabularies_in_force_are_listed() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let ran = scene.run(&["plugin", "list", "--json"])?;
    let document: serde_json::Value = serde_json::from_str(&ran.stdout)?;
    let names: Vec<_> =
        document["vocabularies"].as_array().ok_or("no list")?.iter().map(|row| row["name"].clone()).collect();
    assert_eq!(names, ["agent", "git", "posix", "shell"]);
    assert_eq!(scene.run(&["plugin", "remove", "nothing"])?.code, Some(2));
    Ok(())
}

/// A component that holds nothing but its manifest: it can be proved and signed, and answers nothing.
fn hollow() -> Vec<u8> {
    let manifest = serde_json::json!({
        "name": "hollow", "version": "0.1.0", "release": 1, "summary": "Answers nothing.",
        "contract": "holdpoint:vocabulary@0.1.0", "actions": ["nothing none"],
        "routes": { "programs": ["hollow"], "languages": [], "tools": [] }, "limits": { "fuel": 1000 },
    });
    let name = b"holdpoint:vocabulary";
    let custom = [&leb(name.len()), &name[..], manifest.to_string().as_bytes()].concat();
    let core_module = b"\0asm\x01\0\0\0";
    let section = |id: u8, body: &[u8]| [&[id][..], &leb(body.len()), body].concat();
    [&b"\0asm\x0d\0\x01\0"[..], &section(1, core_module), &section(0, &custom)].concat()
}

fn leb(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let low = u8::try_from(number & 0x7f).unwrap_or(0);
        number >>= 7;
        if number == 0 {
            bytes.push(low);
            return bytes;
        }
        bytes.push(low | 0x80);
    }
}

#[test]
fn what_cannot_be_loaded_is_not_put_in_force() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let (_, key) = signed(&scene)?;
    let file = scene.folder().join("hollow.wasm");
    std::fs::write(&file, hollow())?;
    let secret = scene.folder().join("secret");
    let ran = scene.run(&["plugin", "sign", text(&file)?, "--key", text(&secret)?, "--valid-days", "30"])?;
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let asked = scene.run(&["plugin", "install", text(&file)?, "--key", &key])?.stderr;
    let approval =
        asked.split_whitespace().find(|word| word.starts_with("hollow@")).ok_or("no approval is asked for")?;
    let ran = scene.run(&["plugin", "install", text(&file)?, "--key", &key, "--approve", approval])?;
    assert_eq!(ran.code, Some(20), "{}", ran.stderr);
    assert!(ran.stderr.contains("cannot be loaded; nothing was changed"), "{}", ran.stderr);
    let status = scene.run(&["plugin", "status"])?.stdout;
    assert!(status.contains("in force: none"), "{status}");
    Ok(())
}

#[test]
fn a_component_that_is_one_byte_too_long_is_refused_by_its_length() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let file = scene.folder().join("long.wasm");
    let long = std::fs::File::create(&file)?;
    for (bytes, says_length) in [(8 << 20, false), ((8 << 20) + 1, true)] {
        long.set_len(bytes)?;
        for command in ["inspect", "diff"] {
            let ran = scene.run(&["plugin", command, text(&file)?])?;
            assert_eq!(ran.code, Some(20), "{}", ran.stderr);
            assert_eq!(ran.stderr.contains("is over 8388608 bytes"), says_length, "{}", ran.stderr);
        }
    }
    Ok(())
}

#[test]
fn every_tool_that_a_vocabulary_knows_has_annotations_and_nothing_is_said_of_others() -> Result<(), Failed> {
    let scene = Scene::new()?;
    let ran = scene.run(&["plugin", "annotations", "agent", "--json"])?;
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let said: Value = serde_json::from_str(&ran.stdout)?;
    let file = repository().join("plugins/dist/agent.wasm");
    let manifest: Value = serde_json::from_str(&scene.run(&["plugin", "inspect", "--json", text(&file)?])?.stdout)?;
    let tools = said["tools"].as_array().ok_or("no tools")?;
    let claimed = manifest["manifest"]["routes"]["tools"].as_array().ok_or("no claims")?;
    assert_eq!(tools.len(), claimed.len());
    for (tool, claim) in tools.iter().zip(claimed) {
        assert_eq!((&tool["server"], &tool["name"]), (&claim["server"], &claim["name"]));
        for hint in ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] {
            assert!(tool["annotations"][hint].is_boolean(), "{tool}");
        }
    }
    let write = tools.iter().find(|tool| tool["name"] == "Write").ok_or("no Write")?;
    assert_eq!(
        (&write["annotations"]["readOnlyHint"], &write["annotations"]["destructiveHint"]),
        (&false.into(), &true.into())
    );
    assert_eq!(scene.run(&["plugin", "annotations", "nobody"])?.code, Some(2));
    assert_eq!(scene.run(&["plugin", "annotations", "git"])?.stdout, "", "it knows programs only");
    Ok(())
}
