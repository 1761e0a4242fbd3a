//! Network weights as they are trained and stored.

use super::half;
use super::inputs::INPUTS;
use super::simd::MAX_LISTED;

/// Number of outputs of a net, the width of a SIMD register; the first
/// [`Chances::COUNT`](super::Chances::COUNT) are used.
pub(super) const LANES: usize = 8;

/// Maximum number of neurons in a layer.
pub(super) const MAX_WIDTH: usize = MAX_LISTED;

/// Minimum width of a layer; all widths are multiples of it.
const STEP: usize = 32;

/// Maximum number of layers of weights.
const MAX_LAYERS: usize = 8;

/// Weights between two layers of neurons.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NetLayer {
    /// Row-major weights: one row per neuron of the previous layer, one column per neuron of this
    /// one.
    pub(super) weights: Vec<f32>,
    pub(super) bias: Vec<f32>,
}

impl NetLayer {
    fn zero(inputs: usize, width: usize) -> NetLayer {
        NetLayer {
            weights: vec![0.0; inputs * width],
            bias: vec![0.0; width],
        }
    }

    /// Returns the number of neurons in this layer.
    pub(super) fn width(&self) -> usize {
        self.bias.len()
    }

    /// Returns the number of neurons in the previous layer.
    pub(super) fn inputs(&self) -> usize {
        self.weights.len() / self.width()
    }

    /// Returns the weights from one neuron of the previous layer.
    pub(super) fn row(&self, input: usize) -> &[f32] {
        &self.weights[input * self.width()..][..self.width()]
    }
}

/// Feed-forward net from the features of a board through ReLU layers to five chances.
#[derive(Clone, Debug, PartialEq)]
pub struct BackgammonNet {
    pub(super) layers: Vec<NetLayer>,
}

impl BackgammonNet {
    /// Creates a net with all weights 0 and hidden layers of these widths. Returns `None` unless
    /// there are one to seven widths, each a multiple of 32 up to 512.
    pub fn zero(widths: &[usize]) -> Option<BackgammonNet> {
        let fits = |width: &usize| *width > 0 && *width <= MAX_WIDTH && width.is_multiple_of(STEP);
        if widths.is_empty() || widths.len() >= MAX_LAYERS || !widths.iter().all(fits) {
            return None;
        }
        let from = [INPUTS].into_iter().chain(widths.iter().copied());
        let to = widths.iter().copied().chain([LANES]);
        Some(BackgammonNet {
            layers: from
                .zip(to)
                .map(|(inputs, width)| NetLayer::zero(inputs, width))
                .collect(),
        })
    }

    /// Returns the widths of the hidden layers.
    pub fn widths(&self) -> Vec<usize> {
        self.layers[..self.layers.len() - 1]
            .iter()
            .map(NetLayer::width)
            .collect()
    }

    /// Returns the number of weights.
    pub fn weights(&self) -> usize {
        self.parts().map(<[f32]>::len).sum()
    }

    /// Iterates over all weights, slice by slice.
    pub(super) fn parts(&self) -> impl Iterator<Item = &[f32]> {
        self.layers
            .iter()
            .flat_map(|layer| [&layer.weights[..], &layer.bias[..]])
    }

    /// Iterates over all weights mutably, in the order of [`BackgammonNet::parts`].
    pub(super) fn parts_mut(&mut self) -> impl Iterator<Item = &mut [f32]> {
        self.layers
            .iter_mut()
            .flat_map(|layer| [&mut layer.weights[..], &mut layer.bias[..]])
    }

    /// Appends the stored form: the number of hidden layers, their widths in units of 32, and each
    /// weight as a 16-bit float.
    fn write(&self, bytes: &mut Vec<u8>) {
        let widths = self.widths();
        bytes.push(widths.len() as u8);
        bytes.extend(widths.iter().map(|width| (width / STEP) as u8));
        bytes.extend(
            self.parts()
                .flatten()
                .flat_map(|weight| half::from_f32(*weight).to_le_bytes()),
        );
    }

    /// Reads a net from the start of `bytes` and advances the slice past it.
    fn read(bytes: &mut &[u8]) -> Option<BackgammonNet> {
        let (count, rest) = bytes.split_first()?;
        let (widths, rest) = rest.split_at_checked(usize::from(*count))?;
        let widths: Vec<usize> = widths
            .iter()
            .map(|width| usize::from(*width) * STEP)
            .collect();
        let mut net = BackgammonNet::zero(&widths)?;
        let (weights, rest) = rest.split_at_checked(2 * net.weights())?;
        let stored = weights
            .as_chunks::<2>()
            .0
            .iter()
            .map(|pair| half::to_f32(u16::from_le_bytes(*pair)));
        net.parts_mut()
            .flatten()
            .zip(stored)
            .for_each(|(to, from)| *to = from);
        *bytes = rest;
        Some(net)
    }
}

/// Set of nets that evaluate positions together.
#[derive(Clone, Debug, PartialEq)]
pub struct BackgammonNets {
    /// Net for positions in which checkers can still be hit.
    pub contact: BackgammonNet,
    /// Net for positions in which the sides have passed each other.
    pub race: BackgammonNet,
    /// Small net that preselects plays for the other two.
    pub quick: BackgammonNet,
}

/// Size of a set of nets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackgammonNetSize {
    /// Small nets for the lower levels.
    Small,
    /// Full-size nets for strength.
    Full,
}

impl BackgammonNets {
    /// Creates nets with all weights 0.
    pub fn zero(size: BackgammonNetSize) -> BackgammonNets {
        let [contact, race, quick]: [&[usize]; 3] = match size {
            BackgammonNetSize::Small => [&[64, 32], &[32, 32], &[32]],
            BackgammonNetSize::Full => [&[512, 128, 128], &[128, 64], &[32]],
        };
        let net =
            |widths: &[usize]| BackgammonNet::zero(widths).expect("widths are multiples of 32");
        BackgammonNets {
            contact: net(contact),
            race: net(race),
            quick: net(quick),
        }
    }

    /// Returns all three nets.
    pub(super) fn all(&self) -> [&BackgammonNet; 3] {
        [&self.contact, &self.race, &self.quick]
    }

    /// Returns the stored form.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.all().into_iter().for_each(|net| net.write(&mut bytes));
        bytes
    }

    /// Reads nets from the start of `bytes` and advances the slice past them. Returns `None` if the
    /// bytes are not valid.
    pub fn read(bytes: &mut &[u8]) -> Option<BackgammonNets> {
        Some(BackgammonNets {
            contact: BackgammonNet::read(bytes)?,
            race: BackgammonNet::read(bytes)?,
            quick: BackgammonNet::read(bytes)?,
        })
    }

    /// Reads stored nets; returns `None` if the bytes are anything else.
    pub fn from_bytes(mut bytes: &[u8]) -> Option<BackgammonNets> {
        BackgammonNets::read(&mut bytes).filter(|_| bytes.is_empty())
    }
}
