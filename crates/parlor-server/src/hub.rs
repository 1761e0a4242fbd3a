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
        let ear = Ear {
            number: self.0.last.fetch_add(1, Ordering::Relaxed),
            notes,
        };
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
        let Some(listening) = ears.get_mut(key) else {
            return;
        };
        // A full inbox closes: what was in it is read to the end, and the end says that more was lost.
        listening
            .retain(|ear| !matches!(ear.notes.try_send(note.clone()), Err(TrySendError::Full(_))));
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

#[cfg(test)]
mod tests {
    use parlor_games::GameKind;
    use parlor_table::{By, Command, NewTable, TableId, Timestamp};
    use serde_json::json;

    use super::*;

    fn table(players: Vec<Player>) -> Table {
        let new = NewTable::new(
            TableId::new(1).unwrap(),
            GameKind::ALL[0],
            json!({}),
            players,
        );
        Table::create(Timestamp::from_millis(1), new).unwrap()
    }

    #[tokio::test]
    async fn every_listener_of_a_person_hears_once_and_nobody_else_does() {
        let [ann, bob] = ["ann", "bob"].map(Key::of);
        let hub = Hub::default();
        let (mut here, mut there) = (hub.listen(vec![Key::of("x"), ann]), hub.listen(vec![ann]));
        let mut other = hub.listen(vec![Key::of("x")]);
        let players =
            [("Ann", ann), ("Bob", bob)].map(|(name, key)| Player::human(name, key).unwrap());
        let table = table(players.to_vec());
        hub.publish(&table, table.log());
        for listener in [&mut here, &mut there] {
            assert_eq!(
                listener.next().await.map(|note| note.kind),
                Some(Kind::GameStart)
            );
            assert_eq!(
                listener.next().await.map(|note| note.kind),
                Some(Kind::YourTurn)
            );
        }
        drop((here, there));
        assert!(
            !hub.lock().contains_key(&ann),
            "nothing is kept for those who left"
        );
        assert!(futures::FutureExt::now_or_never(other.next()).is_none());
    }

    #[tokio::test]
    async fn who_does_not_keep_up_reads_what_there_is_and_then_the_end() {
        let ann = Key::of("ann");
        let hub = Hub::default();
        let mut slow = hub.listen(vec![ann]);
        let me = || Player::human("Ann", ann).unwrap();
        let mut table = table(vec![me(), me()]);
        for _ in 0..BACKLOG {
            hub.publish(&table, table.log());
        }
        let moved = table
            .apply(
                Timestamp::from_millis(2),
                &By::Key(ann),
                Command::play("1,1"),
            )
            .unwrap();
        hub.publish(&table, &moved);
        let mut heard = 0;
        while slow.next().await.is_some() {
            heard += 1;
        }
        assert_eq!(heard, BACKLOG);
        assert_eq!(hub.lock().len(), 0);
    }
}
