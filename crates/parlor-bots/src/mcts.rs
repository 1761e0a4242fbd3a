//! Monte Carlo tree search for any game.

mod tree;

use parlor_core::playout::Scratch;
use parlor_core::{Outcome, Position, Seat, Turn};
use rand_xoshiro::rand_core::SeedableRng;

use crate::{Budget, Choice, Info, Policy, Prng, Strategy, Uniform};
use tree::{MctsNode, MctsTree, PayoffScale, TreeStep};

/// Parameters of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MctsSettings {
    /// Weight of exploration against exploitation; payoffs range from -1 to 1.
    pub exploration: f64,
    /// Number of visits, at least 1, after which a leaf is expanded.
    pub expand_after: u32,
    /// Maximum number of nodes in the tree, of some 30 bytes and a move each. A full tree only
    /// collects visits.
    pub max_nodes: usize,
    /// Payoff of one point. The best payoff is 1, so a game that can be won by 3 points needs 1/3.
    pub point: f64,
}

impl Default for MctsSettings {
    fn default() -> Self {
        MctsSettings {
            exploration: 1.0,
            expand_after: 1,
            max_nodes: 1 << 20,
            point: 1.0,
        }
    }
}

/// Monte Carlo tree search with upper confidence bounds (UCT).
///
/// - Every seat maximizes its own payoff (the n-seat form of minimax), also where a move belongs to
///   a seat that is not on turn.
/// - Chances have nodes of their own, sampled by weight.
/// - Proven outcomes, which a seat can force, are no longer sampled; the search ends once the root
///   is proven.
/// - The tree is kept: if the next position is in it, a few steps below the last one, its visits
///   are reused.
///
/// For a seed, a budget in nodes and a series of positions, its moves are the same everywhere. One
/// node of the budget is one simulation.
pub struct Mcts<P: Position, Q = Uniform> {
    seed: u64,
    rng: Prng,
    policy: Q,
    settings: MctsSettings,
    root: Option<P>,
    tree: MctsTree<P>,
    scratch: Scratch<P>,
    path: Vec<u32>,
}

impl<P: Position> Mcts<P> {
    /// Creates a search with random playouts.
    pub fn new(seed: u64) -> Mcts<P> {
        Mcts::with_policy(seed, Uniform::default(), MctsSettings::default())
    }
}

impl<P: Position, Q: Policy<P>> Mcts<P, Q> {
    /// Creates a search with another policy or other settings.
    pub fn with_policy(seed: u64, policy: Q, settings: MctsSettings) -> Mcts<P, Q> {
        Mcts {
            seed,
            rng: Prng::seed_from_u64(seed),
            policy,
            settings,
            root: None,
            tree: MctsTree::new(),
            scratch: Scratch::default(),
            path: Vec::new(),
        }
    }

    /// Returns the number of simulations through the root that the tree holds.
    pub fn visits(&self) -> u32 {
        self.tree.nodes[0].visits
    }

    /// Returns the number of nodes in the tree.
    pub fn size(&self) -> usize {
        self.tree.nodes.len()
    }

    /// Returns the moves searched from the last position, with their visits and their value to the
    /// mover.
    pub fn root_moves(&self) -> Vec<(P::Move, u32, Option<f64>)> {
        let worth = self.worth(self.root.as_ref().map_or(2, Position::seats));
        let root_move = |node: &MctsNode<P::Move, P::Chance>| match &node.step {
            TreeStep::Move(m) => Some((m.clone(), node.visits, node.mean(worth))),
            TreeStep::Root | TreeStep::Chance(..) => None,
        };
        self.tree.nodes[self.tree.nodes[0].children()]
            .iter()
            .filter_map(root_move)
            .collect()
    }

    fn worth(&self, seats: u8) -> PayoffScale {
        PayoffScale::new(seats, self.settings.point)
    }

    /// Roots the tree at a position, keeping the subtree if it is known.
    fn set_root(&mut self, position: &P)
    where
        P: PartialEq,
    {
        let reach = 2 * u32::from(position.seats());
        let known = self
            .root
            .as_ref()
            .and_then(|root| self.tree.find(root, position, reach));
        match known {
            Some(at) => self.tree.reroot(at),
            None => self.tree = MctsTree::new(),
        }
        self.tree.chooser = position.turn().seat();
        self.root = Some(position.clone());
        if self.tree.nodes[0].is_leaf() {
            self.expand(0, position);
        }
    }

