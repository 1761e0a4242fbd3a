//! The evaluation as play needs it: many boards that differ in few points.
//!
//! The first layer is summed in whole numbers, one row of a table for each (side, point, number of checkers): a sum does not depend
//! on the order of its terms, so a board is worth the same from whatever board it was reached. The rest is floating point in one
//! fixed order with fused multiply-add, the same on every processor; see `registers` for how a processor's wide registers are used.

use std::cell::RefCell;

use parlor_backgammon::{BAR, Board, Side};

use super::bearoff;
use super::chances::{Chances, when_over};
use super::inputs;
use super::layers::{self, Neurons};
use super::net::{LANES, Net, Nets};
use super::registers::{Lister, Registers, Work};

/// One in the sums of the first layer.
const ONE: f32 = 65_536.0;
/// How many numbers of checkers a point can show, 0 to 15.
const COUNTS: usize = 16;
/// The points of a side, with off and the bar.
const PLACES: usize = BAR as usize + 1;

thread_local! {
    /// Room for the neurons of two layers, which would else be cleared for every board.
    static NEURONS: RefCell<[Neurons; 2]> = const { RefCell::new([Neurons::new(), Neurons::new()]) };
}

/// Nets made ready to judge boards.
#[derive(Clone, Debug)]
pub struct Eval {
    contact: Ready,
    race: Ready,
    quick: Ready,
    registers: Registers,
}

/// A board from which others are reached, with its sums.
#[derive(Clone, Debug)]
pub(super) struct Base {
    sides: [Side; 2],
    race: bool,
    sums: Vec<i32>,
    quick: Vec<i32>,
}

impl Eval {
    /// Makes nets ready, for the widest registers that the processor has.
    pub fn new(nets: &Nets) -> Eval {
        Eval::with(nets, Registers::widest())
    }

    /// Makes nets ready for the basic registers of every processor. They judge exactly as with [`Eval::new`], slower.
    pub fn portable(nets: &Nets) -> Eval {
        Eval::with(nets, Registers::Plain)
    }

    fn with(nets: &Nets, registers: Registers) -> Eval {
        let [contact, race, quick] = nets.all().map(Ready::new);
        Eval {
            contact,
            race,
            quick,
            registers: if registers.are_there() {
                registers
            } else {
                Registers::Plain
            },
        }
    }

    fn net(&self, race: bool) -> &Ready {
        if race { &self.race } else { &self.contact }
    }

    /// The sums of a board, to judge others that differ in few points.
    pub(super) fn base(&self, board: &Board) -> Base {
        let race = board.is_race();
        Base {
            sides: [board.mover(), board.other()],
            race,
            sums: self.net(race).sums(board),
            quick: self.quick.sums(board),
        }
    }

    /// The chances of the player to move on this board, before the dice fall.
    pub fn chances(&self, board: &Board) -> Chances {
        if let Some(known) = when_over(board).or_else(|| bearoff::chances(board)) {
            return known;
        }
        let net = self.net(board.is_race());
        self.judged(net, &net.sums(board), &[], board)
    }

    /// As [`Eval::chances`], faster for a board much like that of `base`.
    #[inline]
    pub(super) fn chances_from(&self, base: &Base, board: &Board) -> Chances {
        if board.is_race() != base.race {
            return self.chances(board);
        }
        if base.race
            && let Some(known) = when_over(board).or_else(|| bearoff::chances(board))
        {
            return known;
        }
        let net = self.net(base.race);
        self.judged_from(net, base, &base.sums, board)
    }

    /// What the quick net says of a board much like that of `base`: good enough to see which plays are worth a better look.
    #[inline]
    pub(super) fn glance_from(&self, base: &Base, board: &Board) -> Chances {
        self.judged_from(&self.quick, base, &base.quick, board)
    }

    #[inline]
    fn judged_from(&self, net: &Ready, base: &Base, sums: &[i32], board: &Board) -> Chances {
        match Changes::new(net, base, board) {
            Some(changes) => self.judged(net, sums, changes.slice(), board),
            None => self.judged(net, &net.sums(board), &[], board),
        }
    }

