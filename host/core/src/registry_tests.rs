//! Every rule that a toggle is built by, and the core's own toggles against all of them.

use super::*;
use crate::declared::DECLARED_KEY_BYTES_MAX;
use crate::toggle::ToggleKey;
use alloc::collections::BTreeSet;
use alloc::vec;

fn declaration(key: &'static str) -> Declaration {
    Declaration {
        key: Cow::Borrowed(key),
        label: Cow::Borrowed("A label"),
        category: Category::Net,
        default_state: ToggleState::Restrictive,
        description: Cow::Borrowed("What it allows."),
        warning: ["one", "two", "three", "four", "five"].map(Cow::Borrowed).to_vec(),
        phrase: Cow::Borrowed("Open the door wide"),
        reauth: Reauth::NotNeeded,
        cooldown_s: COOLDOWN_S_MIN,
        cap: None,
        invariants: vec![Cow::Borrowed("floor.own-level")],
        gate: None,
    }
}

fn with(change: impl FnOnce(&mut Declaration)) -> Result<SafetyToggle, Unfit> {
    let mut declaration = declaration("a.b");
    change(&mut declaration);
    SafetyToggle::new(declaration)
}

#[test]
fn every_toggle_of_the_core_has_a_record_of_its_own() {
    let registry = own_registry().unwrap();
    let keys: Vec<&str> = registry.toggles().iter().map(|toggle| &*toggle.declaration().key).collect();
    let all: Vec<&str> = ToggleKey::ALL.iter().map(|key| key.as_str()).collect();
    assert_eq!(keys, all, "each once, in the order of the keys");
    let distinct = |text: fn(&Declaration) -> Cow<'static, str>| {
        let texts: BTreeSet<_> = registry.toggles().iter().map(|toggle| text(toggle.declaration())).collect();
        assert_eq!(texts.len(), all.len());
    };
    distinct(|declaration| declaration.phrase.clone());
    distinct(|declaration| declaration.label.clone());
    distinct(|declaration| declaration.description.clone());
    for toggle in registry.toggles() {
        assert_eq!(toggle.declaration().default_state, ToggleState::Restrictive);
        assert!(!toggle.invariants().is_empty());
    }
}

#[test]
fn a_toggle_that_starts_permissive_cannot_exist() {
    assert_eq!(with(|it| it.default_state = ToggleState::Permissive), Err(Unfit::StartsPermissive));
}

#[test]
fn a_text_that_is_empty_too_long_or_not_one_line_is_refused() {
    for text in [String::new(), String::from("  "), String::from("a\nb"), "x".repeat(TEXT_BYTES_MAX + 1)] {
        let text = || Cow::Owned(text.clone());
        assert_eq!(with(|it| it.label = text()), Err(Unfit::Text("label")));
        assert_eq!(with(|it| it.description = text()), Err(Unfit::Text("description")));
        assert_eq!(with(|it| it.warning[4] = text()), Err(Unfit::Text("warning")));
        let cap = |name, notes| CapShape::Daily { name, least: 1, proposal: 1, notes };
        assert_eq!(with(|it| it.cap = Some(cap(text(), Cow::Borrowed("n")))), Err(Unfit::Text("cap")));
        let list = CapShape::List { name: Cow::Borrowed("n"), notes: text() };
        assert_eq!(with(|it| it.cap = Some(list)), Err(Unfit::Text("cap")));
    }
    assert!(with(|it| it.label = Cow::Owned("x".repeat(TEXT_BYTES_MAX))).is_ok());
}

#[test]
fn a_warning_has_five_bullets() {
    assert_eq!(with(|it| drop(it.warning.pop())), Err(Unfit::Bullets(4)));
    assert_eq!(with(|it| it.warning.push(Cow::Borrowed("six"))), Err(Unfit::Bullets(6)));
}

#[test]
fn a_phrase_that_says_nothing_or_cannot_be_typed_is_refused() {
    let long = alloc::format!("a b {}", "x".repeat(PHRASE_BYTES_MAX - 3));
    for phrase in
        ["", "yes", "do it", "I understand the risk", " Open it wide", "Open it wide ", "\u{d6}ffne es weit", &long]
    {
        assert_eq!(with(|it| it.phrase = Cow::Owned(phrase.into())), Err(Unfit::Phrase), "{phrase}");
    }
    assert!(with(|it| it.phrase = Cow::Owned(alloc::format!("a b {}", "x".repeat(PHRASE_BYTES_MAX - 4)))).is_ok());
}

#[test]
fn a_cooldown_has_bounds() {
    for cooldown_s in [0, COOLDOWN_S_MIN - 1, COOLDOWN_S_MAX + 1] {
        assert_eq!(with(|it| it.cooldown_s = cooldown_s), Err(Unfit::Cooldown(cooldown_s)));
    }
    assert!(with(|it| it.cooldown_s = COOLDOWN_S_MAX).is_ok());
}

