//! A game that all win or lose together: moves out of turn, questions to each other, undo, and what becomes of a seat that is left.

use parlor_core::{Seat, Turn};
use parlor_games::{GameKind, OutcomeView};
use parlor_table::verify::verify;
use parlor_table::{
    By, Claim, Command, Entry, Event, How, NewTable, Player, Refused, Secret, Status, Step, Table,
    TimeControl, UserId,
};
use serde_json::{Value, json};

use super::{NOW, ann, at, bob, cleo, done, human, id, left, play, refused, refused_at, total};

fn new(secret: u8, options: Value, players: Vec<Player>) -> NewTable {
    let secret = Some(Secret::new([secret; 32]));
    NewTable {
        secret,
        ..NewTable::new(id(11), GameKind::Pandemic, options, players)
    }
}

fn pair() -> Vec<Player> {
    vec![human("Ann", &ann()), human("Bob", &bob())]
}

/// The first table whose luck suits.
#[track_caller]
fn table_where(options: &Value, players: &[Player], suits: impl Fn(&Table) -> bool) -> Table {
    let tables = (0..=255).map(|n| {
        Table::create(NOW, new(n, options.clone(), players.to_vec())).expect("a team's table")
    });
    tables
        .into_iter()
        .find(suits)
        .expect("luck brings it about sooner or later")
}

/// Ann is the Dispatcher and begins, Bob is the Medic; nobody holds an event.
fn dispatcher_and_medic() -> Table {
    let options = json!({"roles": ["Dispatcher", "Medic"], "events": []});
    table_where(&options, &pair(), |table| {
        table.on_turn() == Some(Seat::FIRST)
    })
}

fn timed(control: TimeControl, players: Vec<Player>) -> Table {
    let options = json!({"players": players.len(), "events": [], "consent": "implied"});
    let table = (0..=255).map(|n| {
        let new = NewTable {
            clock: Some(control),
            ..new(n, options.clone(), players.clone())
        };
        Table::create(NOW, new).expect("a table with clocks")
    });
    table
        .into_iter()
        .find(|table| table.on_turn() == Some(Seat::FIRST))
        .expect("Ann begins sooner or later")
}

fn moves(entries: &[Entry]) -> Vec<(u8, &str)> {
    entries
        .iter()
        .filter_map(|entry| match &entry.event {
            Event::Moved { seat, text, .. } => Some((seat.number(), text.as_str())),
            _ => None,
        })
        .collect()
}

fn undo(table: &mut Table, by: &By) -> Vec<Entry> {
    table
        .apply(NOW, by, Command::OfferTakeback)
        .unwrap_or_else(|reason| panic!("undo: {reason}"))
}

#[test]
fn a_team_is_never_rated() {
    let member =
        |name, number| Player::member(name, UserId::new(number).expect("small")).expect("a name");
    let players = vec![member("Ann", 1), member("Bob", 2)];
    let rated = NewTable {
        rated: true,
        ..new(1, json!({}), players)
    };
    assert_eq!(
        Table::create(NOW, rated).err(),
        Some(Refused::TeamsAreNotRated)
    );
}

#[test]
fn nobody_offers_a_partner_a_draw() {
    let mut table = dispatcher_and_medic();
    assert_eq!(
        refused(&mut table, &ann(), Command::OfferDraw),
        Refused::NoDraws
    );
}

#[test]
fn a_bot_plays_on_for_a_partner_who_leaves_and_the_last_to_leave_loses_for_all() {
    let mut table = dispatcher_and_medic();
    table
        .apply(NOW, &bob(), Command::Resign)
        .expect("anybody may go");
    assert!(matches!(table.players()[1], Player::Bot { .. }) && table.status() == Status::Playing);
    play(&mut table, &ann(), "drive:Miami");
    assert_eq!(
        refused(&mut table, &bob(), Command::Resign),
        Refused::NotSeated
    );

    table
        .apply(NOW, &ann(), Command::Resign)
        .expect("she may go, too");
    let ending = table.ending().expect("nobody is left");
    assert_eq!(
        (ending.how, ending.outcome),
        (How::Resignation, Some(OutcomeView::TeamLost))
    );
    assert!(verify(&table.record()).holds());
}

