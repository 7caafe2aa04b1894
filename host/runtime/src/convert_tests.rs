//! Documents survive their flat form, whatever does not fit together is refused, and both sides spell the same words in
//! the same order.

use super::*;
use crate::bindings::wit::{JsonKind, JsonNode, JsonTree, Slice};
use holdpoint_core::finding::Reason;
use holdpoint_core::operation::{Access, Effect, ObligationKind, Scope, TargetKind, Verb};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use std::path::Path;
use wit_parser::{Resolve, TypeDefKind};

fn json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        (-(1_i64 << 53)..=1 << 53).prop_map(|value| Json::Number(Number::integer(value).unwrap())),
        proptest::num::f64::NORMAL
            .prop_filter_map("over the bound", |value| Number::float(value).ok())
            .prop_map(Json::Number),
        ".{0,12}".prop_map(Json::Text),
    ];
    leaf.prop_recursive(6, 60, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Json::Array),
            btree_map(".{0,6}", inner, 0..6).prop_map(|members| Json::Object(members.into_iter().rev().collect())),
        ]
    })
}

fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}

fn slice(start: u32, end: u32) -> Slice {
    Slice { start, end }
}

fn node(parent: u32, kind: JsonKind, key: Slice, value: Slice) -> JsonNode {
    JsonNode { parent, kind, key, value }
}

const NO: Slice = Slice { start: 0, end: 0 };

fn of(nodes: Vec<JsonNode>, pool: &str) -> Result<Json, Misshapen> {
    document(&JsonTree { nodes, pool: pool.to_owned() })
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_document_comes_back_from_its_flat_form(json in json()) {
        prop_assert_eq!(document(&arena(&json)), Ok(json));
    }

    #[test]
    fn the_flat_form_keeps_the_rules_of_the_contract(json in json()) {
        let tree = arena(&json);
        for (index, node) in tree.nodes.iter().enumerate() {
            prop_assert!((node.parent as usize) < index || (index == 0 && node.parent == 0));
            let parent = &tree.nodes[node.parent as usize];
            prop_assert!(node.key.start == node.key.end || parent.kind == JsonKind::Object);
            let scalar = matches!(node.kind, JsonKind::Boolean | JsonKind::Number | JsonKind::Text);
            prop_assert!(scalar || node.value.start == node.value.end);
        }
    }

    #[test]
    fn parts_of_a_tool_call_are_the_values_of_its_flat_form(json in json()) {
        let tree = arena(&json);
        let tool = ToolAction { server: String::new(), name: "t".into(), arguments: json };
        let action = Action::Tool(tool);
        let texts = tree.nodes.iter().map(|node| text_at(&tree, node.value).unwrap());
        prop_assert_eq!(action.parts(), texts.collect::<Vec<_>>());
    }

    #[test]
    fn any_flat_form_is_a_document_within_its_bounds_or_refused(
        nodes in vec((0_u32..8, 0_usize..6, (0_u32..7, 0_u32..7), (0_u32..7, 0_u32..7)), 0..8),
        pool in "[a1é]{0,4}",
    ) {
        const KINDS: [JsonKind; 6] = [
            JsonKind::Null, JsonKind::Boolean, JsonKind::Number, JsonKind::Text, JsonKind::Array, JsonKind::Object,
        ];
        let nodes: Vec<JsonNode> = nodes
            .into_iter()
            .map(|(parent, kind, key, value)| node(parent, KINDS[kind], slice(key.0, key.1), slice(value.0, value.1)))
            .collect();
        let count = nodes.len();
        if let Ok(json) = of(nodes, &pool) {
            // Nothing the guest said is left out.
            prop_assert_eq!(json.in_reading_order().len(), count);
        }
    }
}

