//! Git as agents call it through tools. Sources: the tool schemas of the public MCP git server (`mcp-server-git`), and of
//! servers that add what it lacks: push, pull, fetch, init and clone. Data only; `repository` says what the arguments do.
//!
//! Names of arguments count in any mixture of capitals and without `_`, as servers differ in that.

/// What an argument is to a tool of git.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    /// It changes nothing about what is touched.
    Caption,
    /// A number that changes nothing about what is touched.
    Count,
    /// The folder of the repository.
    Repository,
    /// Files below it, whose content goes into the repository.
    Files,
    /// A commit, by any of the names that git knows.
    Revision,
    /// The branch that is made, moved, looked for or pushed.
    Branch,
    /// The branch of the remote, where it has another name there.
    RemoteBranch,
    /// The remote, by name or address.
    Remote,
    /// What a push sends where, as git writes it.
    Refspec,
    /// Whatever is there already is replaced.
    Force,
    /// The whole remote is made like this repository.
    Mirror,
    /// What is named is taken away.
    Delete,
    /// A commit takes the place of the last one.
    Amend,
    /// More than one branch is meant.
    Every,
    /// The branch is made first.
    New,
    /// What a tool for several things does.
    Mode,
}

/// What a tool of git does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Act {
    /// It reads the files of the repository.
    Read,
    /// It reads commits.
    Log,
    /// It stages files.
    Add,
    /// It records a commit.
    Commit,
    /// It lists, makes, moves or deletes branches.
    Branch,
    /// It makes a branch.
    CreateBranch,
    /// It puts the files of a commit into the folder.
    Checkout,
    /// It moves the branch, the stage, or the files as well.
    Reset,
    /// It changes a remote.
    Push,
    /// It takes what a remote has.
    Fetch,
    /// It takes what a remote has and puts it into the folder.
    Pull,
    /// It makes a repository.
    Init,
    /// It makes a repository with what a remote has.
    Clone,
}

/// A tool of git.
#[derive(Debug)]
pub(crate) struct GitTool {
    pub(crate) name: &'static str,
    pub(crate) act: Act,
    /// Arguments besides the repository.
    pub(crate) parts: &'static [(&'static [&'static str], Part)],
}

/// Servers whose tools of these names are git's; one is the agent host itself.
pub(crate) const SERVERS: &[&str] = &["", "git"];
/// What servers call the folder of the repository.
pub(crate) const REPOSITORY: &[&str] = &["repopath", "path", "repository", "directory"];

type Parts = &'static [(&'static [&'static str], Part)];

const BRANCH: &[&str] = &["branch", "branchname", "name"];
const CONTEXT: &[&str] = &["contextlines"];
const REMOTE: &[&str] = &["remote", "remotename"];
const LOOKS: Parts = &[(CONTEXT, Part::Count)];
const DIFF: Parts =
    &[(CONTEXT, Part::Count), (&["target", "commit1", "commit2"], Part::Revision), (&["staged"], Part::Caption)];
const LOG: Parts = &[
    (&["maxcount", "skip"], Part::Count),
    (BRANCH, Part::Revision),
    (&["starttimestamp", "endtimestamp", "since", "until", "author"], Part::Revision),
];
const SHOW: Parts = &[(&["revision", "ref", "commit"], Part::Revision)];
const ADD: Parts = &[(&["files", "paths"], Part::Files)];
const COMMIT: Parts = &[
    (&["message", "allowempty", "signoff"], Part::Caption),
    (&["amend"], Part::Amend),
    (&["files", "filestostage"], Part::Files),
];
const BRANCHES: Parts = &[
    (&["branchtype"], Part::Caption),
    (&["contains", "notcontains", "startpoint"], Part::Revision),
    (BRANCH, Part::Branch),
    (&["newbranchname", "newname"], Part::RemoteBranch),
    (&["mode", "operation", "action"], Part::Mode),
    (&["force"], Part::Force),
    (&["delete"], Part::Delete),
];
const CREATES: Parts =
    &[(BRANCH, Part::Branch), (&["basebranch", "startpoint"], Part::Revision), (&["force"], Part::Force)];
const CHECKS_OUT: Parts =
    &[(BRANCH, Part::Branch), (&["create", "createbranch", "newbranch"], Part::New), (&["force"], Part::Force)];
const RESETS: Parts = &[(&["mode"], Part::Mode), (&["commit", "target", "revision"], Part::Revision)];
const PUSHES: Parts = &[
    (REMOTE, Part::Remote),
    (BRANCH, Part::Branch),
    (&["remotebranch"], Part::RemoteBranch),
    (&["refspec", "refspecs", "refs"], Part::Refspec),
    (&["force", "forcewithlease"], Part::Force),
    (&["mirror", "prune"], Part::Mirror),
    (&["delete"], Part::Delete),
    (&["all", "tags"], Part::Every),
    (&["setupstream", "dryrun"], Part::Caption),
];
const FETCHES: Parts =
    &[(REMOTE, Part::Remote), (BRANCH, Part::Branch), (&["prune", "tags", "all", "depth"], Part::Caption)];
const PULLS: Parts = &[(REMOTE, Part::Remote), (BRANCH, Part::Branch), (&["rebase", "ffonly"], Part::Caption)];
const INITS: Parts = &[(&["initialbranch"], Part::Revision), (&["bare"], Part::Caption)];
const CLONES: Parts = &[
    (&["url", "repositoryurl", "remote"], Part::Remote),
    (&["targetpath", "destination"], Part::Repository),
    (BRANCH, Part::Branch),
    (&["depth", "bare"], Part::Caption),
];

const fn tool(name: &'static str, act: Act, parts: Parts) -> GitTool {
    GitTool { name, act, parts }
}

/// Every such tool, by name.
pub(crate) const GIT: &[GitTool] = &[
    tool("git_add", Act::Add, ADD),
    tool("git_branch", Act::Branch, BRANCHES),
    tool("git_checkout", Act::Checkout, CHECKS_OUT),
    tool("git_clone", Act::Clone, CLONES),
    tool("git_commit", Act::Commit, COMMIT),
    tool("git_create_branch", Act::CreateBranch, CREATES),
    tool("git_diff", Act::Read, DIFF),
    tool("git_diff_staged", Act::Read, LOOKS),
    tool("git_diff_unstaged", Act::Read, LOOKS),
    tool("git_fetch", Act::Fetch, FETCHES),
    tool("git_init", Act::Init, INITS),
    tool("git_log", Act::Log, LOG),
    tool("git_pull", Act::Pull, PULLS),
    tool("git_push", Act::Push, PUSHES),
    tool("git_reset", Act::Reset, RESETS),
    tool("git_show", Act::Log, SHOW),
    tool("git_status", Act::Read, &[]),
];
