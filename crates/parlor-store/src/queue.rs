//! People who wait for an opponent, at any of the processes that serve the database.

use sea_orm::sea_query::{Expr, LockType};
use sea_orm::{
    ColumnTrait, EntityTrait, ExprTrait, QueryFilter, QueryOrder, QuerySelect, Set, UpdateMany,
};

use crate::entity::queue::{self, Column};
use crate::transaction::{begin, commit};
use crate::{Store, StoreError};

/// Time without a sign of life after which somebody does not wait any more, in milliseconds.
const STALE_MS: i64 = 6_000;
/// Time for a pairing to be accepted and its table to be made, in milliseconds.
const PAIRING_MS: i64 = 5_000;

/// Somebody who waits for an opponent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingPlayer {
    /// Number of the entry, chosen by the application.
    pub ticket: i64,
    /// Process at which the player waits.
    pub node: i64,
    /// Terms of the game that the player waits for; equal terms are equal texts, shorter than
    /// 2,000 bytes.
    pub terms: String,
    /// The player, as the application writes it.
    pub player: String,
    /// Rating of the player.
    pub rating: i32,
    /// Maximum rating difference to an opponent.
    pub most: i64,
    /// Time since which the player waits, by the database's clock, in milliseconds since the Unix
    /// epoch. Set by [`Store::wait`].
    pub since: i64,
    /// Pairing that the player was offered.
    pub pairing: Option<Pairing>,
}

/// A pairing, as one of the two players sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pairing {
    /// Table to be made; the same for both.
    pub table: i64,
    /// Number of the player's seat there.
    pub seat: u8,
    /// True if the player has accepted.
    pub is_accepted: bool,
    /// True if the table is made.
    pub is_made: bool,
}

impl Store {
    /// Adds somebody to those who wait.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create`].
    pub async fn wait(&self, player: WaitingPlayer) -> Result<(), StoreError> {
        let now = self.time().await?;
        let row = queue::ActiveModel {
            ticket: Set(player.ticket),
            node: Set(player.node),
            terms: Set(player.terms),
            player: Set(player.player),
            rating: Set(player.rating),
            most: Set(player.most),
            since: Set(now),
            seen_at: Set(now),
            pairing: Set(None),
            paired_at: Set(None),
            seat: Set(0),
            accepted: Set(false),
            made: Set(false),
        };
        queue::Entity::insert(row)
            .exec_without_returning(self.writes())
            .await?;
        Ok(())
    }

    /// Removes entries. Whoever was paired with one of them waits on.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create`].
    pub async fn stop_waiting(&self, tickets: &[i64]) -> Result<(), StoreError> {
        if tickets.is_empty() {
            return Ok(());
        }
        queue::Entity::delete_many()
            .filter(Column::Ticket.is_in(tickets.iter().copied()))
            .exec(self.writes())
            .await?;
        Ok(())
    }

    /// Returns everybody who waits, longest wait first, but for those whose process gives no sign of
    /// life; and the database's time, in milliseconds since the Unix epoch.
    ///
    /// # Errors
    /// Returns the errors of [`Store::load`].
    pub async fn waiting(&self) -> Result<(i64, Vec<WaitingPlayer>), StoreError> {
        let now = self.time().await?;
        let rows = queue::Entity::find()
            .filter(Column::SeenAt.gte(now - STALE_MS))
            .order_by_asc(Column::Since)
            .order_by_asc(Column::Ticket)
            .all(self.reads())
            .await?;
        Ok((now, rows.into_iter().map(WaitingPlayer::from).collect()))
    }

    /// Gives a sign of life for those who wait at the process `node`, and ends what is too old:
    /// entries without such a sign, and pairings that were not accepted in time. Of those, whoever
    /// has accepted waits on, and the other does not wait any more.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create`].
    pub async fn go_on_waiting(&self, node: i64) -> Result<(), StoreError> {
        let now = self.time().await?;
        let db = self.writes();
        queue::Entity::update_many()
            .col_expr(Column::SeenAt, Expr::value(now))
            .filter(Column::Node.eq(node))
            .exec(db)
            .await?;
        let late = Column::Made
            .eq(false)
            .and(Column::PairedAt.lt(now - PAIRING_MS));
        let stale = Column::SeenAt.lt(now - STALE_MS);
        queue::Entity::delete_many()
            .filter(late.clone().and(Column::Accepted.eq(false)).or(stale))
            .exec(db)
            .await?;
        release(late).exec(db).await?;
        Ok(())
    }

