//! Commands: permissions and effects of each.

use parlor_core::{Outcome, Seat};
use parlor_table::{
    Command, EndReason, Ending, Issuer, Lag, MoveId, NewTable, Player, Refusal, SeatKey, Secret,
    Table, TableEvent, TableStatus, Timestamp,
};
use serde_json::json;

use super::{
    NOW, ann, ann_and_bob, apply_at, at, bob, cleo, human, id, new_table, pig, play, play_all,
    refused, three_players, timed, total,
};

fn open_table() -> Table {
    Table::create(
        NOW,
        new_table(json!({}), vec![human("Ann", &ann()), Player::Open]),
    )
    .expect("an open table")
}

fn move_with(text: &str, move_id: &str, version: Option<u64>) -> Command {
    Command::Move {
        text: text.to_owned(),
        id: Some(MoveId::new(move_id).expect("a good id")),
        version,
        lag: Lag::ZERO,
    }
}

#[test]
fn the_last_player_to_join_starts_the_game() {
    let mut table = open_table();
    assert_eq!(table.status(), TableStatus::Open);
    let events = table
        .apply(NOW, &bob(), Command::join("Bob"))
        .expect("a seat is open");
    assert!(matches!(events[..], [_, ref started] if started.event == TableEvent::Started));
    assert_eq!(
        (table.status(), table.on_turn()),
        (TableStatus::Playing, Some(Seat::FIRST))
    );
}

#[test]
fn a_log_does_not_grow_without_end() {
    let players = vec![human("Ann", &ann()), Player::Open, Player::Open];
    let mut table = Table::create(
        NOW,
        new_table(json!({ "seats": 3, "symbols": ["A", "B", "C"] }), players),
    )
    .expect("open");
    while table.log().len() < 12_000 {
        let command = match table.log().len() % 2 {
            1 => Command::join("Bob"),
            _ => Command::Leave,
        };
        table.apply(NOW, &bob(), command).expect("a seat is open");
    }
    for command in [Command::join("Bob"), Command::Leave] {
        assert_eq!(table.apply(NOW, &bob(), command), Err(Refusal::LogLong));
    }
    assert_eq!(
        table.apply(NOW, &ann(), Command::Ready),
        Err(Refusal::LogLong)
    );
    table
        .apply(NOW, &ann(), Command::Abort)
        .expect("the way out");
    assert_eq!(table.status(), TableStatus::Aborted);
}

#[test]
fn a_game_goes_on_where_nothing_else_makes_its_log_longer() {
    let players = vec![human("Ann", &ann()), human("Ann", &ann())];
    let options = json!({ "rows": 20, "columns": 20, "k": 20 });
    let mut table = Table::create(NOW, new_table(options, players)).expect("full");
    let play = |table: &mut Table, cell: usize| {
        let text = format!("{},{}", cell / 20, cell % 20);
        table.apply(NOW, &ann(), Command::play(text))
    };
    let refusal = loop {
        play(&mut table, 0).expect("a free cell");
        if let Err(refusal) = table.apply(NOW, &ann(), Command::OfferTakeback) {
            break refusal;
        }
    };
    assert_eq!(refusal, Refusal::LogLong);
    assert!((12_000..12_003).contains(&table.log().len()));
    play(&mut table, 1).expect("moves go on");
    table
        .apply(NOW, &ann(), Command::Resign)
        .expect("the way out");
}

#[test]
fn only_the_last_to_join_needs_the_secret_of_a_game_that_begins_with_luck() {
    let without_secret = |kind, options, open: usize| {
        let mut players = vec![human("Ann", &ann())];
        players.extend(vec![Player::Open; open]);
        let new = NewTable {
            secret: Some(Secret::new([3; 32])),
            ..NewTable::new(id(7), kind, options, players)
        };
        let table = Table::create(NOW, new).expect("an open table");
        Table::replay(table.log().to_vec(), None).expect("its own log")
    };
    let backgammon = parlor_games::backgammon::KIND;
    let mut pair = without_secret(backgammon, json!({}), 1);
    let refusal = refused(&mut pair, &bob(), Command::join("Bob"));
    assert_eq!(refusal, Refusal::NoSecret);
    let pandemic = parlor_games::pandemic::KIND;
    let mut team = without_secret(pandemic, json!({"players": 3}), 2);
    team.apply(NOW, &bob(), Command::join("Bob"))
        .expect("one more seat is open");
    let refusal = refused(&mut team, &cleo(), Command::join("Cleo"));
    assert_eq!(refusal, Refusal::NoSecret);
}

