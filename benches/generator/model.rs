//! Invented models.

use super::random::Random;

/// A model, the same in all of its rows.
pub struct Model {
    /// Display name. Names differ in their slugs too.
    pub name: String,
    /// Publisher and name, as on Hugging Face.
    pub hugging_face_id: String,
    /// How the model is built.
    pub architecture: &'static str,
    /// Number format of the weights.
    pub precision: &'static str,
    /// Parameters, 10^9.
    pub params_b: f64,
    /// Parameters used for each token, 10^9: at most all of them.
    pub active_params_b: f64,
}

const FAMILIES: [&str; 20] = [
    "Alder", "Birch", "Cedar", "Dogwood", "Elder", "Fir", "Ginkgo", "Hazel", "Ivy", "Juniper",
    "Koa", "Larch", "Maple", "Neem", "Oak", "Pine", "Quince", "Rowan", "Spruce", "Teak",
];

/// The last part of a name, and its number format.
const VARIANTS: [(&str, &str); 5] = [
    ("", "bfloat16"),
    (" Instruct", "bfloat16"),
    (" Thinking", "bfloat16"),
    (" FP8", "fp8"),
    (" Instruct FP8", "fp8"),
];

const DENSE_B: [f64; 8] = [1.5, 4.0, 8.0, 14.0, 27.0, 32.0, 70.0, 405.0];
const EXPERTS_B: [(f64, f64); 5] =
    [(30.0, 3.0), (109.0, 17.0), (235.0, 22.0), (400.0, 17.0), (671.0, 37.0)];

impl Model {
    /// The model with this number: family, version and variant are its digits, so no two agree.
    pub fn new(number: usize, random: &mut Random) -> Self {
        let family = FAMILIES[number % FAMILIES.len()];
        let (variant, precision) = VARIANTS[number / FAMILIES.len() % VARIANTS.len()];
        let version = number / (FAMILIES.len() * VARIANTS.len()) + 10;
        let architecture =
            random.pick(&["Dense Transformer", "MoE", "Mamba-Transformer Hybrid", "MoE"]);
        let (params_b, active_params_b) = if architecture == "MoE" {
            random.pick(&EXPERTS_B)
        } else {
            let params_b = random.pick(&DENSE_B);
            (params_b, params_b)
        };
        let size = if active_params_b < params_b {
            format!("{params_b}B A{active_params_b}B")
        } else {
            format!("{params_b}B")
        };
        let name = format!("{family} {}.{} {size}{variant}", version / 10, version % 10);
        let hugging_face_id = format!("{}-lab/{}", family.to_lowercase(), name.replace(' ', "-"));
        Self { name, hugging_face_id, architecture, precision, params_b, active_params_b }
    }

    /// Whether its experts, rather than its tensors, are spread over the GPUs.
    pub fn has_experts(&self) -> bool {
        self.active_params_b < self.params_b
    }
}
