//! Steps of checkers: hitting, bearing off, notation, order, and reasons for refusals.

use parlor_backgammon::{Game, Illegal, Move, OFF, Play, Rules, WHITE};
use parlor_core::{Notation, Outcome, Position, Turn};

use crate::rules::{after, plays, refused, steps, white_plays};

// --- hitting ---

#[test]
fn a_single_checker_is_hit_and_goes_to_the_bar() {
    let game = white_plays("8 6", "5", "31");
    assert_eq!(after(&game, "8/5*,6/5"), "a----B--------------------");
    assert_eq!(
        plays(&game),
        ["6/2", "6/5*/2", "8/4", "8/5*,6/5", "8/5*/4", "8/7,6/3"]
    );
}

#[test]
fn two_checkers_are_no_target() {
    let game = white_plays("8 6", "5:2", "31");
    assert_eq!(plays(&game), ["6/2", "8/4", "8/7,6/3"]);
    assert_eq!(refused(&game, "8/5,6/5"), Illegal::Blocked { to: 5 });
}

#[test]
fn an_entering_checker_hits_too() {
    let game = white_plays("bar 6:14", "22 1:2", "31");
    assert!(plays(&game).contains(&"bar/22*,6/5".to_owned()));
    assert_eq!(after(&game, "bar/22,6/5").chars().next(), Some('a'));
}

#[test]
fn a_double_can_hit_several_times() {
    let game = white_plays("13:2", "11 9 5", "22");
    assert_eq!(after(&game, "13/11*/9*/7/5*"), "c----A-------A------------");
    assert_eq!(
        game.parse_move("13/5").map(|m| game.move_text(&m)),
        Ok("13/11*/9*/5*".to_owned())
    );
}

#[test]
fn an_unnamed_intermediate_point_is_not_hit_if_avoidable() {
    // Via ten a checker is hit, via twelve none is.
    let game = white_plays("13 6:2", "10", "31");
    let text = |written: &str| game.move_text(&game.parse_move(written).expect("a play"));
    assert_eq!(text("13/9"), "13/9");
    assert_eq!(after(&game, "13/9"), "------B--Aa---------------");
    assert_eq!(text("13/12/9"), "13/9");
    assert_eq!(text("13/10*/9"), "13/10*/9");
    assert_eq!(text("13/10/9"), "13/10*/9", "named, if without its star");
}

#[test]
fn an_unavoidable_hit_on_the_way_is_made() {
    let game = white_plays("13 6:2", "10 12:2", "31");
    assert_eq!(
        game.parse_move("13/9").map(|m| game.move_text(&m)),
        Ok("13/10*/9".to_owned())
    );
}

// --- bearing off ---

#[test]
fn checkers_are_borne_off_only_when_all_are_home() {
    let game = white_plays("20 6", "24:2", "61");
    assert_eq!(refused(&game, "6/off,20/19"), Illegal::NotHome);
    assert_eq!(
        refused(&game, "6/off,20/19").to_string(),
        "You can bear off only when all your checkers are home"
    );
}

#[test]
fn nothing_is_borne_off_while_a_checker_is_on_the_bar() {
    let game = white_plays("bar 6:2", "24:2 1:2", "62");
    assert_eq!(refused(&game, "6/off,bar/23"), Illegal::BarFirst);
    assert_eq!(refused(&game, "bar/23,6/off"), Illegal::NotHome);
}

#[test]
fn a_checker_that_comes_home_opens_the_way_off_in_the_same_roll() {
    let game = white_plays("7 6", "24:2", "61");
    assert_eq!(plays(&game), ["7/1,6/5", "7/off"]);
    assert_eq!(
        game.parse_move("7/off").map(|m| game.move_text(&m)),
        Ok("7/off".to_owned())
    );
}

#[test]
fn the_point_of_the_die_is_borne_off_also_from_below_others() {
    let game = white_plays("6 3", "24:2", "31");
    assert!(plays(&game).contains(&"6/5,3/off".to_owned()));
    assert_eq!(game.check(&steps(&[(3, OFF), (6, 5)])), Ok(()));
}

#[test]
fn a_higher_die_bears_off_from_the_rearmost_point() {
    let game = white_plays("4 2:2", "24:2", "65");
    assert_eq!(plays(&game), ["4/off,2/off"]);
}

