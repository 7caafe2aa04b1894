//! Splits the words of a command into options, values and operands, the way getopt_long does with the program's table.
//!
//! It must never guess an option: a word that the table does not explain becomes a doubt.
//!
//! A pattern may expand to a file name that starts with a dash, and whoever made the file chose the option. If an option
//! of the program leaves the folder (runs code, reaches another machine, takes settings from elsewhere), that is a doubt.
//! If its options only change files, a name has no slash to lead out of the folder the pattern is expanded in, so the
//! finding holds as long as the caller ends the options: an obligation. A pattern with a slash of its own has a value with
//! a slash, and is a doubt again.

use holdpoint_guest::{Doubt, Reason, WordKind};

use crate::abbreviation::resolve_long;
use crate::table::{Danger, Digits, Opt, Order, Program, Response, Role, Tag, Takes, Yields};
use crate::words::{Arg, GLOB_SIGNS};

/// Letters of an option with one dash that are tried within a cluster; the longest in the tables has fewer.
const CLUSTERED_LETTERS_MAX: usize = 24;

/// Ways to treat folders that do not go down into them.
const STAYS_ABOVE: &[&str] = &["read", "skip"];

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
    /// Whether a pattern may expand to a file name that the program would take for an option that does harm.
    pub(crate) names_may_be_options: bool,
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
        self.items.iter().any(|item| match item {
            Item::Option { option: Opt { role: Role::Folders, .. }, value: Some(value), .. } => {
                !value.known().is_some_and(|value| STAYS_ABOVE.contains(&value))
            }
            Item::Option { option, .. } => is_recursive(option),
            Item::Plus(_) | Item::Operand(_) => false,
        })
    }

    fn doubt(&mut self, reason: Reason, arg: Arg<'a>) {
        self.doubts.push(Doubt { reason, origin: arg.span });
    }
}

