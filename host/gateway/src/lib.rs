//! Wire formats: how JSON is read, and what an agent host's hook sends and expects. Absent here: any judgement, and any
//! file or process. Bytes come in and text goes out.

pub mod claude_code;
pub mod json;
