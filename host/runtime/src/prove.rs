//! The proof that a component can do nothing but answer: read from its bytes, not from what it says of itself.
//!
//! An empty import list is not enough, since canonical built-ins are not imports and nested components may hold code.
//! So the whole binary is walked, and everything that is not on the short list of what an answering component needs is
//! refused by name.

use crate::limits::Limits;
use holdpoint_core::digest::Digest;
use wasmparser::{
    CanonicalFunction, ComponentAlias, ComponentInstance, Encoding, FuncValidatorAllocations, Instance, Parser,
    Payload, ValidPayload, Validator, WasmFeatures,
};

/// Deepest nesting of components.
const NESTING_MAX: usize = 4;

/// What was found by walking a component. Making one is the proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    digest: Digest,
    lifts: u32,
    shims: u32,
    functions: u32,
}

/// Why a component is not taken.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ProofError {
    /// Over a bound.
    #[error("the component's {what} is {found}, the most is {most}")]
    OverBound {
        /// What is too large.
        what: &'static str,
        /// How large it is.
        found: usize,
        /// The bound.
        most: usize,
    },
    /// Not a valid component within the features that are on.
    #[error("not a valid component: {0}")]
    Invalid(String),
    /// A core module where a component belongs.
    #[error("a core module, not a component")]
    NotAComponent,
    /// It asks for something from outside.
    #[error("it imports `{0}`")]
    Import(String),
    /// It uses a canonical built-in other than `lift`.
    #[error("it uses the canonical built-in `{0}`")]
    BuiltIn(String),
    /// Something would run when it is instantiated.
    #[error("it has a start function")]
    Start,
    /// Not exactly one core module.
    #[error("it holds {0} core modules, not one")]
    Modules(u32),
    /// A nested component holds more than types.
    #[error("a nested component holds {0}, not only types")]
    Nested(&'static str),
    /// A memory that is shared or addressed by 64 bits.
    #[error("its memory is shared or 64-bit")]
    Memory,
}

impl ProofError {
    /// What to do about it.
    pub fn help(&self) -> &'static str {
        match self {
            ProofError::Import(_) => {
                "build for wasm32-unknown-unknown and find the dependency that asks the system for something"
            }
            ProofError::NotAComponent => "`holdpoint plugin build` turns a core module into a component",
            ProofError::OverBound { .. } => "make the component smaller, for example with opt-level \"s\"",
            ProofError::Invalid(_) => "build with the contract of this release and without extra wasm features",
            ProofError::BuiltIn(_)
            | ProofError::Start
            | ProofError::Modules(_)
            | ProofError::Nested(_)
            | ProofError::Memory => "build it as a plain Rust cdylib with the guest SDK",
        }
    }
}

impl Proof {
    /// The digest of the file that was walked.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// The proof line by line, for a person.
    pub fn lines(&self) -> Vec<String> {
        vec![
            format!("sha256 {}", self.digest),
            "imports: none".to_owned(),
            format!("canonical functions: {} lift, nothing else", self.lifts),
            "start functions: none".to_owned(),
            format!("core modules: 1, with {} functions", self.functions),
            format!("nested components: {}, types only", self.shims),
            "memory: 32-bit, not shared".to_owned(),
        ]
    }
}

/// The wasm features a vocabulary may use. Everything else is refused by the validator, with its name.
pub(crate) fn features() -> WasmFeatures {
    WasmFeatures::MUTABLE_GLOBAL
        | WasmFeatures::SATURATING_FLOAT_TO_INT
        | WasmFeatures::SIGN_EXTENSION
        | WasmFeatures::REFERENCE_TYPES
        | WasmFeatures::MULTI_VALUE
        | WasmFeatures::BULK_MEMORY
        | WasmFeatures::FLOATS
        | WasmFeatures::COMPONENT_MODEL
        | WasmFeatures::GC_TYPES
}

/// Walks a component and proves that it can do nothing but answer.
pub fn prove(component: &[u8], limits: &Limits) -> Result<Proof, ProofError> {
    over("size in bytes", component.len(), limits.component_bytes_max)?;
    if !Parser::is_component(component) {
        return Err(if Parser::is_core_wasm(component) {
            ProofError::NotAComponent
        } else {
            ProofError::Invalid("the file does not start like one".to_owned())
        });
    }
    let mut walk = Walk::default();
    let mut validator = Validator::new_with_features(features());
    let mut reused = FuncValidatorAllocations::default();
    for payload in Parser::new(0).parse_all(component) {
        let payload = payload.map_err(invalid)?;
        walk.take(&payload, limits)?;
        // Bodies of functions are left to the caller, and most features show nowhere else.
        if let ValidPayload::Func(function, body) = validator.payload(&payload).map_err(invalid)? {
            let mut function = function.into_validator(reused);
            function.validate(&body).map_err(invalid)?;
            reused = function.into_allocations();
        }
    }
    if walk.modules != 1 {
        return Err(ProofError::Modules(walk.modules));
    }
    Ok(Proof { digest: Digest::of_file(component), lifts: walk.lifts, shims: walk.shims, functions: walk.functions })
}

