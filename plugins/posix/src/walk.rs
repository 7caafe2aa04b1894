//! Splits the words of a command into options, values and operands, the way getopt_long does with the program's table.
//!
//! It must never guess an option: a word that the table does not explain becomes a doubt.

use holdpoint_guest::{Doubt, Reason, WordKind};

use crate::table::{Danger, Digits, Opt, Order, Program, Role, Tag, Takes};
use crate::words::Arg;

/// One thing the words said, in their order.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Item<'a> {
    /// An option; `value` is its argument, and `at` the place of its name.
    Option { option: &'static Opt, value: Option<Arg<'a>>, at: Arg<'a> },
    /// A word that starts with `+` where the program gives that a meaning.
    Plus(Arg<'a>),
    /// Anything else.
    Operand(Arg<'a>),
}

/// What a walk found.
#[derive(Default)]
pub(crate) struct Walked<'a> {
    pub(crate) items: Vec<Item<'a>>,
    pub(crate) doubts: Vec<Doubt>,
}

impl<'a> Walked<'a> {
    /// The operands, in order.
    pub(crate) fn operands(&self) -> Vec<Arg<'a>> {
        let operand = |item: &Item<'a>| match item {
            Item::Operand(arg) => Some(*arg),
            Item::Option { .. } | Item::Plus(_) => None,
        };
        self.items.iter().filter_map(operand).collect()
    }

    /// Whether one of these options was given.
    pub(crate) fn has_any(&self, names: &[&str]) -> bool {
        self.items.iter().any(|item| match item {
            Item::Option { option, .. } => names.contains(&option.name),
            Item::Plus(_) | Item::Operand(_) => false,
        })
    }

    /// Whether an option makes the operands stand for everything below them.
    pub(crate) fn is_recursive(&self) -> bool {
        self.items.iter().any(|item| matches!(item, Item::Option { option: Opt { role: Role::Recursive, .. }, .. }))
    }

    fn doubt(&mut self, reason: Reason, arg: Arg<'a>) {
        self.doubts.push(Doubt { reason, origin: arg.span });
    }
}

/// Reads the words after the program's name.
pub(crate) fn walk<'a>(program: &'static Program, args: &[Arg<'a>]) -> Walked<'a> {
    let mut walker = Walker { program, args, next: 0, unsure: None, out: Walked::default() };
    let mut options_end = false;
    while let Some(arg) = walker.take() {
        if options_end {
            walker.out.items.push(Item::Operand(arg));
            continue;
        }
        if arg.may_be_option() {
            walker.uncertain(arg);
            walker.out.items.push(Item::Operand(arg));
        } else if arg.text == "--" && arg.kind == WordKind::Exact {
            options_end = true;
        } else if arg.text.starts_with("--") {
            walker.long(arg);
        } else if arg.text.starts_with('-') && arg.text.len() > 1 {
            walker.short(arg);
        } else if arg.text.starts_with('+') && (program.plus.is_some() || program.option(plus_name(arg)).is_some()) {
            walker.plus(arg);
        } else {
            walker.out.items.push(Item::Operand(arg));
            options_end = program.order == Order::Strict;
        }
    }
    walker.out
}

/// The first two characters of a word such as `+D`, which some programs use as an option.
fn plus_name(arg: Arg<'_>) -> &str {
    arg.text.char_indices().nth(2).map_or(arg.text, |(at, _)| arg.text.split_at(at).0)
}

struct Walker<'s, 'a> {
    program: &'static Program,
    args: &'s [Arg<'a>],
    next: usize,
    /// The last word that may turn out to be an option.
    unsure: Option<Arg<'a>>,
    out: Walked<'a>,
}

