//! One file: what it says with its place, and everything that is wrong with it at once.

use holdpoint_core::asking::Answer;
use holdpoint_core::level::{Criticality, Level};
use holdpoint_core::operation::{Effect, Verb};
use holdpoint_core::posture::{PATTERNS_MAX, SessionAccess, WRITE_VERBS_MAX, WriteScope};
use holdpoint_core::rungs::RUNGS_MAX;
use holdpoint_core::toggle::ToggleKey;
use holdpoint_core::words::Word;
use holdpoint_store::config::{
    Config, ENTRY_BYTES_MAX, FILE_BYTES_MAX, File, Files, LIST_ENTRIES_MAX, Layer, PRINCIPALS_MAX, PROBLEMS_MAX,
    Presence, load,
};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Files of layers in a scratch folder.
pub(crate) struct Scratch {
    pub(crate) folder: TempDir,
    pub(crate) files: Files,
}

impl Scratch {
    pub(crate) fn new() -> Scratch {
        let toggles = ToggleKey::ALL.iter().map(|key| key.as_str().to_owned()).collect();
        let files = Files { files: Vec::new(), home: Some(PathBuf::from("/home/u")), toggles };
        Scratch { folder: TempDir::with_prefix("holdpoint-config-").unwrap(), files }
    }

    pub(crate) fn path(&self, layer: Layer) -> PathBuf {
        self.folder.path().join(format!("{layer}.toml"))
    }

    /// The same with one more layer.
    pub(crate) fn with(mut self, layer: Layer, text: &str) -> Scratch {
        let path = self.path(layer);
        std::fs::write(&path, text).unwrap();
        self.files.files.push(File { layer, path, presence: Presence::Required });
        self
    }

    pub(crate) fn load(&self) -> Config {
        load(&self.files)
    }
}

/// What a user's file says.
pub(crate) fn config(text: &str) -> Config {
    Scratch::new().with(Layer::User, text).load()
}

/// A file without anything wrong.
fn fine(text: &str) -> Config {
    let config = config(text);
    assert_eq!(config.problems, Vec::new(), "{text}");
    config
}

/// The one thing that is wrong with a file.
fn only_problem(text: &str) -> (usize, String, String) {
    let problems = config(text).problems;
    assert_eq!(problems.len(), 1, "{text}: {problems:?}");
    (problems[0].line, problems[0].what.clone(), problems[0].help.clone())
}

#[test]
fn every_section_is_read_with_the_line_it_stands_in() {
    let config = fine(
        "[safety]\nlevel = \"trusted\"\n[safety.principals.\"mcp:x\"]\nlevel = \"observe\"\nattestation = \"accepted\"\n\
         [[pins]]\nresource = \"file:~/prod\"\n[[resources]]\nmatch = \"host:staging\"\ncriticality = \"ordinary\"\n\
         [[rungs]]\nverb = \"delete\"\neffect = \"irreversible\"\nguarded = \"password\"\n\
         [session]\naccess = \"read-only\"\nallow_writes = [\"send\"]\n[toggles]\n\"code.auto_push\" = \"deny\"\n\
         [lists]\nrecipients = [\"a@example.org\"]\nmemory_kinds = [\"note\"]\ncore_roots = [\"~/agent\"]\n\
         catalogue = [\"git/push\"]\n[approvals]\nwait_s = 300\n[notify]\nwebhook = \"https://example.org/x\"\n",
    );
    let ends = |source: &str, line: usize| source.ends_with(&format!("user.toml:{line}"));
    assert!(ends(&config.levels[0].source, 2) && config.levels[0].level == Level::Trusted);
    assert!(ends(&config.levels[1].source, 4) && config.levels[1].principal.as_deref() == Some("mcp:x"));
    assert!(config.accepts_attestation("mcp:x") && !config.accepts_attestation("mcp"));
    assert_eq!(config.posture.pins[0].resource.to_string(), "file:/home/u/prod");
    assert!(ends(&config.posture.pins[0].source, 6));
    assert_eq!(config.posture.weights[0].criticality, Criticality::Ordinary);
    let rung = &config.rungs[0];
    assert_eq!((rung.verb, rung.effect_min), (Some(Verb::Delete), Effect::Irreversible));
    assert_eq!(rung.says, [Answer::Password, Answer::Password, Answer::Allow, Answer::Allow]);
    assert!(ends(&rung.source, 11), "{}", rung.source);
    assert_eq!(config.posture.session, SessionAccess::ReadOnly);
    assert_eq!(config.posture.writes, WriteScope::Only(vec!["send".into()]));
    assert!(config.denies("code.auto_push") && config.denied_toggles().contains(ToggleKey::CodeAutoPush));
    assert_eq!(config.lists.recipients[0].value, "a@example.org");
    assert_eq!(config.lists.core_roots[0].value.text(), "/home/u/agent");
    assert_eq!(config.lists.catalogue.as_ref().map(Vec::len), Some(1));
    assert_eq!(config.wait_s.as_ref().map(|wait| wait.value), Some(300));
    assert_eq!(config.webhooks[0].value, "https://example.org/x");
    assert_eq!(config.ignored, Vec::new());
}

