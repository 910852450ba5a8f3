//! A picture as a standalone SVG. It has a title and a description for screen readers, and colours for light
//! and dark. The same rows give the same bytes.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::{MOST_GROUPS, Picture, scale};
use crate::text::folded;

const WIDTH: f64 = 800.0;
/// Height of the part between the axes.
const PLOT_HEIGHT: f64 = 360.0;
const LEFT: f64 = 76.0;
const RIGHT: f64 = 24.0;
/// Below the plot: ticks and the label of the axis.
const BELOW: f64 = 52.0;
const LINE: f64 = 20.0;
/// No letter of a text of 13 pixels is wider on average, in the usual fonts.
const LETTER: f64 = 7.6;

/// Colours of the groups on light and on dark, which the colour-blind tell apart.
const COLOURS: [(&str, &str); MOST_GROUPS] = [
    ("#0072b2", "#56b4e9"),
    ("#d55e00", "#e69f00"),
    ("#007a5a", "#2fd0a0"),
    ("#b0559a", "#e39ccb"),
    ("#6b4c9a", "#b39ddb"),
    ("#8c6d1f", "#f0e442"),
    ("#444c56", "#adbac7"),
    ("#a1122f", "#ff8d8d"),
];
/// Lines of the groups, so that colour is not needed.
const DASHES: [&str; MOST_GROUPS] =
    ["none", "7 3", "2 3", "9 3 2 3", "12 4", "4 4", "1 4", "9 3 2 3 2 3"];

/// Writes the picture.
pub fn write(out: &mut dyn Write, picture: &Picture) -> io::Result<()> {
    out.write_all(drawn(picture).as_bytes())
}

fn drawn(picture: &Picture) -> String {
    let caption = folded(&picture.caption, ((WIDTH - 2.0 * RIGHT) / LETTER) as usize);
    let caption: Vec<_> = caption.into_iter().filter(|line| !line.is_empty()).collect();
    let legend = legend(picture);
    let legend_lines = legend.last().map_or(0, |entry| entry.line + 1);
    let mut y = 28.0;
    let mut body = String::new();
    text(&mut body, (RIGHT, y), "start", "t", &picture.title);
    for line in &caption {
        y += LINE;
        text(&mut body, (RIGHT, y), "start", "s", line);
    }
    y += LINE / 2.0;
    for entry in &legend {
        let at = y + LINE * (entry.line as f64 + 0.7);
        if picture.is_curve {
            line(
                &mut body,
                &format!("l g{}", entry.group),
                (entry.x, at - 4.0),
                (entry.x + 26.0, at - 4.0),
            );
        }
        marker(&mut body, entry.group, (entry.x + 13.0, at - 4.0));
        text(&mut body, (entry.x + 34.0, at), "start", "s", &entry.name);
    }
    y += LINE * legend_lines as f64 + 26.0;
    text(&mut body, (RIGHT, y), "start", "s", &picture.y.label);
    let top = y + 12.0;
    plot(&mut body, picture, top);
    let bottom = top + PLOT_HEIGHT;
    let middle = (LEFT + WIDTH - RIGHT) / 2.0;
    text(&mut body, (middle, bottom + 42.0), "middle", "s", &picture.x.label);

    let height = bottom + BELOW;
    let mut svg = String::new();
    // Writing to a text cannot fail.
    let _ = write!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
         width=\"{WIDTH}\" height=\"{height}\" role=\"img\" aria-labelledby=\"title description\">\n\
         <title id=\"title\">{}</title>\n<desc id=\"description\">{}</desc>\n<style>\n{}</style>\n\
         <rect class=\"b\" width=\"100%\" height=\"100%\"/>\n{body}</svg>\n",
        escaped(&picture.title),
        escaped(&picture.description),
        style(picture.groups.len()),
    );
    svg
}

