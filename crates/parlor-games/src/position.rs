//! Type-erased positions of any game, used through text and JSON.

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

/// Side from which a page shows a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Perspective {
    /// Seat that sees the board from its own side; the first seat if `None`.
    pub seat: Option<Seat>,
    /// Seat in whose notation the board is numbered, where one person plays several seats; that of
    /// `seat` if `None`.
    pub counted_by: Option<Seat>,
    /// True if the board is turned around.
    pub flipped: bool,
    /// True if the game is over, which the position does not show if players or the clock have ended it.
    pub ended: bool,
}

/// Position of any game.
///
/// Dereferences to [`DynPosition`], so that all methods of that trait and its supertraits can be
/// called on it.
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
    /// If the game cannot read its own view, which violates the contract of [`Game`].
    pub fn svg(&self, last: Option<&str>) -> String {
        self.kind()
            .svg(&self.view(last))
            .expect("a position's own view is one of its game")
    }

    /// Draws a view for a page from a seat's point of view, in games where that makes a difference.
    /// See [`GameKind::page`].
    ///
    /// ```
    /// # use parlor_games::{GameKind, Perspective};
    /// # use parlor_core::Seat;
    /// let start = GameKind::from_name("backgammon")?.start(&serde_json::Value::Null)?;
    /// let second = Perspective { seat: Some(Seat::SECOND), ..Perspective::default() };
    /// assert_ne!(start.page_for(start.view(None), second), start.svg(None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If `view` is not a view of the position's game.
    pub fn page_for(&self, mut view: Value, perspective: Perspective) -> String {
        let Perspective {
            seat,
            counted_by,
            flipped,
            ended,
        } = perspective;
        if let Value::Object(view) = &mut view {
            for (name, seat) in [("seen_from", seat), ("counted_by", counted_by)] {
                view.extend(seat.map(|seat| (name.to_owned(), seat.number().into())));
            }
            view.insert("flipped".to_owned(), flipped.into());
            view.extend(ended.then(|| ("ended".to_owned(), true.into())));
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

/// Rules of a game with moves and chances as text; the object-safe counterpart of [`Notation`].
///
/// Implemented for every position.
pub trait TextPosition: Send + Sync {
    /// Returns the number of seats.
    fn seats(&self) -> u8;

    /// Returns what happens next.
    fn turn(&self) -> Turn;

    /// Returns the canonical texts of all legal moves in the game's order, each with the seat it
    /// belongs to.
    fn legal(&self) -> Vec<LegalMove>;

    /// Plays a move for a seat and returns its canonical text.
    ///
    /// # Errors
    /// A [`PlayError`]; the position is then unchanged. If the game is over, that error takes
    /// precedence.
    fn play(&mut self, text: &str, by: Seat) -> Result<String, PlayError>;

    /// Returns the canonical text of a move, legal or not.
    ///
    /// # Errors
    /// If the text is not a move of this game.
    fn canonical(&self, text: &str) -> Result<String, NotationError>;

    /// Returns the canonical text of a chance, possible here or not.
    ///
    /// # Errors
    /// If the text is not a chance of this game.
    fn canonical_chance(&self, text: &str) -> Result<String, NotationError>;

    /// Returns the texts of all possible chances, with integer weights.
    fn chances(&self) -> Vec<(String, u32)>;

    /// Applies a chance.
    ///
    /// # Errors
    /// If the text is not a chance of this game or is not possible here.
    fn resolve(&mut self, text: &str) -> Result<(), PlayError>;

    /// Returns the position as one line of text.
    fn text(&self) -> String;

    /// Returns the only legal move if the rules play it automatically, such as the pass of a player
    /// who cannot move. Drivers play it at once.
    fn forced(&self) -> Option<LegalMove>;

    /// Returns the seat that a move, legal or not, belongs to; `None` if the text is not a move or
    /// no seat is to move.
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
        // Use the game's own wording, which people know.
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

/// Type-erased position of a game: rules, wording, clicks, console, bots and counts, all as text
/// and JSON.
///
/// Implemented for every [`GamePosition`]. The texts are those of the game's
/// [`Notation`](parlor_core::Notation).
pub trait DynPosition: Wording + Input + TeamPlay + Console {
    /// Returns the game.
    fn kind(&self) -> GameKind;

    /// Returns the view of the position as JSON. `last` is the text of the last move, if there was
    /// one.
    fn view(&self, last: Option<&str>) -> Value;

    /// Returns the complete options of the position's game, with every default written out.
    fn options(&self) -> Value;

    /// Returns the bots that can play this game under its options: levels first, weakest to
    /// strongest.
    fn bot_specs(&self) -> Vec<Spec>;

    /// Returns the name of a bot for display, such as "Level 3, club".
    fn bot_title(&self, spec: Spec) -> &'static str;

    /// Checks that a bot can play this game under its options.
    ///
    /// # Errors
    /// If it cannot.
    fn check_bot(&self, spec: Spec) -> Result<(), Unsuitable>;

    /// Builds a bot for this game under its options; see [`crate::bots::bot_with_crew`].
    ///
    /// # Errors
    /// If the bot cannot play the game.
    fn build_bot(
        &self,
        spec: Spec,
        seed: u64,
        crew: Arc<dyn Crew>,
    ) -> Result<Box<dyn Bot>, Unsuitable>;

    /// Counts the ways to play `depth` more moves; see [`perft`](fn@parlor_core::perft).
    fn perft(&self, depth: u32) -> u64;

    /// Counts like [`perft`](DynPosition::perft), split by the text of the first move.
    fn divide(&self, depth: u32) -> Vec<(String, u64)>;

    /// Plays random games to their ends; see [`Game::playouts`].
    fn playouts(&self, games: u64, seed: u64) -> Playouts;

    /// Runs a tree search of at most `most` simulations with random playouts and returns the number
    /// run. It is lower if the position is solved first, and 0 if only one move is legal. If luck
    /// is next, the first chance is applied before the search.
    fn simulations(&self, most: u64, seed: u64) -> u64;

    /// Plays `games` self-play games with the game's net and returns the number of positions
    /// evaluated; `None` if the game has no net that evaluates single positions. The first call
    /// loads the net even if `games` is 0.
    fn evaluations(&self, games: u64, seed: u64) -> Option<u64>;

    /// Returns the ids of the elements of the picture that show what has changed since an earlier
    /// position of the game; see [`Game::changes`].
    fn changes_since(&self, before: &AnyPosition) -> Vec<String>;

    /// Returns a boxed copy.
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

    fn bot_title(&self, spec: Spec) -> &'static str {
        P::Game::bots().title(spec)
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

    fn changes_since(&self, before: &AnyPosition) -> Vec<String> {
        let before = before.downcast_ref::<P>();
        before.map_or_else(Vec::new, |before| P::Game::changes(before, self))
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
    /// Canonical text of the move.
    pub text: String,
    /// Seat that may make it.
    pub seat: Seat,
}

/// Reason why a move or chance could not be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The text is not a move of the game.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// The move belongs to another seat.
    #[error("Not your turn")]
    NotYourTurn,
    /// The rules forbid it, for this reason.
    #[error("{0}")]
    Illegal(String),
}
