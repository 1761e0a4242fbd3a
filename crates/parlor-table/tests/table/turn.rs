//! Turn and current player of a table, for every way in which a game ends.

use parlor_core::Seat;
use parlor_games::{OutcomeView, TurnView};
use parlor_table::{Claim, Command, EndReason, Issuer, Player, Table, TableTurn};
use serde_json::json;

use super::{
    NOW, Request, ann, ann_and_bob, apply_at, bob, cleo, human, new_table, pig, play_all,
    three_players, timed, total,
};

/// Asserts the ending, the turn and the current player of a game that is over, and that only an
/// ending by the rules shows in the position.
#[track_caller]
fn assert_over(table: &Table, how: EndReason, outcome: Option<OutcomeView>, current: Option<Seat>) {
    assert_eq!(table.ending().map(|ending| ending.how), Some(how));
    assert_eq!(table.turn(), TableTurn::Over { outcome });
    assert_eq!(table.view().turn, table.turn());
    assert_eq!((table.current_seat(), table.on_turn()), (current, None));
    let by_rules = matches!(
        TurnView::from(table.position().turn()),
        TurnView::Over { .. }
    );
    assert_eq!(by_rules, how == EndReason::Rules);
}

const X_WON: Option<OutcomeView> = Some(OutcomeView::Won { seat: 0, points: 1 });
const O_WON: Option<OutcomeView> = Some(OutcomeView::Won { seat: 1, points: 1 });

#[test]
fn a_table_that_waits_has_no_current_player_but_knows_who_will_begin() {
    let players = vec![human("Ann", &ann()), Player::Open];
    let mut table = Table::create(NOW, new_table(json!({}), players)).expect("an open table");
    assert_eq!(table.turn(), TableTurn::Move { seat: 0 });
    assert_eq!(table.current_seat(), None);
    table
        .apply(NOW, &bob(), Command::join("Bob"))
        .expect("a seat is open");
    assert_eq!(table.current_seat(), Some(Seat::FIRST));
    play_all(&mut table, &["1,1"]);
    assert_eq!(table.turn(), TableTurn::Move { seat: 1 });
    assert_eq!(table.current_seat(), Some(Seat::SECOND));
}

#[test]
fn the_winner_by_the_rules_stays_the_current_player() {
    let mut table = ann_and_bob();
    play_all(&mut table, &["0,0", "1,0", "0,1", "1,1", "0,2"]);
    assert_over(&table, EndReason::Rules, X_WON, Some(Seat::FIRST));
    let mut table = ann_and_bob();
    let full = [
        "0,0", "0,1", "0,2", "1,1", "1,0", "1,2", "2,1", "2,0", "2,2",
    ];
    play_all(&mut table, &full);
    let draw = Some(OutcomeView::Draw);
    assert_over(&table, EndReason::Rules, draw, Some(Seat::FIRST));
}

#[test]
fn who_resigns_has_lost_on_turn_or_not() {
    for (by, outcome, winner) in [(ann(), O_WON, Seat::SECOND), (bob(), X_WON, Seat::FIRST)] {
        let mut table = ann_and_bob();
        play_all(&mut table, &["1,1"]);
        apply_at(&mut table, 1, &by, Command::Resign);
        assert_over(&table, EndReason::Resignation, outcome, Some(winner));
    }
}

#[test]
fn an_agreed_draw_keeps_who_moved_last() {
    let moves = ["1,1", "0,0"];
    for (played, last) in [(0, Seat::FIRST), (1, Seat::FIRST), (2, Seat::SECOND)] {
        let mut table = ann_and_bob();
        play_all(&mut table, &moves[..played]);
        apply_at(&mut table, 1, &ann(), Command::OfferDraw);
        apply_at(&mut table, 2, &bob(), Command::AcceptDraw);
        let draw = Some(OutcomeView::Draw);
        assert_over(&table, EndReason::Agreement, draw, Some(last));
    }
}

#[test]
fn who_runs_out_of_time_or_leaves_has_lost() {
    let mut table = timed(parlor_games::mnk::KIND, total(60_000, 0));
    apply_at(&mut table, 0, &ann(), Command::play("1,1"));
    apply_at(&mut table, 60_000, &Issuer::Driver, Command::Tick);
    assert_over(&table, EndReason::Time, X_WON, Some(Seat::FIRST));
    let week = 7 * 24 * 3_600_000;
    for (claim, outcome) in [(Claim::Win, X_WON), (Claim::Draw, Some(OutcomeView::Draw))] {
        let mut table = ann_and_bob();
        apply_at(&mut table, 0, &ann(), Command::play("1,1"));
        apply_at(&mut table, week, &ann(), Request::claim(claim, None));
        assert_over(&table, EndReason::Claim, outcome, Some(Seat::FIRST));
    }
}

#[test]
fn an_aborted_game_has_neither_outcome_nor_current_player() {
    let mut table = ann_and_bob();
    play_all(&mut table, &["1,1"]);
    apply_at(&mut table, 1, &ann(), Command::Abort);
    assert_over(&table, EndReason::Abort, None, None);
    let mut table = pig(20);
    apply_at(&mut table, 1, &ann(), Command::Abort);
    assert_over(&table, EndReason::Abort, None, None);
}

#[test]
fn a_game_of_three_that_everybody_left_has_no_outcome() {
    let mut table = three_players();
    for by in [ann(), bob(), cleo()] {
        apply_at(&mut table, 1, &by, Command::Resign);
    }
    assert_over(&table, EndReason::Resignation, None, None);
    let turn = serde_json::to_value(table.turn()).ok();
    assert_eq!(turn, Some(json!({ "kind": "over", "outcome": null })));
}
