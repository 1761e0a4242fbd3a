//! Following what other nodes store at a table that is live here, too.
//!
//! If the database is shared, a table in memory may be behind the stored one. Nothing is answered
//! from a state that was not confirmed within [`MAX_AGE`], and nothing is refused from one that is
//! known to be old.

use std::cmp::Ordering;
use std::sync::Arc;
use std::sync::atomic::{self, AtomicU64};
use std::time::Duration;

use parlor_table::{Command, LogEntry, Player, Table, TableStatus};
use tokio::time::Instant;

use super::{Actor, LiveError, TableRequest, stored};

/// Age at which a state must be confirmed before it is shown or used.
const MAX_AGE: Duration = Duration::from_secs(2);
/// Time for which nobody asks again for a table whose refused command was right to be refused.
/// Limits the reads that illegal moves cause: so many in so long a time. Whoever is refused beyond that
/// may be refused because of a state that old.
const MAX_VAIN: u32 = 25;
const VAIN_TIME: Duration = Duration::from_secs(1);

/// Number of a table's last events that may not have been announced when it is loaded.
const RECENT: usize = 8;
/// Age of such events, in milliseconds.
const RECENT_MS: i64 = 10_000;

/// Time, after a bot's own, in which the node that wrote the last event must have moved for it.
const WRITER_PATIENCE: Duration = Duration::from_secs(2);

/// A task's knowledge of its table's latest version.
pub(super) struct Freshness {
    /// Latest version heard of, from other nodes, the database or this task.
    heard: Arc<AtomicU64>,
    /// Time of the last write, or before the last read, of the stored table.
    confirmed: Instant,
    /// Time of the first of the latest reads because of commands that found nothing new, and their
    /// number.
    vain: (Instant, u32),
}

impl Freshness {
    /// Creates the state of a table that was just loaded at a version.
    pub(super) fn new(heard: Arc<AtomicU64>, version: u64) -> Freshness {
        heard.fetch_max(version, atomic::Ordering::AcqRel);
        Freshness {
            heard,
            confirmed: Instant::now(),
            vain: (Instant::now(), 0),
        }
    }

    /// Returns true if a refused command is no reason to read, because the last ones were refused
    /// rightly.
    fn was_vain(&self) -> bool {
        let (since, reads) = self.vain;
        reads >= MAX_VAIN && since.elapsed() < VAIN_TIME
    }

    /// Counts a read because of a command that found nothing new.
    fn count_vain(&mut self) {
        let (since, reads) = &mut self.vain;
        if since.elapsed() >= VAIN_TIME {
            (*since, *reads) = (Instant::now(), 0);
        }
        *reads += 1;
    }

    /// Forgets a version that was heard of before the stored table was read, if that is older: the hint
    /// was false, and later ones must be noticed. What was heard of since then stays.
    fn correct(&self, heard: u64, stored: u64) {
        if heard > stored {
            let (success, failure) = (atomic::Ordering::AcqRel, atomic::Ordering::Relaxed);
            let _ = self.heard.compare_exchange(heard, stored, success, failure);
        }
    }

    /// Records that the table in memory, which has this version, is the stored one.
    pub(super) fn confirm(&mut self, version: u64) {
        self.confirmed = Instant::now();
        self.heard.fetch_max(version, atomic::Ordering::AcqRel);
    }
}

impl Actor {
    /// Returns true if the table in memory may be older than a request needs it.
    pub(super) fn is_outdated(&self, request: &TableRequest) -> bool {
        let Some(asked) = self.shared.nodes.last_asked() else {
            return false;
        };
        let wanted = match request {
            TableRequest::Apply(act) => pinned(&act.command),
            TableRequest::Read { .. } | TableRequest::Events { .. } => 0,
            // They bring what is missing, or end the task, or a newer version refuses them.
            TableRequest::Confirm { .. }
            | TableRequest::Follow { .. }
            | TableRequest::LookAgain
            | TableRequest::Renamed(_)
            | TableRequest::Delete(_)
            | TableRequest::Tick(_)
            | TableRequest::BotReply(_) => return false,
        };
        let known = &self.freshness;
        let version = self.table.version();
        let is_behind = known.heard.load(atomic::Ordering::Acquire).max(wanted) > version;
        let is_old = known.confirmed.max(asked).elapsed() >= MAX_AGE;
        is_behind || is_old
    }

