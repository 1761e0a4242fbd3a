//! Building a table from its events, one at a time.

use std::collections::BTreeMap;

use parlor_core::Seat;
use parlor_games::{AnyPosition, GameKind};

use crate::luck::TableLuck;
use crate::table::OpenOffers;
use crate::table_clock::TableClock;
use crate::verbs::ask::Questions;
use crate::{
    EndReason, LogEntry, Player, RecordStep, Secret, Table, TableEvent, TableStatus, Timestamp,
};

impl Table {
    /// Creates the table from its first event, which must be `Created`.
    pub(crate) fn from_created(entry: LogEntry, secret: Option<Secret>) -> Result<Table, BadLog> {
        let bad = |reason: String| BadLog { version: 1, reason };
        let TableEvent::Created {
            table,
            game,
            options,
            seats,
            listed,
            private,
            invite,
            commitment,
            luck_by_hand,
            previous,
            series,
            clock,
            rated,
            without_talk,
            without_advice,
            increments_return,
            lag_allowance,
        } = &entry.event
        else {
            return Err(bad("the first event is not the table's creation".to_owned()));
        };
        let kind = GameKind::from_name(game).map_err(|error| bad(error.to_string()))?;
        let position = kind
            .start(options)
            .map_err(|error| bad(error.to_string()))?;
        if usize::from(position.seats()) != seats.len() || entry.version != 1 {
            return Err(bad(
                "the number of players does not match the game".to_owned()
            ));
        }
        if !series.is_empty() && series.len() != seats.len() {
            return Err(bad("the series does not match the players".to_owned()));
        }
        let luck = (commitment.is_some() || *luck_by_hand).then(|| TableLuck {
            commitment: commitment.clone(),
            secret: secret.filter(|secret| Some(secret.commitment()) == *commitment),
            texts: vec![String::new(); seats.len()],
            drawn: 0,
            revealed: false,
        });
        Ok(Table {
            id: *table,
            kind,
            options: options.clone(),
            players: seats.clone(),
            listed: *listed,
            private: *private,
            invite: *invite,
            previous: *previous,
            series: series.clone(),
            next: None,
            luck,
            position,
            status: TableStatus::Open,
            ending: None,
            wants_rematch: vec![false; seats.len()],
            declined_rematch: None,
            clock: clock.map(|control| TableClock::new(control, seats.len(), *lag_allowance)),
            rated: *rated,
            without_talk: *without_talk,
            without_advice: *without_advice,
            increments_return: *increments_return,
            lag_allowance: *lag_allowance,
            ready: vec![false; seats.len()],
            offers: OpenOffers {
                draw: vec![false; seats.len()],
                draw_at: vec![None; seats.len()],
                takeback: None,
            },
            questions: Questions::new(seats.len()),
            started_at: None,
            paused_until: entry.at,
            turn_since: entry.at,
            steps: Vec::new(),
            played: BTreeMap::new(),
            departed: vec![None; seats.len()],
            handovers: Vec::new(),
            log: vec![entry],
        })
    }

