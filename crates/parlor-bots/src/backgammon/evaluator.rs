//! Fast evaluation of many boards that differ in few points.
//!
//! The first layer is summed in integers, one row of a table for each (side, point, number of
//! checkers). An integer sum does not depend on the order of its terms, so a board evaluates the
//! same whichever board it was derived from. The rest is floating point in one fixed order with
//! fused multiply-add, the same on every processor; see `simd` for the use of wide registers.

use std::cell::RefCell;

use parlor_backgammon::{BAR, Board, Side};

use super::bearoff;
use super::chances::{Chances, final_chances};
use super::inputs;
use super::layers::{self, Neurons};
use super::net::{BackgammonNet, BackgammonNets, LANES};
use super::simd::{ActiveLister, Kernel, SimdLevel};

/// Fixed-point one in the sums of the first layer.
const ONE: f32 = 65_536.0;
/// Number of different checker counts on a point, 0 to 15.
const COUNTS: usize = 16;
/// Number of places of a side: its points, off and the bar.
const PLACES: usize = BAR as usize + 1;

thread_local! {
    /// Buffers for the neurons of two layers, reused between boards.
    static NEURONS: RefCell<[Neurons; 2]> =
        const { RefCell::new([Neurons::new(), Neurons::new()]) };
}

/// Nets prepared to evaluate boards.
#[derive(Clone, Debug)]
pub struct BackgammonEvaluator {
    contact: PreparedNet,
    race: PreparedNet,
    quick: PreparedNet,
    simd: SimdLevel,
}

/// Board from which others are evaluated incrementally, with its sums.
#[derive(Clone, Debug)]
pub(super) struct BaseBoard {
    sides: [Side; 2],
    race: bool,
    sums: Vec<i32>,
    quick: Vec<i32>,
}

impl BackgammonEvaluator {
    /// Prepares nets for the widest SIMD instructions of this processor.
    pub fn new(nets: &BackgammonNets) -> BackgammonEvaluator {
        BackgammonEvaluator::for_simd(nets, SimdLevel::detect())
    }

    /// Prepares nets for the basic instructions of every processor. They evaluate exactly as with
    /// [`BackgammonEvaluator::new`], only slower.
    pub fn portable(nets: &BackgammonNets) -> BackgammonEvaluator {
        BackgammonEvaluator::for_simd(nets, SimdLevel::Portable)
    }

    fn for_simd(nets: &BackgammonNets, simd: SimdLevel) -> BackgammonEvaluator {
        let [contact, race, quick] = nets.all().map(PreparedNet::new);
        BackgammonEvaluator {
            contact,
            race,
            quick,
            simd: if simd.is_available() {
                simd
            } else {
                SimdLevel::Portable
            },
        }
    }

    fn net(&self, race: bool) -> &PreparedNet {
        if race { &self.race } else { &self.contact }
    }

    /// Computes the sums of a board, to evaluate others that differ in few points.
    pub(super) fn base(&self, board: &Board) -> BaseBoard {
        let race = board.is_race();
        BaseBoard {
            sides: [board.mover(), board.other()],
            race,
            sums: self.net(race).sums(board),
            quick: self.quick.sums(board),
        }
    }

    /// Returns the chances of the player to move on this board, before the roll.
    pub fn chances(&self, board: &Board) -> Chances {
        if let Some(known) = final_chances(board).or_else(|| bearoff::chances(board)) {
            return known;
        }
        let net = self.net(board.is_race());
        self.evaluate(net, &net.sums(board), &[], board)
    }

    /// Returns the same as [`BackgammonEvaluator::chances`], faster for a board much like `base`.
    #[inline]
    pub(super) fn chances_from(&self, base: &BaseBoard, board: &Board) -> Chances {
        if board.is_race() != base.race {
            return self.chances(board);
        }
        if base.race
            && let Some(known) = final_chances(board).or_else(|| bearoff::chances(board))
        {
            return known;
        }
        let net = self.net(base.race);
        self.evaluate_from(net, base, &base.sums, board)
    }

