//! Every value of a valid document is in the database bit for bit, and in the published documents within
//! their precision.

use std::collections::BTreeMap;
use std::fs;

use crate::common::documents::{self, Row};
use crate::common::{DATA, DAY, Folder, SIZES};
use energydb::database::build::{Plan, Progress, fill};
use energydb::database::dates::Dates;
use energydb::input::document::Document;
use energydb::input::findings::Accepted;
use energydb::input::read;
use energydb::manifest::Manifest;
use energydb::signal::Signals;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use rusqlite::Connection;
use serde_json::Value;

/// Decimal exponents of figures: all that doubles have, but for those at which a figure in another
/// unit would have no double.
const EXPONENTS: std::ops::Range<f64> = -300.0..300.0;

#[derive(Debug, Clone)]
struct Model {
    id: String,
    name: String,
    architecture: &'static str,
    params_b: f64,
    active_params_b: f64,
}

#[derive(Debug, Clone)]
struct Configuration {
    model: Index,
    gpu: &'static str,
    precision: &'static str,
    counts: [u32; 5],
    load: f64,
    joules_per_token: f64,
    tokens_per_second: f64,
    output_tokens: f64,
    /// How far power and energy per request are from their identities.
    off: (f64, f64),
    itl_ms: [f64; 4],
}

#[derive(Debug, Clone)]
struct Measured {
    task: String,
    title: Option<String>,
    models: Vec<Model>,
    configurations: Vec<Configuration>,
    task_first: bool,
}

/// A figure of any size and with any digits.
fn figure(exponents: std::ops::Range<f64>) -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => (exponents.clone(), 1.0..10.0_f64).prop_map(|(exponent, digits)| {
            digits * 10_f64.powf(exponent.floor())
        }),
        4 => 1e-3..1e5_f64,
        1 => (1_u32..100_000).prop_map(f64::from),
        1 => (1_u32..100_000).prop_map(|whole| f64::from(whole) + 0.5),
        1 => Just(exponents).prop_map(|exponents| 10_f64.powf(exponents.start.ceil())),
    ]
}

/// What a name may hold: it begins and ends with something that is seen.
fn name() -> impl Strategy<Value = String> {
    "[A-Za-z0-9éΣ数][A-Za-z0-9 ._:+/()é\"\\\\=-]{0,30}[A-Za-z0-9éΣ数🙂)]"
}

fn model() -> impl Strategy<Value = Model> {
    let architectures = select(vec!["Dense Transformer", "MoE", "Mamba-Transformer Hybrid"]);
    (name(), name(), architectures, figure(EXPONENTS), 0.0..=1.0_f64).prop_map(
        |(id, name, architecture, params_b, share)| {
            let least = (params_b * 1e-3).max(10_f64.powf(EXPONENTS.start));
            let active_params_b = (params_b * share).max(least);
            Model { id, name, architecture, params_b, active_params_b }
        },
    )
}

fn count() -> impl Strategy<Value = u32> {
    prop_oneof![3 => 1_u32..9, 2 => 1_u32..5000, 1 => Just(u32::MAX), 1 => 1..u32::MAX]
}

prop_compose! {
    fn configuration()(
        model in any::<Index>(),
        gpu in select(vec!["B200", "H100", "L40S 48GB", "é-GPU \"X\""]),
        precision in select(vec!["bfloat16", "fp8", "mxfp4", "Int 4 (AWQ)"]),
        counts in [count(), count(), count(), count(), count()],
        share in prop_oneof![Just(1.0), 1e-6..1.0_f64],
        joules_per_token in figure(-140.0..140.0),
        tokens_per_second in figure(-140.0..140.0),
        output_tokens in figure(-140.0..140.0),
        off in (-9e-7..9e-7_f64, prop_oneof![Just(0.0), -9e-7..9e-7_f64]),
        mut itl_ms in [figure(EXPONENTS), figure(EXPONENTS), figure(EXPONENTS), figure(EXPONENTS)],
    ) -> Configuration {
        itl_ms.sort_by(f64::total_cmp);
        Configuration {
            load: f64::from(counts[2]) * share,
            model, gpu, precision, counts, joules_per_token, tokens_per_second, output_tokens, off, itl_ms,
        }
    }
}

