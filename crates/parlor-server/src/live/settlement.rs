//! Results of finished games for the players' accounts.

use parlor_games::OutcomeView;
use parlor_store::{GameScores, Score};
use parlor_table::{LogEntry, Player, Table, TableEvent};

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
        game: table.kind().name().to_owned(),
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

/// Returns the members whose seats a bot took over.
fn gone(table: &Table) -> Vec<i64> {
    let (mut seats, mut gone) = (Vec::new(), Vec::new());
    for entry in table.log() {
        match &entry.event {
            TableEvent::Created { seats: first, .. } => seats.clone_from(first),
            TableEvent::Joined { seat, player } => seats[seat.index()] = player.clone(),
            TableEvent::Resigned {
                seat,
                replaced_by: Some(_),
            }
            | TableEvent::Flagged {
                seat,
                replaced_by: Some(_),
            } => {
                gone.extend(account(&seats[seat.index()]));
            }
            _ => {}
        }
    }
    gone
}
