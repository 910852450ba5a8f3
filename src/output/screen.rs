//! How a table fits a terminal.
//!
//! Values that are equal in every row, or that repeat the question, move to the caption. Empty columns are
//! left out. If the table is still too wide, headings are folded. Then the least important columns are left
//! out, and then long names are shortened in the middle. Figures are never shortened. A table of few rows that
//! would lose something is shown line by line instead.

use std::io::{self, Write};

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::measurement::labels;
use crate::measurement::method::PUBLISHED;
use crate::output::grid::{Grid, padded};
use crate::output::line;
use crate::text::folded;

/// Blanks between two columns.
const GAP: usize = 2;
/// A name is shortened to no less than this, and prose is folded no narrower.
const NARROWEST: usize = 16;
/// A value up to this wide is said once for all rows.
const WIDEST_SAID: usize = 40;
/// Tables of so many rows at most are shown line by line rather than in part.
const FEW_ROWS: usize = 3;
/// Columns whose values need no name beside them.
const SPEAKING: [&str; 5] = ["task", "model", "gpu", "precision", "architecture"];

/// A terminal to print on.
#[derive(Debug, Clone, Copy)]
pub struct Screen {
    /// Columns of characters on a line.
    pub width: usize,
    /// Whether headings are styled.
    pub is_styled: bool,
}

/// What rows are about, as far as their layout on a terminal depends on it.
#[derive(Debug, Clone, Default)]
pub struct About {
    /// What the rows are, in a sentence.
    pub description: String,
    /// What was asked for, in phrases.
    pub asked: Vec<String>,
    /// Columns that repeat what was asked for where they have this value.
    pub repeated: Vec<(String, String)>,
    /// The columns that are left out last, the most important first.
    pub important: Vec<String>,
    /// Whether values are sentences, which are folded, and every column counts.
    pub is_prose: bool,
}

/// A table as it is shown.
#[derive(Debug)]
pub struct Fitted<'g> {
    grid: &'g Grid,
    caption: Vec<String>,
    body: Body,
    /// The names of the columns that were left out for want of room.
    pub left_out: Vec<String>,
}

#[derive(Debug)]
enum Body {
    Table(Vec<Column>),
    Lines(Vec<usize>),
}

/// A column that is shown.
#[derive(Debug, Clone)]
struct Column {
    /// Its place in the grid.
    index: usize,
    label: Vec<String>,
    unit: String,
    width: usize,
    flexible: Flexible,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flexible {
    No,
    /// Shortened in the middle.
    Name,
    /// Folded at blanks.
    Prose,
}

/// Fits a table to a terminal.
pub fn fit<'g>(grid: &'g Grid, width: usize, about: &About) -> Fitted<'g> {
    let (phrases, kept) = said_once(grid, about);
    let caption =
        if phrases.is_empty() { Vec::new() } else { folded(&phrases.join(" · "), width) };
    let fitted = |body, left_out| Fitted { grid, caption, body, left_out };

    if grid.rows().is_empty() && !about.asked.is_empty() {
        // A note explains why there are no rows.
        return fitted(Body::Lines(Vec::new()), Vec::new());
    }
    let natural: Vec<_> = kept.iter().map(|index| Column::new(grid, *index, about)).collect();
    if total(&natural) <= width {
        return fitted(Body::Table(natural), Vec::new());
    }
    let mut columns = natural;
    columns.iter_mut().for_each(|column| column.fold_heading(grid));
    let wanted: Vec<usize> = columns.iter().map(|column| column.width).collect();
    let mut left_out: Vec<usize> = Vec::new();
    while total(&columns) > width {
        let Some(least) = least_important(grid, &columns, about) else { break };
        left_out.push(columns.remove(least).index);
    }
    while total(&columns) > width && !shrink(&mut columns, width) && columns.len() > 1 {
        let least = last_declared(grid, &columns, about);
        left_out.push(columns.remove(least).index);
    }
    let is_shortened = columns.iter().any(|column| {
        let natural = kept.iter().position(|index| *index == column.index);
        column.flexible == Flexible::Name
            && natural.and_then(|at| wanted.get(at)).is_some_and(|wanted| column.width < *wanted)
    });
    if (1..=FEW_ROWS).contains(&grid.rows().len()) && (is_shortened || !left_out.is_empty()) {
        return fitted(Body::Lines(kept), Vec::new());
    }
    left_out.sort_unstable();
    let names: Vec<_> = grid.names().collect();
    let left_out = left_out.iter().filter_map(|index| names.get(*index));
    let left_out = left_out.map(|name| (*name).to_owned()).collect();
    fitted(Body::Table(columns), left_out)
}

