//! The content of a picture, for the terminal's chart, the SVG and the page.
//!
//! A named query's head comment declares the columns of x and y, and the columns that separate series
//! ([`Sketch`]). The rows then make a [`Picture`]: axes with scales and ticks, labels with units, and series
//! in a few groups.

mod chart;
mod scale;
mod svg;
mod writer;

pub use scale::{Scale, text as tick_text};
pub use svg::write as write_svg;
pub use writer::PictureWriter;

use std::collections::BTreeSet;

use serde::Serialize;

use crate::measurement::labels;
use crate::output::screen::phrase;

/// The most groups that a reader can tell apart.
pub const MOST_GROUPS: usize = 8;

/// Which columns of a query are drawn, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Sketch {
    /// Whether the points of a series are joined.
    pub is_curve: bool,
    /// The column along the horizontal axis.
    pub x: String,
    /// The column along the vertical axis.
    pub y: String,
    /// The columns that tell series apart, that of the fewest values first.
    pub by: Vec<String>,
}

/// A picture, ready to be drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// What it shows: one axis against the other.
    pub title: String,
    /// What was asked for.
    pub caption: String,
    /// What it shows, in sentences, for those who do not see it.
    pub description: String,
    /// Whether the points of a series are joined.
    pub is_curve: bool,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The names of the groups; one without a name where there is nothing to tell apart.
    pub groups: Vec<String>,
    /// The series, in the order of the rows.
    pub series: Vec<Series>,
}

/// An axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// What lies along it, with the unit.
    pub label: String,
    /// Where values lie.
    pub scale: Scale,
}

/// Points that belong together.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// The group that it is drawn as: an index into those of the picture.
    pub group: usize,
    /// x and y of each point.
    pub points: Vec<(f64, f64)>,
}

/// A point with the values of the columns that tell series apart.
pub type Point = (f64, f64, Vec<String>);

impl Picture {
    /// The picture of these points, or `None` if there are none.
    pub fn of(sketch: &Sketch, says: &str, asked: &[String], points: &[Point]) -> Option<Self> {
        if points.is_empty() {
            return None;
        }
        let axis = |column: &str, values: &dyn Fn(&Point) -> f64| Axis {
            label: with_unit(column),
            scale: Scale::of(points.iter().map(values).collect::<Vec<_>>().into_iter()),
        };
        let (x, y) = (axis(&sketch.x, &|point| point.0), axis(&sketch.y, &|point| point.1));
        let telling = telling(sketch, points);
        let group = |point: &Point| -> Vec<String> {
            telling.iter().filter_map(|column| point.2.get(*column).cloned()).collect()
        };
        let mut keys: Vec<(usize, &[String])> = Vec::new();
        let mut groups: Vec<Vec<String>> = Vec::new();
        let mut series: Vec<Series> = Vec::new();
        let (mut runs, mut last) = (0, f64::NEG_INFINITY);
        for point in points {
            // A curve that goes back begins another, as that of another size does.
            runs += usize::from(sketch.is_curve && point.0 < last);
            last = point.0;
            let key = (runs, &point.2[..]);
            let group = group(point);
            let at = groups.iter().position(|known| *known == group).unwrap_or(groups.len());
            if at == groups.len() {
                groups.push(group);
            }
            match keys.iter().position(|known| *known == key).and_then(|at| series.get_mut(at)) {
                Some(series) => series.points.push((point.0, point.1)),
                None => {
                    keys.push(key);
                    series.push(Series { group: at, points: vec![(point.0, point.1)] });
                }
            }
        }
        let names = groups.iter().map(|values| {
            let columns = telling.iter().filter_map(|column| sketch.by.get(*column));
            let phrases = columns.zip(values).map(|(column, value)| phrase(column, value));
            phrases.collect::<Vec<_>>().join(" · ")
        });
        let groups: Vec<String> = names.collect();
        let title = format!("{} against {}", labels::words(&sketch.y), labels::words(&sketch.x));
        let description = described(says, asked, &x, &y, &series, points.len());
        let caption = asked.join(" · ");
        let is_curve = sketch.is_curve;
        Some(Self { title, caption, description, is_curve, x, y, groups, series })
    }
}

/// The columns that are different in the points and make few enough groups together, as places in
/// those of the sketch.
fn telling(sketch: &Sketch, points: &[Point]) -> Vec<usize> {
    let count = |columns: &[usize]| {
        let key = |point: &Point| -> Vec<Option<String>> {
            columns.iter().map(|column| point.2.get(*column).cloned()).collect()
        };
        points.iter().map(key).collect::<BTreeSet<_>>().len()
    };
    let mut telling = Vec::new();
    for column in 0..sketch.by.len() {
        if count(&[column]) == 1 {
            continue;
        }
        telling.push(column);
        if count(&telling) > MOST_GROUPS {
            telling.pop();
            break;
        }
    }
    telling
}

