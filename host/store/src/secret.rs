//! Secrets of the state folder: made once from the system's random source, whoever asks first.
//!
//! Must never print one, and never use one that another user could have made or read.

use crate::error::StoreError;
use crate::folder::StateFolder;
use crate::private::PrivateFolder;

/// Bytes of a secret.
pub const SECRET_BYTES: usize = 32;
const NAME_BYTES_MAX: usize = 64;
const SECRETS_FOLDER: &str = "secrets";

/// The secret with this name. The first caller makes it; all callers, in any process, get the same bytes.
pub fn secret(state: &StateFolder, name: &str) -> Result<[u8; SECRET_BYTES], StoreError> {
    check_name(name)?;
    let folder = PrivateFolder::open(state, SECRETS_FOLDER)?;
    if let Some(secret) = read(&folder, name)? {
        return Ok(secret);
    }
    let _lock = folder.lock()?;
    // Another process may have made it while this one waited.
    if let Some(secret) = read(&folder, name)? {
        return Ok(secret);
    }
    let mut secret = [0; SECRET_BYTES];
    getrandom::fill(&mut secret).map_err(StoreError::Random)?;
    folder.replace(name, &secret)?;
    Ok(secret)
}

fn read(folder: &PrivateFolder<'_>, name: &str) -> Result<Option<[u8; SECRET_BYTES]>, StoreError> {
    let Some(bytes) = folder.read(name, SECRET_BYTES)? else { return Ok(None) };
    let secret = <[u8; SECRET_BYTES]>::try_from(bytes);
    secret.map(Some).map_err(|_| folder.refused(name, "does not have 32 bytes"))
}

fn check_name(name: &str) -> Result<(), StoreError> {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let starts_well = name.starts_with(|first: char| first.is_ascii_lowercase());
    if starts_well && name.len() <= NAME_BYTES_MAX && name.bytes().all(plain) {
        Ok(())
    } else {
        Err(StoreError::SecretName { name: name.into() })
    }
}