#[test]
fn tables_and_their_inline_forms_say_the_same() {
    let long = fine("[[pins]]\nresource = \"host:h\"\n[toggles]\n\"code.auto_push\" = \"deny\"\n");
    let short = fine("pins = [{ resource = \"host:h\" }]\ntoggles.code.auto_push = \"deny\"\n");
    assert_eq!(long.posture.pins[0].resource, short.posture.pins[0].resource);
    assert_eq!(long.denied[0].value, short.denied[0].value);
}

#[test]
fn everything_that_is_wrong_is_told_at_once_with_place_mark_and_help() {
    let config = config("[safety]\nlevle = \"guarded\"\n\n[session]\naccess = \"readonly\"\n");
    let told: Vec<String> = config.problems.iter().map(ToString::to_string).collect();
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].contains("user.toml:2:1: there is no key `levle`\n 2 | levle = \"guarded\"\n   | ^^^^^\n  help: did you mean `level`?"), "{}", told[0]);
    assert!(told[1].contains(":5:10: there is no access `readonly`"), "{}", told[1]);
    assert!(
        told[1].contains("   |          ^^^^^^^^^^\n  help: did you mean `read-only`? known: full, read-only"),
        "{}",
        told[1]
    );
}

#[test]
fn what_cannot_be_read_makes_everybody_observe_and_stops_every_write() {
    for text in ["safety.level = \"observ\"", "safety.levle = \"observe\"", "safety = [", "safety = 1", "\u{0}"] {
        let config = config(text);
        assert_eq!(config.level("cli", Level::Unrestricted), Level::Observe, "{text}");
        let unreadable = config.posture.unreadable.unwrap_or_default();
        assert!(unreadable.contains("user.toml:1:"), "{text}: {unreadable}");
    }
}

#[test]
fn what_widens_does_not_count_where_anything_is_wrong() {
    let text = "safety.principals.mcp.attestation = \"accepted\"\nlists.recipients = [\"a\"]\nlists.memory_kinds = [\"b\"]\n\
                pins = [{ resource = \"host:h\" }]\nresources = [{ match = \"host:*\", criticality = \"ordinary\" }]\n";
    assert!(fine(text).accepts_attestation("mcp"));
    let broken = config(&format!("{text}oops = 1\n"));
    assert!(!broken.accepts_attestation("mcp") && broken.lists.recipients.is_empty());
    assert!(broken.lists.memory_kinds.is_empty() && broken.posture.weights.is_empty());
    assert_eq!(broken.posture.pins.len(), 1);
}