    /// Folds in what other nodes stored before a command that came at `began` is refused. Returns true
    /// if there was something.
    pub(super) async fn recheck(&mut self, began: Instant) -> Result<bool, LiveError> {
        let is_shared = self.shared.nodes.last_asked().is_some();
        let is_fresh = self.freshness.confirmed >= began;
        if !is_shared || is_fresh || self.freshness.was_vain() {
            return Ok(false);
        }
        let before = self.table.version();
        self.catch_up().await?;
        let is_newer = self.table.version() > before;
        if !is_newer {
            self.freshness.count_vain();
        }
        Ok(is_newer)
    }

    /// Folds in entries of another node, or reads them if some are missing, and notifies the
    /// listeners here of the events from version `first` on.
    pub(super) async fn follow(&mut self, first: u64, entries: Vec<LogEntry>) {
        let before = self.table.version();
        for entry in entries {
            if entry.version != self.table.version() + 1 {
                continue;
            }
            if let Err(error) = self.table.fold(entry) {
                return self.lost = Some(LiveError::BadLog(self.table.id(), error.into()));
            }
        }
        let heard = self.freshness.heard.load(atomic::Ordering::Acquire);
        if self.table.version() > before {
            self.freshness.confirm(self.table.version());
        }
        // Without a version above, the table may be deleted.
        if (heard > self.table.version() || self.table.version() == before)
            && let Err(error) = self.catch_up().await
        {
            tracing::warn!(table = %self.table.id(), %error, "could not follow another node");
        }
        self.announce(before.min(first.saturating_sub(1)));
        self.think();
    }

    /// Folds in what other nodes had stored by a time.
    pub(super) async fn confirm_since(&mut self, asked: Instant) -> Result<(), LiveError> {
        let is_shared = self.shared.nodes.last_asked().is_some();
        if is_shared && self.freshness.confirmed < asked {
            self.catch_up().await?;
        }
        Ok(())
    }

    /// Notifies the listeners here of the last events, which another node stored just before the
    /// table was loaded here: otherwise they would not hear of them once later ones are known.
    pub(super) fn announce_recent(&self) {
        let age = self.now().millis() - self.table.updated_at().millis();
        if self.shared.nodes.last_asked().is_some() && age < RECENT_MS {
            let log = self.table.log();
            let recent = log.len().saturating_sub(RECENT);
            self.shared.hub.publish(&self.table, &log[recent..]);
        }
    }

    /// Returns the time for which thinking is left to the node that wrote the last event: it has the
    /// table in memory, and is presumed dead when its bot should have moved long ago. If a node was
    /// found to be gone since then, it may have been that one. If several think, the version lets only
    /// one of them move.
    pub(super) fn left_to_writer(&self) -> Option<Duration> {
        self.shared.nodes.last_asked()?;
        let gone = self.shared.nodes.downtime().last_gone();
        if self.wrote == self.table.version() || gone > Some(self.table.updated_at()) {
            return None;
        }
        let age = self.now().millis() - self.table.updated_at().millis();
        let age = Duration::from_millis(u64::try_from(age).unwrap_or(0));
        let patience = self.shared.thinkers.time + WRITER_PATIENCE;
        patience.checked_sub(age).filter(|wait| !wait.is_zero())
    }

    /// Reads a finished table again in which somebody may have had a seat whose name has changed.
    pub(super) async fn read_names(&mut self, user: i64) {
        let may_have = |player: &Player| match player {
            Player::Human {
                user: id, owner, ..
            } => owner.is_some() || id.is_some_and(|id| u64::try_from(user) == Ok(id.number())),
            Player::Open | Player::Bot { .. } => false,
        };
        let is_over = matches!(
            self.table.status(),
            TableStatus::Over | TableStatus::Aborted
        );
        let has_left = !self.table.handovers().is_empty();
        if !is_over || !(has_left || self.table.players().iter().any(may_have)) {
            return;
        }
        match stored::load(&self.shared.store, self.table.id()).await {
            Ok(Some(table)) if table.version() >= self.table.version() => self.table = table,
            Ok(_) => {}
            Err(error) => {
                tracing::warn!(table = %self.table.id(), %error, "could not read names again");
            }
        }
    }

