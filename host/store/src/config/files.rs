//! The files of the layers, and reading one of them.

use crate::config::problem::Problem;
use crate::config::text::Text;
use crate::config::{FILE_BYTES_MAX, Layer};
use rustix::fs::{CWD, FileType, Mode, OFlags};
use rustix::io::Errno;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Whether a file has to be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// Without it nothing is configured.
    Optional,
    /// Somebody named it, so it must be there.
    Required,
}

/// One file of a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Who wrote it.
    pub layer: Layer,
    /// Where it is.
    pub path: PathBuf,
    /// Whether it has to be there.
    pub presence: Presence,
}

/// The files of all layers, and what they are read with.
#[derive(Clone, Debug, Default)]
pub struct Files {
    /// The files, the system's first.
    pub files: Vec<File>,
    /// The home folder that `~/` stands for.
    pub home: Option<PathBuf>,
    /// The keys of all toggles there are.
    pub toggles: Vec<String>,
}

/// The text of a file; `None` where it is not there and need not be.
pub(crate) fn read(file: &File) -> Result<Option<Text>, Problem> {
    let name = file.path.display().to_string();
    let wrong = |what: String, help: &str| Problem::of_file(&name, what, help);
    // A link in a repository would show lines of another file in what is told of it.
    let no_link = if file.layer == Layer::Repository { OFlags::NOFOLLOW } else { OFlags::empty() };
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC | no_link;
    let opened = match rustix::fs::openat(CWD, &file.path, flags, Mode::empty()) {
        Ok(opened) => std::fs::File::from(opened),
        Err(Errno::NOENT | Errno::NOTDIR) if file.presence == Presence::Optional => return Ok(None),
        Err(Errno::LOOP) => return Err(wrong("it is a symbolic link".to_owned(), "put the file itself there")),
        Err(errno) => return Err(wrong(unreadable(errno.into()), "check the path and its permissions")),
    };
    let about = rustix::fs::fstat(&opened).map_err(|errno| wrong(unreadable(errno.into()), "check the file"))?;
    if FileType::from_raw_mode(about.st_mode) != FileType::RegularFile {
        return Err(wrong("it is not a file".to_owned(), "put a file there, or name another path"));
    }
    if file.layer != Layer::Repository && Mode::from_raw_mode(about.st_mode).intersects(Mode::WOTH) {
        return Err(wrong("every user can write to it".to_owned(), "check what it says, then `chmod o-w` it"));
    }
    let bytes = bytes(&opened).map_err(|error| wrong(unreadable(error), "check the disk"))?;
    if bytes.len() > FILE_BYTES_MAX {
        return Err(wrong(format!("it is longer than {FILE_BYTES_MAX} bytes"), "say less"));
    }
    match String::from_utf8(bytes) {
        Ok(body) => Ok(Some(Text { file: name, body })),
        Err(_) => Err(wrong("it is not UTF-8".to_owned(), "save it as UTF-8")),
    }
}

fn bytes(opened: &std::fs::File) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    opened.take(FILE_BYTES_MAX as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn unreadable(error: std::io::Error) -> String {
    format!("it cannot be read: {error}")
}

/// The name of a path for messages.
pub(crate) fn name(path: &Path) -> String {
    path.display().to_string()
}
