//! Tree search with the net over positions of the standard rules.

use std::sync::Arc;

use rand_xoshiro::rand_core::SeedableRng;

use super::evaluator::UltimateEvaluator;
use super::proof::EndgameProver;
use super::state::{MoveCode, UltimateState};
use super::tree::{MoveProof, NetSearchSettings, UltimateNode, UltimateTree};
use crate::{Budget, Prng};

/// Tree search with a net that follows a game from position to position.
pub(super) struct UltimateSearch {
    eval: Arc<UltimateEvaluator>,
    settings: NetSearchSettings,
    root: Option<UltimateState>,
    tree: UltimateTree,
    prover: EndgameProver,
    seed: u64,
    rng: Prng,
}

/// Result of a search.
#[derive(Clone, Debug)]
pub(super) struct UltimateSearchResult {
    pub(super) step: MoveCode,
    /// Value for the seat on turn, from -1 to 1.
    pub(super) value: f32,
    pub(super) exact: bool,
    pub(super) nodes: u64,
    pub(super) depth: u32,
    pub(super) line: Vec<MoveCode>,
}

impl UltimateSearch {
    pub(super) fn new(
        eval: Arc<UltimateEvaluator>,
        settings: NetSearchSettings,
        seed: u64,
    ) -> UltimateSearch {
        UltimateSearch {
            eval,
            settings,
            root: None,
            tree: UltimateTree::new(),
            prover: EndgameProver::default(),
            seed,
            rng: Prng::seed_from_u64(seed),
        }
    }

    /// Returns the size of the tree and of the prover's table in bytes.
    pub(super) fn memory(&self) -> usize {
        self.tree.nodes.capacity() * size_of::<UltimateNode>() + self.prover.memory()
    }

    /// Roots the tree at a position, keeping the subtree if it is known.
    fn set_root(&mut self, state: &UltimateState) {
        match self.root.and_then(|root| self.tree.find(&root, state)) {
            Some(0) => {}
            Some(at) => self.tree.reroot(at),
            None => self.tree = UltimateTree::new(),
        }
        self.root = Some(*state);
        if self.tree.nodes[0].is_leaf() {
            self.tree.expand(0, state, &self.eval, &self.settings);
            self.tree.add_noise(&mut self.rng);
        }
    }

    /// Searches a position that is not over. One node is one simulation.
    pub(super) fn search(
        &mut self,
        state: &UltimateState,
        budget: &mut dyn Budget,
    ) -> Option<UltimateSearchResult> {
        self.set_root(state);
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
            return Some(UltimateSearchResult {
                step,
                value: f32::from(value),
                exact: true,
                nodes,
                depth,
                line: vec![step],
            });
        }
        // A proven loss is searched on, for the move that is hardest to answer.
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
            None => (chosen.mean(), chosen.proof != MoveProof::Open),
        };
        Some(UltimateSearchResult {
            step: chosen.step,
            value,
            exact,
            nodes,
            depth,
            line: self.line(best),
        })
    }

    fn is_open(&self) -> bool {
        self.tree.nodes[0].proof == MoveProof::Open
    }

    /// Iterates over the moves of the root.
    pub(super) fn moves(&self) -> impl Iterator<Item = &UltimateNode> {
        self.tree.nodes[self.tree.nodes[0].children()].iter()
    }

    fn line(&self, mut at: usize) -> Vec<MoveCode> {
        let mut line = vec![self.tree.nodes[at].step];
        while let Some(next) = self.tree.best(at) {
            line.push(self.tree.nodes[next].step);
            at = next;
        }
        line
    }

    pub(super) fn forget(&mut self) {
        (self.root, self.tree) = (None, UltimateTree::new());
        self.rng = Prng::seed_from_u64(self.seed);
    }
}
