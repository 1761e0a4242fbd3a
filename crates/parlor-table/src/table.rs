//! The table: a state that events fold into.

use std::collections::BTreeMap;

use parlor_core::{Seat, Turn};
use parlor_games::{AnyPosition, Consent, GameKind, LegalMove, OutcomeView, bots};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::clock::Clock;
use crate::fold::BadLog;
use crate::luck::Luck;
use crate::{
    By, Command, Ending, Entry, Event, How, Key, MoveId, Player, Refused, Secret, Step, TableId,
    TimeControl, Timestamp, verbs,
};

/// One game at one table, from the open seats to the end.
#[derive(Clone, Debug)]
pub struct Table {
    pub(crate) id: TableId,
    pub(crate) kind: GameKind,
    pub(crate) options: Value,
    pub(crate) players: Vec<Player>,
    pub(crate) listed: bool,
    pub(crate) invite: Option<Key>,
    pub(crate) previous: Option<TableId>,
    pub(crate) next: Option<TableId>,
    pub(crate) luck: Option<Luck>,
    pub(crate) position: AnyPosition,
    pub(crate) status: Status,
    pub(crate) ending: Option<Ending>,
    pub(crate) wants_rematch: Vec<bool>,
    pub(crate) clock: Option<Clock>,
    pub(crate) rated: bool,
    pub(crate) ready: Vec<bool>,
    pub(crate) offers: Offers,
    pub(crate) started_at: Option<Timestamp>,
    /// When the last move was made, or taken back.
    pub(crate) turn_since: Timestamp,
    /// What was played and drawn and stands.
    pub(crate) steps: Vec<Step>,
    pub(crate) played: BTreeMap<MoveId, (Seat, String)>,
    pub(crate) log: Vec<Entry>,
}

/// What is offered at the moment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Offers {
    /// By seat: whether it offers a draw.
    pub(crate) draw: Vec<bool>,
    /// By seat: how many moves it had made when it last offered a draw.
    pub(crate) draw_at: Vec<Option<usize>>,
    /// The seat that asks for its last move back.
    pub(crate) takeback: Option<Seat>,
}

/// How far a table has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// A seat is open.
    Open,
    /// The game is on.
    Playing,
    /// The game has ended.
    Over,
    /// The game was called off.
    Aborted,
}

impl Status {
    /// All states.
    pub const ALL: [Status; 4] = [Status::Open, Status::Playing, Status::Over, Status::Aborted];

    /// The name in JSON and databases.
    pub const fn name(self) -> &'static str {
        match self {
            Status::Open => "open",
            Status::Playing => "playing",
            Status::Over => "over",
            Status::Aborted => "aborted",
        }
    }
}

/// What a table is made from.
#[derive(Clone, Debug)]
pub struct NewTable {
    /// Its id, made by the driver.
    pub id: TableId,
    /// The game.
    pub game: GameKind,
    /// The game's options; missing ones take their defaults.
    pub options: Value,
    /// Who sits where; as many as the game has seats. When no seat is open the game starts at once.
    pub players: Vec<Player>,
    /// Whether the lobby shows it and anybody may join.
    pub listed: bool,
    /// What a private table's link proves. Joining an unlisted table that has an invite needs it.
    pub invite: Option<Key>,
    /// The source of luck. Games with luck need it before the first draw; others ignore it.
    pub secret: Option<Secret>,
    /// Whether the players bring their own luck, such as real dice, and type in what it did. Nobody can verify it, so such a table
    /// has no clocks and is not rated.
    pub luck_by_hand: bool,
    /// Texts for luck by seat, for the players who are already there.
    pub luck_texts: Vec<(Seat, String)>,
    /// The table this is a rematch of.
    pub previous: Option<TableId>,
    /// How much time the seats have; nothing means as much as they like.
    pub clock: Option<TimeControl>,
    /// Whether the game counts for the players' ratings. Only two different members can play such a game.
    pub rated: bool,
}

impl NewTable {
    /// A listed table without invite, luck and clocks, for fun.
    pub fn new(id: TableId, game: GameKind, options: Value, players: Vec<Player>) -> NewTable {
        NewTable {
            id,
            game,
            options,
            players,
            listed: true,
            invite: None,
            secret: None,
            luck_by_hand: false,
            luck_texts: Vec::new(),
            previous: None,
            clock: None,
            rated: false,
        }
    }
}

