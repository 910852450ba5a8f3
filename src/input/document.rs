//! The inputs of a build: which documents there are, what they are called, how they are opened.
//!
//! An input is a file, a folder of them, or standard input.
//! A signal ends the reading of every input, also the wait for a pipe that nobody writes to.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use flate2::read::DeflateDecoder;

use crate::embedded::{DOCUMENTS, PACKED};
use crate::input::bytes::{self, Text};
use crate::input::classify;
use crate::input::folder;
use crate::input::json::JsonError;
use crate::input::kind::{Form, ModelHead, Survey};
use crate::input::own::given::{Given, PUBLISHED};
use crate::signal::Signals;
use crate::text::printable;

/// Bytes of a pipe that are handed on at a time.
const CHUNK: u64 = 64 * 1024;
/// Bytes of a document that show whether it is a task file, unless it is an odd one.
const BEGINNING: u64 = 16 * 1024;
/// Bytes that are unpacked of it.
const MOST_UNPACKED: u64 = 1 << 20;
/// Characters of a word or a number that may be cut off at the end of the beginning.
const LONGEST_CUT: u64 = 400;
/// How long a signal may wait for a pipe.
const PATIENCE: Duration = Duration::from_millis(50);

/// One file to ingest.
#[derive(Clone)]
pub struct Document {
    /// Its name relative to the input given.
    pub name: String,
    /// Its name in messages: the path as the user gave it.
    pub shown: String,
    /// Its length, if that is known before it is read.
    pub length: Option<u64>,
    /// The sha256 of its bytes, in hexadecimal, where it was read before.
    pub sha256: Option<String>,
    /// Which form of file it is.
    pub form: Form,
    /// The task of whose configurations it is, where the file has those of several.
    pub part: Option<String>,
    /// The model that it is about, if it is a model's own file.
    pub model: ModelHead,
    /// Whether it was found in a folder, and so not named itself.
    pub is_found: bool,
    /// The source of its configurations.
    pub source: String,
    /// What is given beside it, if it is of own measurements.
    pub given: Arc<Given>,
    origin: Arc<Origin>,
    signals: Signals,
}

enum Origin {
    BuiltIn(Vec<u8>),
    File(PathBuf),
    /// An input that can be read only once, such as standard input.
    Pipe(Pipe),
    /// A pipe of which the beginning was read already, to be read from the start once.
    Begun(Mutex<Option<(Vec<u8>, Patient)>>),
    /// The content of a pipe, kept in a file without a name so that it can be read twice.
    Spool(File),
}

/// An input that can be read only once.
#[derive(Clone)]
enum Pipe {
    StandardInput,
    Named(PathBuf),
}

impl Document {
    /// The documents of the built-in data.
    ///
    /// # Errors
    /// When the program does not carry them whole, which its tests rule out.
    pub fn built_in() -> Result<Vec<Self>> {
        let packed: &[u8] = &PACKED;
        let mut unpacked = DeflateDecoder::new(packed);
        let documents = DOCUMENTS.iter().map(|&(name, length)| {
            let mut bytes = vec![0; length];
            unpacked
                .read_exact(&mut bytes)
                .with_context(|| format!("could not unpack the built-in {name}"))?;
            let (length, shown) = (Some(length as u64), format!("built-in {name}"));
            Ok(Self::new(name.into(), shown, length, Origin::BuiltIn(bytes), &Signals::none()))
        });
        documents.collect()
    }

    fn new(
        name: String,
        shown: String,
        length: Option<u64>,
        origin: Origin,
        signals: &Signals,
    ) -> Self {
        Self {
            name,
            shown,
            length,
            sha256: None,
            form: classify::unknown(),
            part: None,
            model: ModelHead::default(),
            is_found: false,
            source: PUBLISHED.into(),
            given: Arc::default(),
            origin: Arc::new(origin),
            signals: signals.clone(),
        }
    }

    /// The documents that the inputs of a command line name; `-` is standard input, and a folder
    /// stands for the files in it.
    ///
    /// # Errors
    /// When an input does not exist or cannot be read, or a folder contains nothing to read.
    pub fn of_inputs(inputs: &[PathBuf], signals: &Signals) -> Result<Vec<Self>> {
        if inputs.is_empty() {
            return Self::built_in();
        }
        if inputs.iter().filter(|input| input.as_os_str() == "-").count() > 1 {
            bail!("standard input ('-') is given more than once, but can be read only once");
        }
        let mut documents = Vec::new();
        for input in inputs {
            Self::of_input(input, signals, &mut documents)?;
        }
        // Several documents are read twice: once to put them in order.
        if documents.len() > 1 {
            documents.iter_mut().try_for_each(Self::keep)?;
        }
        Ok(documents)
    }