    #[inline]
    fn judged(&self, net: &Ready, sums: &[i32], changes: &[Change<'_>], board: &Board) -> Chances {
        let outputs = NEURONS.with_borrow_mut(|neurons| {
            self.registers.run(Judge {
                net,
                sums,
                changes,
                neurons,
            })
        });
        let [win, wg, wbg, lg, lbg, ..] = outputs;
        Chances::from_array([win, wg, wbg, lg, lbg]).proper(board)
    }
}

/// A net made ready.
#[derive(Clone, Debug)]
struct Ready {
    /// What each number of checkers on each place of each side adds to the first layer.
    rows: Vec<i32>,
    bias: Vec<i32>,
    /// The hidden layers after the first.
    hidden: Vec<Dense>,
    output: Dense,
}

/// The weights between two layers.
#[derive(Clone, Debug)]
struct Dense {
    weights: Vec<f32>,
    bias: Vec<f32>,
}

impl Ready {
    fn new(net: &Net) -> Ready {
        let whole = |weight: f32| (weight * ONE).round() as i32;
        let first = &net.layers[0];
        let mut rows = Vec::with_capacity(2 * PLACES * COUNTS * first.width());
        for side in 0..2 {
            for place in 0..=BAR {
                for count in 0..COUNTS as u8 {
                    let mut sum = vec![0.0; first.width()];
                    inputs::of_point(side, place, count, |input, x| {
                        sum.iter_mut()
                            .zip(first.row(input))
                            .for_each(|(sum, weight)| *sum += x * weight);
                    });
                    rows.extend(sum.into_iter().map(whole));
                }
            }
        }
        let layers = net.layers.iter().enumerate().skip(1).map(|(n, layer)| {
            // The sums of the first layer are divided here, where it costs nothing.
            let unit = if n == 1 { ONE } else { 1.0 };
            Dense {
                weights: layer.weights.iter().map(|weight| weight / unit).collect(),
                bias: layer.bias.clone(),
            }
        });
        let mut hidden: Vec<Dense> = layers.collect();
        let output = hidden.pop().unwrap_or(Dense {
            weights: Vec::new(),
            bias: vec![0.0; LANES],
        });
        Ready {
            rows,
            bias: first.bias.iter().copied().map(whole).collect(),
            hidden,
            output,
        }
    }

    #[inline]
    fn row(&self, side: usize, place: u8, count: u8) -> &[i32] {
        let width = self.bias.len();
        &self.rows[((side * PLACES + usize::from(place)) * COUNTS + usize::from(count)) * width..]
            [..width]
    }

    fn sums(&self, board: &Board) -> Vec<i32> {
        let mut sums = self.bias.clone();
        for (number, side) in [board.mover(), board.other()].into_iter().enumerate() {
            inputs::places(side, |place, count| {
                let row = self.row(number, place, count);
                sums.iter_mut()
                    .zip(row)
                    .for_each(|(sum, x)| *sum = sum.wrapping_add(*x));
            });
        }
        sums
    }
}

/// A row of the first layer to take away, and the one that comes instead.
type Change<'a> = (&'a [i32], &'a [i32]);

/// All changes from one board to another.
struct Changes<'a> {
    changes: [Change<'a>; MOST_CHANGES],
    count: usize,
}

/// The most places that a play and its hits can change, and a few more.
const MOST_CHANGES: usize = 16;

impl<'a> Changes<'a> {
    /// `None` when there are too many.
    #[inline]
    fn new(net: &'a Ready, base: &Base, board: &Board) -> Option<Changes<'a>> {
        let sides = [
            (base.sides[0], board.mover()),
            (base.sides[1], board.other()),
        ];
        let sets = sides.map(|(before, after)| before.differing(after));
        if sets[0].count_ones() + sets[1].count_ones() > MOST_CHANGES as u32 {
            return None;
        }
        let mut changes: Changes<'a> = Changes {
            changes: [(&[], &[]); MOST_CHANGES],
            count: 0,
        };
        for (number, ((before, after), mut set)) in sides.into_iter().zip(sets).enumerate() {
            while set != 0 {
                let place = set.trailing_zeros() as u8;
                set &= set - 1;
                let rows = [before, after].map(|side| net.row(number, place, side.count(place)));
                changes.changes[changes.count & (MOST_CHANGES - 1)] = (rows[0], rows[1]);
                changes.count += 1;
            }
        }
        Some(changes)
    }

    fn slice(&self) -> &[Change<'a>] {
        &self.changes[..self.count]
    }
}

/// From the sums of the first layer to the outputs.
struct Judge<'a> {
    net: &'a Ready,
    sums: &'a [i32],
    changes: &'a [Change<'a>],
    neurons: &'a mut [Neurons; 2],
}

