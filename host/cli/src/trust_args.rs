//! The arguments of `trust`. These comments are the help texts.

use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum TrustCommand {
    /// Let a publisher speak for names. At a terminal, unless it only narrows what the publisher may already.
    Add(AddArgs),
    /// List who may speak for which names, what was revoked, and the floors.
    List {
        /// Print as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Show one publisher.
    Show {
        /// The publisher.
        publisher: String,
        /// Print as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Take something back for ever. One step.
    Revoke(RevokeArgs),
    /// Give a publisher other keys, or follow a trust document with its next version.
    Rotate(RotateArgs),
    /// Raise the least release of a name that is accepted. One step.
    Floor {
        /// The vocabulary's name.
        name: String,
        /// The release.
        release: u64,
    },
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  holdpoint trust add acme --key holdpoint-ed25519:… --names 'acme-*'\n  holdpoint trust add --document root.json --root-key holdpoint-ed25519:…\n  holdpoint trust add --delegation delegation.json"
)]
pub(crate) struct AddArgs {
    /// The operator's name for the publisher.
    #[arg(required_unless_present_any = ["document", "delegation"], conflicts_with_all = ["document", "delegation"])]
    pub(crate) publisher: Option<String>,
    /// A public key of it, `holdpoint-ed25519:…`. May be repeated.
    #[arg(long, value_name = "KEY", requires = "publisher")]
    pub(crate) key: Vec<String>,
    /// Names it may speak for: a whole name, or a beginning with `*`. May be repeated.
    #[arg(long, value_name = "NAMES", requires = "publisher")]
    pub(crate) names: Vec<String>,
    /// Different keys that have to sign. [default: 1; for a publisher that is known: as before]
    #[arg(long, value_name = "COUNT", requires = "publisher")]
    pub(crate) distinct_keys: Option<u8>,
    /// Days from now for which it is trusted. [default: 365; for a publisher that is known: as before]
    #[arg(long, value_name = "DAYS", requires = "publisher")]
    pub(crate) valid_days: Option<u64>,
    /// The first trust document of an authority.
    #[arg(long, value_name = "FILE", requires = "root_key", conflicts_with = "delegation")]
    pub(crate) document: Option<PathBuf>,
    /// A root key of the authority. May be repeated.
    #[arg(long, value_name = "KEY", requires = "document")]
    pub(crate) root_key: Vec<String>,
    /// A delegation by a publisher of the trust document.
    #[arg(long, value_name = "FILE")]
    pub(crate) delegation: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
#[command(
    after_help = "Examples:\n  holdpoint trust revoke --publisher acme\n  holdpoint trust revoke --release acme-db@7"
)]
pub(crate) struct RevokeArgs {
    /// A publisher. `pinned` stands for every key that was named at an install.
    #[arg(long)]
    pub(crate) publisher: Option<String>,
    /// A public key, or its id.
    #[arg(long)]
    pub(crate) key: Option<String>,
    /// A component, by its digest.
    #[arg(long, value_name = "SHA256")]
    pub(crate) component: Option<String>,
    /// A release of a name.
    #[arg(long, value_name = "NAME@RELEASE")]
    pub(crate) release: Option<String>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  holdpoint trust rotate acme --key holdpoint-ed25519:…\n  holdpoint trust rotate --document root-2.json"
)]
pub(crate) struct RotateArgs {
    /// The publisher.
    #[arg(required_unless_present = "document", conflicts_with = "document", requires = "key")]
    pub(crate) publisher: Option<String>,
    /// A new key of it, in place of all it had. May be repeated.
    #[arg(long, value_name = "KEY", requires = "publisher")]
    pub(crate) key: Vec<String>,
    /// The next version of the trust document.
    #[arg(long, value_name = "FILE")]
    pub(crate) document: Option<PathBuf>,
}
