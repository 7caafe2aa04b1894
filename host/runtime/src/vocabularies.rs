//! The vocabularies in force. Each is loaded when it is first asked, so a call pays only for what it needs.

use crate::cache::{Cache, EntryId, load_unkept};
use crate::classify::Ready;
use crate::compile::Compiler;
use crate::manifest::Manifest;
use crate::prove::prove;
use crate::sandbox::Sandbox;
use holdpoint_core::action::{Action, Fact};
use holdpoint_core::digest::Digest;
use holdpoint_core::finding::Finding;
use holdpoint_core::ports::{Classifier, Failure};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Where a vocabulary's bytes come from. They are needed only when no compiled code is kept.
pub trait Source: Send + Sync {
    /// The bytes, after their signature was verified.
    fn verified_bytes(&self) -> Result<Vec<u8>, String>;
}

/// A vocabulary that is in force.
pub struct Vocabulary {
    /// What it says of itself.
    pub manifest: Manifest,
    /// The digest of its file.
    pub digest: Digest,
    /// Why it must not be asked any more. What it claims stays claimed, so that nothing gets allowed by its silence.
    pub refused: Option<String>,
    /// Where its bytes come from.
    pub source: Box<dyn Source>,
}

/// All vocabularies in force.
pub struct Vocabularies {
    sandbox: Sandbox,
    cache: Option<Cache>,
    compiler: Compiler,
    members: Vec<Member>,
    degraded: Mutex<Vec<String>>,
}

struct Member {
    vocabulary: Vocabulary,
    ready: OnceLock<Result<Ready, Failure>>,
}

impl Vocabularies {
    /// Vocabularies that are loaded when they are first asked.
    pub fn new(
        sandbox: Sandbox,
        cache: Option<Cache>,
        compiler: Compiler,
        vocabularies: Vec<Vocabulary>,
    ) -> Vocabularies {
        let member = |vocabulary| Member { vocabulary, ready: OnceLock::new() };
        let members = vocabularies.into_iter().map(member).collect();
        Vocabularies { sandbox, cache, compiler, members, degraded: Mutex::new(Vec::new()) }
    }

    /// The engine and its configuration, as a number that compiled code depends on.
    pub fn engine(&self) -> u64 {
        self.sandbox.compatibility()
    }

    /// What they say of themselves.
    pub fn manifests(&self) -> impl Iterator<Item = (&Manifest, Digest)> {
        self.members.iter().map(|member| (&member.vocabulary.manifest, member.vocabulary.digest))
    }

    /// Loads every vocabulary now, so that the first call does not pay for it.
    pub fn load_all(&self) -> Result<(), Failure> {
        self.members.iter().try_for_each(|member| self.ready(member).map(|_| ()))
    }

    /// What went wrong so far without changing an answer, for `degraded` entries and `doctor`.
    pub fn degraded(&self) -> Vec<String> {
        self.degraded.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn ready<'a>(&self, member: &'a Member) -> Result<&'a Ready, Failure> {
        member.ready.get_or_init(|| self.load(&member.vocabulary)).as_ref().map_err(|failure| *failure)
    }

    fn load(&self, vocabulary: &Vocabulary) -> Result<Ready, Failure> {
        if let Some(why) = &vocabulary.refused {
            // Compiled code may be kept, and it must not be a way around the refusal.
            self.note(vocabulary, "refused", why);
            return Err(Failure::Unavailable);
        }
        let id = EntryId { component: vocabulary.digest, compatibility: self.sandbox.compatibility() };
        let kept = self.cache.as_ref().and_then(|cache| match cache.load(self.sandbox.engine(), id) {
            Ok(component) => Some(component),
            Err(crate::CacheError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => {
                self.note(vocabulary, "compiled code", &error.to_string());
                None
            }
        });
        let component = match kept {
            Some(component) => component,
            None => self.compile(vocabulary, id).map_err(|(what, error)| {
                self.note(vocabulary, what, &error);
                Failure::Unavailable
            })?,
        };
        Ready::new(&self.sandbox, &component, vocabulary.manifest.limits.fuel).map_err(|error| {
            self.note(vocabulary, "contract", &format!("{error:#}"));
            Failure::Unavailable
        })
    }

    fn compile(
        &self,
        vocabulary: &Vocabulary,
        id: EntryId,
    ) -> Result<wasmtime::component::Component, (&'static str, String)> {
        let limits = self.sandbox.limits();
        let bytes = vocabulary.source.verified_bytes().map_err(|error| ("component", error))?;
        let proof = prove(&bytes, limits).map_err(|error| ("proof", error.to_string()))?;
        if proof.digest() != vocabulary.digest {
            return Err(("component", "the file has another digest than the one installed".to_owned()));
        }
        let artefact = self.compiler.compile(&bytes, limits).map_err(|error| ("compiler", error.to_string()))?;
        let engine = self.sandbox.engine();
        if let Some(cache) = &self.cache {
            match cache.store(id, &artefact).and_then(|()| cache.load(engine, id)) {
                Ok(component) => return Ok(component),
                Err(error) => self.note(vocabulary, "compiled code is not kept", &error.to_string()),
            }
        }
        load_unkept(engine, &artefact).map_err(|error| ("compiled code", error.to_string()))
    }

    fn note(&self, vocabulary: &Vocabulary, what: &str, problem: &str) {
        let text = format!("vocabulary {}: {what}: {problem}", vocabulary.manifest.name);
        self.degraded.lock().unwrap_or_else(PoisonError::into_inner).push(text);
    }
}

impl Classifier for Vocabularies {
    fn prepare(&self, vocabulary: usize) {
        // A failure is kept, and is the answer to every question.
        let _ = self.members.get(vocabulary).map(|member| self.ready(member));
    }

    fn classify(&self, vocabulary: usize, action: &Action, facts: &[Fact]) -> Result<Finding, Failure> {
        let member = self.members.get(vocabulary).ok_or(Failure::Unavailable)?;
        self.ready(member)?.ask(&self.sandbox, action, facts)
    }
}
