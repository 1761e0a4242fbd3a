//! The doubling cube, the value of games, and matches.

use parlor_backgammon::{
    BLACK, Chance, Crawford, Cube, Game, Illegal, Move, Phase, Play, Rules, WHITE, Win,
};
use parlor_core::{Notation, Outcome, Position, Seat, Turn};

const START: &str = "-b----E-C---eE---c-e----B-";
/// White bears off the last checker with any roll; black has one checker off, or none, or none and
/// one in white's home board.
const SINGLE: &str = "-A-----------ccdd---------";
const GAMMON: &str = "-A-----------cccdb--------";
const BACKGAMMON: &str = "-A---a-------cccda--------";

fn game(text: &str) -> Game {
    Game::from_text(text).expect("a position")
}

/// Returns the position after these moves and chances.
fn after(text: &str, words: &str) -> Game {
    let mut game = game(text);
    for word in words.split_whitespace() {
        match game.turn() {
            Turn::Chance => game.resolve(&game.parse_chance(word).expect("a chance")),
            _ => game.play(&game.parse_move(word).expect("a move")),
        }
    }
    game
}

fn options(game: &Game) -> Vec<String> {
    game.legal_moves()
        .iter()
        .map(|m| game.move_text(m))
        .collect()
}

fn over(game: &Game) -> Option<Outcome> {
    match game.turn() {
        Turn::Over(outcome) => Some(outcome),
        _ => None,
    }
}

fn won(by: Seat, points: u16) -> Option<Outcome> {
    Some(Outcome::Won { by, points })
}

// --- turning the cube ---

#[test]
fn nobody_doubles_before_the_first_play_and_both_may_after() {
    let mut game = Game::new(Rules::MONEY);
    game.resolve(&game.parse_chance("3-1").expect("an opening"));
    assert_eq!(game.check(&Move::Double), Err(Illegal::DiceToPlay));
    game.play(&game.parse_move("8/5,6/5").expect("a play"));
    assert_eq!(
        (game.on_roll(), options(&game)),
        (BLACK, vec!["roll".to_owned(), "double".to_owned()])
    );
    let game = after(&game.text(), "roll 42 8/4,6/4");
    assert_eq!(
        (game.on_roll(), options(&game)),
        (WHITE, vec!["roll".to_owned(), "double".to_owned()])
    );
}

#[test]
fn a_double_is_answered_by_the_other_seat() {
    let doubled = after(&format!("game+cube {START} 1 w:cube 0-0"), "double");
    assert_eq!(
        (doubled.turn(), doubled.on_roll()),
        (Turn::Move(BLACK), WHITE)
    );
    assert_eq!(options(&doubled), ["take", "drop"]);
    assert_eq!(
        doubled.cube(),
        Cube::default(),
        "not turned before it is taken"
    );
}

#[test]
fn the_taker_owns_the_cube_and_the_doubler_rolls() {
    let taken = after(&format!("game+cube {START} 1 w:cube 0-0"), "double take");
    assert_eq!(
        (taken.cube().value(), taken.cube().owner()),
        (2, Some(BLACK))
    );
    assert_eq!((taken.turn(), taken.on_roll()), (Turn::Chance, WHITE));
}

#[test]
fn dropping_loses_the_stake_before_the_double() {
    let dropped = after(&format!("game+cube {START} 1 w:cube 0-0"), "double drop");
    assert_eq!(over(&dropped), won(WHITE, 1));
    let dropped = after(&format!("game+cube {START} 4b b:cube 0-0"), "double drop");
    assert_eq!(over(&dropped), won(BLACK, 4));
    assert_eq!(dropped.last_result().and_then(|last| last.win), None);
}

