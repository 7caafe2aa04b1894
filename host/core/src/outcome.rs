//! What became of an action that was let through, as a line on the same chain as the decision.

use crate::journal::Line;
use crate::json::Json;
use crate::ports::Settled;
use crate::proof::Transport;
use crate::refusal::shortened;
use crate::report::timestamp;
use crate::words::{Word, words};
use alloc::string::String;

/// The kind of a journal line that says what became of an action.
pub const OUTCOME: &str = "outcome";

words! {
    /// What became of an action.
    Became {
        /// It happened.
        Completed = "completed",
        /// It was let through and did not happen.
        Skipped = "skipped",
        /// It happened and was taken back within its window.
        Undone = "undone",
    }
}

impl Became {
    /// Whether what it took of a limit stays taken.
    pub fn settled(self) -> Settled {
        match self {
            Became::Completed => Settled::Done,
            Became::Skipped | Became::Undone => Settled::NotDone,
        }
    }
}

/// Which action it is about. At least one of the first two finds its decision.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reference {
    /// The name that decision and answer share; empty where the transport does not keep it.
    pub correlation_id: String,
    /// The transport's own name for the call; empty where it has none.
    pub call: String,
    /// The run; empty where the transport names none.
    pub run: String,
}

/// What a transport says about an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Execution {
    /// Who acted.
    pub principal: String,
    /// The way it came in.
    pub via: Transport,
    /// Which action.
    pub reference: Reference,
    /// What became of it.
    pub became: Became,
}

impl Execution {
    /// Its line. Every member is bounded, so it never is too long.
    pub fn line(&self, at_ms: u64) -> Line {
        let name = |text: &str| if text.is_empty() { Json::Null } else { Json::text(shortened(text)) };
        Line::bounded(Json::object([
            ("ts", timestamp(at_ms)),
            ("kind", Json::text(OUTCOME)),
            ("stage", Json::text(self.became.as_str())),
            ("via", Json::text(self.via.as_str())),
            ("actor", name(&self.principal)),
            ("run", name(&self.reference.run)),
            ("call", name(&self.reference.call)),
            ("correlation_id", name(&self.reference.correlation_id)),
        ]))
    }
}

/// The kind of a line that only names where the other streams end, behind something that a person did outside of every call.
pub const MARK: &str = "mark";

/// Such a line, with what was done.
pub fn mark(actor: &str, what: &str, at_ms: u64) -> Line {
    Line::bounded(Json::object([
        ("ts", timestamp(at_ms)),
        ("kind", Json::text(MARK)),
        ("actor", Json::text(shortened(actor))),
        ("what", Json::text(shortened(what))),
    ]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::{Head, LINE_BYTES_MAX};

    #[test]
    fn only_what_happened_and_stayed_keeps_what_it_took() {
        let settled: alloc::vec::Vec<Settled> = Became::ALL.iter().map(|became| became.settled()).collect();
        assert_eq!(settled, [Settled::Done, Settled::NotDone, Settled::NotDone]);
    }

    #[test]
    fn a_line_stays_bounded_and_names_only_what_is_known() {
        let long = "x\u{202e}".repeat(LINE_BYTES_MAX);
        let reference = Reference { correlation_id: String::new(), call: long.clone(), run: long.clone() };
        let outcome = Execution { principal: long, via: Transport::Hook, reference, became: Became::Completed };
        let (text, _) = outcome.line(1_500).seal(Head::START);
        assert!(text.len() < 4_096, "{}", text.len());
        assert!(text.contains("\"stage\":\"completed\"") && text.contains("\"correlation_id\":null"), "{text}");
    }
}
