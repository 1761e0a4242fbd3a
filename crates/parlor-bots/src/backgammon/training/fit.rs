//! Fitting of weights to samples: stochastic gradient descent with Adam.
//!
//! A step takes each sample forward and backward through the net, recording the activations and the
//! gradients of the neurons. Then it goes row by row through the weights, summing each gradient in
//! registers and applying it at once.

use parlor_backgammon::Board;
use parlor_core::random_below;

use super::super::chances::Chances;
use super::super::evaluator::sigmoid;
use super::super::inputs::{self, INPUTS};
use super::super::layers::{self, Neurons};
use super::super::net::{BackgammonNet, LANES, NetLayer};
use super::super::simd::{ActiveLister, Kernel, SimdLevel};
use crate::Prng;

/// Position before a roll and its training target, seen from the player to move.
#[derive(Clone, Copy, Debug)]
pub struct BackgammonSample {
    /// The position.
    pub board: Board,
    /// Target chances.
    pub goal: Chances,
}

/// Net in training.
#[derive(Clone, Debug)]
pub struct BackgammonTrainer {
    pub(super) net: BackgammonNet,
    pub(super) mean: BackgammonNet,
    pub(super) square: BackgammonNet,
    pub(super) steps: u64,
    simd: SimdLevel,
}

impl BackgammonTrainer {
    /// Creates a trainer with random weights in the shape of this net.
    pub fn new(shape: &BackgammonNet, rng: &mut Prng) -> BackgammonTrainer {
        let mut net = shape.clone();
        let last = net.layers.len() - 1;
        for (n, layer) in net.layers.iter_mut().enumerate() {
            // About thirty inputs are nonzero, and about half of the neurons of a layer.
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
                row[..used].fill_with(|| {
                    (random_below(rng, 1 << 24) as f32 / (1 << 23) as f32 - 1.0) * size
                });
            }
        }
        net.layers[last].bias[..Chances::COUNT].copy_from_slice(&[0.0, -1.0, -3.0, -1.0, -3.0]);
        BackgammonTrainer::from_net(net)
    }

    /// Creates a trainer that continues from these weights.
    pub fn from_net(net: BackgammonNet) -> BackgammonTrainer {
        let zero = BackgammonNet::zero(&net.widths()).expect("the shape of a net");
        BackgammonTrainer {
            net,
            mean: zero.clone(),
            square: zero,
            steps: 0,
            simd: SimdLevel::detect(),
        }
    }

    /// Returns the current weights.
    pub fn net(&self) -> &BackgammonNet {
        &self.net
    }

    /// Takes one step along the gradient of these samples. Returns the sum of the squared equity
    /// errors before the step.
    pub fn step(
        &mut self,
        samples: &[BackgammonSample],
        rate: f32,
        batch: &mut BackpropBuffers,
    ) -> f32 {
        batch.clear(&self.net, samples.len());
        self.steps += 1;
        let simd = self.simd;
        simd.run(TrainingKernel {
            trainer: self,
            samples,
            rate,
            batch,
        })
    }
}

/// Buffers for the activations and gradients of all samples of a step.
#[derive(Clone, Debug, Default)]
pub struct BackpropBuffers {
    layers: Vec<LayerBuffers>,
    neurons: Vec<Neurons>,
}

/// Buffers for one layer of weights in a step.
#[derive(Clone, Debug, Default)]
struct LayerBuffers {
    /// For each input neuron, the samples in which it is active, with its values.
    active: Vec<Vec<(u32, f32)>>,
    /// For each sample, the gradient of the error with respect to the sums of the output neurons.
    gradients: Vec<f32>,
}

impl BackpropBuffers {
    fn clear(&mut self, net: &BackgammonNet, samples: usize) {
        self.layers
            .resize_with(net.layers.len(), LayerBuffers::default);
        self.neurons.resize_with(net.layers.len(), Neurons::new);
        for (buffers, layer) in self.layers.iter_mut().zip(&net.layers) {
            buffers.active.resize_with(layer.inputs(), Vec::new);
            buffers.active.iter_mut().for_each(Vec::clear);
            buffers.gradients.clear();
            buffers.gradients.resize(samples * layer.width(), 0.0);
        }
    }
}

/// One step, compiled for each instruction set.
struct TrainingKernel<'a> {
    trainer: &'a mut BackgammonTrainer,
    samples: &'a [BackgammonSample],
    rate: f32,
    batch: &'a mut BackpropBuffers,
}

impl Kernel for TrainingKernel<'_> {
    type Output = f32;

    #[inline(always)]
    fn run<L: ActiveLister>(self) -> f32 {
        let mut error = 0.0;
        for (number, sample) in self.samples.iter().enumerate() {
            error += forward_backward::<L>(&self.trainer.net, self.batch, number, sample);
        }
        let adam = Adam::new(self.trainer.steps, self.rate, self.samples.len());
        let all: Vec<(u32, f32)> = (0..self.samples.len() as u32).map(|n| (n, 1.0)).collect();
        let trainer = self.trainer;
        let moments = trainer
            .mean
            .layers
            .iter_mut()
            .zip(&mut trainer.square.layers);
        for ((layer, (mean, square)), buffers) in trainer
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
            for ((row, active), square) in rows
                .zip(&buffers.active)
                .zip(square.weights.chunks_exact_mut(width))
            {
                if !active.is_empty() {
                    adam.row(active, &buffers.gradients, row.0, row.1, square);
                }
            }
            adam.row(
                &all,
                &buffers.gradients,
                &mut layer.bias,
                &mut mean.bias,
                &mut square.bias,
            );
        }
        error
    }
}