#[test]
fn only_the_owner_redoubles() {
    let taken = after(
        &format!("game+cube {START} 1 w:cube 0-0"),
        "double take 31 8/5,6/5",
    );
    assert_eq!((taken.on_roll(), taken.phase()), (BLACK, Phase::Cube));
    let rolled = after(&taken.text(), "roll 42 8/4,6/4");
    assert_eq!(
        (rolled.on_roll(), rolled.phase()),
        (WHITE, Phase::Rolling),
        "white is not asked"
    );
    let again = after(&taken.text(), "double take");
    assert_eq!(
        (again.cube().value(), again.cube().owner()),
        (4, Some(WHITE))
    );
}

#[test]
fn the_cube_stops_at_1024() {
    let last = after(
        &format!("game+cube {START} 512w w:cube 0-0"),
        "double take 31 8/5,6/5",
    );
    assert_eq!(
        (last.cube().value(), last.cube().owner()),
        (1024, Some(BLACK))
    );
    assert_eq!(
        (last.on_roll(), last.phase(), last.can_double(BLACK)),
        (BLACK, Phase::Rolling, false)
    );
    assert_eq!(Cube::new(11, Some(WHITE)), None);
    assert!(Game::from_text(&format!("game+cube {START} 1024w w:cube 0-0")).is_err());
    assert!(Game::from_text(&format!("game+cube {START} 2048w w:roll 0-0")).is_err());
}

#[test]
fn a_game_without_cube_offers_no_double() {
    let next = after(&format!("game {START} 1 w:31 0-0"), "8/5,6/5");
    assert_eq!(next.phase(), Phase::Rolling);
    assert!(Game::from_text(&format!("game {START} 1 w:cube 0-0")).is_err());
    assert!(Game::from_text(&format!("game {START} 2w w:roll 0-0")).is_err());
}

// --- beavers ---

#[test]
fn a_beaver_doubles_again_and_keeps_the_cube() {
    let beavered = after(
        &format!("game+cube+beavers {START} 1 w:cube 0-0"),
        "double beaver",
    );
    assert_eq!(
        (beavered.turn(), options(&beavered)),
        (
            Turn::Move(WHITE),
            vec!["take".to_owned(), "drop".to_owned()]
        )
    );
    let taken = after(&beavered.text(), "take");
    assert_eq!(
        (taken.cube().value(), taken.cube().owner()),
        (4, Some(BLACK))
    );
    assert_eq!((taken.turn(), taken.on_roll()), (Turn::Chance, WHITE));
}

#[test]
fn dropping_a_beaver_loses_the_original_double() {
    let dropped = after(
        &format!("game+cube+beavers {START} 1 w:cube 0-0"),
        "double beaver drop",
    );
    assert_eq!(over(&dropped), won(BLACK, 2));
    let dropped = after(
        &format!("game+cube+beavers {START} 8b b:cube 0-0"),
        "double beaver drop",
    );
    assert_eq!(over(&dropped), won(WHITE, 16));
}

#[test]
fn a_beaver_is_not_answered_with_another() {
    let beavered = after(
        &format!("game+cube+beavers {START} 1 w:cube 0-0"),
        "double beaver",
    );
    assert_eq!(beavered.check(&Move::Beaver), Err(Illegal::NoBeaver));
}

#[test]
fn beavers_are_for_money_and_below_the_limit() {
    let near = after(
        &format!("game+cube+beavers {START} 256w w:cube 0-0"),
        "double",
    );
    assert_eq!(options(&near), ["take", "drop", "beaver"]);
    let limit = after(
        &format!("game+cube+beavers {START} 512w w:cube 0-0"),
        "double",
    );
    assert_eq!(options(&limit), ["take", "drop"]);
    let rules = Rules {
        beavers: true,
        jacoby: true,
        ..Rules::match_to(5).expect("a length")
    };
    assert!(!Game::new(rules).rules().beavers && !Game::new(rules).rules().jacoby);
}

// --- values of games ---

