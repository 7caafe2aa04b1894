//! The arguments of `approvals`, `attest`, `undo`, `freeze` and `thaw`. These comments are the help texts.

use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum ApprovalsCommand {
    /// List the questions of the last day.
    List {
        /// Only those that still wait for an answer.
        #[arg(long)]
        waiting: bool,
        /// Print as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Show one question with the whole action.
    Show {
        /// Its name, or the start of it.
        id: String,
        /// Print as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Let exactly this action through, once. The call has to be made again. At a terminal.
    Allow {
        /// The question's name, or the start of it.
        id: String,
    },
    /// Refuse it. The same question is not asked again until its time is over.
    Deny {
        /// The question's name, or the start of it.
        id: String,
    },
    /// Withdraw what a run still asks, and every yes that it has not taken.
    Withdraw {
        /// The run, as the agent host names it.
        run: String,
    },
    /// Show each new question as it comes and ask for the answer. At a terminal; ends with Ctrl-C.
    Watch,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  holdpoint freeze 'incident 7: database restore'\n  holdpoint freeze --while-pid $$ 'deploy is running'"
)]
pub(crate) struct FreezeArgs {
    /// Why. Whoever is refused reads it.
    pub(crate) why: String,
    /// End the freeze with this process.
    #[arg(long, value_name = "PID")]
    pub(crate) while_pid: Option<u32>,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  holdpoint attest 3f2a 'ana agreed in ticket 7'")]
pub(crate) struct AttestArgs {
    /// The question's name, or the start of it.
    pub(crate) id: String,
    /// Who agreed to what. It stands in the record as it is.
    pub(crate) claim: String,
    /// The configuration that says whose claims count.
    #[arg(long)]
    pub(crate) config: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct UndoArgs {
    /// The name that the decision has in the record. [default: the newest one that waits]
    pub(crate) correlation_id: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct ThawArgs {
    /// Why, for the record.
    #[arg(default_value = "")]
    pub(crate) why: String,
}
