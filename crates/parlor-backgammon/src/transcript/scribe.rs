//! Writes a transcript while the rules look over its shoulder.

use parlor_core::{Impossible, Notation, Position, Seat, Turn};

use super::{Act, Action, BadStep, GameRecord, Logged, Transcript, Why};
use crate::notation::canonical;
use crate::{Crawford, Dice, Finished, Flaws, Game, Illegal, Move, Phase, Roll, Rules, Setup, Win};

/// A transcript that is being written.
pub(crate) struct Scribe {
    transcript: Transcript,
    /// As it stands.
    game: Game,
    /// Points, those of a session too.
    score: [u32; 2],
    /// Whether what comes next begins a game.
    anew: bool,
}

/// Why somebody cannot have done that.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misstep {
    /// It is the other's turn.
    #[error("it is not the turn of {}", crate::setup::color(*.0))]
    OtherSeat(Seat),
    /// The first roll is one die of each, and different ones.
    #[error("a game does not begin with a double")]
    FirstDouble,
    /// The rules forbid it.
    #[error("{0}")]
    Illegal(Illegal),
}

impl From<Illegal> for Misstep {
    fn from(reason: Illegal) -> Misstep {
        Misstep::Illegal(reason)
    }
}

impl Scribe {
    pub(crate) fn new(start: Game, names: [String; 2]) -> Scribe {
        let score = start.score().map(u32::from);
        let transcript = Transcript {
            names,
            tags: Vec::new(),
            rules: start.rules(),
            games: Vec::new(),
        };
        Scribe {
            transcript,
            game: start,
            score,
            anew: true,
        }
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    /// Whether a game has begun that has no result yet.
    pub(crate) fn is_going_on(&self) -> bool {
        self.transcript
            .games
            .last()
            .is_some_and(|game| game.result.is_none())
    }

    /// Whether nothing has happened in the game that was begun last.
    pub(crate) fn is_untouched(&self) -> bool {
        self.transcript
            .games
            .last()
            .is_some_and(|game| game.actions.is_empty() && game.result.is_none())
    }

    /// How the last game came out, and the points before it.
    pub(crate) fn last(&self) -> Option<(Finished, [u32; 2])> {
        let game = self.transcript.games.last()?;
        Some((game.result?, game.score))
    }

    pub(crate) fn finish(self) -> Transcript {
        self.transcript
    }

    pub(crate) fn tag(&mut self, name: &str, value: &str) {
        self.transcript
            .tags
            .push((name.to_owned(), value.to_owned()));
    }

    pub(super) const fn score(&self) -> [u32; 2] {
        self.score
    }

    /// What the house has logged.
    pub(super) fn follow(&mut self, log: &[Logged]) -> Result<(), BadStep> {
        for (at, step) in log.iter().enumerate() {
            let (text, done) = match step {
                Logged::Chance(text) => (text, self.logged_chance(text)),
                Logged::Move(text) => (text, self.logged_move(text)),
            };
            done.map_err(|why| BadStep {
                at: at + 1,
                text: text.clone(),
                why,
            })?;
        }
        Ok(())
    }

    fn logged_chance(&mut self, text: &str) -> Result<(), Why> {
        let chance = self.game.parse_chance(text)?;
        if !self
            .game
            .chances()
            .iter()
            .any(|(possible, _)| *possible == chance)
        {
            return Err(Impossible(text.to_owned()).into());
        }
        self.record();
        self.game.resolve_unchecked(&chance);
        self.fallen();
        Ok(())
    }

    fn logged_move(&mut self, text: &str) -> Result<(), Why> {
        let m = self.game.parse_move(text)?;
        Ok(self.play(&m)?)
    }

    /// Begins the next game, with the points that are said to stand. Whether it is the Crawford game is found out where it is not said.
    pub(crate) fn begin(&mut self, score: [u32; 2], crawford: Option<bool>) -> Result<(), Flaws> {
        self.anew = true;
        let rules = self.game.rules();
        if !rules.is_match() {
            self.game = Game::new(rules);
            self.score = score;
            self.record();
            return Ok(());
        }
        let follows = self.game.phase() == Phase::Opening && self.score == score;
        if !follows || crawford.is_some_and(|now| now != (self.game.crawford() == Crawford::Now)) {
            let score = score.map(|score| u8::try_from(score).unwrap_or(u8::MAX));
            let crawford = self.crawford(rules, score, crawford);
            self.game = Setup {
                score,
                crawford,
                ..Setup::new(rules)
            }
            .validate()?;
            self.score = score.map(u32::from);
        }
        self.record();
        Ok(())
    }

    /// Where a match is with its Crawford game at this score.
    fn crawford(&self, rules: Rules, score: [u8; 2], now: Option<bool>) -> Crawford {
        let within_one = score
            .iter()
            .filter(|score| score.saturating_add(1) == rules.length)
            .count();
        if within_one == 0 || !rules.crawford || !rules.cube || rules.length < 2 {
            return Crawford::Before;
        }
        let played = self
            .transcript
            .games
            .iter()
            .any(|game| game.start.crawford() != Crawford::Before);
        if now.unwrap_or(within_one == 1 && !played) {
            Crawford::Now
        } else {
            Crawford::After
        }
    }

    /// Begins the game elsewhere than the rules do.
    pub(crate) fn begin_at(&mut self, setup: &Setup) -> Result<(), Flaws> {
        self.game = setup.validate()?;
        let begun = self.record();
        begun.start = Game {
            last: None,
            ..setup.validate()?
        };
        Ok(())
    }

    /// What somebody did. Who rolls is taken to have chosen to, and to have taken the beaver that waits.
    pub(crate) fn act(&mut self, seat: Seat, m: &Move) -> Result<(), Misstep> {
        match self.game.turn() {
            Turn::Move(turn) if turn != seat => Err(Misstep::OtherSeat(seat)),
            _ => Ok(self.play(m)?),
        }
    }

    /// The dice of somebody.
    pub(crate) fn throw(&mut self, seat: Seat, roll: Roll) -> Result<(), Misstep> {
        if self.game.phase() == Phase::Opening {
            if roll.is_double() {
                return Err(Misstep::FirstDouble);
            }
        } else if self.game.on_roll() != seat {
            return Err(Misstep::OtherSeat(seat));
        }
        match self.game.phase() {
            Phase::Cube => self.play(&Move::Roll)?,
            Phase::Beavered => self.play(&Move::Take)?,
            Phase::Doubled => return Err(Illegal::AnswerTheDouble.into()),
            Phase::Moving(_) => return Err(Illegal::DiceToPlay.into()),
            Phase::Over => return Err(Illegal::Over.into()),
            Phase::Opening | Phase::Rolling => {}
        }
        let chance = super::chance(&self.game, seat, roll).expect("the dice have not fallen");
        self.record();
        self.game.resolve_unchecked(&chance);
        self.fallen();
        Ok(())
    }

    /// The seat gives up the game, by the rules if they let it, else without them.
    pub(crate) fn resign(&mut self, seat: Seat, as_lost: Win) {
        if self.game.may_resign() && self.game.on_roll() == seat {
            for m in [Move::Resign(as_lost), Move::Accept] {
                self.play(&m)
                    .expect("a seat that may resign can, and the other accept");
            }
            return;
        }
        let result = resigned(&self.game, seat, as_lost);
        self.record().resigned = true;
        self.ended(result);
        self.game.last = Some(result);
        let length = self.game.rules().length;
        let score = &mut self.game.score[result.by.index()];
        if length > 0 {
            *score = u16::from(*score)
                .saturating_add(result.points)
                .min(u16::from(length)) as u8;
        }
        match length {
            0 => self.game.phase = Phase::Over,
            length if *score == length => self.game.phase = Phase::Over,
            _ => self.game.begin(),
        }
    }

    /// The record of this game.
    fn record(&mut self) -> &mut GameRecord {
        if std::mem::take(&mut self.anew) {
            let start = Game {
                last: None,
                ..self.game.clone()
            };
            let game = GameRecord {
                score: self.score,
                start,
                actions: Vec::new(),
                result: None,
                resigned: false,
            };
            self.transcript.games.push(game);
        }
        self.transcript.games.last_mut().expect("a game has begun")
    }

    /// Writes down the dice that have just fallen.
    fn fallen(&mut self) {
        let (seat, dice) = (
            self.game.on_roll(),
            self.game.dice().expect("dice have fallen"),
        );
        self.record().actions.push(Action {
            seat,
            act: Act::Roll(whole(dice)),
        });
    }

    fn play(&mut self, m: &Move) -> Result<(), Illegal> {
        self.game.check(m)?;
        let seat = self.game.turn().seat().expect("somebody moved");
        let dice = self.game.dice();
        let act = match m {
            Move::Play(play) => {
                let play = canonical(&self.game, play);
                Some(Act::Play {
                    roll: whole(dice.expect("dice were played")),
                    play,
                })
            }
            Move::Roll => None,
            Move::Double => Some(Act::Double),
            Move::Take => Some(Act::Take),
            Move::Drop => Some(Act::Drop),
            Move::Beaver => Some(Act::Beaver),
            Move::Resign(win) => Some(Act::Resign(*win)),
            Move::Accept => Some(Act::Accept),
            Move::Refuse => Some(Act::Refuse),
        };
        let record = self.record();
        record.resigned |= *m == Move::Accept;
        if let (
            Some(Act::Play { .. }),
            Some(Action {
                act: Act::Roll(_), ..
            }),
        ) = (act, record.actions.last())
        {
            record.actions.pop();
        }
        record.resigned |= act == Some(Act::Accept);
        record.actions.extend(act.map(|act| Action { seat, act }));
        self.game.play_unchecked(m);
        if matches!(self.game.phase(), Phase::Opening | Phase::Over) {
            self.ended(self.game.last().expect("a game that ended has a result"));
        }
        Ok(())
    }

    fn ended(&mut self, result: Finished) {
        self.record().result = Some(result);
        // A file may claim any number of points.
        let score = &mut self.score[result.by.index()];
        *score = score.saturating_add(u32::from(result.points));
        self.anew = true;
    }
}

/// How a game comes out that a seat gives up.
pub(super) fn resigned(game: &Game, seat: Seat, as_lost: Win) -> Finished {
    let single = game.rules().jacoby && game.cube().turned() == 0;
    let win = if single { Win::Single } else { as_lost };
    Finished {
        by: seat.next(2),
        points: game.cube().value() * win.factor(),
        win: Some(win),
    }
}

/// The roll of dice, of which a set-up position may show a part.
fn whole(dice: Dice) -> Roll {
    match dice {
        Dice::Two { high, low } => Roll::new(high, low),
        Dice::Same { die, .. } => Roll::new(die, die),
    }
}
