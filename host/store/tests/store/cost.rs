//! What an append costs, counted at the storage: the same at the end of a small file and of a large one.

use crate::scratch::{FIRST_FILE, START_MS, Scratch, line};
use crate::transitions::loosened;
use holdpoint_core::ports::Meter;
use holdpoint_core::toggle::ToggleKey;
use holdpoint_core::uses::Use;
use holdpoint_store::disk::Disk;
use holdpoint_store::storage::{Opened, Storage, StoredFile};
use holdpoint_store::{Counting as Count, Decisions, Stream, Transitions, Uses};
use std::cell::RefCell;
use std::io;
use std::rc::Rc;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Cost {
    operations: Vec<&'static str>,
    bytes_read: usize,
}

type Counter = Rc<RefCell<Cost>>;

struct Counting<T> {
    inner: T,
    cost: Counter,
}

impl<T> Counting<T> {
    fn count(&self, operation: &'static str) -> &T {
        self.cost.borrow_mut().operations.push(operation);
        &self.inner
    }

    fn wrap<U>(&self, inner: U) -> Counting<U> {
        Counting { inner, cost: self.cost.clone() }
    }
}

impl Storage for Counting<Disk> {
    type File = Counting<std::fs::File>;

    fn lock(&self) -> io::Result<Self::File> {
        Ok(self.wrap(self.count("lock").lock()?))
    }

    fn lock_to_read(&self) -> io::Result<Option<Self::File>> {
        Ok(self.count("lock to read").lock_to_read()?.map(|lock| self.wrap(lock)))
    }

    fn names(&self) -> io::Result<Vec<String>> {
        self.count("names").names()
    }

    fn open(&self, name: &str) -> io::Result<Option<Opened<Self::File>>> {
        let opened = self.count("open").open(name)?;
        Ok(opened.map(|opened| Opened { file: self.wrap(opened.file), bytes: opened.bytes }))
    }

    fn create(&self, name: &str) -> io::Result<Self::File> {
        Ok(self.wrap(self.count("create").create(name)?))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.count("rename").rename(from, to)
    }

    fn sync_folder(&self) -> io::Result<()> {
        self.count("sync folder").sync_folder()
    }
}

impl StoredFile for Counting<std::fs::File> {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let count = StoredFile::read_at(self.count("read"), offset, buffer)?;
        self.cost.borrow_mut().bytes_read += count;
        Ok(count)
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<usize> {
        StoredFile::write_at(self.count("write"), offset, bytes)
    }

    fn set_len(&self, bytes: u64) -> io::Result<()> {
        StoredFile::set_len(self.count("cut"), bytes)
    }

    fn sync_data(&self) -> io::Result<()> {
        StoredFile::sync_data(self.count("sync"))
    }
}

/// Every append looks at the end of the streams that decisions name.
const STREAMS_LOOKED_AT: usize = 6;

fn cost_of_one_append(scratch: &Scratch) -> Cost {
    let cost = Counter::default();
    let counting = |stream| Counting { inner: Disk::new(&scratch.state, stream), cost: cost.clone() };
    Decisions::over(counting).append(&[line("one more")], START_MS).unwrap();
    cost.take()
}

#[test]
fn an_append_costs_the_same_at_the_end_of_a_large_file() {
    let scratch = Scratch::new();
    let decisions = Decisions::of(&scratch.state);
    let filled_to = |file_bytes: u64| {
        let lines: Vec<_> = (0..2_000).map(|number| line(&format!("line {number}"))).collect();
        let path = scratch.file(Stream::Decisions, FIRST_FILE);
        while std::fs::metadata(&path).map_or(0, |file| file.len()) < file_bytes {
            decisions.append(&lines, START_MS).unwrap();
        }
        cost_of_one_append(&scratch)
    };
    let small = filled_to(20_000);
    let large = filled_to(20_000_000);
    assert_eq!(small, large);
    let look = ["lock to read"; STREAMS_LOOKED_AT];
    assert_eq!(large.operations, [&look[..], &["lock", "read", "open", "read", "write", "sync"]].concat());
    assert!(large.bytes_read <= 10_000, "{}", large.bytes_read);
}

#[test]
fn the_first_append_of_a_day_syncs_the_folder_too() {
    let scratch = Scratch::new();
    let expected = ["lock", "read", "names", "write", "sync", "create", "sync folder", "write", "sync"];
    assert_eq!(cost_of_one_append(&scratch).operations, [&["lock to read"; STREAMS_LOOKED_AT][..], &expected].concat());
}

#[test]
fn naming_the_heads_of_all_streams_costs_four_operations_for_each_that_has_lines_and_two_more_behind_a_new_line() {
    let scratch = Scratch::new();
    let transitions = Transitions::of(&scratch.state);
    let take = |reference: &str| {
        let uses = [Use { key: ToggleKey::EmailAutoSend, count: 1, daily: Some(9_000), budget: None }];
        Uses::of(&scratch.state, Count::Take).reserve(&uses, reference, START_MS).unwrap();
    };
    transitions.append(&vec![loosened("a"); 2_000], START_MS).unwrap();
    take("first");
    cost_of_one_append(&scratch);
    let with_lines = ["lock to read", "read", "open", "read"].repeat(2);
    let looks = [&with_lines[..], &["lock to read"; STREAMS_LOOKED_AT - 2]].concat();
    let append = ["lock", "read", "open", "read"];
    let unchanged = cost_of_one_append(&scratch);
    assert_eq!(unchanged.operations, [&looks[..], &append, &["write", "sync"]].concat());
    take("second");
    let changed = cost_of_one_append(&scratch);
    assert_eq!(changed.operations, [&looks[..], &append, &["read", "sync", "write", "sync"]].concat());
    assert!(changed.bytes_read <= 30_000, "{}", changed.bytes_read);
}
