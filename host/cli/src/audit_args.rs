//! The command line of `audit`. These comments are the help texts.

use clap::{Args, Subcommand, ValueEnum};
use holdpoint_store::{Day, Stream};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum AuditCommand {
    /// Show the latest lines.
    Show(ShowArgs),
    /// Show what was refused: near misses, with the rule, the level and what would make them work.
    Refused(RefusedArgs),
    /// Count how often a toggle or a vocabulary was changed, and how often that was denied.
    Count {
        /// A toggle, or `plugin:NAME`.
        key: String,
        /// Print as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Write a range of lines with its proof, for somebody who has not the state folder.
    Export(ExportArgs),
    /// Verify every line of every stream, or an exported document.
    Verify {
        /// An exported document instead of the state folder. `-` is standard input.
        #[arg(long, value_name = "FILE")]
        export: Option<PathBuf>,
        /// Print as JSON.
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// How many at most.
    #[arg(long, default_value_t = 20)]
    pub(crate) last: usize,
    /// Only the line with this correlation id.
    #[arg(long)]
    pub(crate) id: Option<String>,
    /// What is shown.
    #[arg(long, value_enum, default_value_t = StreamName::Decisions)]
    pub(crate) stream: StreamName,
    #[command(flatten)]
    pub(crate) range: DayRange,
    /// Only lines of today and of so many UTC days before it.
    #[arg(long, value_name = "DAYS", conflicts_with_all = ["since", "until"])]
    pub(crate) days: Option<u32>,
    /// Only lines in which a member has this value, such as `decision=deny` or `key=email.auto_send`. May be repeated.
    #[arg(long = "where", value_name = "MEMBER=VALUE")]
    pub(crate) members: Vec<String>,
    /// Go on with new lines as they are written.
    #[arg(long)]
    pub(crate) follow: bool,
    /// Print the lines as they are.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RefusedArgs {
    /// Only of this principal.
    #[arg(long)]
    pub(crate) principal: Option<String>,
    /// Only by this rule.
    #[arg(long)]
    pub(crate) rule: Option<String>,
    /// How many at most.
    #[arg(long, default_value_t = 20)]
    pub(crate) last: usize,
    #[command(flatten)]
    pub(crate) range: DayRange,
    /// Print the lines as they are.
    #[arg(long)]
    pub(crate) json: bool,
}

impl RefusedArgs {
    /// The same as arguments of `show`.
    pub(crate) fn shown(self) -> ShowArgs {
        let picks = [("actor", self.principal), ("rule", self.rule)];
        let picks = picks.into_iter().filter_map(|(member, value)| Some(format!("{member}={}", value?)));
        ShowArgs {
            last: self.last,
            id: None,
            stream: StreamName::Decisions,
            range: self.range,
            days: None,
            members: std::iter::once("stage=refused".to_owned()).chain(picks).collect(),
            follow: false,
            json: self.json,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// Where the document goes. `-` is standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// What is exported.
    #[arg(long, value_enum, default_value_t = StreamName::Decisions)]
    pub(crate) stream: StreamName,
    #[command(flatten)]
    pub(crate) range: DayRange,
    /// From the line with this number on.
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["since", "until"])]
    pub(crate) first: Option<u64>,
    /// Up to the line with this number.
    #[arg(long, value_name = "NUMBER", requires = "first")]
    pub(crate) last: Option<u64>,
}

/// Days, both included.
#[derive(Debug, Args)]
pub(crate) struct DayRange {
    /// Not before this UTC day.
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = day)]
    pub(crate) since: Option<Day>,
    /// Not after this UTC day.
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = day)]
    pub(crate) until: Option<Day>,
}

/// A stream of the audit record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StreamName {
    /// What was decided about calls.
    Decisions,
    /// What operators changed: toggles, trust, vocabularies.
    Transitions,
    /// What calls took of the limits of loosened toggles.
    Uses,
    /// Content from outside that gave orders to an agent, and who confirmed it.
    Content,
    /// Questions to persons, and their answers.
    Approvals,
    /// Freezes and their ends.
    Holds,
    /// Who may speak for which vocabularies, and which of them are in force.
    Trust,
}

impl StreamName {
    pub(crate) fn stream(self) -> Stream {
        match self {
            StreamName::Decisions => Stream::Decisions,
            StreamName::Transitions => Stream::Transitions,
            StreamName::Uses => Stream::Uses,
            StreamName::Content => Stream::Content,
            StreamName::Approvals => Stream::Approvals,
            StreamName::Holds => Stream::Holds,
            StreamName::Trust => Stream::Trust,
        }
    }
}

fn day(text: &str) -> Result<Day, String> {
    Day::parse(text).ok_or_else(|| "write a UTC day as YYYY-MM-DD".to_owned())
}