#[test]
fn nobody_moves_before_the_start() {
    assert_eq!(
        refused(&mut open_table(), &ann(), Command::play("1,1")),
        Refusal::NotStarted
    );
}

#[test]
fn a_taken_or_missing_seat_cannot_be_joined() {
    let mut table = open_table();
    let at = |seat: u8| Command::Join {
        seat: Seat::new(seat).ok(),
        name: "Bob".into(),
        owner: None,
        invite: None,
        luck_text: None,
    };
    assert_eq!(refused(&mut table, &bob(), at(0)), Refusal::SeatTaken);
    assert_eq!(refused(&mut table, &bob(), at(5)), Refusal::NoSuchSeat(1));
    let mut other = open_table();
    other
        .apply(NOW, &bob(), at(1))
        .expect("the second seat is open");
    assert_eq!(other.status(), TableStatus::Playing);
    assert_eq!(
        refused(&mut ann_and_bob(), &cleo(), Command::join("Cleo")),
        Refusal::Full
    );
}

#[test]
fn a_name_must_be_displayable() {
    for name in [
        "",
        "   ",
        "a\nb",
        "\u{7}",
        "Ann\u{202e}",
        "A\u{200b}nn",
        &"x".repeat(41),
    ] {
        assert_eq!(
            refused(&mut open_table(), &bob(), Command::join(name)),
            Refusal::BadName,
            "{name:?}"
        );
    }
    assert!(
        open_table()
            .apply(NOW, &bob(), Command::join("x".repeat(40)))
            .is_ok()
    );
}

#[test]
fn a_private_table_is_joined_with_its_link() {
    let invite = SeatKey::from_token("link");
    let new = NewTable {
        listed: false,
        invite: Some(invite),
        ..new_table(json!({}), vec![human("Ann", &ann()), Player::Open])
    };
    let mut table = Table::create(NOW, new).expect("a private table");
    let with = |invite| Command::Join {
        seat: None,
        name: "Bob".into(),
        owner: None,
        invite,
        luck_text: None,
    };
    assert_eq!(
        refused(&mut table, &bob(), with(None)),
        Refusal::InviteNeeded
    );
    assert_eq!(
        refused(&mut table, &bob(), with(Some(SeatKey::from_token("guess")))),
        Refusal::InviteNeeded
    );
    assert!(table.apply(NOW, &bob(), with(Some(invite))).is_ok());
}

#[test]
fn leaving_opens_the_seat_and_the_last_to_leave_aborts_the_game() {
    let players = vec![human("Ann", &ann()), human("Bob", &bob()), Player::Open];
    let mut table =
        Table::create(NOW, new_table(json!({"seats": 3}), players)).expect("a table of three");
    table
        .apply(NOW, &bob(), Command::Leave)
        .expect("not started");
    assert_eq!(
        (table.players()[1].clone(), table.status()),
        (Player::Open, TableStatus::Open)
    );
    table
        .apply(NOW, &ann(), Command::Leave)
        .expect("not started");
    assert_eq!(table.status(), TableStatus::Aborted);
    assert_eq!(
        refused(&mut ann_and_bob(), &ann(), Command::Leave),
        Refusal::Started
    );
    assert_eq!(
        refused(&mut open_table(), &bob(), Command::Leave),
        Refusal::NotSeated
    );
}

