//! Lists and pipelines. Long chains lean to the left in the tree, so they are taken apart without recursion.

use holdpoint_guest::Input;
use shuck_ast::{BinaryCommand, BinaryOp, Command, RedirectKind, Stmt};

use super::{Flow, Stdin, Walker};
use crate::state::Folders;

impl Walker<'_> {
    /// Walks `a && b`, `a || b` and `a | b`.
    pub(crate) fn binary(&mut self, binary: &BinaryCommand, folders: &Folders, stdin: &Stdin) -> Flow {
        match binary.op {
            BinaryOp::And | BinaryOp::Or => self.and_or(binary, folders, stdin),
            BinaryOp::Pipe | BinaryOp::PipeAll => self.pipeline(binary, folders, stdin),
        }
    }

    fn and_or(&mut self, binary: &BinaryCommand, folders: &Folders, stdin: &Stdin) -> Flow {
        let (first, rest) = spine(binary, |op| matches!(op, BinaryOp::And | BinaryOp::Or));
        let mut flow = self.sometimes_if_more(first, folders, stdin);
        for (op, statement) in rest {
            let next = match op {
                BinaryOp::Or => {
                    let next = self.sometimes(|walker| walker.statement(statement, &flow.failed, stdin));
                    Flow { ok: flow.ok.or(&next.ok), failed: next.failed, program: None }
                }
                BinaryOp::And | BinaryOp::Pipe | BinaryOp::PipeAll => {
                    let next = self.sometimes(|walker| walker.statement(statement, &flow.ok, stdin));
                    Flow { ok: next.ok, failed: flow.failed.or(&next.failed), program: None }
                }
            };
            flow = next;
        }
        flow
    }

    /// The first command of a list always runs, but its failure does not end the shell under `set -e`.
    fn sometimes_if_more(&mut self, first: &Stmt, folders: &Folders, stdin: &Stdin) -> Flow {
        let flow = self.tested(|walker| walker.statement(first, folders, stdin));
        Flow { program: None, ..flow }
    }

    fn pipeline(&mut self, binary: &BinaryCommand, folders: &Folders, stdin: &Stdin) -> Flow {
        let (first, rest) = spine(binary, |op| matches!(op, BinaryOp::Pipe | BinaryOp::PipeAll));
        self.spawning.enter_parallel();
        let around = self.spawning.endless_input;
        let mut input = self.piped(first, folders, stdin);
        let mut endless = self.prints_without_end(first);
        for (op, statement) in rest {
            if op == BinaryOp::PipeAll {
                self.only_bash(statement.span);
            }
            self.spawning.endless_input = endless;
            input = self.piped(statement, folders, &input);
            endless = self.prints_without_end(statement);
        }
        self.spawning.endless_input = around;
        self.spawning.leave_parallel();
        Flow::same(folders)
    }

    /// Walks one command of a pipeline. Returns what the next one reads.
    fn piped(&mut self, statement: &Stmt, folders: &Folders, stdin: &Stdin) -> Stdin {
        self.printed = None;
        let flow = self.isolated(|walker| walker.statement(statement, folders, stdin));
        match self.printed.take().filter(|_| prints_all(statement)) {
            Some(text) => Stdin::Plain(Input::Text(text)),
            None => flow.program.map_or_else(Stdin::unseen, Stdin::Delegates),
        }
    }
}

/// Whether a command prints to the pipe behind it all that it prints, and nothing else is printed there.
fn prints_all(statement: &Stmt) -> bool {
    matches!(statement.command, Command::Simple(_))
        && statement.terminator.is_none()
        && statement.redirects.iter().all(|redirect| redirect.fd.unwrap_or(0) == 0 && is_input(redirect.kind))
}

fn is_input(kind: RedirectKind) -> bool {
    match kind {
        RedirectKind::Input | RedirectKind::HereDoc | RedirectKind::HereDocStrip | RedirectKind::HereString => true,
        RedirectKind::Output
        | RedirectKind::Clobber
        | RedirectKind::Append
        | RedirectKind::ReadWrite
        | RedirectKind::DupOutput
        | RedirectKind::DupInput
        | RedirectKind::OutputBoth => false,
    }
}

/// The first command of a chain, and the others with the operator before each.
fn spine(binary: &BinaryCommand, belongs: fn(BinaryOp) -> bool) -> (&Stmt, Vec<(BinaryOp, &Stmt)>) {
    let mut rest = vec![(binary.op, &*binary.right)];
    let mut left = &*binary.left;
    while let Command::Binary(inner) = &left.command {
        let plain = belongs(inner.op) && !left.negated && left.redirects.is_empty() && left.terminator.is_none();
        if !plain {
            break;
        }
        rest.push((inner.op, &inner.right));
        left = &inner.left;
    }
    rest.reverse();
    (left, rest)
}
