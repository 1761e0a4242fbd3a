//! The specification of ultimate tic-tac-toe, sentence by sentence: making a move, time control,
//! completion.

use parlor_core::{Outcome, Seat};
use parlor_table::{
    Command, EndReason, Ending, Issuer, Refusal, Table, TableEvent, TableStatus, TimeControl,
};
use serde_json::{Value, json};

use super::{ann, apply_at, at, bob, left, play_all, refused_at, timed};

/// Game that X wins with the last move.
const WON: &str = "37 71 14 41 16 60 00 01 13 32 24 42 27 70 08 80 04 44 43 34 40 72 21 11 10";
/// Game drawn by the last move, which decides the last board without three in a row.
const DRAWN: &str = "12 25 53 30 04 42 28 80 07 76 68 88 87 70 03 34 41 16 67 78 81 10 08 84 48 77 47 38 11 13 66 22 23 05 58 21 50 \
                     01 56 43 44 00 06 20";
/// Game in which X has just won board 1 with a move that sends O there.
const FREE: &str = "10 01 12 21 11";

fn usual() -> TimeControl {
    let clock = parlor_games::ultimate::KIND.usual_clock(&json!({}));
    let clock = clock.expect("it is played with clocks");
    TimeControl::try_from(clock).expect("within bounds")
}

fn table() -> Table {
    timed(parlor_games::ultimate::KIND, usual())
}

fn after(moves: &str) -> Table {
    let mut table = table();
    play_all(&mut table, &moves.split_whitespace().collect::<Vec<_>>());
    table
}

/// Plays all but the last move and returns that move with the player on turn.
fn before_the_end(moves: &str) -> (Table, String, Issuer) {
    let (before, last) = moves.trim().rsplit_once(' ').expect("several moves");
    let table = after(before);
    let by = if table.on_turn() == Some(Seat::FIRST) {
        ann()
    } else {
        bob()
    };
    (table, last.to_owned(), by)
}

fn position(table: &Table) -> Value {
    table.view().position
}

fn ended(how: EndReason, outcome: Outcome) -> Option<Ending> {
    Some(Ending {
        how,
        outcome: Some(outcome.into()),
    })
}

mod making_a_move {
    use super::*;

    #[test]
    fn n01_verify_it_is_the_players_turn() {
        let reason = refused_at(&mut table(), 0, &bob(), Command::play("44"));
        assert_eq!(
            (&reason, reason.to_string().as_str()),
            (&Refusal::NotYourTurn, "Not your turn")
        );
    }

    #[test]
    fn n02_update_time_used_by_the_current_player() {
        let mut table = after("44 40");
        apply_at(&mut table, 5_000, &ann(), Command::play("00"));
        assert_eq!(left(&table), [355_000, 360_000]);
    }

    #[test]
    fn n03_check_if_the_player_has_run_out_of_time() {
        let mut table = after("44 40");
        let reason = refused_at(&mut table, 360_000, &ann(), Command::play("00"));
        assert_eq!(reason.to_string(), "Time control exceeded - game forfeited");
        assert!(
            table
                .apply(at(359_999), &ann(), Command::play("00"))
                .is_ok(),
            "a millisecond before it is in time"
        );
    }

    #[test]
    fn n03_time_is_looked_at_before_the_board() {
        let mut table = after("44 40");
        assert_eq!(
            refused_at(&mut table, 360_000, &ann(), Command::play("44")),
            Refusal::TimeExceeded
        );
        assert_eq!(
            refused_at(&mut table, 360_000, &bob(), Command::play("44")),
            Refusal::NotYourTurn,
            "turn comes first"
        );
    }

    #[test]
    fn n04_verify_the_move_is_in_the_correct_board() {
        let reason = refused_at(&mut after("44 40"), 0, &ann(), Command::play("11"));
        assert_eq!(
            (reason.code(), reason.to_string().as_str()),
            ("illegal_move", "Must play in the indicated board")
        );
    }

    #[test]
    fn n05_verify_the_board_is_playable_and_the_position_is_empty() {
        let reason = refused_at(&mut after(FREE), 0, &bob(), Command::play("15"));
        assert_eq!(reason.to_string(), "Board already completed");
        let reason = refused_at(&mut after("44"), 0, &bob(), Command::play("44"));
        assert_eq!(reason.to_string(), "Position already taken");
    }

