//! Which bytes of a text some node accounts for. What is left must be white space, operators, reserved words and
//! comments; anything else is text that the shell may run and the parser has overlooked.

/// Byte ranges that were accounted for.
#[derive(Default)]
pub(crate) struct Cover {
    ranges: Vec<(usize, usize)>,
    /// Lines that end here-documents.
    delimiters: Vec<String>,
}

/// Words of the grammar that stand outside of any node. Sorted.
const RESERVED: &[&str] = &[
    "!", "-p", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function", "if", "in", "select",
    "then", "time", "until", "while", "{", "}",
];

impl Cover {
    /// Accounts for all of a node.
    pub(crate) fn all(&mut self, span: shuck_ast::Span) {
        self.range(span.start.offset(), span.end.offset());
    }

    /// Accounts for bytes `start..end`.
    pub(crate) fn range(&mut self, start: usize, end: usize) {
        if start < end {
            self.ranges.push((start, end));
        }
    }

    /// Accounts for the line that ends a here-document.
    pub(crate) fn delimiter(&mut self, text: &str) {
        self.delimiters.push(text.to_owned());
    }

    /// The first bytes that nothing accounts for.
    pub(crate) fn residue(&mut self, source: &str) -> Option<(usize, usize)> {
        self.ranges.sort_unstable();
        let mut at = 0usize;
        let ranges = std::mem::take(&mut self.ranges);
        for (start, end) in ranges.into_iter().chain([(source.len(), source.len())]) {
            if at < start && !self.is_inert(source.get(at..start)?) {
                return Some((at, start));
            }
            at = at.max(end);
        }
        None
    }

    /// Whether a stretch between nodes is nothing but operators, reserved words, comments and ends of here-documents.
    fn is_inert(&self, gap: &str) -> bool {
        gap.split('\n').all(|line| {
            let ends_heredoc = self.delimiters.iter().any(|known| line.trim_start_matches('\t') == known);
            ends_heredoc || self.is_inert_line(line)
        })
    }

    fn is_inert_line(&self, line: &str) -> bool {
        let mut word = String::new();
        let mut characters = line.chars().chain(['\n']).peekable();
        while let Some(character) = characters.next() {
            match character {
                '#' if word.is_empty() => return true,
                '\\' if word.is_empty() && characters.peek() == Some(&'\n') => {}
                ' ' | '\t' | '\n' | ';' | '&' | '|' | '(' | ')' | '<' | '>' => {
                    let known = word.is_empty() || RESERVED.binary_search(&&*word).is_ok();
                    if !known {
                        return false;
                    }
                    word.clear();
                }
                _ => word.push(character),
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn residue(source: &str, covered: &[(usize, usize)]) -> Option<(usize, usize)> {
        let mut cover = Cover::default();
        for &(start, end) in covered {
            cover.range(start, end);
        }
        cover.delimiter("EOF");
        cover.residue(source)
    }

    #[test]
    fn operators_keywords_and_comments_are_inert() {
        assert!(RESERVED.is_sorted());
        assert_eq!(residue("if a; then b; fi # $(c)\n", &[(3, 4), (11, 12)]), None);
        assert_eq!(residue("a && \\\n b", &[(0, 1), (8, 9)]), None);
        assert_eq!(residue("a\nEOF\n", &[(0, 1)]), None);
    }

    #[test]
    fn everything_else_is_left_over() {
        assert_eq!(residue("a $(b)", &[(0, 1)]), Some((1, 6)));
        assert_eq!(residue("a; b", &[(0, 1)]), Some((1, 4)));
        assert_eq!(residue("a `", &[(0, 1)]), Some((1, 3)));
        assert_eq!(residue("a\nEOX\n", &[(0, 1)]), Some((1, 6)));
    }
}
