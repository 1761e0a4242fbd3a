//! Self-play games that produce samples.

use parlor_backgammon::{Board, CHECKERS, Die, Play, Roll, Side};
use parlor_core::random_below;

use super::super::bearoff;
use super::super::chances::{Chances, final_chances};
use super::super::evaluator::BackgammonEvaluator;
use super::super::greedy::GreedyBackgammon;
use super::BackgammonSample;
use crate::Prng;

/// Maximum number of plays in a game: untrained nets can go round in circles for thousands. A game
/// of good nets takes about sixty, and never more than a few hundred.
const LONGEST: usize = 500;

/// Number of plays evaluated by the full nets after the quick one has preselected them, in
/// training.
const LIKELY: usize = 8;

/// Nets that play against themselves without looking ahead.
#[derive(Clone, Debug)]
pub struct BackgammonSelfPlayer {
    eval: BackgammonEvaluator,
    /// True if the quick net preselects plays.
    quick: bool,
    results: Vec<Board>,
    glances: Vec<(f32, Board)>,
    /// Positions of a game, each with the net's chances.
    path: Vec<(Board, Chances)>,
    /// Number of positions evaluated so far, including those by the quick net alone.
    pub judged: u64,
}

/// Starting position of a training game.
#[derive(Clone, Copy, Debug)]
pub enum GameStart {
    /// The usual start.
    Start,
    /// The start, after some random plays by both players or one.
    RandomPlays,
    /// A random race: both sides anywhere, past each other.
    RandomRace,
    /// A given board.
    Board(Board),
}

impl BackgammonSelfPlayer {
    /// Creates a player; with `quick`, the quick net preselects plays.
    pub fn new(eval: BackgammonEvaluator, quick: bool) -> BackgammonSelfPlayer {
        BackgammonSelfPlayer {
            eval,
            quick,
            results: Vec::new(),
            glances: Vec::new(),
            path: Vec::new(),
            judged: 0,
        }
    }

    /// Returns the board after the best play, seen from the opponent, and the opponent's chances
    /// there.
    pub fn best(&mut self, board: &Board, roll: Roll) -> (Board, Chances) {
        board.afterstates_into(roll.into(), &mut self.results);
        self.results
            .iter_mut()
            .for_each(|after| *after = after.swapped());
        self.judged += self.results.len() as u64;
        let base = self.eval.base(&board.swapped());
        if self.quick && self.results.len() > LIKELY && !board.is_race() {
            self.glances.clear();
            let glance =
                |after: &Board| (self.eval.quick_chances_from(&base, after).equity(), *after);
            self.glances.extend(self.results.iter().map(glance));
            self.glances
                .select_nth_unstable_by(LIKELY - 1, |(a, _), (b, _)| a.total_cmp(b));
            self.results.clear();
            self.results
                .extend(self.glances[..LIKELY].iter().map(|(_, after)| *after));
        }
        let judged = self
            .results
            .iter()
            .map(|after| (*after, self.eval.chances_from(&base, after)));
        judged
            .min_by(|(_, a), (_, b)| a.equity().total_cmp(&b.equity()))
            .expect("a pass is a result")
    }

    /// Returns the mean over all rolls of the chances after the best play: the chances of the
    /// player to move, searched one ply.
    pub fn chances_one_ply(&mut self, board: &Board) -> Chances {
        if let Some(known) = final_chances(board).or_else(|| bearoff::chances(board)) {
            return known;
        }
        let each = Roll::all().map(|roll| {
            let (_, theirs) = self.best(board, roll);
            (theirs.swapped(), roll.weight() as f32 / 36.0)
        });
        Chances::mean(each)
    }

    /// Plays a game and adds its positions with their training targets. `trust` (lambda) is the
    /// weight of later positions against the next one: with 1 only the result counts, with 0 only
    /// the net's evaluation one move later. A game ends when both sides only bear off, since the
    /// chances are known; an endless game ends with the net's evaluation.
    pub fn game(
        &mut self,
        from: GameStart,
        rng: &mut Prng,
        trust: f32,
        samples: &mut Vec<BackgammonSample>,
    ) {
        self.path.clear();
        let (board, mut roll) = match from {
            GameStart::Start => (Board::START, opening(rng)),
            GameStart::RandomPlays => (self.random_start(rng), random_roll(rng)),
            GameStart::RandomRace => (random_race(rng), random_roll(rng)),
            GameStart::Board(board) => (board, random_roll(rng)),
        };
        let mut at = (board, None);
        let end = loop {
            let (after, chances) = self.best(&at.0, roll);
            if let Some(seen) = at.1 {
                self.path.push((at.0, seen));
            }
            let known = final_chances(&after)
                .or_else(|| bearoff::chances(&after))
                .is_some();
            if known || self.path.len() >= LONGEST {
                break chances;
            }
            at = (after, Some(chances));
            roll = random_roll(rng);
        };
        let mut goal = end.swapped();
        for (board, seen) in self.path.drain(..).rev() {
            samples.push(BackgammonSample { board, goal });
            goal = Chances::mean([(goal, trust), (seen, 1.0 - trust)]).swapped();
        }
    }

