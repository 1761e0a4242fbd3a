//! Presence of people, as told by each process that serves the database.

use std::collections::{BTreeMap, BTreeSet};

use sea_orm::sea_query::OnConflict;
use sea_orm::{ColumnTrait, Condition, EntityTrait, QueryFilter, Set};

use crate::entity::{node, presence};
use crate::nodes::FORGET_MS;
use crate::statement::{chunks, padded_ids};
use crate::{Store, StoreError};

/// Time for which a connection to a process that has died counts as open, in milliseconds: as long as
/// its client may take to find that out, and a little longer.
const LOST_CONNECTION_MS: i64 = 60_000;

/// Presence of a person, as far as a process knows.
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
        let now = self.time().await?;
        presence::Entity::delete_many()
            .filter(presence::Column::SeenAt.lt(now - FORGET_MS))
            .filter(presence::Column::IsThere.eq(false))
            .exec(self.writes())
            .await?;
        Ok(())
    }

    /// Returns the people who have a connection open to a process other than `node`, or were seen there
    /// at or after `since`, in milliseconds since the Unix epoch. Somebody who was seen by several has
    /// several signs.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn present_elsewhere(
        &self,
        node: i64,
        since: i64,
    ) -> Result<Vec<PersonSign>, StoreError> {
        let now = self.time().await?;
        let serving = node::Entity::find()
            .filter(node::Column::Id.ne(node))
            .filter(node::Column::Stopped.eq(false))
            .filter(node::Column::BeatAt.gt(now - LOST_CONNECTION_MS))
            .all(self.reads())
            .await?;
        let serving: BTreeSet<i64> = serving.into_iter().map(|node| node.id).collect();
        let is_present = Condition::any()
            .add(presence::Column::IsThere.eq(true))
            .add(presence::Column::SeenAt.gte(since));
        let rows = presence::Entity::find()
            .filter(presence::Column::Node.ne(node))
            .filter(is_present)
            .all(self.reads())
            .await?;
        let sign = |row: presence::Model| PersonSign {
            person: row.person,
            is_there: row.is_there && serving.contains(&row.node),
            seen_at: row.seen_at,
        };
        let signs = rows.into_iter().map(sign);
        Ok(signs
            .filter(|sign| sign.is_there || sign.seen_at >= since)
            .collect())
    }

    /// Returns what the processes other than `node` told of these people, at most one sign of each. The
    /// connections of a process that was ended count as closed; those of one that gives no more sign of life do so a
    /// minute after the last one, since its clients may not know it.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn presence(&self, people: &[i64], node: i64) -> Result<Vec<PersonSign>, StoreError> {
        let rows = presence::Entity::find()
            .filter(presence::Column::Person.is_in(padded_ids(people.to_vec())))
            .filter(presence::Column::Node.ne(node))
            .all(self.reads())
            .await?;
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let now = self.time().await?;
        let nodes = padded_ids(rows.iter().map(|row| row.node).collect());
        let nodes = node::Entity::find().filter(node::Column::Id.is_in(nodes));
        let nodes = nodes.all(self.reads()).await?;
        let nodes: BTreeMap<i64, node::Model> =
            nodes.into_iter().map(|node| (node.id, node)).collect();
        let mut signs: BTreeMap<i64, PersonSign> = BTreeMap::new();
        for row in rows {
            let (is_there, seen_at) = match nodes.get(&row.node).filter(|_| row.is_there) {
                None => (false, row.seen_at),
                Some(node) if node.stopped => (false, node.beat_at),
                Some(node) if now < node.beat_at + LOST_CONNECTION_MS => (true, node.beat_at),
                Some(node) => (false, node.beat_at + LOST_CONNECTION_MS),
            };
            let seen_at = seen_at.max(row.seen_at);
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