    /// Applies the next event of the table's log, as [`Table::replay`] does with the whole log.
    ///
    /// # Errors
    /// [`BadLog`] if the event does not follow the log. The table must be discarded then.
    pub fn fold(&mut self, entry: LogEntry) -> Result<(), BadLog> {
        let version = entry.version;
        let bad = |reason: &str| BadLog {
            version,
            reason: reason.to_owned(),
        };
        if version != self.version() + 1 {
            return Err(bad("the versions have a gap"));
        }
        match &entry.event {
            TableEvent::Created { .. } => return Err(bad("a table is created once")),
            TableEvent::Joined { seat, player } => {
                *self.player_mut(*seat, version)? = player.clone()
            }
            TableEvent::Left { seat } => *self.player_mut(*seat, version)? = Player::Open,
            TableEvent::LuckText { seat, text } => {
                let texts = self.luck.as_mut().map(|luck| &mut luck.texts);
                let slot = texts.and_then(|texts| texts.get_mut(seat.index()));
                *slot.ok_or_else(|| bad("there is a text for luck, but the game has no luck"))? =
                    text.clone();
            }
            TableEvent::Started => {
                self.status = TableStatus::Playing;
                self.started_at = Some(entry.at);
                self.turn_since = entry.at;
            }
            TableEvent::Ready { seat } => {
                *self
                    .ready
                    .get_mut(seat.index())
                    .ok_or_else(|| bad("there is no such seat"))? = true;
                let begins = self
                    .on_turn()
                    .filter(|on_turn| on_turn == seat && self.plies() == 0);
                if let Some(clock) = self.clock.as_mut().filter(|_| begins.is_some()) {
                    clock.run(entry.at, begins);
                }
            }
            TableEvent::Moved {
                seat,
                text,
                id,
                lag,
            } => {
                self.position
                    .play(text, *seat)
                    .map_err(|error| bad(&error.to_string()))?;
                self.steps.push(RecordStep::Move {
                    seat: seat.number(),
                    text: text.clone(),
                    at: entry.at,
                    lag: *lag,
                });
                self.turn_since = entry.at;
                self.offers.takeback = None;
                self.offers
                    .draw
                    .iter_mut()
                    .enumerate()
                    .for_each(|(n, offers)| *offers &= n == seat.index());
                let next = self.on_turn();
                self.questions.moved(self.turn_of());
                if let Some(clock) = &mut self.clock {
                    clock.moved(*seat, entry.at, *lag, next);
                }
                if let Some(id) = id {
                    self.played.insert(id.clone(), (*seat, text.clone()));
                }
            }
            TableEvent::Chance { n, chance } => {
                let luck = self.luck.as_mut().filter(|luck| luck.drawn == *n);
                luck.ok_or_else(|| bad("a draw out of order"))?.drawn += 1;
                self.position
                    .resolve(chance)
                    .map_err(|error| bad(&error.to_string()))?;
                let played = self.plies() > 0;
                self.steps.push(RecordStep::Chance {
                    n: *n,
                    chance: chance.clone(),
                    at: entry.at,
                });
                self.turn_since = entry.at;
                let next = self.on_turn();
                self.questions.moved(self.turn_of());
                if let Some(clock) = self.clock.as_mut().filter(|_| played) {
                    clock.run(entry.at, next);
                }
            }
            TableEvent::Resigned {
                seat, replaced_by, ..
            }
            | TableEvent::Flagged {
                seat, replaced_by, ..
            } => {
                let is_late = matches!(entry.event, TableEvent::Flagged { .. });
                if is_late && self.clock.is_none() {
                    return Err(bad("a seat runs out of time where there are no clocks"));
                }
                if let Some(spec) = replaced_by {
                    // The seat is checked before the change.
                    self.player_mut(*seat, version)?;
                    let reason = self.reason_to_replace(&entry.event);
                    self.replace(*seat, spec, reason, entry.at);
                    self.excuse(*seat, entry.at);
                }
            }
            TableEvent::StandInChosen { seat, spec, .. } => {
                self.person_gone(*seat)
                    .ok_or_else(|| bad("nobody has left the seat"))?;
                self.change_stand_in(*seat, spec, entry.at);
            }
            TableEvent::Returned { seat, .. } => {
                self.person_gone(*seat)
                    .ok_or_else(|| bad("nobody has left the seat"))?;
                self.give_back(*seat, entry.at);
            }
            TableEvent::DrawOffered { seat } => {
                let moves = self.move_count(*seat);
                *self
                    .offers
                    .draw
                    .get_mut(seat.index())
                    .ok_or_else(|| bad("there is no such seat"))? = true;
                self.offers.draw_at[seat.index()] = Some(moves);
            }
            TableEvent::DrawDeclined { .. } => self.offers.draw.fill(false),
            TableEvent::TakebackOffered { seat } => self.offers.takeback = Some(*seat),
            TableEvent::TakebackDeclined { .. } => self.offers.takeback = None,
            TableEvent::TakenBack { moves } => {
                let left = self.steps.len().checked_sub(*moves as usize);
                let left = left.ok_or_else(|| bad("more moves are taken back than were played"))?;
                if self.steps[left..].iter().any(|step| step.mover().is_none()) {
                    return Err(bad("luck cannot be taken back"));
                }
                self.steps.truncate(left);
                for handover in &mut self.handovers {
                    handover.step = handover.step.min(left);
                }
                let position = self.replay_steps(&self.steps);
                self.position = position.ok_or_else(|| bad("the moves before do not follow"))?;
                self.turn_since = entry.at;
                self.offers.takeback = None;
                self.offers.draw.fill(false);
                let next = self.on_turn();
                self.questions.moved(self.turn_of());
                let at_once = self.kind.is_cooperative();
                let increments_return = self.increments_return;
                if let Some(clock) = self
                    .clock
                    .as_mut()
                    .filter(|clock| clock.running().is_some())
                {
                    if at_once {
                        clock.taken_back(*moves as usize);
                    } else {
                        let moves = *moves as usize;
                        clock.taken_back_by_consent(entry.at, moves, increments_return);
                    }
                    clock.run(entry.at, next);
                }
            }
            TableEvent::TimeGiven { to, ms, .. } => {
                let clock = self
                    .clock
                    .as_mut()
                    .filter(|clock| to.index() < clock.left().len());
                clock
                    .ok_or_else(|| bad("time is given where there are no clocks"))?
                    .give(*to, *ms);
            }
            TableEvent::Paused { from, until } => {
                let clock = self.clock.as_mut();
                clock
                    .ok_or_else(|| bad("a clock stands still where there is none"))?
                    .stand_still(*from, *until);
                self.paused_until = *until;
            }
            TableEvent::Asking { seat, when } => {
                *self
                    .questions
                    .when
                    .get_mut(seat.index())
                    .ok_or_else(|| bad("there is no such seat"))? = *when;
            }
            TableEvent::Asked { seats, until } => {
                let seat = |number: &u8| Seat::new(*number).ok();
                let seats: Option<Vec<Seat>> = seats.iter().map(seat).collect();
                let is_seated = |seat: &Seat| seat.index() < self.players.len();
                let seats = seats.filter(|seats| seats.iter().all(is_seated));
                let seats = seats.ok_or_else(|| bad("there is no such seat"))?;
                self.questions.ask(seats, *until);
                self.run_deciding(entry.at);
            }
            TableEvent::Passed {
                seat, rest_of_turn, ..
            } => {
                if !self.asked().contains(seat) {
                    return Err(bad("a seat passes that was not asked"));
                }
                let rest_in = self.turn_of().filter(|_| *rest_of_turn);
                self.questions.pass(*seat, rest_in);
                self.run_deciding(entry.at);
            }
            TableEvent::Claimed { .. } => {}
            TableEvent::RematchOffered { seat } => {
                *self
                    .wants_rematch
                    .get_mut(seat.index())
                    .ok_or_else(|| bad("there is no such seat"))? = true;
                self.declined_rematch = None;
            }
            TableEvent::RematchDeclined { seat } => {
                if seat.index() >= self.players.len() {
                    return Err(bad("there is no such seat"));
                }
                self.wants_rematch.fill(false);
                self.declined_rematch = Some(*seat);
            }
            TableEvent::RematchAgreed { next } => self.next = Some(*next),
            TableEvent::Ended { ending } => {
                self.status = if ending.how == EndReason::Abort {
                    TableStatus::Aborted
                } else {
                    TableStatus::Over
                };
                self.ending = Some(*ending);
                self.questions.moved(None);
                self.offers.takeback = None;
                self.offers.draw.fill(false);
                if let Some(clock) = &mut self.clock {
                    clock.run(entry.at, None);
                }
            }
            TableEvent::Revealed { secret } => {
                let luck = self
                    .luck
                    .as_mut()
                    .filter(|luck| luck.commitment == Some(secret.commitment()));
                let luck = luck.ok_or_else(|| bad("the secret is not the one committed to"))?;
                luck.secret = Some(secret.clone());
                luck.revealed = true;
            }
        }
        self.log.push(entry);
        Ok(())
    }

