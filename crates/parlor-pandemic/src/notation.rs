//! Text notation of games, moves and chances.
//!
//! A move is a verb and its arguments separated by colons, so that a list of moves reads like the
//! log of the game: `drive:Paris`, `treat:blue`, `give:Cairo:Medic`,
//! `cure:red:Tokyo,Osaka,Seoul,Manila,Taipei`. A pawn is named by its owner's role, which is
//! omitted for the mover's own: the Dispatcher writes `drive:Medic:Paris` to move the Medic's.
//! Cities may also be given by their three-letter codes.

use parlor_core::{Notation, NotationError, Seat};

use crate::moves::{Chance, Move};
use crate::{Card, Cards, City, Color, EventCard, Game, Role, text};

impl Notation for Game {
    fn move_text(&self, m: &Move) -> String {
        match *m {
            Move::Drive { pawn, to } => self.way_text("drive", pawn, to),
            Move::Fly { pawn, to } => self.way_text("fly", pawn, to),
            Move::Charter { pawn, to } => self.way_text("charter", pawn, to),
            Move::Shuttle { pawn, to } => self.way_text("shuttle", pawn, to),
            Move::Join { pawn, to } => format!("join:{}:{}", self.pawn_text(pawn), to.text()),
            Move::Expert { to, card } => format!("expert:{}:{}", to.text(), card.text()),
            Move::Build { from } => with_station("build".to_owned(), from),
            Move::Treat { color } => format!("treat:{color}"),
            Move::Give { card, to } => format!("give:{}:{}", card.text(), self.pawn_text(to)),
            Move::Take { card, from } => format!("take:{}:{}", card.text(), self.pawn_text(from)),
            Move::Cure { color, cards } => format!("cure:{color}:{}", cities_text(color, cards)),
            Move::Fetch { event } => format!("fetch:{}", event.text()),
            Move::Airlift { pawn, to } => format!("airlift:{}:{}", self.pawn_text(pawn), to.text()),
            Move::Grant { at, from } => with_station(format!("grant:{}", at.text()), from),
            Move::Forecast => "forecast".to_owned(),
            Move::QuietNight => "quiet-night".to_owned(),
            Move::Resilient { city } => format!("resilient:{}", city.text()),
            Move::Discard { card } => format!("discard:{}", card.text()),
            Move::Next { city } => format!("next:{}", city.text()),
            Move::Agree => "agree".to_owned(),
            Move::Decline => "decline".to_owned(),
            Move::Draw => "draw".to_owned(),
            Move::Infect => "infect".to_owned(),
            Move::InfectAll => "infect:all".to_owned(),
            Move::Intensify => "intensify".to_owned(),
            Move::Epidemic => "epidemic".to_owned(),
        }
    }

