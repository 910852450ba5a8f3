//! The manifest: the release that a build makes, and where each task's documents come from.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::date::check_date;
use crate::input::leaderboard::file_names::model_stem;
use crate::measurement::method::{self, Method};
use crate::text::shortened;

/// The manifest of the built-in data.
pub const BUILT_IN: &[u8] = include_bytes!("../data/manifest.json");
/// Some editors begin a file with it.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// What a publisher says of a release and its sources.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The release that a build makes unless the command line says otherwise.
    pub release: Release,
    /// What the source says of itself, whatever the task.
    #[serde(default)]
    source: Map<String, Value>,
    /// Address of the folder that contains the source's index and its folder of models' own files.
    folder_url: Option<String>,
    /// What differs from task to task.
    #[serde(default)]
    tasks: BTreeMap<String, Task>,
    /// The checkout that all of this was written for.
    checkout: Option<Checkout>,
    /// What is said of own measurements, in the order in which it counts.
    #[serde(default)]
    own: Vec<OwnFiles>,
}

/// What the manifest says of some files of own measurements.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnFiles {
    /// A pattern of their paths or names.
    pub files: String,
    /// Facts by name.
    pub facts: Map<String, Value>,
}

/// One state of the source's repository.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkout {
    /// Address of the repository.
    pub repository: String,
    /// Its commit.
    pub commit: String,
    /// Day of the commit, YYYY-MM-DD.
    pub committed: String,
    /// The folder that contains the documents, within the repository.
    pub folder: String,
    /// The documents.
    pub documents: Vec<DescribedDocument>,
}

/// One published state of the data.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Release {
    /// Version of the published documents' form.
    pub version: String,
    /// Day on which this release is published, YYYY-MM-DD; `data_version` where absent.
    pub updated: Option<String>,
    /// Day that names the state of the data, YYYY-MM-DD.
    pub data_version: String,
    /// Unit of the figure that configurations are chosen by.
    pub unit: String,
    /// Default deadline: the highest median inter-token latency, ms.
    pub itl_deadline_ms: f64,
    /// Default deadline of images: the highest latency of a batch, seconds.
    #[serde(default = "image_deadline_s")]
    pub image_deadline_s: f64,
    /// Default deadline of videos: the highest latency of a batch, seconds.
    #[serde(default = "video_deadline_s")]
    pub video_deadline_s: f64,
    /// What the figures leave out.
    pub caveat: String,
    /// What was measured, such as `gpu_only`.
    pub boundary: String,
}

fn image_deadline_s() -> f64 {
    30.0
}

fn video_deadline_s() -> f64 {
    300.0
}

/// What the manifest says of one task.
#[derive(Debug, Clone, Deserialize)]
struct Task {
    /// Members that replace or complete those of the source.
    #[serde(flatten)]
    source: Map<String, Value>,
}

/// A document that the manifest knows.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct DescribedDocument {
    /// What it is called in a database.
    pub name: String,
    /// Its length in bytes.
    pub bytes: u64,
    /// The sha256 of its bytes, in hexadecimal.
    pub sha256: String,
}

/// A published data set that documents come from. The members, in order, are those of the
/// published documents' `source`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "each is documented as a column of the table sources")]
pub struct Source {
    pub name: String,
    pub publisher: Option<String>,
    pub url: Option<String>,
    pub data_url: Option<String>,
    pub version: Option<String>,
    pub released: Option<String>,
    pub compiled: Option<String>,
    pub compiled_evidence: Option<String>,
    pub retrieved: Option<String>,
    pub licence: Option<String>,
    #[serde(default)]
    pub licence_evidence: Vec<String>,
    pub workload: Option<String>,
    pub method: Option<String>,
    pub selection: Option<String>,
    pub cite: Option<String>,
    pub cite_url: Option<String>,
    pub used_for: Option<String>,
    pub configurations: Option<String>,
}

impl Manifest {
    /// The manifest of the built-in data.
    ///
    /// # Errors
    /// When it is broken, which the tests rule out.
    pub fn built_in() -> Result<Self> {
        Self::parse(BUILT_IN).context("could not read the built-in manifest.json")
    }

    /// Reads a publisher's own manifest, which has these bytes.
    ///
    /// # Errors
    /// When it is not a manifest.
    pub fn read(path: &Path, bytes: &[u8]) -> Result<Self> {
        Self::parse(bytes).map_err(|error| {
            let shown = path.display();
            let why = shortened(&format!("{error:#}"));
            anyhow!("not a manifest ('energydb manifest' prints one): {shown}: {why}")
        })
    }

