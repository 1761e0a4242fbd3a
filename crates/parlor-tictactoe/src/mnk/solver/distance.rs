//! Every line of play to the end, on very small boards.

use std::collections::HashMap;

use super::squares::{Geometry, Squares, singles};
use super::{Shape, Value};

/// A value with its distance: positive for a win, the larger the sooner; 0 for a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Distance(i8);

/// More than any number of plies on a board small enough for this.
const FAR: i8 = 100;

impl Distance {
    const LOST: Distance = Distance(-FAR);

    /// The same position from the other seat's view, one ply before.
    pub fn one_ply_earlier(self) -> Distance {
        Distance(-(self.0 - self.0.signum()))
    }

    /// The value without the distance.
    pub fn value(self) -> Value {
        match self.0.signum() {
            1 => Value::Win,
            0 => Value::Draw,
            _ => Value::Loss,
        }
    }

    /// Plies to the end; `None` for a draw.
    pub fn plies(self) -> Option<u16> {
        (self.0 != 0).then(|| (FAR - self.0.abs()) as u16)
    }
}

/// The values found so far. Only ever asked by key, so that no order depends on a hash.
#[derive(Debug)]
pub struct Distances {
    geometry: Geometry,
    known: HashMap<Squares, Distance>,
}

impl Distances {
    pub fn new(shape: Shape) -> Distances {
        Distances {
            geometry: Geometry::new(shape),
            known: HashMap::new(),
        }
    }

    /// The value for the seat to move.
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
            singles(empty).map(|bit| self.value(squares.after_bit(bit)).one_ply_earlier());
        let value = children.max().unwrap_or(Distance(0));
        self.known.insert(key, value);
        value
    }
}
