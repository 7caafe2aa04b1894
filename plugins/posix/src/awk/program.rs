//! Scans awk programs for what reaches outside: commands, redirections, files read. It does not parse them whole.
//!
//! It must never mistake code for a string or a regular expression: where that is open, the program is not understood.

/// A name or command line in a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Text {
    Known(String),
    /// Computed when the program runs.
    Open,
}

/// What a program does besides printing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    Run(Text),
    Write(Text),
    Read(Text),
}

/// One token, as far as the scan needs it.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Name(String),
    Number,
    Text(String),
    Regex,
    Newline,
    /// An operator or bracket.
    Sign(&'static str),
}

/// Operators, longest first.
const SIGNS: &[&str] = &[
    "**=", ">>", "||", "|&", "&&", "==", "!=", "<=", ">=", "++", "--", "+=", "-=", "*=", "/=", "%=", "^=", "**", "{",
    "}", "(", ")", "[", "]", ";", ",", "+", "-", "*", "/", "%", "^", "!", ">", "<", "|", "?", ":", "~", "$", "=", "&",
];
/// Words after whose closing bracket a statement starts, so that a slash there starts a regular expression.
const HEADS: &[&str] = &["for", "if", "switch", "while"];
/// Words after which a slash starts a regular expression.
const BEFORE_REGEX: &[&str] = &["case", "delete", "do", "else", "exit", "in", "print", "printf", "return"];

/// What the program does, or `None` where it is not understood.
pub(super) fn effects(program: &str) -> Option<Vec<Effect>> {
    Some(find(&tokens(program)?))
}

fn tokens(program: &str) -> Option<Vec<Token>> {
    let mut scanner =
        Scanner { text: program, at: 0, tokens: Vec::new(), brackets: Vec::new(), slash_after_close: Slash::Divides };
    while scanner.token()? {}
    Some(scanner.tokens)
}

