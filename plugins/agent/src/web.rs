//! Pages and searches.

use holdpoint_guest::{Effect, Finding, Operation, Reason, Segment, Span, TargetKind, Traits, Verb};

use crate::tools::Tool;

/// Adds the fetch of a page.
pub(crate) fn fetch(finding: Finding, tool: &Tool, url: &str, span: Span) -> Finding {
    match host(url) {
        Some(host) => finding.with_operation(
            Operation::new(Verb::Download, tool.name, Effect::None, span)
                .on(Segment::exact(TargetKind::Host, host))
                .with_traits(Traits::NETWORK | Traits::EXTERNAL_CONTENT),
        ),
        None => finding.with_doubt(Reason::MalformedArgument, span),
    }
}

/// Adds a question to a search engine, which learns the question.
pub(crate) fn search(finding: Finding, tool: &Tool, span: Span) -> Finding {
    finding.with_operation(
        Operation::new(Verb::Connect, tool.name, Effect::None, span)
            .on(Segment::unknown(TargetKind::Host))
            .with_traits(Traits::NETWORK | Traits::EXTERNAL_CONTENT),
    )
}

/// The host of a web address. A name in front of it, or a character that readers disagree about, is not understood.
pub(crate) fn host(url: &str) -> Option<&str> {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) => (host, port),
        None => (authority, ""),
    };
    let fine = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
    let plain = !host.is_empty() && host.bytes().all(fine) && port.bytes().all(|byte| byte.is_ascii_digit());
    plain.then_some(host)
}

#[cfg(test)]
mod tests {
    use super::host;

    #[test]
    fn only_plain_addresses_have_a_host() {
        assert_eq!(host("https://example.com/a?b#c"), Some("example.com"));
        assert_eq!(host("http://example.com:8080"), Some("example.com"));
        for url in [
            "ftp://x",
            "https://",
            "https://a@b/",
            "https://a\\@b/",
            "https://exa mple.com",
            "https://x:y/",
            "//x",
            "https://[::1]/",
        ] {
            assert_eq!(host(url), None, "{url}");
        }
    }
}
