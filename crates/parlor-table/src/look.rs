//! What a table tells of itself.

use parlor_core::Seat;
use parlor_games::{AnyPosition, GameKind};
use serde_json::Value;

use crate::clock::Clock;
use crate::{
    Ending, Entry, Key, Player, Secret, Status, Step, Table, TableId, TimeControl, Timestamp,
};

impl Table {
    /// The table's name.
    pub fn id(&self) -> TableId {
        self.id
    }

    /// The game.
    pub fn kind(&self) -> GameKind {
        self.kind
    }

    /// The game's complete options.
    pub fn options(&self) -> &Value {
        &self.options
    }

    /// Number of the last event.
    pub fn version(&self) -> u64 {
        self.log.len() as u64
    }

    /// All events, the first being number 1.
    pub fn log(&self) -> &[Entry] {
        &self.log
    }

    /// How far the game has come.
    pub fn status(&self) -> Status {
        self.status
    }

    /// How the game ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Who sits where.
    pub fn players(&self) -> &[Player] {
        &self.players
    }

    /// Whether the lobby shows it.
    pub fn listed(&self) -> bool {
        self.listed
    }

    /// The position.
    pub fn position(&self) -> &AnyPosition {
        &self.position
    }

    /// The text of the last move.
    pub fn last_move(&self) -> Option<&str> {
        last_move(&self.steps)
    }

    /// Whether the players bring their own luck and type in what it did.
    pub fn luck_by_hand(&self) -> bool {
        self.luck
            .as_ref()
            .is_some_and(|luck| luck.commitment.is_none())
    }

    /// The text of the last move that shows in the picture.
    pub fn last_mark(&self) -> Option<&str> {
        last_mark(&self.position, &self.steps)
    }

    /// Moves played so far, without those that were taken back.
    pub fn plies(&self) -> u32 {
        let moves = self
            .steps
            .iter()
            .filter(|step| step.mover().is_some())
            .count();
        u32::try_from(moves).unwrap_or(u32::MAX)
    }

    /// What was played and drawn so far, without what was taken back.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The position after the first `step` moves and draws, and the last move before it that shows; `None` when there were fewer.
    pub fn after(&self, step: usize) -> Option<(AnyPosition, Option<&str>)> {
        let steps = self.steps.get(..step)?;
        let position = self.position_after(steps)?;
        let last = last_mark(&position, steps);
        Some((position, last))
    }

    /// How much time the seats have.
    pub fn clock(&self) -> Option<TimeControl> {
        self.clock.as_ref().map(Clock::control)
    }

    /// Whether the game counts for the players' ratings.
    pub fn rated(&self) -> bool {
        self.rated
    }

    /// When something happens by itself if nobody does anything: a clock reaches zero, a game that nobody begins or a table
    /// that nobody comes to is called off. The driver then sends [`Command::Tick`](crate::Command::Tick).
    pub fn due_at(&self) -> Option<Timestamp> {
        let clock = self.clock.as_ref()?;
        let later = |since: Timestamp, ms: u64| {
            Timestamp::from_millis(
                since
                    .millis()
                    .saturating_add(i64::try_from(ms).unwrap_or(i64::MAX)),
            )
        };
        match self.status {
            Status::Open => Some(later(self.created_at(), clock.control().ms_to_fill())),
            Status::Playing => clock
                .flag_at()
                .or_else(|| Some(later(self.started_at?, clock.control().ms_to_begin()))),
            Status::Over | Status::Aborted => None,
        }
    }

    /// The table of the rematch, once it is agreed.
    pub fn next(&self) -> Option<TableId> {
        self.next
    }

    /// When the table was made.
    pub fn created_at(&self) -> Timestamp {
        self.log[0].at
    }

    /// When it last changed.
    pub fn updated_at(&self) -> Timestamp {
        self.log[self.log.len() - 1].at
    }

    /// The seats held by a key.
    pub fn seats_of(&self, key: &Key) -> Vec<Seat> {
        Seat::all(self.position.seats())
            .filter(|seat| self.players[seat.index()].has_key(key))
            .collect()
    }

    /// The seat whose move it is, while the game is on.
    pub fn on_turn(&self) -> Option<Seat> {
        let turn = self.position.turn();
        turn.seat().filter(|_| self.status == Status::Playing)
    }

    /// The bot whose move it is: its seat and its spec.
    pub fn bot_to_move(&self) -> Option<(Seat, &str)> {
        let seat = self.on_turn()?;
        match &self.players[seat.index()] {
            Player::Bot { spec } => Some((seat, spec)),
            Player::Open | Player::Human { .. } => None,
        }
    }

    /// The bots that could move though another seat is on turn: their seats and their specs.
    pub fn bots_out_of_turn(&self) -> Vec<(Seat, &str)> {
        if self.on_turn().is_none() {
            return Vec::new();
        }
        let bot = |seat: Seat| match &self.players[seat.index()] {
            Player::Bot { spec } => Some((seat, spec.as_str())),
            Player::Open | Player::Human { .. } => None,
        };
        self.position
            .out_of_turn()
            .into_iter()
            .filter_map(bot)
            .collect()
    }

    /// The secret of the table's luck, for the driver to keep. Never to be shown before the game is over.
    pub fn secret(&self) -> Option<&Secret> {
        self.luck.as_ref().and_then(|luck| luck.secret.as_ref())
    }
}

fn last_mark<'a>(position: &AnyPosition, steps: &'a [Step]) -> Option<&'a str> {
    steps.iter().rev().find_map(|step| match step {
        Step::Move { text, .. } if position.leaves_mark(text) => Some(text.as_str()),
        Step::Move { .. } | Step::Chance { .. } => None,
    })
}

fn last_move(steps: &[Step]) -> Option<&str> {
    steps.iter().rev().find_map(|step| match step {
        Step::Move { text, .. } => Some(text.as_str()),
        Step::Chance { .. } => None,
    })
}
