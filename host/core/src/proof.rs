//! What shows who is calling, as the transport established it: one table says what counts where. Nothing in it comes from
//! the call.

use crate::words::{WordSet, words};

words! {
    /// The way a call came in.
    Transport {
        CommandLine = "cli", Hook = "hook", McpStdio = "mcp-stdio", McpHttp = "mcp-http", Console = "console",
        Embedded = "embed",
    }
}

words! {
    /// Something that a transport has checked.
    Evidence {
        PeerUser = "peer-user", Bearer = "bearer", ConsoleSession = "console-session", CsrfToken = "csrf-token",
        HostAssertion = "host-assertion",
    }
}

/// How a call came in, and what was checked about whoever sent it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The way it came in.
    pub transport: Transport,
    /// What was checked.
    pub evidence: WordSet<Evidence>,
}

impl Proof {
    /// A call whose process runs as the user who owns the state folder.
    pub const fn of_peer_user(transport: Transport) -> Proof {
        Proof { transport, evidence: WordSet::one_at(Evidence::PeerUser as u32) }
    }

    /// A call of a program that embeds the gate and vouches for its caller.
    pub const fn of_host() -> Proof {
        Proof { transport: Transport::Embedded, evidence: WordSet::one_at(Evidence::HostAssertion as u32) }
    }

    /// Whether the caller is known, by what counts on this transport.
    pub fn is_authenticated(&self) -> bool {
        self.evidence.contains(authentication(self.transport))
    }

    /// Whether the call was made by the page it seems to come from, where pages can call at all.
    pub fn is_of_own_page(&self) -> bool {
        match self.transport {
            Transport::Console => {
                self.evidence.contains(Evidence::ConsoleSession) && self.evidence.contains(Evidence::CsrfToken)
            }
            // No page can send what these carry, or speak to them at all.
            Transport::CommandLine
            | Transport::Hook
            | Transport::McpStdio
            | Transport::McpHttp
            | Transport::Embedded => true,
        }
    }
}

/// What authenticates on a transport.
fn authentication(transport: Transport) -> Evidence {
    match transport {
        Transport::CommandLine | Transport::Hook | Transport::McpStdio => Evidence::PeerUser,
        Transport::McpHttp => Evidence::Bearer,
        Transport::Console => Evidence::ConsoleSession,
        Transport::Embedded => Evidence::HostAssertion,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Word;

    #[test]
    fn each_transport_has_one_thing_that_authenticates_and_no_other_does() {
        for transport in Transport::ALL.iter().copied() {
            let counts: std::vec::Vec<Evidence> = Evidence::ALL
                .iter()
                .copied()
                .filter(|one| Proof { transport, evidence: WordSet::of(&[*one]) }.is_authenticated())
                .collect();
            assert_eq!(counts, [authentication(transport)], "{transport}");
            assert!(!Proof { transport, evidence: WordSet::EMPTY }.is_authenticated(), "{transport}");
        }
    }

    #[test]
    fn the_console_needs_session_and_token_and_nothing_else_can_be_a_page() {
        let of = |transport, evidence: &[Evidence]| Proof { transport, evidence: WordSet::of(evidence) };
        for transport in Transport::ALL.iter().copied() {
            let bare = of(transport, &[]).is_of_own_page();
            assert_eq!(bare, transport != Transport::Console, "{transport}");
        }
        let (session, token) = (Evidence::ConsoleSession, Evidence::CsrfToken);
        assert!(of(Transport::Console, &[session, token]).is_of_own_page());
        assert!(!of(Transport::Console, &[session]).is_of_own_page());
        assert!(!of(Transport::Console, &[token]).is_of_own_page());
    }

    #[test]
    fn a_short_proof_holds_where_it_is_meant_to() {
        assert!(Proof::of_peer_user(Transport::Hook).is_authenticated() && Proof::of_host().is_authenticated());
        assert!(!Proof::of_peer_user(Transport::Console).is_authenticated());
    }
}
