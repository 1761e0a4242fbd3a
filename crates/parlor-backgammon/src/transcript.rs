//! What happened in a match or a session, game by game: between the house's log and the files that other programs read.
//!
//! Every action in a [`Transcript`] was checked by the rules when it came in, so that it can always be played again.
//!
//! ```
//! use parlor_backgammon::Rules;
//! use parlor_backgammon::transcript::{Logged, Transcript};
//!
//! let names = ["alice".to_owned(), "bob".to_owned()];
//! let log: Vec<Logged> = ["!3-1", "8/5,6/5", "roll", "!64"].map(|text| match text.strip_prefix('!') {
//!     Some(chance) => Logged::Chance(chance.to_owned()),
//!     None => Logged::Move(text.to_owned()),
//! }).into();
//! let transcript = Transcript::replay(Rules::MONEY, names, &log)?;
//! assert_eq!(transcript.games().len(), 1);
//! assert_eq!(transcript.log()?, log);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod scribe;

use parlor_core::{Notation, Position, Seat};

use crate::{Chance, Finished, Game, Move, Phase, Play, Roll, Rules, WHITE, Win};

pub use error::{BadStep, NoLog, NothingToResign, Unwritable, Why};
pub use scribe::Misstep;
pub(crate) use scribe::Scribe;

/// A match, or a session of single games, with who played it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript {
    /// White's and black's names.
    pub names: [String; 2],
    /// What else is known, such as `Event` and what it was called.
    pub tags: Vec<(String, String)>,
    rules: Rules,
    games: Vec<GameRecord>,
}

/// One game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    score: [u32; 2],
    start: Game,
    actions: Vec<Action>,
    result: Option<Finished>,
    resigned: bool,
}

/// What a seat did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Action {
    /// Whose it was.
    pub seat: Seat,
    /// What.
    pub act: Act,
}

/// What can be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Act {
    /// The dice fell and were played.
    Play {
        /// How they fell.
        roll: Roll,
        /// How they were played; a pass when they could not be.
        play: Play,
    },
    /// The dice fell, and there the game stopped.
    Roll(Roll),
    /// The cube was offered.
    Double,
    /// The offer was taken.
    Take,
    /// The offer was not taken, and the game lost.
    Drop,
    /// The offer was doubled.
    Beaver,
    /// The game was offered as lost by so much.
    Resign(Win),
    /// That was accepted.
    Accept,
    /// It was not.
    Refuse,
}

/// A line of the house's log.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Logged {
    /// What luck brought, as [`Notation::chance_text`] writes it.
    Chance(String),
    /// What a seat did, as [`Notation::move_text`] writes it.
    Move(String),
}

impl Transcript {
    /// The transcript of a log that begins before the first roll.
    ///
    /// # Errors
    /// The first step that cannot be, and why.
    ///
    /// # Panics
    /// When the match is longer than [`Rules::MAX_LENGTH`].
    pub fn replay(rules: Rules, names: [String; 2], log: &[Logged]) -> Result<Transcript, BadStep> {
        Transcript::replay_from(Game::new(rules), names, log)
    }

    /// The transcript of a log that begins anywhere.
    ///
    /// # Errors
    /// The first step that cannot be, and why.
    pub fn replay_from(
        start: Game,
        names: [String; 2],
        log: &[Logged],
    ) -> Result<Transcript, BadStep> {
        let mut scribe = Scribe::new(start, names);
        scribe.follow(log)?;
        Ok(scribe.finish())
    }

    /// The transcript of a session: several single games one after another, each with its own log. Of matches it is none.
    ///
    /// # Errors
    /// The first step that cannot be, and why; it is counted in its own log.
    ///
    /// # Panics
    /// When the rules are those of a match.
    pub fn session(
        rules: Rules,
        names: [String; 2],
        logs: &[Vec<Logged>],
    ) -> Result<Transcript, BadStep> {
        assert!(!rules.is_match(), "a match has one log");
        let mut scribe = Scribe::new(Game::new(rules), names);
        for log in logs {
            let score = scribe.score();
            scribe
                .begin(score, None)
                .expect("a single game begins as usual");
            scribe.follow(log)?;
        }
        Ok(scribe.finish())
    }

