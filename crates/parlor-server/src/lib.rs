//! HTTP API, live events and web pages.
//!
//! The server drives tables: it identifies the sender of a command (a [`SeatKey`](parlor_table::SeatKey)
//! behind a token), hands the command to the one task that owns the table, appends the resulting
//! events to the [`Store`](parlor_store::Store), and only then replies and notifies watchers.
//! Rules, pictures and the list of games come from the crates below.
//!
//! ```no_run
//! # async fn start() -> Result<(), Box<dyn std::error::Error>> {
//! use parlor_server::{Config, Server};
//! use parlor_store::Store;
//!
//! let store = Store::open("sqlite:parlor.db").await?;
//! let server = Server::bind(Config::new(([127, 0, 0, 1], 8080).into(), store)).await?;
//! println!("http://{}/", server.local_addr());
//! server.run(async { tokio::signal::ctrl_c().await.unwrap_or_default() }).await?;
//! # Ok(())
//! # }
//! ```
//!
//! This crate never decides whether a move is legal, draws a board, or matches on the kind of game.

mod access;
mod accounts;
mod advice;
mod analyses;
#[allow(
    unused_qualifications,
    reason = "the macros that describe the API write them"
)]
mod api;
mod auth;
mod challenges;
mod classic;
mod config;
mod connection_limits;
mod directory;
mod downtime;
mod edge;
mod error;
mod extract;
mod git;
mod hub;
mod live;
mod lobby;
mod nodes;
mod notices;
mod ops;
mod people;
mod profiles;
mod queue;
mod ratings;
mod router;
mod server;
mod settings;
#[cfg(test)]
mod simulation;
mod sources;
mod state;
mod statistics;
mod tables;
mod talk;
mod thinking;
mod web;

pub use auth::{BadPassword, check_password, generate_password, hash_password};
pub use config::{BotConfig, Config, Limits, MetricsBind};
pub use connection_limits::{ConnectionLimits, MIN_FILES, raise_file_limit};
pub use edge::reading::worker_threads;
pub use edge::tls::{TlsError, TlsFiles};
pub use edge::{BadProxy, TrustedProxies};
pub use nodes::BusError;
pub use notices::{HostResolver, NoticeConfig};
pub use router::router;
pub use server::{Server, StartError};
pub use sources::Sources;
pub use state::AppState;
pub use talk::{TalkPolicy, talk_key};
