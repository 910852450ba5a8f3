//! The leaderboard's task file: `task`, `task_display_name` and an array of `configurations`, each
//! a flat object of the fields in [`FIELDS`].

use super::bytes::Text;
use super::findings::{Accepted, Findings, Keys, shown};
use super::identities::{Facts, Identities};
use super::json::{JsonError, JsonReader, Kind, Passage, Scalar};
use super::number;
use super::value::{Json, Refusal, SoundName, described, no_slash, take_number};
use crate::check::{self, Check, Finding};
use crate::record::{Configuration, Figures};
use crate::slug::is_slug;

/// How a field of a configuration is read and where its value goes.
#[derive(Debug, Clone, Copy)]
enum Target {
    Figure(Figure),
    Count(Count),
    Name(Name),
}

#[derive(Debug, Clone, Copy)]
enum Figure {
    ActiveParamsB,
    AvgRunningBatch,
    AvgOutputTokens,
    PowerWatts,
    JoulesPerRequest,
    JoulesPerOutputToken,
    MedianItlMs,
    TokensPerSecond,
    P90ItlMs,
    P95ItlMs,
    P99ItlMs,
    ParamsB,
}

#[derive(Debug, Clone, Copy)]
enum Count {
    DataParallel,
    ExpertParallel,
    MaxNumSeqs,
    NumGpus,
    TensorParallel,
}

#[derive(Debug, Clone, Copy)]
enum Name {
    Architecture,
    Gpu,
    ModelId,
    Nickname,
    Precision,
}

/// A field of a configuration: its name in the document, its column in the database, its target.
type Field = (&'static str, &'static str, Target);

/// Every field, in the order in which the leaderboard writes them.
const FIELDS: [Field; 22] = [
    ("activated_params_billions", "active_params_b", Target::Figure(Figure::ActiveParamsB)),
    ("architecture", "architecture", Target::Name(Name::Architecture)),
    ("avg_batch_size", "avg_running_batch", Target::Figure(Figure::AvgRunningBatch)),
    ("avg_output_len", "avg_output_tokens", Target::Figure(Figure::AvgOutputTokens)),
    ("avg_power_watts", "power_watts", Target::Figure(Figure::PowerWatts)),
    ("data_parallel", "data_parallel", Target::Count(Count::DataParallel)),
    ("energy_per_request_joules", "joules_per_request", Target::Figure(Figure::JoulesPerRequest)),
    (
        "energy_per_token_joules",
        "joules_per_output_token",
        Target::Figure(Figure::JoulesPerOutputToken),
    ),
    ("expert_parallel", "expert_parallel", Target::Count(Count::ExpertParallel)),
    ("gpu_model", "gpu", Target::Name(Name::Gpu)),
    ("max_num_seqs", "max_num_seqs", Target::Count(Count::MaxNumSeqs)),
    ("median_itl_ms", "median_itl_ms", Target::Figure(Figure::MedianItlMs)),
    ("model_id", "hugging_face_id", Target::Name(Name::ModelId)),
    ("nickname", "model_name", Target::Name(Name::Nickname)),
    ("num_gpus", "num_gpus", Target::Count(Count::NumGpus)),
    (
        "output_throughput_tokens_per_sec",
        "tokens_per_second",
        Target::Figure(Figure::TokensPerSecond),
    ),
    ("p90_itl_ms", "p90_itl_ms", Target::Figure(Figure::P90ItlMs)),
    ("p95_itl_ms", "p95_itl_ms", Target::Figure(Figure::P95ItlMs)),
    ("p99_itl_ms", "p99_itl_ms", Target::Figure(Figure::P99ItlMs)),
    ("tensor_parallel", "tensor_parallel", Target::Count(Count::TensorParallel)),
    ("total_params_billions", "params_b", Target::Figure(Figure::ParamsB)),
    ("weight_precision", "precision", Target::Name(Name::Precision)),
];

/// The members of the document itself.
const MEMBERS: [&str; 3] = ["configurations", "task", "task_display_name"];

/// One bit for every field.
const ALL_FIELDS: u32 = (1 << FIELDS.len()) - 1;

