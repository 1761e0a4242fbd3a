//! Games from which samples are taken.

use std::sync::Arc;

use parlor_core::below;
use rand_xoshiro::rand_core::SeedableRng;

use super::super::eval::Eval;
use super::super::net::Net;
use super::super::search::Search;
use super::super::state::{After, State, Step, bits, completing, step};
use super::super::tree::{Node, Proof, Settings};
use super::Sample;
use crate::{Nodes, Prng};

/// A net that plays against itself.
pub struct Player {
    search: Search,
    nodes: u64,
    rng: Prng,
}

impl Player {
    /// Of this many simulations per move.
    pub fn new(net: &Net, settings: Settings, nodes: u64, seed: u64) -> Player {
        Player {
            search: Search::new(Arc::new(Eval::new(net)), settings, seed),
            nodes,
            rng: Prng::seed_from_u64(seed),
        }
    }

    /// Plays a game from a random opening, and adds what was thought of its positions.
    ///
    /// Now and then a move is random; what was thought then counts as the result for the positions before.
    pub fn game(&mut self, samples: &mut Vec<Sample>) {
        const OPENING: u32 = 9;
        const VARIED: u32 = 14;
        self.search.forget();
        let mut state = opening(&mut self.rng, OPENING);
        let (mut from, mut ply) = (samples.len(), 0);
        loop {
            let Some(found) = self.search.think(&state, &mut Nodes(self.nodes)) else {
                return;
            };
            samples.push(Sample {
                state,
                value: found.value,
                result: found.value,
            });
            if found.exact {
                settle(&mut samples[from..], state.side, found.value);
                return;
            }
            let chosen = if below(&mut self.rng, 100) < 4 {
                settle(&mut samples[from..], state.side, found.value);
                from = samples.len();
                random_step(&state, &mut self.rng)
            } else if ply < VARIED {
                self.varied(found.step)
            } else {
                found.step
            };
            ply += 1;
            let mover = state.side;
            match state.play(chosen) {
                After::Open => {}
                end => {
                    settle(
                        &mut samples[from..],
                        mover,
                        if end == After::Won { 1.0 } else { 0.0 },
                    );
                    return;
                }
            }
        }
    }

    /// A move by its visits, squared, so that good ones are played often.
    fn varied(&mut self, best: Step) -> Step {
        let open = || self.search.moves().filter(|node| node.proof != Proof::Lost);
        let weight = |node: &Node| u64::from(node.visits).pow(2);
        let total: u64 = open().map(weight).sum();
        let mut ticket =
            (f64::from(below(&mut self.rng, u32::MAX)) / f64::from(u32::MAX) * total as f64) as u64;
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
fn settle(samples: &mut [Sample], side: u8, value: f32) {
    for sample in samples {
        sample.result = if sample.state.side == side {
            value
        } else {
            -value
        };
    }
}

/// A position after fewer than `plies` random moves.
pub(super) fn opening(rng: &mut Prng, plies: u32) -> State {
    let mut state = State::START;
    for _ in 0..below(rng, plies) {
        // No game is over so soon.
        state.play(random_step(&state, rng));
    }
    state
}

/// Any legal move.
fn random_step(state: &State, rng: &mut Prng) -> Step {
    let count = bits(state.playable())
        .map(|board| state.empty(board).count_ones())
        .sum();
    let pick = below(rng, count) as usize;
    state.steps().nth(pick).unwrap_or_default()
}

/// A move that wins the game or a board, else any.
fn greedy_step(state: &State, rng: &mut Prng) -> Step {
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

/// Samples for the first net: positions of random games, worth what greedy playouts make of them.
pub fn playouts(count: usize, each: u32, seed: u64) -> Vec<Sample> {
    let mut rng = Prng::seed_from_u64(seed);
    let mut samples = Vec::with_capacity(count);
    while samples.len() < count {
        let mut state = State::START;
        loop {
            if below(&mut rng, 3) == 0 {
                let total: f32 = (0..each).map(|_| playout(state, &mut rng)).sum();
                let value = total / each as f32;
                samples.push(Sample {
                    state,
                    value,
                    result: value,
                });
            }
            let greedy = below(&mut rng, 3) != 0;
            let chosen = if greedy {
                greedy_step(&state, &mut rng)
            } else {
                random_step(&state, &mut rng)
            };
            if state.play(chosen) != After::Open {
                break;
            }
        }
    }
    samples
}

/// What a game is worth to the seat on turn when both are greedy.
fn playout(mut state: State, rng: &mut Prng) -> f32 {
    let me = state.side;
    loop {
        let mover = state.side;
        match state.play(greedy_step(&state, rng)) {
            After::Open => {}
            After::Drawn => return 0.0,
            After::Won => return if mover == me { 1.0 } else { -1.0 },
        }
    }
}
