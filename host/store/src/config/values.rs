//! Values with a form of their own: patterns, tools, folders and URLs.

use crate::config::ENTRY_BYTES_MAX;
use holdpoint_core::call::is_name;
use holdpoint_core::digest::Digest;
use holdpoint_core::paths::AbsPath;
use holdpoint_core::resource::ResourcePattern;
use holdpoint_core::run::Listed;
use std::path::Path;

/// How a file in the home folder starts.
const IN_HOME: &str = "~/";
/// How a step of a pattern starts that names a file.
const FILE_STEP: &str = "file:";
/// What stands between two steps of a pattern.
const STEP_BREAK: char = '>';
/// What stands before the digest of a schema.
const SCHEMA: &str = "@sha256:";

/// A pattern, with what it says of the home folder written out.
pub(crate) fn pattern(text: &str, home: Option<&Path>) -> Result<ResourcePattern, String> {
    let step = |step: &str| match step.trim().strip_prefix(FILE_STEP).map(str::trim_start) {
        Some(name) if name.starts_with('~') => Ok(format!("{FILE_STEP}{}", in_home(name, home)?)),
        Some(_) | None => Ok::<_, String>(step.to_owned()),
    };
    let steps = text.split(STEP_BREAK).map(step).collect::<Result<Vec<String>, String>>()?;
    ResourcePattern::parse(&steps.join(" > ")).map_err(|error| holdpoint_core::words::Word::as_str(error).to_owned())
}

/// A folder.
pub(crate) fn folder(text: &str, home: Option<&Path>) -> Result<AbsPath, String> {
    let whole = if text.starts_with('~') { in_home(text, home)? } else { text.to_owned() };
    AbsPath::parse(&whole).ok_or_else(|| "it is not an absolute path".to_owned())
}

fn in_home(text: &str, home: Option<&Path>) -> Result<String, String> {
    let below = text.strip_prefix(IN_HOME).or_else(|| (text == "~").then_some(""));
    let below = below.ok_or("only `~/` is written out, not the home of somebody else")?;
    let home = home.and_then(Path::to_str).filter(|home| home.starts_with('/')).ok_or("no home folder is known")?;
    Ok(format!("{}/{below}", home.trim_end_matches('/')).trim_end_matches('/').to_owned())
}

/// A tool of the catalogue: `SERVER/TOOL`, with `@sha256:…` where one schema is approved. The server is empty for a tool
/// of the agent host itself.
pub(crate) fn tool(text: &str) -> Result<Listed, String> {
    let (name, schema) = match text.split_once(SCHEMA) {
        None => (text, None),
        Some((name, hex)) => (name, Some(Digest::from_hex(hex).ok_or("the digest is not 64 hexadecimal digits")?)),
    };
    let (server, tool) = name.split_once('/').ok_or("it has no `/` between server and tool")?;
    if !is_name(tool) || !(server.is_empty() || is_name(server)) {
        return Err("a name is empty, too long or holds control characters".to_owned());
    }
    Ok(Listed { server: server.to_owned(), tool: tool.to_owned(), schema })
}

/// An entry of a list as it is.
pub(crate) fn entry(text: &str) -> Result<String, String> {
    if text.is_empty() {
        Err("it is empty".to_owned())
    } else if text.len() > ENTRY_BYTES_MAX {
        Err(format!("it is longer than {ENTRY_BYTES_MAX} bytes"))
    } else if text.chars().any(char::is_control) {
        Err("it holds control characters".to_owned())
    } else {
        Ok(text.to_owned())
    }
}

/// A URL to which something may be sent: over TLS, or to this machine.
pub(crate) fn webhook(text: &str) -> Result<String, String> {
    let text = entry(text)?;
    let (scheme, rest) = text.split_once("://").ok_or("it is no URL")?;
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.contains('@') || text.contains(char::is_whitespace) {
        return Err("it holds a name, a password or white space".to_owned());
    }
    let host = authority_host(authority).ok_or("it names no host")?;
    let is_loopback = host == "localhost" || host == "[::1]" || is_loopback_v4(host);
    match scheme {
        "https" => Ok(text),
        "http" if is_loopback => Ok(text),
        "http" => Err("it is not encrypted and does not stay on this machine".to_owned()),
        _ => Err("it is neither https nor http".to_owned()),
    }
}

/// The host that a webhook's address names, without the rest of it, which may be a secret.
pub fn host_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or("", |(_, rest)| rest);
    authority_host(rest.split(['/', '?', '#']).next().unwrap_or_default()).unwrap_or_default()
}

fn is_loopback_v4(host: &str) -> bool {
    host.parse::<std::net::Ipv4Addr>().is_ok_and(|address| address.is_loopback())
}

/// The host without its port.
fn authority_host(authority: &str) -> Option<&str> {
    let end = if authority.starts_with('[') {
        authority.find(']')?.saturating_add(1)
    } else {
        authority.find(':').unwrap_or(authority.len())
    };
    let (host, port) = (authority.get(..end)?, authority.get(end..)?);
    let port_fits = port.is_empty() || port.strip_prefix(':').is_some_and(|port| port.parse::<u16>().is_ok());
    (port_fits && !host.is_empty()).then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_goes_over_tls_or_stays_here() {
        for text in ["https://hooks.example.org/x?y", "http://127.0.0.1:8080/x", "http://localhost", "http://[::1]:9/x"]
        {
            assert_eq!(webhook(text), Ok(text.to_owned()));
        }
        for text in [
            "http://example.org",
            "http://127.0.0.1.example.org",
            "http://localhost@example.org",
            "ftp://localhost",
            "example.org",
            "https://",
            "https://a b",
            "http://localhost:x",
            "",
        ] {
            assert!(webhook(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_entry_just_over_its_bound_is_refused() {
        assert!(entry(&"x".repeat(ENTRY_BYTES_MAX)).is_ok());
        assert!(entry(&"x".repeat(ENTRY_BYTES_MAX + 1)).is_err() && entry("").is_err() && entry("a\u{1b}").is_err());
    }

    #[test]
    fn a_tool_has_a_server_and_a_name_and_perhaps_a_schema() {
        let listed = |server: &str, tool: &str| Listed { server: server.into(), tool: tool.into(), schema: None };
        assert_eq!(tool("git/push"), Ok(listed("git", "push")));
        assert_eq!(tool("/Bash"), Ok(listed("", "Bash")));
        let digest = Digest::of_file(b"x");
        let pinned = Listed { schema: Some(digest), ..listed("git", "push") };
        assert_eq!(tool(&format!("git/push@sha256:{digest}")), Ok(pinned));
        for text in ["push", "git/", "git/push@sha256:12", "git/a\u{7}"] {
            assert!(tool(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_home_folder_is_written_out_where_it_is_known() {
        let home = Some(Path::new("/home/u"));
        assert_eq!(pattern("file:~/prod", home).map(|one| one.to_string()), Ok("file:/home/u/prod".to_owned()));
        assert_eq!(
            pattern("host:h > file: ~/x", home).map(|one| one.to_string()),
            Ok("host:h > file:/home/u/x".into())
        );
        assert!(pattern("file:~/prod", None).is_err() && pattern("file:~other/x", home).is_err());
        assert_eq!(folder("~/agent", home), Ok(AbsPath::parse("/home/u/agent").unwrap()));
        assert!(folder("agent", home).is_err());
    }
}
