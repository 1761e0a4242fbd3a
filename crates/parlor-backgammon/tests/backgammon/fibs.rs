//! Board lines.

use parlor_backgammon::fibs::{FIELDS, FibsBoard, FibsError, FibsWriteError, answer};
use parlor_backgammon::{Game, GameFlaw, Move, Phase, Play, Rules, Setup, Win};
use parlor_core::{Notation, Position, Seat, Turn};
use proptest::prelude::*;

use crate::walks::{all_rules, forgetful, is_going_on, part_of_a_roll, walk};

/// Lines sent by GNU Backgammon 1.07, each with its game and the seat that has to act. Alice was
/// player 0, bob player 1.
const SENT: [(&str, &str, Seat); 9] = [
    (
        "board:alice:bob:3:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:-1:2:1:2:1:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1",
        "match3+cube -b----E-C---eE---c-e----B- 1 b:21 0-0",
        Seat::SECOND,
    ),
    (
        "board:alice:bob:3:0:0:0:-1:-1:0:0:0:5:0:3:0:0:0:-4:6:-1:0:0:-3:0:-5:0:0:0:0:1:0:-1:0:0:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:1",
        "match3+cube -aa---E-C---dFa--c-e----A- 1 b:cube 0-0",
        Seat::SECOND,
    ),
    (
        "board:bob:alice:3:0:0:0:0:-1:0:-2:-1:5:3:3:0:0:0:-2:3:-1:0:0:-2:-1:-5:0:0:0:0:0:1:1:0:0:0:0:1:1:1:1:1:-1:0:25:0:0:0:0:0:0:0:1",
        "match3+cube --a-baECC---bCa--bae-----A 1 w:doubled 0-0",
        Seat::SECOND,
    ),
    (
        "board:alice:bob:3:0:1:0:-2:0:2:0:0:5:0:4:0:0:0:-4:2:0:0:0:-4:0:-5:0:0:1:0:1:0:-1:3:2:3:2:2:1:0:0:1:-1:0:25:0:0:0:0:0:0:0:1",
        "match3+cube -b-B--E-D---dB---d-e--A-A- 2w b:32 1-0",
        Seat::SECOND,
    ),
    (
        "board:alice:bob:3:2:1:0:-2:0:0:0:0:5:0:3:0:0:1:-5:4:0:0:0:-3:0:-5:0:0:0:1:1:0:-1:6:1:6:1:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:0:0",
        "match3+cube -b----E-C--AeD---c-e---AA- 1 b:61 1-2/crawford",
        Seat::SECOND,
    ),
    (
        "board:alice:bob:5:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-4:5:0:0:0:-2:-2:-5:0:0:0:0:2:0:1:6:2:6:2:2:0:1:0:1:-1:0:25:0:0:0:0:0:0:0:1",
        "match5+cube -b----E-C---dE---bbe----B- 2b w:62 0-0",
        Seat::FIRST,
    ),
    (
        "board:bob:alice:5:2:0:0:-1:-1:0:0:0:5:0:3:0:0:1:-4:4:0:0:1:-2:-1:-4:0:-2:0:1:0:0:-1:0:0:0:0:2:0:1:1:1:-1:0:25:0:0:0:0:0:0:0:1",
        "match5+cube -aa---E-C--AdD--Abad-b-A-- 2b b:doubled 2-0",
        Seat::FIRST,
    ),
    (
        "board:bob:alice:5:4:3:0:-2:0:0:0:0:5:0:4:0:0:0:-5:4:0:0:0:-3:0:-5:0:0:1:0:1:0:-1:0:0:0:0:1:1:1:1:1:-1:0:25:0:0:0:0:0:0:1:1",
        "match5+cube -b----E-D---eD---c-e--A-A- 1 b:doubled 4-3/after",
        Seat::FIRST,
    ),
    (
        "board:alice:bob:5:3:4:0:-1:0:0:0:0:5:0:4:0:0:-1:-5:4:0:0:0:-3:0:-5:0:0:1:0:1:0:1:3:4:3:4:2:1:0:0:1:-1:0:25:0:0:0:0:0:0:1:1",
        "match5+cube -a----E-D--aeD---c-e--A-A- 2w w:43 4-3/after",
        Seat::FIRST,
    ),
];

