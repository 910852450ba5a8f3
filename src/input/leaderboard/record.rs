//! The fields of one configuration as they are read, whatever their order.

use crate::input::findings::Keys;
use crate::input::json::{JsonError, Kind, Passage};
use crate::input::number;
use crate::input::value::{Json, Refusal, SoundName, no_slash, take_number};
use crate::measurement::columns::{COUNTS, Count, FIGURES, Figure, NAMES, Name, Shape, Target};
use crate::measurement::record::{Figures, GenerationFigures, GenerationKey, Histogram};

/// The next key of a configuration.
pub(crate) enum Key {
    /// That of the field at this index.
    Field(usize),
    /// One that this program does not know.
    Unknown(String),
}

/// The fields of one configuration as they are read.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) shape: &'static Shape,
    /// How the key of each field was written.
    passages: Vec<Passage>,
    figures: [f64; FIGURES],
    /// 0 is null.
    pub(crate) counts: [u32; COUNTS],
    names: [SoundName; NAMES],
    pub(crate) lengths: Histogram,
    /// One bit for every field that stands in the object.
    pub(crate) seen: u32,
    pub(crate) unknown: Keys,
}

impl Record {
    pub(crate) fn new(shape: &'static Shape) -> Self {
        Self {
            shape,
            passages: shape.fields.iter().map(|_| Passage::default()).collect(),
            figures: [0.0; FIGURES],
            counts: [0; COUNTS],
            names: Default::default(),
            lengths: Histogram::default(),
            seen: 0,
            unknown: Keys::default(),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.seen = 0;
        self.unknown.clear();
    }

    /// Reads the next key of a configuration, which mostly is the field at `next`, written as it
    /// was in the configuration before.
    pub(crate) fn next_field(
        &mut self,
        json: &mut Json<'_>,
        next: usize,
    ) -> Result<Option<Key>, JsonError> {
        if self.passages.get(next).is_some_and(|passage| json.passes(passage)) {
            return Ok(Some(Key::Field(next)));
        }
        let mut learned = Passage::default();
        let Some(key) = json.next_key_learning(&mut learned)? else { return Ok(None) };
        let Some(index) = self.shape.field_named(key, next) else {
            return Ok(Some(Key::Unknown(key.into())));
        };
        if let (true, Some(passage)) = (index == next, self.passages.get_mut(index)) {
            *passage = learned;
        }
        Ok(Some(Key::Field(index)))
    }

    pub(crate) fn take(
        &mut self,
        json: &mut Json<'_>,
        target: Target,
    ) -> Result<Result<(), Refusal>, JsonError> {
        match target {
            Target::Figure(figure) => {
                take_number(json, number::figure, &mut self.figures[figure as usize])
            }
            Target::Count(count) => {
                take_number(json, number::count, &mut self.counts[count as usize])
            }
            Target::MaybeCount(count) => {
                let into = &mut self.counts[count as usize];
                if json.peek()? == Kind::Null {
                    *into = 0;
                    return json.scalar().map(|_| Ok(()));
                }
                take_number(json, number::count, into)
            }
            Target::Name(Name::Gpu) => {
                let gpu = &mut self.names[Name::Gpu as usize];
                Ok(gpu.take(json)?.and_then(|()| no_slash(&gpu.text)))
            }
            Target::Name(name) => self.names[name as usize].take(json),
            // The reader takes these itself, since there may be more than one thing wrong in them.
            Target::Parallelization | Target::Lengths => json.skip().map(Ok),
        }
    }

    pub(crate) fn figure(&self, figure: Figure) -> f64 {
        self.figures[figure as usize]
    }

    pub(crate) fn count(&self, count: Count) -> u32 {
        self.counts[count as usize]
    }

    pub(crate) fn name(&self, name: Name) -> &str {
        &self.names[name as usize].text
    }

    /// The figures of a workload that makes text.
    pub(crate) fn measured(&self) -> Figures {
        Figures {
            avg_running_batch: self.figure(Figure::AvgRunningBatch),
            tokens_per_second: self.figure(Figure::PerSecond),
            power_watts: self.figure(Figure::PowerWatts),
            joules_per_output_token: self.figure(Figure::Joules),
            joules_per_request: self.figure(Figure::JoulesPerRequest),
            median_itl_ms: self.figure(Figure::MedianItlMs),
            p90_itl_ms: self.figure(Figure::P90ItlMs),
            p95_itl_ms: self.figure(Figure::P95ItlMs),
            p99_itl_ms: self.figure(Figure::P99ItlMs),
            avg_output_tokens: self.figure(Figure::AvgOutputTokens),
        }
    }

    /// The figures of a workload that makes images or videos.
    pub(crate) fn generated(&self) -> GenerationFigures {
        GenerationFigures {
            joules: self.figure(Figure::Joules),
            batch_latency_s: self.figure(Figure::BatchLatencyS),
            per_second: self.figure(Figure::PerSecond),
            power_watts: self.figure(Figure::PowerWatts),
        }
    }

    /// What tells a configuration that makes images or videos from others, on this model and GPU.
    pub(crate) fn generation_key(&self, model: u32, gpu: u32) -> GenerationKey {
        let maybe = |count| Some(self.count(count)).filter(|count| *count > 0);
        GenerationKey {
            model,
            gpu,
            num_gpus: self.count(Count::NumGpus),
            batch_size: self.count(Count::BatchSize),
            height: self.count(Count::Height),
            width: self.count(Count::Width),
            inference_steps: self.count(Count::InferenceSteps),
            num_frames: maybe(Count::NumFrames),
            frames_per_second: maybe(Count::FramesPerSecond),
            ulysses_degree: self.count(Count::UlyssesDegree),
            ring_degree: self.count(Count::RingDegree),
        }
    }
}
