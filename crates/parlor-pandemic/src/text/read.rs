//! Parser of a game's text.

use parlor_core::{Notation, NotationError, Seat};

use super::words;
use crate::game::{FORECAST, Interrupt, RATES};
use crate::{
    Cards, Cities, City, Color, Consent, EventCard, Game, PandemicEnding, Role, Roles, Rules, Setup,
};

/// Parses a game.
pub(crate) fn read(text: &str) -> Result<Game, NotationError> {
    let bad = |what: String| NotationError::new(text, format!("a position of Pandemic: {what}"));
    let line = ParsedLine::split(text).map_err(bad)?;
    let setup = line.setup().map_err(bad)?;
    setup.validate().map_err(|flaws| bad(flaws.to_string()))
}

/// A parsed value, or a description of a valid one.
type Read<T> = Result<T, String>;

/// All keys of a line, each with an example of a valid word.
const KEYS: [(&str, &str); 26] = [
    ("consent", "yes, no or again"),
    (
        "events",
        "events joined by commas, such as Airlift,Forecast, or none",
    ),
    (
        "pool",
        "roles joined by commas, such as Medic,Scientist, or none",
    ),
    ("fixed", "a role or - for each seat, such as Medic,-"),
    ("active", "the number of a seat, from 0"),
    (
        "roles",
        "a role or - for each seat, such as Medic,Scientist",
    ),
    (
        "at",
        "three letters of a city for each seat, such as Atl,Lon",
    ),
    (
        "hands",
        "a hand for each seat, such as LonNYk+Airlift/Par, and no card twice",
    ),
    ("stored", "an event such as Airlift"),
    ("discard", "cards such as LonNYk+Airlift, none twice"),
    ("gone", "events such as Airlift+Forecast"),
    (
        "cubes",
        "cities with cubes such as Lon:b3k1,Par:y2, no city twice",
    ),
    ("stations", "cities such as AtlCai, none twice"),
    ("outbreaks", "a number"),
    ("epidemics", "a number"),
    ("pending", "a number"),
    ("cured", "letters of b, y, k and r, none twice"),
    (
        "infection",
        "layers from the bottom up such as */LonPar, or none",
    ),
    ("infected", "cities such as LonPar, none twice"),
    ("removed", "cities such as LonPar, none twice"),
    (
        "stage",
        "setup:N, actions:N, draw:N, epidemic, intensify, second, infect, between:N or turning:N",
    ),
    ("declined", "seats such as 113, each at most three times"),
    ("ask", "a move such as drive:Medic:Paris"),
    (
        "look",
        "seat, cards to come and cards seen, such as 0:3:LonPar",
    ),
    (
        "order",
        "seat, cards left and cards put back, such as 0:LonPar:NYk",
    ),
    ("over", "cured, outbreaks, cards or cubes:blue"),
];

const FLAGS: [&str; 3] = ["flown", "quiet", "hurry"];

/// Words of a line, each at most once.
struct ParsedLine<'a> {
    players: u8,
    epidemics: u8,
    values: [Option<&'a str>; KEYS.len()],
    flags: [bool; FLAGS.len()],
}

