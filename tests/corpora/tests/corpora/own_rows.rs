//! Rows that need more than one shell line: other tools, files that are there, approvals, hooks and configurations.

use crate::rows::{Context, Must, PLAIN, ROOTED};
use crate::setting::Judge;
use holdpoint_tests_e2e::{Failed, Scene, feed, holdpoint};
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};

/// What is wrong with a row.
type Wrong = Vec<String>;

/// Runs a row by its id, with its inputs and its cell of verdicts.
pub(crate) fn run(id: &str, inputs: &[String], verdict: &str) -> Result<Wrong, Failed> {
    let judge = Judge::new()?;
    let input = |index: usize| inputs.get(index).map(String::as_str).ok_or_else(|| Failed::from("the input is gone"));
    match id {
        "BL-20" => same_shell(&judge, input(0)?),
        "BL-fp4" => copies_settings(&judge, input(0)?),
        "BL-27" => rooted(&judge, "/srv/allowed", ("Read", &path_of(input(0)?)), Must::DenyHard),
        "BL-29" => behind_a_link(&judge, &path_of(input(0)?)),
        "BL-30" => rooted(&judge, "/x/.agent", ("Edit", &path_of(input(0)?)), Must::Deny),
        "BL-31" => every_route(&judge, input(0)?),
        "BL-34" => sql(&judge, inputs, "session.access = \"read-only\"\n", Must::Deny),
        "BL-36" => sql(&judge, inputs, "session.access = \"read-only\"\n", Must::DenyHard),
        // That it is denied, and that a predicate would help, a vocabulary for SQL has to tell.
        "BL-38" => sql(&judge, inputs, "pins = [{ resource = \"*:prod\" }]\n", Must::NotAllow),
        "BL-40" => structured(&judge, input(0)?),
        "BL-47" => by_server(&judge, input(0)?),
        "BL-49" => changed_schema(&judge),
        "BL-52" => caption(&judge, input(0)?),
        "BL-53" => surroundings(&judge, input(0)?),
        "BL-54" => other_tool(&judge, inputs),
        "BL-55" => own_failures(&judge, verdict),
        "BL-57" => never_matches(&judge, verdict),
        "BL-60" => through_a_server(&judge),
        "ME-10" => repository_settings(&judge, input(0)?),
        _ => Err("the row has no test".into()),
    }
}

/// The last word of an input: what is read, written or edited.
fn path_of(input: &str) -> String {
    input.rsplit(' ').next().unwrap_or_default().to_owned()
}

fn wrong_if(is_wrong: bool, told: impl FnOnce() -> String) -> Wrong {
    if is_wrong { vec![told()] } else { Vec::new() }
}

/// Both lines in one shell, and the first by itself.
fn same_shell(judge: &Judge, lines: &str) -> Result<Wrong, Failed> {
    let first = lines.lines().next().ok_or("no line")?;
    let answers = [judge.line(first, PLAIN, Must::NotAllow)?, judge.line(lines, PLAIN, Must::NotAllow)?];
    Ok(answers.into_iter().flatten().collect())
}

/// Where the home folder is the workspace, only a guard that goes by what is mentioned has anything against it.
fn copies_settings(judge: &Judge, line: &str) -> Result<Wrong, Failed> {
    let home = judge.scene.workspace();
    std::fs::create_dir_all(home.join(".claude"))?;
    std::fs::write(home.join(".claude/settings.json"), "{}")?;
    let mut command = judge.scene.command(&["check", "--json", "--level", "guarded", "--", line])?;
    let ran = feed(take(command.env("HOME", &home)), b"")?;
    let answer: Value = serde_json::from_str(&ran.stdout)?;
    Ok(wrong_if(answer["decision"] != "allow", || answer.to_string()))
}

fn take(command: &mut Command) -> Command {
    std::mem::replace(command, Command::new("false"))
}

/// A tool that opens a file where the operator lets nobody out of the workspace, and one inside, which it may.
fn rooted(judge: &Judge, root: &str, (tool, path): (&str, &str), must: Must) -> Result<Wrong, Failed> {
    let context = Context { config: ROOTED, arguments: &[] };
    let judged = |path: &str, must| -> Result<_, Failed> {
        let arguments = match tool {
            "Read" => json!({ "file_path": path }),
            "Write" => json!({ "file_path": path, "content": "x" }),
            _ => json!({ "file_path": path, "old_string": "a", "new_string": "b" }),
        };
        let arguments = arguments.to_string();
        let call = ["--workspace", root, "--cwd", root, "--tool", tool, "--arguments", &arguments];
        judge.call(&call, context, must)
    };
    let inside = format!("{root}/x");
    Ok([judged(path, must)?, judged(&inside, Must::Allow)?].into_iter().flatten().collect())
}

/// A file that is not there yet, behind a link that leads out.
fn behind_a_link(judge: &Judge, path: &str) -> Result<Wrong, Failed> {
    let (allowed, elsewhere) = (judge.scene.workspace(), judge.scene.folder().join("elsewhere"));
    std::fs::create_dir(&elsewhere)?;
    std::os::unix::fs::symlink(&elsewhere, allowed.join("l"))?;
    let root = allowed.to_str().ok_or("not UTF-8")?;
    let below = path.strip_prefix("/srv/allowed").ok_or("the row speaks of another root")?;
    rooted(judge, root, ("Write", &format!("{root}{below}")), Must::DenyHard)
}

