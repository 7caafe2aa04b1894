//! Which verb, kind and native word belong together: the rows that `kinds` describes.

use crate::kinds::{OfKind, OfNative, OfVerb, Stands};
use crate::operation::{TargetKind, Verb};

const RIGHTS: &[TargetKind] =
    &[TargetKind::User, TargetKind::Credential, TargetKind::Service, TargetKind::VaultCapability];
const MAIL: &[TargetKind] = &[TargetKind::Mailbox, TargetKind::Recipient];
const REMOTE: &[TargetKind] = &[TargetKind::GitRemote];
const COMMIT: &[TargetKind] = &[TargetKind::GitCommit];
const MEMORY: &[TargetKind] = &[TargetKind::MemoryEntry];
const BROWSER: &[TargetKind] = &[TargetKind::BrowserElement];
const VAULT: &[TargetKind] = &[TargetKind::VaultCapability, TargetKind::Credential];
const HELD_BY: &str = "a right is of a user, a credential, a service or a vault";

/// Verbs that rules look at.
pub const OF_VERBS: &[OfVerb] = &[
    OfVerb {
        verb: Verb::Send,
        kinds: &[
            TargetKind::Host,
            TargetKind::User,
            TargetKind::Service,
            TargetKind::Mailbox,
            TargetKind::Recipient,
            TargetKind::Application,
        ],
        why: "what is sent goes to a host, a user, a service, a mailbox, a recipient, or is an application",
    },
    OfVerb { verb: Verb::Grant, kinds: RIGHTS, why: HELD_BY },
    OfVerb { verb: Verb::Revoke, kinds: RIGHTS, why: HELD_BY },
    OfVerb { verb: Verb::Bind, kinds: RIGHTS, why: HELD_BY },
    OfVerb { verb: Verb::Escalate, kinds: RIGHTS, why: HELD_BY },
    OfVerb { verb: Verb::Impersonate, kinds: RIGHTS, why: "somebody else is a user, a credential or a service" },
    OfVerb {
        verb: Verb::Approve,
        kinds: &[TargetKind::Credential, TargetKind::SelfModification, TargetKind::Application, TargetKind::ToolSchema],
        why: "what is approved was proposed: a credential, a change to the agent, an application or a tool's schema",
    },
    OfVerb {
        verb: Verb::Use,
        kinds: &[TargetKind::Credential, TargetKind::VaultCapability, TargetKind::Microphone],
        why: "what is used is a credential, a right of a vault or a microphone",
    },
];

/// Kinds of which rules look at certain verbs.
pub const OF_KINDS: &[OfKind] = &[
    OfKind {
        kind: TargetKind::Machine,
        verbs: &[Verb::Get, Verb::List, Verb::Watch, Verb::Configure],
        why: "what changes a whole machine, such as a shutdown, is `configure`",
    },
    OfKind {
        kind: TargetKind::Process,
        verbs: &[
            Verb::Get,
            Verb::List,
            Verb::Watch,
            Verb::Create,
            Verb::Update,
            Verb::Patch,
            Verb::Delete,
            Verb::Deletecollection,
        ],
        why: "a process is started by `create`",
    },
    OfKind {
        kind: TargetKind::GitCommit,
        verbs: &[Verb::Get, Verb::List, Verb::Create, Verb::Delete],
        why: "a commit never changes: one is recorded by `create`, and what takes its place is another",
    },
    OfKind {
        kind: TargetKind::GitRef,
        verbs: &[
            Verb::Get,
            Verb::List,
            Verb::Watch,
            Verb::Create,
            Verb::Update,
            Verb::Delete,
            Verb::Deletecollection,
            Verb::Download,
        ],
        why: "a branch or tag is made, moved or deleted, here or on a remote",
    },
    OfKind {
        kind: TargetKind::GitRemote,
        verbs: &[
            Verb::Get,
            Verb::List,
            Verb::Watch,
            Verb::Create,
            Verb::Update,
            Verb::Delete,
            Verb::Download,
            Verb::Connect,
            Verb::Configure,
        ],
        why: "a push is `create`, `update` or `delete` of the remote, whatever else it does",
    },
    OfKind {
        kind: TargetKind::Mailbox,
        verbs: &[
            Verb::Get,
            Verb::List,
            Verb::Watch,
            Verb::Create,
            Verb::Update,
            Verb::Patch,
            Verb::Delete,
            Verb::Deletecollection,
            Verb::Download,
            Verb::Send,
        ],
        why: "what leaves a mailbox is `send`",
    },
    OfKind {
        kind: TargetKind::Recipient,
        verbs: &[Verb::Get, Verb::List, Verb::Send],
        why: "a recipient is who something is sent to",
    },
    OfKind {
        kind: TargetKind::SelfModification,
        verbs: &[Verb::Get, Verb::List, Verb::Watch, Verb::Create, Verb::Approve, Verb::Delete],
        why: "a change to the agent is proposed by `create` and carried out by `approve`",
    },
];

const fn part(text: &'static str, kinds: &'static [TargetKind], why: &'static str) -> OfNative {
    OfNative { text, stands: Stands::Part, kinds, why }
}

const fn whole(text: &'static str, kinds: &'static [TargetKind], why: &'static str) -> OfNative {
    OfNative { text, stands: Stands::Whole, kinds, why }
}

const PUSHES: &str = "a push is about a git remote";
const COMMITS: &str = "recording a commit is about a git commit";
const MAILS: &str = "sending mail is about a mailbox or a recipient";
const LISTENS: &str = "listening is about a microphone";
const REMEMBERS: &str = "what is remembered is a memory entry";
const ACTS: &str = "acting on a page is about an element of it";
const UNLOCKS: &str = "what a vault hands out is a right of it or a credential";

/// Native words that say by themselves what a rule is about.
pub const OF_NATIVES: &[OfNative] = &[
    whole("push", REMOTE, PUSHES),
    part("gitpush", REMOTE, PUSHES),
    part("forcepush", REMOTE, PUSHES),
    whole("commit", COMMIT, COMMITS),
    part("gitcommit", COMMIT, COMMITS),
    part("sendmail", MAIL, MAILS),
    part("sendemail", MAIL, MAILS),
    part("mailsend", MAIL, MAILS),
    whole("grant", RIGHTS, HELD_BY),
    part("vaultgrant", VAULT, UNLOCKS),
    part("vaultunlock", VAULT, UNLOCKS),
    part("unlockvault", VAULT, UNLOCKS),
    whole("unlock", VAULT, UNLOCKS),
    part("voicelisten", &[TargetKind::Microphone], LISTENS),
    part("microphonelisten", &[TargetKind::Microphone], LISTENS),
    whole("remember", MEMORY, REMEMBERS),
    part("savememory", MEMORY, REMEMBERS),
    part("memorysave", MEMORY, REMEMBERS),
    part("memorywrite", MEMORY, REMEMBERS),
    part("browserclick", BROWSER, ACTS),
    part("browsertype", BROWSER, ACTS),
    part("browsersubmit", BROWSER, ACTS),
    part("browserfill", BROWSER, ACTS),
    part("selfmod", &[TargetKind::SelfModification], "a change to the agent is a self-modification"),
    part("toolschema", &[TargetKind::ToolSchema], "what a tool says of itself is its schema"),
    part("grantsubmit", &[TargetKind::Application], "what is handed in is an application"),
    part("piiexport", &[TargetKind::PersonalData], "an export of persons is of personal data"),
];
