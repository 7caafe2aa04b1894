//! The lines of the transitions from which the state of every toggle can be worked out at any later time, in one file, so
//! that a cold process need not walk the whole chain.
//!
//! It holds only for the head that it names, for the code that wrote it and for whoever has the key. Must never be an
//! error, and never make anything looser: a file that is damaged, foreign, of another head or of a later time is as none.
//! Damage in the chain in front of that head does not show here; `verify`, and every change, walk the chain.

use crate::chain::{Trouble, frozen_digest};
use crate::folder::StateFolder;
use crate::secret::{SECRET_BYTES, secret};
use crate::storage::{Storage, StoredFile, read_up_to, write_all};
use crate::toggle_lines::LIFT;
use crate::toggle_states::{LAYER, LOOK_BACK_MS};
use crate::transition::{Transition, TransitionResult};
use holdpoint_core::bound::Layer;
use holdpoint_core::digest::Digest;
use holdpoint_core::journal::Head;
use holdpoint_core::registry::ToggleState;
use holdpoint_core::words::Word;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io;

/// Fewest lines of a chain that is worth a file: a shorter one is walked as fast.
pub const KEPT_FROM_LINES: u64 = 32;
/// Most bytes of the file.
pub const KEPT_BYTES_MAX: u64 = 4 << 20;
/// How far a clock may go back behind the one that wrote the file, in milliseconds.
pub const KEPT_BACK_MS: u64 = 24 * 60 * 60 * 1_000;

const NAME: &str = "kept";
const NEW_NAME: &str = "kept.new";
const SECRET: &str = "kept-transitions";
const DOMAIN: &str = "holdpoint kept transitions 1";
/// The keyed hash in front, in hexadecimal digits, and a line feed.
const MAC_BYTES: usize = 64 + 1;

/// Where the key comes from.
#[derive(Clone, Debug)]
pub enum Key {
    /// There is none, and nothing is kept.
    None,
    /// The secrets of a state folder.
    Of(StateFolder),
    /// This one.
    Given([u8; SECRET_BYTES]),
}

impl Key {
    /// The key that is kept under a name.
    pub(crate) fn bytes(&self, name: &str) -> Option<[u8; SECRET_BYTES]> {
        match self {
            Key::None => None,
            Key::Of(state) => secret(state, name).ok(),
            Key::Given(bytes) => Some(*bytes),
        }
    }
}

/// What one layer, or the user, wrote about one toggle.
#[derive(Debug, Default)]
struct Slot {
    /// Lines from which a wait may still run, with their number in the chain and their time.
    waits: Vec<(u64, u64, Vec<u8>)>,
    /// The last line that was not denied.
    last: Option<(u64, Vec<u8>)>,
}

/// The lines that matter, while a chain is walked.
#[derive(Debug)]
pub(crate) struct Kept {
    /// The earliest time for which they are enough.
    from_ms: u64,
    /// By key, if the line has one, and layer, if it is not the user's.
    slots: BTreeMap<(Option<String>, Option<Layer>), Slot>,
    lines: u64,
}

impl Kept {
    pub(crate) fn at(now_ms: u64) -> Kept {
        Kept { from_ms: now_ms.saturating_sub(KEPT_BACK_MS), slots: BTreeMap::new(), lines: 0 }
    }

    /// Goes on to the next line of the chain, which was read as this value.
    pub(crate) fn take(&mut self, line: &[u8], value: &Value) {
        self.lines += 1;
        if value.get("result").and_then(Value::as_str) == Some(TransitionResult::Denied.as_str()) {
            return;
        }
        let read = Transition::of_line(value);
        let (layer, is_loosening) = match value.get(LAYER) {
            // As the states take it: what is not read as a change of the user's is none.
            None => match &read {
                None => return,
                Some(transition) => (None, transition.to_state == ToggleState::Permissive.as_str()),
            },
            Some(layer) => {
                let layer = layer.as_str().and_then(Layer::from_word).unwrap_or(Layer::Organisation);
                (Some(layer), read.as_ref().is_some_and(|transition| transition.reason == LIFT))
            }
        };
        let key = value.get("key").and_then(Value::as_str).map(str::to_owned);
        let slot = self.slots.entry((key, layer)).or_default();
        slot.last = Some((self.lines, line.to_vec()));
        if let Some(at_ms) = read.map(|transition| transition.at_ms).filter(|_| is_loosening) {
            slot.wait(self.lines, at_ms, line, self.from_ms);
        }
    }

    /// The kept lines in the order of the chain.
    fn in_order(&self) -> Vec<&[u8]> {
        let mut lines: BTreeMap<u64, &[u8]> = BTreeMap::new();
        for slot in self.slots.values() {
            lines.extend(slot.waits.iter().map(|(number, _, line)| (*number, line.as_slice())));
            lines.extend(slot.last.iter().map(|(number, line)| (*number, line.as_slice())));
        }
        lines.into_values().collect()
    }

