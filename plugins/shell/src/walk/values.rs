//! The value of words in one folder.

use holdpoint_guest::{FactKind, Reason, Span, Word};
use shuck_ast::Word as Node;

use super::Walker;
use crate::state::Folder;
use crate::word::{Atom, Positional, Shape, Splitting, Unknown, Use, Values, Zone, resolve, word_atoms};

impl<'a> Walker<'a> {
    /// The words that a node expands to in `folder`.
    pub(crate) fn words_of(&mut self, node: &Node, folder: &Folder, usage: Use) -> Vec<Word> {
        let origin = self.origin(node);
        let text = node.span.slice(self.source);
        match word_atoms(node, self.source, Zone::Bare) {
            Some(atoms) => self.words_of_atoms(&atoms, text, origin, folder, usage),
            None => vec![Word::dynamic(text, origin)],
        }
    }

    /// The one word that a node is where the shell does not split.
    pub(crate) fn value_of(&mut self, node: &Node, folder: &Folder) -> Word {
        let origin = self.origin(node);
        let text = node.span.slice(self.source);
        let mut words = self.words_of(node, folder, Use::Value);
        let first = if words.len() == 1 { words.pop() } else { None };
        first.unwrap_or_else(|| Word::dynamic(text, origin))
    }

    /// The words that atoms become in `folder`.
    pub(crate) fn words_of_atoms(
        &mut self,
        atoms: &[Atom],
        text: &str,
        origin: Span,
        folder: &Folder,
        usage: Use,
    ) -> Vec<Word> {
        let home = if refers_to(atoms, "HOME", '~') { self.home(origin) } else { None };
        let here = if refers_to(atoms, "PWD", '+') && !self.may_be_replaced("pwd") {
            self.shell_folder(folder, origin)
        } else {
            None
        };
        let trusted = self.without_replaced(atoms);
        let atoms = trusted.as_deref().unwrap_or(atoms);
        let positional = self.positional();
        let knows_arguments = self.knows_arguments();
        if (positional == Positional::Empty || knows_arguments)
            && atoms.iter().any(|atom| matches!(atom, Atom::Unknown { what: Unknown::Positional(_), .. }))
        {
            self.counters.rely();
        }
        let splitting = if self.rebinds("IFS") { Splitting::Changed } else { Splitting::Usual };
        let constants = &self.state.constants;
        let values = Values {
            home,
            folder: here.as_deref(),
            constants,
            splitting,
            positional,
            arguments: self.state.arguments.as_deref().filter(|_| knows_arguments),
            dialect: self.dialect,
            defaults: self.defaults,
        };
        resolve(atoms, text, origin, &values, usage)
    }

    /// The atoms without shapes that do not hold here; `None` if there are no shapes.
    fn without_replaced(&mut self, atoms: &[Atom]) -> Option<Vec<Atom>> {
        let shapes = atoms.iter().filter(|atom| matches!(atom, Atom::Unknown { what: Unknown::Shaped(_), .. })).count();
        if shapes == 0 {
            return None;
        }
        // After code that nobody sees a program may be another one, or be told otherwise.
        if !self.counters.hidden_code {
            self.counters.rely();
        }
        let kept = |atom: &Atom| match atom {
            Atom::Unknown { what: Unknown::Shaped(shape), quoted } if !self.prints_shape(shape) => {
                Atom::Unknown { what: Unknown::Other, quoted: *quoted }
            }
            Atom::Text { .. } | Atom::Unknown { .. } => atom.clone(),
        };
        Some(atoms.iter().map(kept).collect())
    }

    /// Whether nothing in the text makes a program print something of another shape.
    fn prints_shape(&self, shape: &Shape) -> bool {
        !self.counters.hidden_code && !self.may_be_replaced(shape.program) && !self.rebinds("TMPDIR")
    }

    /// What is known of the positional parameters. A loop may set them behind the place where they are read.
    pub(crate) fn positional(&self) -> Positional {
        if self.spawning.defining.is_empty() && !mentions_bare(self.source, "set") {
            self.state.positional
        } else {
            Positional::Unknown
        }
    }

