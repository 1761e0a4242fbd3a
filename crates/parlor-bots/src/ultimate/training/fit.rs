//! Fitting of weights to samples: stochastic gradient descent with Adam.

use parlor_core::random_below;
use rand_xoshiro::rand_core::SeedableRng;

use super::super::features;
use super::super::net::{UltimateNet, WIDTH, add, squash};
use super::UltimateSample;
use super::sample::Symmetries;
use crate::Prng;

/// Net in training.
pub struct UltimateTrainer {
    net: UltimateNet,
    gradient: UltimateNet,
    mean: UltimateNet,
    square: UltimateNet,
    steps: i32,
    symmetries: Symmetries,
    rng: Prng,
    active: Vec<usize>,
}

impl UltimateTrainer {
    /// Creates a trainer with random weights.
    pub fn new(seed: u64) -> UltimateTrainer {
        let mut rng = Prng::seed_from_u64(seed);
        let mut random =
            |size: f32| (random_below(&mut rng, 1 << 24) as f32 / (1 << 23) as f32 - 1.0) * size;
        let mut net = UltimateNet::zero();
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
        UltimateTrainer::from_net(net, seed)
    }

    /// Creates a trainer that continues from these weights.
    pub fn from_net(net: UltimateNet, seed: u64) -> UltimateTrainer {
        let rng = Prng::seed_from_u64(seed ^ 1 << 40);
        let zero = UltimateNet::zero;
        UltimateTrainer {
            net,
            gradient: zero(),
            mean: zero(),
            square: zero(),
            steps: 0,
            symmetries: Symmetries::new(),
            rng,
            active: Vec::new(),
        }
    }

    /// Returns the current weights.
    pub fn net(&self) -> &UltimateNet {
        &self.net
    }

    /// Takes one step along the gradient of these samples, each in a random symmetry. `trust` is
    /// the weight of a search's value against the result. Returns the mean squared error before the
    /// step.
    pub fn step<'a>(
        &mut self,
        samples: impl Iterator<Item = &'a UltimateSample>,
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

    /// Returns the mean squared error over samples.
    pub fn error<'a>(&self, samples: impl Iterator<Item = &'a UltimateSample>, trust: f32) -> f32 {
        let (sum, count) = samples.fold((0.0, 0), |(sum, count), sample| {
            let miss = self.net.evaluate(&sample.state) - target_value(sample, trust);
            (sum + miss * miss, count + 1)
        });
        sum / count.max(1) as f32
    }

    /// Adds the gradient of one sample; returns its squared error.
    fn learn(&mut self, sample: &UltimateSample, trust: f32) -> f32 {
        let state = self
            .symmetries
            .apply(&sample.state, random_below(&mut self.rng, 8) as usize);
        self.active.clear();
        features::each_feature(&state, |feature| self.active.push(feature));
        let (net, gradient) = (&self.net, &mut self.gradient);
        let mut first = net.input_bias;
        self.active
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
        let miss = value - target_value(sample, trust);
        let gradient_out = 2.0 * miss * (1.0 - value * value + 0.01);
        gradient.output_bias += gradient_out;
        let mut back = [0.0; WIDTH];
        for (j, &x) in second.iter().enumerate() {
            gradient.output[j] += gradient_out * x.clamp(0.0, 1.0);
            let gradient_out = gradient_out * net.output[j] * leak(x);
            gradient.middle_bias[j] += gradient_out;
            for ((to, w), (seen, back)) in gradient.middle[j]
                .iter_mut()
                .zip(&net.middle[j])
                .zip(seen.iter().zip(&mut back))
            {
                *to += gradient_out * seen;
                *back += gradient_out * w;
            }
        }
        back.iter_mut()
            .zip(&first)
            .for_each(|(back, x)| *back *= leak(*x));
        add(&mut gradient.input_bias, &back);
        self.active
            .iter()
            .for_each(|&feature| add(&mut gradient.input[feature], &back));
        miss * miss
    }

    /// Updates the weights by the gradient, and clears it.
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
                let gradient_out = *g * share;
                *m = KEEP[0] * *m + (1.0 - KEEP[0]) * gradient_out;
                *s = KEEP[1] * *s + (1.0 - KEEP[1]) * gradient_out * gradient_out;
                *w -= rate * (*m / first) / ((*s / second).sqrt() + 1e-8);
                *g = 0.0;
            }
        }
    }
}

/// Returns all weights of a net.
fn parts(net: &mut UltimateNet) -> [&mut [f32]; 6] {
    [
        net.input.as_flattened_mut(),
        &mut net.input_bias,
        net.middle.as_flattened_mut(),
        &mut net.middle_bias,
        &mut net.output,
        std::slice::from_mut(&mut net.output_bias),
    ]
}

fn target_value(sample: &UltimateSample, trust: f32) -> f32 {
    sample.value * trust + sample.result * (1.0 - trust)
}

/// Returns the gradient of a neuron's activation: slightly above 0 outside its range too, so that a
/// saturated neuron can recover.
fn leak(x: f32) -> f32 {
    if (0.0..=1.0).contains(&x) { 1.0 } else { 0.01 }
}
