//! A vocabulary of one program, `greet NAME`, which prints and does nothing else, and `greet --loud NAME`, which also rings
//! the bell of the terminal. It knows nothing but its arguments.

use holdpoint_guest::{Action, Effect, Finding, Operation, Reason, Request, Segment, Span, TargetKind, Verb};

/// Says what a call of `greet` would do.
pub fn classify(request: &Request) -> Finding {
    match &request.action {
        Action::Program(invocation) => match invocation.argv.as_slice() {
            [_, loud, name] if loud.text == "--loud" && loud.is_exact() && name.is_exact() => {
                let rings = Operation::new(Verb::Update, "greet", Effect::Reversible, Span::part(2, &name.text));
                Finding::default().with_operation(rings.on(Segment::exact(TargetKind::Terminal, "")))
            }
            [_, name] if name.is_exact() && !name.text.starts_with('-') => {
                Finding::default().with_operation(Operation::nothing("greet", Span::part(1, &name.text)))
            }
            _ => Finding::doubtful(Reason::UnknownOption, Span::WHOLE),
        },
        Action::Tool(_) | Action::Source(_) => Finding::doubtful(Reason::UnknownProgram, Span::WHOLE),
    }
}

holdpoint_guest::export_vocabulary!(classify);
