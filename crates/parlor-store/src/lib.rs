//! One store for tables over SQLite, PostgreSQL and MySQL/MariaDB.
//!
//! A table is a row, for lists, and a log of events, which is the truth. The log is append-only and unique
//! by (table, version): of two writers that saw the same version exactly one wins, in one process or in
//! several. What an event means is not known here; its body is JSON.
//!
//! Writes go through a *group commit*: whatever is waiting is written in one transaction, and a caller is
//! answered only after the commit that carries its change. Under load thousands of moves share a few disk
//! syncs; at rest nothing waits for anything.
//!
//! ```
//! use parlor_store::{Append, Event, NewTable, Status, Store};
//! use serde_json::json;
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! let store = Store::open("sqlite::memory:").await?;
//! let opened = Event { version: 1, at: 1_000, body: json!({"type": "opened"}) };
//! store.create(NewTable { events: vec![opened], ..NewTable::new(7, "mnk", 1_000) }).await?;
//!
//! let moved = Event { version: 2, at: 2_000, body: json!({"type": "moved", "move": "b2"}) };
//! store.append(Append::new(7, vec![moved])).await?;
//!
//! let table = store.load(7).await?.expect("it was just written");
//! assert_eq!((table.row.version, table.row.status), (2, Status::Open));
//! store.close().await;
//! # Ok::<(), parlor_store::StoreError>(())
//! # }).unwrap();
//! ```
//!
//! Beside the tables it keeps accounts with their sessions and tokens, how they stand in each game, and what admins did.
//! The end of a game and what it does to the standings of its players are one write; so are what an admin changes and
//! its line in the audit log.
//!
//! What is never here: HTTP types, HTML, rules, clocks.

mod audit;
mod backup;
mod bans;
mod batch;
mod commits;
mod connect;
mod entity;
mod error;
mod filter;
mod migration;
mod model;
mod options;
mod players;
mod ratings;
mod read;
mod search;
mod sessions;
mod settle;
mod statement;
mod store;
mod tokens;
mod transaction;
mod users;
mod writer;

pub use audit::{AuditEntry, AuditFilter, AuditLine};
pub use bans::Ban;
pub use commits::{Commit, LONGEST_COMMIT};
pub use error::StoreError;
pub use filter::{Filter, Page};
pub use model::{Append, Event, NewTable, Row, RowUpdate, Status, StoredTable, UnknownStatus};
pub use parlor_ratings::{Glicko, Score, Standing, Start};
pub use players::{PlayerFilter, Role, UnknownRole};
pub use ratings::{Ranked, Rating, RatingChange};
pub use sessions::{SecretHash, Session};
pub use settle::Settlement;
pub use store::Store;
pub use tokens::{Token, TokenFilter};
pub use users::{PasswordHash, UnknownUserKind, User, UserFilter, UserKind};
