//! Processes without end: what starts others in parallel again and again, by calling itself or in a loop that does not
//! stop. It must never count a loop over words that stand in the text, or one that waits for what it started.

use holdpoint_guest::{Effect, Operation, Reason, Scope, Segment, Span, TargetKind, Verb, Word};
use shuck_ast::{ArithmeticForCommand, BinaryOp, Command, CompoundCommand, SimpleCommand, Stmt, StmtSeq};

use super::{Stdin, Walker};
use crate::limits::CALLS_MAX;

/// Commands that always succeed.
const SUCCEEDING: &[&str] = &[":", "date", "echo", "printf", "pwd", "true"];
/// Programs whose output has no end.
const ENDLESS: &[&str] = &["yes"];
/// Programs that hand on what they read, however long it is.
const PASSING: &[&str] = &["base64", "cat", "cut", "fold", "hexdump", "nl", "od", "rev", "tee", "tr", "xxd"];
/// Files without an end.
const ENDLESS_FILES: &[&str] = &["/dev/random", "/dev/urandom", "/dev/zero"];
/// Processes at a time that count as no limit.
const MANY: u64 = 1_000;

/// A function whose body is being walked.
pub(crate) struct Defining {
    pub(super) name: String,
    /// How many pipelines, substitutions and background commands are open in the body.
    parallel: usize,
    /// Whether it waits for what it starts.
    paced: bool,
}

/// A call of a name in the body of a function, or in a loop without end where `from` is `None`.
struct Call {
    from: Option<String>,
    to: String,
    parallel: bool,
    origin: Span,
}

/// What is known of processes that start others. Texts inside a text share it.
#[derive(Default)]
pub(crate) struct Spawning {
    /// Functions whose bodies are being walked, innermost last.
    pub(super) defining: Vec<Defining>,
    calls: Vec<Call>,
    /// Functions that leave something running in the background.
    leaving: Vec<String>,
    /// How many loops without end are open.
    endless: usize,
    /// Whether the input of the command at hand has no end.
    pub(super) endless_input: bool,
}

/// How often a loop runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Rounds {
    /// On and on.
    Endless,
    /// Until something stops it.
    Some,
}

/// When a loop runs another round.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Runs {
    /// While its condition holds.
    While,
    /// Until its condition holds.
    Until,
}

impl Spawning {
    /// What follows runs beside the shell.
    pub(super) fn enter_parallel(&mut self) {
        if let Some(defining) = self.defining.last_mut() {
            defining.parallel += 1;
        }
    }

    /// The end of what `enter_parallel` began.
    pub(super) fn leave_parallel(&mut self) {
        if let Some(defining) = self.defining.last_mut() {
            defining.parallel = defining.parallel.saturating_sub(1);
        }
    }

    /// Notes a call of something by name.
    fn call(&mut self, name: &str, origin: Span) {
        let mut parallel = false;
        let mut froms = Vec::new();
        for defining in self.defining.iter().rev() {
            parallel |= defining.parallel > 0;
            froms.push((Some(defining.name.clone()), parallel));
        }
        if self.endless > 0 {
            froms.push((None, false));
        }
        for (from, parallel) in froms {
            let same = |call: &Call| call.from == from && call.to == name && call.parallel == parallel;
            if !self.calls.iter().any(same) {
                self.calls.push(Call { from, to: name.to_owned(), parallel, origin });
            }
        }
    }

    /// Forgets the calls of what is no function of the text.
    fn keep_functions(&mut self) {
        let names: Vec<Option<String>> = self.calls.iter().map(|call| call.from.clone()).collect();
        let leaving = std::mem::take(&mut self.leaving);
        self.calls.retain(|call| names.contains(&Some(call.to.clone())) || leaving.contains(&call.to));
        self.leaving = leaving;
    }

    /// The names that are called, at once or by way of others, once `name` is.
    fn reached<'s>(&'s self, name: &'s str) -> Vec<&'s str> {
        let mut reached = vec![name];
        let mut next = 0;
        while let Some(from) = reached.get(next).copied() {
            next += 1;
            for call in self.calls.iter().filter(|call| call.from.as_deref() == Some(from)) {
                if !reached.contains(&&*call.to) {
                    reached.push(&call.to);
                }
            }
        }
        reached
    }

