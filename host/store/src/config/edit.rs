//! Reading and setting one key of a file. Everything else in it stays as it is: comments, order, and keys of other versions
//! as long as the file checks.

use crate::config::files::{self, File, Files, Presence};
use crate::config::layers::problems_of;
use crate::config::problem::Problem;
use crate::config::text::{quoted, sentence};
use crate::config::{FILE_BYTES_MAX, Layer};
use rustix::fs::OFlags;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use toml_edit::{DocumentMut, Item, Key, Table, Value};

/// Permission bits of a file that is written here.
const FILE_MODE: u32 = 0o600;
/// What a file that is being written is called until it is whole.
const NEW_SUFFIX: &str = ".new";
/// Most steps of a key.
const KEY_STEPS_MAX: usize = 8;

/// What became of a file.
#[derive(Debug, PartialEq, Eq)]
pub enum Edited {
    /// It says so now.
    Written,
    /// It said so already.
    Unchanged,
}

/// What a key of a file holds, as TOML; `None` where it is not set.
pub fn get(path: &Path, key: &str) -> Result<Option<String>, Problem> {
    let name = files::name(path);
    let steps = steps(&name, key)?;
    Ok(find(document(path)?.as_item(), &steps))
}

/// What stands at the end of some steps. A number is a place in a list.
fn find(item: &Item, steps: &[Key]) -> Option<String> {
    let Some((step, rest)) = steps.split_first() else { return Some(shown(item)) };
    match (item, step.get().parse::<usize>()) {
        (Item::ArrayOfTables(tables), Ok(index)) => find(&Item::Table(tables.get(index)?.clone()), rest),
        (Item::Value(Value::Array(array)), Ok(index)) => find(&Item::Value(array.get(index)?.clone()), rest),
        (item, _) => find(item.get(step.get())?, rest),
    }
}

/// A value without the comments beside it; a table with all that is in it.
fn shown(item: &Item) -> String {
    let mut item = item.clone();
    if let Item::Value(value) = &mut item {
        value.decor_mut().clear();
    }
    item.to_string().trim().to_owned()
}

/// Sets a key of a file to a value, which is TOML or else a text. A file that would not check is not written, and the
/// problems say why.
pub fn set(path: &Path, key: &str, value: &str, files: &Files) -> Result<Edited, Vec<Problem>> {
    let name = files::name(path);
    let steps = steps(&name, key).map_err(|problem| vec![problem])?;
    let mut document = document(path).map_err(|problem| vec![problem])?;
    let before = document.to_string();
    let value = value.parse::<Value>().unwrap_or_else(|_| Value::from(value));
    put(document.as_table_mut(), &steps, value)
        .map_err(|what| vec![Problem::of_file(&name, what, "`holdpoint config get` shows what is there")])?;
    let after = document.to_string();
    let mut problems = problems_of(&after, path, files);
    if after.len() > FILE_BYTES_MAX {
        problems.push(Problem::of_file(&name, format!("it would be longer than {FILE_BYTES_MAX} bytes"), "say less"));
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    if after == before {
        return Ok(Edited::Unchanged);
    }
    let written = write(path, after.as_bytes());
    written
        .map_err(|error| vec![Problem::of_file(&name, format!("it cannot be written: {error}"), "check the folder")])?;
    Ok(Edited::Written)
}

fn steps(file: &str, key: &str) -> Result<Vec<Key>, Problem> {
    let help = "write it as in the file: `safety.principals.\"mcp:claude-code\".level`";
    let wrong = |what: String| Problem::of_file(file, what, help);
    let steps = Key::parse(key).map_err(|_| wrong(format!("{} is no key", quoted(key))))?;
    if steps.len() > KEY_STEPS_MAX { Err(wrong(format!("a key has at most {KEY_STEPS_MAX} steps"))) } else { Ok(steps) }
}

/// The document of a file; an empty one where there is none.
fn document(path: &Path) -> Result<DocumentMut, Problem> {
    let file = File { layer: Layer::User, path: path.to_owned(), presence: Presence::Optional };
    let Some(text) = files::read(&file)? else { return Ok(DocumentMut::new()) };
    let wrong = |error: toml_edit::TomlError| {
        text.problem(&error.span().unwrap_or(0..0), sentence(error.message()), "mend it by hand first".to_owned())
    };
    text.body.parse::<DocumentMut>().map_err(wrong)
}

fn put(table: &mut Table, steps: &[Key], mut value: Value) -> Result<(), String> {
    let Some((last, above)) = steps.split_last() else { return Err("the key is empty".to_owned()) };
    let mut item = table as &mut dyn toml_edit::TableLike;
    for step in above {
        let is_new = item.get(step.get()).is_none();
        if is_new {
            let mut fresh = Table::new();
            // A table that holds only tables needs no line of its own.
            fresh.set_implicit(true);
            item.insert(step.get(), Item::Table(fresh));
        }
        let within = item.get_mut(step.get()).and_then(Item::as_table_like_mut);
        item = within.ok_or_else(|| format!("`{}` is no table", step.get()))?;
    }
    match item.get_mut(last.get()) {
        Some(Item::Value(old)) => {
            *value.decor_mut() = old.decor().clone();
            *old = value;
        }
        Some(Item::Table(_) | Item::ArrayOfTables(_)) => {
            return Err(format!(
                "`{}` is a table of its own, which is changed member by member or by hand",
                last.get()
            ));
        }
        Some(Item::None) | None => {
            item.insert(last.get(), Item::Value(value));
        }
    }
    Ok(())
}

/// Replaces a file as a whole, so that a crash leaves the old one or the new one. A link is followed to the file itself.
fn write(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let path = match std::fs::canonicalize(path) {
        Ok(real) => real,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => path.to_owned(),
        Err(error) => return Err(error),
    };
    let mut unique = path.as_os_str().to_owned();
    unique.push(NEW_SUFFIX);
    let unique = PathBuf::from(unique);
    // What a crash left behind was never in use.
    match std::fs::remove_file(&unique) {
        Ok(()) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    let no_follow = i32::try_from(OFlags::NOFOLLOW.bits()).unwrap_or(0);
    let mut options = std::fs::OpenOptions::new();
    let mut file = options.write(true).create_new(true).mode(FILE_MODE).custom_flags(no_follow).open(&unique)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    std::fs::rename(&unique, &path)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::File::open(folder)?.sync_all()
}
