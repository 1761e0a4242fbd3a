//! What may be done with the dice, sentence by sentence.

use parlor_backgammon::{BAR, Game, Illegal, Move, OFF, Phase, Play, Rules, Setup, Step, WHITE};
use parlor_core::{Notation, Outcome, Position, Turn};

/// White to play these dice. Both rows give points by white's numbers, as `24:2 6:13`; `bar` is a point, and who is not named is off.
fn white_plays(white: &str, black: &str, dice: &str) -> Game {
    let mut row = ['-'; 26];
    for (checkers, first, bar) in [(white, b'A', 25), (black, b'a', 0)] {
        for place in checkers.split_whitespace() {
            let (point, count) = place.split_once(':').unwrap_or((place, "1"));
            let point = if point == "bar" { bar } else { point.parse().expect("a point") };
            let count: u8 = count.parse().expect("a number");
            assert_eq!(std::mem::replace(&mut row[point], char::from(first + count - 1)), '-', "{place} is taken");
        }
    }
    let row: String = row.iter().collect();
    let double = dice.len() == 2 && dice[..1] == dice[1..];
    let dice = if double { dice.repeat(2) } else { dice.to_owned() };
    Game::from_text(&format!("game {row} 1 w:{dice} 0-0")).expect("a position")
}

/// All that can be played, sorted.
fn plays(game: &Game) -> Vec<String> {
    let mut plays: Vec<String> = game.legal_moves().iter().map(|m| game.move_text(m)).collect();
    plays.sort();
    plays
}

/// Why a play is refused.
fn refused(game: &Game, text: &str) -> Illegal {
    let m = game.parse_move(text).expect("a play");
    game.check(&m).expect_err(text)
}

/// The board after a play, as text.
fn after(game: &Game, text: &str) -> String {
    let mut game = game.clone();
    game.play(&game.parse_move(text).expect("a play"));
    game.text().split_whitespace().nth(1).expect("checkers").to_owned()
}

fn steps(steps: &[(u8, u8)]) -> Move {
    let steps: Vec<Step> = steps.iter().map(|(from, to)| Step { from: *from, to: *to }).collect();
    Move::Play(Play::new(&steps).expect("at most four"))
}

// --- as many dice as possible -------------------------------------------------------------------------------------

#[test]
fn both_dice_are_played_when_both_can_be() {
    let start = Game::from_text("game -b----E-C---eE---c-e----B- 1 w:31 0-0").expect("the start");
    assert!(start.legal_moves().iter().all(|m| matches!(m, Move::Play(play) if play.steps().len() == 2)));
    assert_eq!(refused(&start, "8/5"), Illegal::MustUseMore { can: 2 });
    assert_eq!(refused(&start, "8/5").to_string(), "2 dice can be played, and as many as possible must be");
    assert_eq!(refused(&start, "pass"), Illegal::MustMove);
    assert_eq!(refused(&start, "pass").to_string(), "There is a legal move, so the roll cannot be passed");
}

#[test]
fn one_die_is_played_when_no_second_can_be() {
    // The five leads to 19, and both ways on are held.
    let game = white_plays("24", "18:2 13:2", "65");
    assert_eq!(plays(&game), ["24/19"]);
    assert_eq!(refused(&game, "24/18"), Illegal::Blocked { to: 18 });
    assert_eq!(refused(&game, "pass"), Illegal::MustMove);
}

#[test]
fn the_higher_is_played_when_either_but_not_both_can_be() {
    let game = white_plays("24", "13:2", "65");
    assert_eq!(plays(&game), ["24/18"]);
    let reason = refused(&game, "24/19");
    assert!(matches!(reason, Illegal::MustUseHigher { die } if die.pips() == 6));
    assert_eq!(reason.to_string(), "Only one die can be played, and it must be the 6");
    // A checker that cannot move at all changes nothing.
    let game = white_plays("24 7", "13:2 1:2 2:2 23:2", "65");
    assert_eq!(plays(&game), ["24/18"]);
    assert!(matches!(refused(&game, "24/19"), Illegal::MustUseHigher { .. }));
}

#[test]
fn the_lower_is_played_when_only_it_can_be() {
    let game = white_plays("20 5", "14:2 13:2", "61");
    assert_eq!(plays(&game), ["20/19", "5/4"]);
    assert_eq!(refused(&game, "20/14"), Illegal::Blocked { to: 14 });
    assert_eq!(refused(&game, "20/19,5/4"), Illegal::NoDie { from: 5, to: 4 });
}

