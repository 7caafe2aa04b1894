//! Conditions in `[[ ]]`. They only look, except where an operand is evaluated as arithmetic or as a subscript.

use holdpoint_guest::{Operation, Reason};
use shuck_ast::{ConditionalBinaryOp, ConditionalCommand, ConditionalExpr, ConditionalUnaryOp, Word};

use super::{Flow, Walker};
use crate::state::Folders;
use crate::word::{Zone, is_name};

impl Walker<'_> {
    /// Walks `[[ ... ]]`.
    pub(crate) fn conditional(&mut self, command: &ConditionalCommand, folders: &Folders) -> Flow {
        self.cover.all(command.left_bracket_span);
        self.cover.all(command.right_bracket_span);
        self.raw(|walker| walker.condition(&command.expression, folders));
        let origin = self.place.of(command.span);
        self.out.operation(Operation::nothing("[[", origin));
        Flow::same(folders)
    }

    fn condition(&mut self, first: &ConditionalExpr, folders: &Folders) {
        let mut open = vec![first];
        while let Some(expression) = open.pop() {
            match expression {
                ConditionalExpr::Binary(binary) => {
                    self.cover.all(binary.op_span);
                    if is_arithmetic(binary.op) {
                        self.evaluated(&binary.left);
                        self.evaluated(&binary.right);
                    }
                    open.extend([&*binary.left, &*binary.right]);
                }
                ConditionalExpr::Unary(unary) => {
                    self.cover.all(unary.op_span);
                    if matches!(unary.op, ConditionalUnaryOp::VariableSet | ConditionalUnaryOp::ReferenceVariable) {
                        self.named(&unary.expr);
                    }
                    open.push(&unary.expr);
                }
                ConditionalExpr::Parenthesized(inner) => {
                    self.cover.all(inner.left_paren_span);
                    self.cover.all(inner.right_paren_span);
                    open.push(&inner.expr);
                }
                ConditionalExpr::Word(word) => self.visit_word(word, Zone::Pattern, folders),
                ConditionalExpr::Regex(word) => self.visit_word(word, Zone::Pattern, folders),
                ConditionalExpr::Pattern(pattern) => self.visit_pattern(pattern, folders),
                ConditionalExpr::VarRef(reference) => {
                    self.cover.all(reference.span);
                    self.visit_reference(reference);
                }
            }
        }
    }

    /// An operand that is evaluated as arithmetic.
    fn evaluated(&mut self, operand: &ConditionalExpr) {
        let span = operand.span();
        if let ConditionalExpr::Word(word) = operand
            && self.counts(word)
        {
            return;
        }
        self.arithmetic(span.start.offset(), span.end.offset());
    }

    /// A substitution that prints only numbers.
    fn counts(&mut self, word: &Word) -> bool {
        use shuck_ast::WordPart;
        let mut parts = word.parts.as_slice();
        if let [shuck_ast::WordPartNode { kind: WordPart::DoubleQuoted { parts: inner, .. }, .. }] = parts {
            parts = inner.as_slice();
        }
        matches!(parts, [part] if matches!(&part.kind, WordPart::CommandSubstitution { body, .. } if self.prints_numbers(body)))
    }

    /// An operand that names a variable.
    fn named(&mut self, operand: &ConditionalExpr) {
        let span = operand.span();
        if !is_name(span.slice(self.source)) {
            self.doubt(Reason::UnsupportedSyntax, span);
        }
    }
}

fn is_arithmetic(op: ConditionalBinaryOp) -> bool {
    match op {
        ConditionalBinaryOp::ArithmeticEq
        | ConditionalBinaryOp::ArithmeticNe
        | ConditionalBinaryOp::ArithmeticLe
        | ConditionalBinaryOp::ArithmeticGe
        | ConditionalBinaryOp::ArithmeticLt
        | ConditionalBinaryOp::ArithmeticGt => true,
        ConditionalBinaryOp::RegexMatch
        | ConditionalBinaryOp::NewerThan
        | ConditionalBinaryOp::OlderThan
        | ConditionalBinaryOp::SameFile
        | ConditionalBinaryOp::And
        | ConditionalBinaryOp::Or
        | ConditionalBinaryOp::PatternEqShort
        | ConditionalBinaryOp::PatternEq
        | ConditionalBinaryOp::PatternNe
        | ConditionalBinaryOp::LexicalBefore
        | ConditionalBinaryOp::LexicalAfter => false,
    }
}
