//! Every limit a vocabulary runs under, next to each other. There is no way to leave one out.

/// Limits of compiling and running vocabularies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Largest component, in bytes.
    pub component_bytes_max: usize,
    /// Most functions of a component.
    pub functions_max: u32,
    /// Largest body of a function, in bytes.
    pub function_bytes_max: usize,
    /// Fuel of one classification, unless the vocabulary asks for less. About 3 billion a second.
    pub fuel_max: u64,
    /// Ticks of [`Limits::tick_ms`] after which a classification is stopped whatever fuel it has left.
    pub deadline_ticks: u64,
    /// Length of a tick, in milliseconds.
    pub tick_ms: u64,
    /// Native stack of a classification, in bytes.
    pub stack_bytes_max: usize,
    /// Linear memory of a classification, in bytes.
    pub memory_bytes_max: usize,
    /// Elements of all tables.
    pub table_elements_max: usize,
    /// Bytes that the host may allocate while it takes an answer.
    pub answer_bytes_max: usize,
    /// Processor time of compiling one component, in seconds.
    pub compile_cpu_s: u64,
    /// Wall time of compiling one component, in milliseconds.
    pub compile_wall_ms: u64,
    /// Memory of compiling one component, in bytes.
    pub compile_bytes_max: u64,
    /// Largest compiled artefact, in bytes.
    pub artefact_bytes_max: usize,
    /// Classifications that may be under way at once in one process.
    pub instances_max: u32,
}

impl Limits {
    /// The limits of a release. Measured needs stand in `host/ARCHITECTURE.md`.
    pub const DEFAULT: Limits = Limits {
        component_bytes_max: 8 << 20,
        functions_max: 20_000,
        function_bytes_max: 512 << 10,
        fuel_max: 100_000_000,
        deadline_ticks: 50,
        tick_ms: 10,
        stack_bytes_max: 512 << 10,
        memory_bytes_max: 16 << 20,
        table_elements_max: 20_000,
        answer_bytes_max: 4 << 20,
        compile_cpu_s: 60,
        compile_wall_ms: 120_000,
        compile_bytes_max: 2 << 30,
        artefact_bytes_max: 64 << 20,
        instances_max: 4,
    };
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::DEFAULT
    }
}
