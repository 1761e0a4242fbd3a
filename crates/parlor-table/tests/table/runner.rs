//! Tables with bots and observers in one process.

use std::error::Error;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use parlor_core::Seat;
use parlor_games::bots::{self, Bot, Budget, Nodes, Thought};
use parlor_games::{AnyPosition, OutcomeView};
use parlor_table::runner::{BotFailure, GameEvent, Mover, ObserverId, TableRunner};
use parlor_table::{
    Command, LogEntry, NewTable, Player, Refusal, Secret, Table, TableEvent, TableStatus, Timestamp,
};
use serde_json::json;

use super::{NOW, ann, ann_and_bob, at, bob, human, id};

type Log = Arc<Mutex<Vec<String>>>;
type Noticed = Result<(), Box<dyn Error + Send + Sync>>;

fn lines(log: &Log) -> Vec<String> {
    log.lock().expect("no test panics with the log").clone()
}

/// Observer that writes down what it is told.
fn scribe(log: &Log) -> impl FnMut(&Table, &GameEvent<'_>) -> Noticed + Send + use<> {
    let log = log.clone();
    move |table: &Table, event: &GameEvent<'_>| {
        let line = match event {
            GameEvent::Logged(entries) => {
                let texts = entries.iter().map(|entry| match &entry.event {
                    TableEvent::Moved { seat, text, .. } => format!("{seat} {text}"),
                    TableEvent::Chance { chance, .. } => format!("luck {chance}"),
                    TableEvent::Ended { .. } => "ended".to_owned(),
                    other => format!("{other:?}"),
                });
                texts.collect::<Vec<_>>().join(", ")
            }
            GameEvent::State(status) => status.name().to_owned(),
            GameEvent::Turn(seat) => {
                let name = table.players()[seat.index()].name().unwrap_or_default();
                format!("{name} to move")
            }
            GameEvent::Ended(ending) => format!("{:?}", ending.outcome),
        };
        log.lock().expect("no test panics with the log").push(line);
        Ok(())
    }
}

fn people() -> TableRunner<'static> {
    TableRunner::new(ann_and_bob(), vec![None, None], || NOW)
}

fn play(runner: &mut TableRunner<'_>, moves: &[&str]) {
    for (mv, by) in moves.iter().zip([ann(), bob()].iter().cycle()) {
        runner
            .apply(by, Command::play(*mv))
            .unwrap_or_else(|reason| panic!("{mv}: {reason}"));
    }
}

fn thought(text: &str) -> Thought {
    Thought {
        text: text.to_owned(),
        nodes: 0,
        value: None,
        exact: false,
        depth: 0,
        line: Vec::new(),
    }
}

/// Bot that follows a script.
struct Script<F>(F);

impl<F: FnMut(&AnyPosition) -> Option<&'static str> + Send> Bot for Script<F> {
    fn name(&self) -> String {
        "script".to_owned()
    }

    fn think(&mut self, position: &AnyPosition, _: &mut dyn Budget) -> Option<Thought> {
        (self.0)(position).map(thought)
    }

    fn interject(&mut self, _: &AnyPosition, _: Seat, _: &mut dyn Budget) -> Option<Thought> {
        None
    }
}

/// A table on which Ann is to move against a bot that follows a script.
fn against(
    script: impl FnMut(&AnyPosition) -> Option<&'static str> + Send + 'static,
) -> TableRunner<'static> {
    let players = vec![human("Ann", &ann()), Player::bot("random")];
    let new = NewTable::new(id(7), parlor_games::mnk::KIND, json!({}), players);
    let table = Table::create(NOW, new).expect("a table with a bot");
    TableRunner::new(table, vec![None, Some(Box::new(Script(script)))], || NOW)
}