impl<'a> ParsedLine<'a> {
    fn split(text: &'a str) -> Read<ParsedLine<'a>> {
        let mut all = text.split_whitespace();
        let start = || "it begins with players and epidemics, such as 2p4e".to_owned();
        let (players, epidemics) = all.next().and_then(numbers).ok_or_else(start)?;
        let mut line = ParsedLine {
            players,
            epidemics,
            values: [None; KEYS.len()],
            flags: [false; FLAGS.len()],
        };
        for word in all {
            let (key, value) = word
                .split_once('=')
                .map_or((word, None), |(key, value)| (key, Some(value)));
            let twice = match (KEYS.iter().position(|(known, _)| *known == key), value) {
                (Some(at), Some(value)) => line.values[at].replace(value).is_some(),
                (Some(at), None) => return Err(format!("{key} needs a value: {}", KEYS[at].1)),
                (None, _) => match FLAGS.iter().position(|known| *known == word) {
                    Some(at) => std::mem::replace(&mut line.flags[at], true),
                    None => return Err(unknown(word)),
                },
            };
            if twice {
                return Err(format!("{key} stands there only once"));
            }
        }
        Ok(line)
    }

    /// Parses the value of a word, or returns the default if the word is missing.
    fn get<T>(&self, key: &str, default: T, read: impl FnOnce(&str) -> Option<T>) -> Read<T> {
        let at = KEYS
            .iter()
            .position(|(known, _)| *known == key)
            .unwrap_or(KEYS.len());
        let Some(value) = self.values.get(at).copied().flatten() else {
            return Ok(default);
        };
        read(value).ok_or_else(|| format!("{key} is {}", KEYS[at].1))
    }

    /// Parses one value per seat.
    fn seats<T: Copy>(
        &self,
        key: &str,
        separator: char,
        default: T,
        read: impl Fn(&str) -> Option<T>,
    ) -> Read<[T; 4]> {
        self.get(key, [default; 4], |text| {
            let mut all = [default; 4];
            let parts: Vec<&str> = text.split(separator).collect();
            if parts.len() != usize::from(self.players) {
                return None;
            }
            for (place, part) in all.iter_mut().zip(parts) {
                *place = read(part)?;
            }
            Some(all)
        })
    }

    fn rules(&self) -> Read<Rules> {
        let rules = Rules::new(self.players, self.epidemics).map_err(|bad| bad.to_string())?;
        let consent = self.get("consent", Consent::AskedOnce, |text| match text {
            "yes" => Some(Consent::AskedOnce),
            "no" => Some(Consent::Implied),
            "again" => Some(Consent::AskedAgain),
            _ => None,
        })?;
        let events = self.get("events", Cards::EVENTS, read_events)?;
        let pool = self.get("pool", Roles::ALL, |text| {
            let names = text.split(',').filter(|_| text != "none");
            names.map(Role::from_name).collect::<Option<Roles>>()
        })?;
        let fixed = self.seats("fixed", ',', None, words::read_role)?;
        let rules = rules.with_consent(consent).with_events(events);
        rules.with_roles(pool, fixed).map_err(|bad| bad.to_string())
    }

    fn setup(&self) -> Read<Setup> {
        let stage = self.get("stage", None, |text| words::read_stage(text).map(Some))?;
        let Some((stage, actions, infections)) = stage else {
            return Err("it needs a stage, such as stage=actions:4".into());
        };
        let mut setup = Game::new(self.rules()?).setup();
        (setup.stage, setup.actions) = (stage, actions);
        self.people(&mut setup)?;
        self.board(&mut setup)?;
        setup.infections =
            infections.unwrap_or(RATES[usize::from(setup.epidemics).min(RATES.len() - 1)]);
        setup.declines = self.get("declined", [0; 4], read_declines)?;
        [setup.flown, setup.quiet_night, setup.hurry] = self.flags;
        setup.ending = self.get("over", None, |text| read_ending(text).map(Some))?;
        self.interrupt(&mut setup)?;
        self.infection(&mut setup)?;
        Ok(setup)
    }

    fn people(&self, setup: &mut Setup) -> Read<()> {
        setup.active = self.get("active", Seat::FIRST, words::read_seat)?;
        setup.roles = self.seats("roles", ',', None, words::read_role)?;
        setup.pawns = self.seats("at", ',', City::ATLANTA, |code| {
            words::read_cities(code)
                .filter(|cities| cities.len() == 1)
                .map(|cities| cities[0])
        })?;
        setup.hands = self.seats("hands", '/', Cards::NONE, words::read_cards)?;
        setup.stored = self.get("stored", None, |text| EventCard::from_name(text).map(Some))?;
        setup.discard = self.get("discard", Cards::NONE, words::read_cards)?;
        setup.gone = self.get("gone", Cards::NONE, words::read_cards)?;
        Ok(())
    }

    fn board(&self, setup: &mut Setup) -> Read<()> {
        setup.cubes = self.get("cubes", setup.cubes, read_cubes)?;
        setup.stations = self.get("stations", setup.stations, words::read_set)?;
        setup.outbreaks = self.get("outbreaks", 0, words::read_count)?;
        setup.epidemics = self.get("epidemics", 0, words::read_count)?;
        setup.pending = self.get("pending", 0, words::read_count)?;
        setup.cured = self.get("cured", [false; 4], words::read_cured)?;
        Ok(())
    }

    /// Parses the layers; `*` stands for all cards that are in no other layer or pile.
    fn infection(&self, setup: &mut Setup) -> Read<()> {
        setup.infected = self.get("infected", Cities::NONE, words::read_set)?;
        setup.removed = self.get("removed", Cities::NONE, words::read_set)?;
        let open = match setup.interrupt {
            Some(Interrupt::Look { seen, .. }) => seen,
            Some(Interrupt::Order { seen, placed, .. }) => {
                placed.into_iter().flatten().fold(seen, Cities::with)
            }
            _ => Cities::NONE,
        };
        let elsewhere = setup.infected.or(setup.removed).or(open);
        setup.layers = self.get("infection", vec![Cities::ALL.minus(elsewhere)], |text| {
            read_layers(text, elsewhere)
        })?;
        Ok(())
    }

    /// Parses at most one of `ask`, `look` and `order`.
    fn interrupt(&self, setup: &mut Setup) -> Read<()> {
        let look = self.get("look", None, |text| read_look(text).map(Some))?;
        let order = self.get("order", None, |text| read_order(text).map(Some))?;
        let ask = self.get("ask", None, |text| read_request(setup, text).map(Some))?;
        let open: Vec<Interrupt> = [look, order, ask].into_iter().flatten().collect();
        if open.len() > 1 {
            return Err("only one of ask, look and order is open".to_owned());
        }
        setup.interrupt = open.first().copied();
        Ok(())
    }
}

fn unknown(word: &str) -> String {
    let keys: Vec<&str> = KEYS.iter().map(|(key, _)| *key).chain(FLAGS).collect();
    let word: String = word.chars().take(NotationError::SHOWN).collect();
    format!(
        "{word:?} is none of its words, which are {}",
        keys.join(", ")
    )
}

/// Parses `2p4e`.
fn numbers(word: &str) -> Option<(u8, u8)> {
    let (players, epidemics) = word.strip_suffix('e')?.split_once('p')?;
    Some((words::read_count(players)?, words::read_count(epidemics)?))
}

fn read_events(text: &str) -> Option<Cards> {
    text.split(',')
        .filter(|_| text != "none")
        .map(|name| EventCard::from_name(name).map(crate::Card::Event))
        .collect()
}

fn read_declines(text: &str) -> Option<[u8; 4]> {
    let mut declines = [0; 4];
    for digit in text.chars() {
        let times = declines.get_mut(digit.to_digit(10)? as usize)?;
        *times += 1;
        if *times > Consent::MAX_DECLINES {
            return None;
        }
    }
    Some(declines)
}

fn read_ending(text: &str) -> Option<PandemicEnding> {
    match text {
        "cured" => Some(PandemicEnding::Cured),
        "outbreaks" => Some(PandemicEnding::Outbreaks),
        "cards" => Some(PandemicEnding::Cards),
        _ => text
            .strip_prefix("cubes:")
            .and_then(Color::from_name)
            .map(PandemicEnding::Cubes),
    }
}

fn read_cubes(text: &str) -> Option<[[u8; 4]; City::COUNT]> {
    let mut cubes = [[0; 4]; City::COUNT];
    for part in text.split(',') {
        let (code, colors) = part.split_once(':')?;
        let city = words::read_cities(code).filter(|cities| cities.len() == 1)?[0];
        let before = std::mem::replace(&mut cubes[city.index()], words::read_colors(colors)?);
        if before != [0; 4] {
            return None;
        }
    }
    Some(cubes)
}

fn read_layers(text: &str, elsewhere: Cities) -> Option<Vec<Cities>> {
    if text == "none" {
        return Some(Vec::new());
    }
    let named: Option<Vec<Option<Cities>>> = text
        .split('/')
        .map(|part| {
            if part == "*" {
                Some(None)
            } else {
                words::read_set(part).map(Some)
            }
        })
        .collect();
    let named =
        named.filter(|layers| layers.iter().filter(|layer| layer.is_none()).count() <= 1)?;
    let rest = Cities::ALL.minus(
        named
            .iter()
            .flatten()
            .fold(elsewhere, |all, layer| all.or(*layer)),
    );
    Some(
        named
            .into_iter()
            .map(|layer| layer.unwrap_or(rest))
            .collect(),
    )
}

fn read_look(text: &str) -> Option<Interrupt> {
    let [seat, left, seen] = text.split(':').collect::<Vec<_>>().try_into().ok()?;
    Some(Interrupt::Look {
        seat: words::read_seat(seat)?,
        left: words::read_count(left)?,
        seen: words::read_set(seen)?,
    })
}

fn read_order(text: &str) -> Option<Interrupt> {
    let [seat, seen, named] = text.split(':').collect::<Vec<_>>().try_into().ok()?;
    let mut placed = [None; FORECAST];
    let named = words::read_cities(named).filter(|named| named.len() <= FORECAST)?;
    placed
        .iter_mut()
        .zip(named)
        .for_each(|(place, city)| *place = Some(city));
    Some(Interrupt::Order {
        seat: words::read_seat(seat)?,
        seen: words::read_set(seen)?,
        placed,
    })
}

/// Parses a question about a move; the seats involved follow from the move.
fn read_request(setup: &Setup, text: &str) -> Option<Interrupt> {
    let seats = setup.rules.players();
    if setup.active.number() >= seats {
        return None;
    }
    let (active, roles) = (setup.active, setup.roles);
    let (hands, stored, stage) = (setup.hands, setup.stored, crate::Stage::Actions);
    let game = Game {
        active,
        roles,
        hands,
        stored,
        stage,
        ..Game::new(setup.rules)
    };
    let request = game.parse_move(text).ok()?;
    let by = game.seat_moving(&request)?;
    let asked = game.owner(&request, by)?;
    Some(Interrupt::Consent { asked, by, request })
}
