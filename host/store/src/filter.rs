//! Which lines of a stream are wanted. Must never be taken for a check: a filter believes what a line says.

use crate::day::Day;
use serde_json::Value;

/// A member of a line by which lines are picked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Member {
    /// What was decided: `allow`, `ask` or `deny`.
    Decision,
    /// Who asked, in every stream that has it.
    Actor,
    /// The tool that was called.
    Tool,
    /// The server of the tool.
    Server,
    /// The rule that led a decision.
    Rule,
    /// The level that was judged at.
    Level,
    /// The id of one call.
    CorrelationId,
    /// The toggle, or `plugin:NAME`, that a transition is about.
    Key,
    /// Whether a transition took place: `ok` or `denied`.
    Result,
    /// Why a transition took place or did not.
    Reason,
    /// How far an action got: `dispatched`, `attested`, `asked`, `refused`, `completed`, `skipped` or `undone`.
    Stage,
    /// The run that a call belongs to.
    Run,
    /// The transport's own name for a call.
    Call,
    /// What would make a refused call work.
    Remedy,
    /// The name of a question.
    Id,
    /// What a line says, in streams with lines of several kinds.
    Kind,
}

impl Member {
    /// All of them.
    pub const ALL: [Member; 16] = [
        Member::Decision,
        Member::Actor,
        Member::Tool,
        Member::Server,
        Member::Rule,
        Member::Level,
        Member::CorrelationId,
        Member::Key,
        Member::Result,
        Member::Reason,
        Member::Stage,
        Member::Run,
        Member::Call,
        Member::Remedy,
        Member::Id,
        Member::Kind,
    ];

    /// Its name in the line.
    pub fn as_str(self) -> &'static str {
        match self {
            Member::Decision => "decision",
            Member::Actor => "actor",
            Member::Tool => "tool",
            Member::Server => "server",
            Member::Rule => "rule",
            Member::Level => "level",
            Member::CorrelationId => "correlation_id",
            Member::Key => "key",
            Member::Result => "result",
            Member::Reason => "reason",
            Member::Stage => "stage",
            Member::Run => "run",
            Member::Call => "call",
            Member::Remedy => "remedy",
            Member::Id => "id",
            Member::Kind => "kind",
        }
    }

    /// The member with this name.
    pub fn from_word(word: &str) -> Option<Member> {
        Member::ALL.into_iter().find(|member| member.as_str() == word)
    }
}

/// Which lines are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    /// The newest ones of all that match, at most [`crate::read::READ_LINES_MAX`].
    pub last: usize,
    /// Not before the file of this day.
    pub since: Option<Day>,
    /// Not after the file of this day.
    pub until: Option<Day>,
    /// Members that must be these strings, such as `key` or `correlation_id`.
    pub members: Vec<(String, String)>,
}

impl Filter {
    /// The newest lines, whatever they are.
    pub fn last(last: usize) -> Filter {
        Filter { last, since: None, until: None, members: Vec::new() }
    }

    /// As many lines as one answer may have.
    pub fn all() -> Filter {
        Filter::last(usize::MAX)
    }

    /// Only lines whose member is this string.
    #[must_use]
    pub fn with(mut self, member: Member, value: &str) -> Filter {
        self.members.push((member.as_str().to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn takes_day(&self, day: Day) -> bool {
        self.since.is_none_or(|since| since <= day) && self.until.is_none_or(|until| day <= until)
    }

    pub(crate) fn takes(&self, value: &Value) -> bool {
        self.members.iter().all(|(name, wanted)| value.get(name).and_then(Value::as_str) == Some(wanted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_member_has_a_name_of_its_own() {
        for member in Member::ALL {
            assert_eq!(Member::from_word(member.as_str()), Some(member));
        }
        assert_eq!(Member::from_word("note"), None);
    }
}
