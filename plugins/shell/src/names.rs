//! Names of variables that change how programs are found, loaded or behave. A name that matches nothing here is taken
//! as harmless, so a program that reads a variable of its own in a dangerous way belongs into its vocabulary.

/// Names that are dangerous as they are. Sorted.
const NAMES: &[&str] = &[
    "AR",
    "AS",
    "AWKLIBPATH",
    "AWKPATH",
    "BASHOPTS",
    "BASH_ALIASES",
    "BASH_ARGV0",
    "BASH_CMDS",
    "BASH_COMPAT",
    "BASH_ENV",
    "BASH_LOADABLES_PATH",
    "BASH_XTRACEFD",
    "BROWSER",
    "CARGO_BUILD_RUSTC",
    "CC",
    "CDPATH",
    "CLASSPATH",
    "CMAKE_TOOLCHAIN_FILE",
    "CPP",
    "CXX",
    "DBUS_SESSION_BUS_ADDRESS",
    "DBUS_SYSTEM_BUS_ADDRESS",
    "DOCKER_HOST",
    "EMACSLOADPATH",
    "ENV",
    "ERL_LIBS",
    "EXECIGNORE",
    "FC",
    "FCEDIT",
    "GCONV_PATH",
    "GLIBC_TUNABLES",
    "GLOBIGNORE",
    "GNUPGHOME",
    "GOBIN",
    "GOENV",
    "GOPATH",
    "GOPRIVATE",
    "GOROOT",
    "GOSUMDB",
    "GOTOOLCHAIN",
    "GTK_MODULES",
    "GTK_PATH",
    "HGRCPATH",
    "HISTFILE",
    "HOME",
    "HOSTALIASES",
    "INPUTRC",
    "LD",
    "LEX",
    "LOCPATH",
    "MAILPATH",
    "MAKE",
    "MAKEFILES",
    "MALLOC_TRACE",
    "MANPATH",
    "NLSPATH",
    "OPENSSL_CONF",
    "OPENSSL_ENGINES",
    "OPENSSL_MODULES",
    "PATH",
    "POSIXLY_CORRECT",
    "PROMPT_COMMAND",
    "PS0",
    "PS1",
    "PS2",
    "PS4",
    "PSModulePath",
    "PWD",
    "RSYNC_CONNECT_PROG",
    "RUSTC",
    "RUSTDOC",
    "SHELL",
    "SHELLOPTS",
    "SIMPLE_BACKUP_SUFFIX",
    "SVN_SSH",
    "TCLLIBPATH",
    "TERMCAP",
    "TERMINFO",
    "TERMINFO_DIRS",
    "TEXINPUTS",
    "TEXTDOMAIN",
    "TEXTDOMAINDIR",
    "TMPDIR",
    "TZDIR",
    "VERSION_CONTROL",
    "VISUAL",
    "WGETRC",
    "XZ_DEFAULTS",
    "XZ_OPT",
    "YACC",
    "ZDOTDIR",
];

/// What dangerous names begin with. Sorted.
const PREFIXES: &[&str] = &[
    "ANSIBLE_",
    "BASH_FUNC_",
    "BUNDLE_",
    "CCACHE_",
    "COMPOSER_",
    "DYLD_",
    "ELECTRON_",
    "GCC_",
    "GEM_",
    "GIT_",
    "JAVA",
    "LD_",
    "LESS",
    "LUA_",
    "NODE_",
    "NPM_",
    "PERL",
    "PHP",
    "PIP_",
    "PYTEST_",
    "PYTHON",
    "RUBY",
    "RUSTUP_",
    "SSH_",
    "SSLKEYLOGFILE",
    "SSL_",
    "SUDO_",
    "SYSTEMD_",
    "TAR_",
    "TF_CLI_ARGS",
    "UV_",
    "VIM",
    "_JAVA",
    "npm_",
];

/// What dangerous names end with. Sorted.
const SUFFIXES: &[&str] = &[
    "EDITOR",
    "FLAGS",
    "OPTIONS",
    "OPTS",
    "PAGER",
    "PRELOAD",
    "PROXY",
    "_ARGS",
    "_ASKPASS",
    "_CA_BUNDLE",
    "_CA_CERTS",
    "_CMD",
    "_COMMAND",
    "_EXE",
    "_HOME",
    "_HOOK",
    "_LAUNCHER",
    "_LIB",
    "_LINKER",
    "_PATH",
    "_PROGRAM",
    "_RC",
    "_RSH",
    "_RUNNER",
    "_SHELL",
    "_proxy",
];

