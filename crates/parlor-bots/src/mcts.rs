//! Monte Carlo tree search over any game.

mod tree;

use parlor_core::playout::Scratch;
use parlor_core::{Outcome, Position, Seat, Turn};
use rand_xoshiro::rand_core::SeedableRng;

use crate::{Budget, Choice, Info, Policy, Prng, Strategy, Uniform};
use tree::{Node, Step, Tree, Worth};

/// The knobs of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How much is explored against what looks best; payoffs reach from -1 to 1.
    pub exploration: f64,
    /// A leaf gets children when a simulation reaches it that was there this often before, at least 1.
    pub expand_after: u32,
    /// The tree stops growing at this many nodes (of some 30 bytes and a move each), and only counts on.
    pub max_nodes: usize,
    /// What a point is worth. A win of 1 is the best there is, so a game that can be won by 3 points wants 1/3.
    pub point: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            exploration: 1.0,
            expand_after: 1,
            max_nodes: 1 << 20,
            point: 1.0,
        }
    }
}

/// Monte Carlo tree search with upper confidence bounds (UCT).
///
/// - Every seat plays for its own payoff (the n-seat form of minimax), also where a move belongs to a seat that is not on turn.
/// - Luck has nodes of its own, entered by weight.
/// - Outcomes that are proven, because a seat can force them, are no longer sampled; when the root is proven, the
///   search ends.
/// - The tree is kept: when the next position is in it, a few steps below the last one, its visits count on.
///
/// For a seed, a budget in nodes and a series of positions, its moves are the same everywhere. One node of the budget is
/// one simulation.
pub struct Mcts<P: Position, Q = Uniform> {
    seed: u64,
    rng: Prng,
    policy: Q,
    settings: Settings,
    root: Option<P>,
    tree: Tree<P>,
    scratch: Scratch<P>,
    path: Vec<u32>,
}

impl<P: Position> Mcts<P> {
    /// A search with random playouts.
    pub fn new(seed: u64) -> Mcts<P> {
        Mcts::with(seed, Uniform::default(), Settings::default())
    }
}

impl<P: Position, Q: Policy<P>> Mcts<P, Q> {
    /// A search with a game's own playouts, or other settings.
    pub fn with(seed: u64, policy: Q, settings: Settings) -> Mcts<P, Q> {
        Mcts {
            seed,
            rng: Prng::seed_from_u64(seed),
            policy,
            settings,
            root: None,
            tree: Tree::new(),
            scratch: Scratch::default(),
            path: Vec::new(),
        }
    }

    /// How many simulations the tree holds that went through its root.
    pub fn visits(&self) -> u32 {
        self.tree.nodes[0].visits
    }

    /// How many nodes the tree has.
    pub fn size(&self) -> usize {
        self.tree.nodes.len()
    }

    /// The moves looked at from the last position, with their visits and what they are worth to their mover.
    pub fn looked_at(&self) -> Vec<(P::Move, u32, Option<f64>)> {
        let worth = self.worth(self.root.as_ref().map_or(2, Position::seats));
        let of = |node: &Node<P::Move, P::Chance>| match &node.step {
            Step::Move(m) => Some((m.clone(), node.visits, node.mean(worth))),
            Step::Root | Step::Chance(..) => None,
        };
        self.tree.nodes[self.tree.nodes[0].children()]
            .iter()
            .filter_map(of)
            .collect()
    }

    fn worth(&self, seats: u8) -> Worth {
        Worth::new(seats, self.settings.point)
    }

    /// Roots the tree at a position, keeping what is known of it.
    fn settle(&mut self, position: &P)
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
            None => self.tree = Tree::new(),
        }
        self.tree.chooser = position.turn().seat();
        self.root = Some(position.clone());
        if self.tree.nodes[0].is_leaf() {
            self.grow(0, position);
        }
    }

    /// Gives a node children, if there is room.
    fn grow(&mut self, at: usize, position: &P) {
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

    /// One simulation: down the tree, a playout from the leaf, and back. Returns how many steps deep the tree was.
    fn simulate(&mut self, root: &P, worth: Worth) -> u32 {
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
                    self.grow(at, &position);
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
            self.tree.walk(&mut position, at);
            self.path.push(at as u32);
            if self.tree.nodes[at].visits == 0 {
                self.tree.note_end(at, position.turn());
            }
        };
        self.tree
            .back_up(&self.path, outcome.unwrap_or(Outcome::Draw), worth);
        self.path.len() as u32 - 1
    }

    /// The child to play: a proven win, else the most visited that is not proven to be worse than another.
    fn best(&self, seat: Seat, worth: Worth) -> Option<usize> {
        let nodes = &self.tree.nodes;
        let rank = |i: &usize| {
            let node = &nodes[*i];
            // A proven value of -1 ranks below everything, one of 1 above; all else goes by visits.
            let proven = node.solved.map_or(0.0, |outcome| worth.of(outcome, seat));
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

    /// The line of most visits from a child of the root on, until luck decides.
    fn line(&self, mut at: usize, worth: Worth) -> Vec<P::Move> {
        let nodes = &self.tree.nodes;
        let mut line = Vec::new();
        while let Step::Move(m) = &nodes[at].step {
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
        self.settle(position);
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
        (self.root, self.tree) = (None, Tree::new());
        self.rng = Prng::seed_from_u64(self.seed);
    }
}
