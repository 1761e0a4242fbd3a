//! Draw offers, takebacks, gifts of time, claims and rematches: permissions and effects.

use parlor_core::{Outcome, Seat};
use parlor_table::{
    Claim, Command, EndReason, Ending, Issuer, LogEntry, NewTable, Player, Refusal, SeatKey,
    Secret, Table, TableEvent, TableStatus, TimeControl,
};
use parlor_table::{Timestamp, UserId};
use serde_json::json;

use super::{
    NOW, Request, ann, ann_and_bob, apply_at, at, bob, cleo, human, id, left, new_table, pig,
    play_all, refused_at, three_players, timed, total,
};

const WEEK: i64 = 7 * 24 * 3_600_000;

fn begun() -> Table {
    let mut table = ann_and_bob();
    play_all(&mut table, &["1,1", "0,0"]);
    table
}

fn with_bot() -> Table {
    let players = vec![human("Ann", &ann()), Player::bot("random")];
    Table::create(NOW, new_table(json!({}), players)).expect("a table with a bot")
}

fn draws(table: &Table) -> Vec<u8> {
    table.view().offers.draw
}

fn ended(how: EndReason, outcome: Outcome) -> Option<Ending> {
    Some(Ending {
        how,
        outcome: Some(outcome.into()),
    })
}

mod draw {
    use super::*;

    #[test]
    fn a_draw_is_agreed_when_the_other_accepts() {
        let mut table = begun();
        apply_at(&mut table, 1, &ann(), Command::OfferDraw);
        assert_eq!(
            (draws(&table), table.status()),
            (vec![0], TableStatus::Playing)
        );
        assert_eq!(
            refused_at(&mut table, 2, &ann(), Command::AcceptDraw),
            Refusal::NothingOffered,
            "one's own offer"
        );
        apply_at(&mut table, 3, &bob(), Command::AcceptDraw);
        assert_eq!(
            (table.ending(), draws(&table)),
            (ended(EndReason::Agreement, Outcome::Draw), vec![])
        );
    }

    #[test]
    fn offering_back_agrees() {
        let mut table = begun();
        apply_at(&mut table, 1, &bob(), Command::OfferDraw);
        apply_at(&mut table, 2, &ann(), Command::OfferDraw);
        assert_eq!(table.ending(), ended(EndReason::Agreement, Outcome::Draw));
    }

    #[test]
    fn a_declined_offer_is_gone_and_cannot_be_repeated_before_moving() {
        let mut table = begun();
        apply_at(&mut table, 1, &ann(), Command::OfferDraw);
        apply_at(&mut table, 2, &bob(), Command::DeclineDraw);
        assert_eq!(draws(&table), [0; 0]);
        assert_eq!(
            refused_at(&mut table, 3, &bob(), Command::AcceptDraw),
            Refusal::NothingOffered
        );
        assert_eq!(
            refused_at(&mut table, 3, &bob(), Command::DeclineDraw),
            Refusal::NothingOffered
        );
        assert_eq!(
            refused_at(&mut table, 3, &ann(), Command::OfferDraw),
            Refusal::OfferedAlready
        );
        apply_at(&mut table, 4, &ann(), Command::play("0,1"));
        apply_at(&mut table, 5, &ann(), Command::OfferDraw);
        assert_eq!(draws(&table), [0]);
    }

    #[test]
    fn an_offer_expires_when_the_opponent_moves_but_not_when_the_offerer_does() {
        let mut table = begun();
        apply_at(&mut table, 1, &ann(), Command::OfferDraw);
        apply_at(&mut table, 2, &ann(), Command::play("0,1"));
        assert_eq!(draws(&table), [0], "the other may still think about it");
        apply_at(&mut table, 3, &bob(), Command::play("2,1"));
        assert_eq!(draws(&table), [0; 0]);
        assert_eq!(
            refused_at(&mut table, 4, &bob(), Command::AcceptDraw),
            Refusal::NothingOffered
        );
    }

