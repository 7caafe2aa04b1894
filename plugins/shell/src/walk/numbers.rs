//! Which expansions can only be numbers, so that arithmetic over them runs nothing.

use shuck_ast::{Command, SimpleCommand, StmtSeq, Word, WordPart, WordPartNode};

use super::Walker;
use super::arith::is_number;
use crate::word::{Atom, Unknown, Zone, word_atoms};

/// Letters after `%` for which `date` prints digits.
const DATE_DIGITS: &[u8] = b"CGHIMNSUVWYdgjmsuwy-0123456789";

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
        let mut command = &statement.command;
        while let Command::Binary(binary) = command {
            command = &binary.right.command;
        }
        let Command::Simple(simple) = command else {
            return false;
        };
        let name = simple.name.span.slice(self.source);
        // Another command of that name may print anything.
        !self.may_be_replaced(name)
            && match name {
                "nproc" => true,
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
            Some([Atom::Unknown { what: Unknown::Positional, quoted: false }]) => {
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
        ] {
            let found = show(&classify(&bash(text)));
            assert!(!found.contains("doubt"), "{text}\n{found}");
        }
        for text in [
            "x=$(date +$f); ((x))",
            "x=$(expr \"$f\"); ((x))",
            "f=$(cat f); x=$(expr $f + 1); ((x))",
            "x=$(wc -l f); ((x))",
            "for i in $(seq -f $f 3); do ((i)); done",
            "wc() { cat f; }; x=$(wc -l); ((x))",
        ] {
            let found = show(&classify(&bash(text)));
            assert!(found.contains("doubt"), "{text}\n{found}");
        }
    }
}
