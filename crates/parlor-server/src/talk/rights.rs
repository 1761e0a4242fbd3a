//! Rights to read and write at a table.

use parlor_core::Seat;
use parlor_games::GameKind;
use parlor_table::{Player, Table, TableStatus};

use super::{Room, TalkPolicy, person_key};
use crate::accounts::store_id;
use crate::auth::Requester;

/// Kind of message that somebody may write in a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writing {
    /// Nothing.
    Nothing,
    /// Ready-made phrases.
    Phrases,
    /// Phrases and texts.
    Text,
}

impl Writing {
    /// Returns the name, as in JSON.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Writing::Nothing => "nothing",
            Writing::Phrases => "phrases",
            Writing::Text => "text",
        }
    }
}

/// Rights of one person in a table's talk.
#[derive(Clone, Debug)]
pub(crate) struct TalkRights {
    /// Game of the table.
    pub(crate) kind: GameKind,
    policy: TalkPolicy,
    /// First seat of the person.
    pub(crate) seat: Option<u8>,
    /// Name at that seat.
    seat_name: Option<String>,
    /// True if the person left the seat and can take it back.
    is_away: bool,
    /// True if the seat is not that of the person's account.
    is_guest_seat: bool,
    is_member: bool,
    is_private: bool,
    is_over: bool,
    /// True if somebody else can sit in the room of the players, or sat there.
    has_company: bool,
}

/// A person as the author of messages.
#[derive(Clone, Debug)]
pub(crate) struct TalkAuthor {
    /// Key under which the person is stored.
    pub(crate) key: String,
    /// Account.
    pub(crate) user: Option<i64>,
    /// Name; `None` for guests without a seat.
    pub(crate) name: Option<String>,
}

impl TalkRights {
    /// Returns what a person may do; `None` if the table has no talk.
    pub(super) fn new(
        policy: TalkPolicy,
        table: &Table,
        who: Option<&Requester>,
    ) -> Option<TalkRights> {
        if !table.has_talk() {
            return None;
        }
        let seats = who.map(|who| who.seats(table)).unwrap_or_default();
        let first = seats.first().copied();
        let player = first.and_then(|seat| table.players().get(usize::from(seat.number())));
        let left = who.map(|who| who.seats_to_take_back(table));
        let left = left.and_then(|left| left.first().copied());
        let away = left.and_then(|seat| table.person_gone(seat));
        let away = away.filter(|_| player.is_none());
        let player = player.or(away);
        let member = who.and_then(Requester::member);
        let others = table
            .players()
            .iter()
            .enumerate()
            .filter(|(n, _)| seats.iter().all(|seat| usize::from(seat.number()) != *n));
        let mut others = others.map(|(_, player)| player);
        // Those who remain with bots keep the talk with those who left: they read it, or have written there.
        let mut all = Seat::all(table.position().seats());
        let was_left = all.any(|seat| table.person_gone(seat).is_some());
        Some(TalkRights {
            kind: table.kind(),
            policy,
            seat: first.map(|seat| seat.number()),
            seat_name: player.and_then(name).map(str::to_owned),
            is_guest_seat: player.is_some_and(|player| player.user().is_none()),
            is_member: member.is_some(),
            is_private: table.is_private(),
            is_over: matches!(table.status(), TableStatus::Over | TableStatus::Aborted),
            is_away: away.is_some(),
            has_company: was_left || others.any(|player| !matches!(player, Player::Bot { .. })),
        })
    }

    /// Returns true if the person has a seat, or left one and can take it back.
    fn is_player(&self) -> bool {
        self.seat.is_some() || self.is_away
    }

    /// Returns true if the person may read the messages of a room.
    pub(crate) fn may_read(&self, room: Room) -> bool {
        match room {
            Room::Players => self.is_player(),
            Room::Watchers => !self.is_player() || self.is_over,
        }
    }

    /// Returns what the person may write in a room.
    pub(crate) fn writing(&self, room: Room) -> Writing {
        if !self.may_read(room) {
            return Writing::Nothing;
        }
        if self.policy == TalkPolicy::On && (self.is_member || self.is_private) {
            Writing::Text
        } else {
            Writing::Phrases
        }
    }

    /// Returns the reason why the person may only write phrases.
    pub(super) fn why_phrases_only(&self) -> &'static str {
        if self.policy == TalkPolicy::Phrases {
            "only ready-made phrases can be written in this house"
        } else {
            "guests can only write ready-made phrases here; sign in to write texts"
        }
    }

    /// Returns true if signing in would allow the person to write texts.
    pub(crate) fn would_help_to_sign_in(&self) -> bool {
        self.policy == TalkPolicy::On && !self.is_member && !self.is_private
    }

    /// Returns the room that is meant if none is named.
    pub(crate) fn own_room(&self) -> Room {
        if self.is_player() {
            Room::Players
        } else {
            Room::Watchers
        }
    }

    /// Returns true if there is somebody to talk to: not for who plays alone against the computer.
    pub(crate) fn has_company(&self) -> bool {
        self.seat.is_none() || self.has_company
    }

    /// Returns the person as an author.
    pub(crate) fn person(&self, who: Option<&Requester>) -> Option<TalkAuthor> {
        let who = who?;
        // A person who plays as a guest does not write as a member.
        let member = who.member().filter(|_| !self.is_guest_seat);
        // An account's key comes first, a guest's last.
        let key = if member.is_some() {
            who.keys().next()
        } else {
            who.keys().last()
        };
        Some(TalkAuthor {
            key: person_key(key?),
            user: member.map(|member| store_id(member.id)),
            name: self
                .seat_name
                .clone()
                .or_else(|| member.map(|member| member.name.clone())),
        })
    }
}

/// Returns the name of a person in a seat.
fn name(player: &Player) -> Option<&str> {
    match player {
        Player::Human { name, .. } => Some(name),
        Player::Open | Player::Bot { .. } => None,
    }
}
