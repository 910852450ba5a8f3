//! Replacing files and folders in one step, whole or not at all.

pub mod file;
pub mod folder;
