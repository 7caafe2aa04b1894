//! Rules that could never count, and rungs that would let more through where less should be.

use crate::config::reader::Reader;
use holdpoint_core::level::Criticality;
use holdpoint_core::posture::Weight;
use holdpoint_core::rungs::{self, Rung, Unfit};
use std::ops::Range;

/// An entry that another one outdoes everywhere.
pub(crate) fn weights(reader: &mut Reader<'_>, weights: &[Weight], places: &[Range<usize>]) {
    for (index, (weight, at)) in weights.iter().zip(places).enumerate() {
        let outdoes = |(other, own): &(usize, &Weight)| {
            let earlier = *other < index && own.criticality == weight.criticality;
            let stronger = own.criticality == Criticality::Production && weight.criticality == Criticality::Ordinary;
            (earlier || stronger) && own.resource.covers(&weight.resource)
        };
        if let Some((_, other)) = weights.iter().enumerate().find(outdoes) {
            let what = format!(
                "the entry never counts: `{}` is {} already by `{}` at {}",
                weight.resource, other.criticality, other.resource, other.source
            );
            reader.wrong(at, what, "take one of them out, or name less");
        }
    }
}

/// Rungs that are never heard, stand twice, or are not monotone.
pub(crate) fn rungs(reader: &mut Reader<'_>, rungs: &[Rung], places: &[Range<usize>]) {
    for (index, (rung, at)) in rungs.iter().zip(places).enumerate() {
        if rung.is_never_heard() {
            let what = "the rung never counts: the default is at least as strict at every level";
            reader.wrong(at, what, "ask for more at some level, or take it out");
        }
        let is_same = |other: &&Rung| same_pick(other, rung);
        if let Some(earlier) = rungs.iter().take(index).find(is_same) {
            let what = format!("there is a rung for the same operations already, at {}", earlier.source);
            reader.wrong(at, what, "make one of the two");
        }
    }
    let source = |index: usize| rungs.get(index).map_or("", |rung| rung.source.as_str());
    match rungs::check(rungs) {
        Ok(()) | Err(Unfit::TooMany) => {}
        Err(Unfit::InLevel { rung, lower, higher }) => {
            let at = places.get(rung).cloned().unwrap_or(0..0);
            let what = format!("the rung is stricter at level {higher} than at {lower}");
            reader.wrong(&at, what, "a higher level lets at least as much through");
        }
        Err(Unfit::InRisk { less, more, level }) => {
            let at = places.get(more).cloned().unwrap_or(0..0);
            let what = format!("the rung is milder at level {level} than the one for less risk at {}", source(less));
            reader.wrong(&at, what, "make it at least as strict");
        }
    }
}

fn same_pick(left: &Rung, right: &Rung) -> bool {
    left.verb == right.verb
        && left.native == right.native
        && left.kind == right.kind
        && left.effect_min == right.effect_min
        && left.scope_min == right.scope_min
        && left.criticality_min == right.criticality_min
}
