//! Public views of a table.

use parlor_core::Seat;
use serde::Serialize;
use serde_json::Value;

use crate::{
    AskWhen, ClockView, Ending, Player, Situation, Table, TableId, TableStatus, TableTurn,
    Timestamp,
};

/// Public view of a table.
#[derive(Clone, Debug, Serialize)]
pub struct TableView {
    /// Id of the table.
    pub id: TableId,
    /// Name of the game.
    pub game: &'static str,
    /// Options of the game.
    pub options: Value,
    /// Stage of the table.
    pub status: TableStatus,
    /// Number of the last event.
    pub version: u64,
    /// Seats and their players.
    pub seats: Vec<SeatView>,
    /// Seat on turn, luck, or the outcome.
    pub turn: TableTurn,
    /// View of the position, as defined by the game.
    pub position: Value,
    /// Text of the position.
    pub text: String,
    /// Text of the last move.
    pub last_move: Option<String>,
    /// Number of moves played, without those taken back.
    pub plies: u32,
    /// Clocks; `None` for an untimed game.
    pub clock: Option<ClockView>,
    /// True if the game counts for the players' ratings.
    pub rated: bool,
    /// Open offers.
    pub offers: OffersView,
    /// Seats that are asked whether they move out of turn; `None` if none is.
    pub asked: Option<AskedView>,
    /// Seat that may take back its last move at once, in cooperative games.
    pub undo: Option<u8>,
    /// Ending, once the game is over.
    pub ending: Option<Ending>,
    /// Luck of the table; `None` in games without luck.
    pub luck: Option<LuckView>,
    /// True if the lobby lists the table.
    pub listed: bool,
    /// Table that this one is a rematch of.
    pub previous: Option<TableId>,
    /// Points of the players in the series of rematches, by seat; empty in its first game. A draw
    /// is half a point. This game counts once it is over.
    pub series: Vec<f64>,
    /// Table of the rematch.
    pub next: Option<TableId>,
    /// Time of creation, in milliseconds since the Unix epoch.
    pub created_at: Timestamp,
    /// Time of the last event, in milliseconds since the Unix epoch.
    pub updated_at: Timestamp,
}

/// Public view of a seat.
#[derive(Clone, Debug, Serialize)]
pub struct SeatView {
    /// Number of the seat.
    pub seat: u8,
    /// Name of the seat in this game, such as "X".
    pub label: String,
    /// `open`, `human` or `bot`, which also a member's program is.
    pub kind: &'static str,
    /// Name of the player.
    pub name: Option<String>,
    /// Name of the person who left and for whom this bot plays.
    pub stands_in_for: Option<String>,
    /// True if the player has an account.
    pub member: bool,
    /// Name of the member to whom the bot belongs; `None` for people and the house's own bots.
    pub owner: Option<String>,
    /// True if the player has declared to be ready.
    pub ready: bool,
    /// True if the player asks for a rematch.
    pub rematch: bool,
    /// True if the player declined the rematch that others asked for last.
    pub declined_rematch: bool,
    /// Occasions on which the player is asked for moves out of turn.
    pub asking: AskWhen,
}

impl SeatView {
    /// Returns true if a person or a member's program has the seat, false if it is open or the house's own
    /// bot plays there.
    pub fn has_client(&self) -> bool {
        self.kind == "human" || self.owner.is_some()
    }
}

/// Public view of the open offers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OffersView {
    /// Seats that offer a draw.
    pub draw: Vec<u8>,
    /// Seat that asks to take back its last move.
    pub takeback: Option<u8>,
}

/// Public view of a question to seats that can move out of turn. The seat on turn waits for them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AskedView {
    /// Seats that have not answered yet.
    pub seats: Vec<u8>,
    /// Time at which those that have not answered have passed, in milliseconds since the Unix epoch.
    pub until: Timestamp,
}