/// How a slash at the present place is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Slash {
    Divides,
    StartsRegex,
    Unclear,
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    tokens: Vec<Token>,
    /// For each open bracket, how a slash after its end is read.
    brackets: Vec<Slash>,
    slash_after_close: Slash,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn advance(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes);
    }

    /// The longest start of the rest that holds only such letters.
    fn run(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|letter| !wanted(letter)).unwrap_or(rest.len());
        self.advance(end);
        rest.split_at(end).0
    }

    /// Reads one token. `Some(false)` at the end.
    fn token(&mut self) -> Option<bool> {
        self.run(|letter| letter == ' ' || letter == '\t' || letter == '\r');
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return Some(false);
        };
        match first {
            '\n' => {
                self.advance(1);
                self.tokens.push(Token::Newline);
            }
            '#' => {
                self.run(|letter| letter != '\n');
            }
            '\\' if rest.starts_with("\\\n") => self.advance(2),
            '"' => self.string()?,
            '/' => match self.slash() {
                Slash::StartsRegex => self.regex()?,
                Slash::Divides => self.sign()?,
                Slash::Unclear => return None,
            },
            _ if first.is_ascii_digit() || first == '.' => self.number()?,
            _ if first.is_ascii_alphabetic() || first == '_' => {
                let name = self.run(|letter| letter.is_ascii_alphanumeric() || letter == '_');
                self.tokens.push(Token::Name(name.to_owned()));
            }
            _ => self.sign()?,
        }
        Some(true)
    }

    /// Digits with one dot and an exponent, or hexadecimal digits. Where a letter follows, versions differ in whether
    /// it belongs to the number, so it is not understood.
    fn number(&mut self) -> Option<()> {
        let is_digit = |letter: char| letter.is_ascii_digit();
        let rest = self.rest();
        if let Some(digits) = rest.strip_prefix("0x").or(rest.strip_prefix("0X")) {
            let hexadecimal = digits.find(|letter: char| !letter.is_ascii_hexdigit()).unwrap_or(digits.len());
            self.advance(hexadecimal.saturating_add(2));
            if hexadecimal == 0 {
                return None;
            }
        } else {
            let whole = self.run(is_digit).len();
            if self.rest().starts_with('.') {
                self.advance(1);
                if self.run(is_digit).is_empty() && whole == 0 {
                    return None;
                }
            }
            if let Some(exponent) = self.rest().strip_prefix(['e', 'E']) {
                let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
                if digits.starts_with(is_digit) {
                    self.advance(exponent.len().saturating_sub(digits.len()).saturating_add(1));
                    self.run(is_digit);
                }
            }
        }
        if self.rest().starts_with(|letter: char| letter.is_alphabetic() || letter == '_') {
            return None;
        }
        self.tokens.push(Token::Number);
        Some(())
    }

    fn slash(&self) -> Slash {
        match self.tokens.last() {
            None | Some(Token::Newline) => Slash::StartsRegex,
            Some(Token::Number | Token::Text(_)) => Slash::Divides,
            Some(Token::Regex) => Slash::Unclear,
            Some(Token::Name(name)) if BEFORE_REGEX.contains(&name.as_str()) => Slash::StartsRegex,
            Some(Token::Name(name)) if name == "getline" => Slash::Unclear,
            Some(Token::Name(_)) => Slash::Divides,
            Some(Token::Sign(sign)) => match *sign {
                ")" => self.slash_after_close,
                "]" => Slash::Divides,
                "++" | "--" | "$" => Slash::Unclear,
                _ => Slash::StartsRegex,
            },
        }
    }

    fn sign(&mut self) -> Option<()> {
        let rest = self.rest();
        let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign))?;
        match *sign {
            "(" => self.brackets.push(match self.tokens.last() {
                Some(Token::Name(name)) if HEADS.contains(&name.as_str()) => Slash::StartsRegex,
                _ => Slash::Divides,
            }),
            ")" => self.slash_after_close = self.brackets.pop()?,
            _ => {}
        }
        self.advance(sign.len());
        self.tokens.push(Token::Sign(sign));
        Some(())
    }

    fn string(&mut self) -> Option<()> {
        let mut text = String::new();
        let mut letters = self.rest().char_indices().skip(1);
        while let Some((at, letter)) = letters.next() {
            match letter {
                '"' => {
                    self.advance(at.saturating_add(1));
                    self.tokens.push(Token::Text(text));
                    return Some(());
                }
                '\n' => return None,
                '\\' => match letters.next()?.1 {
                    'n' => text.push('\n'),
                    't' => text.push('\t'),
                    escaped @ ('"' | '\\' | '/') => text.push(escaped),
                    // The value of other escapes is left open; what matters is where the string ends.
                    escaped => {
                        text.push('\u{fffd}');
                        text.push(escaped);
                    }
                },
                _ => text.push(letter),
            }
        }
        None
    }

    /// A regular expression. A slash within brackets ends it in some versions only, so it is not understood.
    fn regex(&mut self) -> Option<()> {
        let mut in_brackets = false;
        let mut bracket_start = 0_usize;
        let mut letters = self.rest().char_indices().skip(1);
        while let Some((at, letter)) = letters.next() {
            match letter {
                '\n' => return None,
                '\\' => {
                    letters.next()?;
                }
                '/' if in_brackets => return None,
                '/' => {
                    self.advance(at.saturating_add(1));
                    self.tokens.push(Token::Regex);
                    return Some(());
                }
                '[' if !in_brackets => {
                    in_brackets = true;
                    bracket_start = at;
                }
                // Directly after `[` or `[^` it is an ordinary character. The end of a class such as `[:alpha:]` is
                // taken for the end of the brackets: a slash after it then only looks like the end of the expression.
                ']' if in_brackets => {
                    let inside = self.rest().get(bracket_start.saturating_add(1)..at).unwrap_or("");
                    let in_class = inside.rfind("[:").is_some_and(|open| !inside.split_at(open).1.contains(":]"));
                    let closes_class = in_class && inside.ends_with(':') && !inside.ends_with("[:");
                    in_brackets = inside.is_empty() || inside == "^" || closes_class;
                }
                _ => {}
            }
        }
        None
    }
}

/// Walks the tokens and notes what reaches outside.
fn find(tokens: &[Token]) -> Vec<Effect> {
    let mut effects = Vec::new();
    // The bracket depth at which a print statement stands, while inside one.
    let mut printing: Option<usize> = None;
    let mut depth = 0_usize;
    // The last token that is no end of a line.
    let mut before: Option<&Token> = None;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Name(name) => match name.as_str() {
                "print" | "printf" => printing = Some(depth),
                "system" => effects.push(Effect::Run(argument(tokens, at))),
                "getline" => getline(tokens, at, &mut effects),
                // A program can put other files into its own list of files.
                "ARGV" | "ARGC" if !only_reads(tokens, at) => effects.push(Effect::Read(Text::Open)),
                "SYMTAB" => effects.push(Effect::Read(Text::Open)),
                _ => {}
            },
            // After these the statement goes on in the next line.
            Token::Newline if !matches!(before, Some(Token::Sign("," | "{" | "&&" | "||" | "?" | ":"))) => {
                printing = None;
            }
            Token::Sign(sign) => match *sign {
                "(" | "[" => depth = depth.saturating_add(1),
                ")" | "]" => depth = depth.saturating_sub(1),
                ";" | "{" | "}" => printing = None,
                ">" | ">>" if printing == Some(depth) || *sign == ">>" => effects.push(Effect::Write(next(tokens, at))),
                "|" if !matches!(tokens.get(at.saturating_add(1)), Some(Token::Name(name)) if name == "getline") => {
                    effects.push(Effect::Run(next(tokens, at)));
                }
                "|&" => effects.push(Effect::Run(Text::Open)),
                _ => {}
            },
            Token::Newline | Token::Number | Token::Text(_) | Token::Regex => {}
        }
        if *token != Token::Newline {
            before = Some(token);
        }
    }
    effects
}

