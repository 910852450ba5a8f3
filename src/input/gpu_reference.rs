//! Reference data on types of GPU: what their vendor publishes, from `data/gpus.json`. It says
//! where every figure is, and nothing about a GPU that it does not list.

use std::sync::LazyLock;

use anyhow::{Context, Result};
use serde::Deserialize;

/// The file of reference data that the program carries.
const BUILT_IN: &[u8] = include_bytes!("../../data/gpus.json");

/// What the vendor publishes of one type of GPU.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GpuReference {
    /// The name under which the sources' documents speak of it.
    pub gpu: String,
    /// The exact product that the figures are of.
    pub product: String,
    /// Who makes it.
    pub vendor: String,
    /// Highest power that one is rated for, watts.
    pub rated_power_watts: f64,
    /// Memory of one, 10^9 bytes.
    pub memory_gb: f64,
    /// Title of the vendor's document that says so.
    pub reference_title: String,
    /// Its address.
    pub reference_url: String,
}

impl GpuReference {
    /// All reference data that the program carries.
    ///
    /// # Errors
    /// When its file is broken, which the tests rule out.
    pub fn built_in() -> Result<Vec<Self>> {
        serde_json::from_slice(BUILT_IN).context("could not read the built-in gpus.json")
    }
}

/// Highest power that a GPU of this name is rated for, watts; none where no reference data says.
pub fn rated_power_watts(gpu: &str) -> Option<f64> {
    static KNOWN: LazyLock<Vec<GpuReference>> =
        LazyLock::new(|| GpuReference::built_in().unwrap_or_default());
    KNOWN.iter().find(|known| known.gpu == gpu).map(|known| known.rated_power_watts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_of_the_reference_data_has_a_source() {
        let known = GpuReference::built_in().unwrap();
        let rated: Vec<_> =
            known.iter().map(|gpu| (gpu.gpu.as_str(), gpu.rated_power_watts)).collect();
        assert_eq!(rated, [("H100", 700.0), ("B200", 1000.0)]);
        for gpu in known {
            assert!(gpu.memory_gb > 0.0 && gpu.memory_gb.is_finite(), "{}", gpu.gpu);
            assert!(gpu.reference_url.starts_with("https://"), "{}", gpu.gpu);
            assert!(!gpu.reference_title.is_empty(), "{}", gpu.gpu);
        }
    }
}
