//! Parts that the readers of all kinds of documents share: reading objects member by member, reading names,
//! and reporting findings.

use crate::input::findings::{Accepted, Findings, Keys, shown, twice};
use crate::input::identities::{Facts, Fault, Identities};
use crate::input::json::{JsonError, Kind};
use crate::input::number;
use crate::input::reading::Batches;
use crate::input::value::{Json, Refusal, SoundName, described, take_number};
use crate::measurement::check::{self, Check, Finding, NOTHING};
use crate::slug::is_slug;

/// Reads the parts of one document.
pub(crate) struct Reader<'c, 'b> {
    /// What messages call the document.
    pub document: &'c str,
    /// Where names are numbered.
    pub identities: &'c mut Identities,
    /// Where everything else goes.
    pub report: Report<'c, 'b>,
    /// How far reading has come.
    pub at: &'c mut At,
}

/// Where rows and findings go.
pub(crate) struct Report<'c, 'b> {
    /// Which findings are let through.
    pub accept: &'c Accepted,
    /// The findings that refuse the document.
    pub findings: &'c mut Findings,
    /// Rows and accepted findings.
    pub batches: &'c mut Batches<'b>,
}

impl Report<'_, '_> {
    /// A finding, which refuses the document unless the publisher accepted it.
    pub(crate) fn found(&mut self, finding: Finding) {
        if self.accept.contains(finding.check) {
            self.batches.accepted(finding);
        } else {
            self.findings.add(finding);
        }
    }
}

/// The last known value that was read, so that broken text is reported with its JSON pointer.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct At {
    pub(crate) member: Option<&'static str>,
    pub(crate) position: Option<u32>,
    pub(crate) field: Option<&'static str>,
}

impl At {
    /// The JSON pointer; empty at the document itself.
    pub(crate) fn pointer(self) -> String {
        let position = self.position.map(|position| position.to_string());
        let parts = [self.member, position.as_deref(), self.field];
        parts.into_iter().flatten().flat_map(|part| ["/", part]).collect()
    }
}

impl Reader<'_, '_> {
    /// Adds a finding that refuses the document.
    pub(crate) fn add(
        &mut self,
        check: Check,
        place: impl Into<String>,
        value: impl Into<String>,
        expected: impl Into<String>,
    ) {
        let (place, value, expected) = (place.into(), value.into(), expected.into());
        self.report.findings.add(Finding { check, place, value, expected });
    }

    /// Adds the finding for a value that was refused.
    pub(crate) fn refuse(&mut self, place: impl Into<String>, (check, value, expected): Refusal) {
        self.add(check, place, value, expected);
    }

    /// Reports a field that is missing.
    pub(crate) fn missing(&mut self, place: impl Into<String>) {
        self.add(Check::MissingField, place, NOTHING, "the document needs this field");
    }

    /// Whether the value that comes next is of this kind. One of another kind is refused, and passed
    /// over.
    pub(crate) fn is(
        &mut self,
        json: &mut Json<'_>,
        kind: Kind,
        place: &str,
        expected: &str,
    ) -> Result<bool, JsonError> {
        let is_so = json.peek()? == kind;
        if !is_so {
            let value = described(json)?;
            self.add(Check::FieldType, place, value, expected);
        }
        Ok(is_so)
    }

    /// Reads the object that comes next, which is at `place`. Each member goes to `take`, which
    /// says whether it knows it; otherwise it is counted as unknown and passed over. Returns the
    /// keys.
    pub(crate) fn members<'r>(
        &mut self,
        json: &mut Json<'r>,
        place: &str,
        mut take: impl FnMut(&mut Self, &mut Json<'r>, &str) -> Result<bool, JsonError>,
    ) -> Result<Keys, JsonError> {
        let mut keys = Keys::default();
        json.begin_object()?;
        while let Some(key) = json.next_key()? {
            if !keys.insert(key) {
                self.report.findings.add(twice(place, key));
                json.skip()?;
                continue;
            }
            let key = key.to_owned();
            if !take(self, json, &key)? {
                self.report.findings.add_unknown(&key);
                json.skip()?;
            }
            keys.check(json)?;
        }
        Ok(keys)
    }

