//! The command line of `toggle`. These comments are the help texts.

use clap::{Args, Subcommand};
use holdpoint_core::bound::Layer;
use holdpoint_core::words::Word;

#[derive(Debug, Subcommand)]
pub(crate) enum ToggleCommand {
    /// List every toggle with its state.
    List {
        /// Print as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Show what loosening a toggle means and needs. Changes nothing.
    Show {
        /// The toggle.
        key: String,
        /// Print as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Loosen a toggle: at a terminal, with its phrase typed. Ends by itself after seven days.
    Loosen {
        /// The toggle.
        key: String,
        /// Wait for the cooldown instead of being refused.
        #[arg(long)]
        wait: bool,
        /// Loosen it for this name only: a host, a recipient, a folder, SERVER/TOOL. May be repeated.
        #[arg(long, value_name = "NAME")]
        only: Vec<String>,
        /// Tighten it by itself after so many uses.
        #[arg(long, value_name = "USES")]
        budget: Option<u64>,
        /// Loosen it within these hours of the week only, in UTC, such as `mon-fri 09:00-17:00`.
        #[arg(long, value_name = "DAYS FROM-TO")]
        hours: Option<String>,
    },
    /// Keep a toggle loosened for seven more days, within the limits it has: the same steps as loosening it.
    Keep {
        /// The toggle.
        key: String,
        /// Wait for the cooldown instead of being refused.
        #[arg(long)]
        wait: bool,
    },
    /// Tighten a toggle, at once.
    Tighten {
        /// The toggle.
        key: String,
    },
    /// Tighten every toggle, at once. Bounds stay.
    Reset,
    /// Set how far a toggle can be loosened at all, at once; without limits, not at all. Never ends by itself.
    Bound(BoundArgs),
    /// Lift a bound, or widen it to these limits: at a terminal, with the steps of loosening the toggle.
    Lift {
        #[command(flatten)]
        bound: BoundArgs,
        /// Wait for the cooldown instead of being refused.
        #[arg(long)]
        wait: bool,
    },
}

#[derive(Debug, Args)]
pub(crate) struct BoundArgs {
    /// The toggle.
    pub(crate) key: String,
    /// Whose bound it is: organisation or team.
    #[arg(long, value_parser = layer)]
    pub(crate) layer: Layer,
    /// At most so many in a UTC day, for a toggle with such a limit.
    #[arg(long, value_name = "COUNT", conflicts_with = "list")]
    pub(crate) cap: Option<u64>,
    /// These names at most, for a toggle with such a limit, with commas between.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(crate) list: Vec<String>,
    /// This name only: a host, a recipient, a folder, SERVER/TOOL. May be repeated.
    #[arg(long, value_name = "NAME")]
    pub(crate) only: Vec<String>,
    /// These hours of the week only, in UTC, such as `mon-fri 09:00-17:00`.
    #[arg(long, value_name = "DAYS FROM-TO")]
    pub(crate) hours: Option<String>,
}

fn layer(word: &str) -> Result<Layer, String> {
    Layer::from_word(word).ok_or_else(|| {
        let layers: Vec<&str> = Layer::ALL.iter().map(|layer| layer.as_str()).collect();
        format!("layers: {}", layers.join(", "))
    })
}
