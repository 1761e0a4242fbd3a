//! Read access to a table's state.

use parlor_core::Seat;
use parlor_games::{AnyPosition, GameKind, OutcomeView};
use serde_json::Value;

use crate::table_clock::TableClock;
use crate::{
    Ending, LogEntry, Player, RecordStep, RecordedHandover, SeatKey, Secret, Table, TableEvent,
    TableId, TableStatus, TimeControl, Timestamp,
};

/// Time that a table without clocks may wait for players, in milliseconds: fourteen days.
const MS_TO_FILL_UNTIMED: i64 = 14 * 24 * 3_600_000;

impl Table {
    /// Returns the table's id.
    pub fn id(&self) -> TableId {
        self.id
    }

    /// Returns the game.
    pub fn kind(&self) -> GameKind {
        self.kind
    }

    /// Returns the game's complete options.
    pub fn options(&self) -> &Value {
        &self.options
    }

    /// Returns the number of the last event.
    pub fn version(&self) -> u64 {
        self.log.len() as u64
    }

    /// Returns all events; the first is number 1.
    pub fn log(&self) -> &[LogEntry] {
        &self.log
    }

    /// Returns the stage the table has reached.
    pub fn status(&self) -> TableStatus {
        self.status
    }

    /// Returns the ending, once the game is over.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Returns the half points of the players in the series of rematches up to this game, by seat.
    /// This game counts once it is over.
    pub fn half_points(&self) -> Vec<u32> {
        let mut points = self.series.clone();
        points.resize(self.players.len(), 0);
        let outcome = self.ending.and_then(|ending| ending.outcome);
        for (seat, points) in points.iter_mut().enumerate() {
            *points = points.saturating_add(match outcome {
                Some(OutcomeView::Won { seat: by, .. }) if usize::from(by) == seat => 2,
                Some(OutcomeView::Draw) => 1,
                _ => 0,
            });
        }
        points
    }

    /// Returns the players by seat.
    pub fn players(&self) -> &[Player] {
        &self.players
    }

    /// Returns true if the lobby lists the table.
    pub fn is_listed(&self) -> bool {
        self.listed
    }

    /// Returns true if only its players, and those with a link from them, may see the table.
    pub fn is_private(&self) -> bool {
        self.private
    }

    /// Returns true if somebody with one of these keys may see the table. A private table is seen
    /// by whoever has or had a seat, the invite, or the watchers' link.
    pub fn is_visible_to(&self, keys: &[SeatKey]) -> bool {
        let watchers = self.watch_token().map(|token| SeatKey::from_token(&token));
        let may_see = |key: &SeatKey| {
            self.invite == Some(*key) || watchers == Some(*key) || self.has_ever_sat(key)
        };
        !self.private || keys.iter().any(may_see)
    }

    /// Returns the token in the link that lets others watch a private table, which its players may
    /// give them; `None` if everybody may watch.
    pub fn watch_token(&self) -> Option<String> {
        let invite = self.invite.filter(|_| self.private)?;
        Some(invite.watch_token())
    }

    /// Returns true for the key of the invite.
    pub fn is_invite(&self, key: &SeatKey) -> bool {
        self.invite == Some(*key)
    }

    fn has_ever_sat(&self, key: &SeatKey) -> bool {
        self.log.iter().any(|entry| match &entry.event {
            TableEvent::Created { seats, .. } => seats.iter().any(|player| player.has_key(key)),
            TableEvent::Joined { player, .. } => player.has_key(key),
            _ => false,
        })
    }

    /// Returns the current position.
    pub fn position(&self) -> &AnyPosition {
        &self.position
    }

    /// Returns the text of the last move.
    pub fn last_move(&self) -> Option<&str> {
        last_move(&self.steps)
    }

    /// Returns true if the players bring their own luck, such as real dice, and enter its results.
    pub fn luck_by_hand(&self) -> bool {
        self.luck
            .as_ref()
            .is_some_and(|luck| luck.commitment.is_none())
    }

    /// Returns the text of the last move that leaves a mark on the board.
    pub fn last_marked_move(&self) -> Option<&str> {
        last_marked_move(&self.position, &self.steps)
    }