/// Takes what a task file holds, in the order of the document.
pub trait Sink {
    /// A configuration that passed every check, or whose findings are accepted.
    fn configuration(&mut self, configuration: Configuration);
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
}

/// Reads the name of the document's task alone; all else is skipped.
///
/// # Errors
/// When the document is not JSON or cannot be read.
pub fn read_task_name<'r>(text: Text<'r>) -> Result<Option<String>, JsonError> {
    let mut json = JsonReader::new(text);
    let mut task = None;
    if json.peek()? != Kind::Object {
        return Ok(None);
    }
    json.begin_object()?;
    while let Some(key) = json.next_key()? {
        if key == "task" && json.peek()? == Kind::Text {
            if let Scalar::Text(text) = json.scalar()? {
                task = Some(text.to_owned());
            }
        } else {
            json.skip()?;
        }
    }
    json.finish()?;
    Ok(task)
}

/// Reads one task file.
pub struct TaskFile<'c, S> {
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
    member: Option<&'static str>,
    position: Option<u32>,
    field: Option<&'static str>,
}

impl At {
    /// The JSON pointer; empty at the document itself.
    pub fn pointer(self) -> String {
        let position = self.position.map(|position| position.to_string());
        let parts = [self.member, position.as_deref(), self.field];
        parts.into_iter().flatten().flat_map(|part| ["/", part]).collect()
    }
}

