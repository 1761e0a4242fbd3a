//! A whole training, which can be put aside and taken up again.

use parlor_backgammon::Board;
use parlor_core::below;
use rand_xoshiro::rand_core::SeedableRng;

use super::super::eval::Eval;
use super::super::net::{Net, Nets};
use super::fit::Batch;
use super::games::{From, Player, is_crashed};
use super::{Sample, Trainer};
use crate::Prng;

/// Rounds of games against itself, each followed by fitting the nets to them.
///
/// The games of a round are played in parts ([`Training::PARTS`]), which may be played at the same time; then [`Training::learn`] gets
/// them all. The same training does the same, also when it was put aside between rounds.
#[derive(Clone, Debug)]
pub struct Training {
    contact: Trainer,
    race: Trainer,
    quick: Trainer,
    batch: Batch,
    goals: Goals,
    seed: u64,
    /// How many games the whole training has.
    total: u64,
    games: u64,
}

/// What a training learns from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goals {
    /// What came later in the game: from the result at first, from the net's own judgment one move later in the end.
    Later,
    /// What the net's own judgment is on average over the next roll: refines nets that are good already.
    Ahead,
    /// As [`Goals::Later`], of races alone: some as games lead to them, some with checkers anywhere. Only the net for races learns.
    Races,
}

impl Goals {
    const ALL: [Goals; 3] = [Goals::Later, Goals::Ahead, Goals::Races];
}

/// The games of a part of a round.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// What is to be learned.
    samples: Vec<Sample>,
    /// Positions that were judged to choose moves.
    judged: u64,
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

/// What a training is made of besides its nets: the goals, the seed, the games in all and so far, the steps of each net.
const HEAD: usize = 7;

impl Training {
    /// Parts of a round.
    pub const PARTS: u64 = 8;
    /// Games in a part.
    const GAMES: u64 = 64;
    /// Games in a round.
    pub const ROUND: u64 = Self::PARTS * Self::GAMES;
    /// Samples in a step.
    const BATCH: usize = 128;
    /// So many games are played before the quick net knows enough to choose.
    const QUICK_FROM: u64 = 20_000;
    /// Games that are played as far as races, where only races are learned.
    const TO_RACES: u64 = 8;
    /// Of so many positions one is looked ahead from.
    const ONE_AHEAD: u32 = 4;
    /// Of sixteen games, how many begin after random plays, and how many where a side had crashed.
    const UNUSUAL: [u64; 2] = [2, 2];

    /// A training of so many games in all, with random weights in the shape of these nets.
    pub fn new(shape: &Nets, seed: u64, total: u64) -> Training {
        let mut rng = Prng::seed_from_u64(seed);
        let [contact, race, quick] = shape.all().map(|net| Trainer::new(net, &mut rng));
        Training::of([contact, race, quick], Goals::Later, seed, total)
    }

    /// A training of so many games in all, from weights that are good already.
    pub fn from_nets(nets: Nets, goals: Goals, seed: u64, total: u64) -> Training {
        Training::of(
            [nets.contact, nets.race, nets.quick].map(Trainer::from_net),
            goals,
            seed,
            total,
        )
    }

    fn of([contact, race, quick]: [Trainer; 3], goals: Goals, seed: u64, total: u64) -> Training {
        Training {
            contact,
            race,
            quick,
            batch: Batch::default(),
            goals,
            seed,
            total: total.max(1),
            games: 0,
        }
    }

    /// Lets the training end after another number of games in all: rate and lambda go on as if it had always been so long.
    #[must_use]
    pub fn until(self, total: u64) -> Training {
        Training {
            total: total.max(1),
            ..self
        }
    }

