//! Tools of agents that do one thing whatever their other arguments say: mail, memory, browser, vault, microphone, changes
//! to the agent itself, applications, exports. Data first, then how the arguments name what is touched.

use holdpoint_guest::{
    Effect, Finding, JsonKind, JsonValue, Operation, Reason, Scope, Segment, Span, TargetKind, Traits, Verb,
};

/// What a tool does.
#[derive(Debug)]
pub(crate) struct Deed {
    pub(crate) name: &'static str,
    verb: Verb,
    kind: TargetKind,
    effect: Effect,
    traits: Traits,
    /// The argument that names the target, if one does.
    subject: &'static str,
    /// Arguments that name further targets, each with its kind.
    also: &'static [(&'static str, TargetKind)],
}

const SENDS: Traits = Traits::NETWORK.union(Traits::NOT_IDEMPOTENT);
const MAIL: &[(&str, TargetKind)] =
    &[("to", TargetKind::Recipient), ("cc", TargetKind::Recipient), ("bcc", TargetKind::Recipient)];
const FILES: &[(&str, TargetKind)] =
    &[("path", TargetKind::File), ("paths", TargetKind::File), ("file", TargetKind::File), ("files", TargetKind::File)];

const fn deed(name: &'static str, verb: Verb, kind: TargetKind, effect: Effect, subject: &'static str) -> Deed {
    Deed { name, verb, kind, effect, traits: Traits::empty(), subject, also: &[] }
}

const fn send(name: &'static str) -> Deed {
    let effect = Effect::Irreversible;
    Deed { name, verb: Verb::Send, kind: TargetKind::Mailbox, effect, traits: SENDS, subject: "from", also: MAIL }
}

const fn act(name: &'static str) -> Deed {
    let effect = Effect::Irreversible;
    let traits = Traits::NETWORK;
    Deed { name, verb: Verb::Update, kind: TargetKind::BrowserElement, effect, traits, subject: "element", also: &[] }
}

const fn look(name: &'static str) -> Deed {
    let traits = Traits::NETWORK.union(Traits::EXTERNAL_CONTENT);
    let effect = Effect::None;
    Deed { name, verb: Verb::Get, kind: TargetKind::BrowserElement, effect, traits, subject: "element", also: &[] }
}

const fn listen(name: &'static str) -> Deed {
    let traits = Traits::SENSITIVE;
    Deed {
        name,
        verb: Verb::Use,
        kind: TargetKind::Microphone,
        effect: Effect::None,
        traits,
        subject: "device",
        also: &[],
    }
}

const fn submit(name: &'static str) -> Deed {
    let effect = Effect::Irreversible;
    Deed {
        name,
        verb: Verb::Send,
        kind: TargetKind::Application,
        effect,
        traits: SENDS,
        subject: "application",
        also: &[],
    }
}

const fn export(name: &'static str) -> Deed {
    let effect = Effect::Irreversible;
    let traits = Traits::SENSITIVE;
    Deed { name, verb: Verb::Get, kind: TargetKind::PersonalData, effect, traits, subject: "dataset", also: FILES }
}

const fn propose(name: &'static str) -> Deed {
    Deed { also: FILES, ..deed(name, Verb::Create, TargetKind::SelfModification, Effect::Reversible, "title") }
}

const fn apply(name: &'static str) -> Deed {
    Deed { also: FILES, ..deed(name, Verb::Approve, TargetKind::SelfModification, Effect::Unknown, "proposal") }
}

const fn remember(name: &'static str) -> Deed {
    deed(name, Verb::Create, TargetKind::MemoryEntry, Effect::Reversible, "kind")
}

const fn recall(name: &'static str) -> Deed {
    deed(name, Verb::Get, TargetKind::MemoryEntry, Effect::None, "kind")
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
    deed("email.draft", Verb::Create, TargetKind::Mailbox, Effect::Reversible, "from"),
    send("email.send"),
    deed("email_draft", Verb::Create, TargetKind::Mailbox, Effect::Reversible, "from"),
    send("email_send"),
    submit("grant.submit"),
    submit("grant_submit"),
    deed("memory_delete", Verb::Delete, TargetKind::MemoryEntry, Effect::Irreversible, "kind"),
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
    deed("vault_grant", Verb::Grant, TargetKind::VaultCapability, Effect::Irreversible, "capability"),
    deed("vault_grant_capability", Verb::Grant, TargetKind::VaultCapability, Effect::Irreversible, "capability"),
    deed("vault_list", Verb::List, TargetKind::VaultCapability, Effect::None, "capability"),
    listen("voice_listen"),
];

/// What a call of such a tool does.
pub(crate) fn judge(deed: &Deed, root: JsonValue<'_>) -> Finding {
    let whole = |traits| {
        Operation::new(deed.verb, deed.name, deed.effect, Span::WHOLE).with_traits(traits).reaching(match deed.kind {
            TargetKind::PersonalData => Scope::AllInParent,
            _ => Scope::One,
        })
    };
    let subject = root.get(deed.subject).and_then(JsonValue::as_str).unwrap_or("");
    let main = whole(deed.traits).on(Segment::exact(deed.kind, subject));
    let mut finding = Finding::default().with_operation(main);
    for (key, kind) in deed.also {
        let Some(value) = root.get(key) else { continue };
        for name in names(value) {
            finding = match name {
                Some((name, span)) => finding.with_operation(further(deed, *kind, &name, span)),
                None => finding.with_doubt(Reason::MalformedArgument, value.span()),
            };
        }
    }
    finding
}

fn further(deed: &Deed, kind: TargetKind, name: &str, span: Span) -> Operation {
    let operation = match kind {
        // A change to the agent itself, or an export, writes the files it names.
        TargetKind::File => Operation::new(Verb::Update, deed.name, Effect::Reversible, span),
        _ => Operation::new(deed.verb, deed.name, deed.effect, span).with_traits(deed.traits),
    };
    operation.on(Segment::exact(kind, name))
}

/// The names in a text with commas between, or in a list of texts; `None` for anything that is no name.
fn names(value: JsonValue<'_>) -> Vec<Option<(String, Span)>> {
    match value.kind() {
        JsonKind::Text => {
            let text = value.as_str().unwrap_or("");
            let parts = text.split([',', ';']).map(str::trim).filter(|part| !part.is_empty());
            parts.map(|part| Some((address(part), value.span()))).collect()
        }
        JsonKind::Array => {
            value.children().map(|(_, item)| item.as_str().map(|text| (address(text.trim()), item.span()))).collect()
        }
        JsonKind::Null => Vec::new(),
        JsonKind::Boolean | JsonKind::Number | JsonKind::Object => vec![None],
    }
}

/// The address of `Name <address>`.
fn address(text: &str) -> String {
    match text.rsplit_once('<').and_then(|(_, rest)| rest.strip_suffix('>')) {
        Some(inside) => inside.trim().to_owned(),
        None => text.to_owned(),
    }
}
