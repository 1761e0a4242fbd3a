//! Analyses of finished games: one process works on each, and all have the result.

use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, Set, UpdateMany};

use crate::entity::analysis::{self, Column};
use crate::{Store, StoreError};

/// Time for which an analysis is left to a process that gave no sign of working on it, in
/// milliseconds.
const LEASE_MS: i64 = 2_000;
/// Time for which a result is kept, in milliseconds.
const KEPT_MS: i64 = 7 * 24 * 3_600_000;

/// The first steps of a table's game, which are analyzed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnalyzedGame {
    /// Table of the game.
    pub table: i64,
    /// Number of steps.
    pub steps: i64,
}

/// An analysis as all processes know it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoredAnalysis {
    /// A process works on it.
    Running {
        /// Number of steps done.
        done: i64,
    },
    /// The process that worked on it has died or stopped.
    Abandoned,
    /// It is finished, with this result.
    Ready(String),
}

impl Store {
    /// Returns an analysis; `None` if nobody has asked for it lately.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn analysis(&self, game: AnalyzedGame) -> Result<Option<StoredAnalysis>, StoreError> {
        let found = analysis::Entity::find_by_id((game.table, game.steps));
        let Some(row) = found.one(self.reads()).await? else {
            return Ok(None);
        };
        Ok(Some(match row.result {
            Some(result) => StoredAnalysis::Ready(result),
            None if row.lease_until > self.time().await? => {
                StoredAnalysis::Running { done: row.done }
            }
            None => StoredAnalysis::Abandoned,
        }))
    }

    /// Leaves an analysis to the process with the number `node` for two seconds, unless it is
    /// finished or another process works on it: then returns `false`.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create`].
    pub async fn claim_analysis(&self, game: AnalyzedGame, node: i64) -> Result<bool, StoreError> {
        let now = self.time().await?;
        let until = now + LEASE_MS;
        let row = analysis::ActiveModel {
            table_id: Set(game.table),
            steps: Set(game.steps),
            node: Set(node),
            lease_until: Set(until),
            done: Set(0),
            result: Set(None),
        };
        let taken = OnConflict::columns([Column::TableId, Column::Steps])
            .do_nothing_on([Column::TableId, Column::Steps])
            .to_owned();
        analysis::Entity::insert(row)
            .on_conflict(taken)
            .exec_without_returning(self.writes())
            .await?;
        analysis::Entity::update_many()
            .col_expr(Column::Node, Expr::value(node))
            .col_expr(Column::LeaseUntil, Expr::value(until))
            .col_expr(Column::Done, Expr::value(0))
            .filter(Column::TableId.eq(game.table))
            .filter(Column::Steps.eq(game.steps))
            .filter(Column::Result.is_null())
            .filter(Column::LeaseUntil.lte(now))
            .exec(self.writes())
            .await?;
        // MySQL counts rows that were left as they are, too, so only the row tells.
        let row = analysis::Entity::find_by_id((game.table, game.steps));
        let row = row.one(self.writes()).await?;
        Ok(row.is_some_and(|row| {
            row.node == node && row.lease_until == until && row.result.is_none()
        }))
    }

    /// Says that the process with the number `node` still works on an analysis and has done so many
    /// steps. Returns `false` if it was left to another process meanwhile.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create`].
    pub async fn continue_analysis(
        &self,
        game: AnalyzedGame,
        node: i64,
        done: i64,
    ) -> Result<bool, StoreError> {
        let now = self.time().await?;
        let update = held(game, node)
            .col_expr(Column::LeaseUntil, Expr::value(now + LEASE_MS))
            .col_expr(Column::Done, Expr::value(done));
        Ok(update.exec(self.writes()).await?.rows_affected > 0)
    }

    /// Stores the result of an analysis, or without one gives it up, so that another process can work
    /// on it at once. Does nothing, and returns `false`, if it was left to another process meanwhile.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create`].
    pub async fn end_analysis(
        &self,
        game: AnalyzedGame,
        node: i64,
        result: Option<String>,
    ) -> Result<bool, StoreError> {
        let now = self.time().await?;
        let update = held(game, node)
            .col_expr(Column::LeaseUntil, Expr::value(now))
            .col_expr(Column::Result, Expr::value(result));
        Ok(update.exec(self.writes()).await?.rows_affected > 0)
    }

    /// Forgets the analyses that were finished or given up a week ago.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create`].
    pub async fn forget_analyses(&self) -> Result<(), StoreError> {
        let now = self.time().await?;
        analysis::Entity::delete_many()
            .filter(Column::LeaseUntil.lt(now - KEPT_MS))
            .exec(self.writes())
            .await?;
        Ok(())
    }
}

/// Returns a change to an analysis that a process still works on.
fn held(game: AnalyzedGame, node: i64) -> UpdateMany<analysis::Entity> {
    analysis::Entity::update_many()
        .filter(Column::TableId.eq(game.table))
        .filter(Column::Steps.eq(game.steps))
        .filter(Column::Node.eq(node))
        .filter(Column::Result.is_null())
}