impl<'a> Walker<'_, 'a> {
    fn take(&mut self) -> Option<Arg<'a>> {
        let arg = self.args.get(self.next).copied()?;
        self.next = self.next.saturating_add(1);
        Some(arg)
    }

    /// A word that may turn out to be an option of a program whose options can do harm.
    fn uncertain(&mut self, arg: Arg<'a>) {
        self.unsure = Some(arg);
        match self.program.danger {
            Danger::Risky => self.out.doubt(Reason::DynamicWord, arg),
            Danger::Harmless => {}
        }
    }

    fn option(&mut self, option: &'static Opt, value: Option<Arg<'a>>, at: Arg<'a>) {
        // An option that makes the command do less counts only if no earlier word can take it for a value or end the
        // options before it.
        if let Some(word) = self.unsure.filter(|_| soothes(option) && self.program.changes()) {
            self.out.doubt(Reason::DynamicWord, word);
        }
        self.out.items.push(Item::Option { option, value, at });
    }

    fn long(&mut self, arg: Arg<'a>) {
        let (name, value) = match arg.text.find('=') {
            Some(at) => (arg.text.split_at(at).0, Some(arg.tail(at.saturating_add(1)))),
            None => (arg.text, None),
        };
        if arg.kind == WordKind::Glob && name.contains(['*', '?', '[', '\\', '(']) {
            return self.out.doubt(Reason::DynamicWord, arg);
        }
        let Some(option) = resolve_long(self.program, name) else {
            return self.out.doubt(Reason::UnknownOption, arg);
        };
        match (option.takes, value) {
            (Takes::Nothing, Some(_)) => self.out.doubt(Reason::MalformedArgument, arg),
            (Takes::Required, None) => self.separate_value(option, arg),
            (Takes::Nothing | Takes::Required | Takes::Optional, value) => {
                self.option(option, value, arg);
            }
        }
    }

    /// The value of `option` is the next word, if there is one.
    fn separate_value(&mut self, option: &'static Opt, at: Arg<'a>) {
        let Some(value) = self.take() else {
            return self.out.doubt(Reason::MalformedArgument, at);
        };
        self.option(option, Some(value), at);
        // An uncertain word may be several words, of which only the first is the value.
        if value.may_be_option() {
            self.uncertain(value);
        }
        if value.is_uncertain() {
            self.out.items.push(Item::Operand(value));
        }
    }

    /// `-abc`, `-ovalue`, `-5`, or a long option with one dash.
    fn short(&mut self, arg: Arg<'a>) {
        let whole = arg.text.split_once('=').map_or(arg.text, |(name, _)| name);
        if whole.chars().count() > 2
            && let Some(option) = self.program.option(whole)
        {
            return self.single_dash_long(option, arg);
        }
        let mut letters = arg.text.char_indices().skip(1).peekable();
        while let Some((at, letter)) = letters.next() {
            let end = at.saturating_add(letter.len_utf8());
            if arg.kind == WordKind::Glob && matches!(letter, '*' | '?' | '[' | '\\' | '(') {
                return self.out.doubt(Reason::DynamicWord, arg);
            }
            let Some(option) = self.letter(letter) else {
                if self.program.digits == Digits::Number && letter.is_ascii_digit() {
                    continue;
                }
                return self.out.doubt(Reason::UnknownOption, arg);
            };
            match (option.takes, letters.peek().is_some()) {
                (Takes::Nothing, _) => self.option(option, None, arg),
                (Takes::Optional, false) => {
                    return self.option(option, None, arg);
                }
                (Takes::Required, false) => return self.separate_value(option, arg),
                (Takes::Required | Takes::Optional, true) => {
                    return self.option(option, Some(arg.tail(end)), arg);
                }
            }
        }
    }

    fn single_dash_long(&mut self, option: &'static Opt, arg: Arg<'a>) {
        let value = arg.text.find('=').map(|at| arg.tail(at.saturating_add(1)));
        match (option.takes, value) {
            (Takes::Nothing, Some(_)) => self.out.doubt(Reason::MalformedArgument, arg),
            (Takes::Required, None) => self.separate_value(option, arg),
            (Takes::Nothing | Takes::Required | Takes::Optional, value) => {
                self.option(option, value, arg);
            }
        }
    }

    fn letter(&self, letter: char) -> Option<&'static Opt> {
        let mut name = String::with_capacity(5);
        name.push('-');
        name.push(letter);
        self.program.option(&name)
    }

    fn plus(&mut self, arg: Arg<'a>) {
        let Some(option) = self.program.option(plus_name(arg)) else {
            return self.out.items.push(Item::Plus(arg));
        };
        let attached = arg.text.chars().count() > 2;
        match (option.takes, attached) {
            (Takes::Nothing, false) | (Takes::Optional, false) => {
                self.option(option, None, arg);
            }
            (Takes::Nothing, true) => self.out.doubt(Reason::UnknownOption, arg),
            (Takes::Required, false) => self.separate_value(option, arg),
            (Takes::Required | Takes::Optional, true) => {
                let value = Some(arg.tail(plus_name(arg).len()));
                self.option(option, value, arg);
            }
        }
    }
}

/// The option that getopt_long takes `name` for: an exact match, or the only one that starts so. Several that agree in
/// everything but their names count as one.
fn resolve_long(program: &'static Program, name: &str) -> Option<&'static Opt> {
    if let Some(option) = program.option(name) {
        return Some(option);
    }
    // Nothing but dashes starts every long option.
    if name.len() <= 2 {
        return None;
    }
    let start = program.options.partition_point(|option| option.name < name);
    let mut candidates = program.options.iter().skip(start).take_while(|option| option.name.starts_with(name));
    let first = candidates.next()?;
    candidates.all(|other| other.takes == first.takes && same_role(first.role, other.role)).then_some(first)
}

/// Whether an option can make a command do less than it would without.
fn soothes(option: &Opt) -> bool {
    match option.role {
        Role::Mode(_) => true,
        Role::Tag(tag) => matches!(tag, Tag::DryRun | Tag::ShowArchive | Tag::Signal | Tag::Stdout),
        Role::Flag | Role::Recursive | Role::Text | Role::Act(_) | Role::ExecShell | Role::ExecProgram => false,
    }
}

/// Whether two options mean the same, so that an abbreviation of both is clear.
fn same_role(one: Role, other: Role) -> bool {
    match (one, other) {
        (Role::Flag, Role::Flag) | (Role::Recursive, Role::Recursive) | (Role::Text, Role::Text) => true,
        (Role::Act(one), Role::Act(other)) => std::ptr::eq(one, other),
        (Role::Mode(one), Role::Mode(other)) => one == other,
        (Role::Tag(one), Role::Tag(other)) => one == other,
        // Programs to run are reported with the option's own place, which an abbreviation leaves open.
        (
            Role::Flag
            | Role::Recursive
            | Role::Text
            | Role::Act(_)
            | Role::ExecShell
            | Role::ExecProgram
            | Role::Mode(_)
            | Role::Tag(_),
            _,
        ) => false,
    }
}
