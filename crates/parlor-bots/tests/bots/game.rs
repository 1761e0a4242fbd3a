//! Games between strategies, with observers.

use std::sync::{Arc, Mutex};

use parlor_bots::game::{Ask, GameEvent, GameRunner, GameState, NamedPlayer, ObserverId, Stopped};
use parlor_bots::{Mcts, Nodes, Random};

use super::lamps::{Lamp, Lamps};
use parlor_core::testing::pig::{Pig, PigMove, PigRoll};
use parlor_core::{Position, Seat};
use parlor_tictactoe::mnk::{Board, Cell, Illegal, Rules};

type Log = Arc<Mutex<Vec<String>>>;

fn note(log: &Log, line: String) {
    log.lock()
        .expect("no test panics with the log in hand")
        .push(line);
}

fn lines(log: &Log) -> Vec<String> {
    log.lock()
        .expect("no test panics with the log in hand")
        .clone()
}

type Noticed = Result<(), Box<dyn std::error::Error + Send + Sync>>;

fn scribe(log: &Log) -> impl FnMut(&GameEvent<'_, Pig>) -> Noticed + Send + use<> {
    let log = log.clone();
    move |event: &GameEvent<'_, Pig>| {
        note(
            &log,
            match event {
                GameEvent::Moved { name, mv, .. } => format!("{name} {mv:?}"),
                GameEvent::Resolved { chance, .. } => format!("die {}", chance.pips()),
                GameEvent::State(state) => format!("{state:?}"),
                GameEvent::Turn { name, .. } => format!("{name} to move"),
                GameEvent::Ended { winner, .. } => format!("end {winner:?}"),
            },
        );
        Ok(())
    }
}

fn holds_at(pot: u16) -> Ask<impl FnMut(&Pig) -> Option<PigMove> + Send> {
    Ask::new(move |pig: &Pig| {
        Some(if pig.pot() < pot {
            PigMove::Roll
        } else {
            PigMove::Hold
        })
    })
}

/// Ada against Bo, to 6 points, with a die that only shows sixes.
fn sixes() -> GameRunner<Pig> {
    let players = vec![
        NamedPlayer::new("Ada", holds_at(6)),
        NamedPlayer::new("Bo", holds_at(6)),
    ];
    GameRunner::with_luck(Pig::new(6), players, |_: &[(PigRoll, u32)]| PigRoll::new(6))
        .expect("two players for two seats")
}

#[test]
fn observers_see_moves_states_turns_and_the_end_in_order() {
    let (mut game, log) = (sixes(), Log::default());
    game.add_observer(scribe(&log));
    assert_eq!(
        game.play(&mut Nodes(0)),
        Ok(GameState::Won {
            by: Seat::FIRST,
            points: 1
        })
    );
    let expected = [
        "Turn(Seat(0))",
        "Ada to move",
        "Ada Roll",
        "Chance",
        "die 6",
        "Turn(Seat(0))",
        "Ada to move",
        "Ada Hold",
        "Won { by: Seat(0), points: 1 }",
        "end Some(\"Ada\")",
    ];
    assert_eq!(lines(&log), expected);
    assert_eq!(
        game.step(&mut Nodes(0)),
        Ok(game.state()),
        "nothing happens in a game that is over"
    );
    assert_eq!(lines(&log).len(), expected.len());
}

#[test]
fn a_removed_observer_sees_nothing_more() {
    let (mut game, kept, removed) = (sixes(), Log::default(), Log::default());
    game.add_observer(scribe(&kept));
    let id = game.add_observer(scribe(&removed));
    game.step(&mut Nodes(0)).expect("rolling is legal");
    let before = lines(&removed);
    assert!(game.remove_observer(id));
    assert!(!game.remove_observer(id));
    game.play(&mut Nodes(0)).expect("every move is legal");
    assert_eq!(lines(&removed), before);
    assert!(lines(&kept).len() > before.len());
}

#[test]
fn failing_observers_are_reported_and_the_game_goes_on() {
    let (mut game, log) = (sixes(), Log::default());
    let grumbler = game.add_observer(|event: &GameEvent<'_, Pig>| match event {
        GameEvent::Moved { .. } => Err("the paper is out".into()),
        _ => Ok(()),
    });
    let bomb = game.add_observer(|event: &GameEvent<'_, Pig>| match event {
        GameEvent::Moved { .. } => panic!("the observer fell"),
        _ => Ok(()),
    });
    game.add_observer(scribe(&log));
    assert!(
        game.play(&mut Nodes(0))
            .expect("every move is legal")
            .is_over()
    );
    let failures = game.take_failures();
    let of = |id: ObserverId| {
        failures
            .iter()
            .filter(|failure| failure.observer == id)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        of(grumbler).len(),
        2,
        "an observer that fails is expected of the next move all the same"
    );
    assert_eq!(
        of(bomb).len(),
        1,
        "an observer that panicked is not called again"
    );
    assert!(of(bomb)[0].panicked && of(bomb)[0].reason == "the observer fell");
    assert_eq!(of(grumbler)[0].reason, "the paper is out");
    assert_eq!(
        lines(&log).last().map(String::as_str),
        Some("end Some(\"Ada\")")
    );
    assert_eq!(game.take_failures(), []);
}

