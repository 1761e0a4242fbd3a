//! Planning of a batch: every change is decided here, in memory, before anything is written.

use std::collections::BTreeMap;

use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{ColumnTrait, DbErr, EntityTrait, QueryFilter};

use super::open_tables::OpenTables;
use super::{RowChange, TableChange, TableCreation, WriteResult};
use crate::account_log::{NewNote, write_notes};
use crate::entity::{event, person, player, table};
use crate::results::{EndedGame, count_results};
use crate::statement::{padded_ids, write_events, write_people, write_players, write_tables};
use crate::transaction::Transaction;
use crate::{AuditLine, RowStatus, StoreError, audit};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RowState {
    Untouched,
    Changed,
    New,
}

#[derive(Debug)]
struct PlannedTable<'c> {
    row: table::Model,
    kind: RowState,
    /// Accounts that replace those of the table.
    players: Option<&'c [player::Model]>,
    /// People who replace those at the table.
    people: Option<&'c [person::Model]>,
}

#[derive(Debug)]
pub(super) struct BatchPlan<'c> {
    tables: BTreeMap<i64, PlannedTable<'c>>,
    events: Vec<&'c event::Model>,
    ended: Vec<EndedGame<'c>>,
    notes: Vec<&'c NewNote>,
    deleted: Vec<i64>,
    audit: Vec<&'c AuditLine>,
    /// Events that an earlier attempt may have stored; `None` on the first attempt.
    stored: Option<BTreeMap<(i64, i64), event::Model>>,
    open: OpenTables,
    probe: bool,
}

impl<'c> BatchPlan<'c> {
    /// Starts a plan with the stored tables; after an attempt whose outcome is unknown, the events
    /// that it may have stored; and the open tables that limit the changes.
    pub fn new(
        rows: BTreeMap<i64, table::Model>,
        stored: Option<BTreeMap<(i64, i64), event::Model>>,
        open: OpenTables,
    ) -> Self {
        let untouched = |(id, row)| {
            (
                id,
                PlannedTable {
                    row,
                    kind: RowState::Untouched,
                    players: None,
                    people: None,
                },
            )
        };
        let tables = rows.into_iter().map(untouched).collect();
        Self {
            tables,
            events: Vec::new(),
            ended: Vec::new(),
            notes: Vec::new(),
            deleted: Vec::new(),
            audit: Vec::new(),
            stored,
            open,
            probe: false,
        }
    }

    /// Returns `true` if an earlier attempt has stored these events.
    fn are_stored(&self, events: &[event::Model]) -> bool {
        self.stored.as_ref().is_some_and(|stored| {
            let is_stored =
                |event: &event::Model| stored.get(&(event.table_id, event.version)) == Some(event);
            events.iter().all(is_stored)
        })
    }

    pub fn decide(&mut self, change: &'c TableChange) -> WriteResult {
        match change {
            TableChange::Create(creation) => self.create(creation),
            TableChange::Append(change) => self.append(change),
            TableChange::Delete(id, line) => self.delete(*id, line.as_ref()),
            TableChange::Probe => {
                self.probe = true;
                Ok(())
            }
        }
    }

    fn create(&mut self, creation: &'c TableCreation) -> WriteResult {
        let TableCreation {
            row,
            events,
            players,
            people,
            notes,
            most_open: _,
        } = creation;
        if let Some(there) = self.tables.get(&row.id) {
            let is_same = there.row.created_at == row.created_at && there.row.secret == row.secret;
            return match is_same && self.are_stored(events) {
                true => Ok(()),
                false => Err(StoreError::Exists),
            };
        }
        self.open.add(creation)?;
        self.tables.insert(
            row.id,
            PlannedTable {
                row: row.clone(),
                kind: RowState::New,
                players: Some(players),
                people: Some(people),
            },
        );
        self.events.extend(events);
        self.notes.extend(notes);
        Ok(())
    }

