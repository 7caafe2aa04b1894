//! How commands stand in files that run: scripts, recipes, steps, schedules and settings. Each form is read into plain
//! commands, one a line, and what is no command is left out.

/// How commands stand in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// The whole text is commands.
    Script,
    /// Indented lines are, as in a makefile.
    Recipes,
    /// Values of `scripts`, as in `package.json`, and of `command`.
    Manifest,
    /// Lines of `run` and lists of commands, as in the files of build servers.
    Steps,
    /// Lines that begin with times.
    Schedule,
    /// Values that begin with `!`, as aliases of git do.
    Aliases,
}

/// Names of files with recipes, in lowercase.
const RECIPES: &[&str] = &["makefile", "gnumakefile", "bsdmakefile", "justfile", ".justfile"];
/// Ends of names of scripts, in lowercase.
const SCRIPT_ENDS: &[&str] = &[".sh", ".bash", ".zsh", ".ksh"];
/// Ends of names of prose, in lowercase: an agent host reads some of it at every start, and no shell does.
const PROSE_ENDS: &[&str] = &[".md", ".mdc", ".txt", ".rst"];
/// Shells, as the first line of a script names them.
const SHELLS: &[&str] = &["sh", "bash", "dash", "zsh", "ksh", "ash"];
/// Keys of steps behind which a command stands.
const COMMAND_KEYS: &[&str] = &["run", "script", "before_script", "after_script", "command", "cmd", "cmds", "entry"];
/// Commands of a shell that print their words.
const PRINTERS: &[&str] = &["echo", "printf"];
/// Options of them.
const PRINTER_OPTIONS: &[&str] = &["-e", "-n", "-ne", "-en", "-E", "--", "%s", "%s\\n"];
/// Fields of a line of a schedule in front of its command.
const TIMES: usize = 5;

/// The form of a file by its name, in lowercase.
pub(crate) fn by_name(names: &[String]) -> Option<Form> {
    let (last, folders) = names.split_last()?;
    let last = last.as_str();
    let in_folder = |name: &str| folders.iter().any(|folder| folder == name);
    if SCRIPT_ENDS.iter().any(|end| last.ends_with(end)) || in_folder("hooks") && in_folder(".git") {
        Some(Form::Script)
    } else if RECIPES.contains(&last) || last.ends_with(".mk") || last.ends_with(".just") {
        Some(Form::Recipes)
    } else if last == "package.json" {
        Some(Form::Manifest)
    } else if last == "crontab" || in_folder("cron.d") || in_folder("cron") {
        Some(Form::Schedule)
    } else {
        None
    }
}

/// The form of a file that is known to run later or to be read at every start.
pub(crate) fn of_settings(names: &[String]) -> Option<Form> {
    let last = names.last()?.as_str();
    let ends = |ends: &[&str]| ends.iter().any(|end| last.ends_with(end));
    if ends(PROSE_ENDS) {
        None
    } else if ends(&[".yml", ".yaml"]) {
        Some(Form::Steps)
    } else if ends(&[".json"]) {
        Some(Form::Manifest)
    } else if last == ".gitconfig" || last == "config" || last == "hgrc" {
        Some(Form::Aliases)
    } else {
        Some(Form::Script)
    }
}

/// The form of a file by its first line.
pub(crate) fn by_first_line(text: &str) -> Option<Form> {
    let first = text.strip_prefix("#!")?.lines().next()?;
    let mut words = first.split_whitespace().filter_map(|word| word.rsplit('/').next());
    words.any(|word| SHELLS.contains(&word)).then_some(Form::Script)
}

/// The commands in a text, one a line.
pub(crate) fn commands(form: Form, text: &str) -> String {
    let lines = |pick: fn(&str) -> Option<&str>| joined(text.lines().filter_map(pick));
    match form {
        Form::Script => text.to_owned(),
        Form::Recipes => {
            let whole = text.replace("\\\n", " ").replace("$$", "$");
            joined(whole.lines().filter_map(recipe))
        }
        Form::Manifest => joined(manifest_values(text).iter().map(String::as_str)),
        Form::Steps => lines(step),
        Form::Schedule => lines(scheduled),
        Form::Aliases => lines(|line| Some(line.split_once('!')?.1.trim_end_matches('"'))),
    }
}