    /// Expands a node, if there is room.
    fn expand(&mut self, at: usize, position: &P) {
        match position.turn() {
            Turn::Over(_) => {}
            Turn::Chance => {
                position.chances_into(&mut self.scratch.chances);
                if at == 0 || self.room_for(self.scratch.chances.len()) {
                    self.tree.grow_chances(at, &mut self.scratch.chances);
                }
            }
            Turn::Move(_) => {
                position.legal_moves_into(&mut self.scratch.moves);
                let all = self.scratch.moves.len();
                self.policy.narrow(position, &mut self.scratch.moves);
                let narrowed = self.scratch.moves.len() < all;
                if at == 0 || self.room_for(self.scratch.moves.len()) {
                    self.tree.grow_moves(
                        at,
                        position,
                        &mut self.scratch.moves,
                        narrowed,
                        &mut self.rng,
                    );
                }
            }
        }
    }

    fn room_for(&self, more: usize) -> bool {
        self.tree.nodes.len() + more <= self.settings.max_nodes.min(u32::MAX as usize)
    }

    /// Runs one simulation: down the tree, a playout from the leaf, and back up. Returns the depth
    /// reached in the tree.
    fn simulate(&mut self, root: &P, worth: PayoffScale) -> u32 {
        let mut position = root.clone();
        let mut at = 0;
        self.path.clear();
        self.path.push(0);
        let outcome = loop {
            let node = &self.tree.nodes[at];
            if at != 0 && node.solved.is_some() {
                break node.solved;
            }
            if node.is_leaf() {
                if node.visits >= self.settings.expand_after {
                    self.expand(at, &position);
                }
                if self.tree.nodes[at].is_leaf() {
                    break self
                        .policy
                        .playout(&mut position, &mut self.rng, &mut self.scratch);
                }
            }
            at = self
                .tree
                .select(at, self.settings.exploration, worth, &mut self.rng);
            self.tree.apply_step(&mut position, at);
            self.path.push(at as u32);
            if self.tree.nodes[at].visits == 0 {
                self.tree.record_end(at, position.turn());
            }
        };
        self.tree
            .back_up(&self.path, outcome.unwrap_or(Outcome::Draw), worth);
        self.path.len() as u32 - 1
    }

    /// Returns the child to play: a proven win, or else the most visited one that is not proven to
    /// be worse than another.
    fn best(&self, seat: Seat, worth: PayoffScale) -> Option<usize> {
        let nodes = &self.tree.nodes;
        let rank = |i: &usize| {
            let node = &nodes[*i];
            // A proven value of -1 ranks below everything, one of 1 above; all else goes by visits.
            let proven = node
                .solved
                .map_or(0.0, |outcome| worth.payoff(outcome, seat));
            let class = if proven >= 1.0 {
                1
            } else {
                -i32::from(proven < 0.0)
            };
            (class, node.visits)
        };
        nodes[0]
            .children()
            .filter(|&i| nodes[i].mover == Some(seat))
            .max_by_key(rank)
    }

    /// Returns the most visited line from a child of the root, up to the first chance.
    fn line(&self, mut at: usize, worth: PayoffScale) -> Vec<P::Move> {
        let nodes = &self.tree.nodes;
        let mut line = Vec::new();
        while let TreeStep::Move(m) = &nodes[at].step {
            line.push(m.clone());
            let seen = nodes[at].children().filter(|&i| nodes[i].visits > 0);
            let rank = |i: &usize| {
                let won = nodes[*i].mean(worth).is_some_and(|value| value >= 1.0)
                    && nodes[*i].solved.is_some();
                (won, nodes[*i].visits)
            };
            match seen.max_by_key(rank) {
                Some(next) => at = next,
                None => break,
            }
        }
        line
    }
}

impl<P: Position + PartialEq, Q: Policy<P>> Strategy<P> for Mcts<P, Q> {
    fn name(&self) -> String {
        "mcts".to_owned()
    }

    fn choose(&mut self, position: &P, budget: &mut dyn Budget) -> Option<Choice<P::Move>> {
        let seat = position.turn().seat()?;
        let worth = self.worth(position.seats());
        self.set_root(position);
        let (mut nodes, mut depth) = (0, 0);
        let forced = self.tree.nodes[0].children().len() == 1;
        while !forced && self.tree.nodes[0].solved.is_none() && !budget.spent(nodes) {
            depth = self.simulate(position, worth).max(depth);
            nodes += 1;
        }
        let best = self.best(seat, worth)?;
        let line = self.line(best, worth);
        let chosen = &self.tree.nodes[best];
        let info = Info {
            nodes,
            value: chosen.mean(worth),
            exact: chosen.solved.is_some(),
            depth,
            line,
        };
        Some(Choice {
            mv: info.line.first()?.clone(),
            info,
        })
    }

    fn forget(&mut self) {
        (self.root, self.tree) = (None, MctsTree::new());
        self.rng = Prng::seed_from_u64(self.seed);
    }

    fn memory(&self) -> usize {
        self.tree.nodes.capacity() * size_of::<MctsNode<P::Move, P::Chance>>()
    }
}
