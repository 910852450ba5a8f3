//! The folder of a release: the database, then the files that are made from it.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use rusqlite::Connection;

use super::description::{Description, FileFacts, Shipped};
use super::documents::Exporter;
use super::{
    CROISSANT, DESCRIPTION, DOCUMENTS, PARTITIONS, SUMS, changes, citation, croissant, csv,
    data_package, files, metadata, pages, parquet, queries, tables, zenodo,
};
use crate::catalogue::Catalogue;
use crate::database::dictionary::{self, Object};
use crate::database::location::Location;
use crate::database::release::Facts;
use crate::database::{lock, open, verify};
use crate::embedded::IMAGE;
use crate::error::{one_line, usage};
use crate::hash::sha256;
use crate::page;
use crate::progress::enter;
use crate::replace::folder_of;
use crate::signal::Signals;

/// How hard zstd works: near its best, and still quick for a database of megabytes.
const ZSTD_LEVEL: i32 = 19;

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
            bail!("{location} cannot be published: the check {check} failed: {error}");
        }
    }
    let named = folder.join(Facts::read(&connection)?.file_name());
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
    shape: Shape,
    signals: &'m Signals,
}

/// Optional parts of a release.
#[derive(Debug, Clone, Default)]
pub struct Shape {
    /// Every table and view as Parquet.
    pub parquet: bool,
    /// The columns by which Parquet is split in addition.
    pub partition: Vec<String>,
}

impl<'m> Maker<'m> {
    /// Files for a folder that contains this database.
    ///
    /// # Errors
    /// When the database does not say what release it is.
    pub fn new(
        folder: &'m Path,
        connection: Connection,
        catalogue: &'m Catalogue,
        shape: Shape,
        signals: &'m Signals,
    ) -> Result<Self> {
        let facts = Facts::read(&connection)?;
        Ok(Self { folder, facts, connection, catalogue, shape, signals })
    }

    /// Makes them all, with a page on what changed since an older release where there is one.
    ///
    /// # Errors
    /// When the database is not as energydb builds it, a signal came, or the system refuses.
    pub fn make(&self, since: Option<&Connection>) -> Result<BTreeMap<String, FileFacts>> {
        let Self { facts, connection, catalogue, .. } = self;
        let database = facts.file_name();
        enter("compressing the database");
        compress(&self.folder.join(&database), &self.folder.join(format!("{database}.zst")))?;
        self.signals.check()?;
        let exporter = Exporter::new(connection, catalogue);
        exporter.write(&exporter.tasks()?, &self.folder.join(DOCUMENTS), self.signals)?;
        enter("writing tables");
        let dictionary = dictionary::read(connection)?;
        let tables = self.tables(&dictionary)?;
        self.write("metadata.json", &metadata::document(facts, catalogue, &dictionary)?)?;
        self.write("SCHEMA.md", pages::schema(&dictionary).as_bytes())?;
        self.write(queries::FILE, queries::page(catalogue)?.as_bytes())?;
        let since = match since {
            Some(old) => Some(self.changes(old)?),
            None => None,
        };
        let description = Description {
            facts: facts.clone(),
            tables,
            has_parquet: self.shape.parquet,
            partition: self.shape.partition.clone(),
            since,
        };
        self.write("README.md", pages::readme(&description).as_bytes())?;
        self.write(pages::LICENCE, pages::licence(facts).as_bytes())?;
        self.write("LICENSE", pages::LICENSE_TEXT.as_bytes())?;
        self.write("CITATION.cff", citation::document(facts).as_bytes())?;
        self.write(".zenodo.json", &zenodo::document(&description)?)?;
        self.write(pages::PAGE, self.page(&database)?.as_bytes())?;

        enter("hashing files");
        let mut files = self.measured()?;
        self.write(CROISSANT, &croissant::document(&description, &files)?)?;
        self.measure_into(CROISSANT, &mut files)?;
        self.write(DESCRIPTION, &data_package::document(&description, &files)?)?;
        self.measure_into(DESCRIPTION, &mut files)?;
        let lines: String =
            files.iter().map(|(path, file)| format!("{}  {path}\n", file.sha256)).collect();
        self.write(SUMS, lines.as_bytes())?;
        self.measure_into(SUMS, &mut files)?;
        Ok(files)
    }

    /// The page to explore the database with.
    fn page(&self, database: &str) -> Result<String> {
        let path = self.folder.join(database);
        let bytes =
            fs::read(&path).with_context(|| format!("could not read: {}", path.display()))?;
        page::document(&self.connection, bytes, self.catalogue)
    }

    /// Writes every view and table.
    fn tables(&self, dictionary: &[Object]) -> Result<Vec<Shipped>> {
        let Self { connection, shape, signals, .. } = self;
        let tables = tables::read(connection, dictionary)?;
        for name in &shape.partition {
            if !tables.iter().any(|table| table.position(name).is_some()) {
                return Err(usage(format!(
                    "--partition: no table or view has a column '{name}'; 'energydb schema' lists all"
                )));
            }
        }
        let mut shipped = Vec::new();
        for table in tables {
            signals.check()?;
            let mut table = Shipped { table, rows: 0 };
            table.rows = csv::write(connection, &table.table, &self.path(&table.csv())?)?;
            if shape.parquet {
                parquet::write(connection, &table.table, &self.path(&table.parquet())?)?;
            }
            if !shape.partition.is_empty() {
                let folder = self.folder.join(PARTITIONS).join(&table.table.name);
                let by = &shape.partition;
                parquet::write_partitions(connection, &table.table, by, &folder, signals)?;
            }
            shipped.push(table);
        }
        Ok(shipped)
    }

    /// Where a file of the release goes. The folder that contains it is made.
    fn path(&self, name: &str) -> Result<PathBuf> {
        let path = self.folder.join(name);
        let within = folder_of(&path);
        fs::create_dir_all(within)
            .with_context(|| format!("could not make the folder: {}", within.display()))?;
        Ok(path)
    }

    /// Writes what changed since an older release. Returns what that is called.
    fn changes(&self, old: &Connection) -> Result<String> {
        let old_version: String =
            old.query_row("select data_version from release", [], |row| row.get(0))?;
        let versions = [&*old_version, &self.facts.data_version];
        let page = changes::page(old, &self.connection, versions)?;
        self.write(changes::FILE, page.as_bytes())?;
        Ok(old_version)
    }

    fn write(&self, name: &str, content: &[u8]) -> Result<()> {
        let path = self.folder.join(name);
        fs::write(&path, content).with_context(|| format!("could not write: {}", path.display()))
    }

    fn measure_into(&self, name: &str, files: &mut BTreeMap<String, FileFacts>) -> Result<()> {
        files.insert(name.into(), measure(&self.folder.join(name))?);
        Ok(())
    }

    /// Every file of the folder.
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
