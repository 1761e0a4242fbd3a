//! FIBS board lines, which GNU Backgammon exchanges with external players.
//!
//! A line has 53 fields separated by colons. White is the side of the positive numbers, GNU
//! Backgammon's player 1, and moves down from point 24. GNU Backgammon 1.07 writes the points,
//! dice, cube flags and borne-off checkers of the positive side first, but the name and score of
//! the negative side first, unless the line reports a double. This module reads and writes the same
//! order.
//!
//! ```
//! use parlor_backgammon::fibs::{FibsBoard, answer};
//! use parlor_core::{Notation, Position, Turn};
//!
//! let line = "board:alice:bob:5:2:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:\
//!             1:3:1:3:1:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1";
//! let board: FibsBoard = line.parse()?;
//! let game = board.to_game()?;
//! assert_eq!(game.text(), "match5+cube -b----E-C---eE---c-e----B- 1 w:31 0-2");
//! let best = game.parse_move("8/5,6/5").expect("a move");
//! assert_eq!(answer(&game, &best), "8/5 6/5");
//! assert_eq!(board.to_line(), line);
//! # Ok::<(), parlor_backgammon::fibs::FibsError>(())
//! ```

mod error;
mod line;

use parlor_core::Seat;

use crate::play::CheckerStep;
use crate::{BAR, BLACK, Crawford, Cube, Dice, Die, Game, Move, Phase, Roll, Rules, Setup, WHITE};

pub use error::{FibsError, FibsWriteError};
pub use line::FIELDS;

/// Match length that FIBS uses for unlimited play.
pub const UNLIMITED: u16 = 9_999;

/// Fields of a board line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FibsBoard {
    /// Both names, in the order of the line; see [`FibsBoard::seats`].
    pub names: [String; 2],
    /// Points needed to win the match; 0 (or [`UNLIMITED`]) for money play.
    pub length: u16,
    /// Points won, in the order of the names.
    pub scores: [u16; 2],
    /// Checkers, white's positive: the bar of the side moving up, the points 1 to 24, the bar of
    /// the side moving down.
    pub points: [i8; 26],
    /// Side on turn: 1 for white, -1 for black, 0 for neither. While a double waits for an answer
    /// this is the side that doubled.
    pub turn: i8,
    /// Dice of the side on turn, written twice; 0 if they have not been rolled.
    pub dice: [[u8; 2]; 2],
    /// Value of the cube. A double that waits for an answer is not counted.
    pub cube: u16,
    /// True if white or black, respectively, may double.
    pub may_double: [bool; 2],
    /// True if a double waits for an answer.
    pub doubled: bool,
    /// 1 if white moves in [`FibsBoard::direction`], -1 if black does.
    pub color: i8,
    /// -1 for moving down from 24, 1 for moving up from 1.
    pub direction: i8,
    /// Numbers of the home and the bar: 0 and 25, or 25 and 0. Redundant with the direction.
    pub home_and_bar: [u8; 2],
    /// White's and black's borne-off checkers.
    pub off: [u8; 2],
    /// Checkers on the bar, as FIBS counts them; GNU Backgammon writes zeros.
    pub on_bar: [u8; 2],
    /// Number of checkers that can be moved; GNU Backgammon writes 0.
    pub can_move: u8,
    /// 1 if the move is forced; GNU Backgammon writes 0.
    pub forced: u8,
    /// True if the Crawford game has been played.
    pub post_crawford: bool,
    /// Nonzero if this is not the Crawford game.
    pub no_crawford: u8,
}

impl FibsBoard {
    /// Reads a line. Surrounding whitespace, line ends and zero bytes are ignored.
    ///
    /// # Errors
    /// Returns an error for the first invalid field. Contradictions between fields are only
    /// detected by [`FibsBoard::to_game`].
    pub fn parse(line: &str) -> Result<FibsBoard, FibsError> {
        line::read(line)
    }

    /// Returns the line without a line end. Colons in names become underscores.
    pub fn to_line(&self) -> String {
        line::write(self)
    }

