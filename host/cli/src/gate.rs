//! Putting the gate together from what this machine has: the state folder, the vocabularies in force and the clock.

use crate::commands::freeze;
use crate::commands::undo::{NoWindow, Window};
use crate::exit::{Exit, Failure};
use crate::identity::{self, Own, frozen_sources};
use crate::installed::Installed;
use crate::notify::Webhooks;
use crate::{embedded, home, output, worktree};
use holdpoint::core::approval::Attesting;
use holdpoint::core::asking::Channel;
use holdpoint::core::grant::Loosened;
use holdpoint::core::judge::Standing;
use holdpoint::core::level::Level;
use holdpoint::core::operation::ObligationKind;
use holdpoint::core::paths::AbsPath;
use holdpoint::core::posture::Posture;
use holdpoint::core::proof::{Proof, Transport};
use holdpoint::core::run::Run;
use holdpoint::core::rungs::Rung;
use holdpoint::core::scene::Scene;
use holdpoint::core::words::WordSet;
use holdpoint::{Caller, CapabilitySnapshot, Claim, Claims, Entry, FactProvider, Holdpoint, Links, Surroundings};
use holdpoint_core::action::{Action, Fact, FactKind, FactQuery};
use holdpoint_core::assess::Route;
use holdpoint_core::digest::Digest;
use holdpoint_core::finding::Finding;
use holdpoint_core::ports::{Classifier, Failure as ClassifierFailure};
use holdpoint_core::registry::{Registry, own_registry};
use holdpoint_runtime::{Cache, Compiler, Limits, Manifest, ManifestError, Sandbox, Source, Vocabularies, Vocabulary};
use holdpoint_store::config::Config;
use holdpoint_store::{Approvals, Counting, Decisions, QUESTION_MS, StateFolder, Uses, secret};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// The hidden sub-command that compiles a component from standard input.
pub(crate) const COMPILE: &str = "__compile";
/// The folder in the state folder for compiled code.
const CACHE_FOLDER: &str = "cache";

/// A gate and what stands behind it.
pub(crate) struct Gate {
    pub(crate) holdpoint: Holdpoint,
    pub(crate) parts: Parts,
}

impl Gate {
    /// Opens the gate over a state folder where nothing is configured.
    pub(crate) fn open(state: StateFolder, counting: Counting) -> Result<Gate, Failure> {
        Parts::load(state)?.gate(counting, &Config::default())
    }

    /// A gated principal that works in one folder and can be asked.
    pub(crate) fn gated_caller(&self, principal: &str, workspace: &Path) -> Result<Caller, Failure> {
        let workspace = workspace.to_str();
        Ok(Caller {
            principal: principal.to_owned(),
            standing: Standing {
                level: GATED_LEVEL,
                loosened: Loosened::NONE,
                declared: self.parts.registry()?.restrictive(|_| false),
                denied: WordSet::EMPTY,
                honours: all_obligations(),
                rungs: self.parts.rungs()?,
                posture: posture(&self.parts.state),
                advice: Vec::new(),
                scene: scene(&self.parts.state, &[], workspace, workspace)?,
                run: Run::default(),
                proof: Proof::of_peer_user(Transport::CommandLine),
            },
            channel: Channel::Terminal,
            run: String::new(),
            call: String::new(),
            attesting: Attesting::Refused,
            hypothetical: Vec::new(),
        })
    }
}

/// What a gate is put together from: a state folder and the vocabularies in force.
pub(crate) struct Parts {
    pub(crate) state: StateFolder,
    pub(crate) vocabularies: Arc<Vocabularies>,
    installed: Option<Installed>,
    problem: Option<String>,
}

impl Parts {
    /// Loads them.
    ///
    /// Where an installed vocabulary cannot be read, nobody can tell what it claimed. Every call is then refused, and the
    /// refusal says why.
    pub(crate) fn load(state: StateFolder) -> Result<Parts, Failure> {
        let read = || -> Result<_, Failure> {
            let installed = Installed::of(&state)?;
            Ok((installed.vocabularies(&state)?, installed))
        };
        let (extra, installed, problem) = match read() {
            Ok((extra, installed)) => (extra, Some(installed), None),
            Err(failure) => (Vec::new(), None, Some(failure.what)),
        };
        let vocabularies = Arc::new(loaded(&state, extra)?);
        Ok(Parts { state, vocabularies, installed, problem })
    }

