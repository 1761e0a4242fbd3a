//! Games from which samples are taken.

use parlor_backgammon::{Board, CHECKERS, Die, Play, Roll, Side};
use parlor_core::below;

use super::super::bearoff;
use super::super::chances::{Chances, when_over};
use super::super::eval::Eval;
use super::super::greedy::Greedy;
use super::Sample;
use crate::Prng;

/// After so many plays a game is not played on: nets that know nothing can go round in circles for thousands. A game of good nets takes
/// about sixty, and never more than a few hundred.
const LONGEST: usize = 500;

/// How many plays are judged by the nets proper after the quick one has seen them all, in training.
const LIKELY: usize = 8;

/// Nets that play against themselves, looking no further than the next position.
#[derive(Clone, Debug)]
pub struct Player {
    eval: Eval,
    /// Whether the quick net chooses which plays are judged.
    quick: bool,
    results: Vec<Board>,
    glances: Vec<(f32, Board)>,
    /// The positions of a game, each with the chances that the net saw in it.
    path: Vec<(Board, Chances)>,
    /// Positions judged so far, with those only glanced at.
    pub judged: u64,
}

/// Where a game begins that is played to learn from.
#[derive(Clone, Copy, Debug)]
pub enum From {
    /// As usual.
    Start,
    /// After some random plays, of both or of one player.
    Wild,
    /// With both sides' checkers anywhere, past each other.
    Race,
    /// Somewhere in a game.
    Middle(Board),
}

impl Player {
    /// With nets made ready. With `quick` the quick net chooses which plays are judged.
    pub fn new(eval: Eval, quick: bool) -> Player {
        Player {
            eval,
            quick,
            results: Vec::new(),
            glances: Vec::new(),
            path: Vec::new(),
            judged: 0,
        }
    }

