//! Redirections: each one that opens a file or a connection is an operation of the shell itself.

use holdpoint_guest::{
    Effect, Input, Operation, Reason, Scope, Segment, Span, TargetKind, Traits, Verb, Word, WordKind,
};
use shuck_ast::{Heredoc, Redirect, RedirectKind, RedirectTarget, Word as Node, WordPart, WordPartNode};

use super::{Dialect, Stdin, Walker};
use crate::state::{Folder, Folders};
use crate::streams;
use crate::word::{Atom, Defaults, Use, Zone, heredoc_atoms, is_name};

impl Walker<'_> {
    /// Reports the redirections of a command. Returns its standard input if one of them sets it.
    pub(crate) fn redirects(&mut self, redirects: &[Redirect], folders: &Folders) -> Option<Stdin> {
        let mut stdin = None;
        for redirect in redirects {
            let input = self.redirect(redirect, folders);
            if let Some(input) = input
                && redirect.fd.unwrap_or(0) == 0
                && redirect.fd_var.is_none()
            {
                stdin = Some(Stdin::Plain(input));
            }
        }
        stdin
    }

    /// Whether a redirection opens something that may not be there or may not be written.
    pub(crate) fn may_fail_to_open(&self, redirects: &[Redirect]) -> bool {
        redirects.iter().any(|redirect| match &redirect.target {
            RedirectTarget::Heredoc(_) => false,
            RedirectTarget::Word(_) if redirect.kind == RedirectKind::HereString => false,
            RedirectTarget::Word(word) => {
                !matches!(word.span.slice(self.source), "/dev/null" | "1" | "2" | "&1" | "&2" | "")
            }
        })
    }

    fn redirect(&mut self, redirect: &Redirect, folders: &Folders) -> Option<Input> {
        if let Some(span) = redirect.fd_var_span {
            self.only_bash(span);
            self.cover.range(span.start.offset().saturating_sub(1), span.end.offset() + 1);
            let name = span.slice(self.source);
            if is_name(name) {
                self.rebind(name, span);
            } else {
                // A subscript is evaluated.
                self.doubt(Reason::UnsupportedSyntax, span);
            }
        }
        match &redirect.target {
            RedirectTarget::Heredoc(heredoc) => {
                self.cover.all(redirect.span);
                Some(self.heredoc(heredoc, folders))
            }
            RedirectTarget::Word(word) => {
                self.cover_operator(redirect, word);
                self.visit_word(word, Zone::Bare, folders);
                self.opened_word(redirect, word, folders)
            }
        }
    }

    /// Accounts for the operator, with the number before it.
    fn cover_operator(&mut self, redirect: &Redirect, word: &Node) {
        let (start, end) = (redirect.span.start.offset(), word.span.start.offset());
        let number = self.source.get(..start).map_or(0, |before| {
            before.len() - before.trim_end_matches(|character: char| character.is_ascii_digit()).len()
        });
        let from = if redirect.fd.is_some() { start.saturating_sub(number) } else { start };
        self.cover.range(from, if start < end { end } else { redirect.span.end.offset() });
    }

    fn opened_word(&mut self, redirect: &Redirect, word: &Node, folders: &Folders) -> Option<Input> {
        let origin = self.place.of(redirect.span);
        if let [WordPartNode { kind: WordPart::ProcessSubstitution { is_input, .. }, .. }] = word.parts.as_slice() {
            // A pipe to commands that were walked already.
            self.out.operation(Operation::nothing("(", origin));
            return is_input.then_some(Input::External);
        }
        let (verb, native, effect) = match redirect.kind {
            RedirectKind::HereString => {
                self.only_bash(redirect.span);
                let text = self.value_of(word, folders.reached().first().unwrap_or(&Folder::Unknown));
                return Some(text.known().map_or(Input::Unknown, |text| Input::Text(format!("{text}\n"))));
            }
            RedirectKind::HereDoc | RedirectKind::HereDocStrip => return Some(Input::Unknown),
            RedirectKind::DupInput | RedirectKind::DupOutput => {
                return self.duplicated(redirect, word, folders, origin);
            }
            RedirectKind::OutputBoth => {
                self.only_bash(redirect.span);
                (Verb::Update, "&>", Effect::Reversible)
            }
            RedirectKind::Output => (Verb::Update, ">", Effect::Reversible),
            RedirectKind::Clobber => (Verb::Update, ">|", Effect::Reversible),
            RedirectKind::Append => (Verb::Patch, ">>", Effect::Reversible),
            RedirectKind::Input => (Verb::Get, "<", Effect::None),
            RedirectKind::ReadWrite => (Verb::Update, "<>", Effect::Reversible),
        };
        self.opened_file(word, folders, verb, native, effect, origin)
    }

    /// `>&` and `<&`: a descriptor, or a file for output.
    fn duplicated(&mut self, redirect: &Redirect, word: &Node, folders: &Folders, origin: Span) -> Option<Input> {
        let target = self.value_of(word, &Folder::Unknown);
        let is_descriptor = target.known().is_some_and(|text| {
            let number = text.strip_suffix('-').unwrap_or(text);
            number.bytes().all(|byte| byte.is_ascii_digit())
        });
        match redirect.kind {
            // A copied descriptor is open already; where it leads was said when it was opened.
            RedirectKind::DupInput => Some(Input::Unknown),
            _ if is_descriptor => None,
            _ => {
                self.only_bash(redirect.span);
                self.expanded_twice(&target);
                self.opened_file(word, folders, Verb::Update, ">&", Effect::Reversible, origin)
            }
        }
    }

    /// The shell expands the word of `>&` once more when it turns out to name a file.
    fn expanded_twice(&mut self, target: &Word) {
        match target.known() {
            Some(text) if text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_/.,:@%+=-".contains(&byte)) => {}
            // Variables that hold numbers are the usual case: descriptors that the shell has numbered.
            None if target.text.contains('$') && !target.text.contains(['(', '`']) => {
                self.arithmetic.evaluates_names(&target.text, target.origin);
                self.positional_arithmetic(&target.text, target.origin);
            }
            Some(_) | None => self.out.doubt(Reason::UnsupportedSyntax, target.origin),
        }
    }

    fn opened_file(
        &mut self,
        word: &Node,
        folders: &Folders,
        verb: Verb,
        native: &str,
        effect: Effect,
        origin: Span,
    ) -> Option<Input> {
        let mut input = None;
        for folder in folders.reached() {
            let target = self.target(word, &folder, origin);
            self.report_file(&target, &folder, verb, native, effect, origin);
            if self.source.contains("${") {
                // A default is one of the values that a variable may have, and the only one that the text shows.
                self.defaults = Defaults::Taken;
                let taken = self.target(word, &folder, origin);
                self.defaults = Defaults::Open;
                if taken != target {
                    self.report_file(&taken, &folder, verb, native, effect, origin);
                }
            }
            input = match (verb, input) {
                (Verb::Get | Verb::Update, None) if native.starts_with('<') => {
                    Some(streams::read_from(&target, self.dialect))
                }
                (_, earlier) => earlier,
            };
        }
        input
    }

    /// The one file that a word names.
    fn target(&mut self, word: &Node, folder: &Folder, origin: Span) -> Word {
        let mut words = self.words_of(word, folder, Use::Argument);
        match (words.pop(), words.is_empty()) {
            (Some(only), true) => only,
            _ => {
                self.doubt(Reason::UnsupportedSyntax, word.span);
                Word::dynamic(word.span.slice(self.source), origin)
            }
        }
    }

    fn report_file(&mut self, target: &Word, folder: &Folder, verb: Verb, native: &str, effect: Effect, origin: Span) {
        if let Some(path) = target.known() {
            if streams::is_stream(path) {
                return self.out.operation(Operation::nothing(native, origin));
            }
            if let Some(host) = streams::host(path) {
                let operation = Operation::new(Verb::Connect, native, Effect::Irreversible, origin)
                    .on(Segment::exact(TargetKind::Host, host))
                    .with_traits(Traits::NETWORK | Traits::EXTERNAL_CONTENT);
                self.out.operation(operation);
                if self.dialect == Dialect::Bash {
                    return;
                }
                // To another shell it is a file like any other.
            }
        }
        let scope = match target.kind {
            WordKind::Exact => Scope::One,
            WordKind::Glob => Scope::Selection,
            WordKind::Dynamic => Scope::Unknown,
        };
        let segment = in_folder(target, folder);
        self.out.operation(Operation::new(verb, native, effect, origin).on(segment).reaching(scope));
    }

    /// A here-document. Its text is known if nothing in it expands.
    fn heredoc(&mut self, heredoc: &Heredoc, folders: &Folders) -> Input {
        let body = &heredoc.body;
        self.cover.all(body.span);
        self.cover.delimiter(&heredoc.delimiter.cooked);
        // A delimiter with an escape inside may not be the one that ends the body.
        let delimiter = heredoc.delimiter.span.slice(self.source);
        if delimiter.trim_start_matches('\\').contains('\\') {
            self.doubt(Reason::UnsupportedSyntax, heredoc.delimiter.span);
        }
        let raw = body.span.slice(self.source);
        // Read from the text: the parser takes a second body on the same line for a literal one.
        let is_quoted = delimiter.contains(['\'', '"', '\\']);
        let literal = is_quoted || !raw.contains(['$', '`', '\\']);
        if literal {
            let text = if heredoc.delimiter.strip_tabs { without_tabs(raw) } else { raw.to_owned() };
            return Input::Text(text);
        }
        self.raw(|walker| {
            match heredoc_atoms(body, walker.source) {
                Some(atoms) => {
                    walker.visit_heredoc(body, folders);
                    if let [Atom::Text { text, .. }] = atoms.as_slice() {
                        return Input::Text(text.clone());
                    }
                }
                None => walker.doubt(Reason::UnsupportedSyntax, body.span),
            }
            Input::Unknown
        })
    }

    fn visit_heredoc(&mut self, body: &shuck_ast::HeredocBody, folders: &Folders) {
        for part in &body.parts {
            match &part.kind {
                shuck_ast::HeredocBodyPart::Literal(_) | shuck_ast::HeredocBodyPart::Variable(_) => {}
                shuck_ast::HeredocBodyPart::CommandSubstitution { body, .. } => self.substitution(body, folders),
                shuck_ast::HeredocBodyPart::ArithmeticExpansion { expression_word_ast, .. } => {
                    self.visit_arithmetic(part.span, expression_word_ast);
                    self.visit_expression(expression_word_ast, folders);
                }
                shuck_ast::HeredocBodyPart::Parameter(parameter) => self.visit_parameter(parameter, folders),
            }
        }
    }
}

/// A file name as a step of a target, relative to where the whole text runs.
pub(crate) fn in_folder(target: &Word, folder: &Folder) -> Segment {
    let is_absolute = target.text.starts_with('/');
    match (target.kind, folder) {
        (WordKind::Dynamic, _) | (_, Folder::Same) => Segment::named(TargetKind::File, target),
        _ if is_absolute => Segment::named(TargetKind::File, target),
        (_, Folder::Unknown) => {
            Segment { kind: TargetKind::File, name: target.text.clone(), certainty: WordKind::Dynamic }
        }
        (WordKind::Exact, Folder::Path(path)) => Segment::file(format!("{path}/{}", target.text)),
        (WordKind::Glob, Folder::Path(path)) => Segment {
            kind: TargetKind::File,
            name: format!("{}/{}", escaped(path), target.text),
            certainty: WordKind::Glob,
        },
    }
}

fn escaped(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for character in path.chars() {
        if matches!(character, '*' | '?' | '[' | ']' | '\\') {
            out.push('\\');
        }
        out.push(character);
    }
    out
}

fn without_tabs(raw: &str) -> String {
    raw.split_inclusive('\n').map(|line| line.trim_start_matches('\t')).collect()
}
