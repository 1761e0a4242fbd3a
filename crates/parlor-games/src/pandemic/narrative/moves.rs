//! Moves in words.

use parlor_core::{Notation, Position};
use parlor_pandemic::{Cities, City, Color, Game, Interrupt, Move};

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
    let pawn = |pawn| {
        if named {
            format!(" {}", the(game, pawn))
        } else {
            String::new()
        }
    };
    match *m {
        Move::Drive { pawn: p, to } => format!("drives{} to {to}", pawn(p)),
        Move::Fly { pawn: p, to } => format!("flies{} to {to}, discarding its card", pawn(p)),
        Move::Charter { pawn: p, to } if named => {
            format!("charters a flight for {} to {to}", the(game, p))
        }
        Move::Charter { to, .. } => format!("charters a flight to {to}"),
        Move::Shuttle { pawn: p, to } => format!("shuttles{} to {to}", pawn(p)),
        Move::Join { pawn, to } => format!("brings {} to another pawn in {to}", the(game, pawn)),
        Move::Expert { to, card } => format!("flies from a station to {to}, discarding {card}"),
        Move::Build { from } => format!("builds a research station{}", moved(from)),
        Move::Treat { color } => format!("treats {color}"),
        Move::Give { card, to } => format!("gives {card} to {}", the(game, to)),
        Move::Take { card, from } => format!("takes {card} from {}", the(game, from)),
        Move::Cure { color, cards } => {
            format!("cures {color} with {}", list(of_color(color, cards)))
        }
        Move::Fetch { event } => format!("takes {event} from the discards onto the role card"),
        Move::Airlift { pawn, to } => format!("plays Airlift: moves {} to {to}", the(game, pawn)),
        Move::Grant { at, from } => format!(
            "plays Government Grant: builds a research station in {at}{}",
            moved(from)
        ),
        Move::Forecast => "plays Forecast: looks at the top infection cards".to_owned(),
        Move::QuietNight => "plays One Quiet Night: the next infection step is skipped".to_owned(),
        Move::Resilient { city } => {
            format!("plays Resilient Population: removes the infection card {city}")
        }
        Move::Discard { card } => format!("discards {card}"),
        Move::Next { city } => format!("puts {city} next in the forecast"),
        Move::Agree => "agrees".to_owned(),
        Move::Decline => "declines".to_owned(),
        Move::Draw => "draws two cards".to_owned(),
        Move::Infect => "turns the next infection card".to_owned(),
        Move::InfectAll => "turns all infection cards of this step".to_owned(),
        Move::Intensify => "intensifies: the discarded infection cards go back on top".to_owned(),
        Move::Epidemic => "goes on with the second epidemic".to_owned(),
    }
}

fn moved(from: Option<City>) -> String {
    from.map_or_else(String::new, |from| format!(", the one of {from}"))
}

/// Returns the cards of a cure.
fn of_color(color: Color, cards: u16) -> Cities {
    Cities::from_bits(u64::from(cards) << (12 * color.index()))
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
        (Move::Charter { pawn, .. }, _) => format!("{label}, discarding {}", before.pawn(pawn)),
        (Move::Build { .. }, Some(here)) => label.replace("station", &format!("station in {here}")),
        (Move::Treat { color }, Some(here)) => format!(
            "{label} in {here}: {}",
            treated(before, &after, here, color)
        ),
        (Move::Draw, _) if after.ending().is_some() => {
            "has to draw two cards, and fewer are left".to_owned()
        }
        _ => label,
    };
    if !matches!(m, Move::Treat { .. }) {
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
