//! Time that jobs usually take.

use std::collections::HashMap;
use std::time::Duration;

/// Time of a job about which nothing is known: short, since one is enough to know better.
const UNKNOWN: Duration = Duration::from_millis(50);
/// Maximum number of names, so that none that strangers choose fill the memory.
const MAX_NAMES: usize = 1024;

/// Jobs of a name, which take about as long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sort(usize);

/// Time that jobs of each sort took lately.
#[derive(Debug, Default)]
pub(super) struct UsualTimes {
    sorts: HashMap<String, Sort>,
    times: Vec<Option<Duration>>,
}

impl UsualTimes {
    /// Returns the jobs of this name. Beyond a number of names, those of all others are one sort.
    pub(super) fn sort(&mut self, name: String) -> Sort {
        let next = Sort(self.sorts.len().min(MAX_NAMES));
        if let Some(sort) = self.sorts.get(&name) {
            return *sort;
        }
        if self.times.len() <= next.0 {
            self.times.push(None);
        }
        if next.0 < MAX_NAMES {
            self.sorts.insert(name, next);
        }
        next
    }

    /// Returns the time that a job will probably take.
    pub(super) fn of(&self, sort: Sort) -> Duration {
        self.times.get(sort.0).copied().flatten().unwrap_or(UNKNOWN)
    }

    /// Records the time that a job took, as a quarter of what is expected of the next.
    pub(super) fn learn(&mut self, sort: Sort, took: Duration) {
        if let Some(time) = self.times.get_mut(sort.0) {
            *time = Some(time.map_or(took, |usual| (usual * 3 + took) / 4));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_jobs_took_is_expected_of_the_next() {
        let mut times = UsualTimes::default();
        let [third, fifth] = ["level:3", "level:5"].map(|name| times.sort(name.to_owned()));
        assert_eq!(times.of(third), UNKNOWN);
        times.learn(third, Duration::from_millis(20));
        assert_eq!(times.of(third), Duration::from_millis(20));
        times.learn(third, Duration::from_millis(40));
        assert_eq!(times.of(times.sorts["level:3"]), Duration::from_millis(25));
        assert_eq!(times.of(fifth), UNKNOWN);
        assert_eq!(times.sort("level:3".to_owned()), third);
    }

    #[test]
    fn names_that_strangers_choose_do_not_fill_the_memory() {
        let mut times = UsualTimes::default();
        let sorts: Vec<_> = (0..10 * MAX_NAMES)
            .map(|n| times.sort(n.to_string()))
            .collect();
        assert_eq!(
            (times.sorts.len(), times.times.len()),
            (MAX_NAMES, MAX_NAMES + 1)
        );
        times.learn(sorts[5 * MAX_NAMES], Duration::from_secs(1));
        assert_eq!(times.of(sorts[9 * MAX_NAMES]), Duration::from_secs(1));
        assert_eq!(times.of(sorts[7]), UNKNOWN);
    }
}