impl<S: Sink> TaskFile<'_, S> {
    /// Reads the document to its end.
    ///
    /// # Errors
    /// When it is not JSON or cannot be read; everything else is a finding.
    pub fn read<'r>(&mut self, text: Text<'r>) -> Result<Head, JsonError> {
        let mut json = JsonReader::new(text);
        let mut head = Head::default();
        if json.peek()? != Kind::Object {
            let value = described(&mut json)?;
            self.form(value, "an object with task and configurations");
            json.finish()?;
            return Ok(head);
        }
        let mut keys = Keys::default();
        let mut has_configurations = false;
        json.begin_object()?;
        while let Some(key) = json.next_key()? {
            if !keys.insert(key) {
                self.findings.add(twice("", key));
                json.skip()?;
                continue;
            }
            *self.at =
                At { member: MEMBERS.into_iter().find(|name| *name == key), ..At::default() };
            match key {
                "configurations" => {
                    has_configurations = true;
                    head.configurations = self.configurations(&mut json)?;
                }
                "task" => head.task = self.title(&mut json, "/task")?,
                "task_display_name" => {
                    head.display_name = self.title(&mut json, "/task_display_name")?;
                }
                unknown => {
                    self.findings.add_unknown(unknown);
                    json.skip()?;
                }
            }
        }
        json.finish()?;
        if let Some(task) = head.task.as_deref().filter(|task| !is_slug(task)) {
            self.findings.add(Finding {
                check: Check::NameForm,
                place: "/task".into(),
                value: format!("\"{}\"", shown(task)),
                expected: "a name of a-z, 0-9 and single hyphens".into(),
            });
        }
        let missing: Vec<_> =
            [("task", keys.insert("task")), ("configurations", !has_configurations)]
                .into_iter()
                .filter_map(|(name, is_missing)| is_missing.then_some(name))
                .collect();
        if !missing.is_empty() {
            self.form(
                format!("an object without {}", missing.join(" and ")),
                "a leaderboard task file, an object with task and configurations",
            );
        } else if head.configurations == 0 {
            self.findings.add(Finding {
                check: Check::Rows,
                place: "/configurations".into(),
                value: "no configurations".into(),
                expected: "at least one".into(),
            });
        }
        Ok(head)
    }

    fn form(&mut self, value: String, expected: &str) {
        self.findings.add(Finding {
            check: Check::DocumentForm,
            place: "/".into(),
            value,
            expected: expected.into(),
        });
    }

    /// Reads a name of the document itself.
    fn title(&mut self, json: &mut Json<'_>, place: &str) -> Result<Option<String>, JsonError> {
        let mut title = SoundName::default();
        Ok(match title.take(json)? {
            Ok(()) => Some(title.text),
            Err((check, value, expected)) => {
                let (place, expected) = (place.into(), expected.into());
                self.findings.add(Finding { check, place, value, expected });
                None
            }
        })
    }

    fn configurations(&mut self, json: &mut Json<'_>) -> Result<u32, JsonError> {
        if json.peek()? != Kind::Array {
            let value = described(json)?;
            self.findings.add(Finding {
                check: Check::FieldType,
                place: "/configurations".into(),
                value,
                expected: "an array of configurations".into(),
            });
            return Ok(1);
        }
        let mut record = Record::default();
        let mut position = 0;
        json.begin_array()?;
        while json.next_element()? {
            self.configuration(json, &mut record, position)?;
            position += 1;
        }
        Ok(position)
    }

    fn configuration(
        &mut self,
        json: &mut Json<'_>,
        record: &mut Record,
        position: u32,
    ) -> Result<(), JsonError> {
        if json.peek()? != Kind::Object {
            let value = described(json)?;
            self.findings.add(Finding {
                check: Check::FieldType,
                place: format!("/configurations/{position}"),
                value,
                expected: "an object".into(),
            });
            return Ok(());
        }
        *self.at = At { position: Some(position), field: None, ..*self.at };
        record.clear();
        let faults_before = self.findings.count;
        self.fields(json, record, position)?;
        if self.findings.count == faults_before
            && let Some(configuration) = self.identify(record, position)
        {
            self.sink.configuration(configuration);
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
        let mut next = 0;
        json.begin_object()?;
        while let Some(key) = next_field(json, &mut record.passages, next)? {
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
            let (name, _, target) = FIELDS[index];
            self.at.field = Some(name);
            if record.seen & bit != 0 {
                self.findings.add(twice(&format!("/configurations/{position}"), name));
                json.skip()?;
                continue;
            }
            record.seen |= bit;
            if let Err((check, value, expected)) = record.take(json, target)? {
                let place = format!("/configurations/{position}/{name}");
                self.findings.add(Finding { check, place, value, expected: expected.into() });
            }
        }
        if record.seen != ALL_FIELDS {
            for (index, (name, ..)) in FIELDS.iter().enumerate() {
                if record.seen & (1 << index) == 0 {
                    self.findings.add(Finding {
                        check: Check::MissingField,
                        place: format!("/configurations/{position}/{name}"),
                        value: "nothing".into(),
                        expected: "this field".into(),
                    });
                }
            }
        }
        Ok(())
    }

    /// Numbers the record's names and checks its relations. None when something refuses it.
    fn identify(&mut self, record: &Record, position: u32) -> Option<Configuration> {
        let document = self.document;
        let pointer = |field: &str| format!("/configurations/{position}/{field}");
        let figures = record.measured();
        let (params_b, active_params_b) =
            (record.figure(Figure::ParamsB), record.figure(Figure::ActiveParamsB));
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
            let field = field_of_column(broken.column);
            found(broken.check, field, broken.value.to_string(), broken.expected);
        };
        check::relations(&figures, record.count(Count::MaxNumSeqs), &mut broken);
        check::model_relations(params_b, active_params_b, &mut broken);

        let mut fault = |(check, field, value, expected)| found(check, field, value, expected);
        let facts = Facts {
            hugging_face_id: record.name(Name::ModelId),
            name: record.name(Name::Nickname),
            params_b,
            active_params_b,
            architecture: record.name(Name::Architecture),
        };
        let place = || format!("{document}: /configurations/{position}");
        let model = identities.model(facts, place, &mut fault)?;
        let gpu = identities.gpu(record.name(Name::Gpu), &mut fault)?;
        let precision = identities.precision(record.name(Name::Precision), &mut fault)?;
        sound.then(|| Configuration {
            model,
            gpu,
            precision,
            num_gpus: record.count(Count::NumGpus),
            tensor_parallel: record.count(Count::TensorParallel),
            data_parallel: record.count(Count::DataParallel),
            expert_parallel: record.count(Count::ExpertParallel),
            max_num_seqs: record.count(Count::MaxNumSeqs),
            figures,
            position,
        })
    }
}

