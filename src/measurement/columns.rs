//! The tables of configurations and their columns, each declared once. From this follow how documents
//! are read, checked, loaded, hashed, verified and compared.

use std::ops::RangeInclusive;

use crate::measurement::product::Product;

/// The range of a figure. A double can represent such a figure in any other unit too. The tables check it as
/// well.
pub const FIGURES: RangeInclusive<f64> = 1e-300..=1e300;

/// What a column is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It tells configurations apart: rows with equal keys are repeated measurements.
    Key,
    /// A setting beside the key.
    Setting,
    /// What was measured.
    Figure,
}

/// Whether the leaderboard's documents have a value for a column. A null is stored as null.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// Always.
    Required,
    /// The field is always there, but may be null.
    Nullable,
    /// The field may be missing or null.
    Optional,
}

/// One column of a table of configurations.
#[derive(Debug, Clone, Copy)]
pub struct Column {
    /// Its name in the table.
    pub name: &'static str,
    /// Its field in the leaderboard's documents: one for each product of the table, or one for all.
    /// Empty where a product has no such field.
    fields: &'static [&'static str],
    /// Its unit; empty where it has none.
    pub unit: &'static str,
    /// What it is for.
    pub role: Role,
    /// Whether its values are whole numbers of at least 1. Otherwise they are real, and in the range of
    /// [`FIGURES`].
    pub is_whole: bool,
    /// Whether documents always have it.
    pub presence: Presence,
    /// Whether it is a degree of parallelism, which some documents keep apart.
    pub is_degree: bool,
    /// Whether every configuration has it, whatever its source.
    pub is_needed: bool,
}

impl Column {
    const fn key(name: &'static str, fields: &'static [&'static str], unit: &'static str) -> Self {
        let (role, presence) = (Role::Key, Presence::Required);
        Self {
            name,
            fields,
            unit,
            role,
            is_whole: true,
            presence,
            is_degree: false,
            is_needed: true,
        }
    }

    const fn figure(
        name: &'static str,
        fields: &'static [&'static str],
        unit: &'static str,
    ) -> Self {
        let (role, presence) = (Role::Figure, Presence::Required);
        Self {
            name,
            fields,
            unit,
            role,
            is_whole: false,
            presence,
            is_degree: false,
            is_needed: true,
        }
    }

    /// A degree of parallelism with this role, which has the same name everywhere.
    const fn degree(role: Role, name: &'static [&'static str; 1]) -> Self {
        Self { role, is_degree: true, ..Self::key(name[0], name, "") }
    }

    const fn whole(self) -> Self {
        Self { is_whole: true, ..self }
    }

    const fn nullable(self) -> Self {
        Self { presence: Presence::Nullable, is_needed: false, ..self }
    }

    const fn optional(self) -> Self {
        Self { presence: Presence::Optional, is_needed: false, ..self }
    }

    /// A column that the leaderboard always has and other sources may lack.
    const fn if_known(self) -> Self {
        Self { is_needed: false, ..self }
    }
}

/// A table of configurations.
#[derive(Debug)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// Its primary key, a number from 1.
    pub id: &'static str,
    /// What its configurations make.
    pub products: &'static [Product],
    /// Its columns beside those that every such table has.
    pub columns: &'static [Column],
}

/// The field of a column that no document of the leaderboard has.
const NOWHERE: &[&str] = &[""];