#[test]
fn a_winning_line_ends_the_game_at_once() {
    let mut table = ann_and_bob();
    play_all(&mut table, &["0,0", "1,0", "0,1", "1,1"]);
    let events = play(&mut table, &ann(), "0,2");
    let ending = Ending {
        how: EndReason::Rules,
        outcome: Some(Outcome::won(Seat::FIRST).into()),
    };
    assert!(matches!(&events[..], [moved, ended]
        if matches!(moved.event, TableEvent::Moved { .. }) && ended.event == TableEvent::Ended { ending }));
    assert_eq!(
        (table.status(), table.ending(), table.on_turn()),
        (TableStatus::Over, Some(ending), None)
    );
}

#[test]
fn a_finished_game_refuses_moves_resignations_and_aborts() {
    let mut table = ann_and_bob();
    play_all(&mut table, &["0,0", "1,0", "0,1", "1,1", "0,2"]);
    for command in [Command::play("2,2"), Command::Resign, Command::Abort] {
        assert_eq!(refused(&mut table, &bob(), command), Refusal::Over);
    }
}

#[test]
fn another_seats_turn_a_strangers_move_and_nonsense_are_refused() {
    let mut table = ann_and_bob();
    assert_eq!(
        refused(&mut table, &bob(), Command::play("1,1")),
        Refusal::NotYourTurn
    );
    assert_eq!(
        refused(&mut table, &cleo(), Command::play("1,1")),
        Refusal::NotSeated
    );
    assert_eq!(
        refused(&mut table, &ann(), Command::play("a1")).code(),
        "illegal_move"
    );
    play(&mut table, &ann(), "1,1");
    let reason = refused(&mut table, &bob(), Command::play("1,1"));
    assert_eq!(reason.to_string(), "Position already occupied");
}

#[test]
fn a_move_is_logged_in_its_canonical_text() {
    let mut table = ann_and_bob();
    play(&mut table, &ann(), " 1 2 ");
    assert_eq!(table.last_move(), Some("1,2"));
}

#[test]
fn a_retried_move_is_applied_once_even_after_the_end() {
    let mut table = ann_and_bob();
    play_all(&mut table, &["0,0", "1,0", "0,1", "1,1"]);
    let last = move_with("0,2", "m5", Some(table.version()));
    assert_eq!(
        table
            .apply(NOW, &ann(), last.clone())
            .map(|events| events.len()),
        Ok(2)
    );
    let version = table.version();
    assert_eq!(table.apply(NOW, &ann(), last), Ok(vec![]));
    assert_eq!(
        table.apply(NOW, &ann(), move_with("0 2", "m5", None)),
        Ok(vec![]),
        "the same move, written otherwise"
    );
    assert_eq!(table.version(), version);
}

#[test]
fn a_move_id_stands_for_one_move_of_one_seat() {
    let mut table = ann_and_bob();
    table
        .apply(NOW, &ann(), move_with("0,0", "m1", None))
        .expect("a legal move");
    assert_eq!(
        refused(&mut table, &ann(), move_with("0,1", "m1", None)),
        Refusal::IdReused
    );
    assert_eq!(
        refused(&mut table, &bob(), move_with("0,0", "m1", None)),
        Refusal::IdReused
    );
    for text in ["", "a b", "ä", &"x".repeat(65)] {
        assert_eq!(MoveId::new(text), Err(Refusal::BadMoveId));
    }
    for text in ["x", "a-Z_9", &"x".repeat(64)] {
        assert_eq!(MoveId::new(text).map(|id| id.as_str() == text), Ok(true));
    }
}

#[test]
fn a_stale_version_is_refused_with_the_current_one() {
    let mut table = ann_and_bob();
    let seen = table.version();
    play(&mut table, &ann(), "1,1");
    let reason = refused(&mut table, &bob(), move_with("0,0", "m2", Some(seen)));
    assert_eq!(reason, Refusal::Stale { current: seen + 1 });
    let future = refused(&mut table, &bob(), move_with("0,0", "m2", Some(u64::MAX)));
    assert_eq!(future, Refusal::Stale { current: seen + 1 });
}

