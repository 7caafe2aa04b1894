//! What a walk is told, what it hands from one statement to the next, and what it counts.

use holdpoint_guest::Input;

use crate::limits::{COMMAND_VISITS_MAX, WALK_LEVELS_MAX};
use crate::place::Place;
use crate::state::Folders;

/// Which shell reads the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    Bash,
    /// Some POSIX shell; constructs that shells read differently are not understood.
    Posix,
}

/// Facts of the request that a text may refer to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Facts<'a> {
    pub(crate) home: Option<&'a str>,
    pub(crate) folder: Option<&'a str>,
}

/// Where the standard input of a command comes from.
#[derive(Clone, Debug)]
pub(crate) enum Stdin {
    Plain(Input),
    /// The delegates from this index on, one for each folder.
    Delegates(u32),
}

impl Stdin {
    pub(super) fn inherited() -> Stdin {
        Stdin::Plain(Input::Inherited)
    }

    pub(super) fn unseen() -> Stdin {
        Stdin::Plain(Input::External)
    }

    /// The input of the command in the folder at `index`.
    pub(super) fn input(&self, index: usize) -> Input {
        match self {
            Stdin::Plain(input) => input.clone(),
            Stdin::Delegates(start) => {
                u32::try_from(index).map_or(Input::External, |index| Input::OutputOf(start + index))
            }
        }
    }
}

/// What follows a statement.
pub(crate) struct Flow {
    /// The folders after it succeeded.
    pub(crate) ok: Folders,
    /// The folders after it failed.
    pub(crate) failed: Folders,
    /// The index of the delegate in the first folder, if the statement is exactly one program.
    pub(crate) program: Option<u32>,
}

impl Flow {
    /// A statement that leaves the folder alone.
    pub(crate) fn same(folders: &Folders) -> Flow {
        Flow { ok: folders.clone(), failed: folders.clone(), program: None }
    }

    /// All folders that the next statement may run in.
    pub(super) fn any(&self) -> Folders {
        self.ok.or(&self.failed)
    }
}

/// Whether a statement always runs once it is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    Always,
    Sometimes,
}

/// What is bounded over a text and the texts inside it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counters {
    pub(super) visits: usize,
    pub(super) level: usize,
    pub(super) code_level: usize,
    /// Whether code was run whose text does not stand in the text around it, so that it may set any variable.
    pub(super) hidden_code: bool,
    /// Whether some variable was taken as constant.
    pub(super) constants: bool,
}

/// What holds for a whole text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting<'a> {
    pub(crate) place: Place,
    pub(crate) dialect: Dialect,
    pub(crate) facts: Facts<'a>,
}

impl Counters {
    /// Counts a simple command.
    pub(super) fn visit(&mut self) {
        self.visits += 1;
    }

    /// Whether nothing more may be visited.
    pub(super) fn is_exhausted(self) -> bool {
        self.visits >= COMMAND_VISITS_MAX || self.level >= WALK_LEVELS_MAX
    }

    /// Notes that a variable may be set whose name the text does not show.
    pub(super) fn hide(&mut self) {
        self.hidden_code = true;
    }

    /// Notes that a variable was taken as constant.
    pub(super) fn rely(&mut self) {
        self.constants = true;
    }

    /// Whether the text is the one of the request, not one inside it.
    pub(super) fn is_outermost(self) -> bool {
        self.code_level == 0
    }
}