#[test]
fn keys_and_words_that_are_not_known_are_errors_with_what_was_meant() {
    for (text, what, meant) in [
        ("saftey.level = \"observe\"", "there is no key `saftey`", "`safety`"),
        ("safety.level = \"gaurded\"", "there is no level `gaurded`", "`guarded`"),
        ("safety.principals.hok.level = \"observe\"", "`hok` names no principal", "`hook`"),
        ("[[pins]]\nresource = \"host:h\"\nwhy = \"x\"", "there is no key `why`", "known: resource"),
        ("[[rungs]]\nverb = \"delte\"\nobserve = \"deny\"\n", "there is no verb `delte`", "`delete`"),
        ("[[rungs]]\ngarded = \"ask\"\nobserve = \"deny\"\n", "there is no key `garded`", "`guarded`"),
        ("toggles.\"code.auto_psh\" = \"deny\"", "there is no toggle `code.auto_psh`", "`code.auto_push`"),
        ("toggles.\"code.auto_push\" = \"allow\"", "there is no verdict `allow`", "known: deny"),
        ("safety.principals.mcp.attestation = \"acepted\"", "there is no attestation", "`accepted`"),
        ("lists.recipient = []", "there is no key `recipient`", "`recipients`"),
        ("approvals.wait = 3", "there is no key `wait`", "`wait_s`"),
        ("session.acess = \"full\"", "there is no key `acess`", "`access`"),
        ("notify.web = \"x\"", "there is no key `web`", "known: webhook"),
    ] {
        let (_, told, help) = only_problem(text);
        assert!(told.contains(what) && help.contains(meant), "{text}: {told}; {help}");
    }
}

#[test]
fn values_of_another_kind_are_errors() {
    for (text, what) in [
        ("safety.level = 1", "is a number, not a text"),
        ("pins = \"host:h\"", "is a text, not a list"),
        ("pins = [1]", "is a number, not a table"),
        ("session = []", "is a list, not a table"),
        ("lists.recipients = [true]", "is true or false, not a text"),
        ("approvals.wait_s = \"1\"", "no time"),
        ("notify.webhook = \"http://example.org\"", "does not stay on this machine"),
        ("lists.catalogue = [\"push\"]", "no `/`"),
        ("lists.core_roots = [\"agent\"]", "not an absolute path"),
    ] {
        let told = config(text).problems;
        assert!(told.iter().any(|problem| problem.what.contains(what)), "{text}: {told:?}");
    }
}

#[test]
fn a_rule_that_can_never_count_is_an_error() {
    let pin = |resource: &str| format!("[[pins]]\nresource = \"{resource}\"\n");
    let weight =
        |resource: &str, word: &str| format!("[[resources]]\nmatch = \"{resource}\"\ncriticality = \"{word}\"\n");
    for (text, what) in [
        (pin("file:relative"), "is no pattern"),
        (pin("file:/a > host:b"), "is no pattern"),
        (pin("host:a") + &pin("host:a > service:b"), "is pinned already by `host:a` at"),
        (pin("host:a") + &pin("host:A"), "is pinned already"),
        (weight("host:a", "production") + &weight("host:a", "ordinary"), "never counts"),
        (weight("host:a", "ordinary") + &weight("host:*", "production"), "never counts"),
        (weight("host:a", "ordinary") + &weight("host:a", "ordinary"), "never counts"),
        ("[[rungs]]\neffect = \"irreversible\"\nguarded = \"ask\"\n".to_owned(), "never counts"),
        ("[[rungs]]\nverb = \"delete\"\n".to_owned(), "never counts"),
        ("lists.recipients = [\"a\", \"b\", \"a\"]".to_owned(), "already"),
        ("session.allow_writes = [\"send\", \"send\"]".to_owned(), "already"),
        ("safety.principals.mcp = {}".to_owned(), "says nothing"),
        ("[toggles]\ncode.auto_push = \"deny\"\n\"code.auto_push\" = \"deny\"".to_owned(), "is set already"),
    ] {
        let told = config(&text).problems;
        assert!(told.iter().any(|problem| problem.what.contains(what)), "{text}: {told:?}");
    }
    fine(&(weight("host:*", "ordinary") + &weight("host:a", "production")));
    fine(&(pin("host:a > service:b") + &pin("host:a")));
}

#[test]
fn rungs_that_are_not_monotone_are_errors_that_name_the_other() {
    let rung = |pick: &str, says: &str| format!("[[rungs]]\nverb = \"delete\"\n{pick}\n{says}\n");
    let (_, told, _) = only_problem(&rung("", "observe = \"ask\"\nguarded = \"password\""));
    assert!(told.contains("stricter at level guarded than at observe"), "{told}");
    let pair = rung("effect = \"reversible\"", "trusted = \"password\"")
        + &rung("effect = \"irreversible\"", "trusted = \"type-name\"");
    let (line, told, _) = only_problem(&pair);
    assert!(line == 5 && told.contains("milder at level observe") && told.contains("user.toml:1"), "{line} {told}");
    let (_, told, _) = only_problem(&(rung("", "guarded = \"password\"") + &rung("", "guarded = \"password\"")));
    assert!(told.contains("same operations already"), "{told}");
}