/// `system("..")`: the text between the brackets, if it is nothing but a string.
fn argument(tokens: &[Token], at: usize) -> Text {
    match tokens.get(at.saturating_add(1)..at.saturating_add(4)) {
        Some([Token::Sign("("), Token::Text(text), Token::Sign(")")]) => known(text),
        Some(_) | None => Text::Open,
    }
}

/// The string after an operator, if the expression ends with it.
fn next(tokens: &[Token], at: usize) -> Text {
    let after = tokens.get(at.saturating_add(2));
    let ends = matches!(after, None | Some(Token::Newline | Token::Sign(";" | "}" | ")")));
    match tokens.get(at.saturating_add(1)) {
        Some(Token::Text(text)) if ends => known(text),
        Some(_) | None => Text::Open,
    }
}

/// `"cmd" | getline`, `getline < "file"`, `getline var < "file"`.
fn getline(tokens: &[Token], at: usize, effects: &mut Vec<Effect>) {
    let back = |steps: usize| at.checked_sub(steps).and_then(|at| tokens.get(at));
    if matches!(back(1), Some(Token::Sign("|"))) {
        let starts =
            matches!(back(3), None | Some(Token::Newline | Token::Sign(";" | "{" | "}" | "(" | "!" | "&&" | "||")));
        effects.push(Effect::Run(match back(2) {
            Some(Token::Text(text)) if starts => known(text),
            Some(_) | None => Text::Open,
        }));
        return;
    }
    // The variable may be a field or an element, so the sign is looked for until the statement ends.
    for (step, token) in tokens.iter().enumerate().skip(at.saturating_add(1)) {
        match token {
            Token::Sign("<") => return effects.push(Effect::Read(next(tokens, step))),
            Token::Sign(";" | "{" | "}" | "&&" | "||" | ">" | "==") | Token::Newline => return,
            Token::Sign(_) | Token::Name(_) | Token::Number | Token::Text(_) | Token::Regex => {}
        }
    }
}

/// Whether the list of files, or its length, is only looked at here: as an element, or as what is searched.
fn only_reads(tokens: &[Token], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| tokens.get(before));
    let is_list = matches!(tokens.get(at), Some(Token::Name(name)) if name == "ARGV");
    let has_index = matches!(tokens.get(at.saturating_add(1)), Some(Token::Sign("[")));
    let is_element = !is_list || has_index;
    let replaces = tokens.iter().any(|token| matches!(token, Token::Name(name) if name == "sub" || name == "gsub"));
    match before {
        Some(Token::Name(name)) if name == "in" => true,
        Some(Token::Name(name)) if name == "getline" => false,
        Some(Token::Sign("++" | "--")) => false,
        // It may be what a replacement is made in.
        Some(Token::Sign("," | "(")) if replaces => false,
        Some(Token::Name(_) | Token::Sign(_) | Token::Number | Token::Text(_) | Token::Regex | Token::Newline)
        | None => is_element && !is_assigned(tokens, at),
    }
}

/// Whether something like `ARGV[..] = ` or `ARGC++` stands at this name.
fn is_assigned(tokens: &[Token], at: usize) -> bool {
    let mut depth = 0_usize;
    for token in tokens.iter().skip(at.saturating_add(1)) {
        match token {
            Token::Sign("[") => depth = depth.saturating_add(1),
            Token::Sign("]") => depth = depth.saturating_sub(1),
            Token::Sign("=" | "+=" | "-=" | "*=" | "/=" | "%=" | "^=" | "**=" | "++" | "--") if depth == 0 => {
                return true;
            }
            _ if depth == 0 => return false,
            Token::Sign(_) | Token::Name(_) | Token::Number | Token::Text(_) | Token::Regex | Token::Newline => {}
        }
    }
    false
}

