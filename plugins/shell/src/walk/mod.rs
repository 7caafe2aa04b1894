//! Walks the syntax tree of one text and says what every command in it would do. Every command counts: the answer for a
//! text is the union over all commands, whatever the text's control flow is.

mod arith;
mod assign;
mod bind;
mod compound;
mod cover;
mod declare;
mod format;
mod function;
mod numbers;
mod pipeline;
mod printed;
mod redirect;
mod simple;
mod spawn;
mod support;
mod tests_expr;
mod types;
mod values;
mod words;

pub(crate) use assign::Assigned;
pub(crate) use redirect::in_folder;
pub(crate) use simple::{Call, Lookup, may_be_option};
pub(crate) use types::{Dialect, Facts, Flow, Setting, Stdin};

use holdpoint_guest::{Operation, Reason, Segment, Span, TargetKind, Verb};
use shuck_ast::{Command, Stmt, StmtSeq};
use shuck_parser::parser::{ParseStatus, Parser};

use crate::agree::{Second, plain_name, second_opinion};
use crate::limits::CODE_LEVELS_MAX;
use crate::mask::masked;
use crate::out::Out;
use crate::place::Place;
use crate::prescan;
use crate::state::{Certainty, Folder, Folders, OnFailure, State};
use crate::walk::cover::Cover;
use crate::walk::types::{Counters, Reach};
use crate::word::{Defaults, Positional};

/// What the walks over a text and over the texts inside it know together.
pub(crate) struct Known {
    pub(crate) state: State,
    pub(crate) counters: Counters,
    arithmetic: arith::Arithmetic,
    spawning: spawn::Spawning,
}

impl Known {
    /// What is known at the start of a text.
    pub(crate) fn new(positional: Positional) -> Known {
        Known {
            state: State::new(positional),
            counters: Counters::default(),
            arithmetic: arith::Arithmetic::default(),
            spawning: spawn::Spawning::default(),
        }
    }
}

/// The walk over one text.
pub(crate) struct Walker<'a> {
    pub(crate) source: &'a str,
    pub(crate) place: Place,
    pub(crate) dialect: Dialect,
    pub(crate) facts: Facts<'a>,
    pub(crate) out: &'a mut Out,
    pub(crate) state: State,
    pub(crate) counters: Counters,
    reach: Reach,
    cover: Cover,
    /// Names of simple commands outside of text that the second parser keeps raw.
    names: Vec<String>,
    raw_zone: usize,
    /// How many statements so far may have changed the working folder of this shell.
    moves: usize,
    /// How often the statement at hand is walked because of the loops around it.
    rounds: usize,
    /// Where substitutions begin that were walked.
    opened: Vec<usize>,
    arithmetic: arith::Arithmetic,
    /// What expansions with a default are taken for.
    defaults: Defaults,
    /// What the last simple command prints, if that is known.
    printed: Option<String>,
    spawning: spawn::Spawning,
}

/// Judges `source` as a script and says what follows it.
pub(crate) fn walk_text(
    source: &str,
    setting: Setting<'_>,
    known: Known,
    out: &mut Out,
    folders: &Folders,
) -> (Known, Flow) {
    let Setting { place, dialect, facts } = setting;
    let unknown = Flow::same(&Folders::only(Folder::Unknown));
    if let Some(refused) = prescan::refuse(source) {
        out.doubt(refused.reason, place.at(refused.start, refused.end));
        return (known, unknown);
    }
    let masked = masked(source);
    let parsed = Parser::new(&masked).parse();
    if parsed.status != ParseStatus::Clean {
        out.doubt(Reason::ParserError, place.at(0, source.len()));
        return (known, unknown);
    }
    let Known { state, counters, arithmetic, spawning } = known;
    let mut walker = Walker {
        source,
        place,
        dialect,
        facts,
        out,
        state,
        counters,
        reach: Reach::Always,
        cover: Cover::default(),
        names: Vec::new(),
        raw_zone: 0,
        moves: 0,
        rounds: 1,
        opened: Vec::new(),
        arithmetic,
        defaults: Defaults::Open,
        printed: None,
        spawning,
    };
    let flow = walker.sequence(&parsed.file.body, folders, &Stdin::inherited());
    walker.finish();
    if walker.out.is_silent() {
        walker.out.operation(Operation::nothing("", place.at(0, source.len())));
    }
    let Walker { state, counters, arithmetic, spawning, .. } = walker;
    (Known { state, counters, arithmetic, spawning }, flow)
}

