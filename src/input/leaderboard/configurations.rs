//! The configurations of a document, a flat object each, in whatever form of file they stand: read
//! field by field, checked, and handed on.

use crate::input::findings::{Accepted, Findings, Keys, shown};
use crate::input::identities::{Facts, Identities};
use crate::input::json::{JsonError, Kind};
use crate::input::leaderboard::histogram;
use crate::input::leaderboard::record::{Key, Record};
use crate::input::number;
use crate::input::value::{Json, SoundName, described, take_number};
use crate::measurement::check::{self, Check, Finding};
use crate::measurement::columns::{Count, Figure, Name, Shape, Target};
use crate::measurement::record::{Configuration, Detail, Generation, Histogram, Product};
use crate::slug::is_slug;

/// Takes what documents hold, in their order.
pub trait Sink {
    /// A configuration that passed every check, or whose findings are accepted.
    fn configuration(&mut self, configuration: Configuration);
    /// The same from a model's own file, with the lengths of its outputs.
    fn detail(&mut self, detail: Detail);
    /// The same of a workload that makes images or videos.
    fn generation(&mut self, generation: Generation);
    /// The lengths of all outputs of a model.
    fn lengths(&mut self, model: u32, lengths: Histogram);
    /// A finding that the publisher accepted.
    fn accepted(&mut self, finding: Finding);
}

/// What stands beside the configurations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Head {
    /// The task's name.
    pub task: Option<String>,
    /// The task's title.
    pub display_name: Option<String>,
    /// Number of configurations read.
    pub configurations: u32,
    /// The id of the model that the document is about.
    pub hugging_face_id: Option<String>,
    /// The day on which the source compiled the data, as the index says.
    pub last_updated: Option<String>,
    /// The tasks that the index says are of the diffusion family, and those that it says are not.
    pub families: Vec<(String, bool)>,
}

/// Reads the parts of one document.
pub struct Reader<'c, S> {
    /// What messages call the document.
    pub document: &'c str,
    /// Where names are numbered.
    pub identities: &'c mut Identities,
    /// Which findings are let through.
    pub accept: &'c Accepted,
    /// Where findings go.
    pub findings: &'c mut Findings,
    /// Where configurations go.
    pub sink: &'c mut S,
    /// How far reading has come.
    pub at: &'c mut At,
}

/// The last known value that reading came to, so that broken text is told with its JSON pointer.
#[derive(Debug, Clone, Copy, Default)]
pub struct At {
    pub(crate) member: Option<&'static str>,
    position: Option<u32>,
    field: Option<&'static str>,
}

impl At {
    /// A member of the document.
    pub(crate) fn member(member: Option<&'static str>) -> Self {
        Self { member, ..Self::default() }
    }

    /// The JSON pointer; empty at the document itself.
    pub fn pointer(self) -> String {
        let position = self.position.map(|position| position.to_string());
        let parts = [self.member, position.as_deref(), self.field];
        parts.into_iter().flatten().flat_map(|part| ["/", part]).collect()
    }
}

/// Whose configurations are read.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Whose {
    /// Each says itself.
    Each,
    /// Those of this model, with weights in this precision.
    One { model: u32, precision: u32 },
    /// Those of a model about which something is missing or wrong, which was told.
    Unknown,
}

