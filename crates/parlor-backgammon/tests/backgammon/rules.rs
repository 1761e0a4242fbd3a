//! Rules of moving checkers.

use parlor_backgammon::{BAR, CheckerStep, Game, Illegal, Move, Phase, Play, Rules, Setup, WHITE};
use parlor_core::{Notation, Position};

/// Returns a game with white to play these dice. Both rows use white's point numbers, as in `24:2
/// 6:13`; `bar` is a point, and checkers not listed are off.
pub fn white_plays(white: &str, black: &str, dice: &str) -> Game {
    let mut row = ['-'; 26];
    for (checkers, first, bar) in [(white, b'A', 25), (black, b'a', 0)] {
        for place in checkers.split_whitespace() {
            let (point, count) = place.split_once(':').unwrap_or((place, "1"));
            let point = if point == "bar" {
                bar
            } else {
                point.parse().expect("a point")
            };
            let count: u8 = count.parse().expect("a number");
            assert_eq!(
                std::mem::replace(&mut row[point], char::from(first + count - 1)),
                '-',
                "{place} is taken"
            );
        }
    }
    let row: String = row.iter().collect();
    let double = dice.len() == 2 && dice[..1] == dice[1..];
    let dice = if double {
        dice.repeat(2)
    } else {
        dice.to_owned()
    };
    Game::from_text(&format!("game {row} 1 w:{dice} 0-0")).expect("a position")
}

/// Returns all legal plays, sorted.
pub fn plays(game: &Game) -> Vec<String> {
    let mut plays: Vec<String> = game
        .legal_moves()
        .iter()
        .map(|m| game.move_text(m))
        .collect();
    plays.sort();
    plays
}

/// Returns the reason for refusing a play.
pub fn refused(game: &Game, text: &str) -> Illegal {
    let m = game.parse_move(text).expect("a play");
    game.check(&m).expect_err(text)
}

/// Returns the board after a play, as text.
pub fn after(game: &Game, text: &str) -> String {
    let mut game = game.clone();
    game.play(&game.parse_move(text).expect("a play"));
    game.text()
        .split_whitespace()
        .nth(1)
        .expect("checkers")
        .to_owned()
}

pub fn steps(steps: &[(u8, u8)]) -> Move {
    let steps: Vec<CheckerStep> = steps
        .iter()
        .map(|(from, to)| CheckerStep {
            from: *from,
            to: *to,
        })
        .collect();
    Move::Play(Play::new(&steps).expect("at most four"))
}

// --- as many dice as possible ---

#[test]
fn both_dice_are_played_when_both_can_be() {
    let start = Game::from_text("game -b----E-C---eE---c-e----B- 1 w:31 0-0").expect("the start");
    assert!(
        start
            .legal_moves()
            .iter()
            .all(|m| matches!(m, Move::Play(play) if play.steps().len() == 2))
    );
    assert_eq!(refused(&start, "8/5"), Illegal::MustUseMore { can: 2 });
    assert_eq!(
        refused(&start, "8/5").to_string(),
        "2 dice can be played, so you must play that many"
    );
    assert_eq!(refused(&start, "pass"), Illegal::MustMove);
    assert_eq!(
        refused(&start, "pass").to_string(),
        "You have a legal move, so you can't pass"
    );
}

#[test]
fn one_die_is_played_when_no_second_can_be() {
    // The five leads to 19, and both continuations are blocked.
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
    assert_eq!(
        reason.to_string(),
        "Only one die can be played, and it must be the 6"
    );
    // A checker that cannot move at all changes nothing.
    let game = white_plays("24 7", "13:2 1:2 2:2 23:2", "65");
    assert_eq!(plays(&game), ["24/18"]);
    assert!(matches!(
        refused(&game, "24/19"),
        Illegal::MustUseHigher { .. }
    ));
}

#[test]
fn the_lower_is_played_when_only_it_can_be() {
    let game = white_plays("20 5", "14:2 13:2", "61");
    assert_eq!(plays(&game), ["20/19", "5/4"]);
    assert_eq!(refused(&game, "20/14"), Illegal::Blocked { to: 14 });
    assert_eq!(
        refused(&game, "20/19,5/4"),
        Illegal::NoDie { from: 5, to: 4 }
    );
}

#[test]
fn a_first_step_that_keeps_the_other_die_from_being_played_is_illegal() {
    // No six is possible from 11, so the two must not be played from 13.
    let game = white_plays("13 4", "5:2", "62");
    assert_eq!(plays(&game), ["13/7,4/2"]);
    assert_eq!(refused(&game, "13/11"), Illegal::MustUseMore { can: 2 });
    assert_eq!(refused(&game, "13/7"), Illegal::MustUseMore { can: 2 });
    assert_eq!(refused(&game, "13/5"), Illegal::Blocked { to: 5 });
    assert_eq!(
        refused(&game, "13/11,4/2"),
        Illegal::NoDie { from: 4, to: 2 }
    );
}

#[test]
fn the_lower_die_may_have_to_open_the_way_for_the_higher() {
    // The four is blocked until the three has been played.
    let game = white_plays("20", "16:2", "43");
    assert_eq!(plays(&game), ["20/13"]);
    assert_eq!(refused(&game, "20/16"), Illegal::Blocked { to: 16 });
    assert_eq!(refused(&game, "20/17"), Illegal::MustUseMore { can: 2 });
}

