//! Samples of the power of each GPU, as `nvidia-smi --query-gpu=timestamp,index,power.draw
//! --format=csv -l 1` and `amd-smi metric --power --csv --watch 1` log them. They are integrated over the
//! window of a run by trapezoids, GPU by GPU, with the power at its borders between two samples.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};

use super::moment::{self, Clock};
use super::{Energy, Options, Refusal, Time, certain, chosen};

/// Samples may be this far apart.
const LONGEST_GAP_NS: i64 = 3_000_000_000;
/// Columns of the power of a GPU, in the order in which they are taken.
const OF_POWER: [&str; 6] = [
    "power.draw",
    "power.draw.average",
    "power.draw.instant",
    "socket_power",
    "average_socket_power",
    "current_socket_power",
];
/// Columns of the number of a GPU.
const OF_GPU: [&str; 2] = ["index", "gpu"];

/// Watts at a time, by GPU. Watts that the log does not have are not a number.
#[derive(Debug)]
pub(super) struct Samples {
    clock: Clock,
    /// To how many seconds its times are exact.
    resolution_s: f64,
    gpus: BTreeMap<u32, Vec<(i64, f64)>>,
}

impl Samples {
    /// Reads a log.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        let mut csv = csv::ReaderBuilder::new();
        csv.has_headers(false).flexible(true).trim(csv::Trim::All);
        let mut records = csv.from_reader(bytes).into_records();
        let header = records.next().transpose()?.context("it is empty")?;
        let bare = |name: &str| name.split(" [").next().unwrap_or_default().to_ascii_lowercase();
        let column = |names: &[&str]| {
            names.iter().find_map(|name| header.iter().position(|of| bare(of) == *name))
        };
        let time = column(&["timestamp"]);
        let (Some(time), Some(gpu), Some(power)) = (time, column(&OF_GPU), column(&OF_POWER))
        else {
            bail!(
                "the columns timestamp, index and power.draw are missing; log with nvidia-smi \
                 --query-gpu=timestamp,index,power.draw --format=csv -l 1"
            );
        };
        let unit = header[power].split_once('[').map(|(_, unit)| unit.trim_end_matches(']'));
        if let Some(unit) = unit.filter(|unit| *unit != "W") {
            bail!("its power is in {unit}, not in W");
        }
        let mut log = Self { clock: Clock::Utc, resolution_s: 1.0, gpus: BTreeMap::new() };
        let mut is_first = true;
        for record in records {
            let record = record?;
            // Logs that were joined have their headers, too; the last line may be cut off.
            if record == header || (record.len() < header.len() && csv_ends(bytes, &record)) {
                continue;
            }
            let line = record.position().map_or(0, csv::Position::line);
            let cell = |at: usize| record.get(at).unwrap_or_default();
            let broken = |at: usize, expected: &str| {
                format!("line {line}: found '{}', expected {expected}", cell(at))
            };
            let at = moment::read(cell(time), Clock::Local)
                .with_context(|| broken(time, "a time, such as 2026/11/20 10:15:00.123"))?;
            let gpu = cell(gpu).parse().ok().with_context(|| broken(gpu, "the number of a GPU"))?;
            let watts = watts(cell(power)).with_context(|| broken(power, "watts"))?;
            if !std::mem::take(&mut is_first) && at.clock != log.clock {
                bail!("line {line}: times with and without an offset from UTC are mixed");
            }
            log.clock = at.clock;
            if cell(time).contains('.') {
                log.resolution_s = 0.0;
            }
            log.gpus.entry(gpu).or_default().push((at.nanoseconds, watts));
        }
        for samples in log.gpus.values_mut() {
            samples.sort_by_key(|(time, _)| *time);
            *samples = merged(samples);
        }
        Ok(log)
    }

    /// The energy of a run.
    pub fn energy(&self, options: &Options, time: Time, gpus: u32) -> Result<Energy, Refusal> {
        let end = time
            .end
            .ok_or_else(|| ("nothing".to_owned(), "the time at which the run ended".to_owned()))?;
        let end = end.on(self.clock, options.utc_offset_s).ok_or_else(|| {
            let found = "a local time and one of UTC".to_owned();
            (found, "two local times or two of UTC: give --utc-offset +HH:MM".to_owned())
        })?;
        let start = end - (time.duration_s * 1e9).round() as i64;
        let of_log: Vec<_> = self.gpus.keys().copied().collect();
        let mut joules = 0.0;
        for gpu in chosen(options, &of_log, gpus)? {
            joules += integral(&self.gpus[&gpu], start, end)
                .map_err(|(found, expected)| (format!("GPU {gpu}: {found}"), expected))?;
        }
        certain(joules, (time.uncertainty_s + self.resolution_s) / time.duration_s)
    }
}

/// Whether a line is the last of a text that does not end in a line feed.
fn csv_ends(bytes: &[u8], record: &csv::StringRecord) -> bool {
    let start = record.position().map_or(0, csv::Position::byte) as usize;
    bytes.get(start..).is_some_and(|rest| !rest.trim_ascii().contains(&b'\n'))
}

/// Watts in `312.45 W` or `312`; not a number in `N/A`.
fn watts(text: &str) -> Option<f64> {
    let number = text.strip_suffix('W').unwrap_or(text).trim();
    if ["N/A", "[N/A]"].contains(&number) {
        return Some(f64::NAN);
    }
    number.parse().ok().filter(|watts: &f64| watts.is_finite() && *watts >= 0.0)
}

