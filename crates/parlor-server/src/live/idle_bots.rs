//! Bots between their moves, which remember their searches in a bounded memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use parlor_core::Seat;
use parlor_games::bots::Bot;
use parlor_table::TableId;

/// Bytes counted for each bot in addition to its tables and trees.
const OVERHEAD: usize = 64 << 10;

/// Bots that wait for their next move, or for a permit to search for it. If they need too much memory,
/// those unused for the longest time are dropped, and start afresh at their next move.
#[derive(Clone, Default)]
pub(super) struct IdleBots {
    state: Arc<Mutex<IdleBotsState>>,
    max_bytes: usize,
}

#[derive(Default)]
struct IdleBotsState {
    bots: HashMap<(TableId, u8), IdleBot>,
    bytes: usize,
    last: u64,
}

struct IdleBot {
    spec: String,
    bot: Box<dyn Bot>,
    bytes: usize,
    /// Number that is larger the later the bot was used.
    used: u64,
}

impl IdleBots {
    pub(super) fn new(max_bytes: usize) -> IdleBots {
        IdleBots {
            state: Arc::default(),
            max_bytes,
        }
    }

    /// Takes the bot of a seat, if it is there.
    pub(super) fn take(&self, table: TableId, seat: Seat, spec: &str) -> Option<Box<dyn Bot>> {
        let mut state = self.state();
        let idle = state.remove((table, seat.number()))?;
        state.measure();
        drop(state);
        (idle.spec == spec).then_some(idle.bot)
    }

    /// Keeps the bot of a seat until its next move.
    pub(super) fn put(&self, table: TableId, seat: Seat, spec: String, bot: Box<dyn Bot>) {
        let bytes = bot.memory() + OVERHEAD;
        let mut dropped = Vec::new();
        let mut state = self.state();
        dropped.extend(state.remove((table, seat.number())));
        if bytes <= self.max_bytes {
            state.last += 1;
            state.bytes += bytes;
            let used = state.last;
            let idle = IdleBot {
                spec,
                bot,
                bytes,
                used,
            };
            state.bots.insert((table, seat.number()), idle);
        }
        while state.bytes > self.max_bytes {
            let oldest = state.bots.iter().min_by_key(|(_, idle)| idle.used);
            let Some((&place, _)) = oldest else {
                break;
            };
            dropped.extend(state.remove(place));
        }
        state.measure();
        // Trees are freed without the lock.
        drop(state);
    }

    /// Drops the bots of a table.
    pub(super) fn forget(&self, table: TableId) {
        let mut state = self.state();
        let seats: Vec<_> = state
            .bots
            .keys()
            .filter(|(id, _)| *id == table)
            .copied()
            .collect();
        let dropped: Vec<_> = seats
            .into_iter()
            .filter_map(|seat| state.remove(seat))
            .collect();
        state.measure();
        drop(state);
        drop(dropped);
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.state().bots.len()
    }

    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        self.state().bytes
    }

    fn state(&self) -> MutexGuard<'_, IdleBotsState> {
        // No code that can panic runs while the lock is held.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl IdleBotsState {
    fn remove(&mut self, place: (TableId, u8)) -> Option<IdleBot> {
        let idle = self.bots.remove(&place)?;
        self.bytes -= idle.bytes;
        Some(idle)
    }

    fn measure(&self) {
        metrics::gauge!("parlor_idle_bots").set(self.bots.len() as f64);
        metrics::gauge!("parlor_idle_bots_bytes").set(self.bytes as f64);
    }
}

#[cfg(test)]
mod tests {
    use axum_prometheus::metrics_exporter_prometheus::PrometheusBuilder;
    use parlor_games::AnyPosition;
    use parlor_games::bots::{Budget, Thought};

    use super::*;

    /// Bot that keeps this many bytes.
    struct LargeBot(usize);

    impl Bot for LargeBot {
        fn name(&self) -> String {
            "large".to_owned()
        }

