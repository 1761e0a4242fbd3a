//! Fitting the weights to samples: stochastic gradient descent with Adam.
//!
//! A step goes sample by sample through the net and back, keeping what each neuron got and how it should change; then row by row
//! through the weights, whose gradient is summed in registers and used at once.

use parlor_backgammon::Board;
use parlor_core::below;

use super::super::chances::Chances;
use super::super::eval::sigmoid;
use super::super::inputs::{self, INPUTS};
use super::super::layers::{self, Neurons};
use super::super::net::{LANES, Layer, Net};
use super::super::registers::{Lister, Registers, Work};
use crate::Prng;

/// A position before a roll, and what became of it, as the player to move sees it.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The position.
    pub board: Board,
    /// The chances it turned out to have.
    pub goal: Chances,
}

/// A net in training.
#[derive(Clone, Debug)]
pub struct Trainer {
    pub(super) net: Net,
    pub(super) mean: Net,
    pub(super) square: Net,
    pub(super) steps: u64,
    registers: Registers,
}

impl Trainer {
    /// With random weights in the shape of this net.
    pub fn new(shape: &Net, rng: &mut Prng) -> Trainer {
        let mut net = shape.clone();
        let last = net.layers.len() - 1;
        for (n, layer) in net.layers.iter_mut().enumerate() {
            // About thirty inputs are not 0; of a layer of neurons about half.
            let size = if n == 0 {
                0.15
            } else {
                (6.0 / layer.inputs() as f32).sqrt()
            };
            let width = layer.width();
            for row in layer.weights.chunks_exact_mut(width) {
                let (size, used) = if n == last {
                    (0.1, Chances::COUNT)
                } else {
                    (size, width)
                };
                row[..used]
                    .fill_with(|| (below(rng, 1 << 24) as f32 / (1 << 23) as f32 - 1.0) * size);
            }
        }
        net.layers[last].bias[..Chances::COUNT].copy_from_slice(&[0.0, -1.0, -3.0, -1.0, -3.0]);
        Trainer::from_net(net)
    }

    /// From weights that are good already.
    pub fn from_net(net: Net) -> Trainer {
        let zero = Net::zero(&net.widths()).expect("the shape of a net");
        Trainer {
            net,
            mean: zero.clone(),
            square: zero,
            steps: 0,
            registers: Registers::widest(),
        }
    }

    /// The weights so far.
    pub fn net(&self) -> &Net {
        &self.net
    }

    /// One step along the gradient of these samples. Returns the sum of the squared errors of the equity before the step.
    pub fn step(&mut self, samples: &[Sample], rate: f32, batch: &mut Batch) -> f32 {
        batch.clear(&self.net, samples.len());
        self.steps += 1;
        let registers = self.registers;
        registers.run(Step {
            trainer: self,
            samples,
            rate,
            batch,
        })
    }
}

/// What the neurons get and how they should change, for all samples of a step: buffers.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    layers: Vec<Gone>,
    neurons: Vec<Neurons>,
}

/// One layer of weights in a step.
#[derive(Clone, Debug, Default)]
struct Gone {
    /// For each neuron before it, the samples in which it is on, and its values there.
    on: Vec<Vec<(u32, f32)>>,
    /// For each sample, how the error changes with the sums of the neurons after it.
    slopes: Vec<f32>,
}

impl Batch {
    fn clear(&mut self, net: &Net, samples: usize) {
        self.layers.resize_with(net.layers.len(), Gone::default);
        self.neurons.resize_with(net.layers.len(), Neurons::new);
        for (gone, layer) in self.layers.iter_mut().zip(&net.layers) {
            gone.on.resize_with(layer.inputs(), Vec::new);
            gone.on.iter_mut().for_each(Vec::clear);
            gone.slopes.clear();
            gone.slopes.resize(samples * layer.width(), 0.0);
        }
    }
}

/// One step, compiled for wide registers.
struct Step<'a> {
    trainer: &'a mut Trainer,
    samples: &'a [Sample],
    rate: f32,
    batch: &'a mut Batch,
}

impl Work for Step<'_> {
    type Done = f32;

    #[inline(always)]
    fn run<L: Lister>(self) -> f32 {
        let mut error = 0.0;
        for (number, sample) in self.samples.iter().enumerate() {
            error += pass::<L>(&self.trainer.net, self.batch, number, sample);
        }
        let adam = Adam::new(self.trainer.steps, self.rate, self.samples.len());
        let all: Vec<(u32, f32)> = (0..self.samples.len() as u32).map(|n| (n, 1.0)).collect();
        let trainer = self.trainer;
        let moments = trainer
            .mean
            .layers
            .iter_mut()
            .zip(&mut trainer.square.layers);
        for ((layer, (mean, square)), gone) in trainer
            .net
            .layers
            .iter_mut()
            .zip(moments)
            .zip(&self.batch.layers)
        {
            let width = layer.width();
            let rows = layer
                .weights
                .chunks_exact_mut(width)
                .zip(mean.weights.chunks_exact_mut(width));
            for ((row, on), square) in rows
                .zip(&gone.on)
                .zip(square.weights.chunks_exact_mut(width))
            {
                if !on.is_empty() {
                    adam.row(on, &gone.slopes, row.0, row.1, square);
                }
            }
            adam.row(
                &all,
                &gone.slopes,
                &mut layer.bias,
                &mut mean.bias,
                &mut square.bias,
            );
        }
        error
    }
}

