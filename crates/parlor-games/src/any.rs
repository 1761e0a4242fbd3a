//! Positions of any game: a closed enum that speaks text and JSON.

use std::ops::{Deref, DerefMut};

use parlor_core::{Impossible, NotationError, Seat, Turn};
use serde_json::Value;

use crate::tenant::Tenant;
use crate::{Click, Draft, GameKind};

/// A position of one of the games of the house.
///
/// It dereferences to [`DynPosition`], so every operation of that trait can be called on it.
#[derive(Clone, Debug)]
pub enum AnyPosition {
    /// An m,n,k game.
    Mnk(parlor_tictactoe::mnk::Board),
    /// A game of ultimate tic-tac-toe.
    Ultimate(parlor_tictactoe::ultimate::Game),
    /// A game or match of backgammon.
    Backgammon(parlor_backgammon::Game),
    /// A game of Pandemic.
    Pandemic(Box<parlor_pandemic::Game>),
    /// The toy dice game.
    #[cfg(feature = "testing")]
    Pig(parlor_core::testing::pig::Pig),
}

impl Deref for AnyPosition {
    type Target = dyn DynPosition;

    fn deref(&self) -> &Self::Target {
        match self {
            AnyPosition::Mnk(position) => position,
            AnyPosition::Ultimate(position) => position,
            AnyPosition::Backgammon(position) => position,
            AnyPosition::Pandemic(position) => &**position,
            #[cfg(feature = "testing")]
            AnyPosition::Pig(position) => position,
        }
    }
}

impl DerefMut for AnyPosition {
    fn deref_mut(&mut self) -> &mut Self::Target {
        match self {
            AnyPosition::Mnk(position) => position,
            AnyPosition::Ultimate(position) => position,
            AnyPosition::Backgammon(position) => position,
            AnyPosition::Pandemic(position) => &mut **position,
            #[cfg(feature = "testing")]
            AnyPosition::Pig(position) => position,
        }
    }
}

/// What every position can do once its game is forgotten: everything in texts and JSON.
///
/// The texts are those of the game's [`Notation`](parlor_core::Notation).
pub trait DynPosition: Send + Sync {
    /// The game.
    fn kind(&self) -> GameKind;

    /// How many seats.
    fn seats(&self) -> u8;

    /// What a seat is called in this game: "X", "White".
    fn seat_name(&self, seat: Seat) -> String;

    /// What happens next.
    fn turn(&self) -> Turn;

    /// The canonical texts of all legal moves, each with the seat it belongs to, in the game's order.
    fn legal(&self) -> Vec<LegalMove>;

    /// Plays a move for a seat and returns its canonical text.
    ///
    /// # Errors
    /// A [`PlayError`]; the position is then unchanged. A finished game is named before anything else.
    fn play(&mut self, text: &str, by: Seat) -> Result<String, PlayError>;

    /// The canonical text of a move; legality is not looked at.
    ///
    /// # Errors
    /// When the text cannot mean a move of this game.
    fn canonical(&self, text: &str) -> Result<String, NotationError>;

    /// The canonical text of a chance; whether it can come up is not looked at.
    ///
    /// # Errors
    /// When the text cannot mean a chance of this game.
    fn canonical_chance(&self, text: &str) -> Result<String, NotationError>;

    /// The texts of everything luck can do here, with weights.
    fn chances(&self) -> Vec<(String, u32)>;

    /// Applies a chance.
    ///
    /// # Errors
    /// When the text is no chance of this game or cannot come up here.
    fn resolve(&mut self, text: &str) -> Result<(), PlayError>;

    /// The position as one line of text.
    fn text(&self) -> String;

    /// What the table shows of the position, as JSON. `last` is the text of the last move, if there was one.
    fn view(&self, last: Option<&str>) -> Value;

    /// For each legal move the clicks that make it; where moves are made of parts, for each part that can come first.
    fn clicks(&self) -> Vec<Click>;

    /// What the seat on turn may say to give up part of what is played for, such as one game of a match. These moves are legal but
    /// never listed, so that nobody plays them who only looks for a move.
    fn concessions(&self) -> Vec<Click>;

    /// A move that was begun by these parts, named as in [`Click::text`]; `None` where no such move can be. With an empty text
    /// nothing was done yet; games whose moves have no parts have no drafts.
    fn draft(&self, steps: &str) -> Option<Draft>;

    /// The one legal move that the rules make by themselves, such as the pass of a player who cannot move. Whoever drives a
    /// game plays it at once.
    fn forced(&self) -> Option<LegalMove>;

    /// Whose move this text is, or the move that it begins, named as in [`Click::text`]; `None` when it can mean no move or nobody is
    /// to move. In some games a seat may move while another is on turn.
    ///
    /// ```
    /// # use parlor_games::GameKind;
    /// # use parlor_core::Seat;
    /// let start = GameKind::Mnk.start(&serde_json::Value::Null)?;
    /// assert_eq!((start.seat_of("1,1"), start.seat_of("up")), (Some(Seat::FIRST), None));
    /// # Ok::<(), parlor_games::OptionsError>(())
    /// ```
    fn seat_of(&self, text: &str) -> Option<Seat>;

    /// The seats that could move though another is on turn.
    fn out_of_turn(&self) -> Vec<Seat>;

    /// What the seat on turn is asked to agree to, in games where seats ask each other.
    fn consent(&self) -> Option<Consent>;

