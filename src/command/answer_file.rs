//! The file that `-o` names for a query's rows: written next to its place and put there in one step.

use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::output::{Format, Layout, RowWriter};
use crate::replace::NewFile;

/// How the names of files begin that are being written.
const PURPOSE: &str = "query";
/// How every SQLite file begins.
const DATABASE: &[u8] = b"SQLite format 3\0";

/// A file that is being written.
pub(super) struct AnswerFile {
    new: NewFile,
    shown: String,
}

impl AnswerFile {
    /// Refuses a place where a folder or a database is.
    ///
    /// # Errors
    /// When there is one, or the system refuses.
    pub(super) fn prepare(place: &Path) -> Result<Self> {
        let shown = place.display().to_string();
        if place.exists() && !place.is_file() {
            bail!("cannot write rows to {shown}: it is not a file");
        }
        let mut start = Vec::new();
        let read = File::open(place)
            .and_then(|file| file.take(DATABASE.len() as u64).read_to_end(&mut start));
        if read.is_ok() && start == DATABASE {
            bail!("{shown} is a database, and rows may not replace it; name another file");
        }
        Ok(Self { new: NewFile::prepare(place, PURPOSE)?, shown })
    }

    /// Writes the rows and puts the file in its place.
    ///
    /// # Errors
    /// When the query fails or the system refuses; what was in the place stays.
    pub(super) fn write(
        self,
        columns: &[&str],
        format: Format,
        layout: &Layout,
        rows: impl FnOnce(&mut dyn RowWriter) -> Result<()>,
    ) -> Result<()> {
        let cannot_write = || format!("could not write: {}", self.shown);
        let mut out = BufWriter::new(File::create(self.new.path()).with_context(cannot_write)?);
        let mut writer = format.writer(&mut out, layout);
        writer.columns(&columns.iter().map(|&name| name.to_owned()).collect::<Vec<_>>())?;
        rows(writer.as_mut())?;
        writer.finish().with_context(cannot_write)?;
        drop(writer);
        out.flush().with_context(cannot_write)?;
        self.new.replace()
    }
}
