//! Fitting the weights to samples: stochastic gradient descent with Adam.

use parlor_backgammon::Board;
use parlor_core::below;
use rand_xoshiro::rand_core::SeedableRng;

use super::super::chances::Chances;
use super::super::eval::sigmoid;
use super::super::inputs;
use super::super::net::{LANES, NARROW, Net, WIDE};
use super::super::registers::{Registers, Work};
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
    gradient: Net,
    pub(super) mean: Net,
    pub(super) square: Net,
    pub(super) steps: u32,
    registers: Registers,
}

impl Trainer {
    /// From random weights.
    pub fn new(seed: u64) -> Trainer {
        let mut rng = Prng::seed_from_u64(seed);
        let mut random = |size: f32| (below(&mut rng, 1 << 24) as f32 / (1 << 23) as f32 - 1.0) * size;
        let mut net = Net::zero();
        net.input.as_flattened_mut().iter_mut().for_each(|weight| *weight = random(0.15));
        net.middle.as_flattened_mut().iter_mut().for_each(|weight| *weight = random(0.12));
        net.output.iter_mut().for_each(|row| row[..Chances::COUNT].iter_mut().for_each(|weight| *weight = random(0.1)));
        net.output_bias[..Chances::COUNT].copy_from_slice(&[0.0, -1.0, -3.0, -1.0, -3.0]);
        Trainer::from_net(net)
    }

    /// From weights that are good already.
    pub fn from_net(net: Net) -> Trainer {
        let zero = Net::zero;
        Trainer { net, gradient: zero(), mean: zero(), square: zero(), steps: 0, registers: Registers::widest() }
    }

    /// The weights so far.
    pub fn net(&self) -> &Net {
        &self.net
    }

    /// One step along the gradient of these samples. Returns the mean squared error of the equity before the step.
    pub fn step(&mut self, samples: &[Sample], rate: f32) -> f32 {
        self.steps += 1;
        let registers = self.registers;
        registers.run(Step { trainer: self, samples, rate })
    }
}

/// One step, compiled for wide registers.
struct Step<'a> {
    trainer: &'a mut Trainer,
    samples: &'a [Sample],
    rate: f32,
}

impl Work for Step<'_> {
    type Done = f32;

    #[inline(always)]
    fn run(self) -> f32 {
        let mut error = 0.0;
        for sample in self.samples {
            error += learn(&self.trainer.net, &mut self.trainer.gradient, sample);
        }
        let share = 1.0 / self.samples.len().max(1) as f32;
        descend(self.trainer, share, self.rate);
        error * share
    }
}

/// Adds the gradient of one sample, by cross-entropy; returns the squared error of its equity.
#[inline(always)]
fn learn(net: &Net, gradient: &mut Net, sample: &Sample) -> f32 {
    // What the net sees: few numbers are not 0.
    let (mut seen, mut count) = ([(0, 0.0); 128], 0);
    inputs::of_board(&sample.board, |input, x| {
        seen[count & 127] = (input, x);
        count += 1;
    });
    let seen = &seen[..count.min(128)];
    let mut first = net.input_bias;
    for (input, x) in seen {
        add(&mut first, &net.input[*input], *x);
    }
    let mut second = net.middle_bias;
    for (x, weights) in first.iter().zip(&net.middle) {
        if *x > 0.0 {
            add(&mut second, weights, *x);
        }
    }
    let mut sums = net.output_bias;
    for (x, weights) in second.iter().zip(&net.output) {
        if *x > 0.0 {
            add(&mut sums, weights, *x);
        }
    }
    let outputs = sigmoid(sums);
    let slope = slopes(&outputs, &sample.goal);
    add(&mut gradient.output_bias, &slope, 1.0);
    let mut back = [0.0; NARROW];
    for (n, x) in second.iter().enumerate() {
        if *x > 0.0 {
            back[n] = dot(&net.output[n], &slope);
            add(&mut gradient.output[n], &slope, *x);
        }
    }
    add(&mut gradient.middle_bias, &back, 1.0);
    let mut deep = [0.0; WIDE];
    for (n, x) in first.iter().enumerate() {
        if *x > 0.0 {
            deep[n] = dot(&net.middle[n], &back);
            add(&mut gradient.middle[n], &back, *x);
        }
    }
    add(&mut gradient.input_bias, &deep, 1.0);
    for (input, x) in seen {
        add(&mut gradient.input[*input], &deep, *x);
    }
    let [win, wg, wbg, lg, lbg, ..] = outputs;
    (Chances::from_array([win, wg, wbg, lg, lbg]).equity() - sample.goal.equity()).powi(2)
}

/// How the cross-entropy changes with each sum; 0 in the lanes without an output.
#[inline(always)]
fn slopes(outputs: &[f32; LANES], goal: &Chances) -> [f32; LANES] {
    let mut slopes = [0.0; LANES];
    for ((slope, output), goal) in slopes.iter_mut().zip(outputs).zip(goal.to_array()) {
        *slope = output - goal;
    }
    slopes
}

#[inline(always)]
fn add<const N: usize>(to: &mut [f32; N], row: &[f32; N], times: f32) {
    for (to, x) in to.iter_mut().zip(row) {
        *to = times.mul_add(*x, *to);
    }
}

#[inline(always)]
fn dot<const N: usize>(a: &[f32; N], b: &[f32; N]) -> f32 {
    let mut sums = [0.0; LANES];
    for (a, b) in a.as_chunks::<LANES>().0.iter().zip(b.as_chunks::<LANES>().0) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum = a.mul_add(*b, *sum);
        }
    }
    sums.iter().sum()
}

/// Moves the weights along the gradient, and clears it.
#[inline(always)]
fn descend(trainer: &mut Trainer, share: f32, rate: f32) {
    const KEEP: [f32; 2] = [0.9, 0.999];
    let [first, second] = KEEP.map(|keep| 1.0 - keep.powi(trainer.steps.min(100_000) as i32));
    let rate = rate / first;
    let gradients = trainer.gradient.parts_mut();
    let moments = trainer.mean.parts_mut().into_iter().zip(trainer.square.parts_mut());
    for ((weights, gradient), (mean, square)) in trainer.net.parts_mut().into_iter().zip(gradients).zip(moments) {
        for (((w, g), m), s) in weights.iter_mut().zip(gradient).zip(mean).zip(square) {
            let slope = *g * share;
            *m = KEEP[0] * *m + (1.0 - KEEP[0]) * slope;
            *s = KEEP[1] * *s + (1.0 - KEEP[1]) * slope * slope;
            *w -= rate * *m / ((*s / second).sqrt() + 1e-8);
            *g = 0.0;
        }
    }
}
