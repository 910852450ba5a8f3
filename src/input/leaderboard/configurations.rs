//! Reads the configurations of a leaderboard's file, each a flat object: field by field, with all checks.

use std::io;

use crate::input::findings::twice;
use crate::input::gpu_reference::rated_power_watts;
use crate::input::identities::Facts;
use crate::input::json::{JsonError, Kind};
use crate::input::kind::Form;
use crate::input::leaderboard::fields::{Fact, Name, PARALLELIZATION, Shape, Target};
use crate::input::leaderboard::histogram;
use crate::input::leaderboard::record::{Key, Record};
use crate::input::reader::{At, Reader};
use crate::input::value::{Json, described};
use crate::measurement::check::{self, Check, Finding};
use crate::measurement::plausible::Known;
use crate::measurement::record::Configuration;

/// Whose configurations are read.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Whose {
    /// Each says itself.
    Each,
    /// Those of this model, with weights in this precision.
    One { model: u32, precision: u32 },
    /// Those of a model about which something is missing or wrong, which was reported.
    Unknown,
}

/// Reads the array of configurations and returns their number.
pub(crate) fn read(
    reader: &mut Reader<'_, '_>,
    json: &mut Json<'_>,
    form: Form,
    whose: Whose,
) -> Result<u32, JsonError> {
    if !reader.is(json, Kind::Array, "/configurations", "an array of configurations")? {
        return Ok(1);
    }
    let record = &mut Record::new(Shape::of(form));
    let mut position = 0;
    json.begin_array()?;
    while json.next_element()? {
        let mut row = Row { reader, position };
        row.read(json, record, whose)?;
        position += 1;
        if reader.report.findings.is_full() {
            return Err(JsonError::Read(io::Error::other("nobody reads on")));
        }
    }
    Ok(position)
}

/// One configuration that is read.
struct Row<'r, 'c, 'b> {
    reader: &'r mut Reader<'c, 'b>,
    position: u32,
}