#[test]
fn a_higher_die_bears_nothing_off_while_a_checker_is_behind() {
    let game = white_plays("6 3 1", "24:2", "54");
    assert_eq!(plays(&game), ["6/1,3/off", "6/2,3/off"]);
    assert_eq!(
        refused(&game, "3/off,1/off"),
        Illegal::HigherFirst { from: 3 }
    );
    let reason =
        "A checker on a higher point must be moved before 3 can be borne off with a higher die";
    assert_eq!(refused(&game, "3/off,1/off").to_string(), reason);
}

#[test]
fn a_die_that_can_be_moved_inside_home_need_not_bear_off() {
    let game = white_plays("6:2 2:2", "24:2", "42");
    assert_eq!(plays(&game), ["6/2,6/4", "6/off"]);
}

#[test]
fn bearing_off_two_checkers_is_one_play_in_either_order() {
    let game = white_plays("2 1", "24:2", "65");
    assert_eq!(plays(&game).len(), 1);
    assert_eq!(game.check(&steps(&[(2, OFF), (1, OFF)])), Ok(()));
    assert_eq!(game.check(&steps(&[(1, OFF), (2, OFF)])), Ok(()));
}

#[test]
fn a_game_is_won_in_the_middle_of_a_double() {
    let mut game = white_plays("1:2", "24:2", "66");
    assert_eq!(plays(&game), ["1/off(2)"]);
    assert_eq!(refused(&game, "1/off"), Illegal::MustUseMore { can: 2 });
    game.play(&game.parse_move("1/off(2)").expect("a play"));
    assert_eq!(
        game.turn(),
        Turn::Over(Outcome::Won {
            by: WHITE,
            points: 1
        })
    );
    assert_eq!(game.check(&Move::Roll), Err(Illegal::Over));
    assert_eq!(Illegal::Over.to_string(), "The game is over");
}

#[test]
fn the_last_checker_goes_off_by_either_die() {
    let game = white_plays("2", "24:2", "61");
    assert_eq!(game.legal_moves().len(), 1);
    assert_eq!(game.check(&steps(&[(2, OFF)])), Ok(()));
    assert_eq!(game.check(&steps(&[(2, 1), (1, OFF)])), Ok(()));
}

// --- steps and their order ---

/// Returns all orders of four things.
fn orders() -> Vec<[usize; 4]> {
    let digits = (0..256).map(|n| [n & 3, n >> 2 & 3, n >> 4 & 3, n >> 6]);
    digits
        .filter(|order| (0..4).all(|n| order.contains(&n)))
        .collect()
}

#[test]
fn the_steps_of_a_play_may_be_written_in_any_order() {
    let game = white_plays("24:2 8:3 6:5", "1:15", "22");
    let written = [(24, 22), (22, 20), (8, 6), (6, 4)];
    let same = after(&game, "24/20,8/6,6/4");
    for order in orders() {
        let m = steps(&order.map(|n| written[n]));
        assert_eq!(game.check(&m), Ok(()), "{m:?}");
        let mut played = game.clone();
        played.play(&m);
        assert_eq!(
            played.text().split_whitespace().nth(1),
            Some(&same[..]),
            "{m:?}"
        );
        assert_eq!(
            game.parse_move(&game.move_text(&m))
                .map(|m| game.move_text(&m)),
            Ok(game.move_text(&m))
        );
    }
    assert_eq!(orders().len(), 24);
}

#[test]
fn a_checker_moved_twice_may_be_written_by_its_ends() {
    let game = white_plays("24:2 13 8:3 6:5", "1:15", "64");
    let text = |written: &str| {
        game.parse_move(written)
            .map(|m| game.move_text(&m))
            .expect("a play")
    };
    assert_eq!(text("24/14"), "24/14");
    assert_eq!(text("24/20/14"), "24/14");
    assert_eq!(text("24/18, 18/14"), "24/14");
    assert_eq!(text("18/14 24/18"), "24/14");
}

#[test]
fn equal_paths_may_be_written_with_a_count() {
    let game = white_plays("8:3 6:5", "1:15", "33");
    let text = |written: &str| {
        game.parse_move(written)
            .map(|m| game.move_text(&m))
            .expect("a play")
    };
    assert_eq!(text("8/5(2) 6/3(2)"), "8/5(2),6/3(2)");
    assert_eq!(text("8/5,6/3,8/5,6/3"), "8/5(2),6/3(2)");
    assert_eq!(text("8/5/2(2)"), "8/2(2)");
    assert_eq!(text("8/2(2)"), "8/2(2)");
}