prop_compose! {
    fn measured()(
        task in "[a-z0-9]{1,8}(-[a-z0-9]{1,8}){0,2}",
        title in proptest::option::of(name()),
        models in prop::collection::vec(model(), 1..5),
        configurations in prop::collection::vec(configuration(), 1..40),
        task_first in any::<bool>(),
    ) -> Measured {
        let models = models.into_iter().enumerate().map(|(number, model)| Model {
            // A name of its own, also where only letters and digits count.
            id: format!("lab/{} {number}", model.id),
            name: format!("{} {number}", model.name),
            ..model
        });
        Measured { task, title, models: models.collect(), configurations, task_first }
    }
}

impl Configuration {
    fn power(&self) -> f64 {
        self.joules_per_token * self.tokens_per_second * (1.0 + self.off.0)
    }

    fn joules_per_request(&self) -> f64 {
        self.joules_per_token * self.output_tokens * (1.0 + self.off.1)
    }

    fn row(&self, models: &[Model]) -> Row {
        let model = self.model.get(models);
        let number = |number: f64| format!("{number:?}").into_bytes();
        let count = |index: usize| self.counts[index].to_string().into_bytes();
        let text = |text: &str| serde_json::to_vec(text).unwrap();
        let fields = [
            ("activated_params_billions", number(model.active_params_b)),
            ("architecture", text(model.architecture)),
            ("avg_batch_size", number(self.load)),
            ("avg_output_len", number(self.output_tokens)),
            ("avg_power_watts", number(self.power())),
            ("data_parallel", count(0)),
            ("energy_per_request_joules", number(self.joules_per_request())),
            ("energy_per_token_joules", number(self.joules_per_token)),
            ("expert_parallel", count(1)),
            ("gpu_model", text(self.gpu)),
            ("max_num_seqs", count(2)),
            ("median_itl_ms", number(self.itl_ms[0])),
            ("model_id", text(&model.id)),
            ("nickname", text(&model.name)),
            ("num_gpus", count(3)),
            ("output_throughput_tokens_per_sec", number(self.tokens_per_second)),
            ("p90_itl_ms", number(self.itl_ms[1])),
            ("p95_itl_ms", number(self.itl_ms[2])),
            ("p99_itl_ms", number(self.itl_ms[3])),
            ("tensor_parallel", count(4)),
            ("total_params_billions", number(model.params_b)),
            ("weight_precision", text(self.precision)),
        ];
        Row(fields.into_iter().map(|(name, value)| (name.into(), value)).collect())
    }
}

impl Measured {
    fn document(&self) -> Vec<u8> {
        let rows: Vec<_> = self.configurations.iter().map(|row| row.row(&self.models)).collect();
        let whole = documents::document_of(&self.task, &rows);
        let array = &whole[whole.iter().position(|byte| *byte == b'[').unwrap()
            ..=whole.iter().rposition(|byte| *byte == b']').unwrap()];
        let task = format!("\"task\": \"{}\"", self.task);
        let title = self.title.as_ref().map(|title| {
            format!(", \"task_display_name\": {}", serde_json::to_string(title).unwrap())
        });
        let title = title.unwrap_or_default();
        let (before, after) = if self.task_first {
            (format!("{task}{title}, "), String::new())
        } else {
            (String::new(), format!(", {task}{title}"))
        };
        let start = format!("{{{before}\"configurations\": ");
        [start.as_bytes(), array, after.as_bytes(), b"}"].concat()
    }
}

