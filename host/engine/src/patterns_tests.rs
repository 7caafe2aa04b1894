//! Links behind patterns, and the bound of looking for them.

use super::*;
use crate::classify::Links;
use holdpoint_core::action::{Action, FactQuery, SourceText, WorkingDir};
use holdpoint_core::assess::Route;
use holdpoint_core::finding::Finding;
use holdpoint_core::operation::{Access, Effect, Scope, Span, TargetKind, Traits, Verb};

/// A folder `/w` with these entries, and links that lead to `/elsewhere`.
struct Folder(Vec<Entry>);

impl FactProvider for Folder {
    fn answer(&self, query: &FactQuery, _cwd: Option<&AbsPath>) -> Option<String> {
        let name = query.subject.strip_prefix("/w/")?;
        self.0.contains(&Entry::Link(name.to_owned())).then(|| "/elsewhere".to_owned())
    }

    fn links_at(&self, _path: &AbsPath) -> Links {
        Links::None
    }

    fn entries(&self, folder: &AbsPath) -> Option<Vec<Entry>> {
        (folder.text() == "/w").then(|| self.0.clone())
    }
}

fn names(verb: Verb, pattern: &str) -> Assessment {
    let source = SourceText { language: "bash".to_owned(), text: String::new(), cwd: WorkingDir::Same };
    let mut assessment = Assessment::new(Action::Source(source), AbsPath::parse("/w"), Route::Direct);
    let operation = Operation {
        verb,
        native: "x".to_owned(),
        target: vec![Segment { kind: TargetKind::File, name: pattern.to_owned(), certainty: Certainty::Glob }],
        access: if verb == Verb::Get { Access::Read } else { Access::Write },
        effect: if verb == Verb::Get { Effect::None } else { Effect::Reversible },
        scope: Scope::One,
        traits: Traits::EMPTY,
        origin: Span { part: 0, start: 0, end: 0 },
    };
    assessment.admit(0, Finding { operations: vec![operation], ..Finding::default() });
    assessment
}

fn found(verb: Verb, pattern: &str, facts: &Folder) -> Vec<String> {
    let (further, _) = through_links(&names(verb, pattern), facts);
    further.into_iter().map(|(_, operation)| operation.target[0].name.clone()).collect()
}

#[test]
fn a_pattern_means_what_the_links_it_fits_lead_to() {
    let facts =
        Folder(vec![Entry::Link("one".to_owned()), Entry::Link("two".to_owned()), Entry::Folder("three".to_owned())]);
    assert_eq!(found(Verb::Update, "o*", &facts), ["/elsewhere"]);
    assert_eq!(found(Verb::Update, "t*/deep/*", &facts), ["/elsewhere/deep/*"]);
    assert_eq!(found(Verb::Get, "o*/x*", &facts), ["/elsewhere/x*"]);
    assert_eq!(found(Verb::Update, "q*", &facts), [""; 0]);
    assert_eq!(found(Verb::Delete, "o*", &facts), [""; 0], "a removal takes the link itself");
    assert_eq!(found(Verb::Delete, "o*/x*", &facts), ["/elsewhere/x*"]);
}

#[test]
fn a_write_through_more_entries_than_the_bound_is_lost_and_a_read_is_not() {
    let folder = |count: usize| Folder((0..count).map(|index| Entry::Folder(index.to_string())).collect());
    let lost = |verb, count| through_links(&names(verb, "*"), &folder(count)).1;
    assert_eq!(lost(Verb::Update, ENTRIES_MAX), [0; 0]);
    assert_eq!(lost(Verb::Update, ENTRIES_MAX + 1), [0]);
    assert_eq!(lost(Verb::Get, ENTRIES_MAX + 1), [0; 0]);
}
