//! What happens to somebody, at whatever table: told to all who listen for that person.
//!
//! Whoever does not keep up is cut off, and hears why: when they come again, they are told how everything stands.

mod listener;
mod note;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use parlor_table::{Entry, Event, Key, Player, Table};
use tokio::sync::mpsc::{self, error::TrySendError};

pub(crate) use self::listener::Listener;
pub(crate) use self::note::{Kind, Note, ended, standing};

/// Notes that a listener may be behind.
const BACKLOG: usize = 64;

/// All who listen.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hub(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    ears: Mutex<HashMap<Key, Vec<Ear>>>,
    last: AtomicU64,
}

/// One listener, as those who tell see it.
#[derive(Clone, Debug)]
struct Ear {
    number: u64,
    notes: mpsc::Sender<Arc<Note>>,
}

impl Hub {
    /// Hears of everything that happens to those with these keys.
    pub(crate) fn listen(&self, keys: Vec<Key>) -> Listener {
        let (notes, inbox) = mpsc::channel(BACKLOG);
        let ear = Ear { number: self.0.last.fetch_add(1, Ordering::Relaxed), notes };
        let mut ears = self.lock();
        for key in &keys {
            ears.entry(*key).or_default().push(ear.clone());
        }
        drop(ears);
        metrics::gauge!("parlor_listeners").increment(1);
        Listener::new(self.clone(), keys, ear.number, inbox)
    }

    /// Tells what just happened at a table. It must be durable.
    pub(crate) fn publish(&self, table: &Table, entries: &[Entry]) {
        for key in persons(table) {
            if !self.lock().contains_key(&key) {
                continue;
            }
            for note in note::happened(table, entries, &key) {
                self.tell(&key, &Arc::new(note));
            }
        }
    }

    fn tell(&self, key: &Key, note: &Arc<Note>) {
        let mut ears = self.lock();
        let Some(listening) = ears.get_mut(key) else { return };
        // A full inbox closes: what was in it is read to the end, and the end says that more was lost.
        listening.retain(|ear| !matches!(ear.notes.try_send(note.clone()), Err(TrySendError::Full(_))));
        if listening.is_empty() {
            ears.remove(key);
        }
    }

    fn forget(&self, keys: &[Key], number: u64) {
        let mut ears = self.lock();
        for key in keys {
            if let Some(listening) = ears.get_mut(key) {
                listening.retain(|ear| ear.number != number);
                if listening.is_empty() {
                    ears.remove(key);
                }
            }
        }
        metrics::gauge!("parlor_listeners").decrement(1);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Vec<Ear>>> {
        // Nothing that can panic is done while the lock is held.
        self.0.ears.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whom a table concerns: those who sit there, and who is asked to.
fn persons(table: &Table) -> Vec<Key> {
    let seated = table.players().iter().filter_map(|player| match player {
        Player::Human { key, .. } => Some(*key),
        Player::Open | Player::Bot { .. } => None,
    });
    let mut persons: Vec<Key> = Vec::new();
    for key in seated.chain(invited(table)) {
        if !persons.contains(&key) {
            persons.push(key);
        }
    }
    persons
}

/// What whoever is asked to a table proves to be the one.
fn invited(table: &Table) -> Option<Key> {
    match table.log().first()?.event {
        Event::Created { invite, .. } => invite,
        _ => None,
    }
}