#[test]
fn a_match_to_one_point_is_written_as_gnubg_does() {
    let line = "board:alice:bob:1:0:0:0:2:0:0:0:2:3:-3:3:0:0:1:-2:2:2:0:0:-2:0:-2:0:-1:-1:-2:-2:0:1:5:3:5:3:1:1:1:0:1:-1:0:25:0:0:0:0:0:0:1:1";
    let game = FibsBoard::parse(line)
        .and_then(|board| board.to_game())
        .expect("a game");
    assert_eq!(
        game.rules(),
        Rules::match_to(1).expect("a length").normalized()
    );
    let ours = FibsBoard::from_game(&game, ["bob", "alice"]).expect("somebody is on turn");
    assert_eq!((ours.post_crawford, ours.no_crawford), (true, 1));
    assert!(line.ends_with(":1:1"));
}

#[test]
fn every_line_of_gnubg_is_understood_and_written_alike() {
    for (line, text, asked) in SENT {
        let board = FibsBoard::parse(&format!("{line}\n\0")).expect("a line");
        let game = board.to_game().expect("a game");
        assert_eq!(game.text(), text);
        assert_eq!(game.turn(), Turn::Move(asked));
        assert_eq!(board.to_line(), line);
        let ours = FibsBoard::from_game(&game, ["bob", "alice"])
            .expect("somebody is on turn")
            .to_line();
        // GNU Backgammon writes the dice in the order in which they fell.
        assert_eq!(ours, line.replace(":3:4:3:4:", ":4:3:4:3:"));
    }
}

#[test]
fn every_position_of_every_kind_of_game_comes_back_from_its_line() {
    let mut lines = 0;
    for (seed, rules) in (0..).zip(all_rules().into_iter().cycle().take(80)) {
        walk(rules, seed, |game, _| {
            if !is_going_on(game) {
                assert_eq!(
                    FibsBoard::from_game(game, ["w", "b"]),
                    Err(FibsWriteError::Nobody)
                );
                return;
            }
            let line = FibsBoard::from_game(game, ["w", "b"])
                .expect("somebody is on turn")
                .to_line();
            let back = FibsBoard::parse(&line)
                .expect("a line")
                .to_game_with(game.rules())
                .expect("a game");
            assert_eq!(back, forgetful(game), "{line}");
            lines += 1;
            if let Some(game) = part_of_a_roll(game) {
                assert_eq!(
                    FibsBoard::from_game(&game, ["w", "b"]),
                    Err(FibsWriteError::PartOfARoll)
                );
            }
        });
    }
    assert!(lines > 10_000, "only {lines} lines");
}

#[test]
fn a_board_turned_around_means_the_same_game() {
    walk(Rules::match_to(5).expect("a length"), 5, |game, _| {
        let Ok(mut board) = FibsBoard::from_game(game, ["w", "b"]) else {
            return;
        };
        board.points.reverse();
        board.direction = 1;
        assert_eq!(board.to_game().expect("a game"), forgetful(game));
    });
}

fn with(field: usize, text: &str) -> String {
    let mut fields: Vec<&str> = SENT[0].0.split(':').collect();
    fields[field - 1] = text;
    fields.join(":")
}

#[test]
fn errors_in_a_line_are_reported() {
    let read = |line: &str| {
        FibsBoard::parse(line)
            .and_then(|board| board.to_game())
            .expect_err("a wrong line")
    };
    assert_eq!(read("bored:a:b"), FibsError::NotABoard);
    assert_eq!(read("board:a:b"), FibsError::Fields { count: 3 });
    assert_eq!(
        read(&with(8, "16")).to_string(),
        "field 8 of the board line, a point: expected a number from -15 to 15, got \"16\""
    );
    assert_eq!(read(&with(33, "0")), FibsError::Nobody);
    assert_eq!(read(&with(43, "0")), FibsError::Direction);
    assert_eq!(read(&with(4, "65")), FibsError::Length { length: 65 });
    assert_eq!(read(&with(34, "0")), FibsError::Dice(0, 1));
    assert_eq!(read(&with(38, "3")), FibsError::Cube(3));
    assert_eq!(read(&with(38, "2048")), FibsError::Cube(2_048));
    let flaws = |line: &str| match read(line) {
        FibsError::Flaws(flaws) => flaws.0,
        other => panic!("{other}"),
    };
    assert_eq!(
        flaws(&with(46, "1")),
        [GameFlaw::Checkers {
            seat: Seat::FIRST,
            sum: 16
        }]
    );
    assert_eq!(
        flaws(&with(7, "1")),
        [GameFlaw::Checkers {
            seat: Seat::FIRST,
            sum: 16
        }]
    );
    assert_eq!(
        flaws(&with(5, "3")),
        [GameFlaw::Score {
            white: 0,
            black: 3,
            length: 3,
            over: false
        }]
    );
    assert_eq!(flaws(&with(38, "2")), [GameFlaw::CubeOwner]);
    assert_eq!(with(1, "board").split(':').count(), FIELDS);
}

