//! Calls as hosts make them, and calls that are not quite like that.

use crate::classify;
use crate::deeds::DEEDS;
use crate::tools::TOOLS;
use holdpoint_guest::{
    Action, Fact, FactKind, FactQuery, Finding, JsonKind, JsonNode, JsonTree, Request, Slice, ToolCall, WordKind,
};

/// A call with members that are texts; `null` and `true` stand for themselves.
fn call(server: &str, name: &str, arguments: &[(&str, &str)]) -> Finding {
    let slice = |start: usize, end: usize| Slice { start: start as u32, end: end as u32 };
    let mut pool = String::new();
    let mut nodes = vec![JsonNode { parent: 0, kind: JsonKind::Object, key: slice(0, 0), value: slice(0, 0) }];
    for (key, value) in arguments {
        let start = pool.len();
        pool.push_str(key);
        let middle = pool.len();
        let kind = match *value {
            "null" => JsonKind::Null,
            "true" => JsonKind::Boolean,
            text => {
                pool.push_str(text);
                JsonKind::Text
            }
        };
        nodes.push(JsonNode { parent: 0, kind, key: slice(start, middle), value: slice(middle, pool.len()) });
    }
    let call = ToolCall { server: server.into(), name: name.into(), arguments: JsonTree { nodes, pool } };
    let home = FactQuery { kind: FactKind::HomeDirectory, subject: String::new() };
    let facts = vec![Fact { query: home, answer: "/home/u".into() }];
    classify(&Request { action: Action::Tool(call), facts })
}

fn told(name: &str, arguments: &[(&str, &str)]) -> String {
    let finding = call("", name, arguments);
    let operations = finding.operations.iter().map(|operation| {
        let target = operation.target.first();
        let kind = target.map_or("", |target| match target.certainty {
            WordKind::Exact => "",
            WordKind::Glob => "*",
            WordKind::Dynamic => "?",
        });
        format!("{:?} {kind}{} {:?}", operation.verb, target.map_or("", |target| &target.name), operation.scope)
    });
    let doubts = finding.doubts.iter().map(|doubt| format!("doubt {:?}", doubt.reason));
    operations.chain(doubts).collect::<Vec<_>>().join("; ")
}

#[test]
fn files_are_read_made_and_changed_where_the_arguments_say() {
    assert_eq!(told("Read", &[("file_path", "/w/a"), ("limit", "5")]), "Verb::Get /w/a Scope::One");
    assert_eq!(told("Write", &[("file_path", "~/a"), ("content", "x")]), "Verb::Create /home/u/a Scope::One");
    assert_eq!(
        told("Edit", &[("file_path", "a"), ("old_string", "x"), ("new_string", ""), ("replace_all", "true")]),
        "Verb::Update a Scope::One"
    );
    assert_eq!(told("Read", &[("file_path", "~root/a")]), "Verb::Get ?~root/a Scope::One");
    assert_eq!(told("read_file", &[("absolute_path", "/etc/shadow")]), "Verb::Get /etc/shadow Scope::One");
}

#[test]
fn a_search_reaches_everything_below_its_folder() {
    assert_eq!(told("Grep", &[("pattern", "x")]), "Verb::Get . Scope::AllInParent");
    assert_eq!(told("Grep", &[("pattern", "x"), ("path", "/etc")]), "Verb::Get /etc Scope::AllInParent");
    assert_eq!(told("Glob", &[("pattern", "**/*.rs")]), "Verb::List ***/*.rs* Scope::AllInParent");
    assert_eq!(told("Glob", &[("pattern", "*"), ("path", "/e[tc")]), "Verb::List */e\\[tc/* Scope::AllInParent");
    assert_eq!(told("Glob", &[("pattern", "{/etc,a}/*")]), "Verb::List * Scope::AllInParent");
    assert_eq!(told("LS", &[]), "Verb::List . Scope::One");
}

#[test]
fn pages_are_fetched_from_a_host_that_is_shown() {
    assert_eq!(
        told("WebFetch", &[("url", "https://example.com/x"), ("prompt", "p")]),
        "Verb::Download example.com Scope::One"
    );
    assert_eq!(told("WebFetch", &[("url", "file:///etc/passwd")]), "doubt Reason::MalformedArgument");
    assert!(told("WebSearch", &[("query", "x")]).starts_with("Verb::Connect"));
}

#[test]
fn what_is_missing_misspelt_or_not_a_text_is_a_doubt() {
    for arguments in [
        &[][..],
        &[("file_path", "")],
        &[("file_path", "true")],
        &[("filepath", "/etc/shadow")],
        &[("file_path", "a"), ("follow", "x")],
        &[("limit", "5")],
    ] {
        assert!(told("Read", arguments).contains("doubt"), "{arguments:?}");
    }
    assert!(call("other", "Read", &[("file_path", "a")]).operations.is_empty(), "a tool of somebody else's server");
    assert_eq!(told("Unknown", &[]), "doubt Reason::UnknownTool");
}

#[test]
fn what_stays_in_the_conversation_does_nothing() {
    assert_eq!(told("TodoWrite", &[("todos", "x"), ("more", "y")]), "Verb::Nothing  Scope::One");
}

#[test]
fn mail_names_everybody_it_goes_to() {
    assert_eq!(
        told("email_send", &[("to", "Bob <bob@x.org>, al@y.org"), ("bcc", "eve@z.org"), ("body", "to: no@one.org")]),
        "Verb::Send  Scope::One; Verb::Send bob@x.org Scope::One; Verb::Send al@y.org Scope::One; \
         Verb::Send eve@z.org Scope::One"
    );
    assert!(told("email_send", &[("to", "true")]).contains("doubt"));
    assert_eq!(told("email_draft", &[("to", "a@b")]), "Verb::Create  Scope::One");
}

#[test]
fn each_deed_is_told_whatever_else_is_said() {
    for (name, arguments, expected) in [
        ("grant.submit", &[("note", "x")][..], "Verb::Send  Scope::One"),
        (
            "pii.export",
            &[("dataset", "customers"), ("path", "out.csv")],
            "Verb::Get customers Scope::AllInParent; Verb::Update out.csv Scope::One",
        ),
        ("memory_write", &[("kind", "fact"), ("text", "x")], "Verb::Create fact Scope::One"),
        ("vault_grant", &[("capability", "db.read")], "Verb::Grant db.read Scope::One"),
        ("voice_listen", &[], "Verb::Use  Scope::One"),
        (
            "selfmod_propose",
            &[("paths", "core/gate.py")],
            "Verb::Create  Scope::One; Verb::Update core/gate.py Scope::One",
        ),
        ("browser_click", &[("element", "Buy")], "Verb::Update Buy Scope::One"),
    ] {
        assert_eq!(told(name, arguments), expected, "{name}");
    }
}

#[test]
fn the_manifest_routes_what_the_table_judges() {
    let manifest: toml::Table = include_str!("../vocabulary.toml").parse().unwrap();
    let tools = manifest["routes"]["tools"].as_array().unwrap();
    let routed: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    let mut judged: Vec<&str> = TOOLS.iter().map(|tool| tool.name).chain(DEEDS.iter().map(|deed| deed.name)).collect();
    judged.sort_unstable();
    assert_eq!(routed, judged);
}
