//! The simulated networks: to the database, and between the nodes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::Duration;

use parlor_store::{Loss, SimulatedNetwork, Trip};

use super::chance::Chance;

/// The time and the state of the world, which all parts share.
#[derive(Debug, Default)]
pub(super) struct Weather {
    /// Time in milliseconds since the Unix epoch.
    pub(super) now: AtomicI64,
    /// False while the database cannot be reached.
    pub(super) is_database_down: AtomicBool,
    /// True while messages get lost.
    pub(super) is_rough: AtomicBool,
}

impl Weather {
    pub(super) fn now(&self) -> i64 {
        self.now.load(Ordering::Relaxed)
    }
}

/// A node's way to the database.
pub(super) struct Cable {
    pub(super) weather: Arc<Weather>,
    pub(super) chance: Chance,
    /// Time of the last loss, in milliseconds since the Unix epoch.
    pub(super) lost: Arc<AtomicI64>,
}

impl SimulatedNetwork for Cable {
    fn trip(&self) -> Trip {
        let ms = |n| Duration::from_millis(self.chance.below(n));
        let is_down = self.weather.is_database_down.load(Ordering::Relaxed);
        let is_rough = self.weather.is_rough.load(Ordering::Relaxed);
        let loss = match self.chance.below(400) {
            _ if is_down => Loss::Statement,
            0 if is_rough => Loss::Statement,
            1 if is_rough => Loss::Answer,
            _ => Loss::Nothing,
        };
        if loss != Loss::Nothing {
            self.lost.store(self.weather.now(), Ordering::Relaxed);
        }
        let (there, back) = match loss {
            Loss::Nothing => (ms(3), ms(3)),
            Loss::Statement => (ms(100), ms(100)),
            Loss::Answer => (ms(3), ms(1_000)),
        };
        Trip { there, back, loss }
    }

    fn database_time(&self) -> i64 {
        self.weather.now()
    }
}

/// Hints on their way.
pub(super) struct Wire {
    weather: Arc<Weather>,
    chance: Chance,
    /// Time of arrival, node, and text.
    under_way: Vec<(i64, usize, String)>,
}

impl Wire {
    pub(super) fn new(weather: Arc<Weather>, chance: Chance) -> Wire {
        Wire {
            weather,
            chance,
            under_way: Vec::new(),
        }
    }

    /// Sends a hint to all nodes.
    pub(super) fn send(&mut self, nodes: usize, text: &str) {
        let is_rough = self.weather.is_rough.load(Ordering::Relaxed);
        for node in 0..nodes {
            let (copies, delay) = match self.chance.below(20) {
                0 if is_rough => (0, 1),
                1 if is_rough => (2, 200),
                2 if is_rough => (1, 5_000),
                _ => (1, 10),
            };
            for _ in 0..copies {
                let delay = self.chance.below(delay).cast_signed();
                let due = self.weather.now() + delay;
                self.under_way.push((due, node, text.to_owned()));
            }
        }
    }

    /// Returns the hints that arrive at a node.
    pub(super) fn arrive(&mut self, node: usize) -> Vec<String> {
        let now = self.weather.now();
        let is_due = |hint: &mut (i64, usize, String)| hint.0 <= now && hint.1 == node;
        let due = self.under_way.extract_if(.., is_due);
        due.map(|(_, _, text)| text).collect()
    }
}
