//! Names of branches as git reads them, on their own or with what a push does to them.

use holdpoint_guest::{Segment, TargetKind};

/// How a branch is treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Treatment {
    /// It only moves forward.
    Forward,
    /// Whatever it had is replaced.
    Forced,
    /// It is taken away.
    Deleted,
}

/// A branch, and what happens to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Refspec {
    name: Option<String>,
    treatment: Treatment,
}

impl Refspec {
    /// Reads `main`, `topic:main`, `+main`, `+topic:main` and `:main`. What stands for the current branch or for several is
    /// not known.
    pub(crate) fn of(text: &str) -> Refspec {
        let (forced, rest) = match text.strip_prefix('+') {
            Some(rest) => (Treatment::Forced, rest),
            None => (Treatment::Forward, text),
        };
        let (treatment, name) = match rest.split_once(':') {
            None => (forced, rest),
            // A colon alone is every branch that both sides have.
            Some(("", name)) if !name.is_empty() => (Treatment::Deleted, name),
            Some((_, name)) => (forced, name),
        };
        let known =
            is_plain(name) && !matches!(name, "HEAD" | "@") && !name.contains([':', '+', '*', '?', '[', '^', '~']);
        Refspec { name: known.then(|| name.to_owned()), treatment }
    }

    /// A branch that nothing names.
    pub(crate) fn unknown() -> Refspec {
        Refspec { name: None, treatment: Treatment::Forward }
    }

    /// The same, replacing what was there.
    pub(crate) fn forced(self) -> Refspec {
        let treatment = if self.deletes() { Treatment::Deleted } else { Treatment::Forced };
        Refspec { treatment, ..self }
    }

    /// Whether it is certain which branch it is.
    pub(crate) fn is_known(&self) -> bool {
        self.name.is_some()
    }

    /// Whether what the branch had is lost.
    pub(crate) fn overwrites(&self) -> bool {
        self.treatment != Treatment::Forward
    }

    /// Whether the branch is taken away.
    pub(crate) fn deletes(&self) -> bool {
        self.treatment == Treatment::Deleted
    }

    /// The step of the way to it.
    pub(crate) fn segment(&self) -> Segment {
        match &self.name {
            Some(name) => Segment::exact(TargetKind::GitRef, name.as_str()),
            None => Segment::unknown(TargetKind::GitRef),
        }
    }
}

/// Whether a text is one line.
pub(crate) fn is_line(text: &str) -> bool {
    !text.is_empty() && !text.contains(char::is_control)
}

/// Whether a text is one word that git cannot take for an option.
pub(crate) fn is_plain(text: &str) -> bool {
    is_line(text) && !text.starts_with('-') && !text.contains(char::is_whitespace)
}

/// Whether a text is the name of a remote, or an address of one on another machine. `ext::` and its like run a program, and
/// a path is a folder of this machine.
pub(crate) fn is_remote(text: &str) -> bool {
    let address = ["https://", "http://", "ssh://", "git://"].iter().any(|scheme| text.starts_with(scheme));
    let copied_over = text.split_once(':').is_some_and(|(host, path)| !host.contains('/') && !path.starts_with(':'));
    let name = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'));
    let above = matches!(text, "." | "..");
    !text.contains("::") && (address || (copied_over && !text.contains("://")) || (name && !above))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refspec_says_which_branch_and_what_becomes_of_it() {
        for (text, name, treatment) in [
            ("main", Some("main"), Treatment::Forward),
            ("topic:main", Some("main"), Treatment::Forward),
            ("HEAD:refs/heads/main", Some("refs/heads/main"), Treatment::Forward),
            ("+main", Some("main"), Treatment::Forced),
            ("+topic:main", Some("main"), Treatment::Forced),
            (":main", Some("main"), Treatment::Deleted),
            ("+:main", Some("main"), Treatment::Deleted),
            ("HEAD", None, Treatment::Forward),
            ("@", None, Treatment::Forward),
            (":", None, Treatment::Forward),
            ("+:", None, Treatment::Forced),
            ("topic:", None, Treatment::Forward),
            ("refs/heads/*:refs/heads/*", None, Treatment::Forward),
            ("--mirror", None, Treatment::Forward),
            ("tag v1", None, Treatment::Forward),
            ("", None, Treatment::Forward),
        ] {
            let expected = Refspec { name: name.map(str::to_owned), treatment };
            assert_eq!(Refspec::of(text), expected, "{text}");
        }
    }

    #[test]
    fn a_remote_is_a_name_or_an_address_on_another_machine() {
        for text in ["origin", "my-fork.2", "https://example.org/a.git", "git@example.org:a/b.git", "ssh://h/a"] {
            assert!(is_remote(text), "{text}");
        }
        for text in ["ext::sh -c x", "ext::x", "/srv/a.git", "../a", "..", "file:///srv/a", "a/b", "~/a", "fd::7"] {
            assert!(!is_remote(text), "{text}");
        }
    }
}
