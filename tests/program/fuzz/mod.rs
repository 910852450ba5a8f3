//! Runs the program on inputs that nobody wrote: the corpus in `tests/fuzz`, changed at random.
//!
//! With every input, the program ends by itself, with a documented status and at most one error line, within
//! limits of time and memory. A database that it builds passes its own checks. The number of a case makes the
//! same input again:
//!
//! ```text
//! ENERGYDB_FUZZ_SECONDS=3600 cargo test --test program -- --ignored --nocapture fuzz::
//! ENERGYDB_FUZZ_CASE=17 cargo test --test program -- --ignored --nocapture fuzz::
//! ENERGYDB_FUZZ_KINDS=results,logs …                               these kinds alone
//! ENERGYDB_FUZZ_PROGRAM=target/release/energydb …                  another build of the program
//! ```
//! An input that fails is kept in the folder `energydb-fuzz` in the system's temporary folder. Add it to the corpus
//! once it is understood.

mod change;

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::OnceLock;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use serde_json::Value;

use crate::common::{Folder, in_project, workloads};
use change::{Random, bytes_changed, json_changed, text_changed};

/// The statuses that the program documents.
const STATUSES: [i32; 6] = [0, 1, 2, 3, 130, 143];
/// The longest that a command may take of a processor; on a busy machine the clock says nothing.
const LONGEST: Duration = Duration::from_secs(20);
/// The longest that a command may wait for a processor or anything else.
const PATIENCE: Duration = Duration::from_secs(180);
/// How often a second the system counts the time of a processor, on every Linux.
const TICKS: u64 = 100;
/// The most memory that a command may take, in KiB.
const MOST_KIB: u64 = 500 * 1000;
/// Cases of the ordinary suite, beside the corpus as it is.
const USUAL_CASES: u64 = 24;

/// What kind of input is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Documents,
    /// Measurements that are not the leaderboard's.
    Results,
    /// Logs of power beside a result.
    Logs,
    Manifests,
    Queries,
    Profiles,
    Statements,
    Databases,
}

const KINDS: [Kind; 8] = [
    Kind::Documents,
    Kind::Results,
    Kind::Logs,
    Kind::Manifests,
    Kind::Queries,
    Kind::Profiles,
    Kind::Statements,
    Kind::Databases,
];

impl Kind {
    fn folder(self) -> &'static str {
        match self {
            Self::Documents => "documents",
            Self::Results => "results",
            Self::Logs => "logs",
            Self::Manifests => "manifests",
            Self::Queries => "queries",
            Self::Profiles => "profiles",
            Self::Statements => "statements",
            Self::Databases => "databases",
        }
    }

    /// The inputs that begin this kind, in the order of their names: the corpus, and what other tests
    /// read.
    fn corpus(self) -> Vec<Vec<u8>> {
        let mut files = files_in(&in_project("tests/fuzz").join(self.folder()));
        let more = match self {
            Self::Documents => vec![workloads(), in_project("tests/cases/documents.in")],
            Self::Results => {
                vec![in_project("tests/program/serving"), in_project("tests/toolkit")]
            }
            Self::Queries => vec![in_project("queries"), in_project("tests/cases/own-queries.in")],
            Self::Profiles => vec![in_project("tests/cases/plan.in")],
            Self::Logs | Self::Manifests | Self::Statements | Self::Databases => Vec::new(),
        };
        files.extend(more.iter().flat_map(|folder| files_in(folder)));
        let is_read = |path: &&PathBuf| {
            let name = path.file_name().unwrap().to_string_lossy();
            !name.ends_with(".rs") && name != BENCHMARK
        };
        let mut corpus: Vec<_> =
            files.iter().filter(is_read).map(|path| fs::read(path).unwrap()).collect();
        if self == Self::Results {
            corpus.extend(of_the_benchmark());
        }
        corpus
    }
}

/// What the file of the benchmark's runs is called.
const BENCHMARK: &str = "runs.json";

/// Two tables of runs as lines, and four results, of the ML.ENERGY benchmark.
fn of_the_benchmark() -> Vec<Vec<u8>> {
    let bytes = fs::read(in_project("tests/toolkit").join(BENCHMARK)).unwrap();
    let stored: Value = serde_json::from_slice(&bytes).unwrap();
    let mut corpus = Vec::new();
    for kind in ["text", "diffusion"] {
        let runs = stored[kind].as_object().unwrap();
        let lines: String = runs.values().take(3).map(|run| format!("{run}\n")).collect();
        corpus.push(lines.into_bytes());
        let results = runs.keys().take(2).map(|path| stored["files"][path].to_string());
        corpus.extend(results.map(String::into_bytes));
    }
    corpus
}