    /// Returns the chances by the quick net for a board much like `base`: good enough to select the
    /// plays worth a full evaluation.
    #[inline]
    pub(super) fn quick_chances_from(&self, base: &BaseBoard, board: &Board) -> Chances {
        self.evaluate_from(&self.quick, base, &base.quick, board)
    }

    #[inline]
    fn evaluate_from(
        &self,
        net: &PreparedNet,
        base: &BaseBoard,
        sums: &[i32],
        board: &Board,
    ) -> Chances {
        match RowChanges::new(net, base, board) {
            Some(changes) => self.evaluate(net, sums, changes.slice(), board),
            None => self.evaluate(net, &net.sums(board), &[], board),
        }
    }

    #[inline]
    fn evaluate(
        &self,
        net: &PreparedNet,
        sums: &[i32],
        changes: &[RowChange<'_>],
        board: &Board,
    ) -> Chances {
        let outputs = NEURONS.with_borrow_mut(|neurons| {
            self.simd.run(EvaluationKernel {
                net,
                sums,
                changes,
                neurons,
            })
        });
        let [win, wg, wbg, lg, lbg, ..] = outputs;
        Chances::from_array([win, wg, wbg, lg, lbg]).clamped_to(board)
    }
}

/// Net in the layout used for evaluation.
#[derive(Clone, Debug)]
struct PreparedNet {
    /// Contribution of each number of checkers on each place of each side to the first layer.
    rows: Vec<i32>,
    bias: Vec<i32>,
    /// Hidden layers after the first.
    hidden: Vec<DenseLayer>,
    output: DenseLayer,
}

/// Weights between two layers.
#[derive(Clone, Debug)]
struct DenseLayer {
    weights: Vec<f32>,
    bias: Vec<f32>,
}

impl PreparedNet {
    fn new(net: &BackgammonNet) -> PreparedNet {
        let fixed_point = |weight: f32| (weight * ONE).round() as i32;
        let first = &net.layers[0];
        let mut rows = Vec::with_capacity(2 * PLACES * COUNTS * first.width());
        for side in 0..2 {
            for place in 0..=BAR {
                for count in 0..COUNTS as u8 {
                    let mut sum = vec![0.0; first.width()];
                    inputs::each_point_input(side, place, count, |input, x| {
                        sum.iter_mut()
                            .zip(first.row(input))
                            .for_each(|(sum, weight)| *sum += x * weight);
                    });
                    rows.extend(sum.into_iter().map(fixed_point));
                }
            }
        }
        let layers = net.layers.iter().enumerate().skip(1).map(|(n, layer)| {
            // Scaling back the sums of the first layer here costs nothing.
            let unit = if n == 1 { ONE } else { 1.0 };
            DenseLayer {
                weights: layer.weights.iter().map(|weight| weight / unit).collect(),
                bias: layer.bias.clone(),
            }
        });
        let mut hidden: Vec<DenseLayer> = layers.collect();
        let output = hidden.pop().unwrap_or(DenseLayer {
            weights: Vec::new(),
            bias: vec![0.0; LANES],
        });
        PreparedNet {
            rows,
            bias: first.bias.iter().copied().map(fixed_point).collect(),
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
            inputs::each_place(side, |place, count| {
                let row = self.row(number, place, count);
                sums.iter_mut()
                    .zip(row)
                    .for_each(|(sum, x)| *sum = sum.wrapping_add(*x));
            });
        }
        sums
    }
}

/// Row of the first layer to subtract, and the row to add instead.
type RowChange<'a> = (&'a [i32], &'a [i32]);

/// All row changes from one board to another.
struct RowChanges<'a> {
    changes: [RowChange<'a>; MAX_CHANGES],
    count: usize,
}

/// Maximum number of changed places: more than a play and its hits can change.
const MAX_CHANGES: usize = 16;

impl<'a> RowChanges<'a> {
    /// Collects the changes; returns `None` if there are too many.
    #[inline]
    fn new(net: &'a PreparedNet, base: &BaseBoard, board: &Board) -> Option<RowChanges<'a>> {
        let sides = [
            (base.sides[0], board.mover()),
            (base.sides[1], board.other()),
        ];
        let sets = sides.map(|(before, after)| before.differing(after));
        if sets[0].count_ones() + sets[1].count_ones() > MAX_CHANGES as u32 {
            return None;
        }
        let mut changes: RowChanges<'a> = RowChanges {
            changes: [(&[], &[]); MAX_CHANGES],
            count: 0,
        };
        for (number, ((before, after), mut set)) in sides.into_iter().zip(sets).enumerate() {
            while set != 0 {
                let place = set.trailing_zeros() as u8;
                set &= set - 1;
                let rows = [before, after].map(|side| net.row(number, place, side.count(place)));
                changes.changes[changes.count & (MAX_CHANGES - 1)] = (rows[0], rows[1]);
                changes.count += 1;
            }
        }
        Some(changes)
    }

