//! Tools of agents that do one thing whatever their other arguments say: mail, memory, browser, vault, microphone, changes
//! to the agent itself and to what tools say of themselves, applications, exports. Data only; `members` says how the arguments name what is touched.
//!
//! The arguments of the browser are those of the tool schemas of Playwright MCP. The others follow no common schema, so
//! that only names with one plain meaning are listed.

use holdpoint_guest::{Effect, TargetKind, Traits, Verb};

/// What a tool does.
#[derive(Debug)]
pub(crate) struct Deed {
    pub(crate) name: &'static str,
    pub(crate) verb: Verb,
    pub(crate) kind: TargetKind,
    pub(crate) effect: Effect,
    pub(crate) traits: Traits,
    /// The argument that names the target, if one does.
    pub(crate) subject: &'static str,
    /// What further arguments mean. One that is not listed may change whom or what the tool reaches.
    pub(crate) members: &'static [(&'static [&'static str], Member)],
}

/// What an argument is to such a tool. Its name counts in any mixture of capitals, as tools differ in that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Member {
    /// It changes nothing about what is touched.
    Caption,
    /// A line of the head of a message, which ends where a line break does.
    Line,
    /// People to whom something is sent.
    People,
    /// A conversation that something is added to, which goes to everybody in it unless the call says to whom.
    Conversation,
    /// Files that are changed.
    Changed,
    /// A file that is made.
    Made,
    /// Files that go along.
    Attached,
}

