//! The gaps between the output tokens of all requests, and their percentiles.
//!
//! Tokens that come in one bundle are recorded as one gap and a zero for each further token. Their
//! gap is shared out evenly, as if each had come by itself.

/// Gaps of all requests, seconds: eight bytes each, and nothing else.
#[derive(Debug, Default)]
pub(super) struct Gaps {
    all: Vec<f64>,
    /// The gaps before the request that is read.
    before: usize,
    /// The gap of the bundle that is read, and its tokens so far.
    bundle: Option<(f64, u32)>,
}

impl Gaps {
    /// Begins a request.
    pub fn begin(&mut self) {
        self.before = self.all.len();
        self.bundle = None;
    }

    /// The next recorded gap of the request.
    pub fn add(&mut self, gap: f64) {
        match &mut self.bundle {
            Some((_, tokens)) if gap == 0.0 => *tokens += 1,
            _ => {
                self.end_bundle();
                self.bundle = (gap > 0.0).then_some((gap, 1));
            }
        }
    }

    /// Ends the request; one that failed does not count.
    pub fn end(&mut self, has_succeeded: bool) {
        self.end_bundle();
        if !has_succeeded {
            self.all.truncate(self.before);
        }
    }

    fn end_bundle(&mut self) {
        if let Some((gap, tokens)) = self.bundle.take() {
            let share = gap / f64::from(tokens);
            self.all.extend(std::iter::repeat_n(share, tokens as usize));
        }
    }

    /// The percentiles, ascending and in percent, by linear interpolation between the two gaps next to
    /// each, or `None` if there are no gaps.
    pub fn percentiles<const N: usize>(mut self, percents: [f64; N]) -> Option<[f64; N]> {
        let last = self.all.len().checked_sub(1)?;
        let mut found = [0.0; N];
        for (found, percent) in found.iter_mut().zip(percents) {
            let at = percent / 100.0 * last as f64;
            let lower = (at.floor() as usize).min(last);
            let part = at - lower as f64;
            let (_, below, above) = self.all.select_nth_unstable_by(lower, f64::total_cmp);
            let below = *below;
            let above = above.iter().copied().min_by(f64::total_cmp).unwrap_or(below);
            *found = if part < 0.5 {
                below + (above - below) * part
            } else {
                above - (above - below) * (1.0 - part)
            };
        }
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(requests: &[(&[f64], bool)]) -> Gaps {
        let mut gaps = Gaps::default();
        for (request, has_succeeded) in requests {
            gaps.begin();
            request.iter().for_each(|gap| gaps.add(*gap));
            gaps.end(*has_succeeded);
        }
        gaps
    }

    #[test]
    fn a_bundle_is_shared_out_and_what_comes_before_the_first_gap_or_fails_does_not_count() {
        let gaps = of(&[
            (&[0.0, 0.0, 0.03, 0.0, 0.0, 0.02], true),
            (&[5.0, 0.0], false),
            (&[0.04, 0.0], true),
            (&[], true),
        ]);
        assert_eq!(gaps.all, [0.01, 0.01, 0.01, 0.02, 0.02, 0.02]);
    }

    #[test]
    fn percentiles_are_linear_between_neighbours() {
        let gaps = of(&[(&[4.0, 1.0, 3.0, 2.0], true)]);
        assert_eq!(gaps.percentiles([0.0, 50.0, 90.0, 100.0]), Some([1.0, 2.5, 3.7, 4.0]));
        assert_eq!(of(&[(&[0.0], true)]).percentiles([50.0]), None);
    }
}