/// The phrases of the caption, and the columns that are still needed.
fn said_once(grid: &Grid, about: &About) -> (Vec<String>, Vec<usize>) {
    let mut phrases = about.asked.clone();
    let mut kept = Vec::new();
    let mut not_empty = Vec::new();
    for (index, name) in grid.names().enumerate() {
        let mut values = grid.values(index);
        let first = values.next();
        let same = first.filter(|first| values.all(|value| value == *first));
        if same == Some("") {
            continue;
        }
        not_empty.push(index);
        match same {
            // The source is shown only if there is another one.
            Some(PUBLISHED) if name == "source" => {}
            Some(value) if about.repeated.iter().any(|(n, v)| n == name && v == value) => {}
            Some(value)
                if grid.rows().len() > 1 && !about.is_prose && value.width() <= WIDEST_SAID =>
            {
                let phrase = phrase(name, value);
                if name == "task" { phrases.insert(0, phrase) } else { phrases.push(phrase) }
            }
            _ => kept.push(index),
        }
    }
    if kept.is_empty() {
        return (about.asked.clone(), not_empty);
    }
    (phrases, kept)
}

/// A value with the name of its column, where it needs one.
pub fn phrase(column: &str, value: &str) -> String {
    if SPEAKING.contains(&column) {
        return value.to_owned();
    }
    let unit = labels::of(column).and_then(|label| label.unit);
    let unit = unit.map(|unit| format!(" {unit}")).unwrap_or_default();
    format!("{} {value}{unit}", labels::words(column))
}

fn total(columns: &[Column]) -> usize {
    let widths: usize = columns.iter().map(|column| column.width).sum();
    widths + GAP * columns.len().saturating_sub(1)
}

/// The column to leave out first: the last one that was not declared important. `None` if that would leave
/// no column.
fn least_important(grid: &Grid, columns: &[Column], about: &About) -> Option<usize> {
    let is_important = |column: &Column| {
        about.is_prose
            || grid
                .names()
                .nth(column.index)
                .is_some_and(|name| about.important.iter().any(|important| important == name))
    };
    let least = columns.iter().rposition(|column| !is_important(column))?;
    (columns.len() > 1).then_some(least)
}

/// The column that was declared important last, else the last one.
fn last_declared(grid: &Grid, columns: &[Column], about: &About) -> usize {
    let names: Vec<_> = grid.names().collect();
    let rank = |column: &Column| {
        let name = names.get(column.index);
        about.important.iter().position(|important| Some(&important.as_str()) == name)
    };
    let last = columns.iter().enumerate().max_by_key(|(_, column)| rank(column));
    last.map_or(0, |(at, _)| at)
}

/// Narrows names and prose until the columns fit, those that are narrow already least. Leaves all
/// as they are, and says so, where that is not enough.
fn shrink(columns: &mut [Column], width: usize) -> bool {
    let narrowest = |column: &Column| match column.flexible {
        Flexible::No => column.width,
        Flexible::Name | Flexible::Prose => column.width.min(NARROWEST.max(column.heading_width())),
    };
    let mut widths: Vec<usize> = columns.iter().map(narrowest).collect();
    let gaps = GAP * columns.len().saturating_sub(1);
    let Some(mut spare) = width.checked_sub(widths.iter().sum::<usize>() + gaps) else {
        return false;
    };
    while spare > 0 {
        let wanting = columns.iter().zip(&mut widths).filter(|(column, now)| **now < column.width);
        let Some((_, least)) = wanting.min_by_key(|(_, now)| **now) else { break };
        *least += 1;
        spare -= 1;
    }
    for (column, width) in columns.iter_mut().zip(widths) {
        column.width = width;
    }
    true
}

