//! Actions and findings through a guest's memory and back. The layout comes from the text of the contract, so a mistake
//! in the conversion cannot hide behind the same mistake in the bindings.

use crate::abi::image;
use crate::guest::Guest;
use crate::host::{Host, Puppet, action_of, nothing, operation};
use holdpoint_core::action::{
    Action, ArgWord, Fact, FactKind, FactQuery, Input, Invocation, SourceText, ToolAction, WorkingDir,
};
use holdpoint_core::finding::{Delegate, Doubt, Finding, Reason};
use holdpoint_core::json::{Json, Number};
use holdpoint_core::operation::{
    Access, Certainty, Effect, Escape, Obligation, ObligationKind, Operation, Scope, Segment, Span, TargetKind, Trait,
    Verb,
};
use holdpoint_core::ports::Classifier;
use holdpoint_core::words::{Word, WordSet};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::select;

/// Hands the request back: its action as a delegate, the questions of its facts as questions.
const ECHO: &str = "
    (local $fact i32) (local $left i32) (local $to i32)
    (memory.copy (i32.const 2048) (local.get $request) (i32.const 60))
    (i32.store offset=8 (i32.const 1024) (i32.const 2048))
    (i32.store offset=12 (i32.const 1024) (i32.const 1))
    (local.set $fact (i32.load offset=60 (local.get $request)))
    (local.set $left (i32.load offset=64 (local.get $request)))
    (local.set $to (i32.const 4096))
    (i32.store offset=28 (i32.const 1024) (local.get $to))
    (i32.store offset=32 (i32.const 1024) (local.get $left))
    (block $done (loop $more
        (br_if $done (i32.eqz (local.get $left)))
        (memory.copy (local.get $to) (local.get $fact) (i32.const 12))
        (local.set $to (i32.add (local.get $to) (i32.const 12)))
        (local.set $fact (i32.add (local.get $fact) (i32.const 20)))
        (local.set $left (i32.sub (local.get $left) (i32.const 1)))
        (br $more)))
    (i32.const 1024)";

fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, cases: 128, ..ProptestConfig::default() }
}

fn any_word<T: Word + std::fmt::Debug>() -> impl Strategy<Value = T> {
    select(T::ALL)
}

fn any_set<T: Word + std::fmt::Debug>() -> impl Strategy<Value = WordSet<T>> {
    vec(any_word::<T>(), 0..4).prop_map(|words| WordSet::of(&words))
}

fn text() -> impl Strategy<Value = String> {
    "\\PC{0,12}"
}

fn span() -> impl Strategy<Value = Span> {
    any::<(u32, u32, u32)>().prop_map(|(part, start, end)| Span { part, start, end })
}

fn arg() -> impl Strategy<Value = ArgWord> {
    (any_word(), text(), span()).prop_map(|(certainty, text, origin)| ArgWord { certainty, text, origin })
}

fn cwd() -> impl Strategy<Value = WorkingDir> {
    prop_oneof![Just(WorkingDir::Same), text().prop_map(WorkingDir::Path), Just(WorkingDir::Unknown)]
}

fn input() -> impl Strategy<Value = Input> {
    prop_oneof![
        Just(Input::Inherited),
        Just(Input::Empty),
        text().prop_map(Input::Text),
        arg().prop_map(Input::File),
        any::<u32>().prop_map(Input::OutputOf),
        Just(Input::External),
        Just(Input::Unknown),
    ]
}

fn json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        (-(1_i64 << 53)..=1 << 53).prop_map(|value| Json::Number(Number::integer(value).unwrap())),
        (-1e15..1e15).prop_map(|value| Json::Number(Number::float(value).unwrap())),
        text().prop_map(Json::Text),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Json::Array),
            btree_map(text(), inner, 0..6).prop_map(|members| Json::Object(members.into_iter().rev().collect())),
        ]
    })
}

fn action() -> impl Strategy<Value = Action> {
    let tool = (text(), text(), json());
    let program = (vec(arg(), 0..4), vec((text(), arg()), 0..3), cwd(), input());
    let source = (text(), text(), cwd());
    prop_oneof![
        tool.prop_map(|(server, name, arguments)| Action::Tool(ToolAction { server, name, arguments })),
        program.prop_map(|(argv, env, cwd, stdin)| Action::Program(Invocation { argv, env, cwd, stdin })),
        source.prop_map(|(language, text, cwd)| Action::Source(SourceText { language, text, cwd })),
    ]
}

fn query() -> impl Strategy<Value = FactQuery> {
    (any_word(), text()).prop_map(|(kind, subject)| FactQuery { kind, subject })
}

fn any_operation() -> impl Strategy<Value = Operation> {
    let segment =
        (any_word(), text(), any_word()).prop_map(|(kind, name, certainty)| Segment { kind, name, certainty });
    let words = (any_word(), any_word(), any_word(), any_word(), any_set());
    (words, text(), vec(segment, 0..4), span()).prop_map(
        |((verb, access, effect, scope, traits), native, target, origin)| Operation {
            verb,
            native,
            target,
            access,
            effect,
            scope,
            traits,
            origin,
        },
    )
}