#[test]
fn a_first_step_that_keeps_the_other_die_from_being_played_is_illegal() {
    // From 11 no six goes on, so the two must not be played from 13.
    let game = white_plays("13 4", "5:2", "62");
    assert_eq!(plays(&game), ["13/7,4/2"]);
    assert_eq!(refused(&game, "13/11"), Illegal::MustUseMore { can: 2 });
    assert_eq!(refused(&game, "13/7"), Illegal::MustUseMore { can: 2 });
    assert_eq!(refused(&game, "13/5"), Illegal::Blocked { to: 5 });
    assert_eq!(refused(&game, "13/11,4/2"), Illegal::NoDie { from: 4, to: 2 });
}

#[test]
fn the_lower_die_may_have_to_open_the_way_for_the_higher() {
    // The four is blocked until the three was played.
    let game = white_plays("20", "16:2", "43");
    assert_eq!(plays(&game), ["20/13"]);
    assert_eq!(refused(&game, "20/16"), Illegal::Blocked { to: 16 });
    assert_eq!(refused(&game, "20/17"), Illegal::MustUseMore { can: 2 });
}

#[test]
fn nothing_is_played_when_nothing_can_be() {
    let game = white_plays("24:2", "18:2 19:2", "65");
    assert_eq!(plays(&game), ["pass"]);
    assert_eq!(game.forced(), Some(Move::Play(Play::PASS)));
    assert_eq!(refused(&game, "24/18"), Illegal::Blocked { to: 18 });
    assert_eq!(refused(&game, "24/18").to_string(), "Point 18 is blocked");
    let mut passed = game.clone();
    passed.play(&Move::Play(Play::PASS));
    assert_eq!((passed.white_board(), passed.on_roll()), (game.white_board(), WHITE.next(2)));
    assert_eq!(passed.phase(), Phase::Rolling);
}

#[test]
fn a_pass_is_forced_only_where_nothing_can_be_played() {
    assert_eq!(white_plays("24", "18:2 13:2", "65").forced(), None);
    assert_eq!(Game::new(Rules::GAME).forced(), None);
}

// --- doubles ------------------------------------------------------------------------------------------------------

#[test]
fn a_double_is_played_four_times() {
    let game = white_plays("24 13", "1:15", "22");
    assert!(game.legal_moves().iter().all(|m| matches!(m, Move::Play(play) if play.steps().len() == 4)));
    assert_eq!(plays(&game), ["13/5", "24/16", "24/18,13/11", "24/20,13/9", "24/22,13/7"]);
    assert_eq!(refused(&game, "24/18"), Illegal::MustUseMore { can: 4 });
}

#[test]
fn of_a_double_as_much_is_played_as_can_be() {
    for (held, play, can) in [("14:2", "24/19", 1), ("9:2", "24/14", 2), ("4:2", "24/9", 3)] {
        let game = white_plays("24", held, "55");
        assert_eq!(plays(&game), [play]);
        if can > 1 {
            assert_eq!(refused(&game, "24/19"), Illegal::MustUseMore { can });
        }
    }
    assert_eq!(plays(&white_plays("24", "19:2", "55")), ["pass"]);
}

#[test]
fn who_could_play_more_steps_of_a_double_must() {
    // Two steps from 24, none from 10.
    let game = white_plays("24 10", "6:2 12:2", "44");
    assert_eq!(plays(&game), ["24/16"]);
    assert_eq!(refused(&game, "24/20"), Illegal::MustUseMore { can: 2 });
}

#[test]
fn a_checker_stops_in_the_middle_of_a_double_where_the_way_ends() {
    let game = white_plays("24:2", "12:2", "44");
    assert_eq!(plays(&game), ["24/16(2)"]);
    assert_eq!(refused(&game, "24/12,24/20"), Illegal::Blocked { to: 12 });
}

// --- the bar ------------------------------------------------------------------------------------------------------

#[test]
fn a_checker_on_the_bar_enters_before_anything_else_moves() {
    let game = white_plays("bar 6:14", "1:2", "31");
    assert_eq!(plays(&game), ["bar/21", "bar/22,6/5", "bar/24,6/3"]);
    assert_eq!(refused(&game, "6/3,6/5"), Illegal::BarFirst);
    assert_eq!(refused(&game, "6/3,6/5").to_string(), "Checkers on the bar must enter first");
    assert_eq!(refused(&game, "6/3"), Illegal::BarFirst);
}

