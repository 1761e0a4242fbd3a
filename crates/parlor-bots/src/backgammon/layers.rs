//! Forward pass through the layers of a net, for play and for training.
//!
//! Sums are added in one fixed order with fused multiply-add whatever the instruction set, so every
//! processor computes the same numbers. An inactive neuron (about two of three) costs nothing.

use super::net::{LANES, MAX_WIDTH};
use super::simd::{ActiveList, ActiveLister};

/// Neurons of a layer.
#[derive(Clone, Debug)]
pub(super) struct Neurons {
    /// Sums; those not above 0 count as 0.
    pub(super) values: [f32; MAX_WIDTH],
    active: ActiveList,
}

impl Neurons {
    #[inline(always)]
    pub(super) const fn new() -> Neurons {
        Neurons {
            values: [0.0; MAX_WIDTH],
            active: ActiveList::new(),
        }
    }

    /// Returns the indices of the active neurons, in order.
    #[inline(always)]
    pub(super) fn active(&self) -> &[u32] {
        self.active.numbers()
    }

    /// Lists the neurons that are active with these values. The width is a multiple of sixteen.
    #[inline(always)]
    pub(super) fn list_active<L: ActiveLister>(&mut self, width: usize) {
        L::list(&self.values[..width], &mut self.active);
    }
}

/// Adds up a layer: row after row of `weights`, one for each neuron of the previous layer.
#[inline(always)]
pub(super) fn hidden<L: ActiveLister>(
    weights: &[f32],
    bias: &[f32],
    from: &Neurons,
    to: &mut Neurons,
) {
    let mut column = 0;
    while column < bias.len() {
        column += if bias.len() - column >= 128 {
            columns::<128>(weights, bias, column, from, to)
        } else {
            columns::<32>(weights, bias, column, from, to)
        };
    }
    to.list_active::<L>(bias.len());
}

/// Adds up `N` neurons from `column` on. Returns `N`.
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
    for n in from.active() {
        let n = *n as usize;
        let x = from.values[n & (MAX_WIDTH - 1)];
        if let Some(row) = weights[n * bias.len() + column..].first_chunk::<N>() {
            for (sum, weight) in sums.iter_mut().zip(row) {
                *sum = x.mul_add(*weight, *sum);
            }
        }
    }
    to.values[column..][..N].copy_from_slice(&sums);
    N
}

/// Returns the sums of the outputs.
#[inline(always)]
pub(super) fn output(weights: &[f32], bias: &[f32], from: &Neurons) -> [f32; LANES] {
    let rows = weights.as_chunks::<LANES>().0;
    // Four sums at once, so that no addition waits for the last.
    let mut sums = [[0.0; LANES]; 4];
    sums[0].copy_from_slice(bias);
    let (fours, rest) = from.active().as_chunks::<4>();
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
    let x = from.values[n as usize & (MAX_WIDTH - 1)];
    for (sum, weight) in sums.iter_mut().zip(&rows[n as usize]) {
        *sum = x.mul_add(*weight, *sum);
    }
}