#[test]
fn ready_messages_gifts_of_time_and_declined_offers_do_not_make_a_version_stale() {
    let mut table = timed(parlor_games::mnk::KIND, total(60_000, 0));
    let seen = table.version();
    apply_at(&mut table, 0, &bob(), Command::Ready);
    apply_at(&mut table, 0, &bob(), Command::GiveTime { seconds: None });
    assert_eq!(table.version(), seen + 2);
    apply_at(&mut table, 0, &ann(), move_with("1,1", "m1", Some(seen)));
    let seen = table.version();
    apply_at(&mut table, 0, &ann(), Command::OfferDraw);
    apply_at(&mut table, 0, &ann(), Command::GiveTime { seconds: None });
    let reason = refused(&mut table, &bob(), move_with("0,0", "m2", Some(seen)));
    assert_eq!(
        reason,
        Refusal::Stale { current: seen + 2 },
        "a draw may be better than that move"
    );
    assert!(table.is_unmoved_since(seen), "but the position is the same");
    assert!(!table.is_unmoved_since(seen - 1) && !table.is_unmoved_since(seen + 3));
    let seen = table.version();
    apply_at(&mut table, 0, &bob(), Command::DeclineDraw);
    apply_at(&mut table, 0, &bob(), move_with("0,0", "m2", Some(seen)));
}

#[test]
fn one_person_may_play_both_seats() {
    let players = vec![human("Ann", &ann()), human("Also Ann", &ann())];
    let mut table = Table::create(NOW, new_table(json!({}), players)).expect("a table for one");
    for text in ["0,0", "1,0", "0,1"] {
        play(&mut table, &ann(), text);
    }
    assert_eq!(
        refused(&mut table, &ann(), Command::play("0,1")).to_string(),
        "Position already occupied",
        "the reason is that of the seat on turn"
    );
    for text in ["1,1", "0,2"] {
        play(&mut table, &ann(), text);
    }
    assert_eq!(
        table.ending().and_then(|ending| ending.outcome),
        Some(Outcome::won(Seat::FIRST).into())
    );
}

#[test]
fn with_two_players_the_other_wins_by_resignation() {
    let mut table = ann_and_bob();
    play(&mut table, &ann(), "1,1");
    table
        .apply(NOW, &ann(), Command::Resign)
        .expect("the game is on, whoever is to move");
    let ending = Ending {
        how: EndReason::Resignation,
        outcome: Some(Outcome::won(Seat::SECOND).into()),
    };
    assert_eq!(
        (table.status(), table.ending()),
        (TableStatus::Over, Some(ending))
    );
}

#[test]
fn in_a_game_of_three_a_bot_replaces_a_player_who_resigns_until_nobody_is_left() {
    let mut table = three_players();
    table
        .apply(NOW, &bob(), Command::Resign)
        .expect("the game is on");
    assert_eq!(table.status(), TableStatus::Playing);
    assert!(matches!(table.players()[1], Player::Bot { .. }));
    play(&mut table, &ann(), "0,0");
    assert_eq!(
        table.bot_to_move().map(|(seat, _)| seat),
        Some(Seat::SECOND)
    );
    table
        .apply(NOW, &Issuer::Bot(Seat::SECOND), Command::play("5,5"))
        .expect("the bot's own seat");
    assert_eq!(
        refused(&mut table, &bob(), Command::play("1,1")),
        Refusal::NotSeated
    );
    table
        .apply(NOW, &cleo(), Command::Resign)
        .expect("the game is on");
    table
        .apply(NOW, &ann(), Command::Resign)
        .expect("the game is on");
    assert_eq!(
        table.ending(),
        Some(Ending {
            how: EndReason::Resignation,
            outcome: None
        })
    );
}

