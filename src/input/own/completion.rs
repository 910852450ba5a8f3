//! Completes own configurations. Missing values are taken from the facts that the user gives, from the
//! built-in data if it contains the model, or computed from other figures. If something is still missing, a
//! finding asks for it by name.

use std::collections::{BTreeMap, BTreeSet};

use crate::input::document::Document;
use crate::input::findings::shown;
use crate::input::gpu_reference::rated_power_watts;
use crate::input::identities::{Facts, Fault};
use crate::input::number;
use crate::input::own::given::{Given, KnownModel, of_file};
use crate::input::own::row::{NAMES, Row};
use crate::input::own::run;
use crate::input::reader::Reader;
use crate::input::reading::Head;
use crate::input::value::{Refusal, name_fault, no_slash};
use crate::measurement::check::{self, Check, Finding, NOTHING};
use crate::measurement::columns::{Column, ITL, NULL, Table};
use crate::measurement::method::{self, Method};
use crate::measurement::plausible::Known;
use crate::measurement::product::Product;
use crate::measurement::record::Configuration;
use crate::slug::slug;
use crate::text::counted;

/// What a log of power has the energy of.
const OF_LOGS: &str = "gpu";
/// Models that a note names.
const MOST_SHOWN: usize = 3;

/// Completes the configurations of one document.
pub(super) struct Completion<'d> {
    given: &'d Given,
    product: Product,
    table: &'static Table,
    /// What is asked for: its name, the first place where it is missing, and the form of the value.
    asked: BTreeMap<String, (String, String)>,
    /// Columns that are not asked for, because a finding about them was already reported.
    reported: BTreeSet<&'static str>,
    /// The models whose facts are those of the built-in data.
    known: BTreeSet<String>,
    /// The degrees of parallelism and figures that were filled in.
    derived: BTreeSet<&'static str>,
    /// The names of given facts that hold of a row, or of the file.
    true_facts: BTreeSet<&'d str>,
    has_latencies: bool,
    /// Whether the energy of a run is from a log of power.
    has_logged_energy: bool,
    configurations: u32,
    /// What the user should know beside what was filled in.
    notes: Vec<String>,
}

impl<'d> Completion<'d> {
    pub fn of(document: &'d Document) -> Self {
        let product = document.form.product;
        Self {
            given: &document.given,
            product,
            table: product.table(),
            asked: BTreeMap::new(),
            reported: BTreeSet::new(),
            known: BTreeSet::new(),
            derived: BTreeSet::new(),
            true_facts: BTreeSet::new(),
            has_latencies: false,
            has_logged_energy: false,
            configurations: 0,
            notes: Vec::new(),
        }
    }

    /// Adds what the user should know of the document.
    pub fn note(&mut self, note: &str) {
        self.notes.push(note.to_owned());
    }

    /// Remembers which of the given facts hold of a row.
    fn compare(&mut self, row: &Row, model: Option<&KnownModel>) {
        let given = self.given;
        let is_true = |name: &str, value: &str| match (self.table.find(name), model) {
            (Some(at), _) => {
                read(&self.table.columns[at], value).is_ok_and(|of| of == row.values[at])
            }
            // Its id names the model, where the file has it.
            (None, Some(model)) if name == "model" => {
                let names = [&model.slug, &model.name, &model.hugging_face_id];
                names.into_iter().any(|of| *of == value || *of == slug(value))
            }
            (None, _) => row.names.get(name).is_some_and(|of| is_same(name, of, value)),
        };
        let facts: Vec<_> = given.facts().filter(|(name, value)| is_true(name, value)).collect();
        self.true_facts.extend(facts.into_iter().map(|(name, _)| name));
    }

    /// Refuses values that were computed from the file's and are none that a table may store.
    fn check_ranges(&self, reader: &mut Reader<'_, '_>, row: &Row) {
        for (column, value) in self.table.columns.iter().zip(row.values) {
            if value != NULL
                && let Some(expected) = number::fault(value, column.is_whole)
            {
                let place = row.place_of(column.name);
                reader.refuse(place, (Check::NumberRange, shown(&value.to_string()), expected));
            }
        }
    }

