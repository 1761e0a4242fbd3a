//! Described situations, and which of them are games.

use std::fmt;

use parlor_core::Seat;

use crate::board::Win;
use crate::game::{Crawford, Cube, Finished, Game, Phase};
use crate::{Board, CHECKERS, Rules, Side, WHITE};

/// A described situation that has not been looked at yet.
///
/// ```
/// use parlor_backgammon::{Flaw, Rules, Setup};
/// let mut setup = Setup::new(Rules::GAME);
/// setup.counts[0][24] = 3; // white gets a sixteenth checker
/// let flaws = setup.validate().expect_err("sixteen are too many");
/// assert!(matches!(flaws.0[..], [Flaw::Checkers { sum: 16, .. }]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The rules.
    pub rules: Rules,
    /// White's and black's checkers: off, the points 1 to 24 in their own numbers, the bar.
    pub counts: [[u8; 26]; 2],
    /// Whose turn it is.
    pub on_roll: Seat,
    /// What comes next.
    pub phase: Phase,
    /// The cube.
    pub cube: Cube,
    /// White's and black's points.
    pub score: [u8; 2],
    /// How far the match is with its Crawford game.
    pub crawford: Crawford,
    /// How the last game came out.
    pub last: Option<Finished>,
    /// What the seat on roll offers to lose.
    pub resigning: Option<Win>,
    /// Whether that was refused in this turn.
    pub refused: bool,
}

/// Something that no game can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// Too many or too few checkers.
    #[error("{} has {sum} checkers; there are 15", color(*seat))]
    Checkers {
        /// Whose.
        seat: Seat,
        /// How many.
        sum: u32,
    },
    /// Two colors on one point.
    #[error("both players have checkers on white's point {point}")]
    Shared {
        /// White's number of it.
        point: u8,
    },
    /// A side has all its checkers off, and the game goes on.
    #[error("{} has borne off all checkers, but the game is not over", color(*seat))]
    Finished {
        /// Whose.
        seat: Seat,
    },
    /// Both sides have all their checkers off.
    #[error("both players have borne off all checkers")]
    BothDone,
    /// A game that is over shows nobody who won.
    #[error("the game is over, but nobody has won it")]
    NoWinner,
    /// The match is too long.
    #[error("a match is to 1 to {} points, not to {length}", Rules::MAX_LENGTH)]
    Length {
        /// To how many.
        length: u8,
    },
    /// More points than the match has, or as many though it goes on, or fewer though it is over.
    #[error("the score {white}-{black} is none of a match to {length} that is {}", if *over { "over" } else { "going on" })]
    Score {
        /// White's points.
        white: u8,
        /// Black's points.
        black: u8,
        /// Points to win.
        length: u8,
        /// Whether it is said to be over.
        over: bool,
    },
    /// The Crawford game is somewhere else.
    #[error("the Crawford game does not fit the score")]
    Crawford,
    /// A turned cube without owner, or an owned one that was not turned.
    #[error("a cube that was turned has an owner, and one that was not has none")]
    CubeOwner,
    /// A cube where there is none.
    #[error("there is no cube in this game, so it cannot be turned")]
    NoCube,
    /// A resignation when it is nobody's turn to resign, or after one was refused.
    #[error("nobody can resign here")]
    Resignation,
    /// An offer that may not be made.
    #[error("the cube cannot be offered here")]
    NoDouble,
}

/// Everything that speaks against a [`Setup`], at least one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaws(pub Vec<Flaw>);

impl fmt::Display for Flaws {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flaws: Vec<String> = self.0.iter().map(Flaw::to_string).collect();
        f.write_str(&flaws.join("; "))
    }
}

impl std::error::Error for Flaws {}

/// A color's name.
pub(crate) fn color(seat: Seat) -> &'static str {
    if seat == WHITE { "white" } else { "black" }
}

impl Setup {
    /// The start by these rules, before the first roll.
    pub fn new(rules: Rules) -> Setup {
        let rules = Rules {
            length: rules.length.min(Rules::MAX_LENGTH),
            ..rules
        };
        Setup::of(&Game::new(rules))
    }

