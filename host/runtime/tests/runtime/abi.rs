//! The canonical ABI of the contract, written by hand from its text and not from generated bindings: what a guest lays
//! into its memory as an answer.

use holdpoint_core::action::{Action, ArgWord, FactQuery, Input, Invocation, SourceText, WorkingDir};
use holdpoint_core::finding::{Delegate, Doubt, Finding};
use holdpoint_core::json::Json;
use holdpoint_core::operation::{Obligation, Operation, Segment, Span};
use holdpoint_core::words::{Word, WordSet};
use std::collections::VecDeque;

/// Where an image begins in the memory of a guest.
pub(crate) const BASE: u32 = 1_024;

/// An answer as bytes from [`BASE`] on, and the address of its record.
#[derive(Clone)]
pub(crate) struct Image {
    pub(crate) bytes: Vec<u8>,
    pub(crate) root: u32,
}

/// One node of a JSON document, as the guest says it.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    pub(crate) parent: u32,
    pub(crate) kind: u8,
    pub(crate) key: (u32, u32),
    pub(crate) value: (u32, u32),
}

pub(crate) const ARRAY: u8 = 4;

#[derive(Default)]
pub(crate) struct Heap {
    bytes: Vec<u8>,
}

/// The image of a finding.
pub(crate) fn image(finding: &Finding) -> Image {
    let mut heap = Heap::default();
    let record = heap.finding(finding);
    heap.finish(&record)
}

fn record<const SIZE: usize>(fields: &[(usize, &[u8])]) -> [u8; SIZE] {
    let mut record = [0; SIZE];
    for (at, field) in fields {
        record[*at..*at + field.len()].copy_from_slice(field);
    }
    record
}

pub(crate) fn pair(first: u32, second: u32) -> [u8; 8] {
    record(&[(0, &first.to_le_bytes()), (4, &second.to_le_bytes())])
}

fn span(span: Span) -> [u8; 12] {
    record(&[(0, &span.part.to_le_bytes()), (4, &pair(span.start, span.end))])
}

fn word<T: Word>(word: T) -> [u8; 1] {
    [u8::try_from(word.ordinal()).unwrap()]
}

fn flags<T: Word>(set: WordSet<T>) -> u32 {
    set.iter().fold(0, |bits, word| bits | 1 << word.ordinal())
}

impl Heap {
    pub(crate) fn finish(mut self, finding: &[u8; 44]) -> Image {
        let root = self.place(finding);
        Image { bytes: self.bytes, root }
    }

    /// Lays bytes down at the next address that every type may stand at.
    pub(crate) fn place(&mut self, bytes: &[u8]) -> u32 {
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
        let at = BASE + u32::try_from(self.bytes.len()).unwrap();
        self.bytes.extend(bytes);
        at
    }

    pub(crate) fn text(&mut self, text: &[u8]) -> [u8; 8] {
        let at = self.place(text);
        pair(at, u32::try_from(text.len()).unwrap())
    }

    pub(crate) fn list<const SIZE: usize>(&mut self, records: &[[u8; SIZE]]) -> [u8; 8] {
        let at = self.place(records.as_flattened());
        pair(at, u32::try_from(records.len()).unwrap())
    }

    fn finding(&mut self, finding: &Finding) -> [u8; 44] {
        let operations: Vec<_> = finding.operations.iter().map(|each| self.operation(each)).collect();
        let delegates: Vec<_> = finding.delegates.iter().map(|each| self.delegate(each)).collect();
        let obligations: Vec<_> = finding.obligations.iter().map(obligation).collect();
        let queries: Vec<_> = finding.facts_needed.iter().map(|each| self.query(each)).collect();
        let doubts: Vec<_> = finding.doubts.iter().map(doubt).collect();
        record(&[
            (0, &self.list(&operations)),
            (8, &self.list(&delegates)),
            (16, &self.list(&obligations)),
            (24, &flags(finding.escapes).to_le_bytes()[..2]),
            (28, &self.list(&queries)),
            (36, &self.list(&doubts)),
        ])
    }

    pub(crate) fn operation(&mut self, operation: &Operation) -> [u8; 36] {
        let target: Vec<_> = operation.target.iter().map(|each| self.segment(each)).collect();
        record(&[
            (0, &word(operation.verb)),
            (4, &self.text(operation.native.as_bytes())),
            (12, &self.list(&target)),
            (20, &word(operation.access)),
            (21, &word(operation.effect)),
            (22, &word(operation.scope)),
            (23, &flags(operation.traits).to_le_bytes()[..1]),
            (24, &span(operation.origin)),
        ])
    }

    fn segment(&mut self, segment: &Segment) -> [u8; 16] {
        let name = self.text(segment.name.as_bytes());
        record(&[(0, &word(segment.kind)), (4, &name), (12, &word(segment.certainty))])
    }

    fn query(&mut self, query: &FactQuery) -> [u8; 12] {
        let subject = self.text(query.subject.as_bytes());
        record(&[(0, &word(query.kind)), (4, &subject)])
    }

    fn delegate(&mut self, delegate: &Delegate) -> [u8; 72] {
        let action = match &delegate.action {
            Action::Tool(tool) => {
                let (server, name) = (self.text(tool.server.as_bytes()), self.text(tool.name.as_bytes()));
                let tree = self.tree(&tool.arguments);
                tool_action(server, name, tree)
            }
            Action::Program(invocation) => record(&[(0, &[1]), (4, &self.invocation(invocation))]),
            Action::Source(source) => record(&[(0, &[2]), (4, &self.source(source))]),
        };
        record(&[(0, &action), (60, &span(delegate.origin))])
    }

