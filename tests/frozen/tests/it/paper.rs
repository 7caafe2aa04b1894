//! The paper on protection levels, one table a section. What needs the built command is tested with it: that an escape is
//! no flag, that `safety explain` prints what a level expands to, and that what is found out on the way ends a plan.

use crate::fixtures::{call, operation, standing};
use crate::matrix::{everything_but, update};
use crate::safety::configured;
use crate::violations::unwritten;
use holdpoint_core::advice::{Advice, Caution};
use holdpoint_core::approval::{Attestation, Attesting, Consent};
use holdpoint_core::asking::{Channel, Strength};
use holdpoint_core::assess::{Assessment, Cause};
use holdpoint_core::authorize::{Judged, Outcome, Recorded, Stamp, Who, authorize, record};
use holdpoint_core::call::ToolCall;
use holdpoint_core::finding::Finding;
use holdpoint_core::journal::Line;
use holdpoint_core::json::Json;
use holdpoint_core::judge::{Standing, judge};
use holdpoint_core::level::{Criticality, Level, rung};
use holdpoint_core::operation::{Effect, Obligation, ObligationKind, Scope, TargetKind, Verb};
use holdpoint_core::ports::{Journal, NotDurable};
use holdpoint_core::posture::{Freeze, Pin, Posture, SessionAccess, WriteScope};
use holdpoint_core::proof::Transport;
use holdpoint_core::report::document;
use holdpoint_core::resource::ResourcePattern;
use holdpoint_core::rungs::Rung;
use holdpoint_core::toggle::ToggleKey;
use holdpoint_core::verdict::{Decision, Remedy, Rule};
use holdpoint_core::words::{Word, WordSet};
use holdpoint_store::config::Layer;
use std::borrow::Cow;

/// A journal that holds every line.
#[derive(Default)]
struct Kept(std::cell::RefCell<Vec<Line>>);

impl Journal for Kept {
    fn append(&self, lines: &[Line], _at_ms: u64) -> Result<(), NotDurable> {
        self.0.borrow_mut().extend_from_slice(lines);
        Ok(())
    }
}

fn at(level: Level) -> Standing {
    standing(level, everything_but(None))
}

fn does(operation: holdpoint_core::operation::Operation) -> Assessment {
    let mut assessment = call();
    assessment.admit(0, Finding { operations: vec![operation], ..Finding::default() });
    assessment
}

fn reads() -> Assessment {
    does(operation(Verb::Get, TargetKind::File, "a", Effect::None))
}

fn loses(name: &str) -> Assessment {
    does(operation(Verb::Delete, TargetKind::File, name, Effect::Irreversible))
}

fn everything() -> ResourcePattern {
    ResourcePattern::parse("*:**").unwrap()
}

fn held(hold: impl FnOnce(&mut Posture), level: Level) -> Standing {
    let mut standing = at(level);
    hold(&mut standing.posture);
    standing
}

fn judged(assessment: &Assessment, standing: &Standing) -> Judged {
    let stamp = Stamp { correlation_id: "c1".into(), at_ms: 0 };
    let who = Who {
        principal: "mcp:x".into(),
        level: standing.level,
        run: "r".into(),
        call: "t".into(),
        via: Transport::McpStdio,
    };
    let mut judged = Judged::refused(stamp, who, Rule::Malformed, String::new());
    judged.verdict = judge(assessment, standing);
    judged.assessment = Some(assessment.clone());
    judged.call = ToolCall::new("", "Bash", Json::object([]), "/home/u/proj").ok();
    judged
}