    /// The description of a game.
    pub fn of(game: &Game) -> Setup {
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

    /// The game, if it is one.
    ///
    /// # Errors
    /// Every [`Flaw`].
    pub fn validate(&self) -> Result<Game, Flaws> {
        let mut flaws = Vec::new();
        self.checkers(&mut flaws);
        self.points(&mut flaws);
        if !flaws.is_empty() {
            return Err(Flaws(flaws));
        }
        let side = |counts: &[u8; 26]| Side::from_counts(counts).unwrap_or(Side::DONE);
        let board = Board {
            mover: side(&self.counts[0]),
            other: side(&self.counts[1]),
        };
        let game = Game {
            rules: self.rules.normal(),
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
            last: self.last.or_else(|| won(&board)),
            resigning: self.resigning,
            refused: self.refused,
        };
        let offers = matches!(self.phase, Phase::Cube | Phase::Doubled | Phase::Beavered);
        if offers && !game.may_double(self.on_roll)
            || self.phase == Phase::Beavered && !game.may_beaver()
        {
            flaws.push(Flaw::NoDouble);
        }
        let turn = matches!(self.phase, Phase::Cube | Phase::Moving(_));
        if (self.resigning.is_some() || self.refused) && !turn
            || self.resigning.is_some() && self.refused
        {
            flaws.push(Flaw::Resignation);
        }
        if self.phase == Phase::Over && game.last.is_none() {
            flaws.push(Flaw::NoWinner);
        }
        if flaws.is_empty() {
            Ok(game)
        } else {
            Err(Flaws(flaws))
        }
    }

    fn checkers(&self, flaws: &mut Vec<Flaw>) {
        for seat in Seat::all(2) {
            let counts = &self.counts[seat.index()];
            let sum = counts.iter().map(|n| u32::from(*n)).sum();
            if sum != u32::from(CHECKERS) {
                flaws.push(Flaw::Checkers { seat, sum });
            }
            if counts[0] >= CHECKERS && self.phase != Phase::Over {
                flaws.push(Flaw::Finished { seat });
            }
        }
        if self.counts.iter().all(|counts| counts[0] >= CHECKERS) {
            flaws.push(Flaw::BothDone);
        }
        let shared = (1..=24u8).filter(|point| {
            self.counts[0][usize::from(*point)] > 0 && self.counts[1][usize::from(25 - point)] > 0
        });
        flaws.extend(shared.map(|point| Flaw::Shared { point }));
    }

    fn points(&self, flaws: &mut Vec<Flaw>) {
        let Rules { length, .. } = self.rules;
        let [white, black] = self.score;
        if length > Rules::MAX_LENGTH {
            flaws.push(Flaw::Length { length });
        }
        let over = self.phase == Phase::Over;
        let fits = match self.score.iter().filter(|score| **score >= length).count() {
            _ if length == 0 => self.score == [0, 0],
            0 => !over,
            1 => over && white.max(black) == length,
            _ => false,
        };
        if !fits {
            flaws.push(Flaw::Score {
                white,
                black,
                length,
                over,
            });
        }
        if fits && !over && !self.crawford_fits() {
            flaws.push(Flaw::Crawford);
        }
        if (self.cube.turned() > 0) != self.cube.owner().is_some() {
            flaws.push(Flaw::CubeOwner);
        }
        let used =
            self.cube.turned() > 0 || self.crawford == Crawford::Now && self.rules.length > 0;
        if used
            && (!self.rules.normal().cube
                || self.crawford == Crawford::Now && self.cube.turned() > 0)
        {
            flaws.push(Flaw::NoCube);
        }
    }

    fn crawford_fits(&self) -> bool {
        let rules = self.rules.normal();
        let rule = rules.crawford && rules.cube && rules.length > 1;
        let within_one = self.score.iter().any(|score| score + 1 == rules.length);
        match self.crawford {
            Crawford::Before => !(rule && within_one),
            Crawford::Now => rule && within_one,
            Crawford::After => rule && within_one,
        }
    }
}

/// Who has won a single game that shows it.
fn won(white: &Board) -> Option<Finished> {
    let by = |seat, board: Board| {
        board.won().map(|win: Win| Finished {
            by: seat,
            points: win.factor(),
            win: Some(win),
        })
    };
    by(WHITE, *white).or_else(|| by(crate::BLACK, white.swapped()))
}
