//! Answers that lie: about their length, their text, their words, their places.

use crate::abi::{ARRAY, BASE, Heap, Image, Node, image, lists, pair, tool_finding};
use crate::guest::{Guest, guest};
use crate::host::{Host, LIMITS, Puppet, action_of, ask, nothing, operation};
use holdpoint_core::action::{
    Action, ArgWord, FactKind, FactQuery, Input, Invocation, SourceText, ToolAction, WorkingDir,
};
use holdpoint_core::finding::{Delegate, Doubt, Fault, Finding, Reason};
use holdpoint_core::json::{DEPTH_MAX, Json};
use holdpoint_core::operation::{
    Access, Certainty, Effect, Escape, Escapes, Obligation, ObligationKind, Operation, Scope, Segment, Span,
    TargetKind, Trait, Traits, Verb,
};
use holdpoint_core::ports::Failure;
use holdpoint_core::words::Word;

const NONE: [u8; 8] = [0; 8];
const ORIGIN: Span = Span { part: 0, start: 0, end: 2 };

fn word(text: &str) -> ArgWord {
    ArgWord { certainty: Certainty::Exact, text: text.into(), origin: ORIGIN }
}

fn program(invocation: Invocation) -> Delegate {
    Delegate { action: Action::Program(invocation), origin: ORIGIN }
}

fn invocation() -> Invocation {
    Invocation { argv: vec![word("ls")], env: vec![], cwd: WorkingDir::Same, stdin: Input::Empty }
}

fn delegating(delegate: Delegate) -> Finding {
    Finding { delegates: vec![delegate], ..Finding::default() }
}

/// A finding with every type of the contract in it.
fn full() -> Finding {
    let segment = Segment { kind: TargetKind::File, name: "name".into(), certainty: Certainty::Exact };
    let binding = ("HOME".to_owned(), word("value"));
    let full = Invocation {
        argv: vec![word("ls")],
        env: vec![binding],
        cwd: WorkingDir::Path("/tmp".into()),
        stdin: Input::File(word("in")),
    };
    let source = SourceText { language: "bash".into(), text: "true".into(), cwd: WorkingDir::Unknown };
    let arguments =
        Json::object([("key", Json::text("value")), ("list", Json::Array(vec![Json::Bool(true), Json::Null]))]);
    let tool = ToolAction { server: "server".into(), name: "tool".into(), arguments };
    let of = |action| Delegate { action, origin: ORIGIN };
    Finding {
        operations: vec![Operation {
            target: vec![segment],
            traits: Traits::of(&[Trait::Network]),
            ..operation(Verb::Get)
        }],
        delegates: vec![of(Action::Program(full)), of(Action::Source(source)), of(Action::Tool(tool))],
        obligations: vec![Obligation { kind: ObligationKind::RowLimit, amount: 7 }],
        escapes: Escapes::of(&[Escape::Sql]),
        facts_needed: vec![FactQuery { kind: FactKind::PathKind, subject: "subject".into() }],
        doubts: vec![Doubt { reason: Reason::ParserError, origin: ORIGIN }],
    }
}

/// The image with these bytes at the one place where two answers differ.
fn where_they_differ(one: &Finding, other: &Finding, byte: u8) -> Image {
    let (mut image, other) = (image(one), image(other));
    let differing: Vec<usize> =
        (0..image.bytes.len()).filter(|index| image.bytes[*index] != other.bytes[*index]).collect();
    let [place] = differing.as_slice() else { panic!("{differing:?}") };
    image.bytes[*place] = byte;
    image
}

/// The image with these bytes instead of others that stand in it once.
fn replaced(finding: &Finding, old: &[u8], new: &[u8]) -> Image {
    let mut image = image(finding);
    let places: Vec<usize> =
        image.bytes.windows(old.len()).enumerate().filter(|(_, found)| *found == old).map(|(at, _)| at).collect();
    let [place] = places.as_slice() else { panic!("{places:?}") };
    image.bytes[*place..place + new.len()].copy_from_slice(new);
    image
}

#[test]
fn a_list_that_claims_to_be_enormous_is_refused() {
    let puppet = Puppet::new();
    for length in [1 << 31, u32::MAX, 1 << 27, 119_304_648] {
        for list in [pair(BASE, length), pair(0, length), pair(u32::MAX - 3, length)] {
            for finding in [lists(list, NONE, NONE), lists(NONE, list, NONE), lists(NONE, NONE, list)] {
                assert_eq!(puppet.answer(&Heap::default().finish(&finding)), Err(Failure::Output));
            }
        }
    }
}

