//! Text notation of games, moves and chances.
//!
//! A move is a verb and its arguments separated by colons, so that a list of moves reads like the
//! log of the game: `drive:Paris`, `treat:blue`, `give:Cairo:Medic`,
//! `cure:red:Tokyo,Osaka,Seoul,Manila,Taipei`. A pawn is named by its owner's role, which is
//! omitted for the mover's own: the Dispatcher writes `drive:Medic:Paris` to move the Medic's.
//! Cities may also be given by their three-letter codes.
//!
//! Because of the roles, an action or an event is read and written by its game. A step of the turn
//! and a chance name no pawn, so they are text on their own.

mod steps;
mod words;

use parlor_core::{Notation, NotationError, Seat};

use crate::moves::{Action, Chance, EventPlay, Move, Way};
use crate::{Card, Cards, Cities, City, ColorCities, Game, text};
use words::Words;

impl Notation for Game {
    fn move_text(&self, m: &Move) -> String {
        match *m {
            Move::Action(action) => self.action_text(action),
            Move::Event(event) => self.event_text(event),
            Move::Step(step) => step.to_string(),
        }
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let (verb, words) = Words::split(text);
        let read = MoveWords { game: self, words };
        let words = &read.words;
        match verb.as_str() {
            "drive" => read.travel(Way::Drive),
            "fly" => read.travel(Way::Fly),
            "charter" => read.travel(Way::Charter),
            "shuttle" => read.travel(Way::Shuttle),
            "join" => read.travel(Way::Join),
            "airlift" => read
                .pawn_and_city()
                .map(|(pawn, to)| EventPlay::Airlift { pawn, to }.into()),
            "expert" => words
                .two_cities()
                .map(|(to, card)| Action::Expert { to, card }.into()),
            "build" => words.station(0).map(|from| Action::Build { from }.into()),
            "grant" => Ok(EventPlay::Grant {
                at: words.city(0)?,
                from: words.station(1)?,
            }
            .into()),
            "treat" => words
                .only(1, words.color(0))
                .map(|color| Action::Treat { color }.into()),
            "give" => read
                .share()
                .map(|(card, to)| Action::Give { card, to }.into()),
            "take" => read
                .share()
                .map(|(card, from)| Action::Take { card, from }.into()),
            "cure" => read.cure(),
            "fetch" => words
                .only(1, words.event(0))
                .map(|event| Action::Fetch { event }.into()),
            "forecast" => words.only(0, Ok(EventPlay::Forecast.into())),
            "quiet-night" => words.only(0, Ok(EventPlay::QuietNight.into())),
            "resilient" => words
                .only(1, words.city(0))
                .map(|city| EventPlay::Resilient { city }.into()),
            verb => match words.step(verb)? {
                Some(step) => Ok(step.into()),
                None => Err(words.not(
                    "a move of Pandemic, such as drive:Paris, treat:blue, give:Cairo:Medic or draw",
                )),
            },
        }
    }

    fn chance_text(&self, c: &Chance) -> String {
        c.to_string()
    }

    fn parse_chance(&self, text: &str) -> Result<Chance, NotationError> {
        text.parse()
    }

    fn text(&self) -> String {
        text::write(self)
    }

    fn from_text(text: &str) -> Result<Game, NotationError> {
        text::read(text)
    }
}

parlor_core::display_by_notation!(Game);

fn with_station(text: String, from: Option<City>) -> String {
    from.map_or_else(|| text.clone(), |from| format!("{text}:{}", from.text()))
}

fn cities_text(cities: Cities) -> String {
    let texts: Vec<&str> = cities.iter().map(City::text).collect();
    texts.join(",")
}

