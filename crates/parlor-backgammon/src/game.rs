//! The state of a game or match, and the rules for continuing it.

use parlor_core::playout::choose_weighted;
use parlor_core::{Outcome, Position, Seat, Turn, random_below};
use rand::Rng;

use crate::illegal::Illegal;
use crate::legality;
use crate::play::Play;
use crate::{Board, Dice, Die, Roll, Rules, Win};

/// White's seat.
pub const WHITE: Seat = Seat::FIRST;
/// Black's seat.
pub const BLACK: Seat = Seat::SECOND;

/// State of a single game or a match.
///
/// One value covers a match from its first opening roll to its last point: when a game of the match
/// is over, the opening roll of the next one follows.
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
    pub(crate) last: Option<GameResult>,
    /// Loss that the seat on roll offers by resigning, until it is answered.
    pub(crate) resigning: Option<Win>,
    /// True if a resignation was refused in this turn.
    pub(crate) refused: bool,
}

/// Phase of the turn. The seat "on roll" is the one whose turn it is, including while its double
/// waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Each player throws one die; the higher starts and plays both.
    Opening,
    /// The seat on roll rolls or doubles.
    Cube,
    /// The seat on roll has doubled; the opponent takes or drops.
    Doubled,
    /// The double was beavered; the seat on roll takes or drops.
    Beavered,
    /// The dice are about to be rolled.
    Rolling,
    /// The seat on roll plays these dice.
    Moving(Dice),
    /// The game or match is over.
    Over,
}

/// The doubling cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Cube {
    /// Number of times the cube was turned: its value is 2 to this power.
    pub(crate) turned: u8,
    pub(crate) owner: Option<Seat>,
}

impl Cube {
    /// Maximum number of turns, for a cube at 1024.
    pub const MAX_TURNS: u8 = 10;

    /// Returns a cube that was turned this many times; without an owner it is centered. Returns
    /// `None` beyond [`Cube::MAX_TURNS`].
    pub const fn new(turned: u8, owner: Option<Seat>) -> Option<Cube> {
        if turned <= Self::MAX_TURNS {
            Some(Cube { turned, owner })
        } else {
            None
        }
    }

    /// Returns the value on the cube, the stake of the game.
    pub const fn value(self) -> u16 {
        1 << self.turned
    }

    /// Returns the number of times the cube was turned.
    pub const fn turned(self) -> u8 {
        self.turned
    }

    /// Returns the seat that may turn it next; `None` if both may.
    pub const fn owner(self) -> Option<Seat> {
        self.owner
    }
}

/// State of the Crawford rule in a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Crawford {
    /// No player has come within a point of winning.
    #[default]
    Before,
    /// This game is played without the cube.
    Now,
    /// The Crawford game has been played.
    After,
}

/// Result of a finished game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameResult {
    /// The winner.
    pub by: Seat,
    /// Points won, including the cube.
    pub points: u16,
    /// Size of the win; `None` if a double was dropped.
    pub win: Option<Win>,
}

/// A move of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Plays the dice; without steps it is the pass of a player who cannot move.
    Play(Play),
    /// Rolls without doubling.
    Roll,
    /// Doubles: offers the game at twice the stake.
    Double,
    /// Takes a double: plays on at twice the stake and owns the cube.
    Take,
    /// Drops a double: loses the game at the stake before it.
    Drop,
    /// Beavers: redoubles at once and keeps the cube.
    Beaver,
    /// Offers to resign with a loss of this size. Never listed among the legal moves.
    Resign(Win),
    /// Accepts the opponent's resignation.
    Accept,
    /// Refuses the opponent's resignation and plays on.
    Refuse,
}

