//! A game at a table.
//!
//! [`Table::apply`] is the only way a game advances: a [`Command`] comes in, events come out, or a typed refusal that
//! changed nothing. Server, terminal and referee are drivers of it. Every event bumps the table's version, and a table is
//! a function of its events: [`Table::replay`] builds it again, [`verify`](verify::verify) checks a finished record
//! and every draw of luck in it.
//!
//! The floor is pure: time comes in as an argument, randomness as a [`Secret`] and as ids made by the driver.
//!
//! ```
//! use parlor_games::GameKind;
//! use parlor_table::{By, Command, Key, NewTable, Player, Table, TableId, Timestamp};
//! use serde_json::json;
//!
//! let ann = Key::of("Ann's token");
//! let now = Timestamp::from_millis(1_700_000_000_000);
//! let id = TableId::new(42).expect("a small number");
//! let seats = vec![Player::human("Ann", ann)?, Player::Open];
//! let mut table = Table::create(now, NewTable::new(id, GameKind::Mnk, json!({}), seats))?;
//! let bob = Key::of("Bob's token");
//! table.apply(now, &By::Key(bob), Command::join("Bob"))?;
//! let events = table.apply(now, &By::Key(ann), Command::play("1,1"))?;
//! assert_eq!(events.len(), 1);
//! assert_eq!(table.version(), 4); // created, joined, started, moved
//! # Ok::<(), parlor_table::Refused>(())
//! ```
//!
//! What is never here: async, SQL, HTTP, a clock that is read, randomness of the operating system.

mod clock;
mod command;
mod event;
mod fold;
mod id;
mod key;
mod look;
pub mod luck;
mod player;
mod record;
mod refused;
mod table;
mod verbs;
pub mod verify;
mod view;

pub use clock::{BadTimeControl, ClockView, TimeControl};
pub use command::{By, Claim, Command, MoveId};
pub use event::{Ending, Entry, Event, How};
pub use fold::BadLog;
pub use id::{BadTableId, BadUserId, TableId, Timestamp, UserId};
pub use key::Key;
pub use luck::Secret;
pub use player::Player;
pub use record::{Record, RecordedLuck, RecordedPlayer, Step};
pub use refused::Refused;
pub use table::{NewTable, Status, Table};
pub use view::{LuckView, OffersView, SeatView, TableView};
