//! A machine in memory: folders whose files have live bytes and durable bytes, and a power switch.
//!
//! Must never make a byte durable that was not synced, except by the luck of the seed when power is cut.

use crate::seeded::Seeded;
use holdpoint_store::storage::{Opened, Storage, StoredFile};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::rc::Rc;

/// How an operation that does not take place shows to those who asked for it.
const STOPPED: io::ErrorKind = io::ErrorKind::BrokenPipe;

/// What goes wrong at an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It fails once, with this kind of error.
    Once(io::ErrorKind),
    /// It and every later one fail with this kind of error.
    From(io::ErrorKind),
    /// If it is a write, only half of the bytes are taken, and they reach the disk; the next operation fails.
    Short,
    /// Neither it nor any later one takes place: power is cut, or the process is killed.
    Stop,
}

/// A machine. Clones are the same machine.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    state: Rc<RefCell<State>>,
}

/// A folder of a machine.
#[derive(Clone, Debug)]
pub struct Folder {
    machine: Machine,
    name: &'static str,
}

/// An open file of a machine.
#[derive(Debug)]
pub struct OpenFile {
    machine: Machine,
    index: usize,
    /// The folder whose lock this is.
    locks: Option<&'static str>,
}

type Path = (&'static str, String);

#[derive(Debug, Default)]
struct State {
    files: Vec<Content>,
    live_names: BTreeMap<Path, usize>,
    durable_names: BTreeSet<Path>,
    locked: BTreeSet<&'static str>,
    operations: u64,
    fault: Option<(u64, Fault)>,
    bytes_read: u64,
}

#[derive(Clone, Debug, Default)]
struct Content {
    live: Vec<u8>,
    /// Which live bytes the system still means to write.
    dirty: Vec<bool>,
    durable: Vec<u8>,
}

impl Machine {
    /// A folder, empty at first.
    pub fn folder(&self, name: &'static str) -> Folder {
        Folder { machine: self.clone(), name }
    }

    /// Operations so far.
    pub fn operations(&self) -> u64 {
        self.state.borrow().operations
    }

    /// Bytes that were read so far.
    pub fn bytes_read(&self) -> u64 {
        self.state.borrow().bytes_read
    }

    /// Makes the operation with this number, counted from 0, go wrong.
    pub fn fail_at(&self, operation: u64, fault: Fault) {
        self.state.borrow_mut().fault = Some((operation, fault));
    }

    /// Makes nothing go wrong any more.
    pub fn heal(&self) {
        self.state.borrow_mut().fault = None;
    }

    /// The system writes everything to the disk, as it may at any time.
    pub fn write_back(&self) {
        self.state.borrow_mut().write_back();
    }

    /// The machine after a loss of power: what was synced, and as much of the rest as the seed leaves.
    pub fn after_power_loss(&self, seeded: &mut Seeded) -> Machine {
        let state = self.state.borrow();
        let mut next = State::default();
        for (path, index) in &state.live_names {
            let survives = state.durable_names.contains(path) || seeded.below(2) == 0;
            if let Some(content) = state.files.get(*index).filter(|_| survives) {
                let bytes = content.after_power_loss(seeded);
                next.live_names.insert(path.clone(), next.files.len());
                next.durable_names.insert(path.clone());
                next.files.push(Content { dirty: vec![false; bytes.len()], durable: bytes.clone(), live: bytes });
            }
        }
        Machine { state: Rc::new(RefCell::new(next)) }
    }
}

impl State {
    /// Counts an operation and says what goes wrong with it.
    fn begin(&mut self) -> io::Result<Size> {
        let operation = self.operations;
        self.operations += 1;
        match self.fault {
            Some((at, Fault::Once(kind))) if operation == at => Err(kind.into()),
            Some((at, Fault::From(kind))) if operation >= at => Err(kind.into()),
            Some((at, Fault::Stop)) if operation >= at => Err(STOPPED.into()),
            Some((at, Fault::Short)) if operation == at => Ok(Size::Half),
            Some((at, Fault::Short)) if operation == at + 1 => {
                self.write_back();
                Err(io::ErrorKind::StorageFull.into())
            }
            Some(_) | None => Ok(Size::Whole),
        }
    }

    /// The system writes all dirty bytes to the disk, as it may at any time.
    fn write_back(&mut self) {
        self.files.iter_mut().for_each(Content::sync);
        self.durable_names.extend(self.live_names.keys().cloned());
    }

    fn file(&mut self, index: usize) -> io::Result<&mut Content> {
        let missing = || io::Error::from(io::ErrorKind::NotFound);
        self.files.get_mut(index).ok_or_else(missing)
    }

    fn create(&mut self, path: Path) -> usize {
        let index = self.files.len();
        self.files.push(Content::default());
        self.live_names.insert(path, index);
        index
    }
}

/// How much of a write is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Size {
    Whole,
    Half,
}

impl Content {
    fn sync(&mut self) {
        let written = self.written();
        self.durable = written;
        self.forget();
    }

    /// What the system has written, or never will after a failed sync, is not dirty.
    fn forget(&mut self) {
        self.dirty = vec![false; self.live.len()];
    }

    /// The durable bytes with all dirty ones written over them, at the live size.
    fn written(&self) -> Vec<u8> {
        let byte = |(index, (live, dirty)): (usize, (&u8, &bool))| match dirty {
            true => *live,
            false => self.durable.get(index).copied().unwrap_or(0),
        };
        self.live.iter().zip(&self.dirty).enumerate().map(byte).collect()
    }