/// Every way to the file that this gate is asked about. A reference that the host itself reads raises no event.
fn every_route(judge: &Judge, reference: &str) -> Result<Wrong, Failed> {
    let path = reference.trim_start_matches('@');
    let context = Context { config: ROOTED, arguments: &[] };
    let tools = [
        ("Read", json!({ "file_path": path })),
        ("Grep", json!({ "pattern": "x", "path": path })),
        ("Glob", json!({ "pattern": path })),
        ("Bash", json!({ "command": format!("cat {path}") })),
        ("Bash", json!({ "command": format!("grep x < {path}") })),
        ("Bash", json!({ "command": format!("cp {path} here") })),
    ];
    let mut wrong = Vec::new();
    for (tool, arguments) in tools {
        let arguments = arguments.to_string();
        wrong.extend(judge.call(&["--tool", tool, "--arguments", &arguments], context, Must::Deny)?);
    }
    Ok(wrong)
}

/// Statements, sent by a client at the command line.
fn sql(judge: &Judge, statements: &[String], config: &'static str, must: Must) -> Result<Wrong, Failed> {
    let mut wrong = Vec::new();
    for statement in statements {
        let line = format!("psql prod -c '{statement}'");
        wrong.extend(judge.line(&line, Context { config, arguments: &[] }, must)?);
    }
    Ok(wrong)
}

/// A tool of a server that no vocabulary speaks for. With one, such a value is refused; without one it is asked about.
fn structured(judge: &Judge, arguments: &str) -> Result<Wrong, Failed> {
    let call = ["--server", "kubernetes", "--tool", "kubectl_get", "--arguments", arguments];
    Ok(judge.call(&call, PLAIN, Must::NotAllow)?.into_iter().collect())
}

/// The catalogue holds a tool whose flat name is the same: a server and its tool are a pair.
fn by_server(judge: &Judge, flat: &str) -> Result<Wrong, Failed> {
    let own = flat.strip_prefix("mcp_my_server_").ok_or("the row speaks of another server")?;
    let listed = format!("server_{own}");
    judge.configure(&format!("lists.catalogue = [\"my/{listed}\"]\n"))?;
    let of_server = |server: &str, tool: &str| json!({ "tool_name": format!("mcp__{server}__{tool}"), "tool_input": {}, "mcp_server": { "name": server } });
    let mut wrong = Vec::new();
    let events = [
        (of_server("my_server", own), "deny"),
        (json!({ "tool_name": flat, "tool_input": {} }), "deny"),
        (of_server("my", &listed), "ask"),
    ];
    for (event, wanted) in events {
        let decision = judge.hooked(event.clone(), "default")?;
        wrong.extend(wrong_if(decision != wanted, || format!("{event}: {decision}")));
    }
    Ok(wrong)
}

/// A tool that was taken into the catalogue with one schema, and comes back with another.
fn changed_schema(judge: &Judge) -> Result<Wrong, Failed> {
    let digest = |letter: &str| format!("sha256:{}", letter.repeat(64));
    let listed = format!("catalogue=s/t@{}", digest("a"));
    let call = |schema: &str, must| {
        let schema = format!("schema={}", digest(schema));
        let words = ["--context", &listed, "--context", &schema, "--server", "s", "--tool", "t", "--arguments", "{}"];
        judge.call(&words, PLAIN, must)
    };
    Ok([call("b", Must::Deny)?, call("a", Must::Ask)?].into_iter().flatten().collect())
}

fn bash(line: &str, more: Value) -> Value {
    let mut input = json!({ "command": line });
    if let (Some(members), Value::Object(more)) = (input.as_object_mut(), more) {
        members.extend(more);
    }
    json!({ "tool_name": "Bash", "tool_input": input })
}

/// Asks where nobody is reached, has a person say yes elsewhere, and asks for something else.
fn after_a_yes(judge: &Judge, approved: Value, other: Value, wanted: &str) -> Result<Wrong, Failed> {
    let first = judge.hooked(approved, "dontAsk")?;
    judge.approve()?;
    let second = judge.hooked(other.clone(), "dontAsk")?;
    let mut wrong = wrong_if(first != "deny", || format!("nobody had answered: {first}"));
    wrong.extend(wrong_if(second != wanted, || format!("{other}: {second}")));
    Ok(wrong)
}

/// A caption and a time limit change nothing; what changes how the line is run does.
fn caption(judge: &Judge, line: &str) -> Result<Wrong, Failed> {
    let mut wrong = Vec::new();
    for (session, changed, wanted) in [
        ("a", json!({ "description": "another caption", "timeout": 5000 }), "allow"),
        ("b", json!({ "run_in_background": true }), "deny"),
        ("c", json!({ "dangerouslyDisableSandbox": true }), "deny"),
    ] {
        // Each change meets a question of its own.
        let line = format!("{line}{session}");
        let approved = bash(&line, json!({ "description": "a caption" }));
        let fresh = Judge::new()?;
        wrong.extend(after_a_yes(&fresh, approved, bash(&line, changed), wanted)?);
    }
    wrong.extend(after_a_yes(judge, bash(line, json!({})), bash(line, json!({})), "allow")?);
    Ok(wrong)
}

