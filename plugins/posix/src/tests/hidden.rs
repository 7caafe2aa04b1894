//! Ways in which a command hid what it does, or looked worse than it is.

use holdpoint_guest::{Escapes, ObligationKind, Traits};

use super::{check, finding, is_harmless, line, lines};

fn harmless(commands: &[&str]) {
    for command in commands {
        let words: Vec<&str> = command.split(' ').collect();
        let finding = finding(&words);
        assert!(is_harmless(&finding), "{command}: {}", super::render(&finding));
    }
}

/// Whether the finding only holds if the caller ends the options.
fn needs_end_of_options(words: &[&str]) -> bool {
    let finding = finding(words);
    finding.obligations.iter().any(|obligation| obligation.kind == ObligationKind::EndOfOptions)
}

#[test]
fn the_longest_option_of_a_cluster_counts() {
    lines(&[
        ("zip -qTT cmd a.zip f", "exec code D: (unknown) unknown; create file a.zip reversible; get file f"),
        (
            "zip -qlf log a.zip f",
            "create file log reversible; create file log.log reversible; create file a.zip reversible; get file f",
        ),
        ("tcpdump -nttz ./x", "get machine ; run ./x D:{}"),
    ]);
}

#[test]
fn data_that_is_code_is_seen() {
    lines(&[
        ("getent -s x/evil passwd", "exec code D: (unknown) unknown; get user  (root)"),
        ("nm @f", "get file @f; doubt unsupported-syntax"),
        ("objdump -d @f", "get file @f; doubt unsupported-syntax"),
        ("ar t @f", "get file @f; doubt unsupported-syntax"),
        ("tshark -X lua_script:x.lua", "get machine ; exec code D: (unknown) unknown"),
        ("ack --ackrc x foo", "get file . (all-in-parent); exec code x unknown"),
        ("cowsay -f ./x hi", "exec code ./x unknown"),
        ("ip -all netns exec rm -rf /", "run rm -rf /"),
        ("ip netn exec n id", "run id"),
        ("rsync -e env a h:b", "upload file a irreversible; send host h irreversible; doubt unsupported-syntax"),
        ("rsync -avze ssh a h:b", "upload file a (all-in-parent) irreversible; send host h irreversible"),
        (
            "patch -e f",
            "exec code D: (unknown) unknown; update file . (all-in-parent) reversible; update file f reversible; \
             create file G:f* (selection) reversible",
        ),
        ("tcpdump -X", "get machine "),
    ]);
}

#[test]
fn a_link_is_a_change_of_what_it_leads_to() {
    lines(&[
        (
            "ln -sf /etc/passwd l",
            "update file /etc/passwd (all-in-parent) reversible; create file l reversible; create file l/passwd reversible",
        ),
        ("ln -s ../x", "update file ../x (all-in-parent) reversible; create file x reversible"),
        ("ln -sT ../x d/l", "update file d/../x (all-in-parent) reversible; create file d/l reversible"),
        ("ln -s ../x d/", "update file d/../x (all-in-parent) reversible; create file d/x reversible"),
        (
            "ln -s ../x d/l",
            "update file d/../x (all-in-parent) reversible; update file d/l/../x (all-in-parent) reversible; \
             create file d/l reversible; create file d/l/x reversible",
        ),
        ("ln -srT ../x d/l", "update file ../x (all-in-parent) reversible; create file d/l reversible"),
        ("ln -T a b", "update file a reversible; create file b reversible"),
        ("link a b", "update file a reversible; create file b reversible"),
        ("cp -lT a b", "update file a reversible; create file b reversible"),
        ("cp -sT /a b", "update file /a (all-in-parent) reversible; create file b reversible"),
    ]);
    check(
        &["ln", "-s", "D:$x", "d/"],
        "update file D:$x (unknown) reversible; create file d/ (all-in-parent) reversible; doubt dynamic-word",
    );
}

