//! mount: what is mounted may lie on another machine, which then sees what is read and written below it.

use holdpoint_guest::Finding;

use crate::Call;
use crate::generic;
use crate::remote::remote_host;
use crate::report::{Report, Spread};
use crate::table::ACT_CHANNEL;
use crate::walk::Item;
use crate::words::Arg;

/// Types of file systems that lie on other machines. Sources: filesystems(5), and the pages of their mount helpers.
const REMOTE_TYPES: &[&str] = &[
    "9p",
    "afs",
    "beegfs",
    "ceph",
    "cifs",
    "coda",
    "davfs",
    "fuse.ceph",
    "fuse.curlftpfs",
    "fuse.glusterfs",
    "fuse.rclone",
    "fuse.s3fs",
    "fuse.sshfs",
    "glusterfs",
    "lustre",
    "ncpfs",
    "nfs",
    "nfs4",
    "orangefs",
    "pvfs2",
    "rclone",
    "smb3",
    "smbfs",
    "sshfs",
];
/// Settings that name the machine, whatever the source says.
const ADDRESS_SETTINGS: &[&str] = &["addr", "ip", "mountaddr", "mounthost", "server"];

/// Reads the command.
pub(crate) fn classify(call: &Call<'_>) -> Finding {
    let mut report = call.report();
    let walked = generic::everything(&mut report, call);
    let before = report.len();
    let mut is_remote = false;
    for item in &walked.items {
        match *item {
            Item::Operand(arg) => source(&mut report, arg),
            Item::Option { option, value: Some(value), .. } => match option.name {
                "--source" => source(&mut report, value),
                "-o" | "--options" => settings(&mut report, value),
                "-t" | "--types" => is_remote |= value.text.split(',').any(|kind| REMOTE_TYPES.contains(&kind)),
                _ => {}
            },
            Item::Option { .. } | Item::Plus(_) => {}
        }
    }
    // Without any further word it only shows what is mounted.
    let mounts = !walked.operands().is_empty() || walked.has_any(&["-a", "--all", "--source", "--target"]);
    if is_remote && mounts && report.len() == before {
        report.unnamed(&ACT_CHANNEL, call.own_span);
    }
    report.finish()
}

/// `//host/share`, `host:/folder` (one or several hosts) or an address.
fn source(report: &mut Report, arg: Arg<'_>) {
    if let Some(rest) = arg.known().and_then(|text| text.strip_prefix("//")) {
        let host = rest.split('/').next().unwrap_or(rest);
        let host = host.rsplit('@').next().unwrap_or(host);
        return report.act(&ACT_CHANNEL, Arg { text: host, ..arg }, Spread::Single);
    }
    if let Some(hosts) = remote_host(arg) {
        for host in hosts.text.split(',').filter(|host| !host.is_empty()) {
            report.act(&ACT_CHANNEL, Arg { text: host, ..hosts }, Spread::Single);
        }
    }
}

fn settings(report: &mut Report, arg: Arg<'_>) {
    for (name, value) in arg.text.split(',').filter_map(|setting| setting.split_once('=')) {
        if ADDRESS_SETTINGS.contains(&name) {
            report.act(&ACT_CHANNEL, Arg { text: value, ..arg }, Spread::Single);
        }
    }
}
