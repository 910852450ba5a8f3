//! The answers of the queries that make a choice, computed from a parsed document by definition and without SQL.
//! Tests compare the named queries with them.

pub mod media;
pub mod plan;

use std::collections::BTreeMap;

use rusqlite::types::Value as Sql;
use serde_json::Value;

/// The percentiles in the order of [`Row::itl`].
pub const PERCENTILES: [&str; 4] = ["median", "p90", "p95", "p99"];

/// The arguments that are a deadline on each of them.
pub const HIGHEST_ITL: [&str; 4] = ["median_ms", "p90_ms", "p95_ms", "p99_ms"];

/// One measured configuration, as the document has it.
#[derive(Debug, Clone)]
pub struct Row {
    pub position: usize,
    pub hugging_face_id: String,
    pub name: String,
    pub slug: String,
    pub architecture: String,
    pub params_b: f64,
    pub active_params_b: f64,
    pub gpu: String,
    pub precision: String,
    pub num_gpus: i64,
    pub parallel: [i64; 3],
    pub max_num_seqs: i64,
    pub repeat: i64,
    pub load: f64,
    pub throughput: f64,
    pub watts: f64,
    pub joules: f64,
    pub itl: [f64; 4],
    pub output_tokens: f64,
    /// Requests in the histogram of the model's own file, where that is at hand.
    pub requests: Option<f64>,
}

/// What tells one series from another.
pub type Series = (String, String, i64, [i64; 3], String);

impl Row {
    pub fn row_id(&self) -> String {
        let repeat = if self.repeat > 1 { format!("/r{}", self.repeat) } else { String::new() };
        format!("{}/{}/{}/{}{repeat}", self.slug, self.gpu, self.num_gpus, self.max_num_seqs)
    }

    pub fn series(&self) -> Series {
        (self.slug.clone(), self.gpu.clone(), self.num_gpus, self.parallel, self.precision.clone())
    }

    pub fn watt_hours(&self) -> f64 {
        self.joules * 1e6 / 3600.0
    }

    pub fn ms_in_flight(&self) -> f64 {
        1000.0 * self.load / self.throughput
    }

    pub fn requests_per_second(&self) -> f64 {
        self.throughput / self.output_tokens
    }

    /// Little's law: requests in flight / requests per second.
    pub fn request_seconds(&self) -> f64 {
        self.load * self.output_tokens / self.throughput
    }

    pub fn requests_per_slot(&self) -> Option<f64> {
        self.requests.map(|requests| requests / self.load)
    }

    pub fn itl(&self, percentile: &str) -> f64 {
        self.itl[PERCENTILES.iter().position(|known| *known == percentile).unwrap()]
    }

    /// The order of choice.
    fn rank(&self) -> ([f64; 5], usize) {
        let [median, p90, p95, p99] = self.itl;
        ([self.joules, median, p90, p95, p99], self.position)
    }
}

/// Reads the configurations of a task file, in its order.
pub fn parse(document: &Value) -> Vec<Row> {
    let mut seen: BTreeMap<(String, String, i64, i64), i64> = BTreeMap::new();
    let mut rows = Vec::new();
    for (position, row) in document["configurations"].as_array().unwrap().iter().enumerate() {
        let text = |name: &str| row[name].as_str().unwrap().to_owned();
        let real = |name: &str| row[name].as_f64().unwrap();
        let whole = |name: &str| row[name].as_i64().unwrap();
        let slug = slug(&text("nickname"));
        let key = (slug.clone(), text("gpu_model"), whole("num_gpus"), whole("max_num_seqs"));
        let repeat = seen.entry(key).and_modify(|count| *count += 1).or_insert(1);
        rows.push(Row {
            position,
            hugging_face_id: text("model_id"),
            name: text("nickname"),
            slug,
            architecture: text("architecture"),
            params_b: real("total_params_billions"),
            active_params_b: real("activated_params_billions"),
            gpu: text("gpu_model"),
            precision: match text("weight_precision").as_str() {
                "bfloat16" => "BF16".into(),
                other => other.to_uppercase(),
            },
            num_gpus: whole("num_gpus"),
            parallel: [whole("tensor_parallel"), whole("data_parallel"), whole("expert_parallel")],
            max_num_seqs: whole("max_num_seqs"),
            repeat: *repeat,
            load: real("avg_batch_size"),
            throughput: real("output_throughput_tokens_per_sec"),
            watts: real("avg_power_watts"),
            joules: real("energy_per_token_joules"),
            itl: PERCENTILES.map(|percentile| real(&format!("{percentile}_itl_ms"))),
            output_tokens: real("avg_output_len"),
            requests: None,
        });
    }
    rows
}

