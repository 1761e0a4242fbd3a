//! Position ID, Match ID and XGID.

use parlor_backgammon::ids::{self, IdError, IdWriteError};
use parlor_backgammon::{Board, Crawford, Game, GameFlaw, Phase, Rules, Setup, StartLayout};
use parlor_core::{Notation, Seat};
use proptest::prelude::*;

use crate::walks::{all_rules, forgetful, is_going_on, part_of_a_roll, walk};

const START: &str = "-b----E-C---eE---c-e----B-";

#[test]
fn the_start_has_the_ids_that_everybody_knows() {
    assert_eq!(ids::position_id(&Board::START), "4HPwATDgc/ABMA");
    assert_eq!(
        ids::board_from_position_id("4HPwATDgc/ABMA"),
        Ok(Board::START)
    );
    // Written by GNU Backgammon at the start of a match to 5, player 1 having thrown 31 and player
    // 0 having thrown 21.
    let game = |phase: &str, to: u8| {
        Game::from_text(&format!("match{to}+cube {START} 1 {phase} 0-0")).expect("a game")
    };
    assert_eq!(
        ids::gnubg_id(&game("w:31", 5)),
        Ok("4HPwATDgc/ABMA:cImlAAAAAAAE".to_owned())
    );
    assert_eq!(
        ids::gnubg_id(&game("b:21", 3)),
        Ok("4HPwATDgc/ABMA:MAFlAAAAAAAE".to_owned())
    );
    assert_eq!(
        ids::xgid(&game("w:cube", 7)),
        Ok(format!("XGID={START}:0:0:1:00:0:0:0:7:10"))
    );
    assert_eq!(
        ids::game_from_xgid(&format!("XGID={START}:0:0:1:00:0:0:0:7:10")),
        Ok(game("w:cube", 7))
    );
}

/// Returns the game with only the information that an ID holds.
fn as_in_id(game: &Game, beavers: bool, cube: bool) -> Game {
    let mut setup = Setup::from_game(&forgetful(game));
    let Rules { length, .. } = setup.rules;
    let within_one = setup.score.iter().any(|score| score + 1 == length);
    setup.rules = Rules {
        crawford: true,
        start: StartLayout::Standard,
        cube: cube || setup.rules.cube && length != 1,
        beavers: beavers && setup.rules.beavers,
        ..setup.rules
    };
    if setup.crawford == Crawford::Before && within_one && length > 1 && setup.rules.cube {
        setup.crawford = Crawford::After;
    }
    setup.rules = setup.rules.normalized();
    if setup.phase == Phase::Rolling {
        let rolling = setup.validate().expect("a game");
        if rolling.can_double(setup.on_roll) {
            setup.phase = Phase::Cube;
        }
    }
    setup.validate().expect("a game")
}

#[test]
fn every_position_of_every_kind_of_game_comes_back_from_its_ids() {
    let mut seen = 0;
    for (seed, rules) in (0..).zip(all_rules().into_iter().cycle().take(80)) {
        walk(rules, seed, |game, _| {
            let board = game.board();
            if board.mover().off() < 15 && board.other().off() < 15 {
                assert_eq!(
                    ids::board_from_position_id(&ids::position_id(&board)),
                    Ok(board)
                );
            }
            if !is_going_on(game) {
                let why = if game.phase() == Phase::Opening {
                    IdWriteError::Opening
                } else {
                    IdWriteError::Over
                };
                assert_eq!((ids::xgid(game), ids::match_id(game)), (Err(why), Err(why)));
                return;
            }
            let xgid = ids::xgid(game).expect("somebody is on turn");
            assert_eq!(
                ids::game_from_id(&xgid),
                Ok(as_in_id(game, true, false)),
                "{xgid}"
            );
            let gnubg = ids::gnubg_id(game).expect("somebody is on turn");
            // A pending beaver implies that beavers are allowed.
            if game.phase() != Phase::Beavered {
                assert_eq!(
                    ids::game_from_id(&gnubg),
                    Ok(as_in_id(game, false, true)),
                    "{gnubg}"
                );
            }
            seen += 1;
            if let Some(game) = part_of_a_roll(game) {
                assert_eq!(
                    (ids::xgid(&game), ids::match_id(&game)),
                    (
                        Err(IdWriteError::PartOfARoll),
                        Err(IdWriteError::PartOfARoll)
                    )
                );
            }
        });
    }
    assert!(seen > 10_000, "only {seen} positions");
}

