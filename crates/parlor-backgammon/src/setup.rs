//! Descriptions of positions, and their validation.

use std::fmt;

use parlor_core::Seat;

use crate::board::Win;
use crate::game::{Crawford, Cube, Game, GameResult, Phase};
use crate::{Board, CHECKERS, Rules, Side, WHITE};

/// Description of a position that has not been validated yet.
///
/// ```
/// use parlor_backgammon::{GameFlaw, Rules, Setup};
/// let mut setup = Setup::new(Rules::GAME);
/// setup.counts[0][24] = 3; // white gets a sixteenth checker
/// let flaws = setup.validate().expect_err("sixteen are too many");
/// assert!(matches!(flaws.0[..], [GameFlaw::Checkers { sum: 16, .. }]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Rules of the game.
    pub rules: Rules,
    /// White's and black's checkers, in their own numbers: off, the points 1 to 24, the bar.
    pub counts: [[u8; 26]; 2],
    /// Seat on roll.
    pub on_roll: Seat,
    /// Phase of the turn.
    pub phase: Phase,
    /// Doubling cube.
    pub cube: Cube,
    /// White's and black's points in the match.
    pub score: [u8; 2],
    /// State of the Crawford rule in the match.
    pub crawford: Crawford,
    /// Result of the previous game.
    pub last: Option<GameResult>,
    /// Loss that the seat on roll offers by resigning.
    pub resigning: Option<Win>,
    /// True if a resignation was refused in this turn.
    pub refused: bool,
}

/// Reason why a [`Setup`] is not a valid position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameFlaw {
    /// A side has too many or too few checkers.
    #[error("{} has {sum} checkers; there are 15", color_name(*seat))]
    Checkers {
        /// Seat with the wrong number.
        seat: Seat,
        /// Number of its checkers.
        sum: u32,
    },
    /// Both colors have checkers on the same point.
    #[error("both players have checkers on white's point {point}")]
    Shared {
        /// The point, in white's numbering.
        point: u8,
    },
    /// A side has all its checkers off, but the game goes on.
    #[error("{} has borne off all checkers, but the game is not over", color_name(*seat))]
    Finished {
        /// The side.
        seat: Seat,
    },
    /// Both sides have all their checkers off.
    #[error("both players have borne off all checkers")]
    BothDone,
    /// The game is over but has no winner.
    #[error("the game is over, but it has no winner")]
    NoWinner,
    /// The match is longer than [`Rules::MAX_LENGTH`].
    #[error("a match is to 1 to {} points, not {length}", Rules::MAX_LENGTH)]
    Length {
        /// Match length that was given.
        length: u8,
    },
    /// The score does not fit the match length, or does not fit whether the match is over.
    #[error(
        "the score {white}-{black} is not possible in a match to {length} that is {}",
        if *over { "over" } else { "going on" }
    )]
    Score {
        /// White's points.
        white: u8,
        /// Black's points.
        black: u8,
        /// Points needed to win.
        length: u8,
        /// True if the setup says that the match is over.
        over: bool,
    },
    /// The state of the Crawford rule does not fit the score.
    #[error("the Crawford game does not fit the score")]
    Crawford,
    /// The cube was turned but has no owner, or has an owner but was not turned.
    #[error("a cube has an owner exactly if it was turned")]
    CubeOwner,
    /// The cube is used where there is none.
    #[error("there is no cube in this game, so it cannot be turned")]
    NoCube,
    /// A resignation is offered or refused where none is possible.
    #[error("no resignation is possible here")]
    Resignation,
    /// A double is offered where none is allowed.
    #[error("no double is possible here")]
    NoDouble,
}

/// All reasons why a [`Setup`] is invalid; at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameFlaws(pub Vec<GameFlaw>);

impl fmt::Display for GameFlaws {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flaws: Vec<String> = self.0.iter().map(GameFlaw::to_string).collect();
        f.write_str(&flaws.join("; "))
    }
}

impl std::error::Error for GameFlaws {}

/// Returns the name of a seat's color: `white` or `black`.
pub fn color_name(seat: Seat) -> &'static str {
    if seat == WHITE { "white" } else { "black" }
}

impl Setup {
    /// Returns the starting position under these rules, before the first roll.
    pub fn new(rules: Rules) -> Setup {
        let rules = Rules {
            length: rules.length.min(Rules::MAX_LENGTH),
            ..rules
        };
        Setup::from_game(&Game::new(rules))
    }

    /// Returns the description of a game.
    pub fn from_game(game: &Game) -> Setup {
        let board = game.white_board();
        Setup {
            rules: game.rules,
            counts: [board.mover.counts(), board.other.counts()],
            on_roll: game.on_roll,
            phase: game.phase,
            cube: game.cube,
            score: game.score,
            crawford: game.crawford,
            last: game.last,
            resigning: game.resigning,
            refused: game.refused,
        }
    }

