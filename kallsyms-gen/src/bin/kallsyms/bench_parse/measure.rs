//! Times of runs: mean and standard error.

use std::time::Duration;

/// The times of one reader.
#[derive(Debug, Default)]
pub(super) struct Times {
    seconds: Vec<f64>,
}

impl Times {
    pub(super) fn add(&mut self, time: Duration) {
        self.seconds.push(time.as_secs_f64());
    }

    pub(super) fn mean(&self) -> Estimate {
        let count = self.seconds.len() as f64;
        let value = self.seconds.iter().sum::<f64>() / count;
        let squares: f64 = self.seconds.iter().map(|seconds| (seconds - value).powi(2)).sum();
        Estimate { value, error: (squares / (count - 1.0) / count).sqrt() }
    }

    pub(super) fn best(&self) -> f64 {
        self.seconds.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

/// A mean and its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Estimate {
    pub(super) value: f64,
    pub(super) error: f64,
}

impl Estimate {
    /// A number without error through this one.
    pub(super) fn under(self, number: f64) -> Self {
        self.with_relative_error(number / self.value, self.error / self.value)
    }

    /// This one through another that does not depend on it.
    pub(super) fn over(self, other: Self) -> Self {
        let relative = (self.error / self.value).hypot(other.error / other.value);
        self.with_relative_error(self.value / other.value, relative)
    }

    fn with_relative_error(self, value: f64, relative: f64) -> Self {
        Self { value, error: value * relative }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_error() {
        let mut times = Times::default();
        [2, 4, 4, 4, 5, 5, 7, 9].into_iter().for_each(|seconds| times.add(Duration::from_secs(seconds)));
        let mean = times.mean();
        // The sample's deviation is sqrt(32 / 7).
        assert_eq!(mean, Estimate { value: 5.0, error: (32.0_f64 / 7.0 / 8.0).sqrt() });
        assert_eq!(times.best(), 2.0);
        assert_eq!(mean.under(10.0).value, 2.0);
        let twice = Estimate { value: 10.0, error: 0.0 }.over(mean);
        assert_eq!(twice.value, 2.0);
        assert!((twice.error - 2.0 * mean.error / 5.0).abs() < 1e-12);
    }
}