    /// Completes a row, checks it and hands it on.
    pub fn take(&mut self, reader: &mut Reader<'_, '_>, mut row: Row) {
        self.configurations += 1;
        let faults_before = reader.report.findings.count;
        self.fill_in(reader, &mut row);
        match run::fill_in(reader, self.given, &mut row) {
            run::From::Document => {}
            run::From::Log => self.has_logged_energy = true,
            run::From::Nowhere => {
                self.reported.extend(run::OF_ENERGY);
                // A log that can be used also tells whose energy it has.
                self.reported.extend(self.given.power.is_some().then_some("energy_boundary"));
            }
        }
        let model = self.model(reader, &mut row);
        self.compare(&row, model.as_ref());
        self.derive(&mut row);
        self.check_ranges(reader, &row);
        self.has_latencies |= ITL.into_iter().any(|column| row.get(self.table, column).is_some());
        let is_complete = self.ask(&row);
        let is_sound = is_complete && reader.report.findings.count == faults_before;
        let Some(model) = model.filter(|_| is_sound) else { return };
        let known = Known {
            rated_power_watts: row.names.get("gpu").and_then(|gpu| rated_power_watts(gpu)),
            active_params_b: model.active_params_b,
        };
        check::relations(self.product, &row.values, known, &mut |broken| {
            let check::Broken { check, column, value, expected } = broken;
            let place = row.place_of(column);
            reader.report.found(Finding { check, place, value: value.to_string(), expected });
        });
        let report = &mut reader.report;
        let identities = &mut *reader.identities;
        let mut fault = |fault: Fault| report.found(finding(&row, fault));
        let name = |name: &str| row.names.get(name).map_or("", String::as_str);
        let place = match row.place.as_str() {
            "" => reader.document.to_owned(),
            place => format!("{}: {place}", reader.document),
        };
        let facts = Facts {
            hugging_face_id: &model.hugging_face_id,
            name: Some(&model.name),
            params_b: model.params_b.unwrap_or(NULL),
            active_params_b: model.active_params_b.unwrap_or(NULL),
            architecture: model.architecture.as_deref(),
        };
        let model = identities.model(facts, || place.clone(), &mut fault);
        let gpu = identities.gpu(name("gpu"), &mut fault);
        let precision = identities.precision(&source_precision(name("precision")), &mut fault);
        if let (Some(model), Some(gpu), Some(precision)) = (model, gpu, precision)
            && report.findings.count == faults_before
        {
            let (values, position) = (row.values, row.position);
            let configuration = Configuration { model, gpu, precision, values, position };
            report.batches.row(configuration, None);
        }
    }

    /// Counts a configuration of which nothing can be stored, as was reported.
    pub fn skip(&mut self) {
        self.configurations += 1;
    }

