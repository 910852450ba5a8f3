//! Loading configurations that make images or videos.

use anyhow::{Context, Result};
use rusqlite::{Connection, Row, Statement, params};

use crate::database::metadata::number;
use crate::database::seen::Occurrences;
use crate::measurement::record::{Generation, GenerationFigures, GenerationKey, Product};

/// What the shapes of documents call the figures, in the order of [`GenerationFigures::all`].
fn figure_columns(output: Product) -> [&'static str; 4] {
    match output {
        Product::Videos => {
            ["joules_per_video", "batch_latency_s", "videos_per_second", "power_watts"]
        }
        _ => ["joules_per_image", "batch_latency_s", "images_per_second", "power_watts"],
    }
}

/// What became of a configuration.
pub(super) enum Loaded {
    /// It was stored.
    New {
        /// Which measurement of its configuration it is, from 1.
        repeat: u32,
    },
    /// An earlier document holds it with equal figures.
    Shared,
    /// An earlier document holds it with other figures.
    Conflict {
        /// The column that differs.
        column: &'static str,
        /// The value in it.
        value: String,
        /// The value that is stored.
        expected: String,
        /// Index of the document that is stored from.
        other: usize,
        /// Place in that.
        position: u32,
    },
}

/// A configuration as it is stored.
struct Stored {
    task: u32,
    source: u32,
    document: usize,
    repeat: u32,
    generation: Generation,
}

/// What rows of the same figures have in common: task, model and the figures.
type FiguresKey = (u32, u32, [u64; 4]);

fn figures_key(task: u32, generation: &Generation) -> FiguresKey {
    (task, generation.key.model, generation.figures.all().map(f64::to_bits))
}

/// Loads configurations of both kinds.
pub(super) struct Generations<'c> {
    connection: &'c Connection,
    insert: Statement<'c>,
    rows: u32,
    occurrences: Occurrences,
    /// Rows that no model's own file brought, by their figures; none where there are no such files.
    by_figures: Option<Occurrences>,
}

/// Where a configuration comes from.
#[derive(Clone, Copy)]
pub(super) struct Origin {
    pub(super) output: Product,
    pub(super) task: u32,
    pub(super) source: u32,
    pub(super) document: usize,
    /// Whether it stands in a model's own file.
    pub(super) is_detail: bool,
}

impl<'c> Generations<'c> {
    pub(super) fn begin(connection: &'c Connection, has_details: bool) -> rusqlite::Result<Self> {
        let columns = "diffusion_configuration_id, task_id, model_id, gpu_id, source_id, \
                       num_gpus, batch_size, height_pixels, width_pixels, inference_steps, \
                       num_frames, frames_per_second, ulysses_degree, ring_degree, precision_id, \
                       repeat, joules_per_output, batch_latency_s, outputs_per_second, \
                       power_watts, document_id, document_position";
        let values = vec!["?"; columns.split(',').count()].join(", ");
        let insert = connection.prepare(&format!(
            "insert or fail into diffusion_configurations ({columns}) values ({values})"
        ))?;
        let by_figures = has_details.then(Occurrences::default);
        Ok(Self { connection, insert, rows: 0, occurrences: Occurrences::default(), by_figures })
    }

    /// Frees the memory of what was seen.
    pub(super) fn forget(&mut self) {
        self.occurrences = Occurrences::default();
        self.by_figures = None;
    }

    /// Loads a configuration, unless an earlier document holds it.
    pub(super) fn load(&mut self, origin: Origin, generation: &Generation) -> Result<Loaded> {
        let Origin { output, task, source, document, is_detail } = origin;
        let key = (task, generation.key);
        let latest = self.latest(key)?;
        let mut repeat = 1;
        if let Some((number, latest)) = &latest {
            if latest.document != document {
                return self.compare(output, generation, *number, latest);
            }
            repeat = latest.repeat + 1;
        }
        let same = self.of_figures(task, generation)?;
        if is_detail && let Some(other) = &same {
            return Ok(self.conflict(output, generation, other));
        }
        self.rows = self.rows.checked_add(1).context("too many rows")?;
        match latest {
            Some((earlier, _)) => self.occurrences.add_repeat(key, earlier, self.rows),
            None => self.occurrences.add(key, self.rows),
        }
        if let Some(by_figures) = &mut self.by_figures
            && !is_detail
            && same.is_none()
        {
            by_figures.add(figures_key(task, generation), self.rows);
        }
        self.insert(&Stored { task, source, document, repeat, generation: *generation })?;
        Ok(Loaded::New { repeat })
    }

