//! Candidate moves.
//!
//! A seat often has several hundred moves, most of them flights without a purpose.

use parlor_core::Seat;
use parlor_pandemic::{Cities, City, Color, EventCard, Game, Move, Role, Stage};

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
        out.extend(game.discard().events().map(|event| Move::Fetch { event }));
    }
}

fn ways(game: &Game, pawn: Seat, by: Seat, width: Width, out: &mut Vec<Move>) {
    let here = game.pawn(pawn);
    let near = here.neighbors();
    out.extend(near.into_iter().map(|to| Move::Drive { pawn, to }));
    let mut reached = near.with(here);
    if game.stations().has(here) {
        out.extend(
            game.stations()
                .minus(reached)
                .into_iter()
                .map(|to| Move::Shuttle { pawn, to }),
        );
        reached = reached.or(game.stations());
    }
    if game.role(by) == Some(Role::Dispatcher) {
        let others = game
            .rules()
            .seats()
            .filter(|other| *other != pawn)
            .map(|other| game.pawn(other));
        let others = others.collect::<Cities>().minus(reached);
        out.extend(others.into_iter().map(|to| Move::Join { pawn, to }));
        reached = reached.or(others);
    }
    if pawn != by && width == Width::Narrow {
        return;
    }
    let cards = game.hand(by).cities();
    out.extend(
        cards
            .minus(reached)
            .into_iter()
            .map(|to| Move::Fly { pawn, to }),
    );
    if cards.has(here) {
        let to = targets(game, width).minus(reached).minus(cards);
        out.extend(to.into_iter().map(|to| Move::Charter { pawn, to }));
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
            .map(|color| Move::Treat { color }),
    );
    let may = game.role(by) == Some(Role::OperationsExpert) || game.hand(by).has(here);
    if may && !game.stations().has(here) {
        stations(game, width, out, |from| Move::Build { from });
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
                .map(|card| Move::Give { card, to: other }),
        );
        out.extend(
            gifts(other)
                .into_iter()
                .map(|card| Move::Take { card, from: other }),
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
            out.push(Move::Cure {
                color,
                cards: (given.bits() >> (12 * color.index())) as u16,
            });
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
        out.extend(to.into_iter().map(|to| Move::Expert { to, card }));
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
                    .map(|to| Move::Airlift { pawn, to }),
            );
        }
    }
    if held(EventCard::GovernmentGrant) {
        let to = targets(game, width)
            .or(game.occupied())
            .minus(game.stations());
        for at in to {
            stations(game, width, out, |from| Move::Grant { at, from });
        }
    }
}

/// Returns cities whose cards are held and still useful.
fn wanted_places(game: &Game) -> Cities {
    let held = game
        .rules()
        .seats()
        .fold(Cities::NONE, |all, seat| all.or(game.hand(seat).cities()));
    held.and(wanted(game))
}
