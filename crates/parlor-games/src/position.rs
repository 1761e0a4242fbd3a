//! Positions of any game, spoken to in text and JSON.

use std::any::Any;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use parlor_bots::{Crew, Spec, Unsuitable};
use parlor_core::{ImpossibleChance, Notation, NotationError, Seat, Turn};
use serde_json::Value;

use crate::bots::{Bot, erase};
use crate::game::{Game, GamePosition, Perft, Playouts, Simulations};
use crate::{Console, GameKind, Input, TeamPlay, Wording};

/// A position of one of the games of the house.
///
/// It dereferences to [`DynPosition`], so every operation of that trait and of the traits it
/// extends can be called on it.
pub struct AnyPosition(Box<dyn DynPosition>);

impl AnyPosition {
    /// Wraps a game's own position.
    pub fn new(position: impl GamePosition) -> AnyPosition {
        AnyPosition(Box::new(position))
    }

    /// Returns the game's own position, if it is of this type.
    ///
    /// ```
    /// use parlor_games::{GameKind, mnk, ultimate};
    /// let start = GameKind::new::<mnk::Mnk>().start(&serde_json::Value::Null)?;
    /// assert!(start.downcast_ref::<parlor_tictactoe::mnk::Board>().is_some());
    /// assert!(start.downcast_ref::<parlor_tictactoe::ultimate::Game>().is_none());
    /// # Ok::<(), parlor_games::OptionsError>(())
    /// ```
    pub fn downcast_ref<P: GamePosition>(&self) -> Option<&P> {
        self.0.as_any().downcast_ref()
    }

    /// Draws the position as an SVG document. `last` is the text of the last move, if there was
    /// one.
    ///
    /// # Panics
    /// If the game cannot read its own view, which breaks the contract of [`Game`].
    pub fn svg(&self, last: Option<&str>) -> String {
        self.kind()
            .svg(&self.view(last))
            .expect("a position's own view is one of its game")
    }

    /// Draws a view for a page as somebody in a seat sees it, in games where that makes a
    /// difference; `flipped` turns the board around. See [`GameKind::page`].
    ///
    /// ```
    /// # use parlor_games::GameKind;
    /// # use parlor_core::Seat;
    /// let start = GameKind::from_name("backgammon")?.start(&serde_json::Value::Null)?;
    /// assert_ne!(start.page_for(start.view(None), Some(Seat::SECOND), false), start.svg(None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If `view` is not a view of the position's game.
    pub fn page_for(&self, mut view: Value, seat: Option<Seat>, flipped: bool) -> String {
        if let Value::Object(view) = &mut view {
            view.extend(seat.map(|seat| ("seen_from".to_owned(), seat.number().into())));
            view.insert("flipped".to_owned(), flipped.into());
        }
        self.kind()
            .page(&view)
            .expect("a position's own view is one of its game")
    }
}

impl Clone for AnyPosition {
    fn clone(&self) -> AnyPosition {
        self.0.clone_boxed()
    }
}

impl fmt::Debug for AnyPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AnyPosition({} {})", self.kind(), self.text())
    }
}

impl Deref for AnyPosition {
    type Target = dyn DynPosition;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl DerefMut for AnyPosition {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut *self.0
    }
}

/// Rules of a game with moves and chances as text, the object-safe side of [`Notation`].
///
/// It is implemented for every position.
pub trait TextPosition: Send + Sync {
    /// Returns the number of seats.
    fn seats(&self) -> u8;

    /// Returns what happens next.
    fn turn(&self) -> Turn;

    /// Returns the canonical texts of all legal moves, each with the seat it belongs to, in the
    /// game's order.
    fn legal(&self) -> Vec<LegalMove>;

    /// Plays a move for a seat and returns its canonical text.
    ///
    /// # Errors
    /// A [`PlayError`]; the position is then unchanged. A finished game is named before anything
    /// else.
    fn play(&mut self, text: &str, by: Seat) -> Result<String, PlayError>;

