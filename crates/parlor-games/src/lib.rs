//! List of all games, with a uniform interface to them.
//!
//! Higher crates depend on no particular game: they get the catalogue, options and bots from a
//! [`GameKind`], hold an [`AnyPosition`], exchange text and JSON with it through [`DynPosition`],
//! and show the resulting pictures. A new game is a folder with a type that implements [`Game`],
//! plus one line in the list below.
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
//! Users, HTTP and databases do not belong here. Pictures are drawn from a view alone.

/// Declares the module of each game and lists the games in this order.
macro_rules! games {
    ($($(#[$attribute:meta])* $folder:ident::$game:ident,)*) => {
        $($(#[$attribute])* pub mod $folder;)*

        /// The games of this workspace, in display order.
        const GAMES: &[GameKind] = &[$($(#[$attribute])* GameKind::new::<$folder::$game>(),)*];
    };
}

games! {
    mnk::Mnk,
    ultimate::Ultimate,
    backgammon::Backgammon,
    pandemic::Pandemic,
    connect_four::ConnectFour,
    #[cfg(feature = "testing")]
    pig::PigGame,
}

pub mod analysis;
pub mod bots;
pub mod classic;
pub mod console;
mod exchange;
pub mod files;
mod game;
mod input;
mod kind;
mod options;
mod plan;
mod position;
pub mod repository;
mod schema;
pub mod svg;
mod team;
mod view;
mod wording;

pub use console::Console;
pub use exchange::{Exchange, ExchangeError, Format, Story};
pub use game::{
    About, BoardStyle, Difficulty, Game, GameClock, GamePosition, Playouts, PositionVisitor,
    Preset, Variant,
};
pub use input::{ActionKind, Click, Draft, Input};
pub use kind::{GameKind, NotInstalled, UnknownGame, install};
pub use options::{OptionsError, OptionsReader, Problem, choices, in_order};
pub use plan::{PlanError, PlannedMove, TurnPlan, planning_seat};
pub use position::{AnyPosition, DynPosition, LegalMove, Perspective, PlayError, TextPosition};
pub use team::{Consent, Moment, TeamPlay};
pub use view::{OutcomeView, TurnView};
pub use wording::Wording;
