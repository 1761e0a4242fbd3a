//! Results of finished games for the players' accounts.

use parlor_core::Seat;
use parlor_games::OutcomeView;
use parlor_store::{GameScores, Score};
use parlor_table::{LogEntry, Player, Table, TableEvent};

use crate::ratings::RatingPool;

/// Returns the result to count if these latest events of a table end a game that a member played.
pub(super) fn settlement(table: &Table, entries: &[LogEntry]) -> Option<GameScores> {
    let outcome = entries.iter().find_map(|entry| match &entry.event {
        TableEvent::Ended { ending } => ending.outcome,
        _ => None,
    })?;
    let players = table.players().iter().enumerate();
    let seated =
        players.filter_map(|(seat, player)| Some((account(player)?, score(outcome, seat))));
    // A player who left a game that others continued has lost it, whatever the replacing bot
    // achieved.
    let players: Vec<_> = seated
        .chain(gone(table).into_iter().map(|user| (user, Score::Loss)))
        .collect();
    (!players.is_empty()).then(|| GameScores {
        game: RatingPool::from_table(table).key(),
        rated: table.is_rated(),
        players,
    })
}

/// Returns the id of a player's account in the store.
pub(super) fn account(player: &Player) -> Option<i64> {
    player
        .user()
        .map(|user| i64::try_from(user.number()).expect("an account's number is below 2^53"))
}

fn score(outcome: OutcomeView, seat: usize) -> Score {
    match outcome {
        OutcomeView::Won { seat: winner, .. } if usize::from(winner) == seat => Score::Win,
        OutcomeView::Won { .. } | OutcomeView::TeamLost => Score::Loss,
        OutcomeView::Draw => Score::Draw,
        OutcomeView::TeamWon => Score::Win,
    }
}

/// Returns the members whose seats bots took over, and who did not come back.
fn gone(table: &Table) -> Vec<i64> {
    Seat::all(table.position().seats())
        .filter_map(|seat| table.person_gone(seat))
        .filter_map(account)
        .collect()
}