/// The files below a folder, in the order of their paths.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(files_in(&path));
        } else if !path.file_name().unwrap().to_string_lossy().starts_with('.') {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// One input, and what is asked of it.
struct Case {
    kind: Kind,
    input: Vec<u8>,
}

/// How the program ended.
struct Run {
    words: Vec<String>,
    status: Option<i32>,
    err: String,
    took: Duration,
    peak_kib: u64,
}

impl Run {
    /// What is wrong with it.
    fn fault(&self) -> Option<String> {
        let Some(status) = self.status.filter(|status| STATUSES.contains(status)) else {
            return Some(format!("status {:?}", self.status));
        };
        if self.took > LONGEST {
            return Some(format!("took {:?}", self.took));
        }
        if self.peak_kib > MOST_KIB {
            return Some(format!("took {} KiB", self.peak_kib));
        }
        if self.err.contains("panicked") || self.err.contains("please report") {
            return Some("a fault of the program".into());
        }
        if self.err.contains(|c: char| c.is_control() && c != '\n') {
            return Some("a control character on standard error".into());
        }
        let last = self.err.lines().last().unwrap_or_default();
        let is_explained = status == 0 || status == 3 || last.starts_with("error: ");
        // Checks that fail are listed, and a wrong command line may be explained at length.
        (!is_explained).then(|| format!("status {status} without an error line"))
    }
}

/// A small database of every workload, built once by the program itself.
fn small() -> &'static [u8] {
    static SMALL: OnceLock<Vec<u8>> = OnceLock::new();
    SMALL.get_or_init(|| Folder::with_every_workload().read("energy.sqlite"))
}

/// A database that was changed by statements which no build would run.
fn altered(statements: &str) -> Vec<u8> {
    let folder = Folder::new();
    let path = folder.write("x.sqlite", small());
    let connection = Connection::open(&path).unwrap();
    connection
        .execute_batch(
            "pragma ignore_check_constraints = on; pragma foreign_keys = off; \
             pragma writable_schema = on",
        )
        .unwrap();
    // Statements that were changed at random are mostly none.
    let _ = connection.execute_batch(statements);
    drop(connection);
    folder.read("x.sqlite")
}

/// Makes the case of a number.
fn case(number: u64) -> Case {
    let mut random = Random::new(number);
    let kind = *random.of(&KINDS);
    let corpus = kind.corpus();
    let original = random.of(&corpus).clone();
    let input = match kind {
        Kind::Documents | Kind::Results | Kind::Manifests => {
            let other = random.of(&corpus).clone();
            let changed = json_changed(&mut random, &original, &other);
            if random.below(4) == 0 { bytes_changed(&mut random, changed) } else { changed }
        }
        Kind::Logs | Kind::Queries | Kind::Profiles | Kind::Statements => {
            let other = random.of(&corpus).clone();
            text_changed(&mut random, &original, &other)
        }
        Kind::Databases => {
            let made = altered(&String::from_utf8_lossy(&original));
            if random.below(2) == 0 { made } else { bytes_changed(&mut random, made) }
        }
    };
    Case { kind, input }
}

/// The command lines that a case is given to.
fn commands(kind: Kind) -> Vec<Vec<String>> {
    let lines: &[&str] = match kind {
        Kind::Documents => &[
            "build input -o out.sqlite",
            "build good.json input --strict --accept power-identity --dry-run",
            "diff good.sqlite input --details",
        ],
        Kind::Results => &[
            "build input --data-version 2026-11-20 FACTS -o out.sqlite",
            "build input --data-version 2026-11-20 FACTS OF-TEXT -o out.sqlite",
            "build input good.json --fact task=my-chat --strict --dry-run",
            "build input --power-log power.csv --utc-offset +00:00 FACTS OF-TEXT -o out.sqlite",
            "build run --data-version 2026-11-20 FACTS -o out.sqlite",
            "diff good.sqlite input --details",
        ],
        Kind::Logs => &[
            "build result.json --power-log input FACTS OF-TEXT -o out.sqlite",
            "build result.json --power-log input --gpu-index 0 --utc-offset +01:00 FACTS OF-TEXT \
             -o out.sqlite",
            "build result.json --power-log input --window c64 FACTS OF-TEXT -o out.sqlite",
        ],
        Kind::Manifests => &["build good.json --manifest input -o out.sqlite"],
        Kind::Queries => &[
            "query --queries own",
            "query input --help --queries own",
            "query input --queries own --db good.sqlite --timeout 5",
        ],
        Kind::Profiles => {
            &["query plan --db good.sqlite --task lm-arena-chat --model maple-7b --gpu B200 \
             --load-profile input"]
        }
        Kind::Statements => &[],
        Kind::Databases => &[
            "query best --db input --format table --timeout 5",
            "query configurations --db input --format json",
            "query gpus --db input --format markdown",
            "check input",
            "export --db input -o published",
            "diff input good.sqlite --details --exit-code",
            "schema --db input",
            "migrate input",
        ],
    };
    let facts = |of: &[&str]| of.iter().map(|fact| format!("--fact {fact} ")).collect::<String>();
    let [of_all, of_text] = [facts(&FACTS), facts(&FACTS_OF_TEXT)];
    let line = |line: &&str| line.replace("FACTS", &of_all).replace("OF-TEXT", &of_text);
    let words = |line: String| line.split_whitespace().map(Into::into).collect();
    lines.iter().map(line).map(words).collect()
}