    /// Creates the line of a game, with the names of white and black.
    ///
    /// The format cannot express that a seat has decided to roll (it reads as one that may still
    /// double) or that a resignation was refused.
    ///
    /// # Errors
    /// Returns an error if the format cannot express the position.
    pub fn from_game(game: &Game, names: [&str; 2]) -> Result<FibsBoard, FibsWriteError> {
        let dice = dice(game)?;
        let (cube, owner) = shown_cube(game);
        let may_double = [WHITE, BLACK].map(|seat| owner.is_none_or(|owner| owner == seat));
        let mut board = FibsBoard {
            names: [String::new(), String::new()],
            length: u16::from(game.rules().length),
            scores: [0; 2],
            points: points(game),
            turn: if game.on_roll() == WHITE { 1 } else { -1 },
            dice: [dice; 2],
            cube,
            may_double,
            doubled: matches!(game.phase(), Phase::Doubled | Phase::Beavered),
            color: 1,
            direction: -1,
            home_and_bar: [0, 25],
            off: [
                game.white_board().mover().off(),
                game.white_board().other().off(),
            ],
            on_bar: [0; 2],
            can_move: 0,
            forced: 0,
            // A match to one point has no game before its Crawford game.
            post_crawford: game.crawford() == Crawford::After || game.rules().length == 1,
            no_crawford: u8::from(game.crawford() != Crawford::Now),
        };
        let seats = board.seats();
        board.names = seats.map(|seat| names[seat.index()].to_owned());
        board.scores = seats.map(|seat| u16::from(game.score()[seat.index()]));
        Ok(board)
    }

    /// Returns the seats in the order in which the line lists names and scores.
    pub fn seats(&self) -> [Seat; 2] {
        let first_is_white = self.is_double() && !self.is_beaver();
        if first_is_white {
            [WHITE, BLACK]
        } else {
            [BLACK, WHITE]
        }
    }

    /// Returns `true` if a double waits for an answer. Some programs express this by letting
    /// neither side double.
    fn is_double(&self) -> bool {
        self.doubled || (self.may_double == [false, false] && self.dice == [[0; 2]; 2])
    }

    /// Returns `true` if the double was beavered: the side to answer made the first double and no
    /// longer owns the cube.
    fn is_beaver(&self) -> bool {
        let on_roll = if self.turn >= 0 { 0 } else { 1 };
        self.doubled && self.cube > 1 && !self.may_double[on_roll] && self.may_double[1 - on_roll]
    }

    /// Returns the game, with the seat on turn that has to act: to play the dice, to roll or
    /// double, or to answer a double.
    ///
    /// A line does not include the rules of money play: [`Rules::MONEY`] is assumed. See also
    /// [`FibsBoard::to_game_with`].
    ///
    /// # Errors
    /// Returns an error if the fields contradict each other or the rules.
    pub fn to_game(&self) -> Result<Game, FibsError> {
        self.to_game_with(Rules::MONEY)
    }

    /// Like [`FibsBoard::to_game`], with the rules that are not part of the line: the use of the
    /// cube, the Jacoby rule, beavers, the starting layout, and the Crawford rule as long as no
    /// player is within a point of winning. The score of a money session is ignored.
    ///
    /// # Errors
    /// Returns an error if the fields contradict each other or the rules.
    pub fn to_game_with(&self, rules: Rules) -> Result<Game, FibsError> {
        let mut setup = Setup::new(self.rules(rules)?);
        setup.counts = self.counts()?;
        setup.on_roll = match self.turn {
            1.. => WHITE,
            0 => return Err(FibsError::Nobody),
            _ => BLACK,
        };
        setup.cube = self.cube()?;
        if setup.rules.is_match() {
            for (seat, score) in self.seats().into_iter().zip(self.scores) {
                setup.score[seat.index()] = u8::try_from(score).unwrap_or(u8::MAX);
            }
        }
        self.set_crawford(&mut setup);
        setup.phase = Phase::Rolling;
        let rolling = setup.validate().map_err(FibsError::Flaws)?;
        setup.phase = match self.roll()? {
            _ if self.is_beaver() => Phase::Beavered,
            _ if self.is_double() => Phase::Doubled,
            Some(roll) => Phase::Moving(roll.into()),
            None if rolling.can_double(setup.on_roll) => Phase::Cube,
            None => Phase::Rolling,
        };
        setup.validate().map_err(FibsError::Flaws)
    }

    fn rules(&self, rules: Rules) -> Result<Rules, FibsError> {
        let length = if self.length == UNLIMITED {
            0
        } else {
            self.length
        };
        match u8::try_from(length) {
            Ok(length) if length <= Rules::MAX_LENGTH => Ok(Rules { length, ..rules }.normalized()),
            _ => Err(FibsError::Length { length }),
        }
    }

    /// Returns white's and black's checkers in the form used by [`Setup`].
    fn counts(&self) -> Result<[[u8; 26]; 2], FibsError> {
        let white_goes_down = match (self.color.signum(), self.direction.signum()) {
            (0, _) | (_, 0) => return Err(FibsError::Direction),
            (color, direction) => color != direction,
        };
        let mut counts = [[0; 26]; 2];
        for (at, count) in self.points.iter().enumerate() {
            let place = if white_goes_down { at } else { 25 - at };
            let (seat, point) = if *count > 0 {
                (0, place)
            } else {
                (1, 25 - place)
            };
            counts[seat][point] = count.unsigned_abs();
        }
        // A checker of the wrong color on a bar ends up among those off.
        for (counts, off) in counts.iter_mut().zip(self.off) {
            counts[0] = off.saturating_add(counts[0]);
        }
        Ok(counts)
    }

