//! The trust store as an operator and an attacker meet it: who may speak is said once, at a terminal, and taken back in one
//! step; what is old, revoked, expired or cut off is refused.

use holdpoint_tests_e2e::person::{PASSWORD, Person, set_password};
use holdpoint_tests_e2e::{Failed, Ran, Scene, repository};
use serde_json::{Value, json};
use std::path::Path;

/// A scene with a component of the name `greet`, signed with a key of the test.
struct Signed {
    scene: Scene,
    key: String,
}

fn text(path: &Path) -> Result<&str, Failed> {
    path.to_str().ok_or("not UTF-8".into())
}

impl Signed {
    fn new() -> Result<Signed, Failed> {
        let scene = Scene::new()?;
        let key = succeeds(&scene, &["key", "new", "my.secret"])?.stdout.trim().to_owned();
        let signed = Signed { scene, key };
        signed.build("greet.wasm", 1)?;
        Ok(signed)
    }

    /// Builds and signs a release into a file of the workspace.
    fn build(&self, file: &str, release: u64) -> Result<(), Failed> {
        let guest = repository().join("tests/e2e/guest").canonicalize()?;
        let built = self.scene.workspace().join(file);
        succeeds(&self.scene, &["plugin", "build", text(&guest)?, "--out", file])?;
        if release > 1 {
            let bytes = std::fs::read(&built)?;
            let (from, to) = ("\"release\":1", format!("\"release\":{release}"));
            assert_eq!(from.len(), to.len(), "a manifest of another length is no manifest");
            let at = bytes.windows(from.len()).position(|window| window == from.as_bytes()).ok_or("no release")?;
            std::fs::write(&built, [&bytes[..at], to.as_bytes(), &bytes[at + from.len()..]].concat())?;
        }
        succeeds(&self.scene, &["plugin", "sign", file, "--key", "my.secret", "--valid-days", "30"])?;
        Ok(())
    }

    /// Trusts the key, as a person does.
    fn trust(&self) -> Result<(), Failed> {
        set_password(&self.scene)?;
        self.at_terminal(&["trust", "add", "acme", "--key", &self.key, "--names", "gree*"], "acme")
    }

    fn at_terminal(&self, arguments: &[&str], name: &str) -> Result<(), Failed> {
        let mut person = Person::at(self.scene.command(arguments)?)?;
        person.see(&format!("type `trust {name}`: "))?;
        person.types(&format!("trust {name}"))?;
        person.see("operator's password: ")?;
        person.types(PASSWORD)?;
        let (code, screen) = person.leaves()?;
        assert_eq!(code, Some(0), "{screen}");
        Ok(())
    }

    fn install(&self, file: &str) -> Result<Ran, Failed> {
        let shown = self.scene.run(&["plugin", "install", file])?;
        let Some(approve) = shown.stderr.split("--approve ").nth(1) else { return Ok(shown) };
        self.scene.run(&["plugin", "install", file, "--approve", approve.trim()])
    }

    fn installed(file: &str) -> Result<Signed, Failed> {
        let signed = Signed::new()?;
        signed.trust()?;
        let ran = signed.install(file)?;
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        assert_eq!(signed.greets()?, "allow");
        Ok(signed)
    }

    fn greets(&self) -> Result<String, Failed> {
        Ok(self.scene.check("greet world", &[])?["decision"].as_str().ok_or("no decision")?.to_owned())
    }

    fn status(&self) -> Result<Value, Failed> {
        Ok(serde_json::from_str(&succeeds(&self.scene, &["plugin", "status", "--json"])?.stdout)?)
    }
}

fn succeeds(scene: &Scene, arguments: &[&str]) -> Result<Ran, Failed> {
    let ran = scene.run(arguments)?;
    assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.stderr);
    Ok(ran)
}

fn is_refused(ran: &Ran, why: &str) {
    assert_eq!(ran.code, Some(20), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains(why) && ran.stderr.contains("help: "), "{}", ran.stderr);
}

