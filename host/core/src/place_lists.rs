//! What the core knows about particular places of a file system: data only, each list with the reason of its entries.

/// Devices without a memory: writing to them loses nothing and reading them tells nothing. Source: the Filesystem
/// Hierarchy Standard 3.0, section 6.1.3, and null(4), random(4), tty(4).
pub(crate) const INERT_DEVICES: &[&str] = &[
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/tty",
    "/dev/stdin",
    "/dev/stdout",
    "/dev/stderr",
    "/dev/fd",
    "/dev/ptmx",
    "/dev/pts",
];

/// Folders under `/dev` that hold ordinary files.
pub(crate) const DEVICE_FILE_FOLDERS: &[&str] = &["/dev/shm", "/dev/mqueue"];

/// Places that every user of the machine may read, and that hold no one's private data.
pub(crate) const PUBLIC_FOLDERS: &[&str] = &[
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/usr",
    "/opt",
    "/boot",
    "/etc",
    "/sys",
    "/proc",
    "/var/lib/dpkg",
    "/var/lib/apt",
    "/var/log",
    "/var/cache",
    "/dev/null",
];

/// Places inside those that are private all the same: passwords, keys, the environment of other processes.
pub(crate) const PRIVATE_PATTERNS: &[&str] = &[
    "/etc/shadow*",
    "/etc/gshadow*",
    "/etc/sudoers",
    "/etc/sudoers.d/**",
    "/etc/ssl/private/**",
    "/etc/ssh/ssh_host_*",
    "/etc/ssh/*_key",
    "/etc/security/opasswd",
    "/etc/krb5.keytab",
    "/etc/wireguard/**",
    "/etc/NetworkManager/**",
    "/etc/ppp/**",
    "/proc/*/environ",
    "/proc/*/mem",
    "/proc/*/maps",
    "/proc/kcore",
    "/var/log/auth*",
    "/var/log/secure*",
    "/var/log/audit/**",
];

/// Files that wire a gate into an agent host. Whoever writes them can switch the gate off. `**` is any folder in front.
pub(crate) const HOST_WIRING: &[&str] = &[
    "**/.claude/settings.json",
    "**/.claude/settings.local.json",
    "**/.claude/hooks/**",
    "**/.codex/hooks.json",
    "**/.codex/config.toml",
    "**/.gemini/settings.json",
    "**/.cursor/hooks.json",
    "**/.cursor/hooks/**",
    "**/.copilot/hooks/**",
    "**/.github/hooks/**",
    "/etc/claude-code/**",
    "**/.config/claude/**",
];

/// Files whose content runs later: at login, on a schedule, on a version-control event, when an editor opens the folder.
pub(crate) const PERSISTENCE: &[&str] = &[
    "**/.git/**",
    "**/site-packages/*/**",
    "**/dist-packages/*/**",
    "**/.gdbinit",
    "**/.pythonrc*",
    "**/.irbrc",
    "**/.psqlrc",
    "**/.sqliterc",
    "**/.lldbinit",
    "**/.gitconfig",
    "**/.config/git/**",
    "**/.husky/**",
    "**/.bashrc",
    "**/.bash_profile",
    "**/.bash_login",
    "**/.bash_logout",
    "**/.bash_aliases",
    "**/.profile",
    "**/.zshrc",
    "**/.zshenv",
    "**/.zprofile",
    "**/.zlogin",
    "**/.config/fish/**",
    "**/.inputrc",
    "**/.ssh/**",
    "**/.envrc",
    "**/.npmrc",
    "**/.vimrc",
    "**/.config/nvim/**",
    "**/.emacs",
    "**/.emacs.d/**",
    "**/.config/autostart/**",
    "**/.config/systemd/**",
    "**/.local/share/systemd/**",
    "**/.pam_environment",
    "**/.xinitrc",
    "**/.xprofile",
    "**/.xsession",
    "**/.vscode/tasks.json",
    "**/.vscode/launch.json",
    "**/.vscode/settings.json",
    "**/.idea/**",
    "**/.claude/**",
    "**/.mcp.json",
    "**/.cursor/mcp.json",
    "**/.curlrc",
    "**/.wgetrc",
    "**/.netrc",
    "**/.pypirc",
    "**/.cargo/config.toml",
    "**/.cargo/config",
    "**/.kube/config",
    "**/.docker/config.json",
    "/var/spool/cron/**",
];

/// Folders whose direct members are system folders too.
pub(crate) const SYSTEM_PARENTS: &[&str] = &["usr", "var", "home", "Users", "System", "Library"];

/// Folders that the system and its programs are made of. What is written there runs in everybody's name sooner or later.
pub(crate) const SYSTEM_CODE: &[&str] = &["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/usr", "/etc", "/boot", "/opt"];

/// Switches of the kernel that stop the machine when they are written.
pub(crate) const MACHINE_SWITCHES: &[&str] = &["/proc/sysrq-trigger", "/sys/power"];

/// Folders whose files are the kernel's own settings.
pub(crate) const KERNEL_FOLDERS: &[&str] = &["/proc", "/sys"];

/// What programs keep in a home only to be faster.
pub(crate) const HOME_CACHES: &[&str] = &[".cache"];
