//! A whole training, which can be put aside and taken up again.

use parlor_core::below;
use rand_xoshiro::rand_core::SeedableRng;

use super::super::eval::Eval;
use super::super::net::Net;
use super::games::Player;
use super::{Sample, Trainer};
use crate::Prng;

/// Rounds of games against itself, each followed by fitting the net to them.
#[derive(Clone, Debug)]
pub struct Training {
    trainer: Trainer,
    seed: u64,
    /// How many games the whole training has.
    total: u64,
    games: u64,
}

/// What a round has brought.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// Positions that were learned from.
    pub samples: usize,
    /// Positions that were judged to choose moves.
    pub judged: u64,
    /// The mean squared error of the equity.
    pub error: f32,
}

impl Training {
    /// Games in a round.
    pub const ROUND: u64 = 128;
    /// Samples in a step.
    const BATCH: usize = 64;

    /// A training of so many games in all, from random weights.
    pub fn new(seed: u64, total: u64) -> Training {
        Training { trainer: Trainer::new(seed), seed, total: total.max(1), games: 0 }
    }

    /// A training of so many games in all, from weights that are good already.
    pub fn from_net(net: Net, seed: u64, total: u64) -> Training {
        Training { trainer: Trainer::from_net(net), seed, total: total.max(1), games: 0 }
    }

    /// Lets the training end after another number of games in all: rate and lambda go on as if it had always been so long.
    #[must_use]
    pub fn until(self, total: u64) -> Training {
        Training { total: total.max(1), ..self }
    }

    /// The weights so far.
    pub fn net(&self) -> &Net {
        self.trainer.net()
    }

    /// Games played so far.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Whether all games are played.
    pub const fn is_done(&self) -> bool {
        self.games >= self.total
    }

    /// How much of the training is done, 0 to 1.
    fn done(&self) -> f32 {
        (self.games as f64 / self.total as f64).min(1.0) as f32
    }

    /// The learning rate: it falls from 1e-3 to 3e-4 over three quarters of the games, then to 2e-5.
    pub fn rate(&self) -> f32 {
        let done = self.done();
        if done < 0.75 { 1e-3 * 0.3f32.powf(done / 0.75) } else { 3e-4 * (1.0f32 / 15.0).powf((done - 0.75) / 0.25) }
    }

    /// How much results count beside the net's own judgment: from 0.7 to 0 over the first half.
    pub fn trust(&self) -> f32 {
        (0.7 * (1.0 - 2.0 * self.done())).max(0.0)
    }

    /// Plays a round and learns from it. The same training does the same, also when it was put aside between.
    pub fn round(&mut self) -> Round {
        let mut rng = Prng::seed_from_u64(self.seed ^ self.games << 20);
        let (trust, rate) = (self.trust(), self.rate());
        let mut player = Player::new(Eval::new(self.net()));
        let mut samples: Vec<Sample> = Vec::new();
        for _ in 0..Self::ROUND {
            player.game(&mut rng, trust, &mut samples);
        }
        for i in (1..samples.len()).rev() {
            samples.swap(i, below(&mut rng, i as u32 + 1) as usize);
        }
        let batches = samples.chunks(Self::BATCH);
        let count = batches.len().max(1) as f32;
        let error: f32 = batches.map(|batch| self.trainer.step(batch, rate)).sum();
        self.games += Self::ROUND;
        Round { samples: samples.len(), judged: player.judged, error: error / count }
    }

    /// The stored form, from which the training goes on as if nothing had happened.
    pub fn to_bytes(&self) -> Vec<u8> {
        let numbers = [self.seed, self.total, self.games, u64::from(self.trainer.steps)];
        let mut bytes: Vec<u8> = numbers.into_iter().flat_map(u64::to_le_bytes).collect();
        for net in [&self.trainer.net, &self.trainer.mean, &self.trainer.square] {
            bytes.extend(net.parts().into_iter().flatten().flat_map(|weight| weight.to_le_bytes()));
        }
        bytes
    }

    /// The training that was stored; `None` when the number of bytes is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Option<Training> {
        const HEAD: usize = 4 * 8;
        if bytes.len() != HEAD + 3 * 4 * Net::WEIGHTS {
            return None;
        }
        let (head, weights) = bytes.split_at(HEAD);
        let mut numbers = head.as_chunks::<8>().0.iter().map(|eight| u64::from_le_bytes(*eight));
        let (seed, total, games, steps) = (numbers.next()?, numbers.next()?, numbers.next()?, numbers.next()?);
        let mut training = Training { games, ..Training::new(seed, total) };
        training.trainer.steps = u32::try_from(steps).ok()?;
        let mut stored = weights.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four));
        let trainer = &mut training.trainer;
        for net in [&mut trainer.net, &mut trainer.mean, &mut trainer.square] {
            net.parts_mut().into_iter().flatten().zip(&mut stored).for_each(|(to, from)| *to = from);
        }
        Some(training)
    }
}