        fn think(&mut self, _: &AnyPosition, _: &mut dyn Budget) -> Option<Thought> {
            None
        }

        fn interject(&mut self, _: &AnyPosition, _: Seat, _: &mut dyn Budget) -> Option<Thought> {
            None
        }

        fn memory(&self) -> usize {
            self.0
        }
    }

    fn table(number: u64) -> TableId {
        TableId::new(number).unwrap()
    }

    fn put(bots: &IdleBots, number: u64, bytes: usize) {
        let bot = Box::new(LargeBot(bytes));
        bots.put(table(number), Seat::FIRST, "large".to_owned(), bot);
    }

    fn is_there(bots: &IdleBots, number: u64) -> bool {
        bots.take(table(number), Seat::FIRST, "large").is_some()
    }

    #[test]
    fn the_memory_of_idle_bots_is_bounded_and_the_latest_stay() {
        let bots = IdleBots::new(10 << 20);
        for number in 1..=200 {
            put(&bots, number, 3 << 20);
            assert!(bots.state().bytes <= 10 << 20);
        }
        put(&bots, 300, 11 << 20);
        let kept: Vec<u64> = (1..=300).filter(|n| is_there(&bots, *n)).collect();
        assert_eq!(kept, [198, 199, 200]);
        assert_eq!(bots.state().bytes, 0);
    }

    #[test]
    fn a_bot_is_taken_once_by_its_spec_and_forgotten_with_its_table() {
        let bots = IdleBots::new(10 << 20);
        put(&bots, 1, 0);
        assert!(bots.take(table(1), Seat::FIRST, "another").is_none());
        put(&bots, 1, 0);
        assert!(is_there(&bots, 1) && !is_there(&bots, 1));
        put(&bots, 1, 0);
        put(&bots, 2, 0);
        bots.forget(table(1));
        assert!(!is_there(&bots, 1) && is_there(&bots, 2));
    }

    #[test]
    fn small_bots_count_with_an_overhead_and_the_limit_may_be_reached() {
        const KIB: usize = 1 << 10;
        let bots = IdleBots::new(256 * KIB);
        for (number, bytes, sum) in [(1, 0, 64), (2, 64 * KIB, 192), (3, 0, 256), (4, 0, 256)] {
            put(&bots, number, bytes);
            assert_eq!(bots.state().bytes, sum * KIB, "with bot {number}");
        }
        put(&bots, 5, 192 * KIB);
        let kept: Vec<u64> = (1..=5).filter(|n| is_there(&bots, *n)).collect();
        assert_eq!(kept, [5], "it needs all the room that there is");
    }

    #[test]
    fn the_gauges_follow_the_bots() {
        let recorder = PrometheusBuilder::new().build_recorder();
        let gauges = || {
            let text = recorder.handle().render();
            let value = |name: &str| {
                let line = text.lines().find_map(|line| line.strip_prefix(name));
                line.map(|value| value.trim().parse::<f64>().unwrap())
            };
            [value("parlor_idle_bots "), value("parlor_idle_bots_bytes ")]
        };
        metrics::with_local_recorder(&recorder, || {
            let bots = IdleBots::new(10 << 20);
            put(&bots, 1, 1 << 20);
            put(&bots, 2, 1 << 20);
            assert_eq!(gauges(), [Some(2.0), Some(2_228_224.0)]);
            bots.forget(table(1));
            assert_eq!(gauges(), [Some(1.0), Some(1_114_112.0)]);
        });
    }

    #[test]
    fn a_bot_that_comes_back_replaces_the_one_in_its_place() {
        let bots = IdleBots::new(10 << 20);
        put(&bots, 1, 1 << 20);
        put(&bots, 1, 2 << 20);
        assert_eq!(bots.state().bytes, (2 << 20) + (64 << 10));
        put(&bots, 1, 11 << 20);
        assert_eq!(bots.state().bytes, 0, "too large to be kept");
    }
}