    /// The calls with which processes have no end.
    fn bombs(&self) -> Vec<(String, Span)> {
        let explodes = |call: &&Call| match &call.from {
            Some(from) => call.parallel && self.reached(&call.to).contains(&&**from),
            None => self.reached(&call.to).iter().any(|name| self.leaving.iter().any(|leaving| leaving == name)),
        };
        self.calls.iter().filter(explodes).map(|call| (call.to.clone(), call.origin)).collect()
    }
}

impl Walker<'_> {
    /// Walks the body of a function, which does not run where it is defined.
    pub(super) fn defining<T>(&mut self, name: &str, body: &Stmt, walk: impl FnOnce(&mut Self) -> T) -> T {
        let paced = match &body.command {
            Command::Compound(CompoundCommand::BraceGroup(body) | CompoundCommand::Subshell(body)) => {
                self.is_paced(body)
            }
            _ => false,
        };
        let endless = std::mem::take(&mut self.spawning.endless);
        let input = std::mem::take(&mut self.spawning.endless_input);
        self.spawning.defining.push(Defining { name: name.to_owned(), parallel: 0, paced });
        let result = walk(self);
        self.spawning.defining.pop();
        self.spawning.endless = endless;
        self.spawning.endless_input = input;
        result
    }

    /// Notes that a name is called.
    pub(super) fn notes_call(&mut self, name: &str, origin: Span) {
        self.spawning.call(name, origin);
    }

    /// Notes that something is left running in the background.
    pub(super) fn leaves_running(&mut self, origin: Span) {
        if self.spawning.endless > 0 {
            self.bomb("", origin);
        }
        let running = self.spawning.defining.iter().filter(|defining| !defining.paced);
        let names: Vec<String> = running.map(|defining| defining.name.clone()).collect();
        self.spawning.leaving.extend(names);
    }

    /// Walks the part of a loop that is repeated.
    pub(super) fn looping<T>(&mut self, rounds: Rounds, walk: impl FnOnce(&mut Self) -> T) -> T {
        let endless = usize::from(rounds == Rounds::Endless);
        self.spawning.endless += endless;
        let result = walk(self);
        self.spawning.endless -= endless;
        result
    }

    fn bomb(&mut self, name: &str, origin: Span) {
        let operation = Operation::new(Verb::Create, "fork-bomb", Effect::Irreversible, origin)
            .on(Segment::exact(TargetKind::Process, name))
            .reaching(Scope::Root);
        self.out.operation(operation);
    }

    /// At the end of a whole text: functions that start themselves in parallel, by whatever way.
    pub(super) fn report_bombs(&mut self) {
        self.spawning.keep_functions();
        if self.spawning.calls.len() > CALLS_MAX {
            let whole = self.place.at(0, self.source.len());
            return self.out.doubt(Reason::OverBound, whole);
        }
        for (name, origin) in self.spawning.bombs() {
            self.bomb(&name, origin);
        }
    }

    /// How often a loop with this condition and body runs: on and on, unless it waits for anything.
    pub(super) fn rounds(&self, condition: &StmtSeq, runs: Runs, body: &StmtSeq, stdin: &Stdin) -> Rounds {
        let constant = self.constant(condition) == Some(runs == Runs::While);
        let feeds = self.spawning.endless_input || reads_endless(stdin);
        let endless = (constant || feeds) && !self.is_paced(condition) && !self.is_paced(body);
        if endless { Rounds::Endless } else { Rounds::Some }
    }

    /// The same for `for ((a; b; c))`.
    pub(super) fn rounds_of_count(&self, command: &ArithmeticForCommand) -> Rounds {
        let (start, end) = (command.left_paren_span.end.offset(), command.right_paren_span.start.offset());
        let condition = self.source.get(start..end).and_then(|text| text.split(';').nth(1)).unwrap_or("");
        let is_constant = !condition.contains(|letter: char| letter.is_alphabetic() || letter == '$' || letter == '`');
        let endless = is_constant && condition.trim() != "0" && !self.is_paced(&command.body);
        if endless { Rounds::Endless } else { Rounds::Some }
    }

    /// Whether a round waits for what it started, or for some time.
    fn is_paced(&self, body: &StmtSeq) -> bool {
        body.iter().any(|statement| match &statement.command {
            Command::Simple(command) if statement.terminator.is_none_or(|end| !is_background(end)) => {
                let name = command.name.span.slice(self.source);
                let first = command.args.first().map(|word| word.span.slice(self.source));
                let waits = name == "wait" && command.args.is_empty();
                let sleeps = name == "sleep" && first.is_some_and(is_some_time);
                (waits || sleeps) && !self.may_be_replaced(name)
            }
            _ => false,
        })
    }

    /// The result of a condition that is the same in every round.
    fn constant(&self, condition: &StmtSeq) -> Option<bool> {
        condition.iter().last().and_then(|last| self.constant_statement(last))
    }

    fn constant_statement(&self, statement: &Stmt) -> Option<bool> {
        let result = match &statement.command {
            Command::Simple(command) => self.constant_command(command),
            Command::Binary(binary) => {
                let (left, right) = (self.constant_statement(&binary.left), self.constant_statement(&binary.right));
                match binary.op {
                    BinaryOp::And => left.zip(right).map(|(left, right)| left && right),
                    BinaryOp::Or if left == Some(true) || right == Some(true) => Some(true),
                    BinaryOp::Or => left.zip(right).map(|(left, right)| left || right),
                    BinaryOp::Pipe | BinaryOp::PipeAll => right,
                }
            }
            Command::Compound(CompoundCommand::BraceGroup(body) | CompoundCommand::Subshell(body)) => {
                self.constant(body)
            }
            Command::Compound(CompoundCommand::Conditional(_) | CompoundCommand::Arithmetic(_)) => {
                self.constant_test(statement.span.slice(self.source))
            }
            _ => None,
        };
        result.map(|result| result != statement.negated)
    }

    fn constant_command(&self, command: &SimpleCommand) -> Option<bool> {
        let name = command.name.span.slice(self.source);
        let name = name.rsplit('/').next().unwrap_or(name);
        match name {
            // Only variables are set.
            "" => Some(true),
            "false" => Some(false),
            "[" | "test" => {
                let words = command.args.iter().map(|word| word.span.slice(self.source)).collect::<Vec<_>>().join(" ");
                self.constant_test(&words)
            }
            "command" | "builtin" => {
                let first = command.args.first().map(|word| word.span.slice(self.source))?;
                SUCCEEDING.contains(&first).then_some(true)
            }
            _ => SUCCEEDING.contains(&name).then_some(true),
        }
    }

    /// A test in which nothing stands that could change. It is taken to hold, since otherwise nobody would write it.
    fn constant_test(&self, test: &str) -> Option<bool> {
        let about_words = ["-eq", "-ne", "-lt", "-gt", "-le", "-ge", "-n", "-z", "-a", "-o"];
        let is_arithmetic = test.starts_with("((");
        let changes = test.contains(['$', '`', '*', '?'])
            || (is_arithmetic && test.contains(char::is_alphabetic))
            || test.split_whitespace().any(|word| {
                let mut letters = word.chars();
                let operator = letters.next() == Some('-') && letters.next().is_some_and(char::is_alphabetic);
                operator && !about_words.contains(&word)
            });
        (!changes && test.trim_matches(['(', ')', ' ']) != "0").then_some(true)
    }

    /// Whether what a command reads has no end: what reaches it, unless one of its redirections is its input.
    pub(super) fn feeds_without_end(&self, redirects: &[shuck_ast::Redirect]) -> bool {
        let texts: Vec<&str> = redirects.iter().map(|redirect| redirect.span.slice(self.source)).collect();
        let endless =
            texts.iter().any(|text| text.contains('<') && ENDLESS_FILES.iter().any(|file| text.contains(file)));
        endless || (self.spawning.endless_input && !texts.iter().any(|text| text.starts_with(['<', '0'])))
    }

    /// Whether what a command of a pipeline prints has no end.
    pub(super) fn prints_without_end(&self, statement: &Stmt) -> bool {
        match &statement.command {
            Command::Simple(command) => {
                let name = command.name.span.slice(self.source);
                let name = name.rsplit('/').next().unwrap_or(name);
                let text = statement.span.slice(self.source);
                let reads = self.spawning.endless_input || ENDLESS_FILES.iter().any(|file| text.contains(file));
                let counts = name == "seq" && command.args.iter().any(|word| word.span.slice(self.source) == "inf");
                ENDLESS.contains(&name) || counts || (PASSING.contains(&name) && reads)
            }
            Command::Compound(CompoundCommand::While(command)) => self.constant(&command.condition) == Some(true),
            Command::Compound(CompoundCommand::Until(command)) => self.constant(&command.condition) == Some(false),
            Command::Compound(CompoundCommand::ArithmeticFor(command)) => {
                self.rounds_of_count(command) == Rounds::Endless
            }
            _ => false,
        }
    }

    /// `xargs` and `parallel` without a limit behind input without an end.
    pub(super) fn starts_without_end(&mut self, argv: &[Word], stdin: &Stdin, origin: Span) {
        // It may stand behind a program that runs another one.
        let base = |word: &Word| word.known().map(|name| name.rsplit('/').next().unwrap_or(name).to_owned());
        let is_one = |word: &Word| base(word).is_some_and(|name| matches!(&*name, "xargs" | "parallel"));
        let Some(at) = argv.iter().position(is_one) else { return };
        let name = argv.get(at).and_then(base).unwrap_or_default();
        let known: Vec<&str> = argv.iter().skip(at).filter_map(Word::known).collect();
        let feeds = self.spawning.endless_input
            || reads_endless(stdin)
            || known.iter().any(|word| ENDLESS_FILES.iter().any(|file| word.ends_with(file)));
        let unlimited = match &*name {
            "xargs" => has_no_limit(&known, &["-P", "--max-procs"]),
            "parallel" => has_no_limit(&known, &["-j", "-P", "--jobs", "--max-procs"]),
            _ => false,
        };
        if feeds && unlimited {
            self.bomb(&name, origin);
        }
    }
}

