//! What the core knows about particular places of a file system, as data with the reason of each list.

use crate::assess::Assessed;
use crate::operation::{Effect, Scope, Trait};
use crate::paths::{AbsPath, Place, Reach, name_matches};
use crate::scene::Scene;
use alloc::string::String;

/// Devices without a memory: writing to them loses nothing and reading them tells nothing. Source: the Filesystem
/// Hierarchy Standard 3.0, section 6.1.3, and null(4), random(4), tty(4).
const INERT_DEVICES: &[&str] = &[
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/tty",
    "/dev/stdin",
    "/dev/stdout",
    "/dev/stderr",
    "/dev/fd",
    "/dev/ptmx",
    "/dev/pts",
];

/// Folders under `/dev` that hold ordinary files.
const DEVICE_FILE_FOLDERS: &[&str] = &["/dev/shm", "/dev/mqueue"];

/// Places that every user of the machine may read, and that hold no one's private data.
const PUBLIC_FOLDERS: &[&str] = &[
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/usr",
    "/opt",
    "/boot",
    "/etc",
    "/sys",
    "/proc",
    "/var/lib/dpkg",
    "/var/lib/apt",
    "/var/log",
    "/var/cache",
    "/dev/null",
];

/// Places inside those that are private all the same: passwords, keys, the environment of other processes.
const PRIVATE_PATTERNS: &[&str] = &[
    "/etc/shadow*",
    "/etc/gshadow*",
    "/etc/sudoers",
    "/etc/sudoers.d/**",
    "/etc/ssl/private/**",
    "/etc/ssh/ssh_host_*",
    "/etc/ssh/*_key",
    "/etc/security/opasswd",
    "/etc/krb5.keytab",
    "/etc/wireguard/**",
    "/etc/NetworkManager/**",
    "/etc/ppp/**",
    "/proc/*/environ",
    "/proc/*/mem",
    "/proc/*/fd/**",
    "/proc/*/root/**",
    "/proc/*/cwd/**",
    "/proc/*/maps",
    "/proc/*/task/**",
    "/proc/kcore",
    "/var/log/auth*",
    "/var/log/secure*",
    "/var/log/audit/**",
];

/// Files that wire a gate into an agent host. Whoever writes them can switch the gate off. `**` is any folder in front.
const HOST_WIRING: &[&str] = &[
    "**/.claude/settings.json",
    "**/.claude/settings.local.json",
    "**/.claude/hooks/**",
    "**/.codex/hooks.json",
    "**/.codex/config.toml",
    "**/.gemini/settings.json",
    "**/.cursor/hooks.json",
    "**/.cursor/hooks/**",
    "**/.copilot/hooks/**",
    "**/.github/hooks/**",
    "/etc/claude-code/**",
    "**/.config/claude/**",
];

/// Files whose content runs later: at login, on a schedule, on a version-control event, when an editor opens the folder.
const PERSISTENCE: &[&str] = &[
    "**/.git/**",
    "**/.gitconfig",
    "**/.config/git/**",
    "**/.husky/**",
    "**/.bashrc",
    "**/.bash_profile",
    "**/.bash_login",
    "**/.bash_logout",
    "**/.bash_aliases",
    "**/.profile",
    "**/.zshrc",
    "**/.zshenv",
    "**/.zprofile",
    "**/.zlogin",
    "**/.config/fish/**",
    "**/.inputrc",
    "**/.ssh/**",
    "**/.envrc",
    "**/.npmrc",
    "**/.vimrc",
    "**/.config/nvim/**",
    "**/.emacs",
    "**/.emacs.d/**",
    "**/.config/autostart/**",
    "**/.config/systemd/**",
    "**/.local/share/systemd/**",
    "**/.pam_environment",
    "**/.xinitrc",
    "**/.xprofile",
    "**/.xsession",
    "**/.vscode/tasks.json",
    "**/.vscode/launch.json",
    "**/.vscode/settings.json",
    "**/.idea/**",
    "**/.claude/**",
    "**/.mcp.json",
    "**/.cursor/mcp.json",
    "**/.curlrc",
    "**/.wgetrc",
    "**/.netrc",
    "**/.pypirc",
    "**/.cargo/config.toml",
    "**/.cargo/config",
    "**/.kube/config",
    "**/.docker/config.json",
    "/etc/cron*/**",
    "/etc/crontab",
    "/var/spool/cron/**",
    "/etc/systemd/**",
    "/lib/systemd/**",
    "/usr/lib/systemd/**",
    "/etc/init.d/**",
    "/etc/rc*",
    "/etc/profile",
    "/etc/profile.d/**",
    "/etc/bash.bashrc",
    "/etc/environment",
    "/etc/ld.so.preload",
    "/etc/ld.so.conf*",
    "/etc/sudoers",
    "/etc/sudoers.d/**",
    "/etc/pam.d/**",
    "/etc/passwd",
    "/etc/shadow",
    "/etc/ssh/**",
    "/etc/udev/**",
    "/etc/apt/**",
    "/etc/hosts",
];

/// Folders whose direct members are system folders too.
const SYSTEM_PARENTS: &[&str] = &["usr", "var", "home", "Users", "System", "Library"];

/// Whether an operation goes beyond its target to everything below it.
pub fn reach(scope: Scope) -> Reach {
    match scope {
        Scope::One | Scope::Selection => Reach::Itself,
        Scope::AllInParent | Scope::Parent | Scope::Root | Scope::Unknown => Reach::Below,
    }
}

/// Whether nothing that matters can be at the place.
pub fn is_inert(place: &Place) -> bool {
    INERT_DEVICES.iter().filter_map(|device| AbsPath::parse(device)).any(|device| place.is_within(&device))
}

