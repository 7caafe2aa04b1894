//! The parser of sed scripts. It finds where each command ends and what it reaches outside; it must never go on after
//! something that versions of sed read differently.

/// What a script does besides editing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effect<'a> {
    Read(&'a str),
    Write(&'a str),
    /// A command line; empty when the text being edited is run.
    Run(&'a str),
}

/// What the script does, or `None` where it is not understood.
pub(super) fn effects(script: &str) -> Option<Vec<Effect<'_>>> {
    let mut parser = Parser { text: script, at: 0, effects: Vec::new() };
    while parser.command()? {}
    Some(parser.effects)
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    effects: Vec<Effect<'a>>,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.at = self.at.saturating_add(letter.len_utf8());
        Some(letter)
    }

    fn skip(&mut self, wanted: impl Fn(char) -> bool) {
        while self.peek().is_some_and(&wanted) {
            self.next();
        }
    }

    fn blanks(&mut self) {
        self.skip(|letter| letter == ' ' || letter == '\t');
    }

    /// The text up to the end of the line.
    fn line(&mut self) -> &'a str {
        let rest = self.rest();
        let end = rest.find('\n').unwrap_or(rest.len());
        self.at = self.at.saturating_add(end);
        rest.split_at(end).0
    }

    /// Reads one command. `Some(false)` at the end of the script.
    fn command(&mut self) -> Option<bool> {
        self.skip(|letter| letter.is_ascii_whitespace() || letter == ';');
        if self.peek().is_none() {
            return Some(false);
        }
        self.addresses()?;
        self.blanks();
        while self.peek() == Some('!') {
            self.next();
            self.blanks();
        }
        match self.next()? {
            '{' => {}
            '}' => self.end()?,
            '#' => {
                self.line();
            }
            '=' | 'd' | 'D' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'p' | 'P' | 'x' | 'z' | 'F' => self.end()?,
            'q' | 'Q' | 'l' | 'L' => {
                self.blanks();
                self.skip(|letter| letter.is_ascii_digit());
                self.end()?;
            }
            'a' | 'i' | 'c' => self.text_block(),
            ':' | 'b' | 't' | 'T' | 'v' => self.label()?,
            'r' | 'R' => self.file(Effect::Read)?,
            'w' | 'W' => self.file(Effect::Write)?,
            'e' => {
                self.blanks();
                let command = self.line();
                self.effects.push(Effect::Run(command));
            }
            's' => self.substitute()?,
            'y' => self.transliterate()?,
            _ => return None,
        }
        Some(true)
    }

    /// Nothing more may follow a command on its line, except what closes it.
    fn end(&mut self) -> Option<()> {
        self.blanks();
        match self.peek() {
            None | Some('\n' | ';' | '}' | '#') => Some(()),
            Some(_) => None,
        }
    }

    fn addresses(&mut self) -> Option<()> {
        if !self.address()? {
            return Some(());
        }
        self.blanks();
        if self.peek() == Some(',') {
            self.next();
            self.blanks();
            if matches!(self.peek(), Some('+' | '~')) {
                self.next();
            }
            if !self.address()? {
                return None;
            }
        }
        Some(())
    }

    /// Reads one address if there is one.
    fn address(&mut self) -> Option<bool> {
        match self.peek() {
            Some('$') => {
                self.next();
            }
            Some(letter) if letter.is_ascii_digit() => {
                self.skip(|letter| letter.is_ascii_digit());
                self.blanks();
                if self.peek() == Some('~') {
                    self.next();
                    self.skip(|letter| letter.is_ascii_digit());
                }
            }
            Some('/') => {
                self.next();
                self.pattern('/')?;
                self.skip(|letter| letter == 'I' || letter == 'M');
            }
            Some('\\') => {
                self.next();
                let delimiter = self.delimiter()?;
                self.pattern(delimiter)?;
                self.skip(|letter| letter == 'I' || letter == 'M');
            }
            Some(_) | None => return Some(false),
        }
        Some(true)
    }

    /// A delimiter that no version gives another meaning.
    fn delimiter(&mut self) -> Option<char> {
        let letter = self.next()?;
        let odd = letter == '\\' || letter == '\n' || letter == '[' || letter == ']' || !letter.is_ascii();
        (!odd).then_some(letter)
    }

    /// A regular expression up to its delimiter; within brackets the delimiter is an ordinary character.
    fn pattern(&mut self, delimiter: char) -> Option<()> {
        loop {
            match self.next()? {
                '\n' => return None,
                '\\' => {
                    self.next()?;
                }
                '[' => self.brackets()?,
                letter if letter == delimiter => return Some(()),
                _ => {}
            }
        }
    }

    /// A bracket expression after its `[`.
    fn brackets(&mut self) -> Option<()> {
        if self.peek() == Some('^') {
            self.next();
        }
        if self.peek() == Some(']') {
            self.next();
        }
        loop {
            match self.next()? {
                ']' => return Some(()),
                '\n' => return None,
                // Versions differ on whether a backslash is itself here.
                '\\' if self.peek() == Some(']') => return None,
                '[' => match self.peek() {
                    Some(':') => {
                        self.next();
                        self.skip(|letter| letter.is_ascii_alphabetic());
                        if self.next()? != ':' || self.next()? != ']' {
                            return None;
                        }
                    }
                    Some('.' | '=') => return None,
                    Some(_) | None => {}
                },
                _ => {}
            }
        }
    }

    /// A replacement up to its delimiter.
    fn replacement(&mut self, delimiter: char) -> Option<()> {
        loop {
            match self.next()? {
                '\\' => {
                    self.next()?;
                }
                letter if letter == delimiter => return Some(()),
                _ => {}
            }
        }
    }

    fn substitute(&mut self) -> Option<()> {
        let delimiter = self.delimiter()?;
        self.pattern(delimiter)?;
        self.replacement(delimiter)?;
        loop {
            match self.peek() {
                Some('g' | 'p' | 'i' | 'I' | 'm' | 'M') => {
                    self.next();
                }
                Some(letter) if letter.is_ascii_digit() => {
                    self.next();
                }
                Some('e') => {
                    self.next();
                    self.effects.push(Effect::Run(""));
                }
                Some('w') => {
                    self.next();
                    return self.file(Effect::Write);
                }
                Some(_) | None => return self.end(),
            }
        }
    }

    fn transliterate(&mut self) -> Option<()> {
        let delimiter = self.delimiter()?;
        self.replacement(delimiter)?;
        self.replacement(delimiter)?;
        self.end()
    }

    /// A file name reaches to the end of the line, whatever it holds.
    fn file(&mut self, effect: impl Fn(&'a str) -> Effect<'a>) -> Option<()> {
        self.blanks();
        let name = self.line();
        if name.is_empty() {
            return None;
        }
        self.effects.push(effect(name));
        Some(())
    }

    /// Text of `a`, `i`, `c`: up to the first end of line that no backslash hides.
    fn text_block(&mut self) {
        while let Some(letter) = self.next() {
            match letter {
                '\\' => {
                    self.next();
                }
                '\n' => return,
                _ => {}
            }
        }
    }

    /// A label. Versions differ on whether blanks and `}` end it, so these may only be followed by an end.
    fn label(&mut self) -> Option<()> {
        self.blanks();
        self.skip(|letter| letter.is_ascii_alphanumeric() || letter == '_' || letter == '.' || letter == '-');
        self.blanks();
        self.skip(|letter| letter == '}');
        self.blanks();
        match self.peek() {
            None | Some('\n' | ';') => Some(()),
            Some(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn harmless_scripts_are_understood() {
        let scripts = [
            "s/a/b/",
            "s/a/b/g;p",
            "1,5p",
            "$d",
            "/x/,/y/d",
            "/x/!d",
            "s|[^/]*$||",
            "s/[^/]*$//",
            "N;N;s/\\n/,/g",
            "5q",
            "=",
            "/a/{s/b/c/;p}",
            ":a;N;$!ba;s/\\n/ /g",
            "1~2d",
            "0,/x/s//y/",
            "$!N",
            "y/abc/xyz/",
            "/x/I,+2p",
            "a foo",
            "1i\\\nfoo",
            "s/\\(a\\)/\\1/2p",
            "\\,x,d",
            "/[[:space:]]/d",
            "s/a/b/;t;d",
            "",
            "n;d",
            "1!G;h;$!d",
            "/^$/{N;/^\\n$/D}",
            "s/x/y\\\nz/",
        ];
        for script in scripts {
            assert_eq!(effects(script), Some(Vec::new()), "{script}");
        }
    }

    #[test]
    fn effects_are_seen_wherever_they_stand() {
        let cases: [(&str, &[Effect<'_>]); 14] = [
            ("w out", &[Effect::Write("out")]),
            ("/x/w out;p", &[Effect::Write("out;p")]),
            ("s/a/b/w out", &[Effect::Write("out")]),
            ("s/a/b/gpw out", &[Effect::Write("out")]),
            ("1e touch P", &[Effect::Run("touch P")]),
            ("e", &[Effect::Run("")]),
            ("s/x/touch P/e", &[Effect::Run("")]),
            ("s/x/y/;W z", &[Effect::Write("z")]),
            ("r /etc/passwd", &[Effect::Read("/etc/passwd")]),
            ("/x/{p;R f\n}", &[Effect::Read("f")]),
            ("s/[/]/x/w f", &[Effect::Write("f")]),
            ("a foo\nw f", &[Effect::Write("f")]),
            ("$!{\n1e id\n}", &[Effect::Run("id")]),
            (":a;w f", &[Effect::Write("f")]),
        ];
        for (script, expected) in cases {
            assert_eq!(effects(script).as_deref(), Some(expected), "{script}");
        }
    }

    #[test]
    fn what_versions_read_differently_is_not_understood() {
        for script in ["b x}a w f", ":a w f", "s/a/b", "k", "p w f", "s/[\\]/w f/x/", "1,p", "s/a/b/q", "w", "s[a[b["] {
            assert_eq!(effects(script), None, "{script}");
        }
    }
}
