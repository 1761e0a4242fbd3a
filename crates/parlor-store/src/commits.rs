//! Commits that players pushed to their tables.

use sea_orm::sea_query::OnConflict;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, Set};

use crate::entity::commit;
use crate::read::signed;
use crate::sessions::refused;
use crate::{Store, StoreError};

/// The longest body and the longest file of a commit, in bytes.
pub const LONGEST_COMMIT: usize = 65_535;

/// A commit that somebody pushed to a table, with the one file that it adds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Commit {
    /// The commit's id, in hexadecimal; at most 64 digits.
    pub id: String,
    /// The version of the table that its move makes.
    pub version: u64,
    /// The commit as git keeps it; at most [`LONGEST_COMMIT`] bytes.
    pub body: Vec<u8>,
    /// The file's name; at most 64 characters.
    pub name: String,
    /// What the file holds; at most [`LONGEST_COMMIT`] bytes.
    pub file: Vec<u8>,
}

impl Store {
    /// Keeps a commit that was pushed to a table. One that is kept already stays as it was, but for the version: its move was tried
    /// again.
    ///
    /// # Errors
    /// [`StoreError::TooBig`] when it is longer than may be, [`StoreError::NotFound`] when there is no such table; otherwise as every
    /// write, see [`Store::create`].
    pub async fn keep_commit(&self, table: i64, commit: Commit) -> Result<(), StoreError> {
        let bytes = commit.body.len().max(commit.file.len());
        if bytes > LONGEST_COMMIT {
            return Err(StoreError::TooBig {
                bytes,
                limit: LONGEST_COMMIT,
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
            Err(e) => match refused(e) {
                StoreError::NoUser => Err(StoreError::NotFound),
                other => Err(other),
            },
        }
    }

    /// The commits that were pushed to a table, by the versions that they make.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn commits(&self, table: i64) -> Result<Vec<Commit>, StoreError> {
        let select = commit::Entity::find().filter(commit::Column::TableId.eq(table));
        let found = select
            .order_by_asc(commit::Column::Version)
            .order_by_asc(commit::Column::Id);
        let found = found.all(self.reads()).await?;
        let commit = |row: commit::Model| Commit {
            id: row.id,
            version: u64::try_from(row.version).unwrap_or_default(),
            body: row.body,
            name: row.name,
            file: row.file,
        };
        Ok(found.into_iter().map(commit).collect())
    }
}
