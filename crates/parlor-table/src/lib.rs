//! Tables: live games with seats, clocks, offers and verifiable luck.
//!
//! [`Table::apply`] is the only way to advance a game: it takes a [`Command`] and returns either
//! the resulting events or a typed [`Refusal`] that leaves the table unchanged. The server, the
//! terminal and the git referee all drive tables this way. Every event increments the table's
//! version, and a table is a pure function of its events: [`Table::replay`] rebuilds it, and
//! [`verify`](verify::verify) checks a finished record including every draw of luck.
//!
//! [`TableRunner`](runner::TableRunner) drives a table with bots inside one process, and notifies
//! observers.
//!
//! The crate is pure: time is an argument, and randomness comes in as a [`Secret`] and as ids that
//! the driver generates.
//!
//! ```
//! use parlor_table::{Command, Issuer, SeatKey, NewTable, Player, Table, TableId, Timestamp};
//! use serde_json::json;
//!
//! let ann = SeatKey::from_token("Ann's token");
//! let now = Timestamp::from_millis(1_700_000_000_000);
//! let id = TableId::new(42).expect("a small number");
//! let seats = vec![Player::human("Ann", ann)?, Player::Open];
//! let mut table = Table::create(now, NewTable::new(id, parlor_games::mnk::KIND, json!({}), seats))?;
//! let bob = SeatKey::from_token("Bob's token");
//! table.apply(now, &Issuer::Key(bob), Command::join("Bob"))?;
//! let events = table.apply(now, &Issuer::Key(ann), Command::play("1,1"))?;
//! assert_eq!(events.len(), 1);
//! assert_eq!(table.version(), 4); // created, joined, started, moved
//! # Ok::<(), parlor_table::Refusal>(())
//! ```
//!
//! Never here: async, SQL, HTTP, reading the system clock, OS randomness.

pub mod characters;
mod clock;
mod command;
mod event;
mod fold;
mod id;
mod key;
mod lag;
pub mod luck;
mod pace;
mod player;
mod queries;
mod record;
mod refusal;
pub mod runner;
mod table;
mod table_clock;
mod turn;
mod verbs;
pub mod verify;
mod view;

pub use clock::{BadTimeControl, TimeControl};
pub use command::{AskWhen, Claim, Command, Issuer, MoveId};
pub use event::{ClockReading, EVENT_FORMAT, EndReason, Ending, LogEntry, Situation, TableEvent};
pub use fold::BadLog;
pub use id::{BadTableId, BadUserId, TableId, Timestamp, UserId};
pub use key::SeatKey;
pub use lag::{BadLag, Lag, LagView, MoveLag};
pub use luck::Secret;
pub use pace::Pace;
pub use player::Player;
pub use record::{
    HandoverReason, Record, RecordStep, RecordedHandover, RecordedLuck, RecordedPlayer, StepError,
    StoryError,
};
pub use refusal::Refusal;
pub use table::{NewTable, Table, TableStatus};
pub use table_clock::ClockView;
pub use turn::TableTurn;
pub use view::{AskedView, LuckView, OffersView, SeatView, TableView};
