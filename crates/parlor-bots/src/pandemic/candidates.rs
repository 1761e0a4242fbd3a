//! Candidate moves.
//!
//! A seat often has several hundred moves, most of them flights without a purpose.

use parlor_core::Seat;
use parlor_pandemic::{
    Action, Cities, City, Color, ColorCities, EventCard, EventPlay, Game, Move, Role, Stage, Way,
};

/// Breadth of the candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// Few candidates, for many quick decisions.
    Narrow,
    /// All moves that could ever make sense.
    Wide,
}

/// Number of stations in the box.
const STATIONS: u32 = parlor_pandemic::STATIONS;

/// Writes the candidate actions of the seat on turn to `out`; ending the actions is not among them.
pub fn actions(game: &Game, width: Width, out: &mut Vec<Move>) {
    out.clear();
    if game.stage() != Stage::Actions || game.actions() == 0 {
        return;
    }
    let by = game.active();
    ways(game, by, by, width, out);
    if game.role(by) == Some(Role::Dispatcher) {
        for pawn in game.rules().seats().filter(|pawn| *pawn != by) {
            ways(game, pawn, by, width, out);
        }
    }
    work(game, by, width, out);
    shares(game, by, out);
    cures(game, by, out);
    if game.role(by) == Some(Role::OperationsExpert) {
        expert(game, by, width, out);
    }
    if game.role(by) == Some(Role::ContingencyPlanner) && game.stored().is_none() {
        let events = game.discard().events().into_iter();
        out.extend(events.map(|event| Move::Action(Action::Fetch { event })));
    }
    drop_declined(game, out);
}

/// Removes moves that concern a player who has just declined another one: asking again would delay the
/// team, and the plan can do without.
fn drop_declined(game: &Game, moves: &mut Vec<Move>) {
    if game.rules().seats().any(|seat| game.has_declined(seat)) {
        let has_declined = |m: &Move| {
            game.owner_concerned(m)
                .is_some_and(|owner| game.has_declined(owner))
        };
        moves.retain(|m| !has_declined(m));
    }
}

fn ways(game: &Game, pawn: Seat, by: Seat, width: Width, out: &mut Vec<Move>) {
    let here = game.pawn(pawn);
    let near = here.neighbors();
    let by_way = |way| move |to| Move::Action(Action::Travel { pawn, way, to });
    out.extend(near.into_iter().map(by_way(Way::Drive)));
    let mut reached = near.with(here);
    if game.stations().has(here) {
        let stations = game.stations().minus(reached);
        out.extend(stations.into_iter().map(by_way(Way::Shuttle)));
        reached = reached.or(game.stations());
    }
    if game.role(by) == Some(Role::Dispatcher) {
        let others = game
            .rules()
            .seats()
            .filter(|other| *other != pawn)
            .map(|other| game.pawn(other));
        let others = others.collect::<Cities>().minus(reached);
        out.extend(others.into_iter().map(by_way(Way::Join)));
        reached = reached.or(others);
    }
    if pawn != by && width == Width::Narrow {
        return;
    }
    let cards = game.hand(by).cities();
    out.extend(cards.minus(reached).into_iter().map(by_way(Way::Fly)));
    if cards.has(here) {
        let to = targets(game, width).minus(reached).minus(cards);
        out.extend(to.into_iter().map(by_way(Way::Charter)));
    }
}

/// Returns sensible destinations of flights.
fn targets(game: &Game, width: Width) -> Cities {
    if width == Width::Wide {
        return Cities::ALL;
    }
    let threes = |all: Cities, color: Color| all.or(game.cubes().with_exactly(color, 3));
    Color::ALL
        .into_iter()
        .fold(game.stations().or(game.occupied()), threes)
}

fn work(game: &Game, by: Seat, width: Width, out: &mut Vec<Move>) {
    let here = game.pawn(by);
    let present = |color: &Color| game.cubes().count(here, *color) > 0;
    out.extend(
        Color::ALL
            .into_iter()
            .filter(present)
            .map(|color| Move::Action(Action::Treat { color })),
    );
    let may = game.role(by) == Some(Role::OperationsExpert) || game.hand(by).has(here);
    if may && !game.stations().has(here) {
        stations(game, width, out, |from| Action::Build { from }.into());
    }
}

