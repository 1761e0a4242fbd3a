//! On-disk git repositories of tables: created on request, updated before each use, and evicted
//! when space is needed for others. All their contents come from the store.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::http::StatusCode;
use parlor_git::GitError;
use parlor_git::git::StopSwitch;
use parlor_git::mirror::PushedMove;
use parlor_git::serve::{ServeError, TableRepository};
use parlor_store::StoredCommit;
use parlor_table::TableId;
use tempfile::TempDir;
use tokio::sync::{OwnedMutexGuard, Semaphore};

use super::workshop::Workshop;
use crate::AppState;
use crate::edge::git_budget::GitPermit;
use crate::error::Error;

/// Maximum number of repositories on disk.
const MAX_REPOS: usize = 256;
/// Maximum number of repositories in use at a time: each starts processes.
const CONCURRENCY: usize = 4;
/// Number of new events from which a repository counts as two: each event is a commit with all the
/// table's files, so that 6,000 of them take a minute of computing.
const LONG: usize = 200;
/// Maximum number of events of a table that is put into a repository.
const MAX_EVENTS: usize = 6_000;

tokio::task_local! {
    /// Permit of the request that is being worked on.
    static PAYER: Arc<GitPermit>;
}

/// Works on a request, whose permit pays for all use of repositories.
pub(super) async fn paid_by<T>(permit: GitPermit, work: impl Future<Output = T>) -> T {
    PAYER.scope(Arc::new(permit), work).await
}

/// Work that is charged when it ends.
struct Payment {
    payer: Option<Arc<GitPermit>>,
    since: Instant,
}

impl Payment {
    fn begin(payer: Option<Arc<GitPermit>>) -> Payment {
        let since = Instant::now();
        Payment { payer, since }
    }
}

impl Drop for Payment {
    fn drop(&mut self) {
        if let Some(payer) = &self.payer {
            payer.charge(self.since.elapsed());
        }
    }
}

/// A repository and its folder.
struct Repo {
    served: TableRepository,
    _folder: TempDir,
}

/// Slot for a table's repository; `None` until it is created.
type Slot = Arc<tokio::sync::Mutex<Option<Repo>>>;

/// Cache of repositories.
pub(crate) struct Repos {
    slots: Mutex<HashMap<TableId, (Instant, Slot)>>,
    permits: Arc<Semaphore>,
    /// Made when the first repository is.
    workshop: Arc<Mutex<Option<Workshop>>>,
    /// Switch that ends all work on repositories.
    stop: StopSwitch,
}

impl Default for Repos {
    fn default() -> Repos {
        Repos {
            slots: Mutex::default(),
            permits: Arc::new(Semaphore::new(CONCURRENCY)),
            workshop: Arc::default(),
            stop: StopSwitch::default(),
        }
    }
}

/// Makes a folder for a repository.
fn new_folder(workshop: &Mutex<Option<Workshop>>) -> io::Result<TempDir> {
    let mut workshop = workshop.lock().unwrap_or_else(PoisonError::into_inner);
    match &*workshop {
        Some(workshop) => workshop.folder(),
        None => workshop.insert(Workshop::open()?).folder(),
    }
}

impl Repos {
    /// Ends all work on repositories and refuses more: the server ends.
    pub(crate) fn stop(&self) {
        self.stop.stop();
    }