#[test]
fn observers_see_moves_states_turns_and_the_end_in_order() {
    let (mut runner, log) = (people(), Log::default());
    runner.add_observer(scribe(&log));
    play(&mut runner, &["0,0", "1,0", "0,1", "1,1", "0,2"]);
    let expected = [
        "playing",
        "Ann to move",
        "0 0,0",
        "playing",
        "Bob to move",
        "1 1,0",
        "playing",
        "Ann to move",
        "0 0,1",
        "playing",
        "Bob to move",
        "1 1,1",
        "playing",
        "Ann to move",
        "0 0,2, ended",
        "over",
        "Some(Won { seat: 0, points: 1 })",
    ];
    assert_eq!(lines(&log), expected);
    runner
        .apply(&ann(), Command::Rematch { next: id(8) })
        .expect("an offer of a rematch");
    let after = &lines(&log)[expected.len()..];
    assert_eq!(after.len(), 1, "a game ends once: {after:?}");
}

#[test]
fn a_refused_command_is_not_observed() {
    let (mut runner, log) = (people(), Log::default());
    runner.add_observer(scribe(&log));
    let before = lines(&log);
    let refused = runner.apply(&bob(), Command::play("1,1"));
    assert_eq!(refused, Err(Refusal::NotYourTurn));
    assert_eq!(lines(&log), before);
}

#[test]
fn a_removed_observer_sees_nothing_more() {
    let (mut runner, kept, removed) = (people(), Log::default(), Log::default());
    runner.add_observer(scribe(&kept));
    let id = runner.add_observer(scribe(&removed));
    play(&mut runner, &["1,1"]);
    let before = lines(&removed);
    assert!(runner.remove_observer(id));
    assert!(!runner.remove_observer(id));
    runner
        .apply(&bob(), Command::play("1,2"))
        .expect("a free cell");
    assert_eq!(lines(&removed), before);
    assert_eq!(lines(&kept).len(), before.len() + 3);
}

#[test]
fn failing_observers_are_reported_and_the_game_goes_on() {
    let (mut runner, log) = (people(), Log::default());
    let grumbler = runner.add_observer(|_: &Table, event: &GameEvent<'_>| match event {
        GameEvent::Logged(_) => Err("the paper is out".into()),
        _ => Ok(()),
    });
    let bomb = runner.add_observer(|_: &Table, event: &GameEvent<'_>| match event {
        GameEvent::Logged(_) => panic!("the observer fell"),
        _ => Ok(()),
    });
    runner.add_observer(scribe(&log));
    play(&mut runner, &["1,1", "2,1"]);
    let failures = runner.take_failures();
    let from = |id: ObserverId| failures.iter().filter(move |f| f.observer == id);
    assert_eq!(
        from(grumbler)
            .map(|f| f.reason.as_str())
            .collect::<Vec<_>>(),
        ["the paper is out"; 2],
        "an observer that fails is notified of the next move all the same"
    );
    assert_eq!(
        from(bomb)
            .map(|f| (f.reason.as_str(), f.panicked))
            .collect::<Vec<_>>(),
        [("the observer fell", true)],
        "an observer that panicked is not called again"
    );
    assert_eq!(lines(&log).last().map(String::as_str), Some("Ann to move"));
    assert_eq!(runner.take_failures(), []);
}

#[test]
fn a_new_observer_is_told_how_things_stand() {
    let (mut runner, log) = (people(), Log::default());
    play(&mut runner, &["0,0", "1,0", "0,1", "1,1", "0,2"]);
    runner.add_observer(scribe(&log));
    assert_eq!(lines(&log), ["over", "Some(Won { seat: 0, points: 1 })"]);
}

#[test]
fn a_bot_without_a_move_leaves_the_table_as_it_was() {
    let mut runner = against(|_| None);
    play(&mut runner, &["1,1"]);
    let before = runner.table().version();
    let failure = runner.play_bots(|| Box::new(Nodes(1)));
    assert_eq!(failure, Err(BotFailure::NoMove { seat: Seat::SECOND }));
    assert_eq!(runner.table().version(), before);
}

