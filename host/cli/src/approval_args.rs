//! The arguments of `approvals`, `freeze` and `thaw`. These comments are the help texts.

use clap::{Args, Subcommand};

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
pub(crate) struct ThawArgs {
    /// Why, for the record.
    #[arg(default_value = "")]
    pub(crate) why: String,
}
