//! Draws, takebacks, gifts of time, claims and rematches: who may ask for them when, and what comes of it.

use parlor_core::{Outcome, Seat};
use parlor_games::GameKind;
use parlor_table::{
    By, Claim, Command, Ending, Event, How, NewTable, Player, Refused, Status, Table, TimeControl,
};
use parlor_table::{Timestamp, UserId};
use serde_json::json;

use super::{
    NOW, ann, ann_and_bob, at, bob, cleo, done, human, id, left, new_table, pig, play_all,
    refused_at, three_players, timed, total,
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

fn ended(how: How, outcome: Outcome) -> Option<Ending> {
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
        done(&mut table, 1, &ann(), Command::OfferDraw);
        assert_eq!((draws(&table), table.status()), (vec![0], Status::Playing));
        assert_eq!(
            refused_at(&mut table, 2, &ann(), Command::AcceptDraw),
            Refused::NothingOffered,
            "one's own offer"
        );
        done(&mut table, 3, &bob(), Command::AcceptDraw);
        assert_eq!(
            (table.ending(), draws(&table)),
            (ended(How::Agreement, Outcome::Draw), vec![])
        );
    }

    #[test]
    fn who_offers_while_the_other_does_has_agreed() {
        let mut table = begun();
        done(&mut table, 1, &bob(), Command::OfferDraw);
        done(&mut table, 2, &ann(), Command::OfferDraw);
        assert_eq!(table.ending(), ended(How::Agreement, Outcome::Draw));
    }

    #[test]
    fn a_declined_offer_is_gone_and_may_not_be_repeated_before_a_move_of_ones_own() {
        let mut table = begun();
        done(&mut table, 1, &ann(), Command::OfferDraw);
        done(&mut table, 2, &bob(), Command::DeclineDraw);
        assert_eq!(draws(&table), [0; 0]);
        assert_eq!(
            refused_at(&mut table, 3, &bob(), Command::AcceptDraw),
            Refused::NothingOffered
        );
        assert_eq!(
            refused_at(&mut table, 3, &bob(), Command::DeclineDraw),
            Refused::NothingOffered
        );
        assert_eq!(
            refused_at(&mut table, 3, &ann(), Command::OfferDraw),
            Refused::OfferedAlready
        );
        done(&mut table, 4, &ann(), Command::play("0,1"));
        done(&mut table, 5, &ann(), Command::OfferDraw);
        assert_eq!(draws(&table), [0]);
    }

    #[test]
    fn an_offer_expires_when_the_other_moves_and_not_when_oneself_does() {
        let mut table = begun();
        done(&mut table, 1, &ann(), Command::OfferDraw);
        done(&mut table, 2, &ann(), Command::play("0,1"));
        assert_eq!(draws(&table), [0], "the other may still think about it");
        done(&mut table, 3, &bob(), Command::play("2,1"));
        assert_eq!(draws(&table), [0; 0]);
        assert_eq!(
            refused_at(&mut table, 4, &bob(), Command::AcceptDraw),
            Refused::NothingOffered
        );
    }

    #[test]
    fn a_declined_offer_may_be_answered_with_ones_own() {
        let mut table = begun();
        done(&mut table, 1, &ann(), Command::OfferDraw);
        done(&mut table, 2, &bob(), Command::DeclineDraw);
        done(&mut table, 3, &bob(), Command::OfferDraw);
        done(&mut table, 4, &ann(), Command::AcceptDraw);
        assert_eq!(table.ending(), ended(How::Agreement, Outcome::Draw));
    }

    #[test]
    fn among_three_all_must_agree() {
        let mut table = three_players();
        done(&mut table, 1, &ann(), Command::OfferDraw);
        done(&mut table, 2, &bob(), Command::AcceptDraw);
        assert_eq!(
            (draws(&table), table.status()),
            (vec![0, 1], Status::Playing)
        );
        done(&mut table, 3, &cleo(), Command::AcceptDraw);
        assert_eq!(table.ending(), ended(How::Agreement, Outcome::Draw));
    }

    #[test]
    fn bots_strangers_and_games_without_draws_refuse() {
        assert_eq!(
            refused_at(&mut with_bot(), 1, &ann(), Command::OfferDraw),
            Refused::BotsPlayOn
        );
        assert_eq!(
            refused_at(&mut begun(), 1, &cleo(), Command::OfferDraw),
            Refused::NotSeated
        );
        let mut dice = pig(20);
        assert_eq!(
            refused_at(&mut dice, 1, &ann(), Command::OfferDraw),
            Refused::NotStarted
        );
        done(&mut dice, 1, &bob(), Command::join("Bob"));
        assert_eq!(
            refused_at(&mut dice, 2, &ann(), Command::OfferDraw),
            Refused::NoDraws
        );
    }

    #[test]
    fn an_offer_does_not_stop_the_clock() {
        let mut table = timed(GameKind::Mnk, total(60_000, 0));
        done(&mut table, 0, &ann(), Command::play("1,1"));
        done(&mut table, 10_000, &bob(), Command::OfferDraw);
        done(&mut table, 20_000, &bob(), Command::play("0,0"));
        assert_eq!(left(&table), [60_000, 40_000]);
    }
}

