//! Cooperative games: moves out of turn, requests for consent, undo, and seats that players leave.

use parlor_core::{Seat, Turn};
use parlor_games::OutcomeView;
use parlor_table::verify::verify;
use parlor_table::{
    Claim, Command, EndReason, Issuer, LogEntry, NewTable, Player, RecordStep, Refusal, Secret,
    Table, TableEvent, TableStatus, TimeControl, UserId,
};
use serde_json::{Value, json};

use super::{
    NOW, Request, ann, ann_and_bob, apply_at, at, bob, cleo, human, id, left, play, refused,
    refused_at, total,
};

pub(super) fn new_pandemic(secret: u8, options: Value, players: Vec<Player>) -> NewTable {
    let secret = Some(Secret::new([secret; 32]));
    NewTable {
        secret,
        ..NewTable::new(id(11), parlor_games::pandemic::KIND, options, players)
    }
}

pub(super) fn pair() -> Vec<Player> {
    vec![human("Ann", &ann()), human("Bob", &bob())]
}

/// Returns the first table, trying one secret after another, that `accept` takes.
#[track_caller]
pub(super) fn table_where(
    options: &Value,
    players: &[Player],
    accept: impl Fn(&Table) -> bool,
) -> Table {
    let tables = (0..=255).map(|n| {
        Table::create(NOW, new_pandemic(n, options.clone(), players.to_vec()))
            .expect("a team's table")
    });
    tables
        .into_iter()
        .find(accept)
        .expect("luck brings it about sooner or later")
}

/// A game with Ann as the Dispatcher, who begins, and Bob as the Medic. Neither holds an event
/// card.
pub(super) fn dispatcher_and_medic() -> Table {
    let options = json!({"roles": ["Dispatcher", "Medic"], "events": []});
    table_where(&options, &pair(), |table| {
        table.on_turn() == Some(Seat::FIRST)
    })
}

pub(super) fn timed(control: TimeControl, players: Vec<Player>) -> Table {
    let options = json!({"players": players.len(), "events": [], "consent": "implied"});
    let table = (0..=255).map(|n| {
        let new = NewTable {
            clock: Some(control),
            ..new_pandemic(n, options.clone(), players.clone())
        };
        Table::create(NOW, new).expect("a table with clocks")
    });
    table
        .into_iter()
        .find(|table| table.on_turn() == Some(Seat::FIRST))
        .expect("Ann begins sooner or later")
}

fn moves(entries: &[LogEntry]) -> Vec<(u8, &str)> {
    entries
        .iter()
        .filter_map(|entry| match &entry.event {
            TableEvent::Moved { seat, text, .. } => Some((seat.number(), text.as_str())),
            _ => None,
        })
        .collect()
}

fn undo(table: &mut Table, by: &Issuer) -> Vec<LogEntry> {
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
        ..new_pandemic(1, json!({}), players)
    };
    assert_eq!(
        Table::create(NOW, rated).err(),
        Some(Refusal::TeamsAreNotRated)
    );
}

#[test]
fn nobody_offers_a_partner_a_draw() {
    let mut table = dispatcher_and_medic();
    assert_eq!(
        refused(&mut table, &ann(), Command::OfferDraw),
        Refusal::NoDraws
    );
}

#[test]
fn a_bot_replaces_a_partner_who_leaves_and_the_last_to_leave_loses_for_all() {
    let mut table = dispatcher_and_medic();
    table
        .apply(NOW, &bob(), Command::Resign)
        .expect("anybody may go");
    assert!(
        matches!(table.players()[1], Player::Bot { .. }) && table.status() == TableStatus::Playing
    );
    play(&mut table, &ann(), "drive:Miami");
    assert_eq!(
        refused(&mut table, &bob(), Command::Resign),
        Refusal::NotSeated
    );

    table
        .apply(NOW, &ann(), Command::Resign)
        .expect("she may go, too");
    let ending = table.ending().expect("nobody is left");
    assert_eq!(
        (ending.how, ending.outcome),
        (EndReason::Resignation, Some(OutcomeView::TeamLost))
    );
    assert!(verify(&table.record()).is_valid());
}