impl Game {
    fn action_text(&self, action: Action) -> String {
        match action {
            Action::Travel { pawn, way, to } => match way {
                Way::Drive => self.way_text("drive", pawn, to),
                Way::Fly => self.way_text("fly", pawn, to),
                Way::Charter => self.way_text("charter", pawn, to),
                Way::Shuttle => self.way_text("shuttle", pawn, to),
                Way::Join => format!("join:{}:{}", self.pawn_text(pawn), to.text()),
            },
            Action::Expert { to, card } => format!("expert:{}:{}", to.text(), card.text()),
            Action::Build { from } => with_station("build".to_owned(), from),
            Action::Treat { color } => format!("treat:{color}"),
            Action::Give { card, to } => format!("give:{}:{}", card.text(), self.pawn_text(to)),
            Action::Take { card, from } => {
                format!("take:{}:{}", card.text(), self.pawn_text(from))
            }
            Action::Cure { cards } => {
                format!("cure:{}:{}", cards.color(), cities_text(cards.cities()))
            }
            Action::Fetch { event } => format!("fetch:{}", event.text()),
        }
    }

    fn event_text(&self, event: EventPlay) -> String {
        match event {
            EventPlay::Airlift { pawn, to } => {
                format!("airlift:{}:{}", self.pawn_text(pawn), to.text())
            }
            EventPlay::Grant { at, from } => with_station(format!("grant:{}", at.text()), from),
            EventPlay::Forecast => "forecast".to_owned(),
            EventPlay::QuietNight => "quiet-night".to_owned(),
            EventPlay::Resilient { city } => format!("resilient:{}", city.text()),
        }
    }

    fn way_text(&self, verb: &str, pawn: Seat, to: City) -> String {
        if pawn == self.active {
            format!("{verb}:{}", to.text())
        } else {
            format!("{verb}:{}:{}", self.pawn_text(pawn), to.text())
        }
    }

    fn pawn_text(&self, pawn: Seat) -> String {
        let role = self.roles.get(pawn.index()).copied().flatten();
        role.map_or_else(|| pawn.to_string(), |role| role.text().to_owned())
    }
}

/// Arguments of a move in a game.
struct MoveWords<'a> {
    game: &'a Game,
    words: Words<'a>,
}

impl MoveWords<'_> {
    /// Parses a role and returns its seat.
    fn pawn(&self, n: usize) -> Result<Seat, NotationError> {
        let role = self.words.role(n)?;
        self.game.seat_of(role).ok_or_else(|| {
            self.words
                .not(&format!("a move at this table: nobody is the {role}"))
        })
    }

    /// Parses `CITY`, for one's own pawn, or `ROLE:CITY`. To join, every pawn is named.
    fn travel(&self, way: Way) -> Result<Move, NotationError> {
        let (pawn, to) = match (way, self.words.len()) {
            (Way::Drive | Way::Fly | Way::Charter | Way::Shuttle, 0 | 1) => {
                (self.game.active, self.words.city(0)?)
            }
            _ => self.pawn_and_city()?,
        };
        Ok(Action::Travel { pawn, way, to }.into())
    }

    fn pawn_and_city(&self) -> Result<(Seat, City), NotationError> {
        self.words.only(2, Ok((self.pawn(0)?, self.words.city(1)?)))
    }

    /// Parses a card and a player; with two players the other one need not be named.
    fn share(&self) -> Result<(City, Seat), NotationError> {
        let card = self.words.city(0)?;
        if self.words.len() == 1 && self.game.rules.players() == 2 {
            return Ok((card, self.game.active.next(2)));
        }
        self.words.only(2, Ok((card, self.pawn(1)?)))
    }

    /// Parses `COLOR:CARD,CARD,…`; without cards, it means all of that color in the hand of the
    /// player on turn.
    fn cure(&self) -> Result<Move, NotationError> {
        let color = self.words.color(0)?;
        let mut cards = self
            .game
            .hand(self.game.active)
            .cities()
            .and(color.cities());
        if self.words.len() > 1 {
            let names = self
                .words
                .only(2, self.words.word(1, "a cure with cards"))?;
            let found: Option<Vec<Card>> = names
                .split(',')
                .map(|name| City::from_name(name).map(Card::City))
                .collect();
            let found =
                found.ok_or_else(|| self.words.not("a cure with cities joined by commas"))?;
            cards = found.into_iter().collect::<Cards>().cities();
        }
        if !cards.minus(color.cities()).is_empty() {
            return Err(self
                .words
                .not(&format!("a cure of {color}: all its cards must be {color}")));
        }
        let cards = ColorCities::new(color, cards);
        Ok(Action::Cure { cards }.into())
    }
}