/// Builds a database in memory.
fn built(folder: &Folder, document: &[u8]) -> Connection {
    let path = folder.write("in.json", document);
    let signals = Signals::none();
    let plan = Plan {
        order: read::order(Document::of_inputs(&[path], &signals).unwrap()).unwrap(),
        manifest: Manifest::built_in().unwrap(),
        dates: Dates::of(DAY),
        accept: Accepted(SIZES.to_vec()),
        strict: true,
    };
    let mut connection = Connection::open_in_memory().unwrap();
    let outcome = fill(&mut connection, &plan, &Progress::default(), &signals).unwrap();
    for document in &outcome.documents {
        assert_eq!(document.findings.told, []);
    }
    assert!(outcome.is_sound());
    connection
}

/// What the database contains of each configuration, in the order of the document.
fn stored(connection: &Connection) -> Vec<(Vec<String>, Vec<u64>, Vec<i64>)> {
    let mut statement = connection
        .prepare(
            "select tasks.task, models.hugging_face_id, models.model_name, models.architecture, \
             gpus.gpu, precisions.source_name, \
             models.params_b, models.active_params_b, avg_running_batch, tokens_per_second, \
             power_watts, joules_per_output_token, joules_per_request, median_itl_ms, p90_itl_ms, \
             p95_itl_ms, p99_itl_ms, avg_output_tokens, \
             data_parallel, expert_parallel, max_num_seqs, num_gpus, tensor_parallel, repeat \
             from configurations join tasks using (task_id) join models using (model_id) \
             join gpus using (gpu_id) join precisions using (precision_id) \
             order by document_position",
        )
        .unwrap();
    let rows = statement.query_map([], |row| {
        let texts = (0..6).map(|column| row.get(column)).collect::<Result<_, _>>()?;
        let figures = (6..18).map(|column| row.get::<_, f64>(column).map(f64::to_bits));
        let counts = (18..24).map(|column| row.get(column)).collect::<Result<_, _>>()?;
        Ok((texts, figures.collect::<Result<_, _>>()?, counts))
    });
    rows.unwrap().collect::<Result<_, _>>().unwrap()
}

fn expected(measured: &Measured) -> Vec<(Vec<String>, Vec<u64>, Vec<i64>)> {
    let mut repeats = BTreeMap::new();
    let row = |row: &Configuration| {
        let model = row.model.get(&measured.models);
        let texts =
            [&measured.task, &model.id, &model.name, model.architecture, row.gpu, row.precision];
        let [median, p90, p95, p99] = row.itl_ms;
        let figures = [
            model.params_b,
            model.active_params_b,
            row.load,
            row.tokens_per_second,
            row.power(),
            row.joules_per_token,
            row.joules_per_request(),
            median,
            p90,
            p95,
            p99,
            row.output_tokens,
        ];
        let key = (&model.id, row.gpu, row.counts[3], row.counts[2]);
        let repeat = repeats.entry(key).or_insert(0_i64);
        *repeat += 1;
        let counts = row.counts.iter().map(|count| i64::from(*count)).chain([*repeat]).collect();
        (texts.map(String::from).to_vec(), figures.map(f64::to_bits).to_vec(), counts)
    };
    measured.configurations.iter().map(row).collect()
}

/// Whether a published figure is the measured one, rounded to a number of decimals.
fn is_rounded(published: &Value, measured: f64, decimals: i32) -> bool {
    let half = 0.5 * 10_f64.powi(-decimals);
    let published = published.as_f64().unwrap();
    // Halfway between two, the nearest double of the one chosen may be a little farther off.
    (published - measured).abs() <= half + measured.abs() * f64::EPSILON
}