#[test]
fn a_gammon_counts_twice_and_a_backgammon_three_times() {
    for (board, factor, win) in [
        (SINGLE, 1, Win::Single),
        (GAMMON, 2, Win::Gammon),
        (BACKGAMMON, 3, Win::Backgammon),
    ] {
        for cube in [1, 2, 8] {
            let owner = if cube == 1 { "" } else { "b" };
            let end = after(
                &format!("game+cube {board} {cube}{owner} w:31 0-0"),
                "1/off",
            );
            assert_eq!(over(&end), won(WHITE, factor * cube), "{win:?} {cube}");
            assert_eq!(end.last_result().and_then(|last| last.win), Some(win));
        }
    }
}

#[test]
fn a_loser_on_the_bar_loses_a_backgammon() {
    let end = after("game aA-----------cccda-------- 1 w:31 0-0", "1/off");
    assert_eq!(
        end.last_result().and_then(|last| last.win),
        Some(Win::Backgammon)
    );
    let end = after("game aA-----------cccd--------- 1 w:31 0-0", "1/off");
    assert_eq!(
        over(&end),
        won(WHITE, 1),
        "one is off, so it is a single game"
    );
}

#[test]
fn by_jacoby_s_rule_gammons_count_only_after_a_double() {
    for board in [GAMMON, BACKGAMMON] {
        let unturned = after(&format!("game+cube+jacoby {board} 1 w:31 0-0"), "1/off");
        assert_eq!(over(&unturned), won(WHITE, 1));
    }
    let turned = after(&format!("game+cube+jacoby {GAMMON} 2w w:31 0-0"), "1/off");
    assert_eq!(over(&turned), won(WHITE, 4));
    let turned = after(
        &format!("game+cube+jacoby {BACKGAMMON} 4b w:31 0-0"),
        "1/off",
    );
    assert_eq!(over(&turned), won(WHITE, 12));
}

#[test]
fn jacoby_s_rule_is_not_for_matches_nor_without_a_cube() {
    let end = after(&format!("match7+cube+jacoby {GAMMON} 1 w:31 0-0"), "1/off");
    assert_eq!(end.score(), [2, 0]);
    let end = after(&format!("game+jacoby {GAMMON} 1 w:31 0-0"), "1/off");
    assert_eq!(over(&end), won(WHITE, 2));
}

// --- matches ---

#[test]
fn a_match_goes_on_with_an_opening_roll() {
    let next = after(&format!("match5+cube {SINGLE} 2b w:31 0-1"), "1/off");
    assert_eq!(next.text(), format!("match5+cube {START} 1 open 2-1 w2s"));
    assert_eq!((next.turn(), next.chances().len()), (Turn::Chance, 30));
    assert_eq!((next.away(WHITE), next.away(BLACK)), (Some(3), Some(4)));
}

#[test]
fn a_match_ends_at_its_length_and_counts_no_point_more() {
    let end = after(&format!("match5+cube {GAMMON} 4b w:31 3-4/after"), "1/off");
    assert_eq!((end.score(), over(&end)), ([5, 4], won(WHITE, 1)));
    assert_eq!(
        end.last_result().map(|last| last.points),
        Some(8),
        "what the game was worth"
    );
    assert_eq!(end.check(&Move::Roll), Err(Illegal::Over));
}

#[test]
fn a_dropped_double_counts_in_a_match_and_never_ends_it() {
    let next = after(&format!("match5+cube {START} 1 b:cube 1-1"), "double drop");
    assert_eq!((next.score(), next.phase()), ([1, 2], Phase::Opening));
    // A player who could win the match by a drop could win it with the cube as it is, and so may
    // not double.
    for (score, alive) in [("2-2", true), ("3-2", false)] {
        assert_eq!(
            Game::from_text(&format!("match5+cube {START} 2w w:cube {score}")).is_ok(),
            alive,
            "{score}"
        );
    }
}

