//! Questions to the seats that can move out of turn, for whose answers the seat on turn waits.

use parlor_core::Seat;
use parlor_games::Moment;
use parlor_table::{
    AskWhen, Command, Issuer, LogEntry, NewTable, Player, Refusal, Secret, Table, TableEvent,
    TimeControl,
};
use serde_json::{Value, json};

use super::{NOW, ann, apply_at, at, bob, human, id, left, play, refused, refused_at, total};

/// A table at which Ann is on turn and Bob holds the event, with the luck that `accept` takes.
#[track_caller]
fn table_where(event: &str, clock: Option<TimeControl>, accept: impl Fn(&Table) -> bool) -> Table {
    let options = json!({ "events": [event], "epidemics": 12, "consent": "implied" });
    let mut tables = tables(options, clock);
    tables
        .find(accept)
        .expect("luck brings it about sooner or later")
}

/// Returns tables with these options at which Ann is on turn and Bob holds an event.
fn tables(options: Value, clock: Option<TimeControl>) -> impl Iterator<Item = Table> {
    let tables = (0..=255).map(move |secret| {
        let players = vec![human("Ann", &ann()), human("Bob", &bob())];
        let new = NewTable {
            secret: Some(Secret::new([secret; 32])),
            clock,
            ..NewTable::new(
                id(12),
                parlor_games::pandemic::KIND,
                options.clone(),
                players,
            )
        };
        Table::create(NOW, new).expect("a team's table")
    });
    tables.filter(|table| {
        table.on_turn() == Some(Seat::FIRST) && table.position().out_of_turn() == [Seat::SECOND]
    })
}

/// Returns Ann's discards.
fn discards(table: &Table) -> Vec<String> {
    let legal = table.position().legal().into_iter();
    let hers = legal.filter(|m| m.seat == Seat::FIRST && m.text.starts_with("discard:"));
    hers.map(|m| m.text).collect()
}

/// Ann has drawn more cards than she may hold. Bob holds One Quiet Night.
fn before_discard() -> Table {
    let options = json!({ "events": ["One Quiet Night"], "epidemics": 0 });
    let mut table = tables(options, None).next().expect("luck deals it to Bob");
    for _ in 0..40 {
        if !discards(&table).is_empty() {
            assert_eq!(table.position().out_of_turn(), [Seat::SECOND]);
            return table;
        }
        let legal = table.position().legal();
        let is_legal = |text: &&str| legal.iter().any(|legal| legal.text == **text);
        let step = ["draw", "infect:all"].into_iter().find(is_legal);
        let by = match table.on_turn() {
            Some(Seat::FIRST) => ann(),
            _ => bob(),
        };
        play(&mut table, &by, step.expect("the turn goes on"));
    }
    panic!("she has too many cards after her second turn");
}

/// Returns true if an end of Ann's actions leads to a crucial moment with these moves of hers.
fn leads_to(table: &Table, moves: &[&str]) -> bool {
    let mut table = table.clone();
    play(&mut table, &ann(), "draw");
    let legal = table.position().legal();
    let hers = legal.iter().filter(|legal| legal.seat == Seat::FIRST);
    let hers: Vec<&str> = hers.map(|legal| legal.text.as_str()).collect();
    table.position().moment() == Some(Moment::Crucial)
        && table.position().out_of_turn() == [Seat::SECOND]
        && hers == moves
}

/// Ann is about to infect cities. Bob holds One Quiet Night.
fn before_infection(clock: Option<TimeControl>) -> Table {
    table_where("One Quiet Night", clock, |table| {
        leads_to(table, &["infect", "infect:all"])
    })
}

fn choose(table: &mut Table, by: &Issuer, when: AskWhen) -> Vec<LogEntry> {
    apply_at(table, 0, by, Command::ChooseAsking { when })
}

fn ask(table: &mut Table, ms: i64) -> Vec<LogEntry> {
    let seats = vec![Seat::FIRST, Seat::SECOND];
    apply_at(table, ms, &Issuer::Driver, Command::Ask { seats })
}

const PASS: Command = Command::Pass {
    rest_of_turn: false,
};

/// Checks that a table built from the log is in the same state.
fn check_replay(table: &Table) {
    let replayed = Table::replay(table.log().to_vec(), table.secret().cloned()).expect("its log");
    let view = |table: &Table| serde_json::to_value(table.view()).expect("JSON");
    assert_eq!(view(&replayed), view(table));
    assert_eq!(
        (replayed.to_ask(), replayed.due_at()),
        (table.to_ask(), table.due_at())
    );
}

