//! Rollouts: what becomes of a position when the house's net plays it on, many times.
//!
//! Each game is played by both sides without looking ahead (or one ply), as if nobody turned the cube any more, until it is over, the last
//! checkers are borne off by a table that knows the chances, or it was played so far as to be [truncated](Settings::truncate).
//!
//! # Variance reduction
//! After every roll the luck of it is taken off the result: what the position is worth when this roll is played best, less the mean over
//! all 21 rolls, both in the eyes of the net. The luck of a fair roll is 0 on average whatever the net believes, so the mean stays what
//! it is, and with a good net little is left for a game to differ by.
//!
//! # Dice
//! A game's dice follow from the seed and its number alone. So it does not matter who plays which games in what order, and several
//! boards that are compared are played with the same dice. The first two rolls of each 1,296 games in a row are all pairs of rolls, and the
//! first rolls of each 36 in a row all rolls.
//!
//! ```
//! use parlor_backgammon::Board;
//! use parlor_bots::backgammon::rollout::{Rollout, Settings};
//! let settings = Settings { truncate: Some(2), ..Settings::default() };
//! let rollout = Rollout::new(vec![Board::START], settings);
//! let mut tally = rollout.run(0..36);
//! tally.merge(&rollout.run(36..72));
//! let found = tally.estimate(0).expect("a board was played");
//! assert!(found.games == 72 && found.error < 0.02);
//! assert!((0.48..0.57).contains(&found.chances.win));
//! ```

mod dice;
mod tally;

use std::ops::Range;
use std::sync::Arc;

use parlor_backgammon::{Board, Roll};

use self::dice::Dice;
use super::bearoff;
use super::bot::house;
use super::chances::{Chances, when_over};
use super::eval::Eval;
use super::search::{Answers, Care, Search, mean, weights};
use super::stakes::{Ends, Stakes, Weights};
use crate::crew::gather;
use crate::{Crew, Nodes};
pub use tally::{Estimate, Tally};

/// How games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How far each player looks ahead: 0 or 1.
    pub plies: u32,
    /// After how many rolls a game ends and counts as what the net makes of it; nothing to play all to the end.
    pub truncate: Option<u32>,
    /// From which the dice follow.
    pub seed: u64,
    /// Whether luck is taken off.
    pub reduced: bool,
    /// Whether a game ends where a table knows the chances.
    pub tables: bool,
}

impl Default for Settings {
    /// Both look no further than their plays, games end after eleven rolls or with a table, luck is taken off.
    fn default() -> Settings {
        Settings {
            plies: 0,
            truncate: Some(11),
            seed: 1,
            reduced: true,
            tables: true,
        }
    }
}

/// Boards that are rolled out together, with the same dice.
#[derive(Clone)]
pub struct Rollout {
    eval: Arc<Eval>,
    settings: Settings,
    boards: Vec<Board>,
    ends: Ends,
    /// What counts for who rolls first, and for the other.
    weights: [Weights; 2],
}

impl Rollout {
    /// How many games are played at once by each of a crew.
    const BATCH: u32 = 36;

    /// Of boards seen from who rolls next, for points, by the best net of the house.
    pub fn new(boards: Vec<Board>, settings: Settings) -> Rollout {
        Rollout::at(house(0), boards, Ends::at(Stakes::Money, 1, true), settings)
    }

    /// By another net.
    pub fn with(eval: Eval, boards: Vec<Board>, settings: Settings) -> Rollout {
        Rollout::at(
            Arc::new(eval),
            boards,
            Ends::at(Stakes::Money, 1, true),
            settings,
        )
    }

    /// Where games end so for who rolls next.
    pub(super) fn at(
        eval: Arc<Eval>,
        boards: Vec<Board>,
        ends: Ends,
        settings: Settings,
    ) -> Rollout {
        Rollout {
            eval,
            settings,
            boards,
            ends,
            weights: weights(&ends),
        }
    }

    /// The boards, seen from who rolls next.
    pub fn boards(&self) -> &[Board] {
        &self.boards
    }

    /// Plays the games of these numbers from each board.
    pub fn run(&self, games: Range<u32>) -> Tally {
        let mut search = Search::new(Arc::clone(&self.eval));
        let mut tally = Tally::new(self.boards.len());
        for game in games {
            let results = self
                .boards
                .iter()
                .map(|board| self.play(board, game, &mut search));
            let rows: Vec<_> = results
                .map(|chances| (chances, self.worth(&chances)))
                .collect();
            tally.add(&rows);
        }
        tally
    }

