//! Telling somebody outside: a document is posted to the webhooks of the configuration by a process of its own, so that no
//! decision waits for a network. How that went stands in the record.

use crate::commands::freeze;
use crate::exit::{Exit, Failure};
use crate::gate::{self, own_program};
use holdpoint::Notifier;
use holdpoint_core::json::Json;
use holdpoint_store::config::Config;
use holdpoint_store::{StateFolder, config};
use serde::{Deserialize, Serialize};
use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

/// The hidden sub-command that posts what it reads from standard input.
pub(crate) const NOTIFY: &str = "__notify";
/// Most bytes of a message: it fits into a pipe, so handing it over never waits.
const MESSAGE_BYTES_MAX: usize = 32 << 10;
/// Longest time for one webhook.
const POST_TIME: Duration = Duration::from_secs(10);

/// The webhooks of a configuration.
pub(crate) struct Webhooks {
    state: PathBuf,
    urls: Vec<String>,
}

/// What the sending process is given. A webhook's address may be a secret, so it is no argument that others can see.
#[derive(Serialize, Deserialize)]
struct Message {
    state: PathBuf,
    urls: Vec<String>,
    about: String,
    notice: String,
}

impl Webhooks {
    pub(crate) fn of(state: &StateFolder, config: &Config) -> Webhooks {
        let urls = config.webhooks.iter().map(|url| url.value.clone()).collect();
        Webhooks { state: state.path().to_path_buf(), urls }
    }

    fn send(&self, notice: &Json) -> Result<(), Failure> {
        let about = notice.get("correlation_id").and_then(Json::as_text).unwrap_or_default().to_owned();
        let message = Message { state: self.state.clone(), urls: self.urls.clone(), about, notice: notice.canonical() };
        let text = serde_json::to_vec(&message).map_err(|error| Failure::internal(error.to_string()))?;
        if text.len() > MESSAGE_BYTES_MAX {
            return Err(Failure::internal(format!("a message of {} bytes is too long", text.len())));
        }
        let failed = |error: std::io::Error| Failure::internal(format!("nobody could be told: {error}"));
        let mut sender = Command::new(own_program()?)
            .arg(NOTIFY)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .map_err(failed)?;
        sender.stdin.take().map_or(Ok(()), |mut stdin| stdin.write_all(&text)).map_err(failed)
    }
}

impl Notifier for Webhooks {
    fn tell(&self, notice: &Json) {
        if self.urls.is_empty() {
            return;
        }
        if let Err(failure) = self.send(notice)
            && let Ok(state) = StateFolder::open(&self.state)
        {
            // The decision stands, whoever hears of it.
            let _ = freeze::mark(&state, &format!("webhook: {}", failure.what), gate::now_ms());
        }
    }
}

/// Posts the message on standard input to each webhook, once, and writes down how that went.
pub(crate) fn send() -> Exit {
    match read().and_then(|message| post_all(&message)) {
        Ok(()) => Exit::Done,
        Err(failure) => crate::output::failure(&failure),
    }
}

fn read() -> Result<Message, Failure> {
    let mut text = Vec::new();
    let most = MESSAGE_BYTES_MAX as u64;
    let read = std::io::stdin().lock().take(most.saturating_add(1)).read_to_end(&mut text);
    read.map_err(|error| Failure::internal(format!("standard input: {error}")))?;
    if text.len() > MESSAGE_BYTES_MAX {
        return Err(Failure::usage(format!("a message has at most {MESSAGE_BYTES_MAX} bytes"), ""));
    }
    serde_json::from_slice(&text).map_err(|error| Failure::usage(format!("no message: {error}"), ""))
}

fn post_all(message: &Message) -> Result<(), Failure> {
    let state = StateFolder::open(&message.state)?;
    // What a webhook answers is not followed: it was configured, and where it points to was not.
    let settings = ureq::Agent::config_builder()
        .timeout_global(Some(POST_TIME))
        .max_redirects(0)
        .http_status_as_error(false)
        .build();
    let agent = ureq::Agent::new_with_config(settings);
    for url in &message.urls {
        let posted = agent.post(url).header("content-type", "application/json").send(&message.notice);
        let how = match posted {
            Ok(response) => format!("answered {}", response.status().as_u16()),
            Err(error) => format!("failed: {}", kind(&error)),
        };
        let what = format!("webhook {} {how} for {}", config::host_of(url), message.about);
        freeze::mark(&state, &what, gate::now_ms())?;
    }
    Ok(())
}

/// What went wrong, without the address: it may hold a secret.
fn kind(error: &ureq::Error) -> String {
    match error {
        ureq::Error::Io(error) => error.kind().to_string(),
        ureq::Error::Timeout(_) => "timeout".to_owned(),
        ureq::Error::HostNotFound => "host not found".to_owned(),
        ureq::Error::Tls(problem) => format!("TLS: {problem}"),
        _ => "the request could not be made".to_owned(),
    }
}
