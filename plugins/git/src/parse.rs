//! Splits the words of a command into options, values and operands, the way git's own reader does with the command's
//! table. It must never guess an option: a word that the table does not explain becomes a doubt.

use holdpoint_guest::{Doubt, Reason, WordKind};

use crate::table::{Command, Mark, Opt, Order, Role, Takes};
use crate::words::Arg;

/// An option that was given.
#[derive(Clone, Copy)]
pub(crate) struct Given<'a> {
    pub(crate) option: &'static Opt,
    pub(crate) value: Option<Arg<'a>>,
    /// The word it stands in.
    pub(crate) at: Arg<'a>,
}

/// Whether a pattern may expand to a name that git takes for an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Names {
    #[default]
    Plain,
    MayBeOptions,
}

/// The words of a command, told apart.
#[derive(Default)]
pub(crate) struct Words<'a> {
    pub(crate) given: Vec<Given<'a>>,
    pub(crate) operands: Vec<Arg<'a>>,
    /// How many operands stand before `--`; `None` without one.
    pub(crate) before_dashes: Option<usize>,
    pub(crate) doubts: Vec<Doubt>,
    pub(crate) names: Names,
}

impl<'a> Words<'a> {
    /// Whether an option with this mark was given.
    pub(crate) fn has(&self, mark: Mark) -> bool {
        self.given.iter().any(|given| matches!(given.option.role, Role::Mark(own) if own == mark))
    }

    /// The value of the last option with this mark.
    pub(crate) fn value(&self, mark: Mark) -> Option<Arg<'a>> {
        let marked = |given: &&Given<'a>| matches!(given.option.role, Role::Mark(own) if own == mark);
        self.given.iter().rev().find(marked).and_then(|given| given.value)
    }

    fn doubt(&mut self, reason: Reason, arg: Arg<'a>) {
        self.doubts.push(Doubt { reason, origin: arg.span });
    }
}

/// Reads the words after a command's name.
pub(crate) fn parse<'a>(command: &'static Command, args: &[Arg<'a>]) -> Words<'a> {
    let mut reader = Reader { command, args, next: 0, out: Words::default() };
    while let Some(arg) = reader.take() {
        let strict = command.order == Order::Strict && !reader.out.operands.is_empty();
        if reader.out.before_dashes.is_some() || strict {
            reader.out.operands.push(arg);
        } else if arg.may_be_option() {
            reader.uncertain(arg);
        } else if arg.known() == Some("--") {
            reader.out.before_dashes = Some(reader.out.operands.len());
        } else if arg.text.starts_with("--") {
            reader.long(arg);
        } else if arg.text.starts_with('-') && arg.text.len() > 1 {
            reader.short(arg);
        } else {
            reader.out.operands.push(arg);
        }
    }
    reader.out
}

struct Reader<'w, 'a> {
    command: &'static Command,
    args: &'w [Arg<'a>],
    next: usize,
    out: Words<'a>,
}

impl<'a> Reader<'_, 'a> {
    fn take(&mut self) -> Option<Arg<'a>> {
        let arg = self.args.get(self.next).copied();
        self.next = self.next.saturating_add(1);
        arg
    }

    /// A pattern has no option with a slash in it that it does not show; of an expansion nothing is known.
    fn uncertain(&mut self, arg: Arg<'a>) {
        match arg.kind {
            WordKind::Glob if !arg.text.contains('/') => self.out.names = Names::MayBeOptions,
            WordKind::Exact | WordKind::Glob | WordKind::Dynamic => self.out.doubt(Reason::DynamicWord, arg),
        }
        self.out.operands.push(arg);
    }

    fn long(&mut self, arg: Arg<'a>) {
        let (name, attached) = match arg.text.split_once('=') {
            Some((name, _)) => (name, Some(arg.tail(name.len().saturating_add(1)))),
            None => (arg.text, None),
        };
        // A pattern may be another name; only what stands behind the sign is a value.
        if arg.kind != WordKind::Exact && attached.is_none() {
            return self.out.doubt(Reason::DynamicWord, arg);
        }
        match self.command.long(name) {
            Some(option) if option.takes == Takes::Nothing && attached.is_some() => {
                self.out.doubt(Reason::MalformedArgument, arg);
            }
            Some(option) => self.give(option, attached, arg),
            None => self.out.doubt(Reason::UnknownOption, arg),
        }
    }

    fn short(&mut self, arg: Arg<'a>) {
        let digits = arg.text.trim_start_matches('-');
        if let Some(option) = self.command.option("-#").filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit())) {
            return self.give(option, Some(arg.tail(1)), arg);
        }
        for (at, letter) in arg.text.char_indices().skip(1) {
            let Some(option) = self.command.option(&format!("-{letter}")) else {
                return self.out.doubt(Reason::UnknownOption, arg);
            };
            let rest = at.saturating_add(letter.len_utf8());
            let attached = (rest < arg.text.len()).then(|| arg.tail(rest));
            if option.takes != Takes::Nothing {
                return self.give(option, attached, arg);
            }
            if arg.kind != WordKind::Exact {
                return self.out.doubt(Reason::DynamicWord, arg);
            }
            self.give(option, None, arg);
        }
    }

    fn give(&mut self, option: &'static Opt, attached: Option<Arg<'a>>, at: Arg<'a>) {
        let value = match (option.takes, attached) {
            (Takes::Required, None) => {
                let next = self.take();
                // Several words, or none, leave open what the next words are.
                if next.is_none_or(|next| next.kind != WordKind::Exact) {
                    self.out.doubt(Reason::DynamicWord, at);
                }
                next
            }
            (Takes::Nothing | Takes::Required | Takes::Optional, attached) => attached,
        };
        match option.role {
            Role::Unjudged => self.out.doubt(Reason::UnknownOption, at),
            Role::Harmless | Role::Text | Role::Rev | Role::Far | Role::Pair | Role::Strategy => {}
            Role::Shell | Role::Helper | Role::Act(_) | Role::Mode(_) | Role::Mark(_) => {}
        }
        self.out.given.push(Given { option, value, at });
    }
}
