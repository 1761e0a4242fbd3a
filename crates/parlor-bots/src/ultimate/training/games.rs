//! Games that produce samples.

use std::sync::Arc;

use parlor_core::random_below;
use rand_xoshiro::rand_core::SeedableRng;

use super::super::evaluator::UltimateEvaluator;
use super::super::net::UltimateNet;
use super::super::search::UltimateSearch;
use super::super::state::{GameStatus, MoveCode, UltimateState, bits, completing, step};
use super::super::tree::{MoveProof, NetSearchSettings, UltimateNode};
use super::UltimateSample;
use crate::{Nodes, Prng};

/// Net that plays against itself.
pub struct UltimateSelfPlayer {
    search: UltimateSearch,
    nodes: u64,
    rng: Prng,
}

impl UltimateSelfPlayer {
    /// Creates a player with this many simulations per move.
    pub fn new(
        net: &UltimateNet,
        settings: NetSearchSettings,
        nodes: u64,
        seed: u64,
    ) -> UltimateSelfPlayer {
        UltimateSelfPlayer {
            search: UltimateSearch::new(Arc::new(UltimateEvaluator::new(net)), settings, seed),
            nodes,
            rng: Prng::seed_from_u64(seed),
        }
    }

    /// Plays a game from a random opening, and adds its positions with their search values.
    ///
    /// Occasionally a move is random. The search value at that point then counts as the result of
    /// the positions before.
    pub fn game(&mut self, samples: &mut Vec<UltimateSample>) {
        const OPENING: u32 = 9;
        const VARIED: u32 = 14;
        self.search.forget();
        let mut state = opening(&mut self.rng, OPENING);
        let (mut from, mut ply) = (samples.len(), 0);
        loop {
            let Some(found) = self.search.search(&state, &mut Nodes(self.nodes)) else {
                return;
            };
            samples.push(UltimateSample {
                state,
                value: found.value,
                result: found.value,
            });
            if found.exact {
                set_results(&mut samples[from..], state.side, found.value);
                return;
            }
            let chosen = if random_below(&mut self.rng, 100) < 4 {
                set_results(&mut samples[from..], state.side, found.value);
                from = samples.len();
                random_step(&state, &mut self.rng)
            } else if ply < VARIED {
                self.pick_by_visits(found.step)
            } else {
                found.step
            };
            ply += 1;
            let mover = state.side;
            match state.play(chosen) {
                GameStatus::Open => {}
                end => {
                    set_results(
                        &mut samples[from..],
                        mover,
                        if end == GameStatus::Won { 1.0 } else { 0.0 },
                    );
                    return;
                }
            }
        }
    }

    /// Picks a move with probability proportional to its squared visits, so that good ones are
    /// played often.
    fn pick_by_visits(&mut self, best: MoveCode) -> MoveCode {
        let open = || {
            self.search
                .moves()
                .filter(|node| node.proof != MoveProof::Lost)
        };
        let weight = |node: &UltimateNode| u64::from(node.visits).pow(2);
        let total: u64 = open().map(weight).sum();
        let mut ticket = (f64::from(random_below(&mut self.rng, u32::MAX)) / f64::from(u32::MAX)
            * total as f64) as u64;
        for node in open() {
            match ticket.checked_sub(weight(node)) {
                Some(rest) => ticket = rest,
                None => return node.step,
            }
        }
        best
    }
}

/// Sets the result of these samples: `value` for `side`.
fn set_results(samples: &mut [UltimateSample], side: u8, value: f32) {
    for sample in samples {
        sample.result = if sample.state.side == side {
            value
        } else {
            -value
        };
    }
}

/// Returns a position after fewer than `plies` random moves.
pub(super) fn opening(rng: &mut Prng, plies: u32) -> UltimateState {
    let mut state = UltimateState::START;
    for _ in 0..random_below(rng, plies) {
        // No game ends this early.
        state.play(random_step(&state, rng));
    }
    state
}

/// Returns a random legal move.
fn random_step(state: &UltimateState, rng: &mut Prng) -> MoveCode {
    let count = bits(state.playable())
        .map(|board| state.empty(board).count_ones())
        .sum();
    let pick = random_below(rng, count) as usize;
    state.steps().nth(pick).unwrap_or_default()
}

/// Returns a move that wins the game or a board, or else a random one.
fn greedy_step(state: &UltimateState, rng: &mut Prng) -> MoveCode {
    if let Some(win) = state.winning() {
        return win;
    }
    for board in bits(state.playable()) {
        let wins = completing(state.pair(board).0) & state.empty(board);
        if wins != 0 {
            return step(board, wins.trailing_zeros() as usize);
        }
    }
    random_step(state, rng)
}

/// Generates samples for the first net: positions of random games with the mean result of greedy
/// playouts.
pub fn playouts(count: usize, each: u32, seed: u64) -> Vec<UltimateSample> {
    let mut rng = Prng::seed_from_u64(seed);
    let mut samples = Vec::with_capacity(count);
    while samples.len() < count {
        let mut state = UltimateState::START;
        loop {
            if random_below(&mut rng, 3) == 0 {
                let total: f32 = (0..each).map(|_| playout(state, &mut rng)).sum();
                let value = total / each as f32;
                samples.push(UltimateSample {
                    state,
                    value,
                    result: value,
                });
            }
            let greedy = random_below(&mut rng, 3) != 0;
            let chosen = if greedy {
                greedy_step(&state, &mut rng)
            } else {
                random_step(&state, &mut rng)
            };
            if state.play(chosen) != GameStatus::Open {
                break;
            }
        }
    }
    samples
}

/// Plays greedily to the end and returns the result for the seat on turn.
fn playout(mut state: UltimateState, rng: &mut Prng) -> f32 {
    let me = state.side;
    loop {
        let mover = state.side;
        match state.play(greedy_step(&state, rng)) {
            GameStatus::Open => {}
            GameStatus::Drawn => return 0.0,
            GameStatus::Won => return if mover == me { 1.0 } else { -1.0 },
        }
    }
}
