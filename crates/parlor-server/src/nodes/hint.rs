//! Hints that nodes send each other, as JSON texts.

use parlor_store::MAX_HINT_BYTES;
use parlor_table::{LogEntry, SeatKey, Table, TableId};
use serde::{Deserialize, Serialize};

/// News of a node for the others. It never contains a secret, and nothing depends on its arrival.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Hint {
    /// Number of the sender.
    pub(super) node: u64,
    #[serde(flatten)]
    pub(super) news: News,
}

/// A change that concerns other nodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "news", rename_all = "snake_case")]
pub(super) enum News {
    /// A table has new events.
    Moved {
        /// The table.
        table: TableId,
        /// Version of its first new event.
        first: u64,
        /// Its version now.
        version: u64,
        /// The new events, if everybody may see all of them and they are small.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        entries: Vec<LogEntry>,
        /// Fingerprints of the people the table concerns.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        people: Vec<u64>,
    },
    /// A table was deleted.
    Deleted {
        /// The table.
        table: TableId,
    },
    /// Sessions or tokens of an account may have ended.
    Revoked {
        /// Id of the account.
        user: i64,
    },
    /// An API token was revoked.
    TokenRevoked {
        /// Id of the token.
        token: i64,
    },
    /// Those who wait for opponents, or their pairings, have changed.
    Queue,
    /// A table has spectators at the sender.
    Audience {
        /// The table.
        table: TableId,
        /// Number of spectators.
        count: u32,
    },
    /// A table has new messages. What they say is in the database only.
    Talk {
        /// The table.
        table: TableId,
        /// Number of the last message.
        n: i64,
    },
    /// The sender is there.
    Beat,
}

impl News {
    /// Returns the news of the last `entries` of a table and the people it concerns.
    pub(super) fn of_table(table: &Table, entries: &[LogEntry], people: &[SeatKey]) -> News {
        let is_public = |entry: &LogEntry| {
            serde_json::to_value(entry).is_ok_and(|whole| whole == entry.public())
        };
        let are_public = entries.iter().all(is_public);
        News::Moved {
            table: table.id(),
            first: entries
                .first()
                .map_or(table.version(), |entry| entry.version),
            version: table.version(),
            entries: if are_public {
                entries.to_vec()
            } else {
                Vec::new()
            },
            people: people.iter().map(SeatKey::fingerprint).collect(),
        }
    }
}

impl Hint {
    /// Writes the hint as a text that every bus can carry: without the events if they are long.
    pub(super) fn to_text(&self) -> String {
        let text = |hint: &Hint| serde_json::to_string(hint).unwrap_or_default();
        let whole = text(self);
        if whole.len() <= MAX_HINT_BYTES {
            return whole;
        }
        let mut short = self.clone();
        if let News::Moved { entries, .. } = &mut short.news {
            entries.clear();
        }
        text(&short)
    }
}

#[cfg(test)]
mod tests {
    use parlor_games::GameKind;
    use parlor_table::{Command, Issuer, NewTable, Player, Timestamp};
    use serde_json::{Value, json};

    use super::*;

    fn table() -> (Table, [SeatKey; 2]) {
        let keys = ["Ann's token", "Bob's token"].map(SeatKey::from_token);
        let players = [("Ann", keys[0]), ("Bob", keys[1])];
        let players = players.map(|(name, key)| Player::human(name, key).unwrap());
        let new = NewTable::new(
            TableId::new(7).unwrap(),
            GameKind::all()[0],
            Value::Null,
            players.to_vec(),
        );
        (Table::create(Timestamp::from_millis(1), new).unwrap(), keys)
    }

    fn text(news: News) -> String {
        Hint { node: 3, news }.to_text()
    }

    #[test]
    fn moves_travel_with_the_hint_but_keys_of_seats_do_not() {
        let (mut table, keys) = table();
        let created = News::of_table(&table, table.log(), &keys);
        let json: Value = serde_json::from_str(&text(created)).unwrap();
        assert_eq!(
            json.get("entries"),
            None,
            "the first event has the players' keys"
        );
        assert_eq!((&json["first"], &json["version"]), (&json!(1), &json!(2)));
        let key = serde_json::to_string(&keys[0]).unwrap();
        assert!(!json.to_string().contains(key.trim_matches('"')));
        let now = Timestamp::from_millis(2);
        let moved = table
            .apply(now, &Issuer::Key(keys[0]), Command::play("1,1"))
            .unwrap();
        let back: Hint =
            serde_json::from_str(&text(News::of_table(&table, &moved, &keys))).unwrap();
        assert_eq!(back.news, News::of_table(&table, &moved, &keys));
        assert!(matches!(back.news, News::Moved { entries, .. } if entries == moved));
    }

    #[test]
    fn a_long_hint_leaves_the_events_out() {
        let (mut table, keys) = table();
        let now = Timestamp::from_millis(2);
        let moved = table
            .apply(now, &Issuer::Key(keys[0]), Command::play("1,1"))
            .unwrap();
        let News::Moved {
            table,
            first,
            version,
            people,
            ..
        } = News::of_table(&table, &moved, &keys)
        else {
            unreachable!()
        };
        let entries = vec![moved[0].clone(); 1_000];
        let text = text(News::Moved {
            table,
            first,
            version,
            entries,
            people,
        });
        assert!(text.len() < 200, "{text}");
    }
}