#[test]
fn the_game_after_somebody_comes_within_a_point_has_no_cube() {
    let crawford = after(&format!("match3+cube {SINGLE} 2b w:31 0-0"), "1/off");
    assert_eq!(
        (crawford.score(), crawford.crawford()),
        ([2, 0], Crawford::Now)
    );
    let played = after(&crawford.text(), "1-3 8/5,6/5");
    assert_eq!((played.on_roll(), played.phase()), (WHITE, Phase::Rolling));
    assert!(!played.can_double(WHITE) && !played.can_double(BLACK));
    assert!(Game::from_text(&format!("match3+cube {START} 1 b:cube 2-0/crawford")).is_err());
}

#[test]
fn after_that_game_the_cube_is_back() {
    let after_it = after(
        &format!("match3+cube {SINGLE} 1 w:31 0-2/crawford"),
        "1/off",
    );
    assert_eq!(
        (after_it.score(), after_it.crawford()),
        ([1, 2], Crawford::After)
    );
    let played = after(&after_it.text(), "1-3 8/5,6/5");
    assert_eq!(
        (played.on_roll(), played.phase()),
        (WHITE, Phase::Cube),
        "white trails and may double"
    );
    let other = after(&played.text(), "roll 31 8/5,6/5");
    assert_eq!(
        (other.on_roll(), other.phase()),
        (BLACK, Phase::Rolling),
        "black needs one point and has no use for it"
    );
}

#[test]
fn the_crawford_game_comes_once() {
    let third = after(&format!("match3+cube {SINGLE} 1 w:31 1-2/after"), "1/off");
    assert_eq!(third.turn(), Turn::Chance);
    assert_eq!((third.score(), third.crawford()), ([2, 2], Crawford::After));
}

#[test]
fn without_the_crawford_rule_the_cube_is_always_there() {
    let next = after(
        &format!("match3+cube+nocrawford {SINGLE} 2b w:31 0-0"),
        "1/off 1-3 8/5,6/5",
    );
    assert_eq!(
        (next.crawford(), next.on_roll(), next.phase()),
        (Crawford::Before, WHITE, Phase::Rolling)
    );
    assert!(next.can_double(BLACK));
}

#[test]
fn a_dead_cube_cannot_be_turned() {
    // White owns the cube at 2 and needs two points.
    let game = game(&format!("match3+cube {START} 2w w:roll 1-0"));
    assert!(!game.can_double(WHITE) && !game.can_double(BLACK));
    assert!(Game::from_text(&format!("match3+cube {START} 2w w:cube 1-0")).is_err());
    // A centered cube is live for a player who needs more points than it shows.
    let middle = self::game(&format!("match3+cube {START} 1 w:roll 1-2/after"));
    assert!(middle.can_double(WHITE) && !middle.can_double(BLACK));
}

#[test]
fn a_match_to_one_point_has_no_cube_and_one_game() {
    let rules = Rules::match_to(1).expect("a length");
    let game = Game::new(rules);
    assert!(!game.rules().cube && !game.can_double(WHITE));
    assert_eq!(game.crawford(), Crawford::Before);
    let end = after(&format!("match1 {BACKGAMMON} 1 w:31 0-0"), "1/off");
    assert_eq!((end.score(), over(&end)), ([1, 0], won(WHITE, 1)));
}

#[test]
fn matches_are_to_64_points_at_most() {
    assert!(Rules::match_to(0).is_none() && Rules::match_to(65).is_none());
    let long = Game::new(Rules::match_to(64).expect("a length"));
    assert_eq!(Game::from_text(&long.text()), Ok(long));
}

#[test]
fn moves_and_chances_cannot_be_confused() {
    let rolling = game(&format!("game {START} 1 w:roll 0-0"));
    assert_eq!(
        rolling.check(&Move::Play(Play::PASS)),
        Err(Illegal::NotRolled)
    );
    let moving = game(&format!("game {START} 1 w:31 0-0"));
    let roll = Chance::Roll("66".parse().expect("a roll"));
    assert!(moving.clone().try_resolve(&roll).is_err());
}
