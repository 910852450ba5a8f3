//! Reference data on types of GPU, as their vendors publish it, from `data/gpus.json`. The file names the
//! source of every figure. A GPU that is not in the file has no reference data.

use std::sync::LazyLock;

use anyhow::{Context, Result};
use serde::Deserialize;

/// The file of reference data that the program carries.
const BUILT_IN: &[u8] = include_bytes!("../../data/gpus.json");

/// What the vendor publishes of one type of GPU.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GpuReference {
    /// Its name in the sources' documents.
    pub gpu: String,
    /// Its name in the driver, which tools report.
    pub driver_name: String,
    /// The exact product that has these figures.
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

static KNOWN: LazyLock<Vec<GpuReference>> =
    LazyLock::new(|| GpuReference::built_in().unwrap_or_default());
/// What the names of drivers begin with.
const VENDORS: [&str; 2] = ["NVIDIA ", "AMD Instinct "];

/// Highest power that a GPU of this name is rated for, watts, or `None` if no reference data says.
pub fn rated_power_watts(gpu: &str) -> Option<f64> {
    KNOWN.iter().find(|known| known.gpu == gpu).map(|known| known.rated_power_watts)
}

/// The name of a GPU from its name in the driver: the name in the reference data, or the driver's name
/// without the vendor.
pub fn of_driver(name: &str) -> &str {
    let name = name.trim();
    let known = KNOWN.iter().find(|known| known.driver_name == name);
    let without_vendor = || VENDORS.into_iter().find_map(|vendor| name.strip_prefix(vendor));
    known.map(|known| known.gpu.as_str()).or_else(without_vendor).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_driver_s_name_is_that_of_the_reference_data_or_loses_its_vendor() {
        for (driver, gpu) in [
            ("NVIDIA H100 80GB HBM3", "H100"),
            ("NVIDIA B200", "B200"),
            ("NVIDIA H100 PCIe", "H100 PCIe"),
            ("NVIDIA A100-SXM4-40GB", "A100-SXM4-40GB"),
            ("AMD Instinct MI300X", "MI300X"),
            ("H100", "H100"),
        ] {
            assert_eq!(of_driver(driver), gpu, "{driver}");
        }
    }

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