#[test]
fn the_steps_may_be_told_with_the_entry_last() {
    let game = white_plays("bar 6:14", "1:2", "31");
    assert_eq!(game.check(&steps(&[(6, 5), (BAR, 22)])), Ok(()));
    assert_eq!(game.parse_move("6/5,bar/22").map(|m| game.move_text(&m)), Ok("bar/22,6/5".to_owned()));
}

#[test]
fn all_checkers_on_the_bar_enter_before_anything_else_moves() {
    let two = white_plays("bar:2 6:13", "1:2", "31");
    assert_eq!(plays(&two), ["bar/22,bar/24"]);
    assert_eq!(refused(&two, "bar/22,6/5"), Illegal::BarFirst);
    assert_eq!(refused(&two, "bar/21"), Illegal::BarFirst);
    let three = white_plays("bar:3 6:12", "1:2", "11");
    assert_eq!(plays(&three), ["bar/23,bar/24(2)", "bar/24(3),6/5"]);
    let five = white_plays("bar:5 6:10", "1:2", "22");
    assert_eq!(plays(&five), ["bar/23(4)"]);
}

#[test]
fn who_can_enter_only_one_of_two_checkers_enters_one() {
    let game = white_plays("bar:2 6:13", "22:2", "31");
    assert_eq!(plays(&game), ["bar/24"]);
    assert_eq!(refused(&game, "bar/24,6/3"), Illegal::BarFirst);
    assert_eq!(refused(&game, "bar/22"), Illegal::Blocked { to: 22 });
}

#[test]
fn who_cannot_enter_moves_nothing() {
    let game = white_plays("bar 6:14", "22:2 24:2", "31");
    assert_eq!(plays(&game), ["pass"]);
    assert_eq!(refused(&game, "6/5,6/3"), Illegal::BarFirst);
    let closed = white_plays("bar 6:14", "24:2 23:2 22:2 21:2 20:2 19:5", "66");
    assert_eq!((plays(&closed), closed.forced().is_some()), (vec!["pass".to_owned()], true));
}

#[test]
fn a_checker_enters_by_the_number_of_the_die() {
    for die in 1..=6u8 {
        let game = white_plays("bar 24:14", "bar:2", &format!("{die}{die}"));
        assert!(plays(&game).iter().all(|play| play.starts_with("bar/")), "{die}");
        let entered = game.parse_move(&format!("bar/{}", 25 - die)).expect("a play");
        assert_eq!(game.check(&entered), Err(Illegal::MustUseMore { can: 4 }));
    }
}

// --- hitting ------------------------------------------------------------------------------------------------------

#[test]
fn a_single_checker_is_hit_and_goes_to_the_bar() {
    let game = white_plays("8 6", "5", "31");
    assert_eq!(after(&game, "8/5*,6/5"), "a----B--------------------");
    assert_eq!(plays(&game), ["6/2", "6/5*/2", "8/4", "8/5*,6/5", "8/5*/4", "8/7,6/3"]);
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
    assert_eq!(game.parse_move("13/5").map(|m| game.move_text(&m)), Ok("13/11*/9*/5*".to_owned()));
}

#[test]
fn a_way_that_does_not_name_the_point_between_hits_nobody_there_if_it_can() {
    // By ten a checker is hit, by twelve none is.
    let game = white_plays("13 6:2", "10", "31");
    let text = |told: &str| game.move_text(&game.parse_move(told).expect("a play"));
    assert_eq!(text("13/9"), "13/9");
    assert_eq!(after(&game, "13/9"), "------B--Aa---------------");
    assert_eq!(text("13/12/9"), "13/9");
    assert_eq!(text("13/10*/9"), "13/10*/9");
    assert_eq!(text("13/10/9"), "13/10*/9", "named, if without its star");
}

#[test]
fn a_way_hits_on_its_way_when_it_cannot_avoid_it() {
    let game = white_plays("13 6:2", "10 12:2", "31");
    assert_eq!(game.parse_move("13/9").map(|m| game.move_text(&m)), Ok("13/10*/9".to_owned()));
}

// --- bearing off --------------------------------------------------------------------------------------------------

