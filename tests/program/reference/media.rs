//! Images and videos: every configuration as its document has it, and plans by trying every number of
//! replicas.

use serde_json::Value;

use super::{plan::Terms, slug};

/// One measured configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct Maker {
    pub position: usize,
    pub slug: String,
    pub gpu: String,
    pub num_gpus: i64,
    pub batch_size: i64,
    /// Width, height, inference steps, frames.
    pub setting: (i64, i64, i64, Option<i64>),
    pub parallel: [i64; 2],
    pub latency_s: f64,
    pub joules: f64,
    pub per_second: f64,
    pub watts: f64,
}

impl Maker {
    /// Equal but for the size of the batch.
    pub fn is_of_series(&self, other: &Self) -> bool {
        let of = |maker: &Self| {
            let gpu = (maker.slug.clone(), maker.gpu.clone(), maker.num_gpus);
            (gpu, maker.setting, maker.parallel)
        };
        of(self) == of(other)
    }

    /// Equal in what competes: model, GPU and setting.
    pub fn is_rival(&self, other: &Self) -> bool {
        (&self.slug, &self.gpu, self.setting) == (&other.slug, &other.gpu, other.setting)
    }
}

/// Reads the configurations of a task file, in its order.
pub fn parse(document: &Value) -> Vec<Maker> {
    let rows = document["configurations"].as_array().unwrap().iter().enumerate();
    rows.map(|(position, row)| {
        let whole = |name: &str| row[name].as_i64();
        let real =
            |names: [&str; 2]| names.into_iter().find_map(|name| row[name].as_f64()).unwrap();
        let of = |names: [&str; 2]| names.into_iter().find_map(whole).unwrap();
        Maker {
            position,
            slug: slug(row["nickname"].as_str().unwrap()),
            gpu: row["gpu_model"].as_str().unwrap().to_owned(),
            num_gpus: whole("num_gpus").unwrap(),
            batch_size: whole("batch_size").unwrap(),
            setting: (
                of(["image_width", "video_width"]),
                of(["image_height", "video_height"]),
                whole("inference_steps").unwrap(),
                whole("num_frames"),
            ),
            parallel: [whole("ulysses_degree").unwrap(), whole("ring_degree").unwrap()],
            latency_s: row["batch_latency_s"].as_f64().unwrap(),
            joules: real(["energy_per_image_joules", "energy_per_video_joules"]),
            per_second: real(["throughput_images_per_sec", "throughput_videos_per_sec"]),
            watts: row["avg_power_watts"].as_f64().unwrap(),
        }
    })
    .collect()
}

/// Replicas of one configuration that make so much.
#[derive(Debug, Clone)]
pub struct Deployment<'m> {
    pub maker: &'m Maker,
    pub replicas: i64,
    pub watts: f64,
    pub objective: f64,
}

/// The best of all configurations within a deadline and all numbers of replicas, for a demand a second.
pub fn plan<'m>(
    rivals: &[&'m Maker],
    demand: f64,
    deadline_s: f64,
    terms: &Terms,
) -> Option<Deployment<'m>> {
    let is_at_most = |figure: f64, limit: f64| figure <= limit * (1.0 + 1e-12);
    let mut options = Vec::new();
    for maker in rivals.iter().filter(|maker| maker.latency_s <= deadline_s) {
        let spare = (1.0 + terms.headroom).max(1.0 / terms.max_busy_share.unwrap_or(1.0));
        let most = (demand / maker.per_second * spare) as i64 + 3;
        for replicas in 1..=most {
            let served = replicas as f64 * maker.per_second;
            let gpus = replicas * maker.num_gpus;
            let watts = demand * maker.joules;
            let is_enough = is_at_most(demand * (1.0 + terms.headroom), served)
                && is_at_most(demand / served, terms.max_busy_share.unwrap_or(1.0))
                && terms.max_gpus.is_none_or(|limit| gpus <= limit)
                && terms.max_power_watts.is_none_or(|limit| is_at_most(watts, limit));
            let objective = match terms.minimize {
                "power" => Some(watts),
                "gpus" => Some(gpus as f64),
                _ => terms.usd_per_hour(watts, gpus),
            };
            if let Some(objective) = objective.filter(|_| is_enough) {
                options.push(Deployment { maker, replicas, watts, objective });
            }
        }
    }
    let least = options.iter().map(|option| option.objective).reduce(f64::min)?;
    options.retain(|option| is_at_most(option.objective, least));
    let least = options.iter().map(|option| option.watts).reduce(f64::min)?;
    options.retain(|option| is_at_most(option.watts, least));
    options
        .into_iter()
        .min_by_key(|option| (option.replicas * option.maker.num_gpus, option.replicas))
}