#[test]
fn who_leaves_takes_all_of_their_seats_along() {
    let players = vec![
        human("Ann", &ann()),
        human("Bob", &bob()),
        human("Ann", &ann()),
    ];
    let mut table = table_where(&json!({"players": 3}), &players, |_| true);
    table
        .apply(NOW, &ann(), Command::Resign)
        .expect("anybody may go");
    assert_eq!(
        table
            .players()
            .iter()
            .map(Player::is_human)
            .collect::<Vec<_>>(),
        [false, true, false]
    );
    assert_eq!(table.status(), Status::Playing);
}

#[test]
fn a_bot_plays_on_for_who_has_no_time_left_and_without_persons_the_team_has_lost() {
    let mut table = timed(total(60_000, 0), pair());
    done(&mut table, 0, &ann(), Command::play("drive:Miami"));
    let flag = done(&mut table, 60_000, &By::House, Command::Tick);
    assert!(
        matches!(
            &flag[..],
            [Entry {
                event: Event::Flagged {
                    replaced_by: Some(_),
                    ..
                },
                ..
            }]
        ),
        "{flag:?}"
    );
    assert_eq!(table.status(), Status::Playing);

    let mut alone = timed(
        total(60_000, 0),
        vec![human("Ann", &ann()), Player::bot("random")],
    );
    done(&mut alone, 0, &ann(), Command::play("drive:Miami"));
    done(&mut alone, 60_000, &By::House, Command::Tick);
    let ending = alone.ending().expect("no person is left");
    assert_eq!(
        (ending.how, ending.outcome),
        (How::Time, Some(OutcomeView::TeamLost))
    );
}

#[test]
fn a_partner_who_is_gone_for_long_is_stood_in_for_by_a_bot() {
    let week = 7 * 24 * 3_600_000;
    let stand_in = || Command::Claim {
        claim: Claim::StandIn,
        absent_since: None,
    };
    let mut table = dispatcher_and_medic();
    assert_eq!(
        refused_at(&mut table, week - 1, &bob(), stand_in()),
        Refused::NothingToClaim
    );
    let win = Command::Claim {
        claim: Claim::Win,
        absent_since: None,
    };
    assert_eq!(
        refused_at(&mut table, week, &bob(), win),
        Refused::NothingToClaim
    );
    assert_eq!(
        refused_at(&mut table, week, &ann(), stand_in()),
        Refused::NothingToClaim
    );

    done(&mut table, week, &bob(), stand_in());
    assert!(matches!(table.players()[0], Player::Bot { .. }) && table.status() == Status::Playing);
    assert_eq!(
        refused_at(&mut table, 2 * week, &bob(), stand_in()),
        Refused::NothingToClaim
    );
}

#[test]
fn a_game_is_called_off_only_before_every_seat_has_moved() {
    let mut table = dispatcher_and_medic();
    for text in ["drive:Miami", "drive:Atlanta", "drive:Chicago"] {
        play(&mut table, &ann(), text);
    }
    let mut early = table.clone();
    early
        .apply(NOW, &bob(), Command::Abort)
        .expect("Bob has not moved yet");
    assert_eq!(early.status(), Status::Aborted);

    play(&mut table, &ann(), "drive:Medic:Miami");
    play(&mut table, &bob(), "agree");
    assert_eq!(
        refused(&mut table, &ann(), Command::Abort),
        Refused::TooLateToAbort
    );
}

#[test]
fn a_team_keeps_its_seats_in_the_next_game() {
    let mut table = dispatcher_and_medic();
    table
        .apply(NOW, &bob(), Command::Resign)
        .expect("anybody may go");
    let next = table
        .rematch(NOW, id(12), Some(Secret::new([1; 32])))
        .expect("a table");
    assert_eq!(next.players(), table.players());
}

#[test]
fn moves_are_taken_back_step_by_step_at_once() {
    let mut table = dispatcher_and_medic();
    let drawn = table.steps().len();
    let before: Vec<String> = ["drive:Miami", "drive:Atlanta", "drive:Chicago"]
        .iter()
        .map(|text| {
            let position = table.position().text();
            play(&mut table, &ann(), text);
            position
        })
        .collect();
    for position in before.iter().rev() {
        let entries = undo(&mut table, &ann());
        assert!(
            matches!(
                &entries[..],
                [Entry {
                    event: Event::TakenBack { moves: 1 },
                    ..
                }]
            ),
            "{entries:?}"
        );
        assert_eq!(table.position().text(), *position);
    }
    assert_eq!(
        refused(&mut table, &ann(), Command::OfferTakeback),
        Refused::NothingToTakeBack
    );
    assert_eq!((table.steps().len(), table.may_undo()), (drawn, None));

    let again = Table::replay(table.log().to_vec(), None).expect("the log of a table");
    assert_eq!(again.position().text(), table.position().text());
    assert!(verify(&table.record()).holds());
}