#[test]
fn a_look_gives_way_to_an_option_that_operates_after_it() {
    lines(&[
        ("xz -t -z f", "get file f; update file f reversible; create file G:f* (selection) reversible"),
        ("xz -tz f", "get file f; update file f reversible; create file G:f* (selection) reversible"),
        ("xz -dt f", "get file f"),
        ("xz -dc f", "get file f"),
        ("bzip2 -t -d f", "get file f; update file f reversible; create file G:f* (selection) reversible"),
        (
            "lz4 -t -z f g",
            "get file f; get file g; update file f reversible; create file G:f* (selection) reversible; \
             update file g reversible; create file G:g* (selection) reversible",
        ),
        ("zstd -l --decompress f", "get file f; update file f reversible; create file G:f* (selection) reversible"),
        ("pigz -td f", "get file f; update file f reversible; create file G:f* (selection) reversible"),
        // gzip stays with the look, whatever the order.
        ("gzip -t -d f", "get file f"),
        ("zstd -t --trace=log f", "get file f; create file log reversible"),
        (
            "tar -g snap -cf a.tar d",
            "create file snap reversible; create file a.tar reversible; get file d (all-in-parent)",
        ),
        ("ipset -f x list", "configure system-setting firewall irreversible; doubt unsupported-syntax"),
        ("sgdisk -o -p /dev/sda", "get filesystem /dev/sda; update filesystem /dev/sda irreversible"),
        ("sgdisk -p -i 1 /dev/sda", "get filesystem /dev/sda"),
        ("tune2fs -l /dev/sda", "get filesystem /dev/sda"),
        ("tune2fs -l -c 5 /dev/sda", "get filesystem /dev/sda; update filesystem /dev/sda irreversible"),
        (
            "sfdisk -l -A /dev/sda 1",
            "get filesystem /dev/sda; get filesystem 1; update filesystem /dev/sda irreversible",
        ),
        ("fsck.fat -n -y /dev/sda", "get filesystem /dev/sda; update filesystem /dev/sda irreversible"),
        ("losetup -l -f img", "get filesystem img; update filesystem img irreversible"),
        ("kill -9 123 -l", "delete process 123 irreversible; delete process -l (selection) irreversible"),
        ("nft list 'ruleset; flush ruleset'", "configure system-setting firewall irreversible"),
        ("wpa_cli -a list", "get system-setting network; doubt unsupported-syntax"),
        ("nmcli -f NAME connection show", "get system-setting network"),
        ("yq -s .a f.yml", "doubt unsupported-syntax; get file .a; get file f.yml"),
    ]);
}

#[test]
fn an_archive_of_cpio_names_its_own_targets() {
    lines(&[
        ("cpio -it", "nothing"),
        ("cpio -i", "create file D:. (unknown) reversible"),
        ("cpio -i --no-absolute-filenames", "create file . (all-in-parent) reversible"),
        ("cpio -o -O h:f", "get file D:- (unknown); send host h irreversible; doubt unsupported-syntax"),
        ("cpio -oF f", "get file D:- (unknown); update file f reversible"),
        ("cpio -pl dir", "update file D:- (unknown) reversible; create file dir (all-in-parent) reversible"),
        ("cpio -pd dir", "get file D:- (unknown); create file dir (all-in-parent) reversible"),
    ]);
}

#[test]
fn a_prefix_may_put_files_elsewhere() {
    lines(&[
        (
            "split f ../x",
            "create file G:x* (selection) reversible; get file f; create file G:../x* (selection) reversible",
        ),
        (
            "split --additional-suffix=/../y f",
            "create file G:x* (selection) reversible; get file f; doubt malformed-argument",
        ),
        (
            "csplit -f /tmp/x f 3",
            "create file G:xx* (selection) reversible; get file f; create file G:/tmp/x* (selection) reversible",
        ),
        ("csplit -b ../%d f 3", "create file G:xx* (selection) reversible; get file f; doubt malformed-argument"),
    ]);
}

#[test]
fn a_copy_may_land_below_its_destination() {
    lines(&[
        ("cp d/.envrc .", "get file d/.envrc; create file .envrc reversible"),
        ("cp settings.json .claude/", "get file settings.json; create file .claude/settings.json reversible"),
        (
            "cp settings.json .claude",
            "get file settings.json; create file .claude reversible; create file .claude/settings.json reversible",
        ),
        ("cp -T a b", "get file a; create file b reversible"),
        ("cp -r d/. .", "get file d/. (all-in-parent); create file . (all-in-parent) reversible"),
        ("cp --parents a/b d", "get file a/b; create file d/a/b reversible; create file d (all-in-parent) reversible"),
        ("install -t /usr/bin a", "get file a; create file /usr/bin/a reversible"),
        ("mv .envrc d", "delete file .envrc (all-in-parent) reversible; create file d (all-in-parent) reversible"),
        ("scp h:d/.envrc .", "download host h; create file .envrc reversible"),
        ("rsync s/.envrc d", "get file s/.envrc; create file d reversible; create file d/.envrc reversible"),
        ("rsync -a s d/", "get file s (all-in-parent); create file d/s (all-in-parent) reversible"),
    ]);
    check(&["scp", "h:*", "."], "download host h; create file . (all-in-parent) reversible");
    check(&["cp", "G:d/*", "."], "get file d (all-in-parent); create file . (all-in-parent) reversible");
    check(
        &["cp", "G:d/*.c", "e"],
        "get file G:d/*.c (selection); create file e reversible; create file G:e/*.c (selection) reversible",
    );
}

