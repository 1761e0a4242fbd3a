//! Training session that can be saved and resumed.

use parlor_backgammon::Board;
use parlor_core::random_below;
use rand_xoshiro::rand_core::SeedableRng;

use super::super::evaluator::BackgammonEvaluator;
use super::super::net::{BackgammonNet, BackgammonNets};
use super::fit::BackpropBuffers;
use super::games::{BackgammonSelfPlayer, GameStart, is_crashed};
use super::{BackgammonSample, BackgammonTrainer};
use crate::Prng;

/// Rounds of self-play, each followed by fitting the nets to the games.
///
/// The games of a round are played in parts ([`BackgammonTraining::PARTS`]), which may be played
/// concurrently; [`BackgammonTraining::learn`] then takes them all. The same training gives the
/// same result, also if it was saved and resumed between rounds.
#[derive(Clone, Debug)]
pub struct BackgammonTraining {
    contact: BackgammonTrainer,
    race: BackgammonTrainer,
    quick: BackgammonTrainer,
    batch: BackpropBuffers,
    goals: TrainingGoals,
    seed: u64,
    /// Number of games in the whole training.
    total: u64,
    games: u64,
}

/// Training targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrainingGoals {
    /// Later positions of the same game: weighted towards the result at first, and towards the
    /// net's own evaluation one move later in the end.
    Later,
    /// The net's own evaluation averaged over the next roll; refines nets that are already good.
    Ahead,
    /// The same as [`TrainingGoals::Later`] for races alone: some reached in games, some with
    /// random checkers. Only the net for races learns.
    Races,
}

impl TrainingGoals {
    const ALL: [TrainingGoals; 3] = [
        TrainingGoals::Later,
        TrainingGoals::Ahead,
        TrainingGoals::Races,
    ];
}

/// Games of one part of a round.
#[derive(Clone, Debug, Default)]
pub struct RoundPart {
    /// Samples to learn from.
    samples: Vec<BackgammonSample>,
    /// Number of positions evaluated to choose moves.
    judged: u64,
}

/// Statistics of a finished round.
#[derive(Clone, Copy, Debug)]
pub struct RoundReport {
    /// Number of samples learned from.
    pub samples: usize,
    /// Number of positions evaluated to choose moves.
    pub judged: u64,
    /// Mean squared error of the equity.
    pub error: f32,
}

/// Number of integers stored besides the nets: the goals, the seed, the total games, the games
/// played, and the steps of each net.
const HEADER_INTEGERS: usize = 7;

impl BackgammonTraining {
    /// Number of parts in a round.
    pub const PARTS: u64 = 8;
    /// Number of games in a part.
    const GAMES: u64 = 64;
    /// Number of games in a round.
    pub const ROUND: u64 = Self::PARTS * Self::GAMES;
    /// Number of samples in a step.
    const BATCH: usize = 128;
    /// Number of games after which the quick net is good enough to preselect plays.
    const QUICK_FROM: u64 = 20_000;
    /// Number of whole games per part that supply starting positions if only races are learned.
    const TO_RACES: u64 = 8;
    /// One of this many positions is searched one ply.
    const ONE_AHEAD: u32 = 4;
    /// Of sixteen games, the number that start after random plays, and the number that start in a
    /// crashed position.
    const UNUSUAL: [u64; 2] = [2, 2];

    /// Creates a training of `total` games, with random weights in the shape of these nets.
    pub fn new(shape: &BackgammonNets, seed: u64, total: u64) -> BackgammonTraining {
        let mut rng = Prng::seed_from_u64(seed);
        let [contact, race, quick] = shape.all().map(|net| BackgammonTrainer::new(net, &mut rng));
        BackgammonTraining::from_trainers([contact, race, quick], TrainingGoals::Later, seed, total)
    }

    /// Creates a training of `total` games that continues from these weights.
    pub fn from_nets(
        nets: BackgammonNets,
        goals: TrainingGoals,
        seed: u64,
        total: u64,
    ) -> BackgammonTraining {
        BackgammonTraining::from_trainers(
            [nets.contact, nets.race, nets.quick].map(BackgammonTrainer::from_net),
            goals,
            seed,
            total,
        )
    }

    fn from_trainers(
        [contact, race, quick]: [BackgammonTrainer; 3],
        goals: TrainingGoals,
        seed: u64,
        total: u64,
    ) -> BackgammonTraining {
        BackgammonTraining {
            contact,
            race,
            quick,
            batch: BackpropBuffers::default(),
            goals,
            seed,
            total: total.max(1),
            games: 0,
        }
    }

    /// Changes the total number of games: learning rate and lambda continue as if it had always
    /// been the total.
    #[must_use]
    pub fn with_total_games(self, total: u64) -> BackgammonTraining {
        BackgammonTraining {
            total: total.max(1),
            ..self
        }
    }

    /// Returns the current nets.
    pub fn nets(&self) -> BackgammonNets {
        let [contact, race, quick] =
            [&self.contact, &self.race, &self.quick].map(|trainer| trainer.net().clone());
        BackgammonNets {
            contact,
            race,
            quick,
        }
    }

    /// Returns the number of games played so far.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Returns true if all games are played.
    pub const fn is_done(&self) -> bool {
        self.games >= self.total
    }

    /// Returns the finished share of the training, from 0 to 1.
    fn done(&self) -> f32 {
        (self.games as f64 / self.total as f64).min(1.0) as f32
    }

    /// Returns the learning rate: it falls from 1e-3 to 3e-4 over three quarters of the games, then
    /// to 1e-5; for refinement, from 1e-4 to 1e-5.
    pub fn rate(&self) -> f32 {
        let done = self.done();
        if self.goals == TrainingGoals::Ahead {
            return 1e-4 * 0.1f32.powf(done);
        }
        if done < 0.75 {
            1e-3 * 0.3f32.powf(done / 0.75)
        } else {
            3e-4 * (1.0f32 / 30.0).powf((done - 0.75) / 0.25)
        }
    }