impl Row<'_, '_, '_> {
    fn pointer(&self) -> String {
        format!("/configurations/{}", self.position)
    }

    fn read(
        &mut self,
        json: &mut Json<'_>,
        record: &mut Record,
        whose: Whose,
    ) -> Result<(), JsonError> {
        if json.peek()? != Kind::Object {
            let value = described(json)?;
            self.reader.add(Check::FieldType, self.pointer(), value, "an object");
            return Ok(());
        }
        *self.reader.at = At { position: Some(self.position), field: None, ..*self.reader.at };
        record.clear();
        let faults_before = self.reader.report.findings.count;
        self.fields(json, record)?;
        if self.reader.report.findings.count == faults_before {
            self.hand_on(record, whose);
        }
        Ok(())
    }

    /// Reads the fields into the record.
    fn fields(&mut self, json: &mut Json<'_>, record: &mut Record) -> Result<(), JsonError> {
        json.begin_object()?;
        while let Some(key) = record.next_field(json)? {
            let index = match key {
                Key::Field(index) => index,
                Key::Unknown(key) => {
                    self.reader.at.field = None;
                    if record.unknown.insert(&key) {
                        self.reader.report.findings.add_unknown(&key);
                    } else {
                        self.reader.report.findings.add(twice(&self.pointer(), &key));
                    }
                    json.skip()?;
                    record.unknown.check(json)?;
                    continue;
                }
            };
            let field = record.shape.fields[index];
            self.reader.at.field = Some(field.name);
            if record.seen & (1 << index) != 0 {
                self.reader.report.findings.add(twice(&self.pointer(), field.name));
                json.skip()?;
                continue;
            }
            record.seen |= 1 << index;
            match field.target {
                Target::Parallelization => self.parallelization(json, record)?,
                Target::Lengths => {
                    let place = format!("{}/{}", self.pointer(), field.name);
                    histogram::read(self.reader, json, &place, &mut record.lengths)?;
                }
                target @ (Target::Column(_) | Target::Name(_) | Target::Fact(_)) => {
                    if let Err(refusal) = record.take(json, target, field.is_nullable)? {
                        self.reader.refuse(format!("{}/{}", self.pointer(), field.name), refusal);
                    }
                }
            }
        }
        for (index, field) in record.shape.fields.iter().enumerate() {
            if record.seen & (1 << index) == 0 && !field.is_optional {
                self.reader.missing(format!("{}/{}", self.pointer(), field.name));
            }
        }
        Ok(())
    }

    /// Reads the degrees of parallelism that are in an object of their own.
    fn parallelization(
        &mut self,
        json: &mut Json<'_>,
        record: &mut Record,
    ) -> Result<(), JsonError> {
        let place = &format!("{}/{PARALLELIZATION}", self.pointer());
        if !self.reader.is(json, Kind::Object, place, "an object of degrees of parallelism")? {
            return Ok(());
        }
        let degrees = record.shape.degrees.clone();
        let mut keys = self.reader.members(json, place, |reader, json, key| {
            if let Some(field) = degrees.iter().find(|field| field.name == key) {
                if let Err(refusal) = record.take(json, field.target, field.is_nullable)? {
                    reader.refuse(format!("{place}/{key}"), refusal);
                }
            } else if key == "notes" {
                return notes(reader, json, place);
            } else {
                return Ok(false);
            }
            Ok(true)
        })?;
        for field in degrees.iter().filter(|field| keys.insert(field.name)) {
            self.reader.missing(format!("{place}/{}", field.name));
        }
        Ok(())
    }

    /// Numbers the record's names, checks its relations and hands it on.
    fn hand_on(&mut self, record: &mut Record, whose: Whose) {
        let pointer = || format!("/configurations/{}", self.position);
        let reader = &mut *self.reader;
        let faults_before = reader.report.findings.count;
        let shape = &record.shape;
        let active_params_b = match whose {
            Whose::Each => Some(record.fact(Fact::ActiveParamsB)),
            Whose::One { model, .. } => reader.identities.active_params_b(model),
            Whose::Unknown => None,
        };
        let known = Known {
            rated_power_watts: rated_power_watts(record.name(Name::Gpu)),
            active_params_b: active_params_b.filter(|active| *active > 0.0),
        };
        check::relations(shape.product, &record.values, known, &mut |broken| {
            let check::Broken { check, column, value, expected } = broken;
            let place = format!("{}/{}", pointer(), shape.path(column));
            reader.report.found(Finding { check, place, value: value.to_string(), expected });
        });
        let (model, precision) = match whose {
            Whose::Each => {
                let architecture = record.name(Name::Architecture);
                let facts = Facts {
                    hugging_face_id: record.name(Name::ModelId),
                    name: Some(record.name(Name::Nickname)),
                    params_b: record.fact(Fact::ParamsB),
                    active_params_b: record.fact(Fact::ActiveParamsB),
                    // A product without this field leaves it empty.
                    architecture: Some(architecture).filter(|name| !name.is_empty()),
                };
                let model = reader.model(facts, pointer);
                (model, reader.precision(model, record.name(Name::Precision), pointer))
            }
            Whose::One { model, precision } => (Some(model), Some(precision)),
            Whose::Unknown => return,
        };
        let gpu = reader.gpu(record.name(Name::Gpu), pointer);
        if let (Some(model), Some(precision), Some(gpu)) = (model, precision, gpu)
            && reader.report.findings.count == faults_before
        {
            let (values, position) = (record.values, self.position);
            let lengths = std::mem::take(&mut record.lengths);
            let lengths = Some(lengths).filter(|lengths| !lengths.edges.is_empty());
            let configuration = Configuration { model, gpu, precision, values, position };
            reader.report.batches.row(configuration, lengths);
        }
    }
}

/// Notes are text for people. All published ones are empty. Others count as an unknown field, because they
/// may change the meaning of a figure.
fn notes(
    reader: &mut Reader<'_, '_>,
    json: &mut Json<'_>,
    object: &str,
) -> Result<bool, JsonError> {
    let place = format!("{object}/notes");
    Ok(!reader.is(json, Kind::Text, &place, "text")? || json.passes_string("\"\""))
}