/// The next key of a configuration.
enum Key {
    /// That of the field at this index.
    Field(usize),
    /// One that this program does not know.
    Unknown(String),
}

/// Reads the next key of a configuration, which mostly is the field at `next`, written as it was in
/// the configuration before.
fn next_field(
    json: &mut Json<'_>,
    passages: &mut [Passage],
    next: usize,
) -> Result<Option<Key>, JsonError> {
    if passages.get(next).is_some_and(|passage| json.passes(passage)) {
        return Ok(Some(Key::Field(next)));
    }
    let mut learned = Passage::default();
    let Some(key) = json.next_key_learning(&mut learned)? else { return Ok(None) };
    let Some(index) = field_named(key, next) else { return Ok(Some(Key::Unknown(key.into()))) };
    if let (true, Some(passage)) = (index == next, passages.get_mut(index)) {
        *passage = learned;
    }
    Ok(Some(Key::Field(index)))
}

/// The fields of one configuration as they are read.
#[derive(Debug, Default)]
struct Record {
    /// How the key of each field was written.
    passages: [Passage; FIELDS.len()],
    figures: [f64; 12],
    counts: [u32; 5],
    names: [SoundName; 5],
    /// One bit for every field that stands in the object.
    seen: u32,
    unknown: Keys,
}

impl Record {
    fn clear(&mut self) {
        self.seen = 0;
        self.unknown.clear();
    }

    fn take(
        &mut self,
        json: &mut Json<'_>,
        target: Target,
    ) -> Result<Result<(), Refusal>, JsonError> {
        match target {
            Target::Figure(figure) => {
                take_number(json, number::figure, &mut self.figures[figure as usize])
            }
            Target::Count(count) => {
                take_number(json, number::count, &mut self.counts[count as usize])
            }
            Target::Name(Name::Gpu) => {
                let gpu = &mut self.names[Name::Gpu as usize];
                Ok(gpu.take(json)?.and_then(|()| no_slash(&gpu.text)))
            }
            Target::Name(name) => self.names[name as usize].take(json),
        }
    }

    fn figure(&self, figure: Figure) -> f64 {
        self.figures[figure as usize]
    }

    fn count(&self, count: Count) -> u32 {
        self.counts[count as usize]
    }

    fn name(&self, name: Name) -> &str {
        &self.names[name as usize].text
    }

    fn measured(&self) -> Figures {
        Figures {
            avg_running_batch: self.figure(Figure::AvgRunningBatch),
            tokens_per_second: self.figure(Figure::TokensPerSecond),
            power_watts: self.figure(Figure::PowerWatts),
            joules_per_output_token: self.figure(Figure::JoulesPerOutputToken),
            joules_per_request: self.figure(Figure::JoulesPerRequest),
            median_itl_ms: self.figure(Figure::MedianItlMs),
            p90_itl_ms: self.figure(Figure::P90ItlMs),
            p95_itl_ms: self.figure(Figure::P95ItlMs),
            p99_itl_ms: self.figure(Figure::P99ItlMs),
            avg_output_tokens: self.figure(Figure::AvgOutputTokens),
        }
    }
}

/// The field of this name. Fields mostly come in their order, so `next` is tried first.
fn field_named(key: &str, next: usize) -> Option<usize> {
    let is_named = |index: &usize| FIELDS.get(*index).is_some_and(|(name, ..)| *name == key);
    Some(next).filter(is_named).or_else(|| (0..FIELDS.len()).find(|index| is_named(index)))
}

/// The document's own name for a column.
pub fn field_of_column(column: &'static str) -> &'static str {
    FIELDS.iter().find(|(_, known, _)| *known == column).map_or(column, |(name, ..)| name)
}

fn twice(object: &str, key: &str) -> Finding {
    Finding {
        check: Check::DuplicateKey,
        place: format!("{object}/{}", shown(key).replace('~', "~0").replace('/', "~1")),
        value: "the key again".into(),
        expected: "every key once".into(),
    }
}
