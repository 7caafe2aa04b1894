//! Layers: what tightens adds up, and what would loosen is ignored and told.

use crate::config::{Scratch, config};
use holdpoint_core::level::{Criticality, Level};
use holdpoint_core::posture::{SessionAccess, WriteScope};
use holdpoint_core::words::Word;
use holdpoint_store::config::{Config, Layer, default_level};
use proptest::prelude::*;

fn layers(system: &str, user: &str, repository: &str) -> Config {
    let scratch = Scratch::new().with(Layer::System, system).with(Layer::User, user);
    let config = scratch.with(Layer::Repository, repository).load();
    assert_eq!(config.problems, Vec::new());
    config
}

fn ignored(config: &Config) -> Vec<(Layer, &str)> {
    config.ignored.iter().map(|ignored| (ignored.layer, ignored.what.as_str())).collect()
}

#[test]
fn the_least_of_all_matching_entries_counts_and_is_named() {
    let config = config("safety.level = \"trusted\"\nsafety.principals.hook.level = \"guarded\"\n");
    assert_eq!(config.level("cli", Level::Unrestricted), Level::Trusted);
    assert_eq!(config.level("hook:codex", Level::Unrestricted), Level::Guarded);
    assert_eq!(config.level("hooked", Level::Unrestricted), Level::Trusted);
    let decided = config.decided("hook:codex", Level::Unrestricted);
    assert!(decided.by.is_some_and(|entry| entry.source.ends_with(":2")), "{decided:?}");
    assert_eq!(config.decided("hook", Level::Observe).by, None);
}

#[test]
fn every_layer_lowers_the_level_and_none_raises_it() {
    let config =
        layers("safety.level = \"guarded\"", "safety.level = \"trusted\"", "safety.principals.mcp.level = \"observe\"");
    assert_eq!(config.level("cli", Level::Unrestricted), Level::Guarded);
    assert_eq!(config.level("mcp:x", Level::Unrestricted), Level::Observe);
    assert_eq!(
        ignored(&config),
        [(Layer::User, "the level trusted is ignored: the system's configuration allows less")]
    );
}

#[test]
fn a_repository_may_tighten_in_every_way() {
    let config = layers(
        "",
        "session.allow_writes = [\"send\", \"create\"]",
        "safety.level = \"observe\"\npins = [{ resource = \"host:h\" }]\nsession.access = \"read-only\"\n\
         session.allow_writes = [\"create\"]\ntoggles.\"code.auto_push\" = \"deny\"\nlists.core_roots = [\"/srv/agent\"]\n\
         resources = [{ match = \"file:/srv\", criticality = \"production\" }]\nrungs = [{ verb = \"delete\", trusted = \"deny\" }]\n\
         approvals.wait_s = 5\nsession.undo_s = 3\n",
    );
    assert_eq!(config.ignored, Vec::new());
    assert_eq!(config.level("cli", Level::Trusted), Level::Observe);
    assert_eq!(config.posture.session, SessionAccess::ReadOnly);
    assert_eq!(config.posture.writes, WriteScope::Only(vec!["create".into()]));
    assert_eq!(config.posture.weights[0].criticality, Criticality::Production);
    assert_eq!((config.posture.pins.len(), config.rungs.len(), config.lists.core_roots.len()), (1, 1, 1));
    assert!(config.denies("code.auto_push"));
    assert_eq!(config.posture.undo_window_ms, 3_000);
    let shorter = layers("session.undo_s = 4\n", "session.undo_s = 2\n", "session.undo_s = 1\n");
    assert_eq!(shorter.posture.undo_window_ms, 4_000, "the longest of all layers counts");
}

#[test]
fn each_attempt_of_a_repository_to_loosen_is_ignored_and_told_with_its_line() {
    let repository = "safety.level = \"unrestricted\"\nsafety.principals.mcp.attestation = \"accepted\"\n\
                      resources = [{ match = \"host:*\", criticality = \"ordinary\" }]\nsession.access = \"full\"\n\
                      session.allow_writes = [\"delete\"]\nlists.recipients = [\"a@example.org\"]\n\
                      lists.memory_kinds = [\"note\"]\nlists.catalogue = []\napprovals.wait_s = 60\n\
                      notify.webhook = \"https://example.org\"\n";
    let config = layers("", "session.allow_writes = [\"send\"]\napprovals.wait_s = 30\n", repository);
    let lines: Vec<&str> = config.ignored.iter().filter_map(|ignored| ignored.source.rsplit(':').next()).collect();
    let mut sorted: Vec<u32> = lines.iter().map(|line| line.parse().unwrap()).collect();
    sorted.sort_unstable();
    assert_eq!(sorted, (1..=10).collect::<Vec<u32>>(), "{:?}", config.ignored);
    assert!(!config.accepts_attestation("mcp") && config.posture.weights.is_empty());
    assert_eq!(config.posture.writes, WriteScope::Only(Vec::new()));
    assert!(config.lists.recipients.is_empty() && config.lists.memory_kinds.is_empty());
    assert_eq!((config.lists.catalogue.as_ref(), config.webhooks.len()), (None, 0));
    assert_eq!(config.wait_s.as_ref().map(|wait| wait.value), Some(30));
}

