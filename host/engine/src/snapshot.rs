//! The capability snapshot: which tools exist for a run. It is fixed when the gate is built; there is no way to add one
//! later.

use std::collections::BTreeSet;

/// The tools that exist for a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CapabilitySnapshot {
    offered: Offered,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Offered {
    /// The agent host decides which tools exist; this gate only judges calls of them.
    ByHost,
    /// These, by server and name.
    Only(BTreeSet<(String, String)>),
}

impl CapabilitySnapshot {
    /// For a gate in front of an agent host that has its own list of tools.
    pub fn of_host() -> CapabilitySnapshot {
        CapabilitySnapshot { offered: Offered::ByHost }
    }

    /// For a gate that offers exactly these tools, by server and name.
    pub fn of_tools<'a>(tools: impl IntoIterator<Item = (&'a str, &'a str)>) -> CapabilitySnapshot {
        let owned = |(server, name): (&str, &str)| (server.to_owned(), name.to_owned());
        CapabilitySnapshot { offered: Offered::Only(tools.into_iter().map(owned).collect()) }
    }

    /// Whether the tool exists.
    pub fn offers(&self, server: &str, name: &str) -> bool {
        match &self.offered {
            Offered::ByHost => true,
            Offered::Only(tools) => tools.contains(&(server.to_owned(), name.to_owned())),
        }
    }
}