mod takeback {
    use super::*;

    #[test]
    fn the_last_move_is_taken_back_before_it_is_answered() {
        let mut table = begun();
        done(&mut table, 1, &bob(), Command::OfferTakeback);
        assert_eq!(table.view().offers.takeback, Some(1));
        done(&mut table, 2, &ann(), Command::AcceptTakeback);
        assert_eq!(
            (table.plies(), table.on_turn(), table.last_move()),
            (1, Some(Seat::SECOND), Some("1,1"))
        );
        assert_eq!(table.view().offers.takeback, None);
        done(&mut table, 3, &bob(), Command::play("2,2"));
    }

    #[test]
    fn what_was_answered_is_taken_back_with_it() {
        let mut table = begun();
        done(&mut table, 1, &ann(), Command::OfferTakeback);
        let events = done(&mut table, 2, &bob(), Command::AcceptTakeback);
        assert!(matches!(events[..], [ref event] if event.event == Event::TakenBack { moves: 2 }));
        assert_eq!(
            (table.plies(), table.on_turn(), table.last_move()),
            (0, Some(Seat::FIRST), None)
        );
    }

    #[test]
    fn a_declined_takeback_changes_nothing_and_can_be_asked_for_again() {
        let mut table = begun();
        done(&mut table, 1, &bob(), Command::OfferTakeback);
        done(&mut table, 2, &ann(), Command::DeclineTakeback);
        assert_eq!((table.plies(), table.view().offers.takeback), (2, None));
        assert_eq!(
            refused_at(&mut table, 3, &ann(), Command::AcceptTakeback),
            Refused::NothingOffered
        );
        done(&mut table, 4, &bob(), Command::OfferTakeback);
        done(&mut table, 5, &ann(), Command::AcceptTakeback);
        assert_eq!(table.plies(), 1);
    }

    #[test]
    fn a_move_of_anybody_answers_the_question() {
        let mut table = begun();
        done(&mut table, 1, &bob(), Command::OfferTakeback);
        done(&mut table, 2, &ann(), Command::play("2,2"));
        assert_eq!(table.view().offers.takeback, None);
        assert_eq!(
            refused_at(&mut table, 3, &ann(), Command::AcceptTakeback),
            Refused::NothingOffered
        );
    }

    #[test]
    fn nobody_answers_the_own_question_or_takes_back_what_was_not_played() {
        let mut table = ann_and_bob();
        assert_eq!(
            refused_at(&mut table, 1, &ann(), Command::OfferTakeback),
            Refused::NothingToTakeBack
        );
        done(&mut table, 1, &ann(), Command::play("1,1"));
        assert_eq!(
            refused_at(&mut table, 2, &bob(), Command::OfferTakeback),
            Refused::NothingToTakeBack
        );
        done(&mut table, 3, &ann(), Command::OfferTakeback);
        assert_eq!(
            done(&mut table, 4, &ann(), Command::OfferTakeback),
            [],
            "asking twice changes nothing"
        );
        assert_eq!(
            refused_at(&mut table, 5, &ann(), Command::AcceptTakeback),
            Refused::NothingOffered
        );
        assert_eq!(
            refused_at(&mut table, 5, &ann(), Command::DeclineTakeback),
            Refused::NothingOffered
        );
        assert_eq!(
            refused_at(&mut table, 5, &cleo(), Command::AcceptTakeback),
            Refused::NotSeated
        );
    }