#[test]
fn unlimited_play_and_its_running_score_are_money() {
    let board: FibsBoard = with(4, "9999").parse().expect("a line");
    assert_eq!(board.to_game().expect("a game").rules(), Rules::MONEY);
    let board: FibsBoard = with(4, "0")
        .replace(":0:0:0:0:-2", ":0:12:3:0:-2")
        .parse()
        .expect("a line");
    assert_eq!(board.to_game().expect("a game").score(), [0, 0]);
}

#[test]
fn a_match_without_crawford_is_recognized_at_its_last_point() {
    let line = SENT[4]
        .0
        .strip_suffix('0')
        .map(|line| format!("{line}1"))
        .expect("it ends so");
    let game = FibsBoard::parse(&line)
        .and_then(|board| board.to_game())
        .expect("a game");
    assert!(!game.rules().crawford);
}

#[test]
fn answers_are_single_steps_and_words() {
    let game = Game::from_text("game --a------------------AC-A - 0-0").err();
    assert!(game.is_some(), "no such position");
    let game =
        Game::from_text("game+cube -a-A------------------A-AB 1 w:31 0-0").expect("a position");
    let text = |text: &str| answer(&game, &game.parse_move(text).expect("a play"));
    assert_eq!(text("bar/22 bar/24"), "bar/22 bar/24");
    let off = Game::from_text("game A----------------------a-- 1 w:66 0-0");
    assert!(off.is_err());
    let off = Game::from_text("game -BA--------------------a-- 1 w:66 0-0").expect("a position");
    assert_eq!(
        answer(&off, &off.parse_move("2/off 1/off(2)").expect("a play")),
        "2/off 1/off 1/off"
    );
    assert_eq!(answer(&off, &Move::Play(Play::PASS)), "");
    assert_eq!(answer(&off, &Move::Resign(Win::Gammon)), "resign 2");
    let words = [
        Move::Roll,
        Move::Double,
        Move::Take,
        Move::Drop,
        Move::Beaver,
    ]
    .map(|m| answer(&off, &m));
    assert_eq!(words, ["roll", "double", "take", "drop", "beaver"]);
}

#[test]
fn an_offer_to_resign_has_no_line() {
    let mut game = Setup {
        phase: Phase::Cube,
        ..Setup::new(Rules::MONEY)
    }
    .validate()
    .expect("a game");
    game.play(&Move::Resign(Win::Single));
    assert_eq!(
        FibsBoard::from_game(&game, ["w", "b"]),
        Err(FibsWriteError::Resignation)
    );
}

#[test]
fn a_beaver_is_a_double_of_the_cube_that_the_other_owns() {
    let rules = Rules {
        beavers: true,
        ..Rules::MONEY
    };
    let mut game = Setup {
        phase: Phase::Cube,
        ..Setup::new(rules)
    }
    .validate()
    .expect("a game");
    game.play(&Move::Double);
    game.play(&Move::Beaver);
    let board = FibsBoard::from_game(&game, ["w", "b"]).expect("somebody is on turn");
    assert_eq!(
        (board.cube, board.may_double, board.turn),
        (2, [false, true], 1)
    );
    assert_eq!(board.to_game_with(rules), Ok(game));
}

proptest! {
    #![proptest_config(ProptestConfig::default())]

    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC*", fields in prop::collection::vec("-?[0-9]{1,3}", 50)) {
        let _ = FibsBoard::parse(&text);
        let _ = FibsBoard::parse(&format!("board:a:b:{}", fields.join(":"))).map(|board| board.to_game());
    }

    #[test]
    fn no_numbers_make_an_invalid_game(
        field in 4usize..54, other in 4usize..54, number in -16i32..70, second in -16i32..70, line in 0usize..9
    ) {
        let mut fields: Vec<String> = SENT[line].0.split(':').map(str::to_owned).collect();
        fields[field - 1] = number.to_string();
        fields[other - 1] = second.to_string();
        if let Ok(game) = FibsBoard::parse(&fields.join(":")).and_then(|board| board.to_game()) {
            prop_assert_eq!(Setup::from_game(&game).validate(), Ok(game));
        }
    }
}