/// Adds the requests in the histograms of a model's own file to its rows.
pub fn add_requests(rows: &mut [Row], file: &Value) {
    for told in file["configurations"].as_array().unwrap() {
        let Some(counts) = told["output_length_distribution"]["counts"].as_array() else {
            continue;
        };
        let requests = counts.iter().map(|count| count.as_f64().unwrap()).sum();
        let is_same = |row: &&mut Row| {
            row.hugging_face_id == file["model_id"].as_str().unwrap()
                && row.gpu == told["gpu_model"].as_str().unwrap()
                && told["num_gpus"] == row.num_gpus
                && told["max_num_seqs"] == row.max_num_seqs
                && told["output_throughput_tokens_per_sec"] == row.throughput
        };
        let row = rows.iter_mut().find(is_same);
        row.expect("a row of the task file").requests = Some(requests);
    }
}

pub(crate) fn slug(name: &str) -> String {
    let lower = name.to_lowercase();
    let words = lower.split(|letter: char| !letter.is_ascii_alphanumeric());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

/// The measurements of each configuration, in the order of the document, with its series.
fn measurements(rows: &[Row]) -> Vec<Vec<&Row>> {
    let mut of: Vec<Vec<&Row>> = Vec::new();
    for row in rows {
        let same =
            |known: &Row| known.series() == row.series() && known.max_num_seqs == row.max_num_seqs;
        match of.iter_mut().find(|known| same(known[0])) {
            Some(known) => known.push(row),
            None => of.push(vec![row]),
        }
    }
    of
}

/// The mean of a figure. What each addition rounds off is added at the end, so that the order of
/// the rows does not matter.
fn mean(of: &[&Row], figure: impl Fn(&Row) -> f64) -> f64 {
    let (mut sum, mut lost) = (0.0_f64, 0.0);
    for value in of.iter().map(|row| figure(row)) {
        let next = sum + value;
        lost += if sum.abs() > value.abs() { (sum - next) + value } else { (value - next) + sum };
        sum = next;
    }
    (sum + lost) / of.len() as f64
}

/// Every configuration once, at the mean of each figure, named as its first measurement.
pub fn means(rows: &[Row]) -> Vec<Row> {
    let merged = measurements(rows).into_iter().map(|of| Row {
        load: mean(&of, |row| row.load),
        throughput: mean(&of, |row| row.throughput),
        watts: mean(&of, |row| row.watts),
        joules: mean(&of, |row| row.joules),
        itl: std::array::from_fn(|index| mean(&of, |row| row.itl[index])),
        output_tokens: mean(&of, |row| row.output_tokens),
        // So many that the mean load has the fewest for each slot.
        requests: of
            .iter()
            .map(|row| row.requests_per_slot())
            .collect::<Option<Vec<f64>>>()
            .and_then(|all| all.into_iter().reduce(f64::min))
            .map(|least| least * mean(&of, |row| row.load)),
        ..of[0].clone()
    });
    merged.collect()
}

/// Limits on a choice; the default lets everything through but what misses 500 ms.
#[derive(Debug, Clone)]
pub struct Limits {
    pub percentile: &'static str,
    pub deadline_ms: f64,
    /// Further deadlines, on each of the percentiles.
    pub highest_itl: [Option<f64>; 4],
    pub max_request_seconds: Option<f64>,
    pub min_requests_per_slot: Option<f64>,
    pub max_gpus: Option<i64>,
    pub min_tokens_per_second: Option<f64>,
    pub max_power_watts: Option<f64>,
    pub precision: Option<String>,
    pub architecture: Option<String>,
    pub max_params_b: Option<f64>,
    pub repeats: &'static str,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            percentile: "median",
            deadline_ms: 500.0,
            highest_itl: [None; 4],
            max_request_seconds: None,
            min_requests_per_slot: None,
            max_gpus: None,
            min_tokens_per_second: None,
            max_power_watts: None,
            precision: None,
            architecture: None,
            max_params_b: None,
            repeats: "lowest",
        }
    }
}