    /// Writes the file for the head that the walk ended at. If that fails, the next process walks the chain as well.
    pub(crate) fn write<S: Storage>(&self, storage: &S, key: &Key, head: Head) {
        let Some(key) = key.bytes(SECRET).filter(|_| self.lines >= KEPT_FROM_LINES) else { return };
        let header = json!({ "seq": head.seq, "hash": head.hash.hex(), "from_ms": self.from_ms }).to_string();
        let lines = std::iter::once(header.as_bytes()).chain(self.in_order());
        let body = lines.flat_map(|line| line.iter().chain(b"\n")).copied().collect::<Vec<u8>>();
        let text = [mac(&key, &body).hex().as_bytes(), b"\n", &body].concat();
        if text.len() as u64 <= KEPT_BYTES_MAX {
            let _ = replace(storage, &text);
        }
    }
}

impl Slot {
    /// Of two lines the later one decides what is waited for as long as both are within reach. So an earlier one is needed
    /// only if it reaches further, or if the later one is still so far ahead that it does not count.
    fn wait(&mut self, number: u64, at_ms: u64, line: &[u8], from_ms: u64) {
        let reaches = |at_ms: u64| at_ms.saturating_add(LOOK_BACK_MS) > from_ms;
        let counts = at_ms < from_ms.saturating_add(LOOK_BACK_MS);
        self.waits.retain(|(_, earlier_ms, _)| reaches(*earlier_ms) && !(counts && *earlier_ms <= at_ms));
        if reaches(at_ms) {
            self.waits.push((number, at_ms, line.to_vec()));
        }
    }
}

/// Puts a whole file in place of the one before. It need not be durable: half a file is as none.
fn replace<S: Storage>(storage: &S, text: &[u8]) -> io::Result<()> {
    let _lock = storage.lock()?;
    let file = match storage.open(NEW_NAME)? {
        Some(left) => left.file,
        None => storage.create(NEW_NAME)?,
    };
    file.set_len(0)?;
    write_all(&file, 0, text)?;
    storage.rename(NEW_NAME, NAME)
}

/// A file that nobody without the key has changed.
pub(crate) struct Found {
    head: Head,
    from_ms: u64,
    /// The lines, each with its line feed.
    lines: Vec<u8>,
}

impl Found {
    /// The kept lines, in order, if they are those of this head and enough for this time.
    pub(crate) fn lines(&self, head: Head, now_ms: u64) -> Option<impl Iterator<Item = &[u8]>> {
        let is_fit = self.head == head && self.from_ms <= now_ms;
        is_fit.then(|| self.lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()))
    }
}

/// The file, if there is one that is fit to be used.
pub(crate) fn find<S: Storage>(storage: &S, key: &Key) -> Option<Found> {
    if matches!(key, Key::None) {
        return None;
    }
    let opened = storage.open(NAME).ok()??;
    if opened.bytes > KEPT_BYTES_MAX {
        return None;
    }
    let mut buffer = vec![0; usize::try_from(opened.bytes).ok()?];
    let text = read_up_to(&opened.file, 0, &mut buffer).ok()?;
    let (found, body) = text.split_at_checked(MAC_BYTES)?;
    let found = Digest::from_hex(std::str::from_utf8(found).ok()?.strip_suffix('\n')?)?;
    if mac(&key.bytes(SECRET)?, body) != found {
        return None;
    }
    let header_bytes = body.iter().position(|byte| *byte == b'\n')?;
    let (header, lines) = body.split_at_checked(header_bytes)?;
    let header: Value = serde_json::from_slice(header).ok()?;
    let number = |member: &str| header.get(member).and_then(Value::as_u64);
    let hash = header.get("hash").and_then(Value::as_str).and_then(Digest::from_hex)?;
    Some(Found { head: Head { seq: number("seq")?, hash }, from_ms: number("from_ms")?, lines: lines.to_vec() })
}

/// The hash that only who has the key can make. The code is part of it: another program may need other lines.
fn mac(key: &[u8; SECRET_BYTES], body: &[u8]) -> Digest {
    Digest::of_parts(DOMAIN, &[key, frozen_digest().bytes(), body])
}

/// The head of a stream, where the newest decision does not name one that is missing there; `None` where only a walk can
/// tell.
pub(crate) fn certain_head<S: Storage>(storage: &S, named: Head) -> Result<Option<Head>, Trouble> {
    let Some(_lock) = storage.lock_to_read().map_err(Trouble::io("lock"))? else { return Ok(None) };
    // All names are looked at: a hint of an older day would hide what was tightened since.
    let Some(newest) = crate::chain::newest(storage)? else { return Ok(None) };
    let is_there = named == Head::START
        || newest.head == named
        || crate::heads::holds_near_end(&newest, named).map_err(Trouble::io("read"))? == Some(true);
    Ok(is_there.then_some(newest.head))
}
