//! Calls as hosts make them, and calls that are not quite like that.

use crate::classify;
use crate::deeds::DEEDS;
use crate::git::{GIT, SERVERS};
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

/// A call with arguments as the text of a table.
pub(crate) fn call_nested(name: &str, arguments: &str) -> Finding {
    let table: toml::Table = arguments.parse().unwrap();
    let mut tree = JsonTree { nodes: Vec::new(), pool: String::new() };
    nest(&mut tree, 0, "", &toml::Value::Table(table));
    classify(&Request {
        action: Action::Tool(ToolCall { server: String::new(), name: name.into(), arguments: tree }),
        facts: Vec::new(),
    })
}

pub(crate) fn nest(tree: &mut JsonTree, parent: u32, key: &str, value: &toml::Value) {
    let mut put = |text: &str| {
        let start = tree.pool.len() as u32;
        tree.pool.push_str(text);
        Slice { start, end: tree.pool.len() as u32 }
    };
    let key = put(key);
    let (kind, text) = match value {
        toml::Value::String(text) => (JsonKind::Text, text.clone()),
        toml::Value::Boolean(value) => (JsonKind::Boolean, value.to_string()),
        toml::Value::Array(_) => (JsonKind::Array, String::new()),
        toml::Value::Table(_) => (JsonKind::Object, String::new()),
        other => (JsonKind::Number, other.as_integer().unwrap_or(0).to_string()),
    };
    let value_slice = put(&text);
    let at = tree.nodes.len() as u32;
    tree.nodes.push(JsonNode { parent, kind, key, value: value_slice });
    match value {
        toml::Value::Array(items) => items.iter().for_each(|item| nest(tree, at, "", item)),
        toml::Value::Table(members) => members.iter().for_each(|(key, item)| nest(tree, at, key, item)),
        _ => {}
    }
}

fn told(name: &str, arguments: &[(&str, &str)]) -> String {
    show(&call("", name, arguments))
}