/// Public view of a table's luck.
#[derive(Clone, Debug, Serialize)]
pub struct LuckView {
    /// SHA-256 of the secret; `None` if luck is entered by hand.
    pub commitment: Option<String>,
    /// True if the players bring their own luck and enter its results by hand.
    pub by_hand: bool,
    /// Texts that the seats mixed in.
    pub texts: Vec<String>,
    /// Number of draws so far.
    pub drawn: u32,
    /// Secret in hexadecimal, once the game is over.
    pub secret: Option<String>,
}

impl Table {
    /// Returns the public view of the table.
    pub fn view(&self) -> TableView {
        TableView {
            id: self.id,
            game: self.kind.name(),
            options: self.options.clone(),
            status: self.status,
            version: self.version(),
            seats: self.seat_views(),
            turn: self.turn(),
            position: self.position.view(self.last_marked_move()),
            text: self.position.text(),
            last_move: self.last_move().map(str::to_owned),
            plies: self.plies(),
            clock: self.clock_view(),
            rated: self.rated,
            offers: self.offers_view(),
            asked: self.asked_view(),
            undo: self.undo_seat().map(Seat::number),
            ending: self.ending,
            luck: self.luck_view(),
            listed: self.listed,
            previous: self.previous,
            series: self.series_view(),
            next: self.next,
            created_at: self.created_at(),
            updated_at: self.updated_at(),
        }
    }

    fn series_view(&self) -> Vec<f64> {
        if self.series.is_empty() {
            return Vec::new();
        }
        let points = self.half_points().into_iter();
        points.map(|halves| f64::from(halves) / 2.0).collect()
    }

    /// Returns the public view of the seats.
    pub fn seat_views(&self) -> Vec<SeatView> {
        let view = |seat: Seat| {
            let player = &self.players[seat.index()];
            SeatView {
                seat: seat.number(),
                label: self.position.seat_name(seat),
                kind: match player {
                    Player::Open => "open",
                    Player::Human { owner: None, .. } => "human",
                    Player::Human { owner: Some(_), .. } | Player::Bot { .. } => "bot",
                },
                name: player.name().map(str::to_owned),
                stands_in_for: self
                    .person_gone(seat)
                    .and_then(Player::name)
                    .map(str::to_owned),
                member: player.user().is_some(),
                owner: player.owner().map(str::to_owned),
                ready: self.ready[seat.index()],
                rematch: self.wants_rematch[seat.index()],
                declined_rematch: self.declined_rematch == Some(seat),
                asking: self.asks_when(seat),
            }
        };
        Seat::all(self.position.seats()).map(view).collect()
    }

    /// Returns the public view of the clocks; `None` for an untimed game.
    pub fn clock_view(&self) -> Option<ClockView> {
        let clock = self.clock.as_ref()?;
        let running = clock.running();
        Some(ClockView {
            control: clock.control(),
            words: clock.control().to_string(),
            left_ms: clock.left().to_vec(),
            running: running.map(|(seat, _)| seat.number()),
            since: running.map(|(_, since)| since),
            delay_ms: clock.standing_ms(),
            lag: clock.lag_views(),
            due_at: self.clock_due_at(),
            aborts: self.aborted_at().is_some(),
        })
    }

    /// Returns whose turn it is, and the clocks as of the last event.
    pub(crate) fn situation(&self) -> Situation {
        Situation {
            turn: self.position.turn().into(),
            clock: self
                .clock
                .as_ref()
                .map(|clock| clock.reading(self.updated_at())),
        }
    }

    fn offers_view(&self) -> OffersView {
        let draws = Seat::all(self.position.seats()).filter(|seat| self.offers.draw[seat.index()]);
        OffersView {
            draw: draws.map(Seat::number).collect(),
            takeback: self.offers.takeback.map(Seat::number),
        }
    }

    fn asked_view(&self) -> Option<AskedView> {
        Some(AskedView {
            seats: self.asked().iter().map(|seat| seat.number()).collect(),
            until: self.asked_until()?,
        })
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
