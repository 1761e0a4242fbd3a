//! Labels of buttons and click paths: moves as instructions to a player.

use parlor_core::Seat;
use parlor_pandemic::{Action, City, Color, ColorCities, EventPlay, Game, Move, TurnStep, Way};

/// Returns a move as an instruction, such as "Fly to Paris for its card".
pub(super) fn label(game: &Game, m: &Move) -> String {
    match *m {
        Move::Action(action) => action_label(game, action),
        Move::Event(event) => event_label(game, event),
        Move::Step(step) => step_label(game, step),
    }
}

fn action_label(game: &Game, action: Action) -> String {
    match action {
        Action::Travel { pawn, way, to } => travel_label(game, pawn, way, to),
        Action::Expert { to, card } => format!("Fly to {to} for the card of {card}"),
        Action::Build { from } => station("Build a station here", from),
        Action::Treat { color } => treat(game, color),
        Action::Give { card, to } => format!("Give {card} to the {}", name(game, to)),
        Action::Take { card, from } => format!("Take {card} from the {}", name(game, from)),
        Action::Cure { cards } => cure(game, cards),
        Action::Fetch { event } => format!("Fetch {event}"),
    }
}

fn travel_label(game: &Game, pawn: Seat, way: Way, to: City) -> String {
    let whose = self::pawn(game, pawn);
    match way {
        Way::Drive => format!("Drive{whose} to {to}"),
        Way::Fly => format!("Fly{whose} to {to} for the card of {to}"),
        Way::Charter => {
            let from = game.pawn(pawn);
            format!("Charter a flight{whose} to {to} for the card of {from}")
        }
        Way::Shuttle => format!("Shuttle{whose} to {to}"),
        Way::Join if pawn == game.active() => format!("Join the pawn in {to}"),
        Way::Join => format!("Bring{whose} to the pawn in {to}"),
    }
}

fn event_label(game: &Game, event: EventPlay) -> String {
    match event {
        EventPlay::Airlift { pawn, to } => format!("Airlift the {} to {to}", name(game, pawn)),
        EventPlay::Grant { at, from } => {
            station(&format!("Government Grant: a station in {at}"), from)
        }
        EventPlay::Forecast => "Play Forecast".to_owned(),
        EventPlay::QuietNight => "Play One Quiet Night".to_owned(),
        EventPlay::Resilient { city } => format!("Resilient Population: remove {city}"),
    }
}

fn step_label(game: &Game, step: TurnStep) -> String {
    match step {
        TurnStep::Discard { card } => format!("Discard {card}"),
        TurnStep::Next { city } => format!("Put {city} next"),
        TurnStep::Agree => "Agree".to_owned(),
        TurnStep::Decline => "Decline".to_owned(),
        TurnStep::Draw if game.actions() == 0 => "Draw two cards".to_owned(),
        TurnStep::Draw => "Stop here and draw two cards".to_owned(),
        TurnStep::Infect => "Turn an infection card".to_owned(),
        TurnStep::InfectAll => format!("Turn all {}", game.infections_left()),
        TurnStep::Intensify => "Intensify the epidemic".to_owned(),
        TurnStep::Epidemic => "On to the second epidemic".to_owned(),
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
fn cure(game: &Game, cards: ColorCities) -> String {
    let color = cards.color();
    let held = game.hand(game.active()).cities().and(color.cities());
    let kept = held.minus(cards.cities()).into_iter();
    let kept: Vec<&str> = kept.map(City::name).collect();
    match &kept[..] {
        [] => format!("Discover the cure for {color}"),
        kept => format!("Cure {color}, keeping {}", kept.join(" and ")),
    }
}
