//! The core's own toggles: data only, each in the words an operator reads before loosening it.

use crate::registry::{Category, Declaration, Reauth, Registry, SafetyToggle, ToggleState, Unfit};
use crate::toggle::ToggleKey;
use crate::words::Word;
use alloc::borrow::Cow;
use alloc::vec::Vec;

/// A toggle of the core, with what differs between them.
struct Own {
    key: ToggleKey,
    label: &'static str,
    category: Category,
    description: &'static str,
    warning: [&'static str; 5],
    phrase: &'static str,
    reauth: Reauth,
    cooldown_s: u32,
    invariants: &'static [&'static str],
}

const OWN: &[Own] = &[
    Own {
        key: ToggleKey::CodeAutoCommit,
        label: "Commit without asking",
        category: Category::Code,
        description: "An agent may record commits without showing them first.",
        warning: [
            "Commits appear in your repositories without anybody having looked at them.",
            "At once: a half-done change, a debugging line or a wrong author ends up in the history.",
            "At worst: a credential or a planted line is recorded, and everybody who pulls has it.",
            "It holds for every agent on this machine and every repository they reach, not only this one.",
            "Leave this off unless every commit is reviewed again before it leaves your machine.",
        ],
        phrase: "Commit my code without asking",
        reauth: Reauth::NotNeeded,
        cooldown_s: 60,
        invariants: &["floor.protected-path"],
    },
    Own {
        key: ToggleKey::CodeAutoPush,
        label: "Push without asking",
        category: Category::Code,
        description: "An agent may send commits and refs to remote repositories without asking.",
        warning: [
            "What an agent committed is published as soon as it decides to.",
            "At once: unfinished work starts builds and deployments, and others pull it.",
            "At worst: a branch of others is overwritten, or a secret is public for ever.",
            "It holds for every agent on this machine and for every remote your credentials open.",
            "Leave this off unless your remotes refuse what must not happen, on their own side.",
        ],
        phrase: "Push my code without asking",
        reauth: Reauth::Required,
        cooldown_s: 120,
        invariants: &["floor.protected-path", "floor.own-level"],
    },
    Own {
        key: ToggleKey::ShellAllowDestructiveFlags,
        label: "Destructive shell commands",
        category: Category::Fs,
        description: "A shell may do what cannot be undone, and what is not understood, without asking.",
        warning: [
            "Deleting, overwriting and commands that nobody understood run as the agent wrote them.",
            "At once: a wrong variable or a wrong folder removes work that exists nowhere else.",
            "At worst: an instruction hidden in a file the agent read runs as you, and nobody is asked.",
            "It holds for every agent on this machine and every command they start.",
            "Leave this off unless the machine can be thrown away and has no credentials on it.",
        ],
        phrase: "Allow destructive shell commands",
        reauth: Reauth::Required,
        cooldown_s: 300,
        invariants: &[
            "floor.protected-path",
            "floor.system-deletion",
            "floor.filesystem-formatting",
            "floor.raw-device-write",
            "floor.machine-halt",
        ],
    },
    Own {
        key: ToggleKey::ShellAllowOutsideWorkspace,
        label: "Files outside the workspace",
        category: Category::Fs,
        description: "An agent may write outside its workspace, and read private places there, without asking.",
        warning: [
            "Every file your account can open is within reach, not only those of this project.",
            "At once: notes, other projects and settings are read or changed by mistake.",
            "At worst: keys and mail are read and then sent on, or a start-up file is changed.",
            "It holds for every agent on this machine, whatever folder it was started in.",
            "Leave this off unless the account holds nothing that you would not show the agent.",
        ],
        phrase: "Let agents leave the workspace",
        reauth: Reauth::Required,
        cooldown_s: 120,
        invariants: &["floor.protected-path", "floor.system-deletion"],
    },
    Own {
        key: ToggleKey::NetAllowOutbound,
        label: "Outbound network",
        category: Category::Net,
        description: "An agent may reach other machines without asking.",
        warning: [
            "Anything the agent has read can be sent anywhere, and anything can be fetched.",
            "At once: a request with side effects reaches a service you pay for or rely on.",
            "At worst: your data leaves in a request that looks like any other, and cannot be called back.",
            "It holds for every agent on this machine and every program they start.",
            "Leave this off unless a firewall or a proxy already decides which machines can be reached.",
        ],
        phrase: "Open the network to agents",
        reauth: Reauth::Required,
        cooldown_s: 120,
        invariants: &["floor.protected-path", "floor.own-level"],
    },
];

/// The registry of the core's own toggles.
pub fn own_registry() -> Result<Registry, Unfit> {
    let toggles: Result<Vec<SafetyToggle>, Unfit> = OWN.iter().map(|own| SafetyToggle::new(declaration(own))).collect();
    Registry::new(toggles?)
}

fn declaration(own: &Own) -> Declaration {
    Declaration {
        key: Cow::Borrowed(own.key.as_str()),
        label: Cow::Borrowed(own.label),
        category: own.category,
        default_state: ToggleState::Restrictive,
        description: Cow::Borrowed(own.description),
        warning: own.warning.iter().map(|bullet| Cow::Borrowed(*bullet)).collect(),
        phrase: Cow::Borrowed(own.phrase),
        reauth: own.reauth,
        cooldown_s: own.cooldown_s,
        cap: None,
        invariants: own.invariants.iter().map(|name| Cow::Borrowed(*name)).collect(),
    }
}