    /// The gate over them, under a configuration.
    pub(crate) fn gate(self, counting: Counting, config: &Config) -> Result<Gate, Failure> {
        let claims: Result<Vec<Claim>, Failure> =
            self.vocabularies.manifests().map(|(manifest, digest)| self.claim(manifest, &digest.hex())).collect();
        let stamps = self.installed.iter().filter_map(|installed| installed.stamp(self.vocabularies.engine()));
        let claims = Claims::new(claims?).with_stamps(stamps.collect());
        let builder = match &self.problem {
            Some(problem) => Holdpoint::builder().out_of_order(problem),
            None => Holdpoint::builder(),
        };
        let wait_ms = config.wait_s.as_ref().map_or(QUESTION_MS, |seconds| u64::from(seconds.value) * 1_000);
        // A call that is only judged asks nobody, uses up no answer and is told to nobody.
        let builder = match counting {
            Counting::Take => builder
                .approvals(Approvals::of(&self.state).waiting_for(wait_ms))
                .notifier(Webhooks::of(&self.state, config))
                .undo(Window(self.state.clone())),
            Counting::Look => builder.undo(NoWindow),
        };
        let holdpoint = builder
            .vocabularies(claims, Shared(Arc::clone(&self.vocabularies)))
            .journal(Decisions::of(&self.state))
            .meter(Uses::of(&self.state, counting))
            .surroundings(Machine)
            .facts(Files(own_files(&self.state)?))
            .snapshot(CapabilitySnapshot::of_host())
            .build()
            .map_err(|error| Failure::internal(error.to_string()))?;
        Ok(Gate { holdpoint, parts: self })
    }

    /// What a vocabulary claims, under a label that says whose it is.
    fn claim(&self, manifest: &Manifest, digest: &str) -> Result<Claim, Failure> {
        let record = self.installed.as_ref().and_then(|installed| installed.record(&manifest.name));
        let signers = record.map(|record| format!(" signed by {}", record.signers.join(", "))).unwrap_or_default();
        claim(manifest, format!("{} {} sha256:{digest}{signers}", manifest.name, manifest.version))
    }

    /// Every toggle there is: the core's own and those of the vocabularies in force.
    pub(crate) fn registry(&self) -> Result<Registry, Failure> {
        registry_of(self.vocabularies.manifests().map(|(manifest, _)| manifest))
    }

    /// What levels say beyond the default, as the vocabularies in force have it.
    pub(crate) fn rungs(&self) -> Result<Vec<Rung>, Failure> {
        rungs_of(self.vocabularies.manifests().map(|(manifest, _)| manifest))
    }

    /// What went wrong without changing an answer for the worse.
    pub(crate) fn degraded(&self) -> Vec<String> {
        self.vocabularies.degraded().into_iter().chain(self.problem.clone()).collect()
    }
}

/// What is held still: the freeze that is in force.
pub(crate) fn posture(state: &StateFolder) -> Posture {
    Posture { freeze: freeze::in_force(state).map(|frozen| frozen.freeze), ..Posture::FREE }
}

/// The core's own toggles and those that manifests declare.
pub(crate) fn registry_of<'a>(mut manifests: impl Iterator<Item = &'a Manifest>) -> Result<Registry, Failure> {
    let own =
        own_registry().map_err(|unfit| Failure::internal(format!("a toggle of this program {}", unfit.text())))?;
    manifests.try_fold(own, |registry, manifest| {
        let problem = |error: ManifestError| {
            let help = format!("`holdpoint plugin remove {}`", manifest.name);
            Failure::new(Exit::Plugin, format!("vocabulary {}: {error}", manifest.name), help)
        };
        manifest.toggles_in(registry).map_err(problem)
    })
}

