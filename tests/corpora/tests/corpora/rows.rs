//! What every row of `guard-failures.md` needs to be a test: what the gate is configured with, and what is judged.

/// What an answer has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Must {
    Allow,
    Ask,
    Deny,
    /// Asked or denied.
    NotAllow,
    /// Denied with every toggle loosened that the row does not speak of, at the level that refuses nothing.
    DenyHard,
}

/// What an operator has configured and how the session was started.
#[derive(Clone, Copy)]
pub(crate) struct Context {
    /// The user's file.
    pub(crate) config: &'static str,
    /// More of the command line.
    pub(crate) arguments: &'static [&'static str],
}

/// Nothing is configured.
pub(crate) const PLAIN: Context = Context { config: "", arguments: &[] };
/// An operator whose workspace is the only place to reach.
pub(crate) const ROOTED: &str = "toggles.\"shell.allow_outside_workspace\" = \"deny\"\n";

/// How a row becomes a test.
pub(crate) enum How {
    /// Its inputs are shell lines, each judged by itself.
    Lines(Context, &'static [Must]),
    /// It needs more than one call, or another tool than the shell: a test of its own, by the id.
    Own,
    /// What is right needs a part of the product that is not there yet. Until then no shell line of it is allowed.
    Later(Context, &'static str),
    /// As before, and there is nothing to judge before that part is there.
    Absent(&'static str),
}

use How::{Absent, Later, Lines, Own};
use Must::{Ask, Deny, DenyHard, NotAllow};

/// Every row.
pub(crate) const ROWS: &[(&str, How)] = &[
    ("BL-01", Lines(PLAIN, &[DenyHard])),
    ("BL-02", Lines(PLAIN, &[DenyHard])),
    ("BL-03", Lines(PLAIN, &[DenyHard])),
    ("BL-05", Lines(PLAIN, &[NotAllow, Deny])),
    ("BL-07", Lines(PLAIN, &[DenyHard])),
    ("BL-08", Lines(PLAIN, &[DenyHard])),
    // Where only reading was let through, nothing that changes anything may ride along.
    (
        "BL-13",
        Lines(
            Context { config: "rungs = [{ effect = \"reversible\", guarded = \"ask\" }]\n", arguments: &[] },
            &[Ask, Ask, Ask],
        ),
    ),
    ("BL-17", Lines(PLAIN, &[Ask])),
    ("BL-18", Lines(PLAIN, &[DenyHard, DenyHard])),
    // Both lines of one shell, and the first alone. What a shell carries over to the next call no event of a host tells.
    ("BL-20", Own),
    // Where `mkdir` and `echo` were let through, the redirection is asked about by itself.
    (
        "BL-22",
        Lines(
            Context {
                config: "rungs = [{ verb = \"update\", native = \">\", effect = \"reversible\", guarded = \"ask\" }]\n",
                arguments: &[],
            },
            &[Ask],
        ),
    ),
    ("BL-24", Lines(PLAIN, &[Deny, DenyHard, NotAllow])),
    ("BL-25", Lines(PLAIN, &[DenyHard])),
    ("BL-fp4", Own),
    ("BL-27", Own),
    ("BL-29", Own),
    ("BL-30", Own),
    ("BL-31", Own),
    // A session that only reads refuses what nobody understands: that holds without a vocabulary for SQL.
    ("BL-34", Own),
    ("BL-36", Own),
    ("BL-38", Own),
    ("BL-39", Lines(Context { config: "session.allow_writes = [\"apply\"]\n", arguments: &[] }, &[Deny])),
    ("BL-40", Own),
    (
        "BL-41",
        Later(PLAIN, "what a payload grants is told by a vocabulary for Kubernetes; without one it is asked about"),
    ),
    ("BL-42", Lines(Context { config: "session.access = \"read-only\"\n", arguments: &[] }, &[NotAllow, NotAllow])),
    ("BL-45", Absent("a hop is seen by whoever performs the request, and nothing here performs one")),
    ("BL-47", Own),
    ("BL-49", Own),
    ("BL-52", Own),
    ("BL-53", Own),
    ("BL-54", Own),
    ("BL-55", Own),
    ("BL-57", Own),
    (
        "BL-59",
        Absent("no server speaks MCP yet, so no client is asked; what such a channel is worth is a test of the core"),
    ),
    ("BL-60", Own),
    ("BL-61", Absent("there is no run policy yet, so nothing decides containment")),
    ("BL-62", Absent("there is no run policy yet, so nothing restricts an argument")),
    ("ME-04", Lines(PLAIN, &[DenyHard, Ask])),
    ("ME-08", Lines(PLAIN, &[Ask])),
    ("ME-09", Lines(PLAIN, &[Ask])),
    ("ME-10", Own),
];