    /// Returns the cube before the pending double.
    fn cube(&self) -> Result<Cube, FibsError> {
        let bad = FibsError::Cube(self.cube);
        if !self.cube.is_power_of_two() {
            return Err(bad);
        }
        let on_roll = if self.turn > 0 { WHITE } else { BLACK };
        let turned = self.cube.trailing_zeros() as u8;
        let (turned, owner) = match self.may_double {
            _ if self.is_beaver() => (turned - 1, Some(on_roll)),
            [true, false] => (turned, Some(WHITE)),
            [false, true] => (turned, Some(BLACK)),
            [false, false] => (turned, Some(on_roll)),
            [true, true] => (turned, None),
        };
        let owner = owner.filter(|_| turned > 0);
        Cube::new(turned, owner).ok_or(bad)
    }

    /// Sets the state of the Crawford rule, and whether it applies.
    fn set_crawford(&self, setup: &mut Setup) {
        let Rules {
            length,
            crawford,
            cube,
            ..
        } = setup.rules;
        let within_one = setup
            .score
            .iter()
            .any(|score| score.saturating_add(1) == length);
        if !(crawford && cube && length > 1 && within_one) {
            return;
        }
        match (self.post_crawford, self.no_crawford) {
            (true, _) => setup.crawford = Crawford::After,
            (false, 0) => setup.crawford = Crawford::Now,
            (false, _) => setup.rules.crawford = false,
        }
    }

    fn roll(&self) -> Result<Option<Roll>, FibsError> {
        let [own, other] = self.dice;
        let [one, two] = if own == [0; 2] { other } else { own };
        match (Die::new(one), Die::new(two)) {
            (Some(one), Some(two)) => Ok(Some(Roll::new(one, two))),
            (None, None) if one == 0 && two == 0 => Ok(None),
            _ => Err(FibsError::Dice(one, two)),
        }
    }
}

impl std::str::FromStr for FibsBoard {
    type Err = FibsError;

    fn from_str(line: &str) -> Result<FibsBoard, FibsError> {
        FibsBoard::parse(line)
    }
}

/// Returns the dice as written in a line.
fn dice(game: &Game) -> Result<[u8; 2], FibsWriteError> {
    if game.resigning().is_some() {
        return Err(FibsWriteError::Resignation);
    }
    match game.phase() {
        Phase::Opening | Phase::Over => Err(FibsWriteError::Nobody),
        Phase::Moving(Dice::Two { high, low }) => Ok([high.pips(), low.pips()]),
        Phase::Moving(Dice::Same { die, times: 4 }) => Ok([die.pips(); 2]),
        Phase::Moving(Dice::Same { .. }) => Err(FibsWriteError::PartOfARoll),
        Phase::Cube | Phase::Doubled | Phase::Beavered | Phase::Rolling => Ok([0; 2]),
    }
}

/// Returns the cube's value and owner as written in a line. After a beaver the first double is
/// counted, and the player who beavered is the owner.
fn shown_cube(game: &Game) -> (u16, Option<Seat>) {
    let cube = game.cube();
    if game.phase() == Phase::Beavered {
        return (2 * cube.value(), Some(game.on_roll().next(2)));
    }
    (cube.value(), cube.owner())
}

fn points(game: &Game) -> [i8; 26] {
    let (white, black) = (game.white_board().mover(), game.white_board().other());
    std::array::from_fn(|at| {
        let point = at as u8;
        let (own, facing) = match point {
            0 => (0, black.bar()),
            BAR => (white.bar(), 0),
            _ => (white.count(point), black.count(BAR - point)),
        };
        own as i8 - facing as i8
    })
}

/// Returns a move as GNU Backgammon expects it: `8/5 6/5`, `bar/22 24/20`, `6/off`, an empty string
/// for a pass; `roll`, `double`, `take`, `drop`, `beaver`, `resign 2`. GNU Backgammon never asks
/// external players about a resignation.
///
/// Every step is written separately, to leave no ambiguity.
pub fn answer(game: &Game, m: &Move) -> String {
    use parlor_core::Notation;
    match m {
        Move::Play(play) => play
            .steps()
            .iter()
            .map(CheckerStep::to_string)
            .collect::<Vec<_>>()
            .join(" "),
        Move::Resign(win) => format!("resign {}", win.factor()),
        word => game.move_text(word),
    }
}
