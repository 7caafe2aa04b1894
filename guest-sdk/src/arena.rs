//! Reading the flat JSON document of a tool call. The host built it, so no guest parses JSON and no two readers differ.

use crate::{JsonKind, JsonNode, JsonTree, Slice, Span};

/// One value of a [`JsonTree`].
#[derive(Clone, Copy)]
pub struct JsonValue<'a> {
    tree: &'a JsonTree,
    index: usize,
}

impl JsonTree {
    /// The root of the document; `None` for a tree without nodes, which the host never builds.
    pub fn root(&self) -> Option<JsonValue<'_>> {
        (!self.nodes.is_empty()).then_some(JsonValue { tree: self, index: 0 })
    }

    fn text(&self, slice: Slice) -> &str {
        self.pool.get(slice.start as usize..slice.end as usize).unwrap_or("")
    }
}

impl<'a> JsonValue<'a> {
    fn node(self) -> Option<&'a JsonNode> {
        self.tree.nodes.get(self.index)
    }

    /// What kind of value this is.
    pub fn kind(self) -> JsonKind {
        self.node().map_or(JsonKind::Null, |node| node.kind)
    }

    /// The text of a string value.
    pub fn as_str(self) -> Option<&'a str> {
        let node = self.node().filter(|node| node.kind == JsonKind::Text)?;
        Some(self.tree.text(node.value))
    }

    /// The value of a boolean.
    pub fn as_bool(self) -> Option<bool> {
        let node = self.node().filter(|node| node.kind == JsonKind::Boolean)?;
        Some(self.tree.text(node.value) == "true")
    }

    /// The canonical text of a number.
    pub fn as_number(self) -> Option<&'a str> {
        let node = self.node().filter(|node| node.kind == JsonKind::Number)?;
        Some(self.tree.text(node.value))
    }

    /// The members of an object or the elements of an array, in order; the keys of elements are empty.
    pub fn children(self) -> impl Iterator<Item = (&'a str, JsonValue<'a>)> {
        let (tree, parent) = (self.tree, self.index);
        // Children stand after their parent, and the root is its own parent.
        let nodes = tree.nodes.iter().enumerate().skip(parent.saturating_add(1));
        nodes
            .filter(move |(_, node)| node.parent as usize == parent)
            .map(move |(index, node)| (tree.text(node.key), JsonValue { tree, index }))
    }

    /// The member of an object with this key.
    pub fn get(self, key: &str) -> Option<JsonValue<'a>> {
        let found = |(name, value): (&str, JsonValue<'a>)| (name == key).then_some(value);
        if self.kind() == JsonKind::Object { self.children().find_map(found) } else { None }
    }

    /// The whole text of this value as a place in the request.
    pub fn span(self) -> Span {
        let length = self.node().map_or(0, |node| node.value.end.saturating_sub(node.value.start));
        Span { part: u32::try_from(self.index).unwrap_or(u32::MAX), start: 0, end: length }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(parent: u32, kind: JsonKind, key: (u32, u32), value: (u32, u32)) -> JsonNode {
        let slice = |(start, end)| Slice { start, end };
        JsonNode { parent, kind, key: slice(key), value: slice(value) }
    }

    #[test]
    fn members_are_found_by_key_and_keep_their_span() {
        // {"command":"ls","args":["-l"]}
        let tree = JsonTree {
            nodes: vec![
                node(0, JsonKind::Object, (0, 0), (0, 0)),
                node(0, JsonKind::Text, (0, 7), (7, 9)),
                node(0, JsonKind::Array, (9, 13), (0, 0)),
                node(2, JsonKind::Text, (0, 0), (13, 15)),
            ],
            pool: "commandlsargs-l".to_owned(),
        };
        let root = tree.root().expect("a root");
        let command = root.get("command").expect("a command");
        assert_eq!(command.as_str(), Some("ls"));
        assert_eq!(command.span(), Span { part: 1, start: 0, end: 2 });
        let args: Vec<_> = root.get("args").expect("args").children().filter_map(|(_, value)| value.as_str()).collect();
        assert_eq!(args, ["-l"]);
        assert!(root.get("missing").is_none() && command.get("x").is_none());
    }
}
