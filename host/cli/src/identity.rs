//! Which file a name really leads to. Links are followed, and a further name of one of the gate's own files is told by the
//! name that is protected. Must never answer with a name that is less protected than the one that was asked about.

use holdpoint::{ENTRIES_MAX, Entry, Links};
use holdpoint_core::places;
use rustix::fs::{Mode, OFlags};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Most links that are followed one after the other, as in the kernel.
const LINKS_MAX: usize = 40;
/// Most entries that are looked at below a path to tell whether it holds links.
const LOOKED_AT_MAX: usize = 5_000;
/// Most entries of protected folders that are compared. Behind them a file with several names is taken for one of them.
const COMPARED_MAX: usize = 20_000;

/// The files of the gate, and the folders whose wiring into agent hosts counts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Own {
    /// Files and folders of the gate itself.
    pub(crate) protected: Vec<PathBuf>,
    /// Folders in which an agent host looks for its settings.
    pub(crate) wired: Vec<PathBuf>,
}

impl Own {
    /// The path without links; what does not exist yet stands below what does, and where a link leads to nothing, below
    /// what it leads to.
    pub(crate) fn resolved(&self, path: &Path) -> Option<String> {
        self.followed(path, LINKS_MAX)?.to_str().map(str::to_owned)
    }

    fn followed(&self, path: &Path, links_left: usize) -> Option<PathBuf> {
        let (above, real) = path.ancestors().find_map(|above| Some((above, self.real_path(above)?)))?;
        let mut missing = path.strip_prefix(above).ok()?.components();
        let Some(first) = missing.next() else { return Some(real) };
        // Joining nothing would add a slash, which turns a file into a folder.
        let with_rest = |path: PathBuf| missing.clone().fold(path, |path, name| path.join(name));
        let next = real.join(first);
        match next.read_link() {
            // The link leads to what is not there, which is why it could not be opened.
            Ok(target) => self.followed(&with_rest(real.join(target)), links_left.checked_sub(1)?),
            Err(_) => Some(with_rest(next)),
        }
    }

    /// The path of something that exists. The kernel knows it for an open descriptor, in three calls whatever the depth;
    /// `canonicalize` asks about every folder on the way, so it is left to systems without `/proc`.
    fn real_path(&self, path: &Path) -> Option<PathBuf> {
        let opened = rustix::fs::open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).ok()?;
        let told = std::fs::read_link(format!("/proc/self/fd/{}", opened.as_raw_fd()));
        let real = told.ok().filter(|real| real.is_absolute()).or_else(|| path.canonicalize().ok())?;
        Some(self.first_name(&opened).unwrap_or(real))
    }

    /// The protected name of a file that has several, if one of them is protected.
    fn first_name(&self, opened: &OwnedFd) -> Option<PathBuf> {
        let stat = rustix::fs::fstat(opened).ok()?;
        let is_file = rustix::fs::FileType::from_raw_mode(stat.st_mode) == rustix::fs::FileType::RegularFile;
        if !is_file || stat.st_nlink < 2 {
            return None;
        }
        let same = |path: &Path| {
            let found = std::fs::symlink_metadata(path);
            found.is_ok_and(|found| found.dev() == stat.st_dev && found.ino() == stat.st_ino)
        };
        let wiring = self.wired.iter().flat_map(|folder| places::wiring_names().map(move |name| folder.join(name)));
        wiring.into_iter().find(|path| same(path)).or_else(|| self.among_protected(same))
    }

    fn among_protected(&self, same: impl Fn(&Path) -> bool) -> Option<PathBuf> {
        let mut waiting = self.protected.clone();
        let mut compared = 0_usize;
        while let Some(path) = waiting.pop() {
            compared += 1;
            if compared > COMPARED_MAX || same(&path) {
                return Some(path);
            }
            if path.symlink_metadata().is_ok_and(|found| found.is_dir()) {
                // A folder that cannot be listed may hold anything.
                let Ok(entries) = std::fs::read_dir(&path) else { return Some(path) };
                waiting.extend(entries.filter_map(|entry| Some(entry.ok()?.path())));
            }
        }
        None
    }
}

