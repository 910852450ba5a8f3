//! json: one array of objects, each on its own line.

use std::io::{self, Write};

use rusqlite::types::ValueRef;

use super::RowWriter;
use crate::output::json_object::Members;

/// Writes the format json.
pub struct JsonWriter<'w> {
    out: &'w mut (dyn Write + 'w),
    members: Members,
    has_rows: bool,
}

impl<'w> JsonWriter<'w> {
    /// A writer to this output.
    pub fn new(out: &'w mut (dyn Write + 'w)) -> Self {
        JsonWriter { out, members: Members::default(), has_rows: false }
    }
}

impl RowWriter for JsonWriter<'_> {
    fn columns(&mut self, names: &[String]) -> io::Result<()> {
        self.members = Members::new(names)?;
        Ok(())
    }

    fn row(&mut self, values: &[ValueRef<'_>]) -> io::Result<()> {
        let before = if self.has_rows { ",\n  " } else { "[\n  " };
        self.has_rows = true;
        self.out.write_all(before.as_bytes())?;
        self.members.write(self.out, values)
    }

    fn finish(&mut self) -> io::Result<()> {
        let end = if self.has_rows { "\n]\n" } else { "[]\n" };
        self.out.write_all(end.as_bytes())?;
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::testing::{text, try_written, written};
    use crate::output::{Format, Layout};

    #[test]
    fn each_row_is_an_object_on_its_own_line() {
        assert_eq!(
            written(
                Format::Json,
                &["model", "n"],
                &[
                    &[text("qwen-3-14b"), ValueRef::Integer(1)],
                    &[text("gpt-oss-20b"), ValueRef::Null]
                ]
            ),
            r#"[
  {"model": "qwen-3-14b", "n": 1},
  {"model": "gpt-oss-20b", "n": null}
]
"#
        );
    }

    #[test]
    fn no_rows_are_an_empty_array() {
        assert_eq!(written(Format::Json, &["model"], &[]), "[]\n");
    }

    #[test]
    fn two_columns_of_one_name_are_refused_before_anything_is_written() {
        assert!(try_written(Format::Json, &Layout::default(), &["n", "n"], &[]).is_err());
    }
}