/// What levels say beyond the default, as these manifests have it.
pub(crate) fn rungs_of<'a>(manifests: impl Iterator<Item = &'a Manifest>) -> Result<Vec<Rung>, Failure> {
    let one = |manifest: &Manifest| {
        manifest
            .rungs()
            .map_err(|error| Failure::new(Exit::Plugin, format!("vocabulary {}: {error}", manifest.name), ""))
    };
    Ok(manifests.map(one).collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

/// The vocabularies in force: those of this binary and those that were installed.
pub(crate) fn vocabularies(state: &StateFolder) -> Result<Vocabularies, Failure> {
    loaded(state, installed_in(state)?)
}

/// The vocabularies that were installed in a state folder.
pub(crate) fn installed_in(state: &StateFolder) -> Result<Vec<Vocabulary>, Failure> {
    Installed::of(state)?.vocabularies(state)
}

fn loaded(state: &StateFolder, extra: Vec<Vocabulary>) -> Result<Vocabularies, Failure> {
    let internal = |error: String| Failure::internal(error);
    let mut all = embedded::vocabularies().map_err(internal)?;
    all.extend(extra);
    let sandbox = Sandbox::new(Limits::DEFAULT).map_err(|error| internal(error.to_string()))?;
    Ok(Vocabularies::new(sandbox, cache(state), compiler()?, all))
}

/// Compiles a vocabulary that is not in force yet, and keeps the code for the moment when it is.
pub(crate) fn compile(
    state: &StateFolder,
    manifest: &Manifest,
    digest: Digest,
    component: &[u8],
) -> Result<(), Failure> {
    let source = Box::new(Verified(component.to_vec()));
    let candidate = Vocabulary { manifest: manifest.clone(), digest, refused: None, source };
    let vocabularies = loaded(state, vec![candidate])?;
    vocabularies.load_all().map_err(|_| {
        let why = vocabularies.degraded().pop().unwrap_or_default();
        let what = format!("the vocabulary cannot be loaded; nothing was changed: {why}");
        Failure::new(Exit::Plugin, what, "ask its publisher for a release that this program can load")
    })
}

/// Bytes whose signature was verified before.
struct Verified(Vec<u8>);

impl Source for Verified {
    fn verified_bytes(&self) -> Result<Vec<u8>, String> {
        Ok(self.0.clone())
    }
}

/// Compiled code is kept where possible. Where not, each start pays for compiling, and nothing else changes.
fn cache(state: &StateFolder) -> Option<Cache> {
    let opened = home::folder_in(state, CACHE_FOLDER).and_then(|folder| {
        let key = secret(state, "cache")?;
        Cache::open(&folder, key).map_err(|error| Failure::internal(error.to_string()))
    });
    match opened {
        Ok(cache) => Some(cache),
        Err(failure) => {
            output::note(&format!("note: compiled code is not kept: {}", failure.what));
            None
        }
    }
}

/// This program compiles in a child of its own kind.
fn compiler() -> Result<Compiler, Failure> {
    Ok(Compiler::Child { program: own_program()?, arguments: vec![COMPILE.to_owned()] })
}

/// What is the gate's own, and where agent hosts look for what wires it in.
fn own_files(state: &StateFolder) -> Result<Own, Failure> {
    let project = std::env::var_os("CLAUDE_PROJECT_DIR").map(PathBuf::from);
    let wired = [std::env::home_dir(), std::env::current_dir().ok(), project].into_iter().flatten().collect();
    Ok(Own { protected: vec![state.path().to_path_buf(), own_program()?], wired })
}

/// The path of this program.
pub(crate) fn own_program() -> Result<PathBuf, Failure> {
    std::env::current_exe()
        .map_err(|error| Failure::internal(format!("the path of this program is not known: {error}")))
}

fn claim(manifest: &Manifest, label: String) -> Result<Claim, Failure> {
    let declared = manifest.declared().map_err(|error| Failure::internal(error.to_string()))?;
    let tool = |tool: &holdpoint_runtime::ToolRoute| (tool.server.clone(), tool.name.clone());
    Ok(Claim {
        label,
        programs: manifest.routes.programs.clone(),
        languages: manifest.routes.languages.clone(),
        tools: manifest.routes.tools.iter().map(tool).collect(),
        declared,
        route: if manifest.is_shell() { Route::Shell } else { Route::Direct },
    })
}

struct Shared(Arc<Vocabularies>);

impl Classifier for Shared {
    fn prepare(&self, vocabulary: usize) {
        self.0.prepare(vocabulary);
    }

    fn classify(&self, vocabulary: usize, action: &Action, facts: &[Fact]) -> Result<Finding, ClassifierFailure> {
        self.0.classify(vocabulary, action, facts)
    }
}

struct Machine;

/// Tells which file a name leads to.
struct Files(Own);

impl FactProvider for Files {
    fn answer(&self, query: &FactQuery, cwd: Option<&AbsPath>) -> Option<String> {
        // A folder that is not known has no path in it that is.
        let subject = || {
            let path = Path::new(&query.subject);
            if path.is_absolute() { Some(path.to_path_buf()) } else { Some(Path::new(&cwd?.text()).join(path)) }
        };
        match query.kind {
            FactKind::ResolvedPath => self.0.resolved(Path::new(&query.subject)),
            FactKind::HomeDirectory
            | FactKind::WorkingDirectory
            | FactKind::TrackedRemote
            | FactKind::DefaultBranch
            | FactKind::OwnerReferences
            | FactKind::DatabaseRole => None,
            FactKind::PathKind => Some(subject().map_or(worktree::UNKNOWN, |path| worktree::kind(&path)).to_owned()),
            FactKind::WorkingTree => Some(subject().map_or(worktree::UNKNOWN, |path| worktree::runs(&path)).to_owned()),
        }
    }

    fn links_at(&self, path: &AbsPath) -> Links {
        identity::links_at(Path::new(&path.text()))
    }

    fn entries(&self, folder: &AbsPath) -> Option<Vec<Entry>> {
        identity::entries(Path::new(&folder.text()))
    }

    fn protected_around(&self, path: &AbsPath) -> Vec<AbsPath> {
        let frozen = frozen_sources(Path::new(&path.text()));
        frozen.iter().filter_map(|path| AbsPath::parse(path.to_str()?)).collect()
    }
}

impl Surroundings for Machine {
    fn now_ms(&self) -> u64 {
        now_ms()
    }

    fn correlation_id(&self) -> String {
        let mut bytes = [0_u8; 16];
        match getrandom::fill(&mut bytes) {
            Ok(()) => hex::encode(bytes),
            // The name only has to be found again. It grants nothing.
            Err(_) => format!("{:x}-{:x}", now_ms(), std::process::id()),
        }
    }
}

/// Milliseconds since the Unix epoch.
pub(crate) fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// Seconds since the Unix epoch.
pub(crate) fn now_s() -> u64 {
    now_ms() / 1_000
}

/// What surrounds a call that starts in `cwd` and works in `workspace`. A path of the gate's own that cannot be compared
/// with paths in a call could not be protected, so it is refused.
pub(crate) fn scene(
    state: &StateFolder,
    config: &[PathBuf],
    cwd: Option<&str>,
    workspace: Option<&str>,
) -> Result<Scene, Failure> {
    let absolute = |text: &str| AbsPath::parse(text);
    let mut own = own_files(state)?.protected;
    own.extend_from_slice(config);
    let mut protected = Vec::new();
    for path in own {
        let whole = std::path::absolute(&path).map_err(|error| Failure::file(&path, &error))?;
        // A folder above may be a link, so the path is protected as it is written and as it is.
        for spelling in [Some(whole.clone()), whole.canonicalize().ok()].into_iter().flatten() {
            let parsed = spelling.to_str().and_then(absolute);
            let problem = || format!("`{}` cannot be protected: its name is not UTF-8", path.display());
            protected.push(parsed.ok_or_else(|| Failure::new(Exit::Configuration, problem(), "move it"))?);
        }
    }
    protected.sort_unstable();
    protected.dedup();
    let home = std::env::home_dir();
    // Files are judged by their real names as well, so a workspace that is reached over a link is known by both.
    let mut folders: Vec<AbsPath> = workspace.and_then(absolute).into_iter().collect();
    let real = workspace.and_then(|folder| Own::default().resolved(Path::new(folder))).as_deref().and_then(absolute);
    folders.extend(real.filter(|real| !folders.contains(real)));
    Ok(Scene {
        cwd: cwd.and_then(absolute),
        workspace: folders,
        home: home.as_deref().and_then(Path::to_str).and_then(absolute),
        protected,
    })
}

/// The level of a caller that nothing is configured for: a gated principal.
pub(crate) const GATED_LEVEL: Level = Level::Guarded;

/// Every obligation, for a caller that is taken to see to all of them.
pub(crate) fn all_obligations() -> WordSet<ObligationKind> {
    use holdpoint::core::words::Word;
    WordSet::of(ObligationKind::ALL)
}
