//! What a grant names, read a second time by hand and without the core's paths: every file of the random calls says here
//! in which folders it lies.

use holdpoint_core::action::Action;
use holdpoint_core::assess::Assessment;
use holdpoint_core::grant::{Cap, Subject, Terms, subject};
use holdpoint_core::operation::{Certainty, Scope, TargetKind};
use holdpoint_core::toggle::ToggleKey;
use holdpoint_core::verdict::About;

/// The files of the random calls, and those of the folders a grant can name that each of them certainly lies in.
pub(crate) const FILES: &[(&str, &[&str])] = &[
    ("/srv/a/x", &["/srv/a", "/srv", "/"]),
    ("/srv/a", &["/srv/a", "/srv", "/"]),
    ("/srv/b", &["/srv/b", "/srv", "/"]),
    ("/srv/*", &["/srv", "/"]),
    ("/usr/include/x", &["/usr", "/"]),
    ("src/x", &["/"]),
    ("agent/core.py", &["/home/u/proj/agent", "/"]),
    ("/etc/shadow", &["/etc", "/"]),
    ("$X", &[]),
];
pub(crate) const FOLDERS: &[&str] = &["/srv/a", "/srv", "/srv/b", "/usr", "/etc", "/home/u/proj/agent", "/"];

/// Whether a toggle that was loosened in these terms has nothing to say to this.
pub(crate) fn is_let_through(key: ToggleKey, terms: &Terms, assessment: &Assessment, about: About) -> bool {
    let listed = |is: &dyn Fn(&str) -> bool| terms.only.is_empty() || terms.only.iter().any(|name| is(name));
    let capped = |is: &dyn Fn(&str) -> bool| match &terms.cap {
        Some(Cap::List(names)) => names.iter().any(|name| is(name)),
        _ => true,
    };
    let named = |is: &dyn Fn(&str) -> bool| listed(is) && capped(is);
    if named(&|_| false) {
        return true;
    }
    match (about, subject(key)) {
        (About::Operation(index), Some(Subject::Step(kind))) => {
            let steps = assessment.operations()[index].operation.target.iter().filter(|step| step.kind == kind);
            let steps: Vec<(String, Certainty)> =
                steps.map(|step| (step.name.to_lowercase(), step.certainty)).collect();
            let sure = steps.iter().all(|(_, certainty)| *certainty == Certainty::Exact);
            // Every list has to have all of them, each under some name of its own.
            let all = steps.iter().all(|(step, _)| named(&|name: &str| name.to_lowercase() == *step));
            !steps.is_empty() && sure && all
        }
        (About::Operation(index), Some(Subject::Place)) => {
            let operation = &assessment.operations()[index].operation;
            // What may touch more than its target and what lies in it is not only about what was named.
            let stays = [Scope::One, Scope::Selection, Scope::AllInParent].contains(&operation.scope);
            let target = operation.target.first();
            let is_file =
                |kind: TargetKind| matches!(kind, TargetKind::File | TargetKind::Filesystem | TargetKind::Code);
            let file = target.filter(|step| is_file(step.kind)).map(|step| step.name.as_str());
            let within = FILES.iter().find(|(name, _)| Some(*name) == file).map_or(&[][..], |(_, within)| within);
            stays && named(&|folder: &str| within.contains(&folder))
        }
        (About::Call, Some(Subject::Tool)) => match &assessment.nodes()[0].action {
            Action::Tool(tool) => named(&|name: &str| name == format!("{}/{}", tool.server, tool.name)),
            _ => false,
        },
        _ => false,
    }
}
