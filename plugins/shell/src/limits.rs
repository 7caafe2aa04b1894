//! Every bound of this vocabulary, next to each other. A bound that is reached is a doubt, never a shorter answer.

/// Bytes of one shell text.
pub(crate) const SOURCE_BYTES_MAX: usize = 64 << 10;
/// Levels of substitutions and parentheses, counted with quoting in mind. The second parser is cubic in this.
pub(crate) const NESTING_LEVELS_MAX: usize = 16;
/// Levels of compound commands (`if`, `{`, `case`, ...).
pub(crate) const COMPOUND_LEVELS_MAX: usize = 24;
/// Characters that may separate commands (`;`, `&`, `|`), quoted or not.
pub(crate) const SEPARATORS_MAX: usize = 4096;
/// Variables that one command may set.
pub(crate) const ASSIGNMENTS_MAX: usize = 128;
/// Times that the body of a loop, with the loops around it, is walked with known values.
pub(crate) const ROUNDS_MAX: usize = 12;
/// Here-documents of one text. Both parsers are quadratic in those that are open at once.
pub(crate) const HEREDOCS_MAX: usize = 64;
/// Simple commands and assignments visited, those visited again in a loop included.
pub(crate) const COMMAND_VISITS_MAX: usize = 600;
/// Calls of the functions of a text by one another. Looking for circles in them is cubic in this.
pub(crate) const CALLS_MAX: usize = 128;
/// Levels of statements the walk descends, all kinds together.
pub(crate) const WALK_LEVELS_MAX: usize = 64;
/// Levels of text that is parsed as code again (`eval`, `trap`).
pub(crate) const CODE_LEVELS_MAX: usize = 4;
/// Words that the braces of one word may expand to.
pub(crate) const BRACE_WORDS_MAX: usize = 64;
/// Opening braces of one word. Looking for the closing ones is quadratic in them, for the parsers too.
pub(crate) const BRACES_MAX: usize = 128;
/// Numbers or letters of one `{1..9}` sequence.
pub(crate) const SEQUENCE_WORDS_MAX: i64 = 64;
/// Working folders that are tracked as alternatives before the folder counts as unknown.
pub(crate) const FOLDERS_MAX: usize = 3;
/// Operations of one finding; the contract allows 1,024.
pub(crate) const OPERATIONS_MAX: usize = 1000;
/// Delegates of one finding; the contract allows 512.
pub(crate) const DELEGATES_MAX: usize = 500;
/// Doubts of one finding; the contract allows 64. One is enough, so the rest is left out.
pub(crate) const DOUBTS_MAX: usize = 60;
/// Words of one command; the contract allows 4,096.
pub(crate) const ARGV_WORDS_MAX: usize = 4096;
/// Bytes of all words and variables of one command; the contract allows 256 KiB.
pub(crate) const ARGV_BYTES_MAX: usize = 256 << 10;
