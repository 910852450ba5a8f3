//! How far `at` is from what was measured: every inner point of every curve, read from the others.

use super::*;

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/interpolation.md");

/// The figures, and how each is read from a place.
type Figure = (&'static str, fn(&crate::reference::Place<'_>) -> f64, fn(&Row) -> f64);

const FIGURES: [Figure; 4] = [
    (
        "energy",
        |place| {
            place.figure(|row| row.watts).unwrap() / place.figure(|row| row.throughput).unwrap()
        },
        |row| row.watts / row.throughput,
    ),
    ("throughput", |place| place.figure(|row| row.throughput).unwrap(), |row| row.throughput),
    ("median ITL", |place| place.figure(|row| row.itl[0]).unwrap(), |row| row.itl[0]),
    ("p99 ITL", |place| place.figure(|row| row.itl[3]).unwrap(), |row| row.itl[3]),
];

/// The relative errors of each figure in percent, each in the order of size.
fn errors(rows: &[Row]) -> [Vec<f64>; 4] {
    let mut errors = [const { Vec::new() }; 4];
    for points in crate::reference::by_series(rows).values() {
        for inner in 1..points.len().saturating_sub(1) {
            let own = points[inner];
            let mut others = points.clone();
            others.remove(inner);
            let place = crate::reference::at(&others, |row| row.load, own.load);
            if place.status != "interpolated" {
                continue;
            }
            for (errors, (_, read, measured)) in errors.iter_mut().zip(FIGURES) {
                errors.push((read(&place) / measured(own) - 1.0).abs() * 100.0);
            }
        }
    }
    errors.iter_mut().for_each(|errors| errors.sort_by(f64::total_cmp));
    errors
}

/// The value below which so many percent are.
fn percentile(sorted: &[f64], percent: usize) -> f64 {
    sorted[(sorted.len() - 1) * percent / 100]
}

#[test]
fn the_document_shows_how_far_interpolation_is_from_what_was_measured() {
    let tasks = ["lm-arena-chat", "gpqa", "image-chat", "video-chat", "sourcegraph-fim"];
    let line = |name: &str, errors: &[Vec<f64>; 4]| {
        let cells: Vec<String> = errors
            .iter()
            .map(|errors| format!("{:.1} / {:.1}", percentile(errors, 50), percentile(errors, 90)))
            .collect();
        format!("| {name} | {} | {} |\n", errors[0].len(), cells.join(" | "))
    };
    let names = FIGURES.map(|(name, ..)| name).join(" | ");
    let mut table = format!("| task | points | {names} |\n|---|---:|---:|---:|---:|---:|\n");
    let mut all = [const { Vec::new() }; 4];
    for task in tasks {
        let errors = errors(&Subject::of_task(task).merged);
        table += &line(task, &errors);
        for (all, errors) in all.iter_mut().zip(errors) {
            all.extend(errors);
        }
    }
    all.iter_mut().for_each(|errors| errors.sort_by(f64::total_cmp));
    table += &line("all", &all);
    let shown = std::fs::read_to_string(DOCUMENT).unwrap();
    if std::env::var_os("WRITE_GOLDEN").is_some() {
        let begin = shown.find("| task |").unwrap();
        std::fs::write(DOCUMENT, format!("{}{table}", &shown[..begin])).unwrap();
        return;
    }
    assert!(shown.ends_with(&table), "{table}");
    // What the head of the query says in one line.
    let [energy, _, _, p99] = &all;
    assert!(percentile(energy, 50) < 6.0 && percentile(p99, 90) < 40.0, "{table}");
}
