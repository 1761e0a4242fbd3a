//! The weights of the evaluation, as they are trained and stored.

use super::half;
use super::inputs::INPUTS;

/// Neurons of the first layer.
pub(super) const WIDE: usize = 256;
/// Neurons of the second layer.
pub(super) const NARROW: usize = 64;
/// Outputs, of which [`Chances::COUNT`](super::Chances::COUNT) are used: as many as a processor adds at once.
pub(super) const LANES: usize = 8;

/// A feed-forward net: what a board shows, two layers of neurons that are 0 or more, five chances.
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    /// For each input, what it adds to each neuron of the first layer.
    pub(super) input: Vec<[f32; WIDE]>,
    pub(super) input_bias: [f32; WIDE],
    /// For each neuron of the first layer, what it adds to each of the second.
    pub(super) middle: Vec<[f32; NARROW]>,
    pub(super) middle_bias: [f32; NARROW],
    /// For each neuron of the second layer, what it adds to each output.
    pub(super) output: [[f32; LANES]; NARROW],
    pub(super) output_bias: [f32; LANES],
}

impl Net {
    /// How many weights there are.
    pub const WEIGHTS: usize = (INPUTS + 1) * WIDE + (WIDE + 1) * NARROW + (NARROW + 1) * LANES;

    /// The bytes of a stored net: two for each weight.
    pub const BYTES: usize = 2 * Self::WEIGHTS;

    /// A net that knows nothing: all weights are 0.
    pub fn zero() -> Net {
        Net {
            input: vec![[0.0; WIDE]; INPUTS],
            input_bias: [0.0; WIDE],
            middle: vec![[0.0; NARROW]; WIDE],
            middle_bias: [0.0; NARROW],
            output: [[0.0; LANES]; NARROW],
            output_bias: [0.0; LANES],
        }
    }

    /// All weights, part by part.
    pub(super) fn parts(&self) -> [&[f32]; 6] {
        [
            self.input.as_flattened(),
            &self.input_bias,
            self.middle.as_flattened(),
            &self.middle_bias,
            self.output.as_flattened(),
            &self.output_bias,
        ]
    }

    /// As [`Net::parts`], to change them.
    pub(super) fn parts_mut(&mut self) -> [&mut [f32]; 6] {
        [
            self.input.as_flattened_mut(),
            &mut self.input_bias,
            self.middle.as_flattened_mut(),
            &mut self.middle_bias,
            self.output.as_flattened_mut(),
            &mut self.output_bias,
        ]
    }

    /// The stored form: each weight as a 16-bit floating-point number.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.parts().into_iter().flatten().flat_map(|weight| half::from_f32(*weight).to_le_bytes()).collect()
    }

    /// The net that was stored; `None` when the number of bytes is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Option<Net> {
        if bytes.len() != Self::BYTES {
            return None;
        }
        let mut net = Net::zero();
        let stored = bytes.as_chunks::<2>().0.iter().map(|pair| half::to_f32(u16::from_le_bytes(*pair)));
        net.parts_mut().into_iter().flatten().zip(stored).for_each(|(to, from)| *to = from);
        Some(net)
    }
}
