//! What the core knows about particular places of a file system, as data with the reason of each list.

use crate::assess::Assessed;
use crate::glob::{Reach, names_meet, paths_meet};
use crate::operation::{Effect, Scope, Trait};
use crate::paths::{AbsPath, Place};
use crate::scene::Scene;
use alloc::string::String;
use alloc::vec::Vec;

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

/// Whether everything that the operation reads is readable by everybody and nobody's private data. The root itself may
/// be listed.
pub fn is_public(place: &Place, scope: Scope) -> bool {
    let public =
        PUBLIC_FOLDERS.iter().filter_map(|folder| AbsPath::parse(folder)).any(|folder| place.is_within(&folder));
    let root_itself = matches!(place, Place::Exact(path) if path.names().is_empty()) && reach(scope) == Reach::Itself;
    (public || root_itself) && !matches_any(place, PRIVATE_PATTERNS, reach(scope))
}

/// Whether the operation touches something that runs later or at every start. What fills a whole workspace or home may
/// bring such files with it.
pub fn persists(assessed: &Assessed, scene: &Scene) -> bool {
    let Some(place) = assessed.place.as_ref().filter(|_| assessed.operation.writes()) else {
        return assessed.operation.traits.contains(Trait::Persistence);
    };
    let reach = reach(assessed.operation.scope);
    let fills = || {
        let mut whole = scene.workspace.iter().chain(&scene.home);
        !assessed.operation.removes() && reach == Reach::Below && whole.any(|folder| place.may_be(folder, reach))
    };
    assessed.operation.traits.contains(Trait::Persistence) || matches_any(place, PERSISTENCE, Reach::Itself) || fills()
}

/// The effect of an operation once the place is taken into account: what is written where it runs later has an effect
/// that nobody can tell now.
pub fn effective_effect(assessed: &Assessed, scene: &Scene) -> Effect {
    let own = assessed.operation.effect;
    if own != Effect::None && persists(assessed, scene) { Effect::Unknown } else { own }
}

/// Whether an operation that writes may touch the gate itself or its wiring into an agent host.
pub fn touches_gate(assessed: &Assessed, scene: &Scene) -> bool {
    let Some(place) = &assessed.place else {
        return false;
    };
    let reach = reach(assessed.operation.scope);
    let own =
        scene.protected.iter().any(|path| place.may_be(path, reach) || place.is_within(path) || lies_in(place, path));
    own || matches_any(place, HOST_WIRING, reach)
}

/// Whether a pattern of known depth may lie in a folder. One of any depth may lie in every folder there is.
fn lies_in(place: &Place, folder: &AbsPath) -> bool {
    let any_depth = matches!(place, Place::Pattern { rest, .. } if rest.iter().any(|name| name == "**"));
    !any_depth && place.may_be_within(folder)
}

/// Whether the place may be a raw device.
pub fn is_raw_device(place: &Place) -> bool {
    let folder = |text: &&str| AbsPath::parse(text);
    let may_be_device = AbsPath::parse("/dev").is_some_and(|devices| place.may_be_within(&devices));
    let ordinary = DEVICE_FILE_FOLDERS.iter().filter_map(folder).any(|folder| place.is_within(&folder));
    let is_folder = matches!(place, Place::Exact(path) if path.names().len() == 1);
    may_be_device && !is_inert(place) && !ordinary && !is_folder
}

/// Whether the place may be the root, a home, or a folder the system is made of. What lies in the workspace is not.
pub fn may_be_system_folder(place: &Place, scene: &Scene) -> bool {
    let Some(names) = place.pattern() else { return false };
    let inside = |own: &AbsPath| place.is_within(own) && !matches!(place, Place::Exact(path) if path == own);
    if scene.workspace.iter().any(inside) {
        return false;
    }
    let holds = |folder: &AbsPath| place.may_be(folder, Reach::Below);
    let shallow = match names.as_slice() {
        [] | [_] => true,
        [parent, _] => SYSTEM_PARENTS.iter().any(|system| names_meet(system, parent)),
        _ => false,
    };
    let own_workspace = |own: &AbsPath| holds(own) && !place.is_within(own);
    shallow || scene.home.iter().any(holds) || scene.workspace.iter().any(own_workspace)
}

/// Whether the place may match one of the patterns; with `Reach::Below`, or something in it may. Names are compared
/// without regard to case: some file systems do not distinguish it, and none of these lists grows unsafe by it.
fn matches_any(place: &Place, patterns: &[&str], reach: Reach) -> bool {
    let Some(names) = place.pattern() else { return false };
    let names: Vec<String> = names.iter().map(|name| name.to_ascii_lowercase()).collect();
    // Names at any depth may by chance lie in any folder there is. They count where they may be the folder itself.
    let at_any_depth = names.iter().any(|name| name == "**");
    patterns.iter().any(|pattern| {
        let pattern = if at_any_depth { pattern.trim_end_matches("/**") } else { pattern };
        let wanted: Vec<String> =
            pattern.trim_start_matches('/').split('/').map(|name| name.to_ascii_lowercase()).collect();
        // Above a pattern that may lie in any folder stands every folder there is, so only its own names count.
        match wanted.split_first() {
            Some((any, own)) if any == "**" && reach == Reach::Below => {
                paths_meet(&names, &wanted, Reach::Itself) || ends_above(&names, own)
            }
            Some(_) | None => paths_meet(&names, &wanted, reach),
        }
    })
}

/// Whether the last names of a place are the first of a pattern, so that the rest of the pattern lies below the place.
fn ends_above(names: &[String], own: &[String]) -> bool {
    (1..=own.len().min(names.len())).any(|count| {
        let start = names.len().saturating_sub(count);
        let (end, first) = (names.get(start..).unwrap_or(&[]), own.get(..count).unwrap_or(&[]));
        end.iter().zip(first).all(|(name, wanted)| names_meet(name, wanted))
    })
}

#[cfg(test)]
#[path = "places_tests.rs"]
mod tests;