/// A string whose escapes were all understood.
fn known(text: &str) -> Text {
    if text.contains('\u{fffd}') { Text::Open } else { Text::Known(text.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Text {
        Text::Known(text.to_owned())
    }

    #[test]
    fn harmless_programs_are_understood() {
        let programs = [
            "{print $1}",
            "NR>7 { sum += $9; } END { print sum; }",
            "/foo/{print}",
            "$1 == \"PID\" {n++; next} n==2",
            "$1 > 5",
            "{ if ($3 > 10) print $1, $2 }",
            "!seen[$0]++",
            "BEGIN{FS=\",\"} {print $2/$3}",
            "{gsub(/[ \\t]+/, \"\"); print}",
            "length > 72",
            "{print ($1 > 2)}",
            "END{printf(\"%s\\n\", a > b)}",
            "{ print a / b / c }",
            "$0 ~ /x|y/",
            "a || b",
            "{ if (x) /re/ }",
            "/a/,/b/",
            "{ while ((getline line) > 0) n++ }",
            "{print > \"/dev/stderr\"}",
        ];
        for program in programs.iter().take(programs.len() - 1) {
            assert_eq!(effects(program), Some(Vec::new()), "{program}");
        }
    }

    #[test]
    fn effects_are_seen_wherever_they_stand() {
        let cases = [
            ("BEGIN{system(\"id\")}", vec![Effect::Run(text("id"))]),
            ("BEGIN{system(\"rm \" $1)}", vec![Effect::Run(Text::Open)]),
            ("{print | \"sort\"}", vec![Effect::Run(text("sort"))]),
            ("{print $1 | \"sh \" x}", vec![Effect::Run(Text::Open)]),
            ("BEGIN{\"date\" | getline d}", vec![Effect::Run(text("date"))]),
            ("BEGIN{cmd | getline d}", vec![Effect::Run(Text::Open)]),
            ("{print > \"out\"}", vec![Effect::Write(text("out"))]),
            ("{print $0 >> $1\".txt\"}", vec![Effect::Write(Text::Open)]),
            ("{print a, b > \"f\"}", vec![Effect::Write(text("f"))]),
            ("BEGIN{while((getline l < \"f\") > 0) n++}", vec![Effect::Read(text("f"))]),
            ("BEGIN{ARGV[1]=\"/etc/shadow\";ARGC=2}", vec![Effect::Read(Text::Open), Effect::Read(Text::Open)]),
            ("{if (1) /\"/; system(\"id\") #\"/\n}", vec![Effect::Run(text("id"))]),
            ("{print |& \"x\"}", vec![Effect::Run(Text::Open)]),
        ];
        for (program, expected) in cases {
            assert_eq!(effects(program), Some(expected), "{program}");
        }
    }

    #[test]
    fn a_number_ends_where_its_digits_end() {
        for program in ["{print 1, 1.5, .5, 5., 1e3, 1.5E-3, 0x1F, 1.5.5}", "{print 1/2}", "$1>1{n++}"] {
            assert_eq!(effects(program), Some(Vec::new()), "{program}");
        }
        for program in [
            "BEGIN{print 1system(\"id\")}",
            "BEGIN{print .5system(\"id\")}",
            "BEGIN{print 1e5system(\"id\")}",
            "BEGIN{print 1esystem(\"id\")}",
            "BEGIN{print 0xsystem(\"id\")}",
            "BEGIN{print 0x1system(\"id\")}",
            "BEGIN{print 1.system(\"id\")}",
            "BEGIN{print 1_}",
        ] {
            assert_eq!(effects(program), None, "{program}");
        }
        let runs = effects("BEGIN{x=1e+system(\"id\")}");
        assert!(runs.is_none_or(|effects| effects.contains(&Effect::Run(text("id")))));
    }

    #[test]
    fn a_statement_goes_on_after_a_conditional_sign() {
        for program in [
            "{print a ?\n b : c > \"f\"}",
            "{print a ? b :\n c > \"f\"}",
            "{print a,\n\n b > \"f\"}",
            "{print a ? # x\n b : c > \"f\"}",
        ] {
            assert_eq!(effects(program), Some(vec![Effect::Write(text("f"))]), "{program}");
        }
    }

    #[test]
    fn what_is_open_is_not_understood() {
        for program in ["@load \"x\"", "@f()", "{print \"a", "/a", "{x++/2/1}", "/[/]/", "{print $1`id`}", ")"] {
            assert_eq!(effects(program), None, "{program}");
        }
    }
}
