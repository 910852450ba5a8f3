//! A run of a workload that makes images or videos: `results.json` with the energy and time of each
//! batch. The figures are of the mean batch.

use super::number;
use super::place::Place;
use crate::date;
use crate::input::bytes::Text;
use crate::input::document::Document;
use crate::input::json::{JsonError, JsonReader, Kind, Scalar};
use crate::input::kind::{DocumentKind, Holds, Survey};
use crate::input::own::completion::Completion;
use crate::input::own::row::Row;
use crate::input::reader::Reader;
use crate::input::reading::Head;
use crate::input::value::Json;
use crate::measurement::check::Check;
use crate::measurement::columns::DIFFUSION;

/// This kind of document.
pub(in crate::input) static KIND: DocumentKind = DocumentKind {
    name: "benchmark-batches",
    called: "batches of the ML.ENERGY benchmark",
    holds: Holds::Own,
    may_be_unstable: false,
    may_repeat: false,
    has_tasks: false,
    is: |survey: &Survey| survey.member("iteration_energy_measurements"),
    read,
};

/// What is read beside the batches.
#[derive(Debug, Default)]
struct Read {
    batches: Vec<[f64; 2]>,
    batch_size: Option<f64>,
    ulysses_degree: Option<f64>,
    ring_degree: Option<f64>,
    num_frames: Option<f64>,
    fps: Option<f64>,
    gpu: Option<String>,
    measured_on: Option<String>,
}

fn read(
    reader: &mut Reader<'_, '_>,
    text: Text<'_>,
    document: &Document,
) -> Result<Head, JsonError> {
    let mut json = JsonReader::new(text);
    let mut read = Read::default();
    json.begin_object()?;
    while let Some(name) = json.next_key()? {
        let is_batches = name == "iteration_energy_measurements";
        let is_gpu = name == "gpu_model";
        let is_time = name == "date";
        let figure = match name {
            "batch_size" => Some(&mut read.batch_size),
            "ulysses_degree" => Some(&mut read.ulysses_degree),
            "ring_degree" => Some(&mut read.ring_degree),
            "num_frames" => Some(&mut read.num_frames),
            "fps" => Some(&mut read.fps),
            _ => None,
        };
        match (json.peek()?, figure) {
            (Kind::Array, _) if is_batches => batches(&mut json, &mut read.batches)?,
            (Kind::Number, Some(figure)) => *figure = number(&mut json)?,
            (Kind::Text, _) if is_gpu => {
                if let Scalar::Text(gpu) = json.scalar()? {
                    read.gpu = Some(gpu.to_owned());
                }
            }
            (Kind::Text, _) if is_time => {
                if let Scalar::Text(time) = json.scalar()? {
                    read.measured_on = date::of_time(time);
                }
            }
            _ => json.skip()?,
        }
    }
    json.finish()?;
    let mut place = Place::of_diffusion(document);
    place.gpu = place.gpu.take().or(read.gpu.take());
    let mut completion = Completion::of(document);
    match row(reader, &place, &read) {
        Some(row) => completion.take(reader, row),
        None => completion.skip(),
    }
    let task = place.task;
    Ok(completion.end(reader, |name| {
        Some(match name {
            "task" => return task.clone(),
            "energy_boundary" => "gpu".into(),
            "measurement_window" => "whole-run".into(),
            "measured_on" => return read.measured_on.clone(),
            _ => return None,
        })
    }))
}

/// Reads the joules of all GPUs and the seconds of each batch. One without a time, or with other than
/// an object for its energy, does not count.
fn batches(json: &mut Json<'_>, into: &mut Vec<[f64; 2]>) -> Result<(), JsonError> {
    json.begin_array()?;
    while json.next_element()? {
        if json.peek()? != Kind::Object {
            json.skip()?;
            continue;
        }
        let (mut joules, mut seconds) = (0.0, 0.0);
        let mut is_measured = true;
        json.begin_object()?;
        while let Some(name) = json.next_key()? {
            let (is_energy, is_time) = (name == "gpu_energy", name == "time");
            match json.peek()? {
                Kind::Object if is_energy => {
                    json.begin_object()?;
                    while json.next_key()?.is_some() {
                        if json.peek()? == Kind::Number {
                            joules += number(json)?.unwrap_or_default();
                        } else {
                            json.skip()?;
                        }
                    }
                }
                _ if is_energy => {
                    is_measured = false;
                    json.skip()?;
                }
                Kind::Number if is_time => seconds = number(json)?.unwrap_or_default(),
                _ => json.skip()?,
            }
        }
        if is_measured && seconds > 0.0 {
            into.push([joules, seconds]);
        }
    }
    Ok(())
}

/// What the run measured, or `None` if it measured nothing.
fn row(reader: &mut Reader<'_, '_>, place: &Place, read: &Read) -> Option<Row> {
    let mut row = Row::at(String::new(), 0);
    if let Err((check, at, value, expected)) = place.model_info(&mut row, false) {
        reader.add(check, at, value, expected);
    }
    let number = read.batches.len() as f64;
    let mean = |at: usize| read.batches.iter().map(|batch| batch[at]).sum::<f64>() / number;
    let (joules, seconds) = (mean(0), mean(1));
    if !(joules > 0.0 && seconds > 0.0) {
        let expected = "the energy and time of a batch, both above 0";
        reader.add(Check::NumberRange, "iteration_energy_measurements", "nothing", expected);
        return None;
    }
    let batch_size = place.setting("batch").or(read.batch_size);
    let ulysses = place.setting("uly").or(read.ulysses_degree);
    let ring = place.setting("ring").or(read.ring_degree);
    let mut put = |name: &str, value: Option<f64>| row.put(&DIFFUSION, name, value);
    put("num_gpus", ulysses.zip(ring).map(|(ulysses, ring)| ulysses * ring));
    put("batch_size", batch_size);
    let [height, width] = place.size().map_or([None; 2], |size| size.map(Some));
    put("height_pixels", height);
    put("width_pixels", width);
    put("inference_steps", place.setting("steps"));
    put("num_frames", read.num_frames.map(f64::trunc));
    put("frames_per_second", read.fps.map(f64::trunc));
    put("ulysses_degree", ulysses);
    put("ring_degree", ring);
    put("joules_per_output", batch_size.map(|size| joules / size));
    put("batch_latency_s", Some(seconds));
    put("outputs_per_second", batch_size.map(|size| size / seconds));
    put("power_watts", Some(joules / seconds));
    Some(row)
}
