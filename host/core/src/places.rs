//! What a place of a file system means for an operation on it. The places themselves are listed in `place_lists`.

use crate::assess::Assessed;
use crate::glob::{Reach, names_meet, paths_meet};
use crate::operation::{Access, Effect, Operation, Scope, TargetKind, Trait};
use crate::paths::{AbsPath, Place, is_windows_system_folder};
use crate::place_lists::{
    DEVICE_FILE_FOLDERS, HOME_CACHES, HOST_WIRING, INERT_DEVICES, KERNEL_FOLDERS, MACHINE_SWITCHES, PERSISTENCE,
    PERSISTENCE_BY_NAME, PRIVATE_PATTERNS, PUBLIC_FOLDERS, SYSTEM_CODE, SYSTEM_PARENTS,
};
use crate::scene::Scene;
use alloc::string::String;
use alloc::vec::Vec;

/// Characters that a pattern of the lists does not mean as they are.
const WILDCARDS: &[char] = &['*', '?', '[', '\\'];

/// Whether an operation goes beyond its target to everything below it.
pub fn reach(scope: Scope) -> Reach {
    match scope {
        Scope::One | Scope::Selection => Reach::Itself,
        Scope::AllInParent | Scope::Parent | Scope::Root | Scope::Unknown => Reach::Below,
    }
}

/// Whether nothing that matters can be at the place.
pub fn is_inert(place: &Place) -> bool {
    under(place, INERT_DEVICES)
}

/// Whether the place is certainly in the workspace.
pub fn is_in_workspace(place: &Place, scene: &Scene) -> bool {
    scene.workspace.iter().any(|folder| place.is_within(folder))
}

/// Whether everything that the operation reads is readable by everybody and nobody's private data. The root itself may
/// be listed.
pub fn is_public(place: &Place, scope: Scope) -> bool {
    let public = under(place, PUBLIC_FOLDERS);
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
    assessed.operation.traits.contains(Trait::Persistence)
        || matches_any(place, PERSISTENCE, Reach::Itself)
        || (matches!(place, Place::Exact(_)) && matches_any(place, PERSISTENCE_BY_NAME, Reach::Itself))
        || (!is_in_workspace(place, scene) && (under(place, SYSTEM_CODE) || is_setting_of_home(place, scene)))
        || fills()
}

/// Whether the place lies in one of these folders.
fn under(place: &Place, folders: &[&str]) -> bool {
    folders.iter().any(|folder| place.is_under(folder))
}

/// Whether the place is a hidden file or folder of the home: that is where programs keep what they read at every start.
fn is_setting_of_home(place: &Place, scene: &Scene) -> bool {
    let Some(home) = scene.home.as_ref().filter(|home| place.is_within(home)) else { return false };
    let names = place.pattern().unwrap_or_default();
    let first = names.get(home.names().len());
    first.is_some_and(|name| name.starts_with('.') && !HOME_CACHES.contains(&name.as_str()))
}

/// Whether the place is a switch that stops the machine.
pub fn is_machine_switch(place: &Place) -> bool {
    let may_be = |folder: &&str| AbsPath::parse(folder).is_some_and(|switch| lies_in(place, &switch));
    under(place, MACHINE_SWITCHES) || (matches!(place, Place::Pattern { .. }) && MACHINE_SWITCHES.iter().any(may_be))
}

/// The effect of an operation once the place is taken into account. Nobody can tell now what follows from a write where it
/// runs later, from one to a place that is not known, or from rights that are given away; and what the kernel is told
/// cannot be taken back.
pub fn effective_effect(assessed: &Assessed, scene: &Scene) -> Effect {
    let (own, operation) = (assessed.operation.effect, &assessed.operation);
    if own == Effect::None {
        return own;
    }
    let place = assessed.place.as_ref();
    let nowhere_known = place == Some(&Place::Anywhere) && operation.writes();
    let opens_the_system = operation.access == Access::Permissions && is_system_folder(assessed, scene);
    if persists(assessed, scene) || nowhere_known || opens_the_system || operation.traits.contains(Trait::Privilege) {
        return Effect::Unknown;
    }
    if place.is_some_and(|place| under(place, KERNEL_FOLDERS)) { own.max(Effect::Irreversible) } else { own }
}

/// Whether the target itself may be a system folder, of this system or of another.
fn is_system_folder(assessed: &Assessed, scene: &Scene) -> bool {
    let Some(place) = &assessed.place else { return false };
    let foreign = assessed.operation.target.first().is_some_and(|target| is_windows_system_folder(&target.name));
    foreign || may_be_system_folder(place, scene)
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

/// Where an operation happens, if it is about files.
pub(crate) fn place_of(operation: &Operation, cwd: Option<&AbsPath>) -> Option<Place> {
    let segment = operation.target.first()?;
    let about_files = matches!(segment.kind, TargetKind::File | TargetKind::Filesystem | TargetKind::Code);
    about_files.then(|| Place::resolve(&segment.name, segment.certainty, cwd))
}

/// Files by which agent hosts are wired to a gate, below a project or a home.
pub fn wiring_names() -> impl Iterator<Item = &'static str> {
    HOST_WIRING.iter().filter_map(|pattern| pattern.strip_prefix("**/")).filter(|name| !name.contains('*'))
}