    fn of_input(path: &Path, signals: &Signals, documents: &mut Vec<Self>) -> Result<()> {
        if path.as_os_str() == "-" {
            let origin = Origin::Pipe(Pipe::StandardInput);
            let document = Self::new("-".into(), "standard input".into(), None, origin, signals);
            documents.push(document);
            return Ok(());
        }
        let shown = printable(&path.display().to_string());
        let metadata =
            path.metadata().with_context(|| format!("could not read the input: {shown}"))?;
        if !metadata.is_dir() {
            let name = path
                .file_name()
                .map_or_else(|| shown.clone(), |name| name.to_string_lossy().into());
            documents.push(Self::of_file(path, name, signals)?);
            return Ok(());
        }
        let files = folder::files(path)?;
        if files.is_empty() {
            bail!(
                "the folder contains no .json, .jsonl or .csv file: {shown}; name a folder that does, \
                 such as the leaderboard's public/data, or name a Parquet file"
            );
        }
        for file in files {
            signals.check()?;
            let document = Self::of_file(&file.path, file.name, signals)?;
            documents.push(Self { is_found: true, ..document });
        }
        Ok(())
    }

    fn of_file(path: &Path, name: String, signals: &Signals) -> Result<Self> {
        let shown = printable(&path.display().to_string());
        let metadata =
            path.metadata().with_context(|| format!("could not read the input: {shown}"))?;
        let (length, origin) = if metadata.is_file() {
            (Some(metadata.len()), Origin::File(path.to_owned()))
        } else {
            (None, Origin::Pipe(Pipe::Named(path.to_owned())))
        };
        Ok(Self::new(name, shown, length, origin, signals))
    }

    /// Keeps the content of a pipe, so that the document can be read again.
    ///
    /// # Errors
    /// When it cannot be read, or the temporary file not be written.
    pub fn keep(&mut self) -> Result<()> {
        if let Origin::Pipe(_) | Origin::Begun(_) = *self.origin {
            // Nothing is read after a fault, because some pipes never end.
            let beginning = self.beginning()?;
            let is_whole = bytes::is_read_from_its_end(&beginning) || !is_broken(&beginning);
            let kept = if is_whole { u64::MAX } else { BEGINNING };
            let mut spool = tempfile::tempfile().context("could not make a temporary file")?;
            let length = io::copy(&mut self.open()?.take(kept), &mut spool)
                .with_context(|| self.cannot_read())?;
            self.length = Some(length);
            self.origin = Arc::new(Origin::Spool(spool));
        }
        Ok(())
    }

    /// Whether the beginning of the document shows that it is a task file or broken, so that it needs
    /// no reading beforehand. A pipe can still be read from its start afterwards.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn begins_as_task_file(&mut self) -> Result<bool> {
        let beginning = self.beginning()?;
        if bytes::is_read_from_its_end(&beginning) {
            return Ok(false);
        }
        let mut survey = Survey::default();
        // A cut or broken text shows what it shows; what is wrong is found when it is read.
        if let Ok(text) = bytes::unpacked(&beginning[..]) {
            let _ = survey.look(text);
        }
        self.form = classify::form(&survey);
        Ok(survey.names_models() || is_broken(&beginning))
    }

    /// The first bytes. A pipe can still be read from its start afterwards.
    fn beginning(&mut self) -> Result<Vec<u8>> {
        let mut beginning = Vec::new();
        match &*self.origin {
            Origin::Begun(begun) => {
                let begun = begun.lock().ok();
                let begun = begun.as_ref().and_then(|begun| begun.as_ref());
                beginning.clone_from(&begun.with_context(|| self.cannot_read())?.0);
            }
            Origin::Pipe(pipe) => {
                let mut rest = Patient::new(pipe.clone(), self.signals.clone());
                rest.by_ref()
                    .take(BEGINNING)
                    .read_to_end(&mut beginning)
                    .with_context(|| self.cannot_read())?;
                self.origin = Arc::new(Origin::Begun(Mutex::new(Some((beginning.clone(), rest)))));
            }
            _ => {
                self.open()?
                    .take(BEGINNING)
                    .read_to_end(&mut beginning)
                    .with_context(|| self.cannot_read())?;
            }
        }
        Ok(beginning)
    }

    /// Where it is, if it is a file.
    pub fn path(&self) -> Option<&Path> {
        match &*self.origin {
            Origin::File(path) => Some(path),
            Origin::BuiltIn(_) | Origin::Pipe(_) | Origin::Begun(_) | Origin::Spool(_) => None,
        }
    }

    /// Whether the program carries it.
    pub fn is_built_in(&self) -> bool {
        matches!(*self.origin, Origin::BuiltIn(_))
    }

    /// The document as that of one of its tasks.
    pub fn of_task(&self, task: String, form: Form) -> Self {
        Self { form, part: Some(task), ..self.clone() }
    }

    /// What a message says when the document's bytes cannot be had.
    pub fn cannot_read(&self) -> String {
        format!("could not read the input: {}", self.shown)
    }

    /// Opens the document at its start.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(&self) -> Result<Box<dyn Read + '_>> {
        let signals = &self.signals;
        Ok(match &*self.origin {
            Origin::BuiltIn(bytes) => Box::new(&bytes[..]),
            Origin::File(path) => {
                let bytes = File::open(path).with_context(|| self.cannot_read())?;
                Box::new(Watched { bytes, signals })
            }
            Origin::Pipe(pipe) => {
                Box::new(Watched { bytes: Patient::new(pipe.clone(), signals.clone()), signals })
            }
            Origin::Begun(begun) => {
                let begun = begun.lock().ok().and_then(|mut begun| begun.take());
                let (beginning, rest) = begun.with_context(|| self.cannot_read())?;
                Box::new(Watched { bytes: Cursor::new(beginning).chain(rest), signals })
            }
            Origin::Spool(file) => {
                let mut bytes = file;
                bytes.seek(SeekFrom::Start(0)).with_context(|| self.cannot_read())?;
                Box::new(Watched { bytes, signals })
            }
        })
    }
}