    #[test]
    fn bots_agree_at_once() {
        let mut table = with_bot();
        done(&mut table, 1, &ann(), Command::play("1,1"));
        done(&mut table, 2, &By::Bot(Seat::SECOND), Command::play("0,0"));
        done(&mut table, 3, &ann(), Command::OfferTakeback);
        assert_eq!((table.plies(), table.on_turn()), (0, Some(Seat::FIRST)));
    }

    #[test]
    fn who_plays_against_oneself_needs_nobodys_leave() {
        let players = vec![human("Ann", &ann()), human("Also Ann", &ann())];
        let mut table = Table::create(NOW, new_table(json!({}), players)).expect("a table for one");
        done(&mut table, 1, &ann(), Command::play("1,1"));
        done(&mut table, 2, &ann(), Command::play("0,0"));
        done(&mut table, 3, &ann(), Command::OfferTakeback);
        assert_eq!((table.plies(), table.last_move()), (1, Some("1,1")));
    }

    #[test]
    fn moves_stand_in_games_with_luck_and_among_three() {
        let mut dice = pig(20);
        done(&mut dice, 1, &bob(), Command::join("Bob"));
        done(&mut dice, 2, &ann(), Command::play("roll"));
        assert_eq!(
            refused_at(&mut dice, 3, &ann(), Command::OfferTakeback),
            Refused::NoTakebacks
        );
        let mut three = three_players();
        done(&mut three, 1, &ann(), Command::play("0,0"));
        assert_eq!(
            refused_at(&mut three, 2, &ann(), Command::OfferTakeback),
            Refused::NoTakebacks
        );
    }

    #[test]
    fn time_that_was_used_stays_used_and_the_clock_of_who_moves_again_runs() {
        let mut table = timed(GameKind::Mnk, total(60_000, 0));
        done(&mut table, 0, &ann(), Command::play("1,1"));
        done(&mut table, 10_000, &bob(), Command::play("0,0"));
        done(&mut table, 15_000, &bob(), Command::OfferTakeback);
        done(&mut table, 20_000, &ann(), Command::AcceptTakeback);
        assert_eq!(left(&table), [50_000, 50_000]);
        assert_eq!(table.due_at(), Some(at(70_000)), "and Bob's clock runs");
        done(&mut table, 21_000, &bob(), Command::play("2,2"));
        assert_eq!(left(&table), [50_000, 49_000]);
    }

    #[test]
    fn a_draw_may_be_offered_again_for_a_move_that_was_played_anew() {
        let mut table = begun();
        done(&mut table, 1, &ann(), Command::OfferDraw);
        done(&mut table, 2, &bob(), Command::OfferTakeback);
        done(&mut table, 3, &ann(), Command::AcceptTakeback);
        assert_eq!(draws(&table), [0; 0], "what was offered is off the table");
    }
}

mod give_time {
    use super::*;

    #[test]
    fn the_other_side_gets_fifteen_seconds_or_what_is_said() {
        let mut table = timed(GameKind::Mnk, total(60_000, 0));
        done(&mut table, 0, &ann(), Command::GiveTime { seconds: None });
        done(
            &mut table,
            0,
            &bob(),
            Command::GiveTime { seconds: Some(60) },
        );
        assert_eq!(left(&table), [120_000, 75_000]);
    }

    #[test]
    fn by_mail_a_day_is_given() {
        let mut table = timed(
            GameKind::Mnk,
            TimeControl::correspondence(1).expect("a day"),
        );
        done(
            &mut table,
            0,
            &ann(),
            Command::GiveTime { seconds: Some(5) },
        );
        assert_eq!(left(&table), [86_400_000, 2 * 86_400_000]);
    }

