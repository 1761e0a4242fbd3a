//! Sources of the server's time and randomness: the operating system, or a test.

use std::fmt;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use parlor_table::{Secret, TableId, Timestamp};

use crate::auth;

/// Sources of the time, and of the randomness of games: secrets behind tables' luck, ids of tables,
/// seats by lot and the bots' seeds. Tokens and passwords always take theirs from the operating
/// system.
///
/// Time that passes while something is awaited is measured by the runtime, not by this clock.
#[derive(Clone)]
pub struct Sources {
    clock: Arc<dyn Fn() -> Timestamp + Send + Sync>,
    random: Arc<RandomBytes>,
}

/// Fills a buffer with random bytes.
type RandomBytes = dyn Fn(&mut [u8]) + Send + Sync;

impl Sources {
    /// Creates sources from a clock and a function that fills a buffer with random bytes.
    ///
    /// Anybody who knows what `random` returns can foresee every draw of luck, so that anything but
    /// the operating system's randomness is for tests only.
    pub fn new(
        clock: impl Fn() -> Timestamp + Send + Sync + 'static,
        random: impl Fn(&mut [u8]) + Send + Sync + 'static,
    ) -> Sources {
        Sources {
            clock: Arc::new(clock),
            random: Arc::new(random),
        }
    }

    /// Returns the sources of the operating system.
    pub fn system() -> Sources {
        Sources::new(system_time, auth::fill_random)
    }

    /// Returns the current time.
    pub(crate) fn now(&self) -> Timestamp {
        (self.clock)()
    }

    /// Returns 64 random bits.
    pub(crate) fn random_u64(&self) -> u64 {
        let mut bytes = [0; 8];
        (self.random)(&mut bytes);
        u64::from_le_bytes(bytes)
    }

    /// Tosses a coin.
    pub(crate) fn coin(&self) -> bool {
        self.random_u64() & 1 == 1
    }

    /// Puts items into a random order.
    pub(crate) fn shuffle<T>(&self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.random_u64() % (last as u64 + 1);
            items.swap(last, usize::try_from(other).unwrap_or(last));
        }
    }

    /// Generates the secret for a table's luck.
    pub(crate) fn secret(&self) -> Secret {
        let mut bytes = [0; 32];
        (self.random)(&mut bytes);
        Secret::new(bytes)
    }

    /// Generates a table id.
    pub(crate) fn table_id(&self) -> TableId {
        TableId::fresh(self.now(), self.random_u64())
    }
}

impl fmt::Debug for Sources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sources").finish_non_exhaustive()
    }
}

fn system_time() -> Timestamp {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