    /// The rules by which it was played.
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// The games, the first one first. Only the last can be without a result, unless a file says otherwise.
    pub fn games(&self) -> &[GameRecord] {
        &self.games
    }

    /// The points won so far, those of a session too.
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

    /// The whole as one log.
    ///
    /// # Errors
    /// When its games do not follow from each other: in a session, after a resignation out of turn, or when games are missing.
    pub fn log(&self) -> Result<Vec<Logged>, NoLog> {
        let first = self.games.first().ok_or(NoLog::Empty)?;
        let mut now = first.start.clone();
        let mut log = Vec::new();
        for (game, record) in self.games.iter().enumerate() {
            now.last = None;
            if now != record.start {
                return Err(NoLog::Apart { game: game + 1 });
            }
            now = record.replay(|logged| log.push(logged), |_, _| {});
        }
        Ok(log)
    }

    /// Writes down that a seat gave up the game that is going on, as lost by so much, though it was not its turn to.
    ///
    /// # Errors
    /// When there is none.
    pub fn resign(&mut self, seat: Seat, as_lost: Win) -> Result<(), NothingToResign> {
        let last = self
            .games
            .last_mut()
            .filter(|game| game.result.is_none())
            .ok_or(NothingToResign)?;
        let now = last.end();
        last.result = Some(scribe::resigned(&now, seat, as_lost));
        last.resigned = true;
        Ok(())
    }
}

impl GameRecord {
    /// Points before it, white's first; those of a session too.
    pub const fn score(&self) -> [u32; 2] {
        self.score
    }

    /// The position it began from.
    pub const fn start(&self) -> &Game {
        &self.start
    }

    /// What happened in it.
    pub fn actions(&self) -> &[Action] {
        &self.actions
    }

    /// How it came out; nothing while it goes on.
    pub const fn result(&self) -> Option<Finished> {
        self.result
    }

    /// Whether the loser gave it up.
    pub const fn resigned(&self) -> bool {
        self.resigned
    }

    /// Whether it began before its first roll, from where the rules let games begin.
    pub fn is_whole(&self) -> bool {
        self.start.phase() == Phase::Opening
    }

    /// The game as a log of its own, beginning from [`GameRecord::start`]. A resignation out of turn is no step of it.
    pub fn log(&self) -> Vec<Logged> {
        let mut log = Vec::new();
        self.replay(|logged| log.push(logged), |_, _| {});
        log
    }

    /// The position after the last action.
    pub fn end(&self) -> Game {
        self.replay(|_| {}, |_, _| {})
    }

    /// Shows every action with the position in which it happened; the dice lie already.
    pub(crate) fn each(&self, see: impl FnMut(&Game, &Action)) {
        self.replay(|_| {}, see);
    }

    /// Plays the game again, tells every step and shows every action; returns the end.
    fn replay(&self, mut tell: impl FnMut(Logged), mut see: impl FnMut(&Game, &Action)) -> Game {
        let mut game = self.start.clone();
        for action in &self.actions {
            let (roll, m) = match action.act {
                Act::Play { roll, play } => (Some(roll), Some(Move::Play(play))),
                Act::Roll(roll) => (Some(roll), None),
                Act::Double => (None, Some(Move::Double)),
                Act::Take => (None, Some(Move::Take)),
                Act::Drop => (None, Some(Move::Drop)),
                Act::Beaver => (None, Some(Move::Beaver)),
                Act::Resign(win) => (None, Some(Move::Resign(win))),
                Act::Accept => (None, Some(Move::Accept)),
                Act::Refuse => (None, Some(Move::Refuse)),
            };
            if roll.is_some() && game.phase() == Phase::Cube {
                tell(Logged::Move(game.move_text(&Move::Roll)));
                game.play_unchecked(&Move::Roll);
            }
            if let Some(chance) = roll.and_then(|roll| chance(&game, action.seat, roll)) {
                tell(Logged::Chance(game.chance_text(&chance)));
                game.resolve_unchecked(&chance);
            }
            see(&game, action);
            if let Some(m) = m {
                tell(Logged::Move(game.move_text(&m)));
                game.play_unchecked(&m);
            }
        }
        game
    }
}

/// The chance that brings a seat its roll; none when the dice lie already.
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