#[test]
fn one_entry_too_many_is_an_error_and_the_last_that_fits_is_not() {
    let many = |count: usize, of: &dyn Fn(usize) -> String| (0..count).map(of).collect::<String>();
    let list = |key: &str, count: usize| format!("{key} = [{}]\n", many(count, &|index| format!("\"x{index}\", ")));
    let pin = |index: usize| format!("[[pins]]\nresource = \"host:h{index}\"\n");
    let weight = |index: usize| format!("[[resources]]\nmatch = \"host:h{index}\"\ncriticality = \"production\"\n");
    let rung = |index: usize| format!("[[rungs]]\nnative = \"n{index}\"\nguarded = \"deny\"\n");
    let principal = |index: usize| format!("safety.principals.\"mcp:{index}\".level = \"observe\"\n");
    for (most, text) in [
        (PATTERNS_MAX, &(|count| many(count, &pin)) as &dyn Fn(usize) -> String),
        (PATTERNS_MAX, &|count| many(count, &weight)),
        (RUNGS_MAX, &|count| many(count, &rung)),
        (PRINCIPALS_MAX, &|count| many(count, &principal)),
        (LIST_ENTRIES_MAX, &|count| list("lists.recipients", count)),
        (WRITE_VERBS_MAX, &|count| list("session.allow_writes", count)),
    ] {
        fine(&text(most));
        let (_, told, help) = only_problem(&text(most + 1));
        assert!(told.contains("over") && help.contains("is the most"), "{told}");
    }
    assert!(config(&format!("lists.recipients = [\"{}\"]", "x".repeat(ENTRY_BYTES_MAX + 1))).problems.len() == 1);
    fine("approvals.wait_s = 86400");
    only_problem("approvals.wait_s = 86401");
    only_problem("approvals.wait_s = 0");
    fine("session.undo_s = 5");
    only_problem("session.undo_s = 6");
    only_problem("session.undo_s = 0");
}

#[test]
fn a_file_just_over_its_bound_is_not_read_and_not_every_problem_of_a_bad_one_is_told() {
    let padded = |bytes: usize| format!("safety.level = \"guarded\"\n#{}", "x".repeat(bytes - 26));
    assert_eq!(padded(FILE_BYTES_MAX).len(), FILE_BYTES_MAX);
    fine(&padded(FILE_BYTES_MAX));
    assert!(only_problem(&padded(FILE_BYTES_MAX + 1)).1.contains("longer than"));
    let bad: String = (0..=PROBLEMS_MAX).map(|index| format!("x{index} = 1\n")).collect();
    assert_eq!(config(&bad).problems.len(), PROBLEMS_MAX);
}

#[test]
fn only_a_plain_file_that_others_cannot_write_is_taken() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = TempDir::with_prefix("holdpoint-config-").unwrap();
    let file = |path: &Path, layer, presence| Files {
        files: vec![File { layer, path: path.to_owned(), presence }],
        ..Files::default()
    };
    let what = |path: &Path, layer| {
        let config = load(&file(path, layer, Presence::Required));
        config.problems.first().map(|problem| problem.what.clone()).unwrap_or_default()
    };
    let missing = folder.path().join("missing");
    assert_eq!(load(&file(&missing, Layer::User, Presence::Optional)), Config::default());
    assert!(what(&missing, Layer::User).contains("cannot be read"));
    assert!(what(folder.path(), Layer::User).contains("not a file"));
    let real = folder.path().join("real");
    std::fs::write(&real, "").unwrap();
    let link = folder.path().join("link");
    symlink(&real, &link).unwrap();
    assert_eq!(what(&link, Layer::User), "");
    assert!(what(&link, Layer::Repository).contains("symbolic link"));
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o666)).unwrap();
    assert!(what(&real, Layer::User).contains("every user can write"));
    assert_eq!(what(&real, Layer::Repository), "");
    std::fs::write(&real, b"\xff").unwrap();
    assert!(what(&real, Layer::Repository).contains("not UTF-8"));
}