    /// Returns a board up to a dozen plays after the start, some of them random.
    fn random_start(&mut self, rng: &mut Prng) -> Board {
        let wild = [random_below(rng, 3) > 0, random_below(rng, 3) > 0];
        let plies = 2 + random_below(rng, 11) as usize;
        let mut board = Board::START;
        for ply in 0..plies {
            let roll = random_roll(rng);
            let after = if wild[ply % 2] {
                board.afterstates_into(roll.into(), &mut self.results);
                self.results[random_below(rng, self.results.len() as u32) as usize].swapped()
            } else {
                self.best(&board, roll).0
            };
            if after.is_race() {
                return board;
            }
            board = after;
        }
        board
    }
}

/// Returns a race with checkers anywhere on the near half of each side's way, at a random distance.
fn random_race(rng: &mut Prng) -> Board {
    let mut side = || {
        let nearest = 1 + random_below(rng, 6);
        let mut counts = [0; 26];
        (0..CHECKERS)
            .for_each(|_| counts[(nearest + random_below(rng, 13 - nearest)) as usize] += 1);
        Side::from_counts(&counts).expect("fifteen checkers")
    };
    Board::new(side(), side()).expect("the sides have passed each other")
}

/// Returns true in a contact position in which a side has most of its checkers out of play: off, or
/// deep in its home.
pub(super) fn is_crashed(board: &Board) -> bool {
    const DEAD: u8 = 8;
    let dead = |side: Side| {
        let spare = |point: u8| side.count(point).saturating_sub(2);
        side.off() + side.count(1) + side.count(2) + spare(3) >= DEAD
    };
    !board.is_race() && (dead(board.mover()) || dead(board.other()))
}

fn die(rng: &mut Prng) -> Die {
    Die::new(random_below(rng, 6) as u8 + 1).expect("1 to 6")
}

pub(super) fn random_roll(rng: &mut Prng) -> Roll {
    Roll::new(die(rng), die(rng))
}

/// Returns an opening roll, which is never a double.
fn opening(rng: &mut Prng) -> Roll {
    loop {
        let roll = random_roll(rng);
        if !roll.is_double() {
            return roll;
        }
    }
}

/// Returns the points per game of a net against [`GreedyBackgammon`], without a cube, and the
/// standard error.
pub fn points_against_greedy(eval: &BackgammonEvaluator, games: u32, rng: &mut Prng) -> (f64, f64) {
    let mut player = BackgammonSelfPlayer::new(eval.clone(), false);
    let mut results: Vec<(Play, Board)> = Vec::new();
    play_games(games, rng, &mut |first, board, roll| {
        if first {
            return player.best(board, roll).0;
        }
        GreedyBackgammon::best(board, roll.into(), &mut results)
            .map_or(*board, |(_, after)| after)
            .swapped()
    })
}

/// Returns the points per game of one net against another, without a cube, and the standard error.
pub fn points_between(
    one: &BackgammonEvaluator,
    other: &BackgammonEvaluator,
    games: u32,
    rng: &mut Prng,
) -> (f64, f64) {
    let mut players = [
        BackgammonSelfPlayer::new(one.clone(), false),
        BackgammonSelfPlayer::new(other.clone(), false),
    ];
    play_games(games, rng, &mut |first, board, roll| {
        players[usize::from(!first)].best(board, roll).0
    })
}

/// Function that plays a roll for the first or the second player and returns the board seen from
/// the other.
type Plays<'a> = &'a mut dyn FnMut(bool, &Board, Roll) -> Board;

fn play_games(games: u32, rng: &mut Prng, play: Plays<'_>) -> (f64, f64) {
    let (mut sum, mut squares) = (0.0, 0.0);
    for game in 0..games {
        let points = one_game(game % 2 == 0, rng, play);
        sum += points;
        squares += points * points;
    }
    let n = f64::from(games.max(2));
    let mean = sum / n;
    (mean, ((squares / n - mean * mean) / (n - 1.0)).sqrt())
}

/// Plays a game and returns its value to the first player.
fn one_game(first_begins: bool, rng: &mut Prng, play: Plays<'_>) -> f64 {
    let (mut first, mut board, mut roll) = (first_begins, Board::START, opening(rng));
    loop {
        board = play(first, &board, roll);
        if let Some(chances) = final_chances(&board) {
            // The chances are seen from the loser.
            let points = -f64::from(chances.equity());
            return if first { points } else { -points };
        }
        (first, roll) = (!first, random_roll(rng));
    }
}
