//! Which expansions can only be numbers, so that arithmetic over them runs nothing.

use shuck_ast::{
    BinaryOp, Command, RedirectKind, RedirectTarget, SimpleCommand, Stmt, StmtSeq, Word, WordPart, WordPartNode,
};

use super::Walker;
use super::arith::is_number;
use crate::word::{Atom, Unknown, Zone, word_atoms};

/// Letters after `%` for which `date` prints digits.
const DATE_DIGITS: &[u8] = b"CGHIMNSUVWYdgjmsuwy-0123456789";

/// Long options of `grep` with which it still prints a number and nothing else.
const COUNTING: &[&str] = &["count", "ignore-case", "invert-match", "line-regexp", "no-messages", "word-regexp"];

impl Walker<'_> {
    /// Whether a value is an expansion that can only be a number.
    pub(crate) fn is_number_expansion(&mut self, parts: &[WordPartNode]) -> bool {
        !parts.is_empty()
            && parts.iter().all(|part| match &part.kind {
                WordPart::ArithmeticExpansion { .. } => true,
                WordPart::Parameter(parameter) => {
                    matches!(parameter.bourne(), Some(shuck_ast::BourneParameterExpansion::Length { .. }))
                }
                WordPart::CommandSubstitution { body, .. } => self.prints_numbers(body),
                WordPart::DoubleQuoted { parts, .. } => self.is_number_expansion(parts),
                _ => false,
            })
    }

    /// Whether the last command of a substitution is a program that prints only numbers.
    pub(crate) fn prints_numbers(&mut self, body: &StmtSeq) -> bool {
        let [statement] = body.as_slice() else {
            return false;
        };
        let mut open = vec![statement];
        while let Some(statement) = open.pop() {
            let is_number = match &statement.command {
                Command::Binary(binary) => {
                    open.push(&binary.right);
                    // Both sides of a list print; the left one of a pipe does not.
                    match binary.op {
                        BinaryOp::And | BinaryOp::Or => open.push(&binary.left),
                        BinaryOp::Pipe | BinaryOp::PipeAll => {}
                    }
                    true
                }
                Command::Simple(simple) => self.prints_number(simple),
                Command::Builtin(_)
                | Command::Decl(_)
                | Command::Compound(_)
                | Command::Function(_)
                | Command::AnonymousFunction(_) => false,
            };
            if !is_number || !self.keeps_errors_apart(statement) {
                return false;
            }
        }
        true
    }

    /// Whether what a command says of errors is not among what it prints: it may quote anything.
    fn keeps_errors_apart(&self, statement: &Stmt) -> bool {
        statement.redirects.iter().all(|redirect| match (redirect.kind, &redirect.target) {
            (RedirectKind::HereString | RedirectKind::Input, _) | (_, RedirectTarget::Heredoc(_)) => true,
            (RedirectKind::Output | RedirectKind::Append, RedirectTarget::Word(word)) => {
                word.span.slice(self.source) == "/dev/null"
            }
            (_, RedirectTarget::Word(_)) => false,
        })
    }

    fn prints_number(&mut self, simple: &SimpleCommand) -> bool {
        let name = simple.name.span.slice(self.source);
        // Another command of that name may print anything.
        !self.may_be_replaced(name)
            && match name {
                "nproc" | "true" | ":" => true,
                "echo" => simple.args.iter().all(|word| self.literal(word).is_some_and(|text| is_number(&text))),
                "grep" => self.counts_lines(simple),
                "date" => {
                    simple.args.iter().any(|word| self.literal(word).is_some_and(|text| is_date_of_digits(&text)))
                }
                "id" => {
                    simple.args.iter().all(|word| matches!(self.literal(word).as_deref(), Some("-u" | "-g" | "-r")))
                }
                "wc" => simple.args.iter().all(|word| {
                    let letters = self.literal(word).and_then(|text| text.strip_prefix('-').map(str::to_owned));
                    letters.is_some_and(|letters| letters.bytes().all(|byte| b"lcwm".contains(&byte)))
                }),
                "seq" => self.are_operands(simple, &["-w"]),
                // A single operand is printed as it is.
                "expr" => simple.args.len() >= 3 && self.are_operands(simple, &["+", "-", "*", "/", "%"]),
                _ => false,
            }
    }

    /// Whether `grep` counts the lines of one file. With more files, or with folders, it prints their names too.
    fn counts_lines(&self, command: &SimpleCommand) -> bool {
        let words: Option<Vec<String>> = command.args.iter().map(|word| self.one_literal(word)).collect();
        let Some(words) = words else { return false };
        let (options, operands): (Vec<&str>, Vec<&str>) =
            words.iter().map(String::as_str).partition(|word| word.starts_with('-') && *word != "-");
        let known = options.iter().all(|option| match option.strip_prefix("--") {
            Some(long) => COUNTING.contains(&long),
            None => option.bytes().skip(1).all(|letter| b"ciEFGPvwxhsa".contains(&letter)),
        });
        let counts =
            options.iter().any(|option| *option == "--count" || !option.starts_with("--") && option.contains('c'));
        known && counts && matches!(operands.len(), 1 | 2)
    }

    /// The text of a word that surely is one word.
    fn one_literal(&self, word: &Word) -> Option<String> {
        let active = |atom: &Atom| match atom {
            Atom::Text { text, quoted } => !quoted && text.contains(['*', '?', '[', '{', '~']),
            Atom::Unknown { .. } => true,
        };
        let atoms = word_atoms(word, self.source, Zone::Bare)?;
        if atoms.iter().any(active) { None } else { self.literal(word) }
    }

    /// Whether all arguments are numbers, variables that hold numbers, or among `others`.
    fn are_operands(&mut self, command: &SimpleCommand, others: &[&str]) -> bool {
        command.args.iter().all(|word| match word_atoms(word, self.source, Zone::Bare).as_deref() {
            Some([Atom::Unknown { what: Unknown::Variable(name), quoted: false }]) => {
                // Without quotes it may be several words, options and operators among them.
                let origin = self.place.of(word.span);
                self.arithmetic.evaluates_names(name, origin);
                true
            }
            Some([Atom::Text { text, quoted: true }, Atom::Unknown { what: Unknown::Variable(_), quoted: true }]) => {
                text.is_empty() && command.args.len() > 1
            }
            Some([Atom::Unknown { what: Unknown::Positional(_), quoted: false }]) => {
                let origin = self.place.of(word.span);
                self.arithmetic.evaluates_data(origin);
                true
            }
            Some([Atom::Unknown { what: Unknown::Other, .. }]) => self.is_number_expansion(&word.parts),
            Some(_) | None => self.literal(word).is_some_and(|text| is_number(&text) || others.contains(&&*text)),
        })
    }

    /// The text of a word in which nothing expands.
    fn literal(&self, word: &Word) -> Option<String> {
        let atoms = word_atoms(word, self.source, Zone::Bare)?;
        atoms
            .iter()
            .map(|atom| match atom {
                Atom::Text { text, .. } => Some(text.as_str()),
                Atom::Unknown { .. } => None,
            })
            .collect()
    }
}

