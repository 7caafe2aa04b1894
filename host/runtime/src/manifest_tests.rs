//! A manifest is taken whole or not at all.

use super::*;
use crate::manifest_escape::{ESCAPE_TEXT_BYTES_MAX, ESCAPES_MAX};
use holdpoint_core::operation::{TargetKind, Verb};
use serde_json::{Value, json};

fn whole() -> Value {
    json!({
        "name": "git-2",
        "version": "1.0.0",
        "release": 3,
        "summary": "What git would do.",
        "contract": holdpoint_signing::CONTRACT,
        "actions": ["get git-ref", "nothing none", "delete git-ref"],
        "obligations": ["dry-run"],
        "escapes": [],
        "routes": {
            "programs": ["git", "git-lfs"],
            "languages": ["bash"],
            "tools": [{"server": "", "name": "b"}, {"server": "git", "name": "a"}],
        },
        "limits": {"fuel": 1000},
    })
}

/// The manifest with one member changed.
fn with(pointer: &str, value: Value) -> Result<Manifest, ManifestError> {
    let mut manifest = whole();
    *manifest.pointer_mut(pointer).unwrap() = value;
    Manifest::of_json(manifest.to_string().as_bytes())
}

#[track_caller]
fn wrong_in(found: Result<Manifest, ManifestError>, expected: &str) {
    match found {
        Err(ManifestError::Wrong { field, .. }) => assert_eq!(field, expected),
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn unreadable(found: Result<Manifest, ManifestError>, needle: &str) {
    match found {
        Err(ManifestError::Unreadable(problem)) => assert!(problem.contains(needle), "{problem}"),
        other => panic!("{other:?}"),
    }
}

/// A component that holds these sections of this name.
fn component(sections: &[&[u8]]) -> Vec<u8> {
    let mut bytes = b"\0asm\x0d\0\x01\0".to_vec();
    for data in sections {
        let section = wasm_encoder::CustomSection { name: SECTION.into(), data: (*data).into() };
        section.append_to_component(&mut bytes);
    }
    bytes
}

use wasm_encoder::ComponentSection as _;

#[test]
fn a_manifest_comes_back_from_its_own_text() {
    let manifest = Manifest::of_json(whole().to_string().as_bytes()).unwrap();
    assert_eq!(Manifest::of_json(manifest.to_json().as_bytes()), Ok(manifest.clone()));
    assert_eq!(Manifest::of_component(&component(&[manifest.to_json().as_bytes()])), Ok(manifest.clone()));
    assert!(manifest.is_shell());
    assert!(!with("/routes/languages", json!(["postgresql"])).unwrap().is_shell());
}

#[test]
fn a_component_holds_exactly_one_manifest() {
    let text = whole().to_string();
    let one = text.as_bytes();
    assert_eq!(Manifest::of_component(&component(&[])), Err(ManifestError::Count(0)));
    assert_eq!(Manifest::of_component(&component(&[one, one])), Err(ManifestError::Count(2)));
    assert_eq!(Manifest::of_component(&component(&[one, b"{}", b""])), Err(ManifestError::Count(3)));
    // A name that only looks alike is another section.
    let mut other = component(&[one]);
    let section = wasm_encoder::CustomSection { name: "holdpoint:vocabularies".into(), data: one.into() };
    section.append_to_component(&mut other);
    assert!(Manifest::of_component(&other).is_ok());
    unreadable(Manifest::of_component(b"not a component"), "");
}

#[test]
fn a_manifest_inside_the_core_module_counts_too() {
    // Otherwise two readers could take two different ones.
    let text = whole().to_string();
    let section = wasm_encoder::CustomSection { name: SECTION.into(), data: text.as_bytes().into() };
    let mut module = wasm_encoder::Module::new();
    module.section(&section);
    let mut outer = wasm_encoder::Component::new();
    outer.section(&wasm_encoder::ModuleSection(&module));
    outer.section(&section);
    assert_eq!(Manifest::of_component(&outer.finish()), Err(ManifestError::Count(2)));
}

#[test]
fn an_unknown_member_is_refused_wherever_it_stands() {
    for pointer in ["", "/routes", "/limits", "/routes/tools/0"] {
        let mut manifest = whole();
        let object = manifest.pointer_mut(pointer).unwrap().as_object_mut().unwrap();
        object.insert("level".into(), json!("allow"));
        unreadable(Manifest::of_json(manifest.to_string().as_bytes()), "unknown field `level`");
    }
}

#[test]
fn a_missing_or_repeated_member_is_refused() {
    for member in ["name", "version", "release", "summary", "contract", "actions", "routes", "limits"] {
        let mut manifest = whole();
        manifest.as_object_mut().unwrap().remove(member);
        unreadable(Manifest::of_json(manifest.to_string().as_bytes()), &format!("missing field `{member}`"));
    }
    let text = whole().to_string().replacen("\"release\":3", "\"release\":3,\"release\":4", 1);
    unreadable(Manifest::of_json(text.as_bytes()), "duplicate field `release`");
    unreadable(Manifest::of_json(format!("{} {{}}", whole()).as_bytes()), "trailing characters");
}

#[test]
fn a_member_of_another_type_is_refused() {
    for (pointer, value) in [
        ("/name", json!(1)),
        ("/release", json!(-1)),
        ("/release", json!(1.5)),
        ("/release", json!("3")),
        ("/actions", json!("get file")),
        ("/routes/programs", json!([1])),
        ("/limits/fuel", json!(null)),
    ] {
        unreadable(with(pointer, value), "invalid");
    }
    unreadable(Manifest::of_json(b"[]"), "");
    unreadable(Manifest::of_json(b""), "EOF");
    unreadable(Manifest::of_json(b"{\"name\":\"\xff\"}"), "");
}

#[test]
fn a_name_is_short_and_plain() {
    assert!(with("/name", json!("a".repeat(64))).is_ok());
    for name in ["", "Git", "git_2", "../git", "git/2", "git 2", "git\n", "gít", "git\0", &"a".repeat(65)] {
        wrong_in(with("/name", json!(name)), "name");
    }
}

#[test]
fn a_version_and_a_summary_are_one_bounded_line() {
    for (field, most) in [("version", NAME_BYTES_MAX), ("summary", SUMMARY_BYTES_MAX)] {
        let pointer = format!("/{field}");
        assert!(with(&pointer, json!("a".repeat(most))).is_ok());
        for text in [String::new(), "a\nb".to_owned(), "a\u{1b}[2J".to_owned(), "a".repeat(most + 1)] {
            wrong_in(with(&pointer, json!(text)), field);
        }
    }
}

#[test]
fn all_problems_are_told_at_once() {
    let mut manifest: Manifest = serde_json::from_value(whole()).unwrap();
    manifest.name = "Git".into();
    manifest.limits.fuel = 0;
    manifest.summary = String::new();
    let fields: Vec<String> = manifest.problems().iter().map(ToString::to_string).collect();
    assert_eq!(fields.len(), 3, "{fields:?}");
    assert!(fields[0].contains("`name`") && fields[2].contains("`summary`"), "{fields:?}");
}

#[test]
fn a_route_has_a_usable_name() {
    let most = holdpoint_core::call::NAME_BYTES_MAX;
    for field in ["programs", "languages"] {
        let pointer = format!("/routes/{field}");
        assert!(with(&pointer, json!(["a".repeat(most)])).is_ok());
        for name in [String::new(), "a\tb".to_owned(), "a".repeat(most + 1)] {
            wrong_in(with(&pointer, json!([name])), &format!("routes.{field}"));
        }
    }
    wrong_in(with("/routes/tools", json!([{"server": "", "name": ""}])), "routes.tools");
    wrong_in(with("/routes/tools", json!([{"server": "a\n", "name": "b"}])), "routes.tools");
}

#[test]
fn a_tool_may_be_said_to_do_less_than_the_vocabulary_and_never_more() {
    let tool = |name: &str, actions: Value| json!({ "server": "s", "name": name, "actions": actions });
    let with = |tools: Value| with("/routes/tools", tools);
    let less = with(json!([tool("a", json!(["nothing none"]))])).unwrap();
    assert_eq!(less.declared().unwrap().of_tool("s", "a").count(), 1);
    assert_eq!(less.declared().unwrap().of_tool("s", "b").count(), 3, "of others nothing is said");
    for wrong in [json!(["get file"]), json!(["fly file"]), json!([])] {
        wrong_in(with(json!([tool("a", wrong)])), "routes.tools");
    }
    let twice = json!([tool("a", json!(["delete git-ref"])), tool("a", json!(["nothing none"]))]);
    wrong_in(with(twice), "routes.tools");
}

#[test]
fn an_obligation_is_one_that_exists() {
    wrong_in(with("/obligations", json!(["dry-run", "be-nice"])), "obligations");
    let declared = with("/obligations", json!(["dry-run"])).unwrap().declared().unwrap();
    assert_ne!(declared, with("/obligations", json!([])).unwrap().declared().unwrap());
}

#[test]
fn a_way_out_is_one_that_exists_and_says_how_it_is_written_in_one_short_line() {
    let row = |kind: &str, words: &str, example: &str| json!({ "kind": kind, "words": words, "example": example });
    let taken = with("/escapes", json!([row("env", "NAME=VALUE", "PATH=/x ls")])).unwrap().declared().unwrap();
    assert_ne!(taken, with("/escapes", json!([])).unwrap().declared().unwrap());
    let most = "x".repeat(ESCAPE_TEXT_BYTES_MAX);
    assert!(with("/escapes", json!([row("env", &most, &most)])).is_ok());
    for rows in [
        json!([row("door", "a", "b")]),
        json!([row("env", "", "b")]),
        json!([row("env", "a", "")]),
        json!([row("env", "a\nb", "b")]),
        json!([row("env", &format!("{most}x"), "b")]),
        json!([row("env", "a", &format!("{most}x"))]),
    ] {
        wrong_in(with("/escapes", rows), "escapes");
    }
    assert!(with("/escapes", json!(vec![row("env", "a", "b"); ESCAPES_MAX])).is_ok());
    wrong_in(with("/escapes", json!(vec![row("env", "a", "b"); ESCAPES_MAX + 1])), "escapes");
}

#[test]
fn an_action_that_contradicts_itself_is_refused_and_named() {
    use holdpoint_core::kinds::{OF_KINDS, OF_VERBS};
    let of_verbs = OF_VERBS.iter().map(|row| (row.verb, TargetKind::File, row.why));
    let of_kinds = OF_KINDS.iter().map(|row| (Verb::Exec, row.kind, row.why));
    for (verb, kind, why) in of_verbs.chain(of_kinds) {
        let action = format!("{verb} {kind}");
        let problem = with("/actions", json!(["get git-ref", action])).unwrap_err().to_string();
        assert!(problem.contains(&format!("`{action}`")) && problem.contains(why), "{problem}");
    }
    wrong_in(with("/actions", json!(["nothing file"])), "actions");
}

#[test]
fn another_contract_is_refused() {
    for contract in ["", "holdpoint:vocabulary@0.2.0", "holdpoint:vocabulary@0.1", "holdpoint:vocabulary@0.1.0 "] {
        wrong_in(with("/contract", json!(contract)), "contract");
    }
}

#[test]
fn a_manifest_over_its_size_is_refused() {
    let base = whole().to_string().len();
    // Spaces between members count as well, and may be any number.
    let of = |size: usize| {
        Manifest::of_json(whole().to_string().replacen(',', &format!(",{}", " ".repeat(size - base)), 1).as_bytes())
    };
    assert!(of(MANIFEST_BYTES_MAX).is_ok());
    wrong_in(of(MANIFEST_BYTES_MAX + 1), "size");
}

#[test]
fn each_list_of_routes_is_bounded() {
    let names = |count: usize| (0..count).map(|index| format!("p{index:05}")).collect::<Vec<_>>();
    let tools =
        |count: usize| json!(names(count).iter().map(|name| json!({"server": "", "name": name})).collect::<Vec<_>>());
    for (field, list) in [
        ("programs", &(|count| json!(names(count))) as &dyn Fn(usize) -> Value),
        ("languages", &|count| json!(names(count))),
        ("tools", &tools),
    ] {
        let pointer = format!("/routes/{field}");
        assert!(with(&pointer, list(ROUTES_MAX)).is_ok(), "{field}");
        wrong_in(with(&pointer, list(ROUTES_MAX + 1)), &format!("routes.{field}"));
    }
}

#[test]
fn routes_are_sorted_and_do_not_repeat() {
    for field in ["programs", "languages"] {
        let pointer = format!("/routes/{field}");
        let expected = format!("routes.{field}");
        wrong_in(with(&pointer, json!(["b", "a"])), &expected);
        wrong_in(with(&pointer, json!(["a", "a"])), &expected);
        wrong_in(with(&pointer, json!(["a", "c", "b"])), &expected);
        assert!(with(&pointer, json!([])).is_ok());
    }
    let tool = |server: &str, name: &str| json!({"server": server, "name": name});
    wrong_in(with("/routes/tools", json!([tool("b", "a"), tool("a", "b")])), "routes.tools");
    wrong_in(with("/routes/tools", json!([tool("a", "a"), tool("a", "a")])), "routes.tools");
    assert!(with("/routes/tools", json!([tool("a", "b"), tool("b", "a")])).is_ok());
}

#[test]
fn an_action_is_a_verb_and_a_kind_that_exist() {
    for action in
        ["allow file", "get", "get everything", "get  file", " get file", "get file ", "Get file", "", "none none"]
    {
        wrong_in(with("/actions", json!(["get file", action])), "actions");
    }
    let declared = with("/actions", json!(["get file", "nothing none"])).unwrap().declared().unwrap();
    let pairs = Declared::new([(Verb::Get, Some(TargetKind::File)), (Verb::Nothing, None)]);
    assert_eq!(declared, pairs.with_obligations([ObligationKind::DryRun]));
    for verb in Verb::ALL {
        for kind in TargetKind::ALL {
            let taken = with("/actions", json!([format!("{verb} {kind}")])).is_ok();
            assert_eq!(taken, kinds::of_pair(*verb, Some(*kind)).is_none(), "{verb} {kind}");
        }
    }
}

#[test]
fn fuel_of_nothing_is_refused() {
    wrong_in(with("/limits/fuel", json!(0)), "limits.fuel");
    assert!(with("/limits/fuel", json!(u64::MAX)).is_ok());
}

fn toggle(change: impl FnOnce(&mut Value)) -> Result<Manifest, ManifestError> {
    let mut toggle = json!({
        "key": "git-2.prune", "label": "Prune", "category": "code", "description": "It may prune.",
        "warning": ["one", "two", "three", "four", "five"], "phrase": "Let agents prune my repositories",
        "reauth": "required", "cooldown_s": 60, "gates": ["delete git-ref"], "verdict": "ask",
        "invariants": ["audit_logging"],
    });
    change(&mut toggle);
    let mut manifest = whole();
    manifest["toggles"] = json!([toggle]);
    Manifest::of_json(manifest.to_string().as_bytes())
}

#[test]
fn a_toggle_keeps_the_rules_of_the_core_and_gates_only_what_its_vocabulary_reports() {
    let manifest = toggle(|_| {}).unwrap();
    assert_eq!(Manifest::of_json(manifest.to_json().as_bytes()), Ok(manifest.clone()));
    let registry = manifest.toggles_in(own_registry().unwrap()).unwrap();
    let restrictive = registry.restrictive(|_| false);
    assert_eq!(restrictive.iter().map(|toggle| toggle.key.as_str()).collect::<Vec<_>>(), ["git-2.prune"]);
    let cases: [(&str, Value); 11] = [
        ("key", json!("other.prune")),
        ("category", json!("somewhere")),
        ("warning", json!(["one"])),
        ("phrase", json!("yes")),
        ("reauth", json!("maybe")),
        ("cooldown_s", json!(1)),
        ("gates", json!(["update git-ref"])),
        ("gates", json!([])),
        ("verdict", json!("allow")),
        ("effect", json!("some")),
        ("invariants", json!(["audit_loging"])),
    ];
    for (field, value) in cases {
        wrong_in(toggle(|toggle| toggle[field] = value.clone()), "toggles");
    }
    unreadable(toggle(|toggle| toggle["default_state"] = json!("permissive")), "default_state");
    unreadable(toggle(|toggle| toggle["cap"] = json!({})), "cap");
    assert!(
        !whole().to_string().contains("toggles") && !with("/release", json!(4)).unwrap().to_json().contains("toggles")
    );
}

#[test]
fn a_rung_that_is_not_fit_makes_the_manifest_unfit() {
    let rungs = |rungs: Value| {
        let mut manifest = whole();
        manifest["rungs"] = rungs;
        Manifest::of_json(manifest.to_string().as_bytes())
    };
    let fine = rungs(json!([{ "verb": "delete", "guarded": "password" }])).unwrap();
    assert_eq!(fine.rungs().map(|rungs| rungs.len()), Ok(1));
    assert!(fine.to_json().contains(r#""rungs":[{"verb":"delete","guarded":"password"}]"#));
    wrong_in(rungs(json!([{ "verb": "create", "guarded": "password" }])), "rungs");
    unreadable(rungs(json!([{ "vreb": "delete", "guarded": "password" }])), "vreb");
}
