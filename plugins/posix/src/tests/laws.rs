//! Laws that hold for every command, tried on words put together at random.

use holdpoint_guest::{Effect, Finding, Span, Word, WordKind};
use proptest::prelude::*;

use super::{is_harmless, request};
use crate::table::{ACT_QUERY, Danger, Handler, PROGRAMS, Program, Role};

/// Words that mean something to many programs, besides their own options.
const WORDS: &[&str] = &[
    "a",
    "b/c",
    "-",
    "--",
    "-1",
    "+1",
    "/etc/passwd",
    "host:path",
    "https://x.test/f",
    "name=value",
    "if=a",
    "of=b",
    "{}",
    ";",
    "(",
    "!",
    "-exec",
    "-delete",
    "s/a/b/w f",
    "{print}",
    "exec",
    "add",
    "xf",
    "-zzz",
    "--unheard-of",
    "",
    "é",
    "*",
    "G",
    "{",
    "0",
];

fn program() -> impl Strategy<Value = &'static Program> {
    (0..PROGRAMS.len()).prop_map(|index| &PROGRAMS[index])
}

/// A program with words after it: known words, its own options, any text; exact, a pattern or dynamic.
fn command() -> impl Strategy<Value = (&'static Program, Vec<Word>)> {
    program().prop_flat_map(|program| {
        let options: Vec<&'static str> = program.options.iter().map(|option| option.name).collect();
        let own = if options.is_empty() { WORDS.to_vec() } else { options };
        let text = prop_oneof![
            4 => proptest::sample::select(own).prop_map(str::to_owned),
            4 => proptest::sample::select(WORDS).prop_map(str::to_owned),
            1 => "[-a-z=*/ ]{0,6}",
            1 => "\\PC{0,4}",
        ];
        let kind = prop_oneof![8 => Just(WordKind::Exact), 1 => Just(WordKind::Glob), 1 => Just(WordKind::Dynamic)];
        let word = (kind, text).prop_map(|(kind, text)| Word { kind, text, origin: Span::WHOLE });
        (Just(program), proptest::collection::vec(word, 0..7))
    })
}

fn judge(program: &Program, words: &[Word]) -> Finding {
    let mut argv = vec![Word::exact(program.name, Span::WHOLE)];
    argv.extend(words.iter().cloned());
    request(argv)
}

/// Whether nothing the program does by its table goes beyond reading.
fn only_reads(program: &Program) -> bool {
    let reads = |role: &Role| match role {
        // A query with a name that is not known carries something out.
        Role::Act(act) => act.effect == Effect::None && !std::ptr::eq(*act, &ACT_QUERY),
        Role::Flag | Role::Recursive | Role::Text | Role::Mode(_) | Role::Operate | Role::NamePart => true,
        Role::Folders | Role::ListFile => true,
        Role::Account | Role::HostsFile | Role::ExecOnFiles => false,
        Role::ExecShell | Role::ExecProgram | Role::ModeBits | Role::Prefix => false,
        Role::Stem | Role::Neighbours | Role::Display | Role::Tag(_) => false,
    };
    let modes = program.modes.iter().map(|mode| &mode.spec);
    let specs = std::iter::once(&program.spec).chain(modes).chain(program.subs.iter().map(|sub| &sub.spec));
    program.handler == Handler::Table
        && program.danger == Danger::Harmless
        && specs.into_iter().all(|spec| {
            spec.operands.iter().all(|slot| reads(&slot.role))
                && spec.always.iter().chain(spec.bare).all(|fixed| fixed.act.effect == Effect::None)
        })
}

/// At least so many inputs; `PROPTEST_CASES` asks for more.
fn config() -> ProptestConfig {
    let default = ProptestConfig::default();
    ProptestConfig { cases: default.cases.max(3_000), failure_persistence: None, ..default }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn every_finding_says_something_and_points_into_the_command((program, words) in command()) {
        let finding = judge(program, &words);
        prop_assert!(
            !finding.operations.is_empty() || !finding.delegates.is_empty() || !finding.doubts.is_empty()
        );
        let mut texts = vec![program.name];
        texts.extend(words.iter().map(|word| word.text.as_str()));
        let spans = finding.operations.iter().map(|operation| operation.origin);
        let spans = spans.chain(finding.delegates.iter().map(|delegate| delegate.origin));
        for span in spans.chain(finding.doubts.iter().map(|doubt| doubt.origin)) {
            let text = texts.get(span.part as usize).copied();
            prop_assert!(text.is_some_and(|text| text.get(span.start as usize..span.end as usize).is_some()), "{span:?}");
        }
    }

    #[test]
    fn the_same_command_has_the_same_finding((program, words) in command()) {
        prop_assert_eq!(judge(program, &words), judge(program, &words));
    }

    #[test]
    fn programs_that_only_read_do_nothing_else((program, words) in command()) {
        if only_reads(program) {
            let finding = judge(program, &words);
            prop_assert!(finding.delegates.is_empty());
            prop_assert!(finding.operations.iter().all(|operation| operation.effect == Effect::None));
        }
    }

    #[test]
    fn an_unheard_of_option_is_a_doubt((program, words) in command()) {
        let mut words = words;
        words.insert(0, Word::exact("--zzz-unheard-of", Span::WHOLE));
        if program.handler == Handler::Table {
            prop_assert!(!judge(program, &words).doubts.is_empty());
        }
    }

    #[test]
    fn a_word_that_is_not_known_never_hides_an_effect((program, words) in command(), at in 0_usize..7) {
        let Some(place) = words.get(at) else { return Ok(()) };
        // Help and `--` change what the other words mean, so that leaving them out can add an effect but not hide one.
        let mut hidden = words.clone();
        hidden[at] = Word::dynamic(place.text.clone(), Span::WHOLE);
        let (before, after) = (judge(program, &words), judge(program, &hidden));
        prop_assert!(
            is_harmless(&before) || !is_harmless(&after) || !before.doubts.is_empty(),
            "{} became {}", super::render(&before), super::render(&after)
        );
    }

    #[test]
    fn one_more_operand_takes_no_effect_away((program, words) in command()) {
        // Only where operands are independent of each other: the table has one open slot.
        let open = program.handler == Handler::Table && program.subs.is_empty() && program.modes.is_empty()
            && program.pattern_from.is_empty() && program.spec.operands.len() == 1;
        if open {
            let before = judge(program, &words);
            let mut more = vec![Word::exact("operand", Span::WHOLE)];
            more.extend(words.iter().cloned());
            let after = judge(program, &more);
            if program.order == crate::table::Order::Permute && program.spec.bare.is_empty() {
                prop_assert!(is_harmless(&before) || !is_harmless(&after));
            }
        }
    }
}