#[test]
fn principle_3_the_remedy_says_whether_to_give_up_and_only_a_horizon_is_worth_waiting_for() {
    let advised = |says| {
        let mut standing = at(Level::Unrestricted);
        standing.advice = vec![Advice { resource: everything(), says, detail: "the canary soaks".into() }];
        standing
    };
    let freeze = Freeze { by: "cli".into(), why: "incident 7".into(), since_ms: 0 };
    let pin = Pin { resource: everything(), source: "f:1".into() };
    let narrow = Rung {
        verb: Some(Verb::Delete),
        native: None,
        kind: None,
        effect_min: Effect::Reversible,
        scope_min: Scope::AllInParent,
        criticality_min: Criticality::Ordinary,
        says: Rung::filled([None, None, None, Some(holdpoint_core::asking::Answer::Deny)]),
        source: "f:2".into(),
    };
    let mut all = operation(Verb::Delete, TargetKind::File, "a", Effect::Irreversible);
    all.scope = Scope::AllInParent;
    let cells: Vec<(&str, Assessment, Standing, &str)> = vec![
        ("a level is raised by a person", loses("a"), at(Level::Observe), "human"),
        (
            "a freeze is thawed by a person",
            update("a"),
            held(|held| held.freeze = Some(freeze), Level::Trusted),
            "human",
        ),
        (
            "a pin is taken out by whoever configures",
            update("a"),
            held(|held| held.pins.push(pin), Level::Trusted),
            "config",
        ),
        (
            "a configuration that nobody can read is mended",
            update("a"),
            held(|held| held.unreadable = Some("f:3".into()), Level::Trusted),
            "config",
        ),
        (
            "less of the same would pass",
            does(all),
            Standing { rungs: vec![narrow], ..at(Level::Unrestricted) },
            "modify-request",
        ),
        ("a time is waited for", update("a"), advised(Caution::NotBefore { retry_after_s: 60 }), "wait"),
    ];
    for (sentence, assessment, standing, remedy) in cells {
        let judged = judged(&assessment, &standing);
        assert_eq!(judged.verdict.decision(), Decision::Deny, "{sentence}: {:?}", judged.verdict);
        let refusal = document(&judged).get("refusal").unwrap().clone();
        let text = |key: &str| refusal.get(key).and_then(|value| value.as_text()).unwrap_or_default().to_owned();
        assert_eq!(text("remedy"), remedy, "{sentence}: {refusal:?}");
        let waits = format!("{:?}", refusal.get("retryable")) == "Some(Bool(true))";
        assert_eq!(waits, remedy == "wait", "{sentence}: {refusal:?}");
        let horizon = format!("{:?}", refusal.get("retry_after"));
        assert_eq!(horizon.contains("60"), remedy == "wait", "{sentence}: {horizon}");
        for member in ["decision", "rule", "principal", "action", "level", "detail", "correlation_id"] {
            assert_ne!(text(member), "", "{sentence}: {member}");
        }
    }
}

#[test]
fn principle_4_there_are_three_outcomes_and_the_middle_one_is_neither_of_the_others() {
    let cells = [
        ("reading goes on", reads(), "allow"),
        ("what may matter is asked", loses("a"), "ask"),
        ("what would open the gate is refused", loses("/home/u/.local/state/holdpoint"), "deny"),
    ];
    for (sentence, assessment, decision) in cells {
        let outcome = authorize(judged(&assessment, &at(Level::Guarded)), Channel::Terminal);
        let became = match outcome {
            Outcome::Authorized(_) => "allow",
            Outcome::Pending(_) => "ask",
            Outcome::Denied(_) => "deny",
        };
        assert_eq!(became, decision, "{sentence}");
    }
}

#[test]
fn principle_5_and_effective_level_the_least_of_every_matching_entry_counts() {
    let paper = "safety.level = \"trusted\"\nsafety.principals.mcp.level = \"guarded\"\n\
                 safety.principals.\"mcp:claude-code\".level = \"observe\"\n";
    let looser = "safety.principals.mcp.level = \"observe\"\nsafety.principals.\"mcp:a\".level = \"unrestricted\"\n";
    let cells = [
        ("a person at the console is trusted", paper, "tui", Level::Trusted),
        ("anything over the protocol is guarded", paper, "mcp", Level::Guarded),
        ("whoever renames itself falls back to the way in and no higher", paper, "mcp:other", Level::Guarded),
        ("a name tightens", paper, "mcp:claude-code", Level::Observe),
        ("a name under a name tightens as well", paper, "mcp:claude-code:2", Level::Observe),
        ("a name that only starts alike is another one", paper, "mcp:claude-codex", Level::Guarded),
        ("a name never loosens", looser, "mcp:a", Level::Observe),
    ];
    for (sentence, text, principal, level) in cells {
        let config = configured(&[(Layer::User, text)]);
        assert_eq!(config.level(principal, Level::Unrestricted), level, "{sentence}");
    }
}

#[test]
fn principle_7_advice_is_kept_apart_from_permission_and_never_weakens_it() {
    let advice = |says| vec![Advice { resource: everything(), says, detail: "staging is red".into() }];
    for level in Level::ALL {
        for assessment in [reads(), update("a"), loses("a"), loses("/home/u/.local/state/holdpoint")] {
            let policy = judge(&assessment, &at(*level)).decision();
            for says in [Caution::Ask, Caution::NotBefore { retry_after_s: 1 }] {
                let advised = judge(&assessment, &Standing { advice: advice(says), ..at(*level) });
                assert!(advised.decision() >= policy, "{level}");
                let by_advice = advised.reasons().iter().filter(|reason| reason.rule == Rule::Advice).count();
                let changes = !format!("{:?}", assessment.operations()).contains("verb: Get");
                assert_eq!(by_advice > 0, changes, "advice is about changes: {level}");
            }
        }
    }
}