    #[test]
    fn a_player_who_declined_may_offer_a_draw() {
        let mut table = begun();
        apply_at(&mut table, 1, &ann(), Command::OfferDraw);
        apply_at(&mut table, 2, &bob(), Command::DeclineDraw);
        apply_at(&mut table, 3, &bob(), Command::OfferDraw);
        apply_at(&mut table, 4, &ann(), Command::AcceptDraw);
        assert_eq!(table.ending(), ended(EndReason::Agreement, Outcome::Draw));
    }

    #[test]
    fn in_a_game_of_three_all_must_agree() {
        let mut table = three_players();
        apply_at(&mut table, 1, &ann(), Command::OfferDraw);
        apply_at(&mut table, 2, &bob(), Command::AcceptDraw);
        assert_eq!(
            (draws(&table), table.status()),
            (vec![0, 1], TableStatus::Playing)
        );
        apply_at(&mut table, 3, &cleo(), Command::AcceptDraw);
        assert_eq!(table.ending(), ended(EndReason::Agreement, Outcome::Draw));
    }

    #[test]
    fn bots_strangers_and_games_without_draws_refuse() {
        assert_eq!(
            refused_at(&mut with_bot(), 1, &ann(), Command::OfferDraw),
            Refusal::BotsPlayOn
        );
        assert_eq!(
            refused_at(&mut begun(), 1, &cleo(), Command::OfferDraw),
            Refusal::NotSeated
        );
        let mut dice = pig(20);
        assert_eq!(
            refused_at(&mut dice, 1, &ann(), Command::OfferDraw),
            Refusal::NotStarted
        );
        apply_at(&mut dice, 1, &bob(), Command::join("Bob"));
        assert_eq!(
            refused_at(&mut dice, 2, &ann(), Command::OfferDraw),
            Refusal::NoDraws
        );
    }

    #[test]
    fn an_offer_does_not_stop_the_clock() {
        let mut table = timed(parlor_games::mnk::KIND, total(60_000, 0));
        apply_at(&mut table, 0, &ann(), Command::play("1,1"));
        apply_at(&mut table, 10_000, &bob(), Command::OfferDraw);
        apply_at(&mut table, 20_000, &bob(), Command::play("0,0"));
        assert_eq!(left(&table), [60_000, 40_000]);
    }
}

mod takeback {
    use super::*;

    #[test]
    fn the_last_move_is_taken_back_before_it_is_answered() {
        let mut table = begun();
        apply_at(&mut table, 1, &bob(), Command::OfferTakeback);
        assert_eq!(table.view().offers.takeback, Some(1));
        apply_at(&mut table, 2, &ann(), Command::AcceptTakeback);
        assert_eq!(
            (table.plies(), table.on_turn(), table.last_move()),
            (1, Some(Seat::SECOND), Some("1,1"))
        );
        assert_eq!(table.view().offers.takeback, None);
        apply_at(&mut table, 3, &bob(), Command::play("2,2"));
    }

    #[test]
    fn the_reply_is_taken_back_too() {
        let mut table = begun();
        apply_at(&mut table, 1, &ann(), Command::OfferTakeback);
        let events = apply_at(&mut table, 2, &bob(), Command::AcceptTakeback);
        assert!(
            matches!(events[..], [ref event] if event.event == TableEvent::TakenBack { moves: 2 })
        );
        assert_eq!(
            (table.plies(), table.on_turn(), table.last_move()),
            (0, Some(Seat::FIRST), None)
        );
    }

    #[test]
    fn a_declined_takeback_changes_nothing_and_can_be_asked_for_again() {
        let mut table = begun();
        apply_at(&mut table, 1, &bob(), Command::OfferTakeback);
        apply_at(&mut table, 2, &ann(), Command::DeclineTakeback);
        assert_eq!((table.plies(), table.view().offers.takeback), (2, None));
        assert_eq!(
            refused_at(&mut table, 3, &ann(), Command::AcceptTakeback),
            Refusal::NothingOffered
        );
        apply_at(&mut table, 4, &bob(), Command::OfferTakeback);
        apply_at(&mut table, 5, &ann(), Command::AcceptTakeback);
        assert_eq!(table.plies(), 1);
    }

