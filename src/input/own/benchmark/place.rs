//! Facts from the path of a run, and the files that belong to the run.

use std::collections::HashMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use yaml_rust2::{Yaml, YamlLoader};

use crate::input::document::Document;
use crate::input::json::{JsonError, JsonReader, Kind, Scalar};
use crate::input::own::row::Row;
use crate::measurement::check::Check;

/// Bytes of the longest configuration file.
const MOST_BYTES: u64 = 1 << 20;
/// Precision of models whose configuration does not say it.
const USUAL_PRECISION: &str = "bfloat16";
/// Models that are published in FP8 without saying so in their ids.
const IN_FP8: [&str; 3] = ["FP8", "DeepSeek-R1", "DeepSeek-V3"];

/// Where a run is.
#[derive(Debug, Default)]
pub(super) struct Place {
    /// The folder of the run.
    folder: PathBuf,
    pub task: Option<String>,
    /// The Hugging Face id of its model.
    pub model_id: Option<String>,
    pub gpu: Option<String>,
    /// The settings in the name of its folder.
    settings: HashMap<String, String>,
    /// The folder with the configuration of its model in its task.
    model_folder: Option<PathBuf>,
}

/// What is wrong with a file that belongs to a run: its name, what was found, what was expected.
pub(super) type Fault = (Check, String, String, String);

impl Place {
    /// The place of a run of text: `…/TASK/results/ORG/MODEL/GPU/SETTINGS/results.json`.
    pub fn of_text(document: &Document) -> Self {
        Self::of(document, "vllm", |parts| {
            let [settings, gpu, model, org, results, task, ..] = parts else { return None };
            (*results == "results").then_some(Parts {
                task,
                org,
                model,
                gpu: Some((*gpu).to_owned()),
                settings: in_pairs(settings),
            })
        })
    }

    /// The place of a run of images or videos: `…/TASK/ORG/MODEL/SETTINGS/results.json`. The GPU
    /// is the folder above `current/run`, where the results are compiled.
    pub fn of_diffusion(document: &Document) -> Self {
        Self::of(document, "xdit", |parts| {
            let [settings, model, org, task, above @ ..] = parts else { return None };
            let run = above.iter().position(|part| *part == "run");
            let gpu = run.and_then(|run| {
                let is_compiled = above.get(run + 1) == Some(&"current");
                above.get(run + 2).filter(|_| is_compiled).map(|gpu| gpu.to_string())
            });
            Some(Parts { task, org, model, gpu, settings: by_hyphen(settings) })
        })
    }

