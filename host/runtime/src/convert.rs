//! Between the core's types and the contract's. Enums are lists in the same order on both sides, which a test pins by
//! reading the text of the contract.

use crate::bindings::wit;
use holdpoint_core::action::{
    Action, ArgWord, Fact, FactKind, FactQuery, Input, Invocation, SourceText, ToolAction, WorkingDir,
};
use holdpoint_core::finding::{Delegate, Doubt, Finding};
use holdpoint_core::json::{DEPTH_MAX, Json, NODES_MAX, Number, TEXT_BYTES_MAX};
use holdpoint_core::operation::{Certainty, Escape, Escapes, Obligation, Operation, Segment, Span, Trait, Traits};
use holdpoint_core::words::Word;

/// The answer has a shape that the core's types cannot hold.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Misshapen;

/// The value of a closed list at the place the contract gives it.
fn word<T: Word>(ordinal: usize) -> Result<T, Misshapen> {
    T::ALL.get(ordinal).copied().ok_or(Misshapen)
}

fn certainty_to(certainty: Certainty) -> wit::WordKind {
    match certainty {
        Certainty::Exact => wit::WordKind::Exact,
        Certainty::Glob => wit::WordKind::Glob,
        Certainty::Dynamic => wit::WordKind::Dynamic,
    }
}

fn fact_kind_to(kind: FactKind) -> wit::FactKind {
    match kind {
        FactKind::HomeDirectory => wit::FactKind::HomeDirectory,
        FactKind::WorkingDirectory => wit::FactKind::WorkingDirectory,
        FactKind::ResolvedPath => wit::FactKind::ResolvedPath,
        FactKind::PathKind => wit::FactKind::PathKind,
        FactKind::TrackedRemote => wit::FactKind::TrackedRemote,
        FactKind::DefaultBranch => wit::FactKind::DefaultBranch,
        FactKind::OwnerReferences => wit::FactKind::OwnerReferences,
        FactKind::WorkingTree => wit::FactKind::WorkingTree,
        FactKind::DatabaseRole => wit::FactKind::DatabaseRole,
    }
}

fn span_to(span: Span) -> wit::Span {
    wit::Span { part: span.part, start: span.start, end: span.end }
}

fn span_from(span: wit::Span) -> Span {
    Span { part: span.part, start: span.start, end: span.end }
}

fn word_to(word: &ArgWord) -> wit::Word {
    wit::Word { kind: certainty_to(word.certainty), text: word.text.clone(), origin: span_to(word.origin) }
}

fn word_from(arg: wit::Word) -> Result<ArgWord, Misshapen> {
    Ok(ArgWord { certainty: word(arg.kind as usize)?, text: arg.text, origin: span_from(arg.origin) })
}

fn input_to(input: &Input) -> wit::Input {
    match input {
        Input::Inherited => wit::Input::Inherited,
        Input::Empty => wit::Input::Empty,
        Input::Text(text) => wit::Input::Text(text.clone()),
        Input::File(word) => wit::Input::File(word_to(word)),
        // The index speaks of the finding that made the delegate. Whoever receives it only learns that it is not shown.
        Input::OutputOf(_) | Input::External => wit::Input::External,
        Input::Unknown => wit::Input::Unknown,
    }
}

fn input_from(input: wit::Input) -> Result<Input, Misshapen> {
    Ok(match input {
        wit::Input::Inherited => Input::Inherited,
        wit::Input::Empty => Input::Empty,
        wit::Input::Text(text) => Input::Text(text),
        wit::Input::File(word) => Input::File(word_from(word)?),
        wit::Input::OutputOf(index) => Input::OutputOf(index),
        wit::Input::External => Input::External,
        wit::Input::Unknown => Input::Unknown,
    })
}

/// A guest judges an action as if it ran where the action runs; the host has already placed it.
const HERE: wit::WorkingDir = wit::WorkingDir::Same;