#[test]
fn a_beaver_that_waits_is_in_both_ids() {
    let game =
        Game::from_text(&format!("game+cube+beavers {START} 2b b:beavered 0-0")).expect("a game");
    assert_eq!(
        ids::xgid(&game),
        Ok(format!("XGID={START}:1:-1:-1:B:0:0:2:0:10"))
    );
    assert_eq!(
        ids::game_from_xgid(&format!("{START}:1:-1:-1:B:0:0:2:0:10")),
        Ok(game.clone())
    );
    let id = ids::gnubg_id(&game).expect("somebody is on turn");
    // A Match ID does not say that beavers are allowed, so a pending one implies it.
    assert_eq!(ids::game_from_gnubg_id(&id), Ok(game));
}

#[test]
fn an_offer_to_resign_is_in_a_match_id() {
    for (what, win) in [("cube!1", 1), ("31!2", 2), ("52!3", 3)] {
        let game = Game::from_text(&format!("match5+cube {START} 1 b:{what} 1-2")).expect("a game");
        assert_eq!(game.resigning().map(|win| win.factor()), Some(win));
        let id = ids::gnubg_id(&game).expect("somebody is on turn");
        assert_eq!(ids::game_from_gnubg_id(&id), Ok(game.clone()));
        assert_eq!(ids::xgid(&game), Err(IdWriteError::Resignation));
    }
}

#[test]
fn a_position_id_alone_is_a_game_with_white_on_roll() {
    let game = ids::game_from_id("4HPwATDgc/ABMA").expect("a game");
    assert_eq!(game.text(), format!("game {START} 1 w:roll 0-0"));
}

#[test]
fn errors_in_a_position_id_are_reported() {
    let read = |text: &str| ids::board_from_position_id(text).expect_err("a wrong ID");
    assert_eq!(
        read("4HPwATDgc/ABM").to_string(),
        "a Position ID has 14 characters, not 13"
    );
    assert_eq!(
        read("4HPwATDgc!ABMA").to_string(),
        "'!' at place 10 of a Position ID is none of A-Z, a-z, 0-9, + and /"
    );
    assert_eq!(
        read("4HPwATDgc/ABMB").to_string(),
        "'B' at place 14 of a Position ID is none of A, Q, g and w"
    );
    assert_eq!(
        read("//////////////").to_string(),
        "'/' at place 14 of a Position ID is none of A, Q, g and w"
    );
    let flaws = |text: &str| match read(text) {
        IdError::Flaws(flaws) => flaws.0,
        other => panic!("{other}"),
    };
    assert_eq!(
        flaws("/////////////w"),
        [GameFlaw::Checkers {
            seat: Seat::SECOND,
            sum: 80
        }]
    );
    assert_eq!(flaws("AAAAAAAAAAAAAA"), [GameFlaw::BothDone]);
    // One checker each, on a point that is the one's 1 and the other's 24.
    assert_eq!(flaws("AACABAAAAAAAAA"), [GameFlaw::Shared { point: 1 }]);
    assert_eq!(read("AAAAAAAAAAAAAg"), IdError::Bits);
}

#[test]
fn errors_in_a_match_id_are_reported() {
    let read = |text: &str| {
        ids::game_from_match_id(text, &Board::START)
            .expect_err("a wrong ID")
            .to_string()
    };
    assert_eq!(read("cImlAAAAAAA"), "a Match ID has 12 characters, not 11");
    assert_eq!(
        read("AAAAAAAAAAAA"),
        "the ID's state of the game: expected 1, a game that goes on, got \"0\""
    );
    assert_eq!(
        read("////////////"),
        "the ID's match length: expected 0 to 64, got \"32767\""
    );
    let both = ids::game_from_gnubg_id("4HPwATDgc/ABMA").expect_err("half an ID");
    assert_eq!(both, IdError::Unknown);
    // The player on roll has two checkers left and the other none, so the game is over.
    let done =
        ids::game_from_gnubg_id("AAAAAAAAAwAAAA:cImlAAAAAAAE").expect_err("a game that is over");
    assert!(matches!(done, IdError::Flaws(_)), "{done}");
}

