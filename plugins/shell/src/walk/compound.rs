//! Compound commands: groups, conditions, loops. All branches count, and what a branch may or may not do to the working
//! folder leaves both possibilities open.

use super::spawn::Runs;
use holdpoint_guest::{Operation, Reason, WordKind};
use shuck_ast::{
    ArithmeticForCommand, CaseCommand, CaseTerminator, CompoundCommand, CoprocCommand, ForCommand, ForSyntax,
    IfCommand, IfSyntax, Stmt, Word,
};

use super::{Flow, Stdin, Walker};
use crate::limits::ROUNDS_MAX;
use crate::state::{Constant, Folder, Folders, From};
use crate::word::{Use, Zone, is_name};

impl Walker<'_> {
    /// Walks a compound command.
    pub(crate) fn compound(
        &mut self,
        compound: &CompoundCommand,
        statement: &Stmt,
        folders: &Folders,
        stdin: &Stdin,
    ) -> Flow {
        match compound {
            CompoundCommand::BraceGroup(body) => Flow { program: None, ..self.sequence(body, folders, stdin) },
            CompoundCommand::Subshell(body) => {
                self.isolated(|walker| walker.sequence(body, folders, stdin));
                Flow::same(folders)
            }
            CompoundCommand::If(command) => self.if_command(command, folders, stdin),
            CompoundCommand::For(command) => self.for_command(command, folders, stdin),
            CompoundCommand::ArithmeticFor(command) => self.arithmetic_for(command, folders, stdin),
            CompoundCommand::While(command) => {
                let rounds = self.rounds(&command.condition, Runs::While, &command.body, stdin);
                self.looping(rounds, |walker| {
                    walker.repeated(folders, |walker, at| {
                        let tested = walker.sequence(&command.condition, at, &shared(stdin));
                        walker.sequence(&command.body, &tested.ok, &shared(stdin)).any()
                    })
                })
            }
            CompoundCommand::Until(command) => {
                let rounds = self.rounds(&command.condition, Runs::Until, &command.body, stdin);
                self.looping(rounds, |walker| {
                    walker.repeated(folders, |walker, at| {
                        let tested = walker.sequence(&command.condition, at, &shared(stdin));
                        walker.sequence(&command.body, &tested.failed, &shared(stdin)).any()
                    })
                })
            }
            CompoundCommand::Case(command) => self.case_command(command, folders, stdin),
            CompoundCommand::Select(command) => {
                self.only_bash(command.span);
                self.cover.all(command.variable_span);
                self.arithmetic.taint(command.variable.as_str());
                self.rebind(command.variable.as_str(), command.variable_span);
                self.loop_words(&command.words, folders);
                self.repeated(folders, |walker, at| walker.sequence(&command.body, at, &Stdin::unseen()).any())
            }
            CompoundCommand::Arithmetic(command) => {
                self.only_bash(command.span);
                self.cover.all(command.span);
                self.arithmetic(command.left_paren_span.end.offset(), command.right_paren_span.start.offset());
                let origin = self.place.of(command.span);
                self.out.operation(Operation::nothing("((", origin));
                Flow::same(folders)
            }
            CompoundCommand::Time(command) => match &command.command {
                Some(inner) => Flow { program: None, ..self.statement(inner, folders, stdin) },
                None => Flow::same(folders),
            },
            CompoundCommand::Conditional(command) => {
                self.only_bash(command.span);
                self.conditional(command, folders)
            }
            CompoundCommand::Coproc(command) => self.coprocess(command, folders),
            // Grammar of other shells.
            CompoundCommand::Repeat(_) | CompoundCommand::Foreach(_) | CompoundCommand::Always(_) => {
                self.doubt(Reason::UnsupportedSyntax, statement.span);
                Flow::same(folders)
            }
        }
    }

    fn if_command(&mut self, command: &IfCommand, folders: &Folders, stdin: &Stdin) -> Flow {
        if matches!(command.syntax, IfSyntax::Brace { .. }) {
            self.doubt(Reason::UnsupportedSyntax, command.span);
        }
        let stdin = shared(stdin);
        let tested = self.sometimes(|walker| walker.sequence(&command.condition, folders, &stdin));
        self.sometimes(|walker| {
            let mut after = walker.sequence(&command.then_branch, &tested.ok, &stdin).any();
            let mut otherwise = tested.failed;
            for (condition, body) in &command.elif_branches {
                let tested = walker.sequence(condition, &otherwise, &stdin);
                after = after.or(&walker.sequence(body, &tested.ok, &stdin).any());
                otherwise = tested.failed;
            }
            let last = match &command.else_branch {
                Some(body) => walker.sequence(body, &otherwise, &stdin).any(),
                None => otherwise,
            };
            Flow::same(&after.or(&last))
        })
    }

    fn for_command(&mut self, command: &ForCommand, folders: &Folders, stdin: &Stdin) -> Flow {
        let stdin = shared(stdin);
        if !matches!(command.syntax, ForSyntax::InDoDone { .. }) {
            self.doubt(Reason::UnsupportedSyntax, command.span);
        }
        let words = command.words.as_deref().unwrap_or_default();
        let array = match words {
            [word] => array_of(word.span.slice(self.source)),
            _ => None,
        };
        let numeric = command.words.is_some() && words.iter().all(|word| self.is_numeric(word));
        for target in &command.targets {
            self.cover.all(target.span);
            match &target.name {
                Some(name) => {
                    if let Some(array) = array {
                        self.arithmetic.copies(name.as_str(), array);
                    } else if !numeric {
                        self.arithmetic.taint(name.as_str());
                    }
                    self.rebind(name.as_str(), target.span);
                }
                None => self.doubt(Reason::UnsupportedSyntax, target.span),
            }
        }
        self.loop_words(words, folders);
        let rounds = self.rounds_of(command, words, folders);
        let around = self.rounds;
        self.rounds = around * rounds.len();
        let flow = self.repeated(folders, |walker, at| {
            let mut after = at.clone();
            for constant in &rounds {
                let known = walker.state.constants.len();
                walker.state.constants.extend(constant.clone());
                after = walker.sequence(&command.body, &after, &stdin).any();
                walker.state.constants.truncate(known);
            }
            after
        });
        self.rounds = around;
        flow
    }

    /// The values that the variable of a loop takes, one for each round; a round without one stands for all of them.
    fn rounds_of(&mut self, command: &ForCommand, words: &[Word], folders: &Folders) -> Vec<Option<Constant>> {
        let name = match command.targets.as_slice() {
            [target] => target.name.as_ref().map(|name| name.as_str().to_owned()),
            _ => None,
        };
        let Some(name) = name.filter(|name| self.is_set_once(name)) else {
            return vec![None];
        };
        let folder = folders.reached().into_iter().next().unwrap_or(Folder::Unknown);
        let mut values = Vec::new();
        for word in words {
            values.extend(self.words_of(word, &folder, Use::Argument));
        }
        let is_known = values.iter().all(|value| value.kind != WordKind::Dynamic);
        if values.is_empty() || !is_known || values.len() * self.rounds > ROUNDS_MAX {
            return vec![None];
        }
        self.counters.rely();
        let constant = |word: holdpoint_guest::Word| {
            Some(Constant { name: name.clone(), value: word.text, kind: word.kind, from: From::Loop })
        };
        values.into_iter().map(constant).collect()
    }

    fn is_numeric(&mut self, word: &Word) -> bool {
        use shuck_ast::WordPart;
        if let [part] = word.parts.as_slice()
            && let WordPart::CommandSubstitution { body, .. } = &part.kind
        {
            return self.prints_numbers(body);
        }
        self.words_of(word, &Folder::Unknown, Use::Argument)
            .iter()
            .all(|word| word.known().is_some_and(|text| text.bytes().all(|byte| byte.is_ascii_digit())))
    }

    fn loop_words(&mut self, words: &[Word], folders: &Folders) {
        for word in words {
            self.visit_word(word, Zone::Bare, folders);
        }
    }

    fn arithmetic_for(&mut self, command: &ArithmeticForCommand, folders: &Folders, stdin: &Stdin) -> Flow {
        let stdin = shared(stdin);
        self.only_bash(command.span);
        let (start, end) = (command.left_paren_span.end.offset(), command.right_paren_span.start.offset());
        self.cover.range(command.left_paren_span.start.offset(), command.right_paren_span.end.offset());
        self.arithmetic(start, end);
        let rounds = self.rounds_of_count(command);
        self.looping(rounds, |walker| {
            walker.repeated(folders, |walker, at| walker.sequence(&command.body, at, &stdin).any())
        })
    }

    /// Walks a part that runs any number of times. If it changes the working folder, it may start in any.
    fn repeated(&mut self, folders: &Folders, walk: impl Fn(&mut Self, &Folders) -> Folders) -> Flow {
        let mark = self.out.mark();
        let state = self.state.clone();
        let moves = self.moves;
        let after = self.sometimes(|walker| walk(walker, folders));
        // The loop may end anywhere in it, after its condition or at a `break`.
        if after.or(folders) == *folders && self.moves == moves {
            return Flow::same(folders);
        }
        self.out.rewind(mark);
        self.state = state;
        let unknown = Folders::only(Folder::Unknown);
        self.sometimes(|walker| walk(walker, &unknown));
        Flow::same(&unknown)
    }

    fn case_command(&mut self, command: &CaseCommand, folders: &Folders, stdin: &Stdin) -> Flow {
        self.visit_word(&command.word, Zone::Bare, folders);
        let stdin = shared(stdin);
        let mut after = folders.clone();
        for item in &command.cases {
            for pattern in &item.patterns {
                self.visit_pattern(pattern, folders);
            }
            if let Some(span) = item.terminator_span {
                self.cover.all(span);
            }
            let start = match item.terminator {
                CaseTerminator::Break => folders.clone(),
                CaseTerminator::FallThrough | CaseTerminator::Continue | CaseTerminator::ContinueMatching => {
                    self.only_bash(command.span);
                    after.clone()
                }
            };
            let reached = start.or(&after);
            let flow = self.sometimes(|walker| walker.sequence(&item.body, &reached, &stdin));
            after = after.or(&flow.any());
        }
        Flow::same(&after)
    }

    fn coprocess(&mut self, command: &CoprocCommand, folders: &Folders) -> Flow {
        self.only_bash(command.span);
        if let Some(span) = command.name_span {
            self.cover.all(span);
        }
        self.rebind(command.name.as_str(), command.name_span.unwrap_or(command.span));
        let origin = self.place.of(command.span);
        self.leaves_running(origin);
        self.spawning.enter_parallel();
        self.isolated(|walker| walker.statement(&command.body, folders, &Stdin::unseen()));
        self.spawning.leave_parallel();
        self.shell_state("coproc", command.name.as_str(), origin);
        Flow::same(folders)
    }
}

/// Input that several commands share: what one of them leaves is not known.
fn shared(stdin: &Stdin) -> Stdin {
    match stdin {
        Stdin::Plain(holdpoint_guest::Input::Inherited) => Stdin::inherited(),
        Stdin::Plain(_) | Stdin::Delegates(_) => Stdin::unseen(),
    }
}

/// The variable whose elements are all of the words of a loop.
fn array_of(word: &str) -> Option<&str> {
    let name = word.strip_prefix("\"${")?.strip_suffix("[@]}\"")?;
    is_name(name).then_some(name)
}