    /// Returns the canonical text of a move, legal or not.
    ///
    /// # Errors
    /// If the text cannot mean a move of this game.
    fn canonical(&self, text: &str) -> Result<String, NotationError>;

    /// Returns the canonical text of a chance, whether or not it can come up.
    ///
    /// # Errors
    /// If the text cannot mean a chance of this game.
    fn canonical_chance(&self, text: &str) -> Result<String, NotationError>;

    /// Returns the texts of all chances that can come up, with integer weights.
    fn chances(&self) -> Vec<(String, u32)>;

    /// Applies a chance.
    ///
    /// # Errors
    /// If the text is not a chance of this game or cannot come up here.
    fn resolve(&mut self, text: &str) -> Result<(), PlayError>;

    /// Returns the position as one line of text.
    fn text(&self) -> String;

    /// Returns the only legal move if the rules make it by themselves, such as the pass of a player
    /// who cannot move. Drivers play it at once.
    fn forced(&self) -> Option<LegalMove>;

    /// Returns the seat that a move belongs to, legal or not; `None` if the text cannot mean a
    /// move or nobody is to move.
    fn mover(&self, text: &str) -> Option<Seat>;
}

impl<P: Notation> TextPosition for P {
    fn seats(&self) -> u8 {
        parlor_core::Position::seats(self)
    }

    fn turn(&self) -> Turn {
        parlor_core::Position::turn(self)
    }

    fn legal(&self) -> Vec<LegalMove> {
        let moves = self.legal_moves();
        let with_seat = moves.iter().filter_map(|m| {
            Some(LegalMove {
                text: self.move_text(m),
                seat: parlor_core::Position::mover(self, m)?,
            })
        });
        with_seat.collect()
    }

    fn play(&mut self, text: &str, by: Seat) -> Result<String, PlayError> {
        let m = self.parse_move(text)?;
        let is_over = parlor_core::Position::turn(self).is_over();
        if !is_over && parlor_core::Position::mover(self, &m) != Some(by) {
            return Err(PlayError::NotYourTurn);
        }
        let canonical = self.move_text(&m);
        self.try_play(&m)
            .map_err(|reason| PlayError::Illegal(reason.to_string()))?;
        Ok(canonical)
    }

    fn canonical(&self, text: &str) -> Result<String, NotationError> {
        Ok(self.move_text(&self.parse_move(text)?))
    }

    fn canonical_chance(&self, text: &str) -> Result<String, NotationError> {
        Ok(self.chance_text(&self.parse_chance(text)?))
    }

    fn chances(&self) -> Vec<(String, u32)> {
        let chances = parlor_core::Position::chances(self);
        chances
            .iter()
            .map(|(chance, weight)| (self.chance_text(chance), *weight))
            .collect()
    }

    fn resolve(&mut self, text: &str) -> Result<(), PlayError> {
        let chance = self.parse_chance(text)?;
        // The game's own words are the ones that people know.
        let shown = self.chance_text(&chance);
        self.try_resolve(&chance)
            .map_err(|_| PlayError::Illegal(ImpossibleChance(shown).to_string()))
    }

    fn text(&self) -> String {
        Notation::text(self)
    }

    fn forced(&self) -> Option<LegalMove> {
        let m = parlor_core::Position::forced_move(self)?;
        Some(LegalMove {
            seat: parlor_core::Position::mover(self, &m)?,
            text: self.move_text(&m),
        })
    }

    fn mover(&self, text: &str) -> Option<Seat> {
        parlor_core::Position::mover(self, &self.parse_move(text).ok()?)
    }
}

/// A position whose game is forgotten: rules, words, clicks, console, bots and counts, all in text
/// and JSON.
///
/// It is implemented for every [`GamePosition`]. The texts are those of the game's
/// [`Notation`](parlor_core::Notation).
pub trait DynPosition: Wording + Input + TeamPlay + Console {
    /// Returns the game.
    fn kind(&self) -> GameKind;

    /// Returns the view of the position as JSON. `last` is the text of the last move, if there was
    /// one.
    fn view(&self, last: Option<&str>) -> Value;

