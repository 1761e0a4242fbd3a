//! Notifications to a person about a table.

use parlor_core::Seat;
use parlor_table::{
    Ending, LogEntry, SeatKey, Table, TableEvent, TableId, TableStatus, TimeControl, Timestamp,
    UserId,
};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::invited_key;
use crate::accounts::store_id;
use crate::api::schema;

/// Notification to a person about a table.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Notification {
    /// Kind of notification.
    #[serde(rename = "type")]
    pub(crate) kind: NotificationKind,
    /// Number in your account's log, if it is written there: all but `your_turn` and `their_turn`,
    /// and what the summary repeats. Guests have no log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) n: Option<u64>,
    /// Id of the table.
    #[schema(value_type = String)]
    pub(crate) table: TableId,
    /// URL path of the table's page.
    pub(crate) url: String,
    /// Name of the game.
    pub(crate) game: &'static str,
    /// Version of the table at that time.
    pub(crate) version: u64,
    /// Time of the event, in milliseconds since the Unix epoch.
    #[schema(value_type = i64)]
    pub(crate) at: Timestamp,
    /// Seats that you hold.
    pub(crate) you: Vec<u8>,
    /// Names of the players by seat; `null` for empty seats.
    pub(crate) players: Vec<Option<String>>,
    /// True if the game affects the players' ratings.
    pub(crate) rated: bool,
    /// Time control.
    #[schema(value_type = Option<schema::TimeControlSchema>, required)]
    pub(crate) clock: Option<TimeControl>,
    /// Complete options of the game, for `challenge` and `game_start`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<schema::GameOptionsSchema>)]
    pub(crate) options: Option<Value>,
    /// Kind of offer, for `offer`: `draw`, `takeback` or `rematch`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) offer: Option<&'static str>,
    /// Ending of the game, for `game_over`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<schema::EndingSchema>)]
    pub(crate) ending: Option<Ending>,
}

/// Kind of notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum NotificationKind {
    /// One of your games has started or is in progress.
    GameStart,
    /// It is your turn.
    YourTurn,
    /// It is another player's turn.
    TheirTurn,
    /// One of your games has ended or was called off.
    GameOver,
    /// You are challenged to a game.
    Challenge,
    /// A challenge was declined or withdrawn.
    ChallengeGone,
    /// Another player makes an offer.
    Offer,
}

impl NotificationKind {
    /// Returns true for what is written to the accounts' logs. Whose turn it is follows from the
    /// tables.
    pub(crate) const fn is_logged(self) -> bool {
        !matches!(
            self,
            NotificationKind::YourTurn | NotificationKind::TheirTurn
        )
    }

    /// Returns the name used in JSON.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            NotificationKind::GameStart => "game_start",
            NotificationKind::YourTurn => "your_turn",
            NotificationKind::TheirTurn => "their_turn",
            NotificationKind::GameOver => "game_over",
            NotificationKind::Challenge => "challenge",
            NotificationKind::ChallengeGone => "challenge_gone",
            NotificationKind::Offer => "offer",
        }
    }
}

impl Notification {
    fn new(kind: NotificationKind, table: &Table, key: &SeatKey) -> Notification {
        let options = matches!(
            kind,
            NotificationKind::GameStart | NotificationKind::Challenge
        )
        .then(|| table.options().clone());
        Notification {
            kind,
            n: None,
            table: table.id(),
            url: format!("/t/{}", table.id()),
            game: table.kind().name(),
            version: table.version(),
            at: table.updated_at(),
            you: table
                .seats_with_key(key)
                .into_iter()
                .map(Seat::number)
                .collect(),
            players: table
                .players()
                .iter()
                .map(|player| player.name().map(str::to_owned))
                .collect(),
            rated: table.is_rated(),
            clock: table.clock(),
            options,
            offer: None,
            ending: table
                .ending()
                .filter(|_| kind == NotificationKind::GameOver),
        }
    }
}