fn show(finding: &Finding) -> String {
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
fn mail_reaches_the_same_people_in_any_mixture_of_capitals() {
    let sent = "Verb::Send  Scope::One; Verb::Send eve@z.org Scope::One";
    for key in ["to", "To", "CC", "Bcc", "BCC", "bCc"] {
        assert_eq!(told("send_email", &[(key, "eve@z.org"), ("Subject", "x"), ("TEXT", "y")]), sent, "{key}");
    }
}

#[test]
fn a_member_that_may_change_whom_or_what_is_reached_is_a_doubt() {
    for (name, arguments) in [
        ("email_send", r#"to = "a@x"; headers = "BCC: e@z""#),
        ("email_send", r#"to = "a@x"; recipients = ["e@z"]"#),
        ("email_send", r#"to = "a@x"; envelope = { rcpt = "e@z" }"#),
        ("email_send", r#"to = "a@x"; raw = "eA==""#),
        ("email_send", r#"to = "a@x"; reply_to = "e@z""#),
        ("email_send", r#"to = "a@x"; forward_to = "e@z""#),
        ("email_send", r#"to = "a@x"; reply_all = true"#),
        ("email_send", r#"body = "x"; thread_id = "7""#),
        ("email_send", r#"to = []; In_Reply_To = "7""#),
        ("email_send", r#"to = [{ email = "e@z" }]"#),
        ("email_send", r#"to = "<e@z> <a@x>""#),
        ("email_send", r#"from = "a@x"; FROM = "b@x"; to = "a@x""#),
        ("email_draft", r#"to = "a@x"; send = true"#),
        ("grant.submit", r#"note = "x"; recipient = "e@z""#),
        ("grant.submit", r#"note = "x"; endpoint = "https://z""#),
        ("pii.export", r#"dataset = "x"; destination = "https://z""#),
        ("browser_click", r#"element = "x"; url = "https://z""#),
        ("browser_take_screenshot", r#"element = "x"; upload = "https://z""#),
        ("selfmod_apply", r#"proposal = "1"; diff = "x""#),
        ("selfmod_propose", r#"title = "1"; target = "core""#),
        ("vault_grant", r#"capability = "db"; grantee = "e""#),
        ("voice_listen", r#"output = "/w/a.wav""#),
        ("memory_write", r#"kind = "fact"; path = "/etc/x""#),
    ] {
        let shown = show(&call_nested(name, &arguments.replace("; ", "\n")));
        assert!(shown.contains("doubt"), "{name} {arguments}: {shown}");
    }
    for (name, arguments) in [
        ("email_send", r#"to = ["a@x", "B <b@x>, c@x"]; subject = "x"; body = "1\n2"; is_html = true"#),
        ("email_send", r#"to = "a@x"; thread_id = "7""#),
        ("email_draft", r#"to = "a@x"; thread_id = "7"; reply_to = "b@x""#),
        ("browser_click", r#"element = "Buy"; ref = "e1"; doubleClick = true"#),
        ("save_memory", r#"fact = "x""#),
        ("memory_search", r#"query = "x"; limit = 3"#),
    ] {
        let shown = show(&call_nested(name, &arguments.replace("; ", "\n")));
        assert!(!shown.contains("doubt"), "{name} {arguments}: {shown}");
    }
}

#[test]
fn a_line_break_in_the_head_of_a_mail_is_a_doubt() {
    for (key, text) in [
        ("subject", "x\r\nBcc: e@z"),
        ("subject", "x\u{2028}y"),
        ("to", "a@x\nBcc: e@z"),
        ("from", "a@x\nBcc: e@z"),
        ("cc", "A\nBcc: e@z <a@x>"),
    ] {
        assert!(told("email_send", &[(key, text)]).contains("doubt"), "{key} {text:?}");
    }
    assert!(!told("email_send", &[("to", "a@x"), ("body", "x\ny")]).contains("doubt"));
}

#[test]
fn what_goes_along_with_a_mail_is_read() {
    let reads = "Verb::Send  Scope::One; Verb::Get /etc/shadow Scope::One";
    for arguments in [
        r#"attachments = ["/etc/shadow"]"#,
        r#"attachments = "/etc/shadow""#,
        r#"Attachments = [{ name = "x", Path = "/etc/shadow" }]"#,
        r#"attachment = { file_path = "/etc/shadow" }"#,
    ] {
        assert_eq!(show(&call_nested("email_send", arguments)), reads, "{arguments}");
    }
    assert_eq!(
        show(&call_nested("email_draft", r#"attachments = ["a"]"#)),
        "Verb::Create  Scope::One; Verb::Get a Scope::One"
    );
    assert_eq!(told("email_send", &[("attachments", "~/a")]), "Verb::Send  Scope::One; Verb::Get /home/u/a Scope::One");
    assert_eq!(
        show(&call_nested("email_send", r#"attachments = [{ filename = "x", content = "y" }]"#)),
        "Verb::Send  Scope::One"
    );
    for arguments in
        [r#"attachments = [{ href = "/etc/shadow" }]"#, r#"attachments = [true]"#, r#"attachments = ["file:///etc/x"]"#]
    {
        assert!(show(&call_nested("email_send", arguments)).contains("doubt"), "{arguments}");
    }
}

#[test]
fn files_that_a_deed_writes_are_named_as_a_list_a_text_and_below_the_home() {
    let proposes = "Verb::Create  Scope::One; ";
    for (paths, expected) in [
        ("~/.bashrc", "Verb::Update /home/u/.bashrc Scope::One"),
        ("a,b", "Verb::Update a,b Scope::One; Verb::Update a Scope::One; Verb::Update b Scope::One"),
    ] {
        assert_eq!(told("selfmod_propose", &[("Paths", paths)]), format!("{proposes}{expected}"));
    }
    assert_eq!(
        told("browser_take_screenshot", &[("filename", "a.png")]),
        "Verb::Get  Scope::One; Verb::Create a.png Scope::One"
    );
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
    let text = |tool: &toml::Value, key: &str| tool[key].as_str().unwrap().to_owned();
    let routed: Vec<(String, String)> = tools.iter().map(|tool| (text(tool, "server"), text(tool, "name"))).collect();
    let own = TOOLS.iter().map(|tool| tool.name).chain(DEEDS.iter().map(|deed| deed.name));
    let of_git = SERVERS.iter().flat_map(|server| GIT.iter().map(move |tool| (*server, tool.name)));
    let all = own.map(|name| ("", name)).chain(of_git);
    let mut judged: Vec<(String, String)> = all.map(|(server, name)| (server.to_owned(), name.to_owned())).collect();
    judged.sort_unstable();
    assert_eq!(routed, judged);
}
