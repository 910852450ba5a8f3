//! Plans and capacities by trying every number of replicas.

use super::{HIGHEST_ITL, PERCENTILES, Row, Series, at};

/// Equal but for what arithmetic rounds off.
const TOLERANCE: f64 = 1e-12;

/// The limits of a plan, and what it minimizes.
#[derive(Debug, Clone)]
pub struct Terms {
    pub percentile: &'static str,
    pub deadline_ms: f64,
    pub highest_itl: [Option<f64>; 4],
    pub max_request_seconds: Option<f64>,
    pub headroom: f64,
    pub max_busy_share: Option<f64>,
    pub measured_only: bool,
    pub min_requests_per_slot: Option<f64>,
    pub max_gpus: Option<i64>,
    pub max_power_watts: Option<f64>,
    pub precision: Option<String>,
    pub minimize: &'static str,
    /// Whether the demand is in requests.
    pub by_requests: bool,
    /// USD per kWh, USD per GPU and hour, watts of the host per GPU, PUE.
    pub prices: Option<[f64; 4]>,
}

impl Default for Terms {
    fn default() -> Self {
        Self {
            percentile: "median",
            deadline_ms: 500.0,
            highest_itl: [None; 4],
            max_request_seconds: None,
            headroom: 0.0,
            max_busy_share: None,
            measured_only: false,
            min_requests_per_slot: None,
            max_gpus: None,
            max_power_watts: None,
            precision: None,
            minimize: "power",
            by_requests: false,
            prices: None,
        }
    }
}

impl Terms {
    /// The arguments for these terms, but for what is minimized and the power.
    pub fn arguments(&self) -> Vec<(&'static str, String)> {
        let mut given = vec![
            ("percentile", self.percentile.to_owned()),
            ("deadline_ms", self.deadline_ms.to_string()),
            ("headroom", self.headroom.to_string()),
            ("measured_only", self.measured_only.to_string()),
        ];
        for (limit, name) in self.highest_itl.into_iter().zip(HIGHEST_ITL) {
            given.extend(limit.map(|limit| (name, limit.to_string())));
        }
        let seconds = self.max_request_seconds;
        given.extend(seconds.map(|limit| ("max_request_seconds", limit.to_string())));
        given.extend(self.max_busy_share.map(|share| ("max_busy_share", share.to_string())));
        let requests = self.min_requests_per_slot;
        given.extend(requests.map(|limit| ("min_requests_per_slot", limit.to_string())));
        given.extend(self.max_gpus.map(|gpus| ("max_gpus", gpus.to_string())));
        given.extend(self.precision.clone().map(|name| ("precision", name)));
        if let Some([kwh, gpu_hour, host, pue]) = self.prices {
            given.extend([
                ("usd_per_kwh", kwh.to_string()),
                ("usd_per_gpu_hour", gpu_hour.to_string()),
                ("host_watts_per_gpu", host.to_string()),
                ("pue", pue.to_string()),
            ]);
        }
        given
    }

    /// The arguments of a plan.
    pub fn plan_arguments(&self, demand: f64) -> Vec<(&'static str, String)> {
        let mut given = self.arguments();
        given.push(("minimize", self.minimize.to_owned()));
        let unit = if self.by_requests { "requests_per_second" } else { "tokens_per_second" };
        given.push((unit, demand.to_string()));
        given.extend(self.max_power_watts.map(|watts| ("max_power_watts", watts.to_string())));
        given
    }

    /// What the demand is in.
    pub fn rate(&self, row: &Row) -> f64 {
        if self.by_requests { row.requests_per_second() } else { row.throughput }
    }

    /// Whether a point is measured with this precision.
    pub fn lets_in(&self, row: &Row) -> bool {
        self.precision.as_ref().is_none_or(|precision| row.precision == *precision)
    }

