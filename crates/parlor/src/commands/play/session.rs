//! A game at a table whose people all sit at one terminal.

use std::num::NonZero;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use parlor_core::Seat;
use parlor_games::bots::{self, Bot, Thought};
use parlor_games::{AnyPosition, GameKind};
use parlor_table::{
    By, Command, Entry, Event, Key, NewTable, Player, Refused, Secret, Status, Table, TableId,
    Timestamp,
};
use serde_json::Value;

use crate::crew::Threads;
use crate::failure::Failure;

/// What a session is made from.
pub struct Setup {
    pub game: GameKind,
    pub options: Value,
    /// `human`, `human:NAME` or a bot, in the order of seats; people where nothing is said at all.
    pub players: Vec<String>,
    pub seed: Option<u64>,
    /// How long a bot may think.
    pub think: Duration,
}

/// A table, the keys of the people and the bots at it.
pub struct Session {
    table: Table,
    names: Vec<String>,
    bots: Vec<Option<Box<dyn Bot>>>,
    /// How long the log was when bots were asked last whether they move out of turn.
    asked: usize,
    pub think: Duration,
}

/// How long a bot may think about a move out of turn: the others wait for it.
const ASIDE: Duration = Duration::from_millis(100);

/// Who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mover {
    Person(Seat),
    Bot(Seat),
}

impl Session {
    /// Sits everybody down.
    ///
    /// # Errors
    /// When options, players or bots are wrong, or the system has no randomness.
    pub fn new(setup: Setup) -> Result<Session, Failure> {
        let start = setup.game.start(&setup.options).map_err(Failure::refused)?;
        let (start, options) = seated(start, &setup);
        let seats: Vec<Seat> = Seat::all(start.seats()).collect();
        let random = Randomness::new(setup.seed)?;
        let players = players(&start, &setup.players)?;
        let now = now();
        let new = NewTable {
            secret: Some(Secret::new(random.secret)),
            listed: false,
            ..NewTable::new(random.table(now), setup.game, options, players)
        };
        let table = Table::create(now, new).map_err(Failure::refused)?;
        let names = seats.iter().map(|seat| {
            table.players()[seat.index()]
                .name()
                .unwrap_or_default()
                .to_owned()
        });
        // One bot thinks at a time, and may have all cores.
        let crew = Arc::new(Threads(
            thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN),
        ));
        let bot = |seat: &Seat| match &table.players()[seat.index()] {
            Player::Bot { spec } => {
                let bot = bots::bot_with_crew(&start, spec, random.bot(*seat), crew.clone());
                bot.map(Some).map_err(Failure::refused)
            }
            Player::Open | Player::Human { .. } => Ok(None),
        };
        let bots = seats.iter().map(bot).collect::<Result<_, _>>()?;
        Ok(Session {
            names: names.collect(),
            bots,
            asked: 0,
            think: setup.think,
            table,
        })
    }

    /// The table, to look at.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The position.
    pub fn position(&self) -> &AnyPosition {
        self.table.position()
    }

    /// The players' names in the order of seats; a bot's is what it was asked for as.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// A player as others speak of them: "Ann", "Player O (level:3)".
    pub fn title(&self, seat: Seat) -> String {
        let name = &self.names[seat.index()];
        match self.table.players()[seat.index()] {
            Player::Bot { .. } => format!("{} ({name})", self.position().player_name(seat)),
            Player::Open | Player::Human { .. } => name.clone(),
        }
    }

    /// Who is to move; nobody when the game is over.
    pub fn mover(&self) -> Option<Mover> {
        let seat = self.table.on_turn()?;
        let is_bot = matches!(self.table.players()[seat.index()], Player::Bot { .. });
        Some(if is_bot {
            Mover::Bot(seat)
        } else {
            Mover::Person(seat)
        })
    }

    /// Plays a move for whoever is on turn. People may also play what another of them can do out of turn: all sit here.
    ///
    /// # Errors
    /// The table's reason; nothing has changed then.
    pub fn play(&mut self, text: &str) -> Result<Vec<Entry>, Refused> {
        match self.mover() {
            Some(Mover::Bot(seat)) => self.table.apply(now(), &By::Bot(seat), Command::play(text)),
            _ => self.say(text),
        }
    }

    /// Plays what one of the people has chosen, also while a bot is on turn, but nothing of the bot's.
    ///
    /// # Errors
    /// The table's reason; nothing has changed then.
    pub fn say(&mut self, text: &str) -> Result<Vec<Entry>, Refused> {
        let of = self
            .position()
            .seat_of(text)
            .filter(|of| self.is_person(*of));
        let seat = match self.mover() {
            Some(Mover::Person(seat)) => of.unwrap_or(seat),
            Some(Mover::Bot(_)) => of.ok_or(Refused::NotYourTurn)?,
            None => return Err(Refused::Over),
        };
        self.table
            .apply(now(), &By::Key(key(seat)), Command::play(text))
    }

    /// A person who could play something though a bot is on turn.
    pub fn bystander(&self) -> Option<Seat> {
        let bot = matches!(self.mover(), Some(Mover::Bot(_)));
        self.position()
            .out_of_turn()
            .into_iter()
            .find(|seat| bot && self.is_person(*seat))
    }

    fn is_person(&self, seat: Seat) -> bool {
        self.table.players()[seat.index()].is_human()
    }

    /// What these entries of the log did, each told in words where the game has more to say than the text of the move; they are the
    /// last ones.
    pub fn told(&self, entries: &[Entry]) -> Vec<Option<String>> {
        let steps =
            |entry: &&Entry| matches!(entry.event, Event::Moved { .. } | Event::Chance { .. });
        let all = self.table.steps().len();
        let before = all.checked_sub(entries.iter().filter(steps).count());
        let mut position = before
            .and_then(|step| self.table.after(step))
            .map(|(position, _)| position);
        let mut tell = |entry: &Entry| {
            let position = position.as_mut()?;
            match &entry.event {
                Event::Moved { seat, text, .. } => {
                    let told = position.told(text);
                    position.play(text, *seat).ok()?;
                    told
                }
                Event::Chance { chance, .. } => {
                    let told = position.told(chance);
                    position.resolve(chance).ok()?;
                    told
                }
                _ => None,
            }
        };
        entries.iter().map(&mut tell).collect()
    }

    /// The bot of a seat, to think elsewhere; [`Session::give_back`] returns it.
    pub fn take_bot(&mut self, seat: Seat) -> Option<Box<dyn Bot>> {
        self.bots[seat.index()].take()
    }

    /// Puts a bot back into its seat.
    pub fn give_back(&mut self, seat: Seat, bot: Box<dyn Bot>) {
        self.bots[seat.index()] = Some(bot);
    }

    /// Lets a bot think here and now.
    pub fn think(&mut self, seat: Seat) -> Option<Thought> {
        let budget = &mut bots::Deadline::after(self.think);
        self.bots[seat.index()]
            .as_mut()?
            .think(self.table.position(), budget)
    }

    /// What a bot does though another seat is on turn, in games that have such moves. Bots are asked once for each state of the table.
    pub fn aside(&mut self) -> Option<Vec<Entry>> {
        let length = self.table.log().len();
        if self.mover().is_none() || std::mem::replace(&mut self.asked, length) == length {
            return None;
        }
        for seat in self.position().out_of_turn() {
            let Some(bot) = self.bots[seat.index()].as_mut() else {
                continue;
            };
            let thought = bot.interject(
                self.table.position(),
                seat,
                &mut bots::Deadline::after(ASIDE),
            );
            let Some(thought) = thought else { continue };
            if let Ok(entries) =
                self.table
                    .apply(now(), &By::Bot(seat), Command::play(&thought.text))
            {
                return Some(entries);
            }
        }
        None
    }

    /// Calls the game off, as far as the table lets anybody; what has been played stays in the record.
    pub fn leave(&mut self) {
        if self.table.status() == Status::Playing {
            let person = Seat::all(self.position().seats())
                .find(|seat| self.table.players()[seat.index()].is_human());
            // Too late to abort: then the record is one of a game that still goes on.
            let _ = person.map(|seat| self.table.apply(now(), &By::Key(key(seat)), Command::Abort));
        }
    }
}