#[test]
fn principle_8_an_allow_a_question_and_a_refusal_leave_a_line_each_with_level_and_rule() {
    let cells = [
        ("an allow", reads(), "dispatched"),
        ("a question", loses("a"), "asked"),
        ("a refusal", loses("/home/u/.local/state/holdpoint"), "refused"),
    ];
    for (sentence, assessment, stage) in cells {
        let kept = Kept::default();
        let recorded = record(authorize(judged(&assessment, &at(Level::Guarded)), Channel::Terminal), &kept);
        let lines = kept.0.borrow();
        assert_eq!(lines.len(), 1, "{sentence}: {recorded:?}");
        let (line, _) = lines[0].clone().seal(holdpoint_core::journal::Head::START);
        for part in
            [format!("\"stage\":\"{stage}\""), "\"level\":\"guarded\"".into(), "\"correlation_id\":\"c1\"".into()]
        {
            assert!(line.contains(&part), "{sentence}: {part}: {line}");
        }
    }
}

#[test]
fn attestation_what_it_can_never_touch_stays_refused_whatever_is_claimed() {
    let claim = || Consent::Attested { claim: Attestation::new("the operator said so").unwrap(), kept: None };
    let pin = Pin { resource: everything(), source: "f:1".into() };
    let freeze = Freeze { by: "cli".into(), why: "incident 7".into(), since_ms: 0 };
    let cells: Vec<(&str, Standing)> = vec![
        ("writes that were not allowed", held(|held| held.writes = WriteScope::Only(vec![]), Level::Unrestricted)),
        ("a pinned resource", held(|held| held.pins.push(pin), Level::Unrestricted)),
        ("a freeze", held(|held| held.freeze = Some(freeze), Level::Unrestricted)),
        ("an unreadable configuration", held(|held| held.unreadable = Some("f:3".into()), Level::Unrestricted)),
        ("a session that reads only", held(|held| held.session = SessionAccess::ReadOnly, Level::Unrestricted)),
        ("a level that denies", at(Level::Observe)),
        (
            "a question of a toggle",
            standing(Level::Unrestricted, everything_but(Some(ToggleKey::ShellAllowOutsideWorkspace))),
        ),
    ];
    for (sentence, standing) in cells {
        let mut judged = judged(&loses("/srv/a"), &standing);
        assert_ne!(judged.verdict.decision(), Decision::Allow, "{sentence}");
        assert!(!claim().answers(&judged), "{sentence}");
        judged.consent = Some(claim());
        let outcome = authorize(judged, Channel::Terminal);
        assert!(!matches!(outcome, Outcome::Authorized(_)), "{sentence}: {outcome:?}");
    }
    let asked = judged(&loses("a"), &at(Level::Guarded));
    assert!(claim().answers(&asked), "a level's own question is the only thing that a claim answers");
    for attesting in [Attesting::Refused, Attesting::Accepted] {
        let opted_in = attesting != Attesting::Refused;
        assert_eq!(
            claim().counts_for(&attesting),
            opted_in,
            "what was not opted in to outside the call is worth nothing"
        );
    }
}

#[test]
fn ask_per_transport_a_question_that_its_way_cannot_carry_is_a_refusal_for_a_person() {
    let cells = [
        ("nobody is reached", Channel::Nobody, None),
        ("a host's prompt is worth a key", Channel::HostPrompt, Some(Strength::Keypress)),
        (
            "elicitation is worth a key: a declared capability is no human",
            Channel::Elicitation,
            Some(Strength::Keypress),
        ),
        ("a terminal can carry any", Channel::Terminal, Some(Strength::Password)),
        ("the console can carry any", Channel::Console, Some(Strength::Password)),
    ];
    for (sentence, channel, greatest) in cells {
        for strength in Strength::ALL {
            let mut judged = judged(&loses("a"), &at(Level::Guarded));
            let leading = judged.verdict.leading().unwrap().clone();
            judged.verdict = judged.verdict.and(leading.at_least(*strength));
            let outcome = authorize(judged, channel);
            let carried = greatest.is_some_and(|greatest| greatest >= *strength);
            assert_eq!(matches!(outcome, Outcome::Pending(_)), carried, "{sentence}: {strength}: {outcome:?}");
            let recorded = record(outcome, &Kept::default());
            if !carried {
                let leading = recorded.judged().verdict.leading().unwrap();
                assert_eq!((leading.rule, &leading.remedy), (Rule::NoPerson, &Remedy::Human), "{sentence}");
            }
        }
    }
}