    /// Offers two players a pairing, whose table has the number `table`; the first of the tickets
    /// gets the first seat. Returns false, and changes nothing, if one of them does not wait any more
    /// or was offered another pairing, be it under another ticket.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create`].
    pub async fn pair(&self, tickets: [i64; 2], table: i64) -> Result<bool, StoreError> {
        let now = self.time().await?;
        let transaction = begin(self.writes()).await?;
        let both = queue::Entity::find().filter(Column::Ticket.is_in(tickets));
        let both = both.all(&transaction).await?;
        let players = both.into_iter().map(|row| row.player);
        let own = queue::Entity::find()
            .filter(Column::Player.is_in(players))
            .order_by_asc(Column::Ticket)
            .lock(LockType::Update);
        let own = own.all(&transaction).await?;
        if own.iter().any(|row| row.pairing.is_some()) {
            return Ok(false);
        }
        let mut paired = 0;
        // In one order everywhere, so that two processes never wait for each other.
        let mut seats = [(tickets[0], 0), (tickets[1], 1)];
        seats.sort_unstable();
        for (ticket, seat) in seats {
            let offered = queue::Entity::update_many()
                .col_expr(Column::Pairing, Expr::value(Some(table)))
                .col_expr(Column::PairedAt, Expr::value(Some(now)))
                .col_expr(Column::Seat, Expr::value(seat))
                .filter(Column::Ticket.eq(ticket))
                .filter(Column::Pairing.is_null())
                .exec(&transaction)
                .await?;
            paired += offered.rows_affected;
        }
        if paired == 2 {
            commit(transaction, None).await?;
        }
        Ok(paired == 2)
    }

    /// Accepts a pairing. Returns false if it has ended.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create`].
    pub async fn accept_pairing(&self, ticket: i64, table: i64) -> Result<bool, StoreError> {
        let accepted = queue::Entity::update_many()
            .col_expr(Column::Accepted, Expr::value(true))
            .filter(Column::Ticket.eq(ticket))
            .filter(Column::Pairing.eq(table))
            .exec(self.writes())
            .await?;
        Ok(accepted.rows_affected == 1)
    }

    /// Tells two players that the table of their pairing is made, and removes what else they wait for.
    /// Returns false, and changes nothing, unless both have accepted and still wait.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create`].
    pub async fn settle_pairing(&self, table: i64) -> Result<bool, StoreError> {
        let transaction = begin(self.writes()).await?;
        let settled = queue::Entity::update_many()
            .col_expr(Column::Made, Expr::value(true))
            .filter(Column::Pairing.eq(table))
            .filter(Column::Accepted.eq(true))
            .filter(Column::Made.eq(false))
            .exec(&transaction)
            .await?;
        let both = settled.rows_affected == 2;
        if both {
            let paired = queue::Entity::find().filter(Column::Pairing.eq(table));
            let paired = paired.all(&transaction).await?;
            queue::Entity::delete_many()
                .filter(Column::Player.is_in(paired.into_iter().map(|row| row.player)))
                .filter(Column::Pairing.is_null())
                .exec(&transaction)
                .await?;
            commit(transaction, None).await?;
        }
        Ok(both)
    }

    /// Ends a pairing whose table could not be made: those who have accepted wait on.
    ///
    /// # Errors
    /// Returns the errors of every write; see [`Store::create`].
    pub async fn release_pairing(&self, table: i64) -> Result<(), StoreError> {
        release(Column::Pairing.eq(table).and(Column::Made.eq(false)))
            .exec(self.writes())
            .await?;
        Ok(())
    }
}

/// Returns the statement that lets players wait on.
fn release(pairings: Expr) -> UpdateMany<queue::Entity> {
    queue::Entity::update_many()
        .col_expr(Column::Pairing, Expr::value(None::<i64>))
        .col_expr(Column::PairedAt, Expr::value(None::<i64>))
        .col_expr(Column::Accepted, Expr::value(false))
        .filter(pairings)
}

impl From<queue::Model> for WaitingPlayer {
    fn from(row: queue::Model) -> WaitingPlayer {
        let pairing = row.pairing.map(|table| Pairing {
            table,
            seat: u8::from(row.seat != 0),
            is_accepted: row.accepted,
            is_made: row.made,
        });
        WaitingPlayer {
            ticket: row.ticket,
            node: row.node,
            terms: row.terms,
            player: row.player,
            rating: row.rating,
            most: row.most,
            since: row.since,
            pairing,
        }
    }
}
