//! A vocabulary of one program, `greet NAME`, which prints and does nothing else. It knows nothing but its arguments.

use holdpoint_guest::{Action, Finding, Operation, Reason, Request, Span};

/// Says what a call of `greet` would do.
pub fn classify(request: &Request) -> Finding {
    match &request.action {
        Action::Program(invocation) => match invocation.argv.as_slice() {
            [_, name] if name.is_exact() && !name.text.starts_with('-') => {
                Finding::default().with_operation(Operation::nothing("greet", Span::part(1, &name.text)))
            }
            _ => Finding::doubtful(Reason::UnknownOption, Span::WHOLE),
        },
        Action::Tool(_) | Action::Source(_) => Finding::doubtful(Reason::UnknownProgram, Span::WHOLE),
    }
}

holdpoint_guest::export_vocabulary!(classify);
