use parlor_games::GameKind;
use parlor_store::{RowStatus, Score};
use parlor_table::{Command, Issuer, NewTable, Player, TimeControl};

use super::*;

const NOW: i64 = 1_800_000_000_000;

fn at(ms: i64) -> Timestamp {
    Timestamp::from_millis(NOW + ms)
}

fn by(number: u64) -> Issuer {
    Issuer::Member(UserId::new(number).unwrap())
}

fn member(name: &str, number: u64) -> Player {
    Player::member(name, UserId::new(number).unwrap()).unwrap()
}

fn new(players: Vec<Player>) -> NewTable {
    let id = TableId::new(5).unwrap();
    let game = GameKind::from_name("mnk").unwrap();
    NewTable::new(id, game, json!({}), players)
}

fn create(new: NewTable) -> Table {
    Table::create(at(0), new).unwrap()
}

#[test]
fn a_new_table_is_stored_with_all_that_lists_and_timers_need() {
    let table = create(NewTable {
        listed: false,
        rated: true,
        clock: TimeControl::total(60_000, 0).ok(),
        ..new(vec![member("Ann", 7), member("Bob", 8)])
    });
    let stored = new_table(&table);
    assert_eq!((stored.id, stored.game.as_str()), (5, "mnk"));
    assert_eq!(stored.status, RowStatus::Playing);
    assert!(!stored.listed && stored.rated);
    assert_eq!(stored.created_at, NOW);
    assert_eq!(stored.options["rows"], 3);
    assert_eq!(stored.turn.as_deref(), Some("X"));
    assert_eq!(stored.due_at, Some(NOW + 60_000), "nobody begins");
    let seated = PlayerRole::Seated;
    assert_eq!(stored.players, [(7, seated), (8, seated)]);
    let seat = |label, name| json!({"label": label, "kind": "human", "name": name, "member": true});
    assert_eq!(stored.seats, json!([seat("X", "Ann"), seat("O", "Bob")]));
    let events: Vec<_> = stored.events.iter().map(|e| (e.version, e.at)).collect();
    assert_eq!(events, [(1, NOW), (2, NOW)]);
    assert_eq!(stored.events[1].body["type"], "started");
    let users: Vec<i64> = stored.notes.iter().map(|(user, _)| *user).collect();
    assert_eq!(users, [7, 8], "both are told that it begins");
    let summary = stored.summary.unwrap();
    assert_eq!(
        (&summary["plies"], &summary["ending"]),
        (&json!(0), &Value::Null)
    );
    assert_eq!(summary["clock"]["initial_ms"], 60_000);
}

#[test]
fn a_table_comes_back_from_the_store_with_its_secret() {
    let game = GameKind::all().iter().find(|game| game.has_luck()).copied();
    let secret = Secret::new([9; 32]);
    let players = vec![member("Ann", 7), member("Bob", 8)];
    let id = TableId::new(5).unwrap();
    let table = create(NewTable {
        secret: Some(secret.clone()),
        ..NewTable::new(id, game.unwrap(), json!({}), players)
    });
    let NewStoredTable {
        secret: bytes,
        events,
        ..
    } = new_table(&table);
    assert_eq!(bytes.as_deref(), Some(&[9; 32][..]));
    let entries: Result<Vec<_>, _> = events.into_iter().map(log_entry).collect();
    let again = Table::replay(
        entries.unwrap(),
        bytes.map(super::secret).map(Result::unwrap),
    );
    let again = again.unwrap();
    assert_eq!((again.log(), again.secret()), (table.log(), Some(&secret)));
    let short = super::secret(vec![9; 31]);
    assert!(matches!(short, Err(BadStoredTable::Secret(31))));
}

#[test]
fn a_move_changes_the_turn_and_no_accounts() {
    let mut table = create(new(vec![member("Ann", 7), member("Bob", 8)]));
    let entries = table.apply(at(9), &by(7), Command::play("1,1")).unwrap();
    let stored = append(&table, 2, &entries, None);
    assert_eq!((stored.id, stored.expected, stored.events.len()), (5, 2, 1));
    assert_eq!(
        (stored.events[0].version, stored.events[0].at),
        (3, NOW + 9)
    );
    assert_eq!(stored.events[0].body["move"], "1,1");
    assert_eq!((stored.players, stored.scores), (None, None));
    let update = stored.update;
    assert_eq!(update.status, Some(RowStatus::Playing));
    assert_eq!((update.seats, update.result), (None, None));
    assert_eq!(update.turn, Some(Some("O".to_owned())));
    assert_eq!(update.due_at, Some(None), "nothing happens by itself");
    assert_eq!(update.summary.unwrap()["last_move"], "1,1");
}