#[test]
fn a_list_that_is_really_large_is_refused_before_the_host_makes_it() {
    // Doubts of zeros, 16 bytes each, in memory that nobody wrote to.
    let doubts = |count: u32| Heap::default().finish(&lists(NONE, NONE, pair(0x10_0000, count)));
    let puppet = Puppet::new();
    let most = u32::try_from(LIMITS.answer_bytes_max / 16).unwrap();
    assert_eq!(puppet.answer(&doubts(most + 1)), Err(Failure::Output));
    assert_eq!(puppet.answer(&doubts(65)).unwrap().check(&action_of("ls"), &Default::default()), Err(Fault::OverBound));
}

#[test]
fn texts_that_lie_on_top_of_each_other_are_counted_each() {
    // 2,000 operations, each with the same text of 4 KiB.
    let mut heap = Heap::default();
    let mut one = heap.operation(&operation(Verb::Nothing));
    one[4..12].copy_from_slice(&heap.text(&[b'a'; 4 << 10]));
    let operations = heap.list(&vec![one; 2_000]);
    assert_eq!(Puppet::new().answer(&heap.finish(&lists(operations, NONE, NONE))), Err(Failure::Output));
}

#[test]
fn text_that_is_not_utf_8_is_refused_wherever_it_stands() {
    let puppet = Puppet::new();
    let texts = ["name", "ls", "HOME", "value\0", "/tmp", "in", "bash", "true\0", "server", "tool", "key", "subject"];
    for text in texts {
        let finding = Finding {
            operations: vec![Operation { native: "unlike".into(), ..full().operations.remove(0) }],
            ..full()
        };
        let mut bad = image(&finding);
        let place = bad.bytes.windows(text.len()).position(|found| found == text.as_bytes()).unwrap();
        for bytes in [[0xff, b'a'], [0xc0, 0x80], [0xed, 0xa0], [0x80, b'a'], [b'a', 0xc3]] {
            bad.bytes[place..place + 2].copy_from_slice(&bytes);
            if bytes != [b'a', 0xc3] || text == "ls" || text == "in" {
                assert_eq!(puppet.answer(&bad), Err(Failure::Output), "{text} {bytes:?}");
            }
        }
    }
}

#[test]
fn a_pointer_out_of_memory_is_refused() {
    let puppet = Puppet::new();
    let root = |root: u32| puppet.answer(&Image { bytes: vec![], root });
    for address in [u32::MAX, u32::MAX - 3, 0x20_0000, 0x20_0000 - 40, 0x8000_0000] {
        assert_eq!(root(address), Err(Failure::Output), "{address:#x}");
    }
    let text = "unlike anything";
    let finding = Finding {
        operations: vec![Operation { native: text.into(), ..operation(Verb::Nothing) }],
        ..Finding::default()
    };
    let at = BASE;
    let length = u32::try_from(text.len()).unwrap();
    let old = pair(at, length);
    for new in [
        pair(0x20_0000 - 4, length),
        pair(u32::MAX, 1),
        pair(u32::MAX, u32::MAX),
        pair(0, 0x20_0001),
        pair(at, u32::MAX),
    ] {
        assert_eq!(puppet.answer(&replaced(&finding, &old, &new)), Err(Failure::Output), "{new:?}");
    }
}

#[test]
fn a_pointer_that_is_not_aligned_is_refused() {
    let puppet = Puppet::new();
    for root in [BASE + 1, BASE + 2, BASE + 3] {
        assert_eq!(puppet.answer(&Image { bytes: vec![0; 64], root }), Err(Failure::Output));
    }
    let list = pair(BASE + 2, 1);
    assert_eq!(puppet.answer(&Heap::default().finish(&lists(list, NONE, NONE))), Err(Failure::Output));
}

#[test]
fn memory_that_the_guest_gives_the_host_must_be_its_own() {
    for realloc in ["(i32.const -8)", "(i32.const 0x200000)", "(i32.const 0x1ffff8)", "(i32.const 1025)"] {
        let host = Host::new(&[Guest { realloc, ..Guest::default() }.build()]);
        let long = action_of(&"a".repeat(100));
        assert_eq!(host.ask(0, &long), Err(Failure::Output), "{realloc}");
    }
    let component = Guest { realloc: "unreachable", ..Guest::default() }.build();
    assert_eq!(ask(component), (Err(Failure::Trapped), vec![]));
}

