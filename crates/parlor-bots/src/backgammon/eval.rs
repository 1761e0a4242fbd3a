//! The evaluation as play needs it: many boards that differ in few points.
//!
//! The first layer is summed in whole numbers, one row of a table for each (side, point, number of checkers): a sum does not depend
//! on the order of its terms, so a board is worth the same from whatever board it was reached. The rest is floating point in one
//! fixed order with fused multiply-add, the same on every processor; see `registers` for how a processor's wide registers are used.

use parlor_backgammon::{BAR, Board, Side};

use super::bearoff;
use super::chances::{Chances, when_over};
use super::inputs;
use super::net::{LANES, NARROW, Net, WIDE};
use super::registers::{Registers, Work};

/// One in the sums of the first layer.
const ONE: f32 = 65_536.0;
/// How many numbers of checkers a point can show, 0 to 15.
const COUNTS: usize = 16;
/// The points of a side, with off and the bar.
const PLACES: usize = BAR as usize + 1;

/// The sums of the first layer.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Row([i32; WIDE]);

/// A net made ready to judge boards.
#[derive(Clone, Debug)]
pub struct Eval {
    /// What each number of checkers on each place of each side adds.
    rows: Vec<Row>,
    bias: Row,
    middle: Vec<[f32; NARROW]>,
    middle_bias: [f32; NARROW],
    output: [[f32; LANES]; NARROW],
    output_bias: [f32; LANES],
    registers: Registers,
}

/// A board from which others are reached, with its sums.
#[derive(Clone, Debug)]
pub(super) struct Base {
    sides: [Side; 2],
    sums: Row,
}

impl Eval {
    /// Makes a net ready, for the widest registers that the processor has.
    pub fn new(net: &Net) -> Eval {
        Eval::with(net, Registers::widest())
    }

    /// Makes a net ready for the basic registers of every processor. It judges exactly as [`Eval::new`] does, slower.
    pub fn portable(net: &Net) -> Eval {
        Eval::with(net, Registers::Plain)
    }

    fn with(net: &Net, registers: Registers) -> Eval {
        let whole = |weights: &[f32; WIDE]| Row(weights.map(|weight| (weight * ONE).round() as i32));
        let mut rows = Vec::with_capacity(2 * PLACES * COUNTS);
        for side in 0..2 {
            for place in 0..=BAR {
                rows.extend((0..COUNTS as u8).map(|count| {
                    let mut sum = [0.0; WIDE];
                    inputs::of_point(side, place, count, |input, x| {
                        sum.iter_mut().zip(&net.input[input]).for_each(|(sum, weight)| *sum += x * weight);
                    });
                    whole(&sum)
                }));
            }
        }
        Eval {
            rows,
            bias: whole(&net.input_bias),
            // The sums are divided here, where it costs nothing.
            middle: net.middle.iter().map(|row| row.map(|weight| weight / ONE)).collect(),
            middle_bias: net.middle_bias,
            output: net.output,
            output_bias: net.output_bias,
            registers: if registers.are_there() { registers } else { Registers::Plain },
        }
    }

    #[inline]
    fn row(&self, side: usize, place: u8, count: u8) -> &Row {
        &self.rows[(side * PLACES + usize::from(place)) * COUNTS + usize::from(count)]
    }

    /// The sums of a board, to judge others that differ in few points.
    pub(super) fn base(&self, board: &Board) -> Base {
        let mut sums = self.bias;
        let sides = [board.mover(), board.other()];
        for (number, side) in sides.into_iter().enumerate() {
            inputs::places(side, |place, count| {
                let row = &self.row(number, place, count).0;
                sums.0.iter_mut().zip(row).for_each(|(sum, x)| *sum = sum.wrapping_add(*x));
            });
        }
        Base { sides, sums }
    }

    /// The chances of the player to move on this board, before the dice fall.
    pub fn chances(&self, board: &Board) -> Chances {
        self.chances_from(&self.base(board), board)
    }

    /// As [`Eval::chances`], faster for a board much like that of `base`.
    #[inline]
    pub(super) fn chances_from(&self, base: &Base, board: &Board) -> Chances {
        if let Some(known) = when_over(board).or_else(|| bearoff::chances(board)) {
            return known;
        }
        let mut changes = Changes { rows: [(&self.bias, &self.bias); MOST], count: 0 };
        for (number, (before, after)) in base.sides.into_iter().zip([board.mover(), board.other()]).enumerate() {
            each_difference(before, after, |place, old, new| {
                changes.push(self.row(number, place, old), self.row(number, place, new));
            });
        }
        let outputs = self.registers.run(Judge { eval: self, base: &base.sums, changes: changes.slice() });
        let [win, wg, wbg, lg, lbg, ..] = outputs;
        Chances::from_array([win, wg, wbg, lg, lbg]).proper(board)
    }
}

/// All places of both sides.
const MOST: usize = 2 * PLACES;

/// Rows to take away, each with the row that comes instead.
struct Changes<'a> {
    rows: [(&'a Row, &'a Row); MOST],
    count: usize,
}

