//! Time that jobs usually take.

use std::collections::HashMap;
use std::time::Duration;

/// Maximum number of names, since strangers choose some: the budgets of bots.
const MAX_NAMES: usize = 1024;

/// Time that jobs of each name took lately.
#[derive(Debug)]
pub(super) struct UsualTimes {
    /// Time of a job about which nothing is known.
    unknown: Duration,
    times: HashMap<String, Duration>,
}

impl UsualTimes {
    pub(super) fn new(unknown: Duration) -> UsualTimes {
        UsualTimes {
            unknown,
            times: HashMap::new(),
        }
    }

    /// Returns the time that a job will probably take.
    pub(super) fn of(&self, name: &str) -> Duration {
        self.times.get(name).copied().unwrap_or(self.unknown)
    }

    /// Records the time that a job took, as a quarter of what is expected of the next.
    pub(super) fn learn(&mut self, name: String, took: Duration) {
        if self.times.len() >= MAX_NAMES && !self.times.contains_key(&name) {
            self.times.clear();
        }
        let time = self.times.entry(name).or_insert(took);
        *time = (*time * 3 + took) / 4;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_millis(300);

    #[test]
    fn what_jobs_took_is_expected_of_the_next() {
        let mut times = UsualTimes::new(LONG);
        assert_eq!(times.of("level:3"), LONG);
        times.learn("level:3".to_owned(), Duration::from_millis(20));
        assert_eq!(times.of("level:3"), Duration::from_millis(20));
        times.learn("level:3".to_owned(), Duration::from_millis(40));
        assert_eq!(times.of("level:3"), Duration::from_millis(25));
        assert_eq!(times.of("level:5"), LONG);
    }

    #[test]
    fn names_that_strangers_choose_do_not_fill_the_memory() {
        let mut times = UsualTimes::new(LONG);
        for nodes in 0..10 * MAX_NAMES {
            times.learn(format!("mcts:nodes={nodes}"), LONG);
        }
        assert!(times.times.len() <= MAX_NAMES);
    }
}
