//! Which file a name really leads to. Links are followed, and a further name of one of the gate's own files is told by the
//! name that is protected. Must never answer with a name that is less protected than the one that was asked about.

use holdpoint_core::places;
use rustix::fs::{Mode, OFlags};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

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
    /// The path without links; what does not exist yet stands below what does.
    pub(crate) fn resolved(&self, path: &Path) -> Option<String> {
        path.ancestors().find_map(|above| {
            let real = self.real_path(above)?;
            let rest = path.strip_prefix(above).ok()?;
            // A slash at the end would turn a file into a folder.
            let whole = if rest.as_os_str().is_empty() { real } else { real.join(rest) };
            whole.to_str().map(str::to_owned)
        })
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
    fn a_checkout_of_the_gate_protects_its_frozen_folders() {
        let scratch = tempfile::tempdir().unwrap();
        assert!(frozen_sources(scratch.path()).is_empty());
        std::fs::create_dir_all(scratch.path().join("tests/frozen")).unwrap();
        std::fs::write(scratch.path().join("tests/frozen/FROZEN.sha256"), "").unwrap();
        let frozen = frozen_sources(&scratch.path().join("deep/below"));
        assert!(frozen.contains(&scratch.path().join("host/core/src")), "{frozen:?}");
    }
}
