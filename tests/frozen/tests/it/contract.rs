//! The contract of `wit/` and the words of the core say the same, and a plugin of that contract has no import.

use crate::tree::{Objections, root};
use holdpoint_core::action::FactKind;
use holdpoint_core::finding;
use holdpoint_core::kinds;
use holdpoint_core::operation::{Access, Certainty, Effect, Escape, ObligationKind, Scope, TargetKind, Trait, Verb};
use holdpoint_core::words::Word;
use wit_parser::{Docs, Interface, Resolve, Stability, Type, TypeDef, TypeDefKind, World, WorldItem};

const FOLDER: &str = "wit/0.1.0";
const VERSION: &str = "0.1.0";

fn contract() -> Resolve {
    let mut resolve = Resolve::default();
    resolve.push_dir(root().join(FOLDER)).unwrap();
    resolve
}

fn world(resolve: &Resolve) -> &World {
    let (_, world) = resolve.worlds.iter().find(|(_, world)| world.name == "vocabulary").unwrap();
    let package = &resolve.packages[world.package.unwrap()].name;
    assert_eq!(package.to_string(), format!("holdpoint:vocabulary@{VERSION}"));
    world
}

fn interface<'a>(resolve: &'a Resolve, name: &str) -> &'a Interface {
    let named = |interface: &&Interface| interface.name.as_deref() == Some(name);
    resolve.interfaces.iter().map(|(_, interface)| interface).find(named).unwrap()
}

fn type_named<'a>(resolve: &'a Resolve, name: &str) -> &'a TypeDef {
    &resolve.types[interface(resolve, "types").types[name]]
}

/// The line of the folder's files that declares a name, for the reader of an objection.
fn declared_at(name: &str) -> String {
    for file in ["types.wit", "classifier.wit", "world.wit"] {
        let text = std::fs::read_to_string(root().join(FOLDER).join(file)).unwrap();
        let declares = |line: &str| {
            let words: Vec<&str> = line.trim().split([' ', '(', ':', '{', ';']).collect();
            let kind = ["record", "enum", "flags", "variant", "interface", "world", "export"];
            words.first().is_some_and(|word| kind.contains(word) || *word == name)
                && words.get(..2).is_some_and(|start| start.contains(&name))
        };
        if let Some(index) = text.lines().position(declares) {
            return format!("{FOLDER}/{file}:{}", index + 1);
        }
    }
    FOLDER.into()
}

fn described(name: &str, docs: &Docs, stability: &Stability, objections: &mut Objections) {
    if docs.contents.as_deref().is_none_or(|text| text.trim().is_empty()) {
        objections.to(&declared_at(name), &format!("`{name}` says nothing about itself"));
    }
    since(name, stability, objections);
}

fn since(name: &str, stability: &Stability, objections: &mut Objections) {
    let dated = matches!(stability, Stability::Stable { since, .. } if since.to_string() == VERSION);
    if !dated {
        objections.to(&declared_at(name), &format!("`{name}` does not carry `@since(version = {VERSION})`"));
    }
}

#[test]
fn the_world_of_a_plugin_has_no_import() {
    let resolve = contract();
    let world = world(&resolve);
    assert!(world.imports.is_empty(), "{FOLDER}/world.wit: a plugin would import {:?}", world.imports.keys());
    assert_eq!(world.exports.len(), 2, "{FOLDER}/world.wit: a plugin exports `types` and `classifier`");
}

#[test]
fn every_item_of_the_contract_is_described_and_dated() {
    let resolve = contract();
    let mut objections = Objections::default();
    let world = world(&resolve);
    described(&world.name, &world.docs, &world.stability, &mut objections);
    for item in world.exports.values() {
        if let WorldItem::Interface { id, stability, .. } = item {
            since(resolve.interfaces[*id].name.as_deref().unwrap(), stability, &mut objections);
        }
    }
    for (_, interface) in &resolve.interfaces {
        described(interface.name.as_deref().unwrap(), &interface.docs, &interface.stability, &mut objections);
        for (name, id) in &interface.types {
            let item = &resolve.types[*id];
            if matches!(item.kind, TypeDefKind::Type(Type::Id(_))) {
                // A `use` is described where the type is.
                since(name, &item.stability, &mut objections);
            } else {
                described(name, &item.docs, &item.stability, &mut objections);
            }
        }
        for (name, function) in &interface.functions {
            described(name, &function.docs, &function.stability, &mut objections);
        }
    }
    objections.none_or("write a `///` sentence in front of it that says what it means to a plugin author");
}