/// The key of the person in a seat: everybody is at this terminal, so there is nothing to prove.
fn key(seat: Seat) -> Key {
    Key::of(&format!("the person in seat {seat} of this terminal"))
}

fn now() -> Timestamp {
    let millis = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |elapsed| elapsed.as_millis());
    Timestamp::from_millis(i64::try_from(millis).unwrap_or(i64::MAX))
}

/// Where a game can have as many seats as players are named, and nothing else is said, it gets them.
fn seated(start: AnyPosition, setup: &Setup) -> (AnyPosition, Value) {
    let named = setup.players.len();
    let schema = setup.game.options_schema();
    let counted = ["seats", "players"]
        .into_iter()
        .find(|option| schema["properties"][option].is_object());
    let said = counted
        .into_iter()
        .chain(["symbols"])
        .any(|option| setup.options.get(option).is_some());
    let Some(counted) =
        counted.filter(|_| named > 0 && named != usize::from(start.seats()) && !said)
    else {
        return (start, setup.options.clone());
    };
    let mut options = if setup.options.is_null() {
        serde_json::json!({})
    } else {
        setup.options.clone()
    };
    options[counted] = named.into();
    // So many players may be too few or too many; then the usual game says how many it has.
    setup.game.start(&options).map_or_else(
        |_| (start, setup.options.clone()),
        |start| (start, options.clone()),
    )
}

