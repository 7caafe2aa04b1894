//! Reads values out of a tree and collects everything that is wrong.

use crate::config::nearest;
use crate::config::problem::Problem;
use crate::config::text::{Text, quoted};
use crate::config::tree::{Held, Key, Node};
use crate::config::{PROBLEMS_MAX, Sourced};
use holdpoint_core::words::Word;
use std::ops::Range;

/// Reads one file.
pub(crate) struct Reader<'a> {
    pub(crate) text: &'a Text,
    pub(crate) problems: Vec<Problem>,
}

impl<'a> Reader<'a> {
    /// Notes that something is wrong.
    pub(crate) fn wrong(&mut self, at: &Range<usize>, what: impl Into<String>, help: impl Into<String>) {
        if self.problems.len() < PROBLEMS_MAX {
            self.problems.push(self.text.problem(at, what.into(), help.into()));
        }
    }

    /// Where something stands, as `FILE:LINE`.
    pub(crate) fn source(&self, at: &Range<usize>) -> String {
        self.text.source(at)
    }

    /// A value with where it stands.
    pub(crate) fn sourced<T>(&self, node: &Node, value: T) -> Sourced<T> {
        Sourced { value, source: self.source(&node.at) }
    }

    /// The members of a table.
    pub(crate) fn members<'n>(&mut self, node: &'n Node, name: &str) -> &'n [(Key, Node)] {
        match &node.value {
            Held::Table(members) => members,
            Held::Text(_) | Held::Number(_) | Held::List(_) | Held::Other(_) => {
                self.wrong(&node.at, format!("`{name}` is {}, not a table", node.kind()), "write its members");
                &[]
            }
        }
    }

    /// Notes that a key is not known.
    pub(crate) fn unknown(&mut self, key: &Key, known: &[&str]) {
        self.wrong(&key.at, format!("there is no key {}", quoted(&key.name)), nearest::help(&key.name, known));
    }

    /// The entries of a list, not more than a bound.
    pub(crate) fn list<'n>(&mut self, node: &'n Node, name: &str, most: usize) -> &'n [Node] {
        let Held::List(entries) = &node.value else {
            self.wrong(&node.at, format!("`{name}` is {}, not a list", node.kind()), "write `[…]`");
            return &[];
        };
        if let Some(over) = entries.get(most) {
            self.wrong(&over.at, format!("`{name}` has over {most} entries"), format!("{most} is the most"));
        }
        entries.get(..most).unwrap_or(entries)
    }

    /// A text.
    pub(crate) fn string<'n>(&mut self, node: &'n Node, name: &str) -> Option<&'n str> {
        match &node.value {
            Held::Text(text) => Some(text),
            Held::Number(_) | Held::List(_) | Held::Table(_) | Held::Other(_) => {
                self.wrong(&node.at, format!("`{name}` is {}, not a text", node.kind()), "write it in quotes");
                None
            }
        }
    }

    /// One of some words.
    pub(crate) fn one_of(&mut self, node: &Node, name: &str, known: &[&str]) -> Option<String> {
        let text = self.string(node, name)?;
        if known.contains(&text) {
            return Some(text.to_owned());
        }
        self.wrong(&node.at, format!("there is no {name} {}", quoted(text)), nearest::help(text, known));
        None
    }

    /// A word of one of the core's lists.
    pub(crate) fn word<T: Word>(&mut self, node: &Node, name: &str) -> Option<T> {
        let known: Vec<&str> = T::ALL.iter().map(|word| word.as_str()).collect();
        T::from_word(&self.one_of(node, name, &known)?)
    }
}