    #[test]
    fn n06_make_the_move_by_updating_the_appropriate_board() {
        let before = position(&table());
        let after = position(&after("40"));
        assert_eq!(
            after["boards"][4],
            json!(["X", "", "", "", "", "", "", "", ""])
        );
        for board in [0, 1, 2, 3, 5, 6, 7, 8] {
            assert_eq!(after["boards"][board], before["boards"][board]);
        }
    }

    #[test]
    fn n07_check_for_a_winner_at_the_meta_board_level() {
        let (mut table, last, by) = before_the_end(WON);
        assert_eq!(
            table.status(),
            TableStatus::Playing,
            "small boards are won, and the game goes on"
        );
        assert!(
            position(&table)["meta"]
                .as_array()
                .is_some_and(|meta| meta.contains(&json!("X")))
        );
        apply_at(&mut table, 0, &by, Command::play(last));
        assert_eq!(
            table.ending(),
            ended(EndReason::Rules, Outcome::won(Seat::FIRST))
        );
    }

    #[test]
    fn n08_check_for_a_draw_when_all_boards_are_completed() {
        let (mut table, last, by) = before_the_end(DRAWN);
        assert_eq!(table.status(), TableStatus::Playing);
        apply_at(&mut table, 0, &by, Command::play(last));
        assert!(
            position(&table)["meta"]
                .as_array()
                .is_some_and(|meta| !meta.contains(&json!("")))
        );
        assert_eq!(table.ending(), ended(EndReason::Rules, Outcome::Draw));
    }

    #[test]
    fn n09_determine_the_next_board_based_on_the_position_played() {
        assert_eq!(position(&table())["target"], Value::Null);
        assert_eq!(position(&after("47"))["target"], 7);
        assert_eq!(
            position(&after(FREE))["target"],
            Value::Null,
            "that board is completed"
        );
        assert_eq!(
            position(&after(WON))["target"],
            Value::Null,
            "the game is over"
        );
    }

    #[test]
    fn n10_switch_the_current_player() {
        let seat = |moves: &str| after(moves).on_turn();
        assert_eq!(
            [seat("44"), seat("44 40")],
            [Some(Seat::SECOND), Some(Seat::FIRST)]
        );
        assert_eq!(
            after("44").clock_view().and_then(|clock| clock.running),
            Some(1),
            "and the other's clock runs"
        );
    }

    #[test]
    fn n11_save_the_updated_game_state() {
        let table = after(WON);
        let again = Table::replay(table.log().to_vec(), None).expect("its own log");
        let public_state = |table: &Table| {
            serde_json::to_value((table.view(), table.record())).expect("plain data")
        };
        assert_eq!(public_state(&again), public_state(&table));
    }
}

mod time_control {
    use super::*;

    #[test]
    fn n1_each_player_has_360_seconds_in_total() {
        assert_eq!(left(&table()), [360_000, 360_000]);
        assert_eq!(usual().to_string(), "6 min");
    }

    #[test]
    fn n2_time_used_is_tracked_per_player() {
        let mut table = after("44");
        for (ms, by, text) in [
            (1_000, bob(), "40"),
            (3_000, ann(), "00"),
            (6_000, bob(), "01"),
        ] {
            apply_at(&mut table, ms, &by, Command::play(text));
        }
        assert_eq!(
            left(&table),
            [358_000, 356_000],
            "X has used 2 seconds, O has used 1 and 3"
        );
    }

    #[test]
    fn n3_the_elapsed_time_since_the_last_move_is_added_when_a_player_makes_a_move() {
        let mut table = after("44");
        refused_at(&mut table, 2_000, &bob(), Command::play("44"));
        assert_eq!(
            left(&table),
            [360_000, 360_000],
            "a refused move is no move"
        );
        apply_at(&mut table, 5_000, &bob(), Command::play("40"));
        assert_eq!(left(&table), [360_000, 355_000], "and saves no time");
        let clock = table.clock_view().expect("a table with clocks");
        assert_eq!((clock.running, clock.since), (Some(0), Some(at(5_000))));
    }

    #[test]
    fn n4_a_player_who_exceeds_the_time_limit_forfeits_the_game() {
        for (moves, winner) in [("44 40", Seat::SECOND), ("44", Seat::FIRST)] {
            let mut table = after(moves);
            assert_eq!(table.due_at(), Some(at(360_000)));
            assert_eq!(
                apply_at(&mut table, 359_999, &Issuer::Driver, Command::Tick),
                [],
                "not yet"
            );
            apply_at(&mut table, 360_000, &Issuer::Driver, Command::Tick);
            assert_eq!(
                table.ending(),
                ended(EndReason::Time, Outcome::won(winner)),
                "though nobody asked for anything"
            );
        }
    }

