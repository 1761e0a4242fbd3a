//! Search tree in which a net evaluates every move when it is first seen.

use parlor_core::random_below;

use super::evaluator::{MoveEvaluation, UltimateEvaluator};
use super::state::{MoveCode, UltimateState};
use crate::Prng;

/// Proven result of a move for its mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MoveProof {
    Open,
    Lost,
    Drawn,
    Won,
}

impl MoveProof {
    pub(super) fn value(self) -> Option<f32> {
        match self {
            MoveProof::Open => None,
            MoveProof::Lost => Some(-1.0),
            MoveProof::Drawn => Some(0.0),
            MoveProof::Won => Some(1.0),
        }
    }
}

/// Move in the tree. The children of a node are contiguous.
#[derive(Clone, Copy, Debug)]
pub(super) struct UltimateNode {
    /// Sum of the values of all visits for the mover; the net's own evaluation is the first visit.
    pub(super) sum: f32,
    pub(super) visits: u32,
    /// Prior probability of the move by the net's evaluation.
    share: f32,
    first: u32,
    count: u8,
    pub(super) step: MoveCode,
    pub(super) proof: MoveProof,
}

impl UltimateNode {
    fn new(step: MoveCode, proof: MoveProof, value: f32) -> UltimateNode {
        UltimateNode {
            sum: value,
            visits: 1,
            share: 0.0,
            first: 0,
            count: 0,
            step,
            proof,
        }
    }

    pub(super) fn mean(&self) -> f32 {
        self.proof.value().unwrap_or(self.sum / self.visits as f32)
    }

    pub(super) fn is_leaf(&self) -> bool {
        self.count == 0
    }

    pub(super) fn children(&self) -> std::ops::Range<usize> {
        self.first as usize..self.first as usize + usize::from(self.count)
    }
}

/// Parameters of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NetSearchSettings {
    /// Weight of exploration against exploitation.
    pub exploration: f32,
    /// Difference between the evaluations of two moves that makes the prior of one e times that of
    /// the other.
    pub temperature: f32,
    /// Weight of a leaf's best move in its value; the rest is the net's evaluation of the leaf
    /// itself.
    pub lookahead: f32,
    /// Maximum number of nodes in the tree, of 20 bytes each.
    pub max_nodes: usize,
}

impl Default for NetSearchSettings {
    fn default() -> Self {
        NetSearchSettings {
            exploration: 0.45,
            temperature: 0.4,
            lookahead: 0.7,
            max_nodes: 1 << 22,
        }
    }
}

/// Arena of nodes; node 0 is the root.
#[derive(Debug)]
pub(super) struct UltimateTree {
    pub(super) nodes: Vec<UltimateNode>,
    path: Vec<u32>,
}

impl UltimateTree {
    pub(super) fn new() -> UltimateTree {
        UltimateTree {
            nodes: vec![UltimateNode::new(0, MoveProof::Open, 0.0)],
            path: Vec::new(),
        }
    }

    /// Runs one simulation. Returns its depth.
    pub(super) fn simulate(
        &mut self,
        root: &UltimateState,
        eval: &UltimateEvaluator,
        settings: &NetSearchSettings,
    ) -> u32 {
        let mut state = *root;
        let mut at = 0;
        self.path.clear();
        self.path.push(0);
        while !self.nodes[at].is_leaf() && self.nodes[at].proof == MoveProof::Open {
            at = self.select(at, settings.exploration);
            self.path.push(at as u32);
            if self.nodes[at].proof == MoveProof::Open {
                state.play(self.nodes[at].step);
            }
        }
        let value = match self.nodes[at].proof.value() {
            Some(value) => value,
            None if self.nodes.len() >= settings.max_nodes => self.nodes[at].mean(),
            None => self.expand(at, &state, eval, settings),
        };
        self.back_up(value);
        self.path.len() as u32 - 1
    }

    /// Gives a node its children. Returns its value for the player who moved there.
    pub(super) fn expand(
        &mut self,
        at: usize,
        state: &UltimateState,
        eval: &UltimateEvaluator,
        settings: &NetSearchSettings,
    ) -> f32 {
        let first = self.nodes.len();
        let nodes = &mut self.nodes;
        eval.evaluate_moves(state, |step, promise| {
            let (proof, value) = match promise {
                MoveEvaluation::Value(value) => (MoveProof::Open, value),
                MoveEvaluation::Won => (MoveProof::Won, 1.0),
                MoveEvaluation::Drawn => (MoveProof::Drawn, 0.0),
                MoveEvaluation::Lost => (MoveProof::Lost, -1.0),
            };
            nodes.push(UltimateNode::new(step, proof, value));
        });
        let (before, children) = self.nodes.split_at_mut(first);
        let best = children.iter().map(|child| child.sum).fold(-1.0, f32::max);
        let mut total = 0.0;
        for child in &mut *children {
            child.share = if child.proof == MoveProof::Lost {
                0.0
            } else {
                exp_approx((child.sum - best) / settings.temperature)
            };
            total += child.share;
        }
        for child in &mut *children {
            child.share /= total.max(f32::MIN_POSITIVE);
        }
        let node = &mut before[at];
        (node.first, node.count) = (first as u32, children.len() as u8);
        node.proof = proof(children);
        node.proof
            .value()
            .unwrap_or(-best * settings.lookahead + node.mean() * (1.0 - settings.lookahead))
    }

