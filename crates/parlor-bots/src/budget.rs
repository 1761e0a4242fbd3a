//! How long a search may think.

/// What a search asks whether it may go on.
///
/// A search has no clock of its own. It calls [`spent`](Budget::spent) often (a tree search once per simulation), with
/// the number of nodes it has looked at since it was asked for a move, and stops soon after the first `true`. A budget in
/// time is therefore written by whoever owns a clock, and should look at it only every so many calls.
///
/// Every closure `FnMut(u64) -> bool` is a budget:
///
/// ```
/// use parlor_bots::Budget;
/// let mut asked = 0;
/// let mut three_times = |_nodes: u64| { asked += 1; asked > 3 };
/// let budget: &mut dyn Budget = &mut three_times;
/// assert!(!budget.spent(1));
/// ```
pub trait Budget {
    /// Whether thinking has to end, after this many nodes.
    fn spent(&mut self, nodes: u64) -> bool;
}

impl<F: FnMut(u64) -> bool> Budget for F {
    fn spent(&mut self, nodes: u64) -> bool {
        self(nodes)
    }
}

/// So many nodes for each move, whatever time they take.
///
/// With it, a strategy does the same on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nodes(pub u64);

impl Budget for Nodes {
    fn spent(&mut self, nodes: u64) -> bool {
        nodes >= self.0
    }
}

/// Another budget, but no more than this many nodes.
pub struct AtMost<'a> {
    /// The most nodes.
    pub nodes: u64,
    /// What else ends the thinking.
    pub inner: &'a mut dyn Budget,
}

impl Budget for AtMost<'_> {
    fn spent(&mut self, nodes: u64) -> bool {
        nodes >= self.nodes || self.inner.spent(nodes)
    }
}
