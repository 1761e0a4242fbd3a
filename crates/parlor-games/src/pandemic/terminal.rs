//! The board in plain text: a map with cities as three letters, and everything else in lines below
//! it.
//!
//! `>Par*k1b3` means that the pawn on turn is in Paris, which has a research station, one black
//! cube and three blue ones. Another pawn is shown as its player's number, several as `&`. An entry
//! that is too long for the space before the next city ends in `+`.

use parlor_core::{Position, Seat, Turn};
use parlor_pandemic::{Cards, Cities, City, Color, Game, MAX_OUTBREAKS, STATIONS, Stage};

use super::narrative;

/// Map of the cities. The connections are listed in words below it.
const MAP: [&str; 14] = [
    "                                           StP",
    "              Mon              Lon     Ess        Mos                  Tok",
    "         Chi      NYk            Par     Mil                       Seo",
    " SFr      Atl      Was        Mad         Ist       Teh      Bei      Osa",
    "   LAn         Mia                Alg           Bag       Del     Sha",
    "        Mex                               Cai       Kar     Kol       Tai",
    "                                                Riy     Mum       HoK",
    "                                          Kha               Ban        Man",
    "              Bog                 Lag                    Che     HCM",
    "                                      Kin                      Jak",
    "             Lim",
    "                      Sao",
    "                  Bue                     Joh",
    "               Sgo                                                     Syd",
];
/// Number of lines of the map.
pub(crate) const MAP_LINES: u16 = MAP.len() as u16;
/// Width of the whole text, in columns.
pub(crate) const WIDTH: usize = 78;

/// Returns the board without colors. The last move is not marked, since the map shows only the
/// current state.
pub(crate) fn draw(game: &Game, _last: Option<&str>) -> String {
    let mut out = String::new();
    for line in (0..MAP_LINES).map(|row| map_line(game, row)) {
        out.push_str(line.trim_end());
        out.push('\n');
    }
    for line in below(game).into_iter().chain(ways(game)).chain(decks(game)) {
        out.push_str(&line);
        out.push('\n');
    }
    out
}

/// Returns the map with the pawns but without the cities.
pub(crate) fn bare(game: &Game) -> Vec<String> {
    let line = |row| {
        let mut line: Vec<char> = vec![' '; WIDTH];
        cities_of(row).for_each(|(column, city)| line[usize::from(column) - 1] = pawns(game, city));
        line.into_iter().collect::<String>().trim_end().to_owned()
    };
    (0..MAP_LINES).map(line).collect()
}

/// Returns the cities in a line of the map from the left, with their columns.
pub(crate) fn cities_of(row: u16) -> impl Iterator<Item = (u16, City)> {
    let line = MAP[usize::from(row)];
    let mut at = 0;
    line.split(' ').filter_map(move |word| {
        let column = at;
        at += word.len() as u16 + 1;
        Some((column, City::from_name(word)?))
    })
}

/// Returns a line of the map.
fn map_line(game: &Game, row: u16) -> String {
    let mut line: Vec<char> = vec![' '; WIDTH];
    for (column, city) in cities_of(row) {
        let pawns = format!("{}{}", pawns(game, city), shown(game, row, column, city));
        for (place, letter) in line
            .iter_mut()
            .skip(usize::from(column) - 1)
            .zip(pawns.chars())
        {
            *place = letter;
        }
    }
    line.into_iter().collect()
}

/// Returns the character to the left of a city, which shows the pawns there.
fn pawns(game: &Game, city: City) -> char {
    let mut there = game.rules().seats().filter(|seat| game.pawn(*seat) == city);
    match (there.next(), there.next()) {
        _ if game.pawn(game.active()) == city => '>',
        (Some(seat), None) => char::from(b'1' + seat.number()),
        (Some(_), Some(_)) => '&',
        (None, _) => ' ',
    }
}

/// Returns a city with its station and cubes, truncated to the available space.
pub(crate) fn shown(game: &Game, row: u16, column: u16, city: City) -> String {
    let next = cities_of(row)
        .map(|(next, _)| next)
        .find(|next| *next > column)
        .map_or(WIDTH + 1, usize::from);
    let room = next - usize::from(column) - 1;
    let full = format!(
        "{}{}{}",
        city.code(),
        if game.stations().has(city) { '*' } else { ' ' },
        cubes(game, city)
    );
    let full = full.trim_end();
    if full.len() > room {
        format!("{}+", &full[..room - 1])
    } else {
        full.to_owned()
    }
}

/// Returns the cubes of a city, such as `k1b3`.
fn cubes(game: &Game, city: City) -> String {
    let count = |color: Color| {
        (
            color.letter().to_ascii_lowercase(),
            game.cubes().count(city, color),
        )
    };
    let there = Color::ALL
        .map(count)
        .into_iter()
        .filter(|(_, count)| *count > 0);
    there
        .map(|(letter, count)| format!("{letter}{count}"))
        .collect()
}

/// Returns the lines with tracks, diseases and players.
pub(crate) fn below(game: &Game) -> Vec<String> {
    let supply = |color: Color| {
        let state = match (game.is_eradicated(color), game.is_cured(color)) {
            (true, _) => " eradicated",
            (_, true) => " cured",
            _ => "",
        };
        format!("{color}{state} {}", game.cubes().supply(color))
    };
    let night = if game.quiet_night() {
        ", quiet night"
    } else {
        ""
    };
    let mut lines = vec![
        format!(
            "outbreaks {}/{MAX_OUTBREAKS}, rate {}{night}, cards {} (epidemic {:.0} %), stations {}/{STATIONS}",
            game.outbreaks(),
            game.rate(),
            game.deck().len(),
            100.0 * narrative::epidemic_chance(game),
            game.stations().len(),
        ),
        format!("cubes left: {}", Color::ALL.map(supply).join(", ")),
    ];
    lines.extend(game.rules().seats().map(|seat| player(game, seat)));
    lines
}