    /// Returns the number of moves played so far, not counting those taken back.
    pub fn plies(&self) -> u32 {
        let moves = self
            .steps
            .iter()
            .filter(|step| step.mover().is_some())
            .count();
        u32::try_from(moves).unwrap_or(u32::MAX)
    }

    /// Returns all moves and chances so far, without those taken back.
    pub fn steps(&self) -> &[RecordStep] {
        &self.steps
    }

    /// Returns the changes of the players during the game, in order.
    pub fn handovers(&self) -> &[RecordedHandover] {
        &self.handovers
    }

    /// Returns the position after the first `step` moves and chances, with the last move up to
    /// there that leaves a mark; `None` if there were fewer steps.
    pub fn position_after(&self, step: usize) -> Option<(AnyPosition, Option<&str>)> {
        let steps = self.steps.get(..step)?;
        let position = self.replay_steps(steps)?;
        let last = last_marked_move(&position, steps);
        Some((position, last))
    }

    /// Narrates the last entries of the log; `None` for a step that its game does not narrate.
    pub fn narrate(&self, entries: &[LogEntry]) -> Vec<Option<String>> {
        let is_step = |entry: &&LogEntry| {
            matches!(
                entry.event,
                TableEvent::Moved { .. } | TableEvent::Chance { .. }
            )
        };
        let before = self
            .steps
            .len()
            .checked_sub(entries.iter().filter(is_step).count());
        let mut position = before
            .and_then(|step| self.position_after(step))
            .map(|(position, _)| position);
        let mut narrate = |entry: &LogEntry| {
            let position = position.as_mut()?;
            match &entry.event {
                TableEvent::Moved { seat, text, .. } => {
                    let narrative = position.narrate(text);
                    position.play(text, *seat).ok()?;
                    narrative
                }
                TableEvent::Chance { chance, .. } => {
                    let narrative = position.narrate(chance);
                    position.resolve(chance).ok()?;
                    narrative
                }
                _ => None,
            }
        };
        entries.iter().map(&mut narrate).collect()
    }

    /// Returns the time control; `None` for an untimed game.
    pub fn clock(&self) -> Option<TimeControl> {
        self.clock.as_ref().map(TableClock::control)
    }

    /// Returns true if the clocks allow for the delay of the network.
    pub fn allows_lag(&self) -> bool {
        self.lag_allowance
    }

    /// Returns true if the game counts for the players' ratings.
    pub fn is_rated(&self) -> bool {
        self.rated
    }

    /// Returns true if people may write to each other at the table.
    pub fn has_talk(&self) -> bool {
        !self.without_talk
    }

    /// Returns true if the players may ask for advice: in games of a team that can be analyzed, unless
    /// the table was created without it.
    pub fn has_advice(&self) -> bool {
        !self.without_advice && self.kind.is_cooperative() && self.kind.can_analyze()
    }

    /// Returns the time of the next timeout: a clock runs out, a game that has not begun or a table that
    /// has not filled up is aborted, or a seat that is asked has passed. The driver should send
    /// [`Command::Tick`](crate::Command::Tick) at that time.
    ///
    /// A game of one person, alone or with bots, keeps nobody waiting and is not aborted. A rated one is,
    /// unless the first move of either player comes in time. A table without clocks has fourteen days to
    /// fill up.
    pub fn due_at(&self) -> Option<Timestamp> {
        let times = [self.clock_due_at(), self.fill_due_at(), self.asked_until()];
        times.into_iter().flatten().min()
    }

    /// Returns the time at which a table without clocks is aborted because a seat is still open.
    fn fill_due_at(&self) -> Option<Timestamp> {
        let waits = self.status == TableStatus::Open && self.clock.is_none();
        waits.then(|| {
            let since = self.created_at().millis();
            Timestamp::from_millis(since.saturating_add(MS_TO_FILL_UNTIMED))
        })
    }