    /// Whether every deadline is kept with these latencies, this load and so many requests a second.
    pub fn is_kept(&self, itl: [f64; 4], load: f64, requests_per_second: f64) -> bool {
        let place = PERCENTILES.iter().position(|known| *known == self.percentile).unwrap();
        let is_kept = |figure: f64, limit: f64| figure <= limit * (1.0 + TOLERANCE);
        is_kept(itl[place], self.deadline_ms)
            && self
                .highest_itl
                .into_iter()
                .zip(itl)
                .all(|(limit, itl)| limit.is_none_or(|limit| is_kept(itl, limit)))
            && self
                .max_request_seconds
                .is_none_or(|limit| is_kept(load / requests_per_second, limit))
    }

    /// Whether enough requests were measured.
    fn is_sure_of(&self, row: &Row) -> bool {
        let some = row.requests_per_slot();
        self.min_requests_per_slot.is_none_or(|limit| some.is_some_and(|some| some >= limit))
    }

    pub fn is_kept_by(&self, row: &Row) -> bool {
        self.is_kept(row.itl, row.load, row.requests_per_second())
    }

    /// USD per hour; nothing without prices.
    pub fn usd_per_hour(&self, watts: f64, gpus: i64) -> Option<f64> {
        let [kwh, gpu_hour, host, pue] = self.prices?;
        let gpus = gpus as f64;
        Some((watts + host * gpus) / 1000.0 * pue * kwh + gpus * gpu_hour)
    }
}

/// What one replica does.
#[derive(Debug, Clone)]
pub struct Place<'r> {
    pub lower: &'r Row,
    pub upper: &'r Row,
    pub load: f64,
    pub itl: [f64; 4],
    pub throughput: f64,
    pub requests_per_second: f64,
    pub watts: f64,
    pub is_estimate: bool,
}

impl Place<'_> {
    /// A latency.
    pub fn itl(&self, percentile: &str) -> f64 {
        self.itl[PERCENTILES.iter().position(|known| *known == percentile).unwrap()]
    }

    /// Of both neighbours the fewer.
    pub fn requests_per_slot(&self) -> Option<f64> {
        Some(self.lower.requests_per_slot()?.min(self.upper.requests_per_slot()?))
    }

    /// The highest share of a deadline that a latency takes.
    pub fn highest_share_of_deadline(&self, terms: &Terms) -> f64 {
        let further = terms.highest_itl.into_iter().zip(self.itl);
        further
            .filter_map(|(limit, itl)| limit.map(|limit| itl / limit))
            .fold(self.itl(terms.percentile) / terms.deadline_ms, f64::max)
    }
}

/// The place where a series first has this rate; below the first point, load is in proportion.
/// Nothing where the series never has it.
pub fn place<'r>(points: &[&'r Row], given: f64, terms: &Terms) -> Option<Place<'r>> {
    let rate = |row: &Row| terms.rate(row);
    let is_near = |row: &&&Row| (rate(row) - given).abs() <= TOLERANCE * rate(row);
    let given = points.iter().find(is_near).map_or(given, |row| rate(row));
    let first = points[0];
    let is_estimate = given < rate(first);
    let place = at(points, rate, if is_estimate { rate(first) } else { given });
    let (lower, upper, _) = place.between?;
    let part = if is_estimate { given / rate(first) } else { 1.0 };
    Some(Place {
        lower,
        upper,
        load: place.figure(|row| row.load)? * part,
        itl: [0, 1, 2, 3].map(|one| place.figure(|row| row.itl[one]).unwrap()),
        throughput: place.figure(|row| row.throughput)? * part,
        requests_per_second: place.figure(Row::requests_per_second)? * part,
        watts: place.figure(|row| row.watts)?,
        is_estimate,
    })
}

