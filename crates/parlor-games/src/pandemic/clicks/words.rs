//! Labels of buttons and click paths: moves as instructions to a player.

use parlor_core::Seat;
use parlor_pandemic::{Card, City, Color, Game, Move};

/// Returns a move as an instruction, such as "Fly to Paris for its card".
pub(super) fn label(game: &Game, m: &Move) -> String {
    let go = |verb: &str, whose: Seat, to: City| format!("{verb}{} to {to}", pawn(game, whose));
    match *m {
        Move::Drive { pawn, to } => go("Drive", pawn, to),
        Move::Fly { pawn, to } => format!("{} for the card of {to}", go("Fly", pawn, to)),
        Move::Charter { pawn, to } => {
            format!(
                "{} for the card of {}",
                go("Charter a flight", pawn, to),
                game.pawn(pawn)
            )
        }
        Move::Shuttle { pawn, to } => go("Shuttle", pawn, to),
        Move::Join { pawn, to } if pawn == game.active() => format!("Join the pawn in {to}"),
        Move::Join { pawn, to } => format!("Bring{} to the pawn in {to}", self::pawn(game, pawn)),
        Move::Expert { to, card } => format!("Fly to {to} for the card of {card}"),
        Move::Build { from } => station("Build a station here", from),
        Move::Treat { color } => treat(game, color),
        Move::Give { card, to } => format!("Give {card} to the {}", name(game, to)),
        Move::Take { card, from } => format!("Take {card} from the {}", name(game, from)),
        Move::Cure { color, cards } => cure(game, color, cards),
        Move::Fetch { event } => format!("Fetch {event}"),
        Move::Airlift { pawn, to } => format!("Airlift the {} to {to}", name(game, pawn)),
        Move::Grant { at, from } => station(&format!("Government Grant: a station in {at}"), from),
        Move::Forecast => "Play Forecast".to_owned(),
        Move::QuietNight => "Play One Quiet Night".to_owned(),
        Move::Resilient { city } => format!("Resilient Population: remove {city}"),
        Move::Discard { card } => format!("Discard {card}"),
        Move::Next { city } => format!("Put {city} next"),
        Move::Agree => "Agree".to_owned(),
        Move::Decline => "Decline".to_owned(),
        Move::Draw if game.actions() == 0 => "Draw two cards".to_owned(),
        Move::Draw => "Stop here and draw two cards".to_owned(),
        Move::Infect => "Turn an infection card".to_owned(),
        Move::InfectAll => format!("Turn all {}", game.infections_left()),
        Move::Intensify => "Intensify the epidemic".to_owned(),
        Move::Epidemic => "On to the second epidemic".to_owned(),
    }
}

fn name(game: &Game, seat: Seat) -> &'static str {
    game.role(seat).map_or("other player", |role| role.name())
}

fn pawn(game: &Game, seat: Seat) -> String {
    if seat == game.active() {
        String::new()
    } else {
        format!(" the {}", name(game, seat))
    }
}

fn station(what: &str, from: Option<City>) -> String {
    from.map_or_else(
        || what.to_owned(),
        |from| format!("{what}, moved from {from}"),
    )
}

fn treat(game: &Game, color: Color) -> String {
    let here = game.pawn(game.active());
    match game.cubes().count(here, color) {
        1 => format!("Treat {color} in {here}"),
        count => format!("Treat {color} in {here} ({count} cubes)"),
    }
}

/// Returns the label of a cure. It names the cards kept, which are fewer than those spent.
fn cure(game: &Game, color: Color, cards: u16) -> String {
    let held = color
        .cities()
        .into_iter()
        .enumerate()
        .filter(|(_, city)| game.hand(game.active()).has(Card::City(*city)));
    let kept: Vec<&str> = held
        .filter(|(n, _)| cards >> n & 1 == 0)
        .map(|(_, city)| city.name())
        .collect();
    match &kept[..] {
        [] => format!("Discover the cure for {color}"),
        kept => format!("Cure {color}, keeping {}", kept.join(" and ")),
    }
}
