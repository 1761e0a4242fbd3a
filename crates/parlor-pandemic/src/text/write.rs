//! Writer of a game's text.

use parlor_core::Notation;

use super::words;
use crate::game::Interrupt;
use crate::{Cards, Cities, City, Color, Consent, Game, PandemicEnding, Roles, Rules, Setup};

/// Writes a game as one line.
pub(crate) fn write(game: &Game) -> String {
    let setup = game.setup();
    let mut line = LineWriter(format!(
        "{}p{}e",
        setup.rules.players(),
        setup.rules.epidemics()
    ));
    rules(setup.rules, &mut line);
    line.word("active", setup.active.number().to_string(), "0");
    people(&setup, &mut line);
    board(&setup, &mut line);
    infection(&setup, &mut line);
    line.word(
        "stage",
        words::stage(setup.stage, setup.actions, setup.infections),
        "",
    );
    moment(&setup, &mut line);
    if let Some(interrupt) = setup.interrupt {
        line.interrupt(game, interrupt);
    }
    line.0
}

/// Words written so far.
struct LineWriter(String);

impl LineWriter {
    fn word(&mut self, key: &str, value: String, default: &str) {
        if value != default {
            self.flag(&format!("{key}={value}"), true);
        }
    }

    fn flag(&mut self, word: &str, on: bool) {
        if on {
            self.0.push(' ');
            self.0.push_str(word);
        }
    }

    fn interrupt(&mut self, game: &Game, interrupt: Interrupt) {
        match interrupt {
            Interrupt::Consent { request, .. } => self.word("ask", game.move_text(&request), ""),
            Interrupt::Look { seat, left, seen } => {
                self.word("look", format!("{seat}:{left}:{}", words::cities(seen)), "");
            }
            Interrupt::Order { seat, seen, placed } => {
                let placed: String = placed.into_iter().flatten().map(City::code).collect();
                self.word(
                    "order",
                    format!("{seat}:{}:{placed}", words::cities(seen)),
                    "",
                );
            }
        }
    }
}

fn rules(rules: Rules, line: &mut LineWriter) {
    match rules.consent() {
        Consent::AskedOnce => {}
        Consent::Implied => line.flag("consent=no", true),
        Consent::AskedAgain => line.flag("consent=again", true),
    }
    if rules.events() != Cards::EVENTS {
        line.word("events", words::events(rules.events()), "");
    }
    if rules.pool() != Roles::ALL {
        let names: Vec<&str> = rules.pool().iter().map(crate::Role::text).collect();
        line.word(
            "pool",
            if names.is_empty() {
                "none".to_owned()
            } else {
                names.join(",")
            },
            "",
        );
    }
    let fixed = rules.fixed();
    if fixed.iter().any(Option::is_some) {
        let names: Vec<&str> = rules
            .seats()
            .map(|seat| words::role(fixed[seat.index()]))
            .collect();
        line.word("fixed", names.join(","), "");
    }
}

fn people(setup: &Setup, line: &mut LineWriter) {
    let seats = usize::from(setup.rules.players());
    if setup.roles.iter().any(Option::is_some) {
        let names: Vec<&str> = setup.roles[..seats]
            .iter()
            .map(|role| words::role(*role))
            .collect();
        line.word("roles", names.join(","), "");
    }
    if setup.pawns.iter().any(|city| *city != City::ATLANTA) {
        let codes: Vec<&str> = setup.pawns[..seats]
            .iter()
            .map(|city| city.code())
            .collect();
        line.word("at", codes.join(","), "");
    }
    let hands: Vec<String> = setup.hands[..seats]
        .iter()
        .map(|hand| words::cards(*hand))
        .collect();
    line.word("hands", hands.join("/"), &"/".repeat(seats - 1));
    line.word(
        "stored",
        setup.stored.map_or("", crate::EventCard::text).to_owned(),
        "",
    );
    line.word("discard", words::cards(setup.discard), "");
    line.word("gone", words::cards(setup.gone), "");
}

fn board(setup: &Setup, line: &mut LineWriter) {
    let infected = City::all().filter(|city| setup.cubes[city.index()] != [0; 4]);
    let cubes = infected.map(|city| {
        format!(
            "{}:{}",
            city.code(),
            words::colors(setup.cubes[city.index()])
        )
    });
    line.word("cubes", cubes.collect::<Vec<_>>().join(","), "");
    line.word(
        "stations",
        words::cities(setup.stations),
        City::ATLANTA.code(),
    );
    line.word("outbreaks", setup.outbreaks.to_string(), "0");
    line.word("epidemics", setup.epidemics.to_string(), "0");
    line.word("pending", setup.pending.to_string(), "0");
    line.word("cured", words::cured(setup.cured), "");
}

/// Writes the layers, with `*` for the lowest, which is usually the largest.
fn infection(setup: &Setup, line: &mut LineWriter) {
    let upper = setup
        .layers
        .iter()
        .skip(1)
        .map(|layer: &Cities| words::cities(*layer));
    let layers: Vec<String> = std::iter::once("*".to_owned()).chain(upper).collect();
    line.word(
        "infection",
        if setup.layers.is_empty() {
            "none".to_owned()
        } else {
            layers.join("/")
        },
        "*",
    );
    line.word("infected", words::cities(setup.infected), "");
    line.word("removed", words::cities(setup.removed), "");
}

fn moment(setup: &Setup, line: &mut LineWriter) {
    let declined: String = (0..4)
        .map(|seat| seat.to_string().repeat(setup.declines[seat].into()))
        .collect();
    line.word("declined", declined, "");
    line.flag("flown", setup.flown);
    line.flag("quiet", setup.quiet_night);
    line.flag("hurry", setup.hurry);
    let over = match setup.ending {
        None => String::new(),
        Some(PandemicEnding::Cured) => "cured".to_owned(),
        Some(PandemicEnding::Outbreaks) => "outbreaks".to_owned(),
        Some(PandemicEnding::Cards) => "cards".to_owned(),
        Some(PandemicEnding::Cubes(color)) => format!("cubes:{}", Color::name(color)),
    };
    line.word("over", over, "");
}
