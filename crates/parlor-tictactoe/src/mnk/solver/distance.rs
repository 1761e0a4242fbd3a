//! Exhaustive search of very small boards, with distances.

use std::collections::HashMap;

use super::squares::{Geometry, Squares, single_bits};
use super::{BoardShape, GameValue};

/// A value with its distance: positive for a win, larger if sooner; negative for a loss; 0 for a
/// draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Distance(i8);

/// More than the number of plies on any board searched this way.
const FAR: i8 = 100;

impl Distance {
    const LOST: Distance = Distance(-FAR);

    /// Returns the value for the other seat, one ply earlier.
    pub fn one_ply_earlier(self) -> Distance {
        Distance(-(self.0 - self.0.signum()))
    }

    /// Returns the value without the distance.
    pub fn value(self) -> GameValue {
        match self.0.signum() {
            1 => GameValue::Win,
            0 => GameValue::Draw,
            _ => GameValue::Loss,
        }
    }

    /// Returns the number of plies to the end; `None` for a draw.
    pub fn plies(self) -> Option<u16> {
        (self.0 != 0).then(|| (FAR - self.0.abs()) as u16)
    }
}

/// Cache of the values found so far. It is only read by key, so no result depends on hash order.
#[derive(Debug)]
pub struct Distances {
    geometry: Geometry,
    known: HashMap<Squares, Distance>,
}

impl Distances {
    pub fn new(shape: BoardShape) -> Distances {
        Distances {
            geometry: Geometry::new(shape),
            known: HashMap::new(),
        }
    }

    /// Returns the value for the seat to move.
    pub fn value(&mut self, squares: Squares) -> Distance {
        if self.geometry.has_run(squares.other) {
            return Distance::LOST;
        }
        let key = self.geometry.canonical(squares);
        if let Some(&value) = self.known.get(&key) {
            return value;
        }
        let empty = self.geometry.cells & !(squares.own | squares.other);
        let children =
            single_bits(empty).map(|bit| self.value(squares.after_bit(bit)).one_ply_earlier());
        let value = children.max().unwrap_or(Distance(0));
        self.known.insert(key, value);
        value
    }
}