    /// Runs `work` on a table's repository, after bringing it up to date.
    pub(crate) async fn with<T: Send + 'static>(
        &self,
        state: &AppState,
        id: TableId,
        work: impl FnOnce(&TableRepository) -> T + Send + 'static,
    ) -> Result<T, Error> {
        let slot = self.slot(id).lock_owned().await;
        let known = slot.as_ref().map_or(0, |repo| repo.served.version());
        let (from, news) = state
            .live()
            .read(id, move |table| {
                // If the log is shorter than the version of the repository, an append was lost in
                // the store.
                let from = usize::try_from(known)
                    .ok()
                    .filter(|from| *from <= table.log().len())
                    .unwrap_or(0);
                (from, table.log()[from..].to_vec())
            })
            .await?;
        if from == 0 && news.len() > MAX_EVENTS {
            return Err(too_long());
        }
        // Read after the log, since a commit is stored before its move.
        let pushed = if news.is_empty() {
            Vec::new()
        } else {
            pushed(state, id).await?
        };
        let weight = if news.len() > LONG {
            CONCURRENCY / 2
        } else {
            1
        };
        let permits = self.permits.clone();
        let permit = permits.acquire_many_owned(weight as u32).await;
        let permit = permit.map_err(Error::internal)?;
        let payer = PAYER.try_with(Arc::clone).ok();
        let workshop = self.workshop.clone();
        let stop = self.stop.clone();
        let done = tokio::task::spawn_blocking(move || {
            // Both are held until the work is done, even if the client has left.
            let _permit = permit;
            let _payment = Payment::begin(payer);
            let mut slot: OwnedMutexGuard<Option<Repo>> = slot;
            // Taken out of the slot: after an error it is rebuilt the next time.
            let repo = match slot.take().filter(|_| from > 0) {
                Some(mut repo) => {
                    repo.served.follow(&news, &pushed)?;
                    repo
                }
                None => {
                    let folder = new_folder(&workshop).map_err(GitError::from)?;
                    Repo {
                        served: TableRepository::create(folder.path(), &news, &pushed, stop)?,
                        _folder: folder,
                    }
                }
            };
            let done = work(&repo.served);
            *slot = Some(repo);
            Ok::<T, ServeError>(done)
        });
        done.await.map_err(Error::internal)?.map_err(failed)
    }

    /// Stores a pushed commit.
    pub(crate) async fn keep(
        &self,
        state: &AppState,
        id: TableId,
        pushed: PushedMove,
    ) -> Result<(), Error> {
        let PushedMove {
            version,
            id: commit,
            commit: body,
            name,
            bytes: file,
        } = pushed;
        Ok(state
            .store()
            .save_commit(
                super::table_key(id),
                StoredCommit {
                    id: commit,
                    version,
                    body,
                    name,
                    file,
                },
            )
            .await?)
    }

    /// Returns a table's slot, evicting the least recently used one if needed.
    fn slot(&self, id: TableId) -> Slot {
        // No code that can panic runs while the lock is held.
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        if slots.len() >= MAX_REPOS && !slots.contains_key(&id) {
            let idle = slots
                .iter()
                .filter(|(_, (_, slot))| Arc::strong_count(slot) == 1);
            if let Some(oldest) = idle.min_by_key(|(_, (asked, _))| *asked).map(|(id, _)| *id) {
                slots.remove(&oldest);
            }
        }
        let (asked, slot) = slots
            .entry(id)
            .or_insert_with(|| (Instant::now(), Slot::default()));
        *asked = Instant::now();
        slot.clone()
    }
}

/// Returns the error for work on a repository that failed.
fn failed(error: ServeError) -> Error {
    match error {
        ServeError::Git(error) => explained(error).unwrap_or_else(Error::internal),
        error => Error::internal(error),
    }
}

/// Returns the error of git that is no fault of the work on a repository: the server ends, or has no
/// git.
///
/// # Errors
/// Any other error, as it is.
pub(super) fn explained(error: GitError) -> Result<Error, GitError> {
    match error {
        GitError::Ended => Ok(ending()),
        GitError::NotStarted(cause) if cause.kind() == io::ErrorKind::NotFound => {
            let detail = "this server has no git, so that tables cannot be cloned: its operator can install it";
            Ok(Error::not_served(GitError::NotStarted(cause), detail))
        }
        error => Err(error),
    }
}

/// Error for work that was given up because the server ends.
fn ending() -> Error {
    Error::crowded("the server is ending; ask again").retry_after(1)
}

/// Error for a table that is too long for a repository.
fn too_long() -> Error {
    Error::new(
        StatusCode::CONFLICT,
        "too-long",
        "Not possible right now",
        format!(
            "tables of more than {MAX_EVENTS} events are not served by git: take the table's record instead"
        ),
    )
}

/// Loads all commits that were pushed to a table.
async fn pushed(state: &AppState, id: TableId) -> Result<Vec<PushedMove>, Error> {
    let commits = state.store().commits(super::table_key(id)).await?;
    let pushed = |StoredCommit {
                      id,
                      version,
                      body,
                      name,
                      file,
                  }: StoredCommit| PushedMove {
        version,
        id,
        commit: body,
        name,
        bytes: file,
    };
    Ok(commits.into_iter().map(pushed).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_without_git_says_so() {
        let not_started = |kind: io::ErrorKind| explained(GitError::NotStarted(kind.into()));
        let missing = not_started(io::ErrorKind::NotFound).expect("this is explained");
        assert_eq!(missing.status, StatusCode::SERVICE_UNAVAILABLE);
        assert!(missing.detail.contains("has no git"), "{}", missing.detail);
        assert!(not_started(io::ErrorKind::OutOfMemory).is_err());
    }
}
