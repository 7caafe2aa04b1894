//! Git through tools, as the public servers offer it, and calls that would have git do more than they seem to.

use crate::classify;
use crate::git::GIT;
use crate::tests::nest;
use holdpoint_guest::{Action, Effect, Finding, JsonTree, Request, TargetKind, ToolCall, Traits, Verb, WordKind};

fn call_of(server: &str, name: &str, arguments: &str) -> Finding {
    let table: toml::Table = arguments.replace("; ", "\n").parse().unwrap();
    let mut tree = JsonTree { nodes: Vec::new(), pool: String::new() };
    nest(&mut tree, 0, "", &toml::Value::Table(table));
    classify(&Request {
        action: Action::Tool(ToolCall { server: server.into(), name: name.into(), arguments: tree }),
        facts: Vec::new(),
    })
}

fn told(name: &str, arguments: &str) -> String {
    show(&call_of("git", name, arguments))
}

/// Every operation as `verb effect step/step`, and every doubt.
fn show(finding: &Finding) -> String {
    let operations = finding.operations.iter().map(|operation| {
        let steps = operation.target.iter().map(|step| match step.certainty {
            WordKind::Exact => step.name.clone(),
            WordKind::Glob | WordKind::Dynamic => "?".to_owned(),
        });
        let words = [format!("{:?}", operation.verb), format!("{:?}", operation.effect)];
        let words = words.map(|word| word.rsplit(':').next().unwrap_or("").to_lowercase());
        format!("{} {}", words.join(" "), steps.collect::<Vec<_>>().join(" > "))
    });
    operations.chain(finding.doubts.iter().map(|_| "doubt".to_owned())).collect::<Vec<_>>().join("; ")
}

