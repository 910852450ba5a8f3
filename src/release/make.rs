//! The folder of a release: the database, then the files that are made from it.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use rusqlite::Connection;
use rusqlite::types::ValueRef;

use super::data_package::{self, FileFacts};
use super::documents::Exporter;
use super::summary::Facts;
use super::views::{self, Written};
use super::{DESCRIPTION, DOCUMENTS, SUMS, VIEWS, database_name, files, metadata, pages};
use crate::catalogue::Catalogue;
use crate::database::dictionary;
use crate::database::location::Location;
use crate::database::{lock, open, verify};
use crate::diff;
use crate::diff::details::Details;
use crate::diff::summary::Summary;
use crate::embedded::IMAGE;
use crate::error::one_line;
use crate::hash::sha256;
use crate::output::{Format, Layout, RowWriter};
use crate::page;
use crate::progress::enter;
use crate::signal::Signals;

/// How hard zstd works: near its best, and still quick for a database of megabytes.
const ZSTD_LEVEL: i32 = 19;
/// Differences that the page on what changed lists one by one.
const MOST_LISTED: u64 = 1000;

/// Puts the database into the folder, byte for byte as it is, or as the program carries it, and opens it
/// there.
///
/// # Errors
/// When it does not pass every check that `energydb check` makes, or the system refuses.
pub fn put_database(location: &Location, folder: &Path, signals: &Signals) -> Result<Connection> {
    let unnamed = folder.join("energydb.sqlite");
    match location {
        Location::File(path) => {
            open::version_to_read(path)?;
            let copied = lock::to_copy(path)?.copy_to(&unnamed);
            copied.with_context(|| format!("could not copy: {}", path.display()))?;
        }
        Location::BuiltIn => {
            fs::write(&unnamed, IMAGE.as_slice())
                .with_context(|| format!("could not write the database: {}", unnamed.display()))?;
        }
    }
    let connection = open::to_check(&unnamed, signals)?;
    for checked in verify::all(&connection, None, signals)? {
        if let Err(error) = checked.outcome {
            let (check, error) = (checked.check, one_line(&error));
            bail!("{location} is not fit to publish: the check {check} failed: {error}");
        }
    }
    let named = folder.join(database_name(&Facts::read(&connection)?.data_version));
    drop(connection);
    fs::rename(&unnamed, &named)
        .with_context(|| format!("could not write: {}", named.display()))?;
    open::read_only(&named, signals)
}

/// Makes the files of a release around its database.
pub struct Maker<'m> {
    folder: &'m Path,
    facts: Facts,
    connection: Connection,
    catalogue: &'m Catalogue,
    signals: &'m Signals,
}

impl<'m> Maker<'m> {
    /// Files for a folder that holds this database.
    ///
    /// # Errors
    /// When the database does not say what release it is.
    pub fn new(
        folder: &'m Path,
        connection: Connection,
        catalogue: &'m Catalogue,
        signals: &'m Signals,
    ) -> Result<Self> {
        Ok(Self { folder, facts: Facts::read(&connection)?, connection, catalogue, signals })
    }

    /// Makes them all, with a page on what changed since an older release where there is one.
    ///
    /// # Errors
    /// When the database is not as energydb builds it, a signal came, or the system refuses.
    pub fn make(&self, since: Option<&Connection>) -> Result<BTreeMap<String, FileFacts>> {
        let Self { facts, connection, catalogue, .. } = self;
        let database = database_name(&facts.data_version);
        enter("compressing the database");
        compress(&self.folder.join(&database), &self.folder.join(format!("{database}.zst")))?;
        self.signals.check()?;
        enter("writing documents");
        let exporter = Exporter::new(connection, catalogue);
        exporter.write(&exporter.tasks()?, &self.folder.join(DOCUMENTS), self.signals)?;
        enter("writing views");
        let written = self.views()?;
        let dictionary = dictionary::read(connection)?;
        self.write("metadata.json", &metadata::document(facts, catalogue, &dictionary)?)?;
        self.write("SCHEMA.md", pages::schema(&dictionary).as_bytes())?;
        let old = match since {
            Some(old) => Some(self.changes(old)?),
            None => None,
        };
        let readme = pages::readme(facts, &written, &dictionary, old.as_deref());
        self.write("README.md", readme.as_bytes())?;
        self.write(pages::LICENCE, pages::licence(facts).as_bytes())?;
        self.write("LICENSE", pages::LICENSE_TEXT.as_bytes())?;
        self.write("CITATION.cff", pages::citation(facts).as_bytes())?;
        self.write(pages::PAGE, self.page(&database)?.as_bytes())?;

        enter("hashing files");
        let mut files = self.measured()?;
        let description = data_package::document(facts, &files, &written, &dictionary)?;
        self.write(DESCRIPTION, &description)?;
        files.insert(DESCRIPTION.into(), measure(&self.folder.join(DESCRIPTION))?);
        let lines: String =
            files.iter().map(|(path, file)| format!("{}  {path}\n", file.sha256)).collect();
        self.write(SUMS, lines.as_bytes())?;
        files.insert(SUMS.into(), measure(&self.folder.join(SUMS))?);
        Ok(files)
    }

