//! What a measurement is: its columns, its record, the checks that it passes, its published form.

pub mod check;
pub mod columns;
pub mod labels;
pub mod method;
pub mod plausible;
pub mod product;
pub mod published;
pub mod record;
