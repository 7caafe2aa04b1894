//! Builtins that move the shell to another working folder.

use holdpoint_guest::{Operation, Word};

use crate::state::{Folder, Folders};
use crate::walk::{Call, Flow, Walker};

fn flow(walker: &mut Walker<'_>, call: &Call<'_>, reached: Folders) -> Flow {
    walker.out.operation(Operation::nothing(call.name, call.origin));
    let reached = if walker.may_be_replaced(call.name) { Folders::only(Folder::Unknown) } else { reached };
    Flow { ok: reached, failed: call.folders.clone(), program: None }
}

/// `cd`: on success the next command runs in its target.
pub(crate) fn cd(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    let unknown = Folders::only(Folder::Unknown);
    let mut physical = false;
    let mut operands = call.args;
    while let Some((first, rest)) = operands.split_first() {
        match first.known() {
            Some("--") => {
                operands = rest;
                break;
            }
            Some("-P" | "-e" | "-Pe") => physical = true,
            Some("-L" | "-@") => {}
            Some(_) | None => break,
        }
        operands = rest;
    }
    let target = match operands {
        [] => walker.home_word(call.origin),
        [target] => target.known().map(str::to_owned),
        _ => None,
    };
    let reached = match target {
        // `-` is the folder before, and options that are not known may be anything.
        Some(target) if !target.starts_with('-') && !walker.searches_folders(&target) => {
            let climbs = physical && target.split('/').any(|part| part == "..");
            if climbs { unknown } else { call.folders.map(|folder| folder.enter(&target)) }
        }
        Some(_) | None => unknown,
    };
    flow(walker, call, reached)
}

/// `pushd DIR`: like `cd`; other forms turn the stack, which is not followed.
pub(crate) fn pushd(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    let target = match call.args {
        [target] => target.known().filter(|text| !text.starts_with(['-', '+'])),
        _ => None,
    };
    let reached = match target {
        Some(target) if !walker.searches_folders(target) => call.folders.map(|folder| folder.enter(target)),
        Some(_) | None => Folders::only(Folder::Unknown),
    };
    flow(walker, call, reached)
}

/// `popd`.
pub(crate) fn popd(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    flow(walker, call, Folders::only(Folder::Unknown))
}

/// `dirs`.
pub(crate) fn dirs(walker: &mut Walker<'_>, call: &Call<'_>) -> Flow {
    if call.args.iter().all(Word::is_exact) {
        walker.out.operation(Operation::nothing(call.name, call.origin));
    } else {
        walker.shell_state(call.name, "", call.origin);
    }
    Flow::same(call.folders)
}
