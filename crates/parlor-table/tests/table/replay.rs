//! A table is a function of its log.

use parlor_core::Seat;
use parlor_table::{
    Command, Issuer, Lag, LogEntry, MoveId, Player, SeatKey, Secret, Table, TableEvent, TableId,
    TableStatus, UserId,
};
use proptest::prelude::*;
use proptest::test_runner::Config;
use serde_json::{Value, json};

use super::{NOW, ann, ann_and_bob, bob, human, id, new_table, pig, play_all, three_players};

/// Returns the log after a round trip through its stored JSON.
fn stored(table: &Table) -> Vec<LogEntry> {
    let json = |entry: &LogEntry| serde_json::to_string(entry).expect("an entry is plain data");
    table
        .log()
        .iter()
        .map(|e| serde_json::from_str(&json(e)).expect("what was written can be read"))
        .collect()
}

fn public_state(table: &Table) -> Value {
    serde_json::to_value((table.view(), table.record())).expect("plain data")
}

#[test]
fn a_table_replayed_from_its_stored_log_is_the_same_table() {
    let mut table = ann_and_bob();
    play_all(&mut table, &["1,1", "0,0", "0,1"]);
    table
        .apply(NOW, &bob(), Command::Resign)
        .expect("the game is on");
    let again = Table::replay(stored(&table), None).expect("its own log");
    assert_eq!(public_state(&again), public_state(&table));
}

#[test]
fn an_invalid_log_is_refused_with_the_event() {
    let mut table = ann_and_bob();
    play_all(&mut table, &["1,1", "0,0"]);
    let log = stored(&table);
    let version_of = |log: Vec<LogEntry>| Table::replay(log, None).err().map(|bad| bad.version);
    assert_eq!(version_of(vec![]), Some(1));
    assert_eq!(version_of(log[1..].to_vec()), Some(1));
    let mut late = log.clone();
    late[0].version = 2;
    assert_eq!(version_of(late), Some(1));
    let mut lonely = log.clone();
    if let TableEvent::Created { seats, .. } = &mut lonely[0].event {
        seats.pop();
    }
    assert_eq!(version_of(lonely), Some(1));
    let mut gap = log.clone();
    gap.remove(2);
    assert_eq!(version_of(gap), Some(4));
    let mut twice = log.clone();
    let mut repeated = log[2].clone();
    repeated.version = 5;
    twice.push(repeated);
    assert_eq!(version_of(twice), Some(5));
}

#[test]
fn public_views_contain_no_key_and_no_invite() {
    let invite = SeatKey::from_token("link");
    let new = parlor_table::NewTable {
        invite: Some(invite),
        ..new_table(json!({}), vec![human("Ann", &ann()), Player::Open])
    };
    let mut table = Table::create(NOW, new).expect("a private table");
    let join = Command::Join {
        seat: None,
        name: "Bob".into(),
        owner: None,
        invite: Some(invite),
        luck_text: None,
    };
    table.apply(NOW, &bob(), join).expect("invited");
    let secrets: Vec<String> = [
        invite,
        SeatKey::from_token("Ann's token"),
        SeatKey::from_token("Bob's token"),
    ]
    .iter()
    .map(|key| {
        serde_json::to_value(key)
            .expect("a text")
            .as_str()
            .expect("a text")
            .to_owned()
    })
    .collect();
    let stored = serde_json::to_string(table.log()).expect("plain data");
    let public: Vec<Value> = table.log().iter().map(LogEntry::public).collect();
    let public = format!(
        "{} {}",
        serde_json::to_string(&public).expect("plain data"),
        public_state(&table)
    );
    assert!(table.log().iter().zip(1..).all(|(entry, version)| {
        let public = entry.public();
        public["version"] == version && public["type"].is_string()
    }));
    for secret in secrets {
        assert!(stored.contains(&secret) && !public.contains(&secret));
    }
    assert!(public.contains("\"Ann\"") && public.contains("\"Bob\""));
}

#[test]
fn ids_are_exact_in_every_json_reader_and_grow_with_time() {
    let fresh =
        |millis, random| TableId::fresh(parlor_table::Timestamp::from_millis(millis), random);
    assert!(fresh(1_800_000_000_000, u64::MAX) < fresh(1_800_000_000_001, 0));
    assert_eq!(
        fresh(1_767_225_600_000 + 5, 0xab_cdef).number(),
        (5 << 12) + 0xdef,
        "milliseconds since 2026, then twelve random bits"
    );
    let largest = (1 << 53) - 1;
    assert_eq!(fresh(i64::MAX, u64::MAX).number(), largest);
    assert_eq!(fresh(i64::MIN, 0).number(), 0);
    assert_eq!(
        TableId::new(largest).map(|id| id.to_string()),
        Ok("7zzzzzzzzzz".to_owned())
    );
    assert!(TableId::new(largest + 1).is_err());
    for text in [
        "",
        "0",
        "00000000000000",
        "0000000000i",
        "zzzzzzzzzzz",
        "0000000000é",
    ] {
        assert!(text.parse::<TableId>().is_err(), "{text:?}");
    }
}