#[test]
fn a_game_can_be_aborted_only_until_every_seat_has_moved() {
    let mut table = ann_and_bob();
    play(&mut table, &ann(), "1,1");
    assert_eq!(
        refused(&mut table, &cleo(), Command::Abort),
        Refusal::NotSeated
    );
    let mut later = table.clone();
    table
        .apply(NOW, &bob(), Command::Abort)
        .expect("Bob has not moved");
    assert_eq!(
        (table.status(), table.ending().and_then(|e| e.outcome)),
        (TableStatus::Aborted, None)
    );
    play(&mut later, &bob(), "0,0");
    assert_eq!(
        refused(&mut later, &ann(), Command::Abort),
        Refusal::TooLateToAbort
    );
}

#[test]
fn a_rematch_needs_everybody_and_rotates_the_seats() {
    let mut table = ann_and_bob();
    assert_eq!(
        refused(&mut table, &ann(), Command::Rematch { next: id(9) }),
        Refusal::NotOver
    );
    table
        .apply(NOW, &ann(), Command::Resign)
        .expect("the game is on");
    table
        .apply(NOW, &ann(), Command::Rematch { next: id(9) })
        .expect("the game is over");
    assert_eq!(table.next(), None);
    assert_eq!(
        table.apply(NOW, &ann(), Command::Rematch { next: id(10) }),
        Ok(vec![]),
        "asking twice changes nothing"
    );
    table
        .apply(NOW, &bob(), Command::Rematch { next: id(11) })
        .expect("the game is over");
    assert_eq!(table.next(), Some(id(11)));
    let again = table.rematch(NOW, id(11), None).expect("the same players");
    assert_eq!(again.players()[0].name(), Some("Bob"));
    assert_eq!(
        (again.status(), again.on_turn()),
        (TableStatus::Playing, Some(Seat::FIRST))
    );
}

#[test]
fn a_bot_always_agrees_to_a_rematch() {
    let players = vec![human("Ann", &ann()), Player::bot("random")];
    let mut table = Table::create(NOW, new_table(json!({}), players)).expect("a table with a bot");
    table
        .apply(NOW, &ann(), Command::Resign)
        .expect("the game is on");
    table
        .apply(NOW, &ann(), Command::Rematch { next: id(12) })
        .expect("the game is over");
    assert_eq!(table.next(), Some(id(12)));
}

#[test]
fn a_table_needs_matching_players_and_valid_options() {
    let create = |options, players| {
        Table::create(NOW, new_table(options, players))
            .err()
            .map(|reason| reason.code())
    };
    let two = || vec![Player::Open, Player::Open];
    assert_eq!(create(json!({}), vec![Player::Open]), Some("wrong_seats"));
    assert_eq!(create(json!({"seats": 3}), two()), Some("wrong_seats"));
    assert_eq!(
        create(json!({"rows": 1_000_000}), two()),
        Some("bad_options")
    );
    assert_eq!(create(json!({"k": 4}), two()), Some("bad_options"));
    assert_eq!(create(json!({"symbols": "XX"}), two()), Some("bad_options"));
    assert_eq!(
        create(json!({}), vec![Player::Open, Player::bot("level:99")]),
        Some("unknown_bot")
    );
    assert_eq!(create(json!({}), two()), None);
}

#[test]
fn texts_for_luck_count_only_before_the_first_draw() {
    let text = |text: &str| Command::LuckText {
        text: text.to_owned(),
    };
    assert_eq!(
        refused(&mut ann_and_bob(), &ann(), text("mine")),
        Refusal::NoLuck
    );
    let mut table = pig(20);
    for longest in [&"ä".repeat(100), "mine"] {
        table
            .apply(NOW, &ann(), text(longest))
            .expect("no draw yet");
    }
    assert_eq!(
        refused(&mut table, &ann(), text(&"x".repeat(101))),
        Refusal::BadLuckText
    );
    table
        .apply(NOW, &bob(), Command::join("Bob"))
        .expect("a seat is open");
    play(&mut table, &ann(), "roll");
    assert_eq!(
        refused(&mut table, &bob(), text("late")),
        Refusal::LuckDrawn
    );
}

