//! find: starting points, then an expression whose actions run programs, write files and delete.
//!
//! It must never skip a predicate it does not know: what follows could be an action.

mod predicates;

use holdpoint_guest::{Finding, Reason, Span, Word, WordKind, WorkingDir};

use crate::Call;
use crate::copy;
use crate::report::{Report, Spread};
use crate::table::{ACT_DELETE, ACT_LIST_TREE, ACT_READ, ACT_STAT, ACT_WRITE, Program, Role};
use crate::walk::{Item, walk};
use crate::words::{Arg, escape_glob, whole_folder};

use predicates::{LEADING, PLAIN, RUNS, WITH_FILE, WITH_TEXT, WRITES, WRITES_FORMAT, may_match, may_match_action};

/// Reads the command.
pub(crate) fn classify(call: &Call<'_>) -> Finding {
    let mut reader = Reader { report: call.report(), args: &call.args, next: 0, starts: Vec::new(), narrow: None };
    reader.leading();
    reader.starting_points();
    let effects = reader.expression();
    if reader.starts.is_empty() {
        reader.starts.push(Arg { text: ".", kind: WordKind::Exact, span: call.own_span });
    }
    reader.effects(effects);
    reader.report.finish()
}

/// What an expression does, in order, with the `-name` pattern that surely holds at that point.
enum Effect<'a> {
    Delete { at: Span, narrow: Option<Arg<'a>> },
    Run { action: &'a str, at: Span, command: Vec<Arg<'a>>, runs: Runs, narrow: Option<Arg<'a>> },
}

/// How often a command runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Runs {
    /// With all files at once.
    Once,
    /// Once for each file.
    ForEach,
}

struct Reader<'c, 'a> {
    report: Report,
    args: &'c [Arg<'a>],
    next: usize,
    starts: Vec<Arg<'a>>,
    /// The `-name` pattern that surely holds where the reader stands.
    narrow: Option<Arg<'a>>,
}

