//! The capability snapshot: which tools exist for a run. It is fixed when the gate is built; there is no way to add one
//! later.

use holdpoint_core::posture::{Posture, SessionAccess};
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

    /// Without the tools that could change nothing that the session may change. `changes` says of a tool, by server and name,
    /// by which verbs and native words it may change something; none for one that only reads. Where the agent host decides
    /// which tools exist, all of them stay, and only their calls are judged.
    pub fn scoped(self, posture: &Posture, changes: impl Fn(&str, &str) -> Vec<String>) -> CapabilitySnapshot {
        let stays = |(server, name): &(String, String)| {
            let words = changes(server, name);
            let may_change = posture.session == SessionAccess::Full && posture.unreadable.is_none();
            let in_scope = || posture.writes.names(name) || words.iter().any(|word| posture.writes.names(word));
            words.is_empty() || (may_change && in_scope())
        };
        let offered = match self.offered {
            Offered::ByHost => Offered::ByHost,
            Offered::Only(tools) => Offered::Only(tools.into_iter().filter(stays).collect()),
        };
        CapabilitySnapshot { offered }
    }

    /// Whether the tool exists.
    pub fn offers(&self, server: &str, name: &str) -> bool {
        match &self.offered {
            Offered::ByHost => true,
            Offered::Only(tools) => tools.contains(&(server.to_owned(), name.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holdpoint_core::posture::WriteScope;

    fn offered(posture: &Posture) -> Vec<&'static str> {
        let words = |_: &str, name: &str| match name {
            "queue_list" => Vec::new(),
            "queue_delete" => vec!["delete".to_owned()],
            _ => vec!["update".to_owned()],
        };
        let tools = ["queue_list", "queue_delete", "terminate"];
        let snapshot = CapabilitySnapshot::of_tools(tools.map(|tool| ("q", tool))).scoped(posture, words);
        tools.into_iter().filter(|tool| snapshot.offers("q", tool)).collect()
    }

    #[test]
    fn what_a_session_may_not_change_is_not_offered() {
        let only = |word: &str| Posture { writes: WriteScope::Only(vec![word.to_owned()]), ..Posture::FREE };
        assert_eq!(offered(&Posture::FREE), ["queue_list", "queue_delete", "terminate"]);
        assert_eq!(offered(&only("queue_delete")), ["queue_list", "queue_delete"], "by its name");
        assert_eq!(offered(&only("delete")), ["queue_list", "queue_delete"], "by what it does");
        assert_eq!(offered(&only("send")), ["queue_list"]);
        assert_eq!(offered(&Posture { session: SessionAccess::ReadOnly, ..Posture::FREE }), ["queue_list"]);
        assert_eq!(offered(&Posture { unreadable: Some("x".to_owned()), ..Posture::FREE }), ["queue_list"]);
        let by_host = CapabilitySnapshot::of_host().scoped(&only("send"), |_, _| vec!["delete".to_owned()]);
        assert!(by_host.offers("", "Bash"));
    }
}