#[test]
fn a_text_for_luck_that_is_never_drawn_is_refused() {
    let mut table = pig(20);
    table
        .apply(NOW, &ann(), Command::Abort)
        .expect("nobody has moved");
    let text = "late".to_owned();
    assert_eq!(
        refused(&mut table, &ann(), Command::LuckText { text }),
        Refusal::LuckDrawn
    );
}

#[test]
fn a_game_without_luck_ignores_the_secret() {
    let new = NewTable {
        secret: Some(Secret::new([9; 32])),
        ..new_table(json!({}), vec![human("Ann", &ann()), human("Bob", &bob())])
    };
    let table = Table::create(NOW, new).expect("a classic table");
    assert!(table.view().luck.is_none() && table.secret().is_none());
}

#[test]
fn time_in_the_log_never_runs_backwards() {
    let mut table = ann_and_bob();
    let earlier = Timestamp::from_millis(NOW.millis() - 5_000);
    let events = table
        .apply(earlier, &ann(), Command::play("1,1"))
        .expect("a legal move");
    assert_eq!(events[0].at, NOW);
}

#[test]
fn the_key_of_the_link_opens_a_private_table_and_who_sits_there_may_take_another_seat() {
    let invite = SeatKey::from_token("link");
    let private = || {
        let new = NewTable {
            listed: false,
            invite: Some(invite),
            ..new_table(json!({}), vec![human("Ann", &ann()), Player::Open])
        };
        Table::create(NOW, new).expect("a private table")
    };
    let mut by_key = private();
    by_key
        .apply(NOW, &Issuer::Key(invite), Command::join("Guest"))
        .expect("the key is the invite");
    let mut by_seat = private();
    by_seat
        .apply(NOW, &ann(), Command::join("Ann's other hand"))
        .expect("Ann sits there already");
    assert_eq!(by_seat.status(), TableStatus::Playing);
}

#[test]
fn a_text_for_luck_belongs_to_a_seat_of_the_table() {
    let with_text = |seat: u8| {
        let new = NewTable {
            secret: Some(Secret::new([9; 32])),
            luck_texts: vec![(Seat::new(seat).expect("a seat"), "mine".to_owned())],
            ..NewTable::new(
                id(8),
                parlor_games::pig::KIND,
                json!({}),
                vec![human("Ann", &ann()), Player::Open],
            )
        };
        Table::create(NOW, new).map(|table| table.version())
    };
    assert_eq!(with_text(1), Ok(2));
    assert_eq!(with_text(2), Err(Refusal::NoSuchSeat(1)));
    let mut table = pig(20);
    let text = |text: &str| Command::LuckText { text: text.into() };
    let events = table
        .apply(NOW, &ann(), text("hers"))
        .expect("nothing is drawn yet");
    assert!(
        matches!(&events[0].event, TableEvent::LuckText { seat, text } if *seat == Seat::FIRST && text == "hers"),
        "{events:?}"
    );
    assert_eq!(
        refused(&mut table, &cleo(), text("his")),
        Refusal::NotSeated
    );
}

#[test]
fn whose_time_is_up_can_neither_move_nor_resign() {
    let mut table = timed(parlor_games::mnk::KIND, total(60_000, 0));
    apply_at(&mut table, 0, &ann(), Command::play("1,1"));
    apply_at(&mut table, 0, &bob(), Command::play("2,2"));
    for ms in [60_000, 60_001] {
        for command in [Command::play("1,2"), Command::Resign] {
            let mut late = table.clone();
            assert_eq!(
                late.apply(at(ms), &ann(), command),
                Err(Refusal::TimeExceeded),
                "{ms} ms"
            );
        }
        // A player who is not on turn learns that, whatever the clock says.
        let mut other = table.clone();
        assert_eq!(
            other.apply(at(ms), &bob(), Command::play("1,2")),
            Err(Refusal::NotYourTurn)
        );
    }
    apply_at(&mut table, 59_999, &ann(), Command::play("1,2"));
}
