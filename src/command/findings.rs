//! Prints what the checks found in documents: a summary by check, then the findings.

use crate::input::document::Document;
use crate::input::findings::{Findings, MOST, OfCheck, shown, times};
use crate::input::read::ReadDocument;
use crate::output::terminal;
use crate::text::counted;

/// Findings of all documents that are printed where not all are asked for.
const FIRST: usize = 20;
/// Places that a summary names.
const PLACES: usize = 3;
/// Unknown fields of a document that are named.
const UNKNOWN_SHOWN: usize = 10;

/// What one check found in all documents.
struct Summary {
    of: OfCheck,
    documents: u64,
}

/// Prints what was found in documents: of more findings than one a summary first, then the first of
/// them, or with `all` every one that was kept.
pub(super) fn print(documents: &[Document], read: &[ReadDocument], all: bool) {
    let of_documents = || documents.iter().map(|document| &document.shown).zip(read);
    let count: u64 = read.iter().map(|of| of.findings.count).sum();
    if count > 1 {
        for line in summaries(of_documents().map(|(shown, of)| (shown.as_str(), &of.findings))) {
            terminal::line(&line);
        }
    }
    let most = if all { usize::MAX } else { FIRST };
    let findings =
        of_documents().flat_map(|(shown, of)| of.findings.told.iter().map(move |one| (shown, one)));
    let mut printed = 0;
    for (shown, finding) in findings.take(most) {
        terminal::line(&format!("finding: {shown}: {finding}"));
        printed += 1;
    }
    if printed < count {
        let advice = if all { "" } else { "; --all-findings shows more" };
        terminal::line(&format!("finding: and {} more{advice}", count - printed));
    }
    for (shown, of) in of_documents().filter(|(_, of)| of.findings.is_full()) {
        let ended = of.findings.count >= MOST;
        if ended {
            terminal::line(&format!(
                "finding: {shown}: too many findings; the rest of the document was not read"
            ));
        }
    }
}

/// A line for each check that found something, those with the most findings first.
fn summaries<'d>(documents: impl Iterator<Item = (&'d str, &'d Findings)>) -> Vec<String> {
    let mut summaries: Vec<Summary> = Vec::new();
    for (shown, findings) in documents {
        for of in &findings.by_check {
            let places = of.places.iter().map(|place| format!("{shown}: {place}"));
            if let Some(known) = summaries.iter_mut().find(|known| known.of.check == of.check) {
                known.of.count += of.count;
                known.documents += 1;
                known.of.places.extend(places);
            } else {
                let of = OfCheck { places: places.collect(), ..of.clone() };
                summaries.push(Summary { of, documents: 1 });
            }
        }
    }
    summaries.sort_by_key(|summary| std::cmp::Reverse(summary.of.count));
    summaries.iter().map(Summary::line).collect()
}

impl Summary {
    fn line(&self) -> String {
        let OfCheck { check, count, places } = &self.of;
        let accept = if check.acceptable() {
            format!("--accept {check} loads these rows")
        } else {
            "these cannot be accepted".into()
        };
        let first: Vec<_> = places.iter().take(PLACES).map(String::as_str).collect();
        format!(
            "summary: {} of {check} in {} ({accept}), first at {}",
            counted(*count, "finding"),
            counted(self.documents, "document"),
            first.join(", ")
        )
    }
}

/// Warns of fields that this program does not know.
pub(super) fn warn_of_unknown(documents: &[Document], read: &[ReadDocument]) {
    // The user cannot change the built-in data.
    let of_user = documents.iter().zip(read).filter(|(document, _)| !document.is_built_in());
    for (Document { shown: input, .. }, of) in of_user {
        let unknown = &of.findings.unknown;
        for (name, count) in unknown.iter().take(UNKNOWN_SHOWN) {
            terminal::line(&format!(
                "warning: {input}: unknown field \"{}\", {} (--strict refuses it)",
                shown(name),
                times(*count)
            ));
        }
        let more = unknown.len().saturating_sub(UNKNOWN_SHOWN);
        if more > 0 {
            let more = if of.findings.has_more_unknown { "many".into() } else { more.to_string() };
            terminal::line(&format!("warning: {input}: and {more} more unknown fields"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measurement::check::{Check, Finding};

    fn findings(check: Check, count: usize) -> Findings {
        let mut findings = Findings::default();
        for number in 0..count {
            let place = format!("/{number}");
            findings.add(Finding { check, place, value: "1".into(), expected: "2".into() });
        }
        findings
    }

    #[test]
    fn a_summary_counts_the_findings_of_a_check_in_all_documents() {
        let (power, name) = (findings(Check::PowerIdentity, 2), findings(Check::NameForm, 1));
        let more = findings(Check::PowerIdentity, 5000);
        assert_eq!(
            summaries([("a", &name), ("b", &power), ("c", &more)].into_iter()),
            [
                "summary: 5002 findings of power-identity in 2 documents (--accept power-identity \
                 loads these rows), first at b: /0, b: /1, c: /0",
                "summary: 1 finding of name-form in 1 document (these cannot be accepted), first at \
                 a: /0",
            ]
        );
    }
}