fn same_words<T: Word>(resolve: &Resolve, name: &str, objections: &mut Objections) {
    let theirs: Vec<&str> = match &type_named(resolve, name).kind {
        TypeDefKind::Enum(cases) => cases.cases.iter().map(|case| case.name.as_str()).collect(),
        TypeDefKind::Flags(flags) => flags.flags.iter().map(|flag| flag.name.as_str()).collect(),
        other => panic!("`{name}` is neither an enum nor flags: {other:?}"),
    };
    let ours: Vec<&str> = T::ALL.iter().map(|word| word.as_str()).collect();
    let longest = theirs.len().max(ours.len());
    if let Some(index) = (0..longest).find(|index| theirs.get(*index) != ours.get(*index)) {
        let (theirs, ours) = (theirs.get(index), ours.get(index));
        let what = format!("case {index} of `{name}` is {theirs:?} in the contract and {ours:?} in the core");
        objections.to(&declared_at(name), &what);
    }
}

#[test]
fn the_words_of_the_contract_are_the_words_of_the_core_in_the_same_order() {
    let resolve = contract();
    let mut objections = Objections::default();
    same_words::<Effect>(&resolve, "effect", &mut objections);
    same_words::<Access>(&resolve, "access", &mut objections);
    same_words::<Scope>(&resolve, "scope", &mut objections);
    same_words::<Verb>(&resolve, "verb", &mut objections);
    same_words::<Trait>(&resolve, "traits", &mut objections);
    same_words::<Escape>(&resolve, "escapes", &mut objections);
    same_words::<ObligationKind>(&resolve, "obligation-kind", &mut objections);
    same_words::<TargetKind>(&resolve, "target-kind", &mut objections);
    same_words::<Certainty>(&resolve, "word-kind", &mut objections);
    same_words::<FactKind>(&resolve, "fact-kind", &mut objections);
    same_words::<finding::Reason>(&resolve, "reason", &mut objections);
    objections
        .none_or("the binary interface counts cases by place: change wit/ and host/core together, in the same order");
}

#[test]
fn the_bounds_that_the_contract_names_are_those_that_the_core_holds() {
    let resolve = contract();
    let text = |name: &str| {
        let docs = type_named(&resolve, name).docs.contents.clone().unwrap();
        docs.split_whitespace().collect::<Vec<&str>>().join(" ")
    };
    let grouped = |count: usize| match count {
        0..1_000 => count.to_string(),
        _ => format!("{},{:03}", count / 1_000, count % 1_000),
    };
    let finding_text = text("finding");
    for (count, noun) in [
        (finding::OPERATIONS_MAX, "operations"),
        (finding::SEGMENTS_MAX, "segments"),
        (finding::DELEGATES_MAX, "delegates"),
        (finding::OBLIGATIONS_MAX, "obligations"),
        (finding::DOUBTS_MAX, "doubts"),
        (finding::QUERIES_MAX, "queries"),
    ] {
        let bound = format!("{} {noun}", grouped(count));
        assert!(finding_text.contains(&bound), "{}: `{bound}` is not named", declared_at("finding"));
    }
    let words = format!("at most {}", grouped(finding::WORDS_MAX));
    assert!(text("invocation").contains(&words), "{}: `{words}` is not named", declared_at("invocation"));
    let bytes = format!("{} KiB", finding::SOURCE_BYTES_MAX >> 10);
    assert!(text("source-text").contains(&bytes), "{}: `{bytes}` is not named", declared_at("source-text"));
}

#[test]
fn every_action_that_our_own_vocabularies_declare_is_one_that_can_be() {
    let mut objections = Objections::default();
    for vocabulary in ["agent", "git", "posix", "shell"] {
        let path = format!("plugins/{vocabulary}/vocabulary.toml");
        let text = std::fs::read_to_string(root().join(&path)).unwrap();
        let list = text.split("actions = [").nth(1).and_then(|rest| rest.split(']').next()).unwrap();
        let actions: Vec<&str> = list.split('"').skip(1).step_by(2).collect();
        assert!(actions.len() > 10, "{path}: only {} actions were found", actions.len());
        for action in actions {
            let (verb, kind) = action.split_once(' ').unwrap();
            let verb = Verb::from_word(verb).unwrap();
            let kind = if kind == "none" { None } else { Some(TargetKind::from_word(kind).unwrap()) };
            if let Some(why) = kinds::of_pair(verb, kind) {
                objections.to(&path, &format!("`{action}` cannot be: {why}"));
            }
        }
    }
    objections.none_or("report the operation under the kind that rules look at, or change the table in host/core");
}

#[test]
fn the_contract_tells_every_verb_and_kind_that_the_table_holds_an_answer_to() {
    let resolve = contract();
    let text = type_named(&resolve, "operation").docs.contents.clone().unwrap();
    let quoted = |word: &str| text.contains(&format!("`{word}`"));
    for row in kinds::OF_VERBS {
        assert!(quoted(row.verb.as_str()), "{}: `{}` is not named", declared_at("operation"), row.verb);
    }
    for row in kinds::OF_KINDS {
        assert!(quoted(row.kind.as_str()), "{}: `{}` is not named", declared_at("operation"), row.kind);
    }
}
