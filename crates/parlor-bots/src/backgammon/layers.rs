//! One layer of neurons after another, as playing and training need it.
//!
//! What is added to a neuron is added in one fixed order with fused multiply-add, whatever the registers, so that every processor
//! gets the same numbers. A neuron that is off (about two of three) costs nothing.

use super::net::{LANES, MOST_WIDE};
use super::registers::{List, Lister};

/// The neurons of a layer.
#[derive(Clone, Debug)]
pub(super) struct Neurons {
    /// The sums; those that are not above 0 count as 0.
    pub(super) values: [f32; MOST_WIDE],
    on: List,
}

impl Neurons {
    #[inline(always)]
    pub(super) const fn new() -> Neurons {
        Neurons {
            values: [0.0; MOST_WIDE],
            on: List::new(),
        }
    }

    /// Those that are on, in order.
    #[inline(always)]
    pub(super) fn on(&self) -> &[u32] {
        self.on.numbers()
    }

    /// Sees which are on with these values. The width is a multiple of sixteen.
    #[inline(always)]
    pub(super) fn switch<L: Lister>(&mut self, width: usize) {
        L::list(&self.values[..width], &mut self.on);
    }
}

/// Adds up a layer: row after row of `weights`, one for each neuron of the layer before.
#[inline(always)]
pub(super) fn hidden<L: Lister>(weights: &[f32], bias: &[f32], from: &Neurons, to: &mut Neurons) {
    let mut column = 0;
    while column < bias.len() {
        column += if bias.len() - column >= 128 {
            columns::<128>(weights, bias, column, from, to)
        } else {
            columns::<32>(weights, bias, column, from, to)
        };
    }
    to.switch::<L>(bias.len());
}

/// The sums of so many neurons from `column` on. Returns how many those are.
#[inline(always)]
fn columns<const N: usize>(
    weights: &[f32],
    bias: &[f32],
    column: usize,
    from: &Neurons,
    to: &mut Neurons,
) -> usize {
    let mut sums = [0.0; N];
    sums.copy_from_slice(&bias[column..][..N]);
    for n in from.on() {
        let n = *n as usize;
        let x = from.values[n & (MOST_WIDE - 1)];
        if let Some(row) = weights[n * bias.len() + column..].first_chunk::<N>() {
            for (sum, weight) in sums.iter_mut().zip(row) {
                *sum = x.mul_add(*weight, *sum);
            }
        }
    }
    to.values[column..][..N].copy_from_slice(&sums);
    N
}

/// The sums of the outputs.
#[inline(always)]
pub(super) fn output(weights: &[f32], bias: &[f32], from: &Neurons) -> [f32; LANES] {
    let rows = weights.as_chunks::<LANES>().0;
    // Four sums at once, so that no addition waits for the last.
    let mut sums = [[0.0; LANES]; 4];
    sums[0].copy_from_slice(bias);
    let (fours, rest) = from.on().as_chunks::<4>();
    for four in fours {
        for part in 0..4 {
            add(&mut sums[part], rows, from, four[part]);
        }
    }
    for (part, n) in rest.iter().enumerate() {
        add(&mut sums[part & 3], rows, from, *n);
    }
    let mut outputs = [0.0; LANES];
    for (lane, output) in outputs.iter_mut().enumerate() {
        *output = (sums[0][lane] + sums[1][lane]) + (sums[2][lane] + sums[3][lane]);
    }
    outputs
}

#[inline(always)]
fn add(sums: &mut [f32; LANES], rows: &[[f32; LANES]], from: &Neurons, n: u32) {
    let x = from.values[n as usize & (MOST_WIDE - 1)];
    for (sum, weight) in sums.iter_mut().zip(&rows[n as usize]) {
        *sum = x.mul_add(*weight, *sum);
    }
}
