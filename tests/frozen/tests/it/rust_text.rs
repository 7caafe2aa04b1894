//! Rust files as words: enough to find functions, test modules and banned words without being fooled by what stands in
//! a string, a character or a comment.

/// One word, one sign, or one whole literal with its quotes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) text: String,
    /// Counted from 1.
    pub(crate) line: usize,
}

/// A function with a body.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Function {
    pub(crate) name: String,
    /// The line of `fn`.
    pub(crate) first: usize,
    /// The line of the closing brace.
    pub(crate) last: usize,
}

/// A module under `#[cfg(test)]`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum TestModule {
    /// In these lines of the same file.
    Here { first: usize, last: usize },
    /// In a file of this name, next to this one or in its folder.
    Elsewhere(String),
}

/// The words of a file. Comments are left out.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut reader = Reader { chars: text.chars().collect(), at: 0, line: 1 };
    let mut tokens = Vec::new();
    while let Some(first) = reader.peek(0) {
        let line = reader.line;
        let start = reader.at;
        if first.is_whitespace() {
            reader.skip(1);
        } else if first == '/' && reader.peek(1) == Some('/') {
            reader.skip_while(|character| character != '\n');
        } else if first == '/' && reader.peek(1) == Some('*') {
            reader.skip_block_comment();
        } else {
            reader.skip_token(first);
            let text = reader.chars[start..reader.at].iter().collect();
            tokens.push(Token { text, line });
        }
    }
    tokens
}

struct Reader {
    chars: Vec<char>,
    at: usize,
    line: usize,
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

impl Reader {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn skip(&mut self, count: usize) {
        for _ in 0..count {
            if self.peek(0) == Some('\n') {
                self.line += 1;
            }
            self.at += 1;
        }
        self.at = self.at.min(self.chars.len());
    }

    fn skip_while(&mut self, more: impl Fn(char) -> bool) {
        while self.peek(0).is_some_and(&more) {
            self.skip(1);
        }
    }

    fn skip_block_comment(&mut self) {
        let mut depth = 0_usize;
        loop {
            match (self.peek(0), self.peek(1)) {
                (None, _) => return,
                (Some('/'), Some('*')) => depth += 1,
                (Some('*'), Some('/')) => depth -= 1,
                _ => {
                    self.skip(1);
                    continue;
                }
            }
            self.skip(2);
            if depth == 0 {
                return;
            }
        }
    }

    fn skip_token(&mut self, first: char) {
        if let Some(hashes) = self.raw_string() {
            self.skip_raw_string(hashes);
        } else if first == '"' {
            self.skip_quoted('"');
        } else if matches!(first, 'b' | 'c') && self.peek(1) == Some('"') {
            self.skip(1);
            self.skip_quoted('"');
        } else if first == 'b' && self.peek(1) == Some('\'') {
            self.skip(1);
            self.skip_quoted('\'');
        } else if first == '\'' {
            // A lifetime has no quote after its first character.
            if self.peek(1) == Some('\\') || self.peek(2) == Some('\'') {
                self.skip_quoted('\'');
            } else {
                self.skip(1);
                self.skip_while(is_word);
            }
        } else if is_word(first) {
            self.skip_while(is_word);
        } else {
            self.skip(1);
        }
    }

    /// The number of hashes, if a raw string starts here.
    fn raw_string(&self) -> Option<usize> {
        let prefix = match (self.peek(0)?, self.peek(1)?) {
            ('r', _) => 1,
            ('b' | 'c', 'r') => 2,
            _ => return None,
        };
        let hashes = (prefix..).take_while(|ahead| self.peek(*ahead) == Some('#')).count();
        (self.peek(prefix + hashes) == Some('"')).then_some(hashes)
    }

    fn skip_raw_string(&mut self, hashes: usize) {
        self.skip_while(|character| character != '"');
        loop {
            self.skip(1);
            let closed = (1..=hashes).all(|ahead| self.peek(ahead) == Some('#'));
            if self.peek(0).is_none() || (self.peek(0) == Some('"') && closed) {
                self.skip(1 + hashes);
                return;
            }
        }
    }

    fn skip_quoted(&mut self, quote: char) {
        self.skip(1);
        while let Some(character) = self.peek(0) {
            self.skip(if character == '\\' { 2 } else { 1 });
            if character == quote {
                return;
            }
        }
    }
}

/// The places where these words follow each other.
pub(crate) fn places<'a>(tokens: &'a [Token], words: &'a [&'a str]) -> impl Iterator<Item = usize> + 'a {
    let found = move |window: &[Token]| window.iter().zip(words).all(|(token, word)| token.text == *word);
    tokens.windows(words.len()).enumerate().filter_map(move |(index, window)| found(window).then_some(index))
}

/// The place of the bracket that closes the one at `open`.
fn closing(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        match token.text.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(index);
        }
    }
    None
}

/// A function's name and where its parameters open.
fn signatures(tokens: &[Token]) -> impl Iterator<Item = (usize, usize)> {
    places(tokens, &["fn"]).filter_map(move |index| {
        let name = tokens.get(index + 1)?;
        if !name.text.starts_with(is_word) {
            return None;
        }
        // A raw name is the three tokens `r`, `#` and the name.
        let raw = tokens.get(index + 2).is_some_and(|token| token.text == "#");
        let mut at = index + if raw { 4 } else { 2 };
        let mut depth = 0_usize;
        loop {
            let arrow = tokens.get(at.checked_sub(1)?)?.text == "-";
            match tokens.get(at)?.text.as_str() {
                "(" if depth == 0 => return Some((index, at)),
                "<" => depth += 1,
                ">" if !arrow => depth = depth.checked_sub(1)?,
                _ => {}
            }
            at += 1;
        }
    })
}