#[test]
fn a_move_takes_everything_away() {
    line("mv .claude x", "delete file .claude (all-in-parent) reversible; create file x (all-in-parent) reversible");
}

#[test]
fn stopping_the_machine_is_seen_by_every_name() {
    for command in [
        "systemctl reboot",
        "systemctl suspend",
        "systemctl kexec",
        "systemctl soft-reboot",
        "systemctl start reboot.target",
        "systemctl isolate poweroff.target",
        "systemctl isolate rescue",
        "systemctl start systemd-halt.service",
        "systemctl enable --now reboot.target",
        "init 0",
        "telinit 6",
        "reboot",
        "shutdown -r now",
        "shutdown -c -r now",
        "kexec -e",
        "rtcwake -m off -s 9",
        "loginctl poweroff",
    ] {
        let words: Vec<&str> = command.split(' ').collect();
        let text = super::render(&finding(&words));
        assert!(text.contains("configure machine  irreversible"), "{command}: {text}");
    }
    harmless(&["reboot --help", "halt --version", "shutdown -c", "shutdown --help", "shutdown --show", "init --help"]);
    harmless(&["systemctl --help", "systemctl --version", "systemctl status reboot.target"]);
    line("systemctl kill x", "update service x irreversible");
    line("systemctl -H h restart x", "send host h irreversible; update service x reversible");
    check(
        &["systemctl", "start", "D:$x"],
        "update service  (root) reversible; update service D:$x (unknown) reversible; doubt dynamic-word; doubt dynamic-word",
    );
}

#[test]
fn rights_of_the_owner_are_seen_in_every_mode() {
    for words in [
        ["mkdir", "-m", "2755", "d"].as_slice(),
        &["mkdir", "-m", "u+s", "d"],
        &["mkdir", "-m", "D:$m", "d"],
        &["install", "-m4755", "a", "b"],
        &["rsync", "--chmod=Du+s", "a", "b"],
        &["rsync", "--chmod=F4755", "a", "b"],
        &["mkfifo", "-m", "+2000", "p"],
        &["chmod", "D:$m", "f"],
        &["chmod", "=6755", "f"],
        &["chmod", "--reference=/usr/bin/sudo", "f"],
    ] {
        let finding = finding(words);
        let given = finding.operations.iter().all(|operation| operation.traits.contains(Traits::PRIVILEGE));
        assert!(given && finding.escapes.contains(Escapes::PRIVILEGE), "{words:?}");
    }
    for words in [["mkdir", "-m", "755", "d"].as_slice(), &["install", "-m", "0755", "a", "b"], &["chmod", "644", "s"]]
    {
        assert!(!finding(words).escapes.contains(Escapes::PRIVILEGE), "{words:?}");
    }
}

#[test]
fn a_query_can_carry_something_out() {
    lines(&[
        ("getent hosts x.test", "connect host x.test"),
        ("finger u@h", "connect host h"),
        ("finger u", "get user u"),
        ("resolvectl query x.test", "connect host x.test"),
        ("resolvectl status", "get system-setting network"),
    ]);
    for program in ["nslookup", "dig", "host", "ping"] {
        let text = super::render(&finding(&[program, "D:$x"]));
        assert!(text.contains("send host D:$x (unknown) irreversible"), "{program}: {text}");
    }
    check(&["getent", "hosts", "D:$x"], "get user  (root); send host D:$x (unknown) irreversible; doubt dynamic-word");
    check(&["finger", "D:$x"], "get user  (root); send host D:$x (unknown) irreversible");
    check(&["resolvectl", "query", "D:$x"], "send host D:$x (unknown) irreversible");
}

