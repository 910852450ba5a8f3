//! The dates of the data: those of the manifest if it lists these documents, else the date in their index.
//! If all documents are the user's own, the date is the day of the latest measurement.

use anyhow::Result;

use crate::date::check_date;
use crate::error::usage;
use crate::input::document::Document;
use crate::input::reading::ReadDocument;
use crate::manifest::{Manifest, Source};
use crate::measurement::method::MEASURED_ON;

/// Where the documents themselves state the day on which they were compiled.
const EVIDENCE: &str = "last_updated of the leaderboard's index";

/// The days that a build is given, YYYY-MM-DD, or `None` to take them from the data.
#[derive(Debug, Clone, Default)]
pub struct Dates {
    /// Day that names the state of the data.
    pub data_version: Option<String>,
    /// Day on which the release is published.
    pub updated: Option<String>,
    /// The name to use if the day is unknown; `None` refuses such data.
    pub otherwise: Option<&'static str>,
}

/// The release that a build makes.
#[derive(Debug, Clone)]
pub struct Release {
    /// Day on which it is published, YYYY-MM-DD.
    pub updated: String,
    /// Day that names the state of the data, YYYY-MM-DD.
    pub data_version: String,
    /// Whether the manifest was written for its documents.
    is_described: bool,
    /// Day on which the source compiled the data, as the documents say.
    compiled: Option<String>,
}

impl Dates {
    /// This day, for everything.
    pub fn of(day: &str) -> Self {
        Self { data_version: Some(day.to_owned()), updated: Some(day.to_owned()), otherwise: None }
    }

    /// The release that documents make.
    ///
    /// # Errors
    /// When the day of the data is unknown.
    pub fn release(
        &self,
        manifest: &Manifest,
        documents: &[Document],
        read: &[ReadDocument],
    ) -> Result<Release> {
        // Own measurements do not date the published data.
        let published = documents.iter().zip(read).filter(|(document, _)| !document.form.is_own());
        let published: Vec<_> = published.map(|(_, of)| of).collect();
        let is_described = if published.is_empty() {
            manifest.describes_any()
        } else {
            published.iter().all(|of| manifest.describes(&of.received.sha256))
        };
        let days = published.iter().filter_map(|of| of.head.last_updated.as_ref());
        let compiled = days.filter(|day| check_date(day).is_ok()).max().cloned();
        let described = is_described.then_some(&manifest.release);
        let data_version = self
            .data_version
            .clone()
            .or_else(|| described.map(|release| release.data_version.clone()))
            .or_else(|| compiled.clone())
            .or_else(|| measured_on(read).filter(|_| published.is_empty()))
            .or_else(|| self.otherwise.map(Into::into))
            .ok_or_else(|| {
                usage(format!(
                    "the date of this data is unknown: {}; add --data-version YYYY-MM-DD",
                    if published.is_empty() {
                        "no measurement has a date in measured_on"
                    } else {
                        "no document is an index with last_updated"
                    }
                ))
            })?;
        let of_manifest = || described.filter(|_| self.data_version.is_none())?.updated.clone();
        let updated =
            self.updated.clone().or_else(of_manifest).unwrap_or_else(|| data_version.clone());
        Ok(Release { updated, data_version, is_described, compiled })
    }
}

/// The day of the latest measurement of documents that say it.
fn measured_on(read: &[ReadDocument]) -> Option<String> {
    read.iter().filter_map(|of| of.head.method.get(MEASURED_ON)).max().map(str::to_owned)
}

impl Release {
    /// What is true of a source for this state of its data.
    pub fn of_this_state(&self, source: Source) -> Source {
        if self.is_described {
            return source;
        }
        Source {
            version: None,
            released: None,
            compiled: self.compiled.clone(),
            compiled_evidence: self.compiled.as_ref().map(|_| EVIDENCE.into()),
            retrieved: None,
            ..source
        }
    }
}