    /// Returns the weight of results against the net's own evaluation (lambda): from 0.7 to 0 over
    /// the first quarter.
    pub fn trust(&self) -> f32 {
        (0.7 * (1.0 - 4.0 * self.done())).max(0.0)
    }

    /// Plays one part of the next round with an evaluator of the current nets.
    pub fn play(&self, eval: &BackgammonEvaluator, part: u64) -> RoundPart {
        let mut rng = Prng::seed_from_u64(
            self.seed ^ (self.games / Self::ROUND * Self::PARTS + part + 1) << 20,
        );
        let trust = self.trust();
        let quick = self.games >= Self::QUICK_FROM || self.goals != TrainingGoals::Later;
        let mut player = BackgammonSelfPlayer::new(eval.clone(), quick);
        let mut samples: Vec<BackgammonSample> = Vec::new();
        if self.goals == TrainingGoals::Races {
            self.play_races(&mut player, &mut rng, &mut samples);
            return RoundPart {
                samples,
                judged: player.judged,
            };
        }
        let mut crashed = Vec::new();
        for game in 0..Self::GAMES {
            let from = match game % 16 {
                n if n < Self::UNUSUAL[0] => GameStart::RandomPlays,
                n if n >= 16 - Self::UNUSUAL[1] && !crashed.is_empty() => {
                    GameStart::Board(crashed[random_below(&mut rng, crashed.len() as u32) as usize])
                }
                _ => GameStart::Start,
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
        if self.goals == TrainingGoals::Ahead {
            samples.retain(|_| random_below(&mut rng, Self::ONE_AHEAD) == 0);
            samples
                .iter_mut()
                .for_each(|sample| sample.goal = player.chances_one_ply(&sample.board));
        }
        RoundPart {
            samples,
            judged: player.judged,
        }
    }

    /// Plays some whole games, then races reached in them, alternating with random races.
    fn play_races(
        &self,
        player: &mut BackgammonSelfPlayer,
        rng: &mut Prng,
        samples: &mut Vec<BackgammonSample>,
    ) {
        let mut whole = Vec::new();
        (0..Self::TO_RACES).for_each(|_| player.game(GameStart::Start, rng, 0.0, &mut whole));
        let races: Vec<Board> = whole
            .iter()
            .map(|sample| sample.board)
            .filter(Board::is_race)
            .collect();
        for game in 0..Self::GAMES {
            let from = match races.len() as u32 {
                count if count > 0 && game % 2 == 0 => {
                    GameStart::Board(races[random_below(rng, count) as usize])
                }
                _ => GameStart::RandomRace,
            };
            player.game(from, rng, self.trust(), samples);
        }
    }

    /// Learns from the parts of a round.
    pub fn learn(&mut self, parts: Vec<RoundPart>) -> RoundReport {
        let mut rng = Prng::seed_from_u64(self.seed ^ self.games);
        let rate = self.rate();
        let judged = parts.iter().map(|part| part.judged).sum();
        let mut samples: Vec<BackgammonSample> =
            parts.into_iter().flat_map(|part| part.samples).collect();
        for i in (1..samples.len()).rev() {
            samples.swap(i, random_below(&mut rng, i as u32 + 1) as usize);
        }
        let (race, contact): (Vec<BackgammonSample>, Vec<BackgammonSample>) =
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
        RoundReport {
            samples: samples.len(),
            judged,
            error: error / samples.len().max(1) as f32,
        }
    }

    /// Plays a whole round and learns from it.
    pub fn round(&mut self) -> RoundReport {
        let eval = BackgammonEvaluator::new(&self.nets());
        let parts = (0..Self::PARTS)
            .map(|part| self.play(&eval, part))
            .collect();
        self.learn(parts)
    }

    fn trainers(&self) -> [&BackgammonTrainer; 3] {
        [&self.contact, &self.race, &self.quick]
    }

    /// Returns the stored form, from which the training resumes exactly.
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

    /// Restores a stored training; returns `None` if the bytes are anything else.
    pub fn from_bytes(bytes: &[u8]) -> Option<BackgammonTraining> {
        let (head, mut rest) = bytes.split_at_checked(8 * HEADER_INTEGERS)?;
        let mut numbers = head
            .as_chunks::<8>()
            .0
            .iter()
            .map(|eight| u64::from_le_bytes(*eight));
        let goals = *TrainingGoals::ALL.get(usize::try_from(numbers.next()?).ok()?)?;
        let (seed, total, games) = (numbers.next()?, numbers.next()?, numbers.next()?);
        let mut trainers = numbers.map(|steps| {
            let mut trainer = read_trainer(&mut rest)?;
            trainer.steps = steps;
            Some(trainer)
        });
        let trainers = [trainers.next()??, trainers.next()??, trainers.next()??];
        rest.is_empty().then(|| BackgammonTraining {
            games,
            ..BackgammonTraining::from_trainers(trainers, goals, seed, total)
        })
    }
}

/// Reads a trainer from the start of `bytes` and advances the slice past it.
fn read_trainer(bytes: &mut &[u8]) -> Option<BackgammonTrainer> {
    let (count, rest) = bytes.split_first()?;
    let (widths, mut rest) = rest.split_at_checked(2 * usize::from(*count))?;
    let widths = widths
        .as_chunks::<2>()
        .0
        .iter()
        .map(|pair| usize::from(u16::from_le_bytes(*pair)));
    let mut trainer =
        BackgammonTrainer::from_net(BackgammonNet::zero(&widths.collect::<Vec<_>>())?);
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