    /// Returns the complete options of the position's game, with every default written out.
    fn options(&self) -> Value;

    /// Returns the bots that play this game under its options, the levels first, weakest to
    /// strongest.
    fn bot_specs(&self) -> Vec<Spec>;

    /// Checks that a bot plays this game under its options.
    ///
    /// # Errors
    /// The reason, if it does not.
    fn check_bot(&self, spec: Spec) -> Result<(), Unsuitable>;

    /// Builds a bot for this game under its options; see [`crate::bots::bot_with_crew`].
    ///
    /// # Errors
    /// The reason, if that bot does not play the game.
    fn build_bot(
        &self,
        spec: Spec,
        seed: u64,
        crew: Arc<dyn Crew>,
    ) -> Result<Box<dyn Bot>, Unsuitable>;

    /// Counts the ways to play `depth` more moves; see [`perft`](fn@parlor_core::perft).
    fn perft(&self, depth: u32) -> u64;

    /// Counts like [`perft`](DynPosition::perft), split by the first move's text.
    fn divide(&self, depth: u32) -> Vec<(String, u64)>;

    /// Plays random games to their ends; see [`Game::playouts`].
    fn playouts(&self, games: u64, seed: u64) -> Playouts;

    /// Runs a tree search of at most `most` plain random simulations and returns how many it ran:
    /// fewer if the position is proven before, none if only one move is legal. Where luck comes
    /// first, the first chance is taken.
    fn simulations(&self, most: u64, seed: u64) -> u64;

    /// Plays `games` games of the game's net against itself and returns the number of positions it
    /// evaluated; `None` if no net evaluates single positions. Even for no games the first call
    /// loads the net.
    fn evaluations(&self, games: u64, seed: u64) -> Option<u64>;

    /// Returns a copy.
    fn clone_boxed(&self) -> AnyPosition;

    /// Returns the position as [`Any`], for [`AnyPosition::downcast_ref`].
    fn as_any(&self) -> &dyn Any;
}

impl<P: GamePosition> DynPosition for P {
    fn kind(&self) -> GameKind {
        GameKind::new::<P::Game>()
    }

    fn view(&self, last: Option<&str>) -> Value {
        serde_json::to_value(P::Game::view(self, last)).expect("a view is plain data")
    }

    fn options(&self) -> Value {
        P::Game::options(self)
    }

    fn bot_specs(&self) -> Vec<Spec> {
        P::Game::bots().offers(self)
    }

    fn check_bot(&self, spec: Spec) -> Result<(), Unsuitable> {
        P::Game::bots().check(spec, self)
    }

    fn build_bot(
        &self,
        spec: Spec,
        seed: u64,
        crew: Arc<dyn Crew>,
    ) -> Result<Box<dyn Bot>, Unsuitable> {
        P::Game::bots().build(spec, self, seed, crew).map(erase)
    }

    fn perft(&self, depth: u32) -> u64 {
        P::Game::specialize(self, Perft(depth))
    }

    fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        let counts = parlor_core::perft::divide(self, depth);
        counts
            .into_iter()
            .map(|(m, leaves)| (self.move_text(&m), leaves))
            .collect()
    }

    fn playouts(&self, games: u64, seed: u64) -> Playouts {
        P::Game::playouts(self, games, seed)
    }

    fn simulations(&self, most: u64, seed: u64) -> u64 {
        P::Game::specialize(self, Simulations { most, seed })
    }

    fn evaluations(&self, games: u64, seed: u64) -> Option<u64> {
        P::Game::bots().self_play(games, seed)
    }

    fn clone_boxed(&self) -> AnyPosition {
        AnyPosition::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// A legal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegalMove {
    /// Canonical text.
    pub text: String,
    /// Seat that may make it.
    pub seat: Seat,
}

/// Reason why a text was not played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The text is not a move of the game at all.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// The move belongs to another seat.
    #[error("Not your turn")]
    NotYourTurn,
    /// The rules forbid it; the reason is the game's own.
    #[error("{0}")]
    Illegal(String),
}