/// Whether one of the options, attached or apart, asks for any number of processes.
fn has_no_limit(words: &[&str], options: &[&str]) -> bool {
    let is_many = |value: &str| value.parse::<u64>().is_ok_and(|count| count == 0 || count > MANY);
    words.iter().enumerate().any(|(at, word)| {
        let next = words.get(at + 1).copied().unwrap_or("");
        options.iter().any(|option| match word.strip_prefix(option) {
            Some("") => is_many(next),
            Some(value) => is_many(value.trim_start_matches('=')),
            // Letters may stand before it, such as `-0P0`.
            None => {
                let letter = option.strip_prefix('-').filter(|letter| letter.len() == 1);
                let after = letter.and_then(|letter| word.strip_prefix('-')?.split_once(letter));
                after.is_some_and(|(before, value)| {
                    let flags = before.chars().all(|flag| flag.is_ascii_digit() || "knLmoprtxX".contains(flag));
                    flags && (is_many(value) || (value.is_empty() && is_many(next)))
                })
            }
        })
    })
}

fn reads_endless(stdin: &Stdin) -> bool {
    match stdin {
        Stdin::Plain(holdpoint_guest::Input::File(file)) => {
            file.known().is_some_and(|name| ENDLESS_FILES.contains(&name))
        }
        Stdin::Plain(_) | Stdin::Delegates(_) => false,
    }
}

fn is_background(end: shuck_ast::StmtTerminator) -> bool {
    matches!(end, shuck_ast::StmtTerminator::Background(_))
}

/// Whether a time to sleep is at least a second, as far as the text shows.
fn is_some_time(time: &str) -> bool {
    time == "infinity" || time.trim_end_matches(['s', 'm', 'h', 'd']).parse::<f64>().is_ok_and(|time| time >= 1.0)
}

#[cfg(test)]
mod tests;
