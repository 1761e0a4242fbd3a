//! News of a member, in words, from the tables that they are about.

use parlor_core::Seat;
use parlor_games::OutcomeView;
use parlor_table::{SeatKey, Table, TableEvent, TableId, TableStatus, UserId};

use super::wishes::NoticeKind;
use crate::hub::invited_key;

/// Something that a member may want to hear.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct News {
    /// Name of what happened, the same on all nodes.
    pub(super) source: String,
    pub(super) kind: NoticeKind,
    /// True for an offer, whose kind is that of challenges.
    pub(super) is_offer: bool,
    /// Time of what happened, in milliseconds since the Unix epoch.
    pub(super) at: i64,
    pub(super) table: TableId,
    pub(super) text: String,
}

/// Returns the key of a member's seats.
pub(super) fn key_of(user: i64) -> Option<SeatKey> {
    let user = UserId::new(user.unsigned_abs()).ok()?;
    Some(SeatKey::from_member(user))
}

/// Returns the news that it is the turn of the member with this key, if it is, and a person or program plays
/// there, too. It is the same news until somebody else has moved.
pub(super) fn turn(table: &Table, key: &SeatKey) -> Option<News> {
    let seat = table.on_turn()?;
    let is_theirs = |seat: &Seat| table.players()[seat.index()].has_key(key);
    let mut players = table.players().iter();
    let has_company = players.any(|player| player.is_human() && !player.has_key(key));
    if !is_theirs(&seat) || !has_company {
        return None;
    }
    let gave_turn = |event: &TableEvent| match event {
        TableEvent::Moved { seat, .. } => !is_theirs(seat),
        TableEvent::Started
        | TableEvent::TakenBack { .. }
        | TableEvent::Resigned { .. }
        | TableEvent::Flagged { .. }
        | TableEvent::Returned { .. } => true,
        _ => false,
    };
    let mut log = table.log().iter().rev();
    let given = log.find(|entry| gave_turn(&entry.event))?;
    let (game, against) = (table.kind().title(), against(table, key));
    Some(News {
        source: format!("turn/{}/{}", table.id(), given.version),
        kind: NoticeKind::Turn,
        is_offer: false,
        at: given.at.millis(),
        table: table.id(),
        text: format!("It's your turn in {game}{against}."),
    })
}

/// Returns true if the member with this key is challenged at a table and has not answered.
pub(super) fn is_challenged(table: &Table, key: &SeatKey) -> bool {
    table.status() == TableStatus::Open
        && invited_key(table) == Some(*key)
        && table.seats_with_key(key).is_empty()
}

/// Returns the words for a note of the account's log of this type about a table, with the kind of news. Most
/// notes are no news to be told.
pub(super) fn note(
    table: &Table,
    key: &SeatKey,
    kind: &str,
    offer: Option<&str>,
) -> Option<(NoticeKind, String)> {
    let (game, against) = (table.kind().title(), against(table, key));
    match kind {
        "challenge" if is_challenged(table, key) => {
            let names = others(table, key).join(" and ");
            let text = format!("{names} challenges you to {game}.");
            Some((NoticeKind::Challenge, text))
        }
        "offer" => {
            let what = match offer? {
                "draw" => "a draw",
                "takeback" => "to take a move back",
                "rematch" => "a rematch",
                _ => return None,
            };
            let verb = if what.starts_with("to ") {
                "asked"
            } else {
                "offered"
            };
            let text = format!("You are {verb} {what} in {game}{against}.");
            Some((NoticeKind::Challenge, text))
        }
        "game_over" => {
            let result = result(table, key)?;
            let text = format!("{result} {game}{against}.");
            Some((NoticeKind::Result, text))
        }
        _ => None,
    }
}

/// Returns the beginning of the sentence that tells a result.
fn result(table: &Table, key: &SeatKey) -> Option<&'static str> {
    let mine = table.seats_with_key(key);
    Some(match table.ending()?.outcome {
        None => "Called off:",
        Some(OutcomeView::Draw) => "You drew",
        Some(OutcomeView::TeamWon) => "You won",
        Some(OutcomeView::TeamLost) => "You lost",
        Some(OutcomeView::Won { seat, .. }) => {
            if mine.iter().any(|own| own.number() == seat) {
                "You won"
            } else {
                "You lost"
            }
        }
    })
}

/// Returns the names of the other people and programs at a table.
fn others(table: &Table, key: &SeatKey) -> Vec<String> {
    let others = table.players().iter();
    let others = others.filter(|player| player.is_human() && !player.has_key(key));
    let mut names: Vec<String> = others
        .filter_map(|player| player.name().map(str::to_owned))
        .collect();
    names.dedup();
    names
}

/// Returns the words for those with whom a member plays, after the name of the game.
fn against(table: &Table, key: &SeatKey) -> String {
    let names = others(table, key);
    let word = if table.kind().is_cooperative() {
        "with"
    } else {
        "against"
    };
    match names.as_slice() {
        [] => String::new(),
        names => format!(" {word} {}", names.join(" and ")),
    }
}

#[cfg(test)]
mod tests {
    use parlor_games::GameKind;
    use parlor_table::{Command, Issuer, NewTable, Player, Timestamp};
    use serde_json::json;

    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_000);

    fn member(user: u64, name: &str) -> Player {
        Player::member(name, UserId::new(user).unwrap()).unwrap()
    }

    fn table(game: &str, players: Vec<Player>) -> Table {
        let kind = GameKind::from_name(game).unwrap();
        let new = NewTable::new(TableId::new(7).unwrap(), kind, json!({}), players);
        Table::create(NOW, new).unwrap()
    }

    fn play(table: &mut Table, user: u64, command: Command) {
        let by = Issuer::Member(UserId::new(user).unwrap());
        table.apply(NOW, &by, command).unwrap();
    }

    fn source(table: &Table, user: i64) -> Option<String> {
        Some(turn(table, &key_of(user)?)?.source)
    }

    #[test]
    fn a_turn_is_news_until_somebody_else_has_moved() {
        let mut table = table("mnk", vec![member(1, "Ann"), member(2, "Bob")]);
        let first = source(&table, 1).unwrap();
        assert_eq!(source(&table, 2), None);
        play(&mut table, 2, Command::OfferDraw);
        assert_eq!(
            source(&table, 1),
            Some(first.clone()),
            "an offer is no move"
        );
        play(&mut table, 1, Command::DeclineDraw);
        play(&mut table, 1, Command::play("1,1"));
        assert_eq!(source(&table, 1), None);
        assert!(source(&table, 2).is_some());
        play(&mut table, 2, Command::play("0,0"));
        assert_ne!(source(&table, 1).unwrap(), first);
        let text = turn(&table, &key_of(1).unwrap()).unwrap().text;
        assert!(text.starts_with("It's your turn in "), "{text}");
        assert!(text.ends_with(" against Bob."), "{text}");
        play(&mut table, 1, Command::Resign);
        assert_eq!(source(&table, 1), None);
        let told = |user| note(&table, &key_of(user).unwrap(), "game_over", None).unwrap();
        assert_eq!(told(1).0, NoticeKind::Result);
        assert!(told(1).1.starts_with("You lost "), "{}", told(1).1);
        assert!(told(2).1.starts_with("You won "), "{}", told(2).1);
    }

    #[test]
    fn nobody_is_told_of_a_game_against_the_house_or_alone() {
        let bot = table("mnk", vec![member(1, "Ann"), Player::bot("random")]);
        assert_eq!(source(&bot, 1), None);
        let alone = table("mnk", vec![member(1, "Ann"), member(1, "Ann")]);
        assert_eq!(source(&alone, 1), None);
    }
}
