//! A game or match as it stands, and the rules that lead on.

use parlor_core::playout::draw;
use parlor_core::{Outcome, Position, Seat, Turn, below};
use rand::Rng;

use crate::illegal::Illegal;
use crate::legality;
use crate::play::Play;
use crate::{Board, Dice, Die, Roll, Rules, Win};

/// White's seat.
pub const WHITE: Seat = Seat::FIRST;
/// Black's seat.
pub const BLACK: Seat = Seat::SECOND;

/// A single game or a match, between two moves.
///
/// A match is one value from its first opening roll to its last point: when a game of it is over, the next one's
/// opening roll is what comes next.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Game {
    pub(crate) rules: Rules,
    /// Seen from the seat on roll.
    pub(crate) board: Board,
    pub(crate) on_roll: Seat,
    pub(crate) phase: Phase,
    pub(crate) cube: Cube,
    pub(crate) score: [u8; 2],
    pub(crate) crawford: Crawford,
    pub(crate) last: Option<Finished>,
    /// What the seat on roll offers to lose, waiting for an answer.
    pub(crate) resigning: Option<Win>,
    /// Whether such an offer was refused in this turn.
    pub(crate) refused: bool,
}

/// What comes next. "On roll" is the seat whose turn it is or who offered the cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Each throws one die; the higher begins with both.
    Opening,
    /// The seat on roll rolls or doubles.
    Cube,
    /// The seat on roll has doubled; the other takes or drops.
    Doubled,
    /// The double was doubled again; the seat on roll takes or drops.
    Beavered,
    /// The dice fall.
    Rolling,
    /// The seat on roll plays these dice.
    Moving(Dice),
    /// The match, or the single game, is over.
    Over,
}

/// The doubling cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Cube {
    /// How often it was turned: its value is 2 to this power.
    pub(crate) turned: u8,
    pub(crate) owner: Option<Seat>,
}

impl Cube {
    /// The most it can be turned: to 1024.
    pub const MOST: u8 = 10;

    /// A cube turned so often, on somebody's side or, with nobody, in the middle. `None` beyond [`Cube::MOST`].
    pub const fn new(turned: u8, owner: Option<Seat>) -> Option<Cube> {
        if turned <= Self::MOST {
            Some(Cube { turned, owner })
        } else {
            None
        }
    }

    /// What it shows: what the game is played for.
    pub const fn value(self) -> u16 {
        1 << self.turned
    }

    /// How often it was turned.
    pub const fn turned(self) -> u8 {
        self.turned
    }

    /// Who may turn it next; nobody means both.
    pub const fn owner(self) -> Option<Seat> {
        self.owner
    }
}

/// How far a match is with its Crawford game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Crawford {
    /// Nobody has come within a point of winning.
    #[default]
    Before,
    /// This game is played without the cube.
    Now,
    /// It was played.
    After,
}

/// How the last game of a match, or a single game, came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Finished {
    /// Who won it.
    pub by: Seat,
    /// What it was worth.
    pub points: u16,
    /// How; nothing when a double was dropped.
    pub win: Option<Win>,
}

/// What a seat does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Plays the dice; without steps it is the pass of somebody who cannot move.
    Play(Play),
    /// Rolls, and does not double.
    Roll,
    /// Offers the game at twice the stake.
    Double,
    /// Plays on at twice the stake and owns the cube.
    Take,
    /// Gives up the game at the stake there was.
    Drop,
    /// Doubles the double and keeps the cube.
    Beaver,
    /// Offers to lose the game so. It is never listed among the legal moves.
    Resign(Win),
    /// Takes the game that is offered.
    Accept,
    /// Plays on.
    Refuse,
}

/// What luck does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Chance {
    /// One die each, different ones, for who begins; equal ones are thrown again and are not told.
    Opening {
        /// White's die.
        white: Die,
        /// Black's die.
        black: Die,
    },
    /// A roll of two dice.
    Roll(Roll),
}

impl Game {
    /// Before the first roll.
    ///
    /// # Panics
    /// When the match is longer than [`Rules::MAX_LENGTH`].
    pub fn new(rules: Rules) -> Game {
        assert!(
            rules.length <= Rules::MAX_LENGTH,
            "a match is to at most {} points",
            Rules::MAX_LENGTH
        );
        let rules = rules.normal();
        let mut game = Game {
            rules,
            board: rules.start.board(),
            on_roll: WHITE,
            phase: Phase::Opening,
            cube: Cube::default(),
            score: [0, 0],
            crawford: Crawford::Before,
            last: None,
            resigning: None,
            refused: false,
        };
        game.begin();
        game
    }

    /// The rules of the table.
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// The checkers, seen from the seat on roll.
    pub const fn board(&self) -> Board {
        self.board
    }

    /// The checkers, seen from white.
    pub fn white_board(&self) -> Board {
        if self.on_roll == WHITE {
            self.board
        } else {
            self.board.swapped()
        }
    }

