//! The worklist: an action is put to everybody who claims it, and what they hand on is put to the next, until only
//! operations are left or a bound is reached. What nobody claims, or nobody can answer, is unknown.

use crate::builder::Surroundings;
use crate::claims::{Claim, Claims};
use crate::flux;
use crate::links;
use crate::scripts::{self, Later};
use holdpoint_core::action::{Action, Fact, FactKind, FactQuery, SourceText, WorkingDir};
use holdpoint_core::assess::{Assessment, Cause, Node, NodeId, Route, Script};
use holdpoint_core::call::ToolCall;
use holdpoint_core::finding::{Finding, Reason};
use holdpoint_core::paths::AbsPath;
use holdpoint_core::ports::Classifier;
use holdpoint_core::scene::Scene;
use std::collections::VecDeque;

/// Most bytes of one answer about live state. A longer one is no answer.
pub const ANSWER_BYTES_MAX: usize = 64 << 10;

/// Most links and folders of one folder that are looked at.
pub const ENTRIES_MAX: usize = 5_000;

/// Milliseconds of asking after which no further action of a call is looked into; the call is unknown then. Every single
/// answer has limits of its own, and this bounds their sum. Making vocabularies ready does not count: it happens once.
pub const CALL_MS_MAX: u64 = 5_000;

/// Most lines of a script that are read one by one where it cannot be read as a whole.
const SCRIPT_LINES_MAX: usize = 48;
/// The language of scripts that run later.
const SCRIPT_LANGUAGE: &str = "bash";

/// Whether symbolic links are somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// There are none.
    None,
    /// There is one, or nobody can tell.
    Possible,
}

/// Something in a folder that may lead on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A symbolic link with this name.
    Link(String),
    /// A folder with this name.
    Folder(String),
}

/// Tells live state that vocabularies ask for, and how files are linked.
pub trait FactProvider: Send + Sync {
    /// The answer, if it can be told. `cwd` is where the action runs.
    fn answer(&self, query: &FactQuery, cwd: Option<&AbsPath>) -> Option<String>;

    /// Whether a path is a link, or has links below it.
    fn links_at(&self, _path: &AbsPath) -> Links {
        Links::Possible
    }

    /// The links and folders in a folder, at most [`ENTRIES_MAX`]; `None` where they cannot be told.
    fn entries(&self, _folder: &AbsPath) -> Option<Vec<Entry>> {
        None
    }

    /// Further places that belong to the gate, found by looking at where `path` is.
    fn protected_around(&self, _path: &AbsPath) -> Vec<AbsPath> {
        Vec::new()
    }
}

/// Everything that finding out about a call needs.
pub(crate) struct Classification<'a> {
    pub(crate) claims: &'a Claims,
    pub(crate) classifier: &'a dyn Classifier,
    pub(crate) facts: Option<&'a dyn FactProvider>,
    pub(crate) scene: &'a Scene,
    pub(crate) surroundings: &'a dyn Surroundings,
}