    /// Reads the events that other nodes stored, folds them in, and notifies watchers.
    pub(super) async fn catch_up(&mut self) -> Result<(), LiveError> {
        let before = self.table.version();
        let asked = Instant::now();
        let heard = self.freshness.heard.load(atomic::Ordering::Acquire);
        let folded = match self.missing().await {
            Ok(missing) => fold(&mut self.table, missing),
            Err(error) => Err(error),
        };
        if let Err(error @ (LiveError::NotFound | LiveError::BadLog(..) | LiveError::Busy)) =
            &folded
        {
            self.lost = Some(error.clone());
        }
        folded?;
        self.freshness.confirm(self.table.version());
        self.freshness.confirmed = asked;
        self.freshness.correct(heard, self.table.version());
        if self.table.version() > before {
            self.announce(before);
            self.think();
        }
        Ok(())
    }

    /// Returns the events that other nodes stored.
    ///
    /// # Errors
    /// Also [`LiveError::Busy`] if the database has fewer events than the table: the database is
    /// right, and the table has to be loaded again.
    async fn missing(&self) -> Result<Vec<LogEntry>, LiveError> {
        let (store, id) = (&self.shared.store, self.table.id());
        let found = store.versions(&[stored::table_key(id)]).await?;
        let (_, version) = found.first().ok_or(LiveError::NotFound)?;
        let known = self.table.version();
        match version.cmp(&known) {
            Ordering::Equal => Ok(Vec::new()),
            Ordering::Greater => stored::events(store, id, known, u64::MAX).await,
            Ordering::Less => {
                tracing::warn!(table = %id, known, stored = version, "the database has fewer events: the table is loaded again");
                self.shared.feeds.rewind(id);
                Err(LiveError::Busy)
            }
        }
    }

    /// Restores the table as it was at version `before`, after its new events could not be stored,
    /// and folds in what other nodes stored instead.
    pub(super) async fn roll_back(&mut self, before: u64) {
        let length = usize::try_from(before).unwrap_or(usize::MAX);
        let log = self.table.log().iter().take(length).cloned();
        let replayed = Table::replay(log, self.table.secret().cloned());
        let restored = match replayed {
            Ok(table) => {
                self.table = table;
                self.catch_up().await
            }
            Err(error) => Err(LiveError::BadLog(self.table.id(), error.into())),
        };
        if let Err(error) = restored {
            self.lost = Some(error);
        }
    }
}

fn fold(table: &mut Table, missing: Vec<LogEntry>) -> Result<(), LiveError> {
    let id = table.id();
    missing
        .into_iter()
        .try_for_each(|entry| table.fold(entry))
        .map_err(|error| LiveError::BadLog(id, error.into()))
}

/// Returns the version that the issuer of a command has seen; 0 if the command does not tell.
fn pinned(command: &Command) -> u64 {
    match command {
        Command::Move { version, .. } | Command::Luck { version, .. } => {
            version.unwrap_or_default()
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn many_refused_commands_are_no_reason_to_read_for_a_while() {
        let mut known = Freshness::new(Arc::default(), 3);
        for _ in 0..MAX_VAIN {
            assert!(!known.was_vain(), "a few may be refused wrongly");
            known.count_vain();
        }
        tokio::time::advance(VAIN_TIME - Duration::from_millis(1)).await;
        assert!(known.was_vain());
        tokio::time::advance(Duration::from_millis(1)).await;
        assert!(!known.was_vain());
        known.count_vain();
        assert!(!known.was_vain());
        known.confirm(5);
        assert_eq!(known.confirmed, Instant::now());
        assert_eq!(known.heard.load(atomic::Ordering::Relaxed), 5);
    }

    #[test]
    fn a_version_that_was_heard_of_falsely_is_forgotten() {
        let known = Freshness::new(Arc::new(AtomicU64::new(100)), 7);
        known.correct(100, 7);
        assert_eq!(known.heard.load(atomic::Ordering::Relaxed), 7);
        known.heard.store(9, atomic::Ordering::Relaxed);
        known.correct(8, 7);
        assert_eq!(
            known.heard.load(atomic::Ordering::Relaxed),
            9,
            "heard of later"
        );
        known.correct(9, 9);
        assert_eq!(known.heard.load(atomic::Ordering::Relaxed), 9);
    }

    #[test]
    fn moves_and_luck_tell_which_version_their_issuer_has_seen() {
        let text = "1,1".to_owned();
        let seen = |version| Command::Move {
            text: text.clone(),
            id: None,
            version,
            lag: parlor_table::Lag::ZERO,
        };
        assert_eq!((pinned(&seen(Some(7))), pinned(&seen(None))), (7, 0));
        let chance = Command::Luck {
            chance: "3-1".to_owned(),
            version: Some(5),
        };
        assert_eq!((pinned(&chance), pinned(&Command::Resign)), (5, 0));
    }
}