fn invalid(error: wasmparser::BinaryReaderError) -> ProofError {
    ProofError::Invalid(error.message().to_owned())
}

fn over(what: &'static str, found: usize, most: usize) -> Result<(), ProofError> {
    if found > most { Err(ProofError::OverBound { what, found, most }) } else { Ok(()) }
}

#[derive(Default)]
struct Walk {
    /// Encodings of the components and the module that are open, outermost first.
    open: Vec<Encoding>,
    modules: u32,
    shims: u32,
    lifts: u32,
    functions: u32,
}

impl Walk {
    fn in_shim(&self) -> bool {
        self.open.len() > 1 && self.open.last() == Some(&Encoding::Component)
    }

    fn take(&mut self, payload: &Payload<'_>, limits: &Limits) -> Result<(), ProofError> {
        match payload {
            Payload::Version { encoding, .. } => self.enter(*encoding),
            Payload::End(_) => {
                self.open.pop();
                Ok(())
            }
            Payload::ImportSection(section) => match section.clone().into_imports().next() {
                Some(import) => {
                    let import = import.map_err(invalid)?;
                    Err(ProofError::Import(format!("{}.{}", import.module, import.name)))
                }
                None => Ok(()),
            },
            Payload::ComponentImportSection(section) if !self.in_shim() => match section.clone().into_iter().next() {
                Some(import) => Err(ProofError::Import(import.map_err(invalid)?.name.name.to_owned())),
                None => Ok(()),
            },
            Payload::StartSection { .. } | Payload::ComponentStartSection { .. } => Err(ProofError::Start),
            Payload::MemorySection(section) => section.clone().into_iter().try_for_each(|memory| {
                let memory = memory.map_err(invalid)?;
                if memory.shared || memory.memory64 { Err(ProofError::Memory) } else { Ok(()) }
            }),
            Payload::CodeSectionStart { count, .. } => {
                self.functions = self.functions.saturating_add(*count);
                over("number of functions", self.functions as usize, limits.functions_max as usize)
            }
            Payload::CodeSectionEntry(body) => {
                let range = body.range();
                let bytes = usize::try_from(range.end.saturating_sub(range.start)).unwrap_or(usize::MAX);
                over("largest function in bytes", bytes, limits.function_bytes_max)
            }
            Payload::ComponentCanonicalSection(section) => self.canonical(section.clone()),
            Payload::InstanceSection(section) if self.in_shim() => only_exports(section.clone()),
            Payload::ComponentInstanceSection(section) if self.in_shim() => {
                section.clone().into_iter().try_for_each(|instance| match instance.map_err(invalid)? {
                    ComponentInstance::FromExports(_) => Ok(()),
                    ComponentInstance::Instantiate { .. } => Err(ProofError::Nested("an instance")),
                })
            }
            Payload::ComponentAliasSection(section) if self.in_shim() => {
                section.clone().into_iter().try_for_each(|alias| match alias.map_err(invalid)? {
                    ComponentAlias::CoreInstanceExport { .. } => Err(ProofError::Nested("core code")),
                    ComponentAlias::InstanceExport { .. } | ComponentAlias::Outer { .. } => Ok(()),
                })
            }
            _ => Ok(()),
        }
    }

    fn enter(&mut self, encoding: Encoding) -> Result<(), ProofError> {
        match encoding {
            Encoding::Module if self.in_shim() => return Err(ProofError::Nested("a core module")),
            Encoding::Module => self.modules = self.modules.saturating_add(1),
            Encoding::Component if !self.open.is_empty() => self.shims = self.shims.saturating_add(1),
            Encoding::Component => {}
        }
        self.open.push(encoding);
        over("nesting of components", self.open.len(), NESTING_MAX)
    }

    fn canonical(&mut self, section: wasmparser::ComponentCanonicalSectionReader<'_>) -> Result<(), ProofError> {
        if self.in_shim() {
            return Err(ProofError::Nested("a canonical function"));
        }
        for function in section {
            match function.map_err(invalid)? {
                CanonicalFunction::Lift { .. } => self.lifts = self.lifts.saturating_add(1),
                other => return Err(ProofError::BuiltIn(format!("{other:?}"))),
            }
        }
        Ok(())
    }
}

fn only_exports(section: wasmparser::InstanceSectionReader<'_>) -> Result<(), ProofError> {
    section.into_iter().try_for_each(|instance| match instance.map_err(invalid)? {
        Instance::FromExports(_) => Ok(()),
        Instance::Instantiate { .. } => Err(ProofError::Nested("a core instance")),
    })
}

#[cfg(test)]
#[path = "prove_tests.rs"]
mod tests;
