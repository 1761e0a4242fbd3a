//! Transcripts of matches and sessions, game by game: the link between Parlor's logs and the files
//! of other programs.
//!
//! Every action in a [`Transcript`] was checked against the rules when it was added, so it can
//! always be replayed.
//!
//! ```
//! use parlor_backgammon::Rules;
//! use parlor_backgammon::transcript::{LogStep, Transcript};
//!
//! let names = ["alice".to_owned(), "bob".to_owned()];
//! let steps = ["!3-1", "8/5,6/5", "roll", "!64"];
//! let step = |text: &str| match text.strip_prefix('!') {
//!     Some(chance) => LogStep::Chance(chance.to_owned()),
//!     None => LogStep::Move(text.to_owned()),
//! };
//! let log: Vec<LogStep> = steps.map(step).into();
//! let transcript = Transcript::replay(Rules::MONEY, names, &log)?;
//! assert_eq!(transcript.games().len(), 1);
//! assert_eq!(transcript.log()?, log);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod builder;
mod error;

use parlor_core::{Notation, Position, Seat};

use crate::{Chance, Game, GameResult, Move, Phase, Play, Roll, Rules, WHITE, Win};

pub use builder::ImpossibleAction;
pub(crate) use builder::TranscriptBuilder;
pub use error::{
    NothingToResign, ReplayError, ReplayErrorKind, SingleLogError, TranscriptWriteError,
};

/// A match, or a session of single games, with the players' names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript {
    /// White's and black's names.
    pub names: [String; 2],
    /// Further information as names and values, such as `Event` and its title.
    pub tags: Vec<(String, String)>,
    rules: Rules,
    games: Vec<GameRecord>,
}

/// Record of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    score: [u32; 2],
    start: Game,
    actions: Vec<TranscriptAction>,
    result: Option<GameResult>,
    resigned: bool,
}

/// One action of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TranscriptAction {
    /// The acting seat.
    pub seat: Seat,
    /// Kind of action.
    pub kind: ActionKind,
}

/// Kinds of actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ActionKind {
    /// The dice were rolled and played.
    Play {
        /// The roll.
        roll: Roll,
        /// The play; a pass if none was possible.
        play: Play,
    },
    /// The dice were rolled but not played: the game stopped there.
    Roll(Roll),
    /// The player doubled.
    Double,
    /// The double was taken.
    Take,
    /// The double was dropped and the game lost.
    Drop,
    /// The double was beavered.
    Beaver,
    /// The player offered to resign with a loss of this size.
    Resign(Win),
    /// The resignation was accepted.
    Accept,
    /// The resignation was refused.
    Refuse,
}

/// One step of a game's log.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum LogStep {
    /// A random event, in the form of [`Notation::chance_text`].
    Chance(String),
    /// A move, in the form of [`Notation::move_text`].
    Move(String),
}

impl Transcript {
    /// Replays a log that starts before the first roll.
    ///
    /// # Errors
    /// Returns the first impossible step and its error.
    ///
    /// # Panics
    /// Panics if the match is longer than [`Rules::MAX_LENGTH`].
    pub fn replay(
        rules: Rules,
        names: [String; 2],
        log: &[LogStep],
    ) -> Result<Transcript, ReplayError> {
        Transcript::replay_from(Game::new(rules), names, log)
    }

    /// Replays a log that starts from any position.
    ///
    /// # Errors
    /// Returns the first impossible step and its error.
    pub fn replay_from(
        start: Game,
        names: [String; 2],
        log: &[LogStep],
    ) -> Result<Transcript, ReplayError> {
        let mut builder = TranscriptBuilder::new(start, names);
        builder.replay(log)?;
        Ok(builder.finish())
    }

    /// Replays a session: several single games one after another, each with its own log. Not for
    /// matches.
    ///
    /// # Errors
    /// Returns the first impossible step, counted in its own log, and its error.
    ///
    /// # Panics
    /// Panics if the rules are those of a match.
    pub fn session(
        rules: Rules,
        names: [String; 2],
        logs: &[Vec<LogStep>],
    ) -> Result<Transcript, ReplayError> {
        assert!(!rules.is_match(), "a match has one log");
        let mut builder = TranscriptBuilder::new(Game::new(rules), names);
        for log in logs {
            let score = builder.score();
            builder
                .begin_game(score, None)
                .expect("a single game can always start");
            builder.replay(log)?;
        }
        Ok(builder.finish())
    }

    /// Returns the rules.
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// Returns the games, in order. Only the last one can be without a result, unless a file says
    /// otherwise.
    pub fn games(&self) -> &[GameRecord] {
        &self.games
    }

    /// Returns the points won so far, including those of a session.
    pub fn score(&self) -> [u32; 2] {
        let Some(last) = self.games.last() else {
            return [0, 0];
        };
        let mut score = last.score;
        if let Some(result) = last.result {
            let points = &mut score[result.by.index()];
            *points = points.saturating_add(u32::from(result.points));
        }
        score
    }

