//! A table from its events: each is folded into the state.

use std::collections::BTreeMap;

use parlor_core::Seat;
use parlor_games::{AnyPosition, GameKind};

use crate::clock::Clock;
use crate::luck::Luck;
use crate::table::Offers;
use crate::{Entry, Event, How, Player, Secret, Status, Step, Table};

impl Table {
    /// The table that a `Created` event makes.
    pub(crate) fn found(entry: Entry, secret: Option<Secret>) -> Result<Table, BadLog> {
        let bad = |reason: String| BadLog { version: 1, reason };
        let Event::Created {
            table,
            game,
            options,
            seats,
            listed,
            invite,
            commitment,
            luck_by_hand,
            previous,
            clock,
            rated,
        } = &entry.event
        else {
            return Err(bad("the first event is not the table's creation".to_owned()));
        };
        let kind = GameKind::from_name(game).map_err(|error| bad(error.to_string()))?;
        let position = kind
            .start(options)
            .map_err(|error| bad(error.to_string()))?;
        if usize::from(position.seats()) != seats.len() || entry.version != 1 {
            return Err(bad("the creation does not fit its game".to_owned()));
        }
        let luck = (commitment.is_some() || *luck_by_hand).then(|| Luck {
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
            invite: *invite,
            previous: *previous,
            next: None,
            luck,
            position,
            status: Status::Open,
            ending: None,
            wants_rematch: vec![false; seats.len()],
            clock: clock.map(|control| Clock::new(control, seats.len())),
            rated: *rated,
            ready: vec![false; seats.len()],
            offers: Offers {
                draw: vec![false; seats.len()],
                draw_at: vec![None; seats.len()],
                takeback: None,
            },
            started_at: None,
            turn_since: entry.at,
            steps: Vec::new(),
            played: BTreeMap::new(),
            log: vec![entry],
        })
    }

