//! The description of a release. Every document about the release is made from it.

use super::tables::Table;
use super::{CSV, PARQUET};
use crate::database::release::Facts;
use crate::measurement::product::Product;

/// Words by which people find a release.
pub const KEYWORDS: [&str; 6] =
    ["energy", "llm", "inference", "benchmark", "gpu", "sustainability"];

/// Licences that catalogues know by these names, which are those of SPDX.
const LICENCES: [&str; 7] =
    ["Apache-2.0", "BSD-3-Clause", "CC-BY-4.0", "CC-BY-NC-4.0", "CC-BY-SA-4.0", "CC0-1.0", "MIT"];

/// A release.
#[derive(Debug, Clone)]
pub struct Description {
    /// What the database says of it.
    pub facts: Facts,
    /// Its views and tables, views first.
    pub tables: Vec<Shipped>,
    /// Whether each is there as Parquet, too.
    pub has_parquet: bool,
    /// The columns by which Parquet is split in addition.
    pub partition: Vec<String>,
    /// The state of the data of the older release that it is compared with.
    pub since: Option<String>,
}

/// A view or table with its files.
#[derive(Debug, Clone)]
pub struct Shipped {
    /// What it is.
    pub table: Table,
    /// How many rows it has.
    pub rows: u64,
}

/// A file of a release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileFacts {
    /// Its length.
    pub bytes: u64,
    /// The sha256 of its bytes, in hexadecimal.
    pub sha256: String,
}

impl Shipped {
    /// Its CSV, within the folder.
    pub fn csv(&self) -> String {
        format!("{CSV}/{}.csv", self.table.name)
    }

    /// Its Parquet, within the folder.
    pub fn parquet(&self) -> String {
        format!("{PARQUET}/{}{}", self.table.name, super::parquet::ENDING)
    }
}

impl Description {
    /// The name, for programs.
    pub fn name(&self) -> String {
        self.facts.file_stem()
    }

    /// The name of the file of the database.
    pub fn database(&self) -> String {
        self.facts.file_name()
    }

    /// The title, for people.
    pub fn title(&self) -> String {
        format!("energydb, release {}", self.facts.data_version)
    }

    /// The file from which a program reads a table: Parquet where there is one, since it has types.
    pub fn data_file(&self, shipped: &Shipped) -> String {
        if self.has_parquet { shipped.parquet() } else { shipped.csv() }
    }

    /// The licence of all data, by its SPDX name, or `None` if it is not known, or not one.
    pub fn licence(&self) -> Option<&'static str> {
        let sets = self.facts.data_sets();
        let mut licences = sets.iter().map(|set| {
            let first = set.licence.as_deref()?.split_whitespace().next()?;
            LICENCES.into_iter().find(|licence| *licence == first)
        });
        let first = licences.next()??;
        licences.all(|licence| licence == Some(first)).then_some(first)
    }

    /// Who published the data, each once.
    pub fn publishers(&self) -> Vec<String> {
        let mut publishers = Vec::new();
        for set in self.facts.data_sets() {
            let publisher = set.publisher.unwrap_or(set.name);
            if !publishers.contains(&publisher) {
                publishers.push(publisher);
            }
        }
        publishers
    }

    /// Where the data comes from.
    pub fn urls(&self) -> Vec<String> {
        let urls = self.facts.data_sets().into_iter().filter_map(|set| set.url);
        urls.filter(|url| is_url(url)).collect()
    }

    /// The view that a reader begins with: of the choices that are made in it, the first that has
    /// rows. Its column of energy comes with it.
    pub fn example(&self) -> (&'static str, &'static str) {
        let has_rows = |name: &str| {
            self.tables.iter().any(|shipped| shipped.table.name == name && shipped.rows > 0)
        };
        let mut examples = Product::all().map(Product::best);
        examples.find(|(view, _)| has_rows(view)).unwrap_or(Product::default().best())
    }
}

/// Whether a text is an address on the web.
pub fn is_url(text: &str) -> bool {
    text.starts_with("https://") || text.starts_with("http://")
}