    /// Waits no longer for the answer of a seat.
    fn excuse(&mut self, seat: Seat, at: Timestamp) {
        if self.asked().contains(&seat) {
            self.questions.excuse(seat);
            self.run_deciding(at);
        }
    }

    /// Lets the clock of the seat run that has to decide, if any clock runs.
    fn run_deciding(&mut self, at: Timestamp) {
        let deciding = self.deciding();
        let running = |clock: &&mut TableClock| clock.running().is_some();
        if let Some(clock) = self.clock.as_mut().filter(running) {
            clock.run(at, deciding);
        }
    }

    /// Returns the position after these steps of this table's game; `None` if one of them is not
    /// legal.
    pub(crate) fn replay_steps(&self, steps: &[RecordStep]) -> Option<AnyPosition> {
        let mut position = self.kind.start(&self.options).ok()?;
        for step in steps {
            match step {
                RecordStep::Move { seat, text, .. } => {
                    drop(position.play(text, Seat::new(*seat).ok()?).ok()?)
                }
                RecordStep::Chance { chance, .. } => position.resolve(chance).ok()?,
            }
        }
        Some(position)
    }

    fn player_mut(&mut self, seat: Seat, version: u64) -> Result<&mut Player, BadLog> {
        let player = self.players.get_mut(seat.index());
        player.ok_or_else(|| BadLog {
            version,
            reason: format!("there is no seat {seat}"),
        })
    }
}

/// Error for a log that is not the log of any table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("event {version} of the log does not follow: {reason}")]
pub struct BadLog {
    /// Number of the offending event.
    pub version: u64,
    /// Description of the problem.
    pub reason: String,
}
