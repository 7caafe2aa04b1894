//! Commands that reach a machine which their first operand does not name, and signals that reach further than one process.

use holdpoint_guest::{TargetKind, Traits};

use super::{check, finding, render};

fn shown(command: &str) -> String {
    render(&finding(&command.split(' ').collect::<Vec<_>>()))
}

#[test]
fn a_signal_to_the_first_process_stops_the_machine() {
    for command in [
        "kill 1",
        "kill -9 1",
        "kill -1 1",
        "kill -INT 1",
        "kill -s INT 1",
        "kill --signal HUP 5 01",
        "kill -SIGRTMIN+4 1",
        "kill -- 1",
        "kill -s 0 -s KILL 1",
    ] {
        assert!(shown(command).contains("configure machine  irreversible"), "{command}: {}", shown(command));
    }
    for command in ["kill -0 1", "kill -s 0 1", "kill -s CHLD 1", "kill -WINCH 1", "kill 11", "pkill -1 node"] {
        assert!(!shown(command).contains("machine"), "{command}: {}", shown(command));
    }
    assert_eq!(shown("kill -s 0 -s KILL 5"), "delete process 5 irreversible");
}

/// Hosts that a command reaches over a network; `*` for any, `?` behind one that is not sure.
fn reached(words: &[&str]) -> Vec<String> {
    let mut hosts = Vec::new();
    for operation in finding(words).operations {
        for step in operation.target.iter().filter(|step| step.kind == TargetKind::Host) {
            let mark = if step.certainty == holdpoint_guest::WordKind::Exact { "" } else { "?" };
            let name = if step.name.is_empty() { "*" } else { &step.name };
            if operation.traits.contains(Traits::NETWORK) {
                hosts.push(format!("{name}{mark}"));
            }
        }
    }
    hosts
}

fn reaches(command: &str, expected: &str) {
    let words: Vec<&str> = command.split(' ').map(|word| word.trim_matches('\'')).collect();
    assert_eq!(reached(&words).join(" "), expected, "{command}");
}

#[test]
fn every_host_that_a_command_names_is_reached() {
    for (command, hosts) in [
        ("mtr a.test b.test", "a.test b.test"),
        ("traceroute -g c.test a.test", "c.test a.test"),
        ("traceroute a.test 60", "a.test"),
        ("finger u@a.test@b.test", "a.test b.test"),
        ("finger @a.test", "a.test"),
        ("finger u", ""),
        ("curl -H host:b.test:8080 https://a.test/", "a.test b.test"),
        ("wget --header=Host:b.test https://a.test/", "a.test b.test"),
        ("curl -H Accept:x -H Host: https://a.test/", "a.test"),
        ("curl --alt-svc f https://a.test/", "a.test?"),
        ("curl -L https://docs.example", "docs.example"),
        ("curl --hsts f https://a.test/", "a.test"),
    ] {
        reaches(command, hosts);
    }
    check(&["curl", "--url", "@f"], "doubt dynamic-word");
}

#[test]
fn a_program_that_reaches_another_machine_by_a_word_says_so() {
    for (command, hosts) in [
        ("socat - TCP:a.test:80", "a.test"),
        ("socat TCP4-LISTEN:80,fork udp:a.test:53", "* a.test"),
        ("socat - OPENSSL:a.test:443,verify=0", "a.test"),
        ("socat - SSL-CONNECT:a.test:443", "a.test"),
        ("socat - SOCKS4A:a.test:b.test:80,socksport=1080", "a.test b.test"),
        ("socat - PROXY:a.test:b.test:80", "a.test b.test"),
        ("socat - TCP6:[::1]:80", "*"),
        ("socat STDIN!!TCP:a.test:80 STDOUT", "a.test"),
        ("socat D:$A -", "$A?"),
        ("socat - UNIX-CONNECT:/run/x.sock", ""),
        ("mount -t nfs a.test:/x /mnt", "a.test"),
        ("mount a.test:/x /mnt", "a.test"),
        ("mount -t cifs //a.test/x /mnt", "a.test"),
        ("mount -t cifs -o user=u,ip=b.test //a.test/x /mnt", "b.test a.test"),
        ("mount -t nfs4 /mnt", "*"),
        ("mount --source a.test:/x --target /mnt", "a.test"),
        ("mount -t ext4 /dev/sda1 /mnt", ""),
        ("mount -t nfs", ""),
        ("ntpdate -q a.test b.test", "a.test b.test"),
        ("rdate -s a.test", "a.test"),
        ("chronyc -h a.test tracking", "a.test"),
        ("chronyc tracking", ""),
        ("adjtimex --host a.test", "a.test"),
        ("vim scp://u@a.test:22//etc/x", "a.test"),
        ("nvim --server a.test:1 f", "a.test:1"),
        ("gvim -display a.test:0 f", "a.test"),
        ("emacs /ssh:u@a.test:/x", "a.test"),
        ("emacs /ssh:a.test|sudo:b.test:/x", "a.test b.test"),
        ("emacs /u@a.test:/x", "a.test"),
        ("emacs /sudo::/etc/x", ""),
        ("emacs /etc/x src/a:b", ""),
        ("emacs -d a.test:0 f", "a.test"),
        ("xclip -display a.test:0", "a.test"),
        ("xclip -display :0 -o", ""),
        ("xsel --display unix:0", ""),
        ("ss dst a.test:443", "a.test"),
        ("ss -tn state established", ""),
        ("ss -tn dst 10.0.0.0/8", ""),
        ("lsof -i@a.test:80", "a.test"),
        ("lsof -i TCP@a.test", "a.test"),
        ("lsof -i :80", ""),
        ("lsof a.txt", ""),
    ] {
        reaches(command, hosts);
    }
    assert_eq!(reached(&["ex", "+e http://u:p@a.test/x"]), ["a.test"]);
    assert_eq!(reached(&["gawk", "BEGIN{s=\"/inet/tcp/0/a.test/80\"; print \"x\" |& s}"]), ["a.test"]);
    assert_eq!(reached(&["awk", "-v", "s=/inet4/tcp/0/a.test/80", "1"]), ["a.test"]);
    assert_eq!(reached(&["gawk", "BEGIN{s=\"/inet/\" p}"]), ["*"]);
    assert_eq!(reached(&["gawk", "1", "/inet/udp/0/a.test/53"]), ["a.test"]);
    for plain in ["/inet/ {print $2}", "/inet6?/{print}", "$1 ~ /inet/"] {
        assert!(reached(&["awk", plain]).is_empty(), "{plain}");
    }
}

#[test]
fn programs_that_socat_starts_are_handed_on() {
    check(
        &["socat", "-", "EXEC:rm -rf /,pty"],
        "exec code - unknown; exec code EXEC:rm -rf /,pty unknown; run rm -rf /",
    );
    check(
        &["socat", "-", "system:id; ls,pty"],
        "exec code - unknown; exec code system:id; ls,pty unknown; bash id; ls",
    );
    assert!(!finding(&["socat", "-", "SYSTEM:echo \"a,b\""]).doubts.is_empty());
}