    /// Ends the document: what is said of it as a whole. `say` is what the file says itself.
    pub fn end(
        mut self,
        reader: &mut Reader<'_, '_>,
        say: impl Fn(&str) -> Option<String>,
    ) -> Head {
        let has_logged_energy = self.has_logged_energy;
        let given = self.given;
        let mut of_file = |name: &'static str| {
            let fact = given.get(name);
            let value = say(name).or_else(|| fact.map(str::to_owned));
            self.true_facts.extend(fact.filter(|of| value.as_deref() == Some(of)).map(|_| name));
            value
        };
        let task = of_file("task");
        let workload = of_file("workload");
        let mut method = Method(method::FACTS.each_ref().map(|fact| of_file(fact.name)));
        if has_logged_energy {
            let boundary = method.0[method::ENERGY_BOUNDARY].get_or_insert_with(|| OF_LOGS.into());
            if boundary != OF_LOGS {
                let expected = "gpu, because a power log contains only GPUs";
                reader.add(Check::PowerLog, "energy_boundary", boundary.clone(), expected);
            }
        }
        method.0[method::IS_ESTIMATED].get_or_insert_with(|| "false".into());
        // The name of the source is that of the survey.
        of_file("source");
        let mut needed = vec![method::ENERGY_BOUNDARY, method::MEASUREMENT_WINDOW];
        needed.extend(self.has_latencies.then_some(method::ITL_KIND));
        if task.is_none() {
            self.ask_for("task", "task", "NAME");
        }
        for at in needed.into_iter().filter(|at| method.get(*at).is_none()) {
            let fact = &method::FACTS[at];
            self.ask_for(fact.name, fact.name, &fact.choices.join("|"));
        }
        self.report_asked(reader);
        Head {
            task,
            configurations: self.configurations,
            workload,
            method,
            power_log: self
                .given
                .power
                .as_ref()
                .filter(|_| has_logged_energy)
                .map(|log| log.origin.clone()),
            notes: self.notes(),
            idle_facts: given
                .facts()
                .filter(|(name, _)| !self.true_facts.contains(name))
                .map(|(name, value)| format!("{name}={value}"))
                .collect(),
            ..Head::default()
        }
    }

    /// What the user should know of what was filled in.
    fn notes(&self) -> Vec<String> {
        let mut notes = self.notes.clone();
        if !self.known.is_empty() {
            let mut names: Vec<_> =
                self.known.iter().take(MOST_SHOWN).map(String::as_str).collect();
            if self.known.len() > MOST_SHOWN {
                names.push("…");
            }
            notes.push(format!(
                "the facts of {} are taken from the built-in data ({})",
                counted(self.known.len() as u64, "model"),
                names.join(", ")
            ));
        }
        if !self.derived.is_empty() {
            let names: Vec<_> = self.derived.iter().copied().collect();
            notes.push(format!(
                "missing facts were filled in: {}; 'energydb template' shows how to give them",
                names.join(", ")
            ));
        }
        notes
    }

    /// Takes what the row lacks from what is given.
    fn fill_in(&mut self, reader: &mut Reader<'_, '_>, row: &mut Row) {
        let given = self.given;
        for name in NAMES {
            if !row.names.contains_key(name)
                && let Some(value) = given.get(name)
            {
                row.names.insert(name, value.into());
            }
        }
        for (at, column) in self.table.columns.iter().enumerate() {
            if row.values[at] == NULL
                && let Some(value) = given.get(column.name)
            {
                match read(column, value) {
                    Ok(value) => row.values[at] = value,
                    Err(refusal) => {
                        if self.reported.insert(column.name) {
                            reader.refuse(format!("--fact {}", column.name), refusal);
                        }
                    }
                }
            }
        }
        for name in NAMES {
            let Some(value) = row.names.get(name) else { continue };
            let fault = name_fault(value)
                .map(|expected| (Check::NameForm, format!("\"{value}\""), expected));
            let slash = || if name == "gpu" { no_slash(value).err() } else { None };
            if let Some(refusal) = fault.or_else(slash) {
                reader.refuse(row.place_of(name), refusal);
            }
        }
    }

    /// The facts of the row's model.
    fn model(&mut self, reader: &mut Reader<'_, '_>, row: &mut Row) -> Option<KnownModel> {
        let id = row.names.get("hugging_face_id");
        let word = row.names.get("model");
        let is_known = |known: &&KnownModel| match (id, word) {
            (Some(id), _) => known.hugging_face_id == *id,
            (None, Some(word)) => {
                let names = [&known.slug, &known.name, &known.hugging_face_id];
                names.into_iter().any(|name| name.eq_ignore_ascii_case(word))
            }
            (None, None) => false,
        };
        let known = self.given.models.iter().find(is_known);
        let id = known
            .map(|known| known.hugging_face_id.clone())
            .or_else(|| id.cloned())
            .or_else(|| word.filter(|word| word.contains('/')).cloned());
        let Some(id) = id else {
            self.ask_for(&row.place_of("hugging_face_id"), "hugging_face_id", "ORG/MODEL");
            return None;
        };
        let mut number = |name: &'static str, known: Option<f64>| match row.names.get(name) {
            Some(text) => match number::figure(text) {
                Ok(figure) => Some(figure),
                Err(refusal) => {
                    reader.refuse(row.place_of(name), refusal);
                    None
                }
            },
            None => known,
        };
        let params_b = number("params_b", known.and_then(|known| known.params_b));
        let active_params_b =
            number("active_params_b", known.and_then(|known| known.active_params_b));
        let architecture = row.names.get("architecture").cloned();
        let of_id = || id.rsplit('/').next().unwrap_or_default().to_owned();
        let plain = word.filter(|word| !word.contains('/') && **word != slug(word));
        let name = row
            .names
            .get("model_name")
            .cloned()
            .or_else(|| known.map(|known| known.name.clone()))
            .or_else(|| plain.cloned())
            .unwrap_or_else(of_id);
        if let Some(known) = known {
            let is_taken = (params_b == known.params_b && !row.names.contains_key("params_b"))
                || !row.names.contains_key("model_name");
            if is_taken {
                self.known.insert(known.slug.clone());
            }
        }
        if let (Some(params_b), Some(active)) = (params_b, active_params_b) {
            check::model_relations(params_b, active, &mut |broken| {
                let check::Broken { check, value, expected, column } = broken;
                let place = row.place_of(column);
                reader.report.found(Finding { check, place, value: value.to_string(), expected });
            });
        }
        Some(KnownModel {
            slug: slug(&name),
            name,
            hugging_face_id: id,
            params_b,
            active_params_b,
            architecture: architecture
                .or_else(|| known.and_then(|known| known.architecture.clone())),
        })
    }

    /// Fills in what follows from other columns.
    fn derive(&mut self, row: &mut Row) {
        let (table, derived) = (self.table, &mut self.derived);
        let at = |name: &str| table.find(name);
        let before = row.values;
        let values = &mut row.values;
        let mut fill = |name: &'static str, value: f64| {
            if let Some(at) = at(name)
                && values[at] == NULL
                && let Some(value) = number::above_zero(value)
            {
                values[at] = value;
                derived.insert(name);
            }
        };
        let value = |name: &str, values: &[f64]| at(name).map_or(NULL, |at| values[at]);
        let gpus = value("num_gpus", &before);
        match self.product {
            Product::Tokens => {
                let (joules, rate, power) = (
                    value("joules_per_output_token", &before),
                    value("tokens_per_second", &before),
                    value("power_watts", &before),
                );
                fill("joules_per_output_token", power / rate);
                fill("tokens_per_second", power / joules);
                fill("power_watts", joules * rate);
                let joules = if joules == NULL { power / rate } else { joules };
                fill("joules_per_request", joules * value("avg_output_tokens", &before));
                fill("data_parallel", 1.0);
                fill("expert_parallel", 1.0);
                if gpus == 1.0 {
                    fill("tensor_parallel", 1.0);
                }
            }
            Product::Images | Product::Videos => {
                let (joules, rate, power) = (
                    value("joules_per_output", &before),
                    value("outputs_per_second", &before),
                    value("power_watts", &before),
                );
                let batch = value("batch_size", &before);
                let latency = value("batch_latency_s", &before);
                let rate = if rate == NULL { batch / latency } else { rate };
                fill("outputs_per_second", rate);
                fill("batch_latency_s", batch / rate);
                fill("joules_per_output", power / rate);
                fill("power_watts", joules * rate);
                if gpus == 1.0 {
                    fill("ulysses_degree", 1.0);
                    fill("ring_degree", 1.0);
                }
            }
        }
    }

    /// Asks for what the row still lacks, and says whether it lacks nothing.
    fn ask(&mut self, row: &Row) -> bool {
        let mut is_complete = true;
        for (at, column) in self.table.columns.iter().enumerate() {
            if row.values[at] == NULL && column.is_needed {
                let value = if column.unit.is_empty() { "N" } else { column.unit };
                self.ask_for(&row.place_of(column.name), column.name, value);
                is_complete = false;
            }
        }
        for name in ["gpu", "precision"] {
            if !row.names.contains_key(name) {
                self.ask_for(&row.place_of(name), name, &name.to_uppercase());
                is_complete = false;
            }
        }
        is_complete
    }

    /// Asks for something, where it is missing first.
    fn ask_for(&mut self, place: &str, name: &str, value: &str) {
        if self.reported.contains(name) {
            return;
        }
        let asked = || (place.to_owned(), value.to_owned());
        self.asked.entry(name.to_owned()).or_insert_with(asked);
    }

    /// Reports what is asked for, in the order of the template's columns, each with the flag that
    /// gives it.
    fn report_asked(&mut self, reader: &mut Reader<'_, '_>) {
        let columns = self.table.columns.iter().map(|column| column.name);
        for name in of_file().chain(NAMES).chain(columns) {
            if let Some((place, value)) = self.asked.remove(name) {
                let expected = format!("put it into the file, or give --fact {name}={value}");
                reader.add(Check::MissingField, place, NOTHING, expected);
            }
        }
    }
}