#[test]
fn who_is_trusted_needs_no_key_at_the_install_and_stands_in_every_decision() -> Result<(), Failed> {
    let signed = Signed::installed("greet.wasm")?;
    let scene = &signed.scene;
    let answer = scene.check("greet world", &[])?;
    let line = succeeds(scene, &["audit", "show", "--last", "1", "--json"])?.stdout;
    for named in ["generation 1 sha256:", " engine ", "greet 0.1.0 sha256:", "signed by acme"] {
        assert!(line.contains(named), "{named}: {line} {answer}");
    }
    let status = signed.status()?;
    assert_eq!((&status["generation"], &status["vocabularies"][0]["floor"]), (&1.into(), &1.into()), "{status}");
    let listed: Value = serde_json::from_str(&succeeds(scene, &["trust", "list", "--json"])?.stdout)?;
    assert_eq!(listed["publishers"][0]["standing"], "trusted", "{listed}");
    assert!(succeeds(scene, &["trust", "show", "acme"])?.stdout.contains(&signed.key));
    let pinned = scene.run(&["plugin", "install", "greet.wasm", "--key", &signed.key])?;
    assert_eq!(pinned.code, Some(2), "a key that is named goes around nobody: {}", pinned.stderr);
    assert_eq!(succeeds(scene, &["audit", "verify"])?.code, Some(0));
    Ok(())
}

#[test]
fn nobody_is_trusted_without_a_person_at_a_terminal() -> Result<(), Failed> {
    let signed = Signed::new()?;
    let arguments = ["trust", "add", "acme", "--key", &signed.key, "--names", "greet"];
    let ran = signed.scene.run(&arguments)?;
    assert_eq!(ran.code, Some(10), "{}", ran.stderr);
    assert!(ran.stderr.contains("help: run this where standard input and error are a terminal"), "{}", ran.stderr);
    set_password(&signed.scene)?;
    let mut person = Person::at(signed.scene.command(&arguments)?)?;
    person.see("type `trust acme`: ")?;
    person.pastes("trust acme")?;
    let (code, screen) = person.leaves()?;
    assert_eq!(code, Some(10), "{screen}");
    assert_eq!(signed.install("greet.wasm")?.code, Some(2), "nobody is trusted");
    for line in ["holdpoint trust add acme", "holdpoint trust list", "npx holdpoint trust revoke --publisher acme"] {
        assert_eq!(signed.scene.check(line, &["--level", "unrestricted"])?["decision"], "deny", "{line}");
    }
    Ok(())
}

#[test]
fn narrowing_is_one_step_and_widening_is_not() -> Result<(), Failed> {
    let signed = Signed::new()?;
    signed.trust()?;
    let scene = &signed.scene;
    let shown = || -> Result<Value, Failed> {
        Ok(serde_json::from_str(&succeeds(scene, &["trust", "show", "acme", "--json"])?.stdout)?)
    };
    let before = shown()?;
    succeeds(scene, &["trust", "add", "acme", "--names", "greet"])?;
    let after = shown()?;
    assert_ne!(before, after);
    let members = |document: &Value| document.as_object().map(|members| members.len());
    let kept = before.as_object().into_iter().flatten().filter(|(name, value)| after[name.as_str()] == **value).count();
    assert_eq!(Some(kept + 1), members(&after), "only the names changed: {before} {after}");
    succeeds(scene, &["trust", "add", "acme", "--names", "greet", "--valid-days", "10"])?;
    let wider = scene.run(&["trust", "add", "acme", "--names", "gree*", "--valid-days", "10"])?;
    assert_eq!(wider.code, Some(10), "{}", wider.stderr);
    let longer = scene.run(&["trust", "add", "acme", "--valid-days", "20"])?;
    assert_eq!(longer.code, Some(10), "{}", longer.stderr);
    let other = succeeds(scene, &["key", "new", "other.secret"])?.stdout;
    let rotated = scene.run(&["trust", "rotate", "acme", "--key", other.trim()])?;
    assert_eq!(rotated.code, Some(10), "{}", rotated.stderr);
    signed.at_terminal(&["trust", "rotate", "acme", "--key", other.trim()], "acme")?;
    is_refused(&signed.install("greet.wasm")?, "no signature by a trusted key");
    Ok(())
}