    #[test]
    fn no_gift_is_nothing_or_more_than_an_hour() {
        let mut table = timed(GameKind::Mnk, total(60_000, 0));
        for seconds in [0, 3_601, u32::MAX] {
            let gift = Command::GiveTime {
                seconds: Some(seconds),
            };
            assert_eq!(
                refused_at(&mut table, 1, &ann(), gift),
                Refused::BadGift { most: 3_600 }
            );
        }
        let gift = Command::GiveTime { seconds: None };
        assert_eq!(
            refused_at(&mut table, 1, &cleo(), gift.clone()),
            Refused::NotSeated
        );
        assert_eq!(
            refused_at(&mut ann_and_bob(), 1, &ann(), gift),
            Refused::NoClock
        );
    }
}

mod claim {
    use super::*;

    fn win(absent_since: Option<i64>) -> Command {
        Command::Claim {
            claim: Claim::Win,
            absent_since: absent_since.map(at),
        }
    }

    /// Bob is on turn since second 10.
    fn waiting() -> Table {
        let mut table = timed(GameKind::Mnk, total(600_000, 0));
        done(&mut table, 10_000, &ann(), Command::play("1,1"));
        table
    }

    #[test]
    fn who_is_away_for_a_minute_on_turn_can_be_claimed_against() {
        let mut table = waiting();
        assert_eq!(
            refused_at(&mut table, 75_000, &ann(), win(Some(15_001))),
            Refused::NothingToClaim
        );
        let events = done(&mut table, 75_000, &ann(), win(Some(15_000)));
        assert_eq!(
            events[0].event,
            Event::Claimed {
                seat: Seat::FIRST,
                claim: Claim::Win
            }
        );
        assert_eq!(table.ending(), ended(How::Claim, Outcome::won(Seat::FIRST)));
    }

    #[test]
    fn the_minute_does_not_begin_before_the_turn() {
        let mut table = waiting();
        assert_eq!(
            refused_at(&mut table, 69_999, &ann(), win(Some(0))),
            Refused::NothingToClaim
        );
        done(&mut table, 70_000, &ann(), win(Some(0)));
    }

    #[test]
    fn a_draw_can_be_claimed_for_the_kind() {
        let mut table = waiting();
        done(
            &mut table,
            70_000,
            &ann(),
            Command::Claim {
                claim: Claim::Draw,
                absent_since: Some(NOW),
            },
        );
        assert_eq!(table.ending(), ended(How::Claim, Outcome::Draw));
    }

    #[test]
    fn nothing_is_claimed_of_who_is_here_or_by_who_is_on_turn_or_a_stranger() {
        let mut table = waiting();
        assert_eq!(
            refused_at(&mut table, 100_000, &ann(), win(None)),
            Refused::NothingToClaim
        );
        assert_eq!(
            refused_at(&mut table, 100_000, &bob(), win(Some(0))),
            Refused::NothingToClaim
        );
        assert_eq!(
            refused_at(&mut table, 100_000, &cleo(), win(Some(0))),
            Refused::NotSeated
        );
    }

    #[test]
    fn without_clocks_a_game_is_left_after_a_week_without_a_move() {
        let mut table = begun();
        done(&mut table, 1_000, &ann(), Command::play("2,2"));
        assert_eq!(
            refused_at(&mut table, 1_000 + WEEK - 1, &ann(), win(None)),
            Refused::NothingToClaim
        );
        done(&mut table, 1_000 + WEEK, &ann(), win(None));
        assert_eq!(table.ending(), ended(How::Claim, Outcome::won(Seat::FIRST)));
    }

    #[test]
    fn clocks_decide_games_by_mail_and_bots_never_leave() {
        let mut table = timed(
            GameKind::Mnk,
            TimeControl::correspondence(30).expect("a month"),
        );
        done(&mut table, 0, &ann(), Command::play("1,1"));
        assert_eq!(
            refused_at(&mut table, 2 * WEEK, &ann(), win(Some(0))),
            Refused::NothingToClaim
        );
        let mut table = with_bot();
        done(&mut table, 0, &ann(), Command::play("1,1"));
        assert_eq!(
            refused_at(&mut table, 2 * WEEK, &ann(), win(Some(0))),
            Refused::NothingToClaim
        );
    }

