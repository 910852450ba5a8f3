//! What the Hugging Face hub reads at the head of `README.md`: title, licence, tags, size, and a
//! configuration for each table, with its file.

use serde_json::json;

use super::description::{Description, KEYWORDS};
use super::pages::LICENCE;

/// The sizes of data sets as the hub names them, and the numbers of rows below which each is.
const SIZES: [(u64, &str); 4] =
    [(1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M")];
/// The size of what is larger.
const LARGER: &str = "n>1M";

/// The front matter, in YAML.
pub fn front_matter(release: &Description) -> String {
    let mut lines = format!("---\npretty_name: {}\n", json!(release.title()));
    lines += &match release.licence() {
        Some(licence) => format!("license: {}\n", licence.to_lowercase()),
        None => format!("license: other\nlicense_name: several\nlicense_link: {LICENCE}\n"),
    };
    let tags: String = KEYWORDS.iter().map(|word| format!("- {word}\n")).collect();
    let rows = release.facts.counts[0];
    let size = SIZES.iter().find(|(limit, _)| rows < *limit).map_or(LARGER, |(_, size)| size);
    lines += &format!("tags:\n{tags}size_categories:\n- {size}\nconfigs:\n");
    let (example, _) = release.example();
    // The hub's loader refuses a file without rows.
    for shipped in release.tables.iter().filter(|shipped| shipped.rows > 0) {
        let name = &shipped.table.name;
        lines += &format!("- config_name: {name}\n");
        if name == example {
            lines += "  default: true\n";
        }
        let path = release.data_file(shipped);
        lines += &format!("  data_files:\n  - split: train\n    path: {path}\n");
    }
    lines + "---\n"
}