#[test]
fn the_order_of_unrelated_values_does_not_matter() {
    // {"a":[1],"b":2}, level by level.
    let nodes = vec![
        node(0, JsonKind::Object, NO, NO),
        node(0, JsonKind::Array, slice(0, 1), NO),
        node(0, JsonKind::Number, slice(1, 2), slice(3, 4)),
        node(1, JsonKind::Number, NO, slice(2, 3)),
    ];
    let json = of(nodes, "ab12").unwrap();
    assert_eq!(json.canonical(), r#"{"a":[1],"b":2}"#);
    // The root is its own parent, and nothing else may be.
    assert_eq!(of(vec![node(0, JsonKind::Null, NO, NO)], ""), Ok(Json::Null));
}

#[test]
fn a_flat_form_whose_parts_do_not_fit_together_is_refused() {
    let array = || node(0, JsonKind::Array, NO, NO);
    let object = || node(0, JsonKind::Object, NO, NO);
    let null = |parent| node(parent, JsonKind::Null, NO, NO);
    let text = |key, value| node(0, JsonKind::Text, key, value);
    let refused = [
        ("no values", vec![], ""),
        ("a root below itself", vec![null(1)], ""),
        ("a value that is its own parent", vec![array(), null(1)], ""),
        ("a parent after its child", vec![array(), null(2), array()], ""),
        ("a parent that is not there", vec![array(), null(9)], ""),
        ("a child of a scalar", vec![null(0), null(0)], ""),
        ("a value past the pool", vec![text(NO, slice(0, 2))], "a"),
        ("a value that ends before it starts", vec![text(NO, slice(1, 0))], "a"),
        ("a value within a character", vec![text(NO, slice(0, 1))], "é"),
        ("a key past the pool", vec![object(), text(slice(0, 2), NO)], "a"),
        ("a key of an element", vec![array(), text(slice(0, 1), NO)], "a"),
        ("a key of the root", vec![text(slice(0, 1), NO)], "a"),
        ("a text of null", vec![node(0, JsonKind::Null, NO, slice(0, 1))], "a"),
        ("a text of an array", vec![node(0, JsonKind::Array, NO, slice(0, 1))], "a"),
        ("a text of an object", vec![node(0, JsonKind::Object, NO, slice(0, 1))], "a"),
        ("a boolean of another spelling", vec![node(0, JsonKind::Boolean, NO, slice(0, 3))], "yes"),
        ("a boolean without text", vec![node(0, JsonKind::Boolean, NO, NO)], ""),
        ("a number without text", vec![node(0, JsonKind::Number, NO, NO)], ""),
    ];
    for (what, nodes, pool) in refused {
        assert_eq!(of(nodes, pool), Err(Misshapen), "{what}");
    }
}

#[test]
fn a_number_keeps_its_canonical_text() {
    for text in ["0", "-1", "4.5", "0.002", "1e-27", "9007199254740992", "-9007199254740992"] {
        let tree = of(vec![node(0, JsonKind::Number, NO, slice(0, offset(text.len())))], text);
        assert_eq!(tree.map(|json| json.canonical()), Ok(text.to_owned()));
    }
    let others = [
        "inf",
        "NaN",
        "-inf",
        "infinity",
        "1e400",
        "9007199254740993",
        "1e17",
        "01",
        "1.0",
        "+1",
        "-0",
        ".5",
        "1e3",
        " 1",
        "0x1",
    ];
    for text in others {
        let tree = of(vec![node(0, JsonKind::Number, NO, slice(0, offset(text.len())))], text);
        assert_eq!(tree, Err(Misshapen), "{text}");
    }
}

#[test]
fn each_bound_refuses_a_flat_form_just_over_it() {
    let chain = |count: usize| {
        let parent = |index: usize| offset(index.saturating_sub(1));
        of((0..count).map(|index| node(parent(index), JsonKind::Array, NO, NO)).collect(), "")
    };
    // The core counts the steps below the root.
    assert!(chain(DEPTH_MAX + 1).is_ok());
    assert_eq!(chain(DEPTH_MAX + 2), Err(Misshapen));
    assert_eq!(chain(NODES_MAX), Err(Misshapen));
    let wide = |count: usize| {
        let mut nodes = vec![node(0, JsonKind::Array, NO, NO)];
        nodes.resize(count, node(0, JsonKind::Null, NO, NO));
        of(nodes, "")
    };
    assert!(wide(NODES_MAX).is_ok());
    assert_eq!(wide(NODES_MAX + 1), Err(Misshapen));
    // Texts count as often as they are used.
    let pool = "a".repeat(1 << 10);
    let repeated = |count: usize| {
        let mut nodes = vec![node(0, JsonKind::Array, NO, NO)];
        nodes.resize(count + 1, node(0, JsonKind::Text, NO, slice(0, 1 << 10)));
        of(nodes, &pool)
    };
    assert!(repeated(TEXT_BYTES_MAX >> 10).is_ok());
    assert_eq!(repeated((TEXT_BYTES_MAX >> 10) + 1), Err(Misshapen));
}

/// The names of an enum, a variant or a set of flags in the text of the contract.
fn names(resolve: &Resolve, name: &str) -> Vec<String> {
    let (_, definition) = resolve.types.iter().find(|(_, each)| each.name.as_deref() == Some(name)).unwrap();
    match &definition.kind {
        TypeDefKind::Enum(words) => words.cases.iter().map(|case| case.name.clone()).collect(),
        TypeDefKind::Flags(words) => words.flags.iter().map(|flag| flag.name.clone()).collect(),
        other => panic!("{name} is {other:?}"),
    }
}

fn assert_same<T: Word>(resolve: &Resolve, name: &str) {
    let spelled: Vec<&str> = T::ALL.iter().map(|word| word.as_str()).collect();
    assert_eq!(spelled, names(resolve, name), "{name}");
    for (index, word) in T::ALL.iter().enumerate() {
        assert_eq!(word.ordinal() as usize, index, "{name}");
    }
}

#[test]
fn words_stand_in_the_order_of_the_contract() {
    let mut resolve = Resolve::default();
    resolve.push_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../wit/0.1.0")).unwrap();
    assert_same::<Effect>(&resolve, "effect");
    assert_same::<Access>(&resolve, "access");
    assert_same::<Scope>(&resolve, "scope");
    assert_same::<Verb>(&resolve, "verb");
    assert_same::<Trait>(&resolve, "traits");
    assert_same::<ObligationKind>(&resolve, "obligation-kind");
    assert_same::<Escape>(&resolve, "escapes");
    assert_same::<Reason>(&resolve, "reason");
    assert_same::<FactKind>(&resolve, "fact-kind");
    assert_same::<Certainty>(&resolve, "word-kind");
    assert_same::<TargetKind>(&resolve, "target-kind");
    let kinds = ["null", "boolean", "number", "text", "array", "object"];
    assert_eq!(names(&resolve, "json-kind"), kinds);
    // Every other enum or set of flags of the contract would need a line above.
    let closed = resolve
        .types
        .iter()
        .filter(|(_, each)| matches!(each.kind, TypeDefKind::Enum(_) | TypeDefKind::Flags(_)))
        .count();
    assert_eq!(closed, 12);
}

#[test]
fn words_that_the_host_sends_keep_their_place() {
    for certainty in Certainty::ALL {
        assert_eq!(certainty_to(*certainty) as u32, certainty.ordinal());
    }
    for kind in FactKind::ALL {
        assert_eq!(fact_kind_to(*kind) as u32, kind.ordinal());
    }
}

#[test]
fn the_world_imports_nothing() {
    let mut resolve = Resolve::default();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../wit/0.1.0");
    let (package, _) = resolve.push_dir(&folder).unwrap();
    let world = resolve.select_world(&[package], Some("vocabulary")).unwrap();
    assert_eq!(resolve.worlds[world].imports.len(), 0);
    assert_eq!(resolve.worlds[world].exports.len(), 2);
    let name = resolve.packages[package].name.to_string();
    assert_eq!(name, holdpoint_signing::CONTRACT);
}
