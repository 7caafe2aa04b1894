//! `attest`: a claim that somebody agreed, in place of an answer. It counts only where an operator said so in the
//! configuration, only for what a level asks, and it stands in the record with its words.

use crate::approval_args::AttestArgs;
use crate::commands::toggle::not_written;
use crate::commands::{approvals, freeze};
use crate::config::Configured;
use crate::exit::{Exit, Failure};
use crate::gate::Parts;
use crate::output::{self, visible};
use crate::{gate, home};
use holdpoint_core::approval::{Attestation, Attesting, CLAIM_BYTES_MAX, Via};
use holdpoint_core::asking::Strength;
use holdpoint_store::{Answered, Answerer, Approvals, Says, StateFolder};

/// Who claims at a command line.
const ACTOR: &str = "cli";

/// Keeps the claim as what answers the question.
pub(crate) fn run(args: &AttestArgs) -> Result<Exit, Failure> {
    let Some(claim) = Attestation::new(&args.claim) else {
        let what = format!("a claim is a text of 1 to {CLAIM_BYTES_MAX} bytes");
        return Err(Failure::usage(what, "say who agreed to what: `holdpoint attest ID 'ana agreed in ticket 7'`"));
    };
    let parts = Parts::load(StateFolder::open(&home::state_path()?)?)?;
    let kept = approvals::find(&parts.state, &args.id)?;
    let configured = Configured::read(parts.state.path(), args.config.as_deref(), None, &parts.registry()?);
    let refused = |what: String, help: &str| Err(Failure::new(Exit::Denied, what, help));
    if configured.attesting(&kept.principal) == Attesting::Refused {
        let what = format!("claims of {} answer nothing", visible(&kept.principal));
        let help = "a person answers: `holdpoint approvals allow`. An operator may accept claims in the configuration: \
                    `safety.principals.NAME.attestation = \"accepted\"`";
        return refused(what, help);
    }
    let now_ms = gate::now_ms();
    let who = Answerer { by: ACTOR.to_owned(), via: Via::Attestation, strength: Strength::Keypress };
    let answered = Approvals::of(&parts.state).answer(&kept.id, &Says::Attest(claim), &who, now_ms);
    match answered.map_err(|failure| not_written(&failure.cause))? {
        Answered::Kept(kept) => {
            freeze::mark(&parts.state, "attested", now_ms)?;
            output::note(&format!("{} attested: the call has to be made again", kept.id));
            Ok(Exit::Done)
        }
        Answered::Over(kept) => Err(approvals::over(&kept)),
        Answered::TooWeak(kept) => {
            let what = format!("a claim does not answer the question {}: more than a level asks it", kept.id);
            refused(what, "a person answers: `holdpoint approvals allow`")
        }
        Answered::Unknown => refused("the question is gone".to_owned(), "`holdpoint approvals list`"),
    }
}
