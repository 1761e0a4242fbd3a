//! Seats, moves and luck in words, with questions and news.
//!
//! A *label* depends only on the text and the roles, so it is valid for any position of the game. A
//! *narrative* starts from the position before the step and includes its consequences.

mod luck;
mod moves;

use parlor_core::Seat;
use parlor_pandemic::{Color, Game, HAND_LIMIT, Interrupt, MAX_OUTBREAKS, PandemicEnding, Stage};

pub(super) use luck::{chain, chance, chances_title, narrate as narrate_chance, quiet, rate};
pub(crate) use moves::label;
pub(super) use moves::narrate as narrate_move;

/// Returns the name of a seat: its role, once dealt.
pub(super) fn seat(game: &Game, seat: Seat) -> String {
    game.role(seat).map_or_else(
        || format!("Player {}", seat.number() + 1),
        |role| role.name().to_owned(),
    )
}

/// Returns the name of a seat within a sentence: "the Medic", "player 2".
pub(super) fn the(game: &Game, seat: Seat) -> String {
    game.role(seat).map_or_else(
        || format!("player {}", seat.number() + 1),
        |role| format!("the {role}"),
    )
}

/// Joins items into a list: "Cairo, Lima and Paris".
pub(super) fn list<T: ToString>(words: impl IntoIterator<Item = T>) -> String {
    let words: Vec<String> = words.into_iter().map(|word| word.to_string()).collect();
    match words.split_last() {
        None => "nothing".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

/// Returns a number with its noun: "1 card", "2 cards".
pub(super) fn count(number: impl Into<u32>, one: &str) -> String {
    let number = number.into();
    if number == 1 {
        format!("1 {one}")
    } else {
        format!("{number} {one}s")
    }
}

/// Turns words into a sentence, with an initial capital and a final period.
pub(super) fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first: String = letters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect();
    let end = if words.ends_with(['.', '?', '!']) {
        ""
    } else {
        "."
    };
    format!("{first}{}{end}", letters.as_str())
}

/// Narrates a move or a chance with its consequences.
pub(super) fn narrate(game: &Game, text: &str) -> String {
    use parlor_core::{Position, Turn};
    if game.turn() == Turn::Chance {
        narrate_chance(game, text)
    } else {
        narrate_move(game, text)
    }
}

/// Returns the question to the seat on turn.
pub(crate) fn question(game: &Game) -> Option<String> {
    if game.ending().is_some() {
        return None;
    }
    match game.interrupt() {
        Some(Interrupt::Consent { asked, by, request }) => {
            let what = moves::label_of(game, &request, true);
            return Some(format!(
                "{} {what}. Does {} agree?",
                sentence_start(&the(game, by)),
                the(game, asked)
            ));
        }
        Some(Interrupt::Order { seen, placed, .. }) => {
            const PLACES: [&str; 6] = ["first", "second", "third", "fourth", "fifth", "last"];
            let place = PLACES[placed.iter().flatten().count().min(PLACES.len() - 1)];
            return Some(format!(
                "The forecast: which card is to be turned {place}, {}?",
                list(seen).replace(" and ", " or ")
            ));
        }
        Some(Interrupt::Look { .. }) => return None,
        None => {}
    }
    let stage = game.stage();
    if matches!(stage, Stage::Actions | Stage::Infect(_))
        && let Some(seat) = game.rules().seats().find(|seat| game.is_over_limit(*seat))
    {
        return Some(too_many(game, seat));
    }
    match stage {
        Stage::Actions if game.actions() == 0 => {
            Some("All actions are used: two cards are drawn next.".to_owned())
        }
        Stage::Intensify => {
            let cards = count(game.infection().discard().len(), "discarded infection card");
            Some(format!(
                "Before the epidemic puts {cards} back on top, Resilient Population can remove one of them. Intensify?"
            ))
        }
        Stage::NextEpidemic => {
            Some("A second epidemic was drawn. Does anybody play an event before it?".to_owned())
        }
        Stage::Infect(begun) => {
            let cards = count(
                game.infections_left(),
                if begun {
                    "more infection card"
                } else {
                    "infection card"
                },
            );
            let are = if game.infections_left() == 1 {
                "is"
            } else {
                "are"
            };
            Some(format!(
                "{cards} {are} turned next. Does anybody play an event before that?"
            ))
        }
        _ => None,
    }
}

/// Returns the question to the seat on turn, which is addressed as "you" where somebody asks for its consent
/// or it has to discard.
pub(crate) fn question_to(game: &Game, seat: Seat) -> Option<String> {
    let question = question(game)?;
    let own = match game.interrupt() {
        Some(Interrupt::Consent { asked, by, request }) if asked == seat => {
            moves::wish(seat, &request)
                .map(|wish| format!("{} {wish}. Do you agree?", sentence_start(&the(game, by))))
        }
        None if game.is_over_limit(seat) => {
            let whose = format!("{} holds", sentence_start(&the(game, seat)));
            Some(question.replace(&whose, "You hold"))
        }
        _ => None,
    };
    Some(own.unwrap_or(question))
}

fn too_many(game: &Game, seat: Seat) -> String {
    let hand = game.hand(seat);
    let more = hand.len() - HAND_LIMIT;
    let event = if !hand.events().is_empty() {
        " or play an event"
    } else {
        ""
    };
    format!(
        "{} holds {} cards: discard {more}{event}.",
        sentence_start(&the(game, seat)),
        hand.len()
    )
}

fn sentence_start(words: &str) -> String {
    sentence(words).trim_end_matches('.').to_owned()
}

/// Returns the way the game ended, or a warning of what could end it soon.
pub(super) fn news(game: &Game) -> Option<String> {
    if let Some(ending) = game.ending() {
        return Some(end(ending));
    }
    if !game.is_set_up() {
        return None;
    }
    let mut news = Vec::new();
    match (game.stage(), game.deck().len()) {
        (Stage::Actions, 0 | 1) => news.push(
            "No two player cards are left: without the last cure in this turn the game is lost."
                .to_owned(),
        ),
        (Stage::Actions, 2 | 3) => {
            news.push("The next draw is the last one: after it one more turn is left.".to_owned());
        }
        _ => {}
    }
    if game.outbreaks() + 1 == MAX_OUTBREAKS {
        news.push("One more outbreak loses the game.".to_owned());
    }
    for color in Color::ALL
        .into_iter()
        .filter(|color| !game.is_eradicated(*color))
    {
        match game.cubes().supply(color) {
            0 => news.push(format!(
                "No {color} cube is left: the next one that is needed loses the game."
            )),
            left @ 1..=3 => news.push(format!(
                "Only {} left.",
                count(left, &format!("{color} cube"))
            )),
            _ => {}
        }
    }
    (!news.is_empty()).then(|| news.join(" "))
}

/// Describes an ending in a sentence.
pub(super) fn end(ending: PandemicEnding) -> String {
    match ending {
        PandemicEnding::Cured => "All four cures are found: the team wins.".to_owned(),
        PandemicEnding::Outbreaks => "The eighth outbreak has happened: the team loses.".to_owned(),
        PandemicEnding::Cubes(color) => {
            format!("A {color} cube is needed and none is left: the team loses.")
        }
        PandemicEnding::Cards => {
            "Two cards have to be drawn and fewer are left: the team loses.".to_owned()
        }
    }
}

/// Returns the number of epidemics drawn so far, including those that have not started yet.
pub(super) fn epidemics_drawn(game: &Game) -> u8 {
    let (pile, _, epidemic) = game.deck().pile();
    if game.rules().epidemics() == 0 {
        0
    } else {
        pile + u8::from(!epidemic)
    }
}

/// Returns the probability that the next two cards, or those still to be drawn, contain an
/// epidemic.
pub(super) fn epidemic_chance(game: &Game) -> f64 {
    let cards = if let Stage::Draw(left) = game.stage() {
        left
    } else {
        2
    };
    let (pile, left, epidemic) = game.deck().pile();
    if game.deck().is_empty() {
        return 0.0;
    }
    let here = if epidemic {
        f64::from(cards.min(left)) / f64::from(left)
    } else {
        0.0
    };
    let rest = cards.saturating_sub(left);
    let next = if rest > 0 && pile + 1 < game.rules().epidemics() {
        f64::from(rest) / f64::from(game.rules().pile(pile + 1))
    } else {
        0.0
    };
    1.0 - (1.0 - here) * (1.0 - next)
}