/// Samples of one time are one, their mean.
fn merged(samples: &[(i64, f64)]) -> Vec<(i64, f64)> {
    let of_time = samples.chunk_by(|one, next| one.0 == next.0);
    of_time
        .map(|same| {
            (same[0].0, same.iter().map(|(_, watts)| watts).sum::<f64>() / same.len() as f64)
        })
        .collect()
}

/// Joules from one time to another.
fn integral(samples: &[(i64, f64)], start: i64, end: i64) -> Result<f64, Refusal> {
    // The last sample at or before the start, and the first at or after the end.
    let first = samples.partition_point(|(time, _)| *time <= start).checked_sub(1);
    let last = samples.partition_point(|(time, _)| *time < end);
    let (Some(first), true) = (first, last < samples.len()) else {
        return Err((
            "samples of only a part of the run".into(),
            "samples from before its start until after its end".into(),
        ));
    };
    let mut joules = 0.0;
    for pair in samples[first..=last].windows(2) {
        let [(from, power), (to, next_power)] = [pair[0], pair[1]];
        let gap = to - from;
        if gap > LONGEST_GAP_NS {
            let found = format!("samples {:.1} s apart", gap as f64 / 1e9);
            return Err((found, "at most 3 s: log with -l 1".into()));
        }
        if power.is_nan() || next_power.is_nan() {
            return Err(("a sample without power (N/A)".into(), "watts in each".into()));
        }
        let at = |time: i64| power + (next_power - power) * ((time - from) as f64 / gap as f64);
        let (left, right) = (from.max(start), to.min(end));
        joules += (right - left) as f64 / 1e9 * (at(left) + at(right)) / 2.0;
    }
    Ok(joules)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::own::power::moment::Moment;

    /// `2026/11/20 10:15:00`, as `date -u -d '2026-11-20 10:15:00' +%s` tells it.
    const BASE_S: i64 = 1_795_169_700;

    /// Power that rises evenly, so that trapezoids are exact however samples are apart: watts at the
    /// base and watts a second.
    type Line = (f64, f64);

    /// The joules of a line from one second to another, by its antiderivative.
    fn closed_form((watts, rise): Line, from: f64, to: f64) -> f64 {
        watts * (to - from) + rise / 2.0 * (to * to - from * from)
    }

    /// A log with samples at these milliseconds from the base.
    fn log(lines: &[Line], milliseconds: &[i64]) -> String {
        let mut log = String::from("timestamp, index, power.draw [W]\n");
        for at in milliseconds {
            for (gpu, (watts, rise)) in lines.iter().enumerate() {
                let watts = watts + rise * (*at as f64 / 1000.0);
                let (minute, second) = (15 + at / 60_000, at % 60_000);
                log += &format!(
                    "2026/11/20 10:{minute}:{:02}.{:03}, {gpu}, {watts} W\n",
                    second / 1000,
                    second % 1000
                );
            }
        }
        log
    }

    fn time(end_s: f64, duration_s: f64) -> Time {
        let nanoseconds = BASE_S * 1_000_000_000 + (end_s * 1e9).round() as i64;
        let end = Some(Moment { clock: Clock::Local, nanoseconds });
        Time { end, uncertainty_s: 0.0, duration_s }
    }

    #[test]
    fn the_energy_of_a_log_is_its_closed_form() {
        let even: Vec<i64> = (0..100).map(|at| at * 1000).collect();
        // 0.1 to 2.9 s apart.
        let uneven: Vec<i64> = (0..90)
            .scan(7, |at, gap| {
                let now = *at;
                *at += 100 + (gap * 937) % 2800;
                Some(now)
            })
            .collect();
        let one = [(300.0, 2.5)];
        let eight: Vec<Line> = (0..8)
            .map(|gpu| (200.0 + 37.0 * f64::from(gpu), 0.75 * f64::from(gpu) - 1.5))
            .collect();
        for lines in [&one[..], &eight] {
            for samples in [&even, &uneven] {
                let log = Samples::read(log(lines, samples).as_bytes()).unwrap();
                for (end, duration) in
                    [(40.0, 30.0), (37.123_456, 20.987_654_3), (8.5, 0.001), (45.0, 44.5)]
                {
                    let energy =
                        log.energy(&Options::default(), time(end, duration), lines.len() as u32);
                    let expected: f64 =
                        lines.iter().map(|line| closed_form(*line, end - duration, end)).sum();
                    let joules = energy.unwrap().joules;
                    assert!((joules / expected - 1.0).abs() < 1e-9, "{joules} is not {expected}");
                }
            }
        }
    }

    #[test]
    fn samples_of_one_time_count_as_their_mean_and_joined_logs_as_one() {
        let header = "timestamp,gpu,socket_power\n";
        let base = |offset: i64| BASE_S + offset;
        let log = format!(
            "{header}{},0,100\n{},0,300\n{},0,400\n{header}{},0,400\n{},0,500",
            base(0),
            base(0),
            base(2),
            base(3),
            base(5)
        );
        let log = Samples::read(log.as_bytes()).unwrap();
        let end = Some(Moment { clock: Clock::Utc, nanoseconds: base(5) * 1_000_000_000 });
        let time = Time { end, uncertainty_s: 0.0, duration_s: 5.0 };
        // 2 s from 200 to 400 W, 1 s at 400 W and 2 s from 400 to 500 W; a clock of whole seconds.
        let refused = log.energy(&Options::default(), time, 1).unwrap_err();
        assert!(refused.0.contains("20.0 %"), "{refused:?}");
        assert_eq!(
            integral(&log.gpus[&0], base(0) * 1_000_000_000, base(5) * 1_000_000_000),
            Ok(1900.0)
        );
    }
}
