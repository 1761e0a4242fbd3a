//! Search tree: an arena of nodes with their values and proofs.

use parlor_core::{Outcome, Position, Seat, Turn, random_below};

use crate::Prng;

/// Step from the parent of a node.
#[derive(Clone, Debug)]
pub(super) enum TreeStep<M, C> {
    /// The node is the root.
    Root,
    /// A move.
    Move(M),
    /// A chance, with its weight.
    Chance(C, u32),
}

/// Completeness of the children of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Children {
    /// All possible moves of one seat, or all chances.
    All,
    /// Moves of one seat, with some omitted, so they cannot prove that there is no better move.
    Some,
    /// Moves of several seats, which prove nothing.
    Mixed,
}

/// Position in the tree. The children of a node are contiguous in the arena.
#[derive(Clone, Debug)]
pub(super) struct MctsNode<M, C> {
    pub(super) step: TreeStep<M, C>,
    /// Sum of the values of all simulations through this node, for `mover`.
    pub(super) total: f64,
    pub(super) visits: u32,
    first: u32,
    count: u32,
    /// Outcome under best play, once proven.
    pub(super) solved: Option<Outcome>,
    /// Seat whose move leads here; `None` for the root and after a chance.
    pub(super) mover: Option<Seat>,
    children: Children,
}

impl<M, C> MctsNode<M, C> {
    fn new(step: TreeStep<M, C>, mover: Option<Seat>) -> MctsNode<M, C> {
        MctsNode {
            step,
            total: 0.0,
            visits: 0,
            first: 0,
            count: 0,
            solved: None,
            mover,
            children: Children::All,
        }
    }

    pub(super) fn is_leaf(&self) -> bool {
        self.count == 0
    }

    pub(super) fn children(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }

    /// Returns the mean value of all visits for the mover, or the proven value if there is one.
    pub(super) fn mean(&self, worth: PayoffScale) -> Option<f64> {
        match (self.solved, self.mover) {
            (Some(outcome), Some(mover)) => Some(worth.payoff(outcome, mover)),
            _ => (self.visits > 0).then(|| self.total / f64::from(self.visits)),
        }
    }
}

/// Conversion of outcomes to payoffs from -1 to 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct PayoffScale {
    /// Payoff of one point won from all others.
    pub(super) point: f64,
    /// Number of players who lose when one wins.
    pub(super) others: f64,
    pub(super) seats: u8,
}

impl PayoffScale {
    pub(super) fn new(seats: u8, point: f64) -> PayoffScale {
        PayoffScale {
            point,
            others: f64::from(seats.saturating_sub(1).max(1)),
            seats,
        }
    }

    /// Returns the payoff of one seat. The best is 1, and the payoffs of all seats have the same
    /// sum as their points.
    #[inline]
    pub(super) fn payoff(self, outcome: Outcome, seat: Seat) -> f64 {
        match outcome {
            Outcome::Won { by, points } if by == seat => (f64::from(points) * self.point).min(1.0),
            Outcome::Won { points, .. } => -(f64::from(points) * self.point).min(1.0) / self.others,
            Outcome::Draw => 0.0,
            Outcome::TeamWon => 1.0,
            Outcome::TeamLost => -1.0,
        }
    }
}

/// Arena of nodes; node 0 is the root.
#[derive(Debug)]
pub(super) struct MctsTree<P: Position> {
    /// Seat that chooses at the root; moves of others there are not searched.
    pub(super) chooser: Option<Seat>,
    pub(super) nodes: Vec<MctsNode<P::Move, P::Chance>>,
}

impl<P: Position> MctsTree<P> {
    pub(super) fn new() -> MctsTree<P> {
        MctsTree {
            chooser: None,
            nodes: vec![MctsNode::new(TreeStep::Root, None)],
        }
    }

    /// Gives node `at` a child for each of the moves, in random order.
    pub(super) fn grow_moves(
        &mut self,
        at: usize,
        position: &P,
        moves: &mut Vec<P::Move>,
        narrowed: bool,
        rng: &mut Prng,
    ) {
        let first = self.nodes.len();
        let turn = position.turn().seat();
        let mut children = if narrowed {
            Children::Some
        } else {
            Children::All
        };
        while !moves.is_empty() {
            let m = moves.swap_remove(random_below(rng, moves.len() as u32) as usize);
            let mover = position.mover(&m).or(turn);
            if mover != turn {
                children = Children::Mixed;
            }
            self.nodes.push(MctsNode::new(TreeStep::Move(m), mover));
        }
        self.adopt(at, first, children);
    }

    /// Gives node `at` a child for each chance.
    pub(super) fn grow_chances(&mut self, at: usize, chances: &mut Vec<(P::Chance, u32)>) {
        let first = self.nodes.len();
        self.nodes.extend(
            chances
                .drain(..)
                .map(|(c, weight)| MctsNode::new(TreeStep::Chance(c, weight), None)),
        );
        self.adopt(at, first, Children::All);
    }

    fn adopt(&mut self, at: usize, first: usize, children: Children) {
        let count = (self.nodes.len() - first) as u32;
        let node = &mut self.nodes[at];
        (node.first, node.count, node.children) = (first as u32, count, children);
    }