/// What dangerous names contain.
const PARTS: &[&str] = &["CONFIG", "PRELOAD", "WRAPPER"];

/// Names that match a pattern above and yet steer nothing. Sorted.
const HARMLESS: &[&str] = &[
    "GIT_AUTHOR_DATE",
    "GIT_AUTHOR_EMAIL",
    "GIT_AUTHOR_NAME",
    "GIT_COMMITTER_DATE",
    "GIT_COMMITTER_EMAIL",
    "GIT_COMMITTER_NAME",
    "GIT_OPTIONAL_LOCKS",
    "GIT_TERMINAL_PROMPT",
    "LESSCHARSET",
    "NODE_ENV",
    "NODE_NO_WARNINGS",
    "PERL_UNICODE",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONHASHSEED",
    "PYTHONIOENCODING",
    "PYTHONUNBUFFERED",
    "PYTHONUTF8",
    "PYTHONWARNINGS",
];

/// Values that make a pager or an editor do nothing more than it says.
const INERT_PROGRAMS: &[&str] = &["", ":", "cat", "true"];

/// Whether setting this variable may change what later programs do.
pub(crate) fn is_influential(name: &str) -> bool {
    let matches = NAMES.binary_search(&name).is_ok()
        || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || SUFFIXES.iter().any(|suffix| name.ends_with(suffix))
        || PARTS.iter().any(|part| name.contains(part));
    matches && HARMLESS.binary_search(&name).is_err()
}

/// Whether setting this variable to this known value changes nothing that matters.
pub(crate) fn is_inert_value(name: &str, value: &str) -> bool {
    (name.ends_with("PAGER") || name.ends_with("EDITOR")) && INERT_PROGRAMS.contains(&value)
}

/// Variables that hold integers: some evaluate whatever they are given, and all are taken for numbers where they are
/// read. Sorted.
const INTEGERS: &[&str] = &[
    "BASHPID",
    "BASH_MONOSECONDS",
    "EPOCHSECONDS",
    "EUID",
    "HISTCMD",
    "LINENO",
    "OPTIND",
    "PPID",
    "RANDOM",
    "SECONDS",
    "SRANDOM",
    "UID",
];

/// Whether the shell may evaluate a value for this variable as arithmetic, which can run commands.
pub(crate) fn is_integer(name: &str) -> bool {
    INTEGERS.binary_search(&name).is_ok()
}

/// Whether the shell itself gives this variable values, so that an assignment does not say what it holds later.
pub(crate) fn is_special_to_shell(name: &str) -> bool {
    const SPECIAL: &[&str] = &[
        "BASHPID",
        "BASH_ARGV",
        "BASH_COMMAND",
        "BASH_LINENO",
        "BASH_REMATCH",
        "BASH_SOURCE",
        "BASH_SUBSHELL",
        "BASH_VERSION",
        "COLUMNS",
        "COMP_LINE",
        "DIRSTACK",
        "EPOCHREALTIME",
        "EPOCHSECONDS",
        "EUID",
        "FUNCNAME",
        "GROUPS",
        "HISTCMD",
        "HOSTNAME",
        "LINENO",
        "LINES",
        "MAPFILE",
        "OLDPWD",
        "OPTARG",
        "OPTERR",
        "OPTIND",
        "PIPESTATUS",
        "PPID",
        "RANDOM",
        "READLINE_LINE",
        "REPLY",
        "SECONDS",
        "SHLVL",
        "SRANDOM",
        "TIMEFORMAT",
        "TMOUT",
        "UID",
        "_",
    ];
    SPECIAL.binary_search(&name).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        for table in [NAMES, PREFIXES, SUFFIXES, PARTS, HARMLESS, INTEGERS] {
            assert!(table.is_sorted(), "{table:?}");
        }
    }

    #[test]
    fn names_that_steer_programs_are_known() {
        for name in ["PATH", "LD_PRELOAD", "PAGER", "GIT_SSH_COMMAND", "http_proxy", "BASH_FUNC_ls%%", "MAKEFLAGS"] {
            assert!(is_influential(name), "{name}");
        }
        for name in ["NO_COLOR", "CI", "DEBUG", "LANG", "LC_ALL", "TZ", "TERM", "FOO", "i", "x", "count"] {
            assert!(!is_influential(name), "{name}");
        }
    }
}
