//! Documents to ingest: real rows, whole or broken.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::source_configurations;

/// A configuration: its fields in order, each with the text of its value.
#[derive(Clone)]
pub struct Row(pub Vec<(String, Vec<u8>)>);

impl Row {
    /// The text of a field's value.
    pub fn text(&self, field: &str) -> &str {
        let value = &self
            .0
            .iter()
            .find(|(name, _)| name == field)
            .unwrap_or_else(|| panic!("no {field}"))
            .1;
        std::str::from_utf8(value).unwrap()
    }

    /// A field's number.
    pub fn number(&self, field: &str) -> f64 {
        self.text(field).parse().unwrap()
    }

    /// The row with another value in a field.
    pub fn with(&self, field: &str, text: impl AsRef<[u8]>) -> Self {
        let mut row = self.clone();
        let value = row
            .0
            .iter_mut()
            .find(|(name, _)| name == field)
            .unwrap_or_else(|| panic!("no {field}"));
        value.1 = text.as_ref().to_vec();
        row
    }

    /// The row with another number in a field.
    pub fn with_number(&self, field: &str, number: f64) -> Self {
        self.with(field, format!("{number:?}"))
    }

    /// The row without a field.
    pub fn without(&self, field: &str) -> Self {
        Self(self.0.iter().filter(|(name, _)| name != field).cloned().collect())
    }

    /// The row with one more field at its end.
    pub fn and(&self, field: &str, text: impl AsRef<[u8]>) -> Self {
        let mut row = self.clone();
        row.0.push((field.into(), text.as_ref().to_vec()));
        row
    }

    fn write_to(&self, out: &mut Vec<u8>) {
        let mut separator = "{";
        for (name, value) in &self.0 {
            out.extend(
                format!("{separator}\n  {}: ", serde_json::to_string(name).unwrap()).bytes(),
            );
            out.extend(value);
            separator = ",";
        }
        out.extend(b"\n}");
    }
}

/// Every row of the real file.
pub fn real_rows() -> Vec<Row> {
    let row = |row: serde_json::Value| {
        let fields = row.as_object().unwrap().iter();
        Row(fields.map(|(name, value)| (name.clone(), value.to_string().into_bytes())).collect())
    };
    source_configurations().into_iter().map(row).collect()
}

/// A document of a task.
pub fn document_of(task: &str, rows: &[Row]) -> Vec<u8> {
    let mut text = b"{\"configurations\": [".to_vec();
    for (position, row) in rows.iter().enumerate() {
        text.extend(if position > 0 { &b",\n"[..] } else { b"\n" });
        row.write_to(&mut text);
    }
    text.extend(format!("\n], \"task\": \"{task}\", \"task_display_name\": \"Chat\"}}").bytes());
    text
}

/// A document of the real task.
pub fn document(rows: &[Row]) -> Vec<u8> {
    document_of("lm-arena-chat", rows)
}

/// Packs bytes with gzip.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}