    /// The page to explore the database with.
    fn page(&self, database: &str) -> Result<String> {
        let path = self.folder.join(database);
        let bytes =
            fs::read(&path).with_context(|| format!("could not read: {}", path.display()))?;
        page::document(&self.connection, bytes, self.catalogue)
    }

    fn views(&self) -> Result<Vec<Written>> {
        let folder = self.folder.join(VIEWS);
        fs::create_dir(&folder)
            .with_context(|| format!("could not make the folder: {}", folder.display()))?;
        let mut written = Vec::new();
        for view in views::names(&self.connection)? {
            self.signals.check()?;
            let path = folder.join(format!("{view}.csv"));
            written.push(views::write(&self.connection, &view, &path)?);
        }
        Ok(written)
    }

    /// Writes what changed since an older release. Returns what that is called.
    fn changes(&self, old: &Connection) -> Result<String> {
        let old_version: String =
            old.query_row("select data_version from release", [], |row| row.get(0))?;
        let mut summary = Summary::default();
        diff::compare(old, &self.connection, &mut summary)?;
        let changed = if summary.is_empty() {
            None
        } else {
            let summary = markdown(&Summary::COLUMNS, |writer| {
                summary.rows().try_for_each(|row| {
                    Ok(writer.row(&row.iter().map(ValueRef::from).collect::<Vec<_>>())?)
                })
            })?;
            Some((summary, self.every_change(old)?))
        };
        let changed = changed.as_ref().map(|(summary, details)| (&**summary, &**details));
        let page = pages::changes(&old_version, &self.facts.data_version, changed);
        self.write(pages::CHANGES, page.as_bytes())?;
        Ok(old_version)
    }

    fn every_change(&self, old: &Connection) -> Result<String> {
        let mut details = Details::new()?;
        diff::compare(old, &self.connection, &mut details)?;
        let count = details.count()?;
        if count > MOST_LISTED {
            return Ok(format!(
                "There are {count}; 'energydb diff --details OLD NEW' lists them.\n"
            ));
        }
        markdown(&Details::COLUMNS, |writer| details.rows(|row| Ok(writer.row(row)?)))
    }

    fn write(&self, name: &str, content: &[u8]) -> Result<()> {
        let path = self.folder.join(name);
        fs::write(&path, content).with_context(|| format!("could not write: {}", path.display()))
    }

    /// Every file that stands in the folder.
    fn measured(&self) -> Result<BTreeMap<String, FileFacts>> {
        let shown = self.folder.display();
        let files =
            files(self.folder).with_context(|| format!("could not read the folder: {shown}"))?;
        files
            .into_iter()
            .map(|path| {
                self.signals.check()?;
                let measured = measure(&self.folder.join(&path))?;
                Ok((path, measured))
            })
            .collect()
    }
}

/// Rows as a table in Markdown.
fn markdown(
    columns: &[&str],
    rows: impl FnOnce(&mut dyn RowWriter) -> Result<()>,
) -> Result<String> {
    let mut page = Vec::new();
    let layout = Layout::default();
    let mut writer = Format::Markdown.writer(&mut page, &layout);
    writer.columns(&columns.iter().map(|&name| name.into()).collect::<Vec<_>>())?;
    rows(writer.as_mut())?;
    writer.finish()?;
    drop(writer);
    Ok(String::from_utf8(page)?)
}

/// Compresses a file with zstd: one thread, so that the bytes do not depend on the machine, and with
/// a checksum and the length, which readers use.
fn compress(from: &Path, to: &Path) -> Result<()> {
    let compressed = || -> io::Result<()> {
        let mut from = File::open(from)?;
        let out = BufWriter::new(File::create_new(to)?);
        let mut encoder = zstd::Encoder::new(out, ZSTD_LEVEL)?;
        encoder.include_checksum(true)?;
        encoder.include_contentsize(true)?;
        encoder.set_pledged_src_size(Some(from.metadata()?.len()))?;
        io::copy(&mut from, &mut encoder)?;
        encoder.finish()?.flush()
    };
    compressed().with_context(|| format!("could not write: {}", to.display()))
}

fn measure(path: &Path) -> Result<FileFacts> {
    let measured = || -> io::Result<FileFacts> {
        let file = File::open(path)?;
        Ok(FileFacts { bytes: file.metadata()?.len(), sha256: sha256(file)? })
    };
    measured().with_context(|| format!("could not read: {}", path.display()))
}