/// A random event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Chance {
    /// The opening throw, one die each. The dice always differ: equal throws are repeated and not
    /// recorded.
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
    /// Creates a game before its first roll.
    ///
    /// # Panics
    /// Panics if the match is longer than [`Rules::MAX_LENGTH`].
    pub fn new(rules: Rules) -> Game {
        assert!(
            rules.length <= Rules::MAX_LENGTH,
            "a match is to at most {} points",
            Rules::MAX_LENGTH
        );
        let rules = rules.normalized();
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
        game.begin_game();
        game
    }

    /// Returns the rules.
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// Returns the checkers, seen from the seat on roll.
    pub const fn board(&self) -> Board {
        self.board
    }

    /// Returns the checkers, seen from white.
    pub fn white_board(&self) -> Board {
        if self.on_roll == WHITE {
            self.board
        } else {
            self.board.swapped()
        }
    }

    /// Returns the seat whose turn it is: the one that rolls, plays, or has offered the cube.
    /// Meaningless before the opening roll.
    pub const fn on_roll(&self) -> Seat {
        self.on_roll
    }

    /// Returns the phase of the turn.
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// Returns the dice to play, if they have been rolled.
    pub const fn dice(&self) -> Option<Dice> {
        match self.phase {
            Phase::Moving(dice) => Some(dice),
            _ => None,
        }
    }

    /// Returns the dice to be played now; `None` while a resignation waits for an answer.
    fn dice_to_play(&self) -> Option<Dice> {
        self.dice().filter(|_| self.resigning.is_none())
    }

    /// Returns the cube.
    pub const fn cube(&self) -> Cube {
        self.cube
    }

    /// Returns the points won so far, white's first.
    pub const fn score(&self) -> [u8; 2] {
        self.score
    }

    /// Returns the state of the Crawford rule in the match.
    pub const fn crawford(&self) -> Crawford {
        self.crawford
    }

    /// Returns the result of the last finished game.
    pub const fn last_result(&self) -> Option<GameResult> {
        self.last
    }

    /// Returns the loss that the seat on roll offers by resigning, while it waits for an answer.
    pub const fn resigning(&self) -> Option<Win> {
        self.resigning
    }

    /// Returns `true` if the seat on roll may offer to resign: when it is to roll or to play, and
    /// once per turn.
    pub fn can_resign(&self) -> bool {
        matches!(self.phase, Phase::Cube | Phase::Moving(_))
            && self.resigning.is_none()
            && !self.refused
    }

    /// Returns the number of points a seat still needs; `None` outside matches.
    pub fn away(&self, seat: Seat) -> Option<u8> {
        self.rules
            .is_match()
            .then(|| self.rules.length - self.score[seat.index()])
    }

    /// Returns `true` if the seat may double when it is its turn to roll.
    ///
    /// Doubling is not allowed with a dead cube: one whose value already wins the match for its
    /// owner.
    pub fn can_double(&self, seat: Seat) -> bool {
        self.rules.cube
            && self.crawford != Crawford::Now
            && self.cube.owner.is_none_or(|owner| owner == seat)
            && self.cube.turned < Cube::MAX_TURNS
            && self
                .away(seat)
                .is_none_or(|away| self.cube.value() < u16::from(away))
    }

    /// Returns `true` if a seat that is doubled may beaver.
    pub(crate) const fn can_beaver(&self) -> bool {
        self.rules.beavers && self.cube.turned + 2 <= Cube::MAX_TURNS
    }

    /// Sets up the board for the next game of the match.
    pub(crate) fn begin_game(&mut self) {
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

    /// Passes the turn to the other seat.
    fn end_turn(&mut self) {
        self.board = self.board.swapped();
        self.on_roll = self.on_roll.next(2);
        self.refused = false;
        self.phase = if self.can_double(self.on_roll) {
            Phase::Cube
        } else {
            Phase::Rolling
        };
    }

    /// Ends the game and starts the next one, unless the match is over.
    fn finish(&mut self, by: Seat, stake: u16, win: Option<Win>) {
        let counts = win
            .filter(|_| !(self.rules.jacoby && self.cube.turned == 0))
            .map_or(1, Win::factor);
        let points = stake * counts;
        self.last = Some(GameResult { by, points, win });
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
            self.begin_game();
        }
    }

    fn play_dice(&mut self, play: &Play) {
        self.board = self.board.played(play);
        match self.board.won() {
            Some(win) => self.finish(self.on_roll, self.cube.value(), Some(win)),
            None => self.end_turn(),
        }
    }

    /// Returns the outcome of the finished game or match.
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
            Phase::Doubled if self.can_beaver() => {
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
            // Dropping a beaver loses the original double.
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
            return Some(Chance::Roll(Roll::random(rng)));
        }
        self.chances_into(scratch);
        choose_weighted(rng, scratch).copied()
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
        if let Some(dice) = self.dice_to_play() {
            return self.board.count_plays(dice);
        }
        self.legal_moves_into(scratch);
        scratch.len() as u64
    }

    fn random_move<R: Rng + ?Sized>(&self, rng: &mut R, scratch: &mut Vec<Move>) -> Option<Move> {
        if let Some(dice) = self.dice_to_play() {
            return Some(Move::Play(self.board.random_play(dice, rng)));
        }
        self.legal_moves_into(scratch);
        let pick = random_below(rng, scratch.len() as u32) as usize;
        scratch.get(pick).copied()
    }

    /// Perft convention of other programs: all 21 rolls at every turn, including the first, and no
    /// cube.
    fn perft_root(&self) -> Game {
        let mut from = self.clone();
        from.rules.cube = false;
        if matches!(from.phase, Phase::Opening | Phase::Cube) {
            from.phase = Phase::Rolling;
        }
        from
    }

    fn forced_move(&self) -> Option<Move> {
        let dice = self.dice_to_play()?;
        let pass = Move::Play(Play::PASS);
        self.board.is_stuck(dice).then_some(pass)
    }
}