impl Table {
    /// Sets up a table. Its first events are in [`Table::log`].
    ///
    /// # Errors
    /// When the options are wrong, the players are not as many as the seats, or a bot is unknown.
    pub fn create(now: Timestamp, new: NewTable) -> Result<Table, Refused> {
        let position = new.game.start(&new.options)?;
        if usize::from(position.seats()) != new.players.len() {
            return Err(Refused::WrongSeats {
                seats: position.seats(),
                players: new.players.len(),
            });
        }
        if new.rated {
            may_be_rated(new.game, &new.players)?;
        }
        for player in &new.players {
            if let Player::Bot { spec } = player {
                bots::check(&position, spec)
                    .map_err(|error| Refused::UnknownBot(error.to_string()))?;
            }
        }
        if new.luck_by_hand && (new.clock.is_some() || new.rated || !new.game.has_luck()) {
            return Err(Refused::NotByHand);
        }
        let secret = new
            .secret
            .filter(|_| new.game.has_luck() && !new.luck_by_hand);
        let created = Event::Created {
            table: new.id,
            game: new.game.name().to_owned(),
            options: position.options(),
            seats: new.players,
            listed: new.listed,
            invite: new.invite,
            commitment: secret.as_ref().map(Secret::commitment),
            luck_by_hand: new.luck_by_hand,
            previous: new.previous,
            clock: new.clock,
            rated: new.rated,
        };
        let mut table = Table::found(
            Entry {
                version: 1,
                at: now,
                event: created,
            },
            secret,
        )
        .expect("an event made from a valid start founds a table");
        for (seat, text) in new.luck_texts {
            verbs::luck_text::add(&mut table, now, seat, text)?;
        }
        table.start_if_full(now)?;
        Ok(table)
    }

    /// Builds a table again from its events. The secret is the one kept by the driver; a finished table's log holds it.
    ///
    /// # Errors
    /// When the log is none of a table.
    pub fn replay(
        log: impl IntoIterator<Item = Entry>,
        secret: Option<Secret>,
    ) -> Result<Table, BadLog> {
        let mut entries = log.into_iter();
        let first = entries.next().ok_or_else(|| BadLog {
            version: 1,
            reason: "the log is empty".to_owned(),
        })?;
        let mut table = Table::found(first, secret)?;
        entries.try_for_each(|entry| table.fold(entry))?;
        Ok(table)
    }

    /// Does what is asked, if it may be done, and returns the events that this made.
    ///
    /// An empty list says that the move was applied by an earlier call with the same id. The table has already changed
    /// when this returns: a driver that cannot store the events must throw the table away and replay what is stored.
    ///
    /// # Errors
    /// The reason; nothing has changed then.
    pub fn apply(
        &mut self,
        now: Timestamp,
        by: &By,
        command: Command,
    ) -> Result<Vec<Entry>, Refused> {
        let before = self.log.len();
        let now = now.max(self.updated_at());
        match command {
            Command::Join {
                seat,
                name,
                invite,
                luck_text,
            } => {
                verbs::join::join(
                    self,
                    now,
                    by,
                    verbs::join::Request {
                        seat,
                        name,
                        invite,
                        luck_text,
                    },
                )?;
            }
            Command::Leave => verbs::leave::leave(self, now, by)?,
            Command::Move { text, id, version } => {
                verbs::play::play(self, now, by, &text, id, version)?
            }
            Command::Luck { chance, version } => {
                verbs::luck::luck(self, now, by, &chance, version)?
            }
            Command::Ready => verbs::ready::ready(self, now, by)?,
            Command::OfferDraw => verbs::draw::offer(self, now, by)?,
            Command::AcceptDraw => verbs::draw::accept(self, now, by)?,
            Command::DeclineDraw => verbs::draw::decline(self, now, by)?,
            Command::OfferTakeback => verbs::takeback::offer(self, now, by)?,
            Command::AcceptTakeback => verbs::takeback::accept(self, now, by)?,
            Command::DeclineTakeback => verbs::takeback::decline(self, now, by)?,
            Command::GiveTime { seconds } => verbs::give_time::give_time(self, now, by, seconds)?,
            Command::Claim {
                claim,
                absent_since,
            } => verbs::claim::claim(self, now, by, claim, absent_since)?,
            Command::Tick if *by == By::House => verbs::tick::tick(self, now),
            Command::Tick => return Err(Refused::NotSeated),
            Command::Resign => verbs::resign::resign(self, now, by)?,
            Command::Abort => verbs::abort::abort(self, now, by)?,
            Command::Rematch { next } => verbs::rematch::rematch(self, now, by, next)?,
            Command::LuckText { text } => verbs::luck_text::luck_text(self, now, by, text)?,
        }
        Ok(self.log[before..].to_vec())
    }

