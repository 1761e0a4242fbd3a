//! Kinds of actions, for a bar of buttons: what each costs, and why it is not possible.

use parlor_core::Position;
use parlor_pandemic::{City, Color, Game, Move, Role, TurnStep};

use crate::ActionKind;

/// Kind of action of a turn.
struct Kind {
    label: &'static str,
    /// First words of the moves' texts.
    verbs: &'static [&'static str],
    cost: &'static str,
    /// Prompt for the next choice.
    prompt: &'static str,
    /// Role that alone has it; `None` for all.
    role: Option<Role>,
    /// Tells why no move of the kind is legal.
    refused: fn(&Game) -> String,
}

const KINDS: [Kind; 12] = [
    Kind {
        label: "Drive",
        verbs: &["drive"],
        cost: "1 action",
        prompt: "choose a city next to yours",
        role: None,
        refused: |_| "There is no road or ferry from here.".to_owned(),
    },
    Kind {
        label: "Fly",
        verbs: &["fly"],
        cost: "1 action, and the card of the city you fly to",
        prompt: "choose the city, or its card",
        role: None,
        refused: |_| "You hold no card of another city.".to_owned(),
    },
    Kind {
        label: "Charter",
        verbs: &["charter"],
        cost: "1 action, and the card of the city you are in",
        prompt: "choose the city to fly to",
        role: None,
        refused: card_missing,
    },
    Kind {
        label: "Shuttle",
        verbs: &["shuttle"],
        cost: "1 action",
        prompt: "choose a city with a research station",
        role: None,
        refused: |game| match game.stations().has(here(game)) {
            true if game.stations().len() == 1 => "There is no other research station.".to_owned(),
            true => "No other station is further away than a drive.".to_owned(),
            false => station_missing(game),
        },
    },
    Kind {
        label: "Join",
        verbs: &["join"],
        cost: "1 action",
        prompt: "choose the pawn, and a city with another pawn",
        role: Some(Role::Dispatcher),
        refused: |_| "No pawn is further away from another than a drive or a shuttle.".to_owned(),
    },
    Kind {
        label: "Expert flight",
        verbs: &["expert"],
        cost: "1 action, and any city card, once a turn",
        prompt: "choose the card to discard, and the city to fly to",
        role: Some(Role::OperationsExpert),
        refused: |game| match game.stations().has(here(game)) {
            _ if game.flown() => "You have flown like this in this turn.".to_owned(),
            true => "You hold no city card.".to_owned(),
            false => station_missing(game),
        },
    },
    Kind {
        label: "Build",
        verbs: &["build"],
        cost: "1 action, and the card of the city you are in unless you are the Operations Expert",
        prompt: "choose the station to move here",
        role: None,
        refused: |game| match game.stations().has(here(game)) {
            true => format!("There is a research station in {} already.", here(game)),
            false => card_missing(game),
        },
    },
    Kind {
        label: "Treat",
        verbs: &["treat"],
        cost: "1 action",
        prompt: "choose the color",
        role: None,
        refused: |game| format!("There are no cubes in {}.", here(game)),
    },
    Kind {
        label: "Share",
        verbs: &["give", "take"],
        cost: "1 action",
        prompt: "choose the card, and who gets it",
        role: None,
        refused: share_refused,
    },
    Kind {
        label: "Cure",
        verbs: &["cure"],
        cost: "1 action, and five cards of one color, or four of the Scientist",
        prompt: "choose the cards to discard",
        role: None,
        refused: cure_refused,
    },
    Kind {
        label: "Fetch",
        verbs: &["fetch"],
        cost: "1 action",
        prompt: "choose the event",
        role: Some(Role::ContingencyPlanner),
        refused: |game| match game.stored() {
            Some(event) => format!("You keep {event} already."),
            None => "No event has been discarded.".to_owned(),
        },
    },
    Kind {
        label: "Event",
        verbs: &["airlift", "grant", "forecast", "quiet-night", "resilient"],
        cost: "no action, but the event card",
        prompt: "choose the event, and where it works",
        role: None,
        refused: |_| "You hold no event that can be played now.".to_owned(),
    },
];

/// Returns the kinds of actions, while the player on turn has actions left and nothing else is due.
pub(in crate::pandemic) fn all(game: &Game) -> Vec<ActionKind> {
    let moves = game.legal_moves();
    let is_due = moves.contains(&Move::Step(TurnStep::Draw)) && game.actions() > 0;
    let role = game.role(game.active());
    let kinds = KINDS.iter().filter(|_| is_due);
    let kinds = kinds.filter(|kind| kind.role.is_none() || kind.role == role);
    kinds.map(|kind| kind.describe(game)).collect()
}

impl Kind {
    fn describe(&self, game: &Game) -> ActionKind {
        ActionKind {
            label: self.label,
            verbs: self.verbs,
            cost: self.cost,
            prompt: self.prompt,
            refused: (self.refused)(game),
        }
    }
}

fn here(game: &Game) -> City {
    game.pawn(game.active())
}

fn card_missing(game: &Game) -> String {
    format!("You don't hold the card of {}.", here(game))
}

fn station_missing(game: &Game) -> String {
    format!("There is no research station in {}.", here(game))
}

fn share_refused(game: &Game) -> String {
    let (me, here) = (game.active(), here(game));
    let mut others = game.rules().seats().filter(|seat| *seat != me);
    if others.any(|seat| game.pawn(seat) == here) {
        format!("Only the card of {here} can change hands here, and nobody who may give it has it.")
    } else {
        format!("Nobody else is in {here}.")
    }
}

/// Tells what is missing for a cure: a station, or cards of the color that the player has most of.
fn cure_refused(game: &Game) -> String {
    if !game.stations().has(here(game)) {
        return station_missing(game);
    }
    let me = game.active();
    let held = |color: &Color| game.hand(me).cities().and(color.cities()).len();
    let needed = game.cards_for_cure(me);
    let open = Color::ALL
        .into_iter()
        .filter(|color| !game.is_cured(*color));
    match open.max_by_key(held).filter(|color| held(color) > 0) {
        Some(color) => format!(
            "A cure takes {needed} cards: you hold {} {color}.",
            held(&color)
        ),
        None => format!("A cure takes {needed} cards of a color that is not cured."),
    }
}
