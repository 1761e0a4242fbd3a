//! Facts that a table tells of itself: who may see it, earlier positions, and entries in words.

use parlor_core::Seat;
use parlor_table::{
    Command, Issuer, LogEntry, NewTable, Player, SeatKey, Secret, Table, TableEvent, UserId,
};
use serde_json::json;

use super::{NOW, ann, ann_and_bob, bob, cleo, human, id, new_table, pig, play, play_all};

fn key(by: &Issuer) -> SeatKey {
    by.key().expect("a person has a key")
}

fn invite() -> SeatKey {
    SeatKey::from_token("link")
}

/// A table for three at which Ann sits, private or not, with an invite.
fn with_invite(private: bool) -> Table {
    let players = vec![human("Ann", &ann()), Player::Open, Player::Open];
    let new = NewTable {
        private,
        listed: !private,
        invite: Some(invite()),
        ..new_table(json!({"seats": 3}), players)
    };
    Table::create(NOW, new).expect("an open table")
}

#[test]
fn a_private_table_is_seen_by_players_past_players_and_holders_of_its_links() {
    let mut table = with_invite(true);
    let join = Command::Join {
        seat: None,
        name: "Bob".to_owned(),
        owner: None,
        invite: Some(invite()),
        luck_text: None,
    };
    assert!(!table.is_visible_to(&[key(&bob())]));
    table.apply(NOW, &bob(), join).expect("invited");
    table
        .apply(NOW, &bob(), Command::Leave)
        .expect("not begun yet");
    let watchers = table.watch_token().expect("others may be let in");
    for seen_by in [
        key(&ann()),
        key(&bob()),
        invite(),
        SeatKey::from_token(&watchers),
    ] {
        assert!(table.is_visible_to(&[seen_by]));
        assert!(
            table.is_visible_to(&[key(&cleo()), seen_by]),
            "any key will do"
        );
    }
    assert!(!table.is_visible_to(&[key(&cleo())]));
    assert!(!table.is_visible_to(&[]));
}

#[test]
fn a_public_table_is_seen_by_everybody_and_has_no_link_for_watchers() {
    let table = with_invite(false);
    assert!(table.is_visible_to(&[]) && table.is_visible_to(&[key(&cleo())]));
    assert_eq!(table.watch_token(), None);
    assert!(table.is_listed() && !table.is_private());
    let private = with_invite(true);
    assert!(private.is_private() && !private.is_listed());
}

#[test]
fn only_the_key_of_the_invite_is_the_invite() {
    let table = with_invite(true);
    assert!(table.is_invite(&invite()) && !table.is_invite(&key(&ann())));
    assert!(!ann_and_bob().is_invite(&key(&ann())), "there is none");
}

/// The expected values come from Python's hashlib.
#[test]
fn the_watchers_token_and_a_fingerprint_match_another_implementation() {
    let key = key(&ann());
    assert_eq!(
        key.watch_token(),
        "44ebca7d02dd1a795b67ee6b326dea7f703f7dbd"
    );
    assert_eq!(key.fingerprint(), 0xce74_f842_2e0a_6e5e);
    assert_eq!(format!("{key:?}"), "Key(..)");
}

#[test]
fn a_member_and_a_bot_own_seats_by_account_and_by_place() {
    let user = UserId::new(3).expect("an account");
    let member = Issuer::Member(user);
    let players = vec![Player::member("Ann", user).expect("a name"), Player::Open];
    let table = Table::create(NOW, new_table(json!({}), players)).expect("an open table");
    assert_eq!(table.seats_with_key(&key(&member)), [Seat::FIRST]);
    assert_eq!(table.seats_with_key(&key(&bob())), []);
    assert_eq!(
        (Issuer::Bot(Seat::FIRST).key(), Issuer::Driver.key()),
        (None, None)
    );
}

#[test]
fn a_table_states_its_game_options_and_age() {
    let table = pig(20);
    assert_eq!((table.id(), table.kind()), (id(8), parlor_games::pig::KIND));
    assert_eq!(table.options()["target"], 20);
    assert_eq!((table.created_at(), table.clock()), (NOW, None));
    assert!(!table.is_rated());
    assert_eq!(table.secret(), Some(&Secret::new([9; 32])));
}

#[test]
fn earlier_positions_come_with_the_last_move_up_to_there() {
    let mut table = ann_and_bob();
    let start = table.position().text();
    play_all(&mut table, &["1,1", "0,0"]);
    let earlier = |step| {
        let after = table.position_after(step);
        after.map(|(position, last)| (position.text(), last.map(str::to_owned)))
    };
    assert_eq!(earlier(0), Some((start, None)));
    assert_eq!(
        earlier(1).map(|(_, last)| last),
        Some(Some("1,1".to_owned()))
    );
    assert_eq!(
        earlier(2),
        Some((table.position().text(), Some("0,0".to_owned())))
    );
    assert_eq!(earlier(3), None);
}

