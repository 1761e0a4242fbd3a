//! Sums over a record.

use parlor_core::Seat;
use serde::Serialize;

use super::{Analyst, Judged};
use crate::AnyPosition;

/// All decisions and draws of a seat.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Totals {
    /// The seat.
    pub seat: u8,
    /// Decisions that count, of each kind of mark, from [`Mark::Fine`](super::Mark::Fine) on.
    pub marks: [u32; 4],
    /// Total loss of all mistakes.
    pub loss: f64,
    /// The same in [`Units::stake`](super::Units::stake), each at the stake of its time.
    pub cost: f64,
    /// All luck together.
    pub luck: f64,
    /// The same in [`Units::stake`](super::Units::stake).
    pub luck_cost: f64,
    /// For each kind of decision, the most frequent first.
    pub parts: Vec<Part>,
    /// The rates that players of this game compare, with their names: ("error rate", 7.2).
    pub rates: Vec<(&'static str, f64)>,
    /// Points the seat won or lost in the game, in [`Units::stake`](super::Units::stake); `None`
    /// while it goes on.
    pub result: Option<f64>,
    /// That result without the luck of all seats.
    pub adjusted: Option<f64>,
}

/// The decisions of one kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Part {
    /// Subject: "play", "cube".
    pub topic: &'static str,
    /// Number of decisions, without forced ones.
    pub decisions: u32,
    /// Number of decisions that count in rates.
    pub counted: u32,
    /// Loss of the mistakes in them.
    pub loss: f64,
    /// The same in [`Units::stake`](super::Units::stake).
    pub cost: f64,
}

/// Sums of every seat, before rates are made of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sums {
    seats: Vec<Sum>,
}

/// Sums of one seat.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Sum {
    marks: [u32; 4],
    /// Moves without a choice.
    forced: u32,
    luck: f64,
    luck_cost: f64,
    parts: Vec<Part>,
}

impl Sums {
    /// Sums up judged steps of a game for so many seats.
    pub fn of(seats: u8, steps: &[Judged]) -> Sums {
        let mut sums = Sums {
            seats: vec![Sum::default(); usize::from(seats)],
        };
        steps.iter().for_each(|step| sums.add(step));
        sums
    }

    fn add(&mut self, step: &Judged) {
        let seat = match step {
            Judged::Decision(decision) => decision.seat,
            Judged::Luck(luck) => luck.seat,
            Judged::Forced { seat } => *seat,
            Judged::Nothing => return,
        };
        let Some(sum) = self.seats.get_mut(usize::from(seat)) else {
            return;
        };
        match step {
            Judged::Decision(decision) => {
                let counted = u32::from(decision.counts);
                sum.marks[decision.mark as usize] += counted;
                let part = sum.part_mut(decision.topic);
                part.decisions += 1;
                part.counted += counted;
                part.loss += decision.loss;
                part.cost += decision.loss * decision.stake;
            }
            Judged::Luck(luck) => {
                sum.luck += luck.luck;
                sum.luck_cost += luck.luck * luck.stake;
            }
            Judged::Forced { .. } => sum.forced += 1,
            Judged::Nothing => {}
        }
    }

    /// Returns the loss of all mistakes of a seat.
    pub fn loss(&self, seat: u8) -> f64 {
        total(self.parts(seat).map(|part| part.loss))
    }

    /// Returns the number of decisions of a seat that count in rates.
    pub fn counted(&self, seat: u8) -> u32 {
        self.parts(seat).map(|part| part.counted).sum()
    }

    /// Returns the number of decisions of this kind of all seats, with forced moves.
    pub fn moves(&self, topic: &str) -> u32 {
        let of_topic = |part: &&Part| part.topic == topic;
        let decisions = self
            .seats
            .iter()
            .flat_map(|sum| &sum.parts)
            .filter(of_topic)
            .map(|part| part.decisions);
        decisions.sum::<u32>() + self.seats.iter().map(|sum| sum.forced).sum::<u32>()
    }

    fn parts(&self, seat: u8) -> impl Iterator<Item = &Part> {
        self.seats
            .get(usize::from(seat))
            .into_iter()
            .flat_map(|sum| &sum.parts)
    }
}

impl Sum {
    fn part_mut(&mut self, topic: &'static str) -> &mut Part {
        let at = self
            .parts
            .iter()
            .position(|part| part.topic == topic)
            .unwrap_or_else(|| {
                self.parts.push(Part {
                    topic,
                    decisions: 0,
                    counted: 0,
                    loss: 0.0,
                    cost: 0.0,
                });
                self.parts.len() - 1
            });
        &mut self.parts[at]
    }
}

pub(super) fn of(analyst: &dyn Analyst, sums: &Sums, last: &AnyPosition) -> Vec<Totals> {
    let luck: f64 = total(sums.seats.iter().map(|sum| sum.luck_cost));
    let totals = Seat::all(sums.seats.len() as u8)
        .zip(&sums.seats)
        .map(|(seat, sum)| {
            let result = analyst.result(last, seat);
            // What is luck for one is bad luck for the others, who share it.
            let others = (luck - sum.luck_cost) / (sums.seats.len().max(2) - 1) as f64;
            let mut parts = sum.parts.clone();
            parts.sort_by_key(|part| std::cmp::Reverse(part.decisions));
            Totals {
                seat: seat.number(),
                marks: sum.marks,
                loss: sums.loss(seat.number()),
                cost: total(sum.parts.iter().map(|part| part.cost)),
                luck: sum.luck,
                luck_cost: sum.luck_cost,
                parts,
                rates: analyst.rates(sums, seat.number()),
                result,
                adjusted: result.map(|result| result - sum.luck_cost + others),
            }
        });
    totals.collect()
}

/// A sum; of nothing it is 0 and not -0, as `sum` has it.
fn total(parts: impl Iterator<Item = f64>) -> f64 {
    parts.fold(0.0, |sum, part| sum + part)
}
