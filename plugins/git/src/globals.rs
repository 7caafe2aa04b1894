//! The options in front of a command. Git takes them whole, without abbreviations.

use holdpoint_guest::Reason;

use crate::place::Folder;
use crate::report::Report;
use crate::settings;
use crate::words::Arg;

/// Options that change nothing about what is touched.
const FLAGS: &[&str] = &[
    "--glob-pathspecs",
    "--icase-pathspecs",
    "--literal-pathspecs",
    "--no-advice",
    "--no-lazy-fetch",
    "--no-literal-pathspecs",
    "--no-optional-locks",
    "--no-pager",
    "--no-replace-objects",
    "--noglob-pathspecs",
    "--paginate",
    "-P",
    "-p",
];
/// Options after which git prints something and ends.
const PRINTS: &[&str] = &["--exec-path", "--help", "--html-path", "--info-path", "--man-path", "--version", "-h", "-v"];
/// Options with a value, in the next word or behind a `=`.
const VALUED: &[&str] = &["--attr-source", "--git-dir", "--namespace", "--super-prefix", "--work-tree"];

/// Whether the repository is the one that is found in the folder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Repository {
    Found,
    Named,
}

/// What stands in front of a command.
pub(crate) struct Globals<'a> {
    pub(crate) folder: Folder,
    pub(crate) repository: Repository,
    /// Settings for this command alone.
    pub(crate) pairs: Vec<Arg<'a>>,
    pub(crate) doubts: Vec<(Reason, Arg<'a>)>,
    /// Whether git ends after printing something.
    pub(crate) ends: bool,
    /// The command and its words.
    pub(crate) rest: Vec<Arg<'a>>,
}

impl<'a> Globals<'a> {
    /// Reads the words after `git`.
    pub(crate) fn of(args: &[Arg<'a>]) -> Globals<'a> {
        let mut all = Globals {
            folder: Folder::Same,
            repository: Repository::Found,
            pairs: Vec::new(),
            doubts: Vec::new(),
            ends: false,
            rest: Vec::new(),
        };
        let mut words = args.iter().copied();
        while let Some(arg) = words.next() {
            if arg.may_be_option() {
                all.doubts.push((Reason::DynamicWord, arg));
                continue;
            }
            let name = arg.text.split_once('=').map_or(arg.text, |(name, _)| name);
            let attached = (name.len() < arg.text.len()).then(|| arg.tail(name.len().saturating_add(1)));
            match arg.text {
                "-C" => match words.next() {
                    Some(folder) => all.folder = all.folder.moved(folder),
                    None => all.doubts.push((Reason::MalformedArgument, arg)),
                },
                "-c" => match words.next() {
                    Some(pair) => all.pairs.push(pair),
                    None => all.doubts.push((Reason::MalformedArgument, arg)),
                },
                "--bare" => all.repository = Repository::Named,
                text if FLAGS.contains(&text) => {}
                text if PRINTS.contains(&text) => {
                    all.ends = true;
                    return all;
                }
                _ if VALUED.contains(&name) => {
                    if let Some(value) = attached.or_else(|| words.next()) {
                        all.valued(name, value);
                    }
                }
                // `--config-env` takes a setting, and `--exec-path` a folder of programs, that no word shows.
                text if text.starts_with('-') => all.doubts.push((Reason::UnknownOption, arg)),
                _ => {
                    all.rest.push(arg);
                    all.rest.extend(words);
                    return all;
                }
            }
        }
        all
    }

    fn valued(&mut self, name: &str, value: Arg<'a>) {
        match name {
            "--work-tree" => {
                self.folder = self.folder.moved(value);
                self.repository = Repository::Named;
            }
            "--git-dir" => self.repository = Repository::Named,
            _ => {}
        }
    }

    /// Reports the settings and what was not understood.
    pub(crate) fn report(&self, out: &mut Report) {
        for (reason, arg) in &self.doubts {
            out.doubt(*reason, arg.span);
        }
        self.pairs.iter().for_each(|pair| settings::pair(*pair, out));
    }
}