fn described(
    says: &str,
    asked: &[String],
    x: &Axis,
    y: &Axis,
    series: &[Series],
    points: usize,
) -> String {
    let axis = |axis: &Axis| {
        let [first, last] = [axis.scale.first(), axis.scale.last()].map(scale::text);
        let kind = if axis.scale.is_logarithmic { " on a logarithmic scale" } else { "" };
        format!("{} from {first} to {last}{kind}", axis.label)
    };
    let asked = if asked.is_empty() { String::new() } else { format!(" {}.", asked.join(", ")) };
    format!(
        "{says}{asked} {} in {}. Vertical: {}. Horizontal: {}.",
        crate::text::counted(points as u64, "point"),
        // The plural is the singular.
        if series.len() == 1 { "1 series".to_owned() } else { format!("{} series", series.len()) },
        axis(y),
        axis(x)
    )
}

fn with_unit(column: &str) -> String {
    match labels::of(column).and_then(|label| label.unit) {
        Some(unit) => format!("{} ({unit})", labels::words(column)),
        None => labels::words(column),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn sketch(is_curve: bool) -> Sketch {
        Sketch {
            is_curve,
            x: "itl_ms".into(),
            y: "wh_per_million_output_tokens".into(),
            by: vec!["gpu".into(), "model".into()],
        }
    }

    pub(super) fn point(x: f64, y: f64, gpu: &str, model: &str) -> Point {
        (x, y, vec![gpu.into(), model.into()])
    }

    #[test]
    fn axes_are_labelled_with_their_units_and_groups_by_what_differs() {
        let points = [
            point(10.0, 40.0, "B200", "a"),
            point(20.0, 30.0, "B200", "a"),
            point(10.0, 90.0, "H100", "a"),
        ];
        let asked = ["lm-arena-chat".to_owned()];
        let picture = Picture::of(&sketch(true), "The trade-off.", &asked, &points).unwrap();
        assert_eq!(picture.title, "Energy against ITL");
        assert_eq!(picture.x.label, "ITL (ms)");
        assert_eq!(picture.y.label, "Energy (Wh/Mtok)");
        assert_eq!(picture.groups, ["B200", "H100"]);
        assert_eq!(
            picture.series,
            [
                Series { group: 0, points: vec![(10.0, 40.0), (20.0, 30.0)] },
                Series { group: 1, points: vec![(10.0, 90.0)] },
            ]
        );
        assert_eq!(
            picture.description,
            "The trade-off. lm-arena-chat. 3 points in 2 series. Vertical: Energy (Wh/Mtok) from 0 \
             to 100. Horizontal: ITL (ms) from 0 to 20."
        );
    }

    #[test]
    fn many_series_are_grouped_by_what_few_values_tell() {
        let models: Vec<String> = (0..20).map(|number| format!("m{number}")).collect();
        let points: Vec<Point> = models
            .iter()
            .flat_map(|model| ["B200", "H100"].map(|gpu| point(1.0, 2.0, gpu, model)))
            .collect();
        let picture = Picture::of(&sketch(true), "A.", &[], &points).unwrap();
        assert_eq!(picture.groups, ["B200", "H100"]);
        assert_eq!(picture.series.len(), 40);
        let few = Picture::of(&sketch(true), "A.", &[], &points[..6]).unwrap();
        assert_eq!(few.groups.len(), 6);
        assert_eq!(few.groups[1], "H100 · m0");
    }

    #[test]
    fn a_curve_that_goes_back_begins_another() {
        let point = |x, y| point(x, y, "B200", "a");
        let points = [point(1.0, 9.0), point(2.0, 8.0), point(1.0, 4.0), point(2.0, 3.0)];
        let curves = |is_curve| Picture::of(&sketch(is_curve), "A.", &[], &points).unwrap().series;
        assert_eq!(
            curves(true),
            [
                Series { group: 0, points: vec![(1.0, 9.0), (2.0, 8.0)] },
                Series { group: 0, points: vec![(1.0, 4.0), (2.0, 3.0)] },
            ]
        );
        assert_eq!(curves(false).len(), 1);
    }

    #[test]
    fn nothing_is_no_picture() {
        assert_eq!(Picture::of(&sketch(true), "A.", &[], &[]), None);
    }
}
