//! Kinds of documents, and the survey of a document, by which its kind is recognised.

use std::collections::{BTreeMap, HashSet};
use std::io::{Cursor, Read as _};

use crate::input::bytes::Text;
use crate::input::classify;
use crate::input::document::Document;
use crate::input::json::{JsonError, JsonReader, Kind as Json, Scalar};
use crate::input::number;
use crate::input::own::table;
use crate::input::reader::Reader;
use crate::input::reading::Head;
use crate::input::value::name_fault;
use crate::measurement::columns::Presence;
use crate::measurement::product::Product;

/// What documents of a kind hold, in the order in which those of one task are loaded: a task file
/// says in which order repeats come, and what a model's own file adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Holds {
    /// No configurations: models with their facts, and tasks.
    Facts,
    /// Configurations of one task.
    Configurations,
    /// Configurations of one model in one task, in detail.
    Details,
    /// Configurations of one task that the user measured.
    Own,
}

/// Reads the text of a document.
type Read = fn(&mut Reader<'_, '_>, Text<'_>, &Document) -> Result<Head, JsonError>;

/// A kind of document.
#[derive(Debug)]
pub struct DocumentKind {
    /// The name that the database has for it.
    pub name: &'static str,
    /// Its name in messages.
    pub called: &'static str,
    /// What it contains.
    pub holds: Holds,
    /// Whether its configurations make text and may be unstable.
    pub may_be_unstable: bool,
    /// Whether several documents may follow each other in one text.
    pub may_repeat: bool,
    /// Whether it contains configurations of several tasks, each in an object of its own that names its
    /// task. It is then read once for each task.
    pub has_tasks: bool,
    /// Whether a document is of this kind.
    pub(crate) is: fn(&Survey) -> bool,
    /// Reads a document to its end. It fails when the document is not JSON or cannot be read;
    /// everything else is a finding.
    pub(crate) read: Read,
}

/// Which form a document has.
#[derive(Debug, Clone, Copy)]
pub struct Form {
    /// The kind of document.
    pub kind: &'static DocumentKind,
    /// What its workload makes.
    pub product: Product,
}

impl Form {
    /// Whether it contains configurations in detail.
    pub fn is_detail(self) -> bool {
        self.kind.holds == Holds::Details
    }

    /// Whether it contains the user's own measurements.
    pub fn is_own(self) -> bool {
        self.kind.holds == Holds::Own
    }

    /// Whether it contains the facts of models alone.
    pub fn is_index(self) -> bool {
        self.kind.holds == Holds::Facts
    }
}

/// The facts of the model in a model's own file. A missing or unsound fact is `None`, and is reported when
/// the file is read.
#[derive(Debug, Clone, Default, PartialEq)]
#[allow(missing_docs, reason = "each is documented in identities::Model")]
pub struct ModelHead {
    pub hugging_face_id: Option<String>,
    pub name: Option<String>,
    pub architecture: Option<String>,
    pub precision: Option<String>,
    pub params_b: Option<f64>,
    pub active_params_b: Option<f64>,
}

/// Bytes that show whether a document is a table.
pub(super) const BEGINNING: u64 = 64 * 1024;
/// Names of members and fields that a survey remembers, of each the first.
const MOST_NAMES: usize = 256;

/// What a survey of a document finds.
#[derive(Debug, Default)]
pub struct Survey {
    /// Its task.
    pub task: Option<String>,
    /// The tasks of its objects, and whether they are of videos.
    pub tasks: BTreeMap<String, bool>,
    /// Its source, if it is of own measurements and says it.
    pub source: Option<String>,
    /// The model that it is about, if it is a model's own file.
    pub model: ModelHead,
    /// What it shows of a table of own measurements, if it is one.
    pub(super) table: Option<table::Look>,
    /// Whether it says how many frames a video has.
    has_frames: bool,
    /// Its members; an object's name ends in `{}`.
    members: HashSet<String>,
    /// The fields of its first configuration, or of its first element, if it is an array.
    fields: HashSet<String>,
}

impl Survey {
    /// Surveys a whole document. After an error, it keeps what was found before.
    ///
    /// # Errors
    /// When the document is not JSON or cannot be read.
    pub fn look(&mut self, mut text: Text<'_>) -> Result<(), JsonError> {
        let mut beginning = Vec::new();
        // The error is reported when the document is read again.
        let read = text.by_ref().take(BEGINNING).read_to_end(&mut beginning);
        self.table = table::look(&beginning);
        if let Some(table) = &self.table {
            self.task.clone_from(&table.task);
            self.source.clone_from(&table.source);
            return std::io::copy(&mut text, &mut std::io::sink())
                .map(drop)
                .map_err(JsonError::Read);
        }
        let rest: Text<'_> = match read {
            Ok(_) => text,
            Err(error) => Box::new(Failed(Some(error))),
        };
        let mut json = JsonReader::new(Box::new(Cursor::new(beginning).chain(rest)) as Text<'_>)
            .with_infinity();
        match json.peek()? {
            Json::Object => {}
            Json::Array => {
                self.configurations(&mut json)?;
                return json.finish();
            }
            Json::Text | Json::Number | Json::Boolean | Json::Null => {
                json.skip()?;
                return json.finish();
            }
        }
        let mut task = None;
        json.begin_object()?;
        while let Some(key) = json.next_key()? {
            let key = key.to_owned();
            let kind = json.peek()?;
            let object = if kind == Json::Object { "{}" } else { "" };
            remember(&mut self.members, &format!("{key}{object}"));
            match kind {
                Json::Array if key == "configurations" => self.configurations(&mut json)?,
                Json::Text | Json::Number => match json.scalar()? {
                    Scalar::Text(text) => {
                        task = (key == "task").then(|| text.to_owned()).or(task);
                        self.text(&key, text);
                    }
                    Scalar::Number(text) => self.number(&key, text),
                    Scalar::Boolean(_) | Scalar::Null => {}
                },
                Json::Object | Json::Array | Json::Boolean | Json::Null => json.skip()?,
            }
        }
        self.tasks.extend(task.map(|task| (task, self.has_frames)));
        while classify::may_repeat(self) && json.begins_again()? {
            if classify::has_tasks(self) { self.task_of_object(&mut json)? } else { json.skip()? }
        }
        json.finish()
    }

    /// Looks which task an object is of.
    fn task_of_object(&mut self, json: &mut JsonReader<Text<'_>>) -> Result<(), JsonError> {
        let (mut task, mut has_frames) = (None, false);
        json.begin_object()?;
        while let Some(key) = json.next_key()? {
            let (is_task, is_frames) = (key == "task", key == "num_frames");
            match json.peek()? {
                Json::Text if is_task => {
                    if let Scalar::Text(text) = json.scalar()? {
                        task = Some(text.to_owned());
                    }
                }
                kind => {
                    has_frames |= is_frames && kind == Json::Number;
                    json.skip()?;
                }
            }
        }
        if let Some(task) = task {
            *self.tasks.entry(task).or_default() |= has_frames;
        }
        Ok(())
    }

    /// Looks at the first configuration and passes over the others.
    fn configurations(&mut self, json: &mut JsonReader<Text<'_>>) -> Result<(), JsonError> {
        json.begin_array()?;
        let mut is_first = true;
        while json.next_element()? {
            if std::mem::take(&mut is_first) && json.peek()? == Json::Object {
                json.begin_object()?;
                while let Some(key) = json.next_key()? {
                    remember(&mut self.fields, key);
                    json.skip()?;
                }
            } else {
                json.skip()?;
            }
        }
        Ok(())
    }

    fn text(&mut self, key: &str, text: &str) {
        let place = match key {
            "task" => &mut self.task,
            "source" => &mut self.source,
            "model_id" => &mut self.model.hugging_face_id,
            "nickname" => &mut self.model.name,
            "architecture" => &mut self.model.architecture,
            "weight_precision" => &mut self.model.precision,
            _ => return,
        };
        if name_fault(text).is_none() {
            *place = Some(text.to_owned());
        }
    }

    fn number(&mut self, key: &str, text: &str) {
        let place = match key {
            "total_params_billions" => &mut self.model.params_b,
            "activated_params_billions" => &mut self.model.active_params_b,
            "num_frames" => {
                self.has_frames = true;
                return;
            }
            _ => return,
        };
        *place = number::figure(text).ok();
    }

    /// Whether the document has a member.
    pub fn member(&self, name: &str) -> bool {
        self.members.contains(name) || self.object(name)
    }

    /// Whether the document has a member that is an object.
    pub fn object(&self, name: &str) -> bool {
        self.members.contains(&format!("{name}{{}}"))
    }

    /// Whether the first configuration has a field.
    pub fn field(&self, name: &str) -> bool {
        self.fields.contains(name)
    }

    /// Whether the configurations name their models, so that nothing else need be known of them.
    pub fn names_models(&self) -> bool {
        self.field("model_id")
    }

    /// What the first configuration makes: the product with the most columns in it, or the first of equal
    /// ones. Columns that may be null count less, because publishers write them for other products too.
    pub fn product(&self) -> Product {
        if let Some(table) = &self.table {
            return table.product;
        }
        let is_diffusion = ["iteration_energy_measurements", "energy_per_generation_joules"];
        if is_diffusion.into_iter().any(|name| self.member(name)) {
            return if self.has_frames { Product::Videos } else { Product::Images };
        }
        let mut best = (Product::default(), (0, 0));
        for product in Product::all() {
            let table = product.table();
            let has = |presence: fn(Presence) -> bool| {
                let columns = table.columns.iter().filter(|column| presence(column.presence));
                columns
                    .filter_map(|column| table.field(column, product))
                    .filter(|field| self.field(field))
                    .count()
            };
            let seen = (has(|of| of == Presence::Required), has(|of| of != Presence::Required));
            if seen > best.1 {
                best = (product, seen);
            }
        }
        best.0
    }
}

/// An error for text that cannot be read further, with the reason.
struct Failed(Option<std::io::Error>);

impl std::io::Read for Failed {
    fn read(&mut self, _buffer: &mut [u8]) -> std::io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

fn remember(names: &mut HashSet<String>, name: &str) {
    if names.len() < MOST_NAMES {
        names.insert(name.to_owned());
    }
}
