//! Rollouts: a position is played to its end many times with a net, and the results are averaged.
//!
//! Both sides play without looking ahead (or one ply), as if the cube were never turned again. A
//! game ends when it is over, when its position is in a bear-off table, or when it is
//! [truncated](BackgammonRolloutSettings::truncate).
//!
//! # Variance reduction
//! After every roll its luck is subtracted from the result: the value of the position when this
//! roll is played best, minus the mean over all 21 rolls, both as the net evaluates them. The luck
//! of a fair roll is 0 on average whatever the net believes, so the mean stays unbiased, and with a
//! good net the variance that remains is small.
//! # Dice
//! A game's dice follow from the seed and the game's number alone. So the games may be split among
//! workers in any order, and several boards that are compared are played with the same dice. The
//! first two rolls of each 1,296 consecutive games cover all pairs of rolls, and the first rolls of
//! each 36 cover all rolls.
//!
//! ```
//! use parlor_backgammon::Board;
//! use parlor_bots::backgammon::rollout::{BoardRollout, BackgammonRolloutSettings};
//! let settings = BackgammonRolloutSettings {
//!     truncate: Some(2),
//!     ..BackgammonRolloutSettings::default()
//! };
//! let rollout = BoardRollout::new(vec![Board::START], settings);
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

use self::dice::RolloutDice;
use super::bearoff;
use super::chances::{Chances, final_chances};
use super::evaluator::BackgammonEvaluator;
use super::net_player::built_in;
use super::search::{BackgammonSearch, BestReplies, SearchOptions, mean, weights};
use super::stakes::{ChanceWeights, EndingValues, Stakes};
use crate::crew::gather;
use crate::{Crew, Nodes};
pub use tally::{RolloutEstimate, RolloutTally};

/// Parameters of a rollout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackgammonRolloutSettings {
    /// Plies each player looks ahead: 0 or 1.
    pub plies: u32,
    /// Number of rolls after which a game ends and counts as the net evaluates it; `None` plays
    /// every game to its end.
    pub truncate: Option<u32>,
    /// Seed of the dice.
    pub seed: u64,
    /// True to apply variance reduction.
    pub reduced: bool,
    /// True to end a game as soon as its position is in a bear-off table.
    pub tables: bool,
}

impl Default for BackgammonRolloutSettings {
    /// Returns the default settings: no look-ahead, games of at most eleven rolls, tables, and
    /// variance reduction.
    fn default() -> BackgammonRolloutSettings {
        BackgammonRolloutSettings {
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
pub struct BoardRollout {
    eval: Arc<BackgammonEvaluator>,
    settings: BackgammonRolloutSettings,
    boards: Vec<Board>,
    ends: EndingValues,
    /// Weights of the chances for the player who rolls first, and for the other.
    weights: [ChanceWeights; 2],
}

impl BoardRollout {
    /// Number of games that each worker of a crew plays at a time.
    const BATCH: u32 = 36;

    /// Creates a rollout of boards, each seen from the player who rolls next, for points and with
    /// the best built-in net.
    pub fn new(boards: Vec<Board>, settings: BackgammonRolloutSettings) -> BoardRollout {
        BoardRollout::for_ends(
            built_in(0),
            boards,
            EndingValues::new(Stakes::Money, 1, true),
            settings,
        )
    }

    /// Creates a rollout with another net.
    pub fn with_evaluator(
        eval: BackgammonEvaluator,
        boards: Vec<Board>,
        settings: BackgammonRolloutSettings,
    ) -> BoardRollout {
        BoardRollout::for_ends(
            Arc::new(eval),
            boards,
            EndingValues::new(Stakes::Money, 1, true),
            settings,
        )
    }

    /// Creates a rollout in which the player who rolls next values the endings as `ends` says.
    pub(super) fn for_ends(
        eval: Arc<BackgammonEvaluator>,
        boards: Vec<Board>,
        ends: EndingValues,
        settings: BackgammonRolloutSettings,
    ) -> BoardRollout {
        BoardRollout {
            eval,
            settings,
            boards,
            ends,
            weights: weights(&ends),
        }
    }

    /// Returns the boards, seen from the player who rolls next.
    pub fn boards(&self) -> &[Board] {
        &self.boards
    }

    /// Plays the games with these numbers from each board.
    pub fn run(&self, games: Range<u32>) -> RolloutTally {
        let mut search = BackgammonSearch::new(Arc::clone(&self.eval));
        let mut tally = RolloutTally::new(self.boards.len());
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

    /// Plays the games numbered below `games` with a crew. After each batch `progress` gets the
    /// tally so far and may stop the rollout by returning `false`.
    pub fn run_all(
        &self,
        games: u32,
        crew: &dyn Crew,
        progress: &mut dyn FnMut(&RolloutTally) -> bool,
    ) -> RolloutTally {
        const AT_ONCE: u32 = 8;
        let mut tally = RolloutTally::new(self.boards.len());
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

    /// Returns the value of chances to the player who rolls first. After variance reduction the
    /// chances of a single game may lie outside 0 to 1.
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

    /// Plays one game and returns the chances of the player who rolls first: those at its end,
    /// minus the luck on the way.
    fn play(
        &self,
        from: &Board,
        game: u32,
        search: &mut BackgammonSearch,
    ) -> [f64; Chances::COUNT] {
        let mut dice = RolloutDice::new(self.settings.seed, game);
        let mut luck_sum = [0.0; Chances::COUNT];
        let (mut board, mut first) = (*from, true);
        for roll in 0.. {
            if let Some(end) = self.end(&board, roll) {
                let mut chances = chances_as_array(end, first);
                chances
                    .iter_mut()
                    .zip(luck_sum)
                    .for_each(|(chance, luck)| *chance -= luck);
                return chances;
            }
            let likely = SearchOptions::DEFAULT.likely.map(|[last, _]| last);
            let answers = BestReplies::new(
                &board,
                &self.eval,
                likely,
                &self.weights[usize::from(first)],
            );
            let (at, thrown) = dice.next(roll);
            if self.settings.reduced {
                let all = chances_as_array(mean(&answers.chances), first);
                let this = chances_as_array(answers.chances[at], !first);
                luck_sum
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

    /// Returns the chances of the player to roll if the game ends here.
    fn end(&self, board: &Board, rolls: u32) -> Option<Chances> {
        let known = || {
            if self.settings.tables {
                bearoff::chances(board)
            } else {
                None
            }
        };
        let cut = || (self.settings.truncate == Some(rolls)).then(|| self.eval.chances(board));
        final_chances(board).or_else(known).or_else(cut)
    }

    /// Returns the board after the play of a player who looks ahead.
    fn answer(
        &self,
        board: &Board,
        roll: Roll,
        first: bool,
        search: &mut BackgammonSearch,
    ) -> Option<Board> {
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

/// Returns the chances of a player as numbers, from that player's side or the opponent's.
fn chances_as_array(chances: Chances, same: bool) -> [f64; Chances::COUNT] {
    (if same { chances } else { chances.swapped() })
        .to_array()
        .map(f64::from)
}