#[test]
fn rolling_the_dice_leaves_no_mark_on_the_board() {
    let players = vec![human("Ann", &ann()), human("Bob", &bob())];
    let new = NewTable {
        secret: Some(Secret::new([5; 32])),
        ..NewTable::new(
            id(9),
            parlor_games::backgammon::KIND,
            json!({"length": 3, "cube": "on"}),
            players,
        )
    };
    let mut table = Table::create(NOW, new).expect("a table for backgammon");
    let [first, second] = match table.on_turn() {
        Some(Seat::FIRST) => [ann(), bob()],
        _ => [bob(), ann()],
    };
    assert_eq!((table.last_move(), table.last_marked_move()), (None, None));
    let played = table.position().legal().remove(0).text;
    play(&mut table, &first, &played);
    play(&mut table, &second, "roll");
    assert_eq!(table.last_move(), Some("roll"));
    assert_eq!(table.last_marked_move(), Some(played.as_str()));
    let marked = table.view().position;
    assert_eq!(marked, table.position().view(Some(&played)));
}

/// A begun game of Pandemic, which narrates every step.
fn narrated() -> Table {
    let players = vec![human("Ann", &ann()), human("Bob", &bob())];
    let new = NewTable {
        secret: Some(Secret::new([1; 32])),
        ..NewTable::new(
            id(11),
            parlor_games::pandemic::KIND,
            json!({"events": []}),
            players,
        )
    };
    let mut table = Table::create(NOW, new).expect("a team's table");
    let by = match table.on_turn() {
        Some(Seat::FIRST) => ann(),
        _ => bob(),
    };
    play(&mut table, &by, "draw");
    table
}

#[test]
fn the_last_entries_are_narrated_from_the_positions_before_them() {
    let table = narrated();
    let (mut expected, mut step) = (Vec::new(), 0);
    for LogEntry { event, .. } in table.log() {
        expected.push(match event {
            TableEvent::Moved { text, .. } | TableEvent::Chance { chance: text, .. } => {
                let (before, _) = table.position_after(step).expect("an earlier step");
                step += 1;
                Some(before.narrate(text).expect("Pandemic narrates all"))
            }
            _ => None,
        });
    }
    assert!(step > 10 && expected.iter().any(Option::is_none));
    for first in [0, 2, table.log().len() - 2, table.log().len()] {
        assert_eq!(table.narrate(&table.log()[first..]), expected[first..]);
    }
    assert_eq!(ann_and_bob().narrate(ann_and_bob().log()), [None, None]);
}

#[test]
fn more_entries_than_the_table_has_cannot_be_narrated() {
    let table = narrated();
    let twice = [table.log(), table.log()].concat();
    assert!(table.narrate(&twice).iter().all(Option::is_none));
}

#[test]
fn a_game_can_be_aborted_while_it_is_open_or_a_seat_has_not_moved() {
    assert!(with_invite(false).can_be_aborted());
    let mut table = ann_and_bob();
    assert!(table.can_be_aborted());
    let mut over = table.clone();
    over.apply(NOW, &ann(), Command::Resign)
        .expect("the game is on");
    assert!(!over.can_be_aborted());
    play_all(&mut table, &["1,1"]);
    assert!(table.can_be_aborted());
    play(&mut table, &bob(), "0,0");
    assert!(!table.can_be_aborted());
}

#[test]
fn a_members_program_is_a_bot_with_an_owner_wherever_it_sits() {
    let (user, owner) = (UserId::new(7).expect("a small number"), "Ann");
    let players = vec![human("Bob", &bob()), Player::Open];
    let mut table = Table::create(NOW, new_table(json!({}), players)).expect("an open table");
    let join = Command::Join {
        seat: None,
        name: "AnnsBot".to_owned(),
        owner: Some(owner.to_owned()),
        invite: None,
        luck_text: None,
    };
    let entries = table.apply(NOW, &Issuer::Member(user), join);
    let joined = entries.expect("a seat is open")[0].public();
    assert_eq!(joined["player"]["owner"], owner);
    let program = Player::program("AnnsBot", user, owner).expect("a good name");
    assert_eq!(table.players()[1], program);
    let views = table.seat_views();
    let kinds = [&views[0], &views[1]].map(|seat| (seat.kind, seat.owner.as_deref()));
    assert_eq!(kinds, [("human", None), ("bot", Some(owner))]);
    assert!(views.iter().all(parlor_table::SeatView::has_client));
    let again = Table::replay(table.log().to_vec(), None).expect("its own log");
    assert_eq!(again.players(), table.players());
    let record = serde_json::to_value(again.record()).expect("plain data");
    assert_eq!(record["players"][1]["owner"], owner);
    assert!(record["players"][0].get("owner").is_none());
}