    #[test]
    fn any_move_ends_the_request() {
        let mut table = begun();
        apply_at(&mut table, 1, &bob(), Command::OfferTakeback);
        apply_at(&mut table, 2, &ann(), Command::play("2,2"));
        assert_eq!(table.view().offers.takeback, None);
        assert_eq!(
            refused_at(&mut table, 3, &ann(), Command::AcceptTakeback),
            Refusal::NothingOffered
        );
    }

    #[test]
    fn nobody_answers_their_own_request_or_takes_back_without_a_move() {
        let mut table = ann_and_bob();
        assert_eq!(
            refused_at(&mut table, 1, &ann(), Command::OfferTakeback),
            Refusal::NothingToTakeBack
        );
        apply_at(&mut table, 1, &ann(), Command::play("1,1"));
        assert_eq!(
            refused_at(&mut table, 2, &bob(), Command::OfferTakeback),
            Refusal::NothingToTakeBack
        );
        apply_at(&mut table, 3, &ann(), Command::OfferTakeback);
        assert_eq!(
            apply_at(&mut table, 4, &ann(), Command::OfferTakeback),
            [],
            "asking twice changes nothing"
        );
        assert_eq!(
            refused_at(&mut table, 5, &ann(), Command::AcceptTakeback),
            Refusal::NothingOffered
        );
        assert_eq!(
            refused_at(&mut table, 5, &ann(), Command::DeclineTakeback),
            Refusal::NothingOffered
        );
        assert_eq!(
            refused_at(&mut table, 5, &cleo(), Command::AcceptTakeback),
            Refusal::NotSeated
        );
    }

    #[test]
    fn bots_agree_at_once() {
        let mut table = with_bot();
        apply_at(&mut table, 1, &ann(), Command::play("1,1"));
        apply_at(
            &mut table,
            2,
            &Issuer::Bot(Seat::SECOND),
            Command::play("0,0"),
        );
        apply_at(&mut table, 3, &ann(), Command::OfferTakeback);
        assert_eq!((table.plies(), table.on_turn()), (0, Some(Seat::FIRST)));
    }

    #[test]
    fn a_player_of_both_sides_needs_no_consent() {
        let players = vec![human("Ann", &ann()), human("Also Ann", &ann())];
        let mut table = Table::create(NOW, new_table(json!({}), players)).expect("a table for one");
        apply_at(&mut table, 1, &ann(), Command::play("1,1"));
        apply_at(&mut table, 2, &ann(), Command::play("0,0"));
        apply_at(&mut table, 3, &ann(), Command::OfferTakeback);
        assert_eq!((table.plies(), table.last_move()), (1, Some("1,1")));
    }

    #[test]
    fn moves_stand_in_games_with_luck_and_in_games_of_three() {
        let mut dice = pig(20);
        apply_at(&mut dice, 1, &bob(), Command::join("Bob"));
        apply_at(&mut dice, 2, &ann(), Command::play("roll"));
        assert_eq!(
            refused_at(&mut dice, 3, &ann(), Command::OfferTakeback),
            Refusal::NoTakebacks
        );
        let mut three = three_players();
        apply_at(&mut three, 1, &ann(), Command::play("0,0"));
        assert_eq!(
            refused_at(&mut three, 2, &ann(), Command::OfferTakeback),
            Refusal::NoTakebacks
        );
    }

