//! Toggles: what an operator may loosen. What each of them gates while it is restrictive stands in `gates`.

use crate::words::{WordSet, words};

words! {
    /// A toggle. All are restrictive unless an operator loosened them.
    ToggleKey {
        EmailAutoSend = "email.auto_send",
        EmailRecipientAllowlist = "email.recipient_allowlist",
        CodeAutoCommit = "code.auto_commit",
        CodeAutoPush = "code.auto_push",
        CodeAllowCorePatch = "code.allow_core_patch_in_autonomous_loop",
        ToolsBypassCatalogGate = "tools.bypass_catalog_gate",
        AgentBypassPlanMode = "agent.bypass_plan_mode",
        TestsAllowRedCommit = "tests.allow_red_commit",
        SelfmodEnabled = "selfmod.enabled",
        SelfmodAutoApply = "selfmod.auto_apply",
        SelfmodKillSwitch = "selfmod.kill_switch",
        ShellAllowDestructiveFlags = "shell.allow_destructive_flags",
        ShellAllowOutsideWorkspace = "shell.allow_outside_workspace",
        NetAllowOutbound = "net.allow_outbound",
        NetAllowBrowserAutoActions = "net.allow_browser_auto_actions",
        MemoryPersistEverything = "memory.persist_everything",
        DreamsWriteDuringActiveSession = "dreams.write_during_active_session",
        VaultAutoGrantCapabilities = "vault.auto_grant_capabilities",
        AutonomousRaiseDailyOpCap = "autonomous.raise_daily_op_cap",
        VoiceAlwaysListening = "voice.always_listening",
    }
}

/// The toggles that are permissive.
pub type Permissive = WordSet<ToggleKey>;
