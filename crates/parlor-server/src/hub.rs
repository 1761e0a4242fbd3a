//! Personal notifications: everything that happens to a person, at any table, sent to that person's
//! listeners.
//!
//! A listener that falls behind is disconnected with a message that says so; when it reconnects, it
//! gets a new summary.

mod listener;
mod notification;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use parlor_table::{LogEntry, Player, SeatKey, Table, TableEvent};
use tokio::sync::mpsc::{self, error::TrySendError};

pub(crate) use self::listener::Listener;
pub(crate) use self::notification::{
    Notification, NotificationKind, current_notifications, game_over_notification,
};

/// Number of notifications that a listener may lag behind.
const BACKLOG: usize = 64;

/// Registry of listeners.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hub(Arc<HubState>);

#[derive(Debug, Default)]
struct HubState {
    subscribers: Mutex<HashMap<SeatKey, Vec<Subscriber>>>,
    last: AtomicU64,
}

/// Sending half of a listener.
#[derive(Clone, Debug)]
struct Subscriber {
    number: u64,
    notes: mpsc::Sender<Arc<Notification>>,
}

impl Hub {
    /// Subscribes to the notifications for these keys.
    pub(crate) fn listen(&self, keys: Vec<SeatKey>) -> Listener {
        let (notes, inbox) = mpsc::channel(BACKLOG);
        let subscriber = Subscriber {
            number: self.0.last.fetch_add(1, Ordering::Relaxed),
            notes,
        };
        let mut subscribers = self.lock();
        for key in &keys {
            subscribers
                .entry(*key)
                .or_default()
                .push(subscriber.clone());
        }
        drop(subscribers);
        metrics::gauge!("parlor_listeners").increment(1);
        Listener::new(self.clone(), keys, subscriber.number, inbox)
    }

    /// Publishes notifications about new events at a table. The events must be durable.
    pub(crate) fn publish(&self, table: &Table, entries: &[LogEntry]) {
        for key in concerned_keys(table) {
            if !self.lock().contains_key(&key) {
                continue;
            }
            for note in notification::notifications_for(table, entries, &key) {
                self.send(&key, &Arc::new(note));
            }
        }
    }

    fn send(&self, key: &SeatKey, note: &Arc<Notification>) {
        let mut subscribers = self.lock();
        let Some(listening) = subscribers.get_mut(key) else {
            return;
        };
        // A full inbox is closed. The listener drains it and then reaches the end, which means that
        // it has missed notifications.
        listening.retain(|subscriber| {
            !matches!(
                subscriber.notes.try_send(note.clone()),
                Err(TrySendError::Full(_))
            )
        });
        if listening.is_empty() {
            subscribers.remove(key);
        }
    }

    fn forget(&self, keys: &[SeatKey], number: u64) {
        let mut subscribers = self.lock();
        for key in keys {
            if let Some(listening) = subscribers.get_mut(key) {
                listening.retain(|subscriber| subscriber.number != number);
                if listening.is_empty() {
                    subscribers.remove(key);
                }
            }
        }
        metrics::gauge!("parlor_listeners").decrement(1);
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<SeatKey, Vec<Subscriber>>> {
        // No code that can panic runs while the lock is held.
        self.0
            .subscribers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the keys of the people a table concerns: seated players and the invited one.
fn concerned_keys(table: &Table) -> Vec<SeatKey> {
    let seated = table.players().iter().filter_map(|player| match player {
        Player::Human { key, .. } => Some(*key),
        Player::Open | Player::Bot { .. } => None,
    });
    let mut persons: Vec<SeatKey> = Vec::new();
    for key in seated.chain(invited_key(table)) {
        if !persons.contains(&key) {
            persons.push(key);
        }
    }
    persons
}

/// Returns the key of the invited player.
fn invited_key(table: &Table) -> Option<SeatKey> {
    match table.log().first()?.event {
        TableEvent::Created { invite, .. } => invite,
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use parlor_games::GameKind;
    use parlor_table::{Command, Issuer, NewTable, TableId, Timestamp};
    use serde_json::json;

    use super::*;

    fn table(players: Vec<Player>) -> Table {
        let new = NewTable::new(
            TableId::new(1).unwrap(),
            GameKind::all()[0],
            json!({}),
            players,
        );
        Table::create(Timestamp::from_millis(1), new).unwrap()
    }

    #[tokio::test]
    async fn every_listener_of_a_person_hears_once_and_nobody_else_does() {
        let [ann, bob] = ["ann", "bob"].map(SeatKey::from_token);
        let hub = Hub::default();
        let (mut here, mut there) = (
            hub.listen(vec![SeatKey::from_token("x"), ann]),
            hub.listen(vec![ann]),
        );
        let mut other = hub.listen(vec![SeatKey::from_token("x")]);
        let players =
            [("Ann", ann), ("Bob", bob)].map(|(name, key)| Player::human(name, key).unwrap());
        let table = table(players.to_vec());
        hub.publish(&table, table.log());
        for listener in [&mut here, &mut there] {
            assert_eq!(
                listener.next().await.map(|note| note.kind),
                Some(NotificationKind::GameStart)
            );
            assert_eq!(
                listener.next().await.map(|note| note.kind),
                Some(NotificationKind::YourTurn)
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
        let ann = SeatKey::from_token("ann");
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
                &Issuer::Key(ann),
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
