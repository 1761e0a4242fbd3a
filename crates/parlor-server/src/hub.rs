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
use std::time::Duration;

use parlor_table::{LogEntry, Player, SeatKey, Table, TableEvent, TableId, UserId};
use tokio::sync::mpsc::{self, error::TrySendError};
use tokio::time::Instant;

use crate::accounts::store_id;
use crate::nodes::Followed;
use crate::notices::Marks;

pub(crate) use self::listener::Listener;
pub(crate) use self::notification::{
    Notification, NotificationKind, account_notes, current_notifications, game_over_notification,
};

/// Number of notifications that a listener may lag behind.
const BACKLOG: usize = 64;
/// Time for which the last published event of a table is remembered: longer than any news of it is
/// on the way.
const REMEMBERED: Duration = Duration::from_secs(60);
/// Number of remembered tables from which on the oldest are forgotten.
const MAX_REMEMBERED: usize = 1_024;

/// News for a listener.
#[derive(Clone, Debug)]
pub(crate) enum News {
    /// Something happened to the person with this key.
    Note(SeatKey, Arc<Notification>),
    /// The account's log has notes up to this number.
    Logged(u64),
}

/// Registry of listeners.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hub(Arc<HubState>);

#[derive(Debug, Default)]
struct HubState {
    subscribers: Mutex<HashMap<SeatKey, Vec<Subscriber>>>,
    /// Number of listeners by the fingerprint of their key.
    people: Mutex<HashMap<u64, usize>>,
    /// Last event of each table that was published, which both this node and others may do.
    published: Mutex<HashMap<TableId, (u64, Instant)>>,
    last: AtomicU64,
    /// Members of whom there is news, for those who have no page open.
    marks: Marks,
}

/// Sending half of a listener.
#[derive(Clone, Debug)]
struct Subscriber {
    number: u64,
    /// Account of the listener.
    user: Option<i64>,
    news: mpsc::Sender<News>,
}

impl Hub {
    /// Subscribes to the notifications for these keys; `user` is the account among them. `follow`
    /// asks for the hints of other nodes.
    pub(crate) fn listen(
        &self,
        keys: Vec<SeatKey>,
        user: Option<i64>,
        follow: impl Fn(&SeatKey) -> Followed,
    ) -> Listener {
        let (news, inbox) = mpsc::channel(BACKLOG);
        let subscriber = Subscriber {
            number: self.0.last.fetch_add(1, Ordering::Relaxed),
            user,
            news,
        };
        let mut subscribers = self.lock();
        for key in &keys {
            subscribers
                .entry(*key)
                .or_default()
                .push(subscriber.clone());
        }
        drop(subscribers);
        let mut people = self.people();
        for key in &keys {
            *people.entry(key.fingerprint()).or_default() += 1;
        }
        drop(people);
        metrics::gauge!("parlor_listeners").increment(1);
        let followed = keys.iter().map(follow).collect();
        Listener::new(self.clone(), keys, subscriber.number, inbox, followed)
    }

    /// Returns true if somebody listens for one of the people with these fingerprints.
    pub(crate) fn is_listening(&self, fingerprints: &[u64]) -> bool {
        let people = self.people();
        fingerprints
            .iter()
            .any(|person| people.contains_key(person))
    }

    /// Publishes notifications about new events at a table. The events must be durable.
    pub(crate) fn publish(&self, table: &Table, entries: &[LogEntry]) {
        let entries = self.unpublished(table, entries);
        if entries.is_empty() {
            return;
        }
        let members = table.players().iter().filter_map(|player| player.user());
        self.0.marks.add(table.id(), members.map(store_id));
        for key in concerned_keys(table) {
            if !self.lock().contains_key(&key) {
                continue;
            }
            for note in notification::notifications_for(table, entries, &key) {
                self.send(&key, |_| true, &News::Note(key, Arc::new(note)));
            }
        }
    }

    /// Returns the marks of those of whom there is news.
    pub(crate) fn marks(&self) -> &Marks {
        &self.0.marks
    }

    /// Returns the accounts that somebody listens for.
    pub(crate) fn members(&self) -> Vec<i64> {
        let subscribers = self.lock();
        let mut users: Vec<i64> = subscribers
            .values()
            .flatten()
            .filter_map(|subscriber| subscriber.user)
            .collect();
        users.sort_unstable();
        users.dedup();
        users
    }

    /// Tells the listeners of an account how far its log has come, which they may not have heard.
    pub(crate) fn tell_logged(&self, user: UserId, last: u64) {
        let id = store_id(user);
        let is_members = |subscriber: &Subscriber| subscriber.user == Some(id);
        self.send(&SeatKey::from_member(user), is_members, &News::Logged(last));
    }