    /// Adds a little noise to the evaluations of the root's moves, so that games vary.
    pub(super) fn add_noise(&mut self, rng: &mut Prng) {
        let range = self.nodes[0].children();
        for child in self.nodes[range]
            .iter_mut()
            .filter(|child| child.proof == MoveProof::Open)
        {
            child.sum += (random_below(rng, 1 << 16) as f32 / 65_536.0 - 0.5) * 0.02;
        }
    }

    /// Returns the child that a simulation visits next.
    #[inline]
    fn select(&self, at: usize, exploration: f32) -> usize {
        let node = &self.nodes[at];
        let pull = exploration * (node.visits as f32).sqrt();
        let range = node.children();
        let (mut best, mut best_score) = (range.start, f32::NEG_INFINITY);
        for (i, child) in self.nodes[range.clone()].iter().enumerate() {
            let score = match child.proof.value() {
                Some(value) => value,
                None => (child.sum + pull * child.share) / child.visits as f32,
            };
            if score > best_score {
                (best, best_score) = (range.start + i, score);
            }
        }
        best
    }

    /// Backs a value up along the path, and proofs as far as they reach.
    fn back_up(&mut self, value: f32) {
        let mut value = value;
        let mut proving = true;
        for end in (0..self.path.len()).rev() {
            let at = self.path[end] as usize;
            if proving && end + 1 < self.path.len() && self.nodes[at].proof == MoveProof::Open {
                self.nodes[at].proof = proof(&self.nodes[self.nodes[at].children()]);
            }
            let node = &mut self.nodes[at];
            match node.proof.value() {
                Some(proven) => value = proven,
                None => proving = false,
            }
            node.visits += 1;
            node.sum += value;
            value = -value;
        }
    }

    /// Returns the child to play: a proven win, or else the most visited one that is not a proven
    /// loss.
    pub(super) fn best(&self, at: usize) -> Option<usize> {
        let rank = |i: &usize| {
            let node = &self.nodes[*i];
            let class = match node.proof {
                MoveProof::Won => 2,
                MoveProof::Lost => 0,
                MoveProof::Open | MoveProof::Drawn => 1,
            };
            (class, node.visits)
        };
        self.nodes[at].children().max_by_key(rank)
    }

    /// Makes a node the root and drops everything that is not below it.
    pub(super) fn reroot(&mut self, at: usize) {
        let old = std::mem::take(&mut self.nodes);
        self.nodes.push(old[at]);
        let mut next = 0;
        while next < self.nodes.len() {
            let range = self.nodes[next].children();
            self.nodes[next].first = self.nodes.len() as u32;
            self.nodes.extend_from_slice(&old[range]);
            next += 1;
        }
    }

    /// Returns the node that holds position `target`, at most two moves below the root.
    pub(super) fn find(&self, root: &UltimateState, target: &UltimateState) -> Option<usize> {
        let step = |state: &UltimateState, i: usize| {
            let mut after = *state;
            after.play(self.nodes[i].step);
            after
        };
        if root == target {
            return Some(0);
        }
        for i in self.nodes[0].children() {
            let one = step(root, i);
            if one == *target {
                return Some(i);
            }
            if let Some(j) = self.nodes[i].children().find(|&j| step(&one, j) == *target) {
                return Some(j);
            }
        }
        None
    }
}

/// Returns the proof for the move that leads to a position, given the position's moves.
fn proof(children: &[UltimateNode]) -> MoveProof {
    let (mut open, mut drawn) = (false, false);
    for child in children {
        match child.proof {
            MoveProof::Won => return MoveProof::Lost,
            MoveProof::Open => open = true,
            MoveProof::Drawn => drawn = true,
            MoveProof::Lost => {}
        }
    }
    match (open, drawn) {
        (true, _) => MoveProof::Open,
        (false, true) => MoveProof::Drawn,
        (false, false) => MoveProof::Won,
    }
}

/// Approximates the exponential of a number that is not positive within two percent, the same on
/// every machine.
#[inline]
fn exp_approx(x: f32) -> f32 {
    let mut y = (1.0 + x / 64.0).max(0.0);
    for _ in 0..6 {
        y *= y;
    }
    y
}
