//! The run that a call belongs to, as the host tells it. Nothing in it comes from the call.

use crate::annotations::Annotations;
use crate::digest::Digest;
use crate::paths::AbsPath;
use crate::words::words;
use alloc::string::String;
use alloc::vec::Vec;

/// Operations that a run without a person may do in a UTC day while its cap is not raised.
pub const AUTONOMOUS_OPERATIONS_MAX: u64 = 200;

words! {
    /// What the run is for at the moment.
    Mode { Working = "working", Planning = "planning" }
}

words! {
    /// Who drives the run.
    Driver { Person = "person", Autonomous = "autonomous", Background = "background" }
}

words! {
    /// Whether a person's run is going on beside this one.
    Session { Quiet = "quiet", Live = "live" }
}

words! {
    /// How the tests of the project stand.
    TestStatus { Passing = "passing", Failing = "failing", Unknown = "unknown" }
}

words! {
    /// The switch that stops every agent.
    Stop { Clear = "clear", Engaged = "engaged" }
}

words! {
    /// Whether a person holds the key that lets an agent listen.
    Gesture { None = "none", Held = "held" }
}

/// A tool of the approved catalogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The server; empty for a tool of the agent host itself.
    pub server: String,
    /// The tool.
    pub tool: String,
    /// The digest of the schema that was approved; `None` where the tool is approved with any schema.
    pub schema: Option<Digest>,
}

/// The tools that an operator approved. A tool may be listed once for each schema that was approved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalogue {
    /// The tools, in any order.
    pub tools: Vec<Listed>,
}

impl Catalogue {
    /// Why a tool with this schema is not an approved one; `None` where it is. As soon as one schema of a tool is pinned,
    /// no other and no missing one fits, even if the tool is listed without a schema as well.
    pub fn objection(&self, server: &str, tool: &str, schema: Option<&Digest>) -> Option<&'static str> {
        let named = || self.tools.iter().filter(|listed| listed.server == server && listed.tool == tool);
        let mut pinned = named().filter_map(|listed| listed.schema.as_ref()).peekable();
        match (named().next(), pinned.peek(), schema) {
            (None, _, _) => Some("the tool is not in the approved catalogue"),
            (Some(_), None, _) => None,
            (Some(_), Some(_), None) => {
                Some("the schema of the tool is not known, and the catalogue approves a certain one")
            }
            (Some(_), Some(_), Some(schema)) => (!pinned.any(|approved| approved == schema))
                .then_some("the schema of the tool has changed since it was approved"),
        }
    }
}

/// What the host knows about the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// What it is for at the moment.
    pub mode: Mode,
    /// Who drives it.
    pub driver: Driver,
    /// Whether a person's run is going on beside it.
    pub session: Session,
    /// How the tests stand; `None` where the host does not keep track.
    pub tests: Option<TestStatus>,
    /// Whether every agent is to stop.
    pub stop: Stop,
    /// Whether a person holds the key that lets an agent listen.
    pub gesture: Gesture,
    /// Operations that runs without a person did since the start of the UTC day.
    pub operations_today: u64,
    /// To whom mail may go without a question.
    pub recipients: Vec<String>,
    /// Kinds of memory that somebody reviewed.
    pub memory_kinds: Vec<String>,
    /// Where the agent's own program lies.
    pub core_roots: Vec<AbsPath>,
    /// Content from outside that gave orders to the agent and that nobody has confirmed, by digest.
    pub unconfirmed_content: Vec<String>,
    /// The approved tools; `None` where the operator keeps no catalogue.
    pub catalogue: Option<Catalogue>,
    /// The digest of the schema of the called tool, as the host was told it by the server that offers the tool; `None` where
    /// the host was told none. Hosts take it of the same bytes that they pinned when the tool was approved.
    pub schema: Option<Digest>,
    /// What the server says of the called tool.
    pub annotations: Annotations,
}

impl Default for Run {
    /// A person's run of which the host tells nothing more.
    fn default() -> Run {
        Run {
            mode: Mode::Working,
            driver: Driver::Person,
            session: Session::Quiet,
            tests: None,
            stop: Stop::Clear,
            gesture: Gesture::None,
            operations_today: 0,
            recipients: Vec::new(),
            memory_kinds: Vec::new(),
            core_roots: Vec::new(),
            unconfirmed_content: Vec::new(),
            catalogue: None,
            schema: None,
            annotations: Annotations::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn listed(tool: &str, schema: Option<&[u8]>) -> Listed {
        Listed { server: "s".into(), tool: tool.into(), schema: schema.map(Digest::of_file) }
    }

    #[test]
    fn a_tool_fits_its_approved_schema_and_no_other() {
        let tools = vec![listed("pinned", Some(b"1")), listed("any", None)];
        let catalogue = Catalogue { tools };
        let (one, two) = (Digest::of_file(b"1"), Digest::of_file(b"2"));
        assert_eq!(catalogue.objection("s", "pinned", Some(&one)), None);
        assert_eq!(catalogue.objection("s", "any", None), None);
        assert_eq!(catalogue.objection("s", "any", Some(&two)), None);
        let says = |tool, schema, part: &str| {
            assert!(catalogue.objection("s", tool, schema).is_some_and(|said| said.contains(part)), "{part}");
        };
        says("pinned", Some(&two), "has changed");
        says("pinned", None, "is not known");
        says("other", Some(&one), "not in the approved catalogue");
        assert!(catalogue.objection("", "any", None).is_some(), "a tool of the same name elsewhere");
    }

    #[test]
    fn a_pinned_schema_counts_beside_an_entry_without_one_and_beside_another_pin() {
        let tools = vec![listed("t", None), listed("t", Some(b"1")), listed("t", Some(b"2"))];
        let catalogue = Catalogue { tools };
        for (schema, fits) in [(b"1", true), (b"2", true), (b"3", false)] {
            assert_eq!(catalogue.objection("s", "t", Some(&Digest::of_file(schema))).is_none(), fits, "{schema:?}");
        }
        assert!(catalogue.objection("s", "t", None).is_some());
    }
}
