//! The kinds of documents. Each is recognised by its content, not by its name.

use crate::input::kind::{DocumentKind, Form, Survey};
use crate::input::leaderboard::{index_file, model_file, task_file};
use crate::input::own::benchmark::{diffusion, table as runs, text};
use crate::input::own::serving::{aiperf, inferencex, previous, sglang, vllm};
use crate::input::own::table;
use crate::measurement::product::Product;

/// Every kind, in the order in which they are asked whether a document is theirs.
const KINDS: &[&DocumentKind] = &[
    &table::KIND,
    &text::KIND,
    &diffusion::KIND,
    &runs::TEXT_KIND,
    &runs::DIFFUSION_KIND,
    &vllm::KIND,
    &sglang::KIND,
    &inferencex::KIND,
    &previous::KIND,
    &aiperf::KIND,
    &index_file::KIND,
    &model_file::KIND,
    &task_file::KIND,
];

/// The kind of a document; none of one that no kind knows.
fn kind(survey: &Survey) -> Option<&'static DocumentKind> {
    KINDS.iter().copied().find(|kind| (kind.is)(survey))
}

/// Whether a document is of any kind.
pub fn is_known(survey: &Survey) -> bool {
    kind(survey).is_some()
}

/// Whether several documents of this kind may follow each other in one text.
pub fn may_repeat(survey: &Survey) -> bool {
    kind(survey).is_some_and(|kind| kind.may_repeat)
}

/// Whether a document of this kind contains configurations of several tasks.
pub fn has_tasks(survey: &Survey) -> bool {
    kind(survey).is_some_and(|kind| kind.has_tasks)
}

/// The form of a document. An unknown kind counts as a task file, so that a finding says what a task file
/// must contain.
pub fn form(survey: &Survey) -> Form {
    Form { kind: kind(survey).unwrap_or(&task_file::KIND), product: survey.product() }
}

/// The tasks of a document of several, each with the form that the document has for it; none of
/// another.
pub fn parts(survey: &Survey) -> Vec<(String, Form)> {
    let form = form(survey);
    let of_task = |(task, has_frames): (&String, &bool)| {
        let product = match (form.product, has_frames) {
            (Product::Tokens, _) => Product::Tokens,
            (Product::Images | Product::Videos, true) => Product::Videos,
            (Product::Images | Product::Videos, false) => Product::Images,
        };
        (task.clone(), Form { product, ..form })
    };
    let tasks = survey.tasks.iter().filter(|_| form.kind.has_tasks);
    tasks.map(of_task).collect()
}

/// The form of a document that was not looked at.
pub fn unknown() -> Form {
    form(&Survey::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(text: &str) -> Survey {
        let mut survey = Survey::default();
        survey.look(Box::new(text.as_bytes())).unwrap();
        survey
    }

    #[test]
    fn the_form_is_that_of_the_content_whatever_the_order_of_its_members() {
        for (text, kind, output) in [
            (r#"{"task": "t", "configurations": [{"model_id": "a"}]}"#, "task-file", "tokens"),
            (r#"{"configurations": [{"image_height": 1}], "task": "t"}"#, "task-file", "images"),
            (r#"{"configurations": [{"fps": 1}], "model_id": "a"}"#, "model-file", "videos"),
            (
                r#"{"configurations": [{"fps": null, "image_width": 1, "num_frames": null}]}"#,
                "task-file",
                "images",
            ),
            (r#"{"model_id": "a", "configurations": []}"#, "model-file", "tokens"),
            (r#"{"configurations": [{"parallelization": {}}]}"#, "model-file", "tokens"),
            (r#"{"models": {}, "tasks": []}"#, "index", "tokens"),
            (r#"{"models": {}, "configurations": []}"#, "task-file", "tokens"),
            ("[1, 2]", "task-file", "tokens"),
        ] {
            let form = form(&look(text));
            assert_eq!((form.kind.name, form.product.name()), (kind, output), "{text}");
        }
    }

    #[test]
    fn other_json_is_not_of_the_leaderboard() {
        for text in ["[]", "{}", r#"{"name": "x", "models": {}}"#, r#"{"tasks": []}"#, "1"] {
            assert!(!is_known(&look(text)), "{text}");
        }
    }
}