/// Whether a path is a link or has links below it. Nothing is a link that is not there.
pub(crate) fn links_at(path: &Path) -> Links {
    let mut waiting = vec![path.to_path_buf()];
    let mut looked_at = 0_usize;
    while let Some(path) = waiting.pop() {
        looked_at += 1;
        let Ok(found) = path.symlink_metadata() else { continue };
        if looked_at > LOOKED_AT_MAX || found.is_symlink() {
            return Links::Possible;
        }
        if found.is_dir() {
            let Ok(entries) = std::fs::read_dir(&path) else { return Links::Possible };
            for entry in entries {
                looked_at += 1;
                let Ok(entry) = entry else { return Links::Possible };
                match entry.file_type() {
                    Ok(kind) if kind.is_symlink() || looked_at > LOOKED_AT_MAX => return Links::Possible,
                    Ok(kind) if kind.is_dir() => waiting.push(entry.path()),
                    Ok(_) => {}
                    Err(_) => return Links::Possible,
                }
            }
        }
    }
    Links::None
}

/// The links and folders in a folder.
pub(crate) fn entries(folder: &Path) -> Option<Vec<Entry>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).ok()? {
        let entry = entry.ok()?;
        let kind = entry.file_type().ok()?;
        // A name that cannot be compared cannot be told.
        let name = || entry.file_name().into_string().ok();
        if kind.is_symlink() {
            found.push(Entry::Link(name()?));
        } else if kind.is_dir() {
            found.push(Entry::Folder(name()?));
        }
        if found.len() > ENTRIES_MAX {
            return None;
        }
    }
    Some(found)
}