    #[test]
    fn used_time_stays_used_and_the_clock_of_the_seat_on_turn_runs() {
        let mut table = timed(parlor_games::mnk::KIND, total(60_000, 0));
        apply_at(&mut table, 0, &ann(), Command::play("1,1"));
        apply_at(&mut table, 10_000, &bob(), Command::play("0,0"));
        apply_at(&mut table, 15_000, &bob(), Command::OfferTakeback);
        apply_at(&mut table, 20_000, &ann(), Command::AcceptTakeback);
        assert_eq!(left(&table), [50_000, 50_000]);
        assert_eq!(table.due_at(), Some(at(70_000)), "and Bob's clock runs");
        apply_at(&mut table, 21_000, &bob(), Command::play("2,2"));
        assert_eq!(left(&table), [50_000, 49_000]);
    }

    #[test]
    fn a_draw_may_be_offered_again_after_replaying_a_move() {
        let mut table = begun();
        apply_at(&mut table, 1, &ann(), Command::OfferDraw);
        apply_at(&mut table, 2, &bob(), Command::OfferTakeback);
        apply_at(&mut table, 3, &ann(), Command::AcceptTakeback);
        assert_eq!(draws(&table), [0; 0], "what was offered is off the table");
    }
}

mod give_time {
    use super::*;

    #[test]
    fn opponents_get_fifteen_seconds_or_the_given_amount() {
        let mut table = timed(parlor_games::mnk::KIND, total(60_000, 0));
        apply_at(&mut table, 0, &ann(), Command::GiveTime { seconds: None });
        apply_at(
            &mut table,
            0,
            &bob(),
            Command::GiveTime { seconds: Some(60) },
        );
        assert_eq!(left(&table), [120_000, 75_000]);
    }

    #[test]
    fn a_log_that_gives_time_to_a_missing_seat_is_refused() {
        let table = timed(parlor_games::mnk::KIND, total(60_000, 0));
        let mut log = table.log().to_vec();
        log.push(LogEntry {
            version: table.version() + 1,
            at: NOW,
            event: TableEvent::TimeGiven {
                seat: Seat::FIRST,
                to: Seat::new(2).expect("a third seat"),
                ms: 15_000,
            },
            after: None,
        });
        let bad = Table::replay(log, None).expect_err("there are two seats");
        assert_eq!(bad.reason, "time is given where there are no clocks");
    }

    #[test]
    fn a_day_is_given_in_correspondence() {
        let mut table = timed(
            parlor_games::mnk::KIND,
            TimeControl::correspondence(1).expect("a day"),
        );
        apply_at(
            &mut table,
            0,
            &ann(),
            Command::GiveTime { seconds: Some(5) },
        );
        assert_eq!(left(&table), [86_400_000, 2 * 86_400_000]);
    }

    #[test]
    fn a_clock_holds_at_most_three_times_its_initial_time() {
        let mut table = timed(parlor_games::mnk::KIND, total(60_000, 0));
        let hour = Command::GiveTime {
            seconds: Some(3_600),
        };
        apply_at(&mut table, 0, &ann(), hour.clone());
        assert_eq!(left(&table), [60_000, 180_000]);
        assert_eq!(refused_at(&mut table, 1, &ann(), hour), Refusal::ClockFull);
        let days = TimeControl::correspondence(30).expect("a month");
        let mut table = timed(parlor_games::mnk::KIND, days);
        for _ in 0..60 {
            apply_at(&mut table, 0, &ann(), Command::GiveTime { seconds: None });
        }
        let day = Command::GiveTime { seconds: None };
        assert_eq!(refused_at(&mut table, 1, &ann(), day), Refusal::ClockFull);
    }

    #[test]
    fn gifts_are_between_a_second_and_an_hour() {
        let mut table = timed(parlor_games::mnk::KIND, total(60_000, 0));
        for seconds in [0, 3_601, u32::MAX] {
            let gift = Command::GiveTime {
                seconds: Some(seconds),
            };
            assert_eq!(
                refused_at(&mut table, 1, &ann(), gift),
                Refusal::BadTimeGift { max: 3_600 }
            );
        }
        let gift = Command::GiveTime { seconds: None };
        assert_eq!(
            refused_at(&mut table, 1, &cleo(), gift.clone()),
            Refusal::NotSeated
        );
        assert_eq!(
            refused_at(&mut ann_and_bob(), 1, &ann(), gift),
            Refusal::NoClock
        );
    }
}