fn cwd_to(cwd: &WorkingDir) -> wit::WorkingDir {
    match cwd {
        WorkingDir::Same | WorkingDir::Path(_) => HERE,
        WorkingDir::Unknown => wit::WorkingDir::Unknown,
    }
}

fn cwd_from(cwd: wit::WorkingDir) -> WorkingDir {
    match cwd {
        wit::WorkingDir::Same => WorkingDir::Same,
        wit::WorkingDir::Path(path) => WorkingDir::Path(path),
        wit::WorkingDir::Unknown => WorkingDir::Unknown,
    }
}

/// The request about an action.
pub(crate) fn request(action: &Action, facts: &[Fact]) -> wit::Request {
    let facts = facts.iter().map(|fact| wit::Fact {
        query: wit::FactQuery { kind: fact_kind_to(fact.query.kind), subject: fact.query.subject.clone() },
        answer: fact.answer.clone(),
    });
    wit::Request { action: action_to(action), facts: facts.collect() }
}

fn action_to(action: &Action) -> wit::Action {
    match action {
        Action::Tool(tool) => wit::Action::Tool(wit::ToolCall {
            server: tool.server.clone(),
            name: tool.name.clone(),
            arguments: arena(&tool.arguments),
        }),
        Action::Program(invocation) => wit::Action::Program(wit::Invocation {
            argv: invocation.argv.iter().map(word_to).collect(),
            env: invocation
                .env
                .iter()
                .map(|(name, value)| wit::Binding { name: name.clone(), value: word_to(value) })
                .collect(),
            cwd: cwd_to(&invocation.cwd),
            stdin: input_to(&invocation.stdin),
        }),
        Action::Source(source) => wit::Action::Source(wit::SourceText {
            language: source.language.clone(),
            text: source.text.clone(),
            cwd: cwd_to(&source.cwd),
        }),
    }
}

fn action_from(action: wit::Action) -> Result<Action, Misshapen> {
    Ok(match action {
        wit::Action::Tool(tool) => {
            Action::Tool(ToolAction { server: tool.server, name: tool.name, arguments: document(&tool.arguments)? })
        }
        wit::Action::Program(invocation) => Action::Program(Invocation {
            argv: invocation.argv.into_iter().map(word_from).collect::<Result<_, _>>()?,
            env: invocation
                .env
                .into_iter()
                .map(|binding| Ok((binding.name, word_from(binding.value)?)))
                .collect::<Result<_, _>>()?,
            cwd: cwd_from(invocation.cwd),
            stdin: input_from(invocation.stdin)?,
        }),
        wit::Action::Source(source) => {
            Action::Source(SourceText { language: source.language, text: source.text, cwd: cwd_from(source.cwd) })
        }
    })
}

/// The finding that a vocabulary answered.
pub(crate) fn finding(finding: wit::Finding) -> Result<Finding, Misshapen> {
    let query = |query: wit::FactQuery| Ok(FactQuery { kind: word(query.kind as usize)?, subject: query.subject });
    let doubt = |doubt: wit::Doubt| Ok(Doubt { reason: word(doubt.reason as usize)?, origin: span_from(doubt.origin) });
    let delegate = |delegate: wit::Delegate| {
        Ok(Delegate { action: action_from(delegate.action)?, origin: span_from(delegate.origin) })
    };
    let obligation = |obligation: wit::Obligation| {
        Ok(Obligation { kind: word(obligation.kind as usize)?, amount: obligation.amount })
    };
    Ok(Finding {
        operations: finding.operations.into_iter().map(operation).collect::<Result<_, _>>()?,
        delegates: finding.delegates.into_iter().map(delegate).collect::<Result<_, _>>()?,
        obligations: finding.obligations.into_iter().map(obligation).collect::<Result<_, _>>()?,
        escapes: escapes(finding.escapes),
        facts_needed: finding.facts_needed.into_iter().map(query).collect::<Result<_, _>>()?,
        doubts: finding.doubts.into_iter().map(doubt).collect::<Result<_, _>>()?,
    })
}

