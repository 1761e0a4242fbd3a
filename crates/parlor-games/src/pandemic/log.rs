//! Export of a whole game in plain English, turn by turn.

use parlor_core::{Notation, Position, Seat, Turn};
use parlor_pandemic::{Chance, Color, Consent, Cubes, Game, Interrupt, Move, Stage, TurnStep};

use super::narrative::{self, list, sentence};
use super::options;
use crate::exchange::{Exchange, ExchangeError, Format, Story};

/// Export format for the game in plain English; it cannot be read.
pub(super) struct GameLog;

impl Exchange for GameLog {
    fn format(&self) -> Format {
        Format {
            name: "log",
            title: "The game in words",
            media: "text/plain",
            is_read: false,
        }
    }

    fn write(&self, story: &Story) -> Result<String, ExchangeError> {
        write(story)
    }
}

/// Width of the text, in columns.
const WIDTH: usize = 100;

/// Describes a game in sentences, turn by turn.
fn write(story: &Story) -> Result<String, ExchangeError> {
    let mut game = options::start(&story.options)?;
    let mut log = Log {
        names: &story.names,
        out: heading(&game),
        ..Log::default()
    };
    for (n, text) in story.steps.iter().enumerate() {
        let before = game;
        let at =
            |reason: String| ExchangeError::Content(format!("step {}, {text}: {reason}", n + 1));
        if game.turn() == Turn::Chance {
            let chance = game
                .parse_chance(text)
                .map_err(|reason| at(reason.to_string()))?;
            game.try_resolve(&chance)
                .map_err(|reason| at(reason.to_string()))?;
            log.chance(&before, &game, &chance, text);
        } else {
            let m = game
                .parse_move(text)
                .map_err(|reason| at(reason.to_string()))?;
            game.try_play(&m).map_err(|reason| at(reason.to_string()))?;
            log.moved(&before, &game, &m, text);
        }
        log.between(&before, &game);
    }
    log.finish(&game);
    Ok(log.out)
}

fn heading(game: &Game) -> String {
    let rules = game.rules();
    let epidemics = narrative::count(rules.epidemics(), "epidemic");
    let consent = match rules.consent() {
        Consent::Implied => "nobody is asked",
        Consent::AskedOnce => "players are asked once",
        Consent::AskedAgain => "players are asked",
    };
    format!(
        "Pandemic for {} players with {epidemics}; {consent}\n",
        rules.players()
    )
}

/// Part of a turn to which a line of the text belongs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Part {
    #[default]
    Actions,
    Draw,
    Epidemic,
    Infection,
}

#[derive(Default)]
struct Log<'a> {
    names: &'a [String],
    out: String,
    turn: u32,
    part: Part,
    /// Sentences of the part.
    said: Vec<String>,
    /// Cards to report together: those drawn, or those of a forecast.
    cards: Vec<String>,
}

