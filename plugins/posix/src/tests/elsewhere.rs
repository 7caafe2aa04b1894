//! Commands that write, run, read or send something else than their words seem to name.

use holdpoint_guest::{Action, Finding, Input, Invocation, Request, Span, Traits, Word, WorkingDir};

use super::{check, finding, is_harmless, lines, render};
use crate::classify;

/// The finding for a command that reads `stdin`.
fn fed(command: &str, stdin: Input) -> Finding {
    let argv = command.split(' ').map(|word| Word::exact(word, Span::WHOLE)).collect();
    let invocation = Invocation { argv, env: Vec::new(), cwd: WorkingDir::Same, stdin };
    classify(&Request { action: Action::Program(invocation), facts: Vec::new() })
}

#[test]
fn a_service_with_a_path_for_a_name_is_a_program() {
    lines(&[
        ("service ssh status", "get service ssh"),
        ("service ../../tmp/x status", "exec code ../../tmp/x unknown; get service ../../tmp/x"),
        ("service /tmp/x start", "exec code /tmp/x unknown; update service /tmp/x reversible"),
        ("service .. status", "exec code .. unknown; get service .."),
    ]);
}

#[test]
fn an_answer_on_standard_input_may_be_a_command() {
    for command in
        ["tar -cMf a d", "tar cLf 5 a d", "tar --multi-v -xf a", "tar --tape-length=5 -cf a d", "sdiff -o o a b"]
    {
        for stdin in [Input::Text("!id\n".to_owned()), Input::External, Input::OutputOf(0), Input::Inherited] {
            let finding = fed(command, stdin);
            assert!(!finding.doubts.is_empty(), "{command}");
            assert!(render(&finding).contains("exec code D: (unknown) unknown"), "{command}");
        }
        assert!(fed(command, Input::Empty).doubts.is_empty(), "{command}");
    }
    assert!(!fed("zip -s 1m -sp a.zip f", Input::Inherited).doubts.is_empty());
    assert!(fed("zip -s 1m a.zip f", Input::External).doubts.is_empty());
    assert!(fed("sdiff a b", Input::External).doubts.is_empty());
}

#[test]
fn an_answer_on_standard_input_may_rename_what_is_unpacked() {
    let asked = |command, stdin| !fed(command, stdin).doubts.is_empty();
    assert!(asked("unzip a.zip", Input::OutputOf(0)) && asked("unzip -q a.zip", Input::Text("r\n/x\n".to_owned())));
    assert!(!asked("unzip a.zip", Input::Inherited) && !asked("unzip a.zip", Input::Empty));
    assert!(!asked("unzip -o a.zip", Input::External) && !asked("unzip -nq a.zip", Input::External));
    assert!(!asked("unzip -l a.zip", Input::External));
}

#[test]
fn a_program_that_is_run_on_files_gets_words_that_are_not_shown() {
    lines(&[
        ("rg --pre rm p d", "get file d (all-in-parent); run rm D:{}"),
        ("tcpdump -z rm -G 1 -w f", "get machine ; create file f reversible; run rm D:{}"),
        ("sdiff --diff-program=rm a b", "get file a (all-in-parent); get file b (all-in-parent); run rm D:{}"),
        ("sort --compress-program=gzip f", "get file f; run gzip"),
        ("install -T --strip-program=rm a b", "get file a; create file b reversible; run rm D:{}"),
    ]);
}

#[test]
fn editing_in_place_with_awk_loads_a_file_from_here() {
    lines(&[
        ("gawk -i inplace '{print}' f", "exec code G:inplace* (selection) unknown; update file f reversible"),
        (
            "gawk -i inplace -v inplace::suffix=rc '{print}' .env",
            "exec code G:inplace* (selection) unknown; update file .env reversible; \
             create file D:inplace::suffix=rc (unknown) reversible",
        ),
    ]);
}

#[test]
fn an_index_is_written_where_the_second_operand_says() {
    lines(&[
        ("ptx -G in out", "get file in; create file out reversible"),
        ("ptx -i a -o b --break-file=c d", "get file a; get file b; get file c; get file d"),
    ]);
}

#[test]
fn a_patch_may_name_other_files_itself() {
    lines(&[
        (
            "patch f",
            "update file . (all-in-parent) reversible; update file f reversible; create file G:f* (selection) reversible",
        ),
        ("patch --dry-run f p", "get file f; get file p"),
    ]);
}