#[test]
fn nothing_is_taken_back_that_luck_has_answered() {
    let mut table = dispatcher_and_medic();
    play(&mut table, &ann(), "draw");
    assert!(
        matches!(table.steps().last(), Some(Step::Chance { .. })),
        "cards are drawn, and cities infected"
    );
    assert_eq!(
        refused(&mut table, &ann(), Command::OfferTakeback),
        Refused::LuckSince
    );
}

#[test]
fn no_log_takes_luck_back() {
    let table = dispatcher_and_medic();
    let mut log = table.log().to_vec();
    let event = Event::TakenBack { moves: 1 };
    log.push(Entry {
        version: table.version() + 1,
        at: NOW,
        event,
    });
    let bad = Table::replay(log, None).expect_err("the last step was luck");
    assert_eq!(bad.reason, "luck cannot be taken back");
}

#[test]
fn who_asks_may_think_again_until_there_is_an_answer() {
    let mut table = dispatcher_and_medic();
    let start = table.position().text();
    play(&mut table, &ann(), "drive:Medic:Miami");
    assert_eq!(table.on_turn(), Some(Seat::SECOND));
    assert_eq!(
        refused(&mut table, &bob(), Command::OfferTakeback),
        Refused::OthersSince
    );
    undo(&mut table, &ann());
    assert_eq!(table.position().text(), start);

    play(&mut table, &ann(), "drive:Medic:Miami");
    let asked = table.position().text();
    play(&mut table, &bob(), "agree");
    assert_eq!(
        refused(&mut table, &ann(), Command::OfferTakeback),
        Refused::OthersSince
    );
    undo(&mut table, &bob());
    assert_eq!(table.position().text(), asked, "the question stands again");
}

#[test]
fn a_person_is_not_asked_by_oneself() {
    let options = json!({"roles": ["Dispatcher", "Medic"], "events": []});
    let alone = vec![human("Ann", &ann()), human("Ann", &ann())];
    let mut table = table_where(&options, &alone, |table| {
        table.on_turn() == Some(Seat::FIRST)
    });
    let start = table.position().text();
    let entries = play(&mut table, &ann(), "drive:Medic:Miami");
    assert_eq!(moves(&entries), [(0, "drive:Medic:Miami"), (1, "agree")]);
    assert_eq!(table.on_turn(), Some(Seat::FIRST));

    let entries = undo(&mut table, &ann());
    assert!(
        matches!(
            &entries[..],
            [Entry {
                event: Event::TakenBack { moves: 2 },
                ..
            }]
        ),
        "{entries:?}"
    );
    assert_eq!(table.position().text(), start);
}

#[test]
fn an_event_is_played_by_its_holder_in_anothers_turn_and_by_nobody_else() {
    let options = json!({"events": ["One Quiet Night"], "players": 3});
    let players = vec![
        human("Ann", &ann()),
        human("Bob", &bob()),
        human("Cleo", &cleo()),
    ];
    let held_by = |table: &Table, seat: Seat| table.position().out_of_turn() == [seat];
    let mut table = table_where(&options, &players, |table| {
        table.on_turn() == Some(Seat::FIRST) && held_by(table, Seat::SECOND)
    });
    assert_eq!(
        refused(&mut table, &ann(), Command::play("quiet-night")),
        Refused::NotYourTurn
    );
    assert_eq!(
        refused(&mut table, &cleo(), Command::play("quiet-night")),
        Refused::NotYourTurn
    );
    assert_eq!(
        refused(&mut table, &bob(), Command::play("draw")),
        Refused::NotYourTurn
    );
    play(&mut table, &ann(), "drive:Miami");

    let entries = play(&mut table, &bob(), "quiet-night");
    assert_eq!(moves(&entries), [(1, "quiet-night")]);
    assert_eq!(table.on_turn(), Some(Seat::FIRST));
    assert_eq!(
        refused(&mut table, &ann(), Command::OfferTakeback),
        Refused::OthersSince
    );
    assert_eq!(table.may_undo(), Some(Seat::SECOND));
    undo(&mut table, &bob());
    undo(&mut table, &ann());
}

