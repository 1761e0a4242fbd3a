//! Receivers of generated moves: a list, a counter, a random choice.

use parlor_core::random_below;
use rand::Rng;

use crate::moves::Move;
use crate::{Cities, City};

/// Receiver of moves from the generator. Moves come in whole sets, so counting or choosing one
/// costs next to nothing.
pub(crate) trait MoveSink {
    /// Receives a move.
    fn one(&mut self, m: impl Into<Move>);

    /// Receives a move for each of these `len` cities, in numerical order.
    fn many<M: Into<Move>>(&mut self, cities: Cities, len: u32, make: impl Fn(City) -> M);

    /// Receives a move for each of these cities, in numerical order.
    fn each<M: Into<Move>>(&mut self, cities: Cities, make: impl Fn(City) -> M) {
        if !cities.is_empty() {
            self.many(cities, cities.len(), make);
        }
    }

    /// Receives a move for every city but this one.
    fn elsewhere<M: Into<Move>>(&mut self, here: City, make: impl Fn(City) -> M) {
        self.many(Cities::ALL.without(here), City::COUNT as u32 - 1, make);
    }
}

impl MoveSink for Vec<Move> {
    fn one(&mut self, m: impl Into<Move>) {
        self.push(m.into());
    }

    fn many<M: Into<Move>>(&mut self, cities: Cities, _: u32, make: impl Fn(City) -> M) {
        self.extend(cities.iter().map(|city| make(city).into()));
    }
}

/// Counts the moves.
#[derive(Default)]
pub(crate) struct MoveCount(pub(crate) u32);

impl MoveSink for MoveCount {
    fn one(&mut self, _: impl Into<Move>) {
        self.0 += 1;
    }

    fn many<M: Into<Move>>(&mut self, _: Cities, len: u32, _: impl Fn(City) -> M) {
        self.0 += len;
    }
}

/// Picks one of all moves uniformly: each new set replaces the current pick with probability equal
/// to its share of all moves so far.
pub(crate) struct RandomPick<'a, R: ?Sized> {
    rng: &'a mut R,
    so_far: u32,
    pub(crate) winner: Option<Move>,
}

impl<'a, R: Rng + ?Sized> RandomPick<'a, R> {
    pub(crate) fn new(rng: &'a mut R) -> RandomPick<'a, R> {
        RandomPick {
            rng,
            so_far: 0,
            winner: None,
        }
    }
}

impl<R: Rng + ?Sized> MoveSink for RandomPick<'_, R> {
    fn one(&mut self, m: impl Into<Move>) {
        self.so_far += 1;
        if random_below(self.rng, self.so_far) == 0 {
            self.winner = Some(m.into());
        }
    }

    fn many<M: Into<Move>>(&mut self, cities: Cities, len: u32, make: impl Fn(City) -> M) {
        self.so_far += len;
        let ticket = random_below(self.rng, self.so_far);
        if ticket < len {
            self.winner = cities.nth(ticket).map(|city| make(city).into());
        }
    }
}
