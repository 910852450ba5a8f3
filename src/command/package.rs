//! `energydb package`: the folder of a release, made whole beside its place and put there in one step.

use anyhow::Result;

use super::{DONE, limit, open_release, told_location};
use crate::catalogue::Catalogue;
use crate::cli::{Global, Package};
use crate::output::terminal;
use crate::release::make::{Maker, put_database};
use crate::release::place;
use crate::signal::Signals;

pub(super) fn run(arguments: &Package, catalogue: &Catalogue, global: &Global) -> Result<u8> {
    let signals = Signals::watch()?;
    // What a signal broke off looks like a fault of a file or of SQLite.
    package(arguments, catalogue, global, &signals).or_else(|error| signals.check().and(Err(error)))
}

fn package(
    arguments: &Package,
    catalogue: &Catalogue,
    global: &Global,
    signals: &Signals,
) -> Result<u8> {
    let location = told_location(global)?;
    let release = place::prepare(&arguments.output)?;
    let folder = release.path();
    let mut connection = put_database(&location, &folder, signals)?;
    limit(&mut connection, global, signals)?;
    let maker = Maker::new(&folder, connection, catalogue, signals)?;
    let since = match &arguments.since {
        Some(old) => Some(open_release::open(old, &arguments.accept, global, signals)?),
        None => None,
    };
    let files = maker.make(since.as_ref())?;
    drop(maker);
    release.replace(place::refuse_others)?;
    let bytes: u64 = files.values().map(|file| file.bytes).sum();
    if !global.quiet {
        let shown = arguments.output.display();
        terminal::line(&format!("note: {} files, {bytes} bytes, written to {shown}", files.len()));
    }
    Ok(DONE)
}
<<<<<<< HEAD
=======

/// Puts the database into the folder, byte for byte as it is, and opens it there. It must pass every check that `energydb check` makes.
fn put_database(
    location: &Location,
    folder: &Path,
    global: &Global,
    signals: &Signals,
) -> Result<Connection> {
    let unnamed = folder.join("energydb.sqlite");
    match location {
        Location::File(path) => {
            open::version_to_read(path)?;
            file::refuse_journals(path, path)?;
            let copied = File::open(path)
                .and_then(|mut from| io::copy(&mut from, &mut File::create_new(&unnamed)?));
            copied.with_context(|| format!("could not copy: {}", path.display()))?;
        }
        Location::BuiltIn => {
            fs::write(&unnamed, IMAGE.as_slice())
                .with_context(|| format!("could not write the database: {}", unnamed.display()))?;
        }
    }
    let connection = open::to_check(&unnamed)?;
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
    let mut connection = open::read_only(&named)?;
    limit(&mut connection, global, signals)?;
    Ok(connection)
}

/// Makes the files of a release around its database.
struct Maker<'m> {
    folder: &'m Path,
    facts: Facts,
    connection: Connection,
    catalogue: &'m Catalogue,
    signals: &'m Signals,
}

impl Maker<'_> {
    fn make(&self, since: Option<&Connection>) -> Result<BTreeMap<String, FileFacts>> {
        let Self { facts, connection, catalogue, .. } = self;
        let database = database_name(&facts.data_version);
        compress(&self.folder.join(&database), &self.folder.join(format!("{database}.zst")))?;
        self.signals.check()?;
        Exporter::new(connection, catalogue).all(&self.folder.join(DOCUMENTS))?;
        let written = self.views()?;
        let dictionary = dictionary::read(connection)?;
        self.write("metadata.json", &metadata::document(facts, catalogue, &dictionary)?)?;
        self.write("SCHEMA.md", &schema_page(&dictionary)?)?;
        let old = match since {
            Some(old) => Some(self.changes(old)?),
            None => None,
        };
        let readme = pages::readme(facts, &written, &dictionary, old.as_deref());
        self.write("README.md", readme.as_bytes())?;
        self.write(pages::LICENCE, pages::licence(facts).as_bytes())?;
        self.write("LICENSE", pages::LICENSE_TEXT.as_bytes())?;
        self.write("CITATION.cff", pages::citation(facts)?.as_bytes())?;

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
        let mut page = Vec::new();
        writeln!(page, "# Changes from {old_version} to {}", self.facts.data_version)?;
        if summary.is_empty() {
            writeln!(page, "\nNothing changed.")?;
        } else {
            writeln!(
                page,
                "\nOne line for each column that changed. relative_change is (new - old) / old: its \
                 median, lowest\nand highest.\n"
            )?;
            let mut writer = Format::Markdown.writer(&mut page, None);
            writer.columns(&Summary::COLUMNS.map(Into::into))?;
            for row in summary.rows() {
                writer.row(&row.iter().map(ValueRef::from).collect::<Vec<_>>())?;
            }
            writer.finish()?;
            drop(writer);
            self.every_change(old, &mut page)?;
        }
        self.write(pages::CHANGES, &page)?;
        Ok(old_version)
    }

    fn every_change(&self, old: &Connection, page: &mut Vec<u8>) -> Result<()> {
        let mut details = Details::new()?;
        diff::compare(old, &self.connection, &mut details)?;
        let count = details.count()?;
        writeln!(page, "\n## Every change\n")?;
        if count > MOST_TOLD {
            writeln!(page, "There are {count}; 'energydb diff --details OLD NEW' lists them.")?;
            return Ok(());
        }
        let mut writer = Format::Markdown.writer(page, None);
        writer.columns(&Details::COLUMNS.map(Into::into))?;
        details.rows(|row| Ok(writer.row(row)?))?;
        writer.finish()?;
        Ok(())
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

fn schema_page(dictionary: &[Object]) -> Result<Vec<u8>> {
    let mut page = Vec::new();
    schema::page(&mut page, dictionary)?;
    Ok(page)
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
>>>>>>> 5a11397 (Embed bytes as statics)