    /// A manifest for a publisher to fill, of data that has these documents and tasks and was compiled
    /// on this day. What only its publisher knows is null or empty; where the data is the built-in
    /// one, it is the built-in manifest.
    ///
    /// # Errors
    /// When the built-in manifest is broken, which the tests rule out.
    pub fn template(
        documents: &[DescribedDocument],
        tasks: &[String],
        compiled: Option<&str>,
    ) -> Result<Value> {
        let mut manifest: Value = serde_json::from_slice(BUILT_IN)?;
        let built_in = Self::built_in()?;
        let known = built_in.checkout.iter().flat_map(|checkout| &checkout.documents);
        let mut known: Vec<_> = known.map(|document| &document.sha256).collect();
        let mut given: Vec<_> = documents.iter().map(|document| &document.sha256).collect();
        known.sort();
        given.sort();
        if known == given {
            return Ok(manifest);
        }
        if let Some(compiled) = compiled {
            manifest["release"]["data_version"] = compiled.into();
            manifest["source"]["compiled_evidence"] = "last_updated of index.json".into();
        }
        manifest["source"]["compiled"] = compiled.into();
        for unknown in ["version", "retrieved"] {
            manifest["source"][unknown] = Value::Null;
        }
        let mut described = Map::new();
        for task in tasks {
            let mut of_task = manifest["tasks"][task].clone();
            of_task["data_url"] =
                built_in.folder_url.as_ref().map(|url| format!("{url}tasks/{task}.json")).into();
            if of_task.get("retrieved").is_some() {
                of_task["retrieved"] = Value::Null;
            }
            described.insert(task.clone(), of_task);
        }
        manifest["tasks"] = described.into();
        for unknown in ["commit", "committed"] {
            manifest["checkout"][unknown] = "".into();
        }
        manifest["checkout"]["documents"] = serde_json::to_value(documents)?;
        Ok(manifest)
    }

    fn parse(bytes: &[u8]) -> Result<Self> {
        let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        let manifest: Self = serde_json::from_slice(text)?;
        let release = &manifest.release;
        for (name, deadline) in [
            ("itl_deadline_ms", release.itl_deadline_ms),
            ("image_deadline_s", release.image_deadline_s),
            ("video_deadline_s", release.video_deadline_s),
        ] {
            if !(deadline > 0.0 && deadline.is_finite()) {
                bail!("{name} is {deadline}, but must be above 0");
            }
        }
        for date in [Some(&release.data_version), release.updated.as_ref()].into_iter().flatten() {
            check_date(date)?;
        }
        for task in manifest.tasks.keys() {
            manifest.source(task)?;
        }
        Ok(manifest)
    }

    /// Where the documents of a task come from, or `None` if the manifest does not name the task.
    ///
    /// # Errors
    /// When the manifest's members are not those of a source.
    pub fn source(&self, task: &str) -> Result<Option<Source>> {
        let Some(described) = self.tasks.get(task) else { return Ok(None) };
        let mut members = self.source.clone();
        members.extend(described.source.clone());
        method_of(&mut members).with_context(|| format!("the source of the task '{task}'"))?;
        serde_json::from_value(Value::Object(members))
            .map(Some)
            .with_context(|| format!("the source of the task '{task}'"))
    }

    /// How the source measured a task, as far as the manifest says.
    ///
    /// # Errors
    /// When a fact of the method is unsound.
    pub fn method(&self, task: &str) -> Result<Method> {
        let mut members = self.source.clone();
        members.extend(self.tasks.get(task).map(|of| of.source.clone()).unwrap_or_default());
        method_of(&mut members).with_context(|| format!("the source of the task '{task}'"))
    }

    /// What the source says of itself, whatever the task, or `None` if the manifest does not name it.
    ///
    /// # Errors
    /// When the manifest's members are not those of a source.
    pub fn source_of_all(&self) -> Result<Option<Source>> {
        if !self.source.contains_key("name") {
            return Ok(None);
        }
        let mut members = self.source.clone();
        method_of(&mut members).context("the source of all tasks")?;
        serde_json::from_value(Value::Object(members)).map(Some).context("the source of all tasks")
    }

    /// Where the source's index is published.
    pub fn url_of_index(&self) -> Option<String> {
        self.folder_url.as_ref().map(|folder| format!("{folder}index.json"))
    }

    /// Where the file of one model and task is published.
    pub fn url_of_model(&self, hugging_face_id: &str, task: &str) -> Option<String> {
        let stem = model_stem(hugging_face_id, task);
        self.folder_url.as_ref().map(|folder| format!("{folder}models/{stem}.json"))
    }

    /// The day on which the source compiled the data, as the manifest has it.
    pub fn compiled(&self) -> Option<&str> {
        self.source.get("compiled").and_then(Value::as_str)
    }

    /// What is said of own measurements, file by file.
    pub fn own(&self) -> &[OwnFiles] {
        &self.own
    }

    /// Whether the manifest was written for any documents: it lists those of no checkout.
    pub fn describes_any(&self) -> bool {
        self.checkout.is_none()
    }

    /// Whether the manifest was written for the document with this sha256.
    pub fn describes(&self, sha256: &str) -> bool {
        let Some(checkout) = &self.checkout else { return true };
        checkout.documents.iter().any(|known| known.sha256 == sha256)
    }
}

/// Takes the facts of a method out of the members of a source.
fn method_of(members: &mut Map<String, Value>) -> Result<Method> {
    let mut method = Method::default();
    for (at, fact) in method::FACTS.iter().enumerate() {
        let word = match members.shift_remove(fact.name) {
            None | Some(Value::Null) => continue,
            Some(Value::String(word)) => word,
            Some(other) => other.to_string(),
        };
        if let Some(expected) = method::fault(at, &word) {
            bail!("{} is '{word}'; expected {expected}", fact.name);
        }
        method.0[at] = Some(word);
    }
    Ok(method)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_manifest_describes_the_built_in_data() {
        let manifest = Manifest::built_in().unwrap();
        assert_eq!(manifest.release.data_version, "2026-10-19");
        let source = manifest.source("lm-arena-chat").unwrap().unwrap();
        assert_eq!(source.licence_evidence.len(), 3);
        assert_eq!(source.retrieved.as_deref(), Some("2026-09-26"));
        assert_eq!(manifest.source("no-such-task").unwrap(), None);
    }
}
