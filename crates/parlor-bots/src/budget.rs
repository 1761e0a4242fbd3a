//! Limits on the length of a search.

/// Limit on the length of a search.
///
/// A search has no clock of its own. It calls [`spent`](Budget::spent) often (a tree search once
/// per simulation) with the number of nodes searched for the current move, and stops soon after the
/// first `true`. A budget in time is therefore written by the owner of a clock, and should read it
/// only every so many calls.
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
    /// Returns true if the search must end after this many nodes.
    fn spent(&mut self, nodes: u64) -> bool;
}

impl<F: FnMut(u64) -> bool> Budget for F {
    fn spent(&mut self, nodes: u64) -> bool {
        self(nodes)
    }
}

/// Fixed number of nodes for each move, whatever time they take.
///
/// With it, a strategy plays the same on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nodes(pub u64);

impl Budget for Nodes {
    fn spent(&mut self, nodes: u64) -> bool {
        nodes >= self.0
    }
}

/// Budget that also limits the number of nodes.
pub struct AtMost<'a> {
    /// Maximum number of nodes.
    pub nodes: u64,
    /// Budget that may end the search earlier.
    pub inner: &'a mut dyn Budget,
}

impl Budget for AtMost<'_> {
    fn spent(&mut self, nodes: u64) -> bool {
        nodes >= self.nodes || self.inner.spent(nodes)
    }
}
