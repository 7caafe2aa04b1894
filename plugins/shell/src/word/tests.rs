//! Words are read as bash reads them.

use super::*;
use shuck_ast::Command;
use shuck_parser::parser::Parser;

/// The words of `echo TEXT`, as `kind:text`.
fn words(text: &str) -> String {
    let source = format!("echo {text}");
    let parsed = Parser::new(&source).parse();
    let Command::Simple(simple) = &parsed.file.body[0].command else { panic!("{text}") };
    let values = Values {
        home: Some("/home/u"),
        folder: Some("/w"),
        constants: &[
            Constant { name: "C".into(), value: "x y".into(), kind: WordKind::Exact, from: From::Assignment },
            Constant { name: "D".into(), value: "dd".into(), kind: WordKind::Exact, from: From::Assignment },
            Constant { name: "F".into(), value: "*.c".into(), kind: WordKind::Glob, from: From::Loop },
        ],
        splitting: Splitting::Usual,
        positional: Positional::Empty,
        arguments: None,
        dialect: Dialect::Bash,
        defaults: Defaults::Open,
    };
    let mut out = Vec::new();
    for word in &simple.args {
        let source_text = word.span.slice(&source);
        match word_atoms(word, &source, Zone::Bare) {
            Some(atoms) => out.extend(resolve(&atoms, source_text, Span::WHOLE, &values, Use::Argument)),
            None => out.push(Word::dynamic("!", Span::WHOLE)),
        }
    }
    let show = |word: &Word| match word.kind {
        WordKind::Exact => word.text.clone(),
        WordKind::Glob => format!("glob:{}", word.text),
        WordKind::Dynamic => format!("?{}", word.text),
    };
    out.iter().map(show).collect::<Vec<_>>().join(" | ")
}

#[test]
fn quotes_are_removed() {
    for (text, expected) in [
        (r#"a\ b'c d'"e\"f"$'\x41'"#, "a bc de\"fA"),
        (r#"'' "" r''m $"x""#, " |  | rm | x"),
        ("a\\\nb", "ab"),
        (r#""\q\$x\`""#, "\\q$x`"),
        ("$ a$ '$x'", "$ | a$ | $x"),
    ] {
        assert_eq!(words(text), expected, "{text}");
    }
}

#[test]
fn patterns_keep_what_is_quoted_literal() {
    assert_eq!(words(r"*.rs 'a*'b? \* [ab] [ a]"), r"glob:*.rs | glob:a\*b? | * | glob:[ab] | [ | a]");
}

#[test]
fn braces_become_words() {
    assert_eq!(
        words("{a,b}c x{1..3} {01..03..2} {c..a} {a} a{b,{c,d}}"),
        "ac | bc | x1 | x2 | x3 | 01 | 03 | c | b | a | {a} | ab | ac | ad"
    );
    assert_eq!(words("'{a,b}' {a,'b,c'} \\{a,b}"), "{a,b} | a | b,c | {a,b}");
    assert_eq!(words("{1..9999}"), "?{1..9999}");
    assert_eq!(words("{}"), "{}");
    assert_eq!(words("f{,.b} \"$D\"/{a,b} \"x y\"{1,2} {a,\"b c\"}"), "f | f.b | dd/a | dd/b | x y1 | x y2 | a | b c");
}

#[test]
fn home_and_folder_are_known_and_other_variables_are_not() {
    assert_eq!(
        words("~ ~/x $HOME \"${HOME}/y\" a=~/z '~' a~ ~u"),
        "/home/u | /home/u/x | /home/u | /home/u/y | a=/home/u/z | ~ | a~ | ?~u"
    );
    assert_eq!(
        words("$PWD/a \"$(pwd)\" ~+/b $x \"$x\" ${x:-y} $?"),
        "/w/a | /w | /w/b | ?$x | ?\"$x\" | ?${x:-y} | ?$?"
    );
    assert_eq!(words("\"$C\" $C $D \"d/$F\" $F"), "x y | ?$C | dd | glob:d/*.c | ?$F");
}

#[test]
fn empty_expansions_vanish() {
    assert_eq!(words("to$@uch \"$@\" $1 a"), "touch | a");
    assert_eq!(words("\"$1\" \"$*\" a"), " |  | a");
}

#[test]
fn code_that_a_parser_overlooks_is_no_literal() {
    assert_eq!(words("${ ls; }"), "?!");
    assert_eq!(words("`echo \\`x\\``"), "?!");
}
