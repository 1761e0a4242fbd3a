//! Moves in words.

use parlor_core::{Notation, Position, Seat};
use parlor_pandemic::{Action, City, Color, EventPlay, Game, Interrupt, Move, TurnStep, Way};

use super::{count, list, the};

/// Returns a move in words, starting with a verb in the third person. It depends only on the text
/// and the roles, so it is valid for any position of the game.
pub(crate) fn label(game: &Game, text: &str) -> String {
    match game.parse_move(text) {
        Ok(m) => label_of(game, &m, text.matches(':').count() > 1),
        Err(_) => text.to_owned(),
    }
}

/// Returns the label of a move. `named` is true if the text names the pawn, which then belongs to
/// another player.
pub(super) fn label_of(game: &Game, m: &Move, named: bool) -> String {
    match *m {
        Move::Action(action) => action_label(game, action, named),
        Move::Event(event) => event_label(game, event),
        Move::Step(step) => step_label(step),
    }
}

/// Returns a move that a seat is asked to agree to, in words to that seat: "wants to give you Paris".
pub(super) fn wish(seat: Seat, m: &Move) -> Option<String> {
    Some(match *m {
        Move::Action(Action::Travel { way, to, .. }) => match way {
            Way::Drive | Way::Shuttle => format!("wants to move your pawn to {to}"),
            Way::Fly => format!("wants to fly your pawn to {to}, discarding its card"),
            Way::Charter => format!("wants to charter a flight for your pawn to {to}"),
            Way::Join => format!("wants to bring your pawn to another one in {to}"),
        },
        Move::Action(Action::Give { card, to }) if to == seat => {
            format!("wants to give you {card}")
        }
        Move::Action(Action::Take { card, from }) if from == seat => {
            format!("wants to take {card} from you")
        }
        Move::Event(EventPlay::Airlift { to, .. }) => {
            format!("wants to airlift your pawn to {to}")
        }
        Move::Action(_) | Move::Event(_) | Move::Step(_) => return None,
    })
}

fn action_label(game: &Game, action: Action, named: bool) -> String {
    match action {
        Action::Travel { pawn, way, to } => travel_label(game, pawn, way, to, named),
        Action::Expert { to, card } => format!("flies from a station to {to}, discarding {card}"),
        Action::Build { from } => format!("builds a research station{}", moved(from)),
        Action::Treat { color } => format!("treats {color}"),
        Action::Give { card, to } => format!("gives {card} to {}", the(game, to)),
        Action::Take { card, from } => format!("takes {card} from {}", the(game, from)),
        Action::Cure { cards } => format!("cures {} with {}", cards.color(), list(cards.cities())),
        Action::Fetch { event } => format!("takes {event} from the discards onto the role card"),
    }
}

fn travel_label(game: &Game, pawn: Seat, way: Way, to: City, named: bool) -> String {
    let whose = if named {
        format!(" {}", the(game, pawn))
    } else {
        String::new()
    };
    match way {
        Way::Drive => format!("drives{whose} to {to}"),
        Way::Fly => format!("flies{whose} to {to}, discarding its card"),
        Way::Charter if named => format!("charters a flight for{whose} to {to}"),
        Way::Charter => format!("charters a flight to {to}"),
        Way::Shuttle => format!("shuttles{whose} to {to}"),
        Way::Join => format!("brings {} to another pawn in {to}", the(game, pawn)),
    }
}

fn event_label(game: &Game, event: EventPlay) -> String {
    match event {
        EventPlay::Airlift { pawn, to } => {
            format!("plays Airlift: moves {} to {to}", the(game, pawn))
        }
        EventPlay::Grant { at, from } => format!(
            "plays Government Grant: builds a research station in {at}{}",
            moved(from)
        ),
        EventPlay::Forecast => "plays Forecast: looks at the top infection cards".to_owned(),
        EventPlay::QuietNight => {
            "plays One Quiet Night: the next infection step is skipped".to_owned()
        }
        EventPlay::Resilient { city } => {
            format!("plays Resilient Population: removes the infection card {city}")
        }
    }
}

fn step_label(step: TurnStep) -> String {
    match step {
        TurnStep::Discard { card } => format!("discards {card}"),
        TurnStep::Next { city } => format!("puts {city} next in the forecast"),
        TurnStep::Agree => "agrees".to_owned(),
        TurnStep::Decline => "declines".to_owned(),
        TurnStep::Draw => "draws two cards".to_owned(),
        TurnStep::Infect => "turns the next infection card".to_owned(),
        TurnStep::InfectAll => "turns all infection cards of this step".to_owned(),
        TurnStep::Intensify => {
            "intensifies: the discarded infection cards go back on top".to_owned()
        }
        TurnStep::Epidemic => "goes on with the second epidemic".to_owned(),
    }
}

fn moved(from: Option<City>) -> String {
    from.map_or_else(String::new, |from| format!(", the one of {from}"))
}

/// Narrates a move with its consequences, from the position before it.
pub(in crate::pandemic) fn narrate(before: &Game, text: &str) -> String {
    let Ok(m) = before.parse_move(text) else {
        return text.to_owned();
    };
    let label = label(before, text);
    if before.check(&m).is_err() {
        return label;
    }
    let mut after = *before;
    after.play_unchecked(&m);
    if let (None, Some(Interrupt::Consent { asked, .. })) = (before.interrupt(), after.interrupt())
    {
        return format!("asks whether {} agrees: {label}", the(before, asked));
    }
    let here = before.mover(&m).map(|seat| before.pawn(seat));
    let mut words = match (m, here) {
        (
            Move::Action(Action::Travel {
                pawn,
                way: Way::Charter,
                ..
            }),
            _,
        ) => format!("{label}, discarding {}", before.pawn(pawn)),
        (Move::Action(Action::Build { .. }), Some(here)) => {
            label.replace("station", &format!("station in {here}"))
        }
        (Move::Action(Action::Treat { color }), Some(here)) => format!(
            "{label} in {here}: {}",
            treated(before, &after, here, color)
        ),
        (Move::Step(TurnStep::Draw), _) if after.ending().is_some() => {
            "has to draw two cards, and fewer are left".to_owned()
        }
        _ => label,
    };
    if !matches!(m, Move::Action(Action::Treat { .. })) {
        words.push_str(&swept(before, &after));
    }
    words.push_str(&gone(before, &after));
    words
}

fn treated(before: &Game, after: &Game, here: City, color: Color) -> String {
    let left = after.cubes().count(here, color);
    let removed = before.cubes().count(here, color) - left;
    match left {
        0 => format!("{} removed, none left", count(removed, "cube")),
        _ => format!("{} removed, {left} left", count(removed, "cube")),
    }
}

/// Reports the cubes removed by the Medic's presence.
fn swept(before: &Game, after: &Game) -> String {
    let mut words = String::new();
    for color in Color::ALL {
        for city in before.cubes().infected(color) {
            let removed = before
                .cubes()
                .count(city, color)
                .saturating_sub(after.cubes().count(city, color));
            if removed > 0 {
                words.push_str(&format!(
                    "; the Medic removes {} in {city}",
                    count(removed, &format!("{color} cube"))
                ));
            }
        }
    }
    words
}

/// Reports the diseases that are eradicated by a step.
pub(super) fn gone(before: &Game, after: &Game) -> String {
    let new = |color: &Color| after.is_eradicated(*color) && !before.is_eradicated(*color);
    Color::ALL
        .into_iter()
        .filter(new)
        .map(|color| format!("; {color} is eradicated"))
        .collect()
}
