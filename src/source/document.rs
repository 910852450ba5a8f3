//! The inputs of a build: which documents there are, what they are called, how they are opened.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::embedded;

/// The task file that the program carries.
const BUILT_IN: &str = "lm-arena-chat";

/// One file to ingest.
pub struct Document {
    /// Its name in the database: relative to the input given, so that it is the same everywhere.
    pub name: String,
    /// What messages call it: the path as the user gave it.
    pub shown: String,
    /// Its length where that is known beforehand.
    pub length: Option<u64>,
    origin: Origin,
}

enum Origin {
    BuiltIn(&'static [u8]),
    File(PathBuf),
    /// Standard input, kept in a file without a name so that it can be read twice.
    Spool(File),
}

impl Document {
    /// The documents of the built-in data.
    pub fn built_in() -> Vec<Self> {
        embedded::DATA
            .iter()
            .filter(|(stem, _)| *stem == BUILT_IN)
            .map(|(stem, bytes)| Self {
                name: format!("{stem}.json"),
                shown: format!("built-in {stem}.json"),
                length: Some(bytes.len() as u64),
                origin: Origin::BuiltIn(bytes),
            })
            .collect()
    }

    /// The documents that the inputs of a command line name; `-` is standard input.
    ///
    /// # Errors
    /// When an input does not exist, cannot be read, or is not a file.
    pub fn of_inputs(inputs: &[PathBuf]) -> Result<Vec<Self>> {
        if inputs.is_empty() {
            return Ok(Self::built_in());
        }
        if inputs.iter().filter(|input| input.as_os_str() == "-").count() > 1 {
            bail!("standard input ('-') was given more than once, but can be read only once");
        }
        inputs
            .iter()
            .map(|input| if input.as_os_str() == "-" { Self::spool() } else { Self::file(input) })
            .collect()
    }

    fn file(path: &Path) -> Result<Self> {
        let shown = path.display().to_string();
        let metadata =
            path.metadata().with_context(|| format!("could not read the input: {shown}"))?;
        if metadata.is_dir() {
            bail!("the input is a folder; name the task files in it: {shown}");
        }
        let name =
            path.file_name().map_or_else(|| shown.clone(), |name| name.to_string_lossy().into());
        let length = metadata.is_file().then_some(metadata.len());
        Ok(Self { name, shown, length, origin: Origin::File(path.to_owned()) })
    }

    fn spool() -> Result<Self> {
        let mut spool = tempfile::tempfile().context("could not make a temporary file")?;
        let length = io::copy(&mut io::stdin().lock(), &mut spool)
            .context("could not read standard input")?;
        Ok(Self {
            name: "-".into(),
            shown: "standard input".into(),
            length: Some(length),
            origin: Origin::Spool(spool),
        })
    }

    /// What a message says when the document's bytes cannot be had.
    pub fn cannot_read(&self) -> String {
        format!("could not read the input: {}", self.shown)
    }

    /// Opens the document at its start.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(&self) -> Result<Box<dyn Read + Send + '_>> {
        Ok(match &self.origin {
            Origin::BuiltIn(bytes) => Box::new(*bytes),
            Origin::File(path) => Box::new(File::open(path).with_context(|| self.cannot_read())?),
            Origin::Spool(file) => {
                let mut file = file;
                file.seek(SeekFrom::Start(0)).context("could not read standard input again")?;
                Box::new(file)
            }
        })
    }
}