    /// Returns the child that a simulation visits next: moves are chosen by upper confidence bound,
    /// chances by weight.
    ///
    /// Proven children count with their value, with nothing left to explore.
    #[inline]
    pub(super) fn select(
        &self,
        at: usize,
        exploration: f64,
        worth: PayoffScale,
        rng: &mut Prng,
    ) -> usize {
        let node = &self.nodes[at];
        let range = node.children();
        if matches!(self.nodes[range.start].step, TreeStep::Chance(..)) {
            return self.select_chance(range, rng);
        }
        let pull = exploration as f32 * (node.visits.max(1) as f32).ln().sqrt();
        let (mut best, mut best_score) = (range.start, f32::NEG_INFINITY);
        for i in range {
            let child = &self.nodes[i];
            if at == 0 && child.mover != self.chooser {
                continue;
            }
            let score = match (child.solved, child.mover) {
                (Some(outcome), Some(mover)) => worth.payoff(outcome, mover) as f32,
                _ if child.visits == 0 => return i,
                _ => {
                    let visits = child.visits as f32;
                    child.total as f32 / visits + pull / visits.sqrt()
                }
            };
            if score > best_score {
                (best, best_score) = (i, score);
            }
        }
        best
    }

    fn select_chance(&self, range: std::ops::Range<usize>, rng: &mut Prng) -> usize {
        let weight = |i: &usize| match self.nodes[*i].step {
            TreeStep::Chance(_, weight) => weight,
            TreeStep::Root | TreeStep::Move(_) => 0,
        };
        let total: u32 = range.clone().map(|i| weight(&i)).sum();
        let mut ticket = random_below(rng, total);
        let last = range.end - 1;
        let hit = |i: &usize| match ticket.checked_sub(weight(i)) {
            Some(rest) => {
                ticket = rest;
                false
            }
            None => true,
        };
        range.into_iter().find(hit).unwrap_or(last)
    }

    /// Backs one simulation up along `path`, and proofs as far as they reach.
    pub(super) fn back_up(&mut self, path: &[u32], outcome: Outcome, worth: PayoffScale) {
        let mut proving = true;
        for (below_end, &at) in path.iter().rev().enumerate() {
            let at = at as usize;
            if proving && below_end > 0 && self.nodes[at].solved.is_none() {
                self.nodes[at].solved = self.proof(at, worth);
            }
            let node = &mut self.nodes[at];
            proving &= node.solved.is_some();
            node.visits += 1;
            if let Some(mover) = node.mover {
                node.total += worth.payoff(outcome, mover);
            }
        }
    }

    /// Returns the outcome of a node under best play, if its children prove one.
    fn proof(&self, at: usize, worth: PayoffScale) -> Option<Outcome> {
        let node = &self.nodes[at];
        let children = &self.nodes[node.children()];
        let Some(mover) = children.first()?.mover else {
            let same = children[0].solved?;
            return children
                .iter()
                .all(|child| child.solved == Some(same))
                .then_some(same);
        };
        if node.children == Children::Mixed {
            return None;
        }
        let value = |outcome: &Outcome| worth.payoff(*outcome, mover);
        if let Some(win) = children
            .iter()
            .filter_map(|child| child.solved)
            .find(|outcome| value(outcome) >= 1.0)
        {
            return Some(win);
        }
        if node.children == Children::Some || children.iter().any(|child| child.solved.is_none()) {
            return None;
        }
        let outcomes = || children.iter().filter_map(|child| child.solved);
        let best = outcomes().max_by(|a, b| value(a).total_cmp(&value(b)))?;
        // With three seats, a loser may choose the winner: that proves neither outcome.
        let clear = worth.seats <= 2
            || outcomes().all(|other| other == best || value(&other) < value(&best));
        clear.then_some(best)
    }

    /// Makes a node the root and drops everything that is not below it.
    pub(super) fn reroot(&mut self, at: usize) {
        if at == 0 {
            return;
        }
        let old = std::mem::take(&mut self.nodes);
        let mut root = old[at].clone();
        (root.step, root.mover, root.total) = (TreeStep::Root, None, 0.0);
        self.nodes.push(root);
        let mut next = 0;
        while next < self.nodes.len() {
            let range = self.nodes[next].children();
            if !range.is_empty() {
                self.nodes[next].first = self.nodes.len() as u32;
                self.nodes.extend_from_slice(&old[range]);
            }
            next += 1;
        }
    }

    /// Returns the visited node that holds position `target`, up to `depth` steps below the root,
    /// which holds `start`.
    ///
    /// Nearer nodes are examined first, up to a fixed number.
    pub(super) fn find(&self, start: &P, target: &P, depth: u32) -> Option<usize>
    where
        P: PartialEq,
    {
        const LOOKED_AT: usize = 20_000;
        let mut queue = vec![(0, start.clone(), 0)];
        let mut next = 0;
        while let Some((at, position, steps)) = queue.get(next) {
            if position == target {
                return Some(*at);
            }
            if *steps < depth && queue.len() < LOOKED_AT {
                let visited = self.nodes[*at]
                    .children()
                    .filter(|&i| self.nodes[i].visits > 0);
                let reached: Vec<_> = visited
                    .map(|i| (i, self.after(position, i), steps + 1))
                    .collect();
                queue.extend(reached);
            }
            next += 1;
        }
        None
    }

    /// Returns the position at child `i` of the node that holds `position`.
    pub(super) fn after(&self, position: &P, i: usize) -> P {
        let mut after = position.clone();
        self.apply_step(&mut after, i);
        after
    }

    /// Applies the step that leads to node `i`.
    #[inline]
    pub(super) fn apply_step(&self, position: &mut P, i: usize) {
        match &self.nodes[i].step {
            TreeStep::Root => {}
            TreeStep::Move(m) => position.play_unchecked(m),
            TreeStep::Chance(c, _) => position.resolve_unchecked(c),
        }
    }

    /// Records the outcome if the game ends at node `at`, on its first visit.
    #[inline]
    pub(super) fn record_end(&mut self, at: usize, turn: Turn) {
        if let Turn::Over(outcome) = turn {
            self.nodes[at].solved = Some(outcome);
        }
    }
}