    #[test]
    fn among_three_nothing_is_claimed() {
        let mut table = three_players();
        done(&mut table, 0, &ann(), Command::play("0,0"));
        assert_eq!(
            refused_at(&mut table, 2 * WEEK, &ann(), win(Some(0))),
            Refused::NothingToClaim
        );
    }
}

mod abort {
    use super::*;

    #[test]
    fn a_game_with_clocks_is_called_off_until_both_have_moved() {
        let mut table = timed(GameKind::Mnk, total(60_000, 0));
        done(&mut table, 0, &ann(), Command::play("1,1"));
        let mut later = table.clone();
        done(&mut table, 1, &bob(), Command::Abort);
        assert_eq!((table.status(), table.due_at()), (Status::Aborted, None));
        done(&mut later, 1, &bob(), Command::play("0,0"));
        assert_eq!(
            refused_at(&mut later, 2, &bob(), Command::Abort),
            Refused::TooLateToAbort
        );
    }

    #[test]
    fn who_is_challenged_may_call_it_off_and_nobody_else_who_does_not_sit_there() {
        let [ann, bob, cleo] = [1, 2, 3].map(|n| UserId::new(n).expect("a number"));
        let invite = Some(parlor_table::Key::of_member(bob));
        let players = vec![Player::member("Ann", ann).expect("a name"), Player::Open];
        let new = NewTable {
            listed: false,
            invite,
            ..new_table(json!({}), players)
        };
        let mut table = Table::create(NOW, new).expect("a challenge");
        assert_eq!(
            refused_at(&mut table, 1, &By::Member(cleo), Command::Abort),
            Refused::NotSeated
        );
        assert_eq!(
            refused_at(&mut table, 1, &By::Member(cleo), Command::join("Cleo")),
            Refused::InviteNeeded
        );
        let mut declined = table.clone();
        done(&mut declined, 1, &By::Member(bob), Command::Abort);
        assert_eq!(declined.status(), Status::Aborted);
        done(&mut table, 1, &By::Member(bob), Command::join("Bob"));
        assert_eq!(table.status(), Status::Playing);
    }
}

mod rematch {
    use super::*;

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
            ..NewTable::new(id(7), GameKind::Ultimate, json!({}), players)
        };
        let mut table = Table::create(NOW, new).expect("a rated table");
        let [ann, bob] = [1, 2].map(|number| By::Member(UserId::new(number).expect("a number")));
        done(&mut table, 0, &ann, Command::play("44"));
        done(&mut table, 9_000, &bob, Command::Resign);
        done(&mut table, 9_000, &ann, Command::Rematch { next: id(8) });
        done(&mut table, 9_000, &bob, Command::Rematch { next: id(9) });
        let again = table
            .rematch(Timestamp::from_millis(NOW.millis() + 9_000), id(9), None)
            .expect("both are there");
        assert_eq!(
            again.players().iter().map(Player::name).collect::<Vec<_>>(),
            [Some("Bob"), Some("Ann")]
        );
        assert_eq!(
            (again.clock(), again.rated(), left(&again)),
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

    fn table(players: Vec<Player>) -> Result<Table, Refused> {
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
            Some(Refused::AgainstOneself)
        );
        assert_eq!(
            table(vec![member(one), human("Bob", &bob())]).err(),
            Some(Refused::MembersOnly)
        );
        assert_eq!(
            table(vec![member(one), Player::bot("random")]).err(),
            Some(Refused::MembersOnly)
        );
        let mut open = table(vec![member(one), Player::Open]).expect("a seat may be open");
        assert_eq!(
            refused_at(&mut open, 1, &bob(), Command::join("Bob")),
            Refused::MembersOnly
        );
        assert_eq!(
            refused_at(&mut open, 1, &By::Member(one), Command::join("Ann")),
            Refused::AgainstOneself
        );
        done(&mut open, 1, &By::Member(two), Command::join("Bob"));
    }
}
