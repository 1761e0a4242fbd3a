//! What is told to somebody about a table.

use parlor_core::Seat;
use parlor_table::{Ending, Entry, Event, Key, Status, Table, TableId, TimeControl, Timestamp};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::invited;
use crate::api::schema;

/// What is told to somebody about a table.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct Note {
    /// What it is about.
    #[serde(rename = "type")]
    pub(crate) kind: Kind,
    /// The table.
    #[schema(value_type = String)]
    pub(crate) table: TableId,
    /// Its page.
    pub(crate) url: String,
    /// The game's name.
    pub(crate) game: &'static str,
    /// The table's version then.
    pub(crate) version: u64,
    /// When it happened, in milliseconds since 1970.
    #[schema(value_type = i64)]
    pub(crate) at: Timestamp,
    /// Your seats.
    pub(crate) you: Vec<u8>,
    /// Who sits where; nobody in a seat that is open.
    pub(crate) players: Vec<Option<String>>,
    /// Whether the game counts for the players' ratings.
    pub(crate) rated: bool,
    /// How much time the seats have.
    #[schema(value_type = Option<schema::TimeControl>, required)]
    pub(crate) clock: Option<TimeControl>,
    /// The game's complete options, with `challenge` and `game_start`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub(crate) options: Option<Value>,
    /// What is offered, with `offer`: `draw`, `takeback` or `rematch`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) offer: Option<&'static str>,
    /// How the game ended, with `game_over`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<schema::Ending>)]
    pub(crate) ending: Option<Ending>,
}

/// What a note is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    /// A game of yours has begun, or is going on.
    GameStart,
    /// You are to move.
    YourTurn,
    /// Somebody else is to move.
    TheirTurn,
    /// A game of yours has ended, or was called off.
    GameOver,
    /// Somebody asks you to play.
    Challenge,
    /// That game will not be.
    ChallengeGone,
    /// The other side offers something.
    Offer,
}

impl Kind {
    /// The name in JSON.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Kind::GameStart => "game_start",
            Kind::YourTurn => "your_turn",
            Kind::TheirTurn => "their_turn",
            Kind::GameOver => "game_over",
            Kind::Challenge => "challenge",
            Kind::ChallengeGone => "challenge_gone",
            Kind::Offer => "offer",
        }
    }
}

impl Note {
    fn new(kind: Kind, table: &Table, key: &Key) -> Note {
        let options =
            matches!(kind, Kind::GameStart | Kind::Challenge).then(|| table.options().clone());
        Note {
            kind,
            table: table.id(),
            url: format!("/t/{}", table.id()),
            game: table.kind().name(),
            version: table.version(),
            at: table.updated_at(),
            you: table.seats_of(key).into_iter().map(Seat::number).collect(),
            players: table
                .players()
                .iter()
                .map(|player| player.name().map(str::to_owned))
                .collect(),
            rated: table.rated(),
            clock: table.clock(),
            options,
            offer: None,
            ending: table.ending().filter(|_| kind == Kind::GameOver),
        }
    }
}

/// What somebody has to know of a table who knew nothing of it.
pub(crate) fn standing(table: &Table, key: &Key) -> Vec<Note> {
    let seated = !table.seats_of(key).is_empty();
    match table.status() {
        Status::Playing if seated => {
            let start = Note::new(Kind::GameStart, table, key);
            let turn = turn(table, key).filter(|kind| *kind == Kind::YourTurn);
            [Some(start), turn.map(|kind| Note::new(kind, table, key))]
                .into_iter()
                .flatten()
                .collect()
        }
        Status::Open if !seated && invited(table) == Some(*key) => {
            vec![Note::new(Kind::Challenge, table, key)]
        }
        _ => Vec::new(),
    }
}

/// That a game of somebody's has ended.
pub(crate) fn ended(table: &Table, key: &Key) -> Option<Note> {
    let over =
        matches!(table.status(), Status::Over | Status::Aborted) && !table.seats_of(key).is_empty();
    over.then(|| Note::new(Kind::GameOver, table, key))
}

/// What the last events of a table mean to somebody whom it concerns.
pub(super) fn happened(table: &Table, entries: &[Entry], key: &Key) -> Vec<Note> {
    let mine = table.seats_of(key);
    let any = |wanted: fn(&Event) -> bool| entries.iter().any(|entry| wanted(&entry.event));
    let over = any(|event| matches!(event, Event::Ended { .. }));
    let mut kinds = Vec::new();
    if mine.is_empty() {
        let asked =
            any(|event| matches!(event, Event::Created { .. })) && table.status() == Status::Open;
        kinds.extend(asked.then_some(Kind::Challenge));
        kinds.extend(over.then_some(Kind::ChallengeGone));
    } else {
        kinds.extend(any(|event| matches!(event, Event::Started)).then_some(Kind::GameStart));
        kinds.extend(any(changes_turn).then(|| turn(table, key)).flatten());
        kinds.extend(over.then_some(Kind::GameOver));
    }
    let offers = entries
        .iter()
        .filter_map(|entry| offered(&entry.event))
        .filter(|(seat, _)| !mine.contains(seat));
    let offers = offers.filter(|_| !mine.is_empty() && !over);
    let offers = offers.map(|(_, offer)| Note {
        offer: Some(offer),
        ..Note::new(Kind::Offer, table, key)
    });
    kinds
        .into_iter()
        .map(|kind| Note::new(kind, table, key))
        .chain(offers)
        .collect()
}

/// Whose turn it is, while the game is on.
fn turn(table: &Table, key: &Key) -> Option<Kind> {
    let seat = table.on_turn()?;
    Some(if table.players()[seat.index()].has_key(key) {
        Kind::YourTurn
    } else {
        Kind::TheirTurn
    })
}

fn changes_turn(event: &Event) -> bool {
    use Event::{Chance, Flagged, Moved, Resigned, Started, TakenBack};
    matches!(
        event,
        Started
            | Moved { .. }
            | Chance { .. }
            | TakenBack { .. }
            | Resigned { .. }
            | Flagged { .. }
    )
}

/// What a seat offers to the others.
fn offered(event: &Event) -> Option<(Seat, &'static str)> {
    match event {
        Event::DrawOffered { seat } => Some((*seat, "draw")),
        Event::TakebackOffered { seat } => Some((*seat, "takeback")),
        Event::RematchOffered { seat } => Some((*seat, "rematch")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use parlor_games::GameKind;
    use parlor_table::{By, Command, NewTable, Player};
    use serde_json::json;

    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_000);

    fn keys() -> [Key; 2] {
        ["ann", "bob"].map(Key::of)
    }

    /// A classic table with Ann in the first seat, to which Bob is asked.
    fn challenge() -> Table {
        let ann = Player::human("Ann", keys()[0]).unwrap();
        let id = TableId::new(1).unwrap();
        let new = NewTable::new(id, GameKind::ALL[0], json!({}), vec![ann, Player::Open]);
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
        let entries = table.apply(NOW, &By::Key(keys()[by]), command).unwrap();
        names(table, &entries)
    }

    fn names(table: &Table, entries: &[Entry]) -> [Vec<&'static str>; 2] {
        keys().map(|key| {
            happened(table, entries, &key)
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
                standing(table, &key)
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
        let over = keys().map(|key| ended(&table, &key).map(|note| note.kind.name()));
        assert_eq!(over, [Some("game_over"); 2]);
        assert_eq!(ended(&table, &Key::of("carl")), None);
    }
}
