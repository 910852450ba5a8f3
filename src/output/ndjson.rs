//! ndjson: one object per line, for programs that read line by line.

use std::io::{self, Write};

use rusqlite::types::ValueRef;

use super::RowWriter;
use crate::output::json_object::Members;

/// Writes the format ndjson.
pub struct NdjsonWriter<'w> {
    out: &'w mut (dyn Write + 'w),
    members: Members,
}

impl<'w> NdjsonWriter<'w> {
    /// A writer to this output.
    pub fn new(out: &'w mut (dyn Write + 'w)) -> Self {
        NdjsonWriter { out, members: Members::default() }
    }
}

impl RowWriter for NdjsonWriter<'_> {
    fn columns(&mut self, names: &[String]) -> io::Result<()> {
        self.members = Members::new(names)?;
        Ok(())
    }

    fn row(&mut self, values: &[ValueRef<'_>]) -> io::Result<()> {
        self.members.write(self.out, values)?;
        self.out.write_all(b"\n")
    }

    fn finish(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::testing::{text, try_written, written};
    use crate::output::{Format, Layout};

    #[test]
    fn each_row_is_a_line() {
        assert_eq!(
            written(Format::Ndjson, &["note"], &[&[text("two\nlines")], &[ValueRef::Real(1.0)]]),
            "{\"note\": \"two\\nlines\"}\n{\"note\": 1.0}\n"
        );
    }

    #[test]
    fn no_rows_are_nothing() {
        assert_eq!(written(Format::Ndjson, &["model"], &[]), "");
    }

    #[test]
    fn two_columns_of_one_name_are_refused() {
        assert!(try_written(Format::Ndjson, &Layout::default(), &["n", "n"], &[]).is_err());
    }
}