impl<'a> Changes<'a> {
    #[inline]
    fn push(&mut self, old: &'a Row, new: &'a Row) {
        self.rows[self.count] = (old, new);
        self.count += 1;
    }

    fn slice(&self) -> &[(&'a Row, &'a Row)] {
        &self.rows[..self.count]
    }
}

/// Calls `each` with every place where a side has changed, with the numbers of checkers before and after.
#[inline]
fn each_difference(before: Side, after: Side, mut each: impl FnMut(u8, u8, u8)) {
    if before == after {
        return;
    }
    for place in 0..=BAR {
        let (old, new) = (before.count(place), after.count(place));
        if old != new {
            each(place, old, new);
        }
    }
}

/// From the sums of the first layer to the outputs.
struct Judge<'a> {
    eval: &'a Eval,
    base: &'a Row,
    changes: &'a [(&'a Row, &'a Row)],
}

impl Work for Judge<'_> {
    type Done = [f32; LANES];

    #[inline(always)]
    fn run(self) -> [f32; LANES] {
        let mut first = [0.0; WIDE];
        let (on, count) = first_layer(self.base, self.changes, &mut first);
        let second = second_layer(self.eval, &first, &on[..count]);
        third_layer(self.eval, &second)
    }
}

/// The first layer, and which of its neurons are on.
#[inline(always)]
fn first_layer(base: &Row, changes: &[(&Row, &Row)], first: &mut [f32; WIDE]) -> ([u8; WIDE], usize) {
    let mut sums = base.0;
    for (old, new) in changes {
        for ((sum, old), new) in sums.iter_mut().zip(&old.0).zip(&new.0) {
            *sum = sum.wrapping_add(new.wrapping_sub(*old));
        }
    }
    let (mut on, mut count) = ([0; WIDE], 0);
    for (n, (to, sum)) in first.iter_mut().zip(sums).enumerate() {
        *to = sum as f32;
        // Without a branch: the next one overwrites a neuron that is off.
        on[count & (WIDE - 1)] = n as u8;
        count += usize::from(sum > 0);
    }
    (on, count)
}

#[inline(always)]
fn second_layer(eval: &Eval, first: &[f32; WIDE], on: &[u8]) -> [f32; NARROW] {
    let mut sums = eval.middle_bias;
    for n in on {
        let n = usize::from(*n);
        let x = first[n];
        let weights = &eval.middle[n];
        for (sum, weight) in sums.iter_mut().zip(weights) {
            *sum = x.mul_add(*weight, *sum);
        }
    }
    sums
}

#[inline(always)]
fn third_layer(eval: &Eval, second: &[f32; NARROW]) -> [f32; LANES] {
    // Four sums at once, so that no addition waits for the last.
    let mut sums = [eval.output_bias, [0.0; LANES], [0.0; LANES], [0.0; LANES]];
    for (xs, rows) in second.as_chunks::<4>().0.iter().zip(eval.output.as_chunks::<4>().0) {
        for part in 0..4 {
            let x = xs[part].max(0.0);
            for (sum, weight) in sums[part].iter_mut().zip(&rows[part]) {
                *sum = x.mul_add(*weight, *sum);
            }
        }
    }
    let mut outputs = [0.0; LANES];
    for (lane, output) in outputs.iter_mut().enumerate() {
        *output = (sums[0][lane] + sums[1][lane]) + (sums[2][lane] + sums[3][lane]);
    }
    sigmoid(outputs)
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
    for term in [1.333_355_8e-3, 9.618_129e-3, 5.550_411e-2, 2.402_265e-1, std::f32::consts::LN_2, 1.0] {
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
                boards.extend(more.iter().map(|after| (between.swapped(), after.swapped())));
            }
        }
        boards
    }

    fn bits(chances: Chances) -> [u32; Chances::COUNT] {
        chances.to_array().map(f32::to_bits)
    }

    #[test]
    fn a_board_is_worth_the_same_from_wherever_it_is_reached() {
        let eval = Eval::new(&Net::house());
        let start = eval.base(&Board::START);
        for (from, board) in boards() {
            let whole = bits(eval.chances(&board));
            assert_eq!(whole, bits(eval.chances_from(&eval.base(&from), &board)), "{board:?}");
            assert_eq!(whole, bits(eval.chances_from(&start, &board)), "{board:?}");
        }
    }

    #[test]
    fn all_registers_of_this_processor_tell_the_same_to_the_last_bit() {
        let net = Net::house();
        let all = [Registers::Plain, Registers::Avx2, Registers::Avx512];
        let evals: Vec<Eval> = all.into_iter().filter(|r| r.are_there()).map(|r| Eval::with(&net, r)).collect();
        for (_, board) in boards().into_iter().step_by(23) {
            let told: Vec<_> = evals.iter().map(|eval| bits(eval.chances(&board))).collect();
            assert!(told.iter().all(|one| *one == told[0]), "{board:?} {told:?}");
        }
    }
}
