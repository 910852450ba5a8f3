//! chart and svg: rows as a picture.

use std::io::{self, ErrorKind, Write};

use rusqlite::types::ValueRef;

use super::{Picture, Point, Sketch, chart, svg};
use crate::output::human::{HumanColumn, as_it_is};
use crate::output::{Layout, RowWriter};

/// Writes the formats chart and svg.
pub struct PictureWriter<'w> {
    out: &'w mut (dyn Write + 'w),
    layout: &'w Layout,
    is_svg: bool,
    columns: Vec<HumanColumn>,
    points: Vec<Point>,
    rows: u64,
}

impl<'w> PictureWriter<'w> {
    /// A writer of a chart in the terminal, or of an SVG.
    pub fn new(out: &'w mut (dyn Write + 'w), layout: &'w Layout, is_svg: bool) -> Self {
        PictureWriter { out, layout, is_svg, columns: Vec::new(), points: Vec::new(), rows: 0 }
    }

    fn sketch(&self) -> io::Result<&'w Sketch> {
        self.layout
            .picture
            .as_ref()
            .ok_or_else(|| io::Error::new(ErrorKind::InvalidInput, "these rows cannot be drawn"))
    }
}

impl RowWriter for PictureWriter<'_> {
    fn columns(&mut self, names: &[String]) -> io::Result<()> {
        self.sketch()?;
        self.columns = names.iter().map(|name| HumanColumn::new(name, as_it_is)).collect();
        Ok(())
    }

    fn row(&mut self, values: &[ValueRef<'_>]) -> io::Result<()> {
        let sketch = self.sketch()?;
        self.rows += 1;
        let named = |name: &str| {
            let mut columns = self.columns.iter().zip(values);
            columns.find(|(column, _)| column.name == name)
        };
        let number = |name: &str| match named(name)?.1 {
            ValueRef::Integer(integer) => Some(*integer as f64),
            ValueRef::Real(real) if real.is_finite() => Some(*real),
            _ => None,
        };
        if let (Some(x), Some(y)) = (number(&sketch.x), number(&sketch.y)) {
            let text = |name: &String| {
                named(name).map(|(column, value)| column.text(*value)).unwrap_or_default()
            };
            self.points.push((x, y, sketch.by.iter().map(text).collect()));
        }
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        let sketch = self.sketch()?;
        let about = &self.layout.about;
        match Picture::of(sketch, &about.description, &about.asked, &self.points) {
            Some(picture) if self.is_svg => svg::write(self.out, &picture)?,
            Some(picture) => chart::write(self.out, &picture, self.layout.screen)?,
            // A note explains why there are no rows.
            None if self.rows == 0 => {}
            None => {
                let message =
                    format!("nothing to draw: no row has both {} and {}", sketch.x, sketch.y);
                return Err(io::Error::new(ErrorKind::InvalidInput, message));
            }
        }
        self.out.flush()
    }
}
