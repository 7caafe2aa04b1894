//! Symbolic links. What a call names may be a link to something else, so an operation on a file counts for the name as it
//! is written and for what the host says it leads to. A link that is made later is not seen: whoever opens the file has
//! to resolve again.

use crate::classify::FactProvider;
use crate::patterns;
use holdpoint_core::action::{FactKind, FactQuery};
use holdpoint_core::assess::{Assessed, Assessment, Cause, NodeId};
use holdpoint_core::finding::Finding;
use holdpoint_core::glob::escape;
use holdpoint_core::operation::{Certainty, Operation, Segment};
use holdpoint_core::paths::{AbsPath, Place};
use std::collections::BTreeMap;

/// Folders of the kernel, in which links lead to what belongs to the process that looks.
const OF_THE_KERNEL: &[&str] = &["proc", "dev"];

/// Adds every operation once more under the name that its file really has, where that is another one.
pub(crate) fn follow(assessment: &mut Assessment, facts: &dyn FactProvider) {
    let mut known = BTreeMap::new();
    let mut real = |path: &str| known.entry(path.to_owned()).or_insert_with(|| resolve(path, facts)).clone();
    let further: Vec<(NodeId, Operation)> = assessment
        .operations()
        .iter()
        .filter_map(|assessed| {
            let cwd = assessment.node(assessed.node).and_then(|node| node.cwd.as_ref());
            Some((assessed.node, elsewhere(assessed, cwd, &mut real)?))
        })
        .collect();
    let (through, lost) = patterns::through_links(assessment, facts);
    for (node, operation) in further.into_iter().chain(through) {
        assessment.admit(node, Finding { operations: vec![operation], ..Finding::default() });
    }
    for node in lost {
        assessment.fail(node, Cause::LinkInFlux);
    }
}

/// The path without links.
pub(crate) fn resolve(path: &str, facts: &dyn FactProvider) -> Option<AbsPath> {
    let first = path.split('/').find(|name| !matches!(*name, "" | "." | ".."))?;
    if OF_THE_KERNEL.contains(&first) {
        return None;
    }
    let query = FactQuery { kind: FactKind::ResolvedPath, subject: path.to_owned() };
    AbsPath::parse(&facts.answer(&query, None)?)
}

fn elsewhere(
    assessed: &Assessed,
    cwd: Option<&AbsPath>,
    real: &mut dyn FnMut(&str) -> Option<AbsPath>,
) -> Option<Operation> {
    let segment = assessed.operation.target.first()?;
    let (name, certainty) = match assessed.place.as_ref()? {
        Place::Anywhere => return None,
        Place::Exact(path) => {
            let written = written(&segment.name, cwd)?;
            let real = real_of_exact(&written, &assessed.operation, real)?;
            (Some(real).filter(|real| real != path)?.text(), Certainty::Exact)
        }
        Place::Pattern { folder, rest } => {
            let real = real(&folder.text()).filter(|real| real != folder)?;
            let names = real.names().iter().map(|name| escape(name)).chain(rest.iter().cloned());
            (format!("/{}", names.collect::<Vec<_>>().join("/")), Certainty::Glob)
        }
    };
    let mut operation = assessed.operation.clone();
    *operation.target.first_mut()? = Segment { kind: segment.kind, name, certainty };
    Some(operation)
}

/// The path as it is written, from the root. Steps up stay where they are: behind a link they lead elsewhere than the text
/// looks.
fn written(name: &str, cwd: Option<&AbsPath>) -> Option<String> {
    if name.starts_with('/') { Some(name.to_owned()) } else { Some(format!("{}/{name}", cwd?.text())) }
}

/// Removing takes a link itself away, below whatever the folders above it lead to.
fn real_of_exact(
    written: &str,
    operation: &Operation,
    real: &mut dyn FnMut(&str) -> Option<AbsPath>,
) -> Option<AbsPath> {
    let (above, last) = written.trim_end_matches('/').rsplit_once('/')?;
    if operation.removes() && !matches!(last, "" | "." | "..") {
        return real(if above.is_empty() { "/" } else { above })?.join(last);
    }
    real(written)
}