type Members = &'static [(&'static [&'static str], Member)];

const SENDS: Traits = Traits::NETWORK.union(Traits::NOT_IDEMPOTENT);
const PEOPLE: &[&str] = &["to", "cc", "bcc"];
const TEXTS: &[&str] = &[
    "body",
    "body_html",
    "body_text",
    "content",
    "content_type",
    "format",
    "html",
    "importance",
    "is_html",
    "message",
    "priority",
    "text",
];
const ATTACHED: &[&str] = &["attachment", "attachments"];
const CONVERSATIONS: &[&str] = &["in_reply_to", "message_id", "references", "thread_id"];
const MAIL: Members = &[
    (PEOPLE, Member::People),
    (&["subject"], Member::Line),
    (TEXTS, Member::Caption),
    (ATTACHED, Member::Attached),
    (CONVERSATIONS, Member::Conversation),
];
/// A draft goes nowhere yet.
const DRAFT: Members = &[
    (PEOPLE, Member::Caption),
    (&["reply_to"], Member::Caption),
    (&["subject"], Member::Line),
    (TEXTS, Member::Caption),
    (ATTACHED, Member::Attached),
    (CONVERSATIONS, Member::Caption),
];
const FILES: &[&str] = &["path", "paths", "file", "files"];
const ACTS: Members = &[(
    &[
        "button",
        "doubleclick",
        "fields",
        "form",
        "key",
        "modifiers",
        "ref",
        "slowly",
        "submit",
        "text",
        "value",
        "values",
    ],
    Member::Caption,
)];
const LOOKS: Members = &[
    (&["depth", "fullpage", "raw", "ref", "scale", "selector", "type"], Member::Caption),
    (&["filename"], Member::Made),
];
const LISTENS: Members = &[(&["duration", "duration_ms", "language", "prompt", "seconds", "timeout"], Member::Caption)];
const SUBMITS: Members = &[
    (
        &[
            "amount",
            "answers",
            "body",
            "budget",
            "content",
            "deadline",
            "description",
            "note",
            "notes",
            "program",
            "reason",
            "summary",
            "text",
            "title",
        ],
        Member::Caption,
    ),
    (ATTACHED, Member::Attached),
];
const EXPORTS: Members = &[
    (FILES, Member::Changed),
    (&["columns", "fields", "filter", "format", "limit", "offset", "query", "reason"], Member::Caption),
];
const CHANGES: Members = &[
    (FILES, Member::Changed),
    (&["content", "description", "diff", "note", "patch", "rationale", "reason", "summary", "text"], Member::Caption),
];
const APPLIES: Members =
    &[(FILES, Member::Changed), (&["confirm", "id", "note", "proposal_id", "reason"], Member::Caption)];
const REMEMBERS: Members = &[(
    &[
        "category",
        "confidence",
        "content",
        "created_at",
        "data",
        "entry",
        "expires_at",
        "fact",
        "id",
        "ids",
        "importance",
        "key",
        "limit",
        "metadata",
        "name",
        "note",
        "offset",
        "query",
        "reason",
        "source",
        "summary",
        "tags",
        "text",
        "title",
        "top_k",
        "topic",
        "ttl",
        "type",
        "value",
    ],
    Member::Caption,
)];
const GRANTS: Members = &[(&["duration", "expires", "expires_at", "note", "reason", "ttl"], Member::Caption)];
const DESCRIBES: Members = &[(
    &["annotations", "description", "input_schema", "name", "output_schema", "parameters", "schema", "server", "title"],
    Member::Caption,
)];
const LISTS: Members = &[(&["filter", "limit", "offset", "prefix", "query"], Member::Caption)];

const fn deed(name: &'static str, verb: Verb, kind: TargetKind, effect: Effect, subject: &'static str) -> Deed {
    Deed { name, verb, kind, effect, traits: Traits::empty(), subject, members: &[] }
}

const fn send(name: &'static str) -> Deed {
    Deed { traits: SENDS, members: MAIL, ..deed(name, Verb::Send, TargetKind::Mailbox, Effect::Irreversible, "from") }
}

const fn draft(name: &'static str) -> Deed {
    Deed { members: DRAFT, ..deed(name, Verb::Create, TargetKind::Mailbox, Effect::Reversible, "from") }
}

const fn act(name: &'static str) -> Deed {
    let deed = deed(name, Verb::Update, TargetKind::BrowserElement, Effect::Irreversible, "element");
    Deed { traits: Traits::NETWORK, members: ACTS, ..deed }
}

const fn look(name: &'static str) -> Deed {
    let traits = Traits::NETWORK.union(Traits::EXTERNAL_CONTENT);
    Deed { traits, members: LOOKS, ..deed(name, Verb::Get, TargetKind::BrowserElement, Effect::None, "element") }
}

const fn listen(name: &'static str) -> Deed {
    let deed = deed(name, Verb::Use, TargetKind::Microphone, Effect::None, "device");
    Deed { traits: Traits::SENSITIVE, members: LISTENS, ..deed }
}

const fn submit(name: &'static str) -> Deed {
    let deed = deed(name, Verb::Send, TargetKind::Application, Effect::Irreversible, "application");
    Deed { traits: SENDS, members: SUBMITS, ..deed }
}

const fn export(name: &'static str) -> Deed {
    let deed = deed(name, Verb::Get, TargetKind::PersonalData, Effect::Irreversible, "dataset");
    Deed { traits: Traits::SENSITIVE, members: EXPORTS, ..deed }
}

const fn propose(name: &'static str) -> Deed {
    Deed { members: CHANGES, ..deed(name, Verb::Create, TargetKind::SelfModification, Effect::Reversible, "title") }
}

const fn apply(name: &'static str) -> Deed {
    Deed { members: APPLIES, ..deed(name, Verb::Approve, TargetKind::SelfModification, Effect::Unknown, "proposal") }
}

const fn remember(name: &'static str) -> Deed {
    Deed { members: REMEMBERS, ..deed(name, Verb::Create, TargetKind::MemoryEntry, Effect::Reversible, "kind") }
}

const fn recall(name: &'static str) -> Deed {
    Deed { members: REMEMBERS, ..deed(name, Verb::Get, TargetKind::MemoryEntry, Effect::None, "kind") }
}

const fn forget(name: &'static str) -> Deed {
    Deed { members: REMEMBERS, ..deed(name, Verb::Delete, TargetKind::MemoryEntry, Effect::Irreversible, "kind") }
}

const fn grant(name: &'static str) -> Deed {
    let deed = deed(name, Verb::Grant, TargetKind::VaultCapability, Effect::Irreversible, "capability");
    Deed { members: GRANTS, ..deed }
}

const fn describe(name: &'static str, verb: Verb) -> Deed {
    Deed { members: DESCRIBES, ..deed(name, verb, TargetKind::ToolSchema, Effect::Reversible, "tool") }
}

const fn list(name: &'static str) -> Deed {
    Deed { members: LISTS, ..deed(name, Verb::List, TargetKind::VaultCapability, Effect::None, "capability") }
}

/// Every such tool, by name.
pub(crate) const DEEDS: &[Deed] = &[
    act("browser_click"),
    act("browser_fill_form"),
    act("browser_press_key"),
    act("browser_select_option"),
    look("browser_snapshot"),
    act("browser_submit"),
    look("browser_take_screenshot"),
    act("browser_type"),
    draft("email.draft"),
    send("email.send"),
    draft("email_draft"),
    send("email_send"),
    submit("grant.submit"),
    submit("grant_submit"),
    forget("memory_delete"),
    recall("memory_read"),
    remember("memory_save"),
    recall("memory_search"),
    remember("memory_write"),
    listen("microphone_listen"),
    export("pii.export"),
    export("pii_export"),
    remember("save_memory"),
    apply("selfmod_apply"),
    propose("selfmod_propose"),
    send("send_email"),
    describe("tool_register", Verb::Create),
    describe("tool_schema_update", Verb::Update),
    grant("vault_grant"),
    grant("vault_grant_capability"),
    list("vault_list"),
    listen("voice_listen"),
];
