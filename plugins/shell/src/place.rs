//! Where a piece of shell text stands in the request, so that the host can underline it.

use holdpoint_guest::Span;

/// How offsets of a text map to spans of the request.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// The text is part `part` of the request, byte for byte.
    Part(u32),
    /// The text was computed from this place (an argument of `eval`), so every offset maps to all of it.
    Fixed(Span),
}

impl Place {
    /// The span of bytes `start..end` of the text.
    pub(crate) fn at(self, start: usize, end: usize) -> Span {
        match self {
            Place::Part(part) => Span { part, ..Span::bytes(start, end) },
            Place::Fixed(span) => span,
        }
    }

    /// The span of a node of the syntax tree.
    pub(crate) fn of(self, span: shuck_ast::Span) -> Span {
        self.at(span.start.offset(), span.end.offset())
    }
}

/// The smallest span of one part that covers both.
pub(crate) fn joined(first: Span, last: Span) -> Span {
    if first.part == last.part { Span { end: last.end.max(first.end), ..first } } else { first }
}