/// What results of benchmarks do not say.
const FACTS: [&str; 9] = [
    "task=my-chat",
    "gpu=H100",
    "num_gpus=1",
    "precision=BF16",
    "params_b=7",
    "active_params_b=7",
    "energy_boundary=gpu",
    "measurement_window=whole-run",
    "itl_kind=per-chunk",
];

/// What they do not say of text.
const FACTS_OF_TEXT: [&str; 2] = ["max_num_seqs=64", "tensor_parallel=1"];

/// A result without energy, of two minutes that the logs of the corpus have.
const RESULT: &str = r#"{"date": "20261120-101615", "model_id": "acme/Acme-7B-Instruct", "tokenizer_id": "x",
    "max_concurrency": 64, "duration": 120.0, "completed": 4800, "total_input_tokens": 2457600,
    "total_output_tokens": 480000, "output_throughput": 4000.0, "median_itl_ms": 14.5,
    "p90_itl_ms": 20.5, "p95_itl_ms": 24.75, "p99_itl_ms": 61.25}"#;

/// Where the benchmark puts the result of a run, and what is beside it.
const RUN: &str = "run/llm/lm-arena-chat/results/acme/Acme-7B/H100/num_gpus+1+max_num_seqs+8";

/// Gives a case to the program, and returns every run.
fn run(case: &Case) -> Vec<Run> {
    let folder = Folder::new();
    folder.write("good.sqlite", small());
    folder.write("good.json", fs::read(in_project("tests/cases/documents.in/sound.json")).unwrap());
    let mut commands = commands(case.kind);
    match case.kind {
        Kind::Queries => {
            folder.write("own/input.sql", &case.input);
        }
        Kind::Statements => {
            let sql = String::from_utf8_lossy(&case.input).replace('\0', " ");
            let words = ["query", "--db", "good.sqlite", "--timeout", "2", "--sql"];
            commands.push(words.into_iter().map(Into::into).chain([sql]).collect());
        }
        Kind::Results => {
            folder.write("input", &case.input);
            folder.write(format!("{RUN}/results.json"), &case.input);
            let log = in_project("tests/fuzz/logs/nvidia-smi.csv");
            folder.write("power.csv", fs::read(log).unwrap());
        }
        Kind::Logs => {
            folder.write("input", &case.input);
            folder.write("result.json", RESULT);
        }
        Kind::Documents | Kind::Manifests | Kind::Profiles | Kind::Databases => {
            folder.write("input", &case.input);
        }
    }
    let mut runs = Vec::new();
    for words in commands {
        let made = run_once(&folder, &words);
        let is_built = made.status == Some(0) && words.iter().any(|word| word == "out.sqlite");
        runs.push(made);
        if is_built {
            let mut checked = run_once(&folder, &["check".into(), "out.sqlite".into()]);
            // What was built is sound, or the build should have been refused.
            checked.status = checked.status.filter(|status| *status == 0);
            runs.push(checked);
            let _ = fs::remove_file(folder.path("out.sqlite"));
        }
    }
    runs
}

fn run_once(folder: &Folder, words: &[String]) -> Run {
    let mut command = folder.program(words);
    if let Some(program) = std::env::var_os("ENERGYDB_FUZZ_PROGRAM") {
        command = std::process::Command::new(program);
        command.args(words).current_dir(folder.path("")).env_remove("ENERGYDB_DB");
        command.stdin(Stdio::null());
    }
    let mut err = tempfile::tempfile().unwrap();
    // The output of some commands is large, and nobody reads it.
    command.stdout(Stdio::null()).stderr(err.try_clone().unwrap());
    let start = Instant::now();
    let mut child = command.spawn().unwrap();
    let (mut peak_kib, mut took) = (0, Duration::ZERO);
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status.code();
        }
        peak_kib = peak_kib.max(peak_of(child.id()));
        took = took.max(time_of(child.id()));
        if took > LONGEST || start.elapsed() > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            break None;
        }
        sleep(Duration::from_millis(2));
    };
    let mut bytes = Vec::new();
    err.seek(SeekFrom::Start(0)).unwrap();
    err.read_to_end(&mut bytes).unwrap();
    let err = String::from_utf8_lossy(&bytes).into_owned();
    Run { words: words.to_vec(), status, err, took, peak_kib }
}