fn players(start: &AnyPosition, said: &[String]) -> Result<Vec<Player>, Failure> {
    if !said.is_empty() && said.len() != usize::from(start.seats()) {
        return Err(Failure::refused(Refused::WrongSeats {
            seats: start.seats(),
            players: said.len(),
        }));
    }
    let player = |seat: Seat| {
        let word = said.get(seat.index()).map_or("human", |word| word.trim());
        match word.strip_prefix("human") {
            Some("") => {
                Player::human(&start.player_name(seat), key(seat)).map_err(Failure::refused)
            }
            Some(name) if name.starts_with(':') => {
                Player::human(&name[1..], key(seat)).map_err(Failure::refused)
            }
            _ => Ok(Player::bot(word)),
        }
    };
    Seat::all(start.seats()).map(player).collect()
}

/// Where luck and bots get theirs from.
struct Randomness {
    secret: [u8; 32],
    seed: Option<u64>,
}

impl Randomness {
    fn new(seed: Option<u64>) -> Result<Randomness, Failure> {
        let mut secret = [0; 32];
        match seed {
            Some(seed) => secret[..8].copy_from_slice(&seed.to_be_bytes()),
            None => getrandom::fill(&mut secret).map_err(|error| {
                Failure::Refused(format!("the system gives no random numbers: {error}"))
            })?,
        }
        Ok(Randomness { secret, seed })
    }

    /// The table's id enters every draw, so a seed fixes it too.
    fn table(&self, now: Timestamp) -> TableId {
        let fixed = self
            .seed
            .and_then(|seed| TableId::new(seed & TableId::MAX).ok());
        fixed.unwrap_or_else(|| TableId::fresh(now, getrandom::u64().unwrap_or_default()))
    }

    /// Not from the secret: a bot must know nothing of the luck to come.
    fn bot(&self, seat: Seat) -> u64 {
        let base = self
            .seed
            .or_else(|| getrandom::u64().ok())
            .unwrap_or_default();
        base.wrapping_add(u64::from(seat.number()))
    }
}

#[cfg(test)]
pub mod tests {
    use serde_json::json;

    use super::*;

    fn setup(options: Value, players: &[&str]) -> Setup {
        Setup {
            game: GameKind::from_name("mnk").expect("a game of the house"),
            options,
            players: players.iter().map(|&p| p.to_owned()).collect(),
            seed: Some(1),
            think: Duration::from_millis(10),
        }
    }

    #[test]
    fn people_get_the_names_of_their_seats() {
        let session = Session::new(setup(Value::Null, &[])).expect("two people");
        assert_eq!(session.names(), ["Player X", "Player O"]);
        assert_eq!(session.mover(), Some(Mover::Person(Seat::FIRST)));
    }

    #[test]
    fn naming_three_players_makes_a_game_of_three() {
        let session = Session::new(setup(
            json!({"rows": 6, "columns": 6, "k": 4}),
            &["human", "human:Bo", "random"],
        ));
        let session = session.expect("three players");
        assert_eq!(session.position().seats(), 3);
        assert_eq!(session.names()[1..], ["Bo", "random"]);
    }

    #[test]
    fn seats_that_were_asked_for_are_not_changed() {
        let refused = Session::new(setup(json!({"seats": 2}), &["human", "human", "human"])).err();
        assert!(matches!(refused, Some(Failure::Refused(text)) if text.contains("2 seats")));
    }

    /// Ann and a bot that is on turn, while she holds the one event of the game.
    pub(in crate::commands::play) fn ann_looks_on() -> Session {
        let options = json!({"events": ["One Quiet Night"]});
        let session = |seed| {
            let game = GameKind::from_name("pandemic").expect("a game of the house");
            let session = Setup {
                game,
                seed: Some(seed),
                ..setup(options.clone(), &["human:Ann", "level:1"])
            };
            Session::new(session).expect("a person and a bot")
        };
        (0..500)
            .map(session)
            .find(|session| session.bystander().is_some())
            .expect("luck brings it about")
    }

    #[test]
    fn a_person_plays_an_event_in_a_bots_turn_and_nothing_that_is_the_bots() {
        let mut session = ann_looks_on();
        let bot = Seat::new(1).expect("a seat");
        assert_eq!(
            (session.mover(), session.bystander()),
            (Some(Mover::Bot(bot)), Some(Seat::FIRST))
        );
        assert_eq!(session.say("draw"), Err(Refused::NotYourTurn));
        let entries = session.say("quiet-night").expect("her event");
        assert!(
            matches!(&entries[0].event, Event::Moved { seat, text, .. } if *seat == Seat::FIRST && text == "quiet-night"),
            "{entries:?}"
        );
        assert_eq!(
            (session.mover(), session.bystander()),
            (Some(Mover::Bot(bot)), None)
        );
    }
}