    /// Returns the time at which a clock runs out, or the table is aborted.
    pub(crate) fn clock_due_at(&self) -> Option<Timestamp> {
        let flag = self.clock.as_ref().and_then(TableClock::lost_at);
        flag.into_iter().chain(self.aborted_at()).min()
    }

    /// Returns the time at which the table is aborted, unless it has filled up or the first move that
    /// it waits for has come by then.
    pub(crate) fn aborted_at(&self) -> Option<Timestamp> {
        let clock = self.clock.as_ref()?;
        let after = |since: Timestamp, ms: u64| {
            Timestamp::from_millis(
                since
                    .millis()
                    .saturating_add(i64::try_from(ms).unwrap_or(i64::MAX)),
            )
        };
        let patience = clock.control().ms_to_begin();
        match (self.status, clock.running()) {
            (TableStatus::Open, _) => Some(after(self.created_at(), clock.control().ms_to_fill())),
            (TableStatus::Playing, None) => {
                let since = self.started_at.filter(|_| !self.is_solo())?;
                Some(after(since, patience))
            }
            (TableStatus::Playing, Some((_, since))) => {
                self.awaited_first_move()?;
                let end = after(since.max(self.paused_until), patience);
                Some(clock.lost_at().map_or(end, |flag| flag.min(end)))
            }
            (TableStatus::Over | TableStatus::Aborted, _) => None,
        }
    }

    /// Returns the seat on turn of a rated game that has not moved yet. Until it does, nobody can lose
    /// the game.
    pub(crate) fn awaited_first_move(&self) -> Option<Seat> {
        let seat = self.on_turn().filter(|_| self.rated)?;
        (self.move_count(seat) == 0).then_some(seat)
    }

    /// Returns true if at most one person plays, in one seat or several.
    fn is_solo(&self) -> bool {
        let mut keys = self.players.iter().filter_map(|player| match player {
            Player::Human { key, .. } => Some(key),
            Player::Open | Player::Bot { .. } => None,
        });
        let first = keys.next();
        keys.all(|key| Some(key) == first)
    }

    /// Returns the table of the rematch, once agreed.
    pub fn next(&self) -> Option<TableId> {
        self.next
    }

    /// Returns the time the table was created.
    pub fn created_at(&self) -> Timestamp {
        self.log[0].at
    }

    /// Returns the time of the last event.
    pub fn updated_at(&self) -> Timestamp {
        self.log[self.log.len() - 1].at
    }

    /// Returns the seats held by a key.
    pub fn seats_with_key(&self, key: &SeatKey) -> Vec<Seat> {
        Seat::all(self.position.seats())
            .filter(|seat| self.players[seat.index()].has_key(key))
            .collect()
    }

    /// Returns the seat on turn, while the game is being played.
    pub fn on_turn(&self) -> Option<Seat> {
        let turn = self.position.turn();
        turn.seat().filter(|_| self.status == TableStatus::Playing)
    }

    /// Returns the seat and spec of the bot that is on turn, if any.
    pub fn bot_to_move(&self) -> Option<(Seat, &str)> {
        let seat = self.on_turn()?;
        match &self.players[seat.index()] {
            Player::Bot { spec } => Some((seat, spec)),
            Player::Open | Player::Human { .. } => None,
        }
    }

    /// Returns the seats and specs of the bots that may move although another seat is on turn.
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

    /// Returns the secret of the table's luck, for the driver to store. It must not be shown before
    /// the game is over.
    pub fn secret(&self) -> Option<&Secret> {
        self.luck.as_ref().and_then(|luck| luck.secret.as_ref())
    }
}

fn last_marked_move<'a>(position: &AnyPosition, steps: &'a [RecordStep]) -> Option<&'a str> {
    steps.iter().rev().find_map(|step| match step {
        RecordStep::Move { text, .. } if position.leaves_mark(text) => Some(text.as_str()),
        RecordStep::Move { .. } | RecordStep::Chance { .. } => None,
    })
}

fn last_move(steps: &[RecordStep]) -> Option<&str> {
    steps.iter().rev().find_map(|step| match step {
        RecordStep::Move { text, .. } => Some(text.as_str()),
        RecordStep::Chance { .. } => None,
    })
}
