//! A picture in a terminal: axes in text, curves in Braille dots. Each group has a letter, and a colour if the
//! terminal has colours.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr as _;

use super::{Axis, Picture, scale};
use crate::output::screen::Screen;
use crate::text::folded;

/// Columns of a chart, where the terminal has so many.
const WIDTH: usize = 80;
/// Rows of the part between the axes.
const HEIGHT: usize = 15;
/// The fewest columns for a chart.
const NARROWEST: usize = 30;
/// Dots of one character.
const DOTS: (usize, usize) = (2, 4);
/// The Braille pattern without dots; each dot adds its bit.
const NO_DOTS: u32 = 0x2800;
const BITS: [[u32; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];
/// Numbers of colours that are legible on light and on dark.
const COLOURS: [u8; super::MOST_GROUPS] = [36, 33, 35, 32, 34, 31, 90, 37];
/// Where points of several groups fall into one place.
const SEVERAL: char = '*';

/// Writes the chart: what was asked for, the vertical axis's label, the chart, the groups.
pub fn write(out: &mut dyn Write, picture: &Picture, screen: Option<Screen>) -> io::Result<()> {
    let width = screen.map_or(WIDTH, |screen| screen.width.clamp(NARROWEST, WIDTH));
    let is_styled = screen.is_some_and(|screen| screen.is_styled);
    for line in folded(&picture.caption, width).iter().filter(|line| !line.is_empty()) {
        writeln!(out, "{line}")?;
    }
    let rows = tick_rows(&picture.y);
    let margin = rows.iter().flatten().map(|text| text.width()).max().unwrap_or(0);
    let plot = Plot::of(picture, width - margin - 2);
    writeln!(out, "{}", picture.y.label)?;
    for (row, tick) in rows.iter().enumerate() {
        let text = tick.as_deref().unwrap_or_default();
        let sign = if tick.is_some() { '┤' } else { '│' };
        writeln!(out, "{text:>margin$} {sign}{}", plot.line(row, is_styled))?;
    }
    let (signs, texts) = tick_columns(&picture.x, plot.width);
    writeln!(out, "{:>margin$} └{signs}", "")?;
    writeln!(out, "{}", format!("{:>margin$}  {texts}", "").trim_end())?;
    let label = &picture.x.label;
    writeln!(out, "{:>1$}", label, margin + 2 + plot.width.midpoint(label.width()))?;
    if picture.groups.len() > 1 {
        let legend =
            picture.groups.iter().zip(LETTERS).map(|(name, letter)| format!("{letter} {name}"));
        for line in in_lines(legend.collect(), width) {
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

const LETTERS: std::ops::RangeInclusive<char> = 'a'..='z';

fn letter(group: usize) -> char {
    LETTERS.clone().nth(group).unwrap_or(SEVERAL)
}

/// Entries beside each other, as many as a line holds.
fn in_lines(entries: Vec<String>, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for entry in entries {
        match lines.last_mut() {
            Some(line) if line.width() + 3 + entry.width() <= width => {
                line.push_str("   ");
                line.push_str(&entry);
            }
            _ => lines.extend(folded(&entry, width)),
        }
    }
    lines
}

/// The text at each row of the vertical axis.
fn tick_rows(axis: &Axis) -> Vec<Option<String>> {
    let mut rows = vec![None; HEIGHT];
    for tick in &axis.scale.ticks {
        let from_below = (axis.scale.place(*tick) * (HEIGHT - 1) as f64).round() as usize;
        let row = (HEIGHT - 1).saturating_sub(from_below);
        if let Some(text @ None) = rows.get_mut(row) {
            *text = Some(scale::text(*tick));
        }
    }
    rows
}

/// The line of the horizontal axis, and the texts below it, none upon another.
fn tick_columns(axis: &Axis, width: usize) -> (String, String) {
    let mut signs = vec!['─'; width];
    let mut texts = String::new();
    for tick in &axis.scale.ticks {
        let at = (axis.scale.place(*tick) * (width - 1) as f64).round() as usize;
        let text = scale::text(*tick);
        let start = at.saturating_sub(text.len() / 2).min(width.saturating_sub(text.len()));
        if texts.len() > start || (!texts.is_empty() && texts.len() == start) {
            continue;
        }
        if let Some(sign) = signs.get_mut(at) {
            *sign = '┬';
        }
        texts.push_str(&" ".repeat(start - texts.len()));
        texts.push_str(&text);
    }
    (signs.into_iter().collect(), texts)
}

/// What is between the axes.
struct Plot {
    width: usize,
    cells: Vec<Cell>,
}

#[derive(Clone, Copy, Default)]
struct Cell {
    dots: u32,
    letter: Option<char>,
    group: usize,
}

impl Plot {
    fn of(picture: &Picture, width: usize) -> Self {
        let mut plot = Self { width, cells: vec![Cell::default(); width * HEIGHT] };
        let place = |(x, y): (f64, f64)| {
            let across = picture.x.scale.place(x) * (width * DOTS.0 - 1) as f64;
            let up = picture.y.scale.place(y) * (HEIGHT * DOTS.1 - 1) as f64;
            (across.round() as i64, (HEIGHT * DOTS.1 - 1) as i64 - up.round() as i64)
        };
        let has_letters = picture.groups.len() > 1;
        for series in &picture.series {
            let places: Vec<_> = series.points.iter().map(|point| place(*point)).collect();
            if picture.is_curve {
                for pair in places.windows(2) {
                    if let [from, to] = pair {
                        plot.join(*from, *to, series.group);
                    }
                }
            }
            if !has_letters || picture.is_curve {
                places.iter().for_each(|place| plot.dot(*place, series.group));
            } else {
                places.iter().for_each(|place| plot.letter(*place, series.group));
            }
        }
        if has_letters && picture.is_curve {
            for series in &picture.series {
                if let Some(last) = series.points.last() {
                    plot.name(place(*last), series.group);
                }
            }
        }
        plot
    }

    fn cell(&mut self, (x, y): (i64, i64)) -> Option<(&mut Cell, u32)> {
        let (x, y) = (usize::try_from(x).ok()?, usize::try_from(y).ok()?);
        let bit = *BITS.get(x % DOTS.0)?.get(y % DOTS.1)?;
        let column = x / DOTS.0;
        let cell = self.cells.get_mut(y / DOTS.1 * self.width + column)?;
        (column < self.width).then_some((cell, bit))
    }

    fn dot(&mut self, place: (i64, i64), group: usize) {
        if let Some((cell, bit)) = self.cell(place) {
            cell.dots |= bit;
            cell.group = group;
        }
    }

    /// Draws a point as its group's letter; where another group's is, as a sign for several.
    fn letter(&mut self, place: (i64, i64), group: usize) {
        if let Some((cell, _)) = self.cell(place) {
            cell.letter = match cell.letter {
                Some(other) if other != letter(group) => Some(SEVERAL),
                _ => Some(letter(group)),
            };
            cell.group = group;
        }
    }

    /// Puts the group's letter at the end of a series, or beside it where another's is.
    fn name(&mut self, (x, y): (i64, i64), group: usize) {
        let [across, up] = [DOTS.0 as i64, DOTS.1 as i64];
        for (right, down) in [(0, 0), (0, -up), (0, up), (-across, 0), (across, 0)] {
            match self.cell((x + right, y + down)) {
                Some((cell, _)) if cell.letter.is_none() => {
                    cell.letter = Some(letter(group));
                    cell.group = group;
                    return;
                }
                Some((cell, _)) if cell.letter == Some(letter(group)) => return,
                _ => {}
            }
        }
    }

    /// Dots in a line from one place to another.
    fn join(&mut self, from: (i64, i64), to: (i64, i64), group: usize) {
        let steps = (to.0 - from.0).abs().max((to.1 - from.1).abs()).max(1);
        for step in 0..=steps {
            let between = |from: i64, to: i64| {
                from + ((to - from) as f64 * step as f64 / steps as f64).round() as i64
            };
            self.dot((between(from.0, to.0), between(from.1, to.1)), group);
        }
    }

    fn line(&self, row: usize, is_styled: bool) -> String {
        let mut line = String::new();
        let cells = self.cells.get(row * self.width..(row + 1) * self.width).unwrap_or_default();
        let end = cells.iter().rposition(|cell| cell.sign() != ' ').map_or(0, |last| last + 1);
        for cell in cells.iter().take(end) {
            let sign = cell.sign();
            match COLOURS.get(cell.group) {
                Some(colour) if is_styled && !matches!(sign, ' ' | SEVERAL) => {
                    line.push_str(&format!("\x1b[{colour}m{sign}\x1b[0m"));
                }
                _ => line.push(sign),
            }
        }
        line
    }
}

impl Cell {
    fn sign(&self) -> char {
        match self.letter {
            Some(letter) => letter,
            None if self.dots == 0 => ' ',
            None => char::from_u32(NO_DOTS + self.dots).unwrap_or(' '),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{point, sketch};
    use super::super::{Picture, Point};
    use super::*;

    fn drawn(is_curve: bool, points: &[Point], width: usize) -> String {
        let asked = ["lm-arena-chat".to_owned()];
        let picture = Picture::of(&sketch(is_curve), "A.", &asked, points).unwrap();
        let mut out = Vec::new();
        write(&mut out, &picture, Some(Screen { width, is_styled: false })).unwrap();
        let drawn = String::from_utf8(out).unwrap();
        assert!(drawn.lines().all(|line| line.width() <= width), "{drawn}");
        drawn
    }

    #[test]
    fn a_curve_runs_from_corner_to_corner() {
        let points = [point(0.0, 0.0, "B200", "a"), point(10.0, 10.0, "B200", "a")];
        assert_eq!(
            drawn(true, &points, 30),
            "\
lm-arena-chat
Energy (Wh/Mtok)
10 ┤                        ⡠⠊
   │                      ⢀⠔⠁
   │                    ⢀⠔⠁
 8 ┤                   ⡠⠊
   │                 ⢠⠊
   │               ⢀⠔⠁
 6 ┤              ⡰⠁
   │            ⡠⠊
 4 ┤          ⢀⠎
   │        ⢀⠔⠁
   │       ⡠⠃
 2 ┤     ⡠⠊
   │   ⢀⠔⠁
   │ ⢀⠔⠁
 0 ┤⡠⠊
   └┬────┬────┬────┬────┬────┬
    0    2    4    6    8   10
             ITL (ms)
"
        );
    }

    #[test]
    fn groups_are_told_apart_without_colour() {
        let points = [
            point(1.0, 1.0, "B200", "a"),
            point(5.0, 9.0, "H100", "a"),
            point(9.0, 5.0, "B200", "a"),
            point(9.0, 5.0, "H100", "a"),
        ];
        let chart = drawn(false, &points, 80);
        assert_eq!(chart.matches('*').count(), 1, "{chart}");
        assert!(chart.ends_with("a B200   b H100\n"), "{chart}");
        let plot: String = chart.lines().filter(|line| line.contains(['│', '┤'])).collect();
        assert_eq!([plot.matches('a').count(), plot.matches('b').count()], [1, 1], "{chart}");
    }
}