#[cfg(test)]
mod tests {
    use parlor_games::GameKind;
    use parlor_table::{
        Command, EndReason, Ending, Issuer, NewTable, SeatKey, Secret, TableId, TimeControl,
        Timestamp, UserId,
    };
    use serde_json::{Value, json};

    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);

    fn member(number: u64) -> Player {
        Player::member("Somebody", UserId::new(number).unwrap()).unwrap()
    }

    fn by(number: u64) -> Issuer {
        Issuer::Member(UserId::new(number).unwrap())
    }

    fn guest() -> Player {
        Player::human("Guest", SeatKey::from_token("a guest's token")).unwrap()
    }

    fn table(game: &str, options: Value, players: Vec<Player>, rated: bool) -> Table {
        let game = GameKind::from_name(game).unwrap();
        let new = NewTable {
            rated,
            secret: Some(Secret::new([1; 32])),
            ..NewTable::new(TableId::new(1).unwrap(), game, options, players)
        };
        Table::create(NOW, new).unwrap()
    }

    fn do_at(table: &mut Table, by: &Issuer, command: Command) -> Vec<LogEntry> {
        table.apply(NOW, by, command).unwrap()
    }

    fn ended(table: &Table, outcome: OutcomeView) -> LogEntry {
        LogEntry {
            version: table.version() + 1,
            at: NOW,
            event: TableEvent::Ended {
                ending: Ending {
                    how: EndReason::Rules,
                    outcome: Some(outcome),
                },
            },
            after: None,
        }
    }

    #[test]
    fn the_winner_and_the_loser_are_counted_by_their_accounts() {
        let mut table = table("mnk", json!({}), vec![member(7), member(8)], true);
        for (n, text) in ["0,0", "1,0", "0,1", "1,1"].into_iter().enumerate() {
            let entries = do_at(&mut table, &by(7 + n as u64 % 2), Command::play(text));
            assert_eq!(settlement(&table, &entries), None, "the game goes on");
        }
        let entries = do_at(&mut table, &by(7), Command::play("0,2"));
        let scores = GameScores {
            game: "mnk".to_owned(),
            rated: true,
            players: vec![(7, Score::Win), (8, Score::Loss)],
        };
        assert_eq!(settlement(&table, &entries), Some(scores));
        let entries = do_at(
            &mut table,
            &by(7),
            Command::Rematch {
                next: TableId::new(2).unwrap(),
            },
        );
        assert_eq!(settlement(&table, &entries), None, "it is counted once");
    }

    #[test]
    fn the_second_seat_wins_by_resignation_and_a_draw_is_one_for_both() {
        let both = || table("mnk", json!({}), vec![member(7), member(8)], false);
        let mut resigned = both();
        let entries = do_at(&mut resigned, &by(7), Command::Resign);
        let scores = settlement(&resigned, &entries).unwrap();
        assert_eq!(scores.players, [(7, Score::Loss), (8, Score::Win)]);
        assert!(!scores.rated);
        let mut drawn = both();
        do_at(&mut drawn, &by(7), Command::OfferDraw);
        let entries = do_at(&mut drawn, &by(8), Command::AcceptDraw);
        let scores = settlement(&drawn, &entries).unwrap();
        assert_eq!(scores.players, [(7, Score::Draw), (8, Score::Draw)]);
    }

    #[test]
    fn a_game_without_members_or_without_an_outcome_is_not_counted() {
        let mut guests = table("mnk", json!({}), vec![guest(), guest()], false);
        let key = SeatKey::from_token("a guest's token");
        let entries = do_at(&mut guests, &Issuer::Key(key), Command::Resign);
        assert_eq!(settlement(&guests, &entries), None);
        let mut aborted = table("mnk", json!({}), vec![member(7), member(8)], true);
        let entries = do_at(&mut aborted, &by(7), Command::Abort);
        assert_eq!(settlement(&aborted, &entries), None);
    }

    #[test]
    fn members_whose_seats_bots_took_over_have_lost_whatever_the_bots_do() {
        let options = json!({"rows": 6, "columns": 6, "k": 3, "seats": 3});
        let players = vec![member(7), Player::Open, guest()];
        let mut table = table("mnk", options, players, false);
        do_at(&mut table, &by(8), Command::join("Somebody"));
        do_at(&mut table, &by(8), Command::Resign);
        do_at(&mut table, &by(7), Command::Resign);
        // The bot in the second seat wins.
        let key = Issuer::Key(SeatKey::from_token("a guest's token"));
        let bots = [0, 1].map(|seat| Issuer::Bot(Seat::new(seat).unwrap()));
        let mut last = Vec::new();
        for (n, text) in ["0,0", "3,0", "5,5", "1,1", "3,1", "0,5", "5,0", "3,2"]
            .into_iter()
            .enumerate()
        {
            let by = [&bots[0], &bots[1], &key][n % 3];
            last = do_at(&mut table, by, Command::play(text));
        }
        let scores = settlement(&table, &last).unwrap();
        assert_eq!(scores.players, [(7, Score::Loss), (8, Score::Loss)]);
    }

    #[test]
    fn who_left_a_team_and_came_back_shares_its_result() {
        for (comes_back, result) in [(true, Score::Win), (false, Score::Loss)] {
            let mut table = table("pandemic", json!({}), vec![member(7), member(8)], false);
            do_at(&mut table, &by(7), Command::Resign);
            if comes_back {
                do_at(&mut table, &by(7), Command::Return);
            }
            let won = settlement(&table, &[ended(&table, OutcomeView::TeamWon)]).unwrap();
            let mut players = won.players;
            players.sort_by_key(|(user, _)| *user);
            assert_eq!(players, [(7, result), (8, Score::Win)]);
        }
    }

    #[test]
    fn a_member_has_lost_once_however_many_bots_took_the_seat_over() {
        let kind = GameKind::from_name("pandemic").unwrap();
        let players = vec![member(7), member(8)];
        let new = NewTable {
            clock: Some(TimeControl::total(60_000, 0).unwrap()),
            secret: Some(Secret::new([1; 32])),
            ..NewTable::new(TableId::new(1).unwrap(), kind, json!({}), players)
        };
        let mut table = Table::create(NOW, new).unwrap();
        let leaves = 7 + u64::from(table.on_turn().unwrap().number());
        do_at(&mut table, &by(leaves), Command::Ready);
        do_at(&mut table, &by(leaves), Command::Resign);
        let late = Timestamp::from_millis(NOW.millis() + 60_000);
        let flagged = table.apply(late, &Issuer::Driver, Command::Tick).unwrap();
        assert!(matches!(flagged[0].event, TableEvent::Flagged { .. }));
        let won = settlement(&table, &[ended(&table, OutcomeView::TeamWon)]).unwrap();
        let mut players = won.players;
        players.sort_by_key(|(user, _)| *user);
        let result = |user| {
            if user == leaves {
                Score::Loss
            } else {
                Score::Win
            }
        };
        assert_eq!(players, [(7, result(7)), (8, result(8))]);
    }

    #[test]
    fn a_team_wins_and_loses_together() {
        let mut table = table("pandemic", json!({}), vec![member(7), member(8)], false);
        let won = settlement(&table, &[ended(&table, OutcomeView::TeamWon)]).unwrap();
        assert_eq!(won.players, [(7, Score::Win), (8, Score::Win)]);
        do_at(&mut table, &by(7), Command::Resign);
        let entries = do_at(&mut table, &by(8), Command::Resign);
        let lost = settlement(&table, &entries).unwrap();
        assert_eq!(lost.players, [(8, Score::Loss), (7, Score::Loss)]);
    }
}
