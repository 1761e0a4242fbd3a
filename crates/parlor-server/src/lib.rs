//! HTTP API, live events and web pages.
//!
//! The server drives tables: it knows who asks (a [`Key`](parlor_table::Key) behind a token), hands the command to the
//! one task that owns the table, keeps the events that come out in the [`Store`](parlor_store::Store), and only then
//! answers and tells everybody who watches. What is legal, how a board looks and what games there are it asks the
//! floors below.
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
//! What is never here: the legality of a move, the drawing of a board, a match on the kind of game.

mod accounts;
mod analyses;
#[allow(
    unused_qualifications,
    reason = "the macros that describe the API write them"
)]
mod api;
mod auth;
mod challenges;
mod config;
mod edge;
mod error;
mod extract;
mod git;
mod hub;
mod live;
mod ops;
mod profiles;
mod queue;
mod router;
mod server;
mod state;
mod statistics;
mod tables;
mod tictactoe;
mod web;

pub use auth::{BadPassword, hash_password};
pub use config::{Bots, Config, Limits};
pub use router::router;
pub use server::{Server, StartError};
pub use state::AppState;