#[test]
fn a_player_resigns_all_seats_at_once() {
    let players = vec![
        human("Ann", &ann()),
        human("Bob", &bob()),
        human("Ann", &ann()),
    ];
    let last = Seat::new(2).expect("a third seat");
    let mut table = table_where(&json!({"players": 3}), &players, |table| {
        table.on_turn() == Some(last)
    });
    let entries = table
        .apply(NOW, &ann(), Command::Resign)
        .expect("anybody may go");
    let resigned = entries.iter().filter_map(|entry| match entry.event {
        TableEvent::Resigned { seat, .. } => Some(seat),
        _ => None,
    });
    assert_eq!(
        resigned.collect::<Vec<_>>(),
        [last, Seat::FIRST],
        "the seat on turn first"
    );
    assert_eq!(
        table
            .players()
            .iter()
            .map(Player::is_human)
            .collect::<Vec<_>>(),
        [false, true, false]
    );
    assert_eq!(table.status(), TableStatus::Playing);
}

#[test]
fn a_bot_replaces_a_player_without_time_and_a_team_without_people_has_lost() {
    let mut table = timed(total(60_000, 0), pair());
    apply_at(&mut table, 0, &ann(), Command::play("drive:Miami"));
    let flag = apply_at(&mut table, 60_000, &Issuer::Driver, Command::Tick);
    assert!(
        matches!(
            &flag[..],
            [LogEntry {
                event: TableEvent::Flagged {
                    replaced_by: Some(_),
                    ..
                },
                ..
            }]
        ),
        "{flag:?}"
    );
    assert_eq!(table.status(), TableStatus::Playing);

    let mut alone = timed(
        total(60_000, 0),
        vec![human("Ann", &ann()), Player::bot("random")],
    );
    apply_at(&mut alone, 0, &ann(), Command::play("drive:Miami"));
    apply_at(&mut alone, 60_000, &Issuer::Driver, Command::Tick);
    let ending = alone.ending().expect("no person is left");
    assert_eq!(
        (ending.how, ending.outcome),
        (EndReason::Time, Some(OutcomeView::TeamLost))
    );
}

#[test]
fn a_bot_can_replace_a_partner_who_has_left() {
    let week = 7 * 24 * 3_600_000;
    let stand_in = || Command::Claim(Claim::StandIn);
    let minutes = 5 * 60_000;
    let away = || Request::claim(Claim::StandIn, Some(0));
    let mut left = dispatcher_and_medic();
    assert_eq!(
        refused_at(&mut left, minutes - 1, &bob(), away()),
        Refusal::NothingToClaim
    );
    apply_at(&mut left, minutes, &bob(), away());
    let mut table = dispatcher_and_medic();
    assert_eq!(
        refused_at(&mut table, week - 1, &bob(), stand_in()),
        Refusal::NothingToClaim
    );
    let win = Command::Claim(Claim::Win);
    assert_eq!(
        refused_at(&mut table, week, &bob(), win),
        Refusal::NothingToClaim
    );
    assert_eq!(
        refused_at(&mut table, week, &ann(), stand_in()),
        Refusal::NothingToClaim
    );

    apply_at(&mut table, week, &bob(), stand_in());
    assert!(
        matches!(table.players()[0], Player::Bot { .. }) && table.status() == TableStatus::Playing
    );
    assert_eq!(
        refused_at(&mut table, 2 * week, &bob(), stand_in()),
        Refusal::NothingToClaim
    );
}