#[test]
fn an_ending_makes_a_name_that_no_word_shows() {
    for (command, made) in [
        ("cp -S rc -T a .env", "create file .envrc reversible"),
        ("cp -b --suffix=rc a d/.env", "create file d/.envrc reversible"),
        ("mv --suffix rc a .env", "create file .envrc reversible"),
        ("ln -sS rc a .env", "create file .envrc reversible"),
        ("install -S rc a .env", "create file .envrc reversible"),
        ("sed -irc p .env", "create file .envrc reversible"),
        ("rsync -b --suffix=rc a .env", "create file .envrc reversible"),
        ("patch -bz rc .env", "create file .envrc reversible"),
        ("gzip -S rc .env", "create file .envrc reversible"),
        ("pigz -S rc .env", "create file .envrc reversible"),
        ("xz -S rc .env", "create file .envrc reversible"),
        ("gunzip -S x .envrcx", "create file .envrc reversible"),
        ("gzip -dN a.gz", "create file . (all-in-parent) reversible"),
        ("pigz -dN d/a.gz", "create file d (all-in-parent) reversible"),
        ("cp --parents a/.envrc d", "create file d/a/.envrc reversible"),
        ("rsync -R x/./a/.envrc d", "create file d/a/.envrc reversible"),
        ("rsync --write-batch=F a d", "create file F.sh reversible"),
        ("xz -S ../x f", "doubt malformed-argument"),
    ] {
        let words: Vec<&str> = command.split(' ').collect();
        let text = render(&finding(&words));
        assert!(text.split("; ").any(|part| part == made), "{command}: {text}");
    }
}

#[test]
fn hosts_that_no_word_names_are_reached() {
    lines(&[
        ("dig -f names", "get file names; send host D:names (unknown) irreversible; connect host ."),
        ("dig", "connect host ."),
        ("nc -lp 80", "send host  (root) unknown"),
        ("ncat -lx log", "create file log reversible; send host  (root) unknown"),
        ("ncat -l", "send host  (root) unknown"),
        ("fping", "send host D:? (unknown) irreversible"),
        (
            "fping -f names",
            "get file names; send host D:names (unknown) irreversible; send host D:? (unknown) irreversible",
        ),
        ("nmap -iL names", "get file names; send host D:names (unknown) irreversible"),
        ("nmap -iR 10", "send host D:? (unknown) irreversible"),
        ("ssh-keyscan -f names", "get file names; send host D:names (unknown) irreversible"),
    ]);
    for command in [["tcpdump", "-i", "any", "-w", "out"], ["tshark", "-i", "any", "-w", "out"]] {
        assert!(finding(&command).operations.iter().any(|operation| operation.traits.contains(Traits::NETWORK)));
    }
}

#[test]
fn more_is_read_than_the_words_name() {
    lines(&[
        ("diff a b", "get file a (all-in-parent); get file b (all-in-parent)"),
        ("diff --from-file=d f", "get file d (all-in-parent); get file f (all-in-parent)"),
        ("zdiff --to-file=d f", "get file d (all-in-parent); get file f (all-in-parent)"),
        ("diff - f", "get file f (all-in-parent)"),
        ("grep -d recurse x d", "get file d (all-in-parent)"),
        ("grep --directories=rec x d", "get file d (all-in-parent)"),
        ("grep -d skip x d", "get file d"),
        ("grep --directories=read x d", "get file d"),
        ("curl -g file://h/etc/%73hadow", "get file /etc/shadow"),
        ("curl -T a file:///b", "upload file a irreversible; create file /b reversible; get file /b"),
        ("man -l f", "get file f"),
        ("man ./f", "get file ./f"),
        ("zip -@ a.zip", "create file a.zip reversible; get file D:. (unknown)"),
        ("ack --files-from=l x", "get file l; get file D:l (unknown); get file . (all-in-parent)"),
        ("7z a x.7z '-i!p' -o.", "create file x.7z reversible; get file p (all-in-parent); get file . (all-in-parent)"),
        ("7z a x.7z -i@l f", "create file x.7z reversible; get file f (all-in-parent); doubt unsupported-syntax"),
        ("7z a x.7z -x@l f", "create file x.7z reversible; get file f (all-in-parent); doubt unsupported-syntax"),
        ("7z x x.7z -ai@l", "get file x.7z; create file . (all-in-parent) reversible; doubt unsupported-syntax"),
        ("rsync -d s/ d", "get file s/ (all-in-parent); create file d (all-in-parent) reversible"),
        ("getent shadow", "get user  (root); get file /etc/shadow"),
        ("getent gshadow x", "get user  (root); get file /etc/gshadow"),
        ("journalctl --file=f -D d", "get machine ; get file f; get file d (all-in-parent)"),
        ("journalctl --root=r", "get machine ; get file r (all-in-parent)"),
        ("awk 'BEGIN{f(ARGV)}'", "get file D:BEGIN{f(ARGV)} (unknown)"),
        ("awk 'BEGIN{SYMTAB[\"x\"]=1}'", "get file D:BEGIN{SYMTAB[\"x\"]=1} (unknown)"),
        ("awk 'BEGIN{sub(/a/,\"b\",ARGV[1])}'", "get file D:BEGIN{sub(/a/,\"b\",ARGV[1])} (unknown)"),
        ("awk 'BEGIN{for (i in ARGV) print ARGV[i], ARGC}'", "nothing"),
    ]);
    check(&["curl", "file:///etc/{a,b}"], "get file D:file:///etc/{a,b} (unknown)");
}

