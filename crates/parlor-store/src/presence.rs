//! Who is there, as told by each process that serves the database.

use std::collections::BTreeMap;

use sea_orm::sea_query::OnConflict;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, Set};

use crate::entity::{node, presence};
use crate::nodes::{BEAT_AGE_MS, FORGET_MS};
use crate::statement::{chunks, padded_ids};
use crate::{Store, StoreError};

/// What a process knows of a person's presence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PersonSign {
    /// Number of the person, chosen by the application.
    pub person: i64,
    /// True if the person has a connection open.
    pub is_there: bool,
    /// Time of the last sign of life, in milliseconds since the Unix epoch.
    pub seen_at: i64,
}

impl Store {
    /// Tells what the process with the number `node` knows of these people, in place of what it told
    /// before.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create`].
    pub async fn tell_presence(&self, node: i64, signs: &[PersonSign]) -> Result<(), StoreError> {
        use presence::Column::{IsThere, Node, Person, SeenAt};
        let replace = OnConflict::columns([Person, Node])
            .update_columns([IsThere, SeenAt])
            .to_owned();
        for signs in chunks(signs.to_vec(), |_| 0) {
            let rows = signs.into_iter().map(|sign| presence::ActiveModel {
                person: Set(sign.person),
                node: Set(node),
                is_there: Set(sign.is_there),
                seen_at: Set(sign.seen_at),
            });
            presence::Entity::insert_many(rows)
                .on_conflict(replace.clone())
                .exec_without_returning(self.writes())
                .await?;
        }
        Ok(())
    }

    /// Forgets the people who were not seen for a day.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create`].
    pub async fn forget_absent(&self) -> Result<(), StoreError> {
        let now = self.database_time().await?;
        presence::Entity::delete_many()
            .filter(presence::Column::SeenAt.lt(now - FORGET_MS))
            .filter(presence::Column::IsThere.eq(false))
            .exec(self.writes())
            .await?;
        Ok(())
    }

    /// Returns what the processes told of these people, at most one sign of each. The connections of
    /// a process that gave no sign of life for six seconds count as closed since its last one.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn presence(&self, people: &[i64]) -> Result<Vec<PersonSign>, StoreError> {
        let rows = presence::Entity::find()
            .filter(presence::Column::Person.is_in(padded_ids(people.to_vec())))
            .all(self.reads())
            .await?;
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let now = self.database_time().await?;
        let nodes = padded_ids(rows.iter().map(|row| row.node).collect());
        let nodes = node::Entity::find().filter(node::Column::Id.is_in(nodes));
        let nodes = nodes.all(self.reads()).await?;
        let beats: BTreeMap<i64, i64> = nodes.iter().map(|node| (node.id, node.beat_at)).collect();
        let mut signs: BTreeMap<i64, PersonSign> = BTreeMap::new();
        for row in rows {
            let beat = beats.get(&row.node).copied().filter(|_| row.is_there);
            let is_there = beat.is_some_and(|beat| beat > now - BEAT_AGE_MS);
            let seen_at = beat.map_or(row.seen_at, |beat| beat.max(row.seen_at));
            let sign = signs.entry(row.person).or_insert(PersonSign {
                person: row.person,
                is_there,
                seen_at,
            });
            sign.is_there |= is_there;
            sign.seen_at = sign.seen_at.max(seen_at);
        }
        Ok(signs.into_values().collect())
    }
}