impl Work for Judge<'_> {
    type Done = [f32; LANES];

    #[inline(always)]
    fn run<L: Lister>(self) -> [f32; LANES] {
        let [mut from, mut to] = self.neurons.each_mut();
        first_layer::<L>(self.sums, self.changes, from);
        for layer in &self.net.hidden {
            layers::hidden::<L>(&layer.weights, &layer.bias, from, to);
            std::mem::swap(&mut from, &mut to);
        }
        sigmoid(layers::output(
            &self.net.output.weights,
            &self.net.output.bias,
            from,
        ))
    }
}

#[inline(always)]
fn first_layer<L: Lister>(sums: &[i32], changes: &[Change<'_>], to: &mut Neurons) {
    const BLOCK: usize = 32;
    let blocks = sums
        .as_chunks::<BLOCK>()
        .0
        .iter()
        .zip(to.values.as_chunks_mut::<BLOCK>().0);
    for (block, (base, values)) in blocks.enumerate() {
        let mut sums = *base;
        for (old, new) in changes {
            let rows = (
                old.as_chunks::<BLOCK>().0.get(block),
                new.as_chunks::<BLOCK>().0.get(block),
            );
            if let (Some(old), Some(new)) = rows {
                for n in 0..BLOCK {
                    sums[n] = sums[n].wrapping_add(new[n].wrapping_sub(old[n]));
                }
            }
        }
        for n in 0..BLOCK {
            values[n] = sums[n] as f32;
        }
    }
    to.switch::<L>(sums.len());
}

/// From any numbers to between 0 and 1, with operations that every processor rounds alike.
#[inline(always)]
pub(super) fn sigmoid(x: [f32; LANES]) -> [f32; LANES] {
    let mut y = [0.0; LANES];
    for (y, x) in y.iter_mut().zip(x) {
        *y = 1.0 / (1.0 + exp(-x));
    }
    y
}

/// The exponential, within a few units in the last place.
#[inline(always)]
fn exp(x: f32) -> f32 {
    const LOG2_E: f32 = std::f32::consts::LOG2_E;
    let t = (x * LOG2_E).clamp(-60.0, 60.0);
    let whole = (t + 12_582_912.0) - 12_582_912.0;
    let part = t - whole;
    // 2^part for -0.5 to 0.5: the terms of its power series.
    let mut sum = 1.540_353e-4_f32;
    for term in [
        1.333_355_8e-3,
        9.618_129e-3,
        5.550_411e-2,
        2.402_265e-1,
        std::f32::consts::LN_2,
        1.0,
    ] {
        sum = sum.mul_add(part, term);
    }
    sum * f32::from_bits(((whole as i32 + 127) as u32) << 23)
}

#[cfg(test)]
mod tests {
    use parlor_backgammon::{Dice, Roll};

    use super::*;

    /// Boards after two rolls from the start, each with one from which it was reached.
    fn boards() -> Vec<(Board, Board)> {
        let (mut boards, mut results, mut more) = (Vec::new(), Vec::new(), Vec::new());
        for (first, second) in Roll::all().zip(Roll::all().rev()) {
            Board::START.afterstates_into(Dice::from(first), &mut results);
            for between in results.iter().map(Board::swapped) {
                between.afterstates_into(Dice::from(second), &mut more);
                boards.extend(
                    more.iter()
                        .map(|after| (between.swapped(), after.swapped())),
                );
            }
        }
        boards
    }

    fn bits(chances: Chances) -> [u32; Chances::COUNT] {
        chances.to_array().map(f32::to_bits)
    }

    #[test]
    fn a_board_is_worth_the_same_from_wherever_it_is_reached() {
        let eval = Eval::new(&Nets::house());
        let start = eval.base(&Board::START);
        for (from, board) in boards() {
            let whole = bits(eval.chances(&board));
            assert_eq!(
                whole,
                bits(eval.chances_from(&eval.base(&from), &board)),
                "{board:?}"
            );
            assert_eq!(whole, bits(eval.chances_from(&start, &board)), "{board:?}");
        }
    }

    #[test]
    fn all_registers_of_this_processor_tell_the_same_to_the_last_bit() {
        let nets = Nets::house();
        let all = [Registers::Plain, Registers::Avx2, Registers::Avx512];
        let evals: Vec<Eval> = all
            .into_iter()
            .filter(|r| r.are_there())
            .map(|r| Eval::with(&nets, r))
            .collect();
        for (_, board) in boards().into_iter().step_by(23) {
            let told: Vec<_> = evals
                .iter()
                .map(|eval| bits(eval.chances(&board)))
                .collect();
            assert!(told.iter().all(|one| *one == told[0]), "{board:?} {told:?}");
        }
    }
}