#[test]
fn bots_that_hold_events_are_known_and_persons_are_not_named() {
    let options = json!({"events": ["Airlift"], "players": 3});
    let players = vec![
        human("Ann", &ann()),
        Player::bot("random"),
        human("Cleo", &cleo()),
    ];
    let suits = |table: &Table| {
        table.on_turn() == Some(Seat::FIRST) && !table.position().out_of_turn().is_empty()
    };
    let held = [Seat::SECOND, Seat::new(2).expect("a third seat")];
    for seat in held {
        let table = table_where(&options, &players, |table| {
            suits(table) && table.position().out_of_turn() == [seat]
        });
        let bots = table.bots_out_of_turn();
        assert_eq!(
            bots,
            if seat == Seat::SECOND {
                vec![(seat, "random")]
            } else {
                vec![]
            }
        );
    }
}

#[test]
fn an_event_out_of_turn_costs_the_seat_on_turn_its_time_and_brings_nobody_any() {
    let control = total(60_000, 5_000);
    let options = json!({"events": ["One Quiet Night"]});
    let tables = (0..=255).map(|n| NewTable {
        clock: Some(control),
        ..new(n, options.clone(), pair())
    });
    let mut tables = tables.map(|new| Table::create(NOW, new).expect("a table with clocks"));
    let suits = |table: &Table| {
        table.on_turn() == Some(Seat::FIRST) && table.position().out_of_turn() == [Seat::SECOND]
    };
    let mut table = tables.find(suits).expect("sooner or later");
    done(&mut table, 0, &ann(), Command::Ready);
    done(&mut table, 10_000, &bob(), Command::play("quiet-night"));
    assert_eq!(left(&table), [50_000, 60_000]);
    assert_eq!(table.clock_view().and_then(|clock| clock.running), Some(0));
    done(&mut table, 12_000, &ann(), Command::play("drive:Miami"));
    assert_eq!(left(&table), [53_000, 60_000]);
}

#[test]
fn nobody_gains_time_by_taking_back() {
    let mut table = timed(total(60_000, 5_000), pair());
    done(&mut table, 0, &ann(), Command::Ready);
    done(&mut table, 1_000, &ann(), Command::play("drive:Miami"));
    assert_eq!(left(&table), [64_000, 60_000]);
    done(&mut table, 3_000, &ann(), Command::OfferTakeback);
    assert_eq!(left(&table), [57_000, 60_000]);
    done(&mut table, 4_000, &ann(), Command::play("drive:Miami"));
    assert_eq!(left(&table), [61_000, 60_000]);
}

#[test]
fn the_set_up_costs_nobody_time() {
    let table = timed(total(60_000, 0), pair());
    assert_eq!(table.clock_view().and_then(|clock| clock.running), None);
    assert_eq!(
        table.due_at(),
        Some(at(60_000)),
        "a game that nobody begins is called off"
    );
}

#[test]
fn a_whole_game_with_events_questions_and_undos_verifies() {
    for secret in 0..10 {
        let mut table = Table::create(NOW, new(secret, json!({}), pair())).expect("a table");
        let mut undone = 0;
        for n in 0.. {
            if table.status() != Status::Playing {
                break;
            }
            let legal = table.position().legal();
            let choice = &legal[n * 7 % legal.len()];
            let by = if choice.seat == Seat::FIRST {
                ann()
            } else {
                bob()
            };
            play(&mut table, &by, &choice.text);
            let last_is_mine = table.may_undo() == Some(choice.seat);
            if n % 5 == 0 && last_is_mine {
                undo(&mut table, &by);
                undone += 1;
            }
        }
        let record = table.record();
        let report = verify(&record);
        assert!(report.holds() && report.luck_checked, "{report:?}");
        assert!(undone > 0 && matches!(table.position().turn(), Turn::Over(_)));
        let json = serde_json::to_string(&record).expect("plain data");
        assert!(json.len() < 60_000, "{} bytes of record", json.len());
        let again = Table::replay(table.log().to_vec(), None).expect("the log of a table");
        assert_eq!(again.record(), record);
    }
}