    /// Reads the members of the document itself, behind which nothing may be.
    pub(crate) fn document<'r>(
        &mut self,
        json: &mut Json<'r>,
        known: &[&'static str],
        mut take: impl FnMut(&mut Self, &mut Json<'r>, &'static str) -> Result<(), JsonError>,
    ) -> Result<Keys, JsonError> {
        let keys = self.members(json, "", |reader, json, key| {
            let member = known.iter().find(|name| **name == key).copied();
            *reader.at = At { member, ..At::default() };
            member.map(|name| take(reader, json, name)).transpose().map(|taken| taken.is_some())
        })?;
        *self.at = At::default();
        json.finish()?;
        Ok(keys)
    }

    /// Reads a name outside configurations.
    pub(crate) fn name(
        &mut self,
        json: &mut Json<'_>,
        place: &str,
    ) -> Result<Option<String>, JsonError> {
        let mut name = SoundName::default();
        let taken = name.take(json)?.map_err(|refusal| self.refuse(place, refusal));
        Ok(taken.ok().map(|()| name.text))
    }

    /// Reads a figure outside configurations.
    pub(crate) fn figure(
        &mut self,
        json: &mut Json<'_>,
        place: &str,
    ) -> Result<Option<f64>, JsonError> {
        let mut figure = 0.0;
        let taken = take_number(json, number::figure, &mut figure)?;
        Ok(taken.map_err(|refusal| self.refuse(place, refusal)).ok().map(|()| figure))
    }

    /// Refuses a task whose name could not name a folder.
    pub(crate) fn check_task(&mut self, task: Option<&str>) {
        if let Some(task) = task.filter(|task| !is_slug(task)) {
            let value = format!("\"{}\"", shown(task));
            self.add(
                Check::NameForm,
                "/task",
                value,
                "a name of a-z, 0-9 and single hyphens that can name a folder",
            );
        }
    }

    /// Refuses a document without configurations.
    pub(crate) fn check_rows(&mut self, configurations: u32) {
        if configurations == 0 {
            self.add(Check::Rows, "/configurations", "no configurations", "at least one");
        }
    }

    /// Numbers the model whose facts are at `place`, and reports what is wrong with them.
    pub(crate) fn model(&mut self, facts: Facts<'_>, place: impl Fn() -> String) -> Option<u32> {
        let Self { document, identities, report, .. } = self;
        check::model_relations(facts.params_b, facts.active_params_b, &mut |broken| {
            let check::Broken { check, value, expected, .. } = broken;
            let place = format!("{}/activated_params_billions", place());
            report.found(Finding { check, place, value: value.to_string(), expected });
        });
        let whole_place = || match place() {
            at if at.is_empty() => format!("{document}: /"),
            at => format!("{document}: {at}"),
        };
        identities.model(facts, whole_place, &mut |fault| report.found(at(&place, fault)))
    }

    /// Numbers the precision of a model, which is as the index lists it.
    pub(crate) fn precision(
        &mut self,
        model: Option<u32>,
        name: &str,
        place: impl Fn() -> String,
    ) -> Option<u32> {
        let Self { identities, report, .. } = self;
        let mut fault = |fault| report.found(at(&place, fault));
        let precision = identities.precision(name, &mut fault);
        if let Some(model) = model {
            identities.compare_precision(model, name, &mut fault);
        }
        precision
    }

    /// Numbers a type of GPU.
    pub(crate) fn gpu(&mut self, name: &str, place: impl Fn() -> String) -> Option<u32> {
        let Self { identities, report, .. } = self;
        identities.gpu(name, &mut |fault| report.found(at(&place, fault)))
    }
}

/// The finding for a fault in a field at a place.
fn at(place: &impl Fn() -> String, (check, field, value, expected): Fault) -> Finding {
    Finding { check, place: format!("{}/{field}", place()), value, expected }
}
