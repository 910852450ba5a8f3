//! The models, GPUs and precisions that documents name, numbered from 1 in the order of their first use. In
//! all documents together, a name has one spelling and a model has one set of facts. One document may add
//! facts that another leaves out.

use std::collections::HashMap;

use crate::input::look::look;
use crate::measurement::check::Check;
use crate::measurement::columns::NULL;
use crate::slug::{INDEX, is_slug, slug};

/// A model and its facts.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Such as `Qwen/Qwen3-14B`.
    pub hugging_face_id: String,
    /// Display name; empty as long as no document gave it.
    pub name: String,
    /// The name that queries and files use; empty as long as there is no display name.
    pub slug: String,
    /// Total parameters, 10^9; null where no document says.
    pub params_b: f64,
    /// Parameters used for each token, 10^9; null where no document says.
    pub active_params_b: f64,
    /// Such as `MoE`, or `None` if no document says.
    pub architecture: Option<String>,
    /// The precision of its weights, where the index says so.
    listed_precision: Option<String>,
    /// Where these facts were first read: document and JSON pointer.
    place: String,
    /// Where its display name was first read.
    name_place: String,
    /// Where its architecture was first read.
    architecture_place: String,
    /// The document that named it first.
    pub document: usize,
}

/// The facts of a model as a record gives them.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs, reason = "each is documented in Model")]
pub struct Facts<'r> {
    pub hugging_face_id: &'r str,
    pub name: Option<&'r str>,
    pub params_b: f64,
    pub active_params_b: f64,
    pub architecture: Option<&'r str>,
}

