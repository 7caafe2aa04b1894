//! The second opinion: both parsers must see the same simple commands. It must never look into text that the second
//! parser keeps raw, because there it has no opinion.

use rable::{Node, NodeKind};

/// What the second parser says.
pub(crate) enum Second {
    /// It does not accept the text.
    Rejected,
    /// The names of the simple commands it sees, sorted.
    Names(Vec<String>),
}

/// Levels of substitutions below which the second parser keeps words raw, so that they are parsed once more.
const PARSED_LEVELS: usize = 2;
/// Times that the text of a raw word is parsed once more; the nesting of a text is bounded before.
const REPARSES_MAX: usize = 64;

/// Parses `text` with the second parser.
pub(crate) fn second_opinion(text: &str) -> Second {
    let mut names = Vec::new();
    let mut texts = vec![text.to_owned()];
    let mut parsed = 0usize;
    while let Some(text) = texts.pop() {
        let Ok(nodes) = rable::parse(&text, false) else {
            return Second::Rejected;
        };
        parsed += 1;
        if parsed > REPARSES_MAX {
            return Second::Rejected;
        }
        collect(&nodes, &mut names, &mut texts);
    }
    names.sort_unstable();
    Second::Names(names)
}

/// Walks without recursion: a stack of nodes still to visit, with the level of substitutions around each.
fn collect(nodes: &[Node], names: &mut Vec<String>, texts: &mut Vec<String>) {
    let mut open: Vec<(&Node, usize)> = nodes.iter().map(|node| (node, 0)).collect();
    let mut children = Vec::new();
    while let Some((node, level)) = open.pop() {
        let substitutes =
            matches!(node.kind, NodeKind::CommandSubstitution { .. } | NodeKind::ProcessSubstitution { .. });
        if let NodeKind::Word { value, .. } = &node.kind
            && level >= PARSED_LEVELS
            && ["$(", "`", "<(", ">("].iter().any(|opener| value.contains(opener))
        {
            // As an argument, so that it is read as a word. The name before it is none of the text's own.
            texts.push(format!("{ARGUMENT} {value}"));
            continue;
        }
        visit(node, &mut children, names);
        let below = if substitutes { level + 1 } else { level };
        open.extend(children.drain(..).map(|child| (child, below)));
    }
}

/// The command in front of a word that is parsed once more.
const ARGUMENT: &str = ":";

fn visit<'a>(node: &'a Node, open: &mut Vec<&'a Node>, names: &mut Vec<String>) {
    match &node.kind {
        NodeKind::Command { assignments, words, redirects } => {
            if let Some(Node { kind: NodeKind::Word { value, .. }, .. }) = words.first()
                && value != ARGUMENT
            {
                names.push(plain_name(value));
            }
            open.extend(assignments.iter().chain(words).chain(redirects));
        }
        NodeKind::Word { parts, .. } => open.extend(parts),
        NodeKind::Pipeline { commands, .. } => open.extend(commands),
        NodeKind::List { items } => open.extend(items.iter().map(|item| &item.command)),
        NodeKind::If { condition, then_body, else_body, redirects } => {
            open.extend([&**condition, &**then_body]);
            open.extend(else_body.as_deref());
            open.extend(redirects);
        }
        NodeKind::While { condition, body, redirects } | NodeKind::Until { condition, body, redirects } => {
            open.extend([&**condition, &**body]);
            open.extend(redirects);
        }
        NodeKind::For { words, body, redirects, .. } | NodeKind::Select { words, body, redirects, .. } => {
            open.extend(words.iter().flatten().chain([&**body]).chain(redirects));
        }
        NodeKind::ForArith { body, redirects, .. }
        | NodeKind::Subshell { body, redirects }
        | NodeKind::BraceGroup { body, redirects } => open.extend([&**body].into_iter().chain(redirects)),
        NodeKind::Case { word, patterns, redirects } => {
            open.push(word);
            for case in patterns {
                open.extend(case.patterns.iter().chain(&case.body));
            }
            open.extend(redirects);
        }
        NodeKind::Function { body, .. } => open.push(body),
        NodeKind::Coproc { command, .. }
        | NodeKind::CommandSubstitution { command, .. }
        | NodeKind::ProcessSubstitution { command, .. } => open.push(command),
        NodeKind::Redirect { target, .. } => open.push(target),
        NodeKind::Negation { pipeline } | NodeKind::Time { pipeline, .. } => open.push(pipeline),
        NodeKind::Array { elements } => open.extend(elements),
        NodeKind::ArithmeticCommand { redirects, .. } | NodeKind::ConditionalExpr { redirects, .. } => {
            open.extend(redirects);
        }
        // Raw text and parts of expressions. A node that is forgotten here loses names, which is a disagreement.
        _ => {}
    }
}

/// The source text of a name without the line continuations that one parser drops and the other keeps.
pub(crate) fn plain_name(text: &str) -> String {
    text.replace("\\\n", "")
}
