//! Operations and the words they are made of, as in `wit/`. Lattice enums are ordered lowest first; the order is the
//! contract's and decides what "worse" means.

use crate::words::{WordSet, words};
use alloc::string::String;
use alloc::vec::Vec;

words! {
    /// What stays behind afterwards. Lattice order.
    Effect { None = "none", Reversible = "reversible", Irreversible = "irreversible", Unknown = "unknown" }
}

words! {
    /// How much an operation reaches into its target. Lattice order.
    Access {
        List = "list", Read = "read", Tagging = "tagging", Write = "write", Permissions = "permissions",
        Unknown = "unknown",
    }
}

words! {
    /// How much one operation may touch. Lattice order.
    Scope {
        One = "one", Selection = "selection", AllInParent = "all-in-parent", Parent = "parent", Root = "root",
        Unknown = "unknown",
    }
}

words! {
    /// What an operation does. Not a lattice.
    Verb {
        Get = "get", List = "list", Watch = "watch", Create = "create", Update = "update", Patch = "patch",
        Delete = "delete", Deletecollection = "deletecollection", Impersonate = "impersonate", Bind = "bind",
        Escalate = "escalate", Approve = "approve", Sign = "sign", Use = "use", Connect = "connect", Exec = "exec",
        Grant = "grant", Revoke = "revoke", Begin = "begin", Commit = "commit", Rollback = "rollback", Lock = "lock",
        Configure = "configure", Upload = "upload", Download = "download", Send = "send", Nothing = "nothing",
        Unknown = "unknown",
    }
}

words! {
    /// A property of an operation that rules look at.
    Trait {
        Network = "network", ExternalContent = "external-content", Sensitive = "sensitive", Secret = "secret",
        RunsCode = "runs-code", Persistence = "persistence", Privilege = "privilege",
        NotIdempotent = "not-idempotent",
    }
}

words! {
    /// A way in which text may leave the place it was meant for.
    Escape {
        Argument = "argument", OsCommand = "os-command", Sql = "sql", Env = "env", Path = "path",
        Symlink = "symlink", InterpretationLayers = "interpretation-layers", Encoding = "encoding",
        Homoglyph = "homoglyph", Ssrf = "ssrf", ContainerEscape = "container-escape", Privilege = "privilege",
        ConfigPersistence = "config-persistence", Resolution = "resolution", Transaction = "transaction",
    }
}

words! {
    /// What must hold, or be done by the caller, for a finding to be true.
    ObligationKind {
        SingleStatement = "single-statement", ReadOnlyTransaction = "read-only-transaction",
        WhereClause = "where-clause", RowLimit = "row-limit", StatementTimeout = "statement-timeout",
        LockTimeout = "lock-timeout", DryRun = "dry-run", PinnedPlan = "pinned-plan", Precondition = "precondition",
        NoRepoConfig = "no-repo-config", CleanEnv = "clean-env", ResolvedExecutable = "resolved-executable",
        ResolveAtOpen = "resolve-at-open", EndOfOptions = "end-of-options", PinnedVersion = "pinned-version",
        PinnedHash = "pinned-hash", NoScripts = "no-scripts", TargetConfirmed = "target-confirmed",
        RecheckRedirects = "recheck-redirects", UndoWindow = "undo-window",
    }
}

words! {
    /// What a step of the way to a resource is.
    TargetKind {
        Machine = "machine", Host = "host", File = "file", Filesystem = "filesystem", Mount = "mount",
        Process = "process", Environment = "environment", ShellState = "shell-state", Terminal = "terminal",
        User = "user", Credential = "credential", Service = "service", Schedule = "schedule", Package = "package",
        SystemSetting = "system-setting", Code = "code", GitCommit = "git-commit", GitRef = "git-ref",
        GitRemote = "git-remote", Mailbox = "mailbox", Recipient = "recipient", MemoryEntry = "memory-entry",
        VaultCapability = "vault-capability", Microphone = "microphone", BrowserElement = "browser-element",
        SelfModification = "self-modification", Application = "application", PersonalData = "personal-data",
        ToolSchema = "tool-schema", Unknown = "unknown",
    }
}

words! {
    /// How much of a word is known before it runs. Lattice order.
    Certainty { Exact = "exact", Glob = "glob", Dynamic = "dynamic" }
}

/// Properties of an operation.
pub type Traits = WordSet<Trait>;
/// Ways out that a finding names.
pub type Escapes = WordSet<Escape>;

/// A place in the text of the action an operation comes from: bytes `start..end` of part `part`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Word of `argv`, node of the JSON arena, or 0 for a text.
    pub part: u32,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// One step of the way to a resource, root first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Segment {
    /// What the step is.
    pub kind: TargetKind,
    /// Its name, to be read as `certainty` says.
    pub name: String,
    /// How the name is to be read.
    pub certainty: Certainty,
}

/// An obligation with its amount: milliseconds, rows, or 0 where the kind takes none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Obligation {
    /// What must hold.
    pub kind: ObligationKind,
    /// How much of it.
    pub amount: u64,
}

/// One operation that an action would perform.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Operation {
    /// What it does.
    pub verb: Verb,
    /// The field's own word.
    pub native: String,
    /// The way to the resource, root first; empty where the operation has none.
    pub target: Vec<Segment>,
    /// How much it reaches into the target.
    pub access: Access,
    /// What stays behind.
    pub effect: Effect,
    /// How much it may touch.
    pub scope: Scope,
    /// What rules look at.
    pub traits: Traits,
    /// Where it stands in the action.
    pub origin: Span,
}

impl Operation {
    /// The kind of the resource itself, the last step of the way.
    pub fn kind(&self) -> Option<TargetKind> {
        self.target.last().map(|segment| segment.kind)
    }

    /// Whether the operation may change its target.
    pub fn writes(&self) -> bool {
        match self.access {
            Access::List | Access::Read => self.effect != Effect::None,
            Access::Tagging | Access::Write | Access::Permissions | Access::Unknown => true,
        }
    }

    /// Whether the operation removes its target.
    pub fn removes(&self) -> bool {
        matches!(self.verb, Verb::Delete | Verb::Deletecollection)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Word;

    #[test]
    fn lattice_order_is_the_contract_s() {
        assert_eq!(Effect::ALL.iter().max(), Some(&Effect::Unknown));
        assert!(Effect::None < Effect::Reversible && Effect::Reversible < Effect::Irreversible);
        assert!(Access::List < Access::Read && Access::Write < Access::Permissions);
        assert!(Scope::One < Scope::Selection && Scope::Root < Scope::Unknown);
        assert!(Certainty::Exact < Certainty::Glob && Certainty::Glob < Certainty::Dynamic);
    }

    #[test]
    fn every_word_finds_its_value_and_no_two_share_a_spelling() {
        for verb in Verb::ALL {
            assert_eq!(Verb::from_word(verb.as_str()), Some(*verb));
        }
        assert_eq!(Verb::from_word("allow"), None);
    }
}
