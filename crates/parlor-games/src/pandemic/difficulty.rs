//! Difficulty of a game of Pandemic, in words and by the bots' win rate.

use parlor_pandemic::{Cards, Role, Roles, Rules};

use crate::game::Difficulty;

/// Games in a hundred that teams of level 4 won with two, three and four players (rows) and 0 to 12
/// epidemics (columns), with all events, random roles and questions. 200 games each with four to six
/// epidemics, 100 otherwise, from seed 1; `docs/measurements/pandemic.md` has the command and the
/// intervals.
const WON: [[u8; Rules::MAX_EPIDEMICS as usize + 1]; Rules::MAX_PLAYERS - 1] = [
    [100, 100, 98, 97, 89, 83, 67, 39, 22, 10, 4, 2, 2],
    [97, 97, 97, 93, 89, 80, 58, 43, 27, 10, 6, 1, 0],
    [93, 95, 96, 88, 72, 64, 44, 28, 18, 7, 4, 0, 0],
];

/// Describes how hard a game is; with its usual cards and random roles also how often the bots win.
pub(super) fn describe(rules: Rules) -> Difficulty {
    let name = match rules.epidemics() {
        0..4 => "Easier than introductory",
        4 => "Introductory",
        5 => "Standard",
        6 => "Heroic",
        _ => "Harder than heroic",
    };
    let is_measured = rules.events() == Cards::EVENTS
        && rules.pool() == Roles::ALL
        && rules.fixed().iter().all(Option::<Role>::is_none);
    let won = WON
        .get(usize::from(rules.players()).wrapping_sub(2))
        .and_then(|row| row.get(usize::from(rules.epidemics())));
    let bots = won
        .filter(|_| is_measured)
        .map(|won| format!("A team of computers at level 4 wins {won} in 100 games."));
    Difficulty { name, bots }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_epidemics_are_harder_and_a_choice_of_cards_has_no_figure() {
        for row in WON {
            // Neighbors may differ by chance where nearly all or nearly none are won.
            assert!(
                row.iter()
                    .zip(&row[2..])
                    .all(|(few, many)| *few + 3 >= *many),
                "{row:?}"
            );
        }
        let rules = |players, epidemics| Rules::new(players, epidemics).unwrap();
        let figure = |won| {
            Some(format!(
                "A team of computers at level 4 wins {won} in 100 games."
            ))
        };
        let described = |rules| {
            let Difficulty { name, bots } = describe(rules);
            (name, bots)
        };
        assert_eq!(described(rules(3, 5)), ("Standard", figure(80)));
        assert_eq!(
            described(rules(2, 0)),
            ("Easier than introductory", figure(100))
        );
        assert_eq!(described(rules(4, 12)), ("Harder than heroic", figure(0)));
        let without_events = rules(2, 4).with_events(Cards::NONE);
        assert_eq!(described(without_events), ("Introductory", None));
        let roles = [Some(Role::Medic), None, None, None];
        let chosen = rules(2, 6).with_roles(Roles::ALL, roles).unwrap();
        assert_eq!(described(chosen), ("Heroic", None));
    }
}