/// Whether a format of `date` gives digits only.
fn is_date_of_digits(format: &str) -> bool {
    let Some(conversions) = format.strip_prefix("+%") else { return false };
    conversions.split('%').all(|part| !part.is_empty() && part.bytes().all(|byte| DATE_DIGITS.contains(&byte)))
}

#[cfg(test)]
mod tests {
    use super::is_date_of_digits;
    use crate::classify;
    use crate::testing::{bash, show};

    #[test]
    fn dates_of_digits_are_told_from_others() {
        for format in ["+%s", "+%Y%m%d", "+%-d", "+%s%3N"] {
            assert!(is_date_of_digits(format), "{format}");
        }
        for format in ["+%A", "+a[%s]", "+%s a", "%s", "+", "+%"] {
            assert!(!is_date_of_digits(format), "{format}");
        }
    }

    #[test]
    fn programs_count_only_if_their_words_let_them() {
        for text in [
            "x=$(date +%s); ((x))",
            "i=0; i=$(expr $i + 1); ((i))",
            "for i in $(seq 1 3); do ((i)); done",
            "n=5; for i in $(seq 1 $n); do ((i)); done",
            "x=$(ls | wc -l); ((x > 3))",
            "n=$(grep -c x f); echo $((n+1))",
            "n=$(grep -c 'a b' f || true); echo $((n+1))",
            "n=$(ls | grep -ci '^a*' 2>/dev/null || echo 0); echo $((n+1))",
            "n=$(wc -l < f); head -n $((n-1)) f",
        ] {
            let found = show(&classify(&bash(text)));
            assert!(!found.contains("doubt"), "{text}\n{found}");
        }
        for text in [
            "x=$(date +$f); ((x))",
            "x=$(expr \"$f\"); ((x))",
            "f=$(cat f); x=$(expr $f + 1); ((x))",
            "x=$(wc -l f); ((x))",
            "x=$(cat f && nproc); ((x))",
            "x=$(cat f || nproc); ((x))",
            "x=$(nproc 2>&1); ((x))",
            "x=$(nproc; cat f); ((x))",
            "x=$(grep -c x f g); ((x))",
            "x=$(grep -c x *.c); ((x))",
            "x=$(grep -c x {f,g}); ((x))",
            "x=$(grep -c x \"$f\"); ((x))",
            "x=$(grep -cr x f); ((x))",
            "x=$(grep -cH x f); ((x))",
            "x=$(grep x f); ((x))",
            "x=$(grep -c -e x f g); ((x))",
            "x=$(echo 'a[0]'); ((x))",
            "for i in $(seq -f $f 3); do ((i)); done",
            "wc() { cat f; }; x=$(wc -l); ((x))",
        ] {
            let found = show(&classify(&bash(text)));
            assert!(found.contains("doubt"), "{text}\n{found}");
        }
    }
}
