//! Where generated moves go: into a list, into a count, or into a lottery.

use parlor_core::below;
use rand::Rng;

use crate::moves::Move;
use crate::{Cities, City};

/// Takes moves from the generator. Whole sets come at once, so that counting them or drawing from them costs next to nothing.
pub(crate) trait Sink {
    /// A move.
    fn one(&mut self, m: Move);

    /// A move for each of these cities, of which there are so many, in their order.
    fn many(&mut self, cities: Cities, len: u32, make: impl Fn(City) -> Move);

    /// A move for each of these cities, in their order.
    fn each(&mut self, cities: Cities, make: impl Fn(City) -> Move) {
        if !cities.is_empty() {
            self.many(cities, cities.len(), make);
        }
    }

    /// A move for every city but this one.
    fn elsewhere(&mut self, here: City, make: impl Fn(City) -> Move) {
        self.many(Cities::ALL.without(here), City::COUNT as u32 - 1, make);
    }
}

impl Sink for Vec<Move> {
    fn one(&mut self, m: Move) {
        self.push(m);
    }

    fn many(&mut self, cities: Cities, _: u32, make: impl Fn(City) -> Move) {
        self.extend(cities.into_iter().map(make));
    }
}

/// How many moves there are.
#[derive(Default)]
pub(crate) struct Count(pub(crate) u32);

impl Sink for Count {
    fn one(&mut self, _: Move) {
        self.0 += 1;
    }

    fn many(&mut self, _: Cities, len: u32, _: impl Fn(City) -> Move) {
        self.0 += len;
    }
}

/// One of all moves, each with the same probability: whatever comes wins against what came before with its share of all so far.
pub(crate) struct Lottery<'a, R: ?Sized> {
    rng: &'a mut R,
    so_far: u32,
    pub(crate) winner: Option<Move>,
}

impl<'a, R: Rng + ?Sized> Lottery<'a, R> {
    pub(crate) fn new(rng: &'a mut R) -> Lottery<'a, R> {
        Lottery {
            rng,
            so_far: 0,
            winner: None,
        }
    }
}

impl<R: Rng + ?Sized> Sink for Lottery<'_, R> {
    fn one(&mut self, m: Move) {
        self.so_far += 1;
        if below(self.rng, self.so_far) == 0 {
            self.winner = Some(m);
        }
    }

    fn many(&mut self, cities: Cities, len: u32, make: impl Fn(City) -> Move) {
        self.so_far += len;
        let ticket = below(self.rng, self.so_far);
        if ticket < len {
            self.winner = cities.nth(ticket).map(make);
        }
    }
}
