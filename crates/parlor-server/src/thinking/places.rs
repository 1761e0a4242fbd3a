//! Places of which each client has a few, and all together have more.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Payer;

/// Places that clients take.
#[derive(Debug)]
pub(crate) struct Places {
    /// Number that a client can have.
    each: usize,
    /// Number that all clients together can have.
    all: usize,
    /// Number taken by each client that has any.
    taken: Mutex<HashMap<Payer, usize>>,
    /// Name of the metric that shows the number taken.
    gauge: Option<&'static str>,
}

/// Place that a client has taken, given back when dropped.
#[derive(Debug)]
pub(crate) struct Place {
    places: Arc<Places>,
    payer: Payer,
}

/// Reason why there is no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Full {
    /// The client has as many as it can, which is this number.
    OfClient(usize),
    /// All together have as many as they can.
    OfAll(usize),
}

impl Places {
    /// Creates places: `each` of a client, and `all` of all.
    pub(crate) fn new(each: usize, all: usize, gauge: Option<&'static str>) -> Arc<Places> {
        Arc::new(Places {
            each,
            all,
            taken: Mutex::default(),
            gauge,
        })
    }

    /// Takes a place for a client.
    ///
    /// # Errors
    /// If the client, or all together, have as many as they can.
    pub(crate) fn take(self: &Arc<Places>, payer: Payer) -> Result<Place, Full> {
        let mut taken = self.lock();
        let own = taken.get(&payer).copied().unwrap_or_default();
        if own >= self.each {
            return Err(Full::OfClient(own));
        }
        let in_all = taken.values().sum();
        if in_all >= self.all {
            return Err(Full::OfAll(in_all));
        }
        taken.insert(payer, own + 1);
        self.show(&taken);
        Ok(Place {
            places: self.clone(),
            payer,
        })
    }

    /// Returns the number of places that are taken.
    pub(crate) fn taken(&self) -> usize {
        self.lock().values().sum()
    }

    fn show(&self, taken: &HashMap<Payer, usize>) {
        if let Some(name) = self.gauge {
            metrics::gauge!(name).set(taken.values().sum::<usize>() as f64);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Payer, usize>> {
        // No code that can panic runs while the lock is held.
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.places.lock();
        if let Some(count) = taken.get_mut(&self.payer) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.payer);
            }
        }
        self.places.show(&taken);
    }
}

#[cfg(test)]
mod tests {
    use parlor_table::UserId;

    use super::*;

    #[test]
    fn a_client_has_a_few_and_all_have_more() {
        let places = Places::new(2, 3, None);
        let member = |n| Payer::Member(UserId::new(n).expect("a number"));
        let mut held: Vec<_> = (0..2)
            .map(|_| places.take(member(1)).expect("there is room"))
            .collect();
        assert_eq!(places.take(member(1)).err(), Some(Full::OfClient(2)));
        held.push(places.take(member(2)).expect("there is room"));
        assert_eq!(places.take(member(3)).err(), Some(Full::OfAll(3)));
        held.remove(0);
        assert!(places.take(member(3)).is_ok());
        drop(held);
        assert!(places.lock().is_empty(), "nothing is kept of who is gone");
    }
}