/// Every function with a body, in the order of the file.
pub(crate) fn functions(tokens: &[Token]) -> Vec<Function> {
    let body = |open: usize| {
        let mut at = closing(tokens, open)? + 1;
        loop {
            match tokens.get(at)?.text.as_str() {
                "{" => return closing(tokens, at),
                ";" => return None,
                "(" | "[" => at = closing(tokens, at)? + 1,
                _ => at += 1,
            }
        }
    };
    let function = |(index, open): (usize, usize)| {
        let last = tokens[body(open)?].line;
        Some(Function { name: tokens[index + 1].text.clone(), first: tokens[index].line, last })
    };
    signatures(tokens).filter_map(function).collect()
}

/// The lines of parameters that are a plain `bool`.
pub(crate) fn bool_parameters(tokens: &[Token]) -> Vec<usize> {
    let mut lines = Vec::new();
    for (_, open) in signatures(tokens) {
        let mut at = open + 1;
        let end = closing(tokens, open).unwrap_or(open);
        while at < end {
            match tokens[at].text.as_str() {
                "(" | "[" | "{" => at = closing(tokens, at).unwrap_or(end),
                "bool" if tokens[at - 1].text == ":" && matches!(tokens[at + 1].text.as_str(), "," | ")") => {
                    lines.push(tokens[at].line);
                }
                _ => {}
            }
            at += 1;
        }
    }
    lines
}

/// Every module under `#[cfg(test)]`.
pub(crate) fn test_modules(tokens: &[Token]) -> Vec<TestModule> {
    let module = |start: usize| {
        let mut at = start;
        let mut file = None;
        while tokens.get(at)?.text == "#" {
            let end = closing(tokens, at + 1)?;
            file = places(&tokens[at..end], &["path", "="]).next().map(|path| tokens[at + path + 2].text.clone());
            at = end + 1;
        }
        if tokens.get(at)?.text == "pub" {
            at += 1;
            if tokens.get(at)?.text == "(" {
                at = closing(tokens, at)? + 1;
            }
        }
        if tokens.get(at)?.text != "mod" {
            return None;
        }
        let first = tokens[start].line;
        if tokens.get(at + 2)?.text == "{" {
            return Some(TestModule::Here { first, last: tokens[closing(tokens, at + 2)?].line });
        }
        let name = file.map_or_else(|| format!("{}.rs", tokens[at + 1].text), |path| path.trim_matches('"').into());
        Some(TestModule::Elsewhere(name))
    };
    places(tokens, &["#", "[", "cfg", "(", "test", ")", "]"]).filter_map(module).collect()
}

#[test]
fn what_stands_in_strings_characters_and_comments_is_not_code() {
    let text = r##"
        // fn a() {
        /* { /* nested { */ fn b() { */
        let s = "fn c() { \" {"; let r = r#"fn d() { " {"#; let b = b"{"; let y = br"{"; let n = r"\";
        let q = '{'; let e = '\''; let u = '\u{7b}'; let z = b'{'; let life: &'static str = "";
    "##;
    let tokens = tokens(text);
    assert_eq!(places(&tokens, &["fn"]).count(), 0);
    assert_eq!(places(&tokens, &["{"]).count(), 0);
    assert_eq!(places(&tokens, &["'static", "str"]).count(), 1);
    assert_eq!(tokens.last().map(|token| token.line), Some(5));
}

#[test]
fn a_function_is_found_with_its_first_and_last_line() {
    let text = "fn a<F: Fn(u8) -> [u8; 2]>(\n f: F,\n) -> [u8; 2]\nwhere\n F: Copy,\n{\n fn b() {}\n}\ntrait T {\n fn c();\n}\ntype P = fn(u8);\nfn r#d() {}\n";
    let function = |name: &str, first, last| Function { name: name.into(), first, last };
    let expected = vec![function("a", 1, 8), function("b", 7, 7), function("r", 13, 13)];
    assert_eq!(functions(&tokens(text)), expected);
}

#[test]
fn a_plain_bool_parameter_is_found_and_others_are_not() {
    let text = "fn a(\n x: u8,\n y: bool,\n) {}\nfn b(f: impl Fn(bool, bool) -> bool, o: Option<bool>, m: &mut bool) -> bool {}\nfn c(z: bool);\nstruct S { s: bool }";
    assert_eq!(bool_parameters(&tokens(text)), [3, 6]);
}

#[test]
fn a_test_module_is_found_here_and_elsewhere() {
    let text = "#[cfg(test)]\nextern crate std;\n#[cfg(test)]\n#[path = \"x_tests.rs\"]\nmod tests;\n#[cfg(test)]\npub(crate) mod testing;\n#[cfg(test)]\nmod more {\n}\n";
    let expected = [
        TestModule::Elsewhere("x_tests.rs".into()),
        TestModule::Elsewhere("testing.rs".into()),
        TestModule::Here { first: 8, last: 10 },
    ];
    assert_eq!(test_modules(&tokens(text)), expected);
}