#[test]
fn who_wishes_to_be_asked_is_asked_before_what_cannot_be_undone() {
    let mut table = before_infection(None);
    assert_eq!(table.to_ask(), [], "nobody is asked unasked");
    assert_eq!(choose(&mut table, &bob(), AskWhen::Crucial).len(), 1);
    assert_eq!(choose(&mut table, &bob(), AskWhen::Crucial), []);
    choose(&mut table, &ann(), AskWhen::Always);
    assert_eq!(table.to_ask(), [], "Ann can still undo everything");
    choose(&mut table, &bob(), AskWhen::Always);
    assert_eq!(table.to_ask(), [Seat::SECOND]);
    choose(&mut table, &bob(), AskWhen::Crucial);
    play(&mut table, &ann(), "draw");
    assert_eq!(table.to_ask(), [Seat::SECOND]);

    assert_eq!(
        refused(&mut table, &ann(), Command::Ask { seats: vec![] }),
        Refusal::NotSeated
    );
    let asked = ask(&mut table, 1_000);
    let TableEvent::Asked { seats, until } = &asked[0].event else {
        panic!("{asked:?}")
    };
    assert_eq!((&seats[..], *until), (&[1][..], at(21_000)));
    assert_eq!(table.asked(), [Seat::SECOND]);
    assert_eq!(table.due_at(), Some(at(21_000)));
    assert_eq!(ask(&mut table, 1_000), [], "once");
    check_replay(&table);
    assert_eq!(
        refused_at(&mut table, 2_000, &ann(), Command::play("infect")),
        Refusal::OthersAsked
    );
    assert_eq!(
        refused_at(&mut table, 2_000, &ann(), PASS),
        Refusal::NotAsked
    );

    apply_at(&mut table, 3_000, &bob(), PASS);
    assert_eq!((table.asked(), table.due_at()), (&[][..], None));
    assert_eq!(table.to_ask(), [], "he has answered");
    check_replay(&table);
    apply_at(&mut table, 4_000, &ann(), Command::play("infect"));
    assert_eq!(
        table.to_ask(),
        [],
        "the second city is not the crucial moment"
    );
    choose(&mut table, &bob(), AskWhen::Always);
    assert_eq!(table.to_ask(), [Seat::SECOND]);
}

#[test]
fn an_event_answers_the_question_and_another_may_follow() {
    let mut table = before_infection(None);
    choose(&mut table, &bob(), AskWhen::Crucial);
    play(&mut table, &ann(), "draw");
    ask(&mut table, 0);
    play(&mut table, &bob(), "quiet-night");
    assert_eq!(table.asked(), []);
    check_replay(&table);
}

#[test]
fn a_move_that_is_the_only_one_follows_the_last_pass() {
    let mut table = table_where("Resilient Population", None, |table| {
        leads_to(table, &["intensify"])
    });
    choose(&mut table, &bob(), AskWhen::Crucial);
    play(&mut table, &ann(), "draw");
    ask(&mut table, 0);
    let entries = apply_at(&mut table, 1_000, &bob(), PASS);
    let text = |entry: &LogEntry| match &entry.event {
        TableEvent::Moved { seat, text, .. } => Some((seat.number(), text.clone())),
        _ => None,
    };
    assert_eq!(
        entries.iter().find_map(text),
        Some((0, "intensify".to_owned()))
    );
    check_replay(&table);
}

#[test]
fn no_answer_in_time_is_a_pass_for_the_rest_of_the_turn() {
    let mut table = before_infection(None);
    choose(&mut table, &bob(), AskWhen::Always);
    play(&mut table, &ann(), "draw");
    ask(&mut table, 0);
    assert_eq!(
        apply_at(&mut table, 19_999, &Issuer::Driver, Command::Tick),
        []
    );
    let entries = apply_at(&mut table, 20_000, &Issuer::Driver, Command::Tick);
    assert!(
        matches!(
            entries[0].event,
            TableEvent::Passed {
                rest_of_turn: true,
                unanswered: true,
                ..
            }
        ),
        "{entries:?}"
    );
    while table.on_turn() == Some(Seat::FIRST) {
        assert_eq!(table.to_ask(), [], "not in this turn");
        check_replay(&table);
        apply_at(&mut table, 21_000, &ann(), Command::play("infect"));
    }
    // In Ann's next turn he is asked again.
    while table.on_turn() == Some(Seat::SECOND) {
        let legal = table.position().legal();
        let step = |text: &str| ["draw", "infect", "intensify"].contains(&text);
        let chosen = legal
            .iter()
            .find(|legal| step(&legal.text))
            .unwrap_or(&legal[0]);
        apply_at(&mut table, 22_000, &bob(), Command::play(&chosen.text));
    }
    assert_eq!(table.on_turn(), Some(Seat::FIRST));
    assert_eq!(table.to_ask(), [Seat::SECOND]);
}