#[test]
fn curl_and_wget_send_files_and_let_servers_name_them() {
    lines(&[
        ("curl -H @f https://x.test/", "upload file f irreversible; send host D:x.test (unknown) irreversible"),
        ("curl --json @f https://x.test/", "upload file f irreversible; send host x.test irreversible"),
        ("curl -G -d @f https://x.test/", "upload file f irreversible; send host x.test irreversible"),
        ("curl --url-query @f https://x.test/", "upload file f irreversible; send host x.test irreversible"),
        ("curl -w @f https://x.test/", "get file f; download host x.test"),
        ("curl dict://x.test/d", "send host x.test unknown"),
        ("curl telnet://x.test/", "send host x.test unknown"),
        ("curl dict.x.test/d", "send host dict.x.test unknown"),
        ("curl --proto-default gopher x.test/", "doubt unsupported-syntax; download host x.test"),
        ("curl --remote-name-all https://x.test/a", "download host x.test; create file a reversible"),
        ("curl -OJ https://x.test/a", "download host x.test; create file . (all-in-parent) reversible"),
        ("wget -x http://x.test/a", "download host x.test; create file . (all-in-parent) reversible"),
        ("wget -r http://x.test/a", "download host x.test; create file . (all-in-parent) reversible"),
        (
            "wget --content-disposition http://x.test/a",
            "download host x.test; create file . (all-in-parent) reversible",
        ),
    ]);
    check(&["curl", "D:$u"], "send host D:$u (unknown) irreversible; doubt dynamic-word");
}

#[test]
fn a_filter_of_jq_can_read_files() {
    lines(&[
        ("jq . --args a --rawfile x /etc/shadow", "get file /etc/shadow"),
        ("jq --args . a b", "nothing"),
        ("jq 'import \"./x\" as $x; .' f", "get file f; get file D:import \"./x\" as $x; . (unknown)"),
        ("yq 'load(\"x\")' f", "get file load(\"x\"); get file f; get file D:load(\"x\") (unknown)"),
    ]);
    harmless(&["jq .import f", "jq --arg a b .x f"]);
}

#[test]
fn a_pattern_may_expand_to_an_option() {
    // What runs code or leaves the folder is a doubt.
    for words in [
        ["tar", "czf", "x", "G:*"].as_slice(),
        &["rsync", "-a", "G:*", "h:"],
        &["zip", "x.zip", "G:*"],
        &["sort", "G:*.txt"],
        &["rg", "foo", "G:*"],
        &["curl", "G:*"],
        // Its own slash could be in a value.
        &["cp", "G:*/x", "d"],
    ] {
        assert!(!finding(words).doubts.is_empty(), "{words:?}");
    }
    // What only changes files stays in the folder as long as options are ended.
    for words in [
        ["cp", "x", "G:*"].as_slice(),
        &["rm", "G:*"],
        &["mv", "G:*.c", "d"],
        &["gzip", "G:*"],
        &["bzip2", "-t", "G:*"],
    ] {
        assert!(finding(words).doubts.is_empty() && needs_end_of_options(words), "{words:?}");
    }
    // No option of these does harm, can end so, or is read any more.
    for words in [
        ["cat", "G:*"].as_slice(),
        &["grep", "x", "G:*"],
        &["rm", "G:*.o"],
        &["rm", "G:./*"],
        &["rm", "--", "G:*"],
        &["touch", "G:*"],
        &["bzip2", "-k", "G:*/*"],
    ] {
        assert!(finding(words).doubts.is_empty() && !needs_end_of_options(words), "{words:?}");
    }
}

#[test]
fn a_temporary_file_takes_nothing_from_anybody() {
    harmless(&["mktemp", "mktemp -d", "mktemp -t x.XXXX", "mktemp -u", "mktemp /tmp/x.XXXX", "mktemp --tmpdir x.XXXX"]);
    lines(&[
        ("mktemp x.XXXX", "create file G:x.???? (selection) reversible"),
        ("mktemp -p d", "create file G:d/tmp.?????????? (selection) reversible"),
        ("mktemp -p d x.XXXX", "create file G:d/x.???? (selection) reversible"),
        ("mktemp /tmp/../etc/x.XXXX", "create file G:/tmp/../etc/x.???? (selection) reversible"),
    ]);
}

#[test]
fn what_stays_below_a_known_folder_is_no_doubt() {
    lines(&[
        ("unzip x.zip -d dir", "get file x.zip; create file dir (all-in-parent) reversible"),
        ("tar xf x.tar", "get file x.tar; create file . (all-in-parent) reversible"),
        ("patch -p1 -i f", "update file . (all-in-parent) reversible; get file f"),
        (
            "patch f p",
            "update file . (all-in-parent) reversible; update file f reversible; create file G:f* (selection) reversible; \
             get file p",
        ),
    ]);
    // A program that only reads does nothing else, whatever the words are.
    for words in [["cat", "D:$x"], ["grep", "D:$x"], ["wc", "D:$x"], ["head", "D:$x"], ["stat", "D:$x"]] {
        assert!(is_harmless(&finding(&words)), "{words:?}");
    }
    check(&["unzip", "D:$x"], "get file D:$x (unknown); create file . (all-in-parent) reversible; doubt dynamic-word");
}