#[test]
fn a_publisher_is_revoked_in_one_step_and_stays_revoked() -> Result<(), Failed> {
    let signed = Signed::installed("greet.wasm")?;
    let ran = succeeds(&signed.scene, &["trust", "revoke", "--publisher", "acme"])?;
    assert!(ran.stderr.contains("greet is refused"), "{}", ran.stderr);
    assert_eq!(signed.greets()?, "ask", "compiled code is no way around it");
    is_refused(&signed.install("greet.wasm")?, "no signature by a trusted key");
    // It says who may speak again, and the chain refuses that whatever is typed.
    let arguments = ["trust", "add", "acme", "--valid-days", "1"];
    is_refused(&signed.scene.run(&arguments)?, "was revoked");
    Ok(())
}

#[test]
fn a_revoked_key_component_or_release_is_not_asked_any_more() -> Result<(), Failed> {
    for kind in ["--key", "--component", "--release"] {
        let signed = Signed::installed("greet.wasm")?;
        let digest = signed.status()?["vocabularies"][0]["digest"].as_str().ok_or("no digest")?.to_owned();
        let what = match kind {
            "--key" => signed.key.as_str(),
            "--component" => digest.as_str(),
            _ => "greet@1",
        };
        succeeds(&signed.scene, &["trust", "revoke", kind, what])?;
        assert_eq!(signed.greets()?, "ask", "{kind}");
        assert!(signed.status()?["vocabularies"][0]["refused"].is_string(), "{kind}");
    }
    Ok(())
}

#[test]
fn a_rollback_to_an_older_release_is_refused_also_after_it_was_removed() -> Result<(), Failed> {
    let signed = Signed::installed("greet.wasm")?;
    signed.build("newer.wasm", 2)?;
    let changes = succeeds(&signed.scene, &["plugin", "diff", "newer.wasm"])?.stdout;
    assert!(changes.contains("release 1 -> release 2"), "{changes}");
    assert_eq!(signed.install("newer.wasm")?.code, Some(0));
    is_refused(&signed.install("greet.wasm")?, "below the floor, which is 2");
    is_refused(&signed.scene.run(&["plugin", "rollback"])?, "below the floor, which is 2");
    succeeds(&signed.scene, &["plugin", "remove", "greet"])?;
    is_refused(&signed.install("greet.wasm")?, "below the floor, which is 2");
    is_refused(&signed.scene.run(&["trust", "floor", "greet", "1"])?, "lowers a floor");
    succeeds(&signed.scene, &["trust", "floor", "greet", "3"])?;
    is_refused(&signed.install("newer.wasm")?, "below the floor, which is 3");
    Ok(())
}

#[test]
fn what_was_removed_comes_back_with_the_generation_before() -> Result<(), Failed> {
    let signed = Signed::installed("greet.wasm")?;
    succeeds(&signed.scene, &["plugin", "remove", "greet"])?;
    assert_eq!((signed.greets()?.as_str(), &signed.status()?["generation"]), ("ask", &2.into()));
    succeeds(&signed.scene, &["plugin", "rollback"])?;
    assert_eq!((signed.greets()?.as_str(), &signed.status()?["generation"]), ("allow", &1.into()));
    succeeds(&signed.scene, &["plugin", "activate", "2"])?;
    assert_eq!(signed.greets()?, "ask");
    assert_eq!(signed.scene.run(&["plugin", "activate", "3"])?.code, Some(2));
    Ok(())
}

#[test]
fn a_program_that_changes_what_is_installed_is_told_the_generation_as_json() -> Result<(), Failed> {
    let signed = Signed::installed("greet.wasm")?;
    let says = |arguments: &[&str]| -> Result<Value, Failed> {
        let ran = succeeds(&signed.scene, &[arguments, &["--json"]].concat())?;
        Ok(serde_json::from_str(&ran.stdout)?)
    };
    assert_eq!(says(&["plugin", "remove", "greet"])?, json!({ "schema": 1, "removed": "greet", "generation": 2 }));
    assert_eq!(says(&["plugin", "rollback"])?, json!({ "schema": 1, "generation": 1 }));
    assert_eq!(says(&["plugin", "activate", "2"])?, json!({ "schema": 1, "generation": 2 }));
    Ok(())
}

