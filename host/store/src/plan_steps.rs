//! The steps of a plan as they are kept: what each wants, and what a yes lets through when its turn comes.

use holdpoint_core::approval::Binding;
use holdpoint_core::authorize::Judged;
use holdpoint_core::digest::Digest;
use holdpoint_core::json::Json;
use serde_json::Value;

/// One step of a plan that somebody is asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanStep {
    /// What a yes to it covers.
    pub binding: Digest,
    /// The server and the tool.
    pub tool: String,
    /// Everything the call holds, as canonical JSON with everything visible.
    pub action: String,
    /// Why it is asked: one sentence for each reason.
    pub reasons: Vec<String>,
}

impl PlanStep {
    /// The step of a judged call; `None` where it asks nothing.
    pub(crate) fn of(judged: &Judged) -> Option<PlanStep> {
        let (tool, action) = crate::question::called(judged)?;
        let reasons = crate::question::sentences(judged);
        Some(PlanStep { binding: Binding::of(judged)?.digest(), tool, action, reasons })
    }

    pub(crate) fn document(&self) -> Json {
        let text = |text: &String| Json::text(text.as_str());
        Json::object([
            ("binding", Json::text(self.binding.hex())),
            ("tool", text(&self.tool)),
            ("action", text(&self.action)),
            ("reasons", Json::Array(self.reasons.iter().map(text).collect())),
        ])
    }

    pub(crate) fn read(step: &Value) -> Option<PlanStep> {
        let text = |member: &str| step.get(member).and_then(Value::as_str).map(str::to_owned);
        let reasons = step.get("reasons")?.as_array()?.iter().map(|reason| reason.as_str().map(str::to_owned));
        Some(PlanStep {
            binding: Digest::from_hex(&text("binding")?)?,
            tool: text("tool")?,
            action: text("action")?,
            reasons: reasons.collect::<Option<_>>()?,
        })
    }
}