    /// The board after the best play, seen from the other player, and that player's chances there.
    pub fn best(&mut self, board: &Board, roll: Roll) -> (Board, Chances) {
        board.afterstates_into(roll.into(), &mut self.results);
        self.results
            .iter_mut()
            .for_each(|after| *after = after.swapped());
        self.judged += self.results.len() as u64;
        let base = self.eval.base(&board.swapped());
        if self.quick && self.results.len() > LIKELY && !board.is_race() {
            self.glances.clear();
            let glance = |after: &Board| (self.eval.glance_from(&base, after).equity(), *after);
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

    /// The mean over all rolls of what the best play leads to: the chances of the player to move, looked ahead one roll.
    pub fn ahead(&mut self, board: &Board) -> Chances {
        if let Some(known) = when_over(board).or_else(|| bearoff::chances(board)) {
            return known;
        }
        let each = Roll::all().map(|roll| {
            let (_, theirs) = self.best(board, roll);
            (theirs.swapped(), roll.weight() as f32 / 36.0)
        });
        Chances::mean(each)
    }

    /// Plays a game and adds its positions with their goals. `trust` (lambda) is how much the later positions count beside the
    /// next one: with 1 only the result counts, with 0 only what the net sees one move later. Where both only bear off the
    /// chances are known, and the game ends; where it goes on and on the net's judgment has to do.
    pub fn game(&mut self, from: From, rng: &mut Prng, trust: f32, samples: &mut Vec<Sample>) {
        self.path.clear();
        let (board, mut roll) = match from {
            From::Start => (Board::START, opening(rng)),
            From::Wild => (self.wild(rng), any_roll(rng)),
            From::Race => (race(rng), any_roll(rng)),
            From::Middle(board) => (board, any_roll(rng)),
        };
        let mut at = (board, None);
        let end = loop {
            let (after, chances) = self.best(&at.0, roll);
            if let Some(seen) = at.1 {
                self.path.push((at.0, seen));
            }
            let known = when_over(&after)
                .or_else(|| bearoff::chances(&after))
                .is_some();
            if known || self.path.len() >= LONGEST {
                break chances;
            }
            at = (after, Some(chances));
            roll = any_roll(rng);
        };
        let mut goal = end.swapped();
        for (board, seen) in self.path.drain(..).rev() {
            samples.push(Sample { board, goal });
            goal = Chances::mean([(goal, trust), (seen, 1.0 - trust)]).swapped();
        }
    }

    /// The start, after up to a dozen plays of which some are random.
    fn wild(&mut self, rng: &mut Prng) -> Board {
        let wild = [below(rng, 3) > 0, below(rng, 3) > 0];
        let plies = 2 + below(rng, 11) as usize;
        let mut board = Board::START;
        for ply in 0..plies {
            let roll = any_roll(rng);
            let after = if wild[ply % 2] {
                board.afterstates_into(roll.into(), &mut self.results);
                self.results[below(rng, self.results.len() as u32) as usize].swapped()
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

/// A race of checkers anywhere on the near half of each side's way, more of them far away or near by chance.
fn race(rng: &mut Prng) -> Board {
    let mut side = || {
        let nearest = 1 + below(rng, 6);
        let mut counts = [0; 26];
        (0..CHECKERS).for_each(|_| counts[(nearest + below(rng, 13 - nearest)) as usize] += 1);
        Side::from_counts(&counts).expect("fifteen checkers")
    };
    Board::new(side(), side()).expect("the sides have passed each other")
}

/// Whether checkers can still be hit and a side has most of its own out of play: off, or deep in its home.
pub(super) fn is_crashed(board: &Board) -> bool {
    const DEAD: u8 = 8;
    let dead = |side: Side| {
        let spare = |point: u8| side.count(point).saturating_sub(2);
        side.off() + side.count(1) + side.count(2) + spare(3) >= DEAD
    };
    !board.is_race() && (dead(board.mover()) || dead(board.other()))
}

fn die(rng: &mut Prng) -> Die {
    Die::new(below(rng, 6) as u8 + 1).expect("1 to 6")
}

pub(super) fn any_roll(rng: &mut Prng) -> Roll {
    Roll::new(die(rng), die(rng))
}

/// The first roll is no double.
fn opening(rng: &mut Prng) -> Roll {
    loop {
        let roll = any_roll(rng);
        if !roll.is_double() {
            return roll;
        }
    }
}

/// Points per game of a net against [`Greedy`], without a cube, and the standard error.
pub fn against_greedy(eval: &Eval, games: u32, rng: &mut Prng) -> (f64, f64) {
    let mut player = Player::new(eval.clone(), false);
    let mut results: Vec<(Play, Board)> = Vec::new();
    contest(games, rng, &mut |first, board, roll| {
        if first {
            return player.best(board, roll).0;
        }
        Greedy::best(board, roll.into(), &mut results)
            .map_or(*board, |(_, after)| after)
            .swapped()
    })
}

/// Points per game of one net against another, without a cube, and the standard error.
pub fn between(one: &Eval, other: &Eval, games: u32, rng: &mut Prng) -> (f64, f64) {
    let mut players = [
        Player::new(one.clone(), false),
        Player::new(other.clone(), false),
    ];
    contest(games, rng, &mut |first, board, roll| {
        players[usize::from(!first)].best(board, roll).0
    })
}

/// The board after a play of the first or the second player, seen from the other.
type Plays<'a> = &'a mut dyn FnMut(bool, &Board, Roll) -> Board;

fn contest(games: u32, rng: &mut Prng, play: Plays<'_>) -> (f64, f64) {
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

/// What a game is worth to the first player.
fn one_game(first_begins: bool, rng: &mut Prng, play: Plays<'_>) -> f64 {
    let (mut first, mut board, mut roll) = (first_begins, Board::START, opening(rng));
    loop {
        board = play(first, &board, roll);
        if let Some(chances) = when_over(&board) {
            // Seen from who has lost.
            let points = -f64::from(chances.equity());
            return if first { points } else { -points };
        }
        (first, roll) = (!first, any_roll(rng));
    }
}
