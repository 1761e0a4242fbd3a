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
//! What is never here: HTTP types, HTML, rules, clocks.

mod backup;
mod batch;
mod connect;
mod entity;
mod error;
mod migration;
mod model;
mod read;
mod store;
mod writer;

pub use error::StoreError;
pub use model::{Append, Event, Filter, NewTable, Page, Row, RowUpdate, Status, StoredTable, UnknownStatus};
pub use store::Store;