    fn insert(&mut self, row: &Stored) -> rusqlite::Result<()> {
        let Generation { key, precision, figures, position } = &row.generation;
        let GenerationFigures { joules, batch_latency_s, per_second, power_watts } = figures;
        let insert = &mut self.insert;
        let mut parameter = 0;
        let mut bind = |value: &dyn rusqlite::ToSql| {
            parameter += 1;
            insert.raw_bind_parameter(parameter, value)
        };
        bind(&self.rows)?;
        bind(&row.task)?;
        for count in [key.model, key.gpu, row.source, key.num_gpus, key.batch_size] {
            bind(&count)?;
        }
        for count in [key.height, key.width, key.inference_steps] {
            bind(&count)?;
        }
        bind(&key.num_frames)?;
        bind(&key.frames_per_second)?;
        for count in [key.ulysses_degree, key.ring_degree, *precision, row.repeat] {
            bind(&count)?;
        }
        for figure in [joules, batch_latency_s, per_second, power_watts] {
            bind(figure)?;
        }
        bind(&number(row.document))?;
        bind(position)?;
        insert.raw_execute()?;
        Ok(())
    }

    /// The latest row of this key, with its number.
    fn latest(&self, key: (u32, GenerationKey)) -> Result<Option<(u32, Stored)>> {
        let key_of = |row: &Stored| (row.task, row.generation.key);
        self.occurrences.latest(key, |number| self.stored(number), key_of)
    }

    /// Compares a row with those that an earlier document holds of its key.
    fn compare(
        &self,
        output: Product,
        generation: &Generation,
        latest: u32,
        known: &Stored,
    ) -> Result<Loaded> {
        let is_same = |stored: &Generation| {
            (stored.precision, stored.figures) == (generation.precision, generation.figures)
        };
        if is_same(&known.generation) {
            return Ok(Loaded::Shared);
        }
        let mut number = latest;
        while let Some(previous) = self.occurrences.previous(number) {
            if is_same(&self.stored(previous)?.generation) {
                return Ok(Loaded::Shared);
            }
            number = previous;
        }
        Ok(self.conflict(output, generation, known))
    }

    /// The row that another document than a model's own holds with the same figures. Where a model's
    /// own file has them too, but for other settings, one of the two is wrong.
    fn of_figures(&self, task: u32, generation: &Generation) -> Result<Option<Stored>> {
        let Some(by_figures) = &self.by_figures else { return Ok(None) };
        let figures = figures_key(task, generation);
        let key_of = |row: &Stored| figures_key(row.task, &row.generation);
        let found = by_figures.latest(figures, |number| self.stored(number), key_of)?;
        Ok(found.map(|(_, row)| row))
    }

    /// How a configuration differs from one that another document holds.
    fn conflict(&self, output: Product, generation: &Generation, known: &Stored) -> Loaded {
        let setting = generation.key.first_difference(&known.generation.key);
        let pairs = generation.figures.all().into_iter().zip(known.generation.figures.all());
        let figure = figure_columns(output)
            .into_iter()
            .zip(pairs)
            .find(|(_, (value, stored))| value != stored);
        let shown = |count: u32| if count == 0 { "null".into() } else { count.to_string() };
        let (column, value, expected) = match (setting, figure) {
            (Some((column @ "gpu", ..)), _) => (column, "another GPU".into(), "the same".into()),
            (Some((column, value, stored)), _) => (column, shown(value), shown(stored)),
            (_, Some((column, (value, stored)))) => (column, value.to_string(), stored.to_string()),
            _ => ("precision", "another precision".into(), "the same".into()),
        };
        let (other, position) = (known.document, known.generation.position);
        Loaded::Conflict { column, value, expected, other, position }
    }

    /// A row that was inserted.
    fn stored(&self, number: u32) -> Result<Stored> {
        let mut statement = self.connection.prepare_cached(
            "select task_id, document_id, repeat, model_id, gpu_id, num_gpus, batch_size, \
             height_pixels, width_pixels, inference_steps, num_frames, frames_per_second, \
             ulysses_degree, ring_degree, precision_id, joules_per_output, batch_latency_s, \
             outputs_per_second, power_watts, document_position, source_id \
             from diffusion_configurations where diffusion_configuration_id = ?1",
        )?;
        Ok(statement.query_row(params![number], |row: &Row<'_>| {
            let document: u32 = row.get(1)?;
            Ok(Stored {
                task: row.get(0)?,
                source: row.get(20)?,
                document: document.saturating_sub(1) as usize,
                repeat: row.get(2)?,
                generation: Generation {
                    key: GenerationKey {
                        model: row.get(3)?,
                        gpu: row.get(4)?,
                        num_gpus: row.get(5)?,
                        batch_size: row.get(6)?,
                        height: row.get(7)?,
                        width: row.get(8)?,
                        inference_steps: row.get(9)?,
                        num_frames: row.get(10)?,
                        frames_per_second: row.get(11)?,
                        ulysses_degree: row.get(12)?,
                        ring_degree: row.get(13)?,
                    },
                    precision: row.get(14)?,
                    figures: GenerationFigures {
                        joules: row.get(15)?,
                        batch_latency_s: row.get(16)?,
                        per_second: row.get(17)?,
                        power_watts: row.get(18)?,
                    },
                    position: row.get(19)?,
                },
            })
        })?)
    }
}
