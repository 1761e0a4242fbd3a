//! Totals over a record.

use std::borrow::Cow;

use parlor_core::Seat;
use serde::{Deserialize, Serialize};

use super::{Analyst, Judged, Number};
use crate::AnyPosition;

/// Totals of all decisions and draws of a seat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Totals {
    /// Number of the seat.
    pub seat: u8,
    /// Number of decisions that count toward rates, by mark, starting with
    /// [`Mark::Fine`](super::Mark::Fine).
    pub marks: [u32; 4],
    /// Total loss of all mistakes.
    pub loss: f64,
    /// Total loss in [`Units::stake`](super::Units::stake), each mistake at the stake of its time.
    pub cost: f64,
    /// Total luck.
    pub luck: f64,
    /// Total luck in [`Units::stake`](super::Units::stake).
    pub luck_cost: f64,
    /// Totals of each kind of decision, most frequent first.
    pub parts: Vec<Part>,
    /// Rates that players of this game compare, with their names, such as ("error rate", 7.2).
    pub rates: Vec<Number>,
    /// Points the seat won or lost, in [`Units::stake`](super::Units::stake); `None` while the game
    /// goes on.
    pub result: Option<f64>,
    /// Luck-adjusted result: `result` minus the luck of all seats.
    pub adjusted: Option<f64>,
}

/// Totals of one kind of decision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// Kind of decision: "play", "cube".
    pub topic: Cow<'static, str>,
    /// Number of decisions, excluding forced moves.
    pub decisions: u32,
    /// Number of decisions that count toward rates.
    pub counted: u32,
    /// Total loss of the mistakes among them.
    pub loss: f64,
    /// Total loss in [`Units::stake`](super::Units::stake).
    pub cost: f64,
}

/// Sums of every seat, from which the rates are computed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sums {
    seats: Vec<Sum>,
}

/// Sums of one seat.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Sum {
    marks: [u32; 4],
    /// Number of moves without a choice.
    forced: u32,
    luck: f64,
    luck_cost: f64,
    parts: Vec<Part>,
}

impl Sums {
    /// Sums up judged steps of a game with this many seats.
    pub fn from_steps(seats: u8, steps: &[Judged]) -> Sums {
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
                let part = sum.part_mut(decision.topic.clone());
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

    /// Returns the total loss of a seat's mistakes.
    pub fn loss(&self, seat: u8) -> f64 {
        total(self.parts(seat).map(|part| part.loss))
    }

    /// Returns the number of a seat's decisions that count toward rates.
    pub fn counted(&self, seat: u8) -> u32 {
        self.parts(seat).map(|part| part.counted).sum()
    }

    /// Returns the number of decisions of this kind by all seats, including forced moves.
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
    fn part_mut(&mut self, topic: Cow<'static, str>) -> &mut Part {
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

pub(super) fn seat_totals(analyst: &dyn Analyst, sums: &Sums, last: &AnyPosition) -> Vec<Totals> {
    let luck: f64 = total(sums.seats.iter().map(|sum| sum.luck_cost));
    let totals = Seat::all(sums.seats.len() as u8)
        .zip(&sums.seats)
        .map(|(seat, sum)| {
            let result = analyst.result(last, seat);
            // One seat's luck is the others' bad luck, shared equally.
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

/// Returns the sum of `parts`. An empty sum is 0, not the -0 that `Iterator::sum` returns.
fn total(parts: impl Iterator<Item = f64>) -> f64 {
    parts.fold(0.0, |sum, part| sum + part)
}
