//! Resignations of games, accepted or refused by the opponent.

use parlor_backgammon::{BLACK, Game, Illegal, Move, Rules, WHITE, Win};
use parlor_core::{Notation, Outcome, Position, Turn};

const START: &str = "-b----E-C---eE---c-e----B-";

fn game(text: &str) -> Game {
    Game::from_text(text).expect("a position")
}

fn play(game: &mut Game, words: &str) {
    words
        .split_whitespace()
        .for_each(|word| game.play(&game.parse_move(word).expect("a move")));
}

#[test]
fn a_resignation_waits_for_the_other_side_to_agree() {
    let mut now = game(&format!("match5+cube {START} 2b b:cube 1-1"));
    play(&mut now, "resign:2");
    assert_eq!(
        (now.turn(), now.resigning()),
        (Turn::Move(WHITE), Some(Win::Gammon))
    );
    assert_eq!(now.legal_moves(), [Move::Accept, Move::Refuse]);
    assert_eq!(now.check(&Move::Roll), Err(Illegal::AnswerTheResignation));
    assert_eq!(Game::from_text(&now.text()).as_ref(), Ok(&now));
    play(&mut now, "accept");
    assert_eq!(
        (now.score(), now.turn()),
        (
            [5, 1],
            Turn::Over(Outcome::Won {
                by: WHITE,
                points: 1
            })
        )
    );
}

#[test]
fn the_next_game_of_the_match_begins_after_it() {
    let mut now = game(&format!("match5+cube {START} 1 w:31 1-1"));
    play(&mut now, "resign:1 accept");
    assert_eq!((now.score(), now.turn()), ([1, 2], Turn::Chance));
    assert_eq!(now.chances().len(), 30, "an opening roll comes next");
    assert_eq!(
        now.last_result().map(|last| (last.by, last.points)),
        Some((BLACK, 1))
    );
}

#[test]
fn a_refused_resignation_changes_nothing_and_is_not_offered_again_in_this_turn() {
    let mut now = game(&format!("game {START} 1 w:31 0-0"));
    let before = now.clone();
    play(&mut now, "resign:1 refuse");
    assert_eq!(
        (now.turn(), now.legal_moves(), now.dice()),
        (before.turn(), before.legal_moves(), before.dice())
    );
    assert_eq!(now.check(&Move::Resign(Win::Gammon)), Err(Illegal::Refused));
    assert_eq!(Game::from_text(&now.text()).as_ref(), Ok(&now));
    play(&mut now, "8/5,6/5");
    now.resolve(&now.parse_chance("64").expect("a roll"));
    assert!(
        now.can_resign(),
        "the other side may, and in its next turn the one that was refused too"
    );
}

#[test]
fn nobody_resigns_out_of_turn_or_while_the_dice_fall() {
    for (text, reason) in [
        ("w:roll", Illegal::NotRolled),
        ("open", Illegal::NotRolled),
        ("w:doubled", Illegal::AnswerTheDouble),
    ] {
        let now = game(&format!("game+cube {START} 1 {text} 0-0"));
        assert_eq!(now.check(&Move::Resign(Win::Single)), Err(reason), "{text}");
    }
    assert_eq!(
        game(&format!("game {START} 1 w:31 0-0")).check(&Move::Accept),
        Err(Illegal::NoResignation)
    );
}

#[test]
fn resigning_is_possible_but_never_listed() {
    let now = game(&format!("game+cube {START} 1 w:cube 0-0"));
    assert_eq!(now.legal_moves(), [Move::Roll, Move::Double]);
    assert_eq!(now.check(&Move::Resign(Win::Single)), Ok(()));
}

#[test]
fn with_the_jacoby_rule_an_unturned_cube_lets_no_gammon_be_lost() {
    let mut now = game(&format!("game+cube+jacoby {START} 1 w:cube 0-0"));
    play(&mut now, "resign:3 accept");
    assert_eq!(
        now.turn(),
        Turn::Over(Outcome::Won {
            by: BLACK,
            points: 1
        })
    );
    let mut now = game(&format!("game+cube+jacoby {START} 4b b:cube 0-0"));
    play(&mut now, "resign:3 accept");
    assert_eq!(
        now.turn(),
        Turn::Over(Outcome::Won {
            by: WHITE,
            points: 12
        })
    );
}

#[test]
fn a_text_with_a_resignation_where_none_can_be_is_refused() {
    for text in ["w:roll!1", "open!1", "w:31!4", "w:doubled!2", "open!"] {
        assert!(
            Game::from_text(&format!("game+cube {START} 1 {text} 0-0")).is_err(),
            "{text}"
        );
    }
    assert!(Game::new(Rules::GAME).resigning().is_none());
}

/// Found by fuzzing: a refusal was written in every phase of the turn, but read in two of them.
#[test]
fn a_refusal_is_written_and_read_until_the_end_of_the_turn() {
    let mut now = game(&format!("match5+cube {START} 1 b:cube 0-1"));
    play(&mut now, "resign:1 refuse");
    let cube = now.clone();
    for moves in ["roll", "double", "double take"] {
        let mut now = cube.clone();
        play(&mut now, moves);
        assert!(now.text().contains('!'), "{}", now.text());
        assert_eq!(Game::from_text(&now.text()).as_ref(), Ok(&now), "{moves}");
    }
}