    /// Returns the whole transcript as one log.
    ///
    /// # Errors
    /// Returns an error if the games do not follow from each other: in a session, after a
    /// resignation out of turn, or if games are missing.
    pub fn log(&self) -> Result<Vec<LogStep>, SingleLogError> {
        let first = self.games.first().ok_or(SingleLogError::Empty)?;
        let mut now = first.start.clone();
        let mut log = Vec::new();
        for (game, record) in self.games.iter().enumerate() {
            now.last = None;
            if now != record.start {
                return Err(SingleLogError::Disconnected { game: game + 1 });
            }
            now = record.replay(|logged| log.push(logged), |_, _| {});
        }
        Ok(log)
    }

    /// Records that a seat gave up the current game with a loss of this size, although it was not
    /// its turn to resign.
    ///
    /// # Errors
    /// Returns an error if no game is in progress.
    pub fn resign(&mut self, seat: Seat, as_lost: Win) -> Result<(), NothingToResign> {
        let last = self
            .games
            .last_mut()
            .filter(|game| game.result.is_none())
            .ok_or(NothingToResign)?;
        let now = last.end();
        last.result = Some(builder::resignation_result(&now, seat, as_lost));
        last.resigned = true;
        Ok(())
    }
}

impl GameRecord {
    /// Returns the points before the game, white's first, including those of a session.
    pub const fn score(&self) -> [u32; 2] {
        self.score
    }

    /// Returns the starting position.
    pub const fn start(&self) -> &Game {
        &self.start
    }

    /// Returns the actions of the game.
    pub fn actions(&self) -> &[TranscriptAction] {
        &self.actions
    }

    /// Returns the result; `None` while the game is in progress.
    pub const fn result(&self) -> Option<GameResult> {
        self.result
    }

    /// Returns `true` if the loser resigned.
    pub const fn resigned(&self) -> bool {
        self.resigned
    }

    /// Returns `true` if the game started in the usual way, before its first roll.
    pub fn starts_at_opening(&self) -> bool {
        self.start.phase() == Phase::Opening
    }

    /// Returns the game as a separate log, starting from [`GameRecord::start`]. A resignation out
    /// of turn is not part of it.
    pub fn log(&self) -> Vec<LogStep> {
        let mut log = Vec::new();
        self.replay(|logged| log.push(logged), |_, _| {});
        log
    }

    /// Returns the position after the last action.
    pub fn end(&self) -> Game {
        self.replay(|_| {}, |_, _| {})
    }

    /// Calls `on_action` for every action with the position in which it happened, after any roll.
    pub(crate) fn for_each_action(&self, on_action: impl FnMut(&Game, &TranscriptAction)) {
        self.replay(|_| {}, on_action);
    }

    /// Replays the game, calling `on_step` for every log step and `on_action` for every action, and
    /// returns the final position.
    fn replay(
        &self,
        mut on_step: impl FnMut(LogStep),
        mut on_action: impl FnMut(&Game, &TranscriptAction),
    ) -> Game {
        let mut game = self.start.clone();
        for action in &self.actions {
            let (roll, m) = match action.kind {
                ActionKind::Play { roll, play } => (Some(roll), Some(Move::Play(play))),
                ActionKind::Roll(roll) => (Some(roll), None),
                ActionKind::Double => (None, Some(Move::Double)),
                ActionKind::Take => (None, Some(Move::Take)),
                ActionKind::Drop => (None, Some(Move::Drop)),
                ActionKind::Beaver => (None, Some(Move::Beaver)),
                ActionKind::Resign(win) => (None, Some(Move::Resign(win))),
                ActionKind::Accept => (None, Some(Move::Accept)),
                ActionKind::Refuse => (None, Some(Move::Refuse)),
            };
            if roll.is_some() && game.phase() == Phase::Cube {
                on_step(LogStep::Move(game.move_text(&Move::Roll)));
                game.play_unchecked(&Move::Roll);
            }
            if let Some(chance) = roll.and_then(|roll| chance(&game, action.seat, roll)) {
                on_step(LogStep::Chance(game.chance_text(&chance)));
                game.resolve_unchecked(&chance);
            }
            on_action(&game, action);
            if let Some(m) = m {
                on_step(LogStep::Move(game.move_text(&m)));
                game.play_unchecked(&m);
            }
        }
        game
    }
}

/// Returns the random event that gives a seat this roll; `None` if the dice have been rolled
/// already.
fn chance(game: &Game, seat: Seat, roll: Roll) -> Option<Chance> {
    match game.phase() {
        Phase::Opening if seat == WHITE => Some(Chance::Opening {
            white: roll.high(),
            black: roll.low(),
        }),
        Phase::Opening => Some(Chance::Opening {
            white: roll.low(),
            black: roll.high(),
        }),
        Phase::Rolling => Some(Chance::Roll(roll)),
        _ => None,
    }
}