fn player(game: &Game, seat: Seat) -> String {
    let pointer = if seat == game.active() && game.is_set_up() {
        '>'
    } else {
        ' '
    };
    let actions = match game.stage() {
        Stage::Actions if seat == game.active() => {
            format!(", {}", narrative::count(game.actions(), "action"))
        }
        _ => String::new(),
    };
    let role = narrative::seat(game, seat);
    let stored = game
        .stored()
        .filter(|_| game.role(seat) == Some(parlor_pandemic::Role::ContingencyPlanner));
    let stored = stored.map_or_else(String::new, |event| format!(" | keeps {event}"));
    let number = seat.number() + 1;
    let hand = hand(game.hand(seat));
    format!(
        "{pointer}{number} {role} in {}{actions}: {hand}{stored}",
        game.pawn(seat)
    )
}

/// Returns the cards of a hand: cities in three letters by color, events by name.
fn hand(hand: Cards) -> String {
    let group = |color: Color| {
        let cities = hand.cities().and(color.cities());
        (!cities.is_empty())
            .then(|| format!("{} {}", color.letter().to_ascii_lowercase(), codes(cities)))
    };
    let groups = Color::ALL.into_iter().filter_map(group);
    let groups: Vec<String> = groups
        .chain(hand.events().iter().map(|event| event.name().to_owned()))
        .collect();
    if groups.is_empty() {
        "no cards".to_owned()
    } else {
        groups.join(" | ")
    }
}

fn codes(cities: Cities) -> String {
    cities
        .into_iter()
        .map(City::code)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Returns the cities that the player on turn can drive to.
pub(crate) fn ways(game: &Game) -> Option<String> {
    let Turn::Move(_) = game.turn() else {
        return None;
    };
    let here = game.pawn(game.active());
    Some(format!(
        "from {here}: {}",
        narrative::list(here.neighbors())
    ))
}

/// Returns the lines on the infection cards and the discards.
pub(crate) fn decks(game: &Game) -> Vec<String> {
    let mut lines = Vec::new();
    let layers: Vec<Cities> = game.infection().layers().collect();
    if layers.len() > 1 {
        let tops = &layers[..layers.len() - 1];
        let known: Vec<String> = tops.iter().map(|layer| codes(*layer)).collect();
        lines.extend(wrapped(
            "next infections (in a group any order): ",
            &known.join(" / "),
        ));
    }
    if !game.infection().discard().is_empty() {
        lines.extend(wrapped(
            "infection discards: ",
            &codes(game.infection().discard()),
        ));
    }
    if !game.discard().is_empty() {
        lines.extend(wrapped("player discards: ", &hand(game.discard())));
    }
    lines
}

fn wrapped(title: &str, words: &str) -> Vec<String> {
    let mut lines = vec![title.trim_end().to_owned()];
    for word in words.split(' ') {
        let line = lines.last_mut().expect("there is the first line");
        if line.len() + 1 + word.len() > WIDTH {
            lines.push(format!("  {word}"));
        } else {
            line.push(' ');
            line.push_str(word);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use parlor_pandemic::Rules;
    use rand_xoshiro::rand_core::SeedableRng;

    use super::*;

    #[test]
    fn every_city_is_on_the_map_once_with_room_for_its_cubes() {
        let mut seen = Cities::NONE;
        for row in 0..MAP_LINES {
            let line: Vec<(u16, City)> = cities_of(row).collect();
            for (column, city) in &line {
                assert!(!seen.has(*city) && *column > 0, "{city}");
                seen = seen.with(*city);
            }
            assert!(
                line.windows(2).all(|two| two[1].0 - two[0].0 >= 8),
                "line {row}"
            );
            assert!(
                line.last()
                    .is_none_or(|(column, _)| usize::from(*column) + 7 <= WIDTH),
                "line {row}"
            );
        }
        assert_eq!(seen, Cities::ALL);
    }

    #[test]
    fn the_map_keeps_east_and_west_apart_and_north_above_south() {
        let at = |name: &str| {
            let wanted = City::from_name(name).expect("a city");
            let rows = (0..MAP_LINES)
                .flat_map(|row| cities_of(row).map(move |(column, city)| (row, column, city)));
            rows.into_iter()
                .find(|(_, _, city)| *city == wanted)
                .map(|(row, column, _)| (row, column))
                .expect("a place")
        };
        assert!(at("London").1 < at("Moscow").1 && at("Moscow").1 < at("Tokyo").1);
        assert!(at("San Francisco").1 < at("Chicago").1 && at("Chicago").0 < at("Lima").0);
        assert!(at("Cairo").0 < at("Johannesburg").0);
    }

    #[test]
    fn no_line_of_the_board_is_wider_than_a_small_terminal() {
        let mut game = Game::new(Rules::new(4, 6).expect("a game"));
        let mut rng = parlor_bots::Prng::seed_from_u64(3);
        for _ in 0..2000 {
            let Some(chance) = game.random_chance(&mut rng, &mut Vec::new()) else {
                break;
            };
            game.resolve_unchecked(&chance);
        }
        for line in draw(&game, None).lines() {
            assert!(line.chars().count() <= WIDTH, "{line}");
        }
    }
}
