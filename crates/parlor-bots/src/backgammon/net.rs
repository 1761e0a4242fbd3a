//! The weights of the evaluation, as they are trained and stored.

use super::half;
use super::inputs::INPUTS;
use super::registers::MOST_LISTED;

/// Outputs of a net, of which [`Chances::COUNT`](super::Chances::COUNT) are used: as many as a processor adds at once.
pub(super) const LANES: usize = 8;

/// The most neurons that a layer may have.
pub(super) const MOST_WIDE: usize = MOST_LISTED;

/// The fewest, and what all widths are multiples of.
const STEP: usize = 32;

/// The most layers of weights.
const MOST_LAYERS: usize = 8;

/// The weights between two layers of neurons.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layer {
    /// What each neuron of the layer before adds to each of this one, row by row.
    pub(super) weights: Vec<f32>,
    pub(super) bias: Vec<f32>,
}

impl Layer {
    fn zero(inputs: usize, width: usize) -> Layer {
        Layer {
            weights: vec![0.0; inputs * width],
            bias: vec![0.0; width],
        }
    }

    /// How many neurons this layer has.
    pub(super) fn width(&self) -> usize {
        self.bias.len()
    }

    /// How many neurons the layer before has.
    pub(super) fn inputs(&self) -> usize {
        self.weights.len() / self.width()
    }

    /// What one neuron of the layer before adds.
    pub(super) fn row(&self, input: usize) -> &[f32] {
        &self.weights[input * self.width()..][..self.width()]
    }
}

/// A feed-forward net: what a board shows, layers of neurons that are 0 or more, five chances.
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    pub(super) layers: Vec<Layer>,
}

impl Net {
    /// A net that knows nothing, with hidden layers of these widths: all weights are 0. `None` unless there are one to seven
    /// widths, each a multiple of 32 up to 512.
    pub fn zero(widths: &[usize]) -> Option<Net> {
        let fits = |width: &usize| *width > 0 && *width <= MOST_WIDE && width.is_multiple_of(STEP);
        if widths.is_empty() || widths.len() >= MOST_LAYERS || !widths.iter().all(fits) {
            return None;
        }
        let from = [INPUTS].into_iter().chain(widths.iter().copied());
        let to = widths.iter().copied().chain([LANES]);
        Some(Net {
            layers: from
                .zip(to)
                .map(|(inputs, width)| Layer::zero(inputs, width))
                .collect(),
        })
    }

    /// The widths of the hidden layers.
    pub fn widths(&self) -> Vec<usize> {
        self.layers[..self.layers.len() - 1]
            .iter()
            .map(Layer::width)
            .collect()
    }

    /// How many weights there are.
    pub fn weights(&self) -> usize {
        self.parts().map(<[f32]>::len).sum()
    }

    /// All weights, part by part.
    pub(super) fn parts(&self) -> impl Iterator<Item = &[f32]> {
        self.layers
            .iter()
            .flat_map(|layer| [&layer.weights[..], &layer.bias[..]])
    }

    /// As [`Net::parts`], to change them.
    pub(super) fn parts_mut(&mut self) -> impl Iterator<Item = &mut [f32]> {
        self.layers
            .iter_mut()
            .flat_map(|layer| [&mut layer.weights[..], &mut layer.bias[..]])
    }

    /// The stored form: how many hidden layers, their widths in units of 32, each weight as a 16-bit floating-point number.
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

    /// The net that was stored at the start of these bytes, which are shortened by it.
    fn read(bytes: &mut &[u8]) -> Option<Net> {
        let (count, rest) = bytes.split_first()?;
        let (widths, rest) = rest.split_at_checked(usize::from(*count))?;
        let widths: Vec<usize> = widths
            .iter()
            .map(|width| usize::from(*width) * STEP)
            .collect();
        let mut net = Net::zero(&widths)?;
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

/// The nets that judge together.
#[derive(Clone, Debug, PartialEq)]
pub struct Nets {
    /// For positions in which checkers can still be hit.
    pub contact: Net,
    /// For those in which the sides have passed each other.
    pub race: Net,
    /// For a first look at many plays, of which the others judge the best few.
    pub quick: Net,
}

/// How large nets are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// For the lower levels.
    Small,
    /// For strength.
    Full,
}

impl Nets {
    /// Nets that know nothing.
    pub fn zero(size: Size) -> Nets {
        let [contact, race, quick]: [&[usize]; 3] = match size {
            Size::Small => [&[64, 32], &[32, 32], &[32]],
            Size::Full => [&[512, 128, 128], &[128, 64], &[32]],
        };
        let net = |widths: &[usize]| Net::zero(widths).expect("widths are multiples of 32");
        Nets {
            contact: net(contact),
            race: net(race),
            quick: net(quick),
        }
    }

    /// All three.
    pub(super) fn all(&self) -> [&Net; 3] {
        [&self.contact, &self.race, &self.quick]
    }

    /// The stored form.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.all().into_iter().for_each(|net| net.write(&mut bytes));
        bytes
    }

    /// The nets that were stored at the start of these bytes, which are shortened by them; `None` when they are no such nets.
    pub fn read(bytes: &mut &[u8]) -> Option<Nets> {
        Some(Nets {
            contact: Net::read(bytes)?,
            race: Net::read(bytes)?,
            quick: Net::read(bytes)?,
        })
    }

    /// The nets that were stored; `None` when the bytes are anything else.
    pub fn from_bytes(mut bytes: &[u8]) -> Option<Nets> {
        Nets::read(&mut bytes).filter(|_| bytes.is_empty())
    }
}
