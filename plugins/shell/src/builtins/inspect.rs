//! Builtins that only look or print.

use holdpoint_guest::{Operation, Reason, Word};

use crate::names::is_influential;
use crate::state::Folders;
use crate::walk::{Call, Flow, Walker};
use crate::word::is_name;

/// Builtins without an effect, whatever their arguments are.
pub(crate) fn nothing(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    walker.out.operation(Operation::nothing(call.name, call.origin));
    Flow::same(call.folders)
}

/// `echo`: its words may be the input of what follows.
pub(crate) fn echo(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    walker.echoes(call);
    nothing(walker, call)
}

/// `exit`, reached as a plain word: nothing follows if it says no more than a status.
pub(crate) fn exit(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    let flow = nothing(walker, call);
    let is_status = |word: &Word| word.known().is_some_and(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    match call.args {
        [] => Flow { ok: Folders::none(), failed: Folders::none(), program: None },
        [status] if is_status(status) => Flow { ok: Folders::none(), failed: Folders::none(), program: None },
        _ => flow,
    }
}

/// `printf`: with `-v` it sets a variable, whose subscript would be evaluated.
pub(crate) fn printf(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    let first = call.args.first();
    let name = match first.and_then(Word::known) {
        Some("-v") => call.args.get(1).cloned(),
        Some(text) if text.starts_with("-v") => {
            first.map(|word| Word::exact(text.trim_start_matches("-v"), word.origin))
        }
        Some(_) => None,
        // A word that is not known may turn out to be `-v` with a name.
        None => {
            walker.evaluates_later(call.origin);
            let steers = |word: &Word| word.known().is_some_and(is_influential);
            first.and_then(|_| call.args.get(1)).filter(|word| steers(word)).cloned()
        }
    };
    match name {
        Some(name) => walker.set_by_builtin(call, &name),
        None => {
            walker.prints(call);
            walker.out.operation(Operation::nothing(call.name, call.origin));
        }
    }
    Flow::same(call.folders)
}

/// `test` and `[`: `-v` and `-R` evaluate a subscript.
pub(crate) fn test(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    let mut words = call.args.iter().peekable();
    while let Some(word) = words.next() {
        match word.known() {
            Some("-v" | "-R") => {
                if let Some(operand) = words.peek()
                    && !operand.known().is_some_and(|text| is_name(text) || text == "]")
                {
                    walker.out.doubt(Reason::UnsupportedSyntax, operand.origin);
                }
            }
            Some(_) => {}
            None => walker.may_be_operator(word),
        }
    }
    nothing(walker, call)
}