/// Takes a sample forward and backward through the net; returns the squared error of its equity.
#[inline(always)]
fn forward_backward<L: ActiveLister>(
    net: &BackgammonNet,
    batch: &mut BackpropBuffers,
    number: usize,
    sample: &BackgammonSample,
) -> f32 {
    let last = net.layers.len() - 1;
    set_inputs::<L>(&sample.board, &mut batch.neurons[0]);
    for (n, layer) in net.layers[..last].iter().enumerate() {
        let (before, after) = batch.neurons.split_at_mut(n + 1);
        layers::hidden::<L>(&layer.weights, &layer.bias, &before[n], &mut after[0]);
    }
    for (buffers, neurons) in batch.layers.iter_mut().zip(&batch.neurons) {
        for n in neurons.active() {
            let n = *n as usize;
            buffers.active[n].push((number as u32, neurons.values[n]));
        }
    }
    let outputs = sigmoid(layers::output(
        &net.layers[last].weights,
        &net.layers[last].bias,
        &batch.neurons[last],
    ));
    let gradients = &mut batch.layers[last].gradients[number * LANES..][..LANES];
    for ((gradient, output), goal) in gradients
        .iter_mut()
        .zip(outputs)
        .zip(sample.goal.to_array())
    {
        // Gradient of the cross-entropy; it stays 0 in the unused lanes.
        *gradient = output - goal;
    }
    for n in (1..=last).rev() {
        let (before, after) = batch.layers.split_at_mut(n);
        propagate_back(
            &net.layers[n],
            &batch.neurons[n],
            number,
            &after[0].gradients,
            &mut before[n - 1].gradients,
        );
    }
    let [win, wg, wbg, lg, lbg, ..] = outputs;
    (Chances::from_array([win, wg, wbg, lg, lbg]).equity() - sample.goal.equity()).powi(2)
}

/// Sets the input neurons from a board.
#[inline(always)]
fn set_inputs<L: ActiveLister>(board: &Board, neurons: &mut Neurons) {
    neurons.values[..INPUTS].fill(0.0);
    inputs::each_input(board, |input, x| neurons.values[input] += x);
    neurons.list_active::<L>(INPUTS.next_multiple_of(16));
}

/// Propagates gradients from the outputs of a layer to its inputs.
#[inline(always)]
fn propagate_back(
    layer: &NetLayer,
    neurons: &Neurons,
    number: usize,
    after: &[f32],
    before: &mut [f32],
) {
    let (width, inputs) = (layer.width(), layer.inputs());
    let after = &after[number * width..][..width];
    let before = &mut before[number * inputs..][..inputs];
    for n in neurons.active() {
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

/// Returns `x`, or 0 if its magnitude is below `least`. Moving averages of gradients that have
/// become 0 shrink for ever, and processors take a hundred times as long for subnormal numbers, so
/// small ones are flushed.
#[inline(always)]
fn flush_small(x: f32, least: f32) -> f32 {
    if x.abs() < least { 0.0 } else { x }
}

/// Step sizes of the Adam optimizer (Kingma and Ba, 2015).
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

    /// Updates one row of weights; `active` are the samples in which its neuron is active.
    #[inline(always)]
    fn row(
        &self,
        active: &[(u32, f32)],
        gradients: &[f32],
        row: &mut [f32],
        mean: &mut [f32],
        square: &mut [f32],
    ) {
        let mut column = 0;
        while column < row.len() {
            column += match row.len() - column {
                128.. => self.columns::<128>(column, active, gradients, row, mean, square),
                32.. => self.columns::<32>(column, active, gradients, row, mean, square),
                _ => self.columns::<LANES>(column, active, gradients, row, mean, square),
            };
        }
    }

    #[inline(always)]
    fn columns<const N: usize>(
        &self,
        column: usize,
        active: &[(u32, f32)],
        gradients: &[f32],
        row: &mut [f32],
        mean: &mut [f32],
        square: &mut [f32],
    ) -> usize {
        let width = row.len();
        let mut sums = [0.0; N];
        for (sample, x) in active {
            if let Some(gradients) =
                gradients[*sample as usize * width + column..].first_chunk::<N>()
            {
                for (sum, gradient) in sums.iter_mut().zip(gradients) {
                    *sum = x.mul_add(*gradient, *sum);
                }
            }
        }
        let weights = row[column..][..N]
            .iter_mut()
            .zip(&mut mean[column..][..N])
            .zip(&mut square[column..][..N]);
        for (((w, m), s), sum) in weights.zip(sums) {
            let gradient = sum * self.share;
            let seen = flush_small(gradient, 1e-18);
            *m = flush_small(Self::KEEP[0] * *m + (1.0 - Self::KEEP[0]) * gradient, 1e-36);
            *s = flush_small(
                Self::KEEP[1] * *s + (1.0 - Self::KEEP[1]) * seen * seen,
                1e-36,
            );
            *w -= self.rate * *m / ((*s * self.second).sqrt() + 1e-8);
        }
        N
    }
}