    /// The rematch of this table: the same game with the seats moved on by one, so that another begins. A team keeps its seats.
    ///
    /// # Errors
    /// When the players cannot sit down again (a bot that is gone).
    pub fn rematch(
        &self,
        now: Timestamp,
        id: TableId,
        secret: Option<Secret>,
    ) -> Result<Table, Refused> {
        let mut players = self.players.clone();
        if !self.kind.is_cooperative() {
            players.rotate_left(1);
        }
        let new = NewTable {
            listed: self.listed,
            invite: self.invite,
            secret,
            luck_by_hand: self.luck_by_hand(),
            previous: Some(self.id),
            clock: self.clock(),
            rated: self.rated,
            ..NewTable::new(id, self.kind, self.options.clone(), players)
        };
        Table::create(now, new)
    }

    /// The seat that a command comes from: the one on turn if the caller holds it, else the caller's first.
    pub(crate) fn seat_of(&self, by: &By) -> Result<Seat, Refused> {
        let held = self.held(by);
        let on_turn = self.on_turn().filter(|seat| held.contains(seat));
        on_turn.or(held.first().copied()).ok_or(Refused::NotSeated)
    }

    /// The seats that a command can come from.
    pub(crate) fn held(&self, by: &By) -> Vec<Seat> {
        match by {
            By::Bot(seat) => vec![*seat],
            _ => by.key().map(|key| self.seats_of(&key)).unwrap_or_default(),
        }
    }

    /// Moves that a seat has made.
    pub(crate) fn moves_of(&self, seat: Seat) -> usize {
        self.steps
            .iter()
            .filter(|step| step.mover() == Some(seat))
            .count()
    }

    /// The seat that has no time left.
    pub(crate) fn flagged(&self, now: Timestamp) -> Option<Seat> {
        self.clock
            .as_ref()
            .filter(|_| self.status == Status::Playing)?
            .flagged(now)
    }

    /// Whether somebody may take a seat beside those who sit here.
    pub(crate) fn may_sit(&self, player: &Player) -> Result<(), Refused> {
        let others = self
            .players
            .iter()
            .filter(|other| other.user() == player.user());
        match player.user() {
            _ if !self.rated => Ok(()),
            None => Err(Refused::MembersOnly),
            Some(_) if others.count() > 0 => Err(Refused::AgainstOneself),
            Some(_) => Ok(()),
        }
    }

    /// The game is on, and the seat on turn has time left.
    pub(crate) fn must_be_playing(&self, now: Timestamp) -> Result<(), Refused> {
        self.must_be_on()?;
        if self.flagged(now).is_some() {
            Err(Refused::TimeExceeded)
        } else {
            Ok(())
        }
    }

    pub(crate) fn must_be_on(&self) -> Result<(), Refused> {
        match self.status {
            Status::Open => Err(Refused::NotStarted),
            Status::Playing => Ok(()),
            Status::Over | Status::Aborted => Err(Refused::Over),
        }
    }

    /// Refuses whoever decided by an older table, if what has happened since could make a difference to them.
    pub(crate) fn must_have_seen(&self, version: Option<u64>) -> Result<(), Refused> {
        let Some(seen) = version else { return Ok(()) };
        let news = self
            .log
            .iter()
            .rev()
            .take_while(|entry| entry.version > seen);
        let harmless = |event: &Event| {
            matches!(
                event,
                Event::Ready { .. }
                    | Event::TimeGiven { .. }
                    | Event::DrawDeclined { .. }
                    | Event::TakebackDeclined { .. }
            )
        };
        if seen <= self.version() && news.map(|entry| &entry.event).all(harmless) {
            return Ok(());
        }
        Err(Refused::Stale {
            current: self.version(),
        })
    }

    pub(crate) fn push(&mut self, now: Timestamp, event: Event) {
        let entry = Entry {
            version: self.version() + 1,
            at: now.max(self.updated_at()),
            event,
        };
        self.fold(entry)
            .expect("a verb makes only events that follow from the state");
    }

    pub(crate) fn start_if_full(&mut self, now: Timestamp) -> Result<(), Refused> {
        if self.status == Status::Open && !self.players.contains(&Player::Open) {
            self.luck_is_here(self.position.turn())?;
            self.push(now, Event::Started);
            self.settle(now);
        }
        Ok(())
    }

    /// A chance can only be resolved by a driver that holds the secret.
    pub(crate) fn luck_is_here(&self, turn: Turn) -> Result<(), Refused> {
        let needed = turn == Turn::Chance && self.secret().is_none() && !self.luck_by_hand();
        if needed {
            Err(Refused::NoSecret)
        } else {
            Ok(())
        }
    }