    fn append(&mut self, change: &'c RowChange) -> WriteResult {
        let is_stored = self.are_stored(&change.events);
        let PlannedTable {
            row,
            kind,
            players,
            people,
        } = self
            .tables
            .get_mut(&change.id)
            .ok_or(StoreError::NotFound)?;
        if row.version != change.expected {
            if is_stored {
                return Ok(());
            }
            return Err(StoreError::Conflict {
                current: row.version as u64,
            });
        }
        update(row, change);
        if *kind == RowState::Untouched {
            *kind = RowState::Changed;
        }
        *players = change.players.as_deref().or(*players);
        *people = change.people.as_deref().or(*people);
        if let Some(scores) = &change.scores {
            self.ended.push(EndedGame {
                table: row.id,
                at: row.updated_at,
                scores,
            });
        }
        self.events.extend(&change.events);
        self.notes.extend(&change.notes);
        Ok(())
    }

    fn delete(&mut self, id: i64, line: Option<&'c AuditLine>) -> WriteResult {
        let Some(PlannedTable { kind, .. }) = self.tables.remove(&id) else {
            // An earlier attempt may have deleted it, together with writing the line.
            return self.stored.as_ref().map(|_| ()).ok_or(StoreError::NotFound);
        };
        if kind != RowState::New {
            self.deleted.push(id);
        }
        self.events.retain(|event| event.table_id != id);
        self.audit.extend(line);
        Ok(())
    }

    pub async fn write(self, transaction: &Transaction) -> Result<(), DbErr> {
        if self.probe {
            probe(transaction).await?;
        }
        if !self.deleted.is_empty() {
            // Foreign keys cascade to the events and players.
            let gone = table::Column::Id.is_in(self.deleted);
            table::Entity::delete_many()
                .filter(gone)
                .exec(transaction)
                .await?;
        }
        let (mut new, mut changed) = (Vec::new(), Vec::new());
        let (mut players, mut replaced) = (Vec::new(), Vec::new());
        let (mut people, mut regrouped) = (Vec::new(), Vec::new());
        for PlannedTable {
            row,
            kind,
            players: named,
            people: seated,
        } in self.tables.into_values()
        {
            players.extend(named.unwrap_or_default());
            if kind == RowState::Changed && named.is_some() {
                replaced.push(row.id);
            }
            people.extend(seated.unwrap_or_default());
            if kind == RowState::Changed && seated.is_some() {
                regrouped.push(row.id);
            }
            match kind {
                RowState::Untouched => {}
                RowState::Changed => changed.push(row),
                RowState::New => new.push(row),
            }
        }
        write_tables(transaction, new, false).await?;
        // The rows exist and are locked, so all of these become updates.
        write_tables(transaction, changed, true).await?;
        if !replaced.is_empty() {
            let before = player::Column::TableId.is_in(padded_ids(replaced));
            player::Entity::delete_many()
                .filter(before)
                .exec(transaction)
                .await?;
        }
        write_players(transaction, players).await?;
        if !regrouped.is_empty() {
            let before = person::Column::TableId.is_in(padded_ids(regrouped));
            person::Entity::delete_many()
                .filter(before)
                .exec(transaction)
                .await?;
        }
        write_people(transaction, people).await?;
        write_events(transaction, self.events).await?;
        count_results(transaction, &self.ended).await?;
        write_notes(transaction, self.notes).await?;
        audit::insert(transaction, self.audit.into_iter().cloned()).await
    }
}

/// Executes a statement that would change tables but matches none. A database that only reads
/// refuses it.
async fn probe(transaction: &Transaction) -> Result<(), DbErr> {
    let nothing = Expr::val(1).eq(0);
    let update = table::Entity::update_many()
        .col_expr(table::Column::Version, Expr::col(table::Column::Version))
        .filter(nothing);
    update.exec(transaction).await.map(|_| ())
}

fn update(row: &mut table::Model, change: &RowChange) {
    if let Some(last) = change.events.last() {
        row.version = last.version;
        row.updated_at = last.at;
    }
    if let Some(status) = change.status {
        row.status = status.as_str().to_owned();
        if status != RowStatus::Open {
            row.made_from = None;
        }
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
