//! The fields of a configuration in the leaderboard's files: those of its columns, and the names and
//! facts beside them.

use crate::input::kind::Form;
use crate::measurement::columns::{Presence, Table};
use crate::measurement::product::Product;

/// Where the value of a field goes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Target {
    /// The column at this place of the table.
    Column(usize),
    /// A name.
    Name(Name),
    /// A fact of the model, which is a figure.
    Fact(Fact),
    /// An object of degrees of parallelism, and notes.
    Parallelization,
    /// A histogram of output lengths.
    Lengths,
}

/// What a configuration names.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Name {
    Architecture,
    Gpu,
    ModelId,
    Nickname,
    Precision,
}

/// How many names there are.
pub(crate) const NAMES: usize = Name::Precision as usize + 1;

/// A fact of a model beside its names.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Fact {
    ParamsB,
    ActiveParamsB,
}

/// How many facts there are.
pub(crate) const FACTS: usize = Fact::ActiveParamsB as usize + 1;

/// A field of a configuration.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Field {
    /// Its name.
    pub name: &'static str,
    /// The column that it is about.
    pub column: &'static str,
    /// Where its value goes.
    pub target: Target,
    /// Whether a value of null is stored as null.
    pub is_nullable: bool,
    /// Whether it may be missing.
    pub is_optional: bool,
}

/// The object of a model's own file in which the degrees of parallelism are.
pub(crate) const PARALLELIZATION: &str = "parallelization";

/// The fields of a configuration in one form of file.
#[derive(Debug)]
pub(crate) struct Shape {
    pub product: Product,
    pub table: &'static Table,
    pub fields: Vec<Field>,
    /// What is in `parallelization`.
    pub degrees: Vec<Field>,
}

/// The fields of the model, which a model's own file has beside its configurations.
const OF_THE_MODEL: [(&str, &str, Target); 5] = [
    ("activated_params_billions", "active_params_b", Target::Fact(Fact::ActiveParamsB)),
    ("model_id", "hugging_face_id", Target::Name(Name::ModelId)),
    ("nickname", "model_name", Target::Name(Name::Nickname)),
    ("total_params_billions", "params_b", Target::Fact(Fact::ParamsB)),
    ("weight_precision", "precision", Target::Name(Name::Precision)),
];

impl Shape {
    /// The shape of the configurations in a form of file.
    pub(crate) fn of(form: Form) -> Self {
        let (product, table) = (form.product, form.product.table());
        let other = |(name, column, target)| {
            let (is_nullable, is_optional) = (false, false);
            Field { name, column, target, is_nullable, is_optional }
        };
        let column = |at: usize| {
            let column = &table.columns[at];
            let presence = column.presence;
            Some(Field {
                name: table.field(column, product)?,
                column: column.name,
                target: Target::Column(at),
                is_nullable: presence != Presence::Required,
                is_optional: presence == Presence::Optional,
            })
        };
        let is_apart = |at: &usize| form.is_detail() && table.columns[*at].is_degree;
        let (apart, own): (Vec<_>, Vec<_>) = (0..table.columns.len()).partition(is_apart);
        let mut fields: Vec<_> = own.into_iter().filter_map(column).collect();
        fields.push(other(("gpu_model", "gpu", Target::Name(Name::Gpu))));
        let makes_text = match product {
            Product::Tokens => true,
            Product::Images | Product::Videos => false,
        };
        if form.is_detail() {
            fields.push(other((PARALLELIZATION, PARALLELIZATION, Target::Parallelization)));
        } else {
            fields.extend(OF_THE_MODEL.map(other));
        }
        if makes_text && form.is_detail() {
            fields.push(other(("output_length_distribution", "output_lengths", Target::Lengths)));
        } else if makes_text {
            fields.push(other(("architecture", "architecture", Target::Name(Name::Architecture))));
        }
        Self { product, table, fields, degrees: apart.into_iter().filter_map(column).collect() }
    }

    /// The place of the field of this name.
    pub(crate) fn field_named(&self, key: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.name == key)
    }

    /// The path from the configuration to the field of a column.
    pub(crate) fn path(&self, column: &str) -> String {
        let is_it = |field: &&Field| field.column == column;
        let own = self.fields.iter().find(is_it).map(|field| field.name.to_owned());
        let apart = || {
            let degree = self.degrees.iter().find(is_it);
            degree.map(|field| format!("{PARALLELIZATION}/{}", field.name))
        };
        own.or_else(apart).unwrap_or_else(|| column.to_owned())
    }
}

/// Where a form of file has a column, as a path from the configuration.
pub fn path_of_column(form: Form, column: &str) -> String {
    Shape::of(form).path(column)
}
