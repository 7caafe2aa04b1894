//! Paths that are no files of their own but open descriptors, connections, or devices that keep nothing.

use holdpoint_guest::{Input, Segment, TargetKind, Word};

use crate::walk::Dialect;

/// What is written there is gone or goes to the caller. Sorted.
const SINKS: &[&str] = &["/dev/full", "/dev/null", "/dev/stderr", "/dev/stdin", "/dev/stdout", "/dev/tty", "/dev/zero"];

/// Folders whose entries are the open descriptors of the process.
const DESCRIPTORS: &[&str] = &["/dev/fd/", "/proc/self/fd/"];

/// What the shell itself takes for a connection.
const CONNECTIONS: &[&str] = &["/dev/tcp/", "/dev/udp/"];

/// The number of an open descriptor. Anything else below such a folder, as in `/dev/fd/../cwd/x`, is a path.
fn descriptor(path: &str) -> Option<&str> {
    let number = DESCRIPTORS.iter().find_map(|folder| path.strip_prefix(folder))?;
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(number)
}

/// Whether the path is a sink or an open descriptor, whose file was named where it was opened.
pub(crate) fn is_stream(path: &str) -> bool {
    SINKS.binary_search(&path).is_ok() || descriptor(path).is_some()
}

/// The host that a redirection from or to this path connects to.
pub(crate) fn host(path: &str) -> Option<&str> {
    let address = CONNECTIONS.iter().find_map(|start| path.strip_prefix(start))?;
    let (host, port) = address.split_once('/')?;
    let plain = !matches!(host, "" | "." | "..") && !port.is_empty() && !port.contains('/');
    plain.then_some(host)
}

/// What a command reads whose standard input is this file.
pub(crate) fn read_from(target: &Word, dialect: Dialect) -> Input {
    match target.known() {
        Some("/dev/null") => Input::Empty,
        Some("/dev/tty") => Input::Inherited,
        Some(path) if is_own_input(path) => Input::Inherited,
        Some(path) if is_stream(path) => Input::External,
        Some(path) if dialect == Dialect::Bash && host(path).is_some() => Input::External,
        Some(_) | None => Input::File(target.clone()),
    }
}

/// Whether the path is the standard input of whoever opens it.
pub(crate) fn is_own_input(path: &str) -> bool {
    path == "/dev/stdin" || descriptor(path) == Some("0")
}

/// A file that is run as code. What comes out of a stream stands in no file that could be looked at.
pub(crate) fn code(file: Segment) -> Segment {
    if is_stream(&file.name) { Segment::unknown(TargetKind::Code) } else { Segment { kind: TargetKind::Code, ..file } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_are_descriptors() {
        assert!(SINKS.is_sorted());
        for path in ["/dev/fd/0", "/dev/fd/63", "/proc/self/fd/1", "/dev/null", "/dev/stdout"] {
            assert!(is_stream(path), "{path}");
        }
        for path in ["/dev/fd/", "/dev/fd/../cwd/x", "/dev/fd/3/x", "/proc/self/fd/../cwd", "/dev/stdin/x", "/dev/fd"] {
            assert!(!is_stream(path), "{path}");
        }
    }

    #[test]
    fn only_a_host_and_a_port_are_a_connection() {
        assert_eq!(host("/dev/tcp/h.test/80"), Some("h.test"));
        assert_eq!(host("/dev/udp/1.2.3.4/53"), Some("1.2.3.4"));
        for path in ["/dev/tcp/../../home/x", "/dev/tcp/h", "/dev/tcp/h/", "/dev/tcp//80", "/dev/tcp/h/80/../x"] {
            assert_eq!(host(path), None, "{path}");
        }
    }
}