#[test]
fn errors_in_an_xgid_are_reported() {
    let read = |text: &str| ids::game_from_id(text).expect_err("a wrong ID").to_string();
    let with = |rest: &str| read(&format!("XGID={START}:{rest}"));
    assert_eq!(
        with("0:0:1:00:0:0:0:7"),
        "an XGID has 10 fields separated by colons, not 9"
    );
    assert_eq!(
        with("0:0:0:00:0:0:0:7:10"),
        "the ID's turn: expected 1 or -1, got \"0\""
    );
    assert_eq!(
        with("0:2:1:00:0:0:0:7:10"),
        "the ID's owner of the cube: expected 1, -1 or 0, got \"2\""
    );
    assert_eq!(
        with("11:1:1:00:0:0:0:7:10"),
        "the ID's cube: expected 0 to 10, as a power of two, got \"11\""
    );
    assert_eq!(
        with("0:0:1:07:0:0:0:7:10"),
        "the ID's roll: expected two dice such as 31, 00, D (doubled) or B (beavered), got \"07\""
    );
    assert_eq!(
        with("0:0:1:00:0:0:2:7:10"),
        "the ID's Crawford game: expected 0 or 1, got \"2\""
    );
    assert_eq!(
        with("0:0:1:00:0:0:4:0:10"),
        "the ID's rules of money play: expected 0 to 3, got \"4\""
    );
    assert_eq!(
        with("0:0:1:00:0:0:0:65:10"),
        "the ID's match length: expected 0 to 64, got \"65\""
    );
    assert_eq!(
        with("0:0:1:00:7:0:0:7:10"),
        "the ID does not describe a valid game: the score 7-0 is not possible in a match to 7 that is going on"
    );
    assert_eq!(
        with("0:0:1:00:0:0:1:7:10"),
        "the ID does not describe a valid game: the Crawford game does not fit the score"
    );
    assert_eq!(
        with("1:0:1:00:0:0:0:7:10"),
        "the ID does not describe a valid game: a cube has an owner exactly if it was turned"
    );
    assert_eq!(
        with("0:0:1:D:6:0:1:7:10"),
        "the ID does not describe a valid game: no double is possible here"
    );
    let board = |board: &str| read(&format!("XGID={board}:0:0:1:00:0:0:0:7:10"));
    assert_eq!(
        board("-b----E-C---eE---c-e----B"),
        "the board of an XGID has 26 characters, not 25"
    );
    assert_eq!(
        board("Ab----E-C---eE---c-e----B-"),
        "'A' at place 1 of the board of an XGID is none of - and a-o (the upper player's bar)"
    );
    assert_eq!(
        board("-b----E-C---eE---c-e----Bb"),
        "'b' at place 26 of the board of an XGID is none of - and A-O (the lower player's bar)"
    );
    assert_eq!(
        board("-b----E-C---eE---c-e----Z-"),
        "'Z' at place 25 of the board of an XGID is none of -, A-O and a-o"
    );
    assert_eq!(
        board("-b----F-C---eE---c-e----B-"),
        "the ID does not describe a valid game: white has 16 checkers; there are 15"
    );
    assert_eq!(
        board("-OOOOOOOOOOOOOOOOOOOOOOOOO"),
        "the ID does not describe a valid game: white has 375 checkers; there are 15; black has borne off all checkers, but the game is not over"
    );
}

#[test]
fn a_running_score_of_money_play_is_no_part_of_the_game() {
    let game =
        ids::game_from_xgid(&format!("XGID={START}:0:0:-1:52:300:12:3:0:10")).expect("a game");
    assert_eq!(
        game.text(),
        format!("game+cube+jacoby+beavers {START} 1 b:52 0-0")
    );
}

#[test]
fn an_xgid_whose_cube_has_no_values_is_a_game_without_cube() {
    let game = ids::game_from_xgid(&format!("{START}:0:0:1:52:0:0:0:0:0")).expect("a game");
    assert_eq!(game.rules(), Rules::GAME);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_the_readers_panic(
        text in "\\PC*", position in "[A-Za-z0-9+/]{13}[AQgw]", id in "[A-Za-z0-9+/]{12}",
        board in "[-a-oA-O]{26}", rest in "[-0-9DB]{1,2}(:[-0-9DB]{1,3}){8}"
    ) {
        let _ = ids::game_from_id(&text);
        if let Ok(board) = ids::board_from_position_id(&position) {
            // The ID holds nothing but the checkers, so it is the only one of its board.
            prop_assert_eq!(ids::position_id(&board), position);
        }
        for game in [ids::game_from_match_id(&id, &Board::START), ids::game_from_id(&format!("{board}:{rest}")),
            ids::game_from_id(&format!("XGID={START}:{rest}"))].into_iter().flatten() {
            prop_assert_eq!(Setup::from_game(&game).validate(), Ok(game));
        }
    }

    #[test]
    fn a_changed_character_is_refused_or_still_means_a_game(seed in 0u64..50, at in 0usize..27, byte in b'!'..b'~') {
        walk(Rules::match_to(3).expect("a length"), seed, |game, _| {
            let Ok(id) = ids::gnubg_id(game) else { return };
            let mut bytes = id.clone().into_bytes();
            bytes[at] = byte;
            let changed = String::from_utf8(bytes).expect("ASCII");
            if let Ok(other) = ids::game_from_gnubg_id(&changed) {
                assert_eq!(Setup::from_game(&other).validate(), Ok(other));
            }
        });
    }
}
