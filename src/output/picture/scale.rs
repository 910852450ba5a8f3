//! The scale of an axis: where a value lies on it, and where its ticks are.

/// A span of more than this times its lower end is easier to read on a logarithmic scale.
const WIDE_SPAN: f64 = 30.0;
/// Steps between two powers of ten.
const STEPS: [f64; 3] = [1.0, 2.0, 5.0];
/// So many ticks at most.
const MOST_TICKS: usize = 10;

/// The scale of one axis, which begins and ends at a tick.
#[derive(Debug, Clone, PartialEq)]
pub struct Scale {
    /// Whether equal distances are equal ratios.
    pub is_logarithmic: bool,
    /// The values at the ticks, ascending.
    pub ticks: Vec<f64>,
}

impl Scale {
    /// The scale on which these finite values are shown. Linear scales begin at zero, unless the
    /// values are far from it.
    pub fn of(values: impl Iterator<Item = f64> + Clone) -> Self {
        let lowest = values.clone().fold(f64::INFINITY, f64::min);
        let highest = values.fold(f64::NEG_INFINITY, f64::max);
        if lowest > 0.0 && highest / lowest > WIDE_SPAN {
            return Self { is_logarithmic: true, ticks: logarithmic(lowest, highest) };
        }
        let lowest = if lowest > 0.0 && lowest < highest * 0.7 { 0.0 } else { lowest };
        Self { is_logarithmic: false, ticks: linear(lowest, highest) }
    }

    /// Where a value lies: 0 at the beginning of the axis, 1 at its end.
    pub fn place(&self, value: f64) -> f64 {
        let [first, last, value] = [self.first(), self.last(), value]
            .map(|v| if self.is_logarithmic { v.log10() } else { v });
        (value - first) / (last - first)
    }

    /// The value at the beginning.
    pub fn first(&self) -> f64 {
        self.ticks.first().copied().unwrap_or(0.0)
    }

    /// The value at the end.
    pub fn last(&self) -> f64 {
        self.ticks.last().copied().unwrap_or(1.0)
    }
}

/// The value at a tick, without the digits that arithmetic adds.
pub fn text(tick: f64) -> String {
    if tick != 0.0 && !(1e-4..1e7).contains(&tick.abs()) {
        return format!("{tick:e}");
    }
    let text = format!("{tick:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn linear(lowest: f64, highest: f64) -> Vec<f64> {
    // One value alone lies in the middle.
    let (lowest, highest) = if lowest < highest {
        (lowest, highest)
    } else {
        let half = if lowest == 0.0 { 1.0 } else { lowest.abs() / 2.0 };
        (lowest - half, highest + half)
    };
    let rough = (highest - lowest) / 6.0;
    let power = 10_f64.powi(rough.log10().floor() as i32);
    let step = STEPS.iter().map(|step| step * power).find(|step| *step >= rough);
    let step = step.unwrap_or(10.0 * power);
    let (first, last) = ((lowest / step).floor() as i64, (highest / step).ceil() as i64);
    // A step below 1 is divided by, which keeps 0.3 from becoming 0.30000000000000004.
    (first..=last)
        .map(
            |number| {
                if step < 1.0 { number as f64 / (1.0 / step).round() } else { number as f64 * step }
            },
        )
        .collect()
}

fn logarithmic(lowest: f64, highest: f64) -> Vec<f64> {
    let exponents = lowest.log10().floor() as i32..=highest.log10().ceil() as i32;
    let all = |steps: &[f64]| -> Vec<f64> {
        let ticks = exponents.clone().flat_map(|exponent| {
            steps.iter().map(move |step| {
                if exponent < 0 {
                    step / 10_f64.powi(-exponent)
                } else {
                    step * 10_f64.powi(exponent)
                }
            })
        });
        let ticks: Vec<f64> = ticks.collect();
        let first = ticks.iter().rposition(|tick| *tick <= lowest).unwrap_or(0);
        let last = ticks.iter().position(|tick| *tick >= highest).unwrap_or(ticks.len() - 1);
        ticks.get(first..=last).map(<[f64]>::to_vec).unwrap_or_default()
    };
    let fine = all(&STEPS);
    if fine.len() <= MOST_TICKS { fine } else { all(&STEPS[..1]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks(values: &[f64]) -> Vec<String> {
        Scale::of(values.iter().copied()).ticks.into_iter().map(text).collect()
    }

    #[test]
    fn ticks_are_round_and_enclose_the_values() {
        assert_eq!(ticks(&[3.0, 57.0]), ["0", "10", "20", "30", "40", "50", "60"]);
        assert_eq!(ticks(&[0.31, 0.35]), ["0.31", "0.32", "0.33", "0.34", "0.35"]);
        assert_eq!(ticks(&[12.0, 600.0]), ["10", "20", "50", "100", "200", "500", "1000"]);
        assert_eq!(ticks(&[0.5, 90_000.0]), ["0.1", "1", "10", "100", "1000", "10000", "100000"]);
        assert_eq!(ticks(&[8.0]), ["4", "6", "8", "10", "12"]);
        assert_eq!(ticks(&[0.0]), ["-1", "-0.5", "0", "0.5", "1"]);
        assert_eq!(ticks(&[-5.0, 5.0]), ["-6", "-4", "-2", "0", "2", "4", "6"]);
    }

    #[test]
    fn a_value_lies_between_the_ends() {
        let logarithmic = Scale::of([10.0, 1000.0].into_iter());
        assert!(logarithmic.is_logarithmic);
        assert_eq!([10.0, 100.0, 1000.0].map(|v| logarithmic.place(v)), [0.0, 0.5, 1.0]);
        let linear = Scale::of([0.0, 60.0].into_iter());
        assert!(!linear.is_logarithmic);
        assert_eq!([0.0, 15.0, 60.0].map(|v| linear.place(v)), [0.0, 0.25, 1.0]);
    }
}