/// What decides which program is found is part of the action.
fn surroundings(judge: &Judge, line: &str) -> Result<Wrong, Failed> {
    judge.configure("rungs = [{ verb = \"get\", effect = \"none\", guarded = \"ask\" }]\n")?;
    let plain = line.split_once(' ').ok_or("the row sets no variable")?.1;
    after_a_yes(judge, bash(plain, json!({})), bash(line, json!({})), "deny")
}

/// A yes to one tool of a server is none to another.
fn other_tool(judge: &Judge, tools: &[String]) -> Result<Wrong, Failed> {
    let other = tools.first().ok_or("no tool")?;
    let tool =
        |tool: &str| json!({ "tool_name": format!("mcp__S__{tool}"), "tool_input": {}, "mcp_server": { "name": "S" } });
    after_a_yes(judge, tool("get_issue"), tool(other), "deny")
}

/// Our own failures: each blocks with a reason. That a panic does is a test of the hook itself.
fn own_failures(judge: &Judge, verdict: &str) -> Result<Wrong, Failed> {
    let code = if verdict.contains("exit 2") { Some(2) } else { None };
    let mut wrong = wrong_if(code.is_none(), || format!("the row names another code: {verdict}"));
    let started = |state: &std::path::Path| -> Result<Command, Failed> {
        let mut command = Command::new(holdpoint()?);
        command.args(["hook", "claude-code", "--state"]).arg(state);
        Ok(command)
    };
    let good = json!({ "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": { "command": "ls" } });
    let (state, gone) = (judge.scene.state(), judge.scene.folder().join("gone"));
    let good = good.to_string();
    for (state, input) in [(&state, "{"), (&state, ""), (&state, "null"), (&gone, good.as_str())] {
        let ran = feed(started(state)?, input.as_bytes())?;
        let blocks = ran.code == code && ran.stdout.is_empty() && !ran.stderr.is_empty();
        wrong.extend(wrong_if(!blocks, || format!("{input}: {:?}: {}{}", ran.code, ran.stdout, ran.stderr)));
    }
    // The event never ends, so only the deadline of the hook itself can answer.
    let mut child = started(&state)?.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let mut open = child.stdin.take().ok_or("no standard input")?;
    open.write_all(b"{\"hook_event_name\":")?;
    let ran = child.wait_with_output()?;
    drop(open);
    let told = String::from_utf8_lossy(&ran.stderr).into_owned();
    wrong.extend(wrong_if(ran.status.code() != code || !told.contains("deadline"), || told.clone()));
    Ok(wrong)
}

/// A rule that can never match is an error when it is read, and with it nothing is changed.
fn never_matches(judge: &Judge, verdict: &str) -> Result<Wrong, Failed> {
    let mut wrong = wrong_if(!verdict.contains("load-time error"), || format!("the row names another: {verdict}"));
    let rules = [
        "pins = [{ resource = \"file:relative\" }]\n",
        "safety.principals.\"nobody\".level = \"observe\"\n",
        "rungs = [{ verb = \"get\", kind = \"file\", effect = \"irreversible\", guarded = \"ask\" }]\n",
    ];
    for rule in rules {
        judge.write(rule)?;
        let checked = judge.scene.run(&["config", "check"])?;
        wrong.extend(wrong_if(checked.code == Some(0), || format!("{rule}: {}", checked.stdout)));
        let refused = judge.scene.check("touch a", &[])?;
        wrong.extend(wrong_if(refused["rule"] != "gate.configuration", || format!("{rule}: {refused}")));
    }
    Ok(wrong)
}

/// A tool of a server meets the same questions as one of the host.
fn through_a_server(judge: &Judge) -> Result<Wrong, Failed> {
    let event = json!({ "tool_name": "mcp__s__deploy", "tool_input": {}, "mcp_server": { "name": "s" } });
    let decision = judge.hooked(event, "default")?;
    Ok(wrong_if(decision != "ask", || decision.clone()))
}

/// A repository that starts a program of its own when its state is read.
fn repository_settings(judge: &Judge, line: &str) -> Result<Wrong, Failed> {
    let scene: &Scene = &judge.scene;
    let git = |words: &[&str]| Command::new("git").args(words).current_dir(scene.workspace()).output();
    git(&["init", "-q", "."])?;
    git(&["config", "core.fsmonitor", "./x.sh"])?;
    let answer = scene.check(line, &["--level", "guarded"])?;
    let bound = answer["obligations"].to_string().contains("no-repo-config");
    let hook = judge.hooked(bash(line, json!({})), "default")?;
    let mut wrong = wrong_if(answer["decision"] == "allow" && !bound, || answer.to_string());
    // A host that sees to no obligation may not let it through at all.
    wrong.extend(wrong_if(hook == "allow", || format!("the hook: {hook}")));
    Ok(wrong)
}
