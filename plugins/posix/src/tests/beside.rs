//! Files that are made beside the one a command names.

use super::{check, lines};

#[test]
fn what_is_packed_or_unpacked_is_seen_under_its_new_name() {
    lines(&[
        ("gunzip .envrc.gz", "update file .envrc.gz reversible; create file G:.envrc* (selection) reversible"),
        ("gzip -k d/a.txt", "update file d/a.txt reversible; create file G:d/a.txt* (selection) reversible"),
        ("xz -d A.TXZ", "update file A.TXZ reversible; create file G:A* (selection) reversible"),
        ("uncompress a-z", "update file a-z reversible; create file G:a* (selection) reversible"),
        ("bunzip2 'a[1].bz2'", "update file a[1].bz2 reversible; create file G:a\\[1\\]* (selection) reversible"),
        ("unzstd a.tar.zst", "update file a.tar.zst reversible; create file G:a.tar* (selection) reversible"),
        ("gzip -r d/", "update file d/ (all-in-parent) reversible; create file G:d* (selection) reversible"),
        ("gzip -r .", "update file . (all-in-parent) reversible"),
        ("uncompress -r d", "update file d (all-in-parent) reversible; create file G:d* (selection) reversible"),
        ("gzip -", "nothing"),
    ]);
}

#[test]
fn a_pattern_with_a_hidden_ending_takes_in_what_it_may_be_unpacked_to() {
    check(&["gunzip", "G:*.gz"], "update file G:*.gz (selection) reversible; create file . (all-in-parent) reversible");
    let cases = [
        ("[ab].gz", "[ab]*"),
        ("d/a.g?", "d/a*"),
        ("a*", "a*"),
        ("a?gz", "a*"),
        ("x.[g]z", "x*"),
        ("*.txt/a.txt", "*.txt/a.txt*"),
        ("a\\.gz", "a*"),
    ];
    for (pattern, made) in cases {
        let expected =
            format!("update file G:{pattern} (selection) reversible; create file G:{made} (selection) reversible");
        check(&["gunzip", "--", &format!("G:{pattern}")], &expected);
    }
}

#[test]
fn a_stored_name_or_another_ending_may_be_any_in_the_folder() {
    lines(&[
        ("gunzip -N d/a.gz", "update file d/a.gz reversible; create file d (all-in-parent) reversible"),
        (
            "gzip -S .q a",
            "update file a reversible; create file a.q reversible; create file . (all-in-parent) reversible",
        ),
        (
            "xz --suffix=q a",
            "update file a reversible; create file aq reversible; create file . (all-in-parent) reversible",
        ),
        (
            "rename s/x/y/ d/a",
            "update file d/a reversible; create file d (all-in-parent) reversible; exec code D: (unknown) unknown",
        ),
    ]);
}

#[test]
fn what_goes_to_standard_output_is_written_under_no_name() {
    lines(&[("gzip -c -S .q f", "get file f"), ("gunzip -tN f", "get file f"), ("xz -dc -S q f", "get file f")]);
}

#[test]
fn names_that_stand_in_a_file_are_not_known() {
    lines(&[("xz --files=list", "doubt unsupported-syntax"), ("zstd --filelist=list", "doubt unsupported-syntax")]);
}

#[test]
fn an_archive_without_an_ending_gets_one() {
    lines(&[
        ("zip d/a f", "create file d/a reversible; create file d/a.zip reversible; get file f"),
        ("zip a.x f", "create file a.x reversible; get file f"),
        ("zip - f", "get file f"),
        (
            "zip -s 1m a f",
            "create file a reversible; create file a.zip reversible; create file G:a.z* (selection) reversible; get file f",
        ),
        (
            "zip -lf n a.z f",
            "create file n reversible; create file n.log reversible; create file a.z reversible; get file f",
        ),
        (
            "zip -O=n a.z f",
            "create file =n reversible; create file =n.zip reversible; create file a.z reversible; get file f; doubt malformed-argument",
        ),
        (
            "zip a.zip f -O b",
            "create file a.zip reversible; get file f; create file b reversible; create file b.zip reversible",
        ),
        ("zip -s 1m a.zip f", "create file a.zip reversible; create file G:a.z* (selection) reversible; get file f"),
    ]);
}

