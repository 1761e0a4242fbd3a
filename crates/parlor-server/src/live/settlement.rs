//! What the end of a game counts for the accounts that played it.

use parlor_games::OutcomeView;
use parlor_store::{Score, Settlement};
use parlor_table::{Entry, Event, Player, Table};

/// What these events, the last of the table, bring to be counted: nothing unless they end the game with a result and a
/// member played it.
pub(super) fn settlement(table: &Table, entries: &[Entry]) -> Option<Settlement> {
    let outcome = entries.iter().find_map(|entry| match &entry.event {
        Event::Ended { ending } => ending.outcome,
        _ => None,
    })?;
    let players = table.players().iter().enumerate();
    let seated =
        players.filter_map(|(seat, player)| Some((account(player)?, score(outcome, seat))));
    // Who gave up a game that others went on with has lost it, whatever the bot in the seat did.
    let players: Vec<_> = seated
        .chain(gone(table).into_iter().map(|user| (user, Score::Loss)))
        .collect();
    (!players.is_empty()).then(|| Settlement {
        game: table.kind().name().to_owned(),
        rated: table.rated(),
        players,
    })
}

/// The number of a member's account in the store.
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

/// The members whose seats a bot took over.
fn gone(table: &Table) -> Vec<i64> {
    let (mut seats, mut gone) = (Vec::new(), Vec::new());
    for entry in table.log() {
        match &entry.event {
            Event::Created { seats: first, .. } => seats.clone_from(first),
            Event::Joined { seat, player } => seats[seat.index()] = player.clone(),
            Event::Resigned {
                seat,
                replaced_by: Some(_),
            }
            | Event::Flagged {
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