    /// Whose turn it is: who rolls, plays, or has offered the cube. It says nothing before an opening roll.
    pub const fn on_roll(&self) -> Seat {
        self.on_roll
    }

    /// What comes next.
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// The dice to play, if they lie.
    pub const fn dice(&self) -> Option<Dice> {
        match self.phase {
            Phase::Moving(dice) => Some(dice),
            _ => None,
        }
    }

    /// The dice that the seat on turn plays now: no resignation waits for its answer.
    fn to_play(&self) -> Option<Dice> {
        self.dice().filter(|_| self.resigning.is_none())
    }

    /// The cube.
    pub const fn cube(&self) -> Cube {
        self.cube
    }

    /// Points won so far, white's first.
    pub const fn score(&self) -> [u8; 2] {
        self.score
    }

    /// How far the match is with its Crawford game.
    pub const fn crawford(&self) -> Crawford {
        self.crawford
    }

    /// How the last game came out.
    pub const fn last(&self) -> Option<Finished> {
        self.last
    }

    /// What the seat on roll offers to lose, when that waits for an answer.
    pub const fn resigning(&self) -> Option<Win> {
        self.resigning
    }

    /// Whether the seat on roll may offer to lose the game: when it is to roll or to play, and once in a turn.
    pub fn may_resign(&self) -> bool {
        matches!(self.phase, Phase::Cube | Phase::Moving(_))
            && self.resigning.is_none()
            && !self.refused
    }

    /// How many points a seat still needs; nothing outside of matches.
    pub fn away(&self, seat: Seat) -> Option<u8> {
        self.rules
            .is_match()
            .then(|| self.rules.length - self.score[seat.index()])
    }

    /// Whether the seat may offer the cube when it is its turn to.
    ///
    /// A cube that could not help any more, because the points of a single win are already enough, stays where it is.
    pub fn may_double(&self, seat: Seat) -> bool {
        self.rules.cube
            && self.crawford != Crawford::Now
            && self.cube.owner.is_none_or(|owner| owner == seat)
            && self.cube.turned < Cube::MOST
            && self
                .away(seat)
                .is_none_or(|away| self.cube.value() < u16::from(away))
    }

    /// Whether a seat that is doubled may beaver.
    pub(crate) const fn may_beaver(&self) -> bool {
        self.rules.beavers && self.cube.turned + 2 <= Cube::MOST
    }

    /// Sets up the board for a game of the match.
    pub(crate) fn begin(&mut self) {
        self.board = self.rules.start.board();
        self.on_roll = WHITE;
        self.cube = Cube::default();
        (self.resigning, self.refused) = (None, false);
        self.phase = Phase::Opening;
        let within_one = self
            .score
            .iter()
            .any(|score| self.rules.length == score + 1);
        let crawford_rule = self.rules.crawford && self.rules.cube && self.rules.length > 1;
        self.crawford = match self.crawford {
            Crawford::Before if within_one && crawford_rule => Crawford::Now,
            Crawford::Now => Crawford::After,
            stays => stays,
        };
    }

    /// The other seat's turn.
    fn pass_on(&mut self) {
        self.board = self.board.swapped();
        self.on_roll = self.on_roll.next(2);
        self.refused = false;
        self.phase = if self.may_double(self.on_roll) {
            Phase::Cube
        } else {
            Phase::Rolling
        };
    }

    /// The game is won; the next begins, or the match is over.
    fn finish(&mut self, by: Seat, stake: u16, win: Option<Win>) {
        let counts = win
            .filter(|_| !(self.rules.jacoby && self.cube.turned == 0))
            .map_or(1, Win::factor);
        let points = stake * counts;
        self.last = Some(Finished { by, points, win });
        if !self.rules.is_match() {
            self.phase = Phase::Over;
            return;
        }
        let score = &mut self.score[by.index()];
        *score = u16::from(*score)
            .saturating_add(points)
            .min(u16::from(self.rules.length)) as u8;
        if *score == self.rules.length {
            self.phase = Phase::Over;
        } else {
            self.begin();
        }
    }

    fn play_dice(&mut self, play: &Play) {
        self.board = self.board.played(play);
        match self.board.won() {
            Some(win) => self.finish(self.on_roll, self.cube.value(), Some(win)),
            None => self.pass_on(),
        }
    }

    /// How the match, or the single game, came out.
    fn outcome(&self) -> Outcome {
        let last = self.last.expect("what is over has a winner");
        let points = if self.rules.is_match() {
            1
        } else {
            last.points
        };
        Outcome::Won {
            by: last.by,
            points,
        }
    }
}

impl Position for Game {
    type Move = Move;
    type Chance = Chance;
    type Illegal = Illegal;

    fn seats(&self) -> u8 {
        2
    }

