//! Git commits that players pushed to their tables.

use sea_orm::sea_query::OnConflict;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, Set};

use crate::entity::commit;
use crate::read::signed;
use crate::sessions::insert_error;
use crate::{Store, StoreError};

/// Maximum size of a commit's body and of its file, in bytes each.
pub const MAX_COMMIT_BYTES: usize = 65_535;

/// A commit pushed to a table, with the one file that it adds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredCommit {
    /// Commit id in hexadecimal; at most 64 digits.
    pub id: String,
    /// Table version that its move creates.
    pub version: u64,
    /// Commit object as git stores it; at most [`MAX_COMMIT_BYTES`] bytes.
    pub body: Vec<u8>,
    /// Name of the file; at most 64 characters.
    pub name: String,
    /// Contents of the file; at most [`MAX_COMMIT_BYTES`] bytes.
    pub file: Vec<u8>,
}

impl Store {
    /// Saves a commit pushed to a table. If it is saved already, only its version is updated: its
    /// move was retried.
    ///
    /// # Errors
    /// [`StoreError::TooBig`] if body or file is too large, [`StoreError::NotFound`] if there is no
    /// such table, and the errors of every write; see [`Store::create`].
    pub async fn save_commit(&self, table: i64, commit: StoredCommit) -> Result<(), StoreError> {
        let bytes = commit.body.len().max(commit.file.len());
        if bytes > MAX_COMMIT_BYTES {
            return Err(StoreError::TooBig {
                bytes,
                limit: MAX_COMMIT_BYTES,
            });
        }
        let row = commit::ActiveModel {
            table_id: Set(table),
            id: Set(commit.id),
            version: Set(signed(commit.version)),
            body: Set(commit.body),
            name: Set(commit.name),
            file: Set(commit.file),
        };
        let again = OnConflict::columns([commit::Column::TableId, commit::Column::Id])
            .update_column(commit::Column::Version)
            .to_owned();
        match commit::Entity::insert(row)
            .on_conflict(again)
            .exec_without_returning(self.writes())
            .await
        {
            Ok(_) => Ok(()),
            Err(e) => match insert_error(e) {
                StoreError::NoUser => Err(StoreError::NotFound),
                other => Err(other),
            },
        }
    }

    /// Returns the commits pushed to a table, ordered by the versions that they create.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn commits(&self, table: i64) -> Result<Vec<StoredCommit>, StoreError> {
        let select = commit::Entity::find().filter(commit::Column::TableId.eq(table));
        let found = select
            .order_by_asc(commit::Column::Version)
            .order_by_asc(commit::Column::Id);
        let found = found.all(self.reads()).await?;
        let commit = |row: commit::Model| StoredCommit {
            id: row.id,
            version: u64::try_from(row.version).unwrap_or_default(),
            body: row.body,
            name: row.name,
            file: row.file,
        };
        Ok(found.into_iter().map(commit).collect())
    }
}