#[test]
fn an_illegal_move_of_a_bot_is_refused_and_changes_nothing() {
    let (mut runner, log) = (against(|_| Some("1,1")), Log::default());
    play(&mut runner, &["1,1"]);
    runner.add_observer(scribe(&log));
    let before = (runner.table().version(), lines(&log));
    let failure = runner
        .play_bots(|| Box::new(Nodes(1)))
        .expect_err("the cell is taken");
    assert_eq!(
        failure.to_string(),
        "the bot in seat 1 cannot play 1,1: Position already occupied"
    );
    assert_eq!((runner.table().version(), lines(&log)), before);
}

#[test]
fn a_bot_that_panics_is_removed_and_another_can_take_its_place() {
    let mut runner = against(|_| panic!("the net is torn"));
    play(&mut runner, &["1,1"]);
    let failure = runner.play_bots(|| Box::new(Nodes(1)));
    assert_eq!(
        failure,
        Err(BotFailure::Panicked {
            seat: Seat::SECOND,
            reason: "the net is torn".to_owned()
        })
    );
    let again = runner.play_bots(|| Box::new(Nodes(1)));
    assert_eq!(again, Err(BotFailure::NoMove { seat: Seat::SECOND }));
    runner.return_bot(
        Seat::SECOND,
        Box::new(Script(|_: &AnyPosition| Some("2,2"))),
    );
    runner
        .play_bots(|| Box::new(Nodes(1)))
        .expect("a legal move");
    assert_eq!(runner.mover(), Some(Mover::Person(Seat::FIRST)));
    assert_eq!(runner.table().last_move(), Some("2,2"));
}

#[test]
fn a_bot_can_be_taken_out_to_think_and_put_back() {
    let mut runner = against(|_| Some("2,2"));
    play(&mut runner, &["1,1"]);
    let bot = runner.take_bot(Seat::SECOND).expect("it sits there");
    assert!(runner.take_bot(Seat::SECOND).is_none(), "it is out");
    assert!(runner.take_bot(Seat::FIRST).is_none(), "Ann is no bot");
    assert_eq!(
        runner.play_bots(|| Box::new(Nodes(1))),
        Err(BotFailure::NoMove { seat: Seat::SECOND })
    );
    runner.return_bot(Seat::SECOND, bot);
    runner
        .play_bots(|| Box::new(Nodes(1)))
        .expect("a legal move");
    assert_eq!(runner.table().last_move(), Some("2,2"));
}

/// Bot that answers only when it is asked out of turn, and counts how often it is.
struct Interjector {
    answer: Option<&'static str>,
    asked: Arc<AtomicI64>,
}

impl Bot for Interjector {
    fn name(&self) -> String {
        "interjector".to_owned()
    }

    fn think(&mut self, _: &AnyPosition, _: &mut dyn Budget) -> Option<Thought> {
        None
    }

    fn interject(&mut self, _: &AnyPosition, _: Seat, _: &mut dyn Budget) -> Option<Thought> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.answer.map(thought)
    }
}

/// A game of Pandemic in which Ann is on turn and a bot, which gives this answer, holds the only
/// event card; with a counter of how often the bot was asked.
fn with_event_card(answer: Option<&'static str>) -> (TableRunner<'static>, Arc<AtomicI64>) {
    let table = |n| {
        let new = NewTable {
            secret: Some(Secret::new([n; 32])),
            ..NewTable::new(
                id(11),
                parlor_games::pandemic::KIND,
                json!({"events": ["One Quiet Night"]}),
                vec![human("Ann", &ann()), Player::bot("random")],
            )
        };
        Table::create(NOW, new).expect("a team's table")
    };
    let table = (0..=255)
        .map(table)
        .find(|table| {
            table.on_turn() == Some(Seat::FIRST) && table.position().out_of_turn() == [Seat::SECOND]
        })
        .expect("luck brings it about sooner or later");
    let asked = Arc::new(AtomicI64::new(0));
    let bot = Interjector {
        answer,
        asked: asked.clone(),
    };
    let bots: Vec<Option<Box<dyn Bot>>> = vec![None, Some(Box::new(bot))];
    (TableRunner::new(table, bots, || NOW), asked)
}

