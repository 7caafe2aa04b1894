//! Actions: what an agent, or a program it runs, wants to do. A request and what a vocabulary hands on share this type.

use crate::json::Json;
use crate::operation::{Certainty, Span};
use crate::words::words;
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;

/// One word of a command.
#[derive(Clone, Debug, PartialEq)]
pub struct ArgWord {
    /// How the text is to be read.
    pub certainty: Certainty,
    /// The word, a pattern, or the source of an expansion.
    pub text: String,
    /// Where it stands in the action that produced this one.
    pub origin: Span,
}

/// Where a program runs, as a vocabulary says it.
#[derive(Clone, Debug, PartialEq)]
pub enum WorkingDir {
    /// Where the action itself runs.
    Same,
    /// In this folder, relative to where the action itself runs.
    Path(String),
    /// Not known.
    Unknown,
}

/// Where standard input comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// From the action itself.
    Inherited,
    /// Nothing.
    Empty,
    /// This text.
    Text(String),
    /// A file.
    File(ArgWord),
    /// The output of another delegate of the same finding.
    OutputOf(u32),
    /// The output of something else.
    External,
    /// Not known.
    Unknown,
}

/// A program to be run.
#[derive(Clone, Debug, PartialEq)]
pub struct Invocation {
    /// The words, the program first.
    pub argv: Vec<ArgWord>,
    /// Variables set for it, by name.
    pub env: Vec<(String, ArgWord)>,
    /// Where it runs.
    pub cwd: WorkingDir,
    /// What it reads.
    pub stdin: Input,
}

/// A text in a language.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceText {
    /// For example `bash`.
    pub language: String,
    /// The text.
    pub text: String,
    /// Where it runs.
    pub cwd: WorkingDir,
}

/// A call of a tool.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolAction {
    /// The server that offers the tool; empty for a tool of the agent host itself.
    pub server: String,
    /// The tool.
    pub name: String,
    /// Its arguments.
    pub arguments: Json,
}

/// One thing that would be done.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// A tool call.
    Tool(ToolAction),
    /// A program.
    Program(Invocation),
    /// A text in a language.
    Source(SourceText),
}

words! {
    /// What a vocabulary may ask about live state.
    FactKind {
        HomeDirectory = "home-directory", WorkingDirectory = "working-directory", ResolvedPath = "resolved-path",
        PathKind = "path-kind", TrackedRemote = "tracked-remote", DefaultBranch = "default-branch",
        OwnerReferences = "owner-references", WorkingTree = "working-tree", DatabaseRole = "database-role",
    }
}

/// A question about live state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FactQuery {
    /// What is asked.
    pub kind: FactKind,
    /// About what; empty where the kind needs nothing.
    pub subject: String,
}

/// An answer about live state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fact {
    /// The question.
    pub query: FactQuery,
    /// The answer.
    pub answer: String,
}

fn scalar_text(value: &Json) -> Cow<'_, str> {
    match value {
        Json::Text(text) => Cow::Borrowed(text.as_str()),
        Json::Number(number) => Cow::Owned(number.text()),
        Json::Bool(true) => Cow::Borrowed("true"),
        Json::Bool(false) => Cow::Borrowed("false"),
        Json::Null | Json::Array(_) | Json::Object(_) => Cow::Borrowed(""),
    }
}

impl Action {
    /// The texts that spans count in. Parts of a tool call are its JSON values in reading order, of a program its words.
    pub fn parts(&self) -> Vec<Cow<'_, str>> {
        match self {
            Action::Tool(tool) => tool.arguments.in_reading_order().into_iter().map(scalar_text).collect(),
            Action::Program(invocation) => {
                invocation.argv.iter().map(|word| Cow::Borrowed(word.text.as_str())).collect()
            }
            Action::Source(source) => alloc::vec![Cow::Borrowed(source.text.as_str())],
        }
    }

    /// One line that names the action for a record: the program and its words, the tool, or the language.
    pub fn summary(&self) -> String {
        match self {
            Action::Tool(tool) if tool.server.is_empty() => alloc::format!("tool {}", tool.name),
            Action::Tool(tool) => alloc::format!("tool {}/{}", tool.server, tool.name),
            Action::Program(invocation) => {
                let words: Vec<&str> = invocation.argv.iter().map(|word| word.text.as_str()).collect();
                words.join(" ")
            }
            Action::Source(source) => alloc::format!("{} source", source.language),
        }
    }

    /// The folder it runs in, as its producer said it.
    pub fn working_dir(&self) -> &WorkingDir {
        match self {
            Action::Tool(_) => &WorkingDir::Same,
            Action::Program(invocation) => &invocation.cwd,
            Action::Source(source) => &source.cwd,
        }
    }
}