impl<'a> Walker<'a> {
    /// Checks that need the whole walk: the second parser, text that no node accounts for, arithmetic over data.
    fn finish(&mut self) {
        let whole = self.place.at(0, self.source.len());
        self.names.sort_unstable();
        self.names.dedup();
        match second_opinion(self.source) {
            Second::Rejected => self.out.doubt(Reason::ParserError, whole),
            Second::Names(mut names) => {
                names.dedup();
                if names != self.names {
                    self.out.doubt(Reason::ParserDisagreement, whole);
                }
            }
        }
        if let Some((start, end)) = self.cover.residue(self.source) {
            self.out.doubt(Reason::UnsupportedSyntax, self.place.at(start, end));
        }
        if self.counters.hidden_code && self.counters.constants {
            self.out.doubt(Reason::UnsupportedSyntax, whole);
        }
        if self.counters.is_outermost() {
            self.report_bombs();
        }
        for origin in self.arithmetic.unsafe_places() {
            self.out.doubt(Reason::UnsupportedSyntax, origin);
        }
    }

    /// Walks text that runs as code at this point, such as an argument of `eval`.
    pub(crate) fn walk_code(&mut self, text: &str, origin: Span, folders: &Folders) -> Flow {
        if self.counters.code_level >= CODE_LEVELS_MAX {
            self.out.doubt(Reason::OverBound, origin);
            return Flow::same(folders);
        }
        self.shows_text(text);
        let counters = Counters { code_level: self.counters.code_level + 1, ..self.counters };
        let known = Known {
            state: self.state.clone(),
            counters,
            arithmetic: std::mem::take(&mut self.arithmetic),
            spawning: std::mem::take(&mut self.spawning),
        };
        let setting = Setting { place: Place::Fixed(origin), dialect: self.dialect, facts: self.facts };
        let (known, flow) = walk_text(text, setting, known, self.out, folders);
        self.state = known.state;
        self.arithmetic = known.arithmetic;
        self.spawning = known.spawning;
        // Assignments inside the text were not counted when a variable was taken as constant.
        self.state.constants.clear();
        self.counters = Counters { code_level: self.counters.code_level, ..known.counters };
        flow
    }

    pub(crate) fn doubt(&mut self, reason: Reason, span: shuck_ast::Span) {
        let origin = self.place.of(span);
        self.out.doubt(reason, origin);
    }

    /// Adds an operation on the state of the shell that dies with it.
    pub(crate) fn shell_state(&mut self, native: &str, name: &str, origin: Span) {
        let target = Segment::exact(TargetKind::ShellState, name);
        self.out.operation(Operation::new(Verb::Configure, native, holdpoint_guest::Effect::None, origin).on(target));
    }

    /// Whether a construct that POSIX shells read differently may be judged; a doubt if not.
    pub(crate) fn only_bash(&mut self, span: shuck_ast::Span) {
        if self.dialect == Dialect::Posix {
            self.doubt(Reason::UnsupportedSyntax, span);
        }
    }

    /// Walks statements one after the other.
    pub(crate) fn sequence(&mut self, statements: &StmtSeq, folders: &Folders, stdin: &Stdin) -> Flow {
        let mut flow = Flow::same(folders);
        let mut at = folders.clone();
        let alone = statements.len() == 1;
        for statement in statements.iter() {
            flow = self.statement(statement, &at, stdin);
            let exits = self.state.on_failure == OnFailure::Exit
                && self.reach == Reach::Always
                && !statement.negated
                && matches!(statement.command, Command::Simple(_));
            at = if exits { flow.ok.clone() } else { flow.any() };
        }
        Flow { program: flow.program.filter(|_| alone), ..flow }
    }

    /// Walks one statement.
    pub(crate) fn statement(&mut self, statement: &Stmt, folders: &Folders, stdin: &Stdin) -> Flow {
        if self.counters.is_exhausted() {
            self.doubt(Reason::OverBound, statement.span);
            self.cover.all(statement.span);
            return Flow::same(folders);
        }
        self.counters.level += 1;
        let flow = self.statement_inside(statement, folders, stdin);
        self.counters.level -= 1;
        if flow.any().or(folders) != *folders {
            self.moves += 1;
        }
        flow
    }