/// Up to which rate every deadline is kept without a gap, from a rate at which they are kept. Every
/// stretch of the curve is looked at, and halved until its end is found.
pub fn room_end(points: &[&Row], from: f64, terms: &Terms) -> f64 {
    let rate = |row: &Row| terms.rate(row);
    let mut end = from;
    let mut reached = 0.0_f64;
    let mut lower = points[0];
    for &upper in points {
        let is_first = std::ptr::eq(upper, points[0]);
        let above = reached;
        reached = reached.max(rate(upper));
        let own = lower;
        lower = upper;
        if rate(upper) <= above * (1.0 + TOLERANCE) || rate(upper) <= from * (1.0 + TOLERANCE) {
            continue;
        }
        let is_kept = |at: f64| {
            if is_first {
                return terms.is_kept_by(upper) && terms.is_sure_of(upper);
            }
            if !terms.is_sure_of(own) || !terms.is_sure_of(upper) {
                return false;
            }
            let along = (at - rate(own)) / (rate(upper) - rate(own));
            let of =
                |figure: &dyn Fn(&Row) -> f64| (1.0 - along) * figure(own) + along * figure(upper);
            let itl = [0, 1, 2, 3].map(|one| of(&|row| row.itl[one]));
            terms.is_kept(itl, of(&|row| row.load), of(&Row::requests_per_second))
        };
        let (mut kept, mut missed) = (above.max(from), rate(upper));
        if !is_kept(kept) {
            return end;
        }
        if is_kept(missed) {
            end = missed;
            continue;
        }
        for _ in 0..60 {
            let middle = f64::midpoint(kept, missed);
            *(if is_kept(middle) { &mut kept } else { &mut missed }) = middle;
        }
        return kept;
    }
    end
}

/// A number of replicas of one series that serves a demand within the terms.
#[derive(Debug, Clone)]
pub struct Deployment<'r> {
    pub series: &'r Series,
    pub replicas: i64,
    pub watts: f64,
    pub share: f64,
    pub place: Place<'r>,
    pub objective: f64,
}

impl Deployment<'_> {
    pub fn gpus(&self) -> i64 {
        self.replicas * self.place.upper.num_gpus
    }
}

/// This many replicas with an equal share of the demand. The share may be below the measured range. The
/// headroom is checked if that is asked for.
pub fn deployment<'r>(
    series: &'r Series,
    points: &[&'r Row],
    demand: f64,
    replicas: i64,
    terms: &Terms,
    needs_headroom: bool,
) -> Option<Deployment<'r>> {
    let share = demand / replicas as f64;
    let place = place(points, share, terms)?;
    let watts = place.watts * replicas as f64;
    let gpus = replicas * place.upper.num_gpus;
    let is_at_most = |figure: f64, limit: f64| figure <= limit * (1.0 + TOLERANCE);
    let busy = place.load / place.upper.max_num_seqs as f64;
    let is_kept = terms.is_kept(place.itl, place.load, place.requests_per_second)
        && terms.max_busy_share.is_none_or(|limit| is_at_most(busy, limit))
        && !(terms.measured_only && place.is_estimate)
        && terms.is_sure_of(place.lower)
        && terms.is_sure_of(place.upper);
    if !is_kept {
        return None;
    }
    // Of most numbers of replicas nobody asks how far the demand may grow.
    let end = if terms.headroom > 0.0 { room_end(points, share, terms) } else { share };
    let has_room = is_at_most(share * (1.0 + terms.headroom), end)
        && terms.max_gpus.is_none_or(|limit| gpus <= limit)
        && terms.max_power_watts.is_none_or(|limit| is_at_most(watts, limit));
    let objective = match terms.minimize {
        "power" => Some(watts),
        "gpus" => Some(gpus as f64),
        _ => terms.usd_per_hour(watts, gpus),
    };
    (has_room || !needs_headroom).then_some(())?;
    let objective = objective?;
    Some(Deployment { series, replicas, watts, share, place, objective })
}

/// Every number of replicas of a series that serves the demand, up to some that have less to do than
/// was measured.
pub fn deployments<'r>(
    series: &'r Series,
    points: &[&'r Row],
    demand: f64,
    terms: &Terms,
) -> Vec<Deployment<'r>> {
    let least =
        terms.rate(points[0]) * terms.max_busy_share.unwrap_or(1.0) / (1.0 + terms.headroom);
    let most = (demand / least * (1.0 + TOLERANCE)) as i64;
    let most = terms.max_gpus.map_or(most, |gpus| most.min(gpus));
    (1..=most + 3)
        .filter_map(|replicas| deployment(series, points, demand, replicas, terms, true))
        .collect()
}

