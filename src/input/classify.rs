//! Which form of file a document is: recognised by its content, whatever its name is.

use crate::input::bytes::Text;
use crate::input::json::{JsonError, JsonReader, Kind as Json, Scalar};
use crate::input::number;
use crate::measurement::record::Product;

/// The workloads that the leaderboard publishes, whose names a file may carry.
const PUBLISHED_TASKS: [&str; 7] = [
    "gpqa",
    "image-chat",
    "lm-arena-chat",
    "sourcegraph-fim",
    "text-to-image",
    "text-to-video",
    "video-chat",
];

/// The kinds of files that the leaderboard publishes, in the order in which those of one task are
/// loaded: the task file says in which order repeats come, and what a model's own file adds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// What there is: models with their facts, and tasks.
    Index,
    /// The configurations of one task.
    #[default]
    TaskFile,
    /// The configurations of one model in one task, in detail.
    ModelFile,
}

impl Kind {
    /// The name that the database has for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Index => "index",
            Self::TaskFile => "task-file",
            Self::ModelFile => "model-file",
        }
    }
}

/// Which form a document has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Form {
    /// The kind of file.
    pub kind: Kind,
    /// What its workload makes.
    pub product: Product,
}

/// What a model's own file says of the model, beside its configurations. What is missing or unsound
/// is none, which is told when the file is read.
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

/// What the first look at a document shows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Survey {
    /// Its task.
    pub task: Option<String>,
    /// The model that it is about, if it is a model's own file.
    pub model: ModelHead,
    has_configurations: bool,
    has_models: bool,
    has_tasks: bool,
    is_of_a_model: bool,
    row_names_model: bool,
    row_is_nested: bool,
    product: Product,
}

/// The members that only a model's own file has.
const OF_A_MODEL: [&str; 6] = [
    "activated_params_billions",
    "model_id",
    "nickname",
    "output_length_distribution",
    "total_params_billions",
    "weight_precision",
];

impl Survey {
    /// Looks at a whole document, or with `briefly` as far as the form of its rows. What was seen
    /// before an error counts.
    ///
    /// # Errors
    /// When the document is not JSON or cannot be read.
    pub fn look(&mut self, text: Text<'_>, briefly: bool) -> Result<(), JsonError> {
        let mut json = JsonReader::new(text);
        if json.peek()? != Json::Object {
            json.skip()?;
            return json.finish();
        }
        json.begin_object()?;
        while let Some(key) = json.next_key()? {
            let known = OF_A_MODEL.iter().find(|name| **name == key).copied();
            self.is_of_a_model |= known.is_some();
            let key = known.unwrap_or(match key {
                "architecture" => "architecture",
                "architectures" => "architectures",
                "configurations" => "configurations",
                "models" => "models",
                "task" => "task",
                "tasks" => "tasks",
                _ => "",
            });
            match (key, json.peek()?) {
                ("configurations", kind) => {
                    self.has_configurations = true;
                    if kind == Json::Array {
                        self.configurations(&mut json, briefly)?;
                        if briefly && self.row_names_model {
                            return Ok(());
                        }
                    } else {
                        json.skip()?;
                    }
                }
                ("models", Json::Object) => {
                    self.has_models = true;
                    json.skip()?;
                }
                ("tasks" | "architectures", _) => {
                    self.has_tasks = true;
                    json.skip()?;
                }
                (_, Json::Text | Json::Number) => match json.scalar()? {
                    Scalar::Text(text) => self.text(key, text),
                    Scalar::Number(text) => self.number(key, text),
                    _ => {}
                },
                _ => json.skip()?,
            }
        }
        json.finish()
    }

    /// Looks at the first row and passes over the others.
    fn configurations(
        &mut self,
        json: &mut JsonReader<Text<'_>>,
        briefly: bool,
    ) -> Result<(), JsonError> {
        json.begin_array()?;
        let mut is_first = true;
        while json.next_element()? {
            if !is_first || json.peek()? != Json::Object {
                is_first = false;
                json.skip()?;
                continue;
            }
            is_first = false;
            json.begin_object()?;
            while let Some(key) = json.next_key()? {
                match key {
                    "model_id" => self.row_names_model = true,
                    "parallelization" | "output_length_distribution" => self.row_is_nested = true,
                    "energy_per_image_joules"
                    | "throughput_images_per_sec"
                    | "image_height"
                    | "image_width" => self.product = Product::Images,
                    "energy_per_video_joules"
                    | "throughput_videos_per_sec"
                    | "video_height"
                    | "video_width" => self.product = Product::Videos,
                    // The publisher's types have these for images too, as null.
                    "num_frames" | "fps" if self.product == Product::Tokens => {
                        self.product = Product::Videos;
                    }
                    _ => {}
                }
                json.skip()?;
            }
            if briefly && self.row_names_model {
                return Ok(());
            }
        }
        Ok(())
    }

    fn text(&mut self, key: &str, text: &str) {
        let place = match key {
            "task" => &mut self.task,
            "model_id" => &mut self.model.hugging_face_id,
            "nickname" => &mut self.model.name,
            "architecture" => &mut self.model.architecture,
            "weight_precision" => &mut self.model.precision,
            _ => return,
        };
        if crate::input::value::name_fault(text).is_none() {
            *place = Some(text.to_owned());
        }
    }