/// The most memory that a process has had so far; 0 where the system does not say.
fn peak_of(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok()).unwrap_or(0)
}

/// The time of a processor that a process has had so far, or `None` if the system does not say.
fn time_of(process: u32) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The name may hold blanks; user and system time are the 12th and 13th numbers behind it.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    let ticks =
        fields.split_whitespace().skip(11).take(2).filter_map(|text| text.parse::<u64>().ok());
    Duration::from_millis(ticks.sum::<u64>() * 1000 / TICKS)
}

/// Runs a case, counts its runs by kind and status, and returns what is wrong.
fn count(case: &Case, name: &str, counts: &mut BTreeMap<(Kind, i32), u64>) -> Vec<String> {
    let mut faults = Vec::new();
    for run in run(case) {
        *counts.entry((case.kind, run.status.unwrap_or(-1))).or_default() += 1;
        if let Some(fault) = run.fault() {
            let kept = std::env::temp_dir().join("energydb-fuzz");
            fs::create_dir_all(&kept).unwrap();
            let _ = fs::write(kept.join(format!("{name}-{}", case.kind.folder())), &case.input);
            let err: String = run.err.chars().take(2000).collect();
            faults.push(format!("case {name}: {fault}: {:?}\n{err}", run.words));
        }
    }
    faults
}

#[test]
fn every_input_of_the_corpus_is_answered_or_refused() {
    let mut counts = BTreeMap::new();
    let mut faults = Vec::new();
    for kind in KINDS {
        for path in files_in(&in_project("tests/fuzz").join(kind.folder())) {
            let content = fs::read(&path).unwrap();
            let input = match kind {
                Kind::Databases => altered(&String::from_utf8(content).unwrap()),
                _ => content,
            };
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            faults.extend(count(&Case { kind, input }, &name, &mut counts));
        }
    }
    assert_eq!(faults, [""; 0]);
    assert!(KINDS.iter().all(|kind| counts.keys().any(|(known, _)| known == kind)), "{counts:?}");
}

#[test]
fn inputs_that_nobody_wrote_are_answered_or_refused() {
    let mut counts = BTreeMap::new();
    let faults: Vec<_> = (0..USUAL_CASES)
        .flat_map(|number| count(&case(number), &number.to_string(), &mut counts))
        .collect();
    assert_eq!(faults, [""; 0]);
}

#[test]
#[ignore = "takes as many seconds as ENERGYDB_FUZZ_SECONDS says"]
fn fuzz_for_long() {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let mut counts = BTreeMap::new();
    let mut faults = Vec::new();
    let (mut slowest, mut largest) = (Duration::ZERO, 0);
    let start = Instant::now();
    let seconds = Duration::from_secs(number("ENERGYDB_FUZZ_SECONDS").unwrap_or(60));
    let only = number("ENERGYDB_FUZZ_CASE");
    // A long run begins after the cases of the ordinary suite, or at a given number.
    let first = only.or(number("ENERGYDB_FUZZ_FIRST")).unwrap_or(1000);
    let kinds = std::env::var("ENERGYDB_FUZZ_KINDS").ok();
    let mut cases = 0;
    for number in first.. {
        let case = case(number);
        if kinds.as_ref().is_some_and(|kinds| !kinds.split(',').any(|of| of == case.kind.folder()))
        {
            continue;
        }
        for run in run(&case) {
            slowest = slowest.max(run.took);
            largest = largest.max(run.peak_kib);
            *counts.entry((case.kind, run.status.unwrap_or(-1))).or_insert(0_u64) += 1;
            if let Some(fault) = run.fault() {
                let kept = std::env::temp_dir().join("energydb-fuzz");
                fs::create_dir_all(&kept).unwrap();
                fs::write(kept.join(format!("{number}-{}", case.kind.folder())), &case.input)
                    .unwrap();
                let err: String = run.err.chars().take(2000).collect();
                let fault = format!("case {number}: {fault}: {:?}\n{err}", run.words);
                println!("{fault}");
                faults.push(fault);
            }
        }
        cases += 1;
        if only.is_some() || start.elapsed() > seconds {
            break;
        }
    }
    println!("{cases} cases in {:?}; slowest {slowest:?}, largest {largest} KiB", start.elapsed());
    for ((kind, status), runs) in &counts {
        println!("{kind:?} status {status}: {runs} runs");
    }
    assert!(faults.is_empty(), "{} faults", faults.len());
}