#[test]
fn a_number_that_names_no_word_is_refused() {
    fn past<T: Word>(make: impl Fn(T) -> Finding) {
        let puppet = Puppet::new();
        let (first, second) = (T::ALL[0], T::ALL[1]);
        let count = u8::try_from(T::ALL.len()).unwrap();
        for byte in [count, 0x7f, 0x80, 0xff] {
            let image = where_they_differ(&make(first), &make(second), byte);
            assert_eq!(puppet.answer(&image), Err(Failure::Output));
        }
    }
    fn with(change: impl FnOnce(&mut Operation)) -> Finding {
        let mut finding = full();
        change(&mut finding.operations[0]);
        finding
    }
    past(|verb: Verb| with(|operation| operation.verb = verb));
    past(|access: Access| with(|operation| operation.access = access));
    past(|effect: Effect| with(|operation| operation.effect = effect));
    past(|scope: Scope| with(|operation| operation.scope = scope));
    past(|kind: TargetKind| with(|operation| operation.target[0].kind = kind));
    past(|certainty: Certainty| with(|operation| operation.target[0].certainty = certainty));
    past(|reason: Reason| Finding { doubts: vec![Doubt { reason, origin: ORIGIN }], ..full() });
    past(|kind: ObligationKind| Finding { obligations: vec![Obligation { kind, amount: 7 }], ..full() });
    past(|kind: FactKind| Finding { facts_needed: vec![FactQuery { kind, subject: "s".into() }], ..full() });
    past(|certainty: Certainty| {
        let argv = vec![ArgWord { certainty, ..word("ls") }];
        delegating(program(Invocation { argv, ..invocation() }))
    });
}

#[test]
fn a_number_that_names_no_case_is_refused() {
    let puppet = Puppet::new();
    let cwd = |cwd| delegating(program(Invocation { cwd, ..invocation() }));
    let stdin = |stdin| delegating(program(Invocation { stdin, ..invocation() }));
    for byte in [3, 0xff] {
        let image = where_they_differ(&cwd(WorkingDir::Same), &cwd(WorkingDir::Unknown), byte);
        assert_eq!(puppet.answer(&image), Err(Failure::Output));
    }
    for byte in [7, 0xff] {
        let image = where_they_differ(&stdin(Input::Empty), &stdin(Input::Unknown), byte);
        assert_eq!(puppet.answer(&image), Err(Failure::Output));
    }
    // The case of an action, and the kind of a JSON value.
    let mut heap = Heap::default();
    let mut action = [0_u8; 72];
    action[0] = 3;
    let delegates = heap.list(&[action]);
    assert_eq!(puppet.answer(&heap.finish(&lists(NONE, delegates, NONE))), Err(Failure::Output));
    assert_eq!(puppet.answer(&tree(&[node(0, 6)], "")), Err(Failure::Output));
}

#[test]
fn a_flag_that_the_contract_does_not_have_is_no_flag() {
    let puppet = Puppet::new();
    let one = Finding { escapes: Escapes::of(&[Escape::ConfigPersistence]), ..nothing() };
    let other = Finding { escapes: Escapes::of(&[Escape::ConfigPersistence, Escape::Transaction]), ..nothing() };
    // Bit 15 of the escapes is past the last of them.
    let image = where_they_differ(&one, &other, 0x80);
    assert_eq!(puppet.answer(&image), Ok(nothing()));
}