impl Document {
    /// Ends a text when a signal came or nobody reads on. A short compressed file may have a long text.
    pub fn watched<'t>(&'t self, text: Text<'t>, is_over: &'t AtomicBool) -> Text<'t> {
        Box::new(Watched { bytes: Until { text, is_over }, signals: &self.signals })
    }
}

/// Text that ends in an error when nobody reads on.
struct Until<'t> {
    text: Text<'t>,
    is_over: &'t AtomicBool,
}

impl Read for Until<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.is_over.load(Ordering::Relaxed) {
            return Err(io::Error::other("reading was stopped early"));
        }
        self.text.read(buffer)
    }
}

/// The bytes of a file or a pipe, of which a signal ends the reading.
///
/// # Errors
/// When it cannot be read, or has more bytes than that.
pub fn bytes_of(path: &Path, most_bytes: u64, signals: &Signals) -> Result<Vec<u8>> {
    let open: Box<dyn Read> = if path.metadata()?.is_file() {
        Box::new(File::open(path)?)
    } else {
        Box::new(Patient::new(Pipe::Named(path.to_owned()), signals.clone()))
    };
    let mut bytes = Vec::new();
    Watched { bytes: open, signals }.take(most_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most_bytes {
        bail!("it is longer than {most_bytes} bytes");
    }
    Ok(bytes)
}

/// Whether the beginning of a document has a fault, beside that it is cut off.
fn is_broken(beginning: &[u8]) -> bool {
    let mut text = Vec::new();
    let unpacked = bytes::unpacked(beginning)
        .and_then(|unpacked| unpacked.take(MOST_UNPACKED).read_to_end(&mut text));
    // Compressed data is cut off at any byte, so only the text that could be unpacked is checked.
    if unpacked.is_err() && text.is_empty() {
        return true;
    }
    let lines = text.iter().filter(|byte| **byte == b'\n').count() as u64;
    let last = text.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let end = (lines + 1, String::from_utf8_lossy(last).chars().count() as u64);
    match Survey::default().look(Box::new(&text[..])) {
        Err(JsonError::Syntax { place, .. }) => (place.line, place.column + LONGEST_CUT) < end,
        _ => false,
    }
}

/// Bytes that end in an error when a signal came.
struct Watched<'s, R> {
    bytes: R,
    signals: &'s Signals,
}

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.signals.check().map_err(io::Error::other)?;
        self.bytes.read(buffer)
    }
}

/// The bytes of a pipe. A separate thread waits for them, so a signal can end the reading while that thread
/// still waits.
struct Patient {
    chunks: Receiver<io::Result<Vec<u8>>>,
    chunk: Cursor<Vec<u8>>,
    signals: Signals,
}

impl Patient {
    fn new(pipe: Pipe, signals: Signals) -> Self {
        let (give, chunks) = sync_channel(1);
        thread::spawn(move || {
            let mut open: Box<dyn Read> = match pipe {
                Pipe::StandardInput => Box::new(io::stdin().lock()),
                Pipe::Named(path) => match File::open(path) {
                    Ok(file) => Box::new(file),
                    Err(error) => return drop(give.send(Err(error))),
                },
            };
            loop {
                let mut chunk = Vec::new();
                let read = open.by_ref().take(CHUNK).read_to_end(&mut chunk);
                let is_last = chunk.is_empty() || read.is_err();
                if give.send(read.map(|_| chunk)).is_err() || is_last {
                    break;
                }
            }
        });
        Self { chunks, chunk: Cursor::default(), signals }
    }
}

impl Read for Patient {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let length = self.chunk.read(buffer)?;
            if length > 0 || buffer.is_empty() {
                return Ok(length);
            }
            match self.chunks.recv_timeout(PATIENCE) {
                Ok(chunk) => self.chunk = Cursor::new(chunk?),
                Err(RecvTimeoutError::Timeout) => self.signals.check().map_err(io::Error::other)?,
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            }
        }
    }
}