impl Classification<'_> {
    /// Finds out what a call comes down to, and what the scripts would that it writes.
    pub(crate) fn assess(&self, call: &ToolCall) -> Assessment {
        let mut asked_ms = 0;
        let mut assessment = self.explore(call.action(), self.scene.cwd.clone(), &mut asked_ms);
        let (found, lost) = scripts::find(&assessment, self.scene);
        for Later { node, commands } in found {
            let cwd = assessment.node(node).and_then(|node| node.cwd.clone());
            for does in self.script(&commands, cwd.as_ref(), &mut asked_ms) {
                assessment.arrange(Script { node, does });
            }
        }
        for node in lost {
            assessment.fail(node, Cause::OverBound);
        }
        assessment
    }

    /// What commands that run later come down to. Part of a script, as an edit has it, may be none that can be read as a
    /// whole; then its lines are read one by one.
    fn script(&self, commands: &str, cwd: Option<&AbsPath>, asked_ms: &mut u64) -> Vec<Assessment> {
        let mut explore = |text: &str| {
            let source =
                SourceText { language: SCRIPT_LANGUAGE.to_owned(), text: text.to_owned(), cwd: WorkingDir::Same };
            self.explore(Action::Source(source), cwd.cloned(), asked_ms)
        };
        let whole = explore(commands);
        let is_torn = |cause| matches!(cause, Cause::Doubt(Reason::ParserError | Reason::ParserDisagreement));
        if !whole.unknowns().iter().any(|unknown| unknown.node == 0 && is_torn(unknown.cause)) {
            return vec![whole];
        }
        let lines = commands.lines().filter(|line| !line.trim().is_empty()).take(SCRIPT_LINES_MAX);
        std::iter::once(whole).chain(lines.map(explore)).collect()
    }

    fn explore(&self, action: Action, cwd: Option<AbsPath>, asked_ms: &mut u64) -> Assessment {
        let mut assessment = Assessment::new(action, cwd, Route::Direct);
        let mut waiting = VecDeque::from([0]);
        while let Some(node) = waiting.pop_front() {
            if *asked_ms > CALL_MS_MAX {
                assessment.fail(node, Cause::OverBound);
                break;
            }
            self.prepare(&assessment, node);
            let before_ms = self.surroundings.now_ms();
            waiting.extend(self.visit(&mut assessment, node));
            *asked_ms = asked_ms.saturating_add(self.surroundings.now_ms().saturating_sub(before_ms));
        }
        if let Some(facts) = self.facts {
            flux::mark(&mut assessment, facts);
            links::follow(&mut assessment, facts);
        }
        assessment
    }

    fn prepare(&self, assessment: &Assessment, node: NodeId) {
        let claimants = assessment.node(node).map(|node| self.claims.of(&node.action)).unwrap_or_default();
        claimants.iter().for_each(|(vocabulary, _)| self.classifier.prepare(*vocabulary));
    }

    fn visit(&self, assessment: &mut Assessment, node: NodeId) -> Vec<NodeId> {
        let Some(visited) = assessment.node(node).cloned() else { return Vec::new() };
        let claimants = self.claims.of(&visited.action);
        if claimants.is_empty() {
            assessment.fail(node, Cause::NoClaimant);
        }
        if claimants.iter().any(|(_, claim)| claim.route == Route::Shell) {
            assessment.through_shell(node);
        }
        let known = self.known(visited.cwd.as_ref());
        let mut led_to = Vec::new();
        for (vocabulary, claim) in claimants {
            match self.ask(vocabulary, claim, &visited, &known) {
                Ok((finding, told)) => {
                    assessment.told(told);
                    led_to.extend(assessment.admit(node, finding));
                }
                Err(cause) => assessment.fail(node, cause),
            }
        }
        led_to
    }

    /// One checked answer, with what was told about live state for it. A vocabulary may ask for facts once; what it then
    /// still does not know is unknown.
    fn ask(
        &self,
        vocabulary: usize,
        claim: &Claim,
        node: &Node,
        known: &[Fact],
    ) -> Result<(Finding, Vec<Fact>), Cause> {
        let asked = |facts: &[Fact]| {
            let finding = self.classifier.classify(vocabulary, &node.action, facts).map_err(Cause::Failure)?;
            finding.check(&node.action, &claim.declared).map_err(Cause::Fault)?;
            Ok(finding)
        };
        let finding = asked(known)?;
        if finding.facts_needed.is_empty() {
            return Ok((finding, Vec::new()));
        }
        let provider = self.facts.ok_or(Cause::MissingFact)?;
        let told = finding.facts_needed.into_iter().map(|query| {
            let answer = provider.answer(&query, node.cwd.as_ref()).ok_or(Cause::MissingFact)?;
            if answer.len() > ANSWER_BYTES_MAX { Err(Cause::MissingFact) } else { Ok(Fact { query, answer }) }
        });
        let told = told.collect::<Result<Vec<_>, Cause>>()?;
        let finding = asked(&[known, &told].concat())?;
        if finding.facts_needed.is_empty() { Ok((finding, told)) } else { Err(Cause::MissingFact) }
    }

    /// What the host knows beforehand.
    fn known(&self, cwd: Option<&AbsPath>) -> Vec<Fact> {
        let fact =
            |kind, path: &AbsPath| Fact { query: FactQuery { kind, subject: String::new() }, answer: path.text() };
        let home = self.scene.home.as_ref().map(|home| fact(FactKind::HomeDirectory, home));
        let cwd = cwd.map(|cwd| fact(FactKind::WorkingDirectory, cwd));
        home.into_iter().chain(cwd).collect()
    }
}