/// Asserts that the published documents hold every configuration, each as its figures round.
fn assert_published(folder: &Folder, measured: &Measured) {
    let mut rows = 0;
    for model in &measured.models {
        let slug = energydb::slug::slug(&model.name);
        let path = folder.path("out").join(&measured.task).join(format!("{slug}.json"));
        let Ok(text) = fs::read(path) else {
            let is_measured = |row: &Configuration| row.model.get(&measured.models).id == model.id;
            assert!(!measured.configurations.iter().any(is_measured), "{slug} is not published");
            continue;
        };
        let document: Value = serde_json::from_slice(&text).unwrap();
        assert_eq!(document["name"], model.name.as_str());
        assert_eq!(document["model_id"], model.id.as_str());
        assert_eq!(document["params_b"].as_f64(), Some(model.params_b));
        let published = document["configurations"].as_array().unwrap();
        let mut left: Vec<_> = measured
            .configurations
            .iter()
            .filter(|row| row.model.get(&measured.models).id == model.id)
            .collect();
        assert_eq!(published.len(), left.len());
        for row in published {
            let wh = |of: &Configuration| of.joules_per_token * 1e6 / 3600.0;
            let is_it = |of: &&Configuration| {
                row["gpu"] == of.gpu
                    && row["num_gpus"] == of.counts[3]
                    && row["max_num_seqs"] == of.counts[2]
                    && is_rounded(&row["wh_per_million_output_tokens"], wh(of), 2)
                    && is_rounded(&row["joules_per_output_token"], of.joules_per_token, 7)
                    && is_rounded(&row["median_itl_ms"], of.itl_ms[0], 1)
                    && is_rounded(&row["p90_itl_ms"], of.itl_ms[1], 1)
                    && is_rounded(&row["p95_itl_ms"], of.itl_ms[2], 1)
                    && is_rounded(&row["p99_itl_ms"], of.itl_ms[3], 1)
                    && is_rounded(&row["tokens_per_second"], of.tokens_per_second, 1)
                    && is_rounded(&row["avg_requests_in_flight"], of.load, 1)
                    && is_rounded(&row["gpu_power_watts_total"], of.power(), 0)
            };
            let found = left.iter().position(is_it);
            left.remove(found.unwrap_or_else(|| panic!("{row} was not measured: {left:#?}")));
            rows += 1;
        }
    }
    assert_eq!(rows, measured.configurations.len());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn any_valid_document_comes_back_from_the_database_bit_for_bit(measured in measured()) {
        let folder = Folder::new();
        let connection = built(&folder, &measured.document());
        prop_assert_eq!(stored(&connection), expected(&measured));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn any_valid_document_comes_back_from_the_export_as_it_rounds(measured in measured()) {
        let folder = Folder::new();
        folder.write("in.json", measured.document());
        let accept = SIZES.iter().flat_map(|check| ["--accept", check.name()]);
        folder.run(["build", "in.json"].into_iter().chain(accept)).succeeded();
        folder.run(["export", "-o", "out"]).succeeded();
        assert_published(&folder, &measured);
    }
}

#[test]
fn every_number_of_the_real_file_is_stored_as_another_parser_reads_it() {
    let folder = Folder::new();
    let text = fs::read(DATA).unwrap();
    let connection = built(&folder, &text);
    let document: Value = serde_json::from_slice(&text).unwrap();
    let rows = document["configurations"].as_array().unwrap();
    let stored = stored(&connection);
    assert_eq!(stored.len(), rows.len());
    for ((texts, figures, counts), row) in stored.iter().zip(rows) {
        let fields = [
            "total_params_billions",
            "activated_params_billions",
            "avg_batch_size",
            "output_throughput_tokens_per_sec",
            "avg_power_watts",
            "energy_per_token_joules",
            "energy_per_request_joules",
            "median_itl_ms",
            "p90_itl_ms",
            "p95_itl_ms",
            "p99_itl_ms",
            "avg_output_len",
        ];
        let numbers = fields.map(|field| row[field].as_f64().unwrap().to_bits());
        assert_eq!(*figures, numbers);
        let fields =
            ["data_parallel", "expert_parallel", "max_num_seqs", "num_gpus", "tensor_parallel"];
        assert_eq!(counts[..5], fields.map(|field| row[field].as_i64().unwrap()));
        let fields = ["model_id", "nickname", "architecture", "gpu_model", "weight_precision"];
        assert_eq!(texts[1..], fields.map(|field| row[field].as_str().unwrap()));
    }
}