#[test]
fn checkers_are_borne_off_only_when_all_are_home() {
    let game = white_plays("20 6", "24:2", "61");
    assert_eq!(refused(&game, "6/off,20/19"), Illegal::NotHome);
    assert_eq!(refused(&game, "6/off,20/19").to_string(), "Checkers can be borne off only when all are home");
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
    assert_eq!(game.parse_move("7/off").map(|m| game.move_text(&m)), Ok("7/off".to_owned()));
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
fn a_higher_die_bears_nothing_off_while_somebody_stands_behind() {
    let game = white_plays("6 3 1", "24:2", "54");
    assert_eq!(plays(&game), ["6/1,3/off", "6/2,3/off"]);
    assert_eq!(refused(&game, "3/off,1/off"), Illegal::HigherFirst { from: 3 });
    let reason = "A checker on a higher point must be moved before 3 can be borne off with a higher die";
    assert_eq!(refused(&game, "3/off,1/off").to_string(), reason);
}

#[test]
fn a_die_that_can_be_moved_inside_home_need_not_bear_off() {
    let game = white_plays("6:2 2:2", "24:2", "42");
    assert_eq!(plays(&game), ["6/2,6/4", "6/off"]);
}

#[test]
fn two_dice_that_bear_two_checkers_off_are_one_play_whichever_takes_which() {
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
    assert_eq!(game.turn(), Turn::Over(Outcome::Won { by: WHITE, points: 1 }));
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

// --- steps and their order ----------------------------------------------------------------------------------------

/// All orders of four things.
fn orders() -> Vec<[usize; 4]> {
    let digits = (0..256).map(|n| [n & 3, n >> 2 & 3, n >> 4 & 3, n >> 6]);
    digits.filter(|order| (0..4).all(|n| order.contains(&n))).collect()
}

#[test]
fn the_steps_of_a_play_may_be_told_in_any_order() {
    let game = white_plays("24:2 8:3 6:5", "1:15", "22");
    let told = [(24, 22), (22, 20), (8, 6), (6, 4)];
    let same = after(&game, "24/20,8/6,6/4");
    for order in orders() {
        let m = steps(&order.map(|n| told[n]));
        assert_eq!(game.check(&m), Ok(()), "{m:?}");
        let mut played = game.clone();
        played.play(&m);
        assert_eq!(played.text().split_whitespace().nth(1), Some(&same[..]), "{m:?}");
        assert_eq!(game.parse_move(&game.move_text(&m)).map(|m| game.move_text(&m)), Ok(game.move_text(&m)));
    }
    assert_eq!(orders().len(), 24);
}

#[test]
fn a_checker_that_goes_on_may_be_told_by_its_ends() {
    let game = white_plays("24:2 13 8:3 6:5", "1:15", "64");
    let text = |told: &str| game.parse_move(told).map(|m| game.move_text(&m)).expect("a play");
    assert_eq!(text("24/14"), "24/14");
    assert_eq!(text("24/20/14"), "24/14");
    assert_eq!(text("24/18, 18/14"), "24/14");
    assert_eq!(text("18/14 24/18"), "24/14");
}

#[test]
fn equal_ways_may_be_told_with_their_number() {
    let game = white_plays("8:3 6:5", "1:15", "33");
    let text = |told: &str| game.parse_move(told).map(|m| game.move_text(&m)).expect("a play");
    assert_eq!(text("8/5(2) 6/3(2)"), "8/5(2),6/3(2)");
    assert_eq!(text("8/5,6/3,8/5,6/3"), "8/5(2),6/3(2)");
    assert_eq!(text("8/5/2(2)"), "8/2(2)");
    assert_eq!(text("8/2(2)"), "8/2(2)");
}

#[test]
fn a_hit_on_the_way_is_told_with_its_point() {
    let game = white_plays("13 6", "7", "62");
    let text = |told: &str| game.parse_move(told).map(|m| game.move_text(&m)).expect("a play");
    assert_eq!(text("13/7*/5"), "13/7*/5");
    assert_eq!(text("13/7/5"), "13/7*/5");
    assert_eq!(text("13/5"), "13/5", "over 11, where nobody is hit");
    assert_ne!(after(&game, "13/7*/5"), after(&game, "13/5"));
}

// --- reasons ------------------------------------------------------------------------------------------------------

#[test]
fn a_step_that_is_none_is_refused_with_its_reason() {
    let game = white_plays("13:2 6:5", "5:2 1:2", "31");
    let reasons = [
        ("12/9,6/5", "There is no checker on point 12"),
        ("13/8,13/12", "No die is left that moves a checker from point 13 to point 8"),
        ("6/9,13/12", "6/9 is no way for a checker"),
        ("13/13,13/12", "13/13 is no way for a checker"),
        ("13/10,6/5", "Point 5 is blocked"),
        ("13/10(2)", "No die is left that moves a checker from point 13 to point 10"),
        ("bar/24,13/10", "There is no checker on the bar"),
        ("off/3,13/12", "off/3 is no way for a checker"),
        ("13/10", "2 dice can be played, and as many as possible must be"),
    ];
    for (text, reason) in reasons {
        assert_eq!(refused(&game, text).to_string(), reason, "{text}");
    }
}

#[test]
fn points_that_there_are_not_are_refused_and_can_be_written() {
    let game = white_plays("13:2 6:5", "5:2 1:2", "31");
    for (from, to) in [(26, 23), (28, 27), (255, 254), (13, 26), (6, 255), (0, 0)] {
        let m = steps(&[(from, to), (13, 12)]);
        assert!(matches!(game.check(&m), Err(Illegal::NoStep { .. } | Illegal::NoChecker { .. })), "{m:?}");
        assert_eq!(game.move_text(&m).split(',').count(), 2, "{m:?}");
        assert!(!game.board().is_blot(to) && !game.board().is_blocked(to));
    }
}

#[test]
fn what_belongs_to_another_moment_is_refused_with_its_reason() {
    let start = Game::new(Rules::MONEY);
    for m in [Move::Roll, Move::Double, Move::Take, Move::Drop, Move::Beaver, Move::Play(Play::PASS)] {
        assert_eq!(start.check(&m), Err(Illegal::NotRolled), "{m:?}");
    }
    assert_eq!(Illegal::NotRolled.to_string(), "The dice have not been rolled");
    let moving = Game::from_text("game+cube -b----E-C---eE---c-e----B- 1 w:31 0-0").expect("a position");
    for m in [Move::Roll, Move::Double, Move::Take, Move::Drop, Move::Beaver] {
        assert_eq!(moving.check(&m), Err(Illegal::DiceToPlay), "{m:?}");
    }
    assert_eq!(Illegal::DiceToPlay.to_string(), "The dice are rolled: play them");
    let cube = Game::from_text("game+cube -b----E-C---eE---c-e----B- 1 w:cube 0-0").expect("a position");
    assert_eq!(cube.check(&steps(&[(8, 5), (6, 5)])), Err(Illegal::RollFirst));
    assert_eq!(cube.check(&Move::Take), Err(Illegal::NoDouble));
    assert_eq!(Illegal::RollFirst.to_string(), "Roll or double first");
    assert_eq!(Illegal::NoDouble.to_string(), "No double has been offered");
    let doubled = Game::from_text("game+cube -b----E-C---eE---c-e----B- 1 w:doubled 0-0").expect("a position");
    assert_eq!(doubled.check(&Move::Roll), Err(Illegal::AnswerTheDouble));
    assert_eq!(doubled.check(&Move::Beaver), Err(Illegal::NoBeaver));
    assert_eq!(Illegal::AnswerTheDouble.to_string(), "The cube is offered: take or drop");
    assert_eq!(Illegal::NoBeaver.to_string(), "No beaver is possible here");
}

#[test]
fn a_refused_play_changes_nothing() {
    let mut game = white_plays("13 4", "5:2", "62");
    let before = game.clone();
    assert!(game.try_play(&steps(&[(13, 11), (4, 2)])).is_err());
    assert_eq!(game, before);
}

// --- both colors --------------------------------------------------------------------------------------------------

#[test]
fn black_plays_by_black_s_own_points() {
    let game = Game::from_text("game -b----E-C---eE---c-e----B- 1 b:31 0-0").expect("the start");
    let mut played = game.clone();
    played.play(&game.parse_move("8/5,6/5").expect("a play"));
    assert_eq!(played.text(), "game -b----E-C---eE---b-db---B- 1 w:roll 0-0");
}

#[test]
fn what_remains_of_a_roll_is_played_like_a_roll() {
    // The document's `diceUsed` describes such positions.
    let game = white_plays("24 13", "1:15", "2");
    assert_eq!(plays(&game), ["13/11", "24/22"]);
    let game = white_plays("24", "1:15", "222");
    assert_eq!(plays(&game), ["24/18"]);
    assert_eq!(Setup::of(&game).validate(), Ok(game));
}