    /// Takes the next event of the table's log into the state, as [`Table::replay`] does with all of them.
    ///
    /// # Errors
    /// When the event does not follow; the table is of no use then.
    pub fn fold(&mut self, entry: Entry) -> Result<(), BadLog> {
        let version = entry.version;
        let bad = |reason: &str| BadLog {
            version,
            reason: reason.to_owned(),
        };
        if version != self.version() + 1 {
            return Err(bad("the versions have a gap"));
        }
        match &entry.event {
            Event::Created { .. } => return Err(bad("a table is created once")),
            Event::Joined { seat, player } => *self.player_mut(*seat, version)? = player.clone(),
            Event::Left { seat } => *self.player_mut(*seat, version)? = Player::Open,
            Event::LuckText { seat, text } => {
                let texts = self.luck.as_mut().map(|luck| &mut luck.texts);
                let place = texts.and_then(|texts| texts.get_mut(seat.index()));
                *place.ok_or_else(|| bad("a text for luck where there is none"))? = text.clone();
            }
            Event::Started => {
                self.status = Status::Playing;
                self.started_at = Some(entry.at);
                self.turn_since = entry.at;
            }
            Event::Ready { seat } => {
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
            Event::Moved { seat, text, id } => {
                self.position
                    .play(text, *seat)
                    .map_err(|error| bad(&error.to_string()))?;
                self.steps.push(Step::Move {
                    seat: seat.number(),
                    text: text.clone(),
                    at: entry.at,
                });
                self.turn_since = entry.at;
                self.offers.takeback = None;
                self.offers
                    .draw
                    .iter_mut()
                    .enumerate()
                    .for_each(|(n, offers)| *offers &= n == seat.index());
                let next = self.on_turn();
                if let Some(clock) = &mut self.clock {
                    clock.moved(*seat, entry.at, next);
                }
                if let Some(id) = id {
                    self.played.insert(id.clone(), (*seat, text.clone()));
                }
            }
            Event::Chance { n, chance } => {
                let luck = self.luck.as_mut().filter(|luck| luck.drawn == *n);
                luck.ok_or_else(|| bad("a draw out of order"))?.drawn += 1;
                self.position
                    .resolve(chance)
                    .map_err(|error| bad(&error.to_string()))?;
                let played = self.plies() > 0;
                self.steps.push(Step::Chance {
                    n: *n,
                    chance: chance.clone(),
                    at: entry.at,
                });
                self.turn_since = entry.at;
                let next = self.on_turn();
                if let Some(clock) = self.clock.as_mut().filter(|_| played) {
                    clock.run(entry.at, next);
                }
            }
            Event::Resigned { seat, replaced_by } | Event::Flagged { seat, replaced_by } => {
                if let Some(spec) = replaced_by {
                    *self.player_mut(*seat, version)? = Player::bot(spec.as_str());
                    if let Some(clock) = &mut self.clock {
                        clock.renew(*seat, entry.at);
                    }
                }
            }
            Event::DrawOffered { seat } => {
                let moves = self.moves_of(*seat);
                *self
                    .offers
                    .draw
                    .get_mut(seat.index())
                    .ok_or_else(|| bad("there is no such seat"))? = true;
                self.offers.draw_at[seat.index()] = Some(moves);
            }
            Event::DrawDeclined { .. } => self.offers.draw.fill(false),
            Event::TakebackOffered { seat } => self.offers.takeback = Some(*seat),
            Event::TakebackDeclined { .. } => self.offers.takeback = None,
            Event::TakenBack { moves } => {
                let left = self.steps.len().checked_sub(*moves as usize);
                let left = left.ok_or_else(|| bad("more moves are taken back than were played"))?;
                if self.steps[left..].iter().any(|step| step.mover().is_none()) {
                    return Err(bad("luck cannot be taken back"));
                }
                self.steps.truncate(left);
                let position = self.position_after(&self.steps);
                self.position = position.ok_or_else(|| bad("the moves before do not follow"))?;
                self.turn_since = entry.at;
                self.offers.takeback = None;
                self.offers.draw.fill(false);
                let next = self.on_turn();
                let at_once = self.kind.is_cooperative();
                if let Some(clock) = self
                    .clock
                    .as_mut()
                    .filter(|clock| clock.running().is_some())
                {
                    if at_once {
                        clock.taken_back(*moves as usize);
                    }
                    clock.run(entry.at, next);
                }
            }
            Event::TimeGiven { to, ms, .. } => {
                let clock = self
                    .clock
                    .as_mut()
                    .filter(|clock| to.index() < clock.left().len());
                clock
                    .ok_or_else(|| bad("time is given where there are no clocks"))?
                    .give(*to, *ms);
            }
            Event::Claimed { .. } => {}
            Event::RematchOffered { seat } => {
                *self
                    .wants_rematch
                    .get_mut(seat.index())
                    .ok_or_else(|| bad("there is no such seat"))? = true;
            }
            Event::RematchAgreed { next } => self.next = Some(*next),
            Event::Ended { ending } => {
                self.status = if ending.how == How::Abort {
                    Status::Aborted
                } else {
                    Status::Over
                };
                self.ending = Some(*ending);
                self.offers.takeback = None;
                self.offers.draw.fill(false);
                if let Some(clock) = &mut self.clock {
                    clock.run(entry.at, None);
                }
            }
            Event::Revealed { secret } => {
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

    /// The position after these steps of this table's game; `None` when they do not follow.
    pub(crate) fn position_after(&self, steps: &[Step]) -> Option<AnyPosition> {
        let mut position = self.kind.start(&self.options).ok()?;
        for step in steps {
            match step {
                Step::Move { seat, text, .. } => {
                    drop(position.play(text, Seat::new(*seat).ok()?).ok()?)
                }
                Step::Chance { chance, .. } => position.resolve(chance).ok()?,
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

/// A log that no table can have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("event {version} of the log does not follow: {reason}")]
pub struct BadLog {
    /// The event.
    pub version: u64,
    /// What is wrong with it.
    pub reason: String,
}