mod claim {
    use super::*;

    fn win(absent_since: Option<i64>) -> Request {
        Request::claim(Claim::Win, absent_since)
    }

    /// A game in which Bob has been on turn since second 10.
    fn waiting() -> Table {
        let mut table = timed(parlor_games::mnk::KIND, total(600_000, 0));
        apply_at(&mut table, 10_000, &ann(), Command::play("1,1"));
        table
    }

    #[test]
    fn a_win_can_be_claimed_after_a_minute_of_absence_on_turn() {
        let mut table = waiting();
        assert_eq!(
            refused_at(&mut table, 75_000, &ann(), win(Some(15_001))),
            Refusal::NothingToClaim
        );
        let events = apply_at(&mut table, 75_000, &ann(), win(Some(15_000)));
        assert_eq!(
            events[0].event,
            TableEvent::Claimed {
                seat: Seat::FIRST,
                claim: Claim::Win
            }
        );
        assert_eq!(
            table.ending(),
            ended(EndReason::Claim, Outcome::won(Seat::FIRST))
        );
    }

    #[test]
    fn absence_before_the_turn_does_not_count() {
        let mut table = waiting();
        assert_eq!(
            refused_at(&mut table, 69_999, &ann(), win(Some(0))),
            Refusal::NothingToClaim
        );
        apply_at(&mut table, 70_000, &ann(), win(Some(0)));
    }

    #[test]
    fn a_draw_can_be_claimed_instead() {
        let mut table = waiting();
        apply_at(
            &mut table,
            70_000,
            &ann(),
            Request::claim(Claim::Draw, Some(0)),
        );
        assert_eq!(table.ending(), ended(EndReason::Claim, Outcome::Draw));
    }

    #[test]
    fn nothing_is_claimed_of_a_present_player_by_the_seat_on_turn_or_by_a_stranger() {
        let mut table = waiting();
        assert_eq!(
            refused_at(&mut table, 100_000, &ann(), win(None)),
            Refusal::NothingToClaim
        );
        assert_eq!(
            refused_at(&mut table, 100_000, &bob(), win(Some(0))),
            Refusal::NothingToClaim
        );
        assert_eq!(
            refused_at(&mut table, 100_000, &cleo(), win(Some(0))),
            Refusal::NotSeated
        );
    }

    #[test]
    fn without_clocks_a_week_without_a_move_counts_as_absence() {
        let mut table = begun();
        apply_at(&mut table, 1_000, &ann(), Command::play("2,2"));
        for absent_since in [None, Some(0)] {
            assert_eq!(
                refused_at(&mut table, 1_000 + WEEK - 1, &ann(), win(absent_since)),
                Refusal::NothingToClaim
            );
        }
        apply_at(&mut table, 1_000 + WEEK, &ann(), win(None));
        assert_eq!(
            table.ending(),
            ended(EndReason::Claim, Outcome::won(Seat::FIRST))
        );
    }

    #[test]
    fn the_longer_the_game_the_longer_an_absence_may_be() {
        const MINUTE: i64 = 60_000;
        const DAY: i64 = 24 * 60 * MINUTE;
        let days = |days| TimeControl::correspondence(days).expect("some days");
        for (control, patience) in [
            (total(60_000, 0), 20_000),
            (total(180_000, 2_000), 26_000),
            (total(600_000, 0), MINUTE),
            (total(3_600_000, 0), 6 * MINUTE),
            (total(86_400_000, 0), 60 * MINUTE),
            (days(3), 3 * DAY / 2),
            (days(30), 15 * DAY),
        ] {
            let mut table = timed(parlor_games::mnk::KIND, control);
            apply_at(&mut table, 0, &ann(), Command::play("1,1"));
            assert_eq!(
                refused_at(&mut table, patience - 1, &ann(), win(Some(0))),
                Refusal::NothingToClaim,
                "{control}"
            );
            assert_eq!(table.claimable_from(Some(at(0))), Some(at(patience)));
            assert_eq!(table.claimable_from(None), None);
            apply_at(&mut table, patience, &ann(), win(Some(0)));
        }
    }