impl<'a> Reader<'_, 'a> {
    fn peek(&self) -> Option<Arg<'a>> {
        self.args.get(self.next).copied()
    }

    fn take(&mut self) -> Option<Arg<'a>> {
        let arg = self.peek()?;
        self.next = self.next.saturating_add(1);
        // There is no `--` in an expression: any word may turn out to be an action.
        if arg.kind == WordKind::Dynamic || (arg.kind == WordKind::Glob && may_match_action(arg.text)) {
            self.report.doubt(Reason::DynamicWord, arg.span);
        }
        Some(arg)
    }

    fn leading(&mut self) {
        while let Some(arg) = self.peek() {
            let Some(text) = arg.known() else { return };
            if LEADING.contains(&text) || text.strip_prefix("-O").is_some_and(|level| level.len() == 1) {
                self.take();
            } else if text == "-D" {
                self.take();
                self.take();
            } else {
                return;
            }
        }
    }

    fn starting_points(&mut self) {
        while let Some(arg) = self.peek() {
            let starts_expression = arg.text.starts_with(['-', '(', ')', ',', '!']) && arg.kind != WordKind::Dynamic;
            if starts_expression {
                return;
            }
            self.take();
            self.starts.push(arg);
        }
    }

    fn expression(&mut self) -> Vec<Effect<'a>> {
        let mut said = Vec::new();
        let mut depth = 0_usize;
        let mut negated = false;
        while let Some(arg) = self.take() {
            let text = match arg.known() {
                Some(text) => text,
                // A pattern that starts with a dash could match a predicate.
                None => {
                    self.report.doubt(Reason::DynamicWord, arg.span);
                    continue;
                }
            };
            match text {
                "(" => depth = depth.saturating_add(1),
                ")" => depth = depth.saturating_sub(1),
                "!" | "-not" => {
                    negated = true;
                    continue;
                }
                "-a" | "-and" => {}
                "-o" | "-or" | "," => self.narrow = None,
                "-name" if depth == 0 && !negated => {
                    self.narrow = self.take().filter(|pattern| !pattern.text.contains('/'));
                }
                _ => self.predicate(text, arg, &mut said),
            }
            negated = false;
        }
        said
    }

    fn predicate(&mut self, text: &'a str, arg: Arg<'a>, said: &mut Vec<Effect<'a>>) {
        if WITH_TEXT.contains(&text) {
            self.value(arg);
        } else if WITH_FILE.contains(&text) || text.strip_prefix("-newer").is_some_and(|pair| pair.len() == 2) {
            if let Some(value) = self.value(arg)
                && !text.ends_with('t')
            {
                self.report.act(&ACT_STAT, value, Spread::Single);
            }
        } else if WRITES.contains(&text) || text == WRITES_FORMAT {
            if let Some(value) = self.value(arg) {
                self.report.act(&ACT_WRITE, value, Spread::Single);
            }
            if text == WRITES_FORMAT {
                self.value(arg);
            }
        } else if text == "-files0-from" {
            if let Some(value) = self.value(arg) {
                self.report.act(&ACT_READ, value, Spread::Single);
            }
            self.starts.push(Arg { text: "", kind: WordKind::Dynamic, span: arg.span });
        } else if text == "-delete" {
            said.push(Effect::Delete { at: arg.span, narrow: self.narrow });
        } else if RUNS.contains(&text) {
            let (command, runs) = self.command(arg);
            said.push(Effect::Run { action: text, at: arg.span, command, runs, narrow: self.narrow });
        } else if !PLAIN.contains(&text) {
            self.report.doubt(Reason::UnknownOption, arg.span);
        }
    }

    fn value(&mut self, option: Arg<'a>) -> Option<Arg<'a>> {
        let value = self.take();
        if value.is_none() {
            self.report.doubt(Reason::MalformedArgument, option.span);
        }
        value
    }

    /// The words up to `;`, or up to a `+` that follows `{}`.
    fn command(&mut self, action: Arg<'a>) -> (Vec<Arg<'a>>, Runs) {
        let mut command: Vec<Arg<'a>> = Vec::new();
        while let Some(arg) = self.peek() {
            self.next = self.next.saturating_add(1);
            let after_braces = command.last().is_some_and(|last| last.known() == Some("{}"));
            match arg.known() {
                Some(";") => return (command, Runs::ForEach),
                Some("+") if after_braces => return (command, Runs::Once),
                Some(_) => command.push(arg),
                // It may hold the end of the command and further actions.
                None => {
                    if arg.kind == WordKind::Dynamic || arg.may_be_option() {
                        self.report.doubt(Reason::DynamicWord, arg.span);
                    }
                    command.push(arg);
                }
            }
        }
        self.report.doubt(Reason::MalformedArgument, action.span);
        (command, Runs::ForEach)
    }

    fn effects(&mut self, said: Vec<Effect<'a>>) {
        for start in &self.starts {
            self.report.act(&ACT_LIST_TREE, *start, Spread::Tree);
        }
        for effect in said {
            match effect {
                Effect::Delete { at, narrow } => self.delete(at, narrow),
                Effect::Run { action, at, command, runs, narrow } => {
                    self.lost(at, &command, runs, narrow);
                    self.run(action, at, &command, narrow);
                }
            }
        }
    }

    /// Only a name narrows what is deleted: other tests may hold for everything.
    fn delete(&mut self, at: Span, narrow: Option<Arg<'a>>) {
        for start in &self.starts {
            if narrow.is_none() {
                self.report.act(&ACT_DELETE, Arg { span: at, ..*start }, Spread::Tree);
                continue;
            }
            for word in all_found(*start, narrow, at) {
                self.report.act(&ACT_DELETE, Arg { text: &word.text, kind: word.kind, span: at }, Spread::Single);
            }
        }
    }

    /// Files that take the same name one after the other: only the last is left.
    fn lost(&mut self, at: Span, command: &[Arg<'a>], runs: Runs, narrow: Option<Arg<'a>>) {
        if runs == Runs::Once || !copy::moves_onto_one_name(command) {
            return;
        }
        for word in self.starts.iter().flat_map(|start| all_found(*start, narrow, at)) {
            self.report.act(&ACT_DELETE, Arg { text: &word.text, kind: word.kind, span: at }, Spread::Tree);
        }
    }

    fn run(&mut self, action: &str, at: Span, command: &[Arg<'a>], narrow: Option<Arg<'a>>) {
        if command.is_empty() {
            return self.report.doubt(Reason::MalformedArgument, at);
        }
        let mut argv = Vec::new();
        for arg in command {
            if arg.text == "{}" {
                argv.extend(self.starts.iter().flat_map(|start| all_found(*start, narrow, arg.span)));
            } else if arg.text.contains("{}") || arg.kind == WordKind::Dynamic {
                argv.push(Word::dynamic(arg.text, arg.span));
            } else {
                argv.push(Word { kind: arg.kind, text: arg.text.to_owned(), origin: arg.span });
            }
        }
        let in_folder = matches!(action, "-execdir" | "-okdir");
        let cwd = if in_folder && !names_only_the_file(command) { WorkingDir::Unknown } else { WorkingDir::Same };
        self.report.invoke(argv, cwd, at);
    }
}

/// The files below a starting point, and the point itself where it may have the name.
fn all_found(start: Arg<'_>, narrow: Option<Arg<'_>>, origin: Span) -> Vec<Word> {
    let below = found(start, narrow, origin);
    let own_name = start.text.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let is_named = narrow.and_then(|pattern| pattern.known()).is_some_and(|pattern| may_match(pattern, own_name));
    // A pattern for everything below takes the starting point with it.
    let apart = is_named && start.kind == WordKind::Exact && whole_folder(&below.text).is_none();
    let itself = apart.then(|| Word::exact(start.text, origin));
    [Some(below), itself].into_iter().flatten().collect()
}

/// The files below a starting point, as a pattern.
fn found(start: Arg<'_>, narrow: Option<Arg<'_>>, origin: Span) -> Word {
    let folder = match start.kind {
        WordKind::Exact => escape_glob(start.text),
        WordKind::Glob => start.text.to_owned(),
        WordKind::Dynamic => return Word::dynamic("{}", origin),
    };
    let folder = folder.trim_end_matches('/');
    let below = match narrow.and_then(|pattern| pattern.known()) {
        Some(pattern) if !pattern.is_empty() && whole_folder(pattern).is_none() => {
            format!("{folder}/**/{}", hidden_too(pattern))
        }
        Some(_) | None => format!("{folder}/**"),
    };
    Word { kind: WordKind::Glob, text: below, origin }
}

/// Whether a command run in the folder of each file names nothing but that file, so that its folder does not matter.
fn names_only_the_file(command: &[Arg<'_>]) -> bool {
    let Some((program, args)) = command.split_first() else {
        return false;
    };
    let Some(program) = program.known().and_then(Program::named) else {
        return false;
    };
    let walked = walk(program, args);
    walked.doubts.is_empty()
        && walked.items.iter().all(|item| match item {
            Item::Option { option, .. } => matches!(option.role, Role::Flag | Role::Recursive),
            Item::Operand(arg) => arg.text == "{}",
            Item::Plus(_) => false,
        })
}

/// A pattern as `find` reads it, which fits hidden names as well; the contract writes two stars in front for that.
fn hidden_too(pattern: &str) -> String {
    match pattern.chars().next() {
        Some('*') => format!("*{pattern}"),
        Some('?') => format!("**{}", pattern.get(1..).unwrap_or("")),
        Some('[') => format!("**{}", pattern.rsplit_once(']').map_or("", |(_, rest)| rest)),
        Some(_) | None => pattern.to_owned(),
    }
}