    /// Returns the version of the last event of a table that was published lately.
    pub(crate) fn published(&self, table: TableId) -> Option<u64> {
        let published = self
            .0
            .published
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        published.get(&table).map(|(version, _)| *version)
    }

    /// Returns those of the events of a table that were not published yet.
    fn unpublished<'e>(&self, table: &Table, entries: &'e [LogEntry]) -> &'e [LogEntry] {
        let Some(last) = entries.last() else {
            return entries;
        };
        let now = Instant::now();
        let mut published = self
            .0
            .published
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if published.len() >= MAX_REMEMBERED {
            published.retain(|_, (_, at)| now.duration_since(*at) < REMEMBERED);
        }
        let (seen, _) = published.get(&table.id()).copied().unwrap_or((0, now));
        published.insert(table.id(), (last.version.max(seen), now));
        let first = entries.partition_point(|entry| entry.version <= seen);
        &entries[first..]
    }

    fn people(&self) -> MutexGuard<'_, HashMap<u64, usize>> {
        // No code that can panic runs while the lock is held.
        self.0.people.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends news to those listeners for a key whom they concern.
    fn send(&self, key: &SeatKey, concerns: impl Fn(&Subscriber) -> bool, news: &News) {
        let mut subscribers = self.lock();
        let Some(listening) = subscribers.get_mut(key) else {
            return;
        };
        // A full inbox is closed. The listener drains it and then reaches the end, which means that
        // it has missed notifications.
        listening.retain(|subscriber| {
            !concerns(subscriber)
                || !matches!(
                    subscriber.news.try_send(news.clone()),
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
        drop(subscribers);
        let mut people = self.people();
        for key in keys.iter().map(SeatKey::fingerprint) {
            match people.get_mut(&key) {
                Some(count) if *count > 1 => *count -= 1,
                _ => drop(people.remove(&key)),
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
pub(crate) fn concerned_keys(table: &Table) -> Vec<SeatKey> {
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
pub(crate) fn invited_key(table: &Table) -> Option<SeatKey> {
    match table.log().first()?.event {
        TableEvent::Created { invite, .. } => invite,
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use parlor_games::GameKind;
    use parlor_table::{NewTable, TableId, Timestamp};
    use serde_json::json;

    use super::*;

    fn table(players: Vec<Player>) -> Table {
        table_with_id(1, players)
    }

    fn table_with_id(id: u64, players: Vec<Player>) -> Table {
        let new = NewTable::new(
            TableId::new(id).unwrap(),
            GameKind::all()[0],
            json!({}),
            players,
        );
        Table::create(Timestamp::from_millis(1), new).unwrap()
    }

    fn listen(hub: &Hub, keys: Vec<SeatKey>) -> Listener {
        hub.listen(keys, None, |_| Followed::nothing())
    }

    /// Returns the kind of the next notification.
    async fn heard(listener: &mut Listener) -> Option<NotificationKind> {
        match listener.next().await? {
            News::Note(_, note) => Some(note.kind),
            News::Logged(_) => None,
        }
    }

    #[tokio::test]
    async fn every_listener_of_a_person_hears_once_and_nobody_else_does() {
        let [ann, bob] = ["ann", "bob"].map(SeatKey::from_token);
        let hub = Hub::default();
        let (mut here, mut there) = (
            listen(&hub, vec![SeatKey::from_token("x"), ann]),
            listen(&hub, vec![ann]),
        );
        let mut other = listen(&hub, vec![SeatKey::from_token("x")]);
        let players =
            [("Ann", ann), ("Bob", bob)].map(|(name, key)| Player::human(name, key).unwrap());
        let table = table(players.to_vec());
        hub.publish(&table, table.log());
        for listener in [&mut here, &mut there] {
            assert_eq!(heard(listener).await, Some(NotificationKind::GameStart));
            assert_eq!(heard(listener).await, Some(NotificationKind::YourTurn));
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
        let mut slow = listen(&hub, vec![ann]);
        let me = || Player::human("Ann", ann).unwrap();
        for id in 1..=BACKLOG as u64 {
            let table = table_with_id(id, vec![me(), me()]);
            hub.publish(&table, table.log());
        }
        let mut heard = 0;
        while slow.next().await.is_some() {
            heard += 1;
        }
        assert_eq!(heard, BACKLOG);
        assert_eq!(hub.lock().len(), 0);
    }
}