#[test]
fn a_hit_on_the_way_is_written_with_its_point() {
    let game = white_plays("13 6", "7", "62");
    let text = |written: &str| {
        game.parse_move(written)
            .map(|m| game.move_text(&m))
            .expect("a play")
    };
    assert_eq!(text("13/7*/5"), "13/7*/5");
    assert_eq!(text("13/7/5"), "13/7*/5");
    assert_eq!(text("13/5"), "13/5", "over 11, where nobody is hit");
    assert_ne!(after(&game, "13/7*/5"), after(&game, "13/5"));
}

// --- reasons ---

#[test]
fn an_impossible_step_is_refused_with_its_reason() {
    let game = white_plays("13:2 6:5", "5:2 1:2", "31");
    let reasons = [
        ("12/9,6/5", "There is no checker on point 12"),
        (
            "13/8,13/12",
            "No remaining die moves a checker from point 13 to point 8",
        ),
        ("6/9,13/12", "6/9 is not a possible checker move"),
        ("13/13,13/12", "13/13 is not a possible checker move"),
        ("13/10,6/5", "Point 5 is blocked"),
        (
            "13/10(2)",
            "No remaining die moves a checker from point 13 to point 10",
        ),
        ("bar/24,13/10", "There is no checker on the bar"),
        ("off/3,13/12", "off/3 is not a possible checker move"),
        ("13/10", "2 dice can be played, so you must play that many"),
    ];
    for (text, reason) in reasons {
        assert_eq!(refused(&game, text).to_string(), reason, "{text}");
    }
}

#[test]
fn nonexistent_points_are_refused_and_can_be_written() {
    let game = white_plays("13:2 6:5", "5:2 1:2", "31");
    for (from, to) in [(26, 23), (28, 27), (255, 254), (13, 26), (6, 255), (0, 0)] {
        let m = steps(&[(from, to), (13, 12)]);
        assert!(
            matches!(
                game.check(&m),
                Err(Illegal::NoStep { .. } | Illegal::NoChecker { .. })
            ),
            "{m:?}"
        );
        assert_eq!(game.move_text(&m).split(',').count(), 2, "{m:?}");
        assert!(!game.board().is_blot(to) && !game.board().is_blocked(to));
    }
}

#[test]
fn moves_of_another_phase_are_refused_with_a_reason() {
    let start = Game::new(Rules::MONEY);
    for m in [
        Move::Roll,
        Move::Double,
        Move::Take,
        Move::Drop,
        Move::Beaver,
        Move::Play(Play::PASS),
    ] {
        assert_eq!(start.check(&m), Err(Illegal::NotRolled), "{m:?}");
    }
    assert_eq!(
        Illegal::NotRolled.to_string(),
        "The dice have not been rolled"
    );
    let moving =
        Game::from_text("game+cube -b----E-C---eE---c-e----B- 1 w:31 0-0").expect("a position");
    for m in [
        Move::Roll,
        Move::Double,
        Move::Take,
        Move::Drop,
        Move::Beaver,
    ] {
        assert_eq!(moving.check(&m), Err(Illegal::DiceToPlay), "{m:?}");
    }
    assert_eq!(Illegal::DiceToPlay.to_string(), "Play your dice first");
    let cube =
        Game::from_text("game+cube -b----E-C---eE---c-e----B- 1 w:cube 0-0").expect("a position");
    assert_eq!(
        cube.check(&steps(&[(8, 5), (6, 5)])),
        Err(Illegal::RollFirst)
    );
    assert_eq!(cube.check(&Move::Take), Err(Illegal::NoDouble));
    assert_eq!(Illegal::RollFirst.to_string(), "Roll or double first");
    assert_eq!(Illegal::NoDouble.to_string(), "No double has been offered");
    let doubled = Game::from_text("game+cube -b----E-C---eE---c-e----B- 1 w:doubled 0-0")
        .expect("a position");
    assert_eq!(doubled.check(&Move::Roll), Err(Illegal::AnswerTheDouble));
    assert_eq!(doubled.check(&Move::Beaver), Err(Illegal::NoBeaver));
    assert_eq!(
        Illegal::AnswerTheDouble.to_string(),
        "Answer the double first: take or drop"
    );
    assert_eq!(Illegal::NoBeaver.to_string(), "You can't beaver here");
}

#[test]
fn a_refused_play_changes_nothing() {
    let mut game = white_plays("13 4", "5:2", "62");
    let before = game.clone();
    assert!(game.try_play(&steps(&[(13, 11), (4, 2)])).is_err());
    assert_eq!(game, before);
}