/// A sample through the net and back; returns the squared error of its equity.
#[inline(always)]
fn pass<L: Lister>(net: &Net, batch: &mut Batch, number: usize, sample: &Sample) -> f32 {
    let last = net.layers.len() - 1;
    see::<L>(&sample.board, &mut batch.neurons[0]);
    for (n, layer) in net.layers[..last].iter().enumerate() {
        let (before, after) = batch.neurons.split_at_mut(n + 1);
        layers::hidden::<L>(&layer.weights, &layer.bias, &before[n], &mut after[0]);
    }
    for (gone, neurons) in batch.layers.iter_mut().zip(&batch.neurons) {
        for n in neurons.on() {
            let n = *n as usize;
            gone.on[n].push((number as u32, neurons.values[n]));
        }
    }
    let outputs = sigmoid(layers::output(
        &net.layers[last].weights,
        &net.layers[last].bias,
        &batch.neurons[last],
    ));
    let slopes = &mut batch.layers[last].slopes[number * LANES..][..LANES];
    for ((slope, output), goal) in slopes.iter_mut().zip(outputs).zip(sample.goal.to_array()) {
        // The slope of the cross-entropy; it stays 0 in the lanes without an output.
        *slope = output - goal;
    }
    for n in (1..=last).rev() {
        let (before, after) = batch.layers.split_at_mut(n);
        back(
            &net.layers[n],
            &batch.neurons[n],
            number,
            &after[0].slopes,
            &mut before[n - 1].slopes,
        );
    }
    let [win, wg, wbg, lg, lbg, ..] = outputs;
    (Chances::from_array([win, wg, wbg, lg, lbg]).equity() - sample.goal.equity()).powi(2)
}

/// What the net sees.
#[inline(always)]
fn see<L: Lister>(board: &Board, neurons: &mut Neurons) {
    neurons.values[..INPUTS].fill(0.0);
    inputs::of_board(board, |input, x| neurons.values[input] += x);
    neurons.switch::<L>(INPUTS.next_multiple_of(16));
}

/// From the slopes after a layer to those before it.
#[inline(always)]
fn back(layer: &Layer, neurons: &Neurons, number: usize, after: &[f32], before: &mut [f32]) {
    let (width, inputs) = (layer.width(), layer.inputs());
    let after = &after[number * width..][..width];
    let before = &mut before[number * inputs..][..inputs];
    for n in neurons.on() {
        let n = *n as usize;
        before[n] = dot(layer.row(n), after);
    }
}

#[inline(always)]
fn dot(a: &[f32], b: &[f32]) -> f32 {
    const WIDE: usize = 16;
    // Two sums at once, so that no addition waits for the last.
    let mut sums = [[0.0; WIDE]; 2];
    let (a, a_rest) = a.as_chunks::<WIDE>();
    let (b, b_rest) = b.as_chunks::<WIDE>();
    let (a, b) = (a.as_chunks::<2>().0, b.as_chunks::<2>().0);
    for (a, b) in a.iter().zip(b) {
        for (sums, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
                *sum = a.mul_add(*b, *sum);
            }
        }
    }
    let sum: f32 = sums.as_flattened().iter().sum();
    a_rest
        .iter()
        .zip(b_rest)
        .fold(sum, |sum, (a, b)| a.mul_add(*b, sum))
}

/// A number, or 0 below `least`. Averages of slopes that have become 0 shrink for ever, and processors take a hundred times as long for
/// numbers near the smallest there are; so small ones move no weight.
#[inline(always)]
fn quiet(x: f32, least: f32) -> f32 {
    if x.abs() < least { 0.0 } else { x }
}

/// How far weights are moved along a gradient (Kingma and Ba, 2015).
struct Adam {
    rate: f32,
    share: f32,
    second: f32,
}

impl Adam {
    const KEEP: [f32; 2] = [0.9, 0.999];

    fn new(steps: u64, rate: f32, samples: usize) -> Adam {
        let [first, second] = Self::KEEP.map(|keep| 1.0 - keep.powi(steps.min(100_000) as i32));
        Adam {
            rate: rate / first,
            share: 1.0 / samples.max(1) as f32,
            second: 1.0 / second,
        }
    }

    /// Moves one row of weights: `on` are the samples in which its neuron is on.
    #[inline(always)]
    fn row(
        &self,
        on: &[(u32, f32)],
        slopes: &[f32],
        row: &mut [f32],
        mean: &mut [f32],
        square: &mut [f32],
    ) {
        let mut column = 0;
        while column < row.len() {
            column += match row.len() - column {
                128.. => self.columns::<128>(column, on, slopes, row, mean, square),
                32.. => self.columns::<32>(column, on, slopes, row, mean, square),
                _ => self.columns::<LANES>(column, on, slopes, row, mean, square),
            };
        }
    }

    #[inline(always)]
    fn columns<const N: usize>(
        &self,
        column: usize,
        on: &[(u32, f32)],
        slopes: &[f32],
        row: &mut [f32],
        mean: &mut [f32],
        square: &mut [f32],
    ) -> usize {
        let width = row.len();
        let mut sums = [0.0; N];
        for (sample, x) in on {
            if let Some(slopes) = slopes[*sample as usize * width + column..].first_chunk::<N>() {
                for (sum, slope) in sums.iter_mut().zip(slopes) {
                    *sum = x.mul_add(*slope, *sum);
                }
            }
        }
        let weights = row[column..][..N]
            .iter_mut()
            .zip(&mut mean[column..][..N])
            .zip(&mut square[column..][..N]);
        for (((w, m), s), sum) in weights.zip(sums) {
            let slope = sum * self.share;
            let seen = quiet(slope, 1e-18);
            *m = quiet(Self::KEEP[0] * *m + (1.0 - Self::KEEP[0]) * slope, 1e-36);
            *s = quiet(
                Self::KEEP[1] * *s + (1.0 - Self::KEEP[1]) * seen * seen,
                1e-36,
            );
            *w -= self.rate * *m / ((*s * self.second).sqrt() + 1e-8);
        }
        N
    }
}