    fn statement_inside(&mut self, statement: &Stmt, folders: &Folders, stdin: &Stdin) -> Flow {
        let background = match statement.terminator {
            Some(shuck_ast::StmtTerminator::Background(shuck_ast::BackgroundOperator::Plain)) => true,
            Some(shuck_ast::StmtTerminator::Background(_)) => {
                self.doubt(Reason::UnsupportedSyntax, statement.span);
                true
            }
            Some(shuck_ast::StmtTerminator::Semicolon) | None => false,
        };
        if background {
            self.check_after_background(statement);
            let origin = self.place.of(statement.span);
            self.leaves_running(origin);
            self.spawning.enter_parallel();
            let flow = self.isolated(|walker| walker.command(statement, folders, stdin));
            self.spawning.leave_parallel();
            return Flow { program: flow.program, ..Flow::same(folders) };
        }
        if statement.negated {
            let flow = self.tested(|walker| walker.command(statement, folders, stdin));
            return Flow { ok: flow.failed, failed: flow.ok, program: None };
        }
        self.command(statement, folders, stdin)
    }

    /// Runs `walk` where the result is tested, so that a failure does not end the shell.
    fn tested<T>(&mut self, walk: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.state.on_failure, OnFailure::Continue);
        let result = walk(self);
        if before == OnFailure::Exit {
            self.state.on_failure = before;
        }
        result
    }

    /// `a &;` is an error that both parsers overlook.
    fn check_after_background(&mut self, statement: &Stmt) {
        let Some(end) = statement.terminator_span.map(|span| span.end.offset()) else {
            return;
        };
        let rest = self.source.get(end..).unwrap_or("").trim_start_matches([' ', '\t']);
        if rest.starts_with(';') && !rest.starts_with(";;") && !rest.starts_with(";&") {
            self.doubt(Reason::ParserError, statement.span);
        }
    }

    /// Runs `walk` as a subshell: what it changes in the shell is forgotten.
    pub(crate) fn isolated<T>(&mut self, walk: impl FnOnce(&mut Self) -> T) -> T {
        let state = self.state.clone();
        let moves = self.moves;
        let result = walk(self);
        self.state = state;
        self.moves = moves;
        result
    }

    /// Runs `walk` as a part that may be skipped.
    fn sometimes<T>(&mut self, walk: impl FnOnce(&mut Self) -> T) -> T {
        let reach = std::mem::replace(&mut self.reach, Reach::Sometimes);
        let result = walk(self);
        self.reach = reach;
        result
    }

    fn command(&mut self, statement: &Stmt, folders: &Folders, stdin: &Stdin) -> Flow {
        let redirected = self.redirects(&statement.redirects, folders);
        let stdin = redirected.as_ref().unwrap_or(stdin);
        let feeds = self.feeds_without_end(&statement.redirects);
        let around = std::mem::replace(&mut self.spawning.endless_input, feeds);
        let flow = self.redirected(statement, folders, stdin);
        self.spawning.endless_input = around;
        flow
    }

    fn redirected(&mut self, statement: &Stmt, folders: &Folders, stdin: &Stdin) -> Flow {
        if !self.may_fail_to_open(&statement.redirects) {
            return self.opened(statement, folders, stdin);
        }
        // If a file does not open, the command is left out.
        let flow = self.sometimes(|walker| walker.opened(statement, folders, stdin));
        Flow { failed: flow.failed.or(folders), ..flow }
    }

    /// Walks a command whose redirections are in place.
    fn opened(&mut self, statement: &Stmt, folders: &Folders, stdin: &Stdin) -> Flow {
        match &statement.command {
            Command::Simple(simple) => self.simple(simple, folders, stdin),
            Command::Builtin(builtin) => self.control(builtin, folders),
            Command::Decl(declaration) => self.declaration(declaration, folders),
            Command::Binary(binary) => self.binary(binary, folders, stdin),
            Command::Compound(compound) => self.compound(compound, statement, folders, stdin),
            Command::Function(function) => self.function(function, folders),
            Command::AnonymousFunction(_) => {
                self.doubt(Reason::UnsupportedSyntax, statement.span);
                Flow::same(folders)
            }
        }
    }

    /// Notes the name of a simple command for the comparison of parsers.
    fn note_name(&mut self, name: &str) {
        // The second parser is asked about words by a command of this name.
        if self.raw_zone == 0 && !name.is_empty() && name != ":" {
            self.names.push(plain_name(name));
        }
    }

    /// Whether the command at hand runs whatever the others do.
    pub(crate) fn always_runs(&self) -> bool {
        self.reach == Reach::Always
    }

    fn certainty(&self) -> Certainty {
        match self.reach {
            Reach::Always => Certainty::Certain,
            Reach::Sometimes => Certainty::Possible,
        }
    }
}

#[cfg(test)]
mod tests;