#[test]
fn joining_changes_the_seats_and_the_accounts() {
    let mut table = create(new(vec![member("Ann", 7), Player::Open]));
    assert_eq!(new_table(&table).status, RowStatus::Open);
    assert_eq!(new_table(&table).turn, None);
    let entries = table.apply(at(9), &by(8), Command::join("Bob")).unwrap();
    let stored = append(&table, 1, &entries, None);
    let seated = PlayerRole::Seated;
    assert_eq!(stored.players, Some(vec![(7, seated), (8, seated)]));
    assert_eq!(stored.update.seats.unwrap()[1]["name"], "Bob");
}

#[test]
fn the_end_of_a_game_is_stored_with_its_result_and_scores() {
    let begun = || create(new(vec![member("Ann", 7), member("Bob", 8)]));
    let mut won = begun();
    let entries = won.apply(at(9), &by(7), Command::Resign).unwrap();
    let stored = append(&won, 2, &entries, None);
    assert_eq!(stored.update.status, Some(RowStatus::Over));
    assert_eq!(stored.update.result.as_deref(), Some("O"));
    assert_eq!(stored.update.turn, Some(Some("O".to_owned())));
    let turn_of = |table: &Table| summary(table)["turn"].clone();
    let o_won = json!({ "kind": "won", "seat": 1, "points": 1 });
    assert_eq!(turn_of(&won), json!({ "kind": "over", "outcome": o_won }));
    let scores = stored.scores.unwrap();
    assert_eq!(scores.players, [(7, Score::Loss), (8, Score::Win)]);
    assert!(!stored.notes.is_empty(), "the players are told");
    let mut drawn = begun();
    drawn.apply(at(9), &by(7), Command::OfferDraw).unwrap();
    drawn.apply(at(9), &by(8), Command::AcceptDraw).unwrap();
    assert_eq!(result(&drawn).as_deref(), Some("draw"));
    assert_eq!(turn(&drawn).as_deref(), Some("X"), "nobody has moved");
    let mut aborted = begun();
    aborted.apply(at(9), &by(7), Command::Abort).unwrap();
    assert_eq!((result(&aborted), turn(&aborted)), (None, None));
    assert_eq!(
        turn_of(&aborted),
        json!({ "kind": "over", "outcome": null })
    );
    assert_eq!(new_table(&aborted).status, RowStatus::Aborted);
}

#[test]
fn a_table_is_checked_when_its_bot_should_have_moved_or_a_clock_runs_out() {
    let bot = || vec![Player::bot("random"), member("Bob", 8)];
    let untimed = create(new(bot()));
    assert_eq!(due_at(&untimed, at(1_000)), Some(NOW + 31_000));
    let reminded = reminder(&untimed, at(1_000));
    assert_eq!((reminded.id, reminded.expected), (5, 2));
    assert!(reminded.events.is_empty());
    assert_eq!(reminded.update.due_at, Some(Some(NOW + 31_000)));
    let timed = |players| {
        create(NewTable {
            clock: TimeControl::total(60_000, 0).ok(),
            ..new(players)
        })
    };
    assert_eq!(due_at(&timed(bot()), at(1_000)), Some(NOW + 31_000));
    let people = timed(vec![member("Ann", 7), member("Bob", 8)]);
    assert_eq!(due_at(&people, at(40_000)), Some(NOW + 60_000));
}

#[test]
fn the_store_and_tables_number_alike() {
    let id = TableId::new(TableId::MAX).unwrap();
    assert_eq!(table_key(id), (1 << 53) - 1);
    assert_eq!(table_id((1 << 53) - 1), Some(id));
    assert_eq!((table_id(-1), table_id(1 << 53)), (None, None));
}
