//! Placeholder.
use holdpoint_guest::{Finding, Reason, Request, Span};

/// Placeholder.
pub fn classify(_request: &Request) -> Finding {
    Finding::doubtful(Reason::UnknownProgram, Span::WHOLE)
}
holdpoint_guest::export_vocabulary!(classify);
