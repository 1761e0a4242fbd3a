//! Building of transcripts, checked by the rules.

use parlor_core::{ImpossibleChance, Notation, Position, Seat, Turn};

use super::{
    ActionKind, GameRecord, LogStep, ReplayError, ReplayErrorKind, Transcript, TranscriptAction,
};
use crate::notation::canonical;
use crate::{
    Crawford, Dice, Game, GameFlaws, GameResult, Illegal, Move, Phase, Roll, Rules, Setup, Win,
};

/// A transcript under construction.
pub(crate) struct TranscriptBuilder {
    transcript: Transcript,
    /// Current position.
    game: Game,
    /// Points so far, including those of a session.
    score: [u32; 2],
    /// True if the next action starts a new game.
    starts_game: bool,
}

/// Reason why an action is impossible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImpossibleAction {
    /// It is the other seat's turn.
    #[error("it is not the turn of {}", crate::color_name(*.0))]
    OtherSeat(Seat),
    /// The opening throw cannot be a double: it is one die of each player, and they differ.
    #[error("a game does not start with a double")]
    FirstDouble,
    /// The move is illegal.
    #[error("{0}")]
    Illegal(Illegal),
}

impl From<Illegal> for ImpossibleAction {
    fn from(reason: Illegal) -> ImpossibleAction {
        ImpossibleAction::Illegal(reason)
    }
}

impl TranscriptBuilder {
    pub(crate) fn new(start: Game, names: [String; 2]) -> TranscriptBuilder {
        let score = start.score().map(u32::from);
        let transcript = Transcript {
            names,
            tags: Vec::new(),
            rules: start.rules(),
            games: Vec::new(),
        };
        TranscriptBuilder {
            transcript,
            game: start,
            score,
            starts_game: true,
        }
    }

    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    /// Returns `true` if the last game has no result yet.
    pub(crate) fn is_in_progress(&self) -> bool {
        self.transcript
            .games
            .last()
            .is_some_and(|game| game.result.is_none())
    }

    /// Returns `true` if the last game has neither actions nor a result.
    pub(crate) fn is_unplayed(&self) -> bool {
        self.transcript
            .games
            .last()
            .is_some_and(|game| game.actions.is_empty() && game.result.is_none())
    }