    fn parse_move(&self, text: &str) -> Result<Move, NotationError> {
        let words: Vec<&str> = text.trim().split(':').map(str::trim).collect();
        let verb = words[0].to_ascii_lowercase();
        let read = Words {
            game: self,
            text,
            words: &words[1..],
        };
        match verb.as_str() {
            "drive" => read.way().map(|(pawn, to)| Move::Drive { pawn, to }),
            "fly" => read.way().map(|(pawn, to)| Move::Fly { pawn, to }),
            "charter" => read.way().map(|(pawn, to)| Move::Charter { pawn, to }),
            "shuttle" => read.way().map(|(pawn, to)| Move::Shuttle { pawn, to }),
            "join" => read
                .pawn_and_city()
                .map(|(pawn, to)| Move::Join { pawn, to }),
            "airlift" => read
                .pawn_and_city()
                .map(|(pawn, to)| Move::Airlift { pawn, to }),
            "expert" => read
                .two_cities()
                .map(|(to, card)| Move::Expert { to, card }),
            "build" => read.station(0).map(|from| Move::Build { from }),
            "grant" => Ok(Move::Grant {
                at: read.city(0)?,
                from: read.station(1)?,
            }),
            "treat" => read
                .only(1, read.color(0))
                .map(|color| Move::Treat { color }),
            "give" => read.share().map(|(card, to)| Move::Give { card, to }),
            "take" => read.share().map(|(card, from)| Move::Take { card, from }),
            "cure" => read.cure(),
            "fetch" => read
                .only(1, read.event(0))
                .map(|event| Move::Fetch { event }),
            "forecast" => read.only(0, Ok(Move::Forecast)),
            "quiet-night" => read.only(0, Ok(Move::QuietNight)),
            "resilient" => read
                .only(1, read.city(0))
                .map(|city| Move::Resilient { city }),
            "discard" => read
                .only(1, read.card(0))
                .map(|card| Move::Discard { card }),
            "next" => read.only(1, read.city(0)).map(|city| Move::Next { city }),
            "agree" => read.only(0, Ok(Move::Agree)),
            "decline" => read.only(0, Ok(Move::Decline)),
            "draw" => read.only(0, Ok(Move::Draw)),
            "infect" if words.len() == 2 && words[1].eq_ignore_ascii_case("all") => {
                Ok(Move::InfectAll)
            }
            "infect" => read.only(0, Ok(Move::Infect)),
            "intensify" => read.only(0, Ok(Move::Intensify)),
            "epidemic" => read.only(0, Ok(Move::Epidemic)),
            _ => Err(read.not(
                "a move of Pandemic, such as drive:Paris, treat:blue, give:Cairo:Medic or draw",
            )),
        }
    }

    fn chance_text(&self, c: &Chance) -> String {
        match c {
            Chance::Infect(city) => format!("infect:{}", city.text()),
            Chance::Bottom(city) => format!("bottom:{}", city.text()),
            Chance::Look(city) => format!("look:{}", city.text()),
            Chance::Role(role) => format!("role:{}", role.text()),
            Chance::Deal(card) => format!("deal:{}", card.text()),
            Chance::Draw(card) => format!("draw:{}", card.text()),
            Chance::Epidemic => "draw:Epidemic".to_owned(),
        }
    }

    fn parse_chance(&self, text: &str) -> Result<Chance, NotationError> {
        let words: Vec<&str> = text.trim().split(':').map(str::trim).collect();
        let read = Words {
            game: self,
            text,
            words: &words[1..],
        };
        let chance = match words[0].to_ascii_lowercase().as_str() {
            "infect" => Chance::Infect(read.city(0)?),
            "bottom" => Chance::Bottom(read.city(0)?),
            "look" => Chance::Look(read.city(0)?),
            "role" => Chance::Role(read.role(0)?),
            "deal" => Chance::Deal(read.card(0)?),
            "draw"
                if words
                    .get(1)
                    .is_some_and(|word| word.eq_ignore_ascii_case("epidemic")) =>
            {
                Chance::Epidemic
            }
            "draw" => Chance::Draw(read.card(0)?),
            _ => {
                return Err(read.not(
                    "a chance of Pandemic, such as infect:Paris, draw:Cairo or draw:Epidemic",
                ));
            }
        };
        read.only(1, Ok(chance))
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

fn cities_text(color: Color, cards: u16) -> String {
    let cities = color
        .cities()
        .into_iter()
        .enumerate()
        .filter(|(n, _)| cards >> n & 1 == 1);
    cities
        .map(|(_, city)| city.text())
        .collect::<Vec<_>>()
        .join(",")
}

impl Game {
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

/// Arguments of a move, the words after its verb.
struct Words<'a> {
    game: &'a Game,
    text: &'a str,
    words: &'a [&'a str],
}

impl Words<'_> {
    fn not(&self, expected: &str) -> NotationError {
        NotationError::new(self.text, expected)
    }

    fn word(&self, n: usize, expected: &str) -> Result<&str, NotationError> {
        self.words
            .get(n)
            .copied()
            .filter(|word| !word.is_empty())
            .ok_or_else(|| self.not(expected))
    }

