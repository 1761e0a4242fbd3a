//! Repositories of tables on the disk: made when somebody asks, brought up to date each time, and thrown away when others are asked
//! for more. Everything in them comes from the store, so that none of it has to be kept.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use parlor_git::mirror::Pushed;
use parlor_git::serve::{ServeError, Served};
use parlor_store::Commit;
use parlor_table::TableId;
use tempfile::TempDir;
use tokio::sync::{OwnedMutexGuard, Semaphore};

use crate::AppState;
use crate::error::Error;

/// Repositories kept at once.
const MOST: usize = 256;
/// How many are worked on at once: each starts programs.
const AT_ONCE: usize = 4;

/// A repository and the folder that it lies in.
struct Repo {
    served: Served,
    _folder: TempDir,
}

/// The place of a table's repository; empty until it is made.
type Slot = Arc<tokio::sync::Mutex<Option<Repo>>>;

/// All repositories.
pub(crate) struct Repos {
    slots: Mutex<HashMap<TableId, (Instant, Slot)>>,
    turns: Semaphore,
}

impl Default for Repos {
    fn default() -> Repos {
        Repos {
            slots: Mutex::default(),
            turns: Semaphore::new(AT_ONCE),
        }
    }
}

impl Repos {
    /// Does something with a table's repository as the table stands now.
    pub(crate) async fn with<T: Send + 'static>(
        &self,
        state: &AppState,
        id: TableId,
        work: impl FnOnce(&Served) -> T + Send + 'static,
    ) -> Result<T, Error> {
        let slot = self.slot(id).lock_owned().await;
        let known = slot.as_ref().map_or(0, |repo| repo.served.version());
        let (from, news) = state
            .live()
            .read(id, move |table| {
                // A log that is shorter than what was seen is another one: an append that the store did not keep.
                let from = usize::try_from(known)
                    .ok()
                    .filter(|from| *from <= table.log().len())
                    .unwrap_or(0);
                (from, table.log()[from..].to_vec())
            })
            .await?;
        // After the log: a commit is stored before the move that it makes.
        let pushed = if news.is_empty() {
            Vec::new()
        } else {
            pushed(state, id).await?
        };
        let turn = self.turns.acquire().await.map_err(Error::internal)?;
        let done = tokio::task::spawn_blocking(move || {
            let mut slot: OwnedMutexGuard<Option<Repo>> = slot;
            // Taken out: what fails on the way is thrown away, and made anew the next time.
            let repo = match slot.take().filter(|_| from > 0) {
                Some(mut repo) => {
                    repo.served.follow(&news, &pushed)?;
                    repo
                }
                None => {
                    let folder = tempfile::Builder::new()
                        .prefix("parlor-table-")
                        .tempdir()
                        .map_err(parlor_git::GitError::from)?;
                    Repo {
                        served: Served::create(folder.path(), &news, &pushed)?,
                        _folder: folder,
                    }
                }
            };
            let done = work(&repo.served);
            *slot = Some(repo);
            Ok::<T, ServeError>(done)
        });
        let done = done
            .await
            .map_err(Error::internal)?
            .map_err(Error::internal);
        drop(turn);
        done
    }

    /// Stores a commit that was pushed.
    pub(crate) async fn keep(
        &self,
        state: &AppState,
        id: TableId,
        pushed: Pushed,
    ) -> Result<(), Error> {
        let Pushed {
            version,
            id: commit,
            commit: body,
            name,
            bytes: file,
        } = pushed;
        Ok(state
            .store()
            .keep_commit(
                super::key(id),
                Commit {
                    id: commit,
                    version,
                    body,
                    name,
                    file,
                },
            )
            .await?)
    }

    /// A table's place. Those that were not asked for the longest make room.
    fn slot(&self, id: TableId) -> Slot {
        // Nothing that can panic is done while the lock is held.
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        if slots.len() >= MOST && !slots.contains_key(&id) {
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

/// All commits that were pushed to a table.
async fn pushed(state: &AppState, id: TableId) -> Result<Vec<Pushed>, Error> {
    let commits = state.store().commits(super::key(id)).await?;
    let pushed = |Commit {
                      id,
                      version,
                      body,
                      name,
                      file,
                  }: Commit| Pushed {
        version,
        id,
        commit: body,
        name,
        bytes: file,
    };
    Ok(commits.into_iter().map(pushed).collect())
}