#[test]
fn a_cap_that_is_proposed_is_one_that_is_taken() {
    let capped = |least, proposal| {
        let cap = CapShape::Daily { name: Cow::Borrowed("n"), least, proposal, notes: Cow::Borrowed("notes") };
        with(|it| it.cap = Some(cap))
    };
    assert!(capped(1, 1).is_ok() && capped(GRANT_USES_MAX, GRANT_USES_MAX).is_ok());
    for (least, proposal) in [(0, 1), (2, 1), (1, GRANT_USES_MAX + 1)] {
        assert_eq!(capped(least, proposal), Err(Unfit::Proposal(proposal)), "{least} {proposal}");
    }
}

#[test]
fn an_invariant_that_does_not_exist_is_not_silently_ignored() {
    assert_eq!(with(|it| it.invariants.clear()), Err(Unfit::NoInvariant));
    let unknown = with(|it| it.invariants.push(Cow::Borrowed("floor.own-levle")));
    assert_eq!(unknown, Err(Unfit::UnknownInvariant("floor.own-levle".into())));
}

#[test]
fn a_key_is_dotted_lowercase() {
    for key in ["", "a", ".a", "a.", "a..b", "A.b", "a b.c", "a.b\n", "ä.b"] {
        assert_eq!(with(|it| it.key = Cow::Borrowed(key)), Err(Unfit::Key), "{key}");
    }
    let long = alloc::format!("a.{}", "x".repeat(KEY_BYTES_MAX - 1));
    assert_eq!(with(|it| it.key = Cow::Owned(long)), Err(Unfit::Key));
}

#[test]
fn a_registry_has_each_key_once_and_a_bounded_number() {
    let toggle = |key| SafetyToggle::new(declaration(key)).unwrap();
    assert_eq!(Registry::new(vec![toggle("a.b"), toggle("a.c"), toggle("a.b")]), Err(Unfit::Duplicate("a.b".into())));
    let many = |count: usize| {
        let own = |index: usize| {
            SafetyToggle::new(Declaration { key: Cow::Owned(alloc::format!("a.t{index}")), ..declaration("a.b") })
        };
        Registry::new((0..count).map(|index| own(index).unwrap()).collect())
    };
    assert!(many(TOGGLES_MAX).is_ok());
    assert_eq!(many(TOGGLES_MAX + 1), Err(Unfit::TooMany(TOGGLES_MAX + 1)));
}

fn gated(key: &'static str) -> Declaration {
    let actions = vec![(crate::operation::Verb::Delete, None)];
    let gate = DeclaredGate {
        verdict: crate::verdict::Decision::Ask,
        actions,
        effect_min: crate::operation::Effect::Reversible,
    };
    Declaration { gate: Some(gate), ..declaration(key) }
}

#[test]
fn the_toggles_of_a_vocabulary_stay_under_its_name() {
    let own = || own_registry().unwrap();
    let added = own().with_vocabulary("sql", vec![gated("sql.drop")]).unwrap();
    assert!(added.get("sql.drop").is_some());
    assert_eq!(added.toggles().len(), own().toggles().len() + 1);
    for key in ["net.allow_outbound", "sqlite.drop", "sql"] {
        assert_eq!(own().with_vocabulary("sql", vec![gated(key)]), Err(Unfit::Prefix), "{key}");
    }
    let long = alloc::format!("sql.{}", "k".repeat(DECLARED_KEY_BYTES_MAX - 3));
    let long = Declaration { key: Cow::Owned(long), ..gated("sql.drop") };
    assert_eq!(own().with_vocabulary("sql", vec![long]), Err(Unfit::Prefix));
    // A vocabulary with the name of a category of the core cannot replace a toggle of the core.
    let taken = own().with_vocabulary("net", vec![gated("net.allow_outbound")]);
    assert_eq!(taken, Err(Unfit::Duplicate("net.allow_outbound".into())));
}

#[test]
fn a_toggle_of_a_vocabulary_gates_something_and_has_no_limit_that_nobody_counts() {
    let own = || own_registry().unwrap();
    assert_eq!(own().with_vocabulary("sql", vec![declaration("sql.drop")]), Err(Unfit::Gate));
    let cap = Some(CapShape::List { name: Cow::Borrowed("n"), notes: Cow::Borrowed("n") });
    assert_eq!(own().with_vocabulary("sql", vec![Declaration { cap, ..gated("sql.drop") }]), Err(Unfit::Gate));
    let added = own().with_vocabulary("sql", vec![gated("sql.drop"), gated("sql.alter")]).unwrap();
    let restrictive = added.restrictive(|key| key == "sql.drop");
    assert_eq!(restrictive.iter().map(|toggle| toggle.key.as_str()).collect::<Vec<_>>(), ["sql.alter"]);
    assert!(own().restrictive(|_| false).is_empty(), "the core's own gates are its own");
}