#[test]
fn the_time_of_the_seat_that_is_asked_runs() {
    let mut table = before_infection(Some(total(60_000, 0)));
    choose(&mut table, &bob(), AskWhen::Crucial);
    apply_at(&mut table, 0, &ann(), Command::Ready);
    apply_at(&mut table, 1_000, &ann(), Command::play("draw"));
    ask(&mut table, 1_000);
    let running = |table: &Table| table.clock_view().and_then(|clock| clock.running);
    assert_eq!(running(&table), Some(1));
    check_replay(&table);
    apply_at(&mut table, 8_000, &bob(), PASS);
    assert_eq!(
        (left(&table), running(&table)),
        (vec![59_000, 53_000], Some(0))
    );
    check_replay(&table);
}

#[test]
fn a_seat_that_runs_out_of_time_or_resigns_is_waited_for_no_longer() {
    for flags in [true, false] {
        let mut table = before_infection(Some(total(10_000, 0)));
        choose(&mut table, &bob(), AskWhen::Crucial);
        apply_at(&mut table, 0, &ann(), Command::Ready);
        apply_at(&mut table, 1_000, &ann(), Command::play("draw"));
        ask(&mut table, 1_000);
        assert_eq!(
            table.due_at(),
            Some(at(11_000)),
            "before the twenty seconds"
        );
        let (by, command, ms) = match flags {
            true => (Issuer::Driver, Command::Tick, 11_000),
            false => (bob(), Command::Resign, 5_000),
        };
        apply_at(&mut table, ms, &by, command);
        assert!(matches!(table.players()[1], Player::Bot { .. }));
        assert_eq!((table.asked(), table.to_ask()), (&[][..], vec![]));
        assert_eq!(table.clock_view().and_then(|clock| clock.running), Some(0));
        check_replay(&table);
    }
}

#[test]
fn the_rest_of_the_turn_goes_on_without_questions() {
    let mut table = before_infection(None);
    choose(&mut table, &bob(), AskWhen::Always);
    ask(&mut table, 0);
    let pass = Command::Pass { rest_of_turn: true };
    apply_at(&mut table, 0, &bob(), pass);
    play(&mut table, &ann(), "draw");
    assert_eq!(table.to_ask(), []);
    choose(&mut table, &bob(), AskWhen::Never);
    let next = table.rematch(NOW, id(13), Some(Secret::new([1; 32])));
    let next = next.expect("a rematch");
    assert_eq!(next.asks_when(Seat::SECOND), AskWhen::Never);
    choose(&mut table, &bob(), AskWhen::Crucial);
    let next = table.rematch(NOW, id(13), Some(Secret::new([1; 32])));
    let next = next.expect("a rematch");
    assert_eq!(next.asks_when(Seat::SECOND), AskWhen::Crucial);
}

#[test]
fn who_is_always_asked_is_asked_before_another_one_discards() {
    let mut table = before_discard();
    choose(&mut table, &bob(), AskWhen::Crucial);
    assert_eq!(table.to_ask(), [], "after the discard is soon enough");
    choose(&mut table, &bob(), AskWhen::Always);
    assert_eq!(table.to_ask(), [Seat::SECOND]);
    ask(&mut table, 0);
    check_replay(&table);
    let discard = discards(&table).swap_remove(0);
    assert_eq!(
        refused_at(&mut table, 1_000, &ann(), Command::play(&discard)),
        Refusal::OthersAsked
    );
    let mut other = table.clone();

    apply_at(&mut table, 2_000, &bob(), PASS);
    assert_eq!(table.asked(), []);
    check_replay(&table);
    apply_at(&mut table, 3_000, &ann(), Command::play(&discard));
    assert_eq!(table.to_ask(), [Seat::SECOND], "cities are infected next");

    apply_at(&mut other, 2_000, &bob(), Command::play("quiet-night"));
    assert_eq!((other.asked(), other.to_ask()), (&[][..], vec![]));
    assert!(discards(&other).contains(&discard), "she chooses as before");
    check_replay(&other);
}

#[test]
fn the_rest_of_a_turn_lasts_while_others_answer_in_it() {
    let roles = ["Dispatcher", "Medic"];
    let options = json!({ "events": ["One Quiet Night"], "epidemics": 0, "roles": roles });
    let mut table = tables(options, None).next().expect("luck deals it to Bob");
    choose(&mut table, &bob(), AskWhen::Always);
    ask(&mut table, 0);
    let pass = Command::Pass { rest_of_turn: true };
    apply_at(&mut table, 0, &bob(), pass);
    play(&mut table, &ann(), "drive:Medic:Chicago");
    assert_eq!(table.on_turn(), Some(Seat::SECOND), "he is asked to agree");
    play(&mut table, &bob(), "decline");
    assert_eq!(table.on_turn(), Some(Seat::FIRST));
    assert_eq!(table.to_ask(), []);
    check_replay(&table);
}
