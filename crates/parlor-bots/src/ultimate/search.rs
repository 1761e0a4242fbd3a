//! The net's tree search over positions of the standard rules.

use std::sync::Arc;

use rand_xoshiro::rand_core::SeedableRng;

use super::eval::Eval;
use super::proof::Prover;
use super::state::{State, Step};
use super::tree::{Node, Proof, Settings, Tree};
use crate::{Budget, Prng};

/// The tree search with a net, from one position to the next of a game.
pub(super) struct Search {
    eval: Arc<Eval>,
    settings: Settings,
    root: Option<State>,
    tree: Tree,
    prover: Prover,
    seed: u64,
    rng: Prng,
}

/// What a search found.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) step: Step,
    /// For who is on turn, from -1 to 1.
    pub(super) value: f32,
    pub(super) exact: bool,
    pub(super) nodes: u64,
    pub(super) depth: u32,
    pub(super) line: Vec<Step>,
}

impl Search {
    pub(super) fn new(eval: Arc<Eval>, settings: Settings, seed: u64) -> Search {
        Search {
            eval,
            settings,
            root: None,
            tree: Tree::new(),
            prover: Prover::default(),
            seed,
            rng: Prng::seed_from_u64(seed),
        }
    }

    /// Roots the tree at a position, keeping what is known of it.
    fn settle(&mut self, state: &State) {
        match self.root.and_then(|root| self.tree.find(&root, state)) {
            Some(0) => {}
            Some(at) => self.tree.reroot(at),
            None => self.tree = Tree::new(),
        }
        self.root = Some(*state);
        if self.tree.nodes[0].is_leaf() {
            self.tree.expand(0, state, &self.eval, &self.settings);
            self.tree.vary(&mut self.rng);
        }
    }

    /// Thinks about a position that is not over. One node is one simulation.
    pub(super) fn think(&mut self, state: &State, budget: &mut dyn Budget) -> Option<Found> {
        self.settle(state);
        let mut depth = 0;
        let forced = self.tree.nodes[0].children().len() == 1;
        let (proven, mut nodes) = if forced || !self.is_open() {
            (None, 0)
        } else {
            self.prover.prove(state, budget)
        };
        if let Some((step, value)) = proven
            && value >= 0
        {
            return Some(Found {
                step,
                value: f32::from(value),
                exact: true,
                nodes,
                depth,
                line: vec![step],
            });
        }
        // Also where all is proven to be lost it thinks on, for the move that is hardest to answer.
        while !forced && self.is_open() && !budget.spent(nodes) {
            depth = self
                .tree
                .simulate(state, &self.eval, &self.settings)
                .max(depth);
            nodes += 1;
        }
        let best = self.tree.best(0)?;
        let chosen = &self.tree.nodes[best];
        let (value, exact) = match proven {
            Some((_, value)) => (f32::from(value), true),
            None => (chosen.mean(), chosen.proof != Proof::Open),
        };
        Some(Found {
            step: chosen.step,
            value,
            exact,
            nodes,
            depth,
            line: self.line(best),
        })
    }

    fn is_open(&self) -> bool {
        self.tree.nodes[0].proof == Proof::Open
    }

    /// The moves of the root.
    pub(super) fn moves(&self) -> impl Iterator<Item = &Node> {
        self.tree.nodes[self.tree.nodes[0].children()].iter()
    }

    fn line(&self, mut at: usize) -> Vec<Step> {
        let mut line = vec![self.tree.nodes[at].step];
        while let Some(next) = self.tree.best(at) {
            line.push(self.tree.nodes[next].step);
            at = next;
        }
        line
    }

    pub(super) fn forget(&mut self) {
        (self.root, self.tree) = (None, Tree::new());
        self.rng = Prng::seed_from_u64(self.seed);
    }
}