/// Reads the words after the program's name.
pub(crate) fn walk<'a>(program: &'static Program, args: &[Arg<'a>]) -> Walked<'a> {
    let mut walker = Walker { program, args, next: 0, unsure: None, mode_yields: false, out: Walked::default() };
    let mut options_end = false;
    walker.response_files();
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

/// What a name that a pattern expands to can do as an option.
enum NameDanger {
    None,
    /// It changes files of the folder that the name stands in.
    SameFolder,
    Anywhere,
}

/// What the worst name that `pattern` may expand to does as an option of `program`.
fn name_danger(program: &Program, pattern: &str) -> NameDanger {
    if program.danger == Danger::Harmless && !program.changes_operands() {
        return NameDanger::None;
    }
    let is_short = |option: &Opt| !option.name.starts_with("--");
    let attaches = program.options.iter().any(|option| is_short(option) && option.takes != Takes::Nothing);
    let fixed = pattern.rsplit(GLOB_SIGNS).next().unwrap_or_default();
    // Without a value, an option ends as the names of options do.
    let ends_as_name = fixed.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-');
    let acts = |option: &&Opt| option.danger > Danger::Harmless || (is_recursive(option) && program.changes_operands());
    let reachable = |option: &&Opt| ends_as_name || option.takes != Takes::Nothing || (is_short(option) && attaches);
    let worst = program.options.iter().filter(acts).filter(reachable).map(|option| option.danger).max();
    match worst {
        None => NameDanger::None,
        Some(Danger::Leaves) => NameDanger::Anywhere,
        Some(Danger::Writes) if pattern.contains('/') => NameDanger::Anywhere,
        Some(Danger::Harmless | Danger::Writes) => NameDanger::SameFolder,
    }
}

/// Whether the usual meaning may come back beside a mode and take the place of it.
fn can_be_taken_back(yields: Yields) -> bool {
    match yields {
        Yields::Never | Yields::Always => false,
        Yields::After | Yields::Any | Yields::Beside => true,
    }
}

fn is_recursive(option: &Opt) -> bool {
    matches!(option.role, Role::Recursive)
}

struct Walker<'s, 'a> {
    program: &'static Program,
    args: &'s [Arg<'a>],
    next: usize,
    /// The last word that may turn out to be an option.
    unsure: Option<Arg<'a>>,
    /// Whether a mode was chosen that a later option can take back.
    mode_yields: bool,
    out: Walked<'a>,
}

impl<'a> Walker<'_, 'a> {
    fn take(&mut self) -> Option<Arg<'a>> {
        let arg = self.args.get(self.next).copied()?;
        self.next = self.next.saturating_add(1);
        Some(arg)
    }

    /// Words that name files of options, wherever they stand: such a file is read before anything else.
    fn response_files(&mut self) {
        let args = self.args;
        match self.program.response {
            Response::No => {}
            Response::Files => {
                for arg in args.iter().filter(|arg| arg.text.starts_with('@')) {
                    self.out.doubt(Reason::UnsupportedSyntax, *arg);
                }
            }
        }
    }

    /// A word that may turn out to be an option of a program whose options can do harm.
    fn uncertain(&mut self, arg: Arg<'a>) {
        self.unsure = Some(arg);
        let worst = match arg.kind {
            WordKind::Exact => NameDanger::None,
            WordKind::Dynamic if self.program.danger == Danger::Harmless && !self.mode_yields => NameDanger::None,
            WordKind::Dynamic => NameDanger::Anywhere,
            WordKind::Glob => match name_danger(self.program, arg.text) {
                NameDanger::None if self.mode_yields => NameDanger::SameFolder,
                danger => danger,
            },
        };
        match worst {
            NameDanger::None => {}
            NameDanger::SameFolder => self.out.names_may_be_options = true,
            NameDanger::Anywhere => self.out.doubt(Reason::DynamicWord, arg),
        }
    }

    fn option(&mut self, option: &'static Opt, value: Option<Arg<'a>>, at: Arg<'a>) {
        // An option that makes the command do less counts only if no earlier word can take it for a value or end the
        // options before it.
        if let Some(word) = self.unsure.filter(|_| soothes(option) && self.program.changes()) {
            self.out.doubt(Reason::DynamicWord, word);
        }
        if let Role::Mode(index) = option.role {
            self.mode_yields |= self.program.modes.get(index).is_some_and(|mode| can_be_taken_back(mode.yields));
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
            (Takes::Required | Takes::Next, None) => self.separate_value(option, arg),
            (Takes::List, None) => self.list(option, arg),
            (Takes::Nothing | Takes::Required | Takes::Optional | Takes::Next | Takes::List, value) => {
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

    /// The values of `option` are the next words, up to an option or `@`.
    fn list(&mut self, option: &'static Opt, at: Arg<'a>) {
        let mut sure = true;
        let is_option = |arg: &Arg<'_>| arg.text.starts_with('-') && arg.text.len() > 1;
        while let Some(value) = self.args.get(self.next).copied().filter(|arg| !is_option(arg)) {
            self.next = self.next.saturating_add(1);
            if sure && value.known() == Some("@") {
                return;
            }
            self.option(option, Some(value), at);
            if value.may_be_option() {
                self.uncertain(value);
            }
            // An uncertain word may be what ends the list, so it and what follows may be operands.
            sure &= !value.is_uncertain();
            if !sure {
                self.out.items.push(Item::Operand(value));
            }
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
        let mut at = 1_usize;
        while let Some(letter) = arg.text.get(at..).and_then(|rest| rest.chars().next()) {
            if arg.kind == WordKind::Glob && matches!(letter, '*' | '?' | '[' | '\\' | '(') {
                return self.out.doubt(Reason::DynamicWord, arg);
            }
            let Some(option) = self.clustered(arg.text, at) else {
                if self.program.digits == Digits::Number && letter.is_ascii_digit() {
                    at = at.saturating_add(1);
                    continue;
                }
                return self.out.doubt(Reason::UnknownOption, arg);
            };
            at = at.saturating_add(option.name.len()).saturating_sub(1);
            let end = at;
            match (option.takes, at < arg.text.len()) {
                (Takes::Nothing, _) => self.option(option, None, arg),
                (Takes::Optional, false) => {
                    return self.option(option, None, arg);
                }
                (Takes::Required, false) => return self.separate_value(option, arg),
                (Takes::List, false) => return self.list(option, arg),
                (Takes::Next, _) if arg.text.get(end..).is_some_and(|rest| rest.starts_with('=')) => {
                    return self.option(option, Some(arg.tail(end.saturating_add(1))), arg);
                }
                (Takes::Next, _) => self.separate_value(option, arg),
                (Takes::Required | Takes::Optional | Takes::List, true) => {
                    return self.option(option, Some(arg.tail(end)), arg);
                }
            }
        }
    }

    fn single_dash_long(&mut self, option: &'static Opt, arg: Arg<'a>) {
        let value = arg.text.find('=').map(|at| arg.tail(at.saturating_add(1)));
        match (option.takes, value) {
            (Takes::Nothing, Some(_)) => self.out.doubt(Reason::MalformedArgument, arg),
            (Takes::Required | Takes::Next, None) => self.separate_value(option, arg),
            (Takes::List, None) => self.list(option, arg),
            (Takes::Nothing | Takes::Required | Takes::Optional | Takes::Next | Takes::List, value) => {
                self.option(option, value, arg);
            }
        }
    }

    /// The longest option that stands at byte `at` of a cluster.
    fn clustered(&self, text: &str, at: usize) -> Option<&'static Opt> {
        let rest = text.get(at..)?;
        let ends = rest.char_indices().map(|(at, letter)| at.saturating_add(letter.len_utf8()));
        let ends: Vec<usize> = ends.take(CLUSTERED_LETTERS_MAX).collect();
        // A dash within a cluster starts no long option.
        let longest = if rest.starts_with('-') { 1 } else { ends.len() };
        let mut name = String::from("-");
        ends.iter().take(longest).rev().find_map(|end| {
            name.truncate(1);
            name.push_str(rest.get(..*end)?);
            self.program.option(&name)
        })
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
            (Takes::Required | Takes::Next, false) => self.separate_value(option, arg),
            (Takes::List, false) => self.list(option, arg),
            (Takes::Required | Takes::Optional | Takes::Next | Takes::List, true) => {
                let value = Some(arg.tail(plus_name(arg).len()));
                self.option(option, value, arg);
            }
        }
    }
}

/// Whether an option can make a command do less than it would without.
fn soothes(option: &Opt) -> bool {
    match option.role {
        Role::Mode(_) => true,
        Role::Tag(tag) => matches!(tag, Tag::DryRun | Tag::ShowArchive | Tag::Signal | Tag::Stdout),
        Role::Flag
        | Role::Recursive
        | Role::Text
        | Role::Act(_)
        | Role::ExecShell
        | Role::ExecProgram
        | Role::ExecOnFiles
        | Role::Folders
        | Role::ListFile
        | Role::HostsFile
        | Role::Display
        | Role::Operate
        | Role::ModeBits
        | Role::Prefix
        | Role::Stem
        | Role::Neighbours
        | Role::NamePart
        | Role::Account => false,
    }
}
