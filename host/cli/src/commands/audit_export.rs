//! `audit export` and `audit verify --export`: lines with their proof, for somebody who has not the state folder.

use crate::audit_args::ExportArgs;
use crate::exit::{Exit, Failure};
use crate::output::{self, Form};
use holdpoint_store::document::DocumentError;
use holdpoint_store::export::ExportError;
use holdpoint_store::{ExportReport, Range, StateFolder, export, verify_export};
use serde_json::json;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::Path;

/// Writes the document, whole or not at all.
pub(crate) fn write(state: &StateFolder, args: &ExportArgs) -> Result<Exit, Failure> {
    let range = match args.first {
        Some(first) => Range::Numbers { first, last: args.last },
        None => Range::Days { since: args.range.since, until: args.range.until },
    };
    let stream = args.stream.stream();
    let report = if args.out == Path::new("-") {
        let mut document = Vec::new();
        let report = export(state, stream, range, &mut document).map_err(|error| refused(&error))?;
        output::answer(&String::from_utf8_lossy(&document))?;
        report
    } else {
        into_file(&args.out, |file| export(state, stream, range, file).map_err(|error| refused(&error)))?
    };
    output::note(&text(&report));
    Ok(Exit::Done)
}

/// A document that is there is a whole one: it gets its name when it is on disk.
fn into_file(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<ExportReport, Failure>,
) -> Result<ExportReport, Failure> {
    let mut name = path.file_name().ok_or_else(|| Failure::usage("--out names no file", "pass a file"))?.to_owned();
    name.push(".part");
    let part = path.with_file_name(name);
    let failed = |error: std::io::Error| Failure::file(&part, &error);
    let mut file = BufWriter::new(File::create_new(&part).map_err(failed)?);
    let written = write(&mut file).and_then(|report| {
        let flushed = file.flush().and_then(|()| file.get_ref().sync_all());
        flushed.and_then(|()| std::fs::rename(&part, path)).map_err(failed)?;
        Ok(report)
    });
    if written.is_err() {
        let _ = std::fs::remove_file(&part);
    }
    written
}

/// Checks a document without the state folder.
pub(crate) fn verify(path: &Path, form: Form) -> Result<Exit, Failure> {
    let document: Box<dyn Read> = if path == Path::new("-") {
        Box::new(std::io::stdin())
    } else {
        Box::new(File::open(path).map_err(|error| Failure::file(path, &error))?)
    };
    let report = verify_export(BufReader::new(document)).map_err(|error| broken(&error))?;
    output::data(&match form {
        Form::Json => as_json(&report),
        Form::Text => text(&report) + "\n",
    })?;
    Ok(Exit::Done)
}

fn text(report: &ExportReport) -> String {
    format!(
        "{}: lines {} to {} are whole and in order, {} anchors\nhead {}: compare it with `holdpoint audit verify` or with \
         a transition that names it, for whoever makes up all lines can make up their hashes too",
        report.stream.folder_name(),
        report.before.seq.saturating_add(1),
        report.after.seq,
        report.anchors.len(),
        report.after.hash,
    )
}

fn as_json(report: &ExportReport) -> String {
    let head = |head: holdpoint_core::journal::Head| json!({ "seq": head.seq, "hash": head.hash.hex() });
    let document = json!({
        "schema": 1, "stream": report.stream.folder_name(), "before": head(report.before), "after": head(report.after),
        "anchors": report.anchors.iter().copied().map(head).collect::<Vec<_>>(),
    });
    format!("{document}\n")
}

fn refused(error: &ExportError) -> Failure {
    Failure::new(Exit::Audit, format!("not exported: {error}"), error.help())
}

fn broken(error: &DocumentError) -> Failure {
    Failure::new(Exit::Audit, format!("the document proves nothing: {error}"), error.help())
}
