//! The tools and their arguments: data only. Sources: the tool schemas of claude-code 2.1 and gemini-cli 0.9.

/// What an argument is to a tool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// It changes nothing about what is touched.
    Caption,
    /// A file that is read.
    Read,
    /// A folder or file that is read with everything below it.
    ReadTree,
    /// A folder whose names are listed.
    List,
    /// A file that is made or replaced.
    Create,
    /// A file that is changed.
    Update,
    /// Names to look for, below the folder in `path`.
    Pattern,
    /// A page that is fetched.
    Url,
    /// Words that a search engine is asked for.
    Query,
    /// A shell of the agent's own that is ended.
    Shell,
}

/// What a tool takes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Arguments {
    /// Whatever it is, the tool does nothing outside the conversation.
    Any,
    /// These and no others.
    Listed(&'static [(&'static str, Role)]),
}

/// A tool.
#[derive(Debug)]
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) arguments: Arguments,
    /// What it does to the working folder when no argument names another.
    pub(crate) without: Option<Role>,
}

const fn does_nothing(name: &'static str) -> Tool {
    Tool { name, arguments: Arguments::Any, without: None }
}

const fn takes(name: &'static str, arguments: &'static [(&'static str, Role)]) -> Tool {
    Tool { name, arguments: Arguments::Listed(arguments), without: None }
}

const fn works_below(name: &'static str, without: Role, arguments: &'static [(&'static str, Role)]) -> Tool {
    Tool { name, arguments: Arguments::Listed(arguments), without: Some(without) }
}

/// Every tool, by name.
pub(crate) const TOOLS: &[Tool] = &[
    does_nothing("Agent"),
    does_nothing("AskUserQuestion"),
    does_nothing("BashOutput"),
    takes(
        "Edit",
        &[
            ("file_path", Role::Update),
            ("old_string", Role::Caption),
            ("new_string", Role::Caption),
            ("replace_all", Role::Caption),
        ],
    ),
    does_nothing("EnterPlanMode"),
    does_nothing("ExitPlanMode"),
    takes("Glob", &[("pattern", Role::Pattern), ("path", Role::Caption)]),
    works_below(
        "Grep",
        Role::ReadTree,
        &[
            ("path", Role::ReadTree),
            ("pattern", Role::Caption),
            ("glob", Role::Caption),
            ("type", Role::Caption),
            ("output_mode", Role::Caption),
            ("-A", Role::Caption),
            ("-B", Role::Caption),
            ("-C", Role::Caption),
            ("-i", Role::Caption),
            ("-n", Role::Caption),
            ("-o", Role::Caption),
            ("context", Role::Caption),
            ("head_limit", Role::Caption),
            ("multiline", Role::Caption),
            ("offset", Role::Caption),
        ],
    ),
    takes("KillBash", &[("shell_id", Role::Shell)]),
    takes("KillShell", &[("shell_id", Role::Shell)]),
    works_below("LS", Role::List, &[("path", Role::List), ("ignore", Role::Caption)]),
    takes("MultiEdit", &[("file_path", Role::Update), ("edits", Role::Caption)]),
    takes(
        "NotebookEdit",
        &[
            ("notebook_path", Role::Update),
            ("cell_id", Role::Caption),
            ("cell_number", Role::Caption),
            ("cell_type", Role::Caption),
            ("edit_mode", Role::Caption),
            ("new_source", Role::Caption),
        ],
    ),
    takes("NotebookRead", &[("notebook_path", Role::Read), ("cell_id", Role::Caption)]),
    takes(
        "Read",
        &[("file_path", Role::Read), ("limit", Role::Caption), ("offset", Role::Caption), ("pages", Role::Caption)],
    ),
    does_nothing("Skill"),
    does_nothing("SlashCommand"),
    does_nothing("Task"),
    does_nothing("TaskCreate"),
    does_nothing("TaskGet"),
    does_nothing("TaskList"),
    does_nothing("TaskOutput"),
    takes("TaskStop", &[("task_id", Role::Shell), ("shell_id", Role::Shell)]),
    does_nothing("TaskUpdate"),
    does_nothing("TodoRead"),
    does_nothing("TodoWrite"),
    takes("WebFetch", &[("url", Role::Url), ("prompt", Role::Caption)]),
    takes(
        "WebSearch",
        &[("query", Role::Query), ("allowed_domains", Role::Caption), ("blocked_domains", Role::Caption)],
    ),
    takes("Write", &[("file_path", Role::Create), ("content", Role::Caption)]),
    takes(
        "glob",
        &[
            ("pattern", Role::Pattern),
            ("path", Role::Caption),
            ("case_sensitive", Role::Caption),
            ("respect_git_ignore", Role::Caption),
        ],
    ),
    takes("google_web_search", &[("query", Role::Query)]),
    works_below(
        "list_directory",
        Role::List,
        &[
            ("path", Role::List),
            ("dir_path", Role::List),
            ("ignore", Role::Caption),
            ("respect_git_ignore", Role::Caption),
            ("file_filtering_options", Role::Caption),
        ],
    ),
    takes(
        "read_file",
        &[
            ("absolute_path", Role::Read),
            ("file_path", Role::Read),
            ("path", Role::Read),
            ("limit", Role::Caption),
            ("offset", Role::Caption),
        ],
    ),
    takes(
        "replace",
        &[
            ("file_path", Role::Update),
            ("old_string", Role::Caption),
            ("new_string", Role::Caption),
            ("instruction", Role::Caption),
            ("expected_replacements", Role::Caption),
        ],
    ),
    works_below(
        "search_file_content",
        Role::ReadTree,
        &[
            ("path", Role::ReadTree),
            ("dir_path", Role::ReadTree),
            ("pattern", Role::Caption),
            ("include", Role::Caption),
        ],
    ),
    takes("write_file", &[("file_path", Role::Create), ("content", Role::Caption)]),
];
