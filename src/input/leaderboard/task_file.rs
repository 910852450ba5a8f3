//! The leaderboard's task file: `task`, `task_display_name` and an array of `configurations`, each
//! a flat object of [`super::fields`]. One of images or videos also says that its architecture is
//! diffusion.

use crate::input::bytes::Text;
use crate::input::document::Document;
use crate::input::findings::shown;
use crate::input::json::{JsonError, JsonReader, Kind};
use crate::input::kind::{DocumentKind, Holds, Survey};
use crate::input::leaderboard::configurations::{self, Whose};
use crate::input::reader::Reader;
use crate::input::reading::Head;
use crate::input::value::described;
use crate::measurement::check::Check;
use crate::measurement::product::Product;

/// This kind of document.
pub(crate) static KIND: DocumentKind = DocumentKind {
    name: "task-file",
    called: "a task file",
    holds: Holds::Configurations,
    may_be_unstable: false,
    may_repeat: false,
    has_tasks: false,
    is: |survey: &Survey| survey.member("configurations") || survey.task.is_some(),
    read,
};

/// The members of a document of text, and of one of images or videos.
const OF_TEXT: &[&str] = &["configurations", "task", "task_display_name"];
const OF_DIFFUSION: &[&str] = &["architecture", "configurations", "task", "task_display_name"];

/// What the architecture of images and videos is.
const DIFFUSION: &str = "diffusion";

fn read(
    reader: &mut Reader<'_, '_>,
    text: Text<'_>,
    document: &Document,
) -> Result<Head, JsonError> {
    let form = document.form;
    let mut json = JsonReader::new(text);
    let mut head = Head::default();
    if json.peek()? != Kind::Object {
        let value = described(&mut json)?;
        let expected = "an object with task and configurations";
        reader.add(Check::DocumentForm, "/", value, expected);
        json.finish()?;
        return Ok(head);
    }
    let known = match form.product {
        Product::Tokens => OF_TEXT,
        Product::Images | Product::Videos => OF_DIFFUSION,
    };
    let mut keys = reader.document(&mut json, known, |reader, json, name| {
        let place = format!("/{name}");
        match name {
            "configurations" => {
                head.configurations = configurations::read(reader, json, form, Whose::Each)?;
            }
            "task" => head.task = reader.name(json, &place)?,
            "task_display_name" => head.display_name = reader.name(json, &place)?,
            _ => {
                let family = reader.name(json, &place)?;
                if let Some(family) = family.filter(|family| family != DIFFUSION) {
                    let value = format!("\"{}\"", shown(&family));
                    let expected = "\"diffusion\", since its configurations make images or videos";
                    reader.add(Check::DocumentForm, place, value, expected);
                }
            }
        }
        Ok(())
    })?;
    reader.check_task(head.task.as_deref());
    let missing: Vec<_> =
        ["task", "configurations"].into_iter().filter(|name| keys.insert(name)).collect();
    if missing.is_empty() {
        reader.check_rows(head.configurations);
    } else {
        let value = format!("an object without {}", missing.join(" and "));
        let expected = "a leaderboard task file, an object with task and configurations";
        reader.add(Check::DocumentForm, "/", value, expected);
    }
    Ok(head)
}