    fn after_power_loss(&self, seeded: &mut Seeded) -> Vec<u8> {
        let mut written = self.written();
        match seeded.below(4) {
            0 => self.durable.clone(),
            1 => written,
            2 => {
                let unsynced = written.len().saturating_sub(self.durable.len()) as u64;
                let kept = seeded.below(unsynced + 1) as usize;
                written.truncate(self.durable.len() + kept);
                written
            }
            _ => {
                // The bytes were written, the size was not.
                written.truncate(self.durable.len());
                let rest = self.durable.get(written.len()..).unwrap_or_default();
                written.extend_from_slice(rest);
                written
            }
        }
    }
}

impl Folder {
    fn path(&self, name: &str) -> Path {
        (self.name, name.to_owned())
    }

    fn opened(&self, index: usize) -> OpenFile {
        OpenFile { machine: self.machine.clone(), index, locks: None }
    }

    /// Puts a file there as if it had been there for long.
    pub fn put(&self, name: &str, bytes: &[u8]) {
        let mut state = self.machine.state.borrow_mut();
        let index = state.create(self.path(name));
        state.durable_names.insert(self.path(name));
        if let Ok(content) = state.file(index) {
            content.live = bytes.to_vec();
            content.durable = bytes.to_vec();
            content.forget();
        }
    }

    /// The live bytes of a file.
    pub fn bytes(&self, name: &str) -> Option<Vec<u8>> {
        let state = self.machine.state.borrow();
        let index = state.live_names.get(&self.path(name))?;
        state.files.get(*index).map(|content| content.live.clone())
    }
}

impl Storage for Folder {
    type File = OpenFile;

    fn lock(&self) -> io::Result<OpenFile> {
        let mut state = self.machine.state.borrow_mut();
        state.begin()?;
        if !state.locked.insert(self.name) {
            // On a disk the process would wait for itself.
            return Err(io::ErrorKind::Deadlock.into());
        }
        let path = self.path("lock");
        let index = match state.live_names.get(&path) {
            Some(index) => *index,
            None => state.create(path),
        };
        let mut lock = self.opened(index);
        lock.locks = Some(self.name);
        Ok(lock)
    }

    fn lock_to_read(&self) -> io::Result<Option<OpenFile>> {
        self.lock().map(Some)
    }

    fn names(&self) -> io::Result<Vec<String>> {
        let mut state = self.machine.state.borrow_mut();
        state.begin()?;
        let here = |(folder, name): &Path| (*folder == self.name).then(|| name.clone());
        Ok(state.live_names.keys().filter_map(here).collect())
    }

    fn open(&self, name: &str) -> io::Result<Option<Opened<OpenFile>>> {
        let mut state = self.machine.state.borrow_mut();
        state.begin()?;
        let Some(index) = state.live_names.get(&self.path(name)).copied() else {
            return Ok(None);
        };
        let bytes = state.file(index)?.live.len() as u64;
        let file = self.opened(index);
        Ok(Some(Opened { file, bytes }))
    }

    fn create(&self, name: &str) -> io::Result<OpenFile> {
        let mut state = self.machine.state.borrow_mut();
        state.begin()?;
        if state.live_names.contains_key(&self.path(name)) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let index = state.create(self.path(name));
        Ok(self.opened(index))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let mut state = self.machine.state.borrow_mut();
        state.begin()?;
        let index = state.live_names.remove(&self.path(from)).ok_or(io::ErrorKind::NotFound)?;
        state.durable_names.remove(&self.path(from));
        state.live_names.insert(self.path(to), index);
        Ok(())
    }

    fn sync_folder(&self) -> io::Result<()> {
        let mut state = self.machine.state.borrow_mut();
        state.begin()?;
        let paths: Vec<Path> = state.live_names.keys().cloned().collect();
        let here = paths.into_iter().filter(|(folder, _)| *folder == self.name);
        state.durable_names.extend(here);
        Ok(())
    }
}

impl StoredFile for OpenFile {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut state = self.machine.state.borrow_mut();
        state.begin()?;
        let content = state.file(self.index)?;
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        let source = content.live.get(offset..).unwrap_or_default();
        let count = source.len().min(buffer.len());
        for (to, from) in buffer.iter_mut().zip(source) {
            *to = *from;
        }
        state.bytes_read += count as u64;
        Ok(count)
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.machine.state.borrow_mut();
        let count = match state.begin()? {
            Size::Whole => bytes.len(),
            Size::Half => bytes.len().div_ceil(2),
        };
        let content = state.file(self.index)?;
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        let end = offset + count;
        if content.live.len() < end {
            content.live.resize(end, 0);
            content.dirty.resize(end, true);
        }
        let places = content.live.iter_mut().zip(&mut content.dirty).skip(offset).zip(bytes.iter().take(count));
        for ((live, dirty), byte) in places {
            *live = *byte;
            *dirty = true;
        }
        Ok(count)
    }

    fn set_len(&self, bytes: u64) -> io::Result<()> {
        let mut state = self.machine.state.borrow_mut();
        state.begin()?;
        let content = state.file(self.index)?;
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        content.live.truncate(bytes);
        content.dirty.truncate(bytes);
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        let mut state = self.machine.state.borrow_mut();
        let begun = state.begin();
        let content = state.file(self.index)?;
        match &begun {
            Ok(_) => content.sync(),
            Err(error) if error.kind() == STOPPED => {}
            // As Linux does: what could not be written is forgotten, and the next sync succeeds without it.
            Err(_) => content.forget(),
        }
        begun.map(|_| ())
    }
}

impl Drop for OpenFile {
    fn drop(&mut self) {
        if let Some(folder) = self.locks {
            self.machine.state.borrow_mut().locked.remove(folder);
        }
    }
}
