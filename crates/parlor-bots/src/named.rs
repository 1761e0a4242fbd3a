//! A strategy under the name of its spec.

use parlor_core::{Position, Seat};

use crate::{AtMost, Budget, Choice, Spec, Strategy};

/// A strategy that is named after its spec and has a budget of its own.
pub(crate) struct NamedStrategy<P> {
    spec: Spec,
    /// Maximum number of nodes per move.
    nodes: u64,
    inner: Box<dyn Strategy<P>>,
}

impl<P: Position> NamedStrategy<P> {
    /// Names a strategy after `spec`.
    pub(crate) fn new(spec: Spec, inner: Box<dyn Strategy<P>>) -> NamedStrategy<P> {
        NamedStrategy {
            spec,
            nodes: u64::MAX,
            inner,
        }
    }

    /// Limits `inner` to `nodes` per move and names it after `spec`; returns it as it is if there
    /// is no limit.
    pub(crate) fn limited(
        spec: Spec,
        nodes: Option<u64>,
        inner: Box<dyn Strategy<P>>,
    ) -> Box<dyn Strategy<P>> {
        match nodes {
            Some(nodes) => Box::new(NamedStrategy { spec, nodes, inner }),
            None => inner,
        }
    }
}

impl<P: Position> Strategy<P> for NamedStrategy<P> {
    fn name(&self) -> String {
        self.spec.to_string()
    }

    fn choose(&mut self, position: &P, budget: &mut dyn Budget) -> Option<Choice<P::Move>> {
        let mut limited = AtMost {
            nodes: self.nodes,
            inner: budget,
        };
        self.inner.choose(position, &mut limited)
    }

    fn interject(
        &mut self,
        position: &P,
        seat: Seat,
        budget: &mut dyn Budget,
    ) -> Option<Choice<P::Move>> {
        let mut limited = AtMost {
            nodes: self.nodes,
            inner: budget,
        };
        self.inner.interject(position, seat, &mut limited)
    }

    fn forget(&mut self) {
        self.inner.forget();
    }

    fn memory(&self) -> usize {
        self.inner.memory()
    }
}