    #[test]
    fn bots_cannot_be_claimed_against() {
        let mut table = with_bot();
        apply_at(&mut table, 0, &ann(), Command::play("1,1"));
        assert_eq!(
            refused_at(&mut table, 2 * WEEK, &ann(), win(Some(0))),
            Refusal::NothingToClaim
        );
    }

    #[test]
    fn in_a_game_of_three_nothing_is_claimed() {
        let mut table = three_players();
        apply_at(&mut table, 0, &ann(), Command::play("0,0"));
        assert_eq!(
            refused_at(&mut table, 2 * WEEK, &ann(), win(Some(0))),
            Refusal::NothingToClaim
        );
    }
}

mod abort {
    use super::*;

    #[test]
    fn a_game_with_clocks_can_be_aborted_until_both_have_moved() {
        let mut table = timed(parlor_games::mnk::KIND, total(60_000, 0));
        apply_at(&mut table, 0, &ann(), Command::play("1,1"));
        let mut later = table.clone();
        apply_at(&mut table, 1, &bob(), Command::Abort);
        assert_eq!(
            (table.status(), table.due_at()),
            (TableStatus::Aborted, None)
        );
        apply_at(&mut later, 1, &bob(), Command::play("0,0"));
        assert_eq!(
            refused_at(&mut later, 2, &bob(), Command::Abort),
            Refusal::TooLateToAbort
        );
    }

    #[test]
    fn the_invite_ends_no_game_that_has_begun_and_no_table_without_one() {
        let link = SeatKey::from_token("link");
        let new = NewTable {
            invite: Some(link),
            ..new_table(json!({}), vec![human("Ann", &ann()), human("Bob", &bob())])
        };
        let mut begun = Table::create(NOW, new).expect("a game with an invite");
        assert_eq!(
            refused_at(&mut begun, 1, &Issuer::Key(link), Command::Abort),
            Refusal::NotSeated
        );
        let players = vec![human("Ann", &ann()), Player::Open];
        let mut open = Table::create(NOW, new_table(json!({}), players)).expect("an open table");
        assert_eq!(
            refused_at(&mut open, 1, &Issuer::Driver, Command::Abort),
            Refusal::NotSeated
        );
    }

    #[test]
    fn a_challenged_player_may_abort_and_other_strangers_may_not() {
        let [ann, bob, cleo] = [1, 2, 3].map(|n| UserId::new(n).expect("a number"));
        let invite = Some(SeatKey::from_member(bob));
        let players = vec![Player::member("Ann", ann).expect("a name"), Player::Open];
        let new = NewTable {
            listed: false,
            invite,
            ..new_table(json!({}), players)
        };
        let mut table = Table::create(NOW, new).expect("a challenge");
        assert_eq!(
            refused_at(&mut table, 1, &Issuer::Member(cleo), Command::Abort),
            Refusal::NotSeated
        );
        assert_eq!(
            refused_at(&mut table, 1, &Issuer::Member(cleo), Command::join("Cleo")),
            Refusal::InviteNeeded
        );
        let mut declined = table.clone();
        apply_at(&mut declined, 1, &Issuer::Member(bob), Command::Abort);
        assert_eq!(declined.status(), TableStatus::Aborted);
        apply_at(&mut table, 1, &Issuer::Member(bob), Command::join("Bob"));
        assert_eq!(table.status(), TableStatus::Playing);
    }
}

mod rematch {
    use super::*;