#[test]
fn a_bot_moves_out_of_turn_if_it_wants_to() {
    let (mut runner, asked) = with_event_card(Some("quiet-night"));
    let entries = runner.play_interjection(&mut Nodes(1));
    let entries = entries.expect("a legal move").expect("the bot wants to");
    assert!(
        matches!(&entries[..], [LogEntry { event: TableEvent::Moved { seat: Seat::SECOND, text, .. }, .. }] if text == "quiet-night"),
        "{entries:?}"
    );
    assert_eq!(runner.mover(), Some(Mover::Person(Seat::FIRST)));
    assert_eq!(runner.play_interjection(&mut Nodes(1)), Ok(None));
    assert_eq!(asked.load(Ordering::Relaxed), 1, "it holds no other card");
}

#[test]
fn a_bot_is_asked_for_a_move_out_of_turn_once_for_each_version() {
    let (mut runner, asked) = with_event_card(None);
    for _ in 0..2 {
        assert_eq!(runner.play_interjection(&mut Nodes(1)), Ok(None));
        assert_eq!(asked.load(Ordering::Relaxed), 1);
    }
    let drive = runner.table().position().legal().remove(0).text;
    runner
        .apply(&ann(), Command::play(drive))
        .expect("a legal move");
    runner
        .play_bots(|| Box::new(Nodes(1)))
        .expect("Ann is on turn");
    assert_eq!(asked.load(Ordering::Relaxed), 2);
    runner
        .apply(&ann(), Command::Resign)
        .expect("the game is on");
    assert_eq!(runner.mover(), None, "nobody is left to play");
    assert_eq!(runner.play_interjection(&mut Nodes(1)), Ok(None));
    assert_eq!(asked.load(Ordering::Relaxed), 2);
}

#[test]
fn a_move_out_of_turn_that_the_table_refuses_is_not_played() {
    let (mut runner, asked) = with_event_card(Some("draw"));
    let version = runner.table().version();
    assert_eq!(runner.play_interjection(&mut Nodes(1)), Ok(None));
    assert_eq!(
        (runner.table().version(), asked.load(Ordering::Relaxed)),
        (version, 1)
    );
}

#[test]
fn the_runner_asks_its_source_for_the_time() {
    let ms = AtomicI64::new(0);
    let table = ann_and_bob();
    let mut runner = TableRunner::new(table, vec![None, None], || {
        at(ms.fetch_add(500, Ordering::Relaxed) + 500)
    });
    play(&mut runner, &["1,1", "2,2"]);
    let times = runner.table().log().iter().map(|entry| entry.at);
    let times: Vec<Timestamp> = times.collect();
    assert_eq!(times[times.len() - 2..], [at(500), at(1000)]);
}

/// Plays Pig, a game with luck, between two random bots.
fn pig(seed: u64) -> Table {
    let players = vec![Player::bot("random"), Player::bot("random")];
    let new = NewTable {
        secret: Some(Secret::new([9; 32])),
        ..NewTable::new(
            id(8),
            parlor_games::pig::KIND,
            json!({"target": 20}),
            players,
        )
    };
    let table = Table::create(NOW, new).expect("a table for Pig");
    let bot = |seed| bots::bot(table.position(), "random", seed).expect("random moves");
    let bots = vec![Some(bot(seed)), Some(bot(seed + 1))];
    let moves = AtomicI64::new(0);
    let mut runner = TableRunner::new(table, bots, || {
        let count = moves.fetch_add(1, Ordering::Relaxed);
        assert!(count < 5_000, "the game never ends");
        NOW
    });
    runner
        .play_bots(|| Box::new(Nodes(1)))
        .expect("random moves are legal");
    runner.into_table()
}

#[test]
fn the_same_seeds_play_the_same_game() {
    assert_eq!(pig(1).log(), pig(1).log());
    assert!((2..10).any(|seed| pig(seed).log() != pig(1).log()));
    let table = pig(3);
    assert_eq!(table.status(), TableStatus::Over);
    let outcome = table.ending().and_then(|ending| ending.outcome);
    assert!(matches!(outcome, Some(OutcomeView::Won { .. })));
}
