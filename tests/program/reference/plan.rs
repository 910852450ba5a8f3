//! Plans by trying every number of replicas.

use super::{Row, Series, at};

/// Equal but for what arithmetic rounds off.
const TOLERANCE: f64 = 1e-12;

/// A number of replicas of one series that serves a demand within a deadline.
#[derive(Debug, Clone)]
pub struct Deployment<'r> {
    pub series: &'r Series,
    pub replicas: i64,
    pub share: f64,
    pub watts: f64,
    pub itl: f64,
    pub load: f64,
    pub lower: &'r Row,
    pub upper: &'r Row,
    pub is_estimate: bool,
}

impl Deployment<'_> {
    pub fn gpus(&self) -> i64 {
        self.replicas * self.upper.num_gpus
    }
}

/// A latency that is promised.
#[derive(Debug, Clone, Copy)]
pub struct Promise {
    pub percentile: &'static str,
    pub deadline_ms: f64,
}

impl Promise {
    pub fn is_kept(&self, itl: f64) -> bool {
        itl <= self.deadline_ms * (1.0 + TOLERANCE)
    }
}

/// This many replicas with an equal share of the demand, whether or not one of them has less to do
/// than was measured; nothing where the series never reaches the share or misses the deadline.
pub fn deployment<'r>(
    series: &'r Series,
    points: &[&'r Row],
    demand: f64,
    replicas: i64,
    promise: Promise,
) -> Option<Deployment<'r>> {
    let throughput = |row: &Row| row.throughput;
    let given = demand / replicas as f64;
    let is_near = |row: &&&Row| (row.throughput - given).abs() <= TOLERANCE * row.throughput;
    let given = points.iter().find(is_near).map_or(given, |row| row.throughput);
    let first = points[0];
    let is_estimate = given < first.throughput;
    let place = at(points, throughput, if is_estimate { first.throughput } else { given });
    let (lower, upper, _) = place.between?;
    let itl = place.figure(|row| row.itl(promise.percentile))?;
    promise.is_kept(itl).then_some(Deployment {
        series,
        replicas,
        share: demand / replicas as f64,
        watts: place.figure(|row| row.watts)? * replicas as f64,
        itl,
        load: place.figure(|row| row.load)?,
        lower,
        upper,
        is_estimate,
    })
}

/// Every number of replicas of a series that serves the demand, up to some that have less to do than
/// was measured.
pub fn deployments<'r>(
    series: &'r Series,
    points: &[&'r Row],
    demand: f64,
    promise: Promise,
) -> Vec<Deployment<'r>> {
    let most = (demand / points[0].throughput * (1.0 + TOLERANCE)) as i64;
    let tried = 1..=most + 3;
    tried.filter_map(|replicas| deployment(series, points, demand, replicas, promise)).collect()
}

/// The one of least power, and of those the one of fewest GPUs, of fewest replicas, of the first
/// name.
pub fn best<'o, 'r>(options: &'o [Deployment<'r>]) -> Option<&'o Deployment<'r>> {
    let least = options.iter().map(|option| option.watts).fold(f64::MAX, f64::min);
    options
        .iter()
        .filter(|option| option.watts <= least * (1.0 + TOLERANCE))
        .min_by_key(|option| (option.gpus(), option.replicas, option.upper.row_id()))
}