impl Column {
    fn new(grid: &Grid, index: usize, about: &About) -> Self {
        let name = grid.names().nth(index).unwrap_or_default();
        let label = labels::of(name).filter(|_| !about.is_prose);
        let unit = label.and_then(|label| label.unit).unwrap_or_default().to_owned();
        let label = label.map_or(name, |label| label.label).to_owned();
        let has_blanks = || grid.values(index).any(|value| value.contains(' '));
        let flexible = match grid.is_of_texts(index) {
            true if about.is_prose && has_blanks() => Flexible::Prose,
            true if !about.is_prose => Flexible::Name,
            _ => Flexible::No,
        };
        let width = label.width().max(unit.width()).max(grid.widest(index));
        Self { index, label: vec![label], unit, width, flexible }
    }

    /// Puts the words of the heading below each other, as far as the values are narrower.
    fn fold_heading(&mut self, grid: &Grid) {
        let label = self.label.concat();
        // A name without a label is of parts as well.
        let words = label.replace('_', "_ ");
        let longest = words.split(' ').map(str::width).max().unwrap_or(0);
        let width = longest.max(self.unit.width()).max(grid.widest(self.index));
        if label.width() > width {
            let lines = folded(&words, width);
            self.label = lines.iter().map(|line| line.replace("_ ", "_")).collect();
        }
        self.width = self.heading_width().max(grid.widest(self.index));
    }

    fn heading_width(&self) -> usize {
        let label = self.label.iter().map(|line| line.width()).max().unwrap_or(0);
        label.max(self.unit.width())
    }

    /// The lines of a value.
    fn cell(&self, value: &str) -> Vec<String> {
        match self.flexible {
            Flexible::Prose => folded(value, self.width),
            Flexible::Name => vec![shortened(value, self.width)],
            Flexible::No => vec![value.to_owned()],
        }
    }
}

impl Fitted<'_> {
    /// Writes the table.
    pub fn write(&self, out: &mut dyn Write, screen: Screen) -> io::Result<()> {
        for line in &self.caption {
            writeln!(out, "{line}")?;
        }
        let columns = match &self.body {
            Body::Table(columns) => columns,
            Body::Lines(kept) => return self.write_lines(out, kept, screen.width),
        };
        let tallest = columns.iter().map(|column| column.label.len()).max().unwrap_or(0);
        let headings = columns.iter().map(|column| {
            let mut lines = vec![String::new(); tallest - column.label.len()];
            lines.extend(column.label.iter().cloned());
            lines.push(column.unit.clone());
            lines
        });
        for line in self.lines(columns, &headings.collect::<Vec<_>>()) {
            match line.as_str() {
                "" => {}
                line if screen.is_styled => writeln!(out, "\x1b[1m{line}\x1b[0m")?,
                line => writeln!(out, "{line}")?,
            }
        }
        let rules: Vec<_> = columns.iter().map(|column| "─".repeat(column.width)).collect();
        writeln!(out, "{}", rules.join(&" ".repeat(GAP)))?;
        for row in self.grid.rows() {
            let cells = columns.iter().map(|column| {
                column.cell(row.get(column.index).map(String::as_str).unwrap_or_default())
            });
            for line in self.lines(columns, &cells.collect::<Vec<_>>()) {
                writeln!(out, "{line}")?;
            }
        }
        Ok(())
    }

    /// Cells of one or more lines beside each other.
    fn lines(&self, columns: &[Column], cells: &[Vec<String>]) -> Vec<String> {
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        let line = |number: usize| {
            let parts = columns.iter().zip(cells).map(|(column, cell)| {
                let text = cell.get(number).map(String::as_str).unwrap_or_default();
                padded(text, column.width, self.grid.is_right_aligned(column.index))
            });
            parts.collect::<Vec<_>>().join(&" ".repeat(GAP)).trim_end().to_owned()
        };
        (0..height).map(line).collect()
    }

    fn write_lines(&self, out: &mut dyn Write, kept: &[usize], width: usize) -> io::Result<()> {
        let names: Vec<_> = self.grid.names().collect();
        let names: Vec<_> = kept.iter().filter_map(|index| names.get(*index).copied()).collect();
        for (number, row) in self.grid.rows().iter().enumerate() {
            if number > 0 {
                writeln!(out)?;
            }
            let values = kept.iter().filter_map(|index| row.get(*index)).map(String::as_str);
            line::write_row(out, &names, values, Some(width))?;
        }
        Ok(())
    }
}