    fn of(
        document: &Document,
        runtime: &str,
        read: impl for<'p> FnOnce(&[&'p str]) -> Option<Parts<'p>>,
    ) -> Self {
        let Some(path) = document.path().and_then(|path| std::path::absolute(path).ok()) else {
            return Self::default();
        };
        let Some(folder) = path.parent() else { return Self::default() };
        let parts: Vec<_> = folder.iter().rev().filter_map(|part| part.to_str()).collect();
        let Some(parts) = read(&parts) else {
            return Self { folder: folder.to_owned(), ..Self::default() };
        };
        let configs = folder.ancestors().map(|above| above.join("configs").join(runtime));
        let of_model =
            |configs: PathBuf| configs.join(parts.task).join(parts.org).join(parts.model);
        Self {
            folder: folder.to_owned(),
            task: Some(parts.task.to_owned()),
            model_id: Some(format!("{}/{}", parts.org, parts.model)),
            gpu: parts.gpu,
            settings: parts.settings,
            model_folder: configs.into_iter().find(|configs| configs.is_dir()).map(of_model),
        }
    }

    /// A whole number among the settings.
    pub fn setting(&self, name: &str) -> Option<f64> {
        self.settings.get(name)?.parse::<u32>().ok().map(f64::from)
    }

    /// Height and width in pixels.
    pub fn size(&self) -> Option<[f64; 2]> {
        let (height, width) = self.settings.get("size")?.split_once('x')?;
        Some([height.parse::<u32>().ok()?.into(), width.parse::<u32>().ok()?.into()])
    }

    /// The mean number of requests in flight while the load was steady.
    pub fn running_requests(&self) -> Result<Option<f64>, Fault> {
        const NAME: &str = "prometheus.json";
        let Ok(file) = File::open(self.folder.join(NAME)) else { return Ok(None) };
        running_requests(&mut JsonReader::new(file))
            .map_err(|error| (Check::Json, NAME.into(), error.to_string(), "JSON".into()))
    }

    /// Puts what the configuration says of the model into a row.
    pub fn model_info(&self, row: &mut Row, has_architecture: bool) -> Result<(), Fault> {
        let name = "model_info.json";
        if let Some(gpu) = &self.gpu {
            row.names.insert("gpu", gpu.to_uppercase());
        }
        let Some(id) = &self.model_id else { return Ok(()) };
        row.names.insert("hugging_face_id", id.clone());
        let Some(text) = self.model_folder.as_ref().and_then(|folder| read(&folder.join(name)))
        else {
            return Ok(());
        };
        let info: Map<String, Value> = serde_json::from_str(&text)
            .map_err(|error| (Check::Json, name.into(), error.to_string(), "JSON".into()))?;
        let text =
            |field: &str| info.get(field).and_then(Value::as_str).filter(|of| !of.is_empty());
        let number = |field: &str| match info.get(field) {
            Some(Value::Number(number)) => Some(number.to_string()),
            _ => None,
        };
        let total = number("total_parameters_billion");
        let active = number("active_parameters_billion").or_else(|| total.clone());
        let of_experts = if total == active { "Dense" } else { "MoE" };
        let architecture = text("architecture").or_else(|| total.as_ref().map(|_| of_experts));
        let is_in_fp8 = IN_FP8.iter().any(|part| has_architecture && id.contains(part));
        let precision = if is_in_fp8 { "fp8" } else { USUAL_PRECISION };
        let mut say = |name: &'static str, value: Option<String>| {
            if let Some(value) = value {
                row.names.insert(name, value);
            }
        };
        say("model_name", text("nickname").map(str::to_owned));
        say("architecture", architecture.filter(|_| has_architecture).map(str::to_owned));
        say("precision", Some(text("weight_precision").unwrap_or(precision).to_owned()));
        say("active_params_b", active);
        say("params_b", total);
        Ok(())
    }

    /// The degrees of tensor, expert and data parallelism that the server was configured with; none
    /// where its configuration is missing.
    pub fn degrees(&self, num_gpus: f64) -> Result<Option<[f64; 3]>, Fault> {
        const NAME: &str = "monolithic.config.yaml";
        let folder = self.model_folder.as_ref().zip(self.gpu.as_ref());
        let Some(text) = folder.and_then(|(folder, gpu)| read(&folder.join(gpu).join(NAME))) else {
            return Ok(None);
        };
        let fault = |value: String, expected: &str| {
            (Check::FieldType, NAME.to_owned(), value, expected.to_owned())
        };
        let mut all =
            YamlLoader::load_from_str(&text).map_err(|error| fault(error.to_string(), "YAML"))?;
        let Some(Yaml::Hash(settings)) = all.pop() else {
            return Err(fault("no settings".into(), "names with values"));
        };
        let setting = |name: &str| settings.get(&Yaml::String(name.into()));
        let degree = |name: &str, usual: f64| match setting(name) {
            None => Ok(usual),
            Some(Yaml::Integer(degree)) if (0..=i64::from(u32::MAX)).contains(degree) => {
                Ok(*degree as f64)
            }
            Some(other) => Err(fault(format!("{name} {other:?}"), "a whole number")),
        };
        let has_experts = matches!(setting("enable-expert-parallel"), Some(Yaml::Boolean(true)));
        let expert = if has_experts { degree("expert-parallel-size", num_gpus)? } else { 1.0 };
        let tensor = if expert > 1.0 { 1.0 } else { num_gpus };
        let tensor = degree("tensor-parallel-size", tensor)?;
        let data = match degree("data-parallel-size", 1.0)? {
            0.0 => num_gpus,
            data => data,
        };
        Ok(Some([tensor, expert, data]))
    }
}

/// The parts of a path.
struct Parts<'p> {
    task: &'p str,
    org: &'p str,
    model: &'p str,
    gpu: Option<String>,
    settings: HashMap<String, String>,
}

/// `num_gpus+1+seed+48105`: names and values in turn.
fn in_pairs(settings: &str) -> HashMap<String, String> {
    let words: Vec<_> = settings.split('+').collect();
    words.chunks_exact(2).map(|pair| (pair[0].to_owned(), pair[1].to_owned())).collect()
}

/// `batch-1+size-512x512`: a hyphen between name and value.
fn by_hyphen(settings: &str) -> HashMap<String, String> {
    let pairs = settings.split('+').filter_map(|word| word.split_once('-'));
    pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// The text of a small file that may be missing.
fn read(path: &Path) -> Option<String> {
    let is_small = fs::metadata(path).is_ok_and(|file| file.len() <= MOST_BYTES);
    is_small.then(|| fs::read_to_string(path).ok()).flatten()
}

/// Looks no further than the figure, since all samples may follow it.
fn running_requests(json: &mut JsonReader<File>) -> Result<Option<f64>, JsonError> {
    json.begin_object()?;
    while let Some(name) = json.next_key()? {
        if name != "steady_state_stats" || json.peek()? != Kind::Object {
            json.skip()?;
            continue;
        }
        json.begin_object()?;
        while let Some(name) = json.next_key()? {
            if name == "vllm:num_requests_running"
                && json.peek()? == Kind::Number
                && let Scalar::Number(number) = json.scalar()?
            {
                return Ok(number.parse().ok());
            }
            json.skip()?;
        }
    }
    Ok(None)
}