#[test]
fn a_game_can_be_aborted_only_until_every_seat_has_moved() {
    let mut table = dispatcher_and_medic();
    for text in ["drive:Miami", "drive:Atlanta", "drive:Chicago"] {
        play(&mut table, &ann(), text);
    }
    let mut early = table.clone();
    early
        .apply(NOW, &bob(), Command::Abort)
        .expect("Bob has not moved yet");
    assert_eq!(early.status(), TableStatus::Aborted);

    play(&mut table, &ann(), "drive:Medic:Miami");
    play(&mut table, &bob(), "agree");
    assert_eq!(
        refused(&mut table, &ann(), Command::Abort),
        Refusal::TooLateToAbort
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
fn moves_are_taken_back_one_by_one_without_asking() {
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
                [LogEntry {
                    event: TableEvent::TakenBack { moves: 1 },
                    ..
                }]
            ),
            "{entries:?}"
        );
        assert_eq!(table.position().text(), *position);
    }
    assert_eq!(
        refused(&mut table, &ann(), Command::OfferTakeback),
        Refusal::NothingToTakeBack
    );
    assert_eq!((table.steps().len(), table.undo_seat()), (drawn, None));

    let again = Table::replay(table.log().to_vec(), None).expect("the log of a table");
    assert_eq!(again.position().text(), table.position().text());
    assert!(verify(&table.record()).is_valid());
}

#[test]
fn only_the_last_move_of_a_person_in_a_team_is_offered_for_undoing() {
    let mut table = dispatcher_and_medic();
    play(&mut table, &ann(), "drive:Miami");
    assert_eq!(table.undo_seat(), Some(Seat::FIRST));
    let mut opponents = ann_and_bob();
    play(&mut opponents, &ann(), "1,1");
    assert_eq!(opponents.undo_seat(), None);

    let players = vec![Player::bot("level:1"), human("Bob", &bob())];
    let mut with_bot = table_where(&json!({"events": []}), &players, |table| {
        table.on_turn() == Some(Seat::FIRST)
    });
    let drive = with_bot.position().legal().remove(0).text;
    play(&mut with_bot, &Issuer::Bot(Seat::FIRST), &drive);
    assert_eq!(with_bot.undo_seat(), None, "a bot made the last move");

    table
        .apply(NOW, &ann(), Command::Resign)
        .expect("she may go");
    table
        .apply(NOW, &bob(), Command::Resign)
        .expect("he may go");
    assert_eq!(table.undo_seat(), None, "the game is over");
}

#[test]
fn nothing_is_taken_back_after_luck_has_decided() {
    let mut table = dispatcher_and_medic();
    play(&mut table, &ann(), "draw");
    assert!(
        matches!(table.steps().last(), Some(RecordStep::Chance { .. })),
        "cards are drawn, and cities infected"
    );
    assert_eq!(
        refused(&mut table, &ann(), Command::OfferTakeback),
        Refusal::LuckHasDecided
    );
}

#[test]
fn no_log_takes_luck_back() {
    let table = dispatcher_and_medic();
    let mut log = table.log().to_vec();
    let event = TableEvent::TakenBack { moves: 1 };
    log.push(LogEntry {
        version: table.version() + 1,
        at: NOW,
        event,
        after: None,
    });
    let bad = Table::replay(log, None).expect_err("the last step was luck");
    assert_eq!(bad.reason, "luck cannot be taken back");
}

#[test]
fn a_request_can_be_withdrawn_until_it_is_answered() {
    let mut table = dispatcher_and_medic();
    let start = table.position().text();
    play(&mut table, &ann(), "drive:Medic:Miami");
    assert_eq!(table.on_turn(), Some(Seat::SECOND));
    assert_eq!(
        refused(&mut table, &bob(), Command::OfferTakeback),
        Refusal::OthersHaveMoved
    );
    undo(&mut table, &ann());
    assert_eq!(table.position().text(), start);

    play(&mut table, &ann(), "drive:Medic:Miami");
    let asked = table.position().text();
    play(&mut table, &bob(), "agree");
    assert_eq!(
        refused(&mut table, &ann(), Command::OfferTakeback),
        Refusal::OthersHaveMoved
    );
    undo(&mut table, &bob());
    assert_eq!(table.position().text(), asked, "the question stands again");
}

#[test]
fn people_are_not_asked_for_their_own_consent() {
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
            [LogEntry {
                event: TableEvent::TakenBack { moves: 2 },
                ..
            }]
        ),
        "{entries:?}"
    );
    assert_eq!(table.position().text(), start);
}