impl Log<'_> {
    /// Returns a player's name and role: "Ann (Medic)".
    fn player_name(&self, game: &Game, seat: Seat) -> String {
        match self.names.get(seat.index()) {
            Some(name) if game.role(seat).is_some() => {
                format!("{name} ({})", narrative::seat(game, seat))
            }
            Some(name) => name.clone(),
            None => narrative::seat(game, seat),
        }
    }

    fn add(&mut self, part: Part, words: &str) {
        self.say_as(part, sentence(words));
    }

    /// Adds a sentence that starts with a player's name, which keeps its capitalization.
    fn say_of(&mut self, part: Part, who: &str, words: &str) {
        self.say_as(part, format!("{who} {}", words.trim_end_matches('.')) + ".");
    }

    fn say_as(&mut self, part: Part, sentence: String) {
        if self.part != part {
            self.paragraph();
            self.part = part;
        }
        self.said.push(sentence);
    }

    /// Ends a paragraph and wraps it.
    fn paragraph(&mut self) {
        let words = std::mem::take(&mut self.said).join(" ");
        let mut column = 0;
        for word in words.split(' ').filter(|word| !word.is_empty()) {
            let width = word.chars().count() + 1;
            if column == 0 || column + width > WIDTH {
                self.out.push_str(if column == 0 { "  " } else { "\n    " });
                column = if column == 0 { 2 } else { 4 };
            } else {
                self.out.push(' ');
            }
            self.out.push_str(word);
            column += width;
        }
        if column > 0 {
            self.out.push('\n');
        }
    }

    fn moved(&mut self, before: &Game, after: &Game, m: &Move, text: &str) {
        match m {
            Move::Step(step) => match step {
                TurnStep::Draw if after.ending().is_none() => return,
                TurnStep::Infect
                | TurnStep::InfectAll
                | TurnStep::Intensify
                | TurnStep::Epidemic => return,
                TurnStep::Next { city } => return self.put_back(before, after, city.name()),
                TurnStep::Draw | TurnStep::Discard { .. } | TurnStep::Agree | TurnStep::Decline => {
                }
            },
            Move::Action(_) | Move::Event(_) => {}
        }
        let seat = before.mover(m).unwrap_or(before.active());
        let words = narrative::narrate_move(before, text);
        match seat == before.active() {
            true => self.add(self.part_of(before), &words),
            false => self.say_of(
                self.part_of(before),
                &self.player_name(before, seat),
                &words,
            ),
        }
    }

    fn part_of(&self, game: &Game) -> Part {
        match game.stage() {
            Stage::Setup(_) | Stage::Actions => Part::Actions,
            Stage::Draw(_) => Part::Draw,
            Stage::Epidemic | Stage::Intensify | Stage::NextEpidemic => Part::Epidemic,
            Stage::Infect(_) | Stage::Infecting => Part::Infection,
        }
    }

    /// Reports the order of a forecast once it is complete.
    fn put_back(&mut self, before: &Game, after: &Game, city: &str) {
        self.cards.push(city.to_owned());
        if after.interrupt().is_some() {
            return;
        }
        if let Some(Interrupt::Order { seen, .. }) = before.interrupt() {
            self.cards.extend(
                seen.into_iter()
                    .map(|left| left.name().to_owned())
                    .filter(|left| left != city),
            );
        }
        let cards = list(self.cards.drain(..));
        self.add(
            self.part_of(after),
            &format!("they are put back in the order {cards}"),
        );
    }

    fn chance(&mut self, before: &Game, after: &Game, chance: &Chance, text: &str) {
        match chance {
            Chance::Draw(card) => self.drawn(before, after, card.name()),
            Chance::Epidemic => self.drawn(before, after, "an epidemic"),
            Chance::Look(city) => {
                self.cards.push(city.name().to_owned());
                if !matches!(after.interrupt(), Some(Interrupt::Look { .. })) {
                    let cards = list(self.cards.drain(..));
                    self.add(self.part_of(after), &format!("the forecast shows {cards}"));
                }
            }
            Chance::Bottom(_) => self.add(Part::Epidemic, &narrative::narrate_chance(before, text)),
            Chance::Infect(_) if before.is_set_up() => {
                let words = narrative::narrate_chance(before, text);
                let first = !(self.part == Part::Infection
                    && self.said.iter().any(|said| said.starts_with("Infection")));
                self.add(
                    Part::Infection,
                    &if first {
                        format!("infection: {words}")
                    } else {
                        words
                    },
                );
            }
            // Setup is reported once it is complete.
            Chance::Infect(_) | Chance::Role(_) | Chance::Deal(_) => {}
        }
    }

    /// Reports the cards drawn in a turn together, followed by their effects.
    fn drawn(&mut self, before: &Game, after: &Game, card: &str) {
        self.cards.push(card.to_owned());
        if matches!(after.stage(), Stage::Draw(_)) {
            return;
        }
        let cards = list(self.cards.drain(..));
        self.add(Part::Draw, &format!("draws {cards}"));
        for more in [
            narrative::rate(before, after),
            narrative::quiet(before, after).to_owned(),
        ] {
            if let Some(words) = more.strip_prefix("; ") {
                self.add(Part::Draw, words);
            }
        }
    }

    /// Adds the lines between two turns.
    fn between(&mut self, before: &Game, after: &Game) {
        let set_up = !before.is_set_up() && after.is_set_up();
        if set_up {
            self.set_up(after);
        }
        if set_up || (after.is_set_up() && before.active() != after.active()) {
            self.paragraph();
            self.part = Part::Actions;
            self.turn += 1;
            let seat = after.active();
            let heading = format!(
                "\nTurn {}, {}, {}\n",
                self.turn,
                self.player_name(after, seat),
                after.pawn(seat)
            );
            self.out.push_str(&heading);
        }
    }

    fn set_up(&mut self, game: &Game) {
        for cubes in (1..=Cubes::MAX_PER_CITY).rev() {
            let cities = Color::ALL
                .into_iter()
                .flat_map(|color| game.cubes().with_exactly(color, cubes));
            self.add(
                Part::Actions,
                &format!("{} each: {}", narrative::count(cubes, "cube"), list(cities)),
            );
        }
        for seat in game.rules().seats() {
            let words = format!("holds {}", list(game.hand(seat).iter()));
            self.say_of(Part::Actions, &self.player_name(game, seat), &words);
        }
    }

    fn finish(&mut self, game: &Game) {
        self.paragraph();
        let Some(ending) = game.ending() else { return };
        let cures = Color::ALL.into_iter().filter(|color| game.is_cured(*color));
        let words = format!(
            "\n{} {}, {}; cured: {}.\n",
            narrative::end(ending),
            narrative::count(self.turn, "turn"),
            narrative::count(game.outbreaks(), "outbreak"),
            list(cures)
        );
        self.out.push_str(&words);
    }
}