/// Whether the place is certainly in the workspace.
pub fn is_in_workspace(place: &Place, scene: &Scene) -> bool {
    scene.workspace.iter().any(|folder| place.is_within(folder))
}

/// Whether the place is readable by everybody and holds nobody's private data.
pub fn is_public(place: &Place) -> bool {
    let public =
        PUBLIC_FOLDERS.iter().filter_map(|folder| AbsPath::parse(folder)).any(|folder| place.is_within(&folder));
    let root_itself = matches!(place, Place::Exact(path) if path.names().is_empty());
    (public || root_itself) && !matches_any(place, PRIVATE_PATTERNS, Reach::Itself)
}

/// Whether the operation touches something that runs later or at every start.
pub fn persists(assessed: &Assessed) -> bool {
    let listed = || {
        let place = assessed.place.as_ref();
        place.is_some_and(|place| matches_any(place, PERSISTENCE, Reach::Itself))
    };
    assessed.operation.traits.contains(Trait::Persistence) || (assessed.operation.writes() && listed())
}

/// The effect of an operation once the place is taken into account: what is written where it runs later has an effect
/// that nobody can tell now.
pub fn effective_effect(assessed: &Assessed) -> Effect {
    let own = assessed.operation.effect;
    if own != Effect::None && persists(assessed) { Effect::Unknown } else { own }
}

/// Whether an operation that writes may touch the gate itself or its wiring into an agent host.
pub fn touches_gate(assessed: &Assessed, scene: &Scene) -> bool {
    let Some(place) = &assessed.place else {
        return false;
    };
    let reach = reach(assessed.operation.scope);
    let own = scene.protected.iter().any(|path| place.may_be(path, reach) || place.may_be_within(path));
    own || matches_any(place, HOST_WIRING, reach)
}

/// Whether the place is a raw device.
pub fn is_raw_device(place: &Place) -> bool {
    let under = |folders: &[&str]| {
        folders.iter().filter_map(|folder| AbsPath::parse(folder)).any(|folder| place.is_within(&folder))
    };
    under(&["/dev"]) && !is_inert(place) && !under(DEVICE_FILE_FOLDERS)
}

/// Whether the folder is the root, a home, or a folder the system is made of.
pub fn is_system_folder(folder: &AbsPath, scene: &Scene) -> bool {
    let home = scene.home.as_ref().is_some_and(|home| home.is_within(folder));
    let holds_workspace = scene.workspace.iter().any(|own| own.is_within(folder) && own != folder);
    match folder.names() {
        [] | [_] => true,
        [parent, _] => home || holds_workspace || SYSTEM_PARENTS.contains(&parent.as_str()),
        _ => home || holds_workspace,
    }
}

/// A path of another operating system, such as `C:\Windows`, that names a drive or a folder directly on one.
pub fn is_windows_system_folder(name: &str) -> bool {
    let mut characters = name.chars();
    let drive = characters.next().is_some_and(|letter| letter.is_ascii_alphabetic());
    if !drive || characters.next() != Some(':') {
        return false;
    }
    let names = characters.as_str().split(['\\', '/']).filter(|name| !matches!(*name, "" | "." | "*" | "*.*"));
    names.count() <= 1
}

/// Whether the place may match one of the patterns; with `Reach::Below`, or something in it may.
fn matches_any(place: &Place, patterns: &[&str], reach: Reach) -> bool {
    patterns.iter().any(|pattern| match place {
        Place::Anywhere => false,
        Place::Exact(path) => pattern_matches(pattern, path.names(), reach),
        Place::Pattern { folder, rest } => {
            // A pattern against a pattern is decided name by name, where a wildcard may be any name it can match.
            let names: alloc::vec::Vec<String> = folder.names().iter().chain(rest).cloned().collect();
            pattern_matches(pattern, &names, reach)
        }
    })
}

fn pattern_matches(pattern: &str, names: &[String], reach: Reach) -> bool {
    let pattern: alloc::vec::Vec<&str> = pattern.trim_start_matches('/').split('/').collect();
    // In front of `**` every folder there is would count as "above what the pattern names". So such a pattern needs a
    // name of its own first.
    let reach_of_nothing = if pattern.first() == Some(&"**") { Reach::Itself } else { reach };
    walk(&pattern, names, reach_of_nothing, reach)
}

/// `now` is what the end of `names` means while no name has matched yet, `later` what it means from then on.
fn walk(pattern: &[&str], names: &[String], now: Reach, later: Reach) -> bool {
    match (pattern.split_first(), names.split_first()) {
        (None, None) => true,
        (None, Some(_)) => false,
        (Some((&"**", deeper)), _) => {
            walk(deeper, names, now, later)
                || names.split_first().is_some_and(|(_, below)| walk(pattern, below, now, later))
        }
        // The place is a folder above what the pattern names, and the operation takes everything below it.
        (Some(_), None) => now == Reach::Below,
        (Some((wanted, deeper)), Some((name, below))) => same_name(wanted, name) && walk(deeper, below, later, later),
    }
}

/// Names are compared without regard to case: some file systems do not distinguish it, and none of these lists grows
/// unsafe by it.
fn same_name(wanted: &str, name: &str) -> bool {
    let (wanted, name) = (wanted.to_ascii_lowercase(), name.to_ascii_lowercase());
    name_matches(&wanted, &name) || (name.contains(['*', '?', '[']) && name_matches(&name, &wanted))
}

#[cfg(test)]
#[path = "places_tests.rs"]
mod tests;
