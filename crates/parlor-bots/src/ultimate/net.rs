//! Network weights as they are trained and stored: two small hidden layers.

use super::features::{self, FEATURES};
use super::state::UltimateState;

/// Number of neurons in the first layer.
pub(super) const WIDTH: usize = 32;
/// Number of neurons in the second layer.
pub(super) const NARROW: usize = 16;

/// Unit of the stored weights of the first layer, which are integers.
const GRAIN: f32 = 1.0 / 2048.0;

/// Weights of a net from the features of a position to its value for the seat on turn, from -1
/// (lost) to 1.
#[derive(Clone, Debug, PartialEq)]
pub struct UltimateNet {
    /// For each feature, its weight to each neuron of the first layer.
    pub(super) input: Vec<[f32; WIDTH]>,
    pub(super) input_bias: [f32; WIDTH],
    pub(super) middle: [[f32; WIDTH]; NARROW],
    pub(super) middle_bias: [f32; NARROW],
    pub(super) output: [f32; NARROW],
    pub(super) output_bias: f32,
}

impl UltimateNet {
    /// Size of a stored net in bytes.
    pub const BYTES: usize = 2 * FEATURES * WIDTH + 4 * (WIDTH + NARROW * WIDTH + 2 * NARROW + 1);

    /// Creates a net with all weights 0.
    pub fn zero() -> UltimateNet {
        UltimateNet {
            input: vec![[0.0; WIDTH]; FEATURES],
            input_bias: [0.0; WIDTH],
            middle: [[0.0; WIDTH]; NARROW],
            middle_bias: [0.0; NARROW],
            output: [0.0; NARROW],
            output_bias: 0.0,
        }
    }

    /// Returns the stored form, with the weights of the features as 16-bit integers.
    pub fn to_bytes(&self) -> Vec<u8> {
        let whole = |weight: &f32| (weight / GRAIN).round().clamp(-32767.0, 32767.0) as i16;
        let mut bytes: Vec<u8> = self
            .input
            .as_flattened()
            .iter()
            .flat_map(|w| whole(w).to_le_bytes())
            .collect();
        let small = [
            &self.input_bias[..],
            self.middle.as_flattened(),
            &self.middle_bias,
            &self.output,
        ];
        bytes.extend(
            small
                .into_iter()
                .flatten()
                .chain([&self.output_bias])
                .flat_map(|w| w.to_le_bytes()),
        );
        bytes
    }

    /// Restores a stored net; returns `None` if the number of bytes is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Option<UltimateNet> {
        if bytes.len() != Self::BYTES {
            return None;
        }
        let (input, small) = bytes.split_at(2 * FEATURES * WIDTH);
        let mut net = UltimateNet::zero();
        let whole = input
            .as_chunks::<2>()
            .0
            .iter()
            .map(|pair| f32::from(i16::from_le_bytes(*pair)) * GRAIN);
        net.input
            .as_flattened_mut()
            .iter_mut()
            .zip(whole)
            .for_each(|(to, from)| *to = from);
        let mut rest = small
            .as_chunks::<4>()
            .0
            .iter()
            .map(|four| f32::from_le_bytes(*four));
        let places: [&mut [f32]; 4] = [
            &mut net.input_bias,
            net.middle.as_flattened_mut(),
            &mut net.middle_bias,
            &mut net.output,
        ];
        places
            .into_iter()
            .flatten()
            .zip(&mut rest)
            .for_each(|(to, from)| *to = from);
        net.output_bias = rest.next()?;
        Some(net)
    }

    /// Evaluates a position in floating point: slow, for training and as the reference of the
    /// lookup tables.
    pub(super) fn evaluate(&self, state: &UltimateState) -> f32 {
        let mut first = self.input_bias;
        features::each_feature(state, |feature| add(&mut first, &self.input[feature]));
        let first = first.map(|x| x.clamp(0.0, 1.0));
        let mut sum = self.output_bias;
        for ((weights, bias), out) in self.middle.iter().zip(&self.middle_bias).zip(&self.output) {
            let x: f32 = weights.iter().zip(&first).map(|(w, x)| w * x).sum();
            sum += out * (x + bias).clamp(0.0, 1.0);
        }
        squash(sum)
    }
}

/// Adds a row of weights.
#[inline]
pub(super) fn add(to: &mut [f32; WIDTH], row: &[f32; WIDTH]) {
    to.iter_mut().zip(row).for_each(|(to, w)| *to += w);
}

/// Maps any number to between -1 and 1, much like the hyperbolic tangent, and the same on every
/// machine.
#[inline]
pub(super) fn squash(x: f32) -> f32 {
    let x = x.clamp(-3.0, 3.0);
    let square = x * x;
    x * (27.0 + square) / (27.0 + 9.0 * square)
}
