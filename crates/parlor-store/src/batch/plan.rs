//! What a batch comes to: every change is decided here, in memory, before anything is written.

use std::collections::BTreeMap;

use sea_orm::{ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter};

use super::{Answer, Change, Creation, RowChange};
use crate::entity::{event, player, table};
use crate::settle::{Ended, settle_all};
use crate::statement::{padded, write_events, write_players, write_tables};
use crate::{AuditLine, StoreError, audit};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Untouched,
    Changed,
    New,
}

#[derive(Debug)]
struct State<'c> {
    row: table::Model,
    kind: Kind,
    /// The accounts that are to replace those of the table.
    players: Option<&'c [player::Model]>,
}

#[derive(Debug)]
pub(super) struct Plan<'c> {
    tables: BTreeMap<i64, State<'c>>,
    events: Vec<&'c event::Model>,
    ended: Vec<Ended<'c>>,
    deleted: Vec<i64>,
    audit: Vec<&'c AuditLine>,
}

impl<'c> Plan<'c> {
    /// From the tables that are there.
    pub fn new(rows: BTreeMap<i64, table::Model>) -> Self {
        let untouched = |(id, row)| {
            (
                id,
                State {
                    row,
                    kind: Kind::Untouched,
                    players: None,
                },
            )
        };
        let tables = rows.into_iter().map(untouched).collect();
        Self {
            tables,
            events: Vec::new(),
            ended: Vec::new(),
            deleted: Vec::new(),
            audit: Vec::new(),
        }
    }

    pub fn decide(&mut self, change: &'c Change) -> Answer {
        match change {
            Change::Create(creation) => self.create(creation),
            Change::Append(change) => self.append(change),
            Change::Delete(id, line) => self.delete(*id, line.as_ref()),
        }
    }

    fn create(
        &mut self,
        Creation {
            row,
            events,
            players,
        }: &'c Creation,
    ) -> Answer {
        if self.tables.contains_key(&row.id) {
            return Err(StoreError::Exists);
        }
        self.tables.insert(
            row.id,
            State {
                row: row.clone(),
                kind: Kind::New,
                players: Some(players),
            },
        );
        self.events.extend(events);
        Ok(())
    }

    fn append(&mut self, change: &'c RowChange) -> Answer {
        let State { row, kind, players } = self
            .tables
            .get_mut(&change.id)
            .ok_or(StoreError::NotFound)?;
        if row.version != change.expected {
            return Err(StoreError::Conflict {
                current: row.version as u64,
            });
        }
        update(row, change);
        if *kind == Kind::Untouched {
            *kind = Kind::Changed;
        }
        *players = change.players.as_deref().or(*players);
        if let Some(settlement) = &change.settle {
            self.ended.push(Ended {
                table: row.id,
                at: row.updated_at,
                settlement,
            });
        }
        self.events.extend(&change.events);
        Ok(())
    }

    fn delete(&mut self, id: i64, line: Option<&'c AuditLine>) -> Answer {
        let State { kind, .. } = self.tables.remove(&id).ok_or(StoreError::NotFound)?;
        if kind != Kind::New {
            self.deleted.push(id);
        }
        self.events.retain(|event| event.table_id != id);
        self.audit.extend(line);
        Ok(())
    }

    pub async fn write(self, transaction: &DatabaseTransaction) -> Result<(), DbErr> {
        if !self.deleted.is_empty() {
            // The events and players go with it: the foreign keys cascade.
            let gone = table::Column::Id.is_in(self.deleted);
            table::Entity::delete_many()
                .filter(gone)
                .exec(transaction)
                .await?;
        }
        let (mut new, mut changed) = (Vec::new(), Vec::new());
        let (mut players, mut replaced) = (Vec::new(), Vec::new());
        for State {
            row,
            kind,
            players: named,
        } in self.tables.into_values()
        {
            players.extend(named.unwrap_or_default());
            if kind == Kind::Changed && named.is_some() {
                replaced.push(row.id);
            }
            match kind {
                Kind::Untouched => {}
                Kind::Changed => changed.push(row),
                Kind::New => new.push(row),
            }
        }
        write_tables(transaction, new, false).await?;
        // The rows exist and are locked, so every one of these lands in the update.
        write_tables(transaction, changed, true).await?;
        if !replaced.is_empty() {
            let before = player::Column::TableId.is_in(padded(replaced));
            player::Entity::delete_many()
                .filter(before)
                .exec(transaction)
                .await?;
        }
        write_players(transaction, players).await?;
        write_events(transaction, self.events).await?;
        settle_all(transaction, &self.ended).await?;
        audit::insert(transaction, self.audit.into_iter().cloned()).await
    }
}

fn update(row: &mut table::Model, change: &RowChange) {
    if let Some(last) = change.events.last() {
        row.version = last.version;
        row.updated_at = last.at;
    }
    if let Some(status) = change.status {
        row.status = status.as_str().to_owned();
    }
    row.listed = change.listed.unwrap_or(row.listed);
    if let Some(seats) = &change.seats {
        row.seats.clone_from(seats);
    }
    if change.summary.is_some() {
        row.summary.clone_from(&change.summary);
    }
    row.due_at = change.due_at.unwrap_or(row.due_at);
    if let Some(turn) = &change.turn {
        row.turn.clone_from(turn);
    }
    if change.result.is_some() {
        row.result.clone_from(&change.result);
    }
    row.rated = change.rated.unwrap_or(row.rated);
}
