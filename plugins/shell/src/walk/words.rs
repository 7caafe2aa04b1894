//! Visits words: walks the commands inside substitutions, checks parameter expansions, and accounts for the text. It
//! says nothing about what a word is; that is done for each folder apart.

use holdpoint_guest::{Reason, Span};
use shuck_ast::{
    BourneParameterExpansion, ParameterExpansion, ParameterOp, Pattern, PatternPart, Subscript, VarRef, Word, WordPart,
    WordPartNode,
};

use super::{Stdin, Walker};
use crate::state::{Folders, OnFailure};
use crate::word::{Zone, word_atoms};

impl Walker<'_> {
    /// Walks what a word runs while it is expanded.
    pub(crate) fn visit_word(&mut self, word: &Word, zone: Zone, folders: &Folders) {
        self.cover_word(word);
        if word.has_active_brace_expansion() {
            self.only_bash(word.span);
        }
        match word_atoms(word, self.source, zone) {
            Some(atoms) => self.arithmetic.note_literals(&atoms),
            None => self.doubt(Reason::UnsupportedSyntax, word.span),
        }
        self.visit_parts(&word.parts, folders);
    }

    /// Accounts for a word, except for the insides of its substitutions, which account for themselves.
    fn cover_word(&mut self, word: &Word) {
        let mut at = word.span.start.offset();
        self.cover_parts(&word.parts, &mut at);
        self.cover.range(at, word.span.end.offset());
    }

    fn cover_parts(&mut self, parts: &[WordPartNode], at: &mut usize) {
        for part in parts {
            match &part.kind {
                WordPart::CommandSubstitution { .. } | WordPart::ProcessSubstitution { .. } => {
                    let is_backtick =
                        self.source.get(part.span.start.offset()..).is_some_and(|raw| raw.starts_with('`'));
                    let open = part.span.start.offset() + if is_backtick { 1 } else { 2 };
                    self.cover.range(*at, open);
                    *at = part.span.end.offset().saturating_sub(1);
                }
                WordPart::DoubleQuoted { parts, .. } => self.cover_parts(parts, at),
                WordPart::Literal(_)
                | WordPart::SingleQuoted { .. }
                | WordPart::Variable(_)
                | WordPart::ArithmeticExpansion { .. }
                | WordPart::Parameter(_)
                | WordPart::ParameterExpansion { .. }
                | WordPart::Length(_)
                | WordPart::ArrayAccess(_)
                | WordPart::ArrayLength(_)
                | WordPart::ArrayIndices(_)
                | WordPart::Substring { .. }
                | WordPart::ArraySlice { .. }
                | WordPart::IndirectExpansion { .. }
                | WordPart::PrefixMatch { .. }
                | WordPart::Transformation { .. }
                | WordPart::ZshQualifiedGlob(_) => {}
            }
        }
    }

    fn visit_parts(&mut self, parts: &[WordPartNode], folders: &Folders) {
        for part in parts {
            match &part.kind {
                WordPart::Literal(_) | WordPart::Variable(_) => {}
                WordPart::SingleQuoted { dollar, .. } => {
                    if *dollar {
                        self.only_bash(part.span);
                    }
                }
                WordPart::DoubleQuoted { parts, dollar } => {
                    if *dollar {
                        self.only_bash(part.span);
                    }
                    self.visit_parts(parts, folders);
                }
                WordPart::CommandSubstitution { body, .. } => {
                    self.opened.push(part.span.start.offset());
                    self.substitution(body, folders);
                }
                WordPart::ProcessSubstitution { body, is_input } => {
                    self.only_bash(part.span);
                    let stdin = if *is_input { Stdin::inherited() } else { Stdin::unseen() };
                    self.substitution_from(body, folders, &stdin);
                }
                WordPart::ArithmeticExpansion { expression_word_ast, .. } => {
                    self.opened.push(part.span.start.offset());
                    self.visit_arithmetic(part.span, expression_word_ast);
                    self.raw(|walker| walker.visit_parts(&expression_word_ast.parts, folders));
                }
                WordPart::Parameter(parameter) => self.visit_parameter(parameter, folders),
                // Shapes of other shells, which have no atoms and are doubts already.
                WordPart::ParameterExpansion { .. }
                | WordPart::Length(_)
                | WordPart::ArrayAccess(_)
                | WordPart::ArrayLength(_)
                | WordPart::ArrayIndices(_)
                | WordPart::Substring { .. }
                | WordPart::ArraySlice { .. }
                | WordPart::IndirectExpansion { .. }
                | WordPart::PrefixMatch { .. }
                | WordPart::Transformation { .. }
                | WordPart::ZshQualifiedGlob(_) => self.doubt(Reason::UnsupportedSyntax, part.span),
            }
        }
    }

    /// Walks what an arithmetic expression runs.
    pub(crate) fn visit_expression(&mut self, expression: &Word, folders: &Folders) {
        self.visit_parts(&expression.parts, folders);
    }

    /// Walks the commands of a substitution.
    pub(crate) fn substitution(&mut self, body: &shuck_ast::StmtSeq, folders: &Folders) {
        self.substitution_from(body, folders, &Stdin::inherited());
    }

    fn substitution_from(&mut self, body: &shuck_ast::StmtSeq, folders: &Folders, stdin: &Stdin) {
        self.spawning.enter_parallel();
        self.isolated(|walker| {
            // A substitution does not inherit `set -e`.
            walker.state.on_failure = OnFailure::Continue;
            walker.sequence(body, folders, stdin)
        });
        self.spawning.leave_parallel();
    }

    /// Judges `$((...))` and `$[...]`, whose inside is the word `expression`.
    pub(crate) fn visit_arithmetic(&mut self, span: shuck_ast::Span, expression: &Word) {
        let (start, end) = (span.start.offset(), span.end.offset());
        let raw = span.slice(self.source);
        let open = if raw.starts_with("$((") { 3 } else { 2 };
        let origin = self.place.of(span);
        // What a program prints that only counts is a number; nothing else in there is taken for one.
        let mut text = String::new();
        let mut at = start + open;
        for part in &expression.parts {
            if let WordPart::CommandSubstitution { body, .. } = &part.kind
                && self.prints_numbers(body)
            {
                text.push_str(self.source.get(at..part.span.start.offset()).unwrap_or("`"));
                text.push('0');
                at = part.span.end.offset();
                self.arithmetic.evaluates_data(origin);
            }
        }
        text.push_str(self.source.get(at..end.saturating_sub(open - 1)).unwrap_or("`"));
        // Where parentheses do not pair up, what looks like `$((` is a subshell inside `$(`, and its commands run.
        if !pairs_up(&text) {
            self.doubt(Reason::UnsupportedSyntax, span);
        }
        self.arithmetic_text(&text, origin);
        self.positional_arithmetic(&text, origin);
    }

    /// Runs `walk` over text that the second parser keeps raw.
    pub(crate) fn raw<T>(&mut self, walk: impl FnOnce(&mut Self) -> T) -> T {
        self.raw_zone += 1;
        let result = walk(self);
        self.raw_zone -= 1;
        result
    }

    /// Judges `${...}`.
    pub(crate) fn visit_parameter(&mut self, parameter: &ParameterExpansion, folders: &Folders) {
        let span = parameter.span;
        let Some(syntax) = parameter.bourne() else {
            return self.doubt(Reason::UnsupportedSyntax, span);
        };
        self.raw(|walker| match syntax {
            BourneParameterExpansion::Access { reference }
            | BourneParameterExpansion::Length { reference }
            | BourneParameterExpansion::Indices { reference } => walker.visit_reference(reference),
            BourneParameterExpansion::PrefixMatch { .. } => {}
            BourneParameterExpansion::Indirect { reference, operand_word_ast, operator, .. } => {
                // The value is read as the name of a variable, subscript included.
                walker.evaluates_name(reference, span);
                walker.visit_operand(operand_word_ast.as_deref(), folders);
                if operator.as_deref().is_some_and(|operator| matches!(operator, ParameterOp::AssignDefault)) {
                    walker.doubt(Reason::UnsupportedSyntax, span);
                }
                if let Some(operator) = operator {
                    walker.visit_operator(operator, folders);
                }
            }
            BourneParameterExpansion::Slice { reference, offset, length, .. } => {
                walker.visit_reference(reference);
                for text in [Some(offset), length.as_ref()].into_iter().flatten() {
                    walker.arithmetic(text.span().start.offset(), text.span().end.offset());
                    if !text.is_source_backed() {
                        walker.doubt(Reason::UnsupportedSyntax, span);
                    }
                }
            }
            BourneParameterExpansion::Operation { reference, operator, operand_word_ast, .. } => {
                walker.visit_reference(reference);
                if matches!(**operator, ParameterOp::AssignDefault) {
                    walker.arithmetic.taint(reference.name.as_str());
                    walker.rebind(reference.name.as_str(), span);
                }
                walker.visit_operand(operand_word_ast.as_deref(), folders);
                walker.visit_operator(operator, folders);
            }
            BourneParameterExpansion::Transformation { reference, operator } => {
                walker.visit_reference(reference);
                // `@P` expands the value like a prompt, commands included; the others only quote or describe.
                if !matches!(operator, 'Q' | 'E' | 'U' | 'u' | 'L' | 'A' | 'a' | 'K' | 'k') {
                    walker.doubt(Reason::UnsupportedSyntax, span);
                }
            }
        });
        self.check_raw_body(span);
    }

    fn evaluates_name(&mut self, reference: &VarRef, span: shuck_ast::Span) {
        self.visit_reference(reference);
        // A value that is no name is an error.
        self.arithmetic.attempts();
        let origin = self.place.of(span);
        if reference.name.as_str().bytes().all(|byte| byte.is_ascii_digit() || b"@*#".contains(&byte)) {
            self.positional_arithmetic("$1", origin);
        } else {
            self.arithmetic(reference.name_span.start.offset(), reference.name_span.end.offset());
        }
    }

    fn visit_operand(&mut self, operand: Option<&Word>, folders: &Folders) {
        if let Some(word) = operand {
            self.visit_parts(&word.parts, folders);
        }
    }

    fn visit_operator(&mut self, operator: &ParameterOp, folders: &Folders) {
        match operator {
            ParameterOp::RemovePrefixShort { pattern }
            | ParameterOp::RemovePrefixLong { pattern }
            | ParameterOp::RemoveSuffixShort { pattern }
            | ParameterOp::RemoveSuffixLong { pattern } => self.visit_pattern_parts(pattern, folders),
            ParameterOp::ReplaceFirst { pattern, replacement_word_ast, .. }
            | ParameterOp::ReplaceAll { pattern, replacement_word_ast, .. } => {
                self.visit_pattern_parts(pattern, folders);
                self.visit_parts(&replacement_word_ast.parts, folders);
            }
            ParameterOp::UseDefault
            | ParameterOp::AssignDefault
            | ParameterOp::UseReplacement
            | ParameterOp::Error
            | ParameterOp::UpperFirst
            | ParameterOp::UpperAll
            | ParameterOp::LowerFirst
            | ParameterOp::LowerAll => {}
        }
    }

    /// Text inside `${...}` that holds a substitution is not understood, though its commands were walked: quoting in
    /// there follows rules of its own, on which the parsers differ.
    fn check_raw_body(&mut self, span: shuck_ast::Span) {
        let raw = span.slice(self.source);
        let body = raw.get(2..).unwrap_or("");
        let opens = ["`", "<(", ">(", "@P}", "$'", "$\"", "$["];
        let nested = body.match_indices("$(").filter(|(at, _)| !self.opened.contains(&(span.start.offset() + 2 + at)));
        let spaced = body.match_indices("${").any(|(at, _)| {
            let next = body.get(at + 2..).and_then(|rest| rest.chars().next());
            next.is_none_or(|next| !(next.is_ascii_alphanumeric() || "_#!?@*$-".contains(next)))
        });
        if nested.count() > 0 || spaced || opens.iter().any(|open| body.contains(open)) {
            self.doubt(Reason::UnsupportedSyntax, span);
        }
    }

    /// Judges a variable with an optional subscript.
    pub(crate) fn visit_reference(&mut self, reference: &VarRef) {
        if let Some(subscript) = &reference.subscript {
            self.visit_subscript(subscript);
        }
    }

    /// Judges a subscript, which is arithmetic unless it selects all.
    pub(crate) fn visit_subscript(&mut self, subscript: &Subscript) {
        if subscript.is_array_selector() {
            return;
        }
        let span = subscript.span();
        if subscript.is_source_backed() {
            self.arithmetic(span.start.offset(), span.end.offset());
        } else {
            self.doubt(Reason::UnsupportedSyntax, span);
        }
    }

    /// Walks the words of a pattern of `case` or `[[ ]]`.
    pub(crate) fn visit_pattern(&mut self, pattern: &Pattern, folders: &Folders) {
        let has_word = pattern.parts.iter().any(|part| matches!(part.kind, PatternPart::Group { .. }));
        if has_word {
            self.doubt(Reason::UnsupportedSyntax, pattern.span);
        }
        let mut at = pattern.span.start.offset();
        for part in &pattern.parts {
            if let PatternPart::Word(word) = &part.kind {
                self.cover.range(at, word.span.start.offset());
                self.cover_word(word);
                at = word.span.end.offset();
            }
        }
        self.cover.range(at, pattern.span.end.offset());
        self.check_pattern_literals(pattern);
        self.visit_pattern_parts(pattern, folders);
    }

    /// A literal of a pattern may hold no character that would start an expansion.
    fn check_pattern_literals(&mut self, pattern: &Pattern) {
        for part in &pattern.parts {
            let raw = part.span.slice(self.source);
            let active = match &part.kind {
                PatternPart::Word(_) | PatternPart::AnyString | PatternPart::AnyChar => false,
                PatternPart::Literal(_) | PatternPart::CharClass(_) => is_active(raw),
                PatternPart::Group { .. } => true,
            };
            if active {
                self.doubt(Reason::UnsupportedSyntax, part.span);
            }
        }
    }

    fn visit_pattern_parts(&mut self, pattern: &Pattern, folders: &Folders) {
        for part in &pattern.parts {
            match &part.kind {
                PatternPart::Word(word) => self.visit_parts(&word.parts, folders),
                PatternPart::Group { patterns, .. } => {
                    for pattern in patterns {
                        self.visit_pattern_parts(pattern, folders);
                    }
                }
                PatternPart::Literal(_) | PatternPart::AnyString | PatternPart::AnyChar | PatternPart::CharClass(_) => {
                }
            }
        }
    }

    /// The place of a word in the request.
    pub(crate) fn origin(&self, word: &Word) -> Span {
        self.place.of(word.span)
    }
}

/// Whether unquoted text holds a character that starts an expansion.
fn is_active(raw: &str) -> bool {
    let mut escaped = false;
    raw.chars().any(|character| {
        let active = !escaped && matches!(character, '$' | '`');
        escaped = !escaped && character == '\\';
        active
    })
}

/// Whether every parenthesis of a text has its other half, in order.
fn pairs_up(text: &str) -> bool {
    let mut open = 0_usize;
    for character in text.chars() {
        match character {
            '(' => open = open.saturating_add(1),
            ')' => match open.checked_sub(1) {
                Some(left) => open = left,
                None => return false,
            },
            _ => {}
        }
    }
    open == 0
}