/// The frozen folders of a checkout of Holdpoint itself that `folder` lies in: nothing that is gated changes the gate, from
/// inside its own sources either.
pub(crate) fn frozen_sources(folder: &Path) -> Vec<PathBuf> {
    let manifest = Path::new("tests/frozen/FROZEN.sha256");
    let Some(root) = folder.ancestors().find(|above| above.join(manifest).is_file()) else { return Vec::new() };
    ["host/core/src", "host/store/src", "wit", "tests/frozen"].iter().map(|frozen| root.join(frozen)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(folder: &Path) -> Own {
        Own { protected: vec![folder.join("state")], wired: vec![folder.to_path_buf()] }
    }

    #[test]
    fn a_second_name_of_a_protected_file_is_told_by_its_first() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path().canonicalize().unwrap();
        std::fs::create_dir_all(folder.join("state/audit")).unwrap();
        std::fs::create_dir_all(folder.join(".claude")).unwrap();
        for (protected, name) in [("state/audit/x", "innocent"), (".claude/settings.json", "notes")] {
            std::fs::write(folder.join(protected), "x").unwrap();
            std::fs::hard_link(folder.join(protected), folder.join(name)).unwrap();
            std::os::unix::fs::symlink(folder.join(name), folder.join(format!("{name}-link"))).unwrap();
            let expected = folder.join(protected).to_str().map(str::to_owned);
            for name in [name, &format!("{name}-link"), protected] {
                assert_eq!(own(&folder).resolved(&folder.join(name)), expected, "{name}");
            }
        }
        std::fs::write(folder.join("a"), "x").unwrap();
        std::fs::hard_link(folder.join("a"), folder.join("b")).unwrap();
        assert_eq!(own(&folder).resolved(&folder.join("b")), folder.join("b").to_str().map(str::to_owned));
    }

    #[test]
    fn what_does_not_exist_stands_below_what_does() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path().canonicalize().unwrap();
        std::os::unix::fs::symlink(&folder, folder.join("link")).unwrap();
        let resolved = own(&folder).resolved(&folder.join("link/new/file"));
        assert_eq!(resolved, folder.join("new/file").to_str().map(str::to_owned));
    }

    #[test]
    fn a_link_that_leads_to_nothing_is_followed_to_where_it_leads() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path().canonicalize().unwrap();
        std::fs::create_dir(folder.join("d")).unwrap();
        std::os::unix::fs::symlink("../later/file", folder.join("d/one")).unwrap();
        std::os::unix::fs::symlink("one", folder.join("d/two")).unwrap();
        std::os::unix::fs::symlink("round", folder.join("d/round")).unwrap();
        let resolved = |name: &str| own(&folder).resolved(&folder.join(name));
        let expected = |name: &str| folder.join(name).to_str().map(str::to_owned);
        assert_eq!(resolved("d/one"), expected("later/file"));
        assert_eq!(resolved("d/two"), expected("later/file"));
        assert_eq!(resolved("d/one/below"), expected("later/file/below"));
        assert_eq!(resolved("d/round"), None, "a circle leads nowhere");
    }

    #[test]
    fn links_are_found_wherever_they_are_below_and_what_is_not_there_has_none() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path();
        std::fs::create_dir_all(folder.join("a/b")).unwrap();
        std::fs::write(folder.join("a/b/file"), "").unwrap();
        assert_eq!((links_at(folder), links_at(&folder.join("none"))), (Links::None, Links::None));
        std::os::unix::fs::symlink("x", folder.join("a/b/link")).unwrap();
        assert_eq!((links_at(folder), links_at(&folder.join("a/b/link"))), (Links::Possible, Links::Possible));
        let mut found = entries(&folder.join("a")).unwrap();
        found.extend(entries(&folder.join("a/b")).unwrap());
        assert_eq!(found, [Entry::Folder("b".into()), Entry::Link("link".into())]);
        assert_eq!(entries(&folder.join("none")), None);
    }

    #[test]
    fn more_entries_than_the_bound_may_hold_links() {
        let scratch = tempfile::tempdir().unwrap();
        for index in 0..LOOKED_AT_MAX {
            std::fs::write(scratch.path().join(index.to_string()), "").unwrap();
        }
        assert_eq!(links_at(scratch.path()), Links::Possible);
        std::fs::remove_file(scratch.path().join("0")).unwrap();
        assert_eq!(links_at(scratch.path()), Links::None);
    }

    #[test]
    fn one_link_more_than_are_followed_leads_nowhere() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path().canonicalize().unwrap();
        for index in 0..=LINKS_MAX {
            std::os::unix::fs::symlink((index + 1).to_string(), folder.join(index.to_string())).unwrap();
        }
        let resolved = |index: usize| own(&folder).resolved(&folder.join(index.to_string()));
        assert_eq!(resolved(1), folder.join((LINKS_MAX + 1).to_string()).to_str().map(str::to_owned));
        assert_eq!(resolved(0), None);
    }

    #[test]
    fn one_folder_more_than_the_bound_makes_a_listing_unknown() {
        let scratch = tempfile::tempdir().unwrap();
        for index in 0..ENTRIES_MAX {
            std::fs::create_dir(scratch.path().join(index.to_string())).unwrap();
        }
        assert_eq!(entries(scratch.path()).map(|found| found.len()), Some(ENTRIES_MAX));
        std::fs::create_dir(scratch.path().join("over")).unwrap();
        assert_eq!(entries(scratch.path()), None);
    }

    #[test]
    fn one_protected_file_more_than_is_compared_makes_a_second_name_one_of_them() {
        let scratch = tempfile::tempdir().unwrap();
        let folder = scratch.path().canonicalize().unwrap();
        std::fs::create_dir(folder.join("state")).unwrap();
        // The folder itself is compared too.
        for index in 1..COMPARED_MAX {
            std::fs::write(folder.join("state").join(index.to_string()), "").unwrap();
        }
        std::fs::write(folder.join("a"), "").unwrap();
        std::fs::hard_link(folder.join("a"), folder.join("b")).unwrap();
        let resolved = || own(&folder).resolved(&folder.join("b")).unwrap();
        assert_eq!(Path::new(&resolved()), folder.join("b"));
        std::fs::write(folder.join("state/over"), "").unwrap();
        assert!(Path::new(&resolved()).starts_with(folder.join("state")));
    }

    #[test]
    fn a_checkout_of_the_gate_protects_its_frozen_folders() {
        let scratch = tempfile::tempdir().unwrap();
        assert!(frozen_sources(scratch.path()).is_empty());
        std::fs::create_dir_all(scratch.path().join("tests/frozen")).unwrap();
        std::fs::write(scratch.path().join("tests/frozen/FROZEN.sha256"), "").unwrap();
        let frozen = frozen_sources(&scratch.path().join("deep/below"));
        assert!(frozen.contains(&scratch.path().join("host/core/src")), "{frozen:?}");
    }
}