#[test]
fn the_signature_of_another_release_is_refused() -> Result<(), Failed> {
    let signed = Signed::new()?;
    signed.trust()?;
    signed.build("newer.wasm", 2)?;
    let place = |name: &str| signed.scene.workspace().join(name);
    std::fs::copy(place("newer.wasm.sig"), place("greet.wasm.sig"))?;
    is_refused(&signed.install("greet.wasm")?, "component");
    Ok(())
}

#[test]
fn a_name_that_the_publisher_may_not_speak_for_is_refused() -> Result<(), Failed> {
    let signed = Signed::new()?;
    set_password(&signed.scene)?;
    signed.at_terminal(&["trust", "add", "acme", "--key", &signed.key, "--names", "other"], "acme")?;
    is_refused(&signed.install("greet.wasm")?, "greet");
    Ok(())
}

#[test]
fn one_key_used_twice_reaches_no_threshold() -> Result<(), Failed> {
    let signed = Signed::new()?;
    set_password(&signed.scene)?;
    let arguments = [
        "trust",
        "add",
        "acme",
        "--key",
        &signed.key,
        "--key",
        &signed.key,
        "--names",
        "greet",
        "--distinct-keys",
        "2",
    ];
    let ran = signed.scene.run(&arguments)?;
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("different keys"), "{}", ran.stderr);
    Ok(())
}

#[test]
fn a_trust_that_is_deleted_or_cut_stops_every_call_until_it_is_put_back() -> Result<(), Failed> {
    let signed = Signed::installed("greet.wasm")?;
    let stream = signed.scene.state().join("audit/trust");
    let beside = signed.scene.folder().join("trust");
    std::fs::rename(&stream, &beside)?;
    let answer = signed.scene.check("greet world", &[])?;
    assert_eq!((&answer["decision"], &answer["rule"]), (&"deny".into(), &"gate.configuration".into()), "{answer}");
    is_refused(&signed.install("greet.wasm")?, "cut off or replaced");
    let revoked = signed.scene.run(&["trust", "revoke", "--publisher", "acme"])?;
    assert_eq!(revoked.code, Some(21), "who cannot write it down does not say that it is done: {}", revoked.stderr);
    // Whoever tried to write made the folder anew, and it holds nothing but a lock.
    std::fs::remove_dir_all(&stream)?;
    std::fs::rename(&beside, &stream)?;
    assert_eq!(signed.greets()?, "allow");
    let file = std::fs::read_dir(&stream)?.filter_map(Result::ok).map(|entry| entry.path());
    let file = file.filter(|path| path.extension().is_some_and(|end| end == "jsonl")).max().ok_or("no file")?;
    let whole = std::fs::read_to_string(&file)?;
    let lines: Vec<&str> = whole.lines().collect();
    std::fs::write(&file, lines[..lines.len() - 1].join("\n") + "\n")?;
    assert_eq!(signed.scene.check("greet world", &[])?["rule"], "gate.configuration");
    assert_eq!(signed.scene.run(&["audit", "verify"])?.code, Some(21));
    std::fs::write(&file, whole)?;
    assert_eq!(signed.greets()?, "allow");
    Ok(())
}

#[test]
fn a_generation_that_was_changed_stops_every_call() -> Result<(), Failed> {
    let signed = Signed::installed("greet.wasm")?;
    let index = signed.scene.state().join("vocabularies/generations/generation-1");
    let whole = std::fs::read_to_string(&index)?;
    std::fs::write(&index, whole.replace("\"greet\"", "\"great\""))?;
    let answer = signed.scene.check("ls", &[])?;
    assert_eq!(answer["rule"], "gate.configuration", "{answer}");
    assert!(answer["degraded"].to_string().contains("generation-1"), "{answer}");
    for narrowing in [
        &["toggle", "tighten", "net.allow_outbound"][..],
        &["toggle", "reset"],
        &["toggle", "bound", "net.allow_outbound", "--layer", "team", "--only", "docs.example.org"],
    ] {
        let ran = signed.scene.run(narrowing)?;
        assert_eq!(ran.code, Some(0), "what only narrows never waits for a repair: {}", ran.stderr);
        assert!(ran.stderr.contains("left out"), "{}", ran.stderr);
    }
    let loosens = signed.scene.run(&["toggle", "loosen", "net.allow_outbound"])?;
    assert!(loosens.stderr.contains("generation-1"), "{}", loosens.stderr);
    Ok(())
}