fn operation(operation: wit::Operation) -> Result<Operation, Misshapen> {
    let segment = |segment: wit::Segment| {
        Ok(Segment {
            kind: word(segment.kind as usize)?,
            name: segment.name,
            certainty: word(segment.certainty as usize)?,
        })
    };
    Ok(Operation {
        verb: word(operation.verb as usize)?,
        native: operation.native,
        target: operation.target.into_iter().map(segment).collect::<Result<_, _>>()?,
        access: word(operation.access as usize)?,
        effect: word(operation.effect as usize)?,
        scope: word(operation.scope as usize)?,
        traits: traits(operation.traits),
        origin: span_from(operation.origin),
    })
}

fn traits(flags: wit::Traits) -> Traits {
    let all = [
        (wit::Traits::NETWORK, Trait::Network),
        (wit::Traits::EXTERNAL_CONTENT, Trait::ExternalContent),
        (wit::Traits::SENSITIVE, Trait::Sensitive),
        (wit::Traits::SECRET, Trait::Secret),
        (wit::Traits::RUNS_CODE, Trait::RunsCode),
        (wit::Traits::PERSISTENCE, Trait::Persistence),
        (wit::Traits::PRIVILEGE, Trait::Privilege),
        (wit::Traits::NOT_IDEMPOTENT, Trait::NotIdempotent),
    ];
    all.into_iter().filter(|(flag, _)| flags.contains(*flag)).fold(Traits::EMPTY, |set, (_, word)| set.with(word))
}

fn escapes(flags: wit::Escapes) -> Escapes {
    let all = [
        (wit::Escapes::ARGUMENT, Escape::Argument),
        (wit::Escapes::OS_COMMAND, Escape::OsCommand),
        (wit::Escapes::SQL, Escape::Sql),
        (wit::Escapes::ENV, Escape::Env),
        (wit::Escapes::PATH, Escape::Path),
        (wit::Escapes::SYMLINK, Escape::Symlink),
        (wit::Escapes::INTERPRETATION_LAYERS, Escape::InterpretationLayers),
        (wit::Escapes::ENCODING, Escape::Encoding),
        (wit::Escapes::HOMOGLYPH, Escape::Homoglyph),
        (wit::Escapes::SSRF, Escape::Ssrf),
        (wit::Escapes::CONTAINER_ESCAPE, Escape::ContainerEscape),
        (wit::Escapes::PRIVILEGE, Escape::Privilege),
        (wit::Escapes::CONFIG_PERSISTENCE, Escape::ConfigPersistence),
        (wit::Escapes::RESOLUTION, Escape::Resolution),
        (wit::Escapes::TRANSACTION, Escape::Transaction),
    ];
    all.into_iter().filter(|(flag, _)| flags.contains(*flag)).fold(Escapes::EMPTY, |set, (_, word)| set.with(word))
}

/// The flat form of a document, values in reading order.
fn arena(root: &Json) -> wit::JsonTree {
    let mut tree = wit::JsonTree { nodes: Vec::new(), pool: String::new() };
    let mut waiting = vec![(0_u32, "", root)];
    while let Some((parent, key, value)) = waiting.pop() {
        let index = offset(tree.nodes.len());
        let key = pooled(&mut tree.pool, key);
        let (kind, text) = match value {
            Json::Null => (wit::JsonKind::Null, String::new()),
            Json::Bool(value) => (wit::JsonKind::Boolean, value.to_string()),
            Json::Number(number) => (wit::JsonKind::Number, number.text()),
            Json::Text(text) => (wit::JsonKind::Text, text.clone()),
            Json::Array(items) => {
                waiting.extend(items.iter().rev().map(|item| (index, "", item)));
                (wit::JsonKind::Array, String::new())
            }
            Json::Object(members) => {
                waiting.extend(members.iter().rev().map(|(key, value)| (index, key.as_str(), value)));
                (wit::JsonKind::Object, String::new())
            }
        };
        let value = pooled(&mut tree.pool, &text);
        tree.nodes.push(wit::JsonNode { parent, kind, key, value });
    }
    tree
}