/// Whether two values of a name are one.
fn is_same(name: &str, one: &str, other: &str) -> bool {
    match (one.parse::<f64>(), other.parse::<f64>()) {
        (Ok(one), Ok(other)) => one == other,
        _ if name == "precision" => source_precision(one) == source_precision(other),
        _ => one.eq_ignore_ascii_case(other),
    }
}

/// Reads the value of a column.
pub(super) fn read(column: &Column, text: &str) -> Result<f64, Refusal> {
    if column.is_whole { number::count(text).map(f64::from) } else { number::figure(text) }
}

/// The name that the leaderboard's documents have for a precision: `bfloat16` for `BF16`.
fn source_precision(name: &str) -> String {
    match name.to_ascii_lowercase().as_str() {
        "bf16" => "bfloat16".into(),
        "fp16" => "float16".into(),
        "fp32" => "float32".into(),
        lower => lower.into(),
    }
}

/// The finding for a fault in a name, by the name that own columns have for its field.
fn finding(row: &Row, (check, field, value, expected): Fault) -> Finding {
    let column = match field {
        "model_id" => "hugging_face_id",
        "nickname" => "model_name",
        "total_params_billions" => "params_b",
        "activated_params_billions" => "active_params_b",
        "gpu_model" => "gpu",
        "weight_precision" => "precision",
        other => other,
    };
    Finding { check, place: row.place_of(column), value, expected }
}