fn finding() -> impl Strategy<Value = Finding> {
    let delegate = (action(), span()).prop_map(|(action, origin)| Delegate { action, origin });
    let obligation = (any_word(), any::<u64>()).prop_map(|(kind, amount)| Obligation { kind, amount });
    let doubt = (any_word(), span()).prop_map(|(reason, origin)| Doubt { reason, origin });
    (
        vec(any_operation(), 0..4),
        vec(delegate, 0..4),
        vec(obligation, 0..4),
        any_set(),
        vec(query(), 0..4),
        vec(doubt, 0..4),
    )
        .prop_map(|(operations, delegates, obligations, escapes, facts_needed, doubts)| Finding {
            operations,
            delegates,
            obligations,
            escapes,
            facts_needed,
            doubts,
        })
}

/// What a guest is told of an action: the host has placed it already, and an index into another finding says nothing.
fn as_told(action: &Action) -> Action {
    let placed = |cwd: &WorkingDir| match cwd {
        WorkingDir::Same | WorkingDir::Path(_) => WorkingDir::Same,
        WorkingDir::Unknown => WorkingDir::Unknown,
    };
    match action {
        Action::Tool(_) => action.clone(),
        Action::Source(source) => Action::Source(SourceText { cwd: placed(&source.cwd), ..source.clone() }),
        Action::Program(invocation) => {
            let stdin = match &invocation.stdin {
                Input::OutputOf(_) => Input::External,
                other => other.clone(),
            };
            Action::Program(Invocation { cwd: placed(&invocation.cwd), stdin, ..invocation.clone() })
        }
    }
}

#[test]
fn an_action_and_its_facts_reach_the_guest_whole() {
    let host = Host::new(&[Guest { classify: ECHO, ..Guest::default() }.build()]);
    let fact = (query(), text()).prop_map(|(query, answer)| Fact { query, answer });
    proptest!(config(), |(action in action(), facts in vec(fact, 0..4))| {
        let found = host.vocabularies.classify(0, &action, &facts).unwrap();
        let delegate = Delegate { action: as_told(&action), origin: Span { part: 0, start: 0, end: 0 } };
        prop_assert_eq!(found.delegates, vec![delegate]);
        prop_assert_eq!(found.facts_needed, facts.into_iter().map(|fact| fact.query).collect::<Vec<_>>());
    });
}

#[test]
fn a_finding_reaches_the_host_as_the_contract_lays_it_out() {
    let puppet = Puppet::new();
    proptest!(config(), |(finding in finding())| {
        prop_assert_eq!(puppet.answer(&image(&finding)), Ok(finding));
    });
}

#[test]
fn every_word_of_the_contract_reaches_the_host_as_itself() {
    fn each<T: Word>(puppet: &Puppet, make: impl Fn(T) -> Finding) {
        for word in T::ALL {
            let finding = make(*word);
            assert_eq!(puppet.answer(&image(&finding)), Ok(finding));
        }
    }
    fn with(change: impl FnOnce(&mut Operation)) -> Finding {
        let mut operation = operation(Verb::Get);
        change(&mut operation);
        Finding { operations: vec![operation], ..Finding::default() }
    }
    let puppet = Puppet::new();
    let origin = Span { part: 1, start: 2, end: 3 };
    let segment = |kind, certainty| vec![Segment { kind, name: "n".into(), certainty }];
    each(&puppet, |verb: Verb| with(|operation| operation.verb = verb));
    each(&puppet, |access: Access| with(|operation| operation.access = access));
    each(&puppet, |effect: Effect| with(|operation| operation.effect = effect));
    each(&puppet, |scope: Scope| with(|operation| operation.scope = scope));
    each(&puppet, |one: Trait| with(|operation| operation.traits = WordSet::of(&[one])));
    each(&puppet, |kind: TargetKind| with(|operation| operation.target = segment(kind, Certainty::Exact)));
    each(&puppet, |certainty: Certainty| with(|operation| operation.target = segment(TargetKind::File, certainty)));
    each(&puppet, |one: Escape| Finding { escapes: WordSet::of(&[one]), ..nothing() });
    each(&puppet, |reason: Reason| Finding { doubts: vec![Doubt { reason, origin }], ..nothing() });
    each(&puppet, |kind: ObligationKind| Finding { obligations: vec![Obligation { kind, amount: 1 }], ..nothing() });
    each(&puppet, |kind: FactKind| Finding {
        facts_needed: vec![FactQuery { kind, subject: "s".into() }],
        ..nothing()
    });
}

#[test]
fn an_action_as_large_as_the_core_takes_reaches_the_guest() {
    let host = Host::new(&[crate::guest::good()]);
    assert_eq!(host.ask(0, &action_of(&"a".repeat(64 << 10))), Ok(nothing()));
    let wide = Json::Array(vec![Json::Null; holdpoint_core::json::NODES_MAX - 1]);
    let tool = Action::Tool(ToolAction { server: String::new(), name: "t".into(), arguments: wide });
    assert_eq!(host.ask(0, &tool), Ok(nothing()));
}
