//! The run that a call belongs to, as the host tells it. Nothing in it comes from the call.

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
    /// The approved tools by server and name; `None` where the operator keeps no catalogue.
    pub catalogue: Option<Vec<(String, String)>>,
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
        }
    }
}