#[test]
fn the_public_server_s_calls_are_understood_as_they_are_made() {
    for (name, arguments, expected) in [
        ("git_status", r#"repo_path = "/w""#, "get none /w"),
        ("git_diff_unstaged", "repo_path = \"/w\"; context_lines = 3", "get none /w"),
        ("git_diff_staged", r#"repo_path = "/w""#, "get none /w"),
        ("git_diff", r#"repo_path = "/w"; target = "main""#, "get none /w"),
        ("git_log", "repo_path = \"/w\"; max_count = 5; start_timestamp = \"2 weeks ago\"", "get none /w > ?"),
        ("git_show", r#"repo_path = "/w"; revision = "HEAD~1""#, "get none /w > ?"),
        ("git_branch", r#"repo_path = "/w"; branch_type = "local"; contains = "abc""#, "list none /w > ?"),
        (
            "git_add",
            r#"repo_path = "/w"; files = ["a", "b/c"]"#,
            "update reversible /w; get none /w/a; get none /w/b/c",
        ),
        ("git_commit", r#"repo_path = "/w"; message = "x""#, "create reversible /w > "),
        ("git_reset", r#"repo_path = "/w""#, "update reversible /w; update reversible /w > ?"),
        ("git_create_branch", r#"repo_path = "/w"; branch_name = "t""#, "create reversible /w > t"),
        ("git_checkout", r#"repo_path = "/w"; branch_name = "t""#, "update irreversible /w"),
        ("git_init", r#"repo_path = "/w""#, "create reversible /w"),
    ] {
        assert_eq!(told(name, arguments), expected, "{name}");
        assert_eq!(show(&call_of("", name, arguments)), expected, "{name} of the agent host itself");
    }
    assert!(call_of("github", "git_push", r#"repo_path = "/w""#).operations.is_empty(), "somebody else's server");
}

#[test]
fn a_push_moves_replaces_or_takes_away_the_branch_that_it_names() {
    let push = |arguments: &str| told("git_push", &format!("path = \"/w\"; remote = \"origin\"; {arguments}"));
    for (arguments, expected) in [
        (r#"branch = "topic""#, "update reversible /w > origin > topic"),
        (r#"branch = "main"; force = true"#, "update irreversible /w > origin > main"),
        (r#"branch = "main"; forceWithLease = true"#, "update irreversible /w > origin > main"),
        (r#"branch = "+main""#, "update irreversible /w > origin > main"),
        (r#"branch = "topic:main"; force = true"#, "update irreversible /w > origin > main"),
        (r#"branch = "topic"; remote_branch = "other""#, "update reversible /w > origin > other"),
        (
            r#"branch = "topic"; remote_branch = "main"; force = true"#,
            "update irreversible /w > origin > topic; update irreversible /w > origin > main",
        ),
        (
            r#"branch = "+topic"; remote_branch = "main""#,
            "update irreversible /w > origin > topic; update irreversible /w > origin > main",
        ),
        (
            r#"branch = "main"; delete = true; remote_branch = "x""#,
            "delete irreversible /w > origin > main; delete irreversible /w > origin > x",
        ),
        (r#"branch = "t"; mirror = true"#, "update irreversible /w > origin > t; update irreversible /w > origin > ?"),
        (r#"branch = ":main""#, "delete irreversible /w > origin > main"),
        (r#"branch = "main"; delete = true"#, "delete irreversible /w > origin > main"),
        (r#"refspecs = ["a", "+main"]"#, "update reversible /w > origin > a; update irreversible /w > origin > main"),
        ("force = true", "update irreversible /w > origin > ?"),
        ("dry_run = false", "update reversible /w > origin > ?"),
        (r#"branch = "t"; tags = true"#, "update reversible /w > origin > t; update reversible /w > origin > ?"),
        ("mirror = true", "update irreversible /w > origin > ?"),
    ] {
        assert_eq!(push(arguments), expected, "{arguments}");
    }
    assert_eq!(
        told("git_push", r#"remote = "https://h.example/a.git"; branch = "t""#),
        "update reversible ? > h.example > https://h.example/a.git > t"
    );
    for operation in call_of("", "git_push", "force = true").operations {
        assert!(operation.traits.contains(Traits::NETWORK));
        assert!(operation.target.iter().any(|step| step.kind == TargetKind::GitRemote));
    }
}

#[test]
fn what_takes_from_a_remote_reaches_it_and_changes_what_is_here() {
    let fetch = "download none /w > origin; update reversible /w > ?";
    assert_eq!(told("git_fetch", r#"path = "/w"; remote = "origin"; prune = true"#), fetch);
    assert_eq!(told("git_pull", r#"path = "/w"; remote = "origin""#), format!("{fetch}; update reversible /w"));
    assert_eq!(
        told("git_clone", r#"repositoryUrl = "https://h.example/a"; targetPath = "/w/a""#),
        "download none /w/a > h.example > https://h.example/a; create reversible /w/a"
    );
}

#[test]
fn branches_are_listed_made_and_taken_away() {
    for (arguments, expected) in [
        (r#"mode = "list""#, "list none /w > ?"),
        (r#"mode = "create"; branch_name = "t""#, "create reversible /w > t"),
        (r#"mode = "create"; branch_name = "t"; force = true"#, "update irreversible /w > t"),
        (r#"mode = "delete"; branch_name = "t""#, "delete irreversible /w > t"),
        (r#"branch = "t"; delete = true"#, "delete irreversible /w > t"),
        (r#"mode = "rename"; branch = "a"; new_name = "b""#, "delete reversible /w > a; create reversible /w > b"),
        (r#"branch = "t""#, "list none /w > ?; doubt"),
        (r#"mode = "purge""#, "list none /w > ?; doubt"),
    ] {
        assert_eq!(told("git_branch", &format!("path = \"/w\"; {arguments}")), expected, "{arguments}");
    }
    assert_eq!(
        told("git_checkout", r#"path = "/w"; branch = "t"; create_branch = true"#),
        "update irreversible /w; create reversible /w > t"
    );
}

#[test]
fn a_reset_or_an_amended_commit_takes_something_away() {
    assert_eq!(told("git_reset", r#"path = "/w"; mode = "hard""#), "update irreversible /w; update reversible /w > ?");
    assert_eq!(
        told("git_commit", r#"path = "/w"; message = "x"; amend = true; filesToStage = ["a"]"#),
        "create reversible /w > ; delete reversible /w > HEAD; get none /w/a"
    );
}

#[test]
fn what_git_could_take_for_something_else_is_a_doubt() {
    for (name, arguments) in [
        ("git_diff", r#"repo_path = "/w"; target = "--output=/etc/x""#),
        ("git_show", r#"repo_path = "/w"; revision = "--output=x""#),
        ("git_log", r#"repo_path = "/w"; start_timestamp = "-x""#),
        ("git_log", r#"repo_path = "/w"; max_count = "1 --output=x""#),
        ("git_checkout", r#"repo_path = "/w"; branch_name = "-f""#),
        ("git_checkout", r#"repo_path = "/w""#),
        ("git_create_branch", r#"repo_path = "/w"; branch_name = "a b""#),
        ("git_add", r#"repo_path = "/w"; files = ["--pathspec-from-file=x"]"#),
        ("git_add", r#"repo_path = "/w"; files = []"#),
        ("git_add", r#"repo_path = "/w"; files = [1]"#),
        ("git_push", r#"remote = "ext::sh -c x""#),
        ("git_push", r#"remote = "/srv/a.git""#),
        ("git_push", r#"remote = "--receive-pack=x""#),
        ("git_push", r#"branch = "--mirror""#),
        ("git_push", r#"args = ["--force"]"#),
        ("git_push", r#"force = "no""#),
        ("git_commit", r#"message = "x"; no_verify = true"#),
        ("git_status", r#"repo_path = "/w"; path = "/v""#),
        ("git_status", r#"repo_path = 1"#),
        ("git_reset", r#"mode = "everything""#),
        ("git_clone", r#"path = "/w/a""#),
        ("git_init", r#"path = "/w"; template = "/srv/hooks""#),
    ] {
        assert!(told(name, arguments).contains("doubt"), "{name} {arguments}");
    }
    let unclear = call_of("git", "git_push", r#"branch = "main"; force = "no""#);
    assert_eq!(unclear.operations[0].effect, Effect::Irreversible, "what is not certainly no counts as yes");
}

#[test]
fn every_tool_of_git_says_what_it_does_even_if_it_is_told_nothing() {
    for tool in GIT {
        let finding = call_of("git", tool.name, "");
        let named = |operation: &holdpoint_guest::Operation| operation.native == tool.name;
        assert!(!finding.operations.is_empty() && finding.operations.iter().all(named), "{}", tool.name);
        assert!(finding.operations.iter().all(|operation| operation.verb != Verb::Nothing), "{}", tool.name);
    }
}