#[test]
fn nothing_is_played_when_nothing_can_be() {
    let game = white_plays("24:2", "18:2 19:2", "65");
    assert_eq!(plays(&game), ["pass"]);
    assert_eq!(game.forced_move(), Some(Move::Play(Play::PASS)));
    assert_eq!(refused(&game, "24/18"), Illegal::Blocked { to: 18 });
    assert_eq!(refused(&game, "24/18").to_string(), "Point 18 is blocked");
    let mut passed = game.clone();
    passed.play(&Move::Play(Play::PASS));
    assert_eq!(
        (passed.white_board(), passed.on_roll()),
        (game.white_board(), WHITE.next(2))
    );
    assert_eq!(passed.phase(), Phase::Rolling);
}

#[test]
fn a_pass_is_forced_only_where_nothing_can_be_played() {
    assert_eq!(white_plays("24", "18:2 13:2", "65").forced_move(), None);
    assert_eq!(Game::new(Rules::GAME).forced_move(), None);
}

// --- doubles ---

#[test]
fn a_double_is_played_four_times() {
    let game = white_plays("24 13", "1:15", "22");
    assert!(
        game.legal_moves()
            .iter()
            .all(|m| matches!(m, Move::Play(play) if play.steps().len() == 4))
    );
    assert_eq!(
        plays(&game),
        ["13/5", "24/16", "24/18,13/11", "24/20,13/9", "24/22,13/7"]
    );
    assert_eq!(refused(&game, "24/18"), Illegal::MustUseMore { can: 4 });
}

#[test]
fn as_much_of_a_double_is_played_as_possible() {
    for (held, play, can) in [
        ("14:2", "24/19", 1),
        ("9:2", "24/14", 2),
        ("4:2", "24/9", 3),
    ] {
        let game = white_plays("24", held, "55");
        assert_eq!(plays(&game), [play]);
        if can > 1 {
            assert_eq!(refused(&game, "24/19"), Illegal::MustUseMore { can });
        }
    }
    assert_eq!(plays(&white_plays("24", "19:2", "55")), ["pass"]);
}

#[test]
fn a_longer_play_of_a_double_must_be_chosen() {
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

// --- the bar ---

#[test]
fn a_checker_on_the_bar_enters_before_anything_else_moves() {
    let game = white_plays("bar 6:14", "1:2", "31");
    assert_eq!(plays(&game), ["bar/21", "bar/22,6/5", "bar/24,6/3"]);
    assert_eq!(refused(&game, "6/3,6/5"), Illegal::BarFirst);
    assert_eq!(
        refused(&game, "6/3,6/5").to_string(),
        "Checkers on the bar must enter first"
    );
    assert_eq!(refused(&game, "6/3"), Illegal::BarFirst);
}

#[test]
fn the_entry_may_be_written_last() {
    let game = white_plays("bar 6:14", "1:2", "31");
    assert_eq!(game.check(&steps(&[(6, 5), (BAR, 22)])), Ok(()));
    assert_eq!(
        game.parse_move("6/5,bar/22").map(|m| game.move_text(&m)),
        Ok("bar/22,6/5".to_owned())
    );
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
fn one_of_two_checkers_enters_if_only_one_can() {
    let game = white_plays("bar:2 6:13", "22:2", "31");
    assert_eq!(plays(&game), ["bar/24"]);
    assert_eq!(refused(&game, "bar/24,6/3"), Illegal::BarFirst);
    assert_eq!(refused(&game, "bar/22"), Illegal::Blocked { to: 22 });
}

#[test]
fn nothing_moves_if_no_checker_can_enter() {
    let game = white_plays("bar 6:14", "22:2 24:2", "31");
    assert_eq!(plays(&game), ["pass"]);
    assert_eq!(refused(&game, "6/5,6/3"), Illegal::BarFirst);
    let closed = white_plays("bar 6:14", "24:2 23:2 22:2 21:2 20:2 19:5", "66");
    assert_eq!(
        (plays(&closed), closed.forced_move().is_some()),
        (vec!["pass".to_owned()], true)
    );
}

#[test]
fn a_checker_enters_by_the_number_of_the_die() {
    for die in 1..=6u8 {
        let game = white_plays("bar 24:14", "bar:2", &format!("{die}{die}"));
        assert!(
            plays(&game).iter().all(|play| play.starts_with("bar/")),
            "{die}"
        );
        let entered = game
            .parse_move(&format!("bar/{}", 25 - die))
            .expect("a play");
        assert_eq!(game.check(&entered), Err(Illegal::MustUseMore { can: 4 }));
    }
}

// --- both colors ---

#[test]
fn black_plays_by_black_s_own_points() {
    let game = Game::from_text("game -b----E-C---eE---c-e----B- 1 b:31 0-0").expect("the start");
    let mut played = game.clone();
    played.play(&game.parse_move("8/5,6/5").expect("a play"));
    assert_eq!(
        played.text(),
        "game -b----E-C---eE---b-db---B- 1 w:roll 0-0"
    );
}

#[test]
fn what_remains_of_a_roll_is_played_like_a_roll() {
    // `diceUsed` of `state.json` describes such positions.
    let game = white_plays("24 13", "1:15", "2");
    assert_eq!(plays(&game), ["13/11", "24/22"]);
    let game = white_plays("24", "1:15", "222");
    assert_eq!(plays(&game), ["24/18"]);
    assert_eq!(Setup::from_game(&game).validate(), Ok(game));
}
