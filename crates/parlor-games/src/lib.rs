//! The one list of games.
//!
//! Everything above this floor deals with games it does not know: it asks [`GameKind`] for the catalogue, options and
//! bots, holds an [`AnyPosition`], speaks texts and JSON with it through [`DynPosition`], and shows the pictures that
//! come out. A new game is a new variant of the two enums and a module beside [`mnk`]; the compiler lists the places.
//!
//! ```
//! use parlor_core::{Seat, Turn};
//! use parlor_games::GameKind;
//! use serde_json::json;
//!
//! let kind = GameKind::from_name("mnk").expect("a game of the house");
//! let mut position = kind.start(&json!({"rows": 3, "columns": 3})).expect("a board within the limits");
//! position.play("1,1", Seat::FIRST).expect("the center is empty");
//! assert_eq!(position.turn(), Turn::Move(Seat::SECOND));
//! assert_eq!(position.text(), "3x3x3 XO .../.X./...");
//! ```
//!
//! What is never here: users, HTTP, databases. A picture is drawn from a view and nothing else.

pub mod analysis;
mod any;
pub mod backgammon;
pub mod bots;
pub mod console;
mod count;
mod exchange;
pub mod files;
mod kind;
pub mod mnk;
mod options;
pub mod pandemic;
#[cfg(feature = "testing")]
mod pig;
pub mod repository;
pub mod svg;
mod tenant;
pub mod ultimate;
mod view;

pub use any::{AnyPosition, Consent, DynPosition, LegalMove, PlayError};
pub use count::Playouts;
pub use exchange::{ExchangeError, Format, Story};
pub use kind::{GameKind, Preset, UnknownGame};
pub use options::{OptionsError, Problem, choices, in_order};
pub use tenant::{Click, Draft};
pub use view::{OutcomeView, TurnView};