    fn turn(&self) -> Turn {
        match self.phase {
            _ if self.resigning.is_some() => Turn::Move(self.on_roll.next(2)),
            Phase::Opening | Phase::Rolling => Turn::Chance,
            Phase::Cube | Phase::Moving(_) | Phase::Beavered => Turn::Move(self.on_roll),
            Phase::Doubled => Turn::Move(self.on_roll.next(2)),
            Phase::Over => Turn::Over(self.outcome()),
        }
    }

    fn legal_moves_into(&self, out: &mut Vec<Move>) {
        out.clear();
        match self.phase {
            _ if self.resigning.is_some() => out.extend([Move::Accept, Move::Refuse]),
            Phase::Cube => out.extend([Move::Roll, Move::Double]),
            Phase::Doubled if self.may_beaver() => {
                out.extend([Move::Take, Move::Drop, Move::Beaver])
            }
            Phase::Doubled | Phase::Beavered => out.extend([Move::Take, Move::Drop]),
            Phase::Moving(dice) => legality::moves_into(&self.board, dice, out),
            Phase::Opening | Phase::Rolling | Phase::Over => {}
        }
    }

    fn check(&self, m: &Move) -> Result<(), Illegal> {
        legality::check(self, m)
    }

    fn play_unchecked(&mut self, m: &Move) {
        match m {
            Move::Play(play) => self.play_dice(play),
            Move::Roll => self.phase = Phase::Rolling,
            Move::Double => self.phase = Phase::Doubled,
            Move::Take if self.phase == Phase::Beavered => {
                self.cube = Cube {
                    turned: self.cube.turned + 2,
                    owner: Some(self.on_roll.next(2)),
                };
                self.phase = Phase::Rolling;
            }
            Move::Take => {
                self.cube = Cube {
                    turned: self.cube.turned + 1,
                    owner: Some(self.on_roll.next(2)),
                };
                self.phase = Phase::Rolling;
            }
            Move::Beaver => self.phase = Phase::Beavered,
            // Whoever drops a beaver loses the double that it answered.
            Move::Drop if self.phase == Phase::Beavered => {
                self.finish(self.on_roll.next(2), 2 * self.cube.value(), None);
            }
            Move::Drop => self.finish(self.on_roll, self.cube.value(), None),
            Move::Resign(win) => self.resigning = Some(*win),
            Move::Accept => {
                let win = self.resigning.take();
                self.finish(self.on_roll.next(2), self.cube.value(), win);
            }
            Move::Refuse => (self.resigning, self.refused) = (None, true),
        }
    }

    fn chances_into(&self, out: &mut Vec<(Chance, u32)>) {
        out.clear();
        match self.phase {
            Phase::Opening => {
                let pairs =
                    Die::all().flat_map(|white| Die::all().map(move |black| (white, black)));
                let unlike = pairs.filter(|(white, black)| white != black);
                out.extend(unlike.map(|(white, black)| (Chance::Opening { white, black }, 1)));
            }
            Phase::Rolling => {
                out.extend(Roll::all().map(|roll| (Chance::Roll(roll), roll.weight())))
            }
            _ => {}
        }
    }

    fn random_chance<R: Rng + ?Sized>(
        &self,
        rng: &mut R,
        scratch: &mut Vec<(Chance, u32)>,
    ) -> Option<Chance> {
        if self.phase == Phase::Rolling {
            return Some(Chance::Roll(Roll::thrown(rng)));
        }
        self.chances_into(scratch);
        draw(rng, scratch).copied()
    }

    fn resolve_unchecked(&mut self, c: &Chance) {
        match *c {
            Chance::Opening { white, black } => {
                if black > white {
                    self.board = self.board.swapped();
                    self.on_roll = BLACK;
                }
                self.phase = Phase::Moving(Roll::new(white, black).into());
            }
            Chance::Roll(roll) => self.phase = Phase::Moving(roll.into()),
        }
    }

    fn count_moves(&self, scratch: &mut Vec<Move>) -> u64 {
        if let Some(dice) = self.to_play() {
            return self.board.count_plays(dice);
        }
        self.legal_moves_into(scratch);
        scratch.len() as u64
    }

    fn random_move<R: Rng + ?Sized>(&self, rng: &mut R, scratch: &mut Vec<Move>) -> Option<Move> {
        if let Some(dice) = self.to_play() {
            return Some(Move::Play(self.board.random_play(dice, rng)));
        }
        self.legal_moves_into(scratch);
        let pick = below(rng, scratch.len() as u32) as usize;
        scratch.get(pick).copied()
    }

    /// As everybody counts backgammon: every roll of 21 at every turn, the first one too, and checkers only.
    fn counted_from(&self) -> Game {
        let mut from = self.clone();
        from.rules.cube = false;
        if matches!(from.phase, Phase::Opening | Phase::Cube) {
            from.phase = Phase::Rolling;
        }
        from
    }

    fn forced(&self) -> Option<Move> {
        let dice = self.to_play()?;
        let pass = Move::Play(Play::PASS);
        legality::is_stuck(&self.board, dice).then_some(pass)
    }
}