    #[test]
    fn n5_time_remaining_is_the_total_time_minus_the_time_used() {
        let mut table = after("44");
        let (mut used, mut ms) = ([0, 0], 0);
        for (n, text) in "40 00 01 11 12 20 02".split(' ').enumerate() {
            let (turn, pause) = ((n + 1) % 2, 1_234 + 567 * n as i64);
            ms += pause;
            used[turn] += pause;
            apply_at(&mut table, ms, &[ann(), bob()][turn], Command::play(text));
            assert_eq!(left(&table), used.map(|used| 360_000 - used));
        }
    }
}

mod game_completion {
    use super::*;

    /// Returns tables completed in each of the four ways, with the expected endings.
    fn completed() -> Vec<(Table, Option<Ending>)> {
        let mut resigned = after("44");
        apply_at(&mut resigned, 0, &ann(), Command::Resign);
        let mut flagged = after("44");
        apply_at(&mut flagged, 400_000, &Issuer::Driver, Command::Tick);
        vec![
            (
                after(WON),
                ended(EndReason::Rules, Outcome::won(Seat::FIRST)),
            ),
            (after(DRAWN), ended(EndReason::Rules, Outcome::Draw)),
            (
                resigned,
                ended(EndReason::Resignation, Outcome::won(Seat::SECOND)),
            ),
            (flagged, ended(EndReason::Time, Outcome::won(Seat::FIRST))),
        ]
    }

    #[test]
    fn when_1_a_player_wins_by_creating_three_in_a_row_at_the_meta_board_level() {
        let table = after(WON);
        let view = position(&table);
        let line = view["lines"][0].as_array().expect("a line");
        assert!(
            line.iter()
                .filter_map(Value::as_u64)
                .all(|board| view["meta"][board as usize] == "X"),
            "{view}"
        );
        assert_eq!(
            table.ending().map(|ending| ending.how),
            Some(EndReason::Rules)
        );
    }

    #[test]
    fn when_2_all_boards_are_completed_with_no_winner() {
        assert_eq!(
            after(DRAWN).ending(),
            ended(EndReason::Rules, Outcome::Draw)
        );
    }

    #[test]
    fn when_3_a_player_resigns() {
        for (by, winner) in [(ann(), Seat::SECOND), (bob(), Seat::FIRST)] {
            let mut table = after("44");
            apply_at(&mut table, 1, &by, Command::Resign);
            assert_eq!(
                table.ending(),
                ended(EndReason::Resignation, Outcome::won(winner)),
                "on turn or not"
            );
        }
    }

    #[test]
    fn when_4_a_player_exceeds_their_time_limit() {
        let mut table = after("44");
        let events = apply_at(&mut table, 360_000, &Issuer::Driver, Command::Tick);
        assert!(matches!(
            events[0].event,
            TableEvent::Flagged {
                seat: Seat::SECOND,
                replaced_by: None,
                ..
            }
        ));
        assert_eq!(
            table.ending(),
            ended(EndReason::Time, Outcome::won(Seat::FIRST))
        );
    }

    #[test]
    fn then_1_the_game_is_over() {
        for (mut table, _) in completed() {
            assert_eq!(
                (table.status(), table.on_turn(), table.due_at()),
                (TableStatus::Over, None, None)
            );
            let commands = [
                Command::play("88"),
                Command::Resign,
                Command::Abort,
                Command::OfferDraw,
                Command::Ready,
            ];
            for command in commands {
                assert_eq!(
                    refused_at(&mut table, 500_000, &bob(), command),
                    Refusal::Over
                );
            }
        }
    }

    #[test]
    fn then_2_the_winner_is_set_if_there_is_one() {
        for (table, ending) in completed() {
            assert_eq!(table.ending(), ending);
        }
    }

    /// Wins, losses, draws and ratings are counted by the driver that stores this event.
    #[test]
    fn then_3_and_4_there_is_one_end_to_count_whatever_comes_later() {
        for (mut table, ending) in completed() {
            for (ms, by, command) in [
                (400_000, Issuer::Driver, Command::Tick),
                (900_000, ann(), Command::Resign),
                (900_000, bob(), Command::Resign),
            ] {
                let _ = table.apply(at(ms), &by, command);
            }
            let ends = table
                .log()
                .iter()
                .filter(|entry| matches!(entry.event, TableEvent::Ended { .. }));
            assert_eq!((ends.count(), table.ending()), (1, ending));
        }
    }
}