    /// A chance in words for people.
    fn chance_label(&self, text: &str) -> String;

    /// What a move, or a chance where luck decides, does here with all that follows from it: "infection card Paris" is told as
    /// "outbreak in Paris: blue cubes in London and Milan; 3 outbreaks so far". The position is the one before it. Nothing in games
    /// where [`label`](DynPosition::label) and [`chance_label`](DynPosition::chance_label) say it all.
    fn told(&self, text: &str) -> Option<String>;

    /// A move as it is written in this game, which unlike its canonical text may have blanks: `13/7 8/7`.
    fn written(&self, text: &str) -> String;

    /// Whether the move of this text shows in the picture as the last one; a roll of dice does not, for example.
    fn leaves_mark(&self, text: &str) -> bool;

    /// What is asked of whoever is next, in a sentence, where the buttons alone would not say it: "White doubles to 2: take or drop?"
    fn question(&self) -> Option<String>;

    /// What has just come about and no move says by itself, such as the end of a game within a match, in full sentences.
    fn news(&self) -> Option<String>;

    /// What the chances here are called together: "Rolls". Positions of one game whose chances differ call them differently.
    fn chances_title(&self) -> &'static str;

    /// The faces that dice show in a chance, where they are thrown independently of each other; nothing without such dice.
    fn faces(&self, text: &str) -> Vec<u8>;

    /// A move in words for people and screen readers, as in [`Click::label`]; the text itself when it can mean no move.
    fn label(&self, text: &str) -> String;

    /// The board for a terminal, without colors, lines ended by newlines. `last` is the text of the last move, if there was one.
    fn terminal(&self, last: Option<&str>) -> String;
}

/// A legal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LegalMove {
    /// Its canonical text.
    pub text: String,
    /// Whose move it is.
    pub seat: Seat,
}

/// A seat asks another, which is on turn for its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consent {
    /// Who asks.
    pub by: Seat,
    /// Who is asked.
    pub seat: Seat,
    /// The canonical text of the move that agrees.
    pub agree: String,
}

/// Why a text was not played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The text is no move of the game at all.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// The move belongs to another seat.
    #[error("Not your turn")]
    NotYourTurn,
    /// The rules forbid it; the reason is the game's own.
    #[error("{0}")]
    Illegal(String),
}

impl<T: Tenant> DynPosition for T {
    fn kind(&self) -> GameKind {
        T::KIND
    }

    fn seats(&self) -> u8 {
        parlor_core::Position::seats(self)
    }

    fn seat_name(&self, seat: Seat) -> String {
        Tenant::seat_name(self, seat)
    }

    fn turn(&self) -> Turn {
        parlor_core::Position::turn(self)
    }

    fn legal(&self) -> Vec<LegalMove> {
        let moves = self.legal_moves();
        let named = moves.iter().filter_map(|m| {
            Some(LegalMove {
                text: self.move_text(m),
                seat: self.mover(m)?,
            })
        });
        named.collect()
    }

    fn play(&mut self, text: &str, by: Seat) -> Result<String, PlayError> {
        let m = self.parse_move(text)?;
        if !parlor_core::Position::turn(self).is_over() && self.mover(&m) != Some(by) {
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
        // In the game's own words, which people know.
        let shown = self.chance_text(&chance);
        self.try_resolve(&chance)
            .map_err(|_| PlayError::Illegal(Impossible(shown).to_string()))
    }

    fn text(&self) -> String {
        parlor_core::Notation::text(self)
    }

    fn view(&self, last: Option<&str>) -> Value {
        Tenant::view(self, last)
    }

    fn clicks(&self) -> Vec<Click> {
        Tenant::clicks(self)
    }

    fn concessions(&self) -> Vec<Click> {
        Tenant::concessions(self)
    }

    fn draft(&self, steps: &str) -> Option<Draft> {
        Tenant::draft(self, steps)
    }

    fn forced(&self) -> Option<LegalMove> {
        let m = parlor_core::Position::forced(self)?;
        Some(LegalMove {
            text: self.move_text(&m),
            seat: self.mover(&m)?,
        })
    }

    fn seat_of(&self, text: &str) -> Option<Seat> {
        Tenant::seat_of(self, text)
    }

    fn out_of_turn(&self) -> Vec<Seat> {
        Tenant::out_of_turn(self)
    }

    fn consent(&self) -> Option<Consent> {
        Tenant::consent(self)
    }

    fn chance_label(&self, text: &str) -> String {
        Tenant::chance_label(self, text)
    }

    fn told(&self, text: &str) -> Option<String> {
        Tenant::told(self, text)
    }

    fn written(&self, text: &str) -> String {
        Tenant::written(self, text)
    }

    fn leaves_mark(&self, text: &str) -> bool {
        Tenant::leaves_mark(self, text)
    }

    fn question(&self) -> Option<String> {
        Tenant::question(self)
    }

    fn news(&self) -> Option<String> {
        Tenant::news(self)
    }

    fn chances_title(&self) -> &'static str {
        Tenant::chances_title(self)
    }

    fn faces(&self, text: &str) -> Vec<u8> {
        Tenant::faces(self, text)
    }

    fn label(&self, text: &str) -> String {
        Tenant::label(self, text)
    }

    fn terminal(&self, last: Option<&str>) -> String {
        Tenant::terminal(self, last)
    }
}