#[test]
fn what_an_archive_names_is_deleted_by_a_move_into_it() {
    let any = "delete file D:- (unknown) irreversible";
    lines(&[
        ("zip -m a.zip f", "create file a.zip reversible; delete file f irreversible"),
        ("zip -mf a.zip", &format!("create file a.zip reversible; {any}")),
        ("zip -m@ a.zip", &format!("create file a.zip reversible; get file D:. (unknown); {any}")),
        ("zip -m a.zip '*.c'", &format!("create file a.zip reversible; delete file *.c irreversible; {any}")),
    ]);
}

#[test]
fn backups_lie_beside_what_is_replaced() {
    lines(&[
        ("rsync -b a d/", "get file a; create file d/a reversible; create file G:d/a* (selection) reversible"),
        ("cp -bT a d", "get file a; create file d reversible; create file G:d* (selection) reversible"),
        (
            "mv -S .old a d/",
            "delete file a (all-in-parent) reversible; create file d/a (all-in-parent) reversible; \
             create file d/a.old reversible; create file G:d/a* (selection) reversible",
        ),
        (
            "sed -i.bak p a b/c",
            "update file a reversible; update file b/c reversible; create file a.bak reversible; create file b/c.bak reversible",
        ),
        ("sed -i.bak --follow-symlinks p a", "update file a reversible; create file D:.bak (unknown) reversible"),
    ]);
}

#[test]
fn every_operand_of_a_program_that_takes_many_is_seen() {
    lines(&[
        ("mkfifo a b", "create file a reversible; create file b reversible"),
        (
            "patch -o x f",
            "update file . (all-in-parent) reversible; update file x reversible; create file G:x* (selection) reversible; \
             update file f reversible; create file G:f* (selection) reversible",
        ),
        ("ptx -G a b", "get file a; create file b reversible"),
        ("file -C -m a", "get file a; create file G:*.mgc (selection) reversible"),
        (
            "lz4 -m a b",
            "update file a reversible; create file G:a* (selection) reversible; update file b reversible; create file G:b* (selection) reversible",
        ),
        ("shred -u l", "update file l irreversible; delete file l irreversible"),
    ]);
}

#[test]
fn chance_fills_only_the_last_letters_of_a_template() {
    lines(&[
        ("mktemp aXXXb.XXXXc", "create file G:aXXXb.????c (selection) reversible"),
        ("mktemp --suffix=.q d/XXX", "create file G:d/???.q (selection) reversible"),
        ("mktemp 'a[1]XXX'", "create file G:a\\[1\\]??? (selection) reversible"),
    ]);
}

#[test]
fn a_list_of_names_ends_where_the_program_ends_it() {
    lines(&[
        ("zip -x b c -r n.zip d", "create file n.zip (all-in-parent) reversible; get file d (all-in-parent)"),
        ("zip -x b @ n.zip d", "create file n.zip reversible; get file d"),
        ("zip n.zip d -x '*.o' '*.c'", "create file n.zip reversible; get file d"),
        ("zip -xb n.zip d", "create file n.zip reversible; get file d"),
    ]);
    check(
        &["zip", "-x", "D:$x", "n.zip", "d"],
        "create file D:$x (unknown) reversible; get file D:$x (unknown); get file n.zip; get file d; doubt dynamic-word",
    );
}

#[test]
fn a_letter_that_takes_the_next_word_leaves_what_is_attached_to_it() {
    lines(&[
        (
            "zstd -on b a",
            "create file b reversible; update file a reversible; create file G:a* (selection) reversible; doubt unknown-option",
        ),
        ("zstd -o=n a", "create file n reversible; update file a reversible; create file G:a* (selection) reversible"),
        ("zstd -of b a", "create file b reversible; update file a reversible; create file G:a* (selection) reversible"),
        ("zstd -T a", "update file a reversible; create file G:a* (selection) reversible"),
    ]);
}