/// Configurations that make text.
pub const TEXT: Table = Table {
    name: "configurations",
    id: "configuration_id",
    products: &[Product::Tokens],
    columns: &[
        Column::key("num_gpus", &["num_gpus"], ""),
        Column::degree(Role::Setting, &["tensor_parallel"]),
        Column::degree(Role::Setting, &["data_parallel"]),
        Column::degree(Role::Setting, &["expert_parallel"]),
        Column::key("max_num_seqs", &["max_num_seqs"], "requests"),
        Column::figure("avg_running_batch", &["avg_batch_size"], "requests").if_known(),
        Column::figure("tokens_per_second", &["output_throughput_tokens_per_sec"], "tokens/s"),
        Column::figure("power_watts", &["avg_power_watts"], "W"),
        Column::figure("joules_per_output_token", &["energy_per_token_joules"], "J"),
        Column::figure("joules_per_request", &["energy_per_request_joules"], "J").if_known(),
        Column::figure("median_itl_ms", &["median_itl_ms"], "ms").if_known(),
        Column::figure("p90_itl_ms", &["p90_itl_ms"], "ms").if_known(),
        Column::figure("p95_itl_ms", &["p95_itl_ms"], "ms").if_known(),
        Column::figure("p99_itl_ms", &["p99_itl_ms"], "ms").if_known(),
        Column::figure("median_ttft_ms", &["median_ttft_ms"], "ms").optional(),
        Column::figure("p99_ttft_ms", &["p99_ttft_ms"], "ms").optional(),
        Column::figure("mean_tpot_ms", NOWHERE, "ms").optional(),
        Column::figure("avg_input_tokens", NOWHERE, "tokens").optional(),
        Column::figure("avg_output_tokens", &["avg_output_len"], "tokens").if_known(),
        Column::figure("requests", NOWHERE, "requests").whole().optional(),
        Column::figure("steady_state_s", NOWHERE, "s").optional(),
        Column::figure("window_uncertainty_percent", NOWHERE, "%").optional(),
    ],
};

/// Configurations that make images or videos.
pub const DIFFUSION: Table = Table {
    name: "diffusion_configurations",
    id: "diffusion_configuration_id",
    products: &[Product::Images, Product::Videos],
    columns: &[
        Column::key("num_gpus", &["num_gpus"], ""),
        Column::key("batch_size", &["batch_size"], ""),
        Column::key("height_pixels", &["image_height", "video_height"], "pixels"),
        Column::key("width_pixels", &["image_width", "video_width"], "pixels"),
        Column::key("inference_steps", &["inference_steps"], "steps"),
        Column::key("num_frames", &["", "num_frames"], "frames").nullable(),
        Column::key("frames_per_second", &["", "fps"], "frames/s").nullable(),
        Column::degree(Role::Key, &["ulysses_degree"]),
        Column::degree(Role::Key, &["ring_degree"]),
        Column::figure(
            "joules_per_output",
            &["energy_per_image_joules", "energy_per_video_joules"],
            "J",
        ),
        Column::figure("batch_latency_s", &["batch_latency_s"], "s"),
        Column::figure(
            "outputs_per_second",
            &["throughput_images_per_sec", "throughput_videos_per_sec"],
            "outputs/s",
        ),
        Column::figure("power_watts", &["avg_power_watts"], "W"),
    ],
};

/// The inter-token latencies of text, from the lowest percentile to the highest.
pub const ITL: [&str; 4] = ["median_itl_ms", "p90_itl_ms", "p95_itl_ms", "p99_itl_ms"];

/// Where the columns of text are that checks and choices are about.
pub(crate) mod text {
    use super::TEXT;

    pub const NUM_GPUS: usize = TEXT.at("num_gpus");
    pub const LIMIT: usize = TEXT.at("max_num_seqs");
    pub const LOAD: usize = TEXT.at("avg_running_batch");
    pub const PER_SECOND: usize = TEXT.at("tokens_per_second");
    pub const POWER: usize = TEXT.at("power_watts");
    pub const JOULES: usize = TEXT.at("joules_per_output_token");
    pub const PER_REQUEST: usize = TEXT.at("joules_per_request");
    pub const OUTPUT_TOKENS: usize = TEXT.at("avg_output_tokens");
    pub const TPOT: usize = TEXT.at("mean_tpot_ms");
    pub const ITL: [usize; super::ITL.len()] = TEXT.places(super::ITL);
}

/// The same of images and videos.
pub(crate) mod diffusion {
    use super::DIFFUSION;

