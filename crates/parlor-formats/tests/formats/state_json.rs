//! Contents of `state.json` and of move files. Their JSON is tested where it is read.

use parlor_backgammon::{
    BLACK, Chance, Die, Game, Move, Phase, Play, Roll, Rules, StartLayout, WHITE,
};
use parlor_core::{Notation, Position, Turn};
use parlor_formats::state_json::{
    FileStep, FileTimestamp, MESSAGES_KEPT, Message, MessageKind, MoveDocument, MoveFileName,
    StateDocument, StateExtras, StateFault,
};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

fn at(nanos: i128) -> FileTimestamp {
    FileTimestamp {
        text: format!("{nanos} ns"),
        nanos: Some(nanos),
    }
}

fn extras(turn: u64, dice: &[Die]) -> StateExtras {
    StateExtras {
        turn,
        dice: dice.to_vec(),
        used: Vec::new(),
        last_move: None,
        players: ["alice".to_owned(), "bob".to_owned()],
        messages: Vec::new(),
        updated_at: at(0),
    }
}

fn faces(roll: &str) -> Vec<Die> {
    roll.parse::<Roll>().expect("a roll").faces()
}

/// Returns a game in which white has thrown 4 and black 2.
fn opened(start: StartLayout) -> Game {
    let mut game = Game::new(Rules {
        start,
        ..Rules::GAME
    });
    game.resolve(&game.parse_chance("4-2").expect("an opening roll"));
    game
}

/// Plays a random game and calls a function before every play that is not forced, with the number
/// of the turn and the dice.
fn each_decision(start: StartLayout, seed: u64, mut on_decision: impl FnMut(&Game, u64, &[Die])) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut game = Game::new(Rules {
        start,
        ..Rules::GAME
    });
    let (mut turn, mut dice) = (1, Vec::new());
    let (mut moves, mut chances) = (Vec::new(), Vec::new());
    loop {
        match game.turn() {
            Turn::Chance => {
                let chance = game
                    .random_chance(&mut rng, &mut chances)
                    .expect("luck decides");
                dice = match chance {
                    Chance::Opening { white, black } => Roll::new(white, black).faces(),
                    Chance::Roll(roll) => roll.faces(),
                };
                game.resolve(&chance);
            }
            Turn::Move(_) => {
                if game.forced_move().is_none() {
                    on_decision(&game, turn, &dice);
                }
                let m = game
                    .random_move(&mut rng, &mut moves)
                    .expect("a pass is a move");
                game.play(&m);
                turn += 1;
            }
            Turn::Over(_) => return,
        }
    }
}

#[test]
fn the_first_turn_can_always_be_played() {
    for start in StartLayout::ALL {
        let game = Game::new(Rules {
            start,
            ..Rules::GAME
        });
        for (chance, _) in game.chances() {
            let mut rolled = game.clone();
            rolled.resolve(&chance);
            assert_eq!(rolled.forced_move(), None, "{start:?} {chance:?}");
        }
    }
}

#[test]
fn a_document_of_a_game_converts_back_to_it() {
    for start in StartLayout::ALL {
        for seed in 0..20 {
            each_decision(start, seed, |game, turn, dice| {
                let state = StateDocument::from_game(game, extras(turn, dice))
                    .expect("the dice lie on the board");
                assert_eq!(state.to_game(start).as_ref(), Ok(game));
                assert_eq!(state.to_partial().into_document(), Some(state));
            });
        }
    }
}

#[test]
fn a_state_needs_dice_and_those_that_the_game_has() {
    let game = opened(StartLayout::Standard);
    let beside = |dice: &str| extras(1, &faces(dice));
    assert!(StateDocument::from_game(&game, beside("42")).is_ok());
    assert!(
        StateDocument::from_game(&game, beside("43"))
            .is_err_and(|error| error.to_string().contains("dice that are left"))
    );
    assert!(
        StateDocument::from_game(&Game::new(Rules::GAME), beside("42"))
            .is_err_and(|error| error.to_string().contains("not been rolled"))
    );
}

#[test]
fn only_the_last_twenty_messages_are_written() {
    let message = |number: usize| Message {
        kind: MessageKind::Info,
        text: format!("message {number}"),
        at: at(0),
    };
    let all: Vec<Message> = (0..2 * MESSAGES_KEPT).map(message).collect();
    let beside = StateExtras {
        messages: all.clone(),
        ..extras(1, &faces("42"))
    };
    let state = StateDocument::from_game(&opened(StartLayout::Standard), beside)
        .expect("the dice lie on the board");
    assert_eq!(state.messages, all[MESSAGES_KEPT..]);
}

#[test]
fn all_faults_are_reported_at_once() {
    let start = StartLayout::Standard;
    let sound = StateDocument::from_game(&opened(start), extras(1, &faces("42")))
        .expect("the dice lie on the board");
    assert_eq!(sound.check(start).faults, []);
    let mut wrong = sound.clone();
    wrong.row.bar[WHITE.index()] = 1;
    wrong.winner = Some(BLACK);
    wrong.used = faces("33");
    let faults = wrong.check(start).faults;
    let has = |fault: &StateFault| faults.contains(fault);
    assert!(has(&StateFault::Checkers {
        seat: WHITE,
        sum: 16
    }));
    assert!(has(&StateFault::WinnerTooEarly { winner: BLACK }));
    assert!(faults.iter().any(|fault| fault.rule() == "dice-used"));
}

#[test]
fn a_play_is_the_steps_of_a_move_file_and_back() {
    for start in StartLayout::ALL {
        each_decision(start, 7, |game, _, dice| {
            let Phase::Moving(left) = game.phase() else {
                panic!("the dice are rolled")
            };
            for m in game.legal_moves() {
                let Move::Play(play) = m else {
                    panic!("a game without a cube has only plays")
                };
                let moves =
                    FileStep::for_play(&game.board(), &left.faces(), &play, start, game.on_roll())
                        .expect("the play is legal");
                let document = MoveDocument {
                    player: game.on_roll(),
                    moves,
                    timestamp: at(0),
                    expected_state: "0".repeat(16),
                    dice_roll: dice.to_vec(),
                    comment: None,
                };
                assert_eq!(document.play(start), Some(play), "{play:?}");
            }
        });
    }
}

#[test]
fn a_play_that_the_dice_cannot_make_has_no_steps() {
    let start = StartLayout::Standard;
    let game = opened(start);
    let play = game.parse_move("24/18").expect("a play in words");
    let Move::Play(play) = play else {
        panic!("not a play: {play:?}")
    };
    let steps = |dice: &str, play: &Play| {
        FileStep::for_play(&game.board(), &faces(dice), play, start, WHITE)
    };
    assert_eq!(steps("11", &play), None);
}

#[test]
fn names_of_move_files_are_read_as_they_are_written() {
    for (player, color) in [(WHITE, "white"), (BLACK, "black")] {
        let name = MoveFileName {
            sequence: 12,
            player,
            hash: "a1b2c3".to_owned(),
        };
        assert_eq!(name.to_string(), format!("0012-{color}-a1b2c3.json"));
        assert_eq!(MoveFileName::parse(&name.to_string()), Some(name));
    }
    for wrong in [
        "12-white-a1b2c3.json",
        "0012-green-a1b2c3.json",
        "0012-white-.json",
        "0012-white-A1B2C3.json",
        "0012-white-a1b2c3",
    ] {
        assert_eq!(MoveFileName::parse(wrong), None, "{wrong}");
    }
}