#[test]
fn accounts_are_numbered_from_one_below_two_to_the_53() {
    for number in [1, 2, (1 << 53) - 1] {
        let user = UserId::new(number).expect("in range");
        let json = serde_json::to_value(user).expect("plain data");
        assert_eq!((user.number(), &json), (number, &json!(number)));
        assert_eq!(serde_json::from_value::<UserId>(json).ok(), Some(user));
    }
    for number in [0, 1 << 53] {
        assert!(UserId::new(number).is_err());
        assert!(serde_json::from_value::<UserId>(json!(number)).is_err());
    }
}

/// Arbitrary commands, as players and strangers might send them.
fn any_command() -> impl Strategy<Value = Command> {
    let cell = (0..4u8, 0..4u8).prop_map(|(row, column)| format!("{row},{column}"));
    let version = prop::option::of(0..12u64);
    let moves = (cell, prop::option::of(0..6u8), version).prop_map(|(text, move_id, version)| {
        Command::Move {
            text,
            id: move_id.map(|n| MoveId::new(&format!("m{n}")).expect("a good id")),
            version,
            lag: Lag::ZERO,
        }
    });
    let join = prop::option::of(0..4u8).prop_map(|seat| Command::Join {
        seat: seat.and_then(|seat| Seat::new(seat).ok()),
        name: "Somebody".to_owned(),
        owner: None,
        invite: None,
        luck_text: None,
    });
    prop_oneof![
        12 => moves,
        2 => join,
        1 => prop::sample::select(vec![
            Command::Leave, Command::Resign, Command::Return, Command::Abort,
            Command::Rematch { next: id(99) }, Command::LuckText { text: "luck".to_owned() },
        ]),
    ]
}

fn any_person() -> impl Strategy<Value = Issuer> {
    let people = vec![
        Issuer::Key(SeatKey::from_token("a")),
        Issuer::Key(SeatKey::from_token("b")),
        Issuer::Key(SeatKey::from_token("c")),
        Issuer::Bot(Seat::SECOND),
    ];
    prop::sample::select(people)
}

proptest! {
    #![proptest_config(Config::with_cases(300))]

    #[test]
    fn any_log_replays_and_refusals_change_nothing(asked in prop::collection::vec((any_person(), any_command()), 0..60)) {
        let mut table = Table::create(NOW, new_table(json!({}), vec![Player::Open, Player::Open])).expect("an open table");
        for (by, command) in asked {
            let before = table.log().len();
            match table.apply(NOW, &by, command) {
                Ok(events) => prop_assert_eq!(&table.log()[before..], &events[..]),
                Err(_) => prop_assert_eq!(table.log().len(), before),
            }
            prop_assert_eq!(table.version(), table.log().len() as u64);
        }
        let again = Table::replay(stored(&table), None).expect("its own log");
        prop_assert_eq!(public_state(&again), public_state(&table));
        prop_assert_eq!(table.ending().is_some(), matches!(table.status(), TableStatus::Over | TableStatus::Aborted));
    }
}

#[test]
fn a_game_of_three_and_a_game_of_luck_replay_too() {
    let mut three = three_players();
    three
        .apply(NOW, &ann(), Command::Resign)
        .expect("the game is on");
    assert_eq!(
        public_state(&Table::replay(stored(&three), None).expect("its own log")),
        public_state(&three)
    );
    let mut dice = pig(20);
    dice.apply(NOW, &bob(), Command::join("Bob"))
        .expect("a seat is open");
    dice.apply(NOW, &ann(), Command::play("roll"))
        .expect("Ann's turn");
    let again = Table::replay(stored(&dice), Some(Secret::new([9; 32]))).expect("its own log");
    assert_eq!(public_state(&again), public_state(&dice));
    let mut without = Table::replay(stored(&dice), None).expect("its own log");
    let by = if without.on_turn() == Some(Seat::FIRST) {
        ann()
    } else {
        bob()
    };
    let refusal = without
        .apply(NOW, &by, Command::play("roll"))
        .err()
        .map(|reason| reason.code());
    assert_eq!(
        refusal,
        Some("no_secret"),
        "a driver without the secret does not improvise"
    );
}