#[test]
fn letters_of_ps_without_a_dash_show_environments() {
    let environ = "get process  (root); get file G:/proc/*/environ (selection)";
    lines(&[("ps e", environ), ("ps auxe", environ), ("ps aux e", environ), ("ps axo pid eww", environ)]);
    lines(&[("ps aux", "get process  (root)"), ("ps axo pid,etime", "get process  (root)")]);
    lines(&[("ps -e", "get process  (root)"), ("ps -eo user", "get process  (root)")]);
}

#[test]
fn what_is_overwritten_with_nothing_or_again_and_again_is_lost() {
    lines(&[
        ("cp -T /dev/null f", "get file /dev/null; update file f irreversible; create file f reversible"),
        (
            "dd if=/dev/zero of=f bs=1k count=1",
            "get file /dev/zero; create file f reversible; update file f irreversible",
        ),
        ("dd of=f if=a", "get file a; create file f reversible"),
        ("cp /dev/null d/", "get file /dev/null; create file d/null reversible"),
        (
            "find d -exec mv {} x \\;",
            "list file d (all-in-parent); delete file d (all-in-parent) irreversible; run mv G:d/** x",
        ),
        (
            "fd a d -x mv {} x",
            "list file d (all-in-parent); delete file d (all-in-parent) irreversible; run mv G:d/** x",
        ),
        ("fd a d -X mv {} x", "list file d (all-in-parent); run mv G:d/** x"),
        ("find d -name a -exec mv {} x/ \\;", "list file d (all-in-parent); run mv G:d/**/a x/"),
        ("find d -name a -exec mv -t x {} +", "list file d (all-in-parent); run mv -t x G:d/**/a"),
    ]);
    check(&["fd", "a", "d", "-x", "mv", "{}", "{.}.c"], "list file d (all-in-parent); run mv G:d/** D:{.}.c");
}

#[test]
fn what_is_shown_stays_harmless() {
    for words in [["man", "ls"].as_slice(), &["diff", "-u", "a", "b"], &["zip", "-sf", "a.zip", "f"], &["ps", "D:$x"]] {
        let finding = finding(words);
        assert!(is_harmless(&finding) || words[0] == "zip" && finding.doubts.is_empty(), "{words:?}");
    }
    check(&["man", "D:$x"], "get file D:$x (unknown); doubt dynamic-word");
}

#[test]
fn what_was_captured_before_is_a_file() {
    for words in [["tcpdump", "-nr", "f"].as_slice(), &["tshark", "--read-file=f"]] {
        let finding = finding(words);
        assert_eq!(render(&finding), "get file f", "{words:?}");
        assert!(finding.operations.iter().all(|operation| !operation.traits.contains(Traits::NETWORK)));
    }
}

#[test]
fn this_machine_is_reached_without_a_network() {
    let network = |command: &str| {
        let words: Vec<&str> = command.split(' ').collect();
        finding(&words).operations.iter().any(|operation| operation.traits.contains(Traits::NETWORK))
    };
    for here in ["curl http://localhost:8000/x", "curl -s 127.0.0.1", "curl http://[::1]:80/", "nc -z localhost 80"] {
        assert!(!network(here), "{here}");
    }
    for away in [
        "curl -L http://localhost/",
        "curl http://localhost.x.test/",
        "curl http://localhost@x.test/",
        "curl -x x.test http://localhost/",
        "nc -x x.test:1080 localhost 80",
        "ncat --proxy x.test:1080 localhost 80",
        "wget http://localhost/",
        "curl --resolve localhost:80:1.2.3.4 http://localhost/",
    ] {
        assert!(network(away), "{away}");
    }
}

#[test]
fn looks_by_short_names_are_looks() {
    for command in [
        "ip a s",
        "ip address s eth0",
        "nmcli c s",
        "hwclock -r",
        "modprobe -n x",
        "hostnamectl hostname",
        "vim --version",
        "nano --version",
        "dos2unix -i f",
    ] {
        let words: Vec<&str> = command.split(' ').collect();
        assert!(is_harmless(&finding(&words)), "{command}");
    }
    lines(&[
        ("ip link s eth0 down", "configure system-setting network irreversible"),
        ("hwclock -rw", "get machine ; configure system-setting clock irreversible"),
        ("modprobe x", "configure system-setting kernel irreversible"),
        ("hostnamectl hostname n", "configure system-setting n irreversible"),
        ("vim --version f", "update file f reversible; exec code D: (unknown) unknown"),
        ("kill -WINCH 1", "update process 1 reversible"),
        ("chmod -R u+w d", "update file d (all-in-parent) reversible"),
        ("chmod -R u+w /d", "update file /d (all-in-parent) irreversible"),
        ("chmod -R u+w ../d", "update file ../d (all-in-parent) irreversible"),
        ("chmod -R a+w d", "update file d (all-in-parent) irreversible"),
    ]);
}