    fn invocation(&mut self, invocation: &Invocation) -> [u8; 56] {
        let argv: Vec<_> = invocation.argv.iter().map(|each| self.word(each)).collect();
        let env: Vec<[u8; 32]> = invocation
            .env
            .iter()
            .map(|(name, value)| record(&[(0, &self.text(name.as_bytes())), (8, &self.word(value))]))
            .collect();
        let (cwd, stdin) = (self.cwd(&invocation.cwd), self.input(&invocation.stdin));
        record(&[(0, &self.list(&argv)), (8, &self.list(&env)), (16, &cwd), (28, &stdin)])
    }

    fn source(&mut self, source: &SourceText) -> [u8; 28] {
        let (language, text) = (self.text(source.language.as_bytes()), self.text(source.text.as_bytes()));
        record(&[(0, &language), (8, &text), (16, &self.cwd(&source.cwd))])
    }

    fn word(&mut self, arg: &ArgWord) -> [u8; 24] {
        let text = self.text(arg.text.as_bytes());
        record(&[(0, &word(arg.certainty)), (4, &text), (12, &span(arg.origin))])
    }

    fn cwd(&mut self, cwd: &WorkingDir) -> [u8; 12] {
        match cwd {
            WorkingDir::Same => record(&[(0, &[0])]),
            WorkingDir::Path(path) => record(&[(0, &[1]), (4, &self.text(path.as_bytes()))]),
            WorkingDir::Unknown => record(&[(0, &[2])]),
        }
    }

    fn input(&mut self, input: &Input) -> [u8; 28] {
        match input {
            Input::Inherited => record(&[(0, &[0])]),
            Input::Empty => record(&[(0, &[1])]),
            Input::Text(text) => record(&[(0, &[2]), (4, &self.text(text.as_bytes()))]),
            Input::File(word) => record(&[(0, &[3]), (4, &self.word(word))]),
            Input::OutputOf(index) => record(&[(0, &[4]), (4, &index.to_le_bytes())]),
            Input::External => record(&[(0, &[5])]),
            Input::Unknown => record(&[(0, &[6])]),
        }
    }

    /// The document level by level: another order than the host's own, and one the contract allows.
    fn tree(&mut self, root: &Json) -> [u8; 16] {
        let (mut nodes, mut pool) = (Vec::new(), String::new());
        let mut waiting = VecDeque::from([(0, "", root)]);
        while let Some((parent, key, value)) = waiting.pop_front() {
            let index = u32::try_from(nodes.len()).unwrap();
            let (kind, text) = match value {
                Json::Null => (0, String::new()),
                Json::Bool(value) => (1, value.to_string()),
                Json::Number(number) => (2, number.text()),
                Json::Text(text) => (3, text.clone()),
                Json::Array(items) => {
                    waiting.extend(items.iter().map(|item| (index, "", item)));
                    (ARRAY, String::new())
                }
                Json::Object(members) => {
                    waiting.extend(members.iter().map(|(key, value)| (index, key.as_str(), value)));
                    (5, String::new())
                }
            };
            let mut pooled = |text: &str| {
                let start = u32::try_from(pool.len()).unwrap();
                pool.push_str(text);
                (start, u32::try_from(pool.len()).unwrap())
            };
            nodes.push(Node { parent, kind, key: pooled(key), value: pooled(&text) });
        }
        self.raw_tree(&nodes, &pool)
    }

    /// A document node by node, however little sense it makes.
    pub(crate) fn raw_tree(&mut self, nodes: &[Node], pool: &str) -> [u8; 16] {
        let nodes: Vec<[u8; 24]> = nodes
            .iter()
            .map(|node| {
                let (key, value) = (pair(node.key.0, node.key.1), pair(node.value.0, node.value.1));
                record(&[(0, &node.parent.to_le_bytes()), (4, &[node.kind]), (8, &key), (16, &value)])
            })
            .collect();
        record(&[(0, &self.list(&nodes)), (8, &self.text(pool.as_bytes()))])
    }
}

fn tool_action(server: [u8; 8], name: [u8; 8], tree: [u8; 16]) -> [u8; 60] {
    record(&[(0, &[0]), (4, &server), (12, &name), (20, &tree)])
}

/// A finding with one delegate, a tool call with these arguments.
pub(crate) fn tool_finding(heap: &mut Heap, tree: [u8; 16]) -> [u8; 44] {
    let action = tool_action(heap.text(b""), heap.text(b"t"), tree);
    let delegates = heap.list(&[record::<72>(&[(0, &action)])]);
    record(&[(8, &delegates)])
}

/// A finding with these lists, each a pair of address and length.
pub(crate) fn lists(operations: [u8; 8], delegates: [u8; 8], doubts: [u8; 8]) -> [u8; 44] {
    record(&[(0, &operations), (8, &delegates), (36, &doubts)])
}

fn obligation(obligation: &Obligation) -> [u8; 16] {
    record(&[(0, &word(obligation.kind)), (8, &obligation.amount.to_le_bytes())])
}

fn doubt(doubt: &Doubt) -> [u8; 16] {
    record(&[(0, &word(doubt.reason)), (4, &span(doubt.origin))])
}
