//! The names of the leaderboard's files, and what they say about the content.

use crate::input::kind::Holds;

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

/// The content of a file by its name: `index.json`, `gpqa.json` or any file in a folder `tasks`, or a name
/// with the model's id and the task.
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
    /// What a name says, or `None` if it says nothing.
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

/// The name of a document by its content, as in the leaderboard's folder of data. `None` if its task or
/// model is not known.
pub fn canonical_name(holds: Holds, task: Option<&str>, id: Option<&str>) -> Option<String> {
    Some(match holds {
        Holds::Facts => "index.json".into(),
        Holds::Configurations => format!("tasks/{}.json", task?),
        Holds::Details => format!("models/{}.json", model_stem(id?, task?)),
        Holds::Own => return None,
    })
}

/// How the leaderboard names the file of a model and task.
pub fn model_stem(hugging_face_id: &str, task: &str) -> String {
    format!("{}__{task}", hugging_face_id.replace('/', "__"))
}

#[cfg(test)]
mod tests {
    use super::*;

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