    /// Lets luck decide as long as it is luck's turn, makes the moves that the rules make by themselves, agrees for a person who asks
    /// another seat of their own, and ends the game if it is over. Where luck is typed in by hand it is waited for.
    ///
    /// # Panics
    /// When luck is to decide and the secret is not here; see [`Table::luck_is_here`].
    pub(crate) fn settle(&mut self, now: Timestamp) {
        loop {
            match self.position.turn() {
                Turn::Move(_) => match self.position.forced().or_else(|| self.own_consent()) {
                    Some(LegalMove { seat, text }) => self.push(
                        now,
                        Event::Moved {
                            seat,
                            text,
                            id: None,
                        },
                    ),
                    None => return,
                },
                Turn::Over(outcome) => return self.end(now, How::Rules, Some(outcome.into())),
                Turn::Chance if self.luck_by_hand() => return,
                Turn::Chance => {
                    let event = self
                        .draw()
                        .expect("luck's turn was let in only with its secret");
                    self.push(now, event);
                }
            }
        }
    }

    /// The answer of a person who holds both seats, the one that asks and the one that is asked.
    fn own_consent(&self) -> Option<LegalMove> {
        let Consent { by, seat, agree } = self.position.consent()?;
        is_one_person(&self.players[by.index()], &self.players[seat.index()])
            .then_some(LegalMove { text: agree, seat })
    }

    /// Whether two play against each other, so that one's loss is the other's win.
    pub fn is_duel(&self) -> bool {
        self.position.seats() == 2 && !self.kind.is_cooperative()
    }

    /// Whether anybody may still call the game off: not every seat has moved.
    pub fn may_be_called_off(&self) -> bool {
        let has_moved = |seat: Seat| self.steps.iter().any(|step| step.mover() == Some(seat));
        self.status == Status::Open
            || self.status == Status::Playing && !Seat::all(self.position.seats()).all(has_moved)
    }

    /// Hands seats over to the weakest bot, as long as a person is left elsewhere; else the game is over. It is lost where all win or
    /// lose together, and nobody's where the others could have won.
    pub(crate) fn give_up(
        &mut self,
        now: Timestamp,
        seats: &[Seat],
        how: How,
        event: fn(Seat, Option<String>) -> Event,
    ) {
        let elsewhere = |(n, player): (usize, &Player)| {
            player.is_human() && seats.iter().all(|seat| seat.index() != n)
        };
        if self.players.iter().enumerate().any(elsewhere) {
            let stand_in = bots::weakest(&self.position);
            seats
                .iter()
                .for_each(|seat| self.push(now, event(*seat, Some(stand_in.clone()))));
        } else {
            let lost = self.kind.is_cooperative().then_some(OutcomeView::TeamLost);
            seats
                .first()
                .into_iter()
                .for_each(|seat| self.push(now, event(*seat, None)));
            self.end(now, how, lost);
        }
    }

    fn draw(&self) -> Option<Event> {
        let luck = self.luck.as_ref()?;
        let chances = self.position.chances();
        let weights: Vec<u32> = chances.iter().map(|(_, weight)| *weight).collect();
        let index = luck
            .secret
            .as_ref()?
            .draw(self.id, &luck.texts, luck.drawn, &weights)?;
        Some(Event::Chance {
            n: luck.drawn,
            chance: chances[index].0.clone(),
        })
    }

    pub(crate) fn end(&mut self, now: Timestamp, how: How, outcome: Option<OutcomeView>) {
        self.push(
            now,
            Event::Ended {
                ending: Ending { how, outcome },
            },
        );
        if let Some(secret) = self.secret().cloned() {
            self.push(now, Event::Revealed { secret });
        }
    }
}

/// A rated game is between two different members; seats may still be open.
fn may_be_rated(game: GameKind, players: &[Player]) -> Result<(), Refused> {
    if game.is_cooperative() {
        return Err(Refused::TeamsAreNotRated);
    }
    let member = |player: &Player| *player == Player::Open || player.user().is_some();
    match players {
        [one, other] if member(one) && member(other) => {
            if one.user().is_some() && one.user() == other.user() {
                Err(Refused::AgainstOneself)
            } else {
                Ok(())
            }
        }
        _ => Err(Refused::MembersOnly),
    }
}

fn is_one_person(one: &Player, other: &Player) -> bool {
    matches!((one, other), (Player::Human { key, .. }, Player::Human { key: same, .. }) if key == same)
}
