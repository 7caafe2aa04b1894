//! Utilities with options and operands to draw from.
//!
//! No command may leave its folder: absent are absolute paths, names that lead up, and programs that act on the machine.

/// A program, and its options and operands between spaces. A `~` within one of them stands for a space: two words that are
/// drawn together.
pub(crate) type Program = (&'static str, &'static str, &'static str);

const FILES: &str = "a b c.txt d d/f.o d/g/i e l n d/n e/n .hidden d/ . *.txt d/*";
const PACKED: &str = "a b c.txt d n c.txt.gz b.bz2 b.xz b.zst b.lz4 d/.envrc.gz *.gz b* l d/f.o";

/// Every utility that is claimed, usually installed, and able to change the files of the working folder; some of the others
/// stand for those that only read.
pub(crate) const PROGRAMS: &[Program] = &[
    (
        "cp",
        "-r -a -f -n -u -v -b -s -l -P -L -H -x -p -d -R -T -te -t~d --parents -S.bak -S~.q --backup=numbered \
         --backup=none --suffix=.old --remove-destination --attributes-only --strip-trailing-slashes \
         --preserve=mode --no-preserve=mode --reflink=auto --sparse=never --target-directory=e --no-target-directory",
        FILES,
    ),
    (
        "mv",
        "-f -n -u -v -b -T -te -t~d -S.bak --backup=numbered --suffix=.old --strip-trailing-slashes \
         --target-directory=e --no-clobber",
        FILES,
    ),
    ("rm", "-r -f -R -d -v -rf --one-file-system --preserve-root --interactive=never --dir", FILES),
    (
        "ln",
        "-s -f -r -v -b -T -n -te -t~d -sf -S.bak --backup=simple -P -L -F --relative --symbolic --no-dereference",
        FILES,
    ),
    (
        "install",
        "-d -D -m600 -b -v -C -te -T -p -S.bak --backup=numbered --mode=700 --compare --target-directory=d",
        FILES,
    ),
    ("scp", "-r -p -q -3 -B -C -v -O", "a b c.txt d n e d/n l"),
    ("mkdir", "-p -v -m700 -pv --parents --mode=a=rwx", "n d/n e/n/m n/m/o d"),
    ("rmdir", "-p -v --ignore-fail-on-non-empty --parents", "e d d/g n e/"),
    ("touch", "-a -m -c -h -d2020-01-01 -rb -t202001010000 --no-create --time=access --date=now -r~b", FILES),
    ("truncate", "-s0 -s+3 -c -rb --size=1 -o -s~<1 -s%4 --reference=b", FILES),
    ("chmod", "-R -v -f -c 600 u+x a-w --reference=b u=rwx,go= +x =r", FILES),
    ("chown", "-R -v -f -c -h -H -L -P --reference=b nobody nobody: :1 1:1 --from=0 --no-dereference", FILES),
    ("chgrp", "-R -v -f -c -h -L --reference=b 1 nogroup", FILES),
    ("tee", "-a -i -p --append --output-error=warn", FILES),
    (
        "split",
        "-l1 -b1 -d -a3 -x --additional-suffix=.q --numeric-suffixes=5 -n2 -C2 --hex-suffixes -e -u --filter=cat>$FILE",
        "a b c.txt n d/n e/n",
    ),
    (
        "csplit",
        "-k -s -z -fn -n3 -b%03d.q --prefix=d/n --suffix-format=%d --digits=1 --suppress-matched",
        "a c.txt /one/ 1 2 {1} %two% {*}",
    ),
    (
        "sort",
        "-u -r -n -on -o~d/n -b --output=e/n -m -c -C -T~. -S~1M -k1 --parallel=1 --compress-program=gzip \
         --files0-from=a --random-source=a -R",
        "a b c.txt",
    ),
    ("uniq", "-c -d -u -i -D -f1 -s1 -w2 --group --all-repeated=separate", "a b n d/n l"),
    ("shuf", "-n1 -on -e -r~-n2 -o~d/n -i1-3 --output=e/n --random-source=a -z", "a b c.txt"),
    (
        "shred",
        "-u -z -n1 -f -s3 --remove=unlink --remove=wipe -x -v --exact -n~1 --random-source=b",
        "a b c.txt d/f.o l n",
    ),
    (
        "dd",
        "status=none bs=1 count=1 conv=notrunc seek=1 conv=sync,excl oflag=append skip=1",
        "if=a of=n of=b of=d/n if=c.txt of=l",
    ),
    (
        "sed",
        "-i -n -i.bak -e~s/o/0/ -e~p -s -E -z --in-place=.old --in-place --follow-symlinks -u -l5 --posix --debug \
         -ibak_* -ni -Ei.q -fb",
        "s/o/0/ s/o/0/wn 1wd/n p w d 1rb a b c.txt l d/f.o *.txt",
    ),
    (
        "mawk",
        "-F, -v~x=1 -F~: -Wversion -f~b",
        "{print} {print>\"n\"} BEGIN{printf\"x\">>\"e/n\"} {print>$1} {print|\"cat>n\"} BEGIN{system(\"touch~n\")} a b c.txt x=1",
    ),
    ("awk", "-F, -vx=1", "{print} {print>\"n\"} BEGIN{printf\"x\">>\"e/n\"} {print>$1\".q\"} a b c.txt"),
    (
        "find",
        "-type~f -type~d -maxdepth~1 -empty -depth -mindepth~1 -not -name~*.o -newer~a -prune -size~-2 -L -P -H",
        ". d e -delete -fprint~n -fls~e/n -print -fprintf~d/n~%p -fprint0~n -exec~rm~{}~; -exec~touch~n~; \
         -execdir~touch~{}.q~; -exec~cp~-t~e~{}~+ -o -quit",
    ),
    (
        "tar",
        "-c -x -t -f~t.tar -f~n.tar -v -k -z -P -C~e --remove-files --overwrite -r -u --delete --no-recursion -p -m -h \
         --transform=s/d/n/ --exclude=g -U --backup --suffix=.q -T~b --recursive-unlink",
        "a b d d/f.o",
    ),
    (
        "tar",
        "cf xf tf czf xvf cvf rf xOf --one-top-level --one-top-level=n --strip-components=1 -gn -O -W --index-file=n \
         --skip-old-files --keep-newer-files --add-file=a --checkpoint=1 --totals -a --listed-incremental=e/n",
        "t.tar n.tar a d n.tgz",
    ),
    ("gzip", "-k -f -d -c -t -l -r -1 -v -S.zz --suffix=.q -N -n -9 -q --rsyncable --best --keep -kf -dk", PACKED),
    ("gunzip", "-k -f -c -t -l -r -N -S.gz -q -n -v --name", PACKED),
    ("uncompress", "-k -f -c -r -v", PACKED),
    ("zcat", "-f -v -l", PACKED),
    ("bzip2", "-k -f -d -c -t -z -1 -v -s -q --compress --fast -dk", PACKED),
    ("bunzip2", "-k -f -c -t -s -v", PACKED),
    (
        "xz",
        "-k -f -d -c -t -l -z -1 -v -S.q --format=lzma --format=raw -T1 -e --single-stream --no-sparse --suffix=.zz \
         --files=b -q -Flzma",
        PACKED,
    ),
    ("unxz", "-k -f -c -t -S.zst -q", PACKED),
    ("lzma", "-k -f -d -c -1 -z", PACKED),
    ("unlzma", "-k -f -c", PACKED),
    (
        "zstd",
        "-q -k -f -d -c -t -l -on -o~d/n -r --rm --output-dir-flat=e --output-dir-flat~e --output-dir-mirror=d -19 -T1 \
         --format=gzip --filelist=b --fast --long --train -z --no-check --exclude-compressed -M32 --trace=n",
        PACKED,
    ),
    ("unzstd", "-q -k -f -c -on --rm -t -r", PACKED),
    ("zstdmt", "-q -k -f -c --rm", PACKED),
    ("lz4", "-q -k -f -d -c -t -z -m -r --rm -1 -9 -BD --list -l --no-frame-crc", PACKED),
    ("unlz4", "-q -k -f -c -m --rm", PACKED),
    (
        "zip",
        "-q -r -m -d -u -f -g -j -T -FS -A -J -F -FF -R -O~n -O~e/q --out~e/n.zip -b~e -lf~n -la -o -D -X -y -k -0 \
         -x~b -i~*.txt -s~64k -sf -@ -l -t~01012020 -qm -rm -MM -nw",
        "z.zip n.zip a b d c.txt n e/n.q *.txt '*.txt' l",
    ),
    ("unzip", "-q -o -n -j -l -t -p -d~e -x~b -f -u -L -a -C -X -K -B -qo -c -v -Z -P~x -ode", "z.zip n b z d/* z.*"),
    ("zipinfo", "-1 -l -t -h", "z.zip"),
    (
        "ar",
        "--output=e --thin",
        "q r x t p d qc rcs -x -t m s S D cr ru xo xv rvb rab rN -rc r.a r.a n.a b a c.txt d/f.o",
    ),
    (
        "patch",
        "-p0 -R -b -N -f -s --dry-run -on -i~p.diff -rn -zq -z~.q --backup --merge -E -l -F3 -u -t -V~numbered -B~e/ \
         -Yq -d~d --posix --no-backup-if-mismatch -Dx --reject-file=d/n --output=e/n -T -Z",
        "a p.diff n b",
    ),
    (
        "cpio",
        "-o -i -t -p -d -m -v -u -F~n -F~c.cpio -I~c.cpio -O~n -idmu -D~e --no-absolute-filenames -l -E~b -A --extract \
         -H~newc --to-stdout -r",
        "e n b",
    ),
    ("ed", "-s -G -l -r", "a n"),
    (
        "mktemp",
        "-d -u -q -p. -p~e --suffix=.q -t --tmpdir=d --tmpdir --directory --dry-run",
        "XXXX nXXXX e/XXXX aXXXb nXX x.XXXXX",
    ),
    ("mkfifo", "-m600 --mode=a=rw", "n d/n a e/n"),
    ("mknod", "-m600 -m~600", "n p a e/n"),
    ("link", "", "a n b d/n l"),
    ("unlink", "", "a l d n"),
    ("rename.ul", "-v -n -o -s -a -l", "o t . a c.txt l b .txt .md d/f.o d *.txt"),
    ("xxd", "-r -p -ps -i -l4 -s1 -c4 -b -u -e -g1 -n~x", "a b n d/n"),
    ("ptx", "-G -A -r -f -O -T -w~40 -o~b -i~b", "a b n d/n"),
    ("sdiff", "-on -o~d/n -s -l --output=e/n -w~40 -i", "a b c.txt"),
    ("file", "-C -m~a -f~b -b -i -z -p -s", "a b z.zip"),
    ("iconv", "-fUTF-8 -tLATIN1 -on -c -o~d/n --output=e/n", "a b"),
    ("mkfs.cramfs", "-v -E -z -i~a -n~x", "d n e"),
    ("mke2fs", "-q -F -t~ext2 -m~0 -L~x -n -b~1024", "n~100 a~60 d/n~80"),
    ("mkswap", "-f -L~x -q", "a b n"),
    ("blkid", "-cn -c~d/n -p -s~TYPE", "a b"),
    ("yq", "-i -y -r -c -Y --in-place", ". .a a b"),
    ("jq", "-r -c -n -s -R --arg~x~y -f~b", ". .a a b"),
    ("col", "-b -f -x", ""),
    ("nl", "-b~a -ba -s:", "a b"),
    ("pr", "-t -2 -l5", "a b"),
    ("paste", "-s -d,", "a b"),
    ("cmp", "-s -l -n3", "a b"),
    ("diff", "-u -r -N -q -y -e", "a b d e"),
    ("diff3", "-m -e", "a b c.txt"),
    ("od", "-c -x", "a b"),
    ("hexdump", "-C -f~b -n4", "a b"),
    ("base64", "-d -w0", "a b"),
    ("expand", "-t4 -i", "a b"),
    ("fold", "-w2 -s", "a"),
    ("column", "-t -x -s:", "a b"),
    ("tac", "-r -s~x", "a b"),
    ("less", "-on -O~n -E -F +G", "a b"),
    ("more", "-d +2", "a b"),
    ("objdump", "-d -s", "a r.a"),
    ("nm", "-a", "a r.a"),
    ("dircolors", "-b -c", "a"),
    ("tsort", "", "a b"),
    ("bc", "-q -s", "a b"),
    ("sha256sum", "-c -b", "a b"),
    ("xargs", "-0 -n1 -a~a -I{} -r -t -a~b", "touch n {} echo rm"),
    ("timeout", "1 -s~9", "touch n rm a"),
    ("env", "-i A=1 -u~HOME -C~d", "touch n a"),
    ("nice", "-n~1 -5", "touch n rm a"),
    ("nohup", "", "touch n rm a"),
    ("stdbuf", "-o0 -i~0", "touch n tee a"),
];
