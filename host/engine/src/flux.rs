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
    let makes = |assessed: &Assessed| assessed.operation.verb == Verb::Create && assessed.operation.writes();
    let mut made: Vec<Made> = assessment
        .operations()
        .iter()
        .filter(|assessed| makes(assessed))
        .filter_map(|assessed| {
            let (node, path) = (assessed.node, exact(assessed)?.clone());
            let reach = places::reach(assessed.operation.scope);
            let mut one = Made { node, path, reach, link: None };
            one.link = link_in(&one, assessment, facts);
            Some(one)
        })
        .collect();
    // What is made from something that may link may link too, so this goes on until nothing new is found.
    while let Some(index) =
        made.iter().position(|one| one.link != Some(Where::Itself) && is_in_flux(one, &made, assessment))
    {
        made.iter_mut().skip(index).take(1).for_each(|one| one.link = Some(Where::Itself));
    }
    made
}

/// What an action takes for what it makes, or changes on the way.
fn sources<'a>(one: &'a Made, assessment: &'a Assessment) -> impl Iterator<Item = (&'a Assessed, &'a AbsPath)> {
    let beside = assessment.operations().iter().filter(|other| other.node == one.node);
    let source = |other: &'a Assessed| Some((other, exact(other).filter(|path| !path.is_within(&one.path))?));
    beside.filter_map(source)
}

fn changes(assessed: &Assessed) -> bool {
    assessed.operation.writes() && !assessed.operation.removes()
}

/// Where links may be in what an action makes: it is an alias of another place, what it is made from is or holds a link, or
/// it is unpacked from something that nobody has looked into.
fn link_in(one: &Made, assessment: &Assessment, facts: &dyn FactProvider) -> Option<Where> {
    let below = |other: &Assessed| places::reach(other.operation.scope) == Reach::Below;
    let aliased = |(other, path): (&Assessed, &AbsPath)| below(other) && changes(other) && !one.path.is_within(path);
    let is_alias = one.reach == Reach::Itself && sources(one, assessment).any(aliased);
    let linked = |(other, path): (&Assessed, &AbsPath)| !changes(other) && facts.links_at(path) != Links::None;
    if is_alias || sources(one, assessment).any(linked) {
        return Some(Where::Itself);
    }
    let has_sources = sources(one, assessment).any(|(other, _)| below(other) && !changes(other));
    (one.reach == Reach::Below && !has_sources).then_some(Where::Inside)
}

/// Whether an action makes something from where another one may have put a link.
fn is_in_flux(one: &Made, made: &[Made], assessment: &Assessment) -> bool {
    let linked = |path: &AbsPath| made.iter().any(|other| other.link.is_some() && path.is_within(&other.path));
    sources(one, assessment).any(|(other, path)| !changes(other) && linked(path))
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
