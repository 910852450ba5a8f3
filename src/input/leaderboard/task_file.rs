//! The leaderboard's task file: `task`, `task_display_name` and an array of `configurations`, each
//! a flat object of the fields in [`crate::measurement::columns`]. One of images or videos also says that its
//! architecture is diffusion.

use crate::input::bytes::Text;
use crate::input::classify::Form;
use crate::input::findings::Keys;
use crate::input::json::{JsonError, JsonReader, Kind};
use crate::input::leaderboard::configurations::{At, Head, Reader, Sink, Whose, twice};
use crate::input::value::described;
use crate::measurement::check::Check;
use crate::measurement::columns;
use crate::measurement::record::Product;

/// The members of the document itself.
const MEMBERS: [&str; 4] = ["architecture", "configurations", "task", "task_display_name"];

/// What the architecture of images and videos is.
const DIFFUSION: &str = "diffusion";

/// Reads a task file to its end.
///
/// # Errors
/// When it is not JSON or cannot be read; everything else is a finding.
pub fn read<S: Sink>(
    reader: &mut Reader<'_, S>,
    text: Text<'_>,
    form: Form,
) -> Result<Head, JsonError> {
    let mut json = JsonReader::new(text);
    let mut head = Head::default();
    if json.peek()? != Kind::Object {
        let value = described(&mut json)?;
        reader.form(value, "an object with task and configurations");
        json.finish()?;
        return Ok(head);
    }
    let mut keys = Keys::default();
    let mut has_configurations = false;
    json.begin_object()?;
    while let Some(key) = json.next_key()? {
        if !keys.insert(key) {
            reader.findings.add(twice("", key));
            json.skip()?;
            continue;
        }
        *reader.at = At::member(MEMBERS.into_iter().find(|name| *name == key));
        match key {
            "configurations" => {
                has_configurations = true;
                head.configurations =
                    reader.configurations(&mut json, columns::of(form), Whose::Each)?;
            }
            "task" => head.task = reader.title(&mut json, "/task")?,
            "task_display_name" => {
                head.display_name = reader.title(&mut json, "/task_display_name")?;
            }
            "architecture" if form.product != Product::Tokens => {
                let family = reader.title(&mut json, "/architecture")?;
                if let Some(family) = family.filter(|family| family != DIFFUSION) {
                    let value = format!("\"{}\"", crate::input::findings::shown(&family));
                    let expected = "\"diffusion\", since its configurations make images or videos";
                    reader.add(Check::DocumentForm, "/architecture", value, expected);
                }
            }
            unknown => {
                reader.findings.add_unknown(unknown);
                json.skip()?;
            }
        }
    }
    reader.end(&mut json)?;
    reader.check_task(head.task.as_deref());
    let missing: Vec<_> = [("task", keys.insert("task")), ("configurations", !has_configurations)]
        .into_iter()
        .filter_map(|(name, is_missing)| is_missing.then_some(name))
        .collect();
    if !missing.is_empty() {
        reader.form(
            format!("an object without {}", missing.join(" and ")),
            "a leaderboard task file, an object with task and configurations",
        );
    } else if head.configurations == 0 {
        reader.add(Check::Rows, "/configurations", "no configurations", "at least one");
    }
    Ok(head)
}