fn style(groups: usize) -> String {
    let colours = |colour: fn(&(&'static str, &'static str)) -> &'static str| -> String {
        let groups = COLOURS.iter().enumerate().take(groups);
        groups
            .map(|(group, pair)| format!(".g{group}{{stroke:{0};fill:{0}}}", colour(pair)))
            .collect()
    };
    let dashes: String = DASHES
        .iter()
        .enumerate()
        .take(groups)
        .map(|(group, dash)| format!(".l.g{group}{{stroke-dasharray:{dash}}}"))
        .collect();
    format!(
        "text{{font-family:system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif;\
         font-size:13px;fill:#1f2328}}.t{{font-size:16px;font-weight:600}}.b{{fill:#ffffff}}\
         .r{{stroke:#d1d9e0;stroke-width:1}}.a{{stroke:#59636e;stroke-width:1}}\
         .l{{fill:none!important;stroke-width:1.6}}.m{{stroke:none}}\n{}\n{dashes}\n\
         @media (prefers-color-scheme:dark){{text{{fill:#e6edf3}}.b{{fill:#0d1117}}\
         .r{{stroke:#30363d}}.a{{stroke:#9198a1}}{}}}\n",
        colours(|pair| pair.0),
        colours(|pair| pair.1),
    )
}

/// The axes with their ticks, and the series.
fn plot(body: &mut String, picture: &Picture, top: f64) {
    let bottom = top + PLOT_HEIGHT;
    let across = |value: f64| LEFT + picture.x.scale.place(value) * (WIDTH - LEFT - RIGHT);
    let up = |value: f64| bottom - picture.y.scale.place(value) * PLOT_HEIGHT;
    for tick in &picture.y.scale.ticks {
        let y = up(*tick);
        line(body, "r", (LEFT, y), (WIDTH - RIGHT, y));
        text(body, (LEFT - 8.0, y + 4.0), "end", "s", &scale::text(*tick));
    }
    let mut free_from = 0.0;
    for tick in &picture.x.scale.ticks {
        let x = across(*tick);
        let words = scale::text(*tick);
        let half = words.len() as f64 * LETTER / 2.0;
        line(body, "a", (x, bottom), (x, bottom + 5.0));
        // Of texts that would touch, the first stays.
        if x - half >= free_from {
            text(body, (x, bottom + 20.0), "middle", "s", &words);
            free_from = x + half + LETTER;
        }
    }
    line(body, "a", (LEFT, bottom), (WIDTH - RIGHT, bottom));
    for series in &picture.series {
        let places: Vec<_> = series.points.iter().map(|(x, y)| (across(*x), up(*y))).collect();
        if picture.is_curve && places.len() > 1 {
            let points: Vec<_> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
            let _ = writeln!(
                body,
                "<polyline class=\"l g{}\" points=\"{}\"/>",
                series.group,
                points.join(" ")
            );
        }
        for place in places {
            marker(body, series.group, place);
        }
    }
}

/// An entry of the legend.
struct Entry {
    group: usize,
    name: String,
    line: usize,
    x: f64,
}

/// The groups beside each other, as many as a line holds.
fn legend(picture: &Picture) -> Vec<Entry> {
    if picture.groups.len() < 2 {
        return Vec::new();
    }
    let mut entries = Vec::new();
    let (mut line, mut x) = (0, RIGHT);
    for (group, name) in picture.groups.iter().enumerate() {
        let width = 34.0 + name.chars().count() as f64 * LETTER + 18.0;
        if x > RIGHT && x + width > WIDTH - RIGHT {
            (line, x) = (line + 1, RIGHT);
        }
        entries.push(Entry { group, name: name.clone(), line, x });
        x += width;
    }
    entries
}