/// The name in so many columns: its beginning and its end, where names differ.
fn shortened(name: &str, width: usize) -> String {
    if name.width() <= width {
        return name.to_owned();
    }
    let room = width.saturating_sub(1);
    let taken = |characters: &mut dyn Iterator<Item = char>, room: usize| -> Vec<char> {
        let mut width = 0;
        characters
            .take_while(|character| {
                width += character.width().unwrap_or(0);
                width <= room
            })
            .collect()
    };
    let behind = taken(&mut name.chars().rev(), room / 2);
    let before = taken(&mut name.chars(), room - room / 2);
    before.into_iter().chain(['…']).chain(behind.into_iter().rev()).collect()
}

#[cfg(test)]
mod tests {
    use rusqlite::types::ValueRef;

    use super::*;
    use crate::output::human::as_it_is;
    use crate::output::testing::text;

    const NAMES: [&str; 5] =
        ["model", "gpu", "max_num_seqs", "wh_per_million_output_tokens", "cost_estimate"];

    fn grid(rows: &[[ValueRef<'_>; 5]]) -> Grid {
        let mut grid = Grid::new(&NAMES.map(str::to_owned), as_it_is);
        rows.iter().for_each(|row| grid.push(row));
        grid
    }

    fn four() -> Grid {
        let row = |model, limit, energy| {
            let [limit, energy] = [ValueRef::Integer(limit), ValueRef::Real(energy)];
            [text(model), text("B200"), limit, energy, ValueRef::Null]
        };
        grid(&[
            row("qwen-3-235b-a22b-instruct-fp8", 64, 303.204),
            row("qwen-3-235b-a22b-thinking-fp8", 128, 1417.5),
            row("qwen-3-8b", 1024, 17.18),
            row("PixArt-Σ", 8, 5.0),
        ])
    }

    fn shown(grid: &Grid, width: usize, about: &About) -> (String, Vec<String>) {
        let fitted = fit(grid, width, about);
        let mut out = Vec::new();
        fitted.write(&mut out, Screen { width, is_styled: false }).unwrap();
        let shown = String::from_utf8(out).unwrap();
        assert!(shown.lines().all(|line| line.width() <= width), "{width}: {shown}");
        (shown, fitted.left_out)
    }

    fn about() -> About {
        About {
            asked: vec!["lm-arena-chat".into(), "B200".into()],
            repeated: vec![("gpu".into(), "B200".into())],
            important: vec!["model".into(), "wh_per_million_output_tokens".into()],
            ..About::default()
        }
    }

    #[test]
    fn what_every_row_repeats_is_said_above_and_what_is_empty_goes() {
        let (shown, left_out) = shown(&four(), 80, &about());
        assert_eq!(
            shown,
            "\
lm-arena-chat · B200
Model                          Limit   Energy
                                      Wh/Mtok
─────────────────────────────  ─────  ───────
qwen-3-235b-a22b-instruct-fp8     64   303.20
qwen-3-235b-a22b-thinking-fp8    128  1417.50
qwen-3-8b                       1024    17.18
PixArt-Σ                           8     5.00
"
        );
        assert_eq!(left_out, [""; 0]);
    }

    #[test]
    fn columns_are_left_out_before_names_are_shortened_and_figures_stay_whole() {
        let (just_fits, left_out) = shown(&four(), 45, &about());
        assert!(just_fits.contains("qwen-3-235b-a22b-thinking-fp8    128  1417.50\n"));
        assert_eq!(left_out, [""; 0]);
        let (narrower, left_out) = shown(&four(), 44, &about());
        assert!(narrower.contains("qwen-3-235b-a22b-thinking-fp8  1417.50\n"), "{narrower}");
        assert_eq!(left_out, ["max_num_seqs"]);
        let (shortened, left_out) = shown(&four(), 30, &about());
        assert!(shortened.contains("qwen-3-235…inking-fp8  1417.50\n"), "{shortened}");
        assert_eq!(left_out, ["max_num_seqs"]);
        let (narrowest, left_out) = shown(&four(), 20, &about());
        assert!(narrowest.contains("qwen-3-235…nking-fp8\n"), "{narrowest}");
        assert_eq!(left_out, ["max_num_seqs", "wh_per_million_output_tokens"]);
    }

    #[test]
    fn few_rows_that_do_not_fit_are_shown_line_by_line() {
        let rows = [[
            text("qwen-3-8b"),
            text("B200"),
            ValueRef::Integer(64),
            ValueRef::Real(17.18),
            text("a long text that is folded"),
        ]];
        let (shown, left_out) = shown(&grid(&rows), 45, &about());
        assert_eq!(
            shown,
            "\
lm-arena-chat · B200
                       model = qwen-3-8b
                max_num_seqs = 64
wh_per_million_output_tokens = 17.18
               cost_estimate = a long text
                               that is folded
"
        );
        assert_eq!(left_out, [""; 0]);
    }

    #[test]
    fn one_row_says_only_what_was_asked_above() {
        let row = [
            text("qwen-3-8b"),
            text("B200"),
            ValueRef::Integer(64),
            ValueRef::Real(17.18),
            ValueRef::Null,
        ];
        assert_eq!(
            shown(&grid(&[row]), 80, &about()).0,
            "\
lm-arena-chat · B200
Model      Limit   Energy
                  Wh/Mtok
─────────  ─────  ───────
qwen-3-8b     64    17.18
"
        );
    }

    #[test]
    fn of_no_rows_only_the_question_is_said() {
        let none = grid(&[]);
        assert_eq!(shown(&none, 20, &about()), ("lm-arena-chat · B200\n".into(), Vec::new()));
        let (headings, _) = shown(&none, 80, &About::default());
        assert!(headings.starts_with("Model  GPU"), "{headings}");
    }

    #[test]
    fn rows_that_are_equal_are_still_shown() {
        let row = [ValueRef::Null, text("B200"), ValueRef::Null, ValueRef::Null, ValueRef::Null];
        let (shown, _) = shown(&grid(&[row, row]), 80, &About::default());
        assert_eq!(shown, "GPU\n────\nB200\nB200\n");
    }

    #[test]
    fn prose_is_folded_and_keeps_every_column() {
        let mut grid = Grid::new(&["query".into(), "description".into()], as_it_is);
        grid.push(&[text("best"), text("The configuration of the lowest energy.")]);
        grid.push(&[text("gpus"), text("GPUs.")]);
        let about = About { is_prose: true, ..About::default() };
        assert_eq!(
            shown(&grid, 28, &about).0,
            "\
query  description
─────  ─────────────────────
best   The configuration of
       the lowest energy.
gpus   GPUs.
"
        );
    }

    #[test]
    fn a_name_is_shortened_in_its_middle() {
        assert_eq!(shortened("abcdefgh", 8), "abcdefgh");
        assert_eq!(shortened("abcdefgh", 7), "abc…fgh");
        assert_eq!(shortened("abcdefgh", 4), "ab…h");
        assert_eq!(shortened("模型模型模型", 7), "模…型");
    }
}