    #[test]
    fn who_is_asked_can_decline_and_be_asked_again() {
        let mut table = begun();
        apply_at(&mut table, 1, &ann(), Command::Resign);
        let refused = |table: &mut Table, by: &Issuer| {
            let reason = refused_at(table, 2, by, Command::DeclineRematch);
            assert_eq!(reason, Refusal::NothingOffered);
        };
        refused(&mut table, &bob());
        let ask = || Command::Rematch { next: id(9) };
        for _ in 0..2 {
            apply_at(&mut table, 2, &ann(), ask());
            refused(&mut table, &ann());
            apply_at(&mut table, 2, &bob(), Command::DeclineRematch);
            let seats = table.seat_views();
            assert!(!seats[0].rematch && seats[1].declined_rematch);
            refused(&mut table, &bob());
        }
        assert_eq!(table.next(), None);
        apply_at(&mut table, 3, &bob(), ask());
        assert!(!table.seat_views()[1].declined_rematch);
        apply_at(&mut table, 3, &ann(), ask());
        assert_eq!(table.next(), Some(id(9)));
        refused(&mut table, &bob());
    }

    fn created(table: &Table) -> &TableEvent {
        &table.log()[0].event
    }

    #[test]
    fn who_may_see_and_join_the_table_and_how_luck_is_made_stay_the_same() {
        let link = SeatKey::from_token("link");
        let new = NewTable {
            listed: false,
            private: true,
            invite: Some(link),
            secret: Some(Secret::new([9; 32])),
            without_advice: true,
            ..NewTable::new(
                id(8),
                parlor_games::pig::KIND,
                json!({}),
                vec![human("Ann", &ann()), human("Bob", &bob())],
            )
        };
        let table = Table::create(NOW, new.clone()).expect("a private table");
        let secret = Secret::new([1; 32]);
        let again = table
            .rematch(NOW, id(9), Some(secret.clone()))
            .expect("the same players");
        assert_eq!(
            created(&again),
            &TableEvent::Created {
                table: id(9),
                game: "pig".to_owned(),
                options: table.options().clone(),
                seats: vec![human("Bob", &bob()), human("Ann", &ann())],
                listed: false,
                private: true,
                invite: Some(link),
                commitment: Some(secret.commitment()),
                luck_by_hand: false,
                previous: Some(id(8)),
                series: vec![0, 0],
                clock: None,
                rated: false,
                without_talk: false,
                without_advice: true,
                increments_return: false,
                lag_allowance: false,
            }
        );
        let by_hand = NewTable {
            luck_by_hand: true,
            ..new
        };
        let by_hand = Table::create(NOW, by_hand).expect("a table with dice of one's own");
        let again = by_hand.rematch(NOW, id(9), None).expect("the same players");
        assert!(again.luck_by_hand());
    }

    #[test]
    fn points_of_a_series_follow_the_players_to_their_new_seats() {
        let mut first = begun();
        apply_at(&mut first, 0, &bob(), Command::Resign);
        assert_eq!(first.view().series, Vec::<f64>::new());
        let mut second = first.rematch(NOW, id(8), None).expect("both are there");
        assert_eq!(second.players()[1].name(), Some("Ann"));
        assert_eq!(second.view().series, [0.0, 1.0]);
        apply_at(&mut second, 0, &bob(), Command::play("1,1"));
        apply_at(&mut second, 0, &ann(), Command::OfferDraw);
        apply_at(&mut second, 0, &bob(), Command::AcceptDraw);
        let third = second.rematch(NOW, id(9), None).expect("both are there");
        assert_eq!(
            (second.view().series, third.view().series),
            (vec![0.5, 1.5], vec![1.5, 0.5])
        );
        let again = Table::replay(third.log().to_vec(), None).expect("its own log");
        assert_eq!(again.view().series, [1.5, 0.5]);
    }