    /// Returns the result of the last game and the points before it.
    pub(crate) fn last_result(&self) -> Option<(GameResult, [u32; 2])> {
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

    /// Replays the steps of a log.
    pub(super) fn replay(&mut self, log: &[LogStep]) -> Result<(), ReplayError> {
        for (at, step) in log.iter().enumerate() {
            let (text, result) = match step {
                LogStep::Chance(text) => (text, self.replay_chance(text)),
                LogStep::Move(text) => (text, self.replay_move(text)),
            };
            result.map_err(|kind| ReplayError {
                at: at + 1,
                text: text.clone(),
                kind,
            })?;
        }
        Ok(())
    }

    fn replay_chance(&mut self, text: &str) -> Result<(), ReplayErrorKind> {
        let chance = self.game.parse_chance(text)?;
        if !self
            .game
            .chances()
            .iter()
            .any(|(possible, _)| *possible == chance)
        {
            return Err(ImpossibleChance(text.to_owned()).into());
        }
        self.current_record();
        self.game.resolve_unchecked(&chance);
        self.record_roll();
        Ok(())
    }

    fn replay_move(&mut self, text: &str) -> Result<(), ReplayErrorKind> {
        let m = self.game.parse_move(text)?;
        Ok(self.play(&m)?)
    }

    /// Starts the next game at the given score. Without `crawford`, whether it is the Crawford game
    /// follows from the score.
    pub(crate) fn begin_game(
        &mut self,
        score: [u32; 2],
        crawford: Option<bool>,
    ) -> Result<(), GameFlaws> {
        self.starts_game = true;
        let rules = self.game.rules();
        if !rules.is_match() {
            self.game = Game::new(rules);
            self.score = score;
            self.current_record();
            return Ok(());
        }
        let follows = self.game.phase() == Phase::Opening && self.score == score;
        if !follows || crawford.is_some_and(|now| now != (self.game.crawford() == Crawford::Now)) {
            let score = score.map(|score| u8::try_from(score).unwrap_or(u8::MAX));
            let crawford = self.crawford_at(rules, score, crawford);
            self.game = Setup {
                score,
                crawford,
                ..Setup::new(rules)
            }
            .validate()?;
            self.score = score.map(u32::from);
        }
        self.current_record();
        Ok(())
    }

    /// Returns the state of the Crawford rule at this score.
    fn crawford_at(&self, rules: Rules, score: [u8; 2], now: Option<bool>) -> Crawford {
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

    /// Starts the current game from a given position.
    pub(crate) fn begin_game_at(&mut self, setup: &Setup) -> Result<(), GameFlaws> {
        self.game = setup.validate()?;
        let record = self.current_record();
        record.start = Game {
            last: None,
            ..setup.validate()?
        };
        Ok(())
    }

    /// Records a move of a seat.
    pub(crate) fn play_as(&mut self, seat: Seat, m: &Move) -> Result<(), ImpossibleAction> {
        match self.game.turn() {
            Turn::Move(turn) if turn != seat => Err(ImpossibleAction::OtherSeat(seat)),
            _ => Ok(self.play(m)?),
        }
    }

    /// Records a roll of a seat. Rolling implies the decision to roll, and taking a pending beaver.
    pub(crate) fn roll(&mut self, seat: Seat, roll: Roll) -> Result<(), ImpossibleAction> {
        if self.game.phase() == Phase::Opening {
            if roll.is_double() {
                return Err(ImpossibleAction::FirstDouble);
            }
        } else if self.game.on_roll() != seat {
            return Err(ImpossibleAction::OtherSeat(seat));
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
        self.current_record();
        self.game.resolve_unchecked(&chance);
        self.record_roll();
        Ok(())
    }

    /// Records a resignation, under the rules if they allow it now, otherwise outside of them.
    pub(crate) fn resign(&mut self, seat: Seat, as_lost: Win) {
        if self.game.can_resign() && self.game.on_roll() == seat {
            for m in [Move::Resign(as_lost), Move::Accept] {
                self.play(&m)
                    .expect("a seat that may resign can, and the other accept");
            }
            return;
        }
        let result = resignation_result(&self.game, seat, as_lost);
        self.current_record().resigned = true;
        self.finish_game(result);
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
            _ => self.game.begin_game(),
        }
    }

    /// Returns the record of the current game, creating it if a new one starts.
    fn current_record(&mut self) -> &mut GameRecord {
        if std::mem::take(&mut self.starts_game) {
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

    /// Records the dice that have just been rolled.
    fn record_roll(&mut self) {
        let (seat, dice) = (
            self.game.on_roll(),
            self.game.dice().expect("dice have fallen"),
        );
        self.current_record().actions.push(TranscriptAction {
            seat,
            kind: ActionKind::Roll(full_roll(dice)),
        });
    }

    fn play(&mut self, m: &Move) -> Result<(), Illegal> {
        self.game.check(m)?;
        let seat = self.game.turn().seat().expect("a legal move has a seat");
        let dice = self.game.dice();
        let kind = match m {
            Move::Play(play) => {
                let play = canonical(&self.game, play);
                Some(ActionKind::Play {
                    roll: full_roll(dice.expect("dice were played")),
                    play,
                })
            }
            Move::Roll => None,
            Move::Double => Some(ActionKind::Double),
            Move::Take => Some(ActionKind::Take),
            Move::Drop => Some(ActionKind::Drop),
            Move::Beaver => Some(ActionKind::Beaver),
            Move::Resign(win) => Some(ActionKind::Resign(*win)),
            Move::Accept => Some(ActionKind::Accept),
            Move::Refuse => Some(ActionKind::Refuse),
        };
        let record = self.current_record();
        record.resigned |= *m == Move::Accept;
        if let (
            Some(ActionKind::Play { .. }),
            Some(TranscriptAction {
                kind: ActionKind::Roll(_),
                ..
            }),
        ) = (kind, record.actions.last())
        {
            record.actions.pop();
        }
        record.resigned |= kind == Some(ActionKind::Accept);
        record
            .actions
            .extend(kind.map(|kind| TranscriptAction { seat, kind }));
        self.game.play_unchecked(m);
        if matches!(self.game.phase(), Phase::Opening | Phase::Over) {
            self.finish_game(
                self.game
                    .last_result()
                    .expect("a game that ended has a result"),
            );
        }
        Ok(())
    }

    fn finish_game(&mut self, result: GameResult) {
        self.current_record().result = Some(result);
        // Files may claim any number of points.
        let score = &mut self.score[result.by.index()];
        *score = score.saturating_add(u32::from(result.points));
        self.starts_game = true;
    }
}

/// Returns the result of a game that a seat gives up.
pub(super) fn resignation_result(game: &Game, seat: Seat, as_lost: Win) -> GameResult {
    let single = game.rules().jacoby && game.cube().turned() == 0;
    let win = if single { Win::Single } else { as_lost };
    GameResult {
        by: seat.next(2),
        points: game.cube().value() * win.factor(),
        win: Some(win),
    }
}

/// Returns the roll that these dice belong to: a position may have only part of it left.
fn full_roll(dice: Dice) -> Roll {
    match dice {
        Dice::Two { high, low } => Roll::new(high, low),
        Dice::Same { die, .. } => Roll::new(die, die),
    }
}
