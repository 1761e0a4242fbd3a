//! Starting fairly: nobody loses a rated game before both players have moved.

use parlor_core::{Outcome, Seat};
use parlor_table::{
    Claim, Command, EndReason, Ending, Issuer, NewTable, Player, Refusal, Table, TableEvent,
    TableStatus, TimeControl, UserId,
};
use serde_json::json;

use super::{NOW, Request, apply_at, at, id, refused_at, total};

const ABORTED: Option<Ending> = Some(Ending {
    how: EndReason::Abort,
    outcome: None,
});

fn user(number: u64) -> UserId {
    UserId::new(number).expect("a number")
}

fn ann() -> Issuer {
    Issuer::Member(user(1))
}

fn bob() -> Issuer {
    Issuer::Member(user(2))
}

/// A started game of two members, Ann as X.
fn game(clock: Option<TimeControl>, rated: bool) -> Table {
    let player = |name, number| Player::member(name, user(number)).expect("a name");
    let players = vec![player("Ann", 1), player("Bob", 2)];
    let new = NewTable {
        clock,
        rated,
        ..NewTable::new(id(7), parlor_games::mnk::KIND, json!({}), players)
    };
    Table::create(NOW, new).expect("a table")
}

fn rated() -> Table {
    game(Some(total(300_000, 0)), true)
}

fn tick(table: &mut Table, ms: i64) -> Option<Ending> {
    apply_at(table, ms, &Issuer::Driver, Command::Tick);
    table.ending()
}

fn aborts(table: &Table) -> bool {
    table.clock_view().expect("a table with clocks").aborts
}

fn won(how: EndReason, seat: Seat) -> Option<Ending> {
    Some(Ending {
        how,
        outcome: Some(Outcome::won(seat).into()),
    })
}

#[test]
fn a_rated_game_is_aborted_if_the_second_player_makes_no_first_move_in_a_minute() {
    let mut table = rated();
    apply_at(&mut table, 1_000, &ann(), Command::play("1,1"));
    assert_eq!((table.due_at(), aborts(&table)), (Some(at(61_000)), true));
    assert_eq!(tick(&mut table, 60_999), None);
    assert_eq!(tick(&mut table, 61_000), ABORTED);
    assert_eq!(table.status(), TableStatus::Aborted);
}

#[test]
fn a_rated_game_is_aborted_if_the_first_player_is_ready_and_does_not_move() {
    let mut table = rated();
    apply_at(&mut table, 50_000, &ann(), Command::Ready);
    assert_eq!((table.due_at(), aborts(&table)), (Some(at(110_000)), true));
    assert_eq!(tick(&mut table, 110_000), ABORTED);
}

#[test]
fn once_both_have_moved_the_clock_decides() {
    let mut table = rated();
    apply_at(&mut table, 1_000, &ann(), Command::play("1,1"));
    apply_at(&mut table, 30_000, &bob(), Command::play("0,0"));
    assert_eq!((table.due_at(), aborts(&table)), (Some(at(330_000)), false));
    let lost = won(EndReason::Time, Seat::SECOND);
    assert_eq!(tick(&mut table, 330_000), lost);
}

#[test]
fn a_clock_shorter_than_a_minute_aborts_the_game_when_it_runs_out() {
    for (is_rated, ending) in [(true, ABORTED), (false, won(EndReason::Time, Seat::FIRST))] {
        let mut table = game(Some(total(20_000, 0)), is_rated);
        apply_at(&mut table, 1_000, &ann(), Command::play("1,1"));
        assert_eq!(
            (table.due_at(), aborts(&table)),
            (Some(at(21_000)), is_rated)
        );
        assert_eq!(tick(&mut table, 21_000), ending);
    }
}

#[test]
fn a_pause_of_the_server_takes_nothing_of_the_patience() {
    let mut table = rated();
    apply_at(&mut table, 0, &ann(), Command::play("1,1"));
    let pause = Command::Pause {
        from: at(10_000),
        until: at(50_000),
    };
    apply_at(&mut table, 50_000, &Issuer::Driver, pause);
    assert_eq!(table.due_at(), Some(at(110_000)));
    let again = Table::replay(table.log().to_vec(), None).expect("its own log");
    assert_eq!(again.due_at(), table.due_at());
}

#[test]
fn to_resign_before_both_have_moved_is_to_call_off_a_rated_game() {
    for by in [ann(), bob()] {
        for moves in [0, 1] {
            let mut table = rated();
            if moves == 1 {
                apply_at(&mut table, 0, &ann(), Command::play("1,1"));
            }
            let events = apply_at(&mut table, 1_000, &by, Command::Resign);
            assert_eq!(table.ending(), ABORTED);
            let resigned = |event: &TableEvent| matches!(event, TableEvent::Resigned { .. });
            assert!(!events.iter().any(|entry| resigned(&entry.event)));
        }
    }
    let mut table = rated();
    apply_at(&mut table, 0, &ann(), Command::play("1,1"));
    apply_at(&mut table, 0, &bob(), Command::play("0,0"));
    apply_at(&mut table, 1_000, &bob(), Command::Resign);
    assert_eq!(table.ending(), won(EndReason::Resignation, Seat::FIRST));
}

#[test]
fn to_resign_from_an_unrated_game_always_counts() {
    let mut table = game(None, false);
    apply_at(&mut table, 0, &ann(), Command::Resign);
    assert_eq!(table.ending(), won(EndReason::Resignation, Seat::SECOND));
}

#[test]
fn nothing_is_claimed_of_a_player_who_has_not_begun_a_rated_game() {
    let win = || Request::claim(Claim::Win, Some(0));
    let mut table = rated();
    apply_at(&mut table, 0, &ann(), Command::play("1,1"));
    assert_eq!(table.claimable_from(Some(at(0))), None);
    assert_eq!(
        refused_at(&mut table, 50_000, &ann(), win()),
        Refusal::NothingToClaim
    );
    apply_at(&mut table, 50_000, &bob(), Command::play("0,0"));
    apply_at(&mut table, 50_000, &ann(), Command::play("2,2"));
    apply_at(&mut table, 100_000, &ann(), win());
    assert_eq!(table.ending(), won(EndReason::Claim, Seat::FIRST));
}