    /// The nets so far.
    pub fn nets(&self) -> Nets {
        let [contact, race, quick] =
            [&self.contact, &self.race, &self.quick].map(|trainer| trainer.net().clone());
        Nets {
            contact,
            race,
            quick,
        }
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

    /// The learning rate: it falls from 1e-3 to 3e-4 over three quarters of the games, then to 1e-5; where nets are refined, from
    /// 1e-4 to 1e-5.
    pub fn rate(&self) -> f32 {
        let done = self.done();
        if self.goals == Goals::Ahead {
            return 1e-4 * 0.1f32.powf(done);
        }
        if done < 0.75 {
            1e-3 * 0.3f32.powf(done / 0.75)
        } else {
            3e-4 * (1.0f32 / 30.0).powf((done - 0.75) / 0.25)
        }
    }

    /// How much results count beside the net's own judgment: from 0.7 to 0 over the first quarter.
    pub fn trust(&self) -> f32 {
        (0.7 * (1.0 - 4.0 * self.done())).max(0.0)
    }

    /// Plays one part of the next round with the nets so far, made ready.
    pub fn play(&self, eval: &Eval, part: u64) -> Part {
        let mut rng = Prng::seed_from_u64(
            self.seed ^ (self.games / Self::ROUND * Self::PARTS + part + 1) << 20,
        );
        let trust = self.trust();
        let quick = self.games >= Self::QUICK_FROM || self.goals != Goals::Later;
        let mut player = Player::new(eval.clone(), quick);
        let mut samples: Vec<Sample> = Vec::new();
        if self.goals == Goals::Races {
            self.play_races(&mut player, &mut rng, &mut samples);
            return Part {
                samples,
                judged: player.judged,
            };
        }
        let mut crashed = Vec::new();
        for game in 0..Self::GAMES {
            let from = match game % 16 {
                n if n < Self::UNUSUAL[0] => From::Wild,
                n if n >= 16 - Self::UNUSUAL[1] && !crashed.is_empty() => {
                    From::Middle(crashed[below(&mut rng, crashed.len() as u32) as usize])
                }
                _ => From::Start,
            };
            let before = samples.len();
            player.game(from, &mut rng, trust, &mut samples);
            crashed.extend(
                samples[before..]
                    .iter()
                    .map(|sample| sample.board)
                    .filter(is_crashed),
            );
        }
        if self.goals == Goals::Ahead {
            samples.retain(|_| below(&mut rng, Self::ONE_AHEAD) == 0);
            samples
                .iter_mut()
                .for_each(|sample| sample.goal = player.ahead(&sample.board));
        }
        Part {
            samples,
            judged: player.judged,
        }
    }

    /// Some whole games, and races that they have led to, by turns with races of checkers anywhere.
    fn play_races(&self, player: &mut Player, rng: &mut Prng, samples: &mut Vec<Sample>) {
        let mut whole = Vec::new();
        (0..Self::TO_RACES).for_each(|_| player.game(From::Start, rng, 0.0, &mut whole));
        let races: Vec<Board> = whole
            .iter()
            .map(|sample| sample.board)
            .filter(Board::is_race)
            .collect();
        for game in 0..Self::GAMES {
            let from = match races.len() as u32 {
                count if count > 0 && game % 2 == 0 => {
                    From::Middle(races[below(rng, count) as usize])
                }
                _ => From::Race,
            };
            player.game(from, rng, self.trust(), samples);
        }
    }

    /// Learns from the parts of a round.
    pub fn learn(&mut self, parts: Vec<Part>) -> Round {
        let mut rng = Prng::seed_from_u64(self.seed ^ self.games);
        let rate = self.rate();
        let judged = parts.iter().map(|part| part.judged).sum();
        let mut samples: Vec<Sample> = parts.into_iter().flat_map(|part| part.samples).collect();
        for i in (1..samples.len()).rev() {
            samples.swap(i, below(&mut rng, i as u32 + 1) as usize);
        }
        let (race, contact): (Vec<Sample>, Vec<Sample>) =
            samples.iter().partition(|sample| sample.board.is_race());
        let fits = [(&mut self.contact, &contact), (&mut self.race, &race)];
        let mut error = 0.0;
        for (trainer, samples) in fits {
            error += samples
                .chunks(Self::BATCH)
                .map(|batch| trainer.step(batch, rate, &mut self.batch))
                .sum::<f32>();
        }
        for batch in contact.chunks(Self::BATCH) {
            self.quick.step(batch, rate, &mut self.batch);
        }
        self.games += Self::ROUND;
        Round {
            samples: samples.len(),
            judged,
            error: error / samples.len().max(1) as f32,
        }
    }

    /// Plays a whole round and learns from it.
    pub fn round(&mut self) -> Round {
        let eval = Eval::new(&self.nets());
        let parts = (0..Self::PARTS)
            .map(|part| self.play(&eval, part))
            .collect();
        self.learn(parts)
    }

    fn trainers(&self) -> [&Trainer; 3] {
        [&self.contact, &self.race, &self.quick]
    }

    /// The stored form, from which the training goes on as if nothing had happened.
    pub fn to_bytes(&self) -> Vec<u8> {
        let steps = self.trainers().map(|trainer| trainer.steps);
        let goals = self.goals as u64;
        let numbers = [goals, self.seed, self.total, self.games]
            .into_iter()
            .chain(steps);
        let mut bytes: Vec<u8> = numbers.flat_map(u64::to_le_bytes).collect();
        for trainer in self.trainers() {
            let widths = trainer.net.widths();
            bytes.push(widths.len() as u8);
            bytes.extend(
                widths
                    .iter()
                    .flat_map(|width| (*width as u16).to_le_bytes()),
            );
            for net in [&trainer.net, &trainer.mean, &trainer.square] {
                bytes.extend(
                    net.parts()
                        .flatten()
                        .flat_map(|weight| weight.to_le_bytes()),
                );
            }
        }
        bytes
    }

    /// The training that was stored; `None` when these bytes are anything else.
    pub fn from_bytes(bytes: &[u8]) -> Option<Training> {
        let (head, mut rest) = bytes.split_at_checked(8 * HEAD)?;
        let mut numbers = head
            .as_chunks::<8>()
            .0
            .iter()
            .map(|eight| u64::from_le_bytes(*eight));
        let goals = *Goals::ALL.get(usize::try_from(numbers.next()?).ok()?)?;
        let (seed, total, games) = (numbers.next()?, numbers.next()?, numbers.next()?);
        let mut trainers = numbers.map(|steps| {
            let mut trainer = read_trainer(&mut rest)?;
            trainer.steps = steps;
            Some(trainer)
        });
        let trainers = [trainers.next()??, trainers.next()??, trainers.next()??];
        rest.is_empty().then(|| Training {
            games,
            ..Training::of(trainers, goals, seed, total)
        })
    }
}

/// The trainer at the start of these bytes, which are shortened by it.
fn read_trainer(bytes: &mut &[u8]) -> Option<Trainer> {
    let (count, rest) = bytes.split_first()?;
    let (widths, mut rest) = rest.split_at_checked(2 * usize::from(*count))?;
    let widths = widths
        .as_chunks::<2>()
        .0
        .iter()
        .map(|pair| usize::from(u16::from_le_bytes(*pair)));
    let mut trainer = Trainer::from_net(Net::zero(&widths.collect::<Vec<_>>())?);
    for net in [&mut trainer.net, &mut trainer.mean, &mut trainer.square] {
        let (weights, after) = rest.split_at_checked(4 * net.weights())?;
        let mut stored = weights
            .as_chunks::<4>()
            .0
            .iter()
            .map(|four| f32::from_le_bytes(*four));
        net.parts_mut()
            .flatten()
            .zip(&mut stored)
            .for_each(|(to, from)| *to = from);
        rest = after;
    }
    *bytes = rest;
    Some(trainer)
}
