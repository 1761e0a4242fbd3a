//! Perft table, with a second count by a brute-force generator that relies on `check` alone.

use parlor_core::testing::perft_table;
use parlor_core::{Notation, Position, Seat, Turn};
use parlor_pandemic::{
    Action, Card, City, Color, EventCard, EventPlay, Game, Move, Rules, TurnStep, Way,
};

use crate::help::{WAYS, chosen};

const TABLE: &str = include_str!("pandemic.perft");
/// Largest count that is verified a second time.
const AGAIN: u64 = 6_000;

fn start() -> Game {
    Game::new(Rules::new(2, 4).expect("within the limits"))
}

/// Returns the lines of the table without comments.
fn lines() -> impl Iterator<Item = &'static str> {
    TABLE
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
}

#[test]
fn perft_counts_match_the_table() {
    let checked = perft_table(&start(), TABLE, 3_000_000);
    assert_eq!(
        checked,
        lines()
            .filter(|line| !line.starts_with("position "))
            .count(),
        "all lines are checked"
    );
}

/// Returns every conceivable move in a game with this many seats: any pawn to any city in any way,
/// any card to and from any player, any station moved anywhere, any four or five cards for a cure.
fn conceivable(seats: u8) -> Vec<Move> {
    let pawns: Vec<Seat> = Seat::all(seats).collect();
    let cities: Vec<City> = City::all().collect();
    let stations: Vec<Option<City>> = [None]
        .into_iter()
        .chain(cities.iter().copied().map(Some))
        .collect();
    let mut steps = super::STEPS_WITHOUT_CHOICE.to_vec();
    let mut events = vec![EventPlay::Forecast, EventPlay::QuietNight];
    let mut actions = Vec::new();
    for &to in &cities {
        for &pawn in &pawns {
            actions.extend(WAYS.map(|way| Action::Travel { pawn, way, to }));
            events.push(EventPlay::Airlift { pawn, to });
            actions.push(Action::Give { card: to, to: pawn });
            actions.push(Action::Take {
                card: to,
                from: pawn,
            });
        }
        actions.extend(cities.iter().map(|&card| Action::Expert { to, card }));
        events.extend(
            stations
                .iter()
                .map(|&from| EventPlay::Grant { at: to, from }),
        );
        events.push(EventPlay::Resilient { city: to });
        steps.push(TurnStep::Next { city: to });
        steps.push(TurnStep::Discard {
            card: Card::City(to),
        });
    }
    actions.extend(stations.into_iter().map(|from| Action::Build { from }));
    for event in EventCard::ALL {
        actions.push(Action::Fetch { event });
        steps.push(TurnStep::Discard {
            card: Card::Event(event),
        });
    }
    for color in Color::ALL {
        actions.push(Action::Treat { color });
        let some = (0..1_u16 << 12).filter(|cards| [4, 5].contains(&cards.count_ones()));
        actions.extend(some.map(|cards| Action::Cure {
            cards: chosen(color, cards),
        }));
    }
    let actions = actions.into_iter().map(Move::Action);
    let events = events.into_iter().map(Move::Event);
    let steps = steps.into_iter().map(Move::Step);
    actions.chain(events).chain(steps).collect()
}

/// Returns true if a move is legal and not merely another spelling of a plainer move: a shuttle
/// flight to a connected city, a join that a drive or shuttle flight can do, turning all infection
/// cards if only one is left.
fn is_counted(game: &Game, m: &Move) -> bool {
    let can = |m: Move| game.check(&m).is_ok();
    can(*m)
        && match *m {
            Move::Action(Action::Travel { pawn, way, to }) => {
                let by = |way| can(Action::Travel { pawn, way, to }.into());
                match way {
                    Way::Drive | Way::Fly | Way::Charter => true,
                    Way::Shuttle => !by(Way::Drive),
                    Way::Join => !by(Way::Drive) && !by(Way::Shuttle),
                }
            }
            Move::Step(TurnStep::InfectAll) => game.infections_left() > 1,
            _ => true,
        }
}

/// Counts leaves by trying every move instead of generating legal ones.
fn tried(game: &Game, depth: u32, all: &[Move]) -> u64 {
    if depth == 0 {
        return 1;
    }
    match game.turn() {
        Turn::Over(_) => 0,
        Turn::Chance => {
            let after = game.chances().into_iter().map(|(chance, _)| {
                let mut game = *game;
                game.try_resolve(&chance)
                    .expect("a chance that is listed can come up");
                game
            });
            after.map(|game| tried(&game, depth, all)).sum()
        }
        Turn::Move(_) => {
            let legal = all.iter().filter(|m| is_counted(game, m));
            let after = legal.map(|m| {
                let mut game = *game;
                game.try_play(m)
                    .expect("a move that is not refused can be played");
                game
            });
            after.map(|game| tried(&game, depth - 1, all)).sum()
        }
    }
}

#[test]
fn brute_force_finds_the_same_counts() {
    let all: Vec<Vec<Move>> = (0..=4).map(conceivable).collect();
    let (mut game, mut again) = (start(), 0);
    for line in lines() {
        if let Some(text) = line.strip_prefix("position ") {
            game = Game::from_text(text).unwrap_or_else(|reason| panic!("{text}: {reason}"));
            assert_eq!(
                game.text(),
                text,
                "positions stand there as they are written"
            );
            continue;
        }
        let (depth, count) = line.split_once(' ').expect("a line of a perft table");
        let (depth, count): (u32, u64) = (
            depth.parse().expect("a depth"),
            count.parse().expect("a count"),
        );
        if count <= AGAIN {
            assert_eq!(
                tried(&game, depth, &all[usize::from(game.seats())]),
                count,
                "perft {depth} of {}",
                game.text()
            );
            again += 1;
        }
    }
    assert!(again > 20, "only {again} counts were small enough");
}
