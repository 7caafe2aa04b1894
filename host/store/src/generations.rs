//! Generations: lists of the vocabularies in force, each an index that is never changed once it was in force, and the files
//! that they name by digest. Beside them lies what a cold process needs to know of the trust, for one end of its chain.
//!
//! Which generation is in force is said by the chain of trust and nothing else. What is kept here holds only for the head
//! that it names and for who has the key, so it can be missing, old or damaged, and never wrong. Must never hand out bytes
//! that do not have the digest they are asked for by.

use crate::chain::Trouble;
use crate::disk::Disk;
use crate::folder::StateFolder;
use crate::kept::Key;
use crate::storage::{Opened, Storage, StoredFile, read_up_to, write_all};
use crate::trust_lines::Generation;
use holdpoint_core::digest::Digest;
use holdpoint_core::journal::Head;
use holdpoint_core::ports::NotDurable;
use serde_json::{Value, json};
use std::io;

/// Most bytes of a file that a generation names.
pub const BLOB_BYTES_MAX: u64 = 64 << 20;
/// Most bytes of an index.
pub const INDEX_BYTES_MAX: u64 = 64 << 20;
/// Most bytes of what is kept for a cold process.
pub const CURRENT_BYTES_MAX: u64 = 4 << 20;

/// The folder of installed vocabularies in the state folder.
pub const FOLDER: &str = "vocabularies";
const INNER_FOLDER: &str = "generations";
const CURRENT: &str = "current";
const NEW: &str = "new";
const CURRENT_NEW: &str = "current.new";
const SECRET: &str = "kept-trust";
const DOMAIN: &str = "holdpoint kept trust 1";
const MAC_BYTES: usize = 64 + 1;

/// A vocabulary of the generation in force that is refused all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Its name.
    pub name: String,
    /// Why.
    pub why: String,
}

/// What a cold process needs to know of the trust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Current {
    /// The end of the chain of trust that it was made for.
    pub head: Head,
    /// The generation in force.
    pub generation: Option<Generation>,
    /// What is refused of it.
    pub refused: Vec<Refused>,
    /// The greatest time that was seen, in milliseconds since the Unix epoch.
    pub passed_ms: u64,
    /// First time at which something else may be refused, because an end or a beginning comes.
    pub until_ms: u64,
}

/// The generations of a state folder.
#[derive(Debug)]
pub struct Generations<S = Disk> {
    storage: S,
    key: Key,
}

impl Generations<Disk> {
    /// The generations of a state folder. Nothing is touched before something is written.
    pub fn of(folder: &StateFolder) -> Generations {
        Generations::over(Disk::at(folder, FOLDER, INNER_FOLDER), Key::Of(folder.clone()))
    }
}

/// Keeps other changes away until it is dropped.
#[derive(Debug)]
pub struct Changing<F>(F);

impl<S: Storage> Generations<S> {
    /// The generations in one storage.
    pub fn over(storage: S, key: Key) -> Generations<S> {
        Generations { storage, key }
    }

    /// Waits until nobody else changes anything here.
    pub fn lock(&self) -> Result<Changing<S::File>, NotDurable> {
        Ok(Changing(self.storage.lock().map_err(Trouble::io("lock"))?))
    }

    /// Writes a file under its digest. It is durable once a generation was written after it. Call it under the lock.
    pub fn put_blob(&self, bytes: &[u8]) -> Result<Digest, NotDurable> {
        let digest = Digest::of_file(bytes);
        if bytes.len() as u64 > BLOB_BYTES_MAX {
            return Err(Trouble::TooMuch.into());
        }
        // What is there already, and whole, stays: another generation may name it.
        if self.blob(&digest).ok().flatten().is_none() {
            self.replace(NEW, &blob_name(&digest), bytes).map_err(Trouble::io("write a file beside"))?;
        }
        Ok(digest)
    }

    /// Reads a file by its digest; `None` if it is not there, or not whole.
    pub fn blob(&self, digest: &Digest) -> Result<Option<Vec<u8>>, NotDurable> {
        let bytes = self.read(&blob_name(digest), BLOB_BYTES_MAX)?;
        Ok(bytes.filter(|bytes| Digest::of_file(bytes) == *digest))
    }

    /// Writes the index of a generation that was never in force, and makes it and everything before it durable. Call it
    /// under the lock.
    pub fn put(&self, number: u64, index: &[u8]) -> Result<Generation, NotDurable> {
        if index.len() as u64 > INDEX_BYTES_MAX {
            return Err(Trouble::TooMuch.into());
        }
        self.replace(NEW, &index_name(number), index).map_err(Trouble::io("write a generation beside"))?;
        self.storage.sync_folder().map_err(Trouble::Sync)?;
        Ok(Generation { number, digest: Digest::of_file(index) })
    }