    /// Returns the value if there are exactly this many words.
    fn only<T>(&self, words: usize, value: Result<T, NotationError>) -> Result<T, NotationError> {
        let value = value?;
        if self.words.len() == words {
            return Ok(value);
        }
        Err(self.not("a move of Pandemic: there are words too many or too few"))
    }

    fn city(&self, n: usize) -> Result<City, NotationError> {
        let expected = "a move that names a city of the map there, such as Sao-Paulo";
        City::from_name(self.word(n, expected)?).ok_or_else(|| self.not(expected))
    }

    fn card(&self, n: usize) -> Result<Card, NotationError> {
        let expected =
            "a move that names a card there: a city such as Sao-Paulo, or an event such as Airlift";
        Card::from_name(self.word(n, expected)?).ok_or_else(|| self.not(expected))
    }

    fn event(&self, n: usize) -> Result<EventCard, NotationError> {
        let expected = "a move that names an event there: Airlift, Forecast, Government-Grant, One-Quiet-Night, Resilient-Population";
        EventCard::from_name(self.word(n, expected)?).ok_or_else(|| self.not(expected))
    }

    fn color(&self, n: usize) -> Result<Color, NotationError> {
        let expected = "a move that names a disease there: blue, yellow, black or red";
        Color::from_name(self.word(n, expected)?).ok_or_else(|| self.not(expected))
    }

    fn role(&self, n: usize) -> Result<Role, NotationError> {
        let expected = "a role of Pandemic, such as Medic or Operations-Expert";
        Role::from_name(self.word(n, expected)?).ok_or_else(|| self.not(expected))
    }

    /// Parses a role and returns its seat.
    fn pawn(&self, n: usize) -> Result<Seat, NotationError> {
        let role = self.role(n)?;
        self.game
            .seat_of(role)
            .ok_or_else(|| self.not(&format!("a move at this table: nobody is the {role}")))
    }

    /// Parses `CITY`, for one's own pawn, or `ROLE:CITY`.
    fn way(&self) -> Result<(Seat, City), NotationError> {
        match self.words.len() {
            0 | 1 => Ok((self.game.active, self.city(0)?)),
            _ => self.pawn_and_city(),
        }
    }

    fn pawn_and_city(&self) -> Result<(Seat, City), NotationError> {
        self.only(2, Ok((self.pawn(0)?, self.city(1)?)))
    }

    fn two_cities(&self) -> Result<(City, City), NotationError> {
        self.only(2, Ok((self.city(0)?, self.city(1)?)))
    }

    /// Parses the station that is moved, if any.
    fn station(&self, n: usize) -> Result<Option<City>, NotationError> {
        match self.words.len() {
            words if words == n => Ok(None),
            _ => self.only(n + 1, self.city(n).map(Some)),
        }
    }

    /// Parses a card and a player; with two players the other one need not be named.
    fn share(&self) -> Result<(City, Seat), NotationError> {
        let card = self.city(0)?;
        if self.words.len() == 1 && self.game.rules.players() == 2 {
            return Ok((card, self.game.active.next(2)));
        }
        self.only(2, Ok((card, self.pawn(1)?)))
    }

    /// Parses `COLOR:CARD,CARD,…`; without cards, it means all of that color in the hand of the
    /// player on turn.
    fn cure(&self) -> Result<Move, NotationError> {
        let color = self.color(0)?;
        let mut cards = self
            .game
            .hand(self.game.active)
            .cities()
            .and(color.cities());
        if self.words.len() > 1 {
            let names = self.only(2, self.word(1, "a cure with cards"))?;
            let found: Option<Vec<Card>> = names
                .split(',')
                .map(|name| City::from_name(name).map(Card::City))
                .collect();
            let found = found.ok_or_else(|| self.not("a cure with cities joined by commas"))?;
            cards = found.into_iter().collect::<Cards>().cities();
        }
        if !cards.minus(color.cities()).is_empty() {
            return Err(self.not(&format!("a cure of {color}: all its cards must be {color}")));
        }
        Ok(Move::Cure {
            color,
            cards: (cards.bits() >> (12 * color.index())) as u16,
        })
    }
}