    /// Whether what `set` made the positional parameters is what they are wherever they are read.
    fn knows_arguments(&self) -> bool {
        self.spawning.defining.is_empty()
            && self.counters.is_outermost()
            && bare_mentions(self.source, "set") == 1
            && !mentions_bare(self.source, "shift")
    }

    /// The home folder, unless the text gives the variable another value.
    pub(crate) fn home(&mut self, origin: Span) -> Option<&'a str> {
        if self.rebinds("HOME") { None } else { self.fact(self.facts.home, FactKind::HomeDirectory, origin) }
    }

    /// The working folder as the shell names it.
    fn shell_folder(&mut self, folder: &Folder, origin: Span) -> Option<String> {
        let relative = match folder {
            Folder::Unknown => return None,
            _ if self.rebinds("PWD") => return None,
            Folder::Path(path) if path.starts_with('/') => return Some(path.clone()),
            Folder::Path(path) => path,
            Folder::Same => ".",
        };
        let start = self.fact(self.facts.folder, FactKind::WorkingDirectory, origin)?;
        match Folder::Path(start.to_owned()).enter(relative) {
            Folder::Path(path) => Some(path),
            Folder::Same | Folder::Unknown => None,
        }
    }

    /// A fact of the request. The host is asked once; an empty answer means that it does not know either.
    fn fact(&mut self, answer: Option<&'a str>, kind: FactKind, origin: Span) -> Option<&'a str> {
        match answer {
            Some("") => self.out.doubt(Reason::MissingFact, origin),
            Some(known) => return Some(known),
            None => self.out.need(kind),
        }
        None
    }

    /// Whether the text may give a variable that the shell starts with another value.
    fn rebinds(&self, name: &str) -> bool {
        self.state.rebound.iter().any(|known| known == name) || mentions_bare(self.source, name)
    }
}

/// Whether `name` stands in `source` other than as `$name` or `${name}`: it may be assigned there.
pub(crate) fn mentions_bare(source: &str, name: &str) -> bool {
    bare_mentions(source, name) > 0
}

/// How often `name` stands in `source` other than as `$name` or `${name}`.
pub(crate) fn bare_mentions(source: &str, name: &str) -> usize {
    let is_part = |byte: Option<&u8>| byte.is_some_and(|byte| *byte == b'_' || byte.is_ascii_alphanumeric());
    let bytes = source.as_bytes();
    let found = source.match_indices(name).filter(|&(at, _)| {
        let end = at + name.len();
        let before = at.checked_sub(1).and_then(|index| bytes.get(index));
        if is_part(before) || is_part(bytes.get(end)) {
            return false;
        }
        let braced = before == Some(&b'{') && at >= 2 && bytes.get(at - 2) == Some(&b'$');
        // The usual name of a new folder is that of the option which asks for it.
        let ends = |after: &str| [")", " 2>/dev/null)"].iter().any(|close| after.starts_with(close));
        let is_option =
            source.get(..at).is_some_and(|text| text.ends_with("mktemp -")) && source.get(end..).is_some_and(ends);
        let plain_use = is_option || before == Some(&b'$') || (braced && is_read(bytes.get(end..).unwrap_or_default()));
        !plain_use
    });
    found.count()
}

/// Whether `${name` with this behind it only reads the variable.
fn is_read(after: &[u8]) -> bool {
    match after {
        [b':', next, ..] => matches!(next, b'-' | b'+' | b'?'),
        [next, ..] => matches!(next, b'}' | b'%' | b'#' | b'/' | b'-' | b'+' | b'?' | b'^' | b','),
        [] => false,
    }
}

/// Whether a word may need the value of variable `name`, which the unquoted character `mark` stands for as well.
fn refers_to(atoms: &[Atom], name: &str, mark: char) -> bool {
    atoms.iter().any(|atom| match atom {
        Atom::Text { text, quoted } => !quoted && text.contains(mark),
        Atom::Unknown { what: Unknown::Variable(known) | Unknown::Changed(known, _), .. } => known == name,
        Atom::Unknown { what: Unknown::WorkingFolder, .. } => name == "PWD",
        Atom::Unknown {
            what: Unknown::Shaped(_) | Unknown::Positional(_) | Unknown::Pipe | Unknown::Other, ..
        } => false,
    })
}
