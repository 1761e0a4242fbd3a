//! What everybody may see of a table.

use parlor_core::Seat;
use parlor_games::TurnView;
use serde::Serialize;
use serde_json::Value;

use crate::{ClockView, Ending, Player, Status, Table, TableId, Timestamp};

/// A table as everybody sees it.
#[derive(Clone, Debug, Serialize)]
pub struct TableView {
    /// Its name.
    pub id: TableId,
    /// The game's name.
    pub game: &'static str,
    /// The game's options.
    pub options: Value,
    /// How far it has come.
    pub status: Status,
    /// Number of its last event.
    pub version: u64,
    /// Who sits where.
    pub seats: Vec<SeatView>,
    /// What happens next under the rules.
    pub turn: TurnView,
    /// The position as the game shows it.
    pub position: Value,
    /// The position as text.
    pub text: String,
    /// The last move.
    pub last_move: Option<String>,
    /// Moves played, without those that were taken back.
    pub plies: u32,
    /// The clocks, at tables that have them.
    pub clock: Option<ClockView>,
    /// Whether the game counts for the players' ratings.
    pub rated: bool,
    /// What is offered at the moment.
    pub offers: OffersView,
    /// The seat that may take back at once what it played last, where all win or lose together.
    pub undo: Option<u8>,
    /// How the game ended.
    pub ending: Option<Ending>,
    /// The luck of the table, in games that have luck.
    pub luck: Option<LuckView>,
    /// Whether the lobby shows it.
    pub listed: bool,
    /// The table it is a rematch of.
    pub previous: Option<TableId>,
    /// The table of its rematch.
    pub next: Option<TableId>,
    /// When it was made, in milliseconds since 1970.
    pub created_at: Timestamp,
    /// When it last changed, in milliseconds since 1970.
    pub updated_at: Timestamp,
}

/// A seat as everybody sees it.
#[derive(Clone, Debug, Serialize)]
pub struct SeatView {
    /// Its number.
    pub seat: u8,
    /// What it is called in this game: "X".
    pub label: String,
    /// `open`, `human` or `bot`.
    pub kind: &'static str,
    /// Who sits there.
    pub name: Option<String>,
    /// Whether it is a person with an account.
    pub member: bool,
    /// Whether it said that it is there.
    pub ready: bool,
    /// Whether it asks for a rematch.
    pub rematch: bool,
}

/// What is offered at a table at the moment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OffersView {
    /// The seats that offer a draw.
    pub draw: Vec<u8>,
    /// The seat that asks for its last move back.
    pub takeback: Option<u8>,
}

/// The luck of a table as everybody sees it.
#[derive(Clone, Debug, Serialize)]
pub struct LuckView {
    /// SHA-256 of the secret; nothing where luck is typed in by hand.
    pub commitment: Option<String>,
    /// Whether the players bring their own luck and type in what it did.
    pub by_hand: bool,
    /// The seats' texts.
    pub texts: Vec<String>,
    /// Draws so far.
    pub drawn: u32,
    /// The secret, when the game is over.
    pub secret: Option<String>,
}

impl Table {
    /// The table as everybody may see it.
    pub fn view(&self) -> TableView {
        TableView {
            id: self.id,
            game: self.kind.name(),
            options: self.options.clone(),
            status: self.status,
            version: self.version(),
            seats: self.seat_views(),
            turn: self.position.turn().into(),
            position: self.position.view(self.last_mark()),
            text: self.position.text(),
            last_move: self.last_move().map(str::to_owned),
            plies: self.plies(),
            clock: self.clock_view(),
            rated: self.rated,
            offers: self.offers_view(),
            undo: self.may_undo().map(Seat::number),
            ending: self.ending,
            luck: self.luck_view(),
            listed: self.listed,
            previous: self.previous,
            next: self.next,
            created_at: self.created_at(),
            updated_at: self.updated_at(),
        }
    }

    /// The seats as everybody may see them.
    pub fn seat_views(&self) -> Vec<SeatView> {
        let view = |seat: Seat| {
            let player = &self.players[seat.index()];
            SeatView {
                seat: seat.number(),
                label: self.position.seat_name(seat),
                kind: match player {
                    Player::Open => "open",
                    Player::Human { .. } => "human",
                    Player::Bot { .. } => "bot",
                },
                name: player.name().map(str::to_owned),
                member: player.user().is_some(),
                ready: self.ready[seat.index()],
                rematch: self.wants_rematch[seat.index()],
            }
        };
        Seat::all(self.position.seats()).map(view).collect()
    }

    /// The clocks as everybody may see them.
    pub fn clock_view(&self) -> Option<ClockView> {
        let clock = self.clock.as_ref()?;
        let running = clock.running();
        Some(ClockView {
            control: clock.control(),
            words: clock.control().to_string(),
            left_ms: clock.left().to_vec(),
            running: running.map(|(seat, _)| seat.number()),
            since: running.map(|(_, since)| since),
            due_at: self.due_at(),
        })
    }

    fn offers_view(&self) -> OffersView {
        let draws = Seat::all(self.position.seats()).filter(|seat| self.offers.draw[seat.index()]);
        OffersView {
            draw: draws.map(Seat::number).collect(),
            takeback: self.offers.takeback.map(Seat::number),
        }
    }

    fn luck_view(&self) -> Option<LuckView> {
        let luck = self.luck.as_ref()?;
        Some(LuckView {
            commitment: luck.commitment.clone(),
            by_hand: luck.commitment.is_none(),
            texts: luck.texts.clone(),
            drawn: luck.drawn,
            secret: luck
                .secret
                .as_ref()
                .filter(|_| luck.revealed)
                .map(crate::Secret::to_hex),
        })
    }
}