#[test]
fn a_player_who_leaves_stops_the_game_without_changing_it() {
    let players = vec![
        NamedPlayer::new("Ada", Ask::new(|_: &Pig| None)),
        NamedPlayer::new("Bo", Random::new(1)),
    ];
    let mut game = GameRunner::new(Pig::new(6), players, 1).expect("two players for two seats");
    let stopped = game.play(&mut Nodes(0)).expect_err("Ada leaves");
    assert_eq!(
        stopped,
        Stopped::Left {
            seat: Seat::FIRST,
            name: "Ada".to_owned()
        }
    );
    assert_eq!(stopped.to_string(), "Ada left the game");
    assert_eq!(
        (game.position(), game.state()),
        (&Pig::new(6), GameState::Turn(Seat::FIRST))
    );
}

#[test]
fn impossible_chances_are_refused() {
    let players = || {
        vec![
            NamedPlayer::new("Ada", holds_at(6)),
            NamedPlayer::new("Bo", holds_at(6)),
        ]
    };
    let mut none = GameRunner::with_luck(Pig::new(6), players(), |_: &[(PigRoll, u32)]| None)
        .expect("two players");
    assert_eq!(none.play(&mut Nodes(0)), Err(Stopped::NoLuck));
    assert_eq!(none.state(), GameState::Chance);
}

#[test]
fn a_game_needs_a_player_for_every_seat() {
    let Err(wrong) = GameRunner::new(
        Pig::new(6),
        vec![NamedPlayer::new("Ada", Random::new(1))],
        1,
    ) else {
        panic!("one player sat down at two seats")
    };
    assert_eq!(
        wrong.to_string(),
        "a game with 2 seats cannot be played by 1 players"
    );
}

#[test]
fn the_same_seeds_play_the_same_game() {
    let end = |seed| {
        let players = vec![
            NamedPlayer::new("Ada", Random::new(seed)),
            NamedPlayer::new("Bo", Random::new(seed + 1)),
        ];
        let mut game =
            GameRunner::new(Pig::new(40), players, seed).expect("two players for two seats");
        game.play(&mut Nodes(0)).expect("random moves are legal");
        game.position().clone()
    };
    assert_eq!(end(1), end(1));
    assert!((2..10).any(|seed| end(seed) != end(1)));
    assert!(end(3).turn().is_over());
}

#[test]
fn an_illegal_move_is_refused_by_name_and_changes_nothing() {
    let always_the_middle = || Ask::new(|_: &Board| Some(Cell::new(1, 1)));
    let players = vec![
        NamedPlayer::new("Ada", always_the_middle()),
        NamedPlayer::new("Bo", always_the_middle()),
    ];
    let mut game = GameRunner::new(Board::new(Rules::classic()), players, 1)
        .expect("two players for two seats");
    game.step(&mut Nodes(0)).expect("the middle is free");
    let (before, expected) = (game.position().clone(), Log::default());
    game.add_observer({
        let expected = expected.clone();
        move |event: &GameEvent<'_, Board>| {
            note(&expected, format!("{event:?}"));
            Ok(())
        }
    });
    let heard = lines(&expected).len();
    for _ in 0..2 {
        let stopped = game.step(&mut Nodes(0)).expect_err("the middle is taken");
        assert!(matches!(
            &stopped,
            Stopped::Illegal {
                reason: Illegal::Occupied,
                seat: Seat::SECOND,
                ..
            }
        ));
        assert_eq!(
            stopped.to_string(),
            "Bo cannot play Cell { row: 1, column: 1 }: Position already occupied"
        );
    }
    assert_eq!(
        (game.position(), game.state()),
        (&before, GameState::Turn(Seat::SECOND))
    );
    assert_eq!(
        lines(&expected).len(),
        heard,
        "nobody is expected of what did not happen"
    );
}

#[test]
fn a_move_of_another_seat_is_refused_though_the_rules_allow_it() {
    let players = vec![
        NamedPlayer::new("Ada", Ask::new(|_: &Lamps| Some(Lamp::Spare))),
        NamedPlayer::new("Bo", Random::new(1)),
    ];
    let mut game =
        GameRunner::new(Lamps::default(), players, 1).expect("two players for two seats");
    let stopped = game
        .step(&mut Nodes(0))
        .expect_err("the spare lamp is Bo's");
    assert!(matches!(
        stopped,
        Stopped::NotTheirs {
            seat: Seat::FIRST,
            ..
        }
    ));
    assert_eq!(game.position(), &Lamps::default());
}

#[test]
fn a_team_wins_together() {
    let players = vec![
        NamedPlayer::new("Ada", Mcts::new(1)),
        NamedPlayer::new("Bo", Mcts::new(2)),
    ];
    let mut game =
        GameRunner::new(Lamps::default(), players, 1).expect("two players for two seats");
    assert_eq!(game.play(&mut Nodes(100)), Ok(GameState::TeamWon));
}
