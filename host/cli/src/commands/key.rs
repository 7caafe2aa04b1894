//! `key new`: a key pair for signing vocabularies.

use crate::exit::{Exit, Failure};
use crate::output;
use holdpoint_signing::SecretKey;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Makes a key pair. The secret key never goes to a terminal, and never over an existing file.
pub(crate) fn new(file: &Path) -> Result<Exit, Failure> {
    let key = SecretKey::generate().map_err(|error| Failure::internal(error.to_string()))?;
    let opened = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(file);
    let mut secret = opened.map_err(|error| Failure::file(file, &error))?;
    let text = key.to_secret_text();
    secret
        .write_all(text.as_bytes())
        .and_then(|()| secret.write_all(b"\n"))
        .and_then(|()| secret.sync_all())
        .map_err(|error| Failure::file(file, &error))?;
    output::note(&format!("the secret key is in {}; whoever has it can sign in your name", file.display()));
    output::data(&format!("{}\n", key.public_key()))?;
    Ok(Exit::Done)
}

/// Reads a secret key.
pub(crate) fn read(file: &Path) -> Result<SecretKey, Failure> {
    let text = std::fs::read_to_string(file).map_err(|error| Failure::file(file, &error))?;
    text.trim().parse().map_err(|error| {
        Failure::usage(format!("`{}`: {error}", file.display()), "`holdpoint key new FILE` makes a key")
    })
}