    /// Validates the description and returns the game.
    ///
    /// # Errors
    /// Returns every [`GameFlaw`] of the description.
    pub fn validate(&self) -> Result<Game, GameFlaws> {
        let mut flaws = Vec::new();
        self.check_checkers(&mut flaws);
        self.check_match(&mut flaws);
        if !flaws.is_empty() {
            return Err(GameFlaws(flaws));
        }
        let side = |counts: &[u8; 26]| Side::from_counts(counts).unwrap_or(Side::DONE);
        let board = Board {
            mover: side(&self.counts[0]),
            other: side(&self.counts[1]),
        };
        let game = Game {
            rules: self.rules.normalized(),
            board: if self.on_roll == WHITE {
                board
            } else {
                board.swapped()
            },
            on_roll: self.on_roll,
            phase: self.phase,
            cube: self.cube,
            score: self.score,
            crawford: self.crawford,
            last: self.last.or_else(|| result_of(&board)),
            resigning: self.resigning,
            refused: self.refused,
        };
        let offers = matches!(self.phase, Phase::Cube | Phase::Doubled | Phase::Beavered);
        if offers && !game.can_double(self.on_roll)
            || self.phase == Phase::Beavered && !game.can_beaver()
        {
            flaws.push(GameFlaw::NoDouble);
        }
        let turn = matches!(self.phase, Phase::Cube | Phase::Moving(_));
        // A refusal is remembered until the end of the turn, a resignation is answered at once.
        let in_turn = !matches!(self.phase, Phase::Opening | Phase::Over);
        if self.resigning.is_some() && (!turn || self.refused) || self.refused && !in_turn {
            flaws.push(GameFlaw::Resignation);
        }
        if self.phase == Phase::Over && game.last.is_none() {
            flaws.push(GameFlaw::NoWinner);
        }
        if flaws.is_empty() {
            Ok(game)
        } else {
            Err(GameFlaws(flaws))
        }
    }

    fn check_checkers(&self, flaws: &mut Vec<GameFlaw>) {
        for seat in Seat::all(2) {
            let counts = &self.counts[seat.index()];
            let sum = counts.iter().map(|n| u32::from(*n)).sum();
            if sum != u32::from(CHECKERS) {
                flaws.push(GameFlaw::Checkers { seat, sum });
            }
            if counts[0] >= CHECKERS && self.phase != Phase::Over {
                flaws.push(GameFlaw::Finished { seat });
            }
        }
        if self.counts.iter().all(|counts| counts[0] >= CHECKERS) {
            flaws.push(GameFlaw::BothDone);
        }
        let shared = (1..=24u8).filter(|point| {
            self.counts[0][usize::from(*point)] > 0 && self.counts[1][usize::from(25 - point)] > 0
        });
        flaws.extend(shared.map(|point| GameFlaw::Shared { point }));
    }

    fn check_match(&self, flaws: &mut Vec<GameFlaw>) {
        let Rules { length, .. } = self.rules;
        let [white, black] = self.score;
        if length > Rules::MAX_LENGTH {
            flaws.push(GameFlaw::Length { length });
        }
        let over = self.phase == Phase::Over;
        let fits = match self.score.iter().filter(|score| **score >= length).count() {
            _ if length == 0 => self.score == [0, 0],
            0 => !over,
            1 => over && white.max(black) == length,
            _ => false,
        };
        if !fits {
            flaws.push(GameFlaw::Score {
                white,
                black,
                length,
                over,
            });
        }
        if fits && !over && !self.crawford_fits() {
            flaws.push(GameFlaw::Crawford);
        }
        if (self.cube.turned() > 0) != self.cube.owner().is_some() {
            flaws.push(GameFlaw::CubeOwner);
        }
        let used =
            self.cube.turned() > 0 || self.crawford == Crawford::Now && self.rules.length > 0;
        if used
            && (!self.rules.normalized().cube
                || self.crawford == Crawford::Now && self.cube.turned() > 0)
        {
            flaws.push(GameFlaw::NoCube);
        }
    }

    fn crawford_fits(&self) -> bool {
        let rules = self.rules.normalized();
        let rule = rules.crawford && rules.cube && rules.length > 1;
        let within_one = self.score.iter().any(|score| score + 1 == rules.length);
        match self.crawford {
            Crawford::Before => !(rule && within_one),
            Crawford::Now => rule && within_one,
            Crawford::After => rule && within_one,
        }
    }
}

/// Returns the result if one side has borne off all its checkers.
fn result_of(white: &Board) -> Option<GameResult> {
    let by = |seat, board: Board| {
        board.won().map(|win: Win| GameResult {
            by: seat,
            points: win.factor(),
            win: Some(win),
        })
    };
    by(WHITE, *white).or_else(|| by(crate::BLACK, white.swapped()))
}