    #[test]
    fn sides_are_swapped_and_clock_and_rating_kept() {
        let player = |name: &str, number| {
            Player::member(name, UserId::new(number).expect("a number")).expect("a name")
        };
        let clock = Some(total(60_000, 1_000));
        let players = vec![player("Ann", 1), player("Bob", 2)];
        let new = NewTable {
            clock,
            rated: true,
            ..NewTable::new(id(7), parlor_games::ultimate::KIND, json!({}), players)
        };
        let mut table = Table::create(NOW, new).expect("a rated table");
        let [ann, bob] =
            [1, 2].map(|number| Issuer::Member(UserId::new(number).expect("a number")));
        apply_at(&mut table, 0, &ann, Command::play("44"));
        apply_at(&mut table, 9_000, &bob, Command::play("40"));
        apply_at(&mut table, 9_000, &bob, Command::Resign);
        apply_at(&mut table, 9_000, &ann, Command::Rematch { next: id(8) });
        apply_at(&mut table, 9_000, &bob, Command::Rematch { next: id(9) });
        let again = table
            .rematch(Timestamp::from_millis(NOW.millis() + 9_000), id(9), None)
            .expect("both are there");
        assert_eq!(
            again.players().iter().map(Player::name).collect::<Vec<_>>(),
            [Some("Bob"), Some("Ann")]
        );
        assert_eq!(
            (again.clock(), again.is_rated(), left(&again)),
            (clock, true, vec![60_000, 60_000])
        );
        assert_eq!(
            again.due_at(),
            Some(at(69_000)),
            "and it waits a minute for the first move"
        );
    }
}

mod rated {
    use super::*;

    fn table(players: Vec<Player>) -> Result<Table, Refusal> {
        Table::create(
            NOW,
            NewTable {
                rated: true,
                ..new_table(json!({}), players)
            },
        )
    }

    #[test]
    fn a_rated_game_is_between_two_different_members() {
        let [one, two] = [1, 2].map(|number| UserId::new(number).expect("a number"));
        let member = |user| Player::member("Somebody", user).expect("a name");
        assert!(table(vec![member(one), member(two)]).is_ok());
        assert_eq!(
            table(vec![member(one), member(one)]).err(),
            Some(Refusal::SamePlayerTwice)
        );
        assert_eq!(
            table(vec![member(one), human("Bob", &bob())]).err(),
            Some(Refusal::MembersOnly)
        );
        assert_eq!(
            table(vec![member(one), Player::bot("random")]).err(),
            Some(Refusal::MembersOnly)
        );
        let mut open = table(vec![member(one), Player::Open]).expect("a seat may be open");
        assert_eq!(
            refused_at(&mut open, 1, &bob(), Command::join("Bob")),
            Refusal::MembersOnly
        );
        assert_eq!(
            refused_at(&mut open, 1, &Issuer::Member(one), Command::join("Ann")),
            Refusal::SamePlayerTwice
        );
        apply_at(&mut open, 1, &Issuer::Member(two), Command::join("Bob"));
    }

    #[test]
    fn a_rated_game_is_not_against_ones_own_bot() {
        let [one, two, three] = [1, 2, 3].map(|number| UserId::new(number).expect("a number"));
        let member = |name, user| Player::member(name, user).expect("a name");
        let program = |user, owner| Player::program("Program", user, owner).expect("a name");
        for (players, refused) in [
            (vec![member("Ann", one), program(two, "Ann")], true),
            (vec![program(two, "Ann"), member("Ann", one)], true),
            (vec![program(two, "Ann"), program(three, "Ann")], true),
            (vec![member("Bob", one), program(two, "Ann")], false),
            (vec![program(two, "Ann"), program(three, "Bob")], false),
        ] {
            let made = table(players.clone()).err();
            assert_eq!(made, refused.then_some(Refusal::OwnBot), "{players:?}");
        }
        let mut open = table(vec![program(two, "Ann"), Player::Open]).expect("a seat may be open");
        assert_eq!(
            refused_at(&mut open, 1, &Issuer::Member(one), Command::join("Ann")),
            Refusal::OwnBot
        );
        apply_at(&mut open, 1, &Issuer::Member(three), Command::join("Bob"));
    }
}
