//! A document as keys and values with the place of each, whichever of its forms TOML was written in.

use crate::config::problem::Problem;
use crate::config::text::{Text, sentence};
use std::ops::Range;
use toml_edit::{Document, Item, TableLike, Value};

/// A value and its place.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) at: Range<usize>,
    pub(crate) value: Held,
}

/// A value.
#[derive(Clone, Debug)]
pub(crate) enum Held {
    Text(String),
    Number(i64),
    List(Vec<Node>),
    Table(Vec<(Key, Node)>),
    /// Something that no key takes, by what it is called.
    Other(&'static str),
}

/// A key and its place.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    pub(crate) at: Range<usize>,
    pub(crate) name: String,
}

impl Node {
    /// What it is called.
    pub(crate) fn kind(&self) -> &'static str {
        match &self.value {
            Held::Text(_) => "a text",
            Held::Number(_) => "a number",
            Held::List(_) => "a list",
            Held::Table(_) => "a table",
            Held::Other(kind) => kind,
        }
    }
}

/// Reads a document.
pub(crate) fn parse(text: &Text) -> Result<Node, Problem> {
    let document = Document::parse(text.body.as_str()).map_err(|error| {
        let at = error.span().unwrap_or(0..0);
        text.problem(&at, sentence(error.message()), "write TOML, as in https://toml.io".to_owned())
    })?;
    Ok(table(document.as_table(), 0..text.body.len()))
}

fn table(table: &dyn TableLike, at: Range<usize>) -> Node {
    let member = |(name, item): (&str, &Item)| {
        let key_at = table.key(name).and_then(toml_edit::Key::span).or_else(|| item.span()).unwrap_or(at.clone());
        let key = Key { at: key_at.clone(), name: name.to_owned() };
        (key, node(item, key_at))
    };
    Node { at: at.clone(), value: Held::Table(table.iter().map(member).collect()) }
}

fn node(item: &Item, key_at: Range<usize>) -> Node {
    let at = item.span().unwrap_or(key_at);
    match item {
        Item::None => Node { at, value: Held::Other("nothing") },
        Item::Value(value) => of_value(value, at),
        Item::Table(own) => table(own, at),
        Item::ArrayOfTables(tables) => {
            let each = tables.iter().map(|own| table(own, own.span().unwrap_or(at.clone())));
            Node { value: Held::List(each.collect()), at }
        }
    }
}

fn of_value(value: &Value, at: Range<usize>) -> Node {
    let at = value.span().unwrap_or(at);
    let held = match value {
        Value::String(text) => Held::Text(text.value().clone()),
        Value::Integer(number) => Held::Number(*number.value()),
        Value::Float(_) => Held::Other("a number with a point"),
        Value::Boolean(_) => Held::Other("true or false"),
        Value::Datetime(_) => Held::Other("a time"),
        Value::Array(array) => Held::List(array.iter().map(|value| of_value(value, at.clone())).collect()),
        Value::InlineTable(own) => return table(own, at),
    };
    Node { at, value: held }
}