/// A fault in a name or fact of a record: the check, the source's field, the value, what was expected.
pub type Fault = (Check, &'static str, String, String);

/// Everything that the documents read so far have named.
#[derive(Debug, Default)]
pub struct Identities {
    /// The models; number n is at n - 1.
    pub models: Vec<Model>,
    /// The types of GPU.
    pub gpus: Names,
    /// The precisions, as the source names them.
    pub precisions: Names,
    /// The document that is being read.
    pub document: usize,
    architectures: Names,
    by_id: Names,
    by_slug: HashMap<String, u32>,
}

impl Identities {
    /// The number of the model with these facts, and what is wrong with them. `place` says where
    /// they are.
    pub fn model(
        &mut self,
        facts: Facts<'_>,
        place: impl Fn() -> String,
        report: &mut impl FnMut(Fault),
    ) -> Option<u32> {
        let (number, is_new) =
            self.by_id.number(facts.hugging_face_id, "model_id", look, report)?;
        if is_new {
            self.models.push(Model {
                hugging_face_id: facts.hugging_face_id.into(),
                name: String::new(),
                slug: String::new(),
                params_b: facts.params_b,
                active_params_b: facts.active_params_b,
                architecture: None,
                listed_precision: None,
                place: place(),
                name_place: String::new(),
                architecture_place: String::new(),
                document: self.document,
            });
        }
        let known = self.models.get(number as usize - 1)?;
        if !is_new {
            compare(known, facts, report);
        }
        if let Some(model) = self.models.get_mut(number as usize - 1) {
            for (known, given) in [
                (&mut model.params_b, facts.params_b),
                (&mut model.active_params_b, facts.active_params_b),
            ] {
                if *known == NULL {
                    *known = given;
                }
            }
        }
        let known = self.models.get(number as usize - 1)?;
        let (has_name, has_architecture) = (!known.name.is_empty(), known.architecture.is_some());
        if let (Some(name), false) = (facts.name, has_name) {
            self.give_name(number, name, &place, report);
        }
        if let (Some(architecture), false) = (facts.architecture, has_architecture) {
            self.architectures.number(architecture, "architecture", look, report);
            if let Some(model) = self.models.get_mut(number as usize - 1) {
                model.architecture = Some(architecture.into());
                model.architecture_place = place();
            }
        }
        Some(number)
    }

    /// Names a model and makes its slug.
    fn give_name(
        &mut self,
        number: u32,
        name: &str,
        place: &impl Fn() -> String,
        report: &mut impl FnMut(Fault),
    ) {
        let slug = slug(name);
        if slug.is_empty() {
            let expected = "a name with a letter a-z or a digit, to make a slug of".into();
            report((Check::ModelSlug, "nickname", quoted(name), expected));
        } else if !is_slug(&slug) {
            let expected = format!(
                "a name whose slug is not '{slug}', which is the name of a device on Windows"
            );
            report((Check::ModelSlug, "nickname", quoted(name), expected));
        } else if slug == INDEX {
            let expected =
                format!("a name whose slug is not '{INDEX}', which is an export's index");
            report((Check::ModelSlug, "nickname", quoted(name), expected));
        } else if let Some(other) = self.by_slug.get(&slug)
            && let Some(other) = self.models.get(*other as usize - 1)
        {
            let expected = format!(
                "a name whose slug is not '{slug}', which {} has ({})",
                other.hugging_face_id, other.name_place
            );
            report((Check::ModelSlug, "nickname", quoted(name), expected));
        }
        self.by_slug.entry(slug.clone()).or_insert(number);
        if let Some(model) = self.models.get_mut(number as usize - 1) {
            model.name = name.into();
            model.slug = slug;
            model.name_place = place();
        }
    }

    /// Remembers the precision that the index gives a model.
    pub fn list_precision(&mut self, model: u32, precision: &str) {
        if let Some(model) = self.models.get_mut(model as usize - 1) {
            model.listed_precision = Some(precision.into());
        }
    }

    /// Reports a precision that is not the one which the index gives the model.
    pub fn compare_precision(&self, model: u32, precision: &str, report: &mut impl FnMut(Fault)) {
        if let Some(model) = self.models.get(model as usize - 1)
            && let Some(listed) = &model.listed_precision
            && listed != precision
        {
            let Model { hugging_face_id, place, .. } = model;
            let expected = format!("{} as for {hugging_face_id} at {place}", quoted(listed));
            report((Check::ModelFacts, "weight_precision", quoted(precision), expected));
        }
    }

    /// The active parameters of a model, 10^9.
    pub fn active_params_b(&self, model: u32) -> Option<f64> {
        self.models.get((model as usize).checked_sub(1)?).map(|model| model.active_params_b)
    }

    /// The number of a type of GPU.
    pub fn gpu(&mut self, name: &str, report: &mut impl FnMut(Fault)) -> Option<u32> {
        self.gpus.number(name, "gpu_model", look, report).map(|(number, _)| number)
    }

    /// The number of a precision.
    pub fn precision(&mut self, name: &str, report: &mut impl FnMut(Fault)) -> Option<u32> {
        let numbered =
            self.precisions.number(name, "weight_precision", published_precision, report);
        numbered.map(|(number, _)| number)
    }
}

/// The published name of a precision: `BF16` for bfloat16, `FP8` for fp8, `MXFP4` for mxfp4.
pub fn published_precision(source_name: &str) -> String {
    match source_name.to_uppercase() {
        name if name == "BFLOAT16" => "BF16".into(),
        name if name == "FLOAT16" => "FP16".into(),
        name if name == "FLOAT32" => "FP32".into(),
        name => name,
    }
}

fn compare(known: &Model, facts: Facts<'_>, report: &mut impl FnMut(Fault)) {
    let mut fault = |field, place: &str, value: String, expected: String| {
        let expected = format!("{expected} as for {} at {place}", known.hugging_face_id);
        report((Check::ModelFacts, field, value, expected));
    };
    if let Some(name) = facts.name
        && known.name != name
        && !known.name.is_empty()
    {
        fault("nickname", &known.name_place, quoted(name), quoted(&known.name));
    }
    if let (Some(known_one), Some(architecture)) = (&known.architecture, facts.architecture)
        && known_one != architecture
    {
        let place = &known.architecture_place;
        fault("architecture", place, quoted(architecture), quoted(known_one));
    }
    let mut number = |field, value: f64, known_one: f64| {
        if value != known_one && value != NULL && known_one != NULL {
            fault(field, &known.place, value.to_string(), known_one.to_string());
        }
    };
    number("total_params_billions", facts.params_b, known.params_b);
    number("activated_params_billions", facts.active_params_b, known.active_params_b);
}

/// Says how a name is spelled that looks like another one.
fn spelled_otherwise(known: &str, name: &str) -> String {
    // Names that look alike would be shown alike.
    let differ_in_case = known.to_lowercase() == name.to_lowercase();
    let escaped = if differ_in_case { String::new() } else { escaped(name) };
    format!("\"{known}\", which is the same name spelled otherwise{escaped}")
}

/// The characters of a name beyond ASCII, by their numbers.
fn escaped(name: &str) -> String {
    let numbers = name.chars().filter(|character| !character.is_ascii());
    let numbers: Vec<_> =
        numbers.map(|character| format!("U+{:04X}", u32::from(character))).collect();
    if numbers.is_empty() { String::new() } else { format!(" (it has {})", numbers.join(", ")) }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", crate::input::findings::shown(text))
}

/// Names numbered from 1 in the order in which they came, each with one spelling.
#[derive(Debug, Default)]
pub struct Names {
    /// The names; number n is at n - 1.
    pub names: Vec<String>,
    by_folded: HashMap<String, u32>,
    last: u32,
}

impl Names {
    /// The number of a name and whether it is new. Names that `fold` makes equal are one name, and
    /// another spelling of it is reported.
    fn number(
        &mut self,
        name: &str,
        field: &'static str,
        fold: impl Fn(&str) -> String,
        report: &mut impl FnMut(Fault),
    ) -> Option<(u32, bool)> {
        // Rows of one model are mostly together.
        if self.names.get((self.last as usize).wrapping_sub(1)).is_some_and(|last| last == name) {
            return Some((self.last, false));
        }
        let folded = fold(name);
        if let Some(&number) = self.by_folded.get(&folded) {
            let known = self.names.get(number as usize - 1)?;
            if known != name {
                let expected = spelled_otherwise(known, name);
                report((Check::NameSpelling, field, quoted(name), expected));
            }
            self.last = number;
            return Some((number, false));
        }
        let number = u32::try_from(self.names.len() + 1).ok()?;
        self.names.push(name.to_owned());
        self.by_folded.insert(folded, number);
        self.last = number;
        Some((number, true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QWEN: Facts<'_> = Facts {
        hugging_face_id: "Qwen/Qwen3-8B",
        name: Some("Qwen 3 8B"),
        params_b: 8.0,
        active_params_b: 8.0,
        architecture: Some("Dense Transformer"),
    };

    fn faults(facts: &[Facts<'_>]) -> Vec<(Check, &'static str)> {
        let mut identities = Identities::default();
        let mut found = Vec::new();
        for facts in facts {
            identities
                .model(*facts, String::new, &mut |(check, field, ..)| found.push((check, field)));
        }
        found
    }

    #[test]
    fn the_same_facts_are_the_same_model() {
        assert_eq!(faults(&[QWEN, QWEN]), []);
    }

    #[test]
    fn two_models_may_not_share_a_slug() {
        let other = Facts { hugging_face_id: "Qwen/Other", name: Some("QWEN-3 8b"), ..QWEN };
        assert_eq!(faults(&[QWEN, other]), [(Check::ModelSlug, "nickname")]);
        for name in ["Σ", "Index"] {
            let named = Facts { name: Some(name), ..QWEN };
            assert_eq!(faults(&[named]), [(Check::ModelSlug, "nickname")]);
        }
    }

    #[test]
    fn every_fact_of_a_model_stays_the_same() {
        for (other, field) in [
            (Facts { name: Some("Qwen 3  8B"), ..QWEN }, "nickname"),
            (Facts { params_b: 8.1, ..QWEN }, "total_params_billions"),
            (Facts { active_params_b: 7.9, ..QWEN }, "activated_params_billions"),
            (Facts { architecture: Some("MoE"), ..QWEN }, "architecture"),
        ] {
            assert_eq!(faults(&[QWEN, other]), [(Check::ModelFacts, field)]);
        }
    }

    #[test]
    fn what_one_document_leaves_out_another_may_add() {
        let silent = Facts { name: None, architecture: None, ..QWEN };
        assert_eq!(faults(&[QWEN, silent]), []);
        let mut identities = Identities::default();
        for facts in [silent, QWEN] {
            identities.model(facts, String::new, &mut |fault| panic!("{fault:?}"));
        }
        let [model] = &identities.models[..] else { panic!("{:?}", identities.models) };
        assert_eq!((model.name.as_str(), model.slug.as_str()), ("Qwen 3 8B", "qwen-3-8b"));
        assert_eq!(model.architecture.as_deref(), Some("Dense Transformer"));
    }

    #[test]
    fn the_precision_of_a_model_is_the_one_that_the_index_gives() {
        let mut identities = Identities::default();
        let number = identities.model(QWEN, String::new, &mut |_| {}).unwrap();
        let mut found = Vec::new();
        identities.compare_precision(number, "fp8", &mut |(_, field, ..)| found.push(field));
        assert_eq!(found, [""; 0]);
        identities.list_precision(number, "bfloat16");
        identities.compare_precision(number, "bfloat16", &mut |(_, field, ..)| found.push(field));
        identities.compare_precision(number, "fp8", &mut |(_, field, ..)| found.push(field));
        assert_eq!(found, ["weight_precision"]);
    }

    #[test]
    fn names_that_differ_only_in_case_are_reported() {
        let cyrillic = Facts { hugging_face_id: "Qwen/Qwen3-8\u{412}", ..QWEN };
        assert_eq!(faults(&[QWEN, cyrillic]), [(Check::NameSpelling, "model_id")]);
        let other = Facts { hugging_face_id: "qwen/qwen3-8b", ..QWEN };
        assert_eq!(faults(&[QWEN, other]), [(Check::NameSpelling, "model_id")]);
        let mut identities = Identities::default();
        let mut found = Vec::new();
        let mut report = |(check, field, ..): Fault| found.push((check, field));
        assert_eq!(identities.gpu("B200", &mut report), Some(1));
        assert_eq!(identities.gpu("H100", &mut report), Some(2));
        assert_eq!(identities.gpu("b200", &mut report), Some(1));
        identities.precision("bfloat16", &mut report);
        identities.precision("bf16", &mut report);
        assert_eq!(
            found,
            [(Check::NameSpelling, "gpu_model"), (Check::NameSpelling, "weight_precision")]
        );
    }
}