/// Appends a new station. If all are on the board, it replaces the one nearest to another station,
/// or is left out if narrow.
fn stations(game: &Game, width: Width, out: &mut Vec<Move>, build: impl Fn(Option<City>) -> Move) {
    let all = game.stations();
    if all.len() < STATIONS {
        out.push(build(None));
    } else if width == Width::Wide {
        let to_others = |city: &City| {
            all.without(*city)
                .into_iter()
                .map(|other| city.distance(other))
                .min()
        };
        out.extend(
            all.into_iter()
                .min_by_key(to_others)
                .map(|from| build(Some(from))),
        );
    }
}

fn shares(game: &Game, by: Seat, out: &mut Vec<Move>) {
    let here = game.pawn(by);
    let wanted = wanted(game);
    let gifts = |giver: Seat| {
        let cards = game.hand(giver).cities().and(wanted);
        if game.role(giver) == Some(Role::Researcher) {
            cards
        } else {
            cards.and(Cities::one(here))
        }
    };
    for other in game
        .rules()
        .seats()
        .filter(|other| *other != by && game.pawn(*other) == here)
    {
        out.extend(
            gifts(by)
                .into_iter()
                .map(|card| Move::Action(Action::Give { card, to: other })),
        );
        out.extend(
            gifts(other)
                .into_iter()
                .map(|card| Move::Action(Action::Take { card, from: other })),
        );
    }
}

/// Returns the cities of all colors that are not cured.
pub(super) fn wanted(game: &Game) -> Cities {
    let open = Color::ALL
        .into_iter()
        .filter(|color| !game.is_cured(*color));
    open.fold(Cities::NONE, |all, color| all.or(color.cities()))
}

fn cures(game: &Game, by: Seat, out: &mut Vec<Move>) {
    if !game.stations().has(game.pawn(by)) {
        return;
    }
    let needed = game.cards_for_cure(by);
    for color in Color::ALL
        .into_iter()
        .filter(|color| !game.is_cured(*color))
    {
        let held = game.hand(by).cities().and(color.cities());
        if held.len() >= needed {
            let given = held.into_iter().take(needed as usize).collect::<Cities>();
            let cards = ColorCities::new(color, given);
            out.push(Action::Cure { cards }.into());
        }
    }
}

/// Appends the Operations Expert's flights, paid with the most dispensable card of each color.
fn expert(game: &Game, by: Seat, width: Width, out: &mut Vec<Move>) {
    let here = game.pawn(by);
    if game.flown() || !game.stations().has(here) {
        return;
    }
    let hand = game.hand(by).cities();
    let spare = hand.minus(wanted(game));
    let to = targets(game, width)
        .minus(here.neighbors().with(here))
        .minus(game.stations());
    let fewest = |color: &Color| hand.and(color.cities()).len();
    let held = Color::ALL.into_iter().filter(|color| fewest(color) > 0);
    let mut pay: Vec<City> = match spare.into_iter().next() {
        Some(card) => vec![card],
        None if width == Width::Wide => held
            .filter_map(|color| hand.and(color.cities()).into_iter().next())
            .collect(),
        None => held
            .min_by_key(fewest)
            .and_then(|color| hand.and(color.cities()).into_iter().next())
            .into_iter()
            .collect(),
    };
    pay.dedup();
    for card in pay {
        out.extend(
            to.into_iter()
                .map(|to| Move::Action(Action::Expert { to, card })),
        );
    }
}

/// Appends candidate airlifts and grants of the seats that `may` play them.
pub fn quick_events(game: &Game, width: Width, may: impl Fn(Seat) -> bool, out: &mut Vec<Move>) {
    let held = |event| game.holder(event).is_some_and(&may);
    if held(EventCard::Airlift) {
        let to = targets(game, width).or(wanted_places(game));
        for pawn in game.rules().seats() {
            out.extend(
                to.without(game.pawn(pawn))
                    .into_iter()
                    .map(|to| Move::Event(EventPlay::Airlift { pawn, to })),
            );
        }
    }
    if held(EventCard::GovernmentGrant) {
        let to = targets(game, width)
            .or(game.occupied())
            .minus(game.stations());
        for at in to {
            stations(game, width, out, |from| {
                EventPlay::Grant { at, from }.into()
            });
        }
    }
    drop_declined(game, out);
}

/// Returns cities whose cards are held and still useful.
fn wanted_places(game: &Game) -> Cities {
    let held = game
        .rules()
        .seats()
        .fold(Cities::NONE, |all, seat| all.or(game.hand(seat).cities()));
    held.and(wanted(game))
}