    fn slice(&self) -> &[RowChange<'a>] {
        &self.changes[..self.count]
    }
}

/// Forward pass from the sums of the first layer to the outputs.
struct EvaluationKernel<'a> {
    net: &'a PreparedNet,
    sums: &'a [i32],
    changes: &'a [RowChange<'a>],
    neurons: &'a mut [Neurons; 2],
}

impl Kernel for EvaluationKernel<'_> {
    type Output = [f32; LANES];

    #[inline(always)]
    fn run<L: ActiveLister>(self) -> [f32; LANES] {
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
fn first_layer<L: ActiveLister>(sums: &[i32], changes: &[RowChange<'_>], to: &mut Neurons) {
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
    to.list_active::<L>(sums.len());
}

/// Maps any number to between 0 and 1, with operations that every processor rounds alike.
#[inline(always)]
pub(super) fn sigmoid(x: [f32; LANES]) -> [f32; LANES] {
    let mut y = [0.0; LANES];
    for (y, x) in y.iter_mut().zip(x) {
        *y = 1.0 / (1.0 + exp(-x));
    }
    y
}

/// Returns the exponential, within a few units in the last place.
#[inline(always)]
fn exp(x: f32) -> f32 {
    const LOG2_E: f32 = std::f32::consts::LOG2_E;
    let t = (x * LOG2_E).clamp(-60.0, 60.0);
    let whole = (t + 12_582_912.0) - 12_582_912.0;
    let part = t - whole;
    // 2^part for -0.5 to 0.5, by its power series.
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

    /// Returns boards two rolls after the start, each with a board it was derived from.
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
    fn incremental_evaluation_does_not_depend_on_the_base_board() {
        let eval = BackgammonEvaluator::new(&BackgammonNets::built_in());
        let start = eval.base(&Board::START);
        for (from, board) in boards() {
            let full = bits(eval.chances(&board));
            assert_eq!(
                full,
                bits(eval.chances_from(&eval.base(&from), &board)),
                "{board:?}"
            );
            assert_eq!(full, bits(eval.chances_from(&start, &board)), "{board:?}");
        }
    }

    #[test]
    fn all_simd_levels_of_this_processor_agree_to_the_last_bit() {
        let nets = BackgammonNets::built_in();
        let all = [SimdLevel::Portable, SimdLevel::Avx2, SimdLevel::Avx512];
        let evals: Vec<BackgammonEvaluator> = all
            .into_iter()
            .filter(|r| r.is_available())
            .map(|r| BackgammonEvaluator::for_simd(&nets, r))
            .collect();
        for (_, board) in boards().into_iter().step_by(23) {
            let results: Vec<_> = evals
                .iter()
                .map(|eval| bits(eval.chances(&board)))
                .collect();
            assert!(
                results.iter().all(|one| *one == results[0]),
                "{board:?} {results:?}"
            );
        }
    }
}