/// Whether a pattern may lie in a folder. One of any depth may by chance lie in every folder there is; it counts where the
/// folder lies below what the pattern certainly goes through.
fn lies_in(place: &Place, folder: &AbsPath) -> bool {
    match place {
        Place::Pattern { folder: own, rest } if rest.iter().any(|name| name == "**") => {
            folder.is_within(own) && !own.names().is_empty() && place.may_be_within(folder)
        }
        Place::Exact(_) | Place::Pattern { .. } | Place::Anywhere => place.may_be_within(folder),
    }
}

/// Whether the place may be a raw device.
pub fn is_raw_device(place: &Place) -> bool {
    let may_be_device = match place {
        Place::Exact(path) => path.is_under("/dev"),
        Place::Pattern { .. } | Place::Anywhere => {
            AbsPath::parse("/dev").is_some_and(|devices| place.may_be_within(&devices))
        }
    };
    let ordinary = under(place, DEVICE_FILE_FOLDERS);
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
/// without regard to case, for which the lists are in lowercase: some file systems do not distinguish it, and none of these
/// lists grows unsafe by it.
fn matches_any(place: &Place, patterns: &[&str], reach: Reach) -> bool {
    match place {
        Place::Anywhere => false,
        Place::Exact(path) => {
            let initials = Initials::of(path);
            let possible = |pattern: &&&str| initials.may_begin(pattern) && may_match(path, pattern);
            let mut possible = patterns.iter().filter(possible).peekable();
            possible.peek().is_some() && matches_one_of(place, possible, reach)
        }
        Place::Pattern { .. } => matches_one_of(place, patterns.iter(), reach),
    }
}

/// The first bytes of the names of a path, in lowercase: what no name begins with needs no further look.
struct Initials {
    bits: u128,
    is_root: bool,
}

impl Initials {
    fn of(path: &AbsPath) -> Initials {
        let initials = path.names().iter().filter_map(|name| name.bytes().next());
        Initials { bits: initials.fold(0, |bits, byte| bits | bit(byte)), is_root: path.names().is_empty() }
    }

    fn may_begin(&self, pattern: &str) -> bool {
        let own = pattern.strip_prefix("**/").unwrap_or_else(|| pattern.trim_start_matches('/'));
        let first = own.bytes().next().unwrap_or(b'*');
        self.is_root || WILDCARDS.contains(&char::from(first)) || self.bits & bit(first) != 0
    }
}

/// One bit for each byte of ASCII; all others share theirs with one of them.
fn bit(byte: u8) -> u128 {
    1_u128.checked_shl(u32::from(byte.to_ascii_lowercase() & 127)).unwrap_or(0)
}

/// Whether an exact path has the first name that a pattern asks for. Few paths have it for few patterns, and telling so
/// costs a small part of the whole comparison.
fn may_match(path: &AbsPath, pattern: &str) -> bool {
    let (anywhere, own) =
        pattern.strip_prefix("**/").map_or((false, pattern.trim_start_matches('/')), |own| (true, own));
    let wanted = own.split('/').next().unwrap_or_default();
    let starts = wanted.split(WILDCARDS).next().unwrap_or_default().as_bytes();
    let ends = wanted.rsplit(WILDCARDS).next().unwrap_or_default().as_bytes();
    let whole = starts.len() == wanted.len();
    let has = |name: &String| {
        let name = name.as_bytes();
        let fits = |part: Option<&[u8]>, wanted: &[u8]| part.is_some_and(|part| part.eq_ignore_ascii_case(wanted));
        let end = name.len().saturating_sub(ends.len());
        fits(name.get(..starts.len()), starts) && fits(name.get(end..), ends) && (!whole || name.len() == wanted.len())
    };
    // Above every rooted pattern stands the root.
    if anywhere { path.names().iter().any(has) } else { path.names().first().is_none_or(has) }
}

fn matches_one_of<'a>(place: &Place, mut patterns: impl Iterator<Item = &'a &'a str>, reach: Reach) -> bool {
    let Some(names) = place.pattern() else { return false };
    let names: Vec<String> = names.iter().map(|name| name.to_ascii_lowercase()).collect();
    // Names at any depth may by chance lie in any folder there is. They count where they may be the folder itself.
    let at_any_depth = names.iter().any(|name| name == "**");
    patterns.any(|pattern| {
        let pattern = if at_any_depth { pattern.trim_end_matches("/**").trim_end_matches("/*") } else { pattern };
        let wanted: Vec<&str> = pattern.trim_start_matches('/').split('/').collect();
        // Above a pattern that may lie in any folder stands every folder there is, so only its own names count.
        match wanted.split_first() {
            Some((any, own)) if *any == "**" && reach == Reach::Below => {
                paths_meet(&names, &wanted, Reach::Itself) || ends_above(&names, own)
            }
            Some(_) | None => paths_meet(&names, &wanted, reach),
        }
    })
}

/// Whether the last names of a place are the first of a pattern, so that the rest of the pattern lies below the place.
fn ends_above(names: &[String], own: &[&str]) -> bool {
    (1..=own.len().min(names.len())).any(|count| {
        let start = names.len().saturating_sub(count);
        let (end, first) = (names.get(start..).unwrap_or(&[]), own.get(..count).unwrap_or(&[]));
        end.iter().zip(first).all(|(name, wanted)| names_meet(name, wanted))
    })
}

#[cfg(test)]
#[path = "places_tests.rs"]
mod tests;
