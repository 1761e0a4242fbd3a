//! Storage of tables on SQLite, PostgreSQL and MySQL/MariaDB.
//!
//! A table consists of a row, for lists, and a log of events, which is authoritative. The log is
//! append-only and unique by (table, version): of two writers that saw the same version exactly one
//! wins, within one process or across several. Only a name is replaced in it, if its account is closed.
//! The store does not interpret events otherwise; their bodies are JSON.
//!
//! Writes go through a *group commit*: all waiting changes are written in one transaction, and
//! callers are answered only after the commit that contains their change. Under load, thousands of
//! moves share a few disk syncs; without load, no write waits for others.
//!
//! ```
//! use parlor_store::{Append, NewStoredTable, RowStatus, Store, StoredEvent};
//! use serde_json::json;
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! let store = Store::open("sqlite::memory:").await?;
//! let opened = StoredEvent { version: 1, at: 1_000, body: json!({"type": "opened"}) };
//! let table = NewStoredTable { events: vec![opened], ..NewStoredTable::new(7, "mnk", 1_000) };
//! store.create(table).await?;
//!
//! let moved = StoredEvent { version: 2, at: 2_000, body: json!({"type": "moved", "move": "b2"}) };
//! store.append(Append::new(7, vec![moved])).await?;
//!
//! let table = store.load(7).await?.expect("it was just written");
//! assert_eq!((table.row.version, table.row.status), (2, RowStatus::Open));
//! store.close().await;
//! # Ok::<(), parlor_store::StoreError>(())
//! # }).unwrap();
//! ```
//!
//! The store also holds accounts with their sessions and tokens, their ratings and records in each
//! game, and the audit log. The end of a game and the rating changes of its players are one write;
//! so are an admin's change and its audit line.
//!
//! This crate has no HTTP types, no HTML, no rules and no clocks.

mod account_log;
mod analyses;
mod audit;
mod backup;
mod bans;
mod batch;
mod blocks;
mod closing;
mod commits;
mod connect;
mod connections;
mod entity;
mod error;
mod files;
mod filter;
mod line_limit;
mod lists;
mod lobby;
mod migration;
mod model;
mod nodes;
mod notices;
mod options;
mod players;
mod presence;
mod queue;
mod quotas;
mod ratings;
mod read;
mod restore;
mod results;
mod search;
mod sessions;
mod simulation;
mod sorted;
mod statement;
mod store;
mod talk;
mod tokens;
mod transaction;
mod users;
mod writer;

pub use account_log::{AccountNote, KEPT_NOTES};
pub use analyses::{AnalyzedGame, StoredAnalysis};
pub use audit::{AuditEntry, AuditFilter, AuditLine, AuditSort, AuditTarget};
pub use bans::Ban;
pub use closing::Closing;
pub use commits::{MAX_COMMIT_BYTES, StoredCommit};
pub use error::StoreError;
pub use filter::{ListFilter, ListPage, TableSearch};
pub use line_limit::{LineLimit, LogLine};
pub use lists::ListedAccount;
pub use lobby::{AttendedTable, LobbyFilter};
pub use model::{
    Append, NewStoredTable, RowStatus, RowUpdate, StoredEvent, StoredTable, TableRow, UnknownStatus,
};
pub use nodes::{Beat, HintListener, MAX_HINT_BYTES, Outage, SILENT_MS};
pub use notices::{
    Delivery, DueNotice, HeardMessage, NewNotice, NoticeReader, NoticeTarget, NoticeWishes,
    TargetClaim,
};
pub use parlor_ratings::{DeclaredLevel, Glicko, Score, Standing};
pub use players::{PlayerFilter, PlayerRole, UnknownRole};
pub use presence::PersonSign;
pub use queue::{Pairing, WaitingPlayer};
pub use ratings::{RankedAccount, Rating, RatingChange};
pub use restore::{Restored, restore};
pub use results::GameScores;
pub use sessions::{SecretHash, StoredSession};
pub use simulation::{Loss, SimulatedNetwork, Trip};
pub use sorted::{ListSlice, TableSort, TableTally, UserSort};
pub use store::{Store, StoreOptions};
pub use talk::{
    KEPT_MESSAGES, NewTalkReport, ReportFilter, ReportResult, ReportSort, Silence, TalkMessage,
    TalkPerson, TalkReport, TalkRoom, UnknownRoom,
};
pub use tokens::{StoredToken, TokenFilter, TokenSort};
pub use users::{ChallengesFrom, PasswordHash, UnknownUserKind, User, UserFilter, UserKind};
