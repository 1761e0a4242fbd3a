//! People who may not write for a time.

use sea_orm::sea_query::OnConflict;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder};

use super::TalkPerson;
use super::entity::silence;
use crate::search::storable;
use crate::transaction::{begin, commit};
use crate::{AuditLine, Store, StoreError};

/// Time in which a person may not write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Silence {
    /// The person.
    pub person: TalkPerson,
    /// Time at which it was imposed, in milliseconds since the Unix epoch.
    pub at: i64,
    /// Time at which it ends, in milliseconds since the Unix epoch.
    pub until: i64,
    /// Reason; at most 1,000 characters.
    pub reason: String,
}

impl Store {
    /// Silences a person, with an audit line, in place of an earlier silence.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create_user`].
    pub async fn silence(&self, silence: &Silence, audit: AuditLine) -> Result<(), StoreError> {
        use silence::Column::{At, Name, Person, Reason, Until, UserId};
        let row = silence::Model {
            person: silence.person.key.clone(),
            user_id: silence.person.user,
            name: storable(&silence.person.name),
            at: silence.at,
            until: silence.until,
            reason: storable(&silence.reason),
        };
        let again = OnConflict::column(Person)
            .update_columns([UserId, Name, At, Until, Reason])
            .to_owned();
        let transaction = begin(self.writes()).await?;
        silence::Entity::insert(silence::ActiveModel::from(row))
            .on_conflict(again)
            .exec_without_returning(&transaction)
            .await?;
        commit(transaction, Some(audit)).await
    }

    /// Ends the silence of the person with this key, with an audit line. Returns `false`, and writes
    /// nothing, if there is none.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create_user`].
    pub async fn end_silence(&self, key: &str, audit: AuditLine) -> Result<bool, StoreError> {
        let transaction = begin(self.writes()).await?;
        let deleted = silence::Entity::delete_by_id(key.to_owned())
            .exec(&transaction)
            .await?;
        if deleted.rows_affected == 0 {
            return Ok(false);
        }
        commit(transaction, Some(audit)).await?;
        Ok(true)
    }

    /// Returns the silences that last at a time, in milliseconds since the Unix epoch, of the people
    /// with these keys, the longest first.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn silences_of(&self, keys: &[String], now: i64) -> Result<Vec<Silence>, StoreError> {
        let found = silence::Entity::find()
            .filter(silence::Column::Person.is_in(keys.iter().map(String::as_str)))
            .filter(silence::Column::Until.gt(now))
            .order_by_desc(silence::Column::Until);
        let found = found.all(self.reads()).await?;
        Ok(found.into_iter().map(Silence::from).collect())
    }

    /// Returns all silences that last at a time, in milliseconds since the Unix epoch, the latest
    /// first.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn silences(&self, now: i64) -> Result<Vec<Silence>, StoreError> {
        let found = silence::Entity::find()
            .filter(silence::Column::Until.gt(now))
            .order_by_desc(silence::Column::At)
            .order_by_asc(silence::Column::Person);
        let found = found.all(self.reads()).await?;
        Ok(found.into_iter().map(Silence::from).collect())
    }
}

impl From<silence::Model> for Silence {
    fn from(row: silence::Model) -> Silence {
        Silence {
            person: TalkPerson {
                key: row.person,
                user: row.user_id,
                name: row.name,
            },
            at: row.at,
            until: row.until,
            reason: row.reason,
        }
    }
}