/// The one that is chosen: of least objective, then least power, then fewest GPUs, fewest replicas
/// and the first name.
pub fn best<'o, 'r>(options: &'o [Deployment<'r>]) -> Option<&'o Deployment<'r>> {
    let least = |of: &[&Deployment<'_>], figure: fn(&Deployment<'_>) -> f64| {
        of.iter().map(|option| figure(option)).fold(f64::MAX, f64::min) * (1.0 + TOLERANCE)
    };
    let all: Vec<_> = options.iter().collect();
    let most = least(&all, |option| option.objective);
    let leading: Vec<_> = all.into_iter().filter(|option| option.objective <= most).collect();
    let most = least(&leading, |option| option.watts);
    leading
        .into_iter()
        .filter(|option| option.watts <= most)
        .min_by_key(|option| (option.gpus(), option.replicas, option.place.upper.row_id()))
}

/// The highest rate of one replica within the terms: of all rates at which something can end, the
/// highest that is within them.
pub fn highest_rate(points: &[&Row], terms: &Terms) -> Option<f64> {
    let rate = |row: &Row| terms.rate(row);
    let mut ends: Vec<f64> = points.iter().map(|row| rate(row)).collect();
    let place = PERCENTILES.iter().position(|known| *known == terms.percentile).unwrap();
    for (index, upper) in points.iter().enumerate() {
        let slots = upper.max_num_seqs as f64;
        let Some(lower) = index.checked_sub(1).map(|index| points[index]) else {
            ends.extend(terms.max_busy_share.map(|busy| busy * slots / upper.load * rate(upper)));
            continue;
        };
        let mut cross = |figure: &dyn Fn(&Row) -> f64, limit: f64| {
            let along = (limit - figure(lower)) / (figure(upper) - figure(lower));
            if (0.0..=1.0).contains(&along) {
                ends.push(rate(lower) + along * (rate(upper) - rate(lower)));
            }
        };
        cross(&|row| row.itl[place], terms.deadline_ms);
        for (one, limit) in terms.highest_itl.into_iter().enumerate() {
            limit.iter().for_each(|limit| cross(&|row| row.itl[one], *limit));
        }
        let seconds = terms.max_request_seconds;
        seconds.iter().for_each(|limit| {
            cross(&|row| row.load - limit * row.requests_per_second(), 0.0);
        });
        terms.max_busy_share.iter().for_each(|busy| cross(&|row| row.load, busy * slots));
    }
    // What is an end by arithmetic may be just beyond it.
    let inside: Vec<f64> = ends.iter().map(|end| end * (1.0 - 1e-11)).collect();
    ends.extend(inside);
    let series = Series::default();
    let keeps =
        |at: f64, needs_headroom: bool| deployment(&series, points, at, 1, terms, needs_headroom);
    // Room that only the tolerance makes beyond a point ends at the point.
    let at_a_point = |end: f64| {
        let rates = points.iter().map(|row| rate(row));
        rates.clone().find(|known| (end - known).abs() <= 1e-9 * known).unwrap_or(end)
    };
    let rooms: Vec<f64> = ends
        .iter()
        .filter(|end| keeps(**end, false).is_some())
        .map(|end| at_a_point(room_end(points, *end, terms) / (1.0 + terms.headroom)))
        .collect();
    ends.extend(rooms);
    ends.into_iter().filter(|end| keeps(*end, true).is_some()).reduce(f64::max)
}

/// The share of arrivals that wait, by the recursion of Erlang B.
pub fn erlang_c(slots: i64, load: f64) -> f64 {
    if load >= slots as f64 {
        return 1.0;
    }
    let blocked = (1..=slots)
        .fold(1.0, |blocked, servers| load * blocked / (servers as f64 + load * blocked));
    let busy = load / slots as f64;
    blocked / (1.0 - busy * (1.0 - blocked))
}