    /// Makes what was written durable.
    pub fn sync(&self) -> Result<(), NotDurable> {
        Ok(self.storage.sync_folder().map_err(Trouble::Sync)?)
    }

    /// Reads the index of a generation; `None` if it is not there, or not the one that was in force.
    pub fn index(&self, generation: &Generation) -> Result<Option<Vec<u8>>, NotDurable> {
        let bytes = self.read(&index_name(generation.number), INDEX_BYTES_MAX)?;
        Ok(bytes.filter(|bytes| Digest::of_file(bytes) == generation.digest))
    }

    /// Whether anything was ever written here.
    pub fn is_empty(&self) -> Result<bool, NotDurable> {
        Ok(self.storage.names().map_err(Trouble::io("list"))?.is_empty())
    }

    /// What is kept, if nobody without the key has changed it.
    pub fn current(&self) -> Option<Current> {
        let text = self.read(CURRENT, CURRENT_BYTES_MAX).ok()??;
        let (found, body) = text.split_at_checked(MAC_BYTES)?;
        let found = Digest::from_hex(std::str::from_utf8(found).ok()?.strip_suffix('\n')?)?;
        if self.mac(body)? != found {
            return None;
        }
        read_current(&serde_json::from_slice(body).ok()?)
    }

    /// Keeps this, in place of what was kept before. If that fails, cold processes walk the chain.
    pub fn keep(&self, current: &Current) {
        let generation = current
            .generation
            .map(|generation| json!({ "number": generation.number, "digest": generation.digest.hex() }));
        let refused: Vec<Value> = current.refused.iter().map(|one| json!([one.name, one.why])).collect();
        let head = &current.head;
        let body = json!({ "seq": head.seq, "hash": head.hash.hex(), "generation": generation, "refused": refused,
                           "passed_ms": current.passed_ms, "until_ms": current.until_ms });
        let body = body.to_string().into_bytes();
        let Some(mac) = self.mac(&body) else { return };
        let text = [mac.hex().as_bytes(), b"\n", &body].concat();
        if text.len() as u64 <= CURRENT_BYTES_MAX {
            // Without a lock, which an install may hold for long: half a file, or one of two writers, is as none.
            let _ = self.replace(CURRENT_NEW, CURRENT, &text);
        }
    }

    fn mac(&self, body: &[u8]) -> Option<Digest> {
        Some(Digest::of_parts(DOMAIN, &[&self.key.bytes(SECRET)?, body]))
    }

    fn read(&self, name: &str, bytes_max: u64) -> Result<Option<Vec<u8>>, Trouble> {
        let Some(Opened { file, bytes }) = self.storage.open(name).map_err(Trouble::io("open"))? else {
            return Ok(None);
        };
        if bytes > bytes_max {
            return Err(Trouble::damaged(name, "is too long"));
        }
        let mut buffer = vec![0; usize::try_from(bytes).unwrap_or(usize::MAX)];
        let count = read_up_to(&file, 0, &mut buffer).map_err(Trouble::io("read"))?.len();
        buffer.truncate(count);
        Ok(Some(buffer))
    }

    /// Writes a file beside its place and moves it there when it is on disk, so that nobody sees half of it.
    fn replace(&self, beside: &str, name: &str, bytes: &[u8]) -> io::Result<()> {
        let file = match self.storage.open(beside)? {
            // What a crash left behind was never in use.
            Some(left) => left.file,
            None => self.storage.create(beside)?,
        };
        file.set_len(0)?;
        write_all(&file, 0, bytes)?;
        file.sync_data()?;
        self.storage.rename(beside, name)
    }
}

fn index_name(number: u64) -> String {
    format!("generation-{number}")
}

fn blob_name(digest: &Digest) -> String {
    format!("sha256-{digest}")
}

fn read_current(value: &Value) -> Option<Current> {
    let digest = |value: &Value| Digest::from_hex(value.as_str()?);
    let generation = match value.get("generation")? {
        Value::Null => None,
        generation => {
            Some(Generation { number: generation.get("number")?.as_u64()?, digest: digest(generation.get("digest")?)? })
        }
    };
    let refused = |one: &Value| {
        let text = |index: usize| one.get(index)?.as_str().map(str::to_owned);
        Some(Refused { name: text(0)?, why: text(1)? })
    };
    Some(Current {
        head: Head { seq: value.get("seq")?.as_u64()?, hash: digest(value.get("hash")?)? },
        generation,
        refused: value.get("refused")?.as_array()?.iter().map(refused).collect::<Option<Vec<_>>>()?,
        passed_ms: value.get("passed_ms")?.as_u64()?,
        until_ms: value.get("until_ms")?.as_u64()?,
    })
}
