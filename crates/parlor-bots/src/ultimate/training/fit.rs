//! Fitting the weights to samples: stochastic gradient descent with Adam.

use parlor_core::below;
use rand_xoshiro::rand_core::SeedableRng;

use super::super::features;
use super::super::net::{Net, WIDTH, add, squash};
use super::Sample;
use super::sample::Turns;
use crate::Prng;

/// A net in training.
pub struct Trainer {
    net: Net,
    gradient: Net,
    mean: Net,
    square: Net,
    steps: i32,
    turns: Turns,
    rng: Prng,
    on: Vec<usize>,
}

impl Trainer {
    /// From random weights.
    pub fn new(seed: u64) -> Trainer {
        let mut rng = Prng::seed_from_u64(seed);
        let mut random =
            |size: f32| (below(&mut rng, 1 << 24) as f32 / (1 << 23) as f32 - 1.0) * size;
        let mut net = Net::zero();
        net.input
            .as_flattened_mut()
            .iter_mut()
            .for_each(|w| *w = random(0.05));
        net.input_bias.fill(0.2);
        net.middle
            .as_flattened_mut()
            .iter_mut()
            .for_each(|w| *w = random(0.35));
        net.middle_bias.fill(0.2);
        net.output.iter_mut().for_each(|w| *w = random(0.5));
        Trainer::from_net(net, seed)
    }

    /// From weights that are good already.
    pub fn from_net(net: Net, seed: u64) -> Trainer {
        let rng = Prng::seed_from_u64(seed ^ 1 << 40);
        let zero = Net::zero;
        Trainer {
            net,
            gradient: zero(),
            mean: zero(),
            square: zero(),
            steps: 0,
            turns: Turns::new(),
            rng,
            on: Vec::new(),
        }
    }

    /// The weights so far.
    pub fn net(&self) -> &Net {
        &self.net
    }

    /// One step along the gradient of these samples, each turned at random. `trust` is how much a search's value counts against
    /// the result. Returns the mean squared error before the step.
    pub fn step<'a>(
        &mut self,
        samples: impl Iterator<Item = &'a Sample>,
        trust: f32,
        rate: f32,
    ) -> f32 {
        let (mut error, mut count) = (0.0, 0);
        for sample in samples {
            error += self.learn(sample, trust);
            count += 1;
        }
        let share = 1.0 / count.max(1) as f32;
        self.descend(share, rate);
        error * share
    }

    /// The mean squared error over samples.
    pub fn error<'a>(&self, samples: impl Iterator<Item = &'a Sample>, trust: f32) -> f32 {
        let (sum, count) = samples.fold((0.0, 0), |(sum, count), sample| {
            let miss = self.net.evaluate(&sample.state) - goal(sample, trust);
            (sum + miss * miss, count + 1)
        });
        sum / count.max(1) as f32
    }

    /// Adds the gradient of one sample; returns its squared error.
    fn learn(&mut self, sample: &Sample, trust: f32) -> f32 {
        let state = self
            .turns
            .turn(&sample.state, below(&mut self.rng, 8) as usize);
        self.on.clear();
        features::of_state(&state, |feature| self.on.push(feature));
        let (net, gradient) = (&self.net, &mut self.gradient);
        let mut first = net.input_bias;
        self.on
            .iter()
            .for_each(|&feature| add(&mut first, &net.input[feature]));
        let seen = first.map(|x| x.clamp(0.0, 1.0));
        let mut second = net.middle_bias;
        for (sum, weights) in second.iter_mut().zip(&net.middle) {
            *sum += weights.iter().zip(&seen).map(|(w, x)| w * x).sum::<f32>();
        }
        let outputs = net.output.iter().zip(&second);
        let sum = net.output_bias + outputs.map(|(w, x)| w * x.clamp(0.0, 1.0)).sum::<f32>();
        let value = squash(sum);
        let miss = value - goal(sample, trust);
        let slope = 2.0 * miss * (1.0 - value * value + 0.01);
        gradient.output_bias += slope;
        let mut back = [0.0; WIDTH];
        for (j, &x) in second.iter().enumerate() {
            gradient.output[j] += slope * x.clamp(0.0, 1.0);
            let slope = slope * net.output[j] * leak(x);
            gradient.middle_bias[j] += slope;
            for ((to, w), (seen, back)) in gradient.middle[j]
                .iter_mut()
                .zip(&net.middle[j])
                .zip(seen.iter().zip(&mut back))
            {
                *to += slope * seen;
                *back += slope * w;
            }
        }
        back.iter_mut()
            .zip(&first)
            .for_each(|(back, x)| *back *= leak(*x));
        add(&mut gradient.input_bias, &back);
        self.on
            .iter()
            .for_each(|&feature| add(&mut gradient.input[feature], &back));
        miss * miss
    }

    /// Moves the weights along the gradient, and clears it.
    fn descend(&mut self, share: f32, rate: f32) {
        const KEEP: [f32; 2] = [0.9, 0.999];
        self.steps += 1;
        let [first, second] = KEEP.map(|keep| 1.0 - keep.powi(self.steps));
        let slices = parts(&mut self.net)
            .into_iter()
            .zip(parts(&mut self.gradient));
        let moments = parts(&mut self.mean)
            .into_iter()
            .zip(parts(&mut self.square));
        for ((weights, gradient), (mean, square)) in slices.zip(moments) {
            for (((w, g), m), s) in weights.iter_mut().zip(gradient).zip(mean).zip(square) {
                let slope = *g * share;
                *m = KEEP[0] * *m + (1.0 - KEEP[0]) * slope;
                *s = KEEP[1] * *s + (1.0 - KEEP[1]) * slope * slope;
                *w -= rate * (*m / first) / ((*s / second).sqrt() + 1e-8);
                *g = 0.0;
            }
        }
    }
}

/// All weights of a net.
fn parts(net: &mut Net) -> [&mut [f32]; 6] {
    [
        net.input.as_flattened_mut(),
        &mut net.input_bias,
        net.middle.as_flattened_mut(),
        &mut net.middle_bias,
        &mut net.output,
        std::slice::from_mut(&mut net.output_bias),
    ]
}

fn goal(sample: &Sample, trust: f32) -> f32 {
    sample.value * trust + sample.result * (1.0 - trust)
}

/// The slope of a neuron: a little of it also where it is off or full, so that it can come back.
fn leak(x: f32) -> f32 {
    if (0.0..=1.0).contains(&x) { 1.0 } else { 0.01 }
}