impl Limits {
    pub fn let_through(&self, row: &Row) -> bool {
        row.itl(self.percentile) <= self.deadline_ms
            && self
                .highest_itl
                .iter()
                .zip(row.itl)
                .all(|(limit, itl)| limit.is_none_or(|limit| itl <= limit))
            && self.max_request_seconds.is_none_or(|limit| row.request_seconds() <= limit)
            && self
                .min_requests_per_slot
                .is_none_or(|limit| row.requests_per_slot().is_some_and(|some| some >= limit))
            && self.max_gpus.is_none_or(|limit| row.num_gpus <= limit)
            && self.min_tokens_per_second.is_none_or(|limit| row.throughput >= limit)
            && self.max_power_watts.is_none_or(|limit| row.watts <= limit)
            && self.precision.as_ref().is_none_or(|precision| row.precision == *precision)
            && self.architecture.as_ref().is_none_or(|name| row.architecture == *name)
            && self.max_params_b.is_none_or(|limit| row.params_b <= limit)
    }

    /// The arguments that ask a query for these limits.
    pub fn arguments(&self) -> Vec<(&'static str, String)> {
        let mut given = vec![
            ("percentile", self.percentile.to_owned()),
            ("deadline_ms", self.deadline_ms.to_string()),
            ("repeats", self.repeats.to_owned()),
        ];
        for (limit, name) in self.highest_itl.into_iter().zip(HIGHEST_ITL) {
            given.extend(limit.map(|limit| (name, limit.to_string())));
        }
        let seconds = self.max_request_seconds;
        given.extend(seconds.map(|limit| ("max_request_seconds", limit.to_string())));
        let requests = self.min_requests_per_slot;
        given.extend(requests.map(|limit| ("min_requests_per_slot", limit.to_string())));
        given.extend(self.max_gpus.map(|limit| ("max_gpus", limit.to_string())));
        let throughput = self.min_tokens_per_second;
        given.extend(throughput.map(|limit| ("min_tokens_per_second", limit.to_string())));
        given.extend(self.max_power_watts.map(|limit| ("max_power_watts", limit.to_string())));
        given.extend(self.precision.clone().map(|name| ("precision", name)));
        given.extend(self.architecture.clone().map(|name| ("architecture", name)));
        given.extend(self.max_params_b.map(|limit| ("max_params_b", limit.to_string())));
        given
    }
}

/// The choice for each model and GPU, in the order of energy.
pub fn best(rows: &[Row], limits: &Limits) -> Vec<Row> {
    let candidates = match limits.repeats {
        "lowest" => rows.to_vec(),
        "mean" => means(rows),
        _ => {
            let highest = |of: Vec<&Row>| {
                let joules = of.iter().map(|row| row.joules).fold(0.0, f64::max);
                of.into_iter().filter(move |row| row.joules == joules).cloned().collect::<Vec<_>>()
            };
            measurements(rows).into_iter().flat_map(highest).collect()
        }
    };
    let mut chosen: BTreeMap<(String, String), Row> = BTreeMap::new();
    for row in candidates.into_iter().filter(|row| limits.let_through(row)) {
        let known = chosen.entry((row.slug.clone(), row.gpu.clone())).or_insert(row.clone());
        if row.rank() < known.rank() {
            *known = row;
        }
    }
    let mut chosen: Vec<Row> = chosen.into_values().collect();
    chosen.sort_by(|left, right| {
        left.joules.total_cmp(&right.joules).then(left.row_id().cmp(&right.row_id()))
    });
    chosen
}

/// Whether the first beats the second: at least as good in both figures and better in one.
pub fn beats(first: (f64, f64), second: (f64, f64)) -> bool {
    first.0 <= second.0 && first.1 <= second.1 && (first.0 < second.0 || first.1 < second.1)
}

/// The two figures of a frontier, both better when lower.
pub fn figures(row: &Row, against: &str, percentile: &str) -> (f64, f64) {
    let other = match against {
        "itl" => row.itl(percentile),
        "request-time" => row.request_seconds(),
        _ => -row.throughput / row.num_gpus as f64,
    };
    (row.joules, other)
}