#[test]
fn an_event_card_is_played_out_of_turn_only_by_its_holder() {
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
        Refusal::NotYourTurn
    );
    assert_eq!(
        refused(&mut table, &cleo(), Command::play("quiet-night")),
        Refusal::NotYourTurn
    );
    assert_eq!(
        refused(&mut table, &bob(), Command::play("draw")),
        Refusal::NotYourTurn
    );
    play(&mut table, &ann(), "drive:Miami");

    let entries = play(&mut table, &bob(), "quiet-night");
    assert_eq!(moves(&entries), [(1, "quiet-night")]);
    assert_eq!(table.on_turn(), Some(Seat::FIRST));
    assert_eq!(
        refused(&mut table, &ann(), Command::OfferTakeback),
        Refusal::OthersHaveMoved
    );
    assert_eq!(table.undo_seat(), Some(Seat::SECOND));
    undo(&mut table, &bob());
    undo(&mut table, &ann());
}

#[test]
fn only_bots_are_listed_as_able_to_move_out_of_turn() {
    let options = json!({"events": ["Airlift"], "players": 3});
    let players = vec![
        human("Ann", &ann()),
        Player::bot("random"),
        human("Cleo", &cleo()),
    ];
    let accept = |table: &Table| {
        table.on_turn() == Some(Seat::FIRST) && !table.position().out_of_turn().is_empty()
    };
    let held = [Seat::SECOND, Seat::new(2).expect("a third seat")];
    for seat in held {
        let table = table_where(&options, &players, |table| {
            accept(table) && table.position().out_of_turn() == [seat]
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
fn a_move_out_of_turn_costs_the_seat_on_turn_time_and_gains_none() {
    let control = total(60_000, 5_000);
    let options = json!({"events": ["One Quiet Night"]});
    let tables = (0..=255).map(|n| NewTable {
        clock: Some(control),
        ..new_pandemic(n, options.clone(), pair())
    });
    let mut tables = tables.map(|new| Table::create(NOW, new).expect("a table with clocks"));
    let accept = |table: &Table| {
        table.on_turn() == Some(Seat::FIRST) && table.position().out_of_turn() == [Seat::SECOND]
    };
    let mut table = tables.find(accept).expect("sooner or later");
    apply_at(&mut table, 0, &ann(), Command::Ready);
    apply_at(&mut table, 10_000, &bob(), Command::play("quiet-night"));
    assert_eq!(left(&table), [50_000, 60_000]);
    assert_eq!(table.clock_view().and_then(|clock| clock.running), Some(0));
    apply_at(&mut table, 12_000, &ann(), Command::play("drive:Miami"));
    assert_eq!(left(&table), [53_000, 60_000]);
}

#[test]
fn taking_back_gains_no_time() {
    let mut table = timed(total(60_000, 5_000), pair());
    apply_at(&mut table, 0, &ann(), Command::Ready);
    apply_at(&mut table, 1_000, &ann(), Command::play("drive:Miami"));
    assert_eq!(left(&table), [64_000, 60_000]);
    apply_at(&mut table, 3_000, &ann(), Command::OfferTakeback);
    assert_eq!(left(&table), [57_000, 60_000]);
    apply_at(&mut table, 4_000, &ann(), Command::play("drive:Miami"));
    assert_eq!(left(&table), [61_000, 60_000]);
}

#[test]
fn setup_costs_no_time() {
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
        let mut table =
            Table::create(NOW, new_pandemic(secret, json!({}), pair())).expect("a table");
        let mut undone = 0;
        for n in 0.. {
            if table.status() != TableStatus::Playing {
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
            let last_is_mine = table.undo_seat() == Some(choice.seat);
            if n % 5 == 0 && last_is_mine {
                undo(&mut table, &by);
                undone += 1;
            }
        }
        let record = table.record();
        let report = verify(&record);
        assert!(report.is_valid() && report.luck_checked, "{report:?}");
        assert!(undone > 0 && matches!(table.position().turn(), Turn::Over(_)));
        let json = serde_json::to_string(&record).expect("plain data");
        assert!(json.len() < 60_000, "{} bytes of record", json.len());
        let again = Table::replay(table.log().to_vec(), None).expect("the log of a table");
        assert_eq!(again.record(), record);
    }
}