/// Returns the notifications that bring a newly connected person up to date about a table.
pub(crate) fn current_notifications(table: &Table, key: &SeatKey) -> Vec<Notification> {
    let seated = !table.seats_with_key(key).is_empty();
    match table.status() {
        TableStatus::Playing if seated => {
            let start = Notification::new(NotificationKind::GameStart, table, key);
            let turn = turn(table, key).filter(|kind| *kind == NotificationKind::YourTurn);
            [
                Some(start),
                turn.map(|kind| Notification::new(kind, table, key)),
            ]
            .into_iter()
            .flatten()
            .collect()
        }
        TableStatus::Open if !seated && invited_key(table) == Some(*key) => {
            vec![Notification::new(NotificationKind::Challenge, table, key)]
        }
        _ => Vec::new(),
    }
}

/// Returns the notification that a person's game has ended, if it has.
pub(crate) fn game_over_notification(table: &Table, key: &SeatKey) -> Option<Notification> {
    let over = matches!(table.status(), TableStatus::Over | TableStatus::Aborted)
        && !table.seats_with_key(key).is_empty();
    over.then(|| Notification::new(NotificationKind::GameOver, table, key))
}

/// Returns the notifications that a table's new events mean for a person.
pub(super) fn notifications_for(
    table: &Table,
    entries: &[LogEntry],
    key: &SeatKey,
) -> Vec<Notification> {
    let mine = table.seats_with_key(key);
    let any = |wanted: fn(&TableEvent) -> bool| entries.iter().any(|entry| wanted(&entry.event));
    let over = any(|event| matches!(event, TableEvent::Ended { .. }));
    let mut kinds = Vec::new();
    if mine.is_empty() {
        let asked = any(|event| matches!(event, TableEvent::Created { .. }))
            && table.status() == TableStatus::Open;
        kinds.extend(asked.then_some(NotificationKind::Challenge));
        kinds.extend(over.then_some(NotificationKind::ChallengeGone));
    } else {
        kinds.extend(
            any(|event| matches!(event, TableEvent::Started))
                .then_some(NotificationKind::GameStart),
        );
        kinds.extend(any(changes_turn).then(|| turn(table, key)).flatten());
        kinds.extend(over.then_some(NotificationKind::GameOver));
    }
    let offers = entries
        .iter()
        .filter_map(|entry| offered(&entry.event))
        .filter(|(seat, _)| !mine.contains(seat));
    // An offer of a rematch is taken up by making the same one.
    let agreed = any(|event| matches!(event, TableEvent::RematchAgreed { .. }));
    let offers = offers.filter(|_| !mine.is_empty() && !over && !agreed);
    let offers = offers.map(|(_, offer)| Notification {
        offer: Some(offer),
        ..Notification::new(NotificationKind::Offer, table, key)
    });
    kinds
        .into_iter()
        .map(|kind| Notification::new(kind, table, key))
        .chain(offers)
        .collect()
}

/// Returns the notes that a table's new events add to the logs of accounts: those of its players,
/// and of the member who was invited.
pub(crate) fn account_notes(
    table: &Table,
    entries: &[LogEntry],
    invited: Option<UserId>,
) -> Vec<(i64, Value)> {
    let seated = table.players().iter().filter_map(|player| player.user());
    let mut users: Vec<UserId> = seated.chain(invited).collect();
    users.sort_unstable();
    users.dedup();
    let notes = users.into_iter().flat_map(|user| {
        let notes = notifications_for(table, entries, &SeatKey::from_member(user));
        notes.into_iter().map(move |note| (user, note))
    });
    notes
        .filter(|(_, note)| note.kind.is_logged())
        .map(|(user, note)| {
            let body = serde_json::to_value(note).expect("a notification is plain data");
            (store_id(user), body)
        })
        .collect()
}

/// Returns the kind of turn notification, while the game is in progress.
fn turn(table: &Table, key: &SeatKey) -> Option<NotificationKind> {
    let seat = table.on_turn()?;
    Some(if table.players()[seat.index()].has_key(key) {
        NotificationKind::YourTurn
    } else {
        NotificationKind::TheirTurn
    })
}

fn changes_turn(event: &TableEvent) -> bool {
    use TableEvent::{Chance, Flagged, Moved, Resigned, Returned, Started, TakenBack};
    matches!(
        event,
        Started
            | Moved { .. }
            | Chance { .. }
            | TakenBack { .. }
            | Resigned { .. }
            | Flagged { .. }
            | Returned { .. }
    )
}