#[test]
fn a_system_bounds_what_a_user_does() {
    let config = layers("session.access = \"read-only\"\n", "session.access = \"full\"\n", "");
    assert_eq!(config.posture.session, SessionAccess::ReadOnly);
    assert_eq!(ignored(&config)[0].0, Layer::User);
    let config = layers("notify.webhook = \"https://a.example.org\"", "notify.webhook = \"https://b.example.org\"", "");
    assert_eq!(config.webhooks.len(), 2);
}

#[test]
fn a_repository_that_cannot_be_read_stops_everything() {
    let scratch = Scratch::new().with(Layer::User, "safety.level = \"trusted\"");
    let config = scratch.with(Layer::Repository, "safety.level = \"guarded").load();
    assert_eq!(config.level("cli", Level::Trusted), Level::Observe);
    assert!(config.posture.unreadable.is_some_and(|text| text.contains("repository.toml:1")));
}

#[test]
fn what_is_told_of_a_repository_holds_no_control_characters() {
    let scratch = Scratch::new().with(Layer::Repository, "\"a\\u001b[2J\" = 1\n");
    let config = scratch.load();
    let told = config.problems[0].to_string() + &config.posture.unreadable.unwrap_or_default();
    assert!(!told.chars().any(|character| character.is_control() && character != '\n'), "{told:?}");
}

#[test]
fn without_configuration_the_way_in_decides() {
    for (principal, level) in [
        ("hook:claude-code", Level::Guarded),
        ("mcp", Level::Guarded),
        ("mcp:x", Level::Guarded),
        ("agent", Level::Guarded),
        ("cli", Level::Trusted),
        ("tui", Level::Trusted),
        ("console", Level::Trusted),
        ("embed:x", Level::Observe),
        ("clix", Level::Observe),
    ] {
        assert_eq!(default_level(principal), level, "{principal}");
    }
}

fn entry() -> impl Strategy<Value = (String, Level)> {
    let name = prop_oneof![Just("mcp"), Just("mcp:a"), Just("mcp:b"), Just("mcp:a:b"), Just("hook"), Just("cli")];
    (name.prop_map(str::to_owned), proptest::sample::select(Level::ALL))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    // A name that a caller gives itself stands behind its way in, and none is worth more than the way in alone.
    #[test]
    fn no_name_that_a_caller_gives_itself_raises_its_level(
        entries in proptest::collection::btree_map("mcp|mcp:a|mcp:b|mcp:a:b|hook|cli", proptest::sample::select(Level::ALL), 0..5),
        wanted in proptest::sample::select(Level::ALL),
        more in ":[a-c]{0,2}(:[a-b])?",
    ) {
        let line = |(name, level): (&String, &Level)| format!("safety.principals.\"{name}\".level = \"{level}\"\n");
        let config = config(&entries.iter().map(line).collect::<String>());
        for principal in ["mcp", "mcp:a", "hook", "cli"] {
            let named = format!("{principal}{more}");
            prop_assert!(config.level(&named, wanted) <= config.level(principal, wanted));
            prop_assert!(default_level(&named) <= default_level(principal));
        }
    }

    #[test]
    fn one_more_entry_never_raises_a_level((name, level) in entry(), (other, lower) in entry(), wanted in proptest::sample::select(Level::ALL)) {
        let line = |name: &str, level: Level| format!("safety.principals.\"{name}\".level = \"{level}\"\n");
        let before = config(&line(&name, level));
        let after = layers(&line(&name, level), &line(&other, lower), "");
        for principal in ["mcp", "mcp:a", "mcp:a:b", "hook:x", "cli"] {
            prop_assert!(after.level(principal, wanted) <= before.level(principal, wanted));
        }
    }
}