/// A mark of the group's form, around its middle.
fn marker(body: &mut String, group: usize, (x, y): (f64, f64)) {
    let class = format!("m g{group}");
    let _ = match group % 4 {
        0 => writeln!(body, "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.6\"/>"),
        1 => writeln!(
            body,
            "<rect class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"6.4\" height=\"6.4\"/>",
            x - 3.2,
            y - 3.2
        ),
        2 => writeln!(body, "<path class=\"{class}\" d=\"M{x:.1} {:.1}l4.4 7.6h-8.8z\"/>", y - 4.8),
        _ => writeln!(
            body,
            "<path class=\"{class}\" d=\"M{x:.1} {:.1}l4.6 4.6-4.6 4.6-4.6-4.6z\"/>",
            y - 4.6
        ),
    };
}

fn line(body: &mut String, class: &str, from: (f64, f64), to: (f64, f64)) {
    let _ = writeln!(
        body,
        "<line class=\"{class}\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\"/>",
        from.0, from.1, to.0, to.1
    );
}

fn text(body: &mut String, (x, y): (f64, f64), anchor: &str, class: &str, words: &str) {
    let _ = writeln!(
        body,
        "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>",
        escaped(words)
    );
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::super::tests::{point, sketch};
    use super::*;

    #[test]
    fn a_text_from_outside_is_no_markup() {
        let points = [point(1.0, 2.0, "<b>&", "a"), point(2.0, 3.0, "\"H100", "a")];
        let picture = Picture::of(&sketch(false), "A <b>.", &[], &points).unwrap();
        let svg = drawn(&picture);
        assert!(svg.contains(">&lt;b&gt;&amp;</text>"), "{svg}");
        assert!(svg.contains(">&quot;H100</text>"));
        assert!(!svg.contains("<b>"));
    }

    /// Each text as a box: left, right, top, bottom.
    fn boxes(svg: &str) -> Vec<(String, [f64; 4])> {
        let attribute = |line: &str, name: &str| {
            let rest = line.split_once(&format!(" {name}=\"")).unwrap().1;
            rest.split_once('"').unwrap().0.to_owned()
        };
        let texts = svg.lines().filter(|line| line.starts_with("<text"));
        texts
            .map(|line| {
                let number = |name| attribute(line, name).parse::<f64>().unwrap();
                let words = line.split_once('>').unwrap().1.trim_end_matches("</text>").to_owned();
                let width = words.chars().count() as f64 * 7.0;
                let left = match attribute(line, "text-anchor").as_str() {
                    "start" => number("x"),
                    "middle" => number("x") - width / 2.0,
                    _ => number("x") - width,
                };
                (words, [left, left + width, number("y") - 11.0, number("y") + 3.0])
            })
            .collect()
    }

    #[test]
    fn no_text_overlaps_another_or_leaves_the_picture() {
        let names = ["llama-4-maverick-17b-128e-instruct-fp8", "b", "c", "d", "e", "f", "g", "h"];
        for (lowest, highest) in [(1.0, 2.0), (0.001, 5000.0), (3.0, 110.0), (0.0, 3e7)] {
            let points: Vec<_> = names
                .iter()
                .enumerate()
                .map(|(number, name)| {
                    let share = number as f64 / 7.0;
                    let value = lowest + share * (highest - lowest);
                    point(value, value, name, "a")
                })
                .collect();
            let asked = ["lm-arena-chat", "median ITL at most 500 ms", "at most 8 GPUs"];
            let picture =
                Picture::of(&sketch(true), "A.", &asked.map(str::to_owned), &points).unwrap();
            let boxes = boxes(&drawn(&picture));
            assert!(boxes.len() > 15);
            for (at, (words, one)) in boxes.iter().enumerate() {
                assert!(one[0] >= 0.0 && one[1] <= WIDTH, "{words}");
                for (other_words, other) in &boxes[at + 1..] {
                    let overlaps = one[0] < other[1]
                        && other[0] < one[1]
                        && one[2] < other[3]
                        && other[2] < one[3];
                    assert!(!overlaps, "{words} and {other_words}");
                }
            }
        }
    }
}