#[test]
fn any_byte_of_an_answer_may_be_wrong() {
    let puppet = Puppet::new();
    let whole = image(&full());
    assert_eq!(puppet.answer(&whole), Ok(full()));
    let mut refused = 0;
    for place in 0..whole.bytes.len() {
        for byte in [0, 1, 0x7f, 0x80, 0xff] {
            let mut wrong = whole.clone();
            wrong.bytes[place] = byte;
            match puppet.answer(&wrong) {
                // What is still an answer must survive the core's check, whatever that says.
                Ok(finding) => drop(finding.check(&action_of("ls"), &Default::default())),
                Err(failure) => {
                    assert_eq!(failure, Failure::Output);
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 200, "{refused}");
}

fn node(parent: u32, kind: u8) -> Node {
    Node { parent, kind, key: (0, 0), value: (0, 0) }
}

fn tree(nodes: &[Node], pool: &str) -> Image {
    let mut heap = Heap::default();
    let tree = heap.raw_tree(nodes, pool);
    let finding = tool_finding(&mut heap, tree);
    heap.finish(&finding)
}

#[test]
fn a_document_that_is_too_deep_does_not_take_the_host_s_stack() {
    let puppet = Puppet::new();
    let chain = |depth: u32| {
        let nodes: Vec<Node> = (0..depth).map(|index| node(index.saturating_sub(1), ARRAY)).collect();
        puppet.answer(&tree(&nodes, ""))
    };
    let most = u32::try_from(DEPTH_MAX).unwrap();
    assert!(chain(most).is_ok());
    assert_eq!(chain(most + 2), Err(Failure::Output));
    assert_eq!(chain(20_000), Err(Failure::Output));
}

#[test]
fn a_document_that_repeats_its_text_does_not_take_the_host_s_memory() {
    // 16,000 values, each of them the whole pool of 100 KB: 1.6 GB if they were all made.
    let pool = "a".repeat(100_000);
    let mut nodes = vec![node(0, ARRAY)];
    nodes.resize(16_000, Node { value: (0, 100_000), ..node(0, 3) });
    assert_eq!(Puppet::new().answer(&tree(&nodes, &pool)), Err(Failure::Output));
}

#[test]
fn a_document_whose_parts_do_not_fit_together_is_refused() {
    let puppet = Puppet::new();
    let array = node(0, ARRAY);
    let refused: [(&[Node], &str); 6] = [
        (&[], ""),
        (&[array, node(1, 0)], ""),
        (&[array, node(2, 0), node(0, 0)], ""),
        (&[array, node(u32::MAX, 0)], ""),
        (&[Node { value: (0, 2), ..node(0, 3) }], "a"),
        (&[Node { value: (1, 0), ..node(0, 3) }], "a"),
    ];
    for (nodes, pool) in refused {
        assert_eq!(puppet.answer(&tree(nodes, pool)), Err(Failure::Output));
    }
}

#[test]
fn an_empty_finding_is_a_fault() {
    let puppet = Puppet::new();
    assert_eq!(puppet.fault(&Finding::default()), Err(Fault::Empty));
    assert_eq!(
        puppet.fault(&Finding { escapes: Escapes::of(&[Escape::Sql]), ..Finding::default() }),
        Err(Fault::Empty)
    );
    assert_eq!(puppet.fault(&nothing()), Ok(()));
}

#[test]
fn an_operation_that_was_not_declared_or_contradicts_itself_is_a_fault() {
    let puppet = Puppet::new();
    let of = |operation| Finding { operations: vec![operation], ..Finding::default() };
    assert_eq!(puppet.fault(&of(operation(Verb::Delete))), Err(Fault::Undeclared));
    assert_eq!(puppet.fault(&of(operation(Verb::Get))), Err(Fault::Undeclared));
    let target = |kind| vec![Segment { kind, name: "n".into(), certainty: Certainty::Exact }];
    assert_eq!(
        puppet.fault(&of(Operation { target: target(TargetKind::Host), ..operation(Verb::Get) })),
        Err(Fault::Undeclared)
    );
    let reads = Operation { target: target(TargetKind::File), access: Access::Read, ..operation(Verb::Get) };
    assert_eq!(puppet.fault(&of(reads.clone())), Ok(()));
    let push = Operation { native: "git-push".into(), ..reads.clone() };
    assert_eq!(puppet.fault(&of(push)), Err(Fault::Contradiction), "a push is not about a file");
    let less = Operation { access: Access::List, ..reads };
    assert_eq!(puppet.fault(&of(less)), Err(Fault::Contradiction), "what reads does more than list");
}

#[test]
fn a_span_that_lies_is_a_fault() {
    let puppet = Puppet::new();
    let span = |part, start, end| Span { part, start, end };
    let lies = [span(1, 0, 0), span(0, 0, 1 << 20), span(0, 2, 1), span(u32::MAX, 0, 0), span(0, u32::MAX, u32::MAX)];
    for origin in lies {
        let operation =
            Finding { operations: vec![Operation { origin, ..operation(Verb::Nothing) }], ..Finding::default() };
        let doubt = Finding { doubts: vec![Doubt { reason: Reason::OverBound, origin }], ..Finding::default() };
        let delegate = delegating(Delegate { origin, ..program(invocation()) });
        let argument = delegating(program(Invocation { argv: vec![ArgWord { origin, ..word("ls") }], ..invocation() }));
        for finding in [operation, doubt, delegate, argument] {
            assert_eq!(puppet.fault(&finding), Err(Fault::BadSpan), "{origin:?}");
        }
    }
}

#[test]
fn a_program_that_makes_no_sense_is_a_fault() {
    let puppet = Puppet::new();
    let none = delegating(program(Invocation { argv: vec![], ..invocation() }));
    assert_eq!(puppet.fault(&none), Err(Fault::NoWords));
    let input = delegating(program(Invocation { stdin: Input::OutputOf(1), ..invocation() }));
    assert_eq!(puppet.fault(&input), Err(Fault::BadIndex));
    let many = Finding { doubts: vec![Doubt { reason: Reason::OverBound, origin: ORIGIN }; 65], ..Finding::default() };
    assert_eq!(puppet.fault(&many), Err(Fault::OverBound));
}

#[test]
fn a_guest_that_answers_nothing_at_all_is_not_believed() {
    // Its record is the zeros of fresh memory, or whatever its own code left there.
    let (answer, _) = ask(guest("(i32.const 0x100000)"));
    assert_eq!(answer.unwrap().check(&action_of("ls"), &Default::default()), Err(Fault::Empty));
}