    /// Plays the games up to a number with a crew. After each batch `progress` sees all there is so far, and ends it by answering `false`.
    pub fn run_all(
        &self,
        games: u32,
        crew: &dyn Crew,
        progress: &mut dyn FnMut(&Tally) -> bool,
    ) -> Tally {
        const AT_ONCE: u32 = 8;
        let mut tally = Tally::new(self.boards.len());
        let mut next = 0;
        while next < games {
            let starts: Vec<u32> = (next..games)
                .step_by(Self::BATCH as usize)
                .take(AT_ONCE as usize)
                .collect();
            let batch = |n: usize| self.run(starts[n]..(starts[n] + Self::BATCH).min(games));
            gather(crew, starts.len(), batch)
                .iter()
                .for_each(|part| tally.merge(part));
            next += starts.len() as u32 * Self::BATCH;
            if !progress(&tally) {
                break;
            }
        }
        tally
    }

    /// What chances are worth to who rolls first; of single games they need not be chances.
    fn worth(&self, chances: &[f64; Chances::COUNT]) -> f64 {
        let [single, gammon, backgammon] = self.ends.wins;
        let [lost, lost_gammon, lost_backgammon] = self.ends.losses;
        let weights = [
            single - lost,
            gammon - single,
            backgammon - gammon,
            lost_gammon - lost,
            lost_backgammon - lost_gammon,
        ];
        lost + weights
            .iter()
            .zip(chances)
            .map(|(weight, chance)| weight * chance)
            .sum::<f64>()
    }

    /// One game: the chances of who rolls first, as its end and the luck on the way have it.
    fn play(&self, from: &Board, game: u32, search: &mut Search) -> [f64; Chances::COUNT] {
        let mut dice = Dice::new(self.settings.seed, game);
        let mut lucky = [0.0; Chances::COUNT];
        let (mut board, mut first) = (*from, true);
        for roll in 0.. {
            if let Some(end) = self.end(&board, roll) {
                let mut chances = numbers(end, first);
                chances
                    .iter_mut()
                    .zip(lucky)
                    .for_each(|(chance, luck)| *chance -= luck);
                return chances;
            }
            let likely = Care::USUAL.likely.map(|[last, _]| last);
            let answers = Answers::to(
                &board,
                &self.eval,
                likely,
                &self.weights[usize::from(first)],
            );
            let (at, thrown) = dice.next(roll);
            if self.settings.reduced {
                let all = numbers(mean(&answers.chances), first);
                let this = numbers(answers.chances[at], !first);
                lucky
                    .iter_mut()
                    .zip(this)
                    .zip(all)
                    .for_each(|((luck, this), all)| *luck += this - all);
            }
            board = self
                .answer(&board, thrown, first, search)
                .unwrap_or(answers.boards[at]);
            first = !first;
        }
        unreachable!("every game ends")
    }

    /// The chances of who is to roll, where the game ends.
    fn end(&self, board: &Board, rolls: u32) -> Option<Chances> {
        let known = || {
            if self.settings.tables {
                bearoff::chances(board)
            } else {
                None
            }
        };
        let cut = || (self.settings.truncate == Some(rolls)).then(|| self.eval.chances(board));
        when_over(board).or_else(known).or_else(cut)
    }

    /// The board after the play of somebody who looks ahead.
    fn answer(&self, board: &Board, roll: Roll, first: bool, search: &mut Search) -> Option<Board> {
        if self.settings.plies == 0 {
            return None;
        }
        let ends = if first {
            self.ends
        } else {
            self.ends.swapped()
        };
        let worth = |chances: &Chances, _: &Board| ends.worth(chances);
        let (plays, _) = search.plays(
            board,
            roll.into(),
            self.settings.plies,
            &ends,
            &worth,
            &mut Nodes(u64::MAX),
        );
        plays.first().map(|best| best.after)
    }
}

/// The chances of a player as numbers, from that player's side or the other's.
fn numbers(chances: Chances, same: bool) -> [f64; Chances::COUNT] {
    (if same { chances } else { chances.swapped() })
        .to_array()
        .map(f64::from)
}