/// What the lines of a shell print, with line feeds where escapes ask for them.
pub(crate) fn printed(text: &str) -> Vec<String> {
    let starts = PRINTERS.iter().flat_map(|name| {
        text.match_indices(name).filter_map(|(at, name)| {
            let before = text.get(..at)?.chars().next_back();
            let rest = text.get(at.saturating_add(name.len())..)?;
            let is_word = before.is_none_or(|mark| mark.is_whitespace() || ";|&({".contains(mark));
            (is_word && rest.starts_with([' ', '\t'])).then_some(rest)
        })
    });
    let words = |rest| words(rest).into_iter().filter(|word| !PRINTER_OPTIONS.contains(&word.as_str()));
    let line = |rest| words(rest).collect::<Vec<_>>().join(" ").replace("\\n", "\n").replace("\\t", "\t");
    starts.map(line).collect()
}

/// The words up to the end of a command, without their quotes.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        let Some(word) = words.last_mut() else { break };
        match (character, quote) {
            (mark, Some(open)) if mark == open => quote = None,
            ('\\', None | Some('"')) => {
                // Only what a shell would take away with the backslash goes without it.
                let next = characters.next().unwrap_or_default();
                word.extend(['\\', next].iter().skip(usize::from("\\\"$` ".contains(next))));
            }
            (mark, Some(_)) => word.push(mark),
            ('\'' | '"', None) => quote = Some(character),
            ('\n' | ';' | '|' | '&' | '>' | '<' | ')', None) => break,
            (mark, None) if mark.is_whitespace() => words.push(String::new()),
            (mark, None) => word.push(mark),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn joined<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    lines.collect::<Vec<_>>().join("\n")
}

fn recipe(line: &str) -> Option<&str> {
    let is_indented = line.starts_with([' ', '\t']);
    // The one-line form of a rule has its command behind a semicolon.
    let command = if is_indented { Some(line) } else { line.split_once(';').map(|(_, command)| command) };
    command.map(|command| command.trim_start().trim_start_matches(['@', '-', '+']))
}

fn step(line: &str) -> Option<&str> {
    let mut rest = line.trim();
    while let Some(behind) = rest.strip_prefix("- ") {
        rest = behind.trim_start();
    }
    let word = rest.split([' ', ':']).next().unwrap_or_default();
    let value = rest.get(word.len()..)?.strip_prefix(':').filter(|value| value.is_empty() || value.starts_with(' '));
    let command = match value {
        Some(value) if COMMAND_KEYS.contains(&word) => value.trim(),
        Some(_) => return None,
        None => rest,
    };
    let unquoted = ["\"", "'"].iter().find_map(|quote| command.strip_prefix(quote)?.strip_suffix(quote));
    Some(unquoted.unwrap_or(command)).filter(|command| !matches!(*command, "" | "|" | ">" | "|-" | ">-" | "|+" | ">+"))
}

fn scheduled(line: &str) -> Option<&str> {
    let line = line.trim();
    let fields = if line.starts_with('@') { 1 } else { TIMES };
    let behind = (0..fields).try_fold(line, |rest, _| rest.split_once([' ', '\t']).map(|(_, rest)| rest.trim_start()));
    behind.filter(|_| !line.starts_with('#'))
}

/// The values of `scripts` and of `command`. A part of a document without `scripts` may be a part of it.
fn manifest_values(text: &str) -> Vec<String> {
    let mut values = Vec::new();
    let whole = !text.contains("\"scripts\"") && !text.trim_start().starts_with('{');
    let (mut inside, mut key) = (whole, String::new());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('"') {
        inside &= whole || !before.contains('}');
        let (string, after) = string(behind);
        let is_key = after.trim_start().starts_with(':');
        if is_key {
            inside |= string == "scripts";
            key = string;
        } else if inside || key == "command" {
            values.push(string);
        }
        rest = after;
    }
    values
}