fn pooled(pool: &mut String, text: &str) -> wit::Slice {
    let start = offset(pool.len());
    pool.push_str(text);
    wit::Slice { start, end: offset(pool.len()) }
}

/// Documents are bounded far below 4 GiB.
fn offset(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

/// The document that a flat form stands for.
fn document(tree: &wit::JsonTree) -> Result<Json, Misshapen> {
    check(tree)?;
    let text = |slice: wit::Slice| text_at(tree, slice);
    let mut children: Vec<Vec<(String, Json)>> = tree.nodes.iter().map(|_| Vec::new()).collect();
    // Children stand after their parents, so the last node is finished first.
    for (index, node) in tree.nodes.iter().enumerate().rev() {
        let mut own = children.get_mut(index).map(std::mem::take).ok_or(Misshapen)?;
        own.reverse();
        let value = text(node.value)?;
        let json = match node.kind {
            wit::JsonKind::Null => Json::Null,
            wit::JsonKind::Boolean => Json::Bool(value.parse().map_err(|_| Misshapen)?),
            wit::JsonKind::Number => Json::Number(number(value)?),
            wit::JsonKind::Text => Json::text(value),
            wit::JsonKind::Array => Json::Array(own.into_iter().map(|(_, item)| item).collect()),
            wit::JsonKind::Object => Json::Object(own),
        };
        if index == 0 {
            return Ok(json);
        }
        children.get_mut(node.parent as usize).ok_or(Misshapen)?.push((text(node.key)?.to_owned(), json));
    }
    Err(Misshapen)
}

fn text_at(tree: &wit::JsonTree, slice: wit::Slice) -> Result<&str, Misshapen> {
    tree.pool.get(slice.start as usize..slice.end as usize).ok_or(Misshapen)
}

/// Checks that the parts of a flat form fit together within the bounds of a document. This comes before anything is made
/// of it, because a deep document takes the host's stack and a text that many values share takes its memory.
fn check(tree: &wit::JsonTree) -> Result<(), Misshapen> {
    if tree.nodes.len() > NODES_MAX {
        return Err(Misshapen);
    }
    let mut text_bytes = 0_usize;
    // Only nodes that were seen already have a depth, so a parent that stands later is not found.
    let mut depths: Vec<usize> = Vec::with_capacity(tree.nodes.len());
    for node in &tree.nodes {
        let parent = node.parent as usize;
        let above = depths.get(parent).and(tree.nodes.get(parent)).map(|node| node.kind);
        let depth = match (above, depths.get(parent)) {
            (Some(wit::JsonKind::Array | wit::JsonKind::Object), Some(depth)) => depth.saturating_add(1),
            (None, None) if depths.is_empty() && parent == 0 => 0,
            _ => return Err(Misshapen),
        };
        let (key, value) = (text_at(tree, node.key)?, text_at(tree, node.value)?);
        let has_value = matches!(node.kind, wit::JsonKind::Boolean | wit::JsonKind::Number | wit::JsonKind::Text);
        let in_place = (key.is_empty() || above == Some(wit::JsonKind::Object)) && (value.is_empty() || has_value);
        text_bytes = text_bytes.saturating_add(key.len()).saturating_add(value.len());
        if !in_place || depth > DEPTH_MAX || text_bytes > TEXT_BYTES_MAX {
            return Err(Misshapen);
        }
        depths.push(depth);
    }
    Ok(())
}

/// Only canonical text is a number, so that nothing is rounded on the way.
fn number(text: &str) -> Result<Number, Misshapen> {
    let number = text.parse().map_err(|_| Misshapen).and_then(|value| Number::float(value).map_err(|_| Misshapen))?;
    if number.text() == text { Ok(number) } else { Err(Misshapen) }
}

#[cfg(test)]
#[path = "convert_tests.rs"]
mod tests;