/// The configurations that none of the same scope beats.
pub fn pareto<'r>(rows: &'r [Row], scope: &str, against: &str, percentile: &str) -> Vec<&'r Row> {
    let competes = |row: &Row, other: &Row| match scope {
        "gpu" => row.slug == other.slug && row.gpu == other.gpu,
        "model" => row.slug == other.slug,
        _ => true,
    };
    let of = |row: &Row| figures(row, against, percentile);
    rows.iter()
        .filter(|row| !rows.iter().any(|other| competes(row, other) && beats(of(other), of(row))))
        .collect()
}

/// The rows of each series, in the order of load.
pub fn by_series(rows: &[Row]) -> BTreeMap<Series, Vec<&Row>> {
    let mut series: BTreeMap<Series, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        series.entry(row.series()).or_default().push(row);
    }
    for points in series.values_mut() {
        points.sort_by(|left, right| {
            left.load.total_cmp(&right.load).then(left.position.cmp(&right.position))
        });
    }
    series
}

/// A place on a curve.
#[derive(Debug, Clone)]
pub struct Place<'r> {
    pub status: &'static str,
    pub from: f64,
    pub to: f64,
    /// The neighbours and how far along from the first to the second.
    pub between: Option<(&'r Row, &'r Row, f64)>,
}

impl Place<'_> {
    /// A figure there, linear between the neighbours.
    pub fn figure(&self, figure: impl Fn(&Row) -> f64) -> Option<f64> {
        let (lower, upper, along) = self.between?;
        Some((1.0 - along) * figure(lower) + along * figure(upper))
    }
}

/// Where a series, as merged points in the order of load, first has this much of a figure.
pub fn at<'r>(points: &[&'r Row], figure: impl Fn(&Row) -> f64, given: f64) -> Place<'r> {
    let (first, rest) = points.split_first().unwrap();
    let to = points.iter().map(|row| figure(row)).fold(f64::MIN, f64::max);
    let place = |status, between| Place { status, from: figure(first), to, between };
    let measured = |row: &'r Row| place("measured", Some((row, row, 1.0)));
    if given < figure(first) {
        return place("below the measured range", None);
    }
    if given == figure(first) {
        return measured(first);
    }
    let mut reached = figure(first);
    let mut lower = *first;
    for &upper in rest {
        // A segment that does not exceed what was reached before is skipped.
        if figure(upper) > reached && given <= figure(upper) {
            if given == figure(upper) {
                return measured(upper);
            }
            let along = (given - figure(lower)) / (figure(upper) - figure(lower));
            return place("interpolated", Some((lower, upper, along)));
        }
        reached = reached.max(figure(upper));
        lower = upper;
    }
    place("above the measured range", None)
}

/// A configuration that was measured more than once.
pub struct Repeated<'r> {
    pub of: Vec<&'r Row>,
}

impl Repeated<'_> {
    /// Lowest, mean and highest of a figure.
    pub fn extent(&self, figure: impl Fn(&Row) -> f64) -> [f64; 3] {
        let all = self.of.iter().map(|row| figure(row));
        [
            all.clone().fold(f64::MAX, f64::min),
            mean(&self.of, &figure),
            all.fold(f64::MIN, f64::max),
        ]
    }
}

/// The configurations that were measured more than once, in the order of their names.
pub fn repeats(rows: &[Row]) -> Vec<Repeated<'_>> {
    let mut repeated: Vec<_> = measurements(rows)
        .into_iter()
        .filter(|of| of.len() > 1)
        .map(|of| Repeated { of })
        .collect();
    repeated.sort_by_key(|repeated| {
        let first = repeated.of[0];
        (first.slug.clone(), first.gpu.clone(), first.num_gpus, first.max_num_seqs, first.position)
    });
    repeated
}

/// The figure as SQLite has it.
pub fn real(value: f64) -> Sql {
    Sql::Real(value)
}

/// The text as SQLite has it.
pub fn text(value: impl Into<String>) -> Sql {
    Sql::Text(value.into())
}

/// The integer as SQLite has it.
pub fn whole(value: i64) -> Sql {
    Sql::Integer(value)
}

/// The figure, or null where there is none.
pub fn perhaps(value: Option<f64>) -> Sql {
    value.map_or(Sql::Null, Sql::Real)
}