/// A string of JSON behind its first quote, and what follows its last.
fn string(text: &str) -> (String, &str) {
    let mut value = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return (value, text.get(at.saturating_add(1)..).unwrap_or_default()),
            '\\' => match characters.next() {
                Some((_, 'n')) => value.push('\n'),
                Some((_, 't')) => value.push('\t'),
                Some((_, other)) => value.push(other),
                None => {}
            },
            other => value.push(other),
        }
    }
    (value, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(form: Form, text: &str, expected: &[&str]) {
        assert_eq!(commands(form, text).lines().collect::<Vec<_>>(), expected, "{form:?}: {text}");
    }

    #[test]
    fn each_form_has_its_commands_and_nothing_else() {
        check(Form::Script, "#!/bin/sh\nls\n", &["#!/bin/sh", "ls"]);
        check(
            Form::Recipes,
            "all: x\n\t@ls -l\n\t-rm \\\n\ta $$HOME\nVAR = holdpoint\nb: ; make c\n",
            &["ls -l", "rm  \ta $HOME", " make c".trim()],
        );
        check(
            Form::Manifest,
            r#"{"name":"holdpoint toggle","scripts":{"a":"ls \"x\"","b":"pwd"},"description":"holdpoint hook"}"#,
            &["ls \"x\"", "pwd"],
        );
        check(Form::Manifest, r#""a": "ls","#, &["ls"]);
        check(Form::Manifest, r#"{"tasks":[{"label":"l","command":"make"}]}"#, &["make"]);
        check(
            Form::Steps,
            "name: holdpoint toggle\njobs:\n  a:\n    steps:\n      - run: ls\n      - run: |\n          pwd\n      - 'id'\n",
            &["ls", "pwd", "id"],
        );
        check(Form::Schedule, "# m h dom mon dow\n0 5 * * 1 ls -l\n@daily pwd\nSHELL=/bin/sh\n", &["ls -l", "pwd"]);
        check(Form::Aliases, "[alias]\n\ta = !ls\n\tb = status\n", &["ls"]);
    }

    #[test]
    fn what_a_line_prints_is_read_up_to_its_end() {
        assert_eq!(printed("echo -e 'ls\\npwd' >> x; echo \"a \\\"b\" | tee y"), ["ls\npwd", "a \"b"]);
        assert_eq!(printed("ls && printf '%s\\n' ls\\ -l"), ["ls -l"]);
        assert_eq!(printed("(crontab -l; echo '@daily ls') | crontab -"), ["@daily ls"]);
        assert_eq!(printed("my-echo x; echoes y; cat echo"), [""; 0]);
    }

    #[test]
    fn a_file_runs_by_its_name_or_by_its_first_line() {
        let form = |path: &str| by_name(&path.split('/').map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(form("w/x.sh"), Some(Form::Script));
        assert_eq!(form("w/.git/hooks/pre-commit"), Some(Form::Script));
        assert_eq!(form("w/makefile"), Some(Form::Recipes));
        assert_eq!(form("w/package.json"), Some(Form::Manifest));
        assert_eq!(form("w/readme.md"), None);
        assert_eq!(form("w/hooks/use_state.ts"), None);
        assert_eq!(by_first_line("#!/usr/bin/env -S bash -e\n"), Some(Form::Script));
        assert_eq!(by_first_line("#!/usr/bin/python3\n"), None);
        assert_eq!(by_first_line("# a title\n"), None);
        assert_eq!(of_settings(&["claude.md".to_owned()]), None, "an agent reads it, no shell does");
        assert_eq!(of_settings(&[".bashrc".to_owned()]), Some(Form::Script));
    }
}
