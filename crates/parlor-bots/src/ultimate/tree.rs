//! Tree search in which a net judges every move when it is first seen.

use parlor_core::below;

use super::eval::{Eval, Promise};
use super::state::{State, Step};
use crate::Prng;

/// What is proven about a move, from the side of who makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proof {
    Open,
    Lost,
    Drawn,
    Won,
}

impl Proof {
    pub(super) fn value(self) -> Option<f32> {
        match self {
            Proof::Open => None,
            Proof::Lost => Some(-1.0),
            Proof::Drawn => Some(0.0),
            Proof::Won => Some(1.0),
        }
    }
}

/// A move in the tree. The children of a node lie side by side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The sum of what visits here were worth to who makes the move; the net's own judgement is the first visit.
    pub(super) sum: f32,
    pub(super) visits: u32,
    /// How much of the attention the move deserves before anything is known but the net's judgement.
    share: f32,
    first: u32,
    count: u8,
    pub(super) step: Step,
    pub(super) proof: Proof,
}

impl Node {
    fn new(step: Step, proof: Proof, value: f32) -> Node {
        Node {
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

/// The knobs of the search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How much is explored against what looks best.
    pub exploration: f32,
    /// How far the net's judgement of two moves must differ for one to deserve e times the attention of the other.
    pub temperature: f32,
    /// How much of a leaf's value comes from its best move, the rest from the net's judgement of the leaf.
    pub lookahead: f32,
    /// The tree stops growing at this many nodes of 20 bytes.
    pub max_nodes: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            exploration: 0.45,
            temperature: 0.4,
            lookahead: 0.7,
            max_nodes: 1 << 22,
        }
    }
}

/// The arena; node 0 is the root.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    path: Vec<u32>,
}

impl Tree {
    pub(super) fn new() -> Tree {
        Tree {
            nodes: vec![Node::new(0, Proof::Open, 0.0)],
            path: Vec::new(),
        }
    }

    /// One simulation. Returns how many steps deep it went.
    pub(super) fn simulate(&mut self, root: &State, eval: &Eval, settings: &Settings) -> u32 {
        let mut state = *root;
        let mut at = 0;
        self.path.clear();
        self.path.push(0);
        while !self.nodes[at].is_leaf() && self.nodes[at].proof == Proof::Open {
            at = self.select(at, settings.exploration);
            self.path.push(at as u32);
            if self.nodes[at].proof == Proof::Open {
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

    /// Gives a node its children. Returns what it is worth to who moved there.
    pub(super) fn expand(
        &mut self,
        at: usize,
        state: &State,
        eval: &Eval,
        settings: &Settings,
    ) -> f32 {
        let first = self.nodes.len();
        let nodes = &mut self.nodes;
        eval.look(state, |step, promise| {
            let (proof, value) = match promise {
                Promise::Value(value) => (Proof::Open, value),
                Promise::Won => (Proof::Won, 1.0),
                Promise::Drawn => (Proof::Drawn, 0.0),
                Promise::Lost => (Proof::Lost, -1.0),
            };
            nodes.push(Node::new(step, proof, value));
        });
        let (before, children) = self.nodes.split_at_mut(first);
        let best = children.iter().map(|child| child.sum).fold(-1.0, f32::max);
        let mut total = 0.0;
        for child in &mut *children {
            child.share = if child.proof == Proof::Lost {
                0.0
            } else {
                grow((child.sum - best) / settings.temperature)
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

    /// Changes the first judgements at the root by next to nothing, so that not every game is the same.
    pub(super) fn vary(&mut self, rng: &mut Prng) {
        let range = self.nodes[0].children();
        for child in self.nodes[range]
            .iter_mut()
            .filter(|child| child.proof == Proof::Open)
        {
            child.sum += (below(rng, 1 << 16) as f32 / 65_536.0 - 0.5) * 0.02;
        }
    }

    /// The child that a simulation goes to.
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

    /// Carries a value back along the path, and proofs as far up as they reach.
    fn back_up(&mut self, value: f32) {
        let mut value = value;
        let mut proving = true;
        for end in (0..self.path.len()).rev() {
            let at = self.path[end] as usize;
            if proving && end + 1 < self.path.len() && self.nodes[at].proof == Proof::Open {
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

    /// The child to play: a proven win, else the most visited that is not proven to be lost.
    pub(super) fn best(&self, at: usize) -> Option<usize> {
        let rank = |i: &usize| {
            let node = &self.nodes[*i];
            let class = match node.proof {
                Proof::Won => 2,
                Proof::Lost => 0,
                Proof::Open | Proof::Drawn => 1,
            };
            (class, node.visits)
        };
        self.nodes[at].children().max_by_key(rank)
    }

    /// Makes a node the root and forgets all that is not below it.
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

    /// The node below the root, at most two moves down, that holds position `target`.
    pub(super) fn find(&self, root: &State, target: &State) -> Option<usize> {
        let step = |state: &State, i: usize| {
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

/// What the moves of a position prove about the move that leads to it.
fn proof(children: &[Node]) -> Proof {
    let (mut open, mut drawn) = (false, false);
    for child in children {
        match child.proof {
            Proof::Won => return Proof::Lost,
            Proof::Open => open = true,
            Proof::Drawn => drawn = true,
            Proof::Lost => {}
        }
    }
    match (open, drawn) {
        (true, _) => Proof::Open,
        (false, true) => Proof::Drawn,
        (false, false) => Proof::Won,
    }
}

/// The exponential of a number that is not positive, good to a percent or two, the same on every machine.
#[inline]
fn grow(x: f32) -> f32 {
    let mut y = (1.0 + x / 64.0).max(0.0);
    for _ in 0..6 {
        y *= y;
    }
    y
}
