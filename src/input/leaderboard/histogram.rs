//! A histogram of output lengths as the leaderboard writes it: `bins`, the edges in tokens, and
//! `counts`, the requests between each edge and the next.

use crate::input::findings::shown;
use crate::input::json::{JsonError, Kind};
use crate::input::number;
use crate::input::reader::Reader;
use crate::input::value::{Json, Refusal, take_number};
use crate::measurement::check::Check;
use crate::measurement::record::Histogram;

/// More bins than any histogram for people has; they are in memory at once.
const MOST_BINS: usize = 10_000;

/// Reads the histogram that comes next, which is at `place`. What is wrong is among the
/// findings.
pub(crate) fn read(
    reader: &mut Reader<'_, '_>,
    json: &mut Json<'_>,
    place: &str,
    into: &mut Histogram,
) -> Result<(), JsonError> {
    *into = Histogram::default();
    if !reader.is(json, Kind::Object, place, "an object of bins and counts")? {
        return Ok(());
    }
    let faults_before = reader.report.findings.count;
    let mut keys = reader.members(json, place, |reader, json, key| {
        let place = format!("{place}/{key}");
        match key {
            "bins" => numbers(reader, json, &place, edge, &mut into.edges)?,
            "counts" => numbers(reader, json, &place, count, &mut into.counts)?,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    for name in ["bins", "counts"].into_iter().filter(|name| keys.insert(name)) {
        reader.missing(format!("{place}/{name}"));
    }
    if reader.report.findings.count == faults_before {
        check(reader, place, into);
    }
    Ok(())
}

fn check(reader: &mut Reader<'_, '_>, place: &str, histogram: &Histogram) {
    let Histogram { edges, counts } = histogram;
    let mut fault = |place: String, value: String, expected: &str| {
        reader.add(Check::OutputLengths, place, value, expected);
    };
    if edges.len() != counts.len() + 1 {
        let value = format!("{} bins and {} counts", edges.len(), counts.len());
        fault(place.into(), value, "edges of bins, one more than there are counts");
    } else if let Some(index) = edges.windows(2).position(|pair| pair[1] <= pair[0]) {
        let value = edges[index + 1].to_string();
        fault(format!("{place}/bins/{}", index + 1), value, "edges that ascend");
    } else if histogram.requests() == 0 {
        fault(format!("{place}/counts"), "no requests".into(), "at least one");
    }
}

/// Reads an array of numbers.
fn numbers<N: Default>(
    reader: &mut Reader<'_, '_>,
    json: &mut Json<'_>,
    place: &str,
    read: fn(&str) -> Result<N, Refusal>,
    into: &mut Vec<N>,
) -> Result<(), JsonError> {
    if !reader.is(json, Kind::Array, place, "an array of numbers")? {
        return Ok(());
    }
    let mut index = 0_usize;
    json.begin_array()?;
    while json.next_element()? {
        if index > MOST_BINS {
            json.skip()?;
        } else {
            let mut number = N::default();
            match take_number(json, read, &mut number)? {
                Ok(()) => into.push(number),
                Err(refusal) => reader.refuse(format!("{place}/{index}"), refusal),
            }
        }
        index += 1;
    }
    if index > MOST_BINS + 1 {
        reader.add(Check::OutputLengths, place, format!("{index} numbers"), "at most 10000 bins");
    }
    Ok(())
}

/// An edge: a number of tokens, which may be 0.
fn edge(text: &str) -> Result<f64, Refusal> {
    match text {
        "0" | "0.0" => Ok(0.0),
        _ if text.starts_with('-') => {
            Err((Check::NumberRange, shown(text), "a number that is 0 or above"))
        }
        _ => number::figure(text),
    }
}

/// Requests in a bin, which may be none.
fn count(text: &str) -> Result<u32, Refusal> {
    let from_0 = "a whole number from 0 to 4294967295, written without a point";
    if text == "0" {
        return Ok(0);
    }
    number::count(text).map_err(|(check, value, _)| (check, value, from_0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::findings::{Accepted, Findings};
    use crate::input::identities::Identities;
    use crate::input::json::JsonReader;
    use crate::input::reader::{At, Report};
    use crate::input::reading::{Batches, Take};

    fn read_text(text: &str) -> (Histogram, Vec<(Check, String)>) {
        let (mut findings, mut identities) = (Findings::default(), Identities::default());
        let (mut at, accept) = (At::default(), Accepted::default());
        let take: &mut Take<'_> = &mut |_| true;
        let batches = &mut Batches::new(0, take);
        let report = Report { accept: &accept, findings: &mut findings, batches };
        let (identities, at) = (&mut identities, &mut at);
        let mut reader = Reader { document: "", identities, report, at };
        let mut histogram = Histogram::default();
        let mut json: Json<'_> = JsonReader::new(Box::new(text.as_bytes()));
        read(&mut reader, &mut json, "/d", &mut histogram).unwrap();
        json.finish().unwrap();
        (histogram, findings.told.into_iter().map(|found| (found.check, found.place)).collect())
    }

    #[test]
    fn a_sound_histogram_is_read_as_it_stands() {
        let (histogram, found) = read_text(r#"{"bins": [0, 83.88, 165.76], "counts": [3, 0]}"#);
        assert_eq!(histogram, Histogram { edges: vec![0.0, 83.88, 165.76], counts: vec![3, 0] });
        assert_eq!((histogram.requests(), found), (3, vec![]));
    }

    #[test]
    fn an_edge_and_a_count_may_be_0_and_messages_say_so() {
        assert_eq!((edge("0"), edge("0.0"), count("0")), (Ok(0.0), Ok(0.0), Ok(0)));
        let expected = |refusal: Refusal| refusal.2;
        assert_eq!(edge("-1.5").map_err(expected), Err("a number that is 0 or above"));
        let whole = "a whole number from 0 to 4294967295, written without a point";
        assert_eq!(count("-1").map_err(expected), Err(whole));
    }

    #[test]
    fn what_is_wrong_with_a_histogram_is_told_at_its_place() {
        for (text, check, place) in [
            ("[1, 2]", Check::FieldType, "/d"),
            (r#"{"bins": [1, 2]}"#, Check::MissingField, "/d/counts"),
            (r#"{"bins": 7, "counts": [1]}"#, Check::FieldType, "/d/bins"),
            (r#"{"bins": [1, 2], "bins": [1], "counts": [1]}"#, Check::DuplicateKey, "/d/bins"),
            (r#"{"bins": [1, -2], "counts": [1]}"#, Check::NumberRange, "/d/bins/1"),
            (r#"{"bins": [1, 2], "counts": [1.5]}"#, Check::NumberRange, "/d/counts/0"),
            (r#"{"bins": [1, 2], "counts": ["1"]}"#, Check::FieldType, "/d/counts/0"),
            (r#"{"bins": [1, 2, 3], "counts": [1]}"#, Check::OutputLengths, "/d"),
            (r#"{"bins": [1, 3, 3], "counts": [1, 1]}"#, Check::OutputLengths, "/d/bins/2"),
            (r#"{"bins": [1, 2], "counts": [0]}"#, Check::OutputLengths, "/d/counts"),
        ] {
            assert_eq!(read_text(text).1, [(check, place.to_owned())], "{text}");
        }
    }
}
