//! The operator's password: its argon2id hash, and how often somebody was wrong about it.
//!
//! Must never hold the password itself, and never tell whether it was right before the attempt is counted on disk.

use crate::error::StoreError;
use crate::folder::StateFolder;
use crate::private::PrivateFolder;
use argon2::Argon2;
use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use serde_json::{Value, json};

/// Shortest password, in characters.
pub const PASSWORD_CHARACTERS_MIN: usize = 8;
/// Longest password, in bytes.
pub const PASSWORD_BYTES_MAX: usize = 1_024;
/// Attempts that may be wrong before the next one has to wait.
pub const FREE_ATTEMPTS: u32 = 3;
/// Longest wait, in milliseconds.
pub const WAIT_MS_MAX: u64 = 15 * 60 * 1_000;

const FOLDER: &str = "operator";
const HASH_FILE: &str = "password";
const ATTEMPTS_FILE: &str = "attempts";
/// Most bytes of either file.
const FILE_BYTES_MAX: usize = 4 << 10;

/// What an attempt came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// The password was right.
    Right,
    /// It was not.
    Wrong,
    /// Too many were wrong; it was not looked at.
    TooSoon {
        /// Milliseconds until the next one is looked at.
        wait_ms: u64,
    },
    /// None was ever set.
    NotSet,
}

/// Why a password cannot be set.
#[derive(Debug, thiserror::Error)]
pub enum SetError {
    /// Too few characters.
    #[error("the password has fewer than {PASSWORD_CHARACTERS_MIN} characters")]
    TooShort,
    /// Too many bytes.
    #[error("the password has more than {PASSWORD_BYTES_MAX} bytes")]
    TooLong,
    /// It cannot be hashed.
    #[error("the password cannot be hashed: {0}")]
    Hash(String),
    /// It cannot be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Whether a password was set.
pub fn is_set(state: &StateFolder) -> Result<bool, StoreError> {
    Ok(PrivateFolder::open(state, FOLDER)?.read(HASH_FILE, FILE_BYTES_MAX)?.is_some())
}

/// Sets the password. The caller has checked the one before, if there was one.
pub fn set_password(state: &StateFolder, password: &str) -> Result<(), SetError> {
    if password.chars().count() < PASSWORD_CHARACTERS_MIN {
        return Err(SetError::TooShort);
    }
    if password.len() > PASSWORD_BYTES_MAX {
        return Err(SetError::TooLong);
    }
    let mut salt = [0; 16];
    getrandom::fill(&mut salt).map_err(StoreError::Random)?;
    let failed = |error: argon2::password_hash::Error| SetError::Hash(error.to_string());
    let salt = SaltString::encode_b64(&salt).map_err(failed)?;
    let hash = Argon2::default().hash_password(password.as_bytes(), &salt).map_err(failed)?;
    let folder = PrivateFolder::open(state, FOLDER)?;
    let _lock = folder.lock()?;
    folder.replace(HASH_FILE, hash.to_string().as_bytes())?;
    Ok(folder.replace(ATTEMPTS_FILE, Wrong::default().json().as_bytes())?)
}

/// Checks a password. Each attempt counts as wrong until it has been found right.
pub fn check_password(state: &StateFolder, password: &str, now_ms: u64) -> Result<Attempt, StoreError> {
    let folder = PrivateFolder::open(state, FOLDER)?;
    let _lock = folder.lock()?;
    let Some(hash) = folder.read(HASH_FILE, FILE_BYTES_MAX)? else { return Ok(Attempt::NotSet) };
    let wrong = match folder.read(ATTEMPTS_FILE, FILE_BYTES_MAX)? {
        Some(bytes) => Wrong::read(&bytes).ok_or_else(|| folder.refused(ATTEMPTS_FILE, "cannot be read"))?,
        None => Wrong::default(),
    };
    let wait_ms = wrong.wait_ms(now_ms);
    if wait_ms > 0 {
        return Ok(Attempt::TooSoon { wait_ms });
    }
    let counted = Wrong { attempts: wrong.attempts.saturating_add(1), last_ms: now_ms };
    folder.replace(ATTEMPTS_FILE, counted.json().as_bytes())?;
    let unreadable = || folder.refused(HASH_FILE, "is not a password hash");
    let text = std::str::from_utf8(&hash).map_err(|_| unreadable())?;
    let known = PasswordHash::new(text).map_err(|_| unreadable())?;
    let short = password.len() <= PASSWORD_BYTES_MAX;
    if short && Argon2::default().verify_password(password.as_bytes(), &known).is_ok() {
        folder.replace(ATTEMPTS_FILE, Wrong::default().json().as_bytes())?;
        return Ok(Attempt::Right);
    }
    Ok(Attempt::Wrong)
}

/// Attempts since the last right one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Wrong {
    attempts: u32,
    last_ms: u64,
}

impl Wrong {
    /// The wait doubles with each further attempt, from one second. A clock that went back does not shorten it.
    fn wait_ms(self, now_ms: u64) -> u64 {
        let Some(over) = self.attempts.checked_sub(FREE_ATTEMPTS) else { return 0 };
        let doubled_ms = 2_u64.checked_pow(over).and_then(|factor| factor.checked_mul(1_000));
        let whole_ms = doubled_ms.unwrap_or(WAIT_MS_MAX).min(WAIT_MS_MAX);
        whole_ms.saturating_sub(now_ms.saturating_sub(self.last_ms))
    }

    fn json(self) -> String {
        json!({ "attempts": self.attempts, "last_ms": self.last_ms }).to_string()
    }

    fn read(bytes: &[u8]) -> Option<Wrong> {
        let value: Value = serde_json::from_slice(bytes).ok()?;
        let attempts = u32::try_from(value.get("attempts")?.as_u64()?).ok()?;
        Some(Wrong { attempts, last_ms: value.get("last_ms")?.as_u64()? })
    }
}