    fn number(&mut self, key: &str, text: &str) {
        let place = match key {
            "total_params_billions" => &mut self.model.params_b,
            "activated_params_billions" => &mut self.model.active_params_b,
            _ => return,
        };
        *place = number::figure(text).ok();
    }

    /// The form of the document. One of no known form counts as a task file, so that it is told
    /// what one has.
    pub fn form(&self) -> Form {
        let kind = if self.is_index() {
            Kind::Index
        } else if !self.row_names_model && (self.is_of_a_model || self.row_is_nested) {
            Kind::ModelFile
        } else {
            Kind::TaskFile
        };
        Form { kind, product: self.product }
    }

    /// Whether the document is of the leaderboard at all.
    pub fn is_known(&self) -> bool {
        self.has_configurations || self.task.is_some() || self.is_index()
    }

    /// Whether the rows seen can stand in a task file only.
    pub fn is_task_file(&self) -> bool {
        self.row_names_model
    }

    fn is_index(&self) -> bool {
        !self.has_configurations && self.has_models && self.has_tasks
    }
}

/// What the name of a file says of its content, as the leaderboard names its files: `index.json`,
/// `gpqa.json` or anything in a folder `tasks`, and the model's id and the task in one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Claim {
    /// That it is an index.
    Index,
    /// That it is the task file of this task.
    Task(String),
    /// That it is the file of one model and task, whose names are written as this.
    Model(String),
}

impl Claim {
    /// What a name says; none where it says nothing.
    pub fn of(name: &str) -> Option<Self> {
        let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
        let folder = folder.rsplit('/').next().unwrap_or_default();
        let stem = file.strip_suffix(".gz").unwrap_or(file).strip_suffix(".json")?;
        let published = |task: &str| PUBLISHED_TASKS.contains(&task);
        match stem.rsplit_once("__") {
            Some((_, task)) if published(task) || folder == "models" => {
                Some(Self::Model(stem.to_owned()))
            }
            _ if folder == "tasks" || published(stem) => Some(Self::Task(stem.to_owned())),
            _ if stem == "index" => Some(Self::Index),
            _ => None,
        }
    }
}

/// How the leaderboard names the file of a model and task.
pub fn model_stem(hugging_face_id: &str, task: &str) -> String {
    format!("{}__{task}", hugging_face_id.replace('/', "__"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(text: &str) -> Survey {
        let mut survey = Survey::default();
        survey.look(Box::new(text.as_bytes()), false).unwrap();
        survey
    }

    #[test]
    fn the_form_is_that_of_the_content_whatever_the_order_of_its_members() {
        for (text, kind, output) in [
            (r#"{"task": "t", "configurations": [{"model_id": "a"}]}"#, Kind::TaskFile, "tokens"),
            (r#"{"configurations": [{"image_height": 1}], "task": "t"}"#, Kind::TaskFile, "images"),
            (r#"{"configurations": [{"fps": 1}], "model_id": "a"}"#, Kind::ModelFile, "videos"),
            (
                r#"{"configurations": [{"fps": null, "image_width": 1, "num_frames": null}]}"#,
                Kind::TaskFile,
                "images",
            ),
            (r#"{"model_id": "a", "configurations": []}"#, Kind::ModelFile, "tokens"),
            (r#"{"configurations": [{"parallelization": {}}]}"#, Kind::ModelFile, "tokens"),
            (r#"{"models": {}, "tasks": []}"#, Kind::Index, "tokens"),
            (r#"{"models": {}, "configurations": []}"#, Kind::TaskFile, "tokens"),
            ("[1, 2]", Kind::TaskFile, "tokens"),
        ] {
            let form = look(text).form();
            assert_eq!((form.kind, form.product.name()), (kind, output), "{text}");
        }
    }

    #[test]
    fn other_json_is_not_of_the_leaderboard() {
        for text in ["[]", "{}", r#"{"name": "x", "models": {}}"#, r#"{"tasks": []}"#, "1"] {
            assert!(!look(text).is_known(), "{text}");
        }
    }

    #[test]
    fn names_say_something_only_where_the_leaderboard_names_files_so() {
        let task = |name: &str| Some(Claim::Task(name.into()));
        for (name, claim) in [
            ("data/tasks/mine.json", task("mine")),
            ("gpqa.json.gz", task("gpqa")),
            ("a/index.json", Some(Claim::Index)),
            ("Qwen__Qwen3-8B__gpqa.json", Some(Claim::Model("Qwen__Qwen3-8B__gpqa".into()))),
            ("models/a__b__mine.json", Some(Claim::Model("a__b__mine".into()))),
            ("old.json", None),
            ("my__data.json", None),
            ("-", None),
            ("tasks/notes.txt", None),
        ] {
            assert_eq!(Claim::of(name), claim, "{name}");
        }
        assert_eq!(model_stem("Qwen/Qwen3-8B", "gpqa"), "Qwen__Qwen3-8B__gpqa");
    }
}