impl<S: Sink> Reader<'_, S> {
    /// Adds a finding that refuses the document.
    pub(crate) fn add(
        &mut self,
        check: Check,
        place: impl Into<String>,
        value: impl Into<String>,
        expected: impl Into<String>,
    ) {
        let (place, value, expected) = (place.into(), value.into(), expected.into());
        self.findings.add(Finding { check, place, value, expected });
    }

    /// Reads to the end of the document, at which nothing may stand behind its object.
    pub(crate) fn end(&mut self, json: &mut Json<'_>) -> Result<(), JsonError> {
        *self.at = At::default();
        json.finish()
    }

    pub(crate) fn form(&mut self, value: impl Into<String>, expected: &str) {
        self.add(Check::DocumentForm, "/", value, expected);
    }

    /// Reads a name of the document itself.
    pub(crate) fn title(
        &mut self,
        json: &mut Json<'_>,
        place: &str,
    ) -> Result<Option<String>, JsonError> {
        let mut title = SoundName::default();
        Ok(match title.take(json)? {
            Ok(()) => Some(title.text),
            Err((check, value, expected)) => {
                self.add(check, place, value, expected);
                None
            }
        })
    }

    /// Reads a figure of the document itself.
    pub(crate) fn figure(
        &mut self,
        json: &mut Json<'_>,
        place: &str,
    ) -> Result<Option<f64>, JsonError> {
        let mut figure = 0.0;
        Ok(match take_number(json, number::figure, &mut figure)? {
            Ok(()) => Some(figure),
            Err((check, value, expected)) => {
                self.add(check, place, value, expected);
                None
            }
        })
    }

    /// Refuses a task whose name could not name a folder.
    pub(crate) fn check_task(&mut self, task: Option<&str>) {
        if let Some(task) = task.filter(|task| !is_slug(task)) {
            let value = format!("\"{}\"", shown(task));
            self.add(Check::NameForm, "/task", value, "a name of a-z, 0-9 and single hyphens");
        }
    }

    /// Reads the array of configurations and returns their number.
    pub(crate) fn configurations(
        &mut self,
        json: &mut Json<'_>,
        shape: &'static Shape,
        whose: Whose,
    ) -> Result<u32, JsonError> {
        if json.peek()? != Kind::Array {
            let value = described(json)?;
            self.add(Check::FieldType, "/configurations", value, "an array of configurations");
            return Ok(1);
        }
        let mut record = Record::new(shape);
        let mut position = 0;
        json.begin_array()?;
        while json.next_element()? {
            self.configuration(json, &mut record, whose, position)?;
            position += 1;
        }
        Ok(position)
    }

    fn configuration(
        &mut self,
        json: &mut Json<'_>,
        record: &mut Record,
        whose: Whose,
        position: u32,
    ) -> Result<(), JsonError> {
        if json.peek()? != Kind::Object {
            let value = described(json)?;
            self.add(Check::FieldType, format!("/configurations/{position}"), value, "an object");
            return Ok(());
        }
        *self.at = At { position: Some(position), field: None, ..*self.at };
        record.clear();
        let faults_before = self.findings.count;
        self.fields(json, record, position)?;
        if self.findings.count == faults_before {
            match record.shape.product {
                Product::Tokens => self.hand_on_configuration(record, whose, position),
                Product::Images | Product::Videos => {
                    self.hand_on_generation(record, whose, position);
                }
            }
        }
        Ok(())
    }

    /// Reads the fields of one configuration into the record.
    fn fields(
        &mut self,
        json: &mut Json<'_>,
        record: &mut Record,
        position: u32,
    ) -> Result<(), JsonError> {
        let shape = record.shape;
        let mut next = 0;
        json.begin_object()?;
        while let Some(key) = record.next_field(json, next)? {
            let index = match key {
                Key::Field(index) => index,
                Key::Unknown(key) => {
                    self.at.field = None;
                    if record.unknown.insert(&key) {
                        self.findings.add_unknown(&key);
                    } else {
                        self.findings.add(twice(&format!("/configurations/{position}"), &key));
                    }
                    json.skip()?;
                    continue;
                }
            };
            next = index + 1;
            let bit = 1 << index;
            let (name, _, target) = shape.fields[index];
            self.at.field = Some(name);
            if record.seen & bit != 0 {
                self.findings.add(twice(&format!("/configurations/{position}"), name));
                json.skip()?;
                continue;
            }
            record.seen |= bit;
            let refused = match target {
                Target::Parallelization => {
                    self.parallelization(json, record, position)?;
                    Ok(())
                }
                Target::Lengths => {
                    let place = format!("/configurations/{position}/{name}");
                    histogram::read(json, &place, self.findings, &mut record.lengths)?;
                    Ok(())
                }
                _ => record.take(json, target)?,
            };
            if let Err((check, value, expected)) = refused {
                self.add(check, format!("/configurations/{position}/{name}"), value, expected);
            }
        }
        if record.seen != shape.all_fields() {
            for (index, (name, ..)) in shape.fields.iter().enumerate() {
                if record.seen & (1 << index) == 0 {
                    self.missing(format!("/configurations/{position}/{name}"));
                }
            }
        }
        Ok(())
    }

    /// Tells of a field that is missing.
    pub(crate) fn missing(&mut self, place: String) {
        self.add(Check::MissingField, place, "nothing", "this field");
    }

    /// Reads the degrees of parallelism that stand in an object of their own.
    fn parallelization(
        &mut self,
        json: &mut Json<'_>,
        record: &mut Record,
        position: u32,
    ) -> Result<(), JsonError> {
        let object = format!("/configurations/{position}/parallelization");
        if json.peek()? != Kind::Object {
            let value = described(json)?;
            self.add(Check::FieldType, object, value, "an object of degrees of parallelism");
            return Ok(());
        }
        let degrees = record.shape.degrees;
        let mut keys = Keys::default();
        json.begin_object()?;
        while let Some(key) = json.next_key()? {
            if !keys.insert(key) {
                self.findings.add(twice(&object, key));
                json.skip()?;
            } else if let Some((name, _, _, count)) = degrees.iter().find(|(name, ..)| *name == key)
            {
                let into = &mut record.counts[*count as usize];
                if let Err((check, value, expected)) = take_number(json, number::count, into)? {
                    self.add(check, format!("{object}/{name}"), value, expected);
                }
            } else if key == "notes" {
                self.notes(json, &object)?;
            } else {
                self.findings.add_unknown(key);
                json.skip()?;
            }
        }
        for (name, ..) in degrees {
            if keys.insert(name) {
                self.missing(format!("{object}/{name}"));
            }
        }
        Ok(())
    }

    /// Notes are for people. All that are published are empty; others are counted as what this
    /// program does not know, since they may say something of a figure.
    fn notes(&mut self, json: &mut Json<'_>, object: &str) -> Result<(), JsonError> {
        if json.peek()? != Kind::Text {
            let value = described(json)?;
            self.add(Check::FieldType, format!("{object}/notes"), value, "text");
        } else if !json.passes_string("\"\"") {
            self.findings.add_unknown("notes");
            json.skip()?;
        }
        Ok(())
    }

    /// Numbers the record's names, checks its relations and hands it on.
    fn hand_on_configuration(&mut self, record: &mut Record, whose: Whose, position: u32) {
        let figures = record.measured();
        let max_num_seqs = record.count(Count::MaxNumSeqs);
        let identified = self.identify(record, whose, position, |broken| {
            check::relations(&figures, max_num_seqs, &mut |found| broken(found));
        });
        let Some(Identified { model, gpu, precision }) = identified else { return };
        let configuration = Configuration {
            model,
            gpu,
            precision,
            num_gpus: record.count(Count::NumGpus),
            tensor_parallel: record.count(Count::TensorParallel),
            data_parallel: record.count(Count::DataParallel),
            expert_parallel: record.count(Count::ExpertParallel),
            max_num_seqs,
            figures,
            position,
        };
        if record.lengths.edges.is_empty() {
            self.sink.configuration(configuration);
        } else {
            let lengths = std::mem::take(&mut record.lengths);
            self.sink.detail(Detail { configuration, lengths });
        }
    }

    /// The same for a workload that makes images or videos.
    fn hand_on_generation(&mut self, record: &Record, whose: Whose, position: u32) {
        let (figures, output) = (record.generated(), record.shape.product);
        let identified = self.identify(record, whose, position, |broken| {
            // The relations do not depend on model and GPU, which are still to be numbered.
            let key = record.generation_key(0, 0);
            check::generation_relations(&key, &figures, output, &mut |found| broken(found));
        });
        let Some(Identified { model, gpu, precision }) = identified else { return };
        let key = record.generation_key(model, gpu);
        self.sink.generation(Generation { key, precision, figures, position });
    }

    /// Numbers the record's names and reports broken relations. None when something refuses it.
    fn identify(
        &mut self,
        record: &Record,
        whose: Whose,
        position: u32,
        relations: impl FnOnce(&mut dyn FnMut(check::Broken)),
    ) -> Option<Identified> {
        let document = self.document;
        let pointer = |field: &str| format!("/configurations/{position}/{field}");
        let mut sound = true;
        let Self { identities, accept, findings, sink, .. } = self;

        let mut found = |check: Check, field: &str, value, expected| {
            let finding = Finding { check, place: pointer(field), value, expected };
            if accept.contains(check) {
                sink.accepted(finding);
            } else {
                findings.add(finding);
                sound = false;
            }
        };
        let mut broken = |broken: check::Broken| {
            let field = record.shape.field_of_column(broken.column);
            found(broken.check, field, broken.value.to_string(), broken.expected);
        };
        relations(&mut broken);
        let is_each = matches!(whose, Whose::Each);
        let (params_b, active_params_b) =
            (record.figure(Figure::ParamsB), record.figure(Figure::ActiveParamsB));
        if is_each {
            check::model_relations(params_b, active_params_b, &mut broken);
        }

        let mut fault = |(check, field, value, expected)| found(check, field, value, expected);
        let (model, precision) = match whose {
            Whose::Each => {
                let architecture = record.name(Name::Architecture);
                let facts = Facts {
                    hugging_face_id: record.name(Name::ModelId),
                    name: Some(record.name(Name::Nickname)),
                    params_b,
                    active_params_b,
                    // That of a row without this field was not read.
                    architecture: Some(architecture).filter(|name| !name.is_empty()),
                };
                let place = || format!("{document}: /configurations/{position}");
                let model = identities.model(facts, place, &mut fault)?;
                let name = record.name(Name::Precision);
                let precision = identities.precision(name, &mut fault)?;
                identities.compare_precision(model, name, &mut fault);
                (model, precision)
            }
            Whose::One { model, precision } => (model, precision),
            Whose::Unknown => return None,
        };
        let gpu = identities.gpu(record.name(Name::Gpu), &mut fault)?;
        sound.then_some(Identified { model, gpu, precision })
    }
}

/// The numbers of what a record names.
struct Identified {
    model: u32,
    gpu: u32,
    precision: u32,
}

/// The finding for a key that stands twice.
pub(crate) fn twice(object: &str, key: &str) -> Finding {
    Finding {
        check: Check::DuplicateKey,
        place: format!("{object}/{}", escaped(&shown(key))),
        value: "the key again".into(),
        expected: "every key once".into(),
    }
}

/// A key as a part of a JSON pointer.
pub(crate) fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
