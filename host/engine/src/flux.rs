//! Links that a call itself makes, moves or brings along. The file system can only be asked how it is before the call, so
//! what a later part of the call writes at or below such a place may end up anywhere, and is not understood.

use crate::classify::{FactProvider, Links};
use holdpoint_core::assess::{Assessed, Assessment, Cause, NodeId};
use holdpoint_core::glob::Reach;
use holdpoint_core::operation::Verb;
use holdpoint_core::paths::{AbsPath, Place};
use holdpoint_core::places;

/// Something that an action makes.
struct Made {
    node: NodeId,
    path: AbsPath,
    reach: Reach,
    /// Where a link may be, if there may be one.
    link: Option<Where>,
}

/// Where a link may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Where {
    /// What was made may be one, or hold some.
    Itself,
    /// It is a folder that may hold some.
    Inside,
}

/// Marks every action as not understood that writes where another action of the call may have put a link.
pub(crate) fn mark(assessment: &mut Assessment, facts: &dyn FactProvider) {
    let made = makers(assessment, facts);
    let mut marked: Vec<NodeId> = assessment
        .operations()
        .iter()
        .filter(|assessed| made.iter().any(|made| made.link.is_some_and(|link| goes_through(assessed, made, link))))
        .map(|assessed| assessed.node)
        .collect();
    marked.dedup();
    for node in marked {
        assessment.fail(node, Cause::LinkInFlux);
    }
}

fn makers(assessment: &Assessment, facts: &dyn FactProvider) -> Vec<Made> {
    let mut made: Vec<Made> = assessment
        .operations()
        .iter()
        .filter_map(|assessed| {
            let (node, path) = (assessed.node, exact(assessed)?.clone());
            let makes = assessed.operation.verb == Verb::Create && assessed.operation.writes();
            let reach = places::reach(assessed.operation.scope);
            makes.then_some(Made { node, path, reach, link: None })
        })
        .collect();
    // What is made from something that may link may link too, so this goes on until nothing new is found.
    loop {
        let unknown = made.iter().enumerate().filter(|(_, one)| one.link.is_none());
        let mut links = unknown.filter_map(|(index, one)| Some((index, link_in(one, &made, assessment, facts)?)));
        let Some((index, link)) = links.next() else { return made };
        made.iter_mut().skip(index).take(1).for_each(|one| one.link = Some(link));
    }
}

/// Where links may be in what an action makes: it is an alias of another place, it is unpacked from something that
/// nobody has looked into, or what it is made from is or holds a link.
fn link_in(one: &Made, made: &[Made], assessment: &Assessment, facts: &dyn FactProvider) -> Option<Where> {
    let beside = || assessment.operations().iter().filter(|other| other.node == one.node);
    let is_source = |other: &&Assessed| exact(other).is_some_and(|path| !path.is_within(&one.path));
    let below = |other: &Assessed| places::reach(other.operation.scope) == Reach::Below;
    let changes = |other: &Assessed| other.operation.writes() && !other.operation.removes();
    let is_alias = one.reach == Reach::Itself
        && beside()
            .filter(is_source)
            .any(|other| below(other) && changes(other) && exact(other).is_some_and(|path| !one.path.is_within(path)));
    let has_sources = beside().filter(is_source).any(|other| below(other) && !changes(other));
    let is_unpacked = one.reach == Reach::Below && !has_sources;
    let from_link = || {
        beside().filter(is_source).filter(|other| !changes(other)).filter_map(exact).any(|path| {
            let in_flux = made.iter().any(|other| other.link.is_some() && path.is_within(&other.path));
            in_flux || facts.links_at(path) != Links::None
        })
    };
    if is_alias || from_link() { Some(Where::Itself) } else { is_unpacked.then_some(Where::Inside) }
}

/// Whether an operation of another action may go through what was made.
fn goes_through(assessed: &Assessed, made: &Made, link: Where) -> bool {
    if assessed.node == made.node || !assessed.operation.writes() {
        return false;
    }
    match &assessed.place {
        None | Some(Place::Anywhere) => false,
        Some(place @ Place::Pattern { .. }) => place.may_be_within(&made.path),
        // Removing takes a link itself away; only the folders in front of it are gone through.
        Some(Place::Exact(path)) if assessed.operation.removes() => path
            .parent()
            .is_some_and(|folder| folder.is_within(&made.path) && (link == Where::Itself || folder != made.path)),
        Some(Place::Exact(path)) => path.is_within(&made.path) && (link == Where::Itself || *path != made.path),
    }
}

fn exact(assessed: &Assessed) -> Option<&AbsPath> {
    match assessed.place.as_ref()? {
        Place::Exact(path) => Some(path),
        Place::Pattern { .. } | Place::Anywhere => None,
    }
}