#[test]
fn fail_closed_absent_means_the_default_of_the_way_in_and_unreadable_means_observe() {
    let cells = [
        ("nothing is there", vec![], Level::Trusted, false),
        ("it says nothing about levels", vec![(Layer::User, "")], Level::Trusted, false),
        ("a level is misspelt", vec![(Layer::User, "safety.level = \"observ\"")], Level::Observe, true),
        ("a key is misspelt", vec![(Layer::User, "safety.levle = \"guarded\"")], Level::Observe, true),
        ("a pin is misspelt", vec![(Layer::User, "pins = [{ resorce = \"host:a\" }]")], Level::Observe, true),
        ("a pin can never match", vec![(Layer::User, "pins = [{ resource = \"file:prod\" }]")], Level::Observe, true),
        ("it is no TOML", vec![(Layer::User, "= oops")], Level::Observe, true),
        ("only the repository's is wrong", vec![(Layer::User, ""), (Layer::Repository, "oops")], Level::Observe, true),
    ];
    for (sentence, layers, level, unreadable) in cells {
        let config = configured(&layers);
        assert_eq!(config.level("tui", Level::Trusted), level, "{sentence}");
        let bound = config.bind("tui", at(Level::Trusted));
        let verdict = judge(&update("a"), &bound);
        assert_eq!(verdict.decision() == Decision::Deny, unreadable, "{sentence}");
        assert_eq!(verdict.leading().is_some_and(|reason| reason.remedy == Remedy::Config), unreadable, "{sentence}");
    }
}

#[test]
fn precedence_unrestricted_means_no_refusal_of_the_level_and_not_no_refusal() {
    let pin = || Pin { resource: everything(), source: "f:1".into() };
    let freeze = || Freeze { by: "cli".into(), why: "incident 7".into(), since_ms: 0 };
    let cells: Vec<(&str, Standing, Rule)> = vec![
        ("a pin wins", held(|held| held.pins.push(pin()), Level::Unrestricted), Rule::Pinned),
        ("a freeze wins", held(|held| held.freeze = Some(freeze()), Level::Unrestricted), Rule::Frozen),
        (
            "a pin is named before a freeze",
            held(
                |held| {
                    held.pins.push(pin());
                    held.freeze = Some(freeze());
                },
                Level::Unrestricted,
            ),
            Rule::Pinned,
        ),
        ("a pin is named before the level", held(|held| held.pins.push(pin()), Level::Observe), Rule::Pinned),
    ];
    for (sentence, standing, rule) in cells {
        let verdict = judge(&update("a"), &standing);
        assert_eq!(verdict.leading().map(|reason| reason.rule), Some(rule), "{sentence}");
        assert_eq!(verdict.decision(), Decision::Deny, "{sentence}");
    }
    for effect in Effect::ALL {
        for criticality in Criticality::ALL {
            assert_eq!(rung(Level::Unrestricted, *effect, *criticality), Decision::Allow, "no refusal of the level");
        }
    }
}

#[test]
fn a_decision_is_not_one_of_three_values_it_carries_obligations_and_questions_have_a_strength() {
    for kind in ObligationKind::ALL {
        let mut assessment = reads();
        let obligations = vec![Obligation { kind: *kind, amount: 30 }];
        let operations = vec![operation(Verb::Get, TargetKind::File, "a", Effect::None)];
        assessment.admit(0, Finding { operations, obligations, ..Finding::default() });
        let seen_to = judge(&assessment, &at(Level::Guarded));
        assert_eq!(seen_to.decision(), Decision::Allow, "{kind}");
        assert_eq!(seen_to.obligations().iter().map(|carried| carried.kind).collect::<Vec<_>>(), [*kind]);
        let careless = Standing { honours: WordSet::EMPTY, ..at(Level::Guarded) };
        assert_eq!(judge(&assessment, &careless).decision(), Decision::Ask, "nobody sees to `{kind}`");
    }
    let strengths =
        [(Rule::Level, Strength::Keypress), (Rule::Toggle(ToggleKey::EmailRecipientAllowlist), Strength::TypeName)];
    for (rule, strength) in strengths {
        assert_eq!(rule.strength(), strength);
    }
}

#[test]
fn decisions_are_not_one_shot_what_changes_in_between_is_judged_anew() {
    let step = update("a");
    let mut standing = at(Level::Trusted);
    let first = judge(&step, &standing);
    let policy = standing.revision();
    standing.posture.freeze = Some(Freeze { by: "cli".into(), why: "incident 7".into(), since_ms: 1 });
    let second = judge(&step, &standing);
    assert_eq!((first.decision(), second.decision()), (Decision::Allow, Decision::Deny));
    assert_ne!(policy, standing.revision(), "a yes from before the freeze is for another policy");
}

#[test]
fn attested_or_allowed_nothing_happens_that_was_not_written_down_first() {
    assert!(matches!(unwritten(), Recorded::Denied(_)));
    let unknown = {
        let mut assessment = reads();
        assessment.fail(0, Cause::NoClaimant);
        assessment
    };
    // What nobody understands is a question even where no level refuses anything.
    assert_eq!(judge(&unknown, &at(Level::Unrestricted)).decision(), Decision::Ask);
    let instead: Cow<'static, str> = "name one file".into();
    assert!(!Remedy::ModifyRequest { instead }.is_retryable());
}