    pub const NUM_GPUS: usize = DIFFUSION.at("num_gpus");
    pub const BATCH_SIZE: usize = DIFFUSION.at("batch_size");
    pub const HEIGHT: usize = DIFFUSION.at("height_pixels");
    pub const WIDTH: usize = DIFFUSION.at("width_pixels");
    pub const STEPS: usize = DIFFUSION.at("inference_steps");
    pub const FRAMES: usize = DIFFUSION.at("num_frames");
    pub const ULYSSES: usize = DIFFUSION.at("ulysses_degree");
    pub const RING: usize = DIFFUSION.at("ring_degree");
    pub const JOULES: usize = DIFFUSION.at("joules_per_output");
    pub const LATENCY: usize = DIFFUSION.at("batch_latency_s");
    pub const PER_SECOND: usize = DIFFUSION.at("outputs_per_second");
    pub const POWER: usize = DIFFUSION.at("power_watts");
}

/// The most columns that a table has.
pub const MOST: usize = if TEXT.columns.len() > DIFFUSION.columns.len() {
    TEXT.columns.len()
} else {
    DIFFUSION.columns.len()
};

/// A value for each column of a table, in their order. A whole number of 32 bits is the same as a
/// double.
pub type Values = [f64; MOST];

/// What stands for null, since every value is above it.
pub const NULL: f64 = 0.0;

impl Table {
    /// Every table, in the order of the products.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        Product::all().filter(|product| product.table().products[0] == *product).map(Product::table)
    }

    /// The place of a column, for constants: a name that is not a column's does not compile.
    pub(crate) const fn at(&self, name: &str) -> usize {
        let mut at = 0;
        while !is_same(self.columns[at].name, name) {
            at += 1;
        }
        at
    }

    /// The places of columns, as [`Self::at`].
    const fn places<const N: usize>(&self, names: [&str; N]) -> [usize; N] {
        let mut places = [0; N];
        let mut at = 0;
        while at < N {
            places[at] = self.at(names[at]);
            at += 1;
        }
        places
    }

    /// The place of a column, or `None` if no column has the name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    /// The field that the documents of a product have for a column, or `None` if they have none.
    pub fn field(&self, column: &Column, product: Product) -> Option<&'static str> {
        let at = self.products.iter().position(|of| *of == product)?;
        let field = column.fields.get(at).or(column.fields.first()).copied();
        field.filter(|field| !field.is_empty())
    }

    /// The names of the key's columns.
    pub fn key(&self) -> impl Iterator<Item = &'static str> {
        let keys = self.columns.iter().filter(|column| column.role == Role::Key);
        keys.map(|column| column.name)
    }

    /// The values in the columns of a role, as bits that are equal only where the values are.
    pub fn bits_of(&self, role: Role, values: &Values) -> impl Iterator<Item = u64> {
        let of_role = self.columns.iter().zip(*values).filter(move |(of, _)| of.role == role);
        of_role.map(|(_, value)| value.to_bits())
    }

    /// Whether two configurations have the same values in the columns of a role.
    pub fn is_same(&self, role: Role, one: &Values, other: &Values) -> bool {
        self.bits_of(role, one).eq(self.bits_of(role, other))
    }

    /// The first column in which two configurations differ: what tells them apart first, then their
    /// settings and figures.
    pub fn first_difference(&self, one: &Values, other: &Values) -> Option<usize> {
        let differs = |at: &usize| one[*at] != other[*at];
        let (key, others): (Vec<_>, Vec<_>) =
            (0..self.columns.len()).partition(|at| self.columns[*at].role == Role::Key);
        key.into_iter().chain(others).find(differs)
    }
}

impl Product {
    /// The table of the configurations that make it.
    pub const fn table(self) -> &'static Table {
        match self {
            Self::Tokens => &TEXT,
            Self::Images | Self::Videos => &DIFFUSION,
        }
    }
}

const fn is_same(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_product_has_a_table_with_a_field_for_what_documents_must_have() {
        for product in Product::all() {
            let table = product.table();
            let fields: Vec<_> = table
                .columns
                .iter()
                .filter(|column| column.presence == Presence::Required)
                .map(|column| table.field(column, product))
                .collect();
            assert!(fields.iter().all(Option::is_some), "{product:?}: {fields:?}");
        }
        let names: Vec<_> = Table::all().map(|table| table.name).collect();
        assert_eq!(names, ["configurations", "diffusion_configurations"]);
    }
}