/// Returns the seat that makes an offer and the kind of offer.
fn offered(event: &TableEvent) -> Option<(Seat, &'static str)> {
    match event {
        TableEvent::DrawOffered { seat } => Some((*seat, "draw")),
        TableEvent::TakebackOffered { seat } => Some((*seat, "takeback")),
        TableEvent::RematchOffered { seat } => Some((*seat, "rematch")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use parlor_games::GameKind;
    use parlor_table::{Command, Issuer, NewTable, Player};
    use serde_json::json;

    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_000);

    fn keys() -> [SeatKey; 2] {
        ["ann", "bob"].map(SeatKey::from_token)
    }

    /// Returns a classic table with Ann in the first seat and Bob invited.
    fn challenge() -> Table {
        let ann = Player::human("Ann", keys()[0]).unwrap();
        let id = TableId::new(1).unwrap();
        let new = NewTable::new(id, GameKind::all()[0], json!({}), vec![ann, Player::Open]);
        Table::create(
            NOW,
            NewTable {
                listed: false,
                invite: Some(keys()[1]),
                ..new
            },
        )
        .unwrap()
    }

    fn told(table: &mut Table, by: usize, command: Command) -> [Vec<&'static str>; 2] {
        let entries = table.apply(NOW, &Issuer::Key(keys()[by]), command).unwrap();
        names(table, &entries)
    }

    fn names(table: &Table, entries: &[LogEntry]) -> [Vec<&'static str>; 2] {
        keys().map(|key| {
            notifications_for(table, entries, &key)
                .iter()
                .map(|note| note.kind.name())
                .collect()
        })
    }

    #[test]
    fn a_game_is_told_to_both_from_its_challenge_to_its_end() {
        let mut table = challenge();
        assert_eq!(names(&table, table.log()), [vec![], vec!["challenge"]]);
        let joined = told(&mut table, 1, Command::join("Bob"));
        assert_eq!(
            joined,
            [
                vec!["game_start", "your_turn"],
                vec!["game_start", "their_turn"]
            ]
        );
        let moved = told(&mut table, 0, Command::play("1,1"));
        assert_eq!(moved, [vec!["their_turn"], vec!["your_turn"]]);
        assert_eq!(
            told(&mut table, 1, Command::OfferDraw),
            [vec!["offer"], vec![]]
        );
        assert_eq!(
            told(&mut table, 0, Command::DeclineDraw),
            [vec![] as Vec<&str>, vec![]]
        );
        assert_eq!(
            told(&mut table, 1, Command::Resign),
            [["game_over"], ["game_over"]]
        );
        let next = TableId::new(2).unwrap();
        assert_eq!(
            told(&mut table, 0, Command::Rematch { next }),
            [vec![], vec!["offer"]]
        );
        assert_eq!(
            told(&mut table, 1, Command::Rematch { next }),
            [vec![] as Vec<&str>, vec![]],
            "the next table tells of itself"
        );
    }

    #[test]
    fn a_challenge_that_is_declined_or_withdrawn_is_gone() {
        for by in [0, 1] {
            let mut table = challenge();
            assert_eq!(
                told(&mut table, by, Command::Abort),
                [["game_over"], ["challenge_gone"]]
            );
        }
    }

    #[test]
    fn who_comes_late_is_told_how_it_stands() {
        let stands = |table: &Table| {
            keys().map(|key| {
                current_notifications(table, &key)
                    .iter()
                    .map(|note| note.kind.name())
                    .collect::<Vec<_>>()
            })
        };
        let mut table = challenge();
        assert_eq!(stands(&table), [vec![], vec!["challenge"]]);
        told(&mut table, 1, Command::join("Bob"));
        assert_eq!(
            stands(&table),
            [vec!["game_start", "your_turn"], vec!["game_start"]]
        );
        told(&mut table, 0, Command::Resign);
        assert_eq!(stands(&table), [vec![] as Vec<&str>, vec![]]);
        let over =
            keys().map(|key| game_over_notification(&table, &key).map(|note| note.kind.name()));
        assert_eq!(over, [Some("game_over"); 2]);
        assert_eq!(
            game_over_notification(&table, &SeatKey::from_token("carl")),
            None
        );
    }
}
